// SPDX-License-Identifier: Apache-2.0
// Reductions, scans and broadcasts for every type that has them, where some work-items have returned before: at every
// sub-group size, with a smaller last sub-group, on random values and those at the ends of the type, compared bit by
// bit.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/opencl/harness.h"
#include "tests/opencl/reference.h"

enum { SOURCE_BYTES = 1 << 16, FOLDS_MAX = 3 * REFERENCE_OPS, SHAPES_MAX = 7, LIVE_PATTERNS = 4 };

static const char *const mode_names[] = {"reduce", "scan_inclusive", "scan_exclusive"};

// ---- values

static uint64_t random_value(enum reference_type type, uint32_t *state) {
  static const uint32_t floats[] = {0,          0x80000000, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00001, 0x7F7FFFFF,
                                    0xFF7FFFFF, 1,          0x80000001, 0x3F800000, 0x33800000, 0xCB800000, 0x4B800001};
  static const uint64_t doubles[] = {0,
                                     0x8000000000000000,
                                     0x7FF0000000000000,
                                     0xFFF0000000000000,
                                     0x7FF8000000000000,
                                     0xFFF8000000000001,
                                     0x7FEFFFFFFFFFFFFF,
                                     0xFFEFFFFFFFFFFFFF,
                                     1,
                                     0x8000000000000001,
                                     0x3FF0000000000000,
                                     0x3CA0000000000000,
                                     0xC340000000000000,
                                     0x4340000000000001};
  static const uint16_t halves[] = {0,      0x8000, 0x7C00, 0xFC00, 0x7E00, 0xFE01, 0x7BFF,
                                    0xFBFF, 1,      0x8001, 0x3C00, 0x1000, 0xE800, 0x6801};
  const uint32_t x = random_u32(state), how = x >> 28;
  if (type == TYPE_FLOAT) {
    if (how < 4)
      return floats[(x >> 8) % (sizeof floats / sizeof floats[0])];
    // Within a few powers of two, so that roundings show in which order they were made.
    return (x & 0x807FFFFF) | (120 + (x >> 24 & 15)) << 23;
  }
  if (type == TYPE_DOUBLE) {
    const uint32_t low = random_u32(state);
    if (how < 4)
      return doubles[(x >> 8) % (sizeof doubles / sizeof doubles[0])];
    return (uint64_t)((x & 0x800FFFFF) | (1016 + (x >> 24 & 15)) << 20) << 32 | low;
  }
  if (type == TYPE_HALF && how < 4)
    return halves[(x >> 8) % (sizeof halves / sizeof halves[0])];
  if (type == TYPE_HALF)
    return (x & 0x83FF) | (11 + (x >> 24 & 7)) << 10;
  const uint64_t wide = (uint64_t)x << 32 | random_u32(state), end = UINT64_MAX << (8 * reference_type_bytes(type) - 1);
  if (how < 4)  // next to the type's ends, and around 0
    return reference_bits(type, (how & 1 ? end : 0) + (x >> 8) % 3 - 1);
  if (how < 8)  // words that differ in one half only
    return reference_bits(type, how & 1 ? wide & UINT32_MAX : wide & ~(uint64_t)UINT32_MAX);
  return reference_bits(type, wide);
}

// Which work-items stay: all, all but the first few, whole sub-groups gone, or at random.
static bool stays(int pattern, const struct work_item *item, uint32_t *state) {
  const uint32_t x = random_u32(state);
  if (pattern == 0)
    return true;
  if (pattern == 1)
    return item->local_linear_id >= 3 || item->group_count <= 3;
  if (pattern == 2)
    return item->sub_group_id % 2 == 1 && x % 4 != 0;
  return x % 3 != 0;
}

static uint64_t load(const unsigned char *array, enum reference_type type, size_t index) {
  uint64_t x = 0;
  memcpy(&x, array + index * reference_type_bytes(type), reference_type_bytes(type));
  return x;
}

static void store(unsigned char *array, enum reference_type type, size_t index, uint64_t x) {
  memcpy(array + index * reference_type_bytes(type), &x, reference_type_bytes(type));
}

// OpenCL leaves open which NaN comes of joining.
static bool is_same(enum reference_type type, uint64_t a, uint64_t b) {
  return a == b || (reference_is_nan(type, a) && reference_is_nan(type, b));
}

