// SPDX-License-Identifier: Apache-2.0
// Devices that are observed, what they tell, and the files that are written at the end (observe.h).
#include "host/observe/observe.h"

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "contract/output_file.h"
#include "contract/sim_pipelines.h"
#include "host/c_numbers.h"
#include "host/device/chains.h"
#include "host/device/driver.h"
#include "host/observe/asked.h"
#include "host/observe/device_timeline.h"
#include "host/observe/ending.h"
#include "host/observe/konata.h"
#include "host/observe/profile.h"
#include "host/observe/report.h"

struct heddle_observed {
  struct heddle_observed *next;
  const struct heddle_sim_api *api;
  void *device;
  struct heddle_profile_shape shape;
  struct heddle_capabilities capabilities;
  struct heddle_device_timeline *timeline;  // NULL: there is none
  // Of its kernel pipelines; NULL: it does not know.
  const struct heddle_sim_line *(*lines)(void *device, size_t *count);
};

static pid_t owner;  // a child that this process forks does not write its files
static pthread_once_t once = PTHREAD_ONCE_INIT;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct heddle_observed *devices;          // never freed: their figures are read at the end
static struct heddle_profile_program *programs;  // newest first
static struct heddle_timeline *timeline;         // NULL: none is asked for
static struct heddle_konata *konata;             // NULL: none is asked for
static bool pipelines_ran;                       // a kernel on a pipeline of its own
static uint64_t ahead;                           // device time of the host's clock
// Of each dispatch in the timeline, by its number. NULL: not known.
static struct dispatched {
  const struct heddle_profile_program *program;
  const struct heddle_profile_kernel *kernel;
} *dispatched;
static size_t num_dispatched;

// ---- The end.

// Where the instruction of a moment is from.
struct lines {
  const struct heddle_profile_view *views;
  size_t count;
  char text[512];
};

static int by_pc(const void *one, const void *other) {
  const struct heddle_sim_row *a = one, *b = other;
  return (a->pc > b->pc) - (a->pc < b->pc);
}

static const char *line_of(void *user, const struct heddle_moment *moment) {
  struct lines *lines = user;
  const struct dispatched of = moment->value != 0 && moment->dispatch < num_dispatched ? dispatched[moment->dispatch]
                                                                                       : (struct dispatched){NULL};
  const struct heddle_profile_program *program = of.program;
  // Of a pipeline it is the number of a line.
  if (of.kernel && of.kernel->kind != 0) {
    if (moment->kind != HEDDLE_MOMENT_SPAN || moment->value >= of.kernel->num_lines)
      return "";
    const struct heddle_line *line = &of.kernel->lines[moment->value];
    snprintf(lines->text, sizeof lines->text, "%s:%" PRIu32, line->file, line->line);
    return lines->text;
  }
  for (size_t i = 0; i < lines->count && program; i++) {
    const struct heddle_profile_view *view = &lines->views[i];
    const struct heddle_sim_row key = {.pc = moment->value - program->address};
    const struct heddle_sim_row *row =
        view->program == program ? bsearch(&key, view->rows, view->num_rows, sizeof key, by_pc) : NULL;
    const struct heddle_line *line = row ? &view->places->lines[row - view->rows] : NULL;
    if (!line || !line->file)
      continue;
    snprintf(lines->text, sizeof lines->text, "%s:%" PRIu32, line->file, line->line);
    return lines->text;
  }
  return "";
}

