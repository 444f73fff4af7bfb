// SPDX-License-Identifier: Apache-2.0
// Finds the constant variable behind a pointer and writes out its words. A table has an address of its own, a multiple
// of its size, so that the lower bits of any address in it are the place in the table.
#include "hls/pipeline/tables.h"

#include <stdlib.h>
#include <string.h>

#include "contract/little_endian.h"
#include "hls/address_spaces.h"
#include "hls/call_graph.h"
#include "hls/pipeline/address_spaces.h"

// Of an instruction or a constant expression; of anything else one that makes no pointer.
static LLVMOpcode opcode_of(LLVMValueRef pointer) {
  return LLVMIsAInstruction(pointer)    ? LLVMGetInstructionOpcode(pointer)
         : LLVMIsAConstantExpr(pointer) ? LLVMGetConstOpcode(pointer)
                                        : LLVMRet;
}

// What a pointer is made of by indices and casts alone.
static LLVMValueRef without_index(LLVMValueRef pointer) {
  for (unsigned steps = 0; steps < 1000; steps++) {
    const LLVMOpcode opcode = opcode_of(pointer);
    if (opcode != LLVMGetElementPtr && opcode != LLVMBitCast && opcode != LLVMAddrSpaceCast && opcode != LLVMFreeze)
      break;
    pointer = LLVMGetOperand(pointer, 0);
  }
  return pointer;
}

// Adds what a phi or a select chooses from, once. False: another phi follows a phi, which is not looked into.
static bool add_choices(LLVMValueRef choice, struct reach *pointers) {
  const bool is_phi = LLVMIsAPHINode(choice);
  const unsigned count = is_phi ? LLVMCountIncoming(choice) : 3;
  for (unsigned i = is_phi ? 0 : 1; i < count; i++) {
    LLVMValueRef chosen = is_phi ? LLVMGetIncomingValue(choice, i) : LLVMGetOperand(choice, i);
    if (is_phi && (LLVMIsUndef(chosen) || LLVMIsPoison(chosen)))
      continue;
    chosen = without_index(chosen);
    if (is_phi && LLVMIsAPHINode(chosen) && chosen != choice)
      return false;
    if (!reach_has(pointers, chosen))
      reach_add(pointers, chosen);
  }
  return true;
}

// A pointer that a loop carries comes back to itself, maybe by a select: each choice is looked at once.
LLVMValueRef table_base(LLVMValueRef pointer) {
  struct reach pointers = {0};
  LLVMValueRef found = NULL;
  bool is_one = true;
  reach_add(&pointers, without_index(pointer));
  for (size_t i = 0; i < pointers.count && is_one; i++) {  // grows while it runs
    LLVMValueRef from = pointers.values[i];
    if (LLVMIsAPHINode(from) || LLVMIsASelectInst(from)) {
      is_one = add_choices(from, &pointers);
    } else {
      is_one = !found && (LLVMIsAGlobalVariable(from) || LLVMIsAArgument(from) || LLVMIsAAllocaInst(from));
      found = from;
    }
  }
  reach_free(&pointers);
  return is_one ? found : NULL;
}

static bool write_constant(struct graph *graph, LLVMValueRef c, uint8_t *bytes) {
  LLVMTypeRef type = LLVMTypeOf(c);
  if (LLVMIsNull(c) || LLVMIsUndef(c) || LLVMIsPoison(c))
    return true;
  switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind: {
      const uint64_t number = LLVMConstIntGetZExtValue(c);
      if (LLVMGetIntTypeWidth(type) > 64)
        return false;
      for (uint64_t i = 0; i < LLVMABISizeOfType(graph->layout, type); i++)
        bytes[i] = (uint8_t)(number >> (8 * i));
      return true;
    }
    case LLVMHalfTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind: {
      const unsigned bits = 8 * (unsigned)LLVMABISizeOfType(graph->layout, type);
      return write_constant(graph, LLVMConstBitCast(c, LLVMIntTypeInContext(LLVMGetTypeContext(type), bits)), bytes);
    }
    case LLVMArrayTypeKind:
    case LLVMVectorTypeKind:
    case LLVMStructTypeKind: {
      const LLVMTypeKind kind = LLVMGetTypeKind(type);
      const uint64_t count = kind == LLVMStructTypeKind  ? LLVMCountStructElementTypes(type)
                             : kind == LLVMArrayTypeKind ? LLVMGetArrayLength2(type)
                                                         : LLVMGetVectorSize(type);
      for (uint64_t i = 0; i < count; i++) {
        LLVMValueRef element = LLVMGetAggregateElement(c, (unsigned)i);
        const uint64_t at = kind == LLVMStructTypeKind ? LLVMOffsetOfElement(graph->layout, type, (unsigned)i)
                                                       : i * LLVMABISizeOfType(graph->layout, LLVMGetElementType(type));
        if (!element || !write_constant(graph, element, bytes + at))
          return false;
      }
      return true;
    }
    case LLVMPointerTypeKind: {
      // To a string or another row of numbers.
      const struct table *table = table_of(graph, c);
      if (table)
        heddle_put32(bytes, table->base);
      return table;
    }
    default:
      return false;
  }
}

