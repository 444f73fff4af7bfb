// SPDX-License-Identifier: Apache-2.0
// OpenCL C's opaque types (event_t and others), which no code generator but SPIR-V's knows.
#ifndef HEDDLE_HLS_OPAQUE_TYPES_H
#define HEDDLE_HLS_OPAQUE_TYPES_H

#include <llvm-c/Core.h>

#include "contract/status.h"

// Replaces the opaque types of *module by pointers. The module may be another one afterwards: its functions have to be
// looked up again.
enum status opaque_types_lower(LLVMModuleRef *module);

#endif
