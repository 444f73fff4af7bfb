// SPDX-License-Identifier: Apache-2.0
// Images: SYCL 2020, sections 4.7.3, 4.7.6.12, 4.7.6.13 and 4.7.8: unsampled_image, sampled_image and their accessors.
// Of SYCL 1.2.1, sections 4.7.3 and 4.7.6: image, sampler, and accessors of images. To kernels they are OpenCL's.
//
// Unlike a buffer's, the first number of a range or of coordinates is along a row.
#ifndef HEDDLE_SYCL_IMAGE_HPP
#define HEDDLE_SYCL_IMAGE_HPP

#include "buffer.hpp"
#include "detail/image_functions.hpp"
#include "vec.hpp"

namespace sycl {

// The values of the next two are OpenCL's, without 0x10B0 and 0x10D0.
enum class image_channel_order { r, a, rg, ra, rgb, rgba, bgra, argb, intensity, luminance, rx, rgx, rgbx, abgr = 19 };
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
  b8g8r8a8_unorm,
  // The names above have b and g as the text first had them; later revisions do not.
  r32g32b32a32_sint = r32b32g32a32_sint,
  r32g32b32a32_uint = r32b32g32a32_uint,
  r16g16b16a16_sfloat = r16b16g16a16_sfloat
};
enum class image_target { device, host_task };
// The values are OpenCL's, which are in a sampler's word.
enum class addressing_mode { none, clamp_to_edge, clamp, repeat, mirrored_repeat };
enum class filtering_mode { nearest, linear };
enum class coordinate_normalization_mode { unnormalized, normalized };
using coordinate_mode = coordinate_normalization_mode;

using image_allocator = std::allocator<std::byte>;

struct image_sampler {
  addressing_mode addressing;
  coordinate_normalization_mode coordinate;
  filtering_mode filtering;
};

namespace detail {

// As contract/image.h has it.
constexpr std::uint32_t sampler_word(addressing_mode a, coordinate_normalization_mode c, filtering_mode f) {
  return static_cast<std::uint32_t>(c) | static_cast<std::uint32_t>(a) << 1 | 0x10u << static_cast<std::uint32_t>(f);
}
constexpr image_sampler sampler_of(std::uint32_t word) {
  return {static_cast<addressing_mode>(word >> 1 & 7), static_cast<coordinate_normalization_mode>(word & 1),
          (word & 0x20) != 0 ? filtering_mode::linear : filtering_mode::nearest};
}

struct image_shape {
  image_channel_order order;
  image_channel_type type;
  int axes;
  std::size_t size[3];   // in pixels; 1 behind the last axis
  std::size_t pitch[2];  // in bytes, from a row to the next and from a slice to the next; 0: without gaps
};
constexpr std::pair<image_channel_order, image_channel_type> parts_of(image_format format) {
  using type = image_channel_type;
  constexpr image_channel_type types[] = {type::unorm_int8,     type::unorm_int16,    type::signed_int8,
                                          type::signed_int16,   type::signed_int32,   type::unsigned_int8,
                                          type::unsigned_int16, type::unsigned_int32, type::fp16,
                                          type::fp32,           type::unorm_int8};
  return {format == image_format::b8g8r8a8_unorm ? image_channel_order::bgra : image_channel_order::rgba,
          types[static_cast<int>(format)]};
}

// Pitches that are given are put into the shape, those that are not are worked out: throws errc::invalid where a row or
// slice does not fit.
std::shared_ptr<buffer_impl> make_image(const image_shape &, void *host, const property_list &);
const image_shape &shape_of(const buffer_impl &);
std::size_t bytes_of(const buffer_impl &);
// What a command does with an image, as an array of images of an axis less or not. Throws where the queue's device has
// none.
const buffer_cell *require_image(handler &, const std::shared_ptr<buffer_impl> &, bool reads, bool writes,
                                 bool is_array, bool is_for_host);

template <typename T>
struct colour_of {
  static constexpr bool is_one = false;
};
template <typename T>
struct colour_of<const T> : colour_of<T> {};
#define HEDDLE_COLOUR(E)                 \
  template <>                            \
  struct colour_of<vec<E, 4>> {          \
    static constexpr bool is_one = true; \
    using element = E;                   \
  };
HEDDLE_COLOUR(float)
HEDDLE_COLOUR(half)
HEDDLE_COLOUR(std::int32_t)
HEDDLE_COLOUR(std::uint32_t)
#undef HEDDLE_COLOUR

// Coordinates: a number, or a vec of 2, or of 4 where there are 3.
template <typename E, int N>
using coordinates = std::conditional_t<N == 1, E, vec<E, N == 2 ? 2 : 4>>;
template <int N, typename E>
HEDDLE_INLINE E coordinate(const coordinates<E, N> &all, int i) {
  if constexpr (N == 1)
    return all;
  else
    return all[i];
}

template <access_mode Mode>
inline constexpr bool can_read =
    Mode == access_mode::read || Mode == access_mode::read_write || Mode == access_mode::discard_read_write;

// Pixels of T's colours in host memory. Of an array the layer is behind the axes of one image.
template <typename T, int Axes>
class pixels_on_host {
  using colour = std::remove_const_t<T>;
  using element = typename colour_of<T>::element;
  using number = std::conditional_t<std::is_same_v<element, half>, float, element>;

