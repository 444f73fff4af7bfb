// SPDX-License-Identifier: Apache-2.0
// Nodes of a graph: folded where arguments are constants, and shared where a region has the same operation already.
#include "hls/pipeline/build.h"

#include <stdlib.h>
#include <string.h>

void *graph_allocate(size_t bytes) {
  void *memory = calloc(1, bytes ? bytes : 1);
  if (!memory) {
    fprintf(stderr, "heddlec: out of memory\n");
    exit(STATUS_FAILED);
  }
  return memory;
}

void list_add(struct list *list, struct node *node) {
  if ((list->count & (list->count - 1)) == 0) {
    list->items = realloc(list->items, (list->count != 0 ? 2 * list->count : 1) * sizeof *list->items);
    if (!list->items)
      exit(STATUS_FAILED);
  }
  list->items[list->count++] = node;
}

static uint64_t mask_of(unsigned width) {
  return width >= 64 ? ~0ull : (1ull << width) - 1;
}

static struct node *new_node(struct graph *graph, const struct build_operation *is) {
  struct node *node = graph_allocate(sizeof *node);
  node->op = is->op;
  node->width = is->width;
  node->number = is->number;
  node->count = is->count;
  node->arguments = graph_allocate(is->count * sizeof *node->arguments);
  if (is->count != 0)
    memcpy(node->arguments, is->arguments, is->count * sizeof *is->arguments);
  node->id = graph->node_count;
  struct list list = {graph->nodes, graph->node_count};
  list_add(&list, node);
  graph->nodes = list.items;
  graph->node_count = list.count;
  return node;
}

// Equal nodes are found by a hash of what they are.
enum { BUCKETS = 4096 };
static struct list buckets[BUCKETS];
static const struct graph *buckets_of;

static unsigned hash_of(const struct region *region, const struct build_operation *is) {
  uint64_t hash =
      (uint64_t)is->op * 31 + is->width * 7 + is->number * 1099511628211u + (region ? region->id + 1 : 0) * 131u;
  for (unsigned i = 0; i < is->count; i++)
    hash = (hash ^ is->arguments[i]->id) * 1099511628211u;
  return (unsigned)((hash ^ (hash >> 29)) % BUCKETS);
}

static bool is_operation(const struct node *node, const struct build_operation *is) {
  return node->op == is->op && node->width == is->width && node->number == is->number && node->count == is->count &&
         (is->count == 0 || memcmp(node->arguments, is->arguments, is->count * sizeof *is->arguments) == 0);
}

static struct node *shared_node(struct graph *graph, struct region *region, unsigned line,
                                const struct build_operation *is) {
  if (buckets_of != graph) {
    for (unsigned i = 0; i < BUCKETS; i++)
      buckets[i].count = 0;
    for (unsigned i = 0; i < BUCKETS; i++)
      buckets[i].items = NULL;
    buckets_of = graph;
  }
  struct list *bucket = &buckets[hash_of(region, is)];
  for (unsigned i = 0; i < bucket->count; i++) {
    struct node *node = bucket->items[i];
    if (node->region == region && is_operation(node, is))
      return node;
  }
  struct node *node = new_node(graph, is);
  node->region = region;
  node->line = line;
  list_add(bucket, node);
  if (region)
    list_add(&region->nodes, node);
  return node;
}

struct node *build_constant(struct graph *graph, unsigned width, uint64_t number) {
  const struct build_operation constant = {.op = OP_CONSTANT, .width = width, .number = number & mask_of(width)};
  return shared_node(graph, NULL, 0, &constant);
}

// All ones have at most 64 bits.
static bool is_constant(const struct node *node, uint64_t number) {
  return node->op == OP_CONSTANT && node->number == (number & mask_of(node->width)) &&
         (node->width <= 64 || number != ~0ull);
}

static int64_t signed_of(uint64_t number, unsigned width) {
  const unsigned shift = 64 - width;
  return (int64_t)(number << shift) >> shift;
}

