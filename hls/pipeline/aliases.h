// SPDX-License-Identifier: Apache-2.0
// Alias analysis on the graph: whether two accesses may touch the same bytes.
#ifndef HEDDLE_HLS_PIPELINE_ALIASES_H
#define HEDDLE_HLS_PIPELINE_ALIASES_H

#include "hls/pipeline/graph.h"

// Whether a word of the packet is a pointer.
bool aliases_is_pointer(const struct graph *graph, const struct node *word);

// Whether two accesses are known to be of different objects: by address space, by `restrict`, or because one of them
// loads from memory that nobody stores to.
bool aliases_are_apart(const struct graph *graph, const struct node *access, const struct node *other);

// Whether two accesses are through one pointer.
bool aliases_are_of_one(const struct graph *graph, const struct node *access, const struct node *other);

// Whether a load and a store of one work-item may touch the same bytes, when the values in both addresses are the same
// (those of one round of a loop).
bool aliases_meet(const struct graph *graph, const struct node *load, const struct node *store);

#endif
