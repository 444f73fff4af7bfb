// SPDX-License-Identifier: Apache-2.0
// Variants of the front end's module: it is prepared once (prepare.h) for each unrolling (unroll.h), plan of loops
// (coalesce.h) and sharing between branches (exclusive.h) that is asked for or tried.
#ifndef HEDDLE_HLS_PIPELINE_VARIANTS_H
#define HEDDLE_HLS_PIPELINE_VARIANTS_H

#include <llvm-c/Core.h>

#include "contract/status.h"
#include "hls/kernel.h"
#include "hls/options.h"
#include "hls/pipeline/coalesce.h"
#include "hls/pipeline/pipeline.h"
#include "hls/printf.h"

enum { UNROLL_MOST = 16 };  // 1, 2, 4, 8 and 16 rounds

struct variant {
  unsigned unroll;
  coalesce_plan plan;
  bool joins;  // resources are shared between branches that exclude each other (exclusive.h)
  LLVMModuleRef module;
  struct kernels kernels;  // the same ones in the same order in all variants
  struct printf_layouts layouts;
};

struct variants {
  const struct options *options;
  struct variant **items;  // each owned
  size_t count;
};

// Finds the variant with this unrolling, a power of two up to UNROLL_MOST, with loops and branches as the source has
// them. Where there is none yet, reads SCRATCH_BITCODE and prepares it. *found lives until variants_free. Errors are
// explained on stderr.
enum status variants_find(struct variants *variants, unsigned unroll, const struct variant **found);

// Makes the pipeline of kernel number `number` from the best variant, as pipeline_generate does, and sets
// options->kernel to that variant's kernel. Of each nest so many loops become one as make the kernel fastest. Resources
// are shared between branches where that lowers the product of cycles and room.
enum status variants_generate(struct variants *variants, unsigned unroll, size_t number,
                              struct pipeline_options *options, struct pipeline_result *result);
void variants_free(struct variants *variants);

#endif
