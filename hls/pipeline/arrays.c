// SPDX-License-Identifier: Apache-2.0
// Which arrays in private and local memory have memories of their own (rtl/pipeline/private_array.v, local_array.v):
// those of which every access is known, all of one width. Others are in the memory port (accesses.c).
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <string.h>

#include "contract/log2.h"
#include "hls/call_graph.h"
#include "hls/ir.h"
#include "hls/pipeline/maker.h"
#include "hls/pipeline/private_arrays.h"
#include "hls/pipeline/tables.h"

enum {
  MOST_ARRAY_BYTES = 1 << 18,
  MOST_LOCAL_ARRAY_BYTES = 1 << 16,
  MOST_LOCAL_READERS = 64,
  MOST_BLOCKS = 104,  // block RAMs of all private arrays: half of those of the largest board
};

static bool is_elsewhere(const struct maker *m, LLVMValueRef user) {
  return LLVMIsAInstruction(user) && LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) != m->graph->function;
}

// Adds what a user makes of an address, or what it accesses. Returns why the array can have no memory of its own, or
// NULL.
static const char *follow(LLVMValueRef address, LLVMValueRef user, bool is_local, struct reach *addresses,
                          struct reach *accesses) {
  if (LLVMIsALoadInst(user) || LLVMIsAStoreInst(user)) {
    if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == address)
      return "its address is stored";
    if (LLVMGetOrdering(user) != LLVMAtomicOrderingNotAtomic)
      return "it is atomic";
    // Work-items may wait for each other with these.
    if (is_local && LLVMGetVolatile(user))
      return "it is volatile";
    if (!reach_has(accesses, user))
      reach_add(accesses, user);
    return NULL;
  }
  if (LLVMIsAAtomicRMWInst(user) || LLVMIsAAtomicCmpXchgInst(user))
    return "it is atomic";
  if (ir_is_operation(user, LLVMGetElementPtr) || ir_is_operation(user, LLVMAddrSpaceCast) || LLVMIsAPHINode(user) ||
      LLVMIsASelectInst(user) || LLVMIsAFreezeInst(user)) {
    if (!reach_has(addresses, user))
      reach_add(addresses, user);
    return NULL;
  }
  return ir_calls(user, "llvm.lifetime.") ? NULL : "its address is used for more than loads and stores";
}

static unsigned bytes_of(struct maker *m, LLVMValueRef access) {
  const unsigned width = make_width_of(m, LLVMTypeOf(LLVMIsALoadInst(access) ? access : LLVMGetOperand(access, 0)));
  return width == 0 || width > 64 ? 0 : make_bytes_of(width);
}

static bool is_multiple(LLVMValueRef value, unsigned bytes, unsigned steps);

// The same of a counter: it begins with one of whole elements, and so many are added.
static bool counts_multiples(LLVMValueRef phi, unsigned bytes, unsigned steps) {
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    LLVMValueRef value = LLVMGetIncomingValue(phi, i);
    const bool is_next =
        LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == LLVMAdd && LLVMGetOperand(value, 0) == phi;
    if (!is_multiple(is_next ? LLVMGetOperand(value, 1) : value, bytes, steps))
      return false;
  }
  return true;
}

