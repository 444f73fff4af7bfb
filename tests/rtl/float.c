// SPDX-License-Identifier: Apache-2.0
// The lane's floating point against the host's: every operation, rounding mode and combination of corner cases, then
// ten million random operands. HEDDLE_SEED chooses others; HEDDLE_TEST_LONG takes twenty times as many.
#include <criterion/criterion.h>
#include <fenv.h>
#include <inttypes.h>
#include <stdlib.h>

#include "tests/rtl/float_reference.h"
#include "tests/rtl/lane_bench.h"
#include "tests/rtl/random_word.h"

enum operation {
  FADD,
  FSUB,
  FMUL,
  FMADD,
  FMSUB,
  FNMSUB,
  FNMADD,  // clang-format off
  FCVT_W, FCVT_WU, FCVT_S_W, FCVT_S_WU,
  FSGNJ, FSGNJN, FSGNJX, FMIN, FMAX, FEQ, FLT, FLE, FCLASS,
  FDIV, FSQRT,  // not pipelined: not in batches
  ALL_OPERATIONS, OPERATIONS = FDIV,
  ROUNDED = FCVT_S_WU + 1,
};  // clang-format on

static const struct {
  const char *name;
  uint32_t code;  // with rs1 = x1, rs2 = x2, rs3 = x3; rd = x5
  int operands;
} table[ALL_OPERATIONS] = {
    [FADD] = {"fadd", 0x002082D3u, 2},
    [FSUB] = {"fsub", 0x082082D3u, 2},
    [FMUL] = {"fmul", 0x102082D3u, 2},
    [FMADD] = {"fmadd", 0x182082C3u, 3},
    [FMSUB] = {"fmsub", 0x182082C7u, 3},
    [FNMSUB] = {"fnmsub", 0x182082CBu, 3},
    [FNMADD] = {"fnmadd", 0x182082CFu, 3},
    [FCVT_W] = {"fcvt.w.s", 0xC00082D3u, 1},
    [FCVT_WU] = {"fcvt.wu.s", 0xC01082D3u, 1},
    [FCVT_S_W] = {"fcvt.s.w", 0xD00082D3u, 1},
    [FCVT_S_WU] = {"fcvt.s.wu", 0xD01082D3u, 1},
    [FSGNJ] = {"fsgnj", 0x202082D3u, 2},
    [FSGNJN] = {"fsgnjn", 0x202092D3u, 2},
    [FSGNJX] = {"fsgnjx", 0x2020A2D3u, 2},
    [FMIN] = {"fmin", 0x282082D3u, 2},
    [FMAX] = {"fmax", 0x282092D3u, 2},
    [FEQ] = {"feq", 0xA020A2D3u, 2},
    [FLT] = {"flt", 0xA02092D3u, 2},
    [FLE] = {"fle", 0xA02082D3u, 2},
    [FCLASS] = {"fclass", 0xE00092D3u, 1},
    [FDIV] = {"fdiv", 0x182082D3u, 2},
    [FSQRT] = {"fsqrt", 0x580082D3u, 1},
};

static uint32_t expected(enum operation operation, enum rounding mode, uint32_t a, uint32_t b, uint32_t c) {
  const uint32_t sign = 0x80000000u;
  switch (operation) {
    case FADD:
      return float_add(a, b, mode);
    case FSUB:
      return float_add(a, b ^ sign, mode);
    case FMUL:
      return float_multiply(a, b, mode);
    case FMADD:
      return float_fused(a, b, c, mode);
    case FMSUB:
      return float_fused(a, b, c ^ sign, mode);
    case FNMSUB:
      return float_fused(a ^ sign, b, c, mode);
    case FNMADD:
      return float_fused(a ^ sign, b, c ^ sign, mode);
    case FCVT_W:
    case FCVT_WU:
      return float_to_integer(a, operation == FCVT_W, mode);
    case FCVT_S_W:
    case FCVT_S_WU:
      return float_from_integer(a, operation == FCVT_S_W, mode);
    case FSGNJ:
      return (a & ~sign) | (b & sign);
    case FSGNJN:
      return (a & ~sign) | (~b & sign);
    case FSGNJX:
      return a ^ (b & sign);
    case FMIN:
    case FMAX:
      return float_minimum(a, b, operation == FMAX);
    case FEQ:
    case FLT:
    case FLE:
      return float_compare(a, b, operation == FEQ ? 2 : operation == FLT ? 1 : 0);
    case FCLASS:
      return float_class(a);
    case FDIV:
      return float_divide(a, b, mode);
    case FSQRT:
      return float_root(a, mode);
    default:
      abort();
  }
}

