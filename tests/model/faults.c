// SPDX-License-Identifier: Apache-2.0
// Every fault with its whole record, what is not a fault, and that the next dispatch runs.
#include <criterion/criterion.h>

#include "tests/model/machine.h"

// The work-item that misbehaves in most tests: global id 29 of groups of 12 in sub-groups of 4.
static const struct range usual = {.global = {48}, .local = {12}, .sub_group_size = 4};
enum { CULPRIT = 29, CULPRIT_GROUP = 2, CULPRIT_SUB_GROUP = 1, CULPRIT_LANE = 1 };

// Begins a program in which all but the culprit return. Leaves OUTPUT in x10.
static void only_culprit(struct machine *m) {
  begin(m);
  emit(m, csrr(5, 0xCD0));
  emit(m, addi(6, 0, CULPRIT));
  uint32_t at = emit(m, nop());
  emit(m, exit_item());
  patch_branch(m, at, BEQ, 5, 6, m->at);
  emit_constant(m, 10, OUTPUT);
}

static struct fault_record of_culprit(uint32_t reason, uint32_t pc, uint32_t address) {
  return (struct fault_record){.reason = reason,
                               .pc = pc,
                               .address = address,
                               .group = {CULPRIT_GROUP},
                               .sub_group = CULPRIT_SUB_GROUP,
                               .lane = CULPRIT_LANE};
}

static void expect_next_dispatch_works(struct machine *m) {
  begin(m);
  emit(m, csrr(5, 0xCD0));
  emit(m, slli(6, 5, 2));
  emit_constant(m, 10, OUTPUT);
  emit(m, add(10, 10, 6));
  emit(m, collective(WORK_GROUP_SCOPE, TYPE_INT, MODE_REDUCE, OP_ADD, 5, 5, 0));
  emit(m, sw(5, 10, 0));
  emit(m, exit_item());
  cr_assert_eq(run_range(m, &usual), 0, "the dispatch after the fault faulted");
  cr_expect_eq(get_figure(m, HEDDLE_REG_GROUPS_DONE), 4);
  for (uint32_t i = 0; i < 48; i++) {
    uint32_t first = i / 12 * 12;
    cr_expect_eq(peek(m, OUTPUT + 4 * i), 12 * first + 66, "item %u", i);
  }
}

// One word that faults, alone: executed by the culprit only.
static void word_faults(struct machine *m, uint32_t word, uint32_t base, uint32_t reason, uint32_t address) {
  only_culprit(m);
  emit_constant(m, 7, base);
  uint32_t pc = emit(m, word);
  emit(m, exit_item());
  cr_assert_eq(run_range(m, &usual), reason, "word 0x%08x with x7 = 0x%x: reason %u, expected %u", word, base,
               get_control(m, HEDDLE_REG_FAULT_REASON), reason);
  expect_fault(m, of_culprit(reason, pc, address));
}

static void word_is_legal(struct machine *m, uint32_t word, uint32_t base) {
  only_culprit(m);
  emit_constant(m, 7, base);
  emit(m, word);
  emit(m, exit_item());
  cr_assert_eq(run_range(m, &usual), 0, "word 0x%08x with x7 = 0x%x faulted, reason %u", word, base,
               get_control(m, HEDDLE_REG_FAULT_REASON));
}

