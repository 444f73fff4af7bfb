// SPDX-License-Identifier: Apache-2.0
// Loops that try to read or write a packet until that succeeds. On the chip a read waits for a packet as long as one
// may come (contract/DEVICE.md, "Chains"), and a write for room: what fails once fails for ever. So such a loop is left
// in its first round or never, and the hardware waits instead of it. Then rounds of the loop around it may overlap.
// What polls fails at once, so that its loop has to do nothing else.
#ifndef HEDDLE_HLS_PIPELINE_PIPE_WAITS_H
#define HEDDLE_HLS_PIPELINE_PIPE_WAITS_H

#include <llvm-c/Core.h>
#include <stdbool.h>

// Takes the loops of a kernel away, whose functions are part of it; reads and writes become primitives that wait.
// Whether there were any: branches with conditions that are constant are left.
bool pipe_waits_make(LLVMValueRef kernel);

#endif
