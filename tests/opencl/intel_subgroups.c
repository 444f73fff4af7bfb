// SPDX-License-Identifier: Apache-2.0
// cl_intel_subgroups and cl_intel_subgroups_short: each shuffle of each type, each block read and write, at every
// sub-group size the device offers, against what the extensions' text defines. What it leaves undefined is not looked
// at: indices out of range, work-items that do not take part, blocks of a sub-group that is not full.
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/opencl/harness.h"
#include "tests/opencl/reference.h"

enum shuffle { SHUFFLE, SHUFFLE_XOR, SHUFFLE_DOWN, SHUFFLE_UP, SHUFFLES };
static const char *const shuffle_names[SHUFFLES] = {"intel_sub_group_shuffle", "intel_sub_group_shuffle_xor",
                                                    "intel_sub_group_shuffle_down", "intel_sub_group_shuffle_up"};

enum { WIDTHS = 6, WIDTH_MAX = 16, ALL_WIDTHS = 1 + 2 + 3 + 4 + 8 + 16, SIZE_MAX_LOG2 = 5 };
static const int widths[WIDTHS] = {1, 2, 3, 4, 8, 16};

// What a work-item brings: two vectors, an argument for each shuffle, and which arm of the branch it takes.
struct input {
  uint64_t first[WIDTH_MAX], second[WIDTH_MAX];  // bits, as of reference_bits
  uint32_t argument[SHUFFLES];
  uint32_t arm;
};

// Both arms have the same calls, so that those who shuffle with one another are those that take the same arm.
static const char shuffles_source[] =
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    "#define CAT_(a, b) a##b\n"
    "#define CAT(a, b) CAT_(a, b)\n"
    "#define GET1(i, p) (p)[i]\n"
    "#define PUT1(v, i, p) (p)[i] = (v)\n"
    "#define WIDTH(V, n, GET, PUT) { V a = GET(0, in), b = GET(0, in + 16); \\\n"
    "  PUT(intel_sub_group_shuffle(a, how[0]), 0, out); PUT(intel_sub_group_shuffle_xor(a, how[1]), 0, out + n); \\\n"
    "  PUT(intel_sub_group_shuffle_down(a, b, how[2]), 0, out + 2 * n); \\\n"
    "  PUT(intel_sub_group_shuffle_up(b, a, how[3]), 0, out + 3 * n); out += 4 * n; }\n"
    "#ifdef VECTORS\n"
    "#define CALLS WIDTH(T, 1, GET1, PUT1) WIDTH(CAT(T, 2), 2, vload2, vstore2) \\\n"
    "  WIDTH(CAT(T, 3), 3, vload3, vstore3) WIDTH(CAT(T, 4), 4, vload4, vstore4) \\\n"
    "  WIDTH(CAT(T, 8), 8, vload8, vstore8) WIDTH(CAT(T, 16), 16, vload16, vstore16)\n"
    "#else\n"
    "#define CALLS WIDTH(T, 1, GET1, PUT1)\n"
    "#endif\n"
    "__attribute__((noinline)) void both(global const T *in, global const uint *how, global T *out) {\n"
    "  size_t i = get_global_id(0); in += 32 * i; how += 5 * i; out += RESULTS * i;\n"
    "  if (how[4]) { CALLS } else { CALLS }\n}\n"
    "#define KERNEL(size) __attribute__((intel_reqd_sub_group_size(size))) \\\n"
    "  kernel void k_##size(global const T *in, global const uint *how, global T *out) { both(in, how, out); }\n"
    "KERNEL(1)\n"
    "#if LANES >= 2\nKERNEL(2)\n#endif\n"
    "#if LANES >= 4\nKERNEL(4)\n#endif\n"
    "#if LANES >= 8\nKERNEL(8)\n#endif\n"
    "#if LANES >= 16\nKERNEL(16)\n#endif\n"
    "#if LANES >= 32\nKERNEL(32)\n#endif\n";

static cl_kernel kernel_of_size(cl_program program, uint32_t size) {
  char name[16];
  snprintf(name, sizeof name, "k_%u", size);
  return kernel_of(program, name);
}

