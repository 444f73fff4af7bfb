// SPDX-License-Identifier: Apache-2.0
#include "hls/shift_registers.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "hls/call_graph.h"
#include "hls/ir.h"

enum {
  FEWEST = 64,          // elements of an array that is worth a ring
  MOST = 1 << 16,       // elements
  SHORTEST = 16,        // elements between two that are kept, which become a ring
  MOST_RINGS = 8,       // of an array: each takes a memory
  MOST_STEPS = 1 << 22  // instructions of a loop that is followed
};
static const char distance_mark[] = "heddle.distance";

static void *allocated(size_t bytes) {
  void *memory = calloc(1, bytes ? bytes : 1);
  if (!memory)
    abort();
  return memory;
}

// ---- arrays

static LLVMTypeRef element_of(LLVMValueRef array) {
  LLVMTypeRef type = LLVMGetAllocatedType(array);
  return LLVMGetTypeKind(type) == LLVMArrayTypeKind ? LLVMGetElementType(type) : NULL;
}

static uint64_t bytes_of(LLVMValueRef value, LLVMTypeRef type) {
  LLVMModuleRef module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(value)));
  return LLVMABISizeOfType(LLVMGetModuleDataLayout(module), type);
}

// A private array of integers or floats that has enough elements.
static bool is_long_array(LLVMValueRef at) {
  LLVMTypeRef element = LLVMIsAAllocaInst(at) ? element_of(at) : NULL;
  const LLVMTypeKind kind = element ? LLVMGetTypeKind(element) : LLVMVoidTypeKind;
  if (kind != LLVMIntegerTypeKind && kind != LLVMFloatTypeKind && kind != LLVMHalfTypeKind)
    return false;
  const uint64_t count = LLVMGetArrayLength2(LLVMGetAllocatedType(at));
  return count >= FEWEST && count <= MOST && bytes_of(at, element) <= sizeof(uint32_t);
}

static bool has_long_array(LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
      if (is_long_array(at))
        return true;
  return false;
}

// ---- loops, which are followed step by step

// What an instruction of a loop's block is in a round: a number, or an address in an array.
struct known {
  LLVMValueRef at, array;
  uint64_t value;
};

struct walk {
  LLVMBasicBlockRef block;
  struct known *known, *next;  // of this round; of phis, the next one's
  size_t count;
  unsigned phis;
  bool is_lost;  // something is not known
};

static uint64_t masked(uint64_t value, unsigned width) {
  return width < 64 ? value & (((uint64_t)1 << width) - 1) : value;
}

static int64_t signed_of(uint64_t value, unsigned width) {
  return width < 64 && (value >> (width - 1) & 1) != 0 ? (int64_t)(value | ~(((uint64_t)1 << width) - 1))
                                                       : (int64_t)value;
}

static unsigned width_of(LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 64;
}

static struct known look(struct walk *w, LLVMValueRef value) {
  if (LLVMIsAConstantInt(value) && width_of(value) <= 64)
    return (struct known){value, NULL, LLVMConstIntGetZExtValue(value)};
  if (LLVMIsAAllocaInst(value))
    return (struct known){value, value, 0};
  for (size_t i = 0; i < w->count; i++)
    if (w->known[i].at == value)
      return w->known[i];
  w->is_lost = true;
  return (struct known){0};
}

// Bytes that a getelementptr adds.
static uint64_t added(struct walk *w, LLVMValueRef at) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(at);
  uint64_t bytes = 0;
  for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(at) && !w->is_lost; i++) {
    LLVMValueRef index = LLVMGetOperand(at, i);
    if (i > 1 && LLVMGetTypeKind(type) != LLVMArrayTypeKind) {
      w->is_lost = true;
      break;
    }
    type = i > 1 ? LLVMGetElementType(type) : type;
    bytes += (uint64_t)signed_of(look(w, index).value, width_of(index)) * bytes_of(at, type);
  }
  return bytes;
}

