// SPDX-License-Identifier: Apache-2.0
// Images of SYCL 2020 and of SYCL 1.2.1, read and written by kernels and by the host, against a reference written from
// the text of OpenCL C (tests/hls/image_reference.h).
#include <CL/cl.h>

#include <cmath>
#include <cstring>
#include <mutex>

#include "tests/sycl/suite.hpp"

namespace reference {
extern "C" {
#include "tests/hls/image_reference.h"
}
}  // namespace reference

using sycl::access_mode;
using sycl::image_format;
using sycl::image_target;
using sycl::range;

// OpenCL's numbers of channel orders and types (CL/cl.h).
static constexpr std::uint32_t rgba = 0x10B5, bgra = 0x10B6, first_order = 0x10B0, first_type = 0x10D0;
static constexpr struct {
  image_format format;
  const char *name;
  reference::format as_opencl;
} all_formats[] = {
    {image_format::r8g8b8a8_unorm, "r8g8b8a8_unorm", {rgba, 0x10D2}},
    {image_format::r16g16b16a16_unorm, "r16g16b16a16_unorm", {rgba, 0x10D3}},
    {image_format::r8g8b8a8_sint, "r8g8b8a8_sint", {rgba, 0x10D7}},
    {image_format::r16g16b16a16_sint, "r16g16b16a16_sint", {rgba, 0x10D8}},
    {image_format::r32b32g32a32_sint, "r32b32g32a32_sint", {rgba, 0x10D9}},
    {image_format::r8g8b8a8_uint, "r8g8b8a8_uint", {rgba, 0x10DA}},
    {image_format::r16g16b16a16_uint, "r16g16b16a16_uint", {rgba, 0x10DB}},
    {image_format::r32b32g32a32_uint, "r32b32g32a32_uint", {rgba, 0x10DC}},
    {image_format::r16b16g16a16_sfloat, "r16b16g16a16_sfloat", {rgba, 0x10DD}},
    {image_format::r32g32b32a32_sfloat, "r32g32b32a32_sfloat", {rgba, 0x10DE}},
    {image_format::b8g8r8a8_unorm, "b8g8r8a8_unorm", {bgra, 0x10D2}},
};
// The names of later revisions.
static_assert(image_format::r32g32b32a32_sint == image_format::r32b32g32a32_sint);
static_assert(image_format::r32g32b32a32_uint == image_format::r32b32g32a32_uint);
static_assert(image_format::r16g16b16a16_sfloat == image_format::r16b16g16a16_sfloat);

// RTL takes every fourth case: tests/hls has all of these functions on it.
static bool is_left_out() {
  static const bool is_rtl = sycl::device().get_info<sycl::info::device::name>().find("Heddle sim") == 0;
  static unsigned number;
  return is_rtl && number++ % 4 != 0;
}

// ---- pictures: small, with different sizes along each axis

template <int D>
static range<D> size_of_pictures() {
  if constexpr (D == 1)
    return range<1>(7);
  else if constexpr (D == 2)
    return range<2>(5, 4);
  else
    return range<3>(4, 3, 3);
}

struct painted {
  std::vector<unsigned char> bytes;
  reference::picture picture;
  painted(reference::format format, int axes, const std::size_t *size, std::size_t row_padding = 0,
          bool is_array = false) {
    const std::size_t pixel = reference::format_bytes(format), row = (size[0] + row_padding) * pixel;
    const int y = static_cast<int>(size[1]), z = static_cast<int>(size[2]);
    bytes.resize(row * size[1] * size[2]);
    unsigned state = 12345;
    for (std::size_t i = 0; i < bytes.size(); i++) {
      state = state * 1664525 + 1013904223;
      bytes[i] = static_cast<unsigned char>(state >> 24);
    }
    // Of floats and halves numbers near 1.
    for (std::size_t at = 0; at < bytes.size() && format.type >= 0x10DD; at += format.type == 0x10DD ? 2 : 4) {
      const float value = static_cast<float>(bytes[at]) / 64 - 2;
      const sycl::half as_half = static_cast<sycl::half>(value);
      if (format.type == 0x10DD)
        std::memcpy(&bytes[at], &as_half, sizeof as_half);
      else
        std::memcpy(&bytes[at], &value, sizeof value);
    }
    const bool is_layer_of_rows = is_array && axes == 1;
    picture = {format,
               axes,
               is_array,
               static_cast<int>(size[0]),
               axes > 1 ? y : 1,
               axes > 2 ? z : 1,
               !is_array   ? 1
               : axes == 1 ? y
                           : z,
               row,
               is_layer_of_rows ? row : row * size[1],
               bytes.data(),
               bytes.size()};
  }
};

