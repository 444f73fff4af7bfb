// SPDX-License-Identifier: Apache-2.0
// Cuts each region into segments, static pipelines that end where a token has to wait: at a group of loads or of
// stores, at a loop, at a barrier, or for its turn at operators that it shares. Then gives every operation a segment: a
// value that is wide where it is made and narrow in what it is made from is computed where it is used, all others as
// soon as they can be, so that little is kept by slot.
#include <stdlib.h>

#include "hls/pipeline/hazards.h"
#include "hls/pipeline/overlap.h"
#include "hls/pipeline/schedule.h"

bool graph_is_ordered(const struct node *node) {
  switch (node->op) {
    case OP_LOAD:
    case OP_STORE:
    case OP_ATOMIC:
    case OP_PIPE_READ:
    case OP_PIPE_WRITE:
    case OP_HAZARDS:
    case OP_BARRIER:
    case OP_CARRY:
    case OP_TOTAL:
    case OP_LOOP:
      return true;
    default:
      return false;
  }
}

static struct segment *new_segment(struct graph *graph, struct region *r, struct segment *from) {
  struct segment *s = graph_allocate(sizeof *s);
  s->id = graph->segment_count;
  s->region = r;
  s->index = r->segment_count;
  s->from = from;
  graph->segments = realloc(graph->segments, (graph->segment_count + 1) * sizeof(struct segment *));
  graph->segments[graph->segment_count++] = s;
  r->segments = realloc(r->segments, (r->segment_count + 1) * sizeof(struct segment *));
  r->segments[r->segment_count++] = s;
  return s;
}

// The first segment of its region in which a value is there: -1 from the start. What ordered operations give is there
// in the segment behind them.
static int there(const struct region *r, const struct node *node) {
  if (node->region != r)
    return 0;  // of an outer region: from the start
  return node->earliest;
}

static int earliest_of(const struct region *r, const struct node *node) {
  int earliest = 0;
  for (unsigned i = 0; i < node->count; i++) {
    const int at = there(r, node->arguments[i]);
    if (at > earliest)
      earliest = at;
  }
  for (unsigned i = 0; i < node->after.count; i++)
    if (node->after.items[i]->earliest > earliest)
      earliest = node->after.items[i]->earliest;
  return earliest;
}

// Whether the value of one access is part of what another access needs.
static bool depends(const struct region *r, const struct node *node, int segment) {
  return earliest_of(r, node) > segment;
}

static bool joins(const struct segment *s, const struct node *node) {
  if (s->group.count == 0 || s->group.count >= MOST_GROUP)
    return false;
  const struct node *first = s->group.items[0];
  return (node->op == OP_LOAD || node->op == OP_STORE) && node->op == first->op && node->space == first->space &&
         node->local_array == first->local_array && node->window == first->window && node->stream == first->stream &&
         node->space != SPACE_GENERIC &&
         (node->window == WINDOW_NONE ||
          s->group.count < MOST_WINDOW_LOADS * (node->window == WINDOW_OF_TOKEN ? 4 : 1));
}

// Cuts one region. Stores into local arrays are held back until something has to be behind them, so that loads of
// global memory that stand between them go together.
struct cutter {
  struct graph *graph;
  struct region *r;
  struct segment *s;
  bool closed;  // nothing can join the last group
  struct list held;
};

static void cut(struct graph *graph, struct region *r);

static void begin_segment(struct cutter *c) {
  struct segment *before = c->s;
  c->s = new_segment(c->graph, c->r, before);
  before->next = c->s;
}

