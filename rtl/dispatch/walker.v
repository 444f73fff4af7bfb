// SPDX-License-Identifier: Apache-2.0
// The NDRange walker: checks the sizes of a dispatch, cuts the NDRange into work-groups, gives them to the group
// arbiter in the order x, y, z, and ends when all are done, on a fault, or when the budget is spent. It has no divider:
// ids and sizes are counted up, a work-group in two cycles. The first work-group is given 6 cycles after start_i.
// Cycles are counted from begin_i, before the dispatch is read.
`default_nettype none

module walker #(
    parameter GLOBAL_LOG2 = 28,  // log2 of the bytes of global memory
    parameter FIRST_LOG2 = 12,  // log2 of its first address
    parameter LINE_LOG2 = 6,  // log2 of the bytes of a line
    parameter ITEMS_LIMITED = 1  // 0: most_items_i is what slots and lanes hold, and needs no check
) (
    input wire clk,
    input wire rst,

    // the dispatch; its words are stable while busy_o
    input  wire       begin_i,         // pulse: the dispatch begins to be read
    input  wire       start_i,
    input  wire       bad_i,           // the dispatch is outside global memory
    input  wire       stop_i,
    input  wire       memory_error_i,  // pulse: an access to external memory failed
    input  wire       runs_i,          // a dispatch is read, runs, or settles (dispatch_queue.v)
    output wire       busy_o,
    output reg        fault_o,         // the last dispatch faulted
    output reg  [3:0] own_reason_o,    // the reason if the walker found the fault; 0: the unit's record counts

    // limits of the kind of compute unit that the dispatch names; valid from the cycle after start_i
    input wire        kind_exists_i,       // the device has units of that kind, and one that the dispatch may run on
    input wire        private_memory_i,    // they have private memory in global memory
    input wire [ 2:0] most_lanes_log2_i,
    input wire [11:0] most_slots_i,
    input wire [31:0] most_items_i,        // work-items of a work-group
    input wire [31:0] most_local_bytes_i,
    input wire [16:0] resident_i,          // work-items that all these units hold

    // the dispatch's words
    input  wire [95:0] global_size_i,     // z, y, x
    input  wire [95:0] global_offset_i,
    input  wire [95:0] local_size_i,
    input  wire [31:0] sub_group_log2_i,
    input  wire [31:0] local_bytes_i,
    input  wire [31:0] private_base_i,
    input  wire [31:0] private_log2_i,
    input  wire [63:0] budget_i,          // cycles, 0: none
    output reg  [63:0] cycles_o,

    // the units
    output reg         unit_start_o,
    output reg         unit_clear_o,
    output reg  [10:0] sub_groups_o,        // of a full work-group
    output wire        group_valid_o,
    input  wire        group_ready_i,       // not in the first cycle of a work-group
    output wire [95:0] group_id_o,
    output wire [95:0] group_base_o,
    output wire [32:0] group_size_o,
    input  wire        unit_idle_i,
    output wire        unit_stop_o,
    output wire [ 3:0] unit_stop_reason_o,
    input  wire        unit_fault_i,
    input  wire        unit_drained_i
);
  `include "rtl/common/reason.vh"
  localparam [2:0] IDLE = 3'd0, MULTIPLY = 3'd1, COUNT = 3'd2, DIVIDE = 3'd3, CHECK = 3'd4, GROUPS = 3'd5,
                   FINISH = 3'd6, DRAIN = 3'd7;

  reg [2:0] state;
  reg reading;
  assign busy_o = state != IDLE;

  wire [31:0] size_x = global_size_i[31:0], size_y = global_size_i[63:32], size_z = global_size_i[95:64];
  wire [31:0] local_x = local_size_i[31:0], local_y = local_size_i[63:32], local_z = local_size_i[95:64];

  // Checks. The product counts only if each size is at most 1024.
  reg  [21:0] items_xy;
  reg  [31:0] items;
  reg  [10:0] items_z;  // local_z, registered: it is stable for long before
  reg [31:0] round_up, most_items, sub_groups;
  reg too_many;  // sub-groups
  wire local_ok = local_x != 0 && local_x <= 32'd1024 && local_y != 0 && local_y <= 32'd1024 &&
                  local_z != 0 && local_z <= 32'd1024;
  wire global_ok = size_x != 0 && size_y != 0 && size_z != 0 && sub_group_log2_i <= {29'd0, most_lanes_log2_i} &&
                   local_bytes_i <= most_local_bytes_i && local_bytes_i[1:0] == 2'd0;
  wire private_log2_ok = private_log2_i >= 32'd8 && private_log2_i <= 32'd20;
  reg sizes_ok;
  // Private memory of all resident work-items. Its end counts only if its size is valid.
  localparam [36:0] END = 37'd1 << GLOBAL_LOG2;
  reg [36:0] private_bytes, private_end;
  wire private_ok = !private_memory_i || (private_base_i[31:FIRST_LOG2] != 0 && private_base_i[LINE_LOG2-1:0] == 0 &&
                                          private_end <= END);
  reg ok;

  // The next work-group: its ids, its first work-item, and in each dimension the work-items from there to the end.
  reg [31:0] id_x, id_y, id_z, first_x, first_y, first_z, left_x, left_y, left_z;
  wire last_x = left_x <= local_x, last_y = left_y <= local_y, last_z = left_z <= local_z;
  reg ends_x, ends_y, ends_z;  // last_*, registered: used when a work-group has been taken
  assign group_valid_o = state == GROUPS;
  assign group_id_o = {id_z, id_y, id_x};
  assign group_base_o = {first_z, first_y, first_x};
  assign group_size_o = {
    last_z ? left_z[10:0] : local_z[10:0], last_y ? left_y[10:0] : local_y[10:0], last_x ? left_x[10:0] : local_x[10:0]
  };

  reg over_budget;
  reg stopped;  // the host has given COMMAND stop
  reg failed;  // an access to external memory has failed
  assign unit_stop_o = (state == GROUPS || state == FINISH) && (over_budget || stopped || failed);
  assign unit_stop_reason_o = failed ? MEMORY_ERROR : stopped ? STOPPED_BY_HOST : BUDGET_SPENT;

  always @(posedge clk) begin
    unit_start_o <= 1'b0;
    unit_clear_o <= 1'b0;
    items_xy <= local_x[10:0] * local_y[10:0];
    items_z <= local_z[10:0];
    items <= items_xy * {21'd0, items_z};
    round_up <= (32'd1 << sub_group_log2_i[2:0]) - 32'd1;
    most_items <= {20'd0, most_slots_i} << sub_group_log2_i[2:0];
    sub_groups <= (items + round_up) >> sub_group_log2_i[2:0];
    too_many <= items > most_items || (ITEMS_LIMITED != 0 && items > most_items_i);
    private_bytes <= {20'd0, resident_i} << private_log2_i[4:0];
    private_end <= {5'd0, private_base_i} + private_bytes;
    sizes_ok <= kind_exists_i && local_ok && global_ok && (!private_memory_i || private_log2_ok);
    ok <= sizes_ok && private_ok && !bad_i;
    {ends_x, ends_y, ends_z} <= {last_x, last_y, last_z};
    over_budget <= budget_i != 64'd0 && cycles_o >= budget_i;
    reading <= begin_i || (reading && !start_i);
    if (begin_i) cycles_o <= 64'd0;
    else if (state != IDLE || reading) cycles_o <= cycles_o + 64'd1;
    if (stop_i && (state != IDLE || reading)) stopped <= 1'b1;
    if (memory_error_i && runs_i) failed <= 1'b1;

    case (state)
      IDLE:
      if (start_i) begin
        state <= MULTIPLY;
        {fault_o, own_reason_o} <= 5'd0;
      end
      MULTIPLY: state <= COUNT;
      COUNT: state <= DIVIDE;
      DIVIDE: state <= CHECK;
      CHECK: begin
        sub_groups_o <= sub_groups[10:0];
        {id_x, id_y, id_z} <= 96'd0;
        {first_z, first_y, first_x} <= global_offset_i;
        {left_z, left_y, left_x} <= global_size_i;
        if (!ok || too_many || failed) begin
          state <= IDLE;
          fault_o <= 1'b1;
          own_reason_o <= failed ? MEMORY_ERROR : BAD_DISPATCH;
        end else begin
          state <= GROUPS;
          unit_start_o <= 1'b1;
        end
      end
      GROUPS:
      if (group_ready_i) begin
        id_x <= ends_x ? 32'd0 : id_x + 32'd1;
        first_x <= ends_x ? global_offset_i[31:0] : first_x + local_x;
        left_x <= ends_x ? size_x : left_x - local_x;
        if (ends_x) begin
          id_y <= ends_y ? 32'd0 : id_y + 32'd1;
          first_y <= ends_y ? global_offset_i[63:32] : first_y + local_y;
          left_y <= ends_y ? size_y : left_y - local_y;
          if (ends_y) begin
            id_z <= id_z + 32'd1;
            first_z <= first_z + local_z;
            left_z <= left_z - local_z;
            if (ends_z) state <= FINISH;
          end
        end
      end
      FINISH: if (unit_idle_i) state <= IDLE;
      default:
      if (unit_drained_i) begin
        state <= IDLE;
        unit_clear_o <= 1'b1;
        fault_o <= 1'b1;
      end
    endcase
    if ((state == GROUPS || state == FINISH) && unit_fault_i) state <= DRAIN;
    if (state == IDLE && !reading && failed && !fault_o) {fault_o, own_reason_o} <= {1'b1, MEMORY_ERROR};
    if (begin_i) {stopped, failed} <= 2'b00;

    if (rst) begin
      state <= IDLE;
      fault_o <= 1'b0;
      {stopped, failed} <= 2'b00;
      reading <= 1'b0;
    end
  end
  wire unused = &{1'b0, sub_groups[31:11], most_items_i};
endmodule

`default_nettype wire
