// SPDX-License-Identifier: Apache-2.0
#include "hls/pipeline/ivdep.h"

#include <stdlib.h>
#include <string.h>

#include "hls/ir.h"
#include "hls/pipeline/graph.h"
#include "hls/pipeline/loop_options.h"
#include "hls/pipeline/nests.h"

static unsigned kind_of(LLVMValueRef at, const char *name) {
  return LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(at)), name, (unsigned)strlen(name));
}

static unsigned mark_kind(LLVMValueRef at) {
  return kind_of(at, "heddle.ivdep");
}

static void ask_for_no_vectors(LLVMValueRef latch, void *context) {
  static const char asks[] = "llvm.loop.vectorize.";
  (void)context;
  if (!LLVMIsATerminatorInst(latch) || !loop_options_have(latch, asks))
    return;
  unsigned count, kept = 1;
  LLVMMetadataRef *parts = loop_options_of(latch, &count);
  for (unsigned i = 1; i < count; i++)
    if (!loop_options_is(LLVMGetTypeContext(LLVMTypeOf(latch)), parts[i], asks))
      parts[kept++] = parts[i];
  loop_options_set(latch, parts, kept);
  free(parts);
}

void ivdep_ask_for_no_vectors(LLVMModuleRef module) {
  ir_each_instruction(module, ask_for_no_vectors, NULL);
}

// The groups of a loop, behind a name.
struct groups {
  LLVMValueRef *items;
  unsigned count;
};

static bool has_group(const struct groups *groups, LLVMValueRef group) {
  for (unsigned i = 1; i < groups->count; i++)
    if (groups->items[i] == group)
      return true;
  return false;
}

// An access is of a group, which is a node without operands, or of several: a node of them.
static bool is_of_groups(const struct groups *groups, LLVMValueRef access) {
  LLVMValueRef node = LLVMGetMetadata(access, kind_of(access, "llvm.access.group"));
  if (!node || has_group(groups, node))
    return node;
  const unsigned count = (unsigned)LLVMGetMDNodeNumOperands(node);
  LLVMValueRef *operands = graph_allocate((count + 1) * sizeof *operands);
  LLVMGetMDNodeOperands(node, operands);
  bool found = false;
  for (unsigned i = 0; i < count; i++)
    found = found || has_group(groups, operands[i]);
  free(operands);
  return found;
}

static void mark_block(LLVMBasicBlockRef block, const struct groups *groups) {
  for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
    if ((LLVMIsALoadInst(at) || LLVMIsAStoreInst(at)) && is_of_groups(groups, at)) {
      LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(at));
      LLVMSetMetadata(at, mark_kind(at), LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, NULL, 0)));
    }
}

// Whether a block of a loop is in none of the loops in it.
static bool is_own(const struct loops *loops, const struct nested_loop *loop, size_t block) {
  for (size_t i = 0; i < loops->count; i++)
    if (loops->items[i].parent == loop && loops->items[i].in[block])
      return false;
  return loop->in[block];
}

void ivdep_mark(LLVMValueRef function) {
  struct loops loops;
  const bool is_known = nests_find(function, &loops);
  for (size_t i = 0; i < loops.count && is_known; i++) {
    const struct nested_loop *loop = &loops.items[i];
    struct groups groups = {NULL, 0};
    groups.items = loop_options_find(LLVMGetBasicBlockTerminator(loops.flow.blocks[loop->loop.latch]),
                                     "llvm.loop.parallel_accesses", &groups.count);
    for (size_t b = 0; b < loops.flow.count && groups.items; b++)
      if (is_own(&loops, loop, b))
        mark_block(loops.flow.blocks[b], &groups);
    free(groups.items);
  }
  nests_free(&loops);
}

bool ivdep_is_marked(LLVMValueRef access) {
  return LLVMGetMetadata(access, mark_kind(access));
}

void ivdep_unmark(LLVMValueRef access) {
  if (ivdep_is_marked(access))
    LLVMSetMetadata(access, mark_kind(access), NULL);
}
