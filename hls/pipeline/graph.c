// SPDX-License-Identifier: Apache-2.0
// Makes the graph of a kernel from LLVM's IR behind prepare.c: every loop has one latch, which is its only exit.
// Branches become conditions: each block has one within its region, phis of joins become selects, and only what touches
// memory or other lanes looks at them.
#include "hls/pipeline/graph.h"

#include <llvm-c/DebugInfo.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "hls/ir.h"
#include "hls/pipeline/build.h"
#include "hls/pipeline/calls.h"
#include "hls/pipeline/tables.h"

#define LOCAL_WINDOW 0x80000000u
#define PRIVATE_WINDOW 0xC0000000u
enum { MOST_ARGUMENTS = 8 };  // of an intrinsic

struct edge {
  LLVMBasicBlockRef from, to;
  struct node *condition;
};

struct value_of {
  LLVMValueRef value;
  struct node *node;
};

struct maker {
  struct graph *graph;
  struct builder builder;
  enum status status;
  LLVMBasicBlockRef *order;  // reverse postorder
  unsigned block_count;
  struct edge *edges;
  unsigned edge_count;
  struct value_of *values;  // a hash table
  size_t value_room, value_count;
  struct node *condition;  // of the block at hand, in its region
};

// ---- errors

static unsigned line_of(LLVMValueRef instruction) {
  LLVMMetadataRef location = LLVMIsAInstruction(instruction) ? LLVMInstructionGetDebugLoc(instruction) : NULL;
  return location ? LLVMDILocationGetLine(location) : 0;
}

static void refuse(struct maker *m, LLVMValueRef where, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void refuse(struct maker *m, LLVMValueRef where, const char *format, ...) {
  if (m->status != STATUS_OK)
    return;
  m->status = STATUS_REJECTED;
  if (where && LLVMIsAInstruction(where))
    ir_print_place(where);
  fprintf(stderr, "error: kernel '%s' cannot be hardware: ", m->graph->kernel);
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fprintf(stderr, "\n");
}

// ---- values by LLVM's

static struct value_of *find_value(struct maker *m, LLVMValueRef value) {
  size_t at = ((uintptr_t)value >> 4) * 0x9E3779B97F4A7C15ull % m->value_room;
  while (m->values[at].value && m->values[at].value != value)
    at = (at + 1) % m->value_room;
  return &m->values[at];
}

static void set_value(struct maker *m, LLVMValueRef value, struct node *node) {
  if (2 * m->value_count >= m->value_room) {
    struct value_of *old = m->values;
    const size_t room = m->value_room;
    m->value_room = room != 0 ? 2 * room : 1024;
    m->values = graph_allocate(m->value_room * sizeof *m->values);
    for (size_t i = 0; i < room; i++)
      if (old[i].value)
        *find_value(m, old[i].value) = old[i];
  }
  struct value_of *entry = find_value(m, value);
  if (!entry->value)
    m->value_count++;
  *entry = (struct value_of){value, node};
}

static unsigned width_of(struct maker *m, LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind: {
      const unsigned width = LLVMGetIntTypeWidth(type);
      return width <= 64 ? width : 0;
    }
    case LLVMFloatTypeKind:
    case LLVMPointerTypeKind:
      return 32;
    case LLVMHalfTypeKind:
      return 16;
    case LLVMVoidTypeKind:
      return 0;
    default:
      (void)m;
      return 0;
  }
}

bool graph_encloses(const struct region *outer, const struct region *inner) {
  for (; inner; inner = inner->parent)
    if (inner == outer)
      return true;
  return false;
}

// A value as region r sees it: of an inner loop it is what each lane's last round left.
static struct node *seen_from(struct maker *m, struct region *r, struct node *node) {
  struct region *made = node->region;
  if (!made || graph_encloses(made, r))
    return node;
  // The innermost region that has both.
  while (r->parent && !graph_encloses(r, made))
    r = r->parent;
  struct region *loop = made;
  while (loop->parent && loop->parent != r)
    loop = loop->parent;
  if (loop != made)
    node = seen_from(m, loop, node);
  if (!node->region)
    return node;
  if (node->out)
    return node->out;
  struct builder b = m->builder;
  b.region = r;
  return node->out = build_out(&b, loop, node, 0);
}

static struct node *value(struct maker *m, LLVMValueRef v);

// ---- constants, globals and addresses

static struct node *constant(struct maker *m, unsigned width, uint64_t number) {
  return build_constant(m->graph, width, number);
}

static struct node *address_of_element(struct maker *m, LLVMValueRef gep) {
  struct builder *b = &m->builder;
  struct node *address = value(m, LLVMGetOperand(gep, 0));
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  const int count = LLVMGetNumOperands(gep);
  for (int i = 1; i < count && address; i++) {
    LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);
    if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      const unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
      address = build_add(b, address, LLVMOffsetOfElement(m->graph->layout, type, field));
      type = LLVMStructGetTypeAtIndex(type, field);
      continue;
    }
    if (i > 1)
      type = LLVMGetElementType(type);
    const uint64_t size = LLVMABISizeOfType(m->graph->layout, type);
    struct node *number = value(m, index);
    if (!number)
      return NULL;
    number = build_resize(b, number, 32, true);
    address = build_two(b, OP_ADD, address, build_two(b, OP_MUL, number, constant(m, 32, size)));
  }
  return address;
}

static struct node *global_address(struct maker *m, LLVMValueRef global) {
  struct graph *graph = m->graph;
  const unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(global));
  LLVMTypeRef type = LLVMGlobalGetValueType(global);
  if (space == 3) {
    // In the order in which they are met, as the kernel file's own layout needs the same room.
    const uint64_t size = LLVMABISizeOfType(graph->layout, type);
    unsigned align = LLVMGetAlignment(global);
    if (align == 0)
      align = LLVMABIAlignmentOfType(graph->layout, type);
    const uint64_t at = (graph->local_bytes + align - 1) / align * align;
    if (at + size > 0x100000)
      return NULL;
    graph->local_bytes = (unsigned)(at + size);
    return constant(m, 32, LOCAL_WINDOW + at);
  }
  const struct table *table = table_of(graph, global);
  return table ? constant(m, 32, table->base) : NULL;
}

