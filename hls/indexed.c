// SPDX-License-Identifier: Apache-2.0
// LLVM's code generation has no name for these instructions, so they are assembly. It keeps its place among all that
// accesses memory. Only an address that nothing else needs is left out. Not in a loop that walks by that index: there
// code generation makes a pointer of it, and offsets in the instructions.
#include "hls/indexed.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <string.h>

#include "hls/flow_graph.h"
#include "hls/ir.h"

#define OPCODE ".insn r CUSTOM_1, "

enum { MOST_ROWS = 8 };  // of one pitch: as many registers less one hold its multiples

struct place {
  LLVMBuilderRef builder;
  LLVMTargetDataRef layout;
  const struct flow_graph *graph;
  bool has_stores;
};

static bool is_in_loop(const struct flow_graph *graph, LLVMValueRef value, LLVMBasicBlockRef header) {
  return LLVMIsAInstruction(value) && flow_graph_is_in_loop(graph, LLVMGetInstructionParent(value), header);
}

// A pointer and an index, by how many bits that is shifted; false: the address is something else.
static bool split(const struct place *place, LLVMValueRef address, LLVMValueRef *base, LLVMValueRef *index,
                  unsigned *shift) {
  if (!LLVMIsAGetElementPtrInst(address) || LLVMGetNumIndices(address) != 1)
    return false;
  const unsigned long long bytes = LLVMABISizeOfType(place->layout, LLVMGetGEPSourceElementType(address));
  *base = LLVMGetOperand(address, 0);
  *index = LLVMGetOperand(address, 1);
  if (LLVMGetTypeKind(LLVMTypeOf(*index)) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(LLVMTypeOf(*index)) != 32)
    return false;
  for (*shift = 0; *shift < 4; ++*shift)
    if (bytes == 1ull << *shift)
      return !LLVMIsConstant(*index);
  return false;
}

// ---- rows

// A row of a matrix: the number of the row, `round` + `number`, times the pitch.
struct row {
  LLVMValueRef address, base, pitch, round;
  unsigned long long number;
  unsigned shift;
};

static bool is_row(const struct place *place, LLVMValueRef address, LLVMBasicBlockRef header, struct row *row) {
  LLVMValueRef index;
  *row = (struct row){.address = address};
  if (!split(place, address, &row->base, &index, &row->shift) || is_in_loop(place->graph, row->base, header) ||
      !LLVMIsAInstruction(index) || LLVMGetInstructionOpcode(index) != LLVMMul)
    return false;
  for (unsigned i = 0; i < 2; i++) {
    LLVMValueRef pitch = LLVMGetOperand(index, i), round = LLVMGetOperand(index, 1 - i);
    if (LLVMIsConstant(pitch) || is_in_loop(place->graph, pitch, header) || !is_in_loop(place->graph, round, header))
      continue;
    row->pitch = pitch;
    row->round = round;
    const bool is_sum =
        LLVMIsAInstruction(round) && (LLVMGetInstructionOpcode(round) == LLVMAdd ||
                                      (LLVMGetInstructionOpcode(round) == LLVMOr && LLVMGetIsDisjoint(round)));
    LLVMValueRef more = is_sum ? LLVMGetOperand(round, 1) : NULL;
    if (more && LLVMIsAConstantInt(more)) {
      row->round = LLVMGetOperand(round, 0);
      row->number = LLVMConstIntGetZExtValue(more);
    }
    return true;
  }
  return false;
}

// Where control comes from into a loop; NULL: there are several such places.
static LLVMBasicBlockRef entered_from(const struct flow_graph *graph, LLVMBasicBlockRef header) {
  LLVMBasicBlockRef found = NULL;
  for (size_t i = 0; i < graph->count; i++) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(graph->nodes[i].block);
    for (unsigned s = 0; end && s < LLVMGetNumSuccessors(end); s++) {
      if (LLVMGetSuccessor(end, s) != header || flow_graph_is_in_loop(graph, graph->nodes[i].block, header))
        continue;
      if (found)
        return NULL;
      found = graph->nodes[i].block;
    }
  }
  return found;
}

static void reach_from_first(const struct place *place, const struct row *first, const struct row *row,
                             LLVMBasicBlockRef before) {
  LLVMBuilderRef builder = place->builder;
  LLVMTypeRef word = LLVMTypeOf(row->pitch);
  LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(before));
  LLVMValueRef count = LLVMConstInt(word, row->number - first->number, 0);
  LLVMValueRef distance = LLVMBuildMul(builder, row->pitch, count, "");
  LLVMPositionBuilderBefore(builder, row->address);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(row->address));
  LLVMTypeRef element = LLVMGetGEPSourceElementType(row->address);
  LLVMReplaceAllUsesWith(row->address, LLVMBuildGEP2(builder, element, first->address, &distance, 1, ""));
}

