// SPDX-License-Identifier: Apache-2.0
// What calls of LLVM's intrinsics that are left in a kernel become.
#ifndef HEDDLE_HLS_PIPELINE_INTRINSICS_H
#define HEDDLE_HLS_PIPELINE_INTRINSICS_H

#include "hls/pipeline/build.h"

// The value of a call; `width`: bits of the result, of one with overflow without that bit, which comes highest. NULL if
// pipelines do not have it.
struct node *intrinsic_value(struct builder *b, const char *name, unsigned width, struct node **arguments);

#endif
