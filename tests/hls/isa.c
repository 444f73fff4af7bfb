// SPDX-License-Identifier: Apache-2.0
// The instructions that a kernel becomes: those of the device's ISA string, few of them, and none that it does not
// have.
#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tests/hls/compiler.h"
#include "tests/hls/kernel_file_reader.h"

#define ALL "rv32ima_zicsr_zfinx_zba_zbb_xindex"

// Lines of an assembly text with this instruction, from `start` on, to the function's end.
static int count(const char *start, const char *instruction) {
  char words[64];
  snprintf(words, sizeof words, "\t%s\t", instruction);
  const char *end = strstr(start, ".Lfunc_end");
  int found = 0;
  for (const char *at = strstr(start, words); at && at < end; at = strstr(at + 1, words))
    found++;
  return found;
}

static void expect_count(const char *source, const char *isa, const char *instruction, int expected) {
  struct result result = compile_well(source, "--isa", isa, "--emit=asm", NULL);
  int got = count((const char *)result.bytes, instruction);
  cr_expect_eq(got, expected, "%s for %s: %d times expected, got %d in\n%s", instruction, isa, expected, got,
               (const char *)result.bytes);
  result_free(&result);
}

// A function that returns an expression of floats x, y, z, an int i and a uint u.
#define EXPECT_INSTRUCTION(expression, instruction)                                                            \
  expect_count(                                                                                                \
      "kernel void k(global float *p, global int *q, float x, float y, float z, int i, uint u) {\n" expression \
      "; }\n",                                                                                                 \
      ALL, instruction, 1)

Test(isa, float_operations_are_one_instruction_with_zfinx) {
  EXPECT_INSTRUCTION("p[0] = x + y", "fadd.s");
  EXPECT_INSTRUCTION("p[0] = x / y", "fdiv.s");
  EXPECT_INSTRUCTION("p[0] = sqrt(x)", "fsqrt.s");
  EXPECT_INSTRUCTION("p[0] = native_sqrt(x)", "fsqrt.s");
  EXPECT_INSTRUCTION("p[0] = fma(x, y, z)", "fmadd.s");
  EXPECT_INSTRUCTION("p[0] = mad(x, y, z)", "fmadd.s");
  EXPECT_INSTRUCTION("p[0] = fma(x, y, -z)", "fmsub.s");
  EXPECT_INSTRUCTION("p[0] = fmin(x, y)", "fmin.s");
  EXPECT_INSTRUCTION("p[0] = max(x, y)", "fmax.s");
  EXPECT_INSTRUCTION("p[0] = fabs(x)", "fabs.s");
  EXPECT_INSTRUCTION("p[0] = copysign(x, y)", "fsgnj.s");
  EXPECT_INSTRUCTION("p[0] = convert_float(i)", "fcvt.s.w");
  EXPECT_INSTRUCTION("q[0] = isless(x, y)", "flt.s");
}

Test(isa, half_operations_are_float_ones_in_line_with_zfinx) {
  static const char source[] =
      "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
      "kernel void k(global half *p) { p[0] = p[1] + p[2]; }\n";
  expect_count(source, ALL, "fadd.s", 1);
  expect_count(source, ALL, "call", 0);
  // Two factors and a sum to multiply by powers of two, nothing for the sign.
  expect_count(source, ALL, "fmul.s", 3);
  expect_count(source, "rv32im_zicsr", "call", 4);
}

Test(isa, a_product_and_a_sum_are_contracted_unless_the_source_says_no) {
  EXPECT_INSTRUCTION("p[0] = x * y + z", "fmadd.s");
  expect_count(
      "kernel void k(global float *p, float x, float y, float z) {\n"
      "#pragma OPENCL FP_CONTRACT OFF\n  p[0] = x * y + z; }\n",
      ALL, "fmul.s", 1);
}

