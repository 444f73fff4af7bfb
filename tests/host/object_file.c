// SPDX-License-Identifier: Apache-2.0
// Object files (contract/object_file.h): what is read is what was written, and nothing else is.
#include "contract/object_file.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { BITCODE_BYTES = 50, FILE_BYTES = HEDDLE_OBJECT_HEADER_BYTES + BITCODE_BYTES };

static const struct heddle_object_file example = {.kind = HEDDLE_LIBRARY,
                                                  .flags = HEDDLE_OBJECT_DEBUG | HEDDLE_OBJECT_DOUBLE,
                                                  .compiler = "a compiler 1",
                                                  .isa = "rv32i"};

static void write_file(struct heddle_object_file object, uint8_t file[FILE_BYTES]) {
  for (int i = 0; i < BITCODE_BYTES; i++)
    file[HEDDLE_OBJECT_HEADER_BYTES + i] = (uint8_t)(3 * i);
  object.bitcode = file + HEDDLE_OBJECT_HEADER_BYTES;
  object.bitcode_bytes = BITCODE_BYTES;
  heddle_object_file_header(&object, file);
}

// In memory of its very size, so that a look behind its end is found.
static int read_file(const uint8_t *file, size_t size, struct heddle_object_file *object) {
  struct heddle_error error = {""};
  uint8_t *exact = malloc(size ? size : 1);
  memcpy(exact, file, size);
  const int result = heddle_object_file_read(exact, size, object, &error);
  if (result != 0)
    cr_expect_neq(error.text[0], 0, "a refusal of %zu bytes without a reason", size);
  free(exact);
  return result;
}

Test(object_file, what_was_written_is_read) {
  struct heddle_object_file object;
  struct heddle_error error;
  uint8_t file[FILE_BYTES];
  write_file(example, file);
  cr_assert(heddle_object_file_claimed(file, sizeof file));
  cr_assert_eq(heddle_object_file_read(file, sizeof file, &object, &error), 0);
  cr_assert(object.kind == example.kind && object.flags == example.flags);
  cr_assert_str_eq(object.compiler, example.compiler);
  cr_assert_str_eq(object.isa, example.isa);
  cr_assert(object.bitcode == file + HEDDLE_OBJECT_HEADER_BYTES && object.bitcode_bytes == BITCODE_BYTES);
}

Test(object_file, any_other_length_is_refused) {
  struct heddle_object_file object;
  uint8_t file[FILE_BYTES + 8] = {0};
  write_file(example, file);
  for (size_t size = 0; size <= sizeof file; size++)
    cr_assert_eq(read_file(file, size, &object) == 0, size == FILE_BYTES, "%zu bytes", size);
}

Test(object_file, any_changed_bit_is_found) {
  struct heddle_object_file object;
  uint8_t file[FILE_BYTES];
  write_file(example, file);
  for (size_t bit = 0; bit < 8 * sizeof file; bit++) {
    file[bit / 8] ^= (uint8_t)(1u << bit % 8);
    cr_assert_neq(read_file(file, sizeof file, &object), 0, "bit %zu", bit);
    file[bit / 8] ^= (uint8_t)(1u << bit % 8);
  }
}

Test(object_file, headers_that_make_no_sense_are_refused) {
  struct heddle_object_file object, wrong[] = {example, example, example, example, example, example};
  uint8_t file[FILE_BYTES];
  wrong[0].kind = 0;
  wrong[1].kind = 3;
  wrong[2].flags = HEDDLE_OBJECT_FLAGS + 1;
  strcpy(wrong[3].compiler, "");
  strcpy(wrong[4].isa, "rv32i\n");
  strcpy(wrong[5].isa, "rv32i\xFF");
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    write_file(wrong[i], file);
    cr_assert_neq(read_file(file, sizeof file, &object), 0, "case %zu", i);
  }
}

Test(object_file, texts_that_fill_their_fields_are_ended) {
  struct heddle_object_file object, longest = example;
  uint8_t file[FILE_BYTES];
  memset(longest.compiler, 'x', sizeof longest.compiler);
  memset(longest.isa, 'y', sizeof longest.isa);
  write_file(longest, file);
  cr_assert_eq(read_file(file, sizeof file, &object), 0);
  cr_assert(strlen(object.compiler) == sizeof object.compiler - 1 && strlen(object.isa) == sizeof object.isa - 1);
}
