// SPDX-License-Identifier: Apache-2.0
#include "hls/loop_options.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

static LLVMContextRef context_of(LLVMValueRef latch) {
  return LLVMGetTypeContext(LLVMTypeOf(latch));
}

static unsigned kind_of(LLVMValueRef latch) {
  return LLVMGetMDKindIDInContext(context_of(latch), "llvm.loop", strlen("llvm.loop"));
}

LLVMMetadataRef *loop_options_of(LLVMValueRef latch, unsigned *count) {
  struct ir_metadata node = ir_metadata_of_node(LLVMGetMetadata(latch, kind_of(latch)));
  *count = node.count != 0 ? node.count : 1;
  LLVMMetadataRef *parts = calloc(*count + 1, sizeof(LLVMMetadataRef));
  if (!parts)
    abort();  // runs in a child process; its end is reported by the parent
  for (unsigned i = 1; i < node.count; i++)
    parts[i] = node.operands[i] ? LLVMValueAsMetadata(node.operands[i]) : NULL;
  ir_metadata_free(&node);
  return parts;
}

void loop_options_set(LLVMValueRef latch, LLVMMetadataRef *parts, unsigned count) {
  parts[0] = LLVMTemporaryMDNode(context_of(latch), NULL, 0);
  LLVMMetadataRef node = LLVMMDNodeInContext2(context_of(latch), parts, count);
  LLVMMetadataReplaceAllUsesWith(parts[0], node);
  LLVMSetMetadata(latch, kind_of(latch), LLVMMetadataAsValue(context_of(latch), node));
}

void loop_options_remove(LLVMValueRef latch, bool (*goes)(LLVMMetadataRef part, LLVMContextRef context)) {
  unsigned count, kept = 1;
  LLVMMetadataRef *parts = loop_options_of(latch, &count);
  for (unsigned i = 1; i < count; i++)
    if (!goes(parts[i], context_of(latch)))
      parts[kept++] = parts[i];
  if (kept != count)
    loop_options_set(latch, parts, kept);
  free(parts);
}

// The operands of an option that begins so; none, if it is none.
static struct ir_metadata option_of(LLVMContextRef context, LLVMMetadataRef part, const char *beginning) {
  struct ir_metadata option = ir_metadata_of_node(part ? LLVMMetadataAsValue(context, part) : NULL);
  unsigned length;
  const char *name = ir_metadata_string(&option, 0, &length);
  if (length < strlen(beginning) || memcmp(name, beginning, strlen(beginning)) != 0)
    ir_metadata_free(&option);
  return option;
}

bool loop_options_is(LLVMContextRef context, LLVMMetadataRef part, const char *beginning) {
  struct ir_metadata option = option_of(context, part, beginning);
  const bool is_one = option.count != 0;
  ir_metadata_free(&option);
  return is_one;
}

struct ir_metadata loop_options_find(LLVMValueRef latch, const char *beginning) {
  unsigned count;
  LLVMMetadataRef *parts = loop_options_of(latch, &count);
  struct ir_metadata found = {0};
  for (unsigned i = 1; i < count && found.count == 0; i++)
    found = option_of(context_of(latch), parts[i], beginning);
  free(parts);
  return found;
}

bool loop_options_have(LLVMValueRef latch, const char *beginning) {
  struct ir_metadata option = loop_options_find(latch, beginning);
  const bool is_there = option.count != 0;
  ir_metadata_free(&option);
  return is_there;
}
