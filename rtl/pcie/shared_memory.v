// SPDX-License-Identifier: Apache-2.0
// Block RAM of words between two parts of the endpoint: one writes bytes, the other reads words. What is read is there
// a cycle later; a word that is written in the same cycle reads as either.
`default_nettype none

module shared_memory #(
    parameter WORDS_LOG2 = 11
) (
    input  wire                  clk,
    input  wire                  write_i,
    input  wire [WORDS_LOG2-1:0] write_index_i,
    input  wire [          31:0] data_i,
    input  wire [           3:0] strobe_i,
    input  wire [WORDS_LOG2-1:0] read_index_i,
    output reg  [          31:0] data_o
);
  reg [31:0] words[0:(1<<WORDS_LOG2)-1];
  integer i;
  always @(posedge clk) begin
    for (i = 0; i < 4; i = i + 1) if (write_i && strobe_i[i]) words[write_index_i][8*i+:8] <= data_i[8*i+:8];
    data_o <= words[read_index_i];
  end
endmodule

`default_nettype wire
