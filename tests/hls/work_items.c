// SPDX-License-Identifier: Apache-2.0
// Work-item functions, barriers, collectives and async copies, run on the golden model.
#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/hls/compiler.h"
#include "tests/hls/device.h"

// 5 x 3 x 2 work-items in groups of 4 x 2 x 1: the last groups are smaller.
Test(work_items, every_work_item_function_is_right_in_three_dimensions) {
  enum { X = 5, Y = 3, Z = 2, ITEMS = X * Y * Z, VALUES = 40 };
  static const char source[] =
      "kernel void k(global uint *out) {\n"
      "  size_t i = get_global_linear_id(); global uint *o = out + i * 40;\n"
      "  *o++ = get_work_dim();\n"
      "  for (uint d = 0; d < 4; d++) { *o++ = get_global_size(d); *o++ = get_global_id(d); *o++ = get_local_size(d);\n"
      "    *o++ = get_enqueued_local_size(d); *o++ = get_local_id(d); *o++ = get_num_groups(d); *o++ = "
      "get_group_id(d);\n"
      "    *o++ = get_global_offset(d); }\n"
      "  *o++ = get_local_linear_id(); *o++ = get_sub_group_size(); *o++ = get_max_sub_group_size();\n"
      "  *o++ = get_num_sub_groups(); *o++ = get_enqueued_num_sub_groups(); *o++ = get_sub_group_id();\n"
      "  *o++ = get_sub_group_local_id(); }\n";
  struct result result = compile_well(source, "-cl-std=CL3.0", NULL);
  static uint32_t out[ITEMS][VALUES];
  run_kernel(&result, &(struct dispatch){.kernel = "k",
                                         .global = {X, Y, Z},
                                         .local = {4, 2, 1},
                                         .offset = {10, 20, 30},
                                         .sub_group_size = 4,
                                         .buffers = {{out, sizeof out}}});
  const uint32_t size[4] = {X, Y, Z, 1}, local[4] = {4, 2, 1, 1}, offset[4] = {10, 20, 30, 0}, groups[4] = {2, 2, 2, 1};
  for (uint32_t i = 0; i < ITEMS; i++) {
    const uint32_t at[4] = {i % X, i / X % Y, i / X / Y, 0};
    const uint32_t *o = out[i];
    uint32_t linear = 0, items = 1;
    cr_assert_eq(*o++, 3);
    for (int d = 0; d < 4; d++) {
      uint32_t group = at[d] / local[d];
      uint32_t here = group == groups[d] - 1 ? size[d] - group * local[d] : local[d];
      uint32_t id = d < 3 ? at[d] + offset[d] : 0;
      const uint32_t expected[] = {size[d], id, here, local[d], at[d] % local[d], groups[d], group, offset[d]};
      for (int j = 0; j < 8; j++) {
        cr_assert_eq(*o, expected[j], "work-item %u, dimension %d, value %d: %u expected, got %u", i, d, j, expected[j],
                     *o);
        o++;
      }
      linear += at[d] % local[d] * items;
      items *= here;
    }
    uint32_t sub_group = linear / 4, sub_groups = (items + 3) / 4;
    uint32_t in_it = sub_group == sub_groups - 1 ? items - sub_group * 4 : 4;
    const uint32_t expected[] = {linear, in_it, 4, sub_groups, 2, sub_group, linear % 4};
    for (int j = 0; j < 7; j++)
      cr_assert_eq(o[j], expected[j], "work-item %u, linear value %d: %u expected, got %u", i, j, expected[j], o[j]);
  }
  result_free(&result);
}

