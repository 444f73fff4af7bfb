// SPDX-License-Identifier: Apache-2.0
// The control-flow graph of a function: its blocks, its loops, and an order of blocks in which diverged lanes
// reconverge.
#ifndef HEDDLE_HLS_FLOW_GRAPH_H
#define HEDDLE_HLS_FLOW_GRAPH_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>

// No block or loop. A loop is named by the index of its header.
#define FLOW_NONE ((size_t)-1)

struct flow_node {
  LLVMBasicBlockRef block;
  size_t loop;         // the innermost loop around the block; a header is in its own loop
  size_t outer;        // of a header: the loop around its loop
  size_t finished_at;  // its index in `finished`
  bool ends_a_loop, is_header;
  enum { FLOW_NEW, FLOW_UNDER_WAY, FLOW_DONE } state;
};

struct flow_graph {
  LLVMValueRef function;
  struct flow_node *nodes;  // by address
  size_t *finished;         // indexes of nodes in postorder
  size_t count, reached;
  bool is_reducible;  // every loop has one entry
};

// Released with flow_graph_close.
struct flow_graph flow_graph_open(LLVMValueRef function);
void flow_graph_close(struct flow_graph *graph);

// Whether a block is the header of a loop.
bool flow_graph_is_header(const struct flow_graph *graph, LLVMBasicBlockRef block);

// The header of the innermost loop around a block; NULL: there is none.
LLVMBasicBlockRef flow_graph_header_of(const struct flow_graph *graph, LLVMBasicBlockRef block);

// Whether a block is in the loop with this header.
bool flow_graph_is_in_loop(const struct flow_graph *graph, LLVMBasicBlockRef block, LLVMBasicBlockRef header);

// Orders the blocks of a reducible graph: topologically but for back edges, with the blocks of each loop together, so
// that its back edge is at its end.
void flow_graph_lay_out(struct flow_graph *graph);

#endif
