// SPDX-License-Identifier: Apache-2.0
// clSetProgramSpecializationConstant: there is no SPIR-V (CL_DEVICE_IL_VERSION is empty).
#include "host/cl/calls.h"
#include "host/cl/program.h"

cl_int clSetProgramSpecializationConstant(cl_program program, cl_uint spec_id, size_t spec_size,
                                          const void *spec_value) {
  (void)spec_id, (void)spec_size, (void)spec_value;
  return heddle_is_program(program) ? CL_INVALID_OPERATION : CL_INVALID_PROGRAM;
}
