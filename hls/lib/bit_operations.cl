// SPDX-License-Identifier: Apache-2.0
// cl_khr_extended_bit_ops. Where offset, count or their sum is more than the type has bits, the text leaves the result
// open: here it is some value.
#include "hls/lib/vectors.h"

// Type, its signed and unsigned companions, bits.
#define FOR_ALL(what)             \
  what(char, char, uchar, 8)      \
  what(uchar, char, uchar, 8)     \
  what(short, short, ushort, 16)  \
  what(ushort, short, ushort, 16) \
  what(int, int, uint, 32)        \
  what(uint, int, uint, 32)       \
  what(long, long, ulong, 64)     \
  what(ulong, long, ulong, 64)

// `count` ones at the low end. A shift by all of a type's bits is one by none, so that 0 needs a case of its own.
#define ONES(U, BITS, count) ((count) == 0 ? (U)0 : (U)((U)~(U)0 >> (BITS - (count))))

#define SCALARS(T, S, U, BITS)                                              \
  T OVERLOAD bitfield_insert(T base, T insert, uint offset, uint count) {   \
    const U mask = (U)(ONES(U, BITS, count) << offset);                     \
    return (T)(((U)base & (U)~mask) | ((U)((U)insert << offset) & mask));   \
  }                                                                         \
  /* To the upper end and back, which brings the sign. */                   \
  S OVERLOAD bitfield_extract_signed(T base, uint offset, uint count) {     \
    const S high = (S)(U)((U)base << ((BITS - offset - count) % BITS));     \
    return count == 0 ? (S)0 : (S)(high >> (BITS - count));                 \
  }                                                                         \
  U OVERLOAD bitfield_extract_unsigned(T base, uint offset, uint count) {   \
    return (U)((U)base >> (offset % BITS)) & ONES(U, BITS, count);          \
  }                                                                         \
  T OVERLOAD bit_reverse(T base) {                                          \
    return (T)__builtin_bitreverse##BITS((U)base);                          \
  }
FOR_ALL(SCALARS)

#define VECTORS_N(n, T, S, U)                                                          \
  T##n OVERLOAD bitfield_insert(T##n base, T##n insert, uint offset, uint count) {     \
    T##n result;                                                                       \
    for (int i = 0; i < n; i++) {                                                      \
      result[i] = bitfield_insert(base[i], insert[i], offset, count);                  \
    }                                                                                  \
    return result;                                                                     \
  }                                                                                    \
  S##n OVERLOAD bitfield_extract_signed(T##n base, uint offset, uint count) {          \
    S##n result;                                                                       \
    for (int i = 0; i < n; i++) {                                                      \
      result[i] = bitfield_extract_signed(base[i], offset, count);                     \
    }                                                                                  \
    return result;                                                                     \
  }                                                                                    \
  U##n OVERLOAD bitfield_extract_unsigned(T##n base, uint offset, uint count) {        \
    U##n result;                                                                       \
    for (int i = 0; i < n; i++) {                                                      \
      result[i] = bitfield_extract_unsigned(base[i], offset, count);                   \
    }                                                                                  \
    return result;                                                                     \
  }
#define VECTORS(T, S, U, BITS)   \
  FOR_WIDTHS(VECTORS_N, T, S, U) \
  ELEMENTS_1(T, bit_reverse, T)
FOR_ALL(VECTORS)
