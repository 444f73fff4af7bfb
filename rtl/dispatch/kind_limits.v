// SPDX-License-Identifier: Apache-2.0
// The limits of the kind of compute unit that a dispatch names, from the device's table of kinds. With one kind they
// are constants; with several they are valid the cycle after kind_i.
`include "rtl/shape.vh"
`default_nettype none

module kind_limits #(
    parameter KINDS = 1,  // 1 to 16
    parameter [KINDS*`HEDDLE_KIND_BITS-1:0] TABLE = 0  // 16 words for each (contract/DEVICE.md)
) (
    input wire clk,

    input  wire [ 6:0] kind_i,
    output wire        exists_o,          // the device has units of that kind
    output wire        private_memory_o,  // these units have private memory in global memory
    output wire [ 2:0] lanes_log2_o,
    output wire [11:0] slots_o,           // slots of a unit
    output wire [31:0] items_o,           // most work-items of a work-group
    output wire [31:0] local_bytes_o,     // most local memory of a work-group
    output wire [16:0] resident_o         // work-items that all units of the kind hold
);
  // Bits of an entry of the table, by its words.
  localparam TYPE = 32 * `HEDDLE_KIND_TYPE, UNITS = 32 * `HEDDLE_KIND_UNITS, LANES = 32 * `HEDDLE_KIND_LANES;
  localparam SLOTS = 32 * `HEDDLE_KIND_SLOTS, ITEMS = 32 * `HEDDLE_KIND_WORK_GROUP_ITEMS;
  localparam LOCAL = 32 * `HEDDLE_KIND_LOCAL_BYTES;
  localparam BITS = 1 + 1 + 3 + 12 + 32 + 32 + 17;
  // The outputs for an entry of the table, in their order.
  function [BITS-1:0] limits(input [`HEDDLE_KIND_BITS-1:0] entry);
    integer b;
    reg [2:0] lanes_log2;
    begin
      lanes_log2 = 3'd0;
      for (b = 1; b < 6; b = b + 1) if (entry[LANES+b]) lanes_log2 = b[2:0];
      limits = {
        entry[UNITS+:32] != 0,
        entry[TYPE+:32] == `HEDDLE_KIND_IS_PROGRAMMABLE,
        lanes_log2,
        entry[SLOTS+:12],
        entry[ITEMS+:32],
        entry[LOCAL+:32],
        ({12'd0, entry[UNITS+:5]} * {5'd0, entry[SLOTS+:12]}) << lanes_log2
      };
    end
  endfunction

  reg known;
  reg [BITS-1:0] of_kind;
  integer k;
  always @* begin
    known   = 1'b0;
    of_kind = limits(TABLE[`HEDDLE_KIND_BITS-1:0]);
    for (k = 0; k < KINDS; k = k + 1)
    if (kind_i == k[6:0]) begin
      known   = 1'b1;
      of_kind = limits(TABLE[k*`HEDDLE_KIND_BITS+:`HEDDLE_KIND_BITS]);
    end
  end
  delay #(
      .WIDTH (BITS),
      .CYCLES(KINDS > 1 ? 1 : 0)
  ) output_delay (
      .clk(clk),
      .value_i({known && of_kind[BITS-1], of_kind[BITS-2:0]}),
      .value_o({exists_o, private_memory_o, lanes_log2_o, slots_o, items_o, local_bytes_o, resident_o})
  );
endmodule

`default_nettype wire
