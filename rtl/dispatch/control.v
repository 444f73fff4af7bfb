// SPDX-License-Identifier: Apache-2.0
// The control registers of contract/DEVICE.md: capability block, dispatches, performance counters, fault record,
// command processor. One access a cycle; read data comes the cycle after. What a command changes can be read two cycles
// after it.
`include "rtl/shape.vh"
`default_nettype none

module control #(
    parameter LANES = 8,
    parameter SLOTS = 32,
    parameter UNITS = 1,  // of all kinds
    parameter PROGRAMMABLE = 1,  // how many of them are programmable
    parameter KINDS = 1,  // kinds of compute unit
    parameter [KINDS*`HEDDLE_KIND_BITS-1:0] TABLE = 0,  // 16 words for each of them
    parameter BANKS = 1,  // channels of external memory
    parameter LOCAL_LOG2 = 15,
    parameter GLOBAL_LOG2 = 28,
    parameter CACHE_LOG2 = 16,
    parameter LINE_BYTES = 64,
    parameter CLOCK_KHZ = 100000,
    parameter MUL = 1,  // these make the ISA string
    parameter DIV = 1,
    parameter FPU = 1,
    parameter BITMANIP = 1,
    parameter ATOMIC = 1,
    parameter PROCESSOR = 0,  // 1: there is a command processor
    parameter PAGES_LOG2 = 0,  // as in heddle.v
    parameter FIRST_LOG2 = 12  // log2 of the first address of global memory
) (
    input wire clk,
    input wire rst,

    // host link and command processor
    input  wire        valid_i,
    input  wire        by_processor_i,
    input  wire        write_i,
    input  wire [11:2] address_i,
    input  wire [31:0] data_i,
    output wire [31:0] data_o,

    // external memory, for the capability block
    input wire [15:0] memory_latency_i,
    input wire [15:0] memory_interval_i,

    // commands to the dispatcher, in the cycle after the access; its state
    output reg         start_o,
    output reg         stop_o,
    output reg         go_on_o,
    output reg         forget_o,
    output reg  [31:7] dispatch_o,
    output wire        rights_write_o,   // with the access: what is written is for rights_setter.v
    input  wire        rights_busy_i,
    input  wire        begin_i,          // pulse: a dispatch begins
    input  wire        busy_i,           // a dispatch runs, or its counters still change
    input  wire        waits_i,
    input  wire        memory_failed_i,  // external memory failed while no dispatch ran
    input  wire        fault_i,
    input  wire        counting_i,       // events still belong to the last dispatch
    input  wire [31:0] ended_i,

    // the command processor
    output wire        processor_start_o,
    output wire        commands_o,          // some commands have not ended
    input  wire        processor_reset_i,
    input  wire        processor_runs_i,
    input  wire        processor_fault_i,
    input  wire [ 3:0] processor_reason_i,
    input  wire [31:0] processor_pc_i,

    // for the performance counters: events in this cycle, in each unit or bank of the cache
    input  wire [       63:0] cycles_i,
    input  wire [  UNITS-1:0] group_done_i,
    input  wire [  UNITS-1:0] issued_i,
    input  wire [UNITS*6-1:0] active_i,            // lanes of the instruction that was issued
    input  wire [  BANKS-1:0] external_request_i,
    input  wire [  UNITS-1:0] memory_wait_i,
    input  wire [  UNITS-1:0] conflict_i,
    input  wire [  UNITS-1:0] cache_request_i,
    input  wire [  BANKS-1:0] cache_miss_i,
    output reg  [       63:0] clock_o,

    // the fault record, its first word lowest; if own_reason_i is not 0, the walker found the fault
    input wire [  3:0] own_reason_i,
    input wire [255:0] record_i
);
  // ASCII. A part that is left out is zeros, which are skipped below.
  localparam [511:0] ISA = {
    192'd0,
    "rv32i",
    MUL != 0 && DIV != 0 ? "m" : 8'd0,
    ATOMIC != 0 ? "a" : 8'd0,
    "_zicsr",
    MUL != 0 && DIV == 0 ? "_zmmul" : 48'd0,
    FPU != 0 ? "_zfinx" : 48'd0,
    BITMANIP != 0 ? "_zba_zbb_xindex" : 120'd0
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
  localparam [31:0] LANES_W = LANES, SLOTS_W = SLOTS, UNITS_W = PROGRAMMABLE, KINDS_W = KINDS, BANKS_W = BANKS;
  localparam [31:0] PAGE_LOG2 = PAGES_LOG2 != 0 ? `HEDDLE_PAGE_LOG2(GLOBAL_LOG2, PAGES_LOG2) : 0;
  localparam [31:0] LINE_W = LINE_BYTES, CLOCK_W = CLOCK_KHZ;

  // Commands, the address of the dispatch to start, and the ends of the ring.
  wire [31:0] offset = {20'd0, address_i, 2'b00}, in_block = {27'd0, address_i[4:2], 2'd0};
  wire write = valid_i && write_i;
  assign rights_write_o = write && offset == `HEDDLE_REG_RIGHTS;
  wire is_command = write && offset == `HEDDLE_REG_COMMAND;
  reg [31:0] tail, head, settled;
  assign processor_start_o =
      PROCESSOR != 0 && write && offset == `HEDDLE_REG_PROCESSOR && data_i == `HEDDLE_PROCESSOR_START;
  assign commands_o = processor_runs_i && tail != settled;
  always @(posedge clk) begin
    start_o  <= is_command && data_i == `HEDDLE_COMMAND_START && !rst;
    stop_o   <= is_command && data_i == `HEDDLE_COMMAND_STOP && !rst;
    go_on_o  <= is_command && data_i == `HEDDLE_COMMAND_GO_ON && !rst;
    forget_o <= is_command && data_i == `HEDDLE_COMMAND_FORGET && !rst;
    if (write && offset == `HEDDLE_REG_DISPATCH) dispatch_o <= data_i[31:7];
    clock_o <= clock_o + 64'd1;
    if (write && offset == `HEDDLE_REG_TAIL && !by_processor_i && processor_runs_i) tail <= data_i;
    if (write && offset == `HEDDLE_REG_HEAD && by_processor_i) head <= data_i;
    if (write && offset == `HEDDLE_REG_SETTLED && by_processor_i) settled <= data_i;
    if (rst || processor_start_o) tail <= 32'd0;
    if (rst || processor_reset_i) {head, settled} <= 64'd0;
    if (rst) clock_o <= 64'd0;
  end

  // The clock at the start of the current or last dispatch, and of the one before; the cycles of the one before.
  reg [63:0] started, started_before, cycles_before;
  always @(posedge clk)
    if (begin_i) begin
      started <= clock_o;
      started_before <= started;
      cycles_before <= cycles_i;
    end

  // Performance counters, by the number of their register pair from 0x180; counter 2 is the active lanes. The cycles
  // and the clock have pairs there, too, but are not counted here. Counters of the dispatch before are 0x80 further.
  localparam [2:0] MISSES = 3'd0, ISSUED = 3'd1, GROUPS = 3'd3, CACHE_REQUESTS = 3'd4, EXTERNAL = 3'd5,
                   WAIT = 3'd6, CONFLICT = 3'd7;
  localparam MOST_SOURCES = UNITS > BANKS ? UNITS : BANKS;
  localparam COUNT_BITS = $clog2(MOST_SOURCES + 1), LANES_BITS = 6 + $clog2(UNITS);
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
  reg [8*COUNT_BITS-1:0] events;
  reg [LANES_BITS-1:0] active, lanes;
  integer unit;
  always @* begin
    events = {8 * COUNT_BITS{1'b0}};
    events[MISSES*COUNT_BITS+:COUNT_BITS] = of_banks(cache_miss_i & {BANKS{counting_i}});
    events[ISSUED*COUNT_BITS+:COUNT_BITS] = of_units(issued_i);
    events[GROUPS*COUNT_BITS+:COUNT_BITS] = of_units(group_done_i);
    events[CACHE_REQUESTS*COUNT_BITS+:COUNT_BITS] = of_units(cache_request_i);
    events[EXTERNAL*COUNT_BITS+:COUNT_BITS] = of_banks(external_request_i & {BANKS{counting_i}});
    events[WAIT*COUNT_BITS+:COUNT_BITS] = of_units(memory_wait_i);
    events[CONFLICT*COUNT_BITS+:COUNT_BITS] = of_units(conflict_i);
    active = {LANES_BITS{1'b0}};
    lanes = {LANES_BITS{1'b0}};
    for (unit = 0; unit < UNITS; unit = unit + 1) begin
      lanes[5:0] = active_i[unit*6+:6];
      if (issued_i[unit]) active = active + lanes;
    end
  end
  wire is_miss = address_i[6] && address_i[5] && address_i[3];
  wire previous = address_i[9];
  wire [31:0] counter;
  performance_counters #(
      .COUNT_BITS (COUNT_BITS),
      .AMOUNT_BITS(LANES_BITS)
  ) performance_counters (
      .clk(clk),
      .rst(rst),
      .start_i(begin_i),
      .events_i(events),
      .amount_i(active),
      .address_i({previous, is_miss ? MISSES : address_i[5:3], address_i[2]}),
      .word_o(counter)
  );

  // What is read. Each group of registers has an output register of its own, 0 when another group is read, because they
  // are far apart on a chip.
  reg [31:0] capability, kinds, record, times, walker, processor;
  reg is_time, is_record;
  integer kind;
  always @* begin
    case ({
      25'd0, address_i[6:2], 2'd0
    })
      `HEDDLE_REG_MAGIC: capability = `HEDDLE_MAGIC;
      `HEDDLE_REG_VERSION: capability = `HEDDLE_CONTRACT_VERSION;
      `HEDDLE_REG_LANES: capability = LANES_W;
      `HEDDLE_REG_SLOTS: capability = SLOTS_W;
      `HEDDLE_REG_UNITS: capability = UNITS_W;
      `HEDDLE_REG_LOCAL_MEMORY_BYTES: capability = 32'd1 << LOCAL_LOG2;
      `HEDDLE_REG_GLOBAL_BYTES: capability = 32'd1 << GLOBAL_LOG2;
      `HEDDLE_REG_LINE_BYTES: capability = LINE_W;
      `HEDDLE_REG_CLOCK_KHZ: capability = CLOCK_W;
      `HEDDLE_REG_MEMORY_LATENCY: capability = {16'd0, memory_latency_i};
      `HEDDLE_REG_MEMORY_INTERVAL: capability = {16'd0, memory_interval_i};
      `HEDDLE_REG_FEATURES:
      capability = (`HEDDLE_VERSION_NUMBER << `HEDDLE_FEATURE_VERSION_SHIFT) |
                   (PAGE_LOG2 << `HEDDLE_FEATURE_PAGE_LOG2_SHIFT) | {31'd0, PROCESSOR != 0};
      `HEDDLE_REG_CACHE_BYTES: capability = 32'd1 << CACHE_LOG2;
      `HEDDLE_REG_MEMORY_CHANNELS: capability = BANKS_W;
      `HEDDLE_REG_FIRST_GLOBAL: capability = 32'd1 << FIRST_LOG2;
      `HEDDLE_REG_KINDS: capability = KINDS_W;
      default: capability = address_i[6] ? ISA_WORDS[{address_i[5:2], 5'd0}+:32] : 32'd0;
    endcase
    kinds = 32'd0;
    for (kind = 0; kind < KINDS; kind = kind + 1)
    if (address_i[9:6] == kind[3:0]) kinds = TABLE[kind*`HEDDLE_KIND_BITS+{23'd0, address_i[5:2], 5'd0}+:32];
    record = record_i[{address_i[4:2], 5'd0}+:32];
    if (own_reason_i != 4'd0) record = address_i[4:2] == 3'h0 ? {28'd0, own_reason_i} : 32'd0;
    is_record = address_i[6:5] == 2'd2;
    is_time   = address_i[6:3] == 4'h0 || address_i[6:3] == 4'h4 || address_i[6:4] == 3'h7;
    case (`HEDDLE_REG_CYCLES | {25'd0, address_i[6:2], 2'd0})
      `HEDDLE_REG_CYCLES: times = previous ? cycles_before[31:0] : cycles_i[31:0];
      `HEDDLE_REG_CYCLES + 4: times = previous ? cycles_before[63:32] : cycles_i[63:32];
      `HEDDLE_REG_CLOCK: times = previous ? 32'd0 : clock_o[31:0];
      `HEDDLE_REG_CLOCK + 4: times = previous ? 32'd0 : clock_o[63:32];
      `HEDDLE_REG_START: times = previous ? started_before[31:0] : started[31:0];
      `HEDDLE_REG_START + 4: times = previous ? started_before[63:32] : started[63:32];
      default: times = 32'd0;
    endcase
    case (`HEDDLE_REG_COMMAND | in_block)
      `HEDDLE_REG_STATUS: walker = {28'd0, memory_failed_i, waits_i, fault_i, busy_i};
      `HEDDLE_REG_ENDED: walker = ended_i;
      `HEDDLE_REG_RIGHTS: walker = {31'd0, rights_busy_i};
      default: walker = 32'd0;
    endcase
    case (`HEDDLE_REG_PROCESSOR | in_block)
      `HEDDLE_REG_PROCESSOR_STATUS: processor = {30'd0, processor_fault_i, processor_runs_i};
      `HEDDLE_REG_TAIL: processor = tail;
      `HEDDLE_REG_HEAD: processor = head;
      `HEDDLE_REG_PROCESSOR_FAULT_REASON: processor = {28'd0, processor_reason_i};
      `HEDDLE_REG_PROCESSOR_FAULT_PC: processor = processor_pc_i;
      `HEDDLE_REG_SETTLED: processor = settled;
      default: processor = 32'd0;
    endcase
  end
  wire is_counters = address_i[11:7] == 5'h03 || address_i[11:7] == 5'h04;
  reg [31:0] capability_read, kinds_read, walker_read, times_read, record_read, counter_read, processor_read;
  always @(posedge clk) begin
    capability_read <= address_i[11:7] == 5'h00 ? capability : 32'd0;
    kinds_read <= address_i[11:10] == 2'b01 ? kinds : 32'd0;
    walker_read <= address_i[11:5] == 7'h08 ? walker : 32'd0;
    times_read <= is_counters && is_time ? times : 32'd0;
    record_read <= is_counters && is_record && !previous ? record : 32'd0;
    counter_read <= is_counters && !is_time && !is_record ? counter : 32'd0;
    processor_read <= PROCESSOR != 0 && address_i[11:5] == 7'h18 ? processor : 32'd0;
  end
  assign data_o = capability_read | kinds_read | walker_read | times_read | record_read | counter_read | processor_read;
endmodule

`default_nettype wire
