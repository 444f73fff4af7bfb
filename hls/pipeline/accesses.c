// SPDX-License-Identifier: Apache-2.0
// Loads, stores and atomics of a graph, each with its site: the place in the source that a fault names.
#include <stdlib.h>
#include <string.h>

#include "contract/argument.h"
#include "hls/address_spaces.h"
#include "hls/ir.h"
#include "hls/pipeline/address_spaces.h"
#include "hls/pipeline/compare_exchange.h"
#include "hls/pipeline/ivdep.h"
#include "hls/pipeline/maker.h"
#include "hls/pipeline/tables.h"
#include "hls/pipeline/variables.h"

unsigned make_site(struct graph *graph, LLVMValueRef instruction, const char *what) {
  const struct ir_place place = ir_place_of(instruction);
  char *file = graph_allocate(place.file_length + 1);
  memcpy(file, place.file, place.file_length);
  if ((graph->site_count & (graph->site_count - 1)) == 0)
    graph->sites = realloc(graph->sites, (graph->site_count != 0 ? 2 * graph->site_count : 1) * sizeof *graph->sites);
  graph->sites[graph->site_count] = (struct site){file, place.line, place.column, what};
  return graph->site_count++;
}

struct node *make_active_lanes(struct maker *m) {
  return build_and(&m->builder, m->builder.region->mask, m->condition);
}

enum { MOST_PRIVATE_LOG2 = 18 };  // bytes on the chip, of all work-items that are under way

// Its place among the work-item's arrays, in a power of two of bytes, which is what the memory port checks.
struct node *make_array(struct maker *m, LLVMValueRef alloca) {
  struct graph *graph = m->graph;
  if (make_own_array(m, alloca, 0))
    return make_constant(m, 32, 0);
  const uint64_t size = LLVMABISizeOfType(graph->layout, LLVMGetAllocatedType(alloca));
  const unsigned align = LLVMGetAlignment(alloca) < 4 ? 4 : LLVMGetAlignment(alloca);
  const uint64_t at = (graph->private_bytes + align - 1) / align * align;
  unsigned log2 = 3;
  while (log2 < 20 && at + size > 1u << log2)
    log2++;
  const unsigned all_log2 = log2 + graph->slots_log2 + graph->lanes_log2;
  // How many there are is not known if the count is no constant.
  const unsigned long long bytes = at + size;
  if (graph->may_have_few && all_log2 > MOST_PRIVATE_LOG2)
    graph->wants_few = true;
  else if (!LLVMIsAConstantInt(LLVMGetOperand(alloca, 0)) || bytes > 1u << log2 || all_log2 > MOST_PRIVATE_LOG2) {
    make_refuse(
        m, alloca,
        "its arrays in private memory have %llu bytes, which for %u sub-groups of %u work-items is more than the "
        "%u KiB that may be on the chip: fewer of them (--slots, --lanes) need less, and local memory is shared",
        bytes, 1u << graph->slots_log2, graph->lanes, (1u << MOST_PRIVATE_LOG2) / 1024);
    return make_constant(m, 32, 0);
  }
  graph->private_bytes = (unsigned)bytes;
  graph->private_log2 = log2;
  return make_constant(m, 32, PRIVATE_WINDOW + at);
}

