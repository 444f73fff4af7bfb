// SPDX-License-Identifier: Apache-2.0
// What clBuildProgram, clCompileProgram and clLinkProgram do for one device. Each forgets the executable that the
// program had there, fills options, log and status of the build, and keeps the binary that was there if there is no new
// one. The program's lock is held. They return what the OpenCL call returns.
#ifndef HEDDLE_CL_BUILD_H
#define HEDDLE_CL_BUILD_H

#include "host/cl/compiler.h"
#include "host/cl/program.h"

// Makes an executable of the source or SPIR-V, or of the binary. `options` may be NULL in all of them.
cl_int heddle_build_program(cl_program program, int index, const char *options);

// Makes an object file of the source or SPIR-V.
cl_int heddle_build_object(cl_program program, int index, const char *options, const struct heddle_input *headers,
                           size_t num_headers);

// Makes an executable or a library of object files.
cl_int heddle_build_linked(cl_program program, int index, const char *options, const struct heddle_input *objects,
                           size_t num_objects);

// What a binary is, and whether the device can run it, without a look at what only a compiler can read: CL_SUCCESS and
// its type. Else CL_INVALID_BINARY, or CL_OUT_OF_RESOURCES for a device that does not open, and *why says what is wrong
// with it: the caller's to free, NULL without host memory.
cl_int heddle_build_check_binary(cl_device_id device, const void *binary, size_t size, cl_program_binary_type *type,
                                 char **why);

#endif
