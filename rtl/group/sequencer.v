// SPDX-License-Identifier: Apache-2.0
// Follows the work-groups of a unit from their first sub-group to their last, and carries out what spans sub-groups:
// barriers and the second half of work-group collectives. Each sub-group arrives with its total; when every sub-group
// of the work-group that still runs has arrived, they are released in id order, one a cycle, each with its carry. One
// event a cycle; the first release comes 3 cycles after the last arrival. Floats are added in that order, too, 6 cycles
// each: of a scan releases have that distance, of a reduction all are added before the first.
`include "rtl/shape.vh"
`default_nettype none

module sequencer #(
    parameter SLOTS = 32,  // resident sub-groups; power of two
    parameter SLOT_BITS = 5,  // log2(SLOTS); a group slot has as many bits
    parameter FPU = 1  // 1: with sums of floats
) (
    input wire clk,
    input wire rst,

    // a work-group starts in a group slot; taken when no event comes in the same cycle
    input  wire                 start_valid_i,
    output wire                 start_ready_o,
    input  wire [SLOT_BITS-1:0] start_group_slot_i,
    input  wire [  SLOT_BITS:0] start_count_i,       // its sub-groups
    input  wire [SLOT_BITS-1:0] start_slot_i,        // the first one's slot

    // an event of a sub-group: it arrives at a work-group collective, or its last work-item returns
    input wire                               event_valid_i,
    input wire                               event_finish_i,
    input wire [              SLOT_BITS-1:0] event_group_slot_i,
    input wire [              SLOT_BITS-1:0] event_slot_i,
    input wire [                       31:2] event_pc_i,
    // T_* of collective.vh; totals of floats are as float_order.v maps them, but of sums, which are canonical
    input wire [`HEDDLE_COLLECTIVE_BITS-1:0] event_operation_i,
    input wire                               event_scan_i,        // carries differ from sub-group to sub-group
    input wire [                       31:0] event_total_i,

    // a waiting sub-group goes on with its carry
    output reg                 release_valid_o,
    output reg [SLOT_BITS-1:0] release_slot_o,
    output reg [         31:0] release_carry_o,
    output reg                 release_first_o,  // which is the identity: nobody is before it

    // the group slot's last sub-group has finished
    output reg                 done_valid_o,
    output reg [SLOT_BITS-1:0] done_group_slot_o,

    // sub-groups of one work-group wait at different instructions; the smaller PC and a slot that waits there
    output reg                 divergent_o,
    output reg [SLOT_BITS-1:0] divergent_slot_o,
    output reg [SLOT_BITS-1:0] divergent_group_slot_o,
    output reg [         31:2] divergent_pc_o
);
  `include "rtl/group/collective.vh"
  // Of each group slot: sub-groups still running, and how many of them do not wait; whether each of these is one;
  // whether some wait, the first of them, and what they wait at.
  localparam STATE_BITS = 2 * (SLOT_BITS + 1) + 3 + SLOT_BITS + 30 + `HEDDLE_COLLECTIVE_BITS + 1;
  reg [STATE_BITS-1:0] group_slots[0:SLOTS-1];
  reg [31:0] sums[0:SLOTS-1];  // of the totals of those that wait
  reg [2*SLOT_BITS:0] extents[0:SLOTS-1];  // {sub-groups, first slot}
  reg [31:0] totals[0:SLOTS-1];
  reg [SLOTS-1:0] waiting;  // slots

  // Events: registered, and the group slot's state read; then that is changed and written back in one cycle. An event
  // that follows another of its group slot reads what that one writes.
  reg q_valid, q_finish, q_scan;
  reg [`HEDDLE_COLLECTIVE_BITS-1:0] q_operation;
  reg [SLOT_BITS-1:0] q_group_slot, q_slot;
  reg [31:2] q_pc;
  reg [31:0] q_total;
  always @(posedge clk) begin
    q_valid <= event_valid_i && !rst;
    {q_finish, q_operation, q_scan} <= {event_finish_i, event_operation_i, event_scan_i};
    {q_group_slot, q_slot, q_pc, q_total} <= {event_group_slot_i, event_slot_i, event_pc_i, event_total_i};
  end

  reg [STATE_BITS-1:0] q_state;
  wire [STATE_BITS-1:0] written;
  // Chosen by gates: of a ?: in front of this register Yosys makes a choice behind it, in the way of all that is found
  // from the state.
  wire follows = q_valid && q_group_slot == event_group_slot_i;
  always @(posedge clk)
    q_state <= (written & {STATE_BITS{follows}}) | (group_slots[event_group_slot_i] & {STATE_BITS{!follows}});

  wire [SLOT_BITS:0] running, missing;
  wire one_runs, one_missing, some_wait;
  wire [SLOT_BITS-1:0] first_slot;
  wire [31:2] first_pc;
  wire [`HEDDLE_COLLECTIVE_BITS:0] operation;  // {T_*, scan}
  assign {running, missing, one_runs, one_missing, some_wait, first_slot, first_pc, operation} = q_state;
  wire first = !some_wait;
  // Who arrives and who finishes is no longer missing.
  wire none_runs = q_finish && one_runs;
  wire all_here = one_missing && !none_runs;
  wire [SLOT_BITS:0] running_next = running - {{SLOT_BITS{1'b0}}, q_finish};
  wire [SLOT_BITS:0] missing_next = all_here ? running_next : missing - 1'b1;
  wire mismatch = q_valid && !q_finish && !first && first_pc != q_pc;

  assign start_ready_o = !q_valid;
  wire start = start_valid_i && start_ready_o;
  assign written = {
    running_next,
    missing_next,
    running_next == 1,
    missing_next == 1,
    !all_here && (some_wait || !q_finish),
    q_finish || !first ? {first_slot, first_pc} : {q_slot, q_pc},
    q_finish ? operation : {q_operation, q_scan}
  };
  always @(posedge clk) begin
    if (q_valid) group_slots[q_group_slot] <= written;
    else if (start)
      group_slots[start_group_slot_i] <= {
        {2{start_count_i}}, {2{start_count_i == 1}}, {(STATE_BITS - 2 * SLOT_BITS - 4) {1'b0}}
      };
    if (start) extents[start_group_slot_i] <= {start_count_i, start_slot_i};
    if (q_valid && !q_finish) totals[q_slot] <= q_total;

    done_valid_o <= q_valid && none_runs && !rst;
    done_group_slot_o <= q_group_slot;
    divergent_o <= mismatch && !rst;
    divergent_group_slot_o <= q_group_slot;
    {divergent_slot_o, divergent_pc_o} <= q_pc < first_pc ? {q_slot, q_pc} : {first_slot, first_pc};
  end

  // The sum of an event's group slot follows a cycle later, in the same way: by then it is known whether it begins
  // anew.
  reg s_valid, s_first;
  reg [`HEDDLE_COLLECTIVE_BITS-1:0] s_operation;
  reg [SLOT_BITS-1:0] s_group_slot;
  reg [31:0] s_total, s_moved, s_sum;
  wire [8:0] unused_total, unused_carry;
  wire [31:0] joined;
  scan_operator #(
      .MOVED(1)
  ) join_total (
      .operation_i(s_operation),
      .carry_i(!s_operation[T_ADD]),
      .known_i(2'b01),
      .a_i(s_sum),
      .b_i(s_total),
      .moved_b_i(s_moved),
      .y_o(joined),
      .left_o(unused_total)
  );
  wire [31:0] s_written = s_first ? s_total : joined;
  wire s_follows = s_valid && s_group_slot == q_group_slot;
  always @(posedge clk) begin
    s_valid <= q_valid && !q_finish && !rst;
    {s_first, s_operation} <= {first, q_operation};
    {s_group_slot, s_total} <= {q_group_slot, q_total};
    s_moved <= q_total ^ {q_operation[T_SIGNED], 31'd0} ^ {32{!q_operation[T_ADD]}};
    s_sum <= (s_written & {32{s_follows}}) | (sums[q_group_slot] & {32{!s_follows}});
    if (s_valid) sums[s_group_slot] <= s_written;
  end

  // Places to be released, in the order in which they became complete.
  reg [SLOT_BITS-1:0] complete[0:SLOTS-1];
  reg [SLOT_BITS:0] completed, taken;
  reg [SLOT_BITS-1:0] group_slot;  // the first of them

  // Release: slot after slot. With the first one the sum of all is there, but of floats: for their reduction all slots
  // are gone through twice, first to add.
  reg walking, walk_begins, walk_adds;
  reg walk_first;  // no slot that waits was met
  reg [2*SLOT_BITS:0] walk_extent;
  reg [SLOT_BITS-1:0] walk_group_slot;
  reg [SLOT_BITS-1:0] walk_slot;
  reg [31:0] walk_total, walk_moved;  // the slot's
  reg [SLOT_BITS:0] walk_left;
  reg [31:0] carry;
  reg [`HEDDLE_COLLECTIVE_BITS-1:0] walk_operation;
  reg walk_scan;
  wire [2*SLOT_BITS:0] extent = extents[group_slot];
  wire [`HEDDLE_COLLECTIVE_BITS-1:0] group_slot_operation = group_slots[group_slot][`HEDDLE_COLLECTIVE_BITS:1];
  wire group_slot_scan = group_slots[group_slot][0];
  wire [31:0] identity;
  identity_element identity_element (
      .operation_i(group_slot_operation),
      .value_o(identity)
  );
  wire [31:0] carry_next;
  wire take = !walking && completed != taken;
  wire [SLOT_BITS:0] taken_next = taken + {{SLOT_BITS{1'b0}}, take};
  wire [31:0] next_total = totals[take?extent[SLOT_BITS-1:0] : walk_slot+1'b1];
  wire next_add = take ? group_slot_operation[T_ADD] : walk_operation[T_ADD];
  wire next_signed = take ? group_slot_operation[T_SIGNED] : walk_operation[T_SIGNED];
  scan_operator #(
      .MOVED(1)
  ) join_carry (
      .operation_i(walk_operation),
      .carry_i(!walk_operation[T_ADD]),
      .known_i(2'b01),
      .a_i(carry),
      .b_i(walk_total),
      .moved_b_i(walk_moved),
      .y_o(carry_next),
      .left_o(unused_carry)
  );
  wire walk_float = FPU != 0 && walk_operation[T_FLOAT] && walk_operation[T_ADD];
  wire takes_sum = walk_begins && !walk_scan && !walk_float;
  wire [31:0] sum = sums[walk_group_slot];

  // The adder of floats, and the carry as it is now. The first total is joined as an int is, to 0.
  localparam ADD_CYCLES = 6;
  reg [ADD_CYCLES-1:0] adding;  // one-hot, how far it is
  wire added = FPU != 0 && adding[ADD_CYCLES-1];
  wire halts = FPU != 0 && adding[ADD_CYCLES-2:0] != 0;  // the carry is not there yet
  wire visits = walking && !halts && waiting[walk_slot];
  wire releasing = visits && !walk_adds;
  wire joins = visits && (walk_scan || walk_adds);
  wire add = joins && walk_float && !walk_first;
  wire [31:0] float_sum;
  wire [31:0] carry_now = added ? float_sum : carry;
  generate
    if (FPU != 0) begin : with_float
      float_add float_add (
          .clk(clk),
          .a_i(carry_now),
          .b_i(walk_total),
          .y_o(float_sum)
      );
    end else begin : without_float
      assign float_sum = 32'd0;
    end
  endgenerate
  always @(posedge clk) begin
    adding <= rst || take ? {ADD_CYCLES{1'b0}} : {adding[ADD_CYCLES-2:0], add};
    if (take || !halts) begin
      walk_total <= next_total;
      walk_moved <= next_total ^ {next_signed, 31'd0} ^ {32{!next_add}};
    end
    if (q_valid && all_here) begin
      complete[completed[SLOT_BITS-1:0]] <= q_group_slot;
      completed <= completed + 1'b1;
    end
    taken <= taken_next;
    group_slot <= completed == taken_next ? q_group_slot : complete[taken_next[SLOT_BITS-1:0]];
    waiting <= (waiting & ~(releasing ? {{(SLOTS - 1) {1'b0}}, 1'b1} << walk_slot : {SLOTS{1'b0}})) |
               (q_valid && !q_finish ? {{(SLOTS - 1) {1'b0}}, 1'b1} << q_slot : {SLOTS{1'b0}});
    if (added) carry <= float_sum;
    if (visits) walk_first <= 1'b0;
    if (take) begin
      walking <= 1'b1;
      {walk_left, walk_slot} <= extent;
      walk_extent <= extent;
      {walk_operation, walk_scan} <= {group_slot_operation, group_slot_scan};
      walk_adds <= FPU != 0 && group_slot_operation[T_FLOAT] && group_slot_operation[T_ADD] && !group_slot_scan;
      walk_first <= 1'b1;
      carry <= identity;
    end else if (walking && !halts) begin
      walk_slot <= walk_slot + 1'b1;
      walk_left <= walk_left - 1'b1;
      if (walk_left == 1) begin
        walking   <= walk_adds;
        walk_adds <= 1'b0;
        if (walk_adds) {walk_left, walk_slot} <= walk_extent;
      end
      if (takes_sum) carry <= sum;
      if (joins && (!walk_float || walk_first)) carry <= carry_next;
    end
    walk_begins <= take && !rst;
    walk_group_slot <= group_slot;
    release_valid_o <= releasing && !rst;
    release_slot_o <= walk_slot;
    release_carry_o <= takes_sum ? sum : carry_now;
    release_first_o <= walk_float && walk_first;
    if (walk_float && walk_first) release_carry_o[31] <= 1'b1;  // -0
    if (rst) begin
      completed <= 0;
      taken <= 0;
      waiting <= {SLOTS{1'b0}};
      walking <= 1'b0;
    end
  end
endmodule

`default_nettype wire