static struct node *constant_value(struct maker *m, LLVMValueRef v) {
  LLVMTypeRef type = LLVMTypeOf(v);
  const unsigned width = width_of(m, type);
  if (width == 0)
    return NULL;
  if (LLVMIsUndef(v) || LLVMIsPoison(v) || LLVMIsNull(v))
    return constant(m, width, 0);
  if (LLVMIsAConstantInt(v))
    return constant(m, width, LLVMConstIntGetZExtValue(v));
  if (LLVMIsAConstantFP(v)) {
    LLVMBool lost;
    const double number = LLVMConstRealGetDouble(v, &lost);
    if (width == 32) {
      const float narrow = (float)number;
      uint32_t bits;
      memcpy(&bits, &narrow, sizeof bits);
      return constant(m, 32, number != number ? 0x7FC00000 : bits);
    }
    return NULL;
  }
  if (LLVMIsAGlobalVariable(v))
    return global_address(m, v);
  if (LLVMIsAConstantExpr(v)) {
    switch (LLVMGetConstOpcode(v)) {
      case LLVMGetElementPtr:
        return address_of_element(m, v);
      case LLVMPtrToInt:
      case LLVMIntToPtr:
      case LLVMBitCast:
      case LLVMAddrSpaceCast: {
        struct node *node = value(m, LLVMGetOperand(v, 0));
        return node ? build_resize(&m->builder, node, width, false) : NULL;
      }
      case LLVMAdd:
      case LLVMSub: {
        struct node *x = value(m, LLVMGetOperand(v, 0)), *y = value(m, LLVMGetOperand(v, 1));
        return x && y ? build_two(&m->builder, LLVMGetConstOpcode(v) == LLVMAdd ? OP_ADD : OP_SUB, x, y) : NULL;
      }
      default:
        return NULL;
    }
  }
  return NULL;
}

static struct node *value(struct maker *m, LLVMValueRef v) {
  if (m->value_room != 0) {
    struct value_of *entry = find_value(m, v);
    if (entry->value)
      return entry->node ? seen_from(m, m->builder.region, entry->node) : NULL;
  }
  if (!LLVMIsConstant(v))
    return NULL;
  struct node *node = constant_value(m, v);
  if (node && LLVMIsAGlobalVariable(v))
    set_value(m, v, node);
  return node;
}

// ---- arguments

// The argument block has natural alignment; its first word is word 16 of the packet.
static void make_arguments(struct maker *m) {
  struct graph *graph = m->graph;
  unsigned at = 0;
  const unsigned count = LLVMCountParams(graph->function);
  const unsigned byval_kind = LLVMGetEnumAttributeKindForName("byval", 5);
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef parameter = LLVMGetParam(graph->function, i);
    LLVMTypeRef type = LLVMTypeOf(parameter);
    LLVMAttributeRef byval = LLVMGetEnumAttributeAtIndex(graph->function, i + 1, byval_kind);
    if (byval)
      type = LLVMGetTypeAttributeValue(byval);
    const unsigned size = (unsigned)LLVMABISizeOfType(graph->layout, type);
    const unsigned align = LLVMABIAlignmentOfType(graph->layout, type);
    at = (at + align - 1) / align * align;
    if (byval) {
      struct node *packet = call_word(&m->builder, PACKET_ADDRESS, 0, 32);
      set_value(m, parameter, build_add(&m->builder, packet, 64 + at));
    } else if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) {
      set_value(m, parameter, NULL);  // its elements are taken by extractelement
    } else {
      const unsigned width = width_of(m, type);
      if (width == 0) {
        refuse(m, NULL, "argument %u has a type that pipelines do not have", i + 1);
        return;
      }
      struct node *node = call_word(&m->builder, 16 + at / 4, at % 4 * 8, width < 32 ? width : 32);
      if (width > 32)
        node = build_concat(&m->builder, call_word(&m->builder, 17 + at / 4, 0, width - 32), node);
      set_value(m, parameter, node);
    }
    at += size;
  }
}

static struct node *argument_element(struct maker *m, LLVMValueRef instruction) {
  LLVMValueRef vector = LLVMGetOperand(instruction, 0), index = LLVMGetOperand(instruction, 1);
  if (!LLVMIsAArgument(vector) || !LLVMIsAConstantInt(index))
    return NULL;
  struct graph *graph = m->graph;
  unsigned at = 0;
  const unsigned byval_kind = LLVMGetEnumAttributeKindForName("byval", 5);
  for (unsigned i = 0;; i++) {
    LLVMValueRef parameter = LLVMGetParam(graph->function, i);
    LLVMTypeRef type = LLVMTypeOf(parameter);
    LLVMAttributeRef byval = LLVMGetEnumAttributeAtIndex(graph->function, i + 1, byval_kind);
    if (byval)
      type = LLVMGetTypeAttributeValue(byval);
    const unsigned align = LLVMABIAlignmentOfType(graph->layout, type);
    at = (at + align - 1) / align * align;
    if (parameter == vector) {
      const unsigned width = width_of(m, LLVMGetElementType(type));
      const unsigned bit = (unsigned)LLVMConstIntGetZExtValue(index) * width;
      if (width == 0 || width > 32)
        return NULL;
      return call_word(&m->builder, 16 + at / 4 + (at % 4 * 8 + bit) / 32, (at % 4 * 8 + bit) % 32, width);
    }
    at += (unsigned)LLVMABISizeOfType(graph->layout, type);
  }
}

// ---- memory

