// SPDX-License-Identifier: Apache-2.0
// Words from any input to any output. Combinational, AND and OR: an output that selects several inputs gets their OR.
`default_nettype none

module crossbar #(
    parameter WORDS = 8
) (
    input  wire [   WORDS*32-1:0] word_i,
    input  wire [WORDS*WORDS-1:0] from_i,  // for each output a bit for each input
    output reg  [   WORDS*32-1:0] word_o
);
  integer i, o;
  always @* begin
    word_o = 0;
    for (o = 0; o < WORDS; o = o + 1)
    for (i = 0; i < WORDS; i = i + 1)
    word_o[o*32+:32] = word_o[o*32+:32] | (word_i[i*32+:32] & {32{from_i[o*WORDS+i]}});
  end
endmodule

`default_nettype wire
