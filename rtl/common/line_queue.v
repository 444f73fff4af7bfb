// SPDX-License-Identifier: Apache-2.0
// Between external memory and the device cache: beats of lines that memory reads without ever having to wait. Memory
// takes a request for a line only while room_o, and says so with asked_i; so what it has begun it can end, and it can
// take a write however long the cache lets lines stand (an atomic writes its beat before the lines behind it are
// taken). A beat leaves two cycles after it came, or later. 16 beats are held.
`default_nettype none

module line_queue #(
    parameter BEAT_LOG2 = 4,  // log2 of the bytes of a beat
    parameter LINE_LOG2 = 6,  // log2 of the bytes of a line
    parameter BLOCK = 0,  // 1: beats stand in block RAM, which takes less room and answers late in a cycle
    parameter BEAT_BYTES = 1 << BEAT_LOG2
) (
    input wire clk,
    input wire rst,

    output reg                     room_o,
    input  wire                    asked_i,
    input  wire                    beat_valid_i,
    input  wire [8*BEAT_BYTES-1:0] beat_i,

    output reg                     response_valid_o,
    input  wire                    response_ready_i,
    output reg  [8*BEAT_BYTES-1:0] response_data_o
);
  generate
    if (LINE_LOG2 < BEAT_LOG2 || LINE_LOG2 - BEAT_LOG2 > 4) begin : check
      line_queue_LINE_LOG2_must_be_BEAT_LOG2_to_BEAT_LOG2_plus_4 stop ();
    end
  endgenerate
  localparam [5:0] BEATS = 6'd1 << (LINE_LOG2 - BEAT_LOG2);  // of a line
  localparam [5:0] BEATS_OF_TWO = BEATS << 1;

  reg [3:0] first, next;
  reg [4:0] here, free;  // beats that have come; beats that nobody has asked for
  wire moves = (!response_valid_o || response_ready_i) && here != 0;
  // Whether there is room is found for each thing that may happen, of which asked_i and moves tell late.
  wire [4:0] next_free = free - (asked_i ? BEATS[4:0] : 5'd0) + {4'd0, moves};
  wire [5:0] free_then = {1'b0, free} + 6'd1;
  wire roomy = {1'b0, free} >= BEATS, roomy_then = free_then >= BEATS;
  wire both = {1'b0, free} >= BEATS_OF_TWO, both_then = free_then >= BEATS_OF_TWO;
  always @(posedge clk) begin
    if (beat_valid_i) next <= next + 1'b1;
    if (moves) first <= first + 1'b1;
    here   <= here + {4'd0, beat_valid_i} - {4'd0, moves};
    free   <= next_free;
    room_o <= asked_i ? (moves ? both_then : both) : moves ? roomy_then : roomy;
    if (!response_valid_o || response_ready_i) begin
      response_valid_o <= moves;
    end
    if (rst) begin
      first <= 4'd0;
      next <= 4'd0;
      here <= 5'd0;
      free <= 5'd16;
      room_o <= 1'b1;
      response_valid_o <= 1'b0;
    end
  end
  // A beat is read the cycle after it was written, or later.
  generate
    if (BLOCK != 0) begin : in_block_ram
      (* ram_style = "block", no_rw_check *) reg [8*BEAT_BYTES-1:0] beats[0:15];
      always @(posedge clk) begin
        if (beat_valid_i) beats[next] <= beat_i;
        if (!response_valid_o || response_ready_i) response_data_o <= beats[first];
      end
    end else begin : in_small_ram
      reg [8*BEAT_BYTES-1:0] beats[0:15];
      always @(posedge clk) begin
        if (beat_valid_i) beats[next] <= beat_i;
        if (!response_valid_o || response_ready_i) response_data_o <= beats[first];
      end
    end
  endgenerate
endmodule

`default_nettype wire
