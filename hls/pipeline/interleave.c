// SPDX-License-Identifier: Apache-2.0
// Rounds are interleaved if it is known early whether another one follows and with what, nothing else but totals comes
// from one to the next, and what a round stores no other one loads or stores.
#include "hls/pipeline/interleave.h"

#include <stdlib.h>

#include "hls/pipeline/dependence.h"
#include "hls/pipeline/overlap.h"
#include "hls/pipeline/schedule.h"
#include "hls/pipeline/totals.h"

enum { MOST_PLACES = 64 };

const struct region *interleave_around(const struct region *r) {
  while (r && !r->overlaps)
    r = r->parent;
  return r;
}

// ---- what comes from one round to the next

// Whether a value is made in the first segment of a round, and what it is made of in the rounds before.
static bool is_made_first(const struct graph *graph, const struct region *r, const struct node *value) {
  struct overlap_early early = overlap_early_open(graph, r);
  bool is = overlap_mark_early(&early, value);
  for (unsigned i = 0; i < r->nodes.count && is; i++)
    is = !early.is[r->nodes.items[i]->id] || r->nodes.items[i]->earliest == 0;
  free(early.is);
  return is;
}

// What leaves the loop is what its last round has made, which others may pass: of the first segment it is known, and of
// totals. NULL: nothing is in the way.
static const char *carried_against(const struct graph *graph, const struct region *r) {
  if (!is_made_first(graph, r, r->again))
    return "whether another round follows is not known before the loops in it";
  for (unsigned i = 0; i < r->phis.count; i++)
    if (!is_made_first(graph, r, r->phis.items[i]) && !totals_is(graph, r->phis.items[i]))
      return "a round begins with what the one before has loaded or made in a loop, and that is no sum of integers";
  for (unsigned i = 0; i < graph->node_count; i++) {
    const struct node *out = graph->nodes[i];
    if (out->op == OP_OUT && out->loop == r && out->wanted && !is_made_first(graph, r, out->arguments[0]) &&
        !totals_leaves(graph, out))
      return "what its last round has loaded or made in a loop is used behind it";
  }
  return NULL;
}

// Totals, and what they are made of, are in the segment that has the last of it.
static void place_totals(const struct graph *graph, const struct region *r) {
  for (unsigned i = 0; i < r->phis.count; i++)
    if (!is_made_first(graph, r, r->phis.items[i]))
      totals_place(r->phis.items[i]);
}

// ---- what rounds do

// Whether rounds may access an array: if each of them has its own, or none of them sets it.
static bool is_array_apart(const struct graph *graph, const struct region *loop, uint64_t array) {
  if (graph_encloses(loop, graph->arrays[array].round))
    return true;
  for (unsigned i = 0; i < graph->node_count; i++) {
    const struct node *node = graph->nodes[i];
    if (node->op == OP_SET_ELEMENT && node->number == array && graph_encloses(loop, node->region))
      return false;
  }
  return true;
}

static bool is_simple(const struct graph *graph, const struct region *loop, const struct node *node) {
  switch (node->op) {
    case OP_ELEMENT:
    case OP_SET_ELEMENT:
      return node->local_array == 0 && is_array_apart(graph, loop, node->number);
    case OP_LOOP:
      return true;
    case OP_PIPE_READ:
    case OP_PIPE_WRITE:
      return false;
    default:
      return overlap_is_simple(node);
  }
}

// Rounds that end late meet others that began any number of rounds later.
static bool meet(const struct graph *graph, const struct region *loop, const struct node *one,
                 const struct node *other) {
  return dependence_of_accesses(graph, loop, one, other, DEPENDENCE_ANY_ROUNDS) ||
         dependence_of_accesses(graph, loop, other, one, DEPENDENCE_ANY_ROUNDS);
}

static const char *name_of(const struct node *access) {
  return access->op == OP_LOAD ? "loads" : "stores";
}

// LLVM makes accesses that no line of the source has.
static void write_line(const struct node *access, char line[24]) {
  if (access->line != 0)
    snprintf(line, 24, "line %u", access->line);
  else
    snprintf(line, 24, "an access of no line");
}

