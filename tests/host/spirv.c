// SPDX-License-Identifier: Apache-2.0
// SPIR-V modules (contract/spirv.h): what is told of them, and that nothing that is in them leads out of them.
#include "contract/spirv.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OP(opcode, length) ((uint32_t)(length) << 16 | (opcode))
enum { MEMORY_MODEL = 14, BOOL = 20, INT = 21, FLOAT = 22, FALSE_AT = 49, TRUE_AT = 48, CONSTANT = 50, DECORATE = 71 };

static const uint32_t example[] = {
    0x07230203,
    0x00010400,
    0,
    50,
    0,
    OP(MEMORY_MODEL, 3),
    1,
    2,
    OP(DECORATE, 4),
    10,
    1,
    100,  // SpecId
    OP(DECORATE, 4),
    11,
    1,
    101,
    OP(DECORATE, 4),
    12,
    1,
    102,
    OP(DECORATE, 4),
    13,
    1,
    103,
    OP(DECORATE, 4),
    14,
    1,
    104,
    OP(DECORATE, 4),
    15,
    1,
    104,  // two of one id
    OP(DECORATE, 4),
    16,
    1,
    105,  // is nothing
    OP(DECORATE, 4),
    11,
    44,
    106,
    OP(BOOL, 2),
    1,
    OP(INT, 4),
    2,
    16,
    1,
    OP(INT, 4),
    3,
    64,
    0,
    OP(FLOAT, 3),
    4,
    32,
    OP(TRUE_AT, 3),
    1,
    10,
    OP(CONSTANT, 4),
    2,
    11,
    7,
    OP(CONSTANT, 5),
    3,
    12,
    8,
    9,
    OP(CONSTANT, 4),
    4,
    13,
    0x3F800000,
    OP(CONSTANT, 4),
    4,
    14,
    1,
    OP(CONSTANT, 4),
    4,
    15,
    2,
    OP(46, 3),
    1,
    20,  // OpConstantNull
    OP(46, 3),
    2,
    21,
    OP(46, 3),
    3,
    22,
    OP(46, 3),
    30,
    23,  // of another type
};
enum { WORDS = sizeof example / sizeof *example };

static uint32_t *opened(const void *bytes, size_t size, size_t *count) {
  struct heddle_error error = {""};
  uint8_t *exact = malloc(size ? size : 1);  // so that a look behind the end is found
  memcpy(exact, bytes, size);
  uint32_t *words = heddle_spirv_open(exact, size, count, &error);
  cr_assert_eq(!words, error.text[0] != 0);
  free(exact);
  return words;
}

static uint32_t *example_opened(void) {
  size_t count;
  uint32_t *words = opened(example, sizeof example, &count);
  cr_assert_not_null(words);
  cr_assert_eq(count, WORDS);
  return words;
}

Test(spirv, a_whole_module_is_opened_in_both_byte_orders) {
  uint32_t other[WORDS];
  size_t count;
  for (size_t i = 0; i < WORDS; i++)
    other[i] = __builtin_bswap32(example[i]);
  cr_assert(heddle_spirv_claimed(example, sizeof example) && heddle_spirv_claimed(other, sizeof other));
  uint32_t *words = opened(other, sizeof other, &count);
  cr_assert_arr_eq(words, example, sizeof example);
  free(words);
}

Test(spirv, other_lengths_versions_and_models_are_refused) {
  static const struct {
    size_t at;
    uint32_t value;
  } wrong[] = {{0, 0x07230204},
               {1, 0x00010500},
               {1, 0x00020000},
               {1, 0x00010401},
               {4, 1},
               {6, 2},
               {6, 0},
               {7, 1},
               {5, OP(MEMORY_MODEL, 4)},
               {5, OP(15, 3)},
               {8, 0},
               {8, OP(DECORATE, 0)},
               {8, OP(DECORATE, 65535)}};
  uint32_t module[WORDS];
  size_t count;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    memcpy(module, example, sizeof module);
    module[wrong[i].at] = wrong[i].value;
    cr_assert_null(opened(module, sizeof module, &count), "case %zu", i);
  }
  for (size_t size = 0; size <= 7 * sizeof *example; size++)
    cr_assert_null(opened(example, size, &count), "%zu bytes", size);
  cr_assert_null(opened(example, sizeof example - 2, &count));
}