template <int D>
static painted paint(reference::format format, std::size_t row_padding = 0) {
  const range<D> r = size_of_pictures<D>();
  std::size_t size[3] = {1, 1, 1};
  for (int i = 0; i < D; i++)
    size[i] = r[i];
  return painted(format, D, size, row_padding);
}

template <typename E, int D>
using coordinates = std::conditional_t<D == 1, E, sycl::vec<E, D == 2 ? 2 : 4>>;
template <typename E, int D>
static coordinates<E, D> coordinates_of(E x, [[maybe_unused]] E y, [[maybe_unused]] E z) {
  if constexpr (D == 1)
    return x;
  else if constexpr (D == 2)
    return {x, y};
  else
    return {x, y, z, E(0)};
}

// Where number n is, of the pixels of such a picture.
template <int D>
static sycl::id<3> place_of(std::size_t n, const range<D> &size) {
  sycl::id<3> place(0, 0, 0);
  for (int i = 0; i < D; i++) {
    place[i] = n % size[i];
    n /= size[i];
  }
  return place;
}

template <typename Colour>
static void check_colour(const Colour &got, const reference::colour &expected, double more_tolerance, const char *what,
                         std::size_t n) {
  for (int c = 0; c < 4 && !expected.is_undefined; c++) {
    // Of halves the last bit.
    const double value = static_cast<double>(got[c]),
                 last = sizeof(got[c]) == 2 ? std::fabs(expected.values[c]) / 2048 + 6e-8 : 0;
    check(std::fabs(value - expected.values[c]) <= expected.tolerance[c] + more_tolerance + last,
          "%s: channel %d of %zu: expected %.9g within %g, got %.9g", what, c, n, expected.values[c],
          expected.tolerance[c] + more_tolerance, value);
  }
}

// ---- unsampled images

// Each pixel of one image goes to the place across it in the other. A kernel reads one and writes the other.
template <typename Colour, int D>
static void turn(sycl::queue &queue, sycl::unsampled_image<D> &from, sycl::unsampled_image<D> &to) {
  const range<D> size = from.get_range();
  queue.submit([&](sycl::handler &h) {
    sycl::unsampled_image_accessor<Colour, D, access_mode::read> read(from, h);
    auto write = to.template get_access<Colour, access_mode::write>(h, {sycl::no_init});
    h.parallel_for(range<1>(size.size()), [=](sycl::id<1> i) {
      const sycl::id<3> a = place_of<D>(i[0], size), b = place_of<D>(size.size() - 1 - i[0], size);
      const auto at = [](const sycl::id<3> &p) {
        return coordinates_of<int, D>(static_cast<int>(p[0]), static_cast<int>(p[1]), static_cast<int>(p[2]));
      };
      write.write(at(b), read.read(at(a)));
    });
  });
}

