// SPDX-License-Identifier: Apache-2.0
// Which samplers a kernel names itself: code for those is made when it is compiled.
#ifndef HEDDLE_HLS_SAMPLERS_H
#define HEDDLE_HLS_SAMPLERS_H

#include <llvm-c/Core.h>
#include <stdbool.h>

// Before optimisation: where the built-in library asks whether a sampler is known (lib/images.cl), optimisation is to
// answer, once functions are part of their callers. False: nobody asks.
bool samplers_ask(LLVMModuleRef module);

#endif
