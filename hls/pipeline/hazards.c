// SPDX-License-Identifier: Apache-2.0
// See hazards.h. Of two accesses that may meet, the one that comes first in a round checks what the other one has
// claimed: in the rounds in front of it that other one may be still to come. Elements of an array are compared where
// rounds would have to be far apart, as an element takes long to be changed.
#include "hls/pipeline/hazards.h"

#include <stdlib.h>

#include "hls/pipeline/aliases.h"
#include "hls/pipeline/build.h"
#include "hls/pipeline/dependence.h"
#include "hls/pipeline/overlap.h"
#include "hls/pipeline/samples.h"

enum {
  // Rounds. Who waits for one so near, usually, gains nothing.
  SOON = 3,
  FEW = 4,
  MOST_HAZARD_WORDS = 8,
  MOST_COMPARED = 16,
  // Arrays: cycles that rounds would have to be apart, as a change of an element takes them, and elements, so that
  // rounds seldom meet.
  LEAST_CHANGE = 3,
  LEAST_ELEMENTS = 8,
};

static bool is_of_array(const struct node *node, unsigned array) {
  return graph_is_element(node) && node->number == array;
}

static bool is_set(const struct node *node) {
  return node->op == OP_SET_ELEMENT;
}

// Whether two accesses are of an array, and one of them sets an element: their order counts if it is the same element.
static bool are_in_order(const struct node *a, const struct node *b, unsigned array) {
  return is_of_array(a, array) && is_of_array(b, array) && (is_set(a) || is_set(b));
}

// ---- accesses that may meet

static void mark(struct node *earlier, struct node *later, unsigned place, unsigned *first) {
  earlier->is_claimed = later->is_checked = true;
  *first = place < *first ? place : *first;
}

// Whether nothing but accesses of the same kind is between two of a region's nodes, so that they are in one group:
// those of different rounds then keep their order. segments.c has the last word.
static bool are_together(const struct region *r, unsigned first, unsigned second) {
  for (unsigned i = first; i <= second; i++)
    if (graph_is_ordered(r->nodes.items[i]) && r->nodes.items[i]->op != r->nodes.items[first]->op)
      return false;
  return true;
}

// *first becomes the index of the first access that has to wait.
static void mark_memory(const struct graph *graph, struct region *r, struct samples *samples, unsigned *first) {
  for (unsigned k = 0; k < r->nodes.count; k++)
    for (unsigned i = 0; i < k && graph_is_of_memory(r->nodes.items[k]); i++) {
      struct node *later = r->nodes.items[i], *earlier = r->nodes.items[k];
      if (!graph_is_of_memory(later) || are_together(r, i, k) ||
          !dependence_of_accesses(graph, r, earlier, later, 1u << graph->slots_log2))
        continue;
      r->meets_soon |= samples_meet(samples, earlier, later, SOON);
      r->meets_often |=
          samples_know(samples, earlier) && samples_know(samples, later) && aliases_are_of_one(graph, earlier, later);
      mark(earlier, later, i, first);
    }
}

static bool may_meet(const struct graph *graph, const struct region *r, const struct node *earlier,
                     const struct node *later) {
  for (unsigned rounds = 1; rounds <= 1u << graph->slots_log2; rounds++)
    if (dependence_of_elements(graph, r, earlier, later, rounds))
      return true;
  return false;
}

// Accesses of an array come in the order of the program (graph_order_arrays), like those of memory.
static void mark_array(const struct graph *graph, struct region *r, unsigned array, unsigned *first) {
  for (unsigned k = 0; k < r->nodes.count; k++)
    for (unsigned i = 0; i < k; i++) {
      struct node *later = r->nodes.items[i], *earlier = r->nodes.items[k];
      if (are_in_order(earlier, later, array) && may_meet(graph, r, earlier, later))
        mark(earlier, later, i, first);
    }
}

static void unmark(struct region *r) {
  for (unsigned i = 0; i < r->nodes.count; i++)
    r->nodes.items[i]->is_claimed = r->nodes.items[i]->is_checked = false;
  r->hazard_arrays = 0;
}

// ---- arrays that are worth it