// Conversions by function and source (funct7, rs2), and rounding modes (rm): RISC-V unprivileged specification.
enum conversion { TO_INT = 0x60 << 5, TO_UINT = 0x60 << 5 | 1, FROM_INT = 0x68 << 5, FROM_UINT = 0x68 << 5 | 1 };
enum mode { NEAREST_EVEN = 0, TO_ZERO = 1, DOWN = 2, UP = 3, NEAREST_AWAY = 4, DYNAMIC = 7 };

static void expect_conversion(const char *expression, enum conversion conversion, enum mode mode) {
  char source[256];
  snprintf(source, sizeof source, "kernel void k(global float *p, global int *q, float x, int i, uint u) { %s; }\n",
           expression);
  struct result result = compile_well(source, "--isa", ALL, NULL);
  struct kernel_file file = kernel_file_open(result.bytes, result.size);
  const Elf32_Shdr *text = kernel_file_section(&file, ".text");
  int found = 0;
  for (uint32_t at = text->sh_addr; at < text->sh_addr + text->sh_size; at += 4) {
    uint32_t x = kernel_file_instruction(&file, at), rm = x >> 12 & 7;
    rm = rm == DYNAMIC ? NEAREST_EVEN : rm;  // on this device
    found += (x & 0x7F) == 0x53 && x >> 20 == (uint32_t)conversion && rm == (uint32_t)mode;
  }
  cr_expect_eq(found, 1, "%s: conversion %x with rm %d expected once, found %d times", expression, (unsigned)conversion,
               (int)mode, found);
  result_free(&result);
}

Test(isa, conversions_round_by_the_mode_in_the_instruction) {
  expect_conversion("q[0] = convert_int(x)", TO_INT, TO_ZERO);
  expect_conversion("q[0] = convert_int_rte(x)", TO_INT, NEAREST_EVEN);
  expect_conversion("q[0] = convert_int_rtp(x)", TO_INT, UP);
  expect_conversion("q[0] = convert_int_sat_rtn(x)", TO_INT, DOWN);
  expect_conversion("q[0] = convert_uint_sat_rte(x)", TO_UINT, NEAREST_EVEN);
  expect_conversion("q[0] = (int)floor(x)", TO_INT, DOWN);
  expect_conversion("p[0] = floor(x)", TO_INT, DOWN);
  expect_conversion("p[0] = ceil(x)", TO_INT, UP);
  expect_conversion("p[0] = trunc(x)", TO_INT, TO_ZERO);
  expect_conversion("p[0] = round(x)", TO_INT, NEAREST_AWAY);
  expect_conversion("p[0] = rint(x)", TO_INT, NEAREST_EVEN);
  expect_conversion("p[0] = convert_float(i)", FROM_INT, NEAREST_EVEN);
  expect_conversion("p[0] = convert_float_rtz(i)", FROM_INT, TO_ZERO);
  expect_conversion("p[0] = convert_float_rtp(u)", FROM_UINT, UP);
}

// Whatever of M, Zfinx, Zba and Zbb is missing, the run-time library stands in for it; with and without optimisation.
Test(isa, every_isa_compiles_and_links) {
  static const char source[] =
      "kernel void k(global float *p, global int *q, float x, float y, int i, ulong l) {\n"
      "  vstore_half(vload_half(i, (global half *)q), i, (global half *)p);\n"
      "  p[0] = floor(x / y) + sqrt(x) * fma(x, y, ldexp(x, i)) + exp(y) + convert_float_rtz(i) + tgamma(x) + l;\n"
      "  q[0] = i / q[1] * q[2] + convert_int_sat_rte(x) + popcount(i); q[1] = (int)(l / q[2] % 7) * i; }\n";
  static const char *const all[] = {"rv32i_zicsr",
                                    "rv32i_zicsr_zmmul",
                                    "rv32im_zicsr",
                                    "rv32im_zicsr_zba_zbb",
                                    "rv32im_zicsr_zfinx",
                                    "rv32ima_zicsr",
                                    ALL};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    struct result optimised = compile_well(source, "--isa", all[i], NULL);
    struct result plain = compile_well(source, "--isa", all[i], "-cl-opt-disable", NULL);
    struct kernel_file file = kernel_file_open(optimised.bytes, optimised.size);
    const Elf32_Shdr *text = kernel_file_section(&file, ".text");
    for (uint32_t at = text->sh_addr; at < text->sh_addr + text->sh_size; at += 4) {
      uint32_t x = kernel_file_instruction(&file, at);
      bool is_m = (x & 0xFE00007F) == 0x02000033, is_divide = is_m && (x >> 14 & 1) != 0;
      bool is_float = (x & 0x7F) == 0x53 || (x & 0x73) == 0x43;
      cr_assert(!is_m || strstr(all[i], "rv32im") || (!is_divide && strstr(all[i], "zmmul")),
                "%s: instruction %08x of M at %x", all[i], x, at);
      cr_assert(!is_float || strstr(all[i], "zfinx"), "%s: float instruction %08x at %x", all[i], x, at);
    }
    result_free(&optimised);
    result_free(&plain);
  }
}

