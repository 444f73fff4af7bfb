// SPDX-License-Identifier: Apache-2.0
// Every collective, for int and uint, at every sub-group size the device offers, against the definition, with
// work-group sizes that leave a smaller last sub-group, in 1 to 3 dimensions, on random and extreme values. The other
// types, and work-items that have returned, are in collective_types.c.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/opencl/harness.h"
#include "tests/opencl/reference.h"

enum { SHAPES_MAX = 16, PATTERNS = 3, KERNEL_BYTES = 4096 };

// Ranges worth trying at one sub-group size; each ends with a remainder work-group where that is possible.
static size_t shapes_for(uint32_t size, size_t limit, struct ndrange *shapes) {
  const size_t locals[] = {size + 1, 2 * size - 1, size, size / 2, 3 * size + 1, 4 * size, limit};
  size_t count = 0;
  for (size_t i = 0; i < (harness()->is_short ? 2 : sizeof locals / sizeof locals[0]); i++) {
    size_t local = locals[i];
    if (local == 0 || local > limit)
      continue;
    if (local > 64 && harness()->is_rtl && !harness()->is_long)
      local = limit < 61 ? limit : 61;
    shapes[count++] = (struct ndrange){1, {2 * local + (local + 1) / 2}, {3}, {local}};
  }
  if (limit >= 12 && !harness()->is_short)
    shapes[count++] = (struct ndrange){2, {7, 5}, {1, 2}, {4, 3}};
  if (limit >= 18)
    shapes[count++] = (struct ndrange){3, {4, 5, 3}, {0, 1, 2}, {3, 3, 2}};
  return count;
}

static uint32_t value_of(int pattern, uint32_t *state) {
  static const uint32_t extremes[] = {0, 1,      UINT32_MAX, INT32_MAX, (uint32_t)INT32_MIN, (uint32_t)INT32_MIN + 1,
                                      2, 0x10000};
  const uint32_t x = random_u32(state);
  if (pattern == 0)
    return x;
  if (pattern == 1)
    return extremes[(x >> 8) % (sizeof extremes / sizeof extremes[0])];
  return x % 201 - 100;  // small, both signs
}

// Runs `kernel` of one sub-group size over a range: in has a word for each work-item, out `words` for each.
static void run_over(cl_kernel kernel, const struct ndrange *range, const uint32_t *in, uint32_t *out, size_t count,
                     size_t words) {
  cl_mem in_buffer = buffer_with(in, count * 4), out_buffer = buffer_with(NULL, count * words * 4);
  set_args(kernel, ARG(in_buffer), ARG(out_buffer), END_ARGS);
  run(kernel, range->dim, range->offset, range->global, range->local);
  read_buffer(out_buffer, out, count * words * 4);
  clReleaseMemObject(in_buffer);
  clReleaseMemObject(out_buffer);
}

// One copy of the kernel for every sub-group size up to the device's, as NAME_1, NAME_2, ...; S is the size.
static cl_program build_for_sizes(const char *body) {
  char source[KERNEL_BYTES * 8] = "";
  size_t used = 0;
  for (uint32_t size = smallest_tested_size(); size <= harness()->lanes; size *= 2)
    used += (size_t)snprintf(source + used, sizeof source - used,
                             "__attribute__((intel_reqd_sub_group_size(%u)))\n"
                             "kernel void k_%u(global const uint *in, global uint *out) {\n%s}\n",
                             size, size, body);
  if (used >= sizeof source)
    fail("the test's source does not fit its %zu bytes", sizeof source);
  return build(source, "-cl-std=CL3.0");
}

static const char *type_names[] = {"uint", "int"};

static void describe(char *text, size_t bytes, const struct ndrange *range, uint32_t size,
                     const struct work_item *item) {
  snprintf(text, bytes,
           "sub-group size %u, global %zu,%zu,%zu, local %zu,%zu,%zu, group %zu,%zu,%zu, local id %zu,%zu,%zu "
           "(sub-group %u of %u, lane %u of %u)",
           size, range->global[0], range->dim > 1 ? range->global[1] : 1, range->dim > 2 ? range->global[2] : 1,
           range->local[0], range->dim > 1 ? range->local[1] : 1, range->dim > 2 ? range->local[2] : 1,
           item->group_id[0], item->group_id[1], item->group_id[2], item->local_id[0], item->local_id[1],
           item->local_id[2], item->sub_group_id, item->num_sub_groups, item->sub_group_local_id, item->sub_group_size);
}

