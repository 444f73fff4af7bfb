// SPDX-License-Identifier: Apache-2.0
// Linear sums (linear.h). A value is taken apart along its additions, in a bounded number of steps.
#include "hls/pipeline/linear.h"

#include "hls/pipeline/aliases.h"
#include "hls/pipeline/counter_bounds.h"
#include "hls/pipeline/magnitudes.h"
#include "hls/pipeline/rates.h"

enum { MOST_STEPS = 400 };

// What a value is wanted of.
struct wanted {
  const struct graph *graph;
  const struct region *r, *innermost;
  bool is_sure;
  unsigned *steps;           // that are left
  const struct linear *sum;  // as far as it is known
};

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

static bool find_bounded(const struct wanted *w, const struct node *phi, int64_t factor, struct linear_term *term,
                         const struct node **found) {
  const struct counters counters = {w->r, w->innermost, w->is_sure, w->steps, w->sum->times};
  return counter_bounds_find(&counters, phi, factor, term, found);
}

static bool is_counted(const struct node *phi) {
  return magnitude_step_of(phi) > 0 && phi->most != 0 && phi->most < LINEAR_MOST_FACTOR &&
         phi->region->initial.items[phi->low]->op == OP_CONSTANT;
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
  const int64_t step = magnitude_step_of(phi);
  uint64_t most = 0;
  if (step == 0 && !magnitude_growth(phi->region->next.items[phi->low], phi, &most))
    return 0;
  return step != 0 ? step : (int64_t)most;
}

// A counter of a loop in the loop.
static bool add_inner(const struct wanted *w, const struct node *phi, int64_t factor, struct linear *sum) {
  const struct node *first = phi->region->initial.items[phi->low];
  const int64_t step = most_step_of(phi), each = magnitude_step_of(phi) != 0 ? factor * step : factor;
  struct linear_term term;
  if (step == 0 || step >= LINEAR_MOST_FACTOR || step <= -LINEAR_MOST_FACTOR)
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
    if (rounds == 0 || rounds >= LINEAR_MOST_FACTOR)
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
    if (!magnitude_growth(value, from, &most) || most >= LINEAR_MOST_FACTOR)
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
  sum->step = factor * magnitude_step_of(phi);
  if (is_counted(phi))
    sum->all = up_to((int64_t)phi->most, factor);
  else if (times || !find_bounded(w, phi, factor, &sum->all, &sum->all_bound))
    sum->all.is_open = true;
}

static void add_other(const struct wanted *w, const struct node *node, int64_t factor, const struct node *times,
                      struct linear *sum) {
  const bool is_small = factor < LINEAR_MOST_FACTOR && factor > -LINEAR_MOST_FACTOR;
  const bool is_counter = node->op == OP_PHI && node->width == 32, is_inner = !times && is_small;
  if (counter_bounds_is_fixed(w->r, node) && sum->rest_count < LINEAR_MOST_SUMMANDS) {
    sum->rest[sum->rest_count++] = (struct linear_summand){node, times, factor};
  } else if (is_counter && node->region == w->r && !sum->counter && magnitude_step_of(node) != 0) {
    add_counter(w, node, factor, times, sum);
  } else if ((is_counter && node->region != w->r && is_inner && add_inner(w, node, factor, sum)) ||
             (is_inner && add_grown(w, node, factor, sum))) {
    // It has been added.
  } else {
    // Any number. Of one that is not known to be small whole powers of two alone stay apart modulo 2^32, and rows in
    // their order, as they are more than all of memory where they come around.
    const uint64_t most = magnitude_most(node);
    struct linear_term term = up_to(most < LINEAR_MOST_FACTOR ? (int64_t)most : 0, factor);
    const unsigned zeros = magnitude_low_zeros(node);
    term.step <<= zeros < 20 ? zeros : 20;
    term.is_open = most >= LINEAR_MOST_FACTOR;
    term.times = times;
    sum->is_known &= is_small && (times ? is_counter && node->region != w->r && counter_bounds_in_order(node)
                                        : !term.is_open || (term.step & (term.step - 1)) == 0);
    add_term(&term, sum);
  }
}

// Of two arguments.
static void add_operation(const struct wanted *w, const struct node *node, int64_t factor, const struct node *times,
                          struct linear *sum) {
  const struct node *x = node->arguments[0], *y = node->arguments[1];
  const int64_t by = y->op == OP_CONSTANT && y->number < LINEAR_MOST_FACTOR ? (int64_t)y->number : -1;
  const bool may_grow = by >= 0 && factor > -LINEAR_MOST_FACTOR && factor < LINEAR_MOST_FACTOR;
  const bool is_product = node->op == OP_MUL && !times && !counter_bounds_is_fixed(w->r, node);
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
  } else if (is_product && counter_bounds_is_fixed(w->r, y)) {
    add(w, x, factor, y, sum);
  } else if (is_product && counter_bounds_is_fixed(w->r, x)) {
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
      return one == other && *more < LINEAR_MOST_FACTOR && *more > -LINEAR_MOST_FACTOR;
    if (one->node != other->node || one->times != other->times || one->factor != other->factor)
      return false;
  }
}
