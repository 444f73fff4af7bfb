// SPDX-License-Identifier: Apache-2.0
// Pipes: every packet written is read exactly once, whole, and in the order that OpenCL C 3.0, section 6.15.16, and
// cl_khr_subgroups promise; a pipe that is full or empty, or a reservation that does not fit, says so and changes
// nothing. By work-items, sub-groups and work-groups, in kernels one after the other and within one: the text leaves a
// kernel that reads and writes one pipe undefined, Heddle does not, and that is how both sides are made to meet.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/opencl/harness.h"

static cl_mem pipe_of(cl_uint packet_bytes, cl_uint max_packets) {
  cl_int error;
  cl_mem made = clCreatePipe(harness()->context, 0, packet_bytes, max_packets, NULL, &error);
  EXPECT_SUCCESS(error);
  return made;
}

static cl_program kernels(const char *source) {
  return build(source, "-cl-std=CL3.0 -cl-kernel-arg-info");
}

// The largest work-group up to `most` work-items, a whole number of sub-groups if it has more than one.
static size_t group_of(size_t most) {
  const struct harness *h = harness();
  const size_t limit = most < h->max_work_group_size ? most : h->max_work_group_size;
  return limit > h->lanes ? limit / h->lanes * h->lanes : limit;
}

// Every value from 0 to count - 1 is there once.
static void expect_each_once(const char *what, const uint32_t *got, size_t count) {
  uint8_t *times = allocate(count);
  for (size_t i = 0; i < count; i++) {
    if (got[i] >= count)
      fail("%s: read %zu gave 0x%08x, which nobody wrote", what, i, got[i]);
    if (times[got[i]]++ != 0)
      fail("%s: packet %u was read more than once", what, got[i]);
  }
  free(times);
}

// ---- kernels that pass each work-item's packets through a pipe, in every form

// Each work-item passes ROUNDS packets, `result` of which is 0 where it could. Sub-groups reserve a packet for each of
// their work-items, and so do work-groups.
static const char forms[] =
    "#define ROUNDS 3\n"
    "#define VALUE (get_global_id(0) * ROUNDS + round)\n"
    "#define PLACE values[get_global_id(0) * ROUNDS + round]\n"
    "#define EACH_ROUND for (uint round = 0; round < ROUNDS; round++)\n"
    "kernel void write_plain(write_only pipe uint p, global uint *results) {\n"
    "  EACH_ROUND { uint v = VALUE; results[v] = write_pipe(p, &v); }\n"
    "}\n"
    "kernel void read_plain(read_only pipe uint p, global uint *values) {\n"
    "  EACH_ROUND if (read_pipe(p, &PLACE) != 0) PLACE = ~0u;\n"
    "}\n"
    "kernel void write_reserved(write_only pipe uint p, global uint *results) {\n"
    "  reserve_id_t id = reserve_write_pipe(p, ROUNDS);\n"
    "  EACH_ROUND {\n"
    "    uint v = VALUE;\n"
    "    results[v] = is_valid_reserve_id(id) ? write_pipe(p, id, round, &v) : 1;\n"
    "  }\n"
    "  if (is_valid_reserve_id(id)) commit_write_pipe(p, id);\n"
    "}\n"
    "kernel void read_reserved(read_only pipe uint p, global uint *values) {\n"
    "  reserve_id_t id = reserve_read_pipe(p, ROUNDS);\n"
    "  EACH_ROUND if (!is_valid_reserve_id(id) || read_pipe(p, id, round, &PLACE) != 0) PLACE = ~0u;\n"
    "  if (is_valid_reserve_id(id)) commit_read_pipe(p, id);\n"
    "}\n"
    "#define GROUP_FORMS(group, size, item)\\\n"
    "kernel void write_##group(write_only pipe uint p, global uint *results) {\\\n"
    "  EACH_ROUND {\\\n"
    "    uint v = VALUE;\\\n"
    "    reserve_id_t id = group##_group_reserve_write_pipe(p, size);\\\n"
    "    results[v] = is_valid_reserve_id(id) ? write_pipe(p, id, item, &v) : 1;\\\n"
    "    if (is_valid_reserve_id(id)) group##_group_commit_write_pipe(p, id);\\\n"
    "  }\\\n"
    "}\\\n"
    "kernel void read_##group(read_only pipe uint p, global uint *values) {\\\n"
    "  EACH_ROUND {\\\n"
    "    reserve_id_t id = group##_group_reserve_read_pipe(p, size);\\\n"
    "    if (!is_valid_reserve_id(id) || read_pipe(p, id, item, &PLACE) != 0) PLACE = ~0u;\\\n"
    "    if (is_valid_reserve_id(id)) group##_group_commit_read_pipe(p, id);\\\n"
    "  }\\\n"
    "}\n"
    "GROUP_FORMS(sub, get_sub_group_size(), get_sub_group_local_id())\n"
    "GROUP_FORMS(work, get_local_size(0), get_local_linear_id())\n";
enum { ROUNDS = 3 };

static const char *const form_names[] = {"plain", "reserved", "sub", "work"};
enum { FORMS = sizeof form_names / sizeof *form_names };

static cl_kernel form(cl_program program, const char *direction, size_t index) {
  char name[40];
  snprintf(name, sizeof name, "%s_%s", direction, form_names[index]);
  return kernel_of(program, name);
}

