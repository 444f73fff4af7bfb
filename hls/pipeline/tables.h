// SPDX-License-Identifier: Apache-2.0
// Tables: constant variables of a kernel, which become ROMs in the circuit.
#ifndef HEDDLE_HLS_PIPELINE_TABLES_H
#define HEDDLE_HLS_PIPELINE_TABLES_H

#include "contract/device_map.h"
#include "hls/pipeline/graph.h"

// log2 of the most bytes of a table. Tables begin at multiples of that. contract/DEVICE.md, "The printf buffer", has
// the addresses.
enum { TABLE_LOG2 = HEDDLE_PIPELINE_TABLE_LOG2 };

// The one variable or argument that a pointer points into; NULL: it may be one of several, or is not known.
LLVMValueRef table_base(LLVMValueRef pointer);

// The table of a constant variable, which is made once. NULL: the variable is not constant, or its initializer has
// parts that are no known numbers.
const struct table *table_of(struct graph *graph, LLVMValueRef global);

// Whether a variable may be a table in a circuit, where it is one of the first MOST_TABLES.
bool table_is_possible(LLVMTargetDataRef layout, LLVMValueRef global);

// The address space of a pointer. For a generic pointer, the one that all of its possible values have, if it is one:
// LLVM leaves volatile accesses generic.
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
