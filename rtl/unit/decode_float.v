// SPDX-License-Identifier: Apache-2.0
// Decodes Zfinx: fmadd and its like, and opcode OP-FP. Combinational; part of decode.v. Without an frm, the dynamic
// rounding mode is to nearest, ties to even. Of an illegal instruction, or one with another opcode, the outputs other
// than illegal_o mean nothing.
`include "rtl/shape.vh"
`default_nettype none

module decode_float (
    input wire [31:2] instruction_i,

    output reg       illegal_o,
    output reg       rs1_used_o,
    output reg       rs2_used_o,
    output reg       rs3_used_o,
    output reg       uniform_o,   // second operand is a constant
    output reg [2:0] result_o,    // RESULT_*
    output reg       compares_o,  // as ints, by the difference of the operands

    output wire [`HEDDLE_OPERATION_BITS-1:0] operation_o  // O_* of rtl/lane/operation.vh
);
  `include "rtl/lane/operation.vh"
  wire [31:2] i = instruction_i;
  wire [2:0] funct3 = i[14:12];
  wire rs1_is_x0 = i[19:15] == 5'd0;
  wire rs2_is_x0 = i[24:20] == 5'd0;
  wire fused = !i[4];  // fmadd fmsub fnmsub fnmadd
  wire rounding_legal = funct3 <= 3'd4 || funct3 == 3'd7;
  wire single = i[26:25] == 2'd0;

  // Fields of operation_o.
  reg third_zero, float, floats, multiply, from, to, negate_product, negate_addend, divide, root;
  reg [1:0] variant;
  reg [2:0] pick, small_of;

  always @* begin
    illegal_o = !single;
    rs1_used_o = !rs1_is_x0;
    rs2_used_o = !rs2_is_x0;
    rs3_used_o = 1'b0;
    uniform_o = 1'b0;
    result_o = RESULT_FLOAT;
    compares_o = 1'b0;
    third_zero = rs2_is_x0;
    {float, floats, multiply, from, to, divide, root} = 7'd0;
    {negate_product, negate_addend} = 2'b00;
    variant = 2'b00;
    pick = PICK_FIRST;
    small_of = SMALL_LESS;
    if (fused) begin
      rs3_used_o = i[31:27] != 5'd0;
      third_zero = i[31:27] == 5'd0;
      {float, floats} = 2'b11;
      negate_product = i[3];
      negate_addend = i[2];
      if (!rounding_legal) illegal_o = 1'b1;
    end else
      case (i[31:27])
        5'b00000, 5'b00001: begin  // fadd fsub: rs1 * 1 + rs2
          uniform_o = 1'b1;
          {float, floats} = 2'b11;
          negate_addend = i[27];
          if (!rounding_legal) illegal_o = 1'b1;
        end
        5'b00010: begin  // fmul
          third_zero = 1'b1;
          {float, floats, multiply} = 3'b111;
          if (!rounding_legal) illegal_o = 1'b1;
        end
        5'b00011, 5'b01011: begin  // fdiv fsqrt: first to the divider, which gives them back as rs1 to be rounded
          {float, floats, divide} = 3'b111;
          root = i[30];
          if (!rounding_legal || (i[30] && !rs2_is_x0)) illegal_o = 1'b1;
        end
        5'b00100: begin  // fsgnj fsgnjn fsgnjx
          result_o = RESULT_LOGIC;
          pick = PICK_SIGN;
          variant = funct3[1:0];
          if (funct3 > 3'd2) illegal_o = 1'b1;
        end
        5'b00101: begin  // fmin fmax
          result_o = RESULT_LOGIC;
          pick = PICK_FLOAT_MINIMUM;
          variant = {1'b0, funct3[0]};
          compares_o = 1'b1;
          if (funct3 > 3'd1) illegal_o = 1'b1;
        end
        5'b10100: begin  // fle flt feq
          result_o   = RESULT_SMALL;
          small_of   = funct3[1] ? SMALL_FLOAT_EQUAL : funct3[0] ? SMALL_FLOAT_LESS : SMALL_FLOAT_LESS_EQUAL;
          compares_o = 1'b1;
          if (funct3 > 3'd2) illegal_o = 1'b1;
        end
        5'b11100: begin  // fclass
          result_o   = RESULT_SMALL;
          small_of   = SMALL_CLASS;
          rs2_used_o = 1'b0;
          if (funct3 != 3'd1 || !rs2_is_x0) illegal_o = 1'b1;
        end
        5'b11000: begin  // fcvt.w fcvt.wu: the operand is the addend
          uniform_o   = 1'b1;
          rs1_used_o  = 1'b0;
          rs2_used_o  = 1'b0;
          rs3_used_o  = !rs1_is_x0;
          third_zero  = rs1_is_x0;
          {float, to} = 2'b11;
          if (!rounding_legal || i[24:21] != 4'd0) illegal_o = 1'b1;
        end
        5'b11010: begin  // fcvt.s: rs1 * 1
          uniform_o = 1'b1;
          rs2_used_o = 1'b0;
          third_zero = 1'b1;
          {float, from} = 2'b11;
          if (!rounding_legal || i[24:21] != 4'd0) illegal_o = 1'b1;
        end
        default: illegal_o = 1'b1;
      endcase
  end

  assign operation_o[O_INVERT] = 1'b0;
  assign operation_o[O_THIRD_ZERO] = third_zero;
  assign operation_o[O_LOGIC+:2] = LOGIC_FIRST;
  assign operation_o[O_PICK+:3] = pick;
  assign operation_o[O_VARIANT+:2] = variant;
  assign operation_o[O_SMALL+:3] = small_of;
  assign operation_o[O_SHIFT_ADD+:2] = 2'd0;
  assign operation_o[O_ROTATE] = 1'b0;
  assign operation_o[O_REVERSE_BYTES] = 1'b0;
  assign operation_o[O_FLOAT] = float;
  assign operation_o[O_FLOATS] = floats;
  assign operation_o[O_MULTIPLY] = multiply;
  assign operation_o[O_FROM] = from;
  assign operation_o[O_TO] = to;
  assign operation_o[O_SIGNED] = !i[20];
  assign operation_o[O_NEGATE_PRODUCT] = negate_product;
  assign operation_o[O_NEGATE_ADDEND] = negate_addend;
  assign operation_o[O_ROUNDING+:3] = funct3[2] && funct3[1:0] != 2'd0 ? 3'd0 : funct3;
  assign operation_o[O_ROOT] = root;
  assign operation_o[O_FLOAT_DIVIDE] = divide;
  wire unused = &{1'b0, i[11:5]};  // rd, and what makes the opcode
endmodule

`default_nettype wire
