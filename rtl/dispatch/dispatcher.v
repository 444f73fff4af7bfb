// SPDX-License-Identifier: Apache-2.0
// From a command to work-groups at the units: queues dispatches, reads one from memory, checks it against the limits of
// its kind of compute unit, cuts it into work-groups, offers these to the units of that kind, and keeps the first
// fault.
`include "rtl/shape.vh"
`default_nettype none

module dispatcher #(
    parameter GLOBAL_LOG2 = 28,  // log2 of the bytes of global memory
    parameter FIRST_LOG2 = 12,  // log2 of its first address
    parameter BEAT_LOG2 = 5,  // log2 of the bytes of a beat
    parameter LINE_LOG2 = 6,  // log2 of the bytes of a line
    parameter UNITS = 1,  // of all kinds
    parameter KINDS = 1,
    parameter [KINDS*`HEDDLE_KIND_BITS-1:0] TABLE = 0,  // the table of kinds
    parameter BEAT_BYTES = 1 << BEAT_LOG2
) (
    input wire clk,
    input wire rst,

    // commands and state, as in dispatch_queue.v
    input  wire         start_i,
    input  wire         stop_i,
    input  wire         go_on_i,
    input  wire         forget_i,
    input  wire [ 31:7] dispatch_i,
    output wire         begin_o,
    output wire         busy_o,
    output wire         waits_o,
    output wire         fault_o,
    output wire [ 31:0] ended_o,
    output wire         counting_o,
    output wire         runs_o,
    output wire [ 63:0] cycles_o,
    output wire [  3:0] own_reason_o,
    output wire [255:0] record_o,

    input wire memory_error_i,  // pulse: external memory failed
    input wire stored_i,        // all that was stored is in external memory

    // the dispatch: loads of beats, answered in order
    output wire                    request_valid_o,
    input  wire                    request_ready_i,
    output wire [ GLOBAL_LOG2-1:0] request_address_o,
    input  wire                    response_valid_i,
    input  wire [8*BEAT_BYTES-1:0] response_data_i,

    // the dispatch, for the units
    output wire [            6:0] kind_o,            // kind of compute unit
    output wire [           15:0] unit_mask_o,       // units of the kind that it names; 0: all
    output wire [           31:2] entry_o,
    output wire [           31:0] packet_o,
    output wire [            2:0] sub_group_log2_o,
    output wire [           31:0] local_bytes_o,
    output wire [            6:0] domain_o,
    output wire [GLOBAL_LOG2-1:0] private_base_o,
    output wire [            4:0] private_log2_o,
    output wire [           10:0] sub_groups_o,

    // the units; ports as in compute_unit.v
    input  wire [    UNITS-1:0] may_run_i,      // units that the dispatch may run on
    output wire                 start_o,
    output wire                 clear_o,
    output wire                 stop_o,
    output wire [          3:0] stop_reason_o,
    output wire [    UNITS-1:0] group_valid_o,
    input  wire [    UNITS-1:0] group_ready_i,
    output wire [         95:0] group_id_o,
    output wire [         95:0] group_base_o,
    output wire [         32:0] group_size_o,
    input  wire [    UNITS-1:0] idle_i,
    input  wire                 quiet_i,        // the cache has taken all of their requests
    input  wire [    UNITS-1:0] fault_i,
    input  wire [    UNITS-1:0] drained_i,
    input  wire [UNITS*256-1:0] records_i
);
  wire read, read_done, read_bad, dispatch_start, walker_busy, walker_fault;
  wire [31:7] read_address;
  wire [95:0] global_size, global_offset, local_size;
  wire [63:0] budget;
  wire [ 7:0] sub_group_log2;
  wire [31:0] private_base, private_log2;
  wire [ 95:0] unused_num_groups;
  wire [ 31:7] unused_next;
  wire [191:0] unused_pipes;
  assign sub_group_log2_o = sub_group_log2[2:0];
  assign private_base_o   = private_base[GLOBAL_LOG2-1:0];
  assign private_log2_o   = private_log2[4:0];
  dispatch_queue dispatch_queue (
      .clk(clk),
      .rst(rst),
      .start_i(start_i),
      .go_on_i(go_on_i),
      .forget_i(forget_i),
      .dispatch_i(dispatch_i),
      .busy_o(busy_o),
      .waits_o(waits_o),
      .fault_o(fault_o),
      .ended_o(ended_o),
      .counting_o(counting_o),
      .runs_o(runs_o),
      .read_o(read),
      .address_o(read_address),
      .read_done_i(read_done),
      .begin_o(begin_o),
      .start_o(dispatch_start),
      .busy_i(walker_busy),
      .fault_i(walker_fault),
      .stored_i(stored_i)
  );
  dispatch_reader #(
      .GLOBAL_LOG2(GLOBAL_LOG2),
      .FIRST_LOG2 (FIRST_LOG2),
      .BEAT_LOG2  (BEAT_LOG2)
  ) dispatch_reader (
      .clk(clk),
      .rst(rst),
      .start_i(read),
      .address_i(read_address),
      .done_o(read_done),
      .bad_o(read_bad),
      .request_valid_o(request_valid_o),
      .request_ready_i(request_ready_i),
      .request_address_o(request_address_o),
      .response_valid_i(response_valid_i),
      .response_data_i(response_data_i),
      .kind_o(kind_o),
      .entry_o(entry_o),
      .packet_o(packet_o),
      .sub_group_log2_o(sub_group_log2),
      .unit_mask_o(unit_mask_o),
      .local_bytes_o(local_bytes_o),
      .domain_o(domain_o),
      .private_base_o(private_base),
      .private_log2_o(private_log2),
      .budget_o(budget),
      .global_size_o(global_size),
      .global_offset_o(global_offset),
      .local_size_o(local_size),
      .num_groups_o(unused_num_groups),
      .next_o(unused_next),
      .pipes_o(unused_pipes)
  );
  wire unused = &{1'b0, unused_num_groups, unused_next, unused_pipes};

  wire unit_stop, unit_fault, unit_drained, group_valid, group_ready;
  wire kind_exists, kind_private_memory;
  wire [ 2:0] kind_lanes_log2;
  wire [11:0] kind_slots;
  wire [31:0] kind_items, kind_local_bytes;
  wire [16:0] kind_resident;
  kind_limits #(
      .KINDS(KINDS),
      .TABLE(TABLE)
  ) kind_limits (
      .clk(clk),
      .kind_i(kind_o),
      .exists_o(kind_exists),
      .private_memory_o(kind_private_memory),
      .lanes_log2_o(kind_lanes_log2),
      .slots_o(kind_slots),
      .items_o(kind_items),
      .local_bytes_o(kind_local_bytes),
      .resident_o(kind_resident)
  );
  walker #(
      .GLOBAL_LOG2(GLOBAL_LOG2),
      .FIRST_LOG2(FIRST_LOG2),
      .LINE_LOG2(LINE_LOG2),
      .ITEMS_LIMITED(KINDS > 1 ? 1 : 0)
  ) walker (
      .clk(clk),
      .rst(rst),
      .begin_i(begin_o),
      .start_i(dispatch_start),
      .bad_i(read_bad),
      .stop_i(stop_i),
      .memory_error_i(memory_error_i),
      .runs_i(runs_o),
      .busy_o(walker_busy),
      .fault_o(walker_fault),
      .own_reason_o(own_reason_o),
      .kind_exists_i(kind_exists && may_run_i != 0),
      .private_memory_i(kind_private_memory),
      .most_lanes_log2_i(kind_lanes_log2),
      .most_slots_i(kind_slots),
      .most_items_i(kind_items),
      .most_local_bytes_i(kind_local_bytes),
      .resident_i(kind_resident),
      .global_size_i(global_size),
      .global_offset_i(global_offset),
      .local_size_i(local_size),
      .sub_group_log2_i({24'd0, sub_group_log2}),
      .local_bytes_i(local_bytes_o),
      .private_base_i(private_base),
      .private_log2_i(private_log2),
      .budget_i(budget),
      .cycles_o(cycles_o),
      .unit_start_o(start_o),
      .unit_clear_o(clear_o),
      .sub_groups_o(sub_groups_o),
      .group_valid_o(group_valid),
      .group_ready_i(group_ready),
      .group_id_o(group_id_o),
      .group_base_o(group_base_o),
      .group_size_o(group_size_o),
      .unit_idle_i(&idle_i && quiet_i),
      .unit_stop_o(unit_stop),
      .unit_stop_reason_o(stop_reason_o),
      .unit_fault_i(unit_fault),
      .unit_drained_i(unit_drained && quiet_i)
  );
  group_arbiter #(
      .UNITS(UNITS)
  ) group_arbiter (
      .clk(clk),
      .rst(rst),
      .units_i(may_run_i),
      .group_valid_i(group_valid),
      .group_ready_o(group_ready),
      .group_valid_o(group_valid_o),
      .group_ready_i(group_ready_i)
  );
  first_fault #(
      .UNITS(UNITS),
      .RECORD_BITS(256)
  ) first_fault (
      .clk(clk),
      .rst(rst),
      .stop_i(unit_stop),
      .fault_o(unit_fault),
      .drained_o(unit_drained),
      .stop_o(stop_o),
      .fault_i(fault_i & may_run_i),
      .idle_i(idle_i),
      .drained_i(drained_i | ~may_run_i),
      .records_i(records_i),
      .record_o(record_o)
  );
endmodule

`default_nettype wire
