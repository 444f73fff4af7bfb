// SPDX-License-Identifier: Apache-2.0
// Kernels whose images are all plain (contract/image.h) when they run have code of their own, without any test of
// formats and without what other formats need.
#ifndef HEDDLE_HLS_PLAIN_IMAGES_H
#define HEDDLE_HLS_PLAIN_IMAGES_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#include "hls/kernel.h"

// Whether the kernel has an image. All work-items of a dispatch have the same ones and take the same way, so that lanes
// meet in one place although barriers and collectives are there twice.
bool plain_images_matter(const struct kernel *kernel);

// At the end of an entry, in the block where the builder is: decides by the images among the arguments. The builder is
// then in the block for plain images, of which optimisation knows that they are; returns the block for the others.
// Both are still to be filled.
LLVMBasicBlockRef plain_images_branch(LLVMBuilderRef builder, const struct kernel *kernel,
                                      const LLVMValueRef *arguments);

#endif
