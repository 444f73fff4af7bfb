// SPDX-License-Identifier: Apache-2.0
// Reasons of faults (contract/DEVICE.md, "Fault record"), 4 bits. To be included in a module.
`include "contract/device_map.vh"
// verilator lint_off UNUSEDPARAM
// Not every module uses all of these.
localparam [3:0] ILLEGAL_INSTRUCTION = `HEDDLE_FAULT_ILLEGAL_INSTRUCTION, MISALIGNED = `HEDDLE_FAULT_MISALIGNED,
                 UNMAPPED = `HEDDLE_FAULT_UNMAPPED, OUTSIDE_LOCAL = `HEDDLE_FAULT_OUTSIDE_LOCAL,
                 OUTSIDE_PRIVATE = `HEDDLE_FAULT_OUTSIDE_PRIVATE, DIVERGENT_COLLECTIVE = `HEDDLE_FAULT_DIVERGENT_COLLECTIVE,
                 BUDGET_SPENT = `HEDDLE_FAULT_BUDGET_SPENT, BAD_FETCH = `HEDDLE_FAULT_BAD_FETCH,
                 STOPPED_BY_HOST = `HEDDLE_FAULT_STOPPED, BAD_DISPATCH = `HEDDLE_FAULT_BAD_DISPATCH,
                 MEMORY_ERROR = `HEDDLE_FAULT_MEMORY_ERROR;
// verilator lint_on UNUSEDPARAM