static unsigned new_site(struct graph *graph, LLVMValueRef instruction, const char *what) {
  LLVMMetadataRef location = LLVMInstructionGetDebugLoc(instruction);
  if ((graph->site_count & (graph->site_count - 1)) == 0)
    graph->sites = realloc(graph->sites, (graph->site_count != 0 ? 2 * graph->site_count : 1) * sizeof *graph->sites);
  graph->sites[graph->site_count] = (struct site){location ? LLVMDILocationGetLine(location) : 0,
                                                  location ? LLVMDILocationGetColumn(location) : 0, what};
  return graph->site_count++;
}

static struct node *active_lanes(struct maker *m) {
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
    refuse(m, instruction,
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
      build_two(b, OP_SHL, build_resize(b, build_slice(b, address, 0, 2), 32, false), constant(m, 32, 3));
  return build_slice(b, build_two(b, OP_LSHR, word, bits), 0, bytes * 8);
}

static struct node *load(struct maker *m, LLVMValueRef instruction) {
  struct builder *b = &m->builder;
  LLVMValueRef pointer = LLVMGetOperand(instruction, 0);
  struct node *address = value(m, pointer);
  const unsigned width = width_of(m, LLVMTypeOf(instruction));
  if (!address || width == 0) {
    refuse(
        m, instruction,
        !address ? "it reads through a pointer that is not known here" : "it reads a type that pipelines do not have");
    return constant(m, width != 0 ? width : 32, 0);
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
    words[i] = build_ordered(b, OP_LOAD, bytes == 8 ? 32 : bytes * 8, 0, 2, (struct node *[]){at, active_lanes(m)});
    words[i]->site = new_site(m->graph, instruction, "load");
    touch(m, words[i], instruction, pointer, bytes == 8 ? 4 : bytes);
  }
  for (struct region *r = b->region; r && !table; r = r->parent)
    r->touches_memory = true;
  return bytes == 8 ? build_resize(b, build_concat(b, words[1], words[0]), width, false)
                    : build_slice(b, words[0], 0, width);
}

static void store(struct maker *m, LLVMValueRef instruction) {
  struct builder *b = &m->builder;
  LLVMValueRef pointer = LLVMGetOperand(instruction, 1);
  struct node *address = value(m, pointer), *data = value(m, LLVMGetOperand(instruction, 0));
  if (!address || !data) {
    refuse(m, instruction, "it stores a value, or through a pointer, that pipelines do not have");
    return;
  }
  const unsigned bytes = data->width <= 8 ? 1 : data->width <= 16 ? 2 : data->width <= 32 ? 4 : 8;
  data = build_resize(b, data, bytes * 8, false);
  for (unsigned i = 0; i < (bytes == 8 ? 2 : 1); i++) {
    struct node *word = bytes == 8 ? build_slice(b, data, 32 * i, 32) : build_resize(b, data, 32, false);
    struct node *node =
        build_ordered(b, OP_STORE, 0, 0, 3, (struct node *[]){build_add(b, address, 4 * i), word, active_lanes(m)});
    node->site = new_site(m->graph, instruction, "store");
    touch(m, node, instruction, pointer, bytes == 8 ? 4 : bytes);
  }
}

static struct node *atomic(struct maker *m, LLVMValueRef instruction) {
  static const struct {
    LLVMAtomicRMWBinOp op;
    unsigned funct5;
  } known[] = {{LLVMAtomicRMWBinOpXchg, 1}, {LLVMAtomicRMWBinOpAdd, 0},  {LLVMAtomicRMWBinOpSub, 0},
               {LLVMAtomicRMWBinOpAnd, 12}, {LLVMAtomicRMWBinOpOr, 8},   {LLVMAtomicRMWBinOpXor, 4},
               {LLVMAtomicRMWBinOpMax, 20}, {LLVMAtomicRMWBinOpMin, 16}, {LLVMAtomicRMWBinOpUMax, 28},
               {LLVMAtomicRMWBinOpUMin, 24}};
  struct builder *b = &m->builder;
  LLVMValueRef pointer = LLVMGetOperand(instruction, 0);
  struct node *address = value(m, pointer), *operand = value(m, LLVMGetOperand(instruction, 1));
  const LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(instruction);
  for (unsigned i = 0; i < sizeof known / sizeof known[0]; i++)
    if (known[i].op == op && address && operand && operand->width == 32) {
      if (op == LLVMAtomicRMWBinOpSub)
        operand = build_two(b, OP_SUB, constant(m, 32, 0), operand);
      struct node *node =
          build_ordered(b, OP_ATOMIC, 32, known[i].funct5, 3, (struct node *[]){address, operand, active_lanes(m)});
      node->site = new_site(m->graph, instruction, "atomic");
      touch(m, node, instruction, pointer, 4);
      m->graph->uses_atomic = true;
      for (struct region *r = b->region; r; r = r->parent)
        r->touches_memory = true;
      return node;
    }
  refuse(m, instruction, "an atomic operation that pipelines do not have yet");
  return constant(m, 32, 0);
}

// ---- instructions

static struct node *float_compare(struct maker *m, LLVMRealPredicate predicate, struct node *x, struct node *y) {
  struct builder *b = &m->builder;
  struct node *less = build_compare(b, OP_FLT, x, y), *greater = build_compare(b, OP_FLT, y, x);
  struct node *equal = build_compare(b, OP_FEQ, x, y);
  struct node *unordered = build_or(b, build_node(b, OP_NAN, 1, 0, 1, &x), build_node(b, OP_NAN, 1, 0, 1, &y));
  switch (predicate) {
    case LLVMRealPredicateFalse:
      return constant(m, 1, 0);
    case LLVMRealOEQ:
      return equal;
    case LLVMRealOGT:
      return greater;
    case LLVMRealOGE:
      return build_or(b, greater, equal);
    case LLVMRealOLT:
      return less;
    case LLVMRealOLE:
      return build_or(b, less, equal);
    case LLVMRealONE:
      return build_or(b, less, greater);
    case LLVMRealORD:
      return build_not(b, unordered);
    case LLVMRealUNO:
      return unordered;
    case LLVMRealUEQ:
      return build_not(b, build_or(b, less, greater));
    case LLVMRealUGT:
      return build_not(b, build_or(b, less, equal));
    case LLVMRealUGE:
      return build_not(b, less);
    case LLVMRealULT:
      return build_not(b, build_or(b, greater, equal));
    case LLVMRealULE:
      return build_not(b, greater);
    case LLVMRealUNE:
      return build_not(b, equal);
    default:
      return constant(m, 1, 1);
  }
}

static struct node *int_compare(struct maker *m, LLVMIntPredicate predicate, struct node *x, struct node *y) {
  struct builder *b = &m->builder;
  switch (predicate) {
    case LLVMIntEQ:
      return build_compare(b, OP_EQ, x, y);
    case LLVMIntNE:
      return build_not(b, build_compare(b, OP_EQ, x, y));
    case LLVMIntUGT:
      return build_compare(b, OP_ULT, y, x);
    case LLVMIntUGE:
      return build_not(b, build_compare(b, OP_ULT, x, y));
    case LLVMIntULT:
      return build_compare(b, OP_ULT, x, y);
    case LLVMIntULE:
      return build_not(b, build_compare(b, OP_ULT, y, x));
    case LLVMIntSGT:
      return build_compare(b, OP_SLT, y, x);
    case LLVMIntSGE:
      return build_not(b, build_compare(b, OP_SLT, x, y));
    case LLVMIntSLT:
      return build_compare(b, OP_SLT, x, y);
    default:
      return build_not(b, build_compare(b, OP_SLT, y, x));
  }
}

static bool is_two(const struct node *node) {
  return node->op == OP_CONSTANT && node->number == 0x40000000u;
}

// A float times two, which needs no multiplier: the exponent grows by one, or a subnormal moves up. A NaN becomes the
// canonical one.
static struct node *twice(struct maker *m, struct node *x) {
  struct builder *b = &m->builder;
  struct node *sign = build_two(b, OP_AND, x, constant(m, 32, 0x80000000u));
  struct node *exponent = build_slice(b, x, 23, 8);
  struct node *infinite = build_two(b, OP_OR, sign, constant(m, 32, 0x7f800000u));
  struct node *moved = build_two(b, OP_OR, sign, build_two(b, OP_SHL, x, constant(m, 32, 1)));
  struct node *grown = build_add(b, x, 0x00800000u);
  struct node *finite = build_select(b, build_compare(b, OP_EQ, exponent, constant(m, 8, 0)), moved, grown);
  struct node *is_huge = build_compare(b, OP_ULT, constant(m, 8, 253), exponent);
  struct node *number = build_select(b, is_huge, infinite, finite);
  return build_select(b, build_node(b, OP_NAN, 1, 0, 1, &x), constant(m, 32, 0x7fc00000u), number);
}

// Signed division of magnitudes.
static struct node *divide(struct maker *m, bool is_signed, bool remainder, struct node *x, struct node *y) {
  struct builder *b = &m->builder;
  if (!is_signed)
    return build_node(b, OP_DIVIDE, x->width, remainder, 2, (struct node *[]){x, y});
  struct node *zero = constant(m, x->width, 0);
  struct node *x_sign = build_slice(b, x, x->width - 1, 1), *y_sign = build_slice(b, y, y->width - 1, 1);
  struct node *magnitudes[] = {build_select(b, x_sign, build_two(b, OP_SUB, zero, x), x),
                               build_select(b, y_sign, build_two(b, OP_SUB, zero, y), y)};
  struct node *result = build_node(b, OP_DIVIDE, x->width, remainder, 2, magnitudes);
  struct node *negative = remainder ? x_sign : build_two(b, OP_XOR, x_sign, y_sign);
  return build_select(b, negative, build_two(b, OP_SUB, zero, result), result);
}

// Whether lanes wait for each other at a primitive.
static bool is_converged(const struct primitive *primitive) {
  return primitive->meaning >= PRIMITIVE_REDUCE && primitive->meaning <= PRIMITIVE_BARRIER &&
         primitive->scope != PRIMITIVE_ACTIVE;
}

static void mark_meeting(struct maker *m, LLVMValueRef instruction, const struct primitive *primitive) {
  struct node *active = active_lanes(m);
  const bool is_group = primitive->scope == PRIMITIVE_WORK_GROUP;
  build_ordered(&m->builder, OP_MEETING, 0, is_group, 1, &active)->site =
      new_site(m->graph, instruction, primitive->meaning == PRIMITIVE_BARRIER ? "barrier" : "collective");
}

static struct node *call(struct maker *m, LLVMValueRef instruction) {
  LLVMValueRef callee = LLVMGetCalledValue(instruction);
  size_t length;
  const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
  static const char *const ignored[] = {"llvm.lifetime.", "llvm.assume", "llvm.dbg.", "llvm.experimental.noalias",
                                        "llvm.donothing"};
  for (unsigned i = 0; i < sizeof ignored / sizeof ignored[0]; i++)
    if (strncmp(name, ignored[i], strlen(ignored[i])) == 0)
      return NULL;
  const unsigned width = width_of(m, LLVMTypeOf(instruction));
  const struct primitive primitive = primitive_of(instruction);
  struct node *node = NULL;
  if (primitive.meaning != PRIMITIVE_NONE) {
    struct node *in = primitive.value ? value(m, primitive.value) : NULL;
    struct node *source = primitive.source ? value(m, primitive.source) : NULL;
    if (is_converged(&primitive))
      mark_meeting(m, instruction, &primitive);
    node = call_primitive(&m->builder, &primitive, in, source, active_lanes(m));
    if (!node) {
      refuse(m, instruction, "it calls %s", primitive_name(&primitive));
      return constant(m, width != 0 ? width : 32, 0);
    }
  } else {
    struct node *arguments[MOST_ARGUMENTS];
    const unsigned count = LLVMGetNumArgOperands(instruction);
    bool known = count <= MOST_ARGUMENTS;
    for (unsigned i = 0; i < count && known; i++) {
      arguments[i] = value(m, LLVMGetOperand(instruction, i));
      known = arguments[i];
    }
    node = known ? call_intrinsic(&m->builder, name, width, arguments) : NULL;
  }
  if (!node || (width != 0 && node->width < width)) {
    refuse(m, instruction, name[0] != 0 ? "it calls %s" : "it calls through a pointer%s", name);
    return constant(m, width != 0 ? width : 32, 0);
  }
  return width != 0 ? build_resize(&m->builder, node, width, false) : NULL;
}

static enum op integer_op(LLVMOpcode opcode) {
  switch (opcode) {
    case LLVMAdd:
      return OP_ADD;
    case LLVMSub:
      return OP_SUB;
    case LLVMMul:
      return OP_MUL;
    case LLVMAnd:
      return OP_AND;
    case LLVMOr:
      return OP_OR;
    case LLVMXor:
      return OP_XOR;
    case LLVMShl:
      return OP_SHL;
    case LLVMLShr:
      return OP_LSHR;
    case LLVMAShr:
      return OP_ASHR;
    default:
      return OP_CONSTANT;
  }
}

static struct node *make_instruction(struct maker *m, LLVMValueRef instruction) {
  struct builder *b = &m->builder;
  const LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  switch (opcode) {
    case LLVMLoad:
      return load(m, instruction);
    case LLVMStore:
      store(m, instruction);
      return NULL;
    case LLVMAtomicRMW:
      return atomic(m, instruction);
    case LLVMFence:
      return NULL;
    case LLVMCall:
      return call(m, instruction);
    case LLVMGetElementPtr:
      return address_of_element(m, instruction);
    case LLVMAlloca: {
      const uint64_t size = LLVMABISizeOfType(m->graph->layout, LLVMGetAllocatedType(instruction));
      const unsigned align = LLVMGetAlignment(instruction) < 4 ? 4 : LLVMGetAlignment(instruction);
      const uint64_t at = (m->graph->private_bytes + align - 1) / align * align;
      if (at + size > 1u << 19) {
        refuse(m, instruction, "an array of %llu bytes in private memory", (unsigned long long)size);
        return constant(m, 32, 0);
      }
      m->graph->private_bytes = (unsigned)(at + size);
      return constant(m, 32, PRIVATE_WINDOW + at);
    }
    case LLVMExtractElement: {
      struct node *node = argument_element(m, instruction);
      if (!node)
        refuse(m, instruction, "a vector that did not become scalars");
      return node ? node : constant(m, 32, 0);
    }
    default:
      break;
  }
  const unsigned width = width_of(m, LLVMTypeOf(instruction));
  // Operands that an instruction does not have are 0, so that nobody has to ask.
  struct node *const none = constant(m, 1, 0);
  struct node *a[3] = {none, none, none};
  const int count = LLVMGetNumOperands(instruction);
  for (int i = 0; i < count && i < 3; i++)
    a[i] = value(m, LLVMGetOperand(instruction, (unsigned)i));
  for (int i = 0; i < count && i < 3; i++)
    if (!a[i] || width == 0) {
      refuse(m, instruction, "a type or value that pipelines do not have");
      return constant(m, width != 0 ? width : 32, 0);
    }
  const bool is_half = width == 16 && LLVMGetTypeKind(LLVMTypeOf(instruction)) == LLVMHalfTypeKind;
  switch (opcode) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
      return build_two(b, integer_op(opcode), a[0], a[1]);
    case LLVMUDiv:
    case LLVMURem:
    case LLVMSDiv:
    case LLVMSRem:
      return divide(m, opcode == LLVMSDiv || opcode == LLVMSRem, opcode == LLVMURem || opcode == LLVMSRem, a[0], a[1]);
    case LLVMICmp:
      return int_compare(m, LLVMGetICmpPredicate(instruction), a[0], a[1]);
    case LLVMFCmp:
      if (a[0]->width == 32)
        return float_compare(m, LLVMGetFCmpPredicate(instruction), a[0], a[1]);
      break;
    case LLVMSelect:
      return build_select(b, a[0], a[1], a[2]);
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMFreeze:
      return build_resize(b, a[0], width, false);
    case LLVMSExt:
      return build_resize(b, a[0], width, true);
    case LLVMFNeg:
      return build_two(b, OP_XOR, a[0], constant(m, width, width != 0 ? 1ull << (width - 1) : 0));
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
      if (!is_half && width == 32)
        return is_two(a[1]) && opcode == LLVMFMul ? twice(m, a[0])
                                                  : build_node(b,
                                                               opcode == LLVMFAdd   ? OP_FADD
                                                               : opcode == LLVMFSub ? OP_FSUB
                                                                                    : OP_FMUL,
                                                               32, 0, 2, a);
      break;
    case LLVMFDiv:
      if (!is_half && width == 32)
        return build_node(b, OP_FDIV, 32, 0, 2, a);
      break;
    case LLVMUIToFP:
    case LLVMSIToFP:
      if (width == 32 && a[0]->width <= 32) {
        struct node *wide = build_resize(b, a[0], 32, opcode == LLVMSIToFP);
        return build_node(b, opcode == LLVMSIToFP ? OP_FROM_INT : OP_FROM_UINT, 32, PRIMITIVE_RNE, 1, &wide);
      }
      break;
    case LLVMFPToUI:
    case LLVMFPToSI:
      if (a[0]->width == 32 && width <= 32) {
        struct node *whole = build_node(b, opcode == LLVMFPToSI ? OP_TO_INT : OP_TO_UINT, 32, PRIMITIVE_RTZ, 1, a);
        return build_resize(b, whole, width, false);
      }
      break;
    default:
      break;
  }
  refuse(m, instruction, is_half ? "arithmetic of half" : "an operation that pipelines do not have yet");
  return constant(m, width, 0);
}

