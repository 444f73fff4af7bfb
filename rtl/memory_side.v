// SPDX-License-Identifier: Apache-2.0
// The memory side of a device: the cache with its channels of external memory; the system port, which host link,
// dispatch reader and command processor share; and errors of external memory. Requests of one port are served in order;
// latency and throughput are those of cache_banks.v.
`include "rtl/shape.vh"
`default_nettype none

module memory_side #(
    parameter UNITS = 1,  // of all kinds
    parameter BANKS = 1,  // these as in heddle.v
    parameter GLOBAL_LOG2 = 28,
    parameter CACHE_LOG2 = 16,
    parameter BEAT_LOG2 = 5,
    parameter LINE_LOG2 = 6,
    parameter OWNER_BITS = 5,  // as in compute_unit.v
    parameter LABEL_BITS = 63,
    parameter COMPACT = 0,
    parameter BEAT_BYTES = 1 << BEAT_LOG2  // derived
) (
    input wire clk,
    input wire rst,

    // state of the device
    input wire go_on_i,  // COMMAND go on: the host has read the error
    input wire dispatch_runs_i,
    input wire units_idle_i,  // no unit has a work-group
    output reg memory_error_o,  // pulse: external memory failed
    output reg memory_failed_o,  // external memory failed while no dispatch ran
    input wire forget_i,  // external memory was written past the cache
    input wire hold_i,  // new requests must wait
    output wire cache_idle_o,  // external memory is up to date
    output wire [UNITS:0] quiet_o,  // the cache has taken all requests: by unit; highest bit: system port
    output wire [UNITS-1:0] unit_request_taken_o,  // for the performance counters: the cache took a request of the unit
    output wire [BANKS-1:0] missed_o,  // a request missed in the cache

    // the host link, as in heddle.v
    input wire link_valid_i,
    output wire link_ready_o,
    input wire link_store_i,
    input wire [GLOBAL_LOG2-1:0] link_address_i,
    input wire [8*BEAT_BYTES-1:0] link_data_i,
    input wire [BEAT_BYTES-1:0] link_strobe_i,
    output wire link_answer_o,

    // the dispatch reader: loads of beats
    input wire reader_valid_i,
    output wire reader_ready_o,
    input wire [GLOBAL_LOG2-1:0] reader_address_i,
    output wire reader_answer_o,

    // the command processor
    input wire processor_valid_i,
    output wire processor_ready_o,
    input wire processor_store_i,
    input wire [GLOBAL_LOG2-1:0] processor_address_i,
    input wire [8*BEAT_BYTES-1:0] processor_data_i,
    input wire [BEAT_BYTES-1:0] processor_strobe_i,
    input wire [LABEL_BITS-1:0] processor_label_i,
    output wire processor_answer_o,
    input wire processor_answer_ready_i,
    output wire [LABEL_BITS-1:0] processor_answer_label_o,

    output wire [8*BEAT_BYTES-1:0] system_answer_o,  // the beat of an answer to any of these three

    // units
    input wire [UNITS-1:0] unit_request_valid_i,
    output wire [UNITS-1:0] unit_request_ready_o,
    input wire [UNITS*2-1:0] unit_request_kind_i,
    input wire [UNITS*5-1:0] unit_request_function_i,
    input wire [UNITS*GLOBAL_LOG2-1:0] unit_request_address_i,
    input wire [UNITS*8*BEAT_BYTES-1:0] unit_request_data_i,
    input wire [UNITS*BEAT_BYTES-1:0] unit_request_strobe_i,
    input wire [UNITS*OWNER_BITS-1:0] unit_request_owner_i,
    input wire [UNITS*LABEL_BITS-1:0] unit_request_label_i,
    output wire [UNITS-1:0] unit_response_valid_o,
    input wire [UNITS-1:0] unit_response_ready_i,
    output wire [UNITS*8*BEAT_BYTES-1:0] unit_response_data_o,
    output wire [UNITS*LABEL_BITS-1:0] unit_response_label_o,

    // external memory, as in heddle.v
    input wire [BANKS-1:0] memory_error_i,
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
  localparam SYSTEM_BITS = LABEL_BITS + 2;  // of a label: which of the three asked, and its own label
  wire dropping, drop;  // the cache may have wrong data: requests wait, those of units have ended; it is invalidated
  wire hold = dropping || hold_i;
  // Errors of external memory: a dispatch that runs faults; else STATUS reports it. The cache is invalidated.
  always @(posedge clk) begin
    memory_error_o  <= memory_error_i != 0 && !rst;
    memory_failed_o <= !rst && !go_on_i && (memory_failed_o || (memory_error_o && !dispatch_runs_i));
  end
  error_drop error_drop (
      .clk(clk),
      .rst(rst),
      .error_i(memory_error_o),
      .units_idle_i(units_idle_i && (&quiet_o[UNITS-1:0])),
      .cache_idle_i(cache_idle_o),
      .hold_o(dropping),
      .invalidate_o(drop)
  );

  // The system port: host link, dispatch reader, command processor.
  wire system_valid, system_ready, system_store, system_answers, system_answer_ready;
  wire [ GLOBAL_LOG2-1:0] system_address;
  wire [8*BEAT_BYTES-1:0] system_data;
  wire [  BEAT_BYTES-1:0] system_strobe;
  wire [SYSTEM_BITS-1:0] system_label, system_answer_label;
  system_port #(
      .ADDRESS_BITS(GLOBAL_LOG2),
      .BEAT_LOG2(BEAT_LOG2),
      .LABEL_BITS(LABEL_BITS)
  ) system_port (
      .clk(clk),
      .rst(rst),
      .link_valid_i(link_valid_i),
      .link_ready_o(link_ready_o),
      .link_store_i(link_store_i),
      .link_address_i(link_address_i),
      .link_data_i(link_data_i),
      .link_strobe_i(link_strobe_i),
      .link_answer_o(link_answer_o),
      .reader_valid_i(reader_valid_i),
      .reader_ready_o(reader_ready_o),
      .reader_address_i(reader_address_i),
      .reader_answer_o(reader_answer_o),
      .processor_valid_i(processor_valid_i),
      .processor_ready_o(processor_ready_o),
      .processor_store_i(processor_store_i),
      .processor_address_i(processor_address_i),
      .processor_data_i(processor_data_i),
      .processor_strobe_i(processor_strobe_i),
      .processor_label_i(processor_label_i),
      .processor_answer_o(processor_answer_o),
      .processor_answer_ready_i(processor_answer_ready_i),
      .answer_label_o(processor_answer_label_o),
      .request_valid_o(system_valid),
      .request_ready_i(system_ready && !hold),
      .request_store_o(system_store),
      .request_address_o(system_address),
      .request_data_o(system_data),
      .request_strobe_o(system_strobe),
      .request_label_o(system_label),
      .response_valid_i(system_answers),
      .response_ready_o(system_answer_ready),
      .response_label_i(system_answer_label)
  );

  // The cache; the system port is its last unit.
  genvar u;
  wire [UNITS*SYSTEM_BITS-1:0] unit_request_labels, unit_response_labels;
  generate
    for (u = 0; u < UNITS; u = u + 1) begin : labels
      assign unit_request_labels[u*SYSTEM_BITS+:SYSTEM_BITS] = {2'd0, unit_request_label_i[u*LABEL_BITS+:LABEL_BITS]};
      assign unit_response_label_o[u*LABEL_BITS+:LABEL_BITS] = unit_response_labels[u*SYSTEM_BITS+:LABEL_BITS];
    end
  endgenerate
  wire labels_unused = &{1'b0, unit_response_labels};
  wire [UNITS-1:0] unit_request_ready;
  assign unit_request_ready_o = unit_request_ready & {UNITS{!hold_i}};
  wire system_taken;
  wire system_taken_unused = system_taken;
  cache_banks #(
      .UNITS(UNITS + 1),
      .BANKS(BANKS),
      .ADDRESS_BITS(GLOBAL_LOG2),
      .CACHE_LOG2(CACHE_LOG2),
      .BEAT_LOG2(BEAT_LOG2),
      .LINE_LOG2(LINE_LOG2),
      .SLOT_BITS(OWNER_BITS),
      .LABEL_BITS(SYSTEM_BITS),
      .COMPACT(COMPACT)
  ) cache_banks (
      .clk(clk),
      .rst(rst),
      .invalidate_i(forget_i || drop),
      .request_valid_i({system_valid && !hold, unit_request_valid_i & {UNITS{!hold_i}}}),
      .request_ready_o({system_ready, unit_request_ready}),
      .request_kind_i({1'b0, system_store, unit_request_kind_i}),
      .request_function_i({5'd0, unit_request_function_i}),
      .request_address_i({system_address, unit_request_address_i}),
      .request_data_i({system_data, unit_request_data_i}),
      .request_strobe_i({system_strobe, unit_request_strobe_i}),
      .request_owner_i({{OWNER_BITS{1'b0}}, unit_request_owner_i}),
      .request_label_i({system_label, unit_request_labels}),
      .response_valid_o({system_answers, unit_response_valid_o}),
      .response_ready_i({system_answer_ready, unit_response_ready_i}),
      .response_data_o({system_answer_o, unit_response_data_o}),
      .response_label_o({system_answer_label, unit_response_labels}),
      .memory_valid_o(request_valid_o),
      .memory_ready_i(request_ready_i),
      .memory_store_o(request_store_o),
      .memory_address_o(request_address_o),
      .memory_data_o(request_data_o),
      .memory_strobe_o(request_strobe_o),
      .fill_valid_i(response_valid_i),
      .fill_ready_o(response_ready_o),
      .fill_data_i(response_data_i),
      .taken_o({system_taken, unit_request_taken_o}),
      .quiet_o(quiet_o),
      .missed_o(missed_o),
      .idle_o(cache_idle_o)
  );
endmodule

`default_nettype wire
