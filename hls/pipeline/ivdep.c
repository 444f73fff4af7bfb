// SPDX-License-Identifier: Apache-2.0
#include "hls/pipeline/ivdep.h"

#include <string.h>

#include "hls/ir.h"
#include "hls/loop_options.h"
#include "hls/pipeline/nests.h"

// Of the innermost loop around an access, of the loop around that one, and so on.
static const char *const MARKS[IVDEP_LOOPS] = {"heddle.ivdep.0", "heddle.ivdep.1", "heddle.ivdep.2", "heddle.ivdep.3"};

static bool is_about_vectors(LLVMMetadataRef option, LLVMContextRef context) {
  return loop_options_is(context, option, "llvm.loop.vectorize.");
}

static void ask_for_no_vectors(LLVMValueRef latch, void *context) {
  (void)context;
  if (LLVMIsATerminatorInst(latch))
    loop_options_remove(latch, is_about_vectors);
}

void ivdep_ask_for_no_vectors(LLVMModuleRef module) {
  ir_each_instruction(module, ask_for_no_vectors, NULL);
}

// Groups of a loop stand behind a name.
static bool has_group(const struct ir_metadata *groups, LLVMValueRef group) {
  for (unsigned i = 1; i < groups->count; i++)
    if (groups->operands[i] == group)
      return true;
  return false;
}

// An access is of a group, which is a node without operands, or of several: a node of them.
static bool is_of_groups(const struct ir_metadata *groups, LLVMValueRef access) {
  static const char name[] = "llvm.access.group";
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(access));
  LLVMValueRef node = LLVMGetMetadata(access, LLVMGetMDKindIDInContext(context, name, strlen(name)));
  bool found = has_group(groups, node);
  struct ir_metadata several = ir_metadata_of_node(node);
  for (unsigned i = 0; i < several.count; i++)
    found = found || has_group(groups, several.operands[i]);
  ir_metadata_free(&several);
  return found;
}

static void mark_block(LLVMBasicBlockRef block, const struct ir_metadata *groups, const char *mark) {
  for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
    if ((LLVMIsALoadInst(at) || LLVMIsAStoreInst(at)) && is_of_groups(groups, at))
      ir_mark(at, mark);
}

static const struct nested_loop *innermost_around(const struct loops *loops, size_t block) {
  const struct nested_loop *innermost = NULL;
  for (size_t i = 0; i < loops->count; i++)
    if (loops->items[i].in[block] && (!innermost || loops->items[i].loop.size < innermost->loop.size))
      innermost = &loops->items[i];
  return innermost;
}

// How many loops are between a block and a loop around it; IVDEP_LOOPS: too many.
static unsigned loops_between(const struct loops *loops, size_t block, const struct nested_loop *loop) {
  unsigned count = 0;
  for (const struct nested_loop *l = innermost_around(loops, block); l && l != loop && count < IVDEP_LOOPS;
       l = l->parent)
    count++;
  return count;
}

void ivdep_mark(LLVMValueRef function) {
  struct loops loops;
  const bool is_known = nests_find(function, &loops);
  for (size_t i = 0; i < loops.count && is_known; i++) {
    const struct nested_loop *loop = &loops.items[i];
    LLVMValueRef latch = LLVMGetBasicBlockTerminator(loops.flow.blocks[loop->loop.latch]);
    struct ir_metadata groups = loop_options_find(latch, "llvm.loop.parallel_accesses");
    for (size_t b = 0; b < loops.flow.count && groups.count != 0; b++) {
      const unsigned between = loop->in[b] ? loops_between(&loops, b, loop) : IVDEP_LOOPS;
      if (between < IVDEP_LOOPS)
        mark_block(loops.flow.blocks[b], &groups, MARKS[between]);
    }
    ir_metadata_free(&groups);
  }
  nests_free(&loops);
}

unsigned ivdep_loops(LLVMValueRef access) {
  unsigned loops = 0;
  for (unsigned i = 0; i < IVDEP_LOOPS; i++)
    loops |= (unsigned)ir_is_marked(access, MARKS[i]) << i;
  return loops;
}

void ivdep_unmark(LLVMValueRef access) {
  for (unsigned i = 0; i < IVDEP_LOOPS; i++)
    ir_unmark(access, MARKS[i]);
}
