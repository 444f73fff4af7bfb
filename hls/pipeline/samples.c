// SPDX-License-Identifier: Apache-2.0
// See samples.h. What is loaded stays unknown, and so do addresses that are made of it.
#include "hls/pipeline/samples.h"

#include <stdlib.h>

#include "hls/pipeline/build.h"

// Of a counter that goes on or stays, as a condition says, each is tried in half of the samples. The first rounds give
// counters that follow each other their distances. Of all samples so many have to agree.
enum { SAMPLES = 16, USUAL = 6, FIRST = 4, ROUNDS = FIRST + SAMPLES_MOST_ROUNDS + 1 };

struct value {
  uint64_t number;
  bool is_known;
};

struct samples {
  const struct region *region;
  unsigned *place;       // of an operation of the region in a round: its number + 1, by number of a node; 0: none
  unsigned count;        // of operations
  struct value *values;  // by sample, round and operation; NULL: they are still to be computed
};

static struct value *round_of(const struct samples *s, unsigned sample, unsigned round) {
  return s->values + ((size_t)sample * ROUNDS + round) * s->count;
}

static uint64_t bits_of(uint64_t number, unsigned width) {
  return width < 64 ? number & ((UINT64_C(1) << width) - 1) : number;
}

// SplitMix64's.
static uint64_t random_of(unsigned id, unsigned sample) {
  uint64_t x = ((uint64_t)id << 8 | sample) * UINT64_C(0x9E3779B97F4A7C15);
  x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
  return x ^ x >> 31;
}

static struct value value_of(const struct samples *s, const struct node *node, unsigned sample, unsigned round) {
  if (node->op == OP_CONSTANT)
    return (struct value){node->number, node->width <= 64};
  if (node->region == s->region && !graph_is_static(node))
    return s->place[node->id] != 0 ? round_of(s, sample, round)[s->place[node->id] - 1] : (struct value){0, false};
  // What does not change in the loop.
  return (struct value){bits_of(random_of(node->id, sample), node->width), node->width <= 64};
}

// What a value is that a counter may have in the next round: a constant more, the same, or something else, as where it
// begins again.
enum { BEGINS, STAYS, GOES_ON };

static unsigned next_of(const struct node *node, unsigned depth) {
  enum { MOST_DEPTH = 3 };
  if (node->op == OP_PHI)
    return STAYS;
  if (node->op == OP_ADD || node->op == OP_SUB)
    return node->arguments[1]->op == OP_CONSTANT && !graph_is_static(node) ? GOES_ON : BEGINS;
  if (node->op != OP_SELECT || depth == MOST_DEPTH)
    return BEGINS;
  const unsigned yes = next_of(node->arguments[1], depth + 1), no = next_of(node->arguments[2], depth + 1);
  return yes > no ? yes : no;
}

// Which of the two a choice takes: few rounds begin again. 0: the condition says it.
static unsigned usual_choice(const struct node *select, unsigned sample) {
  const unsigned yes = next_of(select->arguments[1], 0), no = next_of(select->arguments[2], 0);
  if (yes == no)
    return 0;
  const bool wants_more = yes == BEGINS || no == BEGINS || sample % 2 == 0;
  return (yes > no) == wants_more ? 1 : 2;
}

static struct value compute(const struct samples *s, const struct node *node, unsigned sample, unsigned round) {
  const struct value unknown = {0, false};
  if (node->op == OP_SELECT) {
    const unsigned usual = usual_choice(node, sample);
    if (usual != 0)
      return value_of(s, node->arguments[usual], sample, round);
    const struct value condition = value_of(s, node->arguments[0], sample, round);
    return condition.is_known ? value_of(s, node->arguments[condition.number != 0 ? 1 : 2], sample, round) : unknown;
  }
  uint64_t numbers[BUILD_MOST_FOLDED] = {0};
  if (node->op < OP_ADD || node->op > OP_CONCAT || node->count > BUILD_MOST_FOLDED)
    return unknown;
  for (unsigned i = 0; i < node->count; i++) {
    const struct value argument = value_of(s, node->arguments[i], sample, round);
    if (!argument.is_known)
      return unknown;
    numbers[i] = argument.number;
  }
  const struct build_operation operation = build_operation_of(node);
  struct value value = unknown;
  value.is_known = build_fold(&operation, numbers, &value.number);
  return value;
}

static void take(const struct samples *s, unsigned sample, unsigned round) {
  const struct region *r = s->region;
  struct value *values = round_of(s, sample, round);
  for (unsigned i = 0; i < r->phis.count; i++) {
    const struct node *phi = r->phis.items[i];
    const unsigned place = s->place[phi->id];
    if (place == 0)
      continue;
    values[place - 1] = round == 0 ? (struct value){bits_of(random_of(phi->id, sample), phi->width), phi->width <= 64}
                                   : value_of(s, r->next.items[i], sample, round - 1);
  }
  for (unsigned i = 0; i < r->nodes.count; i++)
    if (r->nodes.items[i]->op != OP_PHI)
      values[i] = compute(s, r->nodes.items[i], sample, round);
}

struct samples *samples_open(const struct graph *graph, const struct region *r) {
  struct samples *s = graph_allocate(sizeof *s);
  *s = (struct samples){r, graph_allocate(graph->node_count * sizeof *s->place), r->nodes.count, NULL};
  for (unsigned i = 0; i < r->nodes.count; i++)
    s->place[r->nodes.items[i]->id] = i + 1;
  return s;
}

static void take_all(struct samples *s) {
  if (s->values)
    return;
  s->values = graph_allocate(((size_t)SAMPLES * ROUNDS * s->count + 1) * sizeof *s->values);
  for (unsigned sample = 0; sample < SAMPLES; sample++)
    for (unsigned round = 0; round < ROUNDS; round++)
      take(s, sample, round);
}

void samples_close(struct samples *samples) {
  free(samples->place);
  free(samples->values);
  free(samples);
}

// Bytes of memory; an element is one.
static unsigned size_of(const struct node *access) {
  return graph_is_element(access) ? 1 : access->bytes;
}

bool samples_know(struct samples *samples, const struct node *access) {
  take_all(samples);
  return value_of(samples, access->arguments[0], 0, FIRST).is_known;
}

bool samples_meet(struct samples *samples, const struct node *earlier, const struct node *later, unsigned most) {
  take_all(samples);
  for (unsigned rounds = 1; rounds <= most && rounds <= SAMPLES_MOST_ROUNDS; rounds++) {
    unsigned meetings = 0;
    for (unsigned sample = 0; sample < SAMPLES; sample++) {
      const struct value first = value_of(samples, earlier->arguments[0], sample, FIRST),
                         second = value_of(samples, later->arguments[0], sample, FIRST + rounds);
      const uint32_t behind = (uint32_t)(second.number - first.number),
                     before = (uint32_t)(first.number - second.number);
      meetings += first.is_known && second.is_known && (behind < size_of(earlier) || before < size_of(later));
    }
    if (meetings >= USUAL)
      return true;
  }
  return false;
}
