// SPDX-License-Identifier: Apache-2.0
// heddlec --hardware: what a pipeline is made of, what cannot be hardware, the folder, and hashes.
#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "contract/device_map.h"
#include "tests/hls/compiler.h"
#include "tests/temporary.h"

// The prepared IR of a source, for the caller to free.
static char *prepared(const char *source) {
  struct result result = compile_well(source, "--hardware", "--emit-ir", "-cl-std=CL3.0", NULL);
  char *text = calloc(1, result.size + 1);
  cr_assert_not_null(text);
  memcpy(text, result.bytes, result.size);
  result_free(&result);
  return text;
}

static size_t count(const char *text, const char *words) {
  size_t found = 0;
  for (const char *at = strstr(text, words); at; at = strstr(at + 1, words))
    found++;
  return found;
}

#define expect_has(text, words) cr_assert_neq(count(text, words), 0, "no '%s' in:\n%s", words, text)
#define expect_lacks(text, words) cr_assert_eq(count(text, words), 0, "'%s' is in:\n%s", words, text)

Test(hardware, everything_that_a_kernel_calls_is_part_of_it) {
  char *text = prepared(
      "float twice(float x) { return 2 * x; }\n"
      "float __attribute__((noinline)) four(float x) { return twice(twice(x)); }\n"
      "kernel void f(global float *x) { x[get_global_id(0)] = four(exp(x[get_global_id(0)])); }\n");
  cr_assert_eq(count(text, "\ndefine "), 1, "%s", text);
  expect_lacks(text, "@four");
  expect_lacks(text, "@_Z3expf");
  free(text);
}

Test(hardware, what_is_an_instruction_of_the_device_stays_a_primitive) {
  char *text = prepared(
      "kernel void f(global int *x, global float *y, local int *z) {\n"
      "  int i = get_global_id(0);\n"
      "  x[i] = work_group_scan_inclusive_add(sub_group_reduce_max(x[i]) + z[get_local_id(0)]);\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  y[i] = floor(y[i]) + (float)convert_int_rtp(y[i]);\n"
      "}\n");
  expect_has(text, "@__heddle_csr(i32 noundef 3280)");
  expect_has(text,
             "@__heddle_collective(i32 noundef 1, i32 noundef 1, i32 noundef 0, i32 noundef 0");  // scan of the group
  expect_has(text, "@__heddle_collective(i32 noundef 0, i32 noundef 0, i32 noundef 2, i32 noundef 0");  // maximum
  expect_has(text, "@__heddle_barrier(i32 noundef 1)");
  expect_has(text, "@__heddle_int_of_float(float %");
  expect_lacks(text, "asm ");
  expect_lacks(text, "llvm.floor");
  free(text);
}

Test(hardware, values_are_scalars) {
  char *text = prepared(
      "struct pair { float4 a; uchar b[5]; };\n"
      "kernel void f(global uint4 *x, uchar4 b, struct pair p, float3 c, global float *y) {\n"
      "  int i = get_global_id(0);\n"
      "  x[i] = (x[i] + as_uint(b)).wzyx * as_uint4(p.a) + (uint4)(p.b[i & 3]);\n"
      "  y[i] = dot(c, vload3(i, y)) + all(isless(p.a, convert_float4(x[i])));\n"
      "}\n");
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
    const bool is_instruction = strncmp(line, "  ", 2) == 0;
    cr_assert(!is_instruction || strstr(line, "getelementptr") || !strstr(line, " x i") || !strchr(line, '<'),
              "a vector: %s", line);
  }
  free(text);
}

Test(hardware, loops_stay_loops_unless_the_source_asks) {
  static const char source[] =
      "kernel void f(global const float *x, global float *y) {\n"
      "  float sum = 0;\n"
      "  UNROLL for (int i = 0; i < 8; i++) sum += x[i] * y[i];\n"
      "  y[get_global_id(0)] = sum;\n"
      "}\n";
  char all[512];
  snprintf(all, sizeof all, "#define UNROLL\n%s", source);
  char *rolled = prepared(all);
  cr_assert_eq(count(rolled, "@llvm.fmuladd.f32(float %"), 1, "%s", rolled);
  snprintf(all, sizeof all, "#define UNROLL __attribute__((opencl_unroll_hint(2)))\n%s", source);
  char *by_two = prepared(all);
  cr_assert_eq(count(by_two, "@llvm.fmuladd.f32(float %"), 2, "%s", by_two);
  snprintf(all, sizeof all, "#define UNROLL __attribute__((opencl_unroll_hint))\n%s", source);
  char *unrolled = prepared(all);
  cr_assert_eq(count(unrolled, "@llvm.fmuladd.f32(float %"), 8, "%s", unrolled);
  free(rolled);
  free(by_two);
  free(unrolled);
}

Test(hardware, rounds_in_one_are_of_innermost_loops_without_a_hint) {
  static const char source[] =
      "kernel void f(global const float *x, global float *y) {\n"
      "  float sum = 0;\n"
      "  for (int k = 0; k < 64; k++) {\n"
      "    HINT for (int i = 0; i < 8; i++) sum += x[i + k] * y[i];\n"
      "    y[k] = sum;\n"
      "  }\n"
      "}\n";
  static const struct {
    const char *hint, *rounds;
    size_t products;
  } cases[] = {{"-DHINT=", "1", 1},
               {"-DHINT=", "4", 4},
               {"-DHINT=__attribute__((opencl_unroll_hint(1)))", "4", 1},
               {"-DHINT=__attribute__((opencl_unroll_hint(2)))", "4", 2},
               {"-DHINT=__attribute__((opencl_unroll_hint))", "4", 8}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct result result = compile_well(source, "--hardware", "--emit-ir", "-cl-std=CL3.0", "--unroll", cases[i].rounds,
                                        cases[i].hint, NULL);
    char *text = calloc(1, result.size + 1);
    cr_assert_not_null(text);
    memcpy(text, result.bytes, result.size);
    cr_expect_eq(count(text, "@llvm.fmuladd.f32(float %"), cases[i].products, "%s, %s rounds in one: %s", cases[i].hint,
                 cases[i].rounds, text);
    cr_expect_eq(count(text, "store float"), 1, "the outer loop is unrolled: %s", text);
    free(text);
    result_free(&result);
  }
}

Test(hardware, loops_are_unrolled_where_a_private_array_goes_away) {
  char *gone = prepared(
      "kernel void f(global int *x) {\n"
      "  int w[4], sum = 0;\n"
      "  for (int i = 0; i < 4; i++) w[i] = x[i];\n"
      "  for (int t = 0; t < 100; t++) { sum = sum * 3 + w[0]; for (int i = 0; i < 3; i++) w[i] = w[i + 1]; w[3] = "
      "sum; }\n"
      "  x[get_global_id(0)] = sum;\n"
      "}\n");
  expect_lacks(gone, "alloca");
  expect_has(gone, "br i1");  // the rounds of t are still a loop
  cr_assert_lt(strlen(gone), 12000, "%s", gone);
  free(gone);
  char *left = prepared(
      "kernel void f(global int *x) {\n"
      "  int w[16];\n"
      "  for (int i = 0; i < 16; i++) w[i] = i;\n"
      "  for (int t = 0; t < 64; t++) w[x[t] & 15] += t;\n"
      "  x[get_global_id(0)] = w[x[0] & 15];\n"
      "}\n");
  expect_has(left, "alloca");
  free(left);
}

// Sums of floats by the rounds of both loops would be 128 operators, which no board has room for.
#define PARITY_OF_16                                                                             \
  "kernel void parity(global const uchar *data, uint n, constant uchar *t, global uchar *p) {\n" \
  "  uchar r[16] = {0};\n"                                                                       \
  "  int g = get_global_id(0);\n"                                                                \
  "  for (uint k = 0; k < n; k++) {\n"                                                           \
  "    uchar f = data[g * n + k] ^ r[0];\n"                                                      \
  "    for (int i = 0; i < 15; i++) r[i] = r[i + 1] ^ (f && t[i] ? t[t[f] + t[i]] : 0);\n"       \
  "    r[15] = f && t[15] ? t[t[f] + t[15]] : 0;\n"                                              \
  "  }\n"                                                                                        \
  "  for (int i = 0; i < 16; i++) p[16 * g + i] = r[i];\n"                                       \
  "}\n"

