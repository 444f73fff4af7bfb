// SPDX-License-Identifier: Apache-2.0
// SPIR-V (OpenCL API 3.0, clCreateProgramWithIL): modules that clang makes of kernels give what the kernels give,
// specialization constants are what they are set to, and what is no module is told from what is.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/include/CL/cl_heddle.h"
#include "tests/opencl/harness.h"
#include "tests/opencl/pieces.h"
#include "tests/temporary.h"

static cl_program of_il(const void *il, size_t size) {
  cl_int error;
  cl_program program = clCreateProgramWithIL(harness()->context, il, size, &error);
  EXPECT_SUCCESS(error);
  return program;
}

static cl_program built(cl_program program) {
  const cl_int error = clBuildProgram(program, 1, &harness()->device, NULL, NULL, NULL);
  if (error != CL_SUCCESS)
    fail("clBuildProgram: expected CL_SUCCESS, got %s:\n%s", error_name(error), log_of(program));
  return program;
}

static const char *optimisation = "-O1";  // of clang

// What clang's own back end makes of a source, for addresses of 32 or 64 bits.
static struct binary spirv_of(const char *source, int bits) {
  char folder[TEMPORARY_BYTES], command[512], path[TEMPORARY_BYTES + 16];
  cr_assert_not_null(mkdtemp(temporary_name(folder)));
  snprintf(path, sizeof path, "%s/k.cl", folder);
  FILE *file = fopen(path, "w");
  cr_assert_not_null(file);
  fputs(source, file);
  fclose(file);
  snprintf(
      command, sizeof command,
      "clang-22 --target=spirv%d-unknown-unknown -x cl -cl-std=CL3.0 -Xclang -cl-ext=+all %s -c %s/k.cl -o %s/k.spv",
      bits, optimisation, folder, folder);
  cr_assert_eq(system(command), 0, "%s", command);
  snprintf(path, sizeof path, "%s/k.spv", folder);
  struct binary il = {allocate(1 << 20), 0};
  file = fopen(path, "rb");
  cr_assert_not_null(file);
  il.size = fread(il.bytes, 1, 1 << 20, file);
  fclose(file);
  snprintf(command, sizeof command, "rm -r %s", folder);
  cr_assert_eq(system(command), 0);
  return il;
}

static const char simple[] = "kernel void k(global int *out) { out[0] = 5; }\n";

Test(il, the_versions_that_are_taken_are_told) {
  char text[128] = "";
  cl_name_version versions[16];
  size_t bytes = 0;
  EXPECT_SUCCESS(clGetDeviceInfo(harness()->device, CL_DEVICE_IL_VERSION, sizeof text, text, NULL));
  EXPECT_SUCCESS(clGetDeviceInfo(harness()->device, CL_DEVICE_ILS_WITH_VERSION, sizeof versions, versions, &bytes));
  if (strncmp(text, "SPIR-V_1.0 ", 11) != 0)
    fail("CL_DEVICE_IL_VERSION: expected \"SPIR-V_1.0 \" and others, got \"%s\"", text);
  for (size_t i = 0; i < bytes / sizeof *versions; i++) {
    char word[32];
    snprintf(word, sizeof word, "SPIR-V_%u.%u", CL_VERSION_MAJOR(versions[i].version),
             CL_VERSION_MINOR(versions[i].version));
    if (strcmp(versions[i].name, "SPIR-V") != 0 || !strstr(text, word))
      fail("CL_DEVICE_ILS_WITH_VERSION: expected what \"%s\" says, got %s %s", text, versions[i].name, word);
  }
}

Test(il, a_module_is_a_program) {
  const struct binary il = spirv_of(simple, 32);
  cl_program program = built(of_il(il.bytes, il.size));
  expect_word(5, program, "k");
  expect_type(CL_PROGRAM_BINARY_TYPE_EXECUTABLE, program);
  struct binary back = {allocate(il.size), 0};
  char source[4] = "abc", attributes[8] = "abc";
  EXPECT_SUCCESS(clGetProgramInfo(program, CL_PROGRAM_IL, il.size, back.bytes, &back.size));
  if (back.size != il.size || memcmp(back.bytes, il.bytes, il.size) != 0)
    fail("CL_PROGRAM_IL: expected the %zu bytes that were given, got %zu", il.size, back.size);
  EXPECT_SUCCESS(clGetProgramInfo(program, CL_PROGRAM_SOURCE, sizeof source, source, NULL));
  EXPECT_SUCCESS(clGetKernelInfo(kernel_of(program, "k"), CL_KERNEL_ATTRIBUTES, sizeof attributes, attributes, NULL));
  if (source[0] != 0 || attributes[0] != 0)
    fail("source and attributes of SPIR-V: expected \"\" twice, got \"%s\" and \"%s\"", source, attributes);
  size_t bytes = 99;
  EXPECT_SUCCESS(clGetProgramInfo(build(simple, NULL), CL_PROGRAM_IL, 0, NULL, &bytes));
  if (bytes != 0)
    fail("CL_PROGRAM_IL of a source: expected 0 bytes, got %zu", bytes);
}

