// SPDX-License-Identifier: Apache-2.0
#include "hls/pipeline/variants.h"

#include <llvm-c/IRReader.h>
#include <stdio.h>
#include <stdlib.h>

#include "hls/pipeline/estimate.h"
#include "hls/pipeline/interleave.h"
#include "hls/pipeline/prepare.h"
#include "hls/pipeline/rates.h"
#include "hls/scratch.h"

enum { MOST_TRIED = 8 };  // plans, nest by nest

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

static enum status find(struct variants *variants, unsigned unroll, coalesce_plan plan, bool joins,
                        const struct variant **found) {
  for (size_t i = 0; i < variants->count; i++) {
    *found = variants->items[i];
    if ((*found)->unroll == unroll && (*found)->plan == plan && (*found)->joins == joins)
      return STATUS_OK;
  }
  struct variant *variant = graph_allocate(sizeof *variant);
  struct options options = *variants->options;
  options.unroll = unroll;
  *variant = (struct variant){.unroll = unroll, .plan = plan, .joins = joins};
  variants->items = realloc(variants->items, (variants->count + 1) * sizeof *variants->items);
  if (!variants->items)
    abort();
  variants->items[variants->count++] = variant;
  *found = variant;
  const enum status status = parse(&variant->module);
  return status == STATUS_OK
             ? pipeline_prepare(&variant->module, &options, plan, joins, &variant->kernels, &variant->layouts)
             : status;
}

enum status variants_find(struct variants *variants, unsigned unroll, const struct variant **found) {
  return find(variants, unroll, 0, false, found);
}

static enum status generate(const struct variant *variant, size_t number, struct pipeline_options *options,
                            struct pipeline_result *result) {
  options->kernel = &variant->kernels.items[number];
  return pipeline_generate(variant->module, options->kernel->body, options, result);
}

// Cycles of a dispatch, about.
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
  *graph = result.graph;
  *cycles = rates_usual_cycles(result.graph);
  return STATUS_OK;
}

// What is wrong with loops as one loop, for reports: of each nest what was found first.
static void add_reasons(struct coalesce_reasons *reasons, const struct graph *graph) {
  enum { MOST = 320 };
  for (unsigned i = 0; i < graph->region_count; i++) {
    const struct region *r = graph->regions[i];
    bool is_there = r->made_of.loops <= 1 || reasons->count == COALESCE_MOST_NESTS;
    for (unsigned k = 0; k < reasons->count; k++)
      is_there |= reasons->items[k].line == r->line;
    if (is_there)
      continue;
    char *text = graph_allocate(MOST);
    if (r->overlaps)
      snprintf(text, MOST,
               "there is a loop in it, and as one loop, with rounds %u cycle%s apart, they would take longer",
               r->interval, r->interval != 1 ? "s" : "");
    else
      snprintf(text, MOST, "there is a loop in it, and of both as one loop %s", r->why_not ? r->why_not : "");
    reasons->items[reasons->count].line = r->line;
    reasons->items[reasons->count++].text = text;
  }
}

// Whether a loop that is several of the source is of use.
static bool has_rounds_as_one(const struct graph *graph) {
  for (unsigned i = 0; i < graph->region_count; i++)
    if (graph->regions[i]->made_of.loops > 1 && graph->regions[i]->overlaps)
      return true;
  return false;
}

// A search for the plan that makes a kernel the fastest.
struct search {
  struct variants *variants;
  unsigned unroll;
  size_t number;
  struct pipeline_options *options;
  const struct variant *best;
  struct graph *graph;  // of the best
  double fewest;
  struct coalesce_reasons *reasons;
};

