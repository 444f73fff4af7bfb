// SPDX-License-Identifier: Apache-2.0
// Fat binaries (contract/fat_binary.h): what is read is what was written, and nothing else is.
#include "contract/fat_binary.h"

#include <criterion/criterion.h>
#include <sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = 48, RECORD = 168, PART = 20, MOST_BYTES = HEADER + 40 * RECORD + 40 * PART };

static uint8_t contents[40 * PART];

// Parts of PART bytes: a kernel file, and bitstreams of boards b1, b2 and so on.
static struct heddle_fat_binary example(uint32_t count) {
  struct heddle_fat_binary fat = {.count = count};
  for (size_t i = 0; i < sizeof contents; i++)
    contents[i] = (uint8_t)(7 * i);
  for (uint32_t i = 0; i < count; i++) {
    struct heddle_fat_part *part = &fat.parts[i];
    *part = (struct heddle_fat_part){.kind = i == 0 ? HEDDLE_FAT_KERNEL_FILE : HEDDLE_FAT_BITSTREAM,
                                     .bytes = contents + (size_t)i * PART,
                                     .size = PART};
    snprintf(part->name, sizeof part->name, i == 0 ? "kernels" : "b%u", i);
    snprintf(part->product, sizeof part->product, i == 1 ? "A board" : "");
  }
  return fat;
}

static size_t write_file(const struct heddle_fat_binary *fat, uint8_t file[MOST_BYTES]) {
  size_t at = heddle_fat_header_bytes(fat);
  heddle_fat_header(fat, file);
  for (uint32_t i = 0; i < fat->count; i++) {
    memcpy(file + at, fat->parts[i].bytes, fat->parts[i].size);
    at += fat->parts[i].size;
  }
  return at;
}

// In memory of its very size, so that a look behind its end is found.
static int read_file(const uint8_t *file, size_t size) {
  struct heddle_fat_binary fat;
  struct heddle_error error = {""};
  uint8_t *exact = malloc(size ? size : 1);
  memcpy(exact, file, size);
  const int result = heddle_fat_read(exact, size, &fat, &error);
  if (result != 0)
    cr_expect_neq(error.text[0], 0, "a refusal of %zu bytes without a reason", size);
  free(exact);
  return result;
}

// With a table whose hash is right again.
static void mend(uint8_t *file, uint32_t count) {
  SHA2_CTX context;
  SHA256Init(&context);
  SHA256Update(&context, file, 16);
  SHA256Update(&context, file + HEADER, (size_t)count * RECORD);
  SHA256Final(file + 16, &context);
}

Test(fat_binary, what_was_written_is_read) {
  for (uint32_t count = 1; count <= HEDDLE_FAT_PARTS_MOST; count++) {
    struct heddle_fat_binary got, wrote = example(count);
    struct heddle_error error;
    uint8_t file[MOST_BYTES];
    const size_t size = write_file(&wrote, file);
    cr_assert(heddle_fat_claimed(file, size));
    cr_assert_eq(heddle_fat_read(file, size, &got, &error), 0, "%s", error.text);
    cr_assert_eq(got.count, count);
    for (uint32_t i = 0; i < count; i++) {
      cr_assert_eq(got.parts[i].kind, wrote.parts[i].kind);
      cr_assert_str_eq(got.parts[i].name, wrote.parts[i].name);
      cr_assert_str_eq(got.parts[i].product, wrote.parts[i].product);
      cr_assert(got.parts[i].size == PART && memcmp(got.parts[i].bytes, wrote.parts[i].bytes, PART) == 0);
    }
    cr_assert_eq(heddle_fat_bitstream(&got, "b1"), count > 1 ? &got.parts[1] : NULL);
    cr_assert_eq(heddle_fat_bitstream(&got, "kernels"), NULL);
  }
}

Test(fat_binary, any_other_length_is_refused) {
  uint8_t file[MOST_BYTES + 8] = {0};
  const struct heddle_fat_binary fat = example(3);
  const size_t whole = write_file(&fat, file);
  for (size_t size = 0; size <= whole + 8; size++)
    cr_assert_eq(read_file(file, size) == 0, size == whole, "%zu bytes", size);
}

Test(fat_binary, any_changed_bit_is_found) {
  uint8_t file[MOST_BYTES];
  const struct heddle_fat_binary fat = example(3);
  const size_t size = write_file(&fat, file);
  for (size_t bit = 0; bit < 8 * size; bit++) {
    file[bit / 8] ^= (uint8_t)(1u << bit % 8);
    cr_assert_neq(read_file(file, size), 0, "bit %zu", bit);
    file[bit / 8] ^= (uint8_t)(1u << bit % 8);
  }
}

// Each with hashes that are right.
Test(fat_binary, tables_that_make_no_sense_are_refused) {
  static const struct {
    size_t at;
    uint8_t value;
  } cases[] = {{8, 2},                       // version
               {12, 0},                      // no parts
               {12, 33},                     // more than there may be
               {12, 2},                      // fewer than there are
               {15, 0x80},                   // far more
               {HEADER, 3},                  // an unknown kind
               {HEADER, 2},                  // no kernel file
               {HEADER + 4, 0},              // an empty part
               {HEADER + 4, 0xFF},           // one that is longer than the file
               {HEADER + 7, 0xFF},           // far longer
               {HEADER + 8, '\n'},           // a name that no message can show
               {HEADER + 71, 'x'},           // something behind a name's end
               {HEADER + 135, 'x'},          // and behind a product's
               {HEADER + RECORD + 8, '-'},   // a board that would be an option
               {HEADER + RECORD + 8, '/'},   // and one that would be a path
               {HEADER + RECORD + 8, 0},     // one without a name
               {HEADER + RECORD + 9, '2'}};  // the same board twice
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    uint8_t file[MOST_BYTES] = {0};
    const struct heddle_fat_binary fat = example(3);
    const size_t size = write_file(&fat, file);
    file[cases[i].at] = cases[i].value;
    mend(file, file[12] <= HEDDLE_FAT_PARTS_MOST ? file[12] : 3);
    cr_assert_neq(read_file(file, size), 0, "case %zu", i);
  }
}

Test(fat_binary, boards_are_told_in_a_line) {
  char text[64];
  const struct heddle_fat_binary some = example(3), none = example(1), many = example(HEDDLE_FAT_PARTS_MOST);
  cr_assert_str_eq(heddle_fat_boards(&some, text, sizeof text), "b1, b2");
  cr_assert_str_eq(heddle_fat_boards(&none, text, sizeof text), "none");
  cr_assert_eq(strlen(heddle_fat_boards(&many, text, sizeof text)), sizeof text - 1);
}
