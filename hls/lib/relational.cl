// SPDX-License-Identifier: Apache-2.0
// Relational functions: OpenCL C 3.0, section 6.15.6. Scalars give 1 for true, vector elements -1.
#include "hls/lib/vectors.h"

#define COMPARISON_N(n, name, expression)      \
  int##n OVERLOAD name(float##n a, float##n b) { \
    return expression;                         \
  }
#define COMPARISON(name, expression)      \
  int OVERLOAD name(float a, float b) {   \
    return expression;                    \
  }                                       \
  FOR_WIDTHS(COMPARISON_N, name, expression)
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
#define CLASS_N(n, name, expression)            \
  int##n OVERLOAD name(float##n x) {            \
    int##n bits = as_int##n(x);                 \
    int##n magnitude = bits & 0x7FFFFFFF;       \
    return expression;                          \
  }
#define CLASS(name, expression)                 \
  int OVERLOAD name(float x) {                  \
    int bits = as_int(x);                       \
    int magnitude = bits & 0x7FFFFFFF;          \
    return expression;                          \
  }                                             \
  FOR_WIDTHS(CLASS_N, name, expression)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-variable"
CLASS(isfinite, magnitude < 0x7F800000)
CLASS(isinf, magnitude == 0x7F800000)
CLASS(isnan, magnitude > 0x7F800000)
CLASS(isnormal, (magnitude >= 0x00800000) & (magnitude < 0x7F800000))
CLASS(signbit, bits < 0)
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

#define BITSELECT_FLOAT_N(n, unused)                                              \
  float##n OVERLOAD bitselect(float##n a, float##n b, float##n c) {               \
    return as_float##n(bitselect(as_int##n(a), as_int##n(b), as_int##n(c)));      \
  }
float OVERLOAD bitselect(float a, float b, float c) {
  return as_float(bitselect(as_int(a), as_int(b), as_int(c)));
}
FOR_WIDTHS(BITSELECT_FLOAT_N, )

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
