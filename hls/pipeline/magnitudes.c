// SPDX-License-Identifier: Apache-2.0
// Magnitudes of values (magnitudes.h): a value is looked at as deep as MOST_DEPTH operations.
#include "hls/pipeline/magnitudes.h"

#include "hls/pipeline/rates.h"

enum { MOST_DEPTH = 8 };

int64_t magnitude_step(const struct node *sum, const struct node *phi) {
  if (sum->op != OP_ADD || sum->arguments[0] != phi || sum->arguments[1]->op != OP_CONSTANT)
    return 0;
  return (int32_t)sum->arguments[1]->number;
}

int64_t magnitude_step_of(const struct node *phi) {
  return magnitude_step(phi->region->next.items[phi->low], phi);
}

static uint64_t most_of(const struct node *node, unsigned depth);

// The comparison that a condition is, `is_turned` if it has to be false; NULL: it is none.
static const struct node *comparison_of(const struct node *condition, bool *is_turned) {
  *is_turned = false;
  for (; condition->op == OP_XOR && condition->arguments[1]->op == OP_CONSTANT; condition = condition->arguments[0])
    *is_turned = !*is_turned;
  return condition->op == OP_EQ || condition->op == OP_ULT || condition->op == OP_SLT ? condition : NULL;
}

static struct counter_end end_by(const struct node *condition, const struct node *phi, bool is_alone, unsigned depth) {
  const struct counter_end none = {NULL, 0, OP_EQ, false};
  bool is_turned;
  if (depth == 0)
    return none;
  if (condition->op == OP_AND) {
    const struct counter_end first = end_by(condition->arguments[0], phi, false, depth - 1);
    return first.number ? first : end_by(condition->arguments[1], phi, false, depth - 1);
  }
  condition = comparison_of(condition, &is_turned);
  if (!condition || (condition->op == OP_EQ) != is_turned)
    return none;
  // Of the counter itself it is the last round that ends it.
  const bool is_itself = condition->arguments[0] == phi;
  if (!is_itself && magnitude_step(condition->arguments[0], phi) != 1)
    return none;
  return (struct counter_end){condition->arguments[1], is_itself, condition->op, is_alone};
}

// Of a number, or of one that may be negative.
static int64_t number_of(const struct node *node, bool is_signed) {
  return is_signed && node->width == 32 ? (int32_t)node->number : (int64_t)node->number;
}

// By a comparison of the counter, or of its next step, with a number.
static bool find_floor(const struct node *condition, bool is_turned, const struct node *phi, int64_t *least) {
  const struct node *x = condition->arguments[0], *y = condition->arguments[1];
  const bool is_below = condition->op != OP_EQ && x->op == OP_CONSTANT;  // number < counter: it goes on
  const struct node *number = is_below ? x : y, *counter = is_below ? y : x;
  const bool is_next = magnitude_step(counter, phi) == -1;
  if ((counter != phi && !is_next) || number->op != OP_CONSTANT || is_turned == is_below)
    return false;
  // Not less than a number is more than the one before.
  *least = number_of(number, condition->op == OP_SLT) + is_next - (condition->op != OP_EQ && !is_below);
  return *least >= 0 && *least <= INT32_MAX;
}

static bool floor_by(const struct node *condition, const struct node *phi, bool is_alone, unsigned depth,
                     struct counter_floor *floor) {
  bool is_turned;
  if (depth == 0)
    return false;
  if (condition->op == OP_AND)
    return floor_by(condition->arguments[0], phi, false, depth - 1, floor) ||
           floor_by(condition->arguments[1], phi, false, depth - 1, floor);
  condition = comparison_of(condition, &is_turned);
  if (!condition)
    return false;
  *floor = (struct counter_floor){.by = condition->op, .is_alone = is_alone};
  return find_floor(condition, is_turned, phi, &floor->least);
}

bool magnitude_floor_of(const struct node *phi, struct counter_floor *floor) {
  const struct node *condition = graph_condition(phi->region);
  return condition && magnitude_step_of(phi) == -1 && floor_by(condition, phi, true, MOST_DEPTH, floor);
}

