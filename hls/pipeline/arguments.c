// SPDX-License-Identifier: Apache-2.0
#include "hls/pipeline/arguments.h"

#include <stdbool.h>
#include <stdint.h>

#include "hls/ir.h"
#include "hls/pipeline/primitives.h"

// The `size` bytes, 1, 2 or 4, at an offset of the argument block that is a multiple of size.
static LLVMValueRef build_piece(LLVMBuilderRef builder, LLVMModuleRef module, uint32_t offset, uint32_t size) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMValueRef word = primitive_build_argument_word(builder, module, offset & ~3u);
  if (size == 4)
    return word;
  LLVMValueRef shift = LLVMConstInt(LLVMTypeOf(word), (offset & 3) * 8, 0);
  return LLVMBuildTrunc(builder, LLVMBuildLShr(builder, word, shift, ""), LLVMIntTypeInContext(context, size * 8), "");
}

static uint32_t piece_size(uint32_t offset, uint32_t left) {
  uint32_t size = 4;
  while (offset % size != 0 || size > left)
    size /= 2;
  return size;
}

// A private copy of an argument, filled where the builder stands.
static LLVMValueRef build_copy(LLVMBuilderRef builder, LLVMModuleRef module, LLVMTypeRef type,
                               const struct kernel_argument *argument) {
  LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetModuleContext(module));
  LLVMValueRef copy = LLVMBuildAlloca(builder, type, "argument");
  LLVMSetAlignment(copy, argument->alignment);
  for (uint32_t at = 0, size = 0; at < argument->size; at += size) {
    size = piece_size(argument->offset + at, argument->size - at);
    LLVMValueRef index = LLVMConstInt(LLVMInt32TypeInContext(LLVMGetModuleContext(module)), at, 0);
    LLVMValueRef place = LLVMBuildInBoundsGEP2(builder, byte, copy, &index, 1, "");
    LLVMValueRef piece = build_piece(builder, module, argument->offset + at, size);
    LLVMSetAlignment(LLVMBuildStore(builder, piece, place), size);
  }
  return copy;
}

static void split(LLVMBuilderRef builder, LLVMModuleRef module, const struct kernel *kernel, unsigned index) {
  const struct kernel_argument *argument = &kernel->arguments[index];
  LLVMValueRef parameter = LLVMGetParam(kernel->body, index);
  LLVMAttributeRef by_value = ir_parameter_attribute(kernel->body, index, "byval");
  const bool is_vector = LLVMGetTypeKind(LLVMTypeOf(parameter)) == LLVMVectorTypeKind;
  if (!by_value && !is_vector)
    return;
  LLVMTypeRef type = is_vector ? LLVMTypeOf(parameter) : LLVMGetTypeAttributeValue(by_value);
  LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(kernel->body)));
  LLVMValueRef copy = build_copy(builder, module, type, argument);
  LLVMReplaceAllUsesWith(parameter, is_vector ? LLVMBuildLoad2(builder, type, copy, "") : copy);
}

void arguments_split(LLVMModuleRef module, const struct kernels *kernels) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (size_t k = 0; k < kernels->count; k++)
    for (unsigned i = 0; i < kernels->items[k].argument_count; i++)
      split(builder, module, &kernels->items[k], i);
  LLVMDisposeBuilder(builder);
}
