// SPDX-License-Identifier: Apache-2.0
// clGetExtensionFunctionAddressForPlatform.
#include <string.h>

#include "host/cl/calls.h"
#include "host/cl/platform.h"

#define EXTENSION(function) {#function, (void (*)(void))(function)}

void *clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *func_name) {
  HEDDLE_CALL;
  // A function's address as an object's: POSIX allows it, and the call's type wants it.
  static const struct {
    const char *name;
    void (*function)(void);
  } functions[] = {
      EXTENSION(clIcdGetPlatformIDsKHR),
      EXTENSION(clGetPlatformInfo),
      EXTENSION(clGetKernelSubGroupInfoKHR),
      EXTENSION(clCreateCommandQueueWithPropertiesKHR),
      EXTENSION(clGetKernelSuggestedLocalWorkSizeKHR),
      EXTENSION(clCreateCommandBufferKHR),
      EXTENSION(clFinalizeCommandBufferKHR),
      EXTENSION(clRetainCommandBufferKHR),
      EXTENSION(clReleaseCommandBufferKHR),
      EXTENSION(clEnqueueCommandBufferKHR),
      EXTENSION(clCommandBarrierWithWaitListKHR),
      EXTENSION(clCommandCopyBufferKHR),
      EXTENSION(clCommandCopyBufferRectKHR),
      EXTENSION(clCommandCopyBufferToImageKHR),
      EXTENSION(clCommandCopyImageKHR),
      EXTENSION(clCommandCopyImageToBufferKHR),
      EXTENSION(clCommandFillBufferKHR),
      EXTENSION(clCommandFillImageKHR),
      EXTENSION(clCommandNDRangeKernelKHR),
      EXTENSION(clGetCommandBufferInfoKHR),
      EXTENSION(clHostMemAllocINTEL),
      EXTENSION(clDeviceMemAllocINTEL),
      EXTENSION(clSharedMemAllocINTEL),
      EXTENSION(clMemFreeINTEL),
      EXTENSION(clMemBlockingFreeINTEL),
      EXTENSION(clGetMemAllocInfoINTEL),
      EXTENSION(clSetKernelArgMemPointerINTEL),
      EXTENSION(clEnqueueMemFillINTEL),
      EXTENSION(clEnqueueMemcpyINTEL),
      EXTENSION(clEnqueueMigrateMemINTEL),
      EXTENSION(clEnqueueMemAdviseINTEL),
  };
  if ((platform && !heddle_is_platform(platform)) || !func_name)
    return NULL;
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (strcmp(func_name, functions[i].name) == 0)
      return *(void *const *)&functions[i].function;
  return NULL;
}
