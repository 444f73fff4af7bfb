// SPDX-License-Identifier: Apache-2.0
// The work-groups that are in a unit, from their arrival to their end, and the first fault of one of them. After a
// fault, or a stop from outside, nothing issues any more; the record takes the work-group's ids from here. Takes a
// work-group a cycle while there is room; starts a sub-group every max(its size, 7) cycles.
`include "rtl/shape.vh"
`default_nettype none

module residents #(
    parameter LANES = 8,  // these as in unit.v
    parameter SLOTS = 32,
    parameter SLOT_BITS = 5,  // log2(SLOTS)
    parameter TAIL = 4,  // stages from e3 to wb
    parameter LOCAL_LOG2 = 15,
    parameter FPU = 1,
    parameter PAGES_LOG2 = 0
) (
    input wire clk,
    input wire clear_i, // nothing of the dispatch is left

    // the dispatch
    input wire                start_i,
    input wire [ SLOT_BITS:0] sub_groups_i,
    input wire [LOCAL_LOG2:0] local_bytes_i,
    input wire [         2:0] sub_group_log2_i,

    // work-groups
    input  wire        group_valid_i,
    output wire        group_ready_o,
    input  wire [95:0] group_id_i,
    input  wire [95:0] group_base_i,
    input  wire [32:0] group_size_i,
    output wire        group_done_o,
    output wire        idle_o,         // none is here

    // launches, stage se
    output wire                 launch_valid_o,
    input  wire                 launch_taken_i,
    output wire [SLOT_BITS-1:0] launch_slot_o,
    output wire [SLOT_BITS-1:0] launch_group_slot_o,
    output wire [SLOT_BITS-1:0] launch_sub_group_o,
    output wire [    LANES-1:0] launch_lanes_o,
    output wire [ LANES*30-1:0] launch_ids_o,

    // sub-groups that go on behind a work-group collective, and what each brings
    output wire                 release_valid_o,
    output wire [SLOT_BITS-1:0] release_slot_o,
    output wire [         31:0] op_carry_o,
    output wire                 op_carry_first_o, // that is nothing

    // the instructions, stage by stage (instruction.vh)
    input wire [SLOT_BITS+3:0] de_group_word_i,  // {group_slot, word}
    output wire [31:0] rd_group_word_o,
    input wire [SLOT_BITS-1:0] rd_slot_i,
    input wire [SLOT_BITS-1:0] e1_group_slot_i,
    output wire [LOCAL_LOG2-1:0] e1_local_base_o,  // where a group slot's local memory starts
    input wire [LANES*32-1:0] e2_sum_i,  // address, or target of a jump by register, of each lane
    input wire [`HEDDLE_INSTRUCTION_BITS(LANES, SLOT_BITS)-1:0] e3_instruction_i,
    input wire [31:1] e3_target_i,  // of another jump
    input wire e3_faults_i,
    input wire [LANES-1:0] e3_lane_faults_i,
    input wire [LANES*3-1:0] e3_codes_i,  // reason of each lane
    output wire [`HEDDLE_ARRIVAL_BITS(SLOT_BITS)-1:0] e3_arrival_o,  // of its work-group
    input wire refused_i,  // a memory operation has no right to the page
    input wire [`HEDDLE_REFUSAL_BITS(LANES, SLOT_BITS)-1:0] refusal_i,
    input wire wb_valid_i,
    input wire wb_arrive_i,  // at a work-group collective
    input wire wb_dead_i,  // the sub-group has ended
    input wire wb_divergent_i,  // its lanes wait at different collectives
    input wire [`HEDDLE_INSTRUCTION_BITS(LANES, SLOT_BITS)-1:0] wb_instruction_i,
    input wire [`HEDDLE_NEXT_BITS(LANES)-1:0] wb_next_i,  // what the slot does next
    input wire [31:0] wb_total_i,  // of all lanes

    // any slot, in the same cycle: its sub-group's id and lanes
    output wire [SLOT_BITS-1:0] asked_slot_o,
    input  wire [SLOT_BITS-1:0] asked_sub_group_i,
    input  wire [    LANES-1:0] asked_lanes_i,

    // the end
    input  wire         stop_i,
    input  wire [  3:0] stop_reason_i,
    input  wire         quiet_i,        // nothing is under way outside the pipeline
    output wire         halted_o,       // nothing issues
    output wire         fault_o,
    output wire         drained_o,      // the record is whole
    output wire [255:0] record_o        // compute_unit.v
);
  `include "rtl/unit/control.vh"
  `include "rtl/unit/bundle.vh"
  `include "rtl/unit/instruction.vh"
  localparam LEVELS = $clog2(LANES);
  wire [BUNDLE_BITS-1:0] e3_bundle = e3_instruction_i[I_BUNDLE+:BUNDLE_BITS];
  wire [BUNDLE_BITS-1:0] wb_bundle = wb_instruction_i[I_BUNDLE+:BUNDLE_BITS];
  wire [CONTROL_BITS-1:0] e3_control = e3_instruction_i[I_CONTROL+:CONTROL_BITS];
  wire [CONTROL_BITS-1:0] wb_control = wb_instruction_i[I_CONTROL+:CONTROL_BITS];

  wire [SLOT_BITS+3:0] record_group_word;
  wire [31:0] recalled_word;
  wire [31:2] divergent_pc;
  wire [SLOT_BITS-1:0] divergent_group_slot;
  wire divergent;
  work_groups #(
      .LANES(LANES),
      .SLOTS(SLOTS),
      .SLOT_BITS(SLOT_BITS),
      .LOCAL_LOG2(LOCAL_LOG2),
      .FPU(FPU),
      .RECALLS(PAGES_LOG2 != 0)
  ) work_groups (
      .clk(clk),
      .clear_i(clear_i),
      .start_i(start_i),
      .sub_groups_i(sub_groups_i),
      .local_bytes_i(local_bytes_i),
      .sub_group_log2_i(sub_group_log2_i),
      .group_valid_i(group_valid_i && !halted_o),
      .group_ready_o(group_ready_o),
      .group_id_i(group_id_i),
      .group_base_i(group_base_i),
      .group_size_i(group_size_i),
      .group_done_o(group_done_o),
      .idle_o(idle_o),
      .launch_valid_o(launch_valid_o),
      .launch_taken_i(launch_taken_i),
      .launch_slot_o(launch_slot_o),
      .launch_group_slot_o(launch_group_slot_o),
      .launch_sub_group_o(launch_sub_group_o),
      .launch_lanes_o(launch_lanes_o),
      .launch_ids_o(launch_ids_o),
      .group_word_i(halted_o ? record_group_word : de_group_word_i),
      .group_word_o(rd_group_word_o),
      .arrival_group_slot_i(e3_bundle[B_GROUP_SLOT+:SLOT_BITS]),
      .arrival_o(e3_arrival_o),
      .recall_arrival_i(refusal_i[`HEDDLE_ARRIVAL_BITS(SLOT_BITS)-1:0]),
      .recall_word_i(record_group_word[1:0]),
      .recalled_o(recalled_word),
      .group_slot_i(e1_group_slot_i),
      .local_base_o(e1_local_base_o),
      .event_valid_i(wb_valid_i && (wb_arrive_i || wb_dead_i)),
      .event_finish_i(wb_dead_i),
      .event_group_slot_i(wb_bundle[B_GROUP_SLOT+:SLOT_BITS]),
      .event_slot_i(wb_bundle[B_SLOT+:SLOT_BITS]),
      .event_pc_i(wb_bundle[B_PC+:PC]),
      .event_operation_i(wb_control[C_OPERATION+:`HEDDLE_COLLECTIVE_BITS]),
      .event_scan_i(wb_control[C_EXCLUSIVE] || wb_control[C_INCLUSIVE]),
      .event_total_i(wb_total_i),
      .release_valid_o(release_valid_o),
      .release_slot_o(release_slot_o),
      .rd_slot_i(rd_slot_i),
      .op_carry_o(op_carry_o),
      .op_carry_first_o(op_carry_first_o),
      .divergent_o(divergent),
      .divergent_slot_o(asked_slot_o),
      .divergent_group_slot_o(divergent_group_slot),
      .divergent_pc_o(divergent_pc)
  );

  // The first fault is kept; after it nothing issues.
  wire [3:0] reason;
  assign record_o[31:0] = {28'd0, reason};
  fault_record #(
      .LANES(LANES),
      .SLOT_BITS(SLOT_BITS),
      .PIPELINE(10 + TAIL)
  ) fault_record (
      .clk(clk),
      .rst(clear_i),
      .start_i(start_i),
      .e2_sums_i(e2_sum_i),
      .e3_faults_i(e3_faults_i),
      .e3_illegal_i(e3_instruction_i[I_ILLEGAL]),
      .e3_bad_fetch_i(e3_instruction_i[I_BAD_FETCH]),
      .e3_jump_i(e3_control[C_JUMP] || e3_control[C_BRANCH]),
      .e3_jump_register_i(e3_control[C_JUMP_REGISTER]),
      .e3_target_i(e3_target_i),
      .e3_pc_i(e3_bundle[B_PC+:PC]),
      .e3_group_slot_i(e3_bundle[B_GROUP_SLOT+:SLOT_BITS]),
      .e3_sub_group_i(e3_bundle[B_SUB_GROUP+:SLOT_BITS]),
      .e3_lanes_i(e3_bundle[B_LANES+:LANES]),
      .e3_lane_faults_i(e3_lane_faults_i),
      .e3_codes_i(e3_codes_i),
      .wb_valid_i(wb_valid_i && !wb_dead_i),
      .wb_divergent_i(wb_divergent_i),
      .wb_pc_i(wb_next_i[1+LANES+:PC]),
      .wb_group_slot_i(wb_bundle[B_GROUP_SLOT+:SLOT_BITS]),
      .wb_sub_group_i(wb_bundle[B_SUB_GROUP+:SLOT_BITS]),
      .wb_lanes_i(wb_next_i[1+:LANES]),
      .group_divergent_i(divergent),
      .group_pc_i(divergent_pc),
      .group_slot_i(divergent_group_slot),
      .group_sub_group_i(asked_sub_group_i),
      .group_lanes_i(asked_lanes_i),
      .refused_i(refused_i),
      .refused_address_i(refusal_i[`HEDDLE_ARRIVAL_BITS(SLOT_BITS)+SLOT_BITS+PC+LANES+:32]),
      .refused_lanes_i(refusal_i[`HEDDLE_ARRIVAL_BITS(SLOT_BITS)+SLOT_BITS+PC+:LANES]),
      .refused_pc_i(refusal_i[`HEDDLE_ARRIVAL_BITS(SLOT_BITS)+SLOT_BITS+:PC]),
      .refused_sub_group_i(refusal_i[`HEDDLE_ARRIVAL_BITS(SLOT_BITS)+:SLOT_BITS]),
      .stop_i(stop_i),
      .stop_reason_i(stop_reason_i),
      .quiet_i(quiet_i),
      .group_word_o(record_group_word),
      .group_word_i(rd_group_word_o),
      .recalled_word_i(recalled_word),
      .drained_o(drained_o),
      .halted_o(halted_o),
      .fault_o(fault_o),
      .reason_o(reason),
      .pc_o(record_o[32+:32]),
      .address_o(record_o[64+:32]),
      .group_o(record_o[96+:96]),
      .sub_group_o(record_o[192+:32]),
      .lane_o(record_o[224+:32])
  );
  wire unused = &{1'b0, wb_instruction_i, wb_next_i, e3_bundle, wb_bundle};
endmodule

`default_nettype wire