struct counter_end magnitude_end_of(const struct node *phi) {
  const struct node *condition = graph_condition(phi->region);
  return condition ? end_by(condition, phi, true, MOST_DEPTH) : (struct counter_end){NULL, 0, OP_EQ, false};
}

static uint64_t full(const struct node *node) {
  return node->width < 32 ? ((uint64_t)1 << node->width) - 1 : MAGNITUDE_UNKNOWN;
}

static uint64_t most_of_phi(const struct node *phi, unsigned depth) {
  if (phi->most != 0)
    return phi->most;
  const struct counter_end end = magnitude_end_of(phi);
  const bool has_end = magnitude_step_of(phi) == 1 && end.number && end.by != OP_EQ;
  const uint64_t number = has_end ? most_of(end.number, depth) : MAGNITUDE_UNKNOWN,
                 most = number < INT32_MAX ? number + end.more : MAGNITUDE_UNKNOWN,
                 begin = most_of(phi->region->initial.items[phi->low], depth);
  if (most > INT32_MAX || begin > INT32_MAX)
    return full(phi);
  return most != 0 && most - 1 > begin ? most - 1 : begin;
}

static uint64_t most_of_operation(const struct node *node, unsigned depth) {
  const struct node *x = node->arguments[0], *y = node->arguments[1];
  uint64_t a, b;
  switch (node->op) {
    case OP_AND:
      a = most_of(x, depth);
      b = most_of(y, depth);
      return a < b ? a : b;
    case OP_ADD:
      a = most_of(x, depth);
      b = most_of(y, depth);
      return a <= INT32_MAX && b <= INT32_MAX ? a + b : MAGNITUDE_UNKNOWN;
    case OP_SHL:
      a = most_of(x, depth);
      return y->op == OP_CONSTANT && y->number < 32 && a <= (uint64_t)INT32_MAX >> y->number ? a << y->number
                                                                                             : MAGNITUDE_UNKNOWN;
    case OP_LSHR:
      a = most_of(x, depth);
      return y->op == OP_CONSTANT && y->number < 32 && a != MAGNITUDE_UNKNOWN ? a >> y->number : MAGNITUDE_UNKNOWN;
    default:
      return MAGNITUDE_UNKNOWN;
  }
}

// Of min(x, y) the smaller one.
static uint64_t most_of_choice(const struct node *choice, unsigned depth) {
  const struct node *condition = choice->arguments[0], *x = choice->arguments[1], *y = choice->arguments[2];
  const bool is_least = condition->op == OP_ULT && condition->arguments[0] == x && condition->arguments[1] == y;
  const uint64_t a = most_of(x, depth), b = most_of(y, depth);
  return (a < b) == is_least ? a : b;
}

static uint64_t most_of(const struct node *node, unsigned depth) {
  if (node->op == OP_CONSTANT)
    return node->number;
  if (depth == 0)
    return full(node);
  if (node->op == OP_PHI)
    return most_of_phi(node, depth - 1);
  if (node->op == OP_ZEXT)
    return most_of(node->arguments[0], depth - 1);
  if (node->op == OP_SELECT)
    return most_of_choice(node, depth - 1);
  const uint64_t most = node->count == 2 ? most_of_operation(node, depth - 1) : MAGNITUDE_UNKNOWN;
  return most < full(node) ? most : full(node);
}

static uint64_t least_of(const struct node *node, unsigned depth) {
  const struct node *x = node->count > 0 ? node->arguments[0] : NULL, *y = node->count > 1 ? node->arguments[1] : NULL;
  if (node->op == OP_CONSTANT)
    return node->number;
  if (depth == 0 || !x)
    return 0;
  switch (node->op) {
    case OP_ADD: {
      // Without a carry out of the highest bit.
      const uint64_t a = most_of(x, depth), b = most_of(y, depth);
      return a <= INT32_MAX && b <= INT32_MAX ? least_of(x, depth - 1) + least_of(y, depth - 1) : 0;
    }
    case OP_OR: {
      const uint64_t a = least_of(x, depth - 1), b = least_of(y, depth - 1);
      return a > b ? a : b;
    }
    case OP_ZEXT:
      return least_of(x, depth - 1);
    case OP_SELECT: {
      const uint64_t a = least_of(y, depth - 1), b = least_of(node->arguments[2], depth - 1);
      return a < b ? a : b;
    }
    default:
      return 0;
  }
}

