// SPDX-License-Identifier: Apache-2.0
// Maths functions of a type, run on the golden model at few points, within what tests/maths/references.h allows them.
// `make test-maths` is the same at many points. To be defined before: as for references.h.
#ifndef HEDDLE_TESTS_HLS_MATHS_CHECKS_H
#define HEDDLE_TESTS_HLS_MATHS_CHECKS_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/hls/expressions.h"
#include "tests/hls/random.h"
#include "tests/maths/references.h"

enum { CHECKED_POINTS_MAX = 65536 };

static number numbers[3][CHECKED_POINTS_MAX], results[CHECKED_POINTS_MAX];

static void prepare_function(int index, uint32_t points) {
  fill_points(functions[index].domain, 0, points, (number *const[]){numbers[0], numbers[1], numbers[2]});
}

static void check_function(int index, uint32_t points) {
  const struct function *f = &functions[index];
  double worst = 0;
  uint32_t at = 0;
  for (uint32_t i = 0; i < points; i++) {
    const double error = error_of(f, numbers[0][i], numbers[1][i], numbers[2][i], results[i]);
    if (error > worst) {
      worst = error;
      at = i;
    }
  }
  const double x = numbers[0][at], y = numbers[1][at], z = numbers[2][at];
  cr_expect_leq(worst, f->allowed, "%s with x = %a, y = %a, z = %a: %a expected, got %a: %.2f of %s, %g allowed",
                f->expression, x, y, z, (double)expected_of(f, numbers[0][at], numbers[1][at], numbers[2][at]),
                results[at], worst, !f->tolerance ? "an ulp" : "the tolerance", f->allowed);
}

// The operands' own numbers are not used.
static void expect_small_errors(const struct operands *operands, uint32_t points) {
  struct operands prepared = *operands;
  for (int k = 0; k < 3; k++)
    prepared.in[k] = numbers[k];
  prepared.prepare = prepare_function;
  evaluate(&prepared, functions, sizeof *functions, FUNCTIONS, prepared.type, prepared.bytes, points, results,
           check_function);
}

#endif
