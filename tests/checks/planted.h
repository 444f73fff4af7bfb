// SPDX-License-Identifier: Apache-2.0
// Kernels with a mistake planted, of each kind that HEDDLE_CHECK finds, and the same kernels without it. For
// tests/opencl/check.c and for the comparison with other checkers (tests/checks).
#ifndef HEDDLE_TESTS_PLANTED_H
#define HEDDLE_TESTS_PLANTED_H

#include <stddef.h>

enum { ITEMS = 64, LOCAL = 16, WORDS_MOST = 4 };

// The body of a kernel, from line 11 of program.cl on. `if (W)` is the planted mistake. Where `otherwise` is not NULL
// it is the body without the mistake.
struct planted {
  const char *name, *body, *otherwise;
  const char *words[WORDS_MOST];  // what the report says
};

// out and in have a word for each of 64 work-items, in groups of 16; in[i] is i. Nobody has written scratch. tile has a
// word for each of the work-group. zeros is 64 words of 0.
static const char head[] =
    "#pragma OPENCL EXTENSION cl_khr_subgroups : enable\n"
    "struct pair { char c; int x; long y; };\n"
    "int take(global const int *p, int at) { return p[at]; }\n"
    "void put(local int *p, int at, int x) { p[at] = x; }\n"
    "int total(const int *p, int n) { int t = 0; for (int j = 0; j < n; j++) t += p[j]; return t; }\n"
    "constant int four[4] = {1, 2, 3, 4}, behind[4] = {5, 6, 7, 8};\n"
    "int large(int x) { if (x > 50) return x; }\n"
    "struct many { int16 a; int b; int16 c; };\n"
    "__attribute__((intel_reqd_sub_group_size(4)))\n"
    "kernel void k(global int *out, global int *in, global int *scratch, global int *zeros, local int *tile, int n) {\n"
    "  const int i = get_global_id(0), l = get_local_id(0), last = get_local_size(0) - 1;\n"
    "#define BARRIER barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)\n"
    "\n"
    "#line 11\n";

