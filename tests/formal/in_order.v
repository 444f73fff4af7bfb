// SPDX-License-Identifier: Apache-2.0
// Proof: rtl/pipeline/in_order.v lets each round go once, in the order of slots, and at once when its turn has come. The
// rule of its users: rounds have slots in their order, and one that has not gone on does not come again. For ever
// (induction), 4 slots.
`default_nettype none

module in_order_proof (
    input wire       clk,
    input wire       valid,
    input wire [1:0] slot
);
  localparam SLOTS = 4;
  wire rst = $initstate;
  wire goes;
  wire [1:0] gone;
  in_order #(
      .SLOT_BITS(2)
  ) dut (
      .clk(clk),
      .rst(rst),
      .valid_i(valid),
      .slot_i(slot),
      .valid_o(goes),
      .slot_o(gone)
  );
  reg [SLOTS-1:0] held;
  reg [1:0] turn;
  (* hierconn *) wire [SLOTS-1:0] \dut.waits ;
  (* hierconn *) wire [1:0] \dut.turn ;
  wire [SLOTS-1:0] comes = valid ? 4'd1 << slot : 4'd0, leaves = goes ? 4'd1 << gone : 4'd0;
  always @(posedge clk) begin
    held <= rst ? 4'd0 : (held | comes) & ~leaves;
    turn <= rst ? 2'd0 : turn + {1'd0, goes};
  end
  always @*
    if (rst)
      assume (!valid);
      else begin
        assume ((comes & held) == 4'd0);
        assert (\dut.waits == held && \dut.turn == turn);
        if (goes) assert (gone == turn && ((held | comes) & leaves) != 4'd0);
        if (held[turn] || comes[turn]) assert (goes);
        cover (held == 4'b1110 && goes);
      end
endmodule

`default_nettype wire