// Whose vector a work-item gets, and which of the two, as the text has it; false where it defines nothing.
static bool source_of(enum shuffle shuffle, const struct work_item *me, uint32_t argument, uint32_t *lane,
                      bool *second) {
  const int32_t size = (int32_t)me->max_sub_group_size;
  const uint32_t down = me->sub_group_local_id + argument;          // "the unsigned shuffle index"
  const int32_t up = (int32_t)(me->sub_group_local_id - argument);  // "the signed shuffle index"
  *second = false;
  switch (shuffle) {
    case SHUFFLE:
      *lane = argument;
      break;
    case SHUFFLE_XOR:
      *lane = me->sub_group_local_id ^ argument;
      break;
    case SHUFFLE_DOWN:
      *second = down >= (uint32_t)size;
      *lane = *second ? down - (uint32_t)size : down;
      break;
    default:
      *second = up < 0;
      *lane = (uint32_t)(up < 0 ? up + size : up);
      break;
  }
  return *lane < me->sub_group_size;
}

// Returns how many results the text defines.
static size_t check_shuffles(enum reference_type type, int width_count, const struct work_item *items, size_t count,
                             const struct input *inputs, const unsigned char *got) {
  const size_t bytes = reference_type_bytes(type);
  size_t defined = 0;
  for (size_t i = 0; i < count; i++) {
    const struct work_item *me = &items[i];
    for (int w = 0; w < width_count; w++)
      for (int s = 0; s < SHUFFLES; s++, got += bytes * (size_t)widths[w]) {
        uint32_t lane;
        bool second;
        if (!source_of(s, me, inputs[i].argument[s], &lane, &second))
          continue;
        const struct input *from = &inputs[me->sub_group_first + lane];
        if (from->arm != inputs[i].arm)
          continue;
        defined++;
        for (int e = 0; e < widths[w]; e++) {
          uint64_t result = 0;
          memcpy(&result, got + bytes * (size_t)e, bytes);
          const uint64_t expected = second ? from->second[e] : from->first[e];
          if (result != expected)
            fail("%s of %s, %d wide, element %d: expected 0x%" PRIx64 ", got 0x%" PRIx64
                 "; argument %d, lane %u of %u, largest sub-group %u",
                 shuffle_names[s], reference_type_names[type], widths[w], e, expected, result,
                 (int32_t)inputs[i].argument[s], me->sub_group_local_id, me->sub_group_size, me->max_sub_group_size);
        }
      }
  }
  return defined;
}

static size_t run_shuffles(cl_kernel kernel, enum reference_type type, int width_count, const struct work_item *items,
                           size_t count, size_t local, const struct input *inputs) {
  const size_t bytes = reference_type_bytes(type);
  size_t results = 0;
  for (int w = 0; w < width_count; w++)
    results += SHUFFLES * (size_t)widths[w];
  unsigned char *in = allocate(count * 2 * WIDTH_MAX * bytes), *out = allocate(count * results * bytes);
  uint32_t *how = allocate(count * (SHUFFLES + 1) * 4);
  for (size_t i = 0; i < count; i++) {
    for (size_t e = 0; e < WIDTH_MAX; e++) {
      memcpy(in + (i * 2 * WIDTH_MAX + e) * bytes, &inputs[i].first[e], bytes);
      memcpy(in + (i * 2 * WIDTH_MAX + WIDTH_MAX + e) * bytes, &inputs[i].second[e], bytes);
    }
    memcpy(how + i * (SHUFFLES + 1), inputs[i].argument, SHUFFLES * sizeof *how);
    how[i * (SHUFFLES + 1) + SHUFFLES] = inputs[i].arm;
  }
  cl_mem a = buffer_with(in, count * 2 * WIDTH_MAX * bytes), b = buffer_with(how, count * (SHUFFLES + 1) * 4),
         c = buffer_with(NULL, count * results * bytes);
  set_args(kernel, ARG(a), ARG(b), ARG(c), END_ARGS);
  run_1d(kernel, count, local);
  read_buffer(c, out, count * results * bytes);
  const size_t defined = check_shuffles(type, width_count, items, count, inputs, out);
  clReleaseMemObject(a);
  clReleaseMemObject(b);
  clReleaseMemObject(c);
  free(in);
  free(out);
  free(how);
  return defined;
}

static void random_values(enum reference_type type, struct input *inputs, size_t count, uint32_t *state) {
  for (size_t i = 0; i < count; i++)
    for (int e = 0; e < WIDTH_MAX; e++) {
      const uint64_t high = random_u32(state), low = random_u32(state), other = random_u32(state);
      inputs[i].first[e] = reference_bits(type, high << 32 | low);
      inputs[i].second[e] = reference_bits(type, other << 32 | ~low);
    }
}

