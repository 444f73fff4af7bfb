// SPDX-License-Identifier: Apache-2.0
// Linear sums (linear.h). A value is taken apart along its additions, in a bounded number of steps.
#include "hls/pipeline/linear.h"

#include "hls/pipeline/aliases.h"
#include "hls/pipeline/magnitudes.h"
#include "hls/pipeline/rates.h"

enum { MOST_FACTOR = 1 << 20, MOST_DEPTH = 8, MOST_STEPS = 400 };

// What a value is wanted of.
struct wanted {
  const struct graph *graph;
  const struct region *r, *innermost;
  bool is_sure;
  unsigned *steps;           // that are left
  const struct linear *sum;  // as far as it is known
};

static int64_t step_of(const struct node *phi) {
  return magnitude_step(phi->region->next.items[phi->low], phi);
}

static bool does_not_change(const struct region *r, const struct node *node) {
  return graph_is_static(node) || !graph_encloses(r, node->region);
}

// ---- the sum

// LLVM writes a sum that carries nothing so.
static bool is_sum(const struct node *node) {
  if (node->op != OP_OR || node->width != 32)
    return node->op == OP_ADD;
  for (unsigned i = 0; i < 2; i++) {
    const unsigned zeros = magnitude_low_zeros(node->arguments[i]);
    if (zeros >= 32 || magnitude_most(node->arguments[!i]) >> zeros == 0)
      return true;
  }
  return false;
}

static void add(const struct wanted *w, const struct node *node, int64_t factor, const struct node *times,
                struct linear *sum);

static int64_t constant_of(const struct linear_term *term) {
  return term->wide != 0 ? term->constant : term->most;
}

static void add_term(const struct linear_term *term, struct linear *sum) {
  for (unsigned i = 0; i < sum->term_count; i++) {
    struct linear_term *other = &sum->terms[i];
    if (other->step != term->step || other->times != term->times)
      continue;
    const bool is_constant = (other->wide == 0 || other->constant >= 0) && (term->wide == 0 || term->constant >= 0);
    other->constant = is_constant ? constant_of(other) + constant_of(term) : -1;
    other->least += term->least;
    other->most += term->most;
    other->wide += term->wide;
    other->is_open |= term->is_open;
    return;
  }
  if (sum->term_count < LINEAR_MOST_TERMS)
    sum->terms[sum->term_count++] = *term;
  else
    sum->is_known = false;
}

// From 0 to `most` times a factor.
static struct linear_term up_to(int64_t most, int64_t factor) {
  return (struct linear_term){.step = factor < 0 ? -factor : factor,
                              .least = factor < 0 ? factor * most : 0,
                              .most = factor < 0 ? 0 : factor * most};
}

// Whether a condition that is true, or false, says that `number` is more than `least`, by numbers without a sign, or,
// if `as_signed`, with one.
static bool says_more(const struct node *condition, bool is_true, const struct node *number, uint64_t least,
                      bool as_signed, unsigned depth) {
  const struct node *const *of = (const struct node *const *)condition->arguments;
  if (depth == 0)
    return false;
  switch (condition->op) {
    case OP_XOR:
      return graph_is_number(of[1], 1) && says_more(of[0], !is_true, number, least, as_signed, depth - 1);
    case OP_AND:
    case OP_OR:
      return is_true == (condition->op == OP_AND) && (says_more(of[0], is_true, number, least, as_signed, depth - 1) ||
                                                      says_more(of[1], is_true, number, least, as_signed, depth - 1));
    case OP_EQ:
      return !is_true && !as_signed && least == 0 && of[0] == number && graph_is_number(of[1], 0);
    case OP_ULT:
    case OP_SLT:
      return is_true && (condition->op == OP_SLT || !as_signed) && of[0]->op == OP_CONSTANT && of[0]->number >= least &&
             of[0]->number <= INT32_MAX && of[1] == number;
    default:
      return false;
  }
}

