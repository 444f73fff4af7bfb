// SPDX-License-Identifier: Apache-2.0
// The device: compute unit, dispatch, control registers; external memory and the host link come in from the board or the
// simulation. These parameters are the one home of the device's configuration: software reads them from the capability block.
`default_nettype none

module heddle #(
    parameter LANES = 8,  // lanes of a compute unit, the largest sub-group: power of two, 1 to 32
    parameter SLOTS = 32,  // resident sub-groups of a unit: power of two, 4 to 64
    parameter GLOBAL_LOG2 = 28,  // log2 of the bytes of global memory, 16 to 31
    parameter LOCAL_LOG2 = 15,  // log2 of the bytes of a unit's local memory, 10 to 20
    parameter FETCH_CACHE_LOG2 = 13,  // log2 of the bytes of a unit's instruction cache, below GLOBAL_LOG2
    parameter CLOCK_KHZ = 100000,  // frequency of clk
    parameter MEMORY_LATENCY = 0,  // external memory, cycles from request to answer; 0: not known
    parameter MEMORY_INTERVAL = 0,  // external memory, cycles between 64-byte lines; 0: not known
    parameter ROW_BYTES = LANES > 4 ? 4 * LANES : 16  // derived: bytes of a memory row, a word for every lane
) (
    input wire clk,
    input wire rst,

    // control registers (offset from 0xF000_0000); read data the cycle after
    input  wire        control_valid_i,
    input  wire        control_write_i,
    input  wire [11:2] control_address_i,
    input  wire [31:0] control_data_i,
    output wire [31:0] control_data_o,
    output wire        busy_o,             // a dispatch runs

    // external memory: rows; answers in the order of the reads
    output wire                   request_valid_o,
    input  wire                   request_ready_i,
    output wire                   request_store_o,
    output wire [GLOBAL_LOG2-1:0] request_address_o,
    output wire [8*ROW_BYTES-1:0] request_data_o,
    output wire [  ROW_BYTES-1:0] request_strobe_o,
    input  wire                   response_valid_i,
    output wire                   response_ready_o,
    input  wire [8*ROW_BYTES-1:0] response_data_i
);
  localparam SLOT_BITS = $clog2(SLOTS);

  wire start, stop, fault;
  wire [31:2] entry;
  wire [31:0] packet, sub_group_log2, local_bytes, private_log2;
  wire [GLOBAL_LOG2-1:0] private_base;
  wire [95:0] global_size, global_offset, local_size;
  wire [63:0] budget, cycles, groups_done, clock;
  wire [3:0] own_reason, unit_reason;
  wire [31:0] fault_pc, fault_address, fault_sub_group, fault_lane;
  wire [95:0] fault_group;
  wire issued;
  wire [5:0] active;
  wire by_walker = own_reason != 4'd0;  // such a fault has no work-item
  control #(
      .LANES(LANES),
      .SLOTS(SLOTS),
      .UNITS(1),
      .LOCAL_LOG2(LOCAL_LOG2),
      .GLOBAL_LOG2(GLOBAL_LOG2),
      .CLOCK_KHZ(CLOCK_KHZ),
      .MEMORY_LATENCY(MEMORY_LATENCY),
      .MEMORY_INTERVAL(MEMORY_INTERVAL)
  ) control (
      .clk(clk),
      .rst(rst),
      .valid_i(control_valid_i),
      .write_i(control_write_i),
      .address_i(control_address_i),
      .data_i(control_data_i),
      .data_o(control_data_o),
      .start_o(start),
      .stop_o(stop),
      .busy_i(busy_o),
      .fault_i(fault),
      .entry_o(entry),
      .packet_o(packet),
      .global_size_o(global_size),
      .global_offset_o(global_offset),
      .local_size_o(local_size),
      .sub_group_log2_o(sub_group_log2),
      .local_bytes_o(local_bytes),
      .private_base_o(private_base),
      .private_log2_o(private_log2),
      .budget_o(budget),
      .cycles_i(cycles),
      .groups_done_i(groups_done),
      .issued_i(issued),
      .active_i(active),
      .request_i(request_valid_o && request_ready_i),
      .clock_o(clock),
      .reason_i(by_walker ? own_reason : unit_reason),
      .pc_i(by_walker ? 32'd0 : fault_pc),
      .fault_address_i(by_walker ? 32'd0 : fault_address),
      .group_i(by_walker ? 96'd0 : fault_group),
      .sub_group_i(by_walker ? 32'd0 : fault_sub_group),
      .lane_i(by_walker ? 32'd0 : fault_lane)
  );

  wire unit_start, unit_clear, group_valid, group_ready, group_done, unit_idle, unit_stop, unit_fault, unit_drained;
  wire [3:0] unit_stop_reason;
  wire [SLOT_BITS:0] sub_groups;
  wire [95:0] group_id, group_base;
  wire [32:0] group_size;
  walker #(
      .LANES_LOG2($clog2(LANES)),
      .SLOT_BITS (SLOT_BITS),
      .LOCAL_LOG2(LOCAL_LOG2)
  ) walker (
      .clk(clk),
      .rst(rst),
      .start_i(start),
      .stop_i(stop),
      .busy_o(busy_o),
      .fault_o(fault),
      .own_reason_o(own_reason),
      .global_size_i(global_size),
      .global_offset_i(global_offset),
      .local_size_i(local_size),
      .sub_group_log2_i(sub_group_log2),
      .local_bytes_i(local_bytes),
      .private_log2_i(private_log2),
      .budget_i(budget),
      .cycles_o(cycles),
      .groups_done_o(groups_done),
      .unit_start_o(unit_start),
      .unit_clear_o(unit_clear),
      .sub_groups_o(sub_groups),
      .group_valid_o(group_valid),
      .group_ready_i(group_ready),
      .group_id_o(group_id),
      .group_base_o(group_base),
      .group_size_o(group_size),
      .group_done_i(group_done),
      .unit_idle_i(unit_idle),
      .unit_stop_o(unit_stop),
      .unit_stop_reason_o(unit_stop_reason),
      .unit_fault_i(unit_fault),
      .unit_drained_i(unit_drained)
  );

  unit #(
      .LANES(LANES),
      .SLOTS(SLOTS),
      .GLOBAL_LOG2(GLOBAL_LOG2),
      .LOCAL_LOG2(LOCAL_LOG2),
      .ROW_LOG2($clog2(ROW_BYTES)),
      .FETCH_CACHE_LOG2(FETCH_CACHE_LOG2)
  ) unit (
      .clk(clk),
      .rst(rst),
      .start_i(unit_start),
      .clear_i(unit_clear),
      .entry_i(entry),
      .packet_i(packet),
      .sub_group_log2_i(sub_group_log2[2:0]),
      .sub_groups_i(sub_groups),
      .local_bytes_i(local_bytes[LOCAL_LOG2:0]),
      .private_base_i(private_base),
      .private_log2_i(private_log2[4:0]),
      .clock_i(clock),
      .group_valid_i(group_valid),
      .group_ready_o(group_ready),
      .group_id_i(group_id),
      .group_base_i(group_base),
      .group_size_i(group_size),
      .group_done_o(group_done),
      .idle_o(unit_idle),
      .stop_i(unit_stop),
      .stop_reason_i(unit_stop_reason),
      .fault_o(unit_fault),
      .drained_o(unit_drained),
      .fault_reason_o(unit_reason),
      .fault_pc_o(fault_pc),
      .fault_address_o(fault_address),
      .fault_group_o(fault_group),
      .fault_sub_group_o(fault_sub_group),
      .fault_lane_o(fault_lane),
      .issued_o(issued),
      .active_o(active),
      .request_valid_o(request_valid_o),
      .request_ready_i(request_ready_i),
      .request_store_o(request_store_o),
      .request_address_o(request_address_o),
      .request_data_o(request_data_o),
      .request_strobe_o(request_strobe_o),
      .response_valid_i(response_valid_i),
      .response_ready_o(response_ready_o),
      .response_data_i(response_data_i)
  );
endmodule

`default_nettype wire
