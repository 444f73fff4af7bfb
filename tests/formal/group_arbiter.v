// SPDX-License-Identifier: Apache-2.0
// Proof: rtl/dispatch/group_arbiter.v gives each work-group to exactly one unit, one that is ready and that the dispatch may run on, and says
// so in the next cycle. A unit of these that has room all the time while there are work-groups is offered one within 2 * UNITS cycles. For
// any one unit, for ever (induction).
`default_nettype none

module group_arbiter_proof #(
    parameter UNITS = 3
) (
    input wire             clk,
    input wire             group_valid,
    input wire [UNITS-1:0] unit_ready
);
  localparam BITS = $clog2(UNITS) + 2;
  localparam [UNITS-1:0] ONE = 1;
  wire rst = $initstate;
  wire group_ready;
  wire [UNITS-1:0] offered;
  group_arbiter #(
      .UNITS(UNITS)
  ) dut (
      .clk(clk),
      .rst(rst),
      .units_i(may_run),
      .group_valid_i(group_valid),
      .group_ready_o(group_ready),
      .group_valid_o(offered),
      .group_ready_i(unit_ready)
  );

  // The units that the dispatch may run on.
  (* anyconst *)reg [UNITS-1:0] may_run;

  // The watched unit, one of them, and the cycles since it has room and there are work-groups.
  (* anyconst *)reg [ BITS-1:0] watched;
  always @* assume (watched < UNITS && may_run[watched]);
  reg [BITS-1:0] waited;
  always @(posedge clk)
    if (rst || !group_valid || !unit_ready[watched] || offered[watched]) waited <= 0;
    else waited <= waited + 1'b1;

  // What induction must know of the inside: which unit it offers to, and so how many cycles pass until it offers to the watched unit.
  (* hierconn *) wire [UNITS-1:0] \dut.offered ;
  reg [BITS-1:0] position, left;
  integer i;
  always @* begin
    position = 0;
    for (i = 0; i < UNITS; i = i + 1) if (\dut.offered [i]) position = position | i;
    left = watched >= position ? watched - position : watched + UNITS - position;
    if (!rst) begin
      assert (\dut.offered == ONE << position && position < UNITS);
      assert (waited + 2 * left + group_ready < 2 * UNITS);
    end
  end

  wire [UNITS-1:0] takes = offered & unit_ready;
  reg taken;
  always @(posedge clk) taken <= !rst && takes != 0;
  always @*
    if (!rst) begin
      assert ((takes & (takes - ONE)) == 0);
      assert (group_ready == taken);
      if (group_valid && unit_ready[watched] && waited == 2 * UNITS - 1) assert (offered[watched]);
      cover (waited == 2 * UNITS - 1 && takes[watched]);
      if (taken) assert (offered == 0);
      assert ((offered & ~may_run) == 0);
    end
endmodule

`default_nettype wire
