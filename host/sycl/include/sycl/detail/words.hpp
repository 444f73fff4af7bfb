// SPDX-License-Identifier: Apache-2.0
// Values of any trivially copyable type as words of 32 bits, for what the device moves between lanes.
#ifndef HEDDLE_SYCL_DETAIL_WORDS_HPP
#define HEDDLE_SYCL_DETAIL_WORDS_HPP

#include "../device_copyable.hpp"
#include "device_functions.hpp"

#ifdef __SYCL_DEVICE_ONLY__
namespace sycl::detail {

// A value of which each word is what `move` makes of it.
template <typename T, typename Move>
HEDDLE_INLINE T move_words(const T &value, Move move) {
  static_assert(is_device_copyable_v<T>, "only trivially copyable types go from one work-item to another");
  constexpr unsigned count = (sizeof(T) + 3) / 4;
  if constexpr (std::is_integral_v<T> && sizeof(T) <= 4) {
    return static_cast<T>(move(static_cast<std::uint32_t>(value)));
  } else {
    std::uint32_t words[count];
    words[count - 1] = 0;
    __builtin_memcpy(words, &value, sizeof value);
#pragma clang loop unroll(full)
    for (unsigned i = 0; i < count; i++)
      words[i] = move(words[i]);
    union room {  // T need not have a default constructor
      T value;
      HEDDLE_INLINE room() {}
    } result;
    __builtin_memcpy(&result.value, words, sizeof(T));
    return result.value;
  }
}

template <typename T>
HEDDLE_INLINE T shuffle_words(const T &value, std::uint32_t lane) {
  return move_words(
      value, [=](std::uint32_t word) __attribute__((always_inline)) { return device::sub_group_shuffle(word, lane); });
}

}  // namespace sycl::detail
#endif

#endif
