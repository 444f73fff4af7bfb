// SPDX-License-Identifier: Apache-2.0
// Object files to one module.
#ifndef HEDDLE_HLS_MERGE_H
#define HEDDLE_HLS_MERGE_H

#include <stdint.h>

#include "hls/options.h"

// Links options->inputs to SCRATCH_BITCODE: checks their headers, and reads their bitcode in a child. The headers
// decide the build options that are left in *options, and *flags, those of a library made of them. What does not fit
// together is explained on stderr by name (STATUS_REJECTED).
enum status merge_run(struct options *options, uint32_t *flags);

#endif
