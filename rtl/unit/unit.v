// SPDX-License-Identifier: Apache-2.0
// A compute unit: takes work-groups, runs their sub-groups to the end, reports the first fault. A barrel: a slot (the
// resident state of a sub-group) has at most one instruction in flight, so nothing is forwarded and nothing interlocks.
// One instruction a cycle for all lanes of a sub-group; 10 + TAIL cycles from issue to issue of a slot (README.md has the stages).
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
  // Stages from e3 to wb: as many as the trees across the lanes have levels, or floating point takes. Without it they are as many all the
  // same, since long wires take time, but for a compact unit, which has fewer registers so and issues earlier again.
  localparam LEAST_TAIL = COMPACT != 0 && FPU == 0 ? 2 : 4;
  localparam TAIL = LEVELS > LEAST_TAIL ? LEVELS : LEAST_TAIL;
  localparam PC = 30;  // bits of a PC without its two zeros
  `include "rtl/lane/operation.vh"
  `include "rtl/unit/control.vh"
  localparam OPERATION_BITS = `HEDDLE_OPERATION_BITS, CONTROL_BITS = `HEDDLE_CONTROL_BITS;
  localparam [CONTROL_BITS-1:0] LAUNCH_CONTROL = 1 << C_WRITES;  // a launch writes local ids to x0

  // All of the unit that belongs to a dispatch; a cycle later than it is said, since it has far to go.
  reg clear;
  always @(posedge clk) clear <= rst || clear_i;
  wire halted;
  integer i;
  genvar n;

  // ---- se: choose a slot, or let a launch in, or leave a gap for a late register write.
  wire [SLOTS-1:0] wake;
  wire gap;
  wire launch_valid;
  wire launch_now = launch_valid && !halted && !gap;
  wire selected;
  wire [SLOT_BITS-1:0] selected_slot;
  select #(
      .SLOTS(SLOTS),
      .SLOT_BITS(SLOT_BITS)
  ) select (
      .clk(clk),
      .rst(rst),
      .hold_i(launch_now || gap || halted),
      .clear_i(clear),
      .wake_i(wake),
      .valid_o(selected),
      .slot_o(selected_slot)
  );

  // ---- st: read what the slot does next, and who it is.
  wire [SLOT_BITS-1:0] launch_slot, launch_place, launch_sub_group;
  wire [LANES-1:0] launch_lanes;
  wire [LANES*30-1:0] launch_ids;
  reg st_launch;
  always @(posedge clk) st_launch <= launch_now && !clear;
  wire st_valid = selected || st_launch;
  wire [SLOT_BITS-1:0] st_slot = st_launch ? launch_slot : selected_slot;

  // next[]: {pass of an instruction that takes several, PC, lanes that run, these are all live lanes}; written at wb.
  localparam PASS_BITS = 3;
  localparam NEXT_BITS = PASS_BITS + PC + LANES + 1;
  reg [NEXT_BITS-1:0] next[0:SLOTS-1];
  // sub_groups[]: {place, sub-group id, size}; written at launch.
  localparam SIZE_BITS = LEVELS + 1;
  reg [2*SLOT_BITS+SIZE_BITS-1:0] sub_groups[0:SLOTS-1];
  reg [SIZE_BITS-1:0] launch_size;
  always @* begin
    launch_size = 0;
    for (i = 0; i < LANES; i = i + 1) launch_size = launch_size + {{LEVELS{1'b0}}, launch_lanes[i]};
  end
  always @(posedge clk) if (launch_now) sub_groups[launch_slot] <= {launch_place, launch_sub_group, launch_size};

  // A slot in its second pass through a work-group collective, and the carry it brings.
  reg [SLOTS-1:0] second_pass;
  reg [31:0] carries[0:SLOTS-1];

  reg f1_valid, f1_launch, f1_second;
  reg [SLOT_BITS-1:0] f1_slot;
  reg [NEXT_BITS-1:0] f1_next;
  reg [2*SLOT_BITS+SIZE_BITS-1:0] f1_sub_group;
  always @(posedge clk) begin
    f1_valid <= st_valid && !clear;
    f1_launch <= st_launch;
    f1_slot <= st_slot;
    f1_next <= next[st_slot];
    f1_sub_group <= sub_groups[st_slot];
    f1_second <= second_pass[st_slot];
  end

  // ---- f1, f2: fetch.
  wire [PC-1:0] f1_pc = f1_launch ? entry_i : f1_next[LANES+1+:PC];
  wire [PASS_BITS-1:0] f1_pass = f1_launch ? {PASS_BITS{1'b0}} : f1_next[NEXT_BITS-1-:PASS_BITS];
  wire [LANES-1:0] f1_lanes = f1_launch ? launch_lanes : f1_next[LANES:1];
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
      .f1_valid_i(f1_valid && !f1_launch),
      .f1_pc_i(f1_pc),
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

  // What accompanies an instruction to e3: {pass, launch, second pass, converged, slot, place, sub-group id, size, PC, lanes}.
  localparam B_LANES = 0, B_PC = LANES, B_SIZE = B_PC + PC, B_SUB_GROUP = B_SIZE + SIZE_BITS,
             B_PLACE = B_SUB_GROUP + SLOT_BITS, B_SLOT = B_PLACE + SLOT_BITS, B_CONVERGED = B_SLOT + SLOT_BITS,
             B_SECOND = B_CONVERGED + 1, B_LAUNCH = B_SECOND + 1, B_PASS = B_LAUNCH + 1,
             BUNDLE_BITS = B_PASS + PASS_BITS;
  wire [BUNDLE_BITS-1:0] f1_bundle = {
    f1_pass, f1_launch, f1_second, f1_next[0], f1_slot, f1_sub_group, f1_pc, f1_lanes
  };
  reg f2_valid, de_valid;
  reg [BUNDLE_BITS-1:0] f2_bundle, de_bundle, rd_bundle, op_bundle, e1_bundle, e2_bundle, e3_bundle;
  always @(posedge clk) begin
    f2_valid  <= f1_valid && !clear;
    f2_bundle <= f1_bundle;
    de_valid  <= f2_valid && !clear;
    de_bundle <= f2_bundle;
    rd_bundle <= de_bundle;
    op_bundle <= rd_bundle;
    e1_bundle <= op_bundle;
    e2_bundle <= e1_bundle;
    e3_bundle <= e2_bundle;
  end

  // ---- de: decode; the registers' and the identity's addresses go out.
  wire de_launch = de_bundle[B_LAUNCH];
  wire [SLOT_BITS-1:0] de_slot = de_bundle[B_SLOT+:SLOT_BITS];
  wire [SLOT_BITS-1:0] de_place = de_bundle[B_PLACE+:SLOT_BITS];

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

  // identity[]: {place, word}: what CSRs read of the work-group. After a fault the record reads the group id here.
  reg [31:0] identity[0:(SLOTS<<4)-1];
  reg [31:0] rd_identity;
  wire identity_write;
  wire [SLOT_BITS+3:0] identity_address;
  wire [31:0] identity_data;
  wire [SLOT_BITS+3:0] record_identity;
  always @(posedge clk) begin
    if (identity_write) identity[identity_address] <= identity_data;
    rd_identity <= identity[halted?record_identity : {de_place, csr_index}];
  end

  // The control that lanes and collectives need in stages op, e1, e2 and e3.
  reg [OPERATION_BITS-1:0] rd_operation;
  reg rd_valid, rd_illegal, rd_bad_fetch, rd_shuffle;
  reg [4:0] rd_rd;
  reg [2:0] rd_funct3;
  reg rd_rs1_used, rd_rs2_zero, rd_uniform, rd_pc_relative, rd_csr;
  reg [ 2:0] rd_csr_kind;
  reg [31:0] rd_immediate;
  reg [CONTROL_BITS-1:0] rd_control, op_control, e1_control, e2_control, e3_control;
  wire de_go = de_valid && (de_launch || !de_miss) && !clear;
  // In further passes of a sum of floats across lanes rd is the operand, and the addend is there.
  wire de_again = de_bundle[B_PASS+:PASS_BITS] != 0;
  wire [4:0] de_rs1 = de_again ? de_instruction[11:7] : de_instruction[19:15];
  always @(posedge clk) begin
    rd_valid <= de_go;
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
    rd_control <= de_launch ? LAUNCH_CONTROL : control;
  end

  wire de_gives = control[C_WRITES] || control[C_LOAD] || control[C_ATOMIC] || control[C_DIVIDE];

  // ---- rd: does it need what a load has still to bring?
  wire rd_wait, e3_wait;
  reg answered;
  reg [SLOT_BITS-1:0] answered_slot;
  wire [SLOTS-1:0] loads_awaited, loads_again;
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

  // The value that is the same for all lanes.
  wire [SLOT_BITS-1:0] rd_slot = rd_bundle[B_SLOT+:SLOT_BITS];
  wire [SLOT_BITS-1:0] rd_sub_group = rd_bundle[B_SUB_GROUP+:SLOT_BITS];
  wire [SIZE_BITS-1:0] rd_size = rd_bundle[B_SIZE+:SIZE_BITS];
  wire [PC-1:0] rd_pc = rd_bundle[B_PC+:PC];

  wire [31:0] rd_target = {rd_pc, 2'b00} + rd_immediate;
  reg [31:0] rd_csr_value;
  always @* begin
    case (rd_csr_kind)
      CSR_SUB_GROUP_ID: rd_csr_value = {{(32 - SLOT_BITS) {1'b0}}, rd_sub_group};
      CSR_SUB_GROUP_SIZE: rd_csr_value = {{(32 - SIZE_BITS) {1'b0}}, rd_size};
      CSR_PACKET: rd_csr_value = packet_i;
      CSR_STACK_TOP: rd_csr_value = 32'hC0000000 + (32'd1 << private_log2_i);
      CSR_CYCLE: rd_csr_value = clock_i[31:0];
      CSR_CYCLE_HIGH: rd_csr_value = clock_i[63:32];
      default: rd_csr_value = 32'd0;
    endcase
  end

  reg op_valid, op_illegal, op_bad_fetch, op_float_divide;
  reg [4:0] op_rd;
  reg [2:0] op_funct3;
  reg [31:0] op_value, op_carry;
  reg [31:0] op_identity;  // a word of the identity, which comes late, else 0
  reg [31:1] op_target;
  reg [LANES-1:0] op_silent;  // in the first pass of a sum of floats, lanes that have no part in it
  reg [LANES-1:0] op_rs1_read;  // lanes whose first operand is rs1: it is not x0, and they are not silent
  reg [LANES-1:0] op_rs1_low;  // and those for which it is the lowest bits of x0's word, local id x
  wire rd_first_sum = rd_control[C_SUM] && rd_bundle[B_PASS+:PASS_BITS] == 0;
  wire [LANES-1:0] rd_silent = {LANES{rd_first_sum}} & ~rd_bundle[B_LANES+:LANES];
  // A quotient waits for its instruction alone: it is there long before that comes again.
  wire divide_start, divide_step, divide_normalise;
  wire divide_busy, divide_ending, divide_done, float_divide_done, float_divide_wake;
  wire [4:0] divide_rd;
  wire [SLOT_BITS-1:0] divide_slot;
  wire [LANES-1:0] divide_lanes;
  reg rd_quotient;
  always @(posedge clk)
    rd_quotient <= operation[O_FLOAT_DIVIDE] && !de_launch && float_divide_done && divide_slot == de_slot;
  reg op_quotient;
  wire [LANES-1:0] rd_rs1_read = {LANES{rd_rs1_used && !rd_quotient}} & ~rd_silent;
  always @(posedge clk) begin
    op_valid <= rd_valid && (rd_bundle[B_LAUNCH] || !rd_wait) && !clear;
    {op_illegal, op_bad_fetch} <= {rd_illegal, rd_bad_fetch};
    {op_rd, op_funct3} <= {rd_rd, rd_funct3};
    op_quotient <= rd_quotient;
    op_value <= rd_csr ? rd_csr_value : rd_pc_relative ? rd_target :
                rd_rs2_zero && !rd_uniform ? 32'd0 : rd_immediate;  // a second operand x0
    if (rd_quotient) op_value[0] <= 1'b1;  // digits are multiplied by 1
    op_identity <= rd_identity & {32{rd_csr && rd_csr_kind == CSR_IDENTITY}};
    op_target <= rd_target[31:1];
    op_carry <= carries[rd_slot];
    op_silent <= rd_silent;
    op_rs1_read <= rd_rs1_read;
    op_rs1_low <= rd_rs1_read | {LANES{rd_control[C_LOCAL_ID]}};
    op_control <= rd_control;
    op_float_divide <= rd_operation[O_FLOAT_DIVIDE];
  end

  // ---- op, e1, e2, e3: the lanes.
  reg e1_valid, e1_illegal, e1_bad_fetch, e2_valid, e2_illegal, e2_bad_fetch, e3_valid, e3_illegal, e3_bad_fetch;
  reg [4:0] e1_rd, e2_rd, e3_rd;
  reg [2:0] e1_funct3, e2_funct3, e3_funct3;
  reg [31:1] e1_target, e2_target, e3_target;
  reg [31:0] e1_carry;
  wire e1_retry;
  always @(posedge clk) begin
    e1_valid <= op_valid && !clear;
    e2_valid <= e1_valid && !e1_retry && !clear;
    e3_valid <= e2_valid && !clear;
    {e1_illegal, e2_illegal, e3_illegal} <= {op_illegal, e1_illegal, e2_illegal};
    {e1_bad_fetch, e2_bad_fetch, e3_bad_fetch} <= {op_bad_fetch, e1_bad_fetch, e2_bad_fetch};
    {e1_rd, e2_rd, e3_rd} <= {op_rd, e1_rd, e2_rd};
    {e1_funct3, e2_funct3, e3_funct3} <= {op_funct3, e1_funct3, e2_funct3};
    {e1_target, e2_target, e3_target} <= {op_target, e1_target, e2_target};
    e1_carry <= op_carry;
    {e1_control, e2_control, e3_control} <= {op_control, e1_control, e2_control};
  end

  wire e1_second = e1_bundle[B_SECOND];
  wire [SLOT_BITS-1:0] e1_slot = e1_bundle[B_SLOT+:SLOT_BITS];
  wire [SLOT_BITS-1:0] e1_place = e1_bundle[B_PLACE+:SLOT_BITS];
  wire [LANES-1:0] e1_lanes = e1_bundle[B_LANES+:LANES];
  wire e2_launch = e2_bundle[B_LAUNCH];
  wire [PC-1:0] e2_pc = e2_bundle[B_PC+:PC];
  wire [LANES-1:0] e2_lanes = e2_bundle[B_LANES+:LANES];
  wire e3_launch = e3_bundle[B_LAUNCH];
  wire e3_second = e3_bundle[B_SECOND];
  wire [PASS_BITS-1:0] e3_pass = e3_bundle[B_PASS+:PASS_BITS];
  wire e3_converged = e3_bundle[B_CONVERGED];
  wire [SLOT_BITS-1:0] e3_slot = e3_bundle[B_SLOT+:SLOT_BITS];
  wire [SLOT_BITS-1:0] e3_place = e3_bundle[B_PLACE+:SLOT_BITS];
  wire [SLOT_BITS-1:0] e3_sub_group = e3_bundle[B_SUB_GROUP+:SLOT_BITS];
  wire [PC-1:0] e3_pc = e3_bundle[B_PC+:PC];
  wire [LANES-1:0] e3_lanes = e3_bundle[B_LANES+:LANES];

  wire [LANES*32-1:0] e1_a, e1_b, e2_sum, e3_store_data, wb_collective_value;
  wire [LANES*32-1:0] last_float, wb_scanned, wb_addend;
  wire wb_sum, wb_again, wb_hands_on;
  localparam PASSES = LEVELS > 0 ? LEVELS : 1;
  reg [PASSES-1:0] wb_sum_pass;  // of a sum of floats that has another pass, one-hot: every lane's addend hangs on it
  wire [LANES-1:0] e1_a_nan, e2_taken, register_write;
  wire [SLOT_BITS+4:0] register_address;
  wire [LANES*32-1:0] load_value;
  wire last_collective;
  wire [PC-1:0] last_link;
  wire [LANES-1:0] divide_normalises;
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
          .op_value_i(op_value | op_identity),
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
          .write_load_i(wr_load),
          .load_value_i(load_value[n*32+:32]),
          .write_addend_i(wr_hands_on),
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
      .taken_i(wr_divide),
      .resumed_i(e1_valid && e1_quotient),
      .rd_o(divide_rd),
      .slot_o(divide_slot),
      .lanes_o(divide_lanes)
  );

  // ---- e1 to wb: collectives. A converged collective is carried out; any other parks its lanes.
  wire e1_is_scan = e1_control[C_INCLUSIVE] || e1_control[C_EXCLUSIVE];
  wire [31:0] wb_total;
  wire wb_exclusive, wb_inclusive, wb_own, wb_before, wb_all;
  collective #(
      .LANES(LANES),
      .LEVELS(LEVELS),
      .SLOT_BITS(SLOT_BITS),
      .TAIL(TAIL),
      .FPU(FPU)
  ) collective (
      .clk(clk),
      .e1_a_i(e1_a),
      .e1_b_i(e1_b),
      .e1_nan_i(e1_a_nan),
      .e1_lanes_i((e1_second && !e1_is_scan) || e1_control[C_SUM] ? {LANES{1'b0}} : e1_lanes),
      .e1_add_i(e1_control[C_ADD]),
      .e1_max_i(e1_control[C_MAX]),
      .e1_signed_i(e1_control[C_SIGNED]),
      .e1_float_i(e1_control[C_FLOAT]),
      .e1_first_i(e1_valid && e1_control[C_FIRST]),
      .e1_second_i(e1_control[C_SECOND]),
      .op_slot_i(op_bundle[B_SLOT+:SLOT_BITS]),
      .op_work_group_i(op_control[C_WORK_GROUP]),
      .op_sub_group_i(op_bundle[B_SUB_GROUP+:SLOT_BITS]),
      .e1_predicate_i(e1_control[C_PREDICATE]),
      .e1_ballot_i(e1_control[C_BALLOT]),
      .e1_broadcast_i(e1_control[C_BROADCAST]),
      .sub_group_log2_i(sub_group_log2_i),
      .e1_carried_i(e1_second),
      .e1_carry_i(e1_carry),
      .last_sum_i(last_float),
      .wb_own_i(wb_own),
      .wb_before_i(wb_before),
      .wb_all_i(wb_all),
      .wb_value_o(wb_tree_value),
      .wb_scanned_o(wb_scanned),
      .wb_total_o(wb_total)
  );
  // Of a sum of floats nobody's -0 is before the first lane; an exclusive scan gives 0 there.
  wire [LANES*32-1:0] wb_tree_value;
  reg [LANES*32-1:0] wb_value;
  reg wb_some;
  always @* begin
    wb_value = wb_tree_value;
    wb_some  = 1'b0;
    for (i = 0; i < LANES; i = i + 1) begin
      if (wb_sum && wb_before && !wb_some) wb_value[i*32+31] = 1'b0;
      wb_some = wb_some || wb_lanes[i];
    end
  end
  assign wb_collective_value = wb_value;
  generate
    if (FPU != 0) begin : with_float_sum
      float_sum #(
          .LANES (LANES),
          .LEVELS(LEVELS)
      ) float_sum (
          .wb_pass_i  (wb_sum_pass),
          .wb_sum_i   (wb_scanned),
          .wb_addend_o(wb_addend)
      );
    end else begin : without_float_sum
      assign wb_addend = {LANES * 32{1'b0}};
      wire unused = &{1'b0, wb_scanned, wb_sum_pass};
    end
  endgenerate

  // ---- e1, e2: shuffles. They use the crossbar of load_store, which keeps it free for them.
  wire [LANES*LANES-1:0] e2_from;
  wire [LANES*32-1:0] e2_word, e2_shuffled;
  reg [LANES*32-1:0] e3_shuffled;
  wire e1_shuffles = e1_valid && e1_control[C_SHUFFLE];
  shuffle #(
      .LANES(LANES)
  ) shuffle (
      .clk(clk),
      .e1_shuffle_i(e1_shuffles),
      .e1_a_i(e1_a),
      .e1_b_i(e1_b),
      .e1_lanes_i(e1_lanes),
      .e2_word_o(e2_word),
      .e2_from_o(e2_from)
  );
  always @(posedge clk) e3_shuffled <= e2_control[C_SHUFFLE] ? e2_shuffled : {LANES * 32{1'b0}};

  // ---- e1: read where the lanes are; e2: where they go.
  // lanes_at[]: {live, parked, PC of each lane}; written the cycle after e3, when it is known that the instruction took effect.
  localparam AT_BITS = 2 * LANES + LANES * PC;
  // A slot has one instruction in the pipeline, so what is read is never being written. With few lanes and slots small RAM has room for it,
  // and leaves the time to a fast clock.
  wire [LANES-1:0] e2_live, e2_parked;
  wire [LANES*PC-1:0] e2_lane_pc;
  reg [TAIL-1:0] tail_valid;
  reg [SLOT_BITS-1:0] e4_slot;
  reg [AT_BITS-1:0] e4_lanes_at;
  slot_memory #(
      .WIDTH(AT_BITS),
      .SLOTS(SLOTS),
      .SLOT_BITS(SLOT_BITS),
      .BLOCK(LANES > 4 || SLOTS > 16 || COMPACT != 0)
  ) lanes_at (
      .clk(clk),
      .read_slot_i(e1_slot),
      .word_o({e2_live, e2_parked, e2_lane_pc}),
      .write_i(tail_valid[0]),
      .write_slot_i(e4_slot),
      .word_i(e4_lanes_at)
  );

  // Which of the places a lane goes to is known at e1, but for whether a branch is taken; each lane has it for itself.
  wire e1_converged = e1_bundle[B_CONVERGED];
  wire e1_park = e1_control[C_CONVERGES] && !e1_converged;
  wire e1_arrive = e1_control[C_CONVERGES] && e1_converged && e1_control[C_WORK_GROUP] && !e1_second;
  wire e1_again = e1_control[C_SUM] && e1_converged && e1_bundle[B_PASS+:PASS_BITS] != LEVELS[PASS_BITS-1:0];
  wire e1_stay = e1_park || e1_arrive || e1_again || e1_bundle[B_LAUNCH];
  reg e2_park, e2_again;
  reg [LANES-1:0] e2_stays, e2_to_register, e2_to_target, e2_branches;
  always @(posedge clk) begin
    {e2_park, e2_again} <= {e1_park, e1_again};
    e2_stays <= {LANES{e1_stay}} & e1_lanes;
    e2_to_register <= {LANES{!e1_stay && e1_control[C_JUMP_REGISTER]}} & e1_lanes;
    e2_to_target <= {LANES{!e1_stay && !e1_control[C_JUMP_REGISTER] && e1_control[C_JUMP]}} & e1_lanes;
    e2_branches <= {LANES{!e1_stay && !e1_control[C_JUMP_REGISTER] && e1_control[C_BRANCH]}} & e1_lanes;
  end
  wire [LANES-1:0] e2_goes = e2_to_target | (e2_branches & e2_taken);
  wire [LANES-1:0] e2_goes_on = e2_lanes & ~e2_stays & ~e2_to_register & ~e2_to_target & ~(e2_branches & e2_taken);
  wire [PC-1:0] e2_next_pc = e2_pc + 30'd1;
  reg [LANES-1:0] e3_live, e3_parked;
  reg [LANES*PC-1:0] e3_lane_pc;
  always @(posedge clk) begin
    e3_live   <= e2_launch ? e2_lanes : e2_live & ~(e2_control[C_EXIT] ? e2_lanes : {LANES{1'b0}});
    e3_parked <= e2_launch ? {LANES{1'b0}} : e2_park ? e2_parked | e2_lanes : e2_parked & ~e2_lanes;
    for (i = 0; i < LANES; i = i + 1)
    e3_lane_pc[i*PC+:PC] <= ({PC{!e2_lanes[i]}} & e2_lane_pc[i*PC+:PC]) | ({PC{e2_stays[i]}} & e2_pc) |
                            ({PC{e2_to_register[i]}} & e2_sum[i*32+2+:PC]) | ({PC{e2_goes[i]}} & e2_target[31:2]) |
                            ({PC{e2_goes_on[i]}} & e2_next_pc);
  end

  // ---- e2: check addresses; jump targets must be word-aligned.
  reg [GLOBAL_LOG2-1:0] e1_private_offset, e2_private_base;
  reg  [LOCAL_LOG2-1:0] e2_local_base;
  wire [LOCAL_LOG2-1:0] local_base;
  always @(posedge clk) begin
    e1_private_offset <= {{(GLOBAL_LOG2 - SLOT_BITS) {1'b0}}, op_bundle[B_SLOT+:SLOT_BITS]} <<
                         (LEVELS + {27'd0, private_log2_i});
    e2_private_base <= private_base_i + e1_private_offset;
    e2_local_base <= local_base;
  end
  reg [19:0] private_mask;  // stable, like what it comes from
  // What a lane is checked for is known at e1, and each lane has it for itself.
  wire e1_memory = e1_control[C_LOAD] || e1_control[C_STORE] || e1_control[C_ATOMIC];
  reg [LANES-1:0] e2_checked;  // lanes whose address counts
  reg [LANES-1:0] e2_no_bit_0, e2_no_bit_1;  // bit 0, bit 1 of whose sum may not be set
  reg [LANES-1:0] e2_off, e2_off_if_taken;  // whose jump, whose branch would not go to a word
  always @(posedge clk) begin
    private_mask <= ~(20'hFFFFF << private_log2_i);
    e2_checked <= {LANES{e1_memory}} & e1_lanes;
    e2_no_bit_0 <= {LANES{e1_memory && e1_funct3[1:0] != 2'd0}} & e1_lanes;
    e2_no_bit_1 <= {LANES{(e1_memory && e1_funct3[1]) || e1_control[C_JUMP_REGISTER]}} & e1_lanes;
    e2_off <= {LANES{e1_control[C_JUMP] && !e1_control[C_JUMP_REGISTER] && e1_target[1]}} & e1_lanes;
    e2_off_if_taken <= {LANES{e1_control[C_BRANCH] && !e1_control[C_JUMP_REGISTER] && e1_target[1]}} & e1_lanes;
  end
  wire [LANES-1:0] e2_local;
  wire [LANES*GLOBAL_LOG2-1:0] e2_place_address;
  wire [LANES-1:0] e2_outside;
  wire [LANES*3-1:0] e2_fault;
  reg [LANES-1:0] e3_local;
  reg [LANES*GLOBAL_LOG2-1:0] e3_place_address;
  reg [LANES*3-1:0] e3_fault;
  reg [LANES-1:0] e3_lane_faults;
  wire e2_some_local = |(e2_lanes & e2_local), e2_some_global = |(e2_lanes & ~e2_local);
  generate
    for (n = 0; n < LANES; n = n + 1) begin : addresses
      address #(
          .LANE(n),
          .LANES_LOG2(LEVELS),
          .GLOBAL_LOG2(GLOBAL_LOG2),
          .LOCAL_LOG2(LOCAL_LOG2),
          .FIRST_LOG2(FIRST_LOG2),
          .CONTROL(CONTROL)
      ) address (
          .address_i(e2_sum[n*32+:32]),
          .size_i(e2_funct3[1:0]),
          .local_bytes_i(local_bytes_i),
          .local_base_i(e2_local_base),
          .private_mask_i(private_mask),
          .private_base_i(e2_private_base),
          .local_o(e2_local[n]),
          .place_o(e2_place_address[n*GLOBAL_LOG2+:GLOBAL_LOG2]),
          .outside_o(e2_outside[n]),
          .fault_o(e2_fault[n*3+:3])
      );
      always @(posedge clk)
        e3_lane_faults[n] <= (e2_checked[n] && e2_outside[n]) ||
                             (e2_no_bit_0[n] && e2_sum[n*32]) || (e2_no_bit_1[n] && e2_sum[n*32+1]) ||
                             e2_off[n] || (e2_off_if_taken[n] && e2_taken[n]);
    end
  endgenerate
  always @(posedge clk) {e3_local, e3_place_address, e3_fault} <= {e2_local, e2_place_address, e2_fault};

  // ---- e3: the instruction takes effect, or tries again later, or faults.
  wire e3_memory = (e3_control[C_LOAD] || e3_control[C_STORE] || e3_control[C_ATOMIC]) && !e3_illegal && !e3_bad_fetch;
  wire e3_bad = e3_illegal || e3_bad_fetch || (|e3_lane_faults);
  wire load_store_full;
  wire e3_retry = e3_valid && e3_memory && !e3_bad && (load_store_full || e3_wait);
  wire e3_faults = e3_valid && e3_bad;
  wire e3_commit = e3_valid && !e3_bad && !e3_retry;
  wire e3_park = e3_control[C_CONVERGES] && !e3_converged;
  reg  e3_again;  // a sum of floats, and not its last pass
  always @(posedge clk) e3_again <= e2_again;
  wire e3_arrive = e3_control[C_CONVERGES] && e3_converged && e3_control[C_WORK_GROUP] && !e3_second;
  always @(posedge clk) begin
    {e4_slot, e4_lanes_at} <= {e3_slot, e3_live, e3_parked, e3_lane_pc};
    issued_o <= e3_commit && !e3_launch && !e3_again;
    active_o <= active;
  end
  reg [5:0] active;
  always @* begin
    active = 6'd0;
    for (i = 0; i < LANES; i = i + 1) active = active + {5'd0, e3_lanes[i]};
  end

  // Memory.
  wire load_valid, load_ready, load_last, load_drop, load_store_idle;
  wire [4:0] load_rd;
  wire [SLOT_BITS-1:0] load_slot;
  wire [LANES-1:0] load_lanes;
  wire data_valid, data_ready, data_response, data_response_ready;
  wire [1:0] data_kind;
  wire load_store_conflict;
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

  // ---- e3 to wb: which lanes run next.
  wire [LANES*(PC+2)-1:0] keys;
  generate
    for (n = 0; n < LANES; n = n + 1) begin : key
      assign keys[n*(PC+2)+:PC+2] = {!e3_live[n], e3_parked[n], e3_lane_pc[n*PC+:PC]};
    end
  endgenerate
  wire [PC+1:0] first_key, wb_key;
  wire [LANES-1:0] first_lanes, wb_next_lanes;
  converge #(
      .LANES(LANES),
      .LEVELS(LEVELS),
      .KEY_BITS(PC + 2)
  ) converge (
      .clk(clk),
      .key_i(keys),
      .key_o(first_key),
      .lanes_o(first_lanes)
  );
  delay #(
      .WIDTH (PC + 2 + LANES),
      .CYCLES(TAIL - LEVELS)
  ) wait_for_write_back (
      .clk(clk),
      .value_i({first_key, first_lanes}),
      .value_o({wb_key, wb_next_lanes})
  );

  // Only the valid bit of what is under way needs to be cleared.
  always @(posedge clk) tail_valid <= clear ? {TAIL{1'b0}} : {tail_valid[TAIL-2:0], e3_commit};
  wire wb_valid = tail_valid[TAIL-1];
  wire wb_second, wb_arrive, wb_aside, wb_writes, wb_add, wb_max, wb_signed, wb_float;
  wire [SLOT_BITS-1:0] wb_slot, wb_place, wb_sub_group;
  wire [4:0] wb_rd;
  wire [PASS_BITS-1:0] wb_pass;
  wire [PC-1:0] wb_pc;
  wire [LANES-1:0] wb_lanes, wb_live;
  // A sum of floats that goes on gives every lane its own.
  wire e3_own = e3_control[C_COLLECTIVE] && (e3_control[C_INCLUSIVE] || e3_again);
  wire e3_before = e3_control[C_COLLECTIVE] && e3_control[C_EXCLUSIVE] && !e3_again;
  reg [PC-1:0] e3_link;
  always @(posedge clk) e3_link <= e2_control[C_RESULT+:3] == RESULT_LINK ? e2_next_pc : 30'd0;
  delay #(
      .WIDTH (PC),
      .CYCLES(TAIL - 1)
  ) carry_link (
      .clk(clk),
      .value_i(e3_link),
      .value_o(last_link)
  );
  delay #(
      .WIDTH (1),
      .CYCLES(TAIL - 1)
  ) carry_collective (
      .clk(clk),
      .value_i(e3_control[C_COLLECTIVE]),
      .value_o(last_collective)
  );
  delay #(
      .WIDTH (15 + PASS_BITS + 3 * SLOT_BITS + 5 + PC + 2 * LANES),
      .CYCLES(TAIL)
  ) carry_control (
      .clk(clk),
      .value_i({
        e3_control[C_SUM],
        e3_again,
        e3_pass,
        e3_second,
        e3_arrive,
        e3_control[C_DIVIDE],
        e3_control[C_WRITES] && !e3_park && !e3_arrive,
        e3_own,
        e3_before,
        e3_control[C_COLLECTIVE] && !e3_own && !e3_before,
        e3_control[C_ADD],
        e3_control[C_MAX],
        e3_control[C_SIGNED],
        e3_control[C_FLOAT],
        e3_control[C_EXCLUSIVE],
        e3_control[C_INCLUSIVE],
        e3_slot,
        e3_place,
        e3_sub_group,
        e3_rd,
        e3_pc,
        e3_lanes,
        e3_live
      }),
      .value_o({
        wb_sum,
        wb_again,
        wb_pass,
        wb_second,
        wb_arrive,
        wb_aside,
        wb_writes,
        wb_own,
        wb_before,
        wb_all,
        wb_add,
        wb_max,
        wb_signed,
        wb_float,
        wb_exclusive,
        wb_inclusive,
        wb_slot,
        wb_place,
        wb_sub_group,
        wb_rd,
        wb_pc,
        wb_lanes,
        wb_live
      })
  );

  reg  [PASSES-1:0] e3_sum_pass;
  wire [PASSES-1:0] last_sum_pass;
  always @* begin
    e3_sum_pass = {PASSES{1'b0}};
    for (i = 0; i < PASSES; i = i + 1)
    e3_sum_pass[i] = e3_again && e3_control[C_WRITES] && !e3_park && !e3_arrive && e3_pass == i[PASS_BITS-1:0];
  end
  delay #(
      .WIDTH (PASSES),
      .CYCLES(TAIL - 1)
  ) carry_sum_pass (
      .clk(clk),
      .value_i(e3_sum_pass),
      .value_o(last_sum_pass)
  );
  always @(posedge clk) wb_sum_pass <= last_sum_pass & {PASSES{tail_valid[TAIL-2] && !clear}};

  // ---- wb: the slot's next step. wr: registers; late values take their port when the pipeline leaves it free.
  wire wb_write = wb_valid && wb_writes;
  assign wb_hands_on = wb_write && wb_again;
  reg wr_write, wr_divide, wr_load, wr_hands_on, divide_writes;
  reg [SLOT_BITS+4:0] wr_register;
  reg [LANES-1:0] wr_lanes;
  always @(posedge clk) begin
    {wr_write, wr_hands_on} <= {wb_write, wb_hands_on};
    wr_divide <= divide_ending && !wb_write && !clear;
    wr_load <= !divide_ending && !wb_write;
    // Zero where a load may have the port. Of a sum, lanes that have no part in it carry what was added below them.
    divide_writes <= divide_rd != 5'd0;  // long before it ends
    wr_register <= wb_write ? {wb_slot, wb_rd} : divide_ending ? {divide_slot, divide_rd} : {(SLOT_BITS + 5) {1'b0}};
    wr_lanes <= wb_write ? wb_lanes | {LANES{wb_sum}} : divide_ending && divide_writes ? divide_lanes : {LANES{1'b0}};
  end
  wire late_valid = divide_done || load_valid;
  assign load_ready = wr_load;
  // The registers have the value a cycle before an instruction may look for it.
  always @(posedge clk) begin
    answered <= load_valid && load_ready && load_last && !clear;
    answered_slot <= load_slot;
  end
  assign register_address = wr_register | ({load_slot, load_rd} & {(SLOT_BITS + 5) {wr_load}});
  assign register_write   = wr_lanes | (load_lanes & {LANES{load_valid && wr_load && !load_drop}});

  // A late value that has waited long asks for one gap in the issue; it comes a pipeline length later.
  reg [3:0] patience;
  always @(posedge clk)
    if (clear || !late_valid || !wr_write) patience <= 4'd0;
    else patience <= patience + 4'd1;
  assign gap = patience == 4'd7;

  wire wb_dead = wb_key[PC+1];
  wire wb_all_parked = wb_key[PC] && !wb_dead;
  wire wb_all_agree = wb_next_lanes == wb_live;
  wire wb_divergent = wb_valid && wb_all_parked && !wb_all_agree;
  wire wb_ready = wb_valid && !wb_dead && !wb_divergent && !wb_aside && !wb_arrive;
  always @(posedge clk)
    if (wb_valid)
      next[wb_slot] <= {wb_again ? wb_pass + 1'b1 : {PASS_BITS{1'b0}}, wb_key[PC-1:0], wb_next_lanes, wb_all_agree};

  // ---- work-groups.
  wire begin_valid, begin_ready, release_valid, done_valid, launch_idle;
  wire [SLOT_BITS-1:0] begin_place, begin_slot, release_slot, done_place;
  wire [SLOT_BITS:0] begin_count;
  wire [31:0] release_carry;
  wire sequencer_divergent;
  wire [SLOT_BITS-1:0] sequencer_slot, sequencer_place;
  wire [31:2] sequencer_pc;
  sequencer #(
      .SLOTS(SLOTS),
      .SLOT_BITS(SLOT_BITS)
  ) sequencer (
      .clk(clk),
      .rst(clear),
      .start_valid_i(begin_valid),
      .start_ready_o(begin_ready),
      .start_place_i(begin_place),
      .start_count_i(begin_count),
      .start_slot_i(begin_slot),
      .event_valid_i(wb_valid && (wb_arrive || wb_dead)),
      .event_finish_i(wb_dead),
      .event_place_i(wb_place),
      .event_slot_i(wb_slot),
      .event_pc_i(wb_pc),
      .event_add_i(wb_add),
      .event_max_i(wb_max),
      .event_signed_i(wb_signed),
      .event_float_i(wb_float),
      .event_scan_i(wb_exclusive || wb_inclusive),
      .event_total_i(wb_total),
      .release_valid_o(release_valid),
      .release_slot_o(release_slot),
      .release_carry_o(release_carry),
      .done_valid_o(done_valid),
      .done_place_o(done_place),
      .divergent_o(sequencer_divergent),
      .divergent_slot_o(sequencer_slot),
      .divergent_place_o(sequencer_place),
      .divergent_pc_o(sequencer_pc)
  );
  assign group_done_o = done_valid;

  launch #(
      .LANES(LANES),
      .SLOTS(SLOTS),
      .SLOT_BITS(SLOT_BITS),
      .LOCAL_LOG2(LOCAL_LOG2)
  ) launch (
      .clk(clk),
      .rst(clear),
      .start_i(start_i),
      .sub_groups_i(sub_groups_i),
      .local_bytes_i(local_bytes_i),
      .sub_group_log2_i(sub_group_log2_i),
      .group_valid_i(group_valid_i && !halted),
      .group_ready_o(group_ready_o),
      .group_id_i(group_id_i),
      .group_base_i(group_base_i),
      .group_size_i(group_size_i),
      .identity_write_o(identity_write),
      .identity_address_o(identity_address),
      .identity_data_o(identity_data),
      .begin_valid_o(begin_valid),
      .begin_ready_i(begin_ready),
      .begin_place_o(begin_place),
      .begin_count_o(begin_count),
      .begin_slot_o(begin_slot),
      .launch_valid_o(launch_valid),
      .launch_ready_i(launch_now),
      .launch_slot_o(launch_slot),
      .launch_place_o(launch_place),
      .launch_sub_group_o(launch_sub_group),
      .launch_lanes_o(launch_lanes),
      .launch_ids_o(launch_ids),
      .done_valid_i(done_valid),
      .done_place_i(done_place),
      .place_i(e1_place),
      .local_base_o(local_base),
      .idle_o(launch_idle)
  );
  assign idle_o = launch_idle && load_store_idle;

  always @(posedge clk) begin
    if (release_valid) carries[release_slot] <= release_carry;
    if (clear) second_pass <= {SLOTS{1'b0}};
    else begin
      if (release_valid) second_pass[release_slot] <= 1'b1;
      if (wb_valid && wb_second) second_pass[wb_slot] <= 1'b0;
    end
  end

  // ---- who may be chosen again.
  reg [SLOTS-1:0] wait_fetch, wait_divide, wait_memory;
  function [SLOTS-1:0] one_slot(input enable, input [SLOT_BITS-1:0] slot);
    one_slot = {{(SLOTS - 1) {1'b0}}, enable} << slot;
  endfunction
  wire [SLOTS-1:0] fetch_again = wait_fetch & {SLOTS{fetch_retry}};
  wire [SLOTS-1:0] divide_again = wait_divide & {SLOTS{!divide_busy}};
  wire [SLOTS-1:0] memory_again = wait_memory & {SLOTS{!load_store_full}};
  wire [SLOT_BITS-1:0] last_slot;
  delay #(
      .WIDTH (SLOT_BITS),
      .CYCLES(TAIL - 1)
  ) carry_slot (
      .clk(clk),
      .value_i(e3_slot),
      .value_o(last_slot)
  );
  reg [SLOTS-1:0] wb_one;  // the slot, as a bit: whether it goes on is known late
  always @(posedge clk) begin
    wb_one <= one_slot(1'b1, last_slot);
    wait_fetch <= (wait_fetch & ~fetch_again) | one_slot(de_valid && !de_launch && de_miss, de_slot);
    wait_divide <= (wait_divide & ~divide_again) | one_slot(e1_retry && !divide_start, e1_slot);
    wait_memory <= (wait_memory & ~memory_again) | one_slot(e3_retry && load_store_full, e3_slot);
    if (clear) {wait_fetch, wait_divide, wait_memory} <= {(3 * SLOTS) {1'b0}};
  end
  reg e4_conflict, e4_memory_wait;
  always @(posedge clk) begin
    e4_conflict <= load_store_conflict;
    e4_memory_wait <= |(loads_awaited | wait_memory);
    conflict_o <= !tail_valid[0] && e4_conflict;
    memory_wait_o <= !tail_valid[0] && !e4_conflict && e4_memory_wait;
  end
  assign wake = (wb_one & {SLOTS{wb_ready}}) | one_slot(
      release_valid, release_slot
  ) | one_slot(
      wr_divide || float_divide_wake, divide_slot
  ) | fetch_again | divide_again | memory_again | loads_again;

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
      .wb_pc_i(wb_key[PC-1:0]),
      .wb_place_i(wb_place),
      .wb_sub_group_i(wb_sub_group),
      .wb_lanes_i(wb_next_lanes),
      .group_divergent_i(sequencer_divergent),
      .group_pc_i(sequencer_pc),
      .group_place_i(sequencer_place),
      .group_sub_group_i(sub_groups[sequencer_slot][SIZE_BITS+:SLOT_BITS]),
      .group_lanes_i(next[sequencer_slot][LANES:1]),
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
  // What sim/rtl/tracer.h reads every cycle: the instruction that retires at e3, then what reaches the registers. A slot has
  // one instruction in flight, so a write belongs to the last instruction of its slot.
  wire trace_retires  /*verilator public_flat_rd*/ = e3_commit && !e3_launch && !e3_park && !e3_arrive && !e3_again;
  wire trace_arrives  /*verilator public_flat_rd*/ = e3_commit && e3_arrive;
  wire trace_released  /*verilator public_flat_rd*/ = e3_second;
  wire trace_halted  /*verilator public_flat_rd*/ = halted;
  wire [31:0] trace_slot  /*verilator public_flat_rd*/ = {{(32 - SLOT_BITS) {1'b0}}, e3_slot};
  wire [31:0] trace_group_x  /*verilator public_flat_rd*/ = identity[{e3_place, 4'd3}];
  wire [31:0] trace_group_y  /*verilator public_flat_rd*/ = identity[{e3_place, 4'd4}];
  wire [31:0] trace_group_z  /*verilator public_flat_rd*/ = identity[{e3_place, 4'd5}];
  wire [31:0] trace_sub_group  /*verilator public_flat_rd*/ = {{(32 - SLOT_BITS) {1'b0}}, e3_sub_group};
  wire [31:0] trace_pc  /*verilator public_flat_rd*/ = {e3_pc, 2'b00};
  wire [31:0] trace_lanes  /*verilator public_flat_rd*/;
  wire trace_store  /*verilator public_flat_rd*/ = e3_control[C_STORE];
  wire trace_memory  /*verilator public_flat_rd*/ = e3_memory;
  wire trace_writes  /*verilator public_flat_rd*/ = e3_control[C_WRITES] ||
                     ((e3_control[C_LOAD] || e3_control[C_ATOMIC] || e3_control[C_DIVIDE]) && e3_rd != 5'd0);
  wire [31:0] trace_rd  /*verilator public_flat_rd*/ = {27'd0, e3_rd};
  reg [LANES*32-1:0] trace_address  /*verilator public_flat_rd*/;
  always @(posedge clk) trace_address <= e2_sum;
  wire [LANES*32-1:0] trace_stored  /*verilator public_flat_rd*/ = e3_store_data;
  wire [31:0] trace_write_slot  /*verilator public_flat_rd*/ = {
    {(32 - SLOT_BITS) {1'b0}}, register_address[5+:SLOT_BITS]
  };
  wire [31:0] trace_write_rd  /*verilator public_flat_rd*/ = {27'd0, register_address[4:0]};
  wire [31:0] trace_write_lanes  /*verilator public_flat_rd*/;
  wire [LANES*32-1:0] trace_write_value  /*verilator public_flat_rd*/;
  // What a sum of floats writes on its way, or in lanes that have no part in it.
  reg [LANES-1:0] trace_between;
  always @(posedge clk) trace_between <= {LANES{wb_write && wb_sum}} & ({LANES{wb_again}} | ~wb_lanes);
  generate
    for (n = 0; n < 32; n = n + 1) begin : trace
      assign trace_lanes[n] = n < LANES ? e3_lanes[n%LANES] : 1'b0;
      assign trace_write_lanes[n] = n < LANES ? register_write[n%LANES] && !trace_between[n%LANES] : 1'b0;
      if (n < LANES) begin : value
        assign trace_write_value[n*32+:32] = lanes[n].lane.write_value;
      end
    end
  endgenerate
`endif
endmodule

`default_nettype wire
