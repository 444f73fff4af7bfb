// SPDX-License-Identifier: Apache-2.0
#ifndef HEDDLE_HLS_ATOMICS_H
#define HEDDLE_HLS_ATOMICS_H

#include <llvm-c/Core.h>

#include "contract/status.h"

// Refuses a module that uses atomic instructions for a device without them, with the place of each use. Before anything
// is inlined.
enum status atomics_refuse(LLVMModuleRef module, const char *isa);

#endif
