// SPDX-License-Identifier: Apache-2.0
// Kernel objects (OpenCL 3.0, sections 5.9 and 5.10): a kernel of a program, and the arguments that were set.
#ifndef HEDDLE_CL_KERNEL_H
#define HEDDLE_CL_KERNEL_H

#include "host/cl/memory.h"
#include "host/cl/program.h"

// What clSetKernelArg has set.
struct heddle_kernel_argument {
  bool set;
  size_t size;             // arg_size, bytes
  cl_mem memory;           // a pointer to global or constant memory, or an image; NULL: null pointer. Not retained
  cl_mem *channel;         // of a channel (channels.h): its pipe on each device of the program, the list owned; or NULL
  size_t offset;           // of a pointer into that memory
  cl_command_queue queue;  // a queue_t. Not retained
  unsigned char *value;    // a value: a copy of `size` bytes, owned; of a sampler its word
};

// Threads: setting arguments of a kernel object while another thread uses it is the one thing that is not thread-safe
// (OpenCL 3.0, appendix A.2).
struct _cl_kernel {
  struct heddle_object object;
  cl_program program;
  // By index of the build in the program; NULL: that has no executable.
  const struct heddle_kernel *on_device[HEDDLE_MAX_CONTEXT_DEVICES];
  const struct heddle_kernel *description;   // the first entry that is not NULL
  struct heddle_kernel_argument *arguments;  // description->num_arguments of them, owned
  // Of clSetKernelExecInfo: memory that the kernel may find pointers to, not retained, by what it was set as
  // (shared.h).
  struct heddle_reached {
    cl_mem *memories;  // owned
    cl_uint count;
  } reached[2];
  unsigned reached_kinds;  // all memory of these kinds (enum heddle_shared_kind), a bit each
};

// What an argument is on a device, by the index of its build.
static inline cl_mem heddle_kernel_memory(const struct _cl_kernel *kernel, uint32_t argument, int build) {
  const struct heddle_kernel_argument *of = &kernel->arguments[argument];
  return of->channel ? of->channel[build] : of->memory;
}

// Whether it is a live kernel object. Any pointer may be given.
bool heddle_is_kernel(cl_kernel kernel);

// clCreateKernel of a program that has an executable. The kernel retains the program. NULL, and *error is
// CL_INVALID_KERNEL_NAME, CL_INVALID_KERNEL_DEFINITION (it differs between devices) or CL_OUT_OF_HOST_MEMORY.
cl_kernel heddle_kernel_create(cl_program program, const char *name, cl_int *error);
// clReleaseKernel: takes one reference away, and frees the kernel with the last one.
void heddle_kernel_release(cl_kernel kernel);

// The device that a query means: *device, or the only one if that is NULL. Returns the kernel there; NULL:
// CL_INVALID_DEVICE.
const struct heddle_kernel *heddle_kernel_on(cl_kernel kernel, cl_device_id *device);

// The number of the kind of compute unit that the kernel runs on. A sub-device has no pipelines, and may run what was
// built for a device that has.
static inline uint32_t heddle_kernel_kind_number(const struct heddle_kernel *kernel,
                                                 const struct heddle_capabilities *capabilities) {
  return kernel->kind < capabilities->num_kinds ? kernel->kind : 0;
}
static inline const struct heddle_unit_kind *heddle_kernel_kind(const struct heddle_kernel *kernel,
                                                                const struct heddle_capabilities *capabilities) {
  return &capabilities->kinds[heddle_kernel_kind_number(kernel, capabilities)];
}

// What the kernel is in a chain that it may be part of; NULL: no chain of the device has it. A kernel with pipes may
// run in either form, so that its limits are those of both.
static inline const struct heddle_unit_kind *heddle_kernel_chain_kind(const struct heddle_kernel *kernel,
                                                                      const struct heddle_capabilities *capabilities) {
  return kernel->chain_kind != 0 && kernel->chain_kind < capabilities->num_kinds
             ? &capabilities->kinds[kernel->chain_kind]
             : NULL;
}

// Work-items of a full sub-group on a device: the size that the kernel requires, else the lanes of its kind of unit.
uint32_t heddle_kernel_sub_group_size(const struct heddle_kernel *kernel,
                                      const struct heddle_capabilities *capabilities);

// CL_KERNEL_WORK_GROUP_SIZE: the most work-items of a work-group.
uint32_t heddle_kernel_work_group_size(const struct heddle_kernel *kernel,
                                       const struct heddle_capabilities *capabilities);

// Bytes of local memory that the kernel's local variables take.
uint32_t heddle_kernel_variable_bytes(const struct heddle_kernel *kernel);

// CL_KERNEL_LOCAL_MEM_SIZE: bytes of its local variables and of the local arguments that are set.
uint64_t heddle_kernel_local_bytes(cl_kernel kernel, const struct heddle_kernel *on_device);

// Arguments of the source, which a program sets: all but channels.
static inline uint32_t heddle_kernel_num_arguments(cl_kernel kernel) {
  return heddle_first_channel(kernel->description);
}

// Whether an argument is a pointer to local memory; whether it takes a memory object.
bool heddle_argument_is_local(const struct heddle_argument *argument);
bool heddle_argument_is_memory(const struct heddle_argument *argument);

// Of an argument that takes a memory object: whether that has to be a pipe, or an image, not a buffer.
bool heddle_argument_is_pipe(const struct heddle_argument *argument);
bool heddle_argument_is_image(const struct heddle_argument *argument);

#endif