bool build_fold(const struct build_operation *operation, const uint64_t *numbers, uint64_t *value) {
  const unsigned width = operation->width, count = operation->count;
  struct node *const *a = operation->arguments;
  // Constants have 64 bits at most that are not 0.
  if (width > 64)
    return false;
  for (unsigned i = 0; i < count; i++)
    if (a[i]->width > 64)
      return false;
  const uint64_t x = count > 0 ? numbers[0] : 0, y = count > 1 ? numbers[1] : 0;
  switch (operation->op) {
    case OP_ADD:
      *value = x + y;
      break;
    case OP_SUB:
      *value = x - y;
      break;
    case OP_MUL:
      *value = x * y;
      break;
    case OP_MUL_HIGH:
      *value = (uint64_t)((unsigned __int128)x * y >> width);
      break;
    case OP_AND:
      *value = x & y;
      break;
    case OP_OR:
      *value = x | y;
      break;
    case OP_XOR:
      *value = x ^ y;
      break;
    case OP_SHL:
      *value = y < 64 ? x << y : 0;
      break;
    case OP_LSHR:
      *value = y < 64 ? x >> y : 0;
      break;
    case OP_ASHR:
      *value = (uint64_t)(signed_of(x, a[0]->width) >> (y < 63 ? y : 63));
      break;
    case OP_EQ:
      *value = x == y;
      break;
    case OP_ULT:
      *value = x < y;
      break;
    case OP_SLT:
      *value = signed_of(x, a[0]->width) < signed_of(y, a[1]->width);
      break;
    case OP_SELECT:
      *value = x ? y : numbers[2];
      break;
    case OP_ZEXT:
      *value = x;
      break;
    case OP_SEXT:
      *value = (uint64_t)signed_of(x, a[0]->width);
      break;
    case OP_SLICE:
      *value = x >> operation->number;
      break;
    case OP_CONCAT:
      *value = a[1]->width < 64 ? x << a[1]->width | y : y;
      break;
    case OP_POPCOUNT:
      *value = (uint64_t)__builtin_popcountll(x);
      break;
    default:
      return false;
  }
  *value &= mask_of(width);
  return true;
}

// The value of an operation on constants. False if it is not folded.
static bool fold(const struct build_operation *operation, uint64_t *value) {
  uint64_t numbers[BUILD_MOST_FOLDED] = {0};
  if (operation->count > BUILD_MOST_FOLDED)
    return false;
  for (unsigned i = 0; i < operation->count; i++) {
    if (operation->arguments[i]->op != OP_CONSTANT)
      return false;
    numbers[i] = operation->arguments[i]->number;
  }
  return build_fold(operation, numbers, value);
}

struct node *build_node(struct builder *b, enum op op, unsigned width, uint64_t number, unsigned count,
                        struct node *const *arguments) {
  const struct build_operation operation = {op, width, number, count, arguments};
  uint64_t value = 0;
  if (count != 0 && fold(&operation, &value))
    return build_constant(b->graph, width, value);
  return shared_node(b->graph, b->region, b->line, &operation);
}

struct node *build_ordered(struct builder *b, enum op op, unsigned width, uint64_t number, unsigned count,
                           struct node *const *arguments) {
  struct node *node = new_node(b->graph, &(struct build_operation){op, width, number, count, arguments});
  node->region = b->region;
  node->line = b->line;
  list_add(&b->region->nodes, node);
  // What a work-group waits at: the loops around it have to know.
  if (op == OP_BARRIER || op == OP_CARRY || op == OP_TOTAL)
    for (struct region *r = b->region; r; r = r->parent)
      r->waits = true;
  return node;
}

struct node *build_out(struct builder *b, struct region *loop, struct node *value, uint64_t number) {
  struct node *out = build_ordered(b, OP_OUT, value->width, number, 1, &value);
  b->region->nodes.count--;  // it is not an operation of the region: the loop makes it
  out->loop = loop;
  return out;
}

// A value that is one of two constants, as a bit says.
struct choice {
  struct node *bit;
  uint64_t yes, no;
};

static bool is_choice(struct builder *b, struct node *y, struct choice *choice) {
  if (y->count == 0)
    return false;
  const struct node *second = y->arguments[y->count > 1 ? 1 : 0];
  const bool by_constant = second->op == OP_CONSTANT;
  switch (y->op) {
    case OP_SELECT:
      *choice = (struct choice){y->arguments[0], second->number, y->arguments[2]->number};
      return by_constant && y->arguments[2]->op == OP_CONSTANT;
    case OP_AND:
      if (!by_constant || second->number == 0 || (second->number & (second->number - 1)) != 0)
        return false;
      *choice = (struct choice){build_slice(b, y->arguments[0], (unsigned)__builtin_ctzll(second->number), 1),
                                second->number, 0};
      return true;
    case OP_ZEXT:
      *choice = (struct choice){y->arguments[0], 1, 0};
      return y->arguments[0]->width == 1 || is_choice(b, y->arguments[0], choice);
    case OP_SHL:
      if (!by_constant || second->number > 8 || !is_choice(b, y->arguments[0], choice))
        return false;
      choice->yes <<= second->number;
      choice->no <<= second->number;
      return true;
    default:
      return false;
  }
}

