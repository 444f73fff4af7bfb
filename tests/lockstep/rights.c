// SPDX-License-Identifier: Apache-2.0
// Rights of pages (contract/DEVICE.md, "Rights") on RTL and golden model: programs of a few instructions, of which one
// has no right to what it accesses. pair.c says which pages the dispatch's domain may access.
#include <criterion/criterion.h>
#include <string.h>

#include "contract/device_map.h"
#include "sim/model/model.h"
#include "tests/lockstep/pair.h"
#include "tests/model/encode.h"

enum { MOST_CYCLES = 1000000 };

static const struct heddle_sim_api *api_of(int i) {
  return i == 0 ? heddle_model_api() : rtl_api;
}

// Starts what has been loaded; what became of it is in `o`.
static void run_loaded(int i, void *device, const struct program *p, struct outcome *o) {
  memset(o, 0, sizeof *o);
  pair_start_dispatch(api_of(i), device);
  o->ended = api_of(i)->run(device, MOST_CYCLES);
  cr_assert(o->ended, "%s: does not end", api_of(i)->name);
  pair_read(api_of(i), device, p, o);
}

static void expect_record(int i, const struct outcome *o, uint32_t pc, uint32_t address, uint32_t lane) {
  const char *name = api_of(i)->name;
  cr_expect_eq(o->reason, HEDDLE_FAULT_NO_RIGHT, "%s: reason %u at 0x%x", name, o->reason, o->address);
  cr_expect_eq(o->pc, pc, "%s: PC 0x%x, expected 0x%x", name, o->pc, pc);
  cr_expect_eq(o->address, address, "%s: address 0x%x, expected 0x%x", name, o->address, address);
  cr_expect_eq(o->lane, lane, "%s: lane %u, expected %u", name, o->lane, lane);
}

// x6: SHARED + 4 * lane, which may be read.
#define ADDRESS_OF_SHARED csrr(5, 0xCCA), slli(5, 5, 2), lui(6, SHARED), add(6, 6, 5)

Test(lockstep, loads_need_the_right_to_load_and_stores_the_right_to_store, .init = pair_set_up) {
  static const struct {
    uint32_t at;
    bool may_load, may_store;
  } places[] = {{SHARED, true, false},   {COUNTERS, true, true},       {UNUSED, false, false},   {CODE, true, false},
                {FOREIGN, false, false}, {COUNTERS - 16, true, false}, {UNUSED - 16, true, true}};
  const struct {
    uint32_t word;
    bool stores, is_atomic;
  } accesses[] = {{lw(7, 6, 0), false, false},
                  {load(0, 7, 6, 0), false, false},
                  {sw(0, 6, 0), true, false},
                  {store(0, 0, 6, 0), true, false},
                  {encode_r(0x2F, 2, 0x02 << 2, 7, 6, 0), false, true},  // lr.w
                  {encode_r(0x2F, 2, 0x03 << 2, 7, 6, 0), true, true},   // sc.w
                  {encode_r(0x2F, 2, 0x00 << 2, 7, 6, 0), true, true}};  // amoadd.w
  static struct outcome o;
  for (int i = 0; i < 2; i++) {
    void *device = pair_create(api_of(i));
    for (size_t p = 0; p < sizeof places / sizeof places[0]; p++)
      for (size_t a = 0; a < sizeof accesses / sizeof accesses[0]; a++) {
        if (accesses[a].is_atomic && !(isa & ISA_A))
          continue;
        const uint32_t code[] = {lui(6, places[p].at + 0x800), addi(6, 6, (int32_t)(places[p].at << 20) >> 20),
                                 accesses[a].word, exit_item()};
        const struct program *program = program_of(WORDS(code), 1, 1);
        pair_load(api_of(i), device, program);
        run_loaded(i, device, program, &o);
        const bool may = accesses[a].stores ? places[p].may_store : places[p].may_load;
        if (may)
          cr_expect_eq(o.reason, 0, "%s: access %zu at 0x%x: reason %u", api_of(i)->name, a, places[p].at, o.reason);
        else
          expect_record(i, &o, CODE + 8, places[p].at, 0);
      }
    api_of(i)->destroy(device);
  }
}

