// SPDX-License-Identifier: Apache-2.0
// What operations cost: latency, delay and room. Delays are of ECP5, speed 6, with wire; room was measured with Yosys
// for each operator alone (docs/results has the table). The one place to change for another chip.
#include "hls/pipeline/graph.h"

static bool is_number(const struct node *node) {
  return node->op == OP_CONSTANT;
}

bool graph_is_float_operator(enum op op) {
  return (op >= OP_FADD && op <= OP_TO_INT) || op == OP_FDIV || op == OP_FSQRT;
}

bool graph_is_sum(const struct node *node, struct product_places *places) {
  if (node->op != OP_MUL || node->width > 64 || !is_number(node->arguments[1]) || node->arguments[1]->number == 0)
    return false;
  const unsigned low = (unsigned)__builtin_ctzll(node->arguments[1]->number);
  const uint64_t odd = node->arguments[1]->number >> low, more = odd + 1, less = odd - 1;
  const bool is_less = (less & (less - 1)) == 0, is_more = (more & (more - 1)) == 0;
  if (less == 0 || more == 0 || (!is_less && !is_more))
    return false;
  const unsigned high = low + (unsigned)__builtin_ctzll(is_less ? less : more);
  if (places)
    *places = (struct product_places){high, low, !is_less};
  return high < node->width;
}

bool graph_is_wide_product(const struct node *node) {
  return node->op == OP_MUL_HIGH || (node->op == OP_MUL && node->width > 36 && !graph_is_sum(node, NULL));
}

enum { DEPTH_OF_BITS = 8 };

// Of a choice among operands, in front of a register: LUTs for a bit of each, and the time of a wide one.
#define CHOSEN_BIT 0.67
#define CHOSEN_NS 4.0
// A user's module, of which nothing is known: in front of its first register, behind its last, and of one without.
#define MODULE_BEFORE_NS 3.5
#define MODULE_BEHIND_NS 1.5
#define MODULE_NS 5.0

// The bits of a value that may be set, from `low` up to but not `high`, as far as the last operations tell. None: both
// are 0.
struct bits {
  unsigned low, high;
};

static struct bits either(struct bits x, struct bits y) {
  if (x.high == 0 || y.high == 0)
    return x.high != 0 ? x : y;
  return (struct bits){x.low < y.low ? x.low : y.low, x.high > y.high ? x.high : y.high};
}

static struct bits within(struct bits x, unsigned low, unsigned high) {
  const struct bits both = {x.low > low ? x.low : low, x.high < high ? x.high : high};
  return both.low < both.high ? both : (struct bits){0, 0};
}

static struct bits moved(struct bits x, unsigned up, unsigned width) {
  return x.high == 0 ? x : within((struct bits){x.low + up, x.high + up}, 0, width);
}

static struct bits bits_of(const struct node *node, unsigned depth) {
  const struct bits all = {0, node->width};
  if (node->op == OP_CONSTANT && node->number != 0)
    return (struct bits){(unsigned)__builtin_ctzll(node->number), 64 - (unsigned)__builtin_clzll(node->number)};
  if (node->op == OP_CONSTANT)
    return (struct bits){0, 0};
  if (depth == DEPTH_OF_BITS || node->count == 0)
    return all;
  const struct bits first = bits_of(node->arguments[0], depth + 1);
  const struct node *second = node->arguments[node->count > 1 ? 1 : 0];
  const bool by_constant = is_number(second) && second->number < node->width;
  switch (node->op) {
    case OP_ZEXT:
      return first;
    case OP_AND: {
      const struct bits mask = bits_of(second, depth + 1);
      return within(first, mask.low, mask.high);
    }
    case OP_OR:
    case OP_XOR:
      return either(first, bits_of(second, depth + 1));
    case OP_ADD: {
      const struct bits sum = either(first, bits_of(second, depth + 1));
      return sum.high == 0 ? sum : within((struct bits){sum.low, sum.high + 1}, 0, node->width);
    }
    case OP_SELECT:
      return either(bits_of(second, depth + 1), bits_of(node->arguments[2], depth + 1));
    case OP_SHL:
      return by_constant ? moved(first, (unsigned)second->number, node->width) : all;
    case OP_LSHR: {
      const unsigned down = by_constant ? (unsigned)second->number : 0;
      const struct bits left = within(first, down, node->width);
      return left.high == 0 ? left : (struct bits){by_constant ? left.low - down : 0, left.high - down};
    }
    case OP_CONCAT:
      return either(moved(first, second->width, node->width), bits_of(second, depth + 1));
    default:
      return all;
  }
}

