// SPDX-License-Identifier: Apache-2.0
// The items of a line (straight.h) that are worth it to be joined, or must keep their order, and what each of them
// needs; exclusive.c puts them in an order.
#ifndef HEDDLE_HLS_PIPELINE_EXCLUSIVE_ITEMS_H
#define HEDDLE_HLS_PIPELINE_EXCLUSIVE_ITEMS_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

#include "hls/call_graph.h"
#include "hls/pipeline/exclusive.h"
#include "hls/pipeline/straight.h"

enum { EXCLUSIVE_MOST_ITEMS = 256, EXCLUSIVE_WORDS = EXCLUSIVE_MOST_ITEMS / 64 };

struct exclusive_set {
  uint64_t words[EXCLUSIVE_WORDS];
};

// One instruction.
struct exclusive_item {
  LLVMValueRef instruction, array;  // array: the private one that it accesses; NULL: none
  unsigned block, behind;           // behind: how many come one behind the other until nothing needs the last one
  bool has_effects, is_done;
  struct exclusive_set needs;  // items that come before it
};

struct exclusive_line {
  struct straight *straight;
  struct reach arrays;  // private ones that are reached by their names alone, so that no other pointer leads there
  struct exclusive_item items[EXCLUSIVE_MOST_ITEMS];
  unsigned count;
  struct exclusive_joined joined;
};

// Those of a kernel as it is.
void exclusive_find_arrays(struct exclusive_line *line, LLVMValueRef kernel);
// The items of the blocks that line->straight has. False: there are none, or too many.
bool exclusive_find_items(struct exclusive_line *line);
// Fills in what they need. Instructions that do nothing go.
void exclusive_find_needs(struct exclusive_line *line);

// Whether an operation takes so much room that it is worth it.
bool exclusive_is_large(LLVMValueRef instruction);
// Whether two operations without effects are the same but for their operands, of which there are so many.
bool exclusive_are_same_operation(LLVMValueRef a, LLVMValueRef b);
unsigned exclusive_arguments_of(LLVMValueRef instruction);
// Forgets what is said of an instruction that does not hold when others are one with it.
void exclusive_forget(LLVMValueRef instruction);

bool exclusive_has(const struct exclusive_set *set, unsigned item);
bool exclusive_is_access(LLVMValueRef instruction);
// Whether two items exclude each other, and may be one.
bool exclusive_may_be_one(const struct exclusive_line *line, unsigned item, unsigned other);
// Whether two values are plainly the same.
bool exclusive_is_same(LLVMValueRef a, LLVMValueRef b);

#endif
