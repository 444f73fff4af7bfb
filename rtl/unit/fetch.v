// SPDX-License-Identifier: Apache-2.0
// Instruction fetch of a unit: a direct-mapped cache of memory beats in front of the memory port.
// One PC a cycle; the instruction (or a miss) comes 2 cycles later. A miss starts a fill when none runs; the slot waits
// and tries again when the fill is done (retry_o is level: whoever waits may try whenever no fill runs). A beat belongs
// to the epoch in which it was filled: forgetting everything is a step of the epoch. When epochs run out, and after
// reset, the tags are cleared one by one.
`default_nettype none

module fetch #(
    parameter BEAT_BYTES  = 32,  // bytes of a memory beat, power of two, 16 to 128
    parameter BEAT_LOG2   = 5,   // log2(BEAT_BYTES)
    parameter CACHE_LOG2  = 13,  // log2 of the cache's bytes
    parameter GLOBAL_LOG2 = 28,  // log2 of the bytes of global memory
    parameter FIRST_LOG2  = 12,  // log2 of its first address
    parameter EPOCH_BITS  = 12
) (
    input wire clk,
    input wire rst,
    input wire flush_i, // forget everything from the next cycle on: code may have changed

    // PC in, stage f1; instruction out, stage de
    input  wire        f1_valid_i,
    input  wire [31:2] f1_pc_i,
    output reg  [31:0] de_instruction_o,
    output wire        de_miss_o,         // no instruction yet: wait for retry
    output reg         de_bad_o,          // PC outside global memory
    output wire        retry_o,           // no fill is running

    // memory port: reads of beats
    output wire                    request_valid_o,
    input  wire                    request_ready_i,
    output wire [ GLOBAL_LOG2-1:0] request_address_o,
    input  wire                    response_valid_i,
    input  wire [8*BEAT_BYTES-1:0] response_data_i
);
  localparam BEATS_LOG2 = CACHE_LOG2 - BEAT_LOG2;
  localparam TAG_BITS = GLOBAL_LOG2 - CACHE_LOG2;
  localparam [2:0] CLEAR = 3'd0, IDLE = 3'd1, REQUEST = 3'd2, WAIT = 3'd3, WRITE = 3'd4;
  localparam [EPOCH_BITS-1:0] NO_EPOCH = 0, FIRST_EPOCH = 1;

  // A word that is written while it is looked up has no tag yet.
  (* ram_style = "block", no_rw_check *) reg [31:0] words[0:(1<<(CACHE_LOG2-2))-1];
  (* ram_style = "block" *) reg [EPOCH_BITS+TAG_BITS-1:0] tags[0:(1<<BEATS_LOG2)-1];

  reg [2:0] state;
  reg [EPOCH_BITS-1:0] epoch;
  reg flush;
  always @(posedge clk) flush <= flush_i && !rst;
  reg [GLOBAL_LOG2-1:BEAT_LOG2] fill_beat;
  reg [BEAT_LOG2-3:0] fill_word;
  reg [8*BEAT_BYTES-1:0] fill_data;

  // f1 -> f2 -> de: look up; block RAM, then a register. Tags are compared eight bits at a time before it, since many
  // wait to hear of a miss.
  localparam STAMP_BITS = EPOCH_BITS + TAG_BITS;
  localparam PARTS = (STAMP_BITS + 7) / 8;
  reg f2_valid, de_valid;
  reg [31:BEAT_LOG2] f2_pc;
  reg [GLOBAL_LOG2-1:BEAT_LOG2] de_pc;
  reg [31:0] f2_instruction;
  reg [STAMP_BITS-1:0] f2_tag;
  wire [STAMP_BITS-1:0] f2_stamp = {epoch, f2_pc[GLOBAL_LOG2-1:CACHE_LOG2]};
  wire [8*PARTS-1:0] f2_differs = {{(8 * PARTS - STAMP_BITS) {1'b0}}, f2_tag ^ f2_stamp};
  reg [PARTS-1:0] de_differs;
  integer part;
  always @(posedge clk) begin
    f2_instruction <= words[f1_pc_i[CACHE_LOG2-1:2]];
    f2_tag <= tags[f1_pc_i[CACHE_LOG2-1:BEAT_LOG2]];
    f2_pc <= f1_pc_i[31:BEAT_LOG2];
    f2_valid <= f1_valid_i;
    de_instruction_o <= f2_instruction;
    for (part = 0; part < PARTS; part = part + 1) de_differs[part] <= |f2_differs[8*part+:8];
    // What lies below and behind global memory holds no code.
    de_bad_o <= f2_pc[31:GLOBAL_LOG2] != 0 || f2_pc[GLOBAL_LOG2-1:FIRST_LOG2] == 0;
    de_pc <= f2_pc[GLOBAL_LOG2-1:BEAT_LOG2];
    de_valid <= f2_valid;
  end

  assign de_miss_o = de_valid && !de_bad_o && de_differs != 0;

  // The beat that a miss asks for. A miss that was looked up while a fill ran may be that fill's beat: it only tries
  // again. So does every miss until the last beat filled has been used: else sub-groups in beats of the same place
  // could take it from each other for ever, each before the one that asked has come again.
  reg missed, found, fresh, f2_idle, de_idle;
  reg [GLOBAL_LOG2-1:BEAT_LOG2] missed_beat;
  always @(posedge clk) begin
    f2_idle <= state == IDLE;
    de_idle <= f2_idle;
    missed <= de_miss_o && de_idle && state == IDLE && !fresh && !rst;
    found <= de_valid && !de_bad_o && !de_miss_o;
    missed_beat <= de_pc;
  end

  // Fill: one beat, word by word into the cache; its place has no tag meanwhile.
  wire [BEATS_LOG2-1:0] fill_index = fill_beat[CACHE_LOG2-1:BEAT_LOG2];
  wire last_word = &fill_word;
  wire last_beat = &fill_index;
  always @(posedge clk) begin
    if (state == WRITE) words[{fill_index, fill_word}] <= fill_data[31:0];
    if (state == CLEAR || state == REQUEST || (state == WRITE && last_word))
      tags[fill_index] <= state == WRITE ? {epoch, fill_beat[GLOBAL_LOG2-1:CACHE_LOG2]} : {NO_EPOCH, {TAG_BITS{1'b0}}};
    case (state)
      CLEAR: begin
        fill_beat <= fill_beat + 1'b1;
        if (last_beat) state <= IDLE;
      end
      IDLE:
      if (missed) begin
        state <= REQUEST;
        fill_beat <= missed_beat;
      end
      REQUEST: if (request_ready_i) state <= WAIT;
      WAIT:
      if (response_valid_i) begin
        state <= WRITE;
        fill_data <= response_data_i;
        fill_word <= {(BEAT_LOG2 - 2) {1'b0}};
      end
      default: begin
        fill_data <= {32'd0, fill_data[8*BEAT_BYTES-1:32]};
        fill_word <= fill_word + 1'b1;
        if (last_word) state <= IDLE;
      end
    endcase
    if (found && missed_beat == fill_beat) fresh <= 1'b0;
    if (state == WRITE && last_word) fresh <= 1'b1;
    if (flush) epoch <= epoch + 1'b1;
    if (rst || flush) fresh <= 1'b0;
    if (rst || (flush && (&epoch))) begin
      state <= CLEAR;
      epoch <= FIRST_EPOCH;
      fill_beat <= 0;
    end
  end

  assign retry_o = state == IDLE && !missed;
  assign request_valid_o = state == REQUEST;
  assign request_address_o = {fill_beat, {BEAT_LOG2{1'b0}}};
endmodule

`default_nettype wire
