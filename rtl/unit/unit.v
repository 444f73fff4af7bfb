// SPDX-License-Identifier: Apache-2.0
// A compute unit: takes work-groups, runs their sub-groups to the end, reports the first fault. A barrel: a slot (the
// resident state of a sub-group) has at most one instruction in flight, so nothing is forwarded and nothing interlocks.
// One instruction a cycle for all lanes of a sub-group; 10 + TAIL cycles from issue to issue of a slot (README.md has
// the stages).
//
// This module only joins its parts: issue.v (stages se to rd), datapath.v (op to wr), residents.v (work-groups and the
// first fault), and the port to memory, which instruction fetch and data share.
`include "rtl/shape.vh"
`default_nettype none

module unit #(
    parameter LANES = 8,  // power of two, 1 to 32
    parameter SLOTS = 32,  // power of two, 4 to 128
    parameter GLOBAL_LOG2 = 28,  // log2 of the bytes of global memory, 16 to 31
    parameter FIRST_LOG2 = 12,  // log2 of its first address
    parameter CONTROL = 0,  // 1: control registers are memory, the upper half of GLOBAL_LOG2 bits of addresses
    parameter LOCAL_LOG2 = 15,  // log2 of the bytes of local memory
    parameter BEAT_LOG2 = 5,  // log2 of the bytes of a memory beat
    parameter FETCH_CACHE_LOG2 = 13,  // log2 of the bytes of the instruction cache
    parameter MUL = 1,  // 1: with multiplier
    parameter DIV = 1,  // 1: with divider
    parameter FPU = 1,  // 1: with floating point
    parameter BITMANIP = 1,  // 1: with Zba and Zbb
    parameter ATOMIC = 1,  // 1: with the A extension
    parameter COMPACT = 0,  // as in heddle.v
    parameter PAGES_LOG2 = 0,  // as in heddle.v
    parameter OWNER_BITS = $clog2(SLOTS),  // that at least
    parameter LABEL_BITS = `HEDDLE_UNIT_LABEL_BITS(LANES, SLOTS, BEAT_LOG2),  // that at least
    parameter BEAT_BYTES = 1 << BEAT_LOG2  // derived
) (
    input wire clk,
    input wire rst,

    // of the dispatch, what only a programmable unit needs
    input wire [           31:2] entry_i,         // PC of the kernel
    input wire [GLOBAL_LOG2-1:0] private_base_i,  // of this unit's private memory
    input wire [            4:0] private_log2_i,  // log2 of the bytes of a work-item's
    input wire [           63:0] clock_i,         // the device clock

    `include "rtl/compute_unit_ports.vh"
);
  localparam SLOT_BITS = $clog2(SLOTS), LEVELS = $clog2(LANES);
  // TAIL covers the trees across the lanes, and the FPU (4). It stays 4 without an FPU, for long wires; COMPACT makes
  // it 2.
  localparam LEAST_TAIL = COMPACT != 0 && FPU == 0 ? 2 : 4;
  localparam TAIL = LEVELS > LEAST_TAIL ? LEVELS : LEAST_TAIL;
  `include "rtl/unit/control.vh"
  `include "rtl/unit/bundle.vh"
  `include "rtl/unit/instruction.vh"

  // Clears all of the unit that belongs to a dispatch. Registered, because it fans out to the whole unit.
  reg clear;
  always @(posedge clk) clear <= rst || clear_i;

  // Labels and owners of requests: zeros above what the unit itself has. A label is {instruction fetch, load_store.v's
  // own}.
  localparam OWN_LABEL_BITS = `HEDDLE_UNIT_LABEL_BITS(LANES, SLOTS, BEAT_LOG2), DATA_LABEL_BITS = OWN_LABEL_BITS - 1;
  wire [OWN_LABEL_BITS-1:0] label;
  wire [SLOT_BITS-1:0] owner;
  wire [LABEL_BITS:0] wide_label = {{(LABEL_BITS + 1 - OWN_LABEL_BITS) {1'b0}}, label};
  wire [OWNER_BITS:0] wide_owner = {{(OWNER_BITS + 1 - SLOT_BITS) {1'b0}}, owner};
  assign request_label_o = wide_label[LABEL_BITS-1:0];
  assign request_owner_o = wide_owner[OWNER_BITS-1:0];

  // Between the parts.
  wire halted, gap, launch_valid, launch_taken, release_valid, op_carry_first;
  wire [SLOT_BITS-1:0] launch_slot, launch_group_slot, launch_sub_group, release_slot, asked_slot, asked_sub_group;
  wire [LANES-1:0] launch_lanes, asked_lanes;
  wire [LANES*30-1:0] launch_ids;
  wire [SLOT_BITS+4:0] de_read1, de_read2, de_read3;
  wire [SLOT_BITS+3:0] de_group_word;
  wire rd_go, rd_shuffle;
  wire [INSTRUCTION_BITS-1:0] rd_instruction, e1_instruction, e2_instruction, e3_instruction, wb_instruction;
  wire [`HEDDLE_OPERATION_BITS-1:0] rd_operation;
  wire [OPERAND_BITS-1:0] rd_operand;
  wire [31:0] rd_group_word, op_carry, wb_total;
  wire [LOCAL_LOG2-1:0] e1_local_base;
  wire divide_busy, divide_soon, divide_float_done, divide_wake, e1_wait, e2_local, e2_global;
  wire [SLOT_BITS-1:0] divide_slot, answered_slot;
  wire [LANES*32-1:0] e2_sum;
  wire [31:1] e3_target;
  wire [LANES-1:0] e3_lane_faults;
  wire [LANES*3-1:0] e3_codes;
  wire e3_memory, e3_commit, e3_retry, e3_wait, e3_again, e3_faults, e4_valid;
  wire answered, memory_full, memory_idle, memory_quiet, memory_wait, conflict, fetch_idle, refused;
  wire [`HEDDLE_REFUSAL_BITS(LANES, SLOT_BITS)-1:0] refusal;
  wire [`HEDDLE_ARRIVAL_BITS(SLOT_BITS)-1:0] e3_arrival;
  wire wb_valid, wb_ready, wb_arrive, wb_dead, wb_divergent;
  wire [NEXT_BITS-1:0] wb_next;
  wire fetch_valid, fetch_ready, fetch_response, data_valid, data_ready, data_response, data_response_ready;
  wire [1:0] data_kind;
  wire [GLOBAL_LOG2-1:0] fetch_address, data_address;
  wire [DATA_LABEL_BITS-1:0] data_label;

  issue #(
      .LANES(LANES),
      .SLOTS(SLOTS),
      .SLOT_BITS(SLOT_BITS),
      .LEVELS(LEVELS),
      .TAIL(TAIL),
      .GLOBAL_LOG2(GLOBAL_LOG2),
      .FIRST_LOG2(FIRST_LOG2),
      .BEAT_LOG2(BEAT_LOG2),
      .BEAT_BYTES(BEAT_BYTES),
      .FETCH_CACHE_LOG2(FETCH_CACHE_LOG2),
      .MUL(MUL),
      .DIV(DIV),
      .FPU(FPU),
      .BITMANIP(BITMANIP),
      .ATOMIC(ATOMIC)
  ) issue (
      .clk(clk),
      .rst(rst),
      .clear_i(clear),
      .halt_i(halted),
      .flush_i(start_i),
      .gap_i(gap),
      .launch_valid_i(launch_valid),
      .launch_taken_o(launch_taken),
      .launch_slot_i(launch_slot),
      .launch_group_slot_i(launch_group_slot),
      .launch_sub_group_i(launch_sub_group),
      .launch_lanes_i(launch_lanes),
      .entry_i(entry_i),
      .release_valid_i(release_valid),
      .release_slot_i(release_slot),
      .asked_slot_i(asked_slot),
      .asked_sub_group_o(asked_sub_group),
      .asked_lanes_o(asked_lanes),
      .fetch_valid_o(fetch_valid),
      .fetch_ready_i(fetch_ready),
      .fetch_address_o(fetch_address),
      .fetch_response_i(fetch_response),
      .response_data_i(response_data_i),
      .fetch_idle_o(fetch_idle),
      .de_read1_o(de_read1),
      .de_read2_o(de_read2),
      .de_read3_o(de_read3),
      .de_group_word_o(de_group_word),
      .rd_go_o(rd_go),
      .rd_instruction_o(rd_instruction),
      .rd_operation_o(rd_operation),
      .rd_operand_o(rd_operand),
      .rd_shuffle_o(rd_shuffle),
      .divide_busy_i(divide_busy),
      .divide_soon_i(divide_soon),
      .divide_float_done_i(divide_float_done),
      .divide_wake_i(divide_wake),
      .divide_slot_i(divide_slot),
      .e1_wait_i(e1_wait),
      .e1_slot_i(e1_instruction[I_BUNDLE+B_SLOT+:SLOT_BITS]),
      .e2_instruction_i(e2_instruction),
      .e2_local_i(e2_local),
      .e2_global_i(e2_global),
      .e3_instruction_i(e3_instruction),
      .e3_commit_i(e3_commit),
      .e3_memory_i(e3_memory),
      .e3_retry_i(e3_retry),
      .e3_wait_o(e3_wait),
      .memory_full_i(memory_full),
      .answered_i(answered),
      .answered_slot_i(answered_slot),
      .wb_valid_i(wb_valid),
      .wb_ready_i(wb_ready),
      .wb_slot_i(wb_instruction[I_BUNDLE+B_SLOT+:SLOT_BITS]),
      .wb_next_i(wb_next),
      .memory_wait_o(memory_wait)
  );

  datapath #(
      .LANES(LANES),
      .SLOTS(SLOTS),
      .SLOT_BITS(SLOT_BITS),
      .LEVELS(LEVELS),
      .TAIL(TAIL),
      .GLOBAL_LOG2(GLOBAL_LOG2),
      .FIRST_LOG2(FIRST_LOG2),
      .CONTROL(CONTROL),
      .LOCAL_LOG2(LOCAL_LOG2),
      .BEAT_LOG2(BEAT_LOG2),
      .MUL(MUL),
      .DIV(DIV),
      .FPU(FPU),
      .BITMANIP(BITMANIP),
      .COMPACT(COMPACT),
      .PAGES_LOG2(PAGES_LOG2),
      .BEAT_BYTES(BEAT_BYTES),
      .LABEL_BITS(DATA_LABEL_BITS)
  ) datapath (
      .clk(clk),
      .rst(rst),
      .clear_i(clear),
      .packet_i(packet_i),
      .sub_group_log2_i(sub_group_log2_i),
      .local_bytes_i(local_bytes_i[LOCAL_LOG2:0]),
      .private_base_i(private_base_i),
      .private_log2_i(private_log2_i),
      .clock_i(clock_i),
      .rights_i(rights_i),
      .de_read1_i(de_read1),
      .de_read2_i(de_read2),
      .de_read3_i(de_read3),
      .rd_go_i(rd_go),
      .rd_instruction_i(rd_instruction),
      .rd_operation_i(rd_operation),
      .rd_operand_i(rd_operand),
      .rd_shuffle_i(rd_shuffle),
      .rd_group_word_i(rd_group_word),
      .gap_o(gap),
      .launch_ids_i(launch_ids),
      .op_carry_i(op_carry),
      .op_carry_first_i(op_carry_first),
      .e1_local_base_i(e1_local_base),
      .e1_instruction_o(e1_instruction),
      .e1_wait_o(e1_wait),
      .e2_instruction_o(e2_instruction),
      .e2_local_o(e2_local),
      .e2_global_o(e2_global),
      .e2_sum_o(e2_sum),
      .e3_instruction_o(e3_instruction),
      .e3_target_o(e3_target),
      .e3_lane_faults_o(e3_lane_faults),
      .e3_codes_o(e3_codes),
      .e3_memory_o(e3_memory),
      .e3_commit_o(e3_commit),
      .e3_retry_o(e3_retry),
      .e3_faults_o(e3_faults),
      .e3_arrival_i(e3_arrival),
      .e3_wait_i(e3_wait),
      .e4_valid_o(e4_valid),
      .e3_again_o(e3_again),
      .divide_busy_o(divide_busy),
      .divide_soon_o(divide_soon),
      .divide_float_done_o(divide_float_done),
      .divide_wake_o(divide_wake),
      .divide_slot_o(divide_slot),
      .answered_o(answered),
      .answered_slot_o(answered_slot),
      .memory_full_o(memory_full),
      .memory_idle_o(memory_idle),
      .memory_quiet_o(memory_quiet),
      .refused_o(refused),
      .refusal_o(refusal),
      .conflict_o(conflict),
      .request_valid_o(data_valid),
      .request_ready_i(data_ready),
      .request_kind_o(data_kind),
      .request_function_o(request_function_o),
      .request_address_o(data_address),
      .request_data_o(request_data_o),
      .request_strobe_o(request_strobe_o),
      .request_owner_o(owner),
      .request_label_o(data_label),
      .response_valid_i(data_response),
      .response_ready_o(data_response_ready),
      .response_data_i(response_data_i),
      .response_label_i(response_label_i[DATA_LABEL_BITS-1:0]),
      .wb_valid_o(wb_valid),
      .wb_ready_o(wb_ready),
      .wb_arrive_o(wb_arrive),
      .wb_dead_o(wb_dead),
      .wb_divergent_o(wb_divergent),
      .wb_instruction_o(wb_instruction),
      .wb_next_o(wb_next),
      .wb_total_o(wb_total)
  );

  wire groups_idle;
  residents #(
      .LANES(LANES),
      .SLOTS(SLOTS),
      .SLOT_BITS(SLOT_BITS),
      .TAIL(TAIL),
      .LOCAL_LOG2(LOCAL_LOG2),
      .FPU(FPU),
      .PAGES_LOG2(PAGES_LOG2)
  ) residents (
      .clk(clk),
      .clear_i(clear),
      .start_i(start_i),
      .sub_groups_i(sub_groups_i[SLOT_BITS:0]),
      .local_bytes_i(local_bytes_i[LOCAL_LOG2:0]),
      .sub_group_log2_i(sub_group_log2_i),
      .group_valid_i(group_valid_i),
      .group_ready_o(group_ready_o),
      .group_id_i(group_id_i),
      .group_base_i(group_base_i),
      .group_size_i(group_size_i),
      .group_done_o(group_done_o),
      .idle_o(groups_idle),
      .launch_valid_o(launch_valid),
      .launch_taken_i(launch_taken),
      .launch_slot_o(launch_slot),
      .launch_group_slot_o(launch_group_slot),
      .launch_sub_group_o(launch_sub_group),
      .launch_lanes_o(launch_lanes),
      .launch_ids_o(launch_ids),
      .release_valid_o(release_valid),
      .release_slot_o(release_slot),
      .op_carry_o(op_carry),
      .op_carry_first_o(op_carry_first),
      .de_group_word_i(de_group_word),
      .rd_group_word_o(rd_group_word),
      .rd_slot_i(rd_instruction[I_BUNDLE+B_SLOT+:SLOT_BITS]),
      .e1_group_slot_i(e1_instruction[I_BUNDLE+B_GROUP_SLOT+:SLOT_BITS]),
      .e1_local_base_o(e1_local_base),
      .e2_sum_i(e2_sum),
      .e3_instruction_i(e3_instruction),
      .e3_target_i(e3_target),
      .e3_faults_i(e3_faults),
      .e3_lane_faults_i(e3_lane_faults),
      .e3_codes_i(e3_codes),
      .e3_arrival_o(e3_arrival),
      .refused_i(refused),
      .refusal_i(refusal),
      .wb_valid_i(wb_valid),
      .wb_arrive_i(wb_arrive),
      .wb_dead_i(wb_dead),
      .wb_divergent_i(wb_divergent),
      .wb_instruction_i(wb_instruction),
      .wb_next_i(wb_next),
      .wb_total_i(wb_total),
      .asked_slot_o(asked_slot),
      .asked_sub_group_i(asked_sub_group),
      .asked_lanes_i(asked_lanes),
      .stop_i(stop_i),
      .stop_reason_i(stop_reason_i),
      .quiet_i(memory_quiet && fetch_idle && (!divide_busy || divide_float_done)),
      .halted_o(halted),
      .fault_o(fault_o),
      .drained_o(drained_o),
      .record_o(fault_record_o)
  );
  assign idle_o = groups_idle && memory_idle;

  request_port #(
      .ADDRESS_BITS(GLOBAL_LOG2),
      .LABEL_BITS  (DATA_LABEL_BITS)
  ) request_port (
      .fetch_valid_i(fetch_valid),
      .fetch_ready_o(fetch_ready),
      .fetch_address_i(fetch_address),
      .fetch_response_o(fetch_response),
      .data_valid_i(data_valid),
      .data_ready_o(data_ready),
      .data_kind_i(data_kind),
      .data_address_i(data_address),
      .data_label_i(data_label),
      .data_response_o(data_response),
      .data_response_ready_i(data_response_ready),
      .request_valid_o(request_valid_o),
      .request_ready_i(request_ready_i),
      .request_kind_o(request_kind_o),
      .request_address_o(request_address_o),
      .request_label_o(label),
      .response_valid_i(response_valid_i),
      .response_ready_o(response_ready_o),
      .response_fetch_i(response_label_i[DATA_LABEL_BITS])
  );

  wire unused = &{1'b0, sub_groups_i, local_bytes_i, response_label_i, wide_label, wide_owner, e1_instruction};

  // For the performance counters.
  events #(
      .LANES(LANES),
      .SLOT_BITS(SLOT_BITS)
  ) events (
      .clk(clk),
      .e3_instruction_i(e3_instruction),
      .e3_commit_i(e3_commit),
      .e3_again_i(e3_again),
      .e4_valid_i(e4_valid),
      .conflict_i(conflict),
      .memory_wait_i(memory_wait),
      .issued_o(issued_o),
      .active_o(active_o),
      .memory_wait_o(memory_wait_o),
      .conflict_o(conflict_o)
  );

`ifdef HEDDLE_TRACE
  wire [SLOT_BITS-1:0] e3_group_slot = e3_instruction[I_BUNDLE+B_GROUP_SLOT+:SLOT_BITS];
  wire [95:0] e3_group = {
    residents.work_groups.words[{e3_group_slot, 4'd5}],
    residents.work_groups.words[{e3_group_slot, 4'd4}],
    residents.work_groups.words[{e3_group_slot, 4'd3}]
  };
  wire [LANES*32-1:0] write_value;
  genvar n;
  generate
    for (n = 0; n < LANES; n = n + 1) begin : traced
      assign write_value[n*32+:32] = datapath.execute.lanes[n].lane.write_value;
    end
  endgenerate
  trace #(
      .LANES(LANES),
      .SLOT_BITS(SLOT_BITS)
  ) trace (
      .clk(clk),
      .halted_i(halted),
      .e2_sum_i(e2_sum),
      .e3_instruction_i(e3_instruction),
      .e3_group_i(e3_group),
      .e3_commit_i(e3_commit),
      .e3_memory_i(e3_memory),
      .e3_again_i(e3_again),
      .e3_stored_i(datapath.e3_store),
      .wb_instruction_i(wb_instruction),
      .wb_write_i(datapath.wb_write),
      .wb_again_i(datapath.wb_again || wb_arrive),
      .write_address_i(datapath.execute.register_address),
      .write_lanes_i(datapath.execute.register_write),
      .write_value_i(write_value)
  );
`endif
endmodule

`default_nettype wire