// The same source both ways.
static void expect_same(const char *source, const char *options, size_t global, size_t local) {
  enum { WORDS = 256 };
  const struct binary il = spirv_of(source, 32);
  cl_program programs[2] = {build(source, options), built(of_il(il.bytes, il.size))};
  uint32_t results[2][WORDS], input[WORDS];
  for (uint32_t i = 0; i < WORDS; i++)
    input[i] = 3 * i + 1;
  for (int i = 0; i < 2; i++) {
    cl_kernel kernel = kernel_of(programs[i], "k");
    cl_mem out = buffer_with(input, sizeof input);
    set_args(kernel, ARG(out), END_ARGS);
    run_1d(kernel, global, local);
    read_buffer(out, results[i], sizeof input);
  }
  expect_u32("SPIR-V against source", results[0], results[1], WORDS);
}

Test(il, control_flow_functions_and_structures_are_those_of_the_source) {
  expect_same(
      "struct pair { int a; float4 b; };\n"
      "constant int table[4] = {5, 6, 7, 8};\n"
      "static int f(struct pair p) { return p.a + (int)p.b.y; }\n"
      "kernel void k(global int *out) { size_t i = get_global_id(0); struct pair p = {out[i], (float4)(1, i, 3, 4)};\n"
      "  int s = 0; for (int j = 0; j < (int)i % 7; j++) { if (j == 5) break; s += table[j & 3] * f(p); }\n"
      "  switch (i & 3) { case 1: s += 100; break; case 2: s -= 100; }\n  out[i] = s; }\n",
      "-cl-std=CL3.0", 256, 32);
}

Test(il, barriers_local_memory_and_collectives_are_those_of_the_source) {
  expect_same(
      "kernel __attribute__((reqd_work_group_size(16, 1, 1))) void k(global int *out) {\n"
      "  local int t[16]; size_t i = get_global_id(0), l = get_local_id(0);\n"
      "  t[l] = out[i]; barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  int s = t[15 - l] + sub_group_reduce_add((int)l) + sub_group_broadcast((int)l, 1);\n"
      "  out[i] = s + work_group_scan_inclusive_add((int)l) + work_group_any(l == 3) + (int)get_sub_group_size(); }\n",
      "-cl-std=CL3.0", 64, 16);
}

Test(il, built_in_functions_are_those_of_the_source) {
  expect_same(
      "kernel void k(global int *out) { size_t i = get_global_id(0); float x = (float)i / 7;\n"
      "  float4 v = (float4)(x, x + 1, x + 2, x + 3);\n"
      "  out[i] = as_int(sin(x)) ^ as_int(pow(x + 1, 1.5f)) ^ convert_int_sat_rte(x * 100) ^ (int)popcount(out[i])\n"
      "    ^ as_int(dot(v, v.wzyx)) ^ clz(out[i]) ^ select(1, 2, out[i] & 1) ^ isnan(x) ^ (int)mul_hi(out[i], out[i]); "
      "}\n",
      "-cl-std=CL3.0", 256, 32);
}

// clang writes instructions that the text of SPIR-V has no room for.
Test(il, conversions_that_change_nothing_are_those_of_the_source) {
  expect_same(
      "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
      "kernel void k(global int *out) { size_t i = get_global_id(0); uint u = out[i]; float f = (float)u; long l = u;\n"
      "  char c = out[i]; short s = out[i]; half h = (half)c;\n"
      "  out[i] = convert_uint(u) + convert_int(out[i]) + (int)convert_long(l) + convert_char(c) + convert_short(s)\n"
      "    + (int)convert_float(f) + (int)convert_half(h) + 2 * any(out[i] - 31) + 4 * all(9 - (int)i)\n"
      "    + 8 * any((short)(i - 2)) + 16 * all((char)(i - 7)) + 32 * any(l - 9); }\n",
      "-cl-std=CL3.0", 256, 32);
}

Test(il, structures_with_the_largest_vectors_are_those_of_the_source) {
  optimisation = "-O0";  // clang gives up on this one otherwise
  expect_same(
      "struct large { char c; ulong16 v; long16 w; };\n"
      "static __attribute__((noinline)) struct large f(struct large x, int i) { x.v += (ulong16)i; x.c++; return x; }\n"
      "kernel void k(global int *out) { size_t i = get_global_id(0);\n"
      "  struct large x = {(char)i, (ulong16)out[i], (long16)3}; x = f(x, (int)i);\n"
      "  out[i] = (int)x.v.s3 + x.c + (int)x.w.sf; }\n",
      "-cl-std=CL3.0", 256, 32);
}

