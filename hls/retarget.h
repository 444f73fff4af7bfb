// SPDX-License-Identifier: Apache-2.0
// From the front end's spir module to a RISC-V one.
#ifndef HEDDLE_HLS_RETARGET_H
#define HEDDLE_HLS_RETARGET_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#define RETARGET_TRIPLE "riscv32-unknown-unknown-elf"

// Sets the target, turns spir's calling conventions to C's, and marks what the optimiser has to know of the device.
// Nothing in the module is visible outside it afterwards: only the entries, still to come, are to be.
void retarget(LLVMModuleRef module, LLVMTargetDataRef layout);

#endif
