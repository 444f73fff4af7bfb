// SPDX-License-Identifier: Apache-2.0
#include "hls/pipeline/hardware.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contract/boards.h"
#include "contract/device_map.h"
#include "contract/little_endian.h"
#include "contract/log2.h"
#include "contract/output_file.h"
#include "hls/child.h"
#include "hls/kernel.h"
#include "hls/object.h"
#include "hls/pipeline/board_check.h"
#include "hls/pipeline/chain.h"
#include "hls/pipeline/chain_room.h"
#include "hls/pipeline/check.h"
#include "hls/pipeline/fit.h"
#include "hls/pipeline/folder.h"
#include "hls/pipeline/graph.h"
#include "hls/pipeline/pipeline.h"
#include "hls/pipeline/variants.h"
#include "hls/pipeline/verilog_files.h"
#include "hls/scratch.h"

enum { DEFAULT_LANES = 4, DEFAULT_SLOTS = 64 };

static enum status failed(const char *what, char *message) {
  fprintf(stderr, "heddlec: %s: %s\n", what, message ? message : "no reason given");
  LLVMDisposeMessage(message);
  return STATUS_FAILED;
}

// What a kernel requires, else what was asked for.
static enum status choose_lanes(const struct kernel *kernel, unsigned asked, unsigned *lanes) {
  const unsigned required = kernel->sub_group_size;
  if (required > SUB_GROUP_SIZE_MAX) {
    fprintf(stderr,
            "error: kernel '%s' cannot be hardware: it requires sub-groups of %u, a pipeline has up to %d lanes\n",
            kernel->name, required, SUB_GROUP_SIZE_MAX);
    return STATUS_REJECTED;
  }
  if (required != 0 && asked != 0 && asked < required) {
    fprintf(stderr,
            "error: kernel '%s' cannot be hardware: it requires sub-groups of %u, and --lanes says %u, which is less\n",
            kernel->name, required, asked);
    return STATUS_REJECTED;
  }
  const unsigned hinted = kernel->simd_work_items;
  if (hinted > SUB_GROUP_SIZE_MAX || (hinted & (hinted - 1)) != 0) {
    fprintf(stderr,
            "error: kernel '%s' cannot be hardware: num_simd_work_items(%u): a pipeline has 1, 2, 4, 8, 16 or 32 "
            "lanes\n",
            kernel->name, hinted);
    return STATUS_REJECTED;
  }
  if (kernel_has_one_lane(kernel))
    *lanes = 1;
  else
    *lanes = asked != 0 ? asked : required != 0 ? required : hinted != 0 ? hinted : DEFAULT_LANES;
  return STATUS_OK;
}

static bool is_wanted(const struct options *options, const char *kernel) {
  bool wanted = options->kernels.count == 0;
  for (size_t i = 0; i < options->kernels.count; i++)
    wanted |= strcmp(options->kernels.items[i], kernel) == 0;
  return wanted;
}

// Everything a run holds.
struct run {
  const struct options *options;
  struct variants variants;
  const struct variant *base;  // as options say
  struct folder_kernel *made;
  size_t made_count, wanted_count;
  unsigned slots;                // of a pipeline
  struct verilog_files verilog;  // of --verilog; `paths` is NULL where pipelines are only described
  struct chain_links links;
  struct fit fit;            // of --fit; no kernels without it
  struct fit_shape *shapes;  // by the kernels' numbers; of --fit, else NULL
  const char *source;        // its text, for the report; NULL: none. Lives until the process ends
};

static enum status check_name(const struct run *run, const char *name, size_t length) {
  for (size_t k = 0; k < run->base->kernels.count; k++) {
    const struct kernel *kernel = &run->base->kernels.items[k];
    if (strlen(kernel->name) == length && strncmp(kernel->name, name, length) == 0 && !kernel->is_block)
      return STATUS_OK;
  }
  fprintf(stderr, "heddlec: there is no kernel '%.*s' in %s\n", (int)length, name, options_source_name(run->options));
  return STATUS_REJECTED;
}