// The writers' results, all 0, and the packets that the readers got.
static void pass(cl_program program, cl_mem pipe, size_t write_form, size_t read_form, size_t items, size_t group,
                 uint32_t *values) {
  const size_t packets = items * ROUNDS;
  cl_mem out = buffer_with(NULL, packets * 4);
  cl_kernel writer = form(program, "write", write_form), reader = form(program, "read", read_form);
  set_args(writer, ARG(pipe), ARG(out), END_ARGS);
  run_1d(writer, items, group);
  read_buffer(out, values, packets * 4);
  for (size_t i = 0; i < packets; i++)
    if (values[i] != 0)
      fail("write_%s: expected 0 for packet %zu of %zu, got %d", form_names[write_form], i, packets, (int)values[i]);
  set_args(reader, ARG(pipe), ARG(out), END_ARGS);
  run_1d(reader, items, group);
  read_buffer(out, values, packets * 4);
  clReleaseKernel(writer);
  clReleaseKernel(reader);
  clReleaseMemObject(out);
}

Test(pipes, every_form_passes_every_packet_once) {
  const struct harness *h = harness();
  cl_program program = kernels(forms);
  // Several work-groups of several sub-groups, the last of each smaller, unless that is one lane.
  const size_t group = group_of(3 * h->lanes) - (h->lanes > 1), items = 5 * group;
  uint32_t *values = allocate(items * ROUNDS * 4);
  for (size_t w = 0; w < FORMS; w++) {
    for (size_t r = 0; r < FORMS; r++) {
      cl_mem pipe = pipe_of(4, (cl_uint)(items * ROUNDS));
      char what[64];
      snprintf(what, sizeof what, "write_%s, read_%s", form_names[w], form_names[r]);
      pass(program, pipe, w, r, items, group, values);
      expect_each_once(what, values, items * ROUNDS);
      clReleaseMemObject(pipe);
    }
  }
  free(values);
}

// A pipe of an odd size, filled to the last packet and emptied again and again, with counts that begin anywhere.
Test(pipes, a_pipe_goes_round_many_times) {
  const struct harness *h = harness();
  cl_program program = kernels(forms);
  const size_t group = group_of(2 * h->lanes), items = 2 * group;
  uint32_t *values = allocate(items * ROUNDS * 4);
  cl_mem pipe = pipe_of(4, (cl_uint)(items * ROUNDS));
  for (size_t i = 0; i < (h->is_rtl ? 4u : 40u); i++) {
    pass(program, pipe, i % FORMS, i / FORMS % FORMS, items, group, values);
    expect_each_once("a round", values, items * ROUNDS);
  }
  free(values);
}

// ---- one work-item, which knows what is in the pipe

static void run_one(cl_kernel kernel) {
  run_1d(kernel, 1, 1);
}

// Runs a kernel of one work-item, with a pipe as both its first arguments and then `out`, of `words` words.
static void run_on_pipe(const char *source, cl_mem pipe, uint32_t *got, size_t words) {
  cl_kernel kernel = kernel_of(kernels(source), "k");
  cl_mem out = buffer_with(NULL, words * 4);
  set_args(kernel, ARG(pipe), ARG(pipe), ARG(out), END_ARGS);
  run_one(kernel);
  read_buffer(out, got, words * 4);
}

Test(pipes, packets_of_a_work_item_are_in_order) {
  static const char source[] =
      "kernel void k(write_only pipe uint w, read_only pipe uint r, global uint *out, uint rounds) {\n"
      "  uint at = 0;\n"
      "  for (uint i = 0; i < rounds; i++) {\n"
      "    uint a = 2 * i, b = 2 * i + 1;\n"
      "    write_pipe(w, &a);\n"
      "    write_pipe(w, &b);\n"
      "    read_pipe(r, out + at++);\n"
      "    read_pipe(r, out + at++);\n"
      "  }\n"
      "}\n";
  // Slots are a power of two of any of these.
  static const cl_uint sizes[] = {2, 3, 4, 5, 7, 100};
  enum { ROUNDS_MOST = 200 };
  uint32_t got[2 * ROUNDS_MOST], expected[2 * ROUNDS_MOST];
  for (uint32_t i = 0; i < 2 * ROUNDS_MOST; i++)
    expected[i] = i;
  const struct harness *h = harness();
  cl_kernel kernel = kernel_of(kernels(source), "k");
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    // On the slow device just so often that the pipe's slots are gone round.
    const cl_uint rounds = h->is_rtl && !h->is_long ? sizes[s] + 5 : ROUNDS_MOST;
    cl_mem pipe = pipe_of(4, sizes[s]), out = buffer_with(NULL, rounds * 8);
    set_args(kernel, ARG(pipe), ARG(pipe), ARG(out), ARG(rounds), END_ARGS);
    run_one(kernel);
    read_buffer(out, got, rounds * 8);
    expect_u32("packet", expected, got, 2 * rounds);
  }
}

Test(pipes, a_full_pipe_and_an_empty_one_say_so) {
  static const char source[] =
      "kernel void k(write_only pipe uint w, read_only pipe uint r, global uint *out) {\n"
      "  uint v = 0xABCD;\n"
      "  *out++ = read_pipe(r, &v) < 0;\n"
      "  *out++ = v == 0xABCD;\n"
      "  for (uint i = 0; i < 5; i++) { v = i; *out++ = write_pipe(w, &v) == 0; }\n"
      "  *out++ = write_pipe(w, &v) < 0;\n"
      "  *out++ = get_pipe_num_packets(w) == 5;\n"
      "  *out++ = get_pipe_num_packets(r) == 5;\n"
      "  for (uint i = 0; i < 5; i++) *out++ = read_pipe(r, &v) == 0 && v == i;\n"
      "  *out++ = read_pipe(r, &v) < 0;\n"
      "  *out++ = get_pipe_num_packets(r) == 0 && get_pipe_num_packets(w) == 0;\n"
      "  *out++ = get_pipe_max_packets(r) == 5 && get_pipe_max_packets(w) == 5;\n"
      "}\n";
  enum { WORDS = 18 };
  uint32_t got[WORDS], expected[WORDS];
  for (size_t i = 0; i < WORDS; i++)
    expected[i] = 1;
  run_on_pipe(source, pipe_of(4, 5), got, WORDS);
  expect_u32("as promised", expected, got, WORDS);
}

