// SPDX-License-Identifier: Apache-2.0
// What the files that make a graph of LLVM's IR share: graph.c (regions), loops.c, instructions.c, accesses.c,
// arrays.c, values.c. They handle one kernel at a time; what they allocate lives until the process ends.
#ifndef HEDDLE_HLS_PIPELINE_MAKER_H
#define HEDDLE_HLS_PIPELINE_MAKER_H

#include "hls/call_graph.h"
#include "hls/pipeline/build.h"

// contract/DEVICE.md
#define LOCAL_WINDOW 0x80000000u
#define PRIVATE_WINDOW 0xC0000000u

// An edge of the control-flow graph, and the condition within its region under which it is taken.
struct edge {
  LLVMBasicBlockRef from, to;
  struct node *condition;
};

struct value_of {
  LLVMValueRef value;
  struct node *node;
};

struct maker {
  struct graph *graph;
  struct builder builder;
  enum status status;
  LLVMBasicBlockRef *order;  // reverse postorder
  unsigned block_count;
  struct edge *edges;
  unsigned edge_count;
  struct value_of *values;  // a hash table
  size_t value_room, value_count;
  struct node *condition;                 // under which the current block runs, in its region
  struct reach accesses_of[MOST_ARRAYS];  // loads and stores of each array that has a memory of its own
  struct list reads_of[MOST_ARRAYS];      // its reads since the last write
};

// Explains on stderr why the kernel cannot be hardware, at the source line of `where` (NULL: none), and sets
// m->status to STATUS_REJECTED. Only the first reason is printed.
void make_refuse(struct maker *m, LLVMValueRef where, const char *format, ...) __attribute__((format(printf, 3, 4)));
// The same, for a value of a type that pipelines do not have.
void make_refuse_type(struct maker *m, LLVMValueRef where, LLVMTypeRef type);
// The line of the source, 0 if it is not known.
unsigned make_line_of(LLVMValueRef instruction);
// Bits of a value of this type; 0: pipelines do not have it. Integers of more than 64 bits exist
// only between a few operations (wide.h), which ask make_wide_width_of.
unsigned make_width_of(struct maker *m, LLVMTypeRef type);
// Bytes of memory that a value of 1 to 64 bits takes: 1, 2, 4 or 8.
unsigned make_bytes_of(unsigned width);
unsigned make_wide_width_of(struct maker *m, LLVMTypeRef type);
// The name of a type in OpenCL C, for messages. An integer of unusual width has the name of the next wider type.
const char *make_type_name(LLVMTypeRef type);

// ---- values.c
void make_arguments(struct maker *m);
// The node of an LLVM value, as the current region sees it; NULL: it has none.
struct node *make_value(struct maker *m, LLVMValueRef v);
// A node as region r sees it: a value of an inner loop becomes an OP_OUT.
struct node *make_seen_from(struct maker *m, struct region *r, struct node *node);
void make_set_value(struct maker *m, LLVMValueRef value, struct node *node);
struct node *make_constant(struct maker *m, unsigned width, uint64_t number);
struct node *make_address_of_element(struct maker *m, LLVMValueRef gep);
// The node for an instruction that extracts an element of an argument that is a vector; NULL: it does no such thing.
struct node *make_argument_element(struct maker *m, LLVMValueRef instruction);

// ---- accesses.c
unsigned make_site(struct graph *graph, LLVMValueRef instruction, const char *what);
// The lanes that run the current block.
struct node *make_active_lanes(struct maker *m);
struct node *make_load(struct maker *m, LLVMValueRef instruction);
void make_store(struct maker *m, LLVMValueRef instruction);
struct node *make_atomic(struct maker *m, LLVMValueRef instruction);
// The address of an array in private memory.
struct node *make_array(struct maker *m, LLVMValueRef alloca);

// ---- arrays.c
// Decides whether an array gets a memory of its own, and adds it to the graph if so. `variable` is an alloca, or a
// variable in local memory at offset `base`. Addresses in the array then begin at 0.
bool make_own_array(struct maker *m, LLVMValueRef variable, unsigned base);
// Makes nodes of a load or store of such an array. False: the instruction is none. *result: the value of a load, NULL
// of a store.
bool make_element(struct maker *m, LLVMValueRef instruction, struct node **result);
// A barrier: what was read of local arrays before it is not reused behind it.
void make_fence(struct maker *m);

// ---- counters.c
// The largest value of a phi of a loop's header that counts up to a constant; 0: not known.
uint64_t make_most_of_counter(LLVMValueRef phi, LLVMBasicBlockRef latch);

// ---- ranges.c
// The largest value that an integer may have; where nothing is known, all ones.
uint64_t make_most_of(LLVMValueRef value);

// ---- instructions.c
// Makes nodes of an instruction that is no phi and no terminator. Returns its value; NULL: it has none.
struct node *make_instruction(struct maker *m, LLVMValueRef instruction);

// ---- loops.c
// Fills in the regions of the graph and the order of its blocks.
void make_loops(struct maker *m);

#endif
