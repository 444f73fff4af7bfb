// SPDX-License-Identifier: Apache-2.0
// The lines that are in flight in one direction, and which of them another request would meet. Entries are given out
// one after the other, round the table; who adds a line sees to it that its entry is free. No cycle of latency: hits_o
// counts a line that is added in the same cycle.
`default_nettype none

module axi_lines #(
    parameter ENTRIES_LOG2 = 4,  // log2 of the lines that may be in flight, 1 at least
    parameter LINE_BITS = 22,  // of a line's number
    parameter ENTRIES = 1 << ENTRIES_LOG2  // derived
) (
    input wire clk,
    input wire rst,

    input wire add_i,
    input wire [LINE_BITS-1:0] add_line_i,
    input wire done_i,
    input wire [ENTRIES_LOG2-1:0] done_entry_i,

    output reg  [ENTRIES_LOG2-1:0] next_o,  // the entry that is given out next
    output reg  [     ENTRIES-1:0] busy_o,  // by entry: its line is in flight
    // by entry: it has, or gets in this cycle, the line that is asked about. Where it is not busy it means nothing.
    input  wire [   LINE_BITS-1:0] line_i,
    output reg  [     ENTRIES-1:0] hits_o
);
  reg [ENTRIES*LINE_BITS-1:0] lines;
  integer e;
  always @* begin
    for (e = 0; e < ENTRIES; e = e + 1)
    hits_o[e] = line_i == (add_i && next_o == e[ENTRIES_LOG2-1:0] ? add_line_i : lines[e*LINE_BITS+:LINE_BITS]);
  end
  always @(posedge clk) begin
    if (done_i) busy_o[done_entry_i] <= 1'b0;
    if (add_i) begin
      busy_o[next_o] <= 1'b1;
      lines[next_o*LINE_BITS+:LINE_BITS] <= add_line_i;
      next_o <= next_o + 1'b1;
    end
    if (rst) begin
      busy_o <= {ENTRIES{1'b0}};
      next_o <= {ENTRIES_LOG2{1'b0}};
    end
  end
endmodule

`default_nettype wire