static bool ends_with(const char *text, const char *end) {
  const size_t length = strlen(text), end_length = strlen(end);
  return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

static void write_trace(struct lines *lines, FILE *out) {
  uint64_t since;
  const uint64_t left_out = heddle_timeline_write_json(timeline, heddle_asked()->trace_bytes, line_of, lines, out) +
                            heddle_timeline_left_out(timeline, &since);
  // Where the disk is full that is said, and there is no file.
  if (left_out != 0 && fflush(out) == 0 && !ferror(out))
    fprintf(stderr,
            "heddle: the timeline has reached its limit of %" PRIu64 " bytes (HEDDLE_TRACE_BYTES): %" PRIu64
            " moments were left out\n",
            heddle_asked()->trace_bytes, left_out);
}

static void write_konata(FILE *out) {
  heddle_konata_write(konata, out);
  if (heddle_konata_left_out(konata) != 0)
    fprintf(stderr,
            "heddle: the instruction log has reached its limit of %" PRIu64 " bytes (HEDDLE_KONATA_BYTES): %" PRIu64
            " instructions were left out\n",
            heddle_asked()->konata_bytes, heddle_konata_left_out(konata));
}

// Writes one of the files.
static void write_file(enum heddle_asked_file what, struct lines *lines) {
  const struct heddle_asked *asked = heddle_asked();
  const char *path = asked->paths[what];
  if (what == HEDDLE_ASKED_KONATA && (!konata || heddle_konata_count(konata) == 0)) {
    fprintf(stderr, "heddle: no instructions were logged: %s%s (HEDDLE_KONATA)\n",
            pipelines_ran ? "kernels ran on pipelines of their own, which have none" : "none was issued on Heddle sim",
            !pipelines_ran && konata && (asked->konata_from != 0 || asked->konata_to != UINT64_MAX)
                ? " in the cycles that were asked for"
                : "");
    return;
  }
  const bool to_terminal = strcmp(path, "-") == 0;
  FILE *out = to_terminal ? stdout : fopen(path, "we");
  bool written = out;
  if (out && what == HEDDLE_ASKED_TRACE)
    write_trace(lines, out);
  else if (out && what == HEDDLE_ASKED_KONATA)
    write_konata(out);
  else if (out && what == HEDDLE_ASKED_REPORT && timeline)
    heddle_report_write(lines->views, lines->count, timeline, line_of, lines, out);
  else if (out && ends_with(path, ".json"))
    heddle_profile_write_json(lines->views, lines->count, out);
  else if (out)
    heddle_profile_write_text(lines->views, lines->count, out);
  if (out)
    written = fflush(out) == 0 && !ferror(out);
  if (out && !to_terminal)
    written = fclose(out) == 0 && written;
  if (!written) {
    fprintf(stderr, "heddle: %s cannot be written (%s): %s\n", path, heddle_asked_variable(what), strerror(errno));
    heddle_output_file_withdraw(path);
  }
}

static void finish(void) {
  struct lines lines = {0};
  if (getpid() != owner)
    return;
  pthread_mutex_lock(&lock);
  struct heddle_output_limit limit;
  struct heddle_c_numbers before;
  heddle_output_limit_enter(&limit);
  heddle_c_numbers_enter(&before);
  struct heddle_profile_view *views = heddle_profile_views(programs, &lines.count);
  lines.views = views;
  for (enum heddle_asked_file what = 0; what < HEDDLE_ASKED_FILES; what++)
    if (heddle_asked()->paths[what])
      write_file(what, &lines);
  heddle_profile_views_free(views, lines.count);
  heddle_c_numbers_leave(&before);
  heddle_output_limit_leave(&limit);
  heddle_timeline_free(timeline);
  timeline = NULL;
  heddle_konata_free(konata);
  konata = NULL;
  pthread_mutex_unlock(&lock);
}

// ---- The beginning.

static void begin(void) {
  const struct heddle_asked *asked = heddle_asked();
  if (!heddle_asked_any())
    return;
  owner = getpid();
  if (asked->paths[HEDDLE_ASKED_TRACE] || asked->paths[HEDDLE_ASKED_REPORT])
    timeline = heddle_timeline_create(asked->trace_bytes);
  if (asked->paths[HEDDLE_ASKED_KONATA])
    konata = heddle_konata_create(asked->konata_from, asked->konata_to, asked->konata_bytes);
  heddle_at_end(finish);
}

static bool is_observed(void) {
  pthread_once(&once, begin);
  return heddle_asked_any();
}

// ---- What devices tell.

// Device time now.
static uint64_t device_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec + ahead;
}

static void take_event(void *user, const struct heddle_sim_event *event) {
  struct heddle_observed *observed = user;
  pthread_mutex_lock(&lock);
  if (timeline)
    heddle_device_timeline_event(observed->timeline, event, event->kind == HEDDLE_SIM_EVENT_BEGINS ? device_now() : 0);
  pthread_mutex_unlock(&lock);
}

static void take_pass(void *user, const struct heddle_sim_pass *pass) {
  (void)user;
  pthread_mutex_lock(&lock);
  if (konata)
    heddle_konata_pass(konata, pass);
  pthread_mutex_unlock(&lock);
}

