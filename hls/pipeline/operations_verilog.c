// SPDX-License-Identifier: Apache-2.0
// The Verilog of operations: expressions, operators of rtl/pipeline, collectives in line.

#include "hls/pipeline/calls.h"
#include "hls/pipeline/writer.h"

static const char *expression(struct writer *w, const struct segment *s, const struct node *node, unsigned lane) {
  const unsigned at = node->start;
  const char *a[4] = {"", "", "", ""};
  for (unsigned i = 0; i < node->count && i < 4; i++)
    a[i] = write_operand(w, s, node->arguments[i], at, lane);
  static const struct node none;
  const struct node *x = node->count > 0 ? node->arguments[0] : &none,
                    *y = node->count > 1 ? node->arguments[1] : &none;
  struct product_places places;
  switch (node->op) {
    case OP_MUL:
      graph_is_sum(node, &places);
      return write_text("(%s << %u) %c (%s << %u)", a[0], places.high, places.is_difference ? '-' : '+', a[0],
                        places.low);
    case OP_ADD:
      return write_text("%s + %s", a[0], a[1]);
    case OP_SUB:
      return write_text("%s - %s", a[0], a[1]);
    case OP_AND:
      return write_text("%s & %s", a[0], a[1]);
    case OP_OR:
      return write_text("%s | %s", a[0], a[1]);
    case OP_XOR:
      return y->op == OP_CONSTANT && y->number == (y->width < 64 ? (1ull << y->width) - 1 : ~0ull)
                 ? write_text("~%s", a[0])
                 : write_text("%s ^ %s", a[0], a[1]);
    case OP_SHL:
      return y->op == OP_CONSTANT ? write_text("%s << %llu", a[0], (unsigned long long)y->number)
                                  : write_text("%s << %s", a[0], a[1]);
    case OP_LSHR:
      return y->op == OP_CONSTANT ? write_text("%s >> %llu", a[0], (unsigned long long)y->number)
                                  : write_text("%s >> %s", a[0], a[1]);
    case OP_ASHR:
      return write_text("$signed(%s) >>> %s", a[0], a[1]);
    case OP_EQ:
      return write_text("%s == %s", a[0], a[1]);
    case OP_ULT:
      return write_text("%s < %s", a[0], a[1]);
    case OP_SLT:
      return write_text("$signed(%s) < $signed(%s)", a[0], a[1]);
    case OP_SELECT:
      return write_text("%s ? %s : %s", a[0], a[1], a[2]);
    case OP_ZEXT:
      return write_text("{%u'd0, %s}", node->width - x->width, a[0]);
    case OP_SEXT:
      return write_text("{{%u{%s}}, %s}", node->width - x->width, write_bits(w, s, x, at, lane, x->width - 1, 1), a[0]);
    case OP_SLICE:
      return write_bits(w, s, x, at, lane, (unsigned)node->number, node->width);
    case OP_CONCAT:
      return write_text("{%s, %s}", a[0], a[1]);
    case OP_POPCOUNT: {
      char *sum = write_text("{%u'd0, %s}", node->width - 1, write_bits(w, s, x, at, lane, 0, 1));
      for (unsigned i = 1; i < x->width; i++)
        sum = write_text("%s + {%u'd0, %s}", sum, node->width - 1, write_bits(w, s, x, at, lane, i, 1));
      return sum;
    }
    case OP_FLT:
      return write_text("float_less(%s, %s)", a[0], a[1]);
    case OP_FEQ:
      return write_text("float_equal(%s, %s)", a[0], a[1]);
    case OP_NAN:
      return write_text("float_is_nan(%s)", a[0]);
    default:
      return a[0];
  }
}

static unsigned float_operation(enum op op) {
  switch (op) {
    case OP_FADD:
      return 0;
    case OP_FSUB:
      return 1;
    case OP_FMUL:
      return 2;
    case OP_FMA:
      return 3;
    case OP_FROM_UINT:
      return 4;
    case OP_FROM_INT:
      return 5;
    case OP_TO_UINT:
      return 6;
    case OP_FDIV:
      return 8;
    case OP_FSQRT:
      return 9;
    default:
      return 7;
  }
}

static const char *integer_operator(const struct node *node) {
  if (node->op == OP_DIVIDE)
    return "divide";
  return graph_is_wide_product(node) ? "multiply_wide" : "multiply";
}

static const char *integer_parameters(const struct node *node) {
  if (node->op == OP_MUL_HIGH)
    return write_text(", .FIRST(%u)", node->width);
  return node->op == OP_DIVIDE && node->number ? ", .REMAINDER(1)" : "";
}

