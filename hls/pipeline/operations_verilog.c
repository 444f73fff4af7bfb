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
  switch (node->op) {
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

// By an operator that lanes share.
static void write_in_turn(struct writer *w, const struct segment *s, const struct node *node, const char *instance,
                          const char *result) {
  const unsigned lanes = w->graph->lanes;
  const bool converts = node->op >= OP_FROM_UINT && node->op <= OP_TO_INT;
  unsigned steady = 0, alike = 0;
  for (unsigned i = 0; i < node->count; i++) {
    steady |= graph_is_static(node->arguments[i]) ? 1u << i : 0;
    alike |= graph_copies(w->graph, node->arguments[i]) == 1 ? 1u << i : 0;
  }
  write_body(
      w,
      "  float_in_turn #(.LANES(%u), .TURNS(%u), .OPERATION(%u), .ROUNDING(3'd%u), .STEADY(3'd%u), .ALIKE(3'd%u)) %s "
      "(.clk(clk), .begin_i(s%u_valid_%u)",
      lanes, graph_turns(w->graph, node), float_operation(node->op), converts ? (unsigned)node->number : 0, steady,
      alike, instance, s->id, node->start);
  for (unsigned i = 0; i < 3; i++)
    write_body(w, ", .%c_i(%s)", 'a' + i,
               i < node->count ? write_all_lanes(w, s, node->arguments[i], node->start, lanes)
                               : write_text("%u'd0", 32 * lanes));
  write_body(w, ", .y_o(%s));\n", result);
}

// Makes a value of a segment, or one a dispatch where s is NULL; `result` is its signal of all lanes.
void write_operation(struct writer *w, const struct segment *s, const struct node *node, const char *result) {
  const struct graph *graph = w->graph;
  const unsigned copies = graph_is_static(node) ? 1 : graph_copies(graph, node), width = node->width;
  const char *instance = s ? write_text("s%u_u_%s", s->id, write_name(node)) : write_text("d_u_%s", write_name(node));
  if (s && graph_turns(graph, node) != 1) {
    write_in_turn(w, s, node, instance, result);
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
    case OP_TO_INT: {
      const bool converts = node->op >= OP_FROM_UINT && node->op <= OP_TO_INT;
      for (unsigned l = 0; l < copies; l++) {
        write_body(w, "  float_operator #(.OPERATION(%u), .ROUNDING(3'd%u)) %s_%u (.clk(clk)",
                   float_operation(node->op), converts ? (unsigned)node->number : 0, instance, l);
        for (unsigned i = 0; i < 3; i++)
          write_body(w, ", .%c_i(%s)", 'a' + i,
                     i < node->count ? write_operand(w, s, node->arguments[i], node->start, l) : "32'd0");
        write_body(w, ", .y_o(%s[%u:%u]));\n", result, 32 * l + 31, 32 * l);
      }
      return;
    }
    case OP_MUL:
    case OP_MUL_HIGH:
    case OP_DIVIDE:
      for (unsigned l = 0; l < copies; l++)
        write_body(w, "  %s #(.WIDTH(%u)%s) %s_%u (.clk(clk), .a_i(%s), .b_i(%s), .y_o(%s[%u:%u]));\n",
                   integer_operator(node), width, integer_parameters(node), instance, l,
                   write_operand(w, s, node->arguments[0], node->start, l),
                   write_operand(w, s, node->arguments[1], node->start, l), result, width * l + width - 1, width * l);
      return;
    case OP_FDIV:
    case OP_FSQRT:
      for (unsigned l = 0; l < copies; l++) {
        write_body(w, "  %s %s_%u (.clk(clk), .a_i(%s)", node->op == OP_FDIV ? "float_divide" : "float_root", instance,
                   l, write_operand(w, s, node->arguments[0], node->start, l));
        if (node->op == OP_FDIV)
          write_body(w, ", .b_i(%s)", write_operand(w, s, node->arguments[1], node->start, l));
        write_body(w, ", .y_o(%s[%u:%u]));\n", result, 32 * l + 31, 32 * l);
      }
      return;
    case OP_TABLE: {
      const struct table *table = &graph->tables[node->number];
      for (unsigned l = 0; l < copies; l++)
        if (table->log2_bytes <= 2)
          write_body(w, "  always @(posedge clk) %s[%u:%u] <= table_%u_word(1'b0);\n", result, 32 * l + 31, 32 * l,
                     (unsigned)node->number);
        else
          write_body(w, "  always @(posedge clk) %s[%u:%u] <= table_%u_word(%s);\n", result, 32 * l + 31, 32 * l,
                     (unsigned)node->number,
                     write_bits(w, s, node->arguments[0], node->start, l, 2, table->log2_bytes - 2));
      return;
    }
    case OP_ELEMENT: {
      const unsigned low = width * graph->lanes * node->port;
      write_body(w, "  assign %s = array_%u_value[%u:%u];\n", result, (unsigned)node->number, low + width * copies - 1,
                 low);
      return;
    }
    case OP_SCAN:
    case OP_FSCAN: {
      const bool is_float = node->op == OP_FSCAN;
      const uint64_t identity = is_float ? 0x80000000u : call_identity((unsigned)node->number, width);
      char *list = NULL;
      for (unsigned l = graph->lanes; l-- > 0;) {
        char *one = write_text("%s ? %s : %s", write_operand(w, s, node->arguments[1], node->start, l),
                               write_operand(w, s, node->arguments[0], node->start, l), write_number(width, identity));
        list = !list ? one : write_text("%s, %s", list, one);
      }
      if (is_float)
        write_body(w, "  float_scan #(.LANES(%u), .LEVELS(%u)) %s (.clk(clk), .x_i({%s}), .y_o(%s));\n", graph->lanes,
                   graph->lanes_log2, instance, list, result);
      else
        write_body(w,
                   "  lane_scan #(.LANES(%u), .LEVELS(%u), .OPERATION(%u), .WIDTH(%u)) %s (.clk(clk), .x_i({%s}), "
                   ".y_o(%s));\n",
                   graph->lanes, graph->lanes_log2, (unsigned)node->number, width, instance, list, result);
      return;
    }
    case OP_BELOW:
      for (unsigned l = 0; l < graph->lanes; l++)
        write_body(w, "  assign %s[%u:%u] = %s;\n", result, width * l + width - 1, width * l,
                   l == 0 ? write_operand(w, s, node->arguments[1], node->start, 0)
                          : write_operand(w, s, node->arguments[0], node->start, l - 1));
      return;
    case OP_LAST:
      write_body(w, "  assign %s = %s;\n", result,
                 write_operand(w, s, node->arguments[0], node->start, graph->lanes - 1));
      return;
    case OP_BALLOT:
      write_body(w, "  assign %s = {%u'd0, %s};\n", result, 32 - graph->lanes,
                 write_all_lanes(w, s, node->arguments[0], node->start, graph->lanes));
      return;
    case OP_SHUFFLE:
      for (unsigned l = 0; l < graph->lanes; l++) {
        const struct node *from = node->arguments[1];
        write_body(w, "  always @(posedge clk) case (%s)\n", write_bits(w, s, from, node->start, l, 0, 5));
        for (unsigned k = 0; k < graph->lanes; k++)
          write_body(w, "    5'd%u: %s[%u:%u] <= %s ? %s : %u'd0;\n", k, result, width * l + width - 1, width * l,
                     write_operand(w, s, node->arguments[2], node->start, k),
                     write_operand(w, s, node->arguments[0], node->start, k), width);
        write_body(w, "    default: %s[%u:%u] <= %u'd0;\n  endcase\n", result, width * l + width - 1, width * l, width);
      }
      return;
    default:
      break;
  }
  for (unsigned l = 0; l < copies; l++) {
    const char *to = copies == 1  ? result
                     : width == 1 ? write_text("%s[%u]", result, l)
                                  : write_text("%s[%u:%u]", result, width * l + width - 1, width * l);
    write_body(w, s ? "  assign %s = %s;\n" : "  always @(posedge clk) %s <= %s;\n", to, expression(w, s, node, l));
  }
}
