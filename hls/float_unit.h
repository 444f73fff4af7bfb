// SPDX-License-Identifier: Apache-2.0
// What a device with floating point (Zfinx) does in place of the run-time library.
#ifndef HEDDLE_HLS_FLOAT_UNIT_H
#define HEDDLE_HLS_FLOAT_UNIT_H

#include <llvm-c/Core.h>
#include <stdbool.h>

// Before optimisation: tells the built-in library whether there is a float unit. It is compiled before that is known
// and asks a constant.
void float_unit_announce(LLVMModuleRef module, bool is_there);

// After optimisation, where there is one: rounding to whole numbers (floor and its like) without calls.
void float_unit_round_inline(LLVMModuleRef module);

#endif
