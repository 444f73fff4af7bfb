// SPDX-License-Identifier: Apache-2.0
// A compute unit: takes work-groups, runs their sub-groups to the end, reports the first fault. A barrel: a slot (the
// resident state of a sub-group) has at most one instruction in flight, so nothing is forwarded and nothing interlocks.
// One instruction a cycle for all lanes of a sub-group; 10 + TAIL cycles from issue to issue of a slot (README.md has the stages).
//
// This module only joins its parts in the order of the stages, and holds the registers that carry an instruction from one to the next. It
// is long because each part's ports are named here once.
`include "rtl/shape.vh"
`default_nettype none

module unit #(
    parameter LANES = 8,  // power of two, 1 to 32
    parameter SLOTS = 32,  // power of two, 4 to 64
    parameter GLOBAL_LOG2 = 28,  // log2 of the bytes of global memory, 16 to 31
    parameter FIRST_LOG2 = 12,  // log2 of its first address
    parameter CONTROL = 0,  // 1: control registers are memory, the upper half of GLOBAL_LOG2 bits of places
    parameter LOCAL_LOG2 = 15,  // log2 of the bytes of local memory
    parameter ROW_LOG2 = 5,  // log2 of the bytes of a memory row
    parameter FETCH_CACHE_LOG2 = 13,  // log2 of the bytes of the instruction cache
    parameter MUL = 1,  // 1: with multiplier
    parameter DIV = 1,  // 1: with divider
    parameter FPU = 1,  // 1: with floating point
    parameter BITMANIP = 1,  // 1: with Zba and Zbb
    parameter ATOMIC = 1,  // 1: with the A extension
    parameter COMPACT = 0,  // as in heddle.v
    parameter SLOT_BITS = $clog2(SLOTS),
    parameter ROW_BYTES = 1 << ROW_LOG2,
    parameter NOTE_BITS = 9 + SLOT_BITS + LANES * (1 + ROW_LOG2)  // of a label to the cache; load_store.v
) (
    input wire clk,
    input wire rst,

    // the dispatch; stable while it runs
    input wire                   start_i,           // a dispatch begins
    input wire                   clear_i,           // and is cut off, once drained; no start_i in the cycle after
    input wire [           31:2] entry_i,
    input wire [           31:0] packet_i,
    input wire [            2:0] sub_group_log2_i,
    input wire [    SLOT_BITS:0] sub_groups_i,      // of a full work-group
    input wire [   LOCAL_LOG2:0] local_bytes_i,
    input wire [GLOBAL_LOG2-1:0] private_base_i,
    input wire [            4:0] private_log2_i,
    input wire [           63:0] clock_i,           // what the cycle CSR reads

    // work-groups
    input  wire        group_valid_i,
    output wire        group_ready_o,
    input  wire [95:0] group_id_i,     // z, y, x
    input  wire [95:0] group_base_i,
    input  wire [32:0] group_size_i,
    output wire        group_done_o,   // one has finished
    output wire        idle_o,         // none is here

    // faults; a fault, or stop_i, ends all issue
    input  wire        stop_i,             // stop, for the reason given, unless a fault came first
    input  wire [ 3:0] stop_reason_i,
    output wire        fault_o,
    output wire        drained_o,          // stopped, nothing is under way, the record is whole
    output wire [ 3:0] fault_reason_o,
    output wire [31:0] fault_pc_o,
    output wire [31:0] fault_address_o,
    output wire [95:0] fault_group_o,      // z, y, x
    output wire [31:0] fault_sub_group_o,
    output wire [31:0] fault_lane_o,

    // figures
    output reg       issued_o,
    output reg [5:0] active_o,       // lanes of that instruction
    output reg       memory_wait_o,  // a cycle lost to memory
    output reg       conflict_o,     // a cycle lost to conflicts

    // the device cache: rows; answers in order, with the labels of their requests
    output wire                   request_valid_o,
    input  wire                   request_ready_i,
    output wire [            1:0] request_kind_o,      // 0 load, 1 store, 2 atomic
    output wire [            4:0] request_function_o,  // of an atomic: funct5
    output wire [GLOBAL_LOG2-1:0] request_address_o,
    output wire [8*ROW_BYTES-1:0] request_data_o,
    output wire [  ROW_BYTES-1:0] request_strobe_o,
    output wire [  SLOT_BITS-1:0] request_owner_o,
    output wire [    NOTE_BITS:0] request_label_o,
    input  wire                   response_valid_i,
    output wire                   response_ready_o,
    input  wire [8*ROW_BYTES-1:0] response_data_i,
    input  wire [    NOTE_BITS:0] response_label_i
);
  localparam LEVELS = $clog2(LANES);
  // TAIL covers the trees across the lanes, and the FPU (4). It stays 4 without an FPU, for long wires; COMPACT makes it 2.
  localparam LEAST_TAIL = COMPACT != 0 && FPU == 0 ? 2 : 4;
  localparam TAIL = LEVELS > LEAST_TAIL ? LEVELS : LEAST_TAIL;
  `include "rtl/lane/operation.vh"
  `include "rtl/unit/control.vh"
  `include "rtl/unit/bundle.vh"
  localparam OPERATION_BITS = `HEDDLE_OPERATION_BITS, CONTROL_BITS = `HEDDLE_CONTROL_BITS;
  localparam [CONTROL_BITS-1:0] LAUNCH_CONTROL = 1 << C_WRITES;  // a launch writes local ids to x0

  // Clears all of the unit that belongs to a dispatch. Registered, because it fans out to the whole unit.
  reg clear;
  always @(posedge clk) clear <= rst || clear_i;
  integer i;
  genvar n;

  // Between the parts below, by the stage in which they stand.
  wire halted, gap;
  wire [SLOTS-1:0] wake;
  wire launch_valid, launch_taken, release_valid;
  wire [SLOT_BITS-1:0] launch_slot, launch_place, launch_sub_group, release_slot;
  wire [LANES-1:0] launch_lanes;
  wire [LANES*30-1:0] launch_ids;
  wire rd_wait, e3_wait;
  wire divide_busy, divide_ending, divide_done, float_divide_done, float_divide_wake, divide_writes;
  wire [4:0] divide_rd;
  wire [SLOT_BITS-1:0] divide_slot;
  wire [LANES-1:0] divide_lanes, divide_normalises;
  wire divide_start, divide_step, divide_normalise;
  wire answered;
  wire [SLOT_BITS-1:0] answered_slot;
  wire [SLOTS-1:0] loads_awaited, loads_again;
  wire load_store_full, load_store_idle, load_store_conflict, load_valid, load_ready, load_last, load_drop;
  wire [4:0] load_rd;
  wire [SLOT_BITS-1:0] load_slot;
  wire [LANES-1:0] load_lanes;
  wire [LANES*32-1:0] load_value;
  wire [LANES*32-1:0] e1_a, e1_b, e2_sum, e3_store_data, last_float, wb_collective_value, wb_addend;
  wire [LANES-1:0] e1_a_nan, e2_taken;
  wire [LANES*LANES-1:0] e2_from;
  wire [LANES*32-1:0] e2_word, e2_shuffled, e3_shuffled;
  wire e1_shuffles, e2_some_local, e2_some_global, e3_again;
  wire [LANES-1:0] e3_local, e3_live, e3_lane_faults;
  wire [LANES*GLOBAL_LOG2-1:0] e3_place_address;
  wire [LANES*3-1:0] e3_fault;
  wire [LOCAL_LOG2-1:0] local_base;
  wire [PC-1:0] e2_link, last_link, wb_next_pc;
  wire last_collective, wb_dead, wb_all_parked;
  wire [LANES-1:0] wb_next_lanes;
  wire [31:0] wb_total;
  wire [SLOT_BITS+4:0] register_address;
  wire [LANES-1:0] register_write;
  wire register_load;
  wire [31:0] rd_identity, op_carry;
  wire [SLOT_BITS+3:0] record_identity;
  wire sequencer_divergent;
  wire [SLOT_BITS-1:0] sequencer_slot, sequencer_place, sequencer_sub_group;
  wire [LANES-1:0] sequencer_lanes;
  wire [31:2] sequencer_pc;

  // What accompanies an instruction: valid, its bundle, its control word, and what single stages need besides.
  wire f1_valid;
  wire [BUNDLE_BITS-1:0] f1_bundle;
  reg f2_valid, de_valid, rd_valid, op_valid, e1_valid, e2_valid, e3_valid;
  reg [BUNDLE_BITS-1:0] f2_bundle, de_bundle, rd_bundle, op_bundle, e1_bundle, e2_bundle, e3_bundle;
  wire [CONTROL_BITS-1:0] control;
  reg [CONTROL_BITS-1:0] rd_control, op_control, e1_control, e2_control, e3_control;
  wire de_go, e1_retry;
  always @(posedge clk) begin
    f2_valid <= f1_valid && !clear;
    de_valid <= f2_valid && !clear;
    rd_valid <= de_go;
    op_valid <= rd_valid && (rd_bundle[B_LAUNCH] || !rd_wait) && !clear;
    e1_valid <= op_valid && !clear;
    e2_valid <= e1_valid && !e1_retry && !clear;
    e3_valid <= e2_valid && !clear;
    {f2_bundle, de_bundle, rd_bundle, op_bundle} <= {f1_bundle, f2_bundle, de_bundle, rd_bundle};
    {e1_bundle, e2_bundle, e3_bundle} <= {op_bundle, e1_bundle, e2_bundle};
    rd_control <= de_bundle[B_LAUNCH] ? LAUNCH_CONTROL : control;
    {op_control, e1_control, e2_control, e3_control} <= {rd_control, op_control, e1_control, e2_control};
  end
  reg rd_illegal, rd_bad_fetch, op_illegal, op_bad_fetch, e1_illegal, e1_bad_fetch, e2_illegal, e2_bad_fetch;
  reg e3_illegal, e3_bad_fetch;
  reg [4:0] rd_rd, op_rd, e1_rd, e2_rd, e3_rd;
  reg [2:0] rd_funct3, op_funct3, e1_funct3, e2_funct3, e3_funct3;
  wire [31:1] op_target;
  reg [31:1] e1_target, e2_target, e3_target;
  reg [31:0] e1_carry;
  always @(posedge clk) begin
    {op_illegal, e1_illegal, e2_illegal, e3_illegal} <= {rd_illegal, op_illegal, e1_illegal, e2_illegal};
    {op_bad_fetch, e1_bad_fetch, e2_bad_fetch, e3_bad_fetch} <= {
      rd_bad_fetch, op_bad_fetch, e1_bad_fetch, e2_bad_fetch
    };
    {op_rd, e1_rd, e2_rd, e3_rd} <= {rd_rd, op_rd, e1_rd, e2_rd};
    {op_funct3, e1_funct3, e2_funct3, e3_funct3} <= {rd_funct3, op_funct3, e1_funct3, e2_funct3};
    {e1_target, e2_target, e3_target} <= {op_target, e1_target, e2_target};
    e1_carry <= op_carry;
  end
  wire [SLOT_BITS-1:0] de_slot = de_bundle[B_SLOT+:SLOT_BITS], rd_slot = rd_bundle[B_SLOT+:SLOT_BITS];
  wire [SLOT_BITS-1:0] op_slot = op_bundle[B_SLOT+:SLOT_BITS], e1_slot = e1_bundle[B_SLOT+:SLOT_BITS];
  wire [SLOT_BITS-1:0] e3_slot = e3_bundle[B_SLOT+:SLOT_BITS], e3_place = e3_bundle[B_PLACE+:SLOT_BITS];
  wire [SLOT_BITS-1:0] e3_sub_group = e3_bundle[B_SUB_GROUP+:SLOT_BITS];
  wire [LANES-1:0] e1_lanes = e1_bundle[B_LANES+:LANES], e2_lanes = e2_bundle[B_LANES+:LANES];
  wire [LANES-1:0] e3_lanes = e3_bundle[B_LANES+:LANES];
  wire [PC-1:0] e3_pc = e3_bundle[B_PC+:PC];
  wire de_launch = de_bundle[B_LAUNCH], e3_launch = e3_bundle[B_LAUNCH], e3_second = e3_bundle[B_SECOND];

  // Of an instruction at wb.
  reg [TAIL-1:0] tail_valid;  // in the stages behind e3; only this needs to be cleared
  wire wb_valid = tail_valid[TAIL-1];
  wire wb_arrive, wb_again, wb_gives;
  wire [BUNDLE_BITS-1:0] wb_bundle;
  wire [CONTROL_BITS-1:0] wb_control;
  wire [4:0] wb_rd;
  wire [LANES-1:0] wb_live;
  wire wb_write = wb_valid && wb_gives;
  reg wr_again;  // in the cycle after, of a sum of floats that has another pass
  always @(posedge clk) wr_again <= wb_write && wb_again;
  wire wb_all_agree = wb_next_lanes == wb_live;
  wire wb_divergent = wb_valid && wb_all_parked && !wb_all_agree;

  // ---- se, st: choose a slot, and read what it does next.
  slots #(
      .LANES(LANES),
      .SLOTS(SLOTS),
      .SLOT_BITS(SLOT_BITS),
      .LEVELS(LEVELS)
  ) slots (
      .clk(clk),
      .rst(rst),
      .clear_i(clear),
      .halt_i(halted),
      .wake_i(wake),
      .gap_i(gap),
      .launch_valid_i(launch_valid),
      .launch_taken_o(launch_taken),
      .launch_slot_i(launch_slot),
      .launch_place_i(launch_place),
      .launch_sub_group_i(launch_sub_group),
      .launch_lanes_i(launch_lanes),
      .entry_i(entry_i),
      .next_valid_i(wb_valid),
      .next_slot_i(wb_bundle[B_SLOT+:SLOT_BITS]),
      .next_i({
        wb_again ? wb_bundle[B_PASS+:PASS_BITS] + 1'b1 : {PASS_BITS{1'b0}}, wb_next_pc, wb_next_lanes, wb_all_agree
      }),
      .release_valid_i(release_valid),
      .release_slot_i(release_slot),
      .passed_i(wb_valid && wb_bundle[B_SECOND]),
      .passed_slot_i(wb_bundle[B_SLOT+:SLOT_BITS]),
      .valid_o(f1_valid),
      .bundle_o(f1_bundle),
      .asked_slot_i(sequencer_slot),
      .asked_sub_group_o(sequencer_sub_group),
      .asked_lanes_o(sequencer_lanes)
  );

  // ---- f1, f2: fetch.
  wire [31:0] de_instruction;
  wire de_miss, de_bad_fetch, fetch_retry;
  wire fetch_request, fetch_request_ready, fetch_response;
  wire [GLOBAL_LOG2-1:0] fetch_address;
  fetch #(
      .ROW_BYTES(ROW_BYTES),
      .ROW_LOG2(ROW_LOG2),
      .CACHE_LOG2(FETCH_CACHE_LOG2),
      .GLOBAL_LOG2(GLOBAL_LOG2),
      .FIRST_LOG2(FIRST_LOG2)
  ) fetch (
      .clk(clk),
      .rst(rst),
      .flush_i(start_i),
      .f1_valid_i(f1_valid && !f1_bundle[B_LAUNCH]),
      .f1_pc_i(f1_bundle[B_PC+:PC]),
      .de_instruction_o(de_instruction),
      .de_miss_o(de_miss),
      .de_bad_o(de_bad_fetch),
      .retry_o(fetch_retry),
      .request_valid_o(fetch_request),
      .request_ready_i(fetch_request_ready),
      .request_address_o(fetch_address),
      .response_valid_i(fetch_response),
      .response_data_i(response_data_i)
  );

  // ---- de: decode; the registers' and the identity's addresses go out.
  wire illegal, rs1_used, rs2_used, rs3_used, uniform, pc_relative, csr;
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

  // In further passes of a sum of floats across lanes rd is the operand, and the addend is there.
  wire de_again = de_bundle[B_PASS+:PASS_BITS] != 0;
  wire [4:0] de_rs1 = de_again ? de_instruction[11:7] : de_instruction[19:15];
  assign de_go = de_valid && (de_launch || !de_miss) && !clear;
  reg [OPERATION_BITS-1:0] rd_operation;
  reg rd_shuffle, rd_rs1_used, rd_rs2_zero, rd_uniform, rd_pc_relative, rd_csr, rd_quotient;
  reg [ 2:0] rd_csr_kind;
  reg [31:0] rd_immediate;
  always @(posedge clk) begin
    rd_shuffle <= de_go && control[C_SHUFFLE] && !de_launch;
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
    rd_operation <= de_launch ? {OPERATION_BITS{1'b0}} : operation;
    if (de_again) {rd_operation[O_THIRD_ZERO], rd_operation[O_NEGATE_ADDEND]} <= 2'b00;
    // A quotient waits for its instruction alone: it is there long before that comes again.
    rd_quotient <= operation[O_FLOAT_DIVIDE] && !de_launch && float_divide_done && divide_slot == de_slot;
  end

  // ---- rd: does it need what a load has still to bring?
  wire de_gives = control[C_WRITES] || control[C_LOAD] || control[C_ATOMIC] || control[C_DIVIDE];
  in_flight #(
      .SLOTS(SLOTS),
      .SLOT_BITS(SLOT_BITS)
  ) in_flight (
      .clk(clk),
      .rst(clear),
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
      .rd_slot_i(rd_slot),
      .rd_wait_o(rd_wait),
      .e2_slot_i(e2_bundle[B_SLOT+:SLOT_BITS]),
      .e2_loads_i(!e2_control[C_STORE]),
      .e2_local_i(e2_some_local),
      .e2_global_i(e2_some_global),
      .e3_slot_i(e3_slot),
      .e3_launch_i(e3_commit && e3_launch),
      .e3_push_i(e3_commit && e3_memory && !e3_control[C_STORE]),
      .e3_rd_i(e3_rd),
      .e3_wait_o(e3_wait),
      .e3_stay_i(e3_retry && !load_store_full),
      .answer_i(answered),
      .answer_slot_i(answered_slot),
      .waiting_o(loads_awaited),
      .wake_o(loads_again)
  );

  // ---- rd, op: operands.
  wire [31:0] op_value;
  reg op_float_divide, op_quotient;
  reg [LANES-1:0] op_silent;  // in the first pass of a sum of floats, lanes that have no part in it
  reg [LANES-1:0] op_rs1_read;  // lanes whose first operand is rs1: it is not x0, and they are not silent
  reg [LANES-1:0] op_rs1_low;  // and those for which it is the lowest bits of x0's word, local id x
  wire rd_first_sum = rd_control[C_SUM] && rd_bundle[B_PASS+:PASS_BITS] == 0;
  wire [LANES-1:0] rd_silent = {LANES{rd_first_sum}} & ~rd_bundle[B_LANES+:LANES];
  wire [LANES-1:0] rd_rs1_read = {LANES{rd_rs1_used && !rd_quotient}} & ~rd_silent;
  always @(posedge clk) begin
    op_quotient <= rd_quotient;
    op_silent <= rd_silent;
    op_rs1_read <= rd_rs1_read;
    op_rs1_low <= rd_rs1_read | {LANES{rd_control[C_LOCAL_ID]}};
    op_float_divide <= rd_operation[O_FLOAT_DIVIDE];
  end
  operand_value #(
      .LANES(LANES),
      .SLOT_BITS(SLOT_BITS),
      .LEVELS(LEVELS)
  ) operand_value (
      .clk(clk),
      .packet_i(packet_i),
      .private_log2_i(private_log2_i),
      .clock_i(clock_i),
      .rd_bundle_i(rd_bundle),
      .rd_immediate_i(rd_immediate),
      .rd_pc_relative_i(rd_pc_relative),
      .rd_csr_i(rd_csr),
      .rd_csr_kind_i(rd_csr_kind),
      .rd_identity_i(rd_identity),
      .rd_x0_i(rd_rs2_zero && !rd_uniform),
      .rd_quotient_i(rd_quotient),
      .op_value_o(op_value),
      .op_target_o(op_target)
  );

  // ---- op to wb: the lanes.
  generate
    for (n = 0; n < LANES; n = n + 1) begin : lanes
      lane #(
          .LANE(n),
          .ADDRESS_BITS(SLOT_BITS + 5),
          .TAIL(TAIL),
          .MUL(MUL),
          .DIV(DIV),
          .FPU(FPU),
          .BITMANIP(BITMANIP),
          .COMPACT(COMPACT)
      ) lane (
          .clk(clk),
          .de_read1_i({de_slot, de_rs1}),
          .de_read2_i({de_slot, de_instruction[24:20]}),
          .de_read3_i({de_slot, third}),
          .rd_operation_i(rd_operation),
          .rd_uniform_i(rd_uniform || rd_rs2_zero || rd_quotient),
          .rd_quotient_i(rd_quotient),
          .rd_launch_i(rd_bundle[B_LAUNCH]),
          .rd_lane_id_i(rd_control[C_LANE_ID]),
          .launch_ids_i(launch_ids[n*30+:30]),
          .op_rs1_read_i(op_rs1_read[n]),
          .op_rs1_low_i(op_rs1_low[n]),
          .op_local_id_i(op_control[C_LOCAL_ID+1+:2]),
          .op_silent_i(op_silent[n]),
          .op_value_i(op_value),
          .op_multiplicand_signed_i(op_control[C_MULTIPLICAND_SIGNED]),
          .op_multiplier_signed_i(op_control[C_MULTIPLIER_SIGNED]),
          .op_subtract_i(op_control[C_SUBTRACT]),
          .op_unsigned_i(op_control[C_UNSIGNED]),
          .op_right_i(op_control[C_RIGHT]),
          .op_arithmetic_i(op_control[C_ARITHMETIC]),
          .e1_multiply_high_i(e1_control[C_HIGH]),
          .e1_result_i(e1_control[C_RESULT+:3]),
          .e2_compare_less_i(e2_funct3[2]),
          .e2_compare_invert_i(e2_funct3[0]),
          .e3_shuffled_i(e3_shuffled[n*32+:32]),
          .divide_start_i(divide_start),
          .divide_signed_i(!e1_funct3[0]),
          .divide_remainder_i(e1_funct3[1]),
          .divide_step_i(divide_step),
          .divide_normalise_i(divide_normalise),
          .divide_result_i(divide_ending && !wb_write),
          .divide_normalise_o(divide_normalises[n]),
          .e1_a_o(e1_a[n*32+:32]),
          .e1_b_o(e1_b[n*32+:32]),
          .e1_a_nan_o(e1_a_nan[n]),
          .e2_sum_o(e2_sum[n*32+:32]),
          .e2_taken_o(e2_taken[n]),
          .e3_store_o(e3_store_data[n*32+:32]),
          .last_float_o(last_float[n*32+:32]),
          .last_link_i({last_link, 2'b00}),
          .last_collective_i(last_collective),
          .wb_write_i(wb_write),
          .wb_collective_value_i(wb_collective_value[n*32+:32]),
          .write_i(register_write[n]),
          .write_address_i(register_address),
          .write_load_i(register_load),
          .load_value_i(load_value[n*32+:32]),
          .write_addend_i(wr_again),
          .wb_addend_i(wb_addend[n*32+:32])
      );
    end
  endgenerate

  // ---- e1: division starts, or waits for the divider. That of floats, and their root, leaves the pipeline when it starts; its
  // slot is woken when the divider has the digits, and the instruction comes again and rounds them.
  reg e1_divides, e1_float_divide, e1_quotient;
  always @(posedge clk) begin
    e1_divides <= op_valid && !op_illegal && !op_bad_fetch && !clear &&
                  (op_control[C_DIVIDE] || (op_float_divide && !op_quotient));
    e1_float_divide <= op_float_divide;
    e1_quotient <= op_quotient;
  end
  assign divide_start = e1_divides && !divide_busy;
  assign e1_retry = e1_divides && (divide_busy || e1_float_divide);
  divide_control #(
      .LANES(LANES),
      .SLOT_BITS(SLOT_BITS)
  ) divide_control (
      .clk(clk),
      .rst(clear),
      .start_i(divide_start),
      .float_i(e1_float_divide),
      .rd_i(e1_rd),
      .slot_i(e1_slot),
      .lanes_i(e1_lanes),
      .busy_o(divide_busy),
      .step_o(divide_step),
      .normalise_o(divide_normalise),
      .normalise_i(|(divide_normalises & divide_lanes)),
      .ending_o(divide_ending),
      .done_o(divide_done),
      .float_done_o(float_divide_done),
      .float_wake_o(float_divide_wake),
      .taken_i(divide_writes),
      .resumed_i(e1_valid && e1_quotient),
      .rd_o(divide_rd),
      .slot_o(divide_slot),
      .lanes_o(divide_lanes)
  );

  // ---- e1 to wb: across the lanes.
  across_lanes #(
      .LANES(LANES),
      .SLOT_BITS(SLOT_BITS),
      .LEVELS(LEVELS),
      .TAIL(TAIL),
      .FPU(FPU)
  ) across_lanes (
      .clk(clk),
      .clear_i(clear),
      .sub_group_log2_i(sub_group_log2_i),
      .op_slot_i(op_slot),
      .op_sub_group_i(op_bundle[B_SUB_GROUP+:SLOT_BITS]),
      .op_work_group_i(op_control[C_WORK_GROUP]),
      .e1_valid_i(e1_valid),
      .e1_control_i(e1_control),
      .e1_second_i(e1_bundle[B_SECOND]),
      .e1_carry_i(e1_carry),
      .e1_lanes_i(e1_lanes),
      .e1_a_i(e1_a),
      .e1_b_i(e1_b),
      .e1_nan_i(e1_a_nan),
      .e1_shuffles_o(e1_shuffles),
      .e2_word_o(e2_word),
      .e2_from_o(e2_from),
      .e2_shuffle_i(e2_control[C_SHUFFLE]),
      .e2_shuffled_i(e2_shuffled),
      .e3_shuffled_o(e3_shuffled),
      .e3_control_i(e3_control),
      .e3_again_i(e3_again),
      .e3_pass_i(e3_bundle[B_PASS+:PASS_BITS]),
      .e3_aside_i(e3_park || e3_arrive),
      .last_valid_i(tail_valid[TAIL-2]),
      .last_float_i(last_float),
      .last_collective_o(last_collective),
      .wb_sum_i(wb_control[C_SUM]),
      .wb_lanes_i(wb_bundle[B_LANES+:LANES]),
      .wb_value_o(wb_collective_value),
      .wb_total_o(wb_total),
      .wb_addend_o(wb_addend)
  );

  // ---- e1 to wb: which lanes run next.
  next_pc #(
      .LANES(LANES),
      .SLOTS(SLOTS),
      .SLOT_BITS(SLOT_BITS),
      .LEVELS(LEVELS),
      .TAIL(TAIL),
      .COMPACT(COMPACT)
  ) next_pc (
      .clk(clk),
      .e1_bundle_i(e1_bundle),
      .e1_control_i(e1_control),
      .e2_bundle_i(e2_bundle),
      .e2_exit_i(e2_control[C_EXIT]),
      .e2_taken_i(e2_taken),
      .e2_sum_i(e2_sum),
      .e2_target_i(e2_target[31:2]),
      .e2_link_o(e2_link),
      .e3_slot_i(e3_slot),
      .e3_again_o(e3_again),
      .e3_live_o(e3_live),
      .e4_commit_i(tail_valid[0]),
      .wb_dead_o(wb_dead),
      .wb_all_parked_o(wb_all_parked),
      .wb_pc_o(wb_next_pc),
      .wb_lanes_o(wb_next_lanes)
  );

  // ---- e2: addresses.
  lane_addresses #(
      .LANES(LANES),
      .SLOT_BITS(SLOT_BITS),
      .LEVELS(LEVELS),
      .GLOBAL_LOG2(GLOBAL_LOG2),
      .FIRST_LOG2(FIRST_LOG2),
      .CONTROL(CONTROL),
      .LOCAL_LOG2(LOCAL_LOG2)
  ) lane_addresses (
      .clk(clk),
      .local_bytes_i(local_bytes_i),
      .private_base_i(private_base_i),
      .private_log2_i(private_log2_i),
      .op_slot_i(op_slot),
      .e1_lanes_i(e1_lanes),
      .e1_control_i(e1_control),
      .e1_size_i(e1_funct3[1:0]),
      .e1_off_i(e1_target[1]),
      .e1_local_base_i(local_base),
      .e2_lanes_i(e2_lanes),
      .e2_size_i(e2_funct3[1:0]),
      .e2_sum_i(e2_sum),
      .e2_taken_i(e2_taken),
      .e2_some_local_o(e2_some_local),
      .e2_some_global_o(e2_some_global),
      .e3_local_o(e3_local),
      .e3_place_o(e3_place_address),
      .e3_fault_o(e3_fault),
      .e3_faults_o(e3_lane_faults)
  );

  // ---- e3: the instruction takes effect, or tries again later, or faults.
  wire e3_memory = (e3_control[C_LOAD] || e3_control[C_STORE] || e3_control[C_ATOMIC]) && !e3_illegal && !e3_bad_fetch;
  wire e3_bad = e3_illegal || e3_bad_fetch || (|e3_lane_faults);
  wire e3_retry = e3_valid && e3_memory && !e3_bad && (load_store_full || e3_wait);
  wire e3_faults = e3_valid && e3_bad;
  wire e3_commit = e3_valid && !e3_bad && !e3_retry;
  // Its lanes wait for others of the sub-group, or the sub-group for others of the work-group.
  wire e3_converged = e3_bundle[B_CONVERGED];
  wire e3_park = e3_control[C_CONVERGES] && !e3_converged;
  wire e3_arrive = e3_control[C_CONVERGES] && e3_converged && e3_control[C_WORK_GROUP] && !e3_second;

  // Memory.
  wire data_valid, data_ready, data_response, data_response_ready;
  wire [1:0] data_kind;
  wire [GLOBAL_LOG2-1:0] data_address;
  wire [NOTE_BITS-1:0] data_label;
  load_store #(
      .LANES(LANES),
      .SLOT_BITS(SLOT_BITS),
      .PLACE_BITS(GLOBAL_LOG2),
      .LOCAL_LOG2(LOCAL_LOG2),
      .ROW_LOG2(ROW_LOG2),
      .COMPACT(COMPACT)
  ) load_store (
      .clk(clk),
      .rst(rst),
      .begin_i(e3_commit && e3_launch),
      .push_i(e3_commit && e3_memory),
      .store_i(e3_control[C_STORE]),
      .atomic_i(e3_control[C_ATOMIC]),
      .function_i(e3_control[C_FUNCTION+:5]),
      .unsigned_i(e3_funct3[2]),
      .rd_i(e3_rd),
      .slot_i(e3_slot),
      .size_i(e3_funct3[1:0]),
      .lanes_i(e3_lanes),
      .local_i(e3_local),
      .place_i(e3_place_address),
      .data_i(e3_store_data),
      .rd_shuffle_i(rd_shuffle),
      .e1_shuffle_i(e1_shuffles),
      .e2_word_i(e2_word),
      .e2_from_i(e2_from),
      .e2_shuffled_o(e2_shuffled),
      .full_o(load_store_full),
      .idle_o(load_store_idle),
      .conflict_o(load_store_conflict),
      .write_valid_o(load_valid),
      .write_ready_i(load_ready),
      .write_rd_o(load_rd),
      .write_slot_o(load_slot),
      .write_lanes_o(load_lanes),
      .write_value_o(load_value),
      .write_drop_o(load_drop),
      .write_last_o(load_last),
      .request_valid_o(data_valid),
      .request_ready_i(data_ready),
      .request_kind_o(data_kind),
      .request_function_o(request_function_o),
      .request_address_o(data_address),
      .request_data_o(request_data_o),
      .request_strobe_o(request_strobe_o),
      .request_owner_o(request_owner_o),
      .request_label_o(data_label),
      .response_valid_i(data_response),
      .response_ready_o(data_response_ready),
      .response_data_i(response_data_i),
      .response_label_i(response_label_i[NOTE_BITS-1:0])
  );
  request_port #(
      .PLACE_BITS(GLOBAL_LOG2),
      .NOTE_BITS (NOTE_BITS)
  ) request_port (
      .fetch_valid_i(fetch_request),
      .fetch_ready_o(fetch_request_ready),
      .fetch_address_i(fetch_address),
      .fetch_response_o(fetch_response),
      .data_valid_i(data_valid),
      .data_ready_o(data_ready),
      .data_kind_i(data_kind),
      .data_address_i(data_address),
      .data_label_i(data_label),
      .data_response_o(data_response),
      .data_response_ready_i(data_response_ready),
      .request_valid_o(request_valid_o),
      .request_ready_i(request_ready_i),
      .request_kind_o(request_kind_o),
      .request_address_o(request_address_o),
      .request_label_o(request_label_o),
      .response_valid_i(response_valid_i),
      .response_ready_o(response_ready_o),
      .response_fetch_i(response_label_i[NOTE_BITS])
  );

  // ---- e3 to wb.
  always @(posedge clk) tail_valid <= clear ? {TAIL{1'b0}} : {tail_valid[TAIL-2:0], e3_commit};
  reg [PC-1:0] e3_link;
  always @(posedge clk) e3_link <= e2_control[C_RESULT+:3] == RESULT_LINK ? e2_link : 30'd0;
  delay #(
      .WIDTH (PC),
      .CYCLES(TAIL - 1)
  ) carry_link (
      .clk(clk),
      .value_i(e3_link),
      .value_o(last_link)
  );
  delay #(
      .WIDTH (3 + BUNDLE_BITS + CONTROL_BITS + 5 + LANES),
      .CYCLES(TAIL)
  ) carry_instruction (
      .clk(clk),
      .value_i({
        e3_again, e3_arrive, e3_control[C_WRITES] && !e3_park && !e3_arrive, e3_bundle, e3_control, e3_rd, e3_live
      }),
      .value_o({wb_again, wb_arrive, wb_gives, wb_bundle, wb_control, wb_rd, wb_live})
  );

  // ---- wr: registers.
  write_back #(
      .LANES(LANES),
      .SLOT_BITS(SLOT_BITS)
  ) write_back (
      .clk(clk),
      .clear_i(clear),
      .wb_write_i(wb_write),
      .wb_slot_i(wb_bundle[B_SLOT+:SLOT_BITS]),
      .wb_rd_i(wb_rd),
      .wb_lanes_i(wb_bundle[B_LANES+:LANES]),
      .wb_all_lanes_i(wb_control[C_SUM]),
      .divide_ending_i(divide_ending),
      .divide_done_i(divide_done),
      .divide_slot_i(divide_slot),
      .divide_rd_i(divide_rd),
      .divide_lanes_i(divide_lanes),
      .divide_o(divide_writes),
      .load_valid_i(load_valid),
      .load_ready_o(load_ready),
      .load_slot_i(load_slot),
      .load_rd_i(load_rd),
      .load_lanes_i(load_lanes),
      .load_drop_i(load_drop),
      .load_last_i(load_last),
      .answered_o(answered),
      .answered_slot_o(answered_slot),
      .gap_o(gap),
      .address_o(register_address),
      .write_o(register_write),
      .write_load_o(register_load)
  );

  // ---- work-groups.
  wire groups_idle;
  work_groups #(
      .LANES(LANES),
      .SLOTS(SLOTS),
      .SLOT_BITS(SLOT_BITS),
      .LOCAL_LOG2(LOCAL_LOG2)
  ) work_groups (
      .clk(clk),
      .clear_i(clear),
      .start_i(start_i),
      .sub_groups_i(sub_groups_i),
      .local_bytes_i(local_bytes_i),
      .sub_group_log2_i(sub_group_log2_i),
      .group_valid_i(group_valid_i && !halted),
      .group_ready_o(group_ready_o),
      .group_id_i(group_id_i),
      .group_base_i(group_base_i),
      .group_size_i(group_size_i),
      .group_done_o(group_done_o),
      .idle_o(groups_idle),
      .launch_valid_o(launch_valid),
      .launch_taken_i(launch_taken),
      .launch_slot_o(launch_slot),
      .launch_place_o(launch_place),
      .launch_sub_group_o(launch_sub_group),
      .launch_lanes_o(launch_lanes),
      .launch_ids_o(launch_ids),
      .identity_i(halted ? record_identity : {de_bundle[B_PLACE+:SLOT_BITS], csr_index}),
      .identity_o(rd_identity),
      .place_i(e1_bundle[B_PLACE+:SLOT_BITS]),
      .local_base_o(local_base),
      .event_valid_i(wb_valid && (wb_arrive || wb_dead)),
      .event_finish_i(wb_dead),
      .event_place_i(wb_bundle[B_PLACE+:SLOT_BITS]),
      .event_slot_i(wb_bundle[B_SLOT+:SLOT_BITS]),
      .event_pc_i(wb_bundle[B_PC+:PC]),
      .event_operation_i(wb_control[C_OPERATION+:`HEDDLE_COLLECTIVE_BITS]),
      .event_scan_i(wb_control[C_EXCLUSIVE] || wb_control[C_INCLUSIVE]),
      .event_total_i(wb_total),
      .release_valid_o(release_valid),
      .release_slot_o(release_slot),
      .rd_slot_i(rd_slot),
      .op_carry_o(op_carry),
      .divergent_o(sequencer_divergent),
      .divergent_slot_o(sequencer_slot),
      .divergent_place_o(sequencer_place),
      .divergent_pc_o(sequencer_pc)
  );
  assign idle_o = groups_idle && load_store_idle;

  // ---- who may be chosen again.
  wire memory_waits;
  waking #(
      .SLOTS(SLOTS),
      .SLOT_BITS(SLOT_BITS),
      .TAIL(TAIL)
  ) waking (
      .clk(clk),
      .clear_i(clear),
      .e3_slot_i(e3_slot),
      .wb_ready_i(wb_valid && !wb_dead && !wb_divergent && !wb_control[C_DIVIDE] && !wb_arrive),
      .de_miss_i(de_valid && !de_launch && de_miss),
      .de_slot_i(de_slot),
      .fetch_retry_i(fetch_retry),
      .e1_busy_i(e1_retry && !divide_start),
      .e1_slot_i(e1_slot),
      .divide_busy_i(divide_busy),
      .divided_i(divide_writes || float_divide_wake),
      .divide_slot_i(divide_slot),
      .e3_full_i(e3_retry && load_store_full),
      .memory_full_i(load_store_full),
      .loads_again_i(loads_again),
      .release_valid_i(release_valid),
      .release_slot_i(release_slot),
      .memory_waits_o(memory_waits),
      .wake_o(wake)
  );

  // ---- performance counters.
  reg [5:0] active;
  always @* begin
    active = 6'd0;
    for (i = 0; i < LANES; i = i + 1) active = active + {5'd0, e3_lanes[i]};
  end
  reg e4_conflict, e4_memory_wait;
  always @(posedge clk) begin
    issued_o <= e3_commit && !e3_launch && !e3_again;
    active_o <= active;
    e4_conflict <= load_store_conflict;
    e4_memory_wait <= (|loads_awaited) || memory_waits;
    conflict_o <= !tail_valid[0] && e4_conflict;
    memory_wait_o <= !tail_valid[0] && !e4_conflict && e4_memory_wait;
  end

  // ---- faults: the first is kept; after it nothing issues.
  fault_record #(
      .LANES(LANES),
      .SLOT_BITS(SLOT_BITS),
      .PIPELINE(10 + TAIL)
  ) fault_record (
      .clk(clk),
      .rst(clear),
      .start_i(start_i),
      .wb_valid_i(wb_valid && !wb_dead),
      .e2_sums_i(e2_sum),
      .e3_faults_i(e3_faults),
      .e3_illegal_i(e3_illegal),
      .e3_bad_fetch_i(e3_bad_fetch),
      .e3_jump_i(e3_control[C_JUMP] || e3_control[C_BRANCH]),
      .e3_jump_register_i(e3_control[C_JUMP_REGISTER]),
      .e3_target_i(e3_target),
      .e3_pc_i(e3_pc),
      .e3_place_i(e3_place),
      .e3_sub_group_i(e3_sub_group),
      .e3_lanes_i(e3_lanes),
      .e3_lane_faults_i(e3_lane_faults),
      .e3_codes_i(e3_fault),
      .wb_divergent_i(wb_divergent),
      .wb_pc_i(wb_next_pc),
      .wb_place_i(wb_bundle[B_PLACE+:SLOT_BITS]),
      .wb_sub_group_i(wb_bundle[B_SUB_GROUP+:SLOT_BITS]),
      .wb_lanes_i(wb_next_lanes),
      .group_divergent_i(sequencer_divergent),
      .group_pc_i(sequencer_pc),
      .group_place_i(sequencer_place),
      .group_sub_group_i(sequencer_sub_group),
      .group_lanes_i(sequencer_lanes),
      .stop_i(stop_i),
      .stop_reason_i(stop_reason_i),
      .quiet_i(load_store_idle && fetch_retry && (!divide_busy || float_divide_done)),
      .identity_o(record_identity),
      .identity_i(rd_identity),
      .drained_o(drained_o),
      .halted_o(halted),
      .fault_o(fault_o),
      .reason_o(fault_reason_o),
      .pc_o(fault_pc_o),
      .address_o(fault_address_o),
      .group_o(fault_group_o),
      .sub_group_o(fault_sub_group_o),
      .lane_o(fault_lane_o)
  );

