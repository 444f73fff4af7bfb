// SPDX-License-Identifier: Apache-2.0
// The device keeps memory in order for everybody, so kernels need neither fences nor other instructions for atomic
// loads and stores than for plain ones. Who looks for races does (checks.h).
#include "hls/checks.h"

#include <llvm-c/DebugInfo.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "contract/check.h"
#include "contract/device_map.h"
#include "hls/address_spaces.h"
#include "hls/ir.h"

enum { MOST_WORD_BITS = 32 };

static bool is_word(LLVMTypeRef type) {
  const LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind == LLVMFloatTypeKind || kind == LLVMPointerTypeKind ||
         (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == MOST_WORD_BITS);
}

static LLVMValueRef as_type(LLVMBuilderRef builder, LLVMValueRef word, LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
    case LLVMPointerTypeKind:
      return LLVMBuildIntToPtr(builder, word, type, "");
    case LLVMFloatTypeKind:
      return LLVMBuildBitCast(builder, word, type, "");
    default:
      return word;
  }
}

static LLVMValueRef as_word(LLVMBuilderRef builder, LLVMValueRef value, LLVMTypeRef word) {
  switch (LLVMGetTypeKind(LLVMTypeOf(value))) {
    case LLVMPointerTypeKind:
      return LLVMBuildPtrToInt(builder, value, word, "");
    case LLVMFloatTypeKind:
      return LLVMBuildBitCast(builder, value, word, "");
    default:
      return value;
  }
}

// An atomic load is an or with 0, an atomic store an exchange. Volatile: else optimisation would make them what they
// were. That of a volatile access has both aq and rl, which no other has.
static void replace_access(LLVMValueRef access, LLVMBuilderRef builder) {
  const bool is_load = LLVMIsALoadInst(access);
  LLVMTypeRef type = is_load ? LLVMTypeOf(access) : LLVMTypeOf(LLVMGetOperand(access, 0));
  if (!is_word(type))
    return;
  LLVMTypeRef word = LLVMInt32TypeInContext(LLVMGetTypeContext(type));
  LLVMPositionBuilderBefore(builder, access);
  LLVMValueRef value = is_load ? LLVMConstInt(word, 0, 0) : as_word(builder, LLVMGetOperand(access, 0), word);
  LLVMValueRef pointer = LLVMGetOperand(access, is_load ? 0 : 1);
  const bool is_atomic = LLVMGetOrdering(access) != LLVMAtomicOrderingNotAtomic;
  LLVMValueRef amo =
      LLVMBuildAtomicRMW(builder, is_load ? LLVMAtomicRMWBinOpOr : LLVMAtomicRMWBinOpXchg, pointer, value,
                         is_atomic ? LLVMAtomicOrderingMonotonic : LLVMAtomicOrderingAcquireRelease, 0);
  LLVMSetVolatile(amo, 1);
  if (is_load)
    LLVMReplaceAllUsesWith(access, as_type(builder, amo, type));
  LLVMInstructionEraseFromParent(access);
}

// The flags of a barrier: which memory it orders. Before its call stands lui to x0 with them.
static void show_flags(LLVMValueRef call, LLVMBuilderRef builder) {
  static const char *const names[] = {"barrier", "work_group_barrier", "sub_group_barrier"};
  static const char constraints[] = "~{memory}";
  LLVMValueRef function = ir_callee(call);
  LLVMValueRef flags = function && LLVMGetNumArgOperands(call) > 0 ? LLVMIsAConstantInt(LLVMGetOperand(call, 0)) : NULL;
  char text[32];
  int length;
  if (!flags)
    return;
  const char *name = ir_source_name(function, &length);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if ((size_t)length != strlen(names[i]) || memcmp(name, names[i], (size_t)length) != 0)
      continue;
    const int bytes = snprintf(text, sizeof text, "lui zero, %u",
                               HEDDLE_CHECK_FLAGS | ((unsigned)LLVMConstIntGetZExtValue(flags) & 3));
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(LLVMGetTypeContext(LLVMTypeOf(flags))), NULL, 0, 0);
    LLVMPositionBuilderBefore(builder, call);
    LLVMBuildCall2(builder, type,
                   LLVMGetInlineAsm(type, text, (size_t)bytes, constraints, sizeof constraints - 1, 1, 0,
                                    LLVMInlineAsmDialectATT, 0),
                   NULL, 0, "");
  }
}

