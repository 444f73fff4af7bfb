// SPDX-License-Identifier: Apache-2.0
// Shifts and rotates the word of a lane, one a cycle: by 8 and 16 in e1, by 1, 2 and 4 in e2, after a register.
// Left shifts go through the right shifter with the bits reversed. What a rotation shifts out comes in again; reversed
// bytes are a rotation by 8, and by another 16 for every second byte.
`default_nettype none

module shifter #(
    parameter BITMANIP = 1  // 1: with rotations and reversed bytes
) (
    input wire clk,

    // stage e1
    input  wire [31:0] e1_a_i,
    input  wire [ 4:0] e1_amount_i,
    input  wire        e1_right_i,
    input  wire        e1_arithmetic_i,     // shift in the sign
    input  wire        e1_rotate_i,
    input  wire        e1_reverse_bytes_i,  // and rotate, to the right by 24
    output wire [31:0] e1_in_o,             // what is shifted to the right: a, or its bits reversed

    // stage e2
    output wire [31:0] e2_value_o
);
  function [31:0] reversed(input [31:0] value);
    integer k;
    for (k = 0; k < 32; k = k + 1) reversed[k] = value[31-k];
  endfunction
  wire e1_rotate = BITMANIP != 0 && e1_rotate_i;
  wire e1_fill = e1_arithmetic_i & e1_a_i[31] & !e1_rotate;
  wire e1_odd_16 = e1_amount_i[4] & !(BITMANIP != 0 && e1_reverse_bytes_i);
  assign e1_in_o = e1_right_i ? e1_a_i : reversed(e1_a_i);
  wire [7:0] e1_in_8 = e1_rotate ? e1_in_o[7:0] : {8{e1_fill}};
  wire [31:0] e1_shift_8 = e1_amount_i[3] ? {e1_in_8, e1_in_o[31:8]} : e1_in_o;
  wire [15:0] e1_in_16 = e1_rotate ? e1_shift_8[15:0] : {16{e1_fill}};
  wire [31:0] e1_shift_24 = {
    e1_odd_16 ? e1_in_16[15:8] : e1_shift_8[31:24],
    e1_amount_i[4] ? e1_in_16[7:0] : e1_shift_8[23:16],
    e1_odd_16 ? e1_shift_8[31:24] : e1_shift_8[15:8],
    e1_amount_i[4] ? e1_shift_8[23:16] : e1_shift_8[7:0]
  };

  reg [31:0] e2_shift;
  reg [2:0] e2_amount;
  reg e2_fill, e2_right, e2_rotate;
  always @(posedge clk) begin
    e2_shift  <= e1_shift_24;
    e2_amount <= e1_amount_i[2:0];
    e2_fill   <= e1_fill;
    e2_right  <= e1_right_i;
    e2_rotate <= e1_rotate;
  end
  wire [31:0] e2_shift_1 = e2_amount[0] ? {e2_rotate ? e2_shift[0] : e2_fill, e2_shift[31:1]} : e2_shift;
  wire [31:0] e2_shift_3 = e2_amount[1] ? {e2_rotate ? e2_shift_1[1:0] : {2{e2_fill}}, e2_shift_1[31:2]} : e2_shift_1;
  wire [31:0] e2_shift_7 = e2_amount[2] ? {e2_rotate ? e2_shift_3[3:0] : {4{e2_fill}}, e2_shift_3[31:4]} : e2_shift_3;
  assign e2_value_o = e2_right ? e2_shift_7 : reversed(e2_shift_7);
endmodule

`default_nettype wire
