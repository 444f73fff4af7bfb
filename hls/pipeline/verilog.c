// SPDX-License-Identifier: Apache-2.0
// Writes the Verilog of a scheduled graph: one module, whose parts are those of rtl/pipeline. A value is named for its
// operation, the line of the source and its number, behind it stands the stage; declarations come first, since Verilog
// wants them before their use. The same graph gives the same bytes.
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "hls/pipeline/calls.h"
#include "hls/pipeline/schedule.h"

struct writer {
  const struct graph *graph;
  FILE *declare, *body;
  unsigned site_bits;
  struct list checks;
};

static const char *const op_names[] = {
    [OP_CONSTANT] = "constant",
    [OP_WORD] = "word",
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
    [OP_SCAN] = "scan",
    [OP_FSCAN] = "fscan",
    [OP_BELOW] = "below",
    [OP_LAST] = "last",
    [OP_SHUFFLE] = "shuffle",
    [OP_BALLOT] = "ballot",
    [OP_LOAD] = "load",
    [OP_STORE] = "store",
    [OP_ATOMIC] = "atomic",
    [OP_BARRIER] = "barrier",
    [OP_CARRY] = "carry",
    [OP_TOTAL] = "total",
    [OP_LOOP] = "loop",
    [OP_CHECK] = "check",
};

