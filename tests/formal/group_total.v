// SPDX-License-Identifier: Apache-2.0
// Proof: rtl/pipeline/group_total.v lets the tokens of a work-group go once each, in the order of their slots and in
// one go, after all of them came, each with what they brought, combined (by exclusive or, which the solver can
// follow). Work-groups go in the order in which they came; the first token goes 5 cycles after its work-group's last
// came. The rules of its users: a barrier's, and a slot's token is in one place. 12 cycles, 4 slots.
`default_nettype none

module group_total_proof (
    input wire        clk,
    input wire        go,
    input wire [ 1:0] slot,
    input wire        first,
    input wire        last,
    input wire [31:0] total
);
  localparam SLOTS = 4;
  wire rst = $initstate;
  wire out;
  wire [1:0] out_slot;
  wire [31:0] result;
  group_total #(
      .OPERATION(7),
      .IDENTITY (0),
      .SLOT_BITS(2)
  ) dut (
      .clk(clk),
      .rst(rst),
      .release_i(go),
      .release_slot_i(slot),
      .release_first_i(first),
      .release_last_i(last),
      .total_i(total),
      .release_o(out),
      .release_slot_o(out_slot),
      .total_o(result)
  );

  // What a barrier promises: all of a work-group in one go, slots in order.
  reg came, came_first, came_last;
  reg [1:0] came_slot;
  reg [SLOTS-1:0] present;
  always @(posedge clk) begin
    {came, came_first, came_last, came_slot} <= {go && !rst, first, last, slot};
    present <= rst ? 4'd0 : (present | (go ? 4'd1 << slot : 4'd0)) & ~(out ? 4'd1 << out_slot : 4'd0);
  end
  always @* begin
    if (rst) assume (!go);
    if (go) assume (!present[slot] && first == !(came && !came_last));
    if (came && !came_last) assume (go && slot == came_slot + 2'd1 && slot != 0);
  end

  // Any one work-group: where it begins and ends, its sum, the tokens ahead of it, for how long it is complete.
  (* anyseq *) wire choose;
  reg chosen, sums, complete;
  reg [1:0] from, to;
  reg [31:0] sum;
  reg [2:0] ahead, in_queue, age;
  wire watch = go && first && choose && !chosen;
  wire sums_last = sums && came && came_last;
  always @(posedge clk) begin
    chosen <= !rst && (chosen || watch);
    sums <= !rst && (watch || (sums && !sums_last));
    complete <= !rst && (sums_last || (complete && !(out && ahead == 0 && out_slot == to)));
    if (watch) begin
      from  <= slot;
      ahead <= in_queue - {2'd0, out};
      sum   <= 0;
    end else if (out && ahead != 0) ahead <= ahead - 1'b1;
    if (sums && came) sum <= sum ^ total;
    if (sums_last) to <= came_slot;
    in_queue <= rst ? 3'd0 : in_queue + {2'd0, go} - {2'd0, out};
    age <= sums_last ? 3'd1 : age == 7 ? age : age + 3'd1;
  end

  // What went before.
  reg [1:0] next;
  reg begun;
  always @(posedge clk) begin
    if (out) next <= out_slot + 2'd1;
    begun <= !rst && complete && ahead == 0 && out && out_slot != to;
  end
  always @*
    if (!rst) begin
      if (out) assert (present[out_slot]);
      if (sums && ahead == 0) assert (!out);
      if (complete && ahead == 0) begin
        if (out) assert (result == sum && out_slot == (begun ? next : from));
        if (begun) assert (out);
        if (age == 4) assert (out);
      end
      cover (complete && ahead == 0 && out && from == 0 && to == 3 && begun);
      cover (complete && ahead == 2);
    end
endmodule

`default_nettype wire