// ---- regions

static struct node *edge_condition(struct maker *m, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
  for (unsigned i = 0; i < m->edge_count; i++)
    if (m->edges[i].from == from && m->edges[i].to == to)
      return m->edges[i].condition;
  return NULL;
}

static void add_edge(struct maker *m, LLVMBasicBlockRef from, LLVMBasicBlockRef to, struct node *condition) {
  if ((m->edge_count & (m->edge_count - 1)) == 0)
    m->edges = realloc(m->edges, (m->edge_count != 0 ? 2 * m->edge_count : 1) * sizeof *m->edges);
  m->edges[m->edge_count++] = (struct edge){from, to, condition};
}

static bool in_region(const struct region *r, LLVMBasicBlockRef block) {
  for (unsigned i = 0; i < r->block_count; i++)
    if (r->blocks[i] == block)
      return true;
  return false;
}

// The condition under which a block is reached, within its region: that of any edge to it.
static struct node *reached(struct maker *m, LLVMBasicBlockRef block) {
  struct node *condition = NULL;
  for (unsigned i = 0; i < m->edge_count; i++)
    if (m->edges[i].to == block && m->edges[i].condition)
      condition = !condition ? m->edges[i].condition : build_or(&m->builder, condition, m->edges[i].condition);
  return condition;
}