uint64_t magnitude_least(const struct node *node) {
  return least_of(node, MOST_DEPTH);
}

// Zeros that a value is known to end with.
static unsigned low_zeros(const struct node *node, unsigned depth) {
  const struct node *y = node->count > 1 ? node->arguments[1] : NULL;
  if (node->op == OP_CONSTANT)
    return node->number != 0 ? (unsigned)__builtin_ctzll(node->number) : 32;
  if (depth == 0 || !y)
    return 0;
  const unsigned x = low_zeros(node->arguments[0], depth - 1), by = low_zeros(y, depth - 1);
  switch (node->op) {
    case OP_SHL:
      return y->op == OP_CONSTANT && y->number < 32 ? x + (unsigned)y->number : x;
    case OP_MUL:
      return x + by;
    case OP_AND:
      return x > by ? x : by;
    case OP_ADD:
    case OP_SUB:
    case OP_OR:
      return x < by ? x : by;
    default:
      return 0;
  }
}

uint64_t magnitude_most(const struct node *node) {
  return most_of(node, MOST_DEPTH);
}

unsigned magnitude_low_zeros(const struct node *node) {
  const unsigned zeros = low_zeros(node, MOST_DEPTH);
  return zeros < 32 ? zeros : 32;
}

uint64_t magnitude_rounds(const struct region *loop) {
  for (unsigned i = 0; i < loop->phis.count; i++) {
    const struct node *phi = loop->phis.items[i], *first = loop->initial.items[i];
    const int64_t step = magnitude_step(loop->next.items[i], phi);
    const uint64_t most = step > 0 && first->op == OP_CONSTANT ? magnitude_most(phi) : MAGNITUDE_UNKNOWN;
    if (most <= INT32_MAX && first->number <= most)
      return (most - first->number) / (uint64_t)step + 1;
  }
  return rates_rounds(loop);
}

// ---- counters that go on now and then

static bool grows(const struct node *value, const struct node *from, uint64_t *most, unsigned depth);

// What an inner loop leaves: what it begins with, what each of its rounds adds, and what the last one does.
static bool grows_in_loop(const struct node *out, const struct node *from, uint64_t *most, unsigned depth) {
  const struct region *loop = out->loop;
  const uint64_t rounds = magnitude_rounds(loop);
  for (unsigned i = 0; i < loop->phis.count && rounds != 0 && rounds <= INT32_MAX; i++) {
    const struct node *phi = loop->phis.items[i];
    uint64_t before, each, last;
    if (phi->width != out->width || !grows(loop->initial.items[i], from, &before, depth) ||
        !grows(loop->next.items[i], phi, &each, depth) || !grows(out->arguments[0], phi, &last, depth))
      continue;
    *most = before + each * (rounds - 1) + last;
    return *most <= INT32_MAX;
  }
  return false;
}

static bool grows(const struct node *value, const struct node *from, uint64_t *most, unsigned depth) {
  uint64_t other;
  *most = 0;
  if (value == from)
    return true;
  if (depth == 0 || value->width != from->width)
    return false;
  switch (value->op) {
    case OP_ADD:
      other = most_of(value->arguments[1], depth - 1);
      if (other > INT32_MAX || !grows(value->arguments[0], from, most, depth - 1))
        return false;
      *most += other;
      return *most <= INT32_MAX;
    case OP_SELECT:
      if (!grows(value->arguments[1], from, most, depth - 1) || !grows(value->arguments[2], from, &other, depth - 1))
        return false;
      *most = other > *most ? other : *most;
      return true;
    case OP_OUT:
      return grows_in_loop(value, from, most, depth - 1);
    default:
      return false;
  }
}

bool magnitude_growth(const struct node *value, const struct node *from, uint64_t *most) {
  return grows(value, from, most, MOST_DEPTH);
}
