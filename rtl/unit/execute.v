// SPDX-License-Identifier: Apache-2.0
// What the lanes of a unit compute, each alone and together: operands at op, results at wb, registers at wr. The
// divider, which all lanes use at once and outside the pipeline, and the late writes of divisions and loads are here,
// too. One instruction a cycle; TAIL + 3 cycles from op to wb. A unit does one division at a time.
`include "rtl/shape.vh"
`default_nettype none

module execute #(
    parameter LANES = 8,  // these as in unit.v
    parameter SLOT_BITS = 5,  // log2(SLOTS)
    parameter LEVELS = 3,  // log2(LANES)
    parameter TAIL = 4,  // stages from e3 to wb
    parameter MUL = 1,
    parameter DIV = 1,
    parameter FPU = 1,
    parameter BITMANIP = 1,
    parameter COMPACT = 0
) (
    input wire clk,
    input wire clear_i, // nothing of the dispatch is left

    // the dispatch
    input wire [31:0] packet_i,
    input wire [ 4:0] private_log2_i,
    input wire [ 2:0] sub_group_log2_i,
    input wire [63:0] clock_i,

    // the instruction, stage by stage (issue.v; instruction.vh)
    input wire [SLOT_BITS+4:0] de_read1_i,
    input wire [SLOT_BITS+4:0] de_read2_i,
    input wire [SLOT_BITS+4:0] de_read3_i,
    input wire [`HEDDLE_OPERAND_BITS-1:0] rd_operand_i,
    input wire [`HEDDLE_OPERATION_BITS-1:0] rd_operation_i,
    input wire [31:0] rd_group_word_i,  // word of the work-group
    input wire [`HEDDLE_INSTRUCTION_BITS(LANES, SLOT_BITS)-1:0] rd_instruction_i,
    input wire [`HEDDLE_INSTRUCTION_BITS(LANES, SLOT_BITS)-1:0] op_instruction_i,
    input wire [`HEDDLE_INSTRUCTION_BITS(LANES, SLOT_BITS)-1:0] e1_instruction_i,
    input wire [`HEDDLE_INSTRUCTION_BITS(LANES, SLOT_BITS)-1:0] e2_instruction_i,
    input wire [`HEDDLE_INSTRUCTION_BITS(LANES, SLOT_BITS)-1:0] e3_instruction_i,
    input wire op_valid_i,
    input wire e1_valid_i,
    input wire [LANES*30-1:0] launch_ids_i,  // local ids of a new sub-group
    input wire [31:0] op_carry_i,  // what a work-group collective brings in its second pass
    input wire op_carry_first_i,  // nothing: the first sub-group's
    input wire e3_again_i,  // a sum of floats, and not its last pass
    input wire e3_aside_i,  // it parks or waits, and has no result yet

    // values
    output wire [        31:1] op_target_o,  // of a jump or branch, if no register has it
    output wire                e1_retry_o,   // it leaves the pipeline
    output wire                e1_wait_o,    // because the divider is not free
    output wire [LANES*32-1:0] e2_sum_o,     // of each lane: sum, address, or target of a jump by register
    output wire [   LANES-1:0] e2_taken_o,   // branches
    output wire [LANES*32-1:0] e3_store_o,   // data of a store

    // shuffles, through the crossbar of load_store.v
    output wire                   e1_shuffles_o,
    output wire [   LANES*32-1:0] e2_word_o,
    output wire [LANES*LANES-1:0] e2_from_o,
    input  wire [   LANES*32-1:0] e2_shuffled_i,

    // the stage before wb
    input wire        last_valid_i,
    input wire [31:2] last_link_i,   // PC + 4 of an instruction that writes it

    // stage wb
    input wire wb_write_i,  // the instruction has a result for a register
    input wire wb_again_i,
    input wire [`HEDDLE_INSTRUCTION_BITS(LANES, SLOT_BITS)-1:0] wb_instruction_i,
    output wire [31:0] wb_total_o,  // of all lanes, for the work-group
    output wire gap_o,  // stage se: nothing may issue, a late register write needs the cycle

    // the divider
    output wire                 divide_busy_o,
    output wire                 divide_soon_o,
    output wire                 divide_float_done_o,  // it has the digits of a division of floats
    output wire                 divide_wake_o,        // its slot goes on
    output wire [SLOT_BITS-1:0] divide_slot_o,

    // loads
    input  wire                 load_valid_i,
    output wire                 load_ready_o,
    input  wire [SLOT_BITS-1:0] load_slot_i,
    input  wire [          4:0] load_rd_i,
    input  wire [    LANES-1:0] load_lanes_i,
    input  wire [ LANES*32-1:0] load_value_i,
    input  wire                 load_drop_i,     // rd is x0
    input  wire                 load_last_i,     // the operation is complete with this
    output wire                 answered_o,      // it is, and its registers can be read
    output wire [SLOT_BITS-1:0] answered_slot_o
);
  `include "rtl/lane/operation.vh"
  `include "rtl/unit/control.vh"
  `include "rtl/unit/bundle.vh"
  `include "rtl/unit/instruction.vh"
  wire [BUNDLE_BITS-1:0] rd_bundle = rd_instruction_i[I_BUNDLE+:BUNDLE_BITS];
  wire [BUNDLE_BITS-1:0] op_bundle = op_instruction_i[I_BUNDLE+:BUNDLE_BITS];
  wire [BUNDLE_BITS-1:0] e1_bundle = e1_instruction_i[I_BUNDLE+:BUNDLE_BITS];
  wire [BUNDLE_BITS-1:0] wb_bundle = wb_instruction_i[I_BUNDLE+:BUNDLE_BITS];
  wire [CONTROL_BITS-1:0] rd_control = rd_instruction_i[I_CONTROL+:CONTROL_BITS];
  wire [CONTROL_BITS-1:0] op_control = op_instruction_i[I_CONTROL+:CONTROL_BITS];
  wire [CONTROL_BITS-1:0] e1_control = e1_instruction_i[I_CONTROL+:CONTROL_BITS];
  wire [2:0] e1_funct3 = e1_instruction_i[I_FUNCT3+:3], e2_funct3 = e2_instruction_i[I_FUNCT3+:3];
  wire [LANES-1:0] e1_lanes = e1_bundle[B_LANES+:LANES], wb_lanes = wb_bundle[B_LANES+:LANES];

  // ---- rd, op: operands.
  wire rd_uniform = rd_operand_i[R_UNIFORM], rd_quotient = rd_operand_i[R_QUOTIENT];
  wire [31:0] op_value;
  reg op_float_divide, op_quotient;
  reg [LANES-1:0] op_silent;  // in the first pass of a sum of floats, lanes that have no part in it
  reg [LANES-1:0] op_rs1_read;  // lanes whose first operand is rs1: it is not x0, and they are not silent
  reg [LANES-1:0] op_rs1_low;  // and those for which it is the lowest bits of x0's word, local id x
  wire rd_carried = rd_control[C_SUM] && rd_bundle[B_SECOND];  // 1.0 * what is brought + rd
  wire rd_first_sum = rd_control[C_SUM] && rd_bundle[B_PASS+:PASS_BITS] == 0;
  wire [LANES-1:0] rd_silent = {LANES{rd_first_sum}} & ~rd_bundle[B_LANES+:LANES];
  wire [LANES-1:0] rd_rs1_read = {LANES{rd_operand_i[R_RS1_USED] && !rd_quotient}} & ~rd_silent;
  always @(posedge clk) begin
    op_quotient <= rd_quotient;
    op_silent <= rd_silent;
    op_rs1_read <= rd_rs1_read;
    op_rs1_low <= rd_rs1_read | {LANES{rd_control[C_LOCAL_ID]}};
    op_float_divide <= rd_operation_i[O_FLOAT_DIVIDE];
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
      .rd_immediate_i(rd_operand_i[R_IMMEDIATE+:32]),
      .rd_pc_relative_i(rd_operand_i[R_PC_RELATIVE]),
      .rd_csr_i(rd_operand_i[R_CSR]),
      .rd_csr_kind_i(rd_operand_i[R_CSR_KIND+:3]),
      .rd_group_word_i(rd_group_word_i),
      .rd_x0_i(rd_operand_i[R_RS2_ZERO] && !rd_uniform),
      .rd_quotient_i(rd_quotient),
      .rd_carried_i(rd_carried),
      .op_carry_i(op_carry_i),
      .op_value_o(op_value),
      .op_target_o(op_target_o)
  );

  // ---- op to wb: the lanes.
  wire [LANES*32-1:0] e1_a, e1_b, e3_shuffled, last_float, wb_collective_value, wb_addend;
  wire [LANES-1:0] e1_a_nan, divide_normalises, register_write;
  wire divide_start, divide_step, divide_normalise, divide_ending, last_collective, register_load;
  wire [SLOT_BITS+4:0] register_address;
  reg wr_again;  // in the cycle after wb, of a sum of floats that has another pass
  always @(posedge clk) wr_again <= wb_write_i && wb_again_i;
  genvar n;
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
          .de_read1_i(de_read1_i),
          .de_read2_i(de_read2_i),
          .de_read3_i(de_read3_i),
          .rd_operation_i(rd_operation_i),
          .rd_uniform_i(rd_uniform || rd_operand_i[R_RS2_ZERO] || rd_quotient),
          .rd_quotient_i(rd_quotient),
          .rd_launch_i(rd_bundle[B_LAUNCH]),
          .rd_lane_id_i(rd_control[C_LANE_ID]),
          .rd_one_i(rd_carried),
          .launch_ids_i(launch_ids_i[n*30+:30]),
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
          .divide_result_i(divide_ending && !wb_write_i),
          .divide_normalise_o(divide_normalises[n]),
          .e1_a_o(e1_a[n*32+:32]),
          .e1_b_o(e1_b[n*32+:32]),
          .e1_a_nan_o(e1_a_nan[n]),
          .e2_sum_o(e2_sum_o[n*32+:32]),
          .e2_taken_o(e2_taken_o[n]),
          .e3_store_o(e3_store_o[n*32+:32]),
          .last_float_o(last_float[n*32+:32]),
          .last_link_i({last_link_i, 2'b00}),
          .last_collective_i(last_collective),
          .wb_write_i(wb_write_i),
          .wb_collective_value_i(wb_collective_value[n*32+:32]),
          .write_i(register_write[n]),
          .write_address_i(register_address),
          .write_load_i(register_load),
          .load_value_i(load_value_i[n*32+:32]),
          .write_addend_i(wr_again),
          .wb_addend_i(wb_addend[n*32+:32])
      );
    end
  endgenerate

  // ---- e1 to wb: across the lanes.
  reg [31:0] e1_carry;
  reg e1_carry_first;
  always @(posedge clk) {e1_carry_first, e1_carry} <= {op_carry_first_i, op_carry_i};
  across_lanes #(
      .LANES(LANES),
      .SLOT_BITS(SLOT_BITS),
      .LEVELS(LEVELS),
      .TAIL(TAIL),
      .FPU(FPU)
  ) across_lanes (
      .clk(clk),
      .clear_i(clear_i),
      .sub_group_log2_i(sub_group_log2_i),
      .op_slot_i(op_bundle[B_SLOT+:SLOT_BITS]),
      .op_sub_group_i(op_bundle[B_SUB_GROUP+:SLOT_BITS]),
      .op_work_group_i(op_control[C_WORK_GROUP]),
      .e1_valid_i(e1_valid_i),
      .e1_control_i(e1_control),
      .e1_second_i(e1_bundle[B_SECOND]),
      .e1_carry_i(e1_carry),
      .e1_carry_first_i(e1_carry_first),
      .e1_lanes_i(e1_lanes),
      .e1_a_i(e1_a),
      .e1_b_i(e1_b),
      .e1_nan_i(e1_a_nan),
      .e1_shuffles_o(e1_shuffles_o),
      .e2_word_o(e2_word_o),
      .e2_from_o(e2_from_o),
      .e2_shuffle_i(e2_instruction_i[I_CONTROL+C_SHUFFLE]),
      .e2_shuffled_i(e2_shuffled_i),
      .e3_shuffled_o(e3_shuffled),
      .e3_control_i(e3_instruction_i[I_CONTROL+:CONTROL_BITS]),
      .e3_again_i(e3_again_i),
      .e3_second_i(e3_instruction_i[I_BUNDLE+B_SECOND]),
      .e3_pass_i(e3_instruction_i[I_BUNDLE+B_PASS+:PASS_BITS]),
      .e3_aside_i(e3_aside_i),
      .last_valid_i(last_valid_i),
      .last_float_i(last_float),
      .last_collective_o(last_collective),
      .wb_control_i(wb_instruction_i[I_CONTROL+:CONTROL_BITS]),
      .wb_second_i(wb_bundle[B_SECOND]),
      .wb_lanes_i(wb_lanes),
      .wb_value_o(wb_collective_value),
      .wb_total_o(wb_total_o),
      .wb_addend_o(wb_addend)
  );

  // ---- e1: division starts, or waits for the divider. That of floats, and their root, leaves the pipeline when it
  // starts; its slot is woken when the divider has the digits, and the instruction comes again and rounds them.
  reg e1_divides, e1_float_divide, e1_quotient;
  always @(posedge clk) begin
    e1_divides <= op_valid_i && !op_instruction_i[I_ILLEGAL] && !op_instruction_i[I_BAD_FETCH] && !clear_i &&
                  (op_control[C_DIVIDE] || (op_float_divide && !op_quotient));
    e1_float_divide <= op_float_divide;
    e1_quotient <= op_quotient;
  end
  assign divide_start = e1_divides && !divide_busy_o;
  assign e1_retry_o = e1_divides && (divide_busy_o || e1_float_divide);
  assign e1_wait_o = e1_retry_o && !divide_start;
  wire divide_done, divide_writes, divide_float_wake;
  wire [4:0] divide_rd;
  wire [LANES-1:0] divide_lanes;
  divide_control #(
      .LANES(LANES),
      .SLOT_BITS(SLOT_BITS)
  ) divide_control (
      .clk(clk),
      .rst(clear_i),
      .start_i(divide_start),
      .float_i(e1_float_divide),
      .rd_i(e1_instruction_i[I_RD+:5]),
      .slot_i(e1_bundle[B_SLOT+:SLOT_BITS]),
      .lanes_i(e1_lanes),
      .busy_o(divide_busy_o),
      .soon_o(divide_soon_o),
      .step_o(divide_step),
      .normalise_o(divide_normalise),
      .normalise_i(|(divide_normalises & divide_lanes)),
      .ending_o(divide_ending),
      .done_o(divide_done),
      .float_done_o(divide_float_done_o),
      .float_wake_o(divide_float_wake),
      .taken_i(divide_writes),
      .resumed_i(e1_valid_i && e1_quotient),
      .rd_o(divide_rd),
      .slot_o(divide_slot_o),
      .lanes_o(divide_lanes)
  );
  assign divide_wake_o = divide_writes || divide_float_wake;

  // ---- wr: registers.
  write_back #(
      .LANES(LANES),
      .SLOT_BITS(SLOT_BITS)
  ) write_back (
      .clk(clk),
      .clear_i(clear_i),
      .wb_write_i(wb_write_i),
      .wb_slot_i(wb_bundle[B_SLOT+:SLOT_BITS]),
      .wb_rd_i(wb_instruction_i[I_RD+:5]),
      .wb_lanes_i(wb_lanes),
      .wb_all_lanes_i(wb_instruction_i[I_CONTROL+C_SUM]),
      .divide_ending_i(divide_ending),
      .divide_done_i(divide_done),
      .divide_slot_i(divide_slot_o),
      .divide_rd_i(divide_rd),
      .divide_lanes_i(divide_lanes),
      .divide_o(divide_writes),
      .load_valid_i(load_valid_i),
      .load_ready_o(load_ready_o),
      .load_slot_i(load_slot_i),
      .load_rd_i(load_rd_i),
      .load_lanes_i(load_lanes_i),
      .load_drop_i(load_drop_i),
      .load_last_i(load_last_i),
      .answered_o(answered_o),
      .answered_slot_o(answered_slot_o),
      .gap_o(gap_o),
      .address_o(register_address),
      .write_o(register_write),
      .write_load_o(register_load)
  );
  wire unused = &{1'b0, rd_instruction_i, e1_instruction_i, e3_instruction_i, op_bundle,
                  wb_bundle, e1_funct3, e2_funct3};
endmodule

`default_nettype wire
