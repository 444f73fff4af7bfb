// SPDX-License-Identifier: Apache-2.0
// Constant variables of a kernel: tables in the circuit.
#ifndef HEDDLE_HLS_PIPELINE_TABLES_H
#define HEDDLE_HLS_PIPELINE_TABLES_H

#include "contract/device_map.h"
#include "hls/pipeline/graph.h"

// Of the bytes of a table, at most: each has an address of its own, a multiple of this. Addresses are those of
// contract/DEVICE.md, "The printf buffer".
enum { TABLE_LOG2 = HEDDLE_PIPELINE_TABLE_LOG2 };

// What a pointer points into, if that is one variable or argument; else NULL.
LLVMValueRef table_base(LLVMValueRef pointer);

// The table of a constant variable; NULL if it is none, or has parts that are not known numbers.
const struct table *table_of(struct graph *graph, LLVMValueRef global);

// Whether a variable may be a table in a circuit, where it is one of the first MOST_TABLES.
bool table_is_possible(LLVMTargetDataRef layout, LLVMValueRef global);

// The address space of a pointer: of a generic one that of all that it may be, if they are in one. LLVM leaves volatile
// accesses generic.
unsigned table_address_space(LLVMValueRef pointer);

// The tables that a pointer may point into.
enum { MOST_TABLES = 4096, MOST_TABLES_BEHIND = 8 };
struct tables_behind {
  const struct table *tables[MOST_TABLES_BEHIND];
  unsigned count;
  bool others;    // it may point elsewhere, too
  bool too_many;  // or into more tables than there is room for here
};
struct tables_behind tables_behind(struct graph *graph, LLVMValueRef pointer);

#endif
