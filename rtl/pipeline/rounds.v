// SPDX-License-Identifier: Apache-2.0
// The entry of a loop whose rounds overlap, in a pipeline that has one work-item at a time: the next round starts when
// the one in front of it is known to be followed by one, INTERVAL cycles later at least, whether or not that has ended.
// Each round has a slot of its own, the work-item has slot 0. Rounds end in their order. From the token that comes to
// the first round 3 cycles.
`default_nettype none

module rounds #(
    parameter SLOT_BITS = 5,  // log2 of the rounds that may be under way
    parameter INTERVAL  = 1   // cycles from the start of a round to the next, 1 to 2^20
) (
    input wire clk,
    input wire rst,

    input wire enter_valid_i,  // the token comes; none is in the loop

    // a round has come so far that it is known whether another one follows it
    input wire back_valid_i,
    input wire back_again_i,

    // the end of a round
    input wire end_valid_i,
    input wire end_again_i,  // another one follows it

    // the start of a round, the cycle after: registered here and by whoever holds the values
    output wire start_o,  // in the cycle of the choice
    output wire [SLOT_BITS-1:0] start_slot_o,
    output wire start_first_o,  // its values come from slot 0, else from the round in front of it
    output wire hold_o,  // these values come now: they are to be held
    output wire held_o,  // they are those that are held, else those that come now

    output wire leave_o
);
  reg entered, reads, held;
  reg [  SLOT_BITS:0] under_way;
  reg [SLOT_BITS-1:0] next_slot;
  localparam BITS = INTERVAL > 1024 ? 20 : 10;
  localparam [BITS-1:0] PAUSE = INTERVAL - 1, ZERO = 0, ONE = 1;
  reg [BITS-1:0] pause;
  wire goes = back_valid_i && back_again_i;
  wire free = !under_way[SLOT_BITS] && pause == ZERO;
  assign start_o = reads || ((goes || held) && free);
  assign start_first_o = reads;
  assign start_slot_o = next_slot;
  assign hold_o = goes;
  assign held_o = held;
  assign leave_o = end_valid_i && !end_again_i;
  always @(posedge clk) begin
    // What the token brings is read from slot stores the cycle after it was written there at the latest.
    entered <= enter_valid_i && !rst;
    reads <= entered && !rst;
    held <= (goes || held) && !free && !rst;
    under_way <= under_way + {{SLOT_BITS{1'b0}}, start_o} - {{SLOT_BITS{1'b0}}, end_valid_i};
    if (start_o) next_slot <= next_slot + 1'b1;
    pause <= start_o ? PAUSE : pause != ZERO ? pause - ONE : ZERO;
    if (rst) begin
      under_way <= 0;
      next_slot <= 0;
      pause <= ZERO;
    end
  end
endmodule

`default_nettype wire
