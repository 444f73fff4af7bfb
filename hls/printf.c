// SPDX-License-Identifier: Apache-2.0
// A call of printf leaves a record in a buffer, from which the host makes text. One function for each list of argument
// types writes it, so that a call costs its caller no more than any other; it is not inlined, as who prints is in no
// hurry. The format and %s are addresses of strings in the image.
#include "hls/printf.h"

#include <llvm-c/DebugInfo.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract/device_map.h"
#include "contract/isa.h"
#include "hls/call_graph.h"
#include "hls/ir.h"

#define FUNCTION_PREFIX "__heddle_printf_"
// Of lib/printf.cl, for devices with atomic instructions (A) and for others.
#define RESERVE FUNCTION_PREFIX "reserve"
#define RESERVE_PRIVATE FUNCTION_PREFIX "reserve_private"

// What building a function needs.
struct lowering {
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMTargetDataRef layout;
  LLVMTypeRef word;
  LLVMValueRef reserve;
  bool is_for_pipelines;
};

static void *allocated(void *memory) {
  if (!memory)
    abort();  // the pass runs in a child process; its end is reported by the parent
  return memory;
}

static LLVMValueRef constant_word(const struct lowering *lowering, uint32_t value) {
  return LLVMConstInt(lowering->word, value, 0);
}

// The note's word for a value of this type; 0 if no conversion prints one.
static uint32_t describe(const struct lowering *lowering, LLVMTypeRef type) {
  uint32_t count = 1;
  if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) {
    count = LLVMGetVectorSize(type);
    type = LLVMGetElementType(type);
  }
  uint32_t kind;
  switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
      kind = HEDDLE_PRINTF_INTEGER;
      break;
    case LLVMHalfTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
      kind = HEDDLE_PRINTF_FLOAT;
      break;
    case LLVMPointerTypeKind:
      kind = HEDDLE_PRINTF_POINTER;
      break;
    default:
      return 0;
  }
  // Of another target as yet, but that has pointers of 32 bits too.
  uint32_t bytes = (uint32_t)LLVMABISizeOfType(lowering->layout, type);
  return bytes <= 8 && count <= 16 ? kind | bytes << 8 | count << 16 : 0;
}

static uint32_t place_bytes(uint32_t value) {
  return ((value >> 8 & 0xFF) * (value >> 16) + 3) / 4 * 4;
}

static void build_one_store(const struct lowering *lowering, LLVMBuilderRef builder, LLVMValueRef value,
                            LLVMValueRef record, uint32_t offset) {
  LLVMValueRef index = constant_word(lowering, offset);
  LLVMValueRef place = LLVMBuildInBoundsGEP2(builder, LLVMInt8TypeInContext(lowering->context), record, &index, 1, "");
  LLVMValueRef store = LLVMBuildStore(builder, value, place);
  LLVMSetAlignment(store, offset % 4 == 0 ? 4 : offset % 2 == 0 ? 2 : 1);
  LLVMSetVolatile(store, 1);  // they stay in order: the mark that a record is complete comes last
}

// Pipelines have no vectors, and nothing takes a volatile store of one apart.
static void build_store(const struct lowering *lowering, LLVMBuilderRef builder, LLVMValueRef value,
                        LLVMValueRef record, uint32_t offset) {
  LLVMTypeRef type = LLVMTypeOf(value);
  if (!lowering->is_for_pipelines || LLVMGetTypeKind(type) != LLVMVectorTypeKind) {
    build_one_store(lowering, builder, value, record, offset);
    return;
  }
  const uint32_t bytes = (uint32_t)LLVMABISizeOfType(lowering->layout, LLVMGetElementType(type));
  for (uint32_t i = 0; i < LLVMGetVectorSize(type); i++) {
    LLVMValueRef element = LLVMBuildExtractElement(builder, value, constant_word(lowering, i), "");
    build_one_store(lowering, builder, element, record, offset + i * bytes);
  }
}

// The number of a layout as its records have it.
static LLVMValueRef build_number(const struct lowering *lowering, LLVMBuilderRef builder, uint32_t number) {
  LLVMValueRef constant = constant_word(lowering, number);
  if (!lowering->is_for_pipelines)
    return constant;
  LLVMTypeRef word = lowering->word, type = LLVMFunctionType(word, &word, 1, 0);
  LLVMValueRef function = LLVMGetNamedFunction(lowering->module, PRINTF_LAYOUT_NUMBER);
  if (!function)
    function = LLVMAddFunction(lowering->module, PRINTF_LAYOUT_NUMBER, type);
  return LLVMBuildCall2(builder, type, function, &constant, 1, "");
}