// Of --kernel, and of --copies NAME=N.
static enum status check_names(const struct run *run) {
  const struct strings *kernels = &run->options->kernels, *copies = &run->options->kernel_copies;
  enum status status = STATUS_OK;
  for (size_t i = 0; i < kernels->count && status == STATUS_OK; i++)
    status = check_name(run, kernels->items[i], strlen(kernels->items[i]));
  for (size_t i = 0; i < copies->count && status == STATUS_OK; i++)
    status = check_name(run, copies->items[i], strcspn(copies->items[i], "="));
  return status;
}

// That a device can have all the copies, with its programmable unit.
static enum status check_units(const struct run *run) {
  unsigned units = run->options->beside_unit, most = 1;
  for (size_t i = 0; i < run->made_count; i++) {
    units += run->made[i].leader == &run->made[i] ? run->made[i].units : 0;
    most = run->made[i].units > most ? run->made[i].units : most;
  }
  if (units <= MOST_COPIES || (most == 1 && !run->options->board))
    return STATUS_OK;
  if (most == 1) {
    fprintf(
        stderr,
        "error: the pipelines make a device of %u compute units%s, and it has %u at most: --kernel NAME makes those "
        "that are named\n",
        units, run->options->beside_unit ? " with the programmable one" : "", (unsigned)MOST_COPIES);
    return STATUS_REJECTED;
  }
  fprintf(stderr,
          "error: the copies of the pipelines make a device of %u compute units%s, and it has %u at most: fewer "
          "--copies, or --copies NAME=N for those that need them\n",
          units, run->options->beside_unit ? " with the programmable one" : "", (unsigned)MOST_COPIES);
  return STATUS_REJECTED;
}

// A pipeline of a kernel, in the folder; or, where that is NULL, only what is known of it.
static enum status make(struct run *run, size_t number, struct folder_kernel *made, struct pipeline_options *options) {
  made->kernel = &run->base->kernels.items[number];
  enum status status = pipeline_check(made->kernel);
  if (status == STATUS_OK && run->verilog.paths)
    status = verilog_files_check(&run->verilog, made->kernel);
  if (status != STATUS_OK)
    return status;
  options->lanes = made->lanes;
  options->slots_log2 = made->slots_log2;
  options->units = made->units;
  options->unroll = made->unroll;
  status = variants_generate(&run->variants, made->unroll, number, options, &made->result);
  if (status == STATUS_OK && made->result.slots_log2 < made->slots_log2)
    fprintf(stderr, "heddlec: %s: %u slots, since its arrays in private memory are too large for %u\n",
            made->kernel->name, 1u << made->result.slots_log2, 1u << made->slots_log2);
  if (status == STATUS_OK)
    made->slots_log2 = made->result.slots_log2;
  return status;
}

// How the pipeline of a kernel is made. STATUS_REJECTED of one that --fit has found to be none.
static enum status choose_shape(const struct run *run, const struct kernel *kernel, struct fit_shape *shape) {
  if (run->shapes) {
    *shape = run->shapes[kernel - run->base->kernels.items];
    return shape->lanes != 0 ? STATUS_OK : STATUS_REJECTED;
  }
  // Of a chain there is one: its kernels would have to be told to whose copy they belong.
  const size_t index = (size_t)(kernel - run->base->kernels.items);
  struct pipeline_pipe pipes[PIPELINE_MOST_PIPES];
  const bool is_of_chain = chain_pipes(&run->links, &run->base->kernels, index, pipes) != 0;
  const unsigned copies = is_of_chain ? 1 : fit_copies_asked(run->options, kernel);
  *shape = (struct fit_shape){.slots_log2 = heddle_log2_ceiling(run->slots),
                              .units = copies != 0 ? copies : 1,
                              .unroll = run->base->unroll,
                              .port_words = run->options->port_words,
                              .share = run->options->share};
  return choose_lanes(kernel, run->options->lanes, &shape->lanes);
}

// Those of the board that each pipeline may take; 0: no board is named.
static unsigned multipliers_for_each(const struct run *run) {
  const struct options *options = run->options;
  if (run->fit.count > 0)
    return run->fit.multipliers;
  if (!options->board)
    return 0;
  size_t wanted = 0;
  for (size_t i = 0; i < run->base->kernels.count; i++)
    wanted += !run->base->kernels.items[i].is_block && is_wanted(options, run->base->kernels.items[i].name);
  const struct heddle_room left = board_check_left(options, heddle_board_find(options->board));
  return shifts_multipliers(&left, wanted);
}

