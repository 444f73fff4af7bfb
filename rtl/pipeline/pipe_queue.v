// SPDX-License-Identifier: Apache-2.0
// A pipe between two kernels of a chain: a queue. A read waits for a packet, and fails when the writer has ended and
// none is left. A write waits for room in the queue, and fails when the pipe holds as many packets as it takes: then
// those that were read count, too, unless the reader need not have waited for the writer; there, a write waits as long
// as the reader runs. What a reader that has ended leaves goes to the pipe's memory as contract/DEVICE.md has it
// ("Chains"): the packets from the first slot on, then their number. A packet a cycle each way; from a write to the read of the same packet 3 cycles at
// most.
`default_nettype none

module pipe_queue #(
    parameter BYTES = 4,  // of a packet
    parameter DEPTH_LOG2 = 6,  // log2 of the packets that it holds
    parameter GLOBAL_LOG2 = 28,
    parameter BEAT_LOG2 = 4,
    parameter BEAT_BYTES = 1 << BEAT_LOG2  // derived
) (
    input wire clk,
    input wire rst,

    // of the dispatch, from open_i on
    input wire                   open_i,
    input wire [           31:0] most_i,     // packets that the pipe takes; bit 31: those that were read make room
    input wire [GLOBAL_LOG2-1:0] address_i,  // of the pipe in memory
    input wire [GLOBAL_LOG2-1:0] offset_i,   // bytes from there to its packets
    input wire                   stop_i,     // no more stores begin

    // the writer. Ready: the packet was taken, or with !ok is not going to be
    input  wire               write_i,
    input  wire [8*BYTES-1:0] write_packet_i,
    output wire               write_ready_o,
    output wire               write_ok_o,
    input  wire               writer_ended_i,

    // the reader. Ready: a packet, which is taken; with !ok there is none any more
    input  wire               read_i,
    output wire               read_ready_o,
    output wire               read_ok_o,
    output wire [8*BYTES-1:0] read_packet_o,
    input  wire               reader_ended_i,

    // stores of what is left
    output wire                    store_valid_o,
    input  wire                    store_ready_i,
    output wire [ GLOBAL_LOG2-1:0] store_address_o,
    output wire [8*BEAT_BYTES-1:0] store_data_o,
    output wire [  BEAT_BYTES-1:0] store_strobe_o,

    output wire ended_o  // both have ended, and nothing is left to be stored
);
  `include "contract/device_map.vh"
  localparam [GLOBAL_LOG2-1:0] COUNT_OFFSET = 4 * `HEDDLE_PIPE_WRITTEN;
  // A packet is stored in pieces that lie in one beat wherever packets begin.
  localparam PIECE = BYTES % 4 == 0 ? 4 : BYTES % 2 == 0 ? 2 : 1;
  localparam PIECES = BYTES / PIECE, PIECE_BITS = PIECES > 1 ? $clog2(PIECES) : 1;
  localparam [31:0] LAST_NUMBER = PIECES - 1;
  localparam [PIECE_BITS-1:0] LAST = LAST_NUMBER[PIECE_BITS-1:0];
  localparam [GLOBAL_LOG2-1:0] STEP = PIECE;
  localparam [DEPTH_LOG2:0] NONE = 0;

  reg [DEPTH_LOG2:0] held;
  reg [30:0] filled;
  reg [31:0] left;
  reg counted;
  wire head_valid, pop;
  wire makes_room = most_i[31], is_full = filled == most_i[30:0];
  assign write_ok_o = !is_full;
  assign write_ready_o = open_i && (is_full ? !makes_room || reader_ended_i : !held[DEPTH_LOG2]);
  wire push = write_i && write_ready_o && write_ok_o;
  assign read_ok_o = head_valid;
  assign read_ready_o = open_i && (head_valid || (writer_ended_i && held == NONE));
  token_queue #(
      .WIDTH(8 * BYTES),
      .SLOT_BITS(DEPTH_LOG2)
  ) queue (
      .clk(clk),
      .rst(rst),
      .valid_i(push),
      .word_i(write_packet_i),
      .valid_o(head_valid),
      .word_o(read_packet_o),
      .take_i(pop)
  );

  // What is left.
  reg [PIECE_BITS-1:0] piece;
  reg [GLOBAL_LOG2-1:0] kept;  // bytes behind the first packet
  reg offered;  // a store that is not taken yet stays
  wire keeps = open_i && reader_ended_i && (!stop_i || offered);
  wire stores_packet = keeps && head_valid;
  wire all_kept = keeps && writer_ended_i && held == NONE;
  wire stores_count = all_kept && left != 32'd0 && !counted;
  wire packet_stored = stores_packet && store_ready_i && piece == LAST;
  wire was_read = head_valid && read_i && read_ready_o;
  assign pop = packet_stored || was_read;
  assign ended_o = open_i && reader_ended_i && writer_ended_i && held == NONE && (left == 32'd0 || counted);
  wire [GLOBAL_LOG2-1:0] address = address_i + (stores_count ? COUNT_OFFSET : offset_i + kept);
  wire [8*PIECE-1:0] bytes = read_packet_o[piece*8*PIECE+:8*PIECE];
  assign store_valid_o = stores_packet || stores_count;
  assign store_address_o = {address[GLOBAL_LOG2-1:BEAT_LOG2], {BEAT_LOG2{1'b0}}};
  assign store_data_o = stores_count ? {BEAT_BYTES / 4{left}} : {BEAT_BYTES / PIECE{bytes}};
  localparam [BEAT_BYTES-1:0] WORD = {{BEAT_BYTES - 4{1'b0}}, 4'hF};
  localparam [BEAT_BYTES-1:0] WHOLE_PIECE = {{BEAT_BYTES - PIECE{1'b0}}, {PIECE{1'b1}}};
  assign store_strobe_o = (stores_count ? WORD : WHOLE_PIECE) << address[BEAT_LOG2-1:0];
  always @(posedge clk) begin
    held   <= held + {{DEPTH_LOG2{1'b0}}, push} - {{DEPTH_LOG2{1'b0}}, pop};
    filled <= filled + {30'd0, push} - {30'd0, was_read && makes_room};
    if (packet_stored) left <= left + 32'd1;
    if (stores_packet && store_ready_i) begin
      kept  <= kept + STEP;
      piece <= piece == LAST ? {PIECE_BITS{1'b0}} : piece + 1'b1;
    end
    if (stores_count && store_ready_i) counted <= 1'b1;
    offered <= !rst && store_valid_o && !store_ready_i;
    if (rst) begin
      held <= NONE;
      {filled, left} <= 63'd0;
      counted <= 1'b0;
      piece <= {PIECE_BITS{1'b0}};
      kept <= {GLOBAL_LOG2{1'b0}};
    end
  end
endmodule

`default_nettype wire
