// SPDX-License-Identifier: Apache-2.0
// Where the lanes of a sub-group meet before they go round a loop once more.
#ifndef HEDDLE_HLS_LOOP_ENDS_H
#define HEDDLE_HLS_LOOP_ENDS_H

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>

#include "contract/status.h"

// In modules with active-set collectives, gives every loop one last block, which code generation does not jump past. If
// some stand alone, the code is to keep the order in which its lanes meet again, and needs jumps_leave_out.
enum status loop_ends_join(LLVMModuleRef module, LLVMTargetMachineRef machine, bool *is_in_order);

#endif
