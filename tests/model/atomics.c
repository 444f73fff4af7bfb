// SPDX-License-Identifier: Apache-2.0
// The A extension by several lanes and sub-groups: the order of the lanes, which sc.w succeed, where atomics work, and
// the callback that decides. Then floats where qemu cannot judge: what of the host must not show.
#include <criterion/criterion.h>
#include <fenv.h>
#include <stdlib.h>

#include "sim/model/model.h"
#include "tests/amo.h"
#include "tests/model/machine.h"

enum { LANES = 8, START = 1000 };

// Stores x9 of each work-item to OUTPUT + 4 * its global id, and returns.
static void emit_result(struct machine *m) {
  emit(m, csrr(5, 0xCD0));
  emit(m, slli(5, 5, 2));
  emit_constant(m, 6, OUTPUT);
  emit(m, add(5, 5, 6));
  emit(m, sw(9, 5, 0));
  emit(m, exit_item());
}

static const struct range one_sub_group = {.global = {LANES}, .local = {LANES}, .local_bytes = 64};

static uint32_t result_of_item(struct machine *m, uint32_t item) {
  return peek(m, OUTPUT + 4 * item);
}

// Two words, lane l at word l % 2, with an operand whose sign alternates: each lane gets what the one before it at the
// same word left. In global and in local memory.
Test(model_atomics, lanes_that_name_one_word_go_in_the_order_of_their_numbers) {
  static const uint32_t kinds[] = {AMOADD, AMOSWAP, AMOXOR, AMOOR, AMOAND, AMOMIN, AMOMAX, AMOMINU, AMOMAXU};
  struct machine m = machine_create(LANES, 4);
  for (uint32_t k = 0; k < 2 * sizeof kinds / sizeof kinds[0]; k++) {
    const uint32_t kind = kinds[k / 2], base = k % 2 ? HEDDLE_LOCAL_BASE + 16 : (uint32_t)INPUT;
    begin(&m);
    emit(&m, csrr(7, 0xCCA));
    emit_constant(&m, 8, 0x40000123);
    emit(&m, mul(8, 8, 7));
    emit(&m, andi(10, 7, 1));
    emit(&m, slli(10, 10, 2));
    emit_constant(&m, 11, base);
    emit(&m, add(10, 10, 11));
    emit_constant(&m, 9, START);
    emit(&m, sw(9, 10, 0));
    emit(&m, atomic(kind, 9, 10, 8));
    emit(&m, lw(12, 10, 0));
    emit_constant(&m, 13, INPUT + 64);
    emit(&m, slli(14, 7, 2));
    emit(&m, add(13, 13, 14));
    emit(&m, sw(12, 13, 0));
    emit_result(&m);
    cr_assert_eq(run_range(&m, &one_sub_group), 0);
    uint32_t word[2] = {START, START};
    for (uint32_t l = 0; l < LANES; l++) {
      cr_expect_eq(result_of_item(&m, l), word[l % 2], "kind 0x%x, lane %u", kind, l);
      word[l % 2] = amo_result(kind, word[l % 2], 0x40000123u * l);
    }
    for (uint32_t l = 0; l < LANES; l++)
      cr_expect_eq(peek(&m, INPUT + 64 + 4 * l), word[l % 2], "kind 0x%x, word of lane %u", kind, l);
  }
  machine_destroy(&m);
}

// Private memory: every lane has its own word at the same address.
Test(model_atomics, work_on_private_memory) {
  struct machine m = machine_create(LANES, 4);
  emit(&m, csrr(7, 0xCCA));
  emit_constant(&m, 10, HEDDLE_PRIVATE_BASE + 32);
  emit(&m, sw(7, 10, 0));
  emit(&m, addi(8, 0, 100));
  emit(&m, atomic(AMOADD, 0, 10, 8));
  emit(&m, lr(9, 10));
  emit(&m, addi(9, 9, 1000));
  emit(&m, sc(11, 10, 9));
  emit(&m, lw(9, 10, 0));
  emit(&m, slli(11, 11, 12));
  emit(&m, add(9, 9, 11));
  emit_result(&m);
  cr_assert_eq(run_range(&m, &one_sub_group), 0);
  for (uint32_t l = 0; l < LANES; l++)
    cr_expect_eq(result_of_item(&m, l), 1100 + l, "lane %u", l);
  machine_destroy(&m);
}