static const struct planted programs[] = {
    // ---- out of bounds
    {"load_by_one",
     "  out[i] = in[i + W];\n",
     NULL,
     {"load of 4 bytes out of bounds: byte 256 of 'in'", ":11,", "(63, 0, 0)"}},
    {"store_by_one", "  out[i + W] = i;\n", NULL, {"store of 4 bytes out of bounds: byte 256 of 'out'", ":11,"}},
    {"load_before_the_start",
     "  out[i] = in[W ? i - 1 : i];\n",
     NULL,
     {"4 bytes before the start of 'in'", "(0, 0, 0)"}},
    {"store_into_another_buffer", "  if (i == 5) out[W ? 1000 : 0] = 1;\n", NULL, {"byte 4000 of 'out'", "(5, 0, 0)"}},
    {"end_of_a_vector",
     "  int4 v = vload4(0, in + (i < n - 3 + W ? i : 0));\n  out[i] = v.w;\n",
     NULL,
     {"load of 4 bytes out of bounds: byte 256 of 'in'", ":11,"}},
    {"byte_behind",
     "  if (i == 0) ((global char *)out)[4 * n - 1 + W] = 7;\n",
     NULL,
     {"store of 1 bytes", "byte 256 of 'out'"}},
    {"local_argument",
     "  tile[l] = i;\n  BARRIER;\n  out[i] = W ? tile[l + 1] : tile[last - l];\n",
     NULL,
     {"load of 4 bytes out of bounds: byte 64 of 'tile' in local memory", ":13,"}},
    {"local_store_in_a_function", "  put(tile, l + W, i);\n  BARRIER;\n  out[i] = tile[l];\n", NULL, {"'tile'", ":4,"}},
    {"pointer_that_was_broadcast",
     "  global int *p = (global int *)(size_t)sub_group_broadcast((uint)(size_t)in, 1);\n  out[i] = p[i + W];\n",
     NULL,
     {"load of 4 bytes out of bounds: byte 256 of 'in'", ":12,"}},
    {"in_a_function", "  out[i] = take(in, i + W);\n", NULL, {"'in'", ":3,"}},
    {"atomic", "  atomic_inc(&zeros[i + W]);\n", NULL, {"atomic access of 4 bytes out of bounds: byte 256 of 'zeros'"}},
    {"loop_of_one_too_many",
     "  int sum = 0;\n  for (int j = 0; j < n + W; j++) sum += in[j];\n  out[i] = sum;\n",
     NULL,
     {"byte 256 of 'in'", ":12,", "64 times"}},
    {"local_variable_into_the_next",
     "  local int a[16], b[16];\n  b[l] = i;\n  a[l] = 1;\n  BARRIER;\n  out[i] = a[last - l + W] + b[l];\n",
     NULL,
     {"byte 64 of a variable in local memory, which has 64 bytes", ":15,"}},
    {"private_variable_into_the_next",
     "  int a[8], b[8];\n"
     "  for (int j = 0; j < 8; j++) { a[j + in[0]] = j; b[j + in[0]] = i; }\n"
     "  out[i] = a[(i & 7) + W] + b[i & 7];\n",
     NULL,
     {"byte 32 of a variable in private memory, which has 32 bytes", ":13,"}},
    {"constant_index_of_a_local_variable",
     "  local int a[16], b[16];\n  a[l] = b[l] = 1;\n  BARRIER;\n  local int *p = a + 8;\n  out[i] = p[8 * W] + "
     "b[3];\n",
     NULL,
     {"byte 64 of a variable in local memory"}},
    {"constant_index_of_a_local_vector",
     "  local int2 a[16], b[16];\n  a[l] = b[l] = (int2)(i);\n  BARRIER;\n  out[i] = a[16 * W].x + b[3].y;\n",
     NULL,
     {"byte 128 of a variable in local memory, which has 128 bytes", ":14,"}},
    {"far_pointer",
     "  *(global int *)(W ? (size_t)0x4000000 : (size_t)(out + i)) = 1;\n",
     NULL,
     {"0x04000000 is in no buffer"}},
    {"variable_of_the_program",
     "  constant int table[8] = {1, 2, 3, 4, 5, 6, 7, 8};\n  out[i] = table[(in[i] & 7) + W];\n",
     NULL,
     {"byte 32 of a variable of the program, which has 32 bytes", ":12,"}},
    // ---- arrays that the compiler would keep in registers, or constants that it would fold
    {"private_array_in_a_loop",
     "  int w[3] = {1, 2, 1}, sum = 0;\n  for (int j = 0; j < 3 + W; j++)\n    sum += w[j] * in[j];\n  out[i] = sum;\n",
     NULL,
     {"load of 4 bytes out of bounds: byte 12 of a variable in private memory, which has 12 bytes", ":13,"}},
    {"store_to_a_private_array_in_a_loop",
     "  int w[4];\n  for (int j = 0; j < 4 + W; j++)\n    w[j] = in[j];\n  out[i] = w[0] + w[3];\n",
     NULL,
     {"store of 4 bytes out of bounds: byte 16 of a variable in private memory, which has 16 bytes", ":13,"}},
    {"before_a_private_array",
     "  int w[4];\n  for (int j = 0; j < 4; j++) w[j] = in[j];\n  for (int j = 3; j >= 1 - W; j--)\n"
     "    w[j] += w[j - 1];\n  out[i] = w[0] + w[3];\n",
     NULL,
     {"4 bytes before the start of a variable in private memory", ":14,"}},
    {"row_behind_a_private_array",
     "  int w[2][4], sum = 0;\n  for (int r = 0; r < 2; r++)\n    for (int j = 0; j < 4; j++) w[r][j] = in[j];\n"
     "  for (int r = 0; r < 2 + W; r++)\n    for (int j = 0; j < 4; j++) sum += w[r][j];\n  out[i] = sum;\n",
     NULL,
     {"byte 32 of a variable in private memory, which has 32 bytes", ":15,"}},
    {"private_array_given_to_a_function",
     "  int w[4];\n  for (int j = 0; j < 4; j++) w[j] = in[j];\n  out[i] = total(w, 4 + W);\n",
     NULL,
     {"byte 16 of a variable in private memory, which has 16 bytes", ":5,"}},
    {"element_behind_a_vector",
     "  float4 v = convert_float4(vload4(0, in));\n  float sum = 0;\n  for (int j = 0; j < 4 + W; j++)\n"
     "    sum += ((float *)&v)[j];\n  out[i] = sum;\n",
     NULL,
     {"byte 16 of a variable in private memory, which has 16 bytes", ":14,"}},
    {"private_table",
     "  const int table[4] = {1, 2, 3, 4};\n  out[i] = table[(in[i] & 3) + W];\n",
     NULL,
     {"byte 16 of a variable in private memory, which has 16 bytes", ":12,"}},
    {"constant_table_in_a_loop",
     "  int sum = 0;\n  for (int j = 0; j < 4 + W; j++)\n    sum += four[j] * in[j];\n  out[i] = sum;\n",
     NULL,
     {"byte 16 of a variable of the program, which has 16 bytes", ":13,"}},
    {"string",
     "  constant char *digits = \"0123456789abcdef\";\n  out[i] = digits[(in[i] & 15) + 2 * W];\n",
     NULL,
     {"byte 17 of a variable of the program, which has 17 bytes", ":12,"}},
    {"array_in_a_structure",
     "  struct hand { int n; int cards[4]; long sum; } h[2];\n  for (int k = 0; k < 2; k++) {\n    h[k].n = h[k].sum = "
     "k;\n"
     "    for (int j = 0; j < 4; j++) h[k].cards[j] = in[j];\n  }\n  int sum = h[in[i] & 1].n;\n"
     "  for (int j = 0; j < 4 + W; j++)\n    sum += h[in[i] & 1].cards[j];\n  out[i] = sum;\n",
     NULL,
     {"index 4 of a member that is an array of 4 elements", ":18,", "64 times"}},
    {"before_an_array_in_a_structure",
     "  global struct line { int n; short s[6]; char t[8]; } *p = (global struct line *)zeros;\n"
     "  if (i < 8) p[i + 1].s[in[i] % 6 - 6 * W] = 3;\n  out[i] = 1;\n",
     NULL,
     {"index -6 of a member that is an array of 6 elements", ":12,", "(0, 0, 0)"}},
    // ---- values that nobody has written
    {"unwritten_element_of_a_large_array",
     "  int w[24], sum = 0;\n  for (int j = W; j < 24; j++) w[j] = in[j];\n  for (int j = 0; j < 24; j++)\n"
     "    sum += w[j];\n  out[i] = sum;\n",
     NULL,
     {"nobody has written: load of 4 bytes at byte 0 of a variable in private memory", ":14,"}},
    {"unwritten_array_in_the_next_round",
     "  int sum = 0;\n  for (int r = 0; r < 3; r++) {\n    int w[24];\n"
     "    for (int j = 0; j < 24; j++)\n      if (!W || in[r] == 0) w[(in[j] + r) % 24] = in[j];\n"
     "    sum += w[in[r + 5]] + 1;\n  }\n  out[i] = sum;\n",
     NULL,
     {"nobody has written: load of 4 bytes", "of a variable in private memory", ":16,"}},
    {"unwritten_member_of_a_large_structure",
     "  struct many m;\n  m.a = m.c = (int16)(in[i]);\n  if (!W) m.b = in[i];\n  out[i] = m.a.s0 + m.b + m.c.sf;\n",
     NULL,
     {"nobody has written: load of 4 bytes at byte 64 of a variable in private memory", ":14,"}},
    {"unwritten_result_of_a_function",
     "  out[i] = large(in[i] + 100 * !W);\n",
     NULL,
     {"nobody has written: a variable in private memory", ":7,"}},
    {"unwritten_and_broadcast",
     "  int x;\n  if (!W || l == 1) x = in[i];\n  out[i] = work_group_broadcast(x, 0);\n",
     "  int x;\n  if (l == 0) x = in[i];\n  out[i] = work_group_broadcast(x, 0);\n",
     {"nobody has written: a variable in private memory", ":11,"}},
    {"unwritten_global",
     "  out[i] = (W ? scratch : in)[i] * 3;\n",
     NULL,
     {"use of memory that nobody has written: load of 4 bytes", "'scratch'", ":11,"}},
    {"unwritten_local_copied",
     "  if (!W || l != 3) tile[l] = i;\n  BARRIER;\n  out[i] = tile[l];\n",
     NULL,
     {"nobody has written", "byte 12 of", ":13,"}},
    {"unwritten_private",
     "  int a[8];\n  for (int j = 0; j < 8 - W; j++) a[(j + in[0]) & 7] = j + i;\n  out[i] = a[(i + in[0]) & 7] + 1;\n",
     NULL,
     {"nobody has written", "private memory", ":13,"}},
    {"unwritten_variable",
     "  int x;\n  if (!W || in[i] > 40) x = in[i];\n  out[i] = x + 1;\n",
     NULL,
     {"nobody has written: a variable in private memory", ":11,", "used at", ":13"}},
    {"unwritten_flag",
     "  bool found;\n  if (!W) found = false;\n  for (int j = 0; j < 8; j++)\n    if (in[j] == n) found = true;\n"
     "  out[i] = found;\n",
     NULL,
     {"nobody has written: a variable in private memory", ":11,", "used at", ":15"}},
    {"unwritten_small_variable",
     "  uchar x;\n  if (!W || in[i] > 40) x = in[i];\n  out[i] = x;\n",
     NULL,
     {"nobody has written: a variable in private memory", ":11,", "used at", ":13"}},
    {"unwritten_variable_decides",
     "  int x;\n  if (!W || in[i] > 40) x = in[i];\n  if (x > 50) out[i] = 1;\n",
     NULL,
     {"nobody has written: a variable in private memory", ":11,"}},
    {"unwritten_and_printed",
     "  if (!W) scratch[0] = 0;\n  if (i == 0) printf(\"%.0d\", W ? scratch[0] : 0);\n",
     NULL,
     {"nobody has written", "'scratch'", ":12,"}},
    {"unwritten_start_of_a_sum",
     "  int sum;\n  if (!W) sum = 0;\n  for (int j = 0; j < 4; j++) sum += in[j];\n  out[i] = sum;\n",
     NULL,
     {"nobody has written: a variable in private memory", ":11,"}},
    {"unwritten_member",
     "  struct pair p[4];\n  for (int j = 0; j < 4; j++) { p[j].c = j; if (!W) p[j].x = in[j]; }\n"
     "  out[i] = p[in[i] & 3].x + 1;\n",
     NULL,
     {"nobody has written", "in private memory", ":13,"}},
    {"unwritten_in_each_round",
     "  int sum = 0;\n  for (int j = 0; j < 4; j++) {\n    int x;\n    if (!W || j == 0) x = in[j];\n    sum += x;\n  "
     "}\n"
     "  out[i] = sum;\n",
     NULL,
     {"nobody has written: a variable in private memory", ":13,"}},
    {"unwritten_and_copied_beside_another",
     "  if (!W || l != 5) tile[l] = i;\n  BARRIER;\n  if (i < 32) {\n    out[2 * i] = tile[l];\n"
     "    out[2 * i + 1] = in[i];\n  }\n",
     NULL,
     {"nobody has written: load of 4 bytes at byte 20 of 'tile' in local memory", ":14,"}},
    {"unwritten_beside_what_is_computed",
     "  if (!W || l != 5) tile[l] = i;\n  BARRIER;\n  if (i < 32)\n"
     "    vstore2((int2)(tile[l], in[i] > 3 ? in[i] * 2 : 7), i, out);\n",
     NULL,
     {"nobody has written: load of 4 bytes at byte 20 of 'tile' in local memory", ":14,"}},
    {"unwritten_and_copied_in_a_loop",
     "  if (!W || l != 5) tile[l] = i;\n  BARRIER;\n  if (l == 0)\n    for (int j = 0; j < 16; j++)\n"
     "      out[i + j] = tile[j];\n",
     NULL,
     {"nobody has written: load of 4 bytes at byte 20 of 'tile' in local memory", ":15,"}},
    {"unwritten_element_of_a_vector_that_is_copied",
     "  if (!W || l != 5) tile[l] = i;\n  BARRIER;\n  if (l % 4 == 0)\n    vstore4(vload4(l / 4, tile), i / 4, out);\n",
     NULL,
     {"nobody has written: load of 4 bytes at byte 20 of 'tile' in local memory", ":14,"}},
    {"unwritten_member_beside_another",
     "  struct pair p[4];\n  for (int j = 0; j < 4; j++) {\n    p[j].c = j;\n    if (!W) p[j].x = in[j];\n"
     "    p[j].y = in[j];\n  }\n  if (i < 32) {\n    out[2 * i] = p[in[i] & 3].x;\n"
     "    out[2 * i + 1] = p[in[i] & 3].y;\n  }\n",
     NULL,
     {"nobody has written: load of 4 bytes", "private memory", ":18,"}},
    {"unwritten_bytes_that_are_copied",
     "  local uchar *bytes = (local uchar *)tile;\n  if (!W || l != 5) bytes[l] = i;\n  BARRIER;\n"
     "  ((global uchar *)out)[i] = bytes[l];\n",
     NULL,
     {"nobody has written: load of 1 bytes at byte 5 of 'tile' in local memory", ":14,"}},
    {"unwritten_branch", "  if (!W) scratch[i] = i;\n  if (scratch[i] > 4) out[i] = 1;\n", NULL, {"'scratch'", ":12"}},
    {"unwritten_index", "  if (!W) scratch[i] = i;\n  out[scratch[i] & 63] = 1;\n", NULL, {"'scratch'", ":12"}},
    {"unwritten_counter", "  atomic_inc(W ? &scratch[0] : &zeros[0]);\n", NULL, {"'scratch'", ":11"}},
    {"unwritten_sum",
     "  if (!W || l % 4) tile[l] = i;\n  BARRIER;\n  out[i] = sub_group_reduce_add(tile[l]);\n",
     NULL,
     {"nobody has written", ":13"}},
    // ---- addresses of vectors that are no multiples of their sizes
    {"misaligned_vector",
     "  const int4 v = *(global int4 *)(in + 4 * (i & 7) + W);\n  out[i] = v.x + v.w;\n",
     NULL,
     {"misaligned load at byte 4 of 'in', which is no multiple of 16", ":11,", "(0, 0, 0)"}},
    {"misaligned_store_of_a_vector",
     "  local int2 *p = (local int2 *)(tile + W);\n  if (l < 4) p[l] = (int2)(i);\n",
     NULL,
     {"misaligned store at byte 4 of 'tile' in local memory, which is no multiple of 8", ":12,"}},
    {"misaligned_long",
     "  out[i] = ((global long *)(in + W))[i & 15] >> 32;\n",
     NULL,
     {"misaligned load at byte 4 of 'in', which is no multiple of 8", ":11,"}},
    // ---- races
    {"race_in_local_memory",
     "  tile[l] = i;\n  if (!W) BARRIER;\n  out[i] = tile[last - l];\n",
     NULL,
     {"data race", "store", ":11,", ":13,"}},
    {"race_of_sums",
     "  if (W) zeros[0] += i; else atomic_add(&zeros[0], i);\n",
     NULL,
     {"data race on byte 0 of 'zeros'"}},
    {"race_between_work_groups",
     "  out[i] = i;\n  BARRIER;\n  int x = out[W ? (i + 16) & 63 : (i & ~15) + last - l];\n  in[i] = x;\n",
     NULL,
     {"data race on byte", "'out'", ":11,", ":13,"}},
    {"race_between_sub_groups",
     "  tile[l] = i;\n  if (W) sub_group_barrier(CLK_LOCAL_MEM_FENCE); else BARRIER;\n  out[i] = tile[last - l];\n",
     "  tile[l] = i;\n  sub_group_barrier(CLK_LOCAL_MEM_FENCE);\n  out[i] = tile[l ^ 3];\n",
     {"data race", ":11,", ":13,"}},
    {"race_of_atomic_and_load",
     "  atomic_add(&zeros[0], i);\n  out[i] = W ? zeros[0] : zeros[1];\n",
     NULL,
     {
         "data race on byte 0 of 'zeros'",
         "atomic access",
         "load",
         ":11,",
     }},
    {"race_behind_an_atomic_of_its_own",
     "  atomic_add(&zeros[0], 1);\n  if (i == n - 1) zeros[W ? 0 : 1] = -5;\n",
     NULL,
     {"data race on byte 0 of 'zeros'", "atomic access", ":11,", ":12,"}},
    {"race_behind_an_atomic_load_of_its_own",
     "  out[i] = atomic_load((volatile global atomic_int *)zeros);\n  if (i == n - 1) zeros[W ? 0 : 1] = -5;\n",
     NULL,
     {"data race on byte 0 of 'zeros'", "atomic access", ":11,", ":12,"}},
    {"race_of_elements_of_a_vector",
     "  global int4 *v = (global int4 *)zeros;\n  if (i < 8) v[i / 2 + W].x = i;\n"
     "  if (i >= 8 && i < 12) v[i - 8].w = 3;\n  if (i == 12) out[0] = v[1].y;\n",
     "  global int4 *v = (global int4 *)zeros;\n  if (i < 8) v[i].x = i;\n"
     "  if (i >= 8 && i < 16) v[i - 8].w = 3;\n  if (i == 12) out[0] = v[1].y;\n",
     {"data race", "'zeros'", ":12,"}},
    {"race_of_stores", "  out[W ? 7 : i] = i;\n", NULL, {"data race on byte 28 of 'out'", "store"}},
    {"race_of_bytes", "  ((global char *)out)[i / (1 + W)] = i;\n", NULL, {"data race", "'out'"}},
    {"race_of_a_message",
     "  if (i == 20) { out[0] = 5; if (!W) mem_fence(CLK_GLOBAL_MEM_FENCE); atomic_xchg(&zeros[0], 1); }\n"
     "  if (i == 40) {\n"
     "    while (atomic_or(&zeros[0], 0) == 0) ;\n"
     "    if (!W) mem_fence(CLK_GLOBAL_MEM_FENCE);\n"
     "    in[0] = out[0];\n"
     "  }\n",
     NULL,
     {"data race on byte 0 of 'out'", ":11,", ":15,"}},
    {"race_on_memory_that_a_barrier_does_not_order",
     "  out[i] = i;\n  barrier(W ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE);\n  in[i] = out[(i & ~15) + last - "
     "l];\n",
     NULL,
     {"data race", "'out'", ":11,", ":13,"}},
    {"race_of_an_asynchronous_copy",
     "  tile[l] = i;\n  if (!W) BARRIER;\n  event_t e = async_work_group_copy(out + (i & ~15), tile, 16, 0);\n"
     "  wait_group_events(1, &e);\n",
     NULL,
     {"data race", "local memory", ":11,", ":13,"}},
    // ---- barriers and collectives that not all reach
    {"divergent_barrier", "  if (l < 8 || !W) BARRIER;\n  out[i] = i;\n", NULL, {"divergent barrier", ":11,"}},
    {"collective_that_some_go_round",
     "  if (!W || l & 1) out[i] = sub_group_reduce_add(i);\n  in[i] = i + 1;\n",
     NULL,
     {"divergent collective: a work-item has gone on without it", ":11,", "the other, work-item"}},
    {"barrier_of_a_sub_group_that_some_go_round",
     "  if (!W || l & 1) sub_group_barrier(CLK_LOCAL_MEM_FENCE);\n  out[i] = i + 1;\n",
     NULL,
     {"divergent collective: a work-item has gone on without it", ":11,"}},
    {"divergent_sub_group",
     "  int x = 0;\n  if (l % 2 || !W) x = sub_group_reduce_add(i);\n  else x = sub_group_scan_inclusive_add(i);\n  "
     "out[i] = x;\n",
     NULL,
     {"divergent collective"}},
    {"barriers_in_a_loop",
     "  for (int j = 0; j < (W ? l & 1 : 1) + 1; j++) { tile[l] = j; BARRIER; }\n  BARRIER;\n  out[i] = tile[l];\n",
     NULL,
     {"divergent collective"}},
    {"different_sources",
     "  out[i] = sub_group_broadcast(in[i], W ? get_sub_group_local_id() : 1);\n",
     NULL,
     {"broadcast from different work-items", ":11,"}},
    // ---- a plain access that its own work-item's atomics do not hide
    {"store_before_atomics_of_all",
     "  volatile local atomic_int *c = (volatile local atomic_int *)tile;\n"
     "  if (l == 0) tile[0] = 7;\n  if (!W) BARRIER;\n"
     "  atomic_fetch_add(c, 1);\n  BARRIER;\n  out[i] = tile[0];\n",
     NULL,
     {"data race on byte 0 of 'tile' in local memory", "atomic access", ":14,", ":12,"}},
    {"load_before_an_atomic_load",
     "  volatile local atomic_int *c = (volatile local atomic_int *)tile;\n  int x = 0;\n"
     "  if (l == 0) atomic_store(c, 0);\n  BARRIER;\n  if (l == 0) { if (W) x = tile[0]; x += atomic_load(c); }\n"
     "  if (l == 15) atomic_fetch_add(c, 1);\n  out[i] = x;\n",
     NULL,
     {"data race on byte 0 of 'tile' in local memory", ":15,", ":16,"}},
    // ---- variables that nobody has written, stored beside others
    {"variable_beside_another",
     "  int count = in[i], first;\n  if (!W || in[i] > 500) first = 5;\n"
     "  out[(2 * i) & 63] = count;\n  out[(2 * i + 1) & 63] = first;\n",
     "  int count = in[i], first;\n  first = 5;\n"
     "  if (i < 32) { out[(2 * i) & 63] = count;\n  out[(2 * i + 1) & 63] = first; }\n",
     {"use of memory that nobody has written: a variable", ":11,"}},
    {"element_of_a_vector",
     "  int4 v;\n  v.xyz = (int3)(in[i]);\n  if (!W || in[i] > 500) v.w = 1;\n"
     "  if (i < 16) vstore4(v, i, out);\n",
     NULL,
     {"use of memory that nobody has written: a variable", ":11,"}},
};

#endif