static bool compare(LLVMIntPredicate predicate, uint64_t a, uint64_t b, unsigned width) {
  const int64_t x = signed_of(a, width), y = signed_of(b, width);
  switch (predicate) {
    case LLVMIntEQ:
      return a == b;
    case LLVMIntNE:
      return a != b;
    case LLVMIntUGT:
      return a > b;
    case LLVMIntUGE:
      return a >= b;
    case LLVMIntULT:
      return a < b;
    case LLVMIntULE:
      return a <= b;
    case LLVMIntSGT:
      return x > y;
    case LLVMIntSGE:
      return x >= y;
    case LLVMIntSLT:
      return x < y;
    default:
      return x <= y;
  }
}

static struct known compute(struct walk *w, LLVMValueRef at) {
  const struct known a = look(w, LLVMGetOperand(at, 0));
  if (LLVMIsAGetElementPtrInst(at))
    return (struct known){at, a.array, a.value + added(w, at)};
  if (LLVMIsACastInst(at)) {
    const bool is_signed = LLVMGetInstructionOpcode(at) == LLVMSExt;
    const unsigned width = width_of(LLVMGetOperand(at, 0));
    return (struct known){at, a.array, masked(is_signed ? (uint64_t)signed_of(a.value, width) : a.value, width_of(at))};
  }
  if (!LLVMIsABinaryOperator(at) && !LLVMIsAICmpInst(at)) {
    w->is_lost = true;
    return a;
  }
  const struct known b = look(w, LLVMGetOperand(at, 1));
  uint64_t value = 0;
  switch (LLVMGetInstructionOpcode(at)) {
    case LLVMAdd:
      value = a.value + b.value;
      break;
    case LLVMSub:
      value = a.value - b.value;
      break;
    case LLVMMul:
      value = a.value * b.value;
      break;
    case LLVMShl:
      value = b.value < 64 ? a.value << b.value : 0;
      break;
    case LLVMAnd:
      value = a.value & b.value;
      break;
    case LLVMOr:
      value = a.value | b.value;
      break;
    case LLVMXor:
      value = a.value ^ b.value;
      break;
    case LLVMICmp:
      value = compare(LLVMGetICmpPredicate(at), a.value, b.value, width_of(LLVMGetOperand(at, 0)));
      break;
    default:
      w->is_lost = true;
  }
  w->is_lost |= a.array || b.array;
  return (struct known){at, NULL, masked(value, width_of(at))};
}

// What a store of the loop does: to which elements, and from where.
struct moved {
  LLVMValueRef store, array;
  uint64_t first, last, step;  // bytes, in the order of the rounds
  int64_t apart;               // bytes from what is loaded to where it is stored
  bool is_fill;
  uint64_t rounds;
};

static bool is_zero(LLVMValueRef constant) {
  return LLVMIsConstant(constant) && LLVMIsNull(constant);
}

// Notes where a store goes. False: it is none of those that are looked for.
static bool note(struct walk *w, LLVMValueRef store, struct moved *moved) {
  const struct known to = look(w, LLVMGetOperand(store, 1));
  LLVMValueRef value = LLVMGetOperand(store, 0);
  if (w->is_lost || !to.array || !is_long_array(to.array) || LLVMTypeOf(value) != element_of(to.array))
    return false;
  int64_t apart = 0;
  if (LLVMIsALoadInst(value)) {
    const struct known from = look(w, LLVMGetOperand(value, 0));
    if (w->is_lost || from.array != to.array)
      return false;
    apart = (int64_t)(to.value - from.value);
  } else if (!is_zero(value)) {
    return false;
  }
  if (moved->rounds == 0)
    *moved = (struct moved){
        .store = store, .array = to.array, .first = to.value, .apart = apart, .is_fill = !LLVMIsALoadInst(value)};
  if (moved->rounds == 1)
    moved->step = to.value - moved->last;
  const bool is_regular = moved->rounds < 2 || to.value - moved->last == moved->step;
  moved->last = to.value;
  moved->rounds++;
  return is_regular && moved->array == to.array && moved->apart == apart;
}

