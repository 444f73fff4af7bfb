// SPDX-License-Identifier: Apache-2.0
// Images and samplers of SPIR-V.
#ifndef HEDDLE_HLS_IL_IMAGES_H
#define HEDDLE_HLS_IL_IMAGES_H

#include <llvm-c/Core.h>

// Calls of image functions, as the translator leaves them, become calls of those of lib/images.cl.
void il_images_adapt(LLVMModuleRef module);

#endif