Test(spirv, sizes_of_specialization_constants_are_those_of_their_types) {
  static const struct {
    uint32_t id;
    size_t bytes;
  } expected[] = {{100, 1}, {101, 2}, {102, 8}, {103, 4}, {104, 4}, {105, 0}, {106, 0}, {99, 0}, {0, 0}};
  uint32_t *words = example_opened();
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
    cr_expect_eq(heddle_spirv_constant_bytes(words, WORDS, expected[i].id), expected[i].bytes, "id %u", expected[i].id);
  free(words);
}

static size_t place_of(const uint32_t *words, uint32_t result) {
  for (size_t at = 5; at < WORDS; at += words[at] >> 16) {
    const uint32_t opcode = words[at] & 0xFFFF;
    if ((opcode == CONSTANT || opcode == TRUE_AT || opcode == FALSE_AT) && words[at + 2] == result)
      return at;
  }
  return 0;
}

Test(spirv, specialization_changes_the_constants_and_nothing_else) {
  const uint64_t value = 0x1122334455668899;
  uint32_t *words = example_opened(), expected[WORDS];
  memcpy(expected, example, sizeof expected);
  expected[place_of(words, 11) + 3] = 0xFFFF8899;  // signed, 16 bits
  expected[place_of(words, 12) + 3] = 0x55668899;
  expected[place_of(words, 12) + 4] = 0x11223344;
  expected[place_of(words, 14) + 3] = 0x55668899;
  expected[place_of(words, 15) + 3] = 0x55668899;
  expected[place_of(words, 10)] = OP(FALSE_AT, 3);
  for (uint32_t id = 101; id <= 106; id++)
    if (id != 103)
      heddle_spirv_specialize(words, WORDS, id, &value);
  heddle_spirv_specialize(words, WORDS, 100, &(uint8_t){0});
  for (size_t i = 0; i < WORDS; i++)
    cr_expect_eq(words[i], expected[i], "word %zu: expected 0x%x, got 0x%x", i, expected[i], words[i]);
  heddle_spirv_specialize(words, WORDS, 100, &(uint8_t){2});
  cr_expect_eq(words[place_of(words, 10)], OP(TRUE_AT, 3));
  free(words);
}

Test(spirv, zeros_of_scalar_types_are_spelled) {
  static const uint32_t end[] = {OP(42, 3), 1, 20, OP(43, 4), 2, 21, 0, OP(43, 5), 3, 22, 0, 0, OP(46, 3), 30, 23};
  const size_t kept = WORDS - 12, end_words = sizeof end / sizeof *end;
  size_t count;
  uint32_t *words = example_opened(), *spelled = heddle_spirv_spell_out(words, WORDS, &count);
  cr_assert_eq(count, kept + end_words);
  cr_assert_arr_eq(spelled, example, kept * sizeof *spelled);
  cr_assert_arr_eq(spelled + kept, end, sizeof end);
  free(words);
  free(spelled);
}

Test(spirv, execution_modes_of_constants_are_spelled) {
  enum { MODE = 16, MODE_ID = 331, PLAIN = 43 };
  static const uint32_t module[] = {0x07230203,
                                    0x00010200,
                                    0,
                                    50,
                                    0,
                                    OP(MEMORY_MODEL, 3),
                                    1,
                                    2,  //
                                    OP(MODE_ID, 4),
                                    20,
                                    37,
                                    10,  // SubgroupsPerWorkgroupId
                                    OP(MODE_ID, 6),
                                    20,
                                    38,
                                    10,
                                    11,
                                    10,  // LocalSizeId
                                    OP(MODE_ID, 6),
                                    20,
                                    38,
                                    10,
                                    12,
                                    10,  // of what is no constant
                                    OP(MODE_ID, 4),
                                    20,
                                    99,
                                    10,  // no mode that we know
                                    OP(INT, 4),
                                    2,
                                    32,
                                    0,
                                    OP(PLAIN, 4),
                                    2,
                                    10,
                                    3,
                                    OP(CONSTANT, 4),
                                    2,
                                    11,
                                    5};
  enum { COUNT = sizeof module / sizeof *module };
  uint32_t expected[COUNT];
  memcpy(expected, module, sizeof module);
  expected[8] = OP(MODE, 4);
  expected[10] = 36;
  expected[11] = 3;
  expected[12] = OP(MODE, 6);
  expected[14] = 17;
  expected[15] = expected[17] = 3;
  expected[16] = 5;
  size_t count, new_count;
  uint32_t *words = opened(module, sizeof module, &count);
  cr_assert(words);
  uint32_t *spelled = heddle_spirv_spell_out(words, count, &new_count);
  cr_assert_eq(new_count, COUNT);
  for (size_t i = 0; i < COUNT; i++)
    cr_expect_eq(spelled[i], expected[i], "word %zu: expected 0x%x, got 0x%x", i, expected[i], spelled[i]);
  free(words);
  free(spelled);
}

