// SPDX-License-Identifier: Apache-2.0
// What decode.v tells every lane about an instruction: the result that is written back, and the fields of the
// operation, a word of HEDDLE_OPERATION_BITS bits. To be included in a module.
// verilator lint_off UNUSEDPARAM
// Not every module uses all of these.

// Results of a lane, 3 bits. With RESULT_LINK and RESULT_FLOAT the lane's integer part gives 0.
localparam [2:0] RESULT_SUM = 3'd0, RESULT_LOGIC = 3'd1, RESULT_SMALL = 3'd2, RESULT_SHIFT = 3'd3, RESULT_PRODUCT = 3'd4,
                 RESULT_LINK = 3'd5, RESULT_FLOAT = 3'd6;

// Fields of the operation, by their lowest bits.
localparam O_INVERT = 0;  // second operand of logic is inverted
localparam O_THIRD_ZERO = 1;  // third operand is zero
localparam O_LOGIC = 2;  // 2 bits, LOGIC_*
localparam O_PICK = 4;  // 3 bits, PICK_*
localparam O_VARIANT = 7;  // 2 bits: which of the pick's instructions
localparam O_SMALL = 9;  // 3 bits, SMALL_*
localparam O_SHIFT_ADD = 12;  // 2 bits: first operand is shifted left by so much before the sum
localparam O_ROTATE = 14;
localparam O_REVERSE_BYTES = 15;
localparam O_FLOAT = 16;  // floating point; fields from here on are 0 without
localparam O_FLOATS = 17;  // first operands are floats
localparam O_MULTIPLY = 18;  // of two registers
localparam O_FROM = 19;  // from integer
localparam O_TO = 20;  // to integer
localparam O_SIGNED = 21;  // that integer is signed
localparam O_NEGATE_PRODUCT = 22;
localparam O_NEGATE_ADDEND = 23;
localparam O_ROUNDING = 24;  // 3 bits, as in the instruction's rm field
localparam O_ROOT = 27;  // square root, else quotient
localparam O_FLOAT_DIVIDE = 28;  // quotient or root: the divider has the digits first

localparam [1:0] LOGIC_XOR = 2'd0, LOGIC_FIRST = 2'd1, LOGIC_OR = 2'd2, LOGIC_AND = 2'd3;
localparam [2:0] PICK_FIRST = 3'd0, PICK_MINIMUM = 3'd1, PICK_FLOAT_MINIMUM = 3'd2, PICK_SIGN = 3'd3, PICK_EXTEND = 3'd4,
                 PICK_BYTES = 3'd5;
localparam [2:0] SMALL_LESS = 3'd0, SMALL_FLOAT_EQUAL = 3'd1, SMALL_FLOAT_LESS = 3'd2, SMALL_FLOAT_LESS_EQUAL = 3'd3,
                 SMALL_CLASS = 3'd4, SMALL_ZEROS = 3'd5, SMALL_ONES = 3'd6;
// verilator lint_on UNUSEDPARAM
