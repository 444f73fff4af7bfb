// SPDX-License-Identifier: Apache-2.0
// Everything that goes with an instruction from rd to e3, in one word: its bundle (bundle.vh), its control word
// (control.vh), and the fields of the instruction that later stages read. To be included behind bundle.vh and
// control.vh.
// verilator lint_off UNUSEDPARAM
// Not every module uses all of these.
localparam CONTROL_BITS = `HEDDLE_CONTROL_BITS;
localparam I_BUNDLE = 0;
localparam I_CONTROL = I_BUNDLE + BUNDLE_BITS;
localparam I_RD = I_CONTROL + CONTROL_BITS;  // 5 bits: the register that it writes
localparam I_FUNCT3 = I_RD + 5;  // 3 bits
localparam I_ILLEGAL = I_FUNCT3 + 3;  // it is no instruction of this unit
localparam I_BAD_FETCH = I_ILLEGAL + 1;  // its PC is outside global memory
localparam INSTRUCTION_BITS = I_BAD_FETCH + 1;  // HEDDLE_INSTRUCTION_BITS


// What stage rd alone reads: which value an instruction takes as its operands (operand_value.v, lane.v).
localparam R_IMMEDIATE = 0;  // 32 bits
localparam R_CSR_KIND = 32;  // 3 bits, CSR_* of control.vh
localparam R_CSR = 35;  // the second operand is a CSR
localparam R_PC_RELATIVE = 36;  // it is the PC and the immediate
localparam R_UNIFORM = 37;  // it is the same for all lanes, and not register rs2
localparam R_RS1_USED = 38;
localparam R_RS2_ZERO = 39;  // rs2 is x0
localparam R_QUOTIENT = 40;  // the divider has the digits of this division of floats
localparam OPERAND_BITS = R_QUOTIENT + 1;  // HEDDLE_OPERAND_BITS
// verilator lint_on UNUSEDPARAM