unsigned graph_live_bits(const struct node *node) {
  const struct bits bits = bits_of(node, 0);
  return node->width <= 32 ? node->width : bits.high - bits.low;
}

// Digits of 18 bits that a factor has.
static unsigned digits_of(const struct node *node) {
  const unsigned high = bits_of(node, 0).high;
  return high != 0 ? (high + 17) / 18 : 1;
}

void graph_products(struct graph *graph) {
  for (unsigned i = 0; i < graph->node_count; i++) {
    struct node *node = graph->nodes[i];
    for (unsigned k = 0; k < 2 && (node->op == OP_MUL || node->op == OP_MUL_HIGH); k++)
      node->digits[k] = digits_of(node->arguments[k]);
  }
}

// As multiply.v: products with a digit that is 0 go in synthesis. Operands go straight to a multiplier, which is slow
// and may be far.
static struct cost product_cost(const struct node *node) {
  const unsigned bits = node->width;
  if (bits <= 18)
    return (struct cost){2, 7.0, 3.0, bits, 2.0 * bits, 1};
  const unsigned products = digits_of(node->arguments[0]) + digits_of(node->arguments[1]) - 1;
  return (struct cost){2, 7.0, 3.0, products > 1 ? bits : 0, 2.0 * bits, products};
}

// Digits that are 0 go in synthesis, and of the low half what is above it.
static struct cost wide_product_cost(const struct node *node) {
  const unsigned a = digits_of(node->arguments[0]), b = digits_of(node->arguments[1]);
  const unsigned most = node->op == OP_MUL_HIGH ? a + b : (node->width + 17) / 18;
  unsigned products = 0;
  for (unsigned i = 0; i < a; i++)
    for (unsigned k = 0; k < b && i + k < most; k++)
      products++;
  const double top = 18.0 * (a + b < most ? a + b : most);
  return (struct cost){4, 3.5, 0.6, 18.0 * products + 2 * top, 54.0 * products + 2 * top, products};
}

// Whether the upper half of a product is wanted, too: synthesis then makes both halves of one multiplier.
static bool has_upper_half(const struct graph *graph, const struct node *product) {
  for (unsigned i = 0; i < graph->node_count; i++) {
    const struct node *node = graph->nodes[i];
    if (node->op == OP_MUL_HIGH && node->region == product->region && node->arguments[0] == product->arguments[0] &&
        node->arguments[1] == product->arguments[1])
      return true;
  }
  return false;
}

// In front of an array: its port, and the choice of who uses it where it is shared.
static double port_ns(const struct graph *graph) {
  return graph->arrays_of_one ? 2.0 : 1.0;
}

