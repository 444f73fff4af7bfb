// SPDX-License-Identifier: Apache-2.0
// Unrolling of loops that the source says nothing of.
#ifndef HEDDLE_HLS_PIPELINE_UNROLL_H
#define HEDDLE_HLS_PIPELINE_UNROLL_H

#include <llvm-c/Core.h>
#include <stdbool.h>

// Asks LLVM for `count` rounds in one, of each innermost loop of a function that has no hint of its own. To be called
// before optimisation, when everything that the function calls is part of it.
void unroll_ask(LLVMValueRef function, unsigned count);

// Whether the source says how to unroll a loop, of which this jumps back to the head.
bool unroll_has_hint(LLVMValueRef latch);

// LLVM warns of loops that it should have unrolled and has not: nobody is told if the source asks for none. To be
// called before others ask.
void unroll_say_what_was_asked(LLVMModuleRef module);

#endif