static bool is_used_outside(LLVMBasicBlockRef block) {
  for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
    for (LLVMUseRef use = LLVMGetFirstUse(at); use; use = LLVMGetNextUse(use))
      if (LLVMGetInstructionParent(LLVMGetUser(use)) != block)
        return true;
  return false;
}

// The first values of the phis. False: one is not a number.
static bool enter(struct walk *w) {
  for (LLVMValueRef at = LLVMGetFirstInstruction(w->block); at && LLVMIsAPHINode(at); at = LLVMGetNextInstruction(at)) {
    if (LLVMCountIncoming(at) != 2 || LLVMGetTypeKind(LLVMTypeOf(at)) != LLVMIntegerTypeKind)
      return false;
    const unsigned before = LLVMGetIncomingBlock(at, 0) == w->block ? 1 : 0;
    LLVMValueRef first = LLVMGetIncomingValue(at, before);
    if (LLVMGetIncomingBlock(at, before) == w->block || !LLVMIsAConstantInt(first))
      return false;
    w->known[w->count++] = (struct known){at, NULL, LLVMConstIntGetZExtValue(first)};
  }
  w->phis = (unsigned)w->count;
  return true;
}

enum { MOST_MOVED = 8 };

// Follows a loop of one block until it ends. The number of stores that move elements, or fill; 0: it does anything
// else.
static size_t follow(struct walk *w, struct moved *moved) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(w->block);
  size_t stores = 0;
  for (uint64_t steps = 0; steps < MOST_STEPS;) {
    stores = 0;
    w->count = w->phis;
    for (LLVMValueRef at = LLVMGetFirstInstruction(w->block); at != end; at = LLVMGetNextInstruction(at), steps++) {
      if (LLVMIsAPHINode(at))
        continue;
      if (LLVMIsAStoreInst(at)) {
        if (stores == MOST_MOVED || LLVMGetVolatile(at) || !note(w, at, &moved[stores++]))
          return 0;
      } else if (LLVMIsALoadInst(at)) {
        if (LLVMGetVolatile(at))
          return 0;
      } else {
        const struct known result = compute(w, at);
        w->known[w->count++] = (struct known){at, result.array, result.value};
      }
      if (w->is_lost)
        return 0;
    }
    const bool is_true = look(w, LLVMGetCondition(end)).value != 0;
    for (unsigned i = 0; i < w->phis; i++) {
      LLVMValueRef phi = w->known[i].at;
      w->next[i] = look(w, LLVMGetIncomingValue(phi, LLVMGetIncomingBlock(phi, 0) == w->block ? 0 : 1));
      w->next[i].at = phi;
    }
    if (w->is_lost)
      return 0;
    if (LLVMGetSuccessor(end, is_true ? 0 : 1) != w->block)
      return stores;
    memcpy(w->known, w->next, w->phis * sizeof *w->known);
  }
  return 0;
}

// Whether all of it is one move or fill of neighbours, in an order in which nothing is overwritten before it is loaded.
static bool is_whole(const struct moved *moved) {
  const int64_t bytes = (int64_t)bytes_of(moved->store, element_of(moved->array)), step = (int64_t)moved->step;
  return moved->rounds >= FEWEST / 2 && (step == bytes || step == -bytes) && moved->apart % bytes == 0 &&
         (moved->is_fill || (moved->apart != 0 && (moved->apart > 0) == (step < 0)));
}

static LLVMValueRef place_in(LLVMBuilderRef builder, LLVMValueRef array, uint64_t offset) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(array));
  LLVMValueRef index = LLVMConstInt(LLVMInt32TypeInContext(context), offset, 0);
  return LLVMBuildInBoundsGEP2(builder, LLVMInt8TypeInContext(context), array, &index, 1, "");
}

