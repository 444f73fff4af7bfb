// SPDX-License-Identifier: Apache-2.0
// Proof: rtl/common/lowest_bit.v gives the lowest set bit of every word, alone and as its number, and zeros for zero.
`default_nettype none

module lowest_bit_proof #(
    parameter WIDTH = 32,
    parameter INDEX_BITS = 5
) (
    input wire [WIDTH-1:0] word
);
  wire [WIDTH-1:0] alone;
  wire [INDEX_BITS-1:0] index;
  lowest_bit #(
      .WIDTH(WIDTH),
      .INDEX_BITS(INDEX_BITS)
  ) dut (
      .word_i (word),
      .bit_o  (alone),
      .index_o(index)
  );

  reg [WIDTH-1:0] lowest;
  integer found, i;
  always @* begin
    lowest = 0;
    found  = 0;
    for (i = WIDTH - 1; i >= 0; i = i - 1)
    if (word[i]) begin
      lowest = {{(WIDTH - 1) {1'b0}}, 1'b1} << i;
      found  = i;
    end
    assert (alone == lowest);
    assert (index == found);
  end
endmodule

`default_nettype wire