Test(pipes, a_reservation_that_does_not_fit_is_invalid_and_changes_nothing) {
  static const char source[] =
      "#define VALID(id) is_valid_reserve_id(id)\n"
      "kernel void k(write_only pipe uint w, read_only pipe uint r, global uint *out) {\n"
      "  *out++ = !VALID(reserve_write_pipe(w, 8)) && !VALID(reserve_write_pipe(w, ~0u)) &&\n"
      "           !VALID(reserve_write_pipe(w, 0)) && !VALID(reserve_read_pipe(r, 1)) && !VALID(CLK_NULL_RESERVE_ID);\n"
      "  reserve_id_t a = reserve_write_pipe(w, 5);\n"
      "  *out++ = VALID(a) && !VALID(reserve_write_pipe(w, 3));\n"
      "  reserve_id_t b = reserve_write_pipe(w, 2);\n"
      "  *out++ = VALID(b) && !VALID(reserve_write_pipe(w, 1));\n"
      "  uint v = 7;\n"
      "  *out++ = write_pipe(w, &v) < 0 && read_pipe(r, &v) < 0 && get_pipe_num_packets(r) == 0;\n"
      "  for (uint i = 0; i < 5; i++) { write_pipe(w, a, i, &i); }\n"
      "  for (uint i = 0; i < 2; i++) { v = 5 + i; write_pipe(w, b, i, &v); }\n"
      "  commit_write_pipe(w, a);\n"
      "  commit_write_pipe(w, b);\n"
      "  *out++ = get_pipe_num_packets(r) == 7 && !VALID(reserve_read_pipe(r, 8)) && !VALID(reserve_read_pipe(r, 0));\n"
      "  a = reserve_read_pipe(r, 4);\n"
      "  *out++ = VALID(a) && !VALID(reserve_read_pipe(r, 4)) && get_pipe_num_packets(r) == 3;\n"
      "  b = reserve_read_pipe(r, 3);\n"
      "  *out++ = VALID(b) && !VALID(reserve_read_pipe(r, 1)) && read_pipe(r, &v) < 0 && !VALID(reserve_write_pipe(w, "
      "1));\n"
      "  for (uint i = 0; i < 7; i++)\n"
      "    *out++ = read_pipe(r, i < 4 ? a : b, i < 4 ? i : i - 4, &v) == 0 && v == i;\n"
      "  commit_read_pipe(r, a);\n"
      "  *out++ = VALID(reserve_write_pipe(w, 4)) && !VALID(reserve_write_pipe(w, 1));\n"
      "}\n";
  enum { WORDS = 15 };
  uint32_t got[WORDS], expected[WORDS];
  for (size_t i = 0; i < WORDS; i++)
    expected[i] = 1;
  run_on_pipe(source, pipe_of(4, 7), got, WORDS);
  expect_u32("as promised", expected, got, WORDS);
}

Test(pipes, an_index_outside_its_reservation_is_refused) {
  static const char source[] =
      "kernel void k(write_only pipe uint w, read_only pipe uint r, global uint *out) {\n"
      "  uint v = 1;\n"
      "  reserve_id_t id = reserve_write_pipe(w, 2), other = reserve_write_pipe(w, 1);\n"
      "  *out++ = write_pipe(w, other, 0, &v) == 0;\n"
      "  v = 2;\n"
      "  *out++ = write_pipe(w, id, 2, &v) < 0 && write_pipe(w, id, ~0u, &v) < 0;\n"
      "  *out++ = write_pipe(w, CLK_NULL_RESERVE_ID, 0, &v) < 0;\n"
      "  *out++ = write_pipe(w, id, 0, &v) == 0 && write_pipe(w, id, 1, &v) == 0;\n"
      "  commit_write_pipe(w, id);\n"
      "  *out++ = write_pipe(w, id, 0, &v) < 0;\n"
      "  commit_write_pipe(w, other);\n"
      "  id = reserve_read_pipe(r, 3);\n"
      "  *out++ = read_pipe(r, id, 3, &v) < 0 && read_pipe(r, id, 2, &v) == 0 && v == 1;\n"
      "  commit_read_pipe(r, id);\n"
      "  *out++ = read_pipe(r, id, 0, &v) < 0;\n"
      "}\n";
  enum { WORDS = 7 };
  uint32_t got[WORDS], expected[WORDS];
  for (size_t i = 0; i < WORDS; i++)
    expected[i] = 1;
  run_on_pipe(source, pipe_of(4, 4), got, WORDS);
  expect_u32("as promised", expected, got, WORDS);
}