static void body(struct writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void body(struct writer *w, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(w->body, format, arguments);
  va_end(arguments);
}

static void declare(struct writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void declare(struct writer *w, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(w->declare, format, arguments);
  va_end(arguments);
}

// ---- names. Texts are small and live until the process ends.

static char *text(const char *format, ...) __attribute__((format(printf, 1, 2)));
static char *text(const char *format, ...) {
  char *result = NULL;
  va_list arguments;
  va_start(arguments, format);
  if (vasprintf(&result, format, arguments) < 0)
    exit(STATUS_FAILED);
  va_end(arguments);
  return result;
}

static const char *name_of(const struct node *node) {
  return node->line != 0 ? text("%s_l%u_%u", op_names[node->op], node->line, node->id)
                         : text("%s_%u", op_names[node->op], node->id);
}

static const char *signal(const struct segment *s, const struct node *node, unsigned stage) {
  return text("s%u_%s_%u", s ? s->id : 0, name_of(node), stage);
}

static const char *range(unsigned width) {
  return text("[%u:0] ", width - 1);
}

static const char *number_text(unsigned width, uint64_t number) {
  return text("%u'h%llx", width, (unsigned long long)number);
}

// Bits of a value of one lane, as it stands in a stage of a segment.
static const char *bits_of(struct writer *w, const struct segment *s, const struct node *node, unsigned stage,
                           unsigned lane, unsigned low, unsigned width) {
  if (node->op == OP_CONSTANT || node->op == OP_LANE) {
    const uint64_t number = (node->op == OP_LANE ? lane : node->number) >> low;
    return number_text(width, width < 64 ? number & ((1ull << width) - 1) : number);
  }
  const char *name = graph_is_static(node) ? text("d_%s", name_of(node)) : signal(s, node, stage);
  const unsigned copies = graph_is_static(node) ? 1 : graph_copies(w->graph, node);
  const unsigned at = (copies > 1 ? lane * node->width : 0) + low;
  if (copies == 1 && low == 0 && width == node->width)
    return name;
  return width == 1 ? text("%s[%u]", name, at) : text("%s[%u:%u]", name, at + width - 1, at);
}

static const char *operand(struct writer *w, const struct segment *s, const struct node *node, unsigned stage,
                           unsigned lane) {
  return bits_of(w, s, node, stage, lane, 0, node->width);
}

// A value for each of `copies` lanes, the last lane first.
static const char *all_lanes(struct writer *w, const struct segment *s, const struct node *node, unsigned stage,
                             unsigned copies) {
  if (!graph_is_static(node) && graph_copies(w->graph, node) == copies)
    return signal(s, node, stage);
  if (copies == 1)
    return operand(w, s, node, stage, 0);
  if (node->op != OP_LANE)
    return text("{%u{%s}}", copies, operand(w, s, node, stage, 0));
  char *list = text("%s", operand(w, s, node, stage, copies - 1));
  for (unsigned l = copies - 1; l-- > 0;)
    list = text("%s, %s", list, operand(w, s, node, stage, l));
  return text("{%s}", list);
}

// ---- operations

static const char *expression(struct writer *w, const struct segment *s, const struct node *node, unsigned lane) {
  const unsigned at = node->start;
  const char *a[4] = {"", "", "", ""};
  for (unsigned i = 0; i < node->count && i < 4; i++)
    a[i] = operand(w, s, node->arguments[i], at, lane);
  static const struct node none;
  const struct node *x = node->count > 0 ? node->arguments[0] : &none,
                    *y = node->count > 1 ? node->arguments[1] : &none;
  switch (node->op) {
    case OP_ADD:
      return text("%s + %s", a[0], a[1]);
    case OP_SUB:
      return text("%s - %s", a[0], a[1]);
    case OP_AND:
      return text("%s & %s", a[0], a[1]);
    case OP_OR:
      return text("%s | %s", a[0], a[1]);
    case OP_XOR:
      return y->op == OP_CONSTANT && y->number == (y->width < 64 ? (1ull << y->width) - 1 : ~0ull)
                 ? text("~%s", a[0])
                 : text("%s ^ %s", a[0], a[1]);
    case OP_SHL:
      return y->op == OP_CONSTANT ? text("%s << %llu", a[0], (unsigned long long)y->number)
                                  : text("%s << %s", a[0], a[1]);
    case OP_LSHR:
      return y->op == OP_CONSTANT ? text("%s >> %llu", a[0], (unsigned long long)y->number)
                                  : text("%s >> %s", a[0], a[1]);
    case OP_ASHR:
      return text("$signed(%s) >>> %s", a[0], a[1]);
    case OP_EQ:
      return text("%s == %s", a[0], a[1]);
    case OP_ULT:
      return text("%s < %s", a[0], a[1]);
    case OP_SLT:
      return text("$signed(%s) < $signed(%s)", a[0], a[1]);
    case OP_SELECT:
      return text("%s ? %s : %s", a[0], a[1], a[2]);
    case OP_ZEXT:
      return text("{%u'd0, %s}", node->width - x->width, a[0]);
    case OP_SEXT:
      return text("{{%u{%s}}, %s}", node->width - x->width, bits_of(w, s, x, at, lane, x->width - 1, 1), a[0]);
    case OP_SLICE:
      return bits_of(w, s, x, at, lane, (unsigned)node->number, node->width);
    case OP_CONCAT:
      return text("{%s, %s}", a[0], a[1]);
    case OP_POPCOUNT: {
      char *sum = text("{%u'd0, %s}", node->width - 1, bits_of(w, s, x, at, lane, 0, 1));
      for (unsigned i = 1; i < x->width; i++)
        sum = text("%s + {%u'd0, %s}", sum, node->width - 1, bits_of(w, s, x, at, lane, i, 1));
      return sum;
    }
    case OP_FLT:
      return text("float_less(%s, %s)", a[0], a[1]);
    case OP_FEQ:
      return text("float_equal(%s, %s)", a[0], a[1]);
    case OP_NAN:
      return text("float_is_nan(%s)", a[0]);
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
    default:
      return 7;
  }
}

// Makes a value of a segment, or one a dispatch where s is NULL; `result` is its signal of all lanes.
static void operation(struct writer *w, const struct segment *s, const struct node *node, const char *result) {
  const struct graph *graph = w->graph;
  const unsigned copies = graph_is_static(node) ? 1 : graph_copies(graph, node), width = node->width;
  const char *instance = s ? text("s%u_u_%s", s->id, name_of(node)) : text("d_u_%s", name_of(node));
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
      const unsigned turns = graph_turns(graph, node);
      if (turns != 1) {
        unsigned steady = 0;
        for (unsigned i = 0; i < node->count; i++)
          steady |= graph_is_static(node->arguments[i]) ? 1u << i : 0;
        body(w,
             "  float_in_turn #(.LANES(%u), .TURNS(%u), .OPERATION(%u), .ROUNDING(3'd%u), .STEADY(3'd%u)) %s "
             "(.clk(clk), "
             ".begin_i(s%u_valid_%u)",
             copies, turns, float_operation(node->op), converts ? (unsigned)node->number : 0, steady, instance,
             s ? s->id : 0, node->start);
        for (unsigned i = 0; i < 3; i++)
          body(w, ", .%c_i(%s)", 'a' + i,
               i < node->count ? all_lanes(w, s, node->arguments[i], node->start, copies) : text("%u'd0", 32 * copies));
        body(w, ", .y_o(%s));\n", result);
        return;
      }
      for (unsigned l = 0; l < copies; l++) {
        body(w, "  float_operator #(.OPERATION(%u), .ROUNDING(3'd%u)) %s_%u (.clk(clk)", float_operation(node->op),
             converts ? (unsigned)node->number : 0, instance, l);
        for (unsigned i = 0; i < 3; i++)
          body(w, ", .%c_i(%s)", 'a' + i,
               i < node->count ? operand(w, s, node->arguments[i], node->start, l) : "32'd0");
        body(w, ", .y_o(%s[%u:%u]));\n", result, 32 * l + 31, 32 * l);
      }
      return;
    }
    case OP_MUL:
    case OP_DIVIDE:
      for (unsigned l = 0; l < copies; l++)
        body(w, "  %s #(.WIDTH(%u)%s) %s_%u (.clk(clk), .a_i(%s), .b_i(%s), .y_o(%s[%u:%u]));\n",
             node->op == OP_MUL ? "multiply" : "divide", width,
             node->op == OP_DIVIDE && node->number ? ", .REMAINDER(1)" : "", instance, l,
             operand(w, s, node->arguments[0], node->start, l), operand(w, s, node->arguments[1], node->start, l),
             result, width * l + width - 1, width * l);
      return;
    case OP_FDIV:
    case OP_FSQRT:
      for (unsigned l = 0; l < copies; l++) {
        body(w, "  %s %s_%u (.clk(clk), .a_i(%s)", node->op == OP_FDIV ? "float_divide" : "float_root", instance, l,
             operand(w, s, node->arguments[0], node->start, l));
        if (node->op == OP_FDIV)
          body(w, ", .b_i(%s)", operand(w, s, node->arguments[1], node->start, l));
        body(w, ", .y_o(%s[%u:%u]));\n", result, 32 * l + 31, 32 * l);
      }
      return;
    case OP_TABLE: {
      const struct table *table = &graph->tables[node->number];
      for (unsigned l = 0; l < copies; l++)
        if (table->log2_bytes <= 2)
          body(w, "  always @(posedge clk) %s[%u:%u] <= table_%u_word(1'b0);\n", result, 32 * l + 31, 32 * l,
               (unsigned)node->number);
        else
          body(w, "  always @(posedge clk) %s[%u:%u] <= table_%u_word(%s);\n", result, 32 * l + 31, 32 * l,
               (unsigned)node->number, bits_of(w, s, node->arguments[0], node->start, l, 2, table->log2_bytes - 2));
      return;
    }
    case OP_SCAN:
    case OP_FSCAN: {
      const bool is_float = node->op == OP_FSCAN;
      const uint64_t identity = is_float ? 0x80000000u : call_identity((unsigned)node->number, width);
      char *list = NULL;
      for (unsigned l = graph->lanes; l-- > 0;) {
        char *one = text("%s ? %s : %s", operand(w, s, node->arguments[1], node->start, l),
                         operand(w, s, node->arguments[0], node->start, l), number_text(width, identity));
        list = !list ? one : text("%s, %s", list, one);
      }
      if (is_float)
        body(w, "  float_scan #(.LANES(%u), .LEVELS(%u)) %s (.clk(clk), .x_i({%s}), .y_o(%s));\n", graph->lanes,
             graph->lanes_log2, instance, list, result);
      else
        body(w,
             "  lane_scan #(.LANES(%u), .LEVELS(%u), .OPERATION(%u), .WIDTH(%u)) %s (.clk(clk), .x_i({%s}), "
             ".y_o(%s));\n",
             graph->lanes, graph->lanes_log2, (unsigned)node->number, width, instance, list, result);
      return;
    }
    case OP_BELOW:
      for (unsigned l = 0; l < graph->lanes; l++)
        body(w, "  assign %s[%u:%u] = %s;\n", result, width * l + width - 1, width * l,
             l == 0 ? operand(w, s, node->arguments[1], node->start, 0)
                    : operand(w, s, node->arguments[0], node->start, l - 1));
      return;
    case OP_LAST:
      body(w, "  assign %s = %s;\n", result, operand(w, s, node->arguments[0], node->start, graph->lanes - 1));
      return;
    case OP_BALLOT:
      body(w, "  assign %s = {%u'd0, %s};\n", result, 32 - graph->lanes,
           all_lanes(w, s, node->arguments[0], node->start, graph->lanes));
      return;
    case OP_SHUFFLE:
      for (unsigned l = 0; l < graph->lanes; l++) {
        const struct node *from = node->arguments[1];
        body(w, "  always @(posedge clk) case (%s)\n", bits_of(w, s, from, node->start, l, 0, 5));
        for (unsigned k = 0; k < graph->lanes; k++)
          body(w, "    5'd%u: %s[%u:%u] <= %s ? %s : %u'd0;\n", k, result, width * l + width - 1, width * l,
               operand(w, s, node->arguments[2], node->start, k), operand(w, s, node->arguments[0], node->start, k),
               width);
        body(w, "    default: %s[%u:%u] <= %u'd0;\n  endcase\n", result, width * l + width - 1, width * l, width);
      }
      return;
    default:
      break;
  }
  for (unsigned l = 0; l < copies; l++) {
    const char *to = copies == 1  ? result
                     : width == 1 ? text("%s[%u]", result, l)
                                  : text("%s[%u:%u]", result, width * l + width - 1, width * l);
    body(w, s ? "  assign %s = %s;\n" : "  always @(posedge clk) %s <= %s;\n", to, expression(w, s, node, l));
  }
}

static bool makes_registers(const struct node *node) {
  return node->op == OP_TABLE || node->op == OP_SHUFFLE;
}

// ---- values by slot

