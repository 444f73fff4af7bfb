// SPDX-License-Identifier: Apache-2.0
// Private arrays, and vectors, that are indexed by a loop's counter.
#ifndef HEDDLE_HLS_PIPELINE_PRIVATE_ARRAYS_H
#define HEDDLE_HLS_PIPELINE_PRIVATE_ARRAYS_H

#include <llvm-c/Core.h>

#include "contract/status.h"
#include "hls/kernel.h"

// Loads and stores of an array that can have a memory of its own.
enum { PRIVATE_READERS_MAX = 16, PRIVATE_WRITERS_MAX = 4 };

// Fully unrolls loops whose counter indexes a private array, where that removes the array: its elements are then
// values, without a memory. The same for vectors, as in the library's conversions, if the loop is small or the kernel
// has one work-item. Loops of arrays that would stay, with more accesses than a memory of their own can have, are left
// as they are. Loops with an unrolling hint in the source stay, and all loops stay where no array would go, or where
// the kernel would grow much. `optimize` is called on a module once loops have been marked. *module may be replaced by
// another module.
enum status private_arrays_remove(LLVMModuleRef *module, struct kernels *kernels,
                                  enum status (*optimize)(LLVMModuleRef module));

#endif
