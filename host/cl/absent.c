// SPDX-License-Identifier: Apache-2.0
// Calls of extensions we do not list (absent.h).
#include "host/cl/absent.h"

#include <CL/cl.h>
#include <stddef.h>

int heddle_absent_call(void) {
  return CL_INVALID_OPERATION;
}

void *heddle_absent_object(void) {
  return NULL;
}
