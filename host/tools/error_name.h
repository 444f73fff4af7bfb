// SPDX-License-Identifier: Apache-2.0
// The name of an OpenCL error code, for messages of tools, examples and tests.
#ifndef HEDDLE_TOOLS_ERROR_NAME_H
#define HEDDLE_TOOLS_ERROR_NAME_H

#include <CL/cl.h>

// "CL_INVALID_VALUE" and so on; "another code" for what OpenCL 3.0 does not define. Static text.
const char *error_name(cl_int code);

#endif