// A batch: one instruction for all lanes in each cycle. Whoever fills it gives one lane after the other.
enum { CYCLES = 2048 };
static struct batch {
  size_t lanes;  // filled
  uint32_t instruction[CYCLES];
  enum operation operation[CYCLES];
  enum rounding mode[CYCLES];
  lanes_value a[CYCLES], b[CYCLES], c[CYCLES], result[CYCLES];
} batch;

static void check_batch(void) {
  size_t cycles = (batch.lanes + BENCH_LANES - 1) / BENCH_LANES;
  bench_run(cycles, batch.instruction, batch.a, batch.b, batch.c, batch.result);
  for (size_t n = 0; n < batch.lanes; n++) {
    size_t i = n / BENCH_LANES, l = n % BENCH_LANES;
    uint32_t a = batch.a[i].lane[l], b = batch.b[i].lane[l], c = batch.c[i].lane[l];
    uint32_t want = expected(batch.operation[i], batch.mode[i], a, b, c);
    if (batch.result[i].lane[l] != want)
      cr_assert_fail("%s, rounding mode %d, of %08" PRIx32 " %08" PRIx32 " %08" PRIx32 ": expected %08" PRIx32
                     ", got %08" PRIx32,
                     table[batch.operation[i]].name, batch.mode[i], a, b, c, want, batch.result[i].lane[l]);
  }
  batch.lanes = 0;
}

// In a cycle that has begun, operation and mode stay what they are.
static void add(enum operation operation, enum rounding mode, uint32_t a, uint32_t b, uint32_t c) {
  if (batch.lanes == (size_t)CYCLES * BENCH_LANES)
    check_batch();
  size_t i = batch.lanes / BENCH_LANES, l = batch.lanes % BENCH_LANES;
  if (l == 0) {
    batch.operation[i] = operation;
    batch.mode[i] = mode;
    batch.instruction[i] = table[operation].code | (operation < ROUNDED ? (uint32_t)mode << 12 : 0);
  }
  batch.a[i].lane[l] = a;
  batch.b[i].lane[l] = b;
  batch.c[i].lane[l] = c;
  batch.lanes++;
}

static void fill_cycle(void) {
  while (batch.lanes % BENCH_LANES != 0)
    add(FADD, NEAREST_EVEN, 0, 0, 0);
}

static const uint32_t corners[] = {
    0x00000000, 0x00000001, 0x00000002, 0x00000003, 0x007FFFFF, 0x00400000, 0x00800000, 0x00800001, 0x00FFFFFF,
    0x01000000, 0x33800000, 0x3EFFFFFF, 0x3F000000, 0x3F000001, 0x3F7FFFFF, 0x3F800000, 0x3F800001, 0x3FC00000,
    0x40000000, 0x40200000, 0x4AFFFFFF, 0x4B000001, 0x4B800000, 0x4EFFFFFF, 0x4F000000, 0x4F7FFFFF, 0x4F800000,
    0x7EFFFFFF, 0x7F000000, 0x7F7FFFFF, 0x7F800000, 0x7F800001, 0x7FC00000, 0x7FFFFFFF,
};
enum { CORNERS = sizeof corners / sizeof corners[0] };

