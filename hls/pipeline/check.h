// SPDX-License-Identifier: Apache-2.0
// Whether a prepared kernel has the form that prepare.h promises.
#ifndef HEDDLE_HLS_PIPELINE_CHECK_H
#define HEDDLE_HLS_PIPELINE_CHECK_H

#include <llvm-c/Core.h>

#include "contract/status.h"
#include "hls/kernel.h"

// What of it cannot be hardware is explained on stderr, by kernel, line and reason (STATUS_REJECTED).
enum status pipeline_check(const struct kernel *kernel);

// Explains that it cannot be hardware, and why, at an instruction of it. STATUS_REJECTED.
__attribute__((format(printf, 3, 4))) enum status pipeline_refuse(const struct kernel *kernel, LLVMValueRef where,
                                                                  const char *format, ...);

#endif
