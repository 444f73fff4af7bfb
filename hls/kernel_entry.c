// SPDX-License-Identifier: Apache-2.0
// Entry functions (contract/DEVICE.md, "How a work-item starts and ends").
#include "hls/kernel_entry.h"

#include <llvm-c/DebugInfo.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract/csrs.h"
#include "contract/device_map.h"
#include "hls/ir.h"
#include "hls/plain_images.h"

// csrrs sp, HEDDLE_CSR_STACK_TOP, x0: the initial stack pointer of the work-item.
static const uint32_t set_stack_pointer = (uint32_t)HEDDLE_CSR_STACK_TOP << 20 | 0x02173;

static void *allocated(void *memory) {
  if (!memory)
    abort();  // the pass runs in a child process; its end is reported by the parent
  return memory;
}

static LLVMValueRef assembly(LLVMBuilderRef builder, LLVMTypeRef result, const char *text, const char *constraints,
                             bool has_effects) {
  LLVMTypeRef type = LLVMFunctionType(result, NULL, 0, 0);
  LLVMValueRef value = LLVMGetInlineAsm(type, text, strlen(text), constraints, strlen(constraints), has_effects, 0,
                                        LLVMInlineAsmDialectATT, 0);
  return LLVMBuildCall2(builder, type, value, NULL, 0, "");
}

// One argument: its value, or for a struct a pointer to it.
static LLVMValueRef build_argument(LLVMContextRef context, LLVMBuilderRef builder, LLVMValueRef packet,
                                   const struct kernel *kernel, unsigned index) {
  const struct kernel_argument *argument = &kernel->arguments[index];
  LLVMValueRef offset = LLVMConstInt(LLVMInt32TypeInContext(context), HEDDLE_PACKET_WORDS * 4 + argument->offset, 0);
  LLVMValueRef place = LLVMBuildInBoundsGEP2(builder, LLVMInt8TypeInContext(context), packet, &offset, 1, "");
  if (ir_parameter_attribute(kernel->body, index, "byval"))
    return place;
  LLVMValueRef value = LLVMBuildLoad2(builder, LLVMTypeOf(LLVMGetParam(kernel->body, index)), place, "");
  LLVMSetAlignment(value, argument->alignment);
  // Nobody writes the packet while the kernel runs.
  ir_mark_invariant(value);
  return value;
}

static void copy_parameter_attributes(LLVMValueRef from, LLVMValueRef call) {
  for (unsigned i = 1; i <= LLVMCountParams(from); i++) {
    unsigned count = LLVMGetAttributeCountAtIndex(from, i);
    LLVMAttributeRef *attributes = allocated(calloc(count + 1, sizeof *attributes));
    LLVMGetAttributesAtIndex(from, i, attributes);
    for (unsigned j = 0; j < count; j++)
      LLVMAddCallSiteAttribute(call, i, attributes[j]);
    free(attributes);
  }
}

// The only place that calls the function; NULL: there are others, or none.
static LLVMValueRef only_call(LLVMValueRef function) {
  LLVMValueRef call = NULL;
  for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsACallInst(user)) {
      if (call)
        return NULL;
      call = user;
    }
  }
  return call;
}

// Whose place in the debug information the entry takes: of the body, whose instructions end up in it. The body of a
// block's entry is clang's and has none, but the block's function has, unless others call that too.
static LLVMValueRef described_function(const struct kernel *kernel) {
  LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(kernel->body));
  while (kernel->is_block && first && !LLVMIsACallInst(first))
    first = LLVMGetNextInstruction(first);
  LLVMValueRef block = kernel->is_block && first ? LLVMIsAFunction(LLVMGetCalledValue(first)) : NULL;
  return block && only_call(block) ? block : kernel->body;
}

static void build_call(LLVMBuilderRef builder, const struct kernel *kernel, LLVMValueRef *arguments) {
  LLVMValueRef body = kernel->body;
  LLVMValueRef call =
      LLVMBuildCall2(builder, LLVMGlobalGetValueType(body), body, arguments, kernel->argument_count, "");
  copy_parameter_attributes(body, call);
}

