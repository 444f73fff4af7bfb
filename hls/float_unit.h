// SPDX-License-Identifier: Apache-2.0
// What a device with floating point (Zfinx) does in place of the run-time library.
#ifndef HEDDLE_HLS_FLOAT_UNIT_H
#define HEDDLE_HLS_FLOAT_UNIT_H

#include <llvm-c/Core.h>
#include <stdbool.h>

// How a float becomes a whole number: RISC-V's rounding modes by their numbers (rm). FLOAT_UNROUNDED: not at all.
enum float_rounding { FLOAT_RNE, FLOAT_RTZ, FLOAT_RDN, FLOAT_RUP, FLOAT_RMM, FLOAT_UNROUNDED };

// How an instruction rounds a float to a whole number, if it is a call of floor or its like.
enum float_rounding float_unit_rounding_of(LLVMValueRef instruction);

// Rounds x to a whole number: `integer` is x converted to 32 bits with the rounding mode wanted. Builds
// |x| < 2^23 ? copysign((float)integer, x) : x. A larger float is whole; a NaN is not less than 2^23 either.
LLVMValueRef float_unit_build_whole(LLVMBuilderRef builder, LLVMValueRef x, LLVMValueRef integer);

// Before optimisation: tells the built-in library whether there is a float unit. It is compiled before that is known
// and asks a constant.
void float_unit_announce(LLVMModuleRef module, bool is_there);

// After optimisation, where there is one: rounding to whole numbers (floor and its like) without calls.
void float_unit_round_inline(LLVMModuleRef module);

#endif
