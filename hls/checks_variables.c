// SPDX-License-Identifier: Apache-2.0
// The bounds of variables (checks.h). The checker hears of each address that is taken which variable it is of, and how
// many bytes that has.
#include <llvm-c/DebugInfo.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract/check.h"
#include "contract/device_map.h"
#include "hls/address_spaces.h"
#include "hls/checks.h"
#include "hls/ir.h"

// ---- variables of the program's scope

#define OF_PROGRAM "heddle.program"

static bool is_used_by_program(LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAInstruction(user) ? checks_are_of_program(LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)))
                                 : LLVMIsAConstantExpr(user) && is_used_by_program(user))
      return true;
  }
  return false;
}

// What clang makes for itself, as blocks, has a name that begins with a point or underscores. So have strings, which a
// program may index.
static bool is_programs(LLVMValueRef global) {
  enum { GLOBAL = 1, CONSTANT = 2 };
  static const char string[] = ".str";
  size_t length;
  const char *name = LLVMGetValueName2(global, &length);
  const unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(global));
  const bool is_clangs = name[0] == '.' ? strncmp(name, string, sizeof string - 1) != 0 : strncmp(name, "__", 2) == 0;
  return (space == GLOBAL || space == CONSTANT) && !is_clangs && is_used_by_program(global);
}

// One in local memory stays whole: of its parts, which the optimiser makes variables of, nobody knows where they were.
// Nothing is optimised away of what others may see.
static void keep_whole(LLVMValueRef global) {
  if (LLVMGetLinkage(global) == LLVMInternalLinkage && is_used_by_program(global)) {
    LLVMSetLinkage(global, LLVMExternalLinkage);
    LLVMSetVisibility(global, LLVMHiddenVisibility);
  }
}

// As they were; those that nobody uses any longer go.
static void let_go(LLVMModuleRef module) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(module), next; g; g = next) {
    next = LLVMGetNextGlobal(g);
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(g)) != LOCAL_ADDRESS_SPACE || LLVMIsDeclaration(g))
      continue;
    if (!LLVMGetFirstUse(g)) {
      LLVMDeleteGlobal(g);
      continue;
    }
    LLVMSetVisibility(g, LLVMDefaultVisibility);
    LLVMSetLinkage(g, LLVMInternalLinkage);
  }
}

static bool is_known(LLVMValueRef global) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(global));
  const unsigned kind = LLVMGetMDKindIDInContext(context, OF_PROGRAM, sizeof OF_PROGRAM - 1);
  size_t count;
  LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(global, &count);
  bool is_there = false;
  for (unsigned i = 0; i < count; i++)
    is_there = is_there || LLVMValueMetadataEntriesGetKind(entries, i) == kind;
  LLVMDisposeValueMetadataEntries(entries);
  return is_there;
}

// ---- addresses of variables

#define MARK "mv $0, $1\n\tlui zero, "

static LLVMValueRef build_mark(LLVMBuilderRef builder, LLVMValueRef value, const char *text) {
  static const char constraints[] = "=r,r";
  // Without these nothing would go that is not used: neither the mark nor the load of what it marks.
  static const char *const attributes[] = {"memory", "nounwind", "willreturn"};
  LLVMTypeRef its = LLVMTypeOf(value);
  LLVMTypeRef type = LLVMFunctionType(its, &its, 1, 0);
  LLVMValueRef mark =
      LLVMGetInlineAsm(type, text, strlen(text), constraints, sizeof constraints - 1, 0, 0, LLVMInlineAsmDialectATT, 0);
  LLVMValueRef call = LLVMBuildCall2(builder, type, mark, &value, 1, "");
  for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
    LLVMAddCallSiteAttribute(
        call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
        LLVMCreateEnumAttribute(LLVMGetTypeContext(its),
                                LLVMGetEnumAttributeKindForName(attributes[i], strlen(attributes[i])), 0));
  return call;
}

LLVMValueRef checks_build_mark(LLVMBuilderRef builder, LLVMValueRef value, unsigned says) {
  char text[64];
  snprintf(text, sizeof text, MARK "%u", says);
  return build_mark(builder, value, text);
}

