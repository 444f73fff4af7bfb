// SPDX-License-Identifier: Apache-2.0
#include "hls/pipeline/unroll.h"

#include <llvm-c/DebugInfo.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hls/ir.h"
#include "hls/pipeline/flow.h"

#define HINTS "llvm.loop.unroll."

static void *allocated(void *memory) {
  if (!memory)
    abort();  // runs in a child process; its end is reported by the parent
  return memory;
}

// Whether a part of a loop's metadata says something of unrolling.
static bool is_hint(LLVMValueRef part) {
  LLVMValueRef name = NULL;
  unsigned length = 0;
  if (!part || !LLVMIsAMDNode(part) || LLVMGetMDNodeNumOperands(part) == 0)
    return false;
  LLVMValueRef *operands = allocated(calloc(LLVMGetMDNodeNumOperands(part), sizeof(LLVMValueRef)));
  LLVMGetMDNodeOperands(part, operands);
  name = operands[0];
  free(operands);
  const char *text = name && LLVMIsAMDString(name) ? LLVMGetMDString(name, &length) : NULL;
  return text && length > strlen(HINTS) && strncmp(text, HINTS, strlen(HINTS)) == 0;
}

static unsigned kind_of(LLVMValueRef latch) {
  return LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(latch)), "llvm.loop", strlen("llvm.loop"));
}

// Whether a loop has an option that begins so.
static bool has_option(LLVMValueRef latch, const char *beginning) {
  LLVMValueRef node = LLVMGetMetadata(latch, kind_of(latch));
  if (!node)
    return false;
  const unsigned count = (unsigned)LLVMGetMDNodeNumOperands(node);
  LLVMValueRef *operands = allocated(calloc(count + 1, sizeof *operands));
  LLVMGetMDNodeOperands(node, operands);
  bool found = false;
  for (unsigned i = 1; i < count; i++) {
    LLVMValueRef name = NULL;
    if (operands[i] && LLVMIsAMDNode(operands[i]) && LLVMGetMDNodeNumOperands(operands[i]) == 1)
      LLVMGetMDNodeOperands(operands[i], &name);
    unsigned length = 0;
    const char *text = name ? LLVMGetMDString(name, &length) : NULL;
    found |= text && length >= strlen(beginning) && memcmp(text, beginning, strlen(beginning)) == 0;
  }
  free(operands);
  return found;
}

// Whether a loop's metadata has a place: the source's loops have one, the library's none.
static bool has_place(LLVMValueRef latch) {
  LLVMValueRef node = LLVMGetMetadata(latch, kind_of(latch));
  const unsigned count = node ? (unsigned)LLVMGetMDNodeNumOperands(node) : 0;
  LLVMValueRef *operands = allocated(calloc(count + 1, sizeof *operands));
  if (node)
    LLVMGetMDNodeOperands(node, operands);
  bool found = false;
  for (unsigned i = 1; i < count; i++)
    found |= operands[i] && LLVMGetMetadataKind(LLVMValueAsMetadata(operands[i])) == LLVMDILocationMetadataKind;
  free(operands);
  return found;
}

// The library's loops are all marked not to be unrolled.
bool unroll_has_hint(LLVMValueRef latch) {
  return has_option(latch, HINTS) && (has_place(latch) || !has_option(latch, "llvm.loop.unroll.disable"));
}

// The metadata of a loop is a node whose first part is the node itself.
static void add_hint(LLVMValueRef jump, unsigned count) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(jump));
  const unsigned kind = kind_of(jump);
  LLVMValueRef known = LLVMGetMetadata(jump, kind);
  const unsigned parts = known ? (unsigned)LLVMGetMDNodeNumOperands(known) : 1;
  LLVMValueRef *old = allocated(calloc(parts, sizeof *old));
  LLVMMetadataRef *all = allocated(calloc(parts + 1, sizeof(LLVMMetadataRef)));
  if (known)
    LLVMGetMDNodeOperands(known, old);
  bool has_hint = false;
  for (unsigned i = 1; i < parts; i++) {
    has_hint |= is_hint(old[i]);
    all[i] = LLVMValueAsMetadata(old[i]);
  }
  if (!has_hint) {
    LLVMMetadataRef words[] = {
        LLVMMDStringInContext2(context, HINTS "count", strlen(HINTS "count")),
        LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(context), count, 0)),
    };
    all[0] = LLVMTemporaryMDNode(context, NULL, 0);
    all[parts] = LLVMMDNodeInContext2(context, words, 2);
    LLVMMetadataRef node = LLVMMDNodeInContext2(context, all, parts + 1);
    LLVMMetadataReplaceAllUsesWith(all[0], node);
    LLVMSetMetadata(jump, kind, LLVMMetadataAsValue(context, node));
  }
  free(old);
  free(all);
}

void unroll_ask(LLVMValueRef function, unsigned count) {
  struct flow flow;
  flow_find(function, &flow);
  bool *is_header = allocated(calloc(flow.count + 1, sizeof *is_header)),
       *in_loop = allocated(calloc(flow.count + 1, sizeof *in_loop));
  LLVMValueRef *jumps = allocated(calloc(flow.count + 1, sizeof(LLVMValueRef)));
  size_t *headers = allocated(calloc(flow.count + 1, sizeof *headers));
  // What leads back to a block that dominates it.
  for (size_t b = 0; b < flow.count; b++) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(flow.blocks[b]);
    for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
      const size_t to = flow_number(&flow, LLVMGetSuccessor(end, s));
      if (to == FLOW_NONE || !flow_dominates(&flow, to, b))
        continue;
      is_header[to] = true;
      jumps[b] = end;
      headers[b] = to;
    }
  }
  for (size_t b = 0; b < flow.count; b++) {
    if (!jumps[b])
      continue;
    bool is_innermost = true;
    memset(in_loop, 0, flow.count * sizeof *in_loop);
    flow_mark_loop(&flow, headers[b], b, in_loop);
    for (size_t i = 0; i < flow.count; i++)
      is_innermost = is_innermost && (!in_loop[i] || !is_header[i] || i == headers[b]);
    if (is_innermost)
      add_hint(jumps[b], count);
  }
  free(is_header);
  free(in_loop);
  free(jumps);
  free(headers);
  flow_free(&flow);
}

// Whether the source asks to unroll a loop.
static void find_request(LLVMValueRef instruction, void *context) {
  static const char *const requests[] = {"llvm.loop.unroll.full", "llvm.loop.unroll.enable", "llvm.loop.unroll.count"};
  bool *found = context;
  for (size_t i = 0; i < sizeof requests / sizeof *requests && LLVMIsATerminatorInst(instruction); i++)
    *found = *found || has_option(instruction, requests[i]);
}

// Nobody is to be told that what the source does not ask for has not been done.
static void say_errors_only(LLVMDiagnosticInfoRef info, void *context) {
  (void)context;
  if (LLVMGetDiagInfoSeverity(info) != LLVMDSError)
    return;
  char *text = LLVMGetDiagInfoDescription(info);
  fprintf(stderr, "error: %s\n", text);
  LLVMDisposeMessage(text);
}

void unroll_say_what_was_asked(LLVMModuleRef module) {
  bool asks = false;
  ir_each_instruction(module, find_request, &asks);
  if (!asks)
    LLVMContextSetDiagnosticHandler(LLVMGetModuleContext(module), say_errors_only, NULL);
}
