// SPDX-License-Identifier: Apache-2.0
#include "hls/pipeline/narrow_vectors.h"

#include <stdbool.h>

#include "hls/address_spaces.h"
#include "hls/call_graph.h"
#include "hls/ir.h"

enum { WORD_BYTES = 4, MOST_BYTES = 128 };
static const char keeps_elements[] = "heddle.elements";

static bool is_access(LLVMValueRef at) {
  return (LLVMIsALoadInst(at) || LLVMIsAStoreInst(at)) && LLVMGetOrdering(at) == LLVMAtomicOrderingNotAtomic;
}

static LLVMTypeRef accessed_type(LLVMValueRef at) {
  return LLVMTypeOf(LLVMIsAStoreInst(at) ? LLVMGetOperand(at, 0) : at);
}

// Bytes of an access; what is loaded of three elements may have the fourth, too.
static unsigned long long bytes_of(LLVMTargetDataRef layout, LLVMValueRef at) {
  const unsigned long long bytes = LLVMStoreSizeOfType(layout, accessed_type(at)), align = LLVMGetAlignment(at);
  return LLVMIsALoadInst(at) && bytes < align && 4 * bytes == 3 * align ? align : bytes;
}

static bool is_of_words(LLVMTargetDataRef layout, LLVMValueRef at) {
  return bytes_of(layout, at) % WORD_BYTES == 0 && LLVMGetAlignment(at) >= WORD_BYTES;
}

// ---- arrays that keep accesses of elements

static bool makes_address(LLVMValueRef at) {
  return LLVMIsAGetElementPtrInst(at) || LLVMIsAPHINode(at) || LLVMIsASelectInst(at) || LLVMIsACastInst(at) ||
         LLVMIsAFreezeInst(at) || LLVMIsAConstantExpr(at);
}

// Marks the accesses of a variable, if one of them is narrower than a word.
static void keep_elements(LLVMTargetDataRef layout, LLVMValueRef variable) {
  struct reach addresses = {0}, accesses = {0};
  bool has_narrow = false;
  reach_add(&addresses, variable);
  for (size_t i = 0; i < addresses.count; i++)  // grows while it runs
    for (LLVMUseRef use = LLVMGetFirstUse(addresses.values[i]); use; use = LLVMGetNextUse(use)) {
      LLVMValueRef user = LLVMGetUser(use);
      if (makes_address(user) && !reach_has(&addresses, user))
        reach_add(&addresses, user);
      if (!is_access(user))
        continue;
      reach_add(&accesses, user);
      has_narrow |= !is_of_words(layout, user);
    }
  for (size_t i = 0; has_narrow && i < accesses.count; i++)
    ir_mark(accesses.values[i], keeps_elements);
  reach_free(&addresses);
  reach_free(&accesses);
}

// What is stored is what was there but for some elements: others may belong to other work-items.
static void keep_elements_around(LLVMValueRef store) {
  LLVMValueRef value = LLVMGetOperand(store, 0);
  while (LLVMIsAInsertElementInst(value) || LLVMIsAShuffleVectorInst(value)) {
    LLVMValueRef other = LLVMGetOperand(value, 1);
    value = LLVMIsAShuffleVectorInst(value) && LLVMIsALoadInst(other) ? other : LLVMGetOperand(value, 0);
  }
  if (!LLVMIsALoadInst(value) || LLVMGetOperand(value, 0) != LLVMGetOperand(store, 1))
    return;
  ir_mark(store, keeps_elements);
  ir_mark(value, keeps_elements);
}

static void find_kept(LLVMValueRef at, void *layout) {
  if (LLVMIsAAllocaInst(at))
    keep_elements(layout, at);
  else if (LLVMIsAStoreInst(at))
    keep_elements_around(at);
}

// ---- one element

static bool may_write_between(LLVMValueRef from, LLVMValueRef to) {
  while ((from = LLVMGetNextInstruction(from)) && from != to)
    if (LLVMIsAStoreInst(from) || LLVMIsACallInst(from) || LLVMIsAFenceInst(from) || LLVMIsAAtomicRMWInst(from) ||
        LLVMIsAAtomicCmpXchgInst(from))
      return true;
  return !from;
}

// The insertelement of what is loaded, changed in one element and stored again, as clang does it for `v[i] = x`; NULL.
static LLVMValueRef only_changed(LLVMValueRef store) {
  LLVMValueRef value = LLVMIsAStoreInst(store) ? LLVMGetOperand(store, 0) : NULL;
  LLVMValueRef load = value && LLVMIsAInsertElementInst(value) ? LLVMGetOperand(value, 0) : NULL;
  if (!load || !LLVMIsALoadInst(load) || LLVMGetOperand(load, 0) != LLVMGetOperand(store, 1) || !is_access(store) ||
      !is_access(load) || LLVMGetVolatile(load) || LLVMGetVolatile(store))
    return NULL;
  return may_write_between(load, store) ? NULL : value;
}

