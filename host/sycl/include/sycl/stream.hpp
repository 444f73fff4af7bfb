// SPDX-License-Identifier: Apache-2.0
// stream, text from kernels: SYCL 2020, section 4.16. A kernel does not make the text: it leaves the values and
// manipulators as words, and when it has ended the host writes them by std::ostream (runtime/stream.cpp).
#ifndef HEDDLE_SYCL_STREAM_HPP
#define HEDDLE_SYCL_STREAM_HPP

#include "atomic_ref.hpp"
#include "buffer.hpp"
#include "h_item.hpp"
#include "nd_item.hpp"
#include "vec.hpp"

namespace sycl {

enum class stream_manipulator {
  dec,
  hex,
  oct,
  showbase,
  noshowbase,
  showpos,
  noshowpos,
  endl,
  flush,
  fixed,
  scientific,
  hexfloat,
  defaultfloat
};
inline constexpr auto dec = stream_manipulator::dec;
inline constexpr auto hex = stream_manipulator::hex;
inline constexpr auto oct = stream_manipulator::oct;
inline constexpr auto showbase = stream_manipulator::showbase;
inline constexpr auto noshowbase = stream_manipulator::noshowbase;
inline constexpr auto showpos = stream_manipulator::showpos;
inline constexpr auto noshowpos = stream_manipulator::noshowpos;
inline constexpr auto endl = stream_manipulator::endl;
inline constexpr auto flush = stream_manipulator::flush;
inline constexpr auto fixed = stream_manipulator::fixed;
inline constexpr auto scientific = stream_manipulator::scientific;
inline constexpr auto hexfloat = stream_manipulator::hexfloat;
inline constexpr auto defaultfloat = stream_manipulator::defaultfloat;

namespace detail {

struct stream_number {
  char what;  // width or precision
  int value;
};

// What a word says of those behind it. Its other bits: how many.
enum class stream_word : std::uint32_t {
  of_signed,
  of_unsigned,
  of_float,
  of_double,
  of_text,
  of_pointer,
  manipulator,
  width,
  precision
};
constexpr unsigned stream_count_shift = 8;

// Memory of a stream: a count of words, then the words of each flush behind the count of them.
std::shared_ptr<buffer_impl> make_stream_buffer(handler &, std::size_t words);

// What a work-item has not yet given away. Nothing of it is captured (detail/leaves.hpp), or copied with the stream.
struct stream_room {
  static constexpr unsigned size = 192;
  std::uint32_t words[size];
  std::uint32_t count;
  // What the manipulators have said.
  std::int32_t precision, width;
  stream_manipulator mode;
  stream_room() {
    begin();
  }
  stream_room(const stream_room &) {
    begin();
  }
  // As the host's streams do.
  HEDDLE_INLINE void begin() {
    count = 0, precision = 6, width = 0;
    mode = stream_manipulator::dec;
  }
  stream_room &operator=(const stream_room &) {
    return *this;
  }
};
template <>
struct is_private_room<stream_room> : std::true_type {};

// Members are arrays of one, as of other classes a walk sees the members alone (detail/leaves.hpp).
struct stream_core {
  const buffer_cell *cell;
  std::uint32_t limit;
  mutable stream_room room[1];

