// SPDX-License-Identifier: Apache-2.0
#include "hls/pipeline/rates.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hls/pipeline/build.h"
#include "hls/pipeline/interleave.h"
#include "hls/pipeline/schedule.h"
#include "hls/pipeline/strides.h"
#include "hls/pipeline/windows.h"

enum {
  BEAT_BYTES = 16,
  MEMORY_CYCLES = 90,     // from an access to its answer: a miss of the cache on the bench's device
  MOST_ROUNDS = 1 << 16,  // that are counted
  MOST_STEPS = 1 << 20,   // to count them
  MEETING_CYCLES = 2,     // where addresses are loaded, as of 1,000 rounds with 256 words
  USUAL_ROUNDS = 64,      // of a loop whose source does not say them: those of one work-item are long
};

// ---- patterns of addresses

struct pattern rates_pattern(const struct graph *graph, const struct node *access) {
  struct pattern pattern = {.rows = graph->lanes};
  pattern.is_known = stride_is_likely(access->arguments[0], &pattern.stride);
  if (pattern.is_known) {
    const uint64_t step = (uint64_t)(pattern.stride < 0 ? -pattern.stride : pattern.stride);
    const uint64_t bytes = step * (graph->lanes - 1) + access->bytes;
    const uint64_t rows = step >= BEAT_BYTES ? graph->lanes : (bytes + BEAT_BYTES - 1) / BEAT_BYTES;
    pattern.rows = rows < graph->lanes ? (unsigned)rows : graph->lanes;
  }
  return pattern;
}

// ---- rounds of loops

struct count {
  const struct region *loop;
  const uint64_t *carried;  // values of the loop's phis in this round
  unsigned steps;           // left
};

// The value of a node in this round, if it depends on constants and on what the loop carries alone.
static bool evaluate(struct count *c, const struct node *node, uint64_t *value) {
  uint64_t numbers[BUILD_MOST_FOLDED] = {0};
  if (c->steps == 0)
    return false;
  c->steps--;
  if (node->op == OP_CONSTANT) {
    *value = node->number;
    return true;
  }
  for (unsigned i = 0; i < c->loop->phis.count && node->op == OP_PHI; i++)
    if (c->loop->phis.items[i] == node) {
      *value = c->carried[i];
      return true;
    }
  if (node->op < OP_ADD || node->op > OP_CONCAT || node->count > BUILD_MOST_FOLDED)
    return false;
  for (unsigned i = 0; i < node->count; i++)
    if (!evaluate(c, node->arguments[i], &numbers[i]))
      return false;
  const struct build_operation operation = build_operation_of(node);
  return build_fold(&operation, numbers, value);
}

// Which of the values that a loop carries its condition depends on; false if it depends on more than constants and
// these.
static bool find_carried(const struct region *loop, const struct node *node, bool *needed, unsigned *steps) {
  if (*steps == 0)
    return false;
  --*steps;
  for (unsigned i = 0; i < loop->phis.count; i++)
    if (loop->phis.items[i] == node) {
      if (needed[i])
        return true;
      needed[i] = true;
      return loop->initial.items[i]->op == OP_CONSTANT && find_carried(loop, loop->next.items[i], needed, steps);
    }
  if (node->op == OP_CONSTANT)
    return true;
  if (node->op < OP_ADD || node->op > OP_CONCAT)
    return false;
  for (unsigned i = 0; i < node->count; i++)
    if (!find_carried(loop, node->arguments[i], needed, steps))
      return false;
  return true;
}

unsigned rates_rounds(const struct region *loop) {
  const struct node *condition = graph_condition(loop);
  const unsigned count = loop->phis.count;
  bool *needed = graph_allocate((count + 1) * sizeof *needed);
  unsigned steps = MOST_STEPS;
  if (!condition || !find_carried(loop, condition, needed, &steps))
    return 0;
  uint64_t *carried = graph_allocate((count + 1) * sizeof *carried), *next = graph_allocate((count + 1) * sizeof *next);
  for (unsigned i = 0; i < count; i++)
    carried[i] = loop->initial.items[i]->number;
  struct count c = {loop, carried, MOST_STEPS};
  for (unsigned rounds = 1; rounds <= MOST_ROUNDS; rounds++) {
    uint64_t again;
    if (!evaluate(&c, condition, &again))
      return 0;
    if (again == 0)
      return rounds;
    for (unsigned i = 0; i < count; i++)
      if (needed[i] && !evaluate(&c, loop->next.items[i], &next[i]))
        return 0;
    for (unsigned i = 0; i < count; i++)
      carried[i] = next[i];
  }
  return 0;
}

