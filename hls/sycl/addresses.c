// SPDX-License-Identifier: Apache-2.0
// Types that have pointers in them become types of bytes with the same size; what computes with their layout (GEPs,
// variables, copies, parameters passed by value) is rewritten in bytes. Types without pointers are alike on both sides
// and stay. Loads of pointers read the lower half of their room as they are; stores write zeros to the upper half.
//
// Works on code that is not yet optimised, in one walk over the module.
#include "hls/sycl/addresses.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "hls/ir.h"

#define NARROW_TRIPLE "spir-unknown-unknown"
#define NARROW_LAYOUT "e-p:32:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"

enum { ROOM_BYTES = 8, ADDRESS_BYTES = 4 };

struct step {
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMTargetDataRef wide;
  LLVMBuilderRef builder;
  LLVMTypeRef byte, word;
};

static void *allocated(size_t count, size_t bytes) {
  void *memory = calloc(count + 1, bytes);
  if (!memory)
    abort();
  return memory;
}

// ---- types

static bool has_pointer(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
    case LLVMPointerTypeKind:
      return true;
    case LLVMArrayTypeKind:
    case LLVMVectorTypeKind:
      return has_pointer(LLVMGetElementType(type));
    case LLVMStructTypeKind:
      for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
        if (has_pointer(LLVMStructGetTypeAtIndex(type, i)))
          return true;
      return false;
    default:
      return false;
  }
}

static LLVMTypeRef bytes_type(const struct step *step, unsigned long long count) {
  return LLVMArrayType2(step->byte, count);
}

static unsigned long long size_of(const struct step *step, LLVMTypeRef type) {
  return LLVMABISizeOfType(step->wide, type);
}

// Room for a type in memory.
static LLVMTypeRef room_of(const struct step *step, LLVMTypeRef type) {
  return has_pointer(type) ? bytes_type(step, size_of(step, type)) : type;
}

// ---- constants

static LLVMValueRef narrow_constant(const struct step *step, LLVMValueRef constant);

static LLVMValueRef packed(const struct step *step, LLVMValueRef *parts, unsigned count) {
  return LLVMConstStructInContext(step->context, parts, count, 1);
}

// A constant as it lies in memory. Its size is that of its type; alignment is of the variable.
static LLVMValueRef constant_in_memory(const struct step *step, LLVMValueRef constant) {
  LLVMTypeRef type = LLVMTypeOf(constant);
  if (!has_pointer(type))
    return narrow_constant(step, constant);
  const LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind == LLVMPointerTypeKind) {
    LLVMValueRef parts[] = {narrow_constant(step, constant), LLVMConstNull(step->word)};
    return packed(step, parts, 2);
  }
  if (LLVMIsUndef(constant) || LLVMIsNull(constant))
    return LLVMConstNull(room_of(step, type));
  const bool is_struct = kind == LLVMStructTypeKind;
  const unsigned count = is_struct                   ? LLVMCountStructElementTypes(type)
                         : kind == LLVMArrayTypeKind ? (unsigned)LLVMGetArrayLength2(type)
                                                     : LLVMGetVectorSize(type);
  LLVMValueRef *parts = allocated(2 * (size_t)count + 1, sizeof *parts), whole;
  unsigned at = 0;
  unsigned long long end = 0;  // of the parts
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef element = LLVMGetAggregateElement(constant, i);
    const unsigned long long begin = is_struct ? LLVMOffsetOfElement(step->wide, type, i) : end;
    if (begin > end)
      parts[at++] = LLVMConstNull(bytes_type(step, begin - end));
    parts[at++] = constant_in_memory(step, element);
    end = begin + size_of(step, LLVMTypeOf(element));
  }
  if (size_of(step, type) > end)
    parts[at++] = LLVMConstNull(bytes_type(step, size_of(step, type) - end));
  whole = packed(step, parts, at);
  free(parts);
  return whole;
}

// How far from a type's begin indices lead, in bytes: a number, and a value where an index is no constant.
struct distance {
  long long bytes;
  LLVMValueRef value;
};

static void add_index(const struct step *step, struct distance *distance, LLVMValueRef index, LLVMTypeRef type) {
  const long long size = (long long)size_of(step, type);
  if (LLVMIsAConstantInt(index)) {
    distance->bytes += LLVMConstIntGetSExtValue(index) * size;
    return;
  }
  LLVMValueRef value = LLVMBuildIntCast2(step->builder, index, step->word, 1, "");
  if (size != 1)
    value = LLVMBuildMul(step->builder, value, LLVMConstInt(step->word, (unsigned long long)size, 0), "");
  distance->value = distance->value ? LLVMBuildAdd(step->builder, distance->value, value, "") : value;
}

