// SPDX-License-Identifier: Apache-2.0
// LLVM bitcode of kernels, as the spir front end makes it, to an object file for the device.
#ifndef HEDDLE_HLS_KERNEL_PASS_H
#define HEDDLE_HLS_KERNEL_PASS_H

#include "hls/options.h"

// SCRATCH_BITCODE to SCRATCH_OBJECT, which with --emit=ll or --emit=asm is text. Runs in a child process.
enum status kernel_pass_run(const struct options *options);

// For an object file: checks that a device can have the kernels of SCRATCH_BITCODE, by their arguments and attributes,
// and leaves nothing in it that would be another the next time.
enum status kernel_pass_check(const struct options *options);

#endif
