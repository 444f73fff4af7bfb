// SPDX-License-Identifier: Apache-2.0
// Address space qualifier functions: OpenCL C 3.0, section 6.15.9. The address says it: windows (contract/DEVICE.md).
#include "hls/lib/vectors.h"

#define WINDOW(pointer) ((uint)(pointer) >> 28)
#define LOCAL_WINDOW 0x8
#define PRIVATE_WINDOW 0xC

// clang turns to_global(p) and its like into calls of these, and casts what they return.
global void *__to_global(generic void *pointer) {
  uint window = WINDOW(pointer);
  return window == LOCAL_WINDOW || window == PRIVATE_WINDOW ? (global void *)0 : (global void *)(uint)pointer;
}

local void *__to_local(generic void *pointer) {
  return WINDOW(pointer) == LOCAL_WINDOW ? (local void *)(uint)pointer : (local void *)0;
}

private void *__to_private(generic void *pointer) {
  return WINDOW(pointer) == PRIVATE_WINDOW ? (private void *)(uint)pointer : (private void *)0;
}

// Private memory is nobody else's: no fence.
static cl_mem_fence_flags fence_of(uint window) {
  return window == PRIVATE_WINDOW ? 0 : window == LOCAL_WINDOW ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE;
}

cl_mem_fence_flags OVERLOAD get_fence(generic void *pointer) {
  return fence_of(WINDOW(pointer));
}

cl_mem_fence_flags OVERLOAD get_fence(const generic void *pointer) {
  return fence_of(WINDOW(pointer));
}
