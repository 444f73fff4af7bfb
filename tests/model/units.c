// SPDX-License-Identifier: Apache-2.0
// A device of several compute units: each has slots and a local memory of its own, and a work-group stays in one of
// them; everything else is one for the device: order, budget, figures, fault record, reservations.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "sim/model/model.h"
#include "tests/model/machine.h"

enum { LANES = 4, BUDGET = 200000 };

// Where the walker puts a group so that this test needs no luck: the model gives the first ones to the units in turn.
static uint32_t unit_of_early_group(const struct machine *m, uint32_t group) {
  return group % m->units;
}

// Adds 1 to the word at FLAGS in each lane, and waits until it is `count`: all of these work-items are resident at
// once, or the budget is spent. Uses x28 to x31.
static void emit_meeting(struct machine *m, uint32_t count) {
  emit_constant(m, 31, FLAGS);
  emit_constant(m, 30, count);
  emit(m, addi(29, 0, 1));
  emit(m, atomic(AMOADD, 28, 31, 29));
  uint32_t spin = emit(m, lw(28, 31, 0));
  emit_branch(m, BLT, 28, 30, spin);
}

// Stores x9 of each work-item to OUTPUT + 4 * its global id, and returns.
static void emit_result(struct machine *m) {
  emit(m, csrr(5, 0xCD0));
  emit(m, slli(5, 5, 2));
  emit_constant(m, 6, OUTPUT);
  emit(m, add(5, 5, 6));
  emit(m, sw(9, 5, 0));
  emit(m, exit_item());
}

Test(model_units, the_capability_block_tells_units_and_what_one_has) {
  for (uint32_t units = 1; units <= 8; units++) {
    struct machine m = machine_create_units(LANES, 5, units);
    cr_expect_eq(get_control(&m, 0x010), units);
    cr_expect_eq(get_control(&m, 0x00C), 5);
    cr_expect_eq(get_control(&m, 0x014), 65536);
    cr_expect_eq(get_control(&m, 0x034), 0, "channels of a memory that the model has not");
    // The table of kinds has one entry.
    const uint32_t entry[16] = {0, units, LANES, 5, 5 * LANES, 65536};
    cr_expect_eq(get_control(&m, 0x03C), 1);
    for (uint32_t word = 0; word < 256; word++)
      cr_expect_eq(get_control(&m, 0x400 + 4 * word), word < 16 ? entry[word] : 0, "word %u", word);
    machine_destroy(&m);
  }
}

Test(model_units, more_than_eight_are_refused_by_name) {
  static const uint32_t bad[] = {9, 64, UINT32_MAX};
  for (uint32_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    const char *error = NULL;
    cr_expect_eq(heddle_model_api()->create(&(struct heddle_sim_config){.units = bad[i]}, &error), NULL);
    cr_assert(error && strstr(error, "units"), "%u units: message \"%s\"", bad[i], error);
  }
}

// The second unit's slots and local memory are none of the first one's work-group.
Test(model_units, a_work_group_has_the_slots_and_the_local_memory_of_one) {
  struct machine m = machine_create_units(LANES, 4, 8);
  emit(&m, exit_item());
  const struct range good = {.global = {64}, .local = {16}, .local_bytes = 65536};
  cr_assert_eq(run_range(&m, &good), 0);
  static const uint32_t bad[][2] = {{LOCAL_SIZE, 17}, {HEDDLE_DISPATCH_LOCAL_BYTES, 65540}};
  for (uint32_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    cr_assert_eq(run_range(&m, &good), 0);
    set_dispatch(&m, bad[i][0], bad[i][1]);
    start_dispatch(&m);
    expect_fault(&m, (struct fault_record){.reason = HEDDLE_FAULT_BAD_DISPATCH});
  }
  machine_destroy(&m);
}