Test(work_items, collectives_are_right_for_int_and_uint) {
  enum { N = 19, S = 8 };
  static const char source[] =
      "kernel void k(global int *in, global int *out) { int i = get_local_id(0); int v = in[i]; uint u = v;\n"
      "  global int *o = out + i * 16;\n"
      "  o[0] = sub_group_reduce_add(v); o[1] = sub_group_scan_inclusive_max(v); o[2] = "
      "sub_group_scan_exclusive_min(u);\n"
      "  o[3] = sub_group_broadcast(v, 2); o[4] = sub_group_all(v > -50); o[5] = sub_group_any(v == in[9]);\n"
      "  o[6] = work_group_scan_inclusive_add(v); o[7] = work_group_scan_exclusive_max(v); o[8] = "
      "work_group_reduce_min(u);\n"
      "  o[9] = work_group_broadcast(v, 11); o[10] = work_group_all(1); o[11] = work_group_any(v == in[3]);\n"
      "  sub_group_barrier(CLK_LOCAL_MEM_FENCE); work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device); }\n";
  struct result result = compile_well(source, "-cl-std=CL3.0", NULL);
  int in[N], out[N][16];
  for (int i = 0; i < N; i++)
    in[i] = (i * 7919 + 13) % 101 - 50;
  run_kernel(&result, &(struct dispatch){.kernel = "k",
                                         .global = {N},
                                         .local = {N},
                                         .sub_group_size = S,
                                         .buffers = {{in, sizeof in}, {out, sizeof out}}});
  for (int i = 0; i < N; i++) {
    int first = i / S * S, last = first + S < N ? first + S : N;
    int sum = 0, largest = INT32_MIN, all = 1, any = 0;
    uint32_t smallest = UINT32_MAX;
    for (int j = first; j < last; j++) {
      sum += in[j];
      largest = j <= i && in[j] > largest ? in[j] : largest;
      smallest = j < i && (uint32_t)in[j] < smallest ? (uint32_t)in[j] : smallest;
      all &= in[j] > -50;
      any |= in[j] == in[9];
    }
    int scan = 0, before = INT32_MIN, found = 0;
    uint32_t least = UINT32_MAX;
    for (int j = 0; j < N; j++) {
      scan += j <= i ? in[j] : 0;
      before = j < i && in[j] > before ? in[j] : before;
      least = (uint32_t)in[j] < least ? (uint32_t)in[j] : least;
      found |= in[j] == in[3];
    }
    const int expected[] = {sum,  largest, (int)smallest, in[first + 2], all, any,
                            scan, before,  (int)least,    in[11],        1,   found};
    for (int j = 0; j < 12; j++)
      cr_assert_eq(out[i][j], expected[j], "work-item %d, value %d: %d expected, got %d", i, j, expected[j], out[i][j]);
  }
  result_free(&result);
}

Test(work_items, broadcast_names_its_source_in_two_and_three_dimensions) {
  static const char source[] =
      "kernel void k(global int *out) { int i = get_local_linear_id();\n"
      "  out[i] = work_group_broadcast(i, 2, 1); out[i + 24] = work_group_broadcast(i * 2, 1, 2, 1); }\n";
  struct result result = compile_well(source, "-cl-std=CL3.0", NULL);
  int out[48];
  run_kernel(&result, &(struct dispatch){
                          .kernel = "k", .global = {4, 3, 2}, .local = {4, 3, 2}, .buffers = {{out, sizeof out}}});
  for (int i = 0; i < 24; i++) {
    cr_expect_eq(out[i], 6);
    cr_expect_eq(out[i + 24], 2 * (12 + 2 * 4 + 1));
  }
  result_free(&result);
}

Test(work_items, sub_groups_are_there_in_every_language_version) {
  static const char source[] =
      "#pragma OPENCL EXTENSION cl_khr_subgroups : enable\n"
      "#ifndef cl_khr_subgroups\n#error\n#endif\n"
      "kernel void k(global int *out) { out[get_global_id(0)] = sub_group_scan_inclusive_add(1) + "
      "get_sub_group_local_id()\n"
      "  + sub_group_broadcast((uint)get_sub_group_id(), 0u); sub_group_barrier(CLK_LOCAL_MEM_FENCE); }\n";
  static const char *const versions[] = {"-cl-std=CL1.1", "-cl-std=CL1.2", "-cl-std=CL3.0"};
  for (int i = 0; i < 3; i++) {
    struct result result = compile_well(source, versions[i], "-Werror", NULL);
    int out[8] = {0};
    run_kernel(&result, &(struct dispatch){.kernel = "k", .global = {8}, .local = {8}, .buffers = {{out, sizeof out}}});
    cr_expect_eq(out[7], 8 + 7, "%s", versions[i]);
    result_free(&result);
  }
}

Test(work_items, functions_of_active_work_items_are_there_in_every_language_version) {
  static const char source[] =
      "#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable\n"
      "#if !defined cl_khr_subgroup_non_uniform_vote || !defined cl_khr_subgroup_ballot || \\\n"
      "    !defined cl_khr_subgroup_non_uniform_arithmetic || !defined cl_khr_subgroup_shuffle || \\\n"
      "    !defined cl_khr_subgroup_shuffle_relative || !defined cl_khr_subgroup_rotate || \\\n"
      "    !defined cl_khr_subgroup_clustered_reduce\n#error\n#endif\n"
      "kernel void k(global int *out) { int i = get_global_id(0), v = -100;\n"
      "  if (i & 1) v = sub_group_elect() * 1000 + sub_group_ballot(i > 2).x;\n"
      "  else v = sub_group_non_uniform_reduce_mul(i + 1) + sub_group_shuffle_xor(i, 2u) * 1000;\n"
      "  out[i] = v; out[i + 8] = sub_group_rotate(i, 3) + 10 * sub_group_shuffle_down(i, 1u)\n"
      "    + 100 * sub_group_clustered_reduce_add(i, 2u); }\n";
  static const char *const versions[] = {"-cl-std=CL1.1", "-cl-std=CL1.2", "-cl-std=CL3.0"};
  for (int i = 0; i < 3; i++) {
    struct result result = compile_well(source, versions[i], "-Werror", NULL);
    int out[16] = {0};
    run_kernel(&result, &(struct dispatch){.kernel = "k", .global = {8}, .local = {8}, .buffers = {{out, sizeof out}}});
    cr_expect_eq(out[1], 1000 + 0xA8, "%s: %d", versions[i], out[1]);
    cr_expect_eq(out[7], 0xA8, "%s: %d", versions[i], out[7]);
    cr_expect_eq(out[4], 1 * 3 * 5 * 7 + 6000, "%s: %d", versions[i], out[4]);
    cr_expect_eq(out[8 + 6], (6 + 3) % 8 + 10 * 7 + 100 * (6 + 7), "%s: %d", versions[i], out[14]);
    result_free(&result);
  }
}