// Writes the signals that store a value: write_…, slot_…, value_…
static void stored(struct writer *w, const struct node *node) {
  const struct graph *graph = w->graph;
  const unsigned copies = graph_copies(graph, node), width = node->width;
  const char *name = name_of(node);
  declare(w, "  wire %swrite_%s;\n  wire %sslot_%s;\n  wire %svalue_%s;\n", range(copies), name,
          range(graph->slots_log2), name, range(width * copies), name);
  if (node->op == OP_LOAD || node->op == OP_ATOMIC) {
    body(w, "  assign write_%s = {%u{answer && answer_site == %u'd%u}} & answer_lanes[%u:0];\n", name, copies,
         w->site_bits, node->site, copies - 1);
    body(w, "  assign slot_%s = answer_slot;\n", name);
    for (unsigned l = 0; l < copies; l++)
      body(w, "  assign value_%s[%u:%u] = answer_data[%u:%u];\n", name, width * l + width - 1, width * l,
           32 * l + width - 1, 32 * l);
    return;
  }
  if (node->op == OP_OUT) {
    // Each lane's last round stays.
    const struct segment *s = schedule_out_segment(node);
    const unsigned stage = schedule_out_stage(node);
    const char *mask = signal(s, node->loop->mask, stage);
    if (node->number == OUT_OF_TOKEN)
      body(w, "  assign write_%s = s%u_valid_%u;\n", name, s->id, stage);
    else if (copies == 1 && graph->lanes > 1)
      body(w, "  assign write_%s = s%u_valid_%u && (|%s);\n", name, s->id, stage, mask);
    else
      body(w, "  assign write_%s = {%u{s%u_valid_%u}} & %s;\n", name, copies, s->id, stage, mask);
    body(w, "  assign slot_%s = s%u_slot_%u;\n  assign value_%s = %s;\n", name, s->id, stage, name,
         all_lanes(w, s, node->arguments[0], stage, copies));
    return;
  }
  body(w, "  assign write_%s = {%u{s%u_valid_%u}};\n  assign slot_%s = s%u_slot_%u;\n  assign value_%s = %s;\n", name,
       copies, node->home->id, node->stage, name, node->home->id, node->stage, name,
       signal(node->home, node, node->stage));
}

static void read_store(struct writer *w, const struct node *node, const char *instance, const char *slot,
                       const char *result) {
  const struct graph *graph = w->graph;
  const char *name = name_of(node);
  unsigned copies = graph_copies(graph, node), width = node->width;
  const char *first = "";
  // What is written for all lanes together is one word.
  if (node->op != OP_LOAD && node->op != OP_ATOMIC && node->op != OP_OUT) {
    width *= copies;
    copies = 1;
    first = "[0]";
  }
  body(w,
       "  slot_store #(.WIDTH(%u), .LANES(%u), .SLOT_BITS(%u)) %s (.clk(clk), .write_i(write_%s%s), "
       ".write_slot_i(slot_%s), .value_i(value_%s),\n"
       "      .read_slot_i(%s), .value_o(%s));\n",
       width, copies, graph->slots_log2, instance, name, first, name, name, slot, result);
}

// ---- segments

static bool is_launched(enum op op) {
  return op >= OP_LOCAL_ID && op <= OP_LAST_SUB_GROUP;
}

static void launched(struct writer *w, const struct node *node, const char *result) {
  static const char dimension[] = "xyz";
  const unsigned d = (unsigned)node->number;
  switch (node->op) {
    case OP_LOCAL_ID:
      body(w, "  assign %s = launch_local_%c;\n", result, dimension[d]);
      return;
    case OP_GROUP_ID:
      body(w, "  assign %s = launch_group_id[%u:%u];\n", result, 32 * d + 31, 32 * d);
      return;
    case OP_GROUP_BASE:
      body(w, "  assign %s = launch_group_base[%u:%u];\n", result, 32 * d + 31, 32 * d);
      return;
    case OP_GROUP_SIZE:
      body(w, "  assign %s = launch_group_size[%u:%u];\n", result, 11 * d + 10, 11 * d);
      return;
    case OP_SUB_GROUP:
      body(w, "  assign %s = launch_sub_group;\n", result);
      return;
    case OP_SUB_GROUP_SIZE:
      body(w, "  assign %s = launch_sub_group_size;\n", result);
      return;
    default:
      body(w, "  assign %s = launch_last_sub_group;\n", result);
      return;
  }
}

static unsigned first_stage(const struct segment *s, const struct node *node) {
  if (!schedule_is_read(s, node))
    return node->stage;
  unsigned first = ~0u;
  for (unsigned i = 0; i < s->use_count; i++)
    if (s->uses[i] == node && s->use_stages[i] < first)
      first = s->use_stages[i];
  return first == 0 ? 1 : first;
}

// Each value that is wanted in later stages than the one in which it is there.
static void delays(struct writer *w, const struct segment *s, const struct node *node) {
  const unsigned bits = node->width * graph_copies(w->graph, node);
  unsigned at = first_stage(s, node);
  for (;;) {
    unsigned next = ~0u;
    for (unsigned i = 0; i < s->use_count; i++)
      if (s->uses[i] == node && s->use_stages[i] > at && s->use_stages[i] < next)
        next = s->use_stages[i];
    if (next == ~0u)
      return;
    declare(w, "  wire %s%s;\n", range(bits), signal(s, node, next));
    body(w, "  value_delay #(.WIDTH(%u), .CYCLES(%u)) %s_delay (.clk(clk), .value_i(%s), .value_o(%s));\n", bits,
         next - at, signal(s, node, next), signal(s, node, at), signal(s, node, next));
    at = next;
  }
}

static void segment_head(struct writer *w, const struct segment *s) {
  static const char *const ends[] = {[END_EXIT] = "the end of the kernel",
                                     [END_BACK] = "the end of a round",
                                     [END_LOADS] = "loads",
                                     [END_STORES] = "stores",
                                     [END_LOOP] = "a loop",
                                     [END_BARRIER] = "a barrier"};
  const struct graph *graph = w->graph;
  unsigned least = ~0u, most = 0;
  for (unsigned i = 0; i < s->nodes.count; i++)
    if (s->nodes.items[i]->line != 0) {
      least = s->nodes.items[i]->line < least ? s->nodes.items[i]->line : least;
      most = s->nodes.items[i]->line > most ? s->nodes.items[i]->line : most;
    }
  body(w, "\n  // ---- segment %u, %s%s: %u stages, then %s", s->id,
       !s->region->parent ? "the kernel" : "the loop of line ", !s->region->parent ? "" : text("%u", s->region->line),
       s->depth + 1, ends[s->end]);
  if (most != 0)
    body(w, "; lines %u to %u", least, most);
  body(w, "\n");
  for (unsigned k = 1; k <= s->depth; k++)
    declare(w, "  reg s%u_valid_%u;\n  reg %ss%u_slot_%u;\n", s->id, k, range(graph->slots_log2), s->id, k);
  if (s->depth != 0) {
    body(w, "  always @(posedge clk) begin\n");
    for (unsigned k = 1; k <= s->depth; k++)
      body(w, "    s%u_valid_%u <= s%u_valid_%u && !reset;\n    s%u_slot_%u <= s%u_slot_%u;\n", s->id, k, s->id, k - 1,
           s->id, k, s->id, k - 1);
    body(w, "  end\n");
  }
}

