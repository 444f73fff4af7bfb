// SPDX-License-Identifier: Apache-2.0
// The lane's integer arithmetic, M, Zba and Zbb, against C: corner cases in every pair, then random operands.
// HEDDLE_SEED chooses others; HEDDLE_TEST_LONG takes twenty times as many. With COMPACT of compact lanes, which have
// Zmmul alone.
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>

#include "tests/rtl/lane_bench.h"
#include "tests/rtl/random_word.h"

static int32_t signed_of(uint32_t a) {
  return (int32_t)a;
}

static uint32_t add(uint32_t a, uint32_t b) {
  return a + b;
}
static uint32_t sub(uint32_t a, uint32_t b) {
  return a - b;
}
static uint32_t sll(uint32_t a, uint32_t b) {
  return a << b % 32;
}
static uint32_t srl(uint32_t a, uint32_t b) {
  return a >> b % 32;
}
static uint32_t sra(uint32_t a, uint32_t b) {
  return (uint32_t)(signed_of(a) >> b % 32);
}
static uint32_t slt(uint32_t a, uint32_t b) {
  return signed_of(a) < signed_of(b);
}
static uint32_t sltu(uint32_t a, uint32_t b) {
  return a < b;
}
static uint32_t xor_(uint32_t a, uint32_t b) {
  return a ^ b;
}
static uint32_t or_(uint32_t a, uint32_t b) {
  return a | b;
}
static uint32_t and_(uint32_t a, uint32_t b) {
  return a & b;
}
static uint32_t mul(uint32_t a, uint32_t b) {
  return a * b;
}
static uint32_t mulh(uint32_t a, uint32_t b) {
  return (uint32_t)(((int64_t)signed_of(a) * signed_of(b)) >> 32);
}
static uint32_t mulhsu(uint32_t a, uint32_t b) {
  return (uint32_t)(((int64_t)signed_of(a) * (int64_t)b) >> 32);
}
static uint32_t mulhu(uint32_t a, uint32_t b) {
  return (uint32_t)(((uint64_t)a * b) >> 32);
}
static uint32_t sh1add(uint32_t a, uint32_t b) {
  return 2 * a + b;
}
static uint32_t sh2add(uint32_t a, uint32_t b) {
  return 4 * a + b;
}
static uint32_t sh3add(uint32_t a, uint32_t b) {
  return 8 * a + b;
}
static uint32_t andn(uint32_t a, uint32_t b) {
  return a & ~b;
}
static uint32_t orn(uint32_t a, uint32_t b) {
  return a | ~b;
}
static uint32_t xnor(uint32_t a, uint32_t b) {
  return ~(a ^ b);
}
static uint32_t rol(uint32_t a, uint32_t b) {
  return a << b % 32 | a >> (32 - b % 32) % 32;
}
static uint32_t ror(uint32_t a, uint32_t b) {
  return a >> b % 32 | a << (32 - b % 32) % 32;
}
static uint32_t min(uint32_t a, uint32_t b) {
  return signed_of(a) < signed_of(b) ? a : b;
}
static uint32_t max(uint32_t a, uint32_t b) {
  return signed_of(a) < signed_of(b) ? b : a;
}
static uint32_t minu(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}
static uint32_t maxu(uint32_t a, uint32_t b) {
  return a < b ? b : a;
}
static uint32_t zext_h(uint32_t a, uint32_t b) {
  (void)b;
  return (uint16_t)a;
}
static uint32_t sext_b(uint32_t a, uint32_t b) {
  (void)b;
  return (uint32_t)(int8_t)a;
}
static uint32_t sext_h(uint32_t a, uint32_t b) {
  (void)b;
  return (uint32_t)(int16_t)a;
}
static uint32_t clz(uint32_t a, uint32_t b) {
  (void)b;
  return a == 0 ? 32 : (uint32_t)__builtin_clz(a);
}
static uint32_t ctz(uint32_t a, uint32_t b) {
  (void)b;
  return a == 0 ? 32 : (uint32_t)__builtin_ctz(a);
}
static uint32_t cpop(uint32_t a, uint32_t b) {
  (void)b;
  return (uint32_t)__builtin_popcount(a);
}
static uint32_t orc_b(uint32_t a, uint32_t b) {
  (void)b;
  uint32_t result = 0;
  for (int i = 0; i < 32; i += 8)
    if (a >> i & 0xFF)
      result |= 0xFFu << i;
  return result;
}
static uint32_t rev8(uint32_t a, uint32_t b) {
  (void)b;
  return __builtin_bswap32(a);
}
static uint32_t divide(uint32_t a, uint32_t b) {
  if (b == 0)
    return UINT32_MAX;
  return a == 0x80000000u && b == UINT32_MAX ? a : (uint32_t)(signed_of(a) / signed_of(b));
}
static uint32_t divu(uint32_t a, uint32_t b) {
  return b == 0 ? UINT32_MAX : a / b;
}
static uint32_t rem(uint32_t a, uint32_t b) {
  if (b == 0)
    return a;
  return a == 0x80000000u && b == UINT32_MAX ? 0 : (uint32_t)(signed_of(a) % signed_of(b));
}
static uint32_t remu(uint32_t a, uint32_t b) {
  return b == 0 ? a : a % b;
}

