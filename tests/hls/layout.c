// SPDX-License-Identifier: Apache-2.0
// Code lies as the smallest-PC rule of the device needs it, and collectives stay where they were written.
#include <criterion/criterion.h>
#include <stdbool.h>

#include "tests/hls/compiler.h"
#include "tests/hls/device.h"
#include "tests/hls/kernel_file_reader.h"

enum { CUSTOM_0 = 0x0B, FUNCT3_AND_OPCODE = 0x707F };

Test(layout, a_collective_in_a_loop_is_not_duplicated_by_unrolling) {
  static const char source[] =
      "kernel void k(global int *a, int n) { int v = a[get_global_id(0)];\n"
      "  for (int i = 0; i < 4; i++) v += sub_group_reduce_add(v + i);\n"
      "  for (int i = 0; i < n; i++) v += sub_group_scan_inclusive_max(v + i);\n"
      "  for (int i = 0; i < 3; i++) { if (v & 1) barrier(CLK_GLOBAL_MEM_FENCE); else barrier(CLK_GLOBAL_MEM_FENCE); "
      "}\n"
      "  a[get_global_id(0)] = v; }\n";
  struct result result = compile_well(source, NULL);
  struct kernel_file file = kernel_file_open(result.bytes, result.size);
  cr_expect_eq(kernel_file_count(&file, FUNCT3_AND_OPCODE, CUSTOM_0), 2, "sub-group collectives");
  cr_expect_leq(kernel_file_count(&file, FUNCT3_AND_OPCODE, CUSTOM_0 | 1 << 12), 2, "barriers");
  result_free(&result);
}

Test(layout, each_collective_is_one_instruction) {
  static const char source[] =
      "kernel void k(global uint *a, global int *b) { uint x = a[get_global_id(0)]; int y = b[get_global_id(0)];\n"
      "  a[0] = sub_group_scan_exclusive_min(x); b[0] = sub_group_scan_inclusive_add(y);\n"
      "  a[1] = work_group_reduce_max(x); b[1] = work_group_all(y); b[2] = sub_group_any(y);\n"
      "  a[2] = sub_group_broadcast(x, 3); }\n";
  struct result result = compile_well(source, "-cl-std=CL3.0", NULL);
  struct kernel_file file = kernel_file_open(result.bytes, result.size);
  const struct {
    const char *what;
    uint32_t type, mode, op, scope;
  } expected[] = {
      {"sub_group_scan_exclusive_min(uint)", 1, 2, 1, 0},
      {"sub_group_scan_inclusive_add(int)", 0, 1, 0, 0},
      {"work_group_reduce_max(uint)", 1, 0, 2, 1},
      {"work_group_all", 0, 4, 0, 1},
      {"sub_group_any", 0, 5, 0, 0},
      {"sub_group_broadcast", 0, 3, 0, 0},
  };
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    uint32_t funct7 = expected[i].type << 5 | expected[i].mode << 2 | expected[i].op;
    cr_expect_eq(kernel_file_count(&file, 0xFE00707F, funct7 << 25 | expected[i].scope << 12 | CUSTOM_0), 1, "%s",
                 expected[i].what);
  }
  result_free(&result);
}

// Merged, or moved in front of the branch, they would be of all lanes and not of those that take an arm.
Test(layout, the_arms_of_a_branch_keep_their_own_active_set_functions) {
  static const char source[] =
      "kernel void k(global uint *a) { size_t i = get_global_id(0); uint x = a[i], y;\n"
      "  if (x & 1) y = sub_group_shuffle(x, x >> 1); else y = sub_group_shuffle(x, x >> 1);\n"
      "  if (x & 2) a[i] = y + sub_group_non_uniform_reduce_add(x); else a[i] = y + "
      "sub_group_non_uniform_reduce_add(x);\n"
      "  if (x & 4) a[i] ^= sub_group_ballot(y).x; }\n";
  struct result result = compile_well(source, NULL);
  struct kernel_file file = kernel_file_open(result.bytes, result.size);
  cr_expect_eq(kernel_file_count(&file, 0xFE00707F, 24u << 25 | 2 << 12 | CUSTOM_0), 2, "shuffles");
  cr_expect_eq(kernel_file_count(&file, 0xFE00707F, 32u << 25 | 2 << 12 | CUSTOM_0), 2, "sums");
  cr_expect_eq(kernel_file_count(&file, 0xFE00707F, 28u << 25 | 2 << 12 | CUSTOM_0), 1, "ballots");
  result_free(&result);
}

