// SPDX-License-Identifier: Apache-2.0
// The front end's module, prepared for pipelines once for each number of rounds in one that is wanted (unroll.h).
#ifndef HEDDLE_HLS_PIPELINE_VARIANTS_H
#define HEDDLE_HLS_PIPELINE_VARIANTS_H

#include <llvm-c/Core.h>

#include "contract/status.h"
#include "hls/kernel.h"
#include "hls/options.h"
#include "hls/printf.h"

enum { VARIANTS_MOST = 5, UNROLL_MOST = 16 };  // 1, 2, 4, 8 and 16 rounds

struct variant {
  unsigned unroll;
  LLVMModuleRef module;
  struct kernels kernels;  // in all variants the same ones, in the same order
  struct printf_layouts layouts;
};

struct variants {
  const struct options *options;
  struct variant items[VARIANTS_MOST];
  size_t count;
};

// Reads SCRATCH_BITCODE and prepares it, unless it has been: a power of two up to UNROLL_MOST. *found lives until
// variants_free. What is wrong is explained on stderr.
enum status variants_find(struct variants *variants, unsigned unroll, const struct variant **found);
void variants_free(struct variants *variants);

#endif
