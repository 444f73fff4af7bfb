// SPDX-License-Identifier: Apache-2.0
// Makes a frame of an answer (DEVICE.md, "The byte link"): marker, header, its check, and when `length_i` is not 0 the
// payload and its check. A byte every other cycle at most; busy_o from the cycle after start_i until the last byte has
// been taken.
`default_nettype none

module frame_sender #(
    parameter [7:0] MARKER = 8'h5A  // the first byte of a frame
) (
    input wire clk,
    input wire rst,

    // an answer; what it is made of stands while it is sent
    input  wire        start_i,
    output wire        busy_o,
    input  wire [63:0] header_i,         // the first byte lowest
    input  wire [ 9:0] length_i,         // bytes of its payload
    input  wire        payload_valid_i,
    output wire        payload_ready_o,
    input  wire [ 7:0] payload_i,

    // the link
    output reg        valid_o,
    input  wire       ready_i,
    output reg  [7:0] data_o
);
  localparam [2:0] IDLE = 3'd0, BEGIN = 3'd1, HEADER = 3'd2, HEADER_CHECK = 3'd3, PAYLOAD = 3'd4, PAYLOAD_CHECK = 3'd5;
  reg [2:0] state;
  reg [9:0] left;  // bytes of this part, this one not counted
  reg [31:0] crc, check;
  reg  fresh;  // the byte at the link came there in the last cycle
  reg  counts_too;  // and the check counts it
  wire counts = state == HEADER || state == PAYLOAD;
  wire free = !fresh && (!valid_o || ready_i);
  wire moves = free && state != IDLE && (state != PAYLOAD || payload_valid_i);
  assign payload_ready_o = state == PAYLOAD && free;
  assign busy_o = state != IDLE || valid_o;

  wire [ 5:0] place = {3'd7 - left[2:0], 3'd0};
  wire [ 7:0] counted = state == HEADER ? header_i[place+:8] : payload_i;
  wire [ 7:0] data = state == BEGIN ? MARKER : counts ? counted : ~check[7:0];
  wire [31:0] crc_next;
  crc32 crc32 (
      .crc_i (crc),
      .data_i(data_o),
      .crc_o (crc_next)
  );

  always @(posedge clk) begin
    if (ready_i) valid_o <= 1'b0;
    if (start_i) state <= BEGIN;
    if (moves) begin
      valid_o <= 1'b1;
      data_o <= data;
      left <= left - 10'd1;
      counts_too <= counts;
      check <= {8'd0, check[31:8]};
      if (state == BEGIN) begin
        state <= HEADER;
        left  <= 10'd7;
        crc   <= 32'hFFFFFFFF;
      end else if (left == 0) begin
        left <= 10'd3;
        case (state)
          HEADER:  state <= HEADER_CHECK;
          HEADER_CHECK: begin
            state <= length_i == 0 ? IDLE : PAYLOAD;
            left  <= length_i - 10'd1;
          end
          PAYLOAD: state <= PAYLOAD_CHECK;
          default: state <= IDLE;
        endcase
      end
    end
    fresh <= moves;
    if (fresh && counts_too) begin
      crc   <= crc_next;
      check <= crc_next;
    end
    if (rst) begin
      state   <= IDLE;
      valid_o <= 1'b0;
    end
  end
endmodule

`default_nettype wire
