// SPDX-License-Identifier: Apache-2.0
// Launches the sub-groups of work-groups as tokens, and says when work-groups are done. A work-group gets a group slot: a
// power of two of slots, the first at group_slot << shift_o. A token a cycle while the lanes' local ids are consecutive in x
// (a range of one dimension, or a local size in x that is a multiple of the sub-group size), else a cycle a work-item;
// INTERVAL cycles from one to the next at least. The next work-group is prepared meanwhile (5 cycles).
`include "rtl/shape.vh"
`default_nettype none

module sub_groups #(
    parameter LANES = 4,  // power of two, 1 to 32
    parameter SLOT_BITS = 5,  // log2 of the slots
    parameter INTERVAL = 1,  // from a token to the next, 1 to 8
    // 1: no sub-group has work-items of two rows (equal y and z), so that its local ids are consecutive in x whatever
    // the local size; a full work-group's local size in x is a multiple of the sub-group size
    parameter BY_ROWS = 0,
    parameter GROUP_SLOTS_LOG2 = SLOT_BITS,  // log2 of the work-groups that may be there at once
    parameter LOCAL_LOG2 = 15,  // log2 of the bytes of local memory
    parameter LATE = 1  // 1: the id of a work-group may be asked for when it has ended; 0: by_arrival_i is never set
) (
    input wire clk,
    input wire rst,

    // the dispatch; stable while it runs
    input wire                start_i,
    input wire [ SLOT_BITS:0] sub_groups_i,      // of a full work-group, 1 or more
    input wire [         2:0] sub_group_log2_i,
    input wire [LOCAL_LOG2:0] local_bytes_i,
    input wire                open_i,            // tokens may be launched

    // a work-group
    input  wire        group_valid_i,
    output wire        group_ready_o,
    input  wire [95:0] group_id_i,     // z, y, x
    input  wire [95:0] group_base_i,   // global id of its first work-item
    input  wire [32:0] group_size_i,   // 11 bits each

    // its group slot is divided: where its slots begin, and for barriers how many sub-groups it has, less one
    output reg  [          2:0] shift_o,
    output reg                  begin_o,
    output reg  [SLOT_BITS-1:0] begin_group_slot_o,
    output reg  [SLOT_BITS-1:0] begin_last_o,
    output wire                 wipe_o,              // counts of group slots are wiped, one a cycle
    output wire [SLOT_BITS-1:0] wipe_group_slot_o,

    // a token
    output reg                 token_o,
    output reg [SLOT_BITS-1:0] slot_o,
    output reg [    LANES-1:0] lanes_o,
    output reg [ LANES*10-1:0] local_x_o,
    output reg [ LANES*10-1:0] local_y_o,
    output reg [ LANES*10-1:0] local_z_o,
    output reg [SLOT_BITS-1:0] sub_group_o,
    output reg [          5:0] sub_group_size_o,
    output reg [SLOT_BITS-1:0] last_sub_group_o,  // of its work-group
    output reg [         95:0] group_id_o,
    output reg [         95:0] group_base_o,
    output reg [         32:0] group_size_o,

    // a token has ended
    input  wire                 done_i,
    input  wire [SLOT_BITS-1:0] done_slot_i,
    output reg                  group_done_o,

    // where the local memory of a group slot begins, and the id of its work-group
    input wire [SLOT_BITS-1:0] group_slot_i,
    output wire [LOCAL_LOG2-1:0] local_base_o,
    output wire [`HEDDLE_PIPELINE_ARRIVAL_BITS(SLOT_BITS)-1:0] arrival_o,  // the name of its work-group
    input wire [SLOT_BITS-1:0] id_group_slot_i,
    input wire by_arrival_i,  // of id_arrival_i instead: it may have ended
    input wire [`HEDDLE_PIPELINE_ARRIVAL_BITS(SLOT_BITS)-1:0] id_arrival_i,
    output reg [95:0] id_o,  // the cycle after
    output wire running_o,  // of id_group_slot_i: some of its tokens have not ended

    output wire idle_o
);
  localparam SLOTS = 1 << SLOT_BITS, GROUP_SLOTS = 1 << GROUP_SLOTS_LOG2;
  localparam [SLOT_BITS-1:0] ONE = 1;
  localparam [LANES-1:0] LANE_0 = 1;

  // Counts of group slots are 0 between dispatches; after a reset, or a dispatch that was broken off, they are wiped.
  reg [SLOT_BITS:0] wiped;
  assign wipe_o = !wiped[SLOT_BITS];
  assign wipe_group_slot_o = wiped[SLOT_BITS-1:0];
  always @(posedge clk) wiped <= rst ? 0 : wiped + {{SLOT_BITS{1'b0}}, wipe_o};

  // Group slots: how many slots each has, then as many as there are slots and local memory. A group slot that has been used comes
  // back.
  reg dividing;
  reg [SLOT_BITS:0] fresh;  // the next group slot that was never used
  reg [LOCAL_LOG2+1:0] local_end;  // behind its local memory, and whether that is too far
  reg [LOCAL_LOG2-1:0] local_bases[0:SLOTS-1];
  assign local_base_o = local_bases[group_slot_i];
  wire [SLOT_BITS:0] size_of_group_slot = {{SLOT_BITS{1'b0}}, 1'b1} << shift_o;
  wire [2*SLOT_BITS:0] fresh_end = ({{SLOT_BITS{1'b0}}, fresh} + 1'b1) << shift_o;
  reg fresh_fits;
  wire used, use_it;
  wire [SLOT_BITS-1:0] used_group_slot;
  wire some_group_slot = fresh_fits || used;

  // Prepare: take a work-group and count its sub-groups. It gets its group slot when its tokens begin.
  localparam [2:0] IDLE = 3'd0, MULTIPLY = 3'd1, COUNT = 3'd2, DIVIDE = 3'd3, READY = 3'd4;
  reg [2:0] step;
  reg [95:0] id, base;
  reg [32:0] size;
  wire [SLOT_BITS-1:0] group_slot = fresh_fits ? fresh[SLOT_BITS-1:0] : used_group_slot;
  reg [10:0] size_xy, items;
  reg [10:0] sub_group_size, round_up;  // registered: they stand long before a work-group comes
  always @(posedge clk) begin
    sub_group_size <= 11'd1 << sub_group_log2_i;
    round_up <= (11'd1 << sub_group_log2_i) - 11'd1;
  end
  wire [10:0] row = BY_ROWS != 0 ? (size[10:0] + round_up) & ~round_up : size[10:0];
  wire [21:0] product_xy = row * size[21:11];
  wire [21:0] product_xyz = size_xy * size[32:22];
  reg [10:0] last_sub_group;
  reg straight;
  wire take = step == IDLE && group_valid_i && open_i && !dividing && !start_i && !wipe_o;
  assign group_ready_o = take;
  wire hand_over;
  assign use_it = hand_over && !fresh_fits;
  always @(posedge clk) begin
    begin_o <= 1'b0;
    case (step)
      IDLE: begin
        {id, base, size} <= {group_id_i, group_base_i, group_size_i};
        if (take) step <= MULTIPLY;
      end
      MULTIPLY: begin
        size_xy <= product_xy[10:0];
        step <= COUNT;
      end
      COUNT: begin
        items <= product_xyz[10:0];
        straight <= BY_ROWS != 0 || (size[21:11] == 11'd1 && size[32:22] == 11'd1) || (size[10:0] & round_up) == 11'd0;
        step <= DIVIDE;
      end
      DIVIDE: begin
        last_sub_group <= (items - 11'd1) >> sub_group_log2_i;
        step <= READY;
      end
      default:
      if (hand_over) begin
        step <= IDLE;
        begin_o <= 1'b1;
        begin_group_slot_o <= group_slot;
        begin_last_o <= last_sub_group[SLOT_BITS-1:0];
      end
    endcase
    if (rst) begin
      step <= IDLE;
      begin_o <= 1'b0;
    end
  end
  wire unused = &{
    1'b0, product_xy[21:11], product_xyz[21:11], last_sub_group[10:SLOT_BITS], size_of_group_slot, fresh_end
  };

  always @(posedge clk) begin
    fresh_fits <= fresh_end <= SLOTS && fresh < GROUP_SLOTS && !local_end[LOCAL_LOG2+1] &&
                  !(local_end[LOCAL_LOG2] && local_end[LOCAL_LOG2-1:0] != 0) &&
                  !dividing && !start_i && !(hand_over && fresh_fits);
    if (hand_over && fresh_fits)
      local_bases[fresh[SLOT_BITS-1:0]] <= local_end[LOCAL_LOG2-1:0] - local_bytes_i[LOCAL_LOG2-1:0];
    if (hand_over && fresh_fits) begin
      fresh <= fresh + 1'b1;
      local_end <= local_end[LOCAL_LOG2+1] ? local_end : local_end + {1'b0, local_bytes_i};
    end
    if (dividing) begin
      if (size_of_group_slot < sub_groups_i) shift_o <= shift_o + 3'd1;
      else dividing <= 1'b0;
    end
    if (start_i) begin
      dividing <= 1'b1;
      shift_o <= 3'd0;
      fresh <= 0;
      local_end <= {1'b0, local_bytes_i};
    end
    if (rst) begin
      dividing <= 1'b0;
      fresh_fits <= 1'b0;
      fresh <= SLOTS[SLOT_BITS:0];
    end
  end

  // Fill: make the tokens of a work-group.
  reg filling;
  reg [10:0] left, fill_x_end, fill_y_end;
  reg [9:0] x, y, z;
  reg fill_straight;
  reg [SLOT_BITS-1:0] fill_group_slot, fill_sub_group, fill_last;
  reg [95:0] fill_id, fill_base;
  reg [32:0] fill_size;
  reg [LANES-1:0] lane;  // that is filled next, one-hot
  reg [LANES-1:0] filled;
  reg [LANES*10-1:0] xs, ys, zs;
  wire last_token = left <= sub_group_size;
  assign hand_over = step == READY && !filling && !done && some_group_slot;
  wire [10:0] next_x = {1'b0, x} + (fill_straight ? sub_group_size : 11'd1);
  wire [10:0] next_y = {1'b0, y} + 11'd1;
  wire end_x = next_x >= fill_x_end;
  wire end_y = next_y >= fill_y_end;
  // One by one: the last lane of the sub-group, or of the work-group.
  wire [LANES-1:0] last_lane = LANE_0 << round_up[4:0];
  wire ends = (lane & last_lane) != 0 || left == 11'd1;
  wire makes = fill_straight || ends;
  reg [2:0] pause;  // cycles until a token may follow
  wire may_follow = pause == 3'd0;
  localparam PAUSE = INTERVAL - 1;
  integer n;
  always @(posedge clk) begin
    token_o <= 1'b0;
    if (pause != 3'd0) pause <= pause - 3'd1;
    if (hand_over) begin
      filling <= 1'b1;
      {fill_id, fill_base, fill_size, fill_group_slot} <= {id, base, size, group_slot};
      fill_straight <= straight;
      fill_last <= last_sub_group[SLOT_BITS-1:0];
      fill_sub_group <= 0;
      left <= items;
      {fill_x_end, fill_y_end} <= {size[10:0], size[21:11]};
      {x, y, z} <= 30'd0;
      lane <= LANE_0;
      filled <= 0;
    end else if (filling && !(makes && !may_follow)) begin
      x <= end_x ? 10'd0 : next_x[9:0];
      if (end_x) y <= end_y ? 10'd0 : next_y[9:0];
      if (end_x && end_y) z <= z + 10'd1;
      for (n = 0; n < LANES; n = n + 1)
      if (lane[n]) begin
        xs[n*10+:10] <= x;
        ys[n*10+:10] <= y;
        zs[n*10+:10] <= z;
      end
      if (fill_straight) left <= left - (last_token ? left : sub_group_size);
      else begin
        left   <= left - 11'd1;
        lane   <= ends ? LANE_0 : lane << 1;
        filled <= ends ? {LANES{1'b0}} : filled | lane;
      end
      if (makes) begin
        token_o <= 1'b1;
        pause <= PAUSE[2:0];
        fill_sub_group <= fill_sub_group + ONE;
      end
      if (fill_straight ? last_token : left == 11'd1) filling <= 1'b0;
      slot_o <= (fill_group_slot << shift_o) | fill_sub_group;
      sub_group_o <= fill_sub_group;
      last_sub_group_o <= fill_last;
      {group_id_o, group_base_o, group_size_o} <= {fill_id, fill_base, fill_size};
      for (n = 0; n < LANES; n = n + 1)
      if (fill_straight) begin
        lanes_o[n] <= n[5:0] < sub_group_size[5:0] && (left[10:6] != 5'd0 || n[5:0] < left[5:0]) &&
                      (BY_ROWS == 0 || {1'b0, x} + n[10:0] < fill_x_end);
        // x is a multiple of the sub-group size, which is more than n for each lane that counts.
        local_x_o[n*10+:10] <= x | n[9:0];
        local_y_o[n*10+:10] <= y;
        local_z_o[n*10+:10] <= z;
      end else begin
        lanes_o[n] <= filled[n] || lane[n];
        local_x_o[n*10+:10] <= lane[n] ? x : xs[n*10+:10];
        local_y_o[n*10+:10] <= lane[n] ? y : ys[n*10+:10];
        local_z_o[n*10+:10] <= lane[n] ? z : zs[n*10+:10];
      end
      if (fill_straight) sub_group_size_o <= last_token ? left[5:0] : sub_group_size[5:0];
      else if (lane[0]) sub_group_size_o <= last_token ? left[5:0] : sub_group_size[5:0];
    end
    if (rst) begin
      filling <= 1'b0;
      token_o <= 1'b0;
      pause   <= 3'd0;
    end
  end

  // Tokens of a group slot that have not ended, less one, and the ids of work-groups. A work-group begins in a cycle in
  // which no token is counted: there is one write port, and tokens that end are no more than slots.
  reg [SLOT_BITS-1:0] left_of[0:SLOTS-1];
  reg runs[0:SLOTS-1];
  // With LATE ids stay until the group slot has had four more work-groups: a store may be refused when its work-group has
  // ended.
  (* ram_style = "block", no_rw_check *) reg [95:0] ids[0:(1<<`HEDDLE_PIPELINE_ARRIVAL_BITS(SLOT_BITS))-1];
  wire [1:0] turn, id_turn;  // how many work-groups a group slot has had, modulo 4
  generate
    if (LATE != 0) begin : late
      reg [1:0] turns[0:SLOTS-1];
      assign turn = turns[group_slot] + 2'd1;
      assign id_turn = turns[id_group_slot_i];
      assign arrival_o = {turns[group_slot_i], group_slot_i};
      always @(posedge clk) if (hand_over) turns[group_slot] <= turn;
    end else begin : at_once
      assign {turn, id_turn} = 4'd0;
      assign arrival_o = {2'd0, group_slot_i};
    end
  endgenerate
  reg done;
  reg [SLOT_BITS-1:0] done_group_slot;
  wire [SLOT_BITS-1:0] left_here = left_of[done_group_slot];
  wire complete = left_here == {SLOT_BITS{1'b0}};
  assign running_o = runs[id_group_slot_i];
  always @(posedge clk) begin
    done <= done_i && !rst;
    done_group_slot <= done_slot_i >> shift_o;
    group_done_o <= done && complete && !rst;
    id_o <= ids[LATE!=0&&by_arrival_i?id_arrival_i : {id_turn, id_group_slot_i}];
    if (hand_over) ids[{turn, group_slot}] <= id;
    if (done || hand_over)
      left_of[done?done_group_slot : group_slot] <= done ? left_here - ONE : last_sub_group[SLOT_BITS-1:0];
    if (wipe_o) runs[wipe_group_slot_o] <= 1'b0;
    else if (done ? complete : hand_over) runs[done?done_group_slot : group_slot] <= !done;
  end
  token_queue #(
      .WIDTH(SLOT_BITS),
      .SLOT_BITS(SLOT_BITS)
  ) free_group_slots (
      .clk(clk),
      .rst(rst || start_i),
      .valid_i(done && complete),
      .word_i(done_group_slot),
      .valid_o(used),
      .word_o(used_group_slot),
      .take_i(use_it)
  );

  reg [SLOT_BITS:0] busy;  // work-groups taken and not done
  always @(posedge clk)
    if (rst || start_i) busy <= 0;
    else busy <= busy + {{SLOT_BITS{1'b0}}, take} - {{SLOT_BITS{1'b0}}, done && complete};
  assign idle_o = busy == 0 && !dividing && !wipe_o;
endmodule

`default_nettype wire
