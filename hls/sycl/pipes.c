// SPDX-License-Identifier: Apache-2.0
// The headers call pipe_read and pipe_write with the address of a variable, which is one for each pipe; where such a
// call stands in a kernel is known when all between is part of it (program.c).
#include "hls/sycl/pipes.h"

#include <ctype.h>
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hls/address_spaces.h"
#include "hls/ir.h"
#include "hls/more_arguments.h"
#include "hls/sycl/check.h"

// Of a call: the pipe's variable, memory for a packet, its bytes and alignment, the pipe's packets.
enum { CALL_PIPE, CALL_PACKET, CALL_BYTES, CALL_ALIGNMENT, CALL_CAPACITY };

static const struct {
  const char *mark, *function;
} ends[2] = {{"_pipe_write", "__heddle_try_write_pipe"}, {"_pipe_read", "__heddle_try_read_pipe"}};

static void *allocated(void *memory) {
  if (!memory)
    abort();
  return memory;
}

// ---- users' functions

void pipes_show(LLVMModuleRef module) {
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    LLVMValueRef function = LLVMGetNamedFunction(module, ends[i].mark);
    if (function)
      more_arguments_show(function);
  }
}

// ---- names

const char *pipe_identity(const struct sycl_pipe *pipe) {
  size_t length;
  return LLVMGetValueName2(pipe->mark, &length);
}

// The first template argument of the variable's mangled name, without the namespaces around it: of ...I4DataiLm8EE and
// ...IN5PipesE4DataEE Data. Another form of a type has the name "pipe".
static void read_name(struct sycl_pipe *pipe) {
  const char *at = strstr(pipe_identity(pipe), "pipe_markI");
  snprintf(pipe->name, sizeof pipe->name, "pipe");
  for (at = at ? at + strlen("pipe_markI") : ""; *at == 'N' || *at == 'Z' || *at == 'L';)
    at++;
  while (isdigit((unsigned char)*at)) {
    char *end;
    const unsigned long length = strtoul(at, &end, 10);
    if (length == 0 || length > strlen(end))
      return;
    snprintf(pipe->name, sizeof pipe->name, "%.*s", (int)length, end);
    at = end + length;
  }
}

// Pipes of one name in different places of the program have numbers.
static void number_name(struct sycl_pipe *pipe, const struct sycl_kernels *kernels) {
  char plain[PIPE_NAME_BYTES];
  snprintf(plain, sizeof plain, "%s", pipe->name);
  bool is_taken = true;
  for (unsigned number = 2; is_taken; number++) {
    is_taken = false;
    for (size_t k = 0; k < kernels->count; k++)
      for (size_t i = 0; i < kernels->items[k].pipe_count; i++) {
        const struct sycl_pipe *other = &kernels->items[k].pipes[i];
        if (other->mark == pipe->mark) {
          memcpy(pipe->name, other->name, sizeof pipe->name);
          return;
        }
        is_taken = is_taken || strcmp(other->name, pipe->name) == 0;
      }
    if (is_taken)
      snprintf(pipe->name, sizeof pipe->name, "%.50s_%u", plain, number);
  }
}

// ---- the pipes of a kernel

// An address of a pipe's variable, whatever it was cast to.
static LLVMValueRef variable_of(LLVMValueRef address) {
  while (LLVMIsAConstantExpr(address) || LLVMIsACastInst(address))
    address = LLVMGetOperand(address, 0);
  return LLVMIsAGlobalVariable(address);
}

static struct sycl_pipe *find_pipe(struct sycl_kernel *kernel, LLVMValueRef mark, bool is_read) {
  for (size_t i = 0; i < kernel->pipe_count; i++)
    if (kernel->pipes[i].mark == mark && kernel->pipes[i].is_read == is_read)
      return &kernel->pipes[i];
  return NULL;
}

// 0: pipe_write, 1: pipe_read, 2: another instruction.
static size_t end_of(LLVMValueRef at) {
  LLVMValueRef callee = ir_callee(at);
  size_t length, end = 0;
  while (end < sizeof ends / sizeof *ends &&
         (!callee || strcmp(LLVMGetValueName2(callee, &length), ends[end].mark) != 0))
    end++;
  return end;
}

