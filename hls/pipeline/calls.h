// SPDX-License-Identifier: Apache-2.0
// What calls of primitives (primitives.h) that are left in a kernel become.
#ifndef HEDDLE_HLS_PIPELINE_CALLS_H
#define HEDDLE_HLS_PIPELINE_CALLS_H

#include "hls/pipeline/build.h"
#include "hls/pipeline/primitives.h"

enum { PACKET_ADDRESS = 1023 };  // as the word of an OP_WORD: the address of the packet itself

// Bits of a word of the dispatch packet.
struct node *call_word(struct builder *b, unsigned word, unsigned low, unsigned width);

// The value of a call; active: lanes that make it. NULL if it is nothing that can be hardware. A call without a value
// gives some constant. `value` and `source` are the primitive's own, where it has them.
struct node *call_primitive(struct builder *b, const struct primitive *primitive, struct node *value,
                            struct node *source, struct node *active);

// A float as the int of its order, and back.
struct node *call_float_order(struct builder *b, struct node *x);

// What a lane that takes no part in a scan brings.
uint64_t call_identity(unsigned operator, unsigned width);

#endif
