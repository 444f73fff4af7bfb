// SPDX-License-Identifier: Apache-2.0
// fma: a * b + c with one rounding, by integers of 128 bits.
#include "hls/lib/runtime/double_bits.h"

double RUNTIME(fma)(double a, double b, double c);

struct wide {
  uint64_t high, low;
};

static inline struct wide wide_product(uint64_t a, uint64_t b) {
  uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
  uint64_t low = a0 * b0, middle = a1 * b0 + (low >> 32);  // no carry: each product leaves room for a word
  uint64_t other = a0 * b1 + (uint32_t)middle;
  return (struct wide){a1 * b1 + (middle >> 32) + (other >> 32), other << 32 | (uint32_t)low};
}

// By 1 to 63.
static inline struct wide wide_shift_left(struct wide x, int count) {
  return (struct wide){x.high << count | x.low >> (64 - count), x.low << count};
}

// By more than 0. *sticky: whether anything but zeros is shifted out.
static inline struct wide wide_shift_right(struct wide x, int count, int *sticky) {
  if (count >= 128) {
    *sticky = (x.high | x.low) != 0;
    return (struct wide){0, 0};
  }
  if (count >= 64) {
    uint64_t out = count == 64 ? 0 : x.high << (128 - count);
    *sticky = (out | x.low) != 0;
    return (struct wide){0, x.high >> (count - 64)};
  }
  *sticky = x.low << (64 - count) != 0;
  return (struct wide){x.high >> count, x.high << (64 - count) | x.low >> count};
}

static inline struct wide wide_sum(struct wide a, struct wide b) {
  uint64_t low = a.low + b.low;
  return (struct wide){a.high + b.high + (low < a.low), low};
}

static inline struct wide wide_difference(struct wide a, struct wide b, int borrow) {
  uint64_t low = a.low - b.low - (uint64_t)borrow;
  int borrows = a.low < b.low || (a.low == b.low && borrow);
  return (struct wide){a.high - b.high - (uint64_t)borrows, low};
}

// x * 2^exponent, with x's bits behind the first 64 that count made sticky.
static double round_wide(uint64_t sign, struct wide x, int exponent, int sticky) {
  if (x.high == 0)
    return round_to_number(sign, x.low, exponent, sticky);
  int zeros = __builtin_clzll(x.high);
  if (zeros > 0)
    x = wide_shift_left(x, zeros);
  return round_to_number(sign, x.high, exponent - zeros + 64, sticky || x.low != 0);
}

double RUNTIME(fma)(double a, double b, double c) {
  uint64_t x = bits_of(a), y = bits_of(b), z = bits_of(c);
  uint64_t magnitude_x = x & ~SIGN_BIT, magnitude_y = y & ~SIGN_BIT, magnitude_z = z & ~SIGN_BIT;
  // Where one of them is infinite, NaN or zero, the product is exact or special, and so multiply and add do it.
  if (magnitude_x >= INFINITY_BITS || magnitude_y >= INFINITY_BITS || magnitude_z >= INFINITY_BITS ||
      magnitude_x == 0 || magnitude_y == 0) {
    // A finite product must not overflow on its way to an infinite or NaN c.
    return magnitude_x < INFINITY_BITS && magnitude_y < INFINITY_BITS && magnitude_z >= INFINITY_BITS ? c + c
                                                                                                      : a * b + c;
  }
  uint64_t sign = (x ^ y) & SIGN_BIT, sign_z = z & SIGN_BIT;
  if (magnitude_z == 0)
    return a * b;
  int exponent_x, exponent_y, exponent_z;
  uint64_t fraction_x = take_apart(magnitude_x, &exponent_x);
  uint64_t fraction_y = take_apart(magnitude_y, &exponent_y);
  struct wide product = wide_product(fraction_x, fraction_y);
  int exponent = exponent_x + exponent_y;

  // Both with bit 126 as their leading one, which leaves room for the sum's carry.
  int zeros = __builtin_clzll(product.high) - 1;
  product = wide_shift_left(product, zeros);
  exponent -= zeros;
  struct wide addend = {take_apart(magnitude_z, &exponent_z) << (62 - 52), 0};
  exponent_z -= 126 - 52;

  // The larger first.
  if (exponent_z > exponent || (exponent_z == exponent && (addend.high > product.high))) {
    struct wide fraction = product;
    product = addend;
    addend = fraction;
    int other = exponent;
    exponent = exponent_z;
    exponent_z = other;
    uint64_t other_sign = sign;
    sign = sign_z;
    sign_z = other_sign;
  }
  int shift = exponent - exponent_z, sticky = 0;
  if (shift > 0)
    addend = wide_shift_right(addend, shift, &sticky);
  if (sign == sign_z)
    return round_wide(sign, wide_sum(product, addend), exponent, sticky);
  struct wide difference = wide_difference(product, addend, sticky);  // what is cut off borrows from it, stays sticky
  // Equal magnitudes give +0.
  return (difference.high | difference.low) == 0 ? 0.0 : round_wide(sign, difference, exponent, sticky);
}
