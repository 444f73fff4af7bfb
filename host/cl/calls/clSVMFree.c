// SPDX-License-Identifier: Apache-2.0
// clSVMFree.
#include "host/cl/calls.h"
#include "host/cl/shared.h"

void clSVMFree(cl_context context, void *svm_pointer) {
  HEDDLE_CALL;
  if (heddle_is_context(context) && svm_pointer)
    heddle_shared_free(context, svm_pointer, 1u << HEDDLE_SVM);
}