// Two full sub-groups and a smaller one in each work-group, where they fit; and, in versions of the language that have
// it, a last work-group of yet another size.
static struct work_item *items_for(cl_kernel kernel, uint32_t size, bool is_uniform, size_t *local, size_t *count) {
  const size_t limit = work_group_limit(kernel), wished = 2 * size + (size + 1) / 2;
  *local = wished < limit ? wished : limit;
  const struct ndrange range = {1, {is_uniform ? 2 * *local : *local + size + 1}, {0}, {*local}};
  return reference_items(&range, size, count);
}

static cl_program shuffles_of(enum reference_type type, bool vectors, const char *version) {
  char options[200];
  snprintf(options, sizeof options, "-cl-std=%s -DT=%s -DLANES=%u -DRESULTS=%d%s", version, reference_type_names[type],
           harness()->lanes, SHUFFLES * (vectors ? ALL_WIDTHS : 1), vectors ? " -DVECTORS" : "");
  return build(shuffles_source, options);
}

// Arguments are different in each work-item. Half of the rounds have all work-items together, half part them.
static void check_type(enum reference_type type, const char *version) {
  const bool vectors = type != TYPE_LONG && type != TYPE_ULONG && type != TYPE_HALF && type != TYPE_DOUBLE;
  const int width_count = vectors ? WIDTHS : 1, rounds = harness()->is_long ? 32 : harness()->is_rtl ? 2 : 12;
  cl_program program = shuffles_of(type, vectors, version);
  uint32_t state = 77 + (uint32_t)type;
  for (uint32_t size = smallest_tested_size(); size <= harness()->lanes; size *= 2) {
    cl_kernel kernel = kernel_of_size(program, size);
    size_t local, count, defined = 0;
    struct work_item *items = items_for(kernel, size, strcmp(version, "CL3.0") != 0, &local, &count);
    struct input *inputs = allocate(count * sizeof *inputs);
    for (int round = 0; round < rounds; round++) {
      random_values(type, inputs, count, &state);
      for (size_t i = 0; i < count; i++) {
        inputs[i].arm = round % 2 == 0 ? 0 : random_u32(&state) >> 20 & 1;
        inputs[i].argument[SHUFFLE] = random_u32(&state) % items[i].sub_group_size;
        inputs[i].argument[SHUFFLE_XOR] = random_u32(&state) % size;
        inputs[i].argument[SHUFFLE_DOWN] = random_u32(&state) % (2 * size) - items[i].sub_group_local_id;
        inputs[i].argument[SHUFFLE_UP] = items[i].sub_group_local_id + size - random_u32(&state) % (2 * size);
      }
      defined += run_shuffles(kernel, type, width_count, items, count, local, inputs);
    }
    if (defined < count * (size_t)width_count)
      fail("sub-groups of %u: only %zu results were compared", size, defined);
    free(items);
    free(inputs);
    clReleaseKernel(kernel);
  }
}

#if ONLY_DOUBLE
Test(intel_subgroups, shuffles_of_double) {
  check_type(TYPE_DOUBLE, "CL3.0");
  check_type(TYPE_DOUBLE, "CL1.2");
}
#else
Test(intel_subgroups, shuffles_of_int) {
  check_type(TYPE_INT, "CL3.0");
}

Test(intel_subgroups, shuffles_of_uint) {
  check_type(TYPE_UINT, "CL1.2");
}

Test(intel_subgroups, shuffles_of_float) {
  check_type(TYPE_FLOAT, "CL3.0");
}

Test(intel_subgroups, shuffles_of_short) {
  check_type(TYPE_SHORT, "CL3.0");
}

Test(intel_subgroups, shuffles_of_ushort) {
  check_type(TYPE_USHORT, "CL1.2");
}

Test(intel_subgroups, shuffles_of_long_and_ulong) {
  check_type(TYPE_LONG, "CL3.0");
  check_type(TYPE_ULONG, "CL1.2");
}

Test(intel_subgroups, shuffles_of_half) {
  check_type(TYPE_HALF, "CL3.0");
  check_type(TYPE_HALF, "CL1.2");
}
#endif