Test(il, atomics_and_program_variables_are_those_of_the_source) {
  expect_same(
      "global int counter = 7;\n"
      "kernel void k(global int *out) { atomic_add(&out[0], 3); atomic_max(&out[1], (int)get_global_id(0));\n"
      "  if (get_global_id(0) == 0) { counter += 2; out[2] = counter; } }\n",
      "-cl-std=CL3.0", 64, 16);
}

Test(il, a_kernel_of_a_module_takes_a_queue) {
  const struct binary il = spirv_of("kernel void k(queue_t q, global int *out) { out[0] = 5; }\n", 32);
  const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES,
                                            CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  cl_int error;
  cl_command_queue queue =
      clCreateCommandQueueWithProperties(harness()->context, harness()->device, properties, &error);
  EXPECT_SUCCESS(error);
  cl_kernel kernel = kernel_of(built(of_il(il.bytes, il.size)), "k");
  cl_mem out = buffer_with(NULL, 4);
  uint32_t got = 0;
  char name[16] = "";
  EXPECT_SUCCESS(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_NAME, sizeof name, name, NULL));
  cr_expect_str_eq(name, "queue_t");
  set_args(kernel, ARG(queue), ARG(out), END_ARGS);
  run_1d(kernel, 1, 1);
  read_buffer(out, &got, 4);
  cr_assert_eq(got, 5);
}

Test(il, modules_and_sources_are_linked_together) {
  const struct binary il = spirv_of("int twice(int x) { return 2 * x; }\n", 32);
  const cl_program module = of_il(il.bytes, il.size);
  // Headers are ignored, right or wrong.
  EXPECT_SUCCESS(clCompileProgram(module, 1, &harness()->device, NULL, 3, NULL, NULL, NULL, NULL));
  expect_type(CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT, module);
  const cl_program parts[] = {
      module, compiled("int twice(int); kernel void k(global int *out) { out[0] = twice(21); }\n", NULL)};
  expect_word(42, link_well(parts, 2, NULL), "k");
}

Test(il, options_of_the_preprocessor_are_ignored) {
  const struct binary il = spirv_of(simple, 32);
  cl_program program = of_il(il.bytes, il.size);
  EXPECT_SUCCESS(clBuildProgram(program, 1, &harness()->device, "-D X=1 -I /nowhere -cl-std=CL1.2 -w", NULL, NULL));
  expect_word(5, program, "k");
  EXPECT_CODE(CL_INVALID_BUILD_OPTIONS,
              clBuildProgram(of_il(il.bytes, il.size), 1, &harness()->device, "-nothing", NULL, NULL));
}

static cl_int creating(const void *il, size_t size) {
  cl_int error;
  cl_program program = clCreateProgramWithIL(harness()->context, il, size, &error);
  if (!!program != (error == CL_SUCCESS))
    fail("clCreateProgramWithIL: %s with program %p", error_name(error), (void *)program);
  if (program)
    EXPECT_SUCCESS(clReleaseProgram(program));
  return error;
}

Test(il, what_is_no_module_is_invalid) {
  struct binary il = spirv_of(simple, 32);
  cl_int error;
  (void)clCreateProgramWithIL((cl_context)harness()->queue, il.bytes, il.size, &error);
  EXPECT_CODE(CL_INVALID_CONTEXT, error);
  EXPECT_CODE(CL_INVALID_VALUE, creating(NULL, il.size));
  EXPECT_CODE(CL_INVALID_VALUE, creating(il.bytes, 0));
  EXPECT_CODE(CL_INVALID_VALUE, creating(simple, sizeof simple));
  EXPECT_CODE(CL_INVALID_VALUE, creating(il.bytes, 20));
  EXPECT_CODE(CL_INVALID_VALUE, creating(il.bytes, il.size - 1));
  il.bytes[5] = 5;  // the version's minor number is in the second byte
  il.bytes[6] = 2;
  EXPECT_CODE(CL_INVALID_VALUE, creating(il.bytes, il.size));
  const struct binary wide = spirv_of(simple, 64);
  EXPECT_CODE(CL_INVALID_VALUE, creating(wide.bytes, wide.size));
}

Test(il, a_module_of_the_other_byte_order_is_one) {
  const struct binary il = spirv_of(simple, 32);
  for (size_t i = 0; i + 3 < il.size; i += 4) {
    const unsigned char word[4] = {il.bytes[i + 3], il.bytes[i + 2], il.bytes[i + 1], il.bytes[i]};
    memcpy(il.bytes + i, word, 4);
  }
  expect_word(5, built(of_il(il.bytes, il.size)), "k");
}

