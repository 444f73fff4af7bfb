// SPDX-License-Identifier: Apache-2.0
// Programs of a few instructions on RTL and golden model: what random programs have found, alone, and what they cannot
// reach: dispatches that are refused or end early, the clock, many dispatches on one device, words that all contend
// for.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "contract/device_map.h"
#include "sim/model/model.h"
#include "tests/lockstep/pair.h"
#include "tests/model/encode.h"

// Runs one work-group on both devices, and expects this fault of them.
static void expect_fault(const uint32_t *code, uint32_t words, uint32_t sub_groups, const struct outcome *expected) {
  static struct outcome outcomes[2];
  const struct program *program = program_of(code, words, 1, sub_groups);
  run_both(program, &outcomes[0], &outcomes[1]);
  for (int i = 0; i < 2; i++) {
    const struct outcome *o = &outcomes[i];
    const char *device = i == 0 ? "model" : "RTL";
    cr_expect_eq(o->reason, expected->reason, "%s: reason %u, expected %u", device, o->reason, expected->reason);
    cr_expect_eq(o->pc, expected->pc, "%s: PC 0x%x, expected 0x%x", device, o->pc, expected->pc);
    cr_expect_eq(o->address, expected->address, "%s: address 0x%x, expected 0x%x", device, o->address,
                 expected->address);
    cr_expect_eq(o->sub_group, expected->sub_group, "%s: sub-group %u, expected %u", device, o->sub_group,
                 expected->sub_group);
    cr_expect_eq(o->lane, expected->lane, "%s: lane %u, expected %u", device, o->lane, expected->lane);
    record_end(&outcomes[i].record);
  }
}

Test(lockstep, a_jump_or_taken_branch_to_an_unaligned_address_is_a_bad_fetch_there, .init = pair_set_up) {
  static struct outcome expected;
  expected = (struct outcome){.reason = HEDDLE_FAULT_BAD_FETCH, .pc = CODE + 10, .address = CODE + 10};
  const uint32_t jump[] = {encode_jal(1, 10), exit_item(), exit_item(), exit_item()};
  expect_fault(jump, 4, 1, &expected);
  const uint32_t branch[] = {encode_b(BEQ, 0, 0, 10), exit_item(), exit_item(), exit_item()};
  expect_fault(branch, 4, 1, &expected);
  // Only the last lane takes it.
  const uint32_t some[] = {csrr(5, 0xCCA), addi(6, 0, (int32_t)lanes - 1), encode_b(BEQ, 5, 6, 6), exit_item(),
                           exit_item()};
  expected.pc = expected.address = CODE + 14;
  expected.lane = lanes - 1;
  expect_fault(some, 5, 1, &expected);
}

Test(lockstep, sub_groups_at_different_collectives_fault_with_the_one_at_the_smaller_pc, .init = pair_set_up) {
  static struct outcome expected;
  for (uint32_t early = 0; early < 2; early++) {
    // Lane 0 returns where there are others; of the sub-groups, `early` stops at the first barrier.
    const uint32_t code[] = {
        csrr(5, 0xCCA),
        addi(6, 0, lanes > 1 ? 0 : -1),
        encode_b(BNE, 5, 6, 8),
        exit_item(),
        csrr(7, 0xCC9),
        addi(8, 0, (int32_t)early),
        encode_b(BNE, 7, 8, 8),
        barrier(WORK_GROUP_SCOPE),
        barrier(WORK_GROUP_SCOPE),
        exit_item(),
    };
    expected = (struct outcome){
        .reason = HEDDLE_FAULT_DIVERGENT_COLLECTIVE, .pc = CODE + 28, .sub_group = early, .lane = lanes > 1 ? 1 : 0};
    expect_fault(code, sizeof code / sizeof code[0], 2, &expected);
  }
}