template <typename Colour, int D>
static void check_turned(image_format format, reference::format as_opencl, const char *name) {
  sycl::queue queue;
  const range<D> size = size_of_pictures<D>();
  painted source = paint<D>(as_opencl), target = paint<D>(as_opencl);
  {
    sycl::unsampled_image<D> from(source.bytes.data(), format, size), to(target.bytes.data(), format, size);
    check(from.size() == size.size() && from.get_range() == size && from.byte_size() == source.bytes.size(),
          "%s: sizes of an image", name);
    turn<Colour>(queue, from, to);
    sycl::host_unsampled_image_accessor<Colour, D, access_mode::read> host(to);
    for (std::size_t n = 0; n < size.size(); n++) {
      const sycl::id<3> p = place_of<D>(size.size() - 1 - n, size), q = place_of<D>(n, size);
      check_colour(
          host.read(coordinates_of<int, D>(static_cast<int>(p[0]), static_cast<int>(p[1]), static_cast<int>(p[2]))),
          reference::picture_pixel(&source.picture, static_cast<int>(q[0]), static_cast<int>(q[1]),
                                   static_cast<int>(q[2])),
          0, name, n);
    }
  }
  const std::size_t bytes = reference::format_bytes(as_opencl);
  for (std::size_t n = 0; n < size.size(); n++)
    check(std::memcmp(&source.bytes[n * bytes], &target.bytes[(size.size() - 1 - n) * bytes], bytes) == 0,
          "%s: pixel %zu of %d dimensions is not what was written", name, n, D);
}

template <int D>
static void check_all_turned() {
  for (const auto &f : all_formats) {
    if (reference::format_is_signed(f.as_opencl))
      check_turned<sycl::int4, D>(f.format, f.as_opencl, f.name);
    else if (reference::format_is_unsigned(f.as_opencl))
      check_turned<sycl::uint4, D>(f.format, f.as_opencl, f.name);
    else
      check_turned<sycl::float4, D>(f.format, f.as_opencl, f.name);
    if (f.format == image_format::r16b16g16a16_sfloat || f.format == image_format::r8g8b8a8_unorm)
      check_turned<sycl::half4, D>(f.format, f.as_opencl, f.name);
  }
}

PROMISE(images, of_every_format_are_read_and_written) {
  check_all_turned<1>();
  check_all_turned<2>();
  check_all_turned<3>();
}

// ---- sampled images

static constexpr struct {
  sycl::addressing_mode mode;
  reference::addressing as_opencl;
} all_addressing[] = {{sycl::addressing_mode::none, reference::ADDRESS_NONE},
                      {sycl::addressing_mode::clamp_to_edge, reference::CLAMP_TO_EDGE},
                      {sycl::addressing_mode::clamp, reference::CLAMP_TO_BORDER},
                      {sycl::addressing_mode::repeat, reference::REPEAT},
                      {sycl::addressing_mode::mirrored_repeat, reference::MIRRORED_REPEAT}};
constexpr std::size_t places = 24;

// Inside and outside, of an axis so many pixels long.
static float place_on_axis(std::size_t n, int axis, std::size_t size, bool is_normalized) {
  const float pixels = static_cast<float>((n * 37 + static_cast<std::size_t>(axis) * 11) % places) *
                           (static_cast<float>(size) + 3) / static_cast<float>(places) -
                       1.37f;
  return is_normalized ? pixels / static_cast<float>(size) : pixels;
}