 public:
  static colour read(const image_on_host &from, const coordinates<int, Axes> &at, int layer = 0) {
    number got[4];
    read_pixel(from, place_of<int, int>(at, layer).numbers, got);
    return made(got);
  }
  template <typename E>
  static colour sample(const image_on_host &from, std::uint32_t sampler, const coordinates<E, Axes> &at,
                       int layer = 0) {
    number got[4];
    sample_pixel(from, sampler, place_of<float, E>(at, layer).numbers, got);
    return made(got);
  }
  static void write(const image_on_host &to, const coordinates<int, Axes> &at, const colour &value, int layer = 0) {
    const number given[4] = {value[0], value[1], value[2], value[3]};
    write_pixel(to, place_of<int, int>(at, layer).numbers, given);
  }

 private:
  template <typename To>
  struct place {
    To numbers[3];
  };
  template <typename To, typename E>
  static place<To> place_of(const coordinates<E, Axes> &at, int layer) {
    place<To> all = {};
    for (int i = 0; i < Axes; i++)
      all.numbers[i] = static_cast<To>(coordinate<Axes, E>(at, i));
    if constexpr (Axes < 3)
      all.numbers[Axes] = static_cast<To>(layer);
    return all;
  }
  static colour made(const number (&from)[4]) {
    return colour(static_cast<element>(from[0]), static_cast<element>(from[1]), static_cast<element>(from[2]),
                  static_cast<element>(from[3]));
  }
};

// What accessors of images share: one in a command, of T's colours. Axes are those of one image; of an array of images
// there is a layer behind them.
template <typename T, int Axes, access_mode Mode, bool IsForHost, bool IsArray = false>
class image_access_of {
  static_assert(colour_of<T>::is_one, "the colours of an image are float4, half4, int4 or uint4");
  static_assert(!std::is_const_v<T> || Mode == access_mode::read, "an accessor of constant colours is to read from");
  using colour = std::remove_const_t<T>;
  using element = typename colour_of<T>::element;

 public:
  static constexpr bool is_read = can_read<Mode>, is_written = writes(Mode);

  image_access_of() = default;
  image_access_of(handler &h, const std::shared_ptr<buffer_impl> &image, const property_list &p) {
    set_cell(require_image(h, image, needs_contents<Mode>(p), is_written, IsArray, IsForHost));
  }

  HEDDLE_INLINE colour read(const coordinates<int, Axes> &at, [[maybe_unused]] int layer = 0) const {
#ifdef __SYCL_DEVICE_ONLY__
    return made(functions::template read<is_written>(leaf_[0].image, device_coordinates<int>(at, layer)));
#else
    return on_host::read(find_image(cell()), at, layer);
#endif
  }
  template <typename E>
  HEDDLE_INLINE colour sample(std::uint32_t sampler, const coordinates<E, Axes> &at,
                              [[maybe_unused]] int layer = 0) const {
#ifdef __SYCL_DEVICE_ONLY__
    return made(functions::sample(leaf_[0].image, sampler, device_coordinates<E>(at, layer)));
#else
    return on_host::template sample<E>(find_image(cell()), sampler, at, layer);
#endif
  }
  HEDDLE_INLINE void write(const coordinates<int, Axes> &at, const colour &value,
                           [[maybe_unused]] int layer = 0) const {
#ifdef __SYCL_DEVICE_ONLY__
    const device_vector<element, 4> to = {value[0], value[1], value[2], value[3]};
    functions::template write<is_read>(leaf_[0].image, device_coordinates<int>(at, layer), to);
#else
    on_host::write(find_image(cell()), at, value, layer);
#endif
  }
  const buffer_cell *host_cell() const {  // for the runtime only
#ifdef __SYCL_DEVICE_ONLY__
    return nullptr;
#else
    return cell();
#endif
  }
  HEDDLE_INLINE friend bool operator==(const image_access_of &a, const image_access_of &b) {
    return a.cell() == b.cell();
  }
  HEDDLE_INLINE friend bool operator!=(const image_access_of &a, const image_access_of &b) {
    return a.cell() != b.cell();
  }

