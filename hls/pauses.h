// SPDX-License-Identifier: Apache-2.0
#ifndef HEDDLE_HLS_PAUSES_H
#define HEDDLE_HLS_PAUSES_H

#include <llvm-c/Core.h>

// Puts a pause into each block that has a volatile or an atomic load, a copy of what is volatile or a fence, but no
// atomic instruction, and may be in a loop: it is in one of its function, or the function is called. For code that has
// been optimised.
void pauses_put(LLVMModuleRef module);

#endif
