// SPDX-License-Identifier: Apache-2.0
#include "hls/ir.h"

#include <ctype.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Error.h>
#include <llvm-c/Support.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract/kernel_lines.h"

static unsigned attribute_kind(const char *name) {
  return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

struct ir_metadata ir_metadata_of(LLVMValueRef function, const char *kind) {
  struct ir_metadata result = {0};
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  unsigned wanted = LLVMGetMDKindIDInContext(context, kind, (unsigned)strlen(kind));
  size_t count;
  LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(function, &count);
  for (size_t i = 0; i < count && !result.operands; i++) {
    if (LLVMValueMetadataEntriesGetKind(entries, (unsigned)i) == wanted) {
      LLVMMetadataRef node = LLVMValueMetadataEntriesGetMetadata(entries, (unsigned)i);
      result = ir_metadata_of_node(LLVMMetadataAsValue(context, node));
    }
  }
  LLVMDisposeValueMetadataEntries(entries);
  return result;
}

struct ir_metadata ir_metadata_of_node(LLVMValueRef node) {
  struct ir_metadata result = {0};
  if (!node || !LLVMIsAMDNode(node))
    return result;
  result.count = (unsigned)LLVMGetMDNodeNumOperands(node);
  result.operands = calloc(result.count + 1, sizeof *result.operands);
  if (!result.operands)
    abort();
  LLVMGetMDNodeOperands(node, result.operands);
  return result;
}

void ir_set_metadata(LLVMValueRef function, const char *kind, LLVMMetadataRef *items, size_t count) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  LLVMGlobalSetMetadata(function, LLVMGetMDKindIDInContext(context, kind, (unsigned)strlen(kind)),
                        LLVMMDNodeInContext2(context, items, count));
}

void ir_metadata_free(struct ir_metadata *metadata) {
  free(metadata->operands);
  *metadata = (struct ir_metadata){0};
}

const char *ir_metadata_string(const struct ir_metadata *metadata, unsigned index, unsigned *length) {
  *length = 0;
  const char *text =
      index < metadata->count && metadata->operands[index] ? LLVMGetMDString(metadata->operands[index], length) : NULL;
  return text ? text : "";
}

uint32_t ir_metadata_number(const struct ir_metadata *metadata, unsigned index) {
  LLVMValueRef value = index < metadata->count ? metadata->operands[index] : NULL;
  return value && LLVMIsAConstantInt(value) ? (uint32_t)LLVMConstIntGetZExtValue(value) : 0;
}

void ir_add_attribute(LLVMValueRef function, const char *name) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                          LLVMCreateEnumAttribute(context, attribute_kind(name), 0));
}

void ir_remove_attribute(LLVMValueRef function, const char *name) {
  LLVMRemoveEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, attribute_kind(name));
}

void ir_remove_call_attribute(LLVMValueRef call, const char *name) {
  if (LLVMIsACallInst(call))
    LLVMRemoveCallSiteEnumAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, attribute_kind(name));
}

void ir_make_pure(LLVMValueRef function) {
  ir_remove_attribute(function, "convergent");
  ir_add_attribute(function, "nounwind");
  ir_add_attribute(function, "willreturn");
  ir_add_attribute(function, "memory");  // reads and writes none
  ir_add_attribute(function, "speculatable");
  for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use))
    ir_remove_call_attribute(LLVMGetUser(use), "convergent");
}

LLVMValueRef ir_without_casts(LLVMValueRef value) {
  while (value && LLVMIsAConstantExpr(value) && LLVMGetNumOperands(value) == 1)
    value = LLVMGetOperand(value, 0);
  return value;
}

const char *ir_constant_string(LLVMValueRef value, size_t *length) {
  value = ir_without_casts(value);
  LLVMValueRef text = value && LLVMIsAGlobalVariable(value) ? LLVMGetInitializer(value) : NULL;
  if (!text || !LLVMIsAConstantDataSequential(text) || !LLVMIsConstantString(text))
    return NULL;
  const char *bytes = LLVMGetAsString(text, length);
  *length = strnlen(bytes, *length);
  return bytes;
}

void ir_leave_alone(LLVMValueRef function, bool alone) {
  static const char *const words[] = {"noinline", "optnone"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    (alone ? ir_add_attribute : ir_remove_attribute)(function, words[i]);
}

bool ir_has_attribute(LLVMValueRef function, const char *name) {
  return LLVMGetEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, attribute_kind(name));
}

void ir_set_string_attribute(LLVMValueRef function, const char *name, const char *value) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  LLVMAddAttributeAtIndex(
      function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
      LLVMCreateStringAttribute(context, name, (unsigned)strlen(name), value, (unsigned)strlen(value)));
}

LLVMAttributeRef ir_parameter_attribute(LLVMValueRef function, unsigned index, const char *name) {
  return LLVMGetEnumAttributeAtIndex(function, index + 1, attribute_kind(name));
}