  void put(std::uint32_t word) const {
    room->words[room->count++] = word;
  }
  // To memory of the stream: all that the work-item has, in one piece.
  void give() const {
#ifdef __SYCL_DEVICE_ONLY__
    if (room->count == 0)
      return;
    auto *memory = (std::uint32_t HEDDLE_GLOBAL *)cell;
    const std::uint32_t wanted = room->count + 1, at = __atomic_fetch_add(memory, wanted, __ATOMIC_RELAXED) + 1;
    if (at < limit && wanted <= limit - at) {
      memory[at] = room->count;
      for (std::uint32_t i = 0; i < room->count; i++)
        memory[at + 1 + i] = room->words[i];
    }
    room->count = 0;
#endif
  }
};

}  // namespace detail

inline detail::stream_number setprecision(int value) {
  return {'p', value};
}
inline detail::stream_number setw(int value) {
  return {'w', value};
}

class stream {
 public:
  // The first is how many characters there may be of all work-items, about: a value takes a word or two more than its
  // text. What goes beyond it is left out.
  stream(std::size_t total, std::size_t of_work_item, handler &h, const property_list & = {})
      : total_(total), of_work_item_(of_work_item) {
    const std::size_t words = total + 64;
    core_->cell = detail::require(h, detail::make_stream_buffer(h, words), true, true, 0);
    core_->limit = static_cast<std::uint32_t>(words);
  }
  std::size_t size() const {
    return total_;
  }
  std::size_t get_size() const {
    return total_;
  }
  std::size_t get_work_item_buffer_size() const {
    return of_work_item_;
  }
  std::size_t get_max_statement_size() const {
    return of_work_item_;
  }
  // What this work-item has asked for: setprecision, setw for the next value, and the last other manipulator.
  std::size_t get_precision() const {
    return static_cast<std::size_t>(core_->room->precision);
  }
  std::size_t get_width() const {
    return static_cast<std::size_t>(core_->room->width);
  }
  stream_manipulator get_stream_mode() const {
    return core_->room->mode;
  }
  // A stream has none.
  template <typename Property>
  bool has_property() const noexcept {
    return false;
  }
  template <typename Property>
  Property get_property() const {
    return property_list().get_property<Property>();
  }
  friend bool operator==(const stream &a, const stream &b) {
    return a.core_->cell == b.core_->cell;
  }
  friend bool operator!=(const stream &a, const stream &b) {
    return a.core_->cell != b.core_->cell;
  }
  const detail::buffer_cell *cell() const {  // for the runtime only
    return core_->cell;
  }

  template <typename T>
  friend std::enable_if_t<std::is_integral_v<T> || std::is_same_v<T, half> || std::is_floating_point_v<T>,
                          const stream &>
  operator<<(const stream &out, const T &x) {
    using detail::stream_word;
    if constexpr (std::is_same_v<T, char> || std::is_same_v<T, signed char> || std::is_same_v<T, unsigned char>) {
      const char text[] = {static_cast<char>(x), 0};
      return out << text;
    } else if constexpr (std::is_same_v<T, double>) {
      out.put_64(stream_word::of_double, __builtin_bit_cast(std::uint64_t, x));
    } else if constexpr (!std::is_integral_v<T>) {
      out.reserve(2);
      out.put(stream_word::of_float, 1);
      out.put(__builtin_bit_cast(std::uint32_t, static_cast<float>(x)));
    } else if constexpr (sizeof(T) <= 4) {
      out.reserve(2);
      out.put(std::is_signed_v<T> ? stream_word::of_signed : stream_word::of_unsigned, 1);
      out.put(static_cast<std::uint32_t>(
          static_cast<std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>>(x)));
    } else if constexpr (std::is_signed_v<T>) {
      out.put_64(stream_word::of_signed, static_cast<std::uint64_t>(static_cast<std::int64_t>(x)));
    } else {
      out.put_64(stream_word::of_unsigned, static_cast<std::uint64_t>(x));
    }
    return out;
  }
  friend const stream &operator<<(const stream &out, const char *text) {
    unsigned length = 0;
    while (text[length] != 0)
      length++;
    for (unsigned at = 0; at < length; at += 16) {  // in pieces that fit into the room
      const unsigned bytes = length - at < 16 ? length - at : 16;
      out.reserve(5);
      out.put(detail::stream_word::of_text, bytes);
      for (unsigned i = 0; i < bytes; i += 4) {
        std::uint32_t word = 0;
        for (unsigned j = 0; j < 4 && i + j < bytes; j++)
          word |= static_cast<std::uint32_t>(static_cast<unsigned char>(text[at + i + j])) << 8 * j;
        out.put(word);
      }
    }
    return out;
  }
  template <typename T>
  friend std::enable_if_t<!std::is_same_v<std::remove_cv_t<T>, char>, const stream &> operator<<(const stream &out,
                                                                                                 T *pointer) {
    out.reserve(2);
    out.put(detail::stream_word::of_pointer, 1);
    out.put(static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(pointer)));
    return out;
  }
  friend const stream &operator<<(const stream &out, stream_manipulator m) {
    out.reserve(2);
    out.put(detail::stream_word::manipulator, 1);
    out.put(static_cast<std::uint32_t>(m));
    if (m == stream_manipulator::endl || m == stream_manipulator::flush)
      out.core_->give();
    else
      out.core_->room->mode = m;
    return out;
  }
  friend const stream &operator<<(const stream &out, detail::stream_number n) {
    out.reserve(2);
    out.put(n.what == 'w' ? detail::stream_word::width : detail::stream_word::precision, 1);
    out.put(static_cast<std::uint32_t>(n.value));
    (n.what == 'w' ? out.core_->room->width : out.core_->room->precision) = n.value;
    return out;
  }
  template <typename V, typename As, int... I>
  friend const stream &operator<<(const stream &out, const detail::swizzled<V, As, I...> &x) {
    return out << static_cast<As>(x);
  }
  template <typename T, access::address_space Space, access::decorated Decorated>
  friend const stream &operator<<(const stream &out, const multi_ptr<T, Space, Decorated> &pointer) {
    return out << static_cast<const void *>(pointer.get_raw());
  }
  template <typename T, int N>
  friend const stream &operator<<(const stream &out, const vec<T, N> &x) {
    for (int i = 0; i < N; i++)
      out << (i == 0 ? "" : ", ") << x[i];
    return out;
  }
  template <int D>
  friend const stream &operator<<(const stream &out, const id<D> &x) {
    return out.numbers(x);
  }
  template <int D>
  friend const stream &operator<<(const stream &out, const range<D> &x) {
    return out.numbers(x);
  }
  template <int D, bool WithOffset>
  friend const stream &operator<<(const stream &out, const item<D, WithOffset> &x) {
    return out << "item(id: " << x.get_id() << ", range: " << x.get_range() << ")";
  }
  template <int D>
  friend const stream &operator<<(const stream &out, const nd_range<D> &x) {
    return out << "nd_range(global: " << x.get_global_range() << ", local: " << x.get_local_range()
               << ", offset: " << x.get_offset() << ")";
  }
  template <int D>
  friend const stream &operator<<(const stream &out, const nd_item<D> &x) {
    return out << "nd_item(global: " << x.get_global_id() << ", local: " << x.get_local_id() << ")";
  }
  template <int D>
  friend const stream &operator<<(const stream &out, const group<D> &x) {
    return out << "group(id: " << x.get_group_id() << ", local range: " << x.get_local_range() << ")";
  }
  template <int D>
  friend const stream &operator<<(const stream &out, const h_item<D> &x) {
    return out << "h_item(global: " << x.get_global_id() << ", logical local: " << x.get_logical_local_id()
               << ", physical local: " << x.get_physical_local_id() << ")";
  }

