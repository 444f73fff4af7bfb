// SPDX-License-Identifier: Apache-2.0
// Variables in local memory.
#ifndef HEDDLE_HLS_LOCAL_MEMORY_H
#define HEDDLE_HLS_LOCAL_MEMORY_H

#include "hls/kernel.h"

// Gives every local variable an absolute address in the local window, and each kernel its local_bytes. Variables of
// one kernel do not overlap; variables of kernels that never run together may. Variables that the window cannot hold
// are explained on stderr.
enum status local_memory_place(LLVMModuleRef module, LLVMTargetDataRef layout, struct kernels *kernels);

#endif
