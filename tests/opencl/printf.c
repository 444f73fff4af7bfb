// SPDX-License-Identifier: Apache-2.0
// printf, OpenCL C 3.0, section 6.15.14: what a kernel prints is what the host's own printf makes of the same format
// and values, whichever lanes call it from wherever, and lines are whole.
#include <criterion/criterion.h>
#include <fenv.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/include/CL/cl_heddle.h"
#include "tests/opencl/harness.h"
#include "tests/temporary.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

// ---- text that grows

struct text {
  char *bytes;
  size_t count, capacity;
};

static void add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(struct text *text, const char *format, ...) {
  if (text->capacity - text->count < 4096) {
    char *old = text->bytes;
    text->capacity = 2 * text->capacity + 8192;
    text->bytes = allocate(text->capacity);
    if (old)
      memcpy(text->bytes, old, text->count + 1);
    free(old);
  }
  va_list values;
  va_start(values, format);
  text->count += (size_t)vsnprintf(text->bytes + text->count, 4096, format, values);
  va_end(values);
}

// ---- what comes out

static int kept_stdout;
static FILE *capture;

static void begin_capture(void) {
  fflush(stdout);
  kept_stdout = dup(STDOUT_FILENO);
  capture = tmpfile();
  cr_assert(capture && kept_stdout >= 0);
  dup2(fileno(capture), STDOUT_FILENO);
}

// What the process has written to its standard output since, without flushing it: that is the library's part.
static struct text end_capture(void) {
  struct text text = {0};
  dup2(kept_stdout, STDOUT_FILENO);
  close(kept_stdout);
  const off_t bytes = lseek(fileno(capture), 0, SEEK_END);
  text.count = bytes > 0 ? (size_t)bytes : 0;
  text.bytes = allocate(text.count + 1);
  cr_assert_eq(pread(fileno(capture), text.bytes, text.count, 0), bytes);
  fclose(capture);
  return text;
}

static struct text printed_by(cl_kernel kernel, size_t global, size_t local) {
  begin_capture();
  run_1d(kernel, global, local);
  return end_capture();
}

// The line that the byte at an index is in, for messages.
static const char *line_around(const struct text *text, size_t index) {
  static char line[2][300];
  static int which;
  size_t start = index < text->count ? index : text->count;
  while (start > 0 && text->bytes[start - 1] != '\n')
    start--;
  const char *end = memchr(text->bytes + start, '\n', text->count - start);
  size_t length = (end ? (size_t)(end - text->bytes) : text->count) - start;
  which = !which;
  snprintf(line[which], sizeof line[which], "%.*s", (int)length, text->bytes + start);
  return line[which];
}

static size_t count_lines(const struct text *text) {
  size_t lines = 0;
  for (size_t i = 0; i < text->count; i++)
    lines += text->bytes[i] == '\n';
  return lines;
}

static void expect_text(const struct text *expected, const struct text *got) {
  size_t i = 0;
  while (i < expected->count && i < got->count && expected->bytes[i] == got->bytes[i])
    i++;
  if (i < expected->count || i < got->count)
    fail("printed text, byte %zu: expected line \"%s\", got \"%s\" (%zu and %zu bytes in all)", i,
         line_around(expected, i), line_around(got, i), expected->count, got->count);
}

static void expect_printed(const char *expected, cl_kernel kernel, size_t global, size_t local) {
  const struct text text = {.bytes = (char *)(uintptr_t)expected, .count = strlen(expected)};
  const struct text got = printed_by(kernel, global, local);
  expect_text(&text, &got);
}

static cl_kernel kernel_from(const char *source) {
  return kernel_of(build(source, "-cl-std=CL3.0 -w"), "k");
}

// ---- every conversion with every flag, width and precision

// The 32 subsets of the flags, with some widths and precisions: what stands between % and length.
enum { VARIANTS = 32 * 3 * 3 };
static const char *variant(unsigned number, char text[16]) {
  static const char flags[] = "-+ #0";
  static const char *const widths[] = {"", "1", "12"}, *const precisions[] = {"", ".", ".5"};
  size_t used = 0;
  for (unsigned i = 0; i < 5; i++)
    if (number >> i & 1)
      text[used++] = flags[i];
  snprintf(text + used, 16 - used, "%s%s", widths[number / 32 % 3], precisions[number / 96 % 3]);
  return text;
}

// A table of formats "[%<variant><suffix>]\n" and a kernel whose work-item i prints value `which` of a table with the
// format i.
static cl_kernel table_kernel(const char *type, const char *values, const char *const *suffixes, size_t num_suffixes) {
  struct text source = {0};
  char between[16];
  add(&source, "constant %s values[] = {%s};\nconstant char *constant formats[] = {\n", type, values);
  for (size_t s = 0; s < num_suffixes; s++)
    for (unsigned v = 0; v < VARIANTS; v++)
      add(&source, "\"[%%%s%s]\\n\",\n", variant(v, between), suffixes[s]);
  add(&source, "};\nkernel void k(int which) { printf(formats[get_global_id(0)], values[which]); }\n");
  return kernel_from(source.bytes);
}

