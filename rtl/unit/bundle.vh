// SPDX-License-Identifier: Apache-2.0
// What accompanies an instruction through the stages of a unit besides its control word: whose it is, and where its
// lanes are. To be included in a module that has LANES, LEVELS (log2 of it) and SLOT_BITS.
// verilator lint_off UNUSEDPARAM
// Not every module uses all of these.
localparam PC = 30;  // bits of a PC without its two zeros
localparam SIZE_BITS = LEVELS + 1;  // of a sub-group's size
localparam PASS_BITS = 3;  // of the pass of an instruction that takes several

// Fields of the bundle, by their lowest bits.
localparam B_LANES = 0;  // that execute it
localparam B_PC = B_LANES + LANES;
localparam B_SIZE = B_PC + PC;  // of the sub-group
localparam B_SUB_GROUP = B_SIZE + SIZE_BITS;  // its id
localparam B_GROUP_SLOT = B_SUB_GROUP + SLOT_BITS;  // of its work-group
localparam B_SLOT = B_GROUP_SLOT + SLOT_BITS;
localparam B_CONVERGED = B_SLOT + SLOT_BITS;  // the lanes are all live ones
localparam B_SECOND = B_CONVERGED + 1;  // second pass of a work-group collective
localparam B_LAUNCH = B_SECOND + 1;  // the first pass of a sub-group, which writes local ids
localparam B_PASS = B_LAUNCH + 1;
localparam BUNDLE_BITS = B_PASS + PASS_BITS;  // HEDDLE_BUNDLE_BITS

// What a slot does next: {second pass of a work-group collective, pass, PC, lanes, these are all live lanes}.
localparam NEXT_BITS = 1 + PASS_BITS + PC + LANES + 1;  // HEDDLE_NEXT_BITS
// verilator lint_on UNUSEDPARAM