// Work-groups that fill a unit's slots, and meet.
Test(model_units, as_many_times_the_work_groups_are_resident) {
  enum { SLOTS = 5, ITEMS = SLOTS * LANES };
  for (uint32_t units = 1; units <= 8; units++) {
    for (uint32_t groups = 1; groups <= units + 1; groups += units > 1 ? units - 1 : 1) {
      struct machine m = machine_create_units(LANES, SLOTS, units);
      emit_meeting(&m, groups * ITEMS);
      emit(&m, exit_item());
      const struct range r = {.global = {groups * ITEMS}, .local = {ITEMS}, .budget = BUDGET};
      uint32_t expected = groups <= units ? 0 : HEDDLE_FAULT_BUDGET_SPENT, reason = run_range(&m, &r);
      cr_expect_eq(reason, expected, "%u work-groups on %u units: reason %u, expected %u", groups, units, reason,
                   expected);
      machine_destroy(&m);
    }
  }
}

// Each work-group has all of a unit's local memory, and writes its id to both ends of it. When all have, it reads.
Test(model_units, each_has_a_local_memory_of_its_own) {
  for (uint32_t units = 1; units <= 8; units++) {
    struct machine m = machine_create_units(LANES, 4, units);
    emit(&m, csrr(7, 0xCC3));
    emit(&m, addi(7, 7, 1));
    emit_constant(&m, 10, HEDDLE_LOCAL_BASE);
    emit_constant(&m, 11, HEDDLE_LOCAL_BASE + 65532);
    emit(&m, sw(7, 10, 0));
    emit(&m, sw(7, 11, 0));
    emit_meeting(&m, units * LANES);
    emit(&m, lw(8, 10, 0));
    emit(&m, lw(9, 11, 0));
    emit(&m, slli(9, 9, 8));
    emit(&m, add(9, 9, 8));
    emit_result(&m);
    const struct range r = {.global = {units * LANES}, .local = {LANES}, .local_bytes = 65536, .budget = BUDGET};
    cr_assert_eq(run_range(&m, &r), 0, "%u units: reason %u", units, get_control(&m, HEDDLE_REG_FAULT_REASON));
    for (uint32_t i = 0; i < units * LANES; i++) {
      uint32_t id = i / LANES + 1, got = peek(&m, OUTPUT + 4 * i);
      cr_expect_eq(got, id << 8 | id, "%u units, work-item %u: 0x%x, expected 0x%x", units, i, got, id << 8 | id);
    }
    machine_destroy(&m);
  }
}

// All slots of all units at once: number u * SLOTS + s holds the private memory of one sub-group, and those of a unit
// belong to one work-group.
Test(model_units, private_memory_of_a_slot_lies_at_its_number) {
  enum { SLOTS = 6, UNITS = 3, ITEMS = SLOTS * LANES, LOG2 = 8, WINDOW = LANES << LOG2 };
  struct machine m = machine_create_units(LANES, SLOTS, UNITS);
  emit(&m, csrr(5, 0xCD0));
  emit(&m, csrr(6, 0xCCE));
  emit(&m, addi(7, 5, 1));
  emit(&m, sw(7, 6, -4));
  emit_meeting(&m, UNITS * ITEMS);
  emit(&m, lw(9, 6, -4));
  emit_result(&m);
  const struct range r = {.global = {UNITS * ITEMS}, .local = {ITEMS}, .private_log2 = LOG2, .budget = BUDGET};
  cr_assert_eq(run_range(&m, &r), 0);
  bool seen[UNITS * SLOTS] = {false};
  for (uint32_t slot = 0; slot < UNITS * SLOTS; slot++) {
    const uint32_t row = PRIVATE + (slot + 1) * WINDOW - 4 * LANES, first = peek(&m, row) - 1;
    cr_assert(first < UNITS * ITEMS && first % LANES == 0 && !seen[first / LANES], "slot %u holds work-item %u", slot,
              first);
    seen[first / LANES] = true;
    uint32_t of_unit = peek(&m, PRIVATE + (slot / SLOTS * SLOTS + 1) * WINDOW - 4 * LANES) - 1;
    cr_expect_eq(first / ITEMS, of_unit / ITEMS, "slot %u: of work-group %u, the unit's first slot of %u", slot,
                 first / ITEMS, of_unit / ITEMS);
    for (uint32_t l = 0; l < LANES; l++) {
      cr_expect_eq(peek(&m, row + 4 * l), first + l + 1);
      cr_expect_eq(peek(&m, OUTPUT + 4 * (first + l)), first + l + 1);
    }
  }
  cr_expect_eq(peek(&m, PRIVATE + UNITS * SLOTS * WINDOW), 0, "behind the last window");
  machine_destroy(&m);
}

