// SPDX-License-Identifier: Apache-2.0
// One binary operation of the collectives: addition, minimum or maximum of int or uint. Combinational: one carry chain and a mux.
// Of 64 bits it takes two words, one after the other: of a sum the lower first, of a minimum or maximum the upper. What the first
// leaves for the second is left_o.
`default_nettype none

module scan_operator #(
    parameter MOVED = 0  // 1: b stands in a register as the carry chain takes it, too
) (
    input wire add_i,  // addition, else minimum or maximum
    input wire max_i,  // maximum (when not add_i)
    input wire signed_i,  // compare as int, else as uint
    input wire carry_i,  // into the sum: of an addition 0, or the carry of the first words; else 1
    input wire [1:0] known_i,  // whether a is not less: 00 no, 11 yes, 01 as these words say
    input wire [31:0] a_i,
    input wire [31:0] b_i,
    input wire [31:0] moved_b_i,  // that: b ^ (add_i ? 0 : ~0) ^ (signed_i ? 2^31 : 0); nothing when MOVED is 0
    output wire [31:0] y_o,
    output wire [8:0] left_o  // of the first words: carry, or a is not less; and for each 4 bits whether they are equal
);
  // a + b, or a - b, whose carry says that a is not less; for that as int, both are moved by 2^31. The carry stays in the chain until
  // known_i has let it pass: so nothing but the mux is behind it.
  wire [31:0] order = {signed_i, 31'd0};
  wire [31:0] moved_b = MOVED != 0 ? moved_b_i : b_i ^ order ^ {32{!add_i}};
  wire [34:0] sum = {1'b0, known_i[0], a_i ^ order, 1'b1} + {1'b0, known_i[1], moved_b, carry_i};
  assign y_o = add_i ? sum[32:1] : (sum[34] ^ max_i) ? b_i : a_i;
  // The difference is compared with 0, not a with b, which would be twice as large.
  assign left_o[8] = sum[34];
  genvar n;
  generate
    for (n = 0; n < 8; n = n + 1) begin : nibble
      assign left_o[n] = sum[4*n+1+:4] == 4'd0;
    end
  endgenerate
  wire unused = &{1'b0, sum[33], sum[0], moved_b_i};
endmodule

`default_nettype wire
