// SPDX-License-Identifier: Apache-2.0
// Dependence tests (dependence.h) of linear sums.
#include "hls/pipeline/dependence.h"

#include "hls/pipeline/aliases.h"
#include "hls/pipeline/ivdep.h"
#include "hls/pipeline/linear.h"
#include "hls/pipeline/magnitudes.h"

// ---- memory

// Whether the source says of a loop that no other round stores to what is accessed, or accesses what is stored.
static bool is_ivdep(const struct node *access, const struct region *loop) {
  const unsigned between = graph_depth(access->region) - graph_depth(loop);
  return between < IVDEP_LOOPS && access->ivdep >> between & 1;
}

static struct linear address_of(const struct graph *graph, const struct region *r, const struct node *access) {
  const struct node *mask = access->arguments[access->op == OP_STORE ? 2 : 1];
  return linear_of(graph, r, access->arguments[0], access->region, mask == access->region->mask);
}

static int64_t floor_of(int64_t x, int64_t by) {
  return x / by - (x % by != 0 && x < 0);
}

// Whether rounds * step is in -later to earlier, these excluded, for 1 to `most` rounds.
static bool comes_near(int64_t step, int64_t earlier, int64_t later, int64_t most) {
  if (step == 0)
    return later > 0 && earlier > 0;
  if (step < 0)
    return comes_near(-step, later, earlier, most);
  const int64_t first = floor_of(-later, step) + 1, last = floor_of(earlier - 1, step);
  return (first > 1 ? first : 1) <= (last < most ? last : most);
}

// Bytes: `fixed`, and `rows` times the number that multiplies or bounds the parts of two sums, which is 1 or more.
struct size {
  int64_t fixed, rows;
};

static bool is_at_least(struct size a, struct size b) {
  return a.rows >= b.rows && a.rows - b.rows + a.fixed - b.fixed >= 0;
}

static struct size size_of(int64_t bytes, const struct node *times) {
  return times ? (struct size){0, bytes} : (struct size){bytes, 0};
}

static void extend(struct size *size, struct size by) {
  size->fixed += by.fixed;
  size->rows += by.rows;
}

// Whether a term needs the bound of its sum.
static bool needs_bound(const struct linear_term *term) {
  return term->wide != 0 && term->constant < 0;
}

static bool take_rows(const struct node *number, const struct node **rows) {
  const bool is_other = number && *rows && number != *rows;
  *rows = number ? number : *rows;
  return !is_other;
}

// The number; false: there are several. NULL: there is none.
static bool find_rows(const struct linear *sums[2], const struct node **rows) {
  bool is_one = true;
  *rows = sums[0]->times;
  for (unsigned k = 0; k < 2; k++)
    for (unsigned i = 0; i < sums[k]->term_count; i++)
      is_one = is_one && take_rows(sums[k]->terms[i].times, rows) &&
               take_rows(needs_bound(&sums[k]->terms[i]) ? sums[k]->bound : NULL, rows);
  return is_one;
}

// Terms without a bound that is no such number.
static void use_constants(struct linear *sum, const struct node *rows) {
  for (unsigned i = 0; i < sum->term_count && sum->bound != rows; i++) {
    struct linear_term *term = &sum->terms[i];
    term->most = term->wide != 0 ? term->constant : term->most;
    term->wide = 0;
  }
}

// Parts of two sums: those that stay below the loop's step together, and those whose steps are beyond it.
struct parts {
  struct size low, high;  // of the later sum beyond the earlier one, with their offsets
  struct linear_term beyond[2 * LINEAR_MOST_TERMS];
  bool is_of_both[2 * LINEAR_MOST_TERMS];
  unsigned count;
};

static struct size step_of(const struct linear_term *term) {
  return size_of(term->step, term->times);
}

