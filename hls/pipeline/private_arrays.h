// SPDX-License-Identifier: Apache-2.0
// Private arrays, and vectors, whose index is a loop's counter.
#ifndef HEDDLE_HLS_PIPELINE_PRIVATE_ARRAYS_H
#define HEDDLE_HLS_PIPELINE_PRIVATE_ARRAYS_H

#include <llvm-c/Core.h>

#include "contract/status.h"
#include "hls/kernel.h"

// Unrolls loops that choose an element of a private array where that makes an array go away: in a pipeline its elements
// are then values, without a memory. Likewise those that choose elements of vectors, as the library's conversions do,
// if they are small or the kernel is one work-item. Loops for which the source says how to unroll them stay as they
// are, and so do all where no array would go, or where the kernel would become much larger. `optimize` is run on a
// module after loops were marked. The module may be another one afterwards.
enum status private_arrays_remove(LLVMModuleRef *module, struct kernels *kernels,
                                  enum status (*optimize)(LLVMModuleRef module));

#endif
