// SPDX-License-Identifier: Apache-2.0
// Starts the sub-groups of work-groups in a unit. A dispatch divides the unit into group slots, each with the slots and
// the local memory of one full work-group; a work-group goes to the lowest free group slot. Its words are written
// where CSR reads find them, its work-items get their local ids by counting, one a cycle, and each filled sub-group
// enters the pipeline as a launch. A sub-group starts every max(its work-items, 7) cycles; the next work-group's
// words are written meanwhile (12 cycles).
`default_nettype none

module launch #(
    parameter LANES = 8,  // power of two, 1 to 32
    parameter SLOTS = 32,  // power of two, 4 to 128
    parameter SLOT_BITS = 5,  // log2(SLOTS); a group slot has as many bits
    parameter LOCAL_LOG2 = 15  // log2 of the bytes of local memory
) (
    input wire clk,
    input wire rst,

    // the dispatch; stable while it runs
    input wire                start_i,          // divide the unit into group slots
    input wire [ SLOT_BITS:0] sub_groups_i,     // of a full work-group
    input wire [LOCAL_LOG2:0] local_bytes_i,    // of a work-group
    input wire [         2:0] sub_group_log2_i,

    // a work-group
    input  wire        group_valid_i,
    output wire        group_ready_o,
    input  wire [95:0] group_id_i,     // z, y, x, 32 bits each
    input  wire [95:0] group_base_i,   // global id of its first work-item
    input  wire [32:0] group_size_i,   // 11 bits each

    // words of work-groups: {group_slot, index}, index as in the CSR number's low bits, base at 0 to 2
    output reg                 word_write_o,
    output reg [SLOT_BITS+3:0] word_address_o,
    output reg [         31:0] word_data_o,

    // to the sequencer: a work-group starts
    output wire                 begin_valid_o,
    input  wire                 begin_ready_i,
    output wire [SLOT_BITS-1:0] begin_group_slot_o,
    output wire [  SLOT_BITS:0] begin_count_o,
    output wire [SLOT_BITS-1:0] begin_slot_o,

    // a launch; the local ids stay for the 7 cycles that it takes to the operand stage
    output wire                 launch_valid_o,
    input  wire                 launch_ready_i,
    output reg  [SLOT_BITS-1:0] launch_slot_o,
    output reg  [SLOT_BITS-1:0] launch_group_slot_o,
    output reg  [SLOT_BITS-1:0] launch_sub_group_o,
    output reg  [    LANES-1:0] launch_lanes_o,
    output wire [ LANES*30-1:0] launch_ids_o,

    // a group slot is free again
    input wire                 done_valid_i,
    input wire [SLOT_BITS-1:0] done_group_slot_i,

    // where a group slot's local memory starts
    input  wire [ SLOT_BITS-1:0] group_slot_i,
    output wire [LOCAL_LOG2-1:0] local_base_o,

    output wire idle_o
);
  // Places: as many as fit.
  reg [ SLOT_BITS-1:0] slot_bases [0:SLOTS-1];
  reg [LOCAL_LOG2-1:0] local_bases[0:SLOTS-1];
  assign local_base_o = local_bases[group_slot_i];
  reg dividing;
  reg [SLOT_BITS:0] group_slot_count;
  reg [SLOT_BITS-1:0] slot_end;  // first slot behind the group slots so far
  reg [LOCAL_LOG2-1:0] local_end;
  reg [SLOT_BITS+1:0] slot_last;  // with one more group slot, the last slot in front of it
  reg [LOCAL_LOG2+1:0] local_last;  // -1: no work-group has local memory
  wire fits = slot_last[SLOT_BITS+:2] == 2'd0 && (local_last[LOCAL_LOG2] == local_last[LOCAL_LOG2+1]);

  reg [SLOTS-1:0] free;
  reg some_free;  // known when the cycle begins, for the walker; what is taken counts two cycles later, when nothing is
  wire [SLOTS-1:0] lowest;
  wire [SLOT_BITS-1:0] lowest_group_slot;
  lowest_bit #(
      .WIDTH(SLOTS),
      .INDEX_BITS(SLOT_BITS)
  ) lowest_bit (
      .word_i (free),
      .bit_o  (lowest),
      .index_o(lowest_group_slot)
  );

  // Prepare: take a work-group into a group slot, count its work-items and sub-groups, write its words.
  localparam [3:0] STEP_IDLE = 4'd0, STEP_MULTIPLY = 4'd1, STEP_COUNT = 4'd2, STEP_WRITE = 4'd3, STEP_LAST = 4'd13;
  reg [3:0] step;
  reg [SLOT_BITS-1:0] group_slot;
  reg [SLOTS-1:0] group_slot_bit;  // the same, one-hot
  reg [95:0] id, base;
  reg [32:0] size;
  // Products stay below 2048: the walker has checked the full size.
  reg [10:0] size_xy;
  wire [21:0] product_xy = size[10:0] * size[21:11];
  wire [21:0] product_xyz = size_xy * size[32:22];
  wire unused = &{1'b0, product_xy[21:11], product_xyz[21:11]};
  reg [10:0] work_items;
  reg [10:0] round_up, sub_groups;
  always @(posedge clk) begin
    round_up   <= (11'd1 << sub_group_log2_i) - 11'd1;
    sub_groups <= (work_items + round_up) >> sub_group_log2_i;  // settled by STEP_LAST, and when it is written
  end
  wire hand_over;
  wire take = step == STEP_IDLE && group_valid_i && some_free && !dividing && !start_i;
  assign group_ready_o = take;

  // Identity words 0-2 base, 3-5 id, 6-8 size, 12 sub-groups, at steps 3 to 12.
  wire [3:0] word = step - STEP_WRITE;
  always @(posedge clk) begin
    word_write_o   <= step >= STEP_WRITE && step < STEP_LAST;
    word_address_o <= {group_slot, word == 4'd9 ? 4'd12 : word};
    case (word)
      4'd0: word_data_o <= base[31:0];
      4'd1: word_data_o <= base[63:32];
      4'd2: word_data_o <= base[95:64];
      4'd3: word_data_o <= id[31:0];
      4'd4: word_data_o <= id[63:32];
      4'd5: word_data_o <= id[95:64];
      4'd6: word_data_o <= {21'd0, size[10:0]};
      4'd7: word_data_o <= {21'd0, size[21:11]};
      4'd8: word_data_o <= {21'd0, size[32:22]};
      default: word_data_o <= {21'd0, sub_groups};
    endcase
    case (step)
      STEP_IDLE: begin
        if (take) step <= STEP_MULTIPLY;
        // What is not taken is written over: take comes late.
        {group_slot, group_slot_bit} <= {lowest_group_slot, lowest};
        {id, base, size} <= {group_id_i, group_base_i, group_size_i};
      end
      STEP_MULTIPLY: begin
        step <= STEP_COUNT;
        size_xy <= product_xy[10:0];
      end
      STEP_COUNT: begin
        step <= STEP_WRITE;
        work_items <= product_xyz[10:0];
      end
      STEP_LAST: if (hand_over) step <= STEP_IDLE;
      default:   step <= step + 4'd1;
    endcase
    if (rst) step <= STEP_IDLE;
  end

  // Fill: count the work-items of the work-group into the lanes of sub-group after sub-group.
  reg filling;
  reg [SLOT_BITS-1:0] fill_group_slot, fill_slot, fill_sub_group;
  reg [10:0] left;
  reg [9:0] last_x, last_y;  // of the work-group
  reg [9:0] x, y, z;
  reg full;  // a sub-group is complete and waits to be launched
  reg [LANES-1:0] lane, last_lane;  // the lane to be filled, and the last of a full sub-group, one-hot
  reg [LANES-1:0] lanes;
  reg [LANES*30-1:0] ids, held_ids;
  reg [2:0] hold;  // cycles that held_ids must still stay
  reg launch_valid;
  assign begin_valid_o = step == STEP_LAST && !filling;
  assign hand_over = begin_valid_o && begin_ready_i;
  assign begin_group_slot_o = group_slot;
  assign begin_count_o = sub_groups[SLOT_BITS:0];
  assign begin_slot_o = slot_bases[group_slot];

  // Known when the cycle begins, because many wait to hear them: a launch may be made; work-items are left.
  reg idle, some;
  wire go = full && idle;
  wire fill = filling && some && (!full || idle);
  localparam [LANES-1:0] LANE_0 = 1;
  integer n;
  always @(posedge clk) last_lane <= LANE_0 << round_up;
  wire ends = (lane & last_lane) != 0 || left == 11'd1;
  wire next_x = x == last_x;
  wire next_y = y == last_y;
  always @(posedge clk) begin
    if (hand_over) begin
      filling <= 1'b1;
      {fill_group_slot, fill_slot, fill_sub_group} <= {group_slot, slot_bases[group_slot], {SLOT_BITS{1'b0}}};
      left <= work_items;
      {last_x, last_y} <= {size[9:0] - 10'd1, size[20:11] - 10'd1};
      {x, y, z} <= 30'd0;
    end else if (fill) begin
      left <= left - 11'd1;
      x <= next_x ? 10'd0 : x + 10'd1;
      if (next_x) y <= next_y ? 10'd0 : y + 10'd1;
      if (next_x && next_y) z <= z + 10'd1;
    end else if (!some && (!full || idle)) filling <= 1'b0;
    if (hand_over) some <= work_items != 11'd0;
    else if (fill && left == 11'd1) some <= 1'b0;
    // A lane that is not filled is written too: its ids do not count.
    if (!full || idle) for (n = 0; n < LANES; n = n + 1) if (lane[n]) ids[n*30+:30] <= {z, y, x};
    if (fill) begin
      lanes <= (full ? {LANES{1'b0}} : lanes) | lane;
      lane  <= ends ? LANE_0 : lane << 1;
      full  <= ends;
    end else if (go) begin
      full  <= 1'b0;
      lanes <= {LANES{1'b0}};
    end
    if (go) begin
      launch_slot_o <= fill_slot;
      launch_group_slot_o <= fill_group_slot;
      launch_sub_group_o <= fill_sub_group;
      launch_lanes_o <= lanes;
      held_ids <= ids;
      fill_slot <= fill_slot + 1'b1;
      fill_sub_group <= fill_sub_group + 1'b1;
    end
    launch_valid <= go || (launch_valid && !launch_ready_i);
    if (launch_valid && launch_ready_i) hold <= 3'd5;
    else if (hold != 0) hold <= hold - 3'd1;
    idle <= !go && !launch_valid && hold[2:1] == 2'd0;
    if (rst) begin
      {filling, full, launch_valid} <= 3'b000;
      hold <= 3'd0;
      idle <= 1'b1;
      lane <= LANE_0;
      lanes <= {LANES{1'b0}};
    end
  end
  assign launch_valid_o = launch_valid;
  assign launch_ids_o   = held_ids;

  // Free group slots, and the division at the start of a dispatch.
  always @(posedge clk) begin
    some_free <= !rst && !start_i && ((|free) || (dividing ? fits : done_valid_i));
    if (dividing && fits) begin
      slot_bases[group_slot_count[SLOT_BITS-1:0]]  <= slot_end;
      local_bases[group_slot_count[SLOT_BITS-1:0]] <= local_end;
    end
    if (rst) begin
      dividing <= 1'b0;
      free <= {SLOTS{1'b0}};
    end else if (start_i) begin
      dividing <= 1'b1;
      free <= {SLOTS{1'b0}};
      group_slot_count <= 0;
      slot_end <= 0;
      local_end <= 0;
      slot_last <= {1'b0, sub_groups_i} - 1'b1;
      local_last <= {1'b0, local_bytes_i} - 1'b1;
    end else if (dividing) begin
      dividing <= fits;
      if (fits) begin
        free <= free | ({{(SLOTS - 1) {1'b0}}, 1'b1} << group_slot_count[SLOT_BITS-1:0]);
        group_slot_count <= group_slot_count + 1'b1;
        slot_end <= slot_end + sub_groups_i[SLOT_BITS-1:0];
        local_end <= local_end + local_bytes_i[LOCAL_LOG2-1:0];
        slot_last <= slot_last + {1'b0, sub_groups_i};
        local_last <= local_last + {1'b0, local_bytes_i};
      end
    end else
      free <= (free & ~(step == STEP_MULTIPLY ? group_slot_bit : {SLOTS{1'b0}})) |
              (done_valid_i ? {{(SLOTS - 1) {1'b0}}, 1'b1} << done_group_slot_i : {SLOTS{1'b0}});
  end

  reg [SLOT_BITS:0] busy;  // work-groups taken and not done
  always @(posedge clk)
    if (rst || start_i) busy <= 0;
    else busy <= busy + {{SLOT_BITS{1'b0}}, take} - {{SLOT_BITS{1'b0}}, done_valid_i};
  assign idle_o = busy == 0 && !dividing;
endmodule

`default_nettype wire