Test(spirv, changed_words_lead_nowhere_else) {
  uint32_t state = 5;
  for (int i = 0; i < 200000; i++) {
    uint32_t module[WORDS];
    size_t count, new_count;
    memcpy(module, example, sizeof module);
    for (int changes = 1 + i % 4; changes > 0; changes--) {
      state = state * 1664525 + 1013904223;
      const size_t at = (state >> 8) % WORDS;
      state = state * 1664525 + 1013904223;
      module[at] = i % 2 ? module[at] ^ 1u << (state >> 8) % 32 : example[(state >> 8) % WORDS];
    }
    uint32_t *words = opened(module, sizeof module, &count);
    if (!words)
      continue;
    const uint64_t value = UINT64_MAX;
    for (uint32_t id = 99; id <= 106; id++)
      heddle_spirv_specialize(words, count, id, &value);
    uint32_t *spelled = heddle_spirv_spell_out(words, count, &new_count);
    cr_assert(spelled && new_count >= count);
    free(spelled);
    free(words);
  }
}

// Zeros of a type that is far away, and kernels with execution modes: quadratic work on these takes minutes.
Test(spirv, modules_of_any_length_are_spelled_and_looked_up, .timeout = 60) {
  enum { TYPES = 100000, NULLS = 200000, KERNELS = 100000 };
  const size_t most = 16 + 4 * (size_t)TYPES + 3 * (size_t)NULLS + 10 * (size_t)KERNELS;
  uint32_t *module = calloc(most, 4);
  size_t count, at = 0, num_kernels, new_count;
  const uint32_t header[] = {0x07230203, 0x00010000, 0, 1000000, 0, 3u << 16 | 14, 1, 2};
  memcpy(module, header, sizeof header);
  at = sizeof header / 4;
  for (uint32_t i = 0; i < KERNELS; i++) {
    const uint32_t entry[] = {6u << 16 | 15, 6, 500000 + i, 0, 0, 0};
    char name[12] = "";
    snprintf(name, sizeof name, "%08u", i);
    memcpy(module + at, entry, sizeof entry);
    memcpy(module + at + 3, name, sizeof name);
    at += 6;
  }
  for (uint32_t i = 0; i < KERNELS; i++, at += 4)
    memcpy(module + at, (const uint32_t[]){4u << 16 | 16, 500000 + i, 36, 1 + i % 7}, 16);
  for (uint32_t i = 0; i < TYPES; i++, at += 4)
    memcpy(module + at, (const uint32_t[]){4u << 16 | 21, 1 + i, 32, 0}, 16);
  for (uint32_t i = 0; i < NULLS; i++, at += 3)
    memcpy(module + at, (const uint32_t[]){3u << 16 | 46, TYPES - i % 3, 700000 + i}, 12);
  uint32_t *words = opened(module, at * 4, &count);
  cr_assert(words);
  struct heddle_spirv_kernel *kernels = heddle_spirv_kernels(words, count, &num_kernels);
  cr_assert(kernels);
  cr_expect_eq(num_kernels, KERNELS);
  for (uint32_t i = 0; i < KERNELS; i++) {
    char name[12];
    snprintf(name, sizeof name, "%08u", i);
    cr_assert_eq(heddle_spirv_sub_groups(kernels, num_kernels, name), 1 + i % 7, "of kernel %s", name);
  }
  cr_expect_eq(heddle_spirv_sub_groups(kernels, num_kernels, "none"), 0);
  uint32_t *spelled = heddle_spirv_spell_out(words, count, &new_count);
  cr_assert(spelled);
  cr_expect_eq(new_count, count + NULLS, "each zero of 32 bits takes a word more");
  free(spelled);
  free(kernels);
  free(words);
  free(module);
}
