// SPDX-License-Identifier: Apache-2.0
// Reads a packet from a pipe on the chip for each lane of a token that wants one, one lane after the other, the lowest
// first. What it gets is there by lane, to be stored by slot; the token goes on with its last lane's. A lane a cycle
// where the pipe answers; a token without such lanes takes a cycle, too.
`default_nettype none

module pipe_read #(
    parameter LANES = 4,  // 1 to 32
    parameter SLOT_BITS = 5,  // log2 of the slots
    parameter BITS = 32,  // of a packet
    parameter WAITS = 0  // 1: a lane waits for its packet although none may come any more
) (
    input wire clk,
    input wire rst,

    // tokens that come, and the lanes that want a packet
    input wire                 valid_i,
    input wire [SLOT_BITS-1:0] slot_i,
    input wire [    LANES-1:0] lanes_i,

    // the pipe, as in pipe_queue.v
    output wire            read_o,
    input  wire            ready_i,
    input  wire            ok_i,
    input  wire [BITS-1:0] packet_i,

    // what a lane gets: the packet, above it whether it is one
    output reg [    LANES-1:0] write_o,
    output reg [SLOT_BITS-1:0] write_slot_o,
    output reg [       BITS:0] value_o,

    // the token goes on
    output reg                 done_o,
    output reg [SLOT_BITS-1:0] done_slot_o
);
  wire queued, take;
  wire [SLOT_BITS+LANES-1:0] word;
  token_queue #(
      .WIDTH(SLOT_BITS + LANES),
      .SLOT_BITS(SLOT_BITS)
  ) queue (
      .clk(clk),
      .rst(rst),
      .valid_i(valid_i),
      .word_i({slot_i, lanes_i}),
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
      .lanes_i(word[LANES-1:0]),
      .take_o(take),
      .ask_o(read_o),
      .lane_o(lane),
      .ready_i(ready_i && (ok_i || WAITS == 0)),
      .answered_o(answered),
      .done_o(leaves)
  );
  reg [SLOT_BITS-1:0] slot;
  always @(posedge clk) begin
    if (take) slot <= word[LANES+:SLOT_BITS];
    write_o <= answered;
    write_slot_o <= slot;
    value_o <= {ok_i, packet_i};
    done_o <= leaves && !rst;
    done_slot_o <= slot;
  end
  wire unused_lane = &{1'b0, lane};
endmodule

`default_nettype wire
