// SPDX-License-Identifier: Apache-2.0
// What a program and its simulated devices do, kept for whoever looks at it (docs/how-to/see-inside.md). The
// environment asks for it: HEDDLE_PROFILE=FILE for a profile of the kernels, HEDDLE_TRACE=FILE for a timeline,
// HEDDLE_REPORT=FILE for a page of both, HEDDLE_KONATA=FILE for a log of instructions. The files are written when the
// program ends (ending.h). Without that nothing is observed, and these calls do nothing.
//
// Threads: any thread may call, with heddle_lock or without. The state is guarded by one mutex, which is a leaf
// (host/cl/event.h).
#ifndef HEDDLE_OBSERVE_H
#define HEDDLE_OBSERVE_H

#include <stdbool.h>
#include <stdint.h>

#include "contract/sim.h"
#include "host/device/kernel_file.h"

struct heddle_capabilities;

// A device that is observed. It stays until the program ends.
struct heddle_observed;

// Called when a simulated device has been made. NULL: it is not observed.
struct heddle_observed *heddle_observe_device(const struct heddle_sim_api *api, void *device);

// The library that the device is of, once it is known; NULL: it is linked in. Before the first dispatch.
void heddle_observe_library(struct heddle_observed *observed, void *library);

// Called when the device is closed: it tells nothing more. What it told stays.
void heddle_observe_closed(struct heddle_observed *observed);

// Called when the device's capabilities are known. NULL as `observed` is allowed, here and below.
void heddle_observe_shape(struct heddle_observed *observed, const struct heddle_capabilities *capabilities);

// Called when a program has been written to the device's memory. Copies what it needs. `source` is its text as it was
// compiled, or NULL; `file` is the program's, loaded at `address`.
void heddle_observe_program(struct heddle_observed *observed, const struct heddle_kernel_file *file, uint32_t address,
                            const char *source, size_t source_bytes);

// ---- The timeline. Times are nanoseconds of the host's clock (CLOCK_MONOTONIC) or of device time, as they say.

// Whether there is a timeline. Cheap.
bool heddle_traces(void);

// What happened on the host: `name` on a track of a process, from `start` of the host's clock until now. `bytes` is 0
// where there are none.
void heddle_trace_host(const char *process, const char *track, const char *name, uint64_t start, uint64_t bytes);

// A call of the API, on the track of the thread that made it.
void heddle_trace_call(const char *name, uint64_t start);

// The host's clock, for `start`; 0 if there is no timeline.
uint64_t heddle_trace_clock(void);

// A command of a queue has ended. Times are device time.
struct heddle_traced_command {
  const void *queue;
  const char *name;
  uint64_t queued, submit, start, end;
  uint64_t bytes;  // that it moved; 0: none
  bool is_dispatch;
};
void heddle_trace_command(struct heddle_observed *observed, const struct heddle_traced_command *command);

// How far device time is ahead of the host's clock from now on.
void heddle_trace_ahead(uint64_t nanoseconds);

#endif
