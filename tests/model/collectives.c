// SPDX-License-Identifier: Apache-2.0
// Collectives at both scopes and of active sets, every operation, type and sub-group size, with a smaller last
// sub-group and with work-items that returned before. Expected values are computed here, item by item, from the
// definitions in the OpenCL C specification (sub-group and work-group functions).
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/model/machine.h"

enum { MOST_ITEMS = 512 };

struct item {
  uint32_t value, source;
  bool returns_early;
};

// Items a collective covers: those from first to end that have not returned.
static uint32_t reference(const struct item *items, uint32_t first, uint32_t end, uint32_t self, uint32_t type,
                          uint32_t mode, uint32_t op) {
  uint32_t source = UINT32_MAX, all = 1, any = 0;
  for (uint32_t i = end; i-- > first;) {
    if (!items[i].returns_early) {
      source = items[i].source;
      all = all && items[i].value != 0;
      any = any || items[i].value != 0;
    }
  }
  if (mode == MODE_BROADCAST)
    return source < end - first && !items[first + source].returns_early ? items[first + source].value : 0;
  if (mode == MODE_ALL || mode == MODE_ANY)
    return mode == MODE_ALL ? all : any;
  if (type == TYPE_FLOAT) {
    // NaNs count for nothing; fmin and fmax leave open which zero is the smaller one: here it is -0.
    const uint32_t to = mode == MODE_REDUCE ? end : mode == MODE_INCLUSIVE ? self + 1 : self;
    float result = op == OP_MIN ? INFINITY : -INFINITY;
    for (uint32_t i = first; i < to; i++) {
      float v;
      memcpy(&v, &items[i].value, sizeof v);
      if (items[i].returns_early || isnan(v))
        continue;
      const bool zeros = v == 0 && result == 0 && (op == OP_MIN ? signbit(v) : !signbit(v));
      if (zeros || (op == OP_MIN ? v < result : v > result))
        result = v;
    }
    uint32_t word;
    memcpy(&word, &result, sizeof word);
    return word;
  }
  uint32_t stop = mode == MODE_REDUCE ? end : mode == MODE_INCLUSIVE ? self + 1 : self;
  // In 64 bits, so that comparing needs no thought about signs.
  int64_t result = op == OP_ADD || op == OP_OR || op == OP_XOR ? 0
                   : op == OP_AND                              ? (int64_t)UINT32_MAX
                   : op == OP_MIN && type == TYPE_INT          ? INT32_MAX
                   : op == OP_MIN                              ? (int64_t)UINT32_MAX
                   : type == TYPE_INT                          ? INT32_MIN
                                                               : 0;
  for (uint32_t i = first; i < stop; i++) {
    if (items[i].returns_early)
      continue;
    int64_t v = type == TYPE_INT ? (int64_t)(int32_t)items[i].value : (int64_t)items[i].value;
    if (op == OP_ADD)
      result = (int64_t)((uint64_t)(result + v) & UINT32_MAX);
    else if (op == OP_AND)
      result &= v;
    else if (op == OP_OR)
      result |= v;
    else if (op == OP_XOR)
      result ^= v;
    else if (op == OP_MIN ? v < result : v > result)
      result = v;
  }
  return (uint32_t)result;
}

// x5 linear id in the range, x6 its offset; returns at once where the flag is set; x7 value, x8 source, result to
// OUTPUT. Odd items come late, so that the others park.
static void build(struct machine *m, uint32_t word) {
  begin(m);
  emit(m, csrr(5, 0xCD0));
  emit(m, slli(6, 5, 2));
  emit_constant(m, 10, FLAGS);
  emit(m, add(10, 10, 6));
  emit(m, lw(11, 10, 0));
  uint32_t early = emit(m, nop());
  emit_constant(m, 10, INPUT);
  emit(m, add(10, 10, 6));
  emit(m, lw(7, 10, 0));
  emit_constant(m, 12, 0x1000);
  emit(m, add(10, 10, 12));
  emit(m, lw(8, 10, 0));
  emit(m, andi(11, 5, 1));
  uint32_t even = emit(m, nop());
  for (int i = 0; i < 3; i++)
    emit(m, addi(11, 11, 1));
  patch_branch(m, even, BEQ, 11, 0, m->at);
  emit(m, word);
  emit_constant(m, 10, OUTPUT);
  emit(m, add(10, 10, 6));
  emit(m, sw(9, 10, 0));
  patch_branch(m, early, BNE, 11, 0, m->at);
  emit(m, exit_item());
}