// Keeps which program a dispatch of the timeline is of.
static void keep_program(uint32_t number, const struct heddle_profile_program *program,
                         const struct heddle_profile_kernel *kernel) {
  if (number >= num_dispatched) {
    const size_t count = 2 * (size_t)number + 64;
    struct dispatched *list = realloc(dispatched, count * sizeof *list);
    if (!list)
      return;
    memset(list + num_dispatched, 0, (count - num_dispatched) * sizeof *list);
    dispatched = list;
    num_dispatched = count;
  }
  dispatched[number] = (struct dispatched){program, kernel};
}

// The kernel of that kind in a chain; NULL: not known.
static const char *name_in_chain(const struct heddle_observed *observed, uint32_t kind) {
  for (const struct heddle_profile_program *program = programs; program; program = program->next)
    for (uint32_t i = 0; i < program->num_kernels && program->observed == observed; i++)
      if (program->kernels[i].chain_kind == kind)
        return program->kernels[i].name;
  return NULL;
}

// Names of the kernels of a dispatch's chain, by their numbers; NULLs where it is none.
static void names_of_chain(const struct heddle_observed *observed, uint32_t kind, const char **names) {
  struct heddle_chain_shape shape;
  heddle_chain_shape(&observed->capabilities, kind, &shape);
  for (uint32_t i = 0; i < HEDDLE_CHAIN_KERNELS; i++)
    names[i] = i < shape.count ? name_in_chain(observed, shape.kinds[i]) : NULL;
}

static void take_dispatch(void *user, const struct heddle_sim_dispatch *dispatch) {
  struct heddle_observed *observed = user;
  pthread_mutex_lock(&lock);
  struct heddle_profile_program *program = programs;
  const struct heddle_profile_kernel *kernel = NULL;
  pipelines_ran = pipelines_ran || dispatch->kind != 0;
  size_t num_lines = 0;
  const struct heddle_sim_line *lines =
      observed->lines && dispatch->kind != 0 ? observed->lines(observed->device, &num_lines) : NULL;
  while (program && (program->observed != user || !(kernel = heddle_profile_add(program, dispatch, lines, num_lines))))
    program = program->next;
  if (konata)
    heddle_konata_dispatch(konata, program);
  if (timeline) {
    const char *chain[HEDDLE_CHAIN_KERNELS];
    names_of_chain(observed, dispatch->kind, chain);
    heddle_device_timeline_dispatch(observed->timeline, dispatch, kernel ? kernel->name : "?", chain);
    keep_program(heddle_device_timeline_number(observed->timeline), program, kernel);
  }
  pthread_mutex_unlock(&lock);
}

// Called by a device for an instruction.
static bool is_called(void *user, uint32_t pc) {
  bool called = false;
  pthread_mutex_lock(&lock);
  for (const struct heddle_profile_program *program = programs; program; program = program->next)
    if (program->observed == user && pc - program->address < program->image_bytes) {
      called = heddle_functions_have(program->called, program->num_called, pc - program->address);
      break;
    }
  pthread_mutex_unlock(&lock);
  return called;
}

struct heddle_observed *heddle_observe_device(const struct heddle_sim_api *api, void *device) {
  if (!api->observe || !is_observed())
    return NULL;
  struct heddle_observed *observed = calloc(1, sizeof *observed);
  if (!observed)
    return NULL;
  observed->api = api;
  observed->device = device;
  observed->shape.device = api->name;
  pthread_mutex_lock(&lock);
  if (timeline)
    observed->timeline = heddle_device_timeline_create(timeline, api->name);
  observed->next = devices;
  devices = observed;
  pthread_mutex_unlock(&lock);
  const struct heddle_sim_observer observer = {.user = observed,
                                               .is_called = is_called,
                                               .dispatch = take_dispatch,
                                               .event = observed->timeline ? take_event : NULL,
                                               .pass = konata ? take_pass : NULL};
  api->observe(device, &observer);
  return observed;
}

void heddle_observe_library(struct heddle_observed *observed, void *library) {
  if (observed && library)
    *(void **)&observed->lines = dlsym(library, HEDDLE_SIM_LINES_SYMBOL);
}

void heddle_observe_closed(struct heddle_observed *observed) {
  if (observed)
    observed->api->observe(observed->device, NULL);
}

