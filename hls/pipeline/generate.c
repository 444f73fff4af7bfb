// SPDX-License-Identifier: Apache-2.0
// The steps from a prepared kernel to a pipeline in Verilog, in their order.
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "contract/device_map.h"
#include "contract/log2.h"
#include "hls/pipeline/estimate.h"
#include "hls/pipeline/graph.h"
#include "hls/pipeline/hoists.h"
#include "hls/pipeline/interleave.h"
#include "hls/pipeline/observed.h"
#include "hls/pipeline/overlap.h"
#include "hls/pipeline/pipeline.h"
#include "hls/pipeline/port.h"
#include "hls/pipeline/rates.h"
#include "hls/pipeline/report.h"
#include "hls/pipeline/windows.h"

#define PERIOD_NS 10.0              // of a stage: 85 MHz and more with what wires add
enum { MOST_BEAT_LOG2 = 7 };        // a row has 128 bytes at most
enum { MOST_WORK_GROUP = 1024 };    // work-items
enum { MOST_LOCAL_BYTES = 32768 };  // of a unit's local memory

static enum status binding(const struct graph *graph, FILE *out) {
  observed_binding(graph, out);
  return ferror(out) ? STATUS_FAILED : STATUS_OK;
}

static enum status places(const struct graph *graph, FILE *out) {
  observed_places(graph, out);
  return ferror(out) ? STATUS_FAILED : STATUS_OK;
}

// Writes pipeline_<kernel>.END of the folder.
static enum status write_file(const struct graph *graph, const struct pipeline_options *options, const char *end,
                              enum status (*write)(const struct graph *graph, FILE *out)) {
  char path[PATH_MAX];
  if (snprintf(path, sizeof path, "%s/pipeline_%s.%s", options->folder, graph->kernel, end) >= (int)sizeof path) {
    fprintf(stderr, "heddlec: the folder's name is too long: %s; -o names a shorter one\n", options->folder);
    return STATUS_FAILED;
  }
  FILE *file = fopen(path, "w");
  enum status status = file ? write(graph, file) : STATUS_FAILED;
  if (file && fclose(file) != 0)
    status = STATUS_FAILED;
  if (status == STATUS_FAILED)
    fprintf(stderr, "heddlec: cannot write %s: %s\n", path, strerror(errno));
  return status;
}

static enum status fill_result(struct graph *graph, const struct pipeline_options *options,
                               struct pipeline_result *result) {
  if (snprintf(result->module, sizeof result->module, "pipeline_%s", graph->kernel) >= (int)sizeof result->module) {
    fprintf(stderr,
            "error: kernel '%s' cannot be hardware: its name is too long for a module of Verilog, which has %d bytes\n",
            graph->kernel, PIPELINE_MODULE_BYTES);
    return STATUS_REJECTED;
  }
  result->sites = calloc(graph->site_count + 1, sizeof *result->sites);
  if (!result->sites)
    return STATUS_FAILED;
  for (unsigned i = 0; i < graph->site_count; i++)
    result->sites[i] = (struct pipeline_site){graph->sites[i].file, graph->sites[i].line, graph->sites[i].column,
                                              graph->sites[i].what};
  result->site_count = graph->site_count;
  result->slots_log2 = graph->slots_log2;
  // NOTE_BITS of rtl/pipeline/memory_port.v.
  result->label_bits =
      1 + graph->slots_log2 + graph_site_bits(graph) + 1 + graph->port_lanes + 3 + graph->port_lanes * MOST_BEAT_LOG2;
  result->work_group_items = graph->lanes << graph->slots_log2;
  if (result->work_group_items > MOST_WORK_GROUP)
    result->work_group_items = MOST_WORK_GROUP;
  result->local_bytes = MOST_LOCAL_BYTES;
  for (unsigned i = 0; i < graph->pipe_count; i++)
    result->pipes[result->pipe_count++] = graph->pipes[i].is;
  result->variable_bytes = graph->local_bytes;
  result->rooms = shifts_rooms(graph);
  graph->multiplied_shifts = shifts_are_products(&result->rooms, graph->units, options->multipliers);
  result->room = heddle_room_times(&result->rooms.with[graph->multiplied_shifts], graph->units);
  result->layouts = graph->layouts;
  result->layout_count = graph->layout_count;
  result->graph = graph;
  return STATUS_OK;
}

