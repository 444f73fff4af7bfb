// SPDX-License-Identifier: Apache-2.0
// Each address in an array is the sum of a number and of values times numbers. What all of the latter are multiples of
// is the size of a structure, or of a row, and the rest of the former a field.
#include "hls/pipeline/fields.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "hls/call_graph.h"
#include "hls/ir.h"
#include "hls/pipeline/graph.h"

enum { MOST_TERMS = 8, MOST_ACCESSES = 256, MOST_STEPS = 4 };

// A value of which each one is so many bytes. In `value` the lowest bits are zeros.
struct term {
  LLVMValueRef value;
  uint32_t bytes;
  unsigned zeros;
};

struct access {
  LLVMValueRef instruction;
  struct term terms[MOST_TERMS];
  unsigned count;
  uint32_t offset, size;
  uint32_t field;  // where its field begins in the structure
  bool stays;
};

struct split {
  LLVMTargetDataRef layout;
  LLVMValueRef array;
  struct access accesses[MOST_ACCESSES];
  unsigned count;
  uint32_t stride;
  bool may_wrap;  // sums and products modulo 2 to the 32nd: they say nothing of numbers that are no power of two
};

static uint32_t common_divisor(uint32_t x, uint32_t y) {
  while (y != 0) {
    const uint32_t rest = x % y;
    x = y;
    y = rest;
  }
  return x;
}

// ---- addresses

static bool never_wraps(LLVMValueRef operation) {
  return LLVMGetNSW(operation) || LLVMGetNUW(operation);
}

static bool is_small_constant(LLVMValueRef value, uint32_t *number) {
  if (!LLVMIsAConstantInt(value) || LLVMGetIntTypeWidth(LLVMTypeOf(value)) > 32)
    return false;
  *number = (uint32_t)LLVMConstIntGetSExtValue(value);
  return true;
}

// The lowest bits that are zeros in every round, of a counter that begins with a number and to which one is added.
static unsigned zeros_of_counter(LLVMValueRef phi) {
  uint32_t bits = 0, number;
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    LLVMValueRef value = LLVMGetIncomingValue(phi, i);
    const bool is_next =
        LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == LLVMAdd && LLVMGetOperand(value, 0) == phi;
    if (!is_small_constant(is_next ? LLVMGetOperand(value, 1) : value, &number))
      return 0;
    bits |= number;
  }
  return bits == 0 ? 0 : (unsigned)__builtin_ctz(bits);
}

static bool add_term(struct access *access, LLVMValueRef value, uint32_t bytes, unsigned zeros) {
  if (access->count == MOST_TERMS || LLVMGetIntTypeWidth(LLVMTypeOf(value)) != 32)
    return false;
  access->terms[access->count++] = (struct term){value, bytes, zeros};
  return true;
}

// Adds a value of which each one is so many bytes. False: it is too long.
static bool add_index(struct split *s, struct access *access, LLVMValueRef value, uint32_t bytes, unsigned steps) {
  uint32_t number;
  if (is_small_constant(value, &number)) {
    access->offset += number * bytes;
    return true;
  }
  if (steps == 0 || !LLVMIsAInstruction(value))
    return add_term(access, value, bytes, 0);
  if (LLVMIsAPHINode(value))
    return add_term(access, value, bytes, zeros_of_counter(value));
  const LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
  if (opcode == LLVMAdd || (opcode == LLVMOr && LLVMGetIsDisjoint(value))) {
    s->may_wrap |= opcode == LLVMAdd && !never_wraps(value);
    return add_index(s, access, LLVMGetOperand(value, 0), bytes, steps - 1) &&
           add_index(s, access, LLVMGetOperand(value, 1), bytes, steps - 1);
  }
  const bool has_number = LLVMGetNumOperands(value) == 2 && is_small_constant(LLVMGetOperand(value, 1), &number);
  if (has_number && (opcode == LLVMMul || (opcode == LLVMShl && number < 32))) {
    s->may_wrap |= !never_wraps(value);
    return add_index(s, access, LLVMGetOperand(value, 0), opcode == LLVMMul ? bytes * number : bytes << number,
                     steps - 1);
  }
  if (has_number && opcode == LLVMAnd && number != 0)
    return add_term(access, value, bytes, (unsigned)__builtin_ctz(number));
  return add_term(access, value, bytes, 0);
}

// An access that is being found.
struct finding {
  struct split *split;
  struct access *access;
};

static bool visit_index(void *context, LLVMValueRef index, uint32_t bytes) {
  const struct finding *f = context;
  return add_index(f->split, f->access, index, bytes, MOST_STEPS);
}

