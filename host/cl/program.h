// SPDX-License-Identifier: Apache-2.0
// Programs: source, SPIR-V or binary, and for each device what became of it (build.h).
//
// Threads: builds are made by clBuildProgram and clCompileProgram under the program's lock. Once a kernel exists a
// build cannot be repeated (CL_INVALID_OPERATION), so that a kernel reads its build without the lock; `address` and
// `placed` are the exception.
#ifndef HEDDLE_CL_PROGRAM_H
#define HEDDLE_CL_PROGRAM_H

#include "host/cl/context.h"
#include "host/device/kernel_file.h"

// A program on one device.
struct heddle_build {
  cl_build_status status;
  char *options;          // of the last build; NULL: none
  char *log;              // NULL: empty
  unsigned char *binary;  // NULL: none
  size_t binary_bytes;
  cl_program_binary_type type;      // of the binary
  struct heddle_kernel_file *file;  // NULL: no executable

  bool placed;       // has a place in device memory; guarded by the program's lock
  uint32_t address;  // of that place
  // The device's worker only: the image is there, and what heddle_device_damages said when it was last written.
  bool loaded;
  uint64_t damages;
};

// The value of a specialization constant.
struct heddle_specialization {
  cl_uint id;
  uint8_t value[8];  // as many as the module says that there are
};

struct _cl_program {
  struct heddle_object object;
  cl_context context;
  cl_uint num_devices;
  cl_device_id devices[HEDDLE_MAX_CONTEXT_DEVICES];
  char *source;  // NULL: none
  bool linked;   // by clLinkProgram
  size_t source_bytes;
  unsigned char *il;  // NULL: none
  size_t il_bytes;
  atomic_uint num_kernels;  // kernel objects made of it

  pthread_mutex_t lock;
  struct heddle_build builds[HEDDLE_MAX_CONTEXT_DEVICES];
  struct heddle_specialization *specializations;  // of the il, one an id
  size_t num_specializations;
};

bool heddle_is_program(cl_program program);

// A program for these devices, without source or binary. NULL: host memory is out.
cl_program heddle_program_create(cl_context context, cl_uint num_devices, const cl_device_id *devices);
void heddle_program_release(cl_program program);

// Whether it can be compiled: it has source or SPIR-V.
bool heddle_program_has_source(cl_program program);

// Whether it has been built for some device.
bool heddle_program_has_executable(cl_program program);

// Place of a device in the program's list; -1: it is not one of them.
int heddle_program_index(cl_program program, cl_device_id device);

// Place of the build that holds for a device: its own, or, as long as nothing was built for it, that of the device that
// it was made of. -1: there is neither.
int heddle_program_build_of(cl_program program, cl_device_id device);

// The checks of a list of devices that the calls which build have. CL_INVALID_VALUE, CL_INVALID_DEVICE.
cl_int heddle_program_check_devices(cl_program program, cl_uint num_devices, const cl_device_id *devices);

// Forgets the executable of one device, and its place there. The program's lock is held, and there are no kernels.
void heddle_program_drop_executable(cl_program program, int index);

// Reserves device memory for the image. CL_MEM_OBJECT_ALLOCATION_FAILURE.
cl_int heddle_program_place(cl_program program, int index);

// Writes the image if it is not there yet, and code and constants again if a kernel may have written over them since
// (heddle_device_damages). On the device's worker. 0 or -errno.
int heddle_program_load(cl_program program, int index);

#endif
