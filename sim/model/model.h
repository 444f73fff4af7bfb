// SPDX-License-Identifier: Apache-2.0
// What the golden model offers beyond the table in contract/sim.h: a callback for every retired instruction, and one
// that decides which sc.w succeed.
// For tests, lockstep and tracing tools; the host library does not need it.
#ifndef HEDDLE_SIM_MODEL_H
#define HEDDLE_SIM_MODEL_H

#include <stdbool.h>
#include <stdint.h>

// One instruction retired by some lanes of one sub-group. A park pass retires nothing; a collective retires once,
// when it executes, with every lane it executed for. Pointers are valid during the call only.
struct heddle_model_retired {
  uint32_t slot;  // slot s of unit u is number u * SLOTS + s, as for private memory
  uint32_t group_id[3];
  uint32_t sub_group_id;
  uint32_t pc;
  uint32_t mask;            // bit l: lane l retired it
  uint32_t rd;              // register written, 0: none
  const uint32_t *value;    // indexed by lane, those of mask: written to rd, or stored (rs2, all 32 bits); else NULL
  const uint32_t *address;  // indexed by lane, those of mask: address of a load, store or atomic, else NULL
};
typedef void (*heddle_model_trace)(void *user, const struct heddle_model_retired *retired);

// Calls `trace` for each instruction `device` (made by heddle_model_api()->create) retires from now on; NULL ends it.
// The callback must not call the device. Not thread-safe; between two calls of run.
void heddle_model_set_trace(void *device, heddle_model_trace trace, void *user);

// An sc.w about to execute. The contract lets it fail at any time; the model itself never makes use of that.
struct heddle_model_sc {
  uint32_t slot;  // as above
  uint32_t group_id[3];
  uint32_t sub_group_id;
  uint32_t pc;
  uint32_t mask;            // bit l: lane l executes it
  uint32_t reserved;        // of these: those that hold a reservation of the word they name, so may succeed
  const uint32_t *address;  // indexed by lane, those of mask
};
// Returns the lanes that are to succeed. Those not in `reserved` fail all the same, and of several lanes that name one
// word only the first of those returned succeeds.
typedef uint32_t (*heddle_model_sc_choice)(void *user, const struct heddle_model_sc *sc);

// Asks `choose` before each sc.w `device` executes from now on, also of one that cannot succeed in any lane; NULL: as
// if it returned `reserved`. The rules of heddle_model_set_trace hold. An instruction that faults is not asked about.
void heddle_model_set_sc_choice(void *device, heddle_model_sc_choice choose, void *user);

// Makes `device` use the interpreter that any host can run instead of the one for this host's vector instructions.
// Both give the same results; tests run both.
void heddle_model_use_portable(void *device);

// Issues that have run on several threads, of those that count. For tests: nothing else tells.
uint64_t heddle_model_issues_together(const void *device);

// Makes the bytes of a file from a page on the global memory of `device`, whose contents are then the file's: memory
// that others map, too. The descriptor may be closed. False: it cannot be mapped. A reset device (`create`) has to be
// told anew.
bool heddle_model_share_memory(void *device, int file, uint64_t offset);

// Others have written shared memory: what runs from now on sees it.
void heddle_model_memory_changed(void *device);

#endif