// The most cycles from an element that is read to one that is set; 0: no element goes into another.
static unsigned change_of(const struct graph *graph, const struct region *r, unsigned array) {
  unsigned *behind = graph_allocate(graph->node_count * sizeof *behind), most = 0;
  for (unsigned i = 0; i < r->nodes.count; i++) {
    const struct node *node = r->nodes.items[i];
    unsigned cycles = is_of_array(node, array) && !is_set(node);
    for (unsigned k = 0; k < node->count && node->op != OP_PHI; k++) {
      const unsigned before = behind[node->arguments[k]->id];
      const unsigned one = before != 0 ? before + graph_cost(graph, node).latency : 0;
      cycles = one > cycles ? one : cycles;
    }
    behind[node->id] = cycles;
    if (is_of_array(node, array) && is_set(node) && cycles > most)
      most = cycles;
  }
  free(behind);
  return most;
}

// Whether rounds usually come to what one a few before has accessed. Then it is better that they begin as late as that
// takes, and need not wait.
static bool usually_meet(struct samples *samples, const struct region *r, unsigned array) {
  for (unsigned i = 0; i < r->nodes.count; i++)
    for (unsigned k = 0; k < r->nodes.count; k++) {
      const struct node *earlier = r->nodes.items[i], *later = r->nodes.items[k];
      if (are_in_order(earlier, later, array) && samples_meet(samples, earlier, later, FEW))
        return true;
    }
  return false;
}

// The fewest rounds after which an element may be accessed again, as far as is known before the kernel runs.
static unsigned rounds_between(const struct graph *graph, const struct region *r, unsigned array) {
  unsigned least = 1u << graph->slots_log2;
  for (unsigned i = 0; i < r->nodes.count; i++)
    for (unsigned k = 0; k < r->nodes.count; k++) {
      const struct node *earlier = r->nodes.items[i], *later = r->nodes.items[k];
      for (unsigned rounds = 1; rounds < least && are_in_order(earlier, later, array); rounds++)
        if (dependence_of_elements(graph, r, earlier, later, rounds))
          least = rounds;
    }
  return least;
}

static bool is_worth_it(const struct graph *graph, const struct region *r, struct samples *samples, unsigned a) {
  const struct array *array = &graph->arrays[a];
  return !array->is_local && !array->round && array->elements >= LEAST_ELEMENTS &&
         change_of(graph, r, a) >= LEAST_CHANGE * rounds_between(graph, r, a) && !usually_meet(samples, r, a);
}

// ---- words

// Whether a load may be in front of all stores of its loop.
static bool is_free(const struct graph *graph, const struct region *r, const struct node *load) {
  if (load->op != OP_LOAD)
    return false;
  for (unsigned i = 0; i < r->nodes.count; i++)
    if (r->nodes.items[i]->op == OP_STORE && !aliases_are_apart(graph, load, r->nodes.items[i]))
      return false;
  return true;
}

// Which values are made of what cannot be in front of the place where rounds wait, by number of a node.
static bool *late_of(const struct graph *graph, const struct region *r, unsigned place) {
  bool *late = graph_allocate(graph->node_count * sizeof *late);
  for (unsigned i = 0; i < r->nodes.count; i++) {
    const struct node *node = r->nodes.items[i];
    late[node->id] = i >= place && (graph_is_ordered(node) || graph_is_element(node)) && !is_free(graph, r, node);
    for (unsigned k = 0; k < node->count && node->op != OP_PHI; k++)
      late[node->id] |= late[node->arguments[k]->id];
  }
  return late;
}

// Each with its address once.
struct words {
  struct graph *graph;
  struct node *arguments[HAZARDS_PER_WORD * MOST_HAZARD_WORDS];
  const struct node *accesses[MOST_HAZARD_WORDS];  // one of each
  unsigned count;
};

// Whether one word is that of both, if they are the same address or index.
static bool are_of_one(const struct node *a, const struct node *b) {
  return graph_is_of_memory(a) ? graph_is_of_memory(b) : graph_is_element(b) && a->number == b->number;
}

// One of two conditions. Of different ones, it is taken to hold always.
static struct node *either(struct graph *graph, struct node *one, struct node *other) {
  return graph_is_number(one, 0) || one == other ? other : build_constant(graph, 1, 1);
}

