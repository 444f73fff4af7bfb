// SPDX-License-Identifier: Apache-2.0
// Encoding of collectives in custom-0 (contract/DEVICE.md): funct3, and funct7 = {type, mode, op}. To be included in a module.
// verilator lint_off UNUSEDPARAM
// Not every module uses all of these.

// funct3. With FUNCT3_WIDE a word of 64 bits.
localparam [2:0] FUNCT3_SUB_GROUP = 3'd0, FUNCT3_WORK_GROUP = 3'd1, FUNCT3_ACTIVE = 3'd2, FUNCT3_CONTROL = 3'd3, FUNCT3_WIDE = 3'd4;

localparam [1:0] OP_ADD = 2'd0, OP_MIN = 2'd1, OP_MAX = 2'd2;
// The last two are of active sets; MODE_BARRIER is not.
localparam [2:0] MODE_REDUCE = 3'd0, MODE_INCLUSIVE = 3'd1, MODE_EXCLUSIVE = 3'd2, MODE_BROADCAST = 3'd3, MODE_ALL = 3'd4,
                 MODE_ANY = 3'd5, MODE_BARRIER = 3'd6, MODE_SHUFFLE = 3'd6, MODE_BALLOT = 3'd7;
localparam [1:0] TYPE_INT = 2'd0, TYPE_UINT = 2'd1, TYPE_FLOAT = 2'd2;
// verilator lint_on UNUSEDPARAM
