// SPDX-License-Identifier: Apache-2.0
// Gives every operation of a segment its stage: as soon as what it takes is there, and as many in one stage as fit into
// the period. A value of another segment comes from a slot store, which answers late in stage 1 or later.
#include "hls/pipeline/schedule.h"

#include <stdlib.h>

#include "hls/pipeline/scheduling.h"

#define BLOCK_STORE_NS 8.0  // a block RAM's answer, and the way from it: a choice fits behind it, an adder does not
#define DISTRIBUTED_STORE_NS 1.2  // of distributed RAM, behind its register
#define RING_NS 3.4

bool schedule_is_fair(const struct region *loop) {
  return loop->touches_memory && !loop->overlaps;
}

static void add_end(struct node **nodes, unsigned room, unsigned *count, struct node *node) {
  for (unsigned i = 0; i < *count && i < room; i++)
    if (nodes[i] == node)
      return;
  if (*count < room)
    nodes[*count] = node;
  (*count)++;
}

// What is wanted at a segment's last stage. Returns how many values these are; the first `room` of them are written.
static unsigned wanted_at_end(const struct graph *graph, const struct segment *segment, struct node **nodes,
                              unsigned room) {
  unsigned count = 0;
  if (segment->end == END_LOADS || segment->end == END_STORES) {
    struct accesses accesses;
    schedule_accesses(graph, segment, &accesses);
    for (unsigned i = 0; i < accesses.root_count; i++)
      add_end(nodes, room, &count, accesses.roots[i]);
    for (unsigned i = 0; i < accesses.mask_count; i++)
      add_end(nodes, room, &count, accesses.masks[i]);
    for (unsigned i = 0; i < accesses.data_count; i++)
      add_end(nodes, room, &count, accesses.datas[i]);
  } else if (segment->end == END_PIPE || segment->end == END_HAZARDS) {
    const struct node *access = segment->group.items[0];
    for (unsigned i = 0; i < access->count; i++)
      add_end(nodes, room, &count, access->arguments[i]);
  } else if (segment->end == END_BACK) {
    const struct region *r = segment->region;
    if (r->any_order)
      return count;
    add_end(nodes, room, &count, r->again);
    if (r->overlaps)
      return count;
    if (r->go)
      add_end(nodes, room, &count, r->go);
    for (unsigned i = 0; i < r->next.count; i++)
      add_end(nodes, room, &count, r->next.items[i]);
  } else if (segment->end == END_LOOP) {
    const struct region *loop = segment->group.items[0]->loop;
    if (schedule_is_fair(loop)) {
      add_end(nodes, room, &count, loop->enter);
      for (unsigned i = 0; i < loop->initial.count; i++)
        add_end(nodes, room, &count, loop->initial.items[i]);
    }
  }
  return count;
}

static bool is_made_here(const struct segment *segment, const struct node *node) {
  if (graph_is_answer(node) || node->op == OP_OUT)
    return false;
  return node->home == segment;
}

bool schedule_is_written_by_lane(const struct node *node) {
  return graph_is_answer(node) || node->op == OP_OUT;
}

bool schedule_is_read(const struct segment *segment, const struct node *node) {
  return !graph_is_static(node) && !is_made_here(segment, node);
}

// Bits of one memory of a value's slot store: of all lanes, where they are written together, else of one.
static unsigned store_width(const struct graph *graph, const struct node *node) {
  return schedule_is_written_by_lane(node) ? node->width : node->width * graph_copies(graph, node);
}

bool schedule_is_in_block_ram(const struct graph *graph, unsigned width) {
  return graph->slots_log2 > 4 && (width >= 9 || (width >= 3 && graph->slots_log2 >= 6));
}

void schedule_available(const struct graph *graph, const struct segment *segment, const struct node *node,
                        unsigned *stage, double *ns) {
  *stage = 0;
  *ns = 0;
  if (graph_is_static(node))
    return;
  if (is_made_here(segment, node)) {
    *stage = node->stage;
    *ns = node->ns;
    return;
  }
  *stage = 1;
  *ns = schedule_is_in_block_ram(graph, store_width(graph, node)) ? BLOCK_STORE_NS : DISTRIBUTED_STORE_NS;
}

// Time that an operation takes before its first register, or in all.
static double adds_of(const struct graph *graph, const struct node *node) {
  const struct cost cost = graph_cost(graph, node);
  return cost.latency == 0 ? cost.behind : cost.before;
}