Test(model_faults, illegal_instructions) {
  struct machine m = machine_create(8, 16);
  const uint32_t words[] = {
      0x00000000,
      0xFFFFFFFF,
      0x00000073,                      // ecall
      0x00100073,                      // ebreak
      0x30200073,                      // mret
      0x10500073,                      // wfi
      0x0000100F,                      // fence.i
      0x00004501,                      // c.li
      encode_i(0x73, 1, 0, 0, 0xCC0),  // csrrw x0, local id, x0
      encode_i(0x73, 5, 1, 0, 0xC00),  // csrrwi
      encode_i(0x73, 2, 1, 2, 0xCC0),  // csrrs with a source
      encode_i(0x73, 3, 1, 2, 0xCC0),
      encode_i(0x73, 6, 1, 1, 0xCC0),
      encode_i(0x73, 7, 1, 31, 0xCC0),
      encode_i(0x73, 4, 1, 0, 0xCC0),
      csrr(1, 0xCCF),
      csrr(1, 0xCD3),
      csrr(1, 0xCBF),
      csrr(1, 0xC01),  // time
      csrr(1, 0xC02),  // instret
      csrr(1, 0xC82),
      csrr(1, 0x300),
      csrr(1, 0xF14),
      load(3, 1, 7, 0),
      load(6, 1, 7, 0),
      load(7, 1, 7, 0),
      store(3, 1, 7, 0),
      store(4, 1, 7, 0),
      encode_b(2, 0, 0, 8),
      encode_b(3, 0, 0, 8),
      encode_i(0x67, 1, 0, 7, 0),
      encode_i(0x13, 1, 1, 1, 0x400),
      encode_i(0x13, 1, 1, 1, 0x020),
      encode_i(0x13, 5, 1, 1, 0x200),
      encode_r(0x33, 1, 0x20, 1, 1, 1),
      encode_r(0x33, 0, 2, 1, 1, 1),
      encode_r(0x33, 3, 0x20, 1, 1, 1),
      // Zba and Zbb: RV64's, Zbs's, and selectors that name nothing
      encode_unary(1, 0x30, 3, 1, 1),
      encode_unary(1, 0x30, 6, 1, 1),
      encode_unary(1, 0x14, 0, 1, 1),  // bseti
      encode_unary(5, 0x14, 6, 1, 1),
      encode_unary(5, 0x35, 24, 1, 1),  // rev8 of RV64
      encode_unary(5, 0x34, 7, 1, 1),   // brev8
      encode_unary(5, 0x31, 0, 1, 1),
      encode_r(0x33, 4, 0x04, 1, 1, 2),  // pack
      encode_r(0x33, 1, 0x05, 1, 1, 1),  // clmul
      encode_r(0x33, 1, 0x10, 1, 1, 1),
      encode_r(0x33, 1, 0x24, 1, 1, 1),  // bclr
      encode_r(0x33, 0, 0x30, 1, 1, 1),
      // A
      encode_r(0x2F, 3, AMOADD << 2, 1, 7, 1),  // amoadd.d
      encode_r(0x2F, 1, AMOADD << 2, 1, 7, 1),  // amoadd.h
      atomic(LR, 1, 7, 1),
      atomic(0x05, 1, 7, 1),  // amocas.w
      atomic(0x07, 1, 7, 1),
      atomic(0x09, 1, 7, 1),
      atomic(0x1F, 1, 7, 1),
      // Zfinx: rounding modes 5 and 6
      float_op(FADD, 5, 1, 1, 1),
      float_op(FSUB, 6, 1, 1, 1),
      float_op(FMUL, 5, 1, 1, 1),
      float_op(FDIV, 6, 1, 1, 1),
      float_op(FSQRT, 5, 1, 1, 0),
      float_op(FCVT_TO_WORD, 6, 1, 1, 0),
      float_op(FCVT_TO_FLOAT, 5, 1, 1, 1),
      float_fused(FMADD, 5, 1, 1, 1, 1),
      float_fused(FMSUB, 6, 1, 1, 1, 1),
      float_fused(FNMSUB, 5, 1, 1, 1, 1),
      float_fused(FNMADD, 6, 1, 1, 1, 1),
      // what F has and Zfinx has not, and other forms that are not there
      float_op(FCLASS, 0, 1, 1, 0),    // fmv.x.w
      float_op(0x78, 0, 1, 1, 0),      // fmv.w.x
      encode_i(0x07, 2, 1, 7, 0),      // flw
      encode_r(0x27, 2, 0, 0, 7, 1),   // fsw
      float_op(FADD | 1, 0, 1, 1, 1),  // fadd.d
      float_op(FADD | 2, 0, 1, 1, 1),  // fadd.h
      float_op(0x20, 0, 1, 1, 1),      // fcvt.s.d
      float_fused(FMADD, 0, 1, 1, 1, 1) | 1u << 25,
      float_op(FSGNJ, 3, 1, 1, 1),
      float_op(FMIN, 2, 1, 1, 1),
      float_op(FCOMPARE, 3, 1, 1, 1),
      float_op(FCLASS, 1, 1, 1, 1),
      float_op(FCLASS, 2, 1, 1, 0),
      float_op(FSQRT, 0, 1, 1, 1),
      float_op(FCVT_TO_WORD, 0, 1, 1, 2),  // fcvt.l.s
      float_op(FCVT_TO_FLOAT, 0, 1, 1, 3),
      // there is no fcsr, in any form
      csrr(1, 0x001),
      csrr(1, 0x002),
      csrr(1, 0x003),
      encode_i(0x73, 1, 0, 1, 0x003),
      encode_i(0x73, 5, 0, 1, 0x002),
      encode_r(0x3B, 0, 0, 1, 1, 1),  // addw
      // custom-0
      collective(2, 0, MODE_BROADCAST, 0, 1, 1, 1),
      collective(2, 0, MODE_REDUCE, 3, 1, 1, 0),
      collective(2, TYPE_FLOAT, MODE_REDUCE, OP_ADD, 1, 1, 0),  // active sets have no sums of floats
      collective(2, TYPE_FLOAT, MODE_INCLUSIVE, OP_ADD, 1, 1, 0),
      collective(2, TYPE_FLOAT, MODE_EXCLUSIVE, OP_ADD, 1, 1, 0),
      collective(2, 1, MODE_ALL, 0, 1, 1, 0),
      collective(2, 0, MODE_SHUFFLE, 1, 1, 1, 1),
      collective(2, 1, MODE_BALLOT, 0, 1, 1, 0),
      encode_r(0x0B, 3, 1, 0, 0, 0),
      wide_collective(SUB_GROUP_SCOPE, false, false, MODE_BROADCAST, 0, 1, 1),
      wide_collective(ACTIVE_SET, false, true, MODE_ALL, 0, 1, 1),
      wide_collective(SUB_GROUP_SCOPE, true, false, MODE_REDUCE, 3, 1, 1),
      encode_r(0x0B, 5, 0, 1, 1, 1),
      encode_r(0x0B, 7, 0, 1, 1, 1),
      collective(0, 0, MODE_REDUCE, 3, 1, 1, 0),
      collective(1, 0, MODE_INCLUSIVE, 3, 1, 1, 0),
      collective(0, 3, MODE_EXCLUSIVE, 3, 1, 1, 0),  // of bits, like the next three
      collective(2, 3, MODE_REDUCE, 3, 1, 1, 0),
      collective(0, 3, MODE_BROADCAST, 0, 1, 1, 1),
      collective(1, 3, MODE_ALL, 0, 1, 1, 0),
      collective(0, 0, 7, 0, 1, 1, 0),
      collective(1, 0, 7, 0, 0, 0, 0),
      collective(0, 1, MODE_BROADCAST, 0, 1, 1, 1),
      collective(0, 0, MODE_BROADCAST, 1, 1, 1, 1),
      collective(0, 0, MODE_ALL, 1, 1, 1, 0),
      collective(0, 1, MODE_ANY, 0, 1, 1, 0),
      collective(0, 0, MODE_BARRIER, 1, 0, 0, 0),
      collective(1, 0, MODE_BARRIER, 0, 1, 0, 0),
      collective(1, 0, MODE_BARRIER, 0, 0, 1, 0),
      collective(1, 0, MODE_BARRIER, 0, 0, 0, 1),
      // custom-1: funct3 that no plain load or store has, and bits 5-2 of funct7
      encode_r(0x2B, 3, 0, 1, 1, 1),
      encode_r(0x2B, 6, 1, 1, 1, 1),
      encode_r(0x2B, 7, 2, 1, 1, 1),
      encode_r(0x2B, 3, 0x40, 1, 1, 1),
      encode_r(0x2B, 4, 0x41, 1, 1, 1),
      encode_r(0x2B, 7, 0x42, 1, 1, 1),
      encode_r(0x2B, 2, 0x04, 1, 1, 1),
      encode_r(0x2B, 2, 0x08, 1, 1, 1),
      encode_r(0x2B, 2, 0x50, 1, 1, 1),
      encode_r(0x2B, 2, 0x60, 1, 1, 1),
  };
  for (uint32_t i = 0; i < sizeof words / sizeof words[0]; i++)
    word_faults(&m, words[i], OUTPUT, HEDDLE_FAULT_ILLEGAL_INSTRUCTION, 0);
  expect_next_dispatch_works(&m);
  machine_destroy(&m);
}

