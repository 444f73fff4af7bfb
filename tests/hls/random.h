// SPDX-License-Identifier: Apache-2.0
// Random numbers, the same sequence in every test of every run.
#ifndef HEDDLE_TESTS_HLS_RANDOM_H
#define HEDDLE_TESTS_HLS_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

uint32_t random_word(void);
uint64_t random_64(void);

bool is_long_test(void);  // HEDDLE_TEST_LONG asks for more random data

#endif
