// SPDX-License-Identifier: Apache-2.0
// clGetProgramBuildInfo.
#include "host/cl/calls.h"
#include "host/cl/info.h"
#include "host/cl/program.h"

static cl_int answer_build(const struct heddle_build *build, cl_program_build_info param_name,
                           const struct heddle_answer *answer) {
  switch (param_name) {
    case CL_PROGRAM_BUILD_STATUS:
      return heddle_answer_bytes(answer, &build->status, sizeof build->status);
    case CL_PROGRAM_BUILD_OPTIONS:
      return heddle_answer_string(answer, build->options ? build->options : "");
    case CL_PROGRAM_BUILD_LOG:
      return heddle_answer_string(answer, build->log ? build->log : "");
    case CL_PROGRAM_BINARY_TYPE:
      return heddle_answer_uint(answer, build->type);
    case CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE:
      return heddle_answer_size(answer, build->file ? build->file->data_bytes : 0);
    default:
      return CL_INVALID_VALUE;
  }
}

cl_int clGetProgramBuildInfo(cl_program program, cl_device_id device, cl_program_build_info param_name,
                             size_t param_value_size, void *param_value, size_t *param_value_size_ret) {
  HEDDLE_CALL;
  const struct heddle_answer answer = {param_value_size, param_value, param_value_size_ret};
  if (!heddle_is_program(program))
    return CL_INVALID_PROGRAM;
  if (!heddle_is_device(device) || heddle_program_index(program, device) < 0)
    return CL_INVALID_DEVICE;
  pthread_mutex_lock(&program->lock);
  const cl_int error = answer_build(&program->builds[heddle_program_build_of(program, device)], param_name, &answer);
  pthread_mutex_unlock(&program->lock);
  return error;
}
