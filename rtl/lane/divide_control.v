// SPDX-License-Identifier: Apache-2.0
// Runs the lanes' dividers, one instruction at a time: takes one when free, steps them 32 times, lets the sign settle for a
// cycle, then holds the result until the registers take it.
`default_nettype none

module divide_control #(
    parameter LANES = 8,
    parameter SLOT_BITS = 5
) (
    input wire clk,
    input wire rst,

    input  wire                 start_i,  // only while !busy_o
    input  wire [          4:0] rd_i,
    input  wire [SLOT_BITS-1:0] slot_i,
    input  wire [    LANES-1:0] lanes_i,
    output reg                  busy_o,
    output wire                 step_o,

    output reg                  done_o,   // until taken
    input  wire                 taken_i,
    output reg  [          4:0] rd_o,
    output reg  [SLOT_BITS-1:0] slot_o,
    output reg  [    LANES-1:0] lanes_o
);
  reg [5:0] count;
  assign step_o = busy_o && count > 6'd1;
  always @(posedge clk) begin
    if (start_i) begin
      busy_o <= 1'b1;
      count <= 6'd33;
      {rd_o, slot_o, lanes_o} <= {rd_i, slot_i, lanes_i};
    end else if (busy_o && !done_o) begin
      count <= count - 6'd1;
      if (count == 6'd1) done_o <= 1'b1;
    end
    if (taken_i) {busy_o, done_o} <= 2'b00;
    if (rst) {busy_o, done_o} <= 2'b00;
  end
endmodule

`default_nettype wire
