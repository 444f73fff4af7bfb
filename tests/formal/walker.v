// SPDX-License-Identifier: Apache-2.0
// Proof: rtl/dispatch/walker.v covers each work-item of an NDRange by exactly one work-group, in the order x, y, z, with the
// right ids, first work-items and sizes, and does not finish before; whatever the sizes, 32 bits each. It starts exactly the
// dispatches that keep DEVICE.md's rules, whatever kind of compute unit they name. For ever (induction), for any one work-item; faults and stops apart.
`default_nettype none

module walker_proof #(
    parameter LANES_LOG2 = 3,
    parameter SLOT_BITS = 5,
    parameter LOCAL_LOG2 = 15,
    parameter START = 0  // prove which dispatches start; else what becomes of one that keeps the rules
) (
    input wire clk,
    input wire start,
    input wire bad,
    input wire group_ready,
    input wire unit_idle
);
  localparam [31:0] UNITS = 3;
  localparam GLOBAL_LOG2 = 24;
  reg [1:0] age = 0;
  wire rst = age != 2;  // two cycles: the first one brings the state in order, the second the outputs
  always @(posedge clk) if (rst) age <= age + 1;

  // The dispatch: z, y, x.
  (* anyconst *) reg [95:0] size, offset, local_size;
  (* anyconst *) reg [31:0] sub_group_log2, local_bytes, private_base, private_log2;
  // Its kind: whether there is one, whether it has private memory, and the most work-items of a work-group.
  (* anyconst *) reg kind_there, private_memory;
  (* anyconst *) reg [31:0] most_items;
  localparam [16:0] RESIDENT = UNITS << (SLOT_BITS + LANES_LOG2);
  // That it could not be read stands until the next starts.
  reg was_bad;
  always @(posedge clk) if (start && !busy) was_bad <= bad;
  wire busy, fault, group_valid, unit_start;
  wire [95:0] id, base;
  wire [32:0] group_size;
  wire [10:0] sub_groups;
  walker #(
      .GLOBAL_LOG2(GLOBAL_LOG2)
  ) dut (
      .clk(clk),
      .rst(rst),
      .begin_i(start),
      .start_i(start),
      .bad_i(START != 0 && was_bad),
      .stop_i(1'b0),
      .memory_error_i(1'b0),
      .runs_i(1'b0),
      .busy_o(busy),
      .fault_o(fault),
      .own_reason_o(),
      .kind_exists_i(kind_there),
      .private_memory_i(private_memory),
      .most_lanes_log2_i(LANES_LOG2[2:0]),
      .most_slots_i(12'd1 << SLOT_BITS),
      .most_items_i(most_items),
      .most_local_bytes_i(32'd1 << LOCAL_LOG2),
      .resident_i(RESIDENT),
      .global_size_i(size),
      .global_offset_i(offset),
      .local_size_i(local_size),
      .sub_group_log2_i(sub_group_log2),
      .local_bytes_i(local_bytes),
      .private_base_i(private_base),
      .private_log2_i(private_log2),
      .budget_i(64'd0),
      .cycles_o(),
      .unit_start_o(unit_start),
      .unit_clear_o(),
      .sub_groups_o(sub_groups),
      .group_valid_o(group_valid),
      .group_ready_i(group_ready),
      .group_id_o(id),
      .group_base_o(base),
      .group_size_o(group_size),
      .unit_idle_i(unit_idle),
      .unit_stop_o(),
      .unit_stop_reason_o(),
      .unit_fault_i(1'b0),
      .unit_drained_i(1'b0)
  );

  // The rules.
  reg rules;
  wire [21:0] items_xy = local_size[10:0] * local_size[42:32];
  wire [31:0] items = items_xy * local_size[74:64];  // counts when each is at most 1024: then nothing is lost
  always @* begin : keep
    integer d;
    rules = kind_there && sub_group_log2 <= LANES_LOG2 && local_bytes <= (1 << LOCAL_LOG2) && local_bytes[1:0] == 0;
    if (private_memory && !(
        private_log2 >= 8 && private_log2 <= 20 && private_base >= 4096 && private_base % 64 == 0 &&
        private_base + ({32'd0, UNITS} << (SLOT_BITS + LANES_LOG2 + private_log2[4:0])) <= 64'd1 << GLOBAL_LOG2))
      rules = 1'b0;
    for (d = 0; d < 96; d = d + 32)
    if (size[d+:32] == 0 || local_size[d+:32] == 0 || local_size[d+:32] > 1024) rules = 1'b0;
    if (!START) assume (rules);
    if (items > ((1 << SLOT_BITS) << sub_group_log2[4:0]) || items > most_items) rules = 1'b0;
    if (START && was_bad) rules = 1'b0;
  end

  // One work-item, counted from the NDRange's first: is it in the work-group that is offered, and how often was it so far.
  (* anyconst *)reg  [95:0] item;
  wire [95:0] from = {base[95:64] - offset[95:64], base[63:32] - offset[63:32], base[31:0] - offset[31:0]};
  reg [2:0] exists, covers, below;  // by dimension: in the NDRange, in the work-group, in one before it
  always @* begin : locate
    integer d;
    for (d = 0; d < 3; d = d + 1) begin
      exists[d] = item[32*d+:32] < size[32*d+:32];
      below[d]  = item[32*d+:32] < from[32*d+:32];
      covers[d] = !below[d] && item[32*d+:32] - from[32*d+:32] < group_size[11*d+:11];
    end
  end
  wire hand_over = group_valid && group_ready;
  reg  shown;  // the work-group was there in the cycle before
  always @(posedge clk) shown <= group_valid && !group_ready && !rst;
  always @* if (group_valid && !shown) assume (!group_ready);
  reg covered;
  reg was_busy, was_fault, hand_overs;
  reg [95:0] last_id, last_from;
  always @(posedge clk) begin
    was_busy  <= busy && !rst;
    was_fault <= fault;
    if (!busy) covered <= 1'b0;
    else if (hand_over && (&covers)) covered <= 1'b1;
    hand_overs <= busy && (hand_overs || hand_over);
    if (hand_over) {last_id, last_from} <= {id, from};
  end

  // Where a dimension goes after a work-group: on by one, or back to the first.
  wire [2:0] at_end = {
    {1'b0, last_from[95:64]} + local_size[95:64] >= size[95:64],
    {1'b0, last_from[63:32]} + local_size[63:32] >= size[63:32],
    {1'b0, last_from[31:0]} + local_size[31:0] >= size[31:0]
  };
  wire [2:0] moves = {at_end[1] && at_end[0], at_end[0], 1'b1};
  always @* begin : promises
    integer d;
    if (!rst) begin
      if (!START && hand_over && (&exists) && (&covers)) assert (!covered);
      if (!START && was_busy && !busy && !fault && (&exists)) assert (covered);
      if (START && unit_start) assert (rules && sub_groups == (items + (1 << sub_group_log2) - 1) >> sub_group_log2);
      if (START && fault && was_busy) assert (!rules);
    end
    for (d = 0; d < 3; d = d + 1)
    if (!START && group_valid && !rst) begin
      assert ({21'd0, group_size[11*d+:11]} == (local_size[32*d+:32] < size[32*d+:32] - from[32*d+:32] ?
                                                local_size[32*d+:32] : size[32*d+:32] - from[32*d+:32]));
      if (!hand_overs) begin
        assert (id[32*d+:32] == 0 && from[32*d+:32] == 0);
      end else if (!moves[d]) begin
        assert (id[32*d+:32] == last_id[32*d+:32] && from[32*d+:32] == last_from[32*d+:32]);
      end else if (at_end[d]) begin
        assert (d != 2 && id[32*d+:32] == 0 && from[32*d+:32] == 0);
      end else begin
        assert (id[32*d+:32] == last_id[32*d+:32] + 1);
        assert (from[32*d+:32] == last_from[32*d+:32] + local_size[32*d+:32]);
      end
    end
  end

  // What induction must know besides.
  (* hierconn *) wire [2:0] \dut.state ;
  (* hierconn *) wire [31:0] \dut.left_x , \dut.left_y , \dut.left_z ;
  (* hierconn *) wire \dut.stopped , \dut.failed ;
  (* hierconn *) wire \dut.ends_x , \dut.ends_y , \dut.ends_z ;
  wire [95:0] left = {\dut.left_z , \dut.left_y , \dut.left_x };
  wire [ 2:0] ends = {\dut.ends_z , \dut.ends_y , \dut.ends_x };
  localparam [2:0] FINISH = 3'd6;
  wire finishing = \dut.state == FINISH;
  always @* begin : invariant
    integer d;
    if (!START && !rst) begin
      assert (\dut.state <= FINISH && !\dut.stopped && !\dut.failed );
      if (group_valid && (&exists))
        assert (covered == (below[2] || (covers[2] && (below[1] || (covers[1] && below[0])))));
      if (busy && !group_valid && !finishing) assert (!covered && !hand_overs);
      if (finishing && (&exists)) assert (covered);
      if (busy) assert (!fault);
    end
    for (d = 0; d < 3; d = d + 1)
    if (!START && group_valid && !rst) begin
      assert (from[32*d+:32] < size[32*d+:32] && left[32*d+:32] == size[32*d+:32] - from[32*d+:32]);
      if (shown) assert (ends[d] == (left[32*d+:32] <= local_size[32*d+:32]));
    end
  end
endmodule

`default_nettype wire