// False: there are too many.
static bool add_word(struct words *words, const struct node *access, struct node *mask) {
  unsigned at = 0;
  while (at < words->count &&
         !(are_of_one(words->accesses[at], access) && words->arguments[HAZARDS_PER_WORD * at] == access->arguments[0]))
    at++;
  if (at == MOST_HAZARD_WORDS)
    return false;
  struct node **word = &words->arguments[HAZARDS_PER_WORD * at];
  if (at == words->count) {
    word[HAZARDS_ADDRESS] = access->arguments[0];
    word[HAZARDS_CLAIMS] = word[HAZARDS_CHECKS] = build_constant(words->graph, 1, 0);
    words->accesses[words->count++] = access;
  }
  if (access->is_claimed)
    word[HAZARDS_CLAIMS] = either(words->graph, word[HAZARDS_CLAIMS], mask);
  if (access->is_checked)
    word[HAZARDS_CHECKS] = either(words->graph, word[HAZARDS_CHECKS], mask);
  return true;
}

static struct hazards count_words(struct node *const *arguments, unsigned count) {
  struct hazards hazards = {.words = count / HAZARDS_PER_WORD};
  for (unsigned i = 0; i < count; i += HAZARDS_PER_WORD) {
    hazards.claimed += !graph_is_number(arguments[i + HAZARDS_CLAIMS], 0);
    hazards.checked += !graph_is_number(arguments[i + HAZARDS_CHECKS], 0);
  }
  return hazards;
}

// Elements are read in each round.
static struct node *mask_of(const struct region *r, const struct node *access) {
  return access->op == OP_ELEMENT ? r->mask : access->arguments[access->op == OP_LOAD ? 1 : 2];
}

// Whether the addresses of all accesses are known at the place where rounds wait, and few enough. A condition that is
// not known is taken to hold.
static bool find_words(const struct region *r, const bool *late, struct words *words) {
  for (unsigned i = 0; i < r->nodes.count; i++) {
    const struct node *node = r->nodes.items[i];
    if (!node->is_claimed && !node->is_checked)
      continue;
    struct node *mask = mask_of(r, node);
    const bool is_always = mask == r->mask || late[mask->id];
    if (late[node->arguments[0]->id] || !add_word(words, node, is_always ? build_constant(words->graph, 1, 1) : mask))
      return false;
  }
  const struct hazards hazards = count_words(words->arguments, HAZARDS_PER_WORD * words->count);
  return hazards.claimed * hazards.checked <= MOST_COMPARED;
}

// ---- the operation

// Puts an operation in front of a place, and what it is made of in front of that.
static void place_at(struct region *r, struct node *node, unsigned place) {
  struct list nodes = {NULL, 0};
  for (unsigned i = 0; i < r->nodes.count; i++)
    r->nodes.items[i]->placed = false;
  for (unsigned i = 0; i < r->nodes.count; i++) {
    if (i == place)
      graph_arrange(r, node, &nodes);
    graph_arrange(r, r->nodes.items[i], &nodes);
  }
  r->nodes = nodes;
}

// Accesses of arrays end no segment: they have to be told that they are behind.
static void order_elements(struct region *r) {
  for (unsigned i = 0; i < r->nodes.count; i++) {
    struct node *node = r->nodes.items[i];
    if (graph_is_element(node) && (node->is_claimed || node->is_checked))
      list_add(&node->after, r->hazards);
  }
}

// False: an address is known too late, or there are too many.
static bool add_operation(struct graph *graph, struct region *r, unsigned place) {
  struct words words = {.graph = graph};
  bool *late = late_of(graph, r, place);
  const bool is_known = find_words(r, late, &words);
  free(late);
  if (!is_known)
    return false;
  struct builder b = {graph, r, r->nodes.items[place]->line};
  r->hazards = build_ordered(&b, OP_HAZARDS, 0, 0, HAZARDS_PER_WORD * words.count, words.arguments);
  for (unsigned i = 0; i < words.count; i++)
    if (graph_is_element(words.accesses[i]))
      r->hazards->number |= (words.accesses[i]->number + 1) << (8 * i);
  r->hazards->class = CLASS_LANE;
  r->hazards->wanted = true;
  r->nodes.count--;  // it goes where its place is
  place_at(r, r->hazards, place);
  order_elements(r);
  return true;
}

