// SPDX-License-Identifier: Apache-2.0
// Relational functions: OpenCL C 3.0, section 6.15.6. Scalars give 1 for true, vector elements -1.
#include "hls/lib/vectors.h"

#define COMPARISON_N(n, name, T, I, expression) \
  I##n OVERLOAD name(T##n a, T##n b) {          \
    return expression;                          \
  }
#define COMPARISON_OF(name, T, I, expression) \
  int OVERLOAD name(T a, T b) {               \
    return expression;                        \
  }                                           \
  FOR_WIDTHS(COMPARISON_N, name, T, I, expression)
#define COMPARISON(name, expression)            \
  COMPARISON_OF(name, float, int, expression)   \
  COMPARISON_OF(name, double, long, expression) \
  COMPARISON_OF(name, half, short, expression)
COMPARISON(isequal, a == b)
COMPARISON(isnotequal, a != b)
COMPARISON(isgreater, a > b)
COMPARISON(isgreaterequal, a >= b)
COMPARISON(isless, a < b)
COMPARISON(islessequal, a <= b)
COMPARISON(islessgreater, (a < b) | (a > b))
COMPARISON(isordered, (a == a) & (b == b))
COMPARISON(isunordered, (a != a) | (b != b))

// Classes of numbers, by their bits.
#define CLASS_N(n, name, T, I, expression)              \
  I##n OVERLOAD name(T##n x) {                          \
    I##n bits = as_##I##n(x);                           \
    I##n magnitude = bits & (I)(((ulong)SIGN_##T) - 1);  \
    const I infinity = INFINITY_##T;                    \
    const I smallest_normal = SMALLEST_NORMAL_##T;      \
    return expression;                                  \
  }
#define CLASS_OF(name, T, I, expression)                \
  int OVERLOAD name(T x) {                              \
    I bits = as_##I(x);                                 \
    I magnitude = bits & (I)(((ulong)SIGN_##T) - 1);     \
    const I infinity = INFINITY_##T;                    \
    const I smallest_normal = SMALLEST_NORMAL_##T;      \
    return expression;                                  \
  }                                                     \
  FOR_WIDTHS(CLASS_N, name, T, I, expression)
#define CLASS(name, expression)            \
  CLASS_OF(name, float, int, expression)   \
  CLASS_OF(name, double, long, expression) \
  CLASS_OF(name, half, short, expression)
#define SIGN_float 0x80000000
#define INFINITY_float 0x7F800000
#define SMALLEST_NORMAL_float 0x00800000
#define SIGN_double 0x8000000000000000
#define INFINITY_double 0x7FF0000000000000
#define SMALLEST_NORMAL_double 0x0010000000000000
#define SIGN_half 0x8000
#define INFINITY_half 0x7C00
#define SMALLEST_NORMAL_half 0x0400
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-variable"
CLASS(isfinite, magnitude < infinity)
CLASS(isinf, magnitude == infinity)
CLASS(isnan, magnitude > infinity)
CLASS(isnormal, (magnitude >= smallest_normal) & (magnitude < infinity))
CLASS(signbit, bits != magnitude)
#pragma clang diagnostic pop

#define ANY_ALL_N(n, T)                         \
  int OVERLOAD any(T##n x) {                    \
    T bits = x[0];                              \
    for (int i = 1; i < n; i++) {               \
      bits |= x[i];                             \
    }                                           \
    return bits < 0;                            \
  }                                             \
  int OVERLOAD all(T##n x) {                    \
    T bits = x[0];                              \
    for (int i = 1; i < n; i++) {               \
      bits &= x[i];                             \
    }                                           \
    return bits < 0;                            \
  }
#define ANY_ALL(T)              \
  int OVERLOAD any(T x) {       \
    return x < 0;               \
  }                             \
  int OVERLOAD all(T x) {       \
    return x < 0;               \
  }                             \
  FOR_WIDTHS(ANY_ALL_N, T)
FOR_SIGNED(ANY_ALL)

#define BITSELECT_N(n, T)                          \
  T##n OVERLOAD bitselect(T##n a, T##n b, T##n c) { \
    return (a & ~c) | (b & c);                     \
  }
#define BITSELECT(T)                      \
  T OVERLOAD bitselect(T a, T b, T c) {   \
    return (T)((a & ~c) | (b & c));       \
  }                                       \
  FOR_WIDTHS(BITSELECT_N, T)
FOR_INTEGERS(BITSELECT)

#define BITSELECT_BITS_N(n, T, I)                                          \
  T##n OVERLOAD bitselect(T##n a, T##n b, T##n c) {                        \
    return as_##T##n(bitselect(as_##I##n(a), as_##I##n(b), as_##I##n(c))); \
  }
#define BITSELECT_BITS(T, I)                                   \
  T OVERLOAD bitselect(T a, T b, T c) {                        \
    return as_##T(bitselect(as_##I(a), as_##I(b), as_##I(c))); \
  }                                                            \
  FOR_WIDTHS(BITSELECT_BITS_N, T, I)
BITSELECT_BITS(float, int)
BITSELECT_BITS(double, long)
BITSELECT_BITS(half, short)

// A scalar chooses by c != 0, a vector element by its most significant bit.
#define SELECT_N(n, T, C, S)                       \
  T##n OVERLOAD select(T##n a, T##n b, C##n c) {   \
    T##n result;                                   \
    for (int i = 0; i < n; i++) {                  \
      result[i] = (S)c[i] < 0 ? b[i] : a[i];       \
    }                                              \
    return result;                                 \
  }
#define SELECT(T, C, S)                   \
  T OVERLOAD select(T a, T b, C c) {      \
    return c != 0 ? b : a;                \
  }                                       \
  FOR_WIDTHS(SELECT_N, T, C, S)
#define SELECT_WIDTH(T, U)  \
  SELECT(T, T, T)           \
  SELECT(T, U, T)           \
  SELECT(U, T, T)           \
  SELECT(U, U, T)
SELECT_WIDTH(char, uchar)
SELECT_WIDTH(short, ushort)
SELECT_WIDTH(int, uint)
SELECT_WIDTH(long, ulong)
SELECT(float, int, int)
SELECT(float, uint, int)
SELECT(double, long, long)
SELECT(double, ulong, long)
SELECT(half, short, short)
SELECT(half, ushort, short)