static const char *meeting_of(const struct node *one, const struct node *other) {
  enum { MOST = 200 };
  char *text = graph_allocate(MOST);
  const struct node *store = one->op == OP_STORE ? one : other, *access = store == one ? other : one;
  char lines[2][24];
  write_line(store, lines[0]);
  write_line(access, lines[1]);
  snprintf(text, MOST, "%s may store to what %s %s in another round (`restrict` or #pragma ivdep say that it does not)",
           lines[0], lines[1], name_of(access));
  return text;
}

static const char *memory_against(const struct graph *graph, const struct region *loop) {
  const struct node *accesses[MOST_PLACES];
  unsigned count = 0;
  for (unsigned i = 0; i < graph->node_count; i++) {
    const struct node *node = graph->nodes[i];
    if ((node->op != OP_LOAD && node->op != OP_STORE) || !graph_encloses(loop, node->region))
      continue;
    if (count == MOST_PLACES)
      return "it has more than 64 accesses";
    accesses[count++] = node;
    for (unsigned k = 0; k < count; k++)
      if (meet(graph, loop, node, accesses[k]))
        return meeting_of(node, accesses[k]);
  }
  return NULL;
}

// NULL: rounds may be interleaved. `has_loop`: there is a loop in it.
static const char *against(const struct graph *graph, const struct region *loop, bool *has_loop) {
  const char *why = NULL;
  *has_loop = false;
  for (unsigned i = 0; i < graph->region_count; i++) {
    const struct region *r = graph->regions[i];
    *has_loop |= r->parent == loop;
    for (unsigned k = 0; k < r->nodes.count && graph_encloses(loop, r); k++)
      if (!is_simple(graph, loop, r->nodes.items[k]))
        why = "it has an array that its rounds share, a pipe, an atomic, or local memory";
  }
  why = why || !*has_loop ? why : carried_against(graph, loop);
  return why || !*has_loop ? why : memory_against(graph, loop);
}

static bool may(const struct graph *graph, const struct region *loop) {
  bool has_loop;
  const char *why = against(graph, loop, &has_loop);
  return has_loop && !why;
}

// ---- which loops

static bool has_interleaved(const struct graph *graph, const struct region *loop) {
  for (unsigned i = 0; i < graph->region_count; i++)
    if (graph->regions[i]->any_order && graph_encloses(loop, graph->regions[i]))
      return true;
  return false;
}

bool interleave_is_done(const struct graph *graph) {
  return has_interleaved(graph, graph->top);
}

const char *interleave_against(const struct graph *graph, const struct region *loop) {
  if (!overlap_is_of_one(graph) || interleave_around(loop))
    return NULL;
  bool has_loop;
  const char *why = against(graph, loop, &has_loop);
  return !has_loop                      ? NULL
         : has_interleaved(graph, loop) ? "those of a loop in it are"
         : why                          ? why
                                        : "they would take as long";
}

bool interleave_may(const struct graph *graph) {
  if (!overlap_is_of_one(graph))
    return false;
  for (unsigned i = 0; i < graph->region_count; i++) {
    const struct region *r = graph->regions[i];
    if (r->parent && !r->overlaps && may(graph, r))
      return true;
  }
  return false;
}

void interleave_find(struct graph *graph) {
  if (!graph->interleaves || !overlap_is_of_one(graph))
    return;
  unsigned deepest = 0;
  for (unsigned i = 0; i < graph->region_count; i++) {
    const unsigned depth = graph_depth(graph->regions[i]);
    deepest = depth > deepest ? depth : deepest;
  }
  for (unsigned depth = deepest; depth > 0; depth--)
    for (unsigned i = 0; i < graph->region_count; i++) {
      struct region *r = graph->regions[i];
      if (graph_depth(r) != depth || has_interleaved(graph, r) || !may(graph, r))
        continue;
      r->overlaps = r->any_order = true;
      place_totals(graph, r);
    }
  for (unsigned i = 0; i < graph->region_count; i++) {
    struct region *r = graph->regions[i];
    if (interleave_around(r) && !r->any_order)
      r->why_not = "those of the loop around it are under way together";
  }
  // Of rounds that are not interleaved one is enough, which the loops in them share.
  for (unsigned i = 0; i < graph->array_count; i++)
    if (!interleave_around(graph->arrays[i].round))
      graph->arrays[i].round = NULL;
}
