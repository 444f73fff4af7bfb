// SPDX-License-Identifier: Apache-2.0
// Constant variables of a kernel: tables in the circuit.
#ifndef HEDDLE_HLS_PIPELINE_TABLES_H
#define HEDDLE_HLS_PIPELINE_TABLES_H

#include "hls/pipeline/graph.h"

// What a pointer points into, if that is one variable or argument; else NULL.
LLVMValueRef table_base(LLVMValueRef pointer);

// The table of a constant variable; NULL if it is none, or has parts that are not known numbers.
const struct table *table_of(struct graph *graph, LLVMValueRef global);

// The table that a pointer points into, or NULL.
const struct table *table_behind(struct graph *graph, LLVMValueRef pointer);

#endif
