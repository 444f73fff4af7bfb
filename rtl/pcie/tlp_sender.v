// SPDX-License-Identifier: Apache-2.0
// Packets of several senders, word by word, to a PCIe core, 64 bits at a time. A packet is sent whole before the next
// one; of those that wait the lowest number goes first. A word a cycle, two cycles later at the core.
`default_nettype none

module tlp_sender #(
    parameter SENDERS = 4  // up to 8
) (
    input wire clk,
    input wire rst,

    // from the senders: words of headers have their first byte on top, of data at the bottom
    input  wire [   SENDERS-1:0] valid_i,
    output wire [   SENDERS-1:0] ready_o,
    input  wire [   SENDERS-1:0] last_i,
    input  wire [   SENDERS-1:0] is_data_i,
    input  wire [32*SENDERS-1:0] word_i,
    output wire [   SENDERS-1:0] selected_o,     // whose packet it is

    // to the core, as tlp_receiver.v has it
    output reg         valid_o,
    input  wire        ready_i,
    output reg         first_o,
    output reg         last_o,
    output reg  [63:0] data_o,
    output reg  [ 7:0] keep_o
);
  reg [SENDERS-1:0] selected;  // one of them, or none
  assign selected_o = selected;
  localparam NUMBER_BITS = $clog2(SENDERS);
  wire [SENDERS-1:0] lowest;
  wire [NUMBER_BITS-1:0] unused_number;
  wire unused = &{1'b0, unused_number};
  lowest_bit #(
      .WIDTH(SENDERS),
      .INDEX_BITS(NUMBER_BITS)
  ) lowest_bit (
      .word_i (valid_i),
      .bit_o  (lowest),
      .index_o(unused_number)
  );
  wire room = !valid_o || ready_i;
  assign ready_o = room ? selected : {SENDERS{1'b0}};
  wire taken = room && (selected & valid_i) != 0;
  wire last = (selected & last_i) != 0;
  wire is_data = (selected & is_data_i) != 0;

  reg [31:0] word;
  integer i;
  always @* begin
    word = 32'd0;
    for (i = 0; i < SENDERS; i = i + 1) if (selected[i]) word = word_i[32*i+:32];
    if (is_data) word = {word[7:0], word[15:8], word[23:16], word[31:24]};
  end

  reg [31:0] lower;
  reg half;  // the lower half is there
  reg begins;  // what comes next is the first of a packet
  always @(posedge clk) begin
    if (selected == 0 || (taken && last)) selected <= selected == 0 ? lowest : {SENDERS{1'b0}};
    if (room) valid_o <= 1'b0;
    if (taken) begin
      half  <= !half && !last;
      lower <= word;
      if (half || last) begin
        valid_o <= 1'b1;
        first_o <= begins;
        begins  <= last;
        last_o  <= last;
        data_o  <= half ? {word, lower} : {32'd0, word};
        keep_o  <= half ? 8'hFF : 8'h0F;
      end
    end
    if (rst) begin
      selected <= {SENDERS{1'b0}};
      half <= 1'b0;
      begins <= 1'b1;
      valid_o <= 1'b0;
    end
  end
endmodule

`default_nettype wire
