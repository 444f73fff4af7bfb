// SPDX-License-Identifier: Apache-2.0
// Stages se to rd of a unit: chooses a slot, reads what it does next, fetches and decodes its instruction, and hands it
// over once no load is pending that it needs. An instruction that cannot go on leaves the pipeline here, and its slot
// is woken to try again. One instruction a cycle; five cycles from the choice of a slot (se) to what is handed over at
// rd.
`include "rtl/shape.vh"
`default_nettype none

module issue #(
    parameter LANES = 8,  // these as in unit.v
    parameter SLOTS = 32,
    parameter SLOT_BITS = 5,  // log2(SLOTS)
    parameter LEVELS = 3,  // log2(LANES)
    parameter TAIL = 4,  // stages from e3 to wb
    parameter GLOBAL_LOG2 = 28,
    parameter FIRST_LOG2 = 12,
    parameter BEAT_LOG2 = 5,
    parameter BEAT_BYTES = 32,
    parameter FETCH_CACHE_LOG2 = 13,
    parameter MUL = 1,
    parameter DIV = 1,
    parameter FPU = 1,
    parameter BITMANIP = 1,
    parameter ATOMIC = 1
) (
    input wire clk,
    input wire rst,
    input wire clear_i,  // nothing of the dispatch is left
    input wire halt_i,   // nothing issues
    input wire flush_i,  // the instruction cache forgets everything: code may have changed
    input wire gap_i,    // nothing issues in this cycle: a late register write needs it

    // a new sub-group, stage se
    input  wire                 launch_valid_i,
    output wire                 launch_taken_o,
    input  wire [SLOT_BITS-1:0] launch_slot_i,
    input  wire [SLOT_BITS-1:0] launch_group_slot_i,
    input  wire [SLOT_BITS-1:0] launch_sub_group_i,
    input  wire [    LANES-1:0] launch_lanes_i,
    input  wire [         31:2] entry_i,

    // a sub-group that a work-group collective releases for its second pass
    input wire                 release_valid_i,
    input wire [SLOT_BITS-1:0] release_slot_i,

    // any slot, in the same cycle: its sub-group's id and lanes
    input  wire [SLOT_BITS-1:0] asked_slot_i,
    output wire [SLOT_BITS-1:0] asked_sub_group_o,
    output wire [    LANES-1:0] asked_lanes_o,

    // instruction fetch: reads of beats
    output wire                    fetch_valid_o,
    input  wire                    fetch_ready_i,
    output wire [ GLOBAL_LOG2-1:0] fetch_address_o,
    input  wire                    fetch_response_i,
    input  wire [8*BEAT_BYTES-1:0] response_data_i,
    output wire                    fetch_idle_o,      // no fill is running

    // stage de: addresses of the registers that are read, {slot, register}, and of the work-group's word
    output wire [SLOT_BITS+4:0] de_read1_o,
    output wire [SLOT_BITS+4:0] de_read2_o,
    output wire [SLOT_BITS+4:0] de_read3_o,
    output wire [SLOT_BITS+3:0] de_group_word_o,

    // stage rd: the instruction
    output wire rd_go_o,  // it goes on to op
    output wire [`HEDDLE_INSTRUCTION_BITS(LANES, SLOT_BITS)-1:0] rd_instruction_o,  // instruction.vh
    output reg [`HEDDLE_OPERATION_BITS-1:0] rd_operation_o,  // rtl/lane/operation.vh
    output wire [`HEDDLE_OPERAND_BITS-1:0] rd_operand_o,  // instruction.vh
    output reg rd_shuffle_o,

    // the divider, and an instruction at e1 that waits for it
    input wire                 divide_busy_i,
    input wire                 divide_soon_i,        // it is free when an instruction gets there
    input wire                 divide_float_done_i,
    input wire                 divide_wake_i,        // its slot goes on
    input wire [SLOT_BITS-1:0] divide_slot_i,
    input wire                 e1_wait_i,
    input wire [SLOT_BITS-1:0] e1_slot_i,

    // stages e2 and e3: an instruction takes effect, or waits
    input wire [`HEDDLE_INSTRUCTION_BITS(LANES, SLOT_BITS)-1:0] e2_instruction_i,
    input wire e2_local_i,  // some lanes are in local memory
    input wire e2_global_i,  // some are in global memory
    input wire [`HEDDLE_INSTRUCTION_BITS(LANES, SLOT_BITS)-1:0] e3_instruction_i,
    input wire e3_commit_i,
    input wire e3_memory_i,  // a memory operation
    input wire e3_retry_i,  // it leaves the pipeline
    output wire e3_wait_o,  // with a memory operation: loads in the other memory must end first
    input wire memory_full_i,  // no room for a memory operation

    // the last answer to a load has been written
    input wire                 answered_i,
    input wire [SLOT_BITS-1:0] answered_slot_i,

    // stage wb: an instruction ends
    input wire                                wb_valid_i,
    input wire                                wb_ready_i,  // and its slot may issue again
    input wire [               SLOT_BITS-1:0] wb_slot_i,
    input wire [`HEDDLE_NEXT_BITS(LANES)-1:0] wb_next_i,   // what the slot does next

    output wire memory_wait_o  // a slot waits for memory
);
  `include "rtl/lane/operation.vh"
  `include "rtl/unit/control.vh"
  `include "rtl/unit/bundle.vh"
  `include "rtl/unit/instruction.vh"
  localparam OPERATION_BITS = `HEDDLE_OPERATION_BITS;
  localparam [CONTROL_BITS-1:0] LAUNCH_CONTROL = 1 << C_WRITES;  // a launch writes local ids to x0
  wire [SLOT_BITS-1:0] e3_slot = e3_instruction_i[I_BUNDLE+B_SLOT+:SLOT_BITS];

  // ---- se, st: choose a slot, and read what it does next.
  wire [SLOTS-1:0] wake;
  wire f1_valid;
  wire [BUNDLE_BITS-1:0] f1_bundle;
  slots #(
      .LANES(LANES),
      .SLOTS(SLOTS),
      .SLOT_BITS(SLOT_BITS),
      .LEVELS(LEVELS)
  ) slots (
      .clk(clk),
      .rst(rst),
      .clear_i(clear_i),
      .halt_i(halt_i),
      .wake_i(wake),
      .gap_i(gap_i),
      .launch_valid_i(launch_valid_i),
      .launch_taken_o(launch_taken_o),
      .launch_slot_i(launch_slot_i),
      .launch_group_slot_i(launch_group_slot_i),
      .launch_sub_group_i(launch_sub_group_i),
      .launch_lanes_i(launch_lanes_i),
      .entry_i(entry_i),
      .next_valid_i(wb_valid_i),
      .next_slot_i(wb_slot_i),
      .next_i(wb_next_i),
      .valid_o(f1_valid),
      .bundle_o(f1_bundle),
      .asked_slot_i(asked_slot_i),
      .asked_sub_group_o(asked_sub_group_o),
      .asked_lanes_o(asked_lanes_o)
  );

  // ---- f1, f2: fetch.
  wire [31:0] de_instruction;
  wire de_miss, de_bad_fetch;
  fetch #(
      .BEAT_BYTES (BEAT_BYTES),
      .BEAT_LOG2  (BEAT_LOG2),
      .CACHE_LOG2 (FETCH_CACHE_LOG2),
      .GLOBAL_LOG2(GLOBAL_LOG2),
      .FIRST_LOG2 (FIRST_LOG2)
  ) fetch (
      .clk(clk),
      .rst(rst),
      .flush_i(flush_i),
      .f1_valid_i(f1_valid && !f1_bundle[B_LAUNCH]),
      .f1_pc_i(f1_bundle[B_PC+:PC]),
      .de_instruction_o(de_instruction),
      .de_miss_o(de_miss),
      .de_bad_o(de_bad_fetch),
      .retry_o(fetch_idle_o),
      .request_valid_o(fetch_valid_o),
      .request_ready_i(fetch_ready_i),
      .request_address_o(fetch_address_o),
      .response_valid_i(fetch_response_i),
      .response_data_i(response_data_i)
  );
  reg f2_valid, de_valid, rd_valid;
  reg [BUNDLE_BITS-1:0] f2_bundle, de_bundle, rd_bundle;
  wire de_launch = de_bundle[B_LAUNCH];
  wire de_go = de_valid && (de_launch || !de_miss) && !clear_i;
  always @(posedge clk) begin
    f2_valid <= f1_valid && !clear_i;
    de_valid <= f2_valid && !clear_i;
    rd_valid <= de_go;
    {f2_bundle, de_bundle, rd_bundle} <= {f1_bundle, f2_bundle, de_bundle};
  end

  // ---- de: decode; the registers' and the work-group word's addresses go out.
  wire illegal, rs1_used, rs2_used, rs3_used, uniform, pc_relative, csr;
  wire [CONTROL_BITS-1:0] control;
  wire [OPERATION_BITS-1:0] operation;
  wire [31:0] immediate;
  wire [4:0] third;
  wire [2:0] csr_kind;
  wire [3:0] csr_index;
  decode #(
      .MUL(MUL),
      .DIV(DIV),
      .FPU(FPU),
      .BITMANIP(BITMANIP),
      .ATOMIC(ATOMIC)
  ) decode (
      .instruction_i(de_instruction),
      .illegal_o(illegal),
      .immediate_o(immediate),
      .rs1_used_o(rs1_used),
      .rs2_used_o(rs2_used),
      .rs3_used_o(rs3_used),
      .third_o(third),
      .uniform_o(uniform),
      .pc_relative_o(pc_relative),
      .csr_o(csr),
      .csr_kind_o(csr_kind),
      .csr_index_o(csr_index),
      .control_o(control),
      .operation_o(operation)
  );

  // In further passes of a sum of floats across lanes rd is the operand, and the addend is there. When the sum of a
  // work-group comes back, to rd of a scan is added what the sequencer brings, and a reduction is that alone.
  wire de_again = de_bundle[B_PASS+:PASS_BITS] != 0;
  wire [SLOT_BITS-1:0] de_slot = de_bundle[B_SLOT+:SLOT_BITS];
  assign de_read1_o = {de_slot, de_again ? de_instruction[11:7] : de_instruction[19:15]};
  assign de_read2_o = {de_slot, de_instruction[24:20]};
  assign de_read3_o = {de_slot, third};
  assign de_group_word_o = {de_bundle[B_GROUP_SLOT+:SLOT_BITS], csr_index};

  // ---- rd: the instruction is handed over.
  reg [CONTROL_BITS-1:0] rd_control;
  reg rd_illegal, rd_bad_fetch, rd_rs1_used, rd_rs2_zero, rd_uniform, rd_pc_relative, rd_csr, rd_quotient;
  reg [4:0] rd_rd;
  reg [2:0] rd_funct3, rd_csr_kind;
  reg [31:0] rd_immediate;
  always @(posedge clk) begin
    rd_control <= de_launch ? LAUNCH_CONTROL : control;
    rd_shuffle_o <= de_go && control[C_SHUFFLE] && !de_launch;
    rd_bad_fetch <= de_bad_fetch && !de_launch;
    rd_illegal <= illegal && !de_launch;
    rd_rd <= de_launch ? 5'd0 : de_instruction[11:7];
    rd_funct3 <= de_instruction[14:12];
    rd_rs1_used <= (rs1_used || de_again) && !de_launch;
    rd_rs2_zero <= de_instruction[24:20] == 5'd0;
    rd_uniform <= uniform || de_launch;
    rd_pc_relative <= pc_relative && !de_launch;
    rd_csr <= csr && !de_launch;
    rd_csr_kind <= csr_kind;
    rd_immediate <= de_launch ? 32'd0 : immediate;
    rd_operation_o <= de_launch ? {OPERATION_BITS{1'b0}} : operation;
    if (de_again && (!de_bundle[B_SECOND] || control[C_INCLUSIVE] || control[C_EXCLUSIVE]))
      {rd_operation_o[O_THIRD_ZERO], rd_operation_o[O_NEGATE_ADDEND]} <= 2'b00;
    // A quotient waits for its instruction alone: it is there long before that comes again.
    rd_quotient <= operation[O_FLOAT_DIVIDE] && !de_launch && divide_float_done_i && divide_slot_i == de_slot;
  end
  assign rd_instruction_o = {rd_bad_fetch, rd_illegal, rd_funct3, rd_rd, rd_control, rd_bundle};
  assign rd_operand_o = {
    rd_quotient, rd_rs2_zero, rd_rs1_used, rd_uniform, rd_pc_relative, rd_csr, rd_csr_kind, rd_immediate
  };
  wire rd_wait;
  assign rd_go_o = rd_valid && (rd_bundle[B_LAUNCH] || !rd_wait) && !clear_i;

  // Does it need what a load has still to bring?
  wire de_gives = control[C_WRITES] || control[C_LOAD] || control[C_ATOMIC] || control[C_DIVIDE];
  wire [SLOTS-1:0] loads_awaited, loads_again;
  in_flight #(
      .SLOTS(SLOTS),
      .SLOT_BITS(SLOT_BITS)
  ) in_flight (
      .clk(clk),
      .rst(clear_i),
      .de_slot_i(de_slot),
      .de_rs1_i(de_instruction[19:15]),
      .de_rs2_i(de_instruction[24:20]),
      .de_rs3_i(third),
      .de_rd_i(de_instruction[11:7]),
      .de_rs1_used_i(rs1_used),
      .de_rs2_used_i(rs2_used),
      .de_rs3_used_i(rs3_used),
      .de_rd_used_i(de_gives && de_instruction[11:7] != 5'd0),
      .de_loads_i(control[C_LOAD] || control[C_ATOMIC]),
      .de_all_i(control[C_EXIT]),
      .rd_valid_i(rd_valid && !rd_bundle[B_LAUNCH]),
      .rd_slot_i(rd_bundle[B_SLOT+:SLOT_BITS]),
      .rd_wait_o(rd_wait),
      .e2_slot_i(e2_instruction_i[I_BUNDLE+B_SLOT+:SLOT_BITS]),
      .e2_loads_i(!e2_instruction_i[I_CONTROL+C_STORE]),
      .e2_local_i(e2_local_i),
      .e2_global_i(e2_global_i),
      .e3_slot_i(e3_slot),
      .e3_launch_i(e3_commit_i && e3_instruction_i[I_BUNDLE+B_LAUNCH]),
      .e3_push_i(e3_commit_i && e3_memory_i && !e3_instruction_i[I_CONTROL+C_STORE]),
      .e3_rd_i(e3_instruction_i[I_RD+:5]),
      .e3_wait_o(e3_wait_o),
      .e3_stay_i(e3_retry_i && !memory_full_i),
      .answer_i(answered_i),
      .answer_slot_i(answered_slot_i),
      .waiting_o(loads_awaited),
      .wake_o(loads_again)
  );

  // ---- which slots may be chosen again.
  wire memory_waits;
  waking #(
      .SLOTS(SLOTS),
      .SLOT_BITS(SLOT_BITS),
      .TAIL(TAIL)
  ) waking (
      .clk(clk),
      .clear_i(clear_i),
      .e3_slot_i(e3_slot),
      .wb_ready_i(wb_ready_i),
      .de_miss_i(de_valid && !de_launch && de_miss),
      .de_slot_i(de_slot),
      .fetch_retry_i(fetch_idle_o),
      .e1_busy_i(e1_wait_i),
      .e1_slot_i(e1_slot_i),
      .divide_busy_i(divide_busy_i),
      .divide_soon_i(divide_soon_i),
      .divided_i(divide_wake_i),
      .divide_slot_i(divide_slot_i),
      .e3_full_i(e3_retry_i && memory_full_i),
      .memory_full_i(memory_full_i),
      .loads_again_i(loads_again),
      .release_valid_i(release_valid_i),
      .release_slot_i(release_slot_i),
      .memory_waits_o(memory_waits),
      .wake_o(wake)
  );
  assign memory_wait_o = (|loads_awaited) || memory_waits;
endmodule

`default_nettype wire
