// SPDX-License-Identifier: Apache-2.0
// clGetKernelSubGroupInfo and clGetKernelSubGroupInfoKHR: each error of the text, and values that agree with what the
// kernel itself sees.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/opencl/harness.h"

typedef cl_int query_function(cl_kernel, cl_device_id, cl_uint, size_t, const void *, size_t, void *, size_t *);

static cl_int core_query(cl_kernel kernel, cl_device_id device, cl_uint name, size_t input_size, const void *input,
                         size_t size, void *value, size_t *size_ret) {
  return clGetKernelSubGroupInfo(kernel, device, name, input_size, input, size, value, size_ret);
}

// The KHR entry as an application gets it: by its name.
static query_function *khr_query(void) {
  void *address = clGetExtensionFunctionAddressForPlatform(harness()->platform, "clGetKernelSubGroupInfoKHR");
  if (!address)
    fail("clGetExtensionFunctionAddressForPlatform(\"clGetKernelSubGroupInfoKHR\"): expected a function, got NULL");
  return (query_function *)(uintptr_t)address;
}

static const char source[] =
    "kernel void plain(global uint *out) {\n"
    "  if (get_global_linear_id() == 0) { out[0] = get_max_sub_group_size(); out[1] = get_enqueued_num_sub_groups(); "
    "}\n}\n"
    "__attribute__((intel_reqd_sub_group_size(1))) kernel void one(global uint *out) {\n"
    "  if (get_global_linear_id() == 0) { out[0] = get_max_sub_group_size(); out[1] = get_enqueued_num_sub_groups(); "
    "}\n}\n";

static cl_kernel plain_kernel(void) {
  return kernel_of(build(source, "-cl-std=CL3.0"), "plain");
}

static void check_errors(query_function *query, cl_uint max_size, cl_uint count) {
  struct harness *h = harness();
  cl_program program = build(source, "-cl-std=CL3.0");
  cl_kernel kernel = kernel_of(program, "plain");
  const size_t local[4] = {4, 1, 1, 1};
  size_t value = 0, size_ret = 0;
  cl_platform_id platform;
  cl_device_id sim, model;
  heddle_devices(&platform, &sim, &model);
  cl_device_id other = h->is_rtl ? model : sim;

  const cl_uint names[] = {max_size, count};
  for (int n = 0; n < 2; n++) {
    const cl_uint name = names[n];
    EXPECT_CODE(CL_INVALID_KERNEL, query(NULL, h->device, name, 8, local, 8, &value, NULL));
    EXPECT_CODE(CL_INVALID_KERNEL, query((cl_kernel)(void *)program, h->device, name, 8, local, 8, &value, NULL));
    EXPECT_CODE(CL_INVALID_DEVICE, query(kernel, other, name, 8, local, 8, &value, NULL));
    EXPECT_CODE(CL_INVALID_DEVICE, query(kernel, (cl_device_id)(void *)program, name, 8, local, 8, &value, NULL));
    // param_value_size below the size of the return type, with a param_value
    EXPECT_CODE(CL_INVALID_VALUE, query(kernel, h->device, name, 8, local, 7, &value, NULL));
    EXPECT_CODE(CL_INVALID_VALUE, query(kernel, h->device, name, 8, local, 0, &value, NULL));
    // input_value_size that is no 1, 2 or 3 dimensions
    EXPECT_CODE(CL_INVALID_VALUE, query(kernel, h->device, name, 0, local, 8, &value, NULL));
    EXPECT_CODE(CL_INVALID_VALUE, query(kernel, h->device, name, 7, local, 8, &value, NULL));
    EXPECT_CODE(CL_INVALID_VALUE, query(kernel, h->device, name, 12, local, 8, &value, NULL));
    EXPECT_CODE(CL_INVALID_VALUE, query(kernel, h->device, name, 32, local, 8, &value, NULL));
    EXPECT_CODE(CL_INVALID_VALUE, query(kernel, h->device, name, 8, NULL, 8, &value, NULL));
    // and what is allowed: one device needs no naming, no value, no size
    EXPECT_SUCCESS(query(kernel, NULL, name, 8, local, 8, &value, NULL));
    EXPECT_SUCCESS(query(kernel, h->device, name, 24, local, 0, NULL, &size_ret));
    if (size_ret != sizeof(size_t))
      fail("param_value_size_ret: expected %zu, got %zu", sizeof(size_t), size_ret);
    EXPECT_SUCCESS(query(kernel, h->device, name, 16, local, 64, &value, NULL));
  }
  EXPECT_CODE(CL_INVALID_VALUE, query(kernel, h->device, 0x1, 8, local, 8, &value, NULL));
  EXPECT_CODE(CL_INVALID_VALUE, query(kernel, h->device, CL_KERNEL_FUNCTION_NAME, 8, local, 8, &value, NULL));
}

