// SPDX-License-Identifier: Apache-2.0
// A loop's rounds may overlap if it is known early whether another one follows, what a round needs of the one before is
// made in the segment that needs it, and no access to memory may come before one of an earlier round that it depends
// on.
#include "hls/pipeline/overlap.h"

#include <stdlib.h>

#include "hls/kernel_hints.h"
#include "hls/pipeline/aliases.h"
#include "hls/pipeline/interleave.h"
#include "hls/pipeline/ivdep.h"
#include "hls/pipeline/schedule.h"

enum { MOST_STEPS = 4000, MOST_SLOTS_LOG2 = 7, MOST_SUMMANDS = 8, MOST_FACTOR = 1 << 20 };

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

static bool is_of_memory(const struct node *node) {
  return node->op == OP_LOAD || node->op == OP_STORE;
}

static bool is_of_pipe(const struct node *node) {
  return node->op == OP_PIPE_READ || node->op == OP_PIPE_WRITE;
}

// What a segment ends with.
static bool is_access(const struct node *node) {
  return is_of_memory(node) || is_of_pipe(node);
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
      moved |= gather_elements(r, a);
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

// An address as a sum: of a pointer that the kernel is given, a counter of the loop times a factor, and multiples of
// what does not change in the loop.
struct summand {
  const struct node *node;
  int64_t factor;
};
struct address {
  unsigned word;  // of the packet: the pointer; 0: there is none
  const struct node *counter;
  int64_t step;  // bytes from a round to the next
  struct summand rest[MOST_SUMMANDS];
  unsigned rest_count;
  uint32_t offset;
  bool is_known;
};

// The bytes by which a round's counter is more than that of the round before; 0: not known.
static int64_t step_of_sum(const struct node *sum, const struct node *phi) {
  if (sum->op != OP_ADD || sum->arguments[0] != phi || sum->arguments[1]->op != OP_CONSTANT)
    return 0;
  return (int32_t)sum->arguments[1]->number;
}

static int64_t step_of(const struct region *r, const struct node *phi) {
  return step_of_sum(r->next.items[phi->low], phi);
}

static bool is_constant(const struct node *node, uint64_t number) {
  return node->op == OP_CONSTANT && node->number == number;
}

// Whether a condition holds where a counter has come to `last`, or with `is_below` where it has not.
static bool is_at(const struct node *condition, const struct node *counter, uint64_t *last, bool *is_below) {
  if (condition->op != OP_EQ && condition->op != OP_ULT && condition->op != OP_SLT)
    return false;
  const bool is_turned = condition->op != OP_EQ && condition->arguments[0]->op == OP_CONSTANT;
  const struct node *a = condition->arguments[is_turned ? 1 : 0], *b = condition->arguments[is_turned ? 0 : 1];
  const bool is_next = step_of_sum(a, counter) == 1;
  if ((a != counter && !is_next) || b->op != OP_CONSTANT || b->number == 0 || b->number > INT32_MAX)
    return false;
  // A number that is below the counter is the one before the last.
  *last = b->number + is_turned - is_next;
  *is_below = condition->op != OP_EQ && !is_turned;
  return true;
}

// Of a counter that begins again at 0, rounds from one value to the same: x = x == 9 ? 0 : x + 1 has 10. 0: it is none.
// One that began behind its last value comes back later.
static uint32_t period_of(const struct region *r, const struct node *counter) {
  const struct node *next = counter->op == OP_PHI && counter->region == r ? r->next.items[counter->low] : NULL;
  uint64_t last;
  bool is_below;
  if (next && next->op == OP_AND && next->arguments[1]->op == OP_CONSTANT &&
      step_of_sum(next->arguments[0], counter) == 1)
    return (next->arguments[1]->number & (next->arguments[1]->number + 1)) == 0
               ? (uint32_t)(next->arguments[1]->number + 1)
               : 0;
  if (!next || next->op != OP_SELECT || !is_at(next->arguments[0], counter, &last, &is_below))
    return 0;
  const struct node *begin = next->arguments[is_below ? 2 : 1], *go_on = next->arguments[is_below ? 1 : 2];
  return is_constant(begin, 0) && step_of_sum(go_on, counter) == 1 ? (uint32_t)last + 1 : 0;
}

static void add_address(const struct graph *graph, const struct region *r, const struct node *node, int64_t factor,
                        struct address *a) {
  const struct node *y = node->count > 1 ? node->arguments[1] : NULL;
  const int64_t by = y && y->op == OP_CONSTANT && y->number < MOST_FACTOR ? (int64_t)y->number : -1;
  const bool may_grow = by >= 0 && factor > -MOST_FACTOR && factor < MOST_FACTOR;
  if (node->op == OP_CONSTANT) {
    a->offset += (uint32_t)((int64_t)node->number * factor);
  } else if (node->op == OP_WORD && factor == 1 && a->word == 0 && aliases_is_pointer(graph, node)) {
    a->word = (unsigned)node->number;
  } else if (node->op == OP_ADD || node->op == OP_SUB) {
    add_address(graph, r, node->arguments[0], factor, a);
    add_address(graph, r, y, node->op == OP_ADD ? factor : -factor, a);
  } else if (node->op == OP_SHL && may_grow && by < 20) {
    add_address(graph, r, node->arguments[0], factor * ((int64_t)1 << by), a);
  } else if (node->op == OP_MUL && may_grow) {
    add_address(graph, r, node->arguments[0], factor * by, a);
  } else if (node->op == OP_PHI && node->region == r && node->width == 32 && !a->counter && step_of(r, node) != 0) {
    a->counter = node;
    a->step = factor * step_of(r, node);
  } else if ((!graph_encloses(r, node->region) || graph_is_static(node)) && a->rest_count < MOST_SUMMANDS) {
    a->rest[a->rest_count++] = (struct summand){node, factor};
  } else {
    a->is_known = false;
  }
}

static struct address address_of(const struct graph *graph, const struct region *r, const struct node *access) {
  struct address a = {.is_known = true};
  add_address(graph, r, access->arguments[0], 1, &a);
  return a;
}

static bool are_alike(const struct address *a, const struct address *b) {
  if (!a->is_known || !b->is_known || a->word != b->word || a->counter != b->counter || a->step != b->step ||
      a->rest_count != b->rest_count)
    return false;
  for (unsigned i = 0; i < a->rest_count; i++)
    if (a->rest[i].node != b->rest[i].node || a->rest[i].factor != b->rest[i].factor)
      return false;
  return true;
}

// Whether the source says of a loop that no other round stores to what is accessed, or accesses what is stored.
static bool is_ivdep(const struct node *access, const struct region *loop) {
  const unsigned between = graph_depth(access->region) - graph_depth(loop);
  return between < IVDEP_LOOPS && access->ivdep >> between & 1;
}

static int64_t floor_of(int64_t x, int64_t by) {
  return x / by - (x % by != 0 && x < 0);
}

// Whether rounds * step + offset is in -later to earlier, these excluded, for 1 to `most` rounds.
static bool comes_near(int64_t step, int64_t offset, int64_t earlier, int64_t later, int64_t most) {
  if (step == 0)
    return offset > -later && offset < earlier;
  if (step < 0)
    return comes_near(-step, -offset, later, earlier, most);
  const int64_t first = floor_of(-later - offset, step) + 1, last = floor_of(earlier - 1 - offset, step);
  return (first > 1 ? first : 1) <= (last < most ? last : most);
}

bool overlap_accesses_meet(const struct graph *graph, const struct region *r, const struct node *earlier,
                           const struct node *later, unsigned most) {
  if (!is_of_memory(earlier) || !is_of_memory(later) || (earlier->op == OP_LOAD && later->op == OP_LOAD))
    return false;
  if ((is_ivdep(earlier, r) && is_ivdep(later, r)) || aliases_are_apart(graph, earlier, later))
    return false;
  const struct address a = address_of(graph, r, earlier), b = address_of(graph, r, later);
  if (!are_alike(&a, &b))
    return true;
  // Addresses begin again behind 4 GiB.
  const int64_t offset = (int32_t)(b.offset - a.offset), size = a.step < 0 ? -a.step : a.step;
  if (most != OVERLAP_ANY_ROUNDS && most * size + (offset < 0 ? -offset : offset) > INT32_MAX / 2)
    return true;
  return comes_near(a.step, offset, earlier->bytes, later->bytes, most != OVERLAP_ANY_ROUNDS ? most : INT32_MAX);
}

// Of a ring, rounds for which what is accessed in one is not accessed in another; several shifts of a round count.
static unsigned ring_rounds(const struct region *r, const struct node *earlier, const struct node *later) {
  unsigned shifts = 0;
  if (earlier->distance == 0 || earlier->distance != later->distance)
    return 0;
  for (unsigned i = 0; i < r->nodes.count; i++) {
    const struct node *node = r->nodes.items[i];
    if (node->op == OP_SET_ELEMENT && node->number == earlier->number && node->distance != earlier->distance)
      return 0;
    shifts += node->op == OP_SET_ELEMENT && node->number == earlier->number;
  }
  return shifts != 0 ? earlier->distance / shifts : 0;
}

bool overlap_elements_meet(const struct graph *graph, const struct region *r, const struct node *earlier,
                           const struct node *later, unsigned rounds) {
  if ((is_ivdep(earlier, r) && is_ivdep(later, r)) || rounds < ring_rounds(r, earlier, later))
    return false;
  struct address at[2] = {{.is_known = true}, {.is_known = true}};
  const struct node *indices[] = {earlier->arguments[0], later->arguments[0]};
  unsigned low[2] = {0, 0};
  for (unsigned i = 0; i < 2; i++) {
    // Some bits of a sum, the lowest of which are those of the byte in an element.
    if (indices[i]->op == OP_SLICE) {
      low[i] = (unsigned)indices[i]->number;
      indices[i] = indices[i]->arguments[0];
    }
    add_address(graph, r, indices[i], 1, &at[i]);
  }
  const uint32_t period = indices[0] == indices[1] && low[0] == low[1] ? period_of(r, indices[0]) : 0;
  if (period != 0 && low[0] == 0 && (uint64_t)period <= (uint64_t)1 << earlier->arguments[0]->width)
    return rounds % period == 0;
  if (low[0] != low[1] || !are_alike(&at[0], &at[1]))
    return true;
  const unsigned bits = low[0] + earlier->arguments[0]->width;
  const uint32_t apart = (uint32_t)at[0].step * rounds + at[1].offset - at[0].offset,
                 wanted = bits < 32 ? (1u << bits) - 1 : ~0u;
  return (apart & wanted) == 0 || apart % (1u << low[0]) != 0;
}

static bool memory_allows(const struct graph *graph, const struct region *r) {
  for (unsigned i = 0; i < r->segment_count; i++)
    for (unsigned k = 0; k < i; k++) {
      const struct segment *second = r->segments[i], *first = r->segments[k];
      for (unsigned x = 0; x < second->group.count; x++)
        for (unsigned y = 0; y < first->group.count; y++)
          if (overlap_accesses_meet(graph, r, second->group.items[x], first->group.items[y], 1u << graph->slots_log2))
            return false;
    }
  return true;
}

// ---- a loop

bool overlap_is_simple(const struct node *node) {
  if (is_of_memory(node))
    return node->space == SPACE_GLOBAL && node->window == WINDOW_NONE && node->local_array == 0 &&
           (node->op == OP_STORE || node->number != 1);
  switch (node->op) {
    case OP_ELEMENT:
      return node->local_array == 0;
    case OP_CHECK:
      return node->number == CHECK_ADDRESS;
    case OP_PIPE_READ:
    case OP_PIPE_WRITE:
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
    return "a store may be to what a later round loads or stores (restrict, or in SYCL "
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
