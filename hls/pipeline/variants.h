// SPDX-License-Identifier: Apache-2.0
// The front end's module, prepared for pipelines once for each number of rounds in one that is wanted (unroll.h), and
// for each choice of loops in one (coalesce.h), with what branches do alike done once or not.
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
  bool joins;  // exclusive.h
  LLVMModuleRef module;
  struct kernels kernels;  // in all variants the same ones, in the same order
  struct printf_layouts layouts;
};

struct variants {
  const struct options *options;
  struct variant **items;  // each owned
  size_t count;
};

// Reads SCRATCH_BITCODE and prepares it, unless it has been: `unroll` is a power of two up to UNROLL_MOST. Loops are as
// the source has them. *found lives until variants_free. What is wrong is explained on stderr.
enum status variants_find(struct variants *variants, unsigned unroll, const struct variant **found);

// Makes the pipeline of a kernel, by its number, as pipeline_generate does; options->kernel becomes that of the variant
// that it is made of. Where loops may become one, as many of each nest do as make it the fastest; what exclusive
// branches do alike is done once if that makes it faster or smaller, by the product of cycles and room.
enum status variants_generate(struct variants *variants, unsigned unroll, size_t number,
                              struct pipeline_options *options, struct pipeline_result *result);
void variants_free(struct variants *variants);

#endif
