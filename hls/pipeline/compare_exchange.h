// SPDX-License-Identifier: Apache-2.0
// cmpxchg of 32 bits, which memories do not have: they have lr.w and sc.w (contract/DEVICE.md, "A").
#ifndef HEDDLE_HLS_PIPELINE_COMPARE_EXCHANGE_H
#define HEDDLE_HLS_PIPELINE_COMPARE_EXCHANGE_H

#include <llvm-c/Core.h>
#include <stdbool.h>

// Each becomes a loop of lr.w and sc.w. Those of other widths stay. Run behind optimisation.
void compare_exchange_expand(LLVMModuleRef module);

// What the loop is made of: a load that is lr.w, and an exchange that is sc.w, of which the result is 0 for success.
bool compare_exchange_is_reserve(LLVMValueRef load);
bool compare_exchange_is_conditional(LLVMValueRef exchange);

#endif
