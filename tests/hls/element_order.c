// SPDX-License-Identifier: Apache-2.0
// Long code of vectors, which heddlec computes element by element: its results, and what it needs.
#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract/device_map.h"
#include "tests/hls/compiler.h"
#include "tests/hls/device.h"
#include "tests/hls/kernel_file_reader.h"
#include "tests/hls/random.h"

enum { VARIABLES = 4, WIDTH_MOST = 16, STATEMENTS = 120, TEXT = 1 << 16, ITEMS = 8 };

// A source, and what it does to the variables of each work-item.
struct code {
  char text[TEXT];
  size_t used;
  unsigned width;
  uint32_t values[ITEMS][VARIABLES][WIDTH_MOST];
};

static __attribute__((format(printf, 2, 3))) void put(struct code *code, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  code->used += (size_t)vsnprintf(code->text + code->used, TEXT - code->used, format, arguments);
  va_end(arguments);
  cr_assert_lt(code->used, TEXT);
}

static uint32_t compute(unsigned operation, uint32_t a, uint32_t b, uint32_t c) {
  switch (operation) {
    case 0:
      return b * c + a;
    case 1:
      return (b > c ? b : c) - a;
    case 2:
      return b >> 3 ^ c;
    case 3:
      return (int32_t)b < (int32_t)c ? a : b;
    case 4:
      return b / (c | 1);
    case 5:
      return (b & ~c) ^ ~a;
    default:
      return b - c;
  }
}

static const char *const texts[] = {
    "v%1$u = v%2$u * v%3$u + v%1$u;", "v%1$u = max(v%2$u, v%3$u) - v%1$u;",
    "v%1$u = v%2$u >> 3 ^ v%3$u;",    "v%1$u = as_int%4$u(v%2$u) < as_int%4$u(v%3$u) ? v%1$u : v%2$u;",
    "v%1$u = v%2$u / (v%3$u | 1);",   "v%1$u = (v%2$u & ~v%3$u) ^ ~v%1$u;",
    "v%1$u = v%2$u - v%3$u;",
};
enum { OPERATIONS = sizeof texts / sizeof *texts };

static void put_operation(struct code *code) {
  const unsigned operation = random_word() % OPERATIONS, a = random_word() % VARIABLES, b = random_word() % VARIABLES,
                 c = random_word() % VARIABLES;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat"
  put(code, texts[operation], a, b, c, code->width);
#pragma GCC diagnostic pop
  put(code, "\n");
  for (unsigned n = 0; n < ITEMS; n++)
    for (unsigned e = 0; e < code->width; e++)
      code->values[n][a][e] = compute(operation, code->values[n][a][e], code->values[n][b][e], code->values[n][c][e]);
}

// Elements that change places.
static void put_reversal(struct code *code) {
  const unsigned a = random_word() % VARIABLES, b = random_word() % VARIABLES;
  put(code, "v%u = v%u.s", a, b);
  for (unsigned e = code->width; e-- > 0;)
    put(code, "%x", e);
  put(code, ";\n");
  for (unsigned n = 0; n < ITEMS; n++) {
    uint32_t from[WIDTH_MOST];
    memcpy(from, code->values[n][b], sizeof from);
    for (unsigned e = 0; e < code->width; e++)
      code->values[n][a][e] = from[code->width - 1 - e];
  }
}

// By memory: what was stored is loaded again, and nothing passes it.
static void put_memory(struct code *code) {
  const unsigned a = random_word() % VARIABLES, b = random_word() % VARIABLES;
  put(code, "p[4 * i + %u] = v%u; v%u += p[4 * i + %u];\n", a, b, a, a);
  for (unsigned n = 0; n < ITEMS; n++)
    for (unsigned e = 0; e < code->width; e++)
      code->values[n][a][e] += code->values[n][b][e];
}

