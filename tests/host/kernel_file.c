// SPDX-License-Identifier: Apache-2.0
// The loader against kernel files that are right, and against ones that are not: it takes bytes of any origin.
// Built with AddressSanitizer and UBSan (build.mk), so that a read past the file's end fails the test.
#include "host/device/kernel_file.h"

#include <criterion/criterion.h>
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract/device_map.h"
#include "tests/host/elf_builder.h"

static const struct built_kernel two_kernels[2] = {
    {.name = "first", .local_bytes = 64, .stack_bytes = 100, .prints = 1},
    {.name = "second", .reqd_work_group_size = {8, 2, 1}, .sub_group_size = 4},
};

static uint8_t *good_file(size_t *size) {
  return build_elf(two_kernels, 2, "rv32im_zicsr", size);
}

// Opens a copy that ends where its allocation ends.
static int open_bytes(const uint8_t *bytes, size_t size, struct heddle_kernel_file **file) {
  struct heddle_error error = {""};
  uint8_t *copy = malloc(size ? size : 1);
  memcpy(copy, bytes, size);
  const int result = heddle_kernel_file_open(copy, size, file, &error);
  free(copy);
  if (result != 0)
    cr_assert(error.text[0] != 0, "a refusal says why");
  return result;
}

// What a program would do with a file that was accepted.
static void use(const struct heddle_kernel_file *file) {
  size_t sum = strlen(file->isa);
  for (uint32_t i = 0; i < file->num_kernels; i++) {
    const struct heddle_kernel *kernel = &file->kernels[i];
    sum += strlen(kernel->name) + strlen(kernel->attributes);
    cr_assert_lt(kernel->entry, file->image_bytes);
    for (uint32_t j = 0; j < kernel->num_arguments; j++) {
      const struct heddle_argument *argument = &kernel->arguments[j];
      sum += strlen(argument->name) + strlen(argument->type_name);
      cr_assert_leq((uint64_t)argument->offset + argument->size, kernel->argument_bytes);
    }
  }
  for (uint32_t i = 0; i < file->printf_layouts.count; i++)
    for (uint32_t j = 0; j < file->printf_layouts.items[i].num_values; j++)
      sum += file->printf_layouts.items[i].values[j].bytes;
  for (uint32_t i = 0; i < file->num_kernels; i++) {
    const struct heddle_printf_layouts *layouts = &file->kernels[i].pipeline_layouts;
    for (uint32_t j = 0; j < layouts->count; j++)
      sum += layouts->items[j].record_bytes;
    for (uint32_t at = 0; at < 0x30000; at += at % 0x10000 < 16 ? 1 : 0x10000 - 16) {
      const char *string = heddle_kernel_pipeline_string(&file->kernels[i], HEDDLE_PIPELINE_TABLES + at);
      sum += string ? strlen(string) : 0;
    }
  }
  for (uint32_t offset = 0; offset < 0x1000; offset += 0x55) {
    const char *string = heddle_kernel_file_string(file, offset);
    sum += string ? strlen(string) : 0;
  }
  // Larger ones are legal, and a waste of the test's time.
  if (file->image_bytes <= 1 << 20)
    free(heddle_kernel_file_image(file, 0x7000));
  cr_assert_gt(sum, 0);
}

