// SPDX-License-Identifier: Apache-2.0
// Decides where operators are shared, in segments to which tokens come some cycles apart: lanes take turns at a float
// operator, and operations of a segment at one for them, each in a cycle of its own. That costs nothing where a token
// takes the memory port for as many cycles, or is in a loop for longer, each time that it passes, or where something
// else in the kernel keeps tokens as far apart; elsewhere it is done when it is asked for. Among operations it makes
// segments longer, so generate.c looks what comes of it.
#include <stdlib.h>

#include "hls/pipeline/graph.h"
#include "hls/pipeline/rates.h"
#include "hls/pipeline/schedule.h"

enum { MOST_TURNS = 4, MOST_FREE = 16 };

static bool is_of_lanes(const struct graph *graph, const struct node *node) {
  return graph_is_float_operator(node->op) && !graph_is_static(node) && graph_copies(graph, node) > 1;
}

static bool has_float_operators(const struct graph *graph, const struct segment *s) {
  for (unsigned i = 0; i < s->nodes.count; i++)
    if (is_of_lanes(graph, s->nodes.items[i]))
      return true;
  return false;
}

// Whether tokens can be kept apart in front of a segment: not at the entry of a loop, where what comes back goes first,
// nor where a value comes with the token from a barrier.
static bool can_wait(const struct segment *s) {
  if (!s->from)
    return true;  // the launch keeps them apart
  if (s->from->end == END_BARRIER)
    return s->from->group.items[0]->width == 0;
  return s->from->end != END_LOOP;
}

// Accesses that a token makes each time that it comes by.
static unsigned accesses_around(const struct graph *graph, const struct segment *s) {
  unsigned count = 0;
  for (unsigned i = 0; i < graph->segment_count; i++) {
    const struct segment *other = graph->segments[i];
    if (other->region == s->region && other->local_array == 0 && (other->end == END_LOADS || other->end == END_STORES))
      count += segment_accesses(other);
  }
  return count;
}

unsigned graph_most_turns(const struct graph *graph) {
  return graph->lanes < MOST_TURNS ? graph->lanes : MOST_TURNS;
}

// Whether tokens take so many cycles of something else each time that they come by, however often loops go around.
static bool others_take(const struct graph *graph, const struct rates *rates, const struct segment *s,
                        unsigned cycles) {
  static const double guesses[] = {1, 16, 65536};
  for (unsigned i = 0; i < sizeof guesses / sizeof guesses[0]; i++) {
    double most = 0;
    for (unsigned k = 0; k < rates->count; k++) {
      // Of rows the most is known, which is not what they take.
      if (rates->items[k].is_of_device)
        continue;
      const double use = rates_use(graph, rates, &rates->items[k], guesses[i]);
      most = use > most ? use : most;
    }
    if (most < cycles * rates_times(rates, s->region, guesses[i]))
      return false;
  }
  return true;
}

// Cycles, up to `most`, that tokens are apart anyway.
static unsigned cycles_anyway(const struct graph *graph, const struct rates *rates, const struct segment *s,
                              unsigned most) {
  const unsigned accesses = accesses_around(graph, s);
  unsigned cycles = accesses < most ? accesses : most;
  while (cycles < most && others_take(graph, rates, s, cycles + 1))
    cycles++;
  return cycles;
}

static bool is_free(const struct graph *graph, const struct rates *rates, const struct segment *s) {
  const bool leads_to_loop = !s->from && s->end == END_LOOP;
  return leads_to_loop || cycles_anyway(graph, rates, s, graph_most_turns(graph)) == graph_most_turns(graph);
}

// ---- operations that share

static bool is_product(const struct node *node) {
  return (node->op == OP_MUL || node->op == OP_MUL_HIGH) && !graph_is_sum(node, NULL);
}

// What is smaller when it is shared, with the choice of operands in front of it. Products of one digit with another are
// a multiplier each.
bool graph_is_large(const struct node *node) {
  return graph_is_float_operator(node->op) || node->op == OP_DIVIDE ||
         (is_product(node) && node->digits[0] > 1 && node->digits[1] > 1);
}

bool graph_is_of_one_operator(const struct graph *graph, const struct node *node, const struct node *other) {
  const bool converts = node->op >= OP_FROM_UINT && node->op <= OP_TO_INT;
  return node->op == other->op && node->width == other->width &&
         graph_copies(graph, node) == graph_copies(graph, other) &&
         (node->number == other->number || !(converts || node->op == OP_DIVIDE)) &&
         (!is_product(node) || (node->digits[0] == other->digits[0] && node->digits[1] == other->digits[1]));
}

const struct node *graph_first_of_operator(const struct segment *segment, const struct node *node) {
  for (unsigned i = 0;; i++) {
    const struct node *first = segment->nodes.items[i];
    if (first->sharers != 0 && first->first_sharer == node->first_sharer && first->operator == node->operator)
      return first;
  }
}

static unsigned smaller(unsigned x, unsigned y) {
  return x < y ? x : y;
}

