// SPDX-License-Identifier: Apache-2.0
#include "hls/pipeline/tasks.h"

#include "hls/pipeline/flow.h"
#include "hls/pipeline/primitives.h"

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

static bool ends_a_round(const struct flow *flow, size_t number) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(flow->blocks[number]);
  for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
    if (flow_number(flow, LLVMGetSuccessor(end, i)) <= number)
      return true;
  return false;
}

static bool is_task(LLVMValueRef function) {
  struct flow flow;
  flow_find(function, &flow);
  bool has_loop = false, is_alike = true;
  for (size_t i = 0; i < flow.count && is_alike; i++) {
    has_loop |= ends_a_round(&flow, i);
    for (LLVMValueRef at = LLVMGetFirstInstruction(flow.blocks[i]); at && is_alike; at = LLVMGetNextInstruction(at))
      is_alike = !is_of_one_of_many(at);
  }
  flow_free(&flow);
  return has_loop && is_alike;
}

void tasks_find(struct kernels *kernels) {
  for (size_t i = 0; i < kernels->count; i++)
    kernels->items[i].is_task = says_nothing(&kernels->items[i]) && is_task(kernels->items[i].body);
}
