// SPDX-License-Identifier: Apache-2.0
// clEnqueueMigrateMemINTEL (cl_intel_unified_shared_memory): memory moves when kernels use it, so that there is nothing
// to do but to keep the order.
#include "host/cl/calls.h"
#include "host/cl/unified.h"

cl_int clEnqueueMigrateMemINTEL(cl_command_queue command_queue, const void *ptr, size_t size,
                                cl_mem_migration_flags flags, cl_uint num_events_in_wait_list,
                                const cl_event *event_wait_list, cl_event *event) {
  HEDDLE_CALL;
  const cl_mem_migration_flags known = CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
  if (!heddle_is_host_queue(command_queue))
    return CL_INVALID_COMMAND_QUEUE;
  if ((flags & ~known) != 0)
    return CL_INVALID_VALUE;
  return heddle_unified_hint(command_queue, CL_COMMAND_MIGRATEMEM_INTEL, ptr, size, num_events_in_wait_list,
                             event_wait_list, event);
}
