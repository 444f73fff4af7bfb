// SPDX-License-Identifier: Apache-2.0
// What is not there is named as missing, in one line, where a program uses it.
#ifndef HEDDLE_SYCL_UNSUPPORTED_HPP
#define HEDDLE_SYCL_UNSUPPORTED_HPP

#include "group.hpp"

namespace sycl {

enum class image_channel_order { a, r, rx, rg, rgx, ra, rgb, rgbx, rgba, argb, bgra, intensity, luminance, abgr };
enum class image_channel_type {
  snorm_int8,
  snorm_int16,
  unorm_int8,
  unorm_int16,
  unorm_short_565,
  unorm_short_555,
  unorm_int_101010,
  signed_int8,
  signed_int16,
  signed_int32,
  unsigned_int8,
  unsigned_int16,
  unsigned_int32,
  fp16,
  fp32
};

namespace detail {
template <typename>
constexpr bool is_there = false;
}

#define HEDDLE_UNSUPPORTED(name, words)              \
  template <int D = 1, typename... Rest>             \
  class name {                                       \
   public:                                           \
    template <typename First, typename... Arguments> \
    name(First &&, Arguments &&...) {                \
      static_assert(detail::is_there<First>, words); \
    }                                                \
  };
HEDDLE_UNSUPPORTED(image, "images are not supported: use a buffer")
HEDDLE_UNSUPPORTED(sampled_image, "images are not supported: use a buffer")
HEDDLE_UNSUPPORTED(unsampled_image, "images are not supported: use a buffer")
#undef HEDDLE_UNSUPPORTED
template <typename T, int D = 1>
class private_memory {
 public:
  template <int E>
  explicit private_memory(const group<E> &) {
    static_assert(detail::is_there<T>, "private_memory is not supported: use an nd_range kernel with barriers");
  }
};

}  // namespace sycl

#endif
