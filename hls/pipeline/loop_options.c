// SPDX-License-Identifier: Apache-2.0
#include "hls/pipeline/loop_options.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "hls/pipeline/graph.h"

static unsigned kind_of(LLVMValueRef latch) {
  return LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(latch)), "llvm.loop", strlen("llvm.loop"));
}

LLVMMetadataRef *loop_options_of(LLVMValueRef latch, unsigned *count) {
  LLVMValueRef node = LLVMGetMetadata(latch, kind_of(latch));
  *count = node ? (unsigned)LLVMGetMDNodeNumOperands(node) : 1;
  LLVMValueRef *operands = graph_allocate(*count * sizeof *operands);
  LLVMMetadataRef *parts = graph_allocate((*count + 1) * sizeof(LLVMMetadataRef));
  if (node)
    LLVMGetMDNodeOperands(node, operands);
  for (unsigned i = 1; i < *count; i++)
    parts[i] = operands[i] ? LLVMValueAsMetadata(operands[i]) : NULL;
  free(operands);
  return parts;
}

void loop_options_set(LLVMValueRef latch, LLVMMetadataRef *parts, unsigned count) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(latch));
  parts[0] = LLVMTemporaryMDNode(context, NULL, 0);
  LLVMMetadataRef node = LLVMMDNodeInContext2(context, parts, count);
  LLVMMetadataReplaceAllUsesWith(parts[0], node);
  LLVMSetMetadata(latch, kind_of(latch), LLVMMetadataAsValue(context, node));
}

// The operands of an option that begins so, to be freed; NULL: it is none.
static LLVMValueRef *operands_of(LLVMContextRef context, LLVMMetadataRef part, const char *beginning, unsigned *count) {
  LLVMValueRef option = part ? LLVMMetadataAsValue(context, part) : NULL;
  if (!option || !LLVMIsAMDNode(option) || LLVMGetMDNodeNumOperands(option) == 0)
    return NULL;
  *count = (unsigned)LLVMGetMDNodeNumOperands(option);
  LLVMValueRef *operands = graph_allocate(*count * sizeof *operands);
  LLVMGetMDNodeOperands(option, operands);
  unsigned length = 0;
  const char *text = operands[0] && LLVMIsAMDString(operands[0]) ? LLVMGetMDString(operands[0], &length) : NULL;
  if (text && length >= strlen(beginning) && memcmp(text, beginning, strlen(beginning)) == 0)
    return operands;
  free(operands);
  return NULL;
}

bool loop_options_is(LLVMContextRef context, LLVMMetadataRef part, const char *beginning) {
  unsigned count;
  LLVMValueRef *operands = operands_of(context, part, beginning, &count);
  const bool is_there = operands;
  free(operands);
  return is_there;
}

LLVMValueRef *loop_options_find(LLVMValueRef latch, const char *beginning, unsigned *count) {
  unsigned part_count;
  LLVMMetadataRef *parts = loop_options_of(latch, &part_count);
  LLVMValueRef *found = NULL;
  for (unsigned i = 1; i < part_count && !found; i++)
    found = operands_of(LLVMGetTypeContext(LLVMTypeOf(latch)), parts[i], beginning, count);
  free(parts);
  return found;
}

bool loop_options_have(LLVMValueRef latch, const char *beginning) {
  unsigned count;
  LLVMValueRef *operands = loop_options_find(latch, beginning, &count);
  const bool is_there = operands;
  free(operands);
  return is_there;
}
