// SPDX-License-Identifier: Apache-2.0
// What LLVM's values are in a graph: those that were made, constants, addresses, arguments.
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "hls/ir.h"
#include "hls/pipeline/calls.h"
#include "hls/pipeline/maker.h"
#include "hls/pipeline/tables.h"
#include "hls/pipeline/variables.h"

// ---- errors

unsigned make_line_of(LLVMValueRef instruction) {
  return ir_place_of(instruction).line;
}

void make_refuse(struct maker *m, LLVMValueRef where, const char *format, ...) {
  if (m->status != STATUS_OK)
    return;
  m->status = STATUS_REJECTED;
  if (m->graph->is_trial)
    return;
  if (where && LLVMIsAInstruction(where))
    ir_print_place(where);
  fprintf(stderr, "error: kernel '%s' cannot be hardware: ", m->graph->kernel);
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fprintf(stderr, "\n");
}

void make_refuse_type(struct maker *m, LLVMValueRef where, LLVMTypeRef type) {
  make_refuse(m, where, "it computes with a value of type %s, which pipelines do not have", make_type_name(type));
}

// ---- values by LLVM's

static struct value_of *find_value(struct maker *m, LLVMValueRef value) {
  size_t at = ((uintptr_t)value >> 4) * 0x9E3779B97F4A7C15ull % m->value_room;
  while (m->values[at].value && m->values[at].value != value)
    at = (at + 1) % m->value_room;
  return &m->values[at];
}

void make_set_value(struct maker *m, LLVMValueRef value, struct node *node) {
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

unsigned make_width_of(struct maker *m, LLVMTypeRef type) {
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
    case LLVMDoubleTypeKind:
      return 64;
    case LLVMVoidTypeKind:
      return 0;
    default:
      (void)m;
      return 0;
  }
}

unsigned make_bytes_of(unsigned width) {
  return width <= 8 ? 1 : width <= 16 ? 2 : width <= 32 ? 4 : 8;
}

unsigned make_wide_width_of(struct maker *m, LLVMTypeRef type) {
  if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) <= MOST_BITS)
    return LLVMGetIntTypeWidth(type);
  return make_width_of(m, type);
}

const char *make_type_name(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
    case LLVMHalfTypeKind:
      return "half";
    case LLVMFloatTypeKind:
      return "float";
    case LLVMDoubleTypeKind:
      return "double";
    case LLVMPointerTypeKind:
      return "a pointer";
    case LLVMStructTypeKind:
      return "a structure";
    case LLVMArrayTypeKind:
      return "an array";
    case LLVMVectorTypeKind:
      return "a vector";
    case LLVMIntegerTypeKind: {
      const unsigned width = LLVMGetIntTypeWidth(type);
      return width == 1    ? "bool"
             : width <= 8  ? "char"
             : width <= 16 ? "short"
             : width <= 32 ? "int"
             : width <= 64 ? "long"
                           : "an integer of more than 64 bits";
    }
    default:
      return "one that OpenCL C does not have";
  }
}

struct node *make_seen_from(struct maker *m, struct region *r, struct node *node) {
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
    node = make_seen_from(m, loop, node);
  if (!node->region)
    return node;
  if (node->out)
    return node->out;
  struct builder b = m->builder;
  b.region = r;
  return node->out = build_out(&b, loop, node, 0);
}

// ---- constants, globals and addresses

struct node *make_constant(struct maker *m, unsigned width, uint64_t number) {
  return build_constant(m->graph, width, number);
}

// LLVM makes `or` of a sum that carries nothing: of the counters of unrolled loops. What is counted on from, and how
// far.
static LLVMValueRef before_or(LLVMValueRef v, uint64_t *further) {
  if (!LLVMIsAInstruction(v) || LLVMGetInstructionOpcode(v) != LLVMOr || !LLVMGetIsDisjoint(v) ||
      !LLVMIsAConstantInt(LLVMGetOperand(v, 1)) || LLVMGetIntTypeWidth(LLVMTypeOf(v)) != 32)
    return NULL;
  *further = (uint64_t)LLVMConstIntGetSExtValue(LLVMGetOperand(v, 1));
  return LLVMGetOperand(v, 0);
}

// An index without the constant part that it is larger by: so neighbours are seen to be neighbours.
static struct node *index_of(struct maker *m, LLVMValueRef index, uint64_t *further) {
  *further = 0;
  LLVMValueRef base = before_or(index, further);
  if (base)
    return make_value(m, base);
  if (!LLVMIsAInstruction(index) || LLVMGetInstructionOpcode(index) != LLVMAdd)
    return make_value(m, index);
  for (unsigned i = 0; i < 2; i++) {
    base = before_or(LLVMGetOperand(index, i), further);
    struct node *x = base ? make_value(m, LLVMGetOperand(index, 1 - i)) : NULL, *y = x ? make_value(m, base) : NULL;
    if (base)
      return y ? build_two(&m->builder, OP_ADD, x, y) : NULL;
  }
  return make_value(m, index);
}

