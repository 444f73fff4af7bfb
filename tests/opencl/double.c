// SPDX-License-Identifier: Apache-2.0
// Double, which devices offer when asked (HEDDLE_DOUBLE): what they say without and with it, and doubles in arguments,
// structures, constants, local and private memory.
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/opencl/harness.h"

// Before the library looks: it does once in a process, and each test is one.
static void set_switch(const char *value) {
  if (value)
    setenv("HEDDLE_DOUBLE", value, 1);
  else
    unsetenv("HEDDLE_DOUBLE");
}

static const char *text_of(cl_device_info info) {
  static char text[8192];
  EXPECT_SUCCESS(clGetDeviceInfo(harness()->device, info, sizeof text, text, NULL));
  return text;
}

static bool has_feature(const char *name) {
  cl_name_version names[64];
  size_t bytes = 0;
  EXPECT_SUCCESS(clGetDeviceInfo(harness()->device, CL_DEVICE_OPENCL_C_FEATURES, sizeof names, names, &bytes));
  for (size_t i = 0; i < bytes / sizeof names[0]; i++)
    if (strcmp(names[i].name, name) == 0)
      return true;
  return false;
}

static void expect_answers(bool is_offered) {
  cl_device_fp_config config = ~(cl_device_fp_config)0;
  cl_uint preferred = 99, native = 99;
  char platform[8192];
  EXPECT_SUCCESS(clGetDeviceInfo(harness()->device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof config, &config, NULL));
  EXPECT_SUCCESS(
      clGetDeviceInfo(harness()->device, CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE, sizeof preferred, &preferred, NULL));
  EXPECT_SUCCESS(
      clGetDeviceInfo(harness()->device, CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, sizeof native, &native, NULL));
  EXPECT_SUCCESS(clGetPlatformInfo(harness()->platform, CL_PLATFORM_EXTENSIONS, sizeof platform, platform, NULL));
  const cl_device_fp_config expected =
      is_offered ? CL_FP_FMA | CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN | CL_FP_DENORM | CL_FP_SOFT_FLOAT : 0;
  if (config != expected)
    fail("CL_DEVICE_DOUBLE_FP_CONFIG: expected 0x%llx, got 0x%llx", (unsigned long long)expected,
         (unsigned long long)config);
  if (preferred != is_offered || native != is_offered)
    fail("vector widths of double: expected %d, got %u preferred and %u native", is_offered, preferred, native);
  if (!!strstr(text_of(CL_DEVICE_EXTENSIONS), "cl_khr_fp64") != is_offered)
    fail("CL_DEVICE_EXTENSIONS: cl_khr_fp64 is %s", is_offered ? "missing" : "there");
  if (!!strstr(platform, "cl_khr_fp64") != is_offered)
    fail("CL_PLATFORM_EXTENSIONS: cl_khr_fp64 is %s", is_offered ? "missing" : "there");
  if (has_feature("__opencl_c_fp64") != is_offered)
    fail("CL_DEVICE_OPENCL_C_FEATURES: __opencl_c_fp64 is %s", is_offered ? "missing" : "there");
}