// In the order of their steps; those of both sums that are the same are one. False: they have no order.
static bool add_beyond(struct parts *parts, const struct linear_term *term) {
  for (unsigned i = 0; i < parts->count; i++) {
    struct linear_term *other = &parts->beyond[i];
    if (other->step != term->step || other->times != term->times)
      continue;
    other->least = term->least < other->least ? term->least : other->least;
    other->most = term->most > other->most ? term->most : other->most;
    other->wide = term->wide > other->wide ? term->wide : other->wide;
    other->is_open |= term->is_open;
    parts->is_of_both[i] = true;
    return true;
  }
  unsigned at = parts->count++;
  for (; at > 0 && is_at_least(step_of(&parts->beyond[at - 1]), step_of(term)); at--) {
    parts->beyond[at] = parts->beyond[at - 1];
    parts->is_of_both[at] = parts->is_of_both[at - 1];
  }
  parts->beyond[at] = *term;
  parts->is_of_both[at] = false;
  return at == 0 || is_at_least(step_of(term), step_of(&parts->beyond[at - 1]));
}

static struct size least_of(const struct linear_term *term) {
  return size_of(term->least, term->times);
}

static struct size most_of(const struct linear_term *term) {
  struct size size = size_of(term->most, term->times);
  size.rows += term->wide;
  return size;
}

// The loop's own.
static struct size own_step_of(const struct linear *sum) {
  return size_of(sum->step < 0 ? -sum->step : sum->step, sum->times);
}

static bool take_apart(const struct linear *earlier, const struct linear *later, struct parts *parts) {
  const struct linear *sums[2] = {earlier, later};
  const struct size step = own_step_of(earlier);
  for (unsigned k = 0; k < 2; k++)
    for (unsigned i = 0; i < sums[k]->term_count; i++) {
      const struct linear_term *term = &sums[k]->terms[i];
      const bool is_beyond = is_at_least(step_of(term), step);
      if ((is_beyond && !add_beyond(parts, term)) ||
          (!is_beyond && (term->is_open || !is_at_least(step, step_of(term)))))
        return false;
      if (is_beyond)
        continue;
      const struct size least = least_of(term), most = most_of(term);
      extend(&parts->low, k == 0 ? (struct size){-most.fixed, -most.rows} : least);
      extend(&parts->high, k == 0 ? (struct size){-least.fixed, -least.rows} : most);
    }
  // A sum without such a part has 0 of it.
  for (unsigned i = 0; i < parts->count; i++) {
    struct linear_term *term = &parts->beyond[i];
    term->least = !parts->is_of_both[i] && term->least > 0 ? 0 : term->least;
    term->most = !parts->is_of_both[i] && term->most < 0 ? 0 : term->most;
  }
  return true;
}

// Whole steps of a part, as near to a distance as they come.
static int64_t nearest(int64_t distance, int64_t step) {
  return floor_of(distance + step / 2, step) * step;
}

// The largest step that is left, from the loop's own on; NULL: there is none.
static struct linear_term *largest_of(struct linear *sum, struct size own, const bool *is_taken) {
  struct linear_term *largest = NULL;
  for (unsigned i = 0; i < sum->term_count; i++) {
    struct linear_term *term = &sum->terms[i];
    if (!is_taken[i] && is_at_least(step_of(term), own) && (!largest || is_at_least(step_of(term), step_of(largest))))
      largest = term;
  }
  return largest;
}

// How far apart two addresses are in a round is as many steps of a sum's parts as there are in it, and a rest: of
// a[r][c] and a[r + 1][c] there is none. `sign`: 1, of the later sum, or -1, of the earlier one.
static void take_steps(struct linear *sum, struct size own, const struct node *rows, int sign, struct size *distance) {
  bool is_taken[LINEAR_MOST_TERMS] = {false};
  for (struct linear_term *term; (term = largest_of(sum, own, is_taken));) {
    is_taken[term - sum->terms] = true;
    if (term->step == 0 || (term->times && term->times != rows))
      continue;
    int64_t *part = term->times ? &distance->rows : &distance->fixed;
    const int64_t whole = nearest(*part, term->step);
    *part -= whole;
    term->least += sign * whole;
    term->most += sign * whole;
  }
}