// int f(format, arguments): reserves a record and, if there is room for one, writes it.
static LLVMValueRef make_function(const struct lowering *lowering, const struct printf_layout *layout, uint32_t number,
                                  LLVMTypeRef *types) {
  char name[64];
  snprintf(name, sizeof name, FUNCTION_PREFIX "%u", number);
  LLVMTypeRef type = LLVMFunctionType(lowering->word, types, layout->count + 1, 0);
  LLVMValueRef function = LLVMAddFunction(lowering->module, name, type);
  ir_add_attribute(function, "nounwind");
  ir_add_attribute(function, "noinline");

  LLVMBuilderRef builder = LLVMCreateBuilderInContext(lowering->context);
  LLVMBasicBlockRef reserve = LLVMAppendBasicBlockInContext(lowering->context, function, "reserve");
  LLVMBasicBlockRef write = LLVMAppendBasicBlockInContext(lowering->context, function, "write");
  LLVMBasicBlockRef full = LLVMAppendBasicBlockInContext(lowering->context, function, "full");
  LLVMPositionBuilderAtEnd(builder, reserve);
  LLVMValueRef own_number = build_number(lowering, builder, number);
  LLVMValueRef arguments[] = {own_number, constant_word(lowering, layout->record_bytes), LLVMGetParam(function, 0)};
  LLVMValueRef record =
      LLVMBuildCall2(builder, LLVMGlobalGetValueType(lowering->reserve), lowering->reserve, arguments, 3, "");
  LLVMSetInstructionCallConv(record, LLVMGetFunctionCallConv(lowering->reserve));
  LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, record, ""), full, write);

  LLVMPositionBuilderAtEnd(builder, write);
  uint32_t offset = HEDDLE_PRINTF_RECORD_VALUES * 4;
  for (uint32_t i = 0; i < layout->count; i++) {
    build_store(lowering, builder, LLVMGetParam(function, i + 1), record, offset);
    offset += place_bytes(layout->values[i]);
  }
  LLVMValueRef complete = constant_word(lowering, HEDDLE_PRINTF_COMPLETE);
  build_store(lowering, builder, LLVMBuildOr(builder, own_number, complete, ""), record, 0);
  LLVMBuildRet(builder, constant_word(lowering, 0));

  LLVMPositionBuilderAtEnd(builder, full);
  LLVMBuildRet(builder, LLVMConstAllOnes(lowering->word));
  LLVMDisposeBuilder(builder);
  return function;
}

// Two lists that look alike in the note may differ in the address spaces of their pointers, and so in their function.
static bool has_types(const struct printf_layout *layout, const LLVMTypeRef *types, uint32_t count) {
  bool is_same = layout->count == count;
  for (uint32_t i = 0; i < count && is_same; i++)
    is_same = LLVMTypeOf(LLVMGetParam(layout->function, i + 1)) == types[i + 1];
  return is_same;
}

// The function for a list of types: the format's, then those of the arguments, whose words are `values`. Takes the
// values over.
static LLVMValueRef function_for(const struct lowering *lowering, struct printf_layouts *layouts, LLVMTypeRef *types,
                                 uint32_t *values, uint32_t count) {
  for (size_t i = 0; i < layouts->count; i++) {
    if (has_types(&layouts->items[i], types, count)) {
      free(values);
      return layouts->items[i].function;
    }
  }
  layouts->items = allocated(realloc(layouts->items, (layouts->count + 1) * sizeof *layouts->items));
  struct printf_layout *layout = &layouts->items[layouts->count++];
  *layout = (struct printf_layout){.values = values, .count = count, .record_bytes = HEDDLE_PRINTF_RECORD_VALUES * 4};
  for (uint32_t i = 0; i < count; i++)
    layout->record_bytes += place_bytes(values[i]);
  layout->function = make_function(lowering, layout, (uint32_t)layouts->count, types);
  return layout->function;
}

static bool is_structure(LLVMValueRef call, unsigned index) {
  return LLVMGetCallSiteEnumAttribute(call, index + 1, LLVMGetEnumAttributeKindForName("byval", 5));
}

