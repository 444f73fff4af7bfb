// SPDX-License-Identifier: Apache-2.0
// What kernel pipelines compute doubles with: each function becomes part of a circuit wherever a kernel has the
// operation (hls/pipeline/doubles.c). Results are bit for bit those that programmable units have of libgcc and of
// hls/lib/runtime, NaNs included. Both ways of a branch are made in a circuit, so that there are none: a shift is made
// in six steps that each move or do not, and what is special is chosen at the end. Quotients and roots are loops, a
// ring of the pipeline that takes 14 rounds. Plain C, so that tests run the same code on the host.
#include <stdbool.h>
#include <stdint.h>

typedef uint64_t word;
// Exponents and their sums have few bits, as each costs in a circuit. The host's compiler has no such types.
#ifdef __BITINT_MAXWIDTH__
typedef unsigned _BitInt(128) wide;
typedef signed _BitInt(14) small;
typedef unsigned _BitInt(6) count;
#define ROLLED _Pragma("clang loop unroll(disable)")
#define UNROLLED _Pragma("clang loop unroll(full)")
#else
typedef unsigned __int128 wide;
typedef int small;
typedef unsigned count;
#define ROLLED
#define UNROLLED
#endif

#ifndef SOFT_DOUBLE
#define SOFT_DOUBLE(name) __heddle_double_##name
#endif
#define FUNCTION(result, name, ...)      \
  result SOFT_DOUBLE(name)(__VA_ARGS__); \
  result SOFT_DOUBLE(name)(__VA_ARGS__)
#define INLINE static inline __attribute__((always_inline))

#define SIGN ((word)1 << 63)
#define MAGNITUDE (SIGN - 1)
#define FRACTION ((word)0x000FFFFFFFFFFFFF)
#define ONE_BIT ((word)0x0010000000000000)  // the leading one, which is implied
#define INFINITE ((word)0x7FF0000000000000)
#define NOT_A_NUMBER ((word)0x7FF8000000000000)
enum { BIAS = 1023, SPECIAL = 2047 };

INLINE small exponent_of(word x) {
  return (small)(x >> 52 & SPECIAL);
}

INLINE bool is_nan(word x) {
  return (x & MAGNITUDE) > INFINITE;
}

// Moves x up until its highest bit is at the top, and says by how many places. Of 0 it says anything.
INLINE word moved_up(word x, small *places) {
  *places = 0;
  for (int step = 32; step != 0; step >>= 1) {
    const bool moves = x >> (64 - step) == 0;
    x = moves ? x << step : x;
    *places |= moves ? (small)step : 0;
  }
  return x;
}

// The same by `most` places at most, 0 to 63. Where a bit above that of a step stays in it, what is left moves less.
INLINE word moved_up_by(word x, count most, small *places) {
  *places = 0;
  for (int step = 32; step != 0; step >>= 1) {
    const bool moves = x >> (64 - step) == 0 && most >= (count)step;
    x = moves ? x << step : x;
    most = moves ? most & ~(count)step : most;
    *places |= moves ? (small)step : 0;
  }
  return x;
}

// By 0 to 63; bits that leave are in the lowest one.
INLINE word moved_down(word x, small places) {
  bool rest = false;
  for (int step = 32; step != 0; step >>= 1) {
    const bool moves = (places & (small)step) != 0;
    rest = rest || (moves && (x & (((word)1 << step) - 1)) != 0);
    x = moves ? x >> step : x;
  }
  return x | rest;
}

INLINE small at_most_63(small places) {
  return places > 63 ? 63 : places;
}

// A finite number that is not 0: its fraction with the leading one at the top, and its exponent field, which goes below
// 1 for subnormal ones.
INLINE word taken_apart(word x, small *exponent) {
  const small field = exponent_of(x);
  small places;
  const word fraction = (x & FRACTION) | (field != 0 ? ONE_BIT : 0);
  const word top = moved_up(fraction << 11, &places);
  *exponent = (small)((field != 0 ? field : 1) - places);
  return top;
}

