// SPDX-License-Identifier: Apache-2.0
// Makes nodes of a graph; constants are folded, and equal operations of a region are one node.
#ifndef HEDDLE_HLS_PIPELINE_BUILD_H
#define HEDDLE_HLS_PIPELINE_BUILD_H

#include "hls/pipeline/graph.h"

// Where nodes go, and what they are made from.
struct builder {
  struct graph *graph;
  struct region *region;
  unsigned line;
};

// An operation, as the fields of a node say what it is.
struct build_operation {
  enum op op;
  unsigned width;
  uint64_t number;
  unsigned count;
  struct node *const *arguments;
};
static inline struct build_operation build_operation_of(const struct node *node) {
  return (struct build_operation){node->op, node->width, node->number, node->count, node->arguments};
}

// Evaluates an operation on the numbers `numbers`, one for each argument. Of its arguments only the widths count.
// False: the operation is not one that is folded, or a width is above 64 bits.
enum { BUILD_MOST_FOLDED = 3 };  // most arguments
bool build_fold(const struct build_operation *operation, const uint64_t *numbers, uint64_t *value);
struct node *build_constant(struct graph *graph, unsigned width, uint64_t number);
struct node *build_node(struct builder *b, enum op op, unsigned width, uint64_t number, unsigned count,
                        struct node *const *arguments);
// A node that is not merged with an equal one, and keeps its place in the order of the program: an access, a barrier.
struct node *build_ordered(struct builder *b, enum op op, unsigned width, uint64_t number, unsigned count,
                           struct node *const *arguments);
// The value that a loop leaves, as an OP_OUT in the region of the builder, which is the one around the loop. `number`
// is that of OP_OUT.
struct node *build_out(struct builder *b, struct region *loop, struct node *value, uint64_t number);
struct node *build_two(struct builder *b, enum op op, struct node *x, struct node *y);
struct node *build_compare(struct builder *b, enum op op, struct node *x, struct node *y);
struct node *build_not(struct builder *b, struct node *x);
struct node *build_and(struct builder *b, struct node *x, struct node *y);  // of conditions
struct node *build_or(struct builder *b, struct node *x, struct node *y);
struct node *build_select(struct builder *b, struct node *condition, struct node *x, struct node *y);
struct node *build_resize(struct builder *b, struct node *x, unsigned width, bool is_signed);
struct node *build_slice(struct builder *b, struct node *x, unsigned low, unsigned width);
struct node *build_concat(struct builder *b, struct node *high, struct node *low);
struct node *build_add(struct builder *b, struct node *x, uint64_t number);

#endif
