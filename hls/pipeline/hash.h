// SPDX-License-Identifier: Apache-2.0
// A number that names a kernel.
#ifndef HEDDLE_HLS_PIPELINE_HASH_H
#define HEDDLE_HLS_PIPELINE_HASH_H

#include <llvm-c/Core.h>
#include <stdint.h>

#include "hls/strings.h"

enum { PIPELINE_HASH_WORDS = 4 };

// Of a kernel of a module that is linked with the built-in library for pipelines, before it is optimised: its own IR
// and that of the functions and variables that it reaches, with build options as far as they are in it. Debug
// information, paths and names of variables make no difference, but for names of pipes and channels. Two kernels of one
// hash do the same.
//
// Adds the names of the variables that it reaches and has in memory (variables.h) in an order that the hash tells, too.
void pipeline_hash(LLVMValueRef kernel, uint32_t hash[PIPELINE_HASH_WORDS], struct strings *variables);

#endif
