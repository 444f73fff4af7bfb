// SPDX-License-Identifier: Apache-2.0
// Lanes with the decoder and as much of the unit as an instruction needs to get through them: one instruction a cycle with
// operands for every lane, the results RESULT cycles later. Registers x1, x2 and x3 hold a, b and c (register_file.v here
// stands in for the lane's own); the others zero. A division is issued with divide_i; when done_o or float_done_o says so, the
// result is at quotient_o, or comes when a float's division is issued again.
`include "rtl/shape.vh"
`default_nettype none

module lane_bench #(
    parameter LANES = 8,
    parameter TAIL = 4,
    parameter MUL = 1,
    parameter DIV = 1,
    parameter FPU = 1,
    parameter BITMANIP = 1,
    parameter COMPACT = 0
) (
    input wire clk,

    // stage de
    input wire [        31:0] instruction_i,
    input wire [LANES*32-1:0] a_i,
    input wire [LANES*32-1:0] b_i,
    input wire [LANES*32-1:0] c_i,
    input wire                divide_i,
    input wire                taken_i,        // quotient_o was read

    output wire                done_o,
    output wire                float_done_o,
    output wire [LANES*32-1:0] quotient_o,
    output wire                illegal_o,     // of instruction_i
    output wire [LANES*32-1:0] result_o,      // stage wb: 5 + TAIL cycles later
    output wire [   LANES-1:0] taken_o        // stage e2: branch condition
);
  `include "rtl/lane/operation.vh"
  `include "rtl/unit/control.vh"
  localparam OPERATION_BITS = `HEDDLE_OPERATION_BITS, CONTROL_BITS = `HEDDLE_CONTROL_BITS;
  wire [31:0] immediate;
  wire rs1_used, uniform;
  wire [CONTROL_BITS-1:0] control;
  wire [4:0] third;
  wire [OPERATION_BITS-1:0] operation;
  /* verilator lint_off PINCONNECTEMPTY */
  /* verilator lint_off PINMISSING */
  decode #(
      .MUL(MUL),
      .DIV(DIV),
      .FPU(FPU),
      .BITMANIP(BITMANIP)
  ) decode (
      .instruction_i(instruction_i),
      .illegal_o(illegal_o),
      .immediate_o(immediate),
      .rs1_used_o(rs1_used),
      .third_o(third),
      .uniform_o(uniform),
      .control_o(control),
      .operation_o(operation)
  );

  reg [OPERATION_BITS-1:0] rd_operation;
  reg [31:0] rd_immediate, op_immediate;
  reg rd_rs1_zero, op_rs1_zero, rd_uniform, op_quotient, op_float_divide;
  wire rd_quotient = rd_operation[O_FLOAT_DIVIDE] && float_done_o;
  reg [2:0] rd_funct3, op_funct3, e1_funct3, e2_funct3;
  reg [CONTROL_BITS-1:0] rd_control, op_control, e1_control, e2_control, e3_control;
  always @(posedge clk) begin
    rd_operation <= operation;
    op_float_divide <= rd_operation[O_FLOAT_DIVIDE];
    {rd_immediate, op_immediate} <= {!uniform && instruction_i[24:20] == 5'd0 ? 32'd0 : immediate, rd_immediate};
    op_quotient <= rd_quotient;
    if (rd_quotient) op_immediate[0] <= 1'b1;
    {rd_rs1_zero, op_rs1_zero} <= {!rs1_used, rd_rs1_zero};
    rd_uniform <= uniform || instruction_i[24:20] == 5'd0;
    rd_control <= control;
    {rd_funct3, op_funct3, e1_funct3, e2_funct3} <= {instruction_i[14:12], rd_funct3, op_funct3, e1_funct3};
    {op_control, e1_control, e2_control, e3_control} <= {rd_control, op_control, e1_control, e2_control};
  end

  reg rd_divide, op_divide, e1_divide, e1_float_divide, e1_quotient;
  always @(posedge clk) begin
    {rd_divide, op_divide, e1_divide} <= {divide_i, rd_divide, op_divide};
    e1_float_divide <= op_float_divide;
    e1_quotient <= op_quotient;
  end
  wire divide_start = e1_divide && !e1_quotient;
  wire divide_step, divide_normalise;
  wire [LANES-1:0] divide_normalises;
  divide_control #(
      .LANES(LANES),
      .SLOT_BITS(5)
  ) divide_control (
      .clk(clk),
      .rst(1'b0),
      .start_i(divide_start),
      .float_i(e1_float_divide),
      .rd_i(5'd0),
      .slot_i(5'd0),
      .lanes_i({LANES{1'b0}}),
      .busy_o(),
      .step_o(divide_step),
      .normalise_o(divide_normalise),
      .normalise_i(|divide_normalises),
      .ending_o(),
      .done_o(done_o),
      .float_done_o(float_done_o),
      .float_wake_o(),
      .soon_o(),
      .taken_i(taken_i),
      .resumed_i(e1_divide && e1_quotient),
      .rd_o(),
      .slot_o(),
      .lanes_o()
  );

  genvar n;
  generate
    for (n = 0; n < LANES; n = n + 1) begin : lanes
      lane #(
          .LANE(n),
          .ADDRESS_BITS(10),
          .TAIL(TAIL),
          .MUL(MUL),
          .DIV(DIV),
          .FPU(FPU),
          .BITMANIP(BITMANIP),
          .COMPACT(COMPACT)
      ) lane (
          .clk(clk),
          .de_read1_i({n[4:0], instruction_i[19:15]}),
          .de_read2_i({n[4:0], instruction_i[24:20]}),
          .de_read3_i({n[4:0], third}),
          .rd_operation_i(rd_operation),
          .rd_uniform_i(rd_uniform || rd_quotient),
          .rd_quotient_i(rd_quotient),
          .rd_launch_i(1'b0),
          .rd_lane_id_i(1'b0),
          .rd_one_i(1'b0),
          .launch_ids_i(30'd0),
          .op_rs1_read_i(!op_rs1_zero && !op_quotient),
          .op_rs1_low_i(!op_rs1_zero && !op_quotient),
          .op_local_id_i(2'd0),
          .op_silent_i(1'b0),
          .op_value_i(op_immediate),
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
          .e3_shuffled_i(32'd0),
          .divide_start_i(divide_start),
          .divide_signed_i(!e1_funct3[0]),
          .divide_remainder_i(e1_funct3[1]),
          .divide_step_i(divide_step),
          .divide_normalise_i(divide_normalise),
          .divide_result_i(1'b1),
          .divide_normalise_o(divide_normalises[n]),
          .e1_a_o(),
          .e1_b_o(),
          .e1_a_nan_o(),
          .e2_sum_o(),
          .e2_taken_o(taken_o[n]),
          .e3_store_o(),
          .last_float_o(),
          .last_link_i(32'd0),
          .last_collective_i(1'b0),
          .wb_write_i(1'b0),
          .wb_collective_value_i(32'd0),
          .wb_addend_i(32'd0),
          .write_i(1'b0),
          .write_address_i(10'd0),
          .write_load_i(1'b0),
          .load_value_i(32'd0),
          .write_addend_i(1'b0)
      );
      assign result_o[n*32+:32]   = lanes[n].lane.write_values.wb_result | lanes[n].lane.write_values.wb_rounded;
      assign quotient_o[n*32+:32] = lanes[n].lane.divide_result;
    end
  endgenerate
endmodule

`default_nettype wire