// ---- what is shared

static struct rate *add_rate(const struct graph *graph, struct rates *rates, const char *name) {
  struct rate *rate = &rates->items[rates->count++];
  *rate = (struct rate){.name = name, .cycles = graph_allocate(graph->region_count * sizeof *rate->cycles)};
  return rate;
}

static void add_accesses(const struct graph *graph, const struct segment *s, struct rate *port, struct rate *rows) {
  struct accesses accesses;
  schedule_accesses(graph, s, &accesses);
  for (unsigned i = 0; i < accesses.count; i++) {
    const struct access *access = &accesses.items[i];
    if (access->nodes[0]->is_seldom)
      continue;
    port->cycles[s->region->id]++;
    if (s->local_array != 0)
      continue;
    // Across, each work-item's words are a beat.
    if (access->nodes[0]->space == SPACE_GLOBAL)
      rows->cycles[s->region->id] +=
          access->across != 0 ? access_items(graph, access) : rates_pattern(graph, access->nodes[0]).rows;
  }
}

// One for each place where words lie together. What is not there yet takes the port; how much that is depends on the
// addresses.
static void add_passes(const struct graph *graph, const struct segment *s, struct rates *rates) {
  const bool has_lines = s->group.items[0]->window == WINDOW_OF_LINES;
  struct rate *passes =
      add_rate(graph, rates, has_lines ? "lines of lanes of the loads of line " : "window of the loads of line ");
  passes->window = s;
  passes->cycles[s->region->id] = windows_passes(graph, s);
}

// Cycles from one token to the next where operators are shared in a region.
static unsigned turns_in(const struct region *r) {
  unsigned most = 1;
  for (unsigned i = 0; i < r->segment_count; i++) {
    const struct segment *s = r->segments[i];
    const unsigned cycles = s->is_aligned ? s->apart : s->turns;
    most = cycles > most ? cycles : most;
  }
  return most;
}

// A name is part of RATES_NAME_BYTES. What no name in OpenCL C has is not shown: reports are pages.
static const char *pipe_name(const struct pipe *pipe) {
  char *name = graph_allocate(RATES_NAME_BYTES);
  snprintf(name, RATES_NAME_BYTES, "pipe %.40s, which it %s", pipe->name, pipe->is.is_read ? "reads" : "writes");
  for (char *at = name; *at; at++)
    if (!isalnum((unsigned char)*at) && !strchr("_[], ", *at))
      *at = '?';
  return name;
}

// Rounds that are under way together: of those that are interleaved a loop may have fewer than there are slots.
static double under_way(const struct graph *graph, const struct region *r) {
  const double slots = 1u << graph->slots_log2;
  const struct region *around = interleave_around(r);
  if (!around->any_order)
    return slots;
  const unsigned known = rates_rounds(around);
  const double rounds = known != 0 ? known : USUAL_ROUNDS;
  return rounds < slots ? rounds : slots;
}

// Cycles that a round waits for others that it may meet, of the `latency` of one: a guess.
static double meeting_cycles(const struct region *r, double latency) {
  return !r->hazards ? 0 : r->meets_often ? rint(0.75 * latency) : MEETING_CYCLES;
}

