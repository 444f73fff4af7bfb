// SPDX-License-Identifier: Apache-2.0
// From records to text: what formats do, that lines are whole, and that nothing a kernel leaves in the buffer does
// harm. Built with AddressSanitizer and UBSan (build.mk).
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract/device_map.h"
#include "host/device/printf_format.h"
#include "host/device/printf_lines.h"
#include "host/device/printf_records.h"
#include "tests/host/elf_builder.h"

static const char *a_string(void *user, uint32_t address) {
  (void)user;
  return address == 0x1234 ? "found" : NULL;
}

// The layout of values each in a place of 8 bytes.
static struct heddle_printf_layout layout_of(struct heddle_printf_value *values, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    values[i].offset = 8 * i;
  return (struct heddle_printf_layout){.values = values, .num_values = count, .record_bytes = 8 * count};
}

static void expect_format(const char *format, const struct heddle_printf_layout *layout, const uint8_t *record,
                          const char *expected) {
  struct heddle_text text = {0};
  cr_assert(heddle_printf_format(&text, format, layout, record, a_string, NULL));
  cr_assert(text.count == strlen(expected) && memcmp(text.bytes, expected, text.count) == 0,
            "\"%s\": expected \"%s\", got \"%.*s\"", format, expected, (int)text.count, text.bytes);
  heddle_text_free(&text);
}

Test(printf, takes_lengths_and_kinds_from_the_specification) {
  struct heddle_printf_value values[] = {{.kind = HEDDLE_PRINTF_INTEGER, .bytes = 4, .count = 1},
                                         {.kind = HEDDLE_PRINTF_FLOAT, .bytes = 4, .count = 1},
                                         {.kind = HEDDLE_PRINTF_POINTER, .bytes = 4, .count = 1},
                                         {.kind = HEDDLE_PRINTF_INTEGER, .bytes = 8, .count = 1},
                                         {.kind = HEDDLE_PRINTF_INTEGER, .bytes = 2, .count = 4}};
  const struct heddle_printf_layout layout = layout_of(values, 5);
  const uint8_t record[40] = {0xFE, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 0xC0, 0x3F, 0, 0, 0, 0, 0x34, 0x12, 0, 0,
                              0,    0,    0,    0,    0, 0, 0, 0, 0, 1, 0,    0,    1, 0, 2, 0, 0xFF, 0xFF, 4, 0};
  expect_format("%d %f %s %ld %v4hd", &layout, record, "-2 1.500000 found 1099511627776 1,2,-1,4");
  expect_format("%hhu|%a|%8.2s|%#lx|%v4hx", &layout, record, "254|0x1.8p+0|      fo|0x10000000000|1,2,ffff,4");
  expect_format("%f %d %p %d %v3hd", &layout, record, "%f %d 0x1234 0 %v3hd");
  expect_format("%lc %v2c %5q %", &layout, record, "%lc %v2c %5q %");
  expect_format("%d%d%d%d%d%d", &layout, record, "-2%d%d0%d%d");
}

