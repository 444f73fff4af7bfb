// SPDX-License-Identifier: Apache-2.0
// The command that runs a kernel: enqueueing makes it (checks, NDRange, argument block), the worker gives it to the
// device. Any thread may call these functions; heddle_lock is not held.
#ifndef HEDDLE_CL_DISPATCH_COMMAND_H
#define HEDDLE_CL_DISPATCH_COMMAND_H

#include "host/cl/kernel.h"
#include "host/cl/queue.h"

// clEnqueueNDRangeKernel and clEnqueueTask (OpenCL 3.0, section 5.10), with their arguments and errors. The values of
// the kernel's arguments are copied, and the memory objects that it uses are retained until the command has ended.
cl_int heddle_enqueue_kernel(cl_command_queue queue, cl_command_type type, cl_kernel kernel, cl_uint work_dim,
                             const size_t *offset, const size_t *global, const size_t *local, cl_uint num_waits,
                             const cl_event *waits, cl_event *event);

// Of an autorun kernel, which a program may not enqueue.
cl_int heddle_enqueue_autorun(cl_command_queue queue, cl_kernel kernel);

#endif
