// SPDX-License-Identifier: Apache-2.0
// Local arrays with memories of their own (rtl/pipeline/local_array.v): which elements lanes read together, how many
// banks there are, how many group slots there are. A load that neighbours or all lanes make of one element takes a
// copy of the array; one that lanes make of any elements takes a copy for each of them, of as many banks as lanes, or
// of one, into which lanes store one after the other.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hls/pipeline/graph.h"
#include "hls/pipeline/strides.h"

enum {
  MOST_BLOCKS = 104,  // block RAMs of all local arrays: half of those of the largest board
  FEW_ITEMS = 64,     // of a work-group, if the kernel does not require a size
  LEAST_GROUP_SLOTS_LOG2 = 1,
  DISTRIBUTED_DEPTH = 16,  // as local_array.v chooses
};

void graph_keep_on_port(struct graph *graph, LLVMValueRef variable, const char *why) {
  for (unsigned i = 0; i < graph->port_array_count; i++)
    if (graph->port_arrays[i].variable == variable)
      return;
  size_t length;
  char *name = graph_word(LLVMGetValueName2(variable, &length), ".$");
  const bool is_local = LLVMIsAGlobalVariable(variable);
  // What inlining has appended to the source's name.
  if (!is_local)
    name[strcspn(name, ".")] = 0;
  if (!is_local && name[0] == 0) {
    enum { BYTES = 40 };
    name = graph_allocate(BYTES);
    snprintf(name, BYTES, "of %llu bytes", LLVMABISizeOfType(graph->layout, LLVMGetAllocatedType(variable)));
  }
  const struct port_array kept = {variable, is_local ? "local" : "private", name, why};
  graph->port_arrays = realloc(graph->port_arrays, (graph->port_array_count + 1) * sizeof kept);
  if (!graph->port_arrays)
    exit(STATUS_FAILED);
  graph->port_arrays[graph->port_array_count++] = kept;
}

static bool relies_on_rows(const struct graph *graph) {
  for (unsigned i = 0; i < graph->node_count; i++) {
    const struct node *node = graph->nodes[i];
    if (node->wanted && (node->local_array != 0 || (node->op == OP_LOCAL_ID && node->number != 0)))
      return true;
  }
  return false;
}

bool graph_lanes_are_neighbours(const struct graph *graph) {
  const unsigned *size = graph->group_size;
  if (size[0] == 0)
    return false;
  // A work-group at the end of the range may be smaller, also in x.
  return (size[1] == 1 && size[2] == 1) || (size[0] % graph->lanes == 0 && !graph->sees_sub_groups);
}

// ---- patterns

// The index is a slice of an address, whose bits below the element's are 0 in all lanes.
static enum lane_pattern pattern_of(const struct graph *graph, const struct node *access) {
  const struct node *index = access->arguments[0];
  if (index->class != CLASS_LANE)
    return LANES_ALIKE;
  int64_t stride;
  unsigned low = 0, bits = index->width;
  if (index->op == OP_SLICE) {
    low = (unsigned)index->number;
    bits += low;
    index = index->arguments[0];
  }
  if (!stride_is_sure(graph, index, bits, &stride))
    return LANES_ANYWHERE;
  return stride == 0 ? LANES_ALIKE : stride == (int64_t)1 << low ? LANES_NEIGHBOURS : LANES_ANYWHERE;
}

// Neighbours whose first one is always in the same bank need no way from banks to lanes, or from lanes to banks.
static void find_bank(const struct graph *graph, struct node *access) {
  uint32_t low = 0;
  access->knows_bank =
      access->pattern == LANES_NEIGHBOURS && stride_first_lane(graph, access->arguments[0], &low) >= graph->lanes_log2;
  access->bank = low & (graph->lanes - 1);
}

int graph_bank(const struct graph *graph, const struct node *access) {
  const unsigned banks_log2 = access->local_array != 0 ? graph->arrays[access->local_array - 1].banks_log2 : 0;
  return access->knows_bank && banks_log2 != 0 && banks_log2 == graph->lanes_log2 ? (int)access->bank : -1;
}

int graph_bank_of_stores(const struct graph *graph, const struct segment *s) {
  const int bank = graph_bank(graph, s->group.items[0]);
  for (unsigned k = 1; k < s->group.count; k++)
    if (graph_bank(graph, s->group.items[k]) != bank)
      return -1;
  return bank;
}

// ---- room

static unsigned depth_of(const struct array *array, unsigned banks_log2, unsigned group_slots_log2) {
  return ((array->elements + (1u << banks_log2) - 1) >> banks_log2) << group_slots_log2;
}

static unsigned copies_of(const struct graph *graph, unsigned a, unsigned banks_log2) {
  unsigned copies = 0;
  for (unsigned i = 0; i < graph->node_count; i++) {
    const struct node *node = graph->nodes[i];
    if (!node->wanted || node->op != OP_ELEMENT || node->local_array != a + 1)
      continue;
    const bool together = node->pattern == LANES_NEIGHBOURS && banks_log2 == graph->lanes_log2;
    copies += node->pattern == LANES_ALIKE || together ? 1 : graph->lanes;
  }
  return copies << banks_log2;
}

// A copy in distributed RAM counts as one: so there are not too many of these either.
static unsigned blocks_of(const struct graph *graph, unsigned a, unsigned banks_log2, unsigned group_slots_log2) {
  const struct array *array = &graph->arrays[a];
  const unsigned blocks = graph_copy_blocks(depth_of(array, banks_log2, group_slots_log2), array->width);
  return copies_of(graph, a, banks_log2) * (blocks != 0 ? blocks : 1);
}

