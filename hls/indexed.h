// SPDX-License-Identifier: Apache-2.0
// Loads and stores at an index in one instruction, for a device that has them: base + (index << shift), custom-1 of
// contract/DEVICE.md. Called by the kernel pass after all optimisation, before code generation.
#ifndef HEDDLE_HLS_INDEXED_H
#define HEDDLE_HLS_INDEXED_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>

// Rows a pitch apart are reached from the first one of a round of a loop, by multiples of the pitch that stay in
// registers; then what is at an index that is no place of a loop's own walk becomes such an instruction.
void indexed_place(LLVMModuleRef module, LLVMTargetDataRef layout, bool has_stores);

#endif