static void replace_fence(LLVMValueRef call, LLVMBuilderRef builder) {
  static const char text[] = "fence", constraints[] = "~{memory}";
  LLVMTypeRef type = LLVMGetCalledFunctionType(call);
  LLVMValueRef fence = LLVMGetInlineAsm(type, text, sizeof text - 1, constraints, sizeof constraints - 1, 1, 0,
                                        LLVMInlineAsmDialectATT, 0);
  LLVMPositionBuilderBefore(builder, call);
  LLVMBuildCall2(builder, type, fence, NULL, 0, "");
  LLVMInstructionEraseFromParent(call);
}

// Programs that are older than atomics of OpenCL C 2.0 wait for each other by volatile variables.
static bool is_for_others(LLVMValueRef instruction) {
  return (LLVMIsALoadInst(instruction) || LLVMIsAStoreInst(instruction)) &&
         (LLVMGetOrdering(instruction) != LLVMAtomicOrderingNotAtomic ||
          (LLVMGetVolatile(instruction) && LLVMGetAlignment(instruction) >= 4));
}

void checks_show_orders(LLVMModuleRef module) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block)) {
      for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at; at = next) {
        next = LLVMGetNextInstruction(at);
        if (is_for_others(at))
          replace_access(at, builder);
        else if (ir_is_memory_assembly(at, ""))  // what holds the compiler alone
          replace_fence(at, builder);
        else
          show_flags(at, builder);
      }
    }
  }
  LLVMDisposeBuilder(builder);
}

void checks_announce(LLVMModuleRef module, bool are_made) {
  LLVMValueRef flag = LLVMGetNamedGlobal(module, "__heddle_is_checked");
  if (flag) {
    LLVMSetInitializer(flag, LLVMConstInt(LLVMGlobalGetValueType(flag), are_made, 0));
    LLVMSetGlobalConstant(flag, 1);
    LLVMSetLinkage(flag, LLVMInternalLinkage);
  }
}

// Functions of the library that tell about the program: what they read and write is its own, or they are misused.
static bool is_about_program(LLVMValueRef function) {
  static const char *const begins[] = {"async_work_group_",
                                       "__reserve_",
                                       "__sub_group_reserve_",
                                       "__work_group_reserve_",
                                       "__commit_",
                                       "__sub_group_commit_",
                                       "__work_group_commit_",
                                       "__enqueue_kernel_",
                                       "enqueue_marker",
                                       "retain_event",
                                       "release_event",
                                       "set_user_event_status",
                                       "capture_event_profiling_info"};
  int length;
  const char *name = ir_source_name(function, &length);
  for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
    if (strncmp(name, begins[i], strlen(begins[i])) == 0)
      return true;
  return false;
}

// As a part of their callers they have a line of the program's source.
void checks_inline_library(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f) || !is_about_program(f))
      continue;
    ir_remove_attribute(f, "noinline");
    ir_remove_attribute(f, "optnone");
    ir_add_attribute(f, "alwaysinline");
  }
}

// ---- variables that nobody has written
//
// Optimisation makes what it likes of their values. So from the begin of its life on, such a variable has a value that
// is opaque to the compiler and that the checker knows. Where the variable is written first, the value goes. Functions
// of the program have debug information, the library's have none.

static bool is_of_program(LLVMValueRef function) {
  return LLVMGetSubprogram(function);
}

// Variables that nobody has written: their numbers, and what is said of the one at hand.
struct unwritten {
  unsigned number;
  bool is_member;
};

static LLVMValueRef build_unwritten_word(LLVMBuilderRef builder, LLVMTypeRef word, struct unwritten *unwritten) {
  static const char constraints[] = "=r";
  const unsigned says = HEDDLE_CHECK_FLAGS | HEDDLE_CHECK_UNWRITTEN_VARIABLE |
                        (unwritten->is_member ? HEDDLE_CHECK_MEMBER : 0) | unwritten->number++ % HEDDLE_CHECK_MEMBER;
  char text[64];
  LLVMTypeRef type = LLVMFunctionType(word, NULL, 0, 0);
  // By its number one is not taken for another.
  const int length = snprintf(text, sizeof text, "li $0, 0\n\tlui zero, %u", says);
  return LLVMBuildCall2(builder, type,
                        LLVMGetInlineAsm(type, text, (size_t)length, constraints, sizeof constraints - 1, 0, 0,
                                         LLVMInlineAsmDialectATT, 0),
                        NULL, 0, "");
}

