// SPDX-License-Identifier: Apache-2.0
// The control word of an instruction: what decode.v tells the stages of a unit from op on, HEDDLE_CONTROL_BITS bits. To be included in a
// module.
// verilator lint_off UNUSEDPARAM
// Not every module uses all of these.
localparam C_WRITES = 0;  // the result goes to rd at write-back
localparam C_INCLUSIVE = 1;  // of a collective: inclusive scan
localparam C_EXCLUSIVE = 2;  // exclusive scan; with neither every lane gets the last one's value
localparam C_BROADCAST = 3;  // the operand is rs1 of the lane that rs2 names
localparam C_PREDICATE = 4;  // the operand is rs1 != 0
localparam C_SIGNED = 5;  // the tree compares signed values
localparam C_MAX = 6;  // the tree's operation: maximum,
localparam C_ADD = 7;  // sum, else minimum
localparam C_WORK_GROUP = 8;  // scope of a collective
localparam C_COLLECTIVE = 9;  // the tree has the result
localparam C_EXIT = 10;
localparam C_DIVIDE = 11;  // of integers
localparam C_STORE = 12;
localparam C_LOAD = 13;
localparam C_JUMP_REGISTER = 14;
localparam C_JUMP = 15;
localparam C_BRANCH = 16;
localparam C_RESULT = 17;  // 3 bits, RESULT_* of rtl/lane/operation.vh
localparam C_MULTIPLIER_SIGNED = 20;
localparam C_MULTIPLICAND_SIGNED = 21;
localparam C_HIGH = 22;  // upper word of a product
localparam C_UNSIGNED = 23;  // comparison
localparam C_ARITHMETIC = 24;  // shift
localparam C_RIGHT = 25;  // shift
localparam C_SUBTRACT = 26;
localparam C_LANE_ID = 27;  // first operand is the lane's number
localparam C_LOCAL_ID = 28;  // 3 bits: first operand is local id x, y, z
localparam C_ATOMIC = 31;
localparam C_FUNCTION = 32;  // 5 bits: funct5 of an atomic
localparam C_CONVERGES = 37;  // issues when all live lanes are there, else parks those that are
localparam C_BALLOT = 38;  // the operand is rs1 != 0, at the bit of the lane's number
localparam C_SHUFFLE = 39;  // rs1 of the lane that rs2 names, in each lane; not through the tree
localparam C_FLOAT = 40;  // minimum or maximum of floats
localparam C_SUM = 41;  // sum of floats across lanes: passes through the lanes' adders; third operand is rd
localparam C_FIRST = 42;  // of a 64-bit collective the first word, which decides about carry or order,
localparam C_SECOND = 43;  // and the second

// Which value a CSR reads, where it is the same for all lanes.
localparam [2:0] CSR_ZERO = 3'd0, CSR_IDENTITY = 3'd1, CSR_SUB_GROUP_ID = 3'd2, CSR_SUB_GROUP_SIZE = 3'd3, CSR_PACKET = 3'd4,
                 CSR_STACK_TOP = 3'd5, CSR_CYCLE = 3'd6, CSR_CYCLE_HIGH = 3'd7;
// verilator lint_on UNUSEDPARAM
