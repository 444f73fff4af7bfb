// SPDX-License-Identifier: Apache-2.0
// Functions of the C library that <complex> is made of, for kernels: C11, section 7.3, with the special values of annex
// G where a part is zero or infinite.
#ifndef HEDDLE_SYCL_DETAIL_COMPLEX_FUNCTIONS_HPP
#define HEDDLE_SYCL_DETAIL_COMPLEX_FUNCTIONS_HPP

#include "maths_functions.hpp"

#ifdef __SYCL_DEVICE_ONLY__

namespace sycl::detail {

// The parts of a number. They are computed with one by one: clang's products of complex numbers look for NaNs.
template <typename T>
struct parts {
  T x, y;
  HEDDLE_INLINE parts(T real, T imaginary) : x(real), y(imaginary) {}
  HEDDLE_INLINE parts times_i() const {
    return {-y, x};
  }
  HEDDLE_INLINE parts over_i() const {
    return {y, -x};
  }
};

template <typename T>
struct complex_functions {
  using z = parts<T>;
  static constexpr T infinity = __builtin_inff();
  // Larger exponents than these are halved; hyperbolic functions of more are powers of e.
  static constexpr T exponent_max = sizeof(T) == 4 ? 87 : 708, tanh_is_one = sizeof(T) == 4 ? 11 : 22;

  static T abs(z a) {
    return maths::hypot(a.x, a.y);
  }
  static T arg(z a) {
    return maths::atan2(a.y, a.x);
  }
  static z exp(z a) {
    if (a.y == 0)
      return {maths::exp(a.x), a.y};
    if (a.x == -infinity && !__builtin_isfinite(a.y))
      return {0, 0};
    const bool is_halved = a.x > exponent_max;
    const T length = maths::exp(is_halved ? a.x / 2 : a.x), rest = is_halved ? length : 1;
    return {length * maths::cos(a.y) * rest, length * maths::sin(a.y) * rest};
  }
  // Near 1 the length's logarithm is that of its distance from 1.
  static z log(z a) {
    const T length = abs(a), x = maths::fabs(a.x), y = maths::fabs(a.y), large = x > y ? x : y, small = x > y ? y : x;
    return {length > T(0.5) && length < 2 ? maths::log1p((large - 1) * (large + 1) + small * small) / 2
                                          : maths::log(length),
            arg(a)};
  }
  // Of both parts half the sum or difference of the length and the real part: without what would cancel.
  static z sqrt(z a) {
    if (__builtin_isinf(a.y))
      return {infinity, a.y};
    if (a.x == 0 && a.y == 0)
      return {0, a.y};
    const T large = maths::sqrt(abs(a) / 2 + maths::fabs(a.x) / 2);
    const T small = large == infinity ? 0 : maths::fabs(a.y) / (2 * large);
    return {a.x >= 0 ? large : small, maths::copysign(a.x >= 0 ? small : large, a.y)};
  }
  static z pow(z a, z b) {
    if (a.x == 0 && a.y == 0)
      return {b.x == 0 && b.y == 0 ? T(1) : T(0), 0};
    const z l = log(a);
    return exp({b.x * l.x - b.y * l.y, b.x * l.y + b.y * l.x});
  }
  static z proj(z a) {
    return __builtin_isinf(a.x) || __builtin_isinf(a.y) ? z(infinity, maths::copysign(T(0), a.y)) : a;
  }