// Only some lanes have something to do at the end of a round. The others wait, or the next shuffle would miss them.
Test(work_items, lanes_that_part_in_a_loop_are_together_in_its_next_round) {
  static const char source[] =
      "kernel void plain(global uint *a) { int i = get_global_id(0), left = 20; uint v = a[i];\n"
      "  while (sub_group_non_uniform_any(left > 0)) {\n"
      "    uint y = sub_group_shuffle_xor(v, 1u); if (y & 1) { v = v * 3 + y; left -= 2; }  else { v++; left--; }\n"
      "    if (v % 5 == 1) v += y; }\n"
      "  a[i] = v; }\n"
      "kernel void continues(global uint *a) { int i = get_global_id(0), left = 20; uint v = a[i];\n"
      "  while (1) { uint y = sub_group_shuffle_xor(v, 1u); if (!sub_group_non_uniform_any(left > 0)) break;\n"
      "    if (y & 1) { v = v * 3 + y; left -= 2; if (v % 5 == 1) v += y; continue; }\n"
      "    v++; left--; if (v % 5 != 1) continue; v += y; }\n"
      "  a[i] = v; }\n";
  static const char *const kernels[] = {"plain", "continues"}, *const options[] = {"-cl-std=CL3.0", "-cl-opt-disable"};
  static const uint32_t start[8] = {1, 2, 5, 8, 13, 4, 0, 6};
  uint32_t expected[8];
  int left[8] = {20, 20, 20, 20, 20, 20, 20, 20};
  memcpy(expected, start, sizeof start);
  for (bool goes_on = true; goes_on;) {
    uint32_t before[8];
    memcpy(before, expected, sizeof before);
    goes_on = false;
    for (int i = 0; i < 8; i++) {
      uint32_t y = before[i ^ 1], v = (y & 1) != 0 ? before[i] * 3 + y : before[i] + 1;
      left[i] -= (y & 1) != 0 ? 2 : 1;
      expected[i] = v % 5 == 1 ? v + y : v;
      goes_on |= left[i] > 0;
    }
  }
  for (int i = 0; i < 4; i++) {
    struct result result = compile_well(source, options[i / 2], NULL);
    uint32_t a[8];
    memcpy(a, start, sizeof a);
    run_kernel(&result,
               &(struct dispatch){.kernel = kernels[i % 2], .global = {8}, .local = {8}, .buffers = {{a, sizeof a}}});
    for (int j = 0; j < 8; j++) {
      cr_expect_eq(a[j], expected[j], "%s, %s, work-item %d: expected %u, got %u", kernels[i % 2], options[i / 2], j,
                   expected[j], a[j]);
    }
    result_free(&result);
  }
}

Test(work_items, async_copies_have_arrived_after_the_wait) {
  static const char source[] =
      "kernel void k(global float4 *in, global float4 *out, local float4 *l) {\n"
      "  event_t e = async_work_group_strided_copy(l, in, 16, 3, 0);\n"
      "  wait_group_events(1, &e);\n"
      "  l[get_local_id(0)] += 1.0f; l[get_local_id(0) + 8] *= 2.0f; barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  e = async_work_group_copy(out, l, 16, 0); wait_group_events(1, &e); }\n";
  static const char *const versions[] = {"-cl-std=CL1.2", "-cl-std=CL3.0"};
  for (int v = 0; v < 2; v++) {
    struct result result = compile_well(source, versions[v], NULL);
    float in[48][4], out[16][4];
    for (int i = 0; i < 192; i++)
      in[i / 4][i % 4] = (float)i;
    run_kernel(&result, &(struct dispatch){.kernel = "k",
                                           .global = {8},
                                           .local = {8},
                                           .local_argument_bytes = 256,
                                           .buffers = {{in, sizeof in}, {out, sizeof out}}});
    for (int i = 0; i < 64; i++) {
      float x = in[i / 4 * 3][i % 4];
      cr_expect_float_eq(out[i / 4][i % 4], i < 32 ? x + 1 : x * 2, 0);
    }
    result_free(&result);
  }
}