// Of a block of a loop: rows that follow the first one in it.
static void reach_rows(const struct place *place, const struct flow_node *node) {
  LLVMBasicBlockRef header = place->graph->nodes[node->loop].block, before = NULL;
  struct row first = {0}, row;
  unsigned count = 1;
  for (LLVMValueRef at = LLVMGetFirstInstruction(node->block); at; at = LLVMGetNextInstruction(at)) {
    if (!is_row(place, at, header, &row))
      continue;
    if (!first.address) {
      first = row;
      before = entered_from(place->graph, header);
      if (!before)
        return;
    } else if (count < MOST_ROWS && row.base == first.base && row.pitch == first.pitch && row.round == first.round &&
               row.shift == first.shift && row.number > first.number) {
      reach_from_first(place, &first, &row, before);
      count++;
    }
  }
}

// ---- instructions

// Whether a value follows a loop's rounds step by step.
static bool walks(const struct flow_graph *graph, LLVMValueRef value, unsigned depth) {
  if (!LLVMIsAInstruction(value) || depth == 0)
    return false;
  if (LLVMIsAPHINode(value))
    return flow_graph_is_header(graph, LLVMGetInstructionParent(value));
  switch (LLVMGetInstructionOpcode(value)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMOr:
      return walks(graph, LLVMGetOperand(value, 0), depth - 1) || walks(graph, LLVMGetOperand(value, 1), depth - 1);
    default:
      return false;
  }
}

// A neighbour of another element: that is an offset in an instruction.
static bool is_beside(LLVMValueRef index) {
  if (!LLVMIsAInstruction(index))
    return false;
  const LLVMOpcode opcode = LLVMGetInstructionOpcode(index);
  return (opcode == LLVMAdd || opcode == LLVMSub || opcode == LLVMOr) && LLVMIsAConstantInt(LLVMGetOperand(index, 1));
}

static LLVMValueRef only_user(LLVMValueRef value) {
  LLVMUseRef use = LLVMGetFirstUse(value);
  return use && !LLVMGetNextUse(use) ? LLVMGetUser(use) : NULL;
}

static bool is_word(LLVMTypeRef type) {
  const LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind == LLVMFloatTypeKind || kind == LLVMPointerTypeKind ||
         (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 32);
}

static bool is_part(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind &&
         (LLVMGetIntTypeWidth(type) == 8 || LLVMGetIntTypeWidth(type) == 16);
}

// What a load's word is: the load, or the only user of a part of a word, which extends it. NULL: something else.
static LLVMValueRef extension_of(LLVMValueRef load) {
  if (is_word(LLVMTypeOf(load)))
    return load;
  LLVMValueRef user = is_part(LLVMTypeOf(load)) ? only_user(load) : NULL;
  return user && (LLVMIsAZExtInst(user) || LLVMIsASExtInst(user)) && is_word(LLVMTypeOf(user)) ? user : NULL;
}

// The word whose part is stored; NULL: there is none.
static LLVMValueRef word_of(LLVMValueRef stored) {
  if (is_word(LLVMTypeOf(stored)))
    return stored;
  LLVMValueRef word = is_part(LLVMTypeOf(stored)) && LLVMIsATruncInst(stored) ? LLVMGetOperand(stored, 0) : NULL;
  return word && is_word(LLVMTypeOf(word)) ? word : NULL;
}

static bool can_be_at(const struct place *place, LLVMValueRef address, LLVMValueRef user) {
  LLVMTypeRef type;
  if (LLVMIsALoadInst(user)) {
    type = LLVMTypeOf(user);
    if (!extension_of(user))
      return false;
  } else if (LLVMIsAStoreInst(user) && place->has_stores && LLVMGetOperand(user, 1) == address &&
             LLVMGetOperand(user, 0) != address) {
    type = LLVMTypeOf(LLVMGetOperand(user, 0));
    if (!word_of(LLVMGetOperand(user, 0)))
      return false;
  } else {
    return false;
  }
  return ir_is_plain(user) && LLVMGetAlignment(user) >= LLVMABISizeOfType(place->layout, type);
}

