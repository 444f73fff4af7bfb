// SPDX-License-Identifier: Apache-2.0
#include "tests/hls/truths.h"

#include <criterion/criterion.h>
#include <math.h>

TRUTH(equal, x == y)
TRUTH(not_equal, x != y)
TRUTH(greater, x > y)
TRUTH(greater_equal, x >= y)
TRUTH(less, x < y)
TRUTH(less_equal, x <= y)
TRUTH(less_greater, x<y || x> y)
TRUTH(ordered, !isnan(x) && !isnan(y))
TRUTH(unordered, isnan(x) || isnan(y))
TRUTH(finite, isfinite(x))
TRUTH(inf, isinf(x) != 0)
TRUTH(a_nan, isnan(x))

static const struct truth comparisons[] = {
    {"isequal(x, y)", is_equal},
    {"x == y", is_equal},
    {"isnotequal(x, y)", is_not_equal},
    {"x != y", is_not_equal},
    {"isgreater(x, y)", is_greater},
    {"x > y", is_greater},
    {"isgreaterequal(x, y)", is_greater_equal},
    {"x >= y", is_greater_equal},
    {"isless(x, y)", is_less},
    {"x < y", is_less},
    {"islessequal(x, y)", is_less_equal},
    {"x <= y", is_less_equal},
    {"islessgreater(x, y)", is_less_greater},
    {"isordered(x, y)", is_ordered},
    {"isunordered(x, y)", is_unordered},
    {"isfinite(x)", is_finite},
    {"isinf(x)", is_inf},
    {"isnan(x)", is_a_nan},
};
enum { COMPARISONS = sizeof comparisons / sizeof *comparisons, POINTS_MAX = 65536 };

static int32_t results[POINTS_MAX];

// What check_truth() is about.
static const struct operands *of;
static const struct truth *truths;

static void check_truth(int index, uint32_t points) {
  for (uint32_t i = 0; i < points; i++) {
    double x = of->value_of((const char *)of->in[0] + i * of->bytes);
    double y = of->value_of((const char *)of->in[1] + i * of->bytes);
    int expected = truths[index].reference(x, y);
    cr_assert_eq(results[i], expected, "%s with x = %a, y = %a: %d expected, got %d", truths[index].expression, x, y,
                 expected, results[i]);
  }
}

void expect_truths(const struct operands *operands, const struct truth *list, int count, uint32_t points) {
  of = operands;
  truths = list;
  evaluate(of, list, sizeof *list, count, "int", 4, points, results, check_truth);
}

void expect_comparisons(const struct operands *operands, uint32_t points) {
  expect_truths(operands, comparisons, COMPARISONS, points);
}