static void touch(struct maker *m, struct node *node, LLVMValueRef pointer, unsigned bytes) {
  struct graph *graph = m->graph;
  switch (table_address_space(pointer)) {
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
  if (node->space == SPACE_PRIVATE) {
    // A struct that is passed by value lies behind the packet. What may be this or an array is seen by its address.
    LLVMValueRef base = table_base(pointer);
    if (base && LLVMIsAArgument(base))
      node->space = SPACE_GLOBAL;
    else if (!base || !LLVMIsAAllocaInst(base))
      node->space = SPACE_GENERIC;
  }
  graph->uses_local |= node->space == SPACE_LOCAL || node->space == SPACE_GENERIC;
  graph->uses_narrow |= bytes < 4;
  node->bytes = bytes;
}

static struct node *table_load(struct maker *m, const struct table *table, struct node *address, unsigned bytes) {
  struct builder *b = &m->builder;
  const unsigned number = (unsigned)(table - m->graph->tables);
  m->graph->tables[number].is_read = true;
  struct node *word = build_node(b, OP_TABLE, 32, number, 1, &address);
  if (bytes == 4)
    return word;
  struct node *bits =
      build_two(b, OP_SHL, build_resize(b, build_slice(b, address, 0, 2), 32, false), make_constant(m, 32, 3));
  return build_slice(b, build_two(b, OP_LSHR, word, bits), 0, bytes * 8);
}

// What the preamble asks of a load (preamble.c).
static void mark_constant(const struct maker *m, struct node *load, LLVMValueRef pointer) {
  const struct kernel *kernel = m->graph->source;
  LLVMValueRef base = table_base(pointer);
  load->stays = load->number == 0 && LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == CONSTANT_ADDRESS_SPACE;
  for (unsigned i = 0; base && i < kernel->argument_count; i++)
    load->is_descriptor |= kernel->arguments[i].kind == HEDDLE_IMAGE && base == LLVMGetParam(m->graph->function, i);
}

// Of several tables the address tells which it is: each has addresses of its own. What is in none is in memory.
static struct node *load_word(struct maker *m, LLVMValueRef instruction, const struct tables_behind *tables,
                              struct node *address, unsigned bytes) {
  struct builder *b = &m->builder;
  const bool is_one = tables->count == 1 && !tables->others;
  struct node *number = is_one || tables->count == 0 ? NULL : build_slice(b, address, TABLE_LOG2, 32 - TABLE_LOG2);
  struct node *lanes = make_active_lanes(m), *word = NULL;
  for (unsigned i = 0; i < tables->count; i++) {
    struct node *own = table_load(m, tables->tables[i], address, bytes);
    if (is_one)
      return own;
    struct node *is_it =
        build_compare(b, OP_EQ, number, make_constant(m, 32 - TABLE_LOG2, tables->tables[i]->base >> TABLE_LOG2));
    word = !word ? own : build_select(b, is_it, own, word);
    lanes = build_and(b, lanes, build_not(b, is_it));
  }
  if (tables->count != 0 && !tables->others)
    return word;
  LLVMValueRef pointer = LLVMGetOperand(instruction, 0);
  struct node *load =
      build_ordered(b, OP_LOAD, bytes * 8, !ir_is_plain(instruction), 2, (struct node *[]){address, lanes});
  load->site = make_site(m->graph, instruction, "load");
  load->is_seldom = coalesce_is_seldom(instruction);
  load->ivdep = ivdep_loops(instruction);
  touch(m, load, pointer, bytes);
  if (!word) {
    mark_constant(m, load, pointer);
    return load;
  }
  struct node *is_table =
      build_compare(b, OP_EQ, build_slice(b, number, 12, 4), make_constant(m, 4, HEDDLE_PIPELINE_TABLES >> 28));
  return build_select(b, is_table, word, load);
}

static struct node *atomic(struct maker *m, LLVMValueRef instruction, unsigned funct5, struct node *address,
                           struct node *operand) {
  struct node *arguments[] = {address, operand, make_active_lanes(m)};
  struct node *node = build_ordered(&m->builder, OP_ATOMIC, 32, funct5, 3, arguments);
  node->site = make_site(m->graph, instruction, "atomic");
  touch(m, node, LLVMGetOperand(instruction, 0), 4);
  m->graph->uses_atomic = true;
  for (struct region *r = m->builder.region; r; r = r->parent)
    r->touches_memory = true;
  return node;
}

enum { LOAD_RESERVED = 2, STORE_CONDITIONAL = 3 };

// Where it is a variable of the program, whose place the kernel file has: then the kernel is given up.
static void refuse_variable(struct maker *m, LLVMValueRef instruction, LLVMValueRef pointer) {
  LLVMValueRef base = table_base(pointer);
  size_t length;
  if (!base || !LLVMIsAGlobalVariable(base))
    return;
  if (LLVMGetPointerAddressSpace(LLVMTypeOf(base)) == LOCAL_ADDRESS_SPACE)
    make_refuse(m, instruction, "its local variable '%s' has %llu bytes; there are %d of local memory",
                LLVMGetValueName2(base, &length), LLVMABISizeOfType(m->graph->layout, LLVMGlobalGetValueType(base)),
                MOST_LOCAL_MEMORY);
  else
    make_refuse(m, instruction, "it has more than %d program-scope variables in memory, or %d constant ones",
                MOST_VARIABLES, MOST_TABLES);
}

struct node *make_load(struct maker *m, LLVMValueRef instruction) {
  struct builder *b = &m->builder;
  struct node *element;
  if (make_element(m, instruction, &element))
    return element;
  LLVMValueRef pointer = LLVMGetOperand(instruction, 0);
  struct node *address = make_value(m, pointer);
  const unsigned width = make_width_of(m, LLVMTypeOf(instruction));
  if (!address || width == 0) {
    if (!address)
      refuse_variable(m, instruction, pointer);
    make_refuse(
        m, instruction,
        !address ? "it reads through a pointer that is not known here" : "it reads a type that pipelines do not have");
    return make_constant(m, width != 0 ? width : 32, 0);
  }
  // A reservation is a slot's, and kernels of a chain have the same slots.
  if (compare_exchange_is_reserve(instruction) && m->graph->pipe_count != 0)
    make_refuse(m, instruction, "a compare-and-exchange in a kernel that has a pipe on the chip");
  if (compare_exchange_is_reserve(instruction))
    return atomic(m, instruction, LOAD_RESERVED, address, make_constant(m, 32, 0));
  const unsigned bytes = make_bytes_of(width);
  const struct tables_behind tables = tables_behind(m->graph, pointer);
  if (tables.too_many)
    make_refuse(m, instruction, "it reads through a pointer that may be to one of more than %d constant variables",
                MOST_TABLES_BEHIND);
  struct node *words[2];
  for (unsigned i = 0; i < (bytes == 8 ? 2 : 1); i++)
    words[i] = load_word(m, instruction, &tables, build_add(b, address, 4 * i), bytes == 8 ? 4 : bytes);
  for (struct region *r = b->region; r && (tables.count == 0 || tables.others); r = r->parent)
    r->touches_memory = true;
  return bytes == 8 ? build_resize(b, build_concat(b, words[1], words[0]), width, false)
                    : build_slice(b, words[0], 0, width);
}

void make_store(struct maker *m, LLVMValueRef instruction) {
  struct builder *b = &m->builder;
  struct node *element;
  if (make_element(m, instruction, &element))
    return;
  LLVMValueRef pointer = LLVMGetOperand(instruction, 1);
  struct node *address = make_value(m, pointer), *data = make_value(m, LLVMGetOperand(instruction, 0));
  if (!address || !data || data->width > 64) {
    if (!address)
      refuse_variable(m, instruction, pointer);
    make_refuse(m, instruction, "it stores a value, or through a pointer, that pipelines do not have");
    return;
  }
  const unsigned bytes = make_bytes_of(data->width);
  data = build_resize(b, data, bytes * 8, false);
  for (unsigned i = 0; i < (bytes == 8 ? 2 : 1); i++) {
    struct node *word = bytes == 8 ? build_slice(b, data, 32 * i, 32) : build_resize(b, data, 32, false);
    struct node *node = build_ordered(b, OP_STORE, 0, 0, 3,
                                      (struct node *[]){build_add(b, address, 4 * i), word, make_active_lanes(m)});
    node->site = make_site(m->graph, instruction, "store");
    node->is_seldom = coalesce_is_seldom(instruction);
    node->ivdep = ivdep_loops(instruction);
    touch(m, node, pointer, bytes == 8 ? 4 : bytes);
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
  struct node *address = make_value(m, LLVMGetOperand(instruction, 0)),
              *operand = make_value(m, LLVMGetOperand(instruction, 1));
  const LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(instruction);
  for (unsigned i = 0; i < sizeof known / sizeof known[0]; i++)
    if (known[i].op == op && address && operand && operand->width == 32) {
      if (op == LLVMAtomicRMWBinOpSub)
        operand = build_two(&m->builder, OP_SUB, make_constant(m, 32, 0), operand);
      const bool is_conditional = compare_exchange_is_conditional(instruction);
      return atomic(m, instruction, is_conditional ? STORE_CONDITIONAL : known[i].funct5, address, operand);
    }
  if (operand && operand->width != 32)
    make_refuse(m, instruction, "an atomic operation of %u bits: memories have those of 32", operand->width);
  if (!address)
    refuse_variable(m, instruction, LLVMGetOperand(instruction, 0));
  make_refuse(m, instruction, "an atomic operation that pipelines do not have");
  return make_constant(m, 32, 0);
}