// Three reservations are in flight at once and are committed in every order; what is visible then is always the
// committed ones up to the first that is not, all of each.
Test(pipes, reservations_become_visible_in_their_order_whatever_the_order_of_commits) {
  static const char source[] =
      "constant uint orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};\n"
      "constant uint sizes[3] = {2, 3, 1};\n"
      "kernel void k(write_only pipe uint w, read_only pipe uint r, global uint *out) {\n"
      "  for (uint o = 0; o < 6; o++) {\n"
      "    reserve_id_t id[3];\n"
      "    uint v = 0;\n"
      "    for (uint i = 0; i < 3; i++) id[i] = reserve_write_pipe(w, sizes[i]);\n"
      "    for (uint i = 0; i < 3; i++)\n"
      "      for (uint j = 0; j < sizes[i]; j++, v++) write_pipe(w, id[i], j, &v);\n"
      "    for (uint i = 0; i < 3; i++) {\n"
      "      commit_write_pipe(w, id[orders[o][i]]);\n"
      "      *out++ = get_pipe_num_packets(r);\n"
      "    }\n"
      "    for (uint i = 0; i < 3; i++) id[i] = reserve_read_pipe(r, sizes[i]);\n"
      "    for (uint i = 0; i < 3; i++)\n"
      "      for (uint j = 0; j < sizes[i]; j++) read_pipe(r, id[i], j, out++);\n"
      // The pipe is as large as what was in it, so that what can be written now is what reading has given back.
      "    uint given = 0;\n"
      "    for (uint i = 0; i < 3; i++) {\n"
      "      commit_read_pipe(r, id[orders[o][i]]);\n"
      "      while (write_pipe(w, &v) == 0) given++;\n"
      "      *out++ = given;\n"
      "    }\n"
      "    while (read_pipe(r, &v) == 0) ;\n"
      "  }\n"
      "}\n";
  static const uint32_t visible[6][3] = {{2, 5, 6}, {2, 2, 6}, {0, 5, 6}, {0, 0, 6}, {0, 2, 6}, {0, 0, 6}};
  enum { WORDS = 12 };
  uint32_t got[6 * WORDS], expected[6 * WORDS], *at = expected;
  for (size_t o = 0; o < 6; o++) {
    memcpy(at, visible[o], sizeof visible[o]);
    for (uint32_t i = 0; i < 6; i++)
      at[3 + i] = i;
    memcpy(at + 9, visible[o], sizeof visible[o]);
    at += WORDS;
  }
  run_on_pipe(source, pipe_of(4, 6), got, 6 * WORDS);
  expect_u32("number", expected, got, 6 * WORDS);
}

Test(pipes, as_many_reservations_as_are_promised_are_in_flight_at_once) {
  static const char source[] =
      "kernel void k(write_only pipe uint w, read_only pipe uint r, global uint *out) {\n"
      "  global uint *bad = out;\n"
      "  global reserve_id_t *ids = (global reserve_id_t *)(out + 1);\n"
      "  for (uint i = 0; i < COUNT; i++) {\n"
      "    ids[i] = reserve_write_pipe(w, 1);\n"
      "    *bad += !is_valid_reserve_id(ids[i]) || write_pipe(w, ids[i], 0, &i) != 0;\n"
      "  }\n"
      "  for (uint i = 0; i < COUNT; i++) commit_write_pipe(w, ids[COUNT - 1 - i]);\n"
      "  for (uint i = 0; i < COUNT; i++) {\n"
      "    uint v;\n"
      "    ids[i] = reserve_read_pipe(r, 1);\n"
      "    *bad += !is_valid_reserve_id(ids[i]) || read_pipe(r, ids[i], 0, &v) != 0 || v != i;\n"
      "  }\n"
      "  for (uint i = 0; i < COUNT; i++) commit_read_pipe(r, ids[i]);\n"
      "  *bad += !is_valid_reserve_id(reserve_write_pipe(w, COUNT));\n"
      "}\n";
  const struct harness *h = harness();
  cl_uint most = 0;
  EXPECT_SUCCESS(clGetDeviceInfo(h->device, CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS, sizeof most, &most, NULL));
  const cl_uint count = h->is_rtl ? 64 : most;
  char options[80];
  snprintf(options, sizeof options, "-cl-std=CL3.0 -DCOUNT=%uu", count);
  cl_kernel kernel = kernel_of(build(source, options), "k");
  cl_mem pipe = pipe_of(4, count), out = buffer_with(NULL, 4 * ((size_t)count + 1));
  set_args(kernel, ARG(pipe), ARG(pipe), ARG(out), END_ARGS);
  run_one(kernel);
  uint32_t bad = 1;
  read_buffer(out, &bad, 4);
  if (bad != 0)
    fail("%u of %u reservations at once were not as promised", bad, count);
}

// ---- groups

// A run of packets for each reservation of a work-group, in the order of its program.
Test(pipes, reservations_of_a_group_are_whole_and_in_its_order) {
  static const char source[] =
      "#define FORM(group, size, item, number)\\\n"
      "kernel void group(write_only pipe uint p) {\\\n"
      "  reserve_id_t ids[3];\\\n"
      "  for (uint i = 0; i < 3; i++) ids[i] = group##_group_reserve_write_pipe(p, size);\\\n"
      "  for (uint i = 0; i < 3; i++) {\\\n"
      "    uint v = (number) << 16 | i << 12 | item;\\\n"
      "    write_pipe(p, ids[i], item, &v);\\\n"
      "  }\\\n"
      "  for (uint i = 0; i < 3; i++) group##_group_commit_write_pipe(p, ids[(i + 2) % 3]);\\\n"
      "}\n"
      "FORM(sub, get_sub_group_size(), get_sub_group_local_id(), get_group_id(0) * get_num_sub_groups() + "
      "get_sub_group_id())\n"
      "FORM(work, get_local_size(0), get_local_id(0), get_group_id(0))\n"
      "kernel void all(read_only pipe uint p, global uint *out) {\n"
      "  while (read_pipe(p, out) == 0) out++;\n"
      "}\n";
  const struct harness *h = harness();
  cl_program program = kernels(source);
  const size_t group = group_of(3 * h->lanes), groups = 4, packets = 3 * groups * group;
  uint32_t *got = allocate(packets * 4);
  for (int is_work = 0; is_work < 2; is_work++) {
    cl_mem pipe = pipe_of(4, (cl_uint)packets), out = buffer_with(NULL, packets * 4);
    cl_kernel writer = kernel_of(program, is_work ? "work" : "sub"), reader = kernel_of(program, "all");
    set_args(writer, ARG(pipe), END_ARGS);
    run_1d(writer, groups * group, group);
    set_args(reader, ARG(pipe), ARG(out), END_ARGS);
    run_one(reader);
    read_buffer(out, got, packets * 4);
    const size_t run_length = is_work ? group : h->lanes, runs = packets / run_length;
    uint32_t seen[1024] = {0};
    for (size_t run = 0; run < runs; run++) {
      const uint32_t number = got[run * run_length] >> 16, index = got[run * run_length] >> 12 & 15;
      if (number >= runs / 3 || index != seen[number]++)
        fail("run %zu: expected reservation %u of group %u, got 0x%08x", run, number < 1024 ? seen[number] - 1 : 0,
             number, got[run * run_length]);
      for (uint32_t i = 0; i < run_length; i++)
        if (got[run * run_length + i] != (number << 16 | index << 12 | i))
          fail("run %zu, packet %u: expected 0x%08x, got 0x%08x", run, i, number << 16 | index << 12 | i,
               got[run * run_length + i]);
    }
    clReleaseMemObject(pipe);
    clReleaseMemObject(out);
  }
  free(got);
}