Test(model_faults, forms_that_are_legal) {
  struct machine m = machine_create(8, 16);
  const uint32_t words[] = {
      0x0FF0000F,                      // fence
      0x8330000F,                      // fence.tso
      0x0100000F,                      // pause: a fence
      encode_i(0x73, 3, 1, 0, 0xCC0),  // csrrc, csrrsi and csrrci that do not write
      encode_i(0x73, 6, 1, 0, 0xCC0),
      encode_i(0x73, 7, 1, 0, 0xCC0),
      csrr(0, 0xCD2),
      atomic(AMOMAXU, 1, 7, 1) | 3u << 25,  // aq and rl
      lr(0, 7),
      sc(0, 7, 1),
      float_op(FADD, DYN, 0, 1, 1),
      float_op(FADD, RMM, 1, 1, 1),
      float_fused(FNMADD, DYN, 1, 1, 1, 31),
      csrr(1, 0xC00),
      csrr(1, 0xC80),
      collective(0, 0, MODE_REDUCE, 0, 1, 1, 9),
      collective(0, 0, MODE_REDUCE, 0, 0, 1, 0),
      collective(2, 0, MODE_SHUFFLE, 0, 0, 1, 1),
      collective(2, 0, MODE_BALLOT, 0, 1, 1, 9),
      collective(2, 1, MODE_EXCLUSIVE, OP_MAX, 1, 1, 0),
      collective(0, 0, MODE_REDUCE, OP_AND, 1, 1, 0),
      collective(1, 0, MODE_EXCLUSIVE, OP_OR, 1, 1, 0),
      collective(2, 0, MODE_INCLUSIVE, OP_XOR, 1, 1, 0),
      collective(0, TYPE_FLOAT, MODE_REDUCE, OP_MIN, 1, 1, 0),
      collective(1, TYPE_FLOAT, MODE_INCLUSIVE, OP_MAX, 1, 1, 0),
      collective(0, TYPE_FLOAT, MODE_EXCLUSIVE, OP_ADD, 1, 1, 0),
      collective(1, TYPE_FLOAT, MODE_REDUCE, OP_ADD, 1, 1, 0),
      collective(1, TYPE_FLOAT, MODE_INCLUSIVE, OP_ADD, 1, 1, 0),
      collective(1, TYPE_FLOAT, MODE_EXCLUSIVE, OP_ADD, 1, 1, 0),
      wide_collective(SUB_GROUP_SCOPE, false, false, MODE_REDUCE, OP_MIN, 1, 1),
      wide_collective(ACTIVE_SET, true, true, MODE_INCLUSIVE, OP_ADD, 1, 1),
  };
  for (uint32_t i = 0; i < sizeof words / sizeof words[0]; i++)
    word_is_legal(&m, words[i], OUTPUT);
  machine_destroy(&m);
}

