// SPDX-License-Identifier: Apache-2.0
// Rounding to whole numbers: floor, ceil, trunc, round, and to nearest even rint, nearbyint, roundeven. Of the type
// whose bits were included before.
#ifndef HEDDLE_HLS_RUNTIME_ROUNDING_H
#define HEDDLE_HLS_RUNTIME_ROUNDING_H

number MATHS(floor)(number x);
number MATHS(ceil)(number x);
number MATHS(trunc)(number x);
number MATHS(round)(number x);
number MATHS(rint)(number x);
number MATHS(nearbyint)(number x);
number MATHS(roundeven)(number x);

// Number of fraction bits behind the binary point: more than FRACTION_BITS for |x| < 1, 0 or less for whole numbers.
static inline int fraction_bits(word bits) {
  return EXPONENT_BIAS + FRACTION_BITS - (int)(bits >> FRACTION_BITS & ((1 << EXPONENT_BITS) - 1));
}

// Whole, infinite or NaN; a signalling NaN comes back quiet.
static inline number already_whole(word bits) {
  return number_of((bits & ~SIGN_BIT) > INFINITY_BITS ? QUIET_NAN_BITS : bits);
}

number MATHS(trunc)(number x) {
  word bits = bits_of(x);
  int count = fraction_bits(bits);
  if (count <= 0)
    return already_whole(bits);
  return number_of(count > FRACTION_BITS ? bits & SIGN_BIT : bits & ~(((word)1 << count) - 1));
}

// Cuts the fraction off and adds one to the magnitude of what is left if there was any on that side. Adding to the bits
// carries from the fraction into the exponent.
static inline number round_away_if(number x, word away_sign) {
  word bits = bits_of(x);
  int count = fraction_bits(bits);
  if (count <= 0)
    return already_whole(bits);
  word sign = bits & SIGN_BIT;
  if (count > FRACTION_BITS)
    return number_of((bits & ~SIGN_BIT) != 0 && sign == away_sign ? sign | ONE_BITS : sign);
  word mask = ((word)1 << count) - 1;
  if ((bits & mask) != 0 && sign == away_sign)
    bits += mask;
  return number_of(bits & ~mask);
}

number MATHS(floor)(number x) {
  return round_away_if(x, SIGN_BIT);
}

number MATHS(ceil)(number x) {
  return round_away_if(x, 0);
}

// Halves away from zero.
number MATHS(round)(number x) {
  word bits = bits_of(x);
  int count = fraction_bits(bits);
  if (count <= 0)
    return already_whole(bits);
  if (count > FRACTION_BITS) {
    int is_half_or_more = count == FRACTION_BITS + 1;
    return number_of((bits & SIGN_BIT) | (is_half_or_more ? ONE_BITS : 0));
  }
  bits += (word)1 << (count - 1);
  return number_of(bits & ~(((word)1 << count) - 1));
}

// Halves to the even neighbour.
number MATHS(rint)(number x) {
  word bits = bits_of(x);
  int count = fraction_bits(bits);
  if (count <= 0)
    return already_whole(bits);
  if (count > FRACTION_BITS) {
    word half = ONE_BITS - IMPLIED_ONE;
    return number_of((bits & SIGN_BIT) | ((bits & ~SIGN_BIT) > half ? ONE_BITS : 0));
  }
  // Of 1.x the last bit that stays is the lowest of the exponent, the bias: odd, like the whole number 1.
  word odd = bits >> count & 1;
  bits += ((word)1 << (count - 1)) - 1 + odd;
  return number_of(bits & ~(((word)1 << count) - 1));
}

number MATHS(nearbyint)(number x) {
  return MATHS(rint)(x);
}

number MATHS(roundeven)(number x) {
  return MATHS(rint)(x);
}

#endif
