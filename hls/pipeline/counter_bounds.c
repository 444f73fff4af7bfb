// SPDX-License-Identifier: Apache-2.0
// What counters of loops go through (counter_bounds.h), by what they are compared with at the end of a round and ahead
// of the loop.
#include "hls/pipeline/counter_bounds.h"

#include "hls/pipeline/magnitudes.h"

enum { MOST_DEPTH = 8 };

bool counter_bounds_is_fixed(const struct region *r, const struct node *node) {
  return graph_is_static(node) || !graph_encloses(r, node->region);
}

// That `number` is more than `less`, or, where that is NULL, more than `least`: by numbers without a sign, or, if
// `as_signed`, with one.
struct claim {
  const struct node *number, *less;
  uint64_t least;
  bool as_signed;
};

// Whether a condition that is true, or false, says so.
static bool says(const struct node *condition, bool is_true, const struct claim *claim, unsigned depth) {
  const struct node *const *a = (const struct node *const *)condition->arguments;
  if (depth == 0)
    return false;
  switch (condition->op) {
    case OP_XOR:
      return graph_is_number(a[1], 1) && says(a[0], !is_true, claim, depth - 1);
    case OP_AND:
    case OP_OR:
      return is_true == (condition->op == OP_AND) &&
             (says(a[0], is_true, claim, depth - 1) || says(a[1], is_true, claim, depth - 1));
    case OP_EQ:
      return !is_true && !claim->less && !claim->as_signed && claim->least == 0 && a[0] == claim->number &&
             graph_is_number(a[1], 0);
    case OP_ULT:
    case OP_SLT:
      if (!is_true || a[1] != claim->number)
        return false;
      return claim->less ? a[0] == claim->less
                         : (condition->op == OP_SLT || !claim->as_signed) && a[0]->op == OP_CONSTANT &&
                               a[0]->number >= claim->least && a[0]->number <= INT32_MAX;
    default:
      return false;
  }
}

// Whether a loop, or one around it, is entered only if that is so.
static bool is_entered_if(const struct region *r, struct claim claim) {
  for (; r->parent; r = r->parent)
    if (says(r->enter, true, &claim, MOST_DEPTH))
      return true;
  return false;
}

// The least number that a value has: of a counter of a loop around, and what is added to it.
static bool find_least(const struct counters *of, const struct node *node, int64_t *least) {
  struct linear_term term;
  const struct node *bound = NULL;
  if (*of->steps == 0)
    return false;
  --*of->steps;
  if (node->op == OP_CONSTANT && node->number <= LINEAR_MOST_FACTOR) {
    *least = (int64_t)node->number;
    return true;
  }
  if (node->op == OP_ADD && node->arguments[1]->op == OP_CONSTANT && node->arguments[1]->number <= LINEAR_MOST_FACTOR &&
      find_least(of, node->arguments[0], least)) {
    *least += (int64_t)node->arguments[1]->number;
    return true;
  }
  if (node->op != OP_PHI || node->width != 32 || !counter_bounds_find(of, node, 1, &term, &bound))
    return false;
  *least = term.least;
  return true;
}

// The numbers of a counter that goes on by 1, or back: from `least` to below `end` + `more`.
struct counted {
  int64_t least, more;
  const struct node *first, *end;  // first: what it begins with, if that is no constant
  enum op by;
  bool is_alone;
};

static bool find_counted(const struct counters *of, const struct node *phi, struct counted *counted) {
  const struct node *first = phi->region->initial.items[phi->low];
  const bool is_constant = first->op == OP_CONSTANT;
  struct counter_floor floor;
  if (magnitude_floor_of(phi, &floor)) {
    *counted = (struct counted){floor.least, 1, NULL, first, floor.by, floor.is_alone};
    return !is_constant;
  }
  const struct counter_end end = magnitude_end_of(phi);
  *counted = (struct counted){0, end.more, is_constant ? NULL : first, end.number, end.by, end.is_alone};
  return end.number && magnitude_step_of(phi) == 1 && find_least(of, first, &counted->least);
}