Test(il, broken_modules_never_take_the_library_down, .timeout = 600) {
  const struct binary whole = spirv_of(
      "int f(int x) { return x ? 3 : 4; } kernel void k(global int *out) {"
      " for (int i = 0; i < out[1]; i++) out[0] += f(i) * (int)sqrt(2.0f); }\n",
      32);
  const int rounds = harness()->is_long ? 1000 : 40;
  uint32_t state = 3;
  unsigned char *il = allocate(whole.size);
  for (int i = 0; i < rounds; i++) {
    memcpy(il, whole.bytes, whole.size);
    for (int flips = 1 + i % 3; flips > 0; flips--)
      il[20 + random_u32(&state) % (whole.size - 20)] ^= (unsigned char)(1u << random_u32(&state) % 8);
    cl_int error;
    cl_program program = clCreateProgramWithIL(harness()->context, il, whole.size, &error);
    if (error == CL_SUCCESS) {
      error = clBuildProgram(program, 1, &harness()->device, NULL, NULL, NULL);
      if (error != CL_SUCCESS && error != CL_BUILD_PROGRAM_FAILURE)
        fail("clBuildProgram of a broken module: expected CL_SUCCESS or CL_BUILD_PROGRAM_FAILURE, got %s",
             error_name(error));
      if (error != CL_SUCCESS && strlen(log_of(program)) == 0)
        fail("a module that does not build: expected words in the log");
      EXPECT_SUCCESS(clReleaseProgram(program));
    } else if (error != CL_INVALID_VALUE) {
      fail("clCreateProgramWithIL of a broken module: expected CL_SUCCESS or CL_INVALID_VALUE, got %s",
           error_name(error));
    }
  }
}

Test(il, broken_headers_and_lengths_are_told_at_once) {
  const struct binary whole = spirv_of(simple, 32);
  for (size_t size = 4; size < whole.size; size += 4) {
    const cl_int error = creating(whole.bytes, size);  // some lengths end between two instructions
    if (error != CL_SUCCESS && error != CL_INVALID_VALUE)
      fail("%zu bytes of a module: expected CL_SUCCESS or CL_INVALID_VALUE, got %s", size, error_name(error));
  }
  for (size_t bit = 0; bit < 8 * whole.size; bit++) {
    whole.bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    const cl_int error = creating(whole.bytes, whole.size);
    if (error != CL_SUCCESS && error != CL_INVALID_VALUE)
      fail("bit %zu changed: expected CL_SUCCESS or CL_INVALID_VALUE, got %s", bit, error_name(error));
    whole.bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
  }
}

// kernel void k(global uint *out) { out[0] = flag ? number : narrow; } with flag, number and narrow, a signed char, as
// specialization constants 7, 8 and 9, and a long one that nobody uses, 10.
#define OP(opcode, length) ((uint32_t)(length) << 16 | (opcode))
static const uint32_t specialized[] = {
    0x07230203, 0x00010000, 0,  40,   0,         OP(17, 2), 4,  // OpCapability Addresses
    OP(17, 2),  5,                                              // Linkage
    OP(17, 2),  6,                                              // Kernel
    OP(17, 2),  39,                                             // Int8
    OP(17, 2),  11,                                             // Int64
    OP(14, 3),  1,          2,                                  // OpMemoryModel Physical32 OpenCL
    OP(15, 4),  6,          20, 'k',                            // OpEntryPoint Kernel %20 "k"
    OP(71, 4),  10,         1,  7,                              // OpDecorate %10 SpecId 7
    OP(71, 4),  11,         1,  8,    OP(71, 4), 12,        1,
    9,          OP(71, 4),  13, 1,    10,        OP(19, 2), 1,  // %1 = OpTypeVoid
    OP(20, 2),  2,                                              // %2 = OpTypeBool
    OP(21, 4),  3,          32, 0,                              // %3 = OpTypeInt 32 0
    OP(21, 4),  4,          8,  0,                              // %4 = OpTypeInt 8 0
    OP(21, 4),  5,          64, 0,                              // %5 = OpTypeInt 64 0
    OP(32, 4),  6,          5,  3,                              // %6 = OpTypePointer CrossWorkgroup %3
    OP(33, 4),  7,          1,  6,                              // %7 = OpTypeFunction %1 %6
    OP(48, 3),  2,          10,                                 // %10 = OpSpecConstantTrue %2
    OP(50, 4),  3,          11, 1234,                           // %11 = OpSpecConstant %3 1234
    OP(50, 4),  4,          12, 56,                             // %12 = OpSpecConstant %4 56
    OP(50, 5),  5,          13, 1,    2,                        // %13 = OpSpecConstant %5 0x200000001
    OP(54, 5),  1,          20, 0,    7,                        // %20 = OpFunction %1 None %7
    OP(55, 3),  6,          21,                                 // %21 = OpFunctionParameter %6
    OP(248, 2), 22,                                             // OpLabel
    OP(113, 4), 3,          23, 12,                             // %23 = OpUConvert %3 %12
    OP(169, 6), 3,          24, 10,   11,        23,            // %24 = OpSelect %3 %10 %11 %23
    OP(62, 5),  21,         24, 2,    4,                        // OpStore %21 %24 Aligned 4
    OP(253, 1),                                                 // OpReturn
    OP(56, 1),                                                  // OpFunctionEnd
};

