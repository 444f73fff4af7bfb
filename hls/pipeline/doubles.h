// SPDX-License-Identifier: Apache-2.0
// Double in a pipeline: what LLVM has an operation for becomes a call of a function on the number's bits, which is in a
// library of its own (lib/pipeline/soft_double.c) and then part of the kernel. Each operation of the source is its own
// circuit. What only moves doubles or their signs stays.
#ifndef HEDDLE_HLS_PIPELINE_DOUBLES_H
#define HEDDLE_HLS_PIPELINE_DOUBLES_H

#include <llvm-c/Core.h>

#include "contract/status.h"

// Of scalars: vectors have been taken apart. The functions are then still calls, for `always-inline`; a module without
// operations of double is left as it is, and the library is not read.
enum status doubles_expand(LLVMModuleRef module);

#endif