static uint32_t corner(int i) {
  return corners[i / 2] | (i % 2 ? 0x80000000u : 0);
}

static void all_corners(enum operation operation, enum rounding mode) {
  int operands = table[operation].operands, n = 2 * CORNERS;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < (operands > 1 ? n : 1); j++)
      for (int k = 0; k < (operands > 2 ? n : 1); k++)
        add(operation, mode, corner(i), corner(j), corner(k));
  fill_cycle();
}

Test(rtl_float, corner_cases_in_every_combination_and_mode) {
  for (enum operation operation = 0; operation < OPERATIONS; operation++)
    for (enum rounding mode = NEAREST_EVEN; mode <= (operation < ROUNDED ? NEAREST_AWAY : NEAREST_EVEN); mode++)
      all_corners(operation, mode);
  check_batch();
}

// Mantissas with long runs of zeros or ones make ties and carries likely.
static uint32_t random_mantissa(void) {
  uint32_t r = random_word(), word = random_word() & 0x7FFFFFu;
  switch (r % 4) {
    case 0:
      return (1u << (r >> 8) % 24) - 1;
    case 1:
      return 0x7FFFFFu & ~((1u << (r >> 8) % 24) - 1);
    case 2:
      return word & (word << 3) & 0x7FFFFFu;
    default:
      return word;
  }
}

static uint32_t random_float(uint32_t near_exponent) {
  uint32_t r = random_word(), sign = r & 0x80000000u, exponent;
  switch (r % 8) {
    case 0:
      return random_word();
    case 1:
      return sign | random_mantissa();  // subnormal
    case 2:
      return corner((int)((r >> 8) % (2 * CORNERS)));
    case 3:
      exponent = 1 + (r >> 8) % 254;
      break;
    default:
      exponent = (near_exponent + (r >> 8) % 8 - 4) & 0xFF;
  }
  return sign | exponent << 23 | random_mantissa();
}

static void random_operands(enum operation operation, enum rounding mode) {
  uint32_t ea = 1 + random_word() % 254, eb = 1 + random_word() % 254, r = random_word();
  uint32_t a, b, c;
  if (table[operation].operands == 3) {
    // The product near the addend; now and then the addend is what cancels it.
    uint32_t ec = (ea + eb - 127 + (r % 4 == 0 ? random_word() % 64 - 32 : 0)) & 0xFF;
    a = random_float(ea);
    b = random_float(eb);
    c = r % 8 == 1 ? float_multiply(a, b, NEAREST_EVEN) ^ 0x80000000u : random_float(ec);
  } else if (operation == FMUL) {
    a = random_float(ea);
    b = random_float(r % 2 ? eb : (128 + 127 - ea) % 256);
    c = r;
  } else {
    a = operation >= FCVT_S_W && operation <= FCVT_S_WU ? random_word() >> r % 32
                                                        : random_float(operation == FCVT_W ? 140 : ea);
    b = random_float(ea);
    c = r;
  }
  add(operation, mode, a, b, c);
}

Test(rtl_float, random_operands) {
  random_seed(0x9E3779B97F4A7C15u);
  uint64_t cycles = 10000000 / BENCH_LANES * (getenv("HEDDLE_TEST_LONG") ? 20 : 1);
  for (uint64_t i = 0; i < cycles; i++) {
    uint32_t r = random_word();
    enum operation operation = (enum operation)(r % 3 == 0 ? (r >> 8) % OPERATIONS : (r >> 8) % ROUNDED);
    enum rounding mode = operation < ROUNDED ? (enum rounding)((r >> 4) % 5) : NEAREST_EVEN;
    for (int l = 0; l < BENCH_LANES; l++)
      random_operands(operation, mode);
  }
  check_batch();
}