static bool is_to_be_made(const struct run *run, size_t number) {
  const struct kernel *kernel = &run->base->kernels.items[number];
  return !kernel->is_block && is_wanted(run->options, kernel->name);
}

// How a kernel is to be made.
static enum status plan(const struct run *run, size_t number, struct folder_kernel *made,
                        struct pipeline_options *options) {
  struct fit_shape shape;
  const enum status status = choose_shape(run, &run->base->kernels.items[number], &shape);
  *made = (struct folder_kernel){
      .lanes = shape.lanes, .slots_log2 = shape.slots_log2, .units = shape.units, .unroll = shape.unroll};
  options->share = shape.share;
  options->port_words = shape.port_words;
  options->pipe_count = chain_pipes(&run->links, &run->base->kernels, number, options->pipes);
  return status;
}

// Kernels of chains have the same number of slots: more, if one of them is to have more. Those that cannot be made are
// told of, and are `refused`.
static enum status choose_slots_of_chains(struct run *run, unsigned multipliers, unsigned *slots_log2, bool *refused) {
  for (size_t i = 0; i < run->base->kernels.count && run->links.count > 0; i++) {
    struct pipeline_options options = {.multipliers = multipliers, .may_have_many = true};
    struct folder_kernel tried;
    if (!is_to_be_made(run, i) || chain_pipes(&run->links, &run->base->kernels, i, options.pipes) == 0)
      continue;
    enum status status = plan(run, i, &tried, &options);
    if (status == STATUS_OK)
      status = make(run, i, &tried, &options);
    if (status == STATUS_FAILED)
      return status;
    refused[i] = status != STATUS_OK;
    if (refused[i])
      continue;
    if (tried.slots_log2 > *slots_log2)
      *slots_log2 = tried.slots_log2;
    free(tried.result.sites);
  }
  return STATUS_OK;
}

static enum status make_kernels(struct run *run, struct pipeline_options *options, bool *refused) {
  const bool is_usual = run->options->slots == 0 && run->slots == DEFAULT_SLOTS && !run->shapes;
  unsigned slots_of_chains = heddle_log2_ceiling(run->slots);
  options->multipliers = multipliers_for_each(run);
  enum status status =
      is_usual ? choose_slots_of_chains(run, options->multipliers, &slots_of_chains, refused) : STATUS_OK;
  for (size_t i = 0; i < run->base->kernels.count && (status == STATUS_OK || status == STATUS_REJECTED); i++) {
    struct folder_kernel *made = &run->made[run->made_count];
    if (!is_to_be_made(run, i))
      continue;
    run->wanted_count++;
    status = refused[i] ? STATUS_REJECTED : plan(run, i, made, options);
    if (status == STATUS_OK && options->pipe_count != 0 && !run->shapes)
      made->slots_log2 = slots_of_chains;
    options->may_have_few = run->options->slots == 0 && options->pipe_count == 0;
    options->may_have_many = is_usual && options->pipe_count == 0;
    if (status == STATUS_OK)
      status = make(run, i, made, options);
    run->made_count += status == STATUS_OK;
  }
  return status;
}

static enum status make_all(struct run *run, struct pipeline_options *options) {
  bool *refused = calloc(run->base->kernels.count + 1, sizeof *refused);
  enum status status = refused ? make_kernels(run, options, refused) : STATUS_FAILED;
  free(refused);
  if (status == STATUS_FAILED)
    return status;
  status = chain_join(&run->links, &run->base->kernels, run->made, &run->made_count);
  if (status != STATUS_OK)
    return status;
  if (run->made_count < run->wanted_count) {
    fprintf(stderr, "heddlec: %zu of %zu kernels became hardware; the others run on programmable units\n",
            run->made_count, run->wanted_count);
  }
  if (check_units(run) != STATUS_OK)
    return STATUS_REJECTED;
  const bool is_enough = run->options->kernels.count == 0 ? run->made_count > 0 : run->made_count == run->wanted_count;
  return is_enough ? STATUS_OK : STATUS_REJECTED;
}

