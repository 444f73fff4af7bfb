// SPDX-License-Identifier: Apache-2.0
// What the parts of the program maker share: the registers' roles, the areas of memory, random numbers, and putting
// down an instruction.
#ifndef HEDDLE_TESTS_LOCKSTEP_MAKER_H
#define HEDDLE_TESTS_LOCKSTEP_MAKER_H

#include "tests/lockstep/program.h"
#include "tests/model/encode.h"

// Registers 1 to GENERAL hold anything; the others hold the program together.
enum {
  GENERAL = 20,
  ITEM = 21,       // number of the work-item in the range
  FUNCTION = 22,   // address of what is called; a second temporary
  TEMPORARY = 23,  // mostly an address
  OUTER = 24,      // counts rounds of a piece of the top level
  LINK = 25,
  DEEPER = 26,        // counts rounds of a loop in a loop
  PRIVATE_AREA = 27,  // PRIVATE_BYTES that the work-item has written
  LOCAL_AREA = 28,    // its LOCAL_BYTES; the first word holds BASE
  INNER = 29,         // counts rounds of a loop
  BASE = 30,          // its ITEM_BYTES
  SHARED_AREA = 31,
};
// Of the ITEM_BYTES: data, then the registers at the end, then where the sub-group's words are (those of its lane 0).
enum {
  DATA_BYTES = 384,
  OWN_BYTES = 256,  // of the data, what blocks load and store
  SUB_GROUP_GLOBAL = 480,
  SUB_GROUP_LOCAL = 484,
};
// Of a work-group's local memory: LOCAL_BYTES for each work-item, then WORK_GROUP_BYTES that all add to.
enum { PRIVATE_BYTES = 64, LOCAL_BYTES = 32, WORK_GROUP_BYTES = 64, FUNCTIONS = 3 };

enum { FETCH_CACHE_BYTES = 8192 };  // of the RTL; code this far apart has the same place in the instruction cache

struct maker {
  struct program *p;
  uint64_t random;
  uint32_t functions[FUNCTIONS];
  bool fault_is_out;  // the instruction that may fault has been placed
};

uint32_t next(struct maker *m);                   // a random number
uint32_t below(struct maker *m, uint32_t limit);  // one below the limit
uint32_t interesting(struct maker *m);   // one that finds mistakes: corners of int, uint and, with Zfinx, float
uint32_t any_register(struct maker *m);  // x0 to GENERAL
static inline bool has(const struct maker *m, enum isa extension) {
  return (m->p->isa & extension) != 0;
}

void put(struct maker *m, uint32_t word);
void put_constant(struct maker *m, uint32_t rd, uint32_t value);
// The instruction at `at` becomes a branch to here.
void patch_branch(struct maker *m, uint32_t at, uint32_t funct3, uint32_t rs1, uint32_t rs2);

// arithmetic.c
void put_arithmetic(struct maker *m);

// memory.c: every access is the program's own, or its order does not show.
void put_memory(struct maker *m);
void put_load_burst(struct maker *m);        // several loads at once; what comes behind may need them
void put_exchange(struct maker *m);          // at the top level: barriers around reads of another work-item's memory
void put_work_group_words(struct maker *m);  // at the top level: barriers around atomics on words of the work-group

// faulty.c
void put_fault(struct maker *m);  // the instruction that may fault, behind a condition

// waiting.c
void put_turns(struct maker *m);  // at the top level: lanes wait for others of their sub-group

// program.c
uint32_t any_collective(struct maker *m, uint32_t scope);

#endif
