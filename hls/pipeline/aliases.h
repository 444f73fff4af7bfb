// SPDX-License-Identifier: Apache-2.0
// Whether two accesses may be of the same bytes, as far as the pointers tell that they are made of.
#ifndef HEDDLE_HLS_PIPELINE_ALIASES_H
#define HEDDLE_HLS_PIPELINE_ALIASES_H

#include "hls/pipeline/graph.h"

// Whether a word of the packet is a pointer.
bool aliases_is_pointer(const struct graph *graph, const struct node *word);

// That they are of different objects: by their address spaces, by `restrict`, or because nobody stores where one of
// them loads.
bool aliases_are_apart(const struct graph *graph, const struct node *access, const struct node *other);

// Whether a load of a work-item may be of bytes that a store of it is of, both for the same values.
bool aliases_meet(const struct graph *graph, const struct node *load, const struct node *store);

#endif
