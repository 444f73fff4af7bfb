// SPDX-License-Identifier: Apache-2.0
// Images: buffers that OpenCL has as images (buffer.cpp moves them), and how the host reads and writes their pixels:
// OpenCL C 3.0, sections 6.15.15 and 8.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "host/sycl/runtime/impl.hpp"

namespace sycl::detail {

namespace {

using order = image_channel_order;
using type = image_channel_type;

// Of OpenCL's numbers of channel orders and types.
constexpr unsigned first_order = 0x10B0, first_type = 0x10D0;

// The channels of an order, as they lie in memory. x is one that is not there to readers.
const char *channels_of(order o) {
  switch (o) {
    case order::r:
      return "r";
    case order::a:
      return "a";
    case order::rx:
      return "rx";
    case order::rg:
      return "rg";
    case order::rgx:
      return "rgx";
    case order::ra:
      return "ra";
    case order::rgb:
    case order::rgbx:
      return "rgb";
    case order::rgba:
      return "rgba";
    case order::bgra:
      return "bgra";
    case order::argb:
      return "argb";
    case order::abgr:
      return "abgr";
    case order::intensity:
      return "i";
    case order::luminance:
      return "l";
  }
  fail(errc::invalid, "an image of a channel order that there is not");
}

// Of a packed type, which has all channels in one word: the bits of each, red first, in the upper bits.
const unsigned *packed_bits_of(type t) {
  static const unsigned bits_565[] = {5, 6, 5}, bits_555[] = {5, 5, 5}, bits_101010[] = {10, 10, 10};
  return t == type::unorm_short_565    ? bits_565
         : t == type::unorm_short_555  ? bits_555
         : t == type::unorm_int_101010 ? bits_101010
                                       : nullptr;
}

std::size_t channel_bytes_of(type t) {
  switch (t) {
    case type::snorm_int8:
    case type::unorm_int8:
    case type::signed_int8:
    case type::unsigned_int8:
      return 1;
    case type::snorm_int16:
    case type::unorm_int16:
    case type::signed_int16:
    case type::unsigned_int16:
    case type::fp16:
    case type::unorm_short_565:
    case type::unorm_short_555:
      return 2;
    default:
      return 4;
  }
}

// Whether SYCL has names for the order and type, which are from OpenCL.
bool is_known(const image_shape &shape) {
  return (shape.order <= order::rgbx || shape.order == order::abgr) && shape.type <= type::fp32;
}

std::size_t pixel_bytes_of(const image_shape &shape) {
  return packed_bits_of(shape.type) ? channel_bytes_of(shape.type)
                                    : channel_bytes_of(shape.type) * std::strlen(channels_of(shape.order));
}

template <typename T>
T load(const char *from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}
template <typename T>
void store(char *to, double value) {
  const T stored = static_cast<T>(value);
  std::memcpy(to, &stored, sizeof stored);
}

// ---- one channel as a number, and what is stored for a number

double load_channel(type t, const char *from) {
  switch (t) {
    case type::snorm_int8:
      return std::max(load<std::int8_t>(from) / 127.0, -1.0);
    case type::snorm_int16:
      return std::max(load<std::int16_t>(from) / 32767.0, -1.0);
    case type::unorm_int8:
      return load<std::uint8_t>(from) / 255.0;
    case type::unorm_int16:
      return load<std::uint16_t>(from) / 65535.0;
    case type::signed_int8:
      return load<std::int8_t>(from);
    case type::signed_int16:
      return load<std::int16_t>(from);
    case type::signed_int32:
      return load<std::int32_t>(from);
    case type::unsigned_int8:
      return load<std::uint8_t>(from);
    case type::unsigned_int16:
      return load<std::uint16_t>(from);
    case type::unsigned_int32:
      return load<std::uint32_t>(from);
    case type::fp16:
      return static_cast<double>(load<half>(from));
    default:
      return static_cast<double>(load<float>(from));
  }
}

// Rounded to nearest even; not a number is 0.
double whole(double value, double low, double high) {
  return std::isnan(value) ? 0 : std::min(std::max(std::nearbyint(value), low), high);
}

void store_channel(type t, char *to, double value) {
  switch (t) {
    case type::snorm_int8:
      return store<std::int8_t>(to, whole(value * 127, -128, 127));
    case type::snorm_int16:
      return store<std::int16_t>(to, whole(value * 32767, -32768, 32767));
    case type::unorm_int8:
      return store<std::uint8_t>(to, whole(value * 255, 0, 255));
    case type::unorm_int16:
      return store<std::uint16_t>(to, whole(value * 65535, 0, 65535));
    case type::signed_int8:
      return store<std::int8_t>(to, whole(value, -128, 127));
    case type::signed_int16:
      return store<std::int16_t>(to, whole(value, -32768, 32767));
    case type::signed_int32:
      return store<std::int32_t>(to, value);
    case type::unsigned_int8:
      return store<std::uint8_t>(to, whole(value, 0, 255));
    case type::unsigned_int16:
      return store<std::uint16_t>(to, whole(value, 0, 65535));
    case type::unsigned_int32:
      return store<std::uint32_t>(to, value);
    case type::fp16:
      return store<half>(to, value);
    default:
      return store<float>(to, value);
  }
}

// ---- pixels

struct colour {
  double red = 0, green = 0, blue = 0, alpha = 0;
  double &channel(char name) {
    return name == 'g' ? green : name == 'b' ? blue : name == 'a' ? alpha : red;
  }
};

// The channels of a packed type are red, green and blue in the order of their names.
colour load_colour(const image_shape &shape, const char *from) {
  colour c;
  c.alpha = 1;
  if (const unsigned *bits = packed_bits_of(shape.type)) {
    const std::uint32_t word =
        channel_bytes_of(shape.type) == 2 ? load<std::uint16_t>(from) : load<std::uint32_t>(from);
    unsigned at = bits[0] + bits[1] + bits[2];
    for (int i = 0; i < 3; i++) {
      const std::uint32_t most = (1u << bits[i]) - 1;
      at -= bits[i];
      c.channel("rgb"[i]) = (word >> at & most) / static_cast<double>(most);
    }
    return c;
  }
  for (const char *name = channels_of(shape.order); *name != 0; name++, from += channel_bytes_of(shape.type)) {
    const double value = load_channel(shape.type, from);
    if (*name == 'i')
      return {value, value, value, value};
    if (*name == 'l')
      return {value, value, value, 1};
    if (*name != 'x')
      c.channel(*name) = value;
  }
  return c;
}

void store_colour(const image_shape &shape, char *to, colour c) {
  if (const unsigned *bits = packed_bits_of(shape.type)) {
    std::uint32_t word = 0;
    for (int i = 0; i < 3; i++) {
      const double most = (1u << bits[i]) - 1;
      word = word << bits[i] | static_cast<std::uint32_t>(whole(c.channel("rgb"[i]) * most, 0, most));
    }
    if (channel_bytes_of(shape.type) == 2)
      store<std::uint16_t>(to, word);
    else
      store<std::uint32_t>(to, word);
    return;
  }
  for (const char *name = channels_of(shape.order); *name != 0; name++, to += channel_bytes_of(shape.type))
    store_channel(shape.type, to, *name == 'x' ? 0 : c.channel(*name));
}

colour border_of(order o) {
  colour c;
  c.alpha = o == order::r || o == order::rg || o == order::rgb || o == order::luminance ? 1 : 0;
  return c;
}

char *pixel_at(const image_on_host &from, const int (&at)[3]) {
  const image_shape &shape = *from.image->shape;
  std::size_t offset = static_cast<std::size_t>(at[0]) * pixel_bytes_of(shape);
  for (int i = 1; i < shape.axes; i++)
    offset += static_cast<std::size_t>(at[i]) * shape.pitch[i - 1];
  return from.pixels + offset;
}

bool is_inside(const image_shape &shape, const int (&at)[3]) {
  for (int i = 0; i < shape.axes; i++)
    if (at[i] < 0 || static_cast<std::size_t>(at[i]) >= shape.size[i])
      return false;
  return true;
}

colour colour_at(const image_on_host &from, const int (&at)[3]) {
  const image_shape &shape = *from.image->shape;
  return is_inside(shape, at) ? load_colour(shape, pixel_at(from, at)) : border_of(shape.order);
}

// ---- samplers

int floored(float x) {
  return static_cast<int>(whole(static_cast<double>(std::floor(x)), -2e9, 2e9));
}

// Along one axis: the pixels that a read takes, and how far it is from the first to the second.
struct taps {
  int first = 0, second = 0;
  double fraction = 0;
};

// In float, as the formulas of the text are.
taps taps_of(const image_sampler &s, float at, int size) {
  const float pixels = static_cast<float>(size);
  float u = s.coordinate == coordinate_normalization_mode::normalized ? at * pixels : at;
  if (s.addressing == addressing_mode::repeat)
    u = (at - std::floor(at)) * pixels;
  else if (s.addressing == addressing_mode::mirrored_repeat)
    u = std::fabs(at - 2 * std::nearbyint(0.5f * at)) * pixels;
  taps t;
  if (s.filtering == filtering_mode::linear) {
    u -= 0.5f;
    t.first = floored(u);
    t.second = t.first + 1;
    t.fraction = static_cast<double>(u - std::floor(u));
  } else {
    t.first = t.second = floored(u);
  }
  for (int *index : {&t.first, &t.second})
    if (s.addressing == addressing_mode::repeat)
      *index += *index < 0 ? size : *index >= size ? -size : 0;
    else if (s.addressing != addressing_mode::clamp)
      *index = std::clamp(*index, 0, size - 1);
  return t;
}

colour sampled(const image_on_host &from, std::uint32_t word, const float (&at)[3]) {
  const image_shape &shape = *from.image->shape;
  const image_sampler s = sampler_of(word);
  taps along[3];
  for (int i = 0; i < shape.axes; i++)
    along[i] = taps_of(s, at[i], static_cast<int>(shape.size[i]));
  colour sum;
  for (int corner = 0; corner < 1 << shape.axes; corner++) {
    int place[3] = {0, 0, 0};
    double weight = 1;
    for (int i = 0; i < shape.axes; i++) {
      const bool is_second = (corner >> i & 1) != 0;
      place[i] = is_second ? along[i].second : along[i].first;
      weight *= is_second ? along[i].fraction : 1 - along[i].fraction;
    }
    if (weight == 0)
      continue;
    colour one = colour_at(from, place);
    for (const char *name = "rgba"; *name != 0; name++)
      sum.channel(*name) += weight * one.channel(*name);
  }
  return sum;
}

template <typename T>
void give(const colour &from, T (&to)[4]) {
  to[0] = static_cast<T>(from.red), to[1] = static_cast<T>(from.green);
  to[2] = static_cast<T>(from.blue), to[3] = static_cast<T>(from.alpha);
}

template <typename T>
void write(const image_on_host &to, const int (&at)[3], const T (&from)[4]) {
  if (is_inside(*to.image->shape, at))
    store_colour(*to.image->shape, pixel_at(to, at),
                 {static_cast<double>(from[0]), static_cast<double>(from[1]), static_cast<double>(from[2]),
                  static_cast<double>(from[3])});
}

}  // namespace

#define PIXELS(T)                                                                                        \
  void read_pixel(const image_on_host &from, const int (&at)[3], T(&to)[4]) {                            \
    give(colour_at(from, at), to);                                                                       \
  }                                                                                                      \
  void write_pixel(const image_on_host &to, const int (&at)[3], const T(&from)[4]) {                     \
    write(to, at, from);                                                                                 \
  }                                                                                                      \
  void sample_pixel(const image_on_host &from, std::uint32_t sampler, const float (&at)[3], T(&to)[4]) { \
    give(sampled(from, sampler, at), to);                                                                \
  }
PIXELS(float)
PIXELS(std::int32_t)
PIXELS(std::uint32_t)

// ---- images

std::shared_ptr<buffer_impl> make_image(const image_shape &asked, void *host, const property_list &properties) {
  image_shape shape = asked;
  const std::size_t row = shape.size[0] * pixel_bytes_of(shape);
  std::size_t least = row;
  for (int i = 0; i < shape.axes; i++)
    if (shape.size[i] == 0)
      fail(errc::invalid, "an image of no pixels");
  for (int i = 0; i + 1 < shape.axes; i++) {
    if (shape.pitch[i] == 0)
      shape.pitch[i] = least;
    if (shape.pitch[i] < least || shape.pitch[i] % pixel_bytes_of(shape) != 0)
      fail(errc::invalid, "an image's pitch of " + std::to_string(shape.pitch[i]) + " bytes: " +
                              (shape.pitch[i] < least ? "less than the " + std::to_string(least) + " of what lies there"
                                                      : "no multiple of a pixel's size"));
    least = shape.pitch[i] * shape.size[i + 1];
  }
  auto image = make_buffer(least, host, nullptr, properties);
  image->shape = shape;
  return image;
}

std::shared_ptr<buffer_impl> make_image(cl_mem native, int axes, const context &c, const event &available) {
  static const cl_mem_object_type types[] = {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE3D};
  static const cl_image_info sizes[] = {CL_IMAGE_WIDTH, CL_IMAGE_HEIGHT, CL_IMAGE_DEPTH};
  cl_context of = nullptr;
  cl_mem_object_type what = 0;
  ::cl_image_format format = {};
  check(clGetMemObjectInfo(native, CL_MEM_CONTEXT, sizeof of, &of, nullptr), "an OpenCL image", errc::invalid);
  check(clGetMemObjectInfo(native, CL_MEM_TYPE, sizeof what, &what, nullptr), "an OpenCL image", errc::invalid);
  if (of != c.impl->id)
    fail(errc::invalid, "an OpenCL image of another context");
  if (what != types[axes - 1])
    fail(errc::invalid, "an OpenCL memory object that is no image of " + std::to_string(axes) + " dimensions");
  check(clGetImageInfo(native, CL_IMAGE_FORMAT, sizeof format, &format, nullptr), "an OpenCL image", errc::invalid);
  image_shape shape = {static_cast<order>(format.image_channel_order - first_order),
                       static_cast<type>(format.image_channel_data_type - first_type),
                       axes,
                       {1, 1, 1},
                       {0, 0}};
  if (!is_known(shape))
    fail(errc::feature_not_supported, "an OpenCL image of a format that SYCL does not have");
  for (int i = 0; i < axes; i++)
    check(clGetImageInfo(native, sizes[i], sizeof shape.size[i], &shape.size[i], nullptr), "an OpenCL image",
          errc::invalid);
  auto image = make_image(shape, nullptr, {});
  image->be_of(native, c, available);
  return image;
}

const image_shape &shape_of(const buffer_impl &image) {
  return *image.shape;
}

std::size_t bytes_of(const buffer_impl &image) {
  return image.bytes;
}

image_on_host find_image(const buffer_cell *cell) {
  char *pixels = static_cast<char *>(place_on_host(cell));
  return {cell->buffer.get(), pixels};
}

const buffer_cell *require_image(handler &h, const std::shared_ptr<buffer_impl> &image, bool reads, bool writes,
                                 bool is_array, bool is_for_host) {
  if (!is_for_host && !device(h.command->queue.device).has(aspect::image))
    fail(errc::feature_not_supported, describe(h.command->at) + ": the device has no images");
  h.command->buffers.push_back({{}, image, reads, writes, 0});
  h.command->buffers.back().is_array = is_array;
  return &h.command->buffers.back();
}

// OpenCL's, in a context. Of an array the last axis is that of the layers.
cl_mem make_native_image(cl_context context, const image_shape &shape, bool is_array) {
  static const cl_mem_object_type types[] = {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE3D},
                                  arrays[] = {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_ARRAY,
                                              CL_MEM_OBJECT_IMAGE2D_ARRAY};
  const ::cl_image_format format = {first_order + static_cast<cl_channel_order>(shape.order),
                                    first_type + static_cast<cl_channel_type>(shape.type)};
  cl_image_desc desc = {};
  desc.image_type = (is_array ? arrays : types)[shape.axes - 1];
  desc.image_width = shape.size[0];
  const int axes = shape.axes - (is_array ? 1 : 0);
  if (axes > 1)
    desc.image_height = shape.size[1];
  if (axes > 2)
    desc.image_depth = shape.size[2];
  if (is_array)
    desc.image_array_size = shape.size[axes];
  cl_int error;
  cl_mem made = clCreateImage(context, CL_MEM_READ_WRITE, &format, &desc, nullptr, &error);
  check(error, "an image",
        error == CL_IMAGE_FORMAT_NOT_SUPPORTED || error == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR
            ? errc::feature_not_supported
        : error == CL_INVALID_IMAGE_SIZE || error == CL_INVALID_IMAGE_DESCRIPTOR ? errc::invalid
                                                                                 : errc::memory_allocation);
  return made;
}

// Between the host's copy and OpenCL's, until it is done.
void move_image(cl_command_queue queue, cl_mem image, const image_shape &shape, bool is_array, char *host,
                bool is_to_host) {
  const std::size_t origin[3] = {0, 0, 0};
  // Of an array of rows the pitch is from layer to layer.
  const bool is_of_rows = is_array && shape.axes == 2;
  const std::size_t row = shape.axes > 1 && !is_of_rows ? shape.pitch[0] : 0;
  const std::size_t slice = is_of_rows ? shape.pitch[0] : shape.axes > 2 ? shape.pitch[1] : 0;
  check(is_to_host
            ? clEnqueueReadImage(queue, image, CL_TRUE, origin, shape.size, row, slice, host, 0, nullptr, nullptr)
            : clEnqueueWriteImage(queue, image, CL_TRUE, origin, shape.size, row, slice, host, 0, nullptr, nullptr),
        is_to_host ? "reading an image" : "writing an image");
}

}  // namespace sycl::detail
