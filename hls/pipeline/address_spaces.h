// SPDX-License-Identifier: Apache-2.0
// Address spaces of pointers (OpenCL C 3.0, section 6.7), and what becomes of the generic one (6.7.5).
#ifndef HEDDLE_HLS_PIPELINE_ADDRESS_SPACES_H
#define HEDDLE_HLS_PIPELINE_ADDRESS_SPACES_H

#include <llvm-c/Core.h>

#include "contract/status.h"

// Gives generic pointers the address space that all of their values have, where there is one: global memory, where they
// are members of an argument. For a module in which functions have become part of the kernels that call them. A module
// without generic pointers stays as it is.
enum status address_spaces_infer(LLVMModuleRef module);

#endif