Test(pipes, a_group_that_does_not_fit_is_told_so_as_one) {
  static const char source[] =
      "kernel void k(write_only pipe uint p, global uint *out) {\n"
      "  uint n = get_local_size(0);\n"
      "  uint a = is_valid_reserve_id(work_group_reserve_write_pipe(p, n + 1));\n"
      "  a |= is_valid_reserve_id(sub_group_reserve_write_pipe(p, n + 1)) << 1;\n"
      "  reserve_id_t id = work_group_reserve_write_pipe(p, n);\n"
      "  a |= is_valid_reserve_id(id) << 2;\n"
      "  a |= is_valid_reserve_id(sub_group_reserve_write_pipe(p, 1)) << 3;\n"
      "  a |= is_valid_reserve_id(reserve_write_pipe(p, 1)) << 4;\n"
      "  out[get_global_id(0)] = a;\n"
      "}\n";
  const size_t group = group_of(4 * harness()->lanes);
  cl_kernel kernel = kernel_of(kernels(source), "k");
  uint32_t *got = allocate(group * 4), *expected = allocate(group * 4);
  cl_mem pipe = pipe_of(4, (cl_uint)group), out = buffer_with(NULL, group * 4);
  set_args(kernel, ARG(pipe), ARG(out), END_ARGS);
  run_1d(kernel, group, group);
  read_buffer(out, got, group * 4);
  for (size_t i = 0; i < group; i++)
    expected[i] = 4;
  expect_u32("valid", expected, got, group);
  free(got);
  free(expected);
}

// ---- lanes that are not together

// Which lanes write, how often, in which arm and to which of two pipes differs between lanes. A pipe that is chosen for
// each lane comes to one call.
Test(pipes, diverged_lanes_lose_nothing) {
  static const char source[] =
      "void put(write_only pipe uint p, uint v, global uint *bad) { if (write_pipe(p, &v) != 0) atomic_inc(bad); }\n"
      "kernel void scatter(write_only pipe uint a, write_only pipe uint b, global uint *bad, global uint *next) {\n"
      "  uint i = get_global_id(0), hash = i * 2654435761u;\n"
      "  for (uint n = 0; n < 4; n++) {\n"
      "    uint v = i * 4 + n;\n"
      "    if (n > (hash >> 8) % 4) {\n"
      "      reserve_id_t id = reserve_write_pipe(a, 1);\n"
      "      if (!is_valid_reserve_id(id) || write_pipe(a, id, 0, &v) != 0) atomic_inc(bad);\n"
      "      if (is_valid_reserve_id(id)) commit_write_pipe(a, id);\n"
      "    } else if (hash >> (12 + n) & 1) {\n"
      "      put(hash >> (20 + n) & 1 ? a : b, v, bad);\n"
      "    } else {\n"
      "      if (write_pipe(b, &v) != 0) atomic_inc(bad);\n"
      "    }\n"
      "  }\n"
      "}\n"
      "kernel void gather(read_only pipe uint a, read_only pipe uint b, global uint *out, global uint *next) {\n"
      "  uint v;\n"
      "  for (uint n = 0; n < 4 + get_global_id(0) % 3; n++) {\n"
      "    if (get_global_id(0) + n & 1)\n"
      "      while (read_pipe(a, &v) == 0) out[atomic_inc(next)] = v;\n"
      "    else if (read_pipe(b, &v) == 0)\n"
      "      out[atomic_inc(next)] = v;\n"
      "  }\n"
      "  while (read_pipe(b, &v) == 0) out[atomic_inc(next)] = v;\n"
      "  while (read_pipe(a, &v) == 0) out[atomic_inc(next)] = v;\n"
      "}\n";
  const struct harness *h = harness();
  cl_program program = kernels(source);
  const size_t group = group_of(2 * h->lanes), items = 6 * group, packets = 4 * items;
  cl_mem a = pipe_of(4, (cl_uint)packets), b = pipe_of(4, (cl_uint)packets);
  cl_mem out = buffer_with(NULL, packets * 4), counts = buffer_with(NULL, 4);
  cl_kernel scatter = kernel_of(program, "scatter"), gather = kernel_of(program, "gather");
  uint32_t *got = allocate(packets * 4), count = 1;
  set_args(scatter, ARG(a), ARG(b), ARG(counts), ARG(counts), END_ARGS);
  run_1d(scatter, items, group);
  read_buffer(counts, &count, 4);
  if (count != 0)
    fail("%u of %zu packets were refused", count, packets);
  set_args(gather, ARG(a), ARG(b), ARG(out), ARG(counts), END_ARGS);
  run_1d(gather, items, group);
  read_buffer(counts, &count, 4);
  if (count != packets)
    fail("expected %zu packets, read %u", packets, count);
  read_buffer(out, got, packets * 4);
  expect_each_once("gathered", got, packets);
  free(got);
}