static struct distance distance_of(const struct step *step, LLVMValueRef gep) {
  struct distance distance = {0};
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  const unsigned count = (unsigned)LLVMGetNumOperands(gep);
  for (unsigned i = 1; i < count; i++) {
    LLVMValueRef index = LLVMGetOperand(gep, i);
    if (i == 1) {
      add_index(step, &distance, index, type);
    } else if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      const unsigned member = (unsigned)LLVMConstIntGetZExtValue(index);
      distance.bytes += (long long)LLVMOffsetOfElement(step->wide, type, member);
      type = LLVMStructGetTypeAtIndex(type, member);
    } else {
      type = LLVMGetElementType(type);
      add_index(step, &distance, index, type);
    }
  }
  return distance;
}

static LLVMValueRef bytes_constant(const struct step *step, long long bytes) {
  return LLVMConstInt(step->word, (unsigned long long)bytes, 1);
}

// The same constant, with expressions in bytes.
static LLVMValueRef narrow_constant(const struct step *step, LLVMValueRef constant) {
  if (!LLVMIsAConstantExpr(constant))
    return constant;
  LLVMTypeRef type = LLVMTypeOf(constant);
  LLVMValueRef first = LLVMGetOperand(constant, 0), made = narrow_constant(step, first);
  const LLVMOpcode opcode = LLVMGetConstOpcode(constant);
  if (opcode == LLVMGetElementPtr && (made != first || has_pointer(LLVMGetGEPSourceElementType(constant)))) {
    LLVMValueRef bytes = bytes_constant(step, distance_of(step, constant).bytes);
    return LLVMIsInBounds(constant) ? LLVMConstInBoundsGEP2(step->byte, made, &bytes, 1)
                                    : LLVMConstGEP2(step->byte, made, &bytes, 1);
  }
  LLVMValueRef second = LLVMGetNumOperands(constant) == 2 ? LLVMGetOperand(constant, 1) : NULL;
  LLVMValueRef other = second ? narrow_constant(step, second) : NULL;
  if (made == first && other == second)
    return constant;
  switch (opcode) {
    case LLVMAddrSpaceCast:
      return LLVMConstAddrSpaceCast(made, type);
    case LLVMPtrToInt:
      return LLVMConstPtrToInt(made, type);
    case LLVMIntToPtr:
      return LLVMConstIntToPtr(made, type);
    case LLVMBitCast:
      return LLVMConstBitCast(made, type);
    case LLVMTrunc:
      return LLVMConstTrunc(made, type);
    case LLVMAdd:
      return LLVMConstAdd(made, other);
    case LLVMSub:
      return LLVMConstSub(made, other);
    case LLVMXor:
      return LLVMConstXor(made, other);
    default:
      return constant;
  }
}

static void narrow_variable(const struct step *step, LLVMValueRef variable) {
  LLVMValueRef value = LLVMGetInitializer(variable);
  if (!value)
    return;
  LLVMTypeRef type = LLVMGlobalGetValueType(variable);
  LLVMValueRef in_memory = constant_in_memory(step, value);
  if (!has_pointer(type)) {
    LLVMSetInitializer(variable, in_memory);
    return;
  }
  LLVMValueRef made = LLVMAddGlobalInAddressSpace(step->module, LLVMTypeOf(in_memory), "",
                                                  LLVMGetPointerAddressSpace(LLVMTypeOf(variable)));
  const unsigned alignment = LLVMGetAlignment(variable);
  LLVMSetInitializer(made, in_memory);
  LLVMSetAlignment(made, alignment != 0 ? alignment : LLVMABIAlignmentOfType(step->wide, type));
  LLVMSetGlobalConstant(made, LLVMIsGlobalConstant(variable));
  LLVMSetLinkage(made, LLVMGetLinkage(variable));
  LLVMSetVisibility(made, LLVMGetVisibility(variable));
  LLVMSetUnnamedAddress(made, LLVMGetUnnamedAddress(variable));
  LLVMReplaceAllUsesWith(variable, made);
  size_t length;
  char *name = strdup(LLVMGetValueName2(variable, &length));
  if (!name)
    abort();
  LLVMDeleteGlobal(variable);
  LLVMSetValueName2(made, name, length);
  free(name);
}

// ---- instructions

static LLVMValueRef ahead(const struct step *step, LLVMValueRef base, unsigned long long bytes) {
  LLVMValueRef distance = bytes_constant(step, (long long)bytes);
  return bytes == 0 ? base : LLVMBuildInBoundsGEP2(step->builder, step->byte, base, &distance, 1, "");
}

