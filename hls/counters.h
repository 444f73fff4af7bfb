// SPDX-License-Identifier: Apache-2.0
// A size_t of SYCL has 64 bits in kernels as it has in the host, and the device computes with 32: this step keeps
// numbers that fit into 32 bits there, above all the counters of loops. It is for units only: a pipeline has operators
// that are as wide as they have to be, and counts in 64 bits.
#ifndef HEDDLE_HLS_COUNTERS_H
#define HEDDLE_HLS_COUNTERS_H

#include <llvm-c/Core.h>

// Marks a module that counters_make_narrow is for: its variables are values (mem2reg has been run), and its loops are
// tested at their heads, as clang makes them.
void counters_are_wide(LLVMModuleRef module);

// Does nothing to a module that is not marked.
void counters_make_narrow(LLVMModuleRef module);

#endif
