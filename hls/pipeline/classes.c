// SPDX-License-Identifier: Apache-2.0
// How many copies of each value there are: constants, one a dispatch, one a token, or one a lane. What is computed from
// values of the lower classes alone is of the highest of these.
#include "hls/pipeline/build.h"
#include "hls/pipeline/graph.h"

unsigned graph_copies(const struct graph *graph, const struct node *node) {
  return node->class == CLASS_LANE ? graph->lanes : 1;
}

bool graph_is_static(const struct node *node) {
  return node->class <= CLASS_DISPATCH || node->op == OP_LANE || node->op == OP_CONSTANT;
}

bool graph_is_number(const struct node *node, uint64_t number) {
  return node->op == OP_CONSTANT && node->number == number;
}

bool graph_is_answer(const struct node *node) {
  return node->op == OP_LOAD || node->op == OP_ATOMIC || node->op == OP_PIPE_READ || node->op == OP_PIPE_WRITE;
}

bool graph_is_given(const struct node *node) {
  switch (node->op) {
    case OP_MASK:
    case OP_PHI:
    case OP_LOCAL_ID:
    case OP_GROUP_ID:
    case OP_GROUP_BASE:
    case OP_GROUP_SIZE:
    case OP_SUB_GROUP:
    case OP_SUB_GROUP_SIZE:
    case OP_LAST_SUB_GROUP:
      return true;
    default:
      return false;
  }
}

static enum value_class highest(const struct node *node) {
  enum value_class class = CLASS_CONSTANT;
  for (unsigned i = 0; i < node->count; i++)
    if (node->arguments[i]->class > class)
      class = node->arguments[i]->class;
  return class;
}

// Whether lanes leave a loop in different rounds: `again` is its mask and a condition, and the condition decides.
static enum value_class class_of_again(const struct region *r) {
  const struct node *condition = graph_condition(r);
  if (r->again == r->mask)
    return CLASS_TOKEN;
  return condition ? condition->class : CLASS_LANE;
}

// Lanes that leave the loop in different rounds have different values of what was the token's.
static enum value_class class_of_out(const struct node *node) {
  const enum value_class class = node->arguments[0]->class;
  const bool is_of_lanes = node->number != OUT_OF_TOKEN && class_of_again(node->loop) == CLASS_LANE;
  return class > CLASS_DISPATCH && is_of_lanes ? CLASS_LANE : class;
}

static enum value_class class_of(const struct graph *graph, const struct node *node) {
  switch (node->op) {
    case OP_CONSTANT:
    case OP_LOOP:
    case OP_BARRIER:
      return CLASS_CONSTANT;
    case OP_WORD:
    case OP_FIXED:
    case OP_FIXED_BAD:
      return CLASS_DISPATCH;
    case OP_MASK:
    case OP_LANE:
    case OP_SCAN:
    case OP_FSCAN:
    case OP_BELOW:
    case OP_SHUFFLE:
    case OP_SET_ELEMENT:
    case OP_ATOMIC:
    case OP_STORE:
    case OP_PIPE_READ:
    case OP_PIPE_WRITE:
    case OP_MEETING:
      return CLASS_LANE;
    case OP_LAST:
    case OP_BALLOT:
    case OP_CHECK:
    case OP_CARRY:
    case OP_TOTAL:
    case OP_GROUP_ID:
    case OP_GROUP_BASE:
    case OP_GROUP_SIZE:
    case OP_SUB_GROUP:
    case OP_SUB_GROUP_SIZE:
    case OP_LAST_SUB_GROUP:
      return CLASS_TOKEN;
    case OP_PHI: {
      // What all lanes carry alike is the token's, whoever of them still goes around.
      const struct node *initial = node->region->initial.items[node->low], *next = node->region->next.items[node->low];
      enum value_class class = initial->class > next->class ? initial->class : next->class;
      return class < CLASS_TOKEN ? CLASS_TOKEN : class;
    }
    case OP_OUT:
      return class_of_out(node);
    case OP_LOCAL_ID:
      // Neighbours in x have one y and z.
      return node->number != 0 && graph_lanes_are_neighbours(graph) ? CLASS_TOKEN : CLASS_LANE;
    case OP_ELEMENT:
      // One element of a local array is one value.
      return node->local_array == 0 || node->arguments[0]->class == CLASS_LANE ? CLASS_LANE : CLASS_TOKEN;
    case OP_LOAD: {
      // One address is one value, but for private memory, where it is each lane's own.
      const enum value_class class = node->arguments[0]->class;
      return class == CLASS_LANE || node->space >= SPACE_PRIVATE ? CLASS_LANE : CLASS_TOKEN;
    }
    default: {
      // What is computed from constants alone, and was not computed here, is a register all the same.
      const enum value_class class = highest(node);
      return class < CLASS_DISPATCH ? CLASS_DISPATCH : class;
    }
  }
}

enum status graph_classes(struct graph *graph) {
  for (unsigned i = 0; i < graph->region_count; i++) {
    struct region *r = graph->regions[i];
    for (unsigned k = 0; k < r->phis.count; k++)
      r->phis.items[k]->low = k;
  }
  // Classes only rise, so this ends.
  for (bool more = true; more;) {
    more = false;
    for (unsigned i = 0; i < graph->node_count; i++) {
      struct node *node = graph->nodes[i];
      if (!node->wanted)
        continue;
      const enum value_class class = class_of(graph, node);
      if (class > node->class) {
        node->class = class;
        more = true;
      }
    }
  }
  return STATUS_OK;
}
