// SPDX-License-Identifier: Apache-2.0
// Which lines load_window.v has on the chip, of those of even or of odd number: place and rest of the address of each. An
// answer for each cycle with go_i, that of number_i with the next one. A line that is wanted and not there takes the
// place of another. An entry has the number of the dispatch; each start makes one entry empty, in turn, so that none is of
// an earlier dispatch with the same number.
`default_nettype none

module window_lines #(
    parameter NUMBER_BITS = 19,
    parameter ROW_BITS = 8  // log2 of the lines
) (
    input wire clk,
    input wire rst,
    input wire start_i,  // of a dispatch
    input wire go_i,

    input  wire [NUMBER_BITS-1:0] number_i,
    // of the number before
    input  wire                   wanted_i,
    output wire                   miss_o,    // it is wanted, and not there
    output wire [NUMBER_BITS-1:0] number_o,
    output wire [   ROW_BITS-1:0] row_o      // its place
);
  localparam TAG_BITS = NUMBER_BITS - ROW_BITS, ENTRY_BITS = 1 + ROW_BITS + TAG_BITS;
  integer i;
  reg [ROW_BITS-1:0] dispatch;
  initial dispatch = 0;
  always @(posedge clk) if (start_i) dispatch <= dispatch + 1'b1;
  wire [ROW_BITS-1:0] emptied = dispatch + 1'b1;

  // Upper bits of the address take part, so that rows of a picture or cube do not all want the same places.
  wire [NUMBER_BITS+2*ROW_BITS-1:0] wide = {{2 * ROW_BITS{1'b0}}, number_i};
  wire [ROW_BITS-1:0] row = wide[ROW_BITS-1:0] ^ wide[2*ROW_BITS-1:ROW_BITS];
  wire unused = &{1'b0, wide};
  reg [ROW_BITS-1:0] own_row, last_row;
  reg [NUMBER_BITS-1:0] number;
  reg [TAG_BITS-1:0] last_tag;
  reg last;  // the number before this one was wanted: its line is there
  (* ram_style = "block", no_rw_check *) reg [ENTRY_BITS-1:0] entries[0:(1<<ROW_BITS)-1];
  initial for (i = 0; i < 1 << ROW_BITS; i = i + 1) entries[i] = {ENTRY_BITS{1'b0}};
  reg [ENTRY_BITS-1:0] entry;
  wire [TAG_BITS-1:0] tag = number[NUMBER_BITS-1:ROW_BITS];
  wire is_here = last && last_row == own_row ? last_tag == tag : entry == {1'b1, dispatch, tag};
  assign miss_o   = wanted_i && !is_here;
  assign number_o = number;
  assign row_o    = own_row;
  always @(posedge clk) begin
    if ((go_i && miss_o) || start_i)
      entries[start_i?emptied : own_row] <= start_i ? {ENTRY_BITS{1'b0}} : {1'b1, dispatch, tag};
    if (go_i) begin
      entry <= entries[row];
      {own_row, number} <= {row, number_i};
      {last_row, last_tag, last} <= {own_row, tag, wanted_i};
    end
    if (rst || start_i) last <= 1'b0;
  end
endmodule

`default_nettype wire