Test(sub_group_info, errors_of_the_core_function) {
  check_errors(core_query, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE);
}

Test(sub_group_info, errors_of_the_khr_function) {
  check_errors(khr_query(), CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE_KHR, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE_KHR);
}

// With two devices in the kernel's context, NULL does not say which.
Test(sub_group_info, null_device_of_two_is_invalid) {
  cl_platform_id platform;
  cl_device_id devices[2];
  heddle_devices(&platform, &devices[0], &devices[1]);
  query_function *khr = khr_query();
  cl_int error;
  cl_context context = clCreateContext(NULL, 2, devices, NULL, NULL, &error);
  EXPECT_SUCCESS(error);
  const char *text = source;
  cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
  EXPECT_SUCCESS(error);
  EXPECT_SUCCESS(clBuildProgram(program, 0, NULL, "-cl-std=CL3.0", NULL, NULL));
  cl_kernel kernel = kernel_of(program, "plain");
  const size_t local = 4;
  size_t value = 0;
  EXPECT_CODE(CL_INVALID_DEVICE,
              core_query(kernel, NULL, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, 8, &local, 8, &value, NULL));
  EXPECT_CODE(CL_INVALID_DEVICE,
              khr(kernel, NULL, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE_KHR, 8, &local, 8, &value, NULL));
  for (int i = 0; i < 2; i++) {
    EXPECT_SUCCESS(
        core_query(kernel, devices[i], CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, 8, &local, 8, &value, NULL));
    EXPECT_SUCCESS(khr(kernel, devices[i], CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE_KHR, 8, &local, 8, &value, NULL));
  }
}

Test(sub_group_info, values_agree_with_the_kernel) {
  static const size_t locals[][3] = {{1, 1, 1}, {3, 1, 1}, {8, 1, 1},  {9, 1, 1},
                                     {4, 3, 1}, {2, 3, 2}, {31, 1, 1}, {5, 5, 1}};
  struct harness *h = harness();
  query_function *queries[2] = {core_query, khr_query()};
  cl_program program = build(source, "-cl-std=CL3.0");
  for (int k = 0; k < 2; k++) {
    cl_kernel kernel = kernel_of(program, k ? "one" : "plain");
    const size_t size = k ? 1 : h->lanes;
    for (size_t i = 0; i < sizeof locals / sizeof locals[0]; i++) {
      const size_t *local = locals[i], items = local[0] * local[1] * local[2];
      if (items > work_group_limit(kernel))
        continue;
      const cl_uint dim = local[2] > 1 ? 3 : local[1] > 1 ? 2 : 1;
      cl_mem out = buffer_with(NULL, 8);
      set_args(kernel, ARG(out), END_ARGS);
      run(kernel, dim, NULL, local, local);
      uint32_t seen[2];
      read_buffer(out, seen, sizeof seen);
      if (seen[0] != size)
        fail("get_max_sub_group_size(): expected %zu, got %u", size, seen[0]);
      if (seen[1] != (items + size - 1) / size)
        fail("get_enqueued_num_sub_groups() of %zu work-items: expected %zu, got %u", items, (items + size - 1) / size,
             seen[1]);
      for (int q = 0; q < 2; q++) {
        size_t value = 0;
        EXPECT_SUCCESS(queries[q](kernel, h->device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE_KHR, dim * sizeof(size_t),
                                  local, sizeof value, &value, NULL));
        if (value != seen[0])
          fail("MAX_SUB_GROUP_SIZE_FOR_NDRANGE of %zu work-items: the kernel saw %u, the query says %zu", items,
               seen[0], value);
        EXPECT_SUCCESS(queries[q](kernel, h->device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE_KHR, dim * sizeof(size_t),
                                  local, sizeof value, &value, NULL));
        if (value != seen[1])
          fail("SUB_GROUP_COUNT_FOR_NDRANGE of %zu work-items: the kernel saw %u, the query says %zu", items, seen[1],
               value);
      }
    }
  }
}

