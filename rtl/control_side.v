// SPDX-License-Identifier: Apache-2.0
// The control side of a device: control registers, the dispatcher, and the command processor, which gives commands
// through the same registers. Read data of a control register come the cycle after the access; the host's accesses have
// priority.
`include "rtl/shape.vh"
`default_nettype none

module control_side #(
    parameter LANES = 8,  // these as in heddle.v
    parameter SLOTS = 32,
    parameter PROGRAMMABLE = 1,  // programmable units
    parameter UNITS = 1,  // units of all kinds
    parameter KINDS = 1,
    parameter [KINDS*`HEDDLE_KIND_BITS-1:0] TABLE = 0,  // KIND_TABLE, with entry 0
    parameter BANKS = 1,
    parameter GLOBAL_LOG2 = 28,
    parameter FIRST_LOG2 = 12,  // log2 of the first address of global memory
    parameter LOCAL_LOG2 = 15,
    parameter CACHE_LOG2 = 16,
    parameter BEAT_LOG2 = 5,
    parameter LINE_LOG2 = 6,
    parameter LABEL_BITS = 63,  // as in compute_unit.v
    parameter MUL = 1,
    parameter DIV = 1,
    parameter FPU = 1,
    parameter BITMANIP = 1,
    parameter ATOMIC = 1,
    parameter PROCESSOR = 0,
    parameter PAGES_LOG2 = 0,
    parameter CLOCK_KHZ = 100000,
    parameter BEAT_BYTES = 1 << BEAT_LOG2  // derived
) (
    input wire clk,
    input wire rst,

    // control registers and what the board says of memory, as in heddle.v
    input wire control_valid_i,
    input wire control_write_i,
    input wire [11:2] control_address_i,
    input wire [31:0] control_data_i,
    output wire [31:0] control_data_o,
    input wire [15:0] memory_latency_i,
    input wire [15:0] memory_interval_i,

    // state of the device
    output wire dispatch_busy_o,  // a dispatch runs or waits
    output wire dispatch_runs_o,
    output wire commands_o,  // commands wait
    output wire go_on_o,  // COMMAND go on: the host has read the error
    input wire memory_error_i,  // pulse: external memory failed
    input wire memory_busy_i,  // what was stored is not in external memory yet
    input wire memory_failed_i,  // external memory failed while no dispatch ran
    input wire [UNITS:0] quiet_i,  // the cache has taken all requests: by unit; highest bit: system port

    // the dispatch reader: loads of beats
    output wire reader_valid_o,
    input wire reader_ready_i,
    output wire [GLOBAL_LOG2-1:0] reader_address_o,
    input wire reader_answer_i,

    // the command processor: loads and stores of beats
    output wire processor_valid_o,
    input wire processor_ready_i,
    output wire processor_store_o,
    output wire [GLOBAL_LOG2-1:0] processor_address_o,
    output wire [8*BEAT_BYTES-1:0] processor_data_o,
    output wire [BEAT_BYTES-1:0] processor_strobe_o,
    output wire [LABEL_BITS-1:0] processor_label_o,
    input wire processor_answer_i,
    output wire processor_answer_ready_o,
    input wire [LABEL_BITS-1:0] processor_answer_label_i,

    input wire [8*BEAT_BYTES-1:0] system_answer_i,  // the beat of either answer

    // the dispatch, to units (compute_units.v)
    output wire [6:0] kind_o,
    output wire [15:0] unit_mask_o,
    input wire [UNITS-1:0] may_run_i,
    output wire start_o,
    output wire clear_o,
    output wire [31:2] entry_o,
    output wire [31:0] packet_o,
    output wire [2:0] sub_group_log2_o,
    output wire [10:0] sub_groups_o,
    output wire [31:0] local_bytes_o,
    output wire [GLOBAL_LOG2-1:0] private_base_o,
    output wire [4:0] private_log2_o,
    output wire [63:0] clock_o,
    output wire [`HEDDLE_RIGHTS_BITS-1:0] rights_o,
    output wire [UNITS-1:0] group_valid_o,
    input wire [UNITS-1:0] group_ready_i,
    output wire [95:0] group_id_o,
    output wire [95:0] group_base_o,
    output wire [32:0] group_size_o,
    input wire [UNITS-1:0] group_done_i,
    input wire [UNITS-1:0] idle_i,
    output wire stop_o,
    output wire [3:0] stop_reason_o,
    input wire [UNITS-1:0] fault_i,
    input wire [UNITS-1:0] drained_i,
    input wire [UNITS*256-1:0] records_i,

    // for the performance counters: events in this cycle
    input wire [  UNITS-1:0] issued_i,
    input wire [UNITS*6-1:0] active_i,
    input wire [  UNITS-1:0] memory_wait_i,
    input wire [  UNITS-1:0] conflict_i,
    input wire [  UNITS-1:0] unit_request_taken_i,
    input wire [  BANKS-1:0] missed_i,
    input wire [  BANKS-1:0] external_request_i
);
  wire start, stop, forget;
  wire rights_write, rights_busy, rights_set;
  wire [11:0] rights_page;
  wire [ 7:0] rights_entry;
  wire [ 6:0] domain;
  wire dispatch_begins, dispatch_waits, dispatch_fault, dispatch_counting;
  wire [ 31:7] dispatch;
  wire [ 31:0] ended;
  wire [ 63:0] cycles;
  wire [  3:0] own_reason;
  wire [255:0] record;  // of the first fault, its first word lowest

  // The command processor accesses control registers in cycles in which the host does not.
  wire processor_start, processor_reset, processor_runs, processor_fault;
  wire [3:0] processor_reason;
  wire [31:0] processor_pc, processor_data;
  wire processor_control, processor_write;
  wire [11:2] processor_register;
  control #(
      .LANES(LANES),
      .SLOTS(SLOTS),
      .UNITS(UNITS),
      .PROGRAMMABLE(PROGRAMMABLE),
      .KINDS(KINDS),
      .TABLE(TABLE),
      .BANKS(BANKS),
      .LOCAL_LOG2(LOCAL_LOG2),
      .GLOBAL_LOG2(GLOBAL_LOG2),
      .CACHE_LOG2(CACHE_LOG2),
      .LINE_BYTES(1 << LINE_LOG2),
      .MUL(MUL),
      .DIV(DIV),
      .FPU(FPU),
      .BITMANIP(BITMANIP),
      .ATOMIC(ATOMIC),
      .PROCESSOR(PROCESSOR),
      .PAGES_LOG2(PAGES_LOG2),
      .FIRST_LOG2(FIRST_LOG2),
      .CLOCK_KHZ(CLOCK_KHZ)
  ) control (
      .clk(clk),
      .rst(rst),
      .valid_i(control_valid_i || processor_control),
      .by_processor_i(!control_valid_i),
      .write_i(control_valid_i ? control_write_i : processor_write),
      .address_i(control_valid_i ? control_address_i : processor_register),
      .data_i(control_valid_i ? control_data_i : processor_data),
      .data_o(control_data_o),
      .start_o(start),
      .stop_o(stop),
      .go_on_o(go_on_o),
      .forget_o(forget),
      .dispatch_o(dispatch),
      .rights_write_o(rights_write),
      .rights_busy_i(rights_busy),
      .begin_i(dispatch_begins),
      .busy_i(dispatch_busy_o),
      .waits_i(dispatch_waits),
      .memory_failed_i(memory_failed_i),
      .fault_i(dispatch_fault),
      .counting_i(dispatch_counting),
      .ended_i(ended),
      .processor_start_o(processor_start),
      .commands_o(commands_o),
      .processor_reset_i(processor_reset),
      .processor_runs_i(processor_runs),
      .processor_fault_i(processor_fault),
      .processor_reason_i(processor_reason),
      .processor_pc_i(processor_pc),
      .cycles_i(cycles),
      .group_done_i(group_done_i),
      .issued_i(issued_i),
      .active_i(active_i),
      .memory_latency_i(memory_latency_i),
      .memory_interval_i(memory_interval_i),
      .memory_wait_i(memory_wait_i),
      .conflict_i(conflict_i),
      .external_request_i(external_request_i),
      .cache_request_i(unit_request_taken_i),
      .cache_miss_i(missed_i),
      .clock_o(clock_o),
      .own_reason_i(own_reason),
      .record_i(record)
  );

  dispatcher #(
      .GLOBAL_LOG2(GLOBAL_LOG2),
      .FIRST_LOG2(FIRST_LOG2),
      .BEAT_LOG2(BEAT_LOG2),
      .LINE_LOG2(LINE_LOG2),
      .UNITS(UNITS),
      .KINDS(KINDS),
      .TABLE(TABLE)
  ) dispatcher (
      .clk(clk),
      .rst(rst),
      .start_i(start),
      .stop_i(stop),
      .go_on_i(go_on_o),
      .forget_i(forget),
      .dispatch_i(dispatch),
      .begin_o(dispatch_begins),
      .busy_o(dispatch_busy_o),
      .waits_o(dispatch_waits),
      .fault_o(dispatch_fault),
      .ended_o(ended),
      .counting_o(dispatch_counting),
      .runs_o(dispatch_runs_o),
      .cycles_o(cycles),
      .own_reason_o(own_reason),
      .record_o(record),
      .memory_error_i(memory_error_i),
      .stored_i(!memory_busy_i),
      .request_valid_o(reader_valid_o),
      .request_ready_i(reader_ready_i),
      .request_address_o(reader_address_o),
      .response_valid_i(reader_answer_i),
      .response_data_i(system_answer_i),
      .kind_o(kind_o),
      .entry_o(entry_o),
      .packet_o(packet_o),
      .sub_group_log2_o(sub_group_log2_o),
      .local_bytes_o(local_bytes_o),
      .domain_o(domain),
      .private_base_o(private_base_o),
      .private_log2_o(private_log2_o),
      .sub_groups_o(sub_groups_o),
      .unit_mask_o(unit_mask_o),
      .may_run_i(may_run_i),
      .start_o(start_o),
      .clear_o(clear_o),
      .stop_o(stop_o),
      .stop_reason_o(stop_reason_o),
      .group_valid_o(group_valid_o),
      .group_ready_i(group_ready_i),
      .group_id_o(group_id_o),
      .group_base_o(group_base_o),
      .group_size_o(group_size_o),
      .idle_i(idle_i),
      .quiet_i(&quiet_i[UNITS-1:0]),
      .fault_i(fault_i),
      .drained_i(drained_i),
      .records_i(records_i)
  );

  generate
    if (PAGES_LOG2 != 0) begin : with_rights
      rights_setter rights_setter (
          .clk(clk),
          .rst(rst),
          .write_i(rights_write),
          .data_i(control_valid_i ? control_data_i : processor_data),
          .busy_o(rights_busy),
          .set_o(rights_set),
          .page_o(rights_page),
          .entry_o(rights_entry)
      );
      assign rights_o = {domain, rights_set, rights_page, rights_entry};
    end else begin : without_rights
      assign {rights_busy, rights_set, rights_page, rights_entry} = 22'd0;
      assign rights_o = {`HEDDLE_RIGHTS_BITS{1'b0}};
      wire unused = &{1'b0, rights_write, rights_set, rights_page, rights_entry, domain};
    end
    if (PROCESSOR != 0) begin : with_processor
      command_processor #(
          .GLOBAL_LOG2(GLOBAL_LOG2),
          .BEAT_LOG2  (BEAT_LOG2),
          .LABEL_BITS (LABEL_BITS)
      ) command_processor (
          .clk(clk),
          .rst(rst),
          .start_i(processor_start),
          .memory_error_i(memory_error_i && !dispatch_runs_o && commands_o),
          .reset_o(processor_reset),
          .runs_o(processor_runs),
          .fault_o(processor_fault),
          .fault_reason_o(processor_reason),
          .fault_pc_o(processor_pc),
          .clock_i(clock_o),
          .control_valid_o(processor_control),
          .control_ready_i(!control_valid_i),
          .control_write_o(processor_write),
          .control_address_o(processor_register),
          .control_data_o(processor_data),
          .control_data_i(control_data_o),
          .request_valid_o(processor_valid_o),
          .request_ready_i(processor_ready_i),
          .request_quiet_i(quiet_i[UNITS]),
          .request_store_o(processor_store_o),
          .request_address_o(processor_address_o),
          .request_data_o(processor_data_o),
          .request_strobe_o(processor_strobe_o),
          .request_label_o(processor_label_o),
          .response_valid_i(processor_answer_i),
          .response_ready_o(processor_answer_ready_o),
          .response_data_i(system_answer_i),
          .response_label_i(processor_answer_label_i)
      );
    end else begin : without_processor
      assign {processor_reset, processor_runs, processor_fault, processor_control, processor_write} = 5'd0;
      assign {processor_reason, processor_pc, processor_register, processor_data} = 0;
      assign {processor_valid_o, processor_store_o, processor_answer_ready_o} = 3'd0;
      assign {processor_address_o, processor_data_o, processor_strobe_o, processor_label_o} = 0;
      wire unused = &{1'b0, processor_start, processor_ready_i, processor_answer_i, processor_answer_label_i, quiet_i};
    end
  endgenerate
endmodule

`default_nettype wire
