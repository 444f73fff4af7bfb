// SPDX-License-Identifier: Apache-2.0
// cl_khr_kernel_clock: readings only grow, both forms read the same clock, what lies between two readings is measured,
// and each scope that the device reports is one clock.
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "host/include/CL/cl_heddle.h"
#include "tests/opencl/harness.h"

enum { READINGS = 36 };

// All six functions in turn, with nothing between them: a reading that were merged with the one before would equal it.
static const char source[] =
    "#define HILO(pair) ({ uint2 p = pair; upsample(p.y, p.x); })\n"
    "kernel void read(global ulong *out) {\n"
    "  ulong t[36];\n"
    "  for (int i = 0; i < 36; i += 6) {\n"
    "    t[i] = clock_read_device(); t[i + 1] = HILO(clock_read_hilo_device());\n"
    "    t[i + 2] = clock_read_work_group(); t[i + 3] = HILO(clock_read_hilo_work_group());\n"
    "    t[i + 4] = clock_read_sub_group(); t[i + 5] = HILO(clock_read_hilo_sub_group());\n"
    "  }\n"
    "  for (int i = 0; i < 36; i++) out[get_global_id(0) * 36 + i] = t[i];\n}\n";

static void check_grows(const uint64_t *readings, size_t item) {
  for (int i = 1; i < READINGS; i++)
    if (readings[i] <= readings[i - 1])
      fail("work-item %zu: reading %d is %" PRIu64 ", not later than the one before it, %" PRIu64, item, i, readings[i],
           readings[i - 1]);
}

Test(kernel_clock, readings_of_every_function_grow) {
  cl_kernel kernel = kernel_of(build(source, "-cl-std=CL3.0"), "read");
  const size_t local = 2 * harness()->lanes + 1, count = 2 * local;
  uint64_t *got = allocate(count * READINGS * 8), last = 0;
  cl_mem out = buffer_with(NULL, count * READINGS * 8);
  set_args(kernel, ARG(out), END_ARGS);
  // One clock for the whole device, which does not start anew with a dispatch.
  for (int round = 0; round < 2; round++) {
    run_1d(kernel, count, local);
    read_buffer(out, got, count * READINGS * 8);
    uint64_t first = UINT64_MAX, latest = 0;
    for (size_t i = 0; i < count; i++) {
      check_grows(got + i * READINGS, i);
      first = got[i * READINGS] < first ? got[i * READINGS] : first;
      latest = got[(i + 1) * READINGS - 1] > latest ? got[(i + 1) * READINGS - 1] : latest;
    }
    if (first <= last)
      fail("a second dispatch begins at %" PRIu64 ", the first one ended at %" PRIu64, first, last);
    last = latest;
  }
  free(got);
}

// Before a barrier is earlier than behind it, whoever reads.
Test(kernel_clock, work_groups_share_a_clock) {
  cl_kernel kernel = kernel_of(build("kernel void k(global ulong *before, global ulong *after) {\n"
                                     "  size_t i = get_global_id(0);\n"
                                     "  before[i] = clock_read_work_group();\n"
                                     "  barrier(CLK_GLOBAL_MEM_FENCE);\n"
                                     "  after[i] = clock_read_work_group();\n}\n",
                                     "-cl-std=CL3.0"),
                               "k");
  const size_t count = 4 * harness()->lanes;
  uint64_t *before = allocate(count * 8), *after = allocate(count * 8);
  cl_mem a = buffer_with(NULL, count * 8), b = buffer_with(NULL, count * 8);
  set_args(kernel, ARG(a), ARG(b), END_ARGS);
  run_1d(kernel, count, count);
  read_buffer(a, before, count * 8);
  read_buffer(b, after, count * 8);
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < count; j++)
      if (before[i] >= after[j])
        fail("work-item %zu read %" PRIu64 " before the barrier, work-item %zu %" PRIu64 " behind it", i, before[i], j,
             after[j]);
  free(before);
  free(after);
}

