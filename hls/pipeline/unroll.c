// SPDX-License-Identifier: Apache-2.0
#include "hls/pipeline/unroll.h"

#include <llvm-c/DebugInfo.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hls/ir.h"
#include "hls/loop_options.h"
#include "hls/pipeline/flow.h"

#define HINTS "llvm.loop.unroll."

static void *allocated(void *memory) {
  if (!memory)
    abort();  // runs in a child process; its end is reported by the parent
  return memory;
}

// Whether a loop's metadata has a place: the source's loops have one, the library's none.
static bool has_place(LLVMValueRef latch) {
  unsigned count;
  LLVMMetadataRef *parts = loop_options_of(latch, &count);
  bool found = false;
  for (unsigned i = 1; i < count; i++)
    found |= parts[i] && LLVMGetMetadataKind(parts[i]) == LLVMDILocationMetadataKind;
  free(parts);
  return found;
}

// The library's loops are all marked not to be unrolled.
bool unroll_has_hint(LLVMValueRef latch) {
  return loop_options_have(latch, HINTS) && (has_place(latch) || !loop_options_have(latch, HINTS "disable"));
}

static void add_hint(LLVMValueRef latch, unsigned rounds) {
  if (loop_options_have(latch, HINTS))
    return;
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(latch));
  LLVMMetadataRef words[] = {
      LLVMMDStringInContext2(context, HINTS "count", strlen(HINTS "count")),
      LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(context), rounds, 0)),
  };
  unsigned count;
  LLVMMetadataRef *parts = loop_options_of(latch, &count);
  parts[count] = LLVMMDNodeInContext2(context, words, 2);
  loop_options_set(latch, parts, count + 1);
  free(parts);
}

void unroll_ask_fully(LLVMValueRef latch) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(latch));
  LLVMMetadataRef name = LLVMMDStringInContext2(context, HINTS "full", strlen(HINTS "full"));
  LLVMMetadataRef parts[] = {NULL, LLVMMDNodeInContext2(context, &name, 1)};
  loop_options_set(latch, parts, 2);
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

// ---- warnings

// Places of loops that the source asks to unroll, and whether a warning of them is still to be said. A module is
// optimised several times, with other requests each.
enum { MOST_REQUESTS = 256, PLACE_BYTES = 32 };
static struct {
  char place[PLACE_BYTES];
  bool is_said;
} requests[MOST_REQUESTS];
static size_t request_count;

static void add_request(unsigned line, unsigned column) {
  char place[PLACE_BYTES];
  snprintf(place, sizeof place, ":%u:%u: ", line, column);
  for (size_t i = 0; i < request_count; i++)
    if (strcmp(requests[i].place, place) == 0)
      return;
  if (request_count < MOST_REQUESTS)
    memcpy(requests[request_count++].place, place, sizeof place);
}

static void find_request(LLVMValueRef instruction, void *context) {
  (void)context;
  static const char *const hints[] = {HINTS "full", HINTS "enable", HINTS "count"};
  bool asks = false;
  for (size_t i = 0; i < sizeof hints / sizeof *hints && LLVMIsATerminatorInst(instruction); i++)
    asks |= loop_options_have(instruction, hints[i]);
  if (!asks)
    return;
  unsigned count;
  LLVMMetadataRef *parts = loop_options_of(instruction, &count);
  for (unsigned i = 1; i < count; i++)
    if (parts[i] && LLVMGetMetadataKind(parts[i]) == LLVMDILocationMetadataKind) {
      add_request(LLVMDILocationGetLine(parts[i]), LLVMDILocationGetColumn(parts[i]));
      break;
    }
  free(parts);
}

static void say_errors_only(LLVMDiagnosticInfoRef info, void *context) {
  (void)context;
  if (LLVMGetDiagInfoSeverity(info) != LLVMDSError)
    return;
  char *text = LLVMGetDiagInfoDescription(info);
  fprintf(stderr, "error: %s\n", text);
  LLVMDisposeMessage(text);
}

static void say_of_requests(LLVMDiagnosticInfoRef info, void *context) {
  say_errors_only(info, context);
  if (LLVMGetDiagInfoSeverity(info) != LLVMDSWarning)
    return;
  char *text = LLVMGetDiagInfoDescription(info);
  for (size_t i = 0; i < request_count; i++) {
    if (requests[i].is_said || !strstr(text, requests[i].place))
      continue;
    requests[i].is_said = true;
    fprintf(stderr, "warning: %s\n", text);
    break;
  }
  LLVMDisposeMessage(text);
}

void unroll_warn_of_requests(LLVMModuleRef module) {
  ir_each_instruction(module, find_request, NULL);
  LLVMContextSetDiagnosticHandler(LLVMGetModuleContext(module), say_of_requests, NULL);
}

void unroll_warn_no_more(LLVMModuleRef module) {
  LLVMContextSetDiagnosticHandler(LLVMGetModuleContext(module), say_errors_only, NULL);
}
