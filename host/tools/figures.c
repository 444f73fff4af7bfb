// SPDX-License-Identifier: Apache-2.0
// The cycle figures of a dispatch, and waiting for one with a progress line (client.h).
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "host/include/CL/cl_heddle.h"
#include "host/tools/client.h"

static uint64_t event_figure(cl_event event, cl_event_info name) {
  cl_ulong value = 0;
  check(clGetEventInfo(event, name, sizeof value, &value, NULL), "clGetEventInfo of a cycle figure");
  return value;
}

uint32_t device_figure(cl_device_id device, cl_device_info name) {
  cl_uint value = 0;
  check(clGetDeviceInfo(device, name, sizeof value, &value, NULL), "clGetDeviceInfo of the device's shape");
  return value;
}

struct figures figures_of(cl_device_id device, cl_event event) {
  return (struct figures){
      .cycles = event_figure(event, CL_EVENT_CYCLES_HEDDLE),
      .issues = event_figure(event, CL_EVENT_ISSUES_HEDDLE),
      .active_lanes = event_figure(event, CL_EVENT_ACTIVE_LANES_HEDDLE),
      .memory_requests = event_figure(event, CL_EVENT_MEMORY_REQUESTS_HEDDLE),
      .memory_wait = event_figure(event, CL_EVENT_MEMORY_WAIT_CYCLES_HEDDLE),
      .conflict = event_figure(event, CL_EVENT_CONFLICT_CYCLES_HEDDLE),
      .cache_requests = event_figure(event, CL_EVENT_CACHE_REQUESTS_HEDDLE),
      .cache_misses = event_figure(event, CL_EVENT_CACHE_MISSES_HEDDLE),
      .lanes = (cl_uint)event_figure(event, CL_EVENT_LANES_HEDDLE),
      .units = (cl_uint)event_figure(event, CL_EVENT_UNITS_HEDDLE),
      .clock_khz = device_figure(device, CL_DEVICE_CLOCK_KHZ_HEDDLE),
  };
}

void add_figures(struct figures *sum, const struct figures *f) {
  sum->cycles += f->cycles;
  sum->issues += f->issues;
  sum->active_lanes += f->active_lanes;
  sum->memory_requests += f->memory_requests;
  sum->memory_wait += f->memory_wait;
  sum->conflict += f->conflict;
  sum->cache_requests += f->cache_requests;
  sum->cache_misses += f->cache_misses;
  sum->lanes = f->lanes;
  sum->units = f->units;
  sum->clock_khz = f->clock_khz;
}

bool has_breakdown(const struct figures *f) {
  // No dispatch of one unit starts and ends in no time. Of several units the issues may happen to be as many as the
  // cycles, but not without a request to the cache or a wait for memory.
  return !f->is_pipeline &&
         (f->cycles != f->issues || f->memory_wait != 0 || f->conflict != 0 || f->cache_requests != 0);
}

uint64_t idle_cycles(const struct figures *f) {
  const uint64_t all = f->cycles * f->units, busy = f->issues + f->memory_wait + f->conflict;
  return all > busy ? all - busy : 0;
}

double share_of_cycles(const struct figures *f, uint64_t cycles) {
  return f->cycles ? (double)cycles / ((double)f->cycles * f->units) : 0;
}

double cache_hits(const struct figures *f) {
  return f->cache_requests ? (double)(f->cache_requests - f->cache_misses) / (double)f->cache_requests : 0;
}

const char *memory_words(cl_device_id device, char text[96]) {
  const uint32_t line = device_figure(device, CL_DEVICE_LINE_BYTES_HEDDLE);
  const uint32_t latency = device_figure(device, CL_DEVICE_MEMORY_LATENCY_HEDDLE);
  const uint32_t interval = device_figure(device, CL_DEVICE_MEMORY_INTERVAL_HEDDLE);
  const uint32_t channels = device_figure(device, CL_DEVICE_MEMORY_CHANNELS_HEDDLE);
  int used = snprintf(text, 96, "%u-byte lines, ", line);
  if (latency == 0 || interval == 0)
    snprintf(text + used, 96 - (size_t)used, "latency and bandwidth not known");
  else
    used += snprintf(text + used, 96 - (size_t)used, "%u cycles, a line every %u cycles", latency, interval);
  if (interval != 0 && latency != 0 && channels > 1)
    snprintf(text + used, 96 - (size_t)used, " on each of %u channels", channels);
  return text;
}

