// SPDX-License-Identifier: Apache-2.0
// Where things are in page zero of a small device (rtl/small), as its firmware sees them, and the registers of its
// core.
#ifndef HEDDLE_FIRMWARE_SMALL_H
#define HEDDLE_FIRMWARE_SMALL_H

#include <stdbool.h>
#include <stdint.h>

#include "contract/device_map.h"

// What differs from board to board comes from the board's file: SMALL_LANES, SMALL_SLOTS, SMALL_GLOBAL_BYTES,
// SMALL_CLOCK_KHZ.
enum { LANES = SMALL_LANES, SLOTS = SMALL_SLOTS, REGISTERS = 32, LOCAL_BYTES = 1024, LINE_BYTES = 64 };
#define LANES_LOG2 (LANES == 8 ? 3 : LANES == 4 ? 2 : LANES == 2 ? 1 : 0)

typedef volatile uint32_t *words;

static inline words words_at(uint32_t address) {
  return (words)(uintptr_t)address;
}

// Registers of each work-item, of which the first is its PC; its own CSRs; those that all have.
enum { REGISTERS_AT = 0x400, OWN_AT = 0x800, COMMON_AT = 0x900, TRAP_AT = 0x980 };
enum { OWN_LOCAL_ID = 0, OWN_GLOBAL_ID = 3, OWN_SUB_GROUP = 6, OWN_SIZE = 7, OWN_WORDS = 8 };
enum {
  COMMON_GROUP_ID = 3,
  COMMON_SIZE = 6,
  COMMON_SUB_GROUPS = 12,
  COMMON_PACKET = 13,
  COMMON_STACK = 14,
  COMMON_LANE = 16
};

// What the core leaves at a trap.
enum { TRAP_STATUS, TRAP_PC, TRAP_INSTRUCTION, TRAP_ADDRESS, TRAP_ISSUED };
enum { CAUSE_LOOK, CAUSE_INSTRUCTION, CAUSE_MEMORY, CAUSE_BAD_FETCH };
enum { STATUS_MET = 1 << 27 };  // since the last trap an instruction was of all lanes that may run

// The core's registers; they can only be written.
enum { CORE_RESUME, CORE_STATE, CORE_PRIVATE_MASK, CORE_PRIVATE_BASE, CORE_LOCAL_BYTES };
// With the lanes and the slot: no lane of the sub-group waits; or the lanes are work-items of all slots, for one
// collective of their work-group.
enum { RESUME_WHOLE = 1 << 11, RESUME_GROUPED = 1 << 12 };
enum { STATE_BUSY = 1, STATE_COMMAND_TAKEN = 2 };

static inline words core_register(uint32_t number) {
  return words_at(0x80000000u + 4 * number);
}

static inline words registers_of(uint32_t slot, uint32_t lane) {
  return words_at(REGISTERS_AT + (slot * LANES + lane) * REGISTERS * 4);
}

static inline words own_of(uint32_t slot, uint32_t lane) {
  return words_at(OWN_AT + (slot * LANES + lane) * OWN_WORDS * 4);
}

static inline words control(uint32_t offset) {
  return words_at(offset);
}

// A sub-group of the work-group that runs.
struct sub_group {
  uint32_t live, parked;       // lanes
  uint16_t yielded;            // of those that could run: who lets the others go first
  uint16_t waited;             // looks since these were together
  uint32_t first_word[LANES];  // of 64 bits, what the first instruction had
};

struct work_group {
  uint32_t count;  // sub-groups
  uint32_t size;   // of a full one
  uint32_t alive;  // sub-groups with a live lane; a bit for each
  uint32_t ready;  // of these, those that do not wait at a work-group collective
  struct sub_group sub_groups[SLOTS];
};

// collective.c: does what the instruction says for `active` lanes of one sub-group, or for all lanes of sub-groups
// `first` to `first` + `count` - 1.
bool collective_is_legal(uint32_t instruction);
bool collective_is_ours(uint32_t instruction);  // of a legal one of work-groups: the core does not carry it out
void collective(struct work_group *group, uint32_t first, uint32_t count, uint32_t active, uint32_t instruction);

#endif
