// SPDX-License-Identifier: Apache-2.0
// Kernel files are what contract/DEVICE.md says: type, relocations, notes, local memory.
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/hls/compiler.h"
#include "tests/hls/device.h"
#include "tests/hls/kernel_file_reader.h"

static void expect_argument(const uint32_t *note, uint32_t index, const char *name, const char *type, uint32_t offset,
                            uint32_t size, uint32_t alignment, uint32_t space, uint32_t qualifiers, uint32_t kind) {
  const uint32_t *a = note_argument(note, index);
  cr_expect_str_eq(note_string(note, a[7]), name);
  cr_expect_str_eq(note_string(note, a[8]), type, "%s: %s", name, note_string(note, a[8]));
  cr_expect_eq(a[0], offset, "%s: offset %u expected, got %u", name, offset, a[0]);
  cr_expect_eq(a[1], size, "%s: size %u expected, got %u", name, size, a[1]);
  cr_expect_eq(a[2], alignment, "%s: alignment %u expected, got %u", name, alignment, a[2]);
  cr_expect_eq(a[3], space, "%s: address space %u expected, got %u", name, space, a[3]);
  cr_expect_eq(a[4], 0, "%s: access", name);
  cr_expect_eq(a[5], qualifiers, "%s: qualifiers %u expected, got %u", name, qualifiers, a[5]);
  cr_expect_eq(a[6], kind, "%s: kind %u expected, got %u", name, kind, a[6]);
}

Test(kernel_file, the_note_describes_every_kind_of_argument) {
  struct result result = compile_well(
      "typedef struct { char c; short s[3]; int i; } record;\n"
      "typedef struct { int3 v; } wide;\n"
      "kernel void k(char c, float f, ulong u, uchar3 v3, int3 w3, float16 f16, record r, wide w,\n"
      "  const global int *restrict g, volatile global float4 *v, constant uint *t, local uchar *l) {\n"
      "  l[0] = c; }\n",
      NULL);
  struct kernel_file file = kernel_file_open(result.bytes, result.size);
  const uint32_t *note = kernel_file_note(&file, "k");
  cr_expect_eq(note[0], 1);
  cr_assert_eq(note[12], 12);
  expect_argument(note, 0, "c", "char", 0, 1, 1, 0, 0, 0);
  expect_argument(note, 1, "f", "float", 4, 4, 4, 0, 0, 0);
  expect_argument(note, 2, "u", "ulong", 8, 8, 8, 0, 0, 0);
  expect_argument(note, 3, "v3", "uchar3", 16, 4, 4, 0, 0, 0);
  expect_argument(note, 4, "w3", "int3", 32, 16, 16, 0, 0, 0);
  expect_argument(note, 5, "f16", "float16", 64, 64, 64, 0, 0, 0);
  expect_argument(note, 6, "r", "record", 128, 12, 4, 0, 0, 0);
  expect_argument(note, 7, "w", "wide", 144, 16, 16, 0, 0, 0);
  expect_argument(note, 8, "g", "int*", 160, 4, 4, 1, 3, 1);
  expect_argument(note, 9, "v", "float4*", 164, 4, 4, 1, 4, 1);
  expect_argument(note, 10, "t", "uint*", 168, 4, 4, 2, 1, 1);
  expect_argument(note, 11, "l", "uchar*", 172, 4, 4, 3, 0, 1);
  cr_expect_eq(note[2], 176, "argument block of 176 bytes expected, got %u", note[2]);
  result_free(&result);
}

Test(kernel_file, attributes_are_in_the_note_as_numbers_and_as_text) {
  struct result result = compile_well(
      "__attribute__((reqd_work_group_size(8, 2, 1))) __attribute__((intel_reqd_sub_group_size(4)))\n"
      "kernel void a(void) {}\n"
      "__attribute__((work_group_size_hint(16, 1, 1))) __attribute__((vec_type_hint(float4))) kernel void b(void) {}\n"
      "__attribute__((vec_type_hint(uchar))) kernel void c(void) {}\n"
      "__attribute__((vec_type_hint(double4))) kernel void d(void) {}\n",
      "--double", NULL);
  struct kernel_file file = kernel_file_open(result.bytes, result.size);
  const uint32_t *a = kernel_file_note(&file, "a"), *b = kernel_file_note(&file, "b"),
                 *c = kernel_file_note(&file, "c"), *d = kernel_file_note(&file, "d");
  cr_expect_arr_eq(a + 4, ((uint32_t[]){8, 2, 1, 0, 0, 0, 4}), 28);
  cr_expect_str_eq(note_string(a, a[15]), "reqd_work_group_size(8,2,1) intel_reqd_sub_group_size(4)");
  cr_expect_arr_eq(b + 4, ((uint32_t[]){0, 0, 0, 16, 1, 1, 0}), 28);
  cr_expect_str_eq(note_string(b, b[15]), "work_group_size_hint(16,1,1) vec_type_hint(float4)");
  cr_expect_str_eq(note_string(c, c[15]), "vec_type_hint(uchar)");
  cr_expect_str_eq(note_string(d, d[15]), "vec_type_hint(double4)");
  result_free(&result);
}

