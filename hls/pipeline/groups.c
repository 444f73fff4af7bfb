// SPDX-License-Identifier: Apache-2.0
// Which accesses a memory group makes. Neighbouring words of a work-item, as of a vector or a struct, go together: an
// access of one of them for each lane would be a beat for each lane, and so would the next. What is the same for all
// lanes is accessed once, by the first.
#include <stdlib.h>

#include "contract/log2.h"
#include "hls/pipeline/rates.h"
#include "hls/pipeline/schedule.h"

enum { WORD_BYTES = 4 };

void access_root(struct node *address, struct node **root, uint32_t *offset) {
  *root = address;
  *offset = 0;
  if (address->op == OP_ADD && address->arguments[1]->op == OP_CONSTANT) {
    *root = address->arguments[0];
    *offset = (uint32_t)address->arguments[1]->number;
  }
}

// ---- accesses of one group

struct part {
  struct node *node, *root, *mask;
  uint32_t offset;
  bool any;  // of the token
  bool placed;
};

// Lanes whose words are neighbours share beats as they are, and so do lanes that have the same word. One lane has
// nobody to share them with.
static bool lanes_share_beats(const struct graph *graph, const struct node *access) {
  const struct pattern pattern = rates_pattern(graph, access);
  return graph->lanes > 1 && pattern.is_known && pattern.stride >= -WORD_BYTES && pattern.stride <= WORD_BYTES;
}

static bool may_join(const struct part *part, const struct part *other) {
  return !other->placed && other->root == part->root && other->mask == part->mask && other->any == part->any &&
         other->node->bytes == WORD_BYTES && other->node->op == part->node->op &&
         other->node->space == part->node->space;
}

static struct part *with_offset(struct part *parts, unsigned count, const struct part *like, uint32_t offset) {
  for (unsigned i = 0; i < count; i++)
    if (may_join(like, &parts[i]) && parts[i].offset == offset)
      return &parts[i];
  return NULL;
}

// Loads that go together with `first` or come before it among its neighbours: those from the lowest neighbour on.
static unsigned run_of_loads(struct part *parts, unsigned count, struct part *first, unsigned most, struct part **run) {
  uint32_t lowest = first->offset;
  while (with_offset(parts, count, first, lowest - WORD_BYTES))
    lowest -= WORD_BYTES;
  unsigned length = 0;
  for (struct part *at; length < most && (at = with_offset(parts, count, first, lowest + WORD_BYTES * length));)
    run[length++] = at;
  return length;
}

// Stores keep their order but for those that follow each other and are of neighbouring words.
static unsigned run_of_stores(struct part *parts, unsigned count, struct part *first, unsigned most,
                              struct part **run) {
  unsigned best = 1;
  run[0] = first;
  const unsigned limit = (unsigned)(parts + count - first) < most ? (unsigned)(parts + count - first) : most;
  for (unsigned length = 2; length <= limit; length++) {
    uint32_t lowest = first->offset;
    while (with_offset(first, length, first, lowest - WORD_BYTES))
      lowest -= WORD_BYTES;
    unsigned found = 0;
    while (found < length && with_offset(first, length, first, lowest + WORD_BYTES * found))
      found++;
    if (found != length)
      continue;
    best = length;
    for (unsigned i = 0; i < length; i++)
      run[i] = with_offset(first, length, first, lowest + WORD_BYTES * i);
  }
  return best;
}

static unsigned number_in(struct node **nodes, unsigned *count, struct node *node) {
  for (unsigned i = 0; i < *count; i++)
    if (nodes[i] == node)
      return i;
  nodes[*count] = node;
  return (*count)++;
}

static unsigned number_of_mask(struct accesses *accesses, struct node *mask, bool any) {
  unsigned m = 0;
  while (m < accesses->mask_count && (accesses->masks[m] != mask || accesses->any[m] != any))
    m++;
  if (m == accesses->mask_count) {
    accesses->masks[m] = mask;
    accesses->any[m] = any;
    accesses->mask_count++;
  }
  return m;
}