static void add_pipes(struct graph *graph, const struct pipeline_options *options) {
  for (unsigned i = 0; i < options->pipe_count; i++) {
    const struct kernel_argument *argument = &options->kernel->arguments[options->pipes[i].argument];
    graph->pipes[graph->pipe_count++] =
        (struct pipe){.is = options->pipes[i], .name = argument->name, .word = graph_argument_word(argument->offset)};
  }
}

// A pipe on the chip that a kernel has as an argument and does nothing with.
static enum status check_pipes(const struct graph *graph) {
  for (unsigned i = 0; i < graph->pipe_count; i++) {
    const struct pipe *pipe = &graph->pipes[i];
    if (pipe->sites != 0)
      continue;
    fprintf(stderr, "error: kernel '%s' cannot be hardware: it never %s its pipe '%s', which is on the chip\n",
            graph->kernel, pipe->is.is_read ? "reads" : "writes", pipe->name);
    return STATUS_REJECTED;
  }
  return STATUS_OK;
}

static struct graph *new_graph(LLVMModuleRef module, LLVMValueRef kernel, const struct pipeline_options *options,
                               const struct graph *before) {
  struct graph *graph = graph_allocate(sizeof *graph);
  graph->kernel = graph_word(options->kernel->name, "");
  graph->function = kernel;
  graph->source = options->kernel;
  graph->layout = LLVMGetModuleDataLayout(module);
  graph->lanes = options->lanes;
  graph->lanes_log2 = heddle_log2_ceiling(options->lanes);
  port_set(graph, before ? before->port_lanes : options->lanes);
  graph->slots_log2 = options->slots_log2;
  graph->is_trial = options->is_trial;
  graph->may_have_few = options->may_have_few && 1u << options->slots_log2 > PIPELINE_FEW_SLOTS;
  graph->units = options->units != 0 ? options->units : 1;
  graph->unroll = options->unroll != 0 ? options->unroll : 1;
  graph->banks = options->banks != 0 ? options->banks : graph->units;
  graph->period = PERIOD_NS;
  graph->words = HEDDLE_PACKET_WORDS;
  graph->share = options->share;
  graph->as_one = options->as_one;
  graph->exclusive = options->kernel->exclusive;
  graph->joined = options->kernel->joined;
  add_pipes(graph, options);
  memcpy(graph->group_size, options->kernel->reqd_work_group_size, sizeof graph->group_size);
  const unsigned sub_group_size = options->kernel->sub_group_size;
  graph->has_small_sub_groups = sub_group_size != 0 && sub_group_size < options->lanes;
  graph->arrays_of_one = overlap_may_be_of_one(graph) && (!before || before->arrays_of_one);
  if (before) {
    graph->windows = before->windows;
    graph->interleaves = before->interleaves;
    graph->operations_share_freely = before->operations_share_freely;
    graph->intervals = before->intervals;
    graph->port_arrays = before->port_arrays;
    graph->port_array_count = before->port_array_count;
  }
  return graph;
}

static bool has_private_arrays(const struct graph *graph) {
  bool has = false;
  for (unsigned i = 0; i < graph->array_count; i++)
    has |= !graph->arrays[i].is_local;
  return has;
}

// Whether its arrays can be as they have been made.
static bool arrays_fit(struct graph *graph) {
  const bool were_of_one = graph->arrays_of_one, has_private = has_private_arrays(graph);
  graph->arrays_of_one = were_of_one && has_private && overlap_is_of_one(graph);
  return (!were_of_one || !has_private || graph->arrays_of_one) && graph_local_arrays(graph);
}

static bool has_rounds(const struct graph *graph) {
  bool has = false;
  for (unsigned i = 0; i < graph->region_count; i++)
    has |= graph->regions[i]->overlaps;
  return has;
}

static enum status make_values(struct graph *graph) {
  enum status status = graph_make(graph);
  if (status == STATUS_OK)
    status = check_pipes(graph);
  if (status == STATUS_OK)
    status = graph_classes(graph);
  if (status == STATUS_OK)
    status = graph_preamble(graph);
  if (status == STATUS_OK)
    status = graph_divergence(graph);
  if (status == STATUS_OK)
    status = graph_classes(graph);
  if (status == STATUS_OK)
    status = graph_sums(graph);
  if (status == STATUS_OK)
    status = graph_classes(graph);
  return status;
}