static void copy_metadata(LLVMValueRef from, LLVMValueRef to) {
  size_t count;
  LLVMValueMetadataEntry *entries = LLVMInstructionGetAllMetadataOtherThanDebugLoc(from, &count);
  LLVMContextRef context =
      LLVMGetModuleContext(LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(from))));
  for (unsigned i = 0; i < count; i++)
    LLVMSetMetadata(to, LLVMValueMetadataEntriesGetKind(entries, i),
                    LLVMMetadataAsValue(context, LLVMValueMetadataEntriesGetMetadata(entries, i)));
  LLVMDisposeValueMetadataEntries(entries);
}

static void replace(LLVMValueRef old, LLVMValueRef made) {
  if (LLVMIsAInstruction(made)) {
    size_t length;
    const char *name = LLVMGetValueName2(old, &length);
    char *copy = strndup(name, length);
    if (!copy)
      abort();
    LLVMReplaceAllUsesWith(old, made);
    LLVMInstructionEraseFromParent(old);
    LLVMSetValueName2(made, copy, length);
    free(copy);
  } else {
    LLVMReplaceAllUsesWith(old, made);
    LLVMInstructionEraseFromParent(old);
  }
}

static void narrow_gep(const struct step *step, LLVMValueRef gep) {
  const struct distance distance = distance_of(step, gep);
  LLVMValueRef bytes = bytes_constant(step, distance.bytes), base = LLVMGetOperand(gep, 0);
  if (distance.value)
    bytes = distance.bytes != 0 ? LLVMBuildAdd(step->builder, distance.value, bytes, "") : distance.value;
  replace(gep, LLVMIsInBounds(gep) ? LLVMBuildInBoundsGEP2(step->builder, step->byte, base, &bytes, 1, "")
                                   : LLVMBuildGEP2(step->builder, step->byte, base, &bytes, 1, ""));
}

static void narrow_alloca(const struct step *step, LLVMValueRef variable) {
  LLVMTypeRef room = room_of(step, LLVMGetAllocatedType(variable));
  LLVMValueRef count = LLVMGetOperand(variable, 0);
  LLVMValueRef made = LLVMIsAConstantInt(count) && LLVMConstIntGetZExtValue(count) == 1
                          ? LLVMBuildAlloca(step->builder, room, "")
                          : LLVMBuildArrayAlloca(step->builder, room, count, "");
  LLVMSetAlignment(made, LLVMGetAlignment(variable));
  replace(variable, made);
}

static unsigned alignment_at(unsigned alignment, unsigned long long bytes) {
  while (alignment > 1 && bytes % alignment != 0)
    alignment /= 2;
  return alignment;
}

// A value of a type with pointers, member by member. `access` is the load or store that this is instead of.
static LLVMValueRef load_parts(const struct step *step, LLVMValueRef access, LLVMTypeRef type, LLVMValueRef from,
                               unsigned long long offset) {
  const LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind != LLVMStructTypeKind && kind != LLVMArrayTypeKind) {
    LLVMValueRef made = LLVMBuildLoad2(step->builder, type, ahead(step, from, offset), "");
    LLVMSetAlignment(made, alignment_at(LLVMGetAlignment(access), offset));
    LLVMSetVolatile(made, LLVMGetVolatile(access));
    return made;
  }
  const bool is_struct = kind == LLVMStructTypeKind;
  const unsigned count = is_struct ? LLVMCountStructElementTypes(type) : (unsigned)LLVMGetArrayLength2(type);
  LLVMValueRef whole = LLVMGetPoison(type);
  for (unsigned i = 0; i < count; i++) {
    LLVMTypeRef element = is_struct ? LLVMStructGetTypeAtIndex(type, i) : LLVMGetElementType(type);
    const unsigned long long at = is_struct ? LLVMOffsetOfElement(step->wide, type, i) : i * size_of(step, element);
    whole = LLVMBuildInsertValue(step->builder, whole, load_parts(step, access, element, from, offset + at), i, "");
  }
  return whole;
}

