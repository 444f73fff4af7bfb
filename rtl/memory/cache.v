// SPDX-License-Identifier: Apache-2.0
// The device cache, between the units' row requests and external memory: in order, "tags now, data later". A row a cycle;
// 9 cycles from the request to its answer when it hits. cache_lookup.v decides in order what hits, and asks external memory for lines
// as soon as they are missed; cache_data.v follows in the same order and owns the data. Answers leave in the order of
// requests with the labels they brought. Writes go through; a store that misses does not bring its line.
// External memory must take a write while 63 lines are under way: an atomic writes its row before those behind it are taken.
`default_nettype none

module cache #(
    parameter PLACE_BITS = 28,  // bits of an address in global memory
    parameter CACHE_LOG2 = 16,  // log2 of the bytes, 12 to 18
    parameter WAYS_LOG2 = 2,  // log2 of the ways, 1 at least
    parameter ROW_LOG2 = 5,  // log2 of the bytes of a row
    parameter LINE_LOG2 = 6,  // log2 of the bytes of a line, ROW_LOG2 at least
    parameter OWNER_BITS = 5,  // who reserves
    parameter LABEL_BITS = 15,  // what the unit wants back with an answer
    parameter QUEUE_LOG2 = 6,  // log2 of the requests that may wait for data
    parameter COMPACT = 0,  // as in heddle.v
    parameter ROW_BYTES = 1 << ROW_LOG2
) (
    input wire clk,
    input wire rst,
    input wire invalidate_i, // forget everything; nothing may be under way

    // requests for rows
    input  wire                   request_valid_i,
    output wire                   request_ready_o,
    input  wire [            1:0] request_kind_i,      // 0 load, 1 store, 2 atomic
    input  wire [            4:0] request_function_i,  // of an atomic: funct5
    input  wire [ PLACE_BITS-1:0] request_address_i,
    input  wire [8*ROW_BYTES-1:0] request_data_i,
    input  wire [  ROW_BYTES-1:0] request_strobe_i,    // bytes stored; words of an atomic
    input  wire [ OWNER_BITS-1:0] request_owner_i,
    input  wire [ LABEL_BITS-1:0] request_label_i,

    // answers to loads and atomics, in order: the row as it was; of sc.w 0 or 1 in each word
    output wire                   response_valid_o,
    input  wire                   response_ready_i,
    output wire [8*ROW_BYTES-1:0] response_data_o,
    output wire [ LABEL_BITS-1:0] response_label_o,

    // external memory: lines read, rows written, served in order; a line comes as its rows, lowest first
    output wire                   memory_valid_o,
    input  wire                   memory_ready_i,
    output wire                   memory_store_o,
    output wire [ PLACE_BITS-1:0] memory_address_o,
    output wire [8*ROW_BYTES-1:0] memory_data_o,
    output wire [  ROW_BYTES-1:0] memory_strobe_o,
    input  wire                   fill_valid_i,
    output wire                   fill_ready_o,
    input  wire [8*ROW_BYTES-1:0] fill_data_i,

    output wire missed_o,  // pulse: a line is asked for
    output wire idle_o     // external memory is up to date, nothing is under way
);
  `include "rtl/memory/request.vh"
  localparam REST_BITS = 5 + OWNER_BITS + LABEL_BITS;
  localparam INDEX_BITS = CACHE_LOG2 - ROW_LOG2;

  wire queue_valid, queue_ready, queue_miss, atomics, filled, lookup_idle, data_idle;
  wire lookup_valid, write_takes, write_valid;
  wire [1:0] queue_kind;
  wire [INDEX_BITS-1:0] queue_index;
  wire [PLACE_BITS-1:0] queue_address, write_address;
  wire [8*ROW_BYTES-1:0] queue_data, write_data;
  wire [ROW_BYTES-1:0] queue_strobe, write_strobe;
  wire [REST_BITS-1:0] queue_rest;
  wire lookup_stores = queue_kind == STORE;
  cache_lookup #(
      .PLACE_BITS(PLACE_BITS),
      .CACHE_LOG2(CACHE_LOG2),
      .WAYS_LOG2 (WAYS_LOG2),
      .LINE_LOG2 (LINE_LOG2),
      .ROW_LOG2  (ROW_LOG2),
      .REST_BITS (REST_BITS)
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
      .PLACE_BITS(PLACE_BITS),
      .CACHE_LOG2(CACHE_LOG2),
      .LINE_LOG2(LINE_LOG2),
      .ROW_LOG2(ROW_LOG2),
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

  localparam [PLACE_BITS-1:0] IN_LINE = (1 << LINE_LOG2) - 1;
  assign memory_valid_o = write_valid || (lookup_valid && !write_takes);
  assign memory_store_o = write_valid || lookup_stores;
  assign memory_address_o = write_valid ? write_address : lookup_stores ? queue_address : queue_address & ~IN_LINE;
  assign memory_data_o = write_valid ? write_data : queue_data;
  assign memory_strobe_o = write_valid ? write_strobe : queue_strobe;
  assign idle_o = lookup_idle && data_idle;
endmodule

`default_nettype wire