Test(model_faults, memory_windows_and_alignment) {
  struct machine m = machine_create(8, 16);
  static const struct {
    uint32_t address, bytes, reason;
  } accesses[] = {
      {0, 4, HEDDLE_FAULT_UNMAPPED},
      {0xFFF, 1, HEDDLE_FAULT_UNMAPPED},
      {0xFFC, 4, HEDDLE_FAULT_UNMAPPED},
      {0x1000, 4, 0},
      {0x1001, 1, 0},
      {GLOBAL_BYTES - 4, 4, 0},
      {GLOBAL_BYTES - 2, 2, 0},
      {GLOBAL_BYTES - 1, 1, 0},
      {GLOBAL_BYTES, 1, HEDDLE_FAULT_UNMAPPED},
      {GLOBAL_BYTES + 0x100, 4, HEDDLE_FAULT_UNMAPPED},
      {0x7FFFFFFC, 4, HEDDLE_FAULT_UNMAPPED},
      {0x80000000, 4, 0},
      {0x80000000 + 98, 2, 0},
      {0x80000000 + 99, 1, 0},
      {0x80000000 + 96, 4, 0},
      {0x80000000 + 100, 1, HEDDLE_FAULT_OUTSIDE_LOCAL},
      {0x80000000 + 100, 4, HEDDLE_FAULT_OUTSIDE_LOCAL},
      {0x8FFFFFFC, 4, HEDDLE_FAULT_OUTSIDE_LOCAL},
      {0x90000000, 4, HEDDLE_FAULT_UNMAPPED},
      {0xAFFFFFFC, 4, HEDDLE_FAULT_UNMAPPED},
      {0xB0000000, 4, HEDDLE_FAULT_OUTSIDE_PRIVATE},
      {0xB0000002, 4, HEDDLE_FAULT_MISALIGNED},
      {0xB8000001, 1, HEDDLE_FAULT_OUTSIDE_PRIVATE},
      {0xBFFFFFFE, 2, HEDDLE_FAULT_OUTSIDE_PRIVATE},
      {0xBFFFFFFF, 1, HEDDLE_FAULT_OUTSIDE_PRIVATE},
      {0xC0000000, 4, 0},
      {0xC0000000 + 1020, 4, 0},
      {0xC0000000 + 1023, 1, 0},
      {0xC0000000 + 1024, 1, HEDDLE_FAULT_OUTSIDE_PRIVATE},
      {0xCFFFFFFF, 1, HEDDLE_FAULT_OUTSIDE_PRIVATE},
      {0xD0000000, 4, HEDDLE_FAULT_UNMAPPED},
      {0xF0000000, 4, HEDDLE_FAULT_UNMAPPED},
      {0xFFFFFFFC, 4, HEDDLE_FAULT_UNMAPPED},
      {0xFFFFFFFF, 1, HEDDLE_FAULT_UNMAPPED},
      // misaligned comes first
      {OUTPUT + 1, 2, HEDDLE_FAULT_MISALIGNED},
      {OUTPUT + 2, 4, HEDDLE_FAULT_MISALIGNED},
      {OUTPUT + 3, 4, HEDDLE_FAULT_MISALIGNED},
      {1, 4, HEDDLE_FAULT_MISALIGNED},
      {0x80000000 + 101, 2, HEDDLE_FAULT_MISALIGNED},
      {0xC0000000 + 1022, 4, HEDDLE_FAULT_MISALIGNED},
      {0xFFFFFFFF, 4, HEDDLE_FAULT_MISALIGNED},
  };
  struct range r = usual;
  r.local_bytes = 100;
  for (uint32_t i = 0; i < sizeof accesses / sizeof accesses[0]; i++) {
    uint32_t width = accesses[i].bytes == 4 ? LW : accesses[i].bytes == 2 ? LH : LB;
    for (int kind = 0; kind < 5; kind++) {
      // Both directions; x0 as the destination of a load still accesses. The last two: by full sub-groups, where
      // the lowest lane of the first sub-group to get there is named.
      bool all = kind >= 3;
      if (all)
        begin(&m);
      else
        only_culprit(&m);
      emit_constant(&m, 7, accesses[i].address - 5);
      uint32_t pc = emit(&m, kind == 0 || kind == 3 ? load(width, 1, 7, 5)
                             : kind == 1            ? load(width == LW ? LW : width + 4, 0, 7, 5)
                                                    : store(width, 7, 7, 5));
      emit(&m, exit_item());
      uint32_t reason = run_range(&m, &r);
      cr_assert_eq(reason, accesses[i].reason, "%u bytes at 0x%x, kind %d: reason %u, expected %u", accesses[i].bytes,
                   accesses[i].address, kind, reason, accesses[i].reason);
      if (reason != 0) {
        struct fault_record expected = of_culprit(reason, pc, accesses[i].address);
        if (all)
          expected.group[0] = expected.sub_group = expected.lane = 0;
        expect_fault(&m, expected);
      }
    }
  }
  expect_next_dispatch_works(&m);
  machine_destroy(&m);
}