static void store_parts(const struct step *step, LLVMValueRef access, LLVMValueRef value, LLVMValueRef to,
                        unsigned long long offset) {
  LLVMTypeRef type = LLVMTypeOf(value);
  const LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind != LLVMStructTypeKind && kind != LLVMArrayTypeKind) {
    LLVMValueRef made = LLVMBuildStore(step->builder, value, ahead(step, to, offset));
    LLVMSetAlignment(made, alignment_at(LLVMGetAlignment(access), offset));
    LLVMSetVolatile(made, LLVMGetVolatile(access));
    if (kind == LLVMPointerTypeKind) {
      made = LLVMBuildStore(step->builder, LLVMConstNull(step->word), ahead(step, to, offset + ADDRESS_BYTES));
      LLVMSetAlignment(made, alignment_at(LLVMGetAlignment(access), offset + ADDRESS_BYTES));
      LLVMSetVolatile(made, LLVMGetVolatile(access));
    }
    return;
  }
  const bool is_struct = kind == LLVMStructTypeKind;
  const unsigned count = is_struct ? LLVMCountStructElementTypes(type) : (unsigned)LLVMGetArrayLength2(type);
  for (unsigned i = 0; i < count; i++) {
    LLVMTypeRef element = is_struct ? LLVMStructGetTypeAtIndex(type, i) : LLVMGetElementType(type);
    const unsigned long long at = is_struct ? LLVMOffsetOfElement(step->wide, type, i) : i * size_of(step, element);
    store_parts(step, access, LLVMBuildExtractValue(step->builder, value, i, ""), to, offset + at);
  }
}

// Zeros in the upper half of a pointer's room, which has the pointer's type to those who look for aliases.
static void clear_upper_half(const struct step *step, LLVMValueRef store) {
  LLVMPositionBuilderBefore(step->builder, LLVMGetNextInstruction(store));
  LLVMSetCurrentDebugLocation2(step->builder, LLVMInstructionGetDebugLoc(store));
  LLVMValueRef zeros =
      LLVMBuildStore(step->builder, LLVMConstNull(step->word), ahead(step, LLVMGetOperand(store, 1), ADDRESS_BYTES));
  LLVMSetAlignment(zeros, alignment_at(LLVMGetAlignment(store), ADDRESS_BYTES));
  LLVMSetVolatile(zeros, LLVMGetVolatile(store));
  copy_metadata(store, zeros);
}

// Copies and fills have lengths of 64 bits, which the code generator makes no calls of.
static void narrow_copy(const struct step *step, LLVMValueRef call, unsigned intrinsic) {
  LLVMTypeRef types[4];
  LLVMValueRef arguments[4];
  unsigned count = 0;
  for (unsigned i = 0; i < 4; i++) {
    arguments[i] = LLVMGetOperand(call, i);
    if (i == 2)
      arguments[i] = LLVMBuildIntCast2(step->builder, arguments[i], step->word, 0, "");
  }
  // Of a fill, the value's type is given.
  for (unsigned i = 0; i < 3; i++)
    if (i != 1 || LLVMGetTypeKind(LLVMTypeOf(arguments[1])) == LLVMPointerTypeKind)
      types[count++] = LLVMTypeOf(arguments[i]);
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(step->module, intrinsic, types, count);
  LLVMValueRef made = LLVMBuildCall2(step->builder, LLVMGlobalGetValueType(function), function, arguments, 4, "");
  for (unsigned i = 1; i <= 4; i++) {
    const unsigned number = LLVMGetCallSiteAttributeCount(call, i);
    LLVMAttributeRef *attributes = allocated(number, sizeof *attributes);
    LLVMGetCallSiteAttributes(call, i, attributes);
    for (unsigned j = 0; j < number; j++)
      LLVMAddCallSiteAttribute(made, i, attributes[j]);
    free(attributes);
  }
  copy_metadata(call, made);
  LLVMInstructionEraseFromParent(call);
}

static bool is_copy(LLVMValueRef call) {
  static const char *const starts[] = {"llvm.memcpy.", "llvm.memmove.", "llvm.memset."};
  LLVMValueRef callee = LLVMGetCalledValue(call);
  size_t length;
  const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
    if (strncmp(name, starts[i], strlen(starts[i])) == 0)
      return LLVMTypeOf(LLVMGetOperand(call, 2)) == LLVMInt64TypeInContext(LLVMGetTypeContext(LLVMTypeOf(call)));
  return false;
}

// Attributes that have the type of what a pointer points to.
static const char *const typed_attributes[] = {"byval", "sret"};
enum { TYPED_ATTRIBUTES = sizeof typed_attributes / sizeof *typed_attributes };

static LLVMAttributeRef narrow_attribute(const struct step *step, LLVMAttributeRef attribute, unsigned kind) {
  LLVMTypeRef type = attribute ? LLVMGetTypeAttributeValue(attribute) : NULL;
  return type && has_pointer(type) ? LLVMCreateTypeAttribute(step->context, kind, room_of(step, type)) : NULL;
}