unsigned graph_local_array_blocks(const struct graph *graph, unsigned a) {
  const struct array *array = &graph->arrays[a];
  return depth_of(array, array->banks_log2, graph->group_slots_log2) <= DISTRIBUTED_DEPTH
             ? 0
             : blocks_of(graph, a, array->banks_log2, graph->group_slots_log2);
}

static unsigned all_blocks(const struct graph *graph, unsigned group_slots_log2) {
  unsigned blocks = 0;
  for (unsigned a = 0; a < graph->array_count; a++)
    if (graph->arrays[a].is_local)
      blocks += blocks_of(graph, a, graph->arrays[a].banks_log2, group_slots_log2);
  return blocks;
}

// Work-groups of the size that is required, or of a few work-items, that there are group slots for.
static unsigned least_group_slots(const struct graph *graph) {
  const unsigned *size = graph->group_size;
  const unsigned items = size[0] != 0 ? size[0] * size[1] * size[2] : FEW_ITEMS;
  unsigned group_slots = graph->slots_log2 > LEAST_GROUP_SLOTS_LOG2 ? graph->slots_log2 : LEAST_GROUP_SLOTS_LOG2;
  while (group_slots > LEAST_GROUP_SLOTS_LOG2 && items > (graph->lanes << graph->slots_log2) >> group_slots)
    group_slots--;
  return group_slots;
}

static void choose_group_slots(struct graph *graph) {
  graph->group_slots_log2 = least_group_slots(graph);
  const unsigned blocks = all_blocks(graph, graph->group_slots_log2);
  while (graph->group_slots_log2 < graph->slots_log2 && all_blocks(graph, graph->group_slots_log2 + 1) <= blocks)
    graph->group_slots_log2++;
}

// ---- all of them

// The array that saves most if lanes store one after the other; NULL if none does.
static struct array *find_widest(struct graph *graph) {
  struct array *widest = NULL;
  unsigned most = 0;
  for (unsigned a = 0; a < graph->array_count; a++) {
    struct array *array = &graph->arrays[a];
    if (!array->is_local || array->banks_log2 == 0)
      continue;
    const unsigned with = blocks_of(graph, a, array->banks_log2, graph->group_slots_log2),
                   without = blocks_of(graph, a, 0, graph->group_slots_log2);
    if (with > without && with - without > most) {
      most = with - without;
      widest = array;
    }
  }
  return widest;
}

static struct array *find_largest(struct graph *graph) {
  struct array *largest = NULL;
  unsigned most = 0;
  for (unsigned a = 0; a < graph->array_count; a++)
    if (graph->arrays[a].is_local) {
      const unsigned blocks = blocks_of(graph, a, graph->arrays[a].banks_log2, graph->group_slots_log2);
      if (blocks <= most)
        continue;
      largest = &graph->arrays[a];
      most = blocks;
    }
  return largest;
}

// Patterns, banks and group slots. False: there are not enough block RAMs.
static bool choose_shapes(struct graph *graph) {
  for (unsigned a = 0; a < graph->array_count; a++)
    if (graph->arrays[a].is_local)
      graph->arrays[a].banks_log2 = graph->lanes_log2;
  for (unsigned i = 0; i < graph->node_count; i++) {
    struct node *node = graph->nodes[i];
    if (node->local_array == 0 || (node->op != OP_ELEMENT && node->op != OP_STORE))
      continue;
    node->pattern = pattern_of(graph, node);
    find_bank(graph, node);
  }
  for (;;) {
    choose_group_slots(graph);
    if (all_blocks(graph, graph->group_slots_log2) <= MOST_BLOCKS)
      return true;
    struct array *array = find_widest(graph);
    if (!array)
      return false;
    array->banks_log2 = 0;
  }
}

// What becomes of them if the kernel requires work-groups of a few work-items in x. Returns whether that is enough.
static bool would_fit_if_required(struct graph *graph) {
  graph->group_size[0] = FEW_ITEMS;
  graph->group_size[1] = graph->group_size[2] = 1;
  const bool fits = choose_shapes(graph);
  for (unsigned a = 0; a < graph->array_count; a++)
    if (graph->arrays[a].is_local)
      graph->arrays[a].required_blocks = graph_local_array_blocks(graph, a);
  graph->group_size[0] = graph->group_size[1] = graph->group_size[2] = 0;
  return fits;
}

bool graph_local_arrays(struct graph *graph) {
  bool has_any = false;
  for (unsigned a = 0; a < graph->array_count; a++)
    has_any |= graph->arrays[a].is_local;
  graph->by_rows =
      graph->group_size[1] * graph->group_size[2] > 1 && graph_lanes_are_neighbours(graph) && relies_on_rows(graph);
  graph->group_slots_log2 = graph->slots_log2;
  if (!has_any)
    return true;
  const bool would_fit = graph->group_size[0] == 0 && would_fit_if_required(graph);
  graph->group_slots_log2 = graph->slots_log2;
  if (choose_shapes(graph))
    return true;
  graph_keep_on_port(graph, find_largest(graph)->variable,
                     would_fit ? "it takes too many block RAMs; " GRAPH_REQUIRE_A_SIZE " it would take fewer"
                               : "it takes too many block RAMs");
  return false;
}
