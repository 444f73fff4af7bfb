// SPDX-License-Identifier: Apache-2.0
// Jumps to what comes next anyway.
#ifndef HEDDLE_HLS_JUMPS_H
#define HEDDLE_HLS_JUMPS_H

// An assembly text of LLVM's without them. The caller frees it. Code generation writes one behind every branch, and
// leaves it to what would also move blocks to take it away (loop_ends.c).
char *jumps_leave_out(const char *text);

#endif
