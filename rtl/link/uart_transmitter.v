// SPDX-License-Identifier: Apache-2.0
// Bytes onto a serial line: a start bit, 8 data bits, the lowest first, a stop bit. A byte takes 10 * DIVISOR cycles;
// the next one is taken while the last is on its way, so that bytes follow each other without a gap.
`default_nettype none

module uart_transmitter #(
    parameter DIVISOR = 25  // cycles of a bit, 4 to 65536
) (
    input wire clk,
    input wire rst,

    input  wire       valid_i,
    output wire       ready_o,
    input  wire [7:0] data_i,

    output reg line_o  // idle: 1
);
  localparam COUNT_BITS = $clog2(DIVISOR);
  localparam LAST = DIVISOR - 1;
  reg waiting;
  reg [7:0] next;
  reg [COUNT_BITS-1:0] count;  // of the bit that is on the line
  reg [3:0] bits;  // behind it
  reg [8:0] shift;
  wire bit_ends = count == 0;
  wire begins = waiting && bits == 0 && bit_ends;
  assign ready_o = !waiting;
  always @(posedge clk) begin
    if (!waiting) next <= data_i;
    waiting <= waiting ? !begins : valid_i;
    if (!bit_ends) count <= count - 1;
    if (bit_ends && bits != 0) begin
      {shift, line_o} <= {1'b1, shift};
      bits <= bits - 4'd1;
      count <= LAST[COUNT_BITS-1:0];
    end
    if (begins) begin
      shift  <= {1'b1, next};
      line_o <= 1'b0;
      bits   <= 4'd9;
      count  <= LAST[COUNT_BITS-1:0];
    end
    if (rst) begin
      line_o <= 1'b1;
      waiting <= 1'b0;
      bits <= 4'd0;
      count <= 0;
    end
  end
endmodule

`default_nettype wire
