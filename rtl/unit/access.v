// SPDX-License-Identifier: Apache-2.0
// Memory operations of a unit: the lanes' addresses are checked at e2, their faults stand at e3, and an operation that
// takes effect there is queued. Loads and atomics come back as register writes, in any order of slots; stores do not
// come back. One operation a cycle is accepted while full_o is 0; what it then takes is in rtl/memory/README.md.
`include "rtl/shape.vh"
`default_nettype none

module access #(
    parameter LANES = 8,  // these as in unit.v
    parameter SLOT_BITS = 5,  // log2(SLOTS)
    parameter LEVELS = 3,  // log2(LANES)
    parameter GLOBAL_LOG2 = 28,
    parameter FIRST_LOG2 = 12,
    parameter CONTROL = 0,
    parameter LOCAL_LOG2 = 15,
    parameter BEAT_LOG2 = 5,
    parameter COMPACT = 0,
    parameter PAGES_LOG2 = 0,
    parameter BEAT_BYTES = 32,
    parameter LABEL_BITS = 62  // of a label; load_store.v
) (
    input wire clk,
    input wire rst,
    input wire clear_i, // nothing of the dispatch is left

    // the dispatch
    input wire [`HEDDLE_RIGHTS_BITS-1:0] rights_i,        // as in rtl/memory/rights.v
    input wire [           LOCAL_LOG2:0] local_bytes_i,
    input wire [        GLOBAL_LOG2-1:0] private_base_i,
    input wire [                    4:0] private_log2_i,

    // the instruction, stage by stage (instruction.vh)
    input wire [`HEDDLE_INSTRUCTION_BITS(LANES, SLOT_BITS)-1:0] op_instruction_i,
    input wire [`HEDDLE_INSTRUCTION_BITS(LANES, SLOT_BITS)-1:0] e1_instruction_i,
    input wire e1_off_i,  // the target is no word's address
    input wire [LOCAL_LOG2-1:0] e1_local_base_i,  // of the work-group's local memory
    input wire [`HEDDLE_INSTRUCTION_BITS(LANES, SLOT_BITS)-1:0] e2_instruction_i,
    input wire [LANES*32-1:0] e2_sum_i,  // addresses, or targets
    input wire [LANES-1:0] e2_taken_i,  // branches
    output wire e2_local_o,  // there are lanes in local memory
    output wire e2_global_o,  // there are lanes in global memory
    input wire [`HEDDLE_INSTRUCTION_BITS(LANES, SLOT_BITS)-1:0] e3_instruction_i,
    input wire [LANES*32-1:0] e3_store_i,  // data of a store
    output wire [LANES-1:0] e3_lane_faults_o,
    output wire [LANES*3-1:0] e3_codes_o,  // reason of each lane
    input wire e3_begin_i,  // a new sub-group begins in the slot
    input wire e3_push_i,  // a memory operation takes effect
    input wire [`HEDDLE_ARRIVAL_BITS(SLOT_BITS)-1:0] e3_arrival_i,  // of its work-group
    output wire full_o,  // there is no room for one
    output wire idle_o,  // none is under way
    output wire quiet_o,  // none is under way, but one may wait that is refused
    output wire refused_o,  // one was refused: no right to the page
    output wire [`HEDDLE_REFUSAL_BITS(LANES, SLOT_BITS)-1:0] refusal_o,  // fault_record.v
    output wire conflict_o,  // a cycle lost to conflicts

    // shuffles use the crossbar
    input  wire                   rd_shuffle_i,
    input  wire                   e1_shuffle_i,
    input  wire [   LANES*32-1:0] e2_word_i,
    input  wire [LANES*LANES-1:0] e2_from_i,
    output wire [   LANES*32-1:0] e2_shuffled_o,

    // register writes
    output wire                 load_valid_o,
    input  wire                 load_ready_i,
    output wire [          4:0] load_rd_o,
    output wire [SLOT_BITS-1:0] load_slot_o,
    output wire [    LANES-1:0] load_lanes_o,
    output wire [ LANES*32-1:0] load_value_o,
    output wire                 load_drop_o,   // rd is x0
    output wire                 load_last_o,   // the operation is complete with this

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
    input  wire [  LABEL_BITS-1:0] response_label_i
);
  `include "rtl/unit/control.vh"
  `include "rtl/unit/bundle.vh"
  `include "rtl/unit/instruction.vh"
  wire [2:0] e3_funct3 = e3_instruction_i[I_FUNCT3+:3];
  wire [LANES-1:0] e3_local;  // else in global memory
  wire [LANES*GLOBAL_LOG2-1:0] e3_address;  // in that memory
  lane_addresses #(
      .LANES(LANES),
      .SLOT_BITS(SLOT_BITS),
      .LEVELS(LEVELS),
      .GLOBAL_LOG2(GLOBAL_LOG2),
      .FIRST_LOG2(FIRST_LOG2),
      .CONTROL(CONTROL),
      .LOCAL_LOG2(LOCAL_LOG2)
  ) lane_addresses (
      .clk(clk),
      .local_bytes_i(local_bytes_i),
      .private_base_i(private_base_i),
      .private_log2_i(private_log2_i),
      .op_slot_i(op_instruction_i[I_BUNDLE+B_SLOT+:SLOT_BITS]),
      .e1_lanes_i(e1_instruction_i[I_BUNDLE+B_LANES+:LANES]),
      .e1_control_i(e1_instruction_i[I_CONTROL+:CONTROL_BITS]),
      .e1_size_i(e1_instruction_i[I_FUNCT3+:2]),
      .e1_off_i(e1_off_i),
      .e1_local_base_i(e1_local_base_i),
      .e2_lanes_i(e2_instruction_i[I_BUNDLE+B_LANES+:LANES]),
      .e2_size_i(e2_instruction_i[I_FUNCT3+:2]),
      .e2_sum_i(e2_sum_i),
      .e2_taken_i(e2_taken_i),
      .e2_some_local_o(e2_local_o),
      .e2_some_global_o(e2_global_o),
      .e3_local_o(e3_local),
      .e3_address_o(e3_address),
      .e3_fault_o(e3_codes_o),
      .e3_faults_o(e3_lane_faults_o)
  );
  // What is kept of an operation in case that it is refused: the sub-group may have gone on, and ended.
  localparam TAG_BITS = PC + SLOT_BITS + `HEDDLE_ARRIVAL_BITS(SLOT_BITS);
  wire [TAG_BITS-1:0] refused_tag;
  wire [SLOT_BITS-1:0] refused_slot;
  wire [4:0] refused_rd;
  wire [LANES-1:0] refused_lanes;
  wire [31:0] refused_address;
  assign refusal_o = {refused_address, refused_lanes, refused_tag};
  load_store #(
      .LANES(LANES),
      .SLOT_BITS(SLOT_BITS),
      .ADDRESS_BITS(GLOBAL_LOG2),
      .LOCAL_LOG2(LOCAL_LOG2),
      .BEAT_LOG2(BEAT_LOG2),
      .COMPACT(COMPACT),
      .PAGES_LOG2(PAGES_LOG2),
      .TAG_BITS(TAG_BITS)
  ) load_store (
      .clk(clk),
      .rst(rst),
      .clear_i(clear_i),
      .begin_i(e3_begin_i),
      .push_i(e3_push_i),
      .store_i(e3_instruction_i[I_CONTROL+C_STORE]),
      .atomic_i(e3_instruction_i[I_CONTROL+C_ATOMIC]),
      .function_i(e3_instruction_i[I_CONTROL+C_FUNCTION+:5]),
      .unsigned_i(e3_funct3[2]),
      .rd_i(e3_instruction_i[I_RD+:5]),
      .slot_i(e3_instruction_i[I_BUNDLE+B_SLOT+:SLOT_BITS]),
      .size_i(e3_funct3[1:0]),
      .lanes_i(e3_instruction_i[I_BUNDLE+B_LANES+:LANES]),
      .local_i(e3_local),
      .address_i(e3_address),
      .data_i(e3_store_i),
      .tag_i({e3_instruction_i[I_BUNDLE+B_PC+:PC], e3_instruction_i[I_BUNDLE+B_SUB_GROUP+:SLOT_BITS], e3_arrival_i}),
      .rights_i(rights_i),
      .refused_o(refused_o),
      .refused_tag_o(refused_tag),
      .refused_slot_o(refused_slot),
      .refused_rd_o(refused_rd),
      .refused_lanes_o(refused_lanes),
      .refused_address_o(refused_address),
      .quiet_o(quiet_o),
      .rd_shuffle_i(rd_shuffle_i),
      .e1_shuffle_i(e1_shuffle_i),
      .e2_word_i(e2_word_i),
      .e2_from_i(e2_from_i),
      .e2_shuffled_o(e2_shuffled_o),
      .full_o(full_o),
      .idle_o(idle_o),
      .conflict_o(conflict_o),
      .write_valid_o(load_valid_o),
      .write_ready_i(load_ready_i),
      .write_rd_o(load_rd_o),
      .write_slot_o(load_slot_o),
      .write_lanes_o(load_lanes_o),
      .write_value_o(load_value_o),
      .write_drop_o(load_drop_o),
      .write_last_o(load_last_o),
      `include "rtl/memory/request_passed.vh"
  );
  wire unused = &{1'b0, refused_slot, refused_rd, op_instruction_i, e1_instruction_i, e2_instruction_i};
endmodule

`default_nettype wire