// A module of `simple` whose kernel asks for so many sub-groups a work-group (SPIR-V, SubgroupsPerWorkgroup).
static struct binary asking_for(uint32_t sub_groups) {
  enum { ENTRY_POINT = 15, EXECUTION_MODE = 16, SUBGROUPS_PER_WORKGROUP = 36, CAPABILITY = 17, DISPATCH = 58 };
  const struct binary il = spirv_of(simple, 32);
  const uint32_t *words = (const uint32_t *)(const void *)il.bytes;
  const size_t count = il.size / 4;
  uint32_t *made = allocate(il.size + 32);
  size_t used = 5, at = 5;
  memcpy(made, words, 20);
  made[used++] = OP(CAPABILITY, 2);
  made[used++] = DISPATCH;
  for (uint32_t last = 0, entry = 0; at < count; at += words[at] >> 16) {
    const uint32_t opcode = words[at] & 0xFFFF;
    if (opcode == ENTRY_POINT)
      entry = words[at + 2];
    if (last == ENTRY_POINT && opcode != ENTRY_POINT) {
      made[used++] = OP(EXECUTION_MODE, 4);
      made[used++] = entry;
      made[used++] = SUBGROUPS_PER_WORKGROUP;
      made[used++] = sub_groups;
    }
    memcpy(made + used, words + at, (words[at] >> 16) * sizeof *words);
    used += words[at] >> 16;
    last = opcode;
  }
  return (struct binary){(unsigned char *)made, used * 4};
}

// A kernel that has to have so many sub-groups in a work-group, 0 for any number, says so and is not enqueued with
// another.
static void expect_sub_groups(cl_kernel kernel, size_t asked) {
  struct harness *h = harness();
  size_t got = 99;
  EXPECT_SUCCESS(
      clGetKernelSubGroupInfo(kernel, h->device, CL_KERNEL_COMPILE_NUM_SUB_GROUPS, 0, NULL, sizeof got, &got, NULL));
  if (got != asked)
    fail("CL_KERNEL_COMPILE_NUM_SUB_GROUPS: expected %zu, got %zu", asked, got);
  cl_mem out = buffer_with(NULL, 4);
  set_args(kernel, ARG(out), END_ARGS);
  const size_t global = 8 * (size_t)h->lanes;
  for (size_t sub_groups = 1; sub_groups <= 4; sub_groups *= 2) {
    const size_t local = sub_groups * h->lanes;
    EXPECT_CODE(asked == 0 || sub_groups == asked ? CL_SUCCESS : CL_INVALID_WORK_GROUP_SIZE,
                clEnqueueNDRangeKernel(h->queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
  }
  EXPECT_SUCCESS(clFinish(h->queue));
}

Test(il, a_required_number_of_sub_groups_is_told_and_kept) {
  struct harness *h = harness();
  const struct binary il = asking_for(2);
  cl_program program = built(of_il(il.bytes, il.size));
  cl_kernel kernel = kernel_of(program, "k");
  expect_sub_groups(kernel, 2);
  cl_mem out = buffer_with(NULL, 4);
  set_args(kernel, ARG(out), END_ARGS);
  const size_t global = 8 * (size_t)h->lanes;
  // One that is smaller has as many.
  const size_t smaller = h->lanes + 1;
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(h->queue, kernel, 1, NULL, &global, &smaller, 0, NULL, NULL));
  // And without a local size they are what is asked for.
  run(kernel, 1, NULL, &global, NULL);
  cl_event event;
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(h->queue, kernel, 1, NULL, &global, NULL, 0, NULL, &event));
  EXPECT_SUCCESS(clWaitForEvents(1, &event));
  cl_ulong groups = 0;
  EXPECT_SUCCESS(clGetEventInfo(event, CL_EVENT_GROUPS_TOTAL_HEDDLE, sizeof groups, &groups, NULL));
  if (groups != 4)
    fail("work-groups of 8 sub-groups, 2 each: expected 4, got %llu", (unsigned long long)groups);
}

Test(il, a_number_of_sub_groups_that_the_device_has_not_is_a_build_error) {
  const struct binary il = asking_for(harness()->slots + 1);
  cl_program program = of_il(il.bytes, il.size);
  EXPECT_CODE(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 1, &harness()->device, NULL, NULL, NULL));
  if (!strstr(log_of(program), "sub-groups"))
    fail("log: expected a word on sub-groups, got \"%s\"", log_of(program));
}