// What a phi gets from the edges that are known.
static struct node *joined(struct maker *m, LLVMValueRef phi, LLVMBasicBlockRef except) {
  const unsigned count = LLVMCountIncoming(phi);
  struct node *node = NULL;
  for (unsigned i = count; i-- > 0;) {
    LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
    LLVMValueRef incoming = LLVMGetIncomingValue(phi, i);
    struct node *condition = edge_condition(m, from, LLVMGetInstructionParent(phi));
    if (from == except || !condition || LLVMIsUndef(incoming) || LLVMIsPoison(incoming))
      continue;
    struct node *v = value(m, incoming);
    if (!v)
      return NULL;
    node = !node ? v : build_select(&m->builder, condition, v, node);
  }
  if (!node) {
    const unsigned width = width_of(m, LLVMTypeOf(phi));
    node = width != 0 ? constant(m, width, 0) : NULL;
  }
  return node;
}

static void make_region(struct maker *m, struct region *r);

static void make_loop(struct maker *m, struct region *parent, struct region *loop) {
  struct builder *b = &m->builder;
  struct node *condition = reached(m, loop->header);
  if (!condition)
    condition = constant(m, 1, 1);
  loop->enter = build_and(b, parent->mask, condition);
  for (LLVMValueRef i = LLVMGetFirstInstruction(loop->header); i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i)) {
    struct node *initial = joined(m, i, loop->latch);
    if (!initial) {
      refuse(m, i, "a loop carries a type that pipelines do not have");
      return;
    }
    list_add(&loop->initial, initial);
  }
  make_region(m, loop);
  b->region = parent;
  build_ordered(b, OP_LOOP, 0, 0, 0, NULL)->loop = loop;
  LLVMValueRef end = LLVMGetBasicBlockTerminator(loop->latch);
  for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
    if (LLVMGetSuccessor(end, i) != loop->header)
      add_edge(m, loop->latch, LLVMGetSuccessor(end, i), condition);
}

