// SPDX-License-Identifier: Apache-2.0
// clEnqueueNativeKernel: no device of ours runs host code (CL_DEVICE_EXECUTION_CAPABILITIES).
#include "host/cl/calls.h"
#include "host/cl/queue.h"

cl_int clEnqueueNativeKernel(cl_command_queue command_queue, void(CL_CALLBACK *user_func)(void *), void *args,
                             size_t cb_args, cl_uint num_mem_objects, const cl_mem *mem_list, const void **args_mem_loc,
                             cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event) {
  HEDDLE_CALL;
  (void)user_func, (void)args, (void)cb_args, (void)num_mem_objects, (void)mem_list, (void)args_mem_loc;
  (void)num_events_in_wait_list, (void)event_wait_list, (void)event;
  return heddle_is_host_queue(command_queue) ? CL_INVALID_OPERATION : CL_INVALID_COMMAND_QUEUE;
}
