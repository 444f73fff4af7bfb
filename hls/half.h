// SPDX-License-Identifier: Apache-2.0
// The step of the kernel pass that takes half arithmetic to float, which the device computes.
#ifndef HEDDLE_HLS_HALF_H
#define HEDDLE_HLS_HALF_H

#include <llvm-c/Core.h>
#include <stdbool.h>

// Runs after optimisation, which knows more of half than of what it becomes. Returns whether anything was replaced:
// then the module has common subexpressions.
bool half_widen(LLVMModuleRef module, bool has_float_unit);

#endif