// NULL: of another kind of type.
static LLVMValueRef build_unwritten(LLVMBuilderRef builder, LLVMTypeRef type, struct unwritten *unwritten) {
  LLVMContextRef context = LLVMGetTypeContext(type);
  LLVMTypeRef word = LLVMInt32TypeInContext(context), two_words = LLVMInt64TypeInContext(context);
  LLVMValueRef value;
  switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
      if (LLVMGetIntTypeWidth(type) > 2 * MOST_WORD_BITS)
        return NULL;
      value = build_unwritten_word(builder, word, unwritten);
      if (LLVMGetIntTypeWidth(type) <= MOST_WORD_BITS)
        return LLVMBuildIntCast2(builder, value, type, 0, "");
      value = LLVMBuildShl(builder, LLVMBuildZExt(builder, value, two_words, ""),
                           LLVMConstInt(two_words, MOST_WORD_BITS, 0), "");
      value = LLVMBuildOr(builder, value,
                          LLVMBuildZExt(builder, build_unwritten_word(builder, word, unwritten), two_words, ""), "");
      return LLVMBuildIntCast2(builder, value, type, 0, "");
    case LLVMHalfTypeKind:
      return LLVMBuildBitCast(builder, build_unwritten(builder, LLVMInt16TypeInContext(context), unwritten), type, "");
    case LLVMFloatTypeKind:
      return LLVMBuildBitCast(builder, build_unwritten_word(builder, word, unwritten), type, "");
    case LLVMDoubleTypeKind:
      return LLVMBuildBitCast(builder, build_unwritten(builder, two_words, unwritten), type, "");
    case LLVMPointerTypeKind:
      return LLVMBuildIntToPtr(builder, build_unwritten_word(builder, word, unwritten), type, "");
    case LLVMVectorTypeKind:
      value = LLVMGetPoison(type);
      for (unsigned i = 0; value && i < LLVMGetVectorSize(type); i++) {
        LLVMValueRef element = build_unwritten(builder, LLVMGetElementType(type), unwritten);
        value = element ? LLVMBuildInsertElement(builder, value, element, LLVMConstInt(word, i, 0), "") : NULL;
      }
      return value;
    default:
      return NULL;
  }
}

// Members and elements are stored one by one, so that what lies between them is not.
static void store_unwritten(LLVMBuilderRef builder, LLVMValueRef pointer, LLVMTypeRef type,
                            struct unwritten *unwritten) {
  LLVMTypeRef word = LLVMInt32TypeInContext(LLVMGetTypeContext(type));
  const bool is_struct = LLVMGetTypeKind(type) == LLVMStructTypeKind;
  if (!is_struct && LLVMGetTypeKind(type) != LLVMArrayTypeKind) {
    LLVMValueRef value = build_unwritten(builder, type, unwritten);
    if (value)
      LLVMBuildStore(builder, value, pointer);
    return;
  }
  struct unwritten member = {unwritten->number, unwritten->is_member || is_struct};
  const unsigned count = is_struct ? LLVMCountStructElementTypes(type) : (unsigned)LLVMGetArrayLength2(type);
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef indices[] = {LLVMConstInt(word, 0, 0), LLVMConstInt(word, i, 0)};
    store_unwritten(builder, LLVMBuildGEP2(builder, type, pointer, indices, 2, ""),
                    is_struct ? LLVMStructGetTypeAtIndex(type, i) : LLVMGetElementType(type), &member);
  }
  unwritten->number = member.number;
}

// The variable whose life begins with an instruction; NULL: none. Larger ones stay in memory as a rule, where the
// checker sees who writes them.
static LLVMValueRef variable_begun(LLVMValueRef instruction, LLVMTargetDataRef layout) {
  enum { MOST_BYTES = 64 };
  if (!ir_calls(instruction, "llvm.lifetime.start."))
    return NULL;
  LLVMValueRef variable = LLVMGetOperand(instruction, (unsigned)LLVMGetNumArgOperands(instruction) - 1);
  if (!LLVMIsAAllocaInst(variable) || !LLVMIsAConstantInt(LLVMGetOperand(variable, 0)) ||
      LLVMConstIntGetZExtValue(LLVMGetOperand(variable, 0)) != 1)
    return NULL;
  return LLVMABISizeOfType(layout, LLVMGetAllocatedType(variable)) <= MOST_BYTES ? variable : NULL;
}

