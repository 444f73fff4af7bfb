// SPDX-License-Identifier: Apache-2.0
// sqrt, correctly rounded, a bit of the result at a time.
#include "hls/lib/runtime/double_bits.h"

double RUNTIME(sqrt)(double x);

// A root so far, and what its square lacks to the radicand's bits so far. The next two bits give the next bit of the
// root.
#define NEXT_BIT(type, rest, root, bits) \
  do {                                   \
    (rest) = (rest) << 2 | (bits);       \
    type trial = (root) << 2 | 1;        \
    (root) <<= 1;                        \
    if ((rest) >= trial) {               \
      (rest) -= trial;                   \
      (root) |= 1;                       \
    }                                    \
  } while (0)

double RUNTIME(sqrt)(double x) {
  uint64_t bits = bits_of_double(x);
  uint64_t magnitude = bits & ~DOUBLE_SIGN_BIT;
  if (magnitude == 0 || magnitude > DOUBLE_INFINITY_BITS || bits == DOUBLE_INFINITY_BITS) {
    return x + x;  // a NaN becomes a quiet one
  }
  if (bits != magnitude) {
    return double_of(DOUBLE_QUIET_NAN_BITS);
  }
  int exponent;
  uint64_t fraction = take_double_apart(magnitude, &exponent);
  if ((exponent & 1) != 0) {
    fraction <<= 1;
    exponent--;
  }
  // x = fraction * 2^exponent with an even exponent and a fraction of 54 bits at most, so the root is that of
  // fraction * 2^56, times 2^(exponent / 2 - 28). 55 bits of it: one or two more than the result has, and what remains
  // says on which side of it the true root lies.
  // While bits of the fraction come, one word has room for it all.
  uint32_t word = (uint32_t)(fraction >> 22), first_rest = 0, first_root = 0;
  for (int i = 0; i < 27; i++) {
    NEXT_BIT(uint32_t, first_rest, first_root, word >> 30);
    word = i == 15 ? (uint32_t)fraction << 10 : word << 2;
  }
  uint64_t rest = first_rest, root = first_root;
  for (int i = 27; i < 55; i++) {
    NEXT_BIT(uint64_t, rest, root, 0);
  }
  // The root is never halfway between two doubles, so sticky alone rounds it.
  return round_to_double(0, root << 8 | (rest != 0), exponent / 2 - 28 - 8, 0);
}
