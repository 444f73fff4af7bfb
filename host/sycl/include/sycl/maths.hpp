// SPDX-License-Identifier: Apache-2.0
// Mathematical functions: SYCL 2020, sections 4.17.5 to 4.17.8, of numbers and vecs. In kernels they are OpenCL C's
// (hls/lib), to the host the C library's (detail/maths_functions.hpp).
#ifndef HEDDLE_SYCL_MATHS_HPP
#define HEDDLE_SYCL_MATHS_HPP

#include "detail/maths_functions.hpp"
#include "marray.hpp"
#include "multi_ptr.hpp"
#include "vec.hpp"

namespace sycl {

namespace detail {

// Numbers that functions of floating-point numbers and of integers are for.
template <typename T>
constexpr bool is_floating = std::is_floating_point_v<T> || std::is_same_v<T, half>;
template <typename T>
using if_floating = std::enable_if_t<is_floating<T>, T>;
template <typename T>
using if_integer = std::enable_if_t<std::is_integral_v<T> && !std::is_same_v<T, bool>, T>;

// A swizzle as the vec that it stands for; anything else as it is.
template <typename T>
HEDDLE_INLINE const T &without_swizzle(const T &x) {
  return x;
}
template <typename V, typename As, int... I>
HEDDLE_INLINE As without_swizzle(const swizzled<V, As, I...> &x) {
  return x;
}
template <typename T>
struct is_swizzle : std::false_type {};
template <typename V, typename As, int... I>
struct is_swizzle<swizzled<V, As, I...>> : std::true_type {};
// A parameter that takes no part in finding the type.
template <typename T>
using not_deduced = std::common_type_t<T>;
template <typename... T>
using if_swizzles = std::enable_if_t<std::disjunction_v<is_swizzle<T>...>>;

}  // namespace detail

// Of vecs: element by element.
#define HEDDLE_OF_VECS_1(name)                                    \
  template <typename T, int N>                                    \
  HEDDLE_INLINE vec<T, N> name(const vec<T, N> &x) {              \
    vec<T, N> result;                                             \
    HEDDLE_UNROLLED(i, N) {                                       \
      result[i] = name(x[i]);                                     \
    }                                                             \
    return result;                                                \
  }                                                               \
  template <typename T, std::size_t N>                            \
  HEDDLE_INLINE marray<T, N> name(const marray<T, N> &x) {        \
    marray<T, N> result;                                          \
    for (std::size_t i = 0; i < N; i++)                           \
      result[i] = name(x[i]);                                     \
    return result;                                                \
  }                                                               \
  template <typename V, typename As, int... I>                    \
  HEDDLE_INLINE As name(const detail::swizzled<V, As, I...> &x) { \
    return name(static_cast<As>(x));                              \
  }
#define HEDDLE_OF_VECS_2(name)                                                    \
  template <typename T, int N>                                                    \
  HEDDLE_INLINE vec<T, N> name(const vec<T, N> &x, const vec<T, N> &y) {          \
    vec<T, N> result;                                                             \
    HEDDLE_UNROLLED(i, N) {                                                       \
      result[i] = name(x[i], y[i]);                                               \
    }                                                                             \
    return result;                                                                \
  }                                                                               \
  template <typename T, std::size_t N>                                            \
  HEDDLE_INLINE marray<T, N> name(const marray<T, N> &x, const marray<T, N> &y) { \
    marray<T, N> result;                                                          \
    for (std::size_t i = 0; i < N; i++)                                           \
      result[i] = name(x[i], y[i]);                                               \
    return result;                                                                \
  }                                                                               \
  template <typename X, typename Y, typename = detail::if_swizzles<X, Y>>         \
  HEDDLE_INLINE auto name(const X &x, const Y &y) {                               \
    return name(detail::without_swizzle(x), detail::without_swizzle(y));          \
  }
#define HEDDLE_OF_VECS_3(name)                                                                           \
  template <typename T, int N>                                                                           \
  HEDDLE_INLINE vec<T, N> name(const vec<T, N> &x, const vec<T, N> &y, const vec<T, N> &z) {             \
    vec<T, N> result;                                                                                    \
    HEDDLE_UNROLLED(i, N) {                                                                              \
      result[i] = name(x[i], y[i], z[i]);                                                                \
    }                                                                                                    \
    return result;                                                                                       \
  }                                                                                                      \
  template <typename T, std::size_t N>                                                                   \
  HEDDLE_INLINE marray<T, N> name(const marray<T, N> &x, const marray<T, N> &y, const marray<T, N> &z) { \
    marray<T, N> result;                                                                                 \
    for (std::size_t i = 0; i < N; i++)                                                                  \
      result[i] = name(x[i], y[i], z[i]);                                                                \
    return result;                                                                                       \
  }                                                                                                      \
  template <typename X, typename Y, typename Z, typename = detail::if_swizzles<X, Y, Z>>                 \
  HEDDLE_INLINE auto name(const X &x, const Y &y, const Z &z) {                                          \
    return name(detail::without_swizzle(x), detail::without_swizzle(y), detail::without_swizzle(z));     \
  }
#define HEDDLE_MATHS_1(name)                       \
  template <typename T>                            \
  HEDDLE_INLINE detail::if_floating<T> name(T x) { \
    return detail::maths::name(x);                 \
  }                                                \
  HEDDLE_OF_VECS_1(name)
#define HEDDLE_MATHS_2(name)                            \
  template <typename T>                                 \
  HEDDLE_INLINE detail::if_floating<T> name(T x, T y) { \
    return detail::maths::name(x, y);                   \
  }                                                     \
  HEDDLE_OF_VECS_2(name)
#define HEDDLE_MATHS_3(name)                                 \
  template <typename T>                                      \
  HEDDLE_INLINE detail::if_floating<T> name(T x, T y, T z) { \
    return detail::maths::name(x, y, z);                     \
  }                                                          \
  HEDDLE_OF_VECS_3(name)
#define HEDDLE_MATHS_INT(name)                                                      \
  template <typename T>                                                             \
  HEDDLE_INLINE detail::if_floating<T> name(T x, int n) {                           \
    return detail::maths::name(x, n);                                               \
  }                                                                                 \
  template <typename T, int N>                                                      \
  HEDDLE_INLINE vec<T, N> name(const vec<T, N> &x, const vec<int, N> &n) {          \
    vec<T, N> result;                                                               \
    HEDDLE_UNROLLED(i, N) {                                                         \
      result[i] = name(x[i], n[i]);                                                 \
    }                                                                               \
    return result;                                                                  \
  }                                                                                 \
  template <typename T, std::size_t N>                                              \
  HEDDLE_INLINE marray<T, N> name(const marray<T, N> &x, const marray<int, N> &n) { \
    marray<T, N> result;                                                            \
    for (std::size_t i = 0; i < N; i++)                                             \
      result[i] = name(x[i], n[i]);                                                 \
    return result;                                                                  \
  }                                                                                 \
  template <typename X, typename Y, typename = detail::if_swizzles<X, Y>>           \
  HEDDLE_INLINE auto name(const X &x, const Y &n) {                                 \
    return name(detail::without_swizzle(x), detail::without_swizzle(n));            \
  }

HEDDLE_MATHS_1(acos)
HEDDLE_MATHS_1(acosh)
HEDDLE_MATHS_1(acospi)
HEDDLE_MATHS_1(asin)
HEDDLE_MATHS_1(asinh)
HEDDLE_MATHS_1(asinpi)
HEDDLE_MATHS_1(atan)
HEDDLE_MATHS_1(atanh)
HEDDLE_MATHS_1(atanpi)
HEDDLE_MATHS_1(cbrt)
HEDDLE_MATHS_1(ceil)
HEDDLE_MATHS_1(cos)
HEDDLE_MATHS_1(cosh)
HEDDLE_MATHS_1(cospi)
HEDDLE_MATHS_1(erf)
HEDDLE_MATHS_1(erfc)
HEDDLE_MATHS_1(exp)
HEDDLE_MATHS_1(exp2)
HEDDLE_MATHS_1(exp10)
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
HEDDLE_MATHS_1(rsqrt)
HEDDLE_MATHS_1(sin)
HEDDLE_MATHS_1(sinh)
HEDDLE_MATHS_1(sinpi)
HEDDLE_MATHS_1(sqrt)
HEDDLE_MATHS_1(tan)
HEDDLE_MATHS_1(tanh)
HEDDLE_MATHS_1(tanpi)
HEDDLE_MATHS_1(tgamma)
HEDDLE_MATHS_1(trunc)
HEDDLE_MATHS_1(degrees)
HEDDLE_MATHS_1(radians)
HEDDLE_MATHS_1(sign)
HEDDLE_MATHS_2(atan2)
HEDDLE_MATHS_2(atan2pi)
HEDDLE_MATHS_2(copysign)
HEDDLE_MATHS_2(fdim)
HEDDLE_MATHS_2(fmax)
HEDDLE_MATHS_2(fmin)
HEDDLE_MATHS_2(fmod)
HEDDLE_MATHS_2(hypot)
HEDDLE_MATHS_2(maxmag)
HEDDLE_MATHS_2(minmag)
HEDDLE_MATHS_2(nextafter)
HEDDLE_MATHS_2(pow)
HEDDLE_MATHS_2(powr)
HEDDLE_MATHS_2(remainder)
HEDDLE_MATHS_2(step)
HEDDLE_MATHS_3(fma)
HEDDLE_MATHS_3(mad)
HEDDLE_MATHS_3(mix)
HEDDLE_MATHS_3(smoothstep)
HEDDLE_MATHS_INT(ldexp)
HEDDLE_MATHS_INT(pown)
HEDDLE_MATHS_INT(rootn)

// Faster and less exact, of float.
#define HEDDLE_NATIVE_1(kind, name)         \
  HEDDLE_INLINE float name(float x) {       \
    return detail::maths::kind##_##name(x); \
  }                                         \
  HEDDLE_OF_VECS_1(name)
#define HEDDLE_NATIVE_2(kind, name)            \
  HEDDLE_INLINE float name(float x, float y) { \
    return detail::maths::kind##_##name(x, y); \
  }                                            \
  HEDDLE_OF_VECS_2(name)
namespace native {
HEDDLE_NATIVE_1(native, cos)
HEDDLE_NATIVE_1(native, exp)
HEDDLE_NATIVE_1(native, exp2)
HEDDLE_NATIVE_1(native, exp10)
HEDDLE_NATIVE_1(native, log)
HEDDLE_NATIVE_1(native, log2)
HEDDLE_NATIVE_1(native, log10)
HEDDLE_NATIVE_1(native, recip)
HEDDLE_NATIVE_1(native, rsqrt)
HEDDLE_NATIVE_1(native, sin)
HEDDLE_NATIVE_1(native, sqrt)
HEDDLE_NATIVE_1(native, tan)
HEDDLE_NATIVE_2(native, divide)
HEDDLE_NATIVE_2(native, powr)
}  // namespace native
namespace half_precision {
HEDDLE_NATIVE_1(half, cos)
HEDDLE_NATIVE_1(half, exp)
HEDDLE_NATIVE_1(half, exp2)
HEDDLE_NATIVE_1(half, exp10)
HEDDLE_NATIVE_1(half, log)
HEDDLE_NATIVE_1(half, log2)
HEDDLE_NATIVE_1(half, log10)
HEDDLE_NATIVE_1(half, recip)
HEDDLE_NATIVE_1(half, rsqrt)
HEDDLE_NATIVE_1(half, sin)
HEDDLE_NATIVE_1(half, sqrt)
HEDDLE_NATIVE_1(half, tan)
HEDDLE_NATIVE_2(half, divide)
HEDDLE_NATIVE_2(half, powr)
}  // namespace half_precision

// ---- integers

#define HEDDLE_INTEGER_1(name)                                                             \
  template <typename T>                                                                    \
  HEDDLE_INLINE detail::if_integer<T> name(T x) {                                          \
    return static_cast<T>(detail::maths::name(static_cast<detail::device_integer<T>>(x))); \
  }                                                                                        \
  HEDDLE_OF_VECS_1(name)
#define HEDDLE_INTEGER_2(name)                                                        \
  template <typename T>                                                               \
  HEDDLE_INLINE detail::if_integer<T> name(T x, T y) {                                \
    using U = detail::device_integer<T>;                                              \
    return static_cast<T>(detail::maths::name(static_cast<U>(x), static_cast<U>(y))); \
  }                                                                                   \
  HEDDLE_OF_VECS_2(name)
#define HEDDLE_INTEGER_3(name)                                                                           \
  template <typename T>                                                                                  \
  HEDDLE_INLINE detail::if_integer<T> name(T x, T y, T z) {                                              \
    using U = detail::device_integer<T>;                                                                 \
    return static_cast<T>(detail::maths::name(static_cast<U>(x), static_cast<U>(y), static_cast<U>(z))); \
  }                                                                                                      \
  HEDDLE_OF_VECS_3(name)
HEDDLE_INTEGER_1(clz)
HEDDLE_INTEGER_1(ctz)
HEDDLE_INTEGER_1(popcount)
HEDDLE_INTEGER_2(add_sat)
HEDDLE_INTEGER_2(hadd)
HEDDLE_INTEGER_2(mul_hi)
HEDDLE_INTEGER_2(rhadd)
HEDDLE_INTEGER_2(rotate)
HEDDLE_INTEGER_2(sub_sat)
HEDDLE_INTEGER_3(mad_hi)
HEDDLE_INTEGER_3(mad_sat)
template <typename T>
HEDDLE_INLINE detail::if_integer<T> abs(T x) {
  return static_cast<T>(x < T(0) ? T(0) - x : x);
}
template <typename T>
HEDDLE_INLINE detail::if_integer<T> abs_diff(T x, T y) {
  using U = std::make_unsigned_t<T>;
  return static_cast<T>(x > y ? static_cast<U>(x) - static_cast<U>(y) : static_cast<U>(y) - static_cast<U>(x));
}
// Not a number, with these bits in it: of the type of floating-point numbers that has as many.
template <typename T, typename = std::enable_if_t<std::is_unsigned_v<T> && sizeof(T) != 1>>
HEDDLE_INLINE auto nan(T bits) {
  if constexpr (sizeof(T) == 2)
    return __builtin_bit_cast(half, static_cast<std::uint16_t>(0x7E00 | (bits & 0x1FF)));
  else if constexpr (sizeof(T) == 4)
    return __builtin_bit_cast(float, 0x7FC00000 | (static_cast<std::uint32_t>(bits) & 0x3FFFFF));
  else
    return __builtin_bit_cast(double, 0x7FF8000000000000 | (static_cast<std::uint64_t>(bits) & 0x7FFFFFFFFFFFF));
}
template <typename T, int N>
HEDDLE_INLINE auto nan(const vec<T, N> &bits) {
  vec<decltype(nan(T())), N> result;
  HEDDLE_UNROLLED(i, N) {
    result[i] = nan(bits[i]);
  }
  return result;
}
template <typename T, std::size_t N>
HEDDLE_INLINE auto nan(const marray<T, N> &bits) {
  marray<decltype(nan(T())), N> result;
  for (std::size_t i = 0; i < N; i++)
    result[i] = nan(bits[i]);
  return result;
}
template <typename V, typename As, int... I>
HEDDLE_INLINE auto nan(const detail::swizzled<V, As, I...> &bits) {
  return nan(static_cast<As>(bits));
}

// The first argument is the upper half of a number of twice the size.
namespace detail {
template <typename T>
using of_twice_the_size = std::conditional_t<
    sizeof(T) == 1, std::conditional_t<std::is_signed_v<T>, std::int16_t, std::uint16_t>,
    std::conditional_t<sizeof(T) == 2, std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>,
                       std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>>;
}  // namespace detail
template <typename T, typename = std::enable_if_t<std::is_integral_v<T> && sizeof(T) <= 4>>
HEDDLE_INLINE detail::of_twice_the_size<T> upsample(T high, std::make_unsigned_t<T> low) {
  using wide = std::make_unsigned_t<detail::of_twice_the_size<T>>;
  return static_cast<detail::of_twice_the_size<T>>(static_cast<wide>(high) << 8 * sizeof(T) | low);
}
template <typename T, int N>
HEDDLE_INLINE vec<detail::of_twice_the_size<T>, N> upsample(const vec<T, N> &high,
                                                            const vec<std::make_unsigned_t<T>, N> &low) {
  vec<detail::of_twice_the_size<T>, N> result;
  HEDDLE_UNROLLED(i, N) {
    result[i] = upsample(high[i], low[i]);
  }
  return result;
}
template <typename T, std::size_t N>
HEDDLE_INLINE marray<detail::of_twice_the_size<T>, N> upsample(const marray<T, N> &high,
                                                               const marray<std::make_unsigned_t<T>, N> &low) {
  marray<detail::of_twice_the_size<T>, N> result;
  for (std::size_t i = 0; i < N; i++)
    result[i] = upsample(high[i], low[i]);
  return result;
}
template <typename X, typename Y, typename = detail::if_swizzles<X, Y>>
HEDDLE_INLINE auto upsample(const X &high, const Y &low) {
  return upsample(detail::without_swizzle(high), detail::without_swizzle(low));
}
template <typename T>
HEDDLE_INLINE detail::if_integer<T> mul24(T x, T y) {
  static_assert(sizeof(T) == 4, "mul24 is of numbers of 32 bits");
  return static_cast<T>(static_cast<std::uint32_t>(x) * static_cast<std::uint32_t>(y));
}
template <typename T>
HEDDLE_INLINE detail::if_integer<T> mad24(T x, T y, T z) {
  return static_cast<T>(static_cast<std::uint32_t>(mul24(x, y)) + static_cast<std::uint32_t>(z));
}
HEDDLE_OF_VECS_1(abs)
HEDDLE_OF_VECS_2(abs_diff)
HEDDLE_OF_VECS_2(mul24)
HEDDLE_OF_VECS_3(mad24)

// ---- of both

template <typename T>
HEDDLE_INLINE std::enable_if_t<detail::is_number<T>, T> min(T x, T y) {
  return y < x ? y : x;
}
template <typename T>
HEDDLE_INLINE std::enable_if_t<detail::is_number<T>, T> max(T x, T y) {
  return x < y ? y : x;
}
template <typename T>
HEDDLE_INLINE std::enable_if_t<detail::is_number<T>, T> clamp(T x, T low, T high) {
  return min(max(x, low), high);
}
HEDDLE_OF_VECS_2(min)
HEDDLE_OF_VECS_2(max)
HEDDLE_OF_VECS_3(clamp)

// One number for all elements, where the text has it. It converts to the elements' type.
#define HEDDLE_OF_NUMBERS(array, size)                                                                             \
  template <typename T, size N>                                                                                    \
  HEDDLE_INLINE array<T, N> min(const array<T, N> &x, detail::not_deduced<T> y) {                                  \
    return min(x, array<T, N>(y));                                                                                 \
  }                                                                                                                \
  template <typename T, size N>                                                                                    \
  HEDDLE_INLINE array<T, N> max(const array<T, N> &x, detail::not_deduced<T> y) {                                  \
    return max(x, array<T, N>(y));                                                                                 \
  }                                                                                                                \
  template <typename T, size N>                                                                                    \
  HEDDLE_INLINE array<T, N> clamp(const array<T, N> &x, detail::not_deduced<T> low, detail::not_deduced<T> high) { \
    return clamp(x, array<T, N>(low), array<T, N>(high));                                                          \
  }                                                                                                                \
  template <typename T, size N>                                                                                    \
  HEDDLE_INLINE array<T, N> fmin(const array<T, N> &x, detail::not_deduced<T> y) {                                 \
    return fmin(x, array<T, N>(y));                                                                                \
  }                                                                                                                \
  template <typename T, size N>                                                                                    \
  HEDDLE_INLINE array<T, N> fmax(const array<T, N> &x, detail::not_deduced<T> y) {                                 \
    return fmax(x, array<T, N>(y));                                                                                \
  }                                                                                                                \
  template <typename T, size N>                                                                                    \
  HEDDLE_INLINE array<T, N> mix(const array<T, N> &x, const array<T, N> &y, detail::not_deduced<T> a) {            \
    return mix(x, y, array<T, N>(a));                                                                              \
  }                                                                                                                \
  template <typename T, size N>                                                                                    \
  HEDDLE_INLINE array<T, N> step(detail::not_deduced<T> edge, const array<T, N> &x) {                              \
    return step(array<T, N>(edge), x);                                                                             \
  }                                                                                                                \
  template <typename T, size N>                                                                                    \
  HEDDLE_INLINE array<T, N> smoothstep(detail::not_deduced<T> low, detail::not_deduced<T> high,                    \
                                       const array<T, N> &x) {                                                     \
    return smoothstep(array<T, N>(low), array<T, N>(high), x);                                                     \
  }                                                                                                                \
  template <typename T, size N>                                                                                    \
  HEDDLE_INLINE array<T, N> ldexp(const array<T, N> &x, int n) {                                                   \
    return ldexp(x, array<int, N>(n));                                                                             \
  }
HEDDLE_OF_NUMBERS(vec, int)
HEDDLE_OF_NUMBERS(marray, std::size_t)
#undef HEDDLE_OF_NUMBERS

// With a second result behind a pointer or multi_ptr.
#define HEDDLE_RESULT(name)                                                                        \
  template <typename T, typename P, typename = typename detail::pointed<P>::type>                  \
  HEDDLE_INLINE detail::if_floating<T> name(T x, P result) {                                       \
    return detail::maths::name(x, detail::raw(result));                                            \
  }                                                                                                \
  template <typename T, int N, typename P, typename V = typename detail::pointed<P>::type>         \
  HEDDLE_INLINE vec<T, N> name(const vec<T, N> &x, P result) {                                     \
    vec<T, N> first;                                                                               \
    HEDDLE_UNROLLED(i, N) {                                                                        \
      std::decay_t<decltype((*detail::raw(result))[0])> second;                                    \
      first[i] = detail::maths::name(x[i], &second);                                               \
      (*detail::raw(result))[i] = second;                                                          \
    }                                                                                              \
    return first;                                                                                  \
  }                                                                                                \
  template <typename T, std::size_t N, typename P, typename V = typename detail::pointed<P>::type> \
  HEDDLE_INLINE marray<T, N> name(const marray<T, N> &x, P result) {                               \
    marray<T, N> first;                                                                            \
    for (std::size_t i = 0; i < N; i++)                                                            \
      first[i] = detail::maths::name(x[i], &(*detail::raw(result))[i]);                            \
    return first;                                                                                  \
  }                                                                                                \
  template <typename S, typename As, int... I, typename P>                                         \
  HEDDLE_INLINE As name(const detail::swizzled<S, As, I...> &x, P result) {                        \
    return name(static_cast<As>(x), result);                                                       \
  }
HEDDLE_RESULT(fract)
HEDDLE_RESULT(modf)
HEDDLE_RESULT(sincos)
HEDDLE_RESULT(frexp)
HEDDLE_RESULT(lgamma_r)
#undef HEDDLE_RESULT
template <typename T, typename P, typename = typename detail::pointed<P>::type>
HEDDLE_INLINE detail::if_floating<T> remquo(T x, T y, P quotient) {
  return detail::maths::remquo(x, y, detail::raw(quotient));
}
template <typename T, int N, typename P, typename = typename detail::pointed<P>::type>
HEDDLE_INLINE vec<T, N> remquo(const vec<T, N> &x, const vec<T, N> &y, P quotients) {
  vec<T, N> result;
  HEDDLE_UNROLLED(i, N) {
    int quotient;
    result[i] = detail::maths::remquo(x[i], y[i], &quotient);
    (*detail::raw(quotients))[i] = quotient;
  }
  return result;
}
template <typename T, std::size_t N, typename P, typename = typename detail::pointed<P>::type>
HEDDLE_INLINE marray<T, N> remquo(const marray<T, N> &x, const marray<T, N> &y, P quotients) {
  marray<T, N> result;
  for (std::size_t i = 0; i < N; i++)
    result[i] = detail::maths::remquo(x[i], y[i], &(*detail::raw(quotients))[i]);
  return result;
}
template <typename X, typename Y, typename P, typename = detail::if_swizzles<X, Y>>
HEDDLE_INLINE auto remquo(const X &x, const Y &y, P quotients) {
  return remquo(detail::without_swizzle(x), detail::without_swizzle(y), quotients);
}
template <typename T>
HEDDLE_INLINE std::enable_if_t<detail::is_floating<T>, int> ilogb(T x) {
  return detail::maths::ilogb(x);
}
template <typename T, int N>
HEDDLE_INLINE vec<int, N> ilogb(const vec<T, N> &x) {
  vec<int, N> result;
  HEDDLE_UNROLLED(i, N) {
    result[i] = ilogb(x[i]);
  }
  return result;
}
template <typename T, std::size_t N>
HEDDLE_INLINE marray<int, N> ilogb(const marray<T, N> &x) {
  marray<int, N> result;
  for (std::size_t i = 0; i < N; i++)
    result[i] = ilogb(x[i]);
  return result;
}
template <typename V, typename As, int... I>
HEDDLE_INLINE auto ilogb(const detail::swizzled<V, As, I...> &x) {
  return ilogb(static_cast<As>(x));
}

// ---- relations: of numbers bool, of vecs -1 or 0 for each element, of marrays bool for each

#define HEDDLE_OF_ELEMENTS(name, parameters_of, ...)                              \
  template <typename T, int N>                                                    \
  HEDDLE_INLINE vec<detail::truth<sizeof(T)>, N> name(parameters_of(vec, T, N)) { \
    vec<detail::truth<sizeof(T)>, N> result;                                      \
    HEDDLE_UNROLLED(i, N) {                                                       \
      result[i] = name(__VA_ARGS__) ? -1 : 0;                                     \
    }                                                                             \
    return result;                                                                \
  }                                                                               \
  template <typename T, std::size_t N>                                            \
  HEDDLE_INLINE marray<bool, N> name(parameters_of(marray, T, N)) {               \
    marray<bool, N> result;                                                       \
    for (std::size_t i = 0; i < N; i++)                                           \
      result[i] = name(__VA_ARGS__);                                              \
    return result;                                                                \
  }
#define HEDDLE_ONE_PARAMETER(of, T, N) const of<T, N> &x
#define HEDDLE_TWO_PARAMETERS(of, T, N) const of<T, N> &x, const of<T, N> &y
#define HEDDLE_RELATION_1(name, expression)                                \
  template <typename T>                                                    \
  HEDDLE_INLINE std::enable_if_t<detail::is_floating<T>, bool> name(T x) { \
    return expression;                                                     \
  }                                                                        \
  HEDDLE_OF_ELEMENTS(name, HEDDLE_ONE_PARAMETER, x[i])                     \
  template <typename V, typename As, int... I>                             \
  HEDDLE_INLINE auto name(const detail::swizzled<V, As, I...> &x) {        \
    return name(static_cast<As>(x));                                       \
  }
#define HEDDLE_RELATION_2(name, expression)                                     \
  template <typename T>                                                         \
  HEDDLE_INLINE std::enable_if_t<detail::is_floating<T>, bool> name(T x, T y) { \
    return expression;                                                          \
  }                                                                             \
  HEDDLE_OF_ELEMENTS(name, HEDDLE_TWO_PARAMETERS, x[i], y[i])                   \
  template <typename X, typename Y, typename = detail::if_swizzles<X, Y>>       \
  HEDDLE_INLINE auto name(const X &x, const Y &y) {                             \
    return name(detail::without_swizzle(x), detail::without_swizzle(y));        \
  }
HEDDLE_RELATION_1(isnan, x != x)
HEDDLE_RELATION_1(isfinite, x - x == 0)
HEDDLE_RELATION_1(isinf, x == x && !(x - x == 0))
HEDDLE_RELATION_1(isnormal, x - x == 0 && detail::maths::fabs(x) >= std::numeric_limits<T>::min())
HEDDLE_RELATION_1(signbit, detail::maths::copysign(T(1), x) < 0)
HEDDLE_RELATION_2(isequal, x == y)
HEDDLE_RELATION_2(isnotequal, x != y)
HEDDLE_RELATION_2(isgreater, x > y)
HEDDLE_RELATION_2(isgreaterequal, x >= y)
HEDDLE_RELATION_2(isless, x < y)
HEDDLE_RELATION_2(islessequal, x <= y)
HEDDLE_RELATION_2(islessgreater, x<y || x> y)
HEDDLE_RELATION_2(isordered, x == x && y == y)
HEDDLE_RELATION_2(isunordered, x != x || y != y)
#undef HEDDLE_OF_ELEMENTS
#undef HEDDLE_ONE_PARAMETER
#undef HEDDLE_TWO_PARAMETERS
#undef HEDDLE_RELATION_1
#undef HEDDLE_RELATION_2

// Of integers, by their highest bits.
template <typename T>
HEDDLE_INLINE std::enable_if_t<std::is_integral_v<T>, bool> any(T x) {
  return std::is_same_v<T, bool> ? x != 0 : std::is_signed_v<T> ? x < 0 : (x >> (8 * sizeof(T) - 1)) != 0;
}
template <typename T>
HEDDLE_INLINE std::enable_if_t<std::is_integral_v<T>, bool> all(T x) {
  return any(x);
}
template <typename T, int N>
HEDDLE_INLINE std::enable_if_t<std::is_integral_v<T>, bool> any(const vec<T, N> &x) {
  bool result = false;
  HEDDLE_UNROLLED(i, N) {
    result = result || any(x[i]);
  }
  return result;
}
template <typename T, int N>
HEDDLE_INLINE std::enable_if_t<std::is_integral_v<T>, bool> all(const vec<T, N> &x) {
  bool result = true;
  HEDDLE_UNROLLED(i, N) {
    result = result && any(x[i]);
  }
  return result;
}
template <typename T, std::size_t N>
HEDDLE_INLINE std::enable_if_t<std::is_integral_v<T>, bool> any(const marray<T, N> &x) {
  bool result = false;
  for (std::size_t i = 0; i < N; i++)
    result = result || any(x[i]);
  return result;
}
template <typename T, std::size_t N>
HEDDLE_INLINE std::enable_if_t<std::is_integral_v<T>, bool> all(const marray<T, N> &x) {
  bool result = true;
  for (std::size_t i = 0; i < N; i++)
    result = result && any(x[i]);
  return result;
}
template <typename V, typename As, int... I>
HEDDLE_INLINE bool any(const detail::swizzled<V, As, I...> &x) {
  return any(static_cast<As>(x));
}
template <typename V, typename As, int... I>
HEDDLE_INLINE bool all(const detail::swizzled<V, As, I...> &x) {
  return all(static_cast<As>(x));
}

template <typename T>
HEDDLE_INLINE std::enable_if_t<detail::is_number<T>, T> select(T if_not, T if_so, bool condition) {
  return condition ? if_so : if_not;
}
template <typename T, int N, typename C>
HEDDLE_INLINE std::enable_if_t<sizeof(T) == sizeof(C), vec<T, N>> select(const vec<T, N> &if_not,
                                                                         const vec<T, N> &if_so,
                                                                         const vec<C, N> &condition) {
  vec<T, N> result;
  HEDDLE_UNROLLED(i, N) {
    result[i] = any(condition[i]) ? if_so[i] : if_not[i];
  }
  return result;
}
template <typename T, std::size_t N>
HEDDLE_INLINE marray<T, N> select(const marray<T, N> &if_not, const marray<T, N> &if_so,
                                  const marray<bool, N> &condition) {
  marray<T, N> result;
  for (std::size_t i = 0; i < N; i++)
    result[i] = condition[i] ? if_so[i] : if_not[i];
  return result;
}
template <typename X, typename Y, typename C, typename = detail::if_swizzles<X, Y, C>>
HEDDLE_INLINE auto select(const X &if_not, const Y &if_so, const C &condition) {
  return select(detail::without_swizzle(if_not), detail::without_swizzle(if_so), detail::without_swizzle(condition));
}
template <typename T>
HEDDLE_INLINE std::enable_if_t<detail::is_number<T>, T> bitselect(T if_0, T if_1, T bits) {
  using U = std::make_unsigned_t<detail::truth<sizeof(T)>>;
  const U a = __builtin_bit_cast(U, if_0), b = __builtin_bit_cast(U, if_1), c = __builtin_bit_cast(U, bits);
  return __builtin_bit_cast(T, static_cast<U>((a & ~c) | (b & c)));
}
HEDDLE_OF_VECS_3(bitselect)

// ---- geometry

#define HEDDLE_GEOMETRY(array, size)                                                                \
  template <typename T, size N>                                                                     \
  HEDDLE_INLINE T dot(const array<T, N> &x, const array<T, N> &y) {                                 \
    static_assert(detail::is_floating<T> && N <= 4, "dot is of up to 4 floating-point numbers");    \
    T sum = x[0] * y[0];                                                                            \
    _Pragma("clang loop unroll(full)") for (size i = 1; i < N; i++) {                               \
      sum += x[i] * y[i];                                                                           \
    }                                                                                               \
    return sum;                                                                                     \
  }                                                                                                 \
  template <typename T, size N>                                                                     \
  HEDDLE_INLINE T length(const array<T, N> &x) {                                                    \
    return sqrt(dot(x, x));                                                                         \
  }                                                                                                 \
  template <typename T, size N>                                                                     \
  HEDDLE_INLINE T distance(const array<T, N> &x, const array<T, N> &y) {                            \
    return length(x - y);                                                                           \
  }                                                                                                 \
  template <typename T, size N>                                                                     \
  HEDDLE_INLINE array<T, N> normalize(const array<T, N> &x) {                                       \
    const T all = length(x);                                                                        \
    return all == 0 ? x : x / all;                                                                  \
  }                                                                                                 \
  template <typename T>                                                                             \
  HEDDLE_INLINE array<T, 3> cross(const array<T, 3> &x, const array<T, 3> &y) {                     \
    return {x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]};       \
  }                                                                                                 \
  template <typename T>                                                                             \
  HEDDLE_INLINE array<T, 4> cross(const array<T, 4> &x, const array<T, 4> &y) {                     \
    return {x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0], T(0)}; \
  }
