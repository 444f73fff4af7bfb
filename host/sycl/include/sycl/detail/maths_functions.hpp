// SPDX-License-Identifier: Apache-2.0
// sycl::detail::maths: mathematical functions of each type of number that the device has. In the device pass OpenCL C's
// built-in functions are declared, for the host they are made of the C library's and of wider integers.
#ifndef HEDDLE_SYCL_DETAIL_MATHS_FUNCTIONS_HPP
#define HEDDLE_SYCL_DETAIL_MATHS_FUNCTIONS_HPP

#include "../functional.hpp"
#include "defines.hpp"

namespace sycl::detail {

#ifdef __SYCL_DEVICE_ONLY__

// A function of one to three numbers; `count` is the length of its name.
#define HEDDLE_MATHS_1(count, name)                                   \
  float name(float) __asm__("__heddle_builtin_Z" #count #name "f");   \
  double name(double) __asm__("__heddle_builtin_Z" #count #name "d"); \
  half name(half) __asm__("__heddle_builtin_Z" #count #name "Dh");
#define HEDDLE_MATHS_2(count, name)                                            \
  float name(float, float) __asm__("__heddle_builtin_Z" #count #name "ff");    \
  double name(double, double) __asm__("__heddle_builtin_Z" #count #name "dd"); \
  half name(half, half) __asm__("__heddle_builtin_Z" #count #name "DhDh");
#define HEDDLE_MATHS_3(count, name)                                                     \
  float name(float, float, float) __asm__("__heddle_builtin_Z" #count #name "fff");     \
  double name(double, double, double) __asm__("__heddle_builtin_Z" #count #name "ddd"); \
  half name(half, half, half) __asm__("__heddle_builtin_Z" #count #name "DhDhDh");
#define HEDDLE_MATHS_INT(count, name)                                       \
  float name(float, int) __asm__("__heddle_builtin_Z" #count #name "fi");   \
  double name(double, int) __asm__("__heddle_builtin_Z" #count #name "di"); \
  half name(half, int) __asm__("__heddle_builtin_Z" #count #name "Dhi");
#define HEDDLE_NATIVE_1(count, name) float name(float) __asm__("__heddle_builtin_Z" #count #name "f");
#define HEDDLE_NATIVE_2(count, name) float name(float, float) __asm__("__heddle_builtin_Z" #count #name "ff");
#define HEDDLE_FOR_INTEGERS(what, count, name, letters)                                                \
  what(count, name, std::int8_t, letters("c")) what(count, name, std::uint8_t, letters("h"))           \
      what(count, name, std::int16_t, letters("s")) what(count, name, std::uint16_t, letters("t"))     \
          what(count, name, std::int32_t, letters("i")) what(count, name, std::uint32_t, letters("j")) \
              what(count, name, long, letters("l")) what(count, name, unsigned long, letters("m"))
#define HEDDLE_ONCE(letter) letter
#define HEDDLE_TWICE(letter) letter letter
#define HEDDLE_THRICE(letter) letter letter letter
#define HEDDLE_DECLARE_1(count, name, type, letters) type name(type) __asm__("__heddle_builtin_Z" #count #name letters);
#define HEDDLE_DECLARE_2(count, name, type, letters) \
  type name(type, type) __asm__("__heddle_builtin_Z" #count #name letters);
#define HEDDLE_DECLARE_3(count, name, type, letters) \
  type name(type, type, type) __asm__("__heddle_builtin_Z" #count #name letters);
#define HEDDLE_INTEGER_1(count, name) HEDDLE_FOR_INTEGERS(HEDDLE_DECLARE_1, count, name, HEDDLE_ONCE)
#define HEDDLE_INTEGER_2(count, name) HEDDLE_FOR_INTEGERS(HEDDLE_DECLARE_2, count, name, HEDDLE_TWICE)
#define HEDDLE_INTEGER_3(count, name) HEDDLE_FOR_INTEGERS(HEDDLE_DECLARE_3, count, name, HEDDLE_THRICE)

namespace maths {
HEDDLE_MATHS_1(4, acos)
HEDDLE_MATHS_1(5, acosh)
HEDDLE_MATHS_1(6, acospi)
HEDDLE_MATHS_1(4, asin)
HEDDLE_MATHS_1(5, asinh)
HEDDLE_MATHS_1(6, asinpi)
HEDDLE_MATHS_1(4, atan)
HEDDLE_MATHS_1(5, atanh)
HEDDLE_MATHS_1(6, atanpi)
HEDDLE_MATHS_1(4, cbrt)
HEDDLE_MATHS_1(4, ceil)
HEDDLE_MATHS_1(3, cos)
HEDDLE_MATHS_1(4, cosh)
HEDDLE_MATHS_1(5, cospi)
HEDDLE_MATHS_1(3, erf)
HEDDLE_MATHS_1(4, erfc)
HEDDLE_MATHS_1(3, exp)
HEDDLE_MATHS_1(4, exp2)
HEDDLE_MATHS_1(5, exp10)
HEDDLE_MATHS_1(5, expm1)
HEDDLE_MATHS_1(4, fabs)
HEDDLE_MATHS_1(5, floor)
HEDDLE_MATHS_1(6, lgamma)
HEDDLE_MATHS_1(3, log)
HEDDLE_MATHS_1(4, log2)
HEDDLE_MATHS_1(5, log10)
HEDDLE_MATHS_1(5, log1p)
HEDDLE_MATHS_1(4, logb)
HEDDLE_MATHS_1(4, rint)
HEDDLE_MATHS_1(5, round)
HEDDLE_MATHS_1(5, rsqrt)
HEDDLE_MATHS_1(3, sin)
HEDDLE_MATHS_1(4, sinh)
HEDDLE_MATHS_1(5, sinpi)
HEDDLE_MATHS_1(4, sqrt)
HEDDLE_MATHS_1(3, tan)
HEDDLE_MATHS_1(4, tanh)
HEDDLE_MATHS_1(5, tanpi)
HEDDLE_MATHS_1(6, tgamma)
HEDDLE_MATHS_1(5, trunc)
HEDDLE_MATHS_1(7, degrees)
HEDDLE_MATHS_1(7, radians)
HEDDLE_MATHS_1(4, sign)
HEDDLE_MATHS_2(5, atan2)
HEDDLE_MATHS_2(7, atan2pi)
HEDDLE_MATHS_2(8, copysign)
HEDDLE_MATHS_2(4, fdim)
HEDDLE_MATHS_2(4, fmax)
HEDDLE_MATHS_2(4, fmin)
HEDDLE_MATHS_2(4, fmod)
HEDDLE_MATHS_2(5, hypot)
HEDDLE_MATHS_2(6, maxmag)
HEDDLE_MATHS_2(6, minmag)
HEDDLE_MATHS_2(9, nextafter)
HEDDLE_MATHS_2(3, pow)
HEDDLE_MATHS_2(4, powr)
HEDDLE_MATHS_2(9, remainder)
HEDDLE_MATHS_2(4, step)
HEDDLE_MATHS_3(3, fma)
HEDDLE_MATHS_3(3, mad)
HEDDLE_MATHS_3(3, mix)
HEDDLE_MATHS_3(10, smoothstep)
HEDDLE_MATHS_INT(5, ldexp)
HEDDLE_MATHS_INT(4, pown)
HEDDLE_MATHS_INT(5, rootn)
HEDDLE_NATIVE_1(10, native_cos)
HEDDLE_NATIVE_1(10, native_exp)
HEDDLE_NATIVE_1(11, native_exp2)
HEDDLE_NATIVE_1(12, native_exp10)
HEDDLE_NATIVE_1(10, native_log)
HEDDLE_NATIVE_1(11, native_log2)
HEDDLE_NATIVE_1(12, native_log10)
HEDDLE_NATIVE_1(12, native_recip)
HEDDLE_NATIVE_1(12, native_rsqrt)
HEDDLE_NATIVE_1(10, native_sin)
HEDDLE_NATIVE_1(11, native_sqrt)
HEDDLE_NATIVE_1(10, native_tan)
HEDDLE_NATIVE_2(13, native_divide)
HEDDLE_NATIVE_2(11, native_powr)
HEDDLE_NATIVE_1(8, half_cos)
HEDDLE_NATIVE_1(8, half_exp)
HEDDLE_NATIVE_1(9, half_exp2)
HEDDLE_NATIVE_1(10, half_exp10)
HEDDLE_NATIVE_1(8, half_log)
HEDDLE_NATIVE_1(9, half_log2)
HEDDLE_NATIVE_1(10, half_log10)
HEDDLE_NATIVE_1(10, half_recip)
HEDDLE_NATIVE_1(10, half_rsqrt)
HEDDLE_NATIVE_1(8, half_sin)
HEDDLE_NATIVE_1(9, half_sqrt)
HEDDLE_NATIVE_1(8, half_tan)
HEDDLE_NATIVE_2(11, half_divide)
HEDDLE_NATIVE_2(9, half_powr)
// With a second result behind a pointer.
#define HEDDLE_RESULT(count, name)                                                     \
  float name(float, float *) __asm__("__heddle_builtin_Z" #count #name "fPU3AS4f");    \
  double name(double, double *) __asm__("__heddle_builtin_Z" #count #name "dPU3AS4d"); \
  half name(half, half *) __asm__("__heddle_builtin_Z" #count #name "DhPU3AS4Dh");
#define HEDDLE_INT_RESULT(count, name)                                              \
  float name(float, int *) __asm__("__heddle_builtin_Z" #count #name "fPU3AS4i");   \
  double name(double, int *) __asm__("__heddle_builtin_Z" #count #name "dPU3AS4i"); \
  half name(half, int *) __asm__("__heddle_builtin_Z" #count #name "DhPU3AS4i");
HEDDLE_RESULT(5, fract)
HEDDLE_RESULT(4, modf)
HEDDLE_RESULT(6, sincos)
HEDDLE_INT_RESULT(5, frexp)
HEDDLE_INT_RESULT(8, lgamma_r)
#undef HEDDLE_RESULT
#undef HEDDLE_INT_RESULT
float remquo(float, float, int *) __asm__("__heddle_builtin_Z6remquoffPU3AS4i");
double remquo(double, double, int *) __asm__("__heddle_builtin_Z6remquoddPU3AS4i");
half remquo(half, half, int *) __asm__("__heddle_builtin_Z6remquoDhDhPU3AS4i");
int ilogb(float) __asm__("__heddle_builtin_Z5ilogbf");
int ilogb(double) __asm__("__heddle_builtin_Z5ilogbd");
int ilogb(half) __asm__("__heddle_builtin_Z5ilogbDh");
HEDDLE_INTEGER_1(3, clz)
HEDDLE_INTEGER_1(3, ctz)
HEDDLE_INTEGER_1(8, popcount)
HEDDLE_INTEGER_2(7, add_sat)
HEDDLE_INTEGER_2(4, hadd)
HEDDLE_INTEGER_2(6, mul_hi)
HEDDLE_INTEGER_2(5, rhadd)
HEDDLE_INTEGER_2(6, rotate)
HEDDLE_INTEGER_2(7, sub_sat)
HEDDLE_INTEGER_3(6, mad_hi)
HEDDLE_INTEGER_3(7, mad_sat)
}  // namespace maths
#undef HEDDLE_MATHS_1
#undef HEDDLE_MATHS_2
#undef HEDDLE_MATHS_3
#undef HEDDLE_MATHS_INT
#undef HEDDLE_NATIVE_1
#undef HEDDLE_NATIVE_2
#undef HEDDLE_FOR_INTEGERS
#undef HEDDLE_ONCE
#undef HEDDLE_TWICE
#undef HEDDLE_THRICE
#undef HEDDLE_DECLARE_1
#undef HEDDLE_DECLARE_2
#undef HEDDLE_DECLARE_3
#undef HEDDLE_INTEGER_1
#undef HEDDLE_INTEGER_2
#undef HEDDLE_INTEGER_3
#else

namespace maths {

constexpr double pi = 3.14159265358979323846;

// Of half in float, which is exact enough.
#define HEDDLE_MATHS_1(name)                                              \
  inline float name(float x) {                                            \
    return __builtin_##name##f(x);                                        \
  }                                                                       \
  inline double name(double x) {                                          \
    return __builtin_##name(x);                                           \
  }                                                                       \
  inline half name(half x) {                                              \
    return static_cast<half>(__builtin_##name##f(static_cast<float>(x))); \
  }
#define HEDDLE_MATHS_2(name)                                                                     \
  inline float name(float x, float y) {                                                          \
    return __builtin_##name##f(x, y);                                                            \
  }                                                                                              \
  inline double name(double x, double y) {                                                       \
    return __builtin_##name(x, y);                                                               \
  }                                                                                              \
  inline half name(half x, half y) {                                                             \
    return static_cast<half>(__builtin_##name##f(static_cast<float>(x), static_cast<float>(y))); \
  }
HEDDLE_MATHS_1(acos)
HEDDLE_MATHS_1(acosh)
HEDDLE_MATHS_1(asin)
HEDDLE_MATHS_1(asinh)
HEDDLE_MATHS_1(atan)
HEDDLE_MATHS_1(atanh)
HEDDLE_MATHS_1(cbrt)
HEDDLE_MATHS_1(ceil)
HEDDLE_MATHS_1(cos)
HEDDLE_MATHS_1(cosh)
HEDDLE_MATHS_1(erf)
HEDDLE_MATHS_1(erfc)
HEDDLE_MATHS_1(exp)
HEDDLE_MATHS_1(exp2)
HEDDLE_MATHS_1(expm1)
HEDDLE_MATHS_1(fabs)
HEDDLE_MATHS_1(floor)
HEDDLE_MATHS_1(lgamma)
HEDDLE_MATHS_1(log)
HEDDLE_MATHS_1(log2)
HEDDLE_MATHS_1(log10)
HEDDLE_MATHS_1(log1p)
HEDDLE_MATHS_1(logb)
HEDDLE_MATHS_1(rint)
HEDDLE_MATHS_1(round)
HEDDLE_MATHS_1(sin)
HEDDLE_MATHS_1(sinh)
HEDDLE_MATHS_1(sqrt)
HEDDLE_MATHS_1(tan)
HEDDLE_MATHS_1(tanh)
HEDDLE_MATHS_1(tgamma)
HEDDLE_MATHS_1(trunc)
HEDDLE_MATHS_2(atan2)
HEDDLE_MATHS_2(copysign)
HEDDLE_MATHS_2(fdim)
HEDDLE_MATHS_2(fmax)
HEDDLE_MATHS_2(fmin)
HEDDLE_MATHS_2(fmod)
HEDDLE_MATHS_2(hypot)
HEDDLE_MATHS_2(nextafter)
HEDDLE_MATHS_2(pow)
HEDDLE_MATHS_2(remainder)
#undef HEDDLE_MATHS_1
#undef HEDDLE_MATHS_2
inline float fma(float x, float y, float z) {
  return __builtin_fmaf(x, y, z);
}
inline double fma(double x, double y, double z) {
  return __builtin_fma(x, y, z);
}
inline half fma(half x, half y, half z) {
  return static_cast<half>(__builtin_fma(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)));
}
// Exact where they are 0.
inline long double sine_of_pi_times(long double x) {
  const long double part = __builtin_remainderl(x, 2);
  return part == 0 || __builtin_fabsl(part) == 1 ? 0 * x : __builtin_sinl(part * 3.14159265358979323846L);
}
inline long double cosine_of_pi_times(long double x) {
  const long double part = __builtin_remainderl(x, 2);
  return __builtin_fabsl(part) == 0.5L ? 0 : __builtin_cosl(part * 3.14159265358979323846L);
}
// What the C library has not.
#define HEDDLE_OWN_1(name, ...)         \
  template <typename T>                 \
  T name(T x) {                         \
    return static_cast<T>(__VA_ARGS__); \
  }
#define HEDDLE_OWN_2(name, ...)         \
  template <typename T>                 \
  T name(T x, T y) {                    \
    return static_cast<T>(__VA_ARGS__); \
  }
#define HEDDLE_OWN_3(name, ...)         \
  template <typename T>                 \
  T name(T x, T y, T z) {               \
    return static_cast<T>(__VA_ARGS__); \
  }
HEDDLE_OWN_1(exp10, pow(T(10), x))
HEDDLE_OWN_1(acospi, acos(x) / T(pi))
HEDDLE_OWN_1(asinpi, asin(x) / T(pi))
HEDDLE_OWN_1(atanpi, atan(x) / T(pi))
HEDDLE_OWN_1(cospi, cosine_of_pi_times(x))
HEDDLE_OWN_1(rsqrt, 1 / sqrt(x))
HEDDLE_OWN_1(sinpi, sine_of_pi_times(x))
HEDDLE_OWN_1(tanpi, sine_of_pi_times(x) / cosine_of_pi_times(x))
HEDDLE_OWN_1(degrees, x *T(180 / pi))
HEDDLE_OWN_1(radians, x *T(pi / 180))
HEDDLE_OWN_1(sign, x > 0 ? T(1) : x < 0 ? T(-1) : x == x ? x : T(0))
HEDDLE_OWN_2(atan2pi, atan2(x, y) / T(pi))
HEDDLE_OWN_2(maxmag, fabs(x) > fabs(y) ? x : fabs(y) > fabs(x) ? y : fmax(x, y))
HEDDLE_OWN_2(minmag, fabs(x) < fabs(y) ? x : fabs(y) < fabs(x) ? y : fmin(x, y))
HEDDLE_OWN_2(powr, pow(x, y))
HEDDLE_OWN_2(step, y < x ? T(0) : T(1))
HEDDLE_OWN_3(mad, x *y + z)
HEDDLE_OWN_3(mix, x + (y - x) * z)
template <typename T>
T smoothstep(T low, T high, T x) {
  const T t = fmin(fmax((x - low) / (high - low), T(0)), T(1));
  return t * t * (3 - 2 * t);
}
template <typename T>
T ldexp(T x, int n) {
  return static_cast<T>(__builtin_ldexp(static_cast<double>(x), n));
}
template <typename T>
T pown(T x, int n) {
  return static_cast<T>(__builtin_pow(static_cast<double>(x), n));
}
template <typename T>
T rootn(T x, int n) {
  const double size = __builtin_pow(__builtin_fabs(static_cast<double>(x)), 1.0 / n);
  return static_cast<T>(x < 0 ? n % 2 != 0 ? -size : __builtin_nan("") : size);
}
HEDDLE_OWN_1(native_cos, cos(x))
HEDDLE_OWN_1(native_exp, exp(x))
HEDDLE_OWN_1(native_exp2, exp2(x))
HEDDLE_OWN_1(native_exp10, exp10(x))
HEDDLE_OWN_1(native_log, log(x))
HEDDLE_OWN_1(native_log2, log2(x))
HEDDLE_OWN_1(native_log10, log10(x))
HEDDLE_OWN_1(native_recip, 1 / x)
HEDDLE_OWN_1(native_rsqrt, rsqrt(x))
HEDDLE_OWN_1(native_sin, sin(x))
HEDDLE_OWN_1(native_sqrt, sqrt(x))
HEDDLE_OWN_1(native_tan, tan(x))
HEDDLE_OWN_2(native_divide, x / y)
HEDDLE_OWN_2(native_powr, powr(x, y))
HEDDLE_OWN_1(half_cos, cos(x))
HEDDLE_OWN_1(half_exp, exp(x))
HEDDLE_OWN_1(half_exp2, exp2(x))
HEDDLE_OWN_1(half_exp10, exp10(x))
HEDDLE_OWN_1(half_log, log(x))
HEDDLE_OWN_1(half_log2, log2(x))
HEDDLE_OWN_1(half_log10, log10(x))
HEDDLE_OWN_1(half_recip, 1 / x)
HEDDLE_OWN_1(half_rsqrt, rsqrt(x))
HEDDLE_OWN_1(half_sin, sin(x))
HEDDLE_OWN_1(half_sqrt, sqrt(x))
HEDDLE_OWN_1(half_tan, tan(x))
HEDDLE_OWN_2(half_divide, x / y)
HEDDLE_OWN_2(half_powr, powr(x, y))
template <typename T>
T fract(T x, T *whole) {
  *whole = floor(x);
  const T most = sizeof(T) == 2 ? T(0x1.ffcp-1) : sizeof(T) == 4 ? T(0x1.fffffep-1f) : T(0x1.fffffffffffffp-1);
  return x - x != 0 ? (x == x ? copysign(T(0), x) : x) : fmin(x - *whole, most);
}
template <typename T>
T modf(T x, T *whole) {
  *whole = trunc(x);
  return copysign(x - x != 0 && x == x ? T(0) : x - *whole, x);
}
template <typename T>
T sincos(T x, T *cosine) {
  *cosine = cos(x);
  return sin(x);
}
template <typename T>
T frexp(T x, int *exponent) {
  return static_cast<T>(__builtin_frexp(static_cast<double>(x), exponent));
}
template <typename T>
T lgamma_r(T x, int *sign) {
  const double value = tgamma(static_cast<double>(x));
  *sign = value < 0 || (value == 0 && copysign(1.0, value) < 0) ? -1 : 1;
  return static_cast<T>(lgamma(static_cast<double>(x)));
}
template <typename T>
T remquo(T x, T y, int *quotient) {
  return static_cast<T>(__builtin_remquo(static_cast<double>(x), static_cast<double>(y), quotient));
}
template <typename T>
int ilogb(T x) {
  return __builtin_ilogb(static_cast<double>(x));
}
template <typename T>
using wider = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
template <typename T>
constexpr T most =
    std::is_signed_v<T> ? static_cast<T>(~(std::make_unsigned_t<T>(1) << (8 * sizeof(T) - 1))) : static_cast<T>(-1);
template <typename T>
constexpr T least = std::is_signed_v<T> ? static_cast<T>(-most<T> - 1) : T(0);
template <typename T>
T saturated(wider<T> x) {
  return x > most<T> ? most<T> : x < least<T> ? least<T> : static_cast<T>(x);
}
template <typename T>
T popcount(T x) {
  return static_cast<T>(__builtin_popcountll(static_cast<std::make_unsigned_t<T>>(x)));
}
template <typename T>
T clz(T x) {
  constexpr int bits = 8 * sizeof(T);
  const auto u = static_cast<std::make_unsigned_t<T>>(x);
  return static_cast<T>(u == 0 ? bits : __builtin_clzll(u) - (64 - bits));
}
template <typename T>
T ctz(T x) {
  return static_cast<T>(x == 0 ? static_cast<int>(8 * sizeof(T))
                               : __builtin_ctzll(static_cast<std::make_unsigned_t<T>>(x)));
}
template <typename T>
T rotate(T x, T n) {
  using U = std::make_unsigned_t<T>;
  constexpr unsigned bits = 8 * sizeof(T);
  const unsigned by = static_cast<unsigned>(n) % bits;
  return static_cast<T>(by == 0 ? static_cast<U>(x)
                                : static_cast<U>(static_cast<U>(x) << by | static_cast<U>(x) >> (bits - by)));
}
HEDDLE_OWN_2(add_sat, saturated<T>(wider<T>(x) + y))
HEDDLE_OWN_2(sub_sat, std::is_signed_v<T> || x >= y ? saturated<T>(wider<T>(x) - y) : T(0))
HEDDLE_OWN_2(hadd, (wider<T>(x) + y) >> 1)
HEDDLE_OWN_2(rhadd, (wider<T>(x) + y + 1) >> 1)
HEDDLE_OWN_2(mul_hi, (wider<T>(x) * y) >> (8 * sizeof(T)))
HEDDLE_OWN_3(mad_hi, std::make_unsigned_t<T>(mul_hi(x, y)) + std::make_unsigned_t<T>(z))
HEDDLE_OWN_3(mad_sat, saturated<T>(wider<T>(x) * y + z))
#undef HEDDLE_OWN_1
#undef HEDDLE_OWN_2
#undef HEDDLE_OWN_3
}  // namespace maths
#endif

// The type that the device has of this size: long long is long there.
template <typename T>
using device_integer = std::conditional_t<
    std::is_signed_v<T>,
    std::conditional_t<
        sizeof(T) == 1, std::int8_t,
        std::conditional_t<sizeof(T) == 2, std::int16_t, std::conditional_t<sizeof(T) == 4, std::int32_t, long>>>,
    std::conditional_t<sizeof(T) == 1, std::uint8_t,
                       std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                          std::conditional_t<sizeof(T) == 4, std::uint32_t, unsigned long>>>>;

}  // namespace sycl::detail

#endif