static cl_int set(cl_program program, cl_uint id, size_t size, uint64_t value) {
  return clSetProgramSpecializationConstant(program, id, size, &value);
}

Test(il, specialization_constants_have_their_defaults) {
  expect_word(1234, built(of_il(specialized, sizeof specialized)), "k");
}

Test(il, specialization_constants_are_what_they_were_set_to_last) {
  cl_program program = of_il(specialized, sizeof specialized);
  EXPECT_SUCCESS(set(program, 8, 4, 99));
  EXPECT_SUCCESS(set(program, 8, 4, 0xFEDCBA98));
  expect_word(0xFEDCBA98, built(program), "k");

  program = of_il(specialized, sizeof specialized);
  EXPECT_SUCCESS(set(program, 7, 1, 0));
  expect_word(56, built(program), "k");

  program = of_il(specialized, sizeof specialized);
  EXPECT_SUCCESS(set(program, 7, 1, 0));
  EXPECT_SUCCESS(set(program, 9, 1, 200));
  EXPECT_SUCCESS(set(program, 10, 8, UINT64_MAX));
  built(program);
  EXPECT_SUCCESS(set(program, 7, 1, 5));  // for the next build
  expect_word(200, program, "k");
  EXPECT_SUCCESS(clCompileProgram(program, 1, &harness()->device, NULL, 0, NULL, NULL, NULL, NULL));
  expect_word(1234, link_well(&program, 1, NULL), "k");
}

Test(il, specialization_constants_that_are_none_or_of_another_size_are_refused) {
  cl_program program = of_il(specialized, sizeof specialized);
  EXPECT_CODE(CL_INVALID_SPEC_ID, set(program, 6, 4, 1));
  EXPECT_CODE(CL_INVALID_SPEC_ID, set(program, 20, 4, 1));
  EXPECT_CODE(CL_INVALID_VALUE, set(program, 7, 4, 1));
  EXPECT_CODE(CL_INVALID_VALUE, set(program, 8, 8, 1));
  EXPECT_CODE(CL_INVALID_VALUE, set(program, 10, 4, 1));
  EXPECT_CODE(CL_INVALID_VALUE, clSetProgramSpecializationConstant(program, 8, 4, NULL));
  EXPECT_CODE(CL_INVALID_PROGRAM, set(build(simple, NULL), 8, 4, 1));
  EXPECT_CODE(CL_INVALID_PROGRAM, set((cl_program)harness()->context, 8, 4, 1));
}

// `specialized` in SPIR-V 1.2, whose kernel asks for as many sub-groups a work-group as specialization constant 11
// says, 2 by default (SubgroupsPerWorkgroupId).
static struct binary asking_by_constant(void) {
  enum { DECORATE = 71, FUNCTION = 54, MODEL = 14, ENTRY_POINT = 15 };
  static const uint32_t capability[] = {OP(17, 2), 58}, mode[] = {OP(331, 4), 20, 37, 40};
  static const uint32_t decoration[] = {OP(DECORATE, 4), 40, 1, 11}, constant[] = {OP(50, 4), 3, 40, 2};
  uint32_t *made = allocate(sizeof specialized + sizeof capability + sizeof mode + sizeof decoration + sizeof constant);
  size_t used = 5;
  memcpy(made, specialized, 20);
  made[1] = 0x00010200;
  made[3] = 41;  // ids
  for (size_t at = 5; at < sizeof specialized / sizeof *specialized; at += specialized[at] >> 16) {
    const uint32_t opcode = specialized[at] & 0xFFFF;
    const uint32_t *before = opcode == MODEL ? capability : opcode == FUNCTION ? constant : NULL;
    if (before) {
      memcpy(made + used, before, (*before >> 16) * sizeof *made);
      used += *before >> 16;
    }
    memcpy(made + used, specialized + at, (specialized[at] >> 16) * sizeof *made);
    used += specialized[at] >> 16;
    if (opcode == ENTRY_POINT) {
      memcpy(made + used, mode, sizeof mode);
      memcpy(made + used + 4, decoration, sizeof decoration);
      used += 8;
    }
  }
  return (struct binary){(unsigned char *)made, used * 4};
}

Test(il, a_specialization_constant_says_how_many_sub_groups_a_kernel_has_to_have) {
  const struct binary il = asking_by_constant();
  cl_program program = of_il(il.bytes, il.size);
  expect_sub_groups(kernel_of(built(program), "k"), 2);
  for (uint32_t asked = 4; asked > 0; asked /= 2) {
    program = of_il(il.bytes, il.size);
    EXPECT_SUCCESS(set(program, 11, 4, asked));
    expect_sub_groups(kernel_of(built(program), "k"), asked);
  }
}

