// SPDX-License-Identifier: Apache-2.0
// The memory of a kernel pipeline: takes accesses of its memory groups, one a cycle, checks their addresses and carries
// them out in the order in which they are taken. What is loaded comes back by slot, with the access's tag. An access
// with an address outside its window is not made: fault_o, and none is taken from then on until rst. Two cycles from an
// access to load_store.v. Private memory is in the memory on the chip, behind local memory: that of a slot is one piece, in
// which equal words of its lanes lie side by side, so that lanes never wait for each other.
`include "rtl/shape.vh"
`default_nettype none

module memory_port #(
    parameter LANES = 4,  // power of two, 1 to 32
    parameter LANES_LOG2 = 2,
    parameter GROUPS = 2,  // memory groups
    parameter SLOT_BITS = 5,  // log2 of the slots
    parameter TAG_BITS = 8,
    parameter GLOBAL_LOG2 = 28,
    parameter FIRST_LOG2 = 12,
    parameter LOCAL_LOG2 = 15,
    parameter BEAT_LOG2 = 4,
    parameter LOCAL = 1,  // 1: with local memory
    parameter PRIVATE_LOG2 = 0,  // log2 of the bytes of private memory that a work-item has here; 0: none
    parameter ATOMIC = 1,  // 1: with atomics
    parameter NARROW = 1,  // 1: with accesses of less than a word
    parameter PAGES_LOG2 = 0,  // as in heddle.v
    parameter BEAT_BYTES = 1 << BEAT_LOG2,
    parameter LABEL_BITS = 1 + SLOT_BITS + TAG_BITS + LANES + 1 + 2 + LANES * BEAT_LOG2  // as in load_store.v
) (
    input wire clk,
    input wire rst,

    // the dispatch, and the group slot of a slot
    input  wire [                                         2:0] shift_i,        // slots of a group slot, log2
    input  wire [                                LOCAL_LOG2:0] local_bytes_i,
    output wire [                               SLOT_BITS-1:0] group_slot_o,
    input  wire [                              LOCAL_LOG2-1:0] local_base_i,   // of group_slot_o
    input  wire [`HEDDLE_PIPELINE_ARRIVAL_BITS(SLOT_BITS)-1:0] arrival_i,      // of its work-group
    input  wire [                     `HEDDLE_RIGHTS_BITS-1:0] rights_i,       // as in rtl/memory/rights.v
    input  wire                                                stop_i,         // take nothing more

    // accesses, by group
    input  wire [          GROUPS-1:0] valid_i,
    output wire [          GROUPS-1:0] ready_o,
    input  wire [        GROUPS*2-1:0] kind_i,      // 0 load, 1 store, 2 atomic
    input  wire [        GROUPS*5-1:0] function_i,  // of an atomic: funct5
    input  wire [        GROUPS*2-1:0] size_i,      // 0 byte, 1 half-word, 2 word
    input  wire [GROUPS*SLOT_BITS-1:0] slot_i,
    input  wire [ GROUPS*TAG_BITS-1:0] tag_i,
    input  wire [    GROUPS*LANES-1:0] lanes_i,
    input  wire [ GROUPS*LANES*32-1:0] address_i,
    input  wire [ GROUPS*LANES*32-1:0] data_i,

    // what was loaded
    output wire                 answer_o,
    output wire                 answer_last_o,   // the access is complete with this
    output wire [SLOT_BITS-1:0] answer_slot_o,
    output wire [ TAG_BITS-1:0] answer_tag_o,
    output wire [    LANES-1:0] answer_lanes_o,
    output wire [ LANES*32-1:0] answer_data_o,

    // an access that was outside
    output reg                                                 fault_o,
    output reg  [                                         3:0] fault_reason_o,
    output reg  [                                        31:0] fault_address_o,
    output reg  [                               SLOT_BITS-1:0] fault_slot_o,
    output reg  [                                TAG_BITS-1:0] fault_tag_o,
    output reg  [                                         4:0] fault_lane_o,
    // it was inside, but has no right to the page; noticed later, so what faulted meanwhile gives way to it
    output reg                                                 refused_o,
    output wire [`HEDDLE_PIPELINE_ARRIVAL_BITS(SLOT_BITS)-1:0] refused_arrival_o, // of its work-group

    output wire idle_o,
    output wire quiet_o,    // idle, but for what was refused and all behind it
    output wire waits_o,    // an access waits for room
    output wire conflict_o, // a further pass of an access

    // global memory, as in load_store.v
    output wire                    request_valid_o,
    input  wire                    request_ready_i,
    output wire [             1:0] request_kind_o,
    output wire [             4:0] request_function_o,
    output wire [ GLOBAL_LOG2-1:0] request_address_o,
    output wire [8*BEAT_BYTES-1:0] request_data_o,
    output wire [  BEAT_BYTES-1:0] request_strobe_o,
    output wire [   SLOT_BITS-1:0] request_owner_o,
    output wire [  LABEL_BITS-1:0] request_label_o,
    input  wire                    response_valid_i,
    output wire                    response_ready_o,
    input  wire [8*BEAT_BYTES-1:0] response_data_i,
    input  wire [  LABEL_BITS-1:0] response_label_i
);
  `include "rtl/common/reason.vh"
  integer g, i;

  // Choose a group.
  wire advance;
  wire [GROUPS-1:0] grant;
  wire open = advance && !stop_i && !fault_o;
  assign ready_o = grant & {GROUPS{open}};
  round_robin #(
      .WIDTH(GROUPS)
  ) round_robin (
      .clk(clk),
      .rst(rst),
      .request_i(valid_i),
      .grant_o(grant),
      .taken_i(open)
  );
  reg a_valid;
  reg [1:0] a_kind, a_size;
  reg [4:0] a_function;
  reg [SLOT_BITS-1:0] a_slot;
  reg [TAG_BITS-1:0] a_tag;
  reg [LANES-1:0] a_lanes;
  reg [LANES*32-1:0] a_address, a_data;
  reg [1:0] kind, size;
  reg [4:0] funct5;
  reg [SLOT_BITS-1:0] slot;
  reg [TAG_BITS-1:0] tag;
  reg [LANES-1:0] lanes;
  reg [LANES*32-1:0] address, data;
  always @* begin
    // The first group unless another is granted: what groups have in common needs no mux.
    kind = kind_i[1:0];
    size = size_i[1:0];
    funct5 = function_i[4:0];
    slot = slot_i[SLOT_BITS-1:0];
    tag = tag_i[TAG_BITS-1:0];
    lanes = lanes_i[LANES-1:0];
    address = address_i[LANES*32-1:0];
    data = data_i[LANES*32-1:0];
    for (g = 1; g < GROUPS; g = g + 1)
    if (grant[g]) begin
      kind = kind_i[g*2+:2];
      size = size_i[g*2+:2];
      funct5 = function_i[g*5+:5];
      slot = slot_i[g*SLOT_BITS+:SLOT_BITS];
      tag = tag_i[g*TAG_BITS+:TAG_BITS];
      lanes = lanes_i[g*LANES+:LANES];
      address = address_i[g*LANES*32+:LANES*32];
      data = data_i[g*LANES*32+:LANES*32];
    end
  end
  always @(posedge clk) begin
    if (advance) begin
      a_valid <= grant != 0 && open;
      {a_kind, a_function, a_slot, a_tag, a_lanes, a_address, a_data} <= {
        kind, funct5, slot, tag, lanes, address, data
      };
      a_size <= NARROW != 0 ? size : 2'd2;
    end
    if (rst) a_valid <= 1'b0;
  end

  // Check and translate the addresses.
  assign group_slot_o = a_slot >> shift_i;
  wire [LANES-1:0] is_local, outside;
  wire [LANES*GLOBAL_LOG2-1:0] physical;
  wire [LANES*3-1:0] reason;
  localparam PRIVATE = PRIVATE_LOG2 != 0;
  localparam SLOT_LOG2 = PRIVATE_LOG2 + LANES_LOG2;  // of the private memory of a slot
  // More than a beat, however few bytes there are.
  localparam ALL_LOG2 = SLOT_LOG2 + SLOT_BITS > BEAT_LOG2 ? SLOT_LOG2 + SLOT_BITS : BEAT_LOG2 + 1;
  localparam HALF_LOG2 = LOCAL != 0 && LOCAL_LOG2 > ALL_LOG2 ? LOCAL_LOG2 : ALL_LOG2;
  localparam CHIP_LOG2 = !PRIVATE ? LOCAL_LOG2 : LOCAL != 0 ? HALF_LOG2 + 1 : ALL_LOG2;
  localparam [GLOBAL_LOG2-1:0] FIRST_PRIVATE = PRIVATE && LOCAL != 0 ? 1 << HALF_LOG2 : 0;
  wire [GLOBAL_LOG2-1:0] slot_number = {{GLOBAL_LOG2 - SLOT_BITS{1'b0}}, a_slot};
  wire [GLOBAL_LOG2-1:0] private_base = PRIVATE ? FIRST_PRIVATE | (slot_number << SLOT_LOG2) : {GLOBAL_LOG2{1'b0}};
  wire [19:0] private_mask = PRIVATE ? ~({20{1'b1}} << PRIVATE_LOG2) : 20'd0;
  genvar l;
  generate
    for (l = 0; l < LANES; l = l + 1) begin : lane
      wire [GLOBAL_LOG2-1:0] own;
      wire is_in_local;
      address #(
          .LANE(l),
          .LANES_LOG2(LANES_LOG2),
          .GLOBAL_LOG2(GLOBAL_LOG2),
          .LOCAL_LOG2(LOCAL_LOG2),
          .FIRST_LOG2(FIRST_LOG2)
      ) address (
          .address_i(a_address[l*32+:32]),
          .size_i(a_size),
          .local_bytes_i(LOCAL != 0 ? local_bytes_i : {LOCAL_LOG2 + 1{1'b0}}),
          .local_base_i(local_base_i),
          .private_mask_i(private_mask),
          .private_base_i(private_base),
          .local_o(is_in_local),
          .physical_address_o(own),
          .outside_o(outside[l]),
          .fault_o(reason[l*3+:3])
      );
      // With global memory alone an address is its own physical address, or outside.
      if (LOCAL == 0 && !PRIVATE) begin : global_alone
        assign physical[l*GLOBAL_LOG2+:GLOBAL_LOG2] = a_address[l*32+:GLOBAL_LOG2];
        assign is_local[l] = 1'b0;
        wire unused = &{1'b0, own, is_in_local};
      end else begin : windows
        assign physical[l*GLOBAL_LOG2+:GLOBAL_LOG2] = own;
        assign is_local[l] = is_in_local || (PRIVATE && a_address[l*32+28+:4] == 4'hC);
      end
    end
  endgenerate
  reg b_valid;
  reg [1:0] b_kind, b_size;
  reg [4:0] b_function;
  reg [SLOT_BITS-1:0] b_slot;
  reg [`HEDDLE_PIPELINE_ARRIVAL_BITS(SLOT_BITS)-1:0] b_arrival;
  reg [TAG_BITS-1:0] b_tag;
  reg [LANES-1:0] b_lanes, b_local;
  reg [LANES*GLOBAL_LOG2-1:0] b_physical;
  reg [LANES*32-1:0] b_data, b_address;
  reg [LANES*3-1:0] b_reason;
  reg [3:0] first_reason;
  reg [4:0] first_lane;
  reg [31:0] first_address;
  always @* begin
    {first_reason, first_lane, first_address} = 0;
    for (i = LANES - 1; i >= 0; i = i - 1)
    if (b_lanes[i] && b_reason[i*3+:3] != 3'd0) begin
      first_reason = {1'b0, b_reason[i*3+:3]};
      first_lane = i[4:0];
      first_address = b_address[i*32+:32];
    end
  end
  wire refused;
  wire [SLOT_BITS-1:0] refused_slot;
  wire [TAG_BITS-1:0] refused_tag;
  wire [LANES-1:0] refused_lanes;
  wire [31:0] refused_address;
  reg [4:0] refused_lane;
  always @* begin
    refused_lane = 5'd0;
    for (i = LANES - 1; i >= 0; i = i - 1) if (refused_lanes[i]) refused_lane = i[4:0];
  end
  wire bad = first_reason != 4'd0;
  wire full;
  assign advance = !full || !b_valid;
  always @(posedge clk) begin
    if (advance) begin
      b_valid <= a_valid && !fault_o;
      {b_kind, b_function, b_slot, b_tag, b_lanes, b_data} <= {a_kind, a_function, a_slot, a_tag, a_lanes, a_data};
      {b_size, b_physical, b_address, b_reason} <= {a_size, physical, a_address, reason};
      b_local <= is_local;
      b_arrival <= arrival_i;
    end
    if (b_valid && bad && !fault_o) begin
      fault_o <= 1'b1;
      {fault_reason_o, fault_lane_o, fault_address_o} <= {first_reason, first_lane, first_address};
      {fault_slot_o, fault_tag_o} <= {b_slot, b_tag};
    end
    if (refused && !refused_o) begin
      {refused_o, fault_o} <= 2'b11;
      {fault_reason_o, fault_lane_o, fault_address_o} <= {NO_RIGHT, refused_lane, refused_address};
      {fault_slot_o, fault_tag_o} <= {refused_slot, refused_tag};
    end
    if (rst) begin
      b_valid <= 1'b0;
      {refused_o, fault_o} <= 2'b00;
    end
  end
  assign waits_o = valid_i != 0 && !advance;
  wire store_idle, store_quiet;
  // For registers alone: a pipeline's shuffles go another way, and each of its loads has a receiver.
  wire [LANES*32-1:0] shuffled;
  wire drop;
  assign idle_o  = store_idle && !a_valid && !b_valid;
  assign quiet_o = store_quiet && (refused_o || (!a_valid && !b_valid));
  wire unused = &{1'b0, outside, slot_number, shuffled, drop};

  load_store #(
      .LANES(LANES),
      .SLOT_BITS(SLOT_BITS),
      .ADDRESS_BITS(GLOBAL_LOG2),
      .LOCAL_LOG2(CHIP_LOG2),
      .BEAT_LOG2(BEAT_LOG2),
      .COMPACT(1),
      .RD_BITS(TAG_BITS),
      .HAS_LOCAL(LOCAL != 0 || PRIVATE),
      .HAS_ATOMIC(ATOMIC),
      .HAS_NARROW(NARROW),
      .PAGES_LOG2(PAGES_LOG2),
      .TAG_BITS(`HEDDLE_PIPELINE_ARRIVAL_BITS(SLOT_BITS)),
      .CROSSBARS(2),
      .ANSWER_QUEUE(0)
  ) load_store (
      .clk(clk),
      .rst(rst),
      .clear_i(1'b0),
      .begin_i(1'b0),
      .push_i(b_valid && !full && !bad && !fault_o),
      .store_i(b_kind == 2'd1),
      .atomic_i(b_kind == 2'd2),
      .function_i(b_function),
      .unsigned_i(1'b1),
      .rd_i(b_tag),
      .slot_i(b_slot),
      .size_i(b_size),
      .lanes_i(b_lanes),
      .local_i(b_local),
      .address_i(b_physical),
      .data_i(b_data),
      .tag_i(b_arrival),
      .full_o(full),
      .idle_o(store_idle),
      .rights_i(rights_i),
      .refused_o(refused),
      .refused_tag_o(refused_arrival_o),
      .refused_slot_o(refused_slot),
      .refused_rd_o(refused_tag),
      .refused_lanes_o(refused_lanes),
      .refused_address_o(refused_address),
      .quiet_o(store_quiet),
      .conflict_o(conflict_o),
      .rd_shuffle_i(1'b0),
      .e1_shuffle_i(1'b0),
      .e2_word_i({LANES * 32{1'b0}}),
      .e2_from_i({LANES * LANES{1'b0}}),
      .e2_shuffled_o(shuffled),
      .write_valid_o(answer_o),
      .write_ready_i(1'b1),
      .write_rd_o(answer_tag_o),
      .write_slot_o(answer_slot_o),
      .write_lanes_o(answer_lanes_o),
      .write_value_o(answer_data_o),
      .write_drop_o(drop),
      .write_last_o(answer_last_o),
      `include "rtl/memory/request_passed.vh"
  );
endmodule

`default_nettype wire