Test(hardware, a_loop_that_has_branches_is_unrolled_where_a_private_array_goes_away) {
  char *text = prepared(PARITY_OF_16);
  expect_lacks(text, "alloca");
  free(text);
}

Test(hardware, an_array_goes_away_whatever_other_kernels_the_source_has) {
  char *text = prepared(PARITY_OF_16
                        "kernel void swaps(global const uchar *key, global uchar *out) {\n"
                        "  uchar s[256], j = 0;\n"
                        "  for (int i = 0; i < 256; i++) s[i] = i;\n"
                        "  for (int i = 0; i < 256; i++) {\n"
                        "    j += s[i] + key[i & 15];\n"
                        "    uchar t = s[i]; s[i] = s[j]; s[j] = t;\n"
                        "  }\n"
                        "  out[get_global_id(0)] = s[key[get_global_id(0)]];\n"
                        "}\n");
  cr_assert_eq(count(text, "alloca"), 1, "%s", text);
  expect_has(text, "alloca [256 x i8]");
  free(text);
}

Test(hardware, loops_stay_loops_where_a_private_array_would_cost_many_float_operators) {
  static const char source[] =
      "kernel void f(global float *x) {\n"
      "  float w[ITEMS];\n"
      "  for (int i = 0; i < ITEMS; i++) w[i] = x[i];\n"
      "  for (int t = 0; t < 8; t++)\n"
      "    for (int i = 0; i < ITEMS; i++) w[i] = w[i] * x[t] + w[(i + t + 1) % ITEMS];\n"
      "  for (int i = 0; i < ITEMS; i++) x[i] = w[i];\n"
      "}\n";
  char all[sizeof source + 32];
  snprintf(all, sizeof all, "#define ITEMS 4\n%s", source);
  char *gone = prepared(all);
  expect_lacks(gone, "alloca");
  free(gone);
  snprintf(all, sizeof all, "#define ITEMS 16\n%s", source);
  char *left = prepared(all);
  expect_has(left, "alloca");
  cr_expect_eq(count(left, "@llvm.fmuladd.f32(float %"), 1, "%s", left);
  free(left);
}

Test(hardware, copies_of_memory_are_loads_and_stores) {
  char *text = prepared(
      "struct big { int a[100]; };\n"
      "kernel void f(global struct big *x, global struct big *y) { x[get_global_id(0)] = y[get_global_id(1)]; }\n");
  expect_lacks(text, "llvm.mem");
  expect_has(text, "store i32");
  free(text);
}

Test(hardware, any_flow_of_control_is_structured) {
  static const char *const bodies[] = {
      "for (int i = 0; i < n; i++) { if (x[i] == 3) return; for (int j = 0; j < i; j++) { if (x[j] == i) goto out; if "
      "(x[j] < 0) "
      "continue; x[j]++; } } out: x[id] = 1;",
      "switch (x[id]) { case 0: x[id] = 5; case 1: x[id] += 2; break; case 7: return; default: x[id] = n; }",
      "int i = 0; if (n > 3) goto middle; while (i < n) { x[i] = i; middle: i += 2; if (x[i] == 9) break; }",
      "do { n = n * 3 + 1; if (n & 1) { if (n == 7) return; n >>= 1; } else if (n == 4) break; } while (n != 1); x[id] "
      "= n;",
  };
  for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
    char source[1024];
    snprintf(source, sizeof source, "kernel void f(global int *x, int n) { int id = get_global_id(0); %s }", bodies[i]);
    char *text = prepared(source);
    cr_assert_eq(count(text, "  ret void"), 1, "%s", text);
    expect_lacks(text, "switch");
    free(text);
  }
}

Test(hardware, a_division_by_zero_has_a_value_and_changes_nothing_else) {
  char *text = prepared("kernel void f(global int *x, int n) { int q = x[0] / n; x[1] = n == 0 ? 7 : 9; x[2] = q; }");
  expect_has(text, "sdiv i32");
  expect_has(text, "icmp");  // whether n is 0 is still asked
  expect_lacks(text, "call i32 @llvm.riscv.moprr");
  free(text);
}

// Whether the Verilog of kernel k has a way for addresses outside of arrays.
static bool checks_addresses(const char *source) {
  char folder[TEMPORARY_BYTES], path[TEMPORARY_BYTES + 32], command[512];
  cr_assert(mkdtemp(temporary_name(folder)));
  snprintf(path, sizeof path, "%s/k.cl", folder);
  cr_assert(temporary_write(path, source));
  snprintf(command, sizeof command,
           "cd %s && \"$OLDPWD/" BUILD
           "/bin/heddlec\" --hardware k.cl -o k.hw > said && grep -c CHECK_ADDRESSES "
           "k.hw/pipeline_k.v > count; [ -s count ]",
           folder);
  cr_assert_eq(system(command), 0, "%s", source);  // NOLINT(cert-env33-c): of constants
  snprintf(path, sizeof path, "%s/count", folder);
  FILE *file = fopen(path, "r");
  int lines = -1;
  cr_assert(file && fscanf(file, "%d", &lines) == 1);
  fclose(file);
  snprintf(command, sizeof command, "rm -r %s", folder);
  cr_assert_eq(system(command), 0);  // NOLINT(cert-env33-c): of a constant
  return lines > 0;
}

// By what the work-items at an access have in common: the size of work-groups, conditions, and how far counters count.
Test(hardware, an_index_that_is_inside_its_array_is_not_checked) {
  static const struct {
    const char *body;
    bool is_checked;
  } cases[] = {
      {"for (int k = 0; k < 16; k++) sum += part[l + k];", false},
      {"for (int k = 0; k < 17; k++) sum += part[l + k];", true},
      {"\n#pragma unroll 4\nfor (int k = 0; k < 16; k++) sum += part[l + k];", false},
      {"\n#pragma unroll 4\nfor (int k = 0; k < 20; k++) sum += part[l + k];", true},
      {"\n#pragma nounroll\nfor (uint k = 1; k != 17; k += 4) sum += part[l + k + 3];", true},
      {"\n#pragma nounroll\nfor (uint k = 1; k != 17; k += 4) sum += part[l + k + 2];", false},
      {"\n#pragma nounroll\nfor (uint k = 3; k < 18; k += 4) sum += part[l + k];", false},
      {"\n#pragma nounroll\nfor (uint k = 3; k < 20; k += 4) sum += part[l + k];", true},
      {"if ((int)l < 15) sum += part[64 + l];", false},
      {"if ((int)l < 17) sum += part[64 + l];", true},
      {"if (n < 79) sum += part[n];", true},
      {"if (n >= 0 && n < 79) sum += part[n];", false},
      {"if ((uint)n < 79) sum += part[n];", false},
      {"if (!(15 < (int)l)) sum += part[63 + l];", false},
      {"if (!(16 < (int)l)) sum += part[63 + l];", true},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char source[1024];
    snprintf(source, sizeof source,
             "__attribute__((reqd_work_group_size(64, 1, 1))) kernel void k(global uint *x, int n) {\n"
             "  local uint part[79];\n"
             "  uint l = get_local_id(0), sum = 0;\n"
             "  part[l] = x[l];\n"
             "  barrier(CLK_LOCAL_MEM_FENCE);\n"
             "  %s\n"
             "  x[get_global_id(0)] = sum;\n"
             "}\n",
             cases[i].body);
    cr_expect_eq(checks_addresses(source), cases[i].is_checked, "%s", cases[i].body);
  }
}

Test(hardware, a_place_in_the_source_is_kept) {
  char *text = prepared("kernel void f(global int *x) {\n  x[get_global_id(0)] += 1;\n}\n");
  expect_has(text, "line: 2");
  free(text);
}

