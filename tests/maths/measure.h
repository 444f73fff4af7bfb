// SPDX-License-Identifier: Apache-2.0
// What measure.c knows of a type: its functions, where they are looked at, and how far a result is off.
#ifndef HEDDLE_TESTS_MATHS_MEASURE_H
#define HEDDLE_TESTS_MATHS_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The worst of a function so far. Numbers are in words, as %a has them.
struct worst {
  double error;
  char at[96], expected[40], got[40];
};

struct maths_type {
  const char *name, *integer;
  size_t bytes;  // of one number
  int count;     // of functions
  const char *(*expression)(int index);
  double (*limit)(int index);      // INFINITY: none
  bool (*is_absolute)(int index);  // the limit is a multiple of an absolute error, not of an ulp
  void (*fill)(int index, uint64_t first, uint32_t count, void *const in[3]);
  void (*judge)(int index, uint32_t count, void *const in[3], const void *out, struct worst *worst);
};

extern const struct maths_type maths_of_float, maths_of_double;

#endif