static void make_block(struct maker *m, struct region *r, LLVMBasicBlockRef block) {
  struct builder *b = &m->builder;
  struct node *condition = block == r->header ? constant(m, 1, 1) : reached(m, block);
  if (!condition)
    condition = constant(m, 1, 0);
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && m->status == STATUS_OK; i = LLVMGetNextInstruction(i)) {
    b->line = line_of(i);
    m->condition = condition;
    if (LLVMIsAPHINode(i)) {
      if (block == r->header && r->parent)
        continue;
      struct node *node = joined(m, i, NULL);
      if (!node)
        refuse(m, i, "a type that pipelines do not have");
      set_value(m, i, node);
    } else if (!LLVMIsATerminatorInst(i)) {
      set_value(m, i, make_instruction(m, i));
    } else if (LLVMGetInstructionOpcode(i) == LLVMBr) {
      const bool conditional = LLVMIsConditional(i);
      struct node *taken = conditional ? value(m, LLVMGetCondition(i)) : constant(m, 1, 1);
      for (unsigned s = 0; s < LLVMGetNumSuccessors(i); s++) {
        LLVMBasicBlockRef to = LLVMGetSuccessor(i, s);
        struct node *way = s == 0 ? taken : build_not(b, taken);
        if (block == r->latch && to == r->header)
          r->again = build_and(b, r->mask, way);
        else if (block != r->latch)
          add_edge(m, block, to, build_and(b, condition, way));
      }
    } else if (LLVMGetInstructionOpcode(i) != LLVMRet && LLVMGetInstructionOpcode(i) != LLVMUnreachable) {
      refuse(m, i, "a jump that pipelines do not have");
    }
  }
}

// ---- loops with barriers

// Whether a value is the same in all sub-groups of a work-group, as far as can be told: nothing that it is made of,
// also in earlier rounds, differs. `seen` has a mark for each node that was looked at.
static bool is_of_group(const struct node *node, bool *seen) {
  if (seen[node->id])
    return true;
  seen[node->id] = true;
  switch (node->op) {
    case OP_CONSTANT:
    case OP_WORD:
    case OP_GROUP_ID:
    case OP_GROUP_BASE:
    case OP_GROUP_SIZE:
    case OP_TOTAL:
      return true;
    case OP_PHI: {
      const struct region *r = node->region;
      unsigned at = 0;
      while (at < r->phis.count && r->phis.items[at] != node)
        at++;
      return at < r->next.count && is_of_group(r->initial.items[at], seen) && is_of_group(r->next.items[at], seen);
    }
    case OP_MASK:
    case OP_LOCAL_ID:
    case OP_SUB_GROUP:
    case OP_SUB_GROUP_SIZE:
    case OP_LANE:
    case OP_OUT:
    case OP_SCAN:
    case OP_FSCAN:
    case OP_BELOW:
    case OP_LAST:
    case OP_SHUFFLE:
    case OP_BALLOT:
    case OP_LOAD:
    case OP_ATOMIC:
    case OP_CARRY:
      return false;
    default:
      for (unsigned i = 0; i < node->count; i++)
        if (!is_of_group(node->arguments[i], seen))
          return false;
      return true;
  }
}