// The number of that sign whose fraction, with its leading one at the top, and exponent field these are, rounded to
// nearest even. The lowest bit of the fraction also stands for what is below it. Without `goes_low` the exponent is 1
// at least.
INLINE word rounded(word sign, small exponent, word top, bool goes_low) {
  if (goes_low) {
    top = moved_down(top, exponent < 1 ? at_most_63((small)(1 - exponent)) : 0);
    exponent = exponent < 1 ? 1 : exponent;
  }
  const word fraction = top >> 11;
  const bool up = (top >> 10 & 1) != 0 && ((top & 0x3FF) != 0 || (fraction & 1) != 0);
  // The leading one adds 1 to the exponent field, and a carry does so too.
  const word magnitude = ((word)(exponent - 1) << 52) + fraction + up;
  return sign | (exponent >= SPECIAL ? INFINITE : magnitude);
}

// ---- sums

INLINE word sum(word a, word b) {
  const bool swaps = (a & MAGNITUDE) < (b & MAGNITUDE);
  const word x = swaps ? b : a, y = swaps ? a : b;
  const small field_x = exponent_of(x), field_y = exponent_of(y);
  // Three bits more than a fraction has, and room for a carry.
  const word upper = ((x & FRACTION) | (field_x != 0 ? ONE_BIT : 0)) << 3;
  const word lower = ((y & FRACTION) | (field_y != 0 ? ONE_BIT : 0)) << 3;
  small exponent = field_x != 0 ? field_x : 1;
  const word aligned = moved_down(lower, at_most_63((small)(exponent - (field_y != 0 ? field_y : 1))));
  const bool subtracts = ((x ^ y) & SIGN) != 0;
  const word added = upper + (subtracts ? ~aligned : aligned) + subtracts;
  // Bit 56 is a carry of a sum.
  small places;
  const word top = moved_up_by(added << 7, (count)at_most_63(exponent), &places);
  exponent = (small)(exponent + 1 - places);
  const word sign = x & SIGN;
  // Where it does not come to the top at exponent 1 the result is subnormal.
  const word finite = rounded(sign, exponent > 0 ? exponent : 1, top, false);
  const bool is_invalid = is_nan(x) || (subtracts && (y & MAGNITUDE) == INFINITE);
  return is_invalid ? NOT_A_NUMBER : field_x == SPECIAL ? x : added == 0 ? (subtracts ? 0 : sign) : finite;
}

FUNCTION(word, add, word a, word b) {
  return sum(a, b);
}

// The sign of a NaN does not matter: the result has none.
FUNCTION(word, subtract, word a, word b) {
  return sum(a, b ^ SIGN);
}

// ---- products

FUNCTION(word, multiply, word a, word b) {
  const word sign = (a ^ b) & SIGN;
  const bool swaps = (a & MAGNITUDE) < (b & MAGNITUDE);
  const word x = (swaps ? b : a) & MAGNITUDE, y = (swaps ? a : b) & MAGNITUDE;
  // Where both are subnormal the product is less than half of the smallest one.
  small exponent_y;
  const word fraction_y = taken_apart(y, &exponent_y) >> 11, fraction_x = (x & FRACTION) | ONE_BIT;
  // Of 106 bits or 105.
  const wide product = (wide)fraction_x * (wide)fraction_y;
  const word high = (word)(product >> 64) << 22 | (word)product >> 42;
  const bool is_high = high >> 63 != 0, rest = ((word)product & (((word)1 << 42) - 1)) != 0;
  const word top = (is_high ? high : high << 1) | rest;
  const small exponent = (small)(exponent_of(x) + exponent_y - BIAS + is_high);
  const bool is_tiny = exponent_of(x) == 0;
  const word finite = is_tiny ? sign : rounded(sign, exponent, top, true);
  const bool is_invalid = is_nan(x) || (x == INFINITE && y == 0);
  return is_invalid ? NOT_A_NUMBER : x == INFINITE ? sign | INFINITE : y == 0 ? sign : finite;
}