`ifdef HEDDLE_TRACE
  wire [95:0] e3_group = {
    work_groups.identity[{e3_place, 4'd5}],
    work_groups.identity[{e3_place, 4'd4}],
    work_groups.identity[{e3_place, 4'd3}]
  };
  wire [LANES*32-1:0] write_value;
  generate
    for (n = 0; n < LANES; n = n + 1) begin : traced
      assign write_value[n*32+:32] = lanes[n].lane.write_value;
    end
  endgenerate
  trace #(
      .LANES(LANES),
      .SLOT_BITS(SLOT_BITS)
  ) trace (
      .clk(clk),
      .halted_i(halted),
      .e2_sum_i(e2_sum),
      .e3_retires_i(e3_commit && !e3_launch && !e3_park && !e3_arrive && !e3_again),
      .e3_arrives_i(e3_commit && e3_arrive),
      .e3_second_i(e3_second),
      .e3_slot_i(e3_slot),
      .e3_sub_group_i(e3_sub_group),
      .e3_group_i(e3_group),
      .e3_pc_i(e3_pc),
      .e3_lanes_i(e3_lanes),
      .e3_store_i(e3_control[C_STORE]),
      .e3_memory_i(e3_memory),
      .e3_writes_i(e3_control[C_WRITES] ||
                   ((e3_control[C_LOAD] || e3_control[C_ATOMIC] || e3_control[C_DIVIDE]) && e3_rd != 5'd0)),
      .e3_rd_i(e3_rd),
      .e3_stored_i(e3_store_data),
      .wb_sum_i(wb_write && wb_control[C_SUM]),
      .wb_again_i(wb_again),
      .wb_lanes_i(wb_bundle[B_LANES+:LANES]),
      .write_address_i(register_address),
      .write_lanes_i(register_write),
      .write_value_i(write_value)
  );
`endif
endmodule

`default_nettype wire
