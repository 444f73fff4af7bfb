// SPDX-License-Identifier: Apache-2.0
// Proof: rtl/pipeline/spacer.v lets each token go once, in the order in which they came, INTERVAL cycles or more after
// the one before, an aligned one a multiple of INTERVAL, and keeps none for longer than it has to. The rule of its users: a slot that is held does not come
// again. In all cycles up to the depth that proofs.toml says; its queue is proved for ever.
`default_nettype none

module spacer_proof #(
    parameter ALIGNED = 0
) (
    input wire       clk,
    input wire       valid,
    input wire [1:0] slot
);
  localparam INTERVAL = 3, SLOTS = 4, LATENCY = 4;  // from the queue's input to the output, at most
  wire rst = $initstate;
  wire leaves;
  wire [1:0] left;
  spacer #(
      .SLOT_BITS(2),
      .INTERVAL (INTERVAL),
      .ALIGNED  (ALIGNED)
  ) dut (
      .clk(clk),
      .rst(rst),
      .valid_i(valid),
      .slot_i(slot),
      .valid_o(leaves),
      .slot_o(left)
  );
  reg [SLOTS-1:0] held;
  reg [2:0] count;
  reg [2:0] since;  // cycles since one left, 7 at most
  reg [1:0] phase;  // cycles since the first one left, modulo INTERVAL; valid once one has
  reg any;
  reg [3:0] waits;  // cycles in which one was held and none left
  always @(posedge clk) begin
    held  <= rst ? 4'd0 : (held | ({3'd0, valid} << slot)) & ~({3'd0, leaves} << left);
    count <= count + {2'd0, valid} - {2'd0, leaves};
    since <= leaves ? 3'd1 : &since ? since : since + 3'd1;
    waits <= leaves || count == 3'd0 ? 4'd0 : waits + 4'd1;
    any   <= !rst && (any || leaves);
    phase <= leaves ? 2'd1 : phase == INTERVAL - 1 ? 2'd0 : phase + 2'd1;
    if (rst) {count, since, waits} <= {3'd0, 3'd7, 4'd0};
  end
  always @* begin
    if (rst) assume (!valid);
    if (valid) assume (!held[slot]);
  end

  // Any one token: how many are ahead of it.
  (* anyseq *) wire choose;
  reg chosen;
  reg [1:0] watched;
  reg [2:0] ahead;
  wire watch = valid && choose && !chosen && !rst;
  always @(posedge clk) begin
    chosen <= !rst && (chosen || watch);
    if (watch) begin
      watched <= slot;
      ahead   <= count - {2'd0, leaves};
    end else if (leaves && ahead != 3'd7) ahead <= ahead - 3'd1;
  end

  always @*
    if (!rst) begin
      if (leaves) assert (held[left] && since >= INTERVAL);
      if (leaves && chosen && ahead == 3'd0) assert (left == watched);
      if (leaves && chosen && ahead < 3'd4 && ahead != 3'd0) assert (left != watched);
      if (leaves && any && ALIGNED != 0) assert (phase == 2'd0);
      assert (waits < INTERVAL + LATENCY);
      cover (leaves && since == INTERVAL && count == 3'd4);
    end
endmodule

`default_nettype wire
