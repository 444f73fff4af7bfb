// SPDX-License-Identifier: Apache-2.0
// Unrolling of loops that the source says nothing of.
#ifndef HEDDLE_HLS_PIPELINE_UNROLL_H
#define HEDDLE_HLS_PIPELINE_UNROLL_H

#include <llvm-c/Core.h>
#include <stdbool.h>

// Asks LLVM for `count` rounds in one, of each innermost loop of a function that has no hint of its own. To be called
// before optimisation, when everything that the function calls is part of it.
void unroll_ask(LLVMValueRef function, unsigned count);

// Asks for all rounds of a loop in one, as `#pragma unroll` does, whatever was asked for before.
void unroll_ask_fully(LLVMValueRef latch);

// Whether the source says how to unroll a loop, of which this jumps back to the head.
bool unroll_has_hint(LLVMValueRef latch);

// Whether the source asks to unroll a loop; to be called before others ask.
bool unroll_is_asked_for(LLVMModuleRef module);

// LLVM warns of loops that it should have unrolled and has not. From here on only errors are said: nobody is to be told
// of what the source does not ask for, or twice of what it does.
void unroll_warn_no_more(LLVMModuleRef module);

#endif