Test(hardware, empty_assembly_gives_what_it_is_given) {
  char *text = prepared(
      "kernel void f(global int *x) {\n  int i = get_global_id(0), one = 1;\n  bool is_first = i == 0;\n"
      "  __asm__ volatile(\"\" : \"+r\"(one));\n  __asm__ volatile(\"\" : \"+r\"(is_first) : : \"memory\");\n"
      "  x[i] = is_first ? one : 2;\n}\n");
  cr_expect(!strstr(text, " asm "), "assembly is left: %s", text);
  expect_has(text, "select i1");
  free(text);
}

// The IR of what is refused is written all the same.
static void expect_no_hardware(const char *source, const char *words) {
  struct result result = compile(source, "--hardware", "--emit-ir", "-cl-std=CL3.0", NULL);
  cr_assert_eq(result.code, 1, "exit code %d: %s", result.code, result.messages);
  cr_assert(strstr(result.messages, words), "no '%s' in: %s", words, result.messages);
  result_free(&result);
}

Test(hardware, what_cannot_be_is_refused_by_kernel_line_and_reason) {
  expect_no_hardware("int other(int);\nkernel void g(global int *x) {\n  x[0] = other(3);\n}\n",
                     ":3:10: error: kernel 'g' cannot be hardware: function 'other' is not there in hardware");
  expect_no_hardware(
      "kernel void g(global int *x) {\n  int y;\n  __asm__ volatile(\"\" : \"=r\"(y));\n  x[0] = y;\n}\n",
      ":3:3: error: kernel 'g' cannot be hardware: it has inline assembly");
  expect_no_hardware("kernel void g(global int *x) {\n  for (;;) x[0]++;\n}\n",
                     "error: kernel 'g' cannot be hardware: ");
  expect_no_hardware("kernel void g(global int *x) {\n  if (x[0] > 3)\n    __builtin_trap();\n  x[0] = 1;\n}\n",
                     ":3:5: error: kernel 'g' cannot be hardware: it may end with a trap here, as by an assertion");
  expect_no_hardware("kernel void g(read_only pipe int p, global int *x) {\n  x[0] = get_pipe_num_packets(p);\n}\n",
                     "error: kernel 'g' cannot be hardware: function 'get_pipe' is not there in hardware");
  expect_no_hardware(
      "kernel void g(read_only pipe int p, global int *x) {\n  reserve_id_t i = reserve_read_pipe(p, 2);\n"
      "  read_pipe(p, i, 0, x);\n}\n",
      "error: kernel 'g' cannot be hardware: function 'reserve_read_pipe' is not there in hardware");
}

// Without atomic instructions each lane of a programmable unit has a buffer, and a pipeline none: it would print
// nothing.
Test(hardware, printf_needs_atomics) {
  static const char source[] = "kernel void g(global int *x) {\n  x[0]++;\n  printf(\"%d\", x[0]);\n}\n";
  struct result result = compile(source, "--hardware", "--emit-ir", "-cl-std=CL3.0", "--isa", "rv32im_zicsr", NULL);
  cr_assert_eq(result.code, 1, "exit code %d: %s", result.code, result.messages);
  static const char words[] = ":3:3: error: kernel 'g' cannot be hardware: function 'printf' is not there in hardware";
  cr_assert(strstr(result.messages, words), "no '%s' in: %s", words, result.messages);
  result_free(&result);
  result = compile_well(source, "--hardware", "--emit-ir", "-cl-std=CL3.0", NULL);
  result_free(&result);
}

// What heddlec tries on its own is nobody's request.
Test(hardware, nothing_is_said_of_loops_that_the_source_does_not_ask_to_unroll) {
  struct result result = compile_well(
      "kernel void f(global int *d, int n) {\n  int stack[32], top = -1;\n  stack[++top] = 0;\n  stack[++top] = n;\n"
      "  while (top >= 0) {\n    int h = stack[top--], l = stack[top--], p = (h + l) / 2;\n"
      "    for (int i = l; i < h; i++) d[i] += p;\n"
      "    if (p > l) { stack[++top] = l; stack[++top] = p; }\n  }\n}\n",
      "--hardware", "--emit-ir", "-cl-std=CL3.0", NULL);
  cr_assert_str_empty(result.messages, "%s", result.messages);
  result_free(&result);
}

// Of the formats that a pixel may have there is one circuit: no call and no table of jumps is left.
Test(hardware, images_are_read_and_written_by_code_for_all_formats) {
  char *text = prepared(
      "kernel void g(read_only image2d_t from, write_only image2d_t to, sampler_t s, global float2 *at) {\n"
      "  int2 place = (int2)((int)get_global_id(0), (int)get_global_id(1));\n"
      "  write_imagef(to, place, read_imagef(from, s, at[place.x]));\n"
      "}\n");
  cr_assert_eq(count(text, "\ndefine "), 1, "%s", text);
  expect_lacks(text, "@_Z11read_imagef");
  expect_lacks(text, "@__heddle_is_constant");
  free(text);
}

Test(hardware, double_is_offered_when_it_is_asked_for) {
  static const char source[] = "kernel void g(global double *x) { x[0] += 1; }";
  expect_refusal(compile(source, "--hardware", "-cl-std=CL3.0", NULL), 1, "--double for heddlec");
  struct result result = compile_well(source, "--hardware", "--double", "--emit-ir", "-cl-std=CL3.0", NULL);
  char *text = calloc(1, result.size + 1);
  cr_assert_not_null(text);
  memcpy(text, result.bytes, result.size);
  expect_lacks(text, " fadd ");
  expect_lacks(text, "@__heddle_double");
  free(text);
  result_free(&result);
}

Test(hardware, options_are_checked) {
  static const char kernel[] = "kernel void f(global int *x) { x[0] = 1; }";
  expect_refusal(compile(kernel, "--hardware", "--lanes", "3", NULL), 2, "--lanes takes a power of two from 1 to 32");
  expect_refusal(compile(kernel, "--hardware", "--slots=512", NULL), 2, "--slots takes a power of two from 2 to 256");
  expect_refusal(compile(kernel, "--lanes", "4", NULL), 2, "are for --hardware");
  expect_refusal(compile(kernel, "--hardware", "--emit-ir", "--kernel", "g", NULL), 1, "there is no kernel 'g'");
  expect_refusal(compile(kernel, "--pipeline", "12:4:64", NULL), 2, "--pipeline takes HASH:LANES:SLOTS");
  expect_refusal(compile(kernel, "--hardware", "--board", "ulx4m", NULL), 2,
                 "no board is called 'ulx4m'; there are: ulx3s-85f,");
  expect_refusal(compile(kernel, "--board", "hx8k", NULL), 2, "are for --hardware");
  expect_refusal(compile(kernel, "--hardware", "--beside-unit", NULL), 2, "--beside-unit is for --board");
  expect_refusal(compile(kernel, "--hardware", "--work-items", "0", NULL), 2, "--work-items takes a number from 1 to");
  expect_refusal(compile(kernel, "--work-items", "16", NULL), 2, "are for --hardware");
}

// Four quotients a work-item: about 2,000 LUT4 each and lane.
static const char large[] =
    "kernel void f(global uint *x, global uint *y) {\n"
    "  size_t i = 4 * get_global_id(0);\n"
    "#define QUOTIENT(n) y[i + n] = x[i + n] / (x[i + n + 4] | 1);\n"
    "  QUOTIENT(0) QUOTIENT(1) QUOTIENT(2) QUOTIENT(3)\n"
    "}\n";
// Sixteen words that a work-item has before and after a barrier.
static const char wide[] =
    "kernel void f(global int16 *x) { size_t i = get_global_id(0); int16 a = x[i]; barrier(1); x[i] = a + x[i ^ 1]; "
    "}\n";

enum { SAID_BYTES = 4096 };

