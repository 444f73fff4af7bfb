// SPDX-License-Identifier: Apache-2.0
// What a simulated device offers the host: the Verilated RTL (sim/rtl, a shared object loaded at run time) and the
// golden model (sim/model, linked in) both fill this table. Called by host/transport/sim.c and by tests.
// Not thread-safe: one thread at a time per device.
#ifndef HEDDLE_SIM_H
#define HEDDLE_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contract/check.h"

#ifdef __cplusplus
extern "C" {
#endif

// Sizes the maker of a device may choose; 0 takes the default. The Verilated device is built for one LANES, SLOTS and
// UNITS, with a command processor or without, and refuses
// others.
struct heddle_sim_config {
  uint32_t lanes;
  uint32_t slots;            // of a unit
  uint32_t units;            // default 1
  uint32_t global_bytes;     // default 256 MiB
  uint32_t processor;        // 1: with a command processor; default 0: without
  uint32_t memory_latency;   // cycles, RTL only, default 60
  uint32_t memory_interval;  // cycles between lines, RTL only, default 4
};

// ---- Looking on: what a simulated device can tell of the kernels that it runs. Nothing of it changes a cycle.

// Why no instruction was issued in a cycle of a unit. Each such cycle is charged to one instruction, for one reason.
enum heddle_sim_reason {
  HEDDLE_SIM_MEMORY,       // a sub-group needs what a load has still to bring, or the memory queue is full
  HEDDLE_SIM_BANKS,        // its lanes need different words of one bank of local memory
  HEDDLE_SIM_BEATS,        // its lanes are in several beats of global memory
  HEDDLE_SIM_COLLECTIVE,   // it waits at a work-group collective or barrier
  HEDDLE_SIM_INSTRUCTION,  // it is not in the instruction cache
  HEDDLE_SIM_DIVIDER,      // it waits for the divider
  HEDDLE_SIM_PASSES,       // a further pass of a sum of floats across lanes
  HEDDLE_SIM_PIPELINE,     // it is in the pipeline, and no other sub-group is ready
  HEDDLE_SIM_REASONS
};

// What an instruction of a dispatch did, in all units.
struct heddle_sim_row {
  uint32_t pc;
  uint32_t caller;  // of an instruction of a function that is called: PC of the sub-group's last one that is not; or 0
  uint64_t issues;
  uint64_t lanes;     // active ones, summed over issues
  uint64_t present;   // work-items of the sub-groups, summed over issues: as many lanes as could have been active
  uint64_t accesses;  // memory operations
  uint64_t passes;    // of these, beyond one each
  uint64_t misses;    // lines that the device cache had to request from external memory for them
  uint64_t lost[HEDDLE_SIM_REASONS];  // cycles
};

// A dispatch that has ended. The sum of all rows' issues and lost cycles, `starting` and `empty` is `cycles` times
// `units`; that of all rows' misses, `fetch_misses` and `other_misses` is `cache_misses`. Of the model a cycle is an
// issue, and nothing is lost.
struct heddle_sim_dispatch {
  uint32_t entry;                                         // PC of the kernel
  uint32_t kind;                                          // of compute unit; only kind 0 has rows
  uint64_t start;                                         // cycles since the device was made
  uint64_t cycles;                                        // as the performance counters have them
  uint32_t lanes, units;                                  // of kind 0
  uint64_t starting;                                      // cycles of units that started sub-groups
  uint64_t empty;                                         // cycles of units in which no sub-group was resident
  uint64_t external_bytes;                                // that external memory moved; of the model 0
  uint64_t resident;                                      // slots with a sub-group, summed over the cycles of all units
  uint64_t external_lines, cache_requests, cache_misses;  // as the performance counters have them; of the model 0
  uint64_t fetch_misses;                                  // of cache_misses, those of instructions that units fetch
  uint64_t other_misses;  // and those that are no unit's: packets of dispatches, the host, the command processor
  const struct heddle_sim_row *rows;  // by rising PC, then caller; valid during the call. Some may be all zeros
  size_t num_rows;
};

// What happens in a dispatch, in the order of cycles.
enum heddle_sim_event_kind {
  HEDDLE_SIM_EVENT_BEGINS,      // the dispatch begins
  HEDDLE_SIM_EVENT_GROUP,       // a work-group comes to a unit: its group slot, and its ids
  HEDDLE_SIM_EVENT_GROUP_ENDS,  // it has ended
  HEDDLE_SIM_EVENT_SLOT,        // a slot's state changes: value[0] is enum heddle_sim_state, value[1] the PC
  HEDDLE_SIM_EVENT_COLLECTIVE,  // a collective takes effect, or a sub-group comes to a barrier: the slot, value[1] the
                                // PC, value[0] its lanes
  HEDDLE_SIM_EVENT_MEMORY,  // in the last HEDDLE_SIM_MEMORY_CYCLES cycles: requests to external memory, cache misses,
                            // cache requests
};
enum { HEDDLE_SIM_MEMORY_CYCLES = 256 };

enum heddle_sim_state {
  HEDDLE_SIM_EMPTY,
  HEDDLE_SIM_ISSUES,  // an instruction is in the pipeline, or ready
  HEDDLE_SIM_WAITS_FOR_MEMORY,
  HEDDLE_SIM_WAITS_FOR_INSTRUCTION,
  HEDDLE_SIM_WAITS_FOR_DIVIDER,
  HEDDLE_SIM_WAITS_AT_COLLECTIVE,
};

struct heddle_sim_event {
  uint64_t cycle;  // of the dispatch, from 0
  uint32_t kind;   // enum heddle_sim_event_kind
  uint32_t unit;
  uint32_t slot;  // or group slot
  uint32_t value[3];
};

// How a pass of an instruction through the pipeline of a unit ended (rtl/unit/README.md has the stages). An instruction
// that leaves early comes again.
enum heddle_sim_pass_end {
  HEDDLE_SIM_PASS_ISSUED,    // at e3 it took effect
  HEDDLE_SIM_PASS_LOADS,     // the same, and it is a load or atomic, whose values come later
  HEDDLE_SIM_PASS_AGAIN,     // the same, and it is a sum of floats that needs further passes
  HEDDLE_SIM_PASS_FAULTS,    // at e3 it was found to be wrong, in some lane
  HEDDLE_SIM_PASS_FULL,      // at e3 there was no room for a memory operation, or others had to end first
  HEDDLE_SIM_PASS_DIVIDER,   // at e1 it left to wait for the divider
  HEDDLE_SIM_PASS_AWAITS,    // at rd it left to wait for what a load has still to bring
  HEDDLE_SIM_PASS_MISSED,    // at de it was not there: not in the instruction cache
  HEDDLE_SIM_PASS_ANSWERED,  // no pass: the oldest load of `slot` that is in flight has its last value in this cycle
};

struct heddle_sim_pass {
  uint64_t cycle;  // in which it was in f1. Counts the cycles of all dispatches since the device was made, from 0
  uint32_t end;    // enum heddle_sim_pass_end
  uint32_t tail;   // stages from e3 to wb
  uint32_t unit, slot, pc;
  uint32_t lanes;  // bit l: lane l was active; known from e3 on
  uint32_t sub_group, group_id[3];
};

// Functions that are called on the thread in `run`, `read` or `write`, and must not call the device.
struct heddle_sim_observer {
  void *user;
  // Whether an instruction is of a function that is charged to whoever calls it. Asked a few times a dispatch.
  bool (*is_called)(void *user, uint32_t pc);
  void (*dispatch)(void *user, const struct heddle_sim_dispatch *dispatch);
  // NULL: none is wanted. Of the model there are BEGINS alone.
  void (*event)(void *user, const struct heddle_sim_event *event);
  // Every pass, when it ends. NULL: none is wanted. Of the model there are none.
  void (*pass)(void *user, const struct heddle_sim_pass *pass);
};

struct heddle_sim_api {
  const char *name;  // "Heddle sim" or "Heddle model"

  // A device after reset, memory zero. NULL with *error set to a static message when it cannot be made.
  void *(*create)(const struct heddle_sim_config *config, const char **error);
  void (*destroy)(void *device);

  // Global memory and control registers by device address (control registers: aligned words only).
  // 0, or -EFAULT when the range is neither.
  int (*read)(void *device, uint32_t address, void *data, size_t bytes);
  int (*write)(void *device, uint32_t address, const void *data, size_t bytes);

  // Runs for at most `cycles` cycles (the model: issues) or until the device is idle. 1 idle, 0 still busy.
  int (*run)(void *device, uint64_t cycles);

  // From the next dispatch on, tells `observer`, which is copied; NULL: nobody. While no dispatch runs. NULL: the
  // device cannot.
  void (*observe)(void *device, const struct heddle_sim_observer *observer);
  const struct heddle_check_api *check;  // NULL: the device cannot check kernels
};

// The golden model's table (linked in).
const struct heddle_sim_api *heddle_model_api(void);

// Makes a device of the golden model use at most so many threads for the work-groups of a dispatch; 0, as without: as
// many as there are processors that the process may use. But for the time that it takes nothing depends on it.
void heddle_model_set_threads(void *device, uint32_t threads);

// The Verilated device's table: exported by each shared object under this name.
// The number rises with each change of what is above, so that no library reads a table that an older one made.
#define HEDDLE_SIM_SYMBOL "heddle_rtl_api_4"
#define heddle_rtl_api heddle_rtl_api_4
const struct heddle_sim_api *heddle_rtl_api(void);

#ifdef __cplusplus
}
#endif

#endif
