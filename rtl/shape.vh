// SPDX-License-Identifier: Apache-2.0
// The shape of a device: what follows from its parameters and is needed in more than one place.
`ifndef HEDDLE_SHAPE_VH
`define HEDDLE_SHAPE_VH

// Kinds of compute unit: the type in the table of kinds (contract/DEVICE.md).
`define HEDDLE_KIND_PROGRAMMABLE 0
`define HEDDLE_KIND_PIPELINE 1
`define HEDDLE_KIND_TEST 255 // of sim/rtl/test_unit.v

// Bits of a kind's entry in that table: 16 words.
`define HEDDLE_KIND_BITS 512

// Bits of a programmable unit's labels: those of an answer to load_store.v, and one for instruction fetch.
`define HEDDLE_UNIT_LABEL_BITS(LANES, SLOTS, ROW_LOG2) (10 + $clog2(SLOTS) + (LANES) * (1 + (ROW_LOG2)))
// The same of the command processor's unit: one lane, four slots.
`define HEDDLE_PROCESSOR_LABEL_BITS(ROW_LOG2) `HEDDLE_UNIT_LABEL_BITS(1, 4, ROW_LOG2)

`endif
