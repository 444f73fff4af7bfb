// SPDX-License-Identifier: Apache-2.0
// Device code is compiled with the host's layout of memory, in which a pointer has 64 bits. This step makes code for
// 32-bit addresses of it that leaves every byte where it was: a pointer has the lower half of its room, and zeros are
// in the upper half.
#ifndef HEDDLE_SYCL_ADDRESSES_H
#define HEDDLE_SYCL_ADDRESSES_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#include "contract/status.h"

// Whether a module is of clang's spir64: object files of an older heddle-sycl++ are not.
bool addresses_are_wide(LLVMModuleRef module);
void addresses_make_narrow(LLVMModuleRef module);

#endif