// Lanes 0 to 5 of a store of neighbouring words are good, lane 6 is not: memory stays as it was, and lane 6 is named.
// At the end of global memory and of local memory, loads too.
Test(model_faults, no_lane_touches_memory_when_one_faults) {
  for (uint32_t kind = 0; kind < 4; kind++) {
    struct machine m = machine_create(8, 4);
    bool is_load = kind & 1;
    const uint32_t end = kind & 2 ? HEDDLE_LOCAL_BASE + 40 : (uint32_t)GLOBAL_BYTES;
    emit(&m, csrr(5, 0xCC0));
    emit(&m, csrr(8, 0xCC3));
    emit(&m, slli(6, 5, 2));
    emit_constant(&m, 7, end - 24);
    emit(&m, add(7, 7, 6));
    uint32_t second = emit(&m, nop());
    // Work-group 0 fills the memory; group 1 reaches beyond it. (With all local memory asked for, one comes first.)
    emit(&m, sw(5, 7, -8));
    emit(&m, exit_item());
    patch_branch(&m, second, BNE, 8, 0, m.at);
    uint32_t pc = emit(&m, is_load ? lw(5, 7, 0) : sw(5, 7, 0));
    emit(&m, exit_item());
    const struct range r = {
        .global = {16}, .local = {8}, .local_bytes = kind & 2 ? 40 : get_control(&m, HEDDLE_REG_LOCAL_MEMORY_BYTES)};
    uint32_t reason = kind & 2 ? HEDDLE_FAULT_OUTSIDE_LOCAL : HEDDLE_FAULT_UNMAPPED;
    cr_assert_eq(run_range(&m, &r), reason);
    expect_fault(&m, (struct fault_record){.reason = reason, .pc = pc, .address = end, .group = {1}, .lane = 6});
    for (uint32_t i = 0; i < 6 && !(kind & 2); i++) {
      // From group 0: lane i + 2 was here.
      cr_expect_eq(peek(&m, GLOBAL_BYTES - 24 + 4 * i), i + 2, "word %u was written", i);
    }
    machine_destroy(&m);
  }
}

