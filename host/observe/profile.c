// SPDX-License-Identifier: Apache-2.0
// Keeps what kernels did, and sums it up by source line (profile.h).
#include "host/observe/profile.h"

#include <stdlib.h>
#include <string.h>

#include "contract/device_map.h"
#include "host/observe/source_text.h"

struct reason {
  const char *words, *key;
};
static const struct reason reasons[HEDDLE_SIM_REASONS] = {
    [HEDDLE_SIM_MEMORY] = {"memory wait", "memory"},
    [HEDDLE_SIM_BANKS] = {"local-memory conflicts", "banks"},
    [HEDDLE_SIM_BEATS] = {"scattered accesses", "beats"},
    [HEDDLE_SIM_COLLECTIVE] = {"barrier or collective", "collective"},
    [HEDDLE_SIM_INSTRUCTION] = {"instruction-cache miss", "instruction"},
    [HEDDLE_SIM_DIVIDER] = {"divider", "divider"},
    [HEDDLE_SIM_PASSES] = {"passes of float sums", "passes"},
    [HEDDLE_SIM_PIPELINE] = {"pipeline, too few sub-groups", "pipeline"},
};
static const struct reason pipeline_reasons[HEDDLE_SIM_REASONS] = {
    [HEDDLE_SIM_PIPELINE_MEMORY] = {"memory wait", "memory"},
    [HEDDLE_SIM_PIPELINE_BANKS] = {"local array is busy", "banks"},
    [HEDDLE_SIM_PIPELINE_PORT] = {"memory port is taken", "port"},
    [HEDDLE_SIM_PIPELINE_BARRIER] = {"barrier or collective", "collective"},
    [HEDDLE_SIM_PIPELINE_QUEUE] = {"queue, others are first", "queue"},
    [HEDDLE_SIM_PIPELINE_SHARED] = {"shared operators", "shared"},
    [HEDDLE_SIM_PIPELINE_PIPE] = {"pipe, no packet or no room", "pipe"},
    [HEDDLE_SIM_PIPELINE_RING] = {"loop is full", "ring"},
};
_Static_assert((int)HEDDLE_SIM_PIPELINE_REASONS == (int)HEDDLE_SIM_REASONS, "both have a name");

const char *heddle_profile_reason(const struct heddle_profile_kernel *kernel, int reason) {
  return (kernel->kind != 0 ? pipeline_reasons : reasons)[reason].words;
}

const char *heddle_profile_reason_key(const struct heddle_profile_kernel *kernel, int reason) {
  return (kernel->kind != 0 ? pipeline_reasons : reasons)[reason].key;
}

uint64_t heddle_profile_cycles(const struct heddle_sim_row *row) {
  uint64_t sum = row->issues;
  for (int i = 0; i < HEDDLE_SIM_REASONS; i++)
    sum += row->lost[i];
  return sum;
}

double heddle_profile_residents(const struct heddle_profile_kernel *kernel) {
  return kernel->unit_cycles != 0 ? (double)kernel->resident / (double)kernel->unit_cycles : 0;
}

double heddle_profile_external_limit(const struct heddle_profile_view *view) {
  const struct heddle_profile_shape *shape = view->program->shape;
  // A channel moves a least line in each interval, and larger ones in proportion.
  const double a_cycle =
      shape->memory_interval != 0 ? (double)(1u << HEDDLE_LINE_LOG2_LEAST) / shape->memory_interval : 0;
  return (double)view->kernel->cycles * a_cycle * shape->memory_channels;
}

static void add_row(struct heddle_sim_row *sum, const struct heddle_sim_row *row) {
  sum->issues += row->issues;
  sum->lanes += row->lanes;
  sum->present += row->present;
  sum->accesses += row->accesses;
  sum->passes += row->passes;
  sum->misses += row->misses;
  for (int i = 0; i < HEDDLE_SIM_REASONS; i++)
    sum->lost[i] += row->lost[i];
}

// ---- Programs.

static void copy_kernels(struct heddle_profile_program *program, const struct heddle_kernel_file *file) {
  char *name = program->names;
  const uint32_t count = program->num_kernels / 2;
  for (uint32_t i = 0; i < count; i++) {
    const struct heddle_kernel *kernel = &file->kernels[i];
    program->kernels[i].entry = program->kernels[count + i].entry = kernel->entry;
    program->kernels[i].name = program->kernels[count + i].name = name;
    program->kernels[i].chain_kind = i < file->num_kernels ? kernel->chain_kind : 0;
    name = stpcpy(name, i < file->num_kernels ? kernel->name : "enqueued block") + 1;
  }
}