// ---- running a body at each sub-group size and shape

// What a body computes: `results` values a work-item of `inputs` values. expect() says which, for the n members of a
// sub-group or work-group.
struct family {
  enum reference_type type;
  bool is_work_group;
  size_t inputs, results;
  void (*expect)(const struct family *family, const uint64_t *values, const bool *live, size_t n, size_t size,
                 uint64_t *expected);
};

// The RTL runs at every number of lanes; the smaller sub-groups of each are left to the model.
static uint32_t smallest_size(void) {
  const struct harness *h = harness();
  return h->is_rtl && !h->is_long && h->lanes > 1 ? h->lanes / 2 : 1;
}

static cl_program build_family(const struct family *family, const char *body) {
  static char source[SOURCE_BYTES];
  size_t used =
      (size_t)snprintf(source, sizeof source,
                       "#pragma OPENCL EXTENSION cl_khr_subgroup_extended_types : enable\n"
                       "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
                       "typedef %s T;\n"
                       "#define ID(d) (get_global_id(d) - get_global_offset(d))\n"
                       "#define LINEAR_ID ((ID(2) * get_global_size(1) + ID(1)) * get_global_size(0) + ID(0))\n",
                       reference_type_names[family->type]);
  for (uint32_t size = smallest_size(); size <= harness()->lanes; size *= 2)
    used += (size_t)snprintf(source + used, sizeof source - used,
                             "__attribute__((intel_reqd_sub_group_size(%u)))\n"
                             "kernel void k_%u(global const T *in, global const uchar *live, global T *out) {\n"
                             "  size_t i = LINEAR_ID;\n  if (!live[i]) return;\n%s}\n",
                             size, size, body);
  if (used >= sizeof source)
    fail("the test's source does not fit its %zu bytes", sizeof source);
  // Work-group functions, and work-groups of several sizes in a range, are there from version 2.0 on.
  return build(source, "-cl-std=CL3.0");
}

static size_t shapes_for(uint32_t size, size_t limit, struct ndrange *shapes) {
  const size_t locals[] = {size, 3 * size - size / 2, 4 * size};
  size_t count = 0;
  for (size_t i = 0; i < sizeof locals / sizeof locals[0]; i++)
    if (locals[i] <= limit && (!harness()->is_rtl || i == 1))
      shapes[count++] = (struct ndrange){1, {locals[i] + (locals[i] + 1) / 2}, {0}, {locals[i]}};
  if (!harness()->is_rtl)  // the most sub-groups that there are room for
    shapes[count++] = (struct ndrange){1, {limit + limit / 2}, {0}, {limit}};
  if (limit >= 12)
    shapes[count++] = (struct ndrange){2, {7, 3}, {1, 2}, {4, 3}};
  if (limit >= 18 && !harness()->is_rtl)
    shapes[count++] = (struct ndrange){3, {4, 5, 3}, {0, 1, 2}, {3, 3, 2}};
  return count;
}

static void compare(const struct family *family, const struct ndrange *range, uint32_t size,
                    const struct work_item *items, size_t count, const unsigned char *in, const bool *stayed,
                    const unsigned char *out, const char *const *names) {
  uint64_t *values = allocate(count * family->inputs * 8), *expected = allocate(count * family->results * 8);
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < family->inputs; k++)
      values[i * family->inputs + k] = load(in, family->type, items[i].global_linear_id * family->inputs + k);
  for (size_t first = 0, n; first < count; first += n) {
    n = family->is_work_group ? items[first].group_count : items[first].sub_group_size;
    family->expect(family, values + first * family->inputs, stayed + first, n, size,
                   expected + first * family->results);
  }
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < family->results && stayed[i]; k++) {
      const uint64_t want = expected[i * family->results + k];
      const uint64_t got = load(out, family->type, items[i].global_linear_id * family->results + k);
      if (is_same(family->type, want, got))
        continue;
      fail(
          "%s(%s), result %zu: expected 0x%llx, got 0x%llx; sub-group size %u, %u dimensions, local %zu, work-group "
          "%zu,%zu,%zu, local linear id %zu (sub-group %u of %u, lane %u of %u)",
          names[k], reference_type_names[family->type], k, (unsigned long long)want, (unsigned long long)got, size,
          range->dim, range->local[0], items[i].group_id[0], items[i].group_id[1], items[i].group_id[2],
          items[i].local_linear_id, items[i].sub_group_id, items[i].num_sub_groups, items[i].sub_group_local_id,
          items[i].sub_group_size);
    }
  free(values);
  free(expected);
}

