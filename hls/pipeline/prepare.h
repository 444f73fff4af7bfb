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
// each kernel (kernels->items[i].body) is one function:
//  - everything that it calls is part of it, but for primitives (primitives.h) and intrinsics that compute;
//  - its values are scalars. Its parameters are the kernel's arguments, where they are scalars or pointers. Arguments
//  that are
//    vectors or structs have a parameter that is not used; their words are PRIMITIVE_ARGUMENT_WORD;
//  - pointers keep OpenCL's address spaces as SPIR numbers them: 0 private, 1 global, 2 constant, 3 local, 4 generic;
//  - private arrays that are left are allocas in the first block; local variables are global variables of the module;
//  - each loop is entered at its first block and has one block that leads back, which alone leads out; joins are
//  structured
//    (LLVM's structurizecfg); it ends in one block;
//  - instructions have the place in the source that they come from, where there is one;
// and has its hash. Of kernels of one work-item loops around each other are one as a plan says (coalesce.h), and what
// exclusive branches of any do alike is done once if `joins` (exclusive.h). Whether a
// kernel could be brought to all that, pipeline_check says (check.h). A source that no device can have is explained on
// stderr (STATUS_REJECTED). The module may be another one afterwards. Frees nothing of *kernels and *layouts:
// kernels_free, printf_layouts_free. It sets options of LLVM for the process.
enum status pipeline_prepare(LLVMModuleRef *module, const struct options *options, coalesce_plan plan, bool joins,
                             struct kernels *kernels, struct printf_layouts *layouts);

#endif