// Every argument that the text defines, in every lane: indices, masks, distances from one whole sub-group back to two
// ahead.
Test(intel_subgroups, shuffles_with_every_argument) {
  cl_program program = shuffles_of(TYPE_UINT, false, "CL3.0");
  uint32_t state = 4;
  for (uint32_t size = smallest_tested_size(); size <= harness()->lanes; size *= 2) {
    cl_kernel kernel = kernel_of_size(program, size);
    size_t local, count, defined = 0, expected = 0;
    struct work_item *items = items_for(kernel, size, false, &local, &count);
    struct input *inputs = allocate(count * sizeof *inputs);
    for (uint32_t n = 0; n < 3 * size; n++) {
      random_values(TYPE_UINT, inputs, count, &state);
      for (size_t i = 0; i < count; i++) {
        inputs[i].argument[SHUFFLE] = inputs[i].argument[SHUFFLE_XOR] = n;
        inputs[i].argument[SHUFFLE_DOWN] = n - size;
        inputs[i].argument[SHUFFLE_UP] = n - size + 1;
      }
      defined += run_shuffles(kernel, TYPE_UINT, 1, items, count, local, inputs);
    }
    // Each work-item can name each member of its sub-group once by index and once by mask, and each in both vectors.
    for (size_t i = 0; i < count; i++)
      expected += 6 * items[i].sub_group_size;
    if (defined != expected)
      fail("sub-groups of %u: expected %zu results to compare, found %zu", size, expected, defined);
    free(items);
    free(inputs);
    clReleaseKernel(kernel);
  }
}

// ---- block reads and writes

enum { BLOCK = 512, BLOCK_WIDTHS = 5, BLOCK_WIDTH_MAX = 16, GUARD = 16 };
static const struct {
  int width;
  const char *suffix, *get, *put;
} block_widths[BLOCK_WIDTHS] = {{1, "", "GET1", "PUT1"},
                                {2, "2", "vload2", "vstore2"},
                                {4, "4", "vload4", "vstore4"},
                                {8, "8", "vload8", "vstore8"},
                                {16, "16", "vload16", "vstore16"}};

// One width: what the sub-group reads goes to each work-item's own place, and what each has there is written as a
// block.
static const char blocks_source[] =
    "#define CAT_(a, b, c) a##b##c\n"
    "#define CAT(a, b, c) CAT_(a, b, c)\n"
    "#define GET1(i, p) (p)[i]\n"
    "#define PUT1(v, i, p) (p)[i] = (v)\n"
    "void blocks(global const T *in, global const T *mine, global T *out_mine, global T *out, uint skipped) {\n"
    "  size_t sub_group = get_group_id(0) * get_enqueued_num_sub_groups() + get_sub_group_id();\n"
    "  size_t block = sub_group * 512, i = get_global_id(0) * WIDTH;\n"
    "  PUT(CAT(intel_sub_group_block_read, NAME, N)(in + skipped + block), 0, out_mine + i);\n"
    "  CAT(intel_sub_group_block_write, NAME, N)(out + 16 + block, GET(0, mine + i));\n}\n"
    "#define KERNEL(size) __attribute__((intel_reqd_sub_group_size(size))) kernel void k_##size( \\\n"
    "    global const T *in, global const T *mine, global T *out_mine, global T *out, uint skipped) { \\\n"
    "  blocks(in, mine, out_mine, out, skipped); }\n"
    "KERNEL(1)\n"
    "#if LANES >= 2\nKERNEL(2)\n#endif\n"
    "#if LANES >= 4\nKERNEL(4)\n#endif\n"
    "#if LANES >= 8\nKERNEL(8)\n#endif\n"
    "#if LANES >= 16\nKERNEL(16)\n#endif\n"
    "#if LANES >= 32\nKERNEL(32)\n#endif\n";

static void expect_element(const char *what, size_t bytes, size_t index, const unsigned char *expected,
                           const unsigned char *got, uint32_t size, int width) {
  uint32_t e = 0, g = 0;
  memcpy(&e, expected, bytes);
  memcpy(&g, got, bytes);
  if (e != g)
    fail("%s, %d wide, sub-groups of %u, element %zu: expected 0x%x, got 0x%x", what, width, size, index, e, g);
}