// Whether a number of bytes is sure to be one of whole elements, of which `bytes` is a power of two.
static bool is_multiple(LLVMValueRef value, unsigned bytes, unsigned steps) {
  if (LLVMIsAConstantInt(value))
    return LLVMConstIntGetZExtValue(value) % bytes == 0;
  if (steps != 0 && LLVMIsAPHINode(value))
    return counts_multiples(value, bytes, steps - 1);
  if (steps == 0 || !LLVMIsAInstruction(value))
    return false;
  const LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
  if (opcode == LLVMLShr || opcode == LLVMAShr) {
    LLVMValueRef bits = LLVMGetOperand(value, 1);
    return LLVMIsAConstantInt(bits) && LLVMConstIntGetZExtValue(bits) < 16 &&
           is_multiple(LLVMGetOperand(value, 0), bytes << LLVMConstIntGetZExtValue(bits), steps - 1);
  }
  const bool chooses = opcode == LLVMSelect;
  if (!chooses && opcode != LLVMAdd && opcode != LLVMSub && opcode != LLVMMul && opcode != LLVMShl && opcode != LLVMAnd)
    return false;
  LLVMValueRef x = LLVMGetOperand(value, chooses ? 1 : 0), y = LLVMGetOperand(value, chooses ? 2 : 1);
  if (opcode == LLVMShl)
    return is_multiple(x, bytes, steps - 1) || (LLVMIsAConstantInt(y) && LLVMConstIntGetZExtValue(y) < 32 &&
                                                (1u << LLVMConstIntGetZExtValue(y)) % bytes == 0);
  const bool first = is_multiple(x, bytes, steps - 1);
  // One factor, or one mask, is enough.
  if (opcode == LLVMMul || opcode == LLVMAnd)
    return first || is_multiple(y, bytes, steps - 1);
  return first && is_multiple(y, bytes, steps - 1);
}

// Whether all that an element's address is counted in are whole elements.
static bool is_in_elements(const struct maker *m, LLVMValueRef gep, unsigned bytes) {
  LLVMTargetDataRef layout = m->graph->layout;
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  for (int i = 1; i < LLVMGetNumOperands(gep); i++) {
    LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);
    if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      const unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
      if (LLVMOffsetOfElement(layout, type, field) % bytes != 0)
        return false;
      type = LLVMStructGetTypeAtIndex(type, field);
      continue;
    }
    if (i > 1)
      type = LLVMGetElementType(type);
    const uint64_t size = LLVMABISizeOfType(layout, type);
    enum { MOST_STEPS = 4 };
    const uint64_t offset = LLVMIsAConstantInt(index) ? LLVMConstIntGetZExtValue(index) * size : size;
    if (offset % bytes != 0 && (size != 1 || !is_multiple(index, bytes, MOST_STEPS)))
      return false;
  }
  return true;
}

// Whether a choice is among addresses of the array alone.
static bool is_of_array(LLVMValueRef choice, const struct reach *addresses) {
  const bool is_phi = LLVMIsAPHINode(choice);
  const unsigned count = is_phi ? LLVMCountIncoming(choice) : LLVMIsASelectInst(choice) ? 3 : 0;
  for (unsigned i = is_phi ? 0 : 1; i < count; i++) {
    LLVMValueRef value = is_phi ? LLVMGetIncomingValue(choice, i) : LLVMGetOperand(choice, i);
    if (!LLVMIsUndef(value) && !LLVMIsPoison(value) && !reach_has(addresses, value))
      return false;
  }
  return true;
}

unsigned graph_copy_blocks(unsigned depth, unsigned width) {
  unsigned best = ~0u;
  if (depth <= 32)
    return 0;
  for (unsigned log2 = 9; log2 <= 14; log2++) {
    const unsigned bits = log2 <= 11 ? 36u >> (log2 - 9) : 16384u >> log2;
    const unsigned blocks = ((depth - 1) >> log2) + 1;
    const unsigned all = blocks * ((width + bits - 1) / bits);
    best = all < best ? all : best;
  }
  return best;
}

bool graph_array_has_slots(const struct graph *graph, const struct array *array) {
  return !graph->arrays_of_one || (graph->interleaves && array->round);
}

unsigned graph_array_blocks(const struct graph *graph, const struct array *array) {
  if (array->is_local)
    return graph_local_array_blocks(graph, (unsigned)(array - graph->arrays));
  const unsigned copies = array->writers * (array->readers + array->writers - 1);
  const unsigned slots_log2 = graph_array_has_slots(graph, array) ? graph->slots_log2 : 0;
  return copies * graph->lanes * graph_copy_blocks(array->elements << slots_log2, array->width);
}

static bool is_in_local_memory(LLVMValueRef variable) {
  return LLVMIsAGlobalVariable(variable);
}

