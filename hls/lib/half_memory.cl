// SPDX-License-Identifier: Apache-2.0
// vload_half and vstore_half: OpenCL C 3.0, section 6.15.7. Every device has them, with or without half arithmetic, so
// they work on bits.
#include "hls/lib/rounding.h"
#include "hls/lib/vectors.h"

static __attribute__((noinline)) float half_to_float(ushort half_bits) {
  uint sign = (uint)(half_bits & 0x8000) << 16;
  uint exponent = half_bits >> 10 & 0x1F;
  uint fraction = half_bits & 0x3FF;
  if (exponent == 0x1F) {
    // A signalling NaN becomes a quiet one.
    return as_float(sign | 0x7F800000 | fraction << 13 | (fraction != 0 ? 0x00400000 : 0));
  }
  if (exponent == 0) {
    // Subnormal: fraction * 2^-24, exact in float.
    return as_float(as_uint((float)fraction * 0x1p-24f) | sign);
  }
  return as_float(sign | (exponent + 127 - 15) << 23 | fraction << 13);
}

static __attribute__((noinline)) ushort float_to_half(float x, int mode) {
  uint bits = as_uint(x);
  ushort sign = (ushort)(bits >> 16 & 0x8000);
  uint magnitude = bits & 0x7FFFFFFF;
  if (magnitude > 0x7F800000) {
    return sign | 0x7E00 | (ushort)(magnitude >> 13 & 0x1FF);
  }
  if (magnitude == 0x7F800000) {
    return sign | 0x7C00;
  }
  // The result is value >> shift with the bits shifted out rounded. Below 2^-14, the smallest normal half, it is
  // subnormal: more bits go.
  uint value, shift;
  int exponent = (int)(magnitude >> 23);
  if (exponent >= 127 - 14) {
    value = magnitude - ((127 - 15) << 23);
    shift = 13;
  } else {
    value = exponent == 0 ? magnitude & 0x7FFFFF : (magnitude & 0x7FFFFF) | 0x800000;
    shift = 13 + (127 - 14) - (exponent == 0 ? 1 : exponent);
    shift = shift > 31 ? 31 : shift;
  }
  uint result = value >> shift;
  uint rest = value << (32 - shift);
  // Rounding up carries into the exponent, up to infinity, as the encoding is made for it.
  result += round_up(result & 1, rest >> 31, (rest << 1) != 0, sign != 0, mode);
  if (result >= 0x7C00) {
    // Too large: infinity, or the largest finite number when the mode rounds towards zero on this side.
    result = round_up(1, 1, 1, sign != 0, mode) ? 0x7C00 : 0x7BFF;
  }
  return sign | (ushort)result;
}

#define LOAD(space)                                                                \
  float OVERLOAD vload_half(size_t offset, const space half *pointer) {            \
    return half_to_float(((const space ushort *)pointer)[offset]);                 \
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
      result[i] = half_to_float(((const space ushort *)pointer)[offset * n + i]);         \
    }                                                                                     \
    return result;                                                                        \
  }                                                                                       \
  float##n OVERLOAD vloada_half##n(size_t offset, const space half *pointer) {            \
    float##n result;                                                                      \
    for (int i = 0; i < n; i++) {                                                         \
      result[i] = half_to_float(((const space ushort *)pointer)[offset * (n == 3 ? 4 : n) + i]); \
    }                                                                                     \
    return result;                                                                        \
  }
LOAD(constant)
LOAD(global)
LOAD(local)
LOAD(private)
LOAD(generic)

#define STORE(space)                        \
  STORE_MODE(space, , ROUND_TO_EVEN)        \
  STORE_MODE(space, _rte, ROUND_TO_EVEN)    \
  STORE_MODE(space, _rtz, ROUND_TO_ZERO)    \
  STORE_MODE(space, _rtp, ROUND_UP)         \
  STORE_MODE(space, _rtn, ROUND_DOWN)
#define STORE_MODE(space, suffix, mode)                                              \
  void OVERLOAD vstore_half##suffix(float data, size_t offset, space half *pointer) { \
    ((space ushort *)pointer)[offset] = float_to_half(data, mode);                   \
  }                                                                                  \
  void OVERLOAD vstorea_half##suffix(float data, size_t offset, space half *pointer) { \
    vstore_half##suffix(data, offset, pointer);                                      \
  }                                                                                  \
  FOR_WIDTHS(STORE_N, space, suffix, mode)
#define STORE_N(n, space, suffix, mode)                                                           \
  void OVERLOAD vstore_half##n##suffix(float##n data, size_t offset, space half *pointer) {       \
    for (int i = 0; i < n; i++) {                                                                 \
      ((space ushort *)pointer)[offset * n + i] = float_to_half(data[i], mode);                   \
    }                                                                                             \
  }                                                                                               \
  void OVERLOAD vstorea_half##n##suffix(float##n data, size_t offset, space half *pointer) {      \
    for (int i = 0; i < n; i++) {                                                                 \
      ((space ushort *)pointer)[offset * (n == 3 ? 4 : n) + i] = float_to_half(data[i], mode);    \
    }                                                                                             \
  }
STORE(global)
STORE(local)
STORE(private)
STORE(generic)