 private:
  static constexpr unsigned kind = image_kind(is_read && is_written ? image_read_write
                                              : is_written          ? image_write_only
                                                                    : image_read_only,
                                              Axes, IsArray);
  image_leaf<kind> leaf_[1] = {};  // an array, so that it is walked as a whole
#ifdef __SYCL_DEVICE_ONLY__
  using functions = pixels<element, Axes, IsArray>;
  static HEDDLE_INLINE colour made(device_vector<element, 4> from) {
    return colour(from[0], from[1], from[2], from[3]);
  }
  template <typename E>
  static HEDDLE_INLINE auto device_coordinates(const coordinates<E, Axes> &at, [[maybe_unused]] int layer) {
    constexpr int count = image_functions<Axes, IsArray>::coordinates;
    if constexpr (count == 1) {
      return at;
    } else {
      device_vector<E, count> all = 0;
      for (int i = 0; i < Axes; i++)
        all[i] = coordinate<Axes, E>(at, i);
      if constexpr (IsArray)
        all[Axes] = static_cast<E>(layer);
      return all;
    }
  }
  HEDDLE_INLINE image_pointer cell() const {
    return leaf_[0].image;
  }
  void set_cell(const buffer_cell *) {}
#else
  using on_host = pixels_on_host<T, Axes>;
  const buffer_cell *cell() const {
    return leaf_[0].cell;
  }
  void set_cell(const buffer_cell *cell) {
    leaf_[0].cell = cell;
  }
#endif
};

// The same of the host, outside of a command.
template <typename T, int D, access_mode Mode>
class image_access_of_host {
  static_assert(colour_of<T>::is_one, "the colours of an image are float4, half4, int4 or uint4");
  static_assert(!std::is_const_v<T> || Mode == access_mode::read, "an accessor of constant colours is to read from");
  using colour = std::remove_const_t<T>;
  using on_host = pixels_on_host<T, D>;

 public:
  image_access_of_host() = default;
  image_access_of_host(const std::shared_ptr<buffer_impl> &image, const property_list &p) {
    open_ = std::make_shared<opened<Mode>>(image, needs_contents<Mode>(p));
  }
  colour read(const coordinates<int, D> &at) const {
    return on_host::read(place(), at);
  }
  template <typename E>
  colour sample(std::uint32_t sampler, const coordinates<E, D> &at) const {
    return on_host::template sample<E>(place(), sampler, at);
  }
  void write(const coordinates<int, D> &at, const colour &value) const {
    on_host::write(place(), at, value);
  }
  friend bool operator==(const image_access_of_host &a, const image_access_of_host &b) {
    return a.open_ == b.open_;
  }
  friend bool operator!=(const image_access_of_host &a, const image_access_of_host &b) {
    return a.open_ != b.open_;
  }

 private:
  image_on_host place() const {
    return {open_->impl.get(), open_->data};
  }
  std::shared_ptr<opened<Mode>> open_;
};

// What all classes of images share.
template <int D, typename Allocator>
class image_base {
  static_assert(D >= 1 && D <= 3, "an image has 1, 2 or 3 dimensions");

 public:
  range<D> get_range() const {
    range<D> r;
    for (int i = 0; i < D; i++)
      r[i] = shape_of(*impl()).size[i];
    return r;
  }
  template <int E = D, typename = std::enable_if_t<(E > 1)>>
  range<E - 1> get_pitch() const {
    range<E - 1> r;
    for (int i = 0; i < E - 1; i++)
      r[i] = shape_of(*impl()).pitch[i];
    return r;
  }
  std::size_t size() const noexcept {
    return get_range().size();
  }
  std::size_t get_count() const noexcept {
    return size();
  }
  std::size_t byte_size() const noexcept {
    return bytes_of(*impl());
  }
  std::size_t get_size() const noexcept {
    return byte_size();
  }
  Allocator get_allocator() const {
    return allocator_;
  }
  template <typename Property>
  bool has_property() const noexcept {
    return properties_.template has_property<Property>();
  }
  template <typename Property>
  Property get_property() const {
    return properties_.template get_property<Property>();
  }
  const std::shared_ptr<buffer_impl> &impl() const {  // for the runtime only
    return owner_->impl;
  }

