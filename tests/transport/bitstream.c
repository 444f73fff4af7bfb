// SPDX-License-Identifier: Apache-2.0
// The smallest board as it is flashed: the HX8K's bitstream, of Yosys, nextpnr and icepack, turned back into Verilog
// and simulated at its UART's pins, runs a kernel with sub-groups for an OpenCL program.
#include <criterion/criterion.h>
#include <stdlib.h>

#include "tests/transport/board_checks.h"
#include "tests/transport/small_board.h"

Test(bitstream, of_an_hx8k_scans_by_sub_groups, .timeout = 600) {
  setenv("HEDDLE_BOARDS_AS", "made", 1);
  setenv("HEDDLE_LINK_PATIENCE", "100", 1);  // fewer cycles a second than the library is used to
  small_board_plug_in("hx8k");
  expect_scan(16);
}
