// SPDX-License-Identifier: Apache-2.0
// What every kernel pipeline has around its segments: it reads the dispatch's packet, launches tokens and counts work-
// groups, carries out the accesses of the memory groups, and keeps the contract of compute_unit.v about faults. The
// segments are the generated module that instantiates this one. What comes back from memory stands in a register: a
// cycle more.
`include "rtl/shape.vh"
`default_nettype none

module pipeline_unit #(
    parameter LANES = 4,  // power of two, 1 to 32
    parameter LANES_LOG2 = 2,
    parameter PORT_LANES = LANES,  // of the memory port: power of two, LANES at least
    parameter PORT_LANES_LOG2 = LANES_LOG2,
    parameter SLOT_BITS = 5,  // log2 of the slots
    parameter GROUPS = 1,  // memory groups
    parameter SITE_BITS = 1,  // of a number of a site
    parameter SITES = 1,
    parameter [SITES*8-1:0] ACROSS = 0,  // of the access of each site, as in memory_group.v
    parameter [SITES*8-1:0] TURN = 0,
    parameter WORDS = 16,  // of the packet, that are used
    parameter INTERVAL = 1,  // cycles from a launched token to the next, at least
    parameter SETTLE = 4,  // cycles until what is computed from them stands
    parameter FIXED = 0,  // words that are loaded once a dispatch
    parameter FIXED_BITS = FIXED != 0 ? 32 * FIXED : 32,  // derived
    parameter [FIXED_BITS-1:0] FIXED_OFFSETS = 0,  // as in fixed_words.v
    parameter [31:0] FIXED_WAITS = 0,
    parameter [31:0] FIXED_SURE = 0,
    parameter FIXED_SITE = 0,  // of the first; those of the others follow
    parameter LOCAL = 1,  // 1: with local memory
    parameter PRIVATE_LOG2 = 0,  // log2 of the bytes of private memory in the memory port; 0: none
    parameter ATOMIC = 1,  // 1: with atomics
    parameter NARROW = 1,  // 1: with accesses of less than a word
    parameter CHECK_ADDRESSES = 0,  // 1: segments check addresses in private and local memory, too
    parameter BY_ROWS = 0,  // as in sub_groups.v
    parameter GROUP_SLOTS_LOG2 = SLOT_BITS,  // log2 of the work-groups that may be there at once
    parameter IS_OF_ONE = 0,  // 1: one work-item at a time, in slot 0; the slots are of rounds of its loops (rounds.v)
    parameter ONCE = 0,  // 1: moreover, a dispatch is one work-item
    parameter PACKET = 1,  // 0: no word of the packet is used
    parameter PORT = 1,  // 0: there are no accesses
    parameter GLOBAL_LOG2 = 28,
    parameter FIRST_LOG2 = 12,
    parameter LOCAL_LOG2 = 15,
    parameter BEAT_LOG2 = 4,
    parameter OWNER_BITS = 5,
    parameter LABEL_BITS = 63,
    parameter PAGES_LOG2 = 0,
    parameter BEAT_BYTES = 1 << BEAT_LOG2,  // derived
    parameter CHECK_BITS = LANES + (CHECK_ADDRESSES != 0 ? 1 + 32 * LANES : 0)
) (
    input wire clk,
    input wire rst,

    // to the segments
    output wire                 reset_o,
    output wire [ WORDS*32-1:0] words_o,
    output wire [          2:0] shift_o,             // log2 of the slots of a group slot
    output wire                 wipe_o,              // as in barrier.v
    output wire [SLOT_BITS-1:0] wipe_group_slot_o,
    output wire                 begin_o,
    output wire [SLOT_BITS-1:0] begin_group_slot_o,
    output wire [SLOT_BITS-1:0] begin_last_o,
    output wire                 token_o,             // a token is launched, with what is known of it
    output wire [SLOT_BITS-1:0] slot_o,
    output wire [    LANES-1:0] lanes_o,
    output wire [ LANES*10-1:0] local_x_o,
    output wire [ LANES*10-1:0] local_y_o,
    output wire [ LANES*10-1:0] local_z_o,
    output wire [SLOT_BITS-1:0] sub_group_o,
    output wire [          5:0] sub_group_size_o,
    output wire [SLOT_BITS-1:0] last_sub_group_o,
    output wire [         95:0] group_id_o,
    output wire [         95:0] group_base_o,
    output wire [         32:0] group_size_o,
    input  wire                 done_i,              // a token has ended
    input  wire [SLOT_BITS-1:0] done_slot_i,

    // words that are loaded once a dispatch: roots of their addresses, which may depend on those before, and what they are
    input wire [FIXED_BITS-1:0] fixed_root_i,
    output wire [FIXED_BITS-1:0] fixed_o,
    output wire [FIXED_BITS/32-1:0] fixed_bad_o,

    // accesses, by memory group
    input  wire [              GROUPS-1:0] valid_i,
    output wire [              GROUPS-1:0] ready_o,
    input  wire [            GROUPS*2-1:0] kind_i,
    input  wire [            GROUPS*5-1:0] function_i,
    input  wire [            GROUPS*2-1:0] size_i,
    input  wire [    GROUPS*SLOT_BITS-1:0] slot_i,
    input  wire [    GROUPS*SITE_BITS-1:0] site_i,
    input  wire [              GROUPS-1:0] final_i,
    input  wire [   GROUPS*PORT_LANES-1:0] lanes_i,
    input  wire [GROUPS*PORT_LANES*32-1:0] address_i,
    input  wire [GROUPS*PORT_LANES*32-1:0] data_i,

    // what was loaded
    output reg answer_o,
    output reg answer_end_o,  // all of the token's accesses of the group are complete with this
    output reg [SLOT_BITS-1:0] answer_slot_o,
    output reg [SITE_BITS-1:0] answer_site_o,
    output reg [PORT_LANES-1:0] answer_lanes_o,
    output reg [PORT_LANES*32-1:0] answer_data_o,

    // lanes have come to a collective although they have missed one: fault. Above them, if addresses are checked, whether it
    // is instead an address of theirs that is outside private or local memory, and one of each lane
    input wire                  divergent_i,
    input wire [ SLOT_BITS-1:0] divergent_slot_i,
    input wire [ SITE_BITS-1:0] divergent_site_i,
    input wire                  divergent_fixed_i,  // instead, a word that is loaded once a dispatch is bad
    input wire [CHECK_BITS-1:0] divergent_lanes_i,

    `include "rtl/compute_unit_ports.vh"
);
  `include "rtl/common/reason.vh"
  localparam TAG_BITS = SITE_BITS + 1;
  localparam [2:0] ALL_SLOTS = SLOT_BITS;  // of one group slot
  // As in memory_port.v.
  localparam PORT_LABEL_BITS = 1 + SLOT_BITS + TAG_BITS + PORT_LANES + 1 + 2 + PORT_LANES * BEAT_LOG2;
  generate
    if (LABEL_BITS < PORT_LABEL_BITS || OWNER_BITS < SLOT_BITS) begin : check_labels
      pipeline_unit_LABEL_BITS_or_OWNER_BITS_too_small stop ();
    end
    if (PORT_LANES * 4 > BEAT_BYTES) begin : check_lanes
      pipeline_unit_PORT_LANES_are_more_than_a_beat_has_words stop ();
    end
  endgenerate
  wire reset = rst || clear_i;
  assign reset_o = reset;

  // The packet is read before anything else is asked of memory, then words that are loaded once a dispatch.
  wire halted, ready, packet_reading, packet_valid, packet_ready;
  wire [GLOBAL_LOG2-1:0] packet_address;
  wire fixed_ready, fixed_reading, fixed_valid, fixed_missing, fixed_no_right;
  wire [GLOBAL_LOG2-1:0] fixed_address;
  wire [4:0] fixed_number;
  wire [31:0] bad_address;
  wire reading = packet_reading || fixed_reading;
  generate
    if (PACKET != 0) begin : packet
      packet_words #(
          .WORDS(WORDS),
          .SETTLE(SETTLE),
          .GLOBAL_LOG2(GLOBAL_LOG2),
          .BEAT_LOG2(BEAT_LOG2)
      ) packet_words (
          .clk(clk),
          .rst(rst),
          .start_i(start_i),
          .packet_i(packet_i),
          .ready_o(ready),
          .reading_o(packet_reading),
          .request_valid_o(packet_valid),
          .request_ready_i(packet_ready),
          .request_address_o(packet_address),
          .response_valid_i(response_valid_i && packet_reading),
          .response_data_i(response_data_i),
          .words_o(words_o)
      );
    end else begin : no_packet
      assign {ready, packet_reading, packet_valid} = 3'b100;
      assign packet_address = 0;
      assign words_o = 0;
      wire unused = &{1'b0, packet_i, packet_ready};
    end
  endgenerate
  generate
    if (FIXED != 0) begin : fixed
      fixed_words #(
          .WORDS(FIXED),
          .OFFSETS(FIXED_OFFSETS),
          .WAITS(FIXED_WAITS),
          .SURE(FIXED_SURE),
          .SETTLE(SETTLE),
          .GLOBAL_LOG2(GLOBAL_LOG2),
          .FIRST_LOG2(FIRST_LOG2),
          .BEAT_LOG2(BEAT_LOG2),
          .PAGES_LOG2(PAGES_LOG2)
      ) fixed_words (
          .clk(clk),
          .rst(rst),
          .rights_i(rights_i),
          .start_i(start_i),
          .open_i(ready && !halted),
          .root_i(fixed_root_i),
          .ready_o(fixed_ready),
          .reading_o(fixed_reading),
          .missing_o(fixed_missing),
          .bad_o(fixed_bad_o),
          .no_right_o(fixed_no_right),
          .number_o(fixed_number),
          .bad_address_o(bad_address),
          .request_valid_o(fixed_valid),
          .request_ready_i(request_ready_i),
          .request_address_o(fixed_address),
          .response_valid_i(response_valid_i && fixed_reading),
          .response_data_i(response_data_i),
          .words_o(fixed_o)
      );
    end else begin : none
      assign {fixed_ready, fixed_reading, fixed_valid, fixed_missing, fixed_no_right, fixed_number} = 10'b10000_00000;
      assign fixed_bad_o = 1'b0;
      assign {fixed_address, bad_address} = 0;
      assign fixed_o = fixed_root_i;
    end
  endgenerate

  // Work-groups and tokens.
  wire groups_idle, running;
  wire [SLOT_BITS-1:0] port_group_slot, id_group_slot;
  wire [LOCAL_LOG2-1:0] local_base;
  wire [`HEDDLE_PIPELINE_ARRIVAL_BITS(SLOT_BITS)-1:0] port_arrival, refused_arrival;
  wire refused;  // an access has no right to its page
  wire [95:0] id;
  generate
    if (IS_OF_ONE != 0) begin : of_one
      localparam [LANES-1:0] LANE_0 = 1;
      one_by_one #(
          .SLOT_BITS(SLOT_BITS),
          .LATE(PAGES_LOG2 != 0),
          .ONCE(ONCE)
      ) one_by_one (
          .clk(clk),
          .rst(reset),
          .start_i(start_i),
          .open_i(ready && fixed_ready && !halted),
          .group_valid_i(group_valid_i),
          .group_ready_o(group_ready_o),
          .group_id_i(group_id_i),
          .group_size_i(group_size_i),
          .begin_o(begin_o),
          .wipe_o(wipe_o),
          .token_o(token_o),
          .number_o(sub_group_o),
          .done_i(done_i),
          .group_done_o(group_done_o),
          .arrival_o(port_arrival[SLOT_BITS+:2]),
          .by_arrival_i(refused),
          .arrival_i(refused_arrival[SLOT_BITS+:2]),
          .id_o(id),
          .running_o(running),
          .idle_o(groups_idle)
      );
      // There is one slot for a work-group, and nobody asks which work-item it is.
      assign {shift_o, wipe_group_slot_o, begin_group_slot_o, begin_last_o, slot_o, last_sub_group_o} = 0;
      assign {local_x_o, local_y_o, local_z_o, group_id_o, group_base_o, group_size_o, local_base} = 0;
      assign port_arrival[SLOT_BITS-1:0] = 0;
      assign lanes_o = LANE_0;
      assign sub_group_size_o = 6'd1;
      wire unused = &{
        1'b0, sub_group_log2_i, group_base_i, done_slot_i, port_group_slot, id_group_slot, refused_arrival
      };
    end else begin : of_several
      sub_groups #(
          .LANES(LANES),
          .SLOT_BITS(SLOT_BITS),
          .INTERVAL(INTERVAL),
          .BY_ROWS(BY_ROWS),
          .GROUP_SLOTS_LOG2(GROUP_SLOTS_LOG2),
          .LOCAL_LOG2(LOCAL_LOG2),
          .LATE(PAGES_LOG2 != 0)
      ) sub_groups (
          .clk(clk),
          .rst(reset),
          .start_i(start_i),
          .sub_groups_i(sub_groups_i[SLOT_BITS:0]),
          .sub_group_log2_i(sub_group_log2_i),
          .local_bytes_i(local_bytes_i[LOCAL_LOG2:0]),
          .open_i(ready && fixed_ready && !halted),
          .group_valid_i(group_valid_i),
          .group_ready_o(group_ready_o),
          .group_id_i(group_id_i),
          .group_base_i(group_base_i),
          .group_size_i(group_size_i),
          .shift_o(shift_o),
          .begin_o(begin_o),
          .begin_group_slot_o(begin_group_slot_o),
          .begin_last_o(begin_last_o),
          .wipe_o(wipe_o),
          .wipe_group_slot_o(wipe_group_slot_o),
          .token_o(token_o),
          .slot_o(slot_o),
          .lanes_o(lanes_o),
          .local_x_o(local_x_o),
          .local_y_o(local_y_o),
          .local_z_o(local_z_o),
          .sub_group_o(sub_group_o),
          .sub_group_size_o(sub_group_size_o),
          .last_sub_group_o(last_sub_group_o),
          .group_id_o(group_id_o),
          .group_base_o(group_base_o),
          .group_size_o(group_size_o),
          .done_i(done_i),
          .done_slot_i(done_slot_i),
          .group_done_o(group_done_o),
          .group_slot_i(port_group_slot),
          .local_base_o(local_base),
          .arrival_o(port_arrival),
          .by_arrival_i(refused),
          .id_arrival_i(refused_arrival),
          .id_group_slot_i(id_group_slot),
          .id_o(id),
          .running_o(running),
          .idle_o(groups_idle)
      );
    end
  endgenerate
  integer l;
  reg [5:0] lane_count;
  always @* begin
    lane_count = 6'd0;
    for (l = 0; l < LANES; l = l + 1) lane_count = lane_count + {5'd0, lanes_o[l]};
  end
  assign issued_o = token_o;
  assign active_o = token_o ? lane_count : 6'd0;

  // Memory.
  wire port_idle, port_quiet, port_fault, port_waits, port_conflict;
  wire [3:0] port_reason;
  wire [31:0] port_address;
  wire [4:0] port_lane;
  wire [SLOT_BITS-1:0] port_slot;
  /* verilator lint_off UNUSEDSIGNAL */
  // A site's number is the lower part.
  wire [TAG_BITS-1:0] port_tag;
  /* verilator lint_on UNUSEDSIGNAL */
  wire [TAG_BITS-1:0] answer_tag;
  wire answer, answer_last;
  wire [SLOT_BITS-1:0] answer_slot;
  wire [PORT_LANES-1:0] answer_lanes;
  wire [PORT_LANES*32-1:0] answer_data;
  wire memory_valid, memory_response_ready;
  wire [1:0] memory_kind;
  wire [4:0] memory_function;
  wire [GLOBAL_LOG2-1:0] memory_address;
  wire [8*BEAT_BYTES-1:0] memory_data;
  wire [BEAT_BYTES-1:0] memory_strobe;
  wire [SLOT_BITS-1:0] memory_owner;
  wire [PORT_LABEL_BITS-1:0] memory_label;
  wire [GROUPS*TAG_BITS-1:0] tags;
  genvar g;
  generate
    for (g = 0; g < GROUPS; g = g + 1) begin : tag
      assign tags[g*TAG_BITS+:TAG_BITS] = {final_i[g], site_i[g*SITE_BITS+:SITE_BITS]};
    end
  endgenerate
  generate
    if (PORT != 0) begin : port
      memory_port #(
          .LANES(PORT_LANES),
          .LANES_LOG2(PORT_LANES_LOG2),
          .GROUPS(GROUPS),
          .SLOT_BITS(SLOT_BITS),
          .TAG_BITS(TAG_BITS),
          .GLOBAL_LOG2(GLOBAL_LOG2),
          .FIRST_LOG2(FIRST_LOG2),
          .LOCAL_LOG2(LOCAL_LOG2),
          .BEAT_LOG2(BEAT_LOG2),
          .LOCAL(LOCAL),
          .PRIVATE_LOG2(PRIVATE_LOG2),
          .ATOMIC(ATOMIC),
          .NARROW(NARROW),
          .PAGES_LOG2(PAGES_LOG2)
      ) memory_port (
          .clk(clk),
          .rst(reset),
          .shift_i(IS_OF_ONE != 0 ? ALL_SLOTS : shift_o),
          .local_bytes_i(local_bytes_i[LOCAL_LOG2:0]),
          .group_slot_o(port_group_slot),
          .local_base_i(local_base),
          .arrival_i(port_arrival),
          .rights_i(rights_i),
          .stop_i(halted),
          .valid_i(valid_i),
          .ready_o(ready_o),
          .kind_i(kind_i),
          .function_i(function_i),
          .size_i(size_i),
          .slot_i(slot_i),
          .tag_i(tags),
          .lanes_i(lanes_i),
          .address_i(address_i),
          .data_i(data_i),
          .answer_o(answer),
          .answer_last_o(answer_last),
          .answer_slot_o(answer_slot),
          .answer_tag_o(answer_tag),
          .answer_lanes_o(answer_lanes),
          .answer_data_o(answer_data),
          .fault_o(port_fault),
          .fault_reason_o(port_reason),
          .fault_address_o(port_address),
          .fault_slot_o(port_slot),
          .fault_tag_o(port_tag),
          .fault_lane_o(port_lane),
          .refused_o(refused),
          .refused_arrival_o(refused_arrival),
          .idle_o(port_idle),
          .quiet_o(port_quiet),
          .waits_o(port_waits),
          .conflict_o(port_conflict),
          .request_valid_o(memory_valid),
          .request_ready_i(request_ready_i),
          .request_kind_o(memory_kind),
          .request_function_o(memory_function),
          .request_address_o(memory_address),
          .request_data_o(memory_data),
          .request_strobe_o(memory_strobe),
          .request_owner_o(memory_owner),
          .request_label_o(memory_label),
          .response_valid_i(response_valid_i && !reading),
          .response_ready_o(memory_response_ready),
          .response_data_i(response_data_i),
          .response_label_i(response_label_i[PORT_LABEL_BITS-1:0])
      );
    end else begin : no_port
      assign {answer, answer_last, answer_slot, answer_tag, answer_lanes, answer_data, ready_o} = 0;
      assign {port_fault, port_reason, port_address, port_slot, port_tag, port_lane, refused, refused_arrival} = 0;
      assign {port_group_slot, port_waits, port_conflict, memory_valid, memory_kind, memory_function} = 0;
      assign {memory_address, memory_data, memory_strobe, memory_owner, memory_label} = 0;
      assign {port_idle, port_quiet, memory_response_ready} = 3'b111;
      wire unused = &{1'b0, local_base, port_arrival, tags, valid_i, kind_i, function_i, size_i, slot_i, lanes_i,
          address_i, data_i, rights_i, response_valid_i, response_data_i};
    end
  endgenerate
  always @(posedge clk) begin
    answer_o <= answer && !reset;
    answer_end_o <= answer && answer_last && answer_tag[TAG_BITS-1] && !reset;
    answer_slot_o <= answer_slot;
    answer_site_o <= answer_tag[SITE_BITS-1:0];
    answer_lanes_o <= answer_lanes;
    answer_data_o <= answer_data;
  end
  wire [LABEL_BITS:0] wide_label = {{(LABEL_BITS + 1 - PORT_LABEL_BITS) {1'b0}}, memory_label};
  wire [OWNER_BITS:0] wide_owner = {{(OWNER_BITS + 1 - SLOT_BITS) {1'b0}}, memory_owner};
  assign packet_ready = request_ready_i;
  wire words_valid = packet_valid || fixed_valid;
  assign request_valid_o = words_valid || memory_valid;
  assign request_kind_o = words_valid ? 2'd0 : memory_kind;
  assign request_function_o = memory_function;
  assign request_address_o = packet_valid ? packet_address : fixed_valid ? fixed_address : memory_address;
  assign request_data_o = memory_data;
  assign request_strobe_o = words_valid ? {BEAT_BYTES{1'b1}} : memory_strobe;
  assign request_owner_o = wide_owner[OWNER_BITS-1:0];
  assign request_label_o = wide_label[LABEL_BITS-1:0];
  assign response_ready_o = reading || memory_response_ready;
  assign memory_wait_o = port_waits && !token_o;
  assign conflict_o = port_conflict && !token_o;

  // The first fault, or what stops the unit. The record is whole when the id of the work-group has been read, and of a
  // unit that was stopped, when a group slot was found whose work-group had not ended. It stays until the next start,
  // also when the unit is cleared: so nothing of it is taken from what a reset changes.
  reg faulted, stopped, found, was_refused;
  reg by_lanes;  // what faulted was seen by the pipeline's own checks, not by the memory port
  reg [3:0] reason;
  reg [SLOT_BITS-1:0] group_slot, sub_group;
  reg [2:0] drain;
  reg diverged, missed;  // missed: a word that is loaded once a dispatch
  reg [SLOT_BITS-1:0] diverged_slot;
  reg [SITE_BITS-1:0] diverged_site;
  reg [4:0] diverged_lane, divergent_lane;
  always @* begin
    divergent_lane = 5'd0;
    for (l = LANES - 1; l >= 0; l = l - 1) if (divergent_lanes_i[l]) divergent_lane = l[4:0];
  end
  always @(posedge clk) begin
    if (divergent_i && !halted) diverged <= 1'b1;
    if (divergent_i && !halted && !diverged)
      {diverged_slot, diverged_site, diverged_lane, missed} <= {
        divergent_slot_i, divergent_site_i, divergent_lane, divergent_fixed_i
      };
    // A word of the dispatch that is not there is missed by the first work-item.
    if (fixed_missing && token_o && !halted) begin
      diverged <= 1'b1;
      {diverged_slot, diverged_site, diverged_lane, missed} <= {slot_o, fixed_site[SITE_BITS-1:0], 5'd0, 1'b1};
    end
    if (reset) diverged <= 1'b0;
  end
  wire [31:0] fixed_site = FIXED_SITE + {27'd0, fixed_number};
  wire site_unused = &{1'b0, fixed_site};
  wire was_outside, is_outside = was_outside || missed;  // it is an address
  wire [31:0] lanes_address, outside_address = missed ? bad_address : lanes_address;
  generate
    if (CHECK_ADDRESSES != 0) begin : addresses
      reg outside;
      reg [31:0] address, chosen;
      always @* begin
        chosen = 32'd0;
        for (l = 0; l < LANES; l = l + 1) if (l[4:0] == divergent_lane) chosen = divergent_lanes_i[LANES+1+32*l+:32];
      end
      always @(posedge clk)
        if (divergent_i && !halted && !diverged)
          {outside, address} <= {divergent_lanes_i[LANES], divergent_lanes_i[LANES] ? chosen : 32'd0};
      assign {was_outside, lanes_address} = {outside, address};
    end else begin : collectives
      assign {was_outside, lanes_address} = 33'd0;
    end
  endgenerate
  wire fault = port_fault || diverged;
  wire fault_by_lanes = diverged && !refused;
  wire [SLOT_BITS-1:0] fault_slot = fault_by_lanes ? diverged_slot : port_slot;
  assign halted = stopped || fault || stop_i;
  assign fault_o = fault || stopped;  // what stops it counts as a fault (compute_unit.v)
  assign id_group_slot = group_slot;
  assign drained_o = drain == 3'd7;
  // As in ../memory/address.v.
  wire [3:0] window = outside_address[31:28];
  wire [3:0] outside_reason = missed && bad_address[1:0] != 2'd0 ? MISALIGNED : window == 4'h8 ? OUTSIDE_LOCAL :
                              window == 4'hB || window == 4'hC ? OUTSIDE_PRIVATE : UNMAPPED;
  wire [3:0] diverged_reason = missed && fixed_no_right ? NO_RIGHT : is_outside ? outside_reason : DIVERGENT_COLLECTIVE;
  wire [SLOT_BITS-1:0] sub_group_mask = ~({SLOT_BITS{1'b1}} << shift_o);
  always @(posedge clk) begin
    was_refused <= refused && !reset;
    if (stopped ? refused && !was_refused : fault || stop_i) begin
      stopped <= 1'b1;
      faulted <= fault;
      found <= fault;
      by_lanes <= fault_by_lanes;
      reason <= fault_by_lanes ? diverged_reason : port_fault ? port_reason : stop_reason_i;
      group_slot <= fault && IS_OF_ONE == 0 ? fault_slot >> shift_o : {SLOT_BITS{1'b0}};
      sub_group <= !fault ? {SLOT_BITS{1'b0}} : IS_OF_ONE != 0 ? sub_group_o : fault_slot & sub_group_mask;
    end else if (stopped && !found) begin
      if (running || (&group_slot)) found <= 1'b1;
      else group_slot <= group_slot + 1'b1;
    end
    if (!(stopped && found && port_quiet && !reading)) drain <= 3'd0;
    else if (drain != 3'd7) drain <= drain + 3'd1;
    if (reset || start_i) begin
      stopped <= 1'b0;
      drain   <= 3'd0;
    end
  end
  // The work-item whose word the port's lane had.
  wire [SITE_BITS-1:0] port_site = port_tag[SITE_BITS-1:0];
  wire [7:0] across = ACROSS[port_site*8+:8], turn = TURN[port_site*8+:8];
  wire [12:0] first_item = {5'd0, turn} << PORT_LANES_LOG2 >> across;
  wire [4:0] port_item = first_item[4:0] + (port_lane >> across);
  wire [31:0] site = {{32 - SITE_BITS{1'b0}}, by_lanes ? diverged_site : port_site};
  assign fault_record_o = {
    faulted ? {27'd0, by_lanes ? diverged_lane : port_item} : 32'd0,
    {{32 - SLOT_BITS{1'b0}}, sub_group},
    id,
    faulted ? (by_lanes ? outside_address : port_address) : 32'd0,
    faulted ? site : 32'd0,
    28'd0,
    reason
  };

  assign idle_o = groups_idle && port_idle && !reading && (ready || halted || !begun);
  reg begun;  // a dispatch has started since the reset
  always @(posedge clk)
    if (rst) begun <= 1'b0;
    else if (start_i) begun <= 1'b1;
  wire unused = &{1'b0, sub_groups_i, local_bytes_i, wide_label, wide_owner, response_label_i, first_item};
endmodule

`default_nettype wire