static void cut_loop(struct cutter *c, struct node *node) {
  struct region *loop = node->loop;
  // A segment that ends with accesses ends there; the loop begins behind the next one.
  if (c->s->group.count != 0)
    begin_segment(c);
  c->s->end = END_LOOP;
  list_add(&c->s->group, node);
  cut(c->graph, loop);
  loop->first->from = c->s;
  c->s->next = loop->first;
  c->s = new_segment(c->graph, c->r, loop->last);
  loop->last->next = c->s;
  // What the loop leaves.
  for (unsigned k = 0; k < c->graph->node_count; k++) {
    struct node *out = c->graph->nodes[k];
    if (out->op == OP_OUT && out->region == c->r && out->loop == loop)
      out->earliest = (int)c->s->index;
  }
  node->earliest = (int)c->s->index;
  c->closed = true;
}

static void cut_ordered(struct cutter *c, struct node *node) {
  if (node->op == OP_LOOP) {
    cut_loop(c, node);
    return;
  }
  if (c->closed || !joins(c->s, node) || depends(c->r, node, (int)c->s->index)) {
    if (c->s->group.count != 0)
      begin_segment(c);
    c->closed = false;
    c->s->end = node->op == OP_STORE                                    ? END_STORES
                : node->op == OP_LOAD || node->op == OP_ATOMIC          ? END_LOADS
                : node->op == OP_PIPE_READ || node->op == OP_PIPE_WRITE ? END_PIPE
                : node->op == OP_HAZARDS                                ? END_HAZARDS
                                                                        : END_BARRIER;
  }
  list_add(&c->s->group, node);
  node->earliest = (int)c->s->index + 1;
  node->home = c->s;
  if (node->op != OP_LOAD && node->op != OP_STORE)
    c->closed = true;
}

static void release(struct cutter *c) {
  for (unsigned i = 0; i < c->held.count; i++)
    cut_ordered(c, c->held.items[i]);
  c->held = (struct list){NULL, 0};
}

static bool is_behind_held(const struct cutter *c, const struct node *node) {
  for (unsigned i = 0; i < node->after.count; i++)
    for (unsigned k = 0; k < c->held.count; k++)
      if (node->after.items[i] == c->held.items[k])
        return true;
  return false;
}

// Whether operations of a region that nothing has to be behind could share an operator. Says for all of them whether
// they are so: `earliest` is 0. Those that are made first stay in front.
static bool are_alike_at_entry(const struct graph *graph, const struct region *r, const bool *first) {
  bool any = false;
  for (unsigned i = 0; i < r->nodes.count; i++) {
    struct node *node = r->nodes.items[i];
    node->earliest = graph_is_ordered(node) ? 1 : earliest_of(r, node);
    const bool may_share =
        graph_is_large(node) && !graph_is_static(node) && node->earliest == 0 && !(first && first[node->id]);
    for (unsigned k = 0; k < i && !any && may_share; k++) {
      const struct node *other = r->nodes.items[k];
      any = other->earliest == 0 && !(first && first[other->id]) && graph_is_of_one_operator(graph, node, other);
    }
  }
  return any;
}

// Whether tokens are to be kept apart behind the launch or the entry of a loop, where operations can share operators
// only then: what comes back goes first there, and rounds that overlap start when they can. Lanes take turns at
// operators behind the launch as it is.
static bool is_kept_apart(const struct graph *graph, const struct region *r, const bool *first) {
  const bool is_asked = r->parent ? graph->share != 0 : graph->share > graph_most_turns(graph);
  const bool is_of_use = graph->operations_share_freely && graph->intervals[r->id] > 1;
  return (is_asked || is_of_use) && are_alike_at_entry(graph, r, first);
}

