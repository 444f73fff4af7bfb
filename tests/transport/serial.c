// SPDX-License-Identifier: Apache-2.0
// What an OpenCL program is promised of a board behind a serial line, at the pins of a simulated one: results, faults,
// a damaged line, a board that is taken, and one that goes.
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/opencl/harness.h"
#include "tests/transport/board_checks.h"
#include "tests/transport/simulated_board.h"

static struct simulated_board board;

static void plug_in(const char *option, const char *value) {
  const char *failed = simulated_board_start(&board, option, value);
  if (failed)
    fail("%s", failed);
  setenv("HEDDLE_TEST_DEVICE", "board", 1);
}

Test(serial_board, runs_collectives_through_its_pins) {
  plug_in(NULL, NULL);
  expect_scan(64);
}

Test(serial_board, loses_nothing_on_a_line_that_damages_bits) {
  plug_in("--flip-every", "4000");
  expect_scan(64);
  expect_words_back(2048);
}

// An atomic writes its word while lines behind it stand: memory has to take that, however many there are.
Test(serial_board, runs_atomics_between_loads_of_other_lines, .timeout = 60) {
  plug_in(NULL, NULL);
  cl_program program = build(
      "kernel void mixed(global int *counts, global const uint *in, global uint *out) {"
      "  size_t i = get_global_id(0);"
      "  uint sum = 0;"
      "  for (size_t j = 0; j < 2; j++) {"
      "    atomic_inc(&counts[(i + j) & 7]);"
      "    sum += in[(i * 2 + j) * 16];"
      "  }"
      "  out[i] = sum;"
      "}",
      "-cl-std=CL3.0");
  enum { ITEMS = 16, WORDS = 2 * 16 * ITEMS };
  uint32_t *in = allocate(4 * WORDS), counts[8] = {0}, out[ITEMS], expected_counts[8], expected[ITEMS], seed = 3;
  for (size_t i = 0; i < WORDS; i++)
    in[i] = random_u32(&seed);
  for (size_t i = 0; i < ITEMS; i++)
    expected[i] = in[32 * i] + in[32 * i + 16];
  for (size_t i = 0; i < 8; i++)
    expected_counts[i] = 2 * ITEMS / 8;
  cl_mem counters = buffer_with(counts, sizeof counts), from = buffer_with(in, 4 * WORDS),
         to = buffer_with(NULL, sizeof out);
  cl_kernel kernel = kernel_of(program, "mixed");
  set_args(kernel, ARG(counters), ARG(from), ARG(to), END_ARGS);
  run_1d(kernel, ITEMS, 4);
  read_buffer(counters, counts, sizeof counts);
  read_buffer(to, out, sizeof out);
  expect_u32("counts", expected_counts, counts, 8);
  expect_u32("sums", expected, out, ITEMS);
}

Test(serial_board, reports_a_fault_and_runs_the_next_kernel) {
  plug_in(NULL, NULL);
  expect_fault();
  expect_scan(64);
}

// What a process leaves in the board's memory, and what the next one finds there without having written it.
static const char left_source[] =
    "kernel void leave(global uint *buffer, uint words, uint secret, global uint *found) {"
    "  volatile uint own[16];"
    "  volatile local uint shared[256];"
    "  for (uint i = 0; i < 16; i++) own[i] = secret;"
    "  for (uint i = get_local_id(0); i < 256; i += get_local_size(0)) shared[i] = secret;"
    "  for (uint i = get_global_id(0); i < words; i += get_global_size(0)) buffer[i] = own[i & 15] & shared[i & 255];"
    "}"
    "kernel void look(global const uint *buffer, uint words, uint secret, global uint *found) {"
    "  volatile uint own[16];"
    "  volatile local uint shared[256];"
    "  for (uint i = 0; i < 16; i++) if (own[i] == secret) atomic_inc(&found[0]);"
    "  for (uint i = get_local_id(0); i < 256; i += get_local_size(0)) if (shared[i] == secret) atomic_inc(&found[1]);"
    "  for (uint i = get_global_id(0); i < words; i += get_global_size(0)) if (buffer[i] != 0) atomic_inc(&found[2]);"
    "}";

