// SPDX-License-Identifier: Apache-2.0
// clGetExtensionFunctionAddress (OpenCL 1.x): also what the ICD loader starts with.
#include "host/cl/calls.h"
#include "host/cl/platform.h"

HEDDLE_EXPORT void *clGetExtensionFunctionAddress(const char *func_name) {
  HEDDLE_CALL;
  return clGetExtensionFunctionAddressForPlatform(heddle_platform(), func_name);
}
