// SPDX-License-Identifier: Apache-2.0
// What stands in a loop in front of `break` or `return` is not of the loop to LLVM, as control does not come round
// again from there; so lanes that leave in different rounds would meet in it, as if it stood behind the loop. From its
// end, a branch that nobody takes leads back to the loop's head. Where the source's loops begin and end is in the names
// and the order that clang gives its blocks.
#include "hls/loop_scopes.h"

#include <ctype.h>
#include <llvm-c/DebugInfo.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "hls/active_sets.h"
#include "hls/flow_graph.h"
#include "hls/ir.h"

// Those of clang's kinds of loops: first block, and first block behind.
static const struct {
  const char *begin, *end;
} kinds[] = {{"for.cond", "for.end"}, {"while.cond", "while.end"}, {"do.body", "do.end"}};
enum { KINDS = sizeof kinds / sizeof *kinds };

// `end` is NULL where clang has left it out, as the loop is only left by `return` or `goto`.
struct loop {
  LLVMBasicBlockRef begin, end;
};

struct scopes {
  LLVMValueRef function;
  LLVMBasicBlockRef *blocks;  // in the order of the source
  size_t count;
  struct loop *loops;  // inner ones first
  size_t loop_count;
  bool *has_active_set, *is_dominated;
};

// clang makes names unique by a number.
static bool is_named(LLVMBasicBlockRef block, const char *name) {
  const char *text = LLVMGetBasicBlockName(block);
  const size_t length = strlen(name);
  return strncmp(text, name, length) == 0 && text[length + strspn(text + length, "0123456789")] == 0;
}

static bool holds_active_set(LLVMBasicBlockRef block, const struct reach *functions) {
  for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
    if (LLVMIsACallInst(at) && reach_has(functions, LLVMGetCalledValue(at)))
      return true;
  return false;
}

static void read_blocks(struct scopes *scopes, const struct reach *functions) {
  const size_t room = LLVMCountBasicBlocks(scopes->function) + 1;
  scopes->count = 0;
  scopes->blocks = calloc(room, sizeof(LLVMBasicBlockRef));
  scopes->has_active_set = calloc(room, sizeof(bool));
  scopes->is_dominated = calloc(room, sizeof(bool));
  if (!scopes->blocks || !scopes->has_active_set || !scopes->is_dominated)
    abort();
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(scopes->function); b; b = LLVMGetNextBasicBlock(b)) {
    scopes->has_active_set[scopes->count] = holds_active_set(b, functions);
    scopes->blocks[scopes->count++] = b;
  }
}

static void free_blocks(struct scopes *scopes) {
  free(scopes->blocks);
  free(scopes->has_active_set);
  free(scopes->is_dominated);
}

static size_t place_of(const struct scopes *scopes, LLVMBasicBlockRef block) {
  size_t place = 0;
  while (scopes->blocks[place] != block)
    place++;
  return place;
}

// Blocks that are come to through this one alone.
static void find_dominated(struct scopes *scopes, size_t by) {
  bool *is_reached = calloc(scopes->count, sizeof *is_reached);
  size_t *pending = calloc(scopes->count, sizeof *pending), pending_count = 0;
  if (!is_reached || !pending)
    abort();
  is_reached[0] = is_reached[by] = true;
  pending[pending_count++] = 0;
  while (pending_count > 0) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(scopes->blocks[pending[--pending_count]]);
    for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
      const size_t next = place_of(scopes, LLVMGetSuccessor(end, s));
      if (!is_reached[next]) {
        is_reached[next] = true;
        pending[pending_count++] = next;
      }
    }
  }
  for (size_t i = 0; i < scopes->count; i++)
    scopes->is_dominated[i] = !is_reached[i] || i == by;
  free(is_reached);
  free(pending);
}

// A loop without `break` has no block behind it: it ends where another way or a label of the source comes in.
static size_t end_of_endless(const struct scopes *scopes, size_t begin) {
  size_t end = begin;
  while (end < scopes->count && scopes->is_dominated[end] && strchr(LLVMGetBasicBlockName(scopes->blocks[end]), '.'))
    end++;
  return end;
}

static size_t kind_of(LLVMBasicBlockRef block) {
  size_t kind = 0;
  while (kind < KINDS && !is_named(block, kinds[kind].begin))
    kind++;
  return kind;
}

