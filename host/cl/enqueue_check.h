// SPDX-License-Identifier: Apache-2.0
// Checks of a kernel before it is enqueued (OpenCL 3.0, section 5.10, clEnqueueNDRangeKernel), as far as they are not
// about the NDRange (ndrange.h). Any thread may call these functions; heddle_lock is not held.
#ifndef HEDDLE_CL_ENQUEUE_CHECK_H
#define HEDDLE_CL_ENQUEUE_CHECK_H

#include "host/cl/ndrange.h"

// Checks queue, kernel, context, executable and arguments. CL_SUCCESS: *index is the build of the kernel's program for
// the queue's device (heddle_program_build_of), and *launch is filled. Else the error of clEnqueueNDRangeKernel.
cl_int heddle_enqueue_check(cl_command_queue queue, cl_kernel kernel, int *index, struct heddle_launch *launch);

// CL_OUT_OF_RESOURCES unless the local variables and local arguments of the kernel fit the local memory of a compute
// unit; the application is told how much they are.
cl_int heddle_local_memory_check(cl_kernel kernel, const struct heddle_launch *launch);

// clGetKernelSuggestedLocalWorkSizeKHR: writes the local size, work_dim numbers, that heddle_enqueue_kernel would
// choose. The arguments are checked as that does it, and a global size of 0 is CL_INVALID_GLOBAL_WORK_SIZE.
cl_int heddle_suggest_local_size(cl_command_queue queue, cl_kernel kernel, cl_uint work_dim, const size_t *offset,
                                 const size_t *global, size_t *suggested);

#endif