static void add(const struct graph *graph, struct accesses *accesses, struct part *const *run, unsigned length) {
  struct access access = {.root = number_in(accesses->roots, &accesses->root_count, run[0]->root),
                          .mask = number_of_mask(accesses, run[0]->mask, run[0]->any),
                          .offset = run[0]->offset,
                          .words = length};
  for (unsigned i = 0; i < length; i++) {
    access.nodes[i] = run[i]->node;
    if (run[i]->node->op != OP_LOAD)
      access.data[i] = number_in(accesses->datas, &accesses->data_count, run[i]->node->arguments[1]);
    run[i]->placed = true;
  }
  // Lanes that keep their lines have all their words at once.
  if (run[0]->node->window == WINDOW_OF_LINES) {
    accesses->items[accesses->count++] = access;
    return;
  }
  // The token's are the first work-item's; it has all lanes of the port.
  access.across = heddle_log2_ceiling(length);
  if (length > 1 && run[0]->any)
    access.across = graph->port_lanes_log2;
  const unsigned turns = run[0]->any ? 1 : graph->lanes / access_items(graph, &access);
  for (; access.turn < turns; access.turn++)
    accesses->items[accesses->count++] = access;
}

// Words of private memory are a lane's own: the port has them at that lane. Elements of a local array are in banks.
static bool goes_across(const struct graph *graph, const struct part *part) {
  const struct node *node = part->node;
  return graph->port_lanes > 1 && node->bytes == WORD_BYTES && node->op != OP_ATOMIC && node->local_array == 0 &&
         node->space <= SPACE_LOCAL &&
         (part->any || node->window == WINDOW_OF_LINES ||
          (node->window == WINDOW_NONE && !lanes_share_beats(graph, node)));
}

void schedule_accesses(const struct graph *graph, const struct segment *segment, struct accesses *accesses) {
  *accesses = (struct accesses){0};
  struct part parts[MOST_GROUP], *run[MOST_WORDS];
  const unsigned count = segment->group.count;
  for (unsigned i = 0; i < count; i++) {
    struct node *node = segment->group.items[i];
    parts[i] = (struct part){.node = node, .mask = node->arguments[node->count - 1]};
    access_root(node->arguments[0], &parts[i].root, &parts[i].offset);
    parts[i].any = node->op == OP_LOAD && node->class == CLASS_TOKEN;
  }
  for (unsigned i = 0; i < count; i++)
    while (!parts[i].placed) {
      run[0] = &parts[i];
      unsigned length = 1;
      if (!goes_across(graph, &parts[i]))
        length = 1;
      else if (parts[i].node->op == OP_LOAD)
        length = run_of_loads(parts, count, &parts[i], graph->port_lanes, run);
      else
        length = run_of_stores(parts, count, &parts[i], graph->port_lanes, run);
      add(graph, accesses, run, length);
    }
}

unsigned access_window_word(const struct graph *graph, const struct accesses *accesses, unsigned access, unsigned word,
                            unsigned lane) {
  unsigned before = 0;
  if (accesses->items[access].nodes[word]->window == WINDOW_OF_LINES)
    return word * graph->lanes + lane;
  for (unsigned i = 0; i < access; i++)
    before += accesses->any[accesses->items[i].mask] ? accesses->items[i].words : graph->lanes;
  return before + (accesses->any[accesses->items[access].mask] ? word : lane);
}

unsigned group_lanes(const struct graph *graph, const struct segment *segment) {
  return segment->local_array != 0 ? graph->lanes : graph->port_lanes;
}

unsigned segment_accesses(const struct segment *segment) {
  if (!segment->is_window)
    return segment->access_count;
  return segment->group.items[0]->window == WINDOW_OF_LINES ? segment->group.count : 0;
}

unsigned access_items(const struct graph *graph, const struct access *access) {
  const unsigned items = graph->port_lanes >> access->across;
  return items < graph->lanes ? items : graph->lanes;
}

int access_lane(const struct graph *graph, const struct access *access, unsigned word, unsigned lane) {
  const unsigned items = access_items(graph, access);
  if (lane / items != access->turn)
    return -1;
  return (int)(((lane % items) << access->across) + word);
}
