// SPDX-License-Identifier: Apache-2.0
// What heddlec makes of pipes: refusals, the note, and the words that kernels leave in a pipe (contract/DEVICE.md,
// "Pipes"), with as few atomic operations as are promised and however often those fail.
#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "contract/device_map.h"
#include "tests/hls/compiler.h"
#include "tests/hls/device.h"
#include "tests/hls/kernel_file_reader.h"

#define OPENCL_C_3 "-cl-std=CL3.0"
#define REFUSED(source, words) expect_refusal(compile(source, OPENCL_C_3, NULL), 1, words)

Test(pipes, a_device_without_atomics_has_none) {
  static const char absent[] =
      "#ifdef __opencl_c_pipes\n#error pipes\n#endif\n"
      "kernel void k(global int *p) { *p = 1; }\n";
  static const char used[] = "kernel void k(read_only pipe int p, global int *out) { read_pipe(p, out); }\n";
  static const char *const versions[] = {"-cl-std=CL1.2", "-cl-std=CL3.0"};
  for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
    struct result result = compile_well(absent, "--isa", "rv32im_zicsr", versions[i], NULL);
    result_free(&result);
    expect_refusal(compile(used, "--isa", "rv32im_zicsr", versions[i], NULL), 1,
                   "note: this device (rv32im_zicsr) has no atomic instructions (A), and so no pipes");
  }
  expect_refusal(
      compile("#ifdef __opencl_c_pipes\n#error there are pipes\n#endif\n", "--isa", "rv32ima_zicsr", OPENCL_C_3, NULL),
      1, "there are pipes");
}

Test(pipes, misuse_is_refused) {
  REFUSED("kernel void k(write_only pipe int p) {\n  int v;\n  read_pipe(p, &v);\n}\n",
          "test.cl:3:13: error: invalid pipe");
  REFUSED("kernel void k(read_only pipe int p) {\n  int v;\n  write_pipe(p, &v);\n}\n",
          "test.cl:3:14: error: invalid pipe");
  REFUSED("kernel void k(read_only pipe int p) {\n  float v;\n  read_pipe(p, &v);\n}\n",
          "test.cl:3:3: error: invalid argument");
  REFUSED("kernel void k(read_write pipe int p) {}\n", "read_write");
  REFUSED("kernel void k(void) {\n  read_only pipe int p;\n}\n", "test.cl:2:");
  REFUSED("kernel void k(read_only pipe int p) {\n  int v;\n  read_pipe(p, 3, 0, &v);\n}\n", "reserve_id_t");
}

Test(pipes, an_argument_is_noted_as_a_pipe) {
  struct result result = compile_well(
      "kernel void k(global int *a, read_only pipe int in, write_only pipe float4 out, char b) {}\n", OPENCL_C_3, NULL);
  struct kernel_file file = kernel_file_open(result.bytes, result.size);
  const uint32_t *note = kernel_file_note(&file, "k");
  for (uint32_t i = 1; i <= 2; i++) {
    const uint32_t *argument = note_argument(note, i);
    cr_expect_eq(argument[HEDDLE_ARGUMENT_OFFSET], 4 * i);
    cr_expect_eq(argument[HEDDLE_ARGUMENT_SIZE], 4);
    cr_expect_eq(argument[HEDDLE_ARGUMENT_ADDRESS_SPACE], 1);
    cr_expect_eq(argument[HEDDLE_ARGUMENT_ACCESS], i);
    cr_expect_eq(argument[HEDDLE_ARGUMENT_TYPE_QUALIFIERS], 8);
    cr_expect_eq(argument[HEDDLE_ARGUMENT_KIND], 1);
  }
  result_free(&result);
}

// ---- pipes of 32-bit packets

enum { PACKETS = 48, SLOTS = 64, WORDS = HEDDLE_PIPE_HEADER_WORDS + SLOTS + 16 + SLOTS };