Test(kernel_file, describes_its_kernels) {
  size_t size;
  uint8_t *bytes = good_file(&size);
  struct heddle_kernel_file *file;
  cr_assert_eq(open_bytes(bytes, size, &file), 0);
  cr_assert_str_eq(file->isa, "rv32im_zicsr");
  cr_assert_eq(file->num_kernels, 2);
  cr_assert_eq(file->image_bytes, BUILT_IMAGE_BYTES + 0x10);
  const struct heddle_kernel *first = heddle_kernel_file_find(file, "first");
  const struct heddle_kernel *second = heddle_kernel_file_find(file, "second");
  cr_assert(first && second && !heddle_kernel_file_find(file, "third"));
  cr_assert_eq(first->local_bytes, 64);
  cr_assert_eq(first->stack_bytes, 100);
  cr_assert_eq(second->entry, 0x140);
  cr_assert_eq(second->reqd_work_group_size[1], 2);
  cr_assert_eq(second->required_sub_group_size, 4);
  cr_assert(first->prints && !second->prints);
  cr_assert_eq(file->printf_layouts.count, BUILT_LAYOUTS);
  cr_assert_eq(file->printf_layouts.items[1].record_bytes, 12 + 4 + 16);
  cr_assert(first->has_hash && !second->has_hash);
  cr_assert_eq(first->pipeline_layouts.count, 2);
  cr_assert_eq(first->pipeline_layouts.items[0].record_bytes, 12 + 8);
  const uint32_t second_constant = HEDDLE_PIPELINE_TABLES + (1u << HEDDLE_PIPELINE_TABLE_LOG2);
  cr_assert_str_eq(heddle_kernel_pipeline_string(first, second_constant + 3), "%ls");
  cr_assert_null(heddle_kernel_pipeline_string(first, HEDDLE_PIPELINE_TABLES), "a string without an end");
  cr_assert_null(heddle_kernel_pipeline_string(first, second_constant + 8), "behind a constant");
  cr_assert_null(heddle_kernel_pipeline_string(first, second_constant - 1), "between constants");
  cr_assert_null(heddle_kernel_pipeline_string(second, second_constant), "of a kernel without a pipeline");
  cr_assert(first->num_variables == 1 && second->num_variables == 0);
  cr_assert_eq(heddle_kernel_packet_bytes(first), (first->argument_bytes + 3) / 4 * 4 + 4);
  cr_assert_eq(heddle_kernel_packet_bytes(second), second->argument_bytes);
  cr_assert_str_eq(second->arguments[3].name, "scratch");
  cr_assert_eq(second->arguments[3].address_space, HEDDLE_LOCAL);
  cr_assert_eq(second->arguments[2].type_qualifiers, HEDDLE_CONST);
  heddle_kernel_file_close(file);
  free(bytes);
}

// The builder's file with the variable elsewhere.
static int open_with_variable_at(uint32_t place) {
  size_t size, at = 0;
  uint8_t *bytes = good_file(&size);
  const uint32_t variable[] = {BUILT_VARIABLE, 0x6C6C6177};
  while (at + sizeof variable <= size && memcmp(bytes + at, variable, sizeof variable) != 0)
    at++;
  cr_assert_leq(at + sizeof variable, size, "the built file has no such variable");
  memcpy(bytes + at, &place, sizeof place);
  struct heddle_kernel_file *file;
  const int result = open_bytes(bytes, size, &file);
  if (result == 0)
    heddle_kernel_file_close(file);
  free(bytes);
  return result;
}

Test(kernel_file, variables_of_pipelines_are_in_the_image) {
  static const uint32_t inside[] = {0, BUILT_VARIABLE, BUILT_IMAGE_BYTES + 0xF};
  static const uint32_t outside[] = {BUILT_IMAGE_BYTES + 0x10, 0x10000, 0x80000000, 0xFFFFFFFF};
  for (size_t i = 0; i < sizeof inside / sizeof *inside; i++)
    cr_expect_eq(open_with_variable_at(inside[i]), 0, "0x%x", inside[i]);
  for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
    cr_expect_eq(open_with_variable_at(outside[i]), -EINVAL, "0x%x", outside[i]);
}

Test(kernel_file, relative_relocations_add_the_base) {
  size_t size;
  uint8_t *bytes = good_file(&size);
  struct heddle_kernel_file *file;
  cr_assert_eq(open_bytes(bytes, size, &file), 0);
  uint8_t *image = heddle_kernel_file_image(file, 0x5000);
  uint32_t word;
  memcpy(&word, image + BUILT_RELOCATED_WORD, 4);
  cr_assert_eq(word, 0x5000 + BUILT_ADDEND, "expected 0x%x, got 0x%x", 0x5000 + BUILT_ADDEND, word);
  cr_assert_eq(image[BUILT_IMAGE_BYTES + 4], 0, "memory behind the file's bytes is zero");
  free(image);
  heddle_kernel_file_close(file);
  free(bytes);
}