Test(sub_group_info, local_size_for_a_count_has_that_count) {
  struct harness *h = harness();
  cl_kernel kernel = plain_kernel();
  size_t most = 0, compiled = 99;
  EXPECT_SUCCESS(core_query(kernel, h->device, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL, sizeof most, &most, NULL));
  if (most < 1)
    fail("CL_KERNEL_MAX_NUM_SUB_GROUPS: expected 1 or more, got %zu", most);
  EXPECT_SUCCESS(
      core_query(kernel, h->device, CL_KERNEL_COMPILE_NUM_SUB_GROUPS, 0, NULL, sizeof compiled, &compiled, NULL));
  if (compiled != 0)
    fail("CL_KERNEL_COMPILE_NUM_SUB_GROUPS of a kernel that asks for none: expected 0, got %zu", compiled);
  for (size_t count = 1; count <= most; count++) {
    size_t local[3] = {0, 0, 0}, value = 0;
    EXPECT_SUCCESS(core_query(kernel, h->device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, sizeof count, &count,
                              sizeof local, local, NULL));
    if (local[0] * local[1] * local[2] == 0)
      fail("a local size for %zu of at most %zu sub-groups: expected one, got none", count, most);
    EXPECT_SUCCESS(core_query(kernel, h->device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, sizeof local, local,
                              sizeof value, &value, NULL));
    if (value != count)
      fail("local size %zu x %zu x %zu for %zu sub-groups has %zu", local[0], local[1], local[2], count, value);
  }
  const size_t beyond = most + 1;
  size_t local[3] = {9, 9, 9};
  EXPECT_SUCCESS(core_query(kernel, h->device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, sizeof beyond, &beyond,
                            sizeof local, local, NULL));
  if (local[0] || local[1] || local[2])
    fail("local size for more sub-groups than fit: expected 0,0,0, got %zu,%zu,%zu", local[0], local[1], local[2]);
  EXPECT_CODE(CL_INVALID_VALUE, core_query(kernel, h->device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, 4, &beyond,
                                           sizeof local, local, NULL));
  EXPECT_CODE(CL_INVALID_VALUE, core_query(kernel, h->device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, 8, NULL,
                                           sizeof local, local, NULL));
  EXPECT_CODE(CL_INVALID_VALUE, core_query(kernel, h->device, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL, 4, &most, NULL));
}

