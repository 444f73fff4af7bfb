// SPDX-License-Identifier: Apache-2.0
// Finds the collectives that lanes may come to although they have missed one before, and has hardware look at these:
// fault `divergent collective`. A programmable unit waits at a collective for all live lanes, so that it runs one of
// which some are absent only if these return before they come to another. So the lanes that were absent at one are
// remembered, as a value of the token, and the next one that any of them comes to is a fault; the same of sub-groups
// that were absent at a work-group's collective. Where masks show that it cannot be there is nothing: a lane that is
// at the later one was at the earlier one, if all that chose the lanes of the earlier one chose those of the later one.
#include <stdlib.h>

#include "hls/pipeline/build.h"
#include "hls/pipeline/graph.h"

enum level { LANES_OF_SUB_GROUP, SUB_GROUPS_OF_WORK_GROUP, LEVELS };

// A collective: a marker of the graph.
struct meeting {
  struct node *marker;
  struct list chosen;    // what chose its lanes: conditions, and masks of loops
  bool missed[LEVELS];   // who is absent here may come to another
  bool checked[LEVELS];  // who comes here may have missed one
  unsigned from;         // of those, how many, and the last one
  const struct meeting *one;
};

struct finder {
  struct graph *graph;
  struct meeting *meetings;
  unsigned count;
  struct builder b;
};

static bool has(const struct list *list, const struct node *node) {
  for (unsigned i = 0; i < list->count; i++)
    if (list->items[i] == node)
      return true;
  return false;
}

static void add_chosen(const struct graph *graph, struct list *chosen, struct node *node) {
  if (node->op == OP_CONSTANT || node == graph->top->mask || has(chosen, node))
    return;
  if (node->op == OP_AND && node->width == 1) {
    add_chosen(graph, chosen, node->arguments[0]);
    add_chosen(graph, chosen, node->arguments[1]);
    return;
  }
  list_add(chosen, node);
  if (node->op == OP_MASK)
    add_chosen(graph, chosen, node->region->enter);
}

// Whether all lanes, or all sub-groups, have the same of a condition.
static bool is_alike(const struct graph *graph, const struct node *node, enum level level) {
  if (level == SUB_GROUPS_OF_WORK_GROUP)
    return graph_is_of_group(graph, node);
  return node->class <= CLASS_TOKEN;
}

// Whether a thing that chose lanes left none out that the token, or the work-group, has. A loop's mask leaves none out
// of those that entered if all leave in the same round.
static bool leaves_none_out(const struct graph *graph, const struct node *node, enum level level) {
  if (node->op != OP_MASK)
    return is_alike(graph, node, level);
  const struct node *condition = graph_condition(node->region);
  return node->region->again == node || (condition && is_alike(graph, condition, level));
}

// Whether who is at a meeting with these masks was at the earlier one.
static bool were_there(const struct graph *graph, const struct meeting *earlier, const struct list *chosen,
                       enum level level) {
  for (unsigned i = 0; i < earlier->chosen.count; i++)
    if (!has(chosen, earlier->chosen.items[i]) && !leaves_none_out(graph, earlier->chosen.items[i], level))
      return false;
  return true;
}

static void compare(struct finder *f, struct meeting *earlier, struct meeting *later, const struct list *chosen) {
  for (enum level level = 0; level < LEVELS; level++) {
    const bool possible =
        level == LANES_OF_SUB_GROUP ? f->graph->lanes > 1 : earlier->marker->number != 0 && later->marker->number != 0;
    if (!possible || were_there(f->graph, earlier, chosen, level))
      continue;
    earlier->missed[level] = later->checked[level] = true;
    if (later->one != earlier)
      later->from++;
    later->one = earlier;
  }
}

// Two of which the later one is of a later round of a loop around both: what chose its lanes in the loop was another.
static void compare_rounds(struct finder *f, struct meeting *earlier, struct meeting *later,
                           const struct region *loop) {
  struct list chosen = {NULL, 0};
  for (unsigned i = 0; i < later->chosen.count; i++)
    if (!graph_encloses(loop, later->chosen.items[i]->region))
      list_add(&chosen, later->chosen.items[i]);
  add_chosen(f->graph, &chosen, loop->again);
  compare(f, earlier, later, &chosen);
}

static void find(struct finder *f, const struct region *r) {
  for (unsigned i = 0; i < r->nodes.count; i++) {
    struct node *node = r->nodes.items[i];
    if (node->op == OP_LOOP)
      find(f, node->loop);
    if (node->op != OP_MEETING)
      continue;
    f->meetings = realloc(f->meetings, (f->count + 1) * sizeof *f->meetings);
    if (!f->meetings)
      exit(STATUS_FAILED);
    struct meeting *meeting = &f->meetings[f->count++];
    *meeting = (struct meeting){.marker = node};
    add_chosen(f->graph, &meeting->chosen, node->arguments[0]);
  }
}

static void compare_all(struct finder *f) {
  for (unsigned i = 0; i < f->count; i++)
    for (unsigned k = i + 1; k < f->count; k++)
      compare(f, &f->meetings[i], &f->meetings[k], &f->meetings[k].chosen);
  for (unsigned l = 0; l < f->graph->region_count; l++) {
    const struct region *loop = f->graph->regions[l];
    for (unsigned i = 0; i < f->count && loop->parent; i++)
      for (unsigned k = 0; k < f->count; k++)
        if (graph_encloses(loop, f->meetings[i].marker->region) && graph_encloses(loop, f->meetings[k].marker->region))
          compare_rounds(f, &f->meetings[i], &f->meetings[k], loop);
  }
}