// Three work-groups of two full sub-groups, each with BLOCK elements of its own; reads begin at a multiple of 4 bytes
// only, as they may.
static void check_blocks(cl_kernel kernel, uint32_t size, int width, size_t bytes) {
  enum { GROUPS = 3, SUB_GROUPS = 2, ELEMENTS = BLOCK * GROUPS * SUB_GROUPS + 2 * GUARD };
  const size_t count = (size_t)size * GROUPS * SUB_GROUPS, own = count * (size_t)width;
  const cl_uint skipped = bytes == 4 ? 3 : 6;
  unsigned char in[ELEMENTS * 4], mine[32 * GROUPS * SUB_GROUPS * BLOCK_WIDTH_MAX * 4], got_mine[sizeof mine],
      got[ELEMENTS * 4], expected[ELEMENTS * 4];
  uint32_t state = size + 100 * (uint32_t)width;
  for (size_t i = 0; i < sizeof in; i++)
    in[i] = (unsigned char)random_u32(&state);
  for (size_t i = 0; i < sizeof mine; i++)
    mine[i] = (unsigned char)random_u32(&state);
  memset(expected, 0, sizeof expected);
  cl_mem a = buffer_with(in, ELEMENTS * bytes), b = buffer_with(mine, own * bytes), c = buffer_with(NULL, own * bytes),
         d = buffer_with(NULL, ELEMENTS * bytes);
  set_args(kernel, ARG(a), ARG(b), ARG(c), ARG(d), ARG(skipped), END_ARGS);
  run_1d(kernel, count, (size_t)size * SUB_GROUPS);
  read_buffer(c, got_mine, own * bytes);
  read_buffer(d, got, ELEMENTS * bytes);
  for (size_t i = 0; i < count; i++)
    for (size_t e = 0; e < (size_t)width; e++) {
      const size_t at = i / size * BLOCK + i % size + e * size;  // p[sub_group_local_id + e * max_sub_group_size]
      expect_element("block read", bytes, i * (size_t)width + e, in + (skipped + at) * bytes,
                     got_mine + (i * (size_t)width + e) * bytes, size, width);
      memcpy(expected + (GUARD + at) * bytes, mine + (i * (size_t)width + e) * bytes, bytes);
    }
  for (size_t i = 0; i < ELEMENTS; i++)
    expect_element("block write", bytes, i, expected + i * bytes, got + i * bytes, size, width);
  clReleaseMemObject(a);
  clReleaseMemObject(b);
  clReleaseMemObject(c);
  clReleaseMemObject(d);
}

static void check_block_functions(const char *name, const char *type, size_t bytes, const char *version, int widest) {
  for (int w = 0; w < BLOCK_WIDTHS && block_widths[w].width <= widest; w++) {
    char options[200];
    snprintf(options, sizeof options, "-cl-std=%s -DLANES=%u -DT=%s -DNAME=%s -DN=%s -DWIDTH=%d -DGET=%s -DPUT=%s",
             version, harness()->lanes, type, name, block_widths[w].suffix, block_widths[w].width, block_widths[w].get,
             block_widths[w].put);
    cl_program program = build(blocks_source, options);
    for (uint32_t size = smallest_tested_size(); size <= harness()->lanes; size *= 2)
      check_blocks(kernel_of_size(program, size), size, block_widths[w].width, bytes);
  }
}

Test(intel_subgroups, blocks_of_uint) {
  check_block_functions("", "uint", 4, "CL3.0", 8);
}

Test(intel_subgroups, blocks_of_uint_by_their_longer_names) {
  check_block_functions("_ui", "uint", 4, "CL1.2", 8);
}

Test(intel_subgroups, blocks_of_ushort) {
  check_block_functions("_us", "ushort", 2, "CL3.0", 16);
}

// ---- what cl_intel_subgroups_short has under names of its own

