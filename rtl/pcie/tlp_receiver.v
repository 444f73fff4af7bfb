// SPDX-License-Identifier: Apache-2.0
// Takes packets as a PCIe core gives them, 64 bits at a time, apart: a header, whole, then its data by words. Data is
// not waited for, so whoever takes it has to take it at once. A word a cycle; a header's last word is at header_o a
// cycle later, and so is one of data.
`default_nettype none

module tlp_receiver (
    input wire clk,
    input wire rst,

    // packets: the first word in the lower half; headers with their first byte on top, data with its first byte on top
    // of each word
    input  wire        valid_i,
    output wire        ready_o,
    input  wire        last_i,
    input  wire [63:0] data_i,
    input  wire [ 7:0] keep_i,
    input  wire        stop_i,   // begin no other packet

    // the header of the packet that comes, from header_o on
    output reg         header_o,
    output wire [ 2:0] fmt_o,
    output wire [ 4:0] type_o,
    output wire        poisoned_o,
    output wire [10:0] length_o,    // words of data, that come or are asked for: 1 to 1024
    output wire [31:0] first_o,     // its first two words
    output wire [31:0] second_o,
    output wire [63:0] address_o,   // of a request; the lower half is the third word of one that answers

    // its data, little-endian
    output reg        word_valid_o,
    output reg [31:0] word_o,
    output reg [ 3:0] word_strobe_o  // which bytes of it a request writes
);
  wire unused = &{1'b0, keep_i[3:0]};
  reg [63:0] beat;
  reg full, second_half, beat_last, two;
  reg [2:0] header_words;  // words of the header that are there
  wire go = full && !(header_words == 0 && stop_i);
  wire beat_ends = go && (second_half || !two);
  assign ready_o = !full || beat_ends;
  wire [31:0] word = second_half ? beat[63:32] : beat[31:0];
  wire packet_ends = beat_ends && beat_last;

  reg [31:0] header[0:3];
  reg begun;  // the first word of data has come
  reg [10:0] left;  // words of data that are still to come
  wire four = header[0][29];
  wire header_ends = header_words == 3 || (header_words == 2 && !four);
  wire header_there = header_words == 4 || (header_words == 3 && !four);
  assign fmt_o = header[0][31:29];
  assign type_o = header[0][28:24];
  assign poisoned_o = header[0][14];
  assign length_o = {header[0][9:0] == 0, header[0][9:0]};
  assign first_o = header[0];
  assign second_o = header[1];
  assign address_o = four ? {header[2], header[3]} : {32'd0, header[2]};

  always @(posedge clk) begin
    header_o <= 1'b0;
    word_valid_o <= 1'b0;
    if (ready_o) begin
      full <= valid_i;
      second_half <= 1'b0;
      beat <= data_i;
      beat_last <= last_i;
      two <= keep_i[7:4] != 0;
    end else if (go) second_half <= 1'b1;
    if (go) begin
      if (!header_there) begin
        header[header_words[1:0]] <= word;
        header_words <= header_words + 3'd1;
        begun <= 1'b0;
        if (header_ends) begin
          header_o <= 1'b1;
          left <= header[0][30] ? length_o : 11'd0;
        end
      end else if (left != 0) begin
        word_valid_o <= 1'b1;
        word_o <= {word[7:0], word[15:8], word[23:16], word[31:24]};
        word_strobe_o <= !begun ? header[1][3:0] : left == 1 ? header[1][7:4] : 4'b1111;
        begun <= 1'b1;
        left <= left - 11'd1;
      end
      if (packet_ends) header_words <= 3'd0;
    end
    if (rst) begin
      full <= 1'b0;
      second_half <= 1'b0;
      header_words <= 3'd0;
    end
  end
endmodule

`default_nettype wire