// ---- quotients and roots

enum { ROUNDS = 14, BITS_OF_A_ROUND = 4 };  // 56 bits: two more than are rounded to, and one where the first is 0

FUNCTION(word, divide, word a, word b) {
  const word sign = (a ^ b) & SIGN, x = a & MAGNITUDE, y = b & MAGNITUDE;
  small exponent_x, exponent_y;
  word rest = taken_apart(x, &exponent_x) >> 11, quotient = 0;
  const word divisor = taken_apart(y, &exponent_y) >> 11;
  ROLLED
  for (int i = 0; i < ROUNDS; i++) {
    UNROLLED
    for (int bit = 0; bit < BITS_OF_A_ROUND; bit++) {
      const word less = rest - divisor;
      const bool fits = less >> 63 == 0;
      quotient = quotient << 1 | fits;
      rest = (fits ? less : rest) << 1;
    }
  }
  const bool is_high = quotient >> 55 != 0;
  const word top = quotient << 8 | (rest != 0);
  const word finite =
      rounded(sign, (small)(exponent_x - exponent_y + BIAS - !is_high), is_high ? top : (top << 1 | (top & 1)), true);
  const bool is_invalid = is_nan(x) || is_nan(y) || (x == y && (x == 0 || x == INFINITE));
  return is_invalid                ? NOT_A_NUMBER
         : x == INFINITE || y == 0 ? sign | INFINITE
         : x == 0 || y == INFINITE ? sign
                                   : finite;
}

FUNCTION(word, root, word a) {
  small exponent;
  const word x = a & MAGNITUDE;
  const word top = taken_apart(x, &exponent);
  // The radicand is 1 to 4, with its point behind the second bit, so that its exponent is even.
  const bool is_odd = (exponent & 1) == 0;  // the bias is odd
  word radicand = is_odd ? top : top >> 1, rest = 0, root = 0;
  ROLLED
  for (int i = 0; i < ROUNDS; i++) {
    UNROLLED
    for (int bit = 0; bit < BITS_OF_A_ROUND; bit++) {
      const word trial = rest << 2 | radicand >> 62, less = trial - (root << 2 | 1);
      const bool fits = less >> 63 == 0;
      radicand <<= 2;
      root = root << 1 | fits;
      rest = fits ? less : trial;
    }
  }
  const small half = (small)(exponent - BIAS - is_odd) >> 1;
  const word finite = rounded(0, (small)(half + BIAS), root << 8 | (rest != 0), false);
  return x == 0 ? a : is_nan(x) || (a & SIGN) != 0 ? NOT_A_NUMBER : x == INFINITE ? a : finite;
}

// ---- a * b + c, rounded once