// An empty pipe after `count` packets have gone through.
static void make_pipe(uint32_t *pipe, uint32_t count) {
  memset(pipe, 0, 4 * WORDS);
  pipe[HEDDLE_PIPE_PACKET_BYTES] = 4;
  pipe[HEDDLE_PIPE_MAX_PACKETS] = PACKETS;
  pipe[HEDDLE_PIPE_SLOT_MASK] = SLOTS - 1;
  pipe[HEDDLE_PIPE_PACKETS_OFFSET] = 4 * (HEDDLE_PIPE_HEADER_WORDS + SLOTS + 16);
  for (int i = HEDDLE_PIPE_TAKEN_FOR_WRITING; i <= HEDDLE_PIPE_READ; i++)
    pipe[i] = count;
  pipe[HEDDLE_PIPE_HEADER_WORDS + count % SLOTS] = HEDDLE_PIPE_MARK_WRITING_TURN | HEDDLE_PIPE_MARK_READING_TURN;
}

static uint32_t packet(const uint32_t *pipe, uint32_t count) {
  return pipe[pipe[HEDDLE_PIPE_PACKETS_OFFSET] / 4 + count % SLOTS];
}

// Counts atomic instructions and the lanes that retired them.
struct atomics {
  const struct kernel_file *file;
  uint32_t exchanges, others, lanes;  // exchanges: sc.w; others: amo*.w
};

static void count_atomic(void *user, const struct heddle_model_retired *retired) {
  enum { AMO = 0x2F, LR = 2, SC = 3 };
  struct atomics *atomics = user;
  const uint32_t instruction = kernel_file_instruction(atomics->file, retired->pc - DEVICE_IMAGE);
  const uint32_t function = instruction >> 27;
  if ((instruction & 0x7F) == AMO && function != LR) {
    atomics->exchanges += function == SC;
    atomics->others += function != SC;
    atomics->lanes += (uint32_t)__builtin_popcount(retired->mask);
  }
}

#define VALUE "uint v = get_global_id(0) + 100;\n"
static const char group_forms[] = "kernel void plain(write_only pipe uint p) {\n" VALUE
                                  "  write_pipe(p, &v);\n}\n"
                                  "kernel void sub(write_only pipe uint p) {\n" VALUE
                                  "  reserve_id_t id = sub_group_reserve_write_pipe(p, get_sub_group_size());\n"
                                  "  write_pipe(p, id, get_sub_group_local_id(), &v);\n"
                                  "  sub_group_commit_write_pipe(p, id);\n}\n"
                                  "kernel void work(write_only pipe uint p) {\n" VALUE
                                  "  reserve_id_t id = work_group_reserve_write_pipe(p, get_local_size(0));\n"
                                  "  write_pipe(p, id, get_local_id(0), &v);\n"
                                  "  work_group_commit_write_pipe(p, id);\n}\n"
                                  "kernel void sub_read(read_only pipe uint p, global uint *out) {\n"
                                  "  reserve_id_t id = sub_group_reserve_read_pipe(p, get_sub_group_size());\n"
                                  "  read_pipe(p, id, get_sub_group_local_id(), out + get_global_id(0));\n"
                                  "  sub_group_commit_read_pipe(p, id);\n}\n";

// Of however many work-items in however many sub-groups of 8 lanes: one exchange of one lane takes all packets. The
// mark, and the commit, are four further atomic instructions of one lane.
Test(pipes, a_group_reserves_by_one_atomic_operation) {
  static const struct {
    const char *kernel;
    uint32_t items;
  } forms[] = {{"plain", 8}, {"plain", 3}, {"sub", 8}, {"sub", 5}, {"work", 8}, {"work", 40}, {"work", 37}};
  struct result result = compile_well(group_forms, OPENCL_C_3, NULL);
  struct kernel_file file = kernel_file_open(result.bytes, result.size);
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    uint32_t pipe[WORDS], items = forms[i].items;
    struct atomics atomics = {.file = &file};
    make_pipe(pipe, 0);
    run_kernel(&result, &(struct dispatch){.kernel = forms[i].kernel,
                                           .global = {items},
                                           .local = {items},
                                           .buffers = {{pipe, sizeof pipe}},
                                           .trace = count_atomic,
                                           .trace_user = &atomics});
    cr_expect(atomics.exchanges == 1 && atomics.others == 4 && atomics.lanes == 5,
              "%s of %u: expected 1 sc.w and 4 amo*.w of a lane each, got %u and %u of %u lanes together",
              forms[i].kernel, items, atomics.exchanges, atomics.others, atomics.lanes);
    cr_expect_eq(pipe[HEDDLE_PIPE_TAKEN_FOR_WRITING], items);
    cr_expect_eq(pipe[HEDDLE_PIPE_WRITTEN], items);
    for (uint32_t n = 0; n < items; n++)
      cr_expect_eq(packet(pipe, n), n + 100, "%s of %u: packet %u is %u", forms[i].kernel, items, n, packet(pipe, n));
  }
  result_free(&result);
}

