// SPDX-License-Identifier: Apache-2.0
// Maths functions that give a second result through a pointer, for pointers to the generic address space: libclc has
// them for the named ones only.
#include "hls/lib/vectors.h"

#define GENERIC(T, P, name)                            \
  T OVERLOAD name(T x, generic P *second) {            \
    P value;                                           \
    T result = name(x, (private P *)&value);           \
    *second = value;                                   \
    return result;                                     \
  }
#define GENERIC_ALL(T, P, name)                                                                       \
  GENERIC(T, P, name) GENERIC(T##2, P##2, name) GENERIC(T##3, P##3, name) GENERIC(T##4, P##4, name)   \
  GENERIC(T##8, P##8, name) GENERIC(T##16, P##16, name)

// The overloads for private pointers, which clang does not declare next to generic ones.
#define DECLARE(T, P, name) T OVERLOAD name(T x, private P *second);
#define DECLARE_ALL(T, P, name)                                                                       \
  DECLARE(T, P, name) DECLARE(T##2, P##2, name) DECLARE(T##3, P##3, name) DECLARE(T##4, P##4, name)   \
  DECLARE(T##8, P##8, name) DECLARE(T##16, P##16, name)

#define BOTH(T, P, name)     \
  DECLARE_ALL(T, P, name)    \
  GENERIC_ALL(T, P, name)
BOTH(float, int, frexp)
BOTH(float, int, lgamma_r)
BOTH(float, float, modf)
BOTH(float, float, sincos)
BOTH(double, int, frexp)
BOTH(double, int, lgamma_r)
BOTH(double, double, modf)
BOTH(double, double, sincos)
