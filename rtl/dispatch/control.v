// SPDX-License-Identifier: Apache-2.0
// The control registers of rtl/DEVICE.md: capability block, walker, figures, fault record. One access a cycle; read data
// comes the cycle after. Writes to the walker's registers count only while no dispatch runs.
`default_nettype none

module control #(
    parameter LANES = 8,
    parameter SLOTS = 32,
    parameter UNITS = 1,
    parameter BANKS = 1,  // channels of external memory
    parameter LOCAL_LOG2 = 15,
    parameter GLOBAL_LOG2 = 28,
    parameter CACHE_LOG2 = 16,
    parameter LINE_BYTES = 64,
    parameter CLOCK_KHZ = 100000,
    parameter MUL = 1,  // what the ISA string is made of
    parameter DIV = 1,
    parameter FPU = 1,
    parameter BITMANIP = 1,
    parameter ATOMIC = 1
) (
    input wire clk,
    input wire rst,

    // host link
    input  wire        valid_i,
    input  wire        write_i,
    input  wire [11:2] address_i,
    input  wire [31:0] data_i,
    output reg  [31:0] data_o,
    output wire        busy_o,     // STATUS: a dispatch runs, or its figures still change

    // external memory, for the capability block
    input wire [15:0] memory_latency_i,
    input wire [15:0] memory_interval_i,

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

    // figures: what happened in this cycle, in each unit or bank of the cache
    input  wire [       63:0] cycles_i,
    input  wire [  UNITS-1:0] group_done_i,
    input  wire [  UNITS-1:0] issued_i,
    input  wire [UNITS*6-1:0] active_i,            // lanes of what was issued
    input  wire [  BANKS-1:0] external_request_i,
    input  wire [  UNITS-1:0] memory_wait_i,
    input  wire [  UNITS-1:0] conflict_i,
    input  wire [  UNITS-1:0] cache_request_i,
    input  wire [  BANKS-1:0] cache_miss_i,
    output reg  [       63:0] clock_o,

    // the fault record, its first word lowest; the walker's own reason, if that is not 0
    input wire [  3:0] own_reason_i,
    input wire [255:0] record_i
);
  // ASCII; a part that is left out is zeros, which are skipped below.
  localparam [511:0] ISA = {
    248'd0,
    "rv32i",
    MUL != 0 && DIV != 0 ? "m" : 8'd0,
    ATOMIC != 0 ? "a" : 8'd0,
    "_zicsr",
    MUL != 0 && DIV == 0 ? "_zmmul" : 48'd0,
    FPU != 0 ? "_zfinx" : 48'd0,
    BITMANIP != 0 ? "_zba_zbb" : 64'd0
  };
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
  localparam [31:0] LANES_W = LANES, SLOTS_W = SLOTS, UNITS_W = UNITS, BANKS_W = BANKS;
  localparam [31:0] LINE_W = LINE_BYTES, CLOCK_W = CLOCK_KHZ;

  // Walker registers 0x108 to 0x148, as words from 0; written only.
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

  // A dispatch is over for the host when its figures stand.
  localparam [4:0] SETTLE = 5'd20;
  reg [4:0] settling;
  assign busy_o = busy_i || settling != 0;
  always @(posedge clk) begin
    start_o <= valid_i && write_i && is_command && data_i == 32'd1 && !busy_o && !start_o;
    stop_o  <= valid_i && write_i && is_command && data_i == 32'd2;
    if (valid_i && write_i && is_word && !busy_o && !start_o) words[index[4:0]] <= data_i;
    settling <= busy_i ? SETTLE : settling == 0 ? 5'd0 : settling - 5'd1;
    clock_o  <= clock_o + 64'd1;
    if (rst) begin
      {start_o, stop_o} <= 2'b00;
      settling <= 5'd0;
      clock_o <= 64'd0;
    end
  end

  // Figures (2 is the active lanes), by the number of their register pair from 0x180; the last two take the places of the cycles and the clock.
  localparam [2:0] MISSES = 3'd0, ISSUED = 3'd1, GROUPS = 3'd3, ROWS = 3'd4, EXTERNAL = 3'd5,
                   WAIT = 3'd6, CONFLICT = 3'd7;
  localparam MOST = UNITS > BANKS ? UNITS : BANKS;
  localparam COUNT_BITS = $clog2(MOST + 1), LANES_BITS = 6 + $clog2(UNITS);
  function [COUNT_BITS-1:0] of_units(input [UNITS-1:0] pulses);
    integer n;
    begin
      of_units = {COUNT_BITS{1'b0}};
      for (n = 0; n < UNITS; n = n + 1) if (pulses[n]) of_units = of_units + 1'b1;
    end
  endfunction
  function [COUNT_BITS-1:0] of_banks(input [BANKS-1:0] pulses);
    integer n;
    begin
      of_banks = {COUNT_BITS{1'b0}};
      for (n = 0; n < BANKS; n = n + 1) if (pulses[n]) of_banks = of_banks + 1'b1;
    end
  endfunction
  reg [8*COUNT_BITS-1:0] happened;
  reg [LANES_BITS-1:0] active, lanes;
  integer unit;
  always @* begin
    happened = {8 * COUNT_BITS{1'b0}};
    happened[MISSES*COUNT_BITS+:COUNT_BITS] = of_banks(cache_miss_i);
    happened[ISSUED*COUNT_BITS+:COUNT_BITS] = of_units(issued_i);
    happened[GROUPS*COUNT_BITS+:COUNT_BITS] = of_units(group_done_i);
    happened[ROWS*COUNT_BITS+:COUNT_BITS] = of_units(cache_request_i);
    happened[EXTERNAL*COUNT_BITS+:COUNT_BITS] = of_banks(external_request_i);
    happened[WAIT*COUNT_BITS+:COUNT_BITS] = of_units(memory_wait_i);
    happened[CONFLICT*COUNT_BITS+:COUNT_BITS] = of_units(conflict_i);
    active = {LANES_BITS{1'b0}};
    lanes = {LANES_BITS{1'b0}};
    for (unit = 0; unit < UNITS; unit = unit + 1) begin
      lanes[5:0] = active_i[unit*6+:6];
      if (issued_i[unit]) active = active + lanes;
    end
  end
  wire is_miss = address_i[6] && address_i[5] && address_i[3];
  wire [31:0] figure;
  figures #(
      .COUNT_BITS (COUNT_BITS),
      .AMOUNT_BITS(LANES_BITS)
  ) figures (
      .clk(clk),
      .rst(rst),
      .start_i(start_o),
      .counts_i(happened),
      .amount_i(active),
      .address_i({is_miss ? MISSES : address_i[5:3], address_i[2]}),
      .word_o(figure)
  );

  // The capability block, the fault record, and what is read of them all.
  reg [31:0] capability, record, word;
  always @* begin
    case (address_i[6:2])
      5'h00:   capability = 32'h4C444448;
      5'h01:   capability = 32'd1;
      5'h02:   capability = LANES_W;
      5'h03:   capability = SLOTS_W;
      5'h04:   capability = UNITS_W;
      5'h05:   capability = 32'd1 << LOCAL_LOG2;
      5'h06:   capability = 32'd1 << GLOBAL_LOG2;
      5'h07:   capability = LINE_W;
      5'h08:   capability = CLOCK_W;
      5'h09:   capability = {16'd0, memory_latency_i};
      5'h0A:   capability = {16'd0, memory_interval_i};
      5'h0C:   capability = 32'd1 << CACHE_LOG2;
      5'h0D:   capability = BANKS_W;
      default: capability = address_i[6] ? ISA_WORDS[{address_i[5:2], 5'd0}+:32] : 32'd0;
    endcase
    record = record_i[{address_i[4:2], 5'd0}+:32];
    if (own_reason_i != 4'd0) record = address_i[4:2] == 3'h0 ? {28'd0, own_reason_i} : 32'd0;
    case (address_i[6:2])
      5'h00: word = cycles_i[31:0];
      5'h01: word = cycles_i[63:32];
      5'h08: word = clock_o[31:0];
      5'h09: word = clock_o[63:32];
      5'h10, 5'h11, 5'h12, 5'h13, 5'h14, 5'h15, 5'h16, 5'h17: word = record;
      default: word = address_i[6:2] >= 5'h1C ? 32'd0 : figure;
    endcase
  end
  always @(posedge clk)
    case (address_i[11:7])
      5'h00:   data_o <= capability;
      5'h02:   data_o <= address_i[6:2] == 5'h01 ? {30'd0, fault_i, busy_o || start_o} : 32'd0;
      5'h03:   data_o <= word;
      default: data_o <= 32'd0;
    endcase
endmodule

`default_nettype wire