template <typename Colour, int D>
static void check_sampled(image_format format, reference::format as_opencl, const char *name, std::size_t padding,
                          const sycl::image_sampler &s, const reference::sampler &in_reference) {
  static sycl::queue queue;
  const range<D> size = size_of_pictures<D>();
  painted source = paint<D>(as_opencl, padding);
  const auto image = [&] {
    if constexpr (D == 1) {
      return sycl::sampled_image<1>(source.bytes.data(), format, s, size);
    } else {
      const reference::picture &p = source.picture;
      range<D - 1> pitch;
      pitch[0] = p.row_pitch;
      if constexpr (D == 3)
        pitch[1] = p.slice_pitch;
      return padding != 0 ? sycl::sampled_image<D>(source.bytes.data(), format, s, size, pitch)
                          : sycl::sampled_image<D>(source.bytes.data(), format, s, size);
    }
  };
  sycl::sampled_image<D> from = image();
  std::vector<float> at(3 * places);
  for (std::size_t n = 0; n < places; n++)
    for (int i = 0; i < D; i++)
      at[3 * n + static_cast<std::size_t>(i)] = place_on_axis(n, i, size[i], in_reference.normalized);
  std::vector<Colour> got(places);
  {
    sycl::buffer<float, 1> places_of(at);
    sycl::buffer<Colour, 1> results(got.data(), places);
    queue.submit([&](sycl::handler &h) {
      auto sample = from.template get_access<Colour>(h);
      sycl::accessor where(places_of, h, sycl::read_only);
      sycl::accessor to(results, h, sycl::write_only);
      h.parallel_for(range<1>(places), [=](sycl::id<1> i) {
        to[i] = sample.read(coordinates_of<float, D>(where[3 * i[0]], where[3 * i[0] + 1], where[3 * i[0] + 2]));
      });
    });
  }
  sycl::host_sampled_image_accessor<Colour, D> host(from);
  for (std::size_t n = 0; n < places; n++) {
    const reference::colour expected = reference::picture_sample(&source.picture, in_reference, &at[3 * n]);
    char what[128];
    std::snprintf(what, sizeof what, "%s, %dD, addressing %d, %s, %s", name, D, in_reference.addressing,
                  in_reference.normalized ? "normalized" : "unnormalized", in_reference.linear ? "linear" : "nearest");
    check_colour(got[n], expected, 0, what, n);
    check_colour(host.read(coordinates_of<float, D>(at[3 * n], at[3 * n + 1], at[3 * n + 2])), expected, 1e-6, what, n);
  }
}

template <typename Colour, int D>
static void check_all_sampled(image_format format, bool is_filtered) {
  const auto &f = all_formats[static_cast<int>(format)];
  for (const auto &a : all_addressing) {
    for (int more = 0; more < (is_filtered ? 4 : 2); more++) {
      const bool is_normalized = (more & 1) != 0, is_linear = (more & 2) != 0;
      // These two are of normalized coordinates.
      if (!is_normalized && (a.as_opencl == reference::REPEAT || a.as_opencl == reference::MIRRORED_REPEAT))
        continue;
      if (is_left_out())
        continue;
      check_sampled<Colour, D>(f.format, f.as_opencl, f.name, is_linear ? 3 : 0,
                               {a.mode,
                                is_normalized ? sycl::coordinate_normalization_mode::normalized
                                              : sycl::coordinate_normalization_mode::unnormalized,
                                is_linear ? sycl::filtering_mode::linear : sycl::filtering_mode::nearest},
                               {is_normalized, is_linear, a.as_opencl});
    }
  }
}

template <int D>
static void check_formats_sampled() {
  check_all_sampled<sycl::float4, D>(image_format::r8g8b8a8_unorm, true);
  check_all_sampled<sycl::float4, D>(image_format::b8g8r8a8_unorm, true);
  check_all_sampled<sycl::float4, D>(image_format::r16g16b16a16_unorm, true);
  check_all_sampled<sycl::float4, D>(image_format::r32g32b32a32_sfloat, true);
  check_all_sampled<sycl::half4, D>(image_format::r16b16g16a16_sfloat, true);
  check_all_sampled<sycl::int4, D>(image_format::r16g16b16a16_sint, false);
  check_all_sampled<sycl::uint4, D>(image_format::r8g8b8a8_uint, false);
}

PROMISE(images, of_one_dimension_are_sampled_as_the_text_says) {
  check_formats_sampled<1>();
}
PROMISE(images, of_two_dimensions_are_sampled_as_the_text_says) {
  check_formats_sampled<2>();
}
PROMISE(images, of_three_dimensions_are_sampled_as_the_text_says) {
  check_formats_sampled<3>();
}

// ---- SYCL 1.2.1

