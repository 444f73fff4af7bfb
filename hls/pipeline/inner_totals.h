// SPDX-License-Identifier: Apache-2.0
// Sums of integers that loops in a loop add to, as a count of all that is found: the loops in it begin at 0, and each
// round of the loop adds what they come to. So rounds do not begin with the sum (interleave.h).
#ifndef HEDDLE_HLS_PIPELINE_INNER_TOTALS_H
#define HEDDLE_HLS_PIPELINE_INNER_TOTALS_H

#include <llvm-c/Core.h>
#include <stdbool.h>

// To be called when loops have their form. Whether anything has changed.
bool inner_totals_make(LLVMValueRef kernel);

#endif
