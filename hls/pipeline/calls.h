// SPDX-License-Identifier: Apache-2.0
// What calls that are left in a kernel become: primitives (primitives.h) and LLVM's intrinsics.
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
struct node *call_intrinsic(struct builder *b, const char *name, unsigned width, struct node **arguments);

// What a lane that takes no part in a scan brings.
uint64_t call_identity(unsigned operator, unsigned width);

#endif
