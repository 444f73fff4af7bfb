// SPDX-License-Identifier: Apache-2.0
// Which loads read through a window of words that stays on the chip (rtl/pipeline/load_window.v): those that find there
// what others have had before. Neighbours of a filter do, whose lanes' words of several loads lie together; and what is
// the same for all lanes in a loop, round for round. They have to be of global memory that nobody changes until they
// are made, and much of what the memory port does. What lies together is tried, with numbers in place of what the
// kernel gets to know only when it runs: so a clamp or another choice of a neighbour is none the worse.
#include "hls/pipeline/windows.h"

#include <stdlib.h>

#include "hls/pipeline/lines.h"
#include "hls/pipeline/rates.h"
#include "hls/pipeline/trials.h"

enum {
  WORD_BYTES = 4,
  ROW_BYTES = 16,
  LEAST_LANES = 4,     // for a window: an access of fewer is a small part of a line. Lanes' own lines are for two, too
  MOST_LOADS = 16,     // of lanes, in windows of a kernel
  GUESS = 16,          // rounds of a loop that are not known
  MOST_TOGETHER = 64,  // nodes among which accesses are looked for that share rows
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

// ---- rows

// Whether a row is one that accesses of the region before this one have in the same trial.
static bool has_row(const struct graph *graph, const struct place *places, struct node *const *nodes, unsigned count,
                    const struct node *like, unsigned trial, uint32_t row) {
  const unsigned first = count > MOST_TOGETHER ? count - MOST_TOGETHER : 0;
  for (unsigned i = first; i < count; i++) {
    const struct place *place = &places[nodes[i]->id];
    if (!trials_is_access(nodes[i]) || nodes[i]->region != like->region || nodes[i]->op != like->op)
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

// Of more lanes than these the choice of words takes more room than it is worth.
static bool has_lanes(const struct graph *graph) {
  return graph->lanes >= 2 && graph->lanes <= TRIALS_MOST_LANES;
}

static bool is_alike_for_lanes(const struct node *load) {
  return load->class == CLASS_TOKEN;
}

// Loads of lanes in a region whose words lie together, or where those of the next round do; in a loop also those that
// are the same for all lanes in trials.
static void find_neighbours(const struct graph *graph, const struct region *r, const struct place *places,
                            const struct place *next, struct list *found) {
  struct node *loads[MOST_LOADS];
  unsigned count = 0;
  for (unsigned i = 0; i < r->nodes.count && count < MOST_LOADS; i++) {
    struct node *node = r->nodes.items[i];
    if (node->op == OP_LOAD && node->window == WINDOW_POSSIBLE && !is_alike_for_lanes(node))
      loads[count++] = node;
  }
  for (unsigned i = 0; i < count; i++) {
    const struct place *place = &places[loads[i]->id];
    bool is_found = next && (is_alike_in_trials(graph, place) || lie_together(graph, place, &next[loads[i]->id]));
    for (unsigned k = 0; k < count && !is_found; k++)
      is_found = i != k && lie_together(graph, place, &places[loads[k]->id]);
    if (is_found)
      list_add(found, loads[i]);
  }
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
    if (trials_is_access(nodes[i]))
      work += rows_of(graph, places, nodes, i) * rates_times(rates, nodes[i]->region, GUESS);
  return work;
}

// Loads that stand between the same other operations change places, so that those of a window are one group.
bool windows_keep_order(const struct node *node) {
  return (node->op > OP_LOAD && node->op <= OP_CHECK) || node->op == OP_SET_ELEMENT;
}

static void gather(struct region *r) {
  struct list nodes = {NULL, 0};
  for (unsigned i = 0; i < r->nodes.count; i++)
    r->nodes.items[i]->placed = false;
  for (unsigned begin = 0, end; begin < r->nodes.count; begin = end) {
    for (end = begin; end < r->nodes.count && !windows_keep_order(r->nodes.items[end]);)
      end++;
    for (unsigned kind = WINDOW_OF_LANES; kind <= WINDOW_OF_TOKEN; kind++)
      for (unsigned i = begin; i < end; i++)
        if (r->nodes.items[i]->op == OP_LOAD && r->nodes.items[i]->window == kind)
          graph_arrange(r, r->nodes.items[i], &nodes);
    lines_gather(r, begin, end, &nodes);
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
  unsigned of_lanes = 0, found = 0, streams = 0;
  // In the memory port an answer may be one of other memory, and a pipe's other end may be in the same memory.
  const bool may = has_lanes(graph) && !looks_at_others(graph) && !graph->uses_local && graph->private_bytes == 0 &&
                   graph->pipe_count == 0;
  struct place *places = may ? trials_places(graph, NULL, false) : NULL;
  const double work = may ? work_of(graph, &rates, places, graph->nodes, graph->node_count) : 0;
  for (unsigned i = 0; may && i < graph->region_count; i++) {
    struct list loads = {NULL, 0};
    struct place *next = graph->regions[i]->parent ? trials_places(graph, graph->regions[i], true) : NULL;
    if (graph->lanes >= LEAST_LANES) {
      find_neighbours(graph, graph->regions[i], places, next, &loads);
      find_alike(graph->regions[i], &loads);
    }
    if (next)
      lines_find(graph, graph->regions[i], rates_times(&rates, graph->regions[i], GUESS), places, next, &streams,
                 &loads);
    free(next);
    if (work_of(graph, &rates, places, loads.items, loads.count) < PART * work) {
      lines_forget(&loads);
      continue;
    }
    for (unsigned k = 0; k < loads.count; k++) {
      const bool is_token = is_alike_for_lanes(loads.items[k]), has_lines = loads.items[k]->stream != 0;
      loads.items[k]->window_order = places[loads.items[k]->id].lanes[0][0];
      if (!is_token && !has_lines && of_lanes++ >= MOST_LOADS)
        continue;
      loads.items[k]->window = is_token ? WINDOW_OF_TOKEN : has_lines ? WINDOW_OF_LINES : WINDOW_OF_LANES;
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
  if (!has_lanes(graph))
    return false;
  const struct rates rates = rates_of(graph);
  struct place *places = trials_places(graph, NULL, false);
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
