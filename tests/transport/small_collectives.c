// SPDX-License-Identifier: Apache-2.0
// Collectives of a small device (rtl/small), which its core carries out lane by lane and its firmware finishes: every
// one of 32 bits as the instruction encodes it, against loops written here, on boards of 2 and of 8 lanes; and how many
// cycles they take.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/opencl/harness.h"
#include "tests/transport/board_checks.h"
#include "tests/transport/small_board.h"

// ---- Results

// contract/DEVICE.md, custom-0.
enum { REDUCE, INCLUSIVE, EXCLUSIVE, BROADCAST, ALL, ANY, SHUFFLE, BALLOT };
enum { ADD, MIN, MAX };  // of types INT and UINT
enum { AND, OR, XOR };   // of type BITS
enum { INT, UINT, BITS = 3 };
enum { CONVERGED = 0, WORK_GROUP = 1, AT_ONCE = 2 };
enum { MOST_CASES = 64, MOST_SOURCE = 16384, NOT_WRITTEN = 0x5A5A5A5A };

struct collective {
  unsigned scope, type, mode, op;
};

static size_t all_collectives(unsigned scope, struct collective *cases) {
  static const bool modes_of[][BALLOT + 1] = {
      [CONVERGED] = {[BROADCAST] = true, [ALL] = true, [ANY] = true},
      [WORK_GROUP] = {[BROADCAST] = true, [ALL] = true, [ANY] = true},
      [AT_ONCE] = {[ALL] = true, [ANY] = true, [SHUFFLE] = true, [BALLOT] = true},
  };
  size_t count = 0;
  static const unsigned types[] = {INT, UINT, BITS};
  for (unsigned mode = REDUCE; mode <= EXCLUSIVE; mode++)
    for (unsigned op = 0; op < 3; op++)
      for (size_t type = 0; type < sizeof types / sizeof *types; type++)
        cases[count++] = (struct collective){scope, types[type], mode, op};
  for (unsigned mode = BROADCAST; mode <= BALLOT; mode++)
    if (modes_of[scope][mode])
      cases[count++] = (struct collective){.scope = scope, .mode = mode};
  return count;
}

static uint32_t combined(const struct collective *c, uint32_t x, uint32_t y) {
  if (c->type == BITS)
    return c->op == AND ? x & y : c->op == OR ? x | y : x ^ y;
  const bool smaller = c->type == INT ? (int32_t)x < (int32_t)y : x < y;
  return c->op == ADD ? x + y : smaller == (c->op == MIN) ? x : y;
}

static uint32_t identity_of(const struct collective *c) {
  if (c->type == BITS)
    return c->op == AND ? UINT32_MAX : 0;
  const uint32_t most = c->type == INT ? INT32_MAX : UINT32_MAX, least = c->type == INT ? 0x80000000u : 0;
  return c->op == ADD ? 0 : c->op == MIN ? most : least;
}

// What lane `lane` of those in `active` gets, of `size` lanes with these values and second operands.
static uint32_t expected_of(const struct collective *c, const uint32_t *a, const uint32_t *b, size_t size,
                            uint32_t active, size_t lane) {
  uint32_t before = identity_of(c), all = before, ballot = 0;
  for (size_t i = 0; i < size; i++)
    if (active >> i & 1) {
      if (i < lane)
        before = combined(c, before, a[i]);
      all = combined(c, all, a[i]);
      ballot |= (uint32_t)(a[i] != 0) << i;
    }
  const uint32_t from = c->mode == SHUFFLE ? b[lane] % 32 : b[lane];
  switch (c->mode) {
    case REDUCE:
      return all;
    case INCLUSIVE:
      return combined(c, before, a[lane]);
    case EXCLUSIVE:
      return before;
    case ALL:
      return ballot == active;
    case ANY:
      return ballot != 0;
    case BALLOT:
      return ballot;
    default:
      return from < size && (active >> from & 1) ? a[from] : 0;
  }
}

