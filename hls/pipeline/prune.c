// SPDX-License-Identifier: Apache-2.0
// Takes what nobody uses out of a graph, and puts arguments before what they are used in.
#include "hls/pipeline/graph.h"

static void want(struct node *node) {
  if (node->wanted)
    return;
  node->wanted = true;
  for (unsigned i = 0; i < node->count; i++)
    want(node->arguments[i]);
}

// What touches memory keeps its order.
void graph_arrange(struct region *r, struct node *node, struct list *list) {
  if (node->region != r || node->placed)
    return;
  node->placed = true;
  for (unsigned i = 0; i < node->count; i++)
    graph_arrange(r, node->arguments[i], list);
  if (node->op != OP_OUT)
    list_add(list, node);
}

void graph_prune(struct graph *graph) {
  for (unsigned i = 0; i < graph->node_count; i++)
    graph->nodes[i]->wanted = graph->nodes[i]->placed = false;
  for (unsigned i = 0; i < graph->node_count; i++) {
    struct node *node = graph->nodes[i];
    if (node->op == OP_STORE || node->op == OP_SET_ELEMENT || node->op == OP_ATOMIC || node->op == OP_BARRIER ||
        node->op == OP_PIPE_READ || node->op == OP_PIPE_WRITE || node->op == OP_LOOP || node->op == OP_CHECK ||
        node->op == OP_HAZARDS || (node->op == OP_MEETING && graph->has_meetings))
      want(node);
  }
  for (unsigned i = 0; i < graph->fixed_count; i++)
    want(graph->fixed[i].root);
  for (unsigned i = 0; i < graph->region_count; i++) {
    struct region *r = graph->regions[i];
    want(r->mask);
    if (r->parent) {
      want(r->again);
      if (r->go)
        want(r->go);
      want(r->enter);
    }
  }
  // A loop carries a value if somebody wants it.
  for (bool more = true; more;) {
    more = false;
    for (unsigned i = 0; i < graph->region_count; i++) {
      struct region *r = graph->regions[i];
      for (unsigned k = 0; k < r->phis.count; k++)
        if (r->phis.items[k]->wanted && !(r->next.items[k]->wanted && r->initial.items[k]->wanted)) {
          want(r->next.items[k]);
          want(r->initial.items[k]);
          more = true;
        }
    }
  }
  for (unsigned i = 0; i < graph->region_count; i++) {
    struct region *r = graph->regions[i];
    struct list nodes = {NULL, 0};
    for (unsigned k = 0; k < r->nodes.count; k++)
      if (r->nodes.items[k]->wanted)
        graph_arrange(r, r->nodes.items[k], &nodes);
    r->nodes = nodes;
    unsigned kept = 0;
    for (unsigned k = 0; k < r->phis.count; k++)
      if (r->phis.items[k]->wanted) {
        r->phis.items[kept] = r->phis.items[k];
        r->next.items[kept] = r->next.items[k];
        r->initial.items[kept++] = r->initial.items[k];
      }
    r->phis.count = r->next.count = r->initial.count = kept;
  }
}
