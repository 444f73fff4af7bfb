// SPDX-License-Identifier: Apache-2.0
// What the kernels of a chain have around them: pipelines with queues on the chip between them, each of which one kernel
// writes and another one reads. To the device they are one compute unit (compute_unit.v) that gets the work-groups of
// kernel 0. The dispatches of the others are read from memory, one after the other, and cut into work-groups here
// (contract/DEVICE.md, "Chains"). A fault of one kernel, or a stop, ends all. One port to memory serves all kernels, a
// request a cycle, and the stores of what is left in the queues; the highest bits of a label say whose answer it is.
// Kernels that never end are kept from memory while the chain does not run, so that no answer comes when they are reset.
`include "rtl/shape.vh"
`default_nettype none

module pipe_chain #(
    parameter KERNELS = 2,  // 2 to 15
    parameter QUEUES = 1,  // 1 to 2 * KERNELS
    // kernels of one work-item that never end: each start resets them, and the end awaits them not
    parameter [KERNELS-1:0] AUTORUN = 0,
    parameter [QUEUES-1:0] ENDLESS = 0,  // queues with such a kernel at an end
    // limits of each kernel, as in the table of kinds
    parameter [KERNELS*3-1:0] LANES_LOG2 = 0,
    parameter [KERNELS*12-1:0] SLOTS = 0,
    parameter [KERNELS*32-1:0] WORK_GROUP_ITEMS = 0,
    parameter [KERNELS*32-1:0] LOCAL_BYTES = 0,
    parameter GLOBAL_LOG2 = 28,  // these as in compute_unit.v
    parameter FIRST_LOG2 = 12,
    parameter BEAT_LOG2 = 4,
    parameter OWNER_BITS = 5,
    parameter LABEL_BITS = 63,
    parameter SOURCE_BITS = 2,  // log2 of KERNELS + 1, rounded up: a kernel's labels are shorter by these
    parameter BEAT_BYTES = 1 << BEAT_LOG2  // derived
) (
    input wire clk,
    input wire rst,

    // the kernels; ports as in compute_unit.v
    output wire [KERNELS-1:0] start_o,
    output wire [KERNELS*32-1:0] packet_o,
    output wire [KERNELS*3-1:0] sub_group_log2_o,
    output wire [KERNELS*11-1:0] sub_groups_o,
    output wire [KERNELS*32-1:0] local_bytes_o,
    output wire [KERNELS-1:0] group_valid_o,
    input wire [KERNELS-1:0] group_ready_i,
    output wire [KERNELS*96-1:0] group_id_o,
    output wire [KERNELS*96-1:0] group_base_o,
    output wire [KERNELS*33-1:0] group_size_o,
    input wire [KERNELS-1:0] group_done_i,
    input wire [KERNELS-1:0] idle_i,
    output wire kernels_stop_o,
    output wire [3:0] kernels_stop_reason_o,
    input wire [KERNELS-1:0] fault_i,
    input wire [KERNELS-1:0] drained_i,
    /* verilator lint_off UNUSEDSIGNAL */
    // A site's number takes half of its word.
    input wire [KERNELS*256-1:0] fault_records_i,
    /* verilator lint_on UNUSEDSIGNAL */
    input wire [KERNELS-1:0] issued_i,
    input wire [KERNELS*6-1:0] active_i,
    input wire [KERNELS-1:0] memory_wait_i,
    input wire [KERNELS-1:0] conflict_i,
    input wire [KERNELS-1:0] kernel_valid_i,
    output wire [KERNELS-1:0] kernel_ready_o,
    input wire [KERNELS*2-1:0] kernel_kind_i,
    input wire [KERNELS*5-1:0] kernel_function_i,
    input wire [KERNELS*GLOBAL_LOG2-1:0] kernel_address_i,
    input wire [KERNELS*8*BEAT_BYTES-1:0] kernel_data_i,
    input wire [KERNELS*BEAT_BYTES-1:0] kernel_strobe_i,
    input wire [KERNELS*OWNER_BITS-1:0] kernel_owner_i,
    input wire [KERNELS*(LABEL_BITS-SOURCE_BITS)-1:0] kernel_label_i,
    output wire [KERNELS-1:0] kernel_response_o,
    input wire [KERNELS-1:0] kernel_response_ready_i,

    // the queues; ports as in pipe_queue.v
    output wire queues_rst_o,
    output wire open_o,
    output wire [QUEUES*32-1:0] most_o,
    output wire [QUEUES*GLOBAL_LOG2-1:0] pipe_address_o,
    output wire [QUEUES*GLOBAL_LOG2-1:0] offset_o,
    output wire [KERNELS-1:0] ended_o,  // by kernel
    input wire [QUEUES-1:0] queue_ended_i,
    input wire [QUEUES-1:0] store_valid_i,
    output wire [QUEUES-1:0] store_ready_o,
    input wire [QUEUES*GLOBAL_LOG2-1:0] store_address_i,
    input wire [QUEUES*8*BEAT_BYTES-1:0] store_data_i,
    input wire [QUEUES*BEAT_BYTES-1:0] store_strobe_i,

    `include "rtl/compute_unit_ports.vh"
);
  `include "rtl/common/reason.vh"
  localparam NUMBER_BITS = $clog2(KERNELS), KERNEL_LABEL_BITS = LABEL_BITS - SOURCE_BITS;
  localparam [31:0] LAST_NUMBER = KERNELS - 1;
  localparam [NUMBER_BITS-1:0] LAST = LAST_NUMBER[NUMBER_BITS-1:0];
  localparam [31:0] PACKET_BYTES_BEFORE = 4 * `HEDDLE_DISPATCH_PACKET;
  wire reset = rst || clear_i;

  // ---- the dispatches, the one of kernel 0 first: each says where the next one is
  reg reading, open, bad;
  reg [NUMBER_BITS-1:0] number;
  reg read_start;
  reg [31:7] read_address;
  wire read_done, read_bad, reader_valid, reader_ready, reader_answer;
  wire [GLOBAL_LOG2-1:0] reader_address;
  wire [31:0] packet, local_bytes;
  wire [7:0] sub_group_log2;
  wire [95:0] global_size, global_offset, local_size, num_groups;
  wire [ 31:7] next_dispatch;
  wire [191:0] pipes;  // with this kernel's number, and KERNELS above it
  wire [31:0] unused_private_base, unused_private_log2;
  wire [63:0] unused_budget;
  wire [ 6:0] unused_kind;
  wire [31:2] unused_entry;
  wire [15:0] unused_mask;
  wire [ 6:0] unused_domain;
  dispatch_reader #(
      .GLOBAL_LOG2(GLOBAL_LOG2),
      .FIRST_LOG2 (FIRST_LOG2),
      .BEAT_LOG2  (BEAT_LOG2)
  ) dispatch_reader (
      .clk(clk),
      .rst(reset),
      .start_i(read_start),
      .address_i(read_address),
      .done_o(read_done),
      .bad_o(read_bad),
      .request_valid_o(reader_valid),
      .request_ready_i(reader_ready),
      .request_address_o(reader_address),
      .response_valid_i(reader_answer),
      .response_data_i(response_data_i),
      .kind_o(unused_kind),
      .entry_o(unused_entry),
      .packet_o(packet),
      .sub_group_log2_o(sub_group_log2),
      .unit_mask_o(unused_mask),
      .local_bytes_o(local_bytes),
      .domain_o(unused_domain),
      .private_base_o(unused_private_base),
      .private_log2_o(unused_private_log2),
      .budget_o(unused_budget),
      .global_size_o(global_size),
      .global_offset_o(global_offset),
      .local_size_o(local_size),
      .num_groups_o(num_groups),
      .next_o(next_dispatch),
      .pipes_o(pipes)
  );
  wire [31:0] own_dispatch = packet_i - PACKET_BYTES_BEFORE;
  wire last_read = read_done && reading && !read_bad && number == LAST;
  always @(posedge clk) begin
    read_start <= 1'b0;
    if (start_i) begin
      reading <= 1'b1;
      number <= {NUMBER_BITS{1'b0}};
      read_start <= 1'b1;
      read_address <= own_dispatch[31:7];
      {open, bad} <= 2'd0;
    end else if (read_done && reading) begin
      reading <= !read_bad && number != LAST;
      bad <= read_bad;
      open <= last_read;
      number <= number + 1'b1;
      read_start <= !read_bad && number != LAST;
      read_address <= next_dispatch;
    end
    if (reset) {reading, open, bad, read_start} <= 4'd0;
  end
  assign open_o = open;
  assign queues_rst_o = reset || start_i;

  // ---- work-groups: those of kernel 0 come from the device, those of the others from a walker each; one that never ends
  // has one work-item
  localparam [95:0] ONE_ITEM = {32'd1, 32'd1, 32'd1};
  wire halted;
  wire [KERNELS-1:0] bad_walks;
  reg [95:0] own_groups;  // that kernel 0 gets
  reg last_given, own_ended, begin_walks, walks;
  wire given = group_valid_o[0] && group_ready_i[0];
  assign start_o[0] = start_i;
  assign packet_o[31:0] = packet_i;
  assign sub_group_log2_o[2:0] = sub_group_log2_i;
  assign sub_groups_o[10:0] = sub_groups_i;
  assign local_bytes_o[31:0] = local_bytes_i;
  assign group_valid_o[0] = group_valid_i && open;
  assign group_ready_o = group_ready_i[0] && open;
  assign group_id_o[95:0] = group_id_i;
  assign group_base_o[95:0] = group_base_i;
  assign group_size_o[32:0] = group_size_i;
  assign group_done_o = group_done_i[0];
  assign bad_walks[0] = 1'b0;
  assign ended_o[0] = own_ended;
  always @(posedge clk) begin
    if (read_done && reading && number == {NUMBER_BITS{1'b0}}) own_groups <= num_groups;
    if (given && group_id_i[31:0] + 32'd1 == own_groups[31:0] && group_id_i[63:32] + 32'd1 == own_groups[63:32] &&
        group_id_i[95:64] + 32'd1 == own_groups[95:64])
      last_given <= 1'b1;
    own_ended <= last_given && idle_i[0];
    begin_walks <= last_read;
    walks <= walks || begin_walks;
    if (reset || start_i) {last_given, own_ended, begin_walks, walks} <= 4'd0;
  end
  genvar k;
  generate
    for (k = 0; k < KERNELS; k = k + 1) begin : of_kernel
      localparam [NUMBER_BITS-1:0] OWN = k;
      if (k > 0 && AUTORUN[k]) begin : once
        reg [31:0] own_packet, own_local_bytes;
        reg wrong, starts, offers;
        always @(posedge clk) begin
          if (read_done && reading && number == OWN) begin
            {own_packet, own_local_bytes} <= {packet, local_bytes};
            wrong <= global_size != ONE_ITEM || local_size != ONE_ITEM || sub_group_log2 != 8'd0 ||
                     local_bytes > LOCAL_BYTES[k*32+:32];
          end
          starts <= begin_walks && !halted;
          if (starts) offers <= 1'b1;
          else if (group_ready_i[k] || halted) offers <= 1'b0;
          if (reset || start_i) {wrong, starts, offers} <= 3'd0;
        end
        assign start_o[k] = starts;
        assign packet_o[k*32+:32] = own_packet;
        assign local_bytes_o[k*32+:32] = own_local_bytes;
        assign sub_group_log2_o[k*3+:3] = 3'd0;
        assign sub_groups_o[k*11+:11] = 11'd1;
        assign group_valid_o[k] = offers;
        assign {group_id_o[k*96+:96], group_base_o[k*96+:96]} = 192'd0;
        assign group_size_o[k*33+:33] = {11'd1, 11'd1, 11'd1};
        assign bad_walks[k] = wrong;
        assign ended_o[k] = 1'b0;
      end else if (k > 0) begin : walk
        localparam WORDS = 32 * 2 + 8 + 96 * 3;
        wire [31:0] own_packet, own_local_bytes;
        wire [7:0] own_log2;
        wire [95:0] own_size, own_offset, own_local_size;
        // The words of the dispatch that was read last stay in the reader.
        if (k < KERNELS - 1) begin : kept
          reg [WORDS-1:0] words;
          always @(posedge clk)
            if (read_done && reading && number == OWN)
              words <= {packet, local_bytes, sub_group_log2, global_size, global_offset, local_size};
          assign {own_packet, own_local_bytes, own_log2, own_size, own_offset, own_local_size} = words;
        end else begin : read
          assign {own_packet, own_local_bytes, own_log2, own_size, own_offset, own_local_size} = {
            packet, local_bytes, sub_group_log2, global_size, global_offset, local_size
          };
        end
        wire busy, fault, valid, ready, unused_clear, unused_stop;
        wire [3:0] own_reason, unused_reason;
        wire [63:0] unused_cycles;
        walker #(
            .GLOBAL_LOG2(GLOBAL_LOG2),
            .FIRST_LOG2 (FIRST_LOG2)
        ) walker (
            .clk(clk),
            .rst(reset),
            .begin_i(begin_walks),
            .start_i(begin_walks && !halted),
            .bad_i(1'b0),
            .stop_i(1'b0),
            .memory_error_i(1'b0),
            .runs_i(1'b0),
            .busy_o(busy),
            .fault_o(fault),
            .own_reason_o(own_reason),
            .kind_exists_i(1'b1),
            .private_memory_i(1'b0),
            .most_lanes_log2_i(LANES_LOG2[k*3+:3]),
            .most_slots_i(SLOTS[k*12+:12]),
            .most_items_i(WORK_GROUP_ITEMS[k*32+:32]),
            .most_local_bytes_i(LOCAL_BYTES[k*32+:32]),
            .resident_i(17'd0),
            .global_size_i(own_size),
            .global_offset_i(own_offset),
            .local_size_i(own_local_size),
            .sub_group_log2_i({24'd0, own_log2}),
            .local_bytes_i(own_local_bytes),
            .private_base_i(32'd0),
            .private_log2_i(32'd0),
            .budget_i(64'd0),
            .cycles_o(unused_cycles),
            .unit_start_o(start_o[k]),
            .unit_clear_o(unused_clear),
            .sub_groups_o(sub_groups_o[k*11+:11]),
            .group_valid_o(valid),
            .group_ready_i(ready),
            .group_id_o(group_id_o[k*96+:96]),
            .group_base_o(group_base_o[k*96+:96]),
            .group_size_o(group_size_o[k*33+:33]),
            .unit_idle_i(idle_i[k]),
            .unit_stop_o(unused_stop),
            .unit_stop_reason_o(unused_reason),
            .unit_fault_i(halted),
            .unit_drained_i(drained_o)
        );
        group_arbiter #(
            .UNITS(1)
        ) group_arbiter (
            .clk(clk),
            .rst(reset),
            .units_i(1'b1),
            .group_valid_i(valid),
            .group_ready_o(ready),
            .group_valid_o(group_valid_o[k]),
            .group_ready_i(group_ready_i[k])
        );
        assign packet_o[k*32+:32] = own_packet;
        assign local_bytes_o[k*32+:32] = own_local_bytes;
        assign sub_group_log2_o[k*3+:3] = own_log2[2:0];
        assign bad_walks[k] = fault && own_reason != 4'd0;
        assign ended_o[k] = walks && !busy && !begin_walks;
        wire unused = &{1'b0, unused_clear, unused_stop, unused_reason, unused_cycles};
      end
    end
    for (k = 0; k < QUEUES; k = k + 1) begin : of_queue
      localparam [31:0] TELLER = k % KERNELS;
      localparam [NUMBER_BITS-1:0] TOLD_BY = TELLER[NUMBER_BITS-1:0];
      localparam FIRST = k < KERNELS ? 0 : 96;
      reg [31:0] most;
      reg [GLOBAL_LOG2-1:0] address, offset;
      always @(posedge clk)
        if (read_done && reading && number == TOLD_BY)
          {offset, address, most} <= {pipes[FIRST+64+:GLOBAL_LOG2], pipes[FIRST+32+:GLOBAL_LOG2], pipes[FIRST+:32]};
      assign most_o[k*32+:32] = most;
      assign pipe_address_o[k*GLOBAL_LOG2+:GLOBAL_LOG2] = address;
      assign offset_o[k*GLOBAL_LOG2+:GLOBAL_LOG2] = offset;
    end
  endgenerate

  // ---- the end, faults
  reg running;
  wire [KERNELS-1:0] asking = kernel_valid_i & ~(AUTORUN &{KERNELS{!running}});
  wire autorun_waits;  // for answers of memory
  wire all_ended = &(ended_o | AUTORUN) && &(queue_ended_i | ENDLESS) && !autorun_waits;
  always @(posedge clk)
    if (reset) running <= 1'b0;
    else if (start_i) running <= 1'b1;
    else if (all_ended) running <= 1'b0;
  assign idle_o = !running && &(idle_i | AUTORUN);
  generate
    if (AUTORUN != 0) begin : with_autorun
      reg [7:0] unanswered;
      wire [KERNELS-1:0] stores;
      for (k = 0; k < KERNELS; k = k + 1) begin : kind
        assign stores[k] = kernel_kind_i[k*2+:2] == 2'd1;
      end
      wire asks = (asking & kernel_ready_o & AUTORUN & ~stores) != 0;  // for an answer
      wire answered = (kernel_response_o & kernel_response_ready_i & AUTORUN) != 0;
      always @(posedge clk)
        if (reset) unanswered <= 8'd0;
        else unanswered <= unanswered + {7'd0, asks} - {7'd0, answered};
      assign autorun_waits = unanswered != 8'd0 || (kernel_valid_i & AUTORUN) != 0;
    end else begin : all_end
      assign autorun_waits = 1'b0;
    end
  endgenerate
  wire is_bad = bad || bad_walks != 0;
  wire kernels_fault, kernels_drained, locked;
  assign halted = is_bad || stop_i || kernels_fault;
  assign kernels_stop_reason_o = is_bad && !stop_i ? BAD_DISPATCH : stop_reason_i;
  // The PC of a record has the number of the kernel above that of the site.
  wire [KERNELS*256-1:0] records;
  generate
    for (k = 0; k < KERNELS; k = k + 1) begin : record
      localparam [15:0] OWN_NUMBER = k;
      assign records[k*256+:256] = {
        fault_records_i[k*256+64+:192], OWN_NUMBER, fault_records_i[k*256+32+:16], fault_records_i[k*256+:32]
      };
    end
  endgenerate
  first_fault #(
      .UNITS(KERNELS),
      .RECORD_BITS(256)
  ) first_fault (
      .clk(clk),
      .rst(reset),
      .stop_i(is_bad || stop_i),
      .fault_o(kernels_fault),
      .drained_o(kernels_drained),
      .stop_o(kernels_stop_o),
      .fault_i(fault_i),
      .idle_i(idle_i),
      .drained_i(drained_i),
      .records_i(records),
      .record_o(fault_record_o)
  );
  assign fault_o = kernels_fault;
  // What was asked for has been answered.
  reg [7:0] awaited;
  always @(posedge clk)
    if (reset) awaited <= 8'd0;
    else awaited <= awaited + {7'd0, reader_valid && reader_ready} - {7'd0, reader_answer};
  assign drained_o = kernels_drained && !locked && !reader_valid && awaited == 8'd0;

  // ---- requests
  chain_port #(
      .KERNELS(KERNELS),
      .QUEUES(QUEUES),
      .GLOBAL_LOG2(GLOBAL_LOG2),
      .BEAT_LOG2(BEAT_LOG2),
      .OWNER_BITS(OWNER_BITS),
      .LABEL_BITS(LABEL_BITS),
      .SOURCE_BITS(SOURCE_BITS)
  ) chain_port (
      .clk(clk),
      .rst(reset),
      .kernel_valid_i(asking),
      .kernel_ready_o(kernel_ready_o),
      .kernel_kind_i(kernel_kind_i),
      .kernel_function_i(kernel_function_i),
      .kernel_address_i(kernel_address_i),
      .kernel_data_i(kernel_data_i),
      .kernel_strobe_i(kernel_strobe_i),
      .kernel_owner_i(kernel_owner_i),
      .kernel_label_i(kernel_label_i),
      .kernel_response_o(kernel_response_o),
      .kernel_response_ready_i(kernel_response_ready_i),
      .reader_valid_i(reader_valid),
      .reader_ready_o(reader_ready),
      .reader_address_i(reader_address),
      .reader_response_o(reader_answer),
      .store_valid_i(store_valid_i),
      .store_ready_o(store_ready_o),
      .store_address_i(store_address_i),
      .store_data_i(store_data_i),
      .store_strobe_i(store_strobe_i),
      .held_o(locked),
      .request_valid_o(request_valid_o),
      .request_ready_i(request_ready_i),
      .request_kind_o(request_kind_o),
      .request_function_o(request_function_o),
      .request_address_o(request_address_o),
      .request_data_o(request_data_o),
      .request_strobe_o(request_strobe_o),
      .request_owner_o(request_owner_o),
      .request_label_o(request_label_o),
      .response_valid_i(response_valid_i),
      .response_ready_o(response_ready_o),
      .response_source_i(response_label_i[LABEL_BITS-1:KERNEL_LABEL_BITS])
  );

  // ---- for the performance counters
  integer n;
  reg [9:0] lanes;
  always @* begin
    lanes = 10'd0;
    for (n = 0; n < KERNELS; n = n + 1) lanes = lanes + {4'd0, active_i[n*6+:6]};
  end
  assign issued_o = issued_i != 0;
  assign active_o = lanes > 10'd63 ? 6'd63 : lanes[5:0];
  assign memory_wait_o = memory_wait_i != 0 && !issued_o;
  assign conflict_o = conflict_i != 0 && !issued_o && !memory_wait_o;
  wire unused = &{1'b0, own_dispatch, pipes, global_offset, group_done_i, unused_private_base, unused_private_log2,
                  unused_budget, unused_kind, unused_entry, unused_mask, unused_domain, rights_i, response_label_i};
endmodule

`default_nettype wire
