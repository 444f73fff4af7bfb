// SPDX-License-Identifier: Apache-2.0
// The NDRange walker: every work-item runs exactly once and reads the ids and sizes that contract/DEVICE.md gives it.
// The program adds 1 to its record's counter and stores every identity CSR; the test computes what must be there.
#include <criterion/criterion.h>

#include "tests/model/machine.h"

static const uint32_t csrs[] = {0xCC0, 0xCC1, 0xCC2, 0xCC3, 0xCC4, 0xCC5, 0xCC6, 0xCC7, 0xCC8,
                                0xCC9, 0xCCA, 0xCCB, 0xCCC, 0xCCD, 0xCCE, 0xCD0, 0xCD1, 0xCD2};
enum { CSR_COUNT = sizeof csrs / sizeof csrs[0], RECORD = 128 };

static void build(struct machine *m, const struct range *r) {
  begin(m);
  emit_constant(m, 10, OUTPUT);
  emit(m, addi(11, 0, 0));
  for (uint32_t i = 3; i-- > 0;) {
    // index = index * size + (id - offset), from z to x
    emit_constant(m, 12, r->global[i]);
    emit(m, mul(11, 11, 12));
    emit(m, csrr(13, 0xCD0 + i));
    emit_constant(m, 12, r->offset[i]);
    emit(m, sub(13, 13, 12));
    emit(m, add(11, 11, 13));
  }
  emit(m, slli(11, 11, 7));
  emit(m, add(10, 10, 11));
  emit(m, lw(12, 10, 0));
  emit(m, addi(12, 12, 1));
  emit(m, sw(12, 10, 0));
  for (uint32_t i = 0; i < CSR_COUNT; i++) {
    emit(m, csrr(12, csrs[i]));
    emit(m, sw(12, 10, 4 + 4 * (int32_t)i));
  }
  emit(m, exit_item());
}

static void check(struct machine *m, const struct range *r) {
  const uint32_t *n = r->global, *s = r->local, size = r->sub_group_size;
  uint32_t total = n[0] * n[1] * n[2];
  for (uint32_t i = 0; i < total; i++)
    poke(m, OUTPUT + RECORD * i, 0);
  build(m, r);
  cr_assert_eq(run_range(m, r), 0, "fault %u", get_control(m, HEDDLE_REG_FAULT_REASON));
  uint32_t groups = ((n[0] + s[0] - 1) / s[0]) * ((n[1] + s[1] - 1) / s[1]) * ((n[2] + s[2] - 1) / s[2]);
  cr_expect_eq(get_figure(m, HEDDLE_REG_GROUPS_DONE), groups);
  for (uint32_t i = 0; i < total; i++) {
    uint32_t at[3] = {i % n[0], i / n[0] % n[1], i / n[0] / n[1]}, local[3], group[3], count[3];
    for (int k = 0; k < 3; k++) {
      group[k] = at[k] / s[k];
      local[k] = at[k] % s[k];
      count[k] = n[k] - group[k] * s[k] < s[k] ? n[k] - group[k] * s[k] : s[k];
    }
    uint32_t items = count[0] * count[1] * count[2];
    uint32_t linear = (local[2] * count[1] + local[1]) * count[0] + local[0];
    uint32_t id = linear / size, left = items - id * size;
    const uint32_t expected[CSR_COUNT] = {local[0],
                                          local[1],
                                          local[2],
                                          group[0],
                                          group[1],
                                          group[2],
                                          count[0],
                                          count[1],
                                          count[2],
                                          id,
                                          linear % size,
                                          left < size ? left : size,
                                          (items + size - 1) / size,
                                          PACKET,
                                          0xC0000000u + (1u << r->private_log2),
                                          r->offset[0] + at[0],
                                          r->offset[1] + at[1],
                                          r->offset[2] + at[2]};
    cr_assert_eq(peek(m, OUTPUT + RECORD * i), 1, "work-item %u ran %u times", i, peek(m, OUTPUT + RECORD * i));
    for (uint32_t k = 0; k < CSR_COUNT; k++) {
      uint32_t came = peek(m, OUTPUT + RECORD * i + 4 + 4 * k);
      cr_assert_eq(came, expected[k], "work-item %u %u %u, CSR 0x%x: %u, expected %u", at[0], at[1], at[2], csrs[k],
                   came, expected[k]);
    }
  }
}

Test(model_walker, one_dimension_with_remainder_and_offset) {
  struct machine m = machine_create(8, 32);
  for (uint32_t size = 1; size <= 8; size *= 2) {
    check(&m,
          &(struct range){
              .global = {1000, 1, 1}, .local = {24, 1, 1}, .offset = {77}, .sub_group_size = size, .private_log2 = 8});
  }
  machine_destroy(&m);
}

