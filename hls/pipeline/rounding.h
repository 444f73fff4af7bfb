// SPDX-License-Identifier: Apache-2.0
// floor, ceil, trunc, rint and round of float.
#ifndef HEDDLE_HLS_PIPELINE_ROUNDING_H
#define HEDDLE_HLS_PIPELINE_ROUNDING_H

#include <llvm-c/Core.h>

// Replaces their calls by a conversion to an integer with a rounding mode (PRIMITIVE_INT_OF_FLOAT), and one back where
// a float is wanted.
void rounding_expand(LLVMModuleRef module);

#endif
