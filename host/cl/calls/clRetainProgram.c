// SPDX-License-Identifier: Apache-2.0
// clRetainProgram.
#include "host/cl/calls.h"
#include "host/cl/program.h"

cl_int clRetainProgram(cl_program program) {
  HEDDLE_CALL;
  if (!heddle_is_program(program))
    return CL_INVALID_PROGRAM;
  heddle_object_retain(program);
  return CL_SUCCESS;
}
