// SPDX-License-Identifier: Apache-2.0
// Vector data load and store functions of a type: OpenCL C 3.0, section 6.15.7. The pointers are aligned for an element
// only.
#ifndef HEDDLE_HLS_LIB_VECTOR_MEMORY_H
#define HEDDLE_HLS_LIB_VECTOR_MEMORY_H

#include "hls/lib/vectors.h"

#define VECTOR_LOAD(n, T, space)                                  \
  T##n OVERLOAD vload##n(size_t offset, const space T *pointer) { \
    pointer += offset * n;                                        \
    T##n result;                                                  \
    for (int i = 0; i < n; i++) {                                 \
      result[i] = pointer[i];                                     \
    }                                                             \
    return result;                                                \
  }
#define VECTOR_STORE(n, T, space)                                       \
  void OVERLOAD vstore##n(T##n data, size_t offset, space T *pointer) { \
    pointer += offset * n;                                              \
    for (int i = 0; i < n; i++) {                                       \
      pointer[i] = data[i];                                             \
    }                                                                   \
  }
#define VECTOR_MEMORY(T)               \
  FOR_WIDTHS(VECTOR_LOAD, T, constant) \
  FOR_WIDTHS(VECTOR_LOAD, T, global)   \
  FOR_WIDTHS(VECTOR_LOAD, T, local)    \
  FOR_WIDTHS(VECTOR_LOAD, T, private)  \
  FOR_WIDTHS(VECTOR_LOAD, T, generic)  \
  FOR_WIDTHS(VECTOR_STORE, T, global)  \
  FOR_WIDTHS(VECTOR_STORE, T, local)   \
  FOR_WIDTHS(VECTOR_STORE, T, private) \
  FOR_WIDTHS(VECTOR_STORE, T, generic)

#endif
