// SPDX-License-Identifier: Apache-2.0
// Arguments of kernels that are vectors or structs.
#ifndef HEDDLE_HLS_PIPELINE_ARGUMENTS_H
#define HEDDLE_HLS_PIPELINE_ARGUMENTS_H

#include <llvm-c/Core.h>

#include "hls/kernel.h"

// What a kernel does with such a parameter it does with a private copy, which is filled word by word
// (PRIMITIVE_ARGUMENT_WORD). Optimisation makes values of the copy.
void arguments_split(LLVMModuleRef module, const struct kernels *kernels);

#endif