static bool is_row(LLVMValueRef c) {
  LLVMValueRef behind = LLVMIsAGlobalVariable(c) && LLVMIsGlobalConstant(c) ? LLVMGetInitializer(c) : NULL;
  return behind && LLVMIsAConstantDataSequential(behind);
}

// Whether write_constant writes it.
static bool is_known(LLVMTargetDataRef layout, LLVMValueRef c) {
  LLVMTypeRef type = LLVMTypeOf(c);
  if (LLVMIsNull(c) || LLVMIsUndef(c) || LLVMIsPoison(c) || LLVMIsAConstantDataSequential(c))
    return true;
  switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
      return LLVMIsAConstantInt(c) && LLVMGetIntTypeWidth(type) <= 64;
    case LLVMHalfTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
      return LLVMIsAConstantFP(c);
    case LLVMArrayTypeKind:
    case LLVMVectorTypeKind:
    case LLVMStructTypeKind:
      for (int i = 0; i < LLVMGetNumOperands(c); i++)
        if (!is_known(layout, LLVMGetOperand(c, (unsigned)i)))
          return false;
      return true;
    case LLVMPointerTypeKind:
      return is_row(c) && LLVMABISizeOfType(layout, LLVMGlobalGetValueType(c)) <= 1 << TABLE_LOG2;
    default:
      return false;
  }
}

bool table_is_possible(LLVMTargetDataRef layout, LLVMValueRef global) {
  if (!LLVMIsGlobalConstant(global) || !LLVMGetInitializer(global))
    return false;
  const uint64_t bytes = LLVMABISizeOfType(layout, LLVMGlobalGetValueType(global));
  return bytes != 0 && bytes <= 1 << TABLE_LOG2 && is_known(layout, LLVMGetInitializer(global));
}

const struct table *table_of(struct graph *graph, LLVMValueRef global) {
  for (unsigned i = 0; i < graph->table_count; i++)
    if (graph->tables[i].global == global)
      return &graph->tables[i];
  if (graph->table_count == MOST_TABLES || !table_is_possible(graph->layout, global))
    return NULL;
  const uint64_t bytes = LLVMABISizeOfType(graph->layout, LLVMGlobalGetValueType(global));
  struct table table = {.global = global, .words = (uint32_t)((bytes + 3) / 4), .log2_bytes = 2};
  while (1ull << table.log2_bytes < bytes)
    table.log2_bytes++;
  uint8_t *image = graph_allocate(4 * (size_t)table.words);
  if (!write_constant(graph, LLVMGetInitializer(global), image))
    return NULL;
  table.values = graph_allocate(4 * (size_t)table.words);
  for (uint32_t i = 0; i < table.words; i++)
    table.values[i] = heddle_get32(image + 4 * (size_t)i);
  size_t length;
  table.name = graph_word(LLVMGetValueName2(global, &length), ".$");
  table.base = HEDDLE_PIPELINE_TABLES + (graph->table_count << TABLE_LOG2);
  if (!graph->tables)
    graph->tables = graph_allocate(MOST_TABLES * sizeof table);
  graph->tables[graph->table_count] = table;
  return &graph->tables[graph->table_count++];
}

// What a pointer is made of: how many there are, 0 if it is no such operation. Those of one operation follow each
// other.
static unsigned sources_of(LLVMValueRef pointer, unsigned *first) {
  const LLVMOpcode opcode = opcode_of(pointer);
  *first = opcode == LLVMSelect;
  switch (opcode) {
    case LLVMGetElementPtr:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMFreeze:
      return 1;
    case LLVMPHI:
      return LLVMCountIncoming(pointer);
    case LLVMSelect:
      return 2;
    default:
      return 0;
  }
}

