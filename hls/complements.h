// SPDX-License-Identifier: Apache-2.0
// Complements (~x) in long blocks.
#ifndef HEDDLE_HLS_COMPLEMENTS_H
#define HEDDLE_HLS_COMPLEMENTS_H

#include <llvm-c/Core.h>

// Of each operation that takes a complement, LLVM's CodeGenPrepare asks whether that could stand beside it, and numbers
// the whole block to know: time goes by the square of the code, and most of the compiler's goes there. So in long
// blocks a complement that is used in its own block alone becomes -1 - x, which nothing looks at before instruction
// selection makes the same code of it. Runs right before code generation: optimisation would turn it back.
void complements_subtract(LLVMModuleRef module);

#endif