static void check_collectives(enum reference_type type) {
  static const char *const modes[] = {"reduce", "scan_inclusive", "scan_exclusive"};
  static const char *const ops[] = {"add", "min", "max"};
  char options[100];
  snprintf(options, sizeof options, "-DT=%s", reference_type_names[type]);
  cl_kernel kernel = kernel_of(build("#define FOLDS(o) *out++ = intel_sub_group_reduce_##o(x); \\\n"
                                     "  *out++ = intel_sub_group_scan_inclusive_##o(x); \\\n"
                                     "  *out++ = intel_sub_group_scan_exclusive_##o(x);\n"
                                     "kernel void k(global const T *in, global T *out) {\n"
                                     "  T x = in[get_global_id(0)];\n"
                                     "  out += get_global_id(0) * 10;\n"
                                     "  FOLDS(add) FOLDS(min) FOLDS(max)\n"
                                     "  *out = intel_sub_group_broadcast(x, get_sub_group_size() / 2);\n}\n",
                                     options),
                               "k");
  size_t local, count;
  struct work_item *items = items_for(kernel, harness()->lanes, true, &local, &count);
  uint64_t *values = allocate(count * 8), *expected = allocate(count * 8);
  bool *live = allocate(count);
  uint16_t *in = allocate(count * 2), *got = allocate(count * 20);
  uint32_t state = 12;
  for (size_t i = 0; i < count; i++) {
    in[i] = (uint16_t)random_u32(&state);
    values[i] = reference_bits(type, in[i]);
    live[i] = true;
  }
  cl_mem a = buffer_with(in, count * 2), b = buffer_with(NULL, count * 20);
  set_args(kernel, ARG(a), ARG(b), END_ARGS);
  run_1d(kernel, count, local);
  read_buffer(b, got, count * 20);
  for (int op = OP_ADD; op <= OP_MAX; op++)
    for (int mode = MODE_REDUCE; mode <= MODE_SCAN_EXCLUSIVE; mode++) {
      for (size_t i = 0; i < count; i += items[i].sub_group_size)
        reference_typed_collective(mode, op, type, values + i, live + i, items[i].sub_group_size, harness()->lanes,
                                   expected + i);
      for (size_t i = 0; i < count; i++)
        if (expected[i] != got[i * 10 + (size_t)(op * 3 + mode)])
          fail("intel_sub_group_%s_%s of %s, work-item %zu: expected 0x%" PRIx64 ", got 0x%x", modes[mode], ops[op],
               reference_type_names[type], i, expected[i], got[i * 10 + (size_t)(op * 3 + mode)]);
    }
  for (size_t i = 0; i < count; i++) {
    const uint64_t from = values[items[i].sub_group_first + items[i].sub_group_size / 2];
    if (from != got[i * 10 + 9])
      fail("intel_sub_group_broadcast of %s, work-item %zu: expected 0x%" PRIx64 ", got 0x%x",
           reference_type_names[type], i, from, got[i * 10 + 9]);
  }
}

Test(intel_subgroups, collectives_of_short) {
  check_collectives(TYPE_SHORT);
}

Test(intel_subgroups, collectives_of_ushort) {
  check_collectives(TYPE_USHORT);
}

// Of 2, 3, 4, 8 and 16 elements: each work-item's are 33 values from its own number on.
Test(intel_subgroups, broadcasts_of_vectors_of_short) {
  cl_kernel kernel =
      kernel_of(build("#define FROM(n, at) vstore##n(intel_sub_group_broadcast(vload##n(0, in + at), \\\n"
                      "    get_sub_group_size() / 2), 0, out + at);\n"
                      "#define ALL FROM(2, 0) FROM(3, 2) FROM(4, 5) FROM(8, 9) FROM(16, 17)\n"
                      "kernel void k(global const short *in, global short *out) {\n"
                      "  in += get_global_id(0) * 33; out += get_global_id(0) * 33; ALL }\n"
                      "kernel void u(global const ushort *in, global ushort *out) {\n"
                      "  in += get_global_id(0) * 33; out += get_global_id(0) * 33; ALL }\n",
                      NULL),
                "k");
  enum { ELEMENTS = 33 };
  size_t local, count;
  struct work_item *items = items_for(kernel, harness()->lanes, true, &local, &count);
  uint16_t *in = allocate(count * ELEMENTS * 2), *got = allocate(count * ELEMENTS * 2);
  for (size_t i = 0; i < count * ELEMENTS; i++)
    in[i] = (uint16_t)(i * 40503);
  cl_mem a = buffer_with(in, count * ELEMENTS * 2);
  for (int of_unsigned = 0; of_unsigned < 2; of_unsigned++) {
    cl_program program;
    EXPECT_SUCCESS(clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof program, &program, NULL));
    cl_mem b = buffer_with(NULL, count * ELEMENTS * 2);
    cl_kernel of_type = kernel_of(program, of_unsigned ? "u" : "k");
    set_args(of_type, ARG(a), ARG(b), END_ARGS);
    run_1d(of_type, count, local);
    read_buffer(b, got, count * ELEMENTS * 2);
    for (size_t i = 0; i < count * ELEMENTS; i++) {
      const struct work_item *item = &items[i / ELEMENTS];
      const size_t from = (item->sub_group_first + item->sub_group_size / 2) * ELEMENTS + i % ELEMENTS;
      if (in[from] != got[i])
        fail("intel_sub_group_broadcast of vectors of %s, work-item %zu, element %zu: expected 0x%x, got 0x%x",
             of_unsigned ? "ushort" : "short", i / ELEMENTS, i % ELEMENTS, in[from], got[i]);
    }
  }
}
