// SPDX-License-Identifier: Apache-2.0
// The local memory of a compute unit: rows with byte strobes, one access a cycle, read data 2 cycles later.
// hold_i freezes reads under way.
`default_nettype none

module local_memory #(
    parameter BYTES_LOG2 = 15,  // log2 of the bytes
    parameter ROW_LOG2 = 5,  // log2 of the bytes of a row
    parameter ROW_BYTES = 1 << ROW_LOG2
) (
    input wire clk,
    input wire hold_i,

    input  wire                           write_i,
    input  wire [BYTES_LOG2-ROW_LOG2-1:0] row_i,
    input  wire [        8*ROW_BYTES-1:0] data_i,
    input  wire [          ROW_BYTES-1:0] strobe_i,
    output reg  [        8*ROW_BYTES-1:0] data_o
);
  // A block RAM a byte column: every FPGA family's tools find the strobes that way.
  genvar b;
  generate
    for (b = 0; b < ROW_BYTES; b = b + 1) begin : column
      (* ram_style = "block" *)reg [7:0] bytes[0:(1<<(BYTES_LOG2-ROW_LOG2))-1];
      reg [7:0] raw;
      always @(posedge clk) begin
        if (write_i && strobe_i[b]) bytes[row_i] <= data_i[8*b+:8];
        if (!hold_i) raw <= bytes[row_i];
        if (!hold_i) data_o[8*b+:8] <= raw;
      end
    end
  endgenerate
endmodule

`default_nettype wire