 private:
  void put(std::uint32_t word) const {
    core_->put(word);
  }
  void put(detail::stream_word what, std::uint32_t count) const {
    put(static_cast<std::uint32_t>(what) | count << detail::stream_count_shift);
    if (what < detail::stream_word::manipulator)
      core_->room->width = 0;
  }
  void put_64(detail::stream_word what, std::uint64_t value) const {
    reserve(3);
    put(what, 2);
    put(static_cast<std::uint32_t>(value));
    put(static_cast<std::uint32_t>(value >> 32));
  }
  void reserve(std::uint32_t words) const {
    if (core_->room->count + words > detail::stream_room::size)
      core_->give();
  }
  template <typename Numbers>
  const stream &numbers(const Numbers &x) const {
    *this << "{";
    for (int i = 0; i < Numbers::dimensions; i++)
      *this << (i == 0 ? "" : ", ") << x[i];
    return *this << "}";
  }

  detail::stream_core core_[1];
  std::size_t total_, of_work_item_;
};

namespace detail {

#ifdef __SYCL_DEVICE_ONLY__
// At the end of a kernel its streams give what they have. Found in the closure as its leaves are.
struct stream_giver {
  template <typename T>
  HEDDLE_INLINE void leaf(T &) {}
  HEDDLE_INLINE void whole(const stream_core &core) {
    core.give();
  }
};
template <>
struct is_whole<stream_giver, stream_core> : std::true_type {};
template <typename F>
HEDDLE_INLINE void give_streams(F &closure) {
  if constexpr (has_leaves<F>) {
    stream_giver giver;
    walk(giver, closure);
  }
}
#endif

}  // namespace detail

}  // namespace sycl

#endif