// Eight times each work-item adds what the one a sub-group further has, between two barriers, at one of which the odd
// lanes arrive later. Nobody is ahead or behind, and of each sub-group each barrier is one issue and each time it parks
// another one.
Test(lockstep, a_barrier_is_one_issue_and_lets_nobody_be_ahead, .init = pair_set_up) {
  enum { ROUNDS = 8 };
  const uint32_t code[] = {
      csrr(5, 0xCC0),
      csrr(6, 0xCC6),  // work-items
      lui(7, 0x80000000u),
      slli(8, 5, 2),
      add(8, 8, 7),  // own word
      addi(9, 5, (int32_t)lanes),
      encode_b(BLT, 9, 6, 8),
      sub(9, 9, 6),
      slli(9, 9, 2),
      add(9, 9, 7),  // the other's
      addi(10, 5, 1),
      addi(11, 0, ROUNDS),
      andi(12, 5, 1),  // is odd
      sw(10, 8, 0),    // 0x34
      encode_b(BNE, 12, 0, 52),
      barrier(WORK_GROUP_SCOPE),
      lw(13, 9, 0),
      barrier(WORK_GROUP_SCOPE),
      barrier(WORK_GROUP_SCOPE),
      add(10, 10, 13),
      addi(11, 11, -1),
      encode_b(BNE, 11, 0, -32),
      lui(14, ITEMS),
      slli(15, 5, 9),
      add(14, 14, 15),
      sw(10, 14, 64),
      exit_item(),  // the odd ones' way to the barrier is behind
      encode_jal(0, -48),
  };
  static struct outcome outcomes[2];
  static uint32_t value[2][64 * 8];
  const uint32_t sub_groups = slots < 8 ? slots : 8, items = sub_groups * lanes;
  for (uint32_t i = 0; i < items; i++)
    value[0][i] = i + 1;
  for (uint32_t round = 0; round < ROUNDS; round++)
    for (uint32_t i = 0; i < items; i++)
      value[1 - round % 2][i] = value[round % 2][i] + value[round % 2][(i + lanes) % items];
  // Around the rounds 17 instructions, of the last sub-group 18. In a round 9, a jump of odd ones, and where there are
  // others, too, both park.
  const uint32_t jumps = lanes == 1 ? sub_groups / 2 : sub_groups, parks = lanes == 1 ? 0 : 2 * sub_groups;
  const uint32_t issues = 17 * sub_groups + 1 + ROUNDS * (9 * sub_groups + jumps + parks);
  struct program *program = program_of(WORDS(code), 1, sub_groups);
  program->local_bytes = 4 * items;
  run_both(program, &outcomes[0], &outcomes[1]);
  for (int device = 0; device < 2; device++) {
    const struct outcome *o = &outcomes[device];
    const char *name = device == 0 ? "model" : "RTL";
    cr_expect(o->ended && o->reason == 0, "%s: it does not end well", name);
    cr_expect_eq(o->issues, issues, "%s: %lu issues, expected %u", name, (unsigned long)o->issues, issues);
    for (uint32_t i = 0; i < items; i++) {
      uint32_t got;
      memcpy(&got, o->data + i * ITEM_BYTES + 64, sizeof got);
      cr_assert_eq(got, value[0][i], "%s: work-item %u has %u, expected %u", name, i, got, value[0][i]);
    }
    record_end(&outcomes[device].record);
  }
}

Test(lockstep, words_that_are_no_instructions_are_illegal, .init = pair_set_up) {
  const uint32_t words[] = {
      0,
      UINT32_MAX,
      encode_r(0x33, 3, 0x20, 1, 2, 3),
      encode_i(0x13, 1, 1, 2, 0x603),       // beside clz, ctz, cpop, sext
      encode_i(0x73, 1, 1, 0, 0xCC0),       // csrrw
      encode_i(0x73, 2, 1, 5, 0xCC0),       // csrrs that would write
      csrr(1, 0x003),                       // fcsr
      encode_r(0x2F, 3, 0, 1, 2, 3),        // amoadd.d
      encode_r(0x2F, 2, 5 << 2, 1, 2, 3),   // no function
      encode_r(0x2F, 2, LR << 2, 1, 2, 3),  // lr.w with rs2
      float_fused(FMADD, 6, 1, 2, 3, 4),    // a reserved rounding mode, here and below
      float_op(FADD, 5, 1, 2, 3),
      float_op(FMUL, 5, 1, 2, 3),
      float_op(FDIV, 6, 1, 2, 3),
      float_op(FSQRT, 5, 1, 2, 0),
      float_op(FCVT_TO_WORD, 5, 1, 2, 0),
      float_op(FCVT_TO_FLOAT, 6, 1, 2, 0),
      float_op(FSQRT, 0, 1, 2, 3),  // with rs2
      float_op(FSGNJ, 3, 1, 2, 3),
      float_op(FMIN, 2, 1, 2, 3),
      float_op(FCOMPARE, 3, 1, 2, 3),
      float_op(FCLASS, 0, 1, 2, 0),  // fmv.x.w
      float_op(FCLASS, 1, 1, 2, 1),
      float_op(FCVT_TO_WORD, 0, 1, 2, 2),  // fcvt.l.s
      float_op(FCVT_TO_FLOAT, 0, 1, 2, 2),
      float_op(0x01, 0, 1, 2, 3),  // fadd.d
      float_op(0x7C, 0, 1, 2, 3),
  };
  static struct outcome expected;
  expected = (struct outcome){.reason = HEDDLE_FAULT_ILLEGAL_INSTRUCTION, .pc = CODE + 4};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    const uint32_t code[] = {nop(), words[i], exit_item()};
    expect_fault(code, 3, 1, &expected);
  }
}

