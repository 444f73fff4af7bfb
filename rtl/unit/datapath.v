// SPDX-License-Identifier: Apache-2.0
// Stages op to wr of a unit: what an instruction computes, where its lanes go next, and at e3 the decision: it takes
// effect, faults, or leaves the pipeline and tries again later. Holds the registers that carry an instruction from
// stage to stage. One instruction a cycle; TAIL + 3 cycles from op to wb, where what the slot does next is known.
`include "rtl/shape.vh"
`default_nettype none

module datapath #(
    parameter LANES = 8,  // these as in unit.v
    parameter SLOTS = 32,
    parameter SLOT_BITS = 5,  // log2(SLOTS)
    parameter LEVELS = 3,  // log2(LANES)
    parameter TAIL = 4,  // stages from e3 to wb
    parameter GLOBAL_LOG2 = 28,
    parameter FIRST_LOG2 = 12,
    parameter CONTROL = 0,
    parameter LOCAL_LOG2 = 15,
    parameter BEAT_LOG2 = 5,
    parameter MUL = 1,
    parameter DIV = 1,
    parameter FPU = 1,
    parameter BITMANIP = 1,
    parameter COMPACT = 0,
    parameter PAGES_LOG2 = 0,
    parameter BEAT_BYTES = 32,
    parameter LABEL_BITS = 62  // of a label; load_store.v
) (
    input wire clk,
    input wire rst,
    input wire clear_i, // nothing of the dispatch is left

    // the dispatch
    input wire [                   31:0] packet_i,
    input wire [                    2:0] sub_group_log2_i,
    input wire [           LOCAL_LOG2:0] local_bytes_i,
    input wire [        GLOBAL_LOG2-1:0] private_base_i,
    input wire [                    4:0] private_log2_i,
    input wire [                   63:0] clock_i,
    input wire [`HEDDLE_RIGHTS_BITS-1:0] rights_i,

    // the instruction comes (issue.v)
    input wire [SLOT_BITS+4:0] de_read1_i,
    input wire [SLOT_BITS+4:0] de_read2_i,
    input wire [SLOT_BITS+4:0] de_read3_i,
    input wire rd_go_i,
    input wire [`HEDDLE_INSTRUCTION_BITS(LANES, SLOT_BITS)-1:0] rd_instruction_i,
    input wire [`HEDDLE_OPERATION_BITS-1:0] rd_operation_i,
    input wire [`HEDDLE_OPERAND_BITS-1:0] rd_operand_i,
    input wire rd_shuffle_i,
    input wire [31:0] rd_group_word_i,  // word of the work-group
    output wire gap_o,  // stage se: nothing may issue

    // its work-group
    input wire [LANES*30-1:0] launch_ids_i,  // local ids of a new sub-group
    input wire [31:0] op_carry_i,  // what a work-group collective brings in its second pass
    input wire op_carry_first_i,  // nothing: the first sub-group's
    input wire [LOCAL_LOG2-1:0] e1_local_base_i,  // where its local memory starts

    // its stages, as others see them
    output reg [`HEDDLE_INSTRUCTION_BITS(LANES, SLOT_BITS)-1:0] e1_instruction_o,
    output wire e1_wait_o,  // leaves the pipeline, because the divider is not free
    output reg [`HEDDLE_INSTRUCTION_BITS(LANES, SLOT_BITS)-1:0] e2_instruction_o,
    output wire e2_local_o,  // some lanes are in local memory
    output wire e2_global_o,  // some are in global memory
    output wire [LANES*32-1:0] e2_sum_o,  // of each lane: address, or target of a jump by register
    output reg [`HEDDLE_INSTRUCTION_BITS(LANES, SLOT_BITS)-1:0] e3_instruction_o,
    output reg [31:1] e3_target_o,  // of another jump, and a branch
    output wire [LANES-1:0] e3_lane_faults_o,
    output wire [LANES*3-1:0] e3_codes_o,  // reason of each lane
    output wire e3_memory_o,  // a memory operation
    output wire e3_commit_o,  // it takes effect
    output wire e3_retry_o,  // it leaves the pipeline
    output wire e3_faults_o,
    input wire [`HEDDLE_ARRIVAL_BITS(SLOT_BITS)-1:0] e3_arrival_i,  // of its work-group
    input wire e3_wait_i,  // loads in the other memory must end first
    output wire e4_valid_o,  // an instruction took effect in the cycle before
    output wire e3_again_o,  // a sum of floats, and not its last pass

    // the divider
    output wire                 divide_busy_o,
    output wire                 divide_soon_o,        // an instruction that comes from now on finds it free
    output wire                 divide_float_done_o,  // it has the digits of a division of floats
    output wire                 divide_wake_o,        // its slot goes on
    output wire [SLOT_BITS-1:0] divide_slot_o,

    // loads and stores
    output wire                 answered_o,       // the last answer to a load has been written
    output wire [SLOT_BITS-1:0] answered_slot_o,
    output wire                 memory_full_o,    // no room for a memory operation
    output wire                 memory_idle_o,    // none is under way
    output wire                 memory_quiet_o,   // none is under way, but one may wait that is refused
    output wire                 refused_o,        // one was refused
    output wire                 conflict_o,       // a cycle lost to conflicts

    output wire [`HEDDLE_REFUSAL_BITS(LANES, SLOT_BITS)-1:0] refusal_o,

    // beats of global memory
    output wire                    request_valid_o,
    input  wire                    request_ready_i,
    output wire [             1:0] request_kind_o,      // 0 load, 1 store, 2 atomic
    output wire [             4:0] request_function_o,  // of an atomic: funct5
    output wire [ GLOBAL_LOG2-1:0] request_address_o,
    output wire [8*BEAT_BYTES-1:0] request_data_o,
    output wire [  BEAT_BYTES-1:0] request_strobe_o,
    output wire [   SLOT_BITS-1:0] request_owner_o,
    output wire [  LABEL_BITS-1:0] request_label_o,
    input  wire                    response_valid_i,
    output wire                    response_ready_o,
    input  wire [8*BEAT_BYTES-1:0] response_data_i,
    input  wire [  LABEL_BITS-1:0] response_label_i,

    // stage wb: an instruction ends
    output wire wb_valid_o,
    output wire wb_ready_o,  // and its slot may issue again
    output wire wb_arrive_o,  // at a work-group collective
    output wire wb_dead_o,  // no lane is live
    output wire wb_divergent_o,  // all lanes are parked, and not at one PC
    output wire [`HEDDLE_INSTRUCTION_BITS(LANES, SLOT_BITS)-1:0] wb_instruction_o,
    output wire [`HEDDLE_NEXT_BITS(LANES)-1:0] wb_next_o,  // what the slot does next
    output wire [31:0] wb_total_o  // of all lanes, for the work-group
);
  `include "rtl/lane/operation.vh"
  `include "rtl/unit/control.vh"
  `include "rtl/unit/bundle.vh"
  `include "rtl/unit/instruction.vh"

  // ---- from stage to stage.
  reg op_valid, e1_valid, e2_valid, e3_valid;
  reg [TAIL-1:0] tail_valid;  // in the stages behind e3
  reg [INSTRUCTION_BITS-1:0] op_instruction;
  wire [31:1] op_target;
  reg [31:1] e1_target, e2_target;
  wire e1_retry;
  always @(posedge clk) begin
    op_valid <= rd_go_i;
    e1_valid <= op_valid && !clear_i;
    e2_valid <= e1_valid && !e1_retry && !clear_i;
    e3_valid <= e2_valid && !clear_i;
    tail_valid <= clear_i ? {TAIL{1'b0}} : {tail_valid[TAIL-2:0], e3_commit_o};
    op_instruction <= rd_instruction_i;
    e1_instruction_o <= op_instruction;
    e2_instruction_o <= e1_instruction_o;
    e3_instruction_o <= e2_instruction_o;
    {e1_target, e2_target, e3_target_o} <= {op_target, e1_target, e2_target};
  end
  wire [BUNDLE_BITS-1:0] e3_bundle = e3_instruction_o[I_BUNDLE+:BUNDLE_BITS];
  wire [PASS_BITS-1:0] wb_pass = wb_instruction_o[I_BUNDLE+B_PASS+:PASS_BITS];
  wire [CONTROL_BITS-1:0] e2_control = e2_instruction_o[I_CONTROL+:CONTROL_BITS];
  wire [CONTROL_BITS-1:0] e3_control = e3_instruction_o[I_CONTROL+:CONTROL_BITS];

  // ---- e3: the instruction takes effect, or tries again later, or faults.
  wire e3_wrong = e3_instruction_o[I_ILLEGAL] || e3_instruction_o[I_BAD_FETCH];
  wire e3_bad = e3_wrong || (|e3_lane_faults_o);
  assign e3_memory_o = (e3_control[C_LOAD] || e3_control[C_STORE] || e3_control[C_ATOMIC]) && !e3_wrong;
  assign e3_retry_o  = e3_valid && e3_memory_o && !e3_bad && (memory_full_o || e3_wait_i);
  assign e3_faults_o = e3_valid && e3_bad;
  assign e3_commit_o = e3_valid && !e3_bad && !e3_retry_o;
  assign e4_valid_o  = tail_valid[0];
  // Its lanes wait for others of the sub-group, or the sub-group for others of the work-group.
  wire e3_converged = e3_bundle[B_CONVERGED];
  wire e3_park = e3_control[C_CONVERGES] && !e3_converged;
  wire e3_arrive = e3_control[C_CONVERGES] && e3_converged && e3_control[C_WORK_GROUP] && !e3_bundle[B_SECOND] &&
                   !e3_again_o;

  // A sum of floats keeps in rd what it has when it arrives, and comes back with another pass.
  wire e3_gives = e3_control[C_WRITES] && !e3_park && (!e3_arrive || e3_control[C_SUM]);

  // ---- e3 to wb.
  wire [PC-1:0] e2_link, last_link, wb_next_pc;
  wire [LANES-1:0] e3_live, wb_live, wb_next_lanes;
  wire wb_again, wb_gives, wb_all_parked;
  reg [PC-1:0] e3_link;
  always @(posedge clk) e3_link <= e2_control[C_RESULT+:3] == RESULT_LINK ? e2_link : 30'd0;
  delay #(
      .WIDTH (PC),
      .CYCLES(TAIL - 1)
  ) carry_link (
      .clk(clk),
      .value_i(e3_link),
      .value_o(last_link)
  );
  delay #(
      .WIDTH (3 + LANES + INSTRUCTION_BITS),
      .CYCLES(TAIL)
  ) carry_instruction (
      .clk(clk),
      .value_i({e3_again_o, e3_arrive, e3_gives, e3_live, e3_instruction_o}),
      .value_o({wb_again, wb_arrive_o, wb_gives, wb_live, wb_instruction_o})
  );
  assign wb_valid_o = tail_valid[TAIL-1];
  wire wb_write = wb_valid_o && wb_gives;
  wire wb_all_agree = wb_next_lanes == wb_live;
  assign wb_divergent_o = wb_valid_o && wb_all_parked && !wb_all_agree;
  assign wb_ready_o = wb_valid_o && !wb_dead_o && !wb_divergent_o && !wb_instruction_o[I_CONTROL+C_DIVIDE] &&
                      !wb_arrive_o;
  wire wb_more = wb_again || (wb_arrive_o && wb_instruction_o[I_CONTROL+C_SUM]);
  wire wb_second = wb_arrive_o && wb_instruction_o[I_CONTROL+C_COLLECTIVE];
  assign wb_next_o = {wb_second, wb_more ? wb_pass + 1'b1 : {PASS_BITS{1'b0}}, wb_next_pc, wb_next_lanes, wb_all_agree};

  // ---- op to wr: what the lanes compute.
  wire [LANES-1:0] e2_taken;
  wire [LANES*32-1:0] e3_store, e2_word, e2_shuffled, load_value;
  wire [LANES*LANES-1:0] e2_from;
  wire e1_shuffles, load_valid, load_ready, load_drop, load_last;
  wire [4:0] load_rd;
  wire [SLOT_BITS-1:0] load_slot;
  wire [LANES-1:0] load_lanes;
  execute #(
      .LANES(LANES),
      .SLOT_BITS(SLOT_BITS),
      .LEVELS(LEVELS),
      .TAIL(TAIL),
      .MUL(MUL),
      .DIV(DIV),
      .FPU(FPU),
      .BITMANIP(BITMANIP),
      .COMPACT(COMPACT)
  ) execute (
      .clk(clk),
      .clear_i(clear_i),
      .packet_i(packet_i),
      .private_log2_i(private_log2_i),
      .sub_group_log2_i(sub_group_log2_i),
      .clock_i(clock_i),
      .de_read1_i(de_read1_i),
      .de_read2_i(de_read2_i),
      .de_read3_i(de_read3_i),
      .rd_operand_i(rd_operand_i),
      .rd_operation_i(rd_operation_i),
      .rd_group_word_i(rd_group_word_i),
      .rd_instruction_i(rd_instruction_i),
      .op_instruction_i(op_instruction),
      .e1_instruction_i(e1_instruction_o),
      .e2_instruction_i(e2_instruction_o),
      .e3_instruction_i(e3_instruction_o),
      .op_valid_i(op_valid),
      .e1_valid_i(e1_valid),
      .launch_ids_i(launch_ids_i),
      .op_carry_i(op_carry_i),
      .op_carry_first_i(op_carry_first_i),
      .e3_again_i(e3_again_o),
      .e3_aside_i(e3_park || e3_arrive),
      .op_target_o(op_target),
      .e1_retry_o(e1_retry),
      .e1_wait_o(e1_wait_o),
      .e2_sum_o(e2_sum_o),
      .e2_taken_o(e2_taken),
      .e3_store_o(e3_store),
      .e1_shuffles_o(e1_shuffles),
      .e2_word_o(e2_word),
      .e2_from_o(e2_from),
      .e2_shuffled_i(e2_shuffled),
      .last_valid_i(tail_valid[TAIL-2]),
      .last_link_i(last_link),
      .wb_write_i(wb_write),
      .wb_again_i(wb_again),
      .wb_instruction_i(wb_instruction_o),
      .wb_total_o(wb_total_o),
      .gap_o(gap_o),
      .divide_busy_o(divide_busy_o),
      .divide_soon_o(divide_soon_o),
      .divide_float_done_o(divide_float_done_o),
      .divide_wake_o(divide_wake_o),
      .divide_slot_o(divide_slot_o),
      .load_valid_i(load_valid),
      .load_ready_o(load_ready),
      .load_slot_i(load_slot),
      .load_rd_i(load_rd),
      .load_lanes_i(load_lanes),
      .load_value_i(load_value),
      .load_drop_i(load_drop),
      .load_last_i(load_last),
      .answered_o(answered_o),
      .answered_slot_o(answered_slot_o)
  );

  // ---- e1 to wb: which lanes run next.
  next_pc #(
      .LANES(LANES),
      .SLOTS(SLOTS),
      .SLOT_BITS(SLOT_BITS),
      .LEVELS(LEVELS),
      .TAIL(TAIL),
      .COMPACT(COMPACT)
  ) next_pc (
      .clk(clk),
      .e1_bundle_i(e1_instruction_o[I_BUNDLE+:BUNDLE_BITS]),
      .e1_control_i(e1_instruction_o[I_CONTROL+:CONTROL_BITS]),
      .e2_bundle_i(e2_instruction_o[I_BUNDLE+:BUNDLE_BITS]),
      .e2_exit_i(e2_control[C_EXIT]),
      .e2_taken_i(e2_taken),
      .e2_sum_i(e2_sum_o),
      .e2_target_i(e2_target[31:2]),
      .e2_link_o(e2_link),
      .e3_slot_i(e3_bundle[B_SLOT+:SLOT_BITS]),
      .e3_again_o(e3_again_o),
      .e3_live_o(e3_live),
      .e4_commit_i(e4_valid_o),
      .wb_dead_o(wb_dead_o),
      .wb_all_parked_o(wb_all_parked),
      .wb_pc_o(wb_next_pc),
      .wb_lanes_o(wb_next_lanes)
  );

  // ---- e2, e3: addresses, memory operations and their late register writes.
  access #(
      .LANES(LANES),
      .SLOT_BITS(SLOT_BITS),
      .LEVELS(LEVELS),
      .GLOBAL_LOG2(GLOBAL_LOG2),
      .FIRST_LOG2(FIRST_LOG2),
      .CONTROL(CONTROL),
      .LOCAL_LOG2(LOCAL_LOG2),
      .BEAT_LOG2(BEAT_LOG2),
      .COMPACT(COMPACT),
      .PAGES_LOG2(PAGES_LOG2),
      .BEAT_BYTES(BEAT_BYTES),
      .LABEL_BITS(LABEL_BITS)
  ) access (
      .clk(clk),
      .rst(rst),
      .clear_i(clear_i),
      .rights_i(rights_i),
      .local_bytes_i(local_bytes_i),
      .private_base_i(private_base_i),
      .private_log2_i(private_log2_i),
      .op_instruction_i(op_instruction),
      .e1_instruction_i(e1_instruction_o),
      .e1_off_i(e1_target[1]),
      .e1_local_base_i(e1_local_base_i),
      .e2_instruction_i(e2_instruction_o),
      .e2_sum_i(e2_sum_o),
      .e2_taken_i(e2_taken),
      .e2_local_o(e2_local_o),
      .e2_global_o(e2_global_o),
      .e3_instruction_i(e3_instruction_o),
      .e3_store_i(e3_store),
      .e3_lane_faults_o(e3_lane_faults_o),
      .e3_codes_o(e3_codes_o),
      .e3_begin_i(e3_commit_o && e3_bundle[B_LAUNCH]),
      .e3_push_i(e3_commit_o && e3_memory_o),
      .e3_arrival_i(e3_arrival_i),
      .full_o(memory_full_o),
      .idle_o(memory_idle_o),
      .quiet_o(memory_quiet_o),
      .refused_o(refused_o),
      .refusal_o(refusal_o),
      .conflict_o(conflict_o),
      .rd_shuffle_i(rd_shuffle_i),
      .e1_shuffle_i(e1_shuffles),
      .e2_word_i(e2_word),
      .e2_from_i(e2_from),
      .e2_shuffled_o(e2_shuffled),
      .load_valid_o(load_valid),
      .load_ready_i(load_ready),
      .load_rd_o(load_rd),
      .load_slot_o(load_slot),
      .load_lanes_o(load_lanes),
      .load_value_o(load_value),
      .load_drop_o(load_drop),
      .load_last_o(load_last),
      `include "rtl/memory/request_passed.vh"
  );
endmodule

`default_nettype wire
