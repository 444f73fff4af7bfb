// SPDX-License-Identifier: Apache-2.0
// Random programs for lockstep: code, the range it runs over and the data it starts with, all from one number. What a
// program does depends on nothing that DEVICE.md leaves open: no undefined register, no race, no cycle counter.
#ifndef HEDDLE_TESTS_LOCKSTEP_PROGRAM_H
#define HEDDLE_TESTS_LOCKSTEP_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

// Where things are in global memory.
enum {
  CODE = 0x00010000,
  DISPATCH = 0x00040000,
  SHARED = 0x00100000,  // every work-item reads it, none writes it
  SHARED_BYTES = 0x1000,
  COUNTERS = 0x00180000,  // atomics of every sub-group change them, in any order; none reads them
  COUNTERS_BYTES = 128,   // word k is changed by one operation, that of k mod 8
  ITEMS = 0x00200000,     // of work-item i: at ITEMS + i * ITEM_BYTES
  ITEM_BYTES = 512,
  UNUSED = 0x00300000,  // up to private memory
  PRIVATE = 0x00800000,
  PRIVATE_END = 0x01000000,
  FOREIGN = 0x08000000,  // a page of another domain
  DOMAIN = 5,            // of each dispatch; it may read up to COUNTERS, write from there to UNUSED, and private memory
  CODE_WORDS = 8192,
  MAX_ITEMS = 768,
};

// What a program may contain beyond RV32IM and custom-0.
enum isa { ISA_A = 1, ISA_ZFINX = 2, ISA_ZBA_ZBB = 4, ISA_XINDEX = 8 };

enum fault_kind {
  FAULT_NONE,
  FAULT_ILLEGAL,
  FAULT_MISALIGNED,
  FAULT_UNMAPPED,
  FAULT_LOCAL,
  FAULT_PRIVATE,
  FAULT_JUMP,       // to an aligned address that cannot be fetched from
  FAULT_BAD_JUMP,   // to an address that is not aligned
  FAULT_DIVERGENT,  // lanes of a sub-group at different collectives
  FAULT_DIVERGENT_GROUP,
  FAULT_RIGHT,  // a page that the domain may not access so
  FAULT_KINDS,
};

struct program {
  uint64_t seed;
  uint32_t isa;
  uint32_t global[3], local[3], offset[3], groups[3];
  uint32_t sub_group_log2, local_bytes, private_log2;
  uint32_t items, sub_groups;  // of the range; of a full work-group
  enum fault_kind fault;       // what the one instruction that may fault does; it need not be reached
  bool fault_of_one;           // only one work-item can reach it
  uint32_t words;
  uint32_t code[CODE_WORDS];
  uint8_t shared[SHARED_BYTES];
  uint8_t counters[COUNTERS_BYTES];
  uint8_t data[MAX_ITEMS * ITEM_BYTES];
};

void make_program(struct program *p, uint64_t seed, uint32_t lanes, uint32_t slots, uint32_t isa);

#endif
