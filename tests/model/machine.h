// SPDX-License-Identifier: Apache-2.0
// A model device with a program under construction, for the tests in this folder. Nothing here calls into the model but
// through its table (contract/sim.h), so an expectation written next to it is the test's own.
#ifndef HEDDLE_TESTS_MODEL_MACHINE_H
#define HEDDLE_TESTS_MODEL_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "contract/device_map.h"
#include "contract/sim.h"
#include "tests/model/encode.h"

// Where the tests put things.
enum {
  CODE = 0x00010000,
  DISPATCH = 0x00040000,
  PACKET = DISPATCH + 64,
  INPUT = 0x00100000,
  OUTPUT = 0x00200000,
  FLAGS = 0x00300000,
  PRIVATE = 0x00800000,
  GLOBAL_BYTES = 0x02000000,
};

// Words of a dispatch.
enum {
  GLOBAL_SIZE = HEDDLE_DISPATCH_PACKET + HEDDLE_PACKET_GLOBAL_SIZE,
  GLOBAL_OFFSET = HEDDLE_DISPATCH_PACKET + HEDDLE_PACKET_GLOBAL_OFFSET,
  LOCAL_SIZE = HEDDLE_DISPATCH_PACKET + HEDDLE_PACKET_LOCAL_SIZE,
};

struct machine {
  void *device;
  uint32_t lanes, slots, units;
  uint32_t at;  // where the next instruction goes
};

// What a dispatch asks for; zeros are replaced by: size 1, sub-group size all lanes, entry CODE, private 2^10.
struct range {
  uint32_t global[3], local[3], offset[3];
  uint32_t sub_group_size, local_bytes, private_log2, entry;
  uint64_t budget;
};

struct fault_record {
  uint32_t reason, pc, address, group[3], sub_group, lane;
};

struct machine machine_create(uint32_t lanes, uint32_t slots);  // of one unit
struct machine machine_create_units(uint32_t lanes, uint32_t slots, uint32_t units);
void machine_destroy(struct machine *m);

void poke(struct machine *m, uint32_t address, uint32_t value);
uint32_t peek(struct machine *m, uint32_t address);
void set_control(struct machine *m, uint32_t reg, uint32_t value);
uint32_t get_control(struct machine *m, uint32_t reg);
uint64_t get_figure(struct machine *m, uint32_t reg);

// Program building: emit appends a word and returns its address; begin starts again at CODE.
void begin(struct machine *m);
uint32_t emit(struct machine *m, uint32_t word);
void emit_constant(struct machine *m, uint32_t rd, uint32_t value);  // always two instructions
// Makes the branch (funct3, rs1, rs2) at address `at` go to `target`.
void patch_branch(struct machine *m, uint32_t at, uint32_t funct3, uint32_t rs1, uint32_t rs2, uint32_t target);
uint32_t emit_branch(struct machine *m, uint32_t funct3, uint32_t rs1, uint32_t rs2, uint32_t target);
uint32_t emit_jump(struct machine *m, uint32_t target);

// Writes the dispatch and starts it: what asked for it may change words between. run_range also runs it to the end
// (failing the test if it takes over 2^26 issues) and returns the reason of the fault, 0 if none.
void write_range(struct machine *m, const struct range *r);
void set_dispatch(struct machine *m, uint32_t word, uint32_t value);
void start_dispatch(struct machine *m);
void start_range(struct machine *m, const struct range *r);
uint32_t run_range(struct machine *m, const struct range *r);
struct fault_record get_fault(struct machine *m);
// Compares each field, failing the test.
void expect_fault(struct machine *m, struct fault_record expected);

// A reproducible sequence.
uint32_t next_random(uint64_t *state);

#endif