// Work-groups at the edge are smaller, in each dimension: their fewer work-items make the whole copy all the same, in
// both directions and with a stride.
Test(work_items, async_copies_are_whole_in_remainder_groups) {
  enum { COUNT = 21, STRIDE = 3, GROUPS_MOST = 8 };
  static const char source[] =
      "kernel void k(global const int *in, global int *out, local int *l) {\n"
      "  uint g = (get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0);\n"
      "  event_t e = async_work_group_strided_copy(l, in + g * 63, 21, 3, 0); wait_group_events(1, &e);\n"
      "  e = async_work_group_copy(out + g * 100, l, 21, 0);\n"
      "  e = async_work_group_strided_copy(out + g * 100 + 30, l, 21, 3, e); wait_group_events(1, &e); }\n";
  static const struct {
    uint32_t global[3], local[3], groups;
  } shapes[] = {{{13, 1, 1}, {8, 1, 1}, 2}, {{9, 1, 1}, {8, 1, 1}, 2}, {{5, 3, 1}, {4, 2, 1}, 4},
                {{5, 3, 3}, {4, 2, 2}, 8},  {{2, 5, 3}, {2, 4, 2}, 4}, {{31, 1, 1}, {16, 1, 1}, 2}};
  struct result result = compile_well(source, "-cl-std=CL3.0", NULL);
  static int in[GROUPS_MOST * COUNT * STRIDE];
  for (int i = 0; i < GROUPS_MOST * COUNT * STRIDE; i++)
    in[i] = 7 * i + 1;
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
    static int out[GROUPS_MOST][100];
    memset(out, 0, sizeof out);
    struct dispatch dispatch = {
        .kernel = "k", .local_argument_bytes = 4 * COUNT, .buffers = {{in, sizeof in}, {out, sizeof out}}};
    memcpy(dispatch.global, shapes[s].global, sizeof dispatch.global);
    memcpy(dispatch.local, shapes[s].local, sizeof dispatch.local);
    run_kernel(&result, &dispatch);
    for (uint32_t g = 0; g < GROUPS_MOST; g++) {
      for (int i = 0; i < 100; i++) {
        const int from = i < COUNT                                                      ? i
                         : i >= 30 && i < 30 + COUNT * STRIDE && (i - 30) % STRIDE == 0 ? (i - 30) / STRIDE
                                                                                        : -1;
        const int expected = g >= shapes[s].groups || from < 0 ? 0 : in[(int)g * COUNT * STRIDE + from * STRIDE];
        cr_assert_eq(out[g][i], expected, "shape %zu, group %u, word %d: expected %d, got %d", s, g, i, expected,
                     out[g][i]);
      }
    }
  }
  result_free(&result);
}

// Wherever in the function the low word wraps: readings grow, and by no more than the kernel has instructions.
Test(work_items, clock_is_whole_when_its_low_word_wraps) {
  enum { INSTRUCTIONS_MAX = 100, READINGS = 6 };
  static const char source[] =
      "kernel void k(global ulong *out) {\n"
      "  ulong a = clock_read_device(), b = as_ulong(clock_read_hilo_work_group()), c = clock_read_sub_group();\n"
      "  ulong d = clock_read_device(), e = as_ulong(clock_read_hilo_device()), f = clock_read_work_group();\n"
      "  out[0] = a; out[1] = b; out[2] = c; out[3] = d; out[4] = e; out[5] = f; }\n";
  struct result result = compile_well(source, "-cl-std=CL3.0", NULL);
  int wrapped = 0;
  for (uint64_t before = 0; before < INSTRUCTIONS_MAX; before++) {
    const uint64_t start = 0x500000000 - before;
    uint64_t out[READINGS];
    run_kernel(&result, &(struct dispatch){.kernel = "k", .clock = start, .buffers = {{out, sizeof out}}});
    uint64_t last = start;
    for (int i = 0; i < READINGS; i++) {
      cr_assert(out[i] >= last && out[i] < start + INSTRUCTIONS_MAX,
                "%llu issues before the wrap at 0x500000000, reading %d is 0x%llx, after 0x%llx",
                (unsigned long long)before, i, (unsigned long long)out[i], (unsigned long long)last);
      last = out[i];
    }
    wrapped += out[0] < 0x500000000 && last >= 0x500000000;
  }
  cr_assert_gt(wrapped, READINGS, "the clock wrapped in %d runs only", wrapped);
  result_free(&result);
}