enum form { REGISTERS, IMMEDIATE, SHIFT_AMOUNT, ONE_OPERAND };

// Instructions with rs1 = x1, rs2 = x2, rd = x5. An immediate or shift amount goes where its form says.
static const struct {
  const char *name;
  uint32_t code;
  enum form form;
  uint32_t (*expected)(uint32_t a, uint32_t b);
} table[] = {
    {"add", 0x002082B3u, REGISTERS, add},         {"sub", 0x402082B3u, REGISTERS, sub},
    {"sll", 0x002092B3u, REGISTERS, sll},         {"srl", 0x0020D2B3u, REGISTERS, srl},
    {"sra", 0x4020D2B3u, REGISTERS, sra},         {"slt", 0x0020A2B3u, REGISTERS, slt},
    {"sltu", 0x0020B2B3u, REGISTERS, sltu},       {"xor", 0x0020C2B3u, REGISTERS, xor_},
    {"or", 0x0020E2B3u, REGISTERS, or_},          {"and", 0x0020F2B3u, REGISTERS, and_},
    {"addi", 0x00008293u, IMMEDIATE, add},        {"slti", 0x0000A293u, IMMEDIATE, slt},
    {"sltiu", 0x0000B293u, IMMEDIATE, sltu},      {"xori", 0x0000C293u, IMMEDIATE, xor_},
    {"ori", 0x0000E293u, IMMEDIATE, or_},         {"andi", 0x0000F293u, IMMEDIATE, and_},
    {"slli", 0x00009293u, SHIFT_AMOUNT, sll},     {"srli", 0x0000D293u, SHIFT_AMOUNT, srl},
    {"srai", 0x4000D293u, SHIFT_AMOUNT, sra},     {"mul", 0x022082B3u, REGISTERS, mul},
    {"mulh", 0x022092B3u, REGISTERS, mulh},       {"mulhsu", 0x0220A2B3u, REGISTERS, mulhsu},
    {"mulhu", 0x0220B2B3u, REGISTERS, mulhu},     {"sh1add", 0x2020A2B3u, REGISTERS, sh1add},
    {"sh2add", 0x2020C2B3u, REGISTERS, sh2add},   {"sh3add", 0x2020E2B3u, REGISTERS, sh3add},
    {"andn", 0x4020F2B3u, REGISTERS, andn},       {"orn", 0x4020E2B3u, REGISTERS, orn},
    {"xnor", 0x4020C2B3u, REGISTERS, xnor},       {"rol", 0x602092B3u, REGISTERS, rol},
    {"ror", 0x6020D2B3u, REGISTERS, ror},         {"rori", 0x6000D293u, SHIFT_AMOUNT, ror},
    {"min", 0x0A20C2B3u, REGISTERS, min},         {"minu", 0x0A20D2B3u, REGISTERS, minu},
    {"max", 0x0A20E2B3u, REGISTERS, max},         {"maxu", 0x0A20F2B3u, REGISTERS, maxu},
    {"zext.h", 0x0800C2B3u, ONE_OPERAND, zext_h}, {"sext.b", 0x60409293u, ONE_OPERAND, sext_b},
    {"sext.h", 0x60509293u, ONE_OPERAND, sext_h}, {"clz", 0x60009293u, ONE_OPERAND, clz},
    {"ctz", 0x60109293u, ONE_OPERAND, ctz},       {"cpop", 0x60209293u, ONE_OPERAND, cpop},
    {"orc.b", 0x2870D293u, ONE_OPERAND, orc_b},   {"rev8", 0x6980D293u, ONE_OPERAND, rev8},
};
enum { ALL_INSTRUCTIONS = sizeof table / sizeof table[0] };
#ifdef COMPACT
enum { INSTRUCTIONS = 23 };  // all before sh1add
#else
enum { INSTRUCTIONS = ALL_INSTRUCTIONS };
#endif