// The device says which sub-group sizes a kernel may ask for; each is got.
Test(sub_group_info, device_queries) {
  struct harness *h = harness();
  cl_uint most = 0;
  EXPECT_SUCCESS(clGetDeviceInfo(h->device, CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof most, &most, NULL));
  if (most < 1)
    fail("CL_DEVICE_MAX_NUM_SUB_GROUPS: expected 1 or more, got %u", most);
  char extensions[2048] = "";
  EXPECT_SUCCESS(clGetDeviceInfo(h->device, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL));
  if (!strstr(extensions, "cl_khr_subgroups"))
    fail("CL_DEVICE_EXTENSIONS: expected cl_khr_subgroups, got \"%s\"", extensions);
  if (!strstr(extensions, "cl_intel_required_subgroup_size"))
    return;
  size_t sizes[16], bytes = 0;
  EXPECT_SUCCESS(clGetDeviceInfo(h->device, CL_DEVICE_SUB_GROUP_SIZES_INTEL, sizeof sizes, sizes, &bytes));
  size_t expected = 0;
  for (size_t s = 1; s <= h->lanes; s *= 2)
    expected++;
  if (bytes != expected * sizeof(size_t))
    fail("CL_DEVICE_SUB_GROUP_SIZES_INTEL: expected %zu sizes, got %zu", expected, bytes / sizeof(size_t));
  cl_program program = build(source, "-cl-std=CL3.0");
  size_t required = 99;
  EXPECT_SUCCESS(clGetKernelSubGroupInfo(kernel_of(program, "one"), h->device, CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL,
                                         0, NULL, sizeof required, &required, NULL));
  if (required != 1)
    fail("CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL: expected 1, got %zu", required);
}

// ---- cl_intel_required_subgroup_size

static cl_kernel kernel_of_size(uint32_t size) {
  char options[100];
  snprintf(options, sizeof options, "-cl-std=CL3.0 -DSIZE=%u", size);
  return kernel_of(build("__attribute__((intel_reqd_sub_group_size(SIZE))) kernel void k(global uint *out) {\n"
                         "  size_t i = get_global_id(0);\n"
                         "  out[2 * i] = get_max_sub_group_size(); out[2 * i + 1] = get_sub_group_size();\n}\n",
                         options),
                   "k");
}

static size_t sizes_of_device(size_t *sizes, size_t most) {
  size_t bytes = 0;
  EXPECT_SUCCESS(
      clGetDeviceInfo(harness()->device, CL_DEVICE_SUB_GROUP_SIZES_INTEL, most * sizeof *sizes, sizes, &bytes));
  return bytes / sizeof *sizes;
}

static void expect_size(const char *what, size_t size, size_t expected, size_t got) {
  if (expected != got)
    fail("%s of a kernel that requires sub-groups of %zu: expected %zu, got %zu", what, size, expected, got);
}

// What the queries say of a kernel that requires sub-groups of a size the device lists.
static void check_queries(cl_kernel kernel, size_t size) {
  struct harness *h = harness();
  char attributes[200] = "", expected[64];
  size_t value = 0;
  EXPECT_SUCCESS(
      core_query(kernel, h->device, CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, 0, NULL, sizeof value, &value, NULL));
  expect_size("CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL", size, size, value);
  EXPECT_SUCCESS(
      khr_query()(kernel, h->device, CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, 0, NULL, sizeof value, &value, NULL));
  expect_size("CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL by the KHR function", size, size, value);
  EXPECT_SUCCESS(core_query(kernel, h->device, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL, sizeof value, &value, NULL));
  expect_size("CL_KERNEL_MAX_NUM_SUB_GROUPS", size, h->slots, value);
  EXPECT_SUCCESS(clGetKernelWorkGroupInfo(kernel, h->device, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, sizeof value,
                                          &value, NULL));
  expect_size("CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE", size, size, value);
  expect_size("CL_KERNEL_WORK_GROUP_SIZE", size, size * h->slots, work_group_limit(kernel));
  EXPECT_SUCCESS(clGetKernelInfo(kernel, CL_KERNEL_ATTRIBUTES, sizeof attributes, attributes, NULL));
  snprintf(expected, sizeof expected, "intel_reqd_sub_group_size(%zu)", size);
  if (strcmp(attributes, expected) != 0)
    fail("CL_KERNEL_ATTRIBUTES: expected \"%s\", got \"%s\"", expected, attributes);
}

