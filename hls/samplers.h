// SPDX-License-Identifier: Apache-2.0
// Samplers that a kernel names itself: their code is specialised when the kernel is compiled.
#ifndef HEDDLE_HLS_SAMPLERS_H
#define HEDDLE_HLS_SAMPLERS_H

#include <llvm-c/Core.h>
#include <stdbool.h>

// Before optimisation: lets the optimiser answer where the built-in library asks whether a sampler is constant
// (lib/images.cl), once functions have been inlined. False: nobody asks.
bool samplers_ask(LLVMModuleRef module);

#endif