// The instruction: funct3 as in the plain one, `funct7` says the shift, and whether it stores.
static LLVMValueRef assembly(LLVMBuilderRef builder, LLVMTypeRef result, unsigned funct3, unsigned funct7,
                             const char *constraints, LLVMValueRef *operands, unsigned count) {
  char text[64];
  LLVMTypeRef types[3];
  for (unsigned i = 0; i < count; i++)
    types[i] = LLVMTypeOf(operands[i]);
  LLVMTypeRef type = LLVMFunctionType(result, types, count, 0);
  snprintf(text, sizeof text, OPCODE "%u, %u, $0, $1, $2", funct3, funct7);
  LLVMValueRef instruction =
      LLVMGetInlineAsm(type, text, strlen(text), constraints, strlen(constraints), 1, 0, LLVMInlineAsmDialectATT, 0);
  return LLVMBuildCall2(builder, type, instruction, operands, count, "");
}

static unsigned log2_bytes(const struct place *place, LLVMTypeRef type) {
  return (unsigned)LLVMABISizeOfType(place->layout, type) / 2;
}

static void make_one(const struct place *place, LLVMValueRef user, LLVMValueRef base, LLVMValueRef index,
                     unsigned shift) {
  enum { UNSIGNED = 4, STORES = 0x40 };
  LLVMPositionBuilderBefore(place->builder, user);
  LLVMSetCurrentDebugLocation2(place->builder, LLVMInstructionGetDebugLoc(user));
  if (LLVMIsALoadInst(user)) {
    LLVMValueRef whole = extension_of(user), operands[] = {index, base};
    const unsigned funct3 = log2_bytes(place, LLVMTypeOf(user)) + (LLVMIsAZExtInst(whole) ? UNSIGNED : 0);
    LLVMValueRef value = assembly(place->builder, LLVMTypeOf(whole), funct3, shift, "=r,r,r,~{memory}", operands, 2);
    LLVMReplaceAllUsesWith(whole, value);
    if (whole != user)
      LLVMInstructionEraseFromParent(whole);
  } else {
    LLVMValueRef stored = LLVMGetOperand(user, 0), operands[] = {word_of(stored), index, base};
    assembly(place->builder, LLVMVoidTypeInContext(LLVMGetTypeContext(LLVMTypeOf(stored))),
             log2_bytes(place, LLVMTypeOf(stored)), STORES + shift, "r,r,r,~{memory}", operands, 3);
  }
  LLVMInstructionEraseFromParent(user);
}

// True: the address is not there any more.
static bool take_address(const struct place *place, const struct flow_node *node, LLVMValueRef address) {
  enum { DEEP = 8 };
  LLVMValueRef base, index;
  unsigned shift;
  if (!split(place, address, &base, &index, &shift) || LLVMIsConstant(base) || LLVMIsAAllocaInst(base) ||
      is_beside(index) || (node->loop != FLOW_NONE && walks(place->graph, index, DEEP)) || !LLVMGetFirstUse(address))
    return false;
  for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use))
    if (!can_be_at(place, address, LLVMGetUser(use)))
      return false;
  for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetFirstUse(address))
    make_one(place, LLVMGetUser(use), base, index, shift);
  return true;
}

// ---- order

// What code generation does for plain loads: several at once, before what needs their values.
enum { AT_ONCE = 6 };  // loads of a slot under way

static bool is_indexed(LLVMValueRef instruction) {
  return !!ir_assembly(instruction, OPCODE);
}

static bool is_load(LLVMValueRef instruction) {
  if (LLVMIsALoadInst(instruction))
    return ir_is_plain(instruction);
  return is_indexed(instruction) && LLVMGetTypeKind(LLVMTypeOf(instruction)) != LLVMVoidTypeKind;
}

// Whether a call has nothing to do with memory.
static bool only_computes(LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (LLVMIsAInlineAsm(callee))
    return !LLVMGetInlineAsmHasSideEffects(callee);
  const unsigned memory = LLVMGetEnumAttributeKindForName("memory", strlen("memory"));
  LLVMAttributeRef effects =
      LLVMIsAFunction(callee) ? LLVMGetEnumAttributeAtIndex(callee, LLVMAttributeFunctionIndex, memory) : NULL;
  return effects && LLVMGetEnumAttributeValue(effects) == 0;
}

static bool is_pure(LLVMValueRef instruction) {
  if (LLVMIsACallInst(instruction))
    return ir_callee(instruction) && ir_is_intrinsic(ir_callee(instruction)) && only_computes(instruction);
  return LLVMIsABinaryOperator(instruction) || LLVMIsACastInst(instruction) || LLVMIsAGetElementPtrInst(instruction) ||
         LLVMIsASelectInst(instruction) || LLVMIsACmpInst(instruction);
}

