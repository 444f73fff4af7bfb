// SPDX-License-Identifier: Apache-2.0
// Carries a lane's result from where it is made to the register file: collectives and floating point take that long.
// One a cycle; what is not the result is 0. From e3 to wr it is TAIL + 1 cycles.
`default_nettype none

module write_value #(
    parameter TAIL = 4,  // stages from e3 to wb: 2 at least, with floating point 4
    parameter FPU  = 1   // 1: with floating point
) (
    input wire clk,

    // results on the way, by the stage in which they are there
    input  wire [31:0] e3_result_i,
    input  wire [31:0] e3_shuffled_i,
    input  wire [31:0] e6_rounded_i,          // of floating point: this, or, where it is fixed, the next
    input  wire [31:0] e6_known_i,
    input  wire        e6_fixed_i,
    input  wire [31:0] last_link_i,           // the stage before wb
    input  wire        last_collective_i,     // the result is the collective's
    output wire [31:0] last_float_o,          // of floating point; else 0
    input  wire        wb_write_i,            // there is a result to be written
    input  wire [31:0] wb_collective_value_i,

    output reg [31:0] wr_value_o
);
  wire [31:0] last_result, last_rounded, last_known, last_shuffled;
  wire last_fixed;
  assign last_float_o = (last_rounded & {32{!last_fixed}}) | last_known;
  delay #(
      .WIDTH (32),
      .CYCLES(TAIL - 1)
  ) carry_result (
      .clk(clk),
      .value_i(e3_result_i),
      .value_o(last_result)
  );
  delay #(
      .WIDTH (65),
      .CYCLES(FPU != 0 ? TAIL - 4 : 0)
  ) carry_float (
      .clk(clk),
      .value_i({e6_rounded_i, e6_known_i, e6_fixed_i}),
      .value_o({last_rounded, last_known, last_fixed})
  );
  delay #(
      .WIDTH (32),
      .CYCLES(TAIL - 1)
  ) carry_shuffled (
      .clk(clk),
      .value_i(e3_shuffled_i),
      .value_o(last_shuffled)
  );
  // What floating point rounds comes late: it has a register of its own.
  reg [31:0] wb_result, wb_rounded;
  always @(posedge clk) begin
    if (last_collective_i) wb_result <= 32'd0;
    else wb_result <= last_result | last_known | last_shuffled | last_link_i;
    if (last_collective_i || last_fixed) wb_rounded <= 32'd0;
    else wb_rounded <= last_rounded;
    if (wb_write_i) wr_value_o <= wb_result | wb_rounded | wb_collective_value_i;
    else wr_value_o <= 32'd0;
  end
endmodule

`default_nettype wire