struct node *make_address_of_element(struct maker *m, LLVMValueRef gep) {
  struct builder *b = &m->builder;
  struct node *address = make_value(m, LLVMGetOperand(gep, 0));
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
    uint64_t further;
    struct node *number = index_of(m, index, &further);
    if (!number)
      return NULL;
    number = build_resize(b, number, 32, true);
    address = build_two(b, OP_ADD, address, build_two(b, OP_MUL, number, make_constant(m, 32, size)));
    if (further != 0)
      address = build_add(b, address, (uint32_t)(further * size));
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
    if (at + size > MOST_LOCAL_MEMORY)
      return NULL;
    graph->local_bytes = (unsigned)(at + size);
    return make_constant(m, 32, make_own_array(m, global, (unsigned)at) ? 0 : LOCAL_WINDOW + at);
  }
  const struct table *table = table_of(graph, global);
  const unsigned word = table ? 0 : variables_word(graph, global);
  return table ? make_constant(m, 32, table->base) : word != 0 ? call_word(&m->builder, word, 0, 32) : NULL;
}

// Of more than 64 bits.
static struct node *wide_constant(struct maker *m, LLVMValueRef v, unsigned width) {
  char *text = LLVMPrintValueToString(v);  // i128 -5
  const char *digit = text + strcspn(text, " ");
  const bool is_negative = strncmp(digit, " -", 2) == 0;
  unsigned __int128 number = 0;
  for (digit += 1 + is_negative; *digit >= '0' && *digit <= '9'; digit++)
    number = 10 * number + (unsigned)(*digit - '0');
  LLVMDisposeMessage(text);
  if (is_negative)
    number = -number;
  struct node *low = make_constant(m, 64, (uint64_t)number);
  const uint64_t high = (uint64_t)(number >> 64);
  return high == 0 ? make_constant(m, width, (uint64_t)number)
                   : build_concat(&m->builder, make_constant(m, width - 64, high), low);
}

static struct node *constant_value(struct maker *m, LLVMValueRef v) {
  LLVMTypeRef type = LLVMTypeOf(v);
  const unsigned width = make_wide_width_of(m, type);
  if (width == 0)
    return NULL;
  if (LLVMIsUndef(v) || LLVMIsPoison(v) || LLVMIsNull(v))
    return make_constant(m, width, 0);
  if (LLVMIsAConstantInt(v) && width > 64)
    return wide_constant(m, v, width);
  if (LLVMIsAConstantInt(v))
    return make_constant(m, width, LLVMConstIntGetZExtValue(v));
  if (LLVMIsAConstantFP(v)) {
    LLVMValueRef bits = LLVMConstBitCast(v, LLVMIntTypeInContext(LLVMGetTypeContext(type), width));
    return LLVMIsAConstantInt(bits) ? make_constant(m, width, LLVMConstIntGetZExtValue(bits)) : NULL;
  }
  if (LLVMIsAGlobalVariable(v))
    return global_address(m, v);
  if (LLVMIsAConstantExpr(v)) {
    switch (LLVMGetConstOpcode(v)) {
      case LLVMGetElementPtr:
        return make_address_of_element(m, v);
      case LLVMPtrToInt:
      case LLVMIntToPtr:
      case LLVMBitCast:
      case LLVMAddrSpaceCast: {
        struct node *node = make_value(m, LLVMGetOperand(v, 0));
        return node ? build_resize(&m->builder, node, width, false) : NULL;
      }
      case LLVMAdd:
      case LLVMSub: {
        struct node *x = make_value(m, LLVMGetOperand(v, 0)), *y = make_value(m, LLVMGetOperand(v, 1));
        return x && y ? build_two(&m->builder, LLVMGetConstOpcode(v) == LLVMAdd ? OP_ADD : OP_SUB, x, y) : NULL;
      }
      default:
        return NULL;
    }
  }
  return NULL;
}

struct node *make_value(struct maker *m, LLVMValueRef v) {
  if (m->value_room != 0) {
    struct value_of *entry = find_value(m, v);
    if (entry->value)
      return entry->node ? make_seen_from(m, m->builder.region, entry->node) : NULL;
  }
  if (!LLVMIsConstant(v))
    return NULL;
  struct node *node = constant_value(m, v);
  if (node && LLVMIsAGlobalVariable(v))
    make_set_value(m, v, node);
  return node;
}

// ---- arguments

// The argument block has natural alignment.
void make_arguments(struct maker *m) {
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
      make_set_value(m, parameter, build_add(&m->builder, packet, 4 * graph_argument_word(at) + at % 4));
    } else if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) {
      make_set_value(m, parameter, NULL);  // its elements are taken by extractelement
    } else {
      const unsigned width = make_width_of(m, type);
      if (width == 0) {
        make_refuse(m, NULL, "argument %u has a type that pipelines do not have", i + 1);
        return;
      }
      struct node *node = call_word(&m->builder, graph_argument_word(at), at % 4 * 8, width < 32 ? width : 32);
      if (width > 32)
        node = build_concat(&m->builder, call_word(&m->builder, graph_argument_word(at + 4), 0, width - 32), node);
      make_set_value(m, parameter, node);
    }
    at += size;
  }
}

struct node *make_argument_element(struct maker *m, LLVMValueRef instruction) {
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
      const unsigned width = make_width_of(m, LLVMGetElementType(type));
      const unsigned bit = (unsigned)LLVMConstIntGetZExtValue(index) * width;
      if (width == 0 || width > 32)
        return NULL;
      return call_word(&m->builder, graph_argument_word(at + bit / 8), (at % 4 * 8 + bit) % 32, width);
    }
    at += (unsigned)LLVMABISizeOfType(graph->layout, type);
  }
}