// Instructions from a loop's label to the branch back to it, of the longest such loop in the text.
static int longest_loop(const char *text) {
  int longest = 0;
  for (const char *label = strstr(text, "\n.LBB"); label; label = strstr(label + 1, "\n.LBB")) {
    char name[32];
    size_t length = strcspn(label + 1, ":");
    snprintf(name, sizeof name, "%.*s\n", (int)length, label + 1);
    int instructions = 0;
    for (const char *line = strchr(label + 1, '\n'); line; line = strchr(line + 1, '\n')) {
      if (strncmp(line, "\n.LBB", 5) == 0)
        break;
      instructions += line[1] == '\t' && line[2] != '#' && (line[2] != '.' || strncmp(line + 2, ".insn", 5) == 0);
      const char *end = strchr(line + 1, '\n');
      if (end && (size_t)(end - line) > length && strncmp(end - length, name, length + 1) == 0 && line[1] == '\t' &&
          line[2] == 'b') {
        longest = instructions > longest ? instructions : longest;
      }
    }
  }
  return longest;
}

static void expect_loop(const char *source, int most) {
  struct result result = compile_well(source, "--isa", ALL, "--emit=asm", NULL);
  int got = longest_loop((const char *)result.bytes);
  cr_expect(got > most / 2 && got <= most, "a loop of at most %d instructions expected, got %d in\n%s", most, got,
            (const char *)result.bytes);
  const char *spill = strstr((const char *)result.bytes, "(sp)");
  cr_expect(!spill || spill > strstr((const char *)result.bytes, ".Lfunc_end0"), "a register was spilled in\n%s",
            (const char *)result.bytes);
  result_free(&result);
}

// Plain loops whose number of iterations only the caller knows: eight iterations at a time, in as many instructions.
Test(isa, short_loops_are_unrolled_by_eight) {
  // Each time two loads and a multiplication with addition.
  expect_loop(
      "kernel void sgemm(global const float *a, global const float *b, global float *c, int n, int k) {\n"
      "  int col = get_global_id(0), row = get_global_id(1); float s = 0;\n"
      "  for (int e = 0; e < k; e++) s += a[row * k + e] * b[e * n + col];\n"
      "  c[row * n + col] = s; }\n",
      8 * 3 + 3);
  // Four times that, and both addresses are constant offsets.
  expect_loop(
      "kernel void sgemv(global const float *a, global const float *x, global float *y, int n) {\n"
      "  int row = get_global_id(0); float s = 0;\n"
      "  for (int j = 0; j < n; j += 4) { s += a[row * n + j] * x[j]; s += a[row * n + j + 1] * x[j + 1];\n"
      "    s += a[row * n + j + 2] * x[j + 2]; s += a[row * n + j + 3] * x[j + 3]; }\n"
      "  y[row] = s; }\n",
      8 * 12 + 4);
}