// lr.w of all lanes at x10, `between`, then sc.w of x7 (the lane) at x10, its outcome in x9. x10 is INPUT, and for odd
// lanes INPUT + 4 if `two_words`. x12 is INPUT, x13 a value.
static uint32_t build_pair(struct machine *m, bool two_words, const uint32_t *between, uint32_t count) {
  begin(m);
  emit(m, csrr(7, 0xCCA));
  emit(m, andi(10, 7, two_words));
  emit(m, slli(10, 10, 2));
  emit_constant(m, 12, INPUT);
  emit(m, add(10, 10, 12));
  emit_constant(m, 13, START);
  emit(m, lr(8, 10));
  for (uint32_t i = 0; i < count; i++)
    emit(m, between[i]);
  uint32_t at = emit(m, sc(9, 10, 7));
  emit_result(m);
  poke(m, INPUT, 77);
  poke(m, INPUT + 4, 78);
  return at;
}

static uint32_t successes(struct machine *m) {
  uint32_t lanes = 0;
  for (uint32_t l = 0; l < LANES; l++) {
    uint32_t outcome = result_of_item(m, l);
    cr_expect_leq(outcome, 1, "sc.w of lane %u wrote %u", l, outcome);
    lanes |= outcome == 0 ? 1u << l : 0;
  }
  return lanes;
}

Test(model_atomics, of_several_sc_to_one_word_the_first_succeeds) {
  struct machine m = machine_create(LANES, 4);
  build_pair(&m, false, NULL, 0);
  cr_assert_eq(run_range(&m, &one_sub_group), 0);
  cr_expect_eq(successes(&m), 1);
  cr_expect_eq(peek(&m, INPUT), 0);
  build_pair(&m, true, NULL, 0);
  cr_assert_eq(run_range(&m, &one_sub_group), 0);
  cr_expect_eq(successes(&m), 3);
  cr_expect_eq(peek(&m, INPUT), 0);
  cr_expect_eq(peek(&m, INPUT + 4), 1);
  machine_destroy(&m);
}

// What happens between lr.w and sc.w, all lanes at one word or at two, and who succeeds then.
Test(model_atomics, a_store_to_the_word_takes_the_reservation_away) {
  struct machine m = machine_create(LANES, 4);
  const struct {
    const char *what;
    uint32_t instruction, successes;
  } cases[] = {
      {"nothing", nop(), 3},
      {"a load", lw(11, 10, 0), 3},
      {"sw to the first word", sw(13, 12, 0), 2},
      {"sw of what is there", sw(8, 10, 0), 0},
      {"sb", store(SB, 13, 12, 3), 2},
      {"sh to the second word", store(SH, 13, 12, 6), 1},
      {"sw beside them", sw(13, 12, 8), 3},
      {"sw before them", sw(13, 12, -4), 3},
      {"amo that changes nothing", atomic(AMOOR, 0, 10, 0), 0},
      {"sc.w elsewhere", sc(0, 13, 0), 0},
  };
  for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    // x13 as an address is that of another word.
    const uint32_t between[] = {lui(13, OUTPUT), cases[i].instruction};
    build_pair(&m, true, between, 2);
    cr_assert_eq(run_range(&m, &one_sub_group), 0, "%s", cases[i].what);
    cr_expect_eq(successes(&m), cases[i].successes, "%s: lanes 0x%x", cases[i].what, successes(&m));
  }
  machine_destroy(&m);
}

// An sc.w without lr.w, after a dispatch that left reservations, and the second of two.
Test(model_atomics, an_sc_without_its_own_lr_fails) {
  struct machine m = machine_create(LANES, 4);
  emit_constant(&m, 10, INPUT);
  emit(&m, lr(8, 10));
  emit(&m, exit_item());
  cr_assert_eq(run_range(&m, &one_sub_group), 0);
  begin(&m);
  emit_constant(&m, 10, INPUT);
  emit(&m, sc(9, 10, 10));
  emit_result(&m);
  poke(&m, INPUT, 77);
  cr_assert_eq(run_range(&m, &one_sub_group), 0);
  cr_expect_eq(successes(&m), 0);
  cr_expect_eq(peek(&m, INPUT), 77);
  const uint32_t first[] = {sc(0, 10, 13)};
  build_pair(&m, true, first, 1);
  cr_assert_eq(run_range(&m, &one_sub_group), 0);
  cr_expect_eq(successes(&m), 0);
  cr_expect_eq(peek(&m, INPUT), START);
  machine_destroy(&m);
}

