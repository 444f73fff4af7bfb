// SPDX-License-Identifier: Apache-2.0
// One binary operation of the collectives (rtl/group/collective.vh). Combinational: one carry chain and a mux of two
// LUT4 a bit. Of 64 bits it takes two words, one after the other: of a sum the lower first, of a minimum or maximum the
// upper. What the first leaves for the second is left_o.
`include "rtl/shape.vh"
`default_nettype none

module scan_operator #(
    parameter MOVED = 0  // 1: b stands in a register as the carry chain takes it, too
) (
    input wire [`HEDDLE_COLLECTIVE_BITS-1:0] operation_i,  // T_* of collective.vh
    input wire carry_i,  // into the chain: of a sum 0, or the carry of the first words; else !T_ADD
    input wire [1:0] known_i,  // whether a is not less: 00 no, 11 yes, 01 as these words say
    input wire [31:0] a_i,
    input wire [31:0] b_i,
    input wire [31:0] moved_b_i,  // b ^ (T_ADD ? 0 : ~0) ^ (T_SIGNED ? 2^31 : 0); not read when MOVED is 0
    output wire [31:0] y_o,
    output wire [8:0] left_o  // of the first words: carry, or a is not less; and for each 4 bits whether they are equal
);
  `include "rtl/group/collective.vh"
  wire add = operation_i[T_ADD], max = operation_i[T_MAX], bits = operation_i[T_BITS];

  // a + b, or a - b, whose carry says that a is not less; for that as int, both are moved by 2^31. The carry stays in
  // the chain until known_i has let it pass: so nothing but the mux is behind it. The chain also gives a | b = a + (b &
  // ~a) and a & b = a - (a & ~b), for the inputs of a LUT4 in front of it, and the mux has a ^ b in place of a fourth
  // word. Where b comes from a register (MOVED), nothing may be in front of the chain: the mux gets them instead of b.
  wire [31:0] order = {operation_i[T_SIGNED], 31'd0};
  wire [31:0] moved_b;
  wire [34:0] sum = {1'b0, known_i[0], a_i ^ order, 1'b1} + {1'b0, known_i[1], moved_b, carry_i};
  generate
    if (MOVED != 0) begin : moved
      assign moved_b = moved_b_i;
      // A LUT4 of a, b and two selects.
      wire or_xor = bits && add, and_xor = bits && (max || !add);
      wire [31:0] word = or_xor ? (and_xor ? a_i ^ b_i : a_i | b_i) : and_xor ? a_i & b_i : b_i;
      assign y_o = add && !bits ? sum[32:1] : bits || (sum[34] ^ max) ? word : a_i;
    end else begin : plain
      assign moved_b = (bits ? (add ? b_i & ~a_i : b_i | ~a_i) : b_i ^ {32{!add}}) ^ order;
      wire takes_sum = add || bits;
      wire takes_b = takes_sum ? bits && max : sum[34] ^ max;
      assign y_o = takes_sum ? (takes_b ? a_i ^ b_i : sum[32:1]) : takes_b ? b_i : a_i;
    end
  endgenerate

  // The difference is compared with 0, not a with b, which would be twice as large.
  assign left_o[8] = sum[34];
  genvar n;
  generate
    for (n = 0; n < 8; n = n + 1) begin : nibble
      assign left_o[n] = sum[4*n+1+:4] == 4'd0;
    end
  endgenerate
  wire unused = &{1'b0, sum[33], sum[0], moved_b_i, operation_i};
endmodule

`default_nettype wire