// What heddlec --hardware says of a source; *slots is what the folder's list has, 0 where there is none, and `listed`,
// unless it is NULL, the list.
static void say_of_folder(const char *source, const char *options, unsigned *slots, char *listed,
                          char said[SAID_BYTES]) {
  char folder[TEMPORARY_BYTES], path[TEMPORARY_BYTES + 32], command[512], line[512];
  cr_assert(mkdtemp(temporary_name(folder)));
  snprintf(path, sizeof path, "%s/k.cl", folder);
  cr_assert(temporary_write(path, source));
  snprintf(command, sizeof command, "%s --hardware -cl-std=CL3.0 %s %s -o %s/k.hw 2>&1", BUILD "/bin/heddlec", options,
           path, folder);
  FILE *output = popen(command, "r");  // NOLINT(cert-env33-c): of constants
  cr_assert_not_null(output);
  said[fread(said, 1, SAID_BYTES - 1, output)] = 0;
  const int status = WEXITSTATUS(pclose(output));
  *slots = 0;
  snprintf(path, sizeof path, "%s/k.hw/kernels.json", folder);
  FILE *file = fopen(path, "r");
  while (file && fgets(line, sizeof line, file)) {
    sscanf(line, " \"slots\": %u", slots);
    if (listed)
      strcat(listed, line);
  }
  if (file)
    fclose(file);
  snprintf(command, sizeof command, "rm -r %s", folder);
  cr_assert_eq(system(command), 0);  // NOLINT(cert-env33-c): of a constant
  cr_expect_eq(status, *slots == 0, "exit status %d, %u slots: %s", status, *slots, said);
}

static void expect_of_folder(const char *source, const char *options, const char *words, unsigned *slots,
                             char *listed) {
  char said[SAID_BYTES];
  say_of_folder(source, options, slots, listed, said);
  cr_expect(strstr(said, words), "no '%s' in: %s", words, said);
}

static void expect_on_board(const char *source, const char *options, const char *words, unsigned *slots) {
  expect_of_folder(source, options, words, slots, NULL);
}

// Also of constants that no circuit has.
Test(hardware, variables_of_the_program_are_in_memory_whatever_is_done_to_them) {
  static const char *const uses[] = {"x[0] = total;",
                                     "total = x[0];",
                                     "atomic_add(&total, x[0]);",
                                     "atomic_cmpxchg(&total, x[0], 3);",
                                     "x[0] = far[x[1]];",
                                     "*both[x[0]] = 1;",
                                     "x[0] = *(x[1] ? &total : x + 2);",
                                     "x[0] = next->value;",
                                     "static global int own; x[0] = own++;"};
  for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
    char source[600], listed[8192] = "";
    unsigned slots;
    snprintf(source, sizeof source,
             "struct s { int value; global struct s *next; }; global struct s first = {7, &first};\n"
             "global struct s *global next = &first; constant int far[20000] = {1};\n"
             "global int total; global int *constant both[2] = {&total, &first.value};\n"
             "kernel void g(global int *x) {\n  %s\n}\n"
             "kernel void other(global int *x) { x[0] += total++; }\n",
             uses[i]);
    expect_of_folder(source, "", "", &slots, listed);
    cr_expect(strstr(listed, "\"name\": \"g\"") && strstr(listed, "\"name\": \"other\""), "%s: %s", uses[i], listed);
  }
}

Test(hardware, more_variables_than_a_packet_has_room_for_are_refused) {
  static char source[100000];
  size_t used = 0;
  for (int i = 0; i <= 1024; i++)
    used += (size_t)snprintf(source + used, sizeof source - used, "global int v%d;\n", i);
  used += (size_t)snprintf(source + used, sizeof source - used, "kernel void g(global int *x) {\n");
  for (int i = 0; i <= 1024; i++)
    used += (size_t)snprintf(source + used, sizeof source - used, "  v%d = x[%d];\n", i, i);
  snprintf(source + used, sizeof source - used, "}\n");
  unsigned slots;
  expect_on_board(source, "", "error: kernel 'g' cannot be hardware: it has more than 1024 program-scope variables",
                  &slots);
}

// Words 0 and 1 of a kind: a pipeline, and its units.
Test(hardware, copies_of_a_pipeline_are_units_of_its_kind_and_take_their_room) {
  static const char two[] =
      "kernel void f(global uint *x) { x[get_global_id(0)] = 1; }\n"
      "kernel void g(global uint *x) { x[get_global_id(0)] = 2; }\n";
  char one[8192] = "", several[8192] = "";
  unsigned slots, luts[2][2] = {{0}};
  expect_of_folder(two, "", "", &slots, one);
  expect_of_folder(two, "--copies g=5 --copies 3", "", &slots, several);
  expect_has(one, "\"copies\": 1,");
  expect_has(several, "\"copies\": 3,");
  expect_has(several, "\"copies\": 5,");
  // The last kind comes first in the table, and its last word.
  cr_assert_eq(count(one, "0000000100000001"), 2, "%s", one);
  cr_assert_eq(count(several, "0000000300000001"), 1, "%s", several);
  cr_assert_eq(count(several, "0000000500000001"), 1, "%s", several);
  const char *lists[] = {one, several};
  for (int i = 0; i < 2; i++) {
    const char *at = lists[i];
    for (int k = 0; k < 2; k++) {
      at = strstr(at, "\"lut4\": ") + strlen("\"lut4\": ");
      luts[i][k] = (unsigned)strtoul(at, NULL, 10);
    }
  }
  cr_expect_eq(luts[1][0], 3 * luts[0][0], "%u and %u", luts[0][0], luts[1][0]);
  cr_expect_eq(luts[1][1], 5 * luts[0][1], "%u and %u", luts[0][1], luts[1][1]);
}

// LLVM would make a copy of its body for each round, to see whether the array can go.
Test(hardware, a_loop_over_a_large_array_is_not_taken_apart_to_see_what_becomes_of_it) {
  static const char source[] =
      "kernel void large(global const int *a, global int *o) {\n"
      "  int t[100000];\n"
      "  for (int i = 0; i < 100000; i++) t[i] = i;\n"
      "  for (int i = 0; i < 100; i++) t[a[i] & 255]++;\n"
      "  for (int i = 0; i < 256; i++) o[i] = t[i];\n"
      "}\n"
      "kernel void good(global int *a) { a[get_global_id(0)]++; }\n";
  unsigned slots;
  char list[8192] = "";
  expect_on_board(source, "", "kernel 'large' cannot be hardware: its arrays in private memory have 400000 bytes",
                  &slots);
  expect_of_folder(source, "--kernel good", "", &slots, list);
  expect_has(list, "\"name\": \"good\"");
}

// What is asked of a loop that cannot be unrolled stands in front of it.
#define ROUNDS_BETWEEN_BARRIERS(asked)                       \
  "kernel void f(global uint *a, local uint *l, uint n) {\n" \
  "  uint i = get_local_id(0);\n" asked                      \
  "  for (uint r = 0; r < n; r++) {\n"                       \
  "    l[i] = a[i + r];\n"                                   \
  "    barrier(CLK_LOCAL_MEM_FENCE);\n"                      \
  "    a[i] += l[i ^ 1];\n"                                  \
  "    barrier(CLK_LOCAL_MEM_FENCE);\n"                      \
  "  }\n"                                                    \
  "}\n"

// Rounds between barriers stay rounds. Who asked for something else is told so, once; --unroll asks for no loop by
// name.
Test(hardware, warnings_of_loops_are_of_those_that_the_source_asks_to_unroll) {
  static const char source[] =
      ROUNDS_BETWEEN_BARRIERS("")
      "kernel void g(global uint *a) {\n"
      "  uint s = 0;\n"
      "#pragma unroll\n"
      "  for (int i = 0; i < 4; i++) s = s * 3 + a[i];\n"
      "  a[get_global_id(0)] = s;\n"
      "}\n";
  char said[SAID_BYTES];
  unsigned slots;
  say_of_folder(source, "--unroll 4", &slots, NULL, said);
  cr_expect_null(strstr(said, "loop not unrolled"), "%s", said);
}

