// SPDX-License-Identifier: Apache-2.0
// clEnqueueNDRangeKernel.
#include "host/cl/calls.h"
#include "host/cl/dispatch_command.h"

cl_int clEnqueueNDRangeKernel(cl_command_queue command_queue, cl_kernel kernel, cl_uint work_dim,
                              const size_t *global_work_offset, const size_t *global_work_size,
                              const size_t *local_work_size, cl_uint num_events_in_wait_list,
                              const cl_event *event_wait_list, cl_event *event) {
  HEDDLE_CALL;
  return heddle_enqueue_kernel(command_queue, CL_COMMAND_NDRANGE_KERNEL, kernel, work_dim, global_work_offset,
                               global_work_size, local_work_size, num_events_in_wait_list, event_wait_list, event);
}