// What to do at each sub-group size, shape and pattern: `check` compares out with the definition.
typedef void checker(const struct ndrange *range, uint32_t size, const struct work_item *items, size_t count,
                     const uint32_t *in, const uint32_t *out, const void *what);

static void over_everything(const char *body, size_t words, checker *check, const void *what) {
  cl_program program = build_for_sizes(body);
  uint32_t state = 20240721;
  for (uint32_t size = smallest_tested_size(); size <= harness()->lanes; size *= 2) {
    char name[32];
    snprintf(name, sizeof name, "k_%u", size);
    cl_kernel kernel = kernel_of(program, name);
    struct ndrange shapes[SHAPES_MAX];
    const size_t shape_count = shapes_for(size, work_group_limit(kernel), shapes);
    const int rounds = harness()->is_long ? 8 * PATTERNS : harness()->is_short ? 1 : harness()->is_rtl ? 2 : PATTERNS;
    for (size_t shape = 0; shape < shape_count; shape++)
      for (int round = 0; round < rounds; round++) {
        size_t count;
        struct work_item *items = reference_items(&shapes[shape], size, &count);
        uint32_t *in = allocate(count * 4), *out = allocate(count * words * 4);
        for (size_t i = 0; i < count; i++)
          in[i] = value_of((round + (int)shape) % PATTERNS, &state);
        run_over(kernel, &shapes[shape], in, out, count, words);
        check(&shapes[shape], size, items, count, in, out, what);
        free(items);
        free(in);
        free(out);
      }
    clReleaseKernel(kernel);
  }
}

// ---- reduce and scans: FOLDS results a work-item, {uint, int} x every operator. OpenCL C has bitwise ones of active
// work-items only, so a kernel that wants others has to declare them.

enum { FOLDS = 2 * REFERENCE_OPS };

struct fold {
  const char *name;  // "sub_group_reduce"
  int whole_group;
  enum reference_mode mode;
};

static void check_fold(const struct ndrange *range, uint32_t size, const struct work_item *items, size_t count,
                       const uint32_t *in, const uint32_t *out, const void *what) {
  const struct fold *fold = what;
  uint32_t *values = allocate(count * 4), *expected = allocate(count * 4);
  for (size_t i = 0; i < count; i++)
    values[i] = in[items[i].global_linear_id];
  for (int is_signed = 0; is_signed < 2; is_signed++)
    for (int op = 0; op < REFERENCE_OPS; op++) {
      for (size_t first = 0; first < count;) {
        const size_t n = fold->whole_group ? items[first].group_count : items[first].sub_group_size;
        reference_collective(fold->mode, (enum reference_op)op, is_signed, values + first, expected + first, n);
        first += n;
      }
      for (size_t i = 0; i < count; i++) {
        const uint32_t got = out[items[i].global_linear_id * FOLDS + (size_t)(is_signed * REFERENCE_OPS + op)];
        if (got == expected[i])
          continue;
        char where[400];
        describe(where, sizeof where, range, size, &items[i]);
        fail("%s_%s(%s): expected 0x%08x (%d), got 0x%08x (%d); %s", fold->name, reference_op_names[op],
             type_names[is_signed], expected[i], (int32_t)expected[i], got, (int32_t)got, where);
      }
    }
  free(values);
  free(expected);
}

static void test_fold(struct fold fold) {
  char body[KERNEL_BYTES];
  size_t used = (size_t)snprintf(body, sizeof body, "  size_t i = get_global_linear_id(); uint x = in[i];\n");
  for (int is_signed = 0; is_signed < 2; is_signed++)
    for (int op = 0; op < REFERENCE_OPS; op++) {
      const char *name = reference_op_names[op], *type = type_names[is_signed];
      if (op > OP_MAX)
        used += (size_t)snprintf(body + used, sizeof body - used,
                                 "  %s __attribute__((overloadable, convergent)) %s_%s(%s);\n", type, fold.name, name,
                                 type);
      used += (size_t)snprintf(body + used, sizeof body - used, "  out[%d * i + %d] = (uint)%s_%s((%s)x);\n", FOLDS,
                               is_signed * REFERENCE_OPS + op, fold.name, name, type);
    }
  over_everything(body, FOLDS, check_fold, &fold);
}