void ir_each_instruction(LLVMModuleRef module, void (*visit)(LLVMValueRef instruction, void *context), void *context) {
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function; function = LLVMGetNextFunction(function)) {
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
        visit(at, context);
  }
}

void ir_each_block(LLVMModuleRef module, void (*visit)(void *context, LLVMBasicBlockRef block), void *context) {
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function; function = LLVMGetNextFunction(function))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
      visit(context, block);
}

bool ir_replace_each(LLVMModuleRef module, LLVMBuilderRef builder,
                     LLVMValueRef (*replacement)(void *context, LLVMValueRef instruction), void *context) {
  bool any = false;
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function; function = LLVMGetNextFunction(function)) {
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
      for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at; at = next) {
        next = LLVMGetNextInstruction(at);
        LLVMPositionBuilderBefore(builder, at);
        LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(at));
        LLVMValueRef with = replacement(context, at);
        if (!with)
          continue;
        LLVMReplaceAllUsesWith(at, with);
        LLVMInstructionEraseFromParent(at);
        any = true;
      }
    }
  }
  return any;
}

void ir_build_nothing(LLVMBuilderRef builder) {
  LLVMContextRef context = LLVMGetBuilderContext(builder);
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), NULL, 0, 0);
  LLVMValueRef nothing = LLVMGetInlineAsm(type, "", 0, "", 0, 1, 0, LLVMInlineAsmDialectATT, 0);
  LLVMValueRef call = LLVMBuildCall2(builder, type, nothing, NULL, 0, "");
  static const char *const names[] = {"convergent", "noduplicate"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                             LLVMCreateEnumAttribute(context, attribute_kind(names[i]), 0));
  }
}

void ir_leave_out_wrong_passes(void) {
  const char *arguments[] = {"heddlec", "-opt-disable=loop-load-elim"};
  LLVMParseCommandLineOptions(sizeof arguments / sizeof *arguments, arguments, NULL);
}

enum status ir_run_passes(LLVMModuleRef module, LLVMTargetMachineRef machine, const char *what, const char *passes) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error = LLVMRunPasses(module, passes, machine, options);
  LLVMDisposePassBuilderOptions(options);
  if (error) {
    char *message = LLVMGetErrorMessage(error);
    fprintf(stderr, "heddlec: %s: %s\n", what, message);
    LLVMDisposeErrorMessage(message);
    return STATUS_FAILED;
  }
  return STATUS_OK;
}

bool ir_each_index(LLVMTargetDataRef layout, LLVMValueRef gep, uint32_t *offset,
                   bool (*visit)(void *context, LLVMValueRef index, uint32_t bytes), void *context) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  for (int i = 1; i < LLVMGetNumOperands(gep); i++) {
    LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);
    if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      const unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
      *offset += (uint32_t)LLVMOffsetOfElement(layout, type, field);
      type = LLVMStructGetTypeAtIndex(type, field);
      continue;
    }
    if (i > 1)
      type = LLVMGetElementType(type);
    if (!visit(context, index, (uint32_t)LLVMABISizeOfType(layout, type)))
      return false;
  }
  return true;
}

bool ir_is_intrinsic(LLVMValueRef function) {
  return LLVMGetIntrinsicID(function) != 0;
}

bool ir_calls_intrinsic(LLVMValueRef instruction, const char *name) {
  LLVMValueRef callee = ir_callee(instruction);
  const unsigned id = callee ? LLVMGetIntrinsicID(callee) : 0;
  return id != 0 && id == LLVMLookupIntrinsicID(name, strlen(name));
}

LLVMValueRef ir_build_intrinsic(LLVMBuilderRef builder, const char *name, LLVMValueRef *arguments, unsigned count) {
  LLVMModuleRef module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInsertBlock(builder)));
  LLVMTypeRef type = LLVMTypeOf(arguments[0]);
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(module, LLVMLookupIntrinsicID(name, strlen(name)), &type, 1);
  return LLVMBuildCall2(builder, LLVMGlobalGetValueType(function), function, arguments, count, "");
}

bool ir_is_operation(LLVMValueRef value, LLVMOpcode opcode) {
  return LLVMIsAInstruction(value)    ? LLVMGetInstructionOpcode(value) == opcode
         : LLVMIsAConstantExpr(value) ? LLVMGetConstOpcode(value) == opcode
                                      : false;
}

bool ir_is_plain(LLVMValueRef access) {
  return !LLVMGetVolatile(access) && LLVMGetOrdering(access) == LLVMAtomicOrderingNotAtomic;
}

LLVMValueRef ir_callee(LLVMValueRef instruction) {
  return LLVMIsACallInst(instruction) ? LLVMIsAFunction(LLVMGetCalledValue(instruction)) : NULL;
}

bool ir_calls(LLVMValueRef instruction, const char *begin) {
  LLVMValueRef callee = ir_callee(instruction);
  size_t length;
  return callee && strncmp(LLVMGetValueName2(callee, &length), begin, strlen(begin)) == 0;
}

bool ir_comes_before(LLVMValueRef first, LLVMValueRef second) {
  while (first && first != second)
    first = LLVMGetNextInstruction(first);
  return !!first;
}