static enum status lower_call(const struct lowering *lowering, LLVMValueRef call, struct printf_layouts *layouts) {
  const uint32_t count = LLVMGetNumArgOperands(call) - 1;
  LLVMTypeRef *types = allocated(calloc(count + 1, sizeof *types));
  LLVMValueRef *arguments = allocated(calloc(count + 1, sizeof *arguments));
  uint32_t *values = allocated(calloc(count + 1, sizeof *values));
  enum status status = STATUS_OK;
  for (uint32_t i = 0; i <= count && status == STATUS_OK; i++) {
    arguments[i] = LLVMGetOperand(call, i);
    types[i] = LLVMTypeOf(arguments[i]);
    uint32_t value = is_structure(call, i) ? 0 : describe(lowering, types[i]);
    if (value == 0) {
      ir_print_place(call);
      fprintf(stderr, "error: printf: argument %u has a type that no conversion prints\n", i + 1);
      status = STATUS_REJECTED;
    } else if (i > 0) {
      values[i - 1] = value;
    }
  }
  if (status == STATUS_OK) {
    LLVMValueRef function = function_for(lowering, layouts, types, values, count);
    values = NULL;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(lowering->context);
    LLVMPositionBuilderBefore(builder, call);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(call));
    LLVMValueRef result = LLVMBuildCall2(builder, LLVMGlobalGetValueType(function), function, arguments, count + 1, "");
    LLVMDisposeBuilder(builder);
    LLVMReplaceAllUsesWith(call, result);
    LLVMInstructionEraseFromParent(call);
  }
  free(types);
  free(arguments);
  free(values);
  return status;
}

// The built-in function: a kernel source may define one of its own, in versions of the language that have none.
static LLVMValueRef find_printf(LLVMModuleRef module) {
  LLVMValueRef function = LLVMGetNamedFunction(module, "printf");
  bool is_ours =
      function && LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function)) && LLVMGetNamedFunction(module, RESERVE);
  return is_ours ? function : NULL;
}

static enum status lower(LLVMModuleRef module, LLVMTargetDataRef layout, bool has_atomics, bool is_for_pipelines,
                         struct printf_layouts *layouts) {
  LLVMValueRef function = find_printf(module);
  if (!function)
    return STATUS_OK;
  LLVMContextRef context = LLVMGetModuleContext(module);
  const struct lowering lowering = {
      .module = module,
      .context = context,
      .layout = layout,
      .word = LLVMInt32TypeInContext(context),
      .reserve = LLVMGetNamedFunction(module, has_atomics ? RESERVE : RESERVE_PRIVATE),
      .is_for_pipelines = is_for_pipelines,
  };
  // The library kept it a function, so as to have it under its name. Part of its callers, it saves no registers there.
  ir_remove_attribute(lowering.reserve, "noinline");
  ir_add_attribute(lowering.reserve, "alwaysinline");
  enum status status = STATUS_OK;
  for (LLVMUseRef use = LLVMGetFirstUse(function), next; use; use = next) {
    next = LLVMGetNextUse(use);
    enum status of_call = lower_call(&lowering, LLVMGetUser(use), layouts);
    status = of_call != STATUS_OK ? of_call : status;
  }
  if (status == STATUS_OK) {  // or the atomic instructions in them would be refused
    LLVMDeleteFunction(function);
    LLVMDeleteFunction(LLVMGetNamedFunction(module, has_atomics ? RESERVE_PRIVATE : RESERVE));
  }
  return status;
}

enum status printf_lower(LLVMModuleRef module, LLVMTargetDataRef layout, const char *isa,
                         struct printf_layouts *layouts) {
  return lower(module, layout, heddle_isa_has(isa, "a"), false, layouts);
}

enum status printf_lower_for_pipelines(LLVMModuleRef module, const char *isa, struct printf_layouts *layouts) {
  LLVMValueRef function = find_printf(module);
  if (function && !heddle_isa_has(isa, "a")) {
    LLVMSetValueName2(function, "", 0);
    LLVMValueRef unknown = LLVMAddFunction(module, "printf", LLVMGlobalGetValueType(function));
    LLVMReplaceAllUsesWith(function, unknown);
    LLVMDeleteFunction(function);
    return STATUS_OK;
  }
  return lower(module, LLVMGetModuleDataLayout(module), true, true, layouts);
}

void printf_find_kernels(struct kernels *kernels) {
  for (size_t i = 0; i < kernels->count; i++) {
    struct kernel *kernel = &kernels->items[i];
    struct reach reach = {0};
    reach_from(kernel->entry, &reach);
    for (size_t j = 0; j < reach.count && !kernel->prints; j++) {
      size_t length;
      const char *name = LLVMGetValueName2(reach.values[j], &length);
      kernel->prints = strncmp(name, FUNCTION_PREFIX, strlen(FUNCTION_PREFIX)) == 0;
    }
    reach_free(&reach);
  }
}

void printf_layouts_free(struct printf_layouts *layouts) {
  for (size_t i = 0; i < layouts->count; i++)
    free(layouts->items[i].values);
  free(layouts->items);
  *layouts = (struct printf_layouts){0};
}