Test(collectives, sub_group_reduce) {
  test_fold((struct fold){"sub_group_reduce", 0, MODE_REDUCE});
}
Test(collectives, sub_group_scan_inclusive) {
  test_fold((struct fold){"sub_group_scan_inclusive", 0, MODE_SCAN_INCLUSIVE});
}
Test(collectives, sub_group_scan_exclusive) {
  test_fold((struct fold){"sub_group_scan_exclusive", 0, MODE_SCAN_EXCLUSIVE});
}
Test(collectives, work_group_reduce) {
  test_fold((struct fold){"work_group_reduce", 1, MODE_REDUCE});
}
Test(collectives, work_group_scan_inclusive) {
  test_fold((struct fold){"work_group_scan_inclusive", 1, MODE_SCAN_INCLUSIVE});
}
Test(collectives, work_group_scan_exclusive) {
  test_fold((struct fold){"work_group_scan_exclusive", 1, MODE_SCAN_EXCLUSIVE});
}

// ---- broadcast: every work-item of the group is the source once, for int and for uint (negated, so that they differ)

static void check_broadcast(const struct ndrange *range, uint32_t size, const struct work_item *items, size_t count,
                            const uint32_t *in, const uint32_t *out, const void *what) {
  const int whole_group = *(const int *)what;
  for (size_t i = 0; i < count; i++) {
    const size_t first = whole_group ? items[i].group_first : items[i].sub_group_first;
    const size_t n = whole_group ? items[i].group_count : items[i].sub_group_size;
    uint32_t expected[2] = {0, 0};
    // The kernel folds what it got from each source into a word that no two orders share.
    for (size_t source = 0; source < n; source++) {
      const uint32_t x = in[items[first + source].global_linear_id];
      expected[0] = expected[0] * 31 + x;
      expected[1] = expected[1] * 31 + (0 - x);
    }
    for (int is_signed = 0; is_signed < 2; is_signed++) {
      const uint32_t got = out[items[i].global_linear_id * 2 + (size_t)is_signed];
      if (got == expected[is_signed])
        continue;
      char where[400];
      describe(where, sizeof where, range, size, &items[i]);
      fail("%s_group_broadcast(%s) from each of %zu sources in turn: expected the fold 0x%08x, got 0x%08x; %s",
           whole_group ? "work" : "sub", type_names[is_signed], n, expected[is_signed], got, where);
    }
  }
}

Test(collectives, sub_group_broadcast) {
  static const int whole_group = 0;
  over_everything(
      "  size_t i = get_global_linear_id(); uint x = in[i], u = 0, s = 0;\n"
      "  for (uint from = 0; from < get_sub_group_size(); from++) {\n"
      "    u = u * 31 + sub_group_broadcast(x, from);\n"
      "    s = s * 31 + (uint)sub_group_broadcast((int)-x, from);\n"
      "  }\n"
      "  out[2 * i] = u; out[2 * i + 1] = s;\n",
      2, check_broadcast, &whole_group);
}

Test(collectives, work_group_broadcast) {
  static const int whole_group = 1;
  over_everything(
      "  size_t i = get_global_linear_id(); uint x = in[i], u = 0, s = 0;\n"
      "  for (size_t cz = 0; cz < get_local_size(2); cz++)\n"
      "  for (size_t cy = 0; cy < get_local_size(1); cy++)\n"
      "  for (size_t cx = 0; cx < get_local_size(0); cx++) {\n"
      "    uint b; int c;\n"
      "    if (get_work_dim() == 1) { b = work_group_broadcast(x, cx); c = work_group_broadcast((int)-x, cx); }\n"
      "    else if (get_work_dim() == 2) { b = work_group_broadcast(x, cx, cy); c = work_group_broadcast((int)-x, cx, "
      "cy); }\n"
      "    else { b = work_group_broadcast(x, cx, cy, cz); c = work_group_broadcast((int)-x, cx, cy, cz); }\n"
      "    u = u * 31 + b; s = s * 31 + (uint)c;\n"
      "  }\n"
      "  out[2 * i] = u; out[2 * i + 1] = s;\n",
      2, check_broadcast, &whole_group);
}