struct rates rates_of(const struct graph *graph) {
  struct rates rates = {
      .items = graph_allocate((3 * graph->region_count + graph->segment_count + 3 + PIPELINE_MOST_PIPES + MOST_ARRAYS) *
                              sizeof *rates.items),
      .rounds = graph_allocate(graph->region_count * sizeof *rates.rounds),
      .latency = graph_allocate(graph->region_count * sizeof *rates.latency)};
  struct rate *launch = add_rate(graph, &rates, "launch"), *port = NULL, *rows = NULL, *pipes[PIPELINE_MOST_PIPES];
  launch->cycles[graph->top->id] = graph_interval(graph);
  if (graph->ports != 0) {
    port = add_rate(graph, &rates, "memory port");
    rows = add_rate(graph, &rates, "rows of memory");
    port->is_of_port = rows->is_of_port = rows->is_of_device = true;
  }
  for (unsigned i = 0; i < graph->pipe_count; i++)
    pipes[i] = add_rate(graph, &rates, pipe_name(&graph->pipes[i]));
  struct rate *arrays[MOST_ARRAYS] = {NULL};
  for (unsigned a = 0; a < graph->array_count; a++)
    if (graph->arrays[a].is_local && graph->arrays[a].writers != 0) {
      arrays[a] = add_rate(graph, &rates, "stores to the local array ");
      arrays[a]->array = &graph->arrays[a];
    }
  for (unsigned i = 0; i < graph->segment_count; i++) {
    const struct segment *s = graph->segments[i];
    // For its turn at shared operators a token waits half of the cycles between turns.
    rates.latency[s->region->id] +=
        s->depth + 2 + (s->end == END_LOADS ? MEMORY_CYCLES : 0) + (s->is_aligned ? s->apart / 2 : 0);
    if (s->end == END_PIPE)
      pipes[s->group.items[0]->pipe]->cycles[s->region->id] += graph->lanes;
    if (s->is_window && port) {
      add_passes(graph, s, &rates);
      port->cycles[s->region->id] += segment_accesses(s);
      rows->cycles[s->region->id] += segment_accesses(s);
      continue;
    }
    struct rate *taken = s->local_array != 0 ? arrays[s->local_array - 1] : port;
    if (taken && (s->end == END_LOADS || s->end == END_STORES))
      add_accesses(graph, s, taken, rows);
  }
  for (unsigned i = 0; i < graph->region_count; i++) {
    const struct region *r = graph->regions[i];
    rates.rounds[r->id] = r->parent ? rates_rounds(r) : 1;
    const unsigned turns = turns_in(r);
    if (turns > (r->parent ? 1 : graph_interval(graph))) {
      struct rate *shared = add_rate(graph, &rates, "shared operators");
      shared->cycles[r->id] = turns;
      shared->is_of_sharing = true;
    }
    if (!r->parent)
      continue;
    struct rate *ring = add_rate(graph, &rates, "ring");
    ring->ring = r;
    ring->cycles[r->id] = (r->overlaps && r->interval > 1 ? r->interval : 1) + meeting_cycles(r, rates.latency[r->id]);
    // Where rounds overlap only the last one takes its time; the others follow each other as fast as they can.
    if (interleave_around(r)) {
      const double accesses = port ? port->cycles[r->id] : 0;
      const double busy = accesses > ring->cycles[r->id] ? accesses : ring->cycles[r->id];
      // Each round has a slot until it is over.
      const double held = rint(100 * rates.latency[r->id] / under_way(graph, r)) / 100;
      if (held > busy)
        add_rate(graph, &rates, "rounds in flight (--slots)")->cycles[r->id] = held;
      if (r->overlaps)
        rates.latency[r->parent->id] += rates.latency[r->id];
      rates.latency[r->id] = held > busy ? held : busy;
    }
  }
  return rates;
}

unsigned rates_latency(const struct rates *rates) {
  return rates->count + 1;
}

void rates_name(const struct rates *rates, unsigned limit, char name[RATES_NAME_BYTES]) {
  if (limit == rates_latency(rates))
    snprintf(name, RATES_NAME_BYTES, "latency, as nothing follows the first sub-group");
  else if (limit == rates->count)
    snprintf(name, RATES_NAME_BYTES, "sub-groups in flight (--slots)");
  else if (rates->items[limit].ring)
    snprintf(name, RATES_NAME_BYTES, "%s of the loop of line %u",
             rates->items[limit].ring->overlaps ? "rounds" : "ring", rates->items[limit].ring->line);
  else if (rates->items[limit].window)
    snprintf(name, RATES_NAME_BYTES, "%s%u", rates->items[limit].name,
             rates->items[limit].window->group.items[0]->line);
  else
    snprintf(name, RATES_NAME_BYTES, "%s%s", rates->items[limit].name,
             rates->items[limit].array ? rates->items[limit].array->name : "");
}

