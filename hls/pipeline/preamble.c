// SPDX-License-Identifier: Apache-2.0
// Loads that are made once a dispatch, in front of its first sub-group (rtl/pipeline/fixed_words.v): of constant
// memory, at addresses that words of the packet and other such loads alone decide. In a loop whose rounds, and their
// number, such values decide, there is such a load for each round, and a choice among them. A word that is not there is
// a fault of whoever loads it: where that is not every work-item, lanes are checked. An image's descriptor is always
// there.
#include <string.h>

#include "hls/pipeline/build.h"
#include "hls/pipeline/schedule.h"

enum { WORD_BYTES = 4 };

static bool is_of_constant_word(const struct node *node) {
  return node->wanted && node->op == OP_LOAD && node->stays && node->bytes == WORD_BYTES;
}

static bool may_be_first(const struct node *node) {
  return is_of_constant_word(node) && node->arguments[0]->class <= CLASS_DISPATCH;
}

// How many such loads come one after the other before a value of the dispatch is there. `levels` has what is known,
// and one more, by the nodes' numbers.
static unsigned level_of(const struct node *node, unsigned *levels) {
  if (levels[node->id] != 0)
    return levels[node->id] - 1;
  unsigned level = 0;
  for (unsigned i = 0; i < node->count; i++) {
    const unsigned own = level_of(node->arguments[i], levels);
    level = own > level ? own : level;
  }
  level += node->op == OP_FIXED;
  levels[node->id] = level + 1;
  return level;
}

// Whether every work-item makes a load.
static bool is_sure(const struct graph *graph, const struct node *load) {
  const struct region *r = load->region;
  const bool is_there = r == graph->top || (r->parent == graph->top && r->enter == graph->top->mask);
  return is_there && load->arguments[1] == r->mask;
}

// A fault of the lanes that make a load, if its word is bad. Descriptors are never.
static void check(struct graph *graph, const struct node *load, struct node *mask, struct node *bad) {
  struct builder b = {graph, load->region, load->line};
  struct node *wrong = build_and(&b, mask, bad);
  struct node *lanes = build_slice(&b, build_node(&b, OP_BALLOT, 32, 0, 1, &wrong), 0, graph->lanes);
  build_ordered(&b, OP_CHECK, 0, CHECK_FIXED, 1, &lanes)->site = load->site;
}

static struct node *build_bad(struct graph *graph, unsigned number) {
  struct builder b = {.graph = graph, .region = graph->top};
  return build_node(&b, OP_FIXED_BAD, 1, number, 0, NULL);
}

// A number for the word at an address, and the root of that. Equal addresses are one load.
static unsigned number_of(struct graph *graph, struct node *address, const struct node *load, struct node **root) {
  uint32_t offset = 0, further;
  for (*root = NULL; *root != address; offset += further) {
    *root = address;
    access_root(*root, &address, &further);
  }
  for (unsigned i = 0; i < graph->fixed_count; i++)
    if (graph->fixed[i].root == *root && graph->fixed[i].offset == offset) {
      graph->fixed[i].is_sure |= is_sure(graph, load);
      return i;
    }
  graph->fixed[graph->fixed_count] =
      (struct fixed_word){.root = *root, .offset = offset, .site = load->site, .is_sure = is_sure(graph, load)};
  return graph->fixed_count++;
}

// In the order of their levels: `numbers` says which place each gets.
static void sort(struct graph *graph) {
  unsigned numbers[MOST_FIXED], count = 0;
  unsigned *levels = graph_allocate(graph->node_count * sizeof *levels);
  struct fixed_word sorted[MOST_FIXED] = {0};
  for (unsigned i = 0; i < graph->fixed_count; i++)
    graph->fixed[i].level = level_of(graph->fixed[i].root, levels);
  for (unsigned level = 0; count < graph->fixed_count; level++)
    for (unsigned i = 0; i < graph->fixed_count; i++)
      if (graph->fixed[i].level == level) {
        numbers[i] = count;
        sorted[count++] = graph->fixed[i];
      }
  memcpy(graph->fixed, sorted, count * sizeof *sorted);
  for (unsigned i = 0; i < graph->node_count; i++)
    if (graph->nodes[i]->op == OP_FIXED || graph->nodes[i]->op == OP_FIXED_BAD)
      graph->nodes[i]->number = numbers[graph->nodes[i]->number];
}

