// SPDX-License-Identifier: Apache-2.0
// The items of a hyperblock (straight.h): the instructions that are worth merging or have to keep their order, and
// which of them depend on which. exclusive.c schedules and merges them.
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

// An instruction.
struct exclusive_item {
  LLVMValueRef instruction, array;  // array: the private array that it accesses; NULL: none
  unsigned block;                   // its number in the hyperblock
  unsigned behind;                  // items behind it on the longest chain of dependences
  bool has_effects, is_done;
  struct exclusive_set needs;  // items that have to come before it
};

struct exclusive_items {
  struct straight *straight;
  struct reach arrays;  // private arrays that are accessed by their names alone: no other pointer leads there
  struct exclusive_item items[EXCLUSIVE_MOST_ITEMS];
  unsigned count;
  struct exclusive_joined joined;
};

// Finds `arrays`, in the kernel as it is now.
void exclusive_find_arrays(struct exclusive_items *e, LLVMValueRef kernel);
// Finds the items of the hyperblock e->straight. False: there are none, or more than EXCLUSIVE_MOST_ITEMS.
bool exclusive_find_items(struct exclusive_items *e);
// Fills in `needs` and `behind`. Deletes instructions that do nothing.
void exclusive_find_needs(struct exclusive_items *e);

// Whether an operation takes so much room that merging it is worth the choice of its operands.
bool exclusive_is_large(LLVMValueRef instruction);
// Whether two operations without effects differ in their operands alone.
bool exclusive_are_same_operation(LLVMValueRef a, LLVMValueRef b);
// How many operands of an instruction are values: of a call without the function.
unsigned exclusive_arguments_of(LLVMValueRef instruction);
// Drops flags and metadata of an instruction that hold for it alone and not for those that are merged with it.
void exclusive_forget(LLVMValueRef instruction);

bool exclusive_has(const struct exclusive_set *set, unsigned item);
bool exclusive_is_access(LLVMValueRef instruction);
// Whether two items are in blocks that exclude each other, and alike, so that they may be merged.
bool exclusive_may_be_one(const struct exclusive_items *e, unsigned item, unsigned other);
// Whether two values are the same value, or equal instructions of the same values.
bool exclusive_is_same(LLVMValueRef a, LLVMValueRef b);

#endif