static void run_shape(const struct family *family, cl_kernel kernel, const struct ndrange *range, uint32_t size,
                      int pattern, uint32_t *state, const char *const *names) {
  const size_t bytes = reference_type_bytes(family->type);
  size_t count;
  struct work_item *items = reference_items(range, size, &count);
  unsigned char *in = allocate(count * family->inputs * bytes), *out = allocate(count * family->results * bytes);
  unsigned char *live = allocate(count);            // by global linear id
  bool *stayed = allocate(count * sizeof *stayed);  // in scan order
  for (size_t i = 0; i < count; i++) {
    live[items[i].global_linear_id] = stayed[i] = stays(pattern, &items[i], state);
    for (size_t k = 0; k < family->inputs; k++)
      store(in, family->type, i * family->inputs + k, random_value(family->type, state));
  }
  cl_mem in_buffer = buffer_with(in, count * family->inputs * bytes), live_buffer = buffer_with(live, count);
  cl_mem out_buffer = buffer_with(NULL, count * family->results * bytes);
  set_args(kernel, ARG(in_buffer), ARG(live_buffer), ARG(out_buffer), END_ARGS);
  run(kernel, range->dim, range->offset, range->global, range->local);
  read_buffer(out_buffer, out, count * family->results * bytes);
  compare(family, range, size, items, count, in, stayed, out, names);
  clReleaseMemObject(in_buffer);
  clReleaseMemObject(live_buffer);
  clReleaseMemObject(out_buffer);
  free(items);
  free(in);
  free(out);
  free(live);
  free(stayed);
}

static void test_family(const struct family *family, const char *body, const char *const *names) {
  cl_program program = build_family(family, body);
  uint32_t state = 20260130;
  for (uint32_t size = smallest_size(); size <= harness()->lanes; size *= 2) {
    char name[32];
    snprintf(name, sizeof name, "k_%u", size);
    cl_kernel kernel = kernel_of(program, name);
    struct ndrange shapes[SHAPES_MAX];
    const size_t shape_count = shapes_for(size, work_group_limit(kernel), shapes);
    for (size_t shape = 0; shape < shape_count; shape++)
      for (int pattern = 0; pattern < LIVE_PATTERNS; pattern++)
        if (!harness()->is_rtl || harness()->is_long || pattern % 2 == (int)(shape + 1) % 2)
          run_shape(family, kernel, &shapes[shape], size, pattern, &state, names);
    clReleaseKernel(kernel);
  }
}

// ---- reductions and scans

// OpenCL C has bitwise ones of active work-items only, so a kernel that wants others has to declare them.
static unsigned operations_of(enum reference_type type) {
  return reference_is_real(type) ? OP_MAX + 1 : REFERENCE_OPS;
}

static void expect_folds(const struct family *family, const uint64_t *values, const bool *live, size_t n, size_t size,
                         uint64_t *expected) {
  uint64_t *result = allocate(n * 8);
  const unsigned operations = operations_of(family->type);
  for (unsigned fold = 0; fold < 3 * operations; fold++) {
    reference_typed_collective((enum reference_mode)(fold / operations), (enum reference_op)(fold % operations),
                               family->type, values, live, n, size, result);
    for (size_t i = 0; i < n; i++)
      expected[i * 3 * operations + fold] = result[i];
  }
  free(result);
}