// The same with two active sets: the items whose flag is set execute `word` in one arm of a branch, the others in the
// other.
static void build_two_sets(struct machine *m, uint32_t word) {
  begin(m);
  emit(m, csrr(5, 0xCD0));
  emit(m, slli(6, 5, 2));
  emit_constant(m, 10, FLAGS);
  emit(m, add(10, 10, 6));
  emit(m, lw(11, 10, 0));
  emit_constant(m, 10, INPUT);
  emit(m, add(10, 10, 6));
  emit(m, lw(7, 10, 0));
  emit_constant(m, 12, 0x1000);
  emit(m, add(10, 10, 12));
  emit(m, lw(8, 10, 0));
  uint32_t other = emit(m, nop());
  emit(m, word);
  uint32_t behind = emit(m, nop());
  patch_branch(m, other, BNE, 11, 0, m->at);
  emit(m, word);
  patch_branch(m, behind, BEQ, 0, 0, m->at);
  emit_constant(m, 10, OUTPUT);
  emit(m, add(10, 10, 6));
  emit(m, sw(9, 10, 0));
  emit(m, exit_item());
}

static uint32_t interesting(uint64_t *seed) {
  static const uint32_t corners[] = {0,           1,          UINT32_MAX,  0x80000000u, INT32_MAX,
                                     0x80000001u, 0x7F800000, 0xFF800000u, 0x7FC00000};
  uint32_t r = next_random(seed);
  return r % 3 == 0 ? corners[(r >> 8) % 9] : next_random(seed);
}

static void check(struct machine *m, uint32_t scope, uint32_t type, uint32_t mode, uint32_t op, uint32_t size,
                  uint32_t local, uint32_t global, uint32_t early_percent, uint64_t *seed) {
  struct item items[MOST_ITEMS];
  uint32_t kind = next_random(seed) % 4;
  for (uint32_t i = 0; i < global; i++) {
    // Predicates: all true, none, or mixed; sources: in range or a little beyond.
    bool predicate = mode == MODE_ALL || mode == MODE_ANY;
    items[i].value = predicate && kind == 0 ? 7 : predicate && kind == 1 ? 0 : interesting(seed);
    items[i].source = 0;
    items[i].returns_early = next_random(seed) % 100 < early_percent;
    poke(m, FLAGS + 4 * i, items[i].returns_early);
    poke(m, INPUT + 4 * i, items[i].value);
    poke(m, OUTPUT + 4 * i, 0xEEEEEEEE);
  }
  for (uint32_t first = 0; first < global; first += local) {
    uint32_t step = scope == SUB_GROUP_SCOPE ? size : local;
    for (uint32_t i = 0; i < local; i += step) {
      uint32_t source = next_random(seed) % (step + 2);
      for (uint32_t k = i; k < i + step && k < local && first + k < global; k++) {
        items[first + k].source = source;
        poke(m, INPUT + 0x1000 + 4 * (first + k), source);
      }
    }
  }
  build(m, collective(scope, type, mode, op, 9, 7, 8));
  const struct range r = {.global = {global}, .local = {local}, .sub_group_size = size};
  cr_assert_eq(run_range(m, &r), 0, "fault %u", get_control(m, HEDDLE_REG_FAULT_REASON));
  for (uint32_t i = 0; i < global; i++) {
    uint32_t first = i / local * local, end = first + local < global ? first + local : global;
    if (scope == SUB_GROUP_SCOPE) {
      first += (i - first) / size * size;
      end = first + size < end ? first + size : end;
    }
    uint32_t expected = items[i].returns_early ? 0xEEEEEEEE : reference(items, first, end, i, type, mode, op);
    uint32_t came = peek(m, OUTPUT + 4 * i);
    cr_assert_eq(came, expected, "scope %u type %u mode %u op %u S %u local %u global %u: item %u 0x%x, expected 0x%x",
                 scope, type, mode, op, size, local, global, i, came, expected);
  }
}