static void replace(LLVMBasicBlockRef block, const struct moved *moved, size_t count) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(end));
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  for (size_t i = 0; i < count; i++) {
    const uint64_t bytes = bytes_of(moved[i].store, element_of(moved[i].array));
    const uint64_t low = moved[i].first < moved[i].last ? moved[i].first : moved[i].last;
    LLVMValueRef size = LLVMConstInt(LLVMInt32TypeInContext(context), moved[i].rounds * bytes, 0);
    LLVMPositionBuilderBefore(builder, moved[i].store);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(moved[i].store));
    LLVMValueRef to = place_in(builder, moved[i].array, low);
    if (moved[i].is_fill)
      LLVMBuildMemSet(builder, to, LLVMConstInt(LLVMInt8TypeInContext(context), 0, 0), size, (unsigned)bytes);
    else
      LLVMBuildMemMove(builder, to, (unsigned)bytes, place_in(builder, moved[i].array, low - (uint64_t)moved[i].apart),
                       (unsigned)bytes, size);
    LLVMInstructionEraseFromParent(moved[i].store);
  }
  LLVMDisposeBuilder(builder);
  // The loop is left in its first round.
  const bool when = LLVMGetSuccessor(end, 0) != block;
  LLVMSetCondition(end, LLVMConstInt(LLVMInt1TypeInContext(context), when, 0));
}

static bool take_loop(LLVMBasicBlockRef block) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
  if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end) ||
      (LLVMGetSuccessor(end, 0) == block) == (LLVMGetSuccessor(end, 1) == block) || is_used_outside(block))
    return false;
  size_t instructions = 0;
  for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
    instructions++;
  struct known *known = allocated(2 * instructions * sizeof *known);
  struct walk walk = {.block = block, .known = known, .next = known + instructions};
  struct moved moved[MOST_MOVED] = {0};
  const size_t count = enter(&walk) ? follow(&walk, moved) : 0;
  free(known);
  bool is_right = count != 0;
  for (size_t i = 0; i < count && is_right; i++) {
    is_right = is_whole(&moved[i]);
    for (size_t k = 0; k < i; k++)
      is_right = is_right && moved[k].array != moved[i].array;
  }
  if (is_right)
    replace(block, moved, count);
  return is_right;
}

static bool take_loops(LLVMValueRef function) {
  bool any = false;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    any |= LLVMGetBasicBlockTerminator(block) && take_loop(block);
  return any;
}

enum status shift_registers_find(LLVMModuleRef module, LLVMTargetMachineRef machine, bool *any) {
  static const char what[] = "shift registers";
  bool is_possible = false;
  *any = false;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    is_possible |= has_long_array(f);
  // So that small loops are one block, whose variables are values.
  const enum status status =
      is_possible ? ir_run_passes(module, machine, what,
                                  "always-inline,function(sroa,early-cse,simplifycfg,instcombine<no-verify-fixpoint>,"
                                  "loop-simplify,loop(loop-rotate),simplifycfg)")
                  : STATUS_OK;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f && is_possible && status == STATUS_OK;
       f = LLVMGetNextFunction(f))
    *any |= take_loops(f);
  return *any && status == STATUS_OK ? ir_run_passes(module, machine, what, "function(simplifycfg,adce)") : status;
}

// ---- what is done with an array

struct shift_register {
  LLVMValueRef array;
  LLVMTypeRef type;  // of an element
  uint32_t elements, bytes;
  struct reach addresses, users;
  // What calls of memmove write, and from where: all do the same.
  uint32_t first, count;
  int32_t apart;
  bool has_several_moves;  // which differ
  bool *is_kept;           // by element: it is a value
  LLVMValueRef *values;    // of such, its variable
  struct ring *rings;      // by the element that gets what a ring gives; of no length: it has none
};

// What lies between two elements that are kept.
struct ring {
  uint32_t length, from;  // elements; what goes into it
  LLVMValueRef memory, at;
};

static bool is_move(LLVMValueRef at) {
  return ir_calls(at, "llvm.memmove.p");
}

static bool is_fill(LLVMValueRef at) {
  return ir_calls(at, "llvm.memset.p");
}