// local: NULL leaves the work-group size to the library.
static void check_sizes_seen(cl_kernel kernel, size_t size, size_t count, const size_t *local) {
  cl_mem out = buffer_with(NULL, count * 8);
  set_args(kernel, ARG(out), END_ARGS);
  run(kernel, 1, NULL, &count, local);
  uint32_t *seen = allocate(count * 8);
  read_buffer(out, seen, count * 8);
  for (size_t i = 0; i < count; i++) {
    expect_size("get_max_sub_group_size()", size, size, seen[2 * i]);
    if (local) {
      const size_t first = i % *local / size * size;  // in its work-group
      expect_size("get_sub_group_size()", size, first + size <= *local ? size : *local - first, seen[2 * i + 1]);
    }
  }
  free(seen);
  clReleaseMemObject(out);
}

Test(sub_group_info, required_size_is_kept) {
  size_t sizes[16];
  const size_t count = sizes_of_device(sizes, 16);
  for (size_t i = 0; i < count; i++) {
    const size_t size = sizes[i], limit = size * harness()->slots, beyond = limit + 1, partial = size + (size + 1) / 2;
    cl_kernel kernel = kernel_of_size((uint32_t)size);
    check_queries(kernel, size);
    check_sizes_seen(kernel, size, limit, &limit);
    check_sizes_seen(kernel, size, 2 * partial, &partial);
    check_sizes_seen(kernel, size, 2 * limit, NULL);
    // More sub-groups than there are places for.
    cl_mem out = buffer_with(NULL, beyond * 8);
    set_args(kernel, ARG(out), END_ARGS);
    EXPECT_CODE(CL_INVALID_WORK_GROUP_SIZE,
                clEnqueueNDRangeKernel(harness()->queue, kernel, 1, NULL, &beyond, &beyond, 0, NULL, NULL));
    clReleaseMemObject(out);
  }
  size_t none = 99;
  EXPECT_SUCCESS(core_query(plain_kernel(), harness()->device, CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, 0, NULL,
                            sizeof none, &none, NULL));
  if (none != 0)
    fail("CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL of a kernel that requires none: expected 0, got %zu", none);
}

// No power of two, or more lanes than the device has.
Test(sub_group_info, size_that_the_device_has_not_is_a_build_error) {
  struct harness *h = harness();
  const uint32_t sizes[] = {0, 3, 12, 2 * h->lanes, 64, 1000};
  const char *text =
      "__attribute__((intel_reqd_sub_group_size(SIZE))) kernel void wanting(global uint *out) { *out = 1; }\n";
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    char options[64], log[2000] = "";
    cl_int error;
    cl_program program = clCreateProgramWithSource(h->context, 1, &text, NULL, &error);
    EXPECT_SUCCESS(error);
    snprintf(options, sizeof options, "-DSIZE=%u", sizes[i]);
    EXPECT_CODE(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 1, &h->device, options, NULL, NULL));
    EXPECT_SUCCESS(clGetProgramBuildInfo(program, h->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    if (!strstr(log, "wanting"))
      fail("build log for sub-groups of %u: expected the kernel's name, got \"%s\"", sizes[i], log);
    clCreateKernel(program, "wanting", &error);
    EXPECT_CODE(CL_INVALID_PROGRAM_EXECUTABLE, error);
    clReleaseProgram(program);
  }
}