static void test_folds(enum reference_type type, bool is_work_group) {
  const unsigned operations = operations_of(type), folds = 3 * operations;
  const struct family family = {type, is_work_group, 1, folds, expect_folds};
  char body[4096], names[FOLDS_MAX][64];
  const char *pointers[FOLDS_MAX];
  size_t used = (size_t)snprintf(body, sizeof body, "  T x = in[i];\n");
  for (unsigned fold = 0; fold < folds; fold++) {
    snprintf(names[fold], sizeof names[fold], "%s_group_%s_%s", is_work_group ? "work" : "sub",
             mode_names[fold / operations], reference_op_names[fold % operations]);
    pointers[fold] = names[fold];
    if (fold % operations > OP_MAX)
      used += (size_t)snprintf(body + used, sizeof body - used,
                               "  T __attribute__((overloadable, convergent)) %s(T);\n", names[fold]);
    used +=
        (size_t)snprintf(body + used, sizeof body - used, "  out[%u * i + %u] = %s(x);\n", folds, fold, names[fold]);
  }
  test_family(&family, body, pointers);
}

#define FOLDS_OF(name, type)                          \
  Test(collective_types, sub_group_folds_of_##name) { \
    test_folds(type, false);                          \
  }
#if ONLY_DOUBLE
FOLDS_OF(double, TYPE_DOUBLE)
#else
FOLDS_OF(char, TYPE_CHAR)
FOLDS_OF(uchar, TYPE_UCHAR)
FOLDS_OF(short, TYPE_SHORT)
FOLDS_OF(ushort, TYPE_USHORT)
FOLDS_OF(int, TYPE_INT)
FOLDS_OF(uint, TYPE_UINT)
FOLDS_OF(long, TYPE_LONG)
FOLDS_OF(ulong, TYPE_ULONG)
FOLDS_OF(float, TYPE_FLOAT)
FOLDS_OF(half, TYPE_HALF)
#endif

#define WORK_GROUP_FOLDS_OF(name, type)                \
  Test(collective_types, work_group_folds_of_##name) { \
    test_folds(type, true);                            \
  }
#if ONLY_DOUBLE
WORK_GROUP_FOLDS_OF(double, TYPE_DOUBLE)
#else
WORK_GROUP_FOLDS_OF(int, TYPE_INT)
WORK_GROUP_FOLDS_OF(uint, TYPE_UINT)
WORK_GROUP_FOLDS_OF(long, TYPE_LONG)
WORK_GROUP_FOLDS_OF(ulong, TYPE_ULONG)
WORK_GROUP_FOLDS_OF(float, TYPE_FLOAT)
WORK_GROUP_FOLDS_OF(half, TYPE_HALF)
#endif

// ---- broadcasts: a scalar and a vector of each width, each from a source of its own

enum { WIDTHS = 6, ELEMENTS = 1 + 2 + 3 + 4 + 8 + 16 };
static const size_t widths[WIDTHS] = {1, 2, 3, 4, 8, 16};

// What a work-item that has returned would broadcast is 0 on this device (contract/DEVICE.md).
static void expect_vectors(const struct family *family, const uint64_t *values, const bool *live, size_t n, size_t size,
                           uint64_t *expected) {
  (void)size;
  for (size_t i = 0; i < n; i++)
    for (size_t w = 0, at = 0; w < WIDTHS; at += widths[w++]) {
      const size_t source = (w + 1) % n;
      for (size_t e = at; e < at + widths[w]; e++)
        expected[i * family->results + e] = live[source] ? values[source * family->inputs + e] : 0;
    }
}

static void test_vectors(enum reference_type type) {
  const struct family family = {type, false, ELEMENTS, ELEMENTS, expect_vectors};
  char body[2048];
  const char *names[ELEMENTS], *type_name = reference_type_names[type];
  size_t used = (size_t)snprintf(body, sizeof body,
                                 "  uint n = get_sub_group_size(); in += %d * i; out += %d * i;\n"
                                 "  out[0] = sub_group_broadcast(in[0], 1 %% n);\n",
                                 ELEMENTS, ELEMENTS);
  for (size_t w = 1, at = 1; w < WIDTHS; at += widths[w++])
    used += (size_t)snprintf(body + used, sizeof body - used,
                             "  %s%zu v%zu = vload%zu(0, in + %zu);\n"
                             "  vstore%zu(sub_group_broadcast(v%zu, %zu %% n), 0, out + %zu);\n",
                             type_name, widths[w], w, widths[w], at, widths[w], w, w + 1, at);
  for (size_t e = 0; e < ELEMENTS; e++)
    names[e] = "sub_group_broadcast";
  test_family(&family, body, names);
}