static void wire_start(struct writer *w, const struct segment *s, const char *valid, const char *slot) {
  declare(w, "  wire s%u_valid_0;\n  wire %ss%u_slot_0;\n", s->id, range(w->graph->slots_log2), s->id);
  body(w, "  assign s%u_valid_0 = %s;\n  assign s%u_slot_0 = %s;\n", s->id, valid, s->id, slot);
}

static void register_start(struct writer *w, const struct segment *s, const char *valid, const char *slot) {
  declare(w, "  reg s%u_valid_0;\n  reg %ss%u_slot_0;\n", s->id, range(w->graph->slots_log2), s->id);
  body(w, "  always @(posedge clk) begin\n    s%u_valid_0 <= (%s) && !reset;\n    s%u_slot_0 <= %s;\n  end\n", s->id,
       valid, s->id, slot);
}

// ---- ends of segments

static const char *last_valid(const struct segment *s) {
  return text("s%u_valid_%u", s->id, s->depth);
}
static const char *last_slot(const struct segment *s) {
  return text("s%u_slot_%u", s->id, s->depth);
}

// A constant that depends on which access of a group it is.
static const char *by_access(const struct segment *s, unsigned bits, unsigned (*of)(const struct node *)) {
  const unsigned first = of(s->group.items[0]);
  bool same = true;
  for (unsigned i = 1; i < s->group.count; i++)
    same &= of(s->group.items[i]) == first;
  if (same)
    return text("%u'd%u", bits, first);
  char *list = text("%u'd%u", bits, of(s->group.items[s->group.count - 1]));
  for (unsigned i = s->group.count - 1; i-- > 0;)
    list = text("m%u_number == %u ? %u'd%u : %s", s->port, i, bits, of(s->group.items[i]), list);
  return text("(%s)", list);
}

static unsigned kind_of_access(const struct node *node) {
  return node->op == OP_STORE ? 1 : node->op == OP_ATOMIC ? 2 : 0;
}
static unsigned function_of_access(const struct node *node) {
  return node->op == OP_ATOMIC ? (unsigned)node->number : 0;
}
static unsigned size_of_access(const struct node *node) {
  return node->bytes == 1 ? 0 : node->bytes == 2 ? 1 : 2;
}

// A memory group that stores; or p itself, if none does.
static unsigned port_with_data(const struct graph *graph, unsigned p) {
  for (unsigned i = 0; i < graph->segment_count; i++) {
    const struct segment *s = graph->segments[i];
    if (s->end == END_STORES || (s->end == END_LOADS && s->group.items[0]->op == OP_ATOMIC))
      return s->port;
  }
  return p;
}

static void end_memory(struct writer *w, const struct segment *s) {
  const struct graph *graph = w->graph;
  const unsigned lanes = graph->lanes, p = s->port, d = s->depth;
  struct accesses a;
  schedule_accesses(s, &a);
  unsigned access_bits = 1;
  while (1u << access_bits < a.count)
    access_bits++;
  // What is kept in the queue: the slot, and whatever is no constant of the dispatch.
  char *word = text("%s", last_slot(s)), *fields = text("m%u_slot", p);
  unsigned bits = graph->slots_log2;
  declare(w, "  wire m%u_valid, m%u_take, m%u_access, m%u_ready, m%u_final, m%u_none, m%u_none_ready;\n", p, p, p, p, p,
          p, p);
  declare(w, "  wire %sm%u_slot;\n  wire %sm%u_number;\n  wire %sm%u_lanes;\n  wire %sm%u_address, m%u_data;\n",
          range(graph->slots_log2), p, range(access_bits), p, range(lanes), p, range(32 * lanes), p, p);
  char *roots = NULL, *masks = NULL, *datas = NULL;
  struct node **lists[] = {a.roots, a.masks, a.datas};
  const unsigned counts[] = {a.root_count, a.mask_count, a.data_count};
  char **results[] = {&roots, &masks, &datas};
  for (unsigned k = 0; k < 3; k++)
    for (unsigned i = counts[k]; i-- > 0;) {
      const struct node *node = lists[k][i];
      const char *value;
      if (k == 1 && a.any[i]) {
        // One access for the token, made by its first lane.
        declare(w, "  wire m%u_any_%u;\n", p, i);
        fields = text("%s, m%u_any_%u", fields, p, i);
        word = text("%s, |%s", word, all_lanes(w, s, node, d, lanes));
        bits++;
        value = lanes > 1 ? text("{%u'd0, m%u_any_%u}", lanes - 1, p, i) : text("m%u_any_%u", p, i);
      } else if (graph_is_static(node)) {
        value = all_lanes(w, s, node, d, lanes);
      } else {
        const unsigned copies = graph_copies(graph, node);
        const char *field = text("m%u_%c%u", p, "rmd"[k], i);
        declare(w, "  wire %s%s;\n", range(copies * node->width), field);
        fields = text("%s, %s", fields, field);
        word = text("%s, %s", word, signal(s, node, d));
        bits += copies * node->width;
        value = copies == lanes ? field : text("{%u{%s}}", lanes, field);
      }
      *results[k] = !*results[k] ? text("%s", value) : text("%s, %s", *results[k], value);
    }
  body(w, "  wire [%u:0] m%u_word;\n", bits - 1, p);
  body(w,
       "  token_queue #(.WIDTH(%u), .SLOT_BITS(%u)) m%u_queue (.clk(clk), .rst(reset), .valid_i(%s), .word_i({%s}),\n",
       bits, graph->slots_log2, p, last_valid(s), word);
  body(w, "      .valid_o(m%u_valid), .word_o(m%u_word), .take_i(m%u_take));\n  assign {%s} = m%u_word;\n", p, p, p,
       fields, p);
  char *offsets = NULL, *root = NULL, *mask = NULL, *data = NULL;
  for (unsigned i = a.count; i-- > 0;) {
    offsets = !offsets ? text("32'h%x", a.offset[i]) : text("%s, 32'h%x", offsets, a.offset[i]);
    root = !root ? text("8'd%u", a.root[i]) : text("%s, 8'd%u", root, a.root[i]);
    mask = !mask ? text("8'd%u", a.mask[i]) : text("%s, 8'd%u", mask, a.mask[i]);
    data = !data ? text("8'd%u", a.data[i]) : text("%s, 8'd%u", data, a.data[i]);
  }
  body(w,
       "  memory_group #(.LANES(%u), .ACCESSES(%u), .ACCESS_BITS(%u), .ROOTS(%u), .MASKS(%u), .DATAS(%u), .ROOT({%s}), "
       ".MASK({%s}),\n",
       lanes, a.count, access_bits, a.root_count, a.mask_count, a.data_count != 0 ? a.data_count : 1, root, mask);
  body(w, "      .DATA({%s}), .OFFSET({%s})) m%u (.clk(clk), .rst(reset), .valid_i(m%u_valid), .take_o(m%u_take),\n",
       data, offsets, p, p, p);
  body(w, "      .roots_i({%s}), .masks_i({%s}), .datas_i(%s),\n", roots, masks,
       datas ? text("{%s}", datas) : text("%u'd0", 32 * lanes));
  body(w,
       "      .access_o(m%u_access), .ready_i(m%u_ready), .number_o(m%u_number), .final_o(m%u_final), "
       ".lanes_o(m%u_lanes),\n",
       p, p, p, p, p);
  body(w, "      .address_o(m%u_address), .data_o(m%u_data), .none_o(m%u_none), .none_ready_i(m%u_none_ready));\n", p,
       p, p, p);
  const unsigned first = s->group.items[0]->site, last = s->group.items[s->group.count - 1]->site;
  body(w, "  assign group_valid[%u] = m%u_access;\n  assign m%u_ready = group_ready[%u];\n", p, p, p, p);
  body(w, "  assign group_kind[%u:%u] = %s;\n", 2 * p + 1, 2 * p, by_access(s, 2, kind_of_access));
  body(w, "  assign group_function[%u:%u] = %s;\n", 5 * p + 4, 5 * p, by_access(s, 5, function_of_access));
  body(w, "  assign group_size[%u:%u] = %s;\n", 2 * p + 1, 2 * p, by_access(s, 2, size_of_access));
  body(w, "  assign group_slot[%u:%u] = m%u_slot;\n", graph->slots_log2 * (p + 1) - 1, graph->slots_log2 * p, p);
  // Bits of the sum that nobody needs: sites are few.
  declare(w, "  wire [31:0] m%u_site = {%u'd0, m%u_number} + 32'd%u;\n", p, 32 - access_bits, p, first);
  body(w, "  assign group_site[%u:%u] = m%u_site[%u:0];\n", w->site_bits * (p + 1) - 1, w->site_bits * p, p,
       w->site_bits - 1);
  body(w, "  assign group_final[%u] = m%u_final;\n", p, p);
  body(w, "  assign group_lanes[%u:%u] = m%u_lanes;\n", lanes * (p + 1) - 1, lanes * p, p);
  body(w, "  assign group_address[%u:%u] = m%u_address;\n", 32 * lanes * (p + 1) - 1, 32 * lanes * p, p);
  // Loads have no data: the port then chooses between equal words, which takes no room.
  body(w, "  assign group_data[%u:%u] = m%u_data;\n", 32 * lanes * (p + 1) - 1, 32 * lanes * p,
       a.data_count != 0 ? p : port_with_data(graph, p));
  if (s->end == END_STORES) {
    body(w, "  assign m%u_none_ready = 1'b1;\n", p);
    register_start(w, s->next, text("m%u_take", p), text("m%u_slot", p));
    return;
  }
  const char *complete = first == last ? text("answer_end && answer_site == %u'd%u", w->site_bits, first)
                         : first == 0  ? text("answer_end && answer_site <= %u'd%u", w->site_bits, last)
                                       : text("answer_end && answer_site >= %u'd%u && answer_site <= %u'd%u",
                                              w->site_bits, first, w->site_bits, last);
  declare(w, "  wire m%u_complete;\n", p);
  body(w, "  assign m%u_complete = %s;\n  assign m%u_none_ready = !m%u_complete;\n", p, complete, p, p);
  register_start(w, s->next, text("m%u_complete || m%u_none", p, p),
                 text("m%u_complete ? answer_slot : m%u_slot", p, p));
}

