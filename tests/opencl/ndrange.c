// SPDX-License-Identifier: Apache-2.0
// NDRanges in 1 to 3 dimensions, with offsets and remainder work-groups, against the NDRange definition: every
// work-item runs exactly once, and every id function says what the OpenCL text says.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/opencl/harness.h"
#include "tests/opencl/reference.h"

// What the kernel records for each work-item, in this order.
static const char *const fields[] = {
    "times run",
    "get_global_id(0)",
    "get_global_id(1)",
    "get_global_id(2)",
    "get_local_id(0)",
    "get_local_id(1)",
    "get_local_id(2)",
    "get_group_id(0)",
    "get_group_id(1)",
    "get_group_id(2)",
    "get_local_size(0)",
    "get_local_size(1)",
    "get_local_size(2)",
    "get_enqueued_local_size(0)",
    "get_enqueued_local_size(1)",
    "get_enqueued_local_size(2)",
    "get_num_groups(0)",
    "get_num_groups(1)",
    "get_num_groups(2)",
    "get_global_size(0)",
    "get_global_size(1)",
    "get_global_size(2)",
    "get_global_offset(0)",
    "get_global_offset(1)",
    "get_global_offset(2)",
    "get_work_dim()",
    "get_global_linear_id()",
    "get_local_linear_id()",
    "get_sub_group_size()",
    "get_max_sub_group_size()",
    "get_num_sub_groups()",
    "get_enqueued_num_sub_groups()",
    "get_sub_group_id()",
    "get_sub_group_local_id()",
};
enum { FIELDS = sizeof fields / sizeof fields[0] };

static const char source[] =
    "#define ALL(f) f(0), f(1), f(2)\n"
    "void record(global uint *out) {\n"
    "  uint at = ((get_global_id(2) - get_global_offset(2)) * get_global_size(1) + get_global_id(1) - "
    "get_global_offset(1))\n"
    "            * get_global_size(0) + get_global_id(0) - get_global_offset(0);\n"
    "  const uint v[] = {ALL(get_global_id), ALL(get_local_id), ALL(get_group_id), ALL(get_local_size),\n"
    "    ALL(get_enqueued_local_size), ALL(get_num_groups), ALL(get_global_size), ALL(get_global_offset), "
    "get_work_dim(),\n"
    "    get_global_linear_id(), get_local_linear_id(), get_sub_group_size(), get_max_sub_group_size(),\n"
    "    get_num_sub_groups(), get_enqueued_num_sub_groups(), get_sub_group_id(), get_sub_group_local_id()};\n"
    "  out += at * FIELDS;\n"
    "  out[0]++;\n"
    "  for (uint i = 0; i < FIELDS - 1; i++) out[i + 1] = v[i];\n"
    "}\n"
    "kernel void ids(global uint *out) { record(out); }\n"
    "#define IDS(n) __attribute__((intel_reqd_sub_group_size(n))) kernel void ids_##n(global uint *out) { record(out); "
    "}\n"
    "IDS(1)\n"
    "#if LANES >= 2\nIDS(2)\n#endif\n"
    "#if LANES >= 4\nIDS(4)\n#endif\n"
    "#if LANES >= 8\nIDS(8)\n#endif\n"
    "#if LANES >= 16\nIDS(16)\n#endif\n"
    "#if LANES >= 32\nIDS(32)\n#endif\n";

static cl_program ids_program(void) {
  char options[100];
  snprintf(options, sizeof options, "-cl-std=CL3.0 -DFIELDS=%d -DLANES=%u", FIELDS, harness()->lanes);
  return build(source, options);
}

static void expected_fields(const struct ndrange *range, const struct work_item *item, uint32_t *v) {
  *v++ = 1;
  for (int d = 0; d < 3; d++)
    *v++ = (uint32_t)item->global_id[d];
  for (int d = 0; d < 3; d++)
    *v++ = (uint32_t)item->local_id[d];
  for (int d = 0; d < 3; d++)
    *v++ = (uint32_t)item->group_id[d];
  for (int d = 0; d < 3; d++)
    *v++ = (uint32_t)item->local_size[d];
  const int dim = (int)range->dim;
  for (int d = 0; d < 3; d++)
    *v++ = d < dim ? (uint32_t)range->local[d] : 1;
  for (int d = 0; d < 3; d++)
    *v++ = (uint32_t)item->num_groups[d];
  for (int d = 0; d < 3; d++)
    *v++ = d < dim ? (uint32_t)range->global[d] : 1;
  for (int d = 0; d < 3; d++)
    *v++ = d < dim ? (uint32_t)range->offset[d] : 0;
  *v++ = range->dim;
  *v++ = (uint32_t)item->global_linear_id;
  *v++ = (uint32_t)item->local_linear_id;
  *v++ = item->sub_group_size;
  *v++ = item->max_sub_group_size;
  *v++ = item->num_sub_groups;
  *v++ = item->enqueued_num_sub_groups;
  *v++ = item->sub_group_id;
  *v++ = item->sub_group_local_id;
}

