// SPDX-License-Identifier: Apache-2.0
// How much stack a kernel needs is read off its code whatever its size, and is never guessed.
#include <criterion/criterion.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract/device_map.h"
#include "tests/hls/compiler.h"
#include "tests/hls/device.h"
#include "tests/hls/kernel_file_reader.h"

// What a kernel may take beside its arrays: registers that it saves, and alignment.
enum { BESIDE = 1024, TEXT = 1 << 18 };

static uint32_t stack_of(const struct result *compiled, const char *kernel) {
  struct kernel_file file = kernel_file_open(compiled->bytes, compiled->size);
  return kernel_file_note(&file, kernel)[HEDDLE_NOTE_STACK_BYTES];
}

// Of a kernel that writes all of an array, and reads what nobody can tell before.
static int add_kernel(char *source, int used, unsigned bytes, const char *attribute) {
  return used + snprintf(source + used, TEXT - (size_t)used,
                         "kernel void k%u(global int *o) { int a[%u] %s; for (int j = 0; j < %u; j++) a[j] = o[j];\n"
                         "  int s = 0; for (int j = 0; j < %u; j++) s += a[(j * 7 + o[0]) %% %u]; o[0] = s; }\n",
                         bytes, bytes / 4, attribute, bytes / 4, bytes / 4, bytes / 4);
}

static void check_sizes(unsigned from, unsigned to, unsigned percent, const char *attribute, unsigned more,
                        const char *isa) {
  static char source[TEXT];
  int used = 0;
  for (unsigned bytes = from; bytes < to; bytes = (bytes * (100 + percent) / 100 + 4) & ~3u)
    used = add_kernel(source, used, bytes, attribute);
  struct result compiled = compile_well(source, "-cl-std=CL3.0", "--isa", isa, NULL);
  for (unsigned bytes = from; bytes < to; bytes = (bytes * (100 + percent) / 100 + 4) & ~3u) {
    char kernel[16];
    snprintf(kernel, sizeof kernel, "k%u", bytes);
    const uint32_t stack = stack_of(&compiled, kernel);
    cr_expect(stack >= bytes && stack <= bytes + BESIDE + more, "%s: an array of %u bytes, %u bytes of stack", isa,
              bytes, stack);
  }
  result_free(&compiled);
}

Test(stack, arrays_of_any_size_are_counted) {
  check_sizes(256, 1 << 20, 9, "", 0, "rv32ima_zicsr_zfinx_zba_zbb");
  check_sizes(1024, 1 << 18, 20, "", 0, "rv32ima_zicsr_zfinx");
  check_sizes(1024, 1 << 18, 20, "", 0, "rv32i_zicsr");
}

Test(stack, aligned_arrays_are_counted) {
  check_sizes(256, 1 << 16, 50, "__attribute__((aligned(128)))", 128, "rv32ima_zicsr_zfinx_zba_zbb");
  check_sizes(256, 1 << 16, 50, "__attribute__((aligned(4096)))", 3 * 4096, "rv32ima_zicsr_zfinx_zba_zbb");
}

// libgcc's soft float has tables of jumps.
Test(stack, functions_with_tables_of_jumps_are_counted) {
  struct result compiled = compile_well("kernel void k(global float *p) { p[0] = p[1] / p[2]; }\n", "-cl-std=CL3.0",
                                        "--isa", "rv32i_zicsr", NULL);
  const uint32_t stack = stack_of(&compiled, "k");
  cr_expect(stack >= 16 && stack <= 512, "%u bytes of stack", stack);
  result_free(&compiled);
}

// Each function of the chain has a frame.
Test(stack, chains_of_calls_of_any_length_are_counted) {
  enum { CALLS = 1000 };
  static char source[TEXT];
  int used = snprintf(source, TEXT, "int f0(int x) { return x; }\n");
  for (int i = 1; i <= CALLS; i++) {
    used += snprintf(source + used, TEXT - (size_t)used,
                     "__attribute__((noinline)) int f%d(int x) { return f%d(x + 1) ^ %d; }\n", i, i - 1, i);
  }
  snprintf(source + used, TEXT - (size_t)used,
           "kernel void k(global int *o) { size_t i = get_global_id(0); o[i] = f%d(i); }\n"
           "kernel void shallow(global int *o) { o[0] = f1(o[0]); }\n",
           CALLS / 2);
  struct result compiled = compile_well(source, "-cl-std=CL3.0", NULL);
  const uint32_t stack = stack_of(&compiled, "k");
  cr_expect(stack >= 4 * CALLS / 2 && stack <= 64 * CALLS, "%u bytes of stack", stack);
  cr_expect_leq(stack_of(&compiled, "shallow"), 256);
  int32_t o[4] = {0};
  struct dispatch dispatch = {.kernel = "k", .global = {4}, .buffers = {{o, sizeof o}}};
  run_kernel(&compiled, &dispatch);
  result_free(&compiled);
  for (int i = 0; i < 4; i++) {
    int expected = i + CALLS / 2;
    for (int j = 1; j <= CALLS / 2; j++)
      expected ^= j;
    cr_expect_eq(o[i], expected, "o[%d]", i);
  }
}

// What is behind a trap, and behind a call that does not return, is another function.
Test(stack, of_functions_that_end_in_a_trap_is_their_own) {
  struct result compiled = compile_well(
      "__attribute__((noinline, noreturn)) void fail(int x) { printf(\"%d\\n\", x); __builtin_trap(); }\n"
      "__attribute__((noinline)) int checked(int x) { if (x > 6) fail(x); return x; }\n"
      "__attribute__((noinline)) int other(int x) { if (x > 6) { printf(\"%d\\n\", x); __builtin_trap(); } return x; "
      "}\n"
      "kernel void k(global int *o) { size_t i = get_global_id(0); o[i] = checked(o[i]); }\n"
      "kernel void l(global int *o) { size_t i = get_global_id(0); o[i] = other(i) + checked(i); }\n"
      "kernel void deep(global int *o) { int a[1000]; for (int j = 0; j < 1000; j++) a[j] = o[j];\n"
      "  o[0] = checked(a[o[0]]) + other(a[o[1]]); }\n",
      "-cl-std=CL3.0", NULL);
  cr_expect_leq(stack_of(&compiled, "k"), 1024);
  cr_expect_leq(stack_of(&compiled, "l"), 1024);
  cr_expect_geq(stack_of(&compiled, "deep"), 4000);
  int32_t o[4] = {0};
  struct dispatch dispatch = {.kernel = "l", .global = {4}, .buffers = {{o, sizeof o}}};
  run_kernel(&compiled, &dispatch);
  result_free(&compiled);
  for (int i = 0; i < 4; i++)
    cr_expect_eq(o[i], 2 * i, "o[%d]", i);
}

Test(stack, a_stack_that_cannot_be_told_is_refused_with_the_kernels_name) {
  struct result compiled = compile(
      "kernel void fine(global int *o) { o[0] = 1; }\n"
      "kernel void moves(global int *o) { __asm__ volatile(\"sub sp, sp, %0\" : : \"r\"(o[0]) : \"memory\"); }\n",
      "-cl-std=CL3.0", NULL);
  expect_refusal(compiled, 1, "kernel 'moves': how much stack it needs cannot be told: the stack pointer changes");
  compiled = compile("kernel void jumps(global int *o) { __asm__ volatile(\"jalr %0\" : : \"r\"(o[0])); }\n",
                     "-cl-std=CL3.0", NULL);
  expect_refusal(compiled, 1, "kernel 'jumps': how much stack it needs cannot be told: a call of a function");
}