// Whether it begins below its end, `bound` and a constant. `least`: that the bound is more than this says so, if it is
// known what it begins with.
static bool begins_below(const struct region *loop, const struct counted *counted, const struct node *bound,
                         int64_t least) {
  // Without a sign, the end may be a bound of 0 and a constant below it.
  const bool is_sum = counted->end != bound;
  if (counted->first)
    return counted->least - least <= counted->more &&
           is_entered_if(loop, (struct claim){.number = counted->end, .less = counted->first});
  return (int64_t)magnitude_least(bound) > least ||
         is_entered_if(loop, (struct claim){.number = bound, .least = (uint64_t)least}) ||
         (counted->least >= counted->more &&
          is_entered_if(loop, (struct claim){.number = counted->end,
                                             .least = (uint64_t)(counted->least - counted->more),
                                             .as_signed = is_sum}));
}

// A number as another one and a constant.
struct constant_sum {
  const struct node *node;
  int64_t constant;
};

static struct constant_sum constant_sum_of(const struct node *node) {
  const bool is_sum = node->op == OP_ADD && node->arguments[1]->op == OP_CONSTANT;
  return is_sum ? (struct constant_sum){node->arguments[0], (int32_t)node->arguments[1]->number}
                : (struct constant_sum){node, 0};
}

// An end, by the number that the loop's counter is multiplied with, if it is that and a constant; else by what a
// constant is taken from.
static struct constant_sum bound_of(const struct counters *of, const struct node *end) {
  const struct constant_sum sum = constant_sum_of(end),
                            rows = of->rows ? constant_sum_of(of->rows) : (struct constant_sum){NULL, 0};
  if (rows.node == sum.node)
    return (struct constant_sum){of->rows, sum.constant - rows.constant};
  return sum.constant < 0 ? sum : (struct constant_sum){end, 0};
}

// A counter that goes on by 1 up to a number that does not change in the loop, `r`, plus a constant, or back from it.
// It begins below that: a loop that ends by equality would come to every number else, and what it is sure to be used
// for is a fault.
bool counter_bounds_find(const struct counters *of, const struct node *phi, int64_t factor, struct linear_term *term,
                         const struct node **found) {
  const struct region *loop = phi->region;
  struct counted counted;
  if (factor <= 0 || !find_counted(of, phi, &counted) || counted.least > LINEAR_MOST_FACTOR)
    return false;
  const struct constant_sum end = bound_of(of, counted.end);
  const struct node *bound = end.node;
  const int64_t more = counted.more + end.constant;
  // The bound is more than `least`, so that it is 1 or more.
  const int64_t least = counted.least - more;
  if (!bound || (*found && *found != bound) || !counter_bounds_is_fixed(of->r, bound) || bound->width != 32 ||
      least < 0 || least > 2 * LINEAR_MOST_FACTOR)
    return false;
  const bool is_sure = counted.by == OP_EQ && counted.is_alone && of->is_sure && of->innermost == loop;
  if (!(is_sure && !counted.first) && !begins_below(loop, &counted, bound, least))
    return false;
  *found = bound;
  const uint64_t most = magnitude_step_of(phi) > 0 ? magnitude_most(phi) : MAGNITUDE_UNKNOWN;
  *term = (struct linear_term){.step = factor,
                               .least = factor * counted.least,
                               .most = factor * (more - 1),
                               .wide = factor,
                               .constant = most < LINEAR_MOST_FACTOR ? factor * (int64_t)most : -1};
  return true;
}

// A counter that goes up from a constant.
static bool is_from_start(const struct node *phi) {
  const struct node *first = phi->region->initial.items[phi->low];
  return magnitude_step_of(phi) > 0 && magnitude_step_of(phi) < LINEAR_MOST_FACTOR && first->op == OP_CONSTANT &&
         first->number < LINEAR_MOST_FACTOR;
}

// A counter that goes through numbers one by one, from a small one on or down to one.
bool counter_bounds_in_order(const struct node *phi) {
  struct counter_floor floor;
  return is_from_start(phi) || (magnitude_floor_of(phi, &floor) && floor.least < LINEAR_MOST_FACTOR);
}