// ---- all, any: predicates that hold for all, none, all but one, only one, and at random; a predicate is any non-zero
// int

enum { PREDICATES = 5 };
static const char predicate_body[] =
    "  size_t i = get_global_linear_id(); uint x = in[i]; uint me = %s;\n"
    "  int p[5] = {(int)(x | 0x80000000u), 0, me == 1 ? 0 : 256, me == 1 ? (int)0x80000000 : 0, (int)(x & 0x10)};\n"
    "  for (int n = 0; n < 5; n++) out[5 * i + n] = %s(p[n]) != 0;\n";

struct vote {
  const char *name;
  int whole_group, is_all;
};

static void check_vote(const struct ndrange *range, uint32_t size, const struct work_item *items, size_t count,
                       const uint32_t *in, const uint32_t *out, const void *what) {
  const struct vote *vote = what;
  for (size_t i = 0; i < count; i++) {
    const size_t first = vote->whole_group ? items[i].group_first : items[i].sub_group_first;
    const size_t n = vote->whole_group ? items[i].group_count : items[i].sub_group_size;
    for (int p = 0; p < PREDICATES; p++) {
      size_t holds = 0;
      for (size_t member = 0; member < n; member++) {
        const uint32_t x = in[items[first + member].global_linear_id];
        const int truth[PREDICATES] = {1, 0, member != 1, member == 1, (x & 0x10) != 0};
        holds += (size_t)truth[p];
      }
      const uint32_t expected = vote->is_all ? holds == n : holds > 0;
      const uint32_t got = out[items[i].global_linear_id * PREDICATES + (size_t)p];
      if (got == expected)
        continue;
      char where[400];
      describe(where, sizeof where, range, size, &items[i]);
      fail("%s, predicate %d true in %zu of %zu work-items: expected %s, got %s; %s", vote->name, p, holds, n,
           expected ? "true" : "false", got ? "true" : "false", where);
    }
  }
}

static void test_vote(struct vote vote) {
  char body[KERNEL_BYTES];
  snprintf(body, sizeof body, predicate_body,
           vote.whole_group ? "(uint)get_local_linear_id()" : "get_sub_group_local_id()", vote.name);
  over_everything(body, PREDICATES, check_vote, &vote);
}

Test(collectives, sub_group_all) {
  test_vote((struct vote){"sub_group_all", 0, 1});
}
Test(collectives, sub_group_any) {
  test_vote((struct vote){"sub_group_any", 0, 0});
}
Test(collectives, work_group_all) {
  test_vote((struct vote){"work_group_all", 1, 1});
}
Test(collectives, work_group_any) {
  test_vote((struct vote){"work_group_any", 1, 0});
}

// ---- the specification's own example

Test(collectives, work_group_scan_of_the_specifications_example) {
  static const uint32_t p[8] = {3, 1, 7, 0, 4, 1, 6, 3};
  static const uint32_t inclusive[8] = {3, 4, 11, 11, 15, 16, 22, 25}, exclusive[8] = {0, 3, 4, 11, 11, 15, 16, 22};
  cl_program program = build(
      "kernel void foo(global const int *p, global int *a, global int *b) {\n"
      "  a[get_local_id(0)] = work_group_scan_inclusive_add(p[get_local_id(0)]);\n"
      "  b[get_local_id(0)] = work_group_scan_exclusive_add(p[get_local_id(0)]);\n}\n",
      "-cl-std=CL3.0");
  cl_kernel kernel = kernel_of(program, "foo");
  if (work_group_limit(kernel) < 8)
    fail("a work-group of 8 must be possible on every device");
  cl_mem in = buffer_with(p, sizeof p), a = buffer_with(NULL, sizeof p), b = buffer_with(NULL, sizeof p);
  set_args(kernel, ARG(in), ARG(a), ARG(b), END_ARGS);
  run_1d(kernel, 8, 8);
  uint32_t got[8];
  read_buffer(a, got, sizeof got);
  expect_u32("inclusive", inclusive, got, 8);
  read_buffer(b, got, sizeof got);
  expect_u32("exclusive", exclusive, got, 8);
}
