// SPDX-License-Identifier: Apache-2.0
// Conversions of a number to another type in a rounding mode: SYCL 2020, section 4.14.2.3.
#ifndef HEDDLE_SYCL_DETAIL_ROUNDING_HPP
#define HEDDLE_SYCL_DETAIL_ROUNDING_HPP

#include <limits>

#include "../functional.hpp"

namespace sycl {

enum class rounding_mode { automatic, rte, rtz, rtp, rtn };

namespace detail {

// The next floating-point number above or below.
template <typename T>
HEDDLE_INLINE constexpr T next_number(T x, bool is_above) {
  using bits = std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                  std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;
  constexpr bits sign = static_cast<bits>(bits(1) << (8 * sizeof(T) - 1));
  if (x == T(0))
    return __builtin_bit_cast(T, static_cast<bits>(is_above ? 1 : sign | 1));
  const bits of = __builtin_bit_cast(bits, x);
  return __builtin_bit_cast(T, static_cast<bits>((x > T(0)) == is_above ? of + 1 : of - 1));
}

// -1: y, to which x was rounded, is less than x. 1: it is greater.
template <typename T, typename U>
HEDDLE_INLINE constexpr int side_of(T x, U y) {
  if constexpr (std::is_integral_v<T>) {
    if (y >= static_cast<U>(std::numeric_limits<T>::max()))  // which is rounded up
      return 1;
    if (y == -std::numeric_limits<U>::infinity())
      return -1;
  }
  const T back = static_cast<T>(y);
  return back < x ? -1 : back > x ? 1 : 0;
}

template <typename U, rounding_mode Mode, typename T>
HEDDLE_INLINE constexpr U converted(T x) {
  constexpr bool is_to_integer = std::is_integral_v<U> && !std::is_integral_v<T>;
  constexpr bool is_directed = Mode == rounding_mode::rtz || Mode == rounding_mode::rtp || Mode == rounding_mode::rtn;
  if constexpr (is_to_integer && Mode == rounding_mode::rte) {
    return static_cast<U>(__builtin_rint(static_cast<double>(x)));
  } else if constexpr (is_to_integer && Mode == rounding_mode::rtp) {
    return static_cast<U>(__builtin_ceil(static_cast<double>(x)));
  } else if constexpr (is_to_integer && Mode == rounding_mode::rtn) {
    return static_cast<U>(__builtin_floor(static_cast<double>(x)));
  } else if constexpr (is_directed && !std::is_integral_v<U> &&
                       std::numeric_limits<U>::digits < std::numeric_limits<T>::digits) {
    const U nearest = static_cast<U>(x);
    const int side = side_of(x, nearest);
    const bool is_up = Mode == rounding_mode::rtp || (Mode == rounding_mode::rtz && x < T(0));
    return side != 0 && (side < 0) == is_up ? next_number(nearest, is_up) : nearest;
  } else {
    return static_cast<U>(x);
  }
}

}  // namespace detail
}  // namespace sycl

#endif
