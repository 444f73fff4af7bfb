// SPDX-License-Identifier: Apache-2.0
// is_device_copyable: SYCL 2020, section 3.13.1. What may be copied to the device by its bytes. A program may
// specialize it for a type of its own.
#ifndef HEDDLE_SYCL_DEVICE_COPYABLE_HPP
#define HEDDLE_SYCL_DEVICE_COPYABLE_HPP

#include <array>
#include <optional>
#include <string_view>
#include <tuple>
#include <variant>

#include "detail/defines.hpp"

namespace sycl {

template <typename T>
struct is_device_copyable : std::is_trivially_copyable<T> {};
template <typename T>
inline constexpr bool is_device_copyable_v = is_device_copyable<T>::value;

template <typename T>
struct is_device_copyable<const T> : is_device_copyable<T> {};
template <typename T>
struct is_device_copyable<volatile T> : is_device_copyable<T> {};
template <typename T>
struct is_device_copyable<const volatile T> : is_device_copyable<T> {};
template <typename T, std::size_t N>
struct is_device_copyable<T[N]> : is_device_copyable<T> {};
template <typename T, std::size_t N>
struct is_device_copyable<const T[N]> : is_device_copyable<T> {};
template <typename T, std::size_t N>
struct is_device_copyable<std::array<T, N>> : is_device_copyable<T> {};
template <typename T>
struct is_device_copyable<std::optional<T>> : is_device_copyable<T> {};
template <typename A, typename B>
struct is_device_copyable<std::pair<A, B>> : std::conjunction<is_device_copyable<A>, is_device_copyable<B>> {};
template <typename... T>
struct is_device_copyable<std::tuple<T...>> : std::conjunction<is_device_copyable<T>...> {};
template <typename... T>
struct is_device_copyable<std::variant<T...>> : std::conjunction<is_device_copyable<T>...> {};
template <typename T, typename Traits>
struct is_device_copyable<std::basic_string_view<T, Traits>> : std::true_type {};

}  // namespace sycl

#endif