// Of a format of that version, the picture is read as it is and by a sampler, by a kernel and the host.
template <typename Colour>
static void check_old(sycl::queue &queue, reference::format format) {
  const range<2> size(6, 4);
  const std::size_t sizes[3] = {6, 4, 1};
  painted source(format, 2, sizes);
  sycl::image<2> image(source.bytes.data(), static_cast<sycl::image_channel_order>(format.order - first_order),
                       static_cast<sycl::image_channel_type>(format.type - first_type), size);
  const sycl::sampler border(sycl::coordinate_normalization_mode::unnormalized, sycl::addressing_mode::clamp,
                             sycl::filtering_mode::nearest);
  sycl::buffer<Colour, 1> plain(size.size()), sampled(size.size());
  queue.submit([&](sycl::handler &h) {
    auto read = image.get_access<Colour, sycl::access::mode::read>(h);
    sycl::accessor to(plain, h, sycl::write_only), to_sampled(sampled, h, sycl::write_only);
    h.parallel_for(range<1>(size.size()), [=](sycl::id<1> i) {
      const int x = static_cast<int>(i[0] % 6), y = static_cast<int>(i[0] / 6);
      to[i] = read.read(sycl::int2(x, y));
      to_sampled[i] = read.read(sycl::float2(static_cast<float>(x) + 1.5f, static_cast<float>(y) - 0.5f), border);
    });
  });
  char what[64];
  std::snprintf(what, sizeof what, "order %#x, type %#x", format.order, format.type);
  const auto host = image.get_access<Colour, sycl::access::mode::read>();
  sycl::host_accessor got(plain, sycl::read_only), got_sampled(sampled, sycl::read_only);
  for (std::size_t n = 0; n < size.size(); n++) {
    const int x = static_cast<int>(n % 6), y = static_cast<int>(n / 6);
    const float at[2] = {static_cast<float>(x) + 1.5f, static_cast<float>(y) - 0.5f};
    const reference::colour expected = reference::picture_pixel(&source.picture, x, y, 0),
                            expected_sampled = reference::picture_sample(
                                &source.picture, {false, false, reference::CLAMP_TO_BORDER}, at);
    check_colour(got[n], expected, 0, what, n);
    check_colour(host.read(sycl::int2(x, y)), expected, 1e-7, what, n);
    check_colour(got_sampled[n], expected_sampled, 0, what, n);
    check_colour(host.read(sycl::float2(at[0], at[1]), border), expected_sampled, 1e-7, what, n);
  }
}

PROMISE(images, of_the_older_version_have_all_its_formats) {
  sycl::queue queue;
  for (std::size_t i = 0; i < reference::format_count; i++) {
    const reference::format format = reference::formats[i];
    const bool is_sycls = format.order <= 0x10BC || format.order == 0x10C3;  // not of depths or sRGB
    if (!is_sycls || is_left_out())
      continue;
    if (reference::format_is_signed(format))
      check_old<sycl::int4>(queue, format);
    else if (reference::format_is_unsigned(format))
      check_old<sycl::uint4>(queue, format);
    else
      check_old<sycl::float4>(queue, format);
  }
}

