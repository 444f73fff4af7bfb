// SPDX-License-Identifier: Apache-2.0
// clCreateProgramWithBinary: a binary is a kernel file of heddlec, an object file, a library, or a fat binary with
// kernel files, one a device.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/cl/build.h"
#include "host/cl/calls.h"
#include "host/cl/fat.h"

static cl_int keep_binary(struct heddle_build *build, const unsigned char *binary, size_t length) {
  build->binary = malloc(length);
  if (!build->binary)
    return CL_OUT_OF_HOST_MEMORY;
  memcpy(build->binary, binary, length);
  build->binary_bytes = length;
  return CL_SUCCESS;
}

// The call has no log: why a binary is not taken is told to the context.
static void report(cl_context context, cl_device_id device, char *why) {
  char *text = NULL;
  const size_t length = why ? strlen(why) : 0;
  const int shown = (int)(length != 0 && why[length - 1] == '\n' ? length - 1 : length);
  if (why && asprintf(&text, "clCreateProgramWithBinary for %s: %.*s", device->root->full_name, shown, why) >= 0)
    heddle_context_report(context, text);
  free(text);
  free(why);
}

// Checks it and keeps it; of a fat binary the kernel file that is for the device.
static cl_int take_binary(cl_program program, cl_uint index, const unsigned char *binary, size_t length) {
  cl_device_id device = program->devices[index];
  char *why;
  cl_int error;
  if (length == 0 || !binary)
    return CL_INVALID_VALUE;
  if (heddle_fat_claimed(binary, length)) {
    program->builds[index].type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
    error = heddle_fat_choose(device, binary, length, &binary, &length, &why);
  } else {
    error = heddle_build_check_binary(device, binary, length, &program->builds[index].type, &why);
  }
  report(program->context, device, why);
  return error == CL_SUCCESS ? keep_binary(&program->builds[index], binary, length) : error;
}

cl_program clCreateProgramWithBinary(cl_context context, cl_uint num_devices, const cl_device_id *device_list,
                                     const size_t *lengths, const unsigned char **binaries, cl_int *binary_status,
                                     cl_int *errcode_ret) {
  HEDDLE_CALL;
  if (!heddle_is_context(context))
    return heddle_created(errcode_ret, CL_INVALID_CONTEXT, NULL);
  cl_int error = CL_INVALID_VALUE;
  if (num_devices != 0 && device_list)
    error = heddle_context_check_devices(context, num_devices, device_list);
  if (error == CL_SUCCESS && (!lengths || !binaries))
    error = CL_INVALID_VALUE;
  if (error != CL_SUCCESS)
    return heddle_created(errcode_ret, error, NULL);

  cl_program program = heddle_program_create(context, num_devices, device_list);
  if (!program)
    return heddle_created(errcode_ret, CL_OUT_OF_HOST_MEMORY, NULL);
  for (cl_uint i = 0; i < num_devices; i++) {
    const cl_int status = take_binary(program, i, binaries[i], lengths[i]);
    if (binary_status)
      binary_status[i] = status;
    if (error == CL_SUCCESS)
      error = status;
  }
  if (error != CL_SUCCESS)
    heddle_program_release(program);
  return heddle_created(errcode_ret, error, program);
}
