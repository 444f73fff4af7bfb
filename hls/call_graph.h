// SPDX-License-Identifier: Apache-2.0
// What a function reaches: by calling, and by naming variables.
#ifndef HEDDLE_HLS_CALL_GRAPH_H
#define HEDDLE_HLS_CALL_GRAPH_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>

#include "contract/status.h"

// Functions and global variables, each once.
struct reach {
  LLVMValueRef *values;
  size_t count, capacity;
};

// Adds `function` and everything that it reaches.
void reach_from(LLVMValueRef function, struct reach *reach);
void reach_add(struct reach *reach, LLVMValueRef value);
bool reach_has(const struct reach *reach, LLVMValueRef value);
void reach_free(struct reach *reach);

// The functions of a module that have a body, callees before their callers. The caller frees reach.
void call_graph_order(LLVMModuleRef module, struct reach *order);

// OpenCL C has no recursion: explains on stderr which function calls itself (STATUS_REJECTED).
enum status call_graph_check(LLVMModuleRef module);

#endif
