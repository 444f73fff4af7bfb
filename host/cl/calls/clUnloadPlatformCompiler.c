// SPDX-License-Identifier: Apache-2.0
// clUnloadPlatformCompiler: the compiler is a process that ends after each build.
#include "host/cl/calls.h"
#include "host/cl/platform.h"

cl_int clUnloadPlatformCompiler(cl_platform_id platform) {
  HEDDLE_CALL;
  return heddle_is_platform(platform) ? CL_SUCCESS : CL_INVALID_PLATFORM;
}
