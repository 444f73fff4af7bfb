// SPDX-License-Identifier: Apache-2.0
// Stores are held back until something has to be behind them, as long as loads follow that have not.
#include "hls/pipeline/hoists.h"

#include "hls/pipeline/aliases.h"
#include "hls/pipeline/schedule.h"

struct arranger {
  const struct graph *graph;
  struct region *r;
  struct list nodes, held;
};

static void release(struct arranger *a) {
  for (unsigned i = 0; i < a->held.count; i++)
    graph_arrange(a->r, a->held.items[i], &a->nodes);
  a->held.count = 0;
}

static bool is_plain(const struct node *node) {
  return (node->op == OP_LOAD || node->op == OP_STORE) && node->number == 0 && node->local_array == 0 &&
         node->space <= SPACE_LOCAL;
}

static bool is_behind_held(const struct arranger *a, const struct node *load) {
  for (unsigned i = 0; i < a->held.count; i++)
    if (aliases_meet(a->graph, load, a->held.items[i]))
      return true;
  return false;
}

static void arrange(struct arranger *a) {
  struct region *r = a->r;
  for (unsigned i = 0; i < r->nodes.count; i++)
    r->nodes.items[i]->placed = false;
  for (unsigned i = 0; i < r->nodes.count; i++) {
    struct node *node = r->nodes.items[i];
    if (is_plain(node) && node->op == OP_STORE && a->held.count < MOST_GROUP) {
      list_add(&a->held, node);
      continue;
    }
    if (graph_is_ordered(node) && (!is_plain(node) || node->op == OP_STORE || is_behind_held(a, node)))
      release(a);
    graph_arrange(r, node, &a->nodes);
  }
  release(a);
  r->nodes = a->nodes;
}

void hoists_arrange(struct graph *graph) {
  for (unsigned i = 0; i < graph->region_count && graph->lanes == 1; i++) {
    struct arranger a = {.graph = graph, .r = graph->regions[i]};
    arrange(&a);
  }
}