struct slots_seen {
  uint32_t first[64];  // by work-group: of its first instruction
};

static void note_slot(void *user, const struct heddle_model_retired *r) {
  struct slots_seen *seen = user;
  if (r->pc == CODE && r->sub_group_id == 0)
    seen->first[r->group_id[0]] = r->slot;
}

// So that a small range does not leave units idle.
Test(model_units, the_first_work_groups_go_to_the_units_in_turn) {
  struct machine m = machine_create_units(LANES, 8, 3);
  static struct slots_seen seen;
  emit(&m, nop());
  emit(&m, exit_item());
  heddle_model_set_trace(m.device, note_slot, &seen);
  const struct range r = {.global = {7 * 2 * LANES}, .local = {2 * LANES}};
  cr_assert_eq(run_range(&m, &r), 0);
  for (uint32_t g = 0; g < 7; g++) {
    cr_expect_eq(seen.first[g], unit_of_early_group(&m, g) * 8 + g / 3 * 2, "work-group %u began in slot %u", g,
                 seen.first[g]);
  }
  machine_destroy(&m);
}

// 512 sub-groups, each of which waits for the next one's flag: the last begins.
Test(model_units, all_sub_groups_of_all_units_make_progress) {
  enum { SLOTS = 64, UNITS = 8, ALL = SLOTS * UNITS };
  struct machine m = machine_create_units(1, SLOTS, UNITS);
  emit(&m, csrr(5, 0xCD0));
  emit_constant(&m, 6, FLAGS);
  emit(&m, slli(7, 5, 2));
  emit(&m, add(6, 6, 7));
  uint32_t spin = emit(&m, lw(9, 6, 4));
  emit_branch(&m, BEQ, 9, 0, spin);
  emit(&m, addi(9, 9, 1));
  emit(&m, sw(9, 6, 0));
  emit(&m, exit_item());
  poke(&m, FLAGS + 4 * ALL, 1);
  const struct range r = {.global = {ALL}, .local = {SLOTS}, .budget = 1 << 25};
  cr_assert_eq(run_range(&m, &r), 0, "reason %u", get_control(&m, HEDDLE_REG_FAULT_REASON));
  for (uint32_t i = 0; i <= ALL; i++)
    cr_assert_eq(peek(&m, FLAGS + 4 * i), ALL - i + 1, "flag %u is %u", i, peek(&m, FLAGS + 4 * i));
  machine_destroy(&m);
}