// The marks of two reservations of which the second is committed, and where the turn is when the first is too.
Test(pipes, a_reservation_is_marked_as_the_device_document_says) {
  static const char source[] =
      "kernel void w(write_only pipe uint p, int both) {\n"
      "  reserve_id_t a = reserve_write_pipe(p, 3), b = reserve_write_pipe(p, 2);\n"
      "  commit_write_pipe(p, b);\n"
      "  if (both) commit_write_pipe(p, a);\n}\n"
      "kernel void r(read_only pipe uint p, int both) {\n"
      "  reserve_id_t a = reserve_read_pipe(p, 3), b = reserve_read_pipe(p, 2);\n"
      "  commit_read_pipe(p, b);\n"
      "  if (both) commit_read_pipe(p, a);\n}\n";
  struct result result = compile_well(source, OPENCL_C_3, NULL);
  for (uint32_t both = 0; both < 2; both++) {
    uint32_t pipe[WORDS], *marks = pipe + HEDDLE_PIPE_HEADER_WORDS;
    make_pipe(pipe, 62);
    struct dispatch dispatch = {.kernel = "w", .buffers = {{pipe, sizeof pipe}}, .values = {both}};
    run_kernel(&result, &dispatch);
    cr_expect_eq(pipe[HEDDLE_PIPE_TAKEN_FOR_WRITING], 67);
    cr_expect_eq(pipe[HEDDLE_PIPE_WRITTEN], both ? 67 : 62);
    cr_expect_eq(marks[62], HEDDLE_PIPE_MARK_READING_TURN | (both ? 0 : HEDDLE_PIPE_MARK_WRITING_TURN | 3));
    cr_expect_eq(marks[1], both ? 0 : HEDDLE_PIPE_MARK_WRITING_COMMITTED | 2);
    cr_expect_eq(marks[3], both ? HEDDLE_PIPE_MARK_WRITING_TURN : 0);
    make_pipe(pipe, 62);
    pipe[HEDDLE_PIPE_TAKEN_FOR_WRITING] = pipe[HEDDLE_PIPE_WRITTEN] = 67;
    marks[62] = HEDDLE_PIPE_MARK_READING_TURN;
    marks[3] = HEDDLE_PIPE_MARK_WRITING_TURN;
    dispatch.kernel = "r";
    run_kernel(&result, &dispatch);
    cr_expect_eq(pipe[HEDDLE_PIPE_TAKEN_FOR_READING], 67);
    cr_expect_eq(pipe[HEDDLE_PIPE_READ], both ? 67 : 62);
    cr_expect_eq(marks[62], both ? 0 : HEDDLE_PIPE_MARK_READING_TURN | 3);
    cr_expect_eq(marks[1], both ? 0 : HEDDLE_PIPE_MARK_READING_COMMITTED | 2);
    cr_expect_eq(marks[3], HEDDLE_PIPE_MARK_WRITING_TURN | (both ? HEDDLE_PIPE_MARK_READING_TURN : 0));
  }
  result_free(&result);
}