 protected:
  explicit image_base(std::shared_ptr<buffer_owner> owner) : owner_(std::move(owner)) {}
  // Without pitches it is nullptr.
  template <typename Pitch>
  image_base(const void *host, const std::pair<image_channel_order, image_channel_type> &parts, const range<D> &r,
             const Pitch &pitch, const property_list &p, Allocator a = Allocator())
      : properties_(p), allocator_(a) {
    image_shape shape = {parts.first, parts.second, D, {1, 1, 1}, {0, 0}};
    for (int i = 0; i < D; i++)
      shape.size[i] = r[i];
    if constexpr (!std::is_same_v<Pitch, std::nullptr_t>)
      for (int i = 0; i < D - 1; i++)
        shape.pitch[i] = pitch[i];
    owner_ = std::make_shared<buffer_owner>(make_image(shape, const_cast<void *>(host), p));
  }
  void keep_host(const std::shared_ptr<const void> &host) {
    keep(*impl(), host);
  }
  // A pointer, an output iterator, a weak_ptr, or nullptr for nowhere.
  template <typename Destination>
  void set_destination(Destination destination) {
    if constexpr (std::is_same_v<Destination, std::nullptr_t>) {
      detail::set_final_data(*impl(), nullptr);
    } else {
      const std::size_t bytes = byte_size();
      detail::set_final_data(*impl(), [=](const void *contents) { write_to(destination, contents, bytes); });
    }
  }
  void set_writing_back(bool flag) {
    set_write_back(*impl(), flag);
  }

 private:
  template <typename T>
  static void write_to(T *to, const void *contents, std::size_t bytes) {
    std::memcpy(to, contents, bytes);
  }
  template <typename T>
  static void write_to(const std::weak_ptr<T> &to, const void *contents, std::size_t bytes) {
    if (const auto there = to.lock())
      std::memcpy(there.get(), contents, bytes);
  }
  template <typename Iterator, typename = typename std::iterator_traits<Iterator>::iterator_category>
  static void write_to(Iterator to, const void *contents, std::size_t bytes) {
    if constexpr (std::is_void_v<typename std::iterator_traits<Iterator>::value_type>)
      write_elements<typename Iterator::container_type::value_type>(to, contents, bytes);
    else
      write_elements<typename std::iterator_traits<Iterator>::value_type>(to, contents, bytes);
  }
  template <typename V, typename Iterator>
  static void write_elements(Iterator to, const void *contents, std::size_t bytes) {
    const char *from = static_cast<const char *>(contents);
    for (std::size_t at = 0; at + sizeof(V) <= bytes; at += sizeof(V)) {
      V value;
      std::memcpy(&value, from + at, sizeof value);
      *to++ = value;
    }
  }
  property_list properties_;
  Allocator allocator_;
  std::shared_ptr<buffer_owner> owner_;
};
}  // namespace detail

// ---- images

template <typename T, int D, access_mode Mode, image_target Target = image_target::device>
class unsampled_image_accessor;
template <typename T, int D = 1, access_mode Mode = std::is_const_v<T> ? access_mode::read : access_mode::read_write>
class host_unsampled_image_accessor;
template <typename T, int D, image_target Target = image_target::device>
class sampled_image_accessor;
template <typename T, int D>
class host_sampled_image_accessor;

// The constructors of an image that take these parameters, with pitches or an allocator behind them or not. `host` is a
// pointer or nullptr, `body` what is done at the end.
#define HEDDLE_CONSTRUCTORS(image, host, parts, body, ...)                                                         \
  image(__VA_ARGS__, const range<D> &r, const property_list &p = {})                                               \
      : base(host, parts, r, nullptr, p)                                                                           \
            body image(__VA_ARGS__, const range<D> &r, Allocator a, const property_list &p = {})                   \
      : base(host, parts, r, nullptr, p, a) body template <int E = D, typename = std::enable_if_t<(E > 1)>>        \
        image(__VA_ARGS__, const range<D> &r, const range<E - 1> &pitch, const property_list &p = {})              \
      : base(host, parts, r, pitch, p) body template <int E = D, typename = std::enable_if_t<(E > 1)>>             \
        image(__VA_ARGS__, const range<D> &r, const range<E - 1> &pitch, Allocator a, const property_list &p = {}) \
      : base(host, parts, r, pitch, p, a) body