// Up to the segments. `graph` is that of the time before, or NULL.
static enum status make_segments(LLVMModuleRef module, LLVMValueRef kernel, struct pipeline_options *options,
                                 struct graph **graph) {
  // Local arrays that turn out to be too large are in the memory port the next time. If it turns out that work-items
  // are not alone, arrays have room for all of them.
  enum status status;
  do {
    *graph = new_graph(module, kernel, options, *graph);
    status = make_values(*graph);
    if (status == STATUS_OK && (*graph)->wants_few) {
      options->slots_log2 = heddle_log2_ceiling(PIPELINE_FEW_SLOTS);
      *graph = new_graph(module, kernel, options, NULL);
      status = make_values(*graph);
    }
  } while (status == STATUS_OK && !arrays_fit(*graph));
  if (status == STATUS_OK && (*graph)->windows)
    windows_find(*graph);
  if (status == STATUS_OK)
    hoists_arrange(*graph);
  if (status == STATUS_OK)
    status = graph_segments(*graph);
  if (status == STATUS_OK)
    status = graph_sharing(*graph);
  return status;
}

static enum status make_scheduled(LLVMModuleRef module, LLVMValueRef kernel, struct pipeline_options *options,
                                  struct graph **graph) {
  enum status status = make_segments(module, kernel, options, graph);
  return status == STATUS_OK ? graph_schedule(*graph) : status;
}

// How far rounds of each loop are apart, that overlap.
static unsigned *intervals_of(const struct graph *graph) {
  unsigned *intervals = graph_allocate((graph->region_count + 1) * sizeof *intervals);
  for (unsigned i = 0; i < graph->region_count; i++)
    intervals[i] = graph->regions[i]->overlaps ? graph->regions[i]->carried_apart : 1;
  return intervals;
}

static bool are_rounds_late(const struct graph *graph) {
  for (unsigned i = 0; i < graph->region_count; i++)
    if (graph->regions[i]->shared_apart > 1 && graph->regions[i]->carried_apart > graph->regions[i]->shared_apart)
      return true;
  return false;
}

// Operations that share operators have them in stages that differ modulo the cycles from a round to the next. Where
// rounds have to be further apart for what they carry on, that is known behind the schedule, which is then made again.
static enum status share_in_rounds(LLVMModuleRef module, LLVMValueRef kernel, struct pipeline_options *options,
                                   struct graph **graph) {
  enum { MOST_TIMES = 4 };
  enum status status = STATUS_OK;
  for (unsigned times = 0; times < MOST_TIMES && status == STATUS_OK && are_rounds_late(*graph); times++) {
    (*graph)->intervals = intervals_of(*graph);
    status = make_scheduled(module, kernel, options, graph);
  }
  return status;
}

// Sharing makes the way of a sub-group longer.
#define MOST_SLOWER 1.01
#define MOST_OF_SIZE 0.97

// Of a dispatch so long that it is the rate that counts. Of one copy: --fit makes one, to know of all.
static double cycles_of_long(const struct graph *graph) {
  enum { LONG_ROUNDS = 4096 };
  struct graph one = *graph;
  one.units = one.banks = 1;
  const struct rates rates = rates_of(&one);
  unsigned limit;
  return rates_cycles(&one, &rates, rates_work_items(&one, 0), LONG_ROUNDS, &limit);
}

// Lets operations share operators where sub-groups do not come faster anyway, if that makes the pipeline smaller and
// hardly slower. `graph` has its schedule.
static enum status share_freely(LLVMModuleRef module, LLVMValueRef kernel, struct pipeline_options *options,
                                struct graph **graph) {
  if ((*graph)->share != 0 || !graph_may_share_freely(*graph))
    return STATUS_OK;
  struct graph *tried = *graph;
  tried->operations_share_freely = true;
  tried->intervals = intervals_of(tried);
  const enum status status = make_scheduled(module, kernel, options, &tried);
  (*graph)->operations_share_freely = false;
  (*graph)->intervals = NULL;
  if (status == STATUS_OK && cycles_of_long(tried) <= MOST_SLOWER * cycles_of_long(*graph) &&
      estimate_size(tried) <= MOST_OF_SIZE * estimate_size(*graph))
    *graph = tried;
  return status;
}