// What a token brings to a loop, as it comes from its slot store; static values need none.
static const char *entry_value(struct writer *w, const struct region *loop, const struct node *node, const char *as,
                               unsigned width, unsigned copies) {
  const struct graph *graph = w->graph;
  if (schedule_is_fair(loop)) {
    // Stores of their own, which tokens that change places write, too.
    declare(w, "  wire %sr%u_%s;\n", range(width * copies), loop->id, as);
    const struct segment *from = loop->first->from;
    const char *next = text("r%u_%s_next", loop->id, as);
    body(w,
         "  slot_store #(.WIDTH(%u), .LANES(%u), .SLOT_BITS(%u)) r%u_%s_store (.clk(clk), .write_i({%u{%s || "
         "r%u_store}}),\n"
         "      .write_slot_i(r%u_store ? r%u_store_slot : %s), .value_i(r%u_store ? %s : %s), .read_slot_i(r%u_read), "
         ".value_o(r%u_%s));\n",
         width, copies, graph->slots_log2, loop->id, as, copies, last_valid(from), loop->id, loop->id, loop->id,
         last_slot(from), loop->id, next, all_lanes(w, from, node, from->depth, copies), loop->id, loop->id, as);
    return text("r%u_%s", loop->id, as);
  }
  if (graph_is_static(node))
    return all_lanes(w, NULL, node, 0, copies);
  const unsigned own = graph_copies(graph, node);
  declare(w, "  wire %sr%u_%s;\n", range(node->width * own), loop->id, as);
  read_store(w, node, text("r%u_%s_store", loop->id, as), text("r%u_read", loop->id), text("r%u_%s", loop->id, as));
  return own == copies ? text("r%u_%s", loop->id, as) : text("{%u{r%u_%s}}", copies, loop->id, as);
}

static void loop_entry(struct writer *w, const struct region *loop) {
  const struct graph *graph = w->graph;
  const struct segment *first = loop->first, *last = loop->last, *from = first->from;
  const unsigned lanes = graph->lanes, id = loop->id, d = last->depth;
  body(w, "\n  // ---- the ring of the loop of line %u\n", loop->line);
  declare(w,
          "  wire r%u_start, r%u_back, r%u_store, r%u_leave;\n  wire %sr%u_read, r%u_start_slot, r%u_store_slot, "
          "r%u_leave_slot;\n",
          id, id, id, id, range(graph->slots_log2), id, id, id, id);
  const char *again = all_lanes(w, last, loop->again, d, lanes);
  const char *goes = loop->go ? text("{%u{%s}}", lanes, operand(w, last, loop->go, d, 0)) : again;
  body(w,
       "  ring #(.LANES(%u), .SLOT_BITS(%u), .EXCHANGE_LOG2(%u)) r%u (.clk(clk), .rst(reset), .enter_valid_i(%s), "
       ".enter_slot_i(%s),\n",
       lanes, graph->slots_log2, schedule_is_fair(loop) ? 8 : 0, id, last_valid(from), last_slot(from));
  body(w, "      .read_slot_o(r%u_read), .end_valid_i(%s), .end_slot_i(%s), .end_again_i(%s), .start_o(r%u_start),\n",
       id, last_valid(last), last_slot(last), goes, id);
  body(w,
       "      .start_slot_o(r%u_start_slot), .start_back_o(r%u_back), .store_o(r%u_store), "
       ".store_slot_o(r%u_store_slot), .leave_o(r%u_leave),\n",
       id, id, id, id, id);
  body(w, "      .leave_slot_o(r%u_leave_slot));\n", id);
  register_start(w, first, text("r%u_start", id), text("r%u_start_slot", id));
  // The mask and what is carried around.
  declare(w, "  wire %sr%u_mask_next;\n", range(lanes), id);
  body(w, "  assign r%u_mask_next = %s;\n", id, again);
  const char *mask = entry_value(w, loop, loop->enter, "mask", 1, lanes);
  declare(w, "  reg %s%s;\n", range(lanes), signal(first, loop->mask, 0));
  body(w, "  always @(posedge clk) %s <= r%u_back ? r%u_mask_next : %s;\n", signal(first, loop->mask, 0), id, id, mask);
  for (unsigned i = 0; i < loop->phis.count; i++) {
    const struct node *phi = loop->phis.items[i];
    const unsigned copies = graph_copies(graph, phi);
    const char *as = text("v%u", i);
    declare(w, "  wire %sr%u_%s_next;\n", range(phi->width * copies), id, as);
    body(w, "  assign r%u_%s_next = %s;\n", id, as, all_lanes(w, last, loop->next.items[i], d, copies));
    const char *initial = entry_value(w, loop, loop->initial.items[i], as, phi->width, copies);
    declare(w, "  reg %s%s;\n", range(phi->width * copies), signal(first, phi, 0));
    body(w, "  always @(posedge clk) %s <= r%u_back ? r%u_%s_next : %s;\n", signal(first, phi, 0), id, id, as, initial);
  }
  register_start(w, last->next, text("r%u_leave", id), text("r%u_leave_slot", id));
}