Test(lockstep, a_refused_store_changes_nothing_and_none_of_its_sub_group_behind_it_does, .init = pair_set_up) {
  const uint32_t code[] = {
      ADDRESS_OF_SHARED,
      csrr(8, 0xCD0),
      slli(8, 8, 9),  // 512 bytes a work-item
      lui(9, ITEMS),
      add(8, 8, 9),
      addi(7, 0, 1),
      sw(7, 8, 0),
      sw(7, 6, 0),  // refused
      sw(7, 8, 4),
      sw(7, 8, 8),
      0,  // illegal
  };
  static struct outcome o;
  for (int i = 0; i < 2; i++) {
    void *device = pair_create(api_of(i));
    struct program *program = program_of(WORDS(code), 1, 1);
    uint8_t shared[SHARED_BYTES];
    memset(program->shared, 0x5A, sizeof program->shared);
    pair_load(api_of(i), device, program);
    run_loaded(i, device, program, &o);
    expect_record(i, &o, CODE + 40, SHARED, 0);
    cr_assert_eq(api_of(i)->read(device, SHARED, shared, sizeof shared), 0);
    cr_expect_eq(memcmp(shared, program->shared, sizeof shared), 0, "%s: it stored", api_of(i)->name);
    for (uint32_t item = 0; item < lanes; item++) {
      cr_expect_eq(o.data[item * ITEM_BYTES], 1, "%s: work-item %u: the store before", api_of(i)->name, item);
      cr_expect_eq(o.data[item * ITEM_BYTES + 4], 0, "%s: work-item %u: the store behind", api_of(i)->name, item);
      cr_expect_eq(o.data[item * ITEM_BYTES + 8], 0, "%s: work-item %u: the second behind", api_of(i)->name, item);
    }
    api_of(i)->destroy(device);
  }
}

// Lanes below are in their own memory; so the first pass may be made, and a later one is refused.
Test(lockstep, the_lowest_lane_that_has_no_right_is_named, .init = pair_set_up) {
  static struct outcome o;
  for (uint32_t first = 0; first < lanes; first++) {
    const uint32_t code[] = {
        csrr(8, 0xCD0),
        slli(8, 8, 9),
        lui(9, ITEMS),
        add(8, 8, 9),
        csrr(5, 0xCCA),
        addi(7, 0, (int32_t)first),
        encode_b(BLT, 5, 7, 8),
        lui(8, FOREIGN),
        sw(0, 8, 0),
        exit_item(),
    };
    for (int i = 0; i < 2; i++) {
      void *device = pair_create(api_of(i));
      const struct program *program = program_of(WORDS(code), 1, 1);
      pair_load(api_of(i), device, program);
      run_loaded(i, device, program, &o);
      expect_record(i, &o, CODE + 32, FOREIGN, first);
      api_of(i)->destroy(device);
    }
  }
}

// Stores of many beats keep the refused one waiting, while work-groups end and others take their place.
Test(lockstep, the_work_group_of_a_refused_store_is_named_after_it_has_ended, .init = pair_set_up) {
  const uint32_t groups = MAX_ITEMS / lanes < 3 * slots ? MAX_ITEMS / lanes : 3 * slots;
  static struct outcome o;
  for (uint32_t group = 0; group < groups; group += 1 + groups / 5) {
    const uint32_t code[] = {
        csrr(8, 0xCD0),
        slli(8, 8, 9),
        lui(9, ITEMS),
        add(8, 8, 9),
        lui(10, FOREIGN),
        csrr(5, 0xCC3),
        addi(7, 0, (int32_t)group),
        sw(5, 8, 0),
        sw(5, 8, 64),
        sw(5, 8, 128),
        sw(5, 8, 192),
        encode_b(BNE, 5, 7, 8),
        sw(5, 10, 0),
        exit_item(),
    };
    for (int i = 0; i < 2; i++) {
      void *device = pair_create(api_of(i));
      const struct program *program = program_of(WORDS(code), groups, 1);
      pair_load(api_of(i), device, program);
      run_loaded(i, device, program, &o);
      expect_record(i, &o, CODE + 48, FOREIGN, 0);
      cr_expect_eq(o.group[0], group, "%s: work-group %u, expected %u", api_of(i)->name, o.group[0], group);
      api_of(i)->destroy(device);
    }
  }
}

