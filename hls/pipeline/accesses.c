// SPDX-License-Identifier: Apache-2.0
// Loads, stores and atomics of a graph, each with its site: the place in the source that a fault names.
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>

#include "hls/pipeline/maker.h"
#include "hls/pipeline/tables.h"

unsigned make_site(struct graph *graph, LLVMValueRef instruction, const char *what) {
  LLVMMetadataRef location = LLVMInstructionGetDebugLoc(instruction);
  if ((graph->site_count & (graph->site_count - 1)) == 0)
    graph->sites = realloc(graph->sites, (graph->site_count != 0 ? 2 * graph->site_count : 1) * sizeof *graph->sites);
  graph->sites[graph->site_count] = (struct site){location ? LLVMDILocationGetLine(location) : 0,
                                                  location ? LLVMDILocationGetColumn(location) : 0, what};
  return graph->site_count++;
}

struct node *make_active_lanes(struct maker *m) {
  return build_and(&m->builder, m->builder.region->mask, m->condition);
}

static void touch(struct maker *m, struct node *node, LLVMValueRef instruction, LLVMValueRef pointer, unsigned bytes) {
  struct graph *graph = m->graph;
  switch (LLVMGetPointerAddressSpace(LLVMTypeOf(pointer))) {
    case 0:
      node->space = SPACE_PRIVATE;
      break;
    case 3:
      node->space = SPACE_LOCAL;
      break;
    case 4:
      node->space = SPACE_GENERIC;
      break;
    default:
      node->space = SPACE_GLOBAL;
  }
  // A struct that is passed by value lies behind the packet.
  if (node->space == SPACE_PRIVATE) {
    LLVMValueRef base = table_base(pointer);
    if (base && LLVMIsAArgument(base))
      node->space = SPACE_GLOBAL;
  }
  if (node->space == SPACE_PRIVATE || node->space == SPACE_GENERIC)
    make_refuse(m, instruction,
                node->space == SPACE_PRIVATE ? "an array in private memory that has to stay one"
                                             : "a pointer to the generic address space");
  graph->uses_private |= node->space == SPACE_PRIVATE || node->space == SPACE_GENERIC;
  graph->uses_local |= node->space == SPACE_LOCAL || node->space == SPACE_GENERIC;
  graph->uses_narrow |= bytes < 4;
  node->bytes = bytes;
}

static struct node *table_load(struct maker *m, const struct table *table, struct node *address, unsigned bytes) {
  struct builder *b = &m->builder;
  struct node *word = build_node(b, OP_TABLE, 32, (uint64_t)(table - m->graph->tables), 1, &address);
  if (bytes == 4)
    return word;
  struct node *bits =
      build_two(b, OP_SHL, build_resize(b, build_slice(b, address, 0, 2), 32, false), make_constant(m, 32, 3));
  return build_slice(b, build_two(b, OP_LSHR, word, bits), 0, bytes * 8);
}

struct node *make_load(struct maker *m, LLVMValueRef instruction) {
  struct builder *b = &m->builder;
  LLVMValueRef pointer = LLVMGetOperand(instruction, 0);
  struct node *address = make_value(m, pointer);
  const unsigned width = make_width_of(m, LLVMTypeOf(instruction));
  if (!address || width == 0) {
    make_refuse(
        m, instruction,
        !address ? "it reads through a pointer that is not known here" : "it reads a type that pipelines do not have");
    return make_constant(m, width != 0 ? width : 32, 0);
  }
  const unsigned bytes = width <= 8 ? 1 : width <= 16 ? 2 : width <= 32 ? 4 : 8;
  const struct table *table = table_behind(m->graph, pointer);
  struct node *words[2];
  for (unsigned i = 0; i < (bytes == 8 ? 2 : 1); i++) {
    struct node *at = build_add(b, address, 4 * i);
    if (table) {
      words[i] = table_load(m, table, at, bytes == 8 ? 4 : bytes);
      continue;
    }
    words[i] =
        build_ordered(b, OP_LOAD, bytes == 8 ? 32 : bytes * 8, 0, 2, (struct node *[]){at, make_active_lanes(m)});
    words[i]->site = make_site(m->graph, instruction, "load");
    touch(m, words[i], instruction, pointer, bytes == 8 ? 4 : bytes);
  }
  for (struct region *r = b->region; r && !table; r = r->parent)
    r->touches_memory = true;
  return bytes == 8 ? build_resize(b, build_concat(b, words[1], words[0]), width, false)
                    : build_slice(b, words[0], 0, width);
}

void make_store(struct maker *m, LLVMValueRef instruction) {
  struct builder *b = &m->builder;
  LLVMValueRef pointer = LLVMGetOperand(instruction, 1);
  struct node *address = make_value(m, pointer), *data = make_value(m, LLVMGetOperand(instruction, 0));
  if (!address || !data) {
    make_refuse(m, instruction, "it stores a value, or through a pointer, that pipelines do not have");
    return;
  }
  const unsigned bytes = data->width <= 8 ? 1 : data->width <= 16 ? 2 : data->width <= 32 ? 4 : 8;
  data = build_resize(b, data, bytes * 8, false);
  for (unsigned i = 0; i < (bytes == 8 ? 2 : 1); i++) {
    struct node *word = bytes == 8 ? build_slice(b, data, 32 * i, 32) : build_resize(b, data, 32, false);
    struct node *node = build_ordered(b, OP_STORE, 0, 0, 3,
                                      (struct node *[]){build_add(b, address, 4 * i), word, make_active_lanes(m)});
    node->site = make_site(m->graph, instruction, "store");
    touch(m, node, instruction, pointer, bytes == 8 ? 4 : bytes);
  }
}

struct node *make_atomic(struct maker *m, LLVMValueRef instruction) {
  static const struct {
    LLVMAtomicRMWBinOp op;
    unsigned funct5;
  } known[] = {{LLVMAtomicRMWBinOpXchg, 1}, {LLVMAtomicRMWBinOpAdd, 0},  {LLVMAtomicRMWBinOpSub, 0},
               {LLVMAtomicRMWBinOpAnd, 12}, {LLVMAtomicRMWBinOpOr, 8},   {LLVMAtomicRMWBinOpXor, 4},
               {LLVMAtomicRMWBinOpMax, 20}, {LLVMAtomicRMWBinOpMin, 16}, {LLVMAtomicRMWBinOpUMax, 28},
               {LLVMAtomicRMWBinOpUMin, 24}};
  struct builder *b = &m->builder;
  LLVMValueRef pointer = LLVMGetOperand(instruction, 0);
  struct node *address = make_value(m, pointer), *operand = make_value(m, LLVMGetOperand(instruction, 1));
  const LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(instruction);
  for (unsigned i = 0; i < sizeof known / sizeof known[0]; i++)
    if (known[i].op == op && address && operand && operand->width == 32) {
      if (op == LLVMAtomicRMWBinOpSub)
        operand = build_two(b, OP_SUB, make_constant(m, 32, 0), operand);
      struct node *node = build_ordered(b, OP_ATOMIC, 32, known[i].funct5, 3,
                                        (struct node *[]){address, operand, make_active_lanes(m)});
      node->site = make_site(m->graph, instruction, "atomic");
      touch(m, node, instruction, pointer, 4);
      m->graph->uses_atomic = true;
      for (struct region *r = b->region; r; r = r->parent)
        r->touches_memory = true;
      return node;
    }
  make_refuse(m, instruction, "an atomic operation that pipelines do not have yet");
  return make_constant(m, 32, 0);
}