Test(il, kernels_of_modules_ask_for_sub_groups_when_they_are_linked_with_sources) {
  struct harness *h = harness();
  const struct binary il = asking_for(2), other = asking_by_constant();
  const char *text = "kernel void free(global uint *out) { out[0] = 3; }\n";
  cl_int error;
  cl_program parts[2] = {of_il(il.bytes, il.size), clCreateProgramWithSource(h->context, 1, &text, NULL, &error)};
  EXPECT_SUCCESS(error);
  for (int i = 0; i < 2; i++)
    EXPECT_SUCCESS(clCompileProgram(parts[i], 1, &h->device, NULL, 0, NULL, NULL, NULL, NULL));
  cl_program program = link_well(parts, 2, NULL);
  expect_sub_groups(kernel_of(program, "k"), 2);
  expect_sub_groups(kernel_of(program, "free"), 0);
  parts[0] = of_il(other.bytes, other.size);
  EXPECT_SUCCESS(set(parts[0], 11, 4, 4));
  EXPECT_SUCCESS(clCompileProgram(parts[0], 1, &h->device, NULL, 0, NULL, NULL, NULL, NULL));
  // By way of a library, too.
  parts[0] = link_well(parts, 1, "-create-library");
  program = link_well(parts, 2, NULL);
  expect_sub_groups(kernel_of(program, "k"), 4);
  expect_sub_groups(kernel_of(program, "free"), 0);
  // And what it was saved as.
  const struct binary file = saved(program);
  program = loaded(file);
  EXPECT_SUCCESS(clBuildProgram(program, 1, &h->device, NULL, NULL, NULL));
  expect_sub_groups(kernel_of(program, "k"), 4);
}

// kernel void k(global uint *out, uint x), which enqueues %i on four work-items, twice in groups of two. A literal is
// what clang makes it: size, alignment, (here) nothing, out and x.
static const char enqueuing[] =
    "OpCapability Addresses\nOpCapability Linkage\nOpCapability Kernel\nOpCapability DeviceEnqueue\n"
    "OpCapability GenericPointer\nOpCapability Int8\nOpMemoryModel Physical32 OpenCL\n"
    "OpEntryPoint Kernel %%k \"k\"\n"
    "%s"
    "OpDecorate %%id BuiltIn GlobalInvocationId\nOpDecorate %%id Constant\n"
    "OpDecorate %%id LinkageAttributes \"__spirv_BuiltInGlobalInvocationId\" Import\n"
    "OpDecorate %%s CPacked\n"
    "%%u = OpTypeInt 32 0\n%%u8 = OpTypeInt 8 0\n%%v3 = OpTypeVector %%u 3\n%%pv3 = OpTypePointer Input %%v3\n"
    "%%v = OpTypeVoid\n%%pg = OpTypePointer CrossWorkgroup %%u\n%%fk = OpTypeFunction %%v %%pg %%u\n"
    "%%c0 = OpConstant %%u 0\n%%c1 = OpConstant %%u 1\n%%c2 = OpConstant %%u 2\n%%c3 = OpConstant %%u 3\n"
    "%%c4 = OpConstant %%u 4\n%%c12 = OpConstant %%u 12\n%%c16 = OpConstant %%u 16\n%%c20 = OpConstant %%u 20\n"
    "%%a3 = OpTypeArray %%u %%c3\n%%nd = OpTypeStruct %%u %%a3 %%a3 %%a3\n%%pnd = OpTypePointer Function %%nd\n"
    "%%any = OpTypePointer Generic %%u8\n%%s = OpTypeStruct %%u %%u %%any %%pg %%u\n%%ps = OpTypePointer Function %%s\n"
    "%%pf = OpTypePointer Function %%u\n%%pfg = OpTypePointer Function %%pg\n%%pf8 = OpTypePointer Function %%u8\n"
    "%%q = OpTypeQueue\n%%ev = OpTypeDeviceEvent\n%%pev = OpTypePointer Generic %%ev\n%%none = OpConstantNull %%pev\n"
    "%%fi = OpTypeFunction %%v %%any\n%%gu = OpTypePointer Generic %%u\n%%ggu = OpTypePointer Generic %%pg\n"
    "%%id = OpVariable %%pv3 Input\n"
    "%%i = OpFunction %%v None %%fi\n%%l = OpFunctionParameter %%any\n%%i0 = OpLabel\n"
    "%%i1 = OpInBoundsPtrAccessChain %%any %%l %%c16\n%%i2 = OpBitcast %%gu %%i1\n%%i3 = OpLoad %%u %%i2 Aligned 4\n"
    "%%i4 = OpInBoundsPtrAccessChain %%any %%l %%c12\n%%i5 = OpBitcast %%ggu %%i4\n%%i6 = OpLoad %%pg %%i5 Aligned 4\n"
    "%%i7 = OpLoad %%v3 %%id Aligned 16\n%%i8 = OpCompositeExtract %%u %%i7 0\n%%i9 = OpIAdd %%u %%i8 %%i3\n"
    "%%ia = OpInBoundsPtrAccessChain %%pg %%i6 %%i8\n%%ib = OpAtomicIAdd %%u %%ia %%c1 %%c0 %%i9\n"
    "OpReturn\nOpFunctionEnd\n"
    "%%k = OpFunction %%v None %%fk\n%%out = OpFunctionParameter %%pg\n%%x = OpFunctionParameter %%u\n%%k0 = OpLabel\n"
    "%%r1 = OpVariable %%pnd Function\n%%r2 = OpVariable %%pnd Function\n%%b = OpVariable %%ps Function\n"
    "%%k1 = OpGetDefaultQueue %%q\n%%k2 = OpBuildNDRange %%nd %%c4 %%c0 %%c0\nOpStore %%r1 %%k2\n"
    "%%k3 = OpBuildNDRange %%nd %%c4 %%c2 %%c1\nOpStore %%r2 %%k3\n"
    "%%b0 = OpInBoundsPtrAccessChain %%pf %%b %%c0 %%c0\nOpStore %%b0 %%c20 Aligned 4\n"
    "%%b1 = OpInBoundsPtrAccessChain %%pf %%b %%c0 %%c1\nOpStore %%b1 %%c4 Aligned 4\n"
    "%%b3 = OpInBoundsPtrAccessChain %%pfg %%b %%c0 %%c3\nOpStore %%b3 %%out Aligned 4\n"
    "%%b4 = OpInBoundsPtrAccessChain %%pf %%b %%c0 %%c4\nOpStore %%b4 %%x Aligned 4\n"
    "%%bp = OpBitcast %%pf8 %%b\n%%bg = OpPtrCastToGeneric %%any %%bp\n"
    "%%e1 = OpEnqueueKernel %%u %%k1 %%c1 %%r1 %%c0 %%none %%none %%i %%bg %%c20 %%c4\n"
    "%%e2 = OpEnqueueKernel %%u %%k1 %%c1 %%r2 %%c0 %%none %%none %%i %%bg %%c20 %%c4\n"
    "%%o5 = OpInBoundsPtrAccessChain %%pg %%out %%c20\nOpStore %%o5 %%e1 Aligned 4\n"
    "%%o6 = OpInBoundsPtrAccessChain %%pg %%out %%c16\nOpStore %%o6 %%e2 Aligned 4\n"
    "OpReturn\nOpFunctionEnd\n";

