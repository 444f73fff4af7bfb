// SPDX-License-Identifier: Apache-2.0
// Every kernel of `make bench`, at a small size: the RTL's result is the golden model's bit for bit, and the CPU's
// within what OpenCL allows. The shape of both devices comes from HEDDLE_SIM_LANES.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "host/include/CL/cl_heddle.h"
#include "tests/bench/run_problem.h"

static void expect_same_bits(const struct problem *problem, const void *rtl, const void *model) {
  for (size_t i = 0; i < problem->result_count; i++) {
    unsigned words[2];
    memcpy(&words[0], (const char *)rtl + 4 * i, 4);
    memcpy(&words[1], (const char *)model + 4 * i, 4);
    cr_assert_eq(words[0], words[1], "result[%zu]: the model gives 0x%08x, the RTL 0x%08x", i, words[1], words[0]);
  }
}

// Other instructions round otherwise: fused or not.
static void expect_same_isa(void) {
  char *rtl = device_text(choose_device("sim"), CL_DEVICE_ISA_HEDDLE);
  char *model = device_text(choose_device("model"), CL_DEVICE_ISA_HEDDLE);
  if (strcmp(rtl, model) != 0)
    cr_skip_test("both agree with the CPU, but have different instructions: RTL %s, model %s", rtl, model);
  free(rtl);
  free(model);
}

static void *solve(const char *device, const struct workload *workload, struct problem **problem) {
  struct session session = open_session(choose_device(device));
  if (!device_can_run(&session, workload))
    cr_skip_test("the device has no atomic instructions");
  struct figures figures = {0};
  *problem = problem_of(workload, workload->small, resident_work_items(&session));
  void *result = run_problem(&session, workload, *problem, &figures);
  char text[256] = "";
  cr_assert(problem_is_solved(*problem, result, text), "%s against the CPU: %s", device, text);
  return result;
}

static void agree(const char *name) {
  const struct workload *workload = workload_named(name);
  struct problem *of_rtl, *of_model;
  void *rtl = solve("sim", workload, &of_rtl), *model = solve("model", workload, &of_model);
  expect_same_isa();
  expect_same_bits(of_rtl, rtl, model);
  problem_free(of_rtl);
  problem_free(of_model);
  free(rtl);
  free(model);
}

#define TEST_OF(name, full, small) \
  Test(kernels, name) {            \
    agree(#name);                  \
  }
WORKLOADS(TEST_OF)
PIPELINE_WORKLOADS(TEST_OF)
