// SPDX-License-Identifier: Apache-2.0
// The work-groups of a unit: takes them, launches their sub-groups, keeps what CSRs read of each, lets sub-groups that
// wait at a work-group collective go on when all are there, and says when a work-group is done.
`include "rtl/shape.vh"
`default_nettype none

module work_groups #(
    parameter LANES = 8,
    parameter SLOTS = 32,
    parameter SLOT_BITS = 5,
    parameter LOCAL_LOG2 = 15,
    parameter FPU = 1,
    parameter RECALLS = 0  // 1: the ids of work-groups stay for a while after they have ended
) (
    input wire clk,
    input wire clear_i,

    // the dispatch
    input wire                start_i,
    input wire [ SLOT_BITS:0] sub_groups_i,
    input wire [LOCAL_LOG2:0] local_bytes_i,
    input wire [         2:0] sub_group_log2_i,

    // work-groups
    input  wire        group_valid_i,
    output wire        group_ready_o,
    input  wire [95:0] group_id_i,
    input  wire [95:0] group_base_i,
    input  wire [32:0] group_size_i,
    output wire        group_done_o,
    output wire        idle_o,

    // launches, stage se
    output wire                 launch_valid_o,
    input  wire                 launch_taken_i,
    output wire [SLOT_BITS-1:0] launch_slot_o,
    output wire [SLOT_BITS-1:0] launch_group_slot_o,
    output wire [SLOT_BITS-1:0] launch_sub_group_o,
    output wire [    LANES-1:0] launch_lanes_o,
    output wire [ LANES*30-1:0] launch_ids_o,

    // address: {group_slot, word}; the word in the next cycle
    input  wire [SLOT_BITS+3:0] group_word_i,
    output reg  [         31:0] group_word_o,

    // the name of the work-group in a group slot; the id of one of the last eight that had it, a word in the next cycle:
    // x, y, z at 3, 0, 1
    input  wire [                      SLOT_BITS-1:0] arrival_group_slot_i,
    output wire [`HEDDLE_ARRIVAL_BITS(SLOT_BITS)-1:0] arrival_o,
    input  wire [`HEDDLE_ARRIVAL_BITS(SLOT_BITS)-1:0] recall_arrival_i,
    input  wire [                                1:0] recall_word_i,
    output wire [                               31:0] recalled_o,

    // where a group slot's local memory starts
    input  wire [ SLOT_BITS-1:0] group_slot_i,
    output wire [LOCAL_LOG2-1:0] local_base_o,

    // stage wb: a sub-group has arrived at a work-group collective, or has ended
    input wire                               event_valid_i,
    input wire                               event_finish_i,
    input wire [              SLOT_BITS-1:0] event_group_slot_i,
    input wire [              SLOT_BITS-1:0] event_slot_i,
    input wire [                       31:2] event_pc_i,
    input wire [`HEDDLE_COLLECTIVE_BITS-1:0] event_operation_i,   // T_* of rtl/group/collective.vh
    input wire                               event_scan_i,
    input wire [                       31:0] event_total_i,

    // sub-groups that go on, and what each brings
    output wire                 release_valid_o,
    output wire [SLOT_BITS-1:0] release_slot_o,
    input  wire [SLOT_BITS-1:0] rd_slot_i,
    output reg  [         31:0] op_carry_o,
    output reg                  op_carry_first_o, // that is nothing: the first sub-group's

    // sub-groups wait at different collectives
    output wire                 divergent_o,
    output wire [SLOT_BITS-1:0] divergent_slot_o,
    output wire [SLOT_BITS-1:0] divergent_group_slot_o,
    output wire [         31:2] divergent_pc_o
);
  wire begin_valid, begin_ready, done_valid;
  wire [SLOT_BITS-1:0] begin_group_slot, begin_slot, done_group_slot;
  wire [SLOT_BITS:0] begin_count;
  wire [31:0] release_carry;
  wire release_first;
  assign group_done_o = done_valid;
  sequencer #(
      .SLOTS(SLOTS),
      .SLOT_BITS(SLOT_BITS),
      .FPU(FPU)
  ) sequencer (
      .clk(clk),
      .rst(clear_i),
      .start_valid_i(begin_valid),
      .start_ready_o(begin_ready),
      .start_group_slot_i(begin_group_slot),
      .start_count_i(begin_count),
      .start_slot_i(begin_slot),
      .event_valid_i(event_valid_i),
      .event_finish_i(event_finish_i),
      .event_group_slot_i(event_group_slot_i),
      .event_slot_i(event_slot_i),
      .event_pc_i(event_pc_i),
      .event_operation_i(event_operation_i),
      .event_scan_i(event_scan_i),
      .event_total_i(event_total_i),
      .release_valid_o(release_valid_o),
      .release_slot_o(release_slot_o),
      .release_carry_o(release_carry),
      .release_first_o(release_first),
      .done_valid_o(done_valid),
      .done_group_slot_o(done_group_slot),
      .divergent_o(divergent_o),
      .divergent_slot_o(divergent_slot_o),
      .divergent_group_slot_o(divergent_group_slot_o),
      .divergent_pc_o(divergent_pc_o)
  );
  reg [32:0] carries[0:SLOTS-1];
  always @(posedge clk) begin
    if (release_valid_o) carries[release_slot_o] <= {release_first, release_carry};
    {op_carry_first_o, op_carry_o} <= carries[rd_slot_i];
  end

  wire word_write;
  wire [SLOT_BITS+3:0] word_address;
  wire [31:0] word_data;
  launch #(
      .LANES(LANES),
      .SLOTS(SLOTS),
      .SLOT_BITS(SLOT_BITS),
      .LOCAL_LOG2(LOCAL_LOG2)
  ) launch (
      .clk(clk),
      .rst(clear_i),
      .start_i(start_i),
      .sub_groups_i(sub_groups_i),
      .local_bytes_i(local_bytes_i),
      .sub_group_log2_i(sub_group_log2_i),
      .group_valid_i(group_valid_i),
      .group_ready_o(group_ready_o),
      .group_id_i(group_id_i),
      .group_base_i(group_base_i),
      .group_size_i(group_size_i),
      .word_write_o(word_write),
      .word_address_o(word_address),
      .word_data_o(word_data),
      .begin_valid_o(begin_valid),
      .begin_ready_i(begin_ready),
      .begin_group_slot_o(begin_group_slot),
      .begin_count_o(begin_count),
      .begin_slot_o(begin_slot),
      .launch_valid_o(launch_valid_o),
      .launch_ready_i(launch_taken_i),
      .launch_slot_o(launch_slot_o),
      .launch_group_slot_o(launch_group_slot_o),
      .launch_sub_group_o(launch_sub_group_o),
      .launch_lanes_o(launch_lanes_o),
      .launch_ids_o(launch_ids_o),
      .done_valid_i(done_valid),
      .done_group_slot_i(done_group_slot),
      .group_slot_i(group_slot_i),
      .local_base_o(local_base_o),
      .idle_o(idle_o)
  );
  reg [31:0] words[0:(SLOTS<<4)-1];
  always @(posedge clk) begin
    if (word_write) words[word_address] <= word_data;
    group_word_o <= words[group_word_i];
  end
  // A store may be refused when its work-group has ended and another one has its group slot.
  generate
    if (RECALLS != 0) begin : recalls
      (* ram_style = "block", no_rw_check *) reg [31:0] ids[0:(4<<`HEDDLE_ARRIVAL_BITS(SLOT_BITS))-1];
      reg [31:0] recalled;
      reg [2:0] turns[0:SLOTS-1];  // of each group slot: how many work-groups it has had, modulo 8
      wire [3:0] word = word_address[3:0];
      wire [SLOT_BITS-1:0] written_slot = word_address[4+:SLOT_BITS];
      wire [2:0] turn = turns[written_slot] + 3'd1;
      always @(posedge clk) begin
        if (word_write && word >= 4'd3 && word <= 4'd5) ids[{turn, written_slot, word[1:0]}] <= word_data;
        if (word_write && word == 4'd5) turns[written_slot] <= turn;
        recalled <= ids[{recall_arrival_i, recall_word_i}];
      end
      assign arrival_o  = {turns[arrival_group_slot_i], arrival_group_slot_i};
      assign recalled_o = recalled;
    end else begin : forgets
      assign arrival_o  = {`HEDDLE_ARRIVAL_BITS(SLOT_BITS) {1'b0}};
      assign recalled_o = 32'd0;
      wire unused = &{1'b0, arrival_group_slot_i, recall_arrival_i, recall_word_i};
    end
  endgenerate
endmodule

`default_nettype wire