static void check_all(uint32_t scope, uint32_t early_percent) {
  uint64_t seed = 1 + scope + early_percent;
  for (uint32_t lanes = 1; lanes <= 32; lanes *= 2) {
    struct machine m = machine_create(lanes, 16);
    for (uint32_t size = 1; size <= lanes; size *= 2) {
      const uint32_t locals[] = {1, size, size * 2 + (size > 1 ? size / 2 : 0), size * 5 - (size > 1)};
      for (uint32_t n = 0; n < 4; n++) {
        uint32_t local = locals[n], global = local * 3 - local / 3;
        for (uint32_t mode = MODE_REDUCE; mode <= MODE_ANY; mode++) {
          bool plain = mode >= MODE_BROADCAST;
          for (uint32_t type = 0; type < (plain ? 1 : 3); type++) {
            for (uint32_t i = 0; i < (plain ? 1 : OPERATORS); i++)
              if (plain || operator_has(operators[i], type))
                check(&m, scope, type, mode, plain ? 0 : operators[i], size, local, global, early_percent, &seed);
          }
        }
      }
    }
    machine_destroy(&m);
  }
}

// What item `self` gets, whose sub-group has the items from first to end.
static uint32_t active_reference(const struct item *items, uint32_t first, uint32_t end, uint32_t self, uint32_t type,
                                 uint32_t mode, uint32_t op) {
  struct item set[MOST_ITEMS];
  uint32_t mask = 0;
  for (uint32_t i = first; i < end; i++) {
    set[i] = items[i];
    set[i].returns_early = items[i].returns_early != items[self].returns_early;
    mask |= (uint32_t)(!set[i].returns_early && items[i].value != 0) << (i - first);
  }
  const uint32_t source = items[self].source % 32;
  switch (mode) {
    case MODE_SHUFFLE:
      return source < end - first && !set[first + source].returns_early ? items[first + source].value : 0;
    case MODE_BALLOT:
      return mask;
    default:
      return reference(set, first, end, self, type, mode, op);
  }
}

static void check_two_sets(struct machine *m, uint32_t type, uint32_t mode, uint32_t op, uint32_t size, uint32_t local,
                           uint64_t *seed) {
  struct item items[MOST_ITEMS];
  const uint32_t global = local * 2 - local / 3, percent = next_random(seed) % 4 * 33;
  for (uint32_t i = 0; i < global; i++) {
    items[i] = (struct item){.value = interesting(seed),
                             .source = next_random(seed) % (2 * size) + (next_random(seed) % 8 == 0 ? 32 : 0),
                             .returns_early = next_random(seed) % 100 < percent};
    poke(m, FLAGS + 4 * i, items[i].returns_early);
    poke(m, INPUT + 4 * i, items[i].value);
    poke(m, INPUT + 0x1000 + 4 * i, items[i].source);
  }
  build_two_sets(m, collective(ACTIVE_SET, type, mode, op, 9, 7, 8));
  const struct range r = {.global = {global}, .local = {local}, .sub_group_size = size};
  cr_assert_eq(run_range(m, &r), 0, "fault %u", get_control(m, HEDDLE_REG_FAULT_REASON));
  for (uint32_t i = 0; i < global; i++) {
    const uint32_t group = i / local * local, first = group + (i - group) / size * size;
    const uint32_t last = group + local < global ? group + local : global,
                   end = first + size < last ? first + size : last;
    const uint32_t expected = active_reference(items, first, end, i, type, mode, op), came = peek(m, OUTPUT + 4 * i);
    cr_assert_eq(came, expected, "type %u mode %u op %u S %u local %u: item %u 0x%x, expected 0x%x", type, mode, op,
                 size, local, i, came, expected);
  }
}

Test(model_collectives, active_sets_of_every_size) {
  uint64_t seed = 4;
  for (uint32_t lanes = 1; lanes <= 32; lanes *= 2) {
    struct machine m = machine_create(lanes, 16);
    for (uint32_t size = 1; size <= lanes; size *= 2) {
      for (uint32_t round = 0; round < 4; round++) {
        const uint32_t local = 1 + next_random(&seed) % (3 * size);
        for (uint32_t mode = MODE_REDUCE; mode <= MODE_BALLOT; mode++) {
          const bool has_op = mode <= MODE_EXCLUSIVE;
          for (uint32_t type = 0; type < (has_op ? 3 : 1) && mode != MODE_BROADCAST; type++) {
            for (uint32_t i = 0; i < (has_op ? OPERATORS : 1); i++)
              if (!has_op || operator_has(operators[i], type))
                check_two_sets(&m, type, mode, has_op ? operators[i] : 0, size, local, &seed);
          }
        }
      }
    }
    machine_destroy(&m);
  }
}