Test(kernel_file, the_isa_string_is_in_a_note_of_its_own) {
  struct result result = compile_well("kernel void k(void) {}\n", "--isa", "rv32im_zicsr_zba", NULL);
  struct kernel_file file = kernel_file_open(result.bytes, result.size);
  const uint32_t *note = kernel_file_note(&file, NULL);
  cr_expect_eq(note[0], 1);
  cr_expect_str_eq((const char *)(note + 1), "rv32im_zicsr_zba");
  result_free(&result);
}

Test(kernel_file, an_entry_sets_its_stack_pointer_first_and_ends_with_exit) {
  struct result result = compile_well("kernel void k(global int *a) { a[get_global_id(0)] = 3; }\n", NULL);
  struct kernel_file file = kernel_file_open(result.bytes, result.size);
  const uint32_t *note = kernel_file_note(&file, "k");
  cr_expect_eq(note[1], kernel_file_symbol(&file, "k"));
  cr_expect_eq(kernel_file_instruction(&file, note[1]), 0xCCE02173, "csrr sp, 0xCCE expected");
  cr_expect_eq(kernel_file_instruction(&file, kernel_file_text_end(&file) - 4), 0x0000300B, "exit expected");
  cr_expect_eq(note[11], 0, "this kernel needs no stack");
  result_free(&result);
}

Test(kernel_file, only_relative_relocations_are_left) {
  static const char source[] =
      "constant char a[] = \"one\"; constant char b[] = \"two\";\n"
      "constant constant char *const names[] = {a, b};\n"
      "global int counter = 5; global int *global where = &counter;\n"
      "kernel void k(global int *out, int i) { out[0] = names[i & 1][0]; out[1] = *where; *where = 7; out[2] = "
      "counter; }\n";
  struct result result = compile_well(source, "-cl-std=CL3.0", NULL);
  struct kernel_file file = kernel_file_open(result.bytes, result.size);
  const Elf32_Shdr *relocations = kernel_file_section(&file, ".rela.dyn");
  cr_assert_not_null(relocations);
  cr_expect_geq(relocations->sh_size / sizeof(Elf32_Rela), 1);
  // run_kernel checks their type, and loads the image elsewhere than at 0.
  int out[3] = {0};
  run_kernel(&result, &(struct dispatch){.kernel = "k", .buffers = {{out, sizeof out}}, .values = {1}});
  cr_expect_arr_eq(out, ((int[]){'t', 5, 7}), sizeof out);
  result_free(&result);
}

Test(kernel_file, local_variables_start_at_offset_0_of_each_kernel) {
  static const char source[] =
      "kernel void one(global int *out) { local int a[8]; local char b; local long c;\n"
      "  int l = get_local_id(0); a[l] = l; if (l == 0) { b = 5; c = 7; } barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  out[l] = a[7 - l] + b + (int)c; }\n"
      "kernel void two(global int *out) { local int a[3]; a[get_local_id(0)] = 1;\n"
      "  barrier(CLK_LOCAL_MEM_FENCE); out[get_local_id(0)] = a[2 - get_local_id(0)]; }\n"
      "kernel void none(global int *out) { out[0] = 0; }\n";
  struct result result = compile_well(source, NULL);
  struct kernel_file file = kernel_file_open(result.bytes, result.size);
  uint32_t one = kernel_file_note(&file, "one")[3];
  cr_expect(one >= 32 + 8 + 1 && one <= 48, "%u bytes", one);
  cr_expect_eq(kernel_file_note(&file, "two")[3], 12);
  cr_expect_eq(kernel_file_note(&file, "none")[3], 0);
  int out[8];
  run_kernel(&result, &(struct dispatch){.kernel = "one", .global = {8}, .local = {8}, .buffers = {{out, sizeof out}}});
  for (int i = 0; i < 8; i++)
    cr_expect_eq(out[i], 7 - i + 12);
  result_free(&result);
}