unsigned schedule_read_stage(const struct graph *graph, const struct segment *segment, const struct node *value) {
  unsigned first = ~0u;
  for (unsigned i = 0; i < segment->use_count; i++)
    if (segment->uses[i] == value && segment->use_stages[i] < first)
      first = segment->use_stages[i];
  if (first <= 1 || !schedule_is_in_block_ram(graph, store_width(graph, value)))
    return first == 0 ? 1 : first;
  for (unsigned i = 0; i < segment->nodes.count; i++) {
    const struct node *node = segment->nodes.items[i];
    for (unsigned k = 0; k < node->count && !graph_is_given(node); k++)
      if (node->arguments[k] == value && node->start == first && BLOCK_STORE_NS + adds_of(graph, node) > graph->period)
        return first - 1;
  }
  return first;
}

unsigned schedule_first_stage(const struct graph *graph, const struct segment *segment, const struct node *value) {
  return schedule_is_read(segment, value) ? schedule_read_stage(graph, segment, value) : value->stage;
}

static unsigned holders(const struct segment *segment, unsigned first, unsigned stage) {
  return stage > first ? (stage - first + segment->apart - 1) / segment->apart : 0;
}

unsigned schedule_holders(const struct graph *graph, const struct segment *segment, const struct node *value,
                          unsigned stage) {
  enum { MOST_HOLDERS = 5 };
  const unsigned first = schedule_first_stage(graph, segment, value);
  unsigned last = 0;
  for (unsigned i = 0; i < segment->use_count; i++)
    if (segment->uses[i] == value && segment->use_stages[i] > last)
      last = segment->use_stages[i];
  const bool is_held = segment->apart > 1 && holders(segment, first, last) <= MOST_HOLDERS;
  return is_held ? holders(segment, first, stage < last ? stage : last) : 0;
}

void schedule_use(struct segment *segment, struct node *node, unsigned stage) {
  if (graph_is_static(node))
    return;
  for (unsigned i = 0; i < segment->use_count; i++)
    if (segment->uses[i] == node && segment->use_stages[i] == stage)
      return;
  if ((segment->use_count & (segment->use_count - 1)) == 0) {
    const size_t room = segment->use_count != 0 ? 2 * (size_t)segment->use_count : 1;
    segment->uses = realloc(segment->uses, room * sizeof *segment->uses);
    segment->use_stages = realloc(segment->use_stages, room * sizeof *segment->use_stages);
    if (!segment->uses || !segment->use_stages)
      exit(STATUS_FAILED);
  }
  segment->uses[segment->use_count] = node;
  segment->use_stages[segment->use_count++] = stage;
}

// ---- what is made later than it could be: right before it is wanted, where less is kept so for some stages

// When a value is wanted in a segment, first and last. By nobody: the first is behind the last.
struct wanted {
  unsigned first, last;
};

static void want_at(struct wanted *wanted, unsigned stage) {
  wanted->first = stage < wanted->first ? stage : wanted->first;
  wanted->last = stage > wanted->last ? stage : wanted->last;
}

// Stages for which a value is kept if one that takes it in stage `from` does so in stage `to`, less those for which it
// is now; `others` are those that take it beside.
static int kept_longer(const struct segment *segment, const struct node *value, const struct wanted *others,
                       unsigned from, unsigned to) {
  const bool is_made_here_too = is_made_here(segment, value);
  struct wanted before = *others, behind = *others;
  want_at(&before, from);
  want_at(&behind, to);
  const int first_before = (int)(is_made_here_too ? value->stage : before.first);
  const int first_behind = (int)(is_made_here_too ? value->stage : behind.first);
  return ((int)behind.last - first_behind) - ((int)before.last - first_before);
}

// What is in an order with others stays, and what is said of a token at a certain stage.
static bool may_move(const struct graph *graph, const struct node *node) {
  return !graph_is_given(node) && node->width != 0 && node->after.count == 0 && node->op != OP_SET_ELEMENT &&
         (node->op != OP_ELEMENT || node->local_array != 0) && !graph_is_answer(node) &&
         graph_turns(graph, node) == 1 && node->sharers == 0;
}

// Who takes values in a segment: operations, those of value `id` from first[id] up to but not first[id + 1], each once
// for an argument; and whether the segment's end takes it.
struct takers {
  unsigned *first;
  struct node **items;
  bool *at_end;
};

