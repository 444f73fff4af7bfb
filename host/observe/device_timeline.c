// SPDX-License-Identifier: Apache-2.0
// Makes spans of what a device tells (device_timeline.h).
#include "host/observe/device_timeline.h"

#include <inttypes.h>
#include <stdlib.h>

#include "contract/device_map.h"
#include "contract/sim_pipelines.h"

// Of units of all kinds. A unit that is a chain has the slots of each of its kernels, from 1 on; others are kernel 0.
enum { UNITS = 16, KERNELS = 1 + HEDDLE_CHAIN_KERNELS, SLOTS = 256, STATES = HEDDLE_SIM_STATES, WAITING = 64 };

// A span that has begun.
struct begun {
  uint64_t start;  // device time
  uint32_t name, value;
  uint32_t track;          // of its slot; 0: not made yet
  uint32_t dispatch;       // that it was last open in
  bool is_open, is_named;  // is_named: its track has the name of its kernel in a chain
};

// A dispatch whose command has not been told of.
struct unmatched {
  uint32_t dispatch;
  uint64_t start, nanoseconds;
};

struct heddle_device_timeline {
  struct heddle_timeline *timeline;
  const char *name;
  double nanoseconds_a_cycle;
  uint64_t start, last_end;  // of the dispatch that runs, of the last one: device time
  uint32_t dispatch;         // its number
  uint32_t states[STATES];   // their names
  uint32_t collective, dispatch_track, lines_track, misses_track, lines, misses;
  // Of the counters: what they have, the sums over the windows of this dispatch, and the cycle that the next begins in.
  uint32_t told_lines, told_misses;
  uint64_t all_lines, all_misses, window;
  struct begun slots[UNITS][KERNELS][SLOTS], groups[UNITS][SLOTS];
  struct unmatched unmatched[WAITING];
  unsigned num_unmatched;
};

struct heddle_device_timeline *heddle_device_timeline_create(struct heddle_timeline *timeline, const char *name) {
  static const char *const words[STATES] = {
      [HEDDLE_SIM_EMPTY] = "empty",
      [HEDDLE_SIM_ISSUES] = "issuing",
      [HEDDLE_SIM_WAITS_FOR_MEMORY] = "memory wait",
      [HEDDLE_SIM_WAITS_FOR_INSTRUCTION] = "instruction-cache miss",
      [HEDDLE_SIM_WAITS_FOR_DIVIDER] = "divider",
      [HEDDLE_SIM_WAITS_AT_COLLECTIVE] = "at a barrier or collective",
      [HEDDLE_SIM_WAITS_FOR_PORT] = "memory port",
      [HEDDLE_SIM_WAITS_FOR_LOOP] = "entry of a loop",
      [HEDDLE_SIM_WAITS_FOR_OPERATORS] = "shared operators",
      [HEDDLE_SIM_WAITS_FOR_PIPE] = "pipe",
  };
  struct heddle_device_timeline *device = calloc(1, sizeof *device);
  if (!device)
    return NULL;
  device->timeline = timeline;
  device->name = name;
  device->nanoseconds_a_cycle = 10;
  for (int i = 0; i < STATES; i++)
    device->states[i] = heddle_timeline_name(timeline, words[i]);
  device->collective = heddle_timeline_name(timeline, "collective");
  device->lines = heddle_timeline_name(timeline, "requests to external memory in 256 cycles");
  device->misses = heddle_timeline_name(timeline, "cache misses in 256 cycles");
  device->dispatch_track = heddle_timeline_track(timeline, name, "dispatches");
  device->lines_track = heddle_timeline_track(timeline, name, "external memory");
  device->misses_track = heddle_timeline_track(timeline, name, "cache misses");
  return device;
}

void heddle_device_timeline_clock(struct heddle_device_timeline *device, uint32_t clock_khz) {
  device->nanoseconds_a_cycle = 1e6 / clock_khz;
}

static uint64_t time_of(const struct heddle_device_timeline *device, uint64_t cycle) {
  return device->start + (uint64_t)((double)cycle * device->nanoseconds_a_cycle);
}