Test(hardware, a_loop_that_was_to_be_unrolled_and_is_not_is_warned_of_if_the_source_asks) {
  static const char *const requests[] = {"#pragma unroll 4\n", "#pragma unroll\n",
                                         "__attribute__((opencl_unroll_hint(4)))\n", ""};
  for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
    char source[512], said[SAID_BYTES];
    snprintf(source, sizeof source, ROUNDS_BETWEEN_BARRIERS("%s"), requests[i]);
    unsigned slots;
    say_of_folder(source, requests[i][0] != 0 ? "" : "--unroll 4", &slots, NULL, said);
    const char *warning = strstr(said, "loop not unrolled");
    cr_expect_eq(!!warning, requests[i][0] != 0, "%s%s", requests[i], said);
    cr_expect(!warning || !strstr(warning + 1, "loop not unrolled"), "%s", said);
  }
}

Test(hardware, hints_of_kernels_with_channels_are_theirs) {
  static const char source[] =
      "#pragma OPENCL EXTENSION cl_intel_channels : enable\n"
      "channel int c;\n"
      "__attribute__((num_simd_work_items(2))) kernel void f(global int *x) { write_channel_intel(c, "
      "x[get_global_id(0)]); "
      "}\n"
      "kernel void g(global int *x, int n) { for (int i = 0; i < n; i++) x[i] = read_channel_intel(c); }\n";
  char list[8192] = "";
  unsigned slots;
  expect_of_folder(source, "", "", &slots, list);
  const char *second = strstr(list, "\"name\": \"g\"");
  cr_assert(second, "%s", list);
  expect_has(second, "\"lanes\": 1,");
  list[second - list] = 0;
  expect_has(list, "\"name\": \"f\"");
  expect_has(list, "\"lanes\": 2,");
}

// What the modules of chains have of their queues.
static void expect_in_chain(const char *source, const char *words) {
  char folder[TEMPORARY_BYTES], path[TEMPORARY_BYTES + 32], command[512], said[SAID_BYTES];
  cr_assert(mkdtemp(temporary_name(folder)));
  snprintf(path, sizeof path, "%s/k.cl", folder);
  cr_assert(temporary_write(path, source));
  snprintf(command, sizeof command, "%s --hardware %s -o %s/k.hw 2>&1; cat %s/k.hw/pipeline_chain_*.v | grep DEPTH",
           BUILD "/bin/heddlec", path, folder, folder);
  FILE *output = popen(command, "r");  // NOLINT(cert-env33-c): of constants
  cr_assert_not_null(output);
  said[fread(said, 1, SAID_BYTES - 1, output)] = 0;
  pclose(output);
  snprintf(command, sizeof command, "rm -r %s", folder);
  cr_assert_eq(system(command), 0);  // NOLINT(cert-env33-c): of a constant
  cr_expect(strstr(said, words), "no '%s' in: %s", words, said);
}

