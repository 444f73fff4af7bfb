// SPDX-License-Identifier: Apache-2.0
// Verilog of what nextpnr placed and routed (sim/netlist/routed.py) does what the design's source does; what is not
// routed is refused.
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/boards/routed_cells.h"

enum { CYCLES = 20000 };

static struct cells_in random_in(uint32_t *seed) {
  *seed = *seed * 1664525 + 1013904223;
  const uint32_t value = *seed >> 8;
  return (struct cells_in){(uint8_t)value, value >> 8 & 1, value >> 9 & 3, value >> 11 & 1};
}

// Of so many cycles, in how many the two did not do the same; says where first.
static unsigned differences(struct cells_out (*one)(struct cells_in), struct cells_out (*other)(struct cells_in)) {
  unsigned count = 0;
  uint32_t seed = 1;
  for (unsigned i = 0; i < CYCLES; i++) {
    const struct cells_in in = random_in(&seed);
    const struct cells_out expected = one(in), got = other(in);
    if (memcmp(&expected, &got, sizeof got) != 0 && count++ == 0)
      fprintf(stderr, "cycle %u: out %02x, not %02x\n", i, got.out, expected.out);
  }
  return count;
}

Test(routed, every_kind_of_cell_does_what_its_source_says) {
  cr_assert_eq(differences(cells_of_source, cells_of_routed), 0);
}

Test(routed, one_wrong_lut_is_found_out) {
  cr_assert_neq(differences(cells_of_source, cells_of_damaged), 0);
}

Test(routed, a_design_that_is_not_routed_is_refused) {
  char said[512] = "";
  FILE *tool =
      popen(ROUTED_TOOL " --routed routed_cells " ROUTED_CELLS "/placed.json " ROUTED_CELLS "/placed.v 2>&1", "r");
  cr_assert(tool);
  const size_t length = fread(said, 1, sizeof said - 1, tool);
  said[length] = 0;
  cr_assert_neq(pclose(tool), 0);
  cr_assert(strstr(said, "are not routed"), "it says \"%s\"", said);
}
