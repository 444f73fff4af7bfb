// SPDX-License-Identifier: Apache-2.0
#include "hls/pipeline/trials.h"

#include <stdlib.h>

#include "hls/pipeline/build.h"

enum { MOST_STEPS = 1 << 14 };  // of a trial

// A lane in one of the trials. What has been found of a node holds for all accesses.
struct trial {
  unsigned number, lane, steps;
  const struct region *loop;  // in which it is the next round
  uint64_t *values;           // of nodes
  unsigned *found, now;       // in which trial a value was found, and which one this is
};

static uint64_t mixed(uint64_t a, uint64_t b) {
  uint64_t x = (a + 1) * 0x9E3779B97F4A7C15u ^ (b + 1) * 0xC2B2AE3D27D4EB4Fu;
  x ^= x >> 29;
  x *= 0xBF58476D1CE4E5B9u;
  return x ^ (x >> 32);
}

static uint64_t value_in(struct trial *t, const struct node *node);

// What is known only when the kernel runs. Words of the packet are large, as sizes are, and pointers are far apart;
// identities are small. What is loaded is anything, in each lane.
static uint64_t leaf(struct trial *t, const struct node *node) {
  // What a round loads, the next one loads another.
  const bool is_another = node->op == OP_LOAD && node->region == t->loop;
  const uint64_t any = mixed(node->id + (is_another ? 1ull << 32 : 0), t->number);
  switch (node->op) {
    case OP_LANE:
      return t->lane;
    case OP_MASK:
      return 1;
    case OP_FIXED_BAD:
      return 0;
    case OP_LOCAL_ID:
      return 16 + any % 16 + (node->number == 0 ? t->lane : 0);
    case OP_WORD:
    case OP_FIXED:
      return (1u << 18) + any % (1u << 24) * 64;
    case OP_GROUP_ID:
    case OP_GROUP_BASE:
    case OP_SUB_GROUP:
      return 64 + any % 512 * 8;
    case OP_PHI:
      if (node->class == CLASS_LANE && node->width <= 64)
        return value_in(t, node->region->initial.items[node->low]) + any % 16 * 64 + (node->region == t->loop);
      return 1 + any % 16 + (node->region == t->loop);
    default:
      return node->class == CLASS_LANE ? mixed(any, t->lane) : any;
  }
}

static uint64_t value_in(struct trial *t, const struct node *node) {
  if (node->op == OP_CONSTANT)
    return node->number;
  if (t->found[node->id] == t->now || t->steps == 0)
    return t->values[node->id];
  t->steps--;
  t->found[node->id] = t->now;
  uint64_t numbers[BUILD_MOST_FOLDED] = {0}, value = 0;
  bool folded = node->op >= OP_ADD && node->op <= OP_CONCAT && node->count <= BUILD_MOST_FOLDED;
  for (unsigned i = 0; folded && i < node->count; i++)
    numbers[i] = value_in(t, node->arguments[i]);
  const struct build_operation operation = build_operation_of(node);
  folded = folded && build_fold(&operation, numbers, &value);
  if (!folded) {
    value = leaf(t, node);
    if (node->width < 64)
      value &= (1ull << node->width) - 1;
  }
  return t->values[node->id] = value;
}

bool trials_is_access(const struct node *node) {
  return node->wanted && (node->op == OP_LOAD || node->op == OP_STORE || node->op == OP_ATOMIC) &&
         node->local_array == 0;
}

struct place *trials_places(const struct graph *graph, const struct region *r, bool is_next) {
  struct place *places = graph_allocate(graph->node_count * sizeof *places);
  struct trial t = {.loop = is_next ? r : NULL,
                    .values = graph_allocate(graph->node_count * sizeof *t.values),
                    .found = graph_allocate(graph->node_count * sizeof *t.found)};
  for (; t.number < TRIALS; t.number++)
    for (t.lane = 0; t.lane < graph->lanes; t.lane++) {
      t.now++;
      for (unsigned i = 0; i < (r ? r->nodes.count : graph->node_count); i++) {
        const struct node *node = r ? r->nodes.items[i] : graph->nodes[i];
        if (!trials_is_access(node))
          continue;
        t.steps = MOST_STEPS;
        places[node->id].lanes[t.number][t.lane] = (uint32_t)value_in(&t, node->arguments[0]);
        places[node->id].active[t.number][t.lane] = value_in(&t, node->arguments[node->count - 1]) != 0;
      }
    }
  free(t.values);
  free(t.found);
  return places;
}
