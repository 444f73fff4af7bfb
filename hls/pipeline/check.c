// SPDX-License-Identifier: Apache-2.0
#include "hls/pipeline/check.h"

#include <llvm-c/DebugInfo.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hls/ir.h"
#include "hls/pipeline/flow.h"
#include "hls/pipeline/graph.h"
#include "hls/pipeline/primitives.h"
#include "hls/pipeline/verilog_functions.h"

// An instruction of a block whose place in the source is known; else the block's last.
static LLVMValueRef placed(LLVMBasicBlockRef block) {
  LLVMValueRef at = LLVMGetFirstInstruction(block);
  while (at && LLVMGetDebugLocLine(at) == 0)
    at = LLVMGetNextInstruction(at);
  return at ? at : LLVMGetBasicBlockTerminator(block);
}

enum status pipeline_refuse(const struct kernel *kernel, LLVMValueRef where, const char *format, ...) {
  va_list arguments;
  ir_print_place(where);
  fprintf(stderr, "error: kernel '%s' cannot be hardware: ", kernel->name);
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  return STATUS_REJECTED;
}

// ---- what a kernel computes with

static bool is_scalar(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
    case LLVMVectorTypeKind:
    case LLVMScalableVectorTypeKind:
    case LLVMTargetExtTypeKind:
      return false;
    case LLVMIntegerTypeKind:
      return LLVMGetIntTypeWidth(type) <= MOST_BITS;
    default:
      return true;
  }
}

// Whether a declaration without a body is one that the generator may meet.
static bool is_known(LLVMValueRef function) {
  struct verilog_function module;
  return primitive_is(function) || ir_is_intrinsic(function) || verilog_function_of(function, &module);
}

// Clang's names of functions that are part of the language, as a program has them: __read_pipe_2.
static const char *written_name(const char *name, int *length) {
  static const char *const functions[] = {
      "enqueue_kernel",
      "read_pipe",
      "write_pipe",
      "reserve_read_pipe",
      "reserve_write_pipe",
      "commit_read_pipe",
      "commit_write_pipe",
      "work_group_reserve_read_pipe",
      "get_pipe",
      "get_kernel",
      "work_group_commit_read_pipe",
      "work_group_reserve_write_pipe",
      "work_group_commit_write_pipe",
      "sub_group_reserve_read_pipe",
      "sub_group_commit_read_pipe",
      "sub_group_reserve_write_pipe",
      "sub_group_commit_write_pipe",
  };
  for (size_t i = 0; *length > 2 && memcmp(name, "__", 2) == 0 && i < sizeof functions / sizeof *functions; i++) {
    const size_t size = strlen(functions[i]);
    if ((size_t)*length >= size + 2 && memcmp(name + 2, functions[i], size) == 0) {
      *length = (int)size;
      return name + 2;
    }
  }
  return name;
}

static enum status check_call(const struct kernel *kernel, LLVMValueRef call) {
  LLVMValueRef function = LLVMGetCalledValue(call);
  if (!LLVMIsAFunction(function))
    return pipeline_refuse(kernel, call, "it has inline assembly");
  int length;
  const char *name = ir_source_name(function, &length);
  name = written_name(name, &length);
  if (!is_known(function))
    return pipeline_refuse(kernel, call, "function '%.*s' is not there in hardware", length, name);
  const struct primitive primitive = primitive_of(call);
  if (primitive_is(function) && primitive.meaning == PRIMITIVE_NONE)
    return pipeline_refuse(kernel, call, "'%.*s' is called in a way that is not known", length, name);
  return STATUS_OK;
}

static enum status check_instruction(const struct kernel *kernel, LLVMValueRef at) {
  if (!is_scalar(LLVMTypeOf(at))) {
    char *type = LLVMPrintTypeToString(LLVMTypeOf(at));
    enum status status = pipeline_refuse(
        kernel, at, "it computes with a value of type %s as a whole, which pipelines do not have", type);
    LLVMDisposeMessage(type);
    return status;
  }
  return LLVMIsACallInst(at) ? check_call(kernel, at) : STATUS_OK;
}