// It came long before the others, which are all gone.
Test(lockstep, the_work_group_of_a_refused_store_is_named_after_many_others, .init = pair_set_up) {
  const uint32_t code[] = {
      csrr(5, 0xCC3),   encode_b(BNE, 5, 0, 20), lui(6, 0x1000), addi(6, 6, -1), encode_b(BNE, 6, 0, -4),
      lui(10, FOREIGN), encode_b(BNE, 5, 0, 8),  sw(5, 10, 0),   exit_item(),
  };
  static struct outcome o;
  for (int i = 0; i < 2; i++) {
    void *device = pair_create(api_of(i));
    const struct program *program = program_of(WORDS(code), MAX_ITEMS / lanes, 1);
    pair_load(api_of(i), device, program);
    run_loaded(i, device, program, &o);
    expect_record(i, &o, CODE + 28, FOREIGN, 0);
    cr_expect_eq(o.group[0], 0, "%s: work-group %u, expected 0", api_of(i)->name, o.group[0]);
    api_of(i)->destroy(device);
  }
}

Test(lockstep, after_an_access_without_a_right_the_next_dispatch_runs_and_domain_0_is_not_checked,
     .init = pair_set_up) {
  const uint32_t code[] = {ADDRESS_OF_SHARED, sw(0, 6, 0), exit_item()};
  static struct outcome o;
  for (int i = 0; i < 2; i++) {
    void *device = pair_create(api_of(i));
    const struct program *program = program_of(WORDS(code), 4, 1);
    pair_load(api_of(i), device, program);
    for (int again = 0; again < 3; again++) {
      pair_set_dispatch(api_of(i), device, HEDDLE_DISPATCH_SUB_GROUP_LOG2,
                        program->sub_group_log2 | DOMAIN << HEDDLE_DISPATCH_DOMAIN_SHIFT);
      run_loaded(i, device, program, &o);
      expect_record(i, &o, CODE + 16, SHARED, 0);
      pair_set_dispatch(api_of(i), device, HEDDLE_DISPATCH_SUB_GROUP_LOG2, program->sub_group_log2);
      run_loaded(i, device, program, &o);
      cr_expect_eq(o.reason, 0, "%s: domain 0: reason %u", api_of(i)->name, o.reason);
      cr_expect_eq(o.groups_done, 4, "%s: domain 0: %u work-groups", api_of(i)->name, (unsigned)o.groups_done);
    }
    api_of(i)->destroy(device);
  }
}

Test(lockstep, private_memory_needs_a_right_where_it_lies, .init = pair_set_up) {
  const uint32_t code[] = {lui(6, 0xC0000000u), sw(0, 6, 8), lw(7, 6, 8), add(7, 7, 7), exit_item()};
  static struct outcome o;
  for (int i = 0; i < 2; i++) {
    void *device = pair_create(api_of(i));
    const struct program *program = program_of(WORDS(code), 1, 1);
    pair_load(api_of(i), device, program);
    pair_set_rights(api_of(i), device, PRIVATE, PRIVATE_END, HEDDLE_DOMAIN_EVERYBODY);
    run_loaded(i, device, program, &o);
    expect_record(i, &o, CODE + 4, PRIVATE + 8 * lanes, 0);
    api_of(i)->destroy(device);
  }
}