// More lanes at once than there is room for: exactly as many get through as fit.
Test(pipes, of_lanes_that_write_at_once_as_many_get_through_as_fit) {
  static const char source[] =
      "kernel void w(write_only pipe uint p, global uint *out) {\n"
      "  uint v = get_global_id(0);\n"
      "  out[v] = write_pipe(p, &v) == 0;\n"
      "}\n"
      "kernel void r(read_only pipe uint p, global uint *out) {\n"
      "  if (read_pipe(p, out + get_global_id(0)) != 0) out[get_global_id(0)] = ~0u;\n"
      "}\n";
  const struct harness *h = harness();
  cl_program program = kernels(source);
  const size_t group = group_of(2 * h->lanes), items = 2 * group;
  const cl_uint rooms[] = {1, (cl_uint)(group - 1), (cl_uint)(group + group / 2)};
  uint32_t *wrote = allocate(items * 4), *read = allocate(items * 4);
  for (size_t k = 0; k < 3; k++) {
    const cl_uint room = rooms[k] ? rooms[k] : 1;
    cl_mem pipe = pipe_of(4, room), out = buffer_with(NULL, items * 4);
    cl_kernel writer = kernel_of(program, "w"), reader = kernel_of(program, "r");
    set_args(writer, ARG(pipe), ARG(out), END_ARGS);
    run_1d(writer, items, group);
    read_buffer(out, wrote, items * 4);
    set_args(reader, ARG(pipe), ARG(out), END_ARGS);
    run_1d(reader, items, group);
    read_buffer(out, read, items * 4);
    uint32_t writers = 0, readers = 0;
    for (size_t i = 0; i < items; i++)
      writers += wrote[i];
    for (size_t i = 0; i < items; i++) {
      if (read[i] == ~0u)
        continue;
      readers++;
      if (read[i] >= items || wrote[read[i]] != 1)
        fail("room for %u: read %u, which was not written, or read before", room, read[i]);
      wrote[read[i]] = 2;
    }
    if (writers != room || readers != room)
      fail("room for %u: %u writes and %u reads went through", room, writers, readers);
    clReleaseMemObject(pipe);
    clReleaseMemObject(out);
  }
  free(wrote);
  free(read);
}

// ---- both sides at once

// Work-items that write and others that read, through a pipe with little room, until all has gone through. Who reads
// and who writes may be a matter of lane, of sub-group or of work-group.
Test(pipes, writers_and_readers_at_once_lose_nothing) {
  static const char source[] =
      "#define EACH 5\n"
      "kernel void k(write_only pipe uint w, read_only pipe uint r, global uint *out, global uint *next, uint how) {\n"
      "  uint item = get_global_id(0), left = EACH;\n"
      "  uint side = how == 0 ? item : how == 1 ? get_sub_group_id() + get_group_id(0) : get_group_id(0);\n"
      // Enough rounds for anything; one that hangs is told apart from one that is slow.
      "  for (uint tries = 0; left != 0 && tries < 100000; tries++) {\n"
      "    uint v = (item / 2 * EACH + left - 1);\n"
      "    if (side & 1) {\n"
      "      if (how == 2) {\n"
      "        reserve_id_t id = reserve_read_pipe(r, 1);\n"
      "        if (is_valid_reserve_id(id)) {\n"
      "          read_pipe(r, id, 0, &v);\n"
      "          commit_read_pipe(r, id);\n"
      "          out[atomic_inc(next)] = v;\n"
      "          left--;\n"
      "        }\n"
      "      } else if (read_pipe(r, &v) == 0) {\n"
      "        out[atomic_inc(next)] = v;\n"
      "        left--;\n"
      "      }\n"
      "    } else {\n"
      "      v = item * EACH + left - 1;\n"
      "      if (write_pipe(w, &v) == 0) left--;\n"
      "    }\n"
      "  }\n"
      "}\n";
  const struct harness *h = harness();
  cl_kernel kernel = kernel_of(kernels(source), "k");
  // As many of each side, and all resident at once.
  const size_t group = group_of(2 * h->lanes), groups = 2 * h->units, items = groups * group;
  const cl_uint rooms[] = {1, 3, 16};
  uint32_t *got = allocate(items * 5 * 4);
  for (cl_uint how = 0; how < 3; how++) {
    for (size_t k = 0; k < 3; k++) {
      if (how == 1 && group < 2 * h->lanes)
        continue;
      cl_mem pipe = pipe_of(4, rooms[k]), out = buffer_with(NULL, items * 5 * 4), next = buffer_with(NULL, 4);
      set_args(kernel, ARG(pipe), ARG(pipe), ARG(out), ARG(next), ARG(how), END_ARGS);
      run_1d(kernel, items, group);
      uint32_t count = 0;
      read_buffer(next, &count, 4);
      if (count != items / 2 * 5)
        fail("form %u, room for %u: expected %zu packets, read %u", how, rooms[k], items / 2 * 5, count);
      read_buffer(out, got, count * 4);
      uint8_t *times = allocate(items * 5);
      for (size_t i = 0; i < count; i++)
        if (got[i] >= items * 5 || times[got[i]]++ != 0)
          fail("form %u, room for %u: packet %u was read twice, or never written", how, rooms[k], got[i]);
      free(times);
      clReleaseMemObject(pipe);
      clReleaseMemObject(out);
      clReleaseMemObject(next);
    }
  }
  free(got);
}

// ---- packets

