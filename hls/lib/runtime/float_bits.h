// SPDX-License-Identifier: Apache-2.0
// Floats as bits, for the run-time library: functions that code generation calls where the device has no instruction.
// Plain C, so that tests run the same code on the host.
#ifndef HEDDLE_HLS_RUNTIME_FLOAT_BITS_H
#define HEDDLE_HLS_RUNTIME_FLOAT_BITS_H

#include <stdint.h>

// The names code generation uses; a test that includes these files next to the host's maths library renames them.
#ifndef RUNTIME
#define RUNTIME(name) name
#endif

#define SIGN_BIT 0x80000000u
#define INFINITY_BITS 0x7F800000u
#define QUIET_NAN_BITS 0x7FC00000u

static inline uint32_t bits_of(float x) {
  union {
    float value;
    uint32_t bits;
  } both = {x};
  return both.bits;
}

static inline float float_of(uint32_t bits) {
  union {
    uint32_t bits;
    float value;
  } both = {bits};
  return both.value;
}

// fraction * 2^exponent, rounded to nearest even, subnormals and overflow included. `sticky` says that the true
// fraction is larger by less than its last bit; the fraction then has at least 32 significant bits.
static __attribute__((noinline, unused)) float round_to_float(uint32_t sign, uint64_t fraction, int exponent,
                                                              int sticky) {
  if (fraction == 0) {
    return float_of(sign);
  }
  int zeros = __builtin_clzll(fraction);
  // cppcheck-suppress [shiftNegative, shiftTooManyBits]; clzll of what is not 0 gives 0 to 63
  fraction <<= zeros;
  exponent -= zeros;
  // The value is fraction * 2^exponent with bit 63 set. 40 bits go, more where the result is subnormal.
  int biased = exponent + 63 + 127;
  if (biased >= 255) {
    return float_of(sign | INFINITY_BITS);
  }
  int shift = 40;
  if (biased <= 0) {
    shift += 1 - biased;
    biased = 0;
  }
  if (shift > 64) {
    return float_of(sign);  // below half the smallest subnormal
  }
  uint32_t result = shift == 64 ? 0 : (uint32_t)(fraction >> shift);
  uint64_t rest = shift == 64 ? fraction : fraction << (64 - shift);
  const uint64_t half = (uint64_t)1 << 63;
  uint32_t up = rest > half || (rest == half && (sticky || (result & 1) != 0));
  // The leading one adds 1 to the exponent field unless the result is subnormal; a carry does so too, as it should.
  uint32_t field = biased > 0 ? (uint32_t)(biased - 1) << 23 : 0;
  return float_of(sign | (field + result + up));
}

// Takes a finite number other than zero apart: fraction with bit 23 set, and the exponent of its bit 0.
static inline uint32_t take_apart(uint32_t magnitude, int *exponent) {
  if (magnitude >= 0x00800000u) {
    *exponent = (int)(magnitude >> 23) - 150;
    return (magnitude & 0x007FFFFFu) | 0x00800000u;
  }
  int zeros = __builtin_clz(magnitude) - 8;
  *exponent = -149 - zeros;
  return magnitude << zeros;
}

#endif
