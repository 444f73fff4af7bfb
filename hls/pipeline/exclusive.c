// SPDX-License-Identifier: Apache-2.0
// What has effects, and operations that are worth it, are put in an order: of those that are ready, as all that they
// are made of is there and what they must not pass has passed, those that exclude each other and are alike become one.
// One that others could still join waits for them where there is something else to do.
#include "hls/pipeline/exclusive.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "hls/pipeline/exclusive_items.h"

enum { MOST_HYPERBLOCKS = 256 };

// ---- which blocks

// The first and the last block of the part of a hyperblock that holds all of some items that may be merged; the
// largest such part. False: there is none.
static bool find_part(const struct exclusive_items *e, unsigned *first, unsigned *last) {
  bool any = false;
  *first = *last = 0;
  for (unsigned i = 0; i < e->count; i++) {
    unsigned from = e->items[i].block, to = from;
    for (unsigned k = 0; k < e->count; k++) {
      if (!exclusive_may_be_one(e, i, k))
        continue;
      from = straight_dominator(e->straight, from, e->items[k].block);
      to = e->items[k].block > to ? e->items[k].block : to;
    }
    if (from == e->items[i].block || (any && from > *first))
      continue;
    *last = any && from == *first && *last > to ? *last : to;
    *first = from;
    any = true;
  }
  return any;
}

// ---- the order

struct group {
  unsigned items[EXCLUSIVE_MOST_ITEMS];
  unsigned count, could_join;
};

static bool is_ready(const struct exclusive_items *e, unsigned i) {
  const struct exclusive_item *item = &e->items[i];
  for (unsigned k = 0; k < e->count && !item->is_done; k++)
    if (exclusive_has(&item->needs, k) && !e->items[k].is_done)
      return false;
  return !item->is_done;
}

static bool fits_to_all(const struct exclusive_items *e, const struct group *group, unsigned i) {
  for (unsigned m = 0; m < group->count; m++)
    if (group->items[m] == i || !exclusive_may_be_one(e, group->items[m], i))
      return false;
  return true;
}

// Of those that a block has several of, first such that do it with the same as the one that the group begins with.
static void find_group(const struct exclusive_items *e, const bool *ready, unsigned first, struct group *group) {
  *group = (struct group){.items = {first}, .count = 1};
  LLVMValueRef begin = e->items[first].instruction;
  for (unsigned pass = 0; pass < 2; pass++)
    for (unsigned i = 0; i < e->count; i++) {
      LLVMValueRef at = e->items[i].instruction;
      const unsigned operand = LLVMIsAStoreInst(at) ? 1 : 0;
      if (ready[i] && fits_to_all(e, group, i) &&
          (pass == 1 || exclusive_is_same(LLVMGetOperand(at, operand), LLVMGetOperand(begin, operand))))
        group->items[group->count++] = i;
    }
  for (unsigned i = 0; i < e->count; i++)
    group->could_join += !ready[i] && !e->items[i].is_done && fits_to_all(e, group, i);
}

// ---- one of several

// The operand that each has; where they differ, chosen by who it is of.
static LLVMValueRef choose(struct exclusive_items *e, const struct group *group, unsigned operand) {
  struct straight *s = e->straight;
  LLVMValueRef chosen = NULL;
  for (unsigned m = group->count; m-- > 0;) {
    const struct exclusive_item *item = &e->items[group->items[m]];
    LLVMValueRef value = straight_take(s, LLVMGetOperand(item->instruction, operand));
    if (!chosen)
      chosen = value;
    else if (!exclusive_is_same(value, chosen))
      chosen = LLVMBuildSelect(s->builder, straight_condition(s, item->block), value, chosen, "");
  }
  return chosen;
}

static LLVMValueRef condition_of(struct exclusive_items *e, const struct group *group) {
  struct straight *s = e->straight;
  LLVMValueRef condition = NULL;
  for (unsigned m = 0; m < group->count; m++)
    condition = straight_or(s, condition, straight_condition(s, e->items[group->items[m]].block));
  return condition;
}