static void add(struct heddle_device_timeline *device, uint8_t kind, uint32_t track, uint32_t name, uint64_t start,
                uint64_t end, uint32_t value, bool fine) {
  const struct heddle_moment moment = {.start = start,
                                       .nanoseconds = end - start,
                                       .track = track,
                                       .name = name,
                                       .value = value,
                                       .dispatch = device->dispatch,
                                       .kind = kind};
  heddle_timeline_add(device->timeline, &moment, fine);
}

static void end(struct heddle_device_timeline *device, struct begun *begun, uint64_t now, bool fine) {
  if (begun->is_open)
    add(device, HEDDLE_MOMENT_SPAN, begun->track, begun->name, begun->start, now, begun->value, fine);
  begun->is_open = false;
}

static void begin(struct begun *begun, uint64_t now, uint32_t name, uint32_t value) {
  begun->is_open = true;
  begun->start = now;
  begun->name = name;
  begun->value = value;
}

static struct begun *of_slot(struct heddle_device_timeline *device, const struct heddle_sim_event *event) {
  // Of a collective value[2] is nothing: it is of a programmable unit.
  const uint32_t kernel = event->kind == HEDDLE_SIM_EVENT_SLOT && event->value[2] < KERNELS ? event->value[2] : 0;
  struct begun *begun = &device->slots[event->unit][kernel][event->slot];
  char name[64], of_chain[32] = "";
  if (begun->track == 0) {
    if (kernel != 0)
      snprintf(of_chain, sizeof of_chain, "kernel %" PRIu32 " ", kernel);
    snprintf(name, sizeof name, "unit %" PRIu32 " %sslot %02" PRIu32, event->unit, of_chain, event->slot);
    begun->track = heddle_timeline_track(device->timeline, device->name, name);
  }
  return begun;
}

static struct begun *of_group(struct heddle_device_timeline *device, const struct heddle_sim_event *event) {
  struct begun *begun = &device->groups[event->unit][event->slot];
  char name[64];
  if (begun->track == 0) {
    snprintf(name, sizeof name, "unit %" PRIu32 " work-groups %02" PRIu32, event->unit, event->slot);
    begun->track = heddle_timeline_track(device->timeline, device->name, name);
  }
  return begun;
}

static void take_group(struct heddle_device_timeline *device, const struct heddle_sim_event *event, uint64_t now) {
  struct begun *begun = of_group(device, event);
  char name[64];
  snprintf(name, sizeof name, "work-group %" PRIu32 ",%" PRIu32 ",%" PRIu32, event->value[0], event->value[1],
           event->value[2]);
  end(device, begun, now, false);
  begin(begun, now, heddle_timeline_name(device->timeline, name), 0);
}

static void take_state(struct heddle_device_timeline *device, const struct heddle_sim_event *event, uint64_t now) {
  struct begun *begun = of_slot(device, event);
  end(device, begun, now, true);
  if (event->value[0] != HEDDLE_SIM_EMPTY && event->value[0] < STATES) {
    begin(begun, now, device->states[event->value[0]], event->value[1]);
    begun->dispatch = device->dispatch;
  }
}

static void count(struct heddle_device_timeline *device, uint32_t lines, uint32_t misses, uint64_t now) {
  if (lines != device->told_lines)
    add(device, HEDDLE_MOMENT_COUNTER, device->lines_track, device->lines, now, now, lines, true);
  if (misses != device->told_misses)
    add(device, HEDDLE_MOMENT_COUNTER, device->misses_track, device->misses, now, now, misses, true);
  device->told_lines = lines;
  device->told_misses = misses;
}

// A window has ended: its value begins where it began.
static void count_window(struct heddle_device_timeline *device, uint32_t lines, uint32_t misses, uint64_t end_cycle) {
  count(device, lines, misses, time_of(device, device->window));
  device->all_lines += lines;
  device->all_misses += misses;
  device->window = end_cycle;
}

// The rest of a dispatch is no whole window.
static void count_rest(struct heddle_device_timeline *device, const struct heddle_sim_dispatch *dispatch) {
  count_window(device, (uint32_t)(dispatch->external_lines - device->all_lines),
               (uint32_t)(dispatch->cache_misses - device->all_misses), dispatch->cycles);
  count(device, 0, 0, time_of(device, dispatch->cycles));
}

