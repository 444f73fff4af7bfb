// SPDX-License-Identifier: Apache-2.0
// Turns the loads and stores of sub-groups into as few row requests as their lanes need: lanes that touch the same row of
// the same memory go together. Operations wait in a queue, first in first out; a row request a cycle; 4 cycles from push
// to the first request. A load's requests carry the lanes they serve and, the last one, a mark.
// A load whose lanes mix local and global memory waits in between for its answers, so that the marked one comes last.
`default_nettype none

module coalescer #(
    parameter LANES = 8,  // power of two, 1 to 32
    parameter SLOT_BITS = 5,  // log2(SLOTS)
    parameter PLACE_BITS = 28,  // bits of an address in global memory
    parameter ROW_LOG2 = 5,  // log2 of the bytes of a row
    parameter QUEUE_LOG2 = 4,  // log2 of the operations that may wait
    parameter ROW_BYTES = 1 << ROW_LOG2
) (
    input wire clk,
    input wire rst,

    // an operation; never pushed while full_o
    input  wire                        push_i,
    input  wire                        store_i,
    input  wire [       SLOT_BITS-1:0] slot_i,
    input  wire [                 1:0] size_i,   // 0 byte, 1 half-word, 2 word
    input  wire [           LANES-1:0] lanes_i,
    input  wire [           LANES-1:0] local_i,  // per lane: local memory, else global
    input  wire [LANES*PLACE_BITS-1:0] place_i,
    input  wire [        LANES*32-1:0] data_i,
    output wire                        full_o,
    output wire                        idle_o,

    input wire drained_i,  // no answer to a load is outstanding

    // row requests
    output reg                    request_valid_o,
    input  wire                   request_ready_i,
    output reg                    request_local_o,
    output reg                    request_store_o,
    output reg  [ PLACE_BITS-1:0] request_address_o,
    output reg  [8*ROW_BYTES-1:0] request_data_o,
    output reg  [  ROW_BYTES-1:0] request_strobe_o,
    output reg  [  SLOT_BITS-1:0] request_slot_o,
    output reg  [      LANES-1:0] request_lanes_o,
    output reg                    request_last_o
);
  localparam ROW_WORDS = ROW_BYTES / 4;
  localparam ENTRY_BITS = 1 + SLOT_BITS + 2 + 2 * LANES + LANES * PLACE_BITS + LANES * 32;

  // The queue.
  reg [ENTRY_BITS-1:0] entries[0:(1<<QUEUE_LOG2)-1];
  reg [QUEUE_LOG2:0] written, read;
  wire empty = written == read;
  assign full_o = written[QUEUE_LOG2] != read[QUEUE_LOG2] && written[QUEUE_LOG2-1:0] == read[QUEUE_LOG2-1:0];
  wire [ENTRY_BITS-1:0] next_entry = entries[read[QUEUE_LOG2-1:0]];

  // The operation being served, and its lanes still to be.
  reg head_store;
  reg [SLOT_BITS-1:0] head_slot;
  reg [1:0] head_size;
  reg [LANES-1:0] head_local;
  reg [LANES*PLACE_BITS-1:0] head_place;
  reg [LANES*32-1:0] head_data;
  reg [LANES-1:0] pending;
  reg head_begun, head_begun_local;

  // The lowest lane still pending leads; all that share its row follow.
  wire [LANES-1:0] leader = pending & (~pending + 1'b1);
  reg [PLACE_BITS-1:ROW_LOG2] row;
  reg row_local;
  reg [LANES-1:0] served;
  integer i;
  always @* begin
    row = 0;
    row_local = |(leader & head_local);
    for (i = 0; i < LANES; i = i + 1)
    row = row | (head_place[i*PLACE_BITS+ROW_LOG2+:PLACE_BITS-ROW_LOG2] & {(PLACE_BITS - ROW_LOG2) {leader[i]}});
    for (i = 0; i < LANES; i = i + 1)
    served[i] = pending[i] && head_local[i] == row_local &&
                  head_place[i*PLACE_BITS+ROW_LOG2+:PLACE_BITS-ROW_LOG2] == row;
  end
  wire [LANES-1:0] left = pending & ~served;

  reg a_valid;
  wire changes_memory = head_begun && !head_store && head_begun_local != row_local;
  wire may_lead = !changes_memory || (drained_i && !a_valid && !request_valid_o);
  wire advance = !request_valid_o || request_ready_i;
  wire lead = (|pending) && may_lead && advance;
  wire pop = !empty && (pending == 0 || (lead && left == 0));

  always @(posedge clk) begin
    if (push_i) begin
      entries[written[QUEUE_LOG2-1:0]] <= {store_i, slot_i, size_i, lanes_i, local_i, place_i, data_i};
      written <= written + 1'b1;
    end
    if (lead) begin
      pending <= left;
      head_begun <= 1'b1;
      head_begun_local <= row_local;
    end
    if (pop) begin
      {head_store, head_slot, head_size, pending, head_local, head_place, head_data} <= next_entry;
      head_begun <= 1'b0;
      read <= read + 1'b1;
    end
    if (rst) begin
      written <= 0;
      read <= 0;
      pending <= 0;
    end
  end

  // Stage a: who is served, and their data. Stage b, the output: the data put in their places in the row.
  reg a_local, a_store, a_last;
  reg [PLACE_BITS-1:ROW_LOG2] a_row;
  reg [SLOT_BITS-1:0] a_slot;
  reg [LANES-1:0] a_lanes;
  reg [1:0] a_size;
  reg [LANES*ROW_LOG2-1:0] a_offset;
  reg [LANES*32-1:0] a_data;
  always @(posedge clk)
    if (advance) begin
      a_valid <= lead;
      a_local <= row_local;
      a_store <= head_store;
      a_row   <= row;
      a_slot  <= head_slot;
      a_lanes <= served;
      a_last  <= left == 0;
      a_size  <= head_size;
      a_data  <= head_data;
      for (i = 0; i < LANES; i = i + 1) a_offset[i*ROW_LOG2+:ROW_LOG2] <= head_place[i*PLACE_BITS+:ROW_LOG2];
      if (rst) a_valid <= 1'b0;
    end else if (rst) a_valid <= 1'b0;

  // Where lanes write the same byte the highest lane stands, as if they had written in order.
  reg [8*ROW_BYTES-1:0] row_data;
  reg [ROW_BYTES-1:0] row_strobe;
  reg [31:0] lane_data;
  reg [3:0] lane_strobe;
  integer w, b;
  always @* begin
    row_data   = 0;
    row_strobe = 0;
    for (i = 0; i < LANES; i = i + 1) begin
      lane_data = a_size[1] ? a_data[i*32+:32] : a_size[0] ? {2{a_data[i*32+:16]}} : {4{a_data[i*32+:8]}};
      for (b = 0; b < 4; b = b + 1)
      lane_strobe[b] = a_lanes[i] && (a_size[1] || (a_size[0] ? a_offset[i*ROW_LOG2+1] == (b / 2 != 0) :
                                                      {30'd0, a_offset[i*ROW_LOG2+:2]} == b));
      for (w = 0; w < ROW_WORDS; w = w + 1)
      if ({{(34 - ROW_LOG2) {1'b0}}, a_offset[i*ROW_LOG2+2+:ROW_LOG2-2]} == w)
        for (b = 0; b < 4; b = b + 1)
        if (lane_strobe[b]) begin
          row_data[(4*w+b)*8+:8] = lane_data[b*8+:8];
          row_strobe[4*w+b] = 1'b1;
        end
    end
  end

  always @(posedge clk)
    if (rst) request_valid_o <= 1'b0;
    else if (advance) begin
      request_valid_o <= a_valid;
      request_local_o <= a_local;
      request_store_o <= a_store;
      request_address_o <= {a_row, {ROW_LOG2{1'b0}}};
      request_data_o <= row_data;
      request_strobe_o <= row_strobe;
      request_slot_o <= a_slot;
      request_lanes_o <= a_lanes;
      request_last_o <= a_last;
    end

  assign idle_o = empty && pending == 0 && !a_valid && !request_valid_o;
endmodule

`default_nettype wire