// The constant distance of an address from the array, in bytes. False: it is not known.
static bool offset_of(const struct shift_register *r, LLVMValueRef address, int64_t *offset) {
  struct walk constants = {0};
  for (*offset = 0; address != r->array && !constants.is_lost; address = LLVMGetOperand(address, 0)) {
    if (!LLVMIsAGetElementPtrInst(address))
      return false;
    *offset += (int64_t)added(&constants, address);
  }
  return !constants.is_lost;
}

struct range {
  uint32_t first, count;  // elements
};

// The elements that an address and a number of bytes are. False: they are not some whole ones of the array.
static bool range_of(const struct shift_register *r, LLVMValueRef address, uint64_t bytes, struct range *range) {
  int64_t offset;
  if (!offset_of(r, address, &offset) || offset < 0 || bytes == 0 || offset % r->bytes != 0 || bytes % r->bytes != 0 ||
      (uint64_t)offset + bytes > (uint64_t)r->elements * r->bytes)
    return false;
  *range = (struct range){(uint32_t)(offset / r->bytes), (uint32_t)(bytes / r->bytes)};
  return true;
}

static LLVMValueRef address_of(LLVMValueRef access) {
  return LLVMGetOperand(access, LLVMIsALoadInst(access) ? 0 : 1);
}

static bool range_of_access(const struct shift_register *r, LLVMValueRef access, struct range *range) {
  LLVMTypeRef type = LLVMTypeOf(LLVMIsALoadInst(access) ? access : LLVMGetOperand(access, 0));
  return LLVMGetTypeKind(type) != LLVMPointerTypeKind && !LLVMGetVolatile(access) &&
         range_of(r, address_of(access), bytes_of(access, type), range) && range->count == 1;
}

static bool range_of_call(const struct shift_register *r, LLVMValueRef call, unsigned operand, struct range *range) {
  LLVMValueRef bytes = LLVMGetOperand(call, 2), is_volatile = LLVMGetOperand(call, 3);
  return LLVMIsAConstantInt(bytes) && LLVMConstIntGetZExtValue(is_volatile) == 0 &&
         range_of(r, LLVMGetOperand(call, operand), LLVMConstIntGetZExtValue(bytes), range);
}

static bool note_move(struct shift_register *r, LLVMValueRef call) {
  struct range to, from;
  if (!range_of_call(r, call, 0, &to) || !range_of_call(r, call, 1, &from))
    return false;
  const int32_t apart = (int32_t)to.first - (int32_t)from.first;
  const bool is_first = r->count == 0;
  if (is_first) {
    r->first = to.first;
    r->count = to.count;
    r->apart = apart;
  }
  r->has_several_moves = r->first != to.first || r->count != to.count || r->apart != apart;
  return apart != 0 && !r->has_several_moves;
}

// Looks at all that uses the array. False: something else does than is known here.
static bool find_users(struct shift_register *r) {
  reach_add(&r->addresses, r->array);
  for (size_t i = 0; i < r->addresses.count; i++)  // grows while it runs
    for (LLVMUseRef use = LLVMGetFirstUse(r->addresses.values[i]); use; use = LLVMGetNextUse(use)) {
      LLVMValueRef at = LLVMGetUser(use);
      struct range range;
      bool is_known = true;
      if (LLVMIsAGetElementPtrInst(at)) {
        reach_add(&r->addresses, at);
        continue;
      }
      if (LLVMIsALoadInst(at))
        is_known = range_of_access(r, at, &range);
      else if (LLVMIsAStoreInst(at))
        is_known = LLVMGetOperand(at, 0) != r->addresses.values[i] && range_of_access(r, at, &range);
      else if (is_move(at))
        is_known = note_move(r, at);
      else if (is_fill(at))
        is_known = range_of_call(r, at, 0, &range) && is_zero(LLVMGetOperand(at, 1));
      else
        is_known = ir_calls(at, "llvm.lifetime.");
      if (!is_known)
        return false;
      if (!reach_has(&r->users, at))
        reach_add(&r->users, at);
    }
  return r->count != 0;
}

