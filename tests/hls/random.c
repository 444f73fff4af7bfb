// SPDX-License-Identifier: Apache-2.0
#include "tests/hls/random.h"

#include <stdlib.h>

// Each test is a process of its own, so each begins here.
static uint64_t state = 88172645463325252u;

uint32_t random_word(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (uint32_t)(state >> 16);
}

uint64_t random_64(void) {
  uint64_t high = random_word();
  return high << 32 | random_word();
}

bool is_long_test(void) {
  return getenv("HEDDLE_TEST_LONG");
}
