// SPDX-License-Identifier: Apache-2.0
// What has effects, and operations that are worth it, are put in an order: of those that are ready, as all that they
// are made of is there and what they must not pass has passed, those that exclude each other and are alike become one.
// One that others could still join waits for them where there is something else to do.
#include "hls/pipeline/exclusive.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "hls/pipeline/exclusive_items.h"

enum { MOST_LINES = 256 };

// ---- which blocks

// The first block of a line's part that has all of some that exclude each other and are alike, and the last one; the
// largest such part. False: there is none.
static bool find_part(const struct exclusive_line *line, unsigned *first, unsigned *last) {
  bool any = false;
  *first = *last = 0;
  for (unsigned i = 0; i < line->count; i++) {
    unsigned from = line->items[i].block, to = from;
    for (unsigned k = 0; k < line->count; k++) {
      if (!exclusive_may_be_one(line, i, k))
        continue;
      from = straight_dominator(line->straight, from, line->items[k].block);
      to = line->items[k].block > to ? line->items[k].block : to;
    }
    if (from == line->items[i].block || (any && from > *first))
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

static bool is_ready(const struct exclusive_line *line, unsigned i) {
  const struct exclusive_item *item = &line->items[i];
  for (unsigned k = 0; k < line->count && !item->is_done; k++)
    if (exclusive_has(&item->needs, k) && !line->items[k].is_done)
      return false;
  return !item->is_done;
}

static bool fits_to_all(const struct exclusive_line *line, const struct group *group, unsigned i) {
  for (unsigned m = 0; m < group->count; m++)
    if (group->items[m] == i || !exclusive_may_be_one(line, group->items[m], i))
      return false;
  return true;
}

// Of those that a block has several of, first such that do it with the same as the one that the group begins with.
static void find_group(const struct exclusive_line *line, const bool *ready, unsigned first, struct group *group) {
  *group = (struct group){.items = {first}, .count = 1};
  LLVMValueRef begin = line->items[first].instruction;
  for (unsigned pass = 0; pass < 2; pass++)
    for (unsigned i = 0; i < line->count; i++) {
      LLVMValueRef at = line->items[i].instruction;
      const unsigned operand = LLVMIsAStoreInst(at) ? 1 : 0;
      if (ready[i] && fits_to_all(line, group, i) &&
          (pass == 1 || exclusive_is_same(LLVMGetOperand(at, operand), LLVMGetOperand(begin, operand))))
        group->items[group->count++] = i;
    }
  for (unsigned i = 0; i < line->count; i++)
    group->could_join += !ready[i] && !line->items[i].is_done && fits_to_all(line, group, i);
}

// ---- one of several

// The operand that each has; where they differ, chosen by who it is of.
static LLVMValueRef choose(struct exclusive_line *line, const struct group *group, unsigned operand) {
  struct straight *s = line->straight;
  LLVMValueRef chosen = NULL;
  for (unsigned m = group->count; m-- > 0;) {
    const struct exclusive_item *item = &line->items[group->items[m]];
    LLVMValueRef value = straight_take(s, LLVMGetOperand(item->instruction, operand));
    if (!chosen)
      chosen = value;
    else if (!exclusive_is_same(value, chosen))
      chosen = LLVMBuildSelect(s->builder, straight_condition(s, item->block), value, chosen, "");
  }
  return chosen;
}

static LLVMValueRef condition_of(struct exclusive_line *line, const struct group *group) {
  struct straight *s = line->straight;
  LLVMValueRef condition = NULL;
  for (unsigned m = 0; m < group->count; m++)
    condition = straight_or(s, condition, straight_condition(s, line->items[group->items[m]].block));
  return condition;
}

static void take_group(struct exclusive_line *line, const struct group *group) {
  struct straight *s = line->straight;
  LLVMValueRef one = line->items[group->items[0]].instruction;
  LLVMSetCurrentDebugLocation2(s->builder, LLVMInstructionGetDebugLoc(one));
  for (unsigned i = 0; i < exclusive_arguments_of(one) && group->count > 1; i++)
    LLVMSetOperand(one, i, choose(line, group, i));
  for (unsigned m = 1; m < group->count; m++) {
    LLVMValueRef other = line->items[group->items[m]].instruction;
    if (exclusive_is_access(one) && LLVMGetAlignment(other) < LLVMGetAlignment(one))
      LLVMSetAlignment(one, LLVMGetAlignment(other));
    if (LLVMGetTypeKind(LLVMTypeOf(other)) != LLVMVoidTypeKind)
      LLVMReplaceAllUsesWith(other, one);
    LLVMInstructionEraseFromParent(other);
  }
  if (group->count > 1)
    exclusive_forget(one);
  if (line->items[group->items[0]].has_effects)
    straight_take_under(s, one, condition_of(line, group));
  else
    straight_take(s, one);
  for (unsigned m = 0; m < group->count; m++)
    line->items[group->items[m]].is_done = true;
}

// Of what is alike in this, what most waits for goes first.
static bool is_better(const struct exclusive_line *line, const struct group *now, const struct group *best) {
  if (best->count == 0 || now->could_join != best->could_join)
    return best->count == 0 || now->could_join < best->could_join;
  if (now->count != best->count)
    return now->count > best->count;
  return line->items[now->items[0]].behind > line->items[best->items[0]].behind;
}

static void take_all(struct exclusive_line *line) {
  struct group *best = malloc(sizeof *best), *now = malloc(sizeof *now);
  if (!best || !now)
    abort();
  for (unsigned done = 0; done < line->count; done += best->count) {
    bool ready[EXCLUSIVE_MOST_ITEMS];
    best->count = 0;
    for (unsigned i = 0; i < line->count; i++)
      ready[i] = is_ready(line, i);
    for (unsigned i = 0; i < line->count; i++) {
      if (!ready[i])
        continue;
      find_group(line, ready, i, now);
      if (is_better(line, now, best))
        *best = *now;
    }
    if (best->count == 0)
      abort();  // the first that is left needs none of those behind it
    take_group(line, best);
    line->joined.of += best->count > 1 ? best->count : 0;
    line->joined.left += best->count > 1;
  }
  free(best);
  free(now);
}

// ---- a kernel

static void join(struct exclusive_line *line) {
  exclusive_find_needs(line);
  straight_begin(line->straight);
  take_all(line);
  straight_end(line->straight);
}

// Whether there is something in the largest line that begins at a block. Then the line is the part that has it. Else
// blocks of which that is known are marked: lines that begin there are parts of this one.
static bool find_line(struct exclusive_line *line, const struct flow *flow, size_t begin, bool *known) {
  unsigned first, last;
  straight_find(line->straight, flow, begin);
  if (!exclusive_find_items(line))
    return false;
  if (!find_part(line, &first, &last)) {
    for (unsigned b = 0; b < line->straight->count; b++)
      known[flow_number(flow, line->straight->blocks[b])] = true;
    return false;
  }
  LLVMBasicBlockRef end = line->straight->blocks[last];
  straight_find(line->straight, flow, flow_number(flow, line->straight->blocks[first]));
  for (last = 0; line->straight->blocks[last] != end;)
    last++;
  straight_cut(line->straight, last);
  return exclusive_find_items(line);
}

static bool join_next(LLVMValueRef kernel, struct exclusive_line *line, bool joins) {
  struct flow flow;
  flow_find(kernel, &flow);
  exclusive_find_arrays(line, kernel);
  bool found = false, *known = calloc(flow.count + 1, sizeof *known);
  if (!known)
    abort();
  for (size_t i = 0; i < flow.count && !found; i++)
    found = !known[i] && find_line(line, &flow, i, known);
  free(known);
  if (found && joins)
    join(line);
  flow_free(&flow);
  return found;
}

static struct exclusive_line *new_line(void) {
  struct exclusive_line *line = calloc(1, sizeof *line);
  if (!line || !(line->straight = malloc(sizeof *line->straight)))
    abort();
  return line;
}

static void free_line(struct exclusive_line *line) {
  reach_free(&line->arrays);
  free(line->straight);
  free(line);
}

bool exclusive_is_there(LLVMValueRef kernel) {
  struct exclusive_line *line = new_line();
  const bool is_there = join_next(kernel, line, false);
  free_line(line);
  return is_there;
}

struct exclusive_joined exclusive_join(LLVMValueRef kernel) {
  struct exclusive_line *line = new_line();
  for (unsigned lines = 0; lines < MOST_LINES && join_next(kernel, line, true);)
    lines++;
  const struct exclusive_joined joined = line->joined;
  free_line(line);
  return joined;
}
