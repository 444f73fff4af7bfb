// SPDX-License-Identifier: Apache-2.0
// clGetMemAllocInfoINTEL (cl_intel_unified_shared_memory). Any pointer may be asked about.
#include "host/cl/calls.h"
#include "host/cl/info.h"
#include "host/cl/unified.h"

static cl_uint type_of(const struct heddle_shared *shared) {
  static const cl_uint types[] = {[HEDDLE_SVM] = CL_MEM_TYPE_UNKNOWN_INTEL,
                                  [HEDDLE_USM_HOST] = CL_MEM_TYPE_HOST_INTEL,
                                  [HEDDLE_USM_DEVICE] = CL_MEM_TYPE_DEVICE_INTEL,
                                  [HEDDLE_USM_SHARED] = CL_MEM_TYPE_SHARED_INTEL};
  return types[shared->kind];
}

static cl_int tell(cl_mem memory, cl_mem_info_intel param_name, const struct heddle_answer *answer) {
  const struct heddle_shared nothing = {.kind = HEDDLE_SVM};
  const struct heddle_shared *shared = memory && memory->shared->kind != HEDDLE_SVM ? memory->shared : &nothing;
  switch (param_name) {
    case CL_MEM_ALLOC_TYPE_INTEL:
      return heddle_answer_uint(answer, type_of(shared));
    case CL_MEM_ALLOC_BASE_PTR_INTEL:
      return heddle_answer_pointer(answer, shared->start);
    case CL_MEM_ALLOC_SIZE_INTEL:
      return heddle_answer_size(answer, shared != &nothing ? memory->size : 0);
    case CL_MEM_ALLOC_DEVICE_INTEL:
      return heddle_answer_pointer(answer, shared->device);
    case CL_MEM_ALLOC_FLAGS_INTEL:
      return heddle_answer_ulong(answer, shared->flags);
    default:
      return CL_INVALID_VALUE;
  }
}

cl_int clGetMemAllocInfoINTEL(cl_context context, const void *ptr, cl_mem_info_intel param_name,
                              size_t param_value_size, void *param_value, size_t *param_value_size_ret) {
  HEDDLE_CALL;
  const struct heddle_answer answer = {param_value_size, param_value, param_value_size_ret};
  struct heddle_shared_place place;
  if (!heddle_is_context(context))
    return CL_INVALID_CONTEXT;
  heddle_shared_find(context, ptr, 1, &place);
  const cl_int error = tell(place.memory, param_name, &answer);
  heddle_shared_leave(&place);
  return error;
}
