// SPDX-License-Identifier: Apache-2.0
// The tracks of a simulated device in a timeline: dispatches, work-groups by group slot, what each slot does, external
// memory.
//
// Everything here is used by one thread at a time: observe.c holds its mutex.
#ifndef HEDDLE_OBSERVE_DEVICE_TIMELINE_H
#define HEDDLE_OBSERVE_DEVICE_TIMELINE_H

#include "contract/sim.h"
#include "host/observe/timeline.h"

struct heddle_device_timeline;

// `device` is its name. NULL: host memory is out.
struct heddle_device_timeline *heddle_device_timeline_create(struct heddle_timeline *timeline, const char *device);

// What a cycle takes, from the next dispatch on.
void heddle_device_timeline_clock(struct heddle_device_timeline *device, uint32_t clock_khz);

// What the device tells. Of an event that begins a dispatch `now` is device time, at which that begins if the one
// before has ended.
void heddle_device_timeline_event(struct heddle_device_timeline *device, const struct heddle_sim_event *event,
                                  uint64_t now);
// `chain` has HEDDLE_CHAIN_KERNELS names, of the kernels of a chain by their numbers; NULL: there is no such kernel, or
// its name is not known.
void heddle_device_timeline_dispatch(struct heddle_device_timeline *device, const struct heddle_sim_dispatch *dispatch,
                                     const char *kernel, const char *const *chain);

// The number in the timeline of the dispatch that runs, or of the last one.
uint32_t heddle_device_timeline_number(const struct heddle_device_timeline *device);

// A command that dispatched has begun and ended at these times: the first dispatch that took so long is moved there.
void heddle_device_timeline_command(struct heddle_device_timeline *device, uint64_t start, uint64_t end);

#endif
