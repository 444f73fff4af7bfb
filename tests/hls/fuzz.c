// SPDX-License-Identifier: Apache-2.0
// Random kernels with collectives, barriers and divergence between them, in arithmetic that wraps (signed overflow
// would be undefined, and the two builds free to differ): optimised code gives what unoptimised code gives, on several
// sub-group sizes, and no collective is duplicated so that lanes would wait for each other in vain.
#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/hls/compiler.h"
#include "tests/hls/device.h"

enum { ITEMS = 24, OUTPUTS = 4, DEPTH = 4 };

struct writer {
  char text[16384];
  size_t used;
  uint64_t state;
  int loops;
};

static uint32_t pick(struct writer *w, uint32_t count) {
  w->state ^= w->state << 13;
  w->state ^= w->state >> 7;
  w->state ^= w->state << 17;
  return (uint32_t)(w->state >> 20) % count;
}

static void put(struct writer *w, const char *format, ...) {
  va_list rest;
  va_start(rest, format);
  w->used += (size_t)vsnprintf(w->text + w->used, sizeof w->text - w->used, format, rest);
  va_end(rest);
  cr_assert_lt(w->used, sizeof w->text);
}

// v0 to v3 differ between work-items; n and the loop counters do not.
static void statement(struct writer *w, int depth, bool is_uniform);

static void block(struct writer *w, int depth, bool is_uniform) {
  put(w, "{ ");
  for (uint32_t i = 0; i <= pick(w, 3); i++)
    statement(w, depth + 1, is_uniform);
  put(w, "} ");
}

static void collective(struct writer *w) {
  static const char *const functions[] = {"reduce_add", "reduce_max", "scan_inclusive_add", "scan_exclusive_min",
                                          "scan_inclusive_max"};
  uint32_t to = pick(w, 4), from = pick(w, 4);
  const char *scope = pick(w, 3) == 0 ? "work" : "sub";
  switch (pick(w, 5)) {
    case 0:
      put(w, "ADD(v%u, %s_group_any(v%u > %u)); ", to, scope, from, pick(w, 40));
      break;
    case 1:
      put(w, "v%u ^= %s_group_broadcast(v%u, 0); ", to, scope, from);
      break;
    case 2:  // through local memory
      put(w, "barrier(CLK_LOCAL_MEM_FENCE); l[i] = v%u; barrier(CLK_LOCAL_MEM_FENCE); ADD(v%u, l[(i + %u) %% %d]); ",
          from, to, pick(w, ITEMS), ITEMS);
      break;
    default:
      put(w, "v%u ^= %s_group_%s(v%u & 1023); ", to, scope, functions[pick(w, 5)], from);
  }
}

static void statement(struct writer *w, int depth, bool is_uniform) {
  uint32_t a = pick(w, 4), b = pick(w, 4), kind = pick(w, depth < DEPTH ? 10 : 5);
  if (kind >= 2 && kind < 5 && is_uniform) {
    collective(w);
  } else if (kind < 5) {
    static const char *const plain[] = {"ADD(v%u, MUL(v%u, %u)); ", "v%u = v%u / (int)(%u + 3); ",
                                        "v%u ^= as_int(as_uint(v%u) << (%u & 7)); ",
                                        "v%u = v%u > %u ? v0 : MUL(v1, 1) ^ 1; ", "ADD(v%u, helper(v%u, %u)); "};
    put(w, plain[pick(w, 5)], a, b, pick(w, 50));
  } else if (kind < 7) {  // a condition that differs: no collectives inside
    put(w, "if ((v%u & %u) == %u) ", a, 1 + pick(w, 7), pick(w, 3));
    block(w, depth, false);
    if (pick(w, 2) == 0) {
      put(w, "else ");
      block(w, depth, false);
    }
  } else if (kind == 7 && is_uniform) {  // the same for all
    put(w, "if ((n & %u) != 0) ", 1 + pick(w, 7));
    block(w, depth, true);
    put(w, "else ");
    block(w, depth, true);
  } else if (kind == 8 && is_uniform) {
    int loop = w->loops++;
    put(w, "for (int c%d = 0; c%d < %s%u; c%d++) ", loop, loop, pick(w, 2) == 0 ? "n % 4 + " : "", 1 + pick(w, 4),
        loop);
    block(w, depth, true);
  } else {  // a trip count that differs
    int loop = w->loops++;
    put(w, "for (int c%d = 0; c%d < (v%u & 3); c%d++) { ", loop, loop, a, loop);
    statement(w, depth + 1, false);
    if (pick(w, 3) == 0)
      put(w, "if (v%u == c%d) %s; ", b, loop, pick(w, 2) == 0 ? "break" : "continue");
    put(w, "ADD(v%u, 1); } ", pick(w, 4) == a ? (a + 1) % 4 : b);
  }
  put(w, "\n");
}

static void write_kernel(struct writer *w) {
  put(w,
      "#define ADD(a, b) a = as_int(as_uint(a) + as_uint(b))\n#define MUL(a, b) as_int(as_uint(a) * (uint)(b))\n"
      "int helper(int x, int y) { for (int i = 0; i < (x & 3); i++) if (y & i) ADD(x, y); else ADD(y, ~x); return x ^ "
      "y; }\n"
      "kernel void k(global int *out, int n) { local int l[%d]; int i = get_local_id(0);\n"
      "int v0 = i * 7, v1 = i ^ 5, v2 = n - i, v3 = i & 3;\n",
      ITEMS);
  for (int i = 0; i < 6; i++)
    statement(w, 0, true);
  put(w, "out[i * 4] = v0; out[i * 4 + 1] = v1; out[i * 4 + 2] = v2; out[i * 4 + 3] = v3; }\n");
}

Test(fuzz, optimisation_changes_no_result_and_no_meeting_point, .timeout = 7000) {
  int rounds = getenv("HEDDLE_TEST_LONG") ? 1500 : 40;
  const char *only = getenv("HEDDLE_FUZZ_SEED");
  for (int seed = only ? atoi(only) : 1; seed <= (only ? atoi(only) : rounds); seed++) {
    struct writer *w = calloc(1, sizeof *w);
    w->state = 0x9E3779B97F4A7C15u * (uint64_t)seed;
    write_kernel(w);
    struct result fast = compile_well(w->text, "-cl-std=CL3.0", NULL);
    struct result plain = compile_well(w->text, "-cl-std=CL3.0", "-cl-opt-disable", NULL);
    for (uint32_t size = 2; size <= 8; size *= 2) {
      int a[ITEMS * OUTPUTS] = {0}, b[ITEMS * OUTPUTS] = {0};
      struct dispatch dispatch = {.kernel = "k",
                                  .global = {ITEMS},
                                  .local = {ITEMS},
                                  .sub_group_size = size,
                                  .buffers = {{a, sizeof a}},
                                  .values = {(uint32_t)seed}};
      run_kernel(&fast, &dispatch);
      dispatch.buffers[0].data = b;
      run_kernel(&plain, &dispatch);
      cr_assert_arr_eq(a, b, sizeof a, "seed %d, sub-group size %u: HEDDLE_FUZZ_SEED=%d runs it alone\n%s", seed, size,
                       seed, w->text);
    }
    result_free(&fast);
    result_free(&plain);
    free(w);
  }
}