// A kernel may call another, whose local variables then lie in both kernels' local memory.
Test(kernel_file, local_variables_of_a_kernel_that_is_called_do_not_overlap_the_callers) {
  static const char source[] =
      "int sum(local int *p) { return p[0] + p[1]; }\n"
      "kernel void inner(global int *out, int x) { local int a[2];\n"
      "  if (get_local_id(0) == 0) { a[0] = x; a[1] = 2 * x; } barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  out[get_local_id(0)] += sum(a); barrier(CLK_LOCAL_MEM_FENCE); }\n"
      "kernel void outer(global int *out, int x) { local int b[4];\n"
      "  b[get_local_id(0)] = get_local_id(0); barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  inner(out, x); out[get_local_id(0)] += b[3 - get_local_id(0)]; }\n"
      "kernel void other(global int *out, int x) { local int c[100]; c[get_local_id(0) * 20] = x;\n"
      "  barrier(CLK_LOCAL_MEM_FENCE); inner(out, c[60]); out[get_local_id(0)] += c[get_local_id(0) * 20]; }\n";
  struct result result = compile_well(source, NULL);
  struct dispatch dispatch = {.global = {4}, .local = {4}, .values = {5}};
  int out[4] = {0};
  dispatch.buffers[0] = (struct buffer){out, sizeof out};
  dispatch.kernel = "inner";
  run_kernel(&result, &dispatch);
  cr_expect_arr_eq(out, ((int[]){15, 15, 15, 15}), sizeof out);
  dispatch.kernel = "outer";
  run_kernel(&result, &dispatch);
  cr_expect_arr_eq(out, ((int[]){33, 32, 31, 30}), sizeof out);
  dispatch.kernel = "other";
  run_kernel(&result, &dispatch);
  cr_expect_arr_eq(out, ((int[]){53, 52, 51, 50}), sizeof out);
  result_free(&result);
}

Test(kernel_file, arguments_of_every_kind_arrive) {
  static const char source[] =
      "kernel void k(global int *out, char c, local int *l, constant int *t, uchar u, short s) {\n"
      "  l[get_local_id(0)] = t[get_local_id(0)]; barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  out[get_global_id(0)] = c + u + s + l[3 - get_local_id(0)]; }\n";
  struct result result = compile_well(source, NULL);
  int out[4], table[4] = {10, 20, 30, 40};
  run_kernel(&result, &(struct dispatch){.kernel = "k",
                                         .global = {4},
                                         .local = {4},
                                         .local_argument_bytes = 16,
                                         .buffers = {{out, sizeof out}, {table, sizeof table}},
                                         .values = {0x80, 200, 0x8000}});
  for (int i = 0; i < 4; i++)
    cr_expect_eq(out[i], -128 + 200 - 32768 + table[3 - i]);
  result_free(&result);
}

Test(kernel_file, the_stack_figure_covers_what_a_kernel_uses) {
  static const char source[] =
      "kernel void k(global int *out, int n) { int a[500]; for (int i = 0; i < 500; i++) a[i] = i * n;\n"
      "  for (int i = 0; i < 500; i++) a[a[i] % 500] += i; out[0] = a[n]; }\n"
      "kernel void maths(global float *out) { out[0] = pow(out[0], sin(out[1])); }\n";
  struct result result = compile_well(source, NULL);
  struct kernel_file file = kernel_file_open(result.bytes, result.size);
  uint32_t bytes = kernel_file_note(&file, "k")[11];
  cr_expect(bytes >= 2000 && bytes < 2200, "%u bytes", bytes);
  bytes = kernel_file_note(&file, "maths")[11];
  cr_expect(bytes >= 16 && bytes < 2048, "%u bytes", bytes);
  result_free(&result);
}

Test(kernel_file, kernels_may_have_names_of_library_functions) {
  static const char source[] =
      "void memset(global int *p) { p[1] = 9; }\n"
      "kernel void sqrtf(global int *out) { out[0] = (int)sqrt((float)out[0]); memset(out); }\n"
      "kernel void __addsf3(global int *out) { out[0] = (int)((float)out[0] + 0.75f); }\n"
      "kernel void llvm(global int *out) { out[0] = 5; }\n";
  struct result result = compile_well(source, NULL);
  int out[2] = {16, 0};
  run_kernel(&result, &(struct dispatch){.kernel = "sqrtf", .buffers = {{out, sizeof out}}});
  cr_expect_eq(out[0], 4);
  cr_expect_eq(out[1], 9);
  run_kernel(&result, &(struct dispatch){.kernel = "__addsf3", .buffers = {{out, sizeof out}}});
  cr_expect_eq(out[0], 4);
  run_kernel(&result, &(struct dispatch){.kernel = "llvm", .buffers = {{out, sizeof out}}});
  cr_expect_eq(out[0], 5);
  result_free(&result);
}