bool ir_is_kernel(LLVMValueRef function) {
  return LLVMGetFunctionCallConv(function) == LLVMSPIRKERNELCallConv && !LLVMIsDeclaration(function);
}

LLVMValueRef ir_first_behind_allocas(LLVMValueRef function) {
  LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)), behind = at;
  for (; at; at = LLVMGetNextInstruction(at))
    if (LLVMIsAAllocaInst(at))
      behind = LLVMGetNextInstruction(at);
  return behind;
}

LLVMValueRef ir_assembly(LLVMValueRef instruction, const char *begin) {
  LLVMValueRef assembly = LLVMIsACallInst(instruction) ? LLVMIsAInlineAsm(LLVMGetCalledValue(instruction)) : NULL;
  const size_t wanted = strlen(begin);
  size_t length;
  if (!assembly)
    return NULL;
  const char *text = LLVMGetInlineAsmAsmString(assembly, &length);
  return length >= wanted && (wanted == 0 || memcmp(text, begin, wanted) == 0) ? assembly : NULL;
}

bool ir_is_memory_assembly(LLVMValueRef instruction, const char *text) {
  static const char memory[] = "~{memory}";
  LLVMValueRef assembly = ir_assembly(instruction, text);
  size_t length;
  if (!assembly)
    return false;
  LLVMGetInlineAsmAsmString(assembly, &length);
  if (length != strlen(text))
    return false;
  const char *its = LLVMGetInlineAsmConstraintString(assembly, &length);
  return length == strlen(memory) && memcmp(its, memory, length) == 0;
}

static unsigned mark_kind(LLVMValueRef instruction, const char *name) {
  return LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(instruction)), name, (unsigned)strlen(name));
}

void ir_mark(LLVMValueRef instruction, const char *name) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(instruction));
  LLVMSetMetadata(instruction, mark_kind(instruction, name),
                  LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, NULL, 0)));
}

bool ir_is_marked(LLVMValueRef instruction, const char *name) {
  return LLVMGetMetadata(instruction, mark_kind(instruction, name));
}

void ir_unmark(LLVMValueRef instruction, const char *name) {
  LLVMSetMetadata(instruction, mark_kind(instruction, name), NULL);
}

void ir_copy_access(LLVMValueRef from, LLVMValueRef to) {
  static const char *const kinds[] = {"alias.scope", "noalias", "invariant.load", "nontemporal", "llvm.access.group"};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (ir_is_marked(from, kinds[i]))
      LLVMSetMetadata(to, mark_kind(to, kinds[i]), LLVMGetMetadata(from, mark_kind(from, kinds[i])));
  LLVMSetVolatile(to, LLVMGetVolatile(from));
}

void ir_mark_invariant(LLVMValueRef load) {
  ir_mark(load, "invariant.load");
}

struct ir_place ir_place_of(LLVMValueRef instruction) {
  struct ir_place place = {.file = ""};
  LLVMMetadataRef at = LLVMIsAInstruction(instruction) ? LLVMInstructionGetDebugLoc(instruction) : NULL;
  for (; at; at = LLVMDILocationGetInlinedAt(at)) {
    place.file = LLVMDIFileGetFilename(LLVMDIScopeGetFile(LLVMDILocationGetScope(at)), &place.file_length);
    if (place.file_length != strlen(HEDDLE_BUILT_IN_FILE) ||
        memcmp(place.file, HEDDLE_BUILT_IN_FILE, place.file_length) != 0)
      break;
  }
  if (at) {
    place.line = LLVMDILocationGetLine(at);
    place.column = LLVMDILocationGetColumn(at);
  }
  return place;
}

void ir_print_place(LLVMValueRef instruction) {
  const struct ir_place place = ir_place_of(instruction);
  if (place.line != 0)
    fprintf(stderr, "%.*s:%u:%u: ", (int)place.file_length, place.file, place.line, place.column);
}

void ir_print_place_of_function(LLVMValueRef function) {
  LLVMMetadataRef lines = LLVMGetSubprogram(function);
  if (!lines)
    return;
  unsigned length;
  const char *file = LLVMDIFileGetFilename(LLVMDIScopeGetFile(lines), &length);
  fprintf(stderr, "%.*s:%u: ", (int)length, file, LLVMDISubprogramGetLine(lines));
}

const char *ir_source_name(LLVMValueRef function, int *length) {
  size_t full;
  const char *name = LLVMGetValueName2(function, &full);
  if (strncmp(name, "_Z", 2) == 0 && isdigit((unsigned char)name[2])) {
    char *end;
    unsigned long count = strtoul(name + 2, &end, 10);
    if (count <= strlen(end)) {
      *length = (int)count;
      return end;
    }
  }
  static const char kernel_body[] = "__clang_ocl_kern_imp_";
  if (strncmp(name, kernel_body, strlen(kernel_body)) == 0)
    name += strlen(kernel_body);
  *length = (int)strlen(name);
  return name;
}
