// SPDX-License-Identifier: Apache-2.0
// Sums in another order: what is the same for the whole dispatch first, then what is a sub-group's, last what is a
// lane's own. So in + 4 * (base + id) is an addition a sub-group and one a lane, instead of two a lane. Sums are modulo
// 2^32, so their order never matters.
#include "hls/pipeline/build.h"
#include "hls/pipeline/graph.h"

enum { MOST_TERMS = 8 };

struct term {
  struct node *node;
  unsigned shift;
};

struct sum {
  struct term terms[MOST_TERMS];
  unsigned count;
  unsigned lane_additions;  // as it is now
  uint64_t number;
};

static bool is_shift(const struct node *node) {
  return node->op == OP_SHL && node->arguments[1]->op == OP_CONSTANT;
}

// False if there are too many terms.
static bool collect(struct sum *sum, const struct region *r, struct node *node, unsigned shift) {
  if (node->op == OP_CONSTANT) {
    sum->number += node->number << shift;
    return true;
  }
  const bool inside = node->class == CLASS_LANE && node->region == r;
  if (inside && node->op == OP_ADD) {
    sum->lane_additions++;
    return collect(sum, r, node->arguments[0], shift) && collect(sum, r, node->arguments[1], shift);
  }
  if (inside && is_shift(node) && shift + node->arguments[1]->number < 32)
    return collect(sum, r, node->arguments[0], shift + (unsigned)node->arguments[1]->number);
  if (sum->count == MOST_TERMS)
    return false;
  sum->terms[sum->count++] = (struct term){node, shift};
  return true;
}

static struct node *rebuilt(struct graph *graph, const struct node *old, const struct sum *sum) {
  struct builder b = {.graph = graph, .region = old->region, .line = old->line};
  struct node *result = NULL;
  for (int class = CLASS_CONSTANT; class <= CLASS_LANE; class++)
    for (unsigned i = 0; i < sum->count; i++) {
      struct node *term = sum->terms[i].node;
      if ((int)term->class != class)
        continue;
      // As it is: build_two would bring the constants to the end, where accesses look for them.
      if (sum->terms[i].shift != 0)
        term = build_two(&b, OP_SHL, term, build_constant(graph, term->width, sum->terms[i].shift));
      result = !result ? term : build_node(&b, OP_ADD, term->width, 0, 2, (struct node *[]){result, term});
    }
  if (!result)
    return build_constant(graph, old->width, sum->number);
  return sum->number != 0 ? build_add(&b, result, sum->number) : result;
}

static bool is_worth_it(const struct sum *sum) {
  unsigned lanes = 0;
  for (unsigned i = 0; i < sum->count; i++)
    lanes += sum->terms[i].node->class == CLASS_LANE;
  // A constant at the end is the memory group's affair, which adds it for all accesses.
  const unsigned then = lanes == 0 ? 0 : lanes - 1 + (lanes < sum->count);
  return then < sum->lane_additions - (sum->number != 0 ? 1 : 0);
}

enum status graph_sums(struct graph *graph) {
  const unsigned count = graph->node_count;
  struct node **instead = graph_allocate(count * sizeof *instead);
  for (unsigned i = 0; i < count; i++) {
    struct node *node = graph->nodes[i];
    struct sum sum = {.count = 0};
    if (node->wanted && node->op == OP_ADD && node->class == CLASS_LANE && node->width == 32 &&
        collect(&sum, node->region, node, 0) && is_worth_it(&sum))
      instead[i] = rebuilt(graph, node, &sum);
  }
  for (unsigned i = 0; i < graph->node_count; i++)
    for (unsigned k = 0; k < graph->nodes[i]->count; k++) {
      struct node *argument = graph->nodes[i]->arguments[k];
      if (argument->id < count && instead[argument->id] && instead[argument->id] != graph->nodes[i])
        graph->nodes[i]->arguments[k] = instead[argument->id];
    }
  for (unsigned i = 0; i < graph->region_count; i++) {
    struct region *r = graph->regions[i];
    struct list *const lists[] = {&r->initial, &r->next};
    for (unsigned l = 0; l < 2; l++)
      for (unsigned k = 0; k < lists[l]->count; k++)
        if (lists[l]->items[k]->id < count && instead[lists[l]->items[k]->id])
          lists[l]->items[k] = instead[lists[l]->items[k]->id];
  }
  graph_prune(graph);
  return STATUS_OK;
}
