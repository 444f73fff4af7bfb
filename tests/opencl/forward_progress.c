// SPDX-License-Identifier: Apache-2.0
// CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS: a sub-group that waits for another of its work-group does not keep
// it from coming, whichever of them has the lower number, in whatever memory and by whatever access it waits.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/opencl/harness.h"

// SPACE is where the flags are, WORD what they are; READ and WRITE how they are seen and set.
static const char source[] =
    "#ifdef ATOMIC\n"
    "#define WORD atomic_uint\n"
    "#define READ(p) atomic_load_explicit(p, memory_order_acquire, memory_scope_work_group)\n"
    "#define WRITE(p, x) atomic_store_explicit(p, x, memory_order_release, memory_scope_work_group)\n"
    "#else\n"
    "#define WORD volatile uint\n"
    "#define READ(p) (*(p))\n"
    "#define WRITE(p, x) (*(p) = (x))\n"
    "#endif\n"
    "#define IS_FIRST (get_sub_group_local_id() == 0)\n"
    // Work that the compiler cannot leave out, while the others wait.
    "void dawdle(global uint *out, uint rounds) {\n"
    "  volatile global uint *p = out + get_global_id(0);\n"
    "  for (uint i = 0; i < rounds; i++) *p += i;\n}\n"
    // One sub-group after the other, in the order of their numbers or the other way round. Each sees how many were
    // before it.
    "void chain(SPACE WORD *flags, global uint *out, uint backwards) {\n"
    "  uint id = get_sub_group_id(), n = get_num_sub_groups(), turn = backwards ? n - 1 - id : id, before = 0;\n"
    "  if (turn == 0) dawdle(out, 50);\n"
    "  else while ((before = READ(flags + turn - 1)) == 0) ;\n"
    "  out[get_global_id(0)] = before;\n"
    "  if (IS_FIRST) WRITE(flags + turn, before + 1);\n}\n"
    // The first and the last sub-group in turns; the others wait until both are done.
    "void turns(SPACE WORD *flags, global uint *out, uint rounds) {\n"
    "  uint id = get_sub_group_id(), last = get_num_sub_groups() - 1, seen = 0;\n"
    "  if (id == 0 || id == last) {\n"
    "    for (uint i = 0; i < rounds; i++) {\n"
    "      uint mine = 2 * i + (id == last);\n"
    "      while ((seen = READ(flags)) != mine) ;\n"
    "      if (IS_FIRST) WRITE(flags, mine + 1);\n"
    "    }\n"
    "  } else {\n"
    "    while ((seen = READ(flags)) != 2 * rounds) ;\n"
    "  }\n"
    "  out[get_global_id(0)] = seen;\n}\n"
    // Both begin with flags of 0.
    "#ifdef IN_LOCAL\n"
    "#define FLAGS local WORD *flags\n"
    "#define CLEAR for (uint i = get_local_id(0); i < 64; i += get_local_size(0)) WRITE(flags + i, 0); \\\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "#else\n"
    "#define FLAGS global WORD *flags\n"
    "#define CLEAR flags += 64 * get_group_id(0);\n"
    "#endif\n"
    "__attribute__((intel_reqd_sub_group_size(SIZE))) kernel void k_chain(FLAGS, global uint *out, uint x) {\n"
    "  CLEAR chain(flags, out, x);\n}\n"
    "__attribute__((intel_reqd_sub_group_size(SIZE))) kernel void k_turns(FLAGS, global uint *out, uint x) {\n"
    "  CLEAR turns(flags, out, x);\n}\n";

enum { GROUPS = 2, FLAGS = 64, SUB_GROUPS_MAX = 64 };

// Runs two work-groups of `sub_groups` each; out gets a word for each work-item.
static void run_kernel(cl_kernel kernel, bool in_local, uint32_t size, uint32_t sub_groups, cl_uint x, uint32_t *out) {
  const size_t local = (size_t)size * sub_groups, count = GROUPS * local;
  cl_mem flags = buffer_with(NULL, GROUPS * FLAGS * 4), results = buffer_with(NULL, count * 4);
  if (in_local)
    set_args(kernel, LOCAL_ARG(FLAGS * 4), ARG(results), ARG(x), END_ARGS);
  else
    set_args(kernel, ARG(flags), ARG(results), ARG(x), END_ARGS);
  run_1d(kernel, count, local);
  read_buffer(results, out, count * 4);
  clReleaseMemObject(flags);
  clReleaseMemObject(results);
}

static void check_size(bool in_local, bool is_atomic, uint32_t size) {
  enum { ROUNDS = 10 };
  char options[200];
  snprintf(options, sizeof options, "-cl-std=CL3.0 -DSIZE=%u -DSPACE=%s%s%s", size, in_local ? "local" : "global",
           in_local ? " -DIN_LOCAL" : "", is_atomic ? " -DATOMIC" : "");
  cl_program program = build(source, options);
  cl_kernel chain = kernel_of(program, "k_chain"), turns = kernel_of(program, "k_turns");
  // Two sub-groups, and as many as there are places for.
  const uint32_t all = harness()->slots < SUB_GROUPS_MAX ? harness()->slots : SUB_GROUPS_MAX, counts[] = {2, all};
  for (int c = 0; c < 2; c++) {
    const uint32_t n = counts[c];
    uint32_t *got = allocate((size_t)GROUPS * n * size * 4), *expected = allocate((size_t)GROUPS * n * size * 4);
    for (cl_uint backwards = 0; backwards < 2; backwards++) {
      for (uint32_t i = 0; i < GROUPS * n * size; i++)
        expected[i] = backwards ? n - 1 - i / size % n : i / size % n;
      run_kernel(chain, in_local, size, n, backwards, got);
      expect_u32(backwards ? "sub-groups before this one, last first" : "sub-groups before this one", expected, got,
                 (size_t)GROUPS * n * size);
    }
    for (uint32_t i = 0; i < GROUPS * n * size; i++)
      expected[i] = i / size % n == 0 ? 2 * ROUNDS - 2 : i / size % n == n - 1 ? 2 * ROUNDS - 1 : 2 * ROUNDS;
    run_kernel(turns, in_local, size, n, ROUNDS, got);
    expect_u32("the last turn that a work-item saw", expected, got, (size_t)GROUPS * n * size);
    free(got);
    free(expected);
  }
}

static void check(bool in_local, bool is_atomic) {
  cl_device_atomic_capabilities atomics = 0;
  EXPECT_SUCCESS(
      clGetDeviceInfo(harness()->device, CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, sizeof atomics, &atomics, NULL));
  if (is_atomic && atomics == 0)
    cr_skip_test("the device has no atomics");
  for (uint32_t size = 1; size <= harness()->lanes; size *= 2)
    check_size(in_local, is_atomic, size);
}

Test(forward_progress, device_promises_it) {
  cl_bool promised = CL_FALSE;
  EXPECT_SUCCESS(clGetDeviceInfo(harness()->device, CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, sizeof promised,
                                 &promised, NULL));
  if (promised != CL_TRUE)
    fail("CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS: expected CL_TRUE, got %u", promised);
}

Test(forward_progress, waiting_on_volatile_global_memory) {
  check(false, false);
}

Test(forward_progress, waiting_on_volatile_local_memory) {
  check(true, false);
}

Test(forward_progress, waiting_on_global_atomics) {
  check(false, true);
}

Test(forward_progress, waiting_on_local_atomics) {
  check(true, true);
}
