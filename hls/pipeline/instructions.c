// SPDX-License-Identifier: Apache-2.0
// What each of LLVM's instructions is in a graph.
#include <stdlib.h>
#include <string.h>

#include "hls/pipeline/calls.h"
#include "hls/pipeline/intrinsics.h"
#include "hls/pipeline/maker.h"
#include "hls/pipeline/pipes.h"
#include "hls/pipeline/quotients.h"
#include "hls/pipeline/wide.h"

enum { MOST_ARGUMENTS = 8 };  // of an intrinsic

static struct node *float_compare(struct maker *m, LLVMRealPredicate predicate, struct node *x, struct node *y) {
  struct builder *b = &m->builder;
  struct node *less = build_compare(b, OP_FLT, x, y), *greater = build_compare(b, OP_FLT, y, x);
  struct node *equal = build_compare(b, OP_FEQ, x, y);
  struct node *unordered = build_or(b, build_node(b, OP_NAN, 1, 0, 1, &x), build_node(b, OP_NAN, 1, 0, 1, &y));
  switch (predicate) {
    case LLVMRealPredicateFalse:
      return make_constant(m, 1, 0);
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
      return make_constant(m, 1, 1);
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
  struct node *sign = build_two(b, OP_AND, x, make_constant(m, 32, 0x80000000u));
  struct node *exponent = build_slice(b, x, 23, 8);
  struct node *infinite = build_two(b, OP_OR, sign, make_constant(m, 32, 0x7f800000u));
  struct node *moved = build_two(b, OP_OR, sign, build_two(b, OP_SHL, x, make_constant(m, 32, 1)));
  struct node *grown = build_add(b, x, 0x00800000u);
  struct node *finite = build_select(b, build_compare(b, OP_EQ, exponent, make_constant(m, 8, 0)), moved, grown);
  struct node *is_huge = build_compare(b, OP_ULT, make_constant(m, 8, 253), exponent);
  struct node *number = build_select(b, is_huge, infinite, finite);
  return build_select(b, build_node(b, OP_NAN, 1, 0, 1, &x), make_constant(m, 32, 0x7fc00000u), number);
}

// Signed division of magnitudes. By 0 a quotient of 32 bits is all ones, as RISC-V's instruction has it, whatever the
// dividend's sign; one of 64 bits has the sign, as in the run-time library of programmable units.
static struct node *divide_unsigned(struct builder *b, bool remainder, struct node *x, struct node *y) {
  struct node *by_constant = quotient_by_constant(b, x, y, remainder);
  return by_constant ? by_constant : build_node(b, OP_DIVIDE, x->width, remainder, 2, (struct node *[]){x, y});
}

// Division of what is less than four times a constant: what is left if that is taken away once, twice and three times
// is there at once, and the last that can be is chosen. NULL: it may be more. So it is where a round adds to what the
// one before has left of a division.
static struct node *divide_small(struct maker *m, bool remainder, struct node *x, const struct node *y, uint64_t most) {
  struct builder *b = &m->builder;
  const uint64_t by = y->number;
  if (y->op != OP_CONSTANT || by == 0 || most == 0 || most / 4 >= by || by > (UINT64_C(1) << 60))
    return NULL;
  const unsigned bits = 64 - (unsigned)__builtin_clzll(most);
  struct node *small = build_resize(b, x, bits < x->width ? bits : x->width, false);
  struct node *left = small, *quotient = make_constant(m, small->width, 0);
  for (unsigned times = 1; times <= most / by; times++) {
    struct node *taken = make_constant(m, small->width, times * by);
    struct node *is_less = build_compare(b, OP_ULT, small, taken);
    left = build_select(b, is_less, left, build_two(b, OP_SUB, small, taken));
    quotient = build_select(b, is_less, quotient, make_constant(m, small->width, times));
  }
  return build_resize(b, remainder ? left : quotient, x->width, false);
}

static struct node *divide(struct maker *m, bool is_signed, bool remainder, struct node *x, struct node *y) {
  struct builder *b = &m->builder;
  if (!is_signed)
    return divide_unsigned(b, remainder, x, y);
  struct node *zero = make_constant(m, x->width, 0);
  struct node *x_sign = build_slice(b, x, x->width - 1, 1), *y_sign = build_slice(b, y, y->width - 1, 1);
  struct node *magnitudes[] = {build_select(b, x_sign, build_two(b, OP_SUB, zero, x), x),
                               build_select(b, y_sign, build_two(b, OP_SUB, zero, y), y)};
  struct node *result = divide_unsigned(b, remainder, magnitudes[0], magnitudes[1]);
  struct node *by_zero = build_compare(b, OP_EQ, y, zero), *differ = build_two(b, OP_XOR, x_sign, y_sign);
  struct node *negative = remainder ? x_sign : x->width > 32 ? differ : build_and(b, differ, build_not(b, by_zero));
  return build_select(b, negative, build_two(b, OP_SUB, zero, result), result);
}

// Whether lanes wait for each other at a primitive.
static bool is_converged(const struct primitive *primitive) {
  return primitive->meaning >= PRIMITIVE_REDUCE && primitive->meaning <= PRIMITIVE_BARRIER &&
         primitive->scope != PRIMITIVE_ACTIVE;
}

static void mark_meeting(struct maker *m, LLVMValueRef instruction, const struct primitive *primitive) {
  struct node *active = make_active_lanes(m);
  const bool is_group = primitive->scope == PRIMITIVE_WORK_GROUP;
  build_ordered(&m->builder, OP_MEETING, 0, is_group, 1, &active)->site =
      make_site(m->graph, instruction, primitive->meaning == PRIMITIVE_BARRIER ? "barrier" : "collective");
}

static void refuse_primitive(struct maker *m, LLVMValueRef instruction, const struct primitive *primitive) {
  if (primitive->meaning == PRIMITIVE_CLOCK_LOW || primitive->meaning == PRIMITIVE_CLOCK_HIGH)
    make_refuse(m, instruction, "it reads the clock of the device, which pipelines do not have");
  else
    make_refuse(m, instruction, "it calls %s with a type that pipelines do not have", primitive_name(primitive));
}

// An operation that LLVM has a function for.
static void refuse_function(struct maker *m, LLVMValueRef instruction, const char *name) {
  LLVMTypeRef type = LLVMTypeOf(instruction);
  if (LLVMGetNumArgOperands(instruction) > 0)
    type = LLVMTypeOf(LLVMGetOperand(instruction, 0));
  if (make_width_of(m, type) == 0)
    make_refuse_type(m, instruction, type);
  else if (name[0] == 0)
    make_refuse(m, instruction, "it calls a function through a pointer");
  else
    make_refuse(m, instruction, "it uses %s of a value of type %s, which pipelines do not have",
                strncmp(name, "llvm.", 5) == 0 ? name + 5 : name, make_type_name(type));
}

// Whether what it gives depends on which work-items are a sub-group. The packet's most of them does not.
static bool sees_sub_groups(const struct primitive *primitive) {
  switch (primitive->meaning) {
    case PRIMITIVE_SUB_GROUP_LOCAL_ID:
    case PRIMITIVE_SUB_GROUP_ID:
    case PRIMITIVE_SUB_GROUP_SIZE:
    case PRIMITIVE_NUM_SUB_GROUPS:
    case PRIMITIVE_ENQUEUED_NUM_SUB_GROUPS:
    case PRIMITIVE_ALL:
    case PRIMITIVE_ANY:
    case PRIMITIVE_BROADCAST:
    case PRIMITIVE_SHUFFLE:
    case PRIMITIVE_BALLOT:
    case PRIMITIVE_REDUCE:
    case PRIMITIVE_SCAN_INCLUSIVE:
    case PRIMITIVE_SCAN_EXCLUSIVE:
      return true;
    default:
      return false;
  }
}

// By its module's number among the graph's.
static unsigned module_number(struct graph *graph, const struct verilog_function *module) {
  unsigned i = 0;
  while (i < graph->module_count && memcmp(&graph->modules[i], module, sizeof *module) != 0)
    i++;
  if (i == graph->module_count) {
    graph->modules = realloc(graph->modules, (i + 1) * sizeof *module);
    if (!graph->modules)
      abort();
    graph->modules[graph->module_count++] = *module;
  }
  return i;
}

static struct node *verilog_call(struct maker *m, LLVMValueRef instruction, const struct verilog_function *module) {
  struct node *arguments[VERILOG_MOST_INPUTS];
  const unsigned count = LLVMGetNumArgOperands(instruction), width = make_width_of(m, LLVMTypeOf(instruction));
  for (unsigned i = 0; i < count; i++) {
    arguments[i] = make_value(m, LLVMGetOperand(instruction, i));
    if (!arguments[i])
      return make_constant(m, width, 0);  // refused already
  }
  return build_node(&m->builder, OP_VERILOG, width, module_number(m->graph, module), count, arguments);
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
  struct verilog_function module;
  if (verilog_function_of(callee, &module))
    return verilog_call(m, instruction, &module);
  // A result with an overflow is a value, and a bit above it.
  LLVMTypeRef type = LLVMTypeOf(instruction);
  const bool is_pair = LLVMGetTypeKind(type) == LLVMStructTypeKind;
  const unsigned width = make_width_of(m, is_pair ? LLVMStructGetTypeAtIndex(type, 0) : type);
  const struct primitive primitive = primitive_of(instruction);
  struct node *node = NULL;
  if (pipes_is_primitive(&primitive)) {
    node = pipes_make(m, &primitive, instruction);
  } else if (primitive.meaning != PRIMITIVE_NONE) {
    struct node *in = primitive.value ? make_value(m, primitive.value) : NULL;
    struct node *source = primitive.source ? make_value(m, primitive.source) : NULL;
    if (is_converged(&primitive))
      mark_meeting(m, instruction, &primitive);
    m->graph->sees_sub_groups |= sees_sub_groups(&primitive);
    if (primitive.scope == PRIMITIVE_WORK_GROUP)
      make_fence(m);
    node = call_primitive(&m->builder, &primitive, in, source, make_active_lanes(m));
    if (!node) {
      refuse_primitive(m, instruction, &primitive);
      return make_constant(m, width != 0 ? width : 32, 0);
    }
  } else {
    struct node *arguments[MOST_ARGUMENTS];
    const unsigned count = LLVMGetNumArgOperands(instruction);
    bool known = count <= MOST_ARGUMENTS;
    for (unsigned i = 0; i < count && known; i++) {
      arguments[i] = make_value(m, LLVMGetOperand(instruction, i));
      known = arguments[i];
    }
    node = known ? intrinsic_value(&m->builder, name, width, arguments) : NULL;
    if (node && is_pair)
      return node;
  }
  if (!node || (width != 0 && node->width < width)) {
    refuse_function(m, instruction, name);
    return make_constant(m, width != 0 ? width : 32, 0);
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

// Of a pair of a value and a bit.
static struct node *extract(struct maker *m, LLVMValueRef instruction) {
  struct node *pair = make_value(m, LLVMGetOperand(instruction, 0));
  if (!pair || LLVMGetNumIndices(instruction) != 1) {
    make_refuse(m, instruction, "it takes a value apart that pipelines do not have");
    return make_constant(m, 32, 0);
  }
  return LLVMGetIndices(instruction)[0] == 0 ? build_slice(&m->builder, pair, 0, pair->width - 1)
                                             : build_slice(&m->builder, pair, pair->width - 1, 1);
}

// Of 65 to 128 bits, which products of 64 bits have, and what LLVM makes of their halves.
static struct node *wide_instruction(struct maker *m, LLVMOpcode opcode, struct node *x, struct node *y) {
  switch (opcode) {
    case LLVMMul:
      return wide_product(&m->builder, x, y);
    case LLVMLShr:
    case LLVMAShr:
      if (y->op != OP_CONSTANT || y->number >= x->width)
        return NULL;
      return build_resize(&m->builder, build_slice(&m->builder, x, (unsigned)y->number, x->width - (unsigned)y->number),
                          x->width, opcode == LLVMAShr);
    case LLVMShl:
      if (y->op != OP_CONSTANT || y->number == 0 || y->number >= x->width)
        return NULL;
      return build_concat(&m->builder, build_slice(&m->builder, x, 0, x->width - (unsigned)y->number),
                          make_constant(m, (unsigned)y->number, 0));
    case LLVMAdd:
    case LLVMSub:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
      return build_two(&m->builder, integer_op(opcode), x, y);
    default:
      return NULL;
  }
}

// What is made of any width.
static bool is_of_any_width(LLVMOpcode opcode) {
  return opcode == LLVMZExt || opcode == LLVMSExt || opcode == LLVMTrunc || opcode == LLVMFreeze ||
         opcode == LLVMICmp || opcode == LLVMSelect;
}

static struct node *to_float(struct builder *b, struct node *x, bool is_signed) {
  if (x->width > 32)
    return wide_to_float(b, x, is_signed);
  struct node *word = build_resize(b, x, 32, is_signed);
  return build_node(b, is_signed ? OP_FROM_INT : OP_FROM_UINT, 32, FLOAT_RNE, 1, &word);
}

// Of 32 or 64 bits.
static struct node *of_float(struct builder *b, struct node *x, unsigned width, bool is_signed) {
  return width > 32 ? wide_of_float(b, x, is_signed)
                    : build_node(b, is_signed ? OP_TO_INT : OP_TO_UINT, 32, FLOAT_RTZ, 1, &x);
}

// ---- what pipelines do not have. Each returns what stands for the value until the kernel is given up.

static struct node *refuse_type(struct maker *m, LLVMValueRef instruction, LLVMTypeRef type) {
  make_refuse_type(m, instruction, type);
  return make_constant(m, 32, 0);
}

static struct node *refuse_operation(struct maker *m, LLVMValueRef instruction) {
  LLVMValueRef first = LLVMGetNumOperands(instruction) > 0 ? LLVMGetOperand(instruction, 0) : instruction;
  char *text = LLVMPrintValueToString(instruction);
  make_refuse(m, instruction, "an operation on a value of type %s that pipelines do not have:%s",
              make_type_name(LLVMTypeOf(first)), text);
  LLVMDisposeMessage(text);
  return make_constant(m, 32, 0);
}

// A value that an instruction computes of its operands, which have 64 bits at most, or any width where it may.
static struct node *operation(struct maker *m, LLVMValueRef instruction, struct node *a[3], unsigned width) {
  struct builder *b = &m->builder;
  const LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
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
      if (opcode == LLVMUDiv || opcode == LLVMURem) {
        struct node *small =
            divide_small(m, opcode == LLVMURem, a[0], a[1], make_most_of(LLVMGetOperand(instruction, 0)));
        if (small)
          return small;
      }
      return divide(m, opcode == LLVMSDiv || opcode == LLVMSRem, opcode == LLVMURem || opcode == LLVMSRem, a[0], a[1]);
    case LLVMICmp:
      if (pipes_is_one(m->graph, a[0]) && a[1]->op == OP_CONSTANT && a[1]->number == 0)  // a pipe is never null
        return make_constant(m, 1, LLVMGetICmpPredicate(instruction) == LLVMIntNE);
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
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMFreeze:
      return build_resize(b, a[0], width, false);
    case LLVMIntToPtr: {
      struct node *pointer = build_resize(b, a[0], width, false);
      pointer->is_pointer |= pointer->op == OP_WORD;
      return pointer;
    }
    case LLVMSExt:
      return build_resize(b, a[0], width, true);
    case LLVMFNeg:
      if (width <= 64)
        return build_two(b, OP_XOR, a[0], make_constant(m, width, 1ull << (width - 1)));
      break;
    case LLVMFAdd:
      if (width == 32)
        return build_node(b, OP_FADD, 32, 0, 2, a);
      break;
    case LLVMFSub:
      if (width == 32)
        return build_node(b, OP_FSUB, 32, 0, 2, a);
      break;
    case LLVMFMul:
      if (width == 32)
        return is_two(a[1]) ? twice(m, a[0]) : build_node(b, OP_FMUL, 32, 0, 2, a);
      break;
    case LLVMFDiv:
      if (width == 32)
        return build_node(b, OP_FDIV, 32, 0, 2, a);
      break;
    case LLVMUIToFP:
    case LLVMSIToFP:
      if (width == 32)
        return to_float(b, a[0], opcode == LLVMSIToFP);
      break;
    case LLVMFPToUI:
    case LLVMFPToSI:
      if (a[0]->width == 32)
        return build_resize(b, of_float(b, a[0], width, opcode == LLVMFPToSI), width, false);
      break;
    default:
      break;
  }
  return refuse_operation(m, instruction);
}

struct node *make_instruction(struct maker *m, LLVMValueRef instruction) {
  const LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  switch (opcode) {
    case LLVMLoad:
      return make_load(m, instruction);
    case LLVMStore:
      make_store(m, instruction);
      return NULL;
    case LLVMAtomicRMW:
      return make_atomic(m, instruction);
    case LLVMAtomicCmpXchg:
      make_refuse(m, instruction, "a compare-and-exchange of another width than 32 bits");
      return NULL;
    case LLVMFence:
      return NULL;
    case LLVMCall:
      return call(m, instruction);
    case LLVMGetElementPtr:
      return make_address_of_element(m, instruction);
    case LLVMAlloca:
      return make_array(m, instruction);
    case LLVMExtractElement: {
      struct node *node = make_argument_element(m, instruction);
      if (!node)
        make_refuse(m, instruction, "a vector that did not become scalars");
      return node ? node : make_constant(m, 32, 0);
    }
    case LLVMExtractValue:
      return extract(m, instruction);
    default:
      break;
  }
  const unsigned width = make_wide_width_of(m, LLVMTypeOf(instruction));
  if (width == 0)
    return refuse_type(m, instruction, LLVMTypeOf(instruction));
  // Operands that an instruction does not have are 0, so that nobody has to ask.
  struct node *const none = make_constant(m, 1, 0);
  struct node *a[3] = {none, none, none};
  const int count = LLVMGetNumOperands(instruction);
  for (int i = 0; i < count && i < 3; i++) {
    LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)i);
    a[i] = make_value(m, operand);
    if (!a[i])
      return refuse_type(m, instruction, LLVMTypeOf(operand));
  }
  if ((width > 64 || a[0]->width > 64) && !is_of_any_width(opcode)) {
    struct node *wide = wide_instruction(m, opcode, a[0], a[1]);
    return wide ? build_resize(&m->builder, wide, width, false) : refuse_type(m, instruction, LLVMTypeOf(instruction));
  }
  return operation(m, instruction, a, width);
}