Test(isa, an_element_a_work_item_takes_few_instructions) {
  struct result result = compile_well(
      "kernel void vecadd(global const float *a, global const float *b, global float *c) {\n"
      "  int i = get_global_id(0); c[i] = a[i] + b[i]; }\n",
      "--isa", ALL, NULL);
  struct kernel_file file = kernel_file_open(result.bytes, result.size);
  uint32_t length = (kernel_file_text_end(&file) - kernel_file_symbol(&file, "vecadd")) / 4;
  cr_expect_leq(length, 11, "11 instructions expected, got %u", length);
  result_free(&result);
}

#define ATOMIC(expression, instruction)                                                                    \
  expect_count(                                                                                            \
      "kernel void k(volatile global int *p, volatile local uint *l, global int *out, int v) {\n  out[0] " \
      "= " expression "; }\n",                                                                             \
      ALL, instruction, 1)

Test(isa, atomics_are_one_instruction) {
  ATOMIC("atomic_add(p, v)", "amoadd.w");
  ATOMIC("atomic_inc(l)", "amoadd.w");
  ATOMIC("atom_xchg(p, v)", "amoswap.w");
  ATOMIC("atomic_min(p, v)", "amomin.w");
  ATOMIC("atomic_min(l, v)", "amominu.w");
  ATOMIC("atomic_max(p, v)", "amomax.w");
  ATOMIC("atom_max(l, v)", "amomaxu.w");
  ATOMIC("atomic_and(p, v)", "amoand.w");
  ATOMIC("atomic_or(p, v)", "amoor.w");
  ATOMIC("atomic_xor(l, v)", "amoxor.w");
  ATOMIC("atomic_cmpxchg(p, 1, v)", "sc.w");
}

// The device lets no others hold a sub-group up for ever that has at most 16 instructions from lr.w to sc.w, and needs
// no fences (contract/DEVICE.md). An atomic counts as waiting, so that its loop has no pause; a function that is a
// fence, and called, has one.
Test(isa, compare_and_exchange_keeps_the_rule_for_progress) {
  static const char source[] =
      "kernel void k(global int *p, global atomic_float *f, local atomic_uint *u, global int *out) {\n"
      "  float e = 1; uint x = 5; out[0] = atomic_cmpxchg(p, p[1], p[2]);\n"
      "  while (!atomic_compare_exchange_weak(f, &e, e * e + 2.0f)) {}\n"
      "  out[1] = atomic_compare_exchange_strong_explicit(u, &x, x + 1, memory_order_seq_cst, memory_order_acquire);\n"
      "  for (int i = 0; i < p[3]; i++) atomic_cmpxchg(p + i, i, i + 1);\n"
      "  atomic_fetch_add(u, 1u); atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, "
      "memory_scope_device); }\n";
  static const char *const options[] = {"-cl-std=CL3.0", "-cl-opt-disable"};
  for (size_t o = 0; o < 2; o++) {
    struct result result = compile_well(source, "--isa", ALL, "-cl-std=CL3.0", options[o], NULL);
    struct kernel_file file = kernel_file_open(result.bytes, result.size);
    const Elf32_Shdr *text = kernel_file_section(&file, ".text");
    uint32_t reserved_at = 0, pairs = 0, pauses = 0;
    for (uint32_t at = text->sh_addr; at < text->sh_addr + text->sh_size; at += 4) {
      uint32_t x = kernel_file_instruction(&file, at);
      pauses += x == 0x0100000F;
      cr_expect((x & 0x7F) != 0x0F || x == 0x0100000F, "fence at %x", at);
      if ((x & 0xF800707F) == 0x1000202F) {
        reserved_at = at;
      } else if ((x & 0xF800707F) == 0x1800202F) {
        cr_expect(reserved_at != 0 && at - reserved_at <= 16 * 4, "sc.w at %x, lr.w at %x", at, reserved_at);
        pairs++;
      }
    }
    cr_expect_eq(pauses, o, "%s: %u pauses expected, got %u", options[o], o, pauses);
    cr_expect_geq(pairs, 4, "%s: 4 compare-and-exchanges expected, got %u", options[o], pairs);
    result_free(&result);
  }
}