static const struct loop *loop_at(const struct scopes *scopes, LLVMBasicBlockRef begin) {
  const struct loop *loop = scopes->loops;
  while (loop->begin != begin)
    loop++;
  return loop;
}

// The first block behind a loop: of the names of its kind, the first that belongs to no loop inside and is come to only
// through this one. Loops inside are known.
static LLVMBasicBlockRef find_end(struct scopes *scopes, size_t begin, size_t kind) {
  find_dominated(scopes, begin);
  for (size_t i = begin + 1; i < scopes->count; i++) {
    if (is_named(scopes->blocks[i], kinds[kind].end))
      return scopes->is_dominated[i] ? scopes->blocks[i] : NULL;
    if (kind_of(scopes->blocks[i]) < KINDS) {
      const struct loop *inner = loop_at(scopes, scopes->blocks[i]);
      i = inner->end ? place_of(scopes, inner->end) : i;
    }
  }
  return NULL;
}

// `scopes->loops` has room for as many as there are blocks.
static void find_source_loops(struct scopes *scopes) {
  for (size_t i = scopes->count; i-- > 0;) {
    const size_t kind = kind_of(scopes->blocks[i]);
    if (kind < KINDS) {
      LLVMBasicBlockRef end = find_end(scopes, i, kind);
      scopes->loops[scopes->loop_count++] = (struct loop){scopes->blocks[i], end};
    }
  }
}

// The number is always 0, which the compiler does not know.
static LLVMBasicBlockRef make_way_back(LLVMBasicBlockRef after, LLVMBasicBlockRef to, LLVMBasicBlockRef head,
                                       LLVMBuilderRef builder) {
  LLVMContextRef context = LLVMGetBuilderContext(builder);
  LLVMTypeRef word = LLVMInt32TypeInContext(context);
  LLVMBasicBlockRef way = LLVMGetNextBasicBlock(after)
                              ? LLVMInsertBasicBlockInContext(context, LLVMGetNextBasicBlock(after), "way.back")
                              : LLVMAppendBasicBlockInContext(context, LLVMGetBasicBlockParent(after), "way.back");
  LLVMPositionBuilderAtEnd(builder, way);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(LLVMGetBasicBlockTerminator(after)));
  LLVMTypeRef type = LLVMFunctionType(word, NULL, 0, 0);
  static const char text[] = "li $0, 0", constraints[] = "=r";
  LLVMValueRef assembly =
      LLVMGetInlineAsm(type, text, strlen(text), constraints, strlen(constraints), 1, 0, LLVMInlineAsmDialectATT, 0);
  LLVMValueRef nothing = LLVMBuildCall2(builder, type, assembly, NULL, 0, "");
  LLVMValueRef is_nothing = LLVMBuildICmp(builder, LLVMIntEQ, nothing, LLVMConstInt(word, 0, 0), "");
  LLVMBuildCondBr(builder, is_nothing, to, head);
  return way;
}

static void return_apart(LLVMBasicBlockRef block, LLVMBuilderRef builder) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
  if (!LLVMIsAReturnInst(end))
    return;
  LLVMBasicBlockRef apart =
      LLVMAppendBasicBlockInContext(LLVMGetBuilderContext(builder), LLVMGetBasicBlockParent(block), "return");
  LLVMPositionBuilderAtEnd(builder, apart);
  LLVMInstructionRemoveFromParent(end);
  LLVMInsertIntoBuilder(builder, end);
  LLVMPositionBuilderAtEnd(builder, block);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(end));
  LLVMBuildBr(builder, apart);
}

static bool is_plain(LLVMBasicBlockRef block) {
  LLVMValueRef first = LLVMGetFirstInstruction(block);
  return !LLVMIsAPHINode(first) && !LLVMIsAUnreachableInst(first);
}

