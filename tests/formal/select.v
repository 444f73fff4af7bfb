// SPDX-License-Identifier: Apache-2.0
// Proof: rtl/unit/select.v chooses only slots that are ready, loses none and chooses none twice, and chooses a ready slot within
// SLOTS cycles in which nothing is held back, whatever the others do. For any one slot, for ever (induction).
`default_nettype none

module select_proof #(
    parameter SLOTS = 8,
    parameter SLOT_BITS = 3
) (
    input wire             clk,
    input wire             hold,
    input wire             clear,
    input wire [SLOTS-1:0] wake
);
  wire rst = $initstate;
  wire valid;
  wire [SLOT_BITS-1:0] slot;
  select #(
      .SLOTS(SLOTS),
      .SLOT_BITS(SLOT_BITS)
  ) dut (
      .clk(clk),
      .rst(rst),
      .hold_i(hold),
      .clear_i(clear),
      .wake_i(wake),
      .valid_o(valid),
      .slot_o(slot)
  );

  // The watched slot: woken and not yet seen chosen, and the unheld cycles since then.
  (* anyconst *) reg [SLOT_BITS-1:0] watched;
  wire chosen = valid && slot == watched;
  reg woken;
  reg [SLOT_BITS:0] waited;
  always @(posedge clk) begin
    woken <= !rst && !clear && (wake[watched] || (woken && !chosen));
    if (rst || clear || !woken || chosen) waited <= 0;
    else if (!hold) waited <= waited + 1'b1;
  end
  // A slot that waits to be chosen is not woken again.
  always @* if (!rst && woken) assume (!wake[watched]);

  // What induction must know of the inside: `later` is the slots behind some slot, and so says how many may still go first.
  (* hierconn *)wire [SLOTS-1:0] \dut.ready ;
  (* hierconn *)wire [SLOTS-1:0] \dut.later ;
  reg [SLOT_BITS:0] behind, ahead;
  integer i;
  always @* begin
    behind = 0;
    for (i = 0; i < SLOTS; i = i + 1) behind = behind + \dut.later [i];
    ahead = \dut.later [watched] ? watched - (SLOTS - behind) : watched + behind;
    if (!rst) begin
      for (i = 1; i < SLOTS; i = i + 1) assert (\dut.later [i] || !\dut.later [i-1]);
      assert (\dut.ready [watched] == (woken && !chosen));
      if (woken && !chosen) assert (waited + ahead < SLOTS);
    end
  end

  always @*
    if (!rst) begin
      if (chosen) assert (woken);
      if (waited >= SLOTS) assert (chosen);
      cover (chosen && waited > 2);
    end
endmodule

`default_nettype wire
