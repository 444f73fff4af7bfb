// SPDX-License-Identifier: Apache-2.0
// What a program uses and nobody defines.
#ifndef HEDDLE_HLS_UNDEFINED_H
#define HEDDLE_HLS_UNDEFINED_H

#include <llvm-c/Core.h>

#include "contract/status.h"

// Explains on stderr, with the place of a use, each function and variable that is used but not defined: built-in
// functions that clang declares and this device does not have, and those that the user forgot. The linker would say so
// too, but not where.
enum status undefined_check(LLVMModuleRef module);

#endif