// What one operator costs, whoever shares it.
static struct cost own_cost(const struct graph *graph, const struct node *node) {
  struct product_places places;
  const double bits = node->width, wide = node->count != 0 ? node->arguments[0]->width : 0;
  const bool second = node->count > 1 && is_number(node->arguments[1]);
  switch (node->op) {
    case OP_ADD:
    case OP_SUB:
      return (struct cost){0, 0, 1.4 + 0.055 * bits, bits + 1, 0, 0};
    case OP_MUL:
    case OP_MUL_HIGH:
      if (graph_is_sum(node, &places))
        return (struct cost){0, 0, 1.4 + 0.055 * bits, bits + 1 - places.low, 0, 0};
      if (graph_is_wide_product(node))
        return wide_product_cost(node);
      return product_cost(node);
    case OP_AND:
    case OP_OR:  // with a constant they are wires
      return (struct cost){0, 0, second ? 0 : 0.9, second ? 0 : bits / 2, 0, 0};
    case OP_XOR:
      return (struct cost){0, 0, 0.9, second ? 0 : bits / 2, 0, 0};
    case OP_SHL:
    case OP_LSHR:
    case OP_ASHR:
      if (second)
        return (struct cost){0};
      return (struct cost){0, 0, 4.5, 2.6 * bits, 0, 0};
    case OP_EQ:
      return (struct cost){0, 0, 1.2 + 0.03 * wide, wide / (second ? 3.5 : 1.8), 0, 0};
    case OP_ULT:
    case OP_SLT:
      return (struct cost){0, 0, 1.6 + 0.04 * wide, wide + 1, 0, 0};
    case OP_SELECT:
      // Of two constants each bit is one of them, the condition or its opposite.
      if (second && is_number(node->arguments[2]))
        return (struct cost){0, 0, node->arguments[2]->number != 0 ? 0.9 : 0, 0, 0, 0};
      return (struct cost){0, 0, 1.3, bits, 0, 0};
    case OP_POPCOUNT:
      return (struct cost){0, 0, 6.5, 1.9 * bits, 0, 0};
    case OP_DIVIDE:
      return (struct cost){node->width + 1, 0.6, 0.6, 1.1 * bits * bits, 2 * bits * bits, 0};
    case OP_VERILOG: {
      const struct verilog_function *module = &graph->modules[node->number];
      return (struct cost){module->latency,
                           module->latency != 0 ? MODULE_BEFORE_NS : 0,
                           module->latency != 0 ? MODULE_BEHIND_NS : MODULE_NS,
                           module->lut,
                           module->ff,
                           module->dsp};
    }
    case OP_FDIV:
      return (struct cost){18, 4.0, 0.6, 2040, 1270, 0};
    case OP_FSQRT:
      return (struct cost){17, 4.0, 0.6, 1370, 900, 0};
    case OP_FADD:
    case OP_FSUB:
      return (struct cost){6, 4.3, 0.6, 550, 280, 0};
    case OP_FMUL:
      return graph->multiplied_shifts ? (struct cost){7, 3.5, 0.6, 308, 512, 6}
                                      : (struct cost){7, 3.5, 0.6, 391, 470, 4};
    case OP_FMA:
      return graph->multiplied_shifts ? (struct cost){7, 3.5, 0.6, 687, 823, 8}
                                      : (struct cost){7, 3.5, 0.6, 828, 777, 4};
    case OP_FROM_UINT:
    case OP_FROM_INT:
      return (struct cost){7, 3.5, 0.6, node->op == OP_FROM_INT ? 342 : 270, 250, 0};
    case OP_TO_UINT:
    case OP_TO_INT:
      return (struct cost){7, 3.5, 0.6, 392, 344, 0};
    case OP_FLT:
      return (struct cost){0, 0, 4.4, 60, 0, 0};
    case OP_FEQ:
      return (struct cost){0, 0, 3.2, 36, 0, 0};
    case OP_NAN:
      return (struct cost){0, 0, 2.0, 10, 0, 0};
    case OP_TABLE:
      return (struct cost){1, 1.0, 3.5, 24, 32, 0};
    case OP_ELEMENT: {
      // The group slot in front, banks behind.
      if (node->local_array != 0) {
        const unsigned banks = 1u << graph->arrays[node->number].banks_log2;
        const double row = node->pattern == LANES_NEIGHBOURS ? 4 : 0;
        if (banks == 1 || graph_bank(graph, node) >= 0)
          return (struct cost){1, 3.0, 5.6, banks > 1 ? 2 * row : 0, 0, 0};
        return (struct cost){1, 3.0, 7.4, (banks - 1) * (bits / 2 + row), 4, 0};
      }
      const double others = graph->arrays[node->number].writers - 1;
      return (struct cost){1, port_ns(graph), others != 0 ? 6.5 : 5.6, others * bits / 2, 0, 0};
    }
    case OP_SET_ELEMENT: {
      const struct array *array = &graph->arrays[node->number];
      if (array->writers == 1)
        return (struct cost){1, port_ns(graph), 0.6, 1, 0, 0};
      return (struct cost){2, port_ns(graph), 0.6, array->width, array->width + array->index_bits, 0};
    }
    case OP_SCAN: {
      const unsigned levels = graph->lanes_log2;
      // The lanes' values are masked in front of the tree, whose first level is an operator.
      return (struct cost){
          levels, 0.9 + (levels != 0 ? 3.2 : 0), levels != 0 ? 0.6 : 0.9, levels * bits / 2 + bits, levels * bits, 0};
    }
    case OP_FSCAN: {
      const unsigned levels = graph->lanes_log2;
      return (struct cost){6 * levels + 1, 1.8, 0.6, 76 + 275.0 * levels, 32 + 150.0 * levels, 0};
    }
    case OP_SHUFFLE:
      return (struct cost){1, 4.0, 0.6, 16.0 * graph->lanes, bits, 0};
    default:
      return (struct cost){0};
  }
}