// Of an element that a move writes the one that it gets; else -1.
static int64_t source_of(const struct shift_register *r, uint32_t element) {
  return element - r->first < r->count ? (int64_t)element - r->apart : -1;
}

// Whether a fill writes all of what is between two elements, or nothing of it.
static bool fills_fit(const struct shift_register *r, uint32_t element, uint32_t length) {
  for (size_t i = 0; i < r->users.count; i++) {
    struct range range;
    if (!is_fill(r->users.values[i]) || !range_of_call(r, r->users.values[i], 0, &range))
      continue;
    uint32_t inside = 0;
    for (uint32_t k = 1; k <= length; k++)
      inside += (uint32_t)((int64_t)element - (int64_t)k * r->apart) - range.first < range.count;
    if (inside != 0 && inside != length)
      return false;
  }
  return true;
}

// What is between a kept element and the next one that it gets its value from becomes a ring, if it is long; else its
// elements are kept, too.
static void choose_ring(struct shift_register *r, uint32_t element, uint32_t shortest) {
  uint32_t length = 0;
  int64_t from = source_of(r, element);
  while (from >= 0 && !r->is_kept[from] && source_of(r, (uint32_t)from) >= 0) {
    from = source_of(r, (uint32_t)from);
    length++;
  }
  if (from < 0)
    return;
  r->is_kept[from] = true;
  if (length >= shortest && fills_fit(r, element, length)) {
    r->rings[element] = (struct ring){.length = length, .from = (uint32_t)from};
    return;
  }
  for (uint32_t k = 1; k <= length; k++)
    r->is_kept[(int64_t)element - (int64_t)k * r->apart] = true;
}

// Returns the number of rings.
static unsigned choose(struct shift_register *r, uint32_t shortest) {
  unsigned rings = 0;
  memset(r->is_kept, 0, r->elements * sizeof *r->is_kept);
  memset(r->rings, 0, r->elements * sizeof *r->rings);
  for (size_t i = 0; i < r->users.count; i++) {
    LLVMValueRef at = r->users.values[i];
    struct range range;
    if ((LLVMIsALoadInst(at) || LLVMIsAStoreInst(at)) && range_of_access(r, at, &range))
      r->is_kept[range.first] = true;
  }
  // From where values come to where they go, so that a ring's source is known before the ring.
  for (uint32_t i = 0; i < r->elements; i++) {
    const uint32_t element = r->apart > 0 ? r->elements - 1 - i : i;
    if (r->is_kept[element])
      choose_ring(r, element, shortest);
    rings += r->rings[element].length != 0;
  }
  return rings;
}

// ---- instead of it

static void declare(struct shift_register *r, LLVMBuilderRef builder) {
  LLVMTypeRef word = LLVMInt32TypeInContext(LLVMGetTypeContext(r->type));
  LLVMPositionBuilderBefore(builder, r->array);
  for (uint32_t i = 0; i < r->elements; i++) {
    if (r->is_kept[i])
      r->values[i] = LLVMBuildAlloca(builder, r->type, "");
    if (r->rings[i].length == 0)
      continue;
    r->rings[i].memory = LLVMBuildAlloca(builder, LLVMArrayType2(r->type, r->rings[i].length), "ring");
    r->rings[i].at = LLVMBuildAlloca(builder, word, "");
  }
  LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(r->array));
  for (uint32_t i = 0; i < r->elements; i++)
    if (r->rings[i].length != 0)
      LLVMBuildStore(builder, LLVMConstInt(word, 0, 0), r->rings[i].at);
}

void shift_registers_mark_distance(LLVMValueRef access, uint32_t distance) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(access));
  LLVMMetadataRef number = LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(context), distance, 0));
  LLVMSetMetadata(access, LLVMGetMDKindIDInContext(context, distance_mark, sizeof distance_mark - 1),
                  LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, &number, 1)));
}

