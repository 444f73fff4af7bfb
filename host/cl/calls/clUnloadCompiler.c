// SPDX-License-Identifier: Apache-2.0
// clUnloadCompiler (OpenCL 1.x): see clUnloadPlatformCompiler.
#include "host/cl/calls.h"

cl_int clUnloadCompiler(void) {
  HEDDLE_CALL;
  return CL_SUCCESS;
}
