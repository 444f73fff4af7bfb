// SPDX-License-Identifier: Apache-2.0
// clEnqueueSVMFree: no device shares memory.
#include "host/cl/calls.h"
#include "host/cl/queue.h"

cl_int clEnqueueSVMFree(cl_command_queue command_queue, cl_uint num_svm_pointers, void *svm_pointers[],
                        void(CL_CALLBACK *pfn_free_func)(cl_command_queue queue, cl_uint num_svm_pointers,
                                                         void *svm_pointers[], void *user_data),
                        void *user_data, cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                        cl_event *event) {
  HEDDLE_CALL;
  (void)num_svm_pointers, (void)svm_pointers, (void)pfn_free_func, (void)user_data;
  (void)num_events_in_wait_list, (void)event_wait_list, (void)event;
  return heddle_is_host_queue(command_queue) ? CL_INVALID_OPERATION : CL_INVALID_COMMAND_QUEUE;
}