// Interleaves rounds of loops with loops in them, where that makes the kernel faster: without windows, which keep
// words for each slot that goes on. `graph` has its schedule.
static enum status interleave(LLVMModuleRef module, LLVMValueRef kernel, struct pipeline_options *options,
                              struct graph **graph) {
  const bool windows = (*graph)->windows;
  struct graph *tried = *graph;
  tried->interleaves = true;
  tried->windows = false;
  const enum status status = make_scheduled(module, kernel, options, &tried);
  (*graph)->interleaves = false;
  (*graph)->windows = windows;
  if (status == STATUS_OK && rates_usual_cycles(tried) <= INTERLEAVE_WORTH * rates_usual_cycles(*graph))
    *graph = tried;
  return status;
}

// Of the product of cycles and size. What sub-groups lose that wait for the others of their work-group, which
// work-groups beside them make good, is not in the cycles: it was up to a third of them.
#define MANY_SLOTS_WORTH 0.95
#define MANY_SLOTS_WORTH_WITH_BARRIERS 1.05

static bool has_barriers(const struct graph *graph) {
  bool has = false;
  for (unsigned i = 0; i < graph->segment_count; i++)
    has |= graph->segments[i]->end == END_BARRIER;
  return has;
}

// More slots where it is those that limit the rate. Private arrays would take as much more memory. `graph` has its
// schedule.
static enum status take_many_slots(LLVMModuleRef module, LLVMValueRef kernel, struct pipeline_options *options,
                                   struct graph **graph) {
  const unsigned few = options->slots_log2, many = heddle_log2_ceiling(PIPELINE_MANY_SLOTS);
  if (!options->may_have_many || few >= many || (*graph)->slots_log2 != few || (*graph)->private_log2 != 0 ||
      has_private_arrays(*graph))
    return STATUS_OK;
  struct graph estimated = **graph;
  estimated.slots_log2 = many;
  const double before = cycles_of_long(*graph);
  const double worth = has_barriers(*graph) ? MANY_SLOTS_WORTH_WITH_BARRIERS : MANY_SLOTS_WORTH;
  if (cycles_of_long(&estimated) > worth * before)
    return STATUS_OK;
  struct graph *tried = *graph;
  struct pipeline_options own = *options;
  own.slots_log2 = many;
  own.is_trial = true;
  const enum status status = make_scheduled(module, kernel, &own, &tried);
  if (status == STATUS_FAILED)
    return status;
  if (status == STATUS_OK && cycles_of_long(tried) * estimate_size(tried) <= worth * before * estimate_size(*graph)) {
    *graph = tried;
    options->slots_log2 = many;
  }
  return STATUS_OK;
}

enum status pipeline_generate(LLVMModuleRef module, LLVMValueRef kernel, const struct pipeline_options *asked,
                              struct pipeline_result *result) {
  struct pipeline_options own = *asked, *const options = &own;
  struct graph *graph = NULL;
  enum status status = make_segments(module, kernel, options, &graph);
  const bool may_interleave = status == STATUS_OK && interleave_may(graph);
  // Rounds that overlap hide the memory's latency as well, and keep the order of what they access.
  if (status == STATUS_OK && !has_rounds(graph) && windows_are_worth_it(graph)) {
    graph->windows = true;
    status = make_segments(module, kernel, options, &graph);
  }
  if (status == STATUS_OK)
    status = graph_schedule(graph);
  if (status == STATUS_OK && may_interleave)
    status = interleave(module, kernel, options, &graph);
  if (status == STATUS_OK)
    status = take_many_slots(module, kernel, options, &graph);
  const unsigned words = status == STATUS_OK ? port_words(graph, options->port_words) : 0;
  if (status == STATUS_OK && words != graph->port_lanes) {
    port_set(graph, words);
    status = make_scheduled(module, kernel, options, &graph);
  }
  if (status == STATUS_OK)
    status = share_in_rounds(module, kernel, options, &graph);
  if (status == STATUS_OK)
    status = share_freely(module, kernel, options, &graph);
  if (status == STATUS_OK)
    status = fill_result(graph, options, result);
  if (status == STATUS_OK && options->folder)
    status = write_file(graph, options, "v", graph_verilog);
  if (status == STATUS_OK && options->folder)
    status = write_file(graph, options, "sv", binding);
  if (status == STATUS_OK && options->folder)
    status = write_file(graph, options, "places", places);
  if (status == STATUS_OK && options->text)
    report_text(graph, &options->report, options->text);
  if (status == STATUS_OK && options->page)
    report_page(graph, &options->report, options->page);
  return status;
}