PROMISE(images, are_arrays_of_images_of_a_dimension_less) {
  sycl::queue queue;
  const sycl::sampler edge(sycl::coordinate_normalization_mode::unnormalized, sycl::addressing_mode::clamp_to_edge,
                           sycl::filtering_mode::linear);
  using order = sycl::image_channel_order;
  using type = sycl::image_channel_type;
  sycl::image<2> rows(order::rgba, type::fp32, range<2>(6, 3));
  sycl::image<3> pictures(order::rgba, type::fp32, range<3>(4, 3, 2));
  sycl::buffer<sycl::float4, 1> between(3 + 2);
  queue.submit([&](sycl::handler &h) {
    sycl::accessor<sycl::float4, 1, sycl::access::mode::discard_write, sycl::access::target::image_array> to_rows(rows,
                                                                                                                  h);
    sycl::accessor<sycl::float4, 2, sycl::access::mode::discard_write, sycl::access::target::image_array> to_pictures(
        pictures, h);
    h.parallel_for(range<1>(24), [=](sycl::id<1> n) {
      const int i = static_cast<int>(n[0]);
      if (i < 18)
        to_rows[n[0] / 6].write(i % 6, sycl::float4(static_cast<float>(i % 6), static_cast<float>(i / 6), 0, 1));
      to_pictures[n[0] / 12].write(sycl::int2(i % 4, i / 4 % 3), sycl::float4(static_cast<float>(i)));
    });
  });
  queue.submit([&](sycl::handler &h) {
    sycl::accessor<sycl::float4, 1, sycl::access::mode::read, sycl::access::target::image_array> from_rows(rows, h);
    sycl::accessor<sycl::float4, 2, sycl::access::mode::read, sycl::access::target::image_array> from_pictures(pictures,
                                                                                                               h);
    sycl::accessor to(between, h, sycl::write_only);
    h.single_task([=] {
      for (std::size_t row = 0; row < 3; row++)
        to[row] = from_rows[row].read(2.25f, edge);
      for (std::size_t layer = 0; layer < 2; layer++)
        to[3 + layer] = from_pictures[layer].read(sycl::int2(3, 1));
    });
  });
  sycl::host_accessor got(between, sycl::read_only);
  for (std::size_t row = 0; row < 3; row++)
    check(got[row].x() == 1.75f && got[row].y() == static_cast<float>(row), "row %zu: got %g, %g", row, got[row].x(),
          got[row].y());
  check(got[3].x() == 7 && got[4].x() == 19, "layers: got %g and %g", got[3].x(), got[4].x());
  // The same memory as an image of all dimensions, to a kernel and to the host.
  queue.submit([&](sycl::handler &h) {
    auto read = pictures.get_access<sycl::float4, sycl::access::mode::read>(h);
    sycl::accessor<sycl::float4, 1, sycl::access::mode::write, sycl::access::target::image_array> write(rows, h);
    h.single_task([=] { write[1].write(5, read.read(sycl::int4(2, 2, 1, 0))); });
  });
  const auto all_rows = rows.get_access<sycl::float4, sycl::access::mode::read>();
  check(all_rows.read(sycl::int2(5, 1)).x() == 22 && all_rows.read(sycl::int2(4, 1)).x() == 4, "got %g and %g",
        all_rows.read(sycl::int2(5, 1)).x(), all_rows.read(sycl::int2(4, 1)).x());
}

// ---- how images live

static void add_one(sycl::queue &queue, sycl::unsampled_image<1> &image) {
  queue.submit([&](sycl::handler &h) {
    auto both = image.get_access<sycl::uint4>(h);
    h.parallel_for(image.get_range(), [=](sycl::id<1> i) {
      const int at = static_cast<int>(i[0]);
      both.write(at, both.read(at) + sycl::uint4(1));
    });
  });
}