// A chain of n loads, each of the address that the last one brought, takes n cycles and more, and no longer than the
// whole dispatch did.
Test(kernel_clock, what_lies_between_two_readings_is_measured) {
  enum { MOST = 500 };
  cl_kernel kernel = kernel_of(build("kernel void k(global uint *p, global ulong *out, uint n) {\n"
                                     "  uint at = 0;\n"
                                     "  ulong start = clock_read_device();\n"
                                     "  for (uint i = 0; i < n; i++) at = p[at];\n"
                                     "  ulong end = clock_read_device();\n"
                                     "  out[0] = end - start;\n  p[0] = at;\n}\n",
                                     "-cl-std=CL3.0"),
                               "k");
  uint64_t before = 0;
  for (cl_uint n = 20; n <= MOST; n *= 5) {
    uint32_t chain[MOST + 1];
    for (uint32_t i = 0; i <= MOST; i++)
      chain[i] = i + 1;
    cl_mem p = buffer_with(chain, sizeof chain), out = buffer_with(NULL, 8);
    set_args(kernel, ARG(p), ARG(out), ARG(n), END_ARGS);
    cl_event event;
    const size_t one = 1;
    EXPECT_SUCCESS(clEnqueueNDRangeKernel(harness()->queue, kernel, 1, NULL, &one, &one, 0, NULL, &event));
    uint64_t took;
    cl_ulong whole = 0;
    read_buffer(out, &took, sizeof took);
    read_buffer(p, chain, sizeof chain);
    EXPECT_SUCCESS(clGetEventInfo(event, CL_EVENT_CYCLES_HEDDLE, sizeof whole, &whole, NULL));
    if (chain[0] != n)
      fail("end of a chain of %u loads: expected %u, got %u", n, n, chain[0]);
    if (took < n || took >= whole || took <= before)
      fail("%u loads took %" PRIu64 " cycles; expected at least one each, fewer than the dispatch (%" PRIu64
           ") and more than fewer loads (%" PRIu64 ")",
           n, took, whole, before);
    before = took;
  }
}

Test(kernel_clock, device_reports_the_scopes_that_kernels_have) {
  static const char *const versions[] = {"-cl-std=CL1.1", "-cl-std=CL1.2", "-cl-std=CL3.0"};
  struct harness *h = harness();
  cl_device_kernel_clock_capabilities_khr scopes = 0;
  EXPECT_SUCCESS(clGetDeviceInfo(h->device, CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR, sizeof scopes, &scopes, NULL));
  const cl_device_kernel_clock_capabilities_khr all = CL_DEVICE_KERNEL_CLOCK_SCOPE_DEVICE_KHR |
                                                      CL_DEVICE_KERNEL_CLOCK_SCOPE_WORK_GROUP_KHR |
                                                      CL_DEVICE_KERNEL_CLOCK_SCOPE_SUB_GROUP_KHR;
  if (scopes != all)
    fail("CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR: expected 0x%" PRIx64 ", got 0x%" PRIx64, all, scopes);
  for (size_t v = 0; v < sizeof versions / sizeof versions[0]; v++) {
    cl_kernel kernel = kernel_of(build("#if !defined(cl_khr_kernel_clock) || "
                                       "!defined(__opencl_c_kernel_clock_scope_device) || \\\n"
                                       "    !defined(__opencl_c_kernel_clock_scope_work_group) || "
                                       "!defined(__opencl_c_kernel_clock_scope_sub_group)\n"
                                       "#error a macro is missing\n"
                                       "#endif\n"
                                       "kernel void k(global ulong *out) {\n"
                                       "  out[0] = clock_read_device(); out[1] = clock_read_work_group(); out[2] = "
                                       "clock_read_sub_group();\n"
                                       "  out[3] = as_ulong(clock_read_hilo_device());\n"
                                       "  out[4] = as_ulong(clock_read_hilo_work_group());\n"
                                       "  out[5] = as_ulong(clock_read_hilo_sub_group());\n}\n",
                                       versions[v]),
                                 "k");
    uint64_t got[6] = {0};
    cl_mem out = buffer_with(NULL, sizeof got);
    set_args(kernel, ARG(out), END_ARGS);
    run_1d(kernel, 1, 1);
    read_buffer(out, got, sizeof got);
    for (int i = 1; i < 6; i++)
      if (got[i] <= got[i - 1])
        fail("%s: reading %d is %" PRIu64 ", not later than the one before it, %" PRIu64, versions[v], i, got[i],
             got[i - 1]);
  }
}