// Where only the last lane faults the record names it, and no lane has stored.
Test(lockstep, a_fault_of_one_lane_names_it, .init = pair_set_up) {
  static struct outcome expected;
  const uint32_t code[] = {
      csrr(5, 0xCCA), addi(6, 0, (int32_t)lanes - 1), lui(7, ITEMS), encode_b(BNE, 5, 6, 8), addi(7, 7, 2), sw(5, 7, 0),
      exit_item(),
  };
  expected =
      (struct outcome){.reason = HEDDLE_FAULT_MISALIGNED, .pc = CODE + 20, .address = ITEMS + 2, .lane = lanes - 1};
  expect_fault(code, 7, 1, &expected);
}

static uint32_t word_at(const struct heddle_sim_api *api, void *device, uint32_t address) {
  uint32_t word = 0;
  cr_assert_eq(api->read(device, address, &word, sizeof word), 0);
  return word;
}

// Starts what was loaded; returns the reason of the fault, 0 for none.
static uint32_t reason_of_start(const struct heddle_sim_api *api, void *device) {
  pair_start_dispatch(api, device);
  cr_assert(api->run(device, 100000), "%s: a dispatch of one instruction does not end", api->name);
  return pair_get(api, device, HEDDLE_REG_STATUS) & HEDDLE_STATUS_FAULT ? pair_get(api, device, HEDDLE_REG_FAULT_REASON)
                                                                        : 0;
}

static void refuse_bad_dispatches(const struct heddle_sim_api *api) {
  enum {
    GLOBAL_SIZE = HEDDLE_DISPATCH_PACKET + HEDDLE_PACKET_GLOBAL_SIZE,
    LOCAL_SIZE = HEDDLE_DISPATCH_PACKET + HEDDLE_PACKET_LOCAL_SIZE
  };
  const uint32_t code[] = {exit_item()};
  void *device = pair_create(api);
  const uint32_t local_memory = pair_get(api, device, HEDDLE_REG_LOCAL_MEMORY_BYTES);
  const uint32_t global_bytes = pair_get(api, device, HEDDLE_REG_GLOBAL_BYTES);
  const uint32_t first_global = pair_get(api, device, HEDDLE_REG_FIRST_GLOBAL);
  const uint32_t private_bytes = units * slots * lanes << 8;
  const struct {
    uint32_t word, value, good;
  } bad[] = {
      {GLOBAL_SIZE, 0, lanes},
      {GLOBAL_SIZE + 2, 0, 1},
      {LOCAL_SIZE, 0, lanes},
      {LOCAL_SIZE + 1, HEDDLE_LOCAL_SIZE_MAX + 1, 1},
      {LOCAL_SIZE + 2, 0x80000001u, 1},
      {LOCAL_SIZE + 1, slots + 1, 1},  // too many work-items
      {HEDDLE_DISPATCH_SUB_GROUP_LOG2, (uint32_t)__builtin_ctz(lanes) + 1, (uint32_t)__builtin_ctz(lanes)},
      {HEDDLE_DISPATCH_SUB_GROUP_LOG2, 0x10000u << units, 0x10000u},  // units that are not there
      {HEDDLE_DISPATCH_LOCAL_BYTES, local_memory + 4, 64},
      {HEDDLE_DISPATCH_LOCAL_BYTES, 66, 64},
      {HEDDLE_DISPATCH_PRIVATE_LOG2, HEDDLE_PRIVATE_LOG2_MIN - 1, 8},
      {HEDDLE_DISPATCH_PRIVATE_LOG2, HEDDLE_PRIVATE_LOG2_MAX + 1, 8},
      {HEDDLE_DISPATCH_PRIVATE_BASE, 0, first_global},
      {HEDDLE_DISPATCH_PRIVATE_BASE, first_global - 128, first_global},
      {HEDDLE_DISPATCH_PRIVATE_BASE, PRIVATE + 4, PRIVATE},
      {HEDDLE_DISPATCH_PRIVATE_BASE, PRIVATE + 32, PRIVATE},
      {HEDDLE_DISPATCH_PRIVATE_BASE, global_bytes - private_bytes + 128, global_bytes - private_bytes},
      {HEDDLE_DISPATCH_PRIVATE_BASE, global_bytes, PRIVATE},
      {HEDDLE_DISPATCH_PRIVATE_BASE, (uint32_t)-128, PRIVATE},
      {HEDDLE_DISPATCH_PRIVATE_BASE, PRIVATE | 0x80000000u, PRIVATE},
  };
  pair_load(api, device, program_of(WORDS(code), 1, 1));
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    pair_set_dispatch(api, device, bad[i].word, bad[i].value);
    uint32_t reason = reason_of_start(api, device);
    cr_expect_eq(reason, HEDDLE_FAULT_BAD_DISPATCH, "%s: word %u = %u: reason %u", api->name, bad[i].word, bad[i].value,
                 reason);
    pair_set_dispatch(api, device, bad[i].word, bad[i].good);
    reason = reason_of_start(api, device);
    cr_expect_eq(reason, 0, "%s: after a bad dispatch, word %u = %u: reason %u", api->name, bad[i].word, bad[i].good,
                 reason);
  }
  api->destroy(device);
}

