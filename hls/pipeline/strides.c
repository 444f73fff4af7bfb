// SPDX-License-Identifier: Apache-2.0
#include "hls/pipeline/strides.h"

enum {
  MOST_STEPS = 1000,  // through a value: what is longer counts as not known
  MOST_PHIS = 8,
};

struct walk {
  const struct graph *graph;  // NULL: what is likely is enough
  unsigned bits;
  unsigned steps;  // left
  // Values that loops carry, with the strides they have as long as each round gives the next one the same.
  const struct node *phis[MOST_PHIS];
  int64_t strides[MOST_PHIS];
  unsigned phi_count;
};

static bool find(struct walk *walk, const struct node *node, int64_t *stride);

static bool find_both(struct walk *walk, const struct node *x, const struct node *y, int64_t *stride) {
  int64_t other;
  return find(walk, x, stride) && find(walk, y, &other) && other == *stride;
}

// Hardware counts on in lanes that have left a loop, too: so the lanes at work keep their distance.
static bool find_carried(struct walk *walk, const struct node *phi, int64_t *stride) {
  for (unsigned i = 0; i < walk->phi_count; i++)
    if (walk->phis[i] == phi) {
      *stride = walk->strides[i];
      return true;
    }
  const struct region *r = phi->region;
  if (walk->phi_count == MOST_PHIS || !find(walk, r->initial.items[phi->low], stride))
    return false;
  walk->phis[walk->phi_count] = phi;
  walk->strides[walk->phi_count++] = *stride;
  int64_t next;
  const bool stays = find(walk, r->next.items[phi->low], &next) && next == *stride;
  walk->phi_count--;
  return stays;
}

// The local id in x, whose lowest bits in lane 0 are 0 if neighbours in x are neighbours of lanes.
static bool is_local_x(const struct node *node) {
  while (node->op == OP_ZEXT)
    node = node->arguments[0];
  return node->op == OP_LOCAL_ID && node->number == 0;
}

static bool has_room_for_lanes(const struct walk *walk, unsigned bits) {
  return walk->graph && bits >= walk->graph->lanes_log2 && graph_lanes_are_neighbours(walk->graph);
}

// Some of the lower or upper bits of a local id: all lanes have the same upper ones.
static bool find_part_of_id(const struct walk *walk, const struct node *node, int64_t *stride) {
  const struct node *x = node->arguments[0], *y = node->count > 1 ? node->arguments[1] : NULL;
  if (!is_local_x(x) || (y && y->op != OP_CONSTANT))
    return false;
  const uint64_t number = y ? y->number : 0;
  switch (node->op) {
    case OP_AND:
      *stride = 1;
      return (number & (number + 1)) == 0 && has_room_for_lanes(walk, (unsigned)__builtin_popcountll(number));
    case OP_LSHR:
      *stride = 0;
      return has_room_for_lanes(walk, number < 64 ? (unsigned)number : 0);
    case OP_SLICE:
      *stride = node->number == 0;
      return has_room_for_lanes(walk, node->number == 0 ? node->width : (unsigned)node->number);
    default:
      return false;
  }
}

static bool find(struct walk *walk, const struct node *node, int64_t *stride) {
  int64_t a, b;
  if (node->class != CLASS_LANE) {
    *stride = 0;
    return true;
  }
  if (walk->steps == 0)
    return false;
  walk->steps--;
  static const struct node none;
  const struct node *x = node->count > 0 ? node->arguments[0] : &none,
                    *y = node->count > 1 ? node->arguments[1] : &none;
  if (node->count != 0 && find_part_of_id(walk, node, stride))
    return true;
  switch (node->op) {
    case OP_LANE:
      *stride = 1;
      return true;
    case OP_LOCAL_ID:
      *stride = node->number == 0;
      return !walk->graph || graph_lanes_are_neighbours(walk->graph);
    case OP_ADD:
    case OP_SUB:
      if (!find(walk, x, &a) || !find(walk, y, &b))
        return false;
      *stride = node->op == OP_ADD ? a + b : a - b;
      return true;
    case OP_MUL:
    case OP_SHL:
      if (y->op != OP_CONSTANT)
        break;
      if (!find(walk, x, &a))
        return false;
      *stride = node->op == OP_MUL ? a * (int32_t)y->number : (int64_t)((uint64_t)a << (y->number & 31));
      return true;
    case OP_ZEXT:
    case OP_SEXT:
      // Of local ids nothing is lost; of other sums what is above their own bits would be.
      if (walk->graph && x->width < walk->bits && x->op != OP_LOCAL_ID)
        break;
      return find(walk, x, stride);
    case OP_SLICE:
      return node->number == 0 && find(walk, x, stride);
    case OP_PHI:
      return walk->graph && find_carried(walk, node, stride);
    case OP_SELECT:
      if (!walk->graph || x->class == CLASS_LANE)
        break;
      return find_both(walk, y, node->arguments[2], stride);
    default:
      break;
  }
  // What is made of values that all lanes share is shared, too.
  if (node->count == 0)
    return false;
  for (unsigned i = 0; i < node->count; i++)
    if (!find(walk, node->arguments[i], &a) || a != 0)
      return false;
  *stride = 0;
  return node->op >= OP_ADD && node->op <= OP_NAN;
}

bool stride_is_likely(const struct node *node, int64_t *stride) {
  struct walk walk = {.steps = MOST_STEPS};
  return find(&walk, node, stride);
}

bool stride_is_sure(const struct graph *graph, const struct node *node, unsigned bits, int64_t *stride) {
  struct walk walk = {.graph = graph, .bits = bits, .steps = MOST_STEPS};
  return find(&walk, node, stride);
}
