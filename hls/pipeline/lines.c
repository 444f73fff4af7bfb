// SPDX-License-Identifier: Apache-2.0
#include "hls/pipeline/lines.h"

#include "hls/pipeline/schedule.h"
#include "hls/pipeline/windows.h"

enum {
  WORD_BYTES = 4,
  LINE_BYTES = 64,
  STEP_BYTES = 16,  // from a round to the next, at most: a line is then for four rounds
  MOST_STREAMS = 4,
  MOST_BANKS = 32,  // of all streams, each a block RAM: the square of the lanes for each. So eight lanes have none
  MOST_LOADS = 16,
};

static uint32_t distance(uint32_t a, uint32_t b) {
  return (int32_t)(a - b) < 0 ? b - a : a - b;
}

// Whether each lane goes on nearby in the next round, and lanes are in lines of their own, mostly.
static bool walks(const struct graph *graph, const struct place *place, const struct place *next) {
  unsigned times = 0;
  for (unsigned trial = 0; trial < TRIALS; trial++) {
    bool does = true;
    for (unsigned lane = 0; lane < graph->lanes; lane++) {
      does &= distance(place->lanes[trial][lane], next->lanes[trial][lane]) <= STEP_BYTES;
      for (unsigned other = 0; other < lane; other++)
        does &= distance(place->lanes[trial][lane], place->lanes[trial][other]) >= LINE_BYTES;
    }
    times += does;
  }
  return times > TRIALS / 2;
}

static bool are_near(const struct place *a, const struct place *b) {
  unsigned times = 0;
  for (unsigned trial = 0; trial < TRIALS; trial++)
    times += distance(a->lanes[trial][0], b->lanes[trial][0]) < LINE_BYTES;
  return times > TRIALS / 2;
}

static bool has(const struct list *list, const struct node *node) {
  for (unsigned i = 0; i < list->count; i++)
    if (list->items[i] == node)
      return true;
  return false;
}

// Loads of neighbouring words from `first` on, the lowest, in one part of the region; the number of them.
static unsigned run_from(const struct graph *graph, struct node *const *loads, const unsigned *parts, unsigned count,
                         unsigned first, struct node **run) {
  struct node *root, *other_root;
  uint32_t offset, other_offset;
  access_root(loads[first]->arguments[0], &root, &offset);
  unsigned length = 0;
  for (bool more = true; more && length <= graph->lanes;) {
    more = false;
    for (unsigned i = 0; i < count && !more; i++) {
      access_root(loads[i]->arguments[0], &other_root, &other_offset);
      more = other_root == root && other_offset == offset + WORD_BYTES * length && parts[i] == parts[first] &&
             loads[i]->arguments[1] == loads[first]->arguments[1];
      if (more)
        run[length] = loads[i];
    }
    length += more;
  }
  return length;
}

// Others in the loop that are not of the run and read what it reads: two streams would ask for one line.
static bool shares_lines(struct node *const *loads, unsigned count, struct node *const *run, unsigned length,
                         const struct place *places) {
  for (unsigned i = 0; i < count; i++) {
    bool is_of_run = false;
    for (unsigned k = 0; k < length; k++)
      is_of_run |= run[k] == loads[i];
    if (!is_of_run && are_near(&places[loads[i]->id], &places[run[0]->id]))
      return true;
  }
  return false;
}

void lines_find(const struct graph *graph, const struct region *loop, double rounds, const struct place *places,
                const struct place *next, unsigned *streams, struct list *found) {
  struct node *loads[MOST_LOADS], *run[TRIALS_MOST_LANES + 1] = {NULL};
  unsigned parts[MOST_LOADS], count = 0, part = 0;
  const unsigned banks = graph->lanes * graph->lanes;
  for (unsigned i = 0; i < loop->nodes.count && count < MOST_LOADS; i++) {
    struct node *node = loop->nodes.items[i];
    part += windows_keep_order(node);
    if (node->op != OP_LOAD || node->window != WINDOW_POSSIBLE || node->class != CLASS_LANE || has(found, node) ||
        !walks(graph, &places[node->id], &next[node->id]))
      continue;
    parts[count] = part;
    loads[count++] = node;
  }
  for (unsigned i = 0; i < count && *streams < MOST_STREAMS && (*streams + 1) * banks <= MOST_BANKS; i++) {
    const unsigned length = run_from(graph, loads, parts, count, i, run);
    // Of few words it is cheaper to ask for these alone.
    if (length == 0 || length > graph->lanes || rounds * length < LINE_BYTES / WORD_BYTES ||
        shares_lines(loads, count, run, length, places))
      continue;
    ++*streams;
    for (unsigned k = 0; k < length; k++) {
      run[k]->stream = *streams;
      list_add(found, run[k]);
    }
  }
}

void lines_forget(struct list *found) {
  for (unsigned i = 0; i < found->count; i++)
    found->items[i]->stream = 0;
}

void lines_gather(struct region *r, unsigned begin, unsigned end, struct list *nodes) {
  for (unsigned i = begin; i < end; i++)
    for (unsigned k = i; k < end && r->nodes.items[i]->window == WINDOW_OF_LINES; k++)
      if (r->nodes.items[k]->window == WINDOW_OF_LINES && r->nodes.items[k]->stream == r->nodes.items[i]->stream)
        graph_arrange(r, r->nodes.items[k], nodes);
}