static const char *shifts_of(const struct writer *w, const struct node *node) {
  return (node->op == OP_FMA || node->op == OP_FMUL) && w->graph->multiplied_shifts ? ", .MULTIPLIED_SHIFTS(1)" : "";
}

// Operands of which a bit each says that they stand still while the dispatch runs, or are the same in all lanes.
struct steady {
  unsigned steady, alike;
};

// By an operator that lanes share.
static void write_lanes_in_turn(struct writer *w, const struct node *node, const char *instance, const char *begin,
                                const char *const operands[3], struct steady steady, const char *result) {
  const unsigned lanes = w->graph->lanes;
  const bool converts = node->op >= OP_FROM_UINT && node->op <= OP_TO_INT;
  write_body(
      w,
      "  float_in_turn #(.LANES(%u), .TURNS(%u), .OPERATION(%u), .ROUNDING(3'd%u), .STEADY(3'd%u), .ALIKE(3'd%u)%s) "
      "%s (.clk(clk), .begin_i(%s)",
      lanes, graph_turns(w->graph, node), float_operation(node->op), converts ? (unsigned)node->number : 0,
      steady.steady, steady.alike, shifts_of(w, node), instance, begin);
  for (unsigned i = 0; i < 3; i++)
    write_body(w, ", .%c_i(%s)", 'a' + i, i < node->count ? operands[i] : write_text("%u'd0", 32 * lanes));
  write_body(w, ", .y_o(%s));\n", result);
}

static void write_in_turn(struct writer *w, const struct segment *s, const struct node *node, const char *instance,
                          const char *result) {
  struct steady steady = {0, 0};
  const char *operands[3] = {NULL};
  for (unsigned i = 0; i < node->count; i++) {
    steady.steady |= graph_is_static(node->arguments[i]) ? 1u << i : 0;
    steady.alike |= graph_copies(w->graph, node->arguments[i]) == 1 ? 1u << i : 0;
    operands[i] = write_all_lanes(w, s, node->arguments[i], node->start, w->graph->lanes);
  }
  write_lanes_in_turn(w, node, instance, write_text("s%u_valid_%u", s->id, node->start), operands, steady, result);
}

// An operation to be written: what makes a value of a segment, or one a dispatch where s is NULL.
struct operation {
  struct writer *w;
  const struct segment *s;
  const struct node *node;
  const char *instance, *result;  // the name of a module in it; its signal of all lanes
  unsigned copies;                // lanes for which it is made
};

static const char *operand_of(const struct operation *o, unsigned argument, unsigned lane) {
  return write_operand(o->w, o->s, o->node->arguments[argument], o->node->start, lane);
}

// The part of the result that is a lane's.
static const char *lane_of(const struct operation *o, unsigned lane) {
  const unsigned width = o->node->width;
  return write_text("%s[%u:%u]", o->result, width * lane + width - 1, width * lane);
}

// A module that makes one lane's result of operands.
static void write_module(struct writer *w, const struct node *node, const char *instance, const char *const operands[3],
                         const char *result) {
  const bool converts = node->op >= OP_FROM_UINT && node->op <= OP_TO_INT;
  switch (node->op) {
    case OP_MUL:
    case OP_MUL_HIGH:
    case OP_DIVIDE:
      write_body(w, "  %s #(.WIDTH(%u)%s) %s (.clk(clk), .a_i(%s), .b_i(%s), .y_o(%s));\n", integer_operator(node),
                 node->width, integer_parameters(node), instance, operands[0], operands[1], result);
      return;
    case OP_FDIV:
      write_body(w, "  float_divide %s (.clk(clk), .a_i(%s), .b_i(%s), .y_o(%s));\n", instance, operands[0],
                 operands[1], result);
      return;
    case OP_FSQRT:
      write_body(w, "  float_root %s (.clk(clk), .a_i(%s), .y_o(%s));\n", instance, operands[0], result);
      return;
    default:
      write_body(w, "  float_operator #(.OPERATION(%u), .ROUNDING(3'd%u)%s) %s (.clk(clk)", float_operation(node->op),
                 converts ? (unsigned)node->number : 0, shifts_of(w, node), instance);
      for (unsigned i = 0; i < 3; i++)
        write_body(w, ", .%c_i(%s)", 'a' + i, i < node->count ? operands[i] : "32'd0");
      write_body(w, ", .y_o(%s));\n", result);
  }
}

// An operator for each lane.
static void write_modules(const struct operation *o) {
  for (unsigned l = 0; l < o->copies; l++) {
    const char *operands[3] = {NULL};
    for (unsigned i = 0; i < o->node->count; i++)
      operands[i] = operand_of(o, i, l);
    write_module(o->w, o->node, write_text("%s_%u", o->instance, l), operands, lane_of(o, l));
  }
}

