// SPDX-License-Identifier: Apache-2.0
// Where functions of numbers are looked at: corners (special numbers, whole numbers, multiples of a quarter turn,
// powers of two, the ends of what functions can give, and their neighbours), in turn with dense points over all binades
// and over what programs use. The same on every machine. To be defined before: as for references.h.
#ifndef HEDDLE_TESTS_MATHS_POINTS_H
#define HEDDLE_TESTS_MATHS_POINTS_H

#include <math.h>
#include <stdint.h>
#include <string.h>

enum domain {
  ONE_NUMBER,  // x is any
  TWO_NUMBERS,
  THREE_NUMBERS,
  BOUNDED,   // all three within 100 of 0
  FRACTION,  // and z within 0 and 1
  TURNS,     // x within 2^16 of 0: the range of half_cos and its like
};

enum { CORNERS_MAX = 4096, FEW_CORNERS_MAX = 128, NUMBER_BITS = DIGITS == 24 ? 32 : 64 };

static number corners[CORNERS_MAX], few_corners[FEW_CORNERS_MAX];
static uint32_t corner_count, few_count;

static number number_of(uint64_t bits) {
  number x;
  if (NUMBER_BITS == 32) {
    const uint32_t word = (uint32_t)bits;
    memcpy(&x, &word, sizeof x);
  } else {
    memcpy(&x, &bits, sizeof x);
  }
  return x;
}

static void add_corner(number x) {
  corners[corner_count++] = x;
  corners[corner_count++] = -x;
  for (int side = 0; side < 2; side++) {
    number beside = x;
    for (int step = 0; step < 2; step++) {
      beside = NUMBER(nextafter)(beside, (number)(side == 0 ? -INFINITY : INFINITY));
      corners[corner_count++] = beside;
      corners[corner_count++] = -beside;
    }
  }
}

static void add_to_few(number x) {
  few_corners[few_count++] = x;
  few_corners[few_count++] = -x;
}

static void make_corners(void) {
  const number least = NUMBER(ldexp)(1, 3 - EXPONENT_MAX - DIGITS), normal = NUMBER(ldexp)(1, 2 - EXPONENT_MAX);
  const number most = NUMBER(nextafter)((number)INFINITY, 0), half_turn = (number)3.14159265358979323846L;
  const number always[] = {0, least, normal - least, normal, most, (number)INFINITY, (number)NAN, half_turn};
  for (int i = 0; i < (int)(sizeof always / sizeof *always); i++) {
    add_corner(always[i]);
    add_to_few(always[i]);
  }
  for (int i = 1; i <= 40; i++) {
    add_corner((number)i);
    add_corner((number)i - (number)0.5);
    add_corner((number)((real)half_turn / 2 * i));
  }
  for (int e = 3 - EXPONENT_MAX - DIGITS; e < EXPONENT_MAX; e += EXPONENT_MAX / 32)
    add_corner(NUMBER(ldexp)(1, e));
  for (int e = DIGITS - 3; e <= DIGITS + 8; e++)
    add_corner(NUMBER(ldexp)(1, e));  // whole numbers end, then odd ones
  // Where exp, exp2, exp10, sinh and tgamma overflow or vanish.
  const real ends[] = {EXPONENT_MAX, EXPONENT_MAX + DIGITS};
  for (int i = 0; i < 2; i++) {
    const real natural = ends[i] * (real)0.693147180559945309417L;
    add_corner((number)natural);
    add_corner((number)(natural + (real)0.693147180559945309417L));
    add_corner((number)ends[i]);
    add_corner((number)(ends[i] * (real)0.301029995663981195214L));
  }
  add_corner(DIGITS == 24 ? (number)35.0400939L : (number)171.624376956302725L);
  const number few[] = {1, (number)0.5, 2, 3, 4, (number)1.5, (number)2.5, (number)100, 7, normal * 2, most / 2};
  for (int i = 0; i < (int)(sizeof few / sizeof *few); i++)
    add_to_few(few[i]);
  for (int e = DIGITS - 2; e <= DIGITS + 1; e++) {
    add_to_few(NUMBER(ldexp)(1, e) - 1);
    add_to_few(NUMBER(ldexp)(1, e));
  }
  add_to_few(NUMBER(nextafter)(1, 2));
  add_to_few(NUMBER(nextafter)(1, 0));
  add_to_few((number)0x1p31);
  add_to_few((number)0x1p30);
}