// Whether a value is an instruction of the block of `to` that is not in front of that.
static bool is_from(LLVMValueRef value, LLVMValueRef to) {
  return LLVMIsAInstruction(value) && LLVMGetInstructionParent(value) == LLVMGetInstructionParent(to) &&
         ir_comes_before(to, value);
}

// Whether `to`, or an instruction behind it, can be the next one, with what it is computed from in front of it.
static bool can_move(LLVMValueRef instruction, LLVMValueRef to, unsigned depth) {
  if (instruction == to)
    return true;
  for (int i = 0; i < LLVMGetNumOperands(instruction); i++) {
    LLVMValueRef from = LLVMGetOperand(instruction, (unsigned)i);
    if (is_from(from, to) && from != to && (depth == 0 || !is_pure(from) || !can_move(from, to, depth - 1)))
      return false;
  }
  return true;
}

// *to becomes what is behind it.
static void move(LLVMBuilderRef builder, LLVMValueRef instruction, LLVMValueRef *to) {
  for (int i = 0; instruction != *to && i < LLVMGetNumOperands(instruction); i++) {
    LLVMValueRef from = LLVMGetOperand(instruction, (unsigned)i);
    if (is_from(from, *to))
      move(builder, from, to);
  }
  if (instruction == *to) {
    *to = LLVMGetNextInstruction(*to);
    return;
  }
  LLVMPositionBuilderBefore(builder, *to);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(instruction));  // insertion gives it the builder's
  LLVMInstructionRemoveFromParent(instruction);
  LLVMInsertIntoBuilder(builder, instruction);
}

static bool is_barrier(LLVMValueRef instruction) {
  return !is_load(instruction) && !is_pure(instruction) && !LLVMIsAPHINode(instruction) &&
         !(LLVMIsACallInst(instruction) && only_computes(instruction)) && !LLVMIsAUnaryOperator(instruction);
}

// Loads that follow the first one, up to as many as may be under way, come directly behind it.
static void gather_loads(LLVMBuilderRef builder, LLVMBasicBlockRef block) {
  enum { DEEP = 4 };
  unsigned count = 0;
  LLVMValueRef next, to = NULL;  // the first instruction behind the loads gathered so far
  for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = next) {
    next = LLVMGetNextInstruction(at);
    if (is_barrier(at))
      count = 0;
    if (!is_load(at))
      continue;
    if (count != 0 && count < AT_ONCE && can_move(at, to, DEEP)) {
      move(builder, at, &to);
      count++;
    } else {
      to = next;
      count = 1;
    }
  }
}

// In a long block the time to look would go by the square of the code.
static bool is_worth_a_look(LLVMBasicBlockRef block) {
  enum { LONG = 2000 };
  size_t count = 0;
  bool has_indexed = false;
  for (LLVMValueRef at = LLVMGetFirstInstruction(block); at && count < LONG; at = LLVMGetNextInstruction(at), count++)
    has_indexed = has_indexed || is_indexed(at);
  return has_indexed && count < LONG;
}

// What nobody needs any more would still be a walk to code generation.
static bool is_needless(LLVMValueRef instruction) {
  return !LLVMGetFirstUse(instruction) && (LLVMIsAGetElementPtrInst(instruction) || LLVMIsABinaryOperator(instruction));
}

static void place_in(const struct place *place, const struct flow_node *node) {
  if (node->loop != FLOW_NONE)
    reach_rows(place, node);
  // From the end: users come before what they use, and a load goes with its address.
  LLVMValueRef before;
  for (LLVMValueRef at = LLVMGetLastInstruction(node->block); at; at = before) {
    const bool is_gone = take_address(place, node, at);
    before = LLVMGetPreviousInstruction(at);
    if (is_gone || is_needless(at))
      LLVMInstructionEraseFromParent(at);
  }
  if (is_worth_a_look(node->block))
    gather_loads(place->builder, node->block);
}

void indexed_place(LLVMModuleRef module, LLVMTargetDataRef layout, bool has_stores) {
  struct place place = {
      .builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module)), .layout = layout, .has_stores = has_stores};
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    struct flow_graph graph = flow_graph_open(f);
    place.graph = &graph;
    for (size_t i = 0; i < graph.count; i++)
      place_in(&place, &graph.nodes[i]);
    flow_graph_close(&graph);
  }
  LLVMDisposeBuilder(place.builder);
}
