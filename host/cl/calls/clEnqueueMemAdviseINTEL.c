// SPDX-License-Identifier: Apache-2.0
// clEnqueueMemAdviseINTEL (cl_intel_unified_shared_memory): there is no advice that would change anything.
#include "host/cl/calls.h"
#include "host/cl/unified.h"

cl_int clEnqueueMemAdviseINTEL(cl_command_queue command_queue, const void *ptr, size_t size, cl_mem_advice_intel advice,
                               cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event) {
  HEDDLE_CALL;
  if (!heddle_is_host_queue(command_queue))
    return CL_INVALID_COMMAND_QUEUE;
  if (advice != 0)
    return CL_INVALID_VALUE;  // the extension defines none
  return heddle_unified_hint(command_queue, CL_COMMAND_MEMADVISE_INTEL, ptr, size, num_events_in_wait_list,
                             event_wait_list, event);
}