#define VECTORS_OF(name, type)                            \
  Test(collective_types, sub_group_broadcast_of_##name) { \
    test_vectors(type);                                   \
  }
#if ONLY_DOUBLE
VECTORS_OF(double, TYPE_DOUBLE)
#else
VECTORS_OF(char, TYPE_CHAR)
VECTORS_OF(uchar, TYPE_UCHAR)
VECTORS_OF(short, TYPE_SHORT)
VECTORS_OF(ushort, TYPE_USHORT)
VECTORS_OF(int, TYPE_INT)
VECTORS_OF(uint, TYPE_UINT)
VECTORS_OF(long, TYPE_LONG)
VECTORS_OF(ulong, TYPE_ULONG)
VECTORS_OF(float, TYPE_FLOAT)
VECTORS_OF(half, TYPE_HALF)
#endif

enum { SOURCES = 3 };

// From the first, the last and a work-item in the middle.
static void expect_work_group_broadcast(const struct family *family, const uint64_t *values, const bool *live, size_t n,
                                        size_t size, uint64_t *expected) {
  (void)family;
  (void)size;
  const size_t sources[SOURCES] = {0, n - 1, n / 2};
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < SOURCES; k++)
      expected[i * SOURCES + k] = live[sources[k]] ? values[sources[k]] : 0;
}

static void test_work_group_broadcast(enum reference_type type) {
  const struct family family = {type, true, 1, SOURCES, expect_work_group_broadcast};
  static const char *const names[SOURCES] = {"work_group_broadcast", "work_group_broadcast", "work_group_broadcast"};
  test_family(&family,
              "  T a = in[i]; size_t X = get_local_size(0), Y = get_local_size(1), n = X * Y * get_local_size(2);\n"
              "  size_t source[3] = {0, n - 1, n / 2};\n"
              "  for (int k = 0; k < 3; k++) {\n"
              "    size_t x = source[k] % X, y = source[k] / X % Y, z = source[k] / (X * Y);\n"
              "    out[3 * i + k] = get_work_dim() == 1 ? work_group_broadcast(a, x)\n"
              "      : get_work_dim() == 2 ? work_group_broadcast(a, x, y) : work_group_broadcast(a, x, y, z);\n  }\n",
              names);
}

#define WORK_GROUP_BROADCAST_OF(name, type)                \
  Test(collective_types, work_group_broadcast_of_##name) { \
    test_work_group_broadcast(type);                       \
  }
#if ONLY_DOUBLE
WORK_GROUP_BROADCAST_OF(double, TYPE_DOUBLE)
#else
WORK_GROUP_BROADCAST_OF(int, TYPE_INT)
WORK_GROUP_BROADCAST_OF(uint, TYPE_UINT)
WORK_GROUP_BROADCAST_OF(long, TYPE_LONG)
WORK_GROUP_BROADCAST_OF(ulong, TYPE_ULONG)
WORK_GROUP_BROADCAST_OF(float, TYPE_FLOAT)
WORK_GROUP_BROADCAST_OF(half, TYPE_HALF)
#endif

// ---- what no collective takes is an error of the build, at its line

Test(collective_types, other_types_do_not_build) {
  static const char *const calls[] = {
      "int4 x = 0; x = sub_group_reduce_add(x)", "global int *x = out; x = sub_group_broadcast(x, 0)",
      "struct s { int a; } x; x = work_group_reduce_max(x)", "float2 x = 0; x = work_group_broadcast(x, 0)"};
  for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
    char text[256];
    static char log[1 << 17];
    snprintf(text, sizeof text, "kernel void k(global int *out) {\n  %s;\n}\n", calls[i]);
    const char *source = text;
    cl_int error;
    cl_program program = clCreateProgramWithSource(harness()->context, 1, &source, NULL, &error);
    EXPECT_SUCCESS(error);
    EXPECT_CODE(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 1, &harness()->device, "-cl-std=CL3.0", NULL, NULL));
    EXPECT_SUCCESS(clGetProgramBuildInfo(program, harness()->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    if (!strstr(log, ":2:") || !strstr(log, "error: "))
      fail("build log of \"%s\": expected an error in line 2, got:\n%s", calls[i], log);
    clReleaseProgram(program);
  }
}