// Whether a condition that is true, or false, says that one value is less than another.
static bool is_below(const struct node *condition, bool is_true, const struct node *less, const struct node *than,
                     unsigned depth) {
  const struct node *const *of = (const struct node *const *)condition->arguments;
  if (depth == 0)
    return false;
  switch (condition->op) {
    case OP_XOR:
      return graph_is_number(of[1], 1) && is_below(of[0], !is_true, less, than, depth - 1);
    case OP_AND:
    case OP_OR:
      return is_true == (condition->op == OP_AND) &&
             (is_below(of[0], is_true, less, than, depth - 1) || is_below(of[1], is_true, less, than, depth - 1));
    case OP_ULT:
    case OP_SLT:
      return is_true && of[0] == less && of[1] == than;
    default:
      return false;
  }
}

// Whether a loop, or one around it, is entered only if that is so.
static bool is_entered_with(const struct region *r, const struct node *number, uint64_t least, bool as_signed) {
  for (; r->parent; r = r->parent)
    if (says_more(r->enter, true, number, least, as_signed, MOST_DEPTH))
      return true;
  return false;
}

// Whether a loop, or one around it, is entered only if one value is less than another.
static bool is_entered_below(const struct region *r, const struct node *less, const struct node *than) {
  for (; r->parent; r = r->parent)
    if (is_below(r->enter, true, less, than, MOST_DEPTH))
      return true;
  return false;
}

static bool find_bounded(const struct wanted *w, const struct node *phi, int64_t factor, struct linear_term *term,
                         const struct node **found);