// lr.w, sc.w (without a reservation) and amo at bad places; misaligned comes first.
Test(model_faults, atomics_are_checked_as_loads_and_stores_are) {
  struct machine m = machine_create(8, 16);
  static const uint32_t kinds[] = {LR, SC, AMOADD, AMOSWAP, AMOMINU};
  static const struct {
    uint32_t address, reason;
  } places[] = {
      {OUTPUT + 1, HEDDLE_FAULT_MISALIGNED},
      {OUTPUT + 2, HEDDLE_FAULT_MISALIGNED},
      {0xC0000003, HEDDLE_FAULT_MISALIGNED},
      {2, HEDDLE_FAULT_MISALIGNED},
      {0xB0000001, HEDDLE_FAULT_MISALIGNED},
      {0, HEDDLE_FAULT_UNMAPPED},
      {GLOBAL_BYTES, HEDDLE_FAULT_UNMAPPED},
      {0x80000000, HEDDLE_FAULT_OUTSIDE_LOCAL},
      {0xC0000000 + 1024, HEDDLE_FAULT_OUTSIDE_PRIVATE},
      {0xBFFFFFFC, HEDDLE_FAULT_OUTSIDE_PRIVATE},
      {0xF0000100, HEDDLE_FAULT_UNMAPPED},
  };
  for (uint32_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
    for (uint32_t i = 0; i < sizeof places / sizeof places[0]; i++) {
      word_faults(&m, atomic(kinds[k], 1, 7, kinds[k] == LR ? 0 : 5), places[i].address, places[i].reason,
                  places[i].address);
    }
  }
  // One lane of eight at the end of global memory: the others' words stay as they were.
  begin(&m);
  emit(&m, csrr(5, 0xCC0));
  emit(&m, slli(6, 5, 2));
  emit_constant(&m, 7, GLOBAL_BYTES - 24);
  emit(&m, add(7, 7, 6));
  uint32_t pc = emit(&m, atomic(AMOSWAP, 8, 7, 5));
  emit(&m, exit_item());
  poke(&m, GLOBAL_BYTES - 20, 4711);
  cr_assert_eq(run_range(&m, &(struct range){.global = {8}, .local = {8}}), HEDDLE_FAULT_UNMAPPED);
  expect_fault(&m,
               (struct fault_record){.reason = HEDDLE_FAULT_UNMAPPED, .pc = pc, .address = GLOBAL_BYTES, .lane = 6});
  cr_expect_eq(peek(&m, GLOBAL_BYTES - 20), 4711);
  expect_next_dispatch_works(&m);
  machine_destroy(&m);
}