// Layouts of what reaches the device, in the order of the source; kernels in the order of their notes.
Test(kernel_file, the_printf_note_has_the_kernels_that_print_and_what) {
  struct result result = compile_well(
      "void f(int x) { printf(\"%d\\n\", x); }\n"
      "kernel void silent(global int *a) { a[0] = 1; }\n"
      "kernel void called(global int *a) { f(a[0]); printf(\"again %d\\n\", a[1]); }\n"
      "kernel void dead(global int *a) { if (0) printf(\"%d\\n\", a[0]); }\n"
      "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
      "kernel void direct(char3 c, float4 v, long l, global half *p) {\n"
      "  printf(\"%v3hhd %v4hlf %ld %s %p %c %f\\n\", c, v, l, \"s\", p, c.x, p[0]); }\n",
      "-cl-std=CL3.0", NULL);
  struct kernel_file file = kernel_file_open(result.bytes, result.size);
  const uint32_t *note = kernel_file_printf_note(&file);
  static const uint32_t expected[] = {1,       2,       2,       1,       3,       1,       0x10401, 7,
                                      0x30101, 0x40402, 0x10801, 0x10403, 0x10403, 0x10401, 0x10402};
  cr_assert_not_null(note);
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
    cr_expect_eq(note[i], expected[i], "word %zu: expected 0x%x, got 0x%x", i, expected[i], note[i]);
  result_free(&result);
}

// A kernel that does not print has the same code beside one that does, and its file has no note when none does.
Test(kernel_file, without_printf_nothing_is_there_for_it) {
#define SILENT "kernel void silent(global int *a) { a[get_global_id(0)] += 7; }\n"
  struct result alone = compile_well(SILENT, NULL);
  struct result beside = compile_well(SILENT "kernel void loud(int x) { printf(\"%d\\n\", x); }\n", NULL);
  struct kernel_file file = kernel_file_open(alone.bytes, alone.size);
  struct kernel_file other = kernel_file_open(beside.bytes, beside.size);
  cr_expect_null(kernel_file_printf_note(&file));
  uint32_t entry = kernel_file_symbol(&file, "silent"), moved = kernel_file_symbol(&other, "silent");
  for (uint32_t at = 0; entry + at < kernel_file_text_end(&file); at += 4)
    cr_expect_eq(kernel_file_instruction(&file, entry + at), kernel_file_instruction(&other, moved + at));
  result_free(&alone);
  result_free(&beside);
}

Test(kernel_file, lines_of_the_source_are_kept) {
  struct result result = compile_well("kernel void k(global int *a) {\n  a[0] = 3;\n}\n", NULL);
  struct kernel_file file = kernel_file_open(result.bytes, result.size);
  cr_expect_not_null(kernel_file_section(&file, ".debug_line"));
  cr_expect(memmem(result.bytes, result.size, "test.cl", 7));
  cr_expect(!memmem(result.bytes, result.size, "/heddle", 7) && !memmem(result.bytes, result.size, "/tmp", 4),
            "a temporary path is in the kernel file");
  result_free(&result);
}

Test(kernel_file, compiling_twice_gives_the_same_bytes) {
  static const char source[] = "kernel void k(global float *a) { a[0] = sin(a[1]); }\n";
  struct result one = compile_well(source, NULL), two = compile_well(source, NULL);
  cr_expect_eq(one.size, two.size);
  cr_expect_arr_eq(one.bytes, two.bytes, one.size);
  result_free(&one);
  result_free(&two);
}

Test(kernel_file, a_small_kernel_is_small) {
  struct result result = compile_well(
      "kernel void k(global int *a, global int *b) { a[get_global_id(0)] += b[get_global_id(0)]; }\n", NULL);
  struct kernel_file file = kernel_file_open(result.bytes, result.size);
  uint32_t bytes = kernel_file_section(&file, ".text")->sh_size;
  cr_expect_leq(bytes, 64, "%u bytes of code", bytes);
  result_free(&result);
}
