// SPDX-License-Identifier: Apache-2.0
// See routed_cells.h. CELLS is the function that this is compiled to, of Vblock, which the header BLOCK has; NETLIST
// says that it is sim/netlist's Verilog.
#include "tests/boards/routed_cells.h"

#include BLOCK
#include "verilated.h"

#ifdef NETLIST
#define SIDE(pin, what) pin##_##what
#else
#define SIDE(pin, what) pin##__##what
#endif

struct cells_out CELLS(struct cells_in in) {
  static VerilatedContext context;
  static Vblock *const block = new Vblock(&context);
  cells_out out = {};
  block->in = in.in;
  block->select = in.select & 1;
  block->clk = 0;
  block->eval();
  out.late_clk[0] = block->late_clk;
  out.drives = block->SIDE(both, en);
  out.drives_registered = block->SIDE(both_registered, en);
  out.both = block->SIDE(both, out) & out.drives;
  out.both_registered = block->SIDE(both_registered, out) & out.drives_registered;
  block->both = (in.both & ~out.drives & 3) | out.both;
  block->both_registered = (in.both_registered & ~out.drives_registered & 1) | out.both_registered;
  block->eval();
  block->clk = 1;
  block->eval();
  out.late_clk[1] = block->late_clk;
  out.out = block->out;
  out.registered = block->registered;
  return out;
}
