// SPDX-License-Identifier: Apache-2.0
// Names and texts of the Verilog of a graph.
#include "hls/pipeline/writer.h"

#include <stdarg.h>
#include <stdlib.h>

static const char *const op_names[] = {
    [OP_CONSTANT] = "constant",
    [OP_WORD] = "word",
    [OP_FIXED] = "fixed",
    [OP_FIXED_BAD] = "fixed_bad",
    [OP_MASK] = "mask",
    [OP_PHI] = "carried",
    [OP_OUT] = "left",
    [OP_LOCAL_ID] = "local_id",
    [OP_GROUP_ID] = "group_id",
    [OP_GROUP_BASE] = "group_base",
    [OP_GROUP_SIZE] = "group_size",
    [OP_SUB_GROUP] = "sub_group",
    [OP_SUB_GROUP_SIZE] = "sub_group_size",
    [OP_LAST_SUB_GROUP] = "last_sub_group",
    [OP_LANE] = "lane",
    [OP_ADD] = "add",
    [OP_SUB] = "sub",
    [OP_MUL] = "mul",
    [OP_MUL_HIGH] = "mul_high",
    [OP_AND] = "and",
    [OP_OR] = "or",
    [OP_XOR] = "xor",
    [OP_SHL] = "shl",
    [OP_LSHR] = "lshr",
    [OP_ASHR] = "ashr",
    [OP_EQ] = "eq",
    [OP_ULT] = "ult",
    [OP_SLT] = "slt",
    [OP_SELECT] = "select",
    [OP_ZEXT] = "zext",
    [OP_SEXT] = "sext",
    [OP_SLICE] = "slice",
    [OP_CONCAT] = "concat",
    [OP_POPCOUNT] = "popcount",
    [OP_DIVIDE] = "divide",
    [OP_FDIV] = "fdiv",
    [OP_FSQRT] = "fsqrt",
    [OP_VERILOG] = "verilog",
    [OP_FADD] = "fadd",
    [OP_FSUB] = "fsub",
    [OP_FMUL] = "fmul",
    [OP_FMA] = "fma",
    [OP_FROM_UINT] = "from_uint",
    [OP_FROM_INT] = "from_int",
    [OP_TO_UINT] = "to_uint",
    [OP_TO_INT] = "to_int",
    [OP_FLT] = "flt",
    [OP_FEQ] = "feq",
    [OP_NAN] = "nan",
    [OP_TABLE] = "table",
    [OP_ELEMENT] = "element",
    [OP_SET_ELEMENT] = "set_element",
    [OP_SCAN] = "scan",
    [OP_FSCAN] = "fscan",
    [OP_BELOW] = "below",
    [OP_LAST] = "last",
    [OP_SHUFFLE] = "shuffle",
    [OP_BALLOT] = "ballot",
    [OP_LOAD] = "load",
    [OP_STORE] = "store",
    [OP_ATOMIC] = "atomic",
    [OP_PIPE_READ] = "pipe_read",
    [OP_PIPE_WRITE] = "pipe_write",
    [OP_HAZARDS] = "hazards",
    [OP_BARRIER] = "barrier",
    [OP_CARRY] = "carry",
    [OP_TOTAL] = "total",
    [OP_LOOP] = "loop",
    [OP_CHECK] = "check",
};

void write_body(struct writer *w, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(w->body, format, arguments);
  va_end(arguments);
}

void write_declaration(struct writer *w, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(w->declare, format, arguments);
  va_end(arguments);
}

// ---- names. Texts are small and live until the process ends.

char *write_text(const char *format, ...) {
  char *result = NULL;
  va_list arguments;
  va_start(arguments, format);
  if (vasprintf(&result, format, arguments) < 0)
    exit(STATUS_FAILED);
  va_end(arguments);
  return result;
}

const char *write_name(const struct node *node) {
  return node->line != 0 ? write_text("%s_l%u_%u", op_names[node->op], node->line, node->id)
                         : write_text("%s_%u", op_names[node->op], node->id);
}

const char *write_signal(const struct segment *s, const struct node *node, unsigned stage) {
  return write_text("s%u_%s_%u", s ? s->id : 0, write_name(node), stage);
}

const char *write_range(unsigned width) {
  return write_text("[%u:0] ", width - 1);
}

const char *write_number(unsigned width, uint64_t number) {
  return write_text("%u'h%llx", width, (unsigned long long)number);
}

// Bits of a value of one lane, as it stands in a stage of a segment.
const char *write_bits(struct writer *w, const struct segment *s, const struct node *node, unsigned stage,
                       unsigned lane, unsigned low, unsigned width) {
  if (node->op == OP_CONSTANT || node->op == OP_LANE) {
    const uint64_t number = (node->op == OP_LANE ? lane : node->number) >> low;
    return write_number(width, width < 64 ? number & ((1ull << width) - 1) : number);
  }
  const char *name = graph_is_static(node) ? write_text("d_%s", write_name(node)) : write_signal(s, node, stage);
  const unsigned copies = graph_is_static(node) ? 1 : graph_copies(w->graph, node);
  const unsigned at = (copies > 1 ? lane * node->width : 0) + low;
  if (copies == 1 && low == 0 && width == node->width)
    return name;
  return width == 1 ? write_text("%s[%u]", name, at) : write_text("%s[%u:%u]", name, at + width - 1, at);
}

const char *write_operand(struct writer *w, const struct segment *s, const struct node *node, unsigned stage,
                          unsigned lane) {
  return write_bits(w, s, node, stage, lane, 0, node->width);
}

// A value for each of `copies` lanes, the last lane first.
const char *write_all_lanes(struct writer *w, const struct segment *s, const struct node *node, unsigned stage,
                            unsigned copies) {
  if (!graph_is_static(node) && graph_copies(w->graph, node) == copies)
    return write_signal(s, node, stage);
  if (copies == 1)
    return write_operand(w, s, node, stage, 0);
  if (node->op != OP_LANE)
    return write_text("{%u{%s}}", copies, write_operand(w, s, node, stage, 0));
  char *list = write_text("%s", write_operand(w, s, node, stage, copies - 1));
  for (unsigned l = copies - 1; l-- > 0;)
    list = write_text("%s, %s", list, write_operand(w, s, node, stage, l));
  return write_text("{%s}", list);
}