Test(layout, library_functions_lie_below_kernels_and_kernels_above_what_they_call) {
  static const char source[] =
      "__attribute__((noinline)) float helper(float x) { return sin(x) * 2; }\n"
      "kernel void first(global float *a) { a[0] = helper(a[0]) + a[1]; }\n"
      "kernel void second(global float *a) { a[0] = helper(a[0]) / sin(a[1]); }\n";
  struct result result = compile_well(source, "--isa", "rv32im_zicsr", NULL);
  struct kernel_file file = kernel_file_open(result.bytes, result.size);
  static const char *const order[] = {"__mulsf3", "_Z3sinf", "helper.cl", "first", "second"};
  for (size_t i = 1; i < sizeof order / sizeof *order; i++) {
    uint32_t below = kernel_file_symbol(&file, order[i - 1]), above = kernel_file_symbol(&file, order[i]);
    cr_expect_lt(below, above, "%s at %x, %s at %x", order[i - 1], below, order[i], above);
  }
  result_free(&result);
}

// Eight values live across a call, so the entry uses callee-saved registers. It must not save them.
Test(layout, entries_save_no_callee_saved_registers) {
  static const char source[] =
      "__attribute__((noinline)) int f(int x) { return work_group_any(x) ? x * 3 : x; }\n"
      "kernel void k(global int *a) { int v[8]; for (int i = 0; i < 8; i++) v[i] = a[i];\n"
      "  int r = f(v[0]); for (int i = 0; i < 8; i++) a[i + 8] = v[i] + r; r = f(r); a[16] = r; }\n";
  struct result result = compile_well(source, "-cl-std=CL3.0", NULL);
  struct kernel_file file = kernel_file_open(result.bytes, result.size);
  uint32_t entry = kernel_file_symbol(&file, "k");
  for (uint32_t at = entry; at < kernel_file_text_end(&file); at += 4) {
    uint32_t x = kernel_file_instruction(&file, at);
    bool stores_to_stack = (x & 0x707F) == 0x2023 && (x >> 15 & 31) == 2;
    uint32_t saved = x >> 20 & 31;
    cr_expect_not(stores_to_stack && (saved == 8 || saved == 9 || saved >= 18) && saved < 28,
                  "register x%u saved at %x", saved, at - entry);
  }
  int a[17] = {1, 2, 3, 4, 5, 6, 7, 8};
  run_kernel(&result, &(struct dispatch){.kernel = "k", .buffers = {{a, sizeof a}}});
  cr_expect_eq(a[15], 8 + 3);
  cr_expect_eq(a[16], 9);
  result_free(&result);
}

Test(layout, optimisation_can_be_switched_off) {
  static const char source[] =
      "int f(int x) { int y = x; for (int i = 0; i < 3; i++) y += i * x; return y; }\n"
      "kernel void k(global int *a) { local int t[4]; t[get_local_id(0)] = f(a[get_local_id(0)]);\n"
      "  barrier(CLK_LOCAL_MEM_FENCE); a[get_local_id(0)] = t[3 - get_local_id(0)] + sub_group_reduce_add(1); }\n";
  struct result result = compile_well(source, "-cl-opt-disable", NULL);
  int a[4] = {1, 2, 3, 4};
  run_kernel(&result, &(struct dispatch){.kernel = "k", .global = {4}, .local = {4}, .buffers = {{a, sizeof a}}});
  cr_expect_arr_eq(a, ((int[]){20, 16, 12, 8}), sizeof a);
  result_free(&result);
}