static struct takers takers_of(const struct graph *graph, const struct segment *segment, struct node *const *ends,
                               unsigned end_count) {
  struct takers takers = {.first = graph_allocate((graph->node_count + 2) * sizeof *takers.first),
                          .at_end = graph_allocate(graph->node_count * sizeof *takers.at_end)};
  unsigned *next = takers.first + 1;  // where the next one of a value goes
  for (unsigned i = 0; i < segment->nodes.count; i++) {
    const struct node *node = segment->nodes.items[i];
    for (unsigned k = 0; k < node->count && !graph_is_given(node); k++)
      next[node->arguments[k]->id + 1]++;
  }
  for (unsigned id = 0; id < graph->node_count; id++)
    next[id + 1] += next[id];
  takers.items = graph_allocate((next[graph->node_count] + 1) * sizeof(struct node *));
  for (unsigned i = 0; i < segment->nodes.count; i++) {
    struct node *node = segment->nodes.items[i];
    for (unsigned k = 0; k < node->count && !graph_is_given(node); k++)
      takers.items[next[node->arguments[k]->id]++] = node;
  }
  for (unsigned i = 0; i < end_count; i++)
    takers.at_end[ends[i]->id] = true;
  return takers;
}

static void free_takers(const struct takers *takers) {
  free(takers->first);
  free((void *)takers->items);
  free(takers->at_end);
}

// When a value is wanted in the segment, but for one node: NULL, none is left out.
static struct wanted wanted_of(const struct segment *segment, const struct takers *takers, const struct node *value,
                               const struct node *but) {
  struct wanted found = {~0u, 0};
  for (unsigned i = takers->first[value->id]; i < takers->first[value->id + 1]; i++)
    if (takers->items[i] != but)
      want_at(&found, takers->items[i]->start);
  if (takers->at_end[value->id])
    want_at(&found, segment->depth);
  return found;
}

static void move_later(const struct graph *graph, const struct segment *segment, struct node *const *ends,
                       unsigned end_count) {
  const struct takers takers = takers_of(graph, segment, ends, end_count);
  for (unsigned i = segment->nodes.count; i-- > 0;) {
    struct node *node = segment->nodes.items[i];
    const struct wanted wanted = wanted_of(segment, &takers, node, NULL);
    // It then comes from a register as before.
    if (!may_move(graph, node) || wanted.first > wanted.last || wanted.first <= node->stage + 1)
      continue;
    const unsigned further = wanted.first - 1 - node->stage;
    long less = (long)further * node->width * graph_copies(graph, node);
    for (unsigned k = 0; k < node->count; k++) {
      const struct node *value = node->arguments[k];
      bool is_first = true;
      for (unsigned j = 0; j < k; j++)
        is_first &= node->arguments[j] != value;
      if (graph_is_static(value) || !is_first)
        continue;
      const struct wanted others = wanted_of(segment, &takers, value, node);
      less -= (long)kept_longer(segment, value, &others, node->start, node->start + further) * value->width *
              graph_copies(graph, value);
    }
    if (less > 0) {
      node->start += further;
      node->stage += further;
    }
  }
  free_takers(&takers);
}

// ---- bits that one LUT makes

enum { LUT_INPUTS = 4 };

// What a bit is made of, as one LUT makes it in a stage; count 0: it is none.
struct cone {
  const struct node *leaves[LUT_INPUTS];
  unsigned count;
};

static bool is_logic(const struct node *node) {
  return node->width == 1 && (node->op == OP_AND || node->op == OP_OR || node->op == OP_XOR || node->op == OP_SELECT);
}

static bool add_leaf(struct cone *cone, const struct node *leaf) {
  if (leaf->op == OP_CONSTANT)
    return true;
  for (unsigned i = 0; i < cone->count; i++)
    if (cone->leaves[i] == leaf)
      return true;
  if (cone->count == LUT_INPUTS)
    return false;
  cone->leaves[cone->count++] = leaf;
  return true;
}

// What a bit's arguments are made of in this stage, as far as all of it goes into one LUT; else the arguments.
static struct cone cone_of(const struct segment *segment, const struct cone *cones, const struct node *node,
                           unsigned stage) {
  struct cone whole = {.count = 0}, own = {.count = 0};
  bool fits = true;
  for (unsigned i = 0; i < node->count; i++) {
    const struct node *argument = node->arguments[i];
    const struct cone *of = &cones[argument->id];
    const bool is_here = of->count != 0 && is_made_here(segment, argument) && argument->stage == stage;
    add_leaf(&own, argument);
    for (unsigned k = 0; k < of->count && is_here && fits; k++)
      fits = add_leaf(&whole, of->leaves[k]);
    fits = fits && (is_here || add_leaf(&whole, argument));
  }
  return fits ? whole : own;
}

