// SPDX-License-Identifier: Apache-2.0
// A cycle of tests/boards/routed_cells.v: of its source, and of what nextpnr placed and routed of it.
#ifndef HEDDLE_TESTS_BOARDS_ROUTED_CELLS_H
#define HEDDLE_TESTS_BOARDS_ROUTED_CELLS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct cells_in {
  uint8_t in, select;
  uint8_t both, both_registered;  // what others drive at the pads that go both ways
};

struct cells_out {
  uint8_t out, registered;
  uint8_t both, both_registered;      // what the pads drive; 0 where they do not
  uint8_t drives, drives_registered;  // whether they do
  uint8_t late_clk[2];                // in the half of a cycle that is low, and in the other
};

// Begins with the first call; each goes from one rising edge to behind the next.
struct cells_out cells_of_source(struct cells_in in);
struct cells_out cells_of_routed(struct cells_in in);
struct cells_out cells_of_damaged(struct cells_in in);

#ifdef __cplusplus
}
#endif

#endif
