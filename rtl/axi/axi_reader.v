// SPDX-License-Identifier: Apache-2.0
// Lines of external memory by AXI4 read bursts. Each line that is asked for has a slot in a buffer, so that all that
// comes is taken at once; lines leave in the order in which they were asked for, whatever the order of their bursts.
// The slot is the burst's ID, modulo the IDs that there are. A beat leaves two cycles after its last transfer came, or
// later; a beat a cycle.
`default_nettype none

module axi_reader #(
    parameter ADDRESS_BITS = 28,  // of a byte's address
    parameter BEAT_LOG2 = 5,  // log2 of the bytes of a beat
    parameter LINE_LOG2 = 6,  // log2 of the bytes of a line, BEAT_LOG2 at least
    parameter DATA_LOG2 = 5,  // log2 of the bytes of a transfer, BEAT_LOG2 at most
    parameter SLOTS_LOG2 = 4,  // log2 of the lines that may be in flight
    parameter ID_BITS = 4,  // of the IDs that are used, 1 to SLOTS_LOG2
    parameter BEAT_BYTES = 1 << BEAT_LOG2,  // derived
    parameter DATA_BYTES = 1 << DATA_LOG2  // derived
) (
    input wire clk,
    input wire rst,

    // A line is reserved, and asked for in that cycle or later. The slot that it gets is the next one, in turn.
    output wire                    room_o,
    input  wire                    reserve_i,
    input  wire                    ask_valid_i,
    output wire                    ask_ready_o,
    input  wire [ADDRESS_BITS-1:0] ask_address_i,
    input  wire [  SLOTS_LOG2-1:0] ask_slot_i,
    output wire                    done_o,         // the last transfer of a line has come
    output wire [  SLOTS_LOG2-1:0] done_slot_o,

    // beats of lines; response_wrong_o: memory could not read it
    output reg                     response_valid_o,
    input  wire                    response_ready_i,
    output wire [8*BEAT_BYTES-1:0] response_data_o,
    output wire                    response_wrong_o,

    // AXI4
    output reg                     arvalid_o,
    input  wire                    arready_i,
    output reg  [     ID_BITS-1:0] arid_o,
    output reg  [ADDRESS_BITS-1:0] araddr_o,
    input  wire                    rvalid_i,
    input  wire [     ID_BITS-1:0] rid_i,
    input  wire [8*DATA_BYTES-1:0] rdata_i,
    input  wire                    rwrong_i
);
  localparam SLOTS = 1 << SLOTS_LOG2, IDS = 1 << ID_BITS;
  localparam BEATS = 1 << (LINE_LOG2 - BEAT_LOG2);  // of a line
  localparam PARTS = 1 << (BEAT_LOG2 - DATA_LOG2);  // transfers of a beat
  localparam COUNT_BITS = LINE_LOG2 - DATA_LOG2 + 1;  // of the transfers of a line, all included
  localparam INDEX_BITS = SLOTS_LOG2 + LINE_LOG2 - BEAT_LOG2;  // of a beat in the buffer
  localparam [COUNT_BITS-1:0] LAST = BEATS * PARTS - 1;
  localparam [LINE_LOG2-BEAT_LOG2:0] LAST_BEAT = BEATS - 1;

  // Addresses.
  assign ask_ready_o = !arvalid_o || arready_i;
  always @(posedge clk) begin
    if (ask_ready_o) begin
      arvalid_o <= ask_valid_i;
      arid_o <= ask_slot_i[ID_BITS-1:0];
      araddr_o <= ask_address_i;
    end
    if (rst) arvalid_o <= 1'b0;
  end

  // Transfers that come: the slot that each ID's next one is for, and how many of its line have come.
  reg [IDS*SLOTS_LOG2-1:0] slots;
  reg [IDS*COUNT_BITS-1:0] counts;
  wire [SLOTS_LOG2-1:0] slot = slots[rid_i*SLOTS_LOG2+:SLOTS_LOG2];
  wire [COUNT_BITS-1:0] count = counts[rid_i*COUNT_BITS+:COUNT_BITS];
  assign done_o = rvalid_i && count == LAST;
  assign done_slot_o = slot;
  reg [SLOTS-1:0] complete;  // all of the line has come
  integer id;
  always @(posedge clk) begin
    if (rvalid_i) counts[rid_i*COUNT_BITS+:COUNT_BITS] <= done_o ? {COUNT_BITS{1'b0}} : count + 1'b1;
    if (done_o) slots[rid_i*SLOTS_LOG2+:SLOTS_LOG2] <= slot + IDS[SLOTS_LOG2-1:0];
    if (rst)
      for (id = 0; id < IDS; id = id + 1) begin
        counts[id*COUNT_BITS+:COUNT_BITS] <= {COUNT_BITS{1'b0}};
        slots[id*SLOTS_LOG2+:SLOTS_LOG2]  <= id[SLOTS_LOG2-1:0];
      end
  end

  // Beats that leave: the oldest line's, as far as it has come.
  reg [SLOTS_LOG2-1:0] oldest;
  reg [LINE_LOG2-BEAT_LOG2:0] beat;
  wire [ID_BITS-1:0] oldest_id = oldest[ID_BITS-1:0];
  wire [COUNT_BITS-1:0] oldest_count = counts[oldest_id*COUNT_BITS+:COUNT_BITS];
  wire bits_unused = &{1'b0, ask_slot_i, oldest_count};
  wire comes_next = slots[oldest_id*SLOTS_LOG2+:SLOTS_LOG2] == oldest;
  wire [LINE_LOG2-BEAT_LOG2:0] beats_here = oldest_count[COUNT_BITS-1:BEAT_LOG2-DATA_LOG2];
  wire moves = (!response_valid_o || response_ready_i) && (complete[oldest] || (comes_next && beats_here > beat));
  wire ends = moves && beat == LAST_BEAT;
  reg [SLOTS_LOG2:0] free;
  assign room_o = free != 0;
  always @(posedge clk) begin
    if (done_o) complete[slot] <= 1'b1;
    if (ends) complete[oldest] <= 1'b0;
    if (moves) beat <= ends ? {(LINE_LOG2 - BEAT_LOG2 + 1) {1'b0}} : beat + 1'b1;
    if (ends) oldest <= oldest + 1'b1;
    free <= free + {{SLOTS_LOG2{1'b0}}, ends} - {{SLOTS_LOG2{1'b0}}, reserve_i};
    if (!response_valid_o || response_ready_i) response_valid_o <= moves;
    if (rst) begin
      complete <= {SLOTS{1'b0}};
      beat <= {(LINE_LOG2 - BEAT_LOG2 + 1) {1'b0}};
      oldest <= {SLOTS_LOG2{1'b0}};
      free <= SLOTS[SLOTS_LOG2:0];
      response_valid_o <= 1'b0;
    end
  end

  // The buffer, a memory for each part of a beat. With each transfer stands whether it is wrong.
  localparam WITHIN_BITS = LINE_LOG2 - BEAT_LOG2 + 1;
  wire [WITHIN_BITS-1:0] write_beat = count[COUNT_BITS-1:BEAT_LOG2-DATA_LOG2];
  wire [INDEX_BITS:0] write_index = ({slot, {WITHIN_BITS{1'b0}}} >> 1) | {{SLOTS_LOG2{1'b0}}, write_beat};
  wire [INDEX_BITS:0] read_index = ({oldest, {WITHIN_BITS{1'b0}}} >> 1) | {{SLOTS_LOG2{1'b0}}, beat};
  wire index_unused = write_index[INDEX_BITS] || read_index[INDEX_BITS];
  wire [PARTS-1:0] wrong;
  assign response_wrong_o = response_valid_o && wrong != 0;
  genvar p;
  generate
    for (p = 0; p < PARTS; p = p + 1) begin : part
      localparam [COUNT_BITS-1:0] NUMBER = p, IN_BEAT = PARTS - 1;
      (* no_rw_check *)reg [8*DATA_BYTES:0] transfers[0:SLOTS*BEATS-1];
      reg [8*DATA_BYTES:0] read;
      always @(posedge clk) begin
        if (rvalid_i && (count & IN_BEAT) == NUMBER) transfers[write_index[INDEX_BITS-1:0]] <= {rwrong_i, rdata_i};
        if (!response_valid_o || response_ready_i) read <= transfers[read_index[INDEX_BITS-1:0]];
      end
      assign {wrong[p], response_data_o[p*8*DATA_BYTES+:8*DATA_BYTES]} = read;
    end
  endgenerate
endmodule

`default_nettype wire
