// SPDX-License-Identifier: Apache-2.0
// clGetMemObjectInfo.
#include <CL/cl_heddle.h>

#include "host/cl/calls.h"
#include "host/cl/image.h"
#include "host/cl/info.h"

static cl_int answer_addresses(cl_mem memory, const struct heddle_answer *answer) {
  cl_ulong addresses[HEDDLE_MAX_CONTEXT_DEVICES];
  const cl_context context = memory->context;
  for (cl_uint i = 0; i < context->num_devices; i++)
    addresses[i] = heddle_memory_address(memory, context->devices[i]);
  return heddle_answer_bytes(answer, addresses, context->num_devices * sizeof *addresses);
}

static cl_int answer_properties(cl_mem memory, const struct heddle_answer *answer) {
  const cl_mem_properties given[] = {CL_MEM_ALIGNMENT_HEDDLE, memory->alignment, 0}, none = 0;
  if (memory->alignment != 0)
    return heddle_answer_bytes(answer, given, sizeof given);
  return heddle_answer_bytes(answer, &none, memory->with_properties ? sizeof none : 0);
}

cl_int clGetMemObjectInfo(cl_mem memobj, cl_mem_info param_name, size_t param_value_size, void *param_value,
                          size_t *param_value_size_ret) {
  HEDDLE_CALL;
  const struct heddle_answer answer = {param_value_size, param_value, param_value_size_ret};
  if (!heddle_is_memory(memobj))
    return CL_INVALID_MEM_OBJECT;
  // That a buffer is a part of shared memory is no association.
  const cl_mem parent = memobj->parent && !memobj->parent->shared ? memobj->parent : NULL;
  switch (param_name) {
    case CL_MEM_TYPE:
      return heddle_answer_uint(&answer, memobj->image              ? memobj->image->type
                                         : heddle_is_buffer(memobj) ? CL_MEM_OBJECT_BUFFER
                                                                    : CL_MEM_OBJECT_PIPE);
    case CL_MEM_FLAGS:
      return heddle_answer_ulong(&answer, memobj->flags);
    case CL_MEM_SIZE:
      return heddle_answer_size(&answer, memobj->size);
    case CL_MEM_HOST_PTR:
      return heddle_answer_pointer(&answer, memobj->host_ptr);
    case CL_MEM_MAP_COUNT:
      return heddle_answer_uint(&answer, atomic_load(&memobj->map_count));
    case CL_MEM_REFERENCE_COUNT:
      return heddle_answer_uint(&answer, heddle_object_references(memobj));
    case CL_MEM_CONTEXT:
      return heddle_answer_pointer(&answer, memobj->context);
    case CL_MEM_ASSOCIATED_MEMOBJECT:
      return heddle_answer_pointer(&answer, parent);
    case CL_MEM_OFFSET:
      return heddle_answer_size(&answer, memobj->image || !parent ? 0 : memobj->origin - parent->origin);
    case CL_MEM_USES_SVM_POINTER:
      return heddle_answer_bool(&answer, heddle_memory_root(memobj)->shared);
    case CL_MEM_PROPERTIES:
      return answer_properties(memobj, &answer);
    case CL_MEM_DEVICE_ADDRESSES_HEDDLE:
      return answer_addresses(memobj, &answer);
    default:
      return CL_INVALID_VALUE;
  }
}
