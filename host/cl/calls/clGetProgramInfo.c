// SPDX-License-Identifier: Apache-2.0
// clGetProgramInfo.
#include <stdlib.h>
#include <string.h>

#include "host/cl/calls.h"
#include "host/cl/info.h"
#include "host/cl/program.h"

// The first executable; NULL: none was built. The program's lock is held.
static const struct heddle_kernel_file *executable(cl_program program) {
  for (cl_uint i = 0; i < program->num_devices; i++)
    if (program->builds[i].file)
      return program->builds[i].file;
  return NULL;
}

static cl_int answer_kernel_names(const struct heddle_kernel_file *file, const struct heddle_answer *answer) {
  size_t bytes = 1;
  for (uint32_t i = 0; i < file->num_kernels; i++)
    bytes += strlen(file->kernels[i].name) + 1;
  char *names = calloc(1, bytes);
  if (!names)
    return CL_OUT_OF_HOST_MEMORY;
  char *end = names;
  for (uint32_t i = 0; i < file->num_kernels; i++) {
    if (i != 0)
      *end++ = ';';
    end = stpcpy(end, file->kernels[i].name);
  }
  const cl_int error = heddle_answer_string(answer, names);
  free(names);
  return error;
}

// What holds for the device at an index of the program's list.
static const struct heddle_build *build_at(cl_program program, cl_uint index) {
  return &program->builds[heddle_program_build_of(program, program->devices[index])];
}

// param_value is an array of pointers to where each binary goes; NULL skips one.
static cl_int answer_binaries(cl_program program, const struct heddle_answer *answer) {
  const size_t bytes = program->num_devices * sizeof(unsigned char *);
  unsigned char *const *binaries = answer->value;
  if (binaries && answer->size < bytes)
    return CL_INVALID_VALUE;
  for (cl_uint i = 0; binaries && i < program->num_devices; i++)
    if (binaries[i] && build_at(program, i)->binary)
      memcpy(binaries[i], build_at(program, i)->binary, build_at(program, i)->binary_bytes);
  if (answer->size_ret)
    *answer->size_ret = bytes;
  return CL_SUCCESS;
}

static cl_int answer_built(cl_program program, cl_program_info param_name, const struct heddle_answer *answer) {
  const struct heddle_kernel_file *file = executable(program);
  size_t sizes[HEDDLE_MAX_CONTEXT_DEVICES];
  switch (param_name) {
    case CL_PROGRAM_BINARY_SIZES:
      for (cl_uint i = 0; i < program->num_devices; i++)
        sizes[i] = build_at(program, i)->binary_bytes;
      return heddle_answer_bytes(answer, sizes, program->num_devices * sizeof *sizes);
    case CL_PROGRAM_BINARIES:
      return answer_binaries(program, answer);
    case CL_PROGRAM_NUM_KERNELS:
      return file ? heddle_answer_size(answer, file->num_kernels) : CL_INVALID_PROGRAM_EXECUTABLE;
    case CL_PROGRAM_KERNEL_NAMES:
      return file ? answer_kernel_names(file, answer) : CL_INVALID_PROGRAM_EXECUTABLE;
    default:
      return CL_INVALID_VALUE;
  }
}

cl_int clGetProgramInfo(cl_program program, cl_program_info param_name, size_t param_value_size, void *param_value,
                        size_t *param_value_size_ret) {
  HEDDLE_CALL;
  const struct heddle_answer answer = {param_value_size, param_value, param_value_size_ret};
  if (!heddle_is_program(program))
    return CL_INVALID_PROGRAM;
  switch (param_name) {
    case CL_PROGRAM_REFERENCE_COUNT:
      return heddle_answer_uint(&answer, heddle_object_references(program));
    case CL_PROGRAM_CONTEXT:
      return heddle_answer_pointer(&answer, program->context);
    case CL_PROGRAM_NUM_DEVICES:
      return heddle_answer_uint(&answer, program->num_devices);
    case CL_PROGRAM_DEVICES:
      return heddle_answer_bytes(&answer, program->devices, program->num_devices * sizeof *program->devices);
    case CL_PROGRAM_SOURCE:
      return heddle_answer_string(&answer, program->source ? program->source : "");
    case CL_PROGRAM_IL:
      return heddle_answer_bytes(&answer, program->il, program->il_bytes);
    case CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT:
    case CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT:
      return heddle_answer_bool(&answer, false);
    default: {
      pthread_mutex_lock(&program->lock);
      const cl_int error = answer_built(program, param_name, &answer);
      pthread_mutex_unlock(&program->lock);
      return error;
    }
  }
}