// A kernel of each collective of a scope. Of active sets chance says who is there.
static cl_kernel kernel_of_collectives(const struct collective *cases, size_t count) {
  static char source[MOST_SOURCE];
  size_t length =
      (size_t)snprintf(source, sizeof source,
                       "kernel void k(global const uint *as, global const uint *bs, global const uint *here,"
                       "  global uint *out, uint stay) {"
                       "  size_t i = get_global_id(0);"
                       "  uint a = as[i], b = bs[i], r;"
                       "  if (get_local_id(0) >= stay) return;"
                       "  out += i * %zu;",
                       count);
  for (size_t n = 0; n < count; n++) {
    const struct collective *c = &cases[n];
    char when[64] = "";
    if (c->scope == AT_ONCE)
      snprintf(when, sizeof when, "if (here[2 * i + %zu] >> %zu & 1)", n / 32, n % 32);
    length += (size_t)snprintf(source + length, sizeof source - length,
                               "r = 0x%X; %s __asm__ volatile(\".insn r 0x0B, %u, %u, %%0, %%1, %%2\" : \"+r\"(r) : "
                               "\"r\"(a), \"r\"(b)); out[%zu] = r;",
                               NOT_WRITTEN, when, c->scope, c->type << 5 | c->mode << 2 | c->op, n);
  }
  cr_assert(length + 2 < sizeof source);
  strcat(source, "}");
  return kernel_of(build(source, "-cl-std=CL3.0"), "k");
}

// It runs for groups of `local` work-items, `lanes` of which share a collective; those from `stay` on return before.
static void expect_collectives(cl_kernel kernel, const struct collective *cases, size_t count, size_t lanes,
                               size_t local, size_t stay, uint32_t *seed) {
  enum { GROUPS = 3 };
  const size_t items = GROUPS * local;
  const uint32_t corners[] = {0, 1, 0x7FFFFFFF, 0x80000000, UINT32_MAX, 7, 8, 0x100, 0x80000001};
  const size_t num_corners = sizeof corners / sizeof *corners;
  uint32_t *a = allocate(4 * items), *b = allocate(4 * items), *here = allocate(4 * items * 2);
  uint32_t *out = allocate(4 * items * count), *expected = allocate(4 * items * count);
  for (size_t i = 0; i < items; i++) {
    const size_t lane = i % local % lanes;
    a[i] = random_u32(seed) % 3 != 0 ? random_u32(seed) : corners[random_u32(seed) % num_corners];
    // A broadcast's is the same in every lane.
    b[i] = lane != 0                   ? b[i - 1]
           : random_u32(seed) % 4 != 0 ? random_u32(seed) % (uint32_t)lanes
                                       : corners[i % num_corners];
    here[2 * i] = random_u32(seed);
    here[2 * i + 1] = random_u32(seed);
  }
  for (size_t i = 0; i < items; i++)
    for (size_t n = 0; n < count; n++) {
      const size_t lane = i % local % lanes, first = i - lane, end = i / local * local + local;
      const size_t size = end - first < lanes ? end - first : lanes, within = first % local;
      uint32_t active = 0;
      for (size_t j = 0; j < size; j++)
        active |= (within + j < stay && (cases[n].scope != AT_ONCE || (here[2 * (first + j) + n / 32] >> n % 32 & 1)))
                  << j;
      expected[i * count + n] = active >> lane & 1 ? expected_of(&cases[n], a + first, b + first, size, active, lane)
                                : within + lane >= stay ? 0
                                                        : NOT_WRITTEN;
    }
  cl_mem as = buffer_with(a, 4 * items), bs = buffer_with(b, 4 * items), masks = buffer_with(here, 4 * items * 2),
         to = buffer_with(NULL, 4 * items * count);
  const cl_uint stays = (cl_uint)stay;
  set_args(kernel, ARG(as), ARG(bs), ARG(masks), ARG(to), ARG(stays), END_ARGS);
  run_1d(kernel, items, local);
  read_buffer(to, out, 4 * items * count);
  expect_u32("what collectives give", expected, out, items * count);
}

