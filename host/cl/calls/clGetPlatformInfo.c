// SPDX-License-Identifier: Apache-2.0
// clGetPlatformInfo.
#include "contract/features.h"
#include "host/cl/calls.h"
#include "host/cl/compiler.h"
#include "host/cl/device_time.h"
#include "host/cl/info.h"
#include "host/cl/platform.h"

// What every device has.
static const char *extensions(char *buffer) {
  const char *const lists[] = {"cl_khr_icd", HEDDLE_CALL_EXTENSIONS,
                               heddle_compiler_takes_il() ? HEDDLE_IL_EXTENSIONS : NULL, HEDDLE_EXTENSIONS,
                               heddle_offers_double() ? HEDDLE_DOUBLE_EXTENSIONS : NULL};
  return heddle_list_join(buffer, lists, sizeof lists / sizeof *lists);
}

cl_int clGetPlatformInfo(cl_platform_id platform, cl_platform_info param_name, size_t param_value_size,
                         void *param_value, size_t *param_value_size_ret) {
  HEDDLE_CALL;
  const struct heddle_answer answer = {param_value_size, param_value, param_value_size_ret};
  char buffer[HEDDLE_LIST_BYTES];
  // A NULL platform is ours to define: we are asked, so it is us.
  if (platform && !heddle_is_platform(platform))
    return CL_INVALID_PLATFORM;
  switch (param_name) {
    case CL_PLATFORM_PROFILE:
      return heddle_answer_string(&answer, "EMBEDDED_PROFILE");
    case CL_PLATFORM_VERSION:
      return heddle_answer_string(&answer, "OpenCL 3.0 Heddle " HEDDLE_VERSION);
    case CL_PLATFORM_NUMERIC_VERSION:
      return heddle_answer_uint(&answer, CL_MAKE_VERSION(3, 0, 0));
    case CL_PLATFORM_NAME:
      return heddle_answer_string(&answer, heddle_platform()->name);
    case CL_PLATFORM_VENDOR:
      return heddle_answer_string(&answer, "Heddle");
    case CL_PLATFORM_EXTENSIONS:
      return heddle_answer_string(&answer, extensions(buffer));
    case CL_PLATFORM_EXTENSIONS_WITH_VERSION:
      return heddle_answer_extensions(&answer, extensions(buffer));
    case CL_PLATFORM_HOST_TIMER_RESOLUTION:
      return heddle_answer_ulong(&answer, heddle_host_resolution());
    case CL_PLATFORM_ICD_SUFFIX_KHR:
      return heddle_answer_string(&answer, HEDDLE_ICD_SUFFIX);
    default:
      return CL_INVALID_VALUE;
  }
}