  static z sinh(z a) {
    if (a.y == 0)
      return {maths::sinh(a.x), a.y};
    return {maths::sinh(a.x) * maths::cos(a.y), maths::cosh(a.x) * maths::sin(a.y)};
  }
  static z cosh(z a) {
    if (a.y == 0)
      return {maths::cosh(a.x), maths::copysign(T(0), a.x) * maths::copysign(T(1), a.y)};
    return {maths::cosh(a.x) * maths::cos(a.y), maths::sinh(a.x) * maths::sin(a.y)};
  }
  // W. Kahan, "Branch cuts for complex elementary functions" (1987), as the inverse functions below are.
  static z tanh(z a) {
    if (maths::fabs(a.x) > tanh_is_one) {
      const T small = maths::exp(-2 * maths::fabs(a.x));
      return {maths::copysign(T(1), a.x),
              __builtin_isfinite(a.y) ? 4 * maths::sin(a.y) * maths::cos(a.y) * small : maths::copysign(T(0), a.y)};
    }
    const T t = maths::tan(a.y), s = maths::sinh(a.x), b = 1 + t * t, r = maths::sqrt(1 + s * s), d = 1 + b * s * s;
    return {b * r * s / d, t / d};
  }
  static z asin(z a) {
    const z p = sqrt({1 + a.x, a.y}), m = sqrt({1 - a.x, -a.y});
    return {maths::atan2(a.x, p.x * m.x - p.y * m.y), maths::asinh(m.x * p.y - m.y * p.x)};
  }
  static z acos(z a) {
    const z p = sqrt({1 + a.x, a.y}), m = sqrt({1 - a.x, -a.y});
    return {2 * maths::atan2(m.x, p.x), maths::asinh(p.x * m.y - p.y * m.x)};
  }
  static z acosh(z a) {
    const z p = sqrt({a.x + 1, a.y}), m = sqrt({a.x - 1, a.y});
    return {maths::asinh(m.x * p.x + m.y * p.y), 2 * maths::atan2(m.y, p.x)};
  }
  static z atanh(z a) {
    const T from_one = 1 - a.x;
    return {maths::log1p(4 * a.x / (from_one * from_one + a.y * a.y)) / 4,
            maths::atan2(2 * a.y, from_one * (1 + a.x) - a.y * a.y) / 2};
  }
};

}  // namespace sycl::detail

// clang calls them by these names.
#define HEDDLE_PARTS(T, a) sycl::detail::parts<T>(__real__ a, __imag__ a)
#define HEDDLE_COMPLEX(T, name, end, ...)                                 \
  extern "C" SYCL_EXTERNAL inline T _Complex c##name##end(T _Complex a) { \
    using f = sycl::detail::complex_functions<T>;                         \
    const f::z z = HEDDLE_PARTS(T, a), result = __VA_ARGS__;              \
    __real__ a = result.x;                                                \
    __imag__ a = result.y;                                                \
    return a;                                                             \
  }
#define HEDDLE_COMPLEX_OF(T, end)                                                                        \
  extern "C" SYCL_EXTERNAL inline T cabs##end(T _Complex a) {                                            \
    return sycl::detail::complex_functions<T>::abs(HEDDLE_PARTS(T, a));                                  \
  }                                                                                                      \
  extern "C" SYCL_EXTERNAL inline T carg##end(T _Complex a) {                                            \
    return sycl::detail::complex_functions<T>::arg(HEDDLE_PARTS(T, a));                                  \
  }                                                                                                      \
  extern "C" SYCL_EXTERNAL inline T _Complex cpow##end(T _Complex a, T _Complex b) {                     \
    const auto result = sycl::detail::complex_functions<T>::pow(HEDDLE_PARTS(T, a), HEDDLE_PARTS(T, b)); \
    __real__ a = result.x;                                                                               \
    __imag__ a = result.y;                                                                               \
    return a;                                                                                            \
  }                                                                                                      \
  HEDDLE_COMPLEX(T, exp, end, f::exp(z))                                                                 \
  HEDDLE_COMPLEX(T, log, end, f::log(z))                                                                 \
  HEDDLE_COMPLEX(T, sqrt, end, f::sqrt(z))                                                               \
  HEDDLE_COMPLEX(T, proj, end, f::proj(z))                                                               \
  HEDDLE_COMPLEX(T, sinh, end, f::sinh(z))                                                               \
  HEDDLE_COMPLEX(T, cosh, end, f::cosh(z))                                                               \
  HEDDLE_COMPLEX(T, tanh, end, f::tanh(z))                                                               \
  HEDDLE_COMPLEX(T, sin, end, f::sinh(z.times_i()).over_i())                                             \
  HEDDLE_COMPLEX(T, cos, end, f::cosh(z.times_i()))                                                      \
  HEDDLE_COMPLEX(T, tan, end, f::tanh(z.times_i()).over_i())                                             \
  HEDDLE_COMPLEX(T, asin, end, f::asin(z))                                                               \
  HEDDLE_COMPLEX(T, acos, end, f::acos(z))                                                               \
  HEDDLE_COMPLEX(T, acosh, end, f::acosh(z))                                                             \
  HEDDLE_COMPLEX(T, atanh, end, f::atanh(z))                                                             \
  HEDDLE_COMPLEX(T, asinh, end, f::asin(z.times_i()).over_i())                                           \
  HEDDLE_COMPLEX(T, atan, end, f::atanh(z.times_i()).over_i())
HEDDLE_COMPLEX_OF(float, f)
HEDDLE_COMPLEX_OF(double, )
#undef HEDDLE_PARTS
#undef HEDDLE_COMPLEX
#undef HEDDLE_COMPLEX_OF

#endif

#endif