bool graph_is_of_group(const struct graph *graph, const struct node *node) {
  bool *seen = calloc(graph->node_count, sizeof *seen);
  if (!seen)
    abort();
  const bool is = is_of_group(node, seen);
  free(seen);
  return is;
}

// Whether all sub-groups of a work-group go around a loop equally often without being told. Within another loop they do
// not: a sub-group may go around that one without any lane, with the others, and would leave this one at once.
static bool same_for_group(const struct graph *graph, const struct region *r) {
  if (r->parent->parent || r->enter != r->parent->mask)
    return false;
  if (r->again == r->mask)
    return true;
  if (r->again->op != OP_AND)
    return false;
  for (unsigned i = 0; i < 2; i++)
    if (r->again->arguments[i] == r->mask && graph_is_of_group(graph, r->again->arguments[!i]))
      return true;
  return false;
}

// A sub-group of which no lane goes on has to wait at the loop's barriers all the same, while another's do: a
// work-group leaves a loop with barriers together.
static void go_together(struct maker *m, struct region *r) {
  struct builder *b = &m->builder;
  struct node *any =
      build_ordered(b, OP_SCAN, 32, LANE_OR, 2, (struct node *[]){build_resize(b, r->again, 32, false), r->again});
  struct node *total = build_node(b, OP_LAST, 32, 0, 1, &any);
  r->go = build_slice(b, build_ordered(b, OP_TOTAL, 32, LANE_OR, 1, &total), 0, 1);
}

static void make_region(struct maker *m, struct region *r) {
  struct graph *graph = m->graph;
  struct builder *b = &m->builder;
  b->region = r;
  if (r != graph->top)
    r->mask = build_node(b, OP_MASK, 1, 0, 0, NULL);
  for (LLVMValueRef i = LLVMGetFirstInstruction(r->header); r->parent && i && LLVMIsAPHINode(i);
       i = LLVMGetNextInstruction(i)) {
    const unsigned width = width_of(m, LLVMTypeOf(i));
    if (width == 0) {
      refuse(m, i, "a loop carries a type that pipelines do not have");
      return;
    }
    b->line = line_of(i);
    struct node *phi = build_node(b, OP_PHI, width, r->phis.count, 0, NULL);
    list_add(&r->phis, phi);
    set_value(m, i, phi);
    if (r->line == 0)
      r->line = b->line;
  }
  for (unsigned i = 0; i < r->block_count && m->status == STATUS_OK; i++) {
    LLVMBasicBlockRef block = r->blocks[i];
    struct region *child = NULL;
    for (unsigned k = 0; k < graph->region_count; k++)
      if (graph->regions[k]->parent == r && in_region(graph->regions[k], block))
        child = graph->regions[k];
    if (!child)
      make_block(m, r, block);
    else if (child->header == block)
      make_loop(m, r, child);
    b->region = r;
  }
  if (!r->parent || m->status != STATUS_OK)
    return;
  for (LLVMValueRef i = LLVMGetFirstInstruction(r->header); i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
    for (unsigned k = 0; k < LLVMCountIncoming(i); k++)
      if (LLVMGetIncomingBlock(i, k) == r->latch) {
        struct node *next = value(m, LLVMGetIncomingValue(i, k));
        if (!next)
          refuse(m, i, "a loop carries a value that pipelines do not have");
        list_add(&r->next, next);
      }
  if (!r->again)
    refuse(m, NULL, "a loop has no latch");
  else if (r->waits && !same_for_group(graph, r))
    go_together(m, r);
}

// ---- loops of the function

static unsigned index_of(const struct maker *m, LLVMBasicBlockRef block) {
  for (unsigned i = 0; i < m->block_count; i++)
    if (m->order[i] == block)
      return i;
  return ~0u;
}

struct walk {
  LLVMBasicBlockRef *seen, *post, *from, *to;
  bool *open;
  unsigned seen_count, post_count, back_count;
};

static void visit(struct walk *w, LLVMBasicBlockRef block) {
  const unsigned own = w->seen_count;
  w->seen[w->seen_count++] = block;
  w->open[own] = true;
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
  for (unsigned i = LLVMGetNumSuccessors(end); i-- > 0;) {
    LLVMBasicBlockRef to = LLVMGetSuccessor(end, i);
    unsigned at = 0;
    while (at < w->seen_count && w->seen[at] != to)
      at++;
    if (at == w->seen_count) {
      visit(w, to);
    } else if (w->open[at]) {
      w->from[w->back_count] = block;
      w->to[w->back_count++] = to;
    }
  }
  w->open[own] = false;
  w->post[w->post_count++] = block;
}

static struct region *new_region(struct graph *graph, LLVMBasicBlockRef header) {
  struct region *r = graph_allocate(sizeof *r);
  r->id = graph->region_count;
  r->header = header;
  graph->regions = realloc(graph->regions, (graph->region_count + 1) * sizeof(struct region *));
  graph->regions[graph->region_count++] = r;
  return r;
}

static void find_loops(struct maker *m) {
  struct graph *graph = m->graph;
  const unsigned count = LLVMCountBasicBlocks(graph->function);
  struct walk w = {graph_allocate(count * sizeof(LLVMBasicBlockRef)),
                   graph_allocate(count * sizeof(LLVMBasicBlockRef)),
                   graph_allocate((2 * count + 2) * sizeof(LLVMBasicBlockRef)),
                   graph_allocate((2 * count + 2) * sizeof(LLVMBasicBlockRef)),
                   graph_allocate(count * sizeof(bool)),
                   0,
                   0,
                   0};
  visit(&w, LLVMGetEntryBasicBlock(graph->function));
  m->block_count = w.post_count;
  m->order = graph_allocate(w.post_count * sizeof *m->order);
  for (unsigned i = 0; i < w.post_count; i++)
    m->order[i] = w.post[w.post_count - 1 - i];
  graph->top = new_region(graph, m->order[0]);
  graph->top->blocks = m->order;
  graph->top->block_count = m->block_count;
  for (unsigned k = 0; k < w.back_count; k++) {
    for (unsigned i = 1; i < graph->region_count; i++)
      if (graph->regions[i]->header == w.to[k]) {
        refuse(m, LLVMGetBasicBlockTerminator(w.from[k]), "a loop with two ways back");
        return;
      }
    struct region *r = new_region(graph, w.to[k]);
    r->latch = w.from[k];
    bool *in = graph_allocate(m->block_count * sizeof *in);
    in[index_of(m, r->header)] = true;
    LLVMBasicBlockRef *work = graph_allocate((m->block_count + 1) * sizeof *work);
    unsigned work_count = 0;
    if (!in[index_of(m, r->latch)]) {
      in[index_of(m, r->latch)] = true;
      work[work_count++] = r->latch;
    }
    while (work_count != 0) {
      LLVMBasicBlockRef block = work[--work_count];
      for (unsigned i = 0; i < m->block_count; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(m->order[i]);
        for (unsigned s = 0; s < LLVMGetNumSuccessors(end) && !in[i]; s++)
          if (LLVMGetSuccessor(end, s) == block) {
            in[i] = true;
            work[work_count++] = m->order[i];
          }
      }
    }
    r->blocks = graph_allocate(m->block_count * sizeof *r->blocks);
    for (unsigned i = 0; i < m->block_count; i++)
      if (in[i])
        r->blocks[r->block_count++] = m->order[i];
  }
  // The parent is the smallest loop around.
  for (unsigned i = 1; i < graph->region_count; i++) {
    struct region *r = graph->regions[i];
    r->parent = graph->top;
    for (unsigned k = 1; k < graph->region_count; k++) {
      struct region *other = graph->regions[k];
      if (other != r && in_region(other, r->header) && other->block_count < r->parent->block_count)
        r->parent = other;
    }
    for (unsigned k = 0; k < r->block_count; k++) {
      LLVMValueRef end = LLVMGetBasicBlockTerminator(r->blocks[k]);
      for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++)
        if (!in_region(r, LLVMGetSuccessor(end, s)) && r->blocks[k] != r->latch)
          refuse(m, end, "a loop that is left in the middle");
    }
  }
}