static void end_barrier(struct writer *w, const struct segment *s) {
  const struct graph *graph = w->graph;
  const struct node *node = s->group.items[0];
  const unsigned id = s->id;
  declare(w, "  wire b%u_go, b%u_first, b%u_last;\n  wire %sb%u_slot;\n", id, id, id, range(graph->slots_log2), id);
  body(w,
       "  barrier #(.SLOT_BITS(%u)) b%u (.clk(clk), .rst(reset), .shift_i(shift), .wipe_i(wipe), "
       ".wipe_place_i(wipe_place), .begin_i(begin_group),\n"
       "      .begin_place_i(begin_place), .begin_last_i(begin_last), .arrive_i(%s), .arrive_slot_i(%s), "
       ".release_o(b%u_go),\n"
       "      .release_slot_o(b%u_slot), .release_first_o(b%u_first), .release_last_o(b%u_last));\n",
       graph->slots_log2, id, last_valid(s), last_slot(s), id, id, id, id);
  if (node->op == OP_BARRIER) {
    wire_start(w, s->next, text("b%u_go", id), text("b%u_slot", id));
    return;
  }
  const struct node *total = node->arguments[0];
  const char *value;
  if (graph_is_static(total)) {
    value = operand(w, NULL, total, 0, 0);
  } else {
    declare(w, "  wire [31:0] b%u_total;\n", id);
    read_store(w, total, text("b%u_store", id), text("b%u_slot", id), text("b%u_total", id));
    value = text("b%u_total", id);
  }
  const char *result = signal(s->next, node, 0);
  declare(w, "  wire [31:0] %s;\n  wire b%u_out;\n  wire %sb%u_out_slot;\n", result, id, range(graph->slots_log2), id);
  body(w,
       "  %s #(.OPERATION(%u), .IDENTITY(32'h%x), .SLOT_BITS(%u)) b%u_values (.clk(clk), .rst(reset), "
       ".release_i(b%u_go), .release_slot_i(b%u_slot),\n",
       node->op == OP_CARRY ? "group_scan" : "group_total", (unsigned)node->number,
       (unsigned)call_identity((unsigned)node->number, 32), graph->slots_log2, id, id, id);
  body(w,
       "      .release_first_i(b%u_first), %s.total_i(%s), .release_o(b%u_out), .release_slot_o(b%u_out_slot), "
       ".%s_o(%s));\n",
       id, node->op == OP_CARRY ? "" : text(".release_last_i(b%u_last), ", id), value, id, id,
       node->op == OP_CARRY ? "carry" : "total", result);
  wire_start(w, s->next, text("b%u_out", id), text("b%u_out_slot", id));
}

static void segment(struct writer *w, const struct segment *s) {
  segment_head(w, s);
  const struct graph *graph = w->graph;
  for (unsigned i = 0; i < s->nodes.count; i++) {
    const struct node *node = s->nodes.items[i];
    if (node->op == OP_PHI || (node->op == OP_MASK && node->region->parent))
      continue;
    if (node->op == OP_CHECK) {
      list_add(&w->checks, s->nodes.items[i]);
      continue;
    }
    const char *result = signal(s, node, node->stage);
    declare(w, "  %s %s%s;\n", makes_registers(node) ? "reg" : "wire", range(node->width * graph_copies(graph, node)),
            result);
    if (node->op == OP_MASK)
      body(w, "  assign %s = launch_lanes;\n", result);
    else if (is_launched(node->op))
      launched(w, node, result);
    else
      operation(w, s, node, result);
  }
  // Values of other segments, and delays.
  for (unsigned i = 0; i < s->use_count; i++) {
    const struct node *node = s->uses[i];
    bool seen = false;
    for (unsigned k = 0; k < i; k++)
      seen |= s->uses[k] == node;
    if (seen)
      continue;
    if (schedule_is_read(s, node)) {
      const unsigned at = first_stage(s, node);
      declare(w, "  wire %s%s;\n", range(node->width * graph_copies(graph, node)), signal(s, node, at));
      read_store(w, node, text("s%u_%s_store", s->id, name_of(node)), text("s%u_slot_%u", s->id, at - 1),
                 signal(s, node, at));
    }
    delays(w, s, node);
  }
  switch (s->end) {
    case END_LOADS:
    case END_STORES:
      end_memory(w, s);
      break;
    case END_BARRIER:
      end_barrier(w, s);
      break;
    case END_LOOP:
      loop_entry(w, s->group.items[0]->loop);
      break;
    case END_EXIT:
      body(w, "  assign done = %s;\n  assign done_slot = %s;\n", last_valid(s), last_slot(s));
      break;
    default:
      break;
  }
}

// What collectives check: the first that finds something is the fault. In registers, since much comes together here.
static void divergence(struct writer *w) {
  const unsigned count = w->checks.count, slots = w->graph->slots_log2, lanes = w->graph->lanes;
  if (count == 0) {
    declare(w, "  wire divergent;\n  wire %sdivergent_slot;\n  wire %sdivergent_site;\n  wire %sdivergent_lanes;\n",
            range(slots), range(w->site_bits), range(lanes));
    body(w, "  assign {divergent, divergent_slot, divergent_site, divergent_lanes} = 0;\n");
    return;
  }
  declare(w, "  reg divergent;\n  reg %sdivergent_slot;\n  reg %sdivergent_site;\n  reg %sdivergent_lanes;\n",
          range(slots), range(w->site_bits), range(lanes));
  body(w, "\n  // ---- lanes that come to a collective and have missed one before\n");
  const char *any = "", *slot = text("%u'd0", slots), *site = text("%u'd0", w->site_bits),
             *wrong = text("%u'd0", lanes);
  for (unsigned i = count; i-- > 0;) {
    const struct node *check = w->checks.items[i], *found = check->arguments[0];
    const struct segment *s = check->home;
    declare(w, "  wire %s;\n", name_of(check));
    body(w, "  assign %s = s%u_valid_%u && (|%s);\n", name_of(check), s->id, check->start,
         operand(w, s, found, check->start, 0));
    any = text("%s%s%s", name_of(check), any[0] != 0 ? " || " : "", any);
    if (i + 1 == count) {
      slot = text("s%u_slot_%u", s->id, check->start);
      site = text("%u'd%u", w->site_bits, check->site);
      wrong = operand(w, s, found, check->start, 0);
      continue;
    }
    slot = text("%s ? s%u_slot_%u : %s", name_of(check), s->id, check->start, slot);
    site = text("%s ? %u'd%u : %s", name_of(check), w->site_bits, check->site, site);
    wrong = text("%s ? %s : %s", name_of(check), operand(w, s, found, check->start, 0), wrong);
  }
  body(w, "  always @(posedge clk) begin\n    divergent <= (%s) && !reset;\n    divergent_slot <= %s;\n", any, slot);
  body(w, "    divergent_site <= %s;\n    divergent_lanes <= %s;\n  end\n", site, wrong);
}

