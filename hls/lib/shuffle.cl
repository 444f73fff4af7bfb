// SPDX-License-Identifier: Apache-2.0
// shuffle and shuffle2: OpenCL C 3.0, section 6.15.13. Only the mask's low bits count, as many as name an element.
#include "hls/lib/vectors.h"

#define SHUFFLE(T, M, from, to)                                          \
  T##to OVERLOAD shuffle(T##from x, M##to mask) {                        \
    T##to result;                                                        \
    for (int i = 0; i < to; i++) {                                       \
      result[i] = x[mask[i] & (from - 1)];                               \
    }                                                                    \
    return result;                                                       \
  }                                                                      \
  T##to OVERLOAD shuffle2(T##from x, T##from y, M##to mask) {            \
    T##to result;                                                        \
    for (int i = 0; i < to; i++) {                                       \
      uint from_x_or_y = mask[i] & (2 * from - 1);                       \
      result[i] = from_x_or_y < from ? x[from_x_or_y] : y[from_x_or_y & (from - 1)]; \
    }                                                                    \
    return result;                                                       \
  }
#define FROM(T, M, from) SHUFFLE(T, M, from, 2) SHUFFLE(T, M, from, 4) SHUFFLE(T, M, from, 8) SHUFFLE(T, M, from, 16)
#define FOR_TYPE(T, M) FROM(T, M, 2) FROM(T, M, 4) FROM(T, M, 8) FROM(T, M, 16)
FOR_TYPE(char, uchar)
FOR_TYPE(uchar, uchar)
FOR_TYPE(short, ushort)
FOR_TYPE(ushort, ushort)
FOR_TYPE(int, uint)
FOR_TYPE(uint, uint)
FOR_TYPE(float, uint)
FOR_TYPE(half, ushort)
FOR_TYPE(long, ulong)
FOR_TYPE(ulong, ulong)
FOR_TYPE(double, ulong)
