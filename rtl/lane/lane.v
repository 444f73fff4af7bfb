// SPDX-License-Identifier: Apache-2.0
// What one lane owns: its registers and the arithmetic of one work-item. Control is the unit's, the same for every lane;
// a signal's prefix is the pipeline stage it belongs to (rtl/unit/README.md has the table of stages).
// One instruction a cycle; from register read (de) to the result (wb) 6 + TAIL cycles. Divisions run aside.
`default_nettype none

module lane #(
    parameter LANE = 0,  // number of this lane: the sub-group local id
    parameter ADDRESS_BITS = 10,  // log2(SLOTS) + 5
    parameter TAIL = 4,  // stages from e3 to wb
    parameter MULTIPLY = 1,  // 1: with multiplier
    parameter DIVIDE = 1  // 1: with divider
) (
    input wire clk,

    // register read, stage de
    input wire [ADDRESS_BITS-1:0] de_read1_i,
    input wire [ADDRESS_BITS-1:0] de_read2_i,

    // operands, stage op
    input wire        op_rs1_zero_i,   // rs1 is x0
    input wire        op_rs2_zero_i,
    input wire        op_uniform_i,    // second operand is uniform_value
    input wire [31:0] op_value_i,      // immediate, PC-relative value or CSR: the same for all lanes
    input wire [ 2:0] op_local_id_i,   // first operand is local id x, y or z (one-hot)
    input wire        op_lane_id_i,    // first operand is the lane's number
    input wire        op_launch_i,     // first operand is launch_ids
    input wire [29:0] op_launch_ids_i, // packed local ids of a new work-item

    // execute, stages e1 to e3
    input wire        e1_subtract_i,
    input wire        e1_unsigned_i,
    input wire [ 1:0] e1_logic_i,                // 0 xor, 2 or, 3 and (funct3)
    input wire        e1_right_i,                // shift right
    input wire        e1_arithmetic_i,           // shift in the sign
    input wire        e1_multiply_high_i,
    input wire        e1_multiplicand_signed_i,
    input wire        e1_multiplier_signed_i,
    input wire        e2_compare_less_i,         // condition is less, else equal
    input wire        e2_compare_invert_i,
    input wire [ 2:0] e3_result_i,               // RESULT_*
    input wire [31:0] e3_link_i,                 // PC + 4

    // divider (divide_control)
    input  wire        divide_start_i,      // stage e1
    input  wire        divide_signed_i,
    input  wire        divide_remainder_i,
    input  wire        divide_step_i,
    output wire [31:0] divide_result_o,

    // results on the way
    output reg  [31:0] e1_a_o,      // operands, for the collectives
    output reg  [31:0] e1_b_o,
    output wire [31:0] e2_sum_o,    // address, jump target
    output wire        e2_taken_o,  // branch condition
    output reg  [31:0] e3_sum_o,
    output reg  [31:0] e3_store_o,  // rs2

    // write-back
    input wire                    wb_collective_i,        // result is the collective's
    input wire [            31:0] wb_collective_value_i,
    input wire                    write_i,
    input wire [ADDRESS_BITS-1:0] write_address_i,
    input wire                    write_late_i,           // value comes from memory or divider
    input wire [            31:0] write_late_value_i
);
  localparam [2:0] RESULT_SUM = 3'd0, RESULT_LOGIC = 3'd1, RESULT_LESS = 3'd2, RESULT_SHIFT = 3'd3,
                   RESULT_PRODUCT = 3'd4;

  // Register read.
  wire [31:0] op_rs1, op_rs2;
  wire [31:0] write_value;
  register_file #(
      .ADDRESS_BITS(ADDRESS_BITS)
  ) registers (
      .clk(clk),
      .read1_i(de_read1_i),
      .read2_i(de_read2_i),
      .value1_o(op_rs1),
      .value2_o(op_rs2),
      .write_i(write_i),
      .address_i(write_address_i),
      .value_i(write_value)
  );

  // Operands. The three 10-bit local ids lie packed in x0's word.
  localparam [31:0] LANE_ID = LANE;
  wire [9:0] local_id = ({10{op_local_id_i[0]}} & op_rs1[9:0]) | ({10{op_local_id_i[1]}} & op_rs1[19:10]) |
                        ({10{op_local_id_i[2]}} & op_rs1[29:20]);
  wire [31:0] special = op_launch_i ? {2'b00, op_launch_ids_i} : op_lane_id_i ? LANE_ID : {22'd0, local_id};
  reg [31:0] e1_store;
  wire [31:0] rs2 = op_rs2_zero_i ? 32'd0 : op_rs2;
  always @(posedge clk) begin
    e1_a_o   <= op_rs1_zero_i ? special : op_rs1;
    e1_b_o   <= op_uniform_i ? op_value_i : rs2;
    e1_store <= rs2;
  end

  // e1: add, subtract and compare in one carry chain; logic; the first half of the shift.
  wire [33:0] e1_sum = {!e1_unsigned_i & e1_a_o[31], e1_a_o, 1'b1} +
                       {(!e1_unsigned_i & e1_b_o[31]) ^ e1_subtract_i, e1_b_o ^ {32{e1_subtract_i}}, e1_subtract_i};
  reg [31:0] e1_logic;
  always @* begin
    case (e1_logic_i)
      2'd2: e1_logic = e1_a_o | e1_b_o;
      2'd3: e1_logic = e1_a_o & e1_b_o;
      default: e1_logic = e1_a_o ^ e1_b_o;
    endcase
  end

  // Left shifts go through the right shifter with the bits reversed.
  function [31:0] reversed(input [31:0] value);
    integer k;
    for (k = 0; k < 32; k = k + 1) reversed[k] = value[31-k];
  endfunction
  wire e1_fill = e1_arithmetic_i & e1_a_o[31];
  wire [31:0] e1_shift_in = e1_right_i ? e1_a_o : reversed(e1_a_o);
  wire [31:0] e1_shift_8 = e1_b_o[3] ? {{8{e1_fill}}, e1_shift_in[31:8]} : e1_shift_in;
  wire [31:0] e1_shift_24 = e1_b_o[4] ? {{16{e1_fill}}, e1_shift_8[31:16]} : e1_shift_8;

  reg [31:0] e2_sum, e2_logic, e2_shift, e2_store;
  reg e2_less, e2_equal, e2_fill, e2_right;
  reg [2:0] e2_amount;
  always @(posedge clk) begin
    e2_sum <= e1_sum[32:1];
    e2_less <= e1_sum[33];
    e2_equal <= e1_a_o == e1_b_o;
    e2_logic <= e1_logic;
    e2_shift <= e1_shift_24;
    e2_amount <= e1_b_o[2:0];
    e2_fill <= e1_fill;
    e2_right <= e1_right_i;
    e2_store <= e1_store;
  end

  // e2: the second half of the shift, the branch condition.
  wire [31:0] e2_shift_1 = e2_amount[0] ? {e2_fill, e2_shift[31:1]} : e2_shift;
  wire [31:0] e2_shift_3 = e2_amount[1] ? {{2{e2_fill}}, e2_shift_1[31:2]} : e2_shift_1;
  wire [31:0] e2_shift_7 = e2_amount[2] ? {{4{e2_fill}}, e2_shift_3[31:4]} : e2_shift_3;
  assign e2_sum_o   = e2_sum;
  assign e2_taken_o = (e2_compare_less_i ? e2_less : e2_equal) ^ e2_compare_invert_i;

  reg [31:0] e3_logic, e3_shift;
  reg e3_less;
  always @(posedge clk) begin
    e3_sum_o <= e2_sum;
    e3_store_o <= e2_store;
    e3_logic <= e2_logic;
    e3_less <= e2_less;
    e3_shift <= e2_right ? e2_shift_7 : reversed(e2_shift_7);
  end

  wire [31:0] e3_product;
  generate
    if (MULTIPLY != 0) begin : with_multiplier
      multiplier multiplier (
          .clk(clk),
          .a_i(e1_a_o),
          .b_i(e1_b_o),
          .a_signed_i(e1_multiplicand_signed_i),
          .b_signed_i(e1_multiplier_signed_i),
          .high_i(e1_multiply_high_i),
          .product_o(e3_product)
      );
    end else begin : without_multiplier
      assign e3_product = 32'd0;
      wire unused = &{1'b0, e1_multiplicand_signed_i, e1_multiplier_signed_i, e1_multiply_high_i};
    end
    if (DIVIDE != 0) begin : with_divider
      divider divider (
          .clk(clk),
          .start_i(divide_start_i),
          .step_i(divide_step_i),
          .signed_i(divide_signed_i),
          .remainder_i(divide_remainder_i),
          .dividend_i(e1_a_o),
          .divisor_i(e1_b_o),
          .result_o(divide_result_o)
      );
    end else begin : without_divider
      assign divide_result_o = 32'd0;
      wire unused = &{1'b0, divide_start_i, divide_signed_i, divide_remainder_i, divide_step_i};
    end
  endgenerate

  // e3: the result; from there it is only carried, because collectives and floating point take that long.
  reg [31:0] e3_result;
  always @* begin
    case (e3_result_i)
      RESULT_SUM: e3_result = e3_sum_o;
      RESULT_LOGIC: e3_result = e3_logic;
      RESULT_LESS: e3_result = {31'd0, e3_less};
      RESULT_SHIFT: e3_result = e3_shift;
      RESULT_PRODUCT: e3_result = e3_product;
      default: e3_result = e3_link_i;
    endcase
  end
  wire [31:0] wb_result;
  delay #(
      .WIDTH (32),
      .CYCLES(TAIL)
  ) carry_result (
      .clk(clk),
      .value_i(e3_result),
      .value_o(wb_result)
  );

  assign write_value = write_late_i ? write_late_value_i : wb_collective_i ? wb_collective_value_i : wb_result;
  wire unused = e1_sum[0];
endmodule

`default_nettype wire
