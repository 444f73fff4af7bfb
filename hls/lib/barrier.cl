// SPDX-License-Identifier: Apache-2.0
// Synchronisation functions: OpenCL C 3.0, section 6.15.8. Memory is in order for each work-item, so fences only hold
// the compiler; the barrier instruction orders everything, so flags and scopes do not matter to it.
#include "hls/lib/device.h"

void BUILTIN barrier(cl_mem_fence_flags flags) {
  BARRIER(HEDDLE_SCOPE_WORK_GROUP);
}

void BUILTIN work_group_barrier(cl_mem_fence_flags flags) {
  BARRIER(HEDDLE_SCOPE_WORK_GROUP);
}

void BUILTIN work_group_barrier(cl_mem_fence_flags flags, memory_scope scope) {
  BARRIER(HEDDLE_SCOPE_WORK_GROUP);
}

void BUILTIN sub_group_barrier(cl_mem_fence_flags flags) {
  BARRIER(HEDDLE_SCOPE_SUB_GROUP);
}

void BUILTIN sub_group_barrier(cl_mem_fence_flags flags, memory_scope scope) {
  BARRIER(HEDDLE_SCOPE_SUB_GROUP);
}

#define FENCE() __asm__ volatile("" ::: "memory")

void BUILTIN mem_fence(cl_mem_fence_flags flags) {
  FENCE();
}

void BUILTIN read_mem_fence(cl_mem_fence_flags flags) {
  FENCE();
}

void BUILTIN write_mem_fence(cl_mem_fence_flags flags) {
  FENCE();
}

void BUILTIN atomic_work_item_fence(cl_mem_fence_flags flags, memory_order order, memory_scope scope) {
  FENCE();
}
