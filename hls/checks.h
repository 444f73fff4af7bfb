// SPDX-License-Identifier: Apache-2.0
// What heddlec --check adds to kernels, for a device that checks them (docs/how-to/check-a-kernel.md).
#ifndef HEDDLE_HLS_CHECKS_H
#define HEDDLE_HLS_CHECKS_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

// Makes atomic accesses and fences visible in the code: an atomic load or store becomes an amo instruction, a volatile
// one an amo with aq and rl, and what only holds the compiler a fence instruction. Before optimisation, on a module for
// a device with A.
void checks_show_orders(LLVMModuleRef module);

// Marks where the address of a local variable, or of one on the stack, is taken: a move, and behind it lui to x0 with
// the bytes that it has. After optimisation, before local variables get addresses.
void checks_mark_variables(LLVMModuleRef module, LLVMTargetDataRef layout);

#endif
