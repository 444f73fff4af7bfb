// SPDX-License-Identifier: Apache-2.0
// The entry of a loop whose rounds are interleaved: as rounds.v, but there are loops in it, so that rounds end in any
// order, and a slot is free when its round has ended. From the token that comes to the first round 3 cycles.
`default_nettype none

module interleaved_rounds #(
    parameter SLOT_BITS = 5,  // log2 of the rounds that may be under way
    parameter INTERVAL  = 1   // cycles from the start of a round to the next, 1 to 2^20
) (
    input wire clk,
    input wire rst,

    input wire enter_valid_i,  // the token comes; none is in the loop

    // a round has come so far that it is known whether another one follows it; these come in the rounds' order
    input wire back_valid_i,
    input wire back_again_i,

    // the end of a round
    input wire end_valid_i,
    input wire [SLOT_BITS-1:0] end_slot_i,

    // the start of a round, the cycle after: registered here and by whoever holds the values
    output wire start_o,  // in the cycle of the choice
    output wire [SLOT_BITS-1:0] start_slot_o,
    output wire start_first_o,  // its values come from the work-item's slot, else from the round in front of it
    output wire hold_o,  // these values come now: they are to be held
    output wire held_o,  // they are those that are held, else those that come now

    output wire leave_o
);
  reg entered, reads, held, said_last;
  reg [SLOT_BITS:0] under_way;
  localparam BITS = INTERVAL > 1024 ? 20 : 10;
  localparam [BITS-1:0] PAUSE = INTERVAL - 1, ZERO = 0, ONE = 1;
  localparam [SLOT_BITS:0] LAST = 1;
  reg [BITS-1:0] pause;
  // Slots that no round had yet, from this one on; then those that rounds have left.
  reg [SLOT_BITS:0] fresh;
  reg [SLOT_BITS-1:0] left[0:(1<<SLOT_BITS)-1];
  reg [SLOT_BITS-1:0] left_first, left_end;
  wire goes = back_valid_i && back_again_i;
  wire free = !under_way[SLOT_BITS] && pause == ZERO;
  wire is_last = said_last || (back_valid_i && !back_again_i);
  assign start_o = reads || ((goes || held) && free);
  assign start_first_o = reads;
  assign start_slot_o = fresh[SLOT_BITS] ? left[left_first] : fresh[SLOT_BITS-1:0];
  assign hold_o = goes;
  assign held_o = held;
  assign leave_o = end_valid_i && is_last && under_way == LAST;
  always @(posedge clk) begin
    // What the token brings is read from slot stores the cycle after it was written there at the latest.
    entered <= enter_valid_i && !rst;
    reads <= entered && !rst;
    held <= (goes || held) && !free && !rst;
    said_last <= is_last && !leave_o && !rst;
    under_way <= under_way + {{SLOT_BITS{1'b0}}, start_o} - {{SLOT_BITS{1'b0}}, end_valid_i};
    if (end_valid_i) begin
      left[left_end] <= end_slot_i;
      left_end <= left_end + 1'b1;
    end
    if (start_o && fresh[SLOT_BITS]) left_first <= left_first + 1'b1;
    if (start_o && !fresh[SLOT_BITS]) fresh <= fresh + 1'b1;
    pause <= start_o ? PAUSE : pause != ZERO ? pause - ONE : ZERO;
    if (rst) begin
      under_way <= 0;
      fresh <= 0;
      left_first <= 0;
      left_end <= 0;
      pause <= ZERO;
    end
  end
endmodule

`default_nettype wire