// When the last of a cone's leaves is there, in a stage.
static double leaves_ns(const struct graph *graph, const struct segment *segment, const struct cone *cone,
                        unsigned stage) {
  double last = stage != 0 ? REGISTER_NS : 0;
  for (unsigned i = 0; i < cone->count; i++) {
    unsigned at;
    double ns;
    schedule_available(graph, segment, cone->leaves[i], &at, &ns);
    if (at == stage && ns > last)
      last = ns;
  }
  return last;
}

// Of operators that operations share: in which stages, modulo the cycles between tokens, they are taken, one operator
// behind the other; by the number of the first of the operations, NULL: not yet.
struct taken {
  unsigned apart;
  bool **stages;
};

// The first stage from `stage` on in which one of the operators for such operations is free. It is then taken.
static unsigned take_operator(const struct graph *graph, const struct taken *taken, struct node *node, unsigned stage) {
  const unsigned turns = graph_turns(graph, node);
  bool **stages = &taken->stages[node->first_sharer->id];
  if (!*stages)
    *stages = graph_allocate((size_t)node->operators * taken->apart * sizeof **stages);
  for (stage = (stage + turns - 1) / turns * turns;; stage += turns)
    for (node->operator = 0; node->operator < node->operators; node->operator++) {
      bool *is_taken = *stages + (size_t)node->operator * taken->apart + stage % taken->apart;
      if (!*is_taken) {
        *is_taken = true;
        return stage;
      }
    }
}

static void free_taken(const struct graph *graph, const struct taken *taken) {
  for (unsigned i = 0; i < graph->node_count; i++)
    free(taken->stages[i]);
  free(taken->stages);
}

// Gives each operation of a segment the first stage that it can have. Returns the last stage.
unsigned schedule_place(struct graph *graph, struct segment *segment) {
  unsigned depth = 0;
  struct cone *cones = graph_allocate(graph->node_count * sizeof *cones);
  const struct taken taken = {segment->apart, graph_allocate(graph->node_count * sizeof *taken.stages)};
  for (unsigned i = 0; i < segment->nodes.count; i++) {
    struct node *node = segment->nodes.items[i];
    if (graph_is_given(node)) {
      node->start = node->stage = node->is_state ? node->not_before : 0;
      node->ns = REGISTER_NS;
      continue;
    }
    const struct cost cost = graph_cost(graph, node);
    unsigned stage = node->not_before;
    double ns = stage != 0 ? REGISTER_NS : 0;
    for (unsigned k = 0; k < node->count; k++) {
      unsigned at;
      double late;
      schedule_available(graph, segment, node->arguments[k], &at, &late);
      if (at > stage || (at == stage && late > ns)) {
        ns = at > stage ? late : ns > late ? ns : late;
        stage = at;
      }
    }
    for (unsigned k = 0; k < node->after.count; k++)
      if (node->after.items[k]->home == segment && node->after.items[k]->stage > stage) {
        stage = node->after.items[k]->stage;
        ns = REGISTER_NS;
      }
    if (is_logic(node)) {
      cones[node->id] = cone_of(segment, cones, node, stage);
      const double leaves = leaves_ns(graph, segment, &cones[node->id], stage);
      ns = leaves < ns ? leaves : ns;
    }
    if (ns + adds_of(graph, node) > graph->period && ns > REGISTER_NS) {
      stage++;
      ns = REGISTER_NS;
      if (is_logic(node))
        cones[node->id] = cone_of(segment, cones, node, stage);
    }
    if (node->sharers != 0)
      stage = take_operator(graph, &taken, node, stage);
    node->start = stage;
    node->stage = stage + cost.latency;
    node->ns = cost.latency == 0 ? ns + cost.behind : cost.behind;
    if (node->stage > depth)
      depth = node->stage;
  }
  free(cones);
  free_taken(graph, &taken);
  return depth;
}

// The stage in which a value can go into a register with a choice in front of it.
unsigned schedule_choice_stage(const struct graph *graph, const struct segment *segment, const struct node *node,
                               double choice_ns) {
  unsigned stage;
  double ns;
  schedule_available(graph, segment, node, &stage, &ns);
  return !graph_is_static(node) && ns + choice_ns > graph->period ? stage + 1 : stage;
}

