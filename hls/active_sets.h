// SPDX-License-Identifier: Apache-2.0
// Where a module has collectives of active sets.
#ifndef HEDDLE_HLS_ACTIVE_SETS_H
#define HEDDLE_HLS_ACTIVE_SETS_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#include "hls/call_graph.h"

struct active_sets {
  bool any;
  bool alone;  // of them, one that does not stand behind a barrier of the sub-group
};

// Of the module as it is optimised.
struct active_sets active_sets_find(LLVMModuleRef module);

// Functions that have some that stand alone, or call one that has, before anything is inlined. Functions of the library
// with barriers have none.
void active_sets_callers(LLVMModuleRef module, struct reach *functions);

#endif
