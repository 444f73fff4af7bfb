// SPDX-License-Identifier: Apache-2.0
// From the front end's module to pipelines, and to what a host program's build says of them. Both run in a child
// process.
#ifndef HEDDLE_HLS_PIPELINE_HARDWARE_H
#define HEDDLE_HLS_PIPELINE_HARDWARE_H

#include "hls/options.h"

// heddlec --hardware: makes of SCRATCH_BITCODE the folder that options name; with --emit-ir text in SCRATCH_OBJECT.
// Kernels that cannot be hardware are explained on stderr; if none can be, or one that was asked for by name,
// STATUS_REJECTED.
enum status hardware_run(const struct options *options);

// For a device that has the pipelines options->pipelines: writes to SCRATCH_PIPELINES, for the kernel file, the hash of
// each kernel and the sites of those that the device has. Of sources that are none for pipelines it has no hashes.
enum status hardware_describe(const struct options *options);

#endif