FUNCTION(word, fused, word a, word b, word c) {
  const word x = a & MAGNITUDE, y = b & MAGNITUDE, z = c & MAGNITUDE;
  const word sign_product = (a ^ b) & SIGN, sign_c = c & SIGN;
  small exponent_x, exponent_y, exponent_z;
  const word fraction_x = taken_apart(x, &exponent_x) >> 11, fraction_y = taken_apart(y, &exponent_y) >> 11;
  // Both in two words, with their leading ones at bit 125 or 124 of the pair; the product's low 20 bits are 0.
  const wide product = (wide)fraction_x * (wide)fraction_y;
  const word product_high = (word)(product >> 64) << 20 | (word)product >> 44, product_low = (word)product << 20;
  const small exponent_product = (small)(exponent_x + exponent_y - BIAS + 1);  // of bit 125
  word addend_high = taken_apart(z, &exponent_z) >> 2, addend_low = 0;
  exponent_z = z == 0 ? (small)-4096 : exponent_z;
  // The one with the larger exponent stays.
  const bool swaps = exponent_z > exponent_product;
  const word stays_high = swaps ? addend_high : product_high, stays_low = swaps ? addend_low : product_low;
  word moves_high = swaps ? product_high : addend_high, moves_low = swaps ? product_low : addend_low;
  small exponent = swaps ? exponent_z : exponent_product;
  const small apart = (small)(swaps ? exponent_z - exponent_product : exponent_product - exponent_z);
  const small places = apart > 127 ? 127 : apart;
  bool rest = false;
  UNROLLED
  for (int step = 64; step != 0; step >>= 1) {
    const bool moves = (places & (small)step) != 0;
    const word left = step == 64 ? moves_low : moves_low & (((word)1 << (step & 63)) - 1);
    rest = rest || (moves && left != 0);
    const word low = step == 64 ? moves_high : moves_low >> (step & 63) | moves_high << ((64 - step) & 63);
    const word high = step == 64 ? 0 : moves_high >> (step & 63);
    moves_low = moves ? low : moves_low;
    moves_high = moves ? high : moves_high;
  }
  moves_low |= rest;
  const bool subtracts = sign_product != sign_c;
  word low = stays_low + (subtracts ? ~moves_low : moves_low) + subtracts;
  const bool carries = subtracts ? stays_low >= moves_low : low < stays_low;
  word high = stays_high + (subtracts ? ~moves_high : moves_high) + carries;
  const bool is_negative = high >> 63 != 0;
  low = is_negative ? 0 - low : low;
  high = is_negative ? ~high + (low == 0) : high;
  const word sign = (swaps ? sign_c : sign_product) ^ (is_negative ? SIGN : 0);
  const bool is_nothing = (high | low) == 0;
  exponent = (small)(exponent + 2);  // that of bit 127
  small up_by = 0;
  UNROLLED
  for (int step = 64; step != 0; step >>= 1) {
    const bool moves = step == 64 ? high == 0 : high >> ((64 - step) & 63) == 0;
    const word up = step == 64 ? low : high << (step & 63) | low >> ((64 - step) & 63);
    low = moves ? (step == 64 ? 0 : low << (step & 63)) : low;
    high = moves ? up : high;
    up_by |= moves ? (small)step : 0;
  }
  const word finite = rounded(sign, (small)(exponent - up_by), high | (low != 0), true);
  const bool is_infinite = x == INFINITE || y == INFINITE;
  const bool is_invalid = is_nan(x) || is_nan(y) || is_nan(z) || (x == INFINITE && y == 0) ||
                          (y == INFINITE && x == 0) || (is_infinite && z == INFINITE && subtracts);
  return is_invalid         ? NOT_A_NUMBER
         : is_infinite      ? sign_product | INFINITE
         : z == INFINITE    ? c
         : x == 0 || y == 0 ? (z == 0 ? (subtracts ? 0 : sign_c) : c)
         : is_nothing       ? 0
                            : finite;
}

// ---- comparisons, minimum and maximum

// Bits of numbers as integers in the same order, where -0 is less than +0.
INLINE int64_t order(word x) {
  return (int64_t)((x & SIGN) != 0 ? x ^ MAGNITUDE : x);
}

FUNCTION(bool, unordered, word a, word b) {
  return is_nan(a) || is_nan(b);
}

FUNCTION(bool, equal, word a, word b) {
  return !is_nan(a) && !is_nan(b) && (a == b || ((a | b) & MAGNITUDE) == 0);
}

FUNCTION(bool, less, word a, word b) {
  return !is_nan(a) && !is_nan(b) && order(a) < order(b) && ((a | b) & MAGNITUDE) != 0;
}

INLINE word chosen(word a, word b, bool wants_less) {
  const word number = (order(a) < order(b)) == wants_less ? a : b;
  return is_nan(a) ? (is_nan(b) ? NOT_A_NUMBER : b) : is_nan(b) ? a : number;
}