// The extension says no more than that the kernel fails. Its program has others.
Test(sub_group_info, kernels_beside_one_of_a_size_that_the_device_has_not_run) {
  struct harness *h = harness();
  const uint32_t sizes[] = {2 * h->lanes, 64, 1024, 1u << 20, 1u << 31};
  const char *text =
      "kernel void other(global uint *out) { out[get_global_id(0)] = get_global_id(0) + 7; }\n"
      "__attribute__((intel_reqd_sub_group_size(SIZE))) kernel void wanting(global uint *out) { *out = 1; }\n"
      "__attribute__((intel_reqd_sub_group_size(1))) kernel void single(global uint *out) {\n"
      "  out[get_global_id(0)] = get_max_sub_group_size();\n}\n";
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    char options[64], log[2000] = "";
    cl_int error;
    cl_program program = clCreateProgramWithSource(h->context, 1, &text, NULL, &error);
    EXPECT_SUCCESS(error);
    snprintf(options, sizeof options, "-DSIZE=%uu", sizes[i]);
    EXPECT_SUCCESS(clBuildProgram(program, 1, &h->device, options, NULL, NULL));
    EXPECT_SUCCESS(clGetProgramBuildInfo(program, h->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    if (!strstr(log, "Kernel wanting requires sub-groups of"))
      fail("build log for sub-groups of %u: expected what 'wanting' requires, got \"%s\"", sizes[i], log);
    static const char *const names[] = {"other", "single", "wanting"};
    const uint32_t expected[][4] = {{7, 8, 9, 10}, {1, 1, 1, 1}};
    for (int k = 0; k < 3; k++) {
      cl_kernel kernel = kernel_of(program, names[k]);
      const uint32_t zeros[4] = {0};
      cl_mem out = clCreateBuffer(h->context, CL_MEM_COPY_HOST_PTR, sizeof zeros, (void *)zeros, &error);
      EXPECT_SUCCESS(error);
      EXPECT_SUCCESS(clSetKernelArg(kernel, 0, sizeof out, &out));
      const size_t global = 4, local = 4;
      const cl_int code = clEnqueueNDRangeKernel(h->queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
      EXPECT_CODE(k == 2 ? CL_INVALID_PROGRAM_EXECUTABLE : CL_SUCCESS, code);
      if (k != 2) {
        uint32_t got[4];
        EXPECT_SUCCESS(clEnqueueReadBuffer(h->queue, out, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
        if (memcmp(got, expected[k], sizeof got) != 0)
          fail("%s beside sub-groups of %u: %u %u %u %u", names[k], sizes[i], got[0], got[1], got[2], got[3]);
      }
      clReleaseKernel(kernel);
      clReleaseMemObject(out);
    }
    clReleaseProgram(program);
  }
}

// 0 means that everything is in registers.
Test(sub_group_info, spill_memory_of_kernels) {
  struct harness *h = harness();
  static const char *const names[] = {"light", "heavy", "huge"};
  static const cl_ulong least[] = {0, 60, 20000};
  // Sixty values that are all there before the first of them is used; and an array of which any element may be asked
  // for.
  cl_program program = build(
      "kernel void light(global uint *p) { p[get_global_id(0)] *= 3; }\n"
      "kernel void heavy(global uint *p) {\n"
      "  uint v[60];\n"
      "  __attribute__((opencl_unroll_hint(60))) for (int i = 0; i < 60; i++) v[i] = p[i];\n"
      "  mem_fence(CLK_GLOBAL_MEM_FENCE);\n"
      "  __attribute__((opencl_unroll_hint(60))) for (int i = 0; i < 60; i++) p[i * 7] = v[59 - i] * v[i / 2];\n}\n"
      "kernel void huge(global uint *p) {\n"
      "  uint v[5000];\n"
      "  for (int i = 0; i < 5000; i++) v[i] = p[i & 63];\n"
      "  p[0] = v[p[1] % 5000];\n}\n",
      "-cl-std=CL3.0");
  for (int i = 0; i < 3; i++) {
    cl_kernel kernel = kernel_of(program, names[i]);
    cl_ulong bytes = 99;
    size_t size = 0;
    EXPECT_SUCCESS(
        clGetKernelWorkGroupInfo(kernel, h->device, CL_KERNEL_SPILL_MEM_SIZE_INTEL, sizeof bytes, &bytes, &size));
    if (size != sizeof bytes || (least[i] == 0 ? bytes != 0 : bytes < least[i]))
      fail("CL_KERNEL_SPILL_MEM_SIZE_INTEL of kernel %s: expected %s%u bytes, got %u, in %zu bytes", names[i],
           least[i] ? "at least " : "", (unsigned)least[i], (unsigned)bytes, size);
    EXPECT_CODE(CL_INVALID_VALUE,
                clGetKernelWorkGroupInfo(kernel, h->device, CL_KERNEL_SPILL_MEM_SIZE_INTEL, 4, &bytes, NULL));
  }
}
