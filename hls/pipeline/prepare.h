// SPDX-License-Identifier: Apache-2.0
// From the front end's module to one that kernel pipelines are made of.
#ifndef HEDDLE_HLS_PIPELINE_PREPARE_H
#define HEDDLE_HLS_PIPELINE_PREPARE_H

#include <llvm-c/Core.h>

#include "contract/status.h"
#include "hls/kernel.h"
#include "hls/options.h"
#include "hls/pipeline/coalesce.h"
#include "hls/printf.h"

// Takes a module as the front end leaves it, linked with what it uses of the built-in library for pipelines. Afterwards
// each kernel (kernels->items[i].body) has its hash (hash.h), and is one function:
//  - Everything has been inlined. Calls of primitives (primitives.h) and of intrinsics that compute are left.
//  - Values are scalars. Parameters are the kernel's arguments. That of a vector or structure is not used: its words
//  are
//    calls of PRIMITIVE_ARGUMENT_WORD.
//  - Pointers have OpenCL's address spaces as SPIR numbers them: 0 private, 1 global, 2 constant, 3 local, 4 generic.
//  - Private arrays are allocas in the entry block, local variables are global variables of the module.
//  - Each loop has one header, where it is entered, and one latch, which is its only exit. Branches are structured
//    (LLVM's structurizecfg), and the function has one return.
//  - Instructions keep their debug locations.
// pipeline_check (check.h) tells whether a kernel has really got this form.
//
// `plan`: which loops become one, in kernels of one work-item (coalesce.h). `joins`: resources are shared between
// branches that exclude each other (exclusive.h). *module may be replaced by another module. The caller frees *kernels
// (kernels_free) and *layouts (printf_layouts_free), also after a failure. STATUS_REJECTED: no device can run the
// source, explained on stderr. Sets LLVM's command-line options for the whole process.
enum status pipeline_prepare(LLVMModuleRef *module, const struct options *options, coalesce_plan plan, bool joins,
                             struct kernels *kernels, struct printf_layouts *layouts);

#endif