static bool add_address(struct split *s, struct access *access, LLVMValueRef address) {
  struct finding finding = {s, access};
  while (address != s->array) {
    const unsigned before = access->count;
    if (!ir_each_index(s->layout, address, &access->offset, visit_index, &finding))
      return false;
    // A number of bytes behind what is inside the array.
    s->may_wrap |= access->count != before && !LLVMIsInBounds(address);
    address = LLVMGetOperand(address, 0);
  }
  return true;
}

// ---- an array

static bool is_of_life(LLVMValueRef user) {
  return ir_calls(user, "llvm.lifetime.");
}

static bool add_access(struct split *s, LLVMValueRef user, LLVMValueRef address) {
  const bool is_store = LLVMIsAStoreInst(user);
  if ((!is_store && !LLVMIsALoadInst(user)) || s->count == MOST_ACCESSES ||
      LLVMGetOrdering(user) != LLVMAtomicOrderingNotAtomic || (is_store && LLVMGetOperand(user, 0) == address))
    return false;
  struct access *access = &s->accesses[s->count++];
  LLVMTypeRef type = LLVMTypeOf(is_store ? LLVMGetOperand(user, 0) : user);
  *access = (struct access){.instruction = user, .size = (uint32_t)LLVMStoreSizeOfType(s->layout, type)};
  return LLVMABISizeOfType(s->layout, type) == access->size && add_address(s, access, address);
}

// All accesses of the array. False: there is something else.
static bool find_accesses(struct split *s) {
  struct reach addresses = {0};
  bool is_known = true;
  reach_add(&addresses, s->array);
  for (size_t i = 0; i < addresses.count && is_known; i++)  // grows while it runs
    for (LLVMUseRef use = LLVMGetFirstUse(addresses.values[i]); use && is_known; use = LLVMGetNextUse(use)) {
      LLVMValueRef user = LLVMGetUser(use);
      if (LLVMIsAGetElementPtrInst(user) && LLVMGetOperand(user, 0) == addresses.values[i])
        reach_add(&addresses, user);
      else
        is_known = is_of_life(user) || add_access(s, user, addresses.values[i]);
    }
  reach_free(&addresses);
  return is_known;
}

static void find_stride(struct split *s) {
  for (unsigned i = 0; i < s->count; i++)
    for (unsigned k = 0; k < s->accesses[i].count; k++) {
      const struct term *term = &s->accesses[i].terms[k];
      s->stride = common_divisor(term->bytes << term->zeros, s->stride);
    }
  if (s->may_wrap)
    s->stride &= 0 - s->stride;
}

// Fields that overlap, and are not the same, stay. Returns how many there are, where one counts for those that stay.
static unsigned find_fields(struct split *s) {
  bool stays = false;
  unsigned count = 0;
  for (unsigned i = 0; i < s->count; i++) {
    // An offset may be negative: the structure is before the one that the values choose.
    const int64_t rest = (int32_t)s->accesses[i].offset % (int64_t)s->stride;
    s->accesses[i].field = (uint32_t)(rest < 0 ? rest + s->stride : rest);
  }
  for (unsigned i = 0; i < s->count; i++) {
    struct access *x = &s->accesses[i];
    bool is_first = true;
    x->stays = x->field + x->size > s->stride;
    for (unsigned k = 0; k < s->count; k++) {
      const struct access *y = &s->accesses[k];
      const bool is_same = x->field == y->field && x->size == y->size;
      is_first &= k >= i || !is_same;
      // One that goes beyond the structure reaches the beginning of the next.
      x->stays |= y->field + y->size > s->stride ||
                  (!is_same && x->field < y->field + y->size && y->field < x->field + x->size);
    }
    count += is_first && !x->stays;
    stays |= x->stays;
  }
  return count + stays;
}

// ---- its fields

static LLVMValueRef build_index(struct split *s, LLVMBuilderRef builder, const struct access *access) {
  LLVMTypeRef type = LLVMInt32TypeInContext(LLVMGetBuilderContext(builder));
  const uint32_t number = (uint32_t)(((int64_t)(int32_t)access->offset - access->field) / s->stride);
  LLVMValueRef index = NULL;
  for (unsigned i = 0; i < access->count; i++) {
    const struct term *term = &access->terms[i];
    LLVMValueRef value = term->value;
    if (term->bytes % s->stride == 0 && term->bytes != s->stride)
      value = LLVMBuildMul(builder, value, LLVMConstInt(type, term->bytes / s->stride, 0), "");
    if (term->bytes % s->stride != 0) {
      const uint32_t shared = common_divisor(term->bytes, s->stride), lanes = s->stride / shared;
      value = LLVMBuildAShr(builder, value, LLVMConstInt(type, (unsigned)__builtin_ctz(lanes), 0), "");
      if (term->bytes != shared)
        value = LLVMBuildMul(builder, value, LLVMConstInt(type, term->bytes / shared, 0), "");
    }
    index = index ? LLVMBuildAdd(builder, index, value, "") : value;
  }
  LLVMValueRef constant = LLVMConstInt(type, number, 0);
  return !index ? constant : number != 0 ? LLVMBuildAdd(builder, index, constant, "") : index;
}