// Of the carry chain of a sum: below the lowest bit that both have, bits go through, and above the highest one there is
// a carry.
static unsigned chain_bits(const struct node *node) {
  const struct bits x = bits_of(node->arguments[0], 0), y = bits_of(node->arguments[1], 0);
  const unsigned low = x.low > y.low ? x.low : y.low, high = x.high > y.high ? x.high + 1 : y.high + 1;
  return high <= low ? 0 : (high < node->width ? high : node->width) - low;
}

// What synthesis takes away since it is 0, or as it goes into the LUTs behind: of integers of more than 32 bits, as
// those that doubles are computed with, and of what is chosen from numbers or compared with them.
static double live_part(const struct node *node) {
  const bool is_wide = node->width > 32;
  switch (node->op) {
    case OP_ADD:
    case OP_SUB:
      return is_wide ? (chain_bits(node) + 1.0) / (node->width + 1) : 1;
    case OP_SELECT: {
      const unsigned numbers = is_number(node->arguments[1]) + is_number(node->arguments[2]);
      if (numbers == 2)
        return 0;
      return is_wide ? (double)graph_live_bits(node) / node->width / (1 + numbers) : 1;
    }
    case OP_AND:
    case OP_OR:
    case OP_XOR:
    case OP_SHL:
    case OP_LSHR:
      return is_wide ? (double)graph_live_bits(node) / node->width : 1;
    case OP_EQ: {
      const struct bits live = bits_of(node->arguments[0], 0);
      return live.high - live.low == 1 ? 0 : (double)graph_live_bits(node->arguments[0]) / node->arguments[0]->width;
    }
    default:
      return 1;
  }
}

// Of an operation among those that share an operator: its part of that one, and the choice of its operands.
static struct cost shared_cost(const struct graph *graph, const struct node *node, struct cost own) {
  double chosen = 0;
  const unsigned lanes = graph_turns(graph, node);
  const double part = (double)node->operators / node->sharers;
  for (unsigned i = 0; i < node->count; i++)
    chosen += node->arguments[i]->op == OP_CONSTANT ? node->width / 3.0 : node->arguments[i]->width * CHOSEN_BIT;
  return (struct cost){own.latency + 1,
                       CHOSEN_NS,
                       own.behind,
                       own.lut * part + chosen * lanes,
                       (own.ff + lanes * node->count * node->width) * part,
                       own.dsp * part};
}

struct cost graph_cost(const struct graph *graph, const struct node *node) {
  struct cost cost = own_cost(graph, node);
  cost.lut *= live_part(node);
  if (node->op == OP_MUL && node->sharers == 0 && graph_is_wide_product(node) && has_upper_half(graph, node))
    cost.lut = cost.ff = cost.dsp = 0;
  const unsigned turns = graph_turns(graph, node);
  if (turns != 1) {
    unsigned shifted = 0, held = 0;
    for (unsigned i = 0; i < node->count; i++) {
      const bool alike = graph_copies(graph, node->arguments[i]) == 1;
      shifted += !graph_is_static(node->arguments[i]) && !alike;
      held += !graph_is_static(node->arguments[i]) && alike;
    }
    cost.latency += turns;
    cost.before = 1.3;
    cost.lut = cost.lut / turns + 32.0 * shifted * (turns - 1) / turns;
    cost.ff = cost.ff / turns + 32 * (shifted + 1) + 32.0 * held / turns;
    cost.dsp /= turns;
  }
  return node->sharers != 0 ? shared_cost(graph, node, cost) : cost;
}
