// SPDX-License-Identifier: Apache-2.0
// Program objects (OpenCL 3.0, section 5.8): source, SPIR-V or binary, and a build for each device (build.h).
//
// Threads: the program's lock guards `builds`. clBuildProgram, clCompileProgram and clLinkProgram hold it. While a
// kernel object exists, no build is repeated (CL_INVALID_OPERATION), so kernels read their build without the lock,
// except for `placed` and `address`.
#ifndef HEDDLE_CL_PROGRAM_H
#define HEDDLE_CL_PROGRAM_H

#include "host/cl/context.h"
#include "host/device/kernel_file.h"

// The build of a program for one device.
struct heddle_build {
  cl_build_status status;
  char *options;          // of the last build, owned; NULL: none
  char *log;              // of the last build, owned; NULL: empty
  unsigned char *binary;  // binary_bytes of it, owned; NULL: none
  size_t binary_bytes;
  cl_program_binary_type type;      // of the binary
  struct heddle_kernel_file *file;  // owned; NULL: no executable
  bool has_checks;                  // asked for of the last build
  uint32_t changes;                 // heddle_capabilities.changes of the device that it was made for
  struct heddle_channel *channels;  // of the executable, owned (channel_pipes.h); guarded by the program's lock

  bool placed;       // has device memory for the image; guarded by the program's lock
  uint32_t address;  // of the image in device memory, if it is placed
  uint32_t data;     // address of the pages with what kernels may write, another piece of memory; 0: there is none
  // Used by the device's worker alone: the image has been written, and what heddle_device_damages was then.
  bool loaded;
  uint64_t damages;
};

// A specialization constant that was set (clSetProgramSpecializationConstant).
struct heddle_specialization {
  cl_uint id;
  uint8_t value[8];  // as many bytes as its type has in the module
};

struct _cl_program {
  struct heddle_object object;
  cl_context context;
  cl_uint num_devices;
  cl_device_id devices[HEDDLE_MAX_CONTEXT_DEVICES];
  char *source;  // source_bytes of it, owned; NULL: none
  bool linked;   // made by clLinkProgram
  size_t source_bytes;
  unsigned char *il;  // SPIR-V, il_bytes of it, owned; NULL: none
  size_t il_bytes;
  atomic_uint num_kernels;  // kernel objects that exist

  pthread_mutex_t lock;
  struct heddle_build builds[HEDDLE_MAX_CONTEXT_DEVICES];
  struct heddle_specialization *specializations;  // one for each id that was set, owned
  size_t num_specializations;
};

// Whether it is a live program object. Any pointer may be given.
bool heddle_is_program(cl_program program);

// A program for these devices, without source or binary, with one reference. NULL: out of host memory.
cl_program heddle_program_create(cl_context context, cl_uint num_devices, const cl_device_id *devices);
// clReleaseProgram: takes one reference away, and frees the program with the last one.
void heddle_program_release(cl_program program);

// Whether it has source or SPIR-V, so that it can be compiled.
bool heddle_program_has_source(cl_program program);

// Whether it has an executable for at least one device.
bool heddle_program_has_executable(cl_program program);

// Index of a device in the program's list; -1: it is not in the list.
int heddle_program_index(cl_program program, cl_device_id device);

// Index of the build that a device uses: its own, or, if nothing was built for it, that of the device that it was made
// of (a sub-device's parent). -1: there is neither.
int heddle_program_build_of(cl_program program, cl_device_id device);

// The checks of num_devices and device_list that clBuildProgram, clCompileProgram and clLinkProgram share. CL_SUCCESS,
// CL_INVALID_VALUE or CL_INVALID_DEVICE.
cl_int heddle_program_check_devices(cl_program program, cl_uint num_devices, const cl_device_id *devices);

// Frees the executable for one device and its device memory. The caller holds the program's lock; no kernel object
// exists.
void heddle_program_drop_executable(cl_program program, int index);

// Allocates device memory for the image, if it has none. CL_SUCCESS or CL_MEM_OBJECT_ALLOCATION_FAILURE. Takes the
// program's lock.
cl_int heddle_program_place(cl_program program, int index);

// Writes the image to the device if that has not been done; writes code and constants again if a kernel may have
// overwritten them (heddle_device_damages). Called on the device's worker. 0 or a negative errno of driver.h.
int heddle_program_load(cl_program program, int index);

#endif
