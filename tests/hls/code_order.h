// SPDX-License-Identifier: Apache-2.0
// Proves of a kernel's machine code that its lanes meet again wherever they part.
#ifndef HEDDLE_TESTS_HLS_CODE_ORDER_H
#define HEDDLE_TESTS_HLS_CODE_ORDER_H

#include <stddef.h>
#include <stdint.h>

#include "tests/hls/kernel_file_reader.h"

enum { CODE_ORDER_TEXT = 200 };

// Of the code that starts at an entry and, of what it calls, all functions with active-set instructions: each jump goes
// to a higher address, but for one at the end of each loop; a loop's code is in one piece, entered at its first
// instruction alone; what is called lies before its callers. Returns the number of jumps back, or -1 with a text that
// says where that is not so.
int code_order_check(const struct kernel_file *file, uint32_t entry, char text[CODE_ORDER_TEXT]);

#endif
