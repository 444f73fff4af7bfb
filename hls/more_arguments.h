// SPDX-License-Identifier: Apache-2.0
// Arguments that a kernel gets beside those of its source: the pipes that a program has without making any object of
// them (hls/channels.h, hls/sycl/pipes.h).
#ifndef HEDDLE_HLS_MORE_ARGUMENTS_H
#define HEDDLE_HLS_MORE_ARGUMENTS_H

#include <llvm-c/Core.h>

// Marks the callers of a function, and theirs, for inlining into the kernels that use them.
void more_arguments_show(LLVMValueRef function);

// Replaces a kernel by a function of the same name and body with `more` further parameters, pointers to global memory,
// behind its own. Metadata for the new arguments is up to the caller.
LLVMValueRef more_arguments_add(LLVMValueRef kernel, unsigned more);

#endif
