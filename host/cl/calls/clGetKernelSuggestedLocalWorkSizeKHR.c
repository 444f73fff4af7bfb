// SPDX-License-Identifier: Apache-2.0
// clGetKernelSuggestedLocalWorkSizeKHR (cl_khr_suggested_local_work_size).
#include "host/cl/calls.h"
#include "host/cl/enqueue_check.h"

cl_int clGetKernelSuggestedLocalWorkSizeKHR(cl_command_queue command_queue, cl_kernel kernel, cl_uint work_dim,
                                            const size_t *global_work_offset, const size_t *global_work_size,
                                            size_t *suggested_local_work_size) {
  HEDDLE_CALL;
  return heddle_suggest_local_size(command_queue, kernel, work_dim, global_work_offset, global_work_size,
                                   suggested_local_work_size);
}
