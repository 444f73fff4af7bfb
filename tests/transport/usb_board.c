// SPDX-License-Identifier: Apache-2.0
// A real board's top-level module whose host is on USB, at its pins D+ and D-: an OpenCL program gets its results
// through libheddle.so and libusb as they are installed. umockdev has the board as its device (usb_bed.h), and the
// simulation is a USB host to it, from the bus's reset through its descriptors to its bulk endpoints.
#include <criterion/criterion.h>
#include <stdlib.h>

#include "tests/opencl/harness.h"
#include "tests/transport/board_checks.h"
#include "tests/transport/usb_bed.h"

Test(usb_board, runs_a_sub_group_kernel_through_its_own_pins, .timeout = 600) {
  enum { FULL_SPEED = 64, WORK_ITEMS = 64 };
  setenv("HEDDLE_TEST_BOARD", USB_BOARD, 1);
  usb_bed_create(USB_BED_VERILATED, FULL_SPEED);
  usb_bed_plug();
  setenv("HEDDLE_TEST_DEVICE", "board", 1);
  expect_scan(WORK_ITEMS);
  cr_assert(usb_bed_figures().bytes_from_board > 0);
}