enum { LEFT_WORDS = 4096, LEFT_ITEMS = 32 };
static const uint32_t secret = 0x5EC4E700;

// Runs a kernel of them on memory that has not been written; the same in both processes, so that addresses are.
static void run_of_left(const char *name, uint32_t *found) {
  const uint32_t words = LEFT_WORDS, none[3] = {0};
  cl_int error;
  cl_mem buffer = clCreateBuffer(harness()->context, CL_MEM_READ_WRITE, 4 * LEFT_WORDS, NULL, &error);
  EXPECT_SUCCESS(error);
  cl_mem counts = buffer_with(none, sizeof none);
  cl_kernel kernel = kernel_of(build(left_source, "-cl-std=CL3.0"), name);
  set_args(kernel, ARG(buffer), ARG(words), ARG(secret), ARG(counts), END_ARGS);
  run_1d(kernel, LEFT_ITEMS, LEFT_ITEMS);
  read_buffer(counts, found, sizeof none);
}

Test(serial_board, gives_nothing_that_another_process_left, .timeout = 60) {
  const uint32_t none[3] = {0};
  uint32_t found[3];
  plug_in(NULL, NULL);
  const pid_t other = fork();
  if (other == 0) {
    run_of_left("leave", found);
    _exit(0);
  }
  int status;
  cr_assert(waitpid(other, &status, 0) == other && WIFEXITED(status) && WEXITSTATUS(status) == 0,
            "the first process ended with status %d", status);
  run_of_left("look", found);
  expect_u32("words of another process in private memory, local memory and a buffer", none, found, 3);
}

static void pull_out(void) {
  simulated_board_unplug(&board);
}

Test(serial_board, that_goes_ends_its_events_and_later_calls, .timeout = 60) {
  plug_in(NULL, NULL);
  expect_events_to_end(build(spin_source, "-cl-std=CL3.0"), pull_out);
}

Test(serial_board, that_goes_leaves_other_devices_alone, .timeout = 60) {
  cl_int error;
  plug_in(NULL, NULL);
  expect_scan(8);
  simulated_board_unplug(&board);
  cl_platform_id platform;
  cl_device_id sim, model;
  heddle_devices(&platform, &sim, &model);
  cl_context context = clCreateContext(NULL, 1, &model, NULL, NULL, &error);
  EXPECT_SUCCESS(error);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, model, NULL, &error);
  EXPECT_SUCCESS(error);
  EXPECT_SUCCESS(clFinish(queue));
}

Test(serial_board, in_use_says_by_whom) {
  char holder[64];
  plug_in(NULL, NULL);
  const int port = open(board.port, O_RDWR | O_NOCTTY);
  cr_assert(port >= 0 && flock(port, LOCK_EX | LOCK_NB) == 0);
  snprintf(holder, sizeof holder, "is in use by process %ld", (long)getpid());
  expect_unavailable(holder);
}

Test(serial_board, that_is_not_there_is_named) {
  setenv("HEDDLE_SERIAL", "/dev/no-such-port", 1);
  expect_unavailable("there is no /dev/no-such-port");
}

Test(serial_board, of_a_port_that_is_none_is_named) {
  setenv("HEDDLE_SERIAL", "/dev/null", 1);
  expect_unavailable("/dev/null is no serial port");
}

Test(serial_board, without_a_device_behind_it_is_reported, .timeout = 60) {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  cr_assert(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
  setenv("HEDDLE_SERIAL", ptsname(terminal), 1);
  expect_unavailable("no Heddle device answers there");
}

Test(serial_board, wants_a_usual_number_of_bits_a_second) {
  plug_in(NULL, NULL);
  setenv("HEDDLE_SERIAL_BAUD", "fast", 1);
  expect_unavailable("HEDDLE_SERIAL_BAUD must be");
}

Test(serial, patience_that_is_none_is_refused) {
  plug_in(NULL, NULL);
  setenv("HEDDLE_LINK_PATIENCE", "0", 1);
  expect_unavailable("HEDDLE_LINK_PATIENCE must be a number from 1 to 10000");
}