Test(model_collectives, a_shuffle_may_write_what_it_reads) {
  struct machine m = machine_create(8, 4);
  emit(&m, csrr(5, 0xCD0));
  emit(&m, addi(6, 0, 7));
  emit(&m, encode_r(0x33, 4, 0, 7, 5, 6));  // id ^ 7
  emit(&m, collective(ACTIVE_SET, 0, MODE_SHUFFLE, 0, 7, 7, 7));
  emit(&m, collective(ACTIVE_SET, 0, MODE_SHUFFLE, 0, 7, 7, 5));
  emit(&m, slli(6, 5, 2));
  emit_constant(&m, 10, OUTPUT);
  emit(&m, add(10, 10, 6));
  emit(&m, sw(7, 10, 0));
  emit(&m, exit_item());
  const struct range r = {.global = {8}, .local = {8}};
  cr_assert_eq(run_range(&m, &r), 0);
  for (uint32_t i = 0; i < 8; i++)
    cr_expect_eq(peek(&m, OUTPUT + 4 * i), i, "item %u", i);
  machine_destroy(&m);
}

Test(model_collectives, sub_group_scope_of_every_size_and_smaller_last_sub_group) {
  check_all(SUB_GROUP_SCOPE, 0);
}

Test(model_collectives, sub_group_scope_without_work_items_that_returned) {
  check_all(SUB_GROUP_SCOPE, 30);
}

Test(model_collectives, work_group_scope_of_every_size_and_smaller_last_sub_group) {
  check_all(WORK_GROUP_SCOPE, 0);
}

Test(model_collectives, work_group_scope_without_work_items_that_returned) {
  check_all(WORK_GROUP_SCOPE, 30);
}

Test(model_collectives, result_register_may_be_the_operand) {
  struct machine m = machine_create(8, 4);
  emit(&m, csrr(5, 0xCD0));
  emit(&m, slli(6, 5, 2));
  emit_constant(&m, 10, OUTPUT);
  emit(&m, add(10, 10, 6));
  emit(&m, collective(SUB_GROUP_SCOPE, TYPE_INT, MODE_INCLUSIVE, OP_ADD, 5, 5, 0));
  emit(&m, collective(WORK_GROUP_SCOPE, TYPE_INT, MODE_EXCLUSIVE, OP_ADD, 5, 5, 0));
  emit(&m, sw(5, 10, 0));
  emit(&m, exit_item());
  const struct range r = {.global = {12}, .local = {12}};
  cr_assert_eq(run_range(&m, &r), 0);
  uint32_t before = 0;
  for (uint32_t i = 0; i < 12; i++) {
    uint32_t expected = before;
    cr_expect_eq(peek(&m, OUTPUT + 4 * i), expected, "item %u", i);
    for (uint32_t k = i / 8 * 8; k <= i; k++)
      before += k;
  }
  machine_destroy(&m);
}

// Each sub-group writes local memory before a barrier and reads what its neighbour wrote after it.
Test(model_collectives, work_group_barrier_makes_local_memory_visible) {
  // Room for four of the five work-groups, each with local memory of its own.
  struct machine m = machine_create(8, 64);
  emit(&m, csrr(5, 0xCC0));
  emit(&m, slli(6, 5, 2));
  emit_constant(&m, 10, HEDDLE_LOCAL_BASE);
  emit(&m, add(11, 10, 6));
  emit(&m, csrr(12, 0xCD0));
  emit(&m, sw(12, 11, 0));
  emit(&m, barrier(WORK_GROUP_SCOPE));
  emit(&m, addi(13, 0, 99 * 4));
  emit(&m, sub(13, 13, 6));
  emit(&m, add(13, 13, 10));
  emit(&m, lw(14, 13, 0));
  emit_constant(&m, 15, OUTPUT);
  emit(&m, slli(12, 12, 2));
  emit(&m, add(15, 15, 12));
  emit(&m, sw(14, 15, 0));
  emit(&m, exit_item());
  const struct range r = {.global = {500}, .local = {100}, .local_bytes = 400};
  cr_assert_eq(run_range(&m, &r), 0);
  for (uint32_t i = 0; i < 500; i++) {
    uint32_t expected = i / 100 * 100 + 99 - i % 100;
    cr_expect_eq(peek(&m, OUTPUT + 4 * i), expected, "item %u: %u, expected %u", i, peek(&m, OUTPUT + 4 * i), expected);
  }
  machine_destroy(&m);
}

