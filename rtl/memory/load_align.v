// SPDX-License-Identifier: Apache-2.0
// Extracts the byte, half-word or word that each lane has loaded from its word, and extends it. Combinational.
`default_nettype none

module load_align #(
    parameter LANES = 8  // power of two, 1 to 32
) (
    input  wire [LANES*32-1:0] word_i,
    input  wire [ LANES*2-1:0] offset_i,  // of each lane: its lowest byte in the word; 0 for a word
    input  wire [         1:0] size_i,    // 0 byte, 1 half-word, 2 word
    input  wire                signed_i,
    output reg  [LANES*32-1:0] value_o
);
  integer i;

  // The low byte is one of four, the next byte one of two; the upper half is that of the word, or the sign.
  reg [31:0] own;
  reg [15:8] upper;
  reg [7:0] either, lower;
  reg [1:0] offset;
  reg sign;
  always @* begin
    value_o = 0;
    {own, upper, lower, either, offset, sign} = 0;
    for (i = 0; i < LANES; i = i + 1) begin
      own = word_i[i*32+:32];
      offset = offset_i[i*2+:2];
      // lower = byte `offset`, written as two tables of four inputs a bit
      either = offset[1] ? {8{offset[0]}} : offset[0] ? own[15:8] : own[7:0];
      lower = offset[1] ? (either & own[31:24]) | (~either & own[23:16]) : either;
      upper = offset[1] ? own[31:24] : own[15:8];
      sign = signed_i && (size_i[0] ? upper[15] : lower[7]);
      value_o[i*32+:32] = {size_i[1] ? own[31:16] : {16{sign}}, size_i == 2'd0 ? {8{sign}} : upper, lower};
    end
  end
endmodule

`default_nettype wire
