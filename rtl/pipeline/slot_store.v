// SPDX-License-Identifier: Apache-2.0
// Keeps one value of each slot, for one reader. Each lane has a write enable of its own. A write and a read a cycle;
// what is read comes the cycle after. A slot is never read in the cycle in which it is written: a token passes a
// register in between.
`default_nettype none

module slot_store #(
    parameter WIDTH = 32,  // bits of a lane's value
    parameter LANES = 1,
    parameter SLOT_BITS = 5,  // log2 of the slots
    // 1: in block RAM, which is at least 9 bits wide and 512 deep; 0: in distributed RAM, 4 bits wide and 16 deep, where
    // narrow values, and those of few slots, cost less
    parameter BLOCK = SLOT_BITS <= 4 ? 0 : WIDTH >= 9 || (WIDTH >= 3 && SLOT_BITS >= 6)
) (
    input wire clk,

    input wire [      LANES-1:0] write_i,
    input wire [  SLOT_BITS-1:0] write_slot_i,
    input wire [WIDTH*LANES-1:0] value_i,

    input  wire [  SLOT_BITS-1:0] read_slot_i,
    output wire [WIDTH*LANES-1:0] value_o
);
  genvar l;
  generate
    for (l = 0; l < LANES; l = l + 1) begin : lane
      word_memory #(
          .WIDTH(WIDTH),
          .WORDS(1 << SLOT_BITS),
          .INDEX_BITS(SLOT_BITS),
          .BLOCK(BLOCK)
      ) values (
          .clk(clk),
          .read_index_i(read_slot_i),
          .word_o(value_o[WIDTH*l+:WIDTH]),
          .write_i(write_i[l]),
          .write_index_i(write_slot_i),
          .word_i(value_i[WIDTH*l+:WIDTH])
      );
    end
  endgenerate
endmodule

`default_nettype wire
