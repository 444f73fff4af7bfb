// SPDX-License-Identifier: Apache-2.0
// Resource sharing between branches that exclude each other: accesses of one private array, and operations that take
// much room, are merged where the branches have them alike. Their operands are then chosen.
//   switch (op) {                                 a = op == 0 ? d : ...
//     case 0: r[d] = r[a] + r[b]; break;    =>    x = r[...]; y = r[...]; r[...] = op == 0 ? x + y : x - y
//     case 1: r[d] = r[a] - r[b]; break; ...
// Why: every branch is hardware of its own, and an array has one port for each access. Accesses of global and local
// memory are not merged, since a fault has to name the source line of one access.
#ifndef HEDDLE_HLS_PIPELINE_EXCLUSIVE_H
#define HEDDLE_HLS_PIPELINE_EXCLUSIVE_H

#include <llvm-c/Core.h>
#include <stdbool.h>

// The kernel has the form that coalesce.h leaves, and no switches (LLVM's lower-switch).
// Whether anything can be merged. Changes nothing.
bool exclusive_is_there(LLVMValueRef kernel);

// `of` accesses and operations have become `left`.
struct exclusive_joined {
  unsigned of, left;
};
// Merges them. Leaves dead code for LLVM's adce.
struct exclusive_joined exclusive_join(LLVMValueRef kernel);

#endif
