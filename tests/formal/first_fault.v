// SPDX-License-Identifier: Apache-2.0
// Proof: the record that rtl/dispatch/first_fault.v gives is that of a unit that faulted in the first cycle of a dispatch in which any
// did: of those with a work-group, if there are such, the lowest. It stays until all faults are cleared. With the first fault all
// units are stopped, and without one, or the walker, none. Three units, for ever (induction).
`default_nettype none

module first_fault_proof #(
    parameter UNITS = 3
) (
    input wire             clk,
    input wire             stop,
    input wire             clear,
    input wire [UNITS-1:0] faults,
    input wire [UNITS-1:0] idle,
    input wire [UNITS-1:0] drained
);
  wire rst = $initstate;
  wire fault, all_drained, stop_all;
  wire [1:0] record;  // a unit's is its number
  first_fault #(
      .UNITS(UNITS),
      .RECORD_BITS(2)
  ) dut (
      .clk(clk),
      .rst(rst),
      .stop_i(stop),
      .fault_o(fault),
      .drained_o(all_drained),
      .stop_o(stop_all),
      .fault_i(faults),
      .idle_i(idle),
      .drained_i(drained),
      .records_i({2'd2, 2'd1, 2'd0}),
      .record_o(record)
  );

  // The units' rules: a fault stays until all are cleared together, and only a unit with a fault drains.
  reg [UNITS-1:0] had;
  reg cleared;
  always @(posedge clk) begin
    had <= rst ? 0 : faults;
    cleared <= rst || clear;
  end
  always @* begin
    if (cleared)
      assume (faults == 0);
      else assume ((had & ~faults) == 0);
    assume ((drained & ~faults) == 0);
  end

  // The first cycle with a fault: who had one, and who of these had a work-group.
  reg seen;
  reg [UNITS-1:0] first, working;
  always @(posedge clk) begin
    seen <= !rst && faults != 0;
    if (!seen) begin
      first   <= faults;
      working <= faults & ~idle;
    end
  end

  (* hierconn *) wire \dut.found ;
  wire [UNITS-1:0] candidates = working != 0 ? working : first;
  integer i;
  always @* for (i = 0; i < UNITS; i = i + 1) if (!rst && seen && i < record) assert (!candidates[i]);
  always @*
    if (!rst) begin
      assert (\dut.found == seen && seen == (had != 0));
      assert (fault == (faults != 0));
      assert (stop_all == (stop || faults != 0));
      assert (all_drained == (seen && (&drained)));
      if (seen) assert (record < UNITS && candidates[record]);
      cover (all_drained && record == 2 && first[0]);
    end
endmodule

`default_nettype wire