unsigned shift_registers_distance(LLVMValueRef access) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(access));
  LLVMValueRef mark =
      LLVMGetMetadata(access, LLVMGetMDKindIDInContext(context, distance_mark, sizeof distance_mark - 1));
  struct ir_metadata numbers = ir_metadata_of_node(mark);
  const unsigned distance = numbers.count == 1 ? ir_metadata_number(&numbers, 0) : 0;
  ir_metadata_free(&numbers);
  return distance;
}

// What a ring gives, and in its place what goes in; the next place is the next one's.
static LLVMValueRef turn(const struct shift_register *r, const struct ring *ring, LLVMBuilderRef builder) {
  LLVMTypeRef word = LLVMInt32TypeInContext(LLVMGetTypeContext(r->type));
  LLVMValueRef at = LLVMBuildLoad2(builder, word, ring->at, "");
  LLVMValueRef indices[] = {LLVMConstInt(word, 0, 0), at};
  LLVMValueRef place =
      LLVMBuildInBoundsGEP2(builder, LLVMArrayType2(r->type, ring->length), ring->memory, indices, 2, "");
  LLVMValueRef given = LLVMBuildLoad2(builder, r->type, place, "");
  LLVMValueRef taken = LLVMBuildStore(builder, LLVMBuildLoad2(builder, r->type, r->values[ring->from], ""), place);
  shift_registers_mark_distance(given, ring->length);
  shift_registers_mark_distance(taken, ring->length);
  LLVMValueRef is_last = LLVMBuildICmp(builder, LLVMIntEQ, at, LLVMConstInt(word, ring->length - 1, 0), "");
  LLVMValueRef next = LLVMBuildAdd(builder, at, LLVMConstInt(word, 1, 0), "");
  LLVMBuildStore(builder, LLVMBuildSelect(builder, is_last, LLVMConstInt(word, 0, 0), next, ""), ring->at);
  return given;
}

static void move_values(struct shift_register *r, LLVMBuilderRef builder) {
  LLVMValueRef *moved = allocated(r->elements * sizeof *moved);
  for (uint32_t i = 0; i < r->elements; i++) {
    const int64_t from = source_of(r, i);
    if (!r->is_kept[i] || from < 0)
      continue;
    if (r->rings[i].length != 0)
      moved[i] = turn(r, &r->rings[i], builder);
    else if (r->is_kept[from])
      moved[i] = LLVMBuildLoad2(builder, r->type, r->values[from], "");
  }
  for (uint32_t i = 0; i < r->elements; i++)
    if (moved[i])
      LLVMBuildStore(builder, moved[i], r->values[i]);
  free(moved);
}

static void fill_values(struct shift_register *r, const struct range *range, LLVMBuilderRef builder) {
  LLVMContextRef context = LLVMGetTypeContext(r->type);
  for (uint32_t i = 0; i < r->elements; i++) {
    const struct ring *ring = &r->rings[i];
    if (r->is_kept[i] && i - range->first < range->count)
      LLVMBuildStore(builder, LLVMConstNull(r->type), r->values[i]);
    if (ring->length != 0 && (uint32_t)((int64_t)i - r->apart) - range->first < range->count)
      LLVMBuildMemSet(builder, ring->memory, LLVMConstInt(LLVMInt8TypeInContext(context), 0, 0),
                      LLVMConstInt(LLVMInt32TypeInContext(context), (uint64_t)ring->length * r->bytes, 0), r->bytes);
  }
}

static void rewrite(struct shift_register *r, LLVMValueRef at, LLVMBuilderRef builder) {
  struct range range;
  LLVMPositionBuilderBefore(builder, at);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(at));
  if (LLVMIsALoadInst(at) && range_of_access(r, at, &range))
    LLVMReplaceAllUsesWith(at, LLVMBuildLoad2(builder, LLVMTypeOf(at), r->values[range.first], ""));
  else if (LLVMIsAStoreInst(at) && range_of_access(r, at, &range))
    LLVMBuildStore(builder, LLVMGetOperand(at, 0), r->values[range.first]);
  else if (is_move(at))
    move_values(r, builder);
  else if (is_fill(at) && range_of_call(r, at, 0, &range))
    fill_values(r, &range, builder);
  LLVMInstructionEraseFromParent(at);
}

