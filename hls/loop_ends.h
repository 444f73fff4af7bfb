// SPDX-License-Identifier: Apache-2.0
// The block in which the lanes of a sub-group meet before they make another round of a loop.
#ifndef HEDDLE_HLS_LOOP_ENDS_H
#define HEDDLE_HLS_LOOP_ENDS_H

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>

#include "contract/status.h"

// In a module with active-set collectives, gives every loop one latch that code generation does not jump past.
// *is_in_order: some of them have no barrier in front (active_sets.h), so that code generation has to keep the order of
// blocks, and its text has to go through jumps_leave_out.
enum status loop_ends_join(LLVMModuleRef module, LLVMTargetMachineRef machine, bool *is_in_order);

#endif
