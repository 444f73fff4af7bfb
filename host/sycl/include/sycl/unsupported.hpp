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

enum class image_format {
  r8g8b8a8_unorm,
  r16g16b16a16_unorm,
  r8g8b8a8_sint,
  r16g16b16a16_sint,
  r32b32g32a32_sint,
  r8g8b8a8_uint,
  r16g16b16a16_uint,
  r32b32g32a32_uint,
  r16b16g16a16_sfloat,
  r32g32b32a32_sfloat,
  b8g8r8a8_unorm
};
enum class image_target { device, host_task };
enum class addressing_mode { none, mirrored_repeat, repeat, clamp_to_edge, clamp };
enum class filtering_mode { nearest, linear };
enum class coordinate_normalization_mode { normalized, unnormalized };
enum class coordinate_mode { normalized, unnormalized };

namespace detail {
// Does what is asked of it, so that the class alone is what clang names.
struct missing {
  template <typename... T>
  missing(const T &...) {}
  template <typename T>
  operator T() const;
  template <typename T>
  missing operator[](const T &) const;
  template <typename... T>
  missing read(const T &...) const;
  template <typename... T>
  void write(const T &...) const;
  template <typename... T>
  missing get_access(const T &...) const;
  template <typename A, typename... T>
  missing get_access(const T &...) const;
  template <typename A, access_mode, typename... T>
  missing get_access(const T &...) const;
  missing get_range() const;
  std::size_t size() const;
  std::size_t byte_size() const;
};
}  // namespace detail

#define HEDDLE_NO_IMAGES __attribute__((unavailable("images are not supported: use a buffer")))
#define HEDDLE_IMAGE(name)                               \
  template <int D = 1, typename... Rest>                 \
  class HEDDLE_NO_IMAGES name : public detail::missing { \
   public:                                               \
    using missing::missing;                              \
  };
HEDDLE_IMAGE(image)
HEDDLE_IMAGE(sampled_image)
HEDDLE_IMAGE(unsampled_image)
#undef HEDDLE_IMAGE
#define HEDDLE_IMAGE_ACCESSOR(name)                      \
  template <typename T, int D, auto... Rest>             \
  class HEDDLE_NO_IMAGES name : public detail::missing { \
   public:                                               \
    using missing::missing;                              \
  };
HEDDLE_IMAGE_ACCESSOR(sampled_image_accessor)
HEDDLE_IMAGE_ACCESSOR(unsampled_image_accessor)
HEDDLE_IMAGE_ACCESSOR(host_sampled_image_accessor)
HEDDLE_IMAGE_ACCESSOR(host_unsampled_image_accessor)
#undef HEDDLE_IMAGE_ACCESSOR
class HEDDLE_NO_IMAGES sampler : public detail::missing {
 public:
  using missing::missing;
};
class HEDDLE_NO_IMAGES image_sampler : public detail::missing {
 public:
  using missing::missing;
};
#undef HEDDLE_NO_IMAGES

}  // namespace sycl

#endif
