// SPDX-License-Identifier: Apache-2.0
// Runs the lanes' dividers, one instruction at a time. Integers: takes one when free, steps them 32 times, lets the
// sign settle for a cycle, then holds the result until the registers take it. Floats: normalises (0 to 24 cycles, as
// long as a lane needs, and two until that is known), steps 26 times, then waits until the instruction comes again and
// float_unit.v rounds the digits.
`default_nettype none

module divide_control #(
    parameter LANES = 8,
    parameter SLOT_BITS = 5
) (
    input wire clk,
    input wire rst,

    input  wire                 start_i,  // only while !busy_o
    input  wire                 float_i,  // quotient or root of floats
    input  wire [          4:0] rd_i,
    input  wire [SLOT_BITS-1:0] slot_i,
    input  wire [    LANES-1:0] lanes_i,
    output reg                  busy_o,

    output reg  step_o,
    output wire normalise_o,
    input  wire normalise_i,  // some lane has not finished that

    output wire                 ending_o,      // done_o in the next cycle
    output reg                  done_o,        // integers: until taken
    output reg                  float_done_o,  // floats: until resumed
    output reg                  float_wake_o,  // four cycles before that: an instruction needs as long from se to de
    output reg                  soon_o,        // one that comes from se from now on finds a free divider at e1
    input  wire                 taken_i,       // integers: the registers have it
    input  wire                 resumed_i,     // floats: the instruction has come again
    output reg  [          4:0] rd_o,
    output reg  [SLOT_BITS-1:0] slot_o,
    output reg  [    LANES-1:0] lanes_o
);
  reg [5:0] count;
  reg is_float, normalising;
  reg waits;  // normalise_i a cycle ago: some lanes are far away
  assign normalise_o = normalising;
  reg last, ends;  // the last step; of integers
  assign ending_o = !taken_i && (ends || done_o);
  always @(posedge clk) begin
    {float_wake_o, last, ends} <= 3'b000;
    soon_o <= is_float ? float_wake_o : busy_o && count == 6'd8;
    if (start_i) begin
      busy_o <= 1'b1;
      count <= float_i ? 6'd27 : 6'd33;
      is_float <= float_i;
      normalising <= float_i;
      waits <= float_i;
      step_o <= !float_i;
      {rd_o, slot_o, lanes_o} <= {rd_i, slot_i, lanes_i};
    end else if (normalising) begin
      waits <= normalise_i;
      normalising <= waits;
      step_o <= !waits;
    end else if (busy_o && !done_o && !float_done_o) begin
      count <= count - 6'd1;
      step_o <= count > 6'd2;
      float_wake_o <= is_float && count == 6'd6;
      last <= count == 6'd2;
      ends <= count == 6'd2 && !is_float;
      if (last) {done_o, float_done_o} <= {!is_float, is_float};
    end
    if (taken_i || resumed_i || rst)
      {busy_o, done_o, float_done_o, float_wake_o, soon_o, last, ends, normalising, step_o} <= 9'd0;
  end
endmodule

`default_nettype wire
