// SPDX-License-Identifier: Apache-2.0
// Requests to LLVM to unroll loops.
#ifndef HEDDLE_HLS_PIPELINE_UNROLL_H
#define HEDDLE_HLS_PIPELINE_UNROLL_H

#include <llvm-c/Core.h>
#include <stdbool.h>

// Asks LLVM to unroll each innermost loop of a function `count` times, unless the source has a hint for the loop. To be
// called before optimisation, once everything has been inlined.
void unroll_ask(LLVMValueRef function, unsigned count);

// Asks LLVM to unroll a loop fully, as `#pragma unroll` does, whatever was asked for before.
void unroll_ask_fully(LLVMValueRef latch);

// Whether the source has a hint how to unroll a loop; `latch` is its branch back to the header.
bool unroll_has_hint(LLVMValueRef latch);

// LLVM warns of loops that it was asked to unroll and did not. From here on that is said of those that the source asks
// to unroll, once in a process; to be called before others ask.
void unroll_warn_of_requests(LLVMModuleRef module);

// From here on errors alone are said.
void unroll_warn_no_more(LLVMModuleRef module);

#endif
