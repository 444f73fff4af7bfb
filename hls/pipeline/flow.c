// SPDX-License-Identifier: Apache-2.0
// Reverse postorder, and dominators by Cooper, Harvey and Kennedy's algorithm.
#include "hls/pipeline/flow.h"

#include <stdlib.h>

// Blocks in the order of their addresses, with their numbers.
struct flow_names {
  LLVMBasicBlockRef block;
  size_t number;
};

static void *allocated(size_t count, size_t size) {
  void *memory = calloc(count + 1, size);
  if (!memory)
    abort();  // the pass runs in a child process; its end is reported by the parent
  return memory;
}

static int by_address(const void *a, const void *b) {
  const struct flow_names *x = a, *y = b;
  return x->block < y->block ? -1 : x->block > y->block;
}

static struct flow_names *name_of(struct flow_names *names, size_t count, LLVMBasicBlockRef block) {
  const struct flow_names key = {.block = block};
  return bsearch(&key, names, count, sizeof key, by_address);
}

size_t flow_number(const struct flow *flow, LLVMBasicBlockRef block) {
  const struct flow_names *name = name_of(flow->names, flow->count, block);
  return name ? name->number : FLOW_NONE;
}

// Depth first without recursion; a block gets its place when all behind it have theirs.
static void order_blocks(LLVMValueRef function, struct flow *flow) {
  const size_t all = LLVMCountBasicBlocks(function);
  struct flow_names *names = allocated(all, sizeof *names);
  size_t count = 0;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
    names[count++] = (struct flow_names){b, FLOW_NONE};
  qsort(names, count, sizeof *names, by_address);
  struct {
    LLVMBasicBlockRef block;
    unsigned next;
  } *stack = allocated(all, sizeof *stack);
  LLVMBasicBlockRef *finished = allocated(all, sizeof *finished);
  size_t depth = 0, done = 0;
  stack[depth].block = LLVMGetEntryBasicBlock(function);
  name_of(names, count, stack[depth++].block)->number = 0;
  while (depth > 0) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(stack[depth - 1].block);
    if (stack[depth - 1].next < LLVMGetNumSuccessors(end)) {
      LLVMBasicBlockRef successor = LLVMGetSuccessor(end, stack[depth - 1].next++);
      struct flow_names *name = name_of(names, count, successor);
      if (name->number == FLOW_NONE) {
        name->number = 0;
        stack[depth].block = successor;
        stack[depth++].next = 0;
      }
    } else {
      finished[done++] = stack[--depth].block;
    }
  }
  free(stack);
  free(names);
  flow->count = done;
  flow->blocks = allocated(done, sizeof(LLVMBasicBlockRef));
  flow->names = allocated(done, sizeof *flow->names);
  for (size_t i = 0; i < done; i++) {
    flow->blocks[i] = finished[done - 1 - i];
    flow->names[i] = (struct flow_names){flow->blocks[i], i};
  }
  qsort(flow->names, done, sizeof *flow->names, by_address);
  free(finished);
}

static size_t common_dominator(const size_t *dominators, size_t a, size_t b) {
  while (a != b)
    if (a > b)
      a = dominators[a];
    else
      b = dominators[b];
  return a;
}

static void find_dominators(struct flow *flow) {
  flow->dominators = allocated(flow->count, sizeof *flow->dominators);
  for (size_t i = 1; i < flow->count; i++)
    flow->dominators[i] = FLOW_NONE;
  bool changed = true;
  while (changed) {
    changed = false;
    for (size_t from = 0; from < flow->count; from++) {
      LLVMValueRef end = LLVMGetBasicBlockTerminator(flow->blocks[from]);
      for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
        const size_t to = flow_number(flow, LLVMGetSuccessor(end, s));
        const size_t before = flow->dominators[to];
        const size_t now = before == FLOW_NONE ? from : common_dominator(flow->dominators, before, from);
        if (now != before) {
          flow->dominators[to] = now;
          changed = true;
        }
      }
    }
  }
}

void flow_find(LLVMValueRef function, struct flow *flow) {
  *flow = (struct flow){0};
  order_blocks(function, flow);
  find_dominators(flow);
}

void flow_free(struct flow *flow) {
  free(flow->blocks);
  free(flow->dominators);
  free(flow->names);
  *flow = (struct flow){0};
}

bool flow_dominates(const struct flow *flow, size_t by, size_t block) {
  while (block > by)
    block = flow->dominators[block];
  return block == by;
}

void flow_mark_loop(const struct flow *flow, size_t header, size_t latch, bool *in_loop) {
  size_t *pending = allocated(flow->count, sizeof *pending), count = 0;
  in_loop[header] = true;
  if (!in_loop[latch]) {
    in_loop[latch] = true;
    pending[count++] = latch;
  }
  while (count > 0) {
    LLVMValueRef block = LLVMBasicBlockAsValue(flow->blocks[pending[--count]]);
    for (LLVMUseRef use = LLVMGetFirstUse(block); use; use = LLVMGetNextUse(use)) {
      LLVMValueRef user = LLVMGetUser(use);
      const size_t from = LLVMIsATerminatorInst(user) ? flow_number(flow, LLVMGetInstructionParent(user)) : FLOW_NONE;
      if (from != FLOW_NONE && !in_loop[from]) {
        in_loop[from] = true;
        pending[count++] = from;
      }
    }
  }
  free(pending);
}
