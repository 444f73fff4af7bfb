// SPDX-License-Identifier: Apache-2.0
// Where a module has collectives of active sets.
#ifndef HEDDLE_HLS_ACTIVE_SETS_H
#define HEDDLE_HLS_ACTIVE_SETS_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#include "hls/call_graph.h"

struct active_sets {
  bool any;
  bool alone;  // at least one of them has no barrier of the sub-group in front of it
};

// To be called on an optimised module.
struct active_sets active_sets_find(LLVMModuleRef module);

// Adds to *functions those that have such a collective without a barrier, or call a function that has one. To be called
// before anything is inlined. Library functions that have barriers do not count.
void active_sets_callers(LLVMModuleRef module, struct reach *functions);

#endif
