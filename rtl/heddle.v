// SPDX-License-Identifier: Apache-2.0
// The device: compute units, cache, dispatcher, command processor, control registers. The board or the simulation
// connects external memory and the host link. The parameters are the configuration of the device; software reads them
// from the capability block.
`include "rtl/shape.vh"
`default_nettype none

module heddle #(
    parameter LANES = 8,  // of a programmable unit, its largest sub-group, words of a beat: power of two, 1 to 32
    parameter SLOTS = 32,  // resident sub-groups of a programmable unit: power of two, 4 to 128
    parameter UNITS = `HEDDLE_UNITS,  // programmable units, 0 to 8; 0 only if there are units of another kind
    parameter KINDS = `HEDDLE_KINDS,  // kinds of compute unit: the programmable one and KINDS - 1 others, 1 to 16
    // The table of kinds, 16 words for each kind as software reads them (contract/DEVICE.md). Entry 0 is made from the
    // parameters here. 1 to 15 units in all.
    parameter [KINDS*`HEDDLE_KIND_BITS-1:0] KIND_TABLE = `HEDDLE_KIND_TABLE,
    parameter KIND_LABEL_BITS = `HEDDLE_KIND_LABEL_BITS,  // bits of a label that units of other kinds need
    parameter BANKS = 1,  // of the device cache, each with a channel of external memory: power of two, 1 to 8
    parameter GLOBAL_LOG2 = 28,  // log2 of the bytes of global memory, 16 to 31
    parameter LOCAL_LOG2 = 15,  // log2 of the bytes of a unit's local memory, 10 to 20
    parameter FETCH_CACHE_LOG2 = 13,  // log2 of the bytes of a unit's instruction cache, below GLOBAL_LOG2
    parameter CACHE_LOG2 = 16,  // log2 of the bytes of the device cache; of each bank 12 to 18, below GLOBAL_LOG2
    parameter MUL = 1,  // 1: with the multiplications of the M extension (without DIV: Zmmul)
    parameter DIV = 1,  // 1: with its divisions; needs MUL
    parameter FPU = 1,  // 1: with Zfinx; needs DIV
    parameter BITMANIP = 1,  // 1: with Zba and Zbb
    parameter ATOMIC = 1,  // 1: with the A extension
    parameter PROCESSOR = 0,  // 1: with the command processor; GLOBAL_LOG2 is then 30 at most
    parameter COMPACT = 0,  // 1: for a small chip and a slow clock: fewer registers, without FPU fewer stages (README)
    // log2 of the pages of global memory of which rights are kept, 12 at most; a page has 4 KiB at least. 0: no rights
    parameter PAGES_LOG2 = 12,
    parameter CLOCK_KHZ = 100000,  // frequency of clk
    parameter BEAT_BYTES = 1 << `HEDDLE_BEAT_LOG2(LANES)  // derived: bytes of a memory beat, a word for every lane
) (
    input wire clk,
    input wire rst,

    // control registers (offset from 0xF000_0000); read data the cycle after
    input  wire        control_valid_i,
    input  wire        control_write_i,
    input  wire [11:2] control_address_i,
    input  wire [31:0] control_data_i,
    output wire [31:0] control_data_o,
    output wire        busy_o,             // a dispatch runs, commands wait, or stores are on their way to memory
    output reg         ready_o,            // reset is complete; before that no request or command may be given

    // the host link: loads and stores of beats in global memory, served in order. Answers to loads must be taken at
    // once. When link_quiet_o is set, kernels that are started now see all stores.
    input wire link_valid_i,
    output wire link_ready_o,
    input wire link_store_i,
    input wire [GLOBAL_LOG2-1:0] link_address_i,
    input wire [8*BEAT_BYTES-1:0] link_data_i,
    input wire [BEAT_BYTES-1:0] link_strobe_i,
    output wire link_quiet_o,  // the cache has taken all requests
    output wire link_answer_o,
    output wire [8*BEAT_BYTES-1:0] link_answer_data_o,
    input wire forget_i,  // pulse: external memory was written past the cache; while busy_o or hold_i and cache_idle_o
    input wire hold_i,  // requests to the cache wait
    output wire cache_idle_o,  // the cache has no request in flight, and its channels have taken all stores

    // external memory, by channel: loads of lines, stores of beats, served in order. A line is 64 bytes, or a beat if
    // that is more. It comes as its beats, lowest first; lines come in the order of their requests.
    input wire [15:0] memory_latency_i,  // for the capability block: cycles from a request to the first beat
    input wire [15:0] memory_interval_i,  // cycles from line to line; 0 in both: not known
    input wire [BANKS-1:0] memory_error_i,  // an access failed: this beat is wrong, or an earlier store is lost
    input wire memory_busy_i,  // what was stored is not in memory yet; 0: channels do not tell
    output wire [BANKS-1:0] request_valid_o,
    input wire [BANKS-1:0] request_ready_i,
    output wire [BANKS-1:0] request_store_o,
    output wire [BANKS*GLOBAL_LOG2-1:0] request_address_o,
    output wire [BANKS*8*BEAT_BYTES-1:0] request_data_o,
    output wire [BANKS*BEAT_BYTES-1:0] request_strobe_o,
    input wire [BANKS-1:0] response_valid_i,
    output wire [BANKS-1:0] response_ready_o,
    input wire [BANKS*8*BEAT_BYTES-1:0] response_data_i
);
  localparam BEAT_LOG2 = `HEDDLE_BEAT_LOG2(LANES), LINE_LOG2 = `HEDDLE_LINE_LOG2(BEAT_LOG2);
  localparam FIRST_LOG2 = PROCESSOR != 0 ? 15 : 12;  // the command processor has the memory below

  // The kinds of compute unit. Entry 0 of the table is made from the parameters; sized by a sum, as Verilator 5.006 asks.
  localparam [31:0] OWN_UNITS = 32'd0 + UNITS, OWN_LANES = LANES, OWN_SLOTS = SLOTS, OWN_ITEMS = LANES * SLOTS,
                    OWN_LOCAL = 1 << LOCAL_LOG2, OWN_TYPE = 32'd0 + `HEDDLE_KIND_IS_PROGRAMMABLE;
  localparam [KINDS*`HEDDLE_KIND_BITS-1:0] TABLE = ((KIND_TABLE >> `HEDDLE_KIND_BITS) << `HEDDLE_KIND_BITS) |
      {{(KINDS * `HEDDLE_KIND_BITS - 192) {1'b0}}, OWN_LOCAL, OWN_ITEMS, OWN_SLOTS, OWN_LANES, OWN_UNITS, OWN_TYPE};
  `include "rtl/kinds.vh"
  function integer larger(input integer a, input integer b);
    larger = a > b ? a : b;
  endfunction
  localparam ALL = first_unit(KINDS);  // units of all kinds
  localparam OWNER_BITS = $clog2(most_slots(0));
  localparam UNIT_LABEL_BITS = `HEDDLE_UNIT_LABEL_BITS(LANES, SLOTS, BEAT_LOG2);
  localparam PROCESSOR_LABEL_BITS = `HEDDLE_PROCESSOR_LABEL_BITS(BEAT_LOG2);
  localparam LABEL_BITS = larger(
      KIND_LABEL_BITS, larger(UNITS != 0 ? UNIT_LABEL_BITS : 1, PROCESSOR != 0 ? PROCESSOR_LABEL_BITS : 1)
  );
  shape_check #(
      .LANES(LANES),
      .SLOTS(SLOTS),
      .UNITS(UNITS),
      .ALL_UNITS(ALL),
      .KINDS(KINDS),
      .BANKS(BANKS),
      .GLOBAL_LOG2(GLOBAL_LOG2),
      .LOCAL_LOG2(LOCAL_LOG2),
      .FETCH_CACHE_LOG2(FETCH_CACHE_LOG2),
      .CACHE_LOG2(CACHE_LOG2),
      .MUL(MUL),
      .DIV(DIV),
      .FPU(FPU),
      .PROCESSOR(PROCESSOR),
      .PAGES_LOG2(PAGES_LOG2)
  ) shape_check ();

  // Wires between the parts.
  wire dispatch_busy, dispatch_runs, commands, go_on, memory_error, memory_failed, cache_idle;
  wire [ALL:0] quiet;  // the cache has taken all requests: by unit; highest bit: system port
  wire reader_valid, reader_ready, reader_answer;
  wire [GLOBAL_LOG2-1:0] reader_address, processor_address;
  wire processor_valid, processor_ready, processor_store, processor_answer, processor_answer_ready;
  wire [8*BEAT_BYTES-1:0] processor_data, system_answer;
  wire [BEAT_BYTES-1:0] processor_strobe;
  wire [LABEL_BITS-1:0] processor_label, processor_answer_label;
  wire [6:0] kind;
  wire start, clear, stop;
  wire [31:2] entry;
  wire [31:0] packet, local_bytes;
  wire [2:0] sub_group_log2;
  wire [15:0] unit_mask;
  wire [10:0] sub_groups;
  wire [GLOBAL_LOG2-1:0] private_base;
  wire [4:0] private_log2;
  wire [63:0] clock;
  wire [`HEDDLE_RIGHTS_BITS-1:0] rights;
  wire [95:0] group_id, group_base;
  wire [32:0] group_size;
  wire [ 3:0] stop_reason;
  wire [ALL-1:0] may_run, group_valid, group_ready, group_done, idle, fault, drained;
  wire [ALL*256-1:0] records;
  wire [ALL-1:0] issued, memory_wait, conflict, unit_request_taken;
  wire [ALL*6-1:0] active;
  wire [BANKS-1:0] missed;
  wire [ALL-1:0] unit_request_valid, unit_request_ready, unit_response_valid, unit_response_ready;
  wire [ALL*2-1:0] unit_request_kind;
  wire [ALL*5-1:0] unit_request_function;
  wire [ALL*GLOBAL_LOG2-1:0] unit_request_address;
  wire [ALL*8*BEAT_BYTES-1:0] unit_request_data, unit_response_data;
  wire [ALL*BEAT_BYTES-1:0] unit_request_strobe;
  wire [ALL*OWNER_BITS-1:0] unit_request_owner;
  wire [ALL*LABEL_BITS-1:0] unit_request_label, unit_response_label;

  control_side #(
      .LANES(LANES),
      .SLOTS(SLOTS),
      .PROGRAMMABLE(UNITS),
      .UNITS(ALL),
      .KINDS(KINDS),
      .TABLE(TABLE),
      .BANKS(BANKS),
      .GLOBAL_LOG2(GLOBAL_LOG2),
      .FIRST_LOG2(FIRST_LOG2),
      .LOCAL_LOG2(LOCAL_LOG2),
      .CACHE_LOG2(CACHE_LOG2),
      .BEAT_LOG2(BEAT_LOG2),
      .LINE_LOG2(LINE_LOG2),
      .LABEL_BITS(LABEL_BITS),
      .MUL(MUL),
      .DIV(DIV),
      .FPU(FPU),
      .BITMANIP(BITMANIP),
      .ATOMIC(ATOMIC),
      .PROCESSOR(PROCESSOR),
      .PAGES_LOG2(PAGES_LOG2),
      .CLOCK_KHZ(CLOCK_KHZ)
  ) control_side (
      .clk(clk),
      .rst(rst),
      .control_valid_i(control_valid_i),
      .control_write_i(control_write_i),
      .control_address_i(control_address_i),
      .control_data_i(control_data_i),
      .control_data_o(control_data_o),
      .memory_latency_i(memory_latency_i),
      .memory_interval_i(memory_interval_i),
      .dispatch_busy_o(dispatch_busy),
      .dispatch_runs_o(dispatch_runs),
      .commands_o(commands),
      .go_on_o(go_on),
      .memory_error_i(memory_error),
      .memory_failed_i(memory_failed),
      .memory_busy_i(memory_busy_i),
      .quiet_i(quiet),
      .reader_valid_o(reader_valid),
      .reader_ready_i(reader_ready),
      .reader_address_o(reader_address),
      .reader_answer_i(reader_answer),
      .processor_valid_o(processor_valid),
      .processor_ready_i(processor_ready),
      .processor_store_o(processor_store),
      .processor_address_o(processor_address),
      .processor_data_o(processor_data),
      .processor_strobe_o(processor_strobe),
      .processor_label_o(processor_label),
      .processor_answer_i(processor_answer),
      .processor_answer_ready_o(processor_answer_ready),
      .processor_answer_label_i(processor_answer_label),
      .system_answer_i(system_answer),
      .kind_o(kind),
      .unit_mask_o(unit_mask),
      .may_run_i(may_run),
      .start_o(start),
      .clear_o(clear),
      .entry_o(entry),
      .packet_o(packet),
      .sub_group_log2_o(sub_group_log2),
      .sub_groups_o(sub_groups),
      .local_bytes_o(local_bytes),
      .private_base_o(private_base),
      .private_log2_o(private_log2),
      .clock_o(clock),
      .rights_o(rights),
      .group_valid_o(group_valid),
      .group_ready_i(group_ready),
      .group_id_o(group_id),
      .group_base_o(group_base),
      .group_size_o(group_size),
      .group_done_i(group_done),
      .idle_i(idle),
      .stop_o(stop),
      .stop_reason_o(stop_reason),
      .fault_i(fault),
      .drained_i(drained),
      .records_i(records),
      .issued_i(issued),
      .active_i(active),
      .memory_wait_i(memory_wait),
      .conflict_i(conflict),
      .unit_request_taken_i(unit_request_taken),
      .missed_i(missed),
      .external_request_i(request_valid_o & request_ready_i)
  );

  compute_units #(
      .UNITS(ALL),
      .KINDS(KINDS),
      .TABLE(TABLE),
      `include "rtl/compute_unit_parameters_passed.vh"
  ) compute_units (
      .clk(clk),
      .rst(rst),
      .kind_i(kind),
      .unit_mask_i(unit_mask),
      .may_run_o(may_run),
      .start_i(start),
      .clear_i(clear),
      .entry_i(entry),
      .packet_i(packet),
      .sub_group_log2_i(sub_group_log2),
      .sub_groups_i(sub_groups),
      .local_bytes_i(local_bytes),
      .private_base_i(private_base),
      .private_log2_i(private_log2),
      .clock_i(clock),
      .rights_i(rights),
      .group_valid_i(group_valid),
      .group_ready_o(group_ready),
      .group_id_i(group_id),
      .group_base_i(group_base),
      .group_size_i(group_size),
      .group_done_o(group_done),
      .idle_o(idle),
      .stop_i(stop),
      .stop_reason_i(stop_reason),
      .fault_o(fault),
      .drained_o(drained),
      .fault_records_o(records),
      .issued_o(issued),
      .active_o(active),
      .memory_wait_o(memory_wait),
      .conflict_o(conflict),
      .request_valid_o(unit_request_valid),
      .request_ready_i(unit_request_ready),
      .request_kind_o(unit_request_kind),
      .request_function_o(unit_request_function),
      .request_address_o(unit_request_address),
      .request_data_o(unit_request_data),
      .request_strobe_o(unit_request_strobe),
      .request_owner_o(unit_request_owner),
      .request_label_o(unit_request_label),
      .response_valid_i(unit_response_valid),
      .response_ready_o(unit_response_ready),
      .response_data_i(unit_response_data),
      .response_label_i(unit_response_label)
  );

  memory_side #(
      .UNITS(ALL),
      .BANKS(BANKS),
      .GLOBAL_LOG2(GLOBAL_LOG2),
      .CACHE_LOG2(CACHE_LOG2),
      .BEAT_LOG2(BEAT_LOG2),
      .LINE_LOG2(LINE_LOG2),
      .OWNER_BITS(OWNER_BITS),
      .LABEL_BITS(LABEL_BITS),
      .COMPACT(COMPACT)
  ) memory_side (
      .clk(clk),
      .rst(rst),
      .go_on_i(go_on),
      .dispatch_runs_i(dispatch_runs),
      .units_idle_i(&idle),
      .memory_error_o(memory_error),
      .memory_failed_o(memory_failed),
      .forget_i(forget_i),
      .hold_i(hold_i),
      .cache_idle_o(cache_idle),
      .quiet_o(quiet),
      .unit_request_taken_o(unit_request_taken),
      .missed_o(missed),
      .link_valid_i(link_valid_i),
      .link_ready_o(link_ready_o),
      .link_store_i(link_store_i),
      .link_address_i(link_address_i),
      .link_data_i(link_data_i),
      .link_strobe_i(link_strobe_i),
      .link_answer_o(link_answer_o),
      .reader_valid_i(reader_valid),
      .reader_ready_o(reader_ready),
      .reader_address_i(reader_address),
      .reader_answer_o(reader_answer),
      .processor_valid_i(processor_valid),
      .processor_ready_o(processor_ready),
      .processor_store_i(processor_store),
      .processor_address_i(processor_address),
      .processor_data_i(processor_data),
      .processor_strobe_i(processor_strobe),
      .processor_label_i(processor_label),
      .processor_answer_o(processor_answer),
      .processor_answer_ready_i(processor_answer_ready),
      .processor_answer_label_o(processor_answer_label),
      .system_answer_o(system_answer),
      .unit_request_valid_i(unit_request_valid),
      .unit_request_ready_o(unit_request_ready),
      .unit_request_kind_i(unit_request_kind),
      .unit_request_function_i(unit_request_function),
      .unit_request_address_i(unit_request_address),
      .unit_request_data_i(unit_request_data),
      .unit_request_strobe_i(unit_request_strobe),
      .unit_request_owner_i(unit_request_owner),
      .unit_request_label_i(unit_request_label),
      .unit_response_valid_o(unit_response_valid),
      .unit_response_ready_i(unit_response_ready),
      .unit_response_data_o(unit_response_data),
      .unit_response_label_o(unit_response_label),
      .memory_error_i(memory_error_i),
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

  assign link_answer_data_o = system_answer;
  assign link_quiet_o = quiet[ALL];
  assign cache_idle_o = cache_idle;
  assign busy_o = dispatch_busy || commands || !cache_idle;
  // The cache is not idle while it clears its tags after a reset.
  always @(posedge clk) ready_o <= !rst && (ready_o || cache_idle);
endmodule

`default_nettype wire
