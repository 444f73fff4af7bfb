// SPDX-License-Identifier: Apache-2.0
// What sim/rtl/pipeline_observer.h reads every cycle of a kernel pipeline: which tokens come to a segment or leave it,
// and what stands at the heads of the queues in front of memory and pipes. heddlec --hardware binds it into each
// pipeline, whose own Verilog knows nothing of it (hls/pipeline/observed.c). It has no state.
`default_nettype none

module pipeline_observer #(
    parameter [31:0] KEY = 0,  // of the kernel, for its places
    parameter EVENTS = 2,
    parameter HEADS = 1
) (
    input wire [EVENTS-1:0] events_i,
    input wire [8*EVENTS-1:0] slots_i,  // of each event
    input wire [32*HEADS-1:0] heads_i,
    input wire [31:0] answer_i,  // {all of an access is there, 7'd0, slot, site}
    input wire [31:0] request_i  // of the unit to the device cache: {of the dispatch's packet, 15'd0, site}
);
  // Never less than three words, so that all are arrays.
  localparam EVENT_BITS = EVENTS > 96 ? EVENTS : 96, SLOTS_BITS = EVENTS > 12 ? 8 * EVENTS : 96,
             HEAD_BITS = HEADS > 3 ? 32 * HEADS : 96;
  wire [31:0] seen_key  /*verilator public_flat_rd*/ = KEY;
  wire [31:0] seen_event_count  /*verilator public_flat_rd*/ = EVENTS;
  wire [31:0] seen_head_count  /*verilator public_flat_rd*/ = HEADS;
  wire [EVENT_BITS-1:0] seen_events  /*verilator public_flat_rd*/ = EVENT_BITS'(events_i);
  wire [SLOTS_BITS-1:0] seen_slots  /*verilator public_flat_rd*/ = SLOTS_BITS'(slots_i);
  wire [HEAD_BITS-1:0] seen_heads  /*verilator public_flat_rd*/ = HEAD_BITS'(heads_i);
  wire [31:0] seen_answer  /*verilator public_flat_rd*/ = answer_i;
  wire [31:0] seen_request  /*verilator public_flat_rd*/ = request_i;
endmodule

`default_nettype wire