// The arrays that are worth it, a bit for each.
static uint32_t worthy_arrays(const struct graph *graph, const struct region *r, struct samples *samples) {
  uint32_t arrays = 0;
  for (unsigned a = 0; a < graph->array_count; a++)
    arrays |= (uint32_t)is_worth_it(graph, r, samples, a) << a;
  return arrays;
}

// Compares words of memory, and elements of some arrays. False: nothing is compared.
static bool try(struct graph *graph, struct region *r, struct samples *samples, uint32_t arrays) {
  const unsigned none = r->nodes.count;
  unsigned place = none;
  r->meets_soon = r->meets_often = false;
  r->hazard_arrays = arrays;
  mark_memory(graph, r, samples, &place);
  for (unsigned a = 0; a < graph->array_count; a++)
    if (hazards_keep_array(r, a))
      mark_array(graph, r, a, &place);
  if (place != none && !r->meets_soon && add_operation(graph, r, place))
    return true;
  unmark(r);
  return false;
}

static bool is_simple(const struct region *r) {
  for (unsigned i = 0; i < r->nodes.count; i++)
    if (!overlap_is_simple(r->nodes.items[i]))
      return false;
  return true;
}

void hazards_find(struct graph *graph) {
  if (!overlap_is_of_one(graph))
    return;
  for (unsigned i = 0; i < graph->region_count; i++) {
    struct region *r = graph->regions[i];
    if (!r->parent || !is_simple(r))
      continue;
    struct samples *samples = samples_open(graph, r);
    const uint32_t arrays = worthy_arrays(graph, r, samples);
    if (!try(graph, r, samples, arrays) && arrays != 0)
      try(graph, r, samples, 0);
    samples_close(samples);
  }
}

bool hazards_keep(const struct region *r, const struct node *earlier, const struct node *later) {
  return r->hazards && earlier->is_claimed && later->is_checked;
}

bool hazards_keep_array(const struct region *r, unsigned array) {
  return r->hazard_arrays >> array & 1;
}

static void remove_from(struct list *list, const struct node *node) {
  unsigned kept = 0;
  for (unsigned i = 0; i < list->count; i++)
    if (list->items[i] != node)
      list->items[kept++] = list->items[i];
  list->count = kept;
}

bool hazards_drop(struct graph *graph) {
  bool any = false;
  for (unsigned i = 0; i < graph->region_count; i++) {
    struct region *r = graph->regions[i];
    if (!r->hazards || (r->overlaps && !r->any_order))
      continue;
    remove_from(&r->nodes, r->hazards);
    for (unsigned k = 0; k < r->nodes.count; k++)
      remove_from(&r->nodes.items[k]->after, r->hazards);
    r->hazards->wanted = false;
    r->hazards = NULL;
    unmark(r);
    any = true;
  }
  return any;
}

// ---- what comes of it

struct hazards hazards_of(const struct graph *graph, const struct node *node) {
  struct hazards hazards = count_words(node->arguments, node->count);
  const unsigned compared = hazards.claimed * hazards.checked;
  const unsigned most = compared <= MOST_COMPARED / 4 ? 5 : compared <= MOST_COMPARED / 2 ? 4 : 3;
  hazards.rounds_log2 = graph->slots_log2 < most ? graph->slots_log2 : most;
  return hazards;
}

unsigned hazards_array(const struct node *node, unsigned word) {
  return node->number >> (8 * word) & 0xFF;
}

static bool is_later(const struct node *a, const struct node *b) {
  if (a->home != b->home)
    return a->home->index > b->home->index;
  return graph_is_of_memory(a) || (!graph_is_of_memory(b) && a->stage > b->stage);
}

const struct node *hazards_last(const struct region *r) {
  const struct node *last = NULL;
  for (unsigned i = 0; i < r->nodes.count; i++) {
    const struct node *node = r->nodes.items[i];
    if (node->is_claimed && (!last || is_later(node, last)))
      last = node;
  }
  return last;
}