// Tries a plan, and keeps it if it is better than the best so far.
static enum status try_plan(struct search *s, coalesce_plan plan) {
  const struct variant *variant;
  struct graph *graph;
  double cycles;
  enum status status = find(s->variants, s->unroll, plan, false, &variant);
  if (status == STATUS_OK)
    status = try_on(variant, s->number, s->options, &cycles, &graph);
  if (status != STATUS_OK)
    return status;
  add_reasons(s->reasons, graph);
  const bool is_instead = interleave_is_done(s->graph) && !interleave_is_done(graph);
  if ((is_instead ? INTERLEAVE_WORTH : 1) * cycles < s->fewest && has_rounds_as_one(graph)) {
    s->fewest = cycles;
    s->best = variant;
    s->graph = graph;
  }
  return STATUS_OK;
}

// Of each nest as many loops as it has, but `most` at most.
static coalesce_plan plan_of(coalesce_plan nests, unsigned most) {
  coalesce_plan plan = 0;
  for (unsigned i = 0; i < COALESCE_MOST_NESTS; i++) {
    const unsigned loops = coalesce_loops_of(nests, i);
    plan = coalesce_with(plan, i, loops < most ? loops : most);
  }
  return plan;
}

// First the same of all nests, then nest by nest others than the best has.
static enum status search(struct search *s, coalesce_plan nests) {
  enum status status = STATUS_OK;
  unsigned tried = 0;
  for (unsigned loops = COALESCE_MOST; loops > 1 && status == STATUS_OK; loops--)
    if (loops == COALESCE_MOST || plan_of(nests, loops) != plan_of(nests, loops + 1))
      status = try_plan(s, plan_of(nests, loops));
  for (unsigned i = 0; i < COALESCE_MOST_NESTS && status == STATUS_OK; i++)
    for (unsigned loops = coalesce_loops_of(nests, i); loops > 0 && status == STATUS_OK && tried < MOST_TRIED;
         loops--) {
      const coalesce_plan plan = coalesce_with(s->best->plan, i, loops);
      // The nest alone: what it is in the others has been tried.
      if (plan == s->best->plan || plan == plan_of(nests, loops) || (nests & ~coalesce_with(0, i, COALESCE_MOST)) == 0)
        continue;
      tried++;
      status = try_plan(s, plan);
    }
  return status;
}

#define MOST_SLOWER 1.02  // what takes less room may take so much longer

// Tries the best so far with what exclusive branches do alike done once.
static enum status try_joined(struct search *s) {
  const struct variant *variant;
  struct graph *graph;
  double cycles;
  enum status status = find(s->variants, s->unroll, s->best->plan, true, &variant);
  if (status == STATUS_OK)
    status = try_on(variant, s->number, s->options, &cycles, &graph);
  if (status != STATUS_OK)
    return status;
  if (cycles <= MOST_SLOWER * s->fewest && cycles * estimate_size(graph) < s->fewest * estimate_size(s->graph))
    s->best = variant;
  return STATUS_OK;
}

enum status variants_generate(struct variants *variants, unsigned unroll, size_t number,
                              struct pipeline_options *options, struct pipeline_result *result) {
  struct search s = {.variants = variants, .unroll = unroll, .number = number, .options = options};
  enum status status = variants_find(variants, unroll, &s.best);
  if (status != STATUS_OK)
    return status;
  const coalesce_plan nests = options->lanes == 1 ? s.best->kernels.items[number].nests : 0;
  options->as_one = s.reasons = graph_allocate(sizeof *s.reasons);
  if (nests != 0 || s.best->kernels.items[number].has_exclusive)
    status = try_on(s.best, number, options, &s.fewest, &s.graph);
  if (nests != 0 && status == STATUS_OK)
    status = search(&s, nests);
  if (status == STATUS_OK && s.graph && s.best->kernels.items[number].has_exclusive)
    status = try_joined(&s);
  return status == STATUS_OK ? generate(s.best, number, options, result) : status;
}

void variants_free(struct variants *variants) {
  for (size_t i = 0; i < variants->count; i++) {
    kernels_free(&variants->items[i]->kernels);
    printf_layouts_free(&variants->items[i]->layouts);
    free(variants->items[i]);
  }
  free(variants->items);
}