static void take_group(struct exclusive_items *e, const struct group *group) {
  struct straight *s = e->straight;
  LLVMValueRef one = e->items[group->items[0]].instruction;
  LLVMSetCurrentDebugLocation2(s->builder, LLVMInstructionGetDebugLoc(one));
  for (unsigned i = 0; i < exclusive_arguments_of(one) && group->count > 1; i++)
    LLVMSetOperand(one, i, choose(e, group, i));
  for (unsigned m = 1; m < group->count; m++) {
    LLVMValueRef other = e->items[group->items[m]].instruction;
    if (exclusive_is_access(one) && LLVMGetAlignment(other) < LLVMGetAlignment(one))
      LLVMSetAlignment(one, LLVMGetAlignment(other));
    if (LLVMGetTypeKind(LLVMTypeOf(other)) != LLVMVoidTypeKind)
      LLVMReplaceAllUsesWith(other, one);
    LLVMInstructionEraseFromParent(other);
  }
  if (group->count > 1)
    exclusive_forget(one);
  if (e->items[group->items[0]].has_effects)
    straight_take_under(s, one, condition_of(e, group));
  else
    straight_take(s, one);
  for (unsigned m = 0; m < group->count; m++)
    e->items[group->items[m]].is_done = true;
}

// Of what is alike in this, what most waits for goes first.
static bool is_better(const struct exclusive_items *e, const struct group *now, const struct group *best) {
  if (best->count == 0 || now->could_join != best->could_join)
    return best->count == 0 || now->could_join < best->could_join;
  if (now->count != best->count)
    return now->count > best->count;
  return e->items[now->items[0]].behind > e->items[best->items[0]].behind;
}

static void take_all(struct exclusive_items *e) {
  struct group *best = malloc(sizeof *best), *now = malloc(sizeof *now);
  if (!best || !now)
    abort();
  for (unsigned done = 0; done < e->count; done += best->count) {
    bool ready[EXCLUSIVE_MOST_ITEMS];
    best->count = 0;
    for (unsigned i = 0; i < e->count; i++)
      ready[i] = is_ready(e, i);
    for (unsigned i = 0; i < e->count; i++) {
      if (!ready[i])
        continue;
      find_group(e, ready, i, now);
      if (is_better(e, now, best))
        *best = *now;
    }
    if (best->count == 0)
      abort();  // the first that is left needs none of those behind it
    take_group(e, best);
    e->joined.of += best->count > 1 ? best->count : 0;
    e->joined.left += best->count > 1;
  }
  free(best);
  free(now);
}

// ---- a kernel

static void join(struct exclusive_items *e) {
  exclusive_find_needs(e);
  straight_begin(e->straight);
  take_all(e);
  straight_end(e->straight);
}

// Whether the largest hyperblock that begins at a block has items to merge. e->straight is then the part with them.
// Else its blocks are marked as known: hyperblocks that begin there are parts of this one.
static bool find_hyperblock(struct exclusive_items *e, const struct flow *flow, size_t begin, bool *known) {
  unsigned first, last;
  straight_find(e->straight, flow, begin);
  if (!exclusive_find_items(e))
    return false;
  if (!find_part(e, &first, &last)) {
    for (unsigned b = 0; b < e->straight->count; b++)
      known[flow_number(flow, e->straight->blocks[b])] = true;
    return false;
  }
  LLVMBasicBlockRef end = e->straight->blocks[last];
  straight_find(e->straight, flow, flow_number(flow, e->straight->blocks[first]));
  for (last = 0; e->straight->blocks[last] != end;)
    last++;
  straight_cut(e->straight, last);
  return exclusive_find_items(e);
}

static bool join_next(LLVMValueRef kernel, struct exclusive_items *e, bool joins) {
  struct flow flow;
  flow_find(kernel, &flow);
  exclusive_find_arrays(e, kernel);
  bool found = false, *known = calloc(flow.count + 1, sizeof *known);
  if (!known)
    abort();
  for (size_t i = 0; i < flow.count && !found; i++)
    found = !known[i] && find_hyperblock(e, &flow, i, known);
  free(known);
  if (found && joins)
    join(e);
  flow_free(&flow);
  return found;
}

static struct exclusive_items *new_items(void) {
  struct exclusive_items *e = calloc(1, sizeof *e);
  if (!e || !(e->straight = malloc(sizeof *e->straight)))
    abort();
  return e;
}

static void free_items(struct exclusive_items *e) {
  reach_free(&e->arrays);
  free(e->straight);
  free(e);
}

bool exclusive_is_there(LLVMValueRef kernel) {
  struct exclusive_items *e = new_items();
  const bool is_there = join_next(kernel, e, false);
  free_items(e);
  return is_there;
}

struct exclusive_joined exclusive_join(LLVMValueRef kernel) {
  struct exclusive_items *e = new_items();
  for (unsigned count = 0; count < MOST_HYPERBLOCKS && join_next(kernel, e, true);)
    count++;
  const struct exclusive_joined joined = e->joined;
  free_items(e);
  return joined;
}