static void text_of(char *text, size_t bytes, unsigned dim, const size_t *v) {
  int used = snprintf(text, bytes, "%zu", v[0]);
  for (unsigned d = 1; d < dim; d++)
    used += snprintf(text + used, bytes - (size_t)used, ",%zu", v[d]);
}

static void check_range(cl_kernel kernel, uint32_t sub_group_size, const struct ndrange *range) {
  size_t count;
  struct work_item *items = reference_items(range, sub_group_size, &count);
  uint32_t *out = allocate(count * FIELDS * 4);
  cl_mem buffer = buffer_with(NULL, count * FIELDS * 4);
  set_args(kernel, ARG(buffer), END_ARGS);
  run(kernel, range->dim, range->offset, range->global, range->local);
  read_buffer(buffer, out, count * FIELDS * 4);
  for (size_t i = 0; i < count; i++) {
    uint32_t expected[FIELDS];
    expected_fields(range, &items[i], expected);
    const uint32_t *got = out + items[i].global_linear_id * FIELDS;
    for (int f = 0; f < FIELDS; f++) {
      if (got[f] == expected[f])
        continue;
      char global[80], local[80], offset[80], id[80];
      text_of(global, sizeof global, range->dim, range->global);
      text_of(local, sizeof local, range->dim, range->local);
      text_of(offset, sizeof offset, range->dim, range->offset);
      text_of(id, sizeof id, range->dim, items[i].global_id);
      fail("%s: expected %u, got %u, in the work-item of global id %s of the range global %s, local %s, offset %s",
           fields[f], expected[f], got[f], id, global, local, offset);
    }
  }
  clReleaseMemObject(buffer);
  free(items);
  free(out);
}

static void check_ranges(const struct ndrange *ranges, size_t count) {
  cl_program program = ids_program();
  struct {
    const char *name;
    uint32_t size;
  } kernels[] = {{"ids", harness()->lanes}, {"ids_1", 1}, {"ids_4", 4}};
  for (size_t k = 0; k < 3; k++) {
    if (kernels[k].size > harness()->lanes)
      continue;
    cl_kernel kernel = kernel_of(program, kernels[k].name);
    for (size_t i = 0; i < count; i++) {
      size_t items = 1;
      for (unsigned d = 0; d < ranges[i].dim; d++)
        items *= ranges[i].local[d];
      if (items <= work_group_limit(kernel))
        check_range(kernel, kernels[k].size, &ranges[i]);
    }
  }
}
#define CHECK_RANGES(...)                                   \
  do {                                                      \
    const struct ndrange ranges[] = {__VA_ARGS__};          \
    check_ranges(ranges, sizeof ranges / sizeof ranges[0]); \
  } while (0)

Test(ndrange, one_dimension_whole_groups) {
  CHECK_RANGES({1, {1}, {0}, {1}}, {1, {64}, {0}, {8}}, {1, {48}, {0}, {16}}, {1, {21}, {0}, {7}});
}

Test(ndrange, one_dimension_offset_and_remainder) {
  CHECK_RANGES({1, {100}, {5}, {16}}, {1, {3}, {1000000}, {8}}, {1, {33}, {7}, {32}}, {1, {7}, {0}, {3}});
}

Test(ndrange, two_dimensions_four_work_group_sizes) {
  // 10 = 2*4 + 2, 7 = 2*3 + 1: work-groups of 4x3, 2x3, 4x1 and 2x1
  CHECK_RANGES({2, {10, 7}, {3, 11}, {4, 3}}, {2, {10, 7}, {0, 0}, {4, 3}}, {2, {8, 6}, {1, 0}, {4, 2}},
               {2, {1, 9}, {0, 2}, {1, 4}}, {2, {9, 1}, {0, 0}, {16, 1}});
}

