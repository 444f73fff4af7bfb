// SPDX-License-Identifier: Apache-2.0
// Random words for tests; the same every time, unless HEDDLE_SEED chooses others.
#ifndef HEDDLE_TESTS_RTL_RANDOM_WORD_H
#define HEDDLE_TESTS_RTL_RANDOM_WORD_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

__attribute__((weak)) uint64_t random_state;  // one for all files of a program; never 0

static inline void random_seed(uint64_t otherwise) {
  const char *given = getenv("HEDDLE_SEED");
  random_state = given ? strtoull(given, NULL, 0) : otherwise;
}

static inline uint32_t random_word(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (uint32_t)(random_state >> 16);
}

static inline uint32_t random_below(uint32_t n) {
  assert(n != 0);
  return random_word() % n;
}

static inline bool chance(unsigned of_256) {
  return random_below(256) < of_256;
}

#endif
