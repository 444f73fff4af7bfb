// SPDX-License-Identifier: Apache-2.0
// Whether a prepared kernel has the form that prepare.h promises.
#ifndef HEDDLE_HLS_PIPELINE_CHECK_H
#define HEDDLE_HLS_PIPELINE_CHECK_H

#include "contract/status.h"
#include "hls/kernel.h"

// What of it cannot be hardware is explained on stderr, by kernel, line and reason (STATUS_REJECTED).
enum status pipeline_check(const struct kernel *kernel);

#endif
