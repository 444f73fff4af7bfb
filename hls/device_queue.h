// SPDX-License-Identifier: Apache-2.0
// Blocks that kernels enqueue (contract/DEVICE.md, "The device queue").
#ifndef HEDDLE_HLS_DEVICE_QUEUE_H
#define HEDDLE_HLS_DEVICE_QUEUE_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#include "hls/kernel.h"

// What clang takes for the addresses of blocks' entries become their numbers, from 1 in the order of `kernels`: naming
// a block is not calling it, so that a block may enqueue itself. Says whether kernels are told why a call failed, too.
void device_queue_number_blocks(LLVMModuleRef module, const struct kernels *kernels, bool has_debug);

// Notes which kernels reach a function that needs a device queue.
void device_queue_find_kernels(struct kernels *kernels);

#endif
