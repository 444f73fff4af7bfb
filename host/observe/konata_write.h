// SPDX-License-Identifier: Apache-2.0
// What the instruction log keeps: between konata.c, which collects it, and konata_write.c.
#ifndef HEDDLE_OBSERVE_KONATA_WRITE_H
#define HEDDLE_OBSERVE_KONATA_WRITE_H

#include "host/observe/konata.h"

#define HEDDLE_KONATA_NONE UINT32_MAX
enum {
  HEDDLE_KONATA_UNITS = 8,
  HEDDLE_KONATA_SLOTS = 128,
  HEDDLE_KONATA_LOADS = 4,  // that a slot has in flight at most
};

struct heddle_konata_pass {
  uint64_t cycle;  // in f1
  uint32_t next;   // pass of the instruction
  uint8_t end;     // enum heddle_sim_pass_end
};

struct heddle_konata_instruction {
  struct heddle_profile_program *program;
  uint64_t answered;  // the cycle in which a load had its last value; 0: none
  uint32_t first_pass, last_pass;
  uint32_t pc, lanes, sub_group, group_id[3];
  uint16_t unit, slot;
  uint8_t tail;  // stages from e3 to wb
};

struct heddle_konata_slot {
  bool is_in_one;  // the slot's last pass was none of an instruction that took effect
  uint32_t instruction;
  uint32_t loads[HEDDLE_KONATA_LOADS];  // instructions, oldest first
  uint32_t num_loads;
};

struct heddle_konata {
  uint64_t from, to, bytes;
  uint64_t expected;  // bytes of what is there, about
  uint64_t left_out;
  struct heddle_konata_instruction *instructions;
  size_t count, room;
  size_t dispatched;  // instructions of dispatches that have ended
  struct heddle_konata_pass *passes;
  size_t num_passes, room_passes;
  struct heddle_konata_slot slots[HEDDLE_KONATA_UNITS][HEDDLE_KONATA_SLOTS];
};

#endif