static void check_code(unsigned width, bool has_loop) {
  static struct code code;
  static uint32_t memory[ITEMS * VARIABLES * WIDTH_MOST];
  code.used = 0;
  code.width = width;
  for (unsigned n = 0; n < ITEMS; n++) {
    for (unsigned v = 0; v < VARIABLES; v++)
      for (unsigned e = 0; e < width; e++)
        code.values[n][v][e] = memory[(n * VARIABLES + v) * width + e] = random_word();
  }
  put(&code, "kernel void k(global uint%u *p) {\nsize_t i = get_global_id(0);\n", width);
  for (unsigned v = 0; v < VARIABLES; v++)
    put(&code, "uint%u v%u = p[4 * i + %u];\n", width, v, v);
  for (unsigned s = 0; s < STATEMENTS; s++) {
    const unsigned kind = random_word() % 16;
    // Values go from block to block where the loop is; its rounds are two, of which the second has no work.
    if (has_loop && s % 40 == 39)
      put(&code, "for (uint j = 0; j < 2; j++) { if (p[4 * i].s0 == 0x5EED && j == 5) v0 += v1; }\n");
    if (kind == 0)
      put_reversal(&code);
    else if (kind == 1)
      put_memory(&code);
    else
      put_operation(&code);
  }
  for (unsigned v = 0; v < VARIABLES; v++)
    put(&code, "p[4 * i + %u] = v%u;\n", v, v);
  put(&code, "}\n");
  struct result compiled = compile_well(code.text, "-cl-std=CL3.0", NULL);
  run_kernel(&compiled, &(struct dispatch){.kernel = "k",
                                           .global = {ITEMS, 1, 1},
                                           .local = {ITEMS, 1, 1},
                                           .buffers = {{memory, 4 * ITEMS * VARIABLES * width}}});
  for (unsigned n = 0; n < ITEMS; n++)
    for (unsigned v = 0; v < VARIABLES; v++)
      for (unsigned e = 0; e < width; e++)
        cr_assert_eq(memory[(n * VARIABLES + v) * width + e], code.values[n][v][e],
                     "work-item %u, v%u.s%x: 0x%x, expected 0x%x, of\n%s", n, v, e,
                     memory[(n * VARIABLES + v) * width + e], code.values[n][v][e], code.text);
  result_free(&compiled);
}

Test(element_order, random_code_of_long_vectors_gives_what_its_operations_give) {
  for (int round = 0; round < (is_long_test() ? 100 : 6); round++) {
    check_code(16, round % 2 != 0);
    check_code(8, round % 2 == 0);
    check_code(4, false);
  }
}

// Four vectors of 16 are twice as many values as there are registers; one element of each is four.
Test(element_order, vectors_of_sixteen_are_computed_in_registers) {
  static struct code code;
  code.used = 0;
  put(&code,
      "kernel void k(global uint16 *p) {\nsize_t i = get_global_id(0);\n"
      "uint16 v0 = p[4 * i], v1 = p[4 * i + 1], v2 = p[4 * i + 2], v3 = p[4 * i + 3];\n");
  for (unsigned s = 0; s < 300; s++)
    put(&code, "v%u = v%u * v%u + v%u;\n", s % 4, (s + 1) % 4, (s + 2) % 4, (s * 7 + 3) % 4);
  put(&code, "p[i] = v0 ^ v1 ^ v2 ^ v3;\n}\n");
  struct result compiled = compile_well(code.text, "-cl-std=CL3.0", NULL);
  struct kernel_file file = kernel_file_open(compiled.bytes, compiled.size);
  const uint32_t stack = kernel_file_note(&file, "k")[HEDDLE_NOTE_STACK_BYTES];
  // Room for the vectors that were loaded, and no more.
  cr_expect_leq(stack, 4 * 64 + 64, "%u bytes of stack", stack);
  result_free(&compiled);
}

// For each complement that CodeGenPrepare finds it numbers the whole block, so it is to find none in a long one; the
// code is what it would be.
Test(element_order, complements_of_long_code_are_none_before_code_generation) {
  static const char *const types[] = {"uchar", "short", "uint", "long"};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    static struct code code;
    code.used = 0;
    put(&code, "kernel void k(global %s *p) {\n%s a = p[0], b = p[1], c = p[2];\n", types[i], types[i]);
    for (unsigned s = 0; s < 300; s++)
      put(&code, "a = (b & ~c) + %u; b = (c | ~a) ^ b; c = (a ^ ~b) - c;\n", s);
    put(&code, "p[0] = a ^ b ^ c;\n}\n");
    struct result ir = compile_well(code.text, "--emit=ll", NULL),
                  assembly = compile_well(code.text, "--emit=asm", NULL);
    unsigned complements = 0, subtractions = 0, together = 0;
    for (char *line = strtok((char *)ir.bytes, "\n"); line; line = strtok(NULL, "\n")) {
      complements += strstr(line, " xor ") && strstr(line, ", -1");
      subtractions += strstr(line, " sub ") && strstr(line, " -1, ");
    }
    for (char *line = strtok((char *)assembly.bytes, "\n"); line; line = strtok(NULL, "\n"))
      together += strstr(line, "\tandn\t") || strstr(line, "\torn\t") || strstr(line, "\txnor\t");
    if (complements != 0 || subtractions < 250 || together < 250)
      cr_assert_fail(
          "%s: expected no complement, and 250 subtractions and instructions of 900 at least, got %u, %u and %u",
          types[i], complements, subtractions, together);
    result_free(&ir);
    result_free(&assembly);
  }
}
