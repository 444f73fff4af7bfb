// SPDX-License-Identifier: Apache-2.0
// Loops that try to read or write a packet until that succeeds. On the chip a read waits for a packet as long as one
// may come (contract/DEVICE.md, "Chains"), and a write for room; an attempt that fails will always fail. Such a loop
// therefore ends in its first round or never, and the hardware can wait instead. The rounds of the loop around it may
// then overlap. A read or write that polls fails at once: its loop becomes a wait only if it does nothing else.
#ifndef HEDDLE_HLS_PIPELINE_PIPE_WAITS_H
#define HEDDLE_HLS_PIPELINE_PIPE_WAITS_H

#include <llvm-c/Core.h>
#include <stdbool.h>

// Removes such loops from a kernel into which everything has been inlined; their reads and writes become primitives
// that wait. Returns whether there were any: then branches on constants are left, for LLVM's simplifycfg.
bool pipe_waits_make(LLVMValueRef kernel);

#endif