bool rates_rounds_text(const struct graph *graph, const struct region *loop, char text[RATES_ROUNDS_BYTES]) {
  const char *meets = loop->hazards ? ", or where it meets one in front of it, behind that" : "";
  if (loop->any_order)
    snprintf(
        text, RATES_ROUNDS_BYTES,
        "the loop of line %u are interleaved: the next begins %u cycle%s later, up to %u are under way, and end in "
        "any order",
        loop->line, loop->interval, loop->interval != 1 ? "s" : "", 1u << graph->slots_log2);
  else if (loop->overlaps && loop->made_of.loops > 1)
    snprintf(text, RATES_ROUNDS_BYTES,
             "the %u loops that begin with that of line %u, as one, overlap: the next begins %u cycle%s later%s",
             loop->made_of.loops, loop->line, loop->interval, loop->interval != 1 ? "s" : "", meets);
  else if (loop->overlaps)
    snprintf(text, RATES_ROUNDS_BYTES, "the loop of line %u overlap: the next begins %u cycle%s later%s", loop->line,
             loop->interval, loop->interval != 1 ? "s" : "", meets);
  else if (loop->why_not) {
    const char *why = interleave_against(graph, loop);
    snprintf(text, RATES_ROUNDS_BYTES, "the loop of line %u do not overlap: %s%s%s", loop->line, loop->why_not,
             why ? "; they are not interleaved: " : "", why ? why : "");
  }
  return loop->overlaps || loop->why_not;
}

double rates_guess(const struct region *loop, double guess) {
  double rounds = (double)loop->made_of.rounds;
  for (unsigned i = 0; i < loop->made_of.unknown; i++)
    rounds *= guess;
  return rounds;
}

double rates_times(const struct rates *rates, const struct region *region, double guess) {
  double times = 1;
  for (; region; region = region->parent)
    times *= rates->rounds[region->id] != 0 ? rates->rounds[region->id] : rates_guess(region, guess);
  return times;
}

double rates_use(const struct graph *graph, const struct rates *rates, const struct rate *rate, double guess) {
  double use = 0;
  for (unsigned i = 0; i < graph->region_count; i++)
    if (rate->cycles[i] != 0)
      use += rate->cycles[i] * rates_times(rates, graph->regions[i], guess);
  return use;
}

unsigned rates_copies(const struct graph *graph, const struct rate *rate) {
  return rate->is_of_device && graph->banks < graph->units ? graph->banks : graph->units;
}

// Nothing in it differs between work-items, and none takes or gives what another one has left, unless the kernel is one
// of one work-item.
static bool is_task(const struct graph *graph) {
  if (kernel_is_of_one(graph->source))
    return !graph_asks_for_ids(graph);
  for (unsigned i = 0; i < graph->node_count; i++) {
    const enum op op = graph->nodes[i]->wanted ? graph->nodes[i]->op : OP_CONSTANT;
    if (op == OP_ATOMIC || op == OP_PIPE_READ || op == OP_PIPE_WRITE)
      return false;
  }
  return !graph_asks_for_ids(graph);
}

unsigned rates_work_items(const struct graph *graph, unsigned asked) {
  enum { USUAL = 4096 };
  if (asked != 0)
    return asked;
  return is_task(graph) ? 1 : USUAL;
}

double rates_cycles(const struct graph *graph, const struct rates *rates, double work_items, double guess,
                    unsigned *limit) {
  double latency = 0, most = 0;
  *limit = rates->count;
  for (unsigned i = 0; i < graph->region_count; i++)
    latency += rates->latency[i] * rates_times(rates, graph->regions[i], guess);
  for (unsigned i = 0; i < rates->count; i++) {
    const double use = rates_use(graph, rates, &rates->items[i], guess) / rates_copies(graph, &rates->items[i]);
    if (use > most) {
      most = use;
      *limit = i;
    }
  }
  const double slots = (double)graph->units * (1u << graph->slots_log2);
  if (latency / slots > most) {
    most = latency / slots;
    *limit = rates->count;
  }
  // Each copy begins with one sub-group at the start.
  const double begun = (double)graph->units * graph->lanes;
  // Of one work-item whose rounds overlap something may be at work most of the time nevertheless.
  if (work_items <= begun && (*limit == rates->count || 2 * most < latency))
    *limit = rates_latency(rates);
  return (work_items > begun ? (work_items - begun) / graph->lanes * most : 0) + latency + RATES_START_CYCLES;
}

double rates_usual_cycles(const struct graph *graph) {
  const struct rates rates = rates_of(graph);
  unsigned limit;
  return rates_cycles(graph, &rates, rates_work_items(graph, 0), USUAL_ROUNDS, &limit);
}