#define HEDDLE_COMMON(image)                               \
  friend bool operator==(const image &a, const image &b) { \
    return a.impl() == b.impl();                           \
  }                                                        \
  friend bool operator!=(const image &a, const image &b) { \
    return a.impl() != b.impl();                           \
  }
#define HEDDLE_FINAL_DATA                                  \
  template <typename Destination = std::nullptr_t>         \
  void set_final_data(Destination destination = nullptr) { \
    this->set_destination(destination);                    \
  }                                                        \
  void set_write_back(bool flag = true) {                  \
    this->set_writing_back(flag);                          \
  }

template <int D = 1, typename Allocator = image_allocator>
class unsampled_image : public detail::image_base<D, Allocator> {
  using base = detail::image_base<D, Allocator>;
  template <typename T>
  static constexpr access_mode mode_of = std::is_const_v<T> ? access_mode::read : access_mode::read_write;

 public:
  HEDDLE_CONSTRUCTORS(unsampled_image, nullptr, detail::parts_of(f), {}, image_format f)
  HEDDLE_CONSTRUCTORS(unsampled_image, host, detail::parts_of(f), {}, void *host, image_format f)
  HEDDLE_CONSTRUCTORS(
      unsampled_image, host.get(), detail::parts_of(f), { this->keep_host(host); }, const std::shared_ptr<void> &host,
      image_format f)
  HEDDLE_COMMON(unsampled_image)
  HEDDLE_FINAL_DATA
  template <typename T, access_mode Mode = mode_of<T>, image_target Target = image_target::device>
  unsampled_image_accessor<T, D, Mode, Target> get_access(handler &h, const property_list &p = {}) {
    return unsampled_image_accessor<T, D, Mode, Target>(*this, h, p);
  }
  template <typename T, access_mode Mode = mode_of<T>>
  host_unsampled_image_accessor<T, D, Mode> get_host_access(const property_list &p = {}) {
    return host_unsampled_image_accessor<T, D, Mode>(*this, p);
  }
  explicit unsampled_image(std::shared_ptr<detail::buffer_owner> owner) : base(std::move(owner)) {}  // for the runtime
};

template <int D = 1, typename Allocator = image_allocator>
class sampled_image : public detail::image_base<D, Allocator> {
  using base = detail::image_base<D, Allocator>;

 public:
  HEDDLE_CONSTRUCTORS(
      sampled_image, host, detail::parts_of(f), { set_sampler(s); }, const void *host, image_format f, image_sampler s)
  HEDDLE_CONSTRUCTORS(
      sampled_image, host.get(), detail::parts_of(f),
      {
        this->keep_host(host);
        set_sampler(s);
      },
      const std::shared_ptr<const void> &host, image_format f, image_sampler s)
  HEDDLE_COMMON(sampled_image)
  template <typename T, image_target Target = image_target::device>
  sampled_image_accessor<T, D, Target> get_access(handler &h, const property_list &p = {}) {
    return sampled_image_accessor<T, D, Target>(*this, h, p);
  }
  template <typename T>
  host_sampled_image_accessor<T, D> get_host_access(const property_list &p = {}) {
    return host_sampled_image_accessor<T, D>(*this, p);
  }
  // For the runtime only.
  sampled_image(std::shared_ptr<detail::buffer_owner> owner, const image_sampler &s) : base(std::move(owner)) {
    set_sampler(s);
  }
  std::uint32_t sampler() const {
    return sampler_;
  }

 private:
  void set_sampler(const image_sampler &s) {
    sampler_ = detail::sampler_word(s.addressing, s.coordinate, s.filtering);
  }
  std::uint32_t sampler_ = 0;
};

// SYCL 1.2.1's.
template <int D = 1, typename Allocator = image_allocator>
class image : public detail::image_base<D, Allocator> {
  using base = detail::image_base<D, Allocator>;