// Twice, where the images decide.
static void build_calls(LLVMBuilderRef builder, const struct kernel *kernel, LLVMValueRef *arguments) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(kernel->entry));
  LLVMBasicBlockRef others = plain_images_branch(builder, kernel, arguments);
  LLVMBasicBlockRef end = LLVMAppendBasicBlockInContext(context, kernel->entry, "");
  build_call(builder, kernel, arguments);
  LLVMBuildBr(builder, end);
  LLVMPositionBuilderAtEnd(builder, others);
  build_call(builder, kernel, arguments);
  LLVMBuildBr(builder, end);
  LLVMPositionBuilderAtEnd(builder, end);
}

static void make_entry(LLVMModuleRef module, struct kernel *kernel, bool optimize) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef nothing = LLVMVoidTypeInContext(context);
  LLVMValueRef body = kernel->body;
  char *name = NULL;
  if (asprintf(&name, KERNEL_ENTRY_PREFIX "%s", kernel->name) < 0)
    abort();
  kernel->entry = LLVMAddFunction(module, name, LLVMFunctionType(nothing, NULL, 0, 0));
  free(name);
  static const char *const attributes[] = {"noreturn", "nounwind", "convergent", "norecurse"};
  for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
    ir_add_attribute(kernel->entry, attributes[i]);
  ir_set_string_attribute(kernel->entry, "no-builtins", "");

  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(context, kernel->entry, ""));
  LLVMValueRef packet = assembly(builder, LLVMPointerTypeInContext(context, 0),
                                 "csrr $0, " HEDDLE_CSR_TEXT(HEDDLE_CSR_PACKET), "=r", false);
  LLVMValueRef *arguments = allocated(calloc(kernel->argument_count + 1, sizeof *arguments));
  for (unsigned i = 0; i < kernel->argument_count; i++)
    arguments[i] = build_argument(context, builder, packet, kernel, i);
  if (optimize && plain_images_matter(kernel))
    build_calls(builder, kernel, arguments);
  else
    build_call(builder, kernel, arguments);
  free(arguments);
  assembly(builder, nothing, KERNEL_ENTRY_EXIT, "~{memory}", true);
  LLVMBuildUnreachable(builder);
  LLVMDisposeBuilder(builder);

  LLVMValueRef described = described_function(kernel);
  LLVMMetadataRef subprogram = LLVMGetSubprogram(described);
  if (subprogram) {
    LLVMSetSubprogram(described, NULL);
    LLVMSetSubprogram(kernel->entry, subprogram);
  }
  ir_remove_attribute(body, "noinline");
  ir_remove_attribute(body, "optnone");
  ir_add_attribute(body, "alwaysinline");
  if (described != body) {
    // clang says that the call is in the kernel that enqueues.
    LLVMInstructionSetDebugLoc(only_call(described), NULL);
    ir_remove_attribute(described, "noinline");
    ir_remove_attribute(described, "optnone");
    ir_add_attribute(described, "alwaysinline");
  }
}

void kernels_make_entries(LLVMModuleRef module, struct kernels *kernels, bool optimize) {
  for (size_t i = 0; i < kernels->count; i++)
    make_entry(module, &kernels->items[i], optimize);
}

// LLVM has no switch for a function that may spoil the registers a callee has to save. But with interprocedural
// register allocation (which emission turns on) it does so for a function that is internal, does not recurse, and is
// only ever called directly. So each entry becomes that, and gets a caller, which is never linked.
void kernels_finish_entries(LLVMModuleRef module, const struct kernels *kernels) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), NULL, 0, 0);
  LLVMValueRef caller = LLVMAddFunction(module, "__heddle_kernel_caller", type);
  LLVMSetSection(caller, KERNEL_CALLER_SECTION);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(context, caller, ""));
  for (size_t i = 0; i < kernels->count; i++) {
    LLVMValueRef entry = kernels->items[i].entry;
    LLVMBuildCall2(builder, type, entry, NULL, 0, "");
    LLVMSetLinkage(entry, LLVMInternalLinkage);
    ir_add_attribute(entry, "norecurse");
    LLVMSetPrologueData(entry, LLVMConstInt(LLVMInt32TypeInContext(context), set_stack_pointer, 0));
  }
  LLVMBuildRetVoid(builder);
  LLVMDisposeBuilder(builder);
}
