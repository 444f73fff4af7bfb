// SPDX-License-Identifier: Apache-2.0
// Proof: with rtl/unit/turns.v every lane that can run does, and soon. Of one sub-group, instruction by instruction: those
// that run are any of the lanes that can and have not yielded, or of those that have, if all have (converge.v); the
// instruction is any; some lanes that run jump back before there are more than BETWEEN atomics and pauses since they last
// did. Then no lane waits for more than 2 * (LANES - 1) turns of 2^TURN_LOG2 + BETWEEN atomics and pauses.
`default_nettype none

module turns_proof #(
    parameter LANES = 4,
    parameter TURN_LOG2 = 3,
    parameter BETWEEN = 2
) (
    input wire clk,
    input wire launch,
    input wire [LANES-1:0] launch_lanes,
    input wire [LANES-1:0] some,
    input wire [LANES-1:0] some_jump,
    input wire [1:0] kind,  // of the instruction: a jump back, an atomic or pause, a collective that parks, an exit; or, with other, another one
    input wire other
);
  wire rst = $initstate;
  // What the slot has. An instruction takes four cycles: e1 to e4.
  reg [1:0] stage;
  reg [LANES-1:0] live, parked, yielded, lanes, jump;
  reg [TURN_LOG2:0] waited;
  reg begins, back, waits, parks, exits;
  wire [  LANES-1:0] after_yielded;
  wire [TURN_LOG2:0] after_waited;
  reg  [  LANES-1:0] next_yielded;
  turns #(
      .LANES(LANES),
      .TURN_LOG2(TURN_LOG2)
  ) dut (
      .clk(clk),
      .e1_back_i(back),
      .e1_waits_i(waits),
      .e2_launch_i(begins),
      .e2_lanes_i(lanes),
      .e2_jump_i(jump),
      .e2_live_i(live),
      .e2_parked_i(parked),
      .e2_yielded_i(yielded),
      .e2_waited_i(waited),
      .e3_yielded_o(after_yielded),
      .e4_waited_o(after_waited)
  );

  // Who runs: of those that can, none that has yielded unless all have. All that are live, when all are parked: a
  // collective.
  function [LANES-1:0] choice(input [LANES-1:0] can, input [LANES-1:0] alive, input [LANES-1:0] have,
                              input [LANES-1:0] any);
    choice = can == 0 ? alive : (can & ~have) == 0 ? can & any : can & ~have & any;
  endfunction
  wire [LANES-1:0] new_live = begins ? lanes : exits ? live & ~lanes : live;
  wire [LANES-1:0] new_parked = begins ? {LANES{1'b0}} : parks ? parked | lanes : parked & ~lanes;
  wire [LANES-1:0] next_lanes = launch || new_live == 0 ? launch_lanes : choice(
      new_live & ~new_parked, new_live, next_yielded, some
  );

  (* anyconst *) wire [LANES-1:0] watched;  // one lane
  localparam TURN = (1 << TURN_LOG2) + BETWEEN;
  reg [7:0] missed, used, since_back;  // atomics and pauses: since the watched lane ran, of the turn, since a jump back
  wire [LANES-1:0] can = live & ~parked;
  wire jumps_back = back && jump != 0;
  wire [7:0] next_since_back = begins || jumps_back ? 8'd0 : since_back + waits;
  integer i;
  reg [3:0] to_come, others;  // turns before the watched lane's
  always @* begin
    {to_come, others} = 8'd0;
    for (i = 0; i < LANES; i = i + 1) begin
      to_come = to_come + {3'd0, can[i] && !yielded[i] && !watched[i]};
      others  = others + {3'd0, can[i] && !watched[i]};
    end
    if ((watched & yielded) != 0) to_come = to_come + others;
  end

  always @* begin
    assume (watched != 0 && (watched & (watched - 1'b1)) == 0);
    assume (launch_lanes != 0);
    if (stage == 2'd3) assume (next_lanes != 0);
    // A collective is not the instruction of all live lanes twice: they park at it only if others are still to come.
    if (stage == 2'd3 && !other && kind == 2'd2) assume (next_lanes != new_live);
    if (stage == 2'd3 && next_since_back >= BETWEEN) assume (other || kind != 2'd1);
  end

  always @(posedge clk) begin
    stage <= stage + 1'b1;
    if (stage == 2'd2) next_yielded <= after_yielded;
    if (stage == 2'd3) begin
      begins <= launch || new_live == 0;
      lanes <= next_lanes;
      jump <= launch || new_live == 0 ? {LANES{1'b0}} : next_lanes & some_jump;
      {back, waits, parks, exits} <= launch || new_live == 0 || other ? 4'd0 : 4'b1000 >> kind;
      live <= new_live;
      parked <= new_parked;
      yielded <= next_yielded;
      waited <= after_waited;
      // What was carried out.
      used <= begins || (jumps_back && waited[TURN_LOG2]) || (can & ~lanes) == 0 ? 8'd0 : used + waits;
      since_back <= next_since_back;
      missed <= begins || (watched & lanes) != 0 || (watched & can) == 0 ? 8'd0 : missed + waits;
    end
    if (rst) begin
      stage <= 2'd0;
      begins <= 1'b1;
      lanes <= launch_lanes;
      {back, waits, parks, exits} <= 4'd0;
      {live, parked, yielded, waited, next_yielded, jump} <= 0;
      {used, since_back, missed} <= 24'd0;
    end
  end

  always @(posedge clk)
    if (!rst && stage == 2'd0 && !begins) begin
      // Who is parked has not yielded; who has yielded does not run before the others.
      assert ((parked & live & yielded) == 0);
      assert (lanes != 0);
      assert (since_back + waits <= BETWEEN);
      assert ((jump & ~lanes) == 0);
      assert ((lanes & ~can) == 0 || (lanes == live && can == 0));
      assert ((lanes & yielded) == 0 || (can & ~yielded) == 0);
      assert (waited[TURN_LOG2] || used <= waited);
      assert (used <= (1 << TURN_LOG2) + (waited[TURN_LOG2] ? since_back : 8'd0));
      assert (missed == 0 || missed <= (2 * (LANES - 1) - to_come) * TURN + used);
      assert (missed <= 2 * (LANES - 1) * TURN);
      cover (missed > 2 * TURN);
    end
endmodule

`default_nettype wire