Test(ndrange, three_dimensions_eight_work_group_sizes) {
  // 7 = 2*3 + 1, 5 = 2*2 + 1, 3 = 2 + 1: eight sizes from 3x2x2 to 1x1x1
  CHECK_RANGES({3, {7, 5, 3}, {0, 0, 0}, {3, 2, 2}}, {3, {7, 5, 3}, {2, 30, 400}, {3, 2, 2}},
               {3, {4, 4, 4}, {0, 1, 0}, {2, 2, 2}}, {3, {1, 1, 5}, {9, 8, 7}, {1, 1, 2}});
}

// The sub-group functions above all: full sub-groups and smaller last ones, work-groups of four sizes.
Test(ndrange, every_sub_group_size) {
  cl_program program = ids_program();
  for (uint32_t size = 1; size <= harness()->lanes; size *= 2) {
    char name[16];
    snprintf(name, sizeof name, "ids_%u", size);
    cl_kernel kernel = kernel_of(program, name);
    const size_t row = (size + 1) / 2 + 1;  // rows that sub-groups do not end with
    const struct ndrange ranges[] = {{1, {4 * size}, {0}, {2 * size}}, {2, {2 * row + 1, 5}, {3, 0}, {row, 3}}};
    for (size_t i = 0; i < 2; i++)
      if (ranges[i].local[0] * (i == 0 ? 1 : ranges[i].local[1]) <= work_group_limit(kernel))
        check_range(kernel, size, &ranges[i]);
  }
}

Test(ndrange, largest_work_group) {
  const size_t limit = work_group_limit(kernel_of(ids_program(), "ids"));
  CHECK_RANGES({1, {limit + 1}, {0}, {limit}}, {3, {1, 1, limit}, {0, 0, 3}, {1, 1, limit}});
}

Test(ndrange, random_ranges) {
  cl_program program = ids_program();
  cl_kernel kernel = kernel_of(program, "ids");
  const size_t limit = work_group_limit(kernel);
  uint32_t state = 4711;
  const int rounds = harness()->is_long ? 200 : harness()->is_rtl ? 6 : 30;
  for (int round = 0; round < rounds; round++) {
    struct ndrange range = {.dim = 1 + random_u32(&state) % 3};
    do
      for (unsigned d = 0; d < range.dim; d++) {
        range.local[d] = 1 + random_u32(&state) % (range.dim == 1 ? 40 : 9);
        range.global[d] = 1 + random_u32(&state) % (range.dim == 1 ? 200 : range.dim == 2 ? 20 : 8);
        range.offset[d] = random_u32(&state) % 1000;
      }
    while (range.local[0] * (range.dim > 1 ? range.local[1] : 1) * (range.dim > 2 ? range.local[2] : 1) > limit);
    check_range(kernel, harness()->lanes, &range);
  }
}

// The library may choose any work-group size, but then the ids must fit that size.
Test(ndrange, local_size_left_to_the_library) {
  cl_kernel kernel = kernel_of(ids_program(), "ids");
  struct ndrange range = {2, {12, 5}, {4, 0}, {0, 0}};
  cl_mem buffer = buffer_with(NULL, 60 * FIELDS * 4);
  set_args(kernel, ARG(buffer), END_ARGS);
  run(kernel, range.dim, range.offset, range.global, NULL);
  uint32_t out[60 * FIELDS];
  read_buffer(buffer, out, sizeof out);
  range.local[0] = out[13];
  range.local[1] = out[14];
  if (range.local[0] == 0 || range.local[1] == 0 || range.local[0] * range.local[1] > work_group_limit(kernel))
    fail("get_enqueued_local_size: the library chose %zu x %zu; a work-group has 1 to %zu work-items", range.local[0],
         range.local[1], work_group_limit(kernel));
  check_range(kernel, harness()->lanes, &range);
}

// As many work-items as fill one sub-group of each compute unit: none is left idle.
Test(ndrange, small_range_reaches_every_compute_unit) {
  const size_t global = (size_t)harness()->lanes * harness()->units;
  cl_kernel kernel = kernel_of(build("kernel void groups(global uint *out) {\n"
                                     "  out[get_global_id(0)] = get_num_groups(0);\n}\n",
                                     NULL),
                               "groups");
  cl_mem buffer = buffer_with(NULL, global * 4);
  set_args(kernel, ARG(buffer), END_ARGS);
  run(kernel, 1, NULL, &global, NULL);
  uint32_t groups = 0;
  read_buffer(buffer, &groups, sizeof groups);
  if (groups != harness()->units)
    fail("%zu work-items: expected a work-group for each of %u compute units, got %u", global, harness()->units,
         groups);
}