// Whether each step, from the loop's own on, is as large as all smaller parts together and what is accessed: then sums
// of different rounds are as far apart. Rows do not come around behind 4 GiB, as few of them would be all of memory.
static bool are_digits(const struct linear *a, const struct parts *parts, const struct node *rows, struct size accessed,
                       int64_t widest) {
  struct size below = accessed;
  const struct linear_term own = {.step = a->step < 0 ? -a->step : a->step, .times = a->times};
  if (own.step == 0 || !is_at_least(step_of(&own), below) || (own.times && own.step > 2 * widest))
    return false;
  bool is_open = a->all.is_open || (a->all.wide != 0 && a->all_bound != rows);
  extend(&below, size_of(a->all.most - a->all.least, a->times));
  below.rows += a->all.wide;
  for (unsigned i = 0; i < parts->count; i++) {
    const struct linear_term *term = &parts->beyond[i];
    if (is_open || !is_at_least(step_of(term), below) || (term->times && term->step > 2 * widest))
      return false;
    is_open = term->is_open;
    const struct size least = least_of(term), most = most_of(term);
    extend(&below, (struct size){most.fixed - least.fixed, most.rows - least.rows});
  }
  return below.fixed <= INT32_MAX / 2;
}

static int64_t widest_of(const struct linear *sum, const struct node *rows) {
  int64_t widest = sum->all_bound == rows ? sum->all.wide : 0;
  for (unsigned i = 0; i < sum->term_count; i++)
    widest = sum->terms[i].wide > widest ? sum->terms[i].wide : widest;
  return widest;
}

bool dependence_of_accesses(const struct graph *graph, const struct region *r, const struct node *earlier,
                            const struct node *later, unsigned most) {
  if (!graph_is_of_memory(earlier) || !graph_is_of_memory(later) || (earlier->op == OP_LOAD && later->op == OP_LOAD))
    return false;
  if ((is_ivdep(earlier, r) && is_ivdep(later, r)) || aliases_are_apart(graph, earlier, later))
    return false;
  struct linear a = address_of(graph, r, earlier), b = address_of(graph, r, later);
  const struct node *rows;
  // By how much the later address is beyond the earlier one. Addresses begin again behind 4 GiB.
  const int64_t offset = (int32_t)(b.offset - a.offset), size = a.step < 0 ? -a.step : a.step;
  int64_t more;
  if (!find_rows((const struct linear *[]){&a, &b}, &rows) || !linear_are_alike(&a, &b, rows, &more) ||
      (rows && a.bound != rows && b.bound != rows && a.all_bound != rows && b.all_bound != rows))
    return true;
  use_constants(&a, rows);
  use_constants(&b, rows);
  struct size distance = {offset, more};
  const struct size own = own_step_of(&a);
  take_steps(&b, own, rows, 1, &distance);
  take_steps(&a, own, rows, -1, &distance);
  struct parts parts = {.low = distance, .high = distance};
  if (!take_apart(&a, &b, &parts))
    return true;
  const int64_t far = -parts.low.fixed > parts.high.fixed ? -parts.low.fixed : parts.high.fixed;
  if (far > INT32_MAX / 2 || (most != DEPENDENCE_ANY_ROUNDS && most * size + far > INT32_MAX / 2))
    return true;
  const struct size before = {earlier->bytes - parts.low.fixed, -parts.low.rows},
                    behind = {later->bytes + parts.high.fixed, parts.high.rows};
  if (!a.times && parts.count == 0 && parts.low.rows == 0 && parts.high.rows == 0)
    return comes_near(a.step, before.fixed, behind.fixed, most != DEPENDENCE_ANY_ROUNDS ? most : INT32_MAX);
  const struct size accessed = {before.fixed > behind.fixed ? before.fixed : behind.fixed,
                                before.rows > behind.rows ? before.rows : behind.rows};
  const int64_t wide[2] = {widest_of(&a, rows), widest_of(&b, rows)};
  return !are_digits(&a, &parts, rows, accessed, wide[0] > wide[1] ? wide[0] : wide[1]);
}

// ---- elements of arrays

