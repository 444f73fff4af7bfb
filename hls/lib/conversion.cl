// SPDX-License-Identifier: Apache-2.0
// Explicit conversions: OpenCL C 3.0, section 6.4.3. convert_DESTINATION[_sat][_ROUNDING] for integers, float, half
// and double.
#include "hls/lib/device.h"
#include "hls/lib/double_bits.h"
#include "hls/lib/half_bits.h"
#include "hls/lib/rounding.h"
#include "hls/lib/vectors.h"

// Integer to float, rounded by hand: the modes other than to nearest even, which is what a cast does.
static __attribute__((noinline)) float float_from_magnitude(ulong magnitude, bool is_negative, int mode) {
  if (magnitude == 0) {
    return 0.0f;
  }
  int zeros = (int)__builtin_clzl(magnitude);
  ulong aligned = magnitude << zeros;  // the leading one is bit 63
  uint mantissa = (uint)(aligned >> 40);
  uint half_bit = (uint)(aligned >> 39) & 1;
  bool below = (aligned << 25) != 0;
  // Exponent of the leading one, less one because the mantissa's leading one adds it; a carry goes into it.
  uint bits = ((uint)(127 + 63 - zeros - 1) << 23) + mantissa + round_up(mantissa & 1, half_bit, below, is_negative, mode);
  return as_float(bits | (is_negative ? 0x80000000u : 0));
}

#define IS_SIGNED(T) ((T)-1 < (T)0)

// Scalar kernels of the conversions; the mode is a constant in each.
#define INTEGER_TO_FLOAT(S)                                                                      \
  static inline float OVERLOAD to_float(S x, int mode) {                                         \
    if (mode == ROUND_TO_EVEN || sizeof(S) < 4) {                                                \
      return (float)x; /* 8 and 16 bits are exact */                                             \
    }                                                                                            \
    if (sizeof(S) == 4 && __heddle_has_float_unit) {                                             \
      return IS_SIGNED(S) ? BY_UNIT(float, FCVT_S_W, (int)x, mode)                             \
                          : BY_UNIT(float, FCVT_S_WU, (uint)x, mode);                          \
    }                                                                                            \
    bool is_negative = IS_SIGNED(S) && x < (S)0;                                                 \
    return float_from_magnitude(is_negative ? 0 - (ulong)x : (ulong)x, is_negative, mode);       \
  }
FOR_INTEGERS(INTEGER_TO_FLOAT)

static inline float OVERLOAD to_float(float x, int mode) {
  return x;
}

static inline float OVERLOAD to_float(half x, int mode) {
  return x;
}

static inline float OVERLOAD to_float(double x, int mode) {
  return float_of_double(x, mode);
}

// long and ulong, the only ones that double does not have all of, rounded by hand as above.
static __attribute__((noinline)) double double_from_magnitude(ulong magnitude, bool is_negative, int mode) {
  if (magnitude == 0) {
    return 0.0;
  }
  int zeros = (int)__builtin_clzl(magnitude);
  ulong aligned = magnitude << zeros;
  ulong mantissa = aligned >> 11;
  uint up = round_up((uint)mantissa & 1, (uint)(aligned >> 10) & 1, (aligned << 54) != 0, is_negative, mode);
  ulong bits = ((ulong)(1023 + 63 - zeros - 1) << 52) + mantissa + up;
  return as_double(bits | (is_negative ? 1ul << 63 : 0));
}

#define INTEGER_TO_DOUBLE(S)                                                                     \
  static inline double OVERLOAD to_double(S x, int mode) {                                       \
    if (mode == ROUND_TO_EVEN || sizeof(S) < 8) {                                                \
      return (double)x;                                                                          \
    }                                                                                            \
    bool is_negative = IS_SIGNED(S) && x < (S)0;                                                 \
    return double_from_magnitude(is_negative ? 0 - (ulong)x : (ulong)x, is_negative, mode);      \
  }
