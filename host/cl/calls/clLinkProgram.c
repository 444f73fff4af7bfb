// SPDX-License-Identifier: Apache-2.0
// clLinkProgram: links before it returns, with a callback too.
#include <stdlib.h>
#include <string.h>

#include "host/cl/build.h"
#include "host/cl/calls.h"

static cl_int check(cl_context context, cl_uint num_devices, const cl_device_id *devices, cl_uint num_programs,
                    const cl_program *programs, bool is_half_a_callback) {
  if (!heddle_is_context(context))
    return CL_INVALID_CONTEXT;
  if ((num_devices == 0) != !devices || num_programs == 0 || !programs)
    return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < num_programs; i++)
    if (!heddle_is_program(programs[i]))
      return CL_INVALID_PROGRAM;
  if (is_half_a_callback)
    return CL_INVALID_VALUE;
  const cl_int error = heddle_context_check_devices(context, num_devices, devices);
  return error == CL_SUCCESS && !heddle_compiler_available() ? CL_LINKER_NOT_AVAILABLE : error;
}

static void free_objects(struct heddle_input *objects, cl_uint count) {
  for (cl_uint i = 0; i < count; i++)
    free((void *)objects[i].bytes);
}

// Copies of the programs' object files and libraries for a device, so that no program is held while others are linked.
// *found says how many have one; the others' places are empty.
static cl_int copy_objects(cl_device_id device, const cl_program *programs, struct heddle_input *objects, cl_uint count,
                           cl_uint *found) {
  cl_int error = CL_SUCCESS;
  *found = 0;
  memset(objects, 0, count * sizeof *objects);
  for (cl_uint i = 0; i < count && error == CL_SUCCESS; i++) {
    const int index = heddle_program_build_of(programs[i], device);
    if (index < 0)
      continue;
    const struct heddle_build *build = &programs[i]->builds[index];
    pthread_mutex_lock(&programs[i]->lock);
    if (build->type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT || build->type == CL_PROGRAM_BINARY_TYPE_LIBRARY) {
      void *copy = malloc(build->binary_bytes);
      if (copy)
        memcpy(copy, build->binary, build->binary_bytes);
      else
        error = CL_OUT_OF_HOST_MEMORY;
      objects[i] = (struct heddle_input){.bytes = copy, .size = build->binary_bytes};
      ++*found;
    }
    pthread_mutex_unlock(&programs[i]->lock);
  }
  return error;
}

// Links for one device. A device for which nothing was compiled gets nothing, and that is no error; *linked counts the
// others.
static cl_int link_for_device(cl_program program, int index, const char *options, const cl_program *programs,
                              struct heddle_input *objects, cl_uint count, cl_uint *linked) {
  cl_uint found;
  cl_int error = copy_objects(program->devices[index], programs, objects, count, &found);
  if (error == CL_SUCCESS && found != 0 && found != count)
    error = CL_INVALID_OPERATION;
  if (error == CL_SUCCESS && found != 0) {
    pthread_mutex_lock(&program->lock);
    error = heddle_build_linked(program, index, options, objects, count);
    pthread_mutex_unlock(&program->lock);
    ++*linked;
  }
  free_objects(objects, count);
  return error;
}

// For all devices. What fails in linking ends it for one device only; anything else for all.
static cl_int link_all(cl_program program, const char *options, const cl_program *programs,
                       struct heddle_input *objects, cl_uint count) {
  cl_int first = CL_SUCCESS;
  cl_uint linked = 0;
  for (cl_uint i = 0; i < program->num_devices; i++) {
    const cl_int error = link_for_device(program, (int)i, options, programs, objects, count, &linked);
    if (error != CL_SUCCESS && error != CL_LINK_PROGRAM_FAILURE)
      return error;
    if (first == CL_SUCCESS)
      first = error;
  }
  return linked != 0 ? first : CL_INVALID_OPERATION;
}

cl_program clLinkProgram(cl_context context, cl_uint num_devices, const cl_device_id *device_list, const char *options,
                         cl_uint num_input_programs, const cl_program *input_programs,
                         void(CL_CALLBACK *pfn_notify)(cl_program program, void *user_data), void *user_data,
                         cl_int *errcode_ret) {
  HEDDLE_CALL;
  cl_int error = check(context, num_devices, device_list, num_input_programs, input_programs, !pfn_notify && user_data);
  if (error != CL_SUCCESS)
    return heddle_created(errcode_ret, error, NULL);
  cl_program program = device_list ? heddle_program_create(context, num_devices, device_list)
                                   : heddle_program_create(context, context->num_devices, context->devices);
  struct heddle_input *objects = calloc(num_input_programs, sizeof *objects);
  if (program && objects) {
    program->linked = true;
    error = link_all(program, options, input_programs, objects, num_input_programs);
  } else {
    error = CL_OUT_OF_HOST_MEMORY;
  }
  free(objects);
  if (error != CL_SUCCESS && error != CL_LINK_PROGRAM_FAILURE) {
    if (program)
      heddle_program_release(program);
    return heddle_created(errcode_ret, error, NULL);
  }
  // A program that did not link is one all the same: it has the log.
  if (pfn_notify)
    pfn_notify(program, user_data);
  if (errcode_ret)
    *errcode_ret = error;
  return program;
}