// Everybody spins for ever but one lane of one unit, which faults.
Test(model_units, a_fault_in_one_ends_the_dispatch_and_is_recorded) {
  enum { UNITS = 3, ITEMS = 3 * LANES };
  for (uint32_t culprit = 0; culprit < UNITS; culprit++) {
    struct machine m = machine_create_units(LANES, 4, UNITS);
    emit_meeting(&m, UNITS * ITEMS);
    emit(&m, csrr(5, 0xCD0));
    emit_constant(&m, 6, culprit * ITEMS + LANES + 2);
    uint32_t others = emit(&m, nop());
    uint32_t pc = emit(&m, sw(6, 0, 8));
    patch_branch(&m, others, BNE, 5, 6, m.at);
    emit_jump(&m, m.at);
    const struct range r = {.global = {UNITS * ITEMS}, .local = {ITEMS}, .budget = BUDGET};
    cr_assert_eq(run_range(&m, &r), HEDDLE_FAULT_UNMAPPED, "reason %u", get_control(&m, HEDDLE_REG_FAULT_REASON));
    expect_fault(
        &m,
        (struct fault_record){
            .reason = HEDDLE_FAULT_UNMAPPED, .pc = pc, .address = 8, .group = {culprit}, .sub_group = 1, .lane = 2});
    const uint64_t issues = get_figure(&m, HEDDLE_REG_ISSUES);
    cr_expect_eq(heddle_model_api()->run(m.device, 1000), 1);
    cr_expect_eq(get_figure(&m, HEDDLE_REG_ISSUES), issues, "something issued after the fault");
    begin(&m);
    emit(&m, addi(9, 0, 7));
    emit_result(&m);
    cr_assert_eq(run_range(&m, &r), 0, "the dispatch after the fault faulted");
    cr_expect_eq(get_figure(&m, HEDDLE_REG_GROUPS_DONE), UNITS);
    for (uint32_t i = 0; i < UNITS * ITEMS; i++)
      cr_expect_eq(peek(&m, OUTPUT + 4 * i), 7);
    machine_destroy(&m);
  }
}

Test(model_units, budget_and_stop_are_for_all_of_them) {
  struct machine m = machine_create_units(LANES, 4, 3);
  emit(&m, csrr(5, 0xCD0));
  emit(&m, slli(5, 5, 2));
  emit_constant(&m, 6, OUTPUT);
  emit(&m, add(5, 5, 6));
  uint32_t loop = emit(&m, addi(9, 9, 1));
  emit(&m, sw(9, 5, 0));
  emit_jump(&m, loop);
  const struct range r = {.global = {12 * LANES}, .local = {4 * LANES}, .budget = 10000};
  cr_assert_eq(run_range(&m, &r), HEDDLE_FAULT_BUDGET_SPENT);
  cr_expect_eq(get_figure(&m, HEDDLE_REG_ISSUES), 10000);
  for (uint32_t i = 0; i < 12 * LANES; i++)
    cr_expect_neq(peek(&m, OUTPUT + 4 * i), 0, "work-item %u had no turn", i);
  const struct fault_record spent = get_fault(&m);
  cr_expect(spent.group[0] < 3 && spent.sub_group < 4 && spent.lane == 0);
  start_range(&m, &r);
  cr_assert_eq(heddle_model_api()->run(m.device, 100), 0);
  set_control(&m, HEDDLE_REG_COMMAND, HEDDLE_COMMAND_STOP);
  cr_expect_eq(heddle_model_api()->run(m.device, 100), 1);
  cr_expect_eq(get_fault(&m).reason, HEDDLE_FAULT_STOPPED);
  machine_destroy(&m);
}

