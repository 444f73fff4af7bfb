// SPDX-License-Identifier: Apache-2.0
// Proof: rtl/unit/launch.v gives each work-item of a work-group to exactly one lane of one sub-group: sub-group after sub-group,
// work-item i to lane i mod S of sub-group i div S, with the local id that belongs to i; no other lane runs. The ids stay for
// the 7 cycles that they are needed. Bounded: work-groups of up to 3 * 2 * 2 work-items on 4 lanes.
`default_nettype none

module launch_proof #(
    parameter LANES = 4,
    parameter SLOTS = 4,
    parameter SLOT_BITS = 2,
    parameter SUB_GROUP_LOG2 = 2,
    parameter MOST_ITEMS = 8  // of a work-group
) (
    input wire clk,
    input wire group_valid,
    input wire begin_ready,
    input wire launch_ready
);
  localparam LOCAL_LOG2 = 4;
  localparam SIZE = 1 << SUB_GROUP_LOG2;
  localparam [2:0] LOG2 = SUB_GROUP_LOG2;
  reg [1:0] age = 0;
  wire rst = age == 0;
  wire start = age == 1;
  always @(posedge clk) if (age != 2) age <= age + 1;

  // The work-groups, all of one size, and the sub-groups that a group slot is made for.
  (* anyconst *) reg [1:0] size_x, size_y, size_z;
  (* anyconst *) reg [SLOT_BITS:0] sub_groups;
  wire [3:0] items = size_x * size_y * size_z;
  wire [3:0] count = (items + SIZE - 1) >> SUB_GROUP_LOG2;
  always @* begin
    assume (size_x != 0 && size_y != 0 && size_y <= 2 && size_z != 0 && size_z <= 2);
    assume (items <= MOST_ITEMS && count <= sub_groups && sub_groups <= SLOTS);
  end

  wire group_ready, begin_valid, launch_valid;
  wire [SLOT_BITS-1:0] begin_group_slot, begin_slot, launch_slot, launch_group_slot, launch_sub_group;
  wire [SLOT_BITS:0] begin_count;
  wire [LANES-1:0] lanes;
  wire [LANES*30-1:0] ids;
  launch #(
      .LANES(LANES),
      .SLOTS(SLOTS),
      .SLOT_BITS(SLOT_BITS),
      .LOCAL_LOG2(LOCAL_LOG2)
  ) dut (
      .clk(clk),
      .rst(rst),
      .start_i(start),
      .sub_groups_i(sub_groups),
      .local_bytes_i(5'd0),
      .sub_group_log2_i(LOG2),
      .group_valid_i(group_valid),
      .group_ready_o(group_ready),
      .group_id_i(96'd0),
      .group_base_i(96'd0),
      .group_size_i({9'd0, size_z, 9'd0, size_y, 9'd0, size_x}),
      .word_write_o(),
      .word_address_o(),
      .word_data_o(),
      .begin_valid_o(begin_valid),
      .begin_ready_i(begin_ready),
      .begin_group_slot_o(begin_group_slot),
      .begin_count_o(begin_count),
      .begin_slot_o(begin_slot),
      .launch_valid_o(launch_valid),
      .launch_ready_i(launch_ready),
      .launch_slot_o(launch_slot),
      .launch_group_slot_o(launch_group_slot),
      .launch_sub_group_o(launch_sub_group),
      .launch_lanes_o(lanes),
      .launch_ids_o(ids),
      .done_valid_i(1'b0),
      .done_group_slot_i({SLOT_BITS{1'b0}}),
      .group_slot_i({SLOT_BITS{1'b0}}),
      .local_base_o(),
      .idle_o()
  );

  // The work-group that is being launched, and the local ids of the next sub-group by counting.
  reg begun;
  reg [SLOT_BITS-1:0] group_slot, slot;
  reg [SLOT_BITS:0] sub_group;  // the next one
  // The next one may begin while the last sub-group still waits to be launched.
  reg queued;
  reg [SLOT_BITS-1:0] queued_group_slot, queued_slot;
  wire begins = begin_valid && begin_ready;
  wire launches = launch_valid && launch_ready;
  wire over = !begun || sub_group + launches == count;
  reg [SLOTS-1:0] used;  // group slots
  reg [LANES*30-1:0] expected;
  reg [LANES-1:0] expected_lanes;
  reg [1:0] x, y, z;  // of the next work-item
  reg [3:0] left;  // work-items from there on
  reg [1:0] next_x, next_y, next_z;
  reg [3:0] next_left;
  always @* begin : define
    integer i;
    {next_x, next_y, next_z, next_left} = {x, y, z, left};
    for (i = 0; i < LANES; i = i + 1) begin
      expected_lanes[i]  = i < SIZE && next_left != 0;
      expected[30*i+:30] = {8'd0, next_z, 8'd0, next_y, 8'd0, next_x};
      if (expected_lanes[i]) begin
        next_left = next_left - 1;
        next_x = next_x + 1;
        if (next_x == size_x) {next_x, next_y} = {2'd0, next_y + 2'd1};
        if (next_y == size_y) {next_y, next_z} = {2'd0, next_z + 2'd1};
      end
    end
  end

  reg [2:0] since;  // cycles since the last launch
  reg [LANES*30-1:0] launched;
  always @(posedge clk) begin
    if (begins) used[begin_group_slot] <= 1'b1;
    if (launches) {x, y, z, left} <= {next_x, next_y, next_z, next_left};
    if (launches) sub_group <= sub_group + 1'b1;
    if (begins && !over) {queued, queued_group_slot, queued_slot} <= {1'b1, begin_group_slot, begin_slot};
    if (over && (begins || queued)) begin
      {begun, queued} <= 2'b10;
      {group_slot, slot} <= queued ? {queued_group_slot, queued_slot} : {begin_group_slot, begin_slot};
      sub_group <= 0;
      {x, y, z, left} <= {6'd0, items};
    end
    if (launches) launched <= ids;
    since <= launches ? 0 : since == 7 ? 7 : since + 1;
    if (rst) begin
      {begun, queued} <= 2'b00;
      used <= 0;
      since <= 7;
    end
  end

  always @* begin : promises
    integer i;
    if (!rst) begin
      if (begins) begin
        assert (over || (sub_group + 1 == count && launch_valid && !queued));
        assert (begin_count == count);
        assert (!used[begin_group_slot]);
        assert (begin_slot == begin_group_slot * sub_groups && begin_slot + sub_groups <= SLOTS);
      end
      if (launches) begin
        assert (begun && sub_group < count);
        assert (launch_group_slot == group_slot && launch_slot == slot + sub_group && launch_sub_group == sub_group);
        assert (lanes == expected_lanes);
      end
      if (since < 6) assert (ids == launched);
    end
    for (i = 0; i < LANES; i = i + 1)
    if (launches && expected_lanes[i] && !rst) assert (ids[30*i+:30] == expected[30*i+:30]);
    cover (!rst && launches && items == MOST_ITEMS && sub_group + 1 == count);
  end
endmodule

`default_nettype wire
