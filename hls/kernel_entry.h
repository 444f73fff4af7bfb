// SPDX-License-Identifier: Apache-2.0
// Kernels as the device starts them.
#ifndef HEDDLE_HLS_KERNEL_ENTRY_H
#define HEDDLE_HLS_KERNEL_ENTRY_H

#include "hls/kernel.h"

// Finds the kernels of a module that is still as the spir front end made it, and checks that the device can run them:
// arguments and attributes that it cannot have are explained on stderr (STATUS_REJECTED).
enum status kernels_find(LLVMModuleRef module, LLVMTargetDataRef layout, struct kernels *kernels);

// Gives each kernel its entry function, which takes the arguments from behind the dispatch packet, runs the body and
// returns the work-item. Bodies become ordinary functions, to be inlined.
void kernels_make_entries(LLVMModuleRef module, struct kernels *kernels);

// To be called between optimisation and code generation. Makes entries set up their stack pointer and save no
// registers: nobody reads what they would save.
void kernels_finish_entries(LLVMModuleRef module, const struct kernels *kernels);

// Section of the function that kernels_finish_entries needs and the linker is to drop.
#define KERNEL_CALLER_SECTION ".text.discarded"

#endif