// A packet of every size and alignment arrives as it was sent: from and to private, local and global memory.
Test(pipes, packets_of_every_size_arrive_whole) {
  static const char source[] =
      "kernel void w(write_only pipe T p, global T *in) {\n"
      "  uint i = get_global_id(0);\n"
      "  T mine = in[i];\n"
      "  reserve_id_t id = work_group_reserve_write_pipe(p, 2 * get_local_size(0));\n"
      "  write_pipe(p, id, 2 * i, &mine);\n"
      "  write_pipe(p, id, 2 * i + 1, in + i);\n"
      "  work_group_commit_write_pipe(p, id);\n"
      "}\n"
      "kernel void r(read_only pipe T p, global T *out) {\n"
      "  local T shared;\n"
      "  T mine;\n"
      "  for (uint i = 0; i < COUNT; i++) {\n"
      "    if (read_pipe(p, i % 2 ? &mine : (generic T *)&shared) != 0) return;\n"
      "    out[i] = i % 2 ? mine : shared;\n"
      "  }\n"
      "}\n";
  static const struct {
    const char *definition;
    cl_uint bytes, stride;
  } types[] = {
      {"typedef uchar T;", 1, 1},
      {"typedef short T;", 2, 2},
      {"typedef struct { uchar a[3]; } T;", 3, 3},
      {"typedef struct { short a[3]; } T;", 6, 6},
      {"typedef float T;", 4, 4},
      {"typedef struct { uchar a; int b; } T;", 8, 8},
      {"typedef struct { int a[3]; } T;", 12, 12},
      {"typedef ulong T;", 8, 8},
      {"typedef uchar4 T;", 4, 4},
      {"typedef int3 T;", 16, 16},
      {"typedef half8 T;", 16, 16},
      {"typedef float16 T;", 64, 64},
      {"typedef long16 T;", 128, 128},
      {"typedef struct { uchar a[31]; } T;", 31, 31},
      {"typedef struct { long a; uchar b[1000]; } T;", 1008, 1008},
  };
  const size_t group = group_of(2 * harness()->lanes) < 9 ? group_of(2 * harness()->lanes) : 9;
  const size_t step = harness()->is_short ? 4 : 1;
  for (size_t t = 0; t < sizeof types / sizeof *types; t += step) {
    char text[3000], options[80];
    snprintf(options, sizeof options, "-cl-std=CL3.0 -DCOUNT=%zu", 2 * group);
    snprintf(text, sizeof text, "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n%s\n%s", types[t].definition, source);
    cl_program program = build(text, options);
    cl_kernel writer = kernel_of(program, "w"), reader = kernel_of(program, "r");
    const size_t bytes = types[t].bytes;
    uint8_t *in = allocate(group * bytes), *got = allocate(2 * group * bytes);
    uint32_t state = (uint32_t)t + 1;
    for (size_t i = 0; i < group * bytes; i++)
      in[i] = (uint8_t)(random_u32(&state) >> 8);
    // Members between which there is a gap need not have it copied, except that packets are.
    cl_mem pipe = pipe_of(types[t].bytes, (cl_uint)(2 * group)), from = buffer_with(in, group * bytes),
           to = buffer_with(NULL, 2 * group * bytes);
    set_args(writer, ARG(pipe), ARG(from), END_ARGS);
    run_1d(writer, group, group);
    set_args(reader, ARG(pipe), ARG(to), END_ARGS);
    run_one(reader);
    read_buffer(to, got, 2 * group * bytes);
    for (size_t i = 0; i < 2 * group * bytes; i++) {
      const size_t byte = i % bytes;
      const bool is_gap = (t == 5 && byte > 0 && byte < 4) || (t == 9 && byte >= 12);
      if (!is_gap && got[i] != in[i / bytes / 2 * bytes + byte])
        fail("%s packet %zu, byte %zu: expected 0x%02x, got 0x%02x", types[t].definition, i / bytes, byte,
             in[i / bytes / 2 * bytes + byte], got[i]);
    }
    clReleaseMemObject(pipe);
    clReleaseMemObject(from);
    clReleaseMemObject(to);
    free(in);
    free(got);
  }
}

Test(pipes, packets_may_be_as_large_as_the_device_says) {
  static const char source[] =
      "typedef struct { uint a[WORDS]; } T;\n"
      "kernel void w(write_only pipe T p, global T *in) { write_pipe(p, in); write_pipe(p, in + 1); }\n"
      "kernel void r(read_only pipe T p, global T *out) { read_pipe(p, out); read_pipe(p, out + 1); }\n";
  const struct harness *h = harness();
  cl_uint most = 0;
  EXPECT_SUCCESS(clGetDeviceInfo(h->device, CL_DEVICE_PIPE_MAX_PACKET_SIZE, sizeof most, &most, NULL));
  if (most < 1024)
    fail("CL_DEVICE_PIPE_MAX_PACKET_SIZE: expected at least 1024, got %u", most);
  if (h->is_rtl)
    most = 4096;
  char options[80];
  snprintf(options, sizeof options, "-cl-std=CL3.0 -DWORDS=%u", most / 4);
  cl_program program = build(source, options);
  uint32_t *in = allocate(2 * (size_t)most), *got = allocate(2 * (size_t)most), state = 3;
  for (size_t i = 0; i < most / 2; i++)
    in[i] = random_u32(&state);
  cl_mem pipe = pipe_of(most, 2), from = buffer_with(in, 2 * (size_t)most), to = buffer_with(NULL, 2 * (size_t)most);
  cl_kernel writer = kernel_of(program, "w"), reader = kernel_of(program, "r");
  set_args(writer, ARG(pipe), ARG(from), END_ARGS);
  run_one(writer);
  set_args(reader, ARG(pipe), ARG(to), END_ARGS);
  run_one(reader);
  read_buffer(to, got, 2 * (size_t)most);
  expect_u32("word", in, got, most / 2);
  free(in);
  free(got);
}

