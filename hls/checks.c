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

static void show_orders_in(void *context, LLVMBasicBlockRef block) {
  LLVMBuilderRef builder = context;
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

void checks_show_orders(LLVMModuleRef module) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  ir_each_block(module, show_orders_in, builder);
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
// is opaque to the compiler and that the checker knows. Where the variable is written first, the value goes.

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

// The variable whose life begins with an instruction; NULL: none. One that stays in memory needs no value: there the
// checker sees who writes it.
static LLVMValueRef variable_begun(LLVMValueRef instruction, LLVMTargetDataRef layout) {
  LLVMValueRef variable = checks_variable_begun(instruction);
  return variable && !checks_keeps(variable, layout) ? variable : NULL;
}

// Where the body of a function begins, in the source.
static LLVMMetadataRef place_of_function(LLVMValueRef function) {
  LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
  return LLVMDIBuilderCreateDebugLocation(LLVMGetModuleContext(LLVMGetGlobalParent(function)),
                                          LLVMDISubprogramGetLine(subprogram), 0, subprogram, NULL);
}

static bool has_begin(LLVMValueRef variable) {
  for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use))
    if (checks_variable_begun(LLVMGetUser(use)))
      return true;
  return false;
}

// What a function returns is in a variable whose life does not begin anywhere.
static void show_unwritten_results(LLVMBuilderRef builder, LLVMValueRef function, struct unwritten *unwritten) {
  for (LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)), next; at; at = next) {
    next = LLVMGetNextInstruction(at);
    const bool is_result = LLVMIsAAllocaInst(at) && !has_begin(at) &&
                           LLVMGetAllocatedType(at) == LLVMGetReturnType(LLVMGlobalGetValueType(function));
    if (!is_result)
      continue;
    LLVMPositionBuilderBefore(builder, ir_first_behind_allocas(function));
    LLVMSetCurrentDebugLocation2(builder, place_of_function(function));
    store_unwritten(builder, at, LLVMGetAllocatedType(at), unwritten);
  }
}

void checks_show_unwritten(LLVMModuleRef module, LLVMTargetDataRef layout) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  struct unwritten unwritten = {0};
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (!checks_are_of_program(f))
      continue;
    show_unwritten_results(builder, f, &unwritten);
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
