// SPDX-License-Identifier: Apache-2.0
// Hierarchical kernels (handler::parallel_for_work_group). The code of the work-group is for one work-item, what it
// gives to parallel_for_work_item for all.
#ifndef HEDDLE_SYCL_GROUP_SCOPE_H
#define HEDDLE_SYCL_GROUP_SCOPE_H

#include "hls/sycl/kernel.h"

// Of one module with all functions. A kernel that calls parallel_for_work_item elsewhere is named on stderr, and
// STATUS_REJECTED returned.
enum status group_scope_make_parallel(LLVMModuleRef module, const struct sycl_kernels *kernels);

#endif
