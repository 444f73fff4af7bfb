// SPDX-License-Identifier: Apache-2.0
// Phis and selects of structures. LLVM makes them of cmpxchg, whose result is a structure, around loops and branches.
#ifndef HEDDLE_HLS_PIPELINE_AGGREGATES_H
#define HEDDLE_HLS_PIPELINE_AGGREGATES_H

#include <llvm-c/Core.h>
#include <stdbool.h>

// Replaces each by one phi or select for every member. Returns whether there were any: then a pass has to follow that
// simplifies extractvalue of insertvalue (instsimplify).
bool aggregates_take_apart(LLVMModuleRef module);

#endif