static void forget_made(struct run *run) {
  for (size_t i = 0; i < run->made_count; i++)
    free(run->made[i].result.sites);
  run->made_count = run->wanted_count = 0;
}

// The source for the report, without the line that says what diagnostics call it; NULL if it is no text.
static const char *read_source(const struct options *options) {
  unsigned char *text;
  size_t size;
  // Of object files it is the one that --name says, if that is there.
  const char *path = access(scratch_path(SCRATCH_SOURCE), R_OK) == 0 ? scratch_path(SCRATCH_SOURCE) : options->name;
  if (!path || access(path, R_OK) != 0 || object_read_file(path, &text, &size) != STATUS_OK)
    return NULL;
  text[size] = 0;
  const char *source = (const char *)text;
  if (strncmp(source, "#line ", 6) == 0)
    source += strcspn(source, "\n") + 1;
  return memchr(text, 0, size) ? NULL : source;
}

static enum status fill_folder(struct run *run) {
  const char *path = run->options->output;
  enum status status = folder_open(path);
  if (status != STATUS_OK)
    return status;
  status = verilog_files_copy(&run->verilog, path);
  if (status != STATUS_OK)
    return status;
  const char *page = run->options->report;
  FILE *html = page ? fopen(page, "w") : folder_create(path, "report.html");
  if (!html) {
    if (page)
      fprintf(stderr, "heddlec: cannot write %s: %s\n", page, strerror(errno));
    return STATUS_FAILED;
  }
  FILE *text = folder_create(path, "report.txt");
  struct pipeline_options options = {.folder = path,
                                     .page = html,
                                     .text = text,
                                     .banks = run->options->board ? 1 : 0,
                                     .report = {run->options->work_items, run->source}};
  if (text) {
    report_page_head(html);
    if (run->fit.count > 0) {
      fit_page(&run->fit, html);
      fit_text(&run->fit, text);
    }
    status = make_all(run, &options);
    if (status == STATUS_OK)
      chain_room_write(run->made, run->made_count, text, html);
    report_page_end(html);
  }
  const bool html_done = folder_finish(html, page ? "." : path, page ? page : "report.html");
  const bool text_done = folder_finish(text, path, "report.txt");
  if (page && !html_done)
    heddle_output_file_withdraw(page);
  if (status == STATUS_OK && (!html_done || !text_done))
    status = STATUS_FAILED;
  return status == STATUS_OK ? folder_describe(path, options_source_name(run->options), run->made, run->made_count)
                             : status;
}

// With a board whose block RAM is too little for the usual number of slots, and with no number given, there are fewer.
static enum status fill_for_board(struct run *run) {
  const struct heddle_board *board = heddle_board_find(run->options->board);
  const struct heddle_room left = board_check_left(run->options, board);
  enum status status = fill_folder(run);
  const unsigned block_rams = board_check_sum(run->made, run->made_count).ebr;
  if (status == STATUS_OK && run->options->slots == 0 && !run->options->fit && block_rams > left.ebr &&
      left.lut4 != 0) {
    fprintf(stderr, "heddlec: %u slots take %u block RAMs of %u that are left on %s: %u slots instead\n", run->slots,
            block_rams, left.ebr, board->name, (unsigned)PIPELINE_FEW_SLOTS);
    forget_made(run);
    run->slots = PIPELINE_FEW_SLOTS;
    status = fill_folder(run);
  }
  if (status == STATUS_OK)
    status = board_check(run->options, run->made, run->made_count);
  if (status == STATUS_REJECTED)
    folder_withdraw(run->options->output);
  return status;
}

