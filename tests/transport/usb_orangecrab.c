// SPDX-License-Identifier: Apache-2.0
// The OrangeCrab's top-level module at its pins D+ and D-, with a model of its DDR3 (usb_board.c has the ULX3S): an
// OpenCL program gets its results, and a board whose memory does not work is refused and says so.
#include <criterion/criterion.h>
#include <stdlib.h>

#include "tests/opencl/harness.h"
#include "tests/transport/board_checks.h"
#include "tests/transport/usb_bed.h"

enum { FULL_SPEED = 64, WORK_ITEMS = 64 };

static void plug_in(void) {
  setenv("HEDDLE_TEST_BOARD", USB_ORANGECRAB, 1);
  usb_bed_create(USB_BED_VERILATED, FULL_SPEED);
  usb_bed_plug();
}

Test(usb_orangecrab, runs_a_sub_group_kernel_through_its_own_pins, .timeout = 600) {
  plug_in();
  setenv("HEDDLE_TEST_DEVICE", "board", 1);
  expect_scan(WORK_ITEMS);
  cr_assert(usb_bed_figures().bytes_from_board > 0);
}

Test(usb_orangecrab, whose_memory_cannot_be_levelled_is_refused_and_says_so, .timeout = 600) {
  setenv("HEDDLE_SIM_BROKEN_MEMORY", "1", 1);
  plug_in();
  expect_unavailable("the board's memory does not work");
}