// Bits that look random, of a point's place.
static uint64_t mixed(uint64_t x) {
  x = (x + 1) * 0x9E3779B97F4A7C15u;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
  x = (x ^ x >> 27) * 0x94D049BB133111EBu;
  return x ^ x >> 31;
}

static real within(real bound, uint64_t bits) {
  return (real)(int64_t)bits * (real)0x1p-63L * bound;
}

static number near_one(uint64_t bits, int binades) {
  const real size =
      REAL(ldexp)(1 + (real)(bits >> 11) * (real)0x1p-53L, (int)(bits % (2 * (uint64_t)binades)) - binades);
  return (number)(bits >> 10 & 1 ? -size : size);
}

// Of all numbers (equal steps through their bits), of those of everyday use, about 1, and up to the largest turns.
static number dense(enum domain domain, uint32_t kind, uint64_t place, int operand) {
  const uint64_t bits = mixed(place * 3 + (uint64_t)operand);
  if (domain == FRACTION && operand == 2)
    return (number)(within((real)0.5, bits) + (real)0.5);
  if (domain == BOUNDED || domain == FRACTION)
    return (number)within(kind == 0 ? 1 : 100, bits);
  if (domain == TURNS)
    return kind == 0 ? near_one(bits, 16) : (number)within(kind == 1 ? 65536 : kind == 2 ? 100 : 4, bits);
  switch (kind) {
    case 0:
      return domain == ONE_NUMBER ? number_of(place * (NUMBER_BITS == 32 ? 0x9E3779B1u : 0x9E3779B97F4A7C15u))
                                  : number_of(bits);
    case 1:
      return (number)within(100, bits);
    case 2:
      return near_one(bits, 5);
    default:
      return domain == ONE_NUMBER ? (number)within(8, bits)
             : operand == 0       ? near_one(bits, 20)
                                  : (number)within(30, bits);
  }
}

static void fill_corner(enum domain domain, uint64_t place, number *to[3]) {
  if (domain == ONE_NUMBER || domain == TURNS) {
    *to[0] = corners[place % corner_count];
    if (domain == TURNS && !(NUMBER(fabs)(*to[0]) <= 65536))
      *to[0] = 65536;
    *to[1] = *to[2] = 1;
  } else {
    *to[0] = few_corners[place % few_count];
    *to[1] = few_corners[place / few_count % few_count];
    *to[2] = few_corners[place / few_count / few_count % few_count];
  }
}

// Points `first` to `first + count` of a domain. Every other one is a corner until there are no more.
static void fill_points(enum domain domain, uint64_t first, uint32_t count, number *const in[3]) {
  enum { STRIDE = 7919 };  // a prime: few points are of all corners
  if (corner_count == 0)
    make_corners();
  const uint64_t few = few_count;
  const uint64_t all = domain == ONE_NUMBER || domain == TURNS ? corner_count
                       : domain == TWO_NUMBERS                 ? few * few
                       : domain == THREE_NUMBERS               ? few * few * few
                                                               : 0;
  for (uint32_t i = 0; i < count; i++) {
    const uint64_t place = (first + i) / 2;
    number *to[3] = {&in[0][i], &in[1][i], &in[2][i]};
    if ((first + i) % 2 == 0 && place < all) {
      fill_corner(domain, place * STRIDE % all, to);
      continue;
    }
    for (int operand = 0; operand < 3; operand++)
      *to[operand] = dense(domain, place % 4, first + i, operand);
  }
}

#endif
