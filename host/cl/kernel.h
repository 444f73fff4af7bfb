// SPDX-License-Identifier: Apache-2.0
// Kernels: a name in a program, and the arguments it will be enqueued with.
#ifndef HEDDLE_CL_KERNEL_H
#define HEDDLE_CL_KERNEL_H

#include "host/cl/memory.h"
#include "host/cl/program.h"

// What clSetKernelArg left.
struct heddle_kernel_argument {
  bool set;
  size_t size;             // as given
  cl_mem memory;           // pointer to global or constant; NULL: a null pointer. Not retained, as OpenCL has it
  cl_command_queue queue;  // queue_t. Not retained either
  unsigned char *value;    // by value: `size` bytes
};

// Not thread-safe where OpenCL says so: clSetKernelArg and enqueueing of one kernel object.
struct _cl_kernel {
  struct heddle_object object;
  cl_program program;
  // By place of the build in the program; NULL where that has no executable.
  const struct heddle_kernel *on_device[HEDDLE_MAX_CONTEXT_DEVICES];
  const struct heddle_kernel *description;  // the first of them that is not NULL
  struct heddle_kernel_argument *arguments;
};

bool heddle_is_kernel(cl_kernel kernel);

// A kernel of a program that has an executable. CL_INVALID_KERNEL_NAME, CL_INVALID_KERNEL_DEFINITION.
cl_kernel heddle_kernel_create(cl_program program, const char *name, cl_int *error);
void heddle_kernel_release(cl_kernel kernel);

// The device that a query means: *device, or the only one if that is NULL. Returns the kernel there; NULL:
// CL_INVALID_DEVICE.
const struct heddle_kernel *heddle_kernel_on(cl_kernel kernel, cl_device_id *device);

// The number of the kind of compute unit that it runs on there. A sub-device has no pipelines, and may run what was
// built for a device that has.
static inline uint32_t heddle_kernel_kind_number(const struct heddle_kernel *kernel,
                                                 const struct heddle_capabilities *capabilities) {
  return kernel->kind < capabilities->num_kinds ? kernel->kind : 0;
}
static inline const struct heddle_unit_kind *heddle_kernel_kind(const struct heddle_kernel *kernel,
                                                                const struct heddle_capabilities *capabilities) {
  return &capabilities->kinds[heddle_kernel_kind_number(kernel, capabilities)];
}

// S of the kernel on a device: the required size, else the lanes of the kind of unit that it runs on.
uint32_t heddle_kernel_sub_group_size(const struct heddle_kernel *kernel,
                                      const struct heddle_capabilities *capabilities);

// Largest number of work-items in a work-group of it.
uint32_t heddle_kernel_work_group_size(const struct heddle_kernel *kernel,
                                       const struct heddle_capabilities *capabilities);

// Bytes of local memory that its local variables take there.
uint32_t heddle_kernel_variable_bytes(const struct heddle_kernel *kernel);

// Bytes of local memory it takes: its variables and the arguments set so far.
uint64_t heddle_kernel_local_bytes(cl_kernel kernel, const struct heddle_kernel *on_device);

// Whether the argument is a pointer to local memory, or one that takes a memory object.
bool heddle_argument_is_local(const struct heddle_argument *argument);
bool heddle_argument_is_memory(const struct heddle_argument *argument);

// Of those that take a memory object: whether it has to be a pipe rather than a buffer.
bool heddle_argument_is_pipe(const struct heddle_argument *argument);

#endif
