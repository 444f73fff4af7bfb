// SPDX-License-Identifier: Apache-2.0
// A loop's rounds may overlap if it is known early whether another one follows, what a round needs of the one before is
// made in the segment that needs it, and no access to memory may come before one of an earlier round that it depends
// on.
#include "hls/pipeline/overlap.h"

#include <stdlib.h>

#include "hls/kernel_hints.h"
#include "hls/pipeline/dependence.h"
#include "hls/pipeline/hazards.h"
#include "hls/pipeline/interleave.h"
#include "hls/pipeline/schedule.h"

enum { MOST_STEPS = 4000, MOST_SLOTS_LOG2 = 7 };

// Why a pipeline of a kernel of one work-item is not made for one at a time. NULL: it may be.
static const char *shape_against(const struct graph *graph) {
  return graph->lanes != 1                     ? "the pipeline has several lanes"
         : graph->banks != 1                   ? "there are copies of the pipeline"
         : graph->slots_log2 > MOST_SLOTS_LOG2 ? "there are more than 128 slots (--slots)"
                                               : NULL;
}

static const char *why_not_of_one(const struct graph *graph) {
  const char *why = shape_against(graph);
  return why ? why : graph_asks_for_ids(graph) ? "the kernel asks which work-item or work-group it is" : NULL;
}

bool overlap_may_be_of_one(const struct graph *graph) {
  return kernel_is_of_one(graph->source) && !shape_against(graph);
}

bool overlap_is_of_one(const struct graph *graph) {
  return kernel_is_of_one(graph->source) && !why_not_of_one(graph);
}

// ---- what is known early

struct overlap_early overlap_early_open(const struct graph *graph, const struct region *r) {
  return (struct overlap_early){r, graph_allocate(graph->node_count * sizeof(bool)), MOST_STEPS};
}

bool overlap_mark_early(struct overlap_early *e, const struct node *node) {
  if (node->region != e->r || graph_is_static(node) || e->is[node->id])
    return true;
  if (e->steps == 0 || graph_is_answer(node) || node->op == OP_ELEMENT || node->op == OP_OUT)
    return false;
  e->steps--;
  e->is[node->id] = true;
  if (node->op == OP_PHI)
    return overlap_mark_early(e, e->r->next.items[node->low]);
  for (unsigned i = 0; i < node->count; i++)
    if (!overlap_mark_early(e, node->arguments[i]))
      return false;
  return true;
}

const bool *overlap_early(const struct graph *graph, const struct region *r) {
  struct overlap_early early = overlap_early_open(graph, r);
  return r->again && overlap_mark_early(&early, r->again) ? early.is : NULL;
}

// ---- where values that are carried are made

static int there(const struct region *r, const struct node *node) {
  return node->region == r && !graph_is_static(node) ? node->earliest : 0;
}

static bool is_of_pipe(const struct node *node) {
  return node->op == OP_PIPE_READ || node->op == OP_PIPE_WRITE;
}

// What a segment ends with.
static bool is_access(const struct node *node) {
  return graph_is_of_memory(node) || is_of_pipe(node) || node->op == OP_HAZARDS;
}

// Accesses of an array that a loop sets are in one segment, where rounds come in their order and at known distances.
// Returns whether one has moved.
static bool gather_elements(const struct region *r, unsigned array) {
  int last = 0;
  bool is_set = false, moved = false;
  for (unsigned i = 0; i < r->nodes.count; i++) {
    const struct node *node = r->nodes.items[i];
    if (!graph_is_element(node) || node->number != array)
      continue;
    is_set |= node->op == OP_SET_ELEMENT;
    last = node->earliest > last ? node->earliest : last;
  }
  for (unsigned i = 0; i < r->nodes.count && is_set; i++) {
    struct node *node = r->nodes.items[i];
    if (!graph_is_element(node) || node->number != array || node->earliest == last)
      continue;
    node->earliest = last;
    moved = true;
  }
  return moved;
}

// A carried value is in the segment that makes it anew.
static bool follow(const struct region *r, unsigned i) {
  struct node *phi = r->phis.items[i];
  const int made = there(r, r->next.items[i]);
  if (made <= phi->earliest)
    return false;
  phi->earliest = made;
  return true;
}

// Moves what a loop carries, and what is made of it, to the segment in which it is made anew. False: some access needs
// it before. Nothing moves back, so it ends; words of a shift register follow each other in either direction.
static bool settle(const struct region *r, unsigned array_count) {
  for (;;) {
    bool moved = false;
    for (unsigned a = 0; a < array_count; a++)
      moved |= !hazards_keep_array(r, a) && gather_elements(r, a);
    for (unsigned i = 0; i < r->phis.count; i++)
      moved |= follow(r, i);
    for (unsigned i = r->phis.count; i-- > 0;)
      moved |= follow(r, i);
    for (unsigned i = 0; i < r->nodes.count; i++) {
      struct node *node = r->nodes.items[i];
      for (unsigned k = 0; k < node->count && node->op != OP_PHI && node->op != OP_OUT; k++) {
        const int at = there(r, node->arguments[k]);
        if (is_access(node) && at > (int)node->home->index)
          return false;
        if (!is_access(node) && at > node->earliest) {
          node->earliest = at;
          moved = true;
        }
      }
      if (node->earliest >= (int)r->segment_count)
        return false;
    }
    if (!moved)
      return true;
  }
}

