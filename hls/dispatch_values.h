// SPDX-License-Identifier: Apache-2.0
#ifndef HEDDLE_HLS_DISPATCH_VALUES_H
#define HEDDLE_HLS_DISPATCH_VALUES_H

#include <llvm-c/Core.h>

// Lets optimisation take what does not change while a work-item runs out of loops, and read it once: its CSRs, and the
// words of the dispatch packet. For code that has not been optimised.
void dispatch_values_are_constant(LLVMModuleRef module);

#endif