static bool make_fixed(struct graph *graph) {
  bool found = false;
  for (unsigned i = 0; i < graph->node_count && graph->fixed_count < MOST_FIXED; i++) {
    struct node *node = graph->nodes[i];
    if (!may_be_first(node))
      continue;
    node->number = number_of(graph, node->arguments[0], node, &node->arguments[0]);
    if (!is_sure(graph, node) && !node->is_descriptor)
      check(graph, node, node->arguments[1], build_bad(graph, (unsigned)node->number));
    node->op = OP_FIXED;
    node->count = 1;
    found = true;
  }
  return found;
}

// ---- in loops of known rounds

// A round of a loop: what it carries, as far as that is a constant or a value of the dispatch; NULL: it is not.
struct round {
  struct builder builder;  // of the dispatch
  const struct region *loop;
  struct node **carried, **next;
};

// A value of a loop in a round. NULL: it is not one of the dispatch then.
static struct node *in_round(struct round *round, struct node *node) {
  if (node->class <= CLASS_DISPATCH)
    return node;
  if (node->region != round->loop || (node->op != OP_PHI && (node->op < OP_ADD || node->op > OP_CONCAT)))
    return NULL;
  if (node->op == OP_PHI)
    return round->carried[node->low];
  struct node *arguments[BUILD_MOST_FOLDED];
  for (unsigned i = 0; i < node->count; i++) {
    arguments[i] = node->count <= BUILD_MOST_FOLDED ? in_round(round, node->arguments[i]) : NULL;
    if (!arguments[i])
      return NULL;
  }
  return build_node(&round->builder, node->op, node->width, node->number, node->count, arguments);
}

static void begin_rounds(struct graph *graph, const struct region *loop, struct round *round) {
  const size_t bytes = (loop->phis.count + 1) * sizeof(struct node *);
  *round = (struct round){{graph, graph->top, loop->line}, loop, graph_allocate(bytes), graph_allocate(bytes)};
  for (unsigned i = 0; i < loop->phis.count; i++)
    if (loop->initial.items[i]->class <= CLASS_DISPATCH)
      round->carried[i] = loop->initial.items[i];
}

static void go_on(struct round *round) {
  for (unsigned i = 0; i < round->loop->phis.count; i++)
    round->next[i] = in_round(round, round->loop->next.items[i]);
  struct node **carried = round->carried;
  round->carried = round->next;
  round->next = carried;
}

// How many rounds work-items make that enter a loop; 0: that is not known, or they are too many.
static unsigned rounds_of(struct graph *graph, const struct region *loop) {
  struct node *condition = graph_condition(loop);
  struct round round;
  if (loop->go || !condition)
    return 0;
  begin_rounds(graph, loop, &round);
  for (unsigned count = 1; count <= MOST_FIXED; count++, go_on(&round)) {
    const struct node *again = in_round(&round, condition);
    if (!again || again->op != OP_CONSTANT)
      return 0;
    if (again->number == 0)
      return count;
  }
  return 0;
}

// What a value is in each round. False: it is not of the dispatch in one of them.
static bool find_in_rounds(struct graph *graph, const struct region *loop, struct node *value, unsigned count,
                           struct node **found) {
  struct round round;
  begin_rounds(graph, loop, &round);
  for (unsigned i = 0; i < count; i++, go_on(&round))
    if (!(found[i] = in_round(&round, value)))
      return false;
  return true;
}

// A counter of a loop, and bits of it that tell its rounds apart.
struct counter {
  struct node *phi;
  unsigned low, bits;
  unsigned round[MOST_FIXED];  // by these bits
};

static bool tells_apart(struct counter *counter, struct node *const *values, unsigned count) {
  uint64_t differing = 0;
  bool seen[MOST_FIXED] = {false};
  for (unsigned i = 0; i < count; i++) {
    if (values[i]->op != OP_CONSTANT)
      return false;
    differing |= values[i]->number ^ values[0]->number;
  }
  counter->low = differing != 0 ? (unsigned)__builtin_ctzll(differing) : 0;
  for (counter->bits = 1; 1u << counter->bits < count; counter->bits++)
    ;
  if (1u << counter->bits > MOST_FIXED || counter->low + counter->bits > counter->phi->width)
    return false;
  for (unsigned i = 0; i < count; i++) {
    const unsigned number = (unsigned)(values[i]->number >> counter->low) & ((1u << counter->bits) - 1);
    if (seen[number])
      return false;
    seen[number] = true;
    counter->round[number] = i;
  }
  return true;
}