static void divide(enum operation operation, enum rounding mode, const lanes_value *a, const lanes_value *b) {
  lanes_value result;
  bench_divide(table[operation].code | (uint32_t)mode << 12, a, b, &result);
  for (int l = 0; l < BENCH_LANES; l++) {
    uint32_t want = expected(operation, mode, a->lane[l], b->lane[l], 0);
    if (result.lane[l] != want)
      cr_assert_fail("%s, rounding mode %d, of %08" PRIx32 " %08" PRIx32 ": expected %08" PRIx32 ", got %08" PRIx32,
                     table[operation].name, mode, a->lane[l], b->lane[l], want, result.lane[l]);
  }
}

Test(rtl_float, division_and_root_of_corner_cases) {
  for (enum rounding mode = NEAREST_EVEN; mode <= NEAREST_AWAY; mode++)
    for (int i = 0; i < 2 * CORNERS; i++)
      for (int j = 0; j < 2 * CORNERS; j += BENCH_LANES) {
        lanes_value a, b;
        for (int l = 0; l < BENCH_LANES; l++) {
          a.lane[l] = corner(i);
          b.lane[l] = corner((j + l) % (2 * CORNERS));
        }
        divide(FDIV, mode, &a, &b);
        if (i == 0)
          divide(FSQRT, mode, &b, &a);
      }
}

Test(rtl_float, division_and_root_of_random_operands) {
  random_seed(0xD1B54A32D192ED03u);
  uint64_t rounds = 400000 / BENCH_LANES * (getenv("HEDDLE_TEST_LONG") ? 20 : 1);
  for (uint64_t i = 0; i < rounds; i++) {
    lanes_value a, b;
    for (int l = 0; l < BENCH_LANES; l++) {
      uint32_t ea = 1 + random_word() % 254, r = random_word();
      a.lane[l] = random_float(ea);
      // Quotients of any size, near 1, and at the lower end, where they may be exact halves; squares for roots.
      b.lane[l] = random_float(r % 3 == 0 ? 1 + random_word() % 254 : r % 3 == 1 ? ea : (ea + 149) & 0xFF);
      if (r % 7 == 0)
        a.lane[l] = float_multiply(a.lane[l], a.lane[l], TO_ZERO);
    }
    divide(i % 2 ? FSQRT : FDIV, (enum rounding)(i / 2 % 5), &a, &b);
  }
}

// The reference for "nearest, ties away", which hosts have not, is the one that agrees with the host in the other
// modes.
Test(rtl_float, reference_agrees_with_the_host) {
  random_state = 7;
  for (int i = 0; i < 300000; i++) {
    uint32_t ea = 1 + random_word() % 254, eb = 1 + random_word() % 254;
    uint32_t a = random_float(ea), b = random_float(eb), c = random_float((ea + eb - 127) & 0xFF);
    for (enum rounding mode = NEAREST_EVEN; mode <= UP; mode++)
      cr_assert_eq(float_fused(a, b, c, mode), float_fused_by_integers(a, b, c, mode), "%08x %08x %08x mode %d", a, b,
                   c, mode);
  }
}

Test(rtl_float, dynamic_rounding_is_nearest_even_and_reserved_modes_are_illegal) {
  for (enum operation operation = 0; operation < ROUNDED; operation++) {
    for (uint32_t mode = 0; mode < 8; mode++)
      cr_assert_eq(bench_illegal(table[operation].code | mode << 12), mode == 5 || mode == 6, "%s mode %u",
                   table[operation].name, mode);
    uint32_t instruction[2] = {table[operation].code, table[operation].code | 7u << 12};
    lanes_value a[2], b[2], c[2], result[2];
    for (int l = 0; l < BENCH_LANES; l++) {
      a[0].lane[l] = a[1].lane[l] = random_float(127);
      b[0].lane[l] = b[1].lane[l] = random_float(127);
      c[0].lane[l] = c[1].lane[l] = random_float(127);
    }
    bench_run(2, instruction, a, b, c, result);
    cr_assert_arr_eq(&result[0], &result[1], sizeof result[0]);
  }
}
