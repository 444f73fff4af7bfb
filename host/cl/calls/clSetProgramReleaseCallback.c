// SPDX-License-Identifier: Apache-2.0
// clSetProgramReleaseCallback: programs have no global destructors, so the call is not supported, as OpenCL 3.0 lets
// it.
#include "host/cl/calls.h"
#include "host/cl/program.h"

cl_int clSetProgramReleaseCallback(cl_program program,
                                   void(CL_CALLBACK *pfn_notify)(cl_program program, void *user_data),
                                   void *user_data) {
  HEDDLE_CALL;
  (void)user_data;
  if (!heddle_is_program(program))
    return CL_INVALID_PROGRAM;
  return pfn_notify ? CL_INVALID_OPERATION : CL_INVALID_VALUE;
}
