// SPDX-License-Identifier: Apache-2.0
// What LLVM makes of values with members: of the result of a compare-and-exchange that goes around a loop, or of a
// choice between two.
#ifndef HEDDLE_HLS_PIPELINE_AGGREGATES_H
#define HEDDLE_HLS_PIPELINE_AGGREGATES_H

#include <llvm-c/Core.h>
#include <stdbool.h>

// Phis and selects of structures become one of each member; whether there were any. What simplifies extractvalue of
// insertvalue is to follow then.
bool aggregates_take_apart(LLVMModuleRef module);

#endif
