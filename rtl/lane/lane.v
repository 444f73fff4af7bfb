// SPDX-License-Identifier: Apache-2.0
// What one lane owns: its registers and the arithmetic of one work-item. Control is the unit's, the same for every
// lane; a signal's prefix is the pipeline stage it belongs to (rtl/unit/README.md has the table of stages). One
// instruction a cycle; from register read (de) to the result (wb) 6 + TAIL cycles, floating point included. Divisions
// run aside.
`include "rtl/shape.vh"
`default_nettype none

module lane #(
    parameter LANE = 0,  // number of this lane: the sub-group local id
    parameter ADDRESS_BITS = 10,  // log2(SLOTS) + 5
    parameter TAIL = 4,  // stages from e3 to wb: 2 at least, with floating point 4
    parameter MUL = 1,  // 1: with multiplier
    parameter DIV = 1,  // 1: with divider
    parameter FPU = 1,  // 1: with floating point
    parameter BITMANIP = 1,  // 1: with Zba and Zbb
    parameter COMPACT = 0  // as in heddle.v
) (
    input wire clk,

    // register read, stage de
    input wire [ADDRESS_BITS-1:0] de_read1_i,
    input wire [ADDRESS_BITS-1:0] de_read2_i,
    input wire [ADDRESS_BITS-1:0] de_read3_i,  // only with floating point; else the third operand is rs2

    // stage rd: the operation, and first operands that are in no register
    input wire [`HEDDLE_OPERATION_BITS-1:0] rd_operation_i,  // O_* of operation.vh
    input wire rd_uniform_i,  // second operand is op_value_i; with x0 and a quotient it has to be
    input wire rd_quotient_i,  // the divider's digits, of a float's division or root
    input wire rd_launch_i,  // launch_ids_i
    input wire rd_lane_id_i,  // the lane's number
    input wire rd_one_i,  // 1.0
    input wire [29:0] launch_ids_i,  // packed local ids of a new work-item

    // operands, stage op
    input wire op_rs1_read_i,  // first operand is rs1, and that is not x0
    input wire op_rs1_low_i,  // it is, or it is local id x, which is the lowest 10 bits of x0's word
    input wire [1:0] op_local_id_i,  // it is local id y or z, the next bits (one-hot)
    input wire op_silent_i,  // a lane that adds nothing to a sum of floats across lanes: first operand is -0
    input wire [31:0] op_value_i,  // immediate, PC-relative value or CSR: the same for all lanes
    input wire op_multiplicand_signed_i,
    input wire op_multiplier_signed_i,
    input wire op_subtract_i,
    input wire op_unsigned_i,
    input wire op_right_i,  // shift right
    input wire op_arithmetic_i,  // shift in the sign

    // execute, stages e1 to e3
    input wire        e1_multiply_high_i,
    input wire [ 2:0] e1_result_i,          // RESULT_*
    input wire        e2_compare_less_i,    // condition is less, else equal
    input wire        e2_compare_invert_i,
    input wire [31:0] e3_shuffled_i,        // the word of another lane, or 0

    // divider (divide_control)
    input  wire divide_start_i,      // stage e1
    input  wire divide_signed_i,
    input  wire divide_remainder_i,
    input  wire divide_step_i,
    input  wire divide_normalise_i,
    input  wire divide_result_i,     // to be written in the next cycle
    output wire divide_normalise_o,

    // results on the way
    output reg  [31:0] e1_a_o,       // operands, for the collectives
    output reg  [31:0] e1_b_o,
    output wire        e1_a_nan_o,   // the first is a NaN (0 without floating point)
    output reg  [31:0] e2_sum_o,     // address, jump target
    output wire        e2_taken_o,   // branch condition
    output reg  [31:0] e3_store_o,   // third operand
    output wire [31:0] last_float_o, // of floating point, the stage before wb; else 0

    // write-back
    input wire [31:0] last_link_i,            // the stage before wb: PC + 4 of a jump, else 0
    input wire        last_collective_i,      // the stage before wb: result is the collective's
    input wire        wb_write_i,             // result is to be written
    input wire [31:0] wb_collective_value_i,  // 0 when it is not
    input wire [31:0] wb_addend_i,            // 0 when there is none

    // registers, stage wr
    input wire                    write_i,
    input wire [ADDRESS_BITS-1:0] write_address_i,
    input wire                    write_load_i,     // what is written comes from memory
    input wire [            31:0] load_value_i,
    input wire                    write_addend_i    // the third read port gets the addend instead
);
  `include "rtl/lane/operation.vh"

  // Register read.
  wire [31:0] op_rs1, op_rs2, op_rs3;
  wire [31:0] write_value;
  register_file #(
      .ADDRESS_BITS(ADDRESS_BITS),
      .THIRD(FPU)
  ) registers (
      .clk(clk),
      .read1_i(de_read1_i),
      .read2_i(de_read2_i),
      .read3_i(de_read3_i),
      .value1_o(op_rs1),
      .value2_o(op_rs2),
      .value3_o(op_rs3),
      .one_i(FPU != 0 && rd_one_i),
      .write_i(write_i),
      .address_i(write_address_i),
      .value_i(write_value),
      .value3_i((write_value & {32{!write_addend_i}}) | wr_addend)
  );

  // What many bits of a lane hang on, each lane has for itself from op on: lanes are far apart on a chip. Of equal
  // registers Yosys makes one, unless they are to be kept.
  reg [`HEDDLE_OPERATION_BITS-1:0] kept_operation;
  reg kept_uniform, kept_quotient;
  reg e1_subtract, e1_unsigned, e1_right, e1_arithmetic;
  (* keep *) always @(posedge clk) begin
    kept_operation <= rd_operation_i;
    if (rd_quotient_i) kept_operation[O_FLOATS] <= 1'b0;  // digits are an integer
    {kept_uniform, kept_quotient} <= {rd_uniform_i, rd_quotient_i};
    {e1_subtract, e1_unsigned, e1_right, e1_arithmetic} <= {op_subtract_i, op_unsigned_i, op_right_i, op_arithmetic_i};
  end
  localparam [`HEDDLE_OPERATION_BITS-1:0] ALL_FIELDS = ~0, INTEGER_FIELDS = (1 << O_FLOAT) - 1;
  wire [`HEDDLE_OPERATION_BITS-1:0] op_operation = kept_operation & (FPU != 0 ? ALL_FIELDS : INTEGER_FIELDS);
  wire op_quotient = FPU != 0 && kept_quotient;

  // Operands.
  localparam [31:0] LANE_ID = LANE;
  reg [31:0] op_aside;  // a first operand that is not in a register, else 0
  always @(posedge clk)
    op_aside <= ({5'd0, divide_quotient} & {32{rd_quotient_i}}) | ({2'b00, launch_ids_i} & {32{rd_launch_i}}) |
                (LANE_ID & {32{rd_lane_id_i}});
  wire [31:0] third = FPU != 0 ? op_rs3 : op_rs2;
  wire op_invert = BITMANIP != 0 && op_operation[O_INVERT];
  wire [26:0] divide_quotient;
  wire [31:0] divide_about, divide_result;
  wire [31:0] op_a = op_aside | {
    op_rs1[31:10] & {22{op_rs1_read_i}},
    (op_rs1[9:0] & {10{op_rs1_low_i}}) | (op_rs1[19:10] & {10{op_local_id_i[0]}}) |
    (op_rs1[29:20] & {10{op_local_id_i[1]}})
  };
  wire [31:0] op_b = (kept_uniform ? op_value_i : op_rs2) ^ {32{op_invert}};
  wire [31:0] op_third = op_quotient ? divide_about : op_operation[O_THIRD_ZERO] ? 32'd0 : third;
  reg [31:0] e1_third;
  reg [`HEDDLE_OPERATION_BITS-1:0] e1_operation, e2_operation;
  always @(posedge clk) begin
    e1_a_o <= op_a;
    e1_b_o <= op_b;
    e1_third <= op_third;
    e1_operation <= op_operation;
    e2_operation <= e1_operation;
  end

  // e1: add, subtract and compare in one carry chain. What is checked and addressed with the sum is
  // far from what the lane itself does with it, and has a register there.
  wire [1:0] e1_shift_add = BITMANIP != 0 ? e1_operation[O_SHIFT_ADD+:2] : 2'd0;
  wire [31:0] e1_addend = e1_a_o << e1_shift_add;
  wire [33:0] e1_sum = {!e1_unsigned & e1_a_o[31], e1_addend, 1'b1} +
                       {(!e1_unsigned & e1_b_o[31]) ^ e1_subtract, e1_b_o ^ {32{e1_subtract}}, e1_subtract};

  // Where multiplications are and room is scarce a shift is one (product.v). Neither floats nor what else goes through
  // the shifter may be there then.
  localparam SHIFTS_MULTIPLY = COMPACT != 0 && MUL != 0 && FPU == 0 && BITMANIP == 0;

  // Shifts, rotations and the bits of counts.
  wire [31:0] e1_shift_in, e2_shifted;
  shifter #(
      .BITMANIP(BITMANIP)
  ) shifter (
      .clk(clk),
      .e1_a_i(e1_a_o),
      .e1_amount_i(e1_b_o[4:0]),
      .e1_right_i(e1_right),
      .e1_arithmetic_i(e1_arithmetic),
      .e1_rotate_i(e1_operation[O_ROTATE]),
      .e1_reverse_bytes_i(e1_operation[O_REVERSE_BYTES]),
      .e1_in_o(e1_shift_in),
      .e2_value_o(e2_shifted)
  );

  reg [31:0] e2_sum, e2_third;
  reg e2_less, e2_equal;
  (* keep *) always @(posedge clk) {e2_sum, e2_sum_o} <= {e1_sum[32:1], e1_sum[32:1]};
  always @(posedge clk) begin
    e2_less  <= e1_sum[33];
    e2_equal <= e1_a_o == e1_b_o;
    e2_third <= e1_third;
  end

  // e2: the branch condition.
  assign e2_taken_o = (e2_compare_less_i ? e2_less : e2_equal) ^ e2_compare_invert_i;

  // Floating point; what its operands are also serves comparisons.
  wire [31:0] e1_multiplicand, e1_multiplier, e6_rounded, e6_known;
  wire e6_fixed;
  wire [47:0] e3_full_product;
  wire e1_a_tiny, e1_b_tiny;
  wire [9:0] e1_exponent;
  wire e1_a_zero, e1_a_infinite, e1_b_zero, e1_b_infinite, e1_b_nan;
  generate
    if (FPU != 0) begin : with_float
      float_unit float_unit (
          .clk(clk),
          .rd_from_i(rd_operation_i[O_FROM]),
          .rd_to_i(rd_operation_i[O_TO]),
          .rd_quotient_i(rd_quotient_i),
          .rd_divide_i(rd_operation_i[O_FLOAT_DIVIDE]),
          .rd_root_i(rd_operation_i[O_ROOT]),
          .op_active_i(op_operation[O_FLOAT]),
          .op_floats_i(op_operation[O_FLOATS]),
          .op_multiply_i(op_operation[O_MULTIPLY]),
          .op_from_i(op_operation[O_FROM]),
          .op_to_i(op_operation[O_TO]),
          .op_signed_i(op_operation[O_SIGNED]),
          .op_quotient_i(op_quotient),
          .op_divide_i(op_operation[O_FLOAT_DIVIDE] && !op_quotient),
          .op_negate_product_i(op_operation[O_NEGATE_PRODUCT] || op_silent_i),
          .op_negate_addend_i(op_operation[O_NEGATE_ADDEND]),
          .op_rounding_i(op_operation[O_ROUNDING+:3]),
          .op_a_exponent_i(op_rs1[30:23] & {8{op_rs1_read_i}}),
          .op_a_i(op_a),
          .op_b_i(op_b),
          .op_c_i(op_third),
          .op_c_whole_i(op_operation[O_THIRD_ZERO] || third[22:0] == 23'd0),
          .multiplicand_o(e1_multiplicand),
          .multiplier_o(e1_multiplier),
          .e3_product_i(e3_full_product),
          .a_zero_o(e1_a_zero),
          .a_infinite_o(e1_a_infinite),
          .a_nan_o(e1_a_nan_o),
          .b_zero_o(e1_b_zero),
          .b_infinite_o(e1_b_infinite),
          .b_nan_o(e1_b_nan),
          .a_tiny_o(e1_a_tiny),
          .b_tiny_o(e1_b_tiny),
          .exponent_o(e1_exponent),
          .rounded_o(e6_rounded),
          .fixed_o(e6_fixed),
          .known_o(e6_known)
      );
    end else begin : without_float
      assign {e1_multiplicand, e1_multiplier, e6_rounded, e6_known, e6_fixed} = {e1_a_o, e1_b_o, 65'd0};
      assign {e1_a_zero, e1_a_infinite, e1_a_nan_o, e1_b_zero, e1_b_infinite, e1_b_nan} = 6'd0;
      assign {e1_a_tiny, e1_b_tiny, e1_exponent} = 12'd0;
      wire unused = &{1'b0, e3_full_product, rd_operation_i, op_silent_i};
    end
  endgenerate

  // e2: results that are small numbers; logic, and the words that minimum and the like pick.
  wire [ 9:0] e2_small;
  wire [31:0] e2_picked;
  wire e2_below, e2_a_nan, e2_b_nan, e2_a_sign, e2_b_sign;
  small_result #(
      .FPU(FPU),
      .BITMANIP(BITMANIP)
  ) small_result (
      .clk(clk),
      .e1_a_i(e1_a_o),
      .e1_b_negative_i(e1_b_o[31]),
      .e1_shift_in_i(e1_shift_in),
      .e1_a_zero_i(e1_a_zero),
      .e1_a_infinite_i(e1_a_infinite),
      .e1_a_nan_i(e1_a_nan_o),
      .e1_a_tiny_i(e1_a_tiny),
      .e1_b_zero_i(e1_b_zero),
      .e1_b_nan_i(e1_b_nan),
      .e2_of_i(e2_operation[O_SMALL+:3]),
      .e2_less_i(e2_less),
      .e2_equal_i(e2_equal),
      .e2_below_o(e2_below),
      .e2_a_nan_o(e2_a_nan),
      .e2_b_nan_o(e2_b_nan),
      .e2_a_negative_o(e2_a_sign),
      .e2_b_negative_o(e2_b_sign),
      .e2_value_o(e2_small)
  );
  logic_result #(
      .FPU(FPU),
      .BITMANIP(BITMANIP)
  ) logic_result (
      .clk(clk),
      .e1_a_i(e1_a_o),
      .e1_b_i(e1_b_o),
      .e1_logic_i(e1_operation[O_LOGIC+:2]),
      .e1_pick_i(e1_operation[O_PICK+:3]),
      .e2_variant_i(e2_operation[O_VARIANT+:2]),
      .e2_second_i(e2_third),
      .e2_less_i(e2_less),
      .e2_below_i(e2_below),
      .e2_a_nan_i(e2_a_nan),
      .e2_b_nan_i(e2_b_nan),
      .e2_a_negative_i(e2_a_sign),
      .e2_b_negative_i(e2_b_sign),
      .e2_value_o(e2_picked)
  );

  // e3: the result. What is not it is zero: a register's reset is no logic. Which one it is hangs on every bit of every
  // lane, so that is decoded in e1, and each lane keeps its own.
  reg e2_is_sum, e2_is_logic, e2_is_small, e2_is_shift, e2_is_product, e3_is_product;
  (* keep *) always @(posedge clk) begin
    e2_is_sum <= e1_result_i == RESULT_SUM;
    e2_is_logic <= e1_result_i == RESULT_LOGIC;
    e2_is_small <= e1_result_i == RESULT_SMALL;
    e2_is_shift <= e1_result_i == RESULT_SHIFT && !SHIFTS_MULTIPLY;
    e2_is_product <= e1_result_i == RESULT_PRODUCT || (e1_result_i == RESULT_SHIFT && SHIFTS_MULTIPLY);
    e3_is_product <= e2_is_product;
  end
  reg [31:0] e3_sum, e3_logic, e3_shift;
  reg [9:0] e3_small;
  always @(posedge clk) begin
    e3_store_o <= e2_third;
    e3_sum <= e2_sum;
    e3_logic <= e2_picked;
    e3_small <= e2_small;
    e3_shift <= e2_shifted;
    if (!e2_is_sum) e3_sum <= 32'd0;
    if (!e2_is_logic) e3_logic <= 32'd0;
    if (!e2_is_small) e3_small <= 10'd0;
    if (!e2_is_shift || SHIFTS_MULTIPLY) e3_shift <= 32'd0;
  end

  wire [31:0] e3_product;
  product #(
      .MUL(MUL),
      .SHIFTS(SHIFTS_MULTIPLY)
  ) product (
      .clk(clk),
      .op_a_negative_i(op_multiplicand_signed_i && op_a[31] && !op_operation[O_FLOATS]),
      .op_b_negative_i(op_multiplier_signed_i && op_b[31] && !op_operation[O_FLOATS]),
      .e1_a_i(e1_multiplicand),
      .e1_b_i(e1_multiplier),
      .e1_high_i(e1_multiply_high_i),
      .e1_shift_i(e1_result_i == RESULT_SHIFT),
      .e1_right_i(e1_right),
      .e1_fill_i(e1_arithmetic && e1_a_o[31]),
      .e1_amount_i(e1_b_o[4:0]),
      .e3_value_o(e3_product),
      .e3_full_o(e3_full_product)
  );
  generate
    if (DIV != 0) begin : with_divider
      wire root = e1_operation[O_ROOT];
      divider #(
          .FPU(FPU)
      ) divider (
          .clk(clk),
          .start_i(divide_start_i),
          .step_i(divide_step_i),
          .signed_i(divide_signed_i),
          .remainder_i(divide_remainder_i),
          .dividend_i(e1_a_o),
          .divisor_i(e1_b_o),
          .result_i(divide_result_i),
          .result_o(divide_result),
          .float_i(e1_operation[O_FLOAT_DIVIDE]),
          .root_i(root),
          .dividend_tiny_i(e1_a_tiny),
          .divisor_tiny_i(e1_b_tiny),
          .exponent_i(e1_exponent),
          .negative_i(e1_a_o[31] ^ (e1_b_o[31] && !root)),
          .nan_i(e1_a_nan_o || e1_b_nan || (root ? e1_a_o[31] && !e1_a_zero :
                 (e1_a_infinite && e1_b_infinite) || (e1_a_zero && e1_b_zero))),
          .infinite_i(e1_a_infinite || (e1_b_zero && !root)),
          .zero_i(e1_a_zero || e1_b_infinite),
          .normalise_i(divide_normalise_i),
          .normalise_o(divide_normalise_o),
          .quotient_o(divide_quotient),
          .about_o(divide_about)
      );
    end else begin : without_divider
      assign {divide_result, divide_normalise_o, divide_quotient, divide_about} = 92'd0;
      wire unused_floats = &{1'b0, divide_normalise_i, e1_a_tiny, e1_b_tiny, e1_exponent};
      wire unused = &{1'b0, divide_start_i, divide_signed_i, divide_remainder_i, divide_step_i, divide_result_i};
    end
  endgenerate

  // From e3 the result is only carried. Where floating point, a shuffle or a link has the result, zero is carried.
  wire [31:0] write_result;
  write_value #(
      .TAIL(TAIL),
      .FPU (FPU)
  ) write_values (
      .clk(clk),
      .e3_result_i(e3_sum | e3_logic | {22'd0, e3_small} | e3_shift | (e3_product & {32{e3_is_product}})),
      .e3_shuffled_i(e3_shuffled_i),
      .e6_rounded_i(e6_rounded),
      .e6_known_i(e6_known),
      .e6_fixed_i(e6_fixed),
      .last_link_i(last_link_i),
      .last_collective_i(last_collective_i),
      .last_float_o(last_float_o),
      .wb_write_i(wb_write_i),
      .wb_collective_value_i(wb_collective_value_i),
      .wr_value_o(write_result)
  );
  // wr: nobody reads a register so soon after its instruction.
  reg [31:0] wr_addend;
  always @(posedge clk) wr_addend <= wb_addend_i;
  assign write_value = write_result | divide_result | (load_value_i & {32{write_load_i}});
  wire unused = &{1'b0, e1_sum[0], e1_b_infinite, e1_operation, e2_operation};
endmodule

`default_nettype wire
