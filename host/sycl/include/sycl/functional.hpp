// SPDX-License-Identifier: Apache-2.0
// Function objects and their identities: SYCL 2020, sections 4.17.2 and 4.9.2.1.
#ifndef HEDDLE_SYCL_FUNCTIONAL_HPP
#define HEDDLE_SYCL_FUNCTIONAL_HPP

#include <functional>
#include <istream>
#include <limits>
#include <ostream>

#include "detail/defines.hpp"

namespace sycl {

using half = _Float16;

}  // namespace sycl

#ifndef __STDCPP_FLOAT16_T__  // else the C++ library has it
// Of half, which to the C++ library is no type of numbers before C++23.
template <>
class std::numeric_limits<_Float16> {
  static constexpr _Float16 of_bits(unsigned short bits) noexcept {
    return __builtin_bit_cast(_Float16, bits);
  }

 public:
  static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false;
  static constexpr bool has_infinity = true, has_quiet_NaN = true, has_signaling_NaN = true;
  static constexpr bool is_iec559 = true, is_bounded = true, is_modulo = false;
  static constexpr bool traps = false, tinyness_before = false, has_denorm_loss = false;
  static constexpr std::float_denorm_style has_denorm = std::denorm_present;
  static constexpr std::float_round_style round_style = std::round_to_nearest;
  static constexpr int radix = 2, digits = 11, digits10 = 3, max_digits10 = 5;
  static constexpr int min_exponent = -13, min_exponent10 = -4, max_exponent = 16, max_exponent10 = 4;
  static constexpr _Float16 min() noexcept {
    return of_bits(0x0400);
  }
  static constexpr _Float16 max() noexcept {
    return of_bits(0x7bff);
  }
  static constexpr _Float16 lowest() noexcept {
    return of_bits(0xfbff);
  }
  static constexpr _Float16 epsilon() noexcept {
    return of_bits(0x1400);
  }
  static constexpr _Float16 round_error() noexcept {
    return of_bits(0x3800);
  }
  static constexpr _Float16 infinity() noexcept {
    return of_bits(0x7c00);
  }
  static constexpr _Float16 quiet_NaN() noexcept {
    return of_bits(0x7e00);
  }
  static constexpr _Float16 signaling_NaN() noexcept {
    return of_bits(0x7d00);
  }
  static constexpr _Float16 denorm_min() noexcept {
    return of_bits(0x0001);
  }
};
// As a float, which has all of its values.
namespace std {
template <typename Traits>
basic_ostream<char, Traits> &operator<<(basic_ostream<char, Traits> &to, _Float16 x) {
  return to << static_cast<float>(x);
}
template <typename Traits>
basic_istream<char, Traits> &operator>>(basic_istream<char, Traits> &from, _Float16 &x) {
  float value;
  if (from >> value)
    x = static_cast<_Float16>(value);
  return from;
}
}  // namespace std
#endif

namespace sycl {

#define HEDDLE_FUNCTION(name, expression)                                                                         \
  template <typename T = void>                                                                                    \
  struct name {                                                                                                   \
    HEDDLE_INLINE constexpr T operator()(const T &x, const T &y) const {                                          \
      return static_cast<T>(expression);                                                                          \
    }                                                                                                             \
  };                                                                                                              \
  template <>                                                                                                     \
  struct name<void> {                                                                                             \
    template <typename T, typename U>                                                                             \
    HEDDLE_INLINE constexpr auto operator()(const T &x, const U &y) const -> std::decay_t<decltype(expression)> { \
      return expression;                                                                                          \
    }                                                                                                             \
  };
HEDDLE_FUNCTION(plus, x + y)
HEDDLE_FUNCTION(multiplies, x *y)
HEDDLE_FUNCTION(bit_and, x &y)
HEDDLE_FUNCTION(bit_or, x | y)
HEDDLE_FUNCTION(bit_xor, x ^ y)
HEDDLE_FUNCTION(logical_and, x &&y)
HEDDLE_FUNCTION(logical_or, x || y)
HEDDLE_FUNCTION(minimum, y < x ? y : x)
HEDDLE_FUNCTION(maximum, x < y ? y : x)
#undef HEDDLE_FUNCTION

namespace detail {

// Which of the functions above a type is, whatever its operands.
template <typename F>
struct function_kind {
  static constexpr char value = 0;
};
#define HEDDLE_KIND(name, letter)         \
  template <typename T>                   \
  struct function_kind<name<T>> {         \
    static constexpr char value = letter; \
  };
HEDDLE_KIND(plus, '+')
HEDDLE_KIND(multiplies, '*')
HEDDLE_KIND(bit_and, '&')
HEDDLE_KIND(bit_or, '|')
HEDDLE_KIND(bit_xor, '^')
HEDDLE_KIND(logical_and, 'a')
HEDDLE_KIND(logical_or, 'o')
// Those of the C++ library do the same.
HEDDLE_KIND(std::plus, '+')
HEDDLE_KIND(std::multiplies, '*')
HEDDLE_KIND(std::bit_and, '&')
HEDDLE_KIND(std::bit_or, '|')
HEDDLE_KIND(std::bit_xor, '^')
HEDDLE_KIND(std::logical_and, 'a')
HEDDLE_KIND(std::logical_or, 'o')
HEDDLE_KIND(minimum, '<')
HEDDLE_KIND(maximum, '>')
#undef HEDDLE_KIND

template <typename T>
constexpr bool is_number = std::is_arithmetic_v<T> || std::is_same_v<T, _Float16>;

template <typename F, typename T>
constexpr bool has_identity() {
  constexpr char kind = function_kind<F>::value;
  return kind == '&' || kind == '|' || kind == '^' ? std::is_integral_v<T> : kind != 0 && is_number<T>;
}

template <typename F, typename T>
constexpr T identity_of() {
  using limits = std::numeric_limits<T>;
  constexpr char kind = function_kind<F>::value;
  if constexpr (kind == '*' || kind == 'a')
    return T(1);
  else if constexpr (kind == '&')
    return static_cast<T>(~T(0));
  else if constexpr (kind == '<')
    return limits::has_infinity ? limits::infinity() : limits::max();
  else if constexpr (kind == '>')
    return limits::has_infinity ? static_cast<T>(-limits::infinity()) : limits::lowest();
  else
    return T(0);
}

}  // namespace detail

template <typename F, typename T>
struct has_known_identity : std::bool_constant<detail::has_identity<std::decay_t<F>, std::decay_t<T>>()> {};
template <typename F, typename T>
inline constexpr bool has_known_identity_v = has_known_identity<F, T>::value;
template <typename F, typename T>
struct known_identity {
  static constexpr std::decay_t<T> value = detail::identity_of<std::decay_t<F>, std::decay_t<T>>();
};
template <typename F, typename T>
inline constexpr std::decay_t<T> known_identity_v = known_identity<F, T>::value;

}  // namespace sycl

#endif
