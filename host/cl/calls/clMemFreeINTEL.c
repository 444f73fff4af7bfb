// SPDX-License-Identifier: Apache-2.0
// clMemFreeINTEL (cl_intel_unified_shared_memory): commands that use the memory keep it.
#include "host/cl/calls.h"
#include "host/cl/unified.h"

cl_int clMemFreeINTEL(cl_context context, void *ptr) {
  HEDDLE_CALL;
  if (!heddle_is_context(context))
    return CL_INVALID_CONTEXT;
  return !ptr || heddle_shared_free(context, ptr, HEDDLE_UNIFIED_KINDS) ? CL_SUCCESS : CL_INVALID_VALUE;
}