Test(ndrange, dimensions_that_do_not_exist) {
  cl_program program = build(
      "kernel void beyond(global uint *out, uint d) {\n"
      "  if (get_global_id(0) != 9) return;\n"
      "  out[0] = get_global_id(d); out[1] = get_local_id(d); out[2] = get_group_id(d); out[3] = "
      "get_global_offset(d);\n"
      "  out[4] = get_global_size(d); out[5] = get_local_size(d); out[6] = get_num_groups(d);\n"
      "  out[7] = get_enqueued_local_size(d);\n}\n",
      "-cl-std=CL3.0");
  cl_kernel kernel = kernel_of(program, "beyond");
  static const uint32_t expected[8] = {0, 0, 0, 0, 1, 1, 1, 1};
  for (cl_uint d = 1; d < 5; d++) {
    cl_mem buffer = buffer_with(NULL, sizeof expected);
    set_args(kernel, ARG(buffer), ARG(d), END_ARGS);
    run(kernel, 1, (const size_t[]){5}, (const size_t[]){8}, (const size_t[]){4});
    uint32_t got[8];
    read_buffer(buffer, got, sizeof got);
    expect_u32("ids (0) and sizes (1) of a dimension that the range has not", expected, got, 8);
  }
}

Test(ndrange, empty_range_runs_nothing_and_completes) {
  cl_kernel kernel = kernel_of(ids_program(), "ids");
  uint32_t word = 77;
  cl_mem buffer = buffer_with(&word, sizeof word);
  set_args(kernel, ARG(buffer), END_ARGS);
  run(kernel, 2, NULL, (const size_t[]){0, 4}, NULL);
  read_buffer(buffer, &word, sizeof word);
  if (word != 77)
    fail("a range of 0 x 4 work-items: expected memory untouched (77), got %u", word);
}

// ---- errors of clEnqueueNDRangeKernel

static cl_int enqueue(cl_kernel kernel, cl_uint dim, const size_t *global, const size_t *local) {
  return clEnqueueNDRangeKernel(harness()->queue, kernel, dim, NULL, global, local, 0, NULL, NULL);
}

Test(ndrange, enqueue_errors) {
  cl_program program = build(
      "kernel void plain(global uint *out) { out[get_global_linear_id()] = 1; }\n"
      "__attribute__((reqd_work_group_size(4, 1, 1))) kernel void four(global uint *out) { out[get_global_linear_id()] "
      "= 1; }\n",
      "-cl-std=CL3.0");
  cl_kernel kernel = kernel_of(program, "plain"), four = kernel_of(program, "four");
  const size_t g[3] = {8, 8, 8}, one[3] = {1, 1, 1}, none[3] = {0, 1, 1};
  const size_t too_many[1] = {harness()->max_work_group_size + 1}, wide[1] = {harness()->max_work_group_size * 2};
  EXPECT_CODE(CL_INVALID_KERNEL_ARGS, enqueue(kernel, 1, g, one));
  cl_mem buffer = buffer_with(NULL, 8 * 8 * 8 * 4);
  set_args(kernel, ARG(buffer), END_ARGS);
  set_args(four, ARG(buffer), END_ARGS);
  EXPECT_CODE(CL_INVALID_WORK_DIMENSION, enqueue(kernel, 0, g, one));
  EXPECT_CODE(CL_INVALID_WORK_DIMENSION, enqueue(kernel, 4, g, one));
  EXPECT_CODE(CL_INVALID_KERNEL, enqueue(NULL, 1, g, one));
  EXPECT_CODE(CL_INVALID_COMMAND_QUEUE, clEnqueueNDRangeKernel(NULL, kernel, 1, NULL, g, one, 0, NULL, NULL));
  cl_int error = enqueue(kernel, 1, g, none);
  if (error != CL_INVALID_WORK_GROUP_SIZE && error != CL_INVALID_WORK_ITEM_SIZE)
    fail("local size 0: expected CL_INVALID_WORK_GROUP_SIZE or CL_INVALID_WORK_ITEM_SIZE, got %s", error_name(error));
  error = enqueue(kernel, 1, wide, too_many);
  if (error != CL_INVALID_WORK_GROUP_SIZE && error != CL_INVALID_WORK_ITEM_SIZE)
    fail("work-group too large: expected CL_INVALID_WORK_GROUP_SIZE or CL_INVALID_WORK_ITEM_SIZE, got %s",
         error_name(error));
  EXPECT_CODE(CL_INVALID_WORK_GROUP_SIZE, enqueue(four, 1, g, (const size_t[]){2}));
  EXPECT_CODE(CL_INVALID_EVENT_WAIT_LIST,
              clEnqueueNDRangeKernel(harness()->queue, kernel, 1, NULL, g, one, 1, NULL, NULL));
  EXPECT_SUCCESS(enqueue(four, 1, g, (const size_t[]){4}));
  EXPECT_SUCCESS(clFinish(harness()->queue));
}