// ---- the module

static void tables(struct writer *w) {
  for (unsigned i = 0; i < w->graph->table_count; i++) {
    const struct table *table = &w->graph->tables[i];
    const unsigned bits = table->log2_bytes > 2 ? table->log2_bytes - 2 : 1;
    body(w, "\n  // %s\n  function [31:0] table_%u_word(input [%u:0] at);\n    case (at)\n", table->name, i, bits - 1);
    for (uint32_t k = 0; k < table->words; k++)
      body(w, "      %u'd%u: table_%u_word = 32'h%08x;\n", bits, k, i, table->values[k]);
    body(w, "      default: table_%u_word = 32'd0;\n    endcase\n  endfunction\n", i);
  }
}

static void static_values(struct writer *w) {
  const struct graph *graph = w->graph;
  body(w,
       "\n  // ---- what is the same for the whole dispatch: words of the packet, and what is computed from them, a "
       "register each\n");
  for (unsigned i = 0; i < graph->node_count; i++) {
    const struct node *node = graph->nodes[i];
    if (!node->wanted || node->class != CLASS_DISPATCH)
      continue;
    const char *result = text("d_%s", name_of(node));
    if (node->op == OP_WORD) {
      declare(w, "  wire [31:0] %s;\n", result);
      if (node->number == PACKET_ADDRESS)
        body(w, "  assign %s = packet_i;\n", result);
      else
        body(w, "  assign %s = words[%u:%u];\n", result, 32 * (unsigned)node->number + 31, 32 * (unsigned)node->number);
      continue;
    }
    const bool wired = node->op == OP_MUL || (node->op >= OP_DIVIDE && node->op <= OP_FSQRT) ||
                       (node->op >= OP_FADD && node->op <= OP_TO_INT);
    declare(w, "  %s %s%s;\n", wired ? "wire" : "reg", range(node->width), result);
    operation(w, NULL, node, result);
  }
}

// Values that a segment other than their own, a loop's entry or a barrier takes.
static void stored_values(struct writer *w) {
  const struct graph *graph = w->graph;
  bool *wanted = graph_allocate(graph->node_count * sizeof *wanted);
  for (unsigned i = 0; i < graph->segment_count; i++) {
    const struct segment *s = graph->segments[i];
    for (unsigned k = 0; k < s->use_count; k++)
      if (schedule_is_read(s, s->uses[k]))
        wanted[s->uses[k]->id] = true;
    if (s->end == END_BARRIER && s->group.items[0]->op != OP_BARRIER &&
        !graph_is_static(s->group.items[0]->arguments[0]))
      wanted[s->group.items[0]->arguments[0]->id] = true;
    if (s->end != END_LOOP || schedule_is_fair(s->group.items[0]->loop))
      continue;
    const struct region *loop = s->group.items[0]->loop;
    if (!graph_is_static(loop->enter))
      wanted[loop->enter->id] = true;
    for (unsigned k = 0; k < loop->initial.count; k++)
      if (!graph_is_static(loop->initial.items[k]))
        wanted[loop->initial.items[k]->id] = true;
  }
  body(w, "\n  // ---- values that are kept by slot: when, where and what is written\n");
  for (unsigned i = 0; i < graph->node_count; i++)
    if (wanted[i])
      stored(w, graph->nodes[i]);
}

static const char unit_ports[] =
    "    input  wire                   start_i,\n"
    "    input  wire                   clear_i,\n"
    "    input  wire [           31:0] packet_i,\n"
    "    input  wire [            2:0] sub_group_log2_i,\n"
    "    input  wire [           10:0] sub_groups_i,\n"
    "    input  wire [           31:0] local_bytes_i,\n"
    "    input  wire                   group_valid_i,\n"
    "    output wire                   group_ready_o,\n"
    "    input  wire [           95:0] group_id_i,\n"
    "    input  wire [           95:0] group_base_i,\n"
    "    input  wire [           32:0] group_size_i,\n"
    "    output wire                   group_done_o,\n"
    "    output wire                   idle_o,\n"
    "    input  wire                   stop_i,\n"
    "    input  wire [            3:0] stop_reason_i,\n"
    "    output wire                   fault_o,\n"
    "    output wire                   drained_o,\n"
    "    output wire [          255:0] fault_record_o,\n"
    "    output wire                   issued_o,\n"
    "    output wire [            5:0] active_o,\n"
    "    output wire                   memory_wait_o,\n"
    "    output wire                   conflict_o,\n"
    "    output wire                   request_valid_o,\n"
    "    input  wire                   request_ready_i,\n"
    "    output wire [            1:0] request_kind_o,\n"
    "    output wire [            4:0] request_function_o,\n"
    "    output wire [GLOBAL_LOG2-1:0] request_address_o,\n"
    "    output wire [8*ROW_BYTES-1:0] request_data_o,\n"
    "    output wire [  ROW_BYTES-1:0] request_strobe_o,\n"
    "    output wire [ OWNER_BITS-1:0] request_owner_o,\n"
    "    output wire [ LABEL_BITS-1:0] request_label_o,\n"
    "    input  wire                   response_valid_i,\n"
    "    output wire                   response_ready_o,\n"
    "    input  wire [8*ROW_BYTES-1:0] response_data_i,\n"
    "    input  wire [ LABEL_BITS-1:0] response_label_i\n";

static const char unit_names[] =
    "start_i clear_i packet_i sub_group_log2_i sub_groups_i local_bytes_i group_valid_i group_ready_o group_id_i "
    "group_base_i "
    "group_size_i group_done_o idle_o stop_i stop_reason_i fault_o drained_o fault_record_o issued_o active_o "
    "memory_wait_o conflict_o "
    "request_valid_o request_ready_i request_kind_o request_function_o request_address_o request_data_o "
    "request_strobe_o "
    "request_owner_o request_label_o response_valid_i response_ready_o response_data_i response_label_i";