// Its four bytes are all in the image, up to the last.
Test(kernel_file, relocations_end_in_the_image) {
  size_t size, at = 0;
  uint8_t *bytes = good_file(&size);
  const uint32_t relocation[] = {BUILT_RELOCATED_WORD, 3, BUILT_ADDEND};
  while (at + sizeof relocation <= size && memcmp(bytes + at, relocation, sizeof relocation) != 0)
    at++;
  cr_assert_leq(at + sizeof relocation, size, "the built file has no such relocation");
  for (uint32_t left = 0; left <= 8; left++) {
    const uint32_t place = BUILT_IMAGE_BYTES - left;
    struct heddle_kernel_file *file;
    memcpy(bytes + at, &place, sizeof place);
    const int expected = left < 4 ? -EINVAL : 0, got = open_bytes(bytes, size, &file);
    cr_assert_eq(got, expected, "a relocation with %u bytes to the end: expected %d, got %d", left, expected, got);
    if (got == 0)
      heddle_kernel_file_close(file);
  }
  free(bytes);
}

Test(kernel_file, every_truncation_is_refused) {
  size_t size;
  uint8_t *bytes = good_file(&size);
  for (size_t shorter = 0; shorter < size; shorter++) {
    struct heddle_kernel_file *file;
    cr_assert_eq(open_bytes(bytes, shorter, &file), -EINVAL, "%zu of %zu bytes were accepted", shorter, size);
  }
  free(bytes);
}

// One word of the file becomes something extreme: accepted or refused, never touched out of bounds.
Test(kernel_file, every_extreme_word_is_survived) {
  static const uint32_t extremes[] = {0, 1, 3, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFFFFFFFC, 0x10000};
  size_t size;
  uint8_t *bytes = good_file(&size);
  for (size_t at = 0; at + 4 <= size; at += 2) {
    for (size_t i = 0; i < sizeof extremes / sizeof *extremes; i++) {
      uint8_t kept[4];
      struct heddle_kernel_file *file;
      memcpy(kept, bytes + at, 4);
      memcpy(bytes + at, &extremes[i], 4);
      if (open_bytes(bytes, size, &file) == 0) {
        use(file);
        heddle_kernel_file_close(file);
      }
      memcpy(bytes + at, kept, 4);
    }
  }
  free(bytes);
}

Test(kernel_file, random_damage_is_survived) {
  const long rounds = getenv("HEDDLE_TEST_LONG") ? 1000000 : 30000;
  uint32_t random = 12345;
  size_t size;
  uint8_t *good = good_file(&size);
  uint8_t *bytes = malloc(size);
  for (long round = 0; round < rounds; round++) {
    struct heddle_kernel_file *file;
    memcpy(bytes, good, size);
    for (int change = 0; change < 1 + (int)(round % 8); change++) {
      random = random * 1664525 + 1013904223;
      bytes[(random >> 8) % size] = (uint8_t)(random >> 3);
    }
    if (open_bytes(bytes, size, &file) == 0) {
      use(file);
      heddle_kernel_file_close(file);
    }
  }
  free(bytes);
  free(good);
}

static void expect_refused(void (*damage)(uint8_t *bytes), const char *what) {
  size_t size;
  uint8_t *bytes = good_file(&size);
  struct heddle_kernel_file *file;
  damage(bytes);
  cr_assert_eq(open_bytes(bytes, size, &file), -EINVAL, "a file was accepted: %s", what);
  free(bytes);
}

static void for_64_bits(uint8_t *bytes) {
  bytes[EI_CLASS] = ELFCLASS64;
}
static void for_x86(uint8_t *bytes) {
  bytes[offsetof(Elf32_Ehdr, e_machine)] = EM_386;
}
static void executable(uint8_t *bytes) {
  bytes[offsetof(Elf32_Ehdr, e_type)] = ET_EXEC;
}
static void no_segments(uint8_t *bytes) {
  bytes[offsetof(Elf32_Ehdr, e_phnum)] = 0;
}
static void no_sections(uint8_t *bytes) {
  bytes[offsetof(Elf32_Ehdr, e_shnum)] = 0;
}
static void segment_above_global_memory(uint8_t *bytes) {
  bytes[sizeof(Elf32_Ehdr) + offsetof(Elf32_Phdr, p_vaddr) + 3] = 0x80;
}