static int by_line(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

// The lines of a text in an order that does not depend on which work-item came first.
static struct text sorted(struct text text) {
  struct text result = {0};
  char **lines = allocate((text.count + 1) * sizeof *lines);
  size_t count = 0;
  for (char *at = text.bytes; at && at < text.bytes + text.count; count++) {
    char *end = strchr(at, '\n');
    lines[count] = at;
    if (end)
      *end = 0;
    at = end ? end + 1 : NULL;
  }
  qsort(lines, count, sizeof *lines, by_line);
  for (size_t i = 0; i < count; i++)
    add(&result, "%s\n", lines[i]);
  free(lines);
  return result;
}

static void expect_same_lines(struct text expected, struct text got) {
  const struct text a = sorted(expected), b = sorted(got);
  expect_text(&a, &b);
}

// What the host prints for the same: with the length `host_length`, and a value of its type.
#define EXPECT_AS_HOST(kernel, which, suffixes, host_suffixes, value)                       \
  do {                                                                                      \
    struct text host = {0};                                                                 \
    char between[16], format[48];                                                           \
    for (size_t s = 0; s < COUNT(suffixes); s++)                                            \
      for (unsigned v = 0; v < VARIANTS; v++) {                                             \
        char line[512];                                                                     \
        snprintf(format, sizeof format, "[%%%s%s]", variant(v, between), host_suffixes[s]); \
        snprintf(line, sizeof line, format, value);                                         \
        add(&host, "%s\n", line);                                                           \
      }                                                                                     \
    const int index = (which);                                                              \
    set_args(kernel, ARG(index), END_ARGS);                                                 \
    expect_same_lines(host, printed_by(kernel, COUNT(suffixes) * VARIANTS, 0));             \
  } while (0)

// RTL is slow, and has little to do with what the host makes of a value: it gets the last one only.
static int first_value(size_t count) {
  return harness()->is_rtl ? (int)count - 1 : 0;
}

Test(printf, int_conversions_are_those_of_the_host) {
  static const char *const suffixes[] = {"d",  "i",  "o",  "u",   "x",   "X",   "hd",  "hi",  "ho",
                                         "hu", "hx", "hX", "hhd", "hhi", "hho", "hhu", "hhx", "hhX"};
  static const int values[] = {0, 42, -7, (int)0x89ABCDEF};
  cl_kernel kernel = table_kernel("int", "0, 42, -7, (int)0x89ABCDEF", suffixes, COUNT(suffixes));
  for (int i = first_value(COUNT(values)); i < (int)COUNT(values); i++)
    EXPECT_AS_HOST(kernel, i, suffixes, suffixes, values[i]);
}

Test(printf, long_conversions_are_those_of_the_host) {
  static const char *const suffixes[] = {"ld", "li", "lo", "lu", "lx", "lX"};
  static const long values[] = {0, 1234567890123, -1};
  cl_kernel kernel = table_kernel("long", "0, 1234567890123l, -1", suffixes, COUNT(suffixes));
  for (int i = first_value(COUNT(values)); i < (int)COUNT(values); i++)
    EXPECT_AS_HOST(kernel, i, suffixes, suffixes, values[i]);
}

static const char *const float_suffixes[] = {"f", "F", "e", "E", "g", "G", "a", "A"};

Test(printf, float_conversions_are_those_of_the_host) {
  static const float values[] = {0, -0.0f, 1.5f, -3.14159274f, 6.02e23f, 1e-40f, 999999.5f};
  cl_kernel kernel = table_kernel(
      "float", "0, -0.0f, 1.5f, -3.14159274f, 6.02e23f, 1e-40f, 999999.5f, INFINITY, -INFINITY, __builtin_nanf(\"\")",
      float_suffixes, COUNT(float_suffixes));
  for (int i = first_value(COUNT(values)); i < (int)COUNT(values); i++)
    EXPECT_AS_HOST(kernel, i, float_suffixes, float_suffixes, (double)values[i]);
  EXPECT_AS_HOST(kernel, 7, float_suffixes, float_suffixes, (double)__builtin_inff());
  EXPECT_AS_HOST(kernel, 8, float_suffixes, float_suffixes, -(double)__builtin_inff());
  EXPECT_AS_HOST(kernel, 9, float_suffixes, float_suffixes, (double)__builtin_nanf(""));
}

// A locale that the test makes: that of a machine may be C alone.
Test(printf, numbers_have_a_point_in_every_locale) {
  static const char numeric[] = "LC_NUMERIC\ndecimal_point \",\"\nthousands_sep \".\"\ngrouping 3;3\nEND LC_NUMERIC\n";
  char folder[TEMPORARY_BYTES], command[3 * TEMPORARY_BYTES + 64], host[16];
  cr_assert_not_null(mkdtemp(temporary_name(folder)));
  snprintf(command, sizeof command, "%s/source", folder);
  cr_assert(temporary_write(command, numeric));
  snprintf(command, sizeof command, "localedef -c -i %s/source %s/comma >/dev/null 2>&1", folder, folder);
  (void)!system(command);
  setenv("LOCPATH", folder, 1);
  cr_assert_not_null(setlocale(LC_ALL, "comma"));
  snprintf(host, sizeof host, "%.2f", 1.5);
  cr_assert_str_eq(host, "1,50");
  cl_kernel kernel = kernel_from("kernel void k(float x) { printf(\"%.2f %e %g %a\\n\", x, x, x, x); }");
  const cl_float value = 1.5F;
  set_args(kernel, ARG(value), END_ARGS);
  expect_printed("1.50 1.500000e+00 1.5 0x1.8p+0\n", kernel, 1, 1);
  snprintf(host, sizeof host, "%.2f", 1.5);
  if (strcmp(host, "1,50") != 0)
    fail("the program's own numbers behind a kernel's: expected 1,50, got %s", host);
  snprintf(command, sizeof command, "rm -rf %s", folder);
  cr_expect_eq(system(command), 0);
}

static void ignore_subnormals(void) {
#ifdef __SSE__
  enum { FLUSHED_TO_ZERO = 1 << 15, TAKEN_FOR_ZERO = 1 << 6 };
  __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | FLUSHED_TO_ZERO | TAKEN_FOR_ZERO);
#endif
}

