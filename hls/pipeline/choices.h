// SPDX-License-Identifier: Apache-2.0
// A choice between the results of two operations that are alike becomes one operation, whose operands are chosen:
//   c ? fma(x, p, 0.1f) : fma(x, q, 0.2f)    =>    fma(x, c ? p : q, c ? 0.1f : 0.2f)
// So of a function that is made of pieces, as erf, hardware has one polynomial with several sets of numbers. Results
// are the same, bit for bit.
#ifndef HEDDLE_HLS_PIPELINE_CHOICES_H
#define HEDDLE_HLS_PIPELINE_CHOICES_H

#include <llvm-c/Core.h>
#include <stdbool.h>

// Whether a kernel has such choices.
bool choices_are_there(LLVMValueRef kernel);
// Joins them; returns how many operations are gone.
unsigned choices_join(LLVMValueRef kernel);

#endif
