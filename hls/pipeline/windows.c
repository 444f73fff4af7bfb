// SPDX-License-Identifier: Apache-2.0
// Which loads read through a window of words that stays on the chip (rtl/pipeline/load_window.v): those that find there
// what others have had before. Neighbours of a filter do, whose lanes' words of several loads lie together; and what is
// the same for all lanes in a loop, round for round. They have to be of global memory that nobody changes until they
// are made, and much of what the memory port does. What lies together is tried, with numbers in place of what the
// kernel gets to know only when it runs: so a clamp or another choice of a neighbour is none the worse.
#include "hls/pipeline/windows.h"

#include <stdlib.h>

#include "hls/pipeline/build.h"
#include "hls/pipeline/rates.h"

enum {
  WORD_BYTES = 4,
  ROW_BYTES = 16,
  LEAST_LANES = 4,  // an access of fewer is a small part of a line
  MOST_LANES = 8,   // of more the choice of words takes more room than it is worth
  MOST_LOADS = 16,  // of lanes, in windows of a kernel
  TRIALS = 4,
  GUESS = 16,            // rounds of a loop that are not known
  MOST_STEPS = 1 << 14,  // of a trial
  MOST_TOGETHER = 64,    // nodes among which accesses are looked for that share rows
};
#define WORTH 1.5  // the port is to be so much slower than everything else
#define PART 0.15  // of the port's work that the loads of a region are to be

// ---- what a store may have changed

static bool stores(const struct graph *graph, const struct region *r) {
  for (unsigned i = 0; i < r->nodes.count; i++) {
    const struct node *node = r->nodes.items[i];
    if (node->op == OP_STORE && node->local_array == 0)
      return true;
    if (node->op == OP_LOOP && stores(graph, node->loop))
      return true;
  }
  return false;
}

// In the program's order: a work-item reads its own stores, and behind barriers those of others.
static void find_stable(const struct graph *graph, struct region *r, bool *stored) {
  for (unsigned i = 0; i < r->nodes.count; i++) {
    struct node *node = r->nodes.items[i];
    if (node->op == OP_STORE && node->local_array == 0)
      *stored = true;
    if (node->op == OP_LOAD)
      node->window =
          !*stored && node->space == SPACE_GLOBAL && node->bytes == WORD_BYTES ? WINDOW_POSSIBLE : WINDOW_NONE;
    if (node->op != OP_LOOP)
      continue;
    *stored |= stores(graph, node->loop);
    find_stable(graph, node->loop, stored);
  }
}

// A volatile or atomic load may see what others tell, and what they have stored before is to be seen behind it.
static bool looks_at_others(const struct graph *graph) {
  for (unsigned i = 0; i < graph->node_count; i++)
    if (graph->nodes[i]->wanted && graph->nodes[i]->op == OP_LOAD && graph->nodes[i]->number != 0)
      return true;
  return graph->uses_atomic;
}

// ---- where loads go, in trials

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
  const uint64_t any = mixed(node->id, t->number);
  switch (node->op) {
    case OP_LANE:
      return t->lane;
    case OP_MASK:
      return 1;
    case OP_LOCAL_ID:
      return 16 + any % 16 + (node->number == 0 ? t->lane : 0);
    case OP_WORD:
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
  folded = folded && build_fold(node->op, node->width, node->number, node->count, node->arguments, numbers, &value);
  if (!folded) {
    value = leaf(t, node);
    if (node->width < 64)
      value &= (1ull << node->width) - 1;
  }
  return t->values[node->id] = value;
}

struct place {
  uint32_t lanes[TRIALS][MOST_LANES];  // addresses
  bool active[TRIALS][MOST_LANES];
};

static bool is_access(const struct node *node) {
  return node->wanted && (node->op == OP_LOAD || node->op == OP_STORE || node->op == OP_ATOMIC) &&
         node->local_array == 0;
}