Test(lockstep, a_dispatch_that_breaks_a_rule_is_refused_and_the_next_one_runs, .init = pair_set_up) {
  refuse_bad_dispatches(rtl_api);
  refuse_bad_dispatches(heddle_model_api());
}

// An endless loop, by sub-groups that also load and divide, ended by the host or by its budget.
static void end_early(const struct heddle_sim_api *api, bool by_host) {
  const uint32_t loop[] = {lui(5, ITEMS), lw(6, 5, 0), encode_r(0x33, 5, 1, 7, 6, 6), sw(7, 5, 0), encode_jal(0, -12)};
  const uint32_t code[] = {exit_item()};
  const uint32_t expected = by_host ? HEDDLE_FAULT_STOPPED : HEDDLE_FAULT_BUDGET_SPENT;
  void *device = pair_create(api);
  pair_load(api, device, program_of(WORDS(loop), 1, slots));
  if (!by_host)
    pair_set_dispatch(api, device, HEDDLE_DISPATCH_BUDGET, 5000);
  pair_start_dispatch(api, device);
  cr_expect(!api->run(device, 1000), "%s: an endless loop has ended", api->name);
  if (by_host)
    pair_set(api, device, HEDDLE_REG_COMMAND, HEDDLE_COMMAND_STOP);
  cr_assert(api->run(device, 100000), "%s: the loop goes on", api->name);
  cr_expect_eq(pair_get(api, device, HEDDLE_REG_FAULT_REASON), expected, "%s: reason %u, expected %u", api->name,
               pair_get(api, device, HEDDLE_REG_FAULT_REASON), expected);
  uint32_t pc = pair_get(api, device, HEDDLE_REG_FAULT_PC);
  cr_expect(pc >= CODE && pc < CODE + sizeof loop, "%s: PC 0x%x is not in the loop", api->name, pc);
  pair_load(api, device, program_of(WORDS(code), 1, slots));
  uint32_t reason = reason_of_start(api, device);
  cr_expect_eq(reason, 0, "%s: the dispatch behind it: reason %u", api->name, reason);
  api->destroy(device);
}

Test(lockstep, a_dispatch_that_is_stopped_or_spends_its_budget_ends_and_the_next_one_runs, .init = pair_set_up) {
  for (int by_host = 0; by_host < 2; by_host++) {
    end_early(rtl_api, by_host);
    end_early(heddle_model_api(), by_host);
  }
}

static void read_clock(const struct heddle_sim_api *api) {
  const uint32_t code[] = {csrr(5, 0xC00), csrr(6, 0xC80), csrr(7, 0xC00), lui(8, ITEMS),
                           sw(5, 8, 0),    sw(6, 8, 4),    sw(7, 8, 8),    exit_item()};
  void *device = pair_create(api);
  uint64_t before = pair_figure(api, device, HEDDLE_REG_CLOCK);
  pair_load(api, device, program_of(WORDS(code), 1, 1));
  cr_assert_eq(reason_of_start(api, device), 0);
  uint64_t first = (uint64_t)word_at(api, device, ITEMS + 4) << 32 | word_at(api, device, ITEMS);
  uint64_t second = (uint64_t)word_at(api, device, ITEMS + 4) << 32 | word_at(api, device, ITEMS + 8);
  uint64_t after = pair_figure(api, device, HEDDLE_REG_CLOCK);
  cr_expect(before <= first && first < second && second <= after,
            "%s: the clock reads %llu, then in the kernel %llu and %llu, then %llu", api->name,
            (unsigned long long)before, (unsigned long long)first, (unsigned long long)second,
            (unsigned long long)after);
  api->destroy(device);
}

Test(lockstep, the_cycle_counter_goes_on_from_host_to_kernel_to_host, .init = pair_set_up) {
  read_clock(rtl_api);
  read_clock(heddle_model_api());
}

