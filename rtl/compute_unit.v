// SPDX-License-Identifier: Apache-2.0
// A compute unit as the device sees it: one list of ports for every kind of unit. heddle.v and the command processor instantiate this
// module alone; KIND chooses what is behind the ports. The rules that every kind keeps:
//
// Dispatch. start_i is a pulse, while the unit is idle and not stopped. The constants of the dispatch stand from then until the unit is
//   idle again. No work-group is taken in the cycle of start_i. A unit only gets dispatches of its own kind.
// Work-groups. group_valid_i and group_ready_o hand one over; the unit may make it wait for as long as it has no room. group_done_o is a
//   pulse for each that has completed, one a cycle at most, when all its stores have been accepted at the request port. idle_o: no
//   work-group is here and no request of one is under way.
// Faults. The first fault of a unit sets fault_o; stop_i has the same effect, with stop_reason_i for a reason, unless a fault came first.
//   From then on the unit starts nothing new and finishes the requests that are under way; then drained_o rises and the record is whole.
//   Both stay until clear_i, a pulse after drained_o, or start_i. No start_i comes in the cycle after clear_i.
// Requests for rows. Valid and ready; a request that is given stays until it is taken. Loads and atomics are answered in the order of
//   their requests, each with its label; stores are not answered. The device returns labels unread: what is in them is the unit's affair.
//   The owner tells apart who reserves by lr.w.
`include "rtl/shape.vh"
`default_nettype none

