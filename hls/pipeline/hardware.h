// SPDX-License-Identifier: Apache-2.0
// heddlec --hardware: from the front end's module to pipelines.
#ifndef HEDDLE_HLS_PIPELINE_HARDWARE_H
#define HEDDLE_HLS_PIPELINE_HARDWARE_H

#include "hls/options.h"

// Makes of SCRATCH_BITCODE what options say; with --emit-ir text in SCRATCH_OBJECT. Runs in a child process.
enum status hardware_run(const struct options *options);

#endif
