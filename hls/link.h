// SPDX-License-Identifier: Apache-2.0
// Object file to kernel file.
#ifndef HEDDLE_HLS_LINK_H
#define HEDDLE_HLS_LINK_H

#include "hls/options.h"

// SCRATCH_OBJECT and what it needs of the run-time library to SCRATCH_IMAGE, by running lld.
enum status link_run(const struct options *options);

#endif
