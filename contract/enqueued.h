// SPDX-License-Identifier: Apache-2.0
// What kernels enqueue, in the order in which it has to run (contract/DEVICE.md, "The device queue"). The firmware and,
// for devices without a command processor, the host's driver run the same code; they differ in how they get at memory.
// Nothing that is in the queue is believed: every word is checked when it is used, as kernels run in between.
#ifndef HEDDLE_ENQUEUED_H
#define HEDDLE_ENQUEUED_H

#include <stdbool.h>
#include <stdint.h>

#include "contract/device_map.h"

// How the code reaches memory and the clock: whoever links it defines these three. `address` is a device address, a
// multiple of 4; the clock is the device's, in cycles. Where a device does not answer, _load returns 0, which ends the
// queue. Who wants them inline (the firmware) defines HEDDLE_ENQUEUED_INLINE and the functions before this file.
struct heddle_device;
#ifndef HEDDLE_ENQUEUED_INLINE
uint32_t heddle_enqueued_load(struct heddle_device *device, uint32_t address);
void heddle_enqueued_store(struct heddle_device *device, uint32_t address, uint32_t value);
uint64_t heddle_enqueued_clock(struct heddle_device *device);
#endif

// A queue while its first kernel, and what that enqueues, runs.
struct heddle_enqueued {
  struct heddle_device *device;         // NULL on the device
  uint32_t first_global, global_bytes;  // where global memory begins and ends; set before _begin
  uint32_t queue, commands, events;     // addresses; queue 0: there is none
  uint32_t event_bytes, size;           // of all events; of commands
  uint32_t batch, first, tail;          // of the newest batch, bytes: its begin; where its oldest command that is not
                                        // done may begin; its end, which is that of all
  uint32_t bottom;                      // bytes: where the oldest batch begins
  uint32_t live;                        // bytes of commands that are not done
  uint32_t running;                     // the command whose dispatch runs; 0: the host's
  uint32_t steps;                       // until lists that kernels made are held to be without end
  uint32_t event;                       // that what it enqueues is a part of; 0: of none
  uint32_t units;                       // UNIT_MASK of the host's dispatch, where it stands in a dispatch
};

enum heddle_enqueued_state {
  HEDDLE_ENQUEUED_RUN,      // the next dispatch has to be run
  HEDDLE_ENQUEUED_DONE,     // all is done
  HEDDLE_ENQUEUED_DAMAGED,  // what is in the queue cannot be
  HEDDLE_ENQUEUED_STUCK,    // what is in it waits for events that nobody sets
};

// Before the host's dispatch runs. False: the queue that it names cannot be one.
bool heddle_enqueued_begin(struct heddle_enqueued *q, uint32_t dispatch);

// When a dispatch has ended, without a fault: takes what it enqueued, carries out what is no kernel, and finds the
// dispatch that runs next. Its budget (words 5 and 6) is for the caller to write.
enum heddle_enqueued_state heddle_enqueued_next(struct heddle_enqueued *q, uint32_t *dispatch);

// The host's dispatch has a budget for all that it enqueues: what is left after so many cycles of it. 0: without limit.
static inline uint64_t heddle_enqueued_budget(uint64_t budget, uint64_t cycles) {
  return budget == 0 ? 0 : budget > cycles ? budget - cycles : 1;
}

#endif