enum { CYCLES = 1024 };
static size_t filled;
static size_t which[CYCLES];
static uint32_t instruction[CYCLES];
static lanes_value a_of[CYCLES], b_of[CYCLES], result[CYCLES];

static void check_batch(void) {
  bench_run(filled, instruction, a_of, b_of, b_of, result);
  for (size_t i = 0; i < filled; i++)
    for (int l = 0; l < BENCH_LANES; l++) {
      uint32_t want = table[which[i]].expected(a_of[i].lane[l], b_of[i].lane[l]);
      if (result[i].lane[l] != want)
        cr_assert_fail("%s of %08" PRIx32 " %08" PRIx32 ": expected %08" PRIx32 ", got %08" PRIx32,
                       table[which[i]].name, a_of[i].lane[l], b_of[i].lane[l], want, result[i].lane[l]);
    }
  filled = 0;
}

// Immediates are the same in all lanes: what lane 0 has in b, as far as it fits.
static void issue(size_t n, lanes_value a, lanes_value b) {
  uint32_t code = table[n].code, immediate = b.lane[0];
  if (table[n].form == IMMEDIATE) {
    code |= immediate << 20;
    immediate = (uint32_t)(signed_of(immediate << 20) >> 20);
  } else if (table[n].form == SHIFT_AMOUNT) {
    immediate %= 32;
    code |= immediate << 20;
  }
  if (table[n].form == IMMEDIATE || table[n].form == SHIFT_AMOUNT)
    for (int l = 0; l < BENCH_LANES; l++)
      b.lane[l] = immediate;
  which[filled] = n;
  instruction[filled] = code;
  a_of[filled] = a;
  b_of[filled++] = b;
  if (filled == CYCLES)
    check_batch();
}

static const uint32_t corners[] = {
    0,          1,          2,          3,          7,          8,          15,         16,
    31,         32,         33,         0x7F,       0x80,       0xFF,       0x7FF,      0x800,
    0x7FFF,     0x8000,     0xFFFF,     0x10000,    0x00FF00FF, 0xFF00FF00, 0x80808080, 0x01010101,
    0x12345678, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xC0000000, 0xFFFF0000, 0xFFFFFFFE, 0xFFFFFFFF,
};
enum { CORNERS = sizeof corners / sizeof corners[0] };

static uint32_t random_operand(void) {
  uint32_t r = random_word();
  switch (r % 4) {
    case 0:
      return corners[(r >> 8) % CORNERS];
    case 1:
      return (uint32_t)(signed_of(random_word()) >> (r >> 8) % 32);
    case 2:
      return random_word() & random_word() << (r >> 8) % 32;
    default:
      return random_word();
  }
}

static void corner_pair(int i, int j, lanes_value *a, lanes_value *b) {
  for (int l = 0; l < BENCH_LANES; l++) {
    a->lane[l] = corners[(i + l) % CORNERS];
    b->lane[l] = corners[j];
  }
}

Test(rtl_integer, corner_cases_in_every_pair) {
  lanes_value a, b;
  for (size_t n = 0; n < INSTRUCTIONS; n++)
    for (int i = 0; i < CORNERS; i += BENCH_LANES)
      for (int j = 0; j < CORNERS; j++) {
        corner_pair(i, j, &a, &b);
        issue(n, a, b);
      }
  check_batch();
}

