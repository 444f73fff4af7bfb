// SPDX-License-Identifier: Apache-2.0
// What the library computes and writes of floats is what a C program begins with: numbers have a point, results are
// rounded to nearest, and subnormals are numbers, whatever locale and floating-point environment the program has
// chosen. Thread-safe.
#ifndef HEDDLE_C_NUMBERS_H
#define HEDDLE_C_NUMBERS_H

#include <fenv.h>
#include <locale.h>

// What a thread had before.
struct heddle_c_numbers {
  locale_t locale;
  fenv_t floats;
};

// From enter to leave it is so, for this thread.
void heddle_c_numbers_enter(struct heddle_c_numbers *before);
void heddle_c_numbers_leave(const struct heddle_c_numbers *before);

#endif
