// SPDX-License-Identifier: Apache-2.0
// Devices that are observed, what they tell, and the files that are written at the end (observe.h).
#include "host/observe/observe.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/device/driver.h"
#include "host/observe/profile.h"

struct heddle_observed {
  struct heddle_observed *next;
  const struct heddle_sim_api *api;
  void *device;
  struct heddle_profile_shape shape;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct heddle_observed *devices;          // never freed: their figures are read at the end
static struct heddle_profile_program *programs;  // newest first
static char profile_path[PATH_MAX];              // whatever folder the program is in at its end
static pid_t owner;                              // a child that this process forks does not write its files

static const char *asked_file(const char *variable) {
  const char *path = getenv(variable);
  return path && *path ? path : NULL;
}

// Called by a device when a dispatch has ended.
static void take_dispatch(void *user, const struct heddle_sim_dispatch *dispatch) {
  pthread_mutex_lock(&lock);
  for (struct heddle_profile_program *program = programs; program; program = program->next)
    if (program->observed == user && heddle_profile_add(program, dispatch))
      break;
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

static bool ends_with(const char *text, const char *end) {
  const size_t length = strlen(text), end_length = strlen(end);
  return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

static void write_profile(const char *path) {
  size_t count = 0;
  struct heddle_profile_view *views = heddle_profile_views(programs, &count);
  const bool to_terminal = strcmp(path, "-") == 0;
  FILE *out = !views ? NULL : to_terminal ? stdout : fopen(path, "we");
  bool written = out != NULL;
  if (out && ends_with(path, ".json"))
    heddle_profile_write_json(views, count, out);
  else if (out)
    heddle_profile_write_text(views, count, out);
  if (out)
    written = fflush(out) == 0 && !ferror(out);
  if (out && !to_terminal)
    written = fclose(out) == 0 && written;
  if (!written)
    fprintf(stderr, "heddle: the profile cannot be written to %s (HEDDLE_PROFILE): %s\n", path, strerror(errno));
  heddle_profile_views_free(views, count);
}

static void finish(void) {
  if (getpid() != owner)
    return;
  pthread_mutex_lock(&lock);
  write_profile(profile_path);
  pthread_mutex_unlock(&lock);
}

// Keeps the name of a file, which may be relative to the folder of this moment.
static void keep_path(const char *path, char *kept) {
  char folder[PATH_MAX];
  const bool is_whole = path[0] == '/' || strcmp(path, "-") == 0 || !getcwd(folder, sizeof folder);
  const int length = is_whole ? snprintf(kept, PATH_MAX, "%s", path) : snprintf(kept, PATH_MAX, "%s/%s", folder, path);
  if (length >= PATH_MAX)
    snprintf(kept, PATH_MAX, "%.*s", PATH_MAX - 1, path);
}

struct heddle_observed *heddle_observe_device(const struct heddle_sim_api *api, void *device) {
  if (!api->observe || !asked_file("HEDDLE_PROFILE"))
    return NULL;
  struct heddle_observed *observed = calloc(1, sizeof *observed);
  if (!observed)
    return NULL;
  observed->api = api;
  observed->device = device;
  observed->shape.device = api->name;
  const struct heddle_sim_observer observer = {.user = observed, .is_called = is_called, .dispatch = take_dispatch};
  pthread_mutex_lock(&lock);
  if (owner != getpid()) {
    owner = getpid();
    keep_path(asked_file("HEDDLE_PROFILE"), profile_path);
    atexit(finish);
  }
  observed->next = devices;
  devices = observed;
  pthread_mutex_unlock(&lock);
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