Test(kernel_file, other_files_are_refused) {
  expect_refused(for_64_bits, "64 bits");
  expect_refused(for_x86, "another machine");
  expect_refused(executable, "ET_EXEC");
  expect_refused(no_segments, "nothing to load");
  expect_refused(no_sections, "no notes");
  expect_refused(segment_above_global_memory, "a segment outside global memory");
}

Test(kernel_file, two_kernels_of_one_name_are_refused) {
  const struct built_kernel same[2] = {{.name = "k"}, {.name = "k"}};
  size_t size;
  uint8_t *bytes = build_elf(same, 2, "rv32im_zicsr", &size);
  struct heddle_kernel_file *file;
  cr_assert_eq(open_bytes(bytes, size, &file), -EINVAL);
  free(bytes);
}

// ---- Files that ask for more work than they have bytes

// A good file with a piece of bytes behind it, and `count` more sections of a type, all on that piece.
static uint8_t *with_sections(const uint8_t *piece, size_t piece_bytes, uint32_t type, uint32_t flags, uint32_t count,
                              size_t *size) {
  size_t good_bytes;
  uint8_t *good = good_file(&good_bytes);
  Elf32_Ehdr header;
  memcpy(&header, good, sizeof header);
  const size_t piece_at = (good_bytes + 15) & ~(size_t)15, table_at = (piece_at + piece_bytes + 15) & ~(size_t)15;
  const size_t old_bytes = (size_t)header.e_shnum * header.e_shentsize;
  *size = table_at + old_bytes + (size_t)count * header.e_shentsize;
  uint8_t *bytes = calloc(1, *size);
  memcpy(bytes, good, good_bytes);
  memcpy(bytes + piece_at, piece, piece_bytes);
  memcpy(bytes + table_at, good + header.e_shoff, old_bytes);
  const Elf32_Shdr section = {
      .sh_type = type, .sh_flags = flags, .sh_offset = (uint32_t)piece_at, .sh_size = (uint32_t)piece_bytes};
  for (uint32_t i = 0; i < count; i++)
    memcpy(bytes + table_at + old_bytes + (size_t)i * header.e_shentsize, &section, sizeof section);
  header.e_shoff = (uint32_t)table_at;
  header.e_shnum = (uint16_t)(header.e_shnum + count);
  memcpy(bytes, &header, sizeof header);
  free(good);
  return bytes;
}

static uint8_t *put_words(uint8_t *at, const uint32_t *words, size_t count) {
  memcpy(at, words, 4 * count);
  return at + 4 * count;
}

// The note of a kernel without arguments, of a name of 8 characters.
enum { NAMED_BYTES = 4 * (3 + 2 + 16) + 12 };
static uint8_t *put_named(uint8_t *at, uint32_t type, uint32_t number) {
  char name[12] = "";
  const uint32_t note[] = {7, 4 * 16 + 12, type};
  const uint32_t words[16] = {[0] = 1, [1] = 0x100, [13] = 12, [14] = 0, [15] = 11};
  snprintf(name, sizeof name, "%08u", number);
  at = put_words(at, note, 3);
  memcpy(at, "Heddle\0", 8);
  at = put_words(at + 8, words, 16);
  memcpy(at, name, 12);
  return at + 12;
}

// Quadratic work on these takes minutes; the suite's time limit is what finds it.
Test(kernel_file, sections_on_the_same_bytes_are_refused, .timeout = 60) {
  enum { NOTES = 400, RELOCATIONS = 4000, SECTIONS = 60000 };
  uint8_t *notes = calloc(NOTES, NAMED_BYTES), *end = notes;
  Elf32_Rela *relocations = calloc(RELOCATIONS, sizeof *relocations);
  for (uint32_t i = 0; i < NOTES; i++)
    end = put_named(end, 1, i);
  for (uint32_t i = 0; i < RELOCATIONS; i++)
    relocations[i] = (Elf32_Rela){.r_offset = BUILT_RELOCATED_WORD, .r_info = 3};
  const struct {
    const void *piece;
    size_t bytes;
    uint32_t type, flags;
  } cases[] = {{notes, (size_t)(end - notes), SHT_NOTE, 0},
               {relocations, RELOCATIONS * sizeof *relocations, SHT_RELA, SHF_ALLOC}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    size_t size;
    struct heddle_kernel_file *file;
    uint8_t *bytes = with_sections(cases[i].piece, cases[i].bytes, cases[i].type, cases[i].flags, SECTIONS, &size);
    cr_expect_eq(open_bytes(bytes, size, &file), -EINVAL, "case %zu", i);
    free(bytes);
  }
  free(notes);
  free(relocations);
}

