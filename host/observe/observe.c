// SPDX-License-Identifier: Apache-2.0
// Devices that are observed, what they tell, and the files that are written at the end (observe.h).
#include "host/observe/observe.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "host/device/driver.h"
#include "host/environment.h"
#include "host/observe/device_timeline.h"
#include "host/observe/konata.h"
#include "host/observe/profile.h"
#include "host/observe/report.h"

struct heddle_observed {
  struct heddle_observed *next;
  const struct heddle_sim_api *api;
  void *device;
  struct heddle_profile_shape shape;
  struct heddle_device_timeline *timeline;  // NULL: there is none
};

// What is asked for, and read once. A path is whole: the program may be in another folder at its end.
enum asked { PROFILE, TRACE, REPORT, KONATA, ASKED };
static const char *const variables[ASKED] = {
    [PROFILE] = "HEDDLE_PROFILE", [TRACE] = "HEDDLE_TRACE", [REPORT] = "HEDDLE_REPORT", [KONATA] = "HEDDLE_KONATA"};
static char paths[ASKED][PATH_MAX];
static bool is_asked[ASKED];
static uint64_t trace_bytes;
static pid_t owner;  // a child that this process forks does not write its files
static pthread_once_t once = PTHREAD_ONCE_INIT;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct heddle_observed *devices;          // never freed: their figures are read at the end
static struct heddle_profile_program *programs;  // newest first
static struct heddle_timeline *timeline;         // NULL: none is asked for
static struct heddle_konata *konata;             // NULL: none is asked for
static uint64_t konata_bytes;
static bool has_konata_window;
static uint64_t ahead;                                    // device time of the host's clock
static const struct heddle_profile_program **dispatched;  // of each dispatch in the timeline, by its number
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
  const struct heddle_profile_program *program =
      moment->value != 0 && moment->dispatch < num_dispatched ? dispatched[moment->dispatch] : NULL;
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
  const uint64_t left_out = heddle_timeline_write_json(timeline, trace_bytes, line_of, lines, out) +
                            heddle_timeline_left_out(timeline, &since);
  if (left_out != 0)
    fprintf(stderr,
            "heddle: the timeline has reached its limit of %" PRIu64 " bytes (HEDDLE_TRACE_BYTES): %" PRIu64
            " moments were left out\n",
            trace_bytes, left_out);
}

static void write_konata(FILE *out) {
  heddle_konata_write(konata, out);
  if (heddle_konata_left_out(konata) != 0)
    fprintf(stderr,
            "heddle: the instruction log has reached its limit of %" PRIu64 " bytes (HEDDLE_KONATA_BYTES): %" PRIu64
            " instructions were left out\n",
            konata_bytes, heddle_konata_left_out(konata));
}

// What is not whole is removed: nobody is to take it for more. Of a file; a device stays.
static void remove_file(const char *path) {
  struct stat facts;
  if (lstat(path, &facts) == 0 && S_ISREG(facts.st_mode))
    unlink(path);
}

// Writes one of the files.
static void write_file(enum asked what, struct lines *lines) {
  const char *path = paths[what];
  if (what == KONATA && (!konata || heddle_konata_count(konata) == 0)) {
    fprintf(stderr, "heddle: no instructions were logged: none was issued on Heddle sim%s (HEDDLE_KONATA)\n",
            konata && has_konata_window ? " in the cycles that were asked for" : "");
    return;
  }
  const bool to_terminal = strcmp(path, "-") == 0;
  FILE *out = to_terminal ? stdout : fopen(path, "we");
  bool written = out;
  if (out && what == TRACE)
    write_trace(lines, out);
  else if (out && what == KONATA)
    write_konata(out);
  else if (out && what == REPORT && timeline)
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
    fprintf(stderr, "heddle: %s cannot be written (%s): %s\n", path, variables[what], strerror(errno));
    remove_file(path);
  }
}

static void finish(void) {
  struct lines lines = {0};
  if (getpid() != owner)
    return;
  pthread_mutex_lock(&lock);
  struct heddle_profile_view *views = heddle_profile_views(programs, &lines.count);
  lines.views = views;
  for (enum asked what = 0; what < ASKED; what++)
    if (is_asked[what])
      write_file(what, &lines);
  heddle_profile_views_free(views, lines.count);
  heddle_timeline_free(timeline);
  timeline = NULL;
  heddle_konata_free(konata);
  konata = NULL;
  pthread_mutex_unlock(&lock);
}

// ---- The beginning.