// ---- what hardware does

static const struct meeting *meeting_of(const struct finder *f, const struct node *marker) {
  for (unsigned i = 0; i < f->count; i++)
    if (f->meetings[i].marker == marker)
      return &f->meetings[i];
  return NULL;
}

static bool changes(const struct finder *f, const struct region *loop, enum level level) {
  for (unsigned i = 0; i < f->count; i++)
    if (f->meetings[i].missed[level] && graph_encloses(loop, f->meetings[i].marker->region))
      return true;
  return false;
}

static struct node *is_zero(struct builder *b, struct node *x) {
  return build_compare(b, OP_EQ, x, build_constant(b->graph, x->width, 0));
}

static unsigned width_of(const struct graph *graph, enum level level) {
  return level == LANES_OF_SUB_GROUP ? graph->lanes : 1;
}

// One collective: checks who is here, then who is not. `absent` has who was absent so far.
static void meet(struct finder *f, const struct meeting *meeting, struct node *absent[LEVELS]) {
  struct builder *b = &f->b;
  struct graph *graph = f->graph;
  struct node *active = meeting->marker->arguments[0];
  struct node *here = build_slice(b, build_node(b, OP_BALLOT, 32, 0, 1, &active), 0, graph->lanes);
  struct node *nobody = is_zero(b, here);
  struct node *wrong = NULL;
  if (meeting->checked[LANES_OF_SUB_GROUP])
    wrong = build_two(b, OP_AND, here, absent[LANES_OF_SUB_GROUP]);
  if (meeting->checked[SUB_GROUPS_OF_WORK_GROUP]) {
    struct node *all = build_select(b, absent[SUB_GROUPS_OF_WORK_GROUP], here, build_constant(graph, graph->lanes, 0));
    wrong = !wrong ? all : build_two(b, OP_OR, wrong, all);
  }
  if (wrong && wrong->op != OP_CONSTANT) {
    struct node *check = build_ordered(b, OP_CHECK, 0, 0, 1, &wrong);
    // The record names the one that was missed, where there is only one.
    const struct node *site = meeting->from == 1 ? meeting->one->marker : meeting->marker;
    check->line = site->line;
    check->site = site->site;
  }
  if (meeting->missed[LANES_OF_SUB_GROUP]) {
    struct node *more = build_two(b, OP_OR, absent[LANES_OF_SUB_GROUP], build_not(b, here));
    absent[LANES_OF_SUB_GROUP] = build_select(b, nobody, absent[LANES_OF_SUB_GROUP], more);
  }
  if (meeting->missed[SUB_GROUPS_OF_WORK_GROUP]) {
    struct node *somebody = build_resize(b, build_not(b, nobody), 32, false);
    struct node *total = build_ordered(b, OP_TOTAL, 32, LANE_OR, 1, &somebody);
    struct node *missed = build_and(b, nobody, build_slice(b, total, 0, 1));
    absent[SUB_GROUPS_OF_WORK_GROUP] = build_or(b, absent[SUB_GROUPS_OF_WORK_GROUP], missed);
  }
}

static void walk(struct finder *f, struct region *r, struct node *absent[LEVELS]);

// Around a loop that changes it, who was absent is carried.
static void walk_loop(struct finder *f, struct region *loop, struct node *absent[LEVELS]) {
  struct builder *b = &f->b;
  struct region *outer = b->region;
  struct node *inside[LEVELS];
  bool carried[LEVELS];
  for (enum level level = 0; level < LEVELS; level++) {
    inside[level] = absent[level];
    carried[level] = changes(f, loop, level);
    if (!carried[level])
      continue;
    b->region = loop;
    inside[level] = build_node(b, OP_PHI, width_of(f->graph, level), loop->phis.count, 0, NULL);
    list_add(&loop->phis, inside[level]);
    list_add(&loop->initial, absent[level]);
  }
  walk(f, loop, inside);
  for (enum level level = 0; level < LEVELS; level++) {
    if (!carried[level])
      continue;
    list_add(&loop->next, inside[level]);
    b->region = outer;
    absent[level] = build_out(b, loop, inside[level], OUT_OF_TOKEN);
  }
  b->region = outer;
}

static void walk(struct finder *f, struct region *r, struct node *absent[LEVELS]) {
  struct list nodes = r->nodes;
  r->nodes = (struct list){NULL, 0};
  f->b.region = r;
  for (unsigned i = 0; i < nodes.count; i++) {
    struct node *node = nodes.items[i];
    f->b.line = node->line;
    if (node->op == OP_LOOP)
      walk_loop(f, node->loop, absent);
    if (node->op == OP_MEETING)
      meet(f, meeting_of(f, node), absent);
    list_add(&r->nodes, node);
  }
}

enum status graph_divergence(struct graph *graph) {
  struct finder f = {.graph = graph, .b = {.graph = graph}};
  bool needed = false;
  find(&f, graph->top);
  compare_all(&f);
  for (unsigned i = 0; i < f.count; i++)
    for (enum level level = 0; level < LEVELS; level++)
      needed |= f.meetings[i].checked[level];
  if (needed) {
    struct node *absent[LEVELS];
    for (enum level level = 0; level < LEVELS; level++)
      absent[level] = build_constant(graph, width_of(graph, level), 0);
    walk(&f, graph->top, absent);
  }
  free(f.meetings);
  graph->has_meetings = false;
  graph_prune(graph);
  return STATUS_OK;
}
