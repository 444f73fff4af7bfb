// SPDX-License-Identifier: Apache-2.0
// Pipes on the chip in a graph (pipes.c). Called by instructions.c.
#ifndef HEDDLE_HLS_PIPELINE_PIPES_H
#define HEDDLE_HLS_PIPELINE_PIPES_H

#include "hls/pipeline/maker.h"
#include "hls/pipeline/primitives.h"

// Whether a value is a pipe: the word of its argument.
bool pipes_is_one(const struct graph *graph, const struct node *node);

bool pipes_is_primitive(const struct primitive *primitive);

// The value of such a call, of 32 bits. What cannot be hardware is refused (make_refuse); then it stands for the value.
struct node *pipes_make(struct maker *m, const struct primitive *primitive, LLVMValueRef call);

#endif
