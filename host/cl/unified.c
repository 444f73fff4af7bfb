// SPDX-License-Identifier: Apache-2.0
// Calls of cl_intel_unified_shared_memory (unified.h).
#include "host/cl/unified.h"

// CL_INVALID_PROPERTY: there is none such, or it is there twice.
// Only shared allocations take a hint where they are first, and only one.
static bool flags_valid(enum heddle_shared_kind kind, cl_bitfield flags) {
  const cl_bitfield device = CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL,
                    host = CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL;
  const cl_bitfield known = CL_MEM_ALLOC_WRITE_COMBINED_INTEL | (kind == HEDDLE_USM_SHARED ? device | host : 0);
  return (flags & ~known) == 0 && (flags & (device | host)) != (device | host);
}

static cl_int take_properties(const cl_mem_properties_intel *properties, struct heddle_shared *wanted) {
  bool seen = false;
  for (; properties && properties[0] != 0; properties += 2) {
    if (properties[0] != CL_MEM_ALLOC_FLAGS_INTEL || seen || !flags_valid(wanted->kind, properties[1]))
      return CL_INVALID_PROPERTY;
    seen = true;
    wanted->flags = properties[1];
  }
  return CL_SUCCESS;
}

void *heddle_unified_allocate(cl_context context, enum heddle_shared_kind kind, cl_device_id device,
                              const cl_mem_properties_intel *properties, size_t size, cl_uint alignment,
                              cl_int *errcode_ret) {
  struct heddle_shared wanted = {.kind = kind, .device = device};
  void *pointer = NULL;
  cl_int error = heddle_is_context(context) ? CL_SUCCESS : CL_INVALID_CONTEXT;
  if (error == CL_SUCCESS && (device || kind == HEDDLE_USM_DEVICE) &&
      (!heddle_is_device(device) || heddle_context_index(context, device) < 0))
    error = CL_INVALID_DEVICE;
  if (error == CL_SUCCESS && !heddle_shared_alignment_valid(alignment))
    error = CL_INVALID_VALUE;
  if (error == CL_SUCCESS)
    error = take_properties(properties, &wanted);
  if (error == CL_SUCCESS && !heddle_memory_size_valid(context, size))
    error = CL_INVALID_BUFFER_SIZE;
  if (error == CL_SUCCESS)
    pointer = heddle_shared_allocate(context, CL_MEM_READ_WRITE, &wanted, size, &error);
  return heddle_created(errcode_ret, error, pointer);
}

cl_int heddle_unified_hint(cl_command_queue queue, cl_command_type type, const void *pointer, size_t size,
                           cl_uint num_waits, const cl_event *waits, cl_event *event) {
  struct heddle_shared_place place;
  const bool inside = heddle_shared_find(queue->context, pointer, size, &place);
  const bool is_unified = place.memory && (HEDDLE_UNIFIED_KINDS >> place.memory->shared->kind & 1) != 0;
  heddle_shared_leave(&place);
  if (!inside || !is_unified)
    return CL_INVALID_VALUE;
  const cl_int error = heddle_check_wait_list(queue->context, num_waits, waits);
  if (error != CL_SUCCESS)
    return error;
  struct heddle_command *command = heddle_command_create(sizeof *command, queue, type, num_waits, waits);
  return command ? heddle_enqueue(command, false, event) : CL_OUT_OF_HOST_MEMORY;
}