// ---- where it cannot be

// An access for each element, in the order in which nothing is lost, as the loop had it.
static void spread(struct shift_register *r, LLVMValueRef call, const struct range *to, const struct range *from) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(r->type));
  LLVMPositionBuilderBefore(builder, call);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(call));
  for (uint32_t i = 0; i < to->count; i++) {
    const uint32_t k = from && to->first > from->first ? to->count - 1 - i : i;
    LLVMValueRef value = LLVMConstNull(r->type);
    if (from)
      value = LLVMBuildLoad2(builder, r->type, place_in(builder, r->array, (uint64_t)(from->first + k) * r->bytes), "");
    LLVMBuildStore(builder, value, place_in(builder, r->array, (uint64_t)(to->first + k) * r->bytes));
  }
  LLVMDisposeBuilder(builder);
  LLVMInstructionEraseFromParent(call);
}

static bool spread_all(struct shift_register *r) {
  struct reach calls = {0};
  reach_add(&r->addresses, r->array);
  for (size_t i = 0; i < r->addresses.count; i++)
    for (LLVMUseRef use = LLVMGetFirstUse(r->addresses.values[i]); use; use = LLVMGetNextUse(use)) {
      LLVMValueRef at = LLVMGetUser(use);
      if (LLVMIsAGetElementPtrInst(at) && !reach_has(&r->addresses, at))
        reach_add(&r->addresses, at);
      if ((is_move(at) || is_fill(at)) && !reach_has(&calls, at))
        reach_add(&calls, at);
    }
  for (size_t i = 0; i < calls.count; i++) {
    struct range to, from;
    if (is_move(calls.values[i]) && range_of_call(r, calls.values[i], 0, &to) &&
        range_of_call(r, calls.values[i], 1, &from))
      spread(r, calls.values[i], &to, &from);
    else if (is_fill(calls.values[i]) && range_of_call(r, calls.values[i], 0, &to) &&
             is_zero(LLVMGetOperand(calls.values[i], 1)))
      spread(r, calls.values[i], &to, NULL);
  }
  const bool any = calls.count != 0;
  reach_free(&calls);
  return any;
}

static bool make(LLVMValueRef array, bool as_rings, enum shift_registers otherwise) {
  struct shift_register r = {.array = array, .type = element_of(array)};
  r.elements = (uint32_t)LLVMGetArrayLength2(LLVMGetAllocatedType(array));
  r.bytes = (uint32_t)bytes_of(array, r.type);
  r.is_kept = allocated(r.elements * sizeof *r.is_kept);
  r.values = allocated(r.elements * sizeof(LLVMValueRef));
  r.rings = allocated(r.elements * sizeof *r.rings);
  const bool is_one = as_rings && find_users(&r);
  if (is_one) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(r.type));
    for (uint32_t shortest = SHORTEST; choose(&r, shortest) > MOST_RINGS;)
      shortest *= 2;
    declare(&r, builder);
    for (size_t i = 0; i < r.users.count; i++)
      rewrite(&r, r.users.values[i], builder);
    LLVMDisposeBuilder(builder);
  }
  const bool any = is_one || ((otherwise == SHIFT_REGISTERS_SPREAD || r.has_several_moves) && spread_all(&r));
  free(r.is_kept);
  free(r.values);
  free(r.rings);
  reach_free(&r.addresses);
  reach_free(&r.users);
  return any;
}

bool shift_registers_make(LLVMValueRef kernel, bool as_rings, enum shift_registers otherwise) {
  struct reach arrays = {0};
  bool any = false;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(kernel); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
      if (is_long_array(at))
        reach_add(&arrays, at);
  for (size_t i = 0; i < arrays.count; i++)
    any |= make(arrays.values[i], as_rings, otherwise);
  reach_free(&arrays);
  return any;
}
