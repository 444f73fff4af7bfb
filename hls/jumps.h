// SPDX-License-Identifier: Apache-2.0
// Jumps to the instruction that follows anyway.
#ifndef HEDDLE_HLS_JUMPS_H
#define HEDDLE_HLS_JUMPS_H

// Copies LLVM's assembly text without them. The caller frees the result. LLVM's code generation writes such a jump
// behind every branch; the pass that removes it would also move blocks, which loop_ends.h must not have.
char *jumps_leave_out(const char *text);

#endif
