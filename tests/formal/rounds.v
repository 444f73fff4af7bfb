// SPDX-License-Identifier: Apache-2.0
// Proof: rtl/pipeline/rounds.v starts a first round for each token that comes, and after a round one more if that says
// so, never more than there are slots at once, INTERVAL cycles apart, with slots in their order; a round starts with
// what the round in front of it said, also when it has to wait; the token leaves when its last round ends. The rules of
// its users: a token comes when none is there; a round says once what follows, before it ends; rounds end in their
// order. In all cycles up to the depth that proofs.toml says.
`default_nettype none

module rounds_proof (
    input wire clk,
    input wire enter,
    input wire back,
    input wire again,
    input wire ends,
    input wire [1:0] value
);
  localparam INTERVAL = 2, SLOTS = 4;
  wire rst = $initstate;
  wire start, first, hold, held, leave;
  wire [1:0] slot;
  rounds #(
      .SLOT_BITS(2),
      .INTERVAL (INTERVAL)
  ) dut (
      .clk(clk),
      .rst(rst),
      .enter_valid_i(enter),
      .back_valid_i(back),
      .back_again_i(again),
      .end_valid_i(ends),
      .end_again_i(last_again),
      .start_o(start),
      .start_slot_o(slot),
      .start_first_o(first),
      .hold_o(hold),
      .held_o(held),
      .leave_o(leave)
  );

  // Rounds that have not ended, the oldest lowest, and of those that have said it whether another one follows.
  reg there;  // a token is
  reg open;  // the youngest round has not said what follows
  reg owed;  // a round is to start
  reg [2:0] count;
  reg [2:0] since;
  reg [1:0] next_slot, said, kept;
  reg [1:0] wait_for_first;
  reg ended_last;  // the youngest round has said that none follows
  wire last_again = count != 3'd1 || !ended_last;
  wire started = start;
  always @(posedge clk) begin
    there <= !rst && (there || enter) && !leave;
    open  <= !rst && (started || (open && !back));
    owed  <= !rst && ((owed || (back && again)) && !(started && !first));
    count <= rst ? 3'd0 : count + {2'd0, started} - {2'd0, ends};
    since <= started ? 3'd1 : &since ? since : since + 3'd1;
    if (started) next_slot <= next_slot + 2'd1;
    if (back && again) said <= value;
    if (hold) kept <= value;
    wait_for_first <= rst ? 2'd0 : {wait_for_first[0], enter};
    ended_last <= !rst && !started && ((back && !again) || ended_last);
    if (rst) {next_slot, since} <= {2'd0, 3'd7};
  end
  always @* begin
    if (rst) assume (!enter && !back && !ends);
    if (enter) assume (!there);
    if (back) assume (open);
    // The youngest round says what follows before it ends.
    if (ends) assume (count != 3'd0 && !(count == 3'd1 && (open || owed)));
  end
  wire [1:0] given = held ? kept : value;
  always @*
    if (!rst) begin
      assert (count <= SLOTS);
      assert (!(start && count == SLOTS));
      if (start) assert (slot == next_slot);
      assert (first == wait_for_first[1]);
      if (start && !first) assert ((owed || (back && again)) && since >= INTERVAL && given == (owed ? said : value));
      if ((owed || (back && again)) && count != SLOTS && since >= INTERVAL) assert (start);
      assert (leave == (ends && count == 3'd1 && ended_last));
      cover (leave && next_slot == 2'd2);
      cover (owed && count == SLOTS && ends);
    end
endmodule

`default_nettype wire