Test(rtl_integer, random_operands) {
  random_seed(0x2545F4914F6CDD1Du);
  uint64_t rounds = 2000000 / BENCH_LANES * (getenv("HEDDLE_TEST_LONG") ? 20 : 1);
  lanes_value a, b;
  for (uint64_t i = 0; i < rounds; i++) {
    for (int l = 0; l < BENCH_LANES; l++) {
      a.lane[l] = random_operand();
      b.lane[l] = random_word() % 8 ? random_operand() : a.lane[l];
    }
    issue(random_word() % INSTRUCTIONS, a, b);
  }
  check_batch();
}

static const struct {
  const char *name;
  uint32_t code;
  uint32_t (*expected)(uint32_t a, uint32_t b);
} divisions[] = {
    {"div", 0x0220C2B3u, divide},
    {"divu", 0x0220D2B3u, divu},
    {"rem", 0x0220E2B3u, rem},
    {"remu", 0x0220F2B3u, remu},
};

#ifdef COMPACT
Test(rtl_integer, what_compact_lanes_lack_is_illegal) {
  for (size_t n = 0; n < ALL_INSTRUCTIONS; n++)
    cr_assert_eq(bench_illegal(table[n].code), n >= INSTRUCTIONS, "%s", table[n].name);
  for (size_t n = 0; n < 4; n++)
    cr_assert(bench_illegal(divisions[n].code), "%s", divisions[n].name);
}
#else
static void check_division(size_t n, const lanes_value *a, const lanes_value *b) {
  lanes_value quotient;
  bench_divide(divisions[n].code, a, b, &quotient);
  for (int l = 0; l < BENCH_LANES; l++)
    cr_assert_eq(quotient.lane[l], divisions[n].expected(a->lane[l], b->lane[l]),
                 "%s of %08" PRIx32 " %08" PRIx32 ": %08" PRIx32, divisions[n].name, a->lane[l], b->lane[l],
                 quotient.lane[l]);
}

Test(rtl_integer, divisions) {
  lanes_value a, b;
  for (size_t n = 0; n < 4; n++)
    for (int i = 0; i < CORNERS; i += BENCH_LANES)
      for (int j = 0; j < CORNERS; j++) {
        corner_pair(i, j, &a, &b);
        check_division(n, &a, &b);
      }
  random_seed(0x9E3779B97F4A7C15u);
  uint64_t rounds = 100000 / BENCH_LANES * (getenv("HEDDLE_TEST_LONG") ? 20 : 1);
  for (uint64_t i = 0; i < rounds; i++) {
    for (int l = 0; l < BENCH_LANES; l++) {
      a.lane[l] = random_operand();
      b.lane[l] = random_operand();
    }
    check_division(i % 4, &a, &b);
  }
}

// What lies between the encodings above. (zext.h is pack with rs2 = x0, which alone is in Zbb.)
Test(rtl_integer, neighbours_of_bit_manipulation_are_illegal) {
  static const uint32_t illegal[] = {
      0x0820C2B3u,                                                      // pack
      0x60309293u, 0x60609293u, 0x60709293u, 0x61009293u,               // unused single-operand counts
      0x2860D293u, 0x2880D293u, 0x6970D293u, 0x6990D293u,               // neighbours of orc.b and rev8
      0x202082B3u, 0x202092B3u, 0x2020B2B3u, 0x2020D2B3u, 0x2020F2B3u,  // shNadd with other funct3
      0x602082B3u, 0x6020A2B3u, 0x6020C2B3u, 0x6020F2B3u,               // rol, ror with other funct3
      0x0A2082B3u, 0x0A2092B3u, 0x0A20A2B3u, 0x0A20B2B3u,               // clmul
      0x402092B3u, 0x4020A2B3u, 0x4020B2B3u, 0x6200D293u, 0x482092B3u,
  };
  for (size_t i = 0; i < sizeof illegal / sizeof illegal[0]; i++)
    cr_assert(bench_illegal(illegal[i]), "%08" PRIx32, illegal[i]);
  for (size_t n = 0; n < INSTRUCTIONS; n++)
    cr_assert_not(bench_illegal(table[n].code), "%s", table[n].name);
}
#endif