 public:
  HEDDLE_CONSTRUCTORS(image, nullptr, std::make_pair(o, t), {}, image_channel_order o, image_channel_type t)
  HEDDLE_CONSTRUCTORS(image, host, std::make_pair(o, t), {}, void *host, image_channel_order o, image_channel_type t)
  HEDDLE_CONSTRUCTORS(
      image, host, std::make_pair(o, t), { this->set_destination(nullptr); }, const void *host, image_channel_order o,
      image_channel_type t)
  HEDDLE_CONSTRUCTORS(
      image, host.get(), std::make_pair(o, t), { this->keep_host(host); }, const std::shared_ptr<void> &host,
      image_channel_order o, image_channel_type t)
  HEDDLE_COMMON(image)
  HEDDLE_FINAL_DATA
  template <typename T, access_mode Mode>
  accessor<T, D, Mode, target::image> get_access(handler &h) {
    return accessor<T, D, Mode, target::image>(*this, h);
  }
  template <typename T, access_mode Mode>
  accessor<T, D, Mode, target::host_image> get_access() {
    return accessor<T, D, Mode, target::host_image>(*this);
  }
};
#undef HEDDLE_CONSTRUCTORS
#undef HEDDLE_COMMON
#undef HEDDLE_FINAL_DATA

// SYCL 1.2.1's. The image is told how it is read by each read.
class sampler {
 public:
  sampler(coordinate_normalization_mode c, addressing_mode a, filtering_mode f, const property_list & = {})
      : word_(detail::sampler_word(a, c, f)) {}
  addressing_mode get_addressing_mode() const {
    return detail::sampler_of(word_).addressing;
  }
  filtering_mode get_filtering_mode() const {
    return detail::sampler_of(word_).filtering;
  }
  coordinate_normalization_mode get_coordinate_normalization_mode() const {
    return detail::sampler_of(word_).coordinate;
  }
  friend bool operator==(const sampler &a, const sampler &b) {
    return a.word_ == b.word_;
  }
  friend bool operator!=(const sampler &a, const sampler &b) {
    return a.word_ != b.word_;
  }
  HEDDLE_INLINE std::uint32_t word() const {  // for the runtime only
    return word_;
  }

 private:
  std::uint32_t word_;
};

// ---- accessors

namespace detail {

// The types of an accessor's colours, and how many pixels its image has.
template <typename T, int D, access_mode Mode>
class counted {
 public:
  static constexpr int dimensions = D;
  static constexpr sycl::access_mode access_mode = Mode;
  using value_type = element<T, Mode>;
  using reference = value_type &;
  using const_reference = const T &;
  counted() = default;
  explicit counted(const range<D> &r) : range_(r) {}
  std::size_t size() const noexcept {
    return range_.size();
  }
  std::size_t get_count() const noexcept {
    return size();
  }
  range<D> get_range() const noexcept {
    return range_;
  }

 private:
  range<D> range_;
};

// Functions that are there where the accessor's mode allows them, over `of_`.
#define HEDDLE_READ                                                                        \
  template <sycl::access_mode M = Mode, typename = std::enable_if_t<detail::can_read<M>>>  \
  HEDDLE_INLINE std::remove_const_t<T> read(const detail::coordinates<int, D> &at) const { \
    return of_.read(at);                                                                   \
  }
#define HEDDLE_WRITE                                                                       \
  template <sycl::access_mode M = Mode, typename = std::enable_if_t<detail::writes(M)>>    \
  HEDDLE_INLINE void write(const detail::coordinates<int, D> &at, const T &colour) const { \
    of_.write(at, colour);                                                                 \
  }
#define HEDDLE_READ_BY_SAMPLER                                                                                 \
  template <sycl::access_mode M = Mode, typename = std::enable_if_t<detail::can_read<M>>>                      \
  HEDDLE_INLINE std::remove_const_t<T> read(const detail::coordinates<int, D> &at, const sampler &s) const {   \
    return of_.template sample<int>(s.word(), at);                                                             \
  }                                                                                                            \
  template <sycl::access_mode M = Mode, typename = std::enable_if_t<detail::can_read<M>>>                      \
  HEDDLE_INLINE std::remove_const_t<T> read(const detail::coordinates<float, D> &at, const sampler &s) const { \
    return of_.template sample<float>(s.word(), at);                                                           \
  }
#define HEDDLE_EQUALITY(accessor)                                              \
  HEDDLE_INLINE friend bool operator==(const accessor &a, const accessor &b) { \
    return a.of_ == b.of_;                                                     \
  }                                                                            \
  HEDDLE_INLINE friend bool operator!=(const accessor &a, const accessor &b) { \
    return a.of_ != b.of_;                                                     \
  }

}  // namespace detail