void checks_show_unwritten(LLVMModuleRef module, LLVMTargetDataRef layout) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  struct unwritten unwritten = {0};
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (!is_of_program(f))
      continue;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block)) {
      for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at; at = next) {
        LLVMValueRef variable = variable_begun(at, layout);
        next = LLVMGetNextInstruction(at);
        if (!variable)
          continue;
        LLVMPositionBuilderBefore(builder, next);
        LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(at));
        store_unwritten(builder, variable, LLVMGetAllocatedType(variable), &unwritten);
      }
    }
  }
  LLVMDisposeBuilder(builder);
}

// ---- variables of the program's scope

#define OF_PROGRAM "heddle.program"

static bool is_used_by_program(LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAInstruction(user) ? is_of_program(LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)))
                                 : LLVMIsAConstantExpr(user) && is_used_by_program(user))
      return true;
  }
  return false;
}

// What clang makes for itself, as strings and blocks, has a name that begins with a point or underscores.
static bool is_programs(LLVMValueRef global) {
  enum { GLOBAL = 1, CONSTANT = 2 };
  size_t length;
  const char *name = LLVMGetValueName2(global, &length);
  const unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(global));
  return (space == GLOBAL || space == CONSTANT) && name[0] != '.' && strncmp(name, "__", 2) != 0 &&
         is_used_by_program(global);
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

void checks_know_variables(LLVMModuleRef module) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == LOCAL_ADDRESS_SPACE && !LLVMIsDeclaration(g))
      keep_whole(g);
    if (is_programs(g))
      LLVMGlobalSetMetadata(g, LLVMGetMDKindIDInContext(context, OF_PROGRAM, sizeof OF_PROGRAM - 1),
                            LLVMMDNodeInContext2(context, NULL, 0));
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

// The first place of a function behind the variables on its stack.
static LLVMValueRef first_behind_allocas(LLVMValueRef function) {
  LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)), behind = at;
  for (; at; at = LLVMGetNextInstruction(at))
    if (LLVMIsAAllocaInst(at))
      behind = LLVMGetNextInstruction(at);
  return behind;
}

// The address with its mark. Without side effects: where nobody uses it, it goes.
static LLVMValueRef build_mark(LLVMBuilderRef builder, LLVMValueRef address, unsigned says) {
  static const char constraints[] = "=r,r";
  char text[64];
  LLVMTypeRef pointer = LLVMTypeOf(address);
  LLVMTypeRef type = LLVMFunctionType(pointer, &pointer, 1, 0);
  const int length = snprintf(text, sizeof text, "mv $0, $1\n\tlui zero, %u", says);
  LLVMValueRef mark = LLVMGetInlineAsm(type, text, (size_t)length, constraints, sizeof constraints - 1, 0, 0,
                                       LLVMInlineAsmDialectATT, 0);
  return LLVMBuildCall2(builder, type, mark, &address, 1, "");
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

// Makes all instructions of a function but the mark itself use the marked address. Lifetimes are told of the variable
// itself.
static void use_mark(LLVMBuilderRef builder, LLVMValueRef function, LLVMValueRef variable, LLVMValueRef marked) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
      const unsigned count = at == marked || ir_calls(at, "llvm.lifetime.") ? 0 : (unsigned)LLVMGetNumOperands(at);
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
  LLVMValueRef place = first_behind_allocas(function);
  if (!place || bytes == 0 || bytes >= (flags != 0 ? HEDDLE_CHECK_UNWRITTEN_VARIABLE : HEDDLE_CHECK_FLAGS))
    return;
  LLVMPositionBuilderBefore(builder, place);
  LLVMSetCurrentDebugLocation2(builder, NULL);
  use_mark(builder, function, variable, build_mark(builder, variable, flags | (unsigned)bytes));
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

void checks_mark_variables(LLVMModuleRef module, LLVMTargetDataRef layout) {
  let_go(module);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f))
      continue;
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
      if (LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == LOCAL_ADDRESS_SPACE || is_known(g))
        mark_variable(builder, f, g, LLVMABISizeOfType(layout, LLVMGlobalGetValueType(g)));
    mark_stack(builder, f, layout);
  }
  LLVMDisposeBuilder(builder);
}
