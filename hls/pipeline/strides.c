// SPDX-License-Identifier: Apache-2.0
#include "hls/pipeline/strides.h"

enum {
  MOST_STEPS = 1000,  // through a value: what is longer counts as not known
  MOST_PHIS = 8,
};

// The lowest bits of a value, as many as are known.
struct low {
  unsigned known;
  uint32_t bits;
};

struct walk {
  const struct graph *graph;  // NULL: what is likely is enough
  unsigned bits;
  unsigned steps;  // left
  // Values that loops carry, with the strides they have as long as each round gives the next one the same.
  const struct node *phis[MOST_PHIS];
  int64_t strides[MOST_PHIS];
  struct low lows[MOST_PHIS];  // of the first lane, instead
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

// ---- the first lane

enum { ALL = 32 };

static struct low low_of(struct walk *walk, const struct node *node);

static struct low lowest(unsigned known, uint32_t bits) {
  known = known > ALL ? ALL : known;
  return (struct low){known, known == ALL ? bits : bits & ((1u << known) - 1)};
}

static unsigned fewer(unsigned a, unsigned b) {
  return a < b ? a : b;
}

// The value of the first round, if no round changes what is known of it.
static struct low low_of_carried(struct walk *walk, const struct node *phi) {
  const struct region *r = phi->region;
  for (unsigned i = 0; i < walk->phi_count; i++)
    if (walk->phis[i] == phi)
      return walk->lows[i];
  if (walk->phi_count == MOST_PHIS)
    return lowest(0, 0);
  struct low low = low_of(walk, r->initial.items[phi->low]);
  const unsigned at = walk->phi_count++;
  walk->phis[at] = phi;
  // Fewer bits each time, until they stay.
  for (unsigned known = ALL + 1; low.known < known;) {
    known = low.known;
    walk->lows[at] = low;
    const struct low next = low_of(walk, r->next.items[phi->low]);
    while (low.known > 0 && (low.known > next.known || lowest(low.known, next.bits).bits != low.bits))
      low = lowest(low.known - 1, low.bits);
  }
  walk->phi_count--;
  return low;
}

static struct low low_of_product(struct low a, struct low b) {
  // An even factor is known to more bits of the product than of itself.
  const unsigned zeros_a = a.bits != 0 ? (unsigned)__builtin_ctz(a.bits) : a.known,
                 zeros_b = b.bits != 0 ? (unsigned)__builtin_ctz(b.bits) : b.known;
  return lowest(fewer(a.known + zeros_b, b.known + zeros_a), a.bits * b.bits);
}

static struct low low_of(struct walk *walk, const struct node *node) {
  if (node->op == OP_CONSTANT)
    return lowest(ALL, (uint32_t)node->number);
  if (walk->steps == 0)
    return lowest(0, 0);
  walk->steps--;
  if (node->op == OP_PHI)
    return low_of_carried(walk, node);
  if (node->op == OP_LOCAL_ID) {
    const bool is_aligned =
        node->number == 0 && graph_lanes_are_neighbours(walk->graph) && !walk->graph->has_small_sub_groups;
    return lowest(is_aligned ? walk->graph->lanes_log2 : 0, 0);
  }
  struct low a = {0}, b = {0};
  if (node->count > 0)
    a = low_of(walk, node->arguments[0]);
  if (node->count > 1)
    b = low_of(walk, node->arguments[1]);
  switch (node->op) {
    case OP_ADD:
      return lowest(fewer(a.known, b.known), a.bits + b.bits);
    case OP_SUB:
      return lowest(fewer(a.known, b.known), a.bits - b.bits);
    case OP_MUL:
      return low_of_product(a, b);
    case OP_AND:
      return lowest(fewer(a.known, b.known), a.bits & b.bits);
    case OP_OR:
      return lowest(fewer(a.known, b.known), a.bits | b.bits);
    case OP_XOR:
      return lowest(fewer(a.known, b.known), a.bits ^ b.bits);
    case OP_SHL:
      return node->arguments[1]->op == OP_CONSTANT && b.bits < ALL ? lowest(a.known + b.bits, a.bits << b.bits)
                                                                   : lowest(0, 0);
    case OP_ZEXT:
    case OP_SEXT:
      return lowest(fewer(a.known, node->arguments[0]->width), a.bits);
    case OP_SLICE:
      return a.known > node->number ? lowest(a.known - (unsigned)node->number, a.bits >> node->number) : lowest(0, 0);
    default:
      return lowest(0, 0);
  }
}

unsigned stride_first_lane(const struct graph *graph, const struct node *node, uint32_t *low) {
  struct walk walk = {.graph = graph, .steps = MOST_STEPS};
  const struct low found = low_of(&walk, node);
  *low = found.bits;
  return found.known;
}
