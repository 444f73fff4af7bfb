// SPDX-License-Identifier: Apache-2.0
// Proof: rtl/pipeline/group_scan.v lets each token that a barrier lets go on 2 cycles later, with the sum of what the
// sub-groups of its work-group before it brought, the identity for the first. For ever (induction).
`default_nettype none

module group_scan_proof (
    input wire        clk,
    input wire        go,
    input wire [ 1:0] slot,
    input wire        first,
    input wire [31:0] total
);
  wire rst = $initstate;
  wire out;
  wire [1:0] out_slot;
  wire [31:0] carry;
  group_scan #(
      .OPERATION(0),
      .IDENTITY (0),
      .SLOT_BITS(2)
  ) dut (
      .clk(clk),
      .rst(rst),
      .release_i(go),
      .release_slot_i(slot),
      .release_first_i(first),
      .total_i(total),
      .release_o(out),
      .release_slot_o(out_slot),
      .carry_o(carry)
  );

  // A token that went a cycle ago, with its total now, and what stood in front of it.
  reg went, went_first, began;
  reg [1:0] went_slot;
  reg [31:0] sum, want;
  reg due;
  reg [1:0] due_slot;
  wire [31:0] in_front = went_first ? 32'd0 : sum;
  always @(posedge clk) begin
    {went, went_first, went_slot} <= {go && !rst, first, slot};
    began <= !rst && (began || go);
    if (went) sum <= in_front + total;
    {due, due_slot, want} <= {went && !rst, went_slot, in_front};
  end
  always @* if (go && !began) assume (first);

  // What induction must know of the inside.
  (* hierconn *) wire \dut.released ;
  (* hierconn *) wire \dut.first ;
  (* hierconn *) wire [1:0] \dut.slot ;
  (* hierconn *) wire [31:0] \dut.so_far ;
  reg summed;
  always @(posedge clk) summed <= !rst && (summed || went);
  always @*
    if (!rst) begin
      assert (\dut.released == went && (!went || (\dut.first == went_first && \dut.slot == went_slot)));
      assert (!went || summed || went_first);
      assert (!(went || summed) || began);
      assert (summed || !began || went);
      if (summed) assert (\dut.so_far == sum);
      assert (out == due);
      if (due) assert (out_slot == due_slot && carry == want);
      cover (due && want == 32'h12345678 && went && went_first);
    end
endmodule

`default_nettype wire
