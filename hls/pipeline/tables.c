// SPDX-License-Identifier: Apache-2.0
// Finds the constant variable behind a pointer and writes out its words. A table has an address of its own, a multiple
// of its size, so that the lower bits of any address in it are the place in the table.
#include "hls/pipeline/tables.h"

#include <stdlib.h>
#include <string.h>

#include "hls/call_graph.h"

// Of an instruction or a constant expression; of anything else one that makes no pointer.
static LLVMOpcode opcode_of(LLVMValueRef pointer) {
  return LLVMIsAInstruction(pointer)    ? LLVMGetInstructionOpcode(pointer)
         : LLVMIsAConstantExpr(pointer) ? LLVMGetConstOpcode(pointer)
                                        : LLVMRet;
}

LLVMValueRef table_base(LLVMValueRef pointer) {
  for (unsigned steps = 0; steps < 1000; steps++) {
    if (LLVMIsAGlobalVariable(pointer) || LLVMIsAArgument(pointer) || LLVMIsAAllocaInst(pointer))
      return pointer;
    const LLVMOpcode opcode = opcode_of(pointer);
    if (opcode == LLVMGetElementPtr || opcode == LLVMBitCast || opcode == LLVMAddrSpaceCast || opcode == LLVMFreeze) {
      pointer = LLVMGetOperand(pointer, 0);
    } else if (opcode == LLVMPHI) {
      // All ways must lead to one variable; the pointer's own way around a loop apart.
      LLVMValueRef found = NULL;
      for (unsigned i = 0; i < LLVMCountIncoming(pointer); i++) {
        LLVMValueRef incoming = LLVMGetIncomingValue(pointer, i);
        if (LLVMIsUndef(incoming) || LLVMIsPoison(incoming))
          continue;
        unsigned hops = 0;
        while (LLVMIsAGetElementPtrInst(incoming) && hops++ < 1000)
          incoming = LLVMGetOperand(incoming, 0);
        if (incoming == pointer)
          continue;
        if (LLVMIsAPHINode(incoming))
          return NULL;
        LLVMValueRef base = table_base(incoming);
        if (!base || (found && base != found))
          return NULL;
        found = base;
      }
      return found;
    } else if (opcode == LLVMSelect) {
      LLVMValueRef x = table_base(LLVMGetOperand(pointer, 1));
      return x && x == table_base(LLVMGetOperand(pointer, 2)) ? x : NULL;
    } else {
      return NULL;
    }
  }
  return NULL;
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
    case LLVMFloatTypeKind: {
      LLVMBool lost;
      const float number = (float)LLVMConstRealGetDouble(c, &lost);
      memcpy(bytes, &number, sizeof number);
      return true;
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
    default:
      return false;
  }
}

const struct table *table_of(struct graph *graph, LLVMValueRef global) {
  for (unsigned i = 0; i < graph->table_count; i++)
    if (graph->tables[i].global == global)
      return &graph->tables[i];
  if (!LLVMIsGlobalConstant(global) || !LLVMGetInitializer(global) || graph->table_count == 255)
    return NULL;
  const uint64_t bytes = LLVMABISizeOfType(graph->layout, LLVMGlobalGetValueType(global));
  if (bytes == 0 || bytes > 1 << TABLE_LOG2)
    return NULL;
  struct table table = {.global = global, .words = (uint32_t)((bytes + 3) / 4), .log2_bytes = 2};
  while (1ull << table.log2_bytes < bytes)
    table.log2_bytes++;
  uint8_t *image = graph_allocate(4 * (size_t)table.words);
  if (!write_constant(graph, LLVMGetInitializer(global), image))
    return NULL;
  table.values = graph_allocate(4 * (size_t)table.words);
  for (uint32_t i = 0; i < table.words; i++)
    table.values[i] = (uint32_t)image[4 * i] | (uint32_t)image[4 * i + 1] << 8 | (uint32_t)image[4 * i + 2] << 16 |
                      (uint32_t)image[4 * i + 3] << 24;
  size_t length;
  table.name = LLVMGetValueName2(global, &length);
  table.base = 0xE0000000u + (graph->table_count << TABLE_LOG2);
  if (!graph->tables)
    graph->tables = graph_allocate(256 * sizeof table);
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
  const bool is_variable = LLVMIsAGlobalVariable(base) && LLVMGetPointerAddressSpace(LLVMTypeOf(base)) != 3;
  const struct table *table = is_variable ? table_of(graph, base) : NULL;
  for (unsigned i = 0; i < found->count; i++)
    if (found->tables[i] == table)
      return;
  if (!table || found->count == MOST_TABLES_BEHIND)
    found->others = true;
  else
    found->tables[found->count++] = table;
}

struct tables_behind tables_behind(struct graph *graph, LLVMValueRef pointer) {
  struct tables_behind found = {.count = 0};
  struct reach pointers = {0};
  reach_add(&pointers, pointer);
  for (size_t i = 0; i < pointers.count; i++) {  // grows while it runs
    LLVMValueRef at = pointers.values[i];
    if (!add_sources(at, &pointers))
      add_table(graph, at, &found);
  }
  reach_free(&pointers);
  return found;
}

enum { GENERIC_ADDRESS_SPACE = 4 };

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