// A shift by one of two numbers of places is a choice of two shifts, which are wires.
static struct node *chosen_shift(struct builder *b, enum op op, struct node *x, struct node *y) {
  struct choice choice;
  if ((op != OP_SHL && op != OP_LSHR && op != OP_ASHR) || x->width > 64 || y->op == OP_CONSTANT ||
      !is_choice(b, y, &choice) || choice.yes >= x->width || choice.no >= x->width)
    return NULL;
  return build_select(b, choice.bit, build_two(b, op, x, build_constant(b->graph, x->width, choice.yes)),
                      build_two(b, op, x, build_constant(b->graph, x->width, choice.no)));
}

struct node *build_two(struct builder *b, enum op op, struct node *x, struct node *y) {
  struct node *chosen = chosen_shift(b, op, x, y);
  if (chosen)
    return chosen;
  // Constants come second.
  if (x->op == OP_CONSTANT && (op == OP_ADD || op == OP_AND || op == OP_OR || op == OP_XOR || op == OP_MUL)) {
    struct node *other = x;
    x = y;
    y = other;
  }
  const bool zero = is_constant(y, 0), is_wide = x->width > 64;
  if (zero &&
      (op == OP_ADD || op == OP_SUB || op == OP_OR || op == OP_XOR || op == OP_SHL || op == OP_LSHR || op == OP_ASHR))
    return x;
  if (zero && (op == OP_AND || op == OP_MUL))
    return y;
  if (op == OP_AND && is_constant(y, ~0ull))
    return x;
  // Constants have 64 bits, and what follows would need more.
  if (is_wide)
    return build_node(b, op, x->width, 0, 2, (struct node *[]){x, y});
  if (op == OP_SUB && y->op == OP_CONSTANT)
    return build_two(b, OP_ADD, x, build_constant(b->graph, y->width, 0 - y->number));
  if (op == OP_MUL && y->op == OP_CONSTANT && (y->number & (y->number - 1)) == 0)
    return build_two(b, OP_SHL, x, build_constant(b->graph, y->width, (uint64_t)__builtin_ctzll(y->number)));
  // (x + 1) + 2 is x + 3: a memory group's accesses find their root so.
  if (op == OP_ADD && y->op == OP_CONSTANT && x->op == OP_ADD && x->arguments[1]->op == OP_CONSTANT)
    return build_two(b, OP_ADD, x->arguments[0],
                     build_constant(b->graph, y->width, x->arguments[1]->number + y->number));
  // (x + 1) + y is (x + y) + 1, likewise.
  if (op == OP_ADD && x->op == OP_ADD && x->arguments[1]->op == OP_CONSTANT && y->op != OP_CONSTANT)
    return build_two(b, OP_ADD, build_two(b, OP_ADD, x->arguments[0], y), x->arguments[1]);
  if (op == OP_ADD && y->op == OP_ADD && y->arguments[1]->op == OP_CONSTANT)
    return build_two(b, OP_ADD, build_two(b, OP_ADD, x, y->arguments[0]), y->arguments[1]);
  // (x + 1) << 2 is (x << 2) + 4.
  if (op == OP_SHL && y->op == OP_CONSTANT && x->op == OP_ADD && x->arguments[1]->op == OP_CONSTANT && y->number < 64)
    return build_two(b, OP_ADD, build_two(b, OP_SHL, x->arguments[0], y),
                     build_constant(b->graph, x->width, x->arguments[1]->number << y->number));
  return build_node(b, op, x->width, 0, 2, (struct node *[]){x, y});
}

struct node *build_add(struct builder *b, struct node *x, uint64_t number) {
  return build_two(b, OP_ADD, x, build_constant(b->graph, x->width, number));
}

static struct node *negated(const struct node *x) {
  return x->op == OP_XOR && x->width == 1 && is_constant(x->arguments[1], 1) ? x->arguments[0] : NULL;
}

static bool opposite(const struct node *x, const struct node *y) {
  return negated(x) == y || negated(y) == x;
}

