// SPDX-License-Identifier: Apache-2.0
// Integer constants of C as texts: what an attribute has that clang does not know.
#ifndef HEDDLE_HLS_CONSTANT_TEXT_H
#define HEDDLE_HLS_CONSTANT_TEXT_H

#include <stdbool.h>
#include <stdint.h>

// Numbers of any base with suffixes, + - * / % << >>, signs and parentheses, with C's order of evaluation. False: it is
// something else, divides by zero, or leaves 32 bits.
bool constant_of_text(const char *text, int64_t *value);

#endif