// A kernel whose packets are of another size than the pipe's gets none, and harms nothing.
Test(pipes, a_pipe_of_other_packets_is_neither_read_nor_written) {
  static const char source[] =
      "kernel void k(write_only pipe uint2 w, read_only pipe uchar r, global uint *out) {\n"
      "  uint2 v = 5;\n"
      "  uchar c;\n"
      "  *out++ = write_pipe(w, &v) < 0;\n"
      "  *out++ = !is_valid_reserve_id(reserve_write_pipe(w, 1));\n"
      "  *out++ = !is_valid_reserve_id(work_group_reserve_write_pipe(w, 1));\n"
      "  *out++ = read_pipe(r, &c) < 0;\n"
      "  *out++ = !is_valid_reserve_id(sub_group_reserve_read_pipe(r, 1));\n"
      "}\n";
  static const char fill[] =
      "kernel void k(write_only pipe uint w, read_only pipe uint r, global uint *out) {\n"
      "  uint v = 77; write_pipe(w, &v);\n"
      "}\n";
  static const char drain[] =
      "kernel void k(write_only pipe uint w, read_only pipe uint r, global uint *out) {\n"
      "  out[0] = get_pipe_num_packets(r); read_pipe(r, out + 1);\n"
      "}\n";
  static const uint32_t expected[] = {1, 1, 1, 1, 1}, left[] = {1, 77};
  cl_mem pipe = pipe_of(4, 4);
  uint32_t got[5];
  run_on_pipe(fill, pipe, got, 1);
  run_on_pipe(source, pipe, got, 5);
  expect_u32("as promised", expected, got, 5);
  run_on_pipe(drain, pipe, got, 2);
  expect_u32("left", left, got, 2);
}

// ---- what the host sees

Test(pipes, a_pipe_argument_is_described) {
  cl_kernel kernel = kernel_of(kernels("kernel void k(read_only pipe float4 in, write_only pipe uint out) {}\n"), "k");
  cl_kernel_arg_type_qualifier qualifier = 0;
  cl_kernel_arg_access_qualifier access = 0;
  char name[20] = "";
  EXPECT_SUCCESS(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifier, &qualifier, NULL));
  cr_expect_eq(qualifier, CL_KERNEL_ARG_TYPE_PIPE, "expected CL_KERNEL_ARG_TYPE_PIPE, got %lu", (long)qualifier);
  EXPECT_SUCCESS(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access, &access, NULL));
  cr_expect_eq(access, CL_KERNEL_ARG_ACCESS_READ_ONLY);
  EXPECT_SUCCESS(clGetKernelArgInfo(kernel, 1, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access, &access, NULL));
  cr_expect_eq(access, CL_KERNEL_ARG_ACCESS_WRITE_ONLY);
  EXPECT_SUCCESS(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_NAME, sizeof name, name, NULL));
  cr_expect_str_eq(name, "float4");
}

// In a context of both devices a pipe goes where the kernels are, with what is in it.
Test(pipes, a_pipe_moves_between_devices) {
  static const char text[] =
      "kernel void w(write_only pipe uint p, uint first) {\n"
      "  for (uint v = first; v < first + 3; v++) write_pipe(p, &v);\n"
      "}\n"
      "kernel void r(read_only pipe uint p, global uint *out) { for (uint i = 0; i < 3; i++) read_pipe(p, out + i); "
      "}\n";
  const char *source = text;
  const size_t one = 1;
  cl_platform_id platform;
  cl_device_id devices[2];
  cl_command_queue queues[2];
  cl_int error;
  heddle_devices(&platform, &devices[0], &devices[1]);
  cl_context context = clCreateContext(NULL, 2, devices, NULL, NULL, &error);
  EXPECT_SUCCESS(error);
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
  EXPECT_SUCCESS(error);
  EXPECT_SUCCESS(clBuildProgram(program, 2, devices, "-cl-std=CL3.0", NULL, NULL));
  cl_mem pipe = clCreatePipe(context, 0, 4, 7, NULL, &error);
  EXPECT_SUCCESS(error);
  cl_mem out = clCreateBuffer(context, 0, 12, NULL, &error);
  EXPECT_SUCCESS(error);
  for (int d = 0; d < 2; d++) {
    queues[d] = clCreateCommandQueueWithProperties(context, devices[d], NULL, &error);
    EXPECT_SUCCESS(error);
  }
  cl_kernel writer = kernel_of(program, "w"), reader = kernel_of(program, "r");
  // Three packets stay in the pipe, so that what moves is more than its counts.
  for (cl_uint i = 0; i < 5; i++) {
    const cl_uint first = 3 * i;
    cl_command_queue here = queues[i & 1], there = queues[~i & 1];
    set_args(writer, ARG(pipe), ARG(first), END_ARGS);
    EXPECT_SUCCESS(clEnqueueNDRangeKernel(here, writer, 1, NULL, &one, NULL, 0, NULL, NULL));
    EXPECT_SUCCESS(clFinish(here));
    if (i == 0)
      continue;
    const uint32_t expected[3] = {first - 3, first - 2, first - 1};
    uint32_t got[3] = {0};
    set_args(reader, ARG(pipe), ARG(out), END_ARGS);
    EXPECT_SUCCESS(clEnqueueNDRangeKernel(there, reader, 1, NULL, &one, NULL, 0, NULL, NULL));
    EXPECT_SUCCESS(clEnqueueReadBuffer(there, out, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    expect_u32("packet", expected, got, 3);
  }
}
