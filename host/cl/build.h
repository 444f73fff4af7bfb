// SPDX-License-Identifier: Apache-2.0
// Builds for one device, for clBuildProgram, clCompileProgram and clLinkProgram (OpenCL 3.0, sections 5.8.4 and 5.8.5).
//
// The heddle_build_* functions that take a program free its executable for the device, and set options, log and status
// of the build. If they make no new binary, the old one is kept. They return what the OpenCL call returns. The caller
// holds the program's lock. `index` is the device's in the program's list. `options` may be NULL. Arguments are only
// read.
#ifndef HEDDLE_CL_BUILD_H
#define HEDDLE_CL_BUILD_H

#include "host/cl/compiler.h"
#include "host/cl/program.h"

// Makes an executable of the source, the SPIR-V or the binary.
cl_int heddle_build_program(cl_program program, int index, const char *options);

// Makes an object file of the source or the SPIR-V. `headers` are embedded headers.
cl_int heddle_build_object(cl_program program, int index, const char *options, const struct heddle_input *headers,
                           size_t num_headers);

// Makes an executable or a library of object files.
cl_int heddle_build_linked(cl_program program, int index, const char *options, const struct heddle_input *objects,
                           size_t num_objects);

// Finds the type of a binary and whether the device can run it. Parts that only a compiler can read are not looked at.
// CL_SUCCESS and *type; else CL_INVALID_BINARY, or CL_OUT_OF_RESOURCES if the device does not open, and *why is a text
// that the caller frees (NULL: out of host memory). Any thread; no lock is needed.
cl_int heddle_build_check_binary(cl_device_id device, const void *binary, size_t size, cl_program_binary_type *type,
                                 char **why);

// Whether the device has a pipeline of some kernel of a kernel file, or none of its kernels can be one.
bool heddle_build_has_pipelines(cl_device_id device, const void *binary, size_t size);

#endif