static LLVMValueRef one_element(void *context, LLVMValueRef at) {
  LLVMBuilderRef builder = context;
  LLVMValueRef change = only_changed(at);
  if (!change)
    return NULL;
  LLVMTypeRef element = LLVMTypeOf(LLVMGetOperand(change, 1));
  LLVMTargetDataRef layout =
      LLVMGetModuleDataLayout(LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(at))));
  const unsigned bytes = (unsigned)LLVMABISizeOfType(layout, element), align = LLVMGetAlignment(at);
  // Elements of a vector lie close together.
  if (LLVMSizeOfTypeInBits(layout, element) != 8ull * bytes)
    return NULL;
  LLVMValueRef index = LLVMGetOperand(change, 2);
  LLVMValueRef address = LLVMBuildInBoundsGEP2(builder, element, LLVMGetOperand(at, 1), &index, 1, "");
  LLVMValueRef store = LLVMBuildStore(builder, LLVMGetOperand(change, 1), address);
  LLVMSetAlignment(store, align < bytes ? align : bytes);
  ir_copy_access(at, store);
  return store;
}

// ---- accesses

// A vector's type as words, or as one number of 16 bits; NULL: it stays.
static LLVMTypeRef joined_type(LLVMTargetDataRef layout, LLVMValueRef at) {
  if (!is_access(at) || ir_is_marked(at, keeps_elements))
    return NULL;
  LLVMTypeRef type = accessed_type(at);
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
    return NULL;
  LLVMTypeRef element = LLVMGetElementType(type);
  const LLVMTypeKind kind = LLVMGetTypeKind(element);
  const unsigned bits = kind == LLVMHalfTypeKind ? 16 : kind == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(element) : 0;
  const unsigned long long bytes = bytes_of(layout, at);
  if ((bits != 8 && bits != 16) || bytes > MOST_BYTES)
    return NULL;
  LLVMContextRef context = LLVMGetTypeContext(type);
  if (bytes == 2 && bits == 8)
    return LLVMGetAlignment(at) >= 2 ? LLVMInt16TypeInContext(context) : NULL;
  if (!is_of_words(layout, at))
    return NULL;
  LLVMTypeRef word = LLVMInt32TypeInContext(context);
  return bytes == WORD_BYTES ? word : LLVMVectorType(word, (unsigned)(bytes / WORD_BYTES));
}

struct joining {
  LLVMBuilderRef builder;
  LLVMTargetDataRef layout;
};

// The first elements of some words.
static LLVMValueRef build_first(const struct joining *j, LLVMValueRef words, LLVMTypeRef type) {
  LLVMTypeRef element = LLVMGetElementType(type);
  const unsigned count = LLVMGetVectorSize(type);
  const unsigned there =
      (unsigned)(LLVMStoreSizeOfType(j->layout, LLVMTypeOf(words)) / LLVMStoreSizeOfType(j->layout, element));
  LLVMValueRef all = LLVMBuildBitCast(j->builder, words, LLVMVectorType(element, there), "");
  if (there == count)
    return all;
  LLVMValueRef first[MOST_BYTES];
  for (unsigned i = 0; i < count; i++)
    first[i] = LLVMConstInt(LLVMInt32TypeInContext(LLVMGetBuilderContext(j->builder)), i, 0);
  return LLVMBuildShuffleVector(j->builder, all, all, LLVMConstVector(first, count), "");
}

static LLVMValueRef joined(void *context, LLVMValueRef at) {
  const struct joining *j = context;
  LLVMTypeRef type = joined_type(j->layout, at);
  if (!type)
    return NULL;
  LLVMValueRef access, result;
  if (LLVMIsALoadInst(at)) {
    access = LLVMBuildLoad2(j->builder, type, LLVMGetOperand(at, 0), "");
    result = build_first(j, access, LLVMTypeOf(at));
  } else {
    // An element that has no value, as the fourth of three, is not to take it from its neighbours.
    LLVMValueRef value = LLVMBuildFreeze(j->builder, LLVMGetOperand(at, 0), "");
    access = LLVMBuildStore(j->builder, LLVMBuildBitCast(j->builder, value, type, ""), LLVMGetOperand(at, 1));
    result = access;
  }
  LLVMSetAlignment(access, LLVMGetAlignment(at));
  ir_copy_access(at, access);
  return result;
}

void narrow_vectors_join(LLVMModuleRef module) {
  struct joining j = {LLVMCreateBuilderInContext(LLVMGetModuleContext(module)), LLVMGetModuleDataLayout(module)};
  ir_replace_each(module, j.builder, one_element, j.builder);
  ir_each_instruction(module, find_kept, j.layout);
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == LOCAL_ADDRESS_SPACE)
      keep_elements(j.layout, g);
  ir_replace_each(module, j.builder, joined, &j);
  LLVMDisposeBuilder(j.builder);
}
