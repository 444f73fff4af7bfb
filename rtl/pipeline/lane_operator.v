// SPDX-License-Identifier: Apache-2.0
// One integer operation of the collectives, fixed by OPERATION. Combinational.
`default_nettype none

module lane_operator #(
    parameter OPERATION = 0,  // 0 add, 1 minimum, 2 maximum (int), 3 minimum, 4 maximum (uint), 5 and, 6 or, 7 xor
    parameter WIDTH = 32
) (
    input  wire [WIDTH-1:0] a_i,
    input  wire [WIDTH-1:0] b_i,
    output wire [WIDTH-1:0] y_o
);
  localparam IS_MAX = OPERATION == 2 || OPERATION == 4;
  generate
    if (OPERATION == 0) begin : add
      assign y_o = a_i + b_i;
    end else if (OPERATION <= 2) begin : int_order
      wire less = $signed(a_i) < $signed(b_i);
      assign y_o = less ^ IS_MAX ? a_i : b_i;
    end else if (OPERATION <= 4) begin : uint_order
      wire less = a_i < b_i;
      assign y_o = less ^ IS_MAX ? a_i : b_i;
    end else if (OPERATION == 5) begin : bit_and
      assign y_o = a_i & b_i;
    end else if (OPERATION == 6) begin : bit_or
      assign y_o = a_i | b_i;
    end else begin : bit_xor
      assign y_o = a_i ^ b_i;
    end
  endgenerate
endmodule

`default_nettype wire
