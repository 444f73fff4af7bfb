// SPDX-License-Identifier: Apache-2.0
// The tags of a cache bank: looks up requests in order, one a cycle, 3 cycles from request to result. A miss requests
// its line from external memory, and the line counts as present from then on. A store goes to external memory in the
// same order. What the data RAM has to do for a request goes to cache_data.v.
//
// Stages: b: tags are read; c: they are compared, two bits at a time; d: the result is registered. When stage d gives a
// set a new line, requests in b and c that have read the old tags of that set are corrected on their way to the next
// stage.
`default_nettype none

module cache_lookup #(
    parameter ADDRESS_BITS = 28,  // bits of an address in global memory
    parameter CACHE_LOG2 = 16,  // log2 of the bytes of the cache
    parameter WAYS_LOG2 = 2,  // log2 of the ways, 1 at least
    parameter LINE_LOG2 = 6,  // log2 of the bytes of a line
    parameter LINES_LOG2 = 6,  // log2 of the lines that may be in flight, plus one
    parameter BEAT_LOG2 = 5,  // log2 of the bytes of a beat
    parameter REST_BITS = 16,  // of the other fields of a request: passed on
    parameter BEAT_BYTES = 1 << BEAT_LOG2,
    parameter INDEX_BITS = CACHE_LOG2 - BEAT_LOG2  // of the number of a beat in the data RAM
) (
    input wire clk,
    input wire rst,
    input wire invalidate_i, // forget all lines; no request may be in flight

    // requests
    input  wire                    request_valid_i,
    output wire                    request_ready_o,
    input  wire [             1:0] request_kind_i,     // 0 load, 1 store, 2 atomic
    input  wire [ADDRESS_BITS-1:0] request_address_i,
    input  wire [8*BEAT_BYTES-1:0] request_data_i,
    input  wire [  BEAT_BYTES-1:0] request_strobe_i,
    input  wire [   REST_BITS-1:0] request_rest_i,

    // the result, for the queue of the data RAM; a store that misses does not go there
    output wire                    queue_valid_o,
    input  wire                    queue_ready_i,
    output wire [             1:0] queue_kind_o,
    output wire                    queue_miss_o,     // the line comes from external memory first
    output wire [  INDEX_BITS-1:0] queue_index_o,
    output wire [ADDRESS_BITS-1:0] queue_address_o,
    output wire [8*BEAT_BYTES-1:0] queue_data_o,
    output wire [  BEAT_BYTES-1:0] queue_strobe_o,
    output wire [   REST_BITS-1:0] queue_rest_o,

    // external memory: loads of lines, stores of beats; kind and address are those at the queue
    output wire memory_valid_o,
    input  wire memory_ready_i,
    input  wire atomics_i,       // there are atomics in the queue

    output wire missed_o,  // pulse: a line is requested
    input  wire filled_i,  // pulse: a line has been received
    output wire idle_o
);
  localparam WAYS = 1 << WAYS_LOG2;
  localparam SET_BITS = CACHE_LOG2 - LINE_LOG2 - WAYS_LOG2;
  localparam LINE_BITS = ADDRESS_BITS - LINE_LOG2;
  localparam TAG_BITS = LINE_BITS - SET_BITS;
  localparam EPOCH_BITS = 4;
  localparam TRACK_LOG2 = 4;
  `include "rtl/memory/request.vh"
  integer w;
  genvar n;

  // All bits of a line's number select its set, so lines at a power-of-two pitch are in different sets.
  function [SET_BITS-1:0] set_of(input [LINE_BITS-1:0] line);
    integer bit_number;
    begin
      set_of = {SET_BITS{1'b0}};
      for (bit_number = 0; bit_number < LINE_BITS; bit_number = bit_number + 1)
      set_of[bit_number%SET_BITS] = set_of[bit_number%SET_BITS] ^ line[bit_number];
    end
  endfunction

  // Invalidation: a tag is valid in its epoch only, so a new epoch invalidates all lines at once. Epochs repeat, so
  // after each the next eighth of the sets is cleared: no tag lasts until its epoch comes again. Epoch 0 marks cleared
  // tags.
  reg [EPOCH_BITS-1:0] epoch;
  reg [SET_BITS-1:0] wipe_set;
  reg [SET_BITS:0] wipes;  // sets still to clear
  reg wiping;  // wipes is not 0
  localparam [SET_BITS:0] ALL_SETS = 1 << SET_BITS, EIGHTH = (1 << SET_BITS) >> (EPOCH_BITS - 1);
  always @(posedge clk) begin
    if (wiping) begin
      wipe_set <= wipe_set + 1'b1;
      wipes <= wipes - 1'b1;
      wiping <= wipes != 1;
    end
    if (invalidate_i && !wiping) begin  // else no request has come since the last invalidation
      epoch  <= &epoch ? {{(EPOCH_BITS - 1) {1'b0}}, 1'b1} : epoch + 1'b1;
      wipes  <= EIGHTH;
      wiping <= EIGHTH != 0;
    end
    if (rst) begin
      epoch <= {{(EPOCH_BITS - 1) {1'b0}}, 1'b1};
      wipe_set <= 0;
      wipes <= ALL_SETS;
      wiping <= 1'b1;
    end
  end

  // The stages. The request passes through unchanged.
  localparam REQUEST_BITS = 2 + ADDRESS_BITS + 9 * BEAT_BYTES + REST_BITS;
  reg b_valid, c_valid, d_valid;
  reg [REQUEST_BITS-1:0] b_request, c_request, d_request;
  wire [1:0] d_kind;
  wire [ADDRESS_BITS-1:0] d_address;
  assign {d_kind, d_address, queue_data_o, queue_strobe_o, queue_rest_o} = d_request;
  localparam LINE_AT = 9 * BEAT_BYTES + REST_BITS + LINE_LOG2;  // of the line's number in a request
  localparam TAG_AT = LINE_AT + SET_BITS;
  wire [ LINE_BITS-1:0] a_line = request_address_i[ADDRESS_BITS-1:LINE_LOG2];
  wire [  TAG_BITS-1:0] b_line_tag = b_request[TAG_AT+:TAG_BITS];
  wire [  TAG_BITS-1:0] c_line_tag = c_request[TAG_AT+:TAG_BITS];
  wire [  TAG_BITS-1:0] d_line_tag = d_request[TAG_AT+:TAG_BITS];
  wire [TRACK_LOG2-1:0] c_track = c_request[LINE_AT+:TRACK_LOG2], d_track = d_request[LINE_AT+:TRACK_LOG2];
  wire [  SET_BITS-1:0] a_set = set_of(a_line);
  reg [SET_BITS-1:0] b_set, c_set, d_set;

  wire d_leaves;
  wire d_ready = !d_valid || d_leaves;
  wire c_ready = !c_valid || d_ready;
  wire b_ready = !b_valid || c_ready;
  assign request_ready_o = b_ready && !wiping;

  // Comparisons of stages. That of c and d is made a cycle before: both move on together, or d stays.
  reg d_hit;
  reg d_fills, d_to_memory, d_to_queue;  // what stage d requests
  reg [WAYS_LOG2-1:0] d_victim;
  wire b_d_set = b_set == d_set, b_d_tag = b_line_tag == d_line_tag;
  reg c_d_set, c_d_tag;
  always @(posedge clk)
    if (c_ready) begin
      c_d_set <= d_ready ? b_set == c_set : b_d_set;
      c_d_tag <= d_ready ? b_line_tag == c_line_tag : b_d_tag;
    end
  // The tag that was written while stage b read. Stage d writes its tag at once, and again in each cycle in which it
  // cannot move on: whether it can is known late in a cycle, and all requests that could find the tag are behind it.
  reg filled;
  reg [SET_BITS-1:0] filled_set;
  reg [TAG_BITS-1:0] filled_tag;
  reg [WAYS_LOG2-1:0] filled_way;
  always @(posedge clk) begin
    if (b_ready) {filled, filled_set, filled_tag, filled_way} <= {d_fills, d_set, d_line_tag, d_victim};
    if (rst) filled <= 1'b0;
  end
  wire b_d_fills = d_fills && b_d_set;
  wire b_filled = filled && b_set == filled_set;
  wire b_filled_tag = b_line_tag == filled_tag;

  // a to c: the tags. The way that a miss fills is chosen round robin, and read in stage b.
  reg [WAYS_LOG2-1:0] victims[0:(1<<SET_BITS)-1];
  reg [WAYS_LOG2-1:0] c_victim;
  always @(posedge clk) begin
    if (d_fills) victims[d_set] <= d_victim + 1'b1;
    if (c_ready) c_victim <= b_d_fills ? d_victim + 1'b1 : victims[b_set];
  end
  // The block RAMs of the tags are far apart on a chip. The first step of the comparison is beside each: it halves the
  // wires.
  localparam STAMP_BITS = EPOCH_BITS + TAG_BITS;
  localparam PAIRS = (STAMP_BITS + 1) / 2;
  wire [2*PAIRS-1:0] b_stamp = {{(2 * PAIRS - STAMP_BITS) {1'b0}}, epoch, b_line_tag};
  wire [WAYS-1:0] c_hits;
  generate
    for (n = 0; n < WAYS; n = n + 1) begin : way
      (* ram_style = "block", no_rw_check *) reg [STAMP_BITS-1:0] tags[0:(1<<SET_BITS)-1];
      reg [STAMP_BITS-1:0] b_tag;
      reg [PAIRS-1:0] c_equal;
      reg c_given;  // stage d has given this line this way
      wire fill_in_d = b_d_fills && d_victim == n;
      wire fill_before = b_filled && filled_way == n;
      wire [2*PAIRS-1:0] b_tag_pairs = {{(2 * PAIRS - STAMP_BITS) {1'b0}}, b_tag};
      integer pair;
      always @(posedge clk) begin
        if (wiping || (d_fills && d_victim == n))
          tags[wiping?wipe_set : d_set] <= wiping ? {STAMP_BITS{1'b0}} : {epoch, d_line_tag};
        if (b_ready) b_tag <= tags[a_set];
        if (c_ready) begin
          for (pair = 0; pair < PAIRS; pair = pair + 1) c_equal[pair] <= b_tag_pairs[2*pair+:2] == b_stamp[2*pair+:2];
          if (fill_in_d || fill_before) c_equal[0] <= 1'b0;
          c_given <= fill_in_d ? b_d_tag : fill_before && b_filled_tag;
        end
      end
      assign c_hits[n] = (&c_equal) || c_given;
    end
  endgenerate
  always @(posedge clk) begin
    if (b_ready) begin
      b_request <= {request_kind_i, request_address_i, request_data_i, request_strobe_i, request_rest_i};
      b_set <= a_set;
      b_valid <= request_valid_i && !wiping;
    end
    if (c_ready) begin
      c_request <= b_request;
      c_set <= b_set;
      c_valid <= b_valid;
    end
    if (rst) {b_valid, c_valid} <= 2'b00;
  end

  // c to d: the result.
  reg [WAYS_LOG2-1:0] d_way;
  wire corrected = d_fills && c_d_set;
  reg [WAYS-1:0] hits;
  reg [WAYS_LOG2-1:0] hit_way;
  always @* begin
    hits = c_hits;
    if (corrected) hits[d_victim] = c_d_tag;
    hit_way = {WAYS_LOG2{1'b0}};
    for (w = 0; w < WAYS; w = w + 1) if (hits[w]) hit_way = hit_way | w[WAYS_LOG2-1:0];
  end
  wire c_store = c_request[REQUEST_BITS-1-:2] == STORE;
  always @(posedge clk) begin
    if (d_ready) begin
      d_request <= c_request;
      d_set <= c_set;
      d_valid <= c_valid;
      d_fills <= c_valid && !c_store && hits == 0;
      d_to_memory <= c_store || hits == 0;
      d_to_queue <= c_valid && (!c_store || hits != 0);
      d_hit <= |hits;
      d_way <= hit_way;
      d_victim <= corrected ? d_victim + 1'b1 : c_victim;
    end
    if (rst) {d_valid, d_fills, d_to_queue} <= 3'b000;
  end

  // d: to the queue and to external memory. d_leaves stops all stages, so it depends on registers alone. While the
  // queue holds atomics, lines that may be theirs are neither read from nor written to external memory: the atomics'
  // own writes come first.
  reg [(1<<TRACK_LOG2)-1:0] tracked;
  reg d_tracked;
  wire d_puts_atomic = d_valid && d_kind == ATOMIC;  // when it leaves
  always @(posedge clk) begin
    if (!atomics_i) tracked <= 0;
    if (d_puts_atomic && d_leaves) tracked[d_track] <= 1'b1;
    if (d_ready) d_tracked <= (atomics_i && tracked[c_track]) || (d_puts_atomic && c_track == d_track);
  end
  // A limit of lines in flight: external memory must have room for the write of an atomic in front of them.
  reg [LINES_LOG2-1:0] lines;
  reg lines_full;  // known a cycle late: one more line may still be requested
  always @(posedge clk) begin
    lines <= rst ? {LINES_LOG2{1'b0}} :
             lines + {{(LINES_LOG2 - 1) {1'b0}}, missed_o} - {{(LINES_LOG2 - 1) {1'b0}}, filled_i};
    lines_full <= !rst && (&lines[LINES_LOG2-1:1]);
  end
  wire blocked = (atomics_i && d_tracked) || (d_fills && lines_full);
  assign memory_valid_o = d_valid && d_to_memory && queue_ready_i && !blocked;
  assign d_leaves = queue_ready_i && (!d_to_memory || (memory_ready_i && !blocked));
  assign missed_o = d_fills && d_leaves;
  assign queue_valid_o = d_to_queue && d_leaves;
  assign queue_kind_o = d_kind;
  assign queue_miss_o = !d_hit;
  assign queue_address_o = d_address;
  wire [INDEX_BITS-1:0] d_index;
  generate
    if (LINE_LOG2 > BEAT_LOG2) begin : several_beats
      assign d_index = {d_set, d_hit ? d_way : d_victim, d_address[LINE_LOG2-1:BEAT_LOG2]};
    end else begin : one_beat
      assign d_index = {d_set, d_hit ? d_way : d_victim};
    end
  endgenerate
  assign queue_index_o = d_index;

  assign idle_o = !b_valid && !c_valid && !d_valid && !wiping;
endmodule

`default_nettype wire
