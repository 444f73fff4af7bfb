// SPDX-License-Identifier: Apache-2.0
// Integers wrap, so that (a + b) p = a p + b p whatever the values are. All of one block.
#include "hls/products.h"

#include <llvm-c/DebugInfo.h>
#include <stdbool.h>
#include <stddef.h>

#include "hls/ir.h"

enum { MOST = 64 };

// What is computed once, by the two values that it is computed of.
struct table {
  struct {
    LLVMValueRef first, second, value;
  } items[2 * MOST];
  size_t count;
};

static LLVMValueRef known(const struct table *table, LLVMValueRef first, LLVMValueRef second) {
  for (size_t i = 0; i < table->count; i++)
    if (table->items[i].first == first && table->items[i].second == second)
      return table->items[i].value;
  return NULL;
}

static LLVMValueRef note(struct table *table, LLVMValueRef first, LLVMValueRef second, LLVMValueRef value) {
  table->items[table->count].first = first;
  table->items[table->count].second = second;
  return table->items[table->count++].value = value;
}

// (parts[0] + parts[1]) factor
struct product {
  LLVMValueRef value, parts[2], factor;
};

static bool is_product(LLVMValueRef value, struct product *product) {
  if (LLVMGetInstructionOpcode(value) != LLVMMul || LLVMIsConstant(LLVMGetOperand(value, 1)))
    return false;
  for (unsigned i = 0; i < 2; i++) {
    LLVMValueRef sum = LLVMGetOperand(value, i);
    if (!LLVMIsAInstruction(sum) || LLVMGetInstructionOpcode(sum) != LLVMAdd || LLVMIsConstant(LLVMGetOperand(sum, 1)))
      continue;
    *product = (struct product){value, {LLVMGetOperand(sum, 0), LLVMGetOperand(sum, 1)}, LLVMGetOperand(value, 1 - i)};
    return true;
  }
  return false;
}

static size_t products_of(LLVMBasicBlockRef block, struct product *products) {
  size_t count = 0;
  for (LLVMValueRef at = LLVMGetFirstInstruction(block); at && count < MOST; at = LLVMGetNextInstruction(at))
    count += is_product(at, &products[count]);
  return count;
}

// Whether fewer multiplications are left of those with this factor.
static bool is_worth_it(const struct product *products, size_t count, LLVMValueRef factor) {
  struct table parts = {.count = 0};
  size_t of_factor = 0;
  for (size_t i = 0; i < count; i++) {
    if (products[i].factor != factor)
      continue;
    of_factor++;
    for (unsigned p = 0; p < 2; p++)
      if (!known(&parts, products[i].parts[p], NULL))
        note(&parts, products[i].parts[p], NULL, factor);
  }
  return parts.count < of_factor;
}

static LLVMValueRef part_of(LLVMBuilderRef builder, struct table *multiples, LLVMValueRef part, LLVMValueRef factor) {
  LLVMValueRef multiple = known(multiples, part, factor);
  return multiple ? multiple : note(multiples, part, factor, LLVMBuildMul(builder, part, factor, ""));
}

// A pointer plus the product: plus one part, which several may share and which is computed where the product was, plus
// the other.
static void add_to_pointer(LLVMBuilderRef builder, struct table *pointers, LLVMValueRef product, LLVMValueRef address,
                           LLVMValueRef *parts) {
  LLVMValueRef base = LLVMGetOperand(address, 0);
  LLVMTypeRef element = LLVMGetGEPSourceElementType(address);
  const bool is_of_second = known(pointers, base, parts[1]) && !known(pointers, base, parts[0]);
  LLVMValueRef shared = parts[is_of_second ? 1 : 0], other = parts[is_of_second ? 0 : 1];
  LLVMValueRef row = known(pointers, base, shared);
  LLVMPositionBuilderBefore(builder, product);
  if (!row)
    row = note(pointers, base, shared, LLVMBuildGEP2(builder, element, base, &shared, 1, ""));
  LLVMPositionBuilderBefore(builder, address);
  LLVMReplaceAllUsesWith(address, LLVMBuildGEP2(builder, element, row, &other, 1, ""));
}

static bool is_before(LLVMValueRef value, LLVMValueRef instruction) {
  if (!LLVMIsAInstruction(value) || LLVMGetInstructionParent(value) != LLVMGetInstructionParent(instruction))
    return true;
  return ir_comes_before(value, instruction);
}

// Of a pointer that is there before the product.
static bool is_index(LLVMValueRef user, LLVMValueRef value, LLVMBasicBlockRef block) {
  return LLVMIsAGetElementPtrInst(user) && LLVMGetNumIndices(user) == 1 && LLVMGetOperand(user, 1) == value &&
         LLVMGetInstructionParent(user) == block && is_before(LLVMGetOperand(user, 0), value);
}

static void split(LLVMBuilderRef builder, struct table *multiples, struct table *pointers,
                  const struct product *product, LLVMBasicBlockRef block) {
  LLVMPositionBuilderBefore(builder, product->value);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(product->value));
  LLVMValueRef parts[2];
  for (unsigned p = 0; p < 2; p++)
    parts[p] = part_of(builder, multiples, product->parts[p], product->factor);
  for (LLVMUseRef use = LLVMGetFirstUse(product->value), next; use; use = next) {
    LLVMValueRef user = LLVMGetUser(use);
    next = LLVMGetNextUse(use);
    if (!is_index(user, product->value, block) || pointers->count == 2 * MOST)
      continue;
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(user));
    add_to_pointer(builder, pointers, product->value, user, parts);
    LLVMInstructionEraseFromParent(user);
  }
  if (LLVMGetFirstUse(product->value)) {
    LLVMPositionBuilderBefore(builder, product->value);
    LLVMReplaceAllUsesWith(product->value, LLVMBuildAdd(builder, parts[0], parts[1], ""));
  }
  LLVMInstructionEraseFromParent(product->value);
}

static void share_in(void *context, LLVMBasicBlockRef block) {
  LLVMBuilderRef builder = context;
  struct product products[MOST];
  struct table multiples = {.count = 0}, pointers = {.count = 0};
  const size_t count = products_of(block, products);
  for (size_t i = 0; i < count; i++) {
    LLVMValueRef factor = products[i].factor;
    if (!factor || !is_worth_it(products, count, factor))
      continue;
    for (size_t j = i; j < count; j++) {
      // Its parts may have been products.
      if (products[j].factor != factor || !is_product(products[j].value, &products[j]))
        continue;
      split(builder, &multiples, &pointers, &products[j], block);
      products[j].factor = NULL;
    }
  }
}

void products_share(LLVMModuleRef module) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  ir_each_block(module, share_in, builder);
  LLVMDisposeBuilder(builder);
}
