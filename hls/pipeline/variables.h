// SPDX-License-Identifier: Apache-2.0
// Program-scope variables that a pipeline finds in memory: those that kernels write, and constants that are too large
// for a table, or hold addresses. They are where the kernel file's image is, which only the host knows: behind the
// argument block it puts the address of each, a word, in the order of kernel->variables (contract/DEVICE.md, "Kernel
// files").
#ifndef HEDDLE_HLS_PIPELINE_VARIABLES_H
#define HEDDLE_HLS_PIPELINE_VARIABLES_H

#include "hls/pipeline/graph.h"

// A kernel may reach so many.
enum { MOST_VARIABLES = 1024 };

// Whether a variable is one of these, in a module that is not optimised.
bool variables_are_in_memory(LLVMTargetDataRef layout, LLVMValueRef variable);

// They may be read and written by other kernels, too: optimisation leaves them as they are.
void variables_share(LLVMModuleRef module, const struct kernel *kernel);

// The word of the packet that has the address of a variable; 0: it is none of the kernel's, which may have too
// many.
unsigned variables_word(const struct graph *graph, LLVMValueRef variable);

// Whether a word of the packet is such an address.
bool variables_have(const struct graph *graph, unsigned word);

#endif