PROMISE(images, go_where_their_final_data_is) {
  sycl::queue queue;
  std::vector<std::uint32_t> words(16, 40), other(16), others;
  auto shared = std::make_shared<std::vector<std::uint32_t>>(16, 60);
  auto weak = std::shared_ptr<std::uint32_t>(new std::uint32_t[16](), [](std::uint32_t *p) { delete[] p; });
  const image_format format = image_format::r32g32b32a32_uint;
  {
    std::mutex mutex;
    sycl::unsampled_image<1> own(words.data(), format, range<1>(4), {sycl::property::image::use_mutex(mutex)});
    check(own.has_property<sycl::property::image::use_mutex>(), "the image has no mutex");
    add_one(queue, own);
    sycl::unsampled_image<1> copy = own;  // a reference
    check(copy == own && std::hash<sycl::unsampled_image<1>>()(copy) == std::hash<sycl::unsampled_image<1>>()(own),
          "a copy is another image");
  }
  check(words[0] == 41 && words[15] == 41, "host memory: got %u, %u", words[0], words[15]);
  {
    sycl::unsampled_image<1> to_pointer(words.data(), format, range<1>(4));
    to_pointer.set_final_data(other.data());
    add_one(queue, to_pointer);
    sycl::unsampled_image<1> to_list(words.data(), format, range<1>(4));
    to_list.set_final_data(std::back_inserter(others));
    add_one(queue, to_list);
    sycl::unsampled_image<1> to_weak(words.data(), format, range<1>(4));
    to_weak.set_final_data(std::weak_ptr<std::uint32_t>(weak));
    add_one(queue, to_weak);
    sycl::unsampled_image<1> nowhere(words.data(), format, range<1>(4));
    nowhere.set_write_back(false);
    add_one(queue, nowhere);
  }
  check(words[0] == 41 && other[0] == 42 && other[15] == 42 && weak.get()[7] == 42, "got %u, %u, %u, %u", words[0],
        other[0], other[15], weak.get()[7]);
  check(others.size() == 16 && others[3] == 42, "a list got %zu words", others.size());
  const std::weak_ptr<std::vector<std::uint32_t>> watched = shared;
  {
    std::shared_ptr<void> memory(shared, shared->data());
    sycl::unsampled_image<1> kept(memory, format, range<1>(4));
    std::uint32_t *data = shared->data();
    shared.reset();
    memory.reset();
    add_one(queue, kept);
    queue.wait();
    check(!watched.expired(), "the memory of a shared_ptr is gone before the image");
    sycl::host_unsampled_image_accessor<sycl::uint4, 1> host(kept);
    check(host.read(3).w() == 61, "got %u", host.read(3).w());
    host.write(2, sycl::uint4(9));
    check(data[8] == 9, "got %u", data[8]);
  }
  check(watched.expired(), "an image keeps memory after it is gone");
}

PROMISE(images, are_used_by_host_tasks) {
  sycl::queue queue;
  std::vector<float> numbers(2 * 3 * 4, 0.25f), others = numbers;
  sycl::unsampled_image<2> image(numbers.data(), image_format::r32g32b32a32_sfloat, range<2>(3, 2));
  sycl::sampled_image<2> sampled(
      others.data(), image_format::r32g32b32a32_sfloat,
      {sycl::addressing_mode::clamp_to_edge, sycl::coordinate_mode::normalized, sycl::filtering_mode::nearest},
      range<2>(3, 2));
  queue.submit([&](sycl::handler &h) {
    auto write = image.get_access<sycl::float4, access_mode::write>(h);
    h.parallel_for(range<2>(3, 2), [=](sycl::id<2> i) {
      write.write(sycl::int2(static_cast<int>(i[0]), static_cast<int>(i[1])), sycl::float4(static_cast<float>(i[0])));
    });
  });
  queue.submit([&](sycl::handler &h) {
    auto read = image.get_access<const sycl::float4, access_mode::read, image_target::host_task>(h);
    auto sample = sampled.get_access<sycl::float4, image_target::host_task>(h);
    sycl::unsampled_image_accessor<sycl::float4, 2, access_mode::write, image_target::host_task> write(image, h);
    h.host_task([=] {
      for (int x = 0; x < 3; x++)
        write.write(sycl::int2(x, 1), read.read(sycl::int2(x, 0)) + sample.read(sycl::float2(0.5f, 0.5f)) + 10.0f);
    });
  });
  // By OpenCL's object: the last pixel of the second row.
  queue.submit([&](sycl::handler &h) {
    const auto write = image.get_access<sycl::float4, access_mode::write>(h);
    const auto sample = sampled.get_access<sycl::float4>(h);
    h.host_task([=](const sycl::interop_handle &handle) {
      constexpr auto opencl = sycl::backend::opencl;
      const std::vector<cl_mem> memory = handle.get_native_mem<opencl>(write),
                                other = handle.get_native_mem<opencl>(sample);
      const std::size_t at[3] = {2, 1, 0}, one[3] = {1, 1, 1};
      float pixel[4];
      clEnqueueReadImage(handle.get_native_queue<opencl>(), other[0], CL_TRUE, at, one, 0, 0, pixel, 0, nullptr,
                         nullptr);
      pixel[1] += 12;
      clEnqueueFillImage(handle.get_native_queue<opencl>(), memory[0], pixel, at, one, 0, nullptr, nullptr);
    });
  });
  sycl::buffer<float, 1> result(3);
  queue.submit([&](sycl::handler &h) {
    auto read = image.get_access<const sycl::float4>(h);
    sycl::accessor to(result, h, sycl::write_only);
    h.parallel_for(range<1>(3), [=](sycl::id<1> i) { to[i] = read.read(sycl::int2(static_cast<int>(i[0]), 1)).y(); });
  });
  sycl::host_accessor got(result, sycl::read_only);
  for (std::size_t x = 0; x < 3; x++)
    check(got[x] == static_cast<float>(x) + 10.25f, "%zu: got %g", x, got[x]);
}