// Nobody calls a kernel, whether its first instruction has a line or not.
static void drop_kernels(struct heddle_profile_program *program) {
  size_t used = 0;
  for (size_t i = 0; i < program->num_called; i++) {
    const struct heddle_function *function = &program->called[i];
    bool is_kernel = false;
    for (uint32_t k = 0; k < program->num_kernels; k++)
      is_kernel =
          is_kernel || (program->kernels[k].entry >= function->start && program->kernels[k].entry < function->end);
    if (!is_kernel)
      program->called[used++] = *function;
  }
  program->num_called = used;
}

static void free_program(struct heddle_profile_program *program) {
  for (uint32_t i = 0; i < program->num_kernels && program->kernels; i++) {
    heddle_rows_free(&program->kernels[i].rows);
    for (size_t k = 0; k < program->kernels[i].num_lines; k++)
      free((char *)program->kernels[i].lines[k].file);
    free(program->kernels[i].lines);
  }
  free(program->kernels);
  free(program->names);
  free(program->elf);
  free(program->source);
  free(program->called);
  heddle_source_texts_free(program->texts);
  free(program);
}

struct heddle_profile_program *heddle_profile_program_create(const struct heddle_kernel_file *file, uint32_t address,
                                                             const char *source, size_t source_bytes) {
  struct heddle_profile_program *program = calloc(1, sizeof *program);
  size_t name_bytes = 1;
  if (!program)
    return NULL;
  program->address = address;
  program->image_bytes = file->image_bytes;
  program->num_kernels = 2 * (file->num_kernels + file->num_blocks);
  for (uint32_t i = 0; i < program->num_kernels / 2; i++)
    name_bytes += strlen(file->kernels[i].name) + sizeof "enqueued block";
  program->kernels = calloc(program->num_kernels + 1, sizeof *program->kernels);
  program->names = malloc(name_bytes);
  program->elf = malloc(file->size);
  program->elf_bytes = file->size;
  if (source)
    program->source = strndup(source, source_bytes);
  if (!program->kernels || !program->names || !program->elf || (source && !program->source)) {
    free_program(program);
    return NULL;
  }
  memcpy(program->elf, file->bytes, file->size);
  copy_kernels(program, file);
  program->called = heddle_functions_find(program->elf, program->elf_bytes, &program->num_called);
  drop_kernels(program);
  return program;
}

static bool is_never_called(void *user, uint32_t pc) {
  (void)user;
  (void)pc;
  return false;
}

// Marks a caller, which may be at offset 0.
enum { CALLER = 1 };

// Keeps what a pipeline's lines are. They are those of its device, so all dispatches have the same ones.
static void keep_lines(struct heddle_profile_kernel *kernel, const struct heddle_sim_line *lines, size_t count) {
  if (kernel->lines || count == 0)
    return;
  kernel->lines = calloc(count, sizeof *kernel->lines);
  for (size_t i = 1; i < count && kernel->lines; i++)
    kernel->lines[i] = (struct heddle_line){.file = strdup(lines[i].file), .line = lines[i].line};
  kernel->num_lines = kernel->lines ? count : 0;
}

// Adds a row; what there is no room for counts as the kernel's start.
static void add_to(struct heddle_profile_kernel *kernel, uint32_t pc, uint32_t caller,
                   const struct heddle_sim_row *row) {
  static const struct heddle_sim_observer nobody = {.is_called = is_never_called};
  const uint32_t number = heddle_rows_number(&kernel->rows, &nobody, pc, caller);
  if (number != UINT32_MAX) {
    add_row(heddle_rows_at(&kernel->rows, number), row);
  } else {
    kernel->starting += heddle_profile_cycles(row);
    kernel->other_misses += row->misses;
  }
}