// Sub-group 0 reserves and waits at a barrier while sub-group 1 stores to the word, or only loads it.
Test(model_atomics, another_sub_groups_store_takes_the_reservation_away) {
  for (uint32_t stores = 0; stores < 2; stores++) {
    struct machine m = machine_create(LANES, 4);
    emit_constant(&m, 10, INPUT);
    emit(&m, csrr(8, 0xCC9));
    uint32_t second = emit(&m, nop());
    emit(&m, lr(9, 10));
    patch_branch(&m, second, BNE, 8, 0, m.at);
    emit(&m, barrier(WORK_GROUP_SCOPE));
    uint32_t first = emit(&m, nop());
    emit(&m, stores ? atomic(AMOMAX, 9, 10, 8) : lw(9, 10, 0));
    patch_branch(&m, first, BEQ, 8, 0, m.at);
    emit(&m, barrier(WORK_GROUP_SCOPE));
    uint32_t second_again = emit(&m, nop());
    emit(&m, sc(9, 10, 10));
    patch_branch(&m, second_again, BNE, 8, 0, m.at);
    emit_result(&m);
    const struct range r = {.global = {2 * LANES}, .local = {2 * LANES}};
    cr_assert_eq(run_range(&m, &r), 0);
    cr_expect_eq(successes(&m), stores ? 0 : 1, "stores: %u, lanes 0x%x", stores, successes(&m));
    machine_destroy(&m);
  }
}

// Every work-item of many sub-groups adds 1 with lr.w and sc.w until it succeeds, and with amoadd to another word.
Test(model_atomics, no_increment_is_lost) {
  for (uint32_t size = 1; size <= LANES; size *= LANES) {
    struct machine m = machine_create(LANES, 16);
    emit_constant(&m, 10, INPUT);
    uint32_t again = emit(&m, lr(8, 10));
    emit(&m, addi(8, 8, 1));
    emit(&m, sc(9, 10, 8));
    emit_branch(&m, BNE, 9, 0, again);
    emit(&m, addi(8, 0, 3));
    emit(&m, addi(10, 10, 4));
    emit(&m, atomic(AMOADD, 9, 10, 8));
    emit_result(&m);
    poke(&m, INPUT, 0);
    poke(&m, INPUT + 4, 0);
    const uint32_t items = 500;
    const struct range r = {.global = {items}, .local = {16 * size}, .sub_group_size = size, .budget = 1 << 20};
    cr_assert_eq(run_range(&m, &r), 0);
    cr_expect_eq(peek(&m, INPUT), items);
    cr_expect_eq(peek(&m, INPUT + 4), 3 * items);
    // Each amoadd saw another value: a permutation of the multiples of 3.
    bool seen[500] = {false};
    for (uint32_t i = 0; i < items; i++) {
      uint32_t old = result_of_item(&m, i);
      cr_assert(old % 3 == 0 && old / 3 < items && !seen[old / 3], "item %u saw %u", i, old);
      seen[old / 3] = true;
    }
    machine_destroy(&m);
  }
}

// The word that is stored is code that has run.
Test(model_atomics, may_write_code) {
  struct machine m = machine_create(LANES, 4);
  emit(&m, addi(20, 0, 0));
  emit_constant(&m, 10, CODE + 4 * 16);
  emit_constant(&m, 11, addi(9, 0, 42));
  uint32_t loop = m.at;
  while (m.at < CODE + 4 * 16)
    emit(&m, nop());
  emit(&m, addi(9, 0, 1));
  emit(&m, addi(20, 20, 1));
  emit(&m, atomic(AMOSWAP, 12, 10, 11));
  emit(&m, addi(21, 0, 2));
  emit_branch(&m, BLT, 20, 21, loop);
  emit_result(&m);
  cr_assert_eq(run_range(&m, &one_sub_group), 0);
  cr_expect_eq(result_of_item(&m, 0), 42);
  machine_destroy(&m);
}

struct choice {
  uint32_t allow, calls, mask, reserved, pc, address[LANES];
};