// Every kind of half: the smallest and largest subnormal, the smallest normal, the largest, both infinities, a zero.
Test(printf, halves_are_printed_exactly) {
  static const struct {
    uint16_t half;
    const char *hexadecimal, *decimal;
  } cases[] = {{0x0001, "0x1p-24", "5.96046e-08"},
               {0x83FF, "-0x1.ff8p-15", "-6.09756e-05"},
               {0x0400, "0x1p-14", "6.10352e-05"},
               {0x7BFF, "0x1.ffcp+15", "65504"},
               {0x7C00, "inf", "inf"},
               {0xFC00, "-inf", "-inf"},
               {0x8000, "-0x0p+0", "-0"},
               {0x3555, "0x1.554p-2", "0.333252"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct heddle_printf_value values[] = {{.kind = HEDDLE_PRINTF_FLOAT, .bytes = 2, .count = 1}};
    const struct heddle_printf_layout layout = layout_of(values, 1);
    const uint8_t record[8] = {(uint8_t)cases[i].half, (uint8_t)(cases[i].half >> 8)};
    expect_format("%a", &layout, record, cases[i].hexadecimal);
    expect_format("%g", &layout, record, cases[i].decimal);
  }
}

// Each value begins at a word and takes whole words (contract/DEVICE.md).
Test(printf, values_in_a_record_take_whole_words) {
  enum { VALUES = 6, HEADER = HEDDLE_PRINTF_RECORD_VALUES * 4 };
#define VALUE(kind, bytes, count) (uint32_t)(kind) | (bytes) << 8 | (count) << 16
  const uint32_t words[] = {VALUES,
                            VALUE(HEDDLE_PRINTF_INTEGER, 1, 1),
                            VALUE(HEDDLE_PRINTF_FLOAT, 2, 1),
                            VALUE(HEDDLE_PRINTF_INTEGER, 1, 3),
                            VALUE(HEDDLE_PRINTF_INTEGER, 2, 3),
                            VALUE(HEDDLE_PRINTF_INTEGER, 8, 1),
                            VALUE(HEDDLE_PRINTF_POINTER, 4, 1)};
#undef VALUE
  const uint32_t offsets[VALUES] = {0, 4, 8, 12, 20, 28};
  struct heddle_printf_layouts layouts;
  cr_assert_eq(heddle_printf_layouts_read((const uint8_t *)words, sizeof words, 1, &layouts), 0);
  for (uint32_t i = 0; i < VALUES; i++)
    cr_assert_eq(layouts.items[0].values[i].offset, HEADER + offsets[i], "value %u: expected at %u, got %u", i,
                 HEADER + offsets[i], layouts.items[0].values[i].offset);
  cr_assert_eq(layouts.items[0].record_bytes, HEADER + 32);
  heddle_printf_layouts_free(&layouts);
}

Test(printf, widths_are_limited) {
  struct heddle_printf_value values[] = {{.kind = HEDDLE_PRINTF_INTEGER, .bytes = 4, .count = 1}};
  const struct heddle_printf_layout layout = layout_of(values, 1);
  const uint8_t record[8] = {7};
  char longest[4096];
  snprintf(longest, sizeof longest, "%4095d", 7);
  expect_format("%4095d", &layout, record, longest);
  expect_format("%4096d", &layout, record, "%4096d");
  expect_format("%.99999999999999999999d", &layout, record, "%.99999999999999999999d");
}

// Random formats of the characters that mean something.
Test(printf, any_format_is_survived) {
  static const char alphabet[] = "%%%%-+ #0123456789.vhlldiouxXfFeEgGaAcspnq*L\n";
  struct heddle_printf_value values[] = {{.kind = HEDDLE_PRINTF_INTEGER, .bytes = 4, .count = 1},
                                         {.kind = HEDDLE_PRINTF_FLOAT, .bytes = 8, .count = 1},
                                         {.kind = HEDDLE_PRINTF_INTEGER, .bytes = 1, .count = 8},
                                         {.kind = HEDDLE_PRINTF_POINTER, .bytes = 4, .count = 1},
                                         {.kind = HEDDLE_PRINTF_FLOAT, .bytes = 2, .count = 4}};
  const struct heddle_printf_layout layout = layout_of(values, 5);
  uint32_t random = 99;
  for (int round = 0; round < 100000; round++) {
    char format[24] = "";
    uint8_t *record = malloc(layout.record_bytes);
    for (size_t i = 0; i < sizeof format - 1; i++) {
      random = random * 1664525 + 1013904223;
      format[i] = alphabet[(random >> 8) % (sizeof alphabet - 1)];
    }
    for (uint32_t i = 0; i < layout.record_bytes; i++)
      record[i] = (uint8_t)(random >> (i % 24));
    struct heddle_text text = {0};
    cr_assert(heddle_printf_format(&text, format, &layout, record, a_string, NULL));
    heddle_text_free(&text);
    free(record);
  }
}

// A stream whose text is looked at afterwards.
struct stream {
  FILE *file;
  char *text;
  size_t bytes;
};

static void open_stream(struct stream *stream) {
  stream->file = open_memstream(&stream->text, &stream->bytes);
  cr_assert(stream->file);
}

static void expect_stream(struct stream *stream, const char *expected) {
  fclose(stream->file);
  cr_assert_str_eq(stream->text, expected);
  free(stream->text);
}

Test(printf, lines_have_the_text_of_one_work_item) {
  struct stream stream;
  open_stream(&stream);
  struct heddle_printf_lines lines = {.out = stream.file};
  static const struct {
    uint32_t work_item;
    const char *text;
  } pieces[] = {{7, "seven "}, {8, "eight\n"}, {7, "and\nse"}, {9, ""}, {8, "8"}, {7, "ven\n"}, {9, "last"}, {8, "8"}};
  for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
    cr_assert(heddle_printf_lines_add(&lines, pieces[i].work_item, pieces[i].text, strlen(pieces[i].text)));
  heddle_printf_lines_finish(&lines);
  expect_stream(&stream, "eight\nseven and\nseven\n88last");
}

Test(printf, many_work_items_may_have_begun_a_line) {
  enum { ITEMS = 5000 };
  struct stream stream;
  open_stream(&stream);
  struct heddle_printf_lines lines = {.out = stream.file};
  char expected[ITEMS * 12] = "", piece[24];
  for (uint32_t part = 0; part < 2; part++)
    for (uint32_t i = 0; i < ITEMS; i++) {
      const int bytes = snprintf(piece, sizeof piece, part == 0 ? "%u" : "-%u\n", i);
      cr_assert(heddle_printf_lines_add(&lines, i * 64, piece, (size_t)bytes));
    }
  size_t used = 0;
  for (uint32_t i = 0; i < ITEMS; i++)
    used += (size_t)sprintf(expected + used, "%u-%u\n", i, i);
  heddle_printf_lines_finish(&lines);
  expect_stream(&stream, expected);
}

// ---- records, with the layouts of elf_builder.c and strings in the image

enum { BASE = 0x5000, HELLO = 0x200, VALUES = 0x210, NAMED = 0x230, UNENDED = BUILT_IMAGE_BYTES - 4 };

static struct heddle_kernel_file *file_with_strings(void) {
  static const struct built_kernel kernel = {.name = "k", .prints = 1};
  size_t size;
  uint8_t *bytes = build_elf(&kernel, 1, "rv32im_zicsr", &size);
  struct heddle_kernel_file *file;
  struct heddle_error error;
  strcpy((char *)bytes + BUILT_IMAGE_AT + HELLO, "hello\n");
  strcpy((char *)bytes + BUILT_IMAGE_AT + VALUES, "%d %v4hlf\n");
  strcpy((char *)bytes + BUILT_IMAGE_AT + NAMED, "%s %ld\n");
  memset(bytes + BUILT_IMAGE_AT + UNENDED, 'x', 4);
  cr_assert_eq(heddle_kernel_file_open(bytes, size, &file, &error), 0, "%s", error.text);
  free(bytes);
  return file;
}

static int write_words(const struct heddle_kernel_file *file, const uint32_t *words, size_t bytes, FILE *out) {
  struct heddle_printed printed = {.records = malloc(bytes ? bytes : 1), .bytes = (uint32_t)bytes};
  memcpy(printed.records, words, bytes);
  const int result = heddle_printf_write(file, BASE, NULL, &printed, out);
  free(printed.records);
  return result;
}

#define DONE HEDDLE_PRINTF_COMPLETE
// clang-format off
static const uint32_t good_records[] = {
    DONE | 1, 0, BASE + HELLO,
    0, 0, 0, 0,                                                        // reserved only
    DONE | 2, 1, BASE + VALUES, 42, 0x3F800000, 0x40000000, 0, 0xBF800000,
    2, 1, BASE + VALUES, 7, 0, 0, 0, 0,                                // not complete
    DONE | 3, 0, BASE + NAMED, BASE + HELLO, 1, 1,
    DONE | 1, 0, BASE + HELLO,
};
// clang-format on

Test(printf, records_become_text) {
  struct heddle_kernel_file *file = file_with_strings();
  struct stream stream;
  open_stream(&stream);
  cr_assert_eq(write_words(file, good_records, sizeof good_records, stream.file), 0);
  expect_stream(&stream, "hello\n42 1.000000,2.000000,0.000000,-1.000000\nhello\n 4294967297\nhello\n");
  heddle_kernel_file_close(file);
}

Test(printf, what_is_no_record_is_found) {
  struct heddle_kernel_file *file = file_with_strings();
  static const uint32_t wrong[][3] = {
      {DONE | 4, 0, BASE + HELLO},  // no such layout
      {DONE, 0, BASE + HELLO},      // nor this
      {DONE | 2, 0, BASE + HELLO},  // more than there is
      {DONE | 1, 0, BASE - 1},      // formats outside the image
      {DONE | 1, 0, BASE + 0x1000},
      {DONE | 1, 0, BASE + UNENDED},  // that goes on to its end
      {DONE | 1, 0, 0},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    struct stream stream;
    open_stream(&stream);
    cr_assert_eq(write_words(file, wrong[i], sizeof wrong[i], stream.file), -EBADMSG, "case %zu", i);
    expect_stream(&stream, "");
  }
  heddle_kernel_file_close(file);
}

Test(printf, any_contents_of_the_buffer_are_survived) {
  struct heddle_kernel_file *file = file_with_strings();
  uint32_t random = 4711, words[sizeof good_records / 4];
  for (int round = 0; round < 20000; round++) {
    char *text;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    memcpy(words, good_records, sizeof words);
    for (int change = 0; change <= round % 4; change++) {
      random = random * 1664525 + 1013904223;
      const uint32_t values[] = {random, random >> 24, BASE + (random >> 8) % 0x500, DONE | (random >> 29)};
      words[(random >> 10) % (sizeof words / 4)] = values[random >> 30];
    }
    write_words(file, words, (random >> 12) % (sizeof words + 1), out);
    fclose(out);
    free(text);
  }
  heddle_kernel_file_close(file);
}

// Kernels choose the numbers of work-items in their records: any choice is as good as another.
Test(printf, lines_of_any_work_items_are_told_apart, .timeout = 60) {
  enum { ITEMS = 100000 };
  FILE *out = tmpfile();
  struct heddle_printf_lines lines = {.out = out};
  for (uint32_t round = 0; round < 2; round++)
    for (uint32_t i = 0; i < ITEMS; i++)
      cr_assert(heddle_printf_lines_add(&lines, i * 0x2000u * 0x144CBC89u, round == 0 ? "a" : "b\n", 1 + round));
  heddle_printf_lines_finish(&lines);
  cr_expect_eq(ftell(out), 3L * ITEMS);
  fclose(out);
}
