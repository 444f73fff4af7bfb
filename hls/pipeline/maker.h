// SPDX-License-Identifier: Apache-2.0
// What the makers of a graph share: graph.c (regions), loops.c, instructions.c, accesses.c and values.c. One kernel at
// a time; what they allocate lives until the process ends.
#ifndef HEDDLE_HLS_PIPELINE_MAKER_H
#define HEDDLE_HLS_PIPELINE_MAKER_H

#include "hls/call_graph.h"
#include "hls/pipeline/build.h"

// contract/DEVICE.md
#define LOCAL_WINDOW 0x80000000u
#define PRIVATE_WINDOW 0xC0000000u

// From a block to the next, with the condition under which it is taken, within its region.
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
  struct node *condition;                 // of the block at hand, in its region
  struct reach accesses_of[MOST_ARRAYS];  // loads and stores of each array that has a memory of its own
  struct list reads_of[MOST_ARRAYS];      // its reads since the last write
};

// Says on stderr why the kernel cannot be hardware, with the place of `where` (NULL: none). Only the first is said.
void make_refuse(struct maker *m, LLVMValueRef where, const char *format, ...) __attribute__((format(printf, 3, 4)));
// The same, where it computes with a value of a type that pipelines do not have.
void make_refuse_type(struct maker *m, LLVMValueRef where, LLVMTypeRef type);
// The line of the source, 0 if it is not known.
unsigned make_line_of(LLVMValueRef instruction);
// Bits of a value of this type; 0: pipelines do not have it. Integers of more than 64 bits are only there between a few
// operations (wide.h), and have a width where these ask for it.
unsigned make_width_of(struct maker *m, LLVMTypeRef type);
// Bytes of memory that a value of 1 to 64 bits takes: 1, 2, 4 or 8.
unsigned make_bytes_of(unsigned width);
unsigned make_wide_width_of(struct maker *m, LLVMTypeRef type);
// The name of a type for people, as OpenCL C has it; what is narrower than its type has that of the type.
const char *make_type_name(LLVMTypeRef type);

// ---- values.c
void make_arguments(struct maker *m);
// What an LLVM value is, as the region at hand sees it; NULL if it is not known.
struct node *make_value(struct maker *m, LLVMValueRef v);
// A value as region r sees it: of an inner loop it is what each lane's last round left.
struct node *make_seen_from(struct maker *m, struct region *r, struct node *node);
void make_set_value(struct maker *m, LLVMValueRef value, struct node *node);
struct node *make_constant(struct maker *m, unsigned width, uint64_t number);
struct node *make_address_of_element(struct maker *m, LLVMValueRef gep);
// An element of an argument that is a vector; NULL if the instruction does not take one.
struct node *make_argument_element(struct maker *m, LLVMValueRef instruction);

// ---- accesses.c
unsigned make_site(struct graph *graph, LLVMValueRef instruction, const char *what);
// The lanes that come to the block at hand.
struct node *make_active_lanes(struct maker *m);
struct node *make_load(struct maker *m, LLVMValueRef instruction);
void make_store(struct maker *m, LLVMValueRef instruction);
struct node *make_atomic(struct maker *m, LLVMValueRef instruction);
// The address of an array in private memory.
struct node *make_array(struct maker *m, LLVMValueRef alloca);

// ---- arrays.c
// Whether an array gets a memory of its own: what an alloca makes, or a variable in local memory, which is at `base`
// there. Its addresses are then counted from its beginning.
bool make_own_array(struct maker *m, LLVMValueRef variable, unsigned base);
// Makes a load or store of such an array; false if it is none. `result` is a load's value, or NULL.
bool make_element(struct maker *m, LLVMValueRef instruction, struct node **result);
// A barrier: what has been read of local arrays may be something else behind it.
void make_fence(struct maker *m);

// ---- counters.c
// The largest value of a phi of a loop's header that counts up to a constant; 0: not known.
uint64_t make_most_of_counter(LLVMValueRef phi, LLVMBasicBlockRef latch);

// ---- instructions.c
// The value of an instruction that is no phi and ends no block; NULL if it has none.
struct node *make_instruction(struct maker *m, LLVMValueRef instruction);

// ---- loops.c
// Fills in the regions of the graph and the order of its blocks.
void make_loops(struct maker *m);

#endif