// A module of the user's for each lane.
static void write_user_modules(const struct operation *o) {
  const struct verilog_function *module = &o->w->graph->modules[o->node->number];
  for (unsigned l = 0; l < o->copies; l++) {
    write_body(o->w, "  %s %s_%u (%s", module->module, o->instance, l, module->latency != 0 ? ".clk(clk), " : "");
    for (unsigned i = 0; i < o->node->count; i++)
      write_body(o->w, ".%c_i(%s), ", 'a' + i, operand_of(o, i, l));
    write_body(o->w, ".y_o(%s));\n", lane_of(o, l));
  }
}

// ---- operators that operations of a segment share

// The operator itself: in front of it the operands of the operation whose token is in its stage, in a register.
static void write_shared_operator(struct writer *w, const struct segment *s, const struct node *first) {
  const unsigned copies = graph_copies(w->graph, first), turns = graph_turns(w->graph, first);
  const char *name = write_text("s%u_o_%s", s->id, write_name(first)), *any = NULL, *chosen[3] = {NULL};
  for (unsigned i = 0; i < s->nodes.count; i++) {
    const struct node *node = s->nodes.items[i];
    if (node->sharers == 0 || graph_first_of_operator(s, node) != first)
      continue;
    const char *valid = write_text("s%u_valid_%u", s->id, node->start);
    any = any ? write_text("%s || %s", any, valid) : valid;
    for (unsigned k = 0; k < node->count; k++) {
      const unsigned bits = copies * node->arguments[k]->width;
      const char *one =
          write_text("({%u{%s}} & %s)", bits, valid, write_all_lanes(w, s, node->arguments[k], node->start, copies));
      chosen[k] = chosen[k] ? write_text("%s |\n      %s", chosen[k], one) : one;
    }
  }
  write_declaration(w, "  wire %s%s_y;\n  reg %s_begin;\n", write_range(copies * first->width), name, name);
  for (unsigned k = 0; k < first->count; k++)
    write_declaration(w, "  reg %s%s_%c;\n", write_range(copies * first->arguments[k]->width), name, 'a' + k);
  write_body(w, "  always @(posedge clk) begin\n    %s_begin <= %s;\n", name, any);
  for (unsigned k = 0; k < first->count; k++)
    write_body(w, "    %s_%c <= %s;\n", name, 'a' + k, chosen[k]);
  write_body(w, "  end\n");
  if (turns != 1) {
    const char *const operands[3] = {write_text("%s_a", name), first->count > 1 ? write_text("%s_b", name) : NULL,
                                     first->count > 2 ? write_text("%s_c", name) : NULL};
    write_lanes_in_turn(w, first, name, write_text("%s_begin", name), operands, (struct steady){0, 0},
                        write_text("%s_y", name));
    return;
  }
  for (unsigned l = 0; l < copies; l++) {
    const char *operands[3] = {NULL};
    for (unsigned k = 0; k < first->count; k++) {
      const unsigned width = first->arguments[k]->width;
      operands[k] = write_text("%s_%c[%u:%u]", name, 'a' + k, width * l + width - 1, width * l);
    }
    write_module(w, first, write_text("%s_%u", name, l), operands,
                 write_text("%s_y[%u:%u]", name, first->width * l + first->width - 1, first->width * l));
  }
}

static void write_with_others(struct writer *w, const struct segment *s, const struct node *node, const char *result) {
  const struct node *first = graph_first_of_operator(s, node);
  if (first == node)
    write_shared_operator(w, s, first);
  write_body(w, "  assign %s = s%u_o_%s_y;\n", result, s->id, write_name(first));
}

static void write_table(const struct operation *o) {
  const unsigned number = (unsigned)o->node->number;
  const struct table *table = &o->w->graph->tables[number];
  for (unsigned l = 0; l < o->copies; l++)
    write_body(o->w, "  always @(posedge clk) %s <= table_%u_word(%s);\n", lane_of(o, l), number,
               table->log2_bytes <= 2
                   ? "1'b0"
                   : write_bits(o->w, o->s, o->node->arguments[0], o->node->start, l, 2, table->log2_bytes - 2));
}

static void write_element(const struct operation *o) {
  const unsigned width = o->node->width, low = width * o->w->graph->lanes * o->node->port;
  write_body(o->w, "  assign %s = array_%u_value[%u:%u];\n", o->result, (unsigned)o->node->number,
             low + width * o->copies - 1, low);
}