// --fit: chooses how the pipelines are made, and says so.
static enum status choose_shapes(struct run *run) {
  const struct kernel **wanted = calloc(run->base->kernels.count + 1, sizeof *wanted);
  struct fit_shape *shapes = calloc(run->base->kernels.count + 1, sizeof *shapes);
  run->shapes = calloc(run->base->kernels.count + 1, sizeof *run->shapes);
  size_t count = 0;
  unsigned lanes;
  enum status status = wanted && shapes && run->shapes ? STATUS_OK : STATUS_FAILED;
  for (size_t i = 0; i < run->base->kernels.count && status == STATUS_OK; i++) {
    const struct kernel *kernel = &run->base->kernels.items[i];
    if (!kernel->is_block && is_wanted(run->options, kernel->name) &&
        choose_lanes(kernel, run->options->lanes, &lanes) == STATUS_OK)
      wanted[count++] = kernel;
  }
  if (status == STATUS_OK && count > 0)
    status = fit_choose(&run->variants, run->base, run->options, &run->links, wanted, count, shapes, &run->fit);
  for (size_t i = 0; i < count && status == STATUS_OK; i++)
    run->shapes[wanted[i] - run->base->kernels.items] = shapes[i];
  for (size_t i = 0; i < run->fit.count && status == STATUS_OK; i++) {
    const struct fit_kernel *k = &run->fit.kernels[i];
    fprintf(stderr, "heddlec: %s: ", k->kernel->name);
    fit_write_shape(&k->shape, stderr);
    fprintf(stderr, ", about %.0f cycles; %s (report.txt has the others)\n", k->chosen->cycles, k->chosen->end);
  }
  free(wanted);
  free(shapes);
  return status;
}

static enum status write_ir(const struct run *run) {
  char *message = NULL;
  enum status status = STATUS_OK;
  for (size_t i = 0; i < run->base->kernels.count; i++)
    if (is_wanted(run->options, run->base->kernels.items[i].name) &&
        pipeline_check(&run->base->kernels.items[i]) != STATUS_OK)
      status = STATUS_REJECTED;
  if (LLVMPrintModuleToFile(run->base->module, scratch_path(SCRATCH_OBJECT), &message))
    return failed("writing", message);
  return status;
}

static enum status open_run(struct run *run) {
  run->variants.options = run->options;
  enum status status = variants_find(&run->variants, run->options->unroll != 0 ? run->options->unroll : 1, &run->base);
  if (status == STATUS_OK) {
    run->made = calloc(run->base->kernels.count + 1, sizeof *run->made);
    status = run->made ? check_names(run) : STATUS_FAILED;
  }
  if (status == STATUS_OK)
    status = chain_find(&run->options->pipes, &run->base->kernels, &run->links);
  return status;
}

static void close_run(struct run *run) {
  forget_made(run);
  free(run->made);
  free(run->shapes);
  free(run->links.items);
  verilog_files_free(&run->verilog);
  variants_free(&run->variants);
}

static enum status run_hardware(void *context) {
  struct run run = {.options = context};
  enum status status = verilog_files_read(&run.options->verilog, &run.verilog);
  if (status == STATUS_OK)
    status = open_run(&run);
  run.slots = run.options->slots != 0 ? run.options->slots : DEFAULT_SLOTS;
  if (status == STATUS_OK) {
    run.source = read_source(run.options);
    if (run.options->fit && !run.options->emit_ir)
      status = choose_shapes(&run);
  }
  if (status == STATUS_OK)
    status = run.options->emit_ir ? write_ir(&run) : run.options->board ? fill_for_board(&run) : fill_folder(&run);
  close_run(&run);
  return status;
}

// ---- what a kernel file says of pipelines

// HASH:LANES:SLOTS:SITES:PIPES, as the options have it; without the sites they are as many as come out.
static bool has_hash(const char *pipeline, const uint32_t hash[4], unsigned *lanes, unsigned *slots, unsigned *sites,
                     struct pipeline_options *options) {
  char text[40];
  *sites = UINT_MAX;
  snprintf(text, sizeof text, "%08x%08x%08x%08x", hash[0], hash[1], hash[2], hash[3]);
  if (strncmp(pipeline, text, 32) != 0 || sscanf(pipeline + 32, ":%u:%u:%u", lanes, slots, sites) < 2)
    return false;
  const char *end = strpbrk(pipeline + 32, "rw");
  for (unsigned *count = &options->pipe_count; end && *count < PIPELINE_MOST_PIPES; end = strpbrk(end + 1, "rw"))
    options->pipes[(*count)++] =
        (struct pipeline_pipe){.argument = (unsigned)strtoul(end + 1, NULL, 10), .is_read = *end == 'r'};
  return true;
}