static bool is_minus_one(const struct node *x) {
  return x->op == OP_CONCAT ? is_minus_one(x->arguments[0]) && is_minus_one(x->arguments[1]) : is_constant(x, ~0ull);
}

// Of more than 32 bits the carry of a comparison is slow: less than a power of two is that no bit from it on is set.
static struct node *compare_with_power(struct builder *b, struct node *x, const struct node *y) {
  if (y->op != OP_CONSTANT || x->op == OP_CONSTANT || x->width <= 32 || x->width > 64 || y->number == 0 ||
      (y->number & (y->number - 1)) != 0)
    return NULL;
  struct node *upper =
      build_slice(b, x, (unsigned)__builtin_ctzll(y->number), x->width - (unsigned)__builtin_ctzll(y->number));
  return build_compare(b, OP_EQ, upper, build_constant(b->graph, upper->width, 0));
}

// Whether a bit is set that is alone in a mask: the bit, or its opposite. NULL: it is another question.
static struct node *compare_bit(struct builder *b, struct node *x, const struct node *y) {
  if (x->op != OP_AND || x->width > 64 || x->arguments[1]->op != OP_CONSTANT || y->op != OP_CONSTANT)
    return NULL;
  const uint64_t mask = x->arguments[1]->number;
  if (mask == 0 || (mask & (mask - 1)) != 0 || (y->number != 0 && y->number != mask))
    return NULL;
  struct node *bit = build_slice(b, x->arguments[0], (unsigned)__builtin_ctzll(mask), 1);
  return y->number != 0 ? bit : build_not(b, bit);
}

struct node *build_compare(struct builder *b, enum op op, struct node *x, struct node *y) {
  struct node *bit = op == OP_EQ ? compare_bit(b, x, y) : NULL;
  if (bit)
    return bit;
  struct node *is_less = op == OP_ULT ? compare_with_power(b, x, y) : NULL;
  if (is_less)
    return is_less;
  if (op == OP_SLT && x->width > 32 && is_constant(y, 0))
    return build_slice(b, x, x->width - 1, 1);
  if (op == OP_SLT && y->width > 32 && is_minus_one(x))
    return build_not(b, build_slice(b, y, y->width - 1, 1));
  if (op == OP_EQ && x->width == 1 && y->op == OP_CONSTANT)
    return y->number & 1 ? x : build_not(b, x);
  return build_node(b, op, 1, 0, 2, (struct node *[]){x, y});
}

struct node *build_not(struct builder *b, struct node *x) {
  struct node *inner = negated(x);
  return inner ? inner : build_two(b, OP_XOR, x, build_constant(b->graph, x->width, ~0ull));
}

// One of the two arguments of an operation that is the node, or its opposite; the other one, else NULL.
static struct node *beside(const struct node *x, enum op op, const struct node *node, bool is_opposite) {
  for (unsigned i = 0; i < 2 && x && x->op == op; i++)
    if (is_opposite ? opposite(x->arguments[i], node) : x->arguments[i] == node)
      return x->arguments[!i];
  return NULL;
}

static struct node *both_bits(struct builder *b, enum op op, struct node *x, struct node *y) {
  return op == OP_AND ? build_and(b, x, y) : build_or(b, x, y);
}

// Of two bits, the first of which is part of what the second is made of: what conditions of branches in each other are.
// NULL: it is not.
static struct node *absorbed(struct builder *b, enum op op, struct node *x, struct node *y) {
  const enum op other = op == OP_AND ? OP_OR : OP_AND;
  if (beside(y, op, x, false))  // x and (x and z)
    return y;
  if (beside(y, other, x, false))  // x and (x or z)
    return x;
  struct node *rest = beside(y, other, x, true);  // x and (not x or z)
  if (rest)
    return both_bits(b, op, x, rest);
  rest = beside(negated(y), op, x, false);  // x and not (x and z)
  return rest ? both_bits(b, op, x, build_not(b, rest)) : NULL;
}

// An operation of two bits for which there is no simpler one, or what absorbs one of them.
static struct node *two_bits(struct builder *b, enum op op, struct node *x, struct node *y) {
  struct node *one = absorbed(b, op, x, y);
  one = one ? one : absorbed(b, op, y, x);
  return one ? one : build_two(b, op, x, y);
}

struct node *build_and(struct builder *b, struct node *x, struct node *y) {
  if (x == y)
    return x;
  if (opposite(x, y))
    return build_constant(b->graph, 1, 0);
  return two_bits(b, OP_AND, x, y);
}

