// SPDX-License-Identifier: Apache-2.0
// Bytes from a serial line: a start bit, 8 data bits, the lowest first, a stop bit. valid_o is up for one cycle, in the
// middle of the stop bit. A byte without a stop bit is dropped.
`default_nettype none

module uart_receiver #(
    parameter DIVISOR = 25  // cycles of a bit, 4 to 65536
) (
    input wire clk,
    input wire rst,
    input wire line_i, // idle: 1

    output reg       valid_o,
    output reg [7:0] data_o
);
  localparam COUNT_BITS = $clog2(DIVISOR);
  localparam LAST = DIVISOR - 1, HALF = DIVISOR / 2 - 1;
  reg [2:0] line;  // the first two may be undecided; the third is what was before
  reg [COUNT_BITS-1:0] count;  // down to the middle of the next bit
  reg [3:0] bits;  // that are still to come, start and stop bit too; 0: idle
  wire sample = bits != 0 && count == 0;
  always @(posedge clk) begin
    line <= {line[1:0], line_i};
    valid_o <= sample && bits == 1 && line[1];
    count <= count == 0 ? LAST[COUNT_BITS-1:0] : count - 1;
    if (sample) begin
      bits <= bits - 4'd1;
      // No start bit any more: that was noise.
      if (bits == 10 && line[1]) bits <= 4'd0;
      if (bits != 1 && bits != 10) data_o <= {line[1], data_o[7:1]};
    end
    if (bits == 0 && line[2:1] == 2'b10) begin
      bits  <= 4'd10;
      count <= HALF[COUNT_BITS-1:0];
    end
    if (rst) begin
      line <= 3'b111;
      bits <= 4'd0;
      valid_o <= 1'b0;
    end
  end
endmodule

`default_nettype wire