static bool has_arguments(const struct kernel *kernel, const struct pipeline_options *options) {
  bool has = true;
  for (unsigned i = 0; i < options->pipe_count; i++)
    has &= options->pipes[i].argument < kernel->argument_count;
  return has;
}

static void write_word(FILE *file, uint32_t word) {
  uint8_t bytes[4];
  heddle_put32(bytes, word);
  fwrite(bytes, 1, sizeof bytes, file);
}

// A file's name is written once for sites that follow each other.
static bool begins_file(const struct pipeline_result *result, unsigned site) {
  return site == 0 || strcmp(result->sites[site].file, result->sites[site - 1].file) != 0;
}

static uint32_t name_bytes(const struct pipeline_result *result) {
  uint32_t bytes = 0;
  for (unsigned s = 0; s < result->site_count; s++)
    if (begins_file(result, s))
      bytes += (uint32_t)strlen(result->sites[s].file) + 1;
  return bytes;
}

// Layouts of what a pipeline prints, as the note about printf has them.
static void write_layouts(FILE *file, const struct printf_layouts *layouts, const struct pipeline_result *result) {
  for (unsigned i = 0; i < result->layout_count; i++) {
    const struct printf_layout *layout = &layouts->items[result->layouts[i] - 1];
    write_word(file, layout->count);
    for (uint32_t j = 0; j < layout->count; j++)
      write_word(file, layout->values[j]);
  }
}

// Constants of a pipeline that printf may name.
static void write_constants(FILE *file, const struct graph *graph) {
  for (unsigned i = 0; i < graph->table_count; i++) {
    const struct table *table = &graph->tables[i];
    write_word(file, 4 * table->words);
    for (uint32_t k = 0; k < table->words; k++)
      write_word(file, table->values[k]);
  }
}

// What a pipeline prints: layouts, of which there are so many bytes, then constants. The caller's to free.
static char *describe_printf(const struct printf_layouts *layouts, const struct pipeline_result *result,
                             size_t *layout_bytes, size_t *size) {
  char *bytes = NULL;
  FILE *file = open_memstream(&bytes, size);
  if (!file)
    abort();
  write_layouts(file, layouts, result);
  fflush(file);
  *layout_bytes = *size;
  if (result->layout_count > 0)
    write_constants(file, result->graph);
  fclose(file);
  return bytes;
}

// Names of variables, whose places the linked image knows (hls/pipeline_note.h).
static void write_variables(FILE *file, const struct strings *variables, uint32_t name_bytes) {
  for (size_t i = 0; i < variables->count; i++)
    write_word(file, 0);
  for (size_t i = 0; i < variables->count; i++)
    fwrite(variables->items[i], 1, strlen(variables->items[i]) + 1, file);
  for (uint32_t i = name_bytes; i % 4 != 0; i++)
    fputc(0, file);
}

// contract/DEVICE.md, "Kernel files": a record of the note about pipelines. Kernels are counted in the order of their
// notes.
static void write_record(FILE *file, uint32_t index, const struct kernel *kernel, const struct printf_layouts *layouts,
                         const struct pipeline_result *result) {
  size_t layout_bytes, printf_bytes;
  char *of_printf = describe_printf(layouts, result, &layout_bytes, &printf_bytes);
  static const struct strings none;
  const struct strings *variables = result->site_count != 0 ? &kernel->variables : &none;
  uint32_t variable_name_bytes = 0;
  for (size_t i = 0; i < variables->count; i++)
    variable_name_bytes += (uint32_t)strlen(variables->items[i]) + 1;
  write_word(file, index);
  for (int i = 0; i < 4; i++)
    write_word(file, kernel->hash[i]);
  write_word(file, result->variable_bytes);
  write_word(file, result->site_count);
  write_word(file, (name_bytes(result) + 3) / 4 * 4);
  write_word(file, result->layout_count);
  write_word(file, (uint32_t)layout_bytes);
  write_word(file, (uint32_t)(printf_bytes - layout_bytes));
  write_word(file, (uint32_t)variables->count);
  write_word(file, (variable_name_bytes + 3) / 4 * 4);
  uint32_t at = 0;
  for (unsigned s = 0; s < result->site_count; s++) {
    if (begins_file(result, s) && s != 0)
      at += (uint32_t)strlen(result->sites[s - 1].file) + 1;
    write_word(file, result->sites[s].line);
    write_word(file, at);
  }
  for (unsigned s = 0; s < result->site_count; s++)
    if (begins_file(result, s))
      fwrite(result->sites[s].file, 1, strlen(result->sites[s].file) + 1, file);
  for (uint32_t i = name_bytes(result); i % 4 != 0; i++)
    fputc(0, file);
  fwrite(of_printf, 1, printf_bytes, file);
  write_variables(file, variables, variable_name_bytes);
  free(of_printf);
}