// The least number that a value has: of a counter of a loop around, and what is added to it.
static bool find_least(const struct wanted *w, const struct node *node, int64_t *least) {
  struct linear_term term;
  const struct node *bound = NULL;
  if (*w->steps == 0)
    return false;
  --*w->steps;
  if (node->op == OP_CONSTANT && node->number <= MOST_FACTOR) {
    *least = (int64_t)node->number;
    return true;
  }
  if (node->op == OP_ADD && node->arguments[1]->op == OP_CONSTANT && node->arguments[1]->number <= MOST_FACTOR &&
      find_least(w, node->arguments[0], least)) {
    *least += (int64_t)node->arguments[1]->number;
    return true;
  }
  if (node->op != OP_PHI || node->width != 32 || !find_bounded(w, node, 1, &term, &bound))
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

static bool find_counted(const struct wanted *w, const struct node *phi, struct counted *counted) {
  const struct node *first = phi->region->initial.items[phi->low];
  const bool is_constant = first->op == OP_CONSTANT;
  struct counter_floor floor;
  if (magnitude_floor_of(phi, &floor)) {
    *counted = (struct counted){floor.least, 1, NULL, first, floor.by, floor.is_alone};
    return !is_constant;
  }
  const struct counter_end end = magnitude_end_of(phi);
  *counted = (struct counted){0, end.more, is_constant ? NULL : first, end.number, end.by, end.is_alone};
  return end.number && step_of(phi) == 1 && find_least(w, first, &counted->least);
}

// Whether it begins below its end, `bound` and a constant. `least`: that the bound is more than this says so, if it is
// known what it begins with.
static bool begins_below(const struct region *loop, const struct counted *counted, const struct node *bound,
                         int64_t least) {
  // Without a sign, the end may be a bound of 0 and a constant below it.
  const bool is_sum = counted->end != bound;
  if (counted->first)
    return counted->least - least <= counted->more && is_entered_below(loop, counted->first, counted->end);
  return (int64_t)magnitude_least(bound) > least || is_entered_with(loop, bound, (uint64_t)least, false) ||
         (counted->least >= counted->more &&
          is_entered_with(loop, counted->end, (uint64_t)(counted->least - counted->more), is_sum));
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
static struct constant_sum bound_of(const struct wanted *w, const struct node *end) {
  const struct constant_sum sum = constant_sum_of(end),
                            rows = w->sum->times ? constant_sum_of(w->sum->times) : (struct constant_sum){NULL, 0};
  if (rows.node == sum.node)
    return (struct constant_sum){w->sum->times, sum.constant - rows.constant};
  return sum.constant < 0 ? sum : (struct constant_sum){end, 0};
}

// A counter that goes on by 1 up to a number that does not change in the loop, `r`, plus a constant, or back from it.
// It begins below that: a loop that ends by equality would come to every number else, and what it is sure to be used
// for is a fault.
static bool find_bounded(const struct wanted *w, const struct node *phi, int64_t factor, struct linear_term *term,
                         const struct node **found) {
  const struct region *loop = phi->region;
  struct counted counted;
  if (factor <= 0 || !find_counted(w, phi, &counted) || counted.least > MOST_FACTOR)
    return false;
  const struct constant_sum end = bound_of(w, counted.end);
  const struct node *bound = end.node;
  const int64_t more = counted.more + end.constant;
  // The bound is more than `least`, so that it is 1 or more.
  const int64_t least = counted.least - more;
  if (!bound || (*found && *found != bound) || !does_not_change(w->r, bound) || bound->width != 32 || least < 0 ||
      least > 2 * MOST_FACTOR)
    return false;
  const bool is_sure = counted.by == OP_EQ && counted.is_alone && w->is_sure && w->innermost == loop;
  if (!(is_sure && !counted.first) && !begins_below(loop, &counted, bound, least))
    return false;
  *found = bound;
  const uint64_t most = step_of(phi) > 0 ? magnitude_most(phi) : MAGNITUDE_UNKNOWN;
  *term = (struct linear_term){.step = factor,
                               .least = factor * counted.least,
                               .most = factor * (more - 1),
                               .wide = factor,
                               .constant = most < MOST_FACTOR ? factor * (int64_t)most : -1};
  return true;
}

static bool is_counted(const struct node *phi) {
  return step_of(phi) > 0 && phi->most != 0 && phi->most < MOST_FACTOR &&
         phi->region->initial.items[phi->low]->op == OP_CONSTANT;
}

// A counter that goes up from a constant.
static bool is_from_start(const struct node *phi) {
  const struct node *first = phi->region->initial.items[phi->low];
  return step_of(phi) > 0 && step_of(phi) < MOST_FACTOR && first->op == OP_CONSTANT && first->number < MOST_FACTOR;
}

// A counter that goes through numbers one by one, from a small one on or down to one.
static bool is_in_order(const struct node *phi) {
  struct counter_floor floor;
  return is_from_start(phi) || (magnitude_floor_of(phi, &floor) && floor.least < MOST_FACTOR);
}

// How far something that goes on by `step` a round comes, by a counter of the same loop that is bounded.
static bool find_beside(const struct wanted *w, const struct region *loop, int64_t step, struct linear_term *term,
                        struct linear *sum) {
  for (unsigned i = 0; i < loop->phis.count; i++) {
    const struct node *phi = loop->phis.items[i];
    if (phi->width != 32 || !find_bounded(w, phi, step, term, &sum->bound))
      continue;
    term->most -= term->least;
    term->constant -= term->constant >= 0 ? term->least : 0;
    term->least = 0;
    return true;
  }
  return false;
}

// By how much a counter goes on in a round; 0: it is none. One that goes on now and then is one that does so at most.
static int64_t most_step_of(const struct node *phi) {
  const int64_t step = step_of(phi);
  uint64_t most = 0;
  if (step == 0 && !magnitude_growth(phi->region->next.items[phi->low], phi, &most))
    return 0;
  return step != 0 ? step : (int64_t)most;
}

// A counter of a loop in the loop.
static bool add_inner(const struct wanted *w, const struct node *phi, int64_t factor, struct linear *sum) {
  const struct node *first = phi->region->initial.items[phi->low];
  const int64_t step = most_step_of(phi), each = step_of(phi) != 0 ? factor * step : factor;
  struct linear_term term;
  if (step == 0 || step >= MOST_FACTOR || step <= -MOST_FACTOR)
    return false;
  // From the end back, as a[m - 1 - k].
  if (factor < 0 && find_bounded(w, phi, -factor, &term, &sum->bound)) {
    sum->offset -= (uint32_t)term.most;
    add(w, sum->bound, -term.wide, NULL, sum);
    term.most -= term.least;
    term.constant -= term.constant >= 0 ? term.least : 0;
    term.least = 0;
    add_term(&term, sum);
    return true;
  }
  // What goes back, or begins with another counter, has its least number, and not its first, where it is said.
  if ((step == -1 || (step == 1 && first->op != OP_CONSTANT)) && find_bounded(w, phi, factor, &term, &sum->bound)) {
    add_term(&term, sum);
    return true;
  }
  if (is_counted(phi) && first->number <= phi->most) {
    term = up_to((int64_t)(phi->most - first->number), factor);
  } else if (!find_beside(w, phi->region, factor * step, &term, sum)) {
    const uint64_t rounds = magnitude_rounds(phi->region);
    if (rounds == 0 || rounds >= MOST_FACTOR)
      return false;
    term = up_to((int64_t)rounds - 1, factor * step);
  }
  term.step = each < 0 ? -each : each;
  add(w, first, factor, NULL, sum);
  add_term(&term, sum);
  return true;
}

// What a counter is further on in its round, or what a loop in the loop leaves: some more than what it began with.
static bool add_grown(const struct wanted *w, const struct node *value, int64_t factor, struct linear *sum) {
  const bool is_left = value->op == OP_OUT;
  const struct region *loop = is_left ? value->loop : value->region;
  if ((!is_left && value->op != OP_SELECT) || loop == w->r)
    return false;
  for (unsigned i = 0; i < loop->phis.count; i++) {
    const struct node *from = is_left ? loop->initial.items[i] : loop->phis.items[i];
    uint64_t most;
    if (!magnitude_growth(value, from, &most) || most >= MOST_FACTOR)
      continue;
    const struct linear_term term = up_to((int64_t)most, factor);
    add(w, from, factor, NULL, sum);
    add_term(&term, sum);
    return true;
  }
  return false;
}

// The loop's own counter. `times` may be NULL.
static void add_counter(const struct wanted *w, const struct node *phi, int64_t factor, const struct node *times,
                        struct linear *sum) {
  sum->counter = phi;
  sum->times = times;
  sum->step = factor * step_of(phi);
  if (is_counted(phi))
    sum->all = up_to((int64_t)phi->most, factor);
  else if (times || !find_bounded(w, phi, factor, &sum->all, &sum->all_bound))
    sum->all.is_open = true;
}

static void add_other(const struct wanted *w, const struct node *node, int64_t factor, const struct node *times,
                      struct linear *sum) {
  const bool is_small = factor < MOST_FACTOR && factor > -MOST_FACTOR;
  const bool is_counter = node->op == OP_PHI && node->width == 32, is_inner = !times && is_small;
  if (does_not_change(w->r, node) && sum->rest_count < LINEAR_MOST_SUMMANDS) {
    sum->rest[sum->rest_count++] = (struct linear_summand){node, times, factor};
  } else if (is_counter && node->region == w->r && !sum->counter && step_of(node) != 0) {
    add_counter(w, node, factor, times, sum);
  } else if ((is_counter && node->region != w->r && is_inner && add_inner(w, node, factor, sum)) ||
             (is_inner && add_grown(w, node, factor, sum))) {
    // It has been added.
  } else {
    // Any number. Of one that is not known to be small whole powers of two alone stay apart modulo 2^32, and rows in
    // their order, as they are more than all of memory where they come around.
    const uint64_t most = magnitude_most(node);
    struct linear_term term = up_to(most < MOST_FACTOR ? (int64_t)most : 0, factor);
    const unsigned zeros = magnitude_low_zeros(node);
    term.step <<= zeros < 20 ? zeros : 20;
    term.is_open = most >= MOST_FACTOR;
    term.times = times;
    sum->is_known &= is_small && (times ? is_counter && node->region != w->r && is_in_order(node)
                                        : !term.is_open || (term.step & (term.step - 1)) == 0);
    add_term(&term, sum);
  }
}

// Of two arguments.
static void add_operation(const struct wanted *w, const struct node *node, int64_t factor, const struct node *times,
                          struct linear *sum) {
  const struct node *x = node->arguments[0], *y = node->arguments[1];
  const int64_t by = y->op == OP_CONSTANT && y->number < MOST_FACTOR ? (int64_t)y->number : -1;
  const bool may_grow = by >= 0 && factor > -MOST_FACTOR && factor < MOST_FACTOR;
  const bool is_product = node->op == OP_MUL && !times && !does_not_change(w->r, node);
  if (is_sum(node) || node->op == OP_SUB) {
    add(w, x, factor, times, sum);
    add(w, y, node->op == OP_SUB ? -factor : factor, times, sum);
  } else if (node->op == OP_XOR && node->width == 32 && graph_is_number(y, UINT32_MAX) && !times) {
    sum->offset -= (uint32_t)factor;  // -1 - x
    add(w, x, -factor, NULL, sum);
  } else if (node->op == OP_SHL && may_grow && by < 20) {
    add(w, x, factor * ((int64_t)1 << by), times, sum);
  } else if (node->op == OP_MUL && may_grow) {
    add(w, x, factor * by, times, sum);
  } else if (is_product && does_not_change(w->r, y)) {
    add(w, x, factor, y, sum);
  } else if (is_product && does_not_change(w->r, x)) {
    add(w, y, factor, x, sum);
  } else {
    add_other(w, node, factor, times, sum);
  }
}

static void add(const struct wanted *w, const struct node *node, int64_t factor, const struct node *times,
                struct linear *sum) {
  sum->is_known &= *w->steps != 0;
  if (!sum->is_known)
    return;
  --*w->steps;
  if (node->op == OP_CONSTANT && !times)
    sum->offset += (uint32_t)((int64_t)node->number * factor);
  else if (node->op == OP_WORD && factor == 1 && !times && sum->word == 0 && aliases_is_pointer(w->graph, node))
    sum->word = (unsigned)node->number;
  else if (node->count == 2)
    add_operation(w, node, factor, times, sum);
  else
    add_other(w, node, factor, times, sum);
}

struct linear linear_of(const struct graph *graph, const struct region *r, const struct node *value,
                        const struct region *innermost, bool is_sure) {
  unsigned steps = MOST_STEPS;
  struct linear sum = {.is_known = true};
  const struct wanted w = {graph, r, innermost, is_sure, &steps, &sum};
  add(&w, value, 1, NULL, &sum);
  return sum;
}

// The next summand but those that are a number of `rows`, which are added up.
static const struct linear_summand *next_of(const struct linear *sum, unsigned *at, const struct node *rows,
                                            int64_t *count) {
  for (; *at < sum->rest_count; ++*at) {
    const struct linear_summand *summand = &sum->rest[*at];
    const bool is_rows = rows && ((summand->node == rows && !summand->times) ||
                                  (summand->times == rows && summand->node->op == OP_CONSTANT));
    if (!is_rows)
      return &sum->rest[(*at)++];
    *count += summand->factor * (summand->times ? (int32_t)summand->node->number : 1);
  }
  return NULL;
}

bool linear_are_alike(const struct linear *a, const struct linear *b, const struct node *rows, int64_t *more) {
  if (!a->is_known || !b->is_known || a->word != b->word || a->counter != b->counter || a->step != b->step ||
      a->times != b->times)
    return false;
  int64_t counts[2] = {0, 0};
  for (unsigned i = 0, k = 0;;) {
    const struct linear_summand *one = next_of(a, &i, rows, &counts[0]), *other = next_of(b, &k, rows, &counts[1]);
    *more = counts[1] - counts[0];
    if (!one || !other)
      return one == other && *more < MOST_FACTOR && *more > -MOST_FACTOR;
    if (one->node != other->node || one->times != other->times || one->factor != other->factor)
      return false;
  }
}
