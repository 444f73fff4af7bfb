// SPDX-License-Identifier: Apache-2.0
// The fault record of a dispatch: that of the unit that faults first. The other units are stopped, and their records
// are ignored. If several units fault in one cycle, the lowest unit that has a work-group counts: so it is when the
// walker stops all units.
`default_nettype none

module first_fault #(
    parameter UNITS = 1,
    parameter RECORD_BITS = 256
) (
    input wire clk,
    input wire rst,

    // the walker
    input  wire stop_i,
    output wire fault_o,
    output wire drained_o, // all units have drained, and the record is complete

    // the units; a fault stays until the unit is cleared or starts again
    output wire                         stop_o,
    input  wire [            UNITS-1:0] fault_i,
    input  wire [            UNITS-1:0] idle_i,
    input  wire [            UNITS-1:0] drained_i,
    input  wire [UNITS*RECORD_BITS-1:0] records_i,

    output wire [RECORD_BITS-1:0] record_o
);
  localparam UNIT_BITS = UNITS > 1 ? $clog2(UNITS) : 1;
  reg found;
  reg [UNIT_BITS-1:0] first, unit;
  integer n;
  always @* begin
    first = {UNIT_BITS{1'b0}};
    for (n = UNITS - 1; n >= 0; n = n - 1) if (fault_i[n]) first = n[UNIT_BITS-1:0];
    for (n = UNITS - 1; n >= 0; n = n - 1) if (fault_i[n] && !idle_i[n]) first = n[UNIT_BITS-1:0];
  end
  always @(posedge clk) begin
    found <= fault_i != 0 && !rst;
    if (fault_i != 0 && !found) unit <= first;
  end
  assign fault_o = fault_i != 0;
  assign drained_o = &drained_i && found;
  // A single unit stops by itself.
  assign stop_o = stop_i || (UNITS > 1 && fault_o);
  assign record_o = UNITS > 1 ? records_i[unit*RECORD_BITS+:RECORD_BITS] : records_i[RECORD_BITS-1:0];
endmodule

`default_nettype wire