LLVMValueRef checks_build_marks(LLVMBuilderRef builder, LLVMValueRef value, unsigned says, unsigned number) {
  char text[96];
  snprintf(text, sizeof text, MARK "%u\n\tlui zero, %u", says, number);
  return build_mark(builder, value, text);
}

// Says where the life of a variable in memory begins: from there on nobody has written it.
static void build_begin(LLVMBuilderRef builder, LLVMValueRef variable, unsigned bytes) {
  static const char constraints[] = "=r,r,~{memory}";
  char text[96];
  LLVMTypeRef pointer = LLVMTypeOf(variable);
  LLVMTypeRef type = LLVMFunctionType(pointer, &pointer, 1, 0);
  const int length = snprintf(text, sizeof text, MARK "%u\n\tlui zero, %u", bytes,
                              (unsigned)(HEDDLE_CHECK_FLAGS | HEDDLE_CHECK_BEGINS));
  LLVMBuildCall2(builder, type,
                 LLVMGetInlineAsm(type, text, (size_t)length, constraints, sizeof constraints - 1, 1, 0,
                                  LLVMInlineAsmDialectATT, 0),
                 &variable, 1, "");
}

// What a constant becomes when `variable`, from which it is made, is `marked` in its place; NULL: it is not made of it,
// or in a way that is left as it is.
static LLVMValueRef remade(LLVMBuilderRef builder, LLVMValueRef value, LLVMValueRef variable, LLVMValueRef marked) {
  enum { MOST_INDICES = 8 };
  if (value == variable)
    return marked;
  if (!LLVMIsAConstantExpr(value))
    return NULL;
  LLVMValueRef base = remade(builder, LLVMGetOperand(value, 0), variable, marked), indices[MOST_INDICES];
  const unsigned count = (unsigned)LLVMGetNumOperands(value) - 1;
  if (!base || count > MOST_INDICES)
    return NULL;
  for (unsigned i = 0; i < count; i++)
    indices[i] = LLVMGetOperand(value, i + 1);
  switch (LLVMGetConstOpcode(value)) {
    case LLVMGetElementPtr:
      return LLVMBuildGEP2(builder, LLVMGetGEPSourceElementType(value), base, indices, count, "");
    case LLVMAddrSpaceCast:
      return LLVMBuildAddrSpaceCast(builder, base, LLVMTypeOf(value), "");
    case LLVMPtrToInt:
      return LLVMBuildPtrToInt(builder, base, LLVMTypeOf(value), "");
    default:
      return NULL;
  }
}

// Where an operand of an instruction is made: of a phi in the block that it comes from.
static void position_for(LLVMBuilderRef builder, LLVMValueRef user, unsigned operand) {
  if (LLVMIsAPHINode(user))
    LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(user, operand)));
  else
    LLVMPositionBuilderBefore(builder, user);
}

// Whether an instruction is the mark of a variable, not of a value or of the address of an access.
static bool is_mark_of_variable(LLVMValueRef instruction) {
  LLVMValueRef assembly = ir_assembly(instruction, MARK);
  size_t length;
  const char *text = assembly ? LLVMGetInlineAsmAsmString(assembly, &length) : NULL;
  if (!text || length <= sizeof MARK - 1)
    return false;
  const unsigned long says = strtoul(text + sizeof MARK - 1, NULL, 10);
  return (says & HEDDLE_CHECK_FLAGS) == 0 || (says & HEDDLE_CHECK_LIBRARY_VARIABLE) != 0;
}

// Makes all instructions of a function but marks of variables use the marked address. Lifetimes are told of the
// variable itself.
static void use_mark(LLVMBuilderRef builder, LLVMValueRef function, LLVMValueRef variable, LLVMValueRef marked) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
      const bool is_left = is_mark_of_variable(at) || ir_calls(at, "llvm.lifetime.");
      const unsigned count = is_left ? 0 : (unsigned)LLVMGetNumOperands(at);
      for (unsigned i = 0; i < count; i++) {
        LLVMValueRef operand = LLVMGetOperand(at, i);
        if (operand != variable && !LLVMIsAConstantExpr(operand))
          continue;
        position_for(builder, at, i);
        LLVMValueRef value = remade(builder, operand, variable, marked);
        if (value)
          LLVMSetOperand(at, i, value);
      }
    }
  }
}

