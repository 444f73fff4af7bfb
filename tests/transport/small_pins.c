// SPDX-License-Identifier: Apache-2.0
// Each board with a small device runs a scan for an OpenCL program, at its pins: as its source, and with
// HEDDLE_BOARDS_AS=made as what is flashed.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/opencl/harness.h"
#include "tests/transport/board_checks.h"
#include "tests/transport/small_board.h"

// Where HEDDLE_BOARDS names boards, the others are skipped.
static void plug_in(const char *name) {
  const char *chosen = getenv("HEDDLE_BOARDS");
  if (chosen && !strstr(chosen, name))
    cr_skip_test("%s is not among the boards that are asked for", name);
  small_board_plug_in(name);
}

Test(small_pins, an_icebreaker_scans_and_gives_back_what_was_written, .timeout = 600) {
  plug_in("icebreaker");
  expect_scan(64);
  expect_words_back(2048);
}

Test(small_pins, an_hx8k_scans_in_its_block_ram, .timeout = 600) {
  plug_in("hx8k");
  expect_scan(16);
}

Test(small_pins, a_tang_nano_20k_scans_and_gives_back_what_was_written, .timeout = 600) {
  plug_in("tangnano20k");
  expect_scan(64);
  expect_words_back(2048);
}