static uint32_t choose(void *user, const struct heddle_model_sc *sc) {
  struct choice *c = user;
  c->calls++;
  c->mask = sc->mask;
  c->reserved = sc->reserved;
  c->pc = sc->pc;
  for (uint32_t l = 0; l < LANES; l++)
    c->address[l] = sc->mask >> l & 1 ? sc->address[l] : 0;
  cr_expect_eq(sc->sub_group_id, 0);
  cr_expect_eq(sc->group_id[0], 0);
  return c->allow;
}

// Lanes 0, 2, 4, 6 are at one word and 1, 3, 5, 7 at the other.
Test(model_atomics, a_driver_decides_which_sc_succeed) {
  struct machine m = machine_create(LANES, 4);
  static const struct {
    uint32_t allow, successes, first, second;
  } cases[] = {
      {0x00, 0x00, 77, 78}, {0xFF, 0x03, 0, 1},  {0x02, 0x02, 77, 1}, {0x01, 0x01, 0, 78},
      {0x50, 0x10, 4, 78},  {0xA0, 0x20, 77, 5}, {0xC0, 0xC0, 6, 7},  {0xFFFFFF00, 0x00, 77, 78},
  };
  for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct choice c = {.allow = cases[i].allow};
    uint32_t pc = build_pair(&m, true, NULL, 0);
    heddle_model_set_sc_choice(m.device, choose, &c);
    cr_assert_eq(run_range(&m, &one_sub_group), 0);
    cr_expect_eq(successes(&m), cases[i].successes, "case %u: lanes 0x%x", i, successes(&m));
    cr_expect_eq(peek(&m, INPUT), cases[i].first, "case %u", i);
    cr_expect_eq(peek(&m, INPUT + 4), cases[i].second, "case %u", i);
    cr_expect_eq(c.calls, 1);
    cr_expect_eq(c.pc, pc);
    cr_expect_eq(c.mask, 0xFF);
    cr_expect_eq(c.reserved, 0xFF);
    cr_expect(c.address[4] == INPUT && c.address[5] == INPUT + 4);
  }
  // Without a reservation the driver cannot give success.
  struct choice c = {.allow = 0xFF};
  const uint32_t store_first[] = {sw(13, 12, 0)};
  build_pair(&m, true, store_first, 1);
  heddle_model_set_sc_choice(m.device, choose, &c);
  cr_assert_eq(run_range(&m, &one_sub_group), 0);
  cr_expect_eq(c.reserved, 0xAA);
  cr_expect_eq(successes(&m), 0x02);
  // And without the driver it is as before.
  heddle_model_set_sc_choice(m.device, NULL, NULL);
  build_pair(&m, true, NULL, 0);
  cr_assert_eq(run_range(&m, &one_sub_group), 0);
  cr_expect_eq(successes(&m), 3);
  cr_expect_eq(c.calls, 1);
  machine_destroy(&m);
}

struct seen {
  uint32_t count, rd[3], value[3], address[3];
};

static void note_atomic(void *user, const struct heddle_model_retired *r) {
  struct seen *s = user;
  if (!r->address || r->address[1] != INPUT)
    return;
  cr_assert_lt(s->count, 3);
  s->rd[s->count] = r->rd;
  s->value[s->count] = r->value ? r->value[1] : 0xFFFF;
  s->address[s->count++] = r->address[1];
}

Test(model_atomics, the_trace_tells_address_and_result) {
  struct machine m = machine_create(LANES, 4);
  struct seen s = {0};
  const uint32_t between[] = {atomic(AMOADD, 0, 12, 13)};
  build_pair(&m, false, between, 1);
  heddle_model_set_trace(m.device, note_atomic, &s);
  cr_assert_eq(run_range(&m, &one_sub_group), 0);
  cr_expect_eq(s.count, 3);
  cr_expect(s.rd[0] == 8 && s.value[0] == 77, "lr.w: x%u = %u", s.rd[0], s.value[0]);
  cr_expect(s.rd[1] == 0 && s.value[1] == 0xFFFF, "amoadd.w to x0: x%u = %u", s.rd[1], s.value[1]);
  cr_expect(s.rd[2] == 9 && s.value[2] == 1, "sc.w: x%u = %u", s.rd[2], s.value[2]);
  machine_destroy(&m);
}