static enum status find_pipes(struct sycl_kernel *kernel, const struct sycl_kernels *kernels) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(kernel->entry); block; block = LLVMGetNextBasicBlock(block)) {
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
      const size_t end = end_of(at);
      if (end == sizeof ends / sizeof *ends)
        continue;
      LLVMValueRef mark = variable_of(LLVMGetOperand(at, CALL_PIPE));
      if (!mark || !LLVMIsAConstantInt(LLVMGetOperand(at, CALL_BYTES))) {
        ir_print_place(at);
        fprintf(stderr, "error: kernel '%s' uses a pipe that is known only when it runs\n", kernel->readable);
        return STATUS_REJECTED;
      }
      if (find_pipe(kernel, mark, end == 1))
        continue;
      struct sycl_pipe pipe = {.mark = mark, .is_read = end == 1};
      pipe.bytes = (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(at, CALL_BYTES));
      pipe.capacity = (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(at, CALL_CAPACITY));
      read_name(&pipe);
      number_name(&pipe, kernels);
      kernel->pipes = allocated(realloc(kernel->pipes, (kernel->pipe_count + 1) * sizeof pipe));
      kernel->pipes[kernel->pipe_count++] = pipe;
    }
  }
  return STATUS_OK;
}

// ---- arguments

// OpenCL's function, which takes no capacity.
static void call_function(LLVMValueRef mark, const char *name, LLVMValueRef pipe, LLVMBuilderRef builder) {
  LLVMModuleRef module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(mark)));
  LLVMTypeRef types[CALL_CAPACITY];
  LLVMValueRef operands[CALL_CAPACITY];
  LLVMPositionBuilderBefore(builder, mark);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(mark));
  for (unsigned i = 0; i < CALL_CAPACITY; i++) {
    operands[i] = i == CALL_PIPE ? pipe : LLVMGetOperand(mark, i);
    if (i == CALL_PACKET)
      operands[i] = LLVMBuildAddrSpaceCast(
          builder, operands[i], LLVMPointerTypeInContext(LLVMGetModuleContext(module), GENERIC_ADDRESS_SPACE), "");
    types[i] = LLVMTypeOf(operands[i]);
  }
  LLVMTypeRef type = LLVMFunctionType(LLVMTypeOf(mark), types, CALL_CAPACITY, 0);
  LLVMValueRef function = library_declare(module, name, type, LLVMSPIRFUNCCallConv);
  LLVMValueRef call = LLVMBuildCall2(builder, type, function, operands, CALL_CAPACITY, "");
  LLVMSetInstructionCallConv(call, LLVMSPIRFUNCCallConv);
  LLVMReplaceAllUsesWith(mark, call);
  LLVMInstructionEraseFromParent(mark);
}

static void use_arguments(struct sycl_kernel *kernel, unsigned first) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(kernel->entry)));
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(kernel->entry); block; block = LLVMGetNextBasicBlock(block)) {
    for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at; at = next) {
      next = LLVMGetNextInstruction(at);
      const size_t end = end_of(at);
      if (end == sizeof ends / sizeof *ends)
        continue;
      struct sycl_pipe *pipe = find_pipe(kernel, variable_of(LLVMGetOperand(at, CALL_PIPE)), end == 1);
      LLVMValueRef argument = LLVMGetParam(kernel->entry, first + (unsigned)(pipe - kernel->pipes));
      call_function(at, ends[end].function, argument, builder);
    }
  }
  LLVMDisposeBuilder(builder);
}

enum status pipes_make_arguments(LLVMModuleRef module, struct sycl_kernels *kernels) {
  if (!LLVMGetNamedFunction(module, ends[0].mark) && !LLVMGetNamedFunction(module, ends[1].mark))
    return STATUS_OK;
  for (size_t i = 0; i < kernels->count; i++) {
    struct sycl_kernel *kernel = &kernels->items[i];
    const enum status status = find_pipes(kernel, kernels);
    if (status != STATUS_OK)
      return status;
    if (kernel->pipe_count == 0)
      continue;
    const unsigned first = LLVMCountParams(kernel->entry);
    kernel->entry = more_arguments_add(kernel->entry, (unsigned)kernel->pipe_count);
    use_arguments(kernel, first);
  }
  return STATUS_OK;
}
