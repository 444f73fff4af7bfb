// SPDX-License-Identifier: Apache-2.0
// Arguments that a kernel gets beside those of its source: the pipes that a program has without making any object of
// them (hls/channels.h, hls/sycl/pipes.h).
#ifndef HEDDLE_HLS_MORE_ARGUMENTS_H
#define HEDDLE_HLS_MORE_ARGUMENTS_H

#include <llvm-c/Core.h>

// Functions that call this one, and their callers, are to become part of the kernels that use them.
void more_arguments_show(LLVMValueRef function);

// A function of the same body and name with so many pointers to global memory more, behind its own arguments; the old
// one goes. What says of arguments what they are is not made.
LLVMValueRef more_arguments_add(LLVMValueRef kernel, unsigned more);

#endif
