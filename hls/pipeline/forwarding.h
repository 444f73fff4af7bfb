// SPDX-License-Identifier: Apache-2.0
// Elements of an array that a loop of one work-item reads, changes and stores again, as a histogram does: a round takes
// what the last rounds have stored from them, if it is the same element, instead of waiting until the memory has it.
#ifndef HEDDLE_HLS_PIPELINE_FORWARDING_H
#define HEDDLE_HLS_PIPELINE_FORWARDING_H

#include <llvm-c/Core.h>
#include <stdbool.h>

// To be called when loops have their form. Leaves variables in memory, for mem2reg. Whether anything has changed.
bool forwarding_make(LLVMValueRef kernel);

#endif
