// SPDX-License-Identifier: Apache-2.0
// The device: compute units, cache, dispatch, command processor, control registers; external memory and the host link come in from the
// board or the simulation. These parameters are the one home of the device's configuration: software reads them from the capability block.
`include "rtl/shape.vh"
`default_nettype none

module heddle #(
    parameter LANES = 8,  // of a programmable unit, its largest sub-group, words of a row: power of two, 1 to 32
    parameter SLOTS = 32,  // resident sub-groups of a programmable unit: power of two, 4 to 64
    parameter UNITS = `HEDDLE_UNITS,  // programmable units, 0 to 8; 0 only if there are units of another kind
    parameter KINDS = `HEDDLE_KINDS,  // kinds of compute unit: the programmable one and KINDS - 1 others, 1 to 16
    // The table of kinds, 16 words for each kind as software reads them (contract/DEVICE.md). Entry 0 is made from the parameters
    // here. 1 to 15 units in all.
    parameter [KINDS*`HEDDLE_KIND_BITS-1:0] KIND_TABLE = `HEDDLE_KIND_TABLE,
    parameter KIND_LABEL_BITS = `HEDDLE_KIND_LABEL_BITS,  // bits of a label that units of other kinds need
    parameter BANKS = 1,  // of the device cache, each with a channel of external memory: power of two, 1 to 8
    parameter GLOBAL_LOG2 = 28,  // log2 of the bytes of global memory, 16 to 31
    parameter LOCAL_LOG2 = 15,  // log2 of the bytes of a unit's local memory, 10 to 20
    parameter FETCH_CACHE_LOG2 = 13,  // log2 of the bytes of a unit's instruction cache, below GLOBAL_LOG2
    parameter CACHE_LOG2 = 16,  // log2 of the bytes of the device cache; of each bank 12 to 18, below GLOBAL_LOG2
    parameter MUL = 1,  // 1: with the multiplications of the M extension (without DIV: Zmmul)
    parameter DIV = 1,  // 1: with its divisions; needs MUL
    parameter FPU = 1,  // 1: with Zfinx; needs DIV
    parameter BITMANIP = 1,  // 1: with Zba and Zbb
    parameter ATOMIC = 1,  // 1: with the A extension
    parameter PROCESSOR = 0,  // 1: with the command processor; GLOBAL_LOG2 is then 30 at most
    parameter COMPACT = 0,  // 1: for a small chip and a slow clock: fewer registers, without FPU fewer stages (README)
    parameter CLOCK_KHZ = 100000,  // frequency of clk
    parameter ROW_BYTES = 1 << `HEDDLE_ROW_LOG2(LANES)  // derived: bytes of a memory row, a word for every lane
) (
    input wire clk,
    input wire rst,

    // control registers (offset from 0xF000_0000); read data the cycle after
    input  wire        control_valid_i,
    input  wire        control_write_i,
    input  wire [11:2] control_address_i,
    input  wire [31:0] control_data_i,
    output wire [31:0] control_data_o,
    output wire        busy_o,             // a dispatch runs, commands wait, or external memory is not up to date
    output reg         ready_o,            // it has been reset; until then requests and commands are not to be given

    // the host's way to global memory: rows, loads and stores in their order; answers to loads, which must be taken at once. What the
    // host writes is there for what it tells control registers once the link is quiet.
    input  wire                   link_valid_i,
    output wire                   link_ready_o,
    input  wire                   link_store_i,
    input  wire [GLOBAL_LOG2-1:0] link_address_i,
    input  wire [8*ROW_BYTES-1:0] link_data_i,
    input  wire [  ROW_BYTES-1:0] link_strobe_i,
    output wire                   link_quiet_o,        // all of it has been taken by the cache
    output wire                   link_answer_o,
    output wire [8*ROW_BYTES-1:0] link_answer_data_o,
    input  wire                   forget_i,            // external memory was written past the cache, while busy_o was 0

    // external memory, by channel: lines read, rows written, served in order. A line is LINE_BYTES, 64 or a row if that is more; it
    // comes as its rows, lowest first, and the lines come in the order of their requests.
    input wire [15:0] memory_latency_i,  // what the capability block says of it: cycles to the first row
    input wire [15:0] memory_interval_i,  // cycles from line to line; 0: not known, for both
    input wire [BANKS-1:0] memory_error_i,  // an access failed: a row given now is wrong, or one written before is lost
    output wire [BANKS-1:0] request_valid_o,
    input wire [BANKS-1:0] request_ready_i,
    output wire [BANKS-1:0] request_store_o,
    output wire [BANKS*GLOBAL_LOG2-1:0] request_address_o,
    output wire [BANKS*8*ROW_BYTES-1:0] request_data_o,
    output wire [BANKS*ROW_BYTES-1:0] request_strobe_o,
    input wire [BANKS-1:0] response_valid_i,
    output wire [BANKS-1:0] response_ready_o,
    input wire [BANKS*8*ROW_BYTES-1:0] response_data_i
);
  localparam ROW_LOG2 = `HEDDLE_ROW_LOG2(LANES), LINE_LOG2 = `HEDDLE_LINE_LOG2(ROW_LOG2);
  localparam FIRST_LOG2 = PROCESSOR != 0 ? 15 : 12;  // below it is what is the command processor's

  // The kinds of compute unit. Units are numbered through: those of kind 0 first, then those of kind 1, and so on.
  localparam KIND_BITS = `HEDDLE_KIND_BITS, TYPE_WORD = `HEDDLE_KIND_TYPE, UNITS_WORD = `HEDDLE_KIND_UNITS,
             LANES_WORD = `HEDDLE_KIND_LANES, SLOTS_WORD = `HEDDLE_KIND_SLOTS;
  localparam [31:0] OWN_UNITS = UNITS, OWN_LANES = LANES, OWN_SLOTS = SLOTS, OWN_ITEMS = LANES * SLOTS,
                    OWN_LOCAL = 1 << LOCAL_LOG2, OWN_TYPE = `HEDDLE_KIND_IS_PROGRAMMABLE;
  localparam [KINDS*KIND_BITS-1:0] TABLE = ((KIND_TABLE >> KIND_BITS) << KIND_BITS) |
      {{(KINDS * KIND_BITS - 192) {1'b0}}, OWN_LOCAL, OWN_ITEMS, OWN_SLOTS, OWN_LANES, OWN_UNITS, OWN_TYPE};
  // A word of a kind's entry.
  function integer kind_word(input integer kind, input integer word);
    kind_word = TABLE[kind*KIND_BITS+32*word+:32];
  endfunction
  // The number of the first unit of a kind; of kind KINDS: how many units there are.
  function integer first_unit(input integer kind);
    integer k;
    begin
      first_unit = 0;
      for (k = 0; k < kind; k = k + 1) first_unit = first_unit + kind_word(k, UNITS_WORD);
    end
  endfunction
  function integer kind_of(input integer unit);
    integer k;
    begin
      kind_of = 0;
      for (k = 0; k < KINDS; k = k + 1) if (unit >= first_unit(k) && kind_word(k, UNITS_WORD) != 0) kind_of = k;
    end
  endfunction
  function integer most_slots(input integer unused);
    integer k;
    begin
      most_slots = 2;
      for (k = 0; k < KINDS; k = k + 1)
      if (kind_word(k, UNITS_WORD) != 0 && kind_word(k, SLOTS_WORD) > most_slots) most_slots = kind_word(k, SLOTS_WORD);
    end
  endfunction
  function integer larger(input integer a, input integer b);
    larger = a > b ? a : b;
  endfunction
  localparam ALL = first_unit(KINDS);  // units of all kinds
  localparam OWNER_BITS = $clog2(most_slots(0));
  localparam UNIT_LABEL_BITS = `HEDDLE_UNIT_LABEL_BITS(LANES, SLOTS, ROW_LOG2);
  localparam PROCESSOR_LABEL_BITS = `HEDDLE_PROCESSOR_LABEL_BITS(ROW_LOG2);
  localparam LABEL_BITS = larger(
      KIND_LABEL_BITS, larger(UNITS != 0 ? UNIT_LABEL_BITS : 1, PROCESSOR != 0 ? PROCESSOR_LABEL_BITS : 1)
  );
  shape_check #(
      .LANES(LANES),
      .SLOTS(SLOTS),
      .UNITS(UNITS),
      .ALL_UNITS(ALL),
      .KINDS(KINDS),
      .BANKS(BANKS),
      .GLOBAL_LOG2(GLOBAL_LOG2),
      .LOCAL_LOG2(LOCAL_LOG2),
      .FETCH_CACHE_LOG2(FETCH_CACHE_LOG2),
      .CACHE_LOG2(CACHE_LOG2),
      .MUL(MUL),
      .DIV(DIV),
      .FPU(FPU),
      .PROCESSOR(PROCESSOR)
  ) shape_check ();

  reg memory_error, memory_failed;  // external memory failed: pulse; while no dispatch ran
  wire hold, drop;  // what the cache has may be wrong: others' requests wait; it forgets
  wire dispatch_runs;
  wire start, stop, go_on, forget;
  wire dispatch_begins, dispatch_busy, dispatch_waits, dispatch_fault, dispatch_counts;
  wire [31:7] dispatch;
  wire [31:0] ended;
  wire [31:2] entry;
  wire [31:0] packet, local_bytes;
  wire [2:0] sub_group_log2;
  wire [4:0] private_log2;
  wire [GLOBAL_LOG2-1:0] private_base;
  wire [63:0] cycles, clock;
  wire [6:0] kind;
  wire [3:0] own_reason;

  // By unit: what it did in this cycle, and its record of a fault.
  localparam RECORD_BITS = 256;  // its words, the first lowest
  wire [ALL-1:0] group_done, issued, memory_wait, conflict, row_taken;
  wire [ALL*6-1:0] active;
  wire [ALL*RECORD_BITS-1:0] records;
  wire [RECORD_BITS-1:0] record;
  wire [BANKS-1:0] missed;

  // The command processor's accesses to control registers go when the host has none.
  wire processor_start, processor_reset, processor_runs, processor_fault, commands;
  wire [3:0] processor_reason;
  wire [31:0] processor_pc, processor_data;
  wire processor_control, processor_write;
  wire [11:2] processor_register;
  control #(
      .LANES(LANES),
      .SLOTS(SLOTS),
      .UNITS(ALL),
      .PROGRAMMABLE(UNITS),
      .KINDS(KINDS),
      .TABLE(TABLE),
      .BANKS(BANKS),
      .LOCAL_LOG2(LOCAL_LOG2),
      .GLOBAL_LOG2(GLOBAL_LOG2),
      .CACHE_LOG2(CACHE_LOG2),
      .LINE_BYTES(1 << LINE_LOG2),
      .MUL(MUL),
      .DIV(DIV),
      .FPU(FPU),
      .BITMANIP(BITMANIP),
      .ATOMIC(ATOMIC),
      .PROCESSOR(PROCESSOR),
      .FIRST_LOG2(FIRST_LOG2),
      .CLOCK_KHZ(CLOCK_KHZ)
  ) control (
      .clk(clk),
      .rst(rst),
      .valid_i(control_valid_i || processor_control),
      .by_processor_i(!control_valid_i),
      .write_i(control_valid_i ? control_write_i : processor_write),
      .address_i(control_valid_i ? control_address_i : processor_register),
      .data_i(control_valid_i ? control_data_i : processor_data),
      .data_o(control_data_o),
      .start_o(start),
      .stop_o(stop),
      .go_on_o(go_on),
      .forget_o(forget),
      .dispatch_o(dispatch),
      .begin_i(dispatch_begins),
      .busy_i(dispatch_busy),
      .waits_i(dispatch_waits),
      .memory_failed_i(memory_failed),
      .fault_i(dispatch_fault),
      .counts_i(dispatch_counts),
      .ended_i(ended),
      .processor_start_o(processor_start),
      .commands_o(commands),
      .processor_reset_i(processor_reset),
      .processor_runs_i(processor_runs),
      .processor_fault_i(processor_fault),
      .processor_reason_i(processor_reason),
      .processor_pc_i(processor_pc),
      .cycles_i(cycles),
      .group_done_i(group_done),
      .issued_i(issued),
      .active_i(active),
      .memory_latency_i(memory_latency_i),
      .memory_interval_i(memory_interval_i),
      .memory_wait_i(memory_wait),
      .conflict_i(conflict),
      .external_request_i(request_valid_o & request_ready_i),
      .cache_request_i(row_taken),
      .cache_miss_i(missed),
      .clock_o(clock),
      .own_reason_i(own_reason),
      .record_i(record)
  );

  wire read_valid, read_ready, read_answer;
  wire [GLOBAL_LOG2-1:0] read_address;
  wire [8*ROW_BYTES-1:0] system_answer;
  wire unit_start, unit_clear, stop_all;
  wire [ 3:0] stop_reason;
  wire [10:0] sub_groups;
  wire [95:0] group_id, group_base;
  wire [32:0] group_size;
  wire cache_idle;  // external memory is up to date
  wire [ALL:0] quiet;  // the cache has taken all requests, of units and of the system port
  wire [ALL-1:0] of_kind;  // the units of the kind that the dispatch names
  wire [ALL-1:0] offered, takes, idle, faults, drained;
  dispatcher #(
      .GLOBAL_LOG2(GLOBAL_LOG2),
      .FIRST_LOG2(FIRST_LOG2),
      .ROW_LOG2(ROW_LOG2),
      .LINE_LOG2(LINE_LOG2),
      .UNITS(ALL),
      .KINDS(KINDS),
      .TABLE(TABLE)
  ) dispatcher (
      .clk(clk),
      .rst(rst),
      .start_i(start),
      .stop_i(stop),
      .go_on_i(go_on),
      .forget_i(forget),
      .dispatch_i(dispatch),
      .begin_o(dispatch_begins),
      .busy_o(dispatch_busy),
      .waits_o(dispatch_waits),
      .fault_o(dispatch_fault),
      .ended_o(ended),
      .counts_o(dispatch_counts),
      .runs_o(dispatch_runs),
      .cycles_o(cycles),
      .own_reason_o(own_reason),
      .record_o(record),
      .memory_error_i(memory_error),
      .request_valid_o(read_valid),
      .request_ready_i(read_ready),
      .request_address_o(read_address),
      .response_valid_i(read_answer),
      .response_data_i(system_answer),
      .kind_o(kind),
      .entry_o(entry),
      .packet_o(packet),
      .sub_group_log2_o(sub_group_log2),
      .local_bytes_o(local_bytes),
      .private_base_o(private_base),
      .private_log2_o(private_log2),
      .sub_groups_o(sub_groups),
      .of_kind_i(of_kind),
      .start_o(unit_start),
      .clear_o(unit_clear),
      .stop_o(stop_all),
      .stop_reason_o(stop_reason),
      .group_valid_o(offered),
      .group_ready_i(takes),
      .group_id_o(group_id),
      .group_base_o(group_base),
      .group_size_o(group_size),
      .idle_i(idle),
      .quiet_i(&quiet[ALL-1:0]),
      .fault_i(faults),
      .drained_i(drained),
      .records_i(records)
  );

  wire [ALL-1:0] row_valid, row_ready, answer_valid, answer_ready;
  wire [ALL*2-1:0] row_kind;
  wire [ALL*5-1:0] row_function;
  wire [ALL*GLOBAL_LOG2-1:0] row_address;
  wire [ALL*8*ROW_BYTES-1:0] row_data, answer_data;
  wire [ ALL*ROW_BYTES-1:0] row_strobe;
  wire [ALL*OWNER_BITS-1:0] row_owner;
  wire [ALL*LABEL_BITS-1:0] row_label, answer_label;
  genvar u;
  generate
    for (u = 0; u < ALL; u = u + 1) begin : compute
      localparam OF_KIND = kind_of(u);
      localparam [31:0] KIND_NUMBER = OF_KIND;
      if (KINDS > 1) begin : chosen
        reg is_of_kind;
        always @(posedge clk) is_of_kind <= {25'd0, kind} == KIND_NUMBER;
        assign of_kind[u] = is_of_kind;
      end else begin : alone
        assign of_kind[u] = 1'b1;
        wire unused = &{1'b0, kind, KIND_NUMBER};
      end
      // Its private memory lies behind that of the units of its kind before it. The dispatch stands long before it starts a unit.
      localparam OF_KIND_LANES = kind_word(OF_KIND, LANES_WORD), OF_KIND_SLOTS = kind_word(OF_KIND, SLOTS_WORD);
      localparam [31:0] WINDOWS = (u - first_unit(OF_KIND)) * OF_KIND_LANES * OF_KIND_SLOTS;
      wire [31:0] windows = WINDOWS << private_log2;
      wire windows_unused = &{1'b0, windows};
      reg [GLOBAL_LOG2-1:0] windows_base;
      always @(posedge clk) windows_base <= private_base + windows[GLOBAL_LOG2-1:0];
      compute_unit #(
          .KIND(kind_word(OF_KIND, TYPE_WORD)),
          .NUMBER(OF_KIND),
          .LANES(OF_KIND_LANES),
          .SLOTS(OF_KIND_SLOTS),
          .LOCAL_LOG2(LOCAL_LOG2),
          .GLOBAL_LOG2(GLOBAL_LOG2),
          .FIRST_LOG2(FIRST_LOG2),
          .ROW_LOG2(ROW_LOG2),
          .OWNER_BITS(OWNER_BITS),
          .LABEL_BITS(LABEL_BITS),
          .FETCH_CACHE_LOG2(FETCH_CACHE_LOG2),
          .MUL(MUL),
          .DIV(DIV),
          .FPU(FPU),
          .BITMANIP(BITMANIP),
          .ATOMIC(ATOMIC),
          .COMPACT(COMPACT)
      ) compute_unit (
          .clk(clk),
          .rst(rst),
          .start_i(unit_start && of_kind[u]),
          .clear_i(unit_clear),
          .entry_i(entry),
          .packet_i(packet),
          .sub_group_log2_i(sub_group_log2),
          .sub_groups_i(sub_groups),
          .local_bytes_i(local_bytes),
          .private_base_i(windows_base),
          .private_log2_i(private_log2),
          .clock_i(clock),
          .group_valid_i(offered[u]),
          .group_ready_o(takes[u]),
          .group_id_i(group_id),
          .group_base_i(group_base),
          .group_size_i(group_size),
          .group_done_o(group_done[u]),
          .idle_o(idle[u]),
          .stop_i(stop_all && of_kind[u]),
          .stop_reason_i(stop_reason),
          .fault_o(faults[u]),
          .drained_o(drained[u]),
          .fault_record_o(records[u*RECORD_BITS+:RECORD_BITS]),
          .issued_o(issued[u]),
          .active_o(active[u*6+:6]),
          .memory_wait_o(memory_wait[u]),
          .conflict_o(conflict[u]),
          .request_valid_o(row_valid[u]),
          .request_ready_i(row_ready[u]),
          .request_kind_o(row_kind[u*2+:2]),
          .request_function_o(row_function[u*5+:5]),
          .request_address_o(row_address[u*GLOBAL_LOG2+:GLOBAL_LOG2]),
          .request_data_o(row_data[u*8*ROW_BYTES+:8*ROW_BYTES]),
          .request_strobe_o(row_strobe[u*ROW_BYTES+:ROW_BYTES]),
          .request_owner_o(row_owner[u*OWNER_BITS+:OWNER_BITS]),
          .request_label_o(row_label[u*LABEL_BITS+:LABEL_BITS]),
          .response_valid_i(answer_valid[u]),
          .response_ready_o(answer_ready[u]),
          .response_data_i(answer_data[u*8*ROW_BYTES+:8*ROW_BYTES]),
          .response_label_i(answer_label[u*LABEL_BITS+:LABEL_BITS])
      );
    end
  endgenerate

  // The system port: host link, reader, command processor.
  localparam SYSTEM_BITS = LABEL_BITS + 2;
  wire processor_valid, processor_ready, processor_store, processor_answer, processor_answer_ready;
  wire [GLOBAL_LOG2-1:0] processor_address;
  wire [8*ROW_BYTES-1:0] processor_row;
  wire [  ROW_BYTES-1:0] processor_strobe;
  wire [LABEL_BITS-1:0] processor_label, processor_answer_label;
  generate
    if (PROCESSOR != 0) begin : with_processor
      command_processor #(
          .GLOBAL_LOG2(GLOBAL_LOG2),
          .ROW_LOG2(ROW_LOG2),
          .LABEL_BITS(LABEL_BITS)
      ) command_processor (
          .clk(clk),
          .rst(rst),
          .start_i(processor_start),
          .memory_error_i(memory_error && !dispatch_runs && commands),
          .reset_o(processor_reset),
          .runs_o(processor_runs),
          .fault_o(processor_fault),
          .fault_reason_o(processor_reason),
          .fault_pc_o(processor_pc),
          .clock_i(clock),
          .control_valid_o(processor_control),
          .control_ready_i(!control_valid_i),
          .control_write_o(processor_write),
          .control_address_o(processor_register),
          .control_data_o(processor_data),
          .control_data_i(control_data_o),
          .request_valid_o(processor_valid),
          .request_ready_i(processor_ready),
          .request_quiet_i(quiet[ALL]),
          .request_store_o(processor_store),
          .request_address_o(processor_address),
          .request_data_o(processor_row),
          .request_strobe_o(processor_strobe),
          .request_label_o(processor_label),
          .response_valid_i(processor_answer),
          .response_ready_o(processor_answer_ready),
          .response_data_i(system_answer),
          .response_label_i(processor_answer_label)
      );
    end else begin : without_processor
      assign {processor_reset, processor_runs, processor_fault, processor_control, processor_write} = 5'd0;
      assign {processor_reason, processor_pc, processor_register, processor_data} = 0;
      assign {processor_valid, processor_store, processor_answer_ready} = 3'd0;
      assign {processor_address, processor_row, processor_strobe, processor_label} = 0;
      wire unused = &{1'b0, processor_start, processor_ready, processor_answer, processor_answer_label};
    end
  endgenerate
  wire system_valid, system_ready, system_store, system_answers, system_answer_ready;
  wire [GLOBAL_LOG2-1:0] system_address;
  wire [8*ROW_BYTES-1:0] system_row;
  wire [  ROW_BYTES-1:0] system_strobe;
  wire [SYSTEM_BITS-1:0] system_label, system_answer_label;
  system_port #(
      .PLACE_BITS(GLOBAL_LOG2),
      .ROW_LOG2  (ROW_LOG2),
      .LABEL_BITS(LABEL_BITS)
  ) system_port (
      .clk(clk),
      .rst(rst),
      .link_valid_i(link_valid_i),
      .link_ready_o(link_ready_o),
      .link_store_i(link_store_i),
      .link_address_i(link_address_i),
      .link_data_i(link_data_i),
      .link_strobe_i(link_strobe_i),
      .link_answer_o(link_answer_o),
      .reader_valid_i(read_valid),
      .reader_ready_o(read_ready),
      .reader_address_i(read_address),
      .reader_answer_o(read_answer),
      .processor_valid_i(processor_valid),
      .processor_ready_o(processor_ready),
      .processor_store_i(processor_store),
      .processor_address_i(processor_address),
      .processor_data_i(processor_row),
      .processor_strobe_i(processor_strobe),
      .processor_label_i(processor_label),
      .processor_answer_o(processor_answer),
      .processor_answer_ready_i(processor_answer_ready),
      .answer_label_o(processor_answer_label),
      .request_valid_o(system_valid),
      .request_ready_i(system_ready && !hold),
      .request_store_o(system_store),
      .request_address_o(system_address),
      .request_data_o(system_row),
      .request_strobe_o(system_strobe),
      .request_label_o(system_label),
      .response_valid_i(system_answers),
      .response_ready_o(system_answer_ready),
      .response_label_i(system_answer_label)
  );
  assign link_answer_data_o = system_answer;

  // Errors of external memory: a dispatch that runs faults; else STATUS says so. The cache forgets what it has.
  always @(posedge clk) begin
    memory_error  <= memory_error_i != 0 && !rst;
    memory_failed <= !rst && !go_on && (memory_failed || (memory_error && !dispatch_runs));
  end
  error_drop error_drop (
      .clk(clk),
      .rst(rst),
      .error_i(memory_error),
      .units_idle_i(&idle && (&quiet[ALL-1:0])),
      .cache_idle_i(cache_idle),
      .hold_o(hold),
      .invalidate_o(drop)
  );
  assign link_quiet_o = quiet[ALL];
  assign busy_o = dispatch_busy || commands || !cache_idle;
  // A cache that wipes its tags after a reset is not idle.
  always @(posedge clk) ready_o <= !rst && (ready_o || cache_idle);

  // The cache; the system port is its last unit.
  wire [ALL*SYSTEM_BITS-1:0] unit_labels, unit_answer_labels;
  generate
    for (u = 0; u < ALL; u = u + 1) begin : labels
      assign unit_labels[u*SYSTEM_BITS+:SYSTEM_BITS] = {2'd0, row_label[u*LABEL_BITS+:LABEL_BITS]};
      assign answer_label[u*LABEL_BITS+:LABEL_BITS]  = unit_answer_labels[u*SYSTEM_BITS+:LABEL_BITS];
    end
  endgenerate
  wire labels_unused = &{1'b0, unit_answer_labels};
  wire system_taken;
  wire system_taken_unused = system_taken;
  cache_banks #(
      .UNITS(ALL + 1),
      .BANKS(BANKS),
      .PLACE_BITS(GLOBAL_LOG2),
      .CACHE_LOG2(CACHE_LOG2),
      .ROW_LOG2(ROW_LOG2),
      .LINE_LOG2(LINE_LOG2),
      .SLOT_BITS(OWNER_BITS),
      .LABEL_BITS(SYSTEM_BITS),
      .COMPACT(COMPACT)
  ) cache_banks (
      .clk(clk),
      .rst(rst),
      .invalidate_i(forget_i || drop),
      .request_valid_i({system_valid && !hold, row_valid}),
      .request_ready_o({system_ready, row_ready}),
      .request_kind_i({1'b0, system_store, row_kind}),
      .request_function_i({5'd0, row_function}),
      .request_address_i({system_address, row_address}),
      .request_data_i({system_row, row_data}),
      .request_strobe_i({system_strobe, row_strobe}),
      .request_owner_i({{OWNER_BITS{1'b0}}, row_owner}),
      .request_label_i({system_label, unit_labels}),
      .response_valid_o({system_answers, answer_valid}),
      .response_ready_i({system_answer_ready, answer_ready}),
      .response_data_o({system_answer, answer_data}),
      .response_label_o({system_answer_label, unit_answer_labels}),
      .memory_valid_o(request_valid_o),
      .memory_ready_i(request_ready_i),
      .memory_store_o(request_store_o),
      .memory_address_o(request_address_o),
      .memory_data_o(request_data_o),
      .memory_strobe_o(request_strobe_o),
      .fill_valid_i(response_valid_i),
      .fill_ready_o(response_ready_o),
      .fill_data_i(response_data_i),
      .taken_o({system_taken, row_taken}),
      .quiet_o(quiet),
      .missed_o(missed),
      .idle_o(cache_idle)
  );
endmodule

`default_nettype wire
