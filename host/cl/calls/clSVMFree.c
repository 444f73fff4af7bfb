// SPDX-License-Identifier: Apache-2.0
// clSVMFree: clSVMAlloc returned nothing but NULL, which is to be ignored.
#include "host/cl/calls.h"

void clSVMFree(cl_context context, void *svm_pointer) {
  HEDDLE_CALL;
  (void)context, (void)svm_pointer;
}