static bool is_of_library(LLVMValueRef variable) {
  static const char prefix[] = "__heddle_library.";
  size_t length;
  return LLVMIsAGlobalVariable(variable) &&
         strncmp(LLVMGetValueName2(variable, &length), prefix, sizeof prefix - 1) == 0;
}

static void mark_variable(LLVMBuilderRef builder, LLVMValueRef function, LLVMValueRef variable, uint64_t bytes) {
  const unsigned flags = is_of_library(variable) ? HEDDLE_CHECK_FLAGS | HEDDLE_CHECK_LIBRARY_VARIABLE : 0;
  LLVMValueRef place = ir_first_behind_allocas(function);
  if (!place || bytes == 0 || bytes >= (flags != 0 ? HEDDLE_CHECK_UNWRITTEN_VARIABLE : HEDDLE_CHECK_FLAGS))
    return;
  LLVMPositionBuilderBefore(builder, place);
  LLVMSetCurrentDebugLocation2(builder, NULL);
  use_mark(builder, function, variable, checks_build_mark(builder, variable, flags | (unsigned)bytes));
}

// Functions that use a variable, some of them several times.
struct users {
  LLVMValueRef *functions;
  size_t count, room;
};

static void add_user(struct users *users, LLVMValueRef function) {
  if (users->count != 0 && users->functions[users->count - 1] == function)
    return;
  if (users->count == users->room) {
    const size_t room = users->room != 0 ? 2 * users->room : 16;
    LLVMValueRef *longer = realloc(users->functions, room * sizeof *longer);
    if (!longer)
      return;  // the variable has no bounds there
    users->functions = longer;
    users->room = room;
  }
  users->functions[users->count++] = function;
}

static void find_users(struct users *users, LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAInstruction(user))
      add_user(users, LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)));
    else if (LLVMIsAConstantExpr(user))
      find_users(users, user);
  }
}

static int compare_functions(const void *a, const void *b) {
  const uintptr_t first = (uintptr_t)*(LLVMValueRef const *)a, second = (uintptr_t)*(LLVMValueRef const *)b;
  return (first > second) - (first < second);
}

// Marks a variable where it is used. Elsewhere the mark would be a use, and the kernel take its room.
static void mark_global(LLVMBuilderRef builder, LLVMValueRef variable, LLVMTargetDataRef layout,
                        bool (*is_in_question)(LLVMValueRef function)) {
  struct users users = {0};
  const uint64_t bytes = LLVMABISizeOfType(layout, LLVMGlobalGetValueType(variable));
  find_users(&users, variable);
  if (users.count != 0)
    qsort(users.functions, users.count, sizeof *users.functions, compare_functions);
  for (size_t i = 0; i < users.count; i++)
    if ((i == 0 || users.functions[i] != users.functions[i - 1]) && is_in_question(users.functions[i]))
      mark_variable(builder, users.functions[i], variable, bytes);
  free(users.functions);
}

static void mark_stack(LLVMBuilderRef builder, LLVMValueRef function, LLVMTargetDataRef layout) {
  for (LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)), next; at; at = next) {
    next = LLVMGetNextInstruction(at);
    LLVMValueRef count = LLVMIsAAllocaInst(at) ? LLVMGetOperand(at, 0) : NULL;
    if (count && LLVMIsAConstantInt(count))
      mark_variable(builder, function, at,
                    LLVMABISizeOfType(layout, LLVMGetAllocatedType(at)) * LLVMConstIntGetZExtValue(count));
  }
}

// ---- variables that stay in memory
//
// Of an index behind an array in registers, or in constants that are known, optimisation makes nothing that could be
// found, and loops over arrays often become constant indices. So an array that is reached by an index has its address
// marked before that: what the compiler cannot look into stays as it is.

static bool has_elements(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
    case LLVMVectorTypeKind:
      return true;
    case LLVMArrayTypeKind:
      return LLVMGetArrayLength2(type) > 1 || has_elements(LLVMGetElementType(type));
    case LLVMStructTypeKind:
      for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
        if (has_elements(LLVMStructGetTypeAtIndex(type, i)))
          return true;
      return false;
    default:
      return false;
  }
}

