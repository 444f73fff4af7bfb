// SPDX-License-Identifier: Apache-2.0
// Nodes for calls of primitives (primitives.h).
#ifndef HEDDLE_HLS_PIPELINE_CALLS_H
#define HEDDLE_HLS_PIPELINE_CALLS_H

#include "hls/pipeline/build.h"
#include "hls/pipeline/primitives.h"

enum { PACKET_ADDRESS = 1023 };  // as the word of an OP_WORD: the address of the packet itself

// Bits of a word of the dispatch packet.
struct node *call_word(struct builder *b, unsigned word, unsigned low, unsigned width);

// Builds the nodes of a call, and returns its value: some constant for a call without one, NULL for a call that cannot
// be hardware. `active`: the lanes that make the call. `value` and `source`: nodes for the primitive's fields of these
// names, where it has them.
struct node *call_primitive(struct builder *b, const struct primitive *primitive, struct node *value,
                            struct node *source, struct node *active);

// Maps the bits of a float to an int that compares (signed) as the float does. It is its own inverse.
struct node *call_float_order(struct builder *b, struct node *x);

// The identity of an operator of scans (enum lane_operator), which inactive lanes contribute.
uint64_t call_identity(unsigned operator, unsigned width);

#endif