const struct heddle_profile_kernel *heddle_profile_add(struct heddle_profile_program *program,
                                                       const struct heddle_sim_dispatch *dispatch,
                                                       const struct heddle_sim_line *lines, size_t num_lines) {
  struct heddle_profile_kernel *kernel = NULL;
  const uint32_t count = program->num_kernels / 2;
  for (uint32_t i = dispatch->kind != 0 ? count : 0; i < (dispatch->kind != 0 ? 2 * count : count) && !kernel; i++)
    if (program->kernels[i].entry == dispatch->entry - program->address)
      kernel = &program->kernels[i];
  if (!kernel)
    return NULL;
  kernel->dispatches++;
  kernel->cycles += dispatch->cycles;
  kernel->unit_cycles += dispatch->cycles * dispatch->units;
  kernel->starting += dispatch->starting;
  kernel->empty += dispatch->empty;
  kernel->resident += dispatch->resident;
  kernel->external_bytes += dispatch->external_bytes;
  kernel->external_lines += dispatch->external_lines;
  kernel->cache_requests += dispatch->cache_requests;
  kernel->cache_misses += dispatch->cache_misses;
  kernel->fetch_misses += dispatch->fetch_misses;
  kernel->other_misses += dispatch->other_misses;
  kernel->lanes = dispatch->lanes;
  kernel->units = dispatch->units;
  kernel->kind = dispatch->kind;
  keep_lines(kernel, lines, num_lines);
  for (size_t i = 0; i < dispatch->num_rows; i++) {
    const struct heddle_sim_row *row = &dispatch->rows[i];
    if (dispatch->kind != 0) {
      if (heddle_profile_cycles(row) != 0 || row->misses != 0 || row->accesses != 0)
        add_to(kernel, row->pc < kernel->num_lines ? row->pc : 0, 0, row);
      continue;
    }
    // What runs outside of its own program counts as the kernel's first instruction: no cycle is left out.
    const uint32_t offset =
        row->pc - program->address < program->image_bytes ? row->pc - program->address : kernel->entry;
    const uint32_t caller = row->caller - program->address < program->image_bytes ? row->caller - program->address : 0;
    add_to(kernel, offset, row->caller != 0 ? caller | CALLER : 0, row);
  }
  return kernel;
}

// ---- By line.

static int by_pc(const void *one, const void *other) {
  const struct heddle_sim_row *a = one, *b = other;
  return (a->pc > b->pc) - (a->pc < b->pc);
}

// Where the instructions of rows come from. One that stands for several lines of source has none: it counts for the
// line in front of it, or, where there is none, for the next one. Of one that is of a called function it is the line
// that calls, and the function's name.
static struct heddle_lines *places_of(const struct heddle_profile_program *program, const struct heddle_sim_row *rows,
                                      size_t count) {
  uint32_t *offsets = malloc((count + 1) * sizeof *offsets);
  struct heddle_lines *lines = NULL;
  const struct heddle_line *last = NULL;
  for (size_t i = 0; i < count && offsets; i++)
    offsets[i] = rows[i].pc;
  if (offsets)
    lines = heddle_lines_find(program->elf, program->elf_bytes, offsets, count);
  free(offsets);
  for (size_t i = 0; i < count && lines; i++) {
    struct heddle_line *line = &lines->lines[i];
    if (rows[i].caller != 0 || heddle_functions_have(program->called, program->num_called, rows[i].pc))
      continue;
    if (line->file && !last)
      for (size_t k = 0; k < i; k++)
        if (rows[k].caller == 0 && !heddle_functions_have(program->called, program->num_called, rows[k].pc))
          lines->lines[k] = (struct heddle_line){.file = line->file, .line = line->line};
    if (line->file)
      last = line;
    else if (last)
      *line = (struct heddle_line){.file = last->file, .line = last->line};
  }
  for (size_t i = 0; i < count && lines; i++) {
    const struct heddle_sim_row key = {.pc = rows[i].caller & ~(uint32_t)CALLER};
    const struct heddle_sim_row *caller = rows[i].caller != 0 ? bsearch(&key, rows, count, sizeof *rows, by_pc) : NULL;
    if (!caller)
      continue;
    lines->lines[i].file = lines->lines[caller - rows].file;
    lines->lines[i].line = lines->lines[caller - rows].line;
  }
  return lines;
}

// The same of the lines of a pipeline.
static struct heddle_lines *places_of_pipeline(const struct heddle_profile_kernel *kernel,
                                               const struct heddle_sim_row *rows, size_t count) {
  struct heddle_lines *lines = calloc(1, sizeof *lines);
  struct heddle_line *items = calloc(count + 1, sizeof *items);
  if (!lines || !items) {
    free(lines);
    free(items);
    return NULL;
  }
  for (size_t i = 0; i < count; i++)
    if (rows[i].pc < kernel->num_lines)
      items[i] = kernel->lines[rows[i].pc];
  *lines = (struct heddle_lines){.count = count, .lines = items};
  return lines;
}

static bool is_same(const char *one, const char *other) {
  return one == other || (one && other && strcmp(one, other) == 0);
}

// Places by file and line; those without one are last.
static int by_place(const void *one, const void *other) {
  const struct heddle_profile_line *a = one, *b = other;
  if (!a->file || !b->file)
    return !a->file - !b->file;
  const int files = strcmp(a->file, b->file);
  return files != 0 ? files : (a->line > b->line) - (a->line < b->line);
}

static int by_cycles(const void *one, const void *other) {
  const struct heddle_profile_line *a = one, *b = other;
  return a->cycles != b->cycles ? (a->cycles < b->cycles) - (a->cycles > b->cycles) : by_place(one, other);
}