static void narrow_attributes(const struct step *step, LLVMValueRef function, LLVMValueRef call, unsigned parameters) {
  for (unsigned k = 0; k < TYPED_ATTRIBUTES; k++) {
    const unsigned kind = LLVMGetEnumAttributeKindForName(typed_attributes[k], strlen(typed_attributes[k]));
    for (unsigned i = 1; i <= parameters; i++) {
      LLVMAttributeRef attribute = narrow_attribute(
          step, call ? LLVMGetCallSiteEnumAttribute(call, i, kind) : LLVMGetEnumAttributeAtIndex(function, i, kind),
          kind);
      if (attribute && call) {
        LLVMRemoveCallSiteEnumAttribute(call, i, kind);
        LLVMAddCallSiteAttribute(call, i, attribute);
      } else if (attribute) {
        LLVMRemoveEnumAttributeAtIndex(function, i, kind);
        LLVMAddAttributeAtIndex(function, i, attribute);
      }
    }
  }
}

static void narrow_operands(const struct step *step, LLVMValueRef instruction) {
  const unsigned count = (unsigned)LLVMGetNumOperands(instruction);
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef operand = LLVMGetOperand(instruction, i);
    LLVMValueRef made = operand && LLVMIsAConstantExpr(operand) ? narrow_constant(step, operand) : operand;
    if (made != operand)
      LLVMSetOperand(instruction, i, made);
  }
}

static void narrow_instruction(const struct step *step, LLVMValueRef instruction) {
  narrow_operands(step, instruction);
  LLVMPositionBuilderBefore(step->builder, instruction);
  LLVMSetCurrentDebugLocation2(step->builder, LLVMInstructionGetDebugLoc(instruction));
  LLVMTypeRef type = LLVMTypeOf(instruction);
  switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMGetElementPtr:
      if (has_pointer(LLVMGetGEPSourceElementType(instruction)))
        narrow_gep(step, instruction);
      break;
    case LLVMAlloca:
      if (has_pointer(LLVMGetAllocatedType(instruction)))
        narrow_alloca(step, instruction);
      break;
    case LLVMLoad:
      if (LLVMGetTypeKind(type) != LLVMPointerTypeKind && has_pointer(type))
        replace(instruction, load_parts(step, instruction, type, LLVMGetOperand(instruction, 0), 0));
      break;
    case LLVMStore:
      type = LLVMTypeOf(LLVMGetOperand(instruction, 0));
      if (LLVMGetTypeKind(type) == LLVMPointerTypeKind) {
        clear_upper_half(step, instruction);
      } else if (has_pointer(type)) {
        store_parts(step, instruction, LLVMGetOperand(instruction, 0), LLVMGetOperand(instruction, 1), 0);
        LLVMInstructionEraseFromParent(instruction);
      }
      break;
    case LLVMCall:
    case LLVMInvoke:
      if (LLVMIsACallInst(instruction) && is_copy(instruction))
        narrow_copy(step, instruction, LLVMGetIntrinsicID(LLVMGetCalledValue(instruction)));
      else
        narrow_attributes(step, NULL, instruction, LLVMGetNumArgOperands(instruction));
      break;
    default:
      break;
  }
}

bool addresses_are_wide(LLVMModuleRef module) {
  return strncmp(LLVMGetTarget(module), "spir64", strlen("spir64")) == 0;
}

void addresses_make_narrow(LLVMModuleRef module) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  struct step step = {.module = module,
                      .context = context,
                      .wide = LLVMCreateTargetData(LLVMGetDataLayoutStr(module)),
                      .builder = LLVMCreateBuilderInContext(context),
                      .byte = LLVMInt8TypeInContext(context),
                      .word = LLVMInt32TypeInContext(context)};
  // With the layout that it is to have: the sizes of constants are asked for below.
  LLVMSetDataLayout(module, NARROW_LAYOUT);
  LLVMSetTarget(module, NARROW_TRIPLE);
  // Those that are made come behind the last.
  LLVMValueRef last = LLVMGetLastGlobal(module);
  for (LLVMValueRef variable = LLVMGetFirstGlobal(module), next; variable; variable = next) {
    next = variable == last ? NULL : LLVMGetNextGlobal(variable);
    narrow_variable(&step, variable);
  }
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    narrow_attributes(&step, f, NULL, LLVMCountParams(f));
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block)) {
      for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at; at = next) {
        next = LLVMGetNextInstruction(at);
        narrow_instruction(&step, at);
      }
    }
  }
  LLVMDisposeBuilder(step.builder);
  LLVMDisposeTargetData(step.wide);
}