static void expect_refusal_that_names_the_switch(void) {
  const char *source = "kernel void k(global double *a) { a[0] = a[1]; }\n";
  cl_int error;
  char log[8192] = "";
  cl_program program = clCreateProgramWithSource(harness()->context, 1, &source, NULL, &error);
  EXPECT_SUCCESS(error);
  EXPECT_CODE(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 1, &harness()->device, NULL, NULL, NULL));
  EXPECT_SUCCESS(clGetProgramBuildInfo(program, harness()->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
  if (!strstr(log, "error: use of type 'double'") || !strstr(log, "HEDDLE_DOUBLE=1"))
    fail("the build log names neither double nor HEDDLE_DOUBLE=1:\n%s", log);
}

Test(double, is_not_offered_unless_asked_for) {
  set_switch(NULL);
  expect_answers(false);
  expect_refusal_that_names_the_switch();
}

Test(double, is_not_offered_where_the_switch_is_off) {
  set_switch("0");
  expect_answers(false);
  expect_refusal_that_names_the_switch();
}

Test(double, is_offered_where_asked_for) {
  set_switch("1");
  expect_answers(true);
}

Test(double, a_switch_that_is_neither_on_nor_off_is_an_error) {
  set_switch("yes");
  cl_platform_id platform;
  cl_device_id sim, model;
  heddle_devices(&platform, &sim, &model);
  cl_bool is_available = CL_TRUE;
  EXPECT_SUCCESS(clGetDeviceInfo(model, CL_DEVICE_AVAILABLE, sizeof is_available, &is_available, NULL));
  if (is_available)
    fail("CL_DEVICE_AVAILABLE: expected false, got true");
}

static void expect_doubles(const char *what, const double *expected, const double *got, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (expected[i] != got[i] || signbit(expected[i]) != signbit(got[i]))
      fail("%s %zu: expected %a, got %a", what, i, expected[i], got[i]);
}

struct by_value {
  cl_char c;
  cl_double d[2];
  cl_float f;
};

Test(double, arguments_of_every_kind) {
  set_switch("1");
  cl_kernel kernel = kernel_of(
      build("struct by_value { char c; double d[2]; float f; };\n"
            "kernel void k(global double *out, double d, char c, double2 d2, int i, double3 d3, char c2, double4 d4,\n"
            "    double8 d8, short s, double16 d16, struct by_value v, constant double *table, double last) {\n"
            "  out[0] = d; out[1] = d2.y; out[2] = d3.z; out[3] = d4.w; out[4] = d8.s7; out[5] = d16.sf;\n"
            "  out[6] = v.d[1]; out[7] = v.f; out[8] = table[2]; out[9] = last; out[10] = c + c2 + i + s + v.c;\n}\n",
            "-cl-std=CL3.0"),
      "k");
  const cl_double d = -0x1.23456789ABCDEp-1000, last = 0x1p-1074, table[3] = {1, 2, 3.5};
  const cl_char c = -5, c2 = 7;
  const cl_int i = 100;
  const cl_short s = 1000;
  const cl_double2 d2 = {{1, 2.25}};
  const cl_double4 d3 = {{1, 2, -0.0}}, d4 = {{1, 2, 3, INFINITY}};
  const cl_double8 d8 = {{0, 0, 0, 0, 0, 0, 0, 0.1}};
  cl_double16 d16 = {{0}};
  d16.s[15] = 1e300;
  const struct by_value v = {-1, {1, 1.0 / 3}, 0.5f};
  cl_mem out = buffer_with(NULL, 11 * 8), constant_table = buffer_with(table, sizeof table);
  set_args(kernel, ARG(out), ARG(d), ARG(c), ARG(d2), ARG(i), ARG(d3), ARG(c2), ARG(d4), ARG(d8), ARG(s), ARG(d16),
           ARG(v), ARG(constant_table), ARG(last), END_ARGS);
  run_1d(kernel, 1, 1);
  const double expected[11] = {d, 2.25, -0.0, INFINITY, 0.1, 1e300, 1.0 / 3, 0.5, 3.5, last, 1101};
  double got[11];
  read_buffer(out, got, sizeof got);
  expect_doubles("argument", expected, got, 11);
}

// Every version of the language has the type, under the extension's name where it is not built in yet.
Test(double, arithmetic_in_every_version) {
  set_switch("1");
  static const char *const versions[] = {"-cl-std=CL1.1", "-cl-std=CL1.2", "-cl-std=CL3.0"};
  for (int v = 0; v < 3; v++) {
    cl_kernel kernel = kernel_of(
        build("#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
              "#ifndef cl_khr_fp64\n#error no cl_khr_fp64\n#endif\n"
              "kernel void k(global double *a) { a[3] = a[0] / a[1] + sqrt(a[2]) - sub_group_reduce_max(a[0]); }\n",
              versions[v]),
        "k");
    const double in[4] = {1, 3, 2};
    double got[4];
    cl_mem buffer = buffer_with(in, sizeof in);
    set_args(kernel, ARG(buffer), END_ARGS);
    run_1d(kernel, 1, 1);
    read_buffer(buffer, got, sizeof got);
    const double expected = 1.0 / 3 + sqrt(2) - 1;
    expect_doubles(versions[v], &expected, &got[3], 1);
  }
}

// In structures behind pointers, constants of the program, local memory filled by copies of the group, private arrays,
// vectors shuffled and selected from; any() and all() of what vectors compare to.
Test(double, data_of_every_kind) {
  set_switch("1");
  cl_kernel kernel = kernel_of(
      build("struct item { char tag; double value; float weight; };\n"
            "constant double factors[4] = {0.1, -2.5, 1e-310, INFINITY};\n"
            "global double at_program_scope = 6.25;\n"
            "kernel void k(global const struct item *items, global const double *in, global double *out, local double "
            "*copy, local double2 *pairs) {\n"
            "  size_t i = get_local_id(0); double mine[4]; out += 16 * i;\n"
            "  event_t e = async_work_group_copy(copy, in, 16, 0);\n"
            "  e = async_work_group_strided_copy(pairs, (global const double2 *)in, 4, 2, e);\n"
            "  wait_group_events(1, &e);\n"
            "  for (int k = 0; k < 4; k++) mine[(k + (int)i) & 3] = copy[k] * factors[k];\n"
            "  double4 v = vload4(i, in), w = shuffle(v, (ulong4)(3, 2, 1, 0));\n"
            "  double8 both = shuffle2(v, w, (ulong8)(0, 4, 1, 5, 2, 6, 3, 7));\n"
            "  out[0] = items[i].value * items[i].tag + items[i].weight; out[1] = mine[i & 3]; out[2] = pairs[i].y;\n"
            "  out[3] = w.x; out[4] = both.s3; out[5] = select(v, w, v < w).y; out[6] = any(v < w); out[7] = all(v == "
            "v);\n"
            "  out[8] = at_program_scope; out[9] = as_double(as_long(v.z) ^ LONG_MIN); out[10] = copy[15 - i];\n"
            "  out[11] = v.w > w.w ? v.w : w.w; out[12] = (double)(long)(v.x * 1e18); out[13] = i + 0.5;\n"
            "  vstore2(both.hi.lo, 7, out);\n}\n",
            "-cl-std=CL3.0"),
      "k");
  enum { ITEMS = 4 };
  struct {
    cl_char tag;
    cl_double value;
    cl_float weight;
  } items[ITEMS];
  double in[16], got[ITEMS][16];
  memset(items, 0, sizeof items);
  for (int i = 0; i < 16; i++)
    in[i] = (i * 7 % 5 - 2) * (1 + i * 0x1p-40) + 0.125;
  for (int i = 0; i < ITEMS; i++) {
    items[i].tag = (cl_char)(i - 2);
    items[i].value = 1.0 / (i + 3);
    items[i].weight = 0.25f;
  }
  cl_mem a = buffer_with(items, sizeof items), b = buffer_with(in, sizeof in), c = buffer_with(NULL, sizeof got);
  set_args(kernel, ARG(a), ARG(b), ARG(c), LOCAL_ARG(sizeof in), LOCAL_ARG(4 * sizeof(cl_double2)), END_ARGS);
  run_1d(kernel, ITEMS, ITEMS);
  read_buffer(c, got, sizeof got);
  const double factors[4] = {0.1, -2.5, 1e-310, INFINITY};
  for (int i = 0; i < ITEMS; i++) {
    const double *v = in + 4 * i, w[4] = {v[3], v[2], v[1], v[0]};
    bool any = false;
    for (int k = 0; k < 4; k++)
      any |= v[k] < w[k];
    volatile double product = items[i].value * items[i].tag;
    const double expected[16] = {product + items[i].weight,
                                 in[0] * factors[0],
                                 in[4 * i + 1],
                                 w[0],
                                 w[1],
                                 v[1] < w[1] ? w[1] : v[1],
                                 any,
                                 1,
                                 6.25,
                                 -v[2],
                                 in[15 - i],
                                 v[3] > w[3] ? v[3] : w[3],
                                 (double)(long)(v[0] * 1e18),
                                 i + 0.5,
                                 v[2],
                                 w[2]};
    expect_doubles("value", expected, got[i], 16);
  }
}
