// SPDX-License-Identifier: Apache-2.0
// The functions of references.h as measure.c takes them. To be defined before: as for references.h; MATHS_TYPE, what is
// defined here, with TYPE_NAME and INTEGER_NAME, the type's and the integer's of its size.
#include <stdio.h>

#include "tests/maths/measure.h"
#include "tests/maths/references.h"

static const char *expression(int index) {
  return functions[index].expression;
}

static double limit(int index) {
  return functions[index].allowed;
}

static bool is_absolute(int index) {
  return functions[index].tolerance;
}

static int operands_of(enum domain domain) {
  return domain == ONE_NUMBER || domain == TURNS ? 1 : domain == TWO_NUMBERS ? 2 : 3;
}

static void fill(int index, uint64_t first, uint32_t count, void *const in[3]) {
  fill_points(functions[index].domain, first, count, (number *const[]){in[0], in[1], in[2]});
}

static void judge(int index, uint32_t count, void *const in[3], const void *out, struct worst *worst) {
  const struct function *f = &functions[index];
  const number *const x = in[0], *const y = in[1], *const z = in[2], *const got = out;
  for (uint32_t i = 0; i < count; i++) {
    const double error = error_of(f, x[i], y[i], z[i], got[i]);
    if (error > worst->error) {
      worst->error = error;
      const int used = snprintf(worst->at, sizeof worst->at, "%a", (double)x[i]);
      if (operands_of(f->domain) > 1) {
        const int more = snprintf(worst->at + used, sizeof worst->at - (size_t)used, ", %a", (double)y[i]);
        if (operands_of(f->domain) > 2)
          snprintf(worst->at + used + more, sizeof worst->at - (size_t)(used + more), ", %a", (double)z[i]);
      }
      snprintf(worst->expected, sizeof worst->expected, "%La", (long double)expected_of(f, x[i], y[i], z[i]));
      snprintf(worst->got, sizeof worst->got, "%a", (double)got[i]);
    }
  }
}

const struct maths_type MATHS_TYPE = {.name = TYPE_NAME,
                                      .integer = INTEGER_NAME,
                                      .bytes = sizeof(number),
                                      .count = FUNCTIONS,
                                      .expression = expression,
                                      .limit = limit,
                                      .is_absolute = is_absolute,
                                      .fill = fill,
                                      .judge = judge};