FOR_INTEGERS(INTEGER_TO_DOUBLE)

static inline double OVERLOAD to_double(float x, int mode) {
  return x;
}

static inline double OVERLOAD to_double(half x, int mode) {
  return x;
}

static inline double OVERLOAD to_double(double x, int mode) {
  return x;
}

// Integers that float rounds are beyond the largest half, on which side of 2^24 they come out makes no difference.
#define INTEGER_TO_HALF(S)                               \
  static inline half OVERLOAD to_half(S x, int mode) {   \
    return half_of_float(to_float(x, mode), mode);       \
  }
FOR_INTEGERS(INTEGER_TO_HALF)

static inline half OVERLOAD to_half(float x, int mode) {
  return half_of_float(x, mode);
}

static inline half OVERLOAD to_half(half x, int mode) {
  return x;
}

static inline half OVERLOAD to_half(double x, int mode) {
  return half_of_double(x, mode);
}

#define TO_WHOLE(T)                                   \
  static inline T OVERLOAD to_whole(T x, int mode) {  \
    switch (mode) {                                   \
      case ROUND_TO_EVEN:                             \
        return rint(x);                               \
      case ROUND_UP:                                  \
        return ceil(x);                               \
      case ROUND_DOWN:                                \
        return floor(x);                              \
      default:                                        \
        return x; /* a cast drops the fraction */     \
    }                                                 \
  }
TO_WHOLE(float)
TO_WHOLE(double)

// The float unit saturates, but makes the largest number of NaN.
static inline long to_32_bits_sat(float x, int mode, bool is_signed) {
  long result = is_signed ? (long)BY_UNIT(int, FCVT_W_S, x, mode) : (long)BY_UNIT(uint, FCVT_WU_S, x, mode);
  return x != x ? 0 : result;
}

// LIMIT is the first power of two above the type's range. NaN becomes 0 where conversions saturate.
#define FLOAT_TO_INTEGER(D, LOW, HIGH, LIMIT)                                  \
  static inline D OVERLOAD to_##D(float x, int mode) {                         \
    return (D)to_whole(x, mode);                                               \
  }                                                                            \
  static inline D OVERLOAD to_##D##_sat(float x, int mode) {                   \
    if (sizeof(D) <= 4 && __heddle_has_float_unit) {                           \
      long whole = to_32_bits_sat(x, mode, IS_SIGNED(D) || sizeof(D) < 4);     \
      return (D)min(max(whole, (long)LOW), (long)HIGH);                        \
    }                                                                          \
    x = to_whole(x, mode);                                                     \
    return x != x ? (D)0 : x >= LIMIT ? HIGH : x <= (float)LOW ? LOW : (D)x;   \
  }                                                                            \
  static inline D OVERLOAD to_##D(double x, int mode) {                        \
    return (D)to_whole(x, mode);                                               \
  }                                                                            \
  static inline D OVERLOAD to_##D##_sat(double x, int mode) {                  \
    x = to_whole(x, mode);                                                     \
    return x != x ? (D)0 : x >= LIMIT ? HIGH : x <= (double)LOW ? LOW : (D)x;  \
  }                                                                            \
  static inline D OVERLOAD to_##D(half x, int mode) {                          \
    return to_##D((float)x, mode);                                             \
  }                                                                            \
  static inline D OVERLOAD to_##D##_sat(half x, int mode) {                    \
    return to_##D##_sat((float)x, mode);                                       \
  }
#define FOR_DESTINATIONS(what)                                \
  what(char, CHAR_MIN, CHAR_MAX, 0x1p7f)                      \
  what(uchar, 0, UCHAR_MAX, 0x1p8f)                           \
  what(short, SHRT_MIN, SHRT_MAX, 0x1p15f)                    \
  what(ushort, 0, USHRT_MAX, 0x1p16f)                         \
  what(int, INT_MIN, INT_MAX, 0x1p31f)                        \
  what(uint, 0, UINT_MAX, 0x1p32f)                            \
  what(long, LONG_MIN, LONG_MAX, 0x1p63f)                     \
  what(ulong, 0, ULONG_MAX, 0x1p64f)