// The RTL's instruction cache numbers dispatches with 12 bits: they go round where that takes least to simulate.
static void change_code_often(const struct heddle_sim_api *api, uint32_t dispatches) {
  void *device = pair_create(api);
  for (uint32_t i = 0; i < dispatches; i++) {
    const uint32_t code[] = {lui(5, ITEMS), addi(6, 0, (int32_t)(i % 2000)), sw(6, 5, 0), exit_item()};
    pair_load(api, device, program_of(WORDS(code), 1, 1));
    cr_assert_eq(reason_of_start(api, device), 0);
    uint32_t word = word_at(api, device, ITEMS);
    cr_assert_eq(word, i % 2000, "%s: dispatch %u ran the code of another: %u", api->name, i, word);
  }
  api->destroy(device);
}

Test(lockstep, every_dispatch_runs_the_code_that_is_there, .init = pair_set_up) {
  change_code_often(rtl_api, lanes * units == 1 || getenv("HEDDLE_TEST_LONG") ? 4200 : 100);
  change_code_often(heddle_model_api(), 100);
}

// Sub-groups loop in two rows of code that have the same place in the RTL's instruction cache: bit i of `far` says in
// which one sub-group i.
static void loop_in_rows_that_collide(const struct heddle_sim_api *api, uint32_t far) {
  enum { CACHE_WORDS = 8192 / 4, LOOP = 6 };
  static uint32_t code[CACHE_WORDS + 16];
  const uint32_t first[] = {
      csrr(5, 0xCC9),
      lui(6, far + 0x800),
      addi(6, 6, (int32_t)(far << 20) >> 20),
      encode_r(0x33, 5, 0, 5, 6, 5),  // srl
      andi(5, 5, 1),
      addi(6, 0, 50),
      encode_b(BEQ, 5, 0, 8),                // LOOP
      encode_jal(0, 4 * (CACHE_WORDS + 1)),  // to the same instructions, a cache further
      addi(6, 6, -1),
      encode_b(BNE, 6, 0, -4),
      exit_item(),
  };
  memcpy(code, first, sizeof first);
  memcpy(code + CACHE_WORDS + LOOP + 2, first + LOOP + 2, sizeof first - (LOOP + 2) * sizeof *first);
  void *device = pair_create(api);
  pair_start(api, device, program_of(WORDS(code), 1, slots));
  cr_expect(api->run(device, 200000), "%s: sub-groups take the code from each other for ever, pattern 0x%x", api->name,
            far);
  api->destroy(device);
}

Test(lockstep, sub_groups_in_code_an_instruction_cache_apart_all_come_to_the_end, .init = pair_set_up) {
  uint32_t far = 1;
  for (int i = 0; i < (lanes > 8 ? 5 : 20); i++) {
    far = far * 1664525 + 1013904223;
    loop_in_rows_that_collide(rtl_api, far);
  }
  loop_in_rows_that_collide(heddle_model_api(), far);
}

// Lanes that take turns take long where they are many.
static bool is_slow(void) {
  return lanes > 16 && !getenv("HEDDLE_TEST_LONG");
}

// Every work-item adds 1 to a word of global memory and to one of local memory with lr.w and sc.w, four times, and
// draws a number with amoadd.w. One work-item after the other gets through, and each time the lanes of all others try
// one by one: the time grows with the square of the work-items, so there should be no more than 256 of them.
// Lanes take turns at a word, so what they take grows with their square.
static uint32_t contending_items(void) {
  return is_slow() ? 2 * lanes : 256;
}

static void contend(const struct heddle_sim_api *api, uint32_t groups, uint32_t sub_groups) {
  enum { ROUNDS = 4 };
  const uint32_t code[] = {
      lui(5, COUNTERS),
      lui(6, 0x80000000u),
      sw(0, 6, 0),
      addi(7, 0, ROUNDS),
      barrier(WORK_GROUP_SCOPE),
      lr(8, 5),  // 0x14
      addi(8, 8, 1),
      sc(9, 5, 8),
      encode_b(BNE, 9, 0, -12),
      lr(8, 6),  // 0x24
      addi(8, 8, 1),
      sc(9, 6, 8),
      encode_b(BNE, 9, 0, -12),
      addi(7, 7, -1),
      encode_b(BNE, 7, 0, -36),
      addi(10, 0, 1),
      addi(11, 5, 4),
      atomic(AMOADD, 10, 11, 10),
      lui(12, ITEMS),
      slli(13, 10, 2),
      add(12, 12, 13),
      sw(10, 12, 0),  // number n at word n
      barrier(WORK_GROUP_SCOPE),
      lw(14, 6, 0),
      sw(14, 5, 8),
      exit_item(),
  };
  void *device = pair_create(api);
  const struct program *p = program_of(WORDS(code), groups, sub_groups);
  pair_start(api, device, p);
  cr_assert(api->run(device, 4000000), "%s: work-items contend for ever", api->name);
  cr_assert_eq(pair_get(api, device, HEDDLE_REG_STATUS), 0, "%s: status", api->name);
  uint32_t global = word_at(api, device, COUNTERS), local = word_at(api, device, COUNTERS + 8);
  cr_expect_eq(global, ROUNDS * p->items, "%s: %u additions in global memory, expected %u", api->name, global,
               ROUNDS * p->items);
  cr_expect_eq(local, ROUNDS * p->items / groups, "%s: %u additions in local memory, expected %u", api->name, local,
               ROUNDS * p->items / groups);
  for (uint32_t n = 0; n < p->items; n++)
    cr_assert_eq(word_at(api, device, ITEMS + 4 * n), n, "%s: nobody drew %u", api->name, n);
  api->destroy(device);
}