static void schedule_segment(struct graph *graph, struct segment *segment) {
  if (segment->from && segment->from->end == END_BARRIER && segment->from->group.items[0]->width != 0) {
    struct node *node = segment->from->group.items[0];
    node->stage = 0;
    node->ns = REGISTER_NS;
  }
  unsigned depth = schedule_place(graph, segment);
  if (segment->region->overlaps)
    depth = rounds_schedule(graph, segment, depth);
  const unsigned count = wanted_at_end(graph, segment, NULL, 0);
  struct node **ends = graph_allocate((count + 1) * sizeof *ends);
  const unsigned end_count = wanted_at_end(graph, segment, ends, count);
  for (unsigned i = 0; i < end_count; i++) {
    unsigned stage;
    double ns;
    if (segment->end == END_BACK)  // the back edge has the choice of the ring behind it
      stage = schedule_choice_stage(graph, segment, ends[i], ends[i] == segment->region->again ? RING_NS : CHOICE_NS);
    else
      schedule_available(graph, segment, ends[i], &stage, &ns);
    if (stage > depth)
      depth = stage;
  }
  segment->depth = depth;
  if (!segment->region->overlaps)
    move_later(graph, segment, ends, end_count);
  for (unsigned i = 0; i < segment->nodes.count; i++) {
    struct node *node = segment->nodes.items[i];
    for (unsigned k = 0; k < node->count && !graph_is_given(node); k++)
      schedule_use(segment, node->arguments[k], node->start);
  }
  if (segment->region->overlaps)
    rounds_use(segment);
  for (unsigned i = 0; i < end_count; i++)
    schedule_use(segment, ends[i], depth);
}

const struct segment *schedule_out_segment(const struct node *out) {
  const struct node *value = out->arguments[0];
  const bool stored =
      graph_is_answer(value) || value->op == OP_OUT || graph_is_static(value) || value->region != out->loop;
  return stored ? out->loop->last : value->home;
}

unsigned schedule_out_stage(const struct node *out) {
  const struct segment *segment = schedule_out_segment(out);
  if (graph_is_static(out->arguments[0]) || !is_made_here(segment, out->arguments[0]))
    return segment->depth;
  // The mask comes from a slot store in stage 1, unless the segment is the loop's first.
  const unsigned stage = out->arguments[0]->stage;
  return stage == 0 && schedule_is_read(segment, out->loop->mask) ? 1 : stage;
}

// Words of the packet, and those loaded behind them, that others are computed from: how many registers are in a chain.
// Kept in `order`, 0 while not known.
static int settle_of(const struct graph *graph, struct node *node) {
  if (node->order == 0) {
    int most = (int)graph_cost(graph, node).latency;
    for (unsigned i = 0; i < node->count && node->op != OP_FIXED; i++) {
      const int one = settle_of(graph, node->arguments[i]) + (int)graph_cost(graph, node).latency;
      if (one > most)
        most = one;
    }
    node->order = most + 1;
  }
  return node->order;
}

enum status graph_schedule(struct graph *graph) {
  for (unsigned i = 0; i < graph->segment_count; i++)
    schedule_segment(graph, graph->segments[i]);
  // What outer regions take from loops is written with the loop's mask at that stage.
  for (unsigned i = 0; i < graph->node_count; i++) {
    struct node *out = graph->nodes[i];
    if (out->op != OP_OUT || !out->wanted || graph_is_static(out))
      continue;
    struct segment *segment = graph->segments[schedule_out_segment(out)->id];
    // A value from a slot store is there in stage 1.
    if (!is_made_here(segment, out->arguments[0]) && segment->depth == 0)
      segment->depth = 1;
    if (schedule_is_read(segment, out->loop->mask) && segment->depth == 0)
      segment->depth = 1;
  }
  for (unsigned i = 0; i < graph->node_count; i++) {
    struct node *out = graph->nodes[i];
    if (out->op != OP_OUT || !out->wanted || graph_is_static(out))
      continue;
    struct segment *segment = graph->segments[schedule_out_segment(out)->id];
    const unsigned stage = schedule_out_stage(out);
    schedule_use(segment, out->arguments[0], stage);
    schedule_use(segment, out->loop->mask, stage);
  }
  for (unsigned i = 0; i < graph->node_count; i++)
    if (graph->nodes[i]->wanted && graph->nodes[i]->class == CLASS_DISPATCH) {
      const unsigned settle = (unsigned)settle_of(graph, graph->nodes[i]);
      if (settle > graph->settle)
        graph->settle = settle;
    }
  graph->settle += 2;
  return STATUS_OK;
}
