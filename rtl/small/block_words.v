// SPDX-License-Identifier: Apache-2.0
// Words of block memory with strobes for bytes. What is read comes the cycle after; a word that is written is not read
// in that cycle.
`default_nettype none

module block_words #(
    parameter WORDS = 1024,
    parameter IMAGE = ""  // file of what they begin with, hexadecimal; empty: anything
) (
    input  wire                     clk,
    input  wire [$clog2(WORDS)-1:0] address_i,
    input  wire                     write_i,
    input  wire [              3:0] strobe_i,
    input  wire [             31:0] data_i,
    output reg  [             31:0] data_o
);
  (* no_rw_check *) reg [31:0] words[0:WORDS-1];
  integer i;
  always @(posedge clk) begin
    for (i = 0; i < 4; i = i + 1) if (write_i && strobe_i[i]) words[address_i][8*i+:8] <= data_i[8*i+:8];
    data_o <= words[address_i];
  end
  generate
    if (IMAGE != "") begin : with_image
      initial $readmemh(IMAGE, words);
    end
  endgenerate
endmodule

`default_nettype wire