// Keeps the name of a file, which may be relative to the folder of this moment.
static void keep_path(const char *path, char *kept) {
  char folder[PATH_MAX];
  const bool is_whole = path[0] == '/' || strcmp(path, "-") == 0 || !getcwd(folder, sizeof folder);
  const int length = is_whole ? snprintf(kept, PATH_MAX, "%s", path) : snprintf(kept, PATH_MAX, "%s/%s", folder, path);
  if (length >= PATH_MAX)
    snprintf(kept, PATH_MAX, "%.*s", PATH_MAX - 1, path);
}

// Which instructions are logged. If the variables are wrong that is said, and there is no log.
static void ask_for_konata(void) {
  static const struct heddle_variable bytes = {.name = "HEDDLE_KONATA_BYTES",
                                               .otherwise = UINT64_C(256) << 20,
                                               .least = 1 << 16,
                                               .most = UINT64_C(1) << 40,
                                               .what = "a number of bytes, 65536 at least"};
  static const struct heddle_variable from = {.name = "HEDDLE_KONATA_FROM", .most = UINT64_MAX, .what = "a cycle"};
  static const struct heddle_variable to = {
      .name = "HEDDLE_KONATA_TO", .otherwise = UINT64_MAX, .most = UINT64_MAX, .what = "a cycle"};
  struct heddle_error error;
  uint64_t first, last;
  if (heddle_environment_number(&bytes, &konata_bytes, &error) != 0 ||
      heddle_environment_number(&from, &first, &error) != 0 || heddle_environment_number(&to, &last, &error) != 0) {
    fprintf(stderr, "heddle: no instructions are logged: %s\n", error.text);
    is_asked[KONATA] = false;
    return;
  }
  if (first > last) {
    fprintf(stderr,
            "heddle: no instructions are logged: HEDDLE_KONATA_FROM, %" PRIu64 ", is behind HEDDLE_KONATA_TO, %" PRIu64
            "\n",
            first, last);
    is_asked[KONATA] = false;
    return;
  }
  has_konata_window = first != 0 || last != UINT64_MAX;
  konata = heddle_konata_create(first, last, konata_bytes);
}

static void ask(void) {
  static const struct heddle_variable bytes = {.name = "HEDDLE_TRACE_BYTES",
                                               .otherwise = UINT64_C(256) << 20,
                                               .least = 1 << 16,
                                               .most = UINT64_C(1) << 40,
                                               .what = "a number of bytes, 65536 at least"};
  struct heddle_error error;
  bool any = false;
  for (enum asked what = 0; what < ASKED; what++) {
    const char *path = getenv(variables[what]);
    is_asked[what] = path && *path;
    if (is_asked[what])
      keep_path(path, paths[what]);
    any = any || is_asked[what];
  }
  if (!any)
    return;
  owner = getpid();
  if (heddle_environment_number(&bytes, &trace_bytes, &error) != 0)
    fprintf(stderr, "heddle: %s\n", error.text);
  if (is_asked[TRACE] || is_asked[REPORT])
    timeline = heddle_timeline_create(trace_bytes);
  if (is_asked[KONATA])
    ask_for_konata();
  atexit(finish);
}

static bool is_observed(void) {
  pthread_once(&once, ask);
  return is_asked[PROFILE] || is_asked[TRACE] || is_asked[REPORT] || is_asked[KONATA];
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
    heddle_device_timeline_event(observed->timeline, event, device_now());
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
static void keep_program(uint32_t number, const struct heddle_profile_program *program) {
  if (number >= num_dispatched) {
    const size_t count = 2 * (size_t)number + 64;
    const struct heddle_profile_program **list = realloc(dispatched, count * sizeof *list);
    if (!list)
      return;
    memset(list + num_dispatched, 0, (count - num_dispatched) * sizeof *list);
    dispatched = list;
    num_dispatched = count;
  }
  dispatched[number] = program;
}

static void take_dispatch(void *user, const struct heddle_sim_dispatch *dispatch) {
  struct heddle_observed *observed = user;
  pthread_mutex_lock(&lock);
  struct heddle_profile_program *program = programs;
  const struct heddle_profile_kernel *kernel = NULL;
  while (program && (program->observed != user || !(kernel = heddle_profile_add(program, dispatch))))
    program = program->next;
  if (konata)
    heddle_konata_dispatch(konata, program);
  if (timeline) {
    heddle_device_timeline_dispatch(observed->timeline, dispatch, kernel ? kernel->name : "?");
    keep_program(heddle_device_timeline_number(observed->timeline), program);
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
  pthread_once(&once, ask);
  return is_asked[TRACE] || is_asked[REPORT];
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

void heddle_trace_command(struct heddle_observed *observed, const struct heddle_traced_command *command) {
  char track[32];
  if (!heddle_traces())
    return;
  pthread_mutex_lock(&lock);
  if (timeline) {
    snprintf(track, sizeof track, "queue %p", command->queue);
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