// A full group, one whose last sub-group is smaller, and one of which some have returned.
static void expect_all_collectives(const char *board, unsigned scope, size_t lanes) {
  struct collective cases[MOST_CASES];
  const size_t count = all_collectives(scope, cases);
  uint32_t seed = 17 + scope;
  small_board_plug_in(board);
  cl_kernel kernel = kernel_of_collectives(cases, count);
  for (size_t local = 8; local > 6; local--)
    expect_collectives(kernel, cases, count, scope == WORK_GROUP ? local : lanes, local, local, &seed);
  expect_collectives(kernel, cases, count, scope == WORK_GROUP ? 8 : lanes, 8, 5, &seed);
}

Test(small_collectives, of_two_lanes_give_what_loops_give, .timeout = 240) {
  expect_all_collectives("icebreaker", CONVERGED, 2);
}

Test(small_collectives, of_those_of_two_lanes_that_are_there_give_what_loops_give, .timeout = 240) {
  expect_all_collectives("icebreaker", AT_ONCE, 2);
}

Test(small_collectives, of_eight_lanes_give_what_loops_give, .timeout = 240) {
  expect_all_collectives("icebreaker-8", CONVERGED, 8);
}

Test(small_collectives, of_those_of_eight_lanes_that_are_there_give_what_loops_give, .timeout = 240) {
  expect_all_collectives("icebreaker-8", AT_ONCE, 8);
}

Test(small_collectives, of_work_groups_of_several_sub_groups_give_what_loops_give, .timeout = 240) {
  expect_all_collectives("icebreaker", WORK_GROUP, 2);
}

Test(small_collectives, of_work_groups_of_one_sub_group_give_what_loops_give, .timeout = 240) {
  expect_all_collectives("icebreaker-8", WORK_GROUP, 8);
}

Test(small_collectives, x0_is_nothing_to_read_and_nowhere_to_write, .timeout = 120) {
  enum { LANES = 8, WORDS = 4 };
  uint32_t out[LANES * WORDS], expected[LANES * WORDS];
  for (uint32_t i = 0; i < LANES; i++)
    memcpy(expected + WORDS * i, (const uint32_t[WORDS]){0, 10, i == 0 ? INT32_MAX : 0, 10 + i}, 4 * WORDS);
  small_board_plug_in("icebreaker-8");
  cl_program program = build(
      "kernel void k(global uint *out) {"
      "  uint i = get_global_id(0), a = 10 + i, zero, first, least;"
      "  __asm__ volatile(\".insn r 0x0B, 0, 0, x0, %0, x0\" : : \"r\"(a));"
      "  __asm__ volatile(\".insn r 0x0B, 0, 0, %0, x0, x0\" : \"=r\"(zero));"
      "  __asm__ volatile(\".insn r 0x0B, 0, 12, %0, %1, x0\" : \"=r\"(first) : \"r\"(a));"
      "  __asm__ volatile(\".insn r 0x0B, 0, 24, x0, x0, x0\");"
      "  __asm__ volatile(\".insn r 0x0B, 2, 9, %0, x0, x0\" : \"=r\"(least));"
      "  out[4 * i] = zero; out[4 * i + 1] = first; out[4 * i + 2] = least;"
      "  out[4 * i + 3] = a;"
      "}",
      "-cl-std=CL3.0");
  cl_mem to = buffer_with(NULL, sizeof out);
  cl_kernel kernel = kernel_of(program, "k");
  set_args(kernel, ARG(to), END_ARGS);
  run_1d(kernel, LANES, LANES);
  read_buffer(to, out, sizeof out);
  expect_u32("results", expected, out, LANES * WORDS);
}

Test(small_collectives, that_do_not_exist_are_illegal_instructions, .timeout = 240) {
  // funct3 and funct7: operators, types, modes that there are not, and a barrier that gives something.
  static const unsigned none[][2] = {{0, 0x03}, {0, 0x40}, {2, 0x63}, {0, 0x0D}, {0, 0x30}, {0, 0x1C},
                                     {0, 0x18}, {2, 0x0C}, {2, 0x1D}, {1, 0x03}, {5, 0x00}, {0, 0x63},
                                     {1, 0x6B}, {0, 0x6C}, {1, 0x70}, {2, 0x78}};
  small_board_plug_in("icebreaker");
  for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
    char source[256];
    snprintf(source, sizeof source,
             "kernel void k(global uint *out) {"
             "  uint r; __asm__ volatile(\".insn r 0x0B, %u, %u, %%0, x0, x0\" : \"=r\"(r)); out[0] = r; }",
             none[i][0], none[i][1]);
    expect_faults(source, "illegal instruction");
  }
}

