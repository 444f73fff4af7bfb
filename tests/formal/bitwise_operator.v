// SPDX-License-Identifier: Apache-2.0
// Stands in for rtl/group/scan_operator.v in the proof of the sequencer, which does not look into totals but only joins them:
// for each operation another commutative operator with the same identity, made of single bits, which solvers find easy.
// Addition is exclusive or, which tells whether a total is counted twice; maximum is or, minimum is and, on the bits of the
// order; bitwise operations are what they are; a difference in any operation's flags shows.
`include "rtl/shape.vh"
`default_nettype none

module scan_operator #(
    parameter MOVED = 0
) (
    input wire [`HEDDLE_COLLECTIVE_BITS-1:0] operation_i,
    input wire                               carry_i,
    input wire [                        1:0] known_i,

    input  wire [31:0] a_i,
    input  wire [31:0] b_i,
    input  wire [31:0] moved_b_i,
    output wire [31:0] y_o,
    output wire [ 8:0] left_o
);
  `include "rtl/group/collective.vh"
  wire add = operation_i[T_ADD], max = operation_i[T_MAX];
  assign left_o = {6'd0, known_i, carry_i};
  wire [31:0] order = {operation_i[T_SIGNED], 31'd0};
  wire [31:0] moved_b = MOVED != 0 ? moved_b_i : b_i ^ order ^ {32{!add}};
  wire [31:0] a = a_i ^ order, b = b_i ^ order;
  assign y_o = !add ? (max ? a | b : a & b) ^ order : operation_i[T_BITS] && !max ? a_i | b_i : a ^ moved_b;
endmodule

`default_nettype wire
