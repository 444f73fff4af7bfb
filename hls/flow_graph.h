// SPDX-License-Identifier: Apache-2.0
// The blocks of a function, the loops they are in, and an order of them in which lanes meet again.
#ifndef HEDDLE_HLS_FLOW_GRAPH_H
#define HEDDLE_HLS_FLOW_GRAPH_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>

// Of blocks and loops; a loop is named by its header.
#define FLOW_NONE ((size_t)-1)

struct flow_node {
  LLVMBasicBlockRef block;
  size_t loop;   // innermost one that the block is in; a header is in its own
  size_t outer;  // of a header: the loop around its own
  size_t finished_at;
  bool ends_a_loop, is_header;
  enum { FLOW_NEW, FLOW_UNDER_WAY, FLOW_DONE } state;
};

struct flow_graph {
  LLVMValueRef function;
  struct flow_node *nodes;  // by address
  size_t *finished;         // nodes in the order in which a depth-first walk was done with them
  size_t count, reached;
  bool is_reducible;  // every loop has one block that it is entered by
};

// Released with flow_graph_close.
struct flow_graph flow_graph_open(LLVMValueRef function);
void flow_graph_close(struct flow_graph *graph);

// Whether a block is the header of a loop.
bool flow_graph_is_header(const struct flow_graph *graph, LLVMBasicBlockRef block);

// Of blocks: whether one is in the loop that the other is the header of.
bool flow_graph_is_in_loop(const struct flow_graph *graph, LLVMBasicBlockRef block, LLVMBasicBlockRef header);

// Puts each block before all that control goes on to from it, but for the jump back of a loop, and the blocks of each
// loop side by side, so that the jump back is at its end. For a graph that is reducible.
void flow_graph_lay_out(struct flow_graph *graph);

#endif