// Kernels of one file place their variables each from offset 0, but one that two of them reach has one place in both.
Test(layout, local_variables_lie_apart_in_every_kernel_of_a_file) {
  static const char source[] =
      "kernel void shares(global int *a) { local int shared[4]; size_t i = get_local_id(0); shared[i] = a[i];\n"
      "  barrier(CLK_LOCAL_MEM_FENCE); a[i] = shared[3 - i]; }\n"
      "kernel void two(global int *a) { local int x[4]; local int y[4]; size_t i = get_local_id(0);\n"
      "  x[i] = a[i]; y[i] = a[i] * 10; barrier(CLK_LOCAL_MEM_FENCE); a[i] = x[3 - i] + y[i]; }\n"
      "kernel void calls(global int *a) { local int own[4]; size_t i = get_local_id(0); own[i] = a[i] * 100;\n"
      "  barrier(CLK_LOCAL_MEM_FENCE); shares(a); barrier(CLK_LOCAL_MEM_FENCE); a[i] += own[i]; }\n";
  static const struct {
    const char *kernel;
    int expected[4];
  } cases[] = {{"shares", {4, 3, 2, 1}}, {"two", {14, 23, 32, 41}}, {"calls", {104, 203, 302, 401}}};
  struct result result = compile_well(source, NULL);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    int a[4] = {1, 2, 3, 4};
    run_kernel(&result,
               &(struct dispatch){.kernel = cases[i].kernel, .global = {4}, .local = {4}, .buffers = {{a, sizeof a}}});
    cr_expect_arr_eq(a, cases[i].expected, sizeof a, "%s: {%d, %d, %d, %d}", cases[i].kernel, a[0], a[1], a[2], a[3]);
  }
  result_free(&result);
}

// Where a jump or branch back to a lower address goes, or 0.
static uint32_t back_to(uint32_t instruction, uint32_t at) {
  const uint32_t opcode = instruction & 0x7F, sign = 0 - (instruction >> 31);
  uint32_t offset = 0;
  if (opcode == 0x63)
    offset = sign << 12 | (instruction << 4 & 0x800) | (instruction >> 20 & 0x7E0) | (instruction >> 7 & 0x1E);
  else if (opcode == 0x6F)
    offset = sign << 20 | (instruction & 0xFF000) | (instruction >> 9 & 0x800) | (instruction >> 20 & 0x7FE);
  return sign ? at + offset : 0;
}

Test(layout, what_stays_the_same_in_a_dispatch_is_not_read_in_a_loop_that_stores) {
  static const char source[] =
      "kernel void k(global uint *a, uint n) {\n"
      "  for (uint i = get_global_id(0); i < n; i += get_global_size(0))\n"
      "    a[i] = a[i] * get_sub_group_size() + get_max_sub_group_size() + get_num_groups(0); }\n";
  struct result result = compile_well(source, "-cl-std=CL3.0", NULL);
  struct kernel_file file = kernel_file_open(result.bytes, result.size);
  const Elf32_Shdr *text = kernel_file_section(&file, ".text");
  int loops = 0;
  for (uint32_t at = text->sh_addr; at < text->sh_addr + text->sh_size; at += 4) {
    const uint32_t head = back_to(kernel_file_instruction(&file, at), at);
    loops += head != 0;
    for (uint32_t in = head; head != 0 && in < at; in += 4)
      cr_expect_neq(kernel_file_instruction(&file, in) & 0x707F, 0x2073,
                    "a CSR is read at %x, in the loop from %x to %x", in, head, at);
  }
  cr_expect_gt(loops, 0, "there is a loop");
  result_free(&result);
}