Test(lockstep, work_items_of_all_sub_groups_that_contend_for_words_lose_nothing, .init = pair_set_up) {
  const uint32_t most = contending_items() / lanes, sub_groups = slots > most ? most : slots;
  contend(heddle_model_api(), 1, sub_groups);
  if (!(isa & ISA_A))
    cr_skip("the RTL has no atomics");
  contend(rtl_api, 1, sub_groups);
}

Test(lockstep, work_groups_of_all_units_that_contend_for_a_word_lose_nothing, .init = pair_set_up) {
  const uint32_t most = contending_items() / lanes, groups = slots * units > most ? most : slots * units;
  contend(heddle_model_api(), groups, 1);
  if (!(isa & ISA_A))
    cr_skip("the RTL has no atomics");
  contend(rtl_api, groups, 1);
}

// Unit 1's private memory begins where unit 0's ends: every work-item finds there what it wrote, whoever else is about.
Test(lockstep, private_memory_of_a_unit_lies_behind_that_of_the_units_before_it, .init = pair_set_up) {
  const uint32_t windows = units * slots * lanes, private_log2 = 8;
  const uint32_t code[] = {
      csrr(5, 0xCD0),  // global id x
      csrr(6, 0xCCE),  // initial stack pointer
      sw(5, 6, -4),
      addi(7, 0, 1000),
      addi(7, 7, -1),
      encode_b(BNE, 7, 0, -4),  // until every slot of every unit has
                                // a sub-group that has written
      lw(8, 6, -4),
      lui(12, ITEMS),
      slli(13, 5, 2),
      add(12, 12, 13),
      sw(8, 12, 0),
      exit_item(),
  };
  if (windows > MAX_ITEMS)
    cr_skip("%u work-items are more than a program here may have", windows);
  const struct heddle_sim_api *apis[] = {heddle_model_api(), rtl_api};
  for (int i = 0; i < 2; i++) {
    void *device = pair_create(apis[i]);
    const struct program *p = program_of(WORDS(code), slots * units, 1);
    pair_start(apis[i], device, p);
    cr_assert(apis[i]->run(device, 4000000), "%s: does not end", apis[i]->name);
    for (uint32_t n = 0; n < p->items; n++) {
      cr_assert_eq(word_at(apis[i], device, ITEMS + 4 * n), n, "%s: work-item %u found %u", apis[i]->name, n,
                   word_at(apis[i], device, ITEMS + 4 * n));
    }
    // All windows are used, and each once.
    uint8_t *used = calloc(windows, 1);
    for (uint32_t s = 0; s < units * slots; s++) {
      for (uint32_t l = 0; l < lanes; l++) {
        const uint32_t last = (1u << private_log2) / 4 - 1;
        const uint32_t item = word_at(apis[i], device, PRIVATE + 4 * (((s << (private_log2 - 2)) + last) * lanes + l));
        cr_assert_lt(item, windows, "%s: window %u of slot %u holds %u", apis[i]->name, l, s, item);
        cr_assert(!used[item], "%s: two windows hold work-item %u", apis[i]->name, item);
        used[item] = 1;
      }
    }
    free(used);
    apis[i]->destroy(device);
  }
}