struct node *build_or(struct builder *b, struct node *x, struct node *y) {
  if (x == y || is_constant(x, 1) || is_constant(y, 0))
    return x;
  if (is_constant(y, 1) || is_constant(x, 0))
    return y;
  if (opposite(x, y))
    return build_constant(b->graph, 1, 1);
  // (c and k) or (c and not k) is c: where both ways of a branch meet again.
  if (x->op == OP_AND && y->op == OP_AND)
    for (unsigned i = 0; i < 2; i++)
      for (unsigned j = 0; j < 2; j++)
        if (x->arguments[i] == y->arguments[j] && opposite(x->arguments[!i], y->arguments[!j]))
          return x->arguments[i];
  return two_bits(b, OP_OR, x, y);
}

// A choice of two bits as an operation of them; NULL: there is none that is simpler.
static struct node *selected_bit(struct builder *b, struct node *condition, struct node *x, struct node *y) {
  if (is_constant(x, 1))
    return build_or(b, condition, y);
  if (is_constant(y, 0))
    return build_and(b, condition, x);
  if (is_constant(x, 0))
    return build_and(b, build_not(b, condition), y);
  if (is_constant(y, 1))
    return build_or(b, build_not(b, condition), x);
  struct node *rest = beside(x, OP_OR, y, false);  // (z or y) or y
  if (rest)
    return build_or(b, build_and(b, condition, rest), y);
  rest = beside(y, OP_OR, x, false);
  return rest ? build_or(b, build_and(b, build_not(b, condition), rest), x) : NULL;
}

// Of a value and the same with some bits set or turned, as check sums have it: these bits are set or turned by the
// condition, which is less than to choose. NULL: it is another choice.
static struct node *selected_change(struct builder *b, struct node *condition, struct node *x, struct node *y) {
  if (x->width < 2 || x->width > 64)
    return NULL;
  if ((x->op == OP_XOR || x->op == OP_OR) && x->arguments[1]->op == OP_CONSTANT && x->arguments[0] == y)
    return build_two(b, x->op, y, build_two(b, OP_AND, build_resize(b, condition, x->width, true), x->arguments[1]));
  if ((y->op == OP_XOR || y->op == OP_OR) && y->arguments[1]->op == OP_CONSTANT && y->arguments[0] == x)
    return selected_change(b, build_not(b, condition), y, x);
  return NULL;
}

struct node *build_select(struct builder *b, struct node *condition, struct node *x, struct node *y) {
  if (x == y || is_constant(condition, 1))
    return x;
  if (is_constant(condition, 0))
    return y;
  struct node *bit = x->width == 1 ? selected_bit(b, condition, x, y) : NULL;
  if (bit)
    return bit;
  struct node *inner = negated(condition);
  if (inner)
    return build_select(b, inner, y, x);
  struct node *changed = selected_change(b, condition, x, y);
  return changed ? changed : build_node(b, OP_SELECT, x->width, 0, 3, (struct node *[]){condition, x, y});
}

struct node *build_slice(struct builder *b, struct node *x, unsigned low, unsigned width) {
  if (low == 0 && width == x->width)
    return x;
  if (x->op == OP_SLICE)
    return build_slice(b, x->arguments[0], low + (unsigned)x->number, width);
  if (x->op == OP_CONCAT) {
    const unsigned lower = x->arguments[1]->width;
    if (low + width <= lower)
      return build_slice(b, x->arguments[1], low, width);
    if (low >= lower)
      return build_slice(b, x->arguments[0], low - lower, width);
  }
  if ((x->op == OP_ZEXT || x->op == OP_SEXT) && low + width <= x->arguments[0]->width)
    return build_slice(b, x->arguments[0], low, width);
  return build_node(b, OP_SLICE, width, low, 1, &x);
}

struct node *build_concat(struct builder *b, struct node *high, struct node *low) {
  return build_node(b, OP_CONCAT, high->width + low->width, 0, 2, (struct node *[]){high, low});
}

struct node *build_resize(struct builder *b, struct node *x, unsigned width, bool is_signed) {
  if (width <= x->width)
    return build_slice(b, x, 0, width);
  if (!is_signed && x->op == OP_ZEXT)
    x = x->arguments[0];
  return build_node(b, is_signed ? OP_SEXT : OP_ZEXT, width, 0, 1, &x);
}
