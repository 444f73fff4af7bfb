// SPDX-License-Identifier: Apache-2.0
#include "hls/pipeline/variants.h"

#include <llvm-c/IRReader.h>
#include <stdio.h>
#include <stdlib.h>

#include "hls/pipeline/prepare.h"
#include "hls/pipeline/rates.h"
#include "hls/scratch.h"

enum { USUAL_ROUNDS = 64 };  // of a loop whose source does not say them: those of kernels of one work-item are long

static enum status parse(LLVMModuleRef *module) {
  char *message = NULL;
  LLVMMemoryBufferRef buffer;
  if (LLVMCreateMemoryBufferWithContentsOfFile(scratch_path(SCRATCH_BITCODE), &buffer, &message) ||
      LLVMParseIRInContext2(LLVMContextCreate(), buffer, module, &message)) {
    fprintf(stderr, "heddlec: reading the front end's output: %s\n", message ? message : "no reason given");
    LLVMDisposeMessage(message);
    return STATUS_FAILED;
  }
  return STATUS_OK;
}

static enum status find(struct variants *variants, unsigned unroll, unsigned loops, const struct variant **found) {
  for (size_t i = 0; i < variants->count; i++) {
    *found = &variants->items[i];
    if ((*found)->unroll == unroll && (*found)->loops == loops)
      return STATUS_OK;
  }
  struct variant *variant = &variants->items[variants->count++];
  struct options options = *variants->options;
  options.unroll = unroll;
  *variant = (struct variant){.unroll = unroll, .loops = loops};
  *found = variant;
  const enum status status = parse(&variant->module);
  return status == STATUS_OK ? pipeline_prepare(&variant->module, &options, loops, &variant->kernels, &variant->layouts)
                             : status;
}

enum status variants_find(struct variants *variants, unsigned unroll, const struct variant **found) {
  return find(variants, unroll, 1, found);
}

static enum status generate(const struct variant *variant, size_t number, struct pipeline_options *options,
                            struct pipeline_result *result) {
  options->kernel = &variant->kernels.items[number];
  return pipeline_generate(variant->module, options->kernel->body, options, result);
}

// Cycles of a kernel's only work-item, about.
static enum status try_on(const struct variant *variant, size_t number, const struct pipeline_options *options,
                          double *cycles, struct graph **graph) {
  struct pipeline_options tried = *options;
  struct pipeline_result result = {.site_count = 0};
  tried.folder = NULL;
  tried.page = tried.text = NULL;
  const enum status status = generate(variant, number, &tried, &result);
  free(result.sites);
  if (status != STATUS_OK)
    return status;
  const struct rates rates = rates_of(result.graph);
  unsigned limit;
  *graph = result.graph;
  *cycles = rates_cycles(result.graph, &rates, 1, USUAL_ROUNDS, &limit);
  return STATUS_OK;
}

// What is wrong with loops as one loop, for reports. Lives until the process ends.
static const char *why_not_as_one(const struct graph *graph) {
  enum { MOST = 320 };
  char *text = graph_allocate(MOST);
  for (unsigned i = 0; i < graph->region_count; i++) {
    const struct region *r = graph->regions[i];
    if (r->made_of.loops <= 1)
      continue;
    if (r->overlaps)
      snprintf(text, MOST, "there is a loop in it, and rounds of both as one loop would be %u cycle%s apart",
               r->interval, r->interval != 1 ? "s" : "");
    else
      snprintf(text, MOST, "there is a loop in it, and of both as one loop %s", r->why_not ? r->why_not : "");
    return text;
  }
  return NULL;
}

// Whether a loop that is several of the source is of use.
static bool has_rounds_as_one(const struct graph *graph) {
  for (unsigned i = 0; i < graph->region_count; i++)
    if (graph->regions[i]->made_of.loops > 1 && graph->regions[i]->overlaps)
      return true;
  return false;
}

enum status variants_generate(struct variants *variants, unsigned unroll, size_t number,
                              struct pipeline_options *options, struct pipeline_result *result) {
  const struct variant *best;
  enum status status = variants_find(variants, unroll, &best);
  if (status != STATUS_OK)
    return status;
  const unsigned nest = options->lanes == 1 ? best->kernels.items[number].nest : 1;
  struct graph *graph;
  double fewest, cycles;
  if (nest > 1)
    status = try_on(best, number, options, &fewest, &graph);
  options->as_one = NULL;
  for (unsigned loops = nest; loops > 1 && status == STATUS_OK; loops--) {
    const struct variant *variant;
    status = find(variants, unroll, loops, &variant);
    if (status == STATUS_OK)
      status = try_on(variant, number, options, &cycles, &graph);
    if (status != STATUS_OK)
      break;
    options->as_one = options->as_one ? options->as_one : why_not_as_one(graph);
    if (cycles < fewest && has_rounds_as_one(graph)) {
      fewest = cycles;
      best = variant;
    }
  }
  return status == STATUS_OK ? generate(best, number, options, result) : status;
}

void variants_free(struct variants *variants) {
  for (size_t i = 0; i < variants->count; i++) {
    kernels_free(&variants->items[i].kernels);
    printf_layouts_free(&variants->items[i].layouts);
  }
}