HEDDLE_GEOMETRY(vec, int)
HEDDLE_GEOMETRY(marray, std::size_t)
#undef HEDDLE_GEOMETRY

// Of one number: what they come to.
template <typename T>
HEDDLE_INLINE detail::if_floating<T> dot(T x, T y) {
  return x * y;
}
template <typename T>
HEDDLE_INLINE detail::if_floating<T> length(T x) {
  return fabs(x);
}
template <typename T>
HEDDLE_INLINE detail::if_floating<T> distance(T x, T y) {
  return fabs(x - y);
}
template <typename T>
HEDDLE_INLINE detail::if_floating<T> normalize(T x) {
  return sign(x);
}
// Of swizzles, which are vecs when they are read.
#define HEDDLE_OF_SWIZZLES_2(name)                                                      \
  template <typename V, typename As, int... I, typename T>                              \
  HEDDLE_INLINE auto name(const detail::swizzled<V, As, I...> &x, const T &y) {         \
    return name(static_cast<As>(x), static_cast<As>(y));                                \
  }                                                                                     \
  template <typename V, typename As, int... I, typename T, int N>                       \
  HEDDLE_INLINE auto name(const vec<T, N> &x, const detail::swizzled<V, As, I...> &y) { \
    return name(x, static_cast<As>(y));                                                 \
  }
