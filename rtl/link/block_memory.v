// SPDX-License-Identifier: Apache-2.0
// External memory of a device, in block RAM, for boards that have no other: a channel as heddle.v asks for it. A line
// is read from the cycle after its request on, a beat a cycle; a beat is written in a cycle. Requests are served one
// after the other; lines wait in a queue until they are taken, and hold up no write.
`default_nettype none

module block_memory #(
    parameter ADDRESS_BITS = 16,  // bits of an address: log2 of its bytes
    parameter BEAT_LOG2 = 4,  // log2 of the bytes of a beat
    parameter LINE_LOG2 = 6,  // log2 of the bytes of a line
    parameter BEAT_BYTES = 1 << BEAT_LOG2
) (
    input wire clk,
    input wire rst,

    input  wire                    request_valid_i,
    output wire                    request_ready_o,
    input  wire                    request_store_i,
    input  wire [ADDRESS_BITS-1:0] request_address_i,
    input  wire [8*BEAT_BYTES-1:0] request_data_i,
    input  wire [  BEAT_BYTES-1:0] request_strobe_i,

    output wire                    response_valid_o,
    input  wire                    response_ready_i,
    output wire [8*BEAT_BYTES-1:0] response_data_o
);
  localparam BEAT_INDEX_BITS = ADDRESS_BITS - BEAT_LOG2;  // of a beat's number
  localparam LEFT_BITS = LINE_LOG2 - BEAT_LOG2 + 1;
  localparam [LEFT_BITS-1:0] BEATS = 1 << (LINE_LOG2 - BEAT_LOG2);
  reg [8*BEAT_BYTES-1:0] beats[0:(1<<BEAT_INDEX_BITS)-1];
  reg [LEFT_BITS-1:0] left;  // beats of the line that have not been read yet
  reg [BEAT_INDEX_BITS-1:0] beat;
  reg beat_valid;
  reg [8*BEAT_BYTES-1:0] beat_data;
  wire room;
  wire address_unused = &{1'b0, request_address_i[BEAT_LOG2-1:0]};
  assign request_ready_o = left == 0 && (request_store_i || room);
  wire takes = request_valid_i && request_ready_o;
  integer i;
  always @(posedge clk) begin
    if (takes && request_store_i)
      for (i = 0; i < BEAT_BYTES; i = i + 1)
      if (request_strobe_i[i]) beats[request_address_i[ADDRESS_BITS-1:BEAT_LOG2]][8*i+:8] <= request_data_i[8*i+:8];
    beat_valid <= left != 0;
    beat_data  <= beats[beat];
    if (left != 0) begin
      left <= left - 1'b1;
      beat <= beat + 1'b1;
    end
    if (takes) begin
      beat <= request_address_i[ADDRESS_BITS-1:BEAT_LOG2];
      if (!request_store_i) left <= BEATS;
    end
    if (rst) begin
      left <= 0;
      beat_valid <= 1'b0;
    end
  end
  line_queue #(
      .BEAT_LOG2(BEAT_LOG2),
      .LINE_LOG2(LINE_LOG2)
  ) line_queue (
      .clk(clk),
      .rst(rst),
      .room_o(room),
      .asked_i(takes && !request_store_i),
      .beat_valid_i(beat_valid),
      .beat_i(beat_data),
      .response_valid_o(response_valid_o),
      .response_ready_i(response_ready_i),
      .response_data_o(response_data_o)
  );
endmodule

`default_nettype wire
