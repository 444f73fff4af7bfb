// SPDX-License-Identifier: Apache-2.0
// The control registers of rtl/DEVICE.md: capability block, walker, figures, fault record. One access a cycle; read data
// comes the cycle after. Writes to the walker's registers count only while no dispatch runs.
`default_nettype none

module control #(
    parameter LANES = 8,
    parameter SLOTS = 32,
    parameter UNITS = 1,
    parameter LOCAL_LOG2 = 15,
    parameter GLOBAL_LOG2 = 28,
    parameter LINE_BYTES = 64,
    parameter CLOCK_KHZ = 100000,
    parameter MEMORY_LATENCY = 0,  // cycles; 0: not known
    parameter MEMORY_INTERVAL = 0,  // cycles between lines; 0: not known
    parameter [511:0] ISA = "rv32im_zicsr"  // ASCII, the last letter in the lowest byte
) (
    input wire clk,
    input wire rst,

    // host link
    input  wire        valid_i,
    input  wire        write_i,
    input  wire [11:2] address_i,
    input  wire [31:0] data_i,
    output reg  [31:0] data_o,

    // the dispatch
    output reg                    start_o,
    output reg                    stop_o,
    input  wire                   busy_i,
    input  wire                   fault_i,
    output wire [           31:2] entry_o,
    output wire [           31:0] packet_o,
    output wire [           95:0] global_size_o,
    output wire [           95:0] global_offset_o,
    output wire [           95:0] local_size_o,
    output wire [           31:0] sub_group_log2_o,
    output wire [           31:0] local_bytes_o,
    output wire [GLOBAL_LOG2-1:0] private_base_o,
    output wire [           31:0] private_log2_o,
    output wire [           63:0] budget_o,

    // figures: what happened in this cycle
    input  wire [63:0] cycles_i,
    input  wire [63:0] groups_done_i,
    input  wire        issued_i,
    input  wire [ 5:0] active_i,
    input  wire        request_i,
    output reg  [63:0] clock_o,

    // the fault record
    input wire [ 3:0] reason_i,
    input wire [31:0] pc_i,
    input wire [31:0] fault_address_i,
    input wire [95:0] group_i,
    input wire [31:0] sub_group_i,
    input wire [31:0] lane_i
);
  // The ISA string with its first letter in the lowest byte.
  function [511:0] first_letter_first(input [511:0] text);
    integer from, to;
    begin
      first_letter_first = 512'd0;
      to = 0;
      for (from = 63; from >= 0; from = from - 1)
      if (text[from*8+:8] != 8'd0) begin
        first_letter_first[to*8+:8] = text[from*8+:8];
        to = to + 1;
      end
    end
  endfunction
  localparam [511:0] ISA_WORDS = first_letter_first(ISA);
  localparam [31:0] LANES_W = LANES, SLOTS_W = SLOTS, UNITS_W = UNITS, LINE_W = LINE_BYTES, CLOCK_W = CLOCK_KHZ,
                    LATENCY_W = MEMORY_LATENCY, INTERVAL_W = MEMORY_INTERVAL;

  // Walker registers 0x108 to 0x148, as words from 0.
  localparam FIRST = 10'h042, WORDS = 17;
  reg [31:0] words[0:WORDS-1];
  assign entry_o = words[0][31:2];
  assign packet_o = words[1];
  assign global_size_o = {words[4], words[3], words[2]};
  assign global_offset_o = {words[7], words[6], words[5]};
  assign local_size_o = {words[10], words[9], words[8]};
  assign sub_group_log2_o = words[11];
  assign local_bytes_o = words[12];
  assign private_base_o = words[13][GLOBAL_LOG2-1:0];
  assign private_log2_o = words[14];
  assign budget_o = {words[16], words[15]};

  wire [9:0] index = address_i - FIRST;
  wire is_word = address_i >= FIRST && index < WORDS;
  wire is_command = address_i == 10'h040;
  reg [63:0] issues, active, requests;

  always @(posedge clk) begin
    start_o <= valid_i && write_i && is_command && data_i == 32'd1 && !busy_i && !start_o;
    stop_o  <= valid_i && write_i && is_command && data_i == 32'd2;
    if (valid_i && write_i && is_word && !busy_i && !start_o) words[index[4:0]] <= data_i;

    clock_o <= clock_o + 64'd1;
    if (start_o) {issues, active, requests} <= 192'd0;
    else begin
      issues   <= issues + {63'd0, issued_i};
      active   <= active + {58'd0, issued_i ? active_i : 6'd0};
      requests <= requests + {63'd0, request_i};
    end

    case (address_i)
      10'h000: data_o <= 32'h4C444448;
      10'h001: data_o <= 32'd1;
      10'h002: data_o <= LANES_W;
      10'h003: data_o <= SLOTS_W;
      10'h004: data_o <= UNITS_W;
      10'h005: data_o <= 32'd1 << LOCAL_LOG2;
      10'h006: data_o <= 32'd1 << GLOBAL_LOG2;
      10'h007: data_o <= LINE_W;
      10'h008: data_o <= CLOCK_W;
      10'h009: data_o <= LATENCY_W;
      10'h00A: data_o <= INTERVAL_W;
      10'h041: data_o <= {30'd0, fault_i, busy_i || start_o};
      10'h060: data_o <= cycles_i[31:0];
      10'h061: data_o <= cycles_i[63:32];
      10'h062: data_o <= issues[31:0];
      10'h063: data_o <= issues[63:32];
      10'h064: data_o <= active[31:0];
      10'h065: data_o <= active[63:32];
      10'h066: data_o <= groups_done_i[31:0];
      10'h067: data_o <= groups_done_i[63:32];
      10'h068: data_o <= clock_o[31:0];
      10'h069: data_o <= clock_o[63:32];
      10'h06A: data_o <= requests[31:0];
      10'h06B: data_o <= requests[63:32];
      10'h070: data_o <= {28'd0, reason_i};
      10'h071: data_o <= pc_i;
      10'h072: data_o <= fault_address_i;
      10'h073: data_o <= group_i[31:0];
      10'h074: data_o <= group_i[63:32];
      10'h075: data_o <= group_i[95:64];
      10'h076: data_o <= sub_group_i;
      10'h077: data_o <= lane_i;
      default:
      data_o <= address_i[11:6] == 6'd1 ? ISA_WORDS[{address_i[5:2], 5'd0}+:32] : is_word ? words[index[4:0]] : 32'd0;
    endcase

    if (rst) begin
      {start_o, stop_o} <= 2'b00;
      clock_o <= 64'd0;
    end
  end
endmodule

`default_nettype wire
