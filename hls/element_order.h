// SPDX-License-Identifier: Apache-2.0
// The order of operations in code of many vectors.
#ifndef HEDDLE_HLS_ELEMENT_ORDER_H
#define HEDDLE_HLS_ELEMENT_ORDER_H

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>

#include "contract/status.h"

// Each element of a vector is a register, so code that computes vector after vector has more values at once than there
// are registers. In blocks with much of it every operation is of one element, and stands right before what needs it:
// one element is computed to its end, then the next. Runs after optimisation. Only operations without effects move, and
// only towards the end of their block.
enum status element_order_make(LLVMModuleRef module, LLVMTargetMachineRef machine);

#endif