FUNCTION(word, minimum, word a, word b) {
  return chosen(a, b, true);
}

FUNCTION(word, maximum, word a, word b) {
  return chosen(a, b, false);
}

// ---- whole numbers

enum rounding { NEAREST_EVEN, TOWARDS_ZERO, DOWNWARDS, UPWARDS, NEAREST_AWAY };

INLINE word whole(word x, enum rounding rounding) {
  const word sign = x & SIGN, magnitude = x & MAGNITUDE;
  const small behind = (small)(BIAS + 52 - exponent_of(x));  // bits behind the point
  const small kept = behind < 0 ? 0 : behind > 53 ? 53 : behind;
  const word weight = (word)1 << kept, mask = weight - 1, half = weight >> 1;
  // Below 1 there is no bit of the value in the number.
  const bool is_small = behind > 52;
  const word rest = is_small ? magnitude : magnitude & mask;
  const bool is_odd = !is_small && ((magnitude & weight) != 0) == (behind != 52);
  const word half_of_one = (word)(BIAS - 1) << 52, middle = is_small ? half_of_one : half;
  bool up = false;
  switch (rounding) {
    case NEAREST_EVEN:
      up = rest > middle || (rest == middle && (behind == 52 || is_odd));
      break;
    case NEAREST_AWAY:
      up = rest >= middle;
      break;
    case DOWNWARDS:
      up = rest != 0 && sign != 0;
      break;
    case UPWARDS:
      up = rest != 0 && sign == 0;
      break;
    case TOWARDS_ZERO:
      break;
  }
  const word cut = is_small ? 0 : magnitude & ~mask;
  const word one = (word)BIAS << 52;
  const word fraction = sign | (is_small ? (up ? one : 0) : cut + (up ? weight : 0));
  return is_nan(x) ? NOT_A_NUMBER : behind <= 0 ? x : fraction;
}

FUNCTION(word, floor, word x) {
  return whole(x, DOWNWARDS);
}

FUNCTION(word, ceil, word x) {
  return whole(x, UPWARDS);
}

FUNCTION(word, trunc, word x) {
  return whole(x, TOWARDS_ZERO);
}

FUNCTION(word, round, word x) {
  return whole(x, NEAREST_AWAY);
}

FUNCTION(word, roundeven, word x) {
  return whole(x, NEAREST_EVEN);
}

FUNCTION(word, ldexp, word x, int32_t n) {
  const word sign = x & SIGN, magnitude = x & MAGNITUDE;
  small exponent;
  const word top = taken_apart(magnitude, &exponent);
  const int most = 4 * BIAS;
  n = n > most ? most : n < -most ? -most : n;
  const word finite = rounded(sign, (small)(exponent + (small)n), top, true);
  return is_nan(x) ? NOT_A_NUMBER : magnitude == 0 || magnitude == INFINITE ? x : finite;
}

// ---- conversions

FUNCTION(word, of_ulong, uint64_t x) {
  small places;
  const word top = moved_up(x, &places);
  return x == 0 ? 0 : rounded(0, (small)(BIAS + 63 - places), top, false);
}

FUNCTION(word, of_long, int64_t x) {
  const bool is_negative = x < 0;
  small places;
  const word magnitude = is_negative ? 0 - (word)x : (word)x;
  const word top = moved_up(magnitude, &places);
  return x == 0 ? 0 : rounded(is_negative ? SIGN : 0, (small)(BIAS + 63 - places), top, false);
}

// Exact.
INLINE word of_magnitude(bool is_negative, uint32_t magnitude) {
  small places;
  const word top = moved_up((word)magnitude << 32, &places);
  const word sign = is_negative ? SIGN : 0;
  return magnitude == 0 ? 0 : sign | (((word)(BIAS + 30 - places) << 52) + (top >> 11));
}

FUNCTION(word, of_uint, uint32_t x) {
  return of_magnitude(false, x);
}