// The same work, whatever the number of units: barriers, divergence and remainders count what they count on one.
Test(model_units, figures_are_those_of_all_together) {
  static const uint32_t regs[] = {HEDDLE_REG_CYCLES, HEDDLE_REG_ISSUES, HEDDLE_REG_ACTIVE_LANES, HEDDLE_REG_GROUPS_DONE,
                                  HEDDLE_REG_MEMORY_REQUESTS};
  uint64_t figures[8][5];
  for (uint32_t units = 1; units <= 8; units++) {
    struct machine m = machine_create_units(LANES, 4, units);
    emit(&m, csrr(7, 0xCCA));
    emit(&m, csrr(9, 0xCC3));
    uint32_t skip = emit(&m, nop());
    emit(&m, addi(9, 9, 100));
    patch_branch(&m, skip, BEQ, 7, 0, m.at);
    emit(&m, collective(WORK_GROUP_SCOPE, TYPE_INT, MODE_INCLUSIVE, OP_ADD, 9, 9, 0));
    emit_result(&m);
    const struct range r = {.global = {301}, .local = {15}};
    cr_assert_eq(run_range(&m, &r), 0);
    for (uint32_t i = 0; i < 5; i++) {
      figures[units - 1][i] = get_figure(&m, regs[i]);
      cr_expect_eq(figures[units - 1][i], figures[0][i], "%u units, figure 0x%x: %lu, of one unit %lu", units, regs[i],
                   (unsigned long)figures[units - 1][i], (unsigned long)figures[0][i]);
    }
    for (uint32_t i = 0, sum = 0; i < 301; i++) {
      sum = (i % 15 != 0 ? sum : 0) + i / 15 + (i % 15 % LANES != 0 ? 100 : 0);
      cr_assert_eq(peek(&m, OUTPUT + 4 * i), sum, "%u units, work-item %u", units, i);
    }
    machine_destroy(&m);
  }
  cr_expect_eq(figures[0][3], 21);
}

// One work-group reserves a word, another stores to it and only then lets the first go on to its sc.w. Work-groups as
// large as a unit, in every pair of the first and the last.
Test(model_units, a_store_by_another_unit_ends_a_reservation) {
  enum { SLOTS = 64, UNITS = 8, RESERVED = 1, STORED = 2 };
  for (uint32_t pair = 0; pair < 8; pair++) {
    const uint32_t holder = pair & 1 ? UNITS - 1 : 0, writer = pair & 2 ? UNITS - 1 : 0, touches = pair >> 2;
    if (holder == writer)
      continue;
    struct machine m = machine_create_units(1, SLOTS, UNITS);
    emit_constant(&m, 10, FLAGS);
    emit_constant(&m, 11, INPUT);
    emit(&m, addi(9, 0, 99));
    emit(&m, csrr(5, 0xCC9));  // only the last sub-group of each work-group does anything
    emit(&m, addi(6, 0, SLOTS - 1));
    uint32_t idle = emit(&m, nop());
    emit(&m, csrr(7, 0xCC3));
    emit(&m, addi(8, 0, (int32_t)writer));
    uint32_t to_writer = emit(&m, nop());
    emit(&m, addi(8, 0, (int32_t)holder));
    uint32_t neither = emit(&m, nop());

    emit(&m, lr(12, 11));
    emit(&m, addi(13, 0, RESERVED));
    emit(&m, sw(13, 10, 0));
    emit(&m, addi(13, 0, STORED));
    uint32_t spin = emit(&m, lw(14, 10, 0));
    emit_branch(&m, BNE, 14, 13, spin);
    emit(&m, sc(9, 11, 13));
    uint32_t done = m.at;
    patch_branch(&m, idle, BNE, 5, 6, done);
    patch_branch(&m, neither, BNE, 7, 8, done);
    emit_result(&m);

    patch_branch(&m, to_writer, BEQ, 7, 8, m.at);
    emit(&m, addi(13, 0, RESERVED));
    spin = emit(&m, lw(14, 10, 0));
    emit_branch(&m, BNE, 14, 13, spin);
    emit(&m, addi(13, 0, STORED));
    emit(&m, sw(13, 11, touches ? 0 : 4));
    emit(&m, sw(13, 10, 0));
    emit_jump(&m, done);

    const struct range r = {.global = {UNITS * SLOTS}, .local = {SLOTS}, .budget = 1 << 22};
    cr_assert_eq(run_range(&m, &r), 0, "reason %u", get_control(&m, HEDDLE_REG_FAULT_REASON));
    uint32_t failed = peek(&m, OUTPUT + 4 * (holder * SLOTS + SLOTS - 1));
    cr_expect_eq(failed, touches, "reserved by work-group %u, %s by %u: sc.w gave %u", holder,
                 touches ? "stored to" : "left alone", writer, failed);
    machine_destroy(&m);
  }
}
