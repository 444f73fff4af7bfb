// SPDX-License-Identifier: Apache-2.0
// Integer functions: OpenCL C 3.0, section 6.15.3.
#include "hls/lib/vectors.h"

// Type, its unsigned and signed companions, the type of twice its width (unsigned or signed as itself), bits, limits.
#define FOR_NARROW(what)                                                  \
  what(char, uchar, short, 8, CHAR_MIN, CHAR_MAX)                         \
  what(uchar, uchar, ushort, 8, 0, UCHAR_MAX)                             \
  what(short, ushort, int, 16, SHRT_MIN, SHRT_MAX)                        \
  what(ushort, ushort, uint, 16, 0, USHRT_MAX)                            \
  what(int, uint, long, 32, INT_MIN, INT_MAX)                             \
  what(uint, uint, ulong, 32, 0, UINT_MAX)
#define FOR_ALL(what)                                                     \
  FOR_NARROW(what)                                                        \
  what(long, ulong, long, 64, LONG_MIN, LONG_MAX)                         \
  what(ulong, ulong, ulong, 64, 0, ULONG_MAX)

// Functions whose scalar form is one expression for every type.
#define IS_SIGNED(T) ((T)-1 < (T)0)
#define PLAIN(T, U, W, BITS, LOW, HIGH)                                                       \
  T OVERLOAD min(T a, T b) {                                                                  \
    return b < a ? b : a;                                                                     \
  }                                                                                           \
  T OVERLOAD max(T a, T b) {                                                                  \
    return a < b ? b : a;                                                                     \
  }                                                                                           \
  T OVERLOAD clamp(T x, T low, T high) {                                                      \
    return min(max(x, low), high);                                                            \
  }                                                                                           \
  U OVERLOAD abs(T x) {                                                                       \
    return x < (T)0 ? (U)(0 - (U)x) : (U)x;                                                   \
  }                                                                                           \
  U OVERLOAD abs_diff(T a, T b) {                                                             \
    return a < b ? (U)((U)b - (U)a) : (U)((U)a - (U)b);                                       \
  }                                                                                           \
  /* Half the sum without its carry: the common bits, and half of those that differ. */       \
  T OVERLOAD hadd(T a, T b) {                                                                 \
    return (T)((a & b) + ((a ^ b) >> 1));                                                     \
  }                                                                                           \
  T OVERLOAD rhadd(T a, T b) {                                                                \
    return (T)((a | b) - ((a ^ b) >> 1));                                                     \
  }                                                                                           \
  T OVERLOAD rotate(T x, T count) {                                                           \
    uint left = (uint)count & (BITS - 1);                                                     \
    return (T)((U)((U)x << left) | (U)((U)x >> (-left & (BITS - 1))));                        \
  }                                                                                           \
  T OVERLOAD add_sat(T a, T b) {                                                              \
    T sum;                                                                                    \
    return __builtin_add_overflow(a, b, &sum) ? (IS_SIGNED(T) && b < (T)0 ? LOW : HIGH) : sum; \
  }                                                                                           \
  T OVERLOAD sub_sat(T a, T b) {                                                              \
    T difference;                                                                             \
    return __builtin_sub_overflow(a, b, &difference) ? (!IS_SIGNED(T) || a < (T)0 ? LOW : HIGH) : difference; \
  }                                                                                           \
  T OVERLOAD popcount(T x) {                                                                  \
    return (T)__builtin_popcountl((ulong)(U)x);                                              \
  }                                                                                           \
  T OVERLOAD ctz(T x) {                                                                       \
    return x == 0 ? (T)BITS : (T)__builtin_ctzl((ulong)(U)x);                                \
  }                                                                                           \
  T OVERLOAD clz(T x) {                                                                       \
    return x == 0 ? (T)BITS : (T)(__builtin_clzl((ulong)(U)x) - (64 - BITS));                \
  }
FOR_ALL(PLAIN)

#define MUL_HI(T, U, W, BITS, LOW, HIGH)   \
  T OVERLOAD mul_hi(T a, T b) {            \
    return (T)(((W)a * (W)b) >> BITS);     \
  }
FOR_NARROW(MUL_HI)

// Schoolbook with 32-bit digits.
ulong OVERLOAD mul_hi(ulong a, ulong b) {
  ulong low = (ulong)(uint)a * (uint)b;
  ulong cross1 = (a >> 32) * (uint)b + (low >> 32);
  ulong cross2 = (ulong)(uint)a * (b >> 32) + (uint)cross1;
  return (a >> 32) * (b >> 32) + (cross1 >> 32) + (cross2 >> 32);
}

