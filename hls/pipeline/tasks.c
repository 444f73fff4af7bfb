// SPDX-License-Identifier: Apache-2.0
#include "hls/pipeline/tasks.h"

#include "hls/call_graph.h"
#include "hls/kernel_hints.h"
#include "hls/pipeline/flow.h"
#include "hls/pipeline/graph.h"
#include "hls/pipeline/primitives.h"

enum { MOST_STEPS = 200 };  // in what a loop's end is made of

static bool says_nothing(const struct kernel *kernel) {
  for (unsigned d = 0; d < 3; d++)
    if (kernel->reqd_work_group_size[d] != 0 || kernel->work_group_size_hint[d] > 1)
      return false;
  return !kernel->is_block && kernel->sub_group_size == 0 && kernel->num_sub_groups == 0 &&
         kernel->simd_work_items == 0 && kernel->compute_units == 0;
}

// Of one work-item among several. Atomics, too: work-items may wait for each other by them.
static bool is_of_one_of_many(LLVMValueRef at) {
  if (LLVMIsAAtomicRMWInst(at) || LLVMIsAAtomicCmpXchgInst(at))
    return true;
  if ((LLVMIsALoadInst(at) || LLVMIsAStoreInst(at)) && LLVMGetOrdering(at) != LLVMAtomicOrderingNotAtomic)
    return true;
  const struct primitive primitive = primitive_of(at);
  switch (primitive.meaning) {
    case PRIMITIVE_NONE:
    case PRIMITIVE_WORK_DIM:
    case PRIMITIVE_GLOBAL_SIZE:
    case PRIMITIVE_GLOBAL_OFFSET:
    case PRIMITIVE_MAX_SUB_GROUP_SIZE:
    case PRIMITIVE_PRINTF_LAYOUT:
    case PRIMITIVE_ARGUMENT_WORD:
    case PRIMITIVE_PIPE_READ:
    case PRIMITIVE_PIPE_WORD:
    case PRIMITIVE_PIPE_WRITE:
    case PRIMITIVE_FLOAT_OF_INT:
    case PRIMITIVE_FLOAT_OF_UINT:
    case PRIMITIVE_INT_OF_FLOAT:
    case PRIMITIVE_UINT_OF_FLOAT:
      return false;
    default:
      return true;
  }
}

// Whether a value may be made of what was read from a pipe. True, too, where it is made of very much.
static bool is_of_pipe(LLVMValueRef value) {
  struct reach made_of = {0};
  reach_add(&made_of, value);
  bool is = false;
  for (size_t i = 0; i < made_of.count && !is; i++) {  // grows while it runs
    LLVMValueRef at = made_of.values[i];
    if (!LLVMIsAInstruction(at))
      continue;
    is = i == MOST_STEPS || primitive_of(at).meaning == PRIMITIVE_PIPE_READ;
    for (int k = 0; k < LLVMGetNumOperands(at); k++)
      if (!reach_has(&made_of, LLVMGetOperand(at, (unsigned)k)))
        reach_add(&made_of, LLVMGetOperand(at, (unsigned)k));
  }
  reach_free(&made_of);
  return is;
}

static bool leaves(const struct flow *flow, const bool *in_loop, size_t number) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(flow->blocks[number]);
  for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
    if (!in_loop[flow_number(flow, LLVMGetSuccessor(end, i))])
      return true;
  return false;
}

// Whether a loop ends when a pipe says so.
static bool ends_by_pipe(const struct flow *flow, size_t header, size_t latch) {
  bool *in_loop = graph_allocate(flow->count * sizeof *in_loop), ends = false;
  flow_mark_loop(flow, header, latch, in_loop);
  for (size_t i = 0; i < flow->count && !ends; i++) {
    ends = in_loop[i] && leaves(flow, in_loop, i) &&
           is_of_pipe(LLVMGetOperand(LLVMGetBasicBlockTerminator(flow->blocks[i]), 0));
  }
  return ends;
}

struct found {
  bool loop, pipe, pipe_that_ends_one;
};

static void find_loops(const struct flow *flow, size_t number, struct found *found) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(flow->blocks[number]);
  for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
    const size_t header = flow_number(flow, LLVMGetSuccessor(end, i));
    if (header > number)
      continue;
    found->loop = true;
    found->pipe_that_ends_one |= found->pipe && ends_by_pipe(flow, header, number);
  }
}

// Reading one waits: a loop that ends then is none of the source.
static bool has_channel(const struct kernel *kernel) {
  bool has = false;
  for (uint32_t i = 0; i < kernel->argument_count; i++)
    has |= kernel->arguments[i].channel != 0;
  return has;
}

static bool is_task(const struct kernel *kernel) {
  LLVMValueRef function = kernel->body;
  struct flow flow;
  flow_find(function, &flow);
  struct found found = {0};
  bool is_alike = true;
  for (size_t i = 0; i < flow.count && is_alike; i++)
    for (LLVMValueRef at = LLVMGetFirstInstruction(flow.blocks[i]); at && is_alike; at = LLVMGetNextInstruction(at)) {
      is_alike = !is_of_one_of_many(at);
      found.pipe |= primitive_of(at).meaning == PRIMITIVE_PIPE_READ;
    }
  for (size_t i = 0; i < flow.count && is_alike; i++)
    find_loops(&flow, i, &found);
  flow_free(&flow);
  return is_alike && found.loop && (!found.pipe_that_ends_one || has_channel(kernel));
}

void tasks_find(struct kernels *kernels) {
  for (size_t i = 0; i < kernels->count; i++)
    kernels->items[i].is_task = says_nothing(&kernels->items[i]) &&
                                (kernel_hints_single_task(kernels->items[i].body) || is_task(&kernels->items[i]));
}