// A queue of 64 at least; a channel says how many packets it has room for.
Test(hardware, a_channel_on_the_chip_is_as_deep_as_it_says) {
  static const struct {
    const char *depth, *log2;
  } cases[] = {
      {"1", ".DEPTH_LOG2(6)"}, {"64", ".DEPTH_LOG2(6)"}, {"65", ".DEPTH_LOG2(7)"}, {"1000", ".DEPTH_LOG2(10)"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char source[512];
    snprintf(source, sizeof source,
             "#pragma OPENCL EXTENSION cl_intel_channels : enable\n"
             "channel int c __attribute__((depth(%s)));\n"
             "kernel void f(global int *x, int n) { for (int i = 0; i < n; i++) write_channel_intel(c, x[i]); }\n"
             "kernel void g(global int *x, int n) { for (int i = 0; i < n; i++) x[i] = read_channel_intel(c); }\n",
             cases[i].depth);
    expect_in_chain(source, cases[i].log2);
  }
}

Test(hardware, a_register_in_a_wire_is_its_value) {
  char *text = prepared("kernel void f(global int *x) { x[0] = __fpga_reg(x[1] + 1) * 2; }\n");
  expect_lacks(text, "fpga_reg");
  free(text);
}

// num_simd_work_items and num_compute_units are Intel's, as its SDK for FPGAs has them.
Test(hardware, a_source_may_say_lanes_and_copies_and_options_go_before_it) {
  static const char source[] =
      "__attribute__((num_simd_work_items(8), num_compute_units(3))) kernel void f(global uint *x) { x[0] = 1; }\n"
      "kernel void __attribute__((num_simd_work_items(2))) __attribute__((num_compute_units(2, 2)))\n"
      "  g(global uint *x) { x[get_global_id(0)] = 2; }\n"
      "__attribute__((num_simd_work_items(16), intel_reqd_sub_group_size(1))) kernel void h(global uint *x) { *x = 3; "
      "}\n";
  static const struct {
    const char *options, *said[3];
  } cases[] = {
      {"--kernel f", {"\"lanes\": 8,", "\"copies\": 3,"}},
      {"--kernel g", {"\"lanes\": 2,", "\"copies\": 4,"}},
      {"--kernel h", {"\"lanes\": 1,", "\"copies\": 1,"}},
      {"--kernel f --lanes 4 --copies 2", {"\"lanes\": 4,", "\"copies\": 2,"}},
      {"--kernel g --fit ulx3s-85f", {"\"lanes\": 2,", "\"copies\": 4,"}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char list[8192] = "";
    unsigned slots;
    expect_of_folder(source, cases[i].options, "", &slots, list);
    for (const char *const *said = cases[i].said; *said; said++)
      expect_has(list, *said);
  }
  unsigned slots;
  expect_on_board("__attribute__((num_simd_work_items(3))) kernel void f(global uint *x) { x[0] = 1; }\n", "",
                  "error: kernel 'f' cannot be hardware: num_simd_work_items(3): a pipeline has 1, 2, 4, 8, 16 or 32",
                  &slots);
  expect_on_board("__attribute__((num_compute_units(4000000000u, 4))) kernel void f(global uint *x) { x[0] = 1; }\n",
                  "", "make a device of 16 compute units, and it has 15 at most", &slots);
  // They are not for programmable units, and are no program-scope variables there.
  struct result whole = compile_well(source, "-cl-std=CL3.0", NULL);
  result_free(&whole);
}

Test(hardware, copies_that_no_device_has_are_refused) {
  static const char kernel[] = "kernel void f(global int *x) { x[get_global_id(0)] = 1; }";
  static const char *const wrong[] = {"0", "16", "f=", "f=0", "=3", "two", "f=3x"};
  unsigned slots;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    expect_refusal(compile(kernel, "--hardware", "--copies", wrong[i], NULL), 2, "--copies takes N or KERNEL=N");
  expect_refusal(compile(kernel, "--hardware", "--copies", "g=2", NULL), 1, "there is no kernel 'g' in ");
  expect_refusal(compile(kernel, "--copies", "2", NULL), 2, "are for --hardware");
  expect_on_board("kernel void f(global int *x) { x[0] = 1; } kernel void g(global int *x) { x[0] = 2; }",
                  "--copies f=10 --copies g=6", "make a device of 16 compute units, and it has 15 at most", &slots);
  // So many kernels are no device either.
  char many[16 * 64] = "";
  for (size_t i = 0, used = 0; i < 16; i++)
    used +=
        (size_t)snprintf(many + used, sizeof many - used, "kernel void k%zu(global int *x) { x[%zu] = 1; }\n", i, i);
  expect_on_board(many, "--board ulx3s-85f --lanes 1",
                  "make a device of 16 compute units, and it has 15 at most: --kernel NAME", &slots);
  expect_on_board(kernel, "--board ulx3s-25f --copies 15", "What makes it smaller: --copies 14;", &slots);
}

Test(hardware, what_is_too_large_for_a_board_is_refused_with_what_to_do) {
  unsigned slots;
  static const struct {
    const char *options, *words;
  } cases[] = {
      {"--board ulx3s-25f", "do not fit on ulx3s-25f without a programmable unit, by their estimates: "},
      {"--board ulx3s-25f",
       "What makes it smaller: --share, if there are floats or products; --lanes 2; a larger board: ulx3s-85f, "},
      {"--board hx8k", "hx8k holds no pipelines"},
      {"--board hx8k", "What holds them: a larger board: ulx3s-85f, "},
      {"--board=orangecrab-85f --lanes 32 --beside-unit", " LUT4 of "},
      {"--board ulx3s-25f --lanes 1 --beside-unit", "SET=\"UNITS=0\""}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    expect_on_board(large, cases[i].options, cases[i].words, &slots);
    cr_expect_eq(slots, 0, "%s left a list of kernels", cases[i].options);
  }
}

// Two ends of a pipe, whose names are not one.
static const char ends[] =
    "kernel void w(write_only pipe int p, global int *x) {\n  int v = x[get_global_id(0)];\n  write_pipe(p, &v);\n}\n"
    "kernel void r(read_only pipe int q, read_only pipe int2 two, global int *y, write_only pipe int back) {\n"
    "  int v = 0;\n  int2 pair = 0;\n"
    "#ifdef TWO\n  read_pipe(two, &pair);\n#elif defined NOTHING\n#else\n  read_pipe(q, &v);\n#endif\n"
    "#ifdef BACK\n  write_pipe(back, &v);\n#endif\n"
    "  y[get_global_id(0)] = v + pair.x;\n}\n";

Test(hardware, pipes_on_the_chip_have_two_ends) {
  unsigned slots;
  static const struct {
    const char *options, *words;
  } cases[] = {
      {"", ":3:3: error: kernel 'w' cannot be hardware: a pipe that it uses is not on the chip"},
      {"--pipe w.p", "--pipe takes WRITER.PIPE=READER.PIPE, not w.p"},
      {"--pipe w.p=s.q", "there is no kernel 's'"},
      {"--pipe w.p=r.z", "kernel 'r' has no argument 'z'"},
      {"--pipe w.x=r.q", "'x' is no pipe that kernel 'w' writes"},
      {"--pipe r.q=w.p", "'q' is no pipe that kernel 'r' writes"},
      {"--pipe w.p=r.two -DTWO", "kernel 'w' writes packets of 4 bytes, and 'r' reads packets of 8"},
      {"--pipe w.p=r.q -DNOTHING", "kernel 'r' cannot be hardware: it never reads its pipe 'q'"},
      {"--pipe w.p=r.q -DNOTHING", "kernel 'w' cannot be hardware: kernel 'r', which reads its pipe, is none"},
      {"--pipe r.back=r.q -DBACK", "kernels 'r' and 'r' leads from a kernel to itself"},
      {"--pipe w.p=r.q --pipe w.p=r.two", "kernels 'w' and 'r' has a pipe that is named twice"},
  };
  expect_refusal(compile(ends, "-cl-std=CL3.0", "--pipe", "w.p=r.q", NULL), 2, "are for --hardware");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    expect_on_board(ends, cases[i].options, cases[i].words, &slots);
    cr_expect_eq(slots, 0, "%s left a list of kernels", cases[i].options);
  }
  expect_on_board(ends, "--pipe w.p=r.q", "", &slots);
  cr_expect_eq(slots, 64);
}

// Two ways from one kernel to another.
static const char ways[] =
    "kernel void part(write_only pipe int a, write_only pipe int b, global int *x) {\n"
    "  int v = x[get_global_id(0)];\n  write_pipe(a, &v);\n  write_pipe(b, &v);\n}\n"
    "kernel void between(read_only pipe int a, write_only pipe int c) {\n"
    "  int v = 0;\n  read_pipe(a, &v);\n  write_pipe(c, &v);\n}\n"
    "kernel void meet(read_only pipe int b, read_only pipe int c, global int *y) {\n"
    "  int v = 0, w = 0;\n  read_pipe(b, &v);\n  read_pipe(c, &w);\n  y[get_global_id(0)] = v + w;\n}\n";

Test(hardware, pipes_whose_ways_meet_again_are_on_the_chip_if_they_are_named) {
  unsigned slots;
  expect_on_board(ways, "", "kernel 'between' cannot be hardware: a pipe that it uses is not on the chip", &slots);
  cr_expect_eq(slots, 0);
  expect_on_board(ways, "--pipe part.a=between.a --pipe part.b=meet.b --pipe between.c=meet.c", "", &slots);
  cr_expect_eq(slots, 64);
}

// Kernels that pass a word on, each to the next, or that write it to as many channels as a number says.
static void expect_chain(unsigned kernels, unsigned channels, const char *words) {
  static char source[8192];
  unsigned slots;
  size_t used = (size_t)snprintf(source, sizeof source,
                                 "#pragma OPENCL EXTENSION cl_intel_channels : enable\n"
                                 "channel int c[32], d[32];\n"
                                 "kernel void first(int v) {\n  for (int i = 0; i < %u; i++)\n"
                                 "    write_channel_intel(d[i], v);\n  write_channel_intel(c[1], v);\n}\n"
                                 "kernel void last(global int *y) {\n  int sum = 0;\n  for (int i = 0; i < %u; i++)\n"
                                 "    sum += read_channel_intel(d[i]);\n  *y = sum + read_channel_intel(c[%u]);\n}\n",
                                 channels, channels, kernels - 1);
  for (unsigned k = 2; k < kernels; k++)
    used += (size_t)snprintf(source + used, sizeof source - used,
                             "kernel void k%u() {\n  write_channel_intel(c[%u], read_channel_intel(c[%u]));\n}\n", k, k,
                             k - 1);
  expect_on_board(source, "", words, &slots);
  cr_expect_eq(slots != 0, words[0] == 0, "%u kernels, %u channels", kernels, channels);
}

Test(hardware, a_chain_has_fifteen_kernels_five_channels_that_one_writes_and_two_for_each) {
  expect_chain(15, 1, "");
  expect_chain(16, 1, "is not on the chip: with it the chain of kernel 'k15' has more than 15 kernels");
  expect_chain(3, 4, "");
  expect_chain(3, 5, "is not on the chip: with it the chain of kernel 'first' has a kernel that writes more than 5");
  expect_chain(4, 4, "");  // which are too much for two kernels alone
  expect_chain(5, 5,
               "is not on the chip: with it the chain of kernel 'first' has a kernel that writes more than 5 pipes");
  expect_chain(2, 3, "");
  expect_chain(2, 4, "has more than two pipes for each kernel");
}

Test(hardware, a_kernel_of_a_chain_that_cannot_be_hardware_is_told_of_once) {
  static const char source[] =
      "#pragma OPENCL EXTENSION cl_intel_channels : enable\nchannel int c;\n"
      "kernel void a(int n) {\n  for (int i = 0; i < n; i++) write_channel_intel(c, i);\n  get_default_queue();\n}\n"
      "kernel void b(global int *restrict x) { *x = read_channel_intel(c); }\n";
  static const char words[] = "kernel 'a' cannot be hardware";
  unsigned slots;
  char said[SAID_BYTES];
  say_of_folder(source, "", &slots, NULL, said);
  const char *first = strstr(said, words);
  cr_assert(first, "%s", said);
  cr_expect_null(strstr(first + 1, words), "%s", said);
}

// A kernel that reads what 14 others write: what names its pipes is as long as it gets.
Test(hardware, a_channel_that_is_not_on_the_chip_says_why) {
  static const struct {
    const char *kernels, *words;
  } cases[] = {
      {"kernel void p() { write_channel_intel(c, 1); }\nkernel void p2() { write_channel_intel(c, 2); }\n"
       "kernel void q(global int *x) { *x = read_channel_intel(c); }\n",
       "note: channel 'c' is not on the chip: kernels 'p' and 'p2' both write it"},
      {"kernel void p() { write_channel_intel(c, 1); }\nkernel void q(global int *x) { *x = read_channel_intel(c); }\n"
       "kernel void q2(global int *x) { *x = read_channel_intel(c); }\n",
       "note: channel 'c' is not on the chip: kernels 'q' and 'q2' both read it"},
      {"kernel void p(global int *x) { write_channel_intel(c, 1); *x = read_channel_intel(c); }\n",
       "with it the chain of kernel 'p' leads from a kernel to itself"},
      {"int f(int k) { return k == 0 ? read_channel_intel(c) : f(k - 1); }\n"
       "kernel void p() { write_channel_intel(c, 1); }\nkernel void q(global int *x) { *x = f(*x); }\n",
       "function 'f' calls itself"},
      {"__attribute__((max_global_work_dim(0), autorun, num_compute_units(0, 2))) kernel void p() {\n"
       "  write_channel_intel(c, 1);\n}\nkernel void q(global int *x) { *x = read_channel_intel(c); }\n",
       "autorun kernel 'p' has no copies: a size in num_compute_units is 0"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char source[1024];
    unsigned slots;
    snprintf(source, sizeof source, "#pragma OPENCL EXTENSION cl_intel_channels : enable\nchannel int c;\n%s",
             cases[i].kernels);
    expect_on_board(source, "", cases[i].words, &slots);
  }
}

Test(hardware, a_kernel_has_a_pipe_with_each_other_one_of_a_chain) {
  static char source[4096];
  size_t used = (size_t)snprintf(
      source, sizeof source,
      "#pragma OPENCL EXTENSION cl_intel_channels : enable\n"
      "channel int c[14];\n"
      "kernel void last(global int *y) {\n  int sum = 0;\n#pragma unroll\n  for (int i = 0; i < 14; i++)\n"
      "    sum += read_channel_intel(c[i]);\n  *y = sum;\n}\n");
  for (unsigned k = 0; k < 14; k++)
    used += (size_t)snprintf(source + used, sizeof source - used,
                             "kernel void k%u(int v) { write_channel_intel(c[%u], v + %u); }\n", k, k, k);
  char folder[TEMPORARY_BYTES], path[TEMPORARY_BYTES + 32], command[TEMPORARY_BYTES + 600];
  static unsigned char file[1 << 20];
  static const unsigned char header[] = {7, 0, 0, 0, 'H', 'e', 'd', 'd', 'l', 'e', 0, 0, HEDDLE_PIPELINES_NOTE_LATEST};
  cr_assert(mkdtemp(temporary_name(folder)));
  snprintf(path, sizeof path, "%s/k.cl", folder);
  cr_assert(temporary_write(path, source));
  snprintf(command, sizeof command, "%s --hardware %s -o %s/k.hw", BUILD "/bin/heddlec", path, folder);
  cr_assert_eq(system(command), 0, "%s", command);  // NOLINT(cert-env33-c): of constants
  // The kernel file says of each that it is in the hardware: of the first one, that it has places that can fault.
  snprintf(path, sizeof path, "%s/k.hw/kernels.elf", folder);
  FILE *elf = fopen(path, "r");
  cr_assert_not_null(elf);
  const size_t bytes = fread(file, 1, sizeof file, elf);
  fclose(elf);
  const unsigned char *note = memmem(file, bytes, header, sizeof header);
  cr_assert_not_null(note, "no note about pipelines");
  uint32_t record[7];
  memcpy(record, note + sizeof header + 3, sizeof record);
  cr_expect_eq(record[0], 0);
  cr_expect_gt(record[6], 0, "no pipeline");
  snprintf(command, sizeof command, "rm -r %s", folder);
  cr_assert_eq(system(command), 0);  // NOLINT(cert-env33-c): of a constant
  struct result whole = compile_well(source, "--pipeline",
                                     "00000000000000000000000000000000:1:64:0:r1r2r3r4r5r6r7r8r9r10r11r12r13r14", NULL);
  result_free(&whole);
}

Test(hardware, slots_become_fewer_where_private_arrays_are_large_and_none_are_asked_for) {
  static const char source[] =
      "kernel void mersenne(global const uint *seeds, global uint *out) {\n"
      "  uint s[624], g = get_global_id(0);\n"
      "  s[0] = seeds[g];\n"
      "  for (uint i = 1; i < 624; i++) s[i] = 1812433253u * (s[i - 1] ^ s[i - 1] >> 30) + i;\n"
      "  out[g] = s[seeds[g] % 624];\n"
      "}\n";
  unsigned slots;
  expect_of_folder(source, "--lanes 4", "mersenne: 16 slots, since its arrays in private memory are too large for 64",
                   &slots, NULL);
  cr_expect_eq(slots, 16);
  expect_of_folder(source, "--lanes 1", "", &slots, NULL);
  cr_expect_eq(slots, 64);
  char said[SAID_BYTES];
  say_of_folder(source, "--lanes 4 --slots 64", &slots, NULL, said);
  cr_expect(strstr(said, "for 64 sub-groups of 4 work-items is more than the 256 KiB"), "%s", said);
  say_of_folder(source, "--fit ulx3s-85f", &slots, NULL, said);
  cr_expect(strstr(said, "heddlec: mersenne: 4 lanes, 16 slots"), "%s", said);
  cr_expect_null(strstr(said, "error"), "%s", said);
}

Test(hardware, slots_become_fewer_where_block_ram_is_too_little_and_none_are_asked_for) {
  unsigned slots;
  expect_on_board(wide, "--board ulx3s-25f --lanes 2", "that are left on ulx3s-25f: 16 slots instead", &slots);
  cr_expect_eq(slots, 16);
  expect_on_board(wide, "--board ulx3s-25f --lanes 2 --slots 64", "What makes it smaller: --slots 16", &slots);
  cr_expect_eq(slots, 0);
  expect_on_board(wide, "--board ulx3s-85f --lanes 2", "", &slots);
  cr_expect_eq(slots, 128);
}

Test(hardware, slots_are_as_many_as_hide_memory_where_that_costs_little) {
  static const struct {
    const char *source;
    unsigned slots;
  } cases[] = {
      // Rounds of one work-item wait for memory, so with fewer it is those that limit the rate.
      {"kernel void f(global int *restrict x, int n) { int s = 0; for (int i = 0; i < n; i++) s += x[i]; x[0] = s; }\n",
       128},
      {"#pragma OPENCL EXTENSION cl_intel_channels : enable\nchannel uint c;\n"
       "kernel void a(uint n, global uint *restrict x) {\n"
       "  for (uint i = 0; i < n; i++) write_channel_intel(c, x[i]);\n"
       "}\n"
       "kernel void b(uint n, global uint *restrict x) {\n"
       "  for (uint i = 0; i < n; i++) x[i] = read_channel_intel(c);\n"
       "}\n",
       128},
      // Its rounds wait for each other anyway.
      {"kernel void f(global float *restrict x, int n) {\n"
       "  float s = 0;\n"
       "  for (int i = 0; i < n; i++) s = s * 0.5f + x[i];\n"
       "  x[0] = s;\n"
       "}\n",
       64},
      // The port is busy all the time.
      {"kernel void f(global int *x, global int *y) { y[get_global_id(0)] = 3 * x[get_global_id(0)]; }\n", 64},
      // Work-groups that wait for nothing are to be there while others do.
      {"kernel void f(global int *x, local int *t) {\n"
       "  t[get_local_id(0)] = x[get_global_id(0)];\n"
       "  barrier(1);\n"
       "  x[get_global_id(0)] = t[get_local_id(0) ^ 1];\n"
       "}\n",
       128},
      // A private array of each would take twice the memory.
      {"kernel void f(global int *restrict x, global int *restrict y, int n) {\n"
       "  int t[64];\n"
       "  for (int i = 0; i < 64; i++) t[i] = x[i];\n"
       "  for (int i = 0; i < n; i++) t[x[i] & 63] ^= y[i];\n"
       "  for (int i = 0; i < 64; i++) y[i] = t[i];\n"
       "}\n",
       64}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    unsigned slots;
    expect_of_folder(cases[i].source, "", "", &slots, NULL);
    cr_expect_eq(slots, cases[i].slots, "case %zu: %u slots, not %u", i, slots, cases[i].slots);
    expect_of_folder(cases[i].source, "--slots 32", "", &slots, NULL);
    cr_expect_eq(slots, 32);
  }
}

// The note about pipelines in a kernel file: version, then records of eight words.
static void hash_of(const char *source, uint32_t hash[4], const char *option) {
  struct result result =
      compile_well(source, "--pipeline", "00000000000000000000000000000000:4:64", "-cl-std=CL3.0", option, NULL);
  static const unsigned char header[] = {7, 0, 0, 0, 'H', 'e', 'd', 'd', 'l', 'e', 0, 0, HEDDLE_PIPELINES_NOTE_LATEST,
                                         0, 0, 0, 0, 0,   0,   0};
  const unsigned char *note = memmem(result.bytes, result.size, header, sizeof header);
  cr_assert_not_null(note, "no note about pipelines");
  memcpy(hash, note + sizeof header, 16);
  result_free(&result);
}

// Files of a source and what is made of it, in a folder; the exit status of what makes it.
static int run_in(const char *folder, const char *command) {
  char whole[4096];
  snprintf(whole, sizeof whole, "cd %s && %s 2>said", folder, command);
  return WEXITSTATUS(system(whole));  // NOLINT(cert-env33-c): of constants
}

// The kernels of kinds.txt with their hashes, in their order.
static void list_of(const char *folder, const char *hardware, char *list) {
  char path[TEMPORARY_BYTES + 32], line[8192], name[64], hash[40];
  snprintf(path, sizeof path, "%s/%s/kinds.txt", folder, hardware);
  FILE *file = fopen(path, "r");
  cr_assert_not_null(file, "no %s", path);
  list[0] = 0;
  while (fgets(line, sizeof line, file))
    if (sscanf(line, "kernel %63s %39s", name, hash) == 2)
      sprintf(list + strlen(list), "%s %s\n", name, hash);
  fclose(file);
}

Test(hardware, object_files_are_made_together_and_their_kernels_have_the_hashes_of_their_sources) {
  char folder[TEMPORARY_BYTES], path[TEMPORARY_BYTES + 8], command[TEMPORARY_BYTES + 16], here[512];
  char apart[512], second[256], together[512];
  static const char *const sources[] = {
      "constant int t[] = {5, 6}; int one(int a) { return a + 1; }\n"
      "kernel void f(global int *x) { local int y[4]; y[get_local_id(0) & 3] = one(x[0]); barrier(1); x[1] = y[2]; }\n",
      "constant int u[] = {7, 8}; kernel void g(global int *x) { x[get_global_id(0)] = u[get_global_id(0) & 1]; }\n"};
  cr_assert(mkdtemp(temporary_name(folder)));
  cr_assert(getcwd(here, sizeof here));
  for (int i = 0; i < 2; i++) {
    snprintf(path, sizeof path, "%s/%c.cl", folder, 'a' + i);
    cr_assert(temporary_write(path, sources[i]));
  }
  const bool is_absolute = BUILD[0] == '/';
  char compiler[1024], words[2048];
  snprintf(compiler, sizeof compiler, "%s%s%s/bin/heddlec", is_absolute ? "" : here, is_absolute ? "" : "/", BUILD);
  static const char *const steps[] = {"-c a.cl -o a.o", "-c b.cl -o b.o", "--hardware a.cl -o a.hw",
                                      "--hardware b.cl -o b.hw", "--hardware a.o b.o --lanes 2 -o both.hw"};
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
    snprintf(words, sizeof words, "%s %s", compiler, steps[i]);
    cr_assert_eq(run_in(folder, words), 0, "%s", words);
  }
  list_of(folder, "a.hw", apart);
  list_of(folder, "b.hw", second);
  strcat(apart, second);
  list_of(folder, "both.hw", together);
  cr_expect_str_eq(together, apart);
  cr_expect_eq(run_in(folder, "test -s both.hw/kernels.elf"), 0, "no kernel file");
  snprintf(words, sizeof words, "%s --hardware a.cl b.cl -o no.hw", compiler);
  cr_expect_eq(run_in(folder, words), 2);
  snprintf(words, sizeof words, "%s --hardware a.cl b.cl -o no.hw 2>&1 | grep -q 'more than one source file'",
           compiler);
  cr_expect_eq(run_in(folder, words), 0);
  snprintf(command, sizeof command, "rm -r %s", folder);
  cr_assert_eq(system(command), 0);  // NOLINT(cert-env33-c): of a constant
}

Test(hardware, a_hash_is_of_what_a_kernel_does) {
  uint32_t first[4], other[4];
  hash_of("int add(int a) { return a + 3; } kernel void f(global int *x) { x[get_global_id(0)] = add(x[1]); }", first,
          NULL);
  static const struct {
    const char *source, *option;
    bool same;
  } cases[] = {
      {"// moved\n\nint add(int b) { return b + 3; }\nkernel void f(global int *y) { y[get_global_id(0)] = add(y[1]); "
       "}",
       NULL, true},
      {"int add(int a) { return a + 3; } kernel void f(global int *x) { x[get_global_id(0)] = add(x[1]); }\n"
       "constant int t[] = {1, 2}; kernel void g(global int *x) { x[0] = t[get_global_id(1) & 1]; }",
       NULL, true},
      {"int add(int a) { return a + N; } kernel void f(global int *x) { x[get_global_id(0)] = add(x[1]); }", "-DN=3",
       true},
      {"int add(int a) { return a + 4; } kernel void f(global int *x) { x[get_global_id(0)] = add(x[1]); }", NULL,
       false},
      {"int add(int a) { return a + 3; } kernel void f(global uint *x) { x[get_global_id(1)] = add(x[1]); }", NULL,
       false},
      {"int add(int a) { return a + 3; } __attribute__((intel_reqd_sub_group_size(8))) kernel void f(global int *x) { "
       "x[get_global_id(0)] = add(x[1]); }",
       NULL, false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    hash_of(cases[i].source, other, cases[i].option);
    cr_assert_eq(memcmp(first, other, sizeof first) == 0, cases[i].same, "%s", cases[i].source);
  }
}

// Kernels of a chain are joined by the names of their pipes: those that do the same are not each other.
Test(hardware, a_hash_is_of_the_pipes_too) {
  static const char relay[] =
      "#pragma OPENCL EXTENSION cl_intel_channels : enable\n"
      "channel int a, b, c;\n"
      "kernel void f() { write_channel_intel(TO, read_channel_intel(FROM)); }\n"
      "kernel void first() { write_channel_intel(FROM, 1); }\n"
      "kernel void last(global int *x) { *x = read_channel_intel(TO); }\n";
  static const char *const pipes[] = {
      "kernel void f(read_only pipe int a, write_only pipe int b) { int x; read_pipe(a, &x); write_pipe(b, &x); }",
      "kernel void f(read_only pipe int b, write_only pipe int c) { int x; read_pipe(b, &x); write_pipe(c, &x); }"};
  static const char *const channels[] = {"#define FROM a\n#define TO b\n", "#define FROM b\n#define TO c\n"};
  uint32_t hashes[2][4];
  for (int i = 0; i < 2; i++)
    hash_of(pipes[i], hashes[i], NULL);
  cr_expect_neq(memcmp(hashes[0], hashes[1], sizeof hashes[0]), 0);
  for (int i = 0; i < 2; i++) {
    char source[1024];
    snprintf(source, sizeof source, "%s%s", channels[i], relay);
    hash_of(source, hashes[i], NULL);
  }
  cr_expect_neq(memcmp(hashes[0], hashes[1], sizeof hashes[0]), 0);
}

Test(hardware, a_folder_is_made_again_but_nothing_else_is_removed) {
  static const char make[] =
      "d=$(mktemp -d) && echo 'kernel void f(global int *x) { x[get_global_id(0)] = 1; }' > $d/k.cl && " BUILD
      "/bin/heddlec --hardware $d/k.cl -o $d/k.hw && ls $d/k.hw > $d/first && " BUILD
      "/bin/heddlec --hardware $d/k.cl -o $d/k.hw && ls $d/k.hw | cmp - $d/first && grep -q pipeline_f.v $d/first && "
      "touch $d/k.hw/mine && ! " BUILD
      "/bin/heddlec --hardware $d/k.cl -o $d/k.hw 2> $d/said && "
      "grep -q 'has other files in it (mine)' $d/said && [ -e $d/k.hw/pipeline_f.v ]; s=$?; rm -r $d; exit $s";
  cr_assert_eq(system(make), 0, "%s", make);  // NOLINT(cert-env33-c): a constant
}