Test(model_faults, bad_fetch) {
  struct machine m = machine_create(8, 16);
  static const uint32_t targets[] = {0,          0xFFC,      OUTPUT + 2, GLOBAL_BYTES, 0x80000000,
                                     0xC0000000, 0xF0000000, 0xFFFFFFFC, 0xFFFFFFFE};
  for (uint32_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
    only_culprit(&m);
    emit_constant(&m, 7, targets[i]);
    emit(&m, jalr(1, 7, 1));  // bit 0 is cleared
    cr_assert_eq(run_range(&m, &usual), HEDDLE_FAULT_BAD_FETCH, "target 0x%x", targets[i]);
    expect_fault(&m, of_culprit(HEDDLE_FAULT_BAD_FETCH, targets[i], targets[i]));
  }
  // From the entry itself, and by running off the end of memory.
  struct range r = usual;
  r.entry = CODE + 2;
  cr_assert_eq(run_range(&m, &r), HEDDLE_FAULT_BAD_FETCH);
  expect_fault(&m, (struct fault_record){.reason = HEDDLE_FAULT_BAD_FETCH, .pc = CODE + 2, .address = CODE + 2});
  poke(&m, GLOBAL_BYTES - 4, nop());
  r.entry = GLOBAL_BYTES - 4;
  cr_assert_eq(run_range(&m, &r), HEDDLE_FAULT_BAD_FETCH);
  expect_fault(&m,
               (struct fault_record){.reason = HEDDLE_FAULT_BAD_FETCH, .pc = GLOBAL_BYTES, .address = GLOBAL_BYTES});
  expect_next_dispatch_works(&m);
  machine_destroy(&m);
}

// Lanes 0 and 1 return, 2 goes to the barrier at the higher address, the rest to the lower one.
Test(model_faults, divergent_collective_in_a_sub_group) {
  struct machine m = machine_create(8, 4);
  emit(&m, csrr(5, 0xCC0));
  emit(&m, addi(6, 0, 2));
  uint32_t stay = emit(&m, nop());
  emit(&m, exit_item());
  patch_branch(&m, stay, BGE, 5, 6, m.at);
  uint32_t high = emit(&m, nop());
  uint32_t lower = emit(&m, barrier(SUB_GROUP_SCOPE));
  emit(&m, exit_item());
  patch_branch(&m, high, BEQ, 5, 6, m.at);
  emit(&m, barrier(SUB_GROUP_SCOPE));
  emit(&m, exit_item());
  const struct range r = {.global = {16}, .local = {8}, .offset = {100}};
  cr_assert_eq(run_range(&m, &r), HEDDLE_FAULT_DIVERGENT_COLLECTIVE);
  expect_fault(&m, (struct fault_record){.reason = HEDDLE_FAULT_DIVERGENT_COLLECTIVE, .pc = lower, .lane = 3});
  expect_next_dispatch_works(&m);
  machine_destroy(&m);
}

// Parked lanes at one collective while the others return is no fault: those who returned no longer count.
Test(model_faults, returning_while_others_are_parked_completes_the_collective) {
  struct machine m = machine_create(8, 4);
  emit(&m, csrr(5, 0xCC0));
  emit(&m, addi(6, 0, 4));
  uint32_t leave = emit(&m, nop());
  emit(&m, collective(SUB_GROUP_SCOPE, TYPE_INT, MODE_REDUCE, OP_ADD, 7, 6, 0));
  emit(&m, slli(8, 5, 2));
  emit_constant(&m, 10, OUTPUT);
  emit(&m, add(10, 10, 8));
  emit(&m, sw(7, 10, 0));
  emit(&m, exit_item());
  patch_branch(&m, leave, BGE, 5, 6, m.at);
  emit(&m, nop());
  emit(&m, exit_item());
  const struct range r = {.global = {8}, .local = {8}};
  cr_assert_eq(run_range(&m, &r), 0);
  for (uint32_t i = 0; i < 4; i++)
    cr_expect_eq(peek(&m, OUTPUT + 4 * i), 16);
  // csrr, addi, branch; park pass of 0-3; nop, exit of 4-7; the collective; 6 more of 0-3.
  cr_expect_eq(get_figure(&m, HEDDLE_REG_ISSUES), 3 + 1 + 2 + 1 + 6);
  cr_expect_eq(get_figure(&m, HEDDLE_REG_ACTIVE_LANES), 3 * 8 + 4 + 2 * 4 + 4 + 6 * 4);
  machine_destroy(&m);
}