static enum status check_instructions(const struct kernel *kernel, const struct flow *flow) {
  enum status status = STATUS_OK;
  for (size_t i = 0; i < flow->count && status == STATUS_OK; i++) {
    for (LLVMValueRef at = LLVMGetFirstInstruction(flow->blocks[i]); at && status == STATUS_OK;
         at = LLVMGetNextInstruction(at)) {
      status = check_instruction(kernel, at);
    }
  }
  return status;
}

// ---- how control flows

static enum status check_ends(const struct kernel *kernel, const struct flow *flow) {
  size_t ends = 0;
  for (size_t i = 0; i < flow->count; i++) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(flow->blocks[i]);
    if (LLVMIsAReturnInst(end))
      ends++;
    else if (LLVMIsAUnreachableInst(end))
      return pipeline_refuse(kernel, placed(flow->blocks[i]),
                             "it may end with a trap here, as by an assertion (-DNDEBUG leaves these out)");
    else if (!LLVMIsABranchInst(end))
      return pipeline_refuse(kernel, placed(flow->blocks[i]),
                             "control ends or spreads here in a way that is not known");
  }
  LLVMValueRef first = placed(flow->blocks[0]);
  return ends == 1 ? STATUS_OK
                   : pipeline_refuse(kernel, first, ends == 0 ? "it never ends" : "it ends in more than one place");
}

static enum status check_loop(const struct kernel *kernel, const struct flow *flow, size_t header, size_t latch,
                              bool *in_loop) {
  enum status status = STATUS_OK;
  flow_mark_loop(flow, header, latch, in_loop);
  bool has_end = false;
  for (size_t i = 0; i < flow->count && status == STATUS_OK; i++) {
    LLVMValueRef end = in_loop[i] ? LLVMGetBasicBlockTerminator(flow->blocks[i]) : NULL;
    for (unsigned s = 0; end && s < LLVMGetNumSuccessors(end) && status == STATUS_OK; s++) {
      const size_t to = flow_number(flow, LLVMGetSuccessor(end, s));
      has_end |= !in_loop[to];
      if (i != latch && (!in_loop[to] || to == header))
        status =
            pipeline_refuse(kernel, placed(flow->blocks[i]), "its loop is left or goes round in more than one place");
    }
  }
  if (status == STATUS_OK && !has_end)
    status = pipeline_refuse(kernel, placed(flow->blocks[header]), "its loop never ends");
  for (size_t i = 0; i < flow->count; i++)
    in_loop[i] = false;
  return status;
}

static enum status check_loops(const struct kernel *kernel, const struct flow *flow) {
  enum status status = STATUS_OK;
  bool *in_loop = calloc(flow->count + 1, sizeof *in_loop);
  if (!in_loop)
    abort();
  for (size_t from = 0; from < flow->count && status == STATUS_OK; from++) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(flow->blocks[from]);
    for (unsigned s = 0; s < LLVMGetNumSuccessors(end) && status == STATUS_OK; s++) {
      const size_t to = flow_number(flow, LLVMGetSuccessor(end, s));
      if (to > from)
        continue;
      status = flow_dominates(flow, to, from)
                   ? check_loop(kernel, flow, to, from, in_loop)
                   : pipeline_refuse(kernel, placed(flow->blocks[from]), "a loop is entered in more than one place");
    }
  }
  free(in_loop);
  return status;
}

enum status pipeline_check(const struct kernel *kernel) {
  struct flow flow;
  flow_find(kernel->body, &flow);
  enum status status = check_instructions(kernel, &flow);
  if (status == STATUS_OK)
    status = check_ends(kernel, &flow);
  if (status == STATUS_OK)
    status = check_loops(kernel, &flow);
  flow_free(&flow);
  return status;
}