void heddle_observe_shape(struct heddle_observed *observed, const struct heddle_capabilities *capabilities) {
  if (!observed)
    return;
  pthread_mutex_lock(&lock);
  const char *device = observed->shape.device;
  observed->shape = (struct heddle_profile_shape){.device = device,
                                                  .lanes = capabilities->lanes,
                                                  .slots = capabilities->slots,
                                                  .units = capabilities->units,
                                                  .clock_khz = capabilities->clock_khz,
                                                  .line_bytes = capabilities->line_bytes,
                                                  .memory_latency = capabilities->memory_latency,
                                                  .memory_interval = capabilities->memory_interval,
                                                  .memory_channels = capabilities->memory_channels};
  observed->capabilities = *capabilities;
  if (observed->timeline)
    heddle_device_timeline_clock(observed->timeline, capabilities->clock_khz);
  pthread_mutex_unlock(&lock);
}

void heddle_observe_program(struct heddle_observed *observed, const struct heddle_kernel_file *file, uint32_t address,
                            const char *source, size_t source_bytes) {
  if (!observed)
    return;
  struct heddle_profile_program *program = heddle_profile_program_create(file, address, source, source_bytes);
  if (!program)
    return;
  program->observed = observed;
  program->shape = &observed->shape;
  pthread_mutex_lock(&lock);
  program->next = programs;
  programs = program;
  pthread_mutex_unlock(&lock);
}

// ---- What the host tells.

bool heddle_traces(void) {
  pthread_once(&once, begin);
  return heddle_asked()->paths[HEDDLE_ASKED_TRACE] || heddle_asked()->paths[HEDDLE_ASKED_REPORT];
}

uint64_t heddle_trace_clock(void) {
  struct timespec now;
  if (!heddle_traces())
    return 0;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void add_span(const char *process, const char *track, const char *name, uint64_t start, uint64_t end,
                     uint64_t bytes) {
  const struct heddle_moment moment = {.start = start,
                                       .nanoseconds = end > start ? end - start : 0,
                                       .track = heddle_timeline_track(timeline, process, track),
                                       .name = heddle_timeline_name(timeline, name),
                                       .value = bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX,
                                       .kind = HEDDLE_MOMENT_SPAN};
  heddle_timeline_add(timeline, &moment, false);
}

void heddle_trace_host(const char *process, const char *track, const char *name, uint64_t start, uint64_t bytes) {
  if (!heddle_traces())
    return;
  const uint64_t end = heddle_trace_clock();
  pthread_mutex_lock(&lock);
  if (timeline)
    add_span(process, track, name, start + ahead, end + ahead, bytes);
  pthread_mutex_unlock(&lock);
}

void heddle_trace_call(const char *name, uint64_t start) {
  char thread[32];
  snprintf(thread, sizeof thread, "thread %d", (int)gettid());
  heddle_trace_host("program", thread, name, start, 0);
}

// The number of a queue among those whose commands were told, from 1. A new one at the place of one that is gone has
// its number. 0: host memory is out.
static size_t number_of_queue(const void *queue) {
  static const void **queues;
  static size_t count;
  size_t i = 0;
  while (i < count && queues[i] != queue)
    i++;
  if (i < count)
    return i + 1;
  const void **list = realloc(queues, (count + 1) * sizeof *list);
  if (!list)
    return 0;
  queues = list;
  queues[count++] = queue;
  return count;
}

void heddle_trace_command(struct heddle_observed *observed, const struct heddle_traced_command *command) {
  char track[32];
  if (!heddle_traces())
    return;
  pthread_mutex_lock(&lock);
  if (timeline) {
    snprintf(track, sizeof track, "queue %zu", number_of_queue(command->queue));
    add_span("commands", track, command->name, command->start, command->end, command->bytes);
    if (observed && observed->timeline && command->is_dispatch)
      heddle_device_timeline_command(observed->timeline, command->start, command->end);
  }
  pthread_mutex_unlock(&lock);
}

void heddle_trace_ahead(uint64_t nanoseconds) {
  if (!heddle_traces())
    return;
  pthread_mutex_lock(&lock);
  if (nanoseconds > ahead)
    ahead = nanoseconds;
  pthread_mutex_unlock(&lock);
}