Test(kernel_file, any_number_of_kernels_is_found_by_name, .timeout = 60) {
  enum { KERNELS = 200000 };
  uint8_t *notes = calloc(KERNELS, NAMED_BYTES), *end = notes;
  for (uint32_t i = 0; i < KERNELS; i++)
    end = put_named(end, 1, i * 7919u % KERNELS);
  size_t size;
  struct heddle_kernel_file *file;
  uint8_t *bytes = with_sections(notes, (size_t)(end - notes), SHT_NOTE, 0, 1, &size);
  cr_assert_eq(open_bytes(bytes, size, &file), 0);
  cr_expect_eq(file->num_kernels, KERNELS + 2);
  for (uint32_t i = 0; i < KERNELS; i++) {
    char name[12];
    snprintf(name, sizeof name, "%08u", i);
    const struct heddle_kernel *kernel = heddle_kernel_file_find(file, name);
    cr_assert(kernel && strcmp(kernel->name, name) == 0, "kernel %s of many is not found", name);
  }
  cr_expect_null(heddle_kernel_file_find(file, "99999999"));
  heddle_kernel_file_close(file);
  // One name twice, far apart.
  put_named(notes + (size_t)(KERNELS - 1) * NAMED_BYTES, 1, 5);
  free(bytes);
  bytes = with_sections(notes, (size_t)(end - notes), SHT_NOTE, 0, 1, &size);
  cr_expect_eq(open_bytes(bytes, size, &file), -EINVAL, "two kernels of one name");
  free(bytes);
  free(notes);
}

// Each argument's name begins in a megabyte of text that has one end.
Test(kernel_file, long_names_are_not_read_once_for_each_argument, .timeout = 60) {
  enum { ARGUMENTS = 60000, TEXT = 4 << 20, WORDS = 16 + 10 * ARGUMENTS };
  const size_t note_bytes = 4u * WORDS + TEXT;
  uint8_t *note = calloc(1, 20 + note_bytes);
  uint32_t *words = (uint32_t *)(void *)(note + 20);
  const uint32_t start[] = {7, (uint32_t)note_bytes, 1};
  put_words(note, start, 3);
  memcpy(note + 12, "Heddle\0", 8);
  words[0] = 1;
  words[1] = 0x100;
  words[12] = ARGUMENTS;
  words[13] = TEXT;
  words[15] = TEXT - 1;
  for (uint32_t i = 0; i < ARGUMENTS; i++) {
    words[16 + 10 * i + 7] = i;
    words[16 + 10 * i + 8] = i;
  }
  memset(note + 20 + 4u * WORDS, 'a', TEXT - 1);
  size_t size;
  struct heddle_kernel_file *file;
  uint8_t *bytes = with_sections(note, 20 + note_bytes, SHT_NOTE, 0, 1, &size);
  cr_assert_eq(open_bytes(bytes, size, &file), 0);
  cr_expect_eq(file->kernels[file->num_kernels - 1].num_arguments, ARGUMENTS);
  heddle_kernel_file_close(file);
  free(bytes);
  free(note);
}

// What is not in the file costs no memory on the host.
Test(kernel_file, an_image_that_is_mostly_zeros_takes_no_memory, .timeout = 60) {
  size_t size;
  uint8_t *bytes = good_file(&size);
  Elf32_Ehdr header;
  Elf32_Phdr segment;
  memcpy(&header, bytes, sizeof header);
  memcpy(&segment, bytes + header.e_phoff, sizeof segment);
  segment.p_memsz = 512u << 20;
  memcpy(bytes + header.e_phoff, &segment, sizeof segment);
  struct heddle_kernel_file *file;
  cr_assert_eq(open_bytes(bytes, size, &file), 0);
  cr_expect_geq(file->image_bytes, 512u << 20);
  heddle_kernel_file_close(file);
  free(bytes);
}