// A negative factor is 2^64 too large when taken as unsigned.
long OVERLOAD mul_hi(long a, long b) {
  return (long)(mul_hi((ulong)a, (ulong)b) - (a < 0 ? (ulong)b : 0) - (b < 0 ? (ulong)a : 0));
}

#define MAD_HI(T)                        \
  T OVERLOAD mad_hi(T a, T b, T c) {     \
    return (T)(mul_hi(a, b) + c);        \
  }
FOR_INTEGERS(MAD_HI)

// 8 and 16 bits: everything fits a long. 32 bits: the product does, and the sum overflows only when it has.
#define MAD_SAT_NARROW(T, LOW, HIGH)                           \
  T OVERLOAD mad_sat(T a, T b, T c) {                          \
    return (T)clamp((long)a * b + c, (long)LOW, (long)HIGH);   \
  }
MAD_SAT_NARROW(char, CHAR_MIN, CHAR_MAX)
MAD_SAT_NARROW(uchar, 0, UCHAR_MAX)
MAD_SAT_NARROW(short, SHRT_MIN, SHRT_MAX)
MAD_SAT_NARROW(ushort, 0, USHRT_MAX)
MAD_SAT_NARROW(int, INT_MIN, INT_MAX)

uint OVERLOAD mad_sat(uint a, uint b, uint c) {
  ulong sum = (ulong)a * b + c;
  return sum > UINT_MAX ? UINT_MAX : (uint)sum;
}

ulong OVERLOAD mad_sat(ulong a, ulong b, ulong c) {
  return mul_hi(a, b) != 0 ? ULONG_MAX : add_sat(a * b, c);
}

// 128 bits: the product as high and low word, c sign-extended.
long OVERLOAD mad_sat(long a, long b, long c) {
  ulong product = (ulong)a * (ulong)b;
  ulong low = product + (ulong)c;
  long high = mul_hi(a, b) + (c >> 63) + (low < product ? 1 : 0);
  if (high == (long)low >> 63) {
    return (long)low;
  }
  return high < 0 ? LONG_MIN : LONG_MAX;
}

// The arguments are promised to fit 24 bits.
#define MULTIPLY_24(T)                      \
  T OVERLOAD mul24(T a, T b) {              \
    return a * b;                           \
  }                                         \
  T OVERLOAD mad24(T a, T b, T c) {         \
    return a * b + c;                       \
  }
MULTIPLY_24(int)
MULTIPLY_24(uint)

#define UPSAMPLE(R, H, L, BITS)                  \
  R OVERLOAD upsample(H high, L low) {           \
    return (R)((R)high << BITS | (R)low);        \
  }                                              \
  ELEMENTS_2(R, upsample, H, L)
UPSAMPLE(short, char, uchar, 8)
UPSAMPLE(ushort, uchar, uchar, 8)
UPSAMPLE(int, short, ushort, 16)
UPSAMPLE(uint, ushort, ushort, 16)
UPSAMPLE(long, int, uint, 32)
UPSAMPLE(ulong, uint, uint, 32)

#define VECTORS(T, U, W, BITS, LOW, HIGH) \
  ELEMENTS_2(T, min, T, T)                \
  ELEMENTS_2(T, max, T, T)                \
  ELEMENTS_2S(T, min, T, T)               \
  ELEMENTS_2S(T, max, T, T)               \
  ELEMENTS_3(T, clamp, T, T, T)           \
  ELEMENTS_3S(T, clamp, T, T, T)          \
  ELEMENTS_1(U, abs, T)                   \
  ELEMENTS_2(U, abs_diff, T, T)           \
  ELEMENTS_2(T, hadd, T, T)               \
  ELEMENTS_2(T, rhadd, T, T)              \
  ELEMENTS_2(T, rotate, T, T)             \
  ELEMENTS_2(T, add_sat, T, T)            \
  ELEMENTS_2(T, sub_sat, T, T)            \
  ELEMENTS_1(T, popcount, T)              \
  ELEMENTS_1(T, ctz, T)                   \
  ELEMENTS_1(T, clz, T)                   \
  ELEMENTS_2(T, mul_hi, T, T)             \
  ELEMENTS_3(T, mad_hi, T, T, T)          \
  ELEMENTS_3(T, mad_sat, T, T, T)
FOR_ALL(VECTORS)

#define VECTORS_24(T)          \
  ELEMENTS_2(T, mul24, T, T)   \
  ELEMENTS_3(T, mad24, T, T, T)
VECTORS_24(int)
VECTORS_24(uint)
