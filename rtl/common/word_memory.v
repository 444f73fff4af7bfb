// SPDX-License-Identifier: Apache-2.0
// A memory of which one word is read, to be there the cycle after, and one is written, in every cycle. What is being
// written is not read.
`default_nettype none

module word_memory #(
    parameter WIDTH = 32,
    parameter WORDS = 16,
    parameter INDEX_BITS = 4,  // log2(WORDS), rounded up
    parameter BLOCK = 1,  // 1: in block RAM, which answers late in the cycle; 0: in small RAM
    parameter ZERO = 0  // 1: all words are 0 before the first is written
) (
    input  wire                  clk,
    input  wire [INDEX_BITS-1:0] read_index_i,
    output reg  [     WIDTH-1:0] word_o,
    input  wire                  write_i,
    input  wire [INDEX_BITS-1:0] write_index_i,
    input  wire [     WIDTH-1:0] word_i
);
  integer n;
  generate
    if (BLOCK != 0) begin : in_block_ram
      (* ram_style = "block", no_rw_check *) reg [WIDTH-1:0] words[0:WORDS-1];
      initial if (ZERO != 0) for (n = 0; n < WORDS; n = n + 1) words[n] = {WIDTH{1'b0}};
      always @(posedge clk) begin
        if (write_i) words[write_index_i] <= word_i;
        word_o <= words[read_index_i];
      end
    end else begin : in_small_ram
      (* ram_style = "distributed", no_rw_check *) reg [WIDTH-1:0] words[0:WORDS-1];
      initial if (ZERO != 0) for (n = 0; n < WORDS; n = n + 1) words[n] = {WIDTH{1'b0}};
      always @(posedge clk) begin
        if (write_i) words[write_index_i] <= word_i;
        word_o <= words[read_index_i];
      end
    end
  endgenerate
endmodule

`default_nettype wire
