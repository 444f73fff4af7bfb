// SPDX-License-Identifier: Apache-2.0
// The lowest set bit of a word: alone, and as its number. Zero gives zero for both. Combinational, through the carry
// chain.
`default_nettype none

module lowest_bit #(
    parameter WIDTH = 32,
    parameter INDEX_BITS = 5  // log2(WIDTH), rounded up; 1 at least
) (
    input  wire [     WIDTH-1:0] word_i,
    output wire [     WIDTH-1:0] bit_o,
    output reg  [INDEX_BITS-1:0] index_o
);
  assign bit_o = word_i & (~word_i + {{(WIDTH - 1) {1'b0}}, 1'b1});

  integer i, b;
  always @* begin
    index_o = {INDEX_BITS{1'b0}};
    for (i = 0; i < WIDTH; i = i + 1)
    for (b = 0; b < INDEX_BITS; b = b + 1) if (((i >> b) & 1) != 0) index_o[b] = index_o[b] | bit_o[i];
  end
endmodule

`default_nettype wire
