// SPDX-License-Identifier: Apache-2.0
// The shape of a device: what follows from its parameters and is needed in more than one place.
`include "contract/device_map.vh"
`ifndef HEDDLE_SHAPE_VH
`define HEDDLE_SHAPE_VH

// log2 of the bytes of a beat, which has a word for each lane and 16 bytes at least, and of a line.
`define HEDDLE_BEAT_LOG2(LANES) ((LANES) > 4 ? 2 + $clog2(LANES) : 4)
`define HEDDLE_LINE_LOG2(BEAT_LOG2) ((BEAT_LOG2) > `HEDDLE_LINE_LOG2_LEAST ? (BEAT_LOG2) : `HEDDLE_LINE_LOG2_LEAST)

// Bits of an instruction's control word and operation (rtl/unit/control.vh, rtl/lane/operation.vh).
`define HEDDLE_CONTROL_BITS 46
`define HEDDLE_OPERATION_BITS 29

// Bits of what a collective computes (rtl/group/collective.vh).
`define HEDDLE_COLLECTIVE_BITS 5

// The same of its bundle, and of what a slot does next (rtl/unit/bundle.vh).
`define HEDDLE_BUNDLE_BITS(LANES, SLOT_BITS) ((LANES) + $clog2(LANES) + 3 * (SLOT_BITS) + 37)
`define HEDDLE_NEXT_BITS(LANES) ((LANES) + 35)

// The same of all that goes with an instruction from rd to e3, and of what rd alone reads (rtl/unit/instruction.vh).
`define HEDDLE_INSTRUCTION_BITS(LANES, SLOT_BITS) (`HEDDLE_BUNDLE_BITS(LANES, SLOT_BITS) + `HEDDLE_CONTROL_BITS + 10)
`define HEDDLE_OPERAND_BITS 41

// Bits of an entry of the table of kinds.
`define HEDDLE_KIND_BITS (32 * `HEDDLE_KIND_WORDS)

// What heddle.v has unless it is told otherwise. A bitstream with kernel pipelines (constraints/bitstream.py) says here
// what it has, so that a board's own modules need not know.
`ifndef HEDDLE_KINDS
`define HEDDLE_KINDS 1
`define HEDDLE_KIND_TABLE 0
`define HEDDLE_KIND_LABEL_BITS 0
`define HEDDLE_UNITS 1
`endif

// What all units get to keep rights of pages (rtl/memory/rights.v): {domain of the dispatch, set an entry, its page, the
// entry}. log2 of the bytes of a page, for 2^PAGES_LOG2 pages; a page has 4 KiB at least.
`define HEDDLE_RIGHTS_BITS 28
`define HEDDLE_PAGE_LOG2(GLOBAL_LOG2, PAGES_LOG2) ((GLOBAL_LOG2) - (PAGES_LOG2) > 12 ? (GLOBAL_LOG2) - (PAGES_LOG2) : 12)

// Bits of the name of a work-group: its group slot, and which of the last work-groups that had it. A programmable unit's
// goes by the lowest free one, so it may soon be used again; a pipeline's are used in turn. And of what a unit knows of a
// memory operation that is refused: {address, lanes, PC, sub-group, name}.
`define HEDDLE_ARRIVAL_BITS(SLOT_BITS) (3 + (SLOT_BITS))
`define HEDDLE_PIPELINE_ARRIVAL_BITS(SLOT_BITS) (2 + (SLOT_BITS))
`define HEDDLE_REFUSAL_BITS(LANES, SLOT_BITS) (32 + (LANES) + 30 + (SLOT_BITS) + `HEDDLE_ARRIVAL_BITS(SLOT_BITS))

// Bits of a programmable unit's labels: those of an answer to load_store.v, and one for instruction fetch.
`define HEDDLE_UNIT_LABEL_BITS(LANES, SLOTS, BEAT_LOG2) (10 + $clog2(SLOTS) + (LANES) * (1 + (BEAT_LOG2)))
// The same of the command processor's unit: one lane, four slots.
`define HEDDLE_PROCESSOR_LABEL_BITS(BEAT_LOG2) `HEDDLE_UNIT_LABEL_BITS(1, 4, BEAT_LOG2)

`endif