// Counts go past 2^31 and 2^32.
Test(pipes, counts_wrap_around) {
  static const uint32_t starts[] = {0xFFFFFFFC, 0xFFFFFFC0, 0x7FFFFFFE, 0x80000000, 0};
  struct result result = compile_well(group_forms, OPENCL_C_3, NULL);
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
    uint32_t pipe[WORDS], out[48];
    make_pipe(pipe, starts[i]);
    struct dispatch dispatch = {.kernel = "work", .global = {48}, .local = {24}, .buffers = {{pipe, sizeof pipe}}};
    run_kernel(&result, &dispatch);
    cr_expect_eq(pipe[HEDDLE_PIPE_WRITTEN] - starts[i], 48, "from %x: %u packets written", starts[i],
                 pipe[HEDDLE_PIPE_WRITTEN] - starts[i]);
    dispatch.kernel = "sub_read";
    dispatch.buffers[1] = (struct buffer){out, sizeof out};
    run_kernel(&result, &dispatch);
    cr_expect_eq(pipe[HEDDLE_PIPE_READ] - starts[i], 48, "from %x: %u packets read", starts[i],
                 pipe[HEDDLE_PIPE_READ] - starts[i]);
    bool seen[48] = {0};
    for (size_t n = 0; n < 48; n++) {
      cr_assert(out[n] - 100 < 48 && !seen[out[n] - 100], "from %x: read %zu is %u", starts[i], n, out[n]);
      seen[out[n] - 100] = true;
    }
  }
  result_free(&result);
}

// Of sc.w, so many of every `round` fail.
struct failing {
  uint32_t failing, round, count;
};

static uint32_t fail_some(void *user, const struct heddle_model_sc *sc) {
  struct failing *failing = user;
  return failing->count++ % failing->round < failing->failing ? 0 : sc->reserved;
}

// sc.w may fail at any time. Sub-groups and lanes that take and give packets at the same time lose none by that.
Test(pipes, exchanges_that_fail_are_repeated) {
  static const char source[] =
      "kernel void w(write_only pipe uint p) {\n"
      "  uint v = get_global_id(0);\n"
      "  if (v % 3 == 0) {\n"
      "    write_pipe(p, &v);\n"
      "  } else {\n"
      "    reserve_id_t id = reserve_write_pipe(p, 1);\n"
      "    write_pipe(p, id, 0, &v);\n"
      "    commit_write_pipe(p, id);\n"
      "  }\n"
      "}\n"
      "kernel void r(read_only pipe uint p, global uint *out) {\n"
      "  uint v = 0;\n"
      "  if (get_global_id(0) % 2 == 0) {\n"
      "    read_pipe(p, &v);\n"
      "  } else {\n"
      "    reserve_id_t id = reserve_read_pipe(p, 1);\n"
      "    read_pipe(p, id, 0, &v);\n"
      "    commit_read_pipe(p, id);\n"
      "  }\n"
      "  atomic_inc(out + v);\n"
      "}\n";
  static const uint32_t failures[][2] = {{1, 2}, {2, 3}, {4, 5}, {3, 7}};
  struct result result = compile_well(source, OPENCL_C_3, NULL);
  for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
    uint32_t pipe[WORDS], out[PACKETS] = {0};
    struct failing failing = {.failing = failures[i][0], .round = failures[i][1]};
    make_pipe(pipe, 5);
    struct dispatch dispatch = {.kernel = "w",
                                .global = {PACKETS},
                                .local = {8},
                                .buffers = {{pipe, sizeof pipe}, {out, sizeof out}},
                                .choose_sc = fail_some,
                                .choose_sc_user = &failing};
    run_kernel(&result, &dispatch);
    cr_expect_eq(pipe[HEDDLE_PIPE_WRITTEN], 5 + PACKETS, "%u of %u fail: expected %u packets written, got %u",
                 failures[i][0], failures[i][1], PACKETS, pipe[HEDDLE_PIPE_WRITTEN] - 5);
    dispatch.kernel = "r";
    run_kernel(&result, &dispatch);
    cr_expect_eq(pipe[HEDDLE_PIPE_READ], 5 + PACKETS, "%u of %u fail: expected %u packets read, got %u", failures[i][0],
                 failures[i][1], PACKETS, pipe[HEDDLE_PIPE_READ] - 5);
    for (size_t n = 0; n < PACKETS; n++)
      cr_expect_eq(out[n], 1, "%u of %u fail: packet %zu was read %u times", failures[i][0], failures[i][1], n, out[n]);
  }
  result_free(&result);
}
