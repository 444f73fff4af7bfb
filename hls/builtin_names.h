// SPDX-License-Identifier: Apache-2.0
// Names of built-in functions in the line information: which of them an instruction of a kernel is of.
#ifndef HEDDLE_HLS_BUILTIN_NAMES_H
#define HEDDLE_HLS_BUILTIN_NAMES_H

#include <llvm-c/Core.h>

// Before inlining: gives the functions of the built-in library, which have no line information, a name in it. Where one
// is inlined then, its instructions keep the line of the call, and have the name besides. Nothing of that changes code.
void builtin_names_give(LLVMModuleRef module);

// Afterwards: takes the names away from those that were not inlined, which are found by their symbols.
void builtin_names_take(LLVMModuleRef module);

#endif