// Ordered operations in the program's order; what they need may need others first, so earliest is found on the way.
static void cut(struct graph *graph, struct region *r) {
  struct cutter c = {.graph = graph, .r = r, .s = new_segment(graph, r, NULL), .closed = true};
  r->first = c.s;
  // What rounds that overlap make first, for the next round to begin.
  const bool *first = overlap_is_of_one(graph) ? overlap_early(graph, r) : NULL;
  const bool is_apart = is_kept_apart(graph, r, first);
  if (is_apart) {
    c.s->end = END_APART;
    begin_segment(&c);
  }
  for (unsigned i = 0; i < r->nodes.count; i++) {
    struct node *node = r->nodes.items[i];
    if (!graph_is_ordered(node)) {
      if (is_behind_held(&c, node))
        release(&c);
      node->earliest = earliest_of(r, node);
      if (is_apart && graph_is_large(node) && node->earliest == 0 && !(first && first[node->id]))
        node->earliest = 1;
    } else if (node->op == OP_STORE && node->local_array != 0) {
      list_add(&c.held, node);
    } else {
      if (node->op != OP_LOAD || node->space != SPACE_GLOBAL)
        release(&c);
      cut_ordered(&c, node);
    }
  }
  release(&c);
  if (c.s->group.count != 0)
    begin_segment(&c);
  c.s->end = r->parent ? END_BACK : END_EXIT;
  r->last = c.s;
}

// ---- where operations go

static void used(struct region *r, struct node *node, int segment) {
  if (node->region != r || graph_is_ordered(node))
    return;
  if (segment < node->latest)
    node->latest = segment;
}

// What a region's operations, and the loops in it, use of its values: the first segment that does.
static void use_of_region(struct region *of, struct region *r, int segment, struct graph *graph) {
  for (unsigned i = 0; i < r->nodes.count; i++)
    for (unsigned k = 0; k < r->nodes.items[i]->count; k++)
      used(of, r->nodes.items[i]->arguments[k], segment);
  for (unsigned k = 0; k < r->next.count; k++)
    used(of, r->next.items[k], segment);
  if (r->again)
    used(of, r->again, segment);
  for (unsigned i = 0; i < graph->region_count; i++) {
    struct region *child = graph->regions[i];
    if (child->parent != r)
      continue;
    used(of, child->enter, segment);
    for (unsigned k = 0; k < child->initial.count; k++)
      used(of, child->initial.items[k], segment);
    use_of_region(of, child, segment, graph);
  }
}

static unsigned bits(const struct graph *graph, const struct node *node) {
  return graph_is_static(node) ? 0 : node->width * graph_copies(graph, node);
}

static bool is_wiring(const struct node *node) {
  switch (node->op) {
    case OP_ZEXT:
    case OP_SEXT:
      return true;
    case OP_SHL:
    case OP_LSHR:
      return node->arguments[1]->op == OP_CONSTANT;
    default:
      return false;
  }
}

// Bits that have to be kept to have a value: wiring can be done again.
static unsigned information(const struct graph *graph, const struct node *node) {
  const unsigned own = bits(graph, node);
  if (!is_wiring(node))
    return own;
  const unsigned inner = information(graph, node->arguments[0]);
  return inner < own ? inner : own;
}

static void place(struct graph *graph, struct region *r) {
  for (unsigned i = 0; i < r->nodes.count; i++)
    r->nodes.items[i]->latest = (int)r->segment_count - 1;
  // Uses that are not operations of this region.
  for (unsigned i = 0; i < graph->region_count; i++) {
    struct region *loop = graph->regions[i];
    if (loop->parent != r)
      continue;
    const int at = (int)loop->first->from->index;
    used(r, loop->enter, at);
    for (unsigned k = 0; k < loop->initial.count; k++)
      used(r, loop->initial.items[k], at);
    use_of_region(r, loop, at, graph);
  }
  for (unsigned i = 0; i < r->segment_count; i++)
    for (unsigned k = 0; k < r->segments[i]->group.count; k++) {
      const struct node *node = r->segments[i]->group.items[k];
      for (unsigned a = 0; a < node->count; a++)
        used(r, node->arguments[a], (int)i);
    }
  // From the last to the first, so that uses are placed before what they use.
  for (unsigned i = r->nodes.count; i-- > 0;) {
    struct node *node = r->nodes.items[i];
    if (graph_is_ordered(node))
      continue;
    int at = node->earliest;
    // Where rounds overlap, what the next one needs is not to come later.
    if (!graph_is_given(node) && node->latest > at && !r->overlaps) {
      unsigned in = 0;
      for (unsigned k = 0; k < node->count; k++)
        in += information(graph, node->arguments[k]);
      const struct cost cost = graph_cost(graph, node);
      // Only what takes no time and is no operation across lanes: their masks are those of the place they stand in.
      if (cost.latency == 0 && bits(graph, node) >= in && node->op != OP_LAST && node->op != OP_BELOW &&
          node->op != OP_BALLOT)
        at = node->latest;
    }
    // A value that outer regions take from the loop is written where it is made, once a round.
    node->home = r->segments[at];
    node->latest = at;
    for (unsigned k = 0; k < node->count; k++)
      used(r, node->arguments[k], at);
  }
  for (unsigned i = 0; i < r->nodes.count; i++)
    if (!graph_is_ordered(r->nodes.items[i]) && !graph_is_static(r->nodes.items[i]))
      list_add(&r->nodes.items[i]->home->nodes, r->nodes.items[i]);
}

