// SPDX-License-Identifier: Apache-2.0
// Two ways from one block of a SPIR-V module to another (il_branches.h).
#include "hls/il_branches.h"

#include <stdlib.h>
#include <string.h>

// A way: from a block, to a block, through a new block.
enum { FROM, TO, THROUGH, WAY_WORDS };

static int compare(const void *a, const void *b) {
  const uint32_t *x = a, *y = b;
  const int by_from = (x[FROM] > y[FROM]) - (x[FROM] < y[FROM]);
  return by_from != 0 ? by_from : (x[TO] > y[TO]) - (x[TO] < y[TO]);
}

// Calls visit for each place in a branch that names a block.
static void each_target(struct rewrite *r, uint32_t *at, void (*visit)(struct rewrite *r, uint32_t *target)) {
  const size_t length = length_of(*at);
  if (opcode_of(*at) == BRANCH_CONDITIONAL && length >= 4) {
    visit(r, at + 2);
    visit(r, at + 3);
  } else if (opcode_of(*at) == SWITCH && length >= 3) {
    const uint32_t *type = module_definition(r, module_type_of(r, at[1]), TYPE_INT, 4);
    const size_t literal = type && type[2] > 32 ? 2 : 1;
    visit(r, at + 2);
    for (size_t i = 3; i + literal < length; i += literal + 1)
      visit(r, at + i + literal);
  }
}

static void learn_target(struct rewrite *r, uint32_t *target) {
  module_append(r, &r->detours, (const uint32_t[WAY_WORDS]){[FROM] = r->block, [TO] = *target}, WAY_WORDS);
}

void branches_learn(struct rewrite *r) {
  for (size_t at = HEADER_WORDS; at < r->count && r->status == STATUS_OK; at += length_of(r->words[at])) {
    if (opcode_of(r->words[at]) == LABEL && length_of(r->words[at]) == 2)
      r->block = r->words[at + 1];
    each_target(r, (uint32_t *)r->words + at, learn_target);
  }
  uint32_t *ways = r->detours.words;
  const size_t count = r->detours.count / WAY_WORDS;
  size_t kept = 0;
  if (r->status != STATUS_OK || count == 0)
    return;
  qsort(ways, count, WAY_WORDS * sizeof *ways, compare);
  for (size_t i = 0, next; i < count; i = next) {
    for (next = i + 1; next < count && compare(ways + i * WAY_WORDS, ways + next * WAY_WORDS) == 0;)
      next++;
    if (next == i + 1)
      continue;
    memmove(ways + kept * WAY_WORDS, ways + i * WAY_WORDS, WAY_WORDS * sizeof *ways);
    ways[kept++ * WAY_WORDS + THROUGH] = new_id(r);
  }
  r->detours.count = kept * WAY_WORDS;
}

static const uint32_t *find(const struct rewrite *r, uint32_t from, uint32_t to) {
  const uint32_t key[WAY_WORDS] = {[FROM] = from, [TO] = to};
  if (r->detours.count == 0)
    return NULL;
  return bsearch(key, r->detours.words, r->detours.count / WAY_WORDS, sizeof key, compare);
}

static void lead_through(struct rewrite *r, uint32_t *target) {
  const uint32_t *way = find(r, r->block, *target);
  if (way)
    *target = way[THROUGH];
}

// The new blocks behind a block, which stand beside each other in the list.
static void write_detours(struct rewrite *r, const uint32_t *targets, size_t count) {
  const uint32_t *first = NULL, *end = r->detours.words + r->detours.count;
  for (size_t i = 0; i < count && !first; i++)
    first = find(r, r->block, targets[i]);
  while (first && first > r->detours.words && first[FROM - WAY_WORDS] == r->block)
    first -= WAY_WORDS;
  for (const uint32_t *way = first; way && way < end && way[FROM] == r->block; way += WAY_WORDS) {
    EMIT(r, LABEL, way[THROUGH]);
    EMIT(r, BRANCH, way[TO]);
  }
}

bool branches_write(struct rewrite *r, const uint32_t *at) {
  const size_t length = length_of(*at), start = r->functions.count;
  const uint32_t opcode = opcode_of(*at);
  if (opcode == LABEL && length == 2)
    r->block = at[1];
  if (r->detours.count == 0 || (opcode != BRANCH_CONDITIONAL && opcode != SWITCH && opcode != PHI))
    return false;
  module_append(r, &r->functions, at, length);
  if (r->status != STATUS_OK)
    return true;
  uint32_t *copy = r->functions.words + start;
  if (opcode == PHI) {
    for (size_t i = 4; i < length; i += 2) {
      const uint32_t *way = find(r, copy[i], r->block);
      if (way)
        copy[i] = way[THROUGH];
    }
    return true;
  }
  each_target(r, copy, lead_through);
  write_detours(r, at + 2, length - 2);
  return true;
}
