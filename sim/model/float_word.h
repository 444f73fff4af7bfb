// SPDX-License-Identifier: Apache-2.0
// A float and the word of its bits: Zfinx has floats in the registers of integers.
#ifndef HEDDLE_MODEL_FLOAT_WORD_H
#define HEDDLE_MODEL_FLOAT_WORD_H

#include <stdint.h>
#include <string.h>

static inline float float_of(uint32_t word) {
  float f;
  memcpy(&f, &word, sizeof f);
  return f;
}

static inline uint32_t word_of(float f) {
  uint32_t word;
  memcpy(&word, &f, sizeof word);
  return word;
}

#endif