// ---- what cannot be

template <typename F>
static void check_error(sycl::errc expected, const char *what, const F &f) {
  try {
    f();
  } catch (const sycl::exception &e) {
    check(e.code() == expected, "%s: error code %d: %s", what, e.code().value(), e.what());
    return;
  }
  check(false, "%s: no error", what);
}

static void touch(sycl::queue &queue, sycl::image<2> &image) {
  queue.submit([&](sycl::handler &h) {
    auto write = image.get_access<sycl::float4, sycl::access::mode::write>(h);
    h.single_task([=] { write.write(sycl::int2(0, 0), sycl::float4(1)); });
  });
  queue.wait_and_throw();
}

PROMISE(images, of_the_wrong_kind_are_errors) {
  sycl::queue queue;
  using order = sycl::image_channel_order;
  using type = sycl::image_channel_type;
  float memory[64] = {};
  const image_format format = image_format::r32g32b32a32_sfloat;
  check_error(sycl::errc::invalid, "a row pitch of less than a row",
              [&] { sycl::unsampled_image<2>(memory, format, range<2>(4, 2), range<1>(48)); });
  check_error(sycl::errc::invalid, "a row pitch of parts of pixels",
              [&] { sycl::unsampled_image<2>(memory, format, range<2>(3, 2), range<1>(52)); });
  check_error(sycl::errc::invalid, "a slice pitch of less than a slice",
              [&] { sycl::unsampled_image<3>(memory, format, range<3>(2, 2, 2), range<2>(32, 32)); });
  check_error(sycl::errc::invalid, "no pixels", [&] { sycl::unsampled_image<2>(memory, format, range<2>(0, 2)); });
  check_error(sycl::errc::feature_not_supported, "a format that no device has", [&] {
    sycl::image<2> image(order::rgb, type::fp32, range<2>(2, 2));
    touch(queue, image);
  });
  check_error(sycl::errc::invalid, "more columns than the device has", [&] {
    sycl::image<2> image(order::r, type::unorm_int8,
                         range<2>(queue.get_device().get_info<sycl::info::device::image2d_max_width>() + 1, 1));
    touch(queue, image);
  });
  sycl::unsampled_image<1> image(memory, format, range<1>(4));
  check_error(sycl::errc::invalid, "no_init to read", [&] {
    queue.submit([&](sycl::handler &h) {
      sycl::unsampled_image_accessor<sycl::float4, 1, access_mode::read> read(image, h, {sycl::no_init});
    });
  });
  check_error(sycl::errc::accessor, "an accessor of kernels in the host", [&] {
    queue.submit([&](sycl::handler &h) {
      sycl::unsampled_image_accessor<sycl::float4, 1, access_mode::read, image_target::host_task> read(image, h);
      (void)read.read(0);
    });
  });
  const sycl::device device = queue.get_device();
  check(device.has(sycl::aspect::image) && device.get_info<sycl::info::device::image_support>() &&
            device.get_info<sycl::info::device::image3d_max_depth>() >= 2048 &&
            device.get_info<sycl::info::device::max_samplers>() >= 16 &&
            device.get_info<sycl::info::device::image_max_array_size>() >= 256,
        "what the device says of images");
}
