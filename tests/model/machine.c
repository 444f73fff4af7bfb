// SPDX-License-Identifier: Apache-2.0
#include "tests/model/machine.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>

#include "sim/model/model.h"

struct machine machine_create(uint32_t lanes, uint32_t slots) {
  return machine_create_units(lanes, slots, 1);
}

struct machine machine_create_units(uint32_t lanes, uint32_t slots, uint32_t units) {
  const struct heddle_sim_config config = {
      .lanes = lanes, .slots = slots, .units = units, .global_bytes = GLOBAL_BYTES};
  const char *error = NULL;
  struct machine m = {
      .device = heddle_model_api()->create(&config, &error), .lanes = lanes, .slots = slots, .units = units};
  cr_assert(m.device, "create: %s", error);
  if (getenv("HEDDLE_MODEL_PORTABLE"))
    heddle_model_use_portable(m.device);
  begin(&m);
  return m;
}

void machine_destroy(struct machine *m) {
  heddle_model_api()->destroy(m->device);
  m->device = NULL;
}

void poke(struct machine *m, uint32_t address, uint32_t value) {
  cr_assert_eq(heddle_model_api()->write(m->device, address, &value, sizeof value), 0, "write to 0x%x", address);
}

uint32_t peek(struct machine *m, uint32_t address) {
  uint32_t value = 0;
  cr_assert_eq(heddle_model_api()->read(m->device, address, &value, sizeof value), 0, "read of 0x%x", address);
  return value;
}

void set_control(struct machine *m, uint32_t reg, uint32_t value) {
  poke(m, HEDDLE_CONTROL_BASE + reg, value);
}

uint32_t get_control(struct machine *m, uint32_t reg) {
  return peek(m, HEDDLE_CONTROL_BASE + reg);
}

uint64_t get_figure(struct machine *m, uint32_t reg) {
  return (uint64_t)get_control(m, reg + 4) << 32 | get_control(m, reg);
}

void begin(struct machine *m) {
  m->at = CODE;
}

uint32_t emit(struct machine *m, uint32_t word) {
  poke(m, m->at, word);
  m->at += 4;
  return m->at - 4;
}

void emit_constant(struct machine *m, uint32_t rd, uint32_t value) {
  emit(m, lui(rd, value + 0x800));
  emit(m, addi(rd, rd, (int32_t)(value & 0xFFF)));
}

void patch_branch(struct machine *m, uint32_t at, uint32_t funct3, uint32_t rs1, uint32_t rs2, uint32_t target) {
  poke(m, at, encode_b(funct3, rs1, rs2, (int32_t)(target - at)));
}

uint32_t emit_branch(struct machine *m, uint32_t funct3, uint32_t rs1, uint32_t rs2, uint32_t target) {
  return emit(m, encode_b(funct3, rs1, rs2, (int32_t)(target - m->at)));
}

uint32_t emit_jump(struct machine *m, uint32_t target) {
  return emit(m, encode_jal(0, (int32_t)(target - m->at)));
}

void set_dispatch(struct machine *m, uint32_t word, uint32_t value) {
  poke(m, DISPATCH + 4 * word, value);
}

void write_range(struct machine *m, const struct range *r) {
  uint32_t s = r->sub_group_size != 0 ? r->sub_group_size : m->lanes;
  set_dispatch(m, HEDDLE_DISPATCH_ENTRY, r->entry != 0 ? r->entry : (uint32_t)CODE);
  set_dispatch(m, HEDDLE_DISPATCH_KIND, 0);
  set_dispatch(m, HEDDLE_DISPATCH_SUB_GROUP_LOG2, (uint32_t)__builtin_ctz(s));
  set_dispatch(m, HEDDLE_DISPATCH_LOCAL_BYTES, r->local_bytes);
  set_dispatch(m, HEDDLE_DISPATCH_PRIVATE_BASE, PRIVATE);
  set_dispatch(m, HEDDLE_DISPATCH_PRIVATE_LOG2, r->private_log2 != 0 ? r->private_log2 : 10);
  set_dispatch(m, HEDDLE_DISPATCH_BUDGET, (uint32_t)r->budget);
  set_dispatch(m, HEDDLE_DISPATCH_BUDGET + 1, (uint32_t)(r->budget >> 32));
  for (uint32_t i = 0; i < 3; i++) {
    set_dispatch(m, GLOBAL_SIZE + i, r->global[i] != 0 ? r->global[i] : 1);
    set_dispatch(m, GLOBAL_OFFSET + i, r->offset[i]);
    set_dispatch(m, LOCAL_SIZE + i, r->local[i] != 0 ? r->local[i] : 1);
  }
}

void start_dispatch(struct machine *m) {
  set_control(m, HEDDLE_REG_COMMAND, HEDDLE_COMMAND_GO_ON);
  set_control(m, HEDDLE_REG_DISPATCH, DISPATCH);
  set_control(m, HEDDLE_REG_COMMAND, HEDDLE_COMMAND_START);
}

void start_range(struct machine *m, const struct range *r) {
  write_range(m, r);
  start_dispatch(m);
}

uint32_t run_range(struct machine *m, const struct range *r) {
  start_range(m, r);
  cr_assert_eq(heddle_model_api()->run(m->device, 1u << 26), 1, "the dispatch did not end");
  uint32_t status = get_control(m, HEDDLE_REG_STATUS);
  cr_assert_eq(status & HEDDLE_STATUS_BUSY, 0, "idle, but STATUS is %u", status);
  uint32_t reason = get_control(m, HEDDLE_REG_FAULT_REASON);
  cr_assert_eq((status & HEDDLE_STATUS_FAULT) != 0, reason != 0, "STATUS is %u, reason %u", status, reason);
  return reason;
}

struct fault_record get_fault(struct machine *m) {
  struct fault_record f = {
      .reason = get_control(m, HEDDLE_REG_FAULT_REASON),
      .pc = get_control(m, HEDDLE_REG_FAULT_PC),
      .address = get_control(m, HEDDLE_REG_FAULT_ADDRESS),
      .sub_group = get_control(m, HEDDLE_REG_FAULT_SUB_GROUP_ID),
      .lane = get_control(m, HEDDLE_REG_FAULT_LANE),
  };
  for (uint32_t i = 0; i < 3; i++)
    f.group[i] = get_control(m, HEDDLE_REG_FAULT_GROUP_ID + 4 * i);
  return f;
}

void expect_fault(struct machine *m, struct fault_record expected) {
  struct fault_record f = get_fault(m);
  cr_assert_eq(get_control(m, HEDDLE_REG_STATUS), HEDDLE_STATUS_FAULT);
  cr_expect_eq(f.reason, expected.reason, "reason %u, expected %u", f.reason, expected.reason);
  cr_expect_eq(f.pc, expected.pc, "PC 0x%x, expected 0x%x", f.pc, expected.pc);
  cr_expect_eq(f.address, expected.address, "address 0x%x, expected 0x%x", f.address, expected.address);
  for (int i = 0; i < 3; i++)
    cr_expect_eq(f.group[i], expected.group[i], "group id %d: %u, expected %u", i, f.group[i], expected.group[i]);
  cr_expect_eq(f.sub_group, expected.sub_group, "sub-group id %u, expected %u", f.sub_group, expected.sub_group);
  cr_expect_eq(f.lane, expected.lane, "lane %u, expected %u", f.lane, expected.lane);
}

uint32_t next_random(uint64_t *state) {
  // splitmix64
  uint64_t z = *state += 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return (uint32_t)(z >> 32 ^ z);
}