// As a program may set it before it does anything else; flushing of subnormals comes with -ffast-math.
Test(printf, numbers_are_those_of_every_floating_point_environment) {
  static const int roundings[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  for (size_t i = 0; i < sizeof roundings / sizeof *roundings; i++) {
    fesetround(roundings[i]);
    ignore_subnormals();
    cl_kernel kernel =
        kernel_from("kernel void k(float x, float s) { printf(\"%.1f %.1f %.1f %a\\n\", x, 3 * x, -x, s); }");
    const cl_float value = 0.25F, subnormal = 0x1p-149F;
    set_args(kernel, ARG(value), ARG(subnormal), END_ARGS);
    expect_printed("0.2 0.8 -0.2 0x1p-149\n", kernel, 1, 1);
    if (fegetround() != roundings[i])
      fail("the program's rounding is another one behind a kernel");
  }
}

Test(printf, half_and_small_integers_are_promoted) {
  cl_kernel kernel = kernel_from(
      "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
      "kernel void k(global const half *h, char c, uchar uc, short s, ushort us) {\n"
      "  printf(\"%a %a %a %a|\", h[0], h[1], h[2], h[3]); printf(\"%d %d %d %d %hhu %hu\\n\", c, uc, s, us, c, s); "
      "}\n");
  // 1.5, the smallest subnormal, the largest, -inf
  const uint16_t halves[4] = {0x3E00, 0x0001, 0x7BFF, 0xFC00};
  cl_mem buffer = buffer_with(halves, sizeof halves);
  const int8_t c = -3;
  const uint8_t uc = 200;
  const int16_t s = -300;
  const uint16_t us = 65535;
  set_args(kernel, ARG(buffer), ARG(c), ARG(uc), ARG(s), ARG(us), END_ARGS);
  char expected[200];
  snprintf(expected, sizeof expected, "%a %a %a %a|%d %d %d %d %hhu %hu\n", 1.5, 0x1p-24, 65504.0,
           -(double)__builtin_inff(), c, uc, s, us, (unsigned char)c, (unsigned short)s);
  expect_printed(expected, kernel, 1, 1);
}

Test(printf, doubles_print_where_they_are_offered) {
  setenv("HEDDLE_DOUBLE", "1", 1);  // before the library looks, which it does once in a process
  static const char *const suffixes[] = {"f", "F", "e", "E", "g", "G", "a", "A", "lf", "la"};
  static const double values[] = {0.1, -1e300, 4.9e-324, 3.141592653589793};
  cl_kernel kernel = table_kernel("double", "0.1, -1e300, 4.9e-324, 3.141592653589793", suffixes, COUNT(suffixes));
  for (int i = first_value(COUNT(values)); i < (int)COUNT(values); i++)
    EXPECT_AS_HOST(kernel, i, suffixes, suffixes, values[i]);
  expect_printed("0.100000000000000|0.100000001490116|1.000000000001,2.000000000001\n",
                 kernel_from("kernel void k(void) { float f = 0.1f; printf(\"%.15f|%.15f|%.12v2lf\\n\", 0.1, f, "
                             "(double2)(1.000000000001, 2.000000000001)); }\n"),
                 1, 1);
}

Test(printf, characters_strings_pointers_and_percent) {
  cl_kernel kernel = kernel_from(
      "constant char named[] = \"a constant\"; constant char *constant names[] = {\"zero\", \"one\"};\n"
      "kernel void k(global int *p, int i) {\n"
      "  printf(\"%c|%5c|%-5c|%c%c%%\\n\", 'a', 'b', 'c', i + 'A', 0x1E9);\n"
      "  printf(\"%s|%10s|%-10s|%.3s|%6.2s|%s|%s|%s\\n\", \"text\", \"right\", \"left\", \"abcdef\", \"xyz\", \"\", "
      "named,\n"
      "         names[i]);\n"
      "  printf(\"%p|%20p|%-20p|%p\\n\", p, p + 1, p, (global int *)0);\n"
      "  printf(\"no values, 100%%\\n\");\n"
      "  printf(\"\");\n"
      "  printf(\"%s%c%s\\n\", \"no\", 0, \"end\");\n"
      "}\n");
  cl_mem buffer = buffer_with(NULL, 4);
  const int i = 1;
  set_args(kernel, ARG(buffer), ARG(i), END_ARGS);
  struct text got = printed_by(kernel, 1, 1);
  const char *pointer_line = strstr(got.bytes, "0x");
  const uintptr_t p = pointer_line ? strtoul(pointer_line, NULL, 16) : 0;
  struct text expected = {0};
  add(&expected, "%c|%5c|%-5c|%c%c%%\n", 'a', 'b', 'c', 'B', 0xE9);
  add(&expected, "text|     right|left      |abc|    xy||a constant|one\n");
  add(&expected, "%p|%20p|%-20p|%p\n", (void *)p, (void *)(p + 4), (void *)p, (void *)0);
  add(&expected, "no values, 100%%\n");
  add(&expected, "no%cend\n", 0);
  cr_assert_neq(p, 0);
  expect_text(&expected, &got);
}

// Where the text leaves what happens open: nothing breaks, and what is not understood stands as it was written.
Test(printf, wrong_formats_print_as_they_are_written) {
  cl_kernel kernel = kernel_from(
      "kernel void k(global char *g, int i) {\n"
      "  printf(\"%d %d\\n\", i); printf(\"%q %5\", i); printf(\" %n %*d\\n\", i, i);\n"
      "  printf(\"%f %s %d\\n\", i, i, i); printf(\"%v4d %v5d %d\\n\", i, i, i); printf(\"%99999d %hld|%\\n\", i, i);\n"
      "  printf(\"%s\\n\", (constant char *)(uint)g); printf(\"%.1000000000f|\\n\", 1.0f); }\n");
  cl_mem buffer = buffer_with(NULL, 4);
  const int i = 3;
  set_args(kernel, ARG(buffer), ARG(i), END_ARGS);
  expect_printed("3 %d\n%q %5 %n %*d\n%f %s 3\n%v4d %v5d 3\n%99999d %hld|%\n(no string literal)\n%.1000000000f|\n",
                 kernel, 1, 1);
}

// ---- vectors

// A vector's elements by the host: "%5.2hld" of int4 is "%5.2d" of each, with commas between.
#define ADD_VECTOR(text, format, type, n)                           \
  do {                                                              \
    for (int e = 0; e < (n); e++)                                   \
      add(text, e == 0 ? format : "," format, (type)(e * 37 - 50)); \
    add(text, "\n");                                                \
  } while (0)

#define ADD_SIZES(text, format, type)   \
  do {                                  \
    ADD_VECTOR(text, format, type, 2);  \
    ADD_VECTOR(text, format, type, 3);  \
    ADD_VECTOR(text, format, type, 4);  \
    ADD_VECTOR(text, format, type, 8);  \
    ADD_VECTOR(text, format, type, 16); \
  } while (0)

static void print_vectors(struct text *source, const char *type, const char *before, const char *after) {
  static const int sizes[] = {2, 3, 4, 8, 16};
  for (size_t i = 0; i < COUNT(sizes); i++) {
    add(source, "  printf(\"%%%sv%d%s\\n\", (%s%d)(", before, sizes[i], after, type, sizes[i]);
    for (int e = 0; e < sizes[i]; e++)
      add(source, "%sx * %d - 50", e ? ", " : "", e);
    add(source, "));\n");
  }
}

Test(printf, vectors_of_every_type_and_size) {
  struct text source = {0}, expected = {0};
  add(&source, "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\nkernel void k(int x) {\n");
  print_vectors(&source, "char", "", "hhd");
  ADD_SIZES(&expected, "%hhd", signed char);
  print_vectors(&source, "uchar", "#", "hhx");
  ADD_SIZES(&expected, "%#hhx", unsigned char);
  print_vectors(&source, "short", "-8", "hi");
  ADD_SIZES(&expected, "%-8hi", short);
  print_vectors(&source, "ushort", "", "hu");
  ADD_SIZES(&expected, "%hu", unsigned short);
  print_vectors(&source, "int", "+8.4", "hld");
  ADD_SIZES(&expected, "%+8.4d", int);
  print_vectors(&source, "uint", "", "hlX");
  ADD_SIZES(&expected, "%X", unsigned);
  print_vectors(&source, "int", "", "d");  // no length: the elements' own
  ADD_SIZES(&expected, "%d", int);
  print_vectors(&source, "long", "", "ld");
  ADD_SIZES(&expected, "%ld", long);
  print_vectors(&source, "ulong", "", "lo");
  ADD_SIZES(&expected, "%lo", unsigned long);
  print_vectors(&source, "float", "8.2", "hlf");
  ADD_SIZES(&expected, "%8.2f", double);
  print_vectors(&source, "float", "", "hla");
  ADD_SIZES(&expected, "%a", double);
  print_vectors(&source, "float", "", "g");
  ADD_SIZES(&expected, "%g", double);
  print_vectors(&source, "half", ".1", "he");
  ADD_SIZES(&expected, "%.1e", double);
  add(&source, "}\n");
  cl_kernel kernel = kernel_from(source.bytes);
  const int x = 37;
  set_args(kernel, ARG(x), END_ARGS);
  const struct text got = printed_by(kernel, 1, 1);
  expect_text(&expected, &got);
}

// ---- who calls it from where

// Each line that a work-item prints is whole; its lines are in its order. Lines are "<item> <number> ...". Fails unless
// item i has exactly lines(i).
static void expect_lines_of_items(struct text got, unsigned items, unsigned (*lines)(unsigned item),
                                  void (*line)(struct text *text, unsigned item, unsigned number)) {
  unsigned *next = allocate(items * sizeof *next);
  for (char *at = got.bytes; at < got.bytes + got.count;) {
    char *end = strchr(at, '\n');
    unsigned item = items, number = 0;
    if (end)
      *end = 0;
    if (!end || sscanf(at, "%u %u", &item, &number) != 2 || item >= items)
      fail("expected a line of a work-item, got \"%s\"", at);
    struct text expected = {0};
    line(&expected, item, next[item]);
    if (strcmp(at, expected.bytes) != 0)
      fail("line %u of work-item %u: expected \"%s\", got \"%s\"", next[item], item, expected.bytes, at);
    next[item]++;
    free(expected.bytes);
    at = end + 1;
  }
  for (unsigned i = 0; i < items; i++)
    if (next[i] != lines(i))
      fail("work-item %u: expected %u lines, got %u", i, lines(i), next[i]);
  free(next);
}

static unsigned diverged_lines(unsigned item) {
  return item % 5 + 1;
}

static void diverged_line(struct text *text, unsigned item, unsigned number) {
  add(text, "%u %u: %s", item, number, item % 3 == 0 ? "three" : item % 3 == 1 ? "one" : "two and more");
  for (unsigned part = 0; part < item % 4; part++)
    add(text, " part %u", part);
}

// A line is made of several calls, in a loop whose length differs, in branches and functions.
Test(printf, diverged_lanes_print_whole_lines_in_order) {
  cl_kernel kernel = kernel_from(
      "__attribute__((noinline)) void end(uint item) {\n"
      "  for (uint part = 0; part < item % 4; part++) printf(\" part %u\", part);\n"
      "  printf(\"\\n\"); }\n"
      "kernel void k(global int *failures) {\n"
      "  uint item = get_global_id(0); int bad = 0;\n"
      "  for (uint number = 0; number <= item % 5; number++) {\n"
      "    bad |= printf(\"%u %u: \", item, number);\n"
      "    if (item % 3 == 0) bad |= printf(\"%s\", \"three\");\n"
      "    else if (item % 3 == 1) bad |= printf(\"%c%s\", 'o', \"ne\");\n"
      "    else bad |= printf(item & 1 ? \"two and %s\" : \"two an%s\", item & 1 ? \"more\" : \"d more\");\n"
      "    end(item);\n"
      "  }\n"
      "  failures[item] = bad; }\n");
  const unsigned items = harness()->is_rtl ? 96 : 3000;
  cl_mem failures = buffer_with(NULL, items * 4);
  set_args(kernel, ARG(failures), END_ARGS);
  expect_lines_of_items(printed_by(kernel, items, 0), items, diverged_lines, diverged_line);
  uint32_t *zeros = allocate(items * 4), *got = allocate(items * 4);
  read_buffer(failures, got, items * 4);
  expect_u32("failures", zeros, got, items);
}

static unsigned one_line(unsigned item) {
  (void)item;
  return 1;
}

static void three_dimensional_line(struct text *text, unsigned item, unsigned number) {
  add(text, "%u %u %u,%u,%u", item, number, item % 10, item / 10 % 7, item / 70);
}

Test(printf, lines_are_whole_in_three_dimensions_with_offset_and_remainders) {
  cl_kernel kernel = kernel_from(
      "kernel void k(void) {\n"
      "  uint x = get_global_id(0) - 3, y = get_global_id(1) - 1, z = get_global_id(2) - 5;\n"
      "  printf(\"%u 0 \", x + 10 * (y + 7 * z)); barrier(CLK_GLOBAL_MEM_FENCE);\n"
      "  printf(\"%u,\", x); barrier(CLK_GLOBAL_MEM_FENCE); printf(\"%u,%u\\n\", y, z); }\n");
  const size_t offset[3] = {3, 1, 5}, global[3] = {10, 7, 3}, local[3] = {4, 2, 2};
  begin_capture();
  run(kernel, 3, offset, global, local);
  expect_lines_of_items(end_capture(), 210, one_line, three_dimensional_line);
}

// Lanes of a branch print and are together afterwards: each finds the others of its arm.
Test(printf, lanes_that_print_stay_together) {
  cl_program program = build(
      "#pragma OPENCL EXTENSION cl_khr_subgroup_ballot : enable\n"
      "kernel void k(global uint *out) { uint i = get_global_id(0); uint others;\n"
      "  if (i % 3 == 0) { printf(\"a %u\\n\", i); others = sub_group_ballot_bit_count(sub_group_ballot(1)); }\n"
      "  else { printf(\"b %u %u\\n\", i, i); others = sub_group_ballot_bit_count(sub_group_ballot(1)) + 100; }\n"
      "  out[i] = others; }\n",
      "-cl-std=CL3.0");
  enum { ITEMS = 64 };
  const uint32_t lanes = harness()->lanes;
  uint32_t expected[ITEMS], got[ITEMS];
  for (uint32_t i = 0; i < ITEMS; i++) {
    uint32_t arms[2] = {0};
    for (uint32_t other = i / lanes * lanes; other < (i / lanes + 1) * lanes; other++)
      arms[other % 3 != 0]++;
    expected[i] = i % 3 == 0 ? arms[0] : arms[1] + 100;
  }
  cl_kernel kernel = kernel_of(program, "k");
  cl_mem out = buffer_with(NULL, sizeof got);
  set_args(kernel, ARG(out), END_ARGS);
  const struct text text = printed_by(kernel, ITEMS, 32);
  cr_assert_eq(count_lines(&text), ITEMS);
  read_buffer(out, got, sizeof got);
  expect_u32("work-items that printed the same", expected, got, ITEMS);
}

Test(printf, formats_come_through_variables_and_functions) {
  cl_kernel kernel = kernel_from(
      "constant char format[] = \"%d of a variable\\n\";\n"
      "__attribute__((noinline)) int say(constant char *how, int what) { return printf(how, what); }\n"
      "kernel void k(int i) { constant char *local_name = \"%d of a pointer\\n\";\n"
      "  printf(format, i); printf(local_name, i + 1); say(\"%d of a function\\n\", i + 2);\n"
      "  say(i ? \"%x of a choice\\n\" : \"wrong\", i + 3); }\n");
  const int i = 10;
  set_args(kernel, ARG(i), END_ARGS);
  expect_printed("10 of a variable\n11 of a pointer\n12 of a function\nd of a choice\n", kernel, 1, 1);
}

Test(printf, works_in_every_version_that_has_it_and_unoptimised) {
  static const char *const options[] = {"-cl-std=CL1.2", "-cl-std=CL3.0", "-cl-std=CL1.2 -cl-opt-disable", ""};
  for (size_t i = 0; i < COUNT(options); i++) {
    cl_program program = build(
        "kernel void k(int i) { constant char *s = \"of a pointer\"; printf(\"%d %s\\n\", i, s); }\n", options[i]);
    cl_kernel kernel = kernel_of(program, "k");
    const int value = (int)i;
    char expected[40];
    set_args(kernel, ARG(value), END_ARGS);
    snprintf(expected, sizeof expected, "%d of a pointer\n", value);
    expect_printed(expected, kernel, 1, 1);
  }
}

// OpenCL C 1.1 has no printf: a kernel may have one.
Test(printf, a_function_of_the_user_of_that_name_is_called) {
  cl_program program = build(
      "int printf(global int *out, int x) { out[0] = x; return 7; }\n"
      "kernel void k(global int *out) { out[1] = printf(out, 5); }\n",
      "-cl-std=CL1.1 -w");
  cl_kernel kernel = kernel_of(program, "k");
  cl_mem out = buffer_with(NULL, 8);
  set_args(kernel, ARG(out), END_ARGS);
  expect_printed("", kernel, 1, 1);
  const uint32_t expected[2] = {5, 7};
  uint32_t got[2];
  read_buffer(out, got, sizeof got);
  expect_u32("out", expected, got, 2);
}

// ---- buffer, faults, queues

static bool has_atomics(void) {
  char isa[80];
  EXPECT_SUCCESS(clGetDeviceInfo(harness()->device, CL_DEVICE_ISA_HEDDLE, sizeof isa, isa, NULL));
  return strncmp(isa, "rv32ima", 7) == 0;
}

static size_t buffer_bytes(void) {
  size_t bytes = 0;
  EXPECT_SUCCESS(clGetDeviceInfo(harness()->device, CL_DEVICE_PRINTF_BUFFER_SIZE, sizeof bytes, &bytes, NULL));
  return bytes;
}

Test(printf, the_buffer_is_as_large_as_the_device_says) {
  // Without atomic instructions each lane has its own.
  const size_t expected = has_atomics() ? 1 << 20 : 1 << 10;
  if (buffer_bytes() < expected)
    fail("CL_DEVICE_PRINTF_BUFFER_SIZE: expected at least %zu bytes, got %zu", expected, buffer_bytes());
}

Test(printf, a_full_buffer_loses_later_output_and_says_so) {
  struct harness *h = harness();
  // Calls of 16 values of 16 longs: the buffer is full soon, also on RTL.
  cl_kernel kernel = kernel_from(
      "kernel void k(global uint *lost, int rounds, ulong16 v) { uint count = 0;\n"
      "  for (int i = 0; i < rounds; i++) { int r = printf(\"%v16lu%v16lu%v16lu%v16lu%v16lu%v16lu%v16lu%v16lu\\n\", "
      "v,\n"
      "    v, v, v, v, v, v, v); if (r != 0 && r != -1) count += 1u << 24; count -= r; }\n"
      "  lost[get_global_id(0)] = count; }\n");
  enum { ITEMS = 64 };
  const int rounds = has_atomics() ? 20 : 2 * (int)buffer_bytes() / 1000 + 20;
  uint64_t v[16] = {0};
  cl_mem lost = buffer_with(NULL, ITEMS * 4);
  set_args(kernel, ARG(lost), ARG(rounds), ARG(v), END_ARGS);
  for (int again = 0; again < (h->is_rtl ? 1 : 2); again++) {
    h->notice_count = 0;
    struct text got = printed_by(kernel, ITEMS, 32);
    uint32_t counts[ITEMS];
    read_buffer(lost, counts, sizeof counts);
    size_t sum = 0;
    for (int i = 0; i < ITEMS; i++)
      sum += counts[i];
    const size_t printed = count_lines(&got);
    if (printed + sum != (size_t)ITEMS * (size_t)rounds || sum == 0)
      fail("%d calls: %zu printed, %zu returned -1", ITEMS * rounds, printed, sum);
    // A record is 128 values of 8 bytes and some words.
    if (printed * 1100 < buffer_bytes() - 1100)
      fail("expected a buffer of %zu bytes to be full, got %zu calls in it", buffer_bytes(), printed);
    char words[64];
    snprintf(words, sizeof words, "what %zu calls print is lost", sum);
    if (h->notice_count != 1 || !strstr(h->notices[0], words) || !strstr(h->notices[0], "'k'"))
      fail("the context callback: expected kernel 'k' and \"%s\", got \"%s\"", words, h->notices[0]);
  }
  // Nothing of it is left for the next kernel.
  expect_printed("after\n", kernel_from("kernel void k(void) { printf(\"after\\n\"); }\n"), 1, 1);
}

Test(printf, output_before_a_fault_is_printed) {
  struct harness *h = harness();
  cl_kernel kernel = kernel_from(
      "kernel void k(void) { printf(\"before \"); printf(\"it\\n\"); printf(\"no end\");\n"
      "  *(volatile global int *)4 = 1; printf(\"after it\\n\"); }\n");
  const size_t one = 1;
  cl_event event;
  begin_capture();
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(h->queue, kernel, 1, NULL, &one, &one, 0, NULL, &event));
  EXPECT_CODE(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
  const struct text got = end_capture();
  const struct text expected = {.bytes = (char[]){"before it\nno end"}, .count = 16};
  expect_text(&expected, &got);
  if (h->notice_count != 1 || !strstr(h->notices[0], "unmapped"))
    fail("the context callback: expected the fault, got \"%s\"", h->notices[0]);
  expect_printed("next\n", kernel_from("kernel void k(void) { printf(\"next\\n\"); }\n"), 1, 1);
}

// Work-items print while one of another work-group faults: what is there is whole lines of the right kind.
Test(printf, a_fault_among_printing_work_items_leaves_whole_records) {
  struct harness *h = harness();
  cl_kernel kernel = kernel_from(
      "kernel void k(int when) { uint i = get_global_id(0);\n"
      "  if (i == 200) { for (int j = 0; j < when; j++) printf(\"200 200 200 200\\n\"); *(volatile global int *)4 = "
      "1; }\n"
      "  for (uint j = 0; j < 8; j++) printf(\"%u %u %u %u\\n\", i + 1000, i + 1000, i + 1000, i + 1000); }\n");
  for (int when = 0; when < (h->is_rtl ? 6 : 12); when++) {
    const size_t global = 256, local = 32;
    cl_event event;
    set_args(kernel, ARG(when), END_ARGS);
    begin_capture();
    EXPECT_SUCCESS(clEnqueueNDRangeKernel(h->queue, kernel, 1, NULL, &global, &local, 0, NULL, &event));
    EXPECT_CODE(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
    struct text got = end_capture();
    int of_faulty = 0;
    for (char *line = strtok(got.bytes, "\n"); line; line = strtok(NULL, "\n")) {
      unsigned a = 0, b = 0, c = 0, d = 0;
      if (sscanf(line, "%u %u %u %u", &a, &b, &c, &d) != 4 || a != b || a != c || a != d || a == 0)
        fail("expected a line of four equal numbers, got \"%s\"", line);
      of_faulty += a == 200;
    }
    if (of_faulty != when)
      fail("lines of the work-item that faults: expected %d, got %d", when, of_faulty);
  }
}

// A kernel that writes over its records: reported, and harmless.
Test(printf, a_kernel_that_spoils_the_buffer_is_told_so) {
  struct harness *h = harness();
  static const char *const spoilers[] = {
      "b[4] = 0x80001234u;",  // no such layout
      "b[6] = 16;",           // no such format
      "b[4] = 0xFFFFFFFFu;",
      "b[0] = 5000;b[9]=7;",  // more bytes than records
  };
  for (size_t i = 0; i < COUNT(spoilers); i++) {
    char source[600];
    snprintf(source, sizeof source,
             "kernel void k(void) { uint packet; printf(\"%%d\\n\", 1); printf(\"%%d\\n\", 2);\n"
             "  __asm__ volatile(\"csrr %%0, 0xccd\" : \"=r\"(packet));\n"
             "  volatile global uint *b = (volatile global uint *)((global uint *)packet)[15]; %s }\n",
             spoilers[i]);
    h->notice_count = 0;
    printed_by(kernel_from(source), 1, 1);
    if (i < 3 && (h->notice_count != 1 || !strstr(h->notices[0], "wrote over what it printed")))
      fail("\"%s\": expected a notice, got \"%s\"", spoilers[i], h->notice_count ? h->notices[0] : "(none)");
  }
  expect_printed("next\n", kernel_from("kernel void k(void) { printf(\"next\\n\"); }\n"), 1, 1);
}

Test(printf, kernels_of_several_queues_and_programs_print_their_own) {
  struct harness *h = harness();
  cl_int error;
  cl_command_queue other = clCreateCommandQueueWithProperties(h->context, h->device, NULL, &error);
  EXPECT_SUCCESS(error);
  cl_program both = build(
      "kernel void loud(int i) { printf(\"loud \"); printf(\"%d\\n\", i); }\n"
      "kernel void silent(global int *out) { out[get_global_id(0)] = 1; }\n",
      NULL);
  cl_kernel loud = kernel_of(both, "loud"), silent = kernel_of(both, "silent");
  cl_kernel third = kernel_from("kernel void k(int i) { printf(\"third %s %d\\n\", \"program\", i); }\n");
  cl_mem out = buffer_with(NULL, 64);
  set_args(silent, ARG(out), END_ARGS);
  const size_t one = 1, few = 16;
  struct text expected = {0};
  begin_capture();
  for (int i = 0; i < 10; i++) {
    set_args(loud, ARG(i), END_ARGS);
    set_args(third, ARG(i), END_ARGS);
    EXPECT_SUCCESS(clEnqueueNDRangeKernel(h->queue, loud, 1, NULL, &one, NULL, 0, NULL, NULL));
    EXPECT_SUCCESS(clEnqueueNDRangeKernel(other, silent, 1, NULL, &few, NULL, 0, NULL, NULL));
    EXPECT_SUCCESS(clEnqueueNDRangeKernel(other, third, 1, NULL, &one, NULL, 0, NULL, NULL));
    add(&expected, "loud %d\nthird program %d\n", i, i);
  }
  EXPECT_SUCCESS(clFinish(h->queue));
  EXPECT_SUCCESS(clFinish(other));
  expect_same_lines(expected, end_capture());
}

// What stays in a program's binary prints as before.
Test(printf, a_program_from_its_binary_prints) {
  struct harness *h = harness();
  cl_program program = build("kernel void k(float f) { printf(\"%s %.2f\\n\", \"binary\", f); }\n", NULL);
  size_t bytes = 0;
  EXPECT_SUCCESS(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL));
  unsigned char *binary = allocate(bytes);
  EXPECT_SUCCESS(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
  cl_int error;
  cl_program again =
      clCreateProgramWithBinary(h->context, 1, &h->device, &bytes, (const unsigned char **)&binary, NULL, &error);
  EXPECT_SUCCESS(error);
  EXPECT_SUCCESS(clBuildProgram(again, 1, &h->device, NULL, NULL, NULL));
  cl_kernel kernel = kernel_of(again, "k");
  const float f = 2.5f;
  set_args(kernel, ARG(f), END_ARGS);
  expect_printed("binary 2.50\n", kernel, 1, 1);
}
