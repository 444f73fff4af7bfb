// SPDX-License-Identifier: Apache-2.0
// See guest.h.
#include "tests/guest/guest.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "tests/opencl/harness.h"
#include "tests/transport/board_checks.h"

// Where initramfs.py puts them.
static const char KERNELS[] = "/heddle/kernels.elf";
// The guest's second serial port; boot.py has its other end.
static const char PORT[] = "/dev/ttyS1";

void ask_outside(const char *what) {
  char answer[256] = "";
  size_t come = 0;
  struct termios settings;
  const int port = open(PORT, O_RDWR | O_NOCTTY | O_CLOEXEC);
  cr_assert(port >= 0 && tcgetattr(port, &settings) == 0, "no %s", PORT);
  cfmakeraw(&settings);
  cr_assert(tcsetattr(port, TCSANOW, &settings) == 0);
  cr_assert(dprintf(port, "%s\n", what) > 0);
  while ((come == 0 || answer[come - 1] != '\n') && come < sizeof answer - 1 && read(port, answer + come, 1) == 1)
    come++;
  answer[come] = 0;
  close(port);
  cr_assert(strcmp(answer, "done\n") == 0, "%s: %s", what, answer);
}

cl_program guest_kernels(void) {
  return build_file(KERNELS);
}

void expect_sub_groups(size_t count) {
  const size_t lanes = harness()->lanes;
  uint32_t *in = allocate(4 * count), *largest = allocate(4 * count), *odd = allocate(4 * count);
  uint32_t *expected_largest = allocate(4 * count), *expected_odd = allocate(4 * count), seed = 5;
  for (size_t i = 0; i < count; i++)
    in[i] = random_u32(&seed);
  for (size_t i = 0; i < count; i++) {
    for (size_t first = i - i % lanes, j = first; j < first + lanes; j++) {
      expected_largest[i] = in[j] > expected_largest[i] ? in[j] : expected_largest[i];
      expected_odd[i] += in[j] & 1;
    }
  }
  cl_mem from = buffer_with(in, 4 * count), to = buffer_with(NULL, 4 * count), odd_to = buffer_with(NULL, 4 * count);
  cl_kernel kernel = kernel_of(guest_kernels(), "sub_groups");
  set_args(kernel, ARG(from), ARG(to), ARG(odd_to), END_ARGS);
  run_1d(kernel, count, 2 * lanes);
  read_buffer(to, largest, 4 * count);
  read_buffer(odd_to, odd, 4 * count);
  expect_u32("largest", expected_largest, largest, count);
  expect_u32("odd", expected_odd, odd, count);
}

bool is_listed(cl_device_id board) {
  enum { MOST = 32 };
  cl_device_id devices[MOST];
  cl_uint count = 0;
  bool listed = false;
  EXPECT_SUCCESS(clGetDeviceIDs(heddle_platform(), CL_DEVICE_TYPE_ALL, MOST, devices, &count));
  for (cl_uint i = 0; i < count && i < MOST; i++)
    listed = listed || devices[i] == board;
  return listed;
}

// Opens the board, says so, and keeps it until it may go.
static void hold(int said, int may_go) {
  char byte = 0;
  cl_int error;
  cl_device_id board = NULL;
  clGetDeviceIDs(heddle_platform(), CL_DEVICE_TYPE_DEFAULT, 1, &board, NULL);
  cl_context context = clCreateContext(NULL, 1, &board, NULL, NULL, &error);
  const bool right = context && write(said, &byte, 1) == 1 && read(may_go, &byte, 1) == 0;
  _exit(!right);
}

void expect_holder_named(void) {
  int said[2], may_go[2], status = 1;
  char byte, holder[64];
  cr_assert(pipe(said) == 0 && pipe(may_go) == 0);
  const pid_t other = fork();
  if (other == 0) {
    close(may_go[1]);
    hold(said[1], may_go[0]);
  }
  close(said[1]);
  cr_assert(other > 0 && read(said[0], &byte, 1) == 1, "the other process did not open the board");
  snprintf(holder, sizeof holder, "is in use by process %ld", (long)other);
  expect_unavailable(holder);
  close(may_go[1]);
  cr_assert(waitpid(other, &status, 0) == other && status == 0, "the other process ended with status %d", status);
  cr_assert(is_available(board_now()));
}

void expect_permission_named(const char *remedy) {
  enum { NOBODY = 65534 };
  cr_assert(seteuid(NOBODY) == 0);
  expect_unavailable(remedy);
  cr_assert(seteuid(0) == 0);
  cr_assert(is_available(board_now()));
}