// Where all accesses of a region go, and of all regions for NULL; `is_next`: in the next round of the region's loop. By
// their ids.
static struct place *places_of(const struct graph *graph, const struct region *r, bool is_next) {
  struct place *places = graph_allocate(graph->node_count * sizeof *places);
  struct trial t = {.loop = is_next ? r : NULL,
                    .values = graph_allocate(graph->node_count * sizeof *t.values),
                    .found = graph_allocate(graph->node_count * sizeof *t.found)};
  for (; t.number < TRIALS; t.number++)
    for (t.lane = 0; t.lane < graph->lanes; t.lane++) {
      t.now++;
      for (unsigned i = 0; i < (r ? r->nodes.count : graph->node_count); i++) {
        const struct node *node = r ? r->nodes.items[i] : graph->nodes[i];
        if (!is_access(node))
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

// Whether a row is one that accesses of the region before this one have in the same trial.
static bool has_row(const struct graph *graph, const struct place *places, struct node *const *nodes, unsigned count,
                    const struct node *like, unsigned trial, uint32_t row) {
  const unsigned first = count > MOST_TOGETHER ? count - MOST_TOGETHER : 0;
  for (unsigned i = first; i < count; i++) {
    const struct place *place = &places[nodes[i]->id];
    if (!is_access(nodes[i]) || nodes[i]->region != like->region || nodes[i]->op != like->op)
      continue;
    for (unsigned lane = 0; lane < graph->lanes; lane++)
      if (place->active[trial][lane] && place->lanes[trial][lane] / ROW_BYTES == row)
        return true;
  }
  return false;
}

// Rows of memory that the access with a number takes, on average, that those before it do not.
static double rows_of(const struct graph *graph, const struct place *places, struct node *const *nodes,
                      unsigned number) {
  const struct place *place = &places[nodes[number]->id];
  unsigned rows = 0;
  for (unsigned trial = 0; trial < TRIALS; trial++)
    for (unsigned lane = 0; lane < graph->lanes; lane++) {
      const uint32_t row = place->lanes[trial][lane] / ROW_BYTES;
      bool is_new = place->active[trial][lane];
      for (unsigned i = 0; i < lane; i++)
        is_new &= !place->active[trial][i] || place->lanes[trial][i] / ROW_BYTES != row;
      rows += is_new && !has_row(graph, places, nodes, number, nodes[number], trial, row);
    }
  return (double)rows / TRIALS;
}

// Whether all lanes' words of two loads are in one window, mostly.
static bool lie_together(const struct graph *graph, const struct place *a, const struct place *b) {
  unsigned times = 0;
  for (unsigned trial = 0; trial < TRIALS; trial++) {
    int32_t least = 0, most = 0;
    for (unsigned i = 0; i < 2 * graph->lanes; i++) {
      const struct place *place = i < graph->lanes ? a : b;
      const int32_t distance = (int32_t)(place->lanes[trial][i % graph->lanes] - a->lanes[trial][0]);
      least = distance < least ? distance : least;
      most = distance > most ? distance : most;
    }
    times += (int64_t)most - least <= (int64_t)WORD_BYTES * (windows_words(graph) - 1);
  }
  return times > TRIALS / 2;
}

static bool is_alike_in_trials(const struct graph *graph, const struct place *place) {
  bool is_alike = true;
  for (unsigned trial = 0; trial < TRIALS; trial++)
    for (unsigned lane = 1; lane < graph->lanes; lane++)
      is_alike &= place->lanes[trial][lane] == place->lanes[trial][0];
  return is_alike;
}

// ---- which of them

unsigned windows_words(const struct graph *graph) {
  return graph->lanes <= 4 ? 8 : 2 * graph->lanes;
}

static bool has_lanes_for_windows(const struct graph *graph) {
  return graph->lanes >= LEAST_LANES && graph->lanes <= MOST_LANES;
}

static bool is_alike_for_lanes(const struct node *load) {
  return load->class == CLASS_TOKEN;
}

// Loads of lanes in a region whose words lie together, or where those of the next round do; in a loop also those that
// are the same for all lanes in trials.
static void find_neighbours(const struct graph *graph, const struct region *r, const struct place *places,
                            struct list *found) {
  struct node *loads[MOST_LOADS];
  unsigned count = 0;
  for (unsigned i = 0; i < r->nodes.count && count < MOST_LOADS; i++) {
    struct node *node = r->nodes.items[i];
    if (node->op == OP_LOAD && node->window == WINDOW_POSSIBLE && !is_alike_for_lanes(node))
      loads[count++] = node;
  }
  if (count == 0)
    return;
  struct place *next = r->parent ? places_of(graph, r, true) : NULL;
  for (unsigned i = 0; i < count; i++) {
    const struct place *place = &places[loads[i]->id];
    bool is_found = next && (is_alike_in_trials(graph, place) || lie_together(graph, place, &next[loads[i]->id]));
    for (unsigned k = 0; k < count && !is_found; k++)
      is_found = i != k && lie_together(graph, place, &places[loads[k]->id]);
    if (is_found)
      list_add(found, loads[i]);
  }
  free(next);
}

// What all lanes read in a loop, they read again, or its neighbour.
static void find_alike(const struct region *r, struct list *found) {
  for (unsigned i = 0; i < r->nodes.count && r->parent; i++) {
    struct node *node = r->nodes.items[i];
    if (node->op == OP_LOAD && node->window == WINDOW_POSSIBLE && is_alike_for_lanes(node))
      list_add(found, node);
  }
}

// Rows of memory that accesses take in all rounds.
static double work_of(const struct graph *graph, const struct rates *rates, const struct place *places,
                      struct node *const *nodes, unsigned count) {
  double work = 0;
  for (unsigned i = 0; i < count; i++)
    if (is_access(nodes[i]))
      work += rows_of(graph, places, nodes, i) * rates_times(rates, nodes[i]->region, GUESS);
  return work;
}

// Loads that stand between the same other operations change places, so that those of a window are one group.
static bool keeps_order(const struct node *node) {
  return (node->op > OP_LOAD && node->op <= OP_CHECK) || node->op == OP_SET_ELEMENT;
}

static void gather(struct region *r) {
  struct list nodes = {NULL, 0};
  for (unsigned i = 0; i < r->nodes.count; i++)
    r->nodes.items[i]->placed = false;
  for (unsigned begin = 0, end; begin < r->nodes.count; begin = end) {
    for (end = begin; end < r->nodes.count && !keeps_order(r->nodes.items[end]);)
      end++;
    for (unsigned kind = WINDOW_OF_LANES; kind <= WINDOW_OF_TOKEN; kind++)
      for (unsigned i = begin; i < end; i++)
        if (r->nodes.items[i]->op == OP_LOAD && r->nodes.items[i]->window == kind)
          graph_arrange(r, r->nodes.items[i], &nodes);
    end += end < r->nodes.count;
    for (unsigned i = begin; i < end; i++)
      graph_arrange(r, r->nodes.items[i], &nodes);
  }
  r->nodes = nodes;
}

bool windows_find(struct graph *graph) {
  bool stored = false;
  find_stable(graph, graph->top, &stored);
  struct rates rates = {.rounds = graph_allocate(graph->region_count * sizeof *rates.rounds)};
  for (unsigned i = 0; i < graph->region_count; i++)
    rates.rounds[i] = graph->regions[i]->parent ? rates_rounds(graph->regions[i]) : 1;
  unsigned of_lanes = 0, found = 0;
  // In the memory port an answer may be one of other memory, and a pipe's other end may be in the same memory.
  const bool may = has_lanes_for_windows(graph) && !looks_at_others(graph) && !graph->uses_local &&
                   graph->private_bytes == 0 && !graph->reads.name && !graph->writes.name;
  struct place *places = may ? places_of(graph, NULL, false) : NULL;
  const double work = may ? work_of(graph, &rates, places, graph->nodes, graph->node_count) : 0;
  for (unsigned i = 0; may && i < graph->region_count; i++) {
    struct list loads = {NULL, 0};
    find_neighbours(graph, graph->regions[i], places, &loads);
    find_alike(graph->regions[i], &loads);
    if (work_of(graph, &rates, places, loads.items, loads.count) < PART * work)
      continue;
    for (unsigned k = 0; k < loads.count; k++) {
      const bool is_token = is_alike_for_lanes(loads.items[k]);
      loads.items[k]->window_order = places[loads.items[k]->id].lanes[0][0];
      if (!is_token && of_lanes++ >= MOST_LOADS)
        continue;
      loads.items[k]->window = is_token ? WINDOW_OF_TOKEN : WINDOW_OF_LANES;
      found++;
    }
  }
  free(places);
  for (unsigned i = 0; i < graph->node_count; i++)
    if (graph->nodes[i]->window == WINDOW_POSSIBLE)
      graph->nodes[i]->window = WINDOW_NONE;
  for (unsigned i = 0; found != 0 && i < graph->region_count; i++)
    gather(graph->regions[i]);
  return found != 0;
}

unsigned windows_passes(const struct graph *graph, const struct segment *s) {
  unsigned passes = 0;
  uint32_t first = 0;
  for (unsigned i = 0; i < s->group.count; i++) {
    const uint32_t at = s->group.items[i]->window_order;
    if (passes != 0 && at - first < WORD_BYTES * windows_words(graph))
      continue;
    first = at;
    passes++;
  }
  return passes;
}

// Nothing in it depends on what a kernel file does not know of the pipeline: copies, or whether lanes share operators.
bool windows_are_worth_it(const struct graph *graph) {
  if (!has_lanes_for_windows(graph))
    return false;
  const struct rates rates = rates_of(graph);
  struct place *places = places_of(graph, NULL, false);
  double port = work_of(graph, &rates, places, graph->nodes, graph->node_count), others = 0;
  free(places);
  for (unsigned i = 0; i < rates.count; i++) {
    const struct rate *rate = &rates.items[i];
    // Rows that are not known are counted above.
    if (rate->is_of_sharing || rate->is_of_device)
      continue;
    const double use = rates_use(graph, &rates, rate, GUESS);
    double *const most = rate->is_of_port ? &port : &others;
    *most = use > *most ? use : *most;
  }
  return port > WORTH * others;
}