// A program of one float instruction on x11, x12 and x13 in the lanes of odd number; the others keep x9.
static uint32_t run_float(struct machine *m, uint32_t word, uint32_t a, uint32_t b, uint32_t c) {
  begin(m);
  emit(m, csrr(7, 0xCCA));
  emit(m, andi(7, 7, 1));
  emit_constant(m, 11, a);
  emit_constant(m, 12, b);
  emit_constant(m, 13, c);
  emit(m, addi(9, 0, 55));
  uint32_t even = emit(m, nop());
  emit(m, word);
  patch_branch(m, even, BEQ, 7, 0, m->at);
  emit_result(m);
  cr_assert_eq(run_range(m, &one_sub_group), 0);
  for (uint32_t l = 0; l < LANES; l++)
    cr_expect_eq(result_of_item(m, l), l % 2 ? result_of_item(m, 1) : 55, "word 0x%08x, lane %u", word, l);
  return result_of_item(m, 1);
}

// Values by hand: 1 + 2^-24 is a tie above 1, its negative one below -1.
Test(model_floats, rounding_modes_and_nothing_of_the_hosts) {
  static const uint32_t one = 0x3F800000, tie = 0x33800000, sign = 0x80000000u;
  static const struct {
    uint32_t rm, positive, negative;  // of the tie
    uint32_t to_integer;              // 2.5
    int32_t negative_integer;         // -2.5
  } modes[] = {
      {RNE, one, one | sign, 2, -2},     {RTZ, one, one | sign, 2, -2},           {RDN, one, (one + 1) | sign, 2, -3},
      {RUP, one + 1, one | sign, 3, -2}, {RMM, one + 1, (one + 1) | sign, 3, -3}, {DYN, one, one | sign, 2, -2},
  };
  static const int host[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  struct machine m = machine_create(LANES, 4);
  for (uint32_t h = 0; h < 4; h++) {
    cr_assert_eq(fesetround(host[h]), 0);
    for (uint32_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
      const uint32_t rm = modes[i].rm;
      cr_expect_eq(run_float(&m, float_op(FADD, rm, 9, 11, 12), one, tie, 0), modes[i].positive, "rm %u", rm);
      cr_expect_eq(run_float(&m, float_op(FSUB, rm, 9, 11, 12), one | sign, tie, 0), modes[i].negative, "rm %u", rm);
      cr_expect_eq(run_float(&m, float_fused(FNMADD, rm, 9, 11, 12, 13), one, one, tie), modes[i].negative, "rm %u",
                   rm);
      cr_expect_eq(run_float(&m, float_op(FCVT_TO_WORD, rm, 9, 11, 0), 0x40200000, 0, 0), modes[i].to_integer);
      cr_expect_eq(run_float(&m, float_op(FCVT_TO_WORD, rm, 9, 11, 0), 0xC0200000, 0, 0),
                   (uint32_t)modes[i].negative_integer);
      // 2^24 + 1 and its negative are ties.
      cr_expect_eq(run_float(&m, float_op(FCVT_TO_FLOAT, rm, 9, 11, 0), 0x01000001, 0, 0),
                   0x4B800000 + (rm == RUP || rm == RMM));
      // The greatest number doubled overflows.
      cr_expect_eq(run_float(&m, float_op(FADD, rm, 9, 11, 11), 0x7F7FFFFF, 0, 0),
                   rm == RTZ || rm == RDN ? 0x7F7FFFFF : 0x7F800000);
      // Half its last place more is a tie with infinity, and what is less than that is not.
      cr_expect_eq(run_float(&m, float_op(FADD, rm, 9, 11, 12), 0x7F7FFFFF, 0x73000000, 0),
                   rm == RTZ || rm == RDN ? 0x7F7FFFFF : 0x7F800000);
      cr_expect_eq(run_float(&m, float_op(FADD, rm, 9, 11, 12), 0x7F7FFFFF, 0x72FFFFFF, 0),
                   rm == RUP ? 0x7F800000 : 0x7F7FFFFF);
      // Half the smallest subnormal is a tie with 0.
      cr_expect_eq(run_float(&m, float_op(FMUL, rm, 9, 11, 12), 1, 0x3F000000, 0), rm == RUP || rm == RMM);
      // x - x is -0 only when rounding down.
      cr_expect_eq(run_float(&m, float_op(FSUB, rm, 9, 11, 11), one, 0, 0), rm == RDN ? sign : 0);
    }
    cr_expect_eq(fegetround(), host[h], "the host's rounding mode was changed");
  }
  fesetround(FE_TONEAREST);
  machine_destroy(&m);
}
