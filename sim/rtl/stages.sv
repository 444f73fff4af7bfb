// SPDX-License-Identifier: Apache-2.0
// What is in each stage of a unit, by name, for people who look at waveforms: in the RTL slot, PC and lanes of an instruction are fields
// of one wide signal. Bound into devices that record waveforms (sim/rtl/waves.h), and into no other; nothing here has a state of its own.
// The stages are those of rtl/unit/README.md.
`include "rtl/shape.vh"
`default_nettype none

// An instruction in a stage: whether there is one, its slot, PC and lanes, and whether it is the start of a sub-group.
`define HEDDLE_STAGE(stage, is_there, bundle) \
  wire stage``_valid = is_there; \
  wire stage``_launch = bundle[B_LAUNCH]; \
  wire [31:0] stage``_pc = {bundle[B_PC+:PC], 2'b00}; \
  wire [SLOT_BITS-1:0] stage``_slot = bundle[B_SLOT+:SLOT_BITS]; \
  wire [SLOT_BITS-1:0] stage``_sub_group = bundle[B_SUB_GROUP+:SLOT_BITS]; \
  wire [LANES-1:0] stage``_lanes = bundle[B_LANES+:LANES];

module unit_stages #(
    parameter LANES = 8,  // these as in rtl/unit/unit.v
    parameter SLOT_BITS = 5,
    parameter LEVELS = 3
) (
    input wire f1_valid_i,
    input wire f2_valid_i,
    input wire de_valid_i,
    input wire rd_valid_i,
    input wire op_valid_i,
    input wire e1_valid_i,
    input wire e2_valid_i,
    input wire e3_valid_i,
    input wire wb_valid_i,
    input wire [`HEDDLE_BUNDLE_BITS(LANES, SLOT_BITS)-1:0] f1_bundle_i,
    input wire [`HEDDLE_BUNDLE_BITS(LANES, SLOT_BITS)-1:0] f2_bundle_i,
    input wire [`HEDDLE_BUNDLE_BITS(LANES, SLOT_BITS)-1:0] de_bundle_i,
    input wire [`HEDDLE_BUNDLE_BITS(LANES, SLOT_BITS)-1:0] rd_bundle_i,
    input wire [`HEDDLE_BUNDLE_BITS(LANES, SLOT_BITS)-1:0] op_bundle_i,
    input wire [`HEDDLE_BUNDLE_BITS(LANES, SLOT_BITS)-1:0] e1_bundle_i,
    input wire [`HEDDLE_BUNDLE_BITS(LANES, SLOT_BITS)-1:0] e2_bundle_i,
    input wire [`HEDDLE_BUNDLE_BITS(LANES, SLOT_BITS)-1:0] e3_bundle_i,
    input wire [`HEDDLE_BUNDLE_BITS(LANES, SLOT_BITS)-1:0] wb_bundle_i
);
  `include "rtl/unit/bundle.vh"
  `HEDDLE_STAGE(f1, f1_valid_i, f1_bundle_i)
  `HEDDLE_STAGE(f2, f2_valid_i, f2_bundle_i)
  `HEDDLE_STAGE(de, de_valid_i, de_bundle_i)
  `HEDDLE_STAGE(rd, rd_valid_i, rd_bundle_i)
  `HEDDLE_STAGE(op, op_valid_i, op_bundle_i)
  `HEDDLE_STAGE(e1, e1_valid_i, e1_bundle_i)
  `HEDDLE_STAGE(e2, e2_valid_i, e2_bundle_i)
  `HEDDLE_STAGE(e3, e3_valid_i, e3_bundle_i)
  `HEDDLE_STAGE(wb, wb_valid_i, wb_bundle_i)
endmodule

bind unit unit_stages #(
    .LANES(LANES),
    .SLOT_BITS(SLOT_BITS),
    .LEVELS(LEVELS)
) stages (
    .f1_valid_i(issue.f1_valid),
    .f2_valid_i(issue.f2_valid),
    .de_valid_i(issue.de_valid),
    .rd_valid_i(issue.rd_valid),
    .op_valid_i(datapath.op_valid),
    .e1_valid_i(datapath.e1_valid),
    .e2_valid_i(datapath.e2_valid),
    .e3_valid_i(datapath.e3_valid),
    .wb_valid_i(wb_valid),
    .f1_bundle_i(issue.f1_bundle),
    .f2_bundle_i(issue.f2_bundle),
    .de_bundle_i(issue.de_bundle),
    .rd_bundle_i(issue.rd_bundle),
    .op_bundle_i(datapath.op_instruction[I_BUNDLE+:BUNDLE_BITS]),
    .e1_bundle_i(e1_instruction[I_BUNDLE+:BUNDLE_BITS]),
    .e2_bundle_i(e2_instruction[I_BUNDLE+:BUNDLE_BITS]),
    .e3_bundle_i(e3_instruction[I_BUNDLE+:BUNDLE_BITS]),
    .wb_bundle_i(wb_instruction[I_BUNDLE+:BUNDLE_BITS])
);

`undef HEDDLE_STAGE
`default_nettype wire