// Sub-group 1 waits at one work-group barrier, the others at another.
Test(model_faults, divergent_collective_between_sub_groups) {
  for (uint32_t odd_one_is_first = 0; odd_one_is_first < 2; odd_one_is_first++) {
    struct machine m = machine_create(4, 4);
    emit(&m, csrr(5, 0xCC9));
    emit(&m, addi(6, 0, 1));
    uint32_t high = emit(&m, nop());
    uint32_t lower = emit(&m, barrier(WORK_GROUP_SCOPE));
    emit(&m, exit_item());
    patch_branch(&m, high, odd_one_is_first ? BNE : BEQ, 5, 6, m.at);
    emit(&m, barrier(WORK_GROUP_SCOPE));
    emit(&m, exit_item());
    const struct range r = {.global = {12}, .local = {12}};
    cr_assert_eq(run_range(&m, &r), HEDDLE_FAULT_DIVERGENT_COLLECTIVE);
    expect_fault(&m, (struct fault_record){
                         .reason = HEDDLE_FAULT_DIVERGENT_COLLECTIVE, .pc = lower, .sub_group = odd_one_is_first});
    expect_next_dispatch_works(&m);
    machine_destroy(&m);
  }
}

// Three sub-groups: one returns at once, two wait: the collective covers these.
Test(model_faults, sub_groups_that_returned_do_not_hold_up_a_work_group_collective) {
  for (uint32_t gone = 0; gone < 3; gone++) {
    struct machine m = machine_create(4, 4);
    emit(&m, csrr(5, 0xCC9));
    emit(&m, addi(6, 0, (int32_t)gone));
    uint32_t leave = emit(&m, nop());
    emit(&m, addi(7, 0, 1));
    emit(&m, collective(WORK_GROUP_SCOPE, TYPE_INT, MODE_REDUCE, OP_ADD, 7, 7, 0));
    emit_constant(&m, 10, OUTPUT);
    emit(&m, sw(7, 10, 0));
    emit(&m, exit_item());
    patch_branch(&m, leave, BEQ, 5, 6, m.at);
    for (int i = 0; i < 40; i++)
      emit(&m, nop());
    emit(&m, exit_item());
    const struct range r = {.global = {11}, .local = {11}};
    cr_assert_eq(run_range(&m, &r), 0);
    cr_expect_eq(peek(&m, OUTPUT), gone == 2 ? 8 : 7);
    machine_destroy(&m);
  }
}

Test(model_faults, budget_spent) {
  struct machine m = machine_create(8, 16);
  only_culprit(&m);
  uint32_t loop = m.at;
  emit(&m, nop());
  emit_jump(&m, loop);
  struct range r = usual;
  r.budget = 12345;
  cr_assert_eq(run_range(&m, &r), HEDDLE_FAULT_BUDGET_SPENT);
  struct fault_record f = get_fault(&m);
  cr_expect(f.pc == loop || f.pc == loop + 4, "PC 0x%x", f.pc);
  expect_fault(&m, of_culprit(HEDDLE_FAULT_BUDGET_SPENT, f.pc, 0));
  cr_expect_eq(get_figure(&m, HEDDLE_REG_CYCLES), 12345);
  expect_next_dispatch_works(&m);
  // What it needs exactly is enough; one less is not.
  uint64_t needed = get_figure(&m, HEDDLE_REG_CYCLES);
  r.budget = needed;
  cr_expect_eq(run_range(&m, &r), 0);
  r.budget = needed - 1;
  cr_expect_eq(run_range(&m, &r), HEDDLE_FAULT_BUDGET_SPENT);
  r.budget = 1ull << 32;  // the high word counts too
  cr_expect_eq(run_range(&m, &r), 0);
  machine_destroy(&m);
}

Test(model_faults, stopped_by_host) {
  struct machine m = machine_create(8, 16);
  set_control(&m, HEDDLE_REG_COMMAND, HEDDLE_COMMAND_STOP);
  cr_expect_eq(get_control(&m, HEDDLE_REG_STATUS), 0, "stopping an idle device changed it");
  only_culprit(&m);
  uint32_t loop = emit_jump(&m, m.at);
  start_range(&m, &usual);
  cr_expect_eq(get_control(&m, HEDDLE_REG_STATUS), HEDDLE_STATUS_BUSY);
  cr_assert_eq(heddle_model_api()->run(m.device, 100000), 0);
  cr_expect_eq(get_figure(&m, HEDDLE_REG_CYCLES), 100000);
  set_control(&m, HEDDLE_REG_COMMAND, HEDDLE_COMMAND_STOP);
  cr_assert_eq(heddle_model_api()->run(m.device, 1), 1);
  expect_fault(&m, of_culprit(HEDDLE_FAULT_STOPPED, loop, 0));
  expect_next_dispatch_works(&m);
  machine_destroy(&m);
}