static bool has_index(LLVMValueRef element) {
  for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(element); i++)
    if (!LLVMIsAConstantInt(LLVMGetOperand(element, i)))
      return true;
  return false;
}

// Whether an address, or one that is made of it, gets an index, or goes where it may get one.
static bool is_reached_by_index(LLVMValueRef address) {
  for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsALoadInst(user) || LLVMIsAIntrinsicInst(user) || ir_assembly(user, ""))
      continue;
    if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != address)
      continue;
    if (!LLVMIsAGetElementPtrInst(user) && !LLVMIsAAddrSpaceCastInst(user))
      return true;
    if ((LLVMIsAGetElementPtrInst(user) && has_index(user)) || is_reached_by_index(user))
      return true;
  }
  return false;
}

LLVMValueRef checks_variable_begun(LLVMValueRef instruction) {
  if (!ir_calls(instruction, "llvm.lifetime.start."))
    return NULL;
  LLVMValueRef variable = LLVMGetOperand(instruction, (unsigned)LLVMGetNumArgOperands(instruction) - 1);
  const bool is_one = LLVMIsAAllocaInst(variable) && LLVMIsAConstantInt(LLVMGetOperand(variable, 0)) &&
                      LLVMConstIntGetZExtValue(LLVMGetOperand(variable, 0)) == 1;
  return is_one ? variable : NULL;
}

bool checks_keeps(LLVMValueRef variable, LLVMTargetDataRef layout) {
  enum { MOST_BYTES = 64 };
  LLVMTypeRef type = LLVMGetAllocatedType(variable);
  return LLVMABISizeOfType(layout, type) > MOST_BYTES || (has_elements(type) && is_reached_by_index(variable));
}

static void show_begins(LLVMBuilderRef builder, LLVMValueRef variable, unsigned bytes) {
  for (LLVMUseRef use = LLVMGetFirstUse(variable), next; use; use = next) {
    LLVMValueRef begin = LLVMGetUser(use);
    next = LLVMGetNextUse(use);
    if (!checks_variable_begun(begin))
      continue;
    LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(begin));
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(begin));
    build_begin(builder, variable, bytes);
  }
}

static void keep_stack_of(LLVMBuilderRef builder, LLVMValueRef function, LLVMTargetDataRef layout) {
  for (LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)), next; at; at = next) {
    next = LLVMGetNextInstruction(at);
    LLVMValueRef count = LLVMIsAAllocaInst(at) ? LLVMGetOperand(at, 0) : NULL;
    if (!count || !LLVMIsAConstantInt(count) || LLVMConstIntGetZExtValue(count) != 1 || !checks_keeps(at, layout))
      continue;
    const uint64_t bytes = LLVMABISizeOfType(layout, LLVMGetAllocatedType(at));
    mark_variable(builder, function, at, bytes);
    if (bytes < HEDDLE_CHECK_FLAGS)
      show_begins(builder, at, (unsigned)bytes);
  }
}

void checks_keep_stack(LLVMModuleRef module, LLVMTargetDataRef layout) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && checks_are_of_program(f))
      keep_stack_of(builder, f, layout);
  LLVMDisposeBuilder(builder);
}

// ---- before optimisation, and behind it

void checks_know_variables(LLVMModuleRef module, LLVMTargetDataRef layout) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == LOCAL_ADDRESS_SPACE && !LLVMIsDeclaration(g))
      keep_whole(g);
    if (is_programs(g))
      LLVMGlobalSetMetadata(g, LLVMGetMDKindIDInContext(context, OF_PROGRAM, sizeof OF_PROGRAM - 1),
                            LLVMMDNodeInContext2(context, NULL, 0));
  }
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
    if (is_known(g) && !LLVMIsDeclaration(g) && has_elements(LLVMGlobalGetValueType(g)))
      mark_global(builder, g, layout, checks_are_of_program);
  LLVMDisposeBuilder(builder);
}

static bool is_any(LLVMValueRef function) {
  (void)function;
  return true;
}

void checks_mark_variables(LLVMModuleRef module, LLVMTargetDataRef layout) {
  let_go(module);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == LOCAL_ADDRESS_SPACE || is_known(g))
      mark_global(builder, g, layout, is_any);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f))
      mark_stack(builder, f, layout);
  LLVMDisposeBuilder(builder);
}
