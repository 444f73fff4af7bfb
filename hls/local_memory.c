// SPDX-License-Identifier: Apache-2.0
// Places local variables. A kernel's variables start at offset 0 of the work-group's local memory; one that several
// kernels reach (because one kernel calls another) gets an offset that is free in each of them.
#include "hls/local_memory.h"

#include <stdio.h>
#include <stdlib.h>

#include "contract/device_map.h"
#include "hls/address_spaces.h"
#include "hls/call_graph.h"

struct variable {
  LLVMValueRef global;
  size_t users;  // kernels that reach it
};

// Most shared first, so that those agree on an offset while everything is still free; else in source order.
static int by_users(const void *a, const void *b) {
  const struct variable *x = a, *y = b;
  return x->users != y->users ? (x->users < y->users ? 1 : -1) : 0;
}

static uint32_t alignment_of(LLVMValueRef global, LLVMTargetDataRef layout) {
  uint32_t alignment = LLVMGetAlignment(global);
  return alignment != 0 ? alignment : LLVMABIAlignmentOfType(layout, LLVMGlobalGetValueType(global));
}

static enum status place(const struct variable *variable, LLVMTargetDataRef layout, struct kernels *kernels,
                         const struct reach *reaches) {
  LLVMValueRef global = variable->global;
  uint32_t alignment = alignment_of(global, layout);
  uint64_t size = LLVMABISizeOfType(layout, LLVMGlobalGetValueType(global));
  uint32_t offset = 0;
  for (size_t i = 0; i < kernels->count; i++)
    if (reach_has(&reaches[i], global) && kernels->items[i].local_bytes > offset)
      offset = kernels->items[i].local_bytes;
  offset = (offset + alignment - 1) / alignment * alignment;
  const uint32_t window = HEDDLE_LOCAL_LAST - HEDDLE_LOCAL_BASE + 1;
  if (offset > window || size > window - offset) {
    size_t length;
    fprintf(stderr, "error: local variable '%s': more than %u bytes of local memory\n",
            LLVMGetValueName2(global, &length), window);
    return STATUS_REJECTED;
  }
  for (size_t i = 0; i < kernels->count; i++)
    if (reach_has(&reaches[i], global))
      kernels->items[i].local_bytes = offset + (uint32_t)size;
  LLVMTypeRef word = LLVMInt32TypeInContext(LLVMGetModuleContext(LLVMGetGlobalParent(global)));
  LLVMValueRef address = LLVMConstInt(word, HEDDLE_LOCAL_BASE + offset, 0);
  LLVMReplaceAllUsesWith(global, LLVMConstIntToPtr(address, LLVMTypeOf(global)));
  LLVMDeleteGlobal(global);
  return STATUS_OK;
}

enum status local_memory_place(LLVMModuleRef module, LLVMTargetDataRef layout, struct kernels *kernels) {
  size_t count = 0;
  for (LLVMValueRef global = LLVMGetFirstGlobal(module); global; global = LLVMGetNextGlobal(global))
    count += LLVMGetPointerAddressSpace(LLVMTypeOf(global)) == LOCAL_ADDRESS_SPACE;
  struct variable *variables = calloc(count + 1, sizeof *variables);
  struct reach *reaches = calloc(kernels->count + 1, sizeof *reaches);
  if (!variables || !reaches)
    abort();
  for (size_t i = 0; i < kernels->count; i++)
    reach_from(kernels->items[i].entry, &reaches[i]);
  size_t next = 0;
  for (LLVMValueRef global = LLVMGetFirstGlobal(module); global; global = LLVMGetNextGlobal(global)) {
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(global)) == LOCAL_ADDRESS_SPACE) {
      variables[next].global = global;
      for (size_t i = 0; i < kernels->count; i++)
        variables[next].users += reach_has(&reaches[i], global);
      next++;
    }
  }
  qsort(variables, count, sizeof *variables, by_users);
  enum status status = STATUS_OK;
  for (size_t i = 0; i < count && status == STATUS_OK; i++)
    status = place(&variables[i], layout, kernels, reaches);
  for (size_t i = 0; i < kernels->count; i++)
    reach_free(&reaches[i]);
  free(reaches);
  free(variables);
  return status;
}