static void write_scan(const struct operation *o) {
  const struct graph *graph = o->w->graph;
  const bool is_float = o->node->op == OP_FSCAN;
  const unsigned operation = (unsigned)o->node->number, width = o->node->width;
  const uint64_t identity = is_float ? 0x80000000u : call_identity(operation, width);
  const char *list = NULL;
  for (unsigned l = graph->lanes; l-- > 0;) {
    const char *one =
        write_text("%s ? %s : %s", operand_of(o, 1, l), operand_of(o, 0, l), write_number(width, identity));
    list = !list ? one : write_text("%s, %s", list, one);
  }
  if (is_float)
    write_body(o->w, "  float_scan #(.LANES(%u), .LEVELS(%u)) %s (.clk(clk), .x_i({%s}), .y_o(%s));\n", graph->lanes,
               graph->lanes_log2, o->instance, list, o->result);
  else
    write_body(o->w,
               "  lane_scan #(.LANES(%u), .LEVELS(%u), .OPERATION(%u), .WIDTH(%u)) %s (.clk(clk), .x_i({%s}), "
               ".y_o(%s));\n",
               graph->lanes, graph->lanes_log2, operation, width, o->instance, list, o->result);
}

// Each lane's value is that of the lane before it; the first lane's is another one.
static void write_below(const struct operation *o) {
  for (unsigned l = 0; l < o->w->graph->lanes; l++)
    write_body(o->w, "  assign %s = %s;\n", lane_of(o, l), l == 0 ? operand_of(o, 1, 0) : operand_of(o, 0, l - 1));
}

static void write_shuffle(const struct operation *o) {
  const unsigned lanes = o->w->graph->lanes, width = o->node->width;
  for (unsigned l = 0; l < lanes; l++) {
    write_body(o->w, "  always @(posedge clk) case (%s)\n",
               write_bits(o->w, o->s, o->node->arguments[1], o->node->start, l, 0, 5));
    for (unsigned k = 0; k < lanes; k++)
      write_body(o->w, "    5'd%u: %s <= %s ? %s : %u'd0;\n", k, lane_of(o, l), operand_of(o, 2, k),
                 operand_of(o, 0, k), width);
    write_body(o->w, "    default: %s <= %u'd0;\n  endcase\n", lane_of(o, l), width);
  }
}

// What is no module: an expression for each lane.
static void write_expressions(const struct operation *o) {
  for (unsigned l = 0; l < o->copies; l++) {
    const char *to = o->copies == 1        ? o->result
                     : o->node->width == 1 ? write_text("%s[%u]", o->result, l)
                                           : lane_of(o, l);
    write_body(o->w, o->s ? "  assign %s = %s;\n" : "  always @(posedge clk) %s <= %s;\n", to,
               expression(o->w, o->s, o->node, l));
  }
}

// Makes a value of a segment, or one a dispatch where s is NULL; `result` is its signal of all lanes.
void write_operation(struct writer *w, const struct segment *s, const struct node *node, const char *result) {
  const struct graph *graph = w->graph;
  const struct operation o = {
      .w = w,
      .s = s,
      .node = node,
      .instance = s ? write_text("s%u_u_%s", s->id, write_name(node)) : write_text("d_u_%s", write_name(node)),
      .result = result,
      .copies = graph_is_static(node) ? 1 : graph_copies(graph, node)};
  if (s && node->sharers != 0) {
    write_with_others(w, s, node, result);
    return;
  }
  if (s && graph_turns(graph, node) != 1) {
    write_in_turn(w, s, node, o.instance, result);
    return;
  }
  if (graph_is_sum(node, NULL)) {
    write_expressions(&o);
    return;
  }
  switch (node->op) {
    case OP_FADD:
    case OP_FSUB:
    case OP_FMUL:
    case OP_FMA:
    case OP_FROM_UINT:
    case OP_FROM_INT:
    case OP_TO_UINT:
    case OP_TO_INT:
    case OP_MUL:
    case OP_MUL_HIGH:
    case OP_DIVIDE:
    case OP_FDIV:
    case OP_FSQRT:
      write_modules(&o);
      break;
    case OP_VERILOG:
      write_user_modules(&o);
      break;
    case OP_TABLE:
      write_table(&o);
      break;
    case OP_ELEMENT:
      write_element(&o);
      break;
    case OP_SCAN:
    case OP_FSCAN:
      write_scan(&o);
      break;
    case OP_BELOW:
      write_below(&o);
      break;
    case OP_LAST:
      write_body(w, "  assign %s = %s;\n", result, operand_of(&o, 0, graph->lanes - 1));
      break;
    case OP_BALLOT:
      write_body(w, "  assign %s = {%u'd0, %s};\n", result, 32 - graph->lanes,
                 write_all_lanes(w, s, node->arguments[0], node->start, graph->lanes));
      break;
    case OP_SHUFFLE:
      write_shuffle(&o);
      break;
    default:
      write_expressions(&o);
      break;
  }
}
