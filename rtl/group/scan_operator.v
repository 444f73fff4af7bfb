// SPDX-License-Identifier: Apache-2.0
// One binary operation of the collectives: addition, minimum or maximum of int or uint. Combinational: one carry chain and a mux.
`default_nettype none

module scan_operator (
    input  wire        add_i,     // addition, else minimum or maximum
    input  wire        max_i,     // maximum (when not add_i)
    input  wire        signed_i,  // compare as int, else as uint
    input  wire [31:0] a_i,
    input  wire [31:0] b_i,
    output wire [31:0] y_o
);
  // a + b, or a - b with its sign in bit 32; the bottom bit only carries the +1 of the subtraction in.
  wire [33:0] sum = {signed_i & a_i[31], a_i, 1'b1} + {(signed_i & b_i[31]) ^ !add_i, b_i ^ {32{!add_i}}, !add_i};
  wire a_less = sum[33];
  assign y_o = add_i ? sum[32:1] : (a_less ^ max_i) ? a_i : b_i;
  wire unused = sum[0];
endmodule

`default_nettype wire
