// SPDX-License-Identifier: Apache-2.0
// Proof: rtl/pipeline/interleaved_rounds.v starts a first round for each token that comes, and after a round one more
// if that says so, never more than there are slots at once, INTERVAL cycles apart, each in a slot that no other one
// has; a round starts with what the round in front of it said, also when it has to wait; the token leaves when all
// rounds have ended, in whatever order. The rules of its users: a token comes when none is there; a round says once
// what follows, in order, and before it ends; a round that ends has a slot that it was given. In all cycles up to the
// depth that proofs.toml says.
`default_nettype none

module interleaved_rounds_proof (
    input wire clk,
    input wire enter,
    input wire back,
    input wire again,
    input wire ends,
    input wire [1:0] end_slot,
    input wire [1:0] value
);
  localparam INTERVAL = 2, SLOTS = 4;
  wire rst = $initstate;
  wire start, first, hold, held, leave;
  wire [1:0] slot;
  interleaved_rounds #(
      .SLOT_BITS(2),
      .INTERVAL (INTERVAL)
  ) dut (
      .clk(clk),
      .rst(rst),
      .enter_valid_i(enter),
      .back_valid_i(back),
      .back_again_i(again),
      .end_valid_i(ends),
      .end_slot_i(end_slot),
      .start_o(start),
      .start_slot_o(slot),
      .start_first_o(first),
      .hold_o(hold),
      .held_o(held),
      .leave_o(leave)
  );

  reg there;  // a token is
  reg open;  // the youngest round has not said what follows
  reg owed;  // a round is to start
  reg [3:0] busy;  // slots of rounds
  reg [1:0] youngest;  // its slot
  reg [2:0] since;
  reg [1:0] said, kept;
  reg  [1:0] wait_for_first;
  wire [2:0] count = {2'd0, busy[0]} + {2'd0, busy[1]} + {2'd0, busy[2]} + {2'd0, busy[3]};
  wire [3:0] one = 4'd1;
  always @(posedge clk) begin
    there <= !rst && (there || enter) && !leave;
    open  <= !rst && (start || (open && !back));
    owed  <= !rst && ((owed || (back && again)) && !(start && !first));
    busy  <= rst ? 4'd0 : (busy & ~(ends ? one << end_slot : 4'd0)) | (start ? one << slot : 4'd0);
    since <= start ? 3'd1 : &since ? since : since + 3'd1;
    if (start) youngest <= slot;
    if (back && again) said <= value;
    if (hold) kept <= value;
    wait_for_first <= rst ? 2'd0 : {wait_for_first[0], enter};
    if (rst) since <= 3'd7;
  end
  always @* begin
    if (rst) assume (!enter && !back && !ends);
    if (enter) assume (!there);
    if (back) assume (open);
    // The youngest round says what follows before it ends.
    if (ends) assume (busy[end_slot] && !(open && end_slot == youngest));
  end
  wire [1:0] given = held ? kept : value;
  always @*
    if (!rst) begin
      assert (!(start && busy[slot]));
      assert (first == wait_for_first[1]);
      if (start && !first) assert ((owed || (back && again)) && since >= INTERVAL && given == (owed ? said : value));
      if ((owed || (back && again)) && count != SLOTS && since >= INTERVAL) assert (start);
      assert (leave == (ends && count == 3'd1 && !open && !owed));
      cover (leave && slot == 2'd2);
      cover (owed && count == SLOTS && ends && end_slot != youngest);
    end
endmodule

`default_nettype wire
