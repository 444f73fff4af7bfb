// SPDX-License-Identifier: Apache-2.0
// Answers the host's requests, one after the other: a read of BAR 0 with its words, in packets that end where an
// address is a multiple of 128 (the read completion boundary of an endpoint, and no more than any payload may have),
// and others with why not. A packet has three words of header; between two there is one cycle more.
`default_nettype none

module completer (
    input wire clk,
    input wire rst,
    input wire [15:0] id_i,  // the endpoint's

    // a request, from request_queue.v
    input  wire        valid_i,
    output wire        ready_o,
    input  wire        locked_i,
    input  wire        memory_i,
    input  wire [ 2:0] status_i,
    input  wire [ 2:0] class_i,
    input  wire [ 2:0] attributes_i,
    input  wire [15:0] requester_i,
    input  wire [ 7:0] tag_i,
    input  wire [15:2] address_i,
    input  wire [ 9:0] length_i,
    input  wire [ 3:0] first_strobe_i,
    input  wire [ 3:0] last_strobe_i,

    // a word of BAR 0, a cycle after its address
    output wire [15:2] address_o,
    input  wire [31:0] data_i,

    // to tlp_sender.v
    output wire        valid_o,
    input  wire        ready_i,
    output wire        last_o,
    output wire        is_data_o,
    output reg  [31:0] word_o
);
  localparam [2:0] BEGIN = 3'd0, SIZE = 3'd1, FIRST = 3'd2, SECOND = 3'd3, THIRD = 3'd4, DATA = 3'd5;
  reg [2:0] state;

  // Bytes before the first that is asked for, and after the last.
  function [1:0] bytes_before(input [3:0] strobe);
    bytes_before = strobe[0] ? 2'd0 : strobe[1] ? 2'd1 : strobe[2] ? 2'd2 : strobe[3] ? 2'd3 : 2'd0;
  endfunction
  function [1:0] bytes_after(input [3:1] strobe);
    bytes_after = strobe[3] ? 2'd0 : strobe[2] ? 2'd1 : strobe[1] ? 2'd2 : 2'd3;
  endfunction

  wire good = status_i == 3'b000;
  wire one = length_i == 1;
  wire unused = &{1'b0, last_strobe_i[0]};
  reg [15:2] at;
  reg [10:0] left;  // words of the request
  reg [12:0] bytes_left;  // asked for, from here on
  reg [1:0] lead;  // bytes at the beginning of this packet that nobody asked for
  reg [5:0] words;  // of this packet
  reg [5:0] words_left;
  wire [5:0] to_end = 6'd32 - {1'b0, at[6:2]};
  wire [12:0] packet_bytes = {5'd0, words, 2'b00} - {11'd0, lead};

  assign address_o = at + {13'd0, state == DATA && ready_i};
  assign valid_o = state >= FIRST;
  assign is_data_o = state == DATA;
  assign last_o = state == DATA ? words_left == 1 : state == THIRD && !good;
  assign ready_o = valid_o && ready_i && last_o && (!good || left == {5'd0, words});

  wire [4:0] kind = {4'b0101, locked_i};
  always @*
    case (state)
      FIRST:
      word_o = {
        1'b0,
        good,
        1'b0,
        kind,
        1'b0,
        class_i,
        1'b0,
        attributes_i[2],
        4'd0,
        attributes_i[1:0],
        2'd0,
        good ? {4'd0, words} : 10'd0
      };
      SECOND: word_o = {id_i, status_i, 1'b0, bytes_left[11:0]};
      THIRD: word_o = {requester_i, tag_i, 1'b0, memory_i ? {at[6:2], lead} : 7'd0};
      default: word_o = data_i;
    endcase

  always @(posedge clk) begin
    case (state)
      BEGIN: begin
        at <= address_i;
        left <= {length_i == 0, length_i};
        lead <= bytes_before(first_strobe_i);
        // A read of no bytes has one word all the same, and says that it has one byte.
        bytes_left <= {length_i == 0, length_i, 2'b00} - {11'd0, bytes_before(
            first_strobe_i
        )} - {11'd0, bytes_after(
            one ? first_strobe_i[3:1] : last_strobe_i[3:1]
        )};
        if (!memory_i) bytes_left <= 13'd4;
        if (valid_i) state <= SIZE;
      end
      SIZE: begin
        words <= left < {5'd0, to_end} ? left[5:0] : to_end;
        words_left <= left < {5'd0, to_end} ? left[5:0] : to_end;
        state <= FIRST;
      end
      FIRST:  if (ready_i) state <= SECOND;
      SECOND: if (ready_i) state <= THIRD;
      THIRD:  if (ready_i) state <= good ? DATA : BEGIN;
      default:
      if (ready_i) begin
        at <= at + 14'd1;
        words_left <= words_left - 6'd1;
        if (last_o) begin
          left <= left - {5'd0, words};
          bytes_left <= bytes_left - packet_bytes;
          lead <= 2'd0;
          state <= left == {5'd0, words} ? BEGIN : SIZE;
        end
      end
    endcase
    if (rst) state <= BEGIN;
  end
endmodule

`default_nettype wire
