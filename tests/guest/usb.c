// SPDX-License-Identifier: Apache-2.0
// What an OpenCL program is promised of a board on USB where a real kernel is between the two: inside a QEMU guest,
// whose host controller, hub and usbfs are Linux's own. heddle-usb-board is the board, outside (boot.py plugs it in).
#include "host/transport/usb.h"

#include <criterion/criterion.h>
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/guest/guest.h"
#include "tests/opencl/harness.h"
#include "tests/transport/board_checks.h"

// Milliseconds that a kernel may take to see that a board came or went: it resets and addresses one that came.
enum { MOST_MS = 60000, LOOK_MS = 20 };

static size_t boards_there(struct heddle_bus_location *location) {
  return heddle_usb_list(location, 1);
}

// Waits until that many boards are there, 0 or 1, for as long as the guest's kernel needs to notice.
static void wait_for_boards(size_t count) {
  struct heddle_bus_location location;
  for (int waited = 0; boards_there(&location) != count; waited += LOOK_MS) {
    cr_assert(waited < MOST_MS, "%s after %d ms", count ? "no board is there" : "the board is still there", MOST_MS);
    usleep(LOOK_MS * 1000);
  }
}

static void plug(const char *how) {
  char what[64];
  snprintf(what, sizeof what, "plug %s", how);
  ask_outside(what);
  wait_for_boards(1);
  setenv("HEDDLE_TEST_DEVICE", "board", 1);
}

static void pull_out(void) {
  ask_outside("pull out");
}

// Boards stay in until they are pulled out, whatever becomes of a test.
static void pull_out_and_wait(void) {
  pull_out();
  wait_for_boards(0);
}

TestSuite(usb, .fini = pull_out_and_wait, .timeout = 300);

static bool read_line(const char *path, char *text, size_t room) {
  FILE *file = fopen(path, "re");
  const bool read = file && fgets(text, (int)room, file);
  if (file)
    fclose(file);
  return read;
}

// Megabits a second, as the kernel found out.
static unsigned speed_of_board(void) {
  glob_t products;
  unsigned speed = 0;
  cr_assert(glob("/sys/bus/usb/devices/*/product", 0, NULL, &products) == 0);
  for (size_t i = 0; i < products.gl_pathc; i++) {
    char *path = products.gl_pathv[i], text[64];
    if (!read_line(path, text, sizeof text) || strncmp(text, "Heddle", 6) != 0)
      continue;
    strcpy(strrchr(path, '/'), "/speed");
    speed = read_line(path, text, sizeof text) ? (unsigned)atoi(text) : 0;
  }
  globfree(&products);
  return speed;
}

static void expect_work(void) {
  expect_sub_groups(256);
  expect_scan_by(guest_kernels(), 1024);
}

static void expect_enumerated(const char *how, unsigned speed) {
  plug(how);
  cr_assert(is_available(board_now()));
  const unsigned found = speed_of_board();
  cr_assert(found == speed, "the kernel says %u Mbit/s, %u are expected", found, speed);
}

static void expect_work_after_replugging(const char *how) {
  plug(how);
  const cl_device_id first = board_now();
  expect_events_to_end(guest_kernels(), pull_out);
  wait_for_boards(0);
  cr_assert(!is_listed(first) && !is_available(first));
  plug(how);
  cr_assert(!is_available(first) && board_now() != first);
  harness_forget();
  expect_work();
}

#define AT_BOTH_SPEEDS(name, full_speed, high_speed) \
  Test(usb, name##_at_full_speed) {                  \
    full_speed;                                      \
  }                                                  \
  Test(usb, name##_at_high_speed) {                  \
    high_speed;                                      \
  }

AT_BOTH_SPEEDS(kernel_and_library_find_the_board, expect_enumerated("full", 12), expect_enumerated("high", 480))

static void expect_results(const char *how) {
  plug(how);
  expect_work();
}
AT_BOTH_SPEEDS(runs_sub_groups, expect_results("full"), expect_results("high"))

static void expect_buffers_back(const char *how) {
  enum { WORDS = 64 * 1024 / 4, TIMES = 4 };
  plug(how);
  for (int i = 0; i < TIMES; i++)
    expect_words_back(WORDS);
}
AT_BOTH_SPEEDS(buffers_of_64_KiB_come_back, expect_buffers_back("full"), expect_buffers_back("high"))

AT_BOTH_SPEEDS(board_pulled_out_ends_its_events_and_plugged_in_again_works, expect_work_after_replugging("full"),
               expect_work_after_replugging("high"))

Test(usb, board_pulled_out_at_any_moment_ends_every_event) {
  enum { CYCLES = 4 };
  uint32_t seed = 11;
  for (int i = 0; i < CYCLES; i++) {
    plug(i % 2 == 0 ? "full" : "high");
    pull_out_in_flight(harness()->queue, guest_kernels(), &seed, pull_out);
    wait_for_boards(0);
    harness_forget();
  }
}

Test(usb, runs_sub_groups_on_the_verilated_device) {
  plug("full verilated");
  expect_sub_groups(64);
}

Test(usb, second_process_is_told_who_has_the_board) {
  plug("high");
  expect_holder_named();
}

Test(usb, missing_permission_names_the_udev_rule) {
  plug("high");
  expect_permission_named("install the udev rule 70-heddle.rules");
}