// ---- Cycles

// What each collective takes: from one reading of the clock to the next, less what nothing takes between two.
enum { TIMED = 8, TIMES = 4 };

static void expect_cycles(const char *board, const char *scope, size_t size, const uint32_t *most) {
  static const char *const names[TIMED] = {"reduce_add(a)",
                                           "reduce_min((int)a)",
                                           "scan_inclusive_add(a)",
                                           "scan_exclusive_max(a)",
                                           "any(a)",
                                           "all(a)",
                                           "broadcast(a, 1)",
                                           "barrier"};
  static char source[MOST_SOURCE];
  small_board_plug_in(board);
  int length = snprintf(source, sizeof source,
                        "#pragma OPENCL EXTENSION cl_khr_kernel_clock : enable\n"
                        "kernel void k(global const uint *in, global uint *out) {"
                        "  uint a = in[get_global_id(0)];"
                        "  uint t0, t1, r;");
  for (size_t i = 0; i <= TIMED; i++) {
    char what[128] = "";
    if (i < TIMED)
      snprintf(what, sizeof what, i == TIMED - 1 ? "%s_%s(0);" : "r = %s_%s; __asm__ volatile(\"\" : : \"r\"(r));",
               scope, names[i]);
    length += snprintf(source + length, sizeof source - (size_t)length,
                       "for (int i = 0; i < %d; i++) { t0 = clock_read_hilo_device().x; %s t1 = "
                       "clock_read_hilo_device().x; out[%zu * %d + i] = t1 - t0; }",
                       TIMES, what, i, TIMES);
  }
  snprintf(source + length, sizeof source - (size_t)length, "}");
  uint32_t in[8] = {0}, out[(TIMED + 1) * TIMES];
  cl_program program = build(source, "-cl-std=CL3.0");
  cl_mem from = buffer_with(in, sizeof in), to = buffer_with(NULL, sizeof out);
  cl_kernel kernel = kernel_of(program, "k");
  set_args(kernel, ARG(from), ARG(to), END_ARGS);
  run_1d(kernel, size, size);
  read_buffer(to, out, sizeof out);
  // The host's accesses and the look from time to time take some: the least of several.
  uint32_t least[TIMED + 1];
  for (size_t i = 0; i <= TIMED; i++) {
    least[i] = UINT32_MAX;
    for (size_t j = 0; j < TIMES; j++)
      least[i] = out[i * TIMES + j] < least[i] ? out[i * TIMES + j] : least[i];
  }
  for (size_t i = 0; i < TIMED; i++) {
    const uint32_t cycles = least[i] - least[TIMED];
    printf("%s_%s of %zu: %u cycles\n", scope, names[i], size, cycles);
    cr_expect(cycles <= most[i], "%s_%s of %zu takes %u cycles, more than %u", scope, names[i], size, cycles, most[i]);
  }
}

Test(small_collectives, of_two_lanes_take_a_few_cycles_a_lane, .timeout = 120) {
  static const uint32_t most[TIMED] = {12, 12, 10, 10, 12, 12, 12, 5};
  expect_cycles("icebreaker", "sub_group", 2, most);
}

Test(small_collectives, of_eight_lanes_take_a_few_cycles_a_lane, .timeout = 120) {
  static const uint32_t most[TIMED] = {36, 36, 28, 28, 36, 36, 18, 5};
  expect_cycles("icebreaker-8", "sub_group", 8, most);
}

Test(small_collectives, of_work_groups_take_no_more_cycles_than_the_readme_says, .timeout = 120) {
  static const uint32_t most[TIMED] = {7500, 7500, 7500, 7500, 7500, 7500, 10000, 7500};
  expect_cycles("icebreaker", "work_group", 8, most);
}