// Whether what is enqueued is an entry point, too, or a function.
Test(il, modules_enqueue_kernels) {
  enum { WORDS = 21 };
  static const char *const entries[] = {"", "OpEntryPoint Kernel %i \"block\" %id\n"};
  const cl_queue_properties properties[] = {
      CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT, 0};
  cl_int error;
  clCreateCommandQueueWithProperties(harness()->context, harness()->device, properties, &error);
  EXPECT_SUCCESS(error);
  for (int i = 0; i < 2; i++) {
    char text[sizeof enqueuing + 64];
    uint32_t zeros[WORDS] = {0}, got[WORDS], expected[WORDS] = {100, 202, 204, 206, 104};
    const cl_uint x = 100;
    snprintf(text, sizeof text, enqueuing, entries[i]);
    const struct binary il = made_by("spirv-as --target-env spv1.2 - -o %s", text);
    cl_kernel kernel = kernel_of(built(of_il(il.bytes, il.size)), "k");
    cl_mem out = buffer_with(zeros, sizeof zeros);
    set_args(kernel, ARG(out), ARG(x), END_ARGS);
    run_1d(kernel, 1, 1);
    read_buffer(out, got, sizeof got);
    expect_u32("enqueued from a module", got, expected, WORDS);
  }
}

static void hide_translator(void) {
  harness();
  setenv("PATH", "/nowhere", 1);
}

Test(il, without_the_translator_there_is_no_il, .init = hide_translator) {
  char text[8] = "abc";
  size_t bytes = 99;
  EXPECT_SUCCESS(clGetDeviceInfo(harness()->device, CL_DEVICE_IL_VERSION, sizeof text, text, NULL));
  EXPECT_SUCCESS(clGetDeviceInfo(harness()->device, CL_DEVICE_ILS_WITH_VERSION, 0, NULL, &bytes));
  if (text[0] != 0 || bytes != 0)
    fail("IL versions without a translator: expected none, got \"%s\" and %zu bytes", text, bytes);
  EXPECT_CODE(CL_INVALID_OPERATION, creating(specialized, sizeof specialized));
}
