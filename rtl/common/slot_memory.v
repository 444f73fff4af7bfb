// SPDX-License-Identifier: Apache-2.0
// A word for each slot: one is read, to be there the cycle after, and one is written, in every cycle. What is being
// written is not read.
`default_nettype none

module slot_memory #(
    parameter WIDTH = 32,
    parameter SLOTS = 16,
    parameter SLOT_BITS = 4,  // log2(SLOTS)
    parameter BLOCK = 1  // 1: in block RAM, which answers late in the cycle; 0: in small RAM
) (
    input  wire                 clk,
    input  wire [SLOT_BITS-1:0] read_slot_i,
    output reg  [    WIDTH-1:0] word_o,
    input  wire                 write_i,
    input  wire [SLOT_BITS-1:0] write_slot_i,
    input  wire [    WIDTH-1:0] word_i
);
  generate
    if (BLOCK != 0) begin : in_block_ram
      (* ram_style = "block", no_rw_check *) reg [WIDTH-1:0] words[0:SLOTS-1];
      always @(posedge clk) begin
        if (write_i) words[write_slot_i] <= word_i;
        word_o <= words[read_slot_i];
      end
    end else begin : in_small_ram
      (* ram_style = "distributed", no_rw_check *) reg [WIDTH-1:0] words[0:SLOTS-1];
      always @(posedge clk) begin
        if (write_i) words[write_slot_i] <= word_i;
        word_o <= words[read_slot_i];
      end
    end
  endgenerate
endmodule

`default_nettype wire