Test(model_walker, three_dimensions_with_all_eight_group_sizes) {
  struct machine m = machine_create(8, 32);
  check(&m, &(struct range){.global = {11, 7, 5},
                            .local = {4, 3, 2},
                            .offset = {3, UINT32_MAX - 2, 0x70000000},
                            .sub_group_size = 8,
                            .private_log2 = 12});
  check(&m, &(struct range){.global = {5, 3, 9}, .local = {8, 4, 4}, .sub_group_size = 4, .private_log2 = 16});
  machine_destroy(&m);
  // The most private memory there is for a work-item: of 16 of them it has room.
  m = machine_create(1, 16);
  check(&m, &(struct range){.global = {5, 3, 9}, .local = {4, 2, 2}, .sub_group_size = 1, .private_log2 = 20});
  machine_destroy(&m);
}

Test(model_walker, any_range_on_any_device) {
  uint64_t seed = 2026;
  for (uint32_t lanes = 1; lanes <= 32; lanes *= 2) {
    struct machine m = machine_create_units(lanes, lanes == 1 ? 64 : 4 + lanes, 1 + next_random(&seed) % 8);
    for (int i = 0; i < 12; i++) {
      struct range r = {.private_log2 = 8 + next_random(&seed) % 5};
      r.sub_group_size = 1u << next_random(&seed) % ((uint32_t)__builtin_ctz(lanes) + 1);
      uint32_t room = m.slots * r.sub_group_size;
      for (int k = 0; k < 3; k++) {
        r.local[k] = 1 + next_random(&seed) % (room < 16 ? room : 16);
        room /= r.local[k];
        r.global[k] = 1 + next_random(&seed) % 17;
        r.offset[k] = next_random(&seed) % 2 ? next_random(&seed) : 0;
      }
      check(&m, &r);
    }
    machine_destroy(&m);
  }
}

Test(model_walker, work_groups_start_in_order_x_y_z) {
  // With local memory for one work-group at a time, they run one after the other. Each notes when.
  struct machine m = machine_create(4, 4);
  emit_constant(&m, 10, FLAGS);
  emit(&m, lw(11, 10, 0));
  emit(&m, addi(12, 11, 1));
  emit(&m, sw(12, 10, 0));
  emit_constant(&m, 13, OUTPUT);
  emit(&m, slli(11, 11, 4));
  emit(&m, add(13, 13, 11));
  for (int32_t i = 0; i < 3; i++) {
    emit(&m, csrr(14, 0xCC3 + (uint32_t)i));
    emit(&m, sw(14, 13, 4 * i));
  }
  emit(&m, exit_item());
  uint32_t local_memory = get_control(&m, HEDDLE_REG_LOCAL_MEMORY_BYTES);
  const struct range r = {.global = {3, 4, 2}, .local = {1, 1, 1}, .local_bytes = local_memory};
  cr_assert_eq(run_range(&m, &r), 0);
  cr_assert_eq(peek(&m, FLAGS), 24);
  for (uint32_t i = 0; i < 24; i++) {
    cr_expect_eq(peek(&m, OUTPUT + 16 * i), i % 3);
    cr_expect_eq(peek(&m, OUTPUT + 16 * i + 4), i / 3 % 4);
    cr_expect_eq(peek(&m, OUTPUT + 16 * i + 8), i / 12);
  }
  machine_destroy(&m);
}

Test(model_walker, sizes_that_break_the_rules_do_not_run) {
  struct machine m = machine_create(8, 4);
  emit(&m, exit_item());
  const struct range good = {.global = {32}, .local = {32}};
  static const struct {
    uint32_t word, value;
  } bad[] = {
      {GLOBAL_SIZE, 0},
      {GLOBAL_SIZE + 1, 0},
      {GLOBAL_SIZE + 2, 0},
      {LOCAL_SIZE, 0},
      {LOCAL_SIZE, 33},
      {LOCAL_SIZE, 1025},
      {LOCAL_SIZE + 1, 2},
      {LOCAL_SIZE + 2, 0},
      {HEDDLE_DISPATCH_SUB_GROUP_LOG2, 4},
      {HEDDLE_DISPATCH_SUB_GROUP_LOG2, 2},
      {HEDDLE_DISPATCH_SUB_GROUP_LOG2, 32},
      {HEDDLE_DISPATCH_LOCAL_BYTES, 0x10004},
      {HEDDLE_DISPATCH_LOCAL_BYTES, 2},
      {HEDDLE_DISPATCH_PRIVATE_BASE, 0x1020},
      {HEDDLE_DISPATCH_PRIVATE_LOG2, 7},
      {HEDDLE_DISPATCH_PRIVATE_LOG2, 21},
      {LOCAL_SIZE + 1, 0x80000000u},
  };
  for (uint32_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    cr_assert_eq(run_range(&m, &good), 0);
    set_dispatch(&m, bad[i].word, bad[i].value);
    start_dispatch(&m);
    cr_assert_eq(heddle_model_api()->run(m.device, 1000), 1);
    expect_fault(&m, (struct fault_record){.reason = HEDDLE_FAULT_BAD_DISPATCH});
    cr_expect_eq(get_figure(&m, HEDDLE_REG_ISSUES), 0);
  }
  cr_assert_eq(run_range(&m, &good), 0);
  machine_destroy(&m);
}