module compute_unit #(
    parameter KIND = `HEDDLE_KIND_IS_PROGRAMMABLE,  // HEDDLE_KIND_IS_* of contract/device_map.vh
    parameter NUMBER = 0,  // of its kind in the device's table of kinds: which kernel a pipeline carries out
    parameter LANES = 8,  // largest sub-group: power of two, 1 to 32
    parameter SLOTS = 32,  // resident sub-groups: power of two; of a programmable unit 4 to 64
    parameter LOCAL_LOG2 = 15,  // log2 of the bytes of local memory
    parameter GLOBAL_LOG2 = 28,  // log2 of the bytes of global memory, 16 to 31
    parameter FIRST_LOG2 = 12,  // log2 of its first address
    parameter ROW_LOG2 = 5,  // log2 of the bytes of a memory row
    parameter OWNER_BITS = 5,  // the same for all kinds of a device: log2(SLOTS) at least
    parameter LABEL_BITS = 63,  // the same: as many as the kind that needs most
    // of a programmable unit
    parameter CONTROL = 0,  // 1: control registers are memory, the upper half of GLOBAL_LOG2 bits
    parameter FETCH_CACHE_LOG2 = 13,  // log2 of the bytes of the instruction cache
    parameter MUL = 1,  // as in heddle.v, like those that follow
    parameter DIV = 1,
    parameter FPU = 1,
    parameter BITMANIP = 1,
    parameter ATOMIC = 1,
    parameter COMPACT = 0,
    parameter ROW_BYTES = 1 << ROW_LOG2  // derived
) (
    input wire clk,
    input wire rst,

    // the dispatch
    input wire                   start_i,
    input wire                   clear_i,
    input wire [           31:2] entry_i,           // of a programmable unit: PC of the kernel
    input wire [           31:0] packet_i,          // its address; the argument block is HEDDLE_PACKET_WORDS behind it
    input wire [            2:0] sub_group_log2_i,  // log2 of the sub-group size
    input wire [           10:0] sub_groups_i,      // of a full work-group
    input wire [           31:0] local_bytes_i,     // of a work-group
    input wire [GLOBAL_LOG2-1:0] private_base_i,    // of this unit's private memory
    input wire [            4:0] private_log2_i,    // log2 of the bytes of a work-item's
    input wire [           63:0] clock_i,           // the device clock

    // work-groups
    input  wire        group_valid_i,
    output wire        group_ready_o,
    input  wire [95:0] group_id_i,     // z, y, x
    input  wire [95:0] group_base_i,   // z, y, x: global id of the first work-item
    input  wire [32:0] group_size_i,   // z, y, x: work-items, 11 bits each
    output wire        group_done_o,
    output wire        idle_o,

    // faults
    input  wire         stop_i,
    input  wire [  3:0] stop_reason_i,
    output wire         fault_o,
    output wire         drained_o,
    output wire [255:0] fault_record_o, // its words as the control registers have them, the first one lowest

    // performance counters: what happened in this cycle
    output wire       issued_o,       // an instruction; of a pipeline a sub-group began
    output wire [5:0] active_o,       // its lanes
    output wire       memory_wait_o,  // else: lost to memory
    output wire       conflict_o,     // else: lost to conflicts

    // rows of global memory
    output wire                   request_valid_o,
    input  wire                   request_ready_i,
    output wire [            1:0] request_kind_o,      // 0 load, 1 store, 2 atomic
    output wire [            4:0] request_function_o,  // of an atomic: funct5
    output wire [GLOBAL_LOG2-1:0] request_address_o,
    output wire [8*ROW_BYTES-1:0] request_data_o,
    output wire [  ROW_BYTES-1:0] request_strobe_o,    // bytes stored; words of an atomic
    output wire [ OWNER_BITS-1:0] request_owner_o,
    output wire [ LABEL_BITS-1:0] request_label_o,
    input  wire                   response_valid_i,
    output wire                   response_ready_o,
    input  wire [8*ROW_BYTES-1:0] response_data_i,
    input  wire [ LABEL_BITS-1:0] response_label_i
);
  generate
    if (KIND == `HEDDLE_KIND_IS_PROGRAMMABLE) begin : programmable
      localparam SLOT_BITS = $clog2(SLOTS);
      localparam OWN_LABEL_BITS = `HEDDLE_UNIT_LABEL_BITS(LANES, SLOTS, ROW_LOG2);
      if (LABEL_BITS < OWN_LABEL_BITS || OWNER_BITS < SLOT_BITS) begin : check
        compute_unit_LABEL_BITS_or_OWNER_BITS_too_small_for_LANES_and_SLOTS stop ();
      end
      wire [OWN_LABEL_BITS-1:0] label;
      wire [SLOT_BITS-1:0] owner;
      unit #(
          .LANES(LANES),
          .SLOTS(SLOTS),
          .GLOBAL_LOG2(GLOBAL_LOG2),
          .FIRST_LOG2(FIRST_LOG2),
          .CONTROL(CONTROL),
          .LOCAL_LOG2(LOCAL_LOG2),
          .ROW_LOG2(ROW_LOG2),
          .FETCH_CACHE_LOG2(FETCH_CACHE_LOG2),
          .MUL(MUL),
          .DIV(DIV),
          .FPU(FPU),
          .BITMANIP(BITMANIP),
          .ATOMIC(ATOMIC),
          .COMPACT(COMPACT)
      ) unit (
          .clk(clk),
          .rst(rst),
          .start_i(start_i),
          .clear_i(clear_i),
          .entry_i(entry_i),
          .packet_i(packet_i),
          .sub_group_log2_i(sub_group_log2_i),
          .sub_groups_i(sub_groups_i[SLOT_BITS:0]),
          .local_bytes_i(local_bytes_i[LOCAL_LOG2:0]),
          .private_base_i(private_base_i),
          .private_log2_i(private_log2_i),
          .clock_i(clock_i),
          .group_valid_i(group_valid_i),
          .group_ready_o(group_ready_o),
          .group_id_i(group_id_i),
          .group_base_i(group_base_i),
          .group_size_i(group_size_i),
          .group_done_o(group_done_o),
          .idle_o(idle_o),
          .stop_i(stop_i),
          .stop_reason_i(stop_reason_i),
          .fault_o(fault_o),
          .drained_o(drained_o),
          .fault_reason_o(fault_record_o[3:0]),
          .fault_pc_o(fault_record_o[32+:32]),
          .fault_address_o(fault_record_o[64+:32]),
          .fault_group_o(fault_record_o[96+:96]),
          .fault_sub_group_o(fault_record_o[192+:32]),
          .fault_lane_o(fault_record_o[224+:32]),
          .issued_o(issued_o),
          .active_o(active_o),
          .memory_wait_o(memory_wait_o),
          .conflict_o(conflict_o),
          .request_valid_o(request_valid_o),
          .request_ready_i(request_ready_i),
          .request_kind_o(request_kind_o),
          .request_function_o(request_function_o),
          .request_address_o(request_address_o),
          .request_data_o(request_data_o),
          .request_strobe_o(request_strobe_o),
          .request_owner_o(owner),
          .request_label_o(label),
          .response_valid_i(response_valid_i),
          .response_ready_o(response_ready_o),
          .response_data_i(response_data_i),
          .response_label_i(response_label_i[OWN_LABEL_BITS-1:0])
      );
      // Zeros above what the unit itself has.
      wire [LABEL_BITS:0] wide_label = {{(LABEL_BITS + 1 - OWN_LABEL_BITS) {1'b0}}, label};
      wire [OWNER_BITS:0] wide_owner = {{(OWNER_BITS + 1 - SLOT_BITS) {1'b0}}, owner};
      assign request_label_o = wide_label[LABEL_BITS-1:0];
      assign request_owner_o = wide_owner[OWNER_BITS-1:0];
      assign fault_record_o[31:4] = 28'd0;
      wire unused = &{1'b0, NUMBER[0], sub_groups_i, local_bytes_i, response_label_i, wide_label, wide_owner};
    end else if (KIND == `HEDDLE_KIND_IS_PIPELINE) begin : pipeline