static void unit(struct writer *w) {
  const struct graph *graph = w->graph;
  const unsigned lanes = graph->lanes, groups = graph->ports != 0 ? graph->ports : 1, slots = graph->slots_log2;
  declare(w,
          "  wire reset, token, begin_group, wipe, done, answer, answer_end;\n  wire [2:0] shift;\n  wire %swords;\n",
          range(32 * graph->words));
  declare(w,
          "  wire %sslot, wipe_place, begin_place, begin_last, done_slot, answer_slot, launch_sub_group, "
          "launch_last_sub_group;\n",
          range(slots));
  declare(w, "  wire %slaunch_lanes, answer_lanes;\n  wire %slaunch_local_x, launch_local_y, launch_local_z;\n",
          range(lanes), range(10 * lanes));
  declare(w,
          "  wire [5:0] launch_sub_group_size;\n  wire [95:0] launch_group_id, launch_group_base;\n  wire [32:0] "
          "launch_group_size;\n");
  declare(w, "  wire %sanswer_site;\n  wire %sanswer_data;\n", range(w->site_bits), range(32 * lanes));
  declare(w,
          "  wire [%u:0] group_valid, group_ready, group_final;\n  wire [%u:0] group_kind, group_size;\n  wire [%u:0] "
          "group_function;\n",
          groups - 1, 2 * groups - 1, 5 * groups - 1);
  declare(w,
          "  wire [%u:0] group_slot;\n  wire [%u:0] group_site;\n  wire [%u:0] group_lanes;\n  wire [%u:0] "
          "group_address, group_data;\n",
          slots * groups - 1, w->site_bits * groups - 1, lanes * groups - 1, 32 * lanes * groups - 1);
  if (graph->ports == 0)
    body(w,
         "  assign {group_valid, group_final, group_kind, group_size, group_function, group_slot, group_site, "
         "group_lanes} = 0;\n"
         "  assign {group_address, group_data} = 0;\n");
  body(w,
       "  pipeline_unit #(\n      .LANES(%u),\n      .LANES_LOG2(%u),\n      .SLOT_BITS(%u),\n      .GROUPS(%u),\n     "
       " .SITE_BITS(%u),\n      .WORDS(%u),\n"
       "      .INTERVAL(%u),\n      .SETTLE(%u),\n      .LOCAL(%u),\n      .ATOMIC(%u),\n      .NARROW(%u),\n      "
       ".GLOBAL_LOG2(GLOBAL_LOG2),\n      .FIRST_LOG2(FIRST_LOG2),\n"
       "      .LOCAL_LOG2(LOCAL_LOG2),\n      .ROW_LOG2(ROW_LOG2),\n      .OWNER_BITS(OWNER_BITS),\n      "
       ".LABEL_BITS(LABEL_BITS)\n  ) unit (\n"
       "      .clk(clk),\n      .rst(rst),\n",
       lanes, graph->lanes_log2, slots, groups, w->site_bits, graph->words, graph_interval(graph), graph->settle,
       graph->uses_local, graph->uses_atomic, graph->uses_narrow);
  char *names = text("%s", unit_names), *rest = NULL;
  for (char *name = strtok_r(names, " ", &rest); name; name = strtok_r(NULL, " ", &rest))
    body(w, "      .%s(%s),\n", name, name);
  body(w,
       "      .reset_o(reset),\n      .words_o(words),\n      .shift_o(shift),\n      .wipe_o(wipe),\n      "
       ".wipe_place_o(wipe_place),\n"
       "      .begin_o(begin_group),\n      .begin_place_o(begin_place),\n      .begin_last_o(begin_last),\n      "
       ".token_o(token),\n"
       "      .slot_o(slot),\n      .lanes_o(launch_lanes),\n      .local_x_o(launch_local_x),\n      "
       ".local_y_o(launch_local_y),\n"
       "      .local_z_o(launch_local_z),\n      .sub_group_o(launch_sub_group),\n      "
       ".sub_group_size_o(launch_sub_group_size),\n"
       "      .last_sub_group_o(launch_last_sub_group),\n      .group_id_o(launch_group_id),\n      "
       ".group_base_o(launch_group_base),\n"
       "      .group_size_o(launch_group_size),\n      .done_i(done),\n      .done_slot_i(done_slot),\n      "
       ".valid_i(group_valid),\n"
       "      .ready_o(group_ready),\n      .kind_i(group_kind),\n      .function_i(group_function),\n      "
       ".size_i(group_size),\n"
       "      .slot_i(group_slot),\n      .site_i(group_site),\n      .final_i(group_final),\n      "
       ".lanes_i(group_lanes),\n"
       "      .address_i(group_address),\n      .data_i(group_data),\n      .answer_o(answer),\n      "
       ".answer_end_o(answer_end),\n"
       "      .answer_slot_o(answer_slot),\n      .answer_site_o(answer_site),\n      .answer_lanes_o(answer_lanes),\n"
       "      .answer_data_o(answer_data),\n      .divergent_i(divergent),\n      "
       ".divergent_slot_i(divergent_slot),\n      .divergent_site_i(divergent_site),\n      "
       ".divergent_lanes_i(divergent_lanes)\n  );\n");
}

enum status graph_verilog(const struct graph *graph, FILE *out) {
  struct writer w = {.graph = graph, .site_bits = 1};
  while (1u << w.site_bits < graph->site_count)
    w.site_bits++;
  char *declarations = NULL, *statements = NULL;
  size_t declaration_size, statement_size;
  w.declare = open_memstream(&declarations, &declaration_size);
  w.body = open_memstream(&statements, &statement_size);
  if (!w.declare || !w.body)
    return STATUS_FAILED;
  unit(&w);
  static_values(&w);
  wire_start(&w, graph->top->first, "token", "slot");
  for (unsigned i = 0; i < graph->segment_count; i++)
    segment(&w, graph->segments[i]);
  stored_values(&w);
  divergence(&w);
  fclose(w.declare);
  fclose(w.body);

  fprintf(out,
          "// SPDX-License-Identifier: Apache-2.0\n"
          "// The kernel %s as a pipeline: %u lanes, %u sub-groups at once, %u segments. Made by heddlec --hardware.\n"
          "`default_nettype none\n\nmodule pipeline_%s #(\n    parameter GLOBAL_LOG2 = 28,\n    parameter FIRST_LOG2 = "
          "12,\n    parameter LOCAL_LOG2 = 15,\n"
          "    parameter ROW_LOG2 = 4,\n    parameter OWNER_BITS = %u,\n    parameter LABEL_BITS = 63,\n    parameter "
          "ROW_BYTES = 1 << ROW_LOG2\n) (\n"
          "    input  wire                   clk,\n    input  wire                   rst,\n%s);\n",
          graph->kernel, graph->lanes, 1u << graph->slots_log2, graph->segment_count, graph->kernel, graph->slots_log2,
          unit_ports);
  fprintf(out,
          "  // NaN, equal and less as IEEE 754 has them.\n"
          "  function float_is_nan(input [31:0] a);\n    float_is_nan = a[30:23] == 8'd255 && a[22:0] != 23'd0;\n  "
          "endfunction\n"
          "  function float_equal(input [31:0] a, input [31:0] b);\n"
          "    float_equal = !float_is_nan(a) && !float_is_nan(b) && (a == b || (a[30:0] | b[30:0]) == 31'd0);\n  "
          "endfunction\n"
          "  function float_less(input [31:0] a, input [31:0] b);\n"
          "    float_less = !float_is_nan(a) && !float_is_nan(b) && (a[31] != b[31] ? a[31] && (a[30:0] | b[30:0]) != "
          "31'd0 :\n"
          "                 a != b && ((a[30:0] < b[30:0]) ^ a[31]));\n  endfunction\n");
  struct writer functions = {.graph = graph, .body = out};
  tables(&functions);
  fprintf(out, "\n%s\n%sendmodule\n\n`default_nettype wire\n", declarations, statements);
  free(declarations);
  free(statements);
  return ferror(out) ? STATUS_FAILED : STATUS_OK;
}
