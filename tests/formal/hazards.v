// SPDX-License-Identifier: Apache-2.0
// Proof: rtl/pipeline/hazards.v lets rounds go on once each and in their order, none while one in front of it that is
// not over claims a word that it checks, and one that has no other in front of it at once. Its users say that a round is
// over after it has gone on, in order, and a slot that is held does not come again. In all cycles up to the depth that
// proofs.toml says.
`default_nettype none

module hazards_proof (
    input wire       clk,
    input wire       valid,
    input wire [1:0] slot,
    input wire [3:0] address,
    input wire [1:0] claims,
    input wire [1:0] checks,
    input wire       over
);
  localparam SLOTS = 4, LATENCY = 4;
  wire rst = $initstate;
  wire leaves;
  wire [1:0] left;
  hazards #(
      .SLOT_BITS(2),
      .ROUNDS_LOG2(1),
      .WORDS(2),
      .CLAIMED(2'b11),
      .CHECKED(2'b11),
      .BITS(2)
  ) dut (
      .clk(clk),
      .rst(rst),
      .valid_i(valid),
      .slot_i(slot),
      .address_i(address),
      .claims_i(claims),
      .checks_i(checks),
      .over_i(over),
      .valid_o(leaves),
      .slot_o(left)
  );
  // How many have come, gone on, and are over.
  reg [3:0] came, gone, done;
  reg [SLOTS-1:0] held;
  wire [3:0] gone_now = gone + {3'd0, leaves};
  always @(posedge clk) begin
    came <= rst ? 4'd0 : came + {3'd0, valid};
    gone <= rst ? 4'd0 : gone_now;
    done <= rst ? 4'd0 : done + {3'd0, over};
    // A round has its slot until it is over.
    held <= rst ? 4'd0 : (held | ({3'd0, valid} << slot)) & ~({3'd0, over} << first_slot);
  end
  // Slots of rounds, in the order in which they came.
  reg [1:0] slots[0:15];
  always @(posedge clk) if (valid) slots[came] <= slot;
  wire [1:0] first_slot = slots[done];
  always @* begin
    if (rst) assume (!valid && !over);
    if (valid) assume (!held[slot]);
    if (over) assume (done != gone);
  end

  // Any two rounds.
  (* anyconst *) wire [3:0] one, other;
  always @* assume (one < other);
  reg [3:0] one_address, other_address;
  reg [1:0] one_claims, other_checks;
  always @(posedge clk) begin
    if (valid && came == one) {one_address, one_claims} <= {address, claims};
    if (valid && came == other) {other_address, other_checks} <= {address, checks};
  end
  wire meet = (one_claims[0] && other_checks[0] && one_address[1:0] == other_address[1:0]) ||
      (one_claims[0] && other_checks[1] && one_address[1:0] == other_address[3:2]) ||
      (one_claims[1] && other_checks[0] && one_address[3:2] == other_address[1:0]) ||
      (one_claims[1] && other_checks[1] && one_address[3:2] == other_address[3:2]);

  reg [2:0] alone;  // cycles in which one was held, none was under way, and none left
  reg [2:0] behind;  // the same with one that was
  always @(posedge clk) begin
    behind <= rst || leaves || came == gone || done == gone ? 3'd0 : behind + 3'd1;
    alone  <= rst || leaves || came == gone || done != gone ? 3'd0 : alone + 3'd1;
  end
  always @*
    if (!rst) begin
      if (leaves) assert (gone != came && left == slots[gone]);
      // Who goes on has been chosen the cycle before: what is over now was not yet then.
      if (leaves && gone == other && meet) assert (done > one);
      assert (alone < LATENCY);
      cover (leaves && gone == other && other == one + 4'd1 && meet);
      cover (leaves && gone == other && done <= one && one_address == other_address && one_claims == 2'b11);
      cover (behind > LATENCY && gone == done + 4'd1);  // it waits, and there is room
    end
endmodule

`default_nettype wire
