// SPDX-License-Identifier: Apache-2.0
// Doubles as bits, for the run-time library: what libgcc does not have. Plain C, so that tests run the same code on the
// host.
#ifndef HEDDLE_HLS_RUNTIME_DOUBLE_BITS_H
#define HEDDLE_HLS_RUNTIME_DOUBLE_BITS_H

#include <stdint.h>

// The names code generation uses; a test that includes these files next to the host's maths library renames them.
#ifndef RUNTIME
#define RUNTIME(name) name
#endif

#define DOUBLE_SIGN_BIT 0x8000000000000000u
#define DOUBLE_INFINITY_BITS 0x7FF0000000000000u
#define DOUBLE_QUIET_NAN_BITS 0x7FF8000000000000u
#define DOUBLE_ONE_BITS 0x3FF0000000000000u
#define DOUBLE_FRACTION_MASK 0x000FFFFFFFFFFFFFu

static inline uint64_t bits_of_double(double x) {
  union {
    double value;
    uint64_t bits;
  } both = {x};
  return both.bits;
}

static inline double double_of(uint64_t bits) {
  union {
    uint64_t bits;
    double value;
  } both = {bits};
  return both.value;
}

// fraction * 2^exponent, rounded to nearest even, subnormals and overflow included. `sticky` says that the true
// fraction is larger by less than its last bit; the fraction then has all 64 bits.
static __attribute__((noinline, unused)) double round_to_double(uint64_t sign, uint64_t fraction, int exponent,
                                                                int sticky) {
  if (fraction == 0) {
    return double_of(sign);
  }
  int zeros = __builtin_clzll(fraction);
  // cppcheck-suppress [shiftNegative, shiftTooManyBits]; clzll of what is not 0 gives 0 to 63
  fraction <<= zeros;
  exponent -= zeros;
  // The value is fraction * 2^exponent with bit 63 set. 11 bits go, more where the result is subnormal.
  int biased = exponent + 63 + 1023;
  if (biased >= 2047) {
    return double_of(sign | DOUBLE_INFINITY_BITS);
  }
  int shift = 11;
  if (biased <= 0) {
    shift += 1 - biased;
    biased = 0;
  }
  if (shift > 64) {
    return double_of(sign);  // below half the smallest subnormal
  }
  uint64_t result = shift == 64 ? 0 : fraction >> shift;
  uint64_t rest = shift == 64 ? fraction : fraction << (64 - shift);
  const uint64_t half = (uint64_t)1 << 63;
  uint64_t up = rest > half || (rest == half && (sticky || (result & 1) != 0));
  // The leading one adds 1 to the exponent field unless the result is subnormal; a carry does so too, as it should.
  uint64_t field = biased > 0 ? (uint64_t)(biased - 1) << 52 : 0;
  return double_of(sign | (field + result + up));
}

// Takes a finite number other than zero apart: fraction with bit 52 set, and the exponent of its bit 0.
static inline uint64_t take_double_apart(uint64_t magnitude, int *exponent) {
  if (magnitude > DOUBLE_FRACTION_MASK) {
    *exponent = (int)(magnitude >> 52) - 1075;
    return (magnitude & DOUBLE_FRACTION_MASK) | (DOUBLE_FRACTION_MASK + 1);
  }
  int zeros = __builtin_clzll(magnitude) - 11;
  *exponent = -1074 - zeros;
  return magnitude << zeros;
}

#endif