// The array of a field. What is said of the life of the one that it was in is said of it.
static LLVMValueRef build_array(struct split *s, LLVMBuilderRef builder, const struct access *access) {
  LLVMContextRef context = LLVMGetBuilderContext(builder);
  const uint64_t size = LLVMABISizeOfType(s->layout, LLVMGetAllocatedType(s->array));
  const unsigned elements = (unsigned)((size + s->stride - 1) / s->stride);
  LLVMTypeRef type = LLVMArrayType2(LLVMIntTypeInContext(context, 8 * access->size), elements);
  char name[64];
  size_t length;
  snprintf(name, sizeof name, "%.40s.%u", LLVMGetValueName2(s->array, &length), access->field);
  LLVMPositionBuilderBefore(builder, s->array);
  LLVMSetCurrentDebugLocation2(builder, NULL);
  LLVMValueRef array = LLVMBuildAlloca(builder, type, name);
  for (LLVMUseRef use = LLVMGetFirstUse(s->array); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!is_of_life(user))
      continue;
    LLVMValueRef copy = LLVMInstructionClone(user);
    for (int i = 0; i < LLVMGetNumOperands(copy); i++)
      if (LLVMGetOperand(copy, (unsigned)i) == s->array)
        LLVMSetOperand(copy, (unsigned)i, array);
    LLVMPositionBuilderBefore(builder, user);
    LLVMInsertIntoBuilder(builder, copy);
  }
  return array;
}

static void take_apart(struct split *s, LLVMBuilderRef builder) {
  for (unsigned i = 0; i < s->count; i++) {
    if (s->accesses[i].stays)
      continue;
    const struct access first = s->accesses[i];
    LLVMValueRef array = build_array(s, builder, &first);
    for (unsigned k = i; k < s->count; k++) {
      struct access *access = &s->accesses[k];
      if (access->stays || access->field != first.field || access->size != first.size)
        continue;
      LLVMPositionBuilderBefore(builder, access->instruction);
      LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(access->instruction));
      LLVMTypeRef type = LLVMIntTypeInContext(LLVMGetBuilderContext(builder), 8 * access->size);
      LLVMValueRef index = build_index(s, builder, access);
      LLVMValueRef address = LLVMBuildInBoundsGEP2(builder, type, array, &index, 1, "");
      LLVMSetOperand(access->instruction, LLVMIsAStoreInst(access->instruction) ? 1 : 0, address);
      if (LLVMGetAlignment(access->instruction) > access->size)
        LLVMSetAlignment(access->instruction, access->size);
      access->stays = true;  // it has gone where it stays
    }
  }
}

// Whether an array is of fields. `room`: so many arrays there may be more.
static bool is_of_fields(struct split *s, unsigned *room) {
  LLVMValueRef count = LLVMGetOperand(s->array, 0);
  if (!LLVMIsAConstantInt(count) || LLVMConstIntGetZExtValue(count) != 1 || !find_accesses(s) || s->count == 0)
    return false;
  find_stride(s);
  const unsigned fields = s->stride > 1 ? find_fields(s) : 1;
  if (fields <= 1 || fields - 1 > *room)
    return false;
  *room -= fields - 1;
  return true;
}

static bool take_function(LLVMBuilderRef builder, LLVMTargetDataRef layout, LLVMValueRef function) {
  struct reach arrays = {0};
  bool any = false;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
      if (LLVMIsAAllocaInst(at))
        reach_add(&arrays, at);
  unsigned room = arrays.count < MOST_ARRAYS ? MOST_ARRAYS - (unsigned)arrays.count : 0;
  struct split *s = malloc(sizeof *s);
  if (!s)
    abort();
  for (size_t i = 0; i < arrays.count; i++) {
    *s = (struct split){.layout = layout, .array = arrays.values[i]};
    if (!is_of_fields(s, &room))
      continue;
    take_apart(s, builder);
    any = true;
  }
  free(s);
  reach_free(&arrays);
  return any;
}

bool fields_take_apart(LLVMModuleRef module) {
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  bool any = false;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    any |= take_function(builder, layout, f);
  LLVMDisposeBuilder(builder);
  return any;
}