FOR_DESTINATIONS(FLOAT_TO_INTEGER)

// A source below LOW can only be a negative number; one above HIGH only a positive one.
#define INTEGER_TO_INTEGER_FROM(S, D, LOW, HIGH)                                            \
  static inline D OVERLOAD to_##D(S x, int mode) {                                          \
    return (D)x;                                                                            \
  }                                                                                         \
  static inline D OVERLOAD to_##D##_sat(S x, int mode) {                                    \
    if (IS_SIGNED(S) && x < (S)0) {                                                         \
      return !IS_SIGNED(D) ? (D)0 : (long)x < (long)LOW ? LOW : (D)x;                       \
    }                                                                                       \
    return (ulong)x > (ulong)HIGH ? HIGH : (D)x;                                            \
  }
#define INTEGER_TO_INTEGER(D, LOW, HIGH, LIMIT)      \
  INTEGER_TO_INTEGER_FROM(char, D, LOW, HIGH)        \
  INTEGER_TO_INTEGER_FROM(uchar, D, LOW, HIGH)       \
  INTEGER_TO_INTEGER_FROM(short, D, LOW, HIGH)       \
  INTEGER_TO_INTEGER_FROM(ushort, D, LOW, HIGH)      \
  INTEGER_TO_INTEGER_FROM(int, D, LOW, HIGH)         \
  INTEGER_TO_INTEGER_FROM(uint, D, LOW, HIGH)        \
  INTEGER_TO_INTEGER_FROM(long, D, LOW, HIGH)        \
  INTEGER_TO_INTEGER_FROM(ulong, D, LOW, HIGH)
FOR_DESTINATIONS(INTEGER_TO_INTEGER)

#define CONVERT_N(n, D, S, sat, suffix, mode)               \
  D##n OVERLOAD convert_##D##n##sat##suffix(S##n x) {       \
    D##n result;                                            \
    for (int i = 0; i < n; i++) {                           \
      result[i] = to_##D##sat(x[i], mode);                  \
    }                                                       \
    return result;                                          \
  }
#define CONVERT(D, S, sat, suffix, mode)          \
  D OVERLOAD convert_##D##sat##suffix(S x) {      \
    return to_##D##sat(x, mode);                  \
  }                                               \
  FOR_WIDTHS(CONVERT_N, D, S, sat, suffix, mode)
// Without a suffix: to integers towards zero, to float, half and double to nearest even.
#define MODES(D, S, sat, otherwise)            \
  CONVERT(D, S, sat, , otherwise)              \
  CONVERT(D, S, sat, _rte, ROUND_TO_EVEN)      \
  CONVERT(D, S, sat, _rtz, ROUND_TO_ZERO)      \
  CONVERT(D, S, sat, _rtp, ROUND_UP)           \
  CONVERT(D, S, sat, _rtn, ROUND_DOWN)
#define TO_INTEGER(D, S)              \
  MODES(D, S, , ROUND_TO_ZERO)        \
  MODES(D, S, _sat, ROUND_TO_ZERO)
#define FROM(S)                       \
  TO_INTEGER(char, S)                 \
  TO_INTEGER(uchar, S)                \
  TO_INTEGER(short, S)                \
  TO_INTEGER(ushort, S)               \
  TO_INTEGER(int, S)                  \
  TO_INTEGER(uint, S)                 \
  TO_INTEGER(long, S)                 \
  TO_INTEGER(ulong, S)                \
  MODES(float, S, , ROUND_TO_EVEN)    \
  MODES(half, S, , ROUND_TO_EVEN)     \
  MODES(double, S, , ROUND_TO_EVEN)
FOR_INTEGERS(FROM)
FROM(float)
FROM(half)
FROM(double)