// A required size is of three dimensions, and those that a launch leaves out are 1 (OpenCL API 3.0,
// clEnqueueNDRangeKernel): where more is required there, the launch is refused, with a local size or NULL.
Test(ndrange, required_size_in_dimensions_that_a_launch_leaves_out) {
  static const struct {
    size_t required[3];
    struct {
      cl_uint dim;
      size_t local[3];  // 0: NULL
      bool is_right;
    } launches[10];
  } cases[] = {
      {{4, 1, 1},
       {{1, {4}, true},
        {1, {0}, true},
        {1, {2}, false},
        {2, {4, 1}, true},
        {2, {0}, true},
        {2, {4, 2}, false},
        {3, {4, 1, 1}, true},
        {3, {4, 1, 2}, false},
        {3, {0}, true},
        {1, {1}, false}}},
      {{4, 2, 1},
       {{1, {4}, false},
        {1, {8}, false},
        {1, {0}, false},
        {2, {4, 2}, true},
        {2, {0}, true},
        {2, {2, 4}, false},
        {2, {4, 1}, false},
        {3, {4, 2, 1}, true},
        {3, {4, 2, 2}, false},
        {3, {0}, true}}},
      {{1, 1, 4},
       {{1, {1}, false},
        {1, {4}, false},
        {1, {0}, false},
        {2, {1, 1}, false},
        {2, {1, 4}, false},
        {2, {0}, false},
        {3, {1, 1, 4}, true},
        {3, {0}, true},
        {3, {4, 1, 1}, false},
        {3, {1, 1, 1}, false}}},
      {{1, 2, 2},
       {{1, {1}, false},
        {1, {0}, false},
        {2, {1, 2}, false},
        {2, {0}, false},
        {3, {1, 2, 2}, true},
        {3, {0}, true},
        {3, {1, 2, 1}, false},
        {3, {1, 1, 2}, false},
        {3, {2, 2, 1}, false},
        {1, {4}, false}}},
  };
  enum { PER_DIMENSION = 8, ITEMS = PER_DIMENSION * PER_DIMENSION * PER_DIMENSION };
  const size_t global[3] = {PER_DIMENSION, PER_DIMENSION, PER_DIMENSION};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[512];
    const size_t *required = cases[i].required;
    snprintf(text, sizeof text,
             "__attribute__((reqd_work_group_size(%zu, %zu, %zu))) kernel void k(global uint *out) {\n"
             "  out[get_global_linear_id()] = get_local_size(0) + 100 * get_local_size(1) + 10000 * get_local_size(2); "
             "}\n",
             required[0], required[1], required[2]);
    cl_kernel kernel = kernel_of(build(text, "-cl-std=CL3.0"), "k");
    const uint32_t expected = (uint32_t)(required[0] + 100 * required[1] + 10000 * required[2]);
    for (int k = 0; k < 10; k++) {
      const cl_uint dim = cases[i].launches[k].dim;
      const size_t *local = cases[i].launches[k].local, *given = local[0] == 0 ? NULL : local;
      cl_mem buffer = buffer_with(NULL, ITEMS * 4);
      set_args(kernel, ARG(buffer), END_ARGS);
      const cl_int error = enqueue(kernel, dim, global, given),
                   right = cases[i].launches[k].is_right ? CL_SUCCESS : CL_INVALID_WORK_GROUP_SIZE;
      if (error != right)
        fail("%zu x %zu x %zu is required, launched in %u dimensions with %s%zu x %zu x %zu: expected %s, got %s",
             required[0], required[1], required[2], dim, given ? "" : "NULL, not ", local[0], local[1], local[2],
             error_name(right), error_name(error));
      uint32_t got[ITEMS];
      const size_t items = dim == 1 ? PER_DIMENSION : dim == 2 ? PER_DIMENSION * PER_DIMENSION : ITEMS;
      read_buffer(buffer, got, sizeof got);
      for (size_t at = 0; at < ITEMS; at++)
        if (got[at] != (error == CL_SUCCESS && at < items ? expected : 0))
          fail("work-item %zu of %zu: expected local sizes %u, got %u", at, items, expected, got[at]);
      EXPECT_SUCCESS(clReleaseMemObject(buffer));
    }
  }
}
