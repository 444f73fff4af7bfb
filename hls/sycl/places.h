// SPDX-License-Identifier: Apache-2.0
// Places in the source: which are the user's own, not in a header of the system or of ours.
#ifndef HEDDLE_SYCL_PLACES_H
#define HEDDLE_SYCL_PLACES_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>

#include "hls/sycl/kernel.h"

bool place_is_users(const char *file, size_t length);

// Functions of headers lose their places, but for kernels' entries: where one is inlined, what it does is then at the
// call. So faults, reports and refusals have the user's lines.
void places_leave_users(LLVMModuleRef module, const struct sycl_kernels *kernels);

#endif
