// SPDX-License-Identifier: Apache-2.0
// Keeps the first fault of a dispatch: stops all issue, waits until what is under way has ended, and completes the
// record (contract/DEVICE.md) with the work-group's id. Issue stops the cycle after the fault; the record is whole when
// drained_o comes.
`default_nettype none

module fault_record #(
    parameter LANES = 8,  // power of two, 1 to 32
    parameter SLOT_BITS = 5,
    parameter PIPELINE = 14  // cycles until an instruction that has issued is at the end
) (
    input wire clk,
    input wire rst,     // also when a dispatch is cut off, once drained; the record stays until the next start
    input wire start_i, // a dispatch begins

    // stage e2: what may fault. It goes to many places and this is one of them: a word of each lane travels once
    input wire [LANES*32-1:0] e2_sums_i,  // address, or jump target, of each lane

    // stage e3: an instruction that faults
    input wire                 e3_faults_i,
    input wire                 e3_illegal_i,
    input wire                 e3_bad_fetch_i,
    input wire                 e3_jump_i,           // jump or branch, else memory
    input wire                 e3_jump_register_i,
    input wire [         31:1] e3_target_i,
    input wire [         31:2] e3_pc_i,
    input wire [SLOT_BITS-1:0] e3_group_slot_i,
    input wire [SLOT_BITS-1:0] e3_sub_group_i,
    input wire [    LANES-1:0] e3_lanes_i,
    input wire [    LANES-1:0] e3_lane_faults_i,
    input wire [  LANES*3-1:0] e3_codes_i,          // reason of each lane

    // stage wb: a sub-group goes on, and where; or its lanes wait at different collectives
    input wire                 wb_valid_i,
    input wire                 wb_divergent_i,
    input wire [         31:2] wb_pc_i,
    input wire [SLOT_BITS-1:0] wb_group_slot_i,
    input wire [SLOT_BITS-1:0] wb_sub_group_i,
    input wire [    LANES-1:0] wb_lanes_i,

    // sub-groups of a work-group do
    input wire                 group_divergent_i,
    input wire [         31:2] group_pc_i,
    input wire [SLOT_BITS-1:0] group_slot_i,
    input wire [SLOT_BITS-1:0] group_sub_group_i,
    input wire [    LANES-1:0] group_lanes_i,

    // a memory operation was refused; it stays until rst. Issued earlier than what else may have faulted meanwhile
    input wire                 refused_i,
    input wire [         31:0] refused_address_i,
    input wire [    LANES-1:0] refused_lanes_i,
    input wire [         31:2] refused_pc_i,
    input wire [SLOT_BITS-1:0] refused_sub_group_i,

    // the walker stops the dispatch
    input wire       stop_i,
    input wire [3:0] stop_reason_i,

    // the end
    input  wire                 quiet_i,          // nothing is under way outside the pipeline
    output wire [SLOT_BITS+3:0] group_word_o,     // word of the work-group to be read
    input  wire [         31:0] group_word_i,     // comes the cycle after
    input  wire [         31:0] recalled_word_i,  // the same of what was refused
    output wire                 drained_o,

    output reg         halted_o,
    output reg         fault_o,
    output reg  [ 3:0] reason_o,
    output reg  [31:0] pc_o,
    output reg  [31:0] address_o,
    output reg  [95:0] group_o,      // z, y, x
    output wire [31:0] sub_group_o,
    output reg  [31:0] lane_o
);
  `include "rtl/common/reason.vh"

  // Where the last sub-group went on, for a stop: it names any work-item that was running.
  reg [SLOT_BITS-1:0] last_group_slot, last_sub_group;
  reg [LANES-1:0] last_lanes;
  reg [31:2] last_pc;
  always @(posedge clk) begin
    if (wb_valid_i)
      {last_group_slot, last_sub_group, last_lanes, last_pc} <= {wb_group_slot_i, wb_sub_group_i, wb_lanes_i, wb_pc_i};
    if (start_i) last_lanes <= {LANES{1'b0}};
  end

  // Catch: what stands at e3 is kept as it is, to be sorted out later.
  reg [SLOT_BITS-1:0] group_slot, sub_group;
  reg [LANES-1:0] lanes;
  reg [31:2] pc;
  reg [3:0] reason;
  reg of_lane, fetch, jump, jump_register;  // the address is a lane's, the PC, the jump's target
  reg [31:1] target;
  reg [LANES*3-1:0] codes;
  reg [LANES*32-1:0] sums;
  reg armed, refusal;
  reg [31:0] refused_address;
  wire caught = wb_divergent_i || group_divergent_i || e3_faults_i || stop_i;
  always @(posedge clk) begin
    if (armed) begin
      armed <= !caught;
      {halted_o, fault_o} <= {2{caught}};
      {of_lane, fetch, jump} <= 3'b000;
      reason <= DIVERGENT_COLLECTIVE;
      if (wb_divergent_i) {group_slot, sub_group, lanes, pc} <= {wb_group_slot_i, wb_sub_group_i, wb_lanes_i, wb_pc_i};
      else if (group_divergent_i)
        {group_slot, sub_group, lanes, pc} <= {group_slot_i, group_sub_group_i, group_lanes_i, group_pc_i};
      else if (e3_faults_i) begin
        {group_slot, sub_group, pc} <= {e3_group_slot_i, e3_sub_group_i, e3_pc_i};
        lanes <= e3_illegal_i || e3_bad_fetch_i ? e3_lanes_i : e3_lane_faults_i;
        reason <= e3_illegal_i && !e3_bad_fetch_i ? ILLEGAL_INSTRUCTION : BAD_FETCH;
        fetch <= e3_bad_fetch_i;
        jump <= !e3_illegal_i && !e3_bad_fetch_i && e3_jump_i;
        of_lane <= !e3_illegal_i && !e3_bad_fetch_i && !e3_jump_i;
      end else begin
        {group_slot, sub_group, lanes, pc} <= {last_group_slot, last_sub_group, last_lanes, last_pc};
        reason <= stop_reason_i;
      end
      {jump_register, target, codes} <= {e3_jump_register_i, e3_target_i, e3_codes_i};
    end
    if (armed && !caught) sums <= e2_sums_i;
    if (refused_i && !refusal) begin
      {armed, halted_o, fault_o, refusal} <= 4'b0111;
      {of_lane, fetch, jump} <= 3'b000;
      {reason, pc, lanes, sub_group} <= {NO_RIGHT, refused_pc_i, refused_lanes_i, refused_sub_group_i};
      refused_address <= refused_address_i;
    end
    if (start_i) refusal <= 1'b0;
    if (start_i) armed <= 1'b1;
    if (rst || start_i) {halted_o, fault_o} <= 2'b00;
    if (rst) armed <= 1'b0;
  end

  // Sort out: the lowest lane that faults.
  localparam LANE_BITS = LANES > 1 ? $clog2(LANES) : 1;
  wire [LANES-1:0] lowest_lane;
  wire [LANE_BITS-1:0] unused_number;
  wire unused = &{1'b0, unused_number};
  lowest_bit #(
      .WIDTH(LANES),
      .INDEX_BITS(LANE_BITS)
  ) lowest_bit (
      .word_i (lanes),
      .bit_o  (lowest_lane),
      .index_o(unused_number)
  );
  reg [LANES-1:0] lowest;
  reg [31:0] sum, lane;
  reg [2:0] code;
  integer i;
  always @* begin
    {sum, lane, code} = 67'd0;
    for (i = 0; i < LANES; i = i + 1) begin
      sum  = sum | (sums[i*32+:32] & {32{lowest[i]}});
      code = code | (codes[i*3+:3] & {3{lowest[i]}});
      if (lowest[i]) lane = lane | i;
    end
  end
  wire [31:0] jumps_to = {jump_register ? sum[31:1] : target, 1'b0};
  always @(posedge clk) begin
    lowest <= lowest_lane;
    reason_o <= of_lane ? {1'b0, code} : reason;
    pc_o <= jump ? jumps_to : {pc, 2'b00};
    address_o <= of_lane ? sum : jump ? jumps_to : fetch ? {pc, 2'b00} : refusal ? refused_address : 32'd0;
    lane_o <= lane;
  end
  assign sub_group_o = {{(32 - SLOT_BITS) {1'b0}}, sub_group};

  // Drain, then read the work-group's id: words 3 to 5.
  reg [4:0] draining;
  reg [2:0] step;
  localparam [2:0] WHOLE = 3'd5;
  reg quiet;
  wire [31:0] id_word = refusal ? recalled_word_i : group_word_i;
  always @(posedge clk) begin
    quiet <= draining == PIPELINE[4:0] && quiet_i;
    if (!halted_o) {draining, step} <= 8'd0;
    else if (draining != PIPELINE[4:0]) draining <= draining + 5'd1;
    else if (quiet && step != WHOLE) step <= step + 3'd1;
    if (step == 3'd1) group_o[31:0] <= id_word;
    if (step == 3'd2) group_o[63:32] <= id_word;
    if (step == 3'd3) group_o[95:64] <= id_word;
  end
  assign group_word_o = {group_slot, 4'd3 + {1'b0, step}};
  assign drained_o = halted_o && step == WHOLE;
endmodule

`default_nettype wire