// ---- wiring, once more in each segment that wants it

struct copies {
  struct node **of, **copy;
  unsigned count;
  struct list made;
};

static struct node *wired_here(struct graph *graph, struct segment *s, struct copies *copies, struct node *node) {
  if (graph_is_static(node) || node->home == s || !is_wiring(node) || information(graph, node) >= bits(graph, node))
    return node;
  for (unsigned i = 0; i < copies->count; i++)
    if (copies->of[i] == node)
      return copies->copy[i];
  struct node *copy = graph_allocate(sizeof *copy);
  *copy = *node;
  copy->arguments = graph_allocate(node->count * sizeof *copy->arguments);
  for (unsigned i = 0; i < node->count; i++)
    copy->arguments[i] = wired_here(graph, s, copies, node->arguments[i]);
  copy->id = graph->node_count;
  copy->region = s->region;
  copy->home = s;
  struct list all = {graph->nodes, graph->node_count};
  list_add(&all, copy);
  graph->nodes = all.items;
  graph->node_count = all.count;
  copies->of = realloc(copies->of, (copies->count + 1) * sizeof(struct node *));
  copies->copy = realloc(copies->copy, (copies->count + 1) * sizeof(struct node *));
  copies->of[copies->count] = node;
  copies->copy[copies->count++] = copy;
  list_add(&copies->made, copy);
  return copy;
}

static bool is_access(const struct segment *s) {
  return s->end == END_LOADS || s->end == END_STORES || s->end == END_PIPE || s->end == END_HAZARDS;
}

static void wire_again(struct graph *graph, struct segment *s) {
  struct copies copies = {0};
  for (unsigned i = 0; i < s->nodes.count; i++)
    for (unsigned k = 0; k < s->nodes.items[i]->count; k++)
      s->nodes.items[i]->arguments[k] = wired_here(graph, s, &copies, s->nodes.items[i]->arguments[k]);
  for (unsigned i = 0; i < s->group.count && is_access(s); i++)
    for (unsigned k = 0; k < s->group.items[i]->count; k++)
      s->group.items[i]->arguments[k] = wired_here(graph, s, &copies, s->group.items[i]->arguments[k]);
  if (s->end == END_BACK && !s->region->overlaps)
    for (unsigned i = 0; i < s->region->next.count; i++)
      s->region->next.items[i] = wired_here(graph, s, &copies, s->region->next.items[i]);
  for (unsigned i = 0; i < s->nodes.count; i++)
    list_add(&copies.made, s->nodes.items[i]);
  s->nodes = copies.made;
}

static int by_window_order(const void *a, const void *b) {
  const struct node *x = *(struct node *const *)a, *y = *(struct node *const *)b;
  if (x->window_order != y->window_order)
    return x->window_order < y->window_order ? -1 : 1;
  return x->id < y->id ? -1 : x->id > y->id;
}

