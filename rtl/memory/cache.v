// SPDX-License-Identifier: Apache-2.0
// One bank of the device cache, between requests for beats and external memory. A request a cycle; the answer to a hit
// comes 9 cycles after its request. cache_lookup.v finds in order which requests hit, and requests missed lines at
// once. cache_data.v has the data and serves the same requests in the same order. Answers come in the order of
// requests, with the label of the request. Stores are written through; a store that misses does not fetch its line.
// External memory must take a write while 63 lines are in flight: an atomic writes its beat before the lines behind it
// are taken.
`default_nettype none

module cache #(
    parameter ADDRESS_BITS = 28,  // bits of an address in global memory
    parameter CACHE_LOG2 = 16,  // log2 of the bytes, 12 to 18
    parameter WAYS_LOG2 = 2,  // log2 of the ways, 1 at least
    parameter BEAT_LOG2 = 5,  // log2 of the bytes of a beat
    parameter LINE_LOG2 = 6,  // log2 of the bytes of a line, BEAT_LOG2 at least
    parameter OWNER_BITS = 5,  // of what tells apart who reserves
    parameter LABEL_BITS = 15,  // returned unread with the answer
    parameter QUEUE_LOG2 = 6,  // log2 of the requests that may wait for data
    parameter COMPACT = 0,  // as in heddle.v
    parameter BEAT_BYTES = 1 << BEAT_LOG2
) (
    input wire clk,
    input wire rst,
    input wire invalidate_i, // forget all lines; no request may be in flight

    // requests for beats
    input  wire                    request_valid_i,
    output wire                    request_ready_o,
    input  wire [             1:0] request_kind_i,      // 0 load, 1 store, 2 atomic
    input  wire [             4:0] request_function_i,  // of an atomic: funct5
    input  wire [ADDRESS_BITS-1:0] request_address_i,
    input  wire [8*BEAT_BYTES-1:0] request_data_i,
    input  wire [  BEAT_BYTES-1:0] request_strobe_i,    // bytes stored; words of an atomic
    input  wire [  OWNER_BITS-1:0] request_owner_i,
    input  wire [  LABEL_BITS-1:0] request_label_i,

    // answers to loads and atomics, in order: the beat before the operation; for sc.w 0 or 1 in each word
    output wire                    response_valid_o,
    input  wire                    response_ready_i,
    output wire [8*BEAT_BYTES-1:0] response_data_o,
    output wire [  LABEL_BITS-1:0] response_label_o,

    // external memory: loads of lines, stores of beats, served in order; a line comes as its beats, lowest first
    output wire                    memory_valid_o,
    input  wire                    memory_ready_i,
    output wire                    memory_store_o,
    output wire [ADDRESS_BITS-1:0] memory_address_o,
    output wire [8*BEAT_BYTES-1:0] memory_data_o,
    output wire [  BEAT_BYTES-1:0] memory_strobe_o,
    input  wire                    fill_valid_i,
    output wire                    fill_ready_o,
    input  wire [8*BEAT_BYTES-1:0] fill_data_i,

    output wire missed_o,  // pulse: a line is requested
    output wire idle_o     // external memory is up to date, no request is in flight
);
  `include "rtl/memory/request.vh"
  localparam REST_BITS = 5 + OWNER_BITS + LABEL_BITS;
  localparam INDEX_BITS = CACHE_LOG2 - BEAT_LOG2;

  wire queue_valid, queue_ready, queue_miss, atomics, filled, lookup_idle, data_idle;
  wire lookup_valid, write_takes, write_valid;
  wire [1:0] queue_kind;
  wire [INDEX_BITS-1:0] queue_index;
  wire [ADDRESS_BITS-1:0] queue_address, write_address;
  wire [8*BEAT_BYTES-1:0] queue_data, write_data;
  wire [BEAT_BYTES-1:0] queue_strobe, write_strobe;
  wire [REST_BITS-1:0] queue_rest;
  wire lookup_stores = queue_kind == STORE;
  cache_lookup #(
      .ADDRESS_BITS(ADDRESS_BITS),
      .CACHE_LOG2(CACHE_LOG2),
      .WAYS_LOG2(WAYS_LOG2),
      .LINE_LOG2(LINE_LOG2),
      .BEAT_LOG2(BEAT_LOG2),
      .REST_BITS(REST_BITS)
  ) lookup (
      .clk(clk),
      .rst(rst),
      .invalidate_i(invalidate_i),
      .request_valid_i(request_valid_i),
      .request_ready_o(request_ready_o),
      .request_kind_i(request_kind_i),
      .request_address_i(request_address_i),
      .request_data_i(request_data_i),
      .request_strobe_i(request_strobe_i),
      .request_rest_i({request_function_i, request_owner_i, request_label_i}),
      .queue_valid_o(queue_valid),
      .queue_ready_i(queue_ready),
      .queue_kind_o(queue_kind),
      .queue_miss_o(queue_miss),
      .queue_index_o(queue_index),
      .queue_address_o(queue_address),
      .queue_data_o(queue_data),
      .queue_strobe_o(queue_strobe),
      .queue_rest_o(queue_rest),
      .memory_valid_o(lookup_valid),
      .memory_ready_i(memory_ready_i && !write_takes),
      .atomics_i(atomics),
      .missed_o(missed_o),
      .filled_i(filled),
      .idle_o(lookup_idle)
  );

  cache_data #(
      .ADDRESS_BITS(ADDRESS_BITS),
      .CACHE_LOG2(CACHE_LOG2),
      .LINE_LOG2(LINE_LOG2),
      .BEAT_LOG2(BEAT_LOG2),
      .OWNER_BITS(OWNER_BITS),
      .LABEL_BITS(LABEL_BITS),
      .QUEUE_LOG2(QUEUE_LOG2),
      .COMPACT(COMPACT)
  ) data (
      .clk(clk),
      .rst(rst),
      .invalidate_i(invalidate_i),
      .queue_valid_i(queue_valid),
      .queue_ready_o(queue_ready),
      .queue_kind_i(queue_kind),
      .queue_miss_i(queue_miss),
      .queue_index_i(queue_index),
      .queue_address_i(queue_address),
      .queue_data_i(queue_data),
      .queue_strobe_i(queue_strobe),
      .queue_rest_i(queue_rest),
      .atomics_o(atomics),
      .stored_i(lookup_valid && lookup_stores && memory_ready_i && !write_takes),
      .stored_address_i(queue_address),
      .stored_strobe_i(queue_strobe),
      .fill_valid_i(fill_valid_i),
      .fill_ready_o(fill_ready_o),
      .filled_o(filled),
      .fill_data_i(fill_data_i),
      .write_takes_o(write_takes),
      .write_valid_o(write_valid),
      .write_ready_i(memory_ready_i),
      .write_address_o(write_address),
      .write_data_o(write_data),
      .write_strobe_o(write_strobe),
      .response_valid_o(response_valid_o),
      .response_ready_i(response_ready_i),
      .response_data_o(response_data_o),
      .response_label_o(response_label_o),
      .idle_o(data_idle)
  );

  localparam [ADDRESS_BITS-1:0] IN_LINE = (1 << LINE_LOG2) - 1;
  assign memory_valid_o = write_valid || (lookup_valid && !write_takes);
  assign memory_store_o = write_valid || lookup_stores;
  assign memory_address_o = write_valid ? write_address : lookup_stores ? queue_address : queue_address & ~IN_LINE;
  assign memory_data_o = write_valid ? write_data : queue_data;
  assign memory_strobe_o = write_valid ? write_strobe : queue_strobe;
  assign idle_o = lookup_idle && data_idle;
endmodule

`default_nettype wire
