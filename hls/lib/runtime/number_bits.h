// SPDX-License-Identifier: Apache-2.0
// Floating-point numbers as bits, for the run-time library: functions that code generation calls where the device has
// no instruction, and libgcc no function. float_bits.h and double_bits.h include this and say which type it is for.
// Plain C, so that tests run the same code on the host.
#ifndef HEDDLE_HLS_RUNTIME_NUMBER_BITS_H
#define HEDDLE_HLS_RUNTIME_NUMBER_BITS_H

// The names code generation uses; a test that includes these files next to the host's maths library renames them.
#ifndef RUNTIME
#define RUNTIME(name) name
#endif

enum { WORD_BITS = 8 * sizeof(word), EXPONENT_BITS = WORD_BITS - 1 - FRACTION_BITS };

#define SIGN_BIT ((word)1 << (WORD_BITS - 1))
#define FRACTION_MASK (IMPLIED_ONE - 1)
#define IMPLIED_ONE ((word)1 << FRACTION_BITS)  // of a number that is not subnormal; also 1 in the exponent field
#define INFINITY_BITS (SIGN_BIT - IMPLIED_ONE)
#define QUIET_NAN_BITS (INFINITY_BITS | IMPLIED_ONE >> 1)
#define ONE_BITS ((word)EXPONENT_BIAS << FRACTION_BITS)

static inline word bits_of(number x) {
  union {
    number value;
    word bits;
  } both = {x};
  return both.bits;
}

static inline number number_of(word bits) {
  union {
    word bits;
    number value;
  } both = {bits};
  return both.value;
}

static inline int is_nan(word bits) {
  return (bits & ~SIGN_BIT) > INFINITY_BITS;
}

// fraction * 2^exponent, rounded to nearest even, subnormals and overflow included. `sticky` says that the true
// fraction is larger by less than its last bit; the fraction then has at least two significant bits more than a number.
static __attribute__((noinline, unused)) number round_to_number(word sign, uint64_t fraction, int exponent,
                                                                int sticky) {
  if (fraction == 0)
    return number_of(sign);
  int zeros = __builtin_clzll(fraction);
  // cppcheck-suppress [shiftNegative, shiftTooManyBits]; clzll of what is not 0 gives 0 to 63
  fraction <<= zeros;
  exponent -= zeros;
  // The value is fraction * 2^exponent with bit 63 set. Bits behind a number's go, more where the result is subnormal.
  int biased = exponent + 63 + EXPONENT_BIAS;
  if (biased >= 2 * EXPONENT_BIAS + 1)
    return number_of(sign | INFINITY_BITS);
  int shift = 63 - FRACTION_BITS;
  if (biased <= 0) {
    shift += 1 - biased;
    biased = 0;
  }
  if (shift > 64)
    return number_of(sign);  // below half the smallest subnormal
  word result = shift == 64 ? 0 : (word)(fraction >> shift);
  uint64_t rest = shift == 64 ? fraction : fraction << (64 - shift);
  const uint64_t half = (uint64_t)1 << 63;
  word up = rest > half || (rest == half && (sticky || (result & 1) != 0));
  // The leading one adds 1 to the exponent field unless the result is subnormal; a carry does so too, as it should.
  word field = biased > 0 ? (word)(biased - 1) << FRACTION_BITS : 0;
  return number_of(sign | (field + result + up));
}

// Takes a finite number other than zero apart: fraction with IMPLIED_ONE set, and the exponent of its bit 0.
static inline word take_apart(word magnitude, int *exponent) {
  if (magnitude >= IMPLIED_ONE) {
    *exponent = (int)(magnitude >> FRACTION_BITS) - EXPONENT_BIAS - FRACTION_BITS;
    return (magnitude & FRACTION_MASK) | IMPLIED_ONE;
  }
  int zeros = LEADING_ZEROS(magnitude) - EXPONENT_BITS;
  *exponent = 1 - EXPONENT_BIAS - FRACTION_BITS - zeros;
  return magnitude << zeros;
}

#endif