// A window begins at the first of its loads.
static void sort_windows(struct graph *graph) {
  for (unsigned i = 0; i < graph->segment_count; i++) {
    struct segment *s = graph->segments[i];
    s->is_window = s->end == END_LOADS && s->group.items[0]->window != WINDOW_NONE;
    if (s->is_window)
      qsort(s->group.items, s->group.count, sizeof(struct node *), by_window_order);
  }
}

// The sites of a memory group follow each other: the first one's number and that of the access are the site's. Of an
// access of several words the site is that of its first. Behind them are those of collectives, then
// those of words that are loaded once a dispatch.
static void number_sites(struct graph *graph) {
  struct site *sites =
      graph_allocate((graph->site_count + 2 * (size_t)graph->node_count + MOST_FIXED + 1) * sizeof *sites);
  unsigned count = 0;
  struct accesses accesses;
  for (unsigned i = 0; i < graph->segment_count; i++) {
    struct segment *s = graph->segments[i];
    if (s->end != END_LOADS && s->end != END_STORES)
      continue;
    schedule_accesses(graph, s, &accesses);
    s->first_site = count;
    s->access_count = accesses.count;
    if (s->local_array != 0)
      continue;
    for (unsigned k = 0; k < accesses.count; k++)
      sites[count++] = graph->sites[accesses.items[k].nodes[0]->site];
  }
  for (unsigned i = 0; i < graph->node_count; i++)
    if (graph->nodes[i]->op == OP_CHECK && graph->nodes[i]->wanted) {
      sites[count] = graph->sites[graph->nodes[i]->site];
      graph->nodes[i]->site = count++;
    }
  for (unsigned i = 0; i < graph->fixed_count; i++) {
    sites[count] = graph->sites[graph->fixed[i].site];
    graph->fixed[i].site = count++;
  }
  graph->sites = sites;
  graph->site_count = count;
}

// Those of memory first.
static void number_ports(struct graph *graph) {
  unsigned ports = 0;
  for (unsigned i = 0; i < graph->segment_count; i++) {
    struct segment *s = graph->segments[i];
    if (s->end != END_LOADS && s->end != END_STORES)
      continue;
    s->local_array = s->group.items[0]->local_array;
    if (s->local_array == 0)
      s->port = ports++;
  }
  graph->ports = ports;
  for (unsigned i = 0; i < graph->segment_count; i++) {
    struct segment *s = graph->segments[i];
    if (s->local_array == 0)
      continue;
    s->port = ports++;
    s->writer = graph->arrays[s->local_array - 1].writers++;
  }
}

static void cut_all(struct graph *graph) {
  graph->segment_count = 0;
  graph->is_of_one = false;
  for (unsigned i = 0; i < graph->region_count; i++) {
    struct region *r = graph->regions[i];
    r->segment_count = 0;
    r->overlaps = r->any_order = false;
    r->why_not = NULL;
    for (unsigned k = 0; k < r->phis.count; k++)
      r->phis.items[k]->is_state = false;
  }
  cut(graph, graph->top);
  overlap_find(graph);
}

enum status graph_segments(struct graph *graph) {
  graph_order_arrays(graph);
  graph_products(graph);
  hazards_find(graph);
  cut_all(graph);
  if (hazards_drop(graph))
    cut_all(graph);
  for (unsigned i = 0; i < graph->region_count; i++)
    place(graph, graph->regions[i]);
  for (unsigned i = 0; i < graph->segment_count; i++)
    wire_again(graph, graph->segments[i]);
  // What comes with a barrier's release is there when the next segment begins.
  for (unsigned i = 0; i < graph->segment_count; i++) {
    struct segment *s = graph->segments[i];
    if (s->end == END_BARRIER)
      s->group.items[0]->home = s->next;
  }
  // A segment's operations are in the order in which they were made, arguments first, since a region's are.
  sort_windows(graph);
  number_ports(graph);
  number_sites(graph);
  return STATUS_OK;
}