// The windows in which a work-item stored its global id + 1 are those of the units that the dispatch names.
static void check_mask_of_units(const struct heddle_sim_api *api, void *device, const struct program *p,
                                uint32_t mask) {
  const uint32_t first = PRIVATE + 4 * ((1u << 8) / 4 - 1) * lanes, pitch = lanes << 8, zero = 0;
  for (uint32_t s = 0; s < units * slots; s++)
    cr_assert_eq(api->write(device, first + s * pitch, &zero, sizeof zero), 0);
  pair_load(api, device, p);
  pair_set_dispatch(
      api, device, HEDDLE_DISPATCH_SUB_GROUP_LOG2,
      p->sub_group_log2 | DOMAIN << HEDDLE_DISPATCH_DOMAIN_SHIFT | mask << HEDDLE_DISPATCH_UNIT_MASK_SHIFT);
  pair_start_dispatch(api, device);
  cr_assert(api->run(device, 1000000), "%s: does not end", api->name);
  uint32_t used = 0;
  for (uint32_t s = 0; s < units * slots; s++)
    used |= word_at(api, device, first + s * pitch) != 0 ? 1u << s / slots : 0;
  cr_assert_eq(used, mask, "%s: units 0x%x ran something, expected 0x%x", api->name, used, mask);
}

Test(lockstep, work_groups_run_on_the_units_that_the_dispatch_names, .init = pair_set_up) {
  const uint32_t code[] = {
      csrr(5, 0xCD0), addi(5, 5, 1),  csrr(6, 0xCCE),          sw(5, 6, -4),
      addi(7, 0, 50), addi(7, 7, -1), encode_b(BNE, 7, 0, -4), exit_item(),
  };
  const struct heddle_sim_api *apis[] = {heddle_model_api(), rtl_api};
  for (int i = 0; i < 2; i++) {
    void *device = pair_create(apis[i]);
    for (uint32_t mask = 1; mask < 1u << units; mask++)
      check_mask_of_units(apis[i], device, program_of(WORDS(code), slots, 1), mask);
    apis[i]->destroy(device);
  }
}

// ---- whose turn it is (DEVICE.md, "Which lanes run")

// A lane or several spin at the smaller PC until another sets a word; each counts its rounds. Runs on both devices as
// one sub-group and compares word 16 of the first `count` work-items with what the contract says.
static void expect_rounds(const char *what, const uint32_t *code, size_t words, const uint32_t *expected,
                          uint32_t count) {
  static struct outcome outcomes[2];
  const struct program *program = program_of(code, words, 1, 1);
  run_both(program, &outcomes[0], &outcomes[1]);
  for (int i = 0; i < 2; i++) {
    const char *device = i == 0 ? "model" : "RTL";
    cr_expect(outcomes[i].ended && outcomes[i].reason == 0, "%s: %s: it does not end well", what, device);
    for (uint32_t lane = 0; lane < count; lane++) {
      uint32_t got;
      memcpy(&got, outcomes[i].data + lane * ITEM_BYTES + 64, sizeof got);
      cr_expect_eq(got, expected[lane], "%s: %s: lane %u makes %u rounds, expected %u", what, device, lane, got,
                   expected[lane]);
    }
    record_end(&outcomes[i].record);
  }
}

// Atomics and pauses until those that spin jump back and yield.
enum { TURN = 256 };

// x5 the lane, x7 the word, x8 rounds, x10 the work-item's own word.
#define SPIN_BEGINS csrr(5, 0xCCA), lui(7, ITEMS), addi(8, 0, 0), slli(10, 5, 9), add(10, 10, 7), addi(7, 7, 128)
#define SET_AND_EXIT(offset) addi(9, 0, 1), sw(9, 7, offset), exit_item()