static bool find_counter(struct graph *graph, const struct region *loop, unsigned count, struct counter *counter) {
  struct node *values[MOST_FIXED];
  for (unsigned i = 0; i < loop->phis.count; i++) {
    *counter = (struct counter){.phi = loop->phis.items[i]};
    if (find_in_rounds(graph, loop, counter->phi, count, values) && tells_apart(counter, values, count))
      return true;
  }
  return false;
}

// The word of the round, by bits of the counter from `bit` on; `number` has those above.
static struct node *choose(struct builder *b, const struct counter *counter, struct node *const *words, unsigned bit,
                           unsigned number) {
  if (bit == 0)
    return words[counter->round[number]];
  struct node *is_one = build_slice(b, counter->phi, counter->low + bit - 1, 1);
  struct node *one = choose(b, counter, words, bit - 1, 2 * number + 1);
  return build_select(b, is_one, one, choose(b, counter, words, bit - 1, 2 * number));
}

static bool make_words(struct graph *graph, struct region *loop, struct node *load, unsigned count,
                       const struct counter *counter) {
  struct node *addresses[MOST_FIXED], *words[MOST_FIXED], *bad[MOST_FIXED], *mask = load->arguments[1];
  if (graph->fixed_count + count > MOST_FIXED || !find_in_rounds(graph, loop, load->arguments[0], count, addresses))
    return false;
  struct builder b = {graph, graph->top, load->line};
  for (unsigned i = 0; i < count; i++) {
    struct node *root;
    const unsigned number = number_of(graph, addresses[i], load, &root);
    bad[i] = build_bad(graph, number);
    words[i] = build_node(&b, OP_FIXED, 32, number, 1, &root);
  }
  b.region = loop;
  const struct node *choice = choose(&b, counter, words, counter->bits, 0);
  if (choice->op != OP_SELECT)
    return false;
  if (!is_sure(graph, load) && !load->is_descriptor)
    check(graph, load, mask, choose(&b, counter, bad, counter->bits, 0));
  load->op = choice->op;
  load->number = choice->number;
  load->count = choice->count;
  load->arguments = choice->arguments;
  return true;
}

static bool make_in_loops(struct graph *graph) {
  bool found = false;
  for (unsigned i = 0; i < graph->region_count; i++) {
    struct region *loop = graph->regions[i];
    struct counter counter;
    const unsigned count = loop->parent ? rounds_of(graph, loop) : 0;
    if (count < 2 || !find_counter(graph, loop, count, &counter))
      continue;
    for (unsigned k = 0, nodes = graph->node_count; k < nodes; k++) {
      struct node *node = graph->nodes[k];
      if (is_of_constant_word(node) && node->region == loop)
        found |= make_words(graph, loop, node, count, &counter);
    }
  }
  return found;
}

// ---- all

// Loops that touch memory otherwise only by these loads touch none.
static void find_touched(struct graph *graph) {
  for (unsigned i = 0; i < graph->region_count; i++)
    graph->regions[i]->touches_memory = false;
  for (unsigned i = 0; i < graph->node_count; i++)
    if (graph->nodes[i]->op == OP_LOAD || graph->nodes[i]->op == OP_ATOMIC)
      for (struct region *r = graph->nodes[i]->region; r; r = r->parent)
        r->touches_memory = true;
}

static enum status classes_again(struct graph *graph) {
  graph_prune(graph);
  for (unsigned i = 0; i < graph->node_count; i++)
    graph->nodes[i]->class = CLASS_CONSTANT;
  return graph_classes(graph);
}

enum status graph_preamble(struct graph *graph) {
  // Dispatches of a chain begin together, and its kernels have no port for each.
  if (graph->pipe_count != 0)
    return STATUS_OK;
  // What is computed from a word that has become the dispatch's may be an address of the next.
  enum status status = STATUS_OK;
  while (status == STATUS_OK && (make_fixed(graph) || make_in_loops(graph)))
    status = classes_again(graph);
  if (graph->fixed_count > 0) {
    sort(graph);
    find_touched(graph);
  }
  return status;
}