// Adds a name to a list with commas, once; the list is dropped when host memory is out.
static char *add_name(char *list, const char *name) {
  const size_t length = strlen(name), used = list ? strlen(list) : 0;
  for (const char *at = list; at && (at = strstr(at, name)); at += length)
    if ((at == list || at[-1] == ' ') && (at[length] == 0 || at[length] == ','))
      return list;
  char *longer = realloc(list, used + length + 3);
  if (longer)
    sprintf(longer + used, "%s%s", used != 0 ? ", " : "", name);
  return longer ? longer : list;
}

// Joins lines of the same place. They are sorted by place.
static size_t join(struct heddle_profile_line *lines, size_t count) {
  size_t used = 0;
  for (size_t i = 0; i < count; i++) {
    struct heddle_profile_line *last = used != 0 ? &lines[used - 1] : NULL;
    const char *function = lines[i].functions;
    if (!last || !is_same(last->file, lines[i].file) || last->line != lines[i].line) {
      last = &lines[used++];
      *last = lines[i];
      last->functions = NULL;
    } else {
      add_row(&last->sum, &lines[i].sum);
      last->cycles += lines[i].cycles;
    }
    if (function)
      last->functions = add_name((char *)last->functions, function);
  }
  return used;
}

// Leaves out what is of no line and says nothing: instructions of the library that did not run.
static size_t without_nothing(struct heddle_profile_line *lines, size_t count) {
  size_t used = 0;
  for (size_t i = 0; i < count; i++)
    if (lines[i].file || lines[i].cycles != 0 || lines[i].sum.misses != 0)
      lines[used++] = lines[i];
    else
      free((char *)lines[i].functions);
  return used;
}

static bool make_view(struct heddle_profile_view *view, struct heddle_profile_program *program,
                      struct heddle_profile_kernel *kernel) {
  *view = (struct heddle_profile_view){.program = program, .kernel = kernel};
  view->rows = heddle_rows_sorted(&kernel->rows);
  if (!view->rows)
    return false;
  const size_t count = view->num_rows = kernel->rows.count;
  view->places =
      kernel->kind != 0 ? places_of_pipeline(kernel, view->rows, count) : places_of(program, view->rows, count);
  view->lines = calloc(count != 0 ? count : 1, sizeof *view->lines);
  if (!view->places || !view->lines)
    return false;
  for (size_t i = 0; i < count; i++) {
    const struct heddle_line *place = &view->places->lines[i];
    view->lines[i] = (struct heddle_profile_line){.file = place->file,
                                                  .line = place->file ? place->line : 0,
                                                  .functions = place->function,
                                                  .sum = view->rows[i],
                                                  .cycles = heddle_profile_cycles(&view->rows[i])};
    view->has_lines = view->has_lines || place->file;
    add_row(&view->sum, &view->rows[i]);
  }
  qsort(view->lines, count, sizeof *view->lines, by_place);
  view->num_lines = without_nothing(view->lines, join(view->lines, count));
  for (size_t i = 0; i < view->num_lines; i++)
    heddle_source_text_find(program, &view->lines[i]);
  qsort(view->lines, view->num_lines, sizeof *view->lines, by_cycles);
  return true;
}

static void free_view(struct heddle_profile_view *view) {
  for (size_t i = 0; i < view->num_lines; i++)
    free((char *)view->lines[i].functions);
  free(view->lines);
  heddle_lines_free(view->places);
}

static int by_kernel_cycles(const void *one, const void *other) {
  const struct heddle_profile_view *a = one, *b = other;
  return (a->kernel->cycles < b->kernel->cycles) - (a->kernel->cycles > b->kernel->cycles);
}

struct heddle_profile_view *heddle_profile_views(struct heddle_profile_program *newest, size_t *count) {
  size_t most = 0;
  *count = 0;
  for (const struct heddle_profile_program *program = newest; program; program = program->next)
    most += program->num_kernels;
  struct heddle_profile_view *views = calloc(most != 0 ? most : 1, sizeof *views);
  for (struct heddle_profile_program *program = newest; program && views; program = program->next)
    for (uint32_t i = 0; i < program->num_kernels; i++) {
      if (program->kernels[i].dispatches == 0)
        continue;
      if (make_view(&views[*count], program, &program->kernels[i]))
        (*count)++;
      else
        free_view(&views[*count]);
    }
  if (views)
    qsort(views, *count, sizeof *views, by_kernel_cycles);
  return views;
}

void heddle_profile_views_free(struct heddle_profile_view *views, size_t count) {
  for (size_t i = 0; i < count; i++)
    free_view(&views[i]);
  free(views);
}
