// SPDX-License-Identifier: Apache-2.0
// Kernels as the device starts them.
#ifndef HEDDLE_HLS_KERNEL_ENTRY_H
#define HEDDLE_HLS_KERNEL_ENTRY_H

#include "hls/kernel.h"

// The instruction with which a work-item ends.
#define KERNEL_ENTRY_EXIT ".insn r CUSTOM_0, 3, 0, x0, x0, x0"

// Gives each kernel its entry function, which takes the arguments from behind the dispatch packet, runs the body and
// returns the work-item. Bodies become ordinary functions, to be inlined.
// Twice the body where images decide (plain_images.h), with `optimize`.
void kernels_make_entries(LLVMModuleRef module, struct kernels *kernels, bool optimize);

// To be called between optimisation and code generation. Makes entries set up their stack pointer and save no
// registers: nobody reads what they would save.
void kernels_finish_entries(LLVMModuleRef module, const struct kernels *kernels);

// Section of the function that kernels_finish_entries needs and the linker is to drop.
#define KERNEL_CALLER_SECTION ".text.discarded"

#endif