const char *byte_words(uint64_t bytes, char text[32]) {
  if (bytes == 0)
    snprintf(text, 32, "none");
  else if (bytes >= 1 << 20)
    snprintf(text, 32, "%.4g MiB", (double)bytes / (1 << 20));
  else if (bytes >= 1 << 10 && bytes % (1 << 10) == 0)
    snprintf(text, 32, "%llu KiB", (unsigned long long)(bytes >> 10));
  else
    snprintf(text, 32, "%llu bytes", (unsigned long long)bytes);
  return text;
}

double issues_per_cycle(const struct figures *f) {
  return f->cycles ? (double)f->issues / (double)f->cycles : 0;
}

double lane_efficiency(const struct figures *f) {
  return f->issues ? (double)f->active_lanes / ((double)f->issues * f->lanes) : 0;
}

double milliseconds(const struct figures *f) {
  return f->clock_khz ? (double)f->cycles / f->clock_khz : 0;
}

const char *grouped(uint64_t value, char text[32]) {
  char plain[24];
  const int digits = snprintf(plain, sizeof plain, "%llu", (unsigned long long)value);
  int at = 0;
  for (int i = 0; i < digits; i++) {
    if (i > 0 && (digits - i) % 3 == 0)
      text[at++] = ',';
    text[at++] = plain[i];
  }
  text[at] = '\0';
  return text;
}

// The wait itself, in a thread of its own so that this one can draw.
struct waiter {
  cl_event event;
  cl_int result;
  atomic_bool done;
};

static void *wait_for_event(void *argument) {
  struct waiter *waiter = argument;
  waiter->result = clWaitForEvents(1, &waiter->event);
  atomic_store(&waiter->done, true);
  return NULL;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void draw(const char *what, cl_event event, double seconds) {
  enum { WIDTH = 30 };
  const uint64_t done = event_figure(event, CL_EVENT_GROUPS_DONE_HEDDLE);
  const uint64_t total = event_figure(event, CL_EVENT_GROUPS_TOTAL_HEDDLE);
  const uint64_t cycles = event_figure(event, CL_EVENT_CYCLES_HEDDLE);
  char bar[WIDTH + 1], cycle_text[32];
  const int filled = total ? (int)(done * WIDTH / total) : 0;
  for (int i = 0; i < WIDTH; i++)
    bar[i] = i < filled ? '#' : '.';
  bar[WIDTH] = '\0';
  fprintf(stderr, "\r\033[K%s [%s] %llu of %llu work-groups, %s cycles, %.0f s", what, bar, (unsigned long long)done,
          (unsigned long long)total, grouped(cycles, cycle_text), seconds);
  fflush(stderr);
}

cl_int wait_with_progress(cl_event event, const char *what, enum progress progress, double *seconds) {
  const double start = now(), first_drawing = progress == PROGRESS_ON ? 0 : 0.5;
  const bool draws = progress == PROGRESS_ON || (progress == PROGRESS_AUTO && isatty(STDERR_FILENO));
  struct waiter waiter = {.event = event};
  pthread_t thread;
  bool drawn = false;
  if (draws && pthread_create(&thread, NULL, wait_for_event, &waiter) == 0) {
    const struct timespec pause = {.tv_nsec = 20 * 1000 * 1000};
    double next = start + first_drawing;
    while (!atomic_load(&waiter.done)) {
      if (now() >= next) {
        draw(what, event, now() - start);
        drawn = true;
        next = now() + 0.2;
      }
      nanosleep(&pause, NULL);
    }
    pthread_join(thread, NULL);
  } else {
    wait_for_event(&waiter);
  }
  if (drawn)
    fprintf(stderr, "\r\033[K");
  if (seconds)
    *seconds = now() - start;
  return waiter.result;
}