Test(lockstep, lanes_that_spin_yield_at_the_jump_back_after_256_atomics_or_pauses, .init = pair_set_up) {
  if (lanes == 1)
    cr_skip_test("one lane waits for nobody");
  uint32_t expected[32];
  const uint32_t loading[] = {
      SPIN_BEGINS,     encode_b(BEQ, 5, 0, 28),  // lane 0 sets the word
      addi(8, 8, 1),   lw(9, 7, 0),
      PAUSE,           encode_b(BEQ, 9, 0, -12),
      sw(8, 10, 64),   exit_item(),
      SET_AND_EXIT(0),
  };
  // Other fences and loads do not count. 3 pauses a round: the 86th is the first one with 256 behind it.
  const uint32_t of_three[] = {
      SPIN_BEGINS,     encode_b(BEQ, 5, 0, 60),
      addi(8, 8, 1),   lw(9, 7, 0),
      0x0000000F,  // fence 0, 0
      0x0FF0000F,  // fence iorw, iorw
      0x0200000F,  // fence r, 0
      0x8330000F,  // fence.tso
      0x0110000F,  // fence w, w
      0x0100008F,  // with rd
      PAUSE,           PAUSE,
      PAUSE,           encode_b(BEQ, 9, 0, -44),
      sw(8, 10, 64),   exit_item(),
      SET_AND_EXIT(0),
  };
  const uint32_t atomic_or[] = {
      SPIN_BEGINS, encode_b(BEQ, 5, 0, 24), addi(8, 8, 1), atomic(8, 9, 7, 0), encode_b(BEQ, 9, 0, -8), sw(8, 10, 64),
      exit_item(), SET_AND_EXIT(0),
  };
  // Branches forward, and those that are not taken, do not end a turn; a jal back does.
  const uint32_t jumping[] = {
      SPIN_BEGINS,
      encode_b(BEQ, 5, 0, 44),
      encode_b(BNE, 0, 0, 8),
      encode_b(BEQ, 0, 0, 4),
      nop(),
      nop(),
      addi(8, 8, 1),
      atomic(8, 9, 7, 0),
      encode_b(BNE, 9, 0, 8),
      encode_jal(0, -28),
      sw(8, 10, 64),
      exit_item(),
      SET_AND_EXIT(0),
  };
  // A jalr ends a turn wherever it leads.
  const uint32_t by_register[] = {
      SPIN_BEGINS,   lui(11, CODE),      addi(11, 11, 36),       encode_b(BEQ, 5, 0, 28),
      addi(8, 8, 1), atomic(8, 9, 7, 0), encode_b(BNE, 9, 0, 8), jalr(0, 11, 0),
      sw(8, 10, 64), exit_item(),        SET_AND_EXIT(0),
  };
  const struct {
    const char *what;
    const uint32_t *code;
    size_t words;
    uint32_t yields;  // in this round
  } loops[] = {
      {"a pause", WORDS(loading), TURN},     {"three pauses", WORDS(of_three), (TURN + 2) / 3},
      {"an atomic", WORDS(atomic_or), TURN}, {"a jal", WORDS(jumping), TURN},
      {"a jalr", WORDS(by_register), TURN},
  };
  for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
    if (i > 1 && (!(isa & ISA_A) || is_slow()))
      continue;
    // One round more sees the word.
    for (uint32_t lane = 0; lane < lanes; lane++)
      expected[lane] = lane == 0 ? 0 : loops[i].yields + 1;
    expect_rounds(loops[i].what, loops[i].code, loops[i].words, expected, lanes);
  }
}

// Lane 0 waits for lane 1 and that for lane 2, in three loops one behind the other: each has its turn before the first
// has another one.
Test(lockstep, lanes_that_have_yielded_wait_until_all_have, .init = pair_set_up) {
  if (lanes < 4)
    cr_skip_test("three places at once");
  const uint32_t code[] = {
      SPIN_BEGINS,
      addi(12, 7, 4),
      addi(6, 0, 1),
      addi(11, 0, 3),
      encode_b(BLT, 5, 11, 8),
      exit_item(),  // lanes 3 and up
      encode_b(BNE, 5, 0, 28),
      addi(8, 8, 1),
      lw(9, 7, 0),
      PAUSE,
      encode_b(BEQ, 9, 0, -12),
      sw(8, 10, 64),
      exit_item(),  // lane 0
      encode_b(BNE, 5, 6, 36),
      addi(8, 8, 1),
      lw(9, 12, 0),
      PAUSE,
      encode_b(BEQ, 9, 0, -12),
      sw(8, 10, 64),
      SET_AND_EXIT(0),
      SET_AND_EXIT(4),
  };
  // Lane 2 has set lane 1's word before lane 0 spins again; then all have yielded that can run.
  const uint32_t expected[] = {TURN + TURN + 1, TURN + 1};
  expect_rounds("three loops", WORDS(code), expected, 2);
}

// Lane 1 leaves the loop in the round in which the others jump back and yield. It goes on, before lane 0 has its turn.
Test(lockstep, lanes_that_leave_a_loop_do_not_yield, .init = pair_set_up) {
  if (lanes == 1)
    cr_skip_test("one lane waits for nobody");
  const uint32_t code[] = {
      SPIN_BEGINS,
      addi(12, 0, TURN),
      addi(13, 5, -1),
      encode_i(0x13, 3, 13, 13, 1),  // 1 in lane 1
      encode_b(BEQ, 5, 0, 48),       // lane 0 sets the word
      addi(8, 8, 1),
      PAUSE,
      encode_r(0x33, 4, 0, 11, 8, 12),
      encode_i(0x13, 3, 11, 11, 1),
      encode_r(0x33, 7, 0, 11, 11, 13),
      lw(9, 7, 0),
      encode_r(0x33, 6, 0, 9, 9, 11),
      encode_b(BEQ, 9, 0, -28),
      lw(11, 7, 0),
      sw(11, 10, 64),
      exit_item(),
      SET_AND_EXIT(0),
  };
  uint32_t expected[32];
  for (uint32_t lane = 0; lane < lanes; lane++)
    expected[lane] = lane > 1;
  expect_rounds("the word, as lanes see it", WORDS(code), expected, lanes);
}