static LLVMTypeRef type_of(LLVMValueRef variable) {
  return is_in_local_memory(variable) ? LLVMGlobalGetValueType(variable) : LLVMGetAllocatedType(variable);
}

static bool is_one(LLVMValueRef variable) {
  if (is_in_local_memory(variable))
    return true;
  LLVMValueRef count = LLVMGetOperand(variable, 0);
  return LLVMIsAConstantInt(count) && LLVMConstIntGetZExtValue(count) == 1;
}

// Each access has a port. Where a work-item is alone those of different regions share them, as it is in one of them.
struct port_counts graph_port_counts(const struct graph *graph) {
  return (struct port_counts){graph_allocate(graph->region_count * sizeof(unsigned)),
                              graph_allocate(graph->region_count * sizeof(unsigned))};
}

unsigned graph_next_port(const struct graph *graph, struct array *array, struct port_counts *counts,
                         const struct region *region, bool reads) {
  const bool is_shared = graph->arrays_of_one && !array->is_local;
  // Rounds that are interleaved may be in all loops of a nest.
  while (graph->interleaves && region->parent && region->parent->parent)
    region = region->parent;
  unsigned *used = &(reads ? counts->readers : counts->writers)[is_shared ? region->id : 0];
  unsigned *ports = reads ? &array->readers : &array->writers;
  const unsigned port = (*used)++;
  *ports = *used > *ports ? *used : *ports;
  return port;
}

static void count_ports(const struct graph *graph, const struct reach *accesses, struct array *array) {
  struct port_counts counts = graph_port_counts(graph);
  for (size_t i = 0; i < accesses->count; i++) {
    LLVMValueRef access = accesses->values[i];
    graph_next_port(graph, array, &counts, graph_region_of(graph, LLVMGetInstructionParent(access)),
                    LLVMIsALoadInst(access));
  }
}

__attribute__((format(printf, 1, 0))) static const char *say(const char *words, unsigned first, unsigned second) {
  enum { BYTES = 80 };
  char *text = graph_allocate(BYTES);
  snprintf(text, BYTES, words, first, second);
  return text;
}

// Fills in what the array is. Returns why it cannot have a memory of its own, or NULL.
static const char *describe(struct maker *m, LLVMValueRef variable, const struct reach *addresses,
                            const struct reach *accesses, struct array *array) {
  const uint64_t size = LLVMABISizeOfType(m->graph->layout, type_of(variable));
  if (accesses->count == 0)
    return "it is not accessed";
  if (size > (array->is_local ? MOST_LOCAL_ARRAY_BYTES : MOST_ARRAY_BYTES) || !is_one(variable))
    return "it is too large";
  const unsigned bytes = bytes_of(m, accesses->values[0]);
  for (size_t i = 0; i < accesses->count; i++) {
    if (bytes == 0 || bytes_of(m, accesses->values[i]) != bytes)
      return "its accesses are of different sizes";
    if (array->is_local && LLVMGetAlignment(accesses->values[i]) < bytes)
      return "its accesses are not aligned";
  }
  count_ports(m->graph, accesses, array);
  for (size_t i = 1; i < addresses->count; i++) {
    LLVMValueRef address = addresses->values[i];
    // Of local memory an access's alignment says it.
    if (!array->is_local && ir_is_operation(address, LLVMGetElementPtr) && !is_in_elements(m, address, bytes))
      return "its accesses are not of whole elements";
    if (!ir_is_operation(address, LLVMGetElementPtr) && !is_of_array(address, addresses))
      return "a pointer to it may point to something else";
  }
  if (size % bytes != 0)
    return "its accesses are not of whole elements";
  const unsigned most = array->is_local ? MOST_LOCAL_READERS : PRIVATE_READERS_MAX;
  if (array->readers > most)
    return say("it has %u loads, and may have %u", array->readers, most);
  if (!array->is_local && array->writers > PRIVATE_WRITERS_MAX)
    return say("it has %u stores, and may have %u", array->writers, PRIVATE_WRITERS_MAX);
  if (array->is_local && bytes > 4)
    return "its elements have more than 4 bytes";
  array->readers += array->readers == 0;
  array->writers += array->writers == 0;
  array->width = 8 * bytes;
  array->elements = (unsigned)size / bytes;
  array->bytes_log2 = heddle_log2_ceiling(bytes);
  // The index of a local array's row has two bits at least.
  const unsigned least = array->is_local ? m->graph->lanes_log2 + 2 : 1, bits = heddle_log2_ceiling(array->elements);
  array->index_bits = bits > least ? bits : least;
  if (array->is_local)
    return NULL;  // local_arrays.c, when patterns are known
  unsigned blocks = graph_array_blocks(m->graph, array);
  for (unsigned i = 0; i < m->graph->array_count; i++)
    if (!m->graph->arrays[i].is_local)
      blocks += graph_array_blocks(m->graph, &m->graph->arrays[i]);
  return blocks <= MOST_BLOCKS ? NULL : say("it would make %u block RAMs, and %u may be", blocks, MOST_BLOCKS);
}

