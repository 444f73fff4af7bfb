// SPDX-License-Identifier: Apache-2.0
// The control word of an instruction: what decode.v tells the stages of a unit from op on, HEDDLE_CONTROL_BITS bits. To
// be included in a module.
// verilator lint_off UNUSEDPARAM
// Not every module uses all of these.
localparam C_WRITES = 0;  // the result goes to rd at write-back
localparam C_INCLUSIVE = 1;  // of a collective: inclusive scan
localparam C_EXCLUSIVE = 2;  // exclusive scan; with neither every lane gets the last one's value
localparam C_BROADCAST = 3;  // the operand is rs1 of the lane that rs2 names
localparam C_PREDICATE = 4;  // the operand is rs1 != 0
localparam C_OPERATION = 5;  // `HEDDLE_COLLECTIVE_BITS bits, T_* of rtl/group/collective.vh
localparam C_WORK_GROUP = 10;  // scope of a collective
localparam C_COLLECTIVE = 11;  // the tree has the result; 0 for barriers, which have none
localparam C_EXIT = 12;
localparam C_DIVIDE = 13;  // of integers
localparam C_STORE = 14;
localparam C_LOAD = 15;
localparam C_JUMP_REGISTER = 16;
localparam C_JUMP = 17;
localparam C_BRANCH = 18;
localparam C_RESULT = 19;  // 3 bits, RESULT_* of rtl/lane/operation.vh
localparam C_MULTIPLIER_SIGNED = 22;
localparam C_MULTIPLICAND_SIGNED = 23;
localparam C_HIGH = 24;  // upper word of a product
localparam C_UNSIGNED = 25;  // comparison
localparam C_ARITHMETIC = 26;  // shift
localparam C_RIGHT = 27;  // shift
localparam C_SUBTRACT = 28;
localparam C_LANE_ID = 29;  // first operand is the lane's number
localparam C_LOCAL_ID = 30;  // 3 bits: first operand is local id x, y, z
localparam C_ATOMIC = 33;
localparam C_FUNCTION = 34;  // 5 bits: funct5 of an atomic
localparam C_CONVERGES = 39;  // issues when all live lanes are there, else parks those that are
localparam C_BALLOT = 40;  // the operand is rs1 != 0, at the bit of the lane's number
localparam C_SHUFFLE = 41;  // rs1 of the lane that rs2 names, in each lane; not through the tree
localparam C_SUM = 42;  // sum of floats across lanes: passes through the lanes' adders; third operand is rd
localparam C_FIRST = 43;  // of a 64-bit collective the first word, which decides about carry or order,
localparam C_SECOND = 44;  // and the second
localparam C_WAITS = 45;  // an atomic or a pause: what a loop that waits for other lanes is full of

// Which value a CSR reads, where it is the same for all lanes.
localparam [2:0] CSR_ZERO = 3'd0, CSR_GROUP = 3'd1, CSR_SUB_GROUP_ID = 3'd2, CSR_SUB_GROUP_SIZE = 3'd3, CSR_PACKET = 3'd4,
                 CSR_STACK_TOP = 3'd5, CSR_CYCLE = 3'd6, CSR_CYCLE_HIGH = 3'd7;
// verilator lint_on UNUSEDPARAM
