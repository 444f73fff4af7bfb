// SPDX-License-Identifier: Apache-2.0
// Functions that give an int, of two numbers of a type, run on the golden model.
#ifndef HEDDLE_TESTS_HLS_TRUTHS_H
#define HEDDLE_TESTS_HLS_TRUTHS_H

#include "tests/hls/expressions.h"

struct truth {
  const char *expression;
  int (*reference)(double x, double y);
};

// A reference, is_NAME.
#define TRUTH(name, expression)              \
  static int is_##name(double x, double y) { \
    (void)y;                                 \
    return expression;                       \
  }

void expect_truths(const struct operands *operands, const struct truth *list, int count, uint32_t points);

// The comparisons and classes that are the same for all types.
void expect_comparisons(const struct operands *operands, uint32_t points);

#endif