`ifdef HEDDLE_PIPELINES
      pipelines #(
          .NUMBER(NUMBER),
          .GLOBAL_LOG2(GLOBAL_LOG2),
          .FIRST_LOG2(FIRST_LOG2),
          .LOCAL_LOG2(LOCAL_LOG2),
          .ROW_LOG2(ROW_LOG2),
          .OWNER_BITS(OWNER_BITS),
          .LABEL_BITS(LABEL_BITS)
      ) pipelines (
          .clk(clk),
          .rst(rst),
          .start_i(start_i),
          .clear_i(clear_i),
          .packet_i(packet_i),
          .sub_group_log2_i(sub_group_log2_i),
          .sub_groups_i(sub_groups_i),
          .local_bytes_i(local_bytes_i),
          .group_valid_i(group_valid_i),
          .group_ready_o(group_ready_o),
          .group_id_i(group_id_i),
          .group_base_i(group_base_i),
          .group_size_i(group_size_i),
          .group_done_o(group_done_o),
          .idle_o(idle_o),
          .stop_i(stop_i),
          .stop_reason_i(stop_reason_i),
          .fault_o(fault_o),
          .drained_o(drained_o),
          .fault_record_o(fault_record_o),
          .issued_o(issued_o),
          .active_o(active_o),
          .memory_wait_o(memory_wait_o),
          .conflict_o(conflict_o),
          .request_valid_o(request_valid_o),
          .request_ready_i(request_ready_i),
          .request_kind_o(request_kind_o),
          .request_function_o(request_function_o),
          .request_address_o(request_address_o),
          .request_data_o(request_data_o),
          .request_strobe_o(request_strobe_o),
          .request_owner_o(request_owner_o),
          .request_label_o(request_label_o),
          .response_valid_i(response_valid_i),
          .response_ready_o(response_ready_o),
          .response_data_i(response_data_i),
          .response_label_i(response_label_i)
      );
      wire unused = &{1'b0, entry_i, private_base_i, private_log2_i, clock_i};
`else
      compute_unit_KIND_is_that_of_pipelines_and_there_are_none stop ();
`endif
    end else if (KIND == `HEDDLE_KIND_IS_TEST) begin : test
`ifdef HEDDLE_TEST_UNIT
      test_unit #(
          .NUMBER(NUMBER),
          .GLOBAL_LOG2(GLOBAL_LOG2),
          .ROW_LOG2(ROW_LOG2),
          .OWNER_BITS(OWNER_BITS),
          .LABEL_BITS(LABEL_BITS)
      ) test_unit (
          .clk(clk),
          .rst(rst),
          .start_i(start_i),
          .clear_i(clear_i),
          .packet_i(packet_i),
          .sub_group_log2_i(sub_group_log2_i),
          .sub_groups_i(sub_groups_i),
          .local_bytes_i(local_bytes_i),
          .group_valid_i(group_valid_i),
          .group_ready_o(group_ready_o),
          .group_id_i(group_id_i),
          .group_base_i(group_base_i),
          .group_size_i(group_size_i),
          .group_done_o(group_done_o),
          .idle_o(idle_o),
          .stop_i(stop_i),
          .stop_reason_i(stop_reason_i),
          .fault_o(fault_o),
          .drained_o(drained_o),
          .fault_record_o(fault_record_o),
          .issued_o(issued_o),
          .active_o(active_o),
          .memory_wait_o(memory_wait_o),
          .conflict_o(conflict_o),
          .request_valid_o(request_valid_o),
          .request_ready_i(request_ready_i),
          .request_kind_o(request_kind_o),
          .request_function_o(request_function_o),
          .request_address_o(request_address_o),
          .request_data_o(request_data_o),
          .request_strobe_o(request_strobe_o),
          .request_owner_o(request_owner_o),
          .request_label_o(request_label_o),
          .response_valid_i(response_valid_i),
          .response_ready_o(response_ready_o),
          .response_data_i(response_data_i),
          .response_label_i(response_label_i)
      );
      wire unused = &{1'b0, entry_i, private_base_i, private_log2_i, clock_i};
`else
      compute_unit_KIND_is_that_of_tests_in_simulation stop ();
`endif
    end else begin : none
      compute_unit_KIND_is_not_known stop ();
    end
  endgenerate
endmodule

`default_nettype wire
