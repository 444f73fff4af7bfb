// SPDX-License-Identifier: Apache-2.0
// Of branches of which only one is taken, what they do alike is done once: loads and stores of one private array, and
// operations that take much room. What they do it with is chosen.
//   switch (op) {                                 a = op == 0 ? d : ...
//     case 0: r[d] = r[a] + r[b]; break;    =>    x = r[...]; y = r[...]; r[...] = op == 0 ? x + y : x - y
//     case 1: r[d] = r[a] - r[b]; break; ...
// An array has few ports, and each of its loads and stores is one; and a work-item passes all branches, one behind the
// other. Accesses of other memory stay: a fault names the line of its own.
#ifndef HEDDLE_HLS_PIPELINE_EXCLUSIVE_H
#define HEDDLE_HLS_PIPELINE_EXCLUSIVE_H

#include <llvm-c/Core.h>
#include <stdbool.h>

// Of a kernel as coalesce.h leaves it, without switches. Whether there is something.
bool exclusive_is_there(LLVMValueRef kernel);
// Does it: so many of what branches did are one with others' now, and so many are left of these. The dead code that it
// leaves is for adce.
struct exclusive_joined {
  unsigned of, left;
};
struct exclusive_joined exclusive_join(LLVMValueRef kernel);

#endif
