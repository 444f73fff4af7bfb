// SPDX-License-Identifier: Apache-2.0
// Writes to a pipe on the chip the packet of each lane of a token that has one, one lane after the other, the lowest
// first. Whether the pipe took it is there by lane, to be stored by slot; the token goes on with its last lane's. A lane
// a cycle where the pipe answers; a token without such lanes takes a cycle, too.
`default_nettype none

module pipe_write #(
    parameter LANES = 4,  // 1 to 32
    parameter SLOT_BITS = 5,  // log2 of the slots
    parameter BITS = 32,  // of a packet
    parameter WAITS = 0  // 1: a lane waits for room although there may be none any more
) (
    input wire clk,
    input wire rst,

    // tokens that come, the lanes that have a packet, and these
    input wire                  valid_i,
    input wire [ SLOT_BITS-1:0] slot_i,
    input wire [     LANES-1:0] lanes_i,
    input wire [LANES*BITS-1:0] packets_i,

    // the pipe, as in pipe_queue.v
    output wire            write_o,
    output reg  [BITS-1:0] packet_o,
    input  wire            ready_i,
    input  wire            ok_i,

    // whether it took a lane's
    output reg [    LANES-1:0] taken_o,
    output reg [SLOT_BITS-1:0] taken_slot_o,
    output reg                 taken_ok_o,

    // the token goes on
    output reg                 done_o,
    output reg [SLOT_BITS-1:0] done_slot_o
);
  wire queued, take;
  wire [SLOT_BITS+LANES*(BITS+1)-1:0] word;
  token_queue #(
      .WIDTH(SLOT_BITS + LANES * (BITS + 1)),
      .SLOT_BITS(SLOT_BITS)
  ) queue (
      .clk(clk),
      .rst(rst),
      .valid_i(valid_i),
      .word_i({slot_i, lanes_i, packets_i}),
      .valid_o(queued),
      .word_o(word),
      .take_i(take)
  );
  wire leaves;
  wire [LANES-1:0] lane, answered;
  pipe_lanes #(
      .LANES(LANES)
  ) lanes (
      .clk(clk),
      .rst(rst),
      .valid_i(queued),
      .lanes_i(word[LANES*BITS+:LANES]),
      .take_o(take),
      .ask_o(write_o),
      .lane_o(lane),
      .ready_i(ready_i && (ok_i || WAITS == 0)),
      .answered_o(answered),
      .done_o(leaves)
  );
  reg [SLOT_BITS-1:0] slot;
  reg [LANES*BITS-1:0] packets;
  integer l;
  always @* begin
    packet_o = {BITS{1'b0}};
    for (l = 0; l < LANES; l = l + 1) packet_o = packet_o | ({BITS{lane[l]}} & packets[l*BITS+:BITS]);
  end
  always @(posedge clk) begin
    if (take) {slot, packets} <= {word[LANES*(BITS+1)+:SLOT_BITS], word[LANES*BITS-1:0]};
    taken_o <= answered;
    taken_slot_o <= slot;
    taken_ok_o <= ok_i;
    done_o <= leaves && !rst;
    done_slot_o <= slot;
  end
endmodule

`default_nettype wire
