// SPDX-License-Identifier: Apache-2.0
// The two devices that lockstep compares: made alike, given the same program, and what each did.
#ifndef HEDDLE_TESTS_LOCKSTEP_PAIR_H
#define HEDDLE_TESTS_LOCKSTEP_PAIR_H

#include "contract/sim.h"
#include "tests/lockstep/program.h"
#include "tests/lockstep/record.h"

struct outcome {
  struct record record;
  bool ended;
  uint32_t reason, pc, address, group[3], sub_group, lane;  // reason 0: no fault; group and what follows: where
  uint64_t issues, active_lanes, groups_done;
  uint8_t data[MAX_ITEMS * ITEM_BYTES], counters[COUNTERS_BYTES];
};

// What pair_set_up finds in the environment; the RTL's ISA says what programs may contain.
extern uint32_t lanes, slots, units, isa;
extern const struct heddle_sim_api *rtl_api;
uint64_t number_from(const char *variable, uint64_t otherwise);
void pair_set_up(void);

// A program of `groups` work-groups of `sub_groups` full sub-groups each, until the next call.
struct program *program_of(const uint32_t *code, size_t words, uint32_t groups, uint32_t sub_groups);
#define WORDS(code) code, sizeof(code) / sizeof(code)[0]

// Says how to repeat what runs now: told when the trace of the RTL ends the program.
void pair_is_running(uint64_t seed);
const char *pair_replay(void);

void *pair_create(const struct heddle_sim_api *api);
void pair_set(const struct heddle_sim_api *api, void *device, uint32_t reg, uint32_t value);
uint32_t pair_get(const struct heddle_sim_api *api, void *device, uint32_t reg);
uint64_t pair_figure(const struct heddle_sim_api *api, void *device, uint32_t reg);  // 64 bits, of which reg is the low
// Gives the pages of global memory from `first` to `end` an entry of the table of rights.
void pair_set_rights(const struct heddle_sim_api *api, void *device, uint32_t first, uint32_t end, uint32_t entry);
// Writes the program, the rights of its memory and its dispatch, at DISPATCH; changes a word of that; starts it, after
// a fault too.
void pair_load(const struct heddle_sim_api *api, void *device, const struct program *p);
void pair_set_dispatch(const struct heddle_sim_api *api, void *device, uint32_t word, uint32_t value);
void pair_start_dispatch(const struct heddle_sim_api *api, void *device);
void pair_start(const struct heddle_sim_api *api, void *device, const struct program *p);
void pair_read(const struct heddle_sim_api *api, void *device, const struct program *p, struct outcome *o);

// Runs a program on both, with their records.
void run_both(const struct program *p, struct outcome *model, struct outcome *rtl);

#endif