// ---- what nobody uses

static void want(struct node *node) {
  if (node->wanted)
    return;
  node->wanted = true;
  for (unsigned i = 0; i < node->count; i++)
    want(node->arguments[i]);
}

// Arguments come before what they are used in; what touches memory keeps its order.
static void arrange(struct region *r, struct node *node, struct list *list) {
  if (node->region != r || node->placed)
    return;
  node->placed = true;
  for (unsigned i = 0; i < node->count; i++)
    arrange(r, node->arguments[i], list);
  if (node->op != OP_OUT)
    list_add(list, node);
}

void graph_prune(struct graph *graph) {
  for (unsigned i = 0; i < graph->node_count; i++)
    graph->nodes[i]->wanted = graph->nodes[i]->placed = false;
  for (unsigned i = 0; i < graph->node_count; i++) {
    struct node *node = graph->nodes[i];
    if (node->op == OP_STORE || node->op == OP_ATOMIC || node->op == OP_BARRIER || node->op == OP_LOOP ||
        node->op == OP_CHECK || (node->op == OP_MEETING && graph->has_meetings))
      want(node);
  }
  for (unsigned i = 0; i < graph->region_count; i++) {
    struct region *r = graph->regions[i];
    want(r->mask);
    if (r->parent) {
      want(r->again);
      if (r->go)
        want(r->go);
      want(r->enter);
    }
  }
  // A loop carries a value if somebody wants it.
  for (bool more = true; more;) {
    more = false;
    for (unsigned i = 0; i < graph->region_count; i++) {
      struct region *r = graph->regions[i];
      for (unsigned k = 0; k < r->phis.count; k++)
        if (r->phis.items[k]->wanted && !(r->next.items[k]->wanted && r->initial.items[k]->wanted)) {
          want(r->next.items[k]);
          want(r->initial.items[k]);
          more = true;
        }
    }
  }
  for (unsigned i = 0; i < graph->region_count; i++) {
    struct region *r = graph->regions[i];
    struct list nodes = {NULL, 0};
    for (unsigned k = 0; k < r->nodes.count; k++)
      if (r->nodes.items[k]->wanted)
        arrange(r, r->nodes.items[k], &nodes);
    r->nodes = nodes;
    unsigned kept = 0;
    for (unsigned k = 0; k < r->phis.count; k++)
      if (r->phis.items[k]->wanted) {
        r->phis.items[kept] = r->phis.items[k];
        r->next.items[kept] = r->next.items[k];
        r->initial.items[kept++] = r->initial.items[k];
      }
    r->phis.count = r->next.count = r->initial.count = kept;
  }
}

enum status graph_make(struct graph *graph) {
  struct maker m = {.graph = graph, .status = STATUS_OK};
  m.builder.graph = graph;
  find_loops(&m);
  if (m.status != STATUS_OK)
    return m.status;
  m.builder.region = graph->top;
  graph->top->mask = build_node(&m.builder, OP_MASK, 1, 0, 0, NULL);
  m.condition = constant(&m, 1, 1);
  make_arguments(&m);
  if (m.status == STATUS_OK)
    make_region(&m, graph->top);
  if (m.status != STATUS_OK)
    return m.status;
  graph->has_meetings = true;
  graph_prune(graph);
  return STATUS_OK;
}