// Where rounds of loops are in one in the device's pipeline, or its port has fewer words than would be of use, the
// number of its sites tells it.
static enum status make_as_device(struct run *run, size_t number, unsigned sites, struct folder_kernel *made,
                                  struct pipeline_options *options) {
  static const unsigned port_words[] = {0, 1, 2, 4};
  enum { PORTS = sizeof port_words / sizeof *port_words };
  enum status status = STATUS_OK;
  for (unsigned way = 0, unroll = 1; unroll <= UNROLL_MOST && status == STATUS_OK; unroll <<= ++way % PORTS == 0) {
    struct folder_kernel tried = {.lanes = made->lanes, .slots_log2 = made->slots_log2, .units = 1, .unroll = unroll};
    options->port_words = port_words[way % PORTS];
    status = make(run, number, &tried, options);
    if (status == STATUS_OK && (sites == UINT_MAX || tried.result.site_count == sites)) {
      *made = tried;
      return STATUS_OK;
    }
    free(tried.result.sites);
  }
  options->port_words = 0;
  return status == STATUS_OK ? make(run, number, made, options) : status;
}

// A device that has a hash has been made of this kernel, so that nothing is said where it cannot be made again.
static enum status describe_kernel(struct run *run, uint32_t index, FILE *file) {
  const struct kernel *kernel = &run->base->kernels.items[index];
  struct folder_kernel made = {.kernel = kernel, .units = 1, .unroll = 1};
  unsigned slots = 0, sites;
  enum status status = STATUS_OK;
  for (size_t i = 0; i < run->options->pipelines.count && !made.result.sites; i++) {
    struct pipeline_options options = {.folder = NULL};
    if (has_hash(run->options->pipelines.items[i], kernel->hash, &made.lanes, &slots, &sites, &options) &&
        has_arguments(kernel, &options)) {
      made.slots_log2 = heddle_log2_ceiling(slots);
      status = make_as_device(run, index, sites, &made, &options);
      break;
    }
  }
  if (status == STATUS_OK || status == STATUS_REJECTED)
    write_record(file, index, kernel, &run->base->layouts, &made.result);
  free(made.result.sites);
  return status == STATUS_FAILED ? status : STATUS_OK;
}

static enum status run_describe(void *context) {
  struct run run = {.options = context};
  // What cannot be hardware is no news where an ordinary build was asked for.
  const int silent = open("/dev/null", O_WRONLY);
  if (silent >= 0) {
    dup2(silent, STDERR_FILENO);
    close(silent);
  }
  FILE *file = fopen(scratch_path(SCRATCH_PIPELINES), "wb");
  enum status status = file ? open_run(&run) : STATUS_FAILED;
  for (size_t i = 0; status == STATUS_OK && i < run.base->kernels.count; i++)
    if (!run.base->kernels.items[i].is_block)
      status = describe_kernel(&run, (uint32_t)i, file);
  if (file && fclose(file) != 0)
    status = STATUS_FAILED;
  close_run(&run);
  return status == STATUS_REJECTED ? STATUS_OK : status;
}

enum status hardware_run(const struct options *options) {
  struct child child = {
      .what = "pipelines", .function = run_hardware, .context = (void *)options, .has_users_files = true};
  return child_run(&child, options);
}

enum status hardware_describe(const struct options *options) {
  struct child child = {.what = "pipeline hashes", .function = run_describe, .context = (void *)options};
  return child_run(&child, options);
}