// ---- memory

static bool memory_allows(const struct graph *graph, const struct region *r) {
  for (unsigned i = 0; i < r->segment_count; i++)
    for (unsigned k = 0; k < i; k++) {
      const struct segment *second = r->segments[i], *first = r->segments[k];
      for (unsigned x = 0; x < second->group.count; x++)
        for (unsigned y = 0; y < first->group.count; y++)
          if (!hazards_keep(r, second->group.items[x], first->group.items[y]) &&
              dependence_of_accesses(graph, r, second->group.items[x], first->group.items[y], 1u << graph->slots_log2))
            return false;
    }
  return true;
}

// ---- a loop

bool overlap_is_simple(const struct node *node) {
  if (graph_is_of_memory(node))
    return node->space == SPACE_GLOBAL && node->window == WINDOW_NONE && node->local_array == 0 &&
           (node->op == OP_STORE || node->number != 1);
  switch (node->op) {
    case OP_ELEMENT:
      return node->local_array == 0;
    case OP_CHECK:
      return node->number == CHECK_ADDRESS || node->number == CHECK_FIXED;
    case OP_PIPE_READ:
    case OP_PIPE_WRITE:
    case OP_HAZARDS:
      return true;
    case OP_MEETING:
    case OP_SCAN:
    case OP_FSCAN:
      return false;
    default:
      return !graph_is_ordered(node);
  }
}

// Whether a round reads a pipe, or writes it, in several places: those of different rounds would change their order.
static bool uses_pipe_twice(const struct region *r) {
  bool used[PIPELINE_MOST_PIPES] = {false};
  for (unsigned i = 0; i < r->nodes.count; i++) {
    const struct node *node = r->nodes.items[i];
    if (node->op != OP_PIPE_READ && node->op != OP_PIPE_WRITE)
      continue;
    if (used[node->pipe])
      return true;
    used[node->pipe] = true;
  }
  return false;
}

// The loops right in a region, and one of them.
static unsigned loops_in(const struct region *r, const struct region **loop) {
  unsigned count = 0;
  for (unsigned i = 0; i < r->nodes.count; i++)
    if (r->nodes.items[i]->op == OP_LOOP) {
      *loop = r->nodes.items[i]->loop;
      count++;
    }
  return count;
}

static const char *reason_of(const struct graph *graph, const struct region *r) {
  for (unsigned i = 0; graph->as_one && i < graph->as_one->count; i++)
    if (graph->as_one->items[i].line == r->line)
      return graph->as_one->items[i].text;
  return NULL;
}

// What is said of a loop with loops in it: nests have been tried as one loop (variants.c), which has the line of one of
// them.
static const char *loops_against(const struct graph *graph, const struct region *r) {
  const char *reason = reason_of(graph, r);
  unsigned count;
  while ((count = loops_in(r, &r)) == 1)
    reason = reason ? reason : reason_of(graph, r);
  return count != 0 ? "there are loops in it, one behind another" : reason ? reason : "there is a loop in it";
}

// NULL: its rounds may overlap.
static const char *obstacle(struct graph *graph, struct region *r) {
  for (unsigned i = 0; i < r->nodes.count; i++)
    if (!overlap_is_simple(r->nodes.items[i]))
      return r->nodes.items[i]->op == OP_LOOP
                 ? loops_against(graph, r)
                 : "it has an atomic, or memory that is neither global nor an array with a memory of its own";
  if (uses_pipe_twice(r))
    return "it reads a pipe in several places, or writes one";
  const bool *early = overlap_early(graph, r);
  if (!early)
    return "whether it goes on depends on what it loads";
  if (!memory_allows(graph, r))
    return r->meets_soon ? "a round loads or stores what one right in front of it has stored"
                         : "a store may be to what a later round loads or stores (restrict, or in SYCL "
                           "[[intel::kernel_args_restrict]], says that pointers are to different memory)";
  int *before = graph_allocate(graph->node_count * sizeof *before);
  for (unsigned i = 0; i < r->nodes.count; i++)
    before[r->nodes.items[i]->id] = r->nodes.items[i]->earliest;
  if (!settle(r, graph->array_count)) {
    for (unsigned i = 0; i < r->nodes.count; i++)
      r->nodes.items[i]->earliest = before[r->nodes.items[i]->id];
    return "an access that comes before a load depends on what that has loaded in the round before";
  }
  for (unsigned i = 0; i < r->phis.count; i++)
    r->phis.items[i]->is_state = !early[r->phis.items[i]->id];
  return NULL;
}

void overlap_find(struct graph *graph) {
  if (!kernel_is_of_one(graph->source))
    return;
  const char *why = why_not_of_one(graph);
  interleave_find(graph);
  for (unsigned i = 0; i < graph->region_count; i++) {
    struct region *r = graph->regions[i];
    if (r->parent && !interleave_around(r)) {
      r->why_not = why ? why : obstacle(graph, r);
      r->overlaps = !r->why_not;
    }
    graph->is_of_one |= r->overlaps;
  }
  graph->is_of_one |= graph->arrays_of_one;
  if (graph->is_of_one)
    graph->group_slots_log2 = 1;  // of arrays, which have two at least
}