FUNCTION(word, of_int, int32_t x) {
  return of_magnitude(x < 0, x < 0 ? 0 - (uint32_t)x : (uint32_t)x);
}

// Towards zero. What is too large, and a NaN, becomes the largest or smallest by its sign.
INLINE word integer(word x, int bits, bool is_signed) {
  const small exponent = exponent_of(x);
  const bool is_negative = (x & SIGN) != 0;
  const word top = ((x & FRACTION) | ONE_BIT) << 11;
  const word magnitude = top >> ((BIAS + 63 - exponent) & 63);
  const word most = is_signed ? ((word)1 << (bits - 1)) - !is_negative : is_negative ? 0 : ~(word)0 >> (64 - bits);
  const bool is_too_large = is_signed ? exponent >= BIAS + bits - 1 : exponent >= BIAS + bits || is_negative;
  const word value = is_too_large ? most : magnitude;
  return exponent < BIAS ? 0 : is_signed && is_negative ? 0 - value : value;
}

FUNCTION(int32_t, to_int, word x) {
  return (int32_t)(uint32_t)integer(x, 32, true);
}

FUNCTION(uint32_t, to_uint, word x) {
  return (uint32_t)integer(x, 32, false);
}

FUNCTION(int64_t, to_long, word x) {
  return (int64_t)integer(x, 64, true);
}

FUNCTION(uint64_t, to_ulong, word x) {
  return integer(x, 64, false);
}

// A NaN keeps sign and payload, as libgcc has it.
FUNCTION(word, of_float, uint32_t x) {
  const word sign = (word)(x >> 31) << 63;
  const uint32_t field = x >> 23 & 0xFF, fraction = x & 0x7FFFFF;
  small places;
  const word top = moved_up((word)fraction << 40, &places);
  const word normal = (word)(field + BIAS - 127) << 52 | (word)fraction << 29;
  const word subnormal = ((word)(BIAS - 127 - places) << 52) + (top >> 11);
  const word special = INFINITE | (word)fraction << 29 | (fraction != 0 ? ONE_BIT >> 1 : 0);
  const word below_normal = fraction == 0 ? 0 : subnormal;
  return sign | (field == 0xFF ? special : field == 0 ? below_normal : normal);
}

// The same of a number with so many bits of exponent and fraction, at least 2 fewer than a double has.
INLINE uint32_t narrow(word x, int exponent_bits, int fraction_bits) {
  const int most = (1 << exponent_bits) - 1, bias = most >> 1;
  small exponent = (small)(exponent_of(x) - BIAS + bias);
  const uint32_t sign = (uint32_t)(x >> 63) << (exponent_bits + fraction_bits);
  word fraction = (x & FRACTION) | ONE_BIT;
  fraction = moved_down(fraction, exponent < 1 ? at_most_63((small)(1 - exponent)) : 0);
  exponent = exponent < 1 ? 1 : exponent;
  const int below = 52 - fraction_bits;
  const uint32_t kept = (uint32_t)(fraction >> below);
  const word half = (word)1 << (below - 1), rest = fraction & (2 * half - 1);
  const bool up = rest > half || (rest == half && (kept & 1) != 0);
  const uint32_t infinite = (uint32_t)most << fraction_bits;
  const uint32_t magnitude = ((uint32_t)(exponent - 1) << fraction_bits) + kept + up;
  return sign | (exponent >= most ? infinite : magnitude);
}

FUNCTION(uint32_t, to_float, word x) {
  const uint32_t sign = (uint32_t)(x >> 63) << 31;
  const uint32_t payload = (uint32_t)(x >> 29) & 0x7FFFFF;
  return is_nan(x) ? sign | 0x7FC00000u | payload : narrow(x, 8, 23);
}

FUNCTION(uint16_t, to_half, word x) {
  return (uint16_t)(is_nan(x) ? 0x7E00 : narrow(x, 5, 10));
}