// Returns whether anything was changed.
static bool keep(struct scopes *scopes, const struct loop *loop, LLVMBuilderRef builder) {
  struct flow_graph graph = flow_graph_open(scopes->function);
  LLVMBasicBlockRef head = loop->begin;
  const size_t begin = place_of(scopes, head);
  find_dominated(scopes, begin);
  const size_t end = loop->end ? place_of(scopes, loop->end) : end_of_endless(scopes, begin);
  bool *leaves = calloc(scopes->count, sizeof *leaves), is_wanted = false, has_active_set = false;
  if (!leaves)
    abort();
  for (size_t i = begin; i < end && graph.is_reducible && is_plain(head); i++) {
    const bool is_of_rounds = flow_graph_is_in_loop(&graph, scopes->blocks[i], head);
    leaves[i] = scopes->is_dominated[i] && (!is_of_rounds || is_named(scopes->blocks[i], "cleanup"));
    has_active_set = has_active_set || scopes->has_active_set[i];
    // Ways out of several kinds meet in a cleanup, so that its own say nothing of those that lead to it.
    is_wanted = is_wanted || (leaves[i] && (is_of_rounds ? has_active_set : scopes->has_active_set[i]));
  }
  for (size_t i = begin; i < end && is_wanted; i++) {
    if (!leaves[i])
      continue;
    return_apart(scopes->blocks[i], builder);
    LLVMValueRef last = LLVMGetBasicBlockTerminator(scopes->blocks[i]);
    for (unsigned s = 0; s < LLVMGetNumSuccessors(last); s++) {
      LLVMBasicBlockRef to = LLVMGetSuccessor(last, s);
      size_t place = begin;
      while (place < end && scopes->blocks[place] != to)
        place++;
      if (place == end && is_plain(to))
        LLVMSetSuccessor(last, s, make_way_back(scopes->blocks[i], to, head, builder));
    }
  }
  free(leaves);
  flow_graph_close(&graph);
  return is_wanted;
}

// What leads into a loop from outside does so by a block that is not empty.
static void part_from_outer(const struct flow_graph *graph, LLVMBasicBlockRef head, LLVMBuilderRef builder) {
  LLVMBasicBlockRef entry = LLVMInsertBasicBlockInContext(LLVMGetBuilderContext(builder), head, "loop.entry");
  for (size_t i = 0; i < graph->count; i++) {
    LLVMBasicBlockRef from = graph->nodes[i].block;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
    for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
      if (LLVMGetSuccessor(end, s) == head && !flow_graph_is_in_loop(graph, from, head)) {
        LLVMSetSuccessor(end, s, entry);
        LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(end));
      }
    }
  }
  LLVMPositionBuilderAtEnd(builder, entry);
  ir_build_nothing(builder);
  LLVMBuildBr(builder, head);
}

static void part_loops_in(LLVMValueRef function, const struct reach *functions, LLVMBuilderRef builder) {
  struct flow_graph graph = flow_graph_open(function);
  for (size_t h = 0; h < graph.count && graph.is_reducible; h++) {
    LLVMBasicBlockRef head = graph.nodes[h].block;
    bool is_wanted = false;
    const size_t outer = graph.nodes[h].is_header ? graph.nodes[h].outer : FLOW_NONE;
    for (size_t i = 0; i < graph.count && outer != FLOW_NONE; i++) {
      LLVMBasicBlockRef block = graph.nodes[i].block;
      is_wanted = is_wanted || (flow_graph_is_in_loop(&graph, block, graph.nodes[outer].block) &&
                                holds_active_set(block, functions));
    }
    if (is_wanted && is_plain(head))
      part_from_outer(&graph, head, builder);
  }
  flow_graph_close(&graph);
}

static void keep_in(LLVMValueRef function, const struct reach *functions, LLVMBuilderRef builder) {
  struct scopes scopes = {.function = function};
  read_blocks(&scopes, functions);
  struct loop *loops = calloc(scopes.count + 1, sizeof *loops);
  if (!loops)
    abort();
  scopes.loops = loops;
  find_source_loops(&scopes);
  for (size_t i = 0; i < scopes.loop_count; i++) {
    if (keep(&scopes, &scopes.loops[i], builder)) {
      free_blocks(&scopes);
      read_blocks(&scopes, functions);
    }
  }
  free(loops);
  free_blocks(&scopes);
}

void loop_scopes_keep(LLVMModuleRef module) {
  struct reach functions = {0};
  active_sets_callers(module, &functions);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (reach_has(&functions, f) && LLVMGetSubprogram(f)) {
      keep_in(f, &functions, builder);
      part_loops_in(f, &functions, builder);
    }
  }
  LLVMDisposeBuilder(builder);
  reach_free(&functions);
}
