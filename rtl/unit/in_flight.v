// SPDX-License-Identifier: Apache-2.0
// Keeps what loads (and atomics) a slot has in flight, up to four, and makes instructions wait that need what they
// bring: a source or the destination is a register that is still to be written, or there is no room for a fifth load.
// Answers of a slot come in order, so two counters and a ring of register numbers say which are outstanding. An
// instruction that waits leaves the pipeline; its slot is woken once, when the last answer it needs has come. Loads of
// one slot are in one memory at a time, local or global, since only answers of one memory come in order.
`default_nettype none

module in_flight #(
    parameter SLOTS = 32,  // power of two
    parameter SLOT_BITS = 5  // log2(SLOTS)
) (
    input wire clk,
    input wire rst,

    // stage de: the instruction's registers
    input wire [SLOT_BITS-1:0] de_slot_i,
    input wire [          4:0] de_rs1_i,
    input wire [          4:0] de_rs2_i,
    input wire [          4:0] de_rs3_i,
    input wire [          4:0] de_rd_i,
    input wire                 de_rs1_used_i,
    input wire                 de_rs2_used_i,
    input wire                 de_rs3_used_i,
    input wire                 de_rd_used_i,   // written now or later
    input wire                 de_loads_i,     // a load or atomic
    input wire                 de_all_i,       // all answers must have come

    // stage rd: it waits
    input  wire                 rd_valid_i,
    input  wire [SLOT_BITS-1:0] rd_slot_i,
    output wire                 rd_wait_o,

    // stages e2, e3: it takes effect, unless it waits
    input  wire [SLOT_BITS-1:0] e2_slot_i,
    input  wire                 e2_loads_i,   // of a memory operation: a load or atomic wants to go
    input  wire                 e2_local_i,   // some lanes are in local memory
    input  wire                 e2_global_i,  // some are in global memory
    input  wire [SLOT_BITS-1:0] e3_slot_i,
    input  wire                 e3_launch_i,  // a new sub-group, which has none
    input  wire                 e3_push_i,    // a load or atomic
    input  wire [          4:0] e3_rd_i,
    output reg                  e3_wait_o,    // with a memory operation: loads in the other memory must end first
    input  wire                 e3_stay_i,    // it leaves the pipeline for that

    // the last answer to a load
    input wire                 answer_i,
    input wire [SLOT_BITS-1:0] answer_slot_i,

    output wire [SLOTS-1:0] waiting_o,
    output reg  [SLOTS-1:0] wake_o
);
  // Loads asked for and answered, modulo 8; the registers of the last four; where they are.
  reg [2:0] asked[0:SLOTS-1];
  reg [2:0] answered[0:SLOTS-1];
  wire [19:0] de_ring;
  reg [1:0] memories[0:SLOTS-1];  // {local, global}
  integer k;

  function [SLOTS-1:0] one_slot(input enable, input [SLOT_BITS-1:0] slot);
    one_slot = {{(SLOTS - 1) {1'b0}}, enable} << slot;
  endfunction

  wire [2:0] answer_count = answered[answer_slot_i] + 3'd1;
  always @(posedge clk) if (answer_i) answered[answer_slot_i] <= answer_count;

  // de: the registers are read in this cycle, so what counts is answered before it. Which entries of the ring hold one
  // of them? Which are outstanding?
  wire [1:0] de_asked = asked[de_slot_i][1:0];
  wire [2:0] de_outstanding = asked[de_slot_i] - answered[de_slot_i];
  reg  [1:0] de_age;  // of an entry, how many loads came after it
  reg  [3:0] de_awaited;
  always @*
    for (k = 0; k < 4; k = k + 1) begin
      de_age = de_asked - 2'd1 - k[1:0];
      de_awaited[k] = de_outstanding > {1'b0, de_age};
    end
  reg [3:0] rd_match, rd_awaited;
  reg [2:0] rd_asked, rd_outstanding;
  reg rd_loads, rd_all;
  always @(posedge clk) begin
    for (k = 0; k < 4; k = k + 1)
    rd_match[k] <= (de_rs1_used_i && de_ring[5*k+:5] == de_rs1_i) || (de_rs2_used_i && de_ring[5*k+:5] == de_rs2_i) ||
                   (de_rs3_used_i && de_ring[5*k+:5] == de_rs3_i) || (de_rd_used_i && de_ring[5*k+:5] == de_rd_i);
    rd_awaited <= de_awaited;
    rd_asked <= asked[de_slot_i];
    rd_outstanding <= de_outstanding;
    rd_loads <= de_loads_i;
    rd_all <= de_all_i;
  end

  // rd: it waits if a load that it needs is outstanding; the answer count for that. Of 1 to 4 outstanding loads, the
  // one asked for n loads ago is entry asked - n of the ring.
  assign rd_wait_o = (rd_match & rd_awaited) != 0 || (rd_loads && rd_outstanding[2]) || (rd_all && rd_outstanding != 0);
  reg [3:0] newest_first;
  always @* for (k = 0; k < 4; k = k + 1) newest_first[k] = rd_match[rd_asked[1:0]-2'd1-k[1:0]];
  reg [2:0] rd_back;  // how many of the newest may still be outstanding
  always @* begin
    rd_back = rd_loads ? 3'd3 : 3'd4;
    for (k = 3; k >= 0; k = k - 1) if (newest_first[k]) rd_back = k[2:0];
    if (rd_all) rd_back = 3'd0;
  end

  // e3: all of a slot's loads in one memory; one that is in both is alone. Whether it waits for that is found a stage
  // before, what takes effect is written a stage later (e4): a slot has one instruction in the pipeline, so nobody
  // looks in between.
  reg [2:0] e3_asked, e4_asked;
  reg [1:0] e3_memories;  // of the instruction
  wire e2_outstanding = asked[e2_slot_i] != answered[e2_slot_i];
  wire e2_mixed = e2_local_i && e2_global_i;
  reg e4_push, e4_launch;
  reg [4:0] e4_rd;
  reg [1:0] e4_memories;
  reg [SLOT_BITS-1:0] e4_slot;
  always @(posedge clk) begin
    e3_asked <= asked[e2_slot_i];
    e3_memories <= {e2_local_i, e2_global_i};
    e3_wait_o <= e2_outstanding && (e2_mixed || (e2_loads_i && memories[e2_slot_i] != {e2_local_i, e2_global_i}));
    {e4_push, e4_launch, e4_slot, e4_rd, e4_asked} <= {e3_push_i, e3_launch_i, e3_slot_i, e3_rd_i, e3_asked};
    e4_memories <= e3_memories;
    if (e4_push) memories[e4_slot] <= e4_memories;
    if (e4_push || e4_launch) asked[e4_slot] <= e4_launch ? answered[e4_slot] : e4_asked + 3'd1;
  end
  genvar n;
  generate
    for (n = 0; n < 4; n = n + 1) begin : entry
      reg [4:0] registers[0:SLOTS-1];
      assign de_ring[5*n+:5] = registers[de_slot_i];
      always @(posedge clk) if (e4_push && e4_asked[1:0] == n) registers[e4_slot] <= e4_rd;
    end
  endgenerate

  // Who waits, and for which count: a given one (since rd; kept less one, as the count is before its last answer), or
  // all that were asked for (since e3). Answers that come just when an instruction leaves may have been missed: the
  // cycle after, it is looked whether it need not wait, only come again.
  reg [SLOTS-1:0] waiting, waiting_all;
  reg [2:0] needed_before[0:SLOTS-1];
  reg [SLOTS-1:0] rd_one, op_one, e3_one, e4_one;  // the stages' slots, each a bit: whether one stays is known late
  wire rd_stay = rd_valid_i && rd_wait_o;
  reg op_stayed, e4_stayed;
  reg [SLOT_BITS-1:0] op_slot;
  reg [2:0] op_needed;
  always @(posedge clk) begin
    if (rd_valid_i) needed_before[rd_slot_i] <= rd_asked + ~rd_back;
    {op_slot, op_needed} <= {rd_slot_i, rd_asked - rd_back};
    {rd_one, op_one} <= {one_slot(1'b1, de_slot_i), rd_one};
    {e3_one, e4_one} <= {one_slot(1'b1, e2_slot_i), e3_one};
  end
  wire op_again = op_stayed && answered[op_slot] - op_needed < 3'd4;
  // With the answer that comes as it leaves.
  wire [2:0] e3_more = e3_asked - answered[e3_slot_i];
  reg e4_none;
  always @(posedge clk) e4_none <= e3_more == 3'd0 || (e3_more == 3'd1 && answer_i && answer_slot_i == e3_slot_i);
  wire e4_again = e4_stayed && e4_none;
  wire enough = waiting[answer_slot_i] && answered[answer_slot_i] == needed_before[answer_slot_i];
  wire all_here = waiting_all[answer_slot_i] && answer_count == asked[answer_slot_i];
  wire [SLOTS-1:0] wake = one_slot(
      answer_i && (enough || all_here), answer_slot_i
  ) | (op_one & {SLOTS{op_again}}) | (e4_one & {SLOTS{e4_again}});
  always @(posedge clk) begin
    // Who is woken is forgotten a cycle later: nothing is found twice, the count has gone on or there is no more to
    // come.
    waiting <= (waiting & ~wake_o) | (rd_one & {SLOTS{rd_stay}});
    waiting_all <= (waiting_all & ~wake_o) | (e3_one & {SLOTS{e3_stay_i}});
    wake_o <= wake;
    {op_stayed, e4_stayed} <= {rd_stay, e3_stay_i};
    if (rst) {waiting, waiting_all, wake_o, op_stayed, e4_stayed} <= {(3 * SLOTS + 2) {1'b0}};
  end
  assign waiting_o = (waiting | waiting_all) & ~wake_o;
endmodule

`default_nettype wire