// One in a command that reads and writes is more than the text asks for.
template <typename T, int D, access_mode Mode, image_target Target>
class unsampled_image_accessor : public detail::counted<T, D, Mode> {
  static_assert(!std::is_const_v<T> || Mode == access_mode::read, "an accessor of constant colours is to read from");

 public:
  static constexpr image_target access_target = Target;
  template <typename A>
  unsampled_image_accessor(unsampled_image<D, A> &image, handler &h, const property_list &p = {})
      : detail::counted<T, D, Mode>(image.get_range()), of_(h, image.impl(), p) {}
  template <typename A>
  unsampled_image_accessor(unsampled_image<D, A> &image, handler &h, mode_tag_t<Mode>, const property_list &p = {})
      : unsampled_image_accessor(image, h, p) {}
  // Between colours that are constant and not.
  template <typename U, typename = std::enable_if_t<Mode == access_mode::read && !std::is_same_v<T, U> &&
                                                    std::is_same_v<std::remove_const_t<T>, std::remove_const_t<U>>>>
  unsampled_image_accessor(const unsampled_image_accessor<U, D, Mode, Target> &other)
      : detail::counted<T, D, Mode>(other.get_range()), of_(other.access()) {}
  HEDDLE_READ
  HEDDLE_WRITE
  HEDDLE_EQUALITY(unsampled_image_accessor)
  const auto &access() const {  // for the runtime only
    return of_;
  }

 private:
  detail::image_access_of<std::remove_const_t<T>, D, Mode, Target == image_target::host_task> of_;
};

template <typename T, int D, access_mode Mode>
class host_unsampled_image_accessor : public detail::counted<T, D, Mode> {
  static_assert(!std::is_const_v<T> || Mode == access_mode::read, "an accessor of constant colours is to read from");

 public:
  template <typename A>
  host_unsampled_image_accessor(unsampled_image<D, A> &image, const property_list &p = {})
      : detail::counted<T, D, Mode>(image.get_range()), of_(image.impl(), p) {}
  template <typename A>
  host_unsampled_image_accessor(unsampled_image<D, A> &image, mode_tag_t<Mode>, const property_list &p = {})
      : host_unsampled_image_accessor(image, p) {}
  template <typename U, typename = std::enable_if_t<Mode == access_mode::read && !std::is_same_v<T, U> &&
                                                    std::is_same_v<std::remove_const_t<T>, std::remove_const_t<U>>>>
  host_unsampled_image_accessor(const host_unsampled_image_accessor<U, D, Mode> &other)
      : detail::counted<T, D, Mode>(other.get_range()), of_(other.access()) {}
  HEDDLE_READ
  HEDDLE_WRITE
  HEDDLE_EQUALITY(host_unsampled_image_accessor)
  const auto &access() const {  // for the runtime only
    return of_;
  }

 private:
  detail::image_access_of_host<std::remove_const_t<T>, D, Mode> of_;
};

template <typename T, int D, image_target Target>
class sampled_image_accessor : public detail::counted<T, D, access_mode::read> {
 public:
  template <typename A>
  sampled_image_accessor(sampled_image<D, A> &image, handler &h, const property_list &p = {})
      : detail::counted<T, D, access_mode::read>(image.get_range()),
        of_(h, image.impl(), p),
        sampler_(image.sampler()) {}
  HEDDLE_INLINE std::remove_const_t<T> read(const detail::coordinates<float, D> &at) const {
    return of_.template sample<float>(sampler_, at);
  }
  HEDDLE_EQUALITY(sampled_image_accessor)
  const auto &access() const {  // for the runtime only
    return of_;
  }

 private:
  detail::image_access_of<std::remove_const_t<T>, D, access_mode::read, Target == image_target::host_task> of_;
  std::uint32_t sampler_;
};

template <typename T, int D>
class host_sampled_image_accessor : public detail::counted<T, D, access_mode::read> {
 public:
  template <typename A>
  host_sampled_image_accessor(sampled_image<D, A> &image, const property_list &p = {})
      : detail::counted<T, D, access_mode::read>(image.get_range()), of_(image.impl(), p), sampler_(image.sampler()) {}
  std::remove_const_t<T> read(const detail::coordinates<float, D> &at) const {
    return of_.template sample<float>(sampler_, at);
  }
  HEDDLE_EQUALITY(host_sampled_image_accessor)

