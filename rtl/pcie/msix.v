// SPDX-License-Identifier: Apache-2.0
// MSI-X with one vector: its place in the table, and a packet that writes the host's word where the host wants it,
// three or four words of header and one of data, for each event or several that come before it is sent. While it is
// masked it is pending.
`default_nettype none

module msix (
    input wire        clk,
    input wire        rst,
    input wire [15:0] id_i,      // the endpoint's
    input wire        enable_i,  // of the capability, as is the mask of the function
    input wire        mask_i,
    input wire        event_i,

    // the table: address, its upper half, word, mask
    input  wire        write_i,
    input  wire [ 3:2] index_i,
    input  wire [31:0] word_i,
    input  wire [ 3:0] strobe_i,
    input  wire [ 3:2] read_index_i,
    output wire [31:0] read_o,
    output reg         pending_o,

    // to tlp_sender.v
    output wire        valid_o,
    input  wire        ready_i,
    output wire        last_o,
    output wire        is_data_o,
    output reg  [31:0] word_o
);
  localparam [2:0] IDLE = 3'd0, FIRST = 3'd1, SECOND = 3'd2, HIGH = 3'd3, LOW = 3'd4, DATA = 3'd5;
  reg [2:0] state;
  reg [31:0] entry[0:3];
  wire masked = entry[3][0];
  wire four = entry[1] != 0;
  assign read_o = read_index_i == 2'd3 ? {31'd0, masked} : entry[read_index_i];
  assign valid_o = state != IDLE;
  assign last_o = state == DATA;
  assign is_data_o = state == DATA;

  always @*
    case (state)
      FIRST:   word_o = {2'b01, four, 5'b00000, 14'd0, 10'd1};
      SECOND:  word_o = {id_i, 8'd0, 8'h0F};
      HIGH:    word_o = entry[1];
      LOW:     word_o = {entry[0][31:2], 2'b00};
      default: word_o = entry[2];
    endcase

  integer i;
  always @(posedge clk) begin
    // The host changes an entry only while it is masked.
    for (i = 0; i < 4; i = i + 1) if (write_i && strobe_i[i]) entry[index_i][8*i+:8] <= word_i[8*i+:8];
    pending_o <= enable_i && (pending_o || event_i);
    case (state)
      IDLE:
      if (pending_o && enable_i && !mask_i && !masked) begin
        pending_o <= event_i;
        state <= FIRST;
      end
      FIRST: if (ready_i) state <= SECOND;
      SECOND: if (ready_i) state <= four ? HIGH : LOW;
      HIGH: if (ready_i) state <= LOW;
      LOW: if (ready_i) state <= DATA;
      default: if (ready_i) state <= IDLE;
    endcase
    if (rst) begin
      state <= IDLE;
      pending_o <= 1'b0;
      entry[3] <= 32'd1;
    end
  end
endmodule

`default_nettype wire