// Whether a round waits for an operation since the round before does, of what it carries on: sharing makes it later.
static void mark_carried(const struct graph *graph, const struct segment *s, bool *is_carried) {
  bool *depends = graph_allocate(graph->node_count * sizeof *depends);
  for (unsigned i = 0; i < s->nodes.count; i++) {
    const struct node *node = s->nodes.items[i];
    depends[node->id] = node->is_state;
    for (unsigned k = 0; k < node->count && !graph_is_given(node); k++)
      depends[node->id] |= depends[node->arguments[k]->id];
    if (node->is_state)
      is_carried[s->region->next.items[node->low]->id] = true;
  }
  for (unsigned i = s->nodes.count; i-- > 0;) {
    const struct node *node = s->nodes.items[i];
    for (unsigned k = 0; k < node->count && is_carried[node->id] && !graph_is_given(node); k++)
      is_carried[node->arguments[k]->id] = true;
  }
  for (unsigned i = 0; i < s->nodes.count; i++)
    is_carried[s->nodes.items[i]->id] &= depends[s->nodes.items[i]->id];
  free(depends);
}

// Says of the operations of a segment which may share operators: the first one of each kind, and how many there are of
// it in `sharers`, 0 of those that may not.
static void find_sharers(const struct graph *graph, const struct segment *s) {
  struct list firsts = {NULL, 0};
  bool *is_carried = graph_allocate(graph->node_count * sizeof *is_carried);
  if (s->region->overlaps && graph->operations_share_freely)
    mark_carried(graph, s, is_carried);
  for (unsigned i = 0; i < s->nodes.count; i++) {
    struct node *node = s->nodes.items[i];
    node->sharers = 0;
    node->first_sharer = NULL;
    if (!graph_is_large(node) || graph_is_static(node) || is_carried[node->id])
      continue;
    unsigned kind = 0;
    while (kind < firsts.count && !graph_is_of_one_operator(graph, node, firsts.items[kind]))
      kind++;
    if (kind == firsts.count)
      list_add(&firsts, node);
    node->first_sharer = firsts.items[kind];
    node->first_sharer->sharers++;
  }
  for (unsigned i = 0; i < s->nodes.count; i++)
    if (s->nodes.items[i]->first_sharer)
      s->nodes.items[i]->sharers = s->nodes.items[i]->first_sharer->sharers;
  free(is_carried);
  free(firsts.items);
}

// A segment whose tokens come up to `most` cycles apart for it, and `least` anyway: as far as its most frequent
// operation makes use of.
static void share_among_operations(const struct graph *graph, struct segment *s, unsigned least, unsigned most) {
  unsigned apart = s->turns;
  bool any = false;
  find_sharers(graph, s);
  for (unsigned i = 0; i < s->nodes.count; i++) {
    const struct node *node = s->nodes.items[i];
    const unsigned turns = is_of_lanes(graph, node) ? s->turns : 1,
                   wanted = smaller(turns * node->sharers, most / turns * turns);
    apart = wanted > apart ? wanted : apart;
    any |= node->sharers > 1;
  }
  apart = any && least > apart ? least : apart;
  s->apart = apart / s->turns * s->turns;
  for (unsigned i = 0; i < s->nodes.count; i++) {
    struct node *node = s->nodes.items[i];
    const unsigned room = s->apart / (is_of_lanes(graph, node) ? s->turns : 1);
    const bool shares = node->sharers > 1 && room > 1;
    node->sharers = shares ? node->sharers : 0;
    node->operators = (node->sharers + room - 1) / room;
    s->is_aligned |= shares;
  }
}

enum status graph_sharing(struct graph *graph) {
  const unsigned turns = graph_most_turns(graph);
  const struct rates rates = rates_of(graph);
  for (unsigned i = 0; i < graph->segment_count; i++) {
    struct segment *s = graph->segments[i];
    s->shares_freely = is_free(graph, &rates, s);
    s->apart = s->turns =
        (graph->share >= turns || s->shares_freely) && has_float_operators(graph, s) && can_wait(s) ? turns : 1;
    // Launched tokens are as far apart as they come.
    if (!s->from || !can_wait(s))
      continue;
    const unsigned least = s->region->overlaps && graph->intervals ? graph->intervals[s->region->id] : 1;
    unsigned most = graph->operations_share_freely ? cycles_anyway(graph, &rates, s, MOST_FREE) : graph->share;
    most = least > most ? least : most;
    if (most > s->turns)
      share_among_operations(graph, s, least, most);
  }
  return STATUS_OK;
}

bool graph_may_share_freely(const struct graph *graph) {
  const struct rates rates = rates_of(graph);
  for (unsigned i = 0; i < graph->segment_count; i++) {
    const struct segment *s = graph->segments[i];
    unsigned large = 0;
    for (unsigned k = 0; k < s->nodes.count; k++)
      large += graph_is_large(s->nodes.items[k]) && !graph_is_static(s->nodes.items[k]);
    const bool is_apart = s->region->overlaps && s->region->interval > 1;
    if (large > 1 && (is_apart || (s->from && can_wait(s) && cycles_anyway(graph, &rates, s, 2) == 2)))
      return true;
  }
  return false;
}

unsigned graph_turns(const struct graph *graph, const struct node *node) {
  return node->home && node->home->turns > 1 && is_of_lanes(graph, node) ? node->home->turns : 1;
}

unsigned graph_interval(const struct graph *graph) {
  return graph->top->first->turns;
}