 private:
  detail::image_access_of_host<std::remove_const_t<T>, D, access_mode::read> of_;
  std::uint32_t sampler_;
};

// Those of SYCL 1.2.1: of an image in kernels, of an image in the host, and of an image of an axis more as an array.
template <typename T, int D, access_mode Mode, access::placeholder Placeholder>
class accessor<T, D, Mode, target::image, Placeholder> : public detail::counted<T, D, Mode> {
 public:
  template <typename A>
  accessor(image<D, A> &image, handler &h, const property_list &p = {})
      : detail::counted<T, D, Mode>(image.get_range()), of_(h, image.impl(), p) {}
  HEDDLE_READ
  HEDDLE_READ_BY_SAMPLER
  HEDDLE_WRITE
  HEDDLE_EQUALITY(accessor)

 private:
  detail::image_access_of<T, D, Mode, false> of_;
};

template <typename T, int D, access_mode Mode, access::placeholder Placeholder>
class accessor<T, D, Mode, target::host_image, Placeholder> : public detail::counted<T, D, Mode> {
 public:
  template <typename A>
  accessor(image<D, A> &image, const property_list &p = {})
      : detail::counted<T, D, Mode>(image.get_range()), of_(image.impl(), p) {}
  HEDDLE_READ
  HEDDLE_READ_BY_SAMPLER
  HEDDLE_WRITE
  HEDDLE_EQUALITY(accessor)

 private:
  detail::image_access_of_host<T, D, Mode> of_;
};

namespace detail {

// One of the images of an array.
template <typename T, int D, access_mode Mode>
class image_of_array {
  struct layer_of {
    const image_access_of<T, D, Mode, false, true> &array;
    int layer;
    HEDDLE_INLINE T read(const coordinates<int, D> &at) const {
      return array.read(at, layer);
    }
    template <typename E>
    HEDDLE_INLINE T sample(std::uint32_t sampler, const coordinates<E, D> &at) const {
      return array.template sample<E>(sampler, at, layer);
    }
    HEDDLE_INLINE void write(const coordinates<int, D> &at, const T &colour) const {
      array.write(at, colour, layer);
    }
  } of_;

 public:
  HEDDLE_INLINE image_of_array(const image_access_of<T, D, Mode, false, true> &array, std::size_t layer)
      : of_{array, static_cast<int>(layer)} {}
  HEDDLE_READ
  HEDDLE_READ_BY_SAMPLER
  HEDDLE_WRITE
};

}  // namespace detail

template <typename T, int D, access_mode Mode, access::placeholder Placeholder>
class accessor<T, D, Mode, target::image_array, Placeholder> : public detail::counted<T, D + 1, Mode> {
 public:
  template <typename A>
  accessor(image<D + 1, A> &image, handler &h, const property_list &p = {})
      : detail::counted<T, D + 1, Mode>(image.get_range()), of_(h, image.impl(), p) {}
  HEDDLE_INLINE detail::image_of_array<T, D, Mode> operator[](std::size_t index) const {
    return {of_, index};
  }
  HEDDLE_EQUALITY(accessor)

 private:
  detail::image_access_of<T, D, Mode, false, true> of_;
};
#undef HEDDLE_READ
#undef HEDDLE_READ_BY_SAMPLER
#undef HEDDLE_WRITE
#undef HEDDLE_EQUALITY

#define HEDDLE_PROPERTY(name)                                                              \
  template <int D, typename A>                                                             \
  struct is_property_of<property::image::name, unsampled_image<D, A>> : std::true_type {}; \
  template <int D, typename A>                                                             \
  struct is_property_of<property::image::name, sampled_image<D, A>> : std::true_type {};   \
  template <int D, typename A>                                                             \
  struct is_property_of<property::image::name, image<D, A>> : std::true_type {};
HEDDLE_PROPERTY(use_host_ptr)
HEDDLE_PROPERTY(use_mutex)
HEDDLE_PROPERTY(context_bound)
#undef HEDDLE_PROPERTY
template <typename T, int D, access_mode Mode, image_target Target>
struct is_property_of<property::no_init, unsampled_image_accessor<T, D, Mode, Target>> : std::true_type {};
template <typename T, int D, access_mode Mode>
struct is_property_of<property::no_init, host_unsampled_image_accessor<T, D, Mode>> : std::true_type {};

}  // namespace sycl

#endif
