// SPDX-License-Identifier: Apache-2.0
// Vector data load and store functions: OpenCL C 3.0, section 6.15.7. The pointers are aligned for an element only.
#include "hls/lib/vectors.h"

#define LOAD_N(n, T, space)                                              \
  T##n OVERLOAD vload##n(size_t offset, const space T *pointer) {        \
    pointer += offset * n;                                               \
    T##n result;                                                         \
    for (int i = 0; i < n; i++) {                                        \
      result[i] = pointer[i];                                            \
    }                                                                    \
    return result;                                                       \
  }
#define STORE_N(n, T, space)                                             \
  void OVERLOAD vstore##n(T##n data, size_t offset, space T *pointer) {  \
    pointer += offset * n;                                               \
    for (int i = 0; i < n; i++) {                                        \
      pointer[i] = data[i];                                              \
    }                                                                    \
  }
#define FOR_TYPE(T)                      \
  FOR_WIDTHS(LOAD_N, T, constant)        \
  FOR_WIDTHS(LOAD_N, T, global)          \
  FOR_WIDTHS(LOAD_N, T, local)           \
  FOR_WIDTHS(LOAD_N, T, private)         \
  FOR_WIDTHS(LOAD_N, T, generic)         \
  FOR_WIDTHS(STORE_N, T, global)         \
  FOR_WIDTHS(STORE_N, T, local)          \
  FOR_WIDTHS(STORE_N, T, private)        \
  FOR_WIDTHS(STORE_N, T, generic)
FOR_INTEGERS(FOR_TYPE)
FOR_TYPE(float)
FOR_TYPE(half)
FOR_TYPE(double)
