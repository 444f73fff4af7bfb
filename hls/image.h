// SPDX-License-Identifier: Apache-2.0
// The linked kernel file: last words and last checks.
#ifndef HEDDLE_HLS_IMAGE_H
#define HEDDLE_HLS_IMAGE_H

#include "contract/status.h"

// Checks that SCRATCH_IMAGE is what contract/DEVICE.md asks of a kernel file (ET_DYN, only R_RISCV_RELATIVE
// relocations, one symbol for each kernel's note), and fills in the notes' entry and stack words.
enum status image_finish(void);

#endif