// Adds what a pointer is made of. False: it is no operation on pointers.
static bool add_sources(LLVMValueRef pointer, struct reach *pointers) {
  unsigned first;
  const unsigned count = sources_of(pointer, &first);
  for (unsigned k = first; k < first + count; k++) {
    LLVMValueRef source = LLVMIsAPHINode(pointer) ? LLVMGetIncomingValue(pointer, k) : LLVMGetOperand(pointer, k);
    if (!reach_has(pointers, source))
      reach_add(pointers, source);
  }
  return count != 0;
}

static void add_table(struct graph *graph, LLVMValueRef base, struct tables_behind *found) {
  if (LLVMIsUndef(base) || LLVMIsPoison(base) || LLVMIsNull(base))
    return;
  const bool is_variable =
      LLVMIsAGlobalVariable(base) && LLVMGetPointerAddressSpace(LLVMTypeOf(base)) != LOCAL_ADDRESS_SPACE;
  const struct table *table = is_variable ? table_of(graph, base) : NULL;
  for (unsigned i = 0; i < found->count; i++)
    if (found->tables[i] == table)
      return;
  if (!table)
    found->others = true;
  else if (found->count == MOST_TABLES_BEHIND)
    found->too_many = true;
  else
    found->tables[found->count++] = table;
}

// What the pointers of a constant variable point to. False: it has none.
static bool add_pointees(struct graph *graph, LLVMValueRef c, struct tables_behind *found) {
  LLVMTypeRef type = LLVMTypeOf(c);
  const LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (LLVMIsAGlobalVariable(c)) {
    add_table(graph, c, found);
    return true;
  }
  if (LLVMIsNull(c) || LLVMIsAConstantDataSequential(c) ||
      (kind != LLVMArrayTypeKind && kind != LLVMStructTypeKind && kind != LLVMVectorTypeKind))
    return false;
  bool has_any = false;
  for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(c); i++)
    has_any |= add_pointees(graph, LLVMGetOperand(c, i), found);
  return has_any;
}

enum { MOST_LOADS_DEEP = 4 };
static void add_behind(struct graph *graph, LLVMValueRef pointer, unsigned depth, struct tables_behind *found);

// A pointer that is loaded: from a table, or from memory, where there are none to tables.
static void add_loaded(struct graph *graph, LLVMValueRef load, unsigned depth, struct tables_behind *found) {
  struct tables_behind holders = {.count = 0};
  if (depth < MOST_LOADS_DEEP)
    add_behind(graph, LLVMGetOperand(load, 0), depth + 1, &holders);
  bool has_any = false;
  for (unsigned i = 0; i < holders.count; i++)
    has_any |= add_pointees(graph, LLVMGetInitializer(holders.tables[i]->global), found);
  found->too_many |= holders.too_many;
  found->others |= holders.others || !has_any;
}

static void add_behind(struct graph *graph, LLVMValueRef pointer, unsigned depth, struct tables_behind *found) {
  struct reach pointers = {0};
  reach_add(&pointers, pointer);
  for (size_t i = 0; i < pointers.count; i++) {  // grows while it runs
    LLVMValueRef at = pointers.values[i];
    if (LLVMIsALoadInst(at))
      add_loaded(graph, at, depth, found);
    else if (!add_sources(at, &pointers))
      add_table(graph, at, found);
  }
  reach_free(&pointers);
}

struct tables_behind tables_behind(struct graph *graph, LLVMValueRef pointer) {
  struct tables_behind found = {.count = 0};
  add_behind(graph, pointer, 0, &found);
  return found;
}

static unsigned space_of(LLVMValueRef pointer) {
  return LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
}

unsigned table_address_space(LLVMValueRef pointer) {
  if (space_of(pointer) != GENERIC_ADDRESS_SPACE)
    return space_of(pointer);
  unsigned space = GENERIC_ADDRESS_SPACE;
  bool is_one = true;
  struct reach pointers = {0};
  reach_add(&pointers, pointer);
  for (size_t i = 0; i < pointers.count && is_one; i++) {  // grows while it runs
    LLVMValueRef at = pointers.values[i];
    if (LLVMIsUndef(at) || LLVMIsPoison(at))
      continue;
    if (space_of(at) != GENERIC_ADDRESS_SPACE) {
      is_one = space == GENERIC_ADDRESS_SPACE || space == space_of(at);
      space = space_of(at);
      continue;
    }
    is_one = add_sources(at, &pointers);
  }
  reach_free(&pointers);
  return is_one ? space : GENERIC_ADDRESS_SPACE;
}
