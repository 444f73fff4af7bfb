// SPDX-License-Identifier: Apache-2.0
// Loads and stores of halves: OpenCL C 3.0, section 6.15.7. Programs keep halves in arrays of short; so this file is compiled
// without C's rules on aliasing (build.mk), for accesses that may be to memory of any type.
#include "hls/lib/double_bits.h"
#include "hls/lib/half_bits.h"
#include "hls/lib/vector_memory.h"

#define LOAD(space)                                                                \
  float OVERLOAD vload_half(size_t offset, const space half *pointer) {            \
    return pointer[offset];                 \
  }                                                                                \
  float OVERLOAD vloada_half(size_t offset, const space half *pointer) {           \
    return vload_half(offset, pointer);                                            \
  }                                                                                \
  FOR_WIDTHS(LOAD_N, space)
// A vloada_half3 reads from multiples of four.
#define LOAD_N(n, space)                                                                  \
  float##n OVERLOAD vload_half##n(size_t offset, const space half *pointer) {             \
    float##n result;                                                                      \
    for (int i = 0; i < n; i++) {                                                         \
      result[i] = pointer[offset * n + i];         \
    }                                                                                     \
    return result;                                                                        \
  }                                                                                       \
  float##n OVERLOAD vloada_half##n(size_t offset, const space half *pointer) {            \
    float##n result;                                                                      \
    for (int i = 0; i < n; i++) {                                                         \
      result[i] = pointer[offset * (n == 3 ? 4 : n) + i]; \
    }                                                                                     \
    return result;                                                                        \
  }
LOAD(constant)
LOAD(global)
LOAD(local)
LOAD(private)
LOAD(generic)

#define STORE(space) STORE_OF(float, space) STORE_OF(double, space)
#define STORE_OF(T, space)                     \
  STORE_MODE(T, space, , ROUND_TO_EVEN)        \
  STORE_MODE(T, space, _rte, ROUND_TO_EVEN)    \
  STORE_MODE(T, space, _rtz, ROUND_TO_ZERO)    \
  STORE_MODE(T, space, _rtp, ROUND_UP)         \
  STORE_MODE(T, space, _rtn, ROUND_DOWN)
#define STORE_MODE(T, space, suffix, mode)                                            \
  void OVERLOAD vstore_half##suffix(T data, size_t offset, space half *pointer) {     \
    pointer[offset] = half_of_##T(data, mode);                                        \
  }                                                                                   \
  void OVERLOAD vstorea_half##suffix(T data, size_t offset, space half *pointer) {    \
    vstore_half##suffix(data, offset, pointer);                                       \
  }                                                                                   \
  FOR_WIDTHS(STORE_N, T, space, suffix, mode)
#define STORE_N(n, T, space, suffix, mode)                                                    \
  void OVERLOAD vstore_half##n##suffix(T##n data, size_t offset, space half *pointer) {       \
    for (int i = 0; i < n; i++) {                                                             \
      pointer[offset * n + i] = half_of_##T(data[i], mode);                                   \
    }                                                                                         \
  }                                                                                           \
  void OVERLOAD vstorea_half##n##suffix(T##n data, size_t offset, space half *pointer) {      \
    for (int i = 0; i < n; i++) {                                                             \
      pointer[offset * (n == 3 ? 4 : n) + i] = half_of_##T(data[i], mode);                    \
    }                                                                                         \
  }
STORE(global)
STORE(local)
STORE(private)
STORE(generic)

VECTOR_MEMORY(half)
