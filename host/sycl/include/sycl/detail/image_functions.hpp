// SPDX-License-Identifier: Apache-2.0
// What reads and writes pixels. In kernels: the image functions of OpenCL C (hls/lib/images.cl), by the number of axes
// and whether there are layers. In the host: functions of the runtime, which do the same (runtime/image.cpp).
#ifndef HEDDLE_SYCL_DETAIL_IMAGE_FUNCTIONS_HPP
#define HEDDLE_SYCL_DETAIL_IMAGE_FUNCTIONS_HPP

#include "device_functions.hpp"

namespace sycl::detail {

struct buffer_impl;

// An image as host memory.
struct image_on_host {
  const buffer_impl *image = nullptr;  // which says what it is like
  char *pixels = nullptr;
};
// In a host task. Throws where the accessor is not one of it.
image_on_host find_image(const buffer_cell *);
// Of a pixel; coordinates behind the image's are not looked at. Outside of the image a read gives the border colour and
// a write does nothing.
void read_pixel(const image_on_host &, const int (&at)[3], float (&colour)[4]);
void read_pixel(const image_on_host &, const int (&at)[3], std::int32_t (&colour)[4]);
void read_pixel(const image_on_host &, const int (&at)[3], std::uint32_t (&colour)[4]);
void write_pixel(const image_on_host &, const int (&at)[3], const float (&colour)[4]);
void write_pixel(const image_on_host &, const int (&at)[3], const std::int32_t (&colour)[4]);
void write_pixel(const image_on_host &, const int (&at)[3], const std::uint32_t (&colour)[4]);
// By a sampler's word.
void sample_pixel(const image_on_host &, std::uint32_t sampler, const float (&at)[3], float (&colour)[4]);
void sample_pixel(const image_on_host &, std::uint32_t sampler, const float (&at)[3], std::int32_t (&colour)[4]);
void sample_pixel(const image_on_host &, std::uint32_t sampler, const float (&at)[3], std::uint32_t (&colour)[4]);

#ifdef __SYCL_DEVICE_ONLY__
template <typename E, int N>
struct device_vector_of {
  using type = E __attribute__((ext_vector_type(N)));
};
template <typename E>
struct device_vector_of<E, 1> {
  using type = E;
};
template <typename E, int N>
using device_vector = typename device_vector_of<E, N>::type;

// The functions for one element type: reads, reads by a sampler, and writes. `length` is that of the reads' names,
// `write_length` of the writes', `vector` how coordinates are mangled and `colour` how a colour behind them is.
#define HEDDLE_PIXELS(E, suffix, length, write_length, type, vector, colour)                                \
  static device_vector<E, 4> read_##suffix(                                                                 \
      image_pointer, ints) __asm__("__heddle_builtin_Z" length "read_image" #suffix type "_ro" vector "i"); \
  static device_vector<E, 4> read_rw_##suffix(                                                              \
      image_pointer, ints) __asm__("__heddle_builtin_Z" length "read_image" #suffix type "_rw" vector "i"); \
  static device_vector<E, 4> sample_##suffix(image_pointer, std::uint32_t, floats) __asm__(                 \
      "__heddle_builtin_Z" length "read_image" #suffix type "_ro11ocl_sampler" vector "f");                 \
  static device_vector<E, 4> sample_##suffix(image_pointer, std::uint32_t, ints) __asm__(                   \
      "__heddle_builtin_Z" length "read_image" #suffix type "_ro11ocl_sampler" vector "i");                 \
  static void write_##suffix(image_pointer, ints, device_vector<E, 4>) __asm__(                             \
      "__heddle_builtin_Z" write_length "write_image" #suffix type "_wo" vector "i" colour);                \
  static void write_rw_##suffix(image_pointer, ints, device_vector<E, 4>) __asm__(                          \
      "__heddle_builtin_Z" write_length "write_image" #suffix type "_rw" vector "i" colour);

template <int Axes, bool IsArray>
struct image_functions;
#define HEDDLE_IMAGES(axes, is_array, numbers, type, vector, colour_i)  \
  template <>                                                           \
  struct image_functions<axes, is_array> {                              \
    static constexpr int coordinates = numbers;                         \
    using ints = device_vector<int, numbers>;                           \
    using floats = device_vector<float, numbers>;                       \
    HEDDLE_PIXELS(float, f, "11", "12", type, vector, "Dv4_f")          \
    HEDDLE_PIXELS(_Float16, h, "11", "12", type, vector, "Dv4_Dh")      \
    HEDDLE_PIXELS(std::int32_t, i, "11", "12", type, vector, colour_i)  \
    HEDDLE_PIXELS(std::uint32_t, ui, "12", "13", type, vector, "Dv4_j") \
  };
HEDDLE_IMAGES(1, false, 1, "14ocl_image1d", "", "Dv4_i")
HEDDLE_IMAGES(2, false, 2, "14ocl_image2d", "Dv2_", "Dv4_i")
HEDDLE_IMAGES(3, false, 4, "14ocl_image3d", "Dv4_", "S0_")
HEDDLE_IMAGES(1, true, 2, "20ocl_image1d_array", "Dv2_", "Dv4_i")
HEDDLE_IMAGES(2, true, 4, "20ocl_image2d_array", "Dv4_", "S0_")
#undef HEDDLE_IMAGES
#undef HEDDLE_PIXELS

// One of them, by its name and the colour's element type.
#define HEDDLE_OF_ELEMENT(call, ...)                  \
  if constexpr (std::is_same_v<E, float>)             \
    return functions::call##_f(__VA_ARGS__);          \
  else if constexpr (std::is_same_v<E, _Float16>)     \
    return functions::call##_h(__VA_ARGS__);          \
  else if constexpr (std::is_same_v<E, std::int32_t>) \
    return functions::call##_i(__VA_ARGS__);          \
  else                                                \
    return functions::call##_ui(__VA_ARGS__);
template <typename E, int Axes, bool IsArray>
struct pixels {
  using functions = image_functions<Axes, IsArray>;
  template <bool IsWritten>
  static HEDDLE_INLINE auto read(image_pointer image, typename functions::ints at) {
    if constexpr (IsWritten)
      HEDDLE_OF_ELEMENT(read_rw, image, at)
    else
      HEDDLE_OF_ELEMENT(read, image, at)
  }
  template <typename Coordinates>
  static HEDDLE_INLINE auto sample(image_pointer image, std::uint32_t sampler, Coordinates at) {
    HEDDLE_OF_ELEMENT(sample, image, sampler, at)
  }
  template <bool IsRead>
  static HEDDLE_INLINE void write(image_pointer image, typename functions::ints at, device_vector<E, 4> colour) {
    if constexpr (IsRead)
      HEDDLE_OF_ELEMENT(write_rw, image, at, colour)
    else
      HEDDLE_OF_ELEMENT(write, image, at, colour)
  }
};
#undef HEDDLE_OF_ELEMENT
#endif

}  // namespace sycl::detail

#endif