void heddle_device_timeline_event(struct heddle_device_timeline *device, const struct heddle_sim_event *event,
                                  uint64_t now) {
  const uint64_t at = time_of(device, event->cycle);
  if (event->unit >= UNITS || event->slot >= SLOTS)
    return;
  switch (event->kind) {
    case HEDDLE_SIM_EVENT_BEGINS:
      device->dispatch = heddle_timeline_dispatch(device->timeline);
      device->all_lines = device->all_misses = device->window = 0;
      device->start = now > device->last_end ? now : device->last_end;
      break;
    case HEDDLE_SIM_EVENT_GROUP:
      take_group(device, event, at);
      break;
    case HEDDLE_SIM_EVENT_GROUP_ENDS:
      end(device, of_group(device, event), at, false);
      break;
    case HEDDLE_SIM_EVENT_SLOT:
      take_state(device, event, at);
      break;
    case HEDDLE_SIM_EVENT_COLLECTIVE:
      add(device, HEDDLE_MOMENT_INSTANT, of_slot(device, event)->track, device->collective, at, at, event->value[1],
          true);
      break;
    case HEDDLE_SIM_EVENT_MEMORY:
      count_window(device, event->value[0], event->value[1], event->cycle);
      break;
    default:
      break;
  }
}

// Rows of pipelines are named for their kernels when these have run: which they are is known then. `alone` is the
// kernel of one that is no chain, NULL of programmable units.
static void name_rows(struct heddle_device_timeline *device, int unit, int slot, const char *alone,
                      const char *const *chain) {
  char name[128];
  for (int i = 0; i < KERNELS; i++) {
    struct begun *begun = &device->slots[unit][i][slot];
    const char *kernel = i == 0 ? alone : chain[i - 1];
    if (begun->is_named || begun->track == 0 || begun->dispatch != device->dispatch || !kernel)
      continue;
    snprintf(name, sizeof name, "unit %d %.90s slot %02d", unit, kernel, slot);
    heddle_timeline_rename(device->timeline, begun->track, name);
    begun->is_named = true;
  }
}

void heddle_device_timeline_dispatch(struct heddle_device_timeline *device, const struct heddle_sim_dispatch *dispatch,
                                     const char *kernel, const char *const *chain) {
  const uint64_t ends = time_of(device, dispatch->cycles);
  for (int unit = 0; unit < UNITS; unit++)
    for (int slot = 0; slot < SLOTS; slot++) {
      for (int i = 0; i < KERNELS; i++)
        end(device, &device->slots[unit][i][slot], ends, true);
      name_rows(device, unit, slot, dispatch->kind != 0 ? kernel : NULL, chain);
      end(device, &device->groups[unit][slot], ends, false);
    }
  count_rest(device, dispatch);
  add(device, HEDDLE_MOMENT_SPAN, device->dispatch_track, heddle_timeline_name(device->timeline, kernel), device->start,
      ends, 0, false);
  device->last_end = ends;
  if (device->num_unmatched < WAITING)
    device->unmatched[device->num_unmatched++] =
        (struct unmatched){device->dispatch, device->start, ends - device->start};
}

void heddle_device_timeline_command(struct heddle_device_timeline *device, uint64_t start, uint64_t end_time) {
  // Both are rounded; a command takes a nanosecond more.
  enum { ROUNDING = 3 };
  const uint64_t took = end_time - start;
  unsigned i = 0;
  while (i < device->num_unmatched &&
         (device->unmatched[i].nanoseconds > took + ROUNDING || took > device->unmatched[i].nanoseconds + ROUNDING))
    i++;
  if (i == device->num_unmatched)
    return;
  const int64_t shift = (int64_t)(start - device->unmatched[i].start);
  heddle_timeline_shift(device->timeline, device->unmatched[i].dispatch, shift);
  // Those before it were of other commands, or enqueued by kernels: they stay where they are.
  device->num_unmatched -= i + 1;
  for (unsigned k = 0; k < device->num_unmatched; k++)
    device->unmatched[k] = device->unmatched[k + i + 1];
}

uint32_t heddle_device_timeline_number(const struct heddle_device_timeline *device) {
  return device->dispatch;
}