// Whether a condition holds where a counter has come to `last`, or with `is_below` where it has not.
static bool is_at(const struct node *condition, const struct node *counter, uint64_t *last, bool *is_below) {
  if (condition->op != OP_EQ && condition->op != OP_ULT && condition->op != OP_SLT)
    return false;
  const bool is_turned = condition->op != OP_EQ && condition->arguments[0]->op == OP_CONSTANT;
  const struct node *a = condition->arguments[is_turned ? 1 : 0], *b = condition->arguments[is_turned ? 0 : 1];
  const bool is_next = magnitude_step(a, counter) == 1;
  if ((a != counter && !is_next) || b->op != OP_CONSTANT || b->number == 0 || b->number > INT32_MAX)
    return false;
  // A number that is below the counter is the one before the last.
  *last = b->number + is_turned - is_next;
  *is_below = condition->op != OP_EQ && !is_turned;
  return true;
}

// Of a counter that begins again at 0, rounds from one value to the same: x = x == 9 ? 0 : x + 1 has 10. 0: it is none.
// One that began behind its last value comes back later.
static uint32_t period_of(const struct region *r, const struct node *counter) {
  const struct node *next = counter->op == OP_PHI && counter->region == r ? r->next.items[counter->low] : NULL;
  uint64_t last;
  bool is_below;
  if (next && next->op == OP_AND && next->arguments[1]->op == OP_CONSTANT &&
      magnitude_step(next->arguments[0], counter) == 1)
    return (next->arguments[1]->number & (next->arguments[1]->number + 1)) == 0
               ? (uint32_t)(next->arguments[1]->number + 1)
               : 0;
  if (!next || next->op != OP_SELECT || !is_at(next->arguments[0], counter, &last, &is_below))
    return 0;
  const struct node *begin = next->arguments[is_below ? 2 : 1], *go_on = next->arguments[is_below ? 1 : 2];
  return graph_is_number(begin, 0) && magnitude_step(go_on, counter) == 1 ? (uint32_t)last + 1 : 0;
}

static bool has_terms(const struct linear *sum) {
  return sum->term_count != 0;
}

// Of a ring, rounds for which what is accessed in one is not accessed in another; several shifts of a round count.
static unsigned ring_rounds(const struct region *r, const struct node *earlier, const struct node *later) {
  unsigned shifts = 0;
  if (earlier->distance == 0 || earlier->distance != later->distance)
    return 0;
  for (unsigned i = 0; i < r->nodes.count; i++) {
    const struct node *node = r->nodes.items[i];
    if (node->op == OP_SET_ELEMENT && node->number == earlier->number && node->distance != earlier->distance)
      return 0;
    shifts += node->op == OP_SET_ELEMENT && node->number == earlier->number;
  }
  return shifts != 0 ? earlier->distance / shifts : 0;
}

bool dependence_of_elements(const struct graph *graph, const struct region *r, const struct node *earlier,
                            const struct node *later, unsigned rounds) {
  if ((is_ivdep(earlier, r) && is_ivdep(later, r)) || rounds < ring_rounds(r, earlier, later))
    return false;
  struct linear at[2];
  int64_t more;
  const struct node *indices[] = {earlier->arguments[0], later->arguments[0]};
  unsigned low[2] = {0, 0};
  for (unsigned i = 0; i < 2; i++) {
    // Some bits of a sum, the lowest of which are those of the byte in an element.
    if (indices[i]->op == OP_SLICE) {
      low[i] = (unsigned)indices[i]->number;
      indices[i] = indices[i]->arguments[0];
    }
    at[i] = linear_of(graph, r, indices[i], r, false);
  }
  const uint32_t period = indices[0] == indices[1] && low[0] == low[1] ? period_of(r, indices[0]) : 0;
  if (period != 0 && low[0] == 0 && (uint64_t)period <= (uint64_t)1 << earlier->arguments[0]->width)
    return rounds % period == 0;
  if (low[0] != low[1] || !linear_are_alike(&at[0], &at[1], NULL, &more) || at[0].times || has_terms(&at[0]) ||
      has_terms(&at[1]))
    return true;
  const unsigned bits = low[0] + earlier->arguments[0]->width;
  const uint32_t apart = (uint32_t)at[0].step * rounds + at[1].offset - at[0].offset,
                 wanted = bits < 32 ? (1u << bits) - 1 : ~0u;
  return (apart & wanted) == 0 || apart % (1u << low[0]) != 0;
}
