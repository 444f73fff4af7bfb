// SPDX-License-Identifier: Apache-2.0
// sqrt: the bits of the root.
#include "hls/lib/runtime/double_bits.h"
#include "hls/lib/runtime/sqrt.h"

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

static double root_of(uint64_t fraction, int exponent) {
  // That of fraction * 2^56, times 2^(exponent / 2 - 28). 55 bits of it: one or two more than the result has, and what
  // remains says on which side of it the true root lies.
  // While bits of the fraction, 54 at most, come, one word has room for it all.
  uint32_t high = (uint32_t)(fraction >> 22), first_rest = 0, first_root = 0;
  for (int i = 0; i < 27; i++) {
    NEXT_BIT(uint32_t, first_rest, first_root, high >> 30);
    high = i == 15 ? (uint32_t)fraction << 10 : high << 2;
  }
  uint64_t rest = first_rest, root = first_root;
  for (int i = 27; i < 55; i++)
    NEXT_BIT(uint64_t, rest, root, 0);
  // The root is never halfway between two doubles, so sticky alone rounds it.
  return round_to_number(0, root << 8 | (rest != 0), exponent / 2 - 28 - 8, 0);
}
