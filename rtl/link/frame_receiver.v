// SPDX-License-Identifier: Apache-2.0
// Finds the requests in what comes over a byte link (DEVICE.md, "The byte link") and hands on the bytes of those that
// are whole: the header's eight, then what they write. A frame stays here until its last check has been seen, so that
// nothing wrong goes on; one that does not fit, or fails a check, vanishes, and the search for the next begins behind
// it. Takes a byte in any cycle; gives one every other.
`default_nettype none

module frame_receiver #(
    parameter BUFFER_LOG2 = 12,  // log2 of the bytes that frames may take here, 10 to 15
    parameter PAYLOAD_BYTES = 512,  // most that a frame may write
    parameter [7:0] MARKER = 8'hA5,  // the first byte of a frame
    parameter [7:0] WRITE = 8'd3  // the kind of frames that have something to write
) (
    input wire clk,
    input wire rst,

    // the link; cannot wait
    input wire       valid_i,
    input wire [7:0] data_i,

    // whole frames, one behind the other
    output reg        valid_o,
    input  wire       ready_i,
    output reg  [7:0] data_o
);
  localparam [2:0] SEARCH = 3'd0, HEADER = 3'd1, HEADER_CHECK = 3'd2, PAYLOAD = 3'd3, PAYLOAD_CHECK = 3'd4;
  reg [2:0] state;
  reg [9:0] left;  // bytes of this part of the frame, this one not counted
  reg writes, differs;
  reg [15:0] length;
  reg [31:0] crc, check;
  wire [31:0] crc_next;
  crc32 crc32 (
      .crc_i (crc),
      .data_i(data_i),
      .crc_o (crc_next)
  );

  // What is between `first` and `whole` may be read, what is between `whole` and `last` is of a frame that is still
  // coming.
  reg [7:0] buffer[0:(1<<BUFFER_LOG2)-1];
  reg [BUFFER_LOG2:0] first, whole, last;
  wire full = last[BUFFER_LOG2-1:0] == first[BUFFER_LOG2-1:0] && last[BUFFER_LOG2] != first[BUFFER_LOG2];
  wire keep = valid_i && (state == HEADER || state == PAYLOAD);

  // A check's bytes, lowest first, against the complement of what was counted.
  wire wrong = differs || data_i != ~check[7:0];
  reg  has_payload;  // known long before the header's check has come
  always @(posedge clk) has_payload <= writes && length != 0 && length <= PAYLOAD_BYTES;
  wire good = state == PAYLOAD_CHECK || !writes;  // if its check agrees

  always @(posedge clk) begin
    if (keep && !full) buffer[last[BUFFER_LOG2-1:0]] <= data_i;
    if (valid_i) begin
      left <= left - 10'd1;
      if (keep) begin
        last  <= last + 1'b1;
        crc   <= crc_next;
        check <= crc_next;
      end else check <= {8'd0, check[31:8]};
      differs <= (state == HEADER_CHECK || state == PAYLOAD_CHECK) && wrong;
      case (state)
        SEARCH: begin
          last <= whole;
          crc  <= 32'hFFFFFFFF;
          left <= 10'd7;
          if (data_i == MARKER) state <= HEADER;
        end
        HEADER: begin
          if (left == 7) writes <= data_i == WRITE;
          if (left == 5) length[7:0] <= data_i;
          if (left == 4) length[15:8] <= data_i;
          if (left == 0) begin
            state <= HEADER_CHECK;
            left  <= 10'd3;
          end
        end
        PAYLOAD:
        if (left == 0) begin
          state <= PAYLOAD_CHECK;
          left  <= 10'd3;
        end
        default:
        if (left == 0) begin
          state <= SEARCH;
          if (!wrong && good) whole <= last;
          if (!wrong && state == HEADER_CHECK && has_payload) begin
            state <= PAYLOAD;
            left  <= length[9:0] - 10'd1;
          end
        end
      endcase
      if (keep && full) state <= SEARCH;
    end
    if (rst) begin
      state <= SEARCH;
      whole <= 0;
      last  <= 0;
    end
  end

  // The buffer's answer, then a register.
  reg asked;
  reg [7:0] byte_read;
  wire ask = first != whole && !asked && (!valid_o || ready_i);
  always @(posedge clk) begin
    byte_read <= buffer[first[BUFFER_LOG2-1:0]];
    asked <= ask;
    if (ask) first <= first + 1'b1;
    if (ready_i) valid_o <= 1'b0;
    if (asked) begin
      valid_o <= 1'b1;
      data_o  <= byte_read;
    end
    if (rst) begin
      first <= 0;
      {asked, valid_o} <= 2'b00;
    end
  end
endmodule

`default_nettype wire
