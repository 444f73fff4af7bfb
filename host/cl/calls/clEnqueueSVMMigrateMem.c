// SPDX-License-Identifier: Apache-2.0
// clEnqueueSVMMigrateMem: no device shares memory.
#include "host/cl/calls.h"
#include "host/cl/queue.h"

cl_int clEnqueueSVMMigrateMem(cl_command_queue command_queue, cl_uint num_svm_pointers, const void **svm_pointers,
                              const size_t *sizes, cl_mem_migration_flags flags, cl_uint num_events_in_wait_list,
                              const cl_event *event_wait_list, cl_event *event) {
  HEDDLE_CALL;
  (void)num_svm_pointers, (void)svm_pointers, (void)sizes, (void)flags;
  (void)num_events_in_wait_list, (void)event_wait_list, (void)event;
  return heddle_is_host_queue(command_queue) ? CL_INVALID_OPERATION : CL_INVALID_COMMAND_QUEUE;
}