static const char *find_array(struct maker *m, LLVMValueRef variable, struct array *array, struct reach *addresses,
                              struct reach *accesses) {
  reach_add(addresses, variable);
  for (size_t i = 0; i < addresses->count; i++)  // grows while it runs
    for (LLVMUseRef use = LLVMGetFirstUse(addresses->values[i]); use; use = LLVMGetNextUse(use)) {
      LLVMValueRef user = LLVMGetUser(use);
      const char *why =
          is_elsewhere(m, user) ? NULL : follow(addresses->values[i], user, array->is_local, addresses, accesses);
      if (why)
        return why;
    }
  return describe(m, variable, addresses, accesses, array);
}

// The loop each round of which begins with an array that nobody has set: its lifetime starts there. NULL: none.
static const struct region *round_of(const struct graph *graph, LLVMValueRef variable) {
  const struct region *round = NULL;
  unsigned starts = 0;
  for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!ir_calls(user, "llvm.lifetime.start"))
      continue;
    round = graph_region_of(graph, LLVMGetInstructionParent(user));
    starts++;
  }
  return starts == 1 && round->parent ? round : NULL;
}

// Makes it one in local or in private memory. Returns why not, or NULL.
static const char *make_array_of(struct maker *m, LLVMValueRef variable, unsigned base, bool is_local) {
  struct reach addresses = {0}, accesses = {0};
  struct graph *graph = m->graph;
  struct array array = {
      .is_local = is_local, .has_local_address = is_in_local_memory(variable), .variable = variable, .base = base};
  if (LLVMIsAAllocaInst(variable))
    array.round = round_of(graph, variable);
  const char *why = find_array(m, variable, &array, &addresses, &accesses);
  if (!why) {
    size_t length;
    array.name = graph_word(LLVMGetValueName2(variable, &length), ".$");
    m->accesses_of[graph->array_count] = accesses;
    graph->arrays[graph->array_count++] = array;
  } else {
    reach_free(&accesses);
  }
  reach_free(&addresses);
  return why;
}

bool make_own_array(struct maker *m, LLVMValueRef variable, unsigned base) {
  struct graph *graph = m->graph;
  const bool is_local = is_in_local_memory(variable);
  const char *why = graph->array_count == MOST_ARRAYS ? "there are too many arrays" : NULL;
  for (unsigned i = 0; i < graph->port_array_count; i++)
    if (graph->port_arrays[i].variable == variable)
      why = graph->port_arrays[i].why;
  // A work-item that is alone has local memory for itself.
  if (!why && (!is_local || graph->arrays_of_one)) {
    const char *why_not = make_array_of(m, variable, base, false);
    if (!why_not)
      return true;
    why = is_local ? NULL : why_not;
  }
  if (is_local && !why)
    why = make_array_of(m, variable, base, true);
  if (why)
    graph_keep_on_port(graph, variable, why);
  return !why;
}
