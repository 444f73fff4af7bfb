// SPDX-License-Identifier: Apache-2.0
// Instruction fetch of a unit: a direct-mapped cache of memory rows in front of the memory port.
// One PC a cycle; the instruction (or a miss) comes 2 cycles later. A miss starts a fill when none runs; the slot waits and
// tries again when the fill is done (retry_o is level: whoever waits may try whenever no fill runs).
`default_nettype none

module fetch #(
    parameter ROW_BYTES = 32,  // bytes of a memory row, power of two, 16 to 128
    parameter ROW_LOG2 = 5,  // log2(ROW_BYTES)
    parameter CACHE_LOG2 = 13,  // log2 of the cache's bytes
    parameter GLOBAL_LOG2 = 28  // log2 of the bytes of global memory
) (
    input wire clk,
    input wire rst,
    input wire flush_i, // forget everything: code may have changed

    // PC in, stage f1; instruction out, stage de
    input  wire        f1_valid_i,
    input  wire [31:2] f1_pc_i,
    output reg  [31:0] de_instruction_o,
    output reg         de_miss_o,         // no instruction yet: wait for retry
    output reg         de_bad_o,          // PC outside global memory
    output wire        retry_o,           // no fill is running

    // memory port: reads of rows
    output wire                   request_valid_o,
    input  wire                   request_ready_i,
    output wire [GLOBAL_LOG2-1:0] request_address_o,
    input  wire                   response_valid_i,
    input  wire [8*ROW_BYTES-1:0] response_data_i
);
  localparam ROWS_LOG2 = CACHE_LOG2 - ROW_LOG2;
  localparam TAG_BITS = GLOBAL_LOG2 - CACHE_LOG2;
  localparam [1:0] IDLE = 2'd0, REQUEST = 2'd1, WAIT = 2'd2, WRITE = 2'd3;

  (* ram_style = "block" *) reg [31:0] words[0:(1<<(CACHE_LOG2-2))-1];
  reg [TAG_BITS-1:0] tags[0:(1<<ROWS_LOG2)-1];
  reg [(1<<ROWS_LOG2)-1:0] present;

  reg [1:0] state;
  reg [GLOBAL_LOG2-1:ROW_LOG2] fill_row;
  reg [ROW_LOG2-3:0] fill_word;
  reg [8*ROW_BYTES-1:0] fill_data;

  // f1 -> f2: look up.
  reg f2_valid, f2_present;
  reg [31:ROW_LOG2] f2_pc;
  reg [31:0] f2_instruction;
  reg [TAG_BITS-1:0] f2_tag;
  wire [ROWS_LOG2-1:0] f1_index = f1_pc_i[CACHE_LOG2-1:ROW_LOG2];
  always @(posedge clk) begin
    f2_instruction <= words[f1_pc_i[CACHE_LOG2-1:2]];
    f2_tag <= tags[f1_index];
    f2_present <= present[f1_index];
    f2_pc <= f1_pc_i[31:ROW_LOG2];
    f2_valid <= f1_valid_i;
  end

  // f2 -> de: compare. Page zero and what lies behind global memory hold no code.
  wire f2_bad = f2_pc[31:GLOBAL_LOG2] != 0 || f2_pc[GLOBAL_LOG2-1:12] == 0;
  wire f2_hit = f2_present && f2_tag == f2_pc[GLOBAL_LOG2-1:CACHE_LOG2];
  wire miss = f2_valid && !f2_bad && !f2_hit;
  always @(posedge clk) begin
    de_instruction_o <= f2_instruction;
    de_miss_o <= miss;
    de_bad_o <= f2_bad;
  end

  // Fill: one row, word by word into the cache; the tag goes in with the last word.
  wire [ROWS_LOG2-1:0] fill_index = fill_row[CACHE_LOG2-1:ROW_LOG2];
  wire last_word = &fill_word;
  always @(posedge clk) begin
    if (state == WRITE) words[{fill_index, fill_word}] <= fill_data[31:0];
    if (state == WRITE && last_word) tags[fill_index] <= fill_row[GLOBAL_LOG2-1:CACHE_LOG2];
    if (state == REQUEST) present[fill_index] <= 1'b0;
    if (state == WRITE && last_word) present[fill_index] <= 1'b1;
    case (state)
      IDLE:
      if (miss) begin
        state <= REQUEST;
        fill_row <= f2_pc[GLOBAL_LOG2-1:ROW_LOG2];
      end
      REQUEST: if (request_ready_i) state <= WAIT;
      WAIT:
      if (response_valid_i) begin
        state <= WRITE;
        fill_data <= response_data_i;
        fill_word <= {(ROW_LOG2 - 2) {1'b0}};
      end
      default: begin
        fill_data <= {32'd0, fill_data[8*ROW_BYTES-1:32]};
        fill_word <= fill_word + 1'b1;
        if (last_word) state <= IDLE;
      end
    endcase
    if (rst || flush_i) present <= {(1 << ROWS_LOG2) {1'b0}};
    if (rst) state <= IDLE;
  end

  assign retry_o = state == IDLE && !miss;
  assign request_valid_o = state == REQUEST;
  assign request_address_o = {fill_row, {ROW_LOG2{1'b0}}};
endmodule

`default_nettype wire
