// SPDX-License-Identifier: Apache-2.0
// clReleaseProgram.
#include "host/cl/calls.h"
#include "host/cl/program.h"

cl_int clReleaseProgram(cl_program program) {
  HEDDLE_CALL;
  if (!heddle_is_program(program))
    return CL_INVALID_PROGRAM;
  heddle_program_release(program);
  return CL_SUCCESS;
}