// Lanes park at two barriers of a loop at different times; every lane passes each the same number of times.
Test(model_collectives, lanes_that_diverge_meet_again_at_each_round) {
  struct machine m = machine_create(8, 4);
  emit(&m, csrr(5, 0xCC0));
  emit(&m, addi(7, 0, 0));  // round
  emit(&m, addi(9, 0, 0));  // sum of the reductions
  uint32_t loop = m.at;
  emit(&m, andi(10, 5, 7));
  emit(&m, addi(10, 10, 1));
  uint32_t delay = emit(&m, addi(10, 10, -1));
  emit_branch(&m, BNE, 10, 0, delay);
  emit(&m, add(11, 5, 7));
  emit(&m, collective(SUB_GROUP_SCOPE, TYPE_INT, MODE_REDUCE, OP_ADD, 11, 11, 0));
  emit(&m, add(9, 9, 11));
  emit(&m, addi(7, 7, 1));
  emit(&m, addi(12, 0, 10));
  emit_branch(&m, BLT, 7, 12, loop);
  emit(&m, slli(6, 5, 2));
  emit_constant(&m, 10, OUTPUT);
  emit(&m, add(10, 10, 6));
  emit(&m, sw(9, 10, 0));
  emit(&m, exit_item());
  const struct range r = {.global = {8}, .local = {8}};
  cr_assert_eq(run_range(&m, &r), 0);
  for (uint32_t i = 0; i < 8; i++) {
    // Ten rounds of (0 + … + 7) + 8 * round.
    cr_expect_eq(peek(&m, OUTPUT + 4 * i), 10 * 28 + 8 * 45, "item %u", i);
  }
  machine_destroy(&m);
}

// Lanes that arrive apart at a sub-group collective after a work-group one, and at a work-group one after that.
Test(model_collectives, scopes_follow_each_other_with_lanes_apart) {
  struct machine m = machine_create(8, 4);
  emit(&m, csrr(5, 0xCCA));
  emit(&m, addi(6, 0, 1));
  emit(&m, collective(WORK_GROUP_SCOPE, TYPE_INT, MODE_REDUCE, OP_ADD, 7, 6, 0));
  for (uint32_t scope = 0; scope < 2; scope++) {
    // Lane 0 goes straight to the collective, the others by way of a higher PC.
    emit(&m, encode_b(BEQ, 5, 0, 8));
    emit(&m, encode_jal(0, 12));
    emit(&m, collective(scope, TYPE_INT, MODE_REDUCE, OP_ADD, 8 + scope, 5, 0));
    emit(&m, encode_jal(0, 8));
    emit(&m, encode_jal(0, -8));
  }
  emit(&m, csrr(5, 0xCD0));
  emit(&m, slli(5, 5, 4));
  emit_constant(&m, 10, OUTPUT);
  emit(&m, add(10, 10, 5));
  emit(&m, sw(7, 10, 0));
  emit(&m, sw(8, 10, 4));
  emit(&m, sw(9, 10, 8));
  emit(&m, exit_item());
  const struct range r = {.global = {20}, .local = {20}};
  cr_assert_eq(run_range(&m, &r), 0);
  for (uint32_t i = 0; i < 20; i++) {
    cr_expect_eq(peek(&m, OUTPUT + 16 * i), 20, "item %u", i);
    cr_expect_eq(peek(&m, OUTPUT + 16 * i + 4), i < 16 ? 28 : 6, "item %u", i);
    cr_expect_eq(peek(&m, OUTPUT + 16 * i + 8), 28 + 28 + 6, "item %u", i);
  }
  machine_destroy(&m);
}