HEDDLE_OF_SWIZZLES_2(dot)
HEDDLE_OF_SWIZZLES_2(distance)
HEDDLE_OF_SWIZZLES_2(cross)
#undef HEDDLE_OF_SWIZZLES_2
template <typename V, typename As, int... I>
HEDDLE_INLINE auto length(const detail::swizzled<V, As, I...> &x) {
  return length(static_cast<As>(x));
}
template <typename V, typename As, int... I>
HEDDLE_INLINE auto normalize(const detail::swizzled<V, As, I...> &x) {
  return normalize(static_cast<As>(x));
}
template <typename V>
HEDDLE_INLINE auto fast_length(const V &x) {
  return length(x);
}
template <typename V>
HEDDLE_INLINE auto fast_distance(const V &x, const V &y) {
  return distance(x, y);
}
template <typename V>
HEDDLE_INLINE auto fast_normalize(const V &x) {
  return normalize(x);
}

template <typename To, typename From>
constexpr std::enable_if_t<
    sizeof(To) == sizeof(From) && std::is_trivially_copyable_v<To> && std::is_trivially_copyable_v<From>, To>
bit_cast(const From &from) noexcept {
  return __builtin_bit_cast(To, from);
}

#undef HEDDLE_OF_VECS_1
#undef HEDDLE_OF_VECS_2
#undef HEDDLE_OF_VECS_3
#undef HEDDLE_MATHS_1
#undef HEDDLE_MATHS_2
#undef HEDDLE_MATHS_3
#undef HEDDLE_MATHS_INT
#undef HEDDLE_NATIVE_1
#undef HEDDLE_NATIVE_2
#undef HEDDLE_INTEGER_1
#undef HEDDLE_INTEGER_2
#undef HEDDLE_INTEGER_3

}  // namespace sycl

#endif
