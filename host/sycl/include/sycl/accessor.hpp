// SPDX-License-Identifier: Apache-2.0
// accessor, host_accessor, local_accessor: SYCL 2020, section 4.7.6.
#ifndef HEDDLE_SYCL_ACCESSOR_HPP
#define HEDDLE_SYCL_ACCESSOR_HPP

#include <iterator>

#include "atomic_ref.hpp"
#include "detail/leaves.hpp"
#include "exception.hpp"
#include "group.hpp"
#include "multi_ptr.hpp"
#include "property.hpp"

namespace sycl {

class handler;

enum class target {
  device,
  host_task,
  constant_buffer,
  local,
  host_buffer,
  image,
  host_image,
  image_array,
  global_buffer = device
};
namespace access {
using sycl::target;
using mode = access_mode;
enum class placeholder { false_t, true_t };
}  // namespace access

// Tags that say the mode and the target of an accessor.
template <access_mode Mode>
struct mode_tag_t {};
template <access_mode Mode, target Target>
struct mode_target_tag_t {};
inline constexpr mode_tag_t<access_mode::read> read_only;
inline constexpr mode_tag_t<access_mode::read_write> read_write;
inline constexpr mode_tag_t<access_mode::write> write_only;
inline constexpr mode_target_tag_t<access_mode::read, target::constant_buffer> read_constant;
inline constexpr mode_target_tag_t<access_mode::read, target::host_task> read_only_host_task;
inline constexpr mode_target_tag_t<access_mode::read_write, target::host_task> read_write_host_task;
inline constexpr mode_target_tag_t<access_mode::write, target::host_task> write_only_host_task;

template <typename T>
using buffer_allocator = std::allocator<T>;
template <typename T, int D = 1, typename Allocator = buffer_allocator<std::remove_const_t<T>>>
class buffer;

namespace detail {

// Whether the contents have to be there: who only writes need not write all of them.
constexpr bool reads(access_mode mode) {
  return mode != access_mode::discard_write && mode != access_mode::discard_read_write;
}
constexpr bool writes(access_mode mode) {
  return mode != access_mode::read;
}

// The contents: in host memory, in that of contexts, or in both (runtime/buffer.cpp).
struct buffer_impl;
// For the host, until close_on_host.
void *open_on_host(const std::shared_ptr<buffer_impl> &, bool reads, bool writes);
void close_on_host(buffer_impl &, bool writes) noexcept;
// Is open as long as it is there.
template <access_mode Mode>
struct opened {
  std::shared_ptr<buffer_impl> impl;
  char *data;
  opened(const std::shared_ptr<buffer_impl> &i, bool reads)
      : impl(i), data(static_cast<char *>(open_on_host(i, reads, writes(Mode)))) {}
  opened(const opened &) = delete;
  opened &operator=(const opened &) = delete;
  ~opened() {
    close_on_host(*impl, writes(Mode));
  }
};

// What a command does with a buffer from some byte on; the handler keeps it until the command is done.
const buffer_cell *require(handler &, const std::shared_ptr<buffer_impl> &, bool reads, bool writes, std::size_t first);
// The same for a command that is not there yet. The buffer keeps it.
const buffer_cell *make_placeholder(const std::shared_ptr<buffer_impl> &, bool reads, bool writes, std::size_t first);
void require(handler &, const buffer_cell *placeholder);
bool is_placeholder(const buffer_cell *) noexcept;
// In a host task: where the bytes are.
void *place_on_host(const buffer_cell *);
const local_cell *require_local(handler &, std::size_t bytes);
[[noreturn]] void fail_outside_buffer();
[[noreturn]] void fail_no_init();
// Whether an accessor needs what is there. Throws where one that only reads does not.
template <access_mode Mode>
bool needs_contents(const property_list &properties) {
  const bool is_new = properties.has_property<property::no_init>();
  if (is_new && !writes(Mode))
    fail_no_init();
  return reads(Mode) && !is_new;
}

// An accessor of constant elements may be one of a buffer whose elements are not.
template <typename B, typename T>
using if_elements_of = std::enable_if_t<std::is_same_v<B, T> || std::is_same_v<const B, T>>;
// Without a mode it reads only.
template <typename T>
constexpr access_mode mode_of_elements = std::is_const_v<T> ? access_mode::read : access_mode::read_write;
// What kernels may do to an element.
template <typename T, access_mode Mode>
using element = std::conditional_t<Mode == access_mode::read, const T, T>;

// accessor[i][j][k]
template <typename Accessor, int Left>
class subscript {
 public:
  HEDDLE_INLINE subscript(const Accessor &accessor, std::size_t at) : accessor_(accessor), at_(at) {}
  HEDDLE_INLINE decltype(auto) operator[](std::size_t index) const {
    const std::size_t at = at_ * accessor_.whole_range()[Accessor::dimensions - Left] + index;
    if constexpr (Left == 1)
      return accessor_.chosen(at);
    else
      return subscript<Accessor, Left - 1>(accessor_, at);
  }

 private:
  const Accessor &accessor_;
  std::size_t at_;
};

// Over the elements of an accessor that has but a part of its buffer's rows.
template <typename Accessor>
class element_iterator {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = typename Accessor::value_type;
  using difference_type = std::ptrdiff_t;
  using reference = typename Accessor::reference;
  using pointer = std::remove_reference_t<reference> *;

  element_iterator() = default;
  HEDDLE_INLINE element_iterator(const Accessor *accessor, std::ptrdiff_t at) : accessor_(accessor), at_(at) {}
  HEDDLE_INLINE reference operator*() const {
    return accessor_->element(static_cast<std::size_t>(at_));
  }
  HEDDLE_INLINE pointer operator->() const {
    return &**this;
  }
  HEDDLE_INLINE reference operator[](std::ptrdiff_t n) const {
    return accessor_->element(static_cast<std::size_t>(at_ + n));
  }
  HEDDLE_INLINE element_iterator &operator+=(std::ptrdiff_t n) {
    at_ += n;
    return *this;
  }
  HEDDLE_INLINE element_iterator &operator-=(std::ptrdiff_t n) {
    return *this += -n;
  }
  HEDDLE_INLINE element_iterator &operator++() {
    return *this += 1;
  }
  HEDDLE_INLINE element_iterator &operator--() {
    return *this -= 1;
  }
  HEDDLE_INLINE element_iterator operator++(int) {
    element_iterator before = *this;
    *this += 1;
    return before;
  }
  HEDDLE_INLINE element_iterator operator--(int) {
    element_iterator before = *this;
    *this -= 1;
    return before;
  }
  HEDDLE_INLINE friend element_iterator operator+(element_iterator i, std::ptrdiff_t n) {
    return i += n;
  }
  HEDDLE_INLINE friend element_iterator operator+(std::ptrdiff_t n, element_iterator i) {
    return i += n;
  }
  HEDDLE_INLINE friend element_iterator operator-(element_iterator i, std::ptrdiff_t n) {
    return i -= n;
  }
  HEDDLE_INLINE friend std::ptrdiff_t operator-(const element_iterator &a, const element_iterator &b) {
    return a.at_ - b.at_;
  }
#define HEDDLE_COMPARISON(op)                                                                   \
  HEDDLE_INLINE friend bool operator op(const element_iterator &a, const element_iterator &b) { \
    return a.at_ op b.at_;                                                                      \
  }
  HEDDLE_COMPARISON(==)
  HEDDLE_COMPARISON(!=)
  HEDDLE_COMPARISON(<)
  HEDDLE_COMPARISON(>)
  HEDDLE_COMPARISON(<=)
  HEDDLE_COMPARISON(>=)
#undef HEDDLE_COMPARISON

 private:
  const Accessor *accessor_ = nullptr;
  std::ptrdiff_t at_ = 0;
};

// What all accessors share. Derived has at(index from its first element on, in rows of whole_range()) and get_range().
template <typename Derived, typename Value, int D>
class indexed {
 public:
  static constexpr int dimensions = D;
  using value_type = Value;
  using reference = Value &;
  using const_reference = const Value &;
  using difference_type = std::ptrdiff_t;
  using size_type = std::size_t;
  using iterator = std::conditional_t<D == 1, Value *, element_iterator<Derived>>;
  using const_iterator = std::conditional_t<D == 1, const Value *, element_iterator<Derived>>;
  using reverse_iterator = std::reverse_iterator<iterator>;
  using const_reverse_iterator = std::reverse_iterator<const_iterator>;

  size_type size() const noexcept {
    return self().get_range().size();
  }
  size_type get_count() const noexcept {
    return size();
  }
  size_type max_size() const noexcept {
    return ~std::size_t(0) / sizeof(Value);
  }
  size_type byte_size() const noexcept {
    return size() * sizeof(Value);
  }
  size_type get_size() const noexcept {
    return byte_size();
  }
  bool empty() const noexcept {
    return size() == 0;
  }
  HEDDLE_INLINE decltype(auto) operator[](id<D> index) const {
    return self().chosen(linear(index, self().whole_range()));
  }
  HEDDLE_INLINE reference chosen(std::size_t index) const {  // for the runtime only
    return self().at(index);
  }
  template <int E = D, typename = std::enable_if_t<(E > 1)>>
  HEDDLE_INLINE auto operator[](std::size_t index) const {
    return subscript<Derived, D - 1>(self(), index);
  }

  iterator begin() const noexcept {
    return iterator_at<iterator>(0);
  }
  iterator end() const noexcept {
    return iterator_at<iterator>(static_cast<std::ptrdiff_t>(size()));
  }
  const_iterator cbegin() const noexcept {
    return iterator_at<const_iterator>(0);
  }
  const_iterator cend() const noexcept {
    return iterator_at<const_iterator>(static_cast<std::ptrdiff_t>(size()));
  }
  reverse_iterator rbegin() const noexcept {
    return reverse_iterator(end());
  }
  reverse_iterator rend() const noexcept {
    return reverse_iterator(begin());
  }
  const_reverse_iterator crbegin() const noexcept {
    return const_reverse_iterator(cend());
  }
  const_reverse_iterator crend() const noexcept {
    return const_reverse_iterator(cbegin());
  }
  // Number n of the accessor's own range; for the runtime only.
  HEDDLE_INLINE reference element(std::size_t n) const {
    const range<D> part = self().get_range();
    id<D> index;
    for (int i = D - 1; i >= 0; i--) {
      index[i] = i == 0 ? n : n % part[i];
      n /= part[i];
    }
    return self().at(linear(index, self().whole_range()));
  }

 private:
  HEDDLE_INLINE const Derived &self() const {
    return static_cast<const Derived &>(*this);
  }
  template <typename Iterator>
  HEDDLE_INLINE Iterator iterator_at(std::ptrdiff_t n) const {
    if constexpr (D == 1)
      return &self().at(0) + n;
    else
      return Iterator(&self(), n);
  }
};

// What accessors of no dimension share, which stand for one element: it converts to it, and is assigned to. Derived has
// at().
template <typename Derived, typename Value>
class single {
 public:
  static constexpr int dimensions = 0;
  using value_type = Value;
  using reference = Value &;
  using const_reference = const Value &;
  using difference_type = std::ptrdiff_t;
  using size_type = std::size_t;
  using iterator = Value *;
  using const_iterator = const Value *;
  using reverse_iterator = std::reverse_iterator<iterator>;
  using const_reverse_iterator = std::reverse_iterator<const_iterator>;

  HEDDLE_INLINE operator reference() const {
    return self().at();
  }
  template <typename V = Value, typename = std::enable_if_t<!std::is_const_v<V>>>
  HEDDLE_INLINE const Derived &operator=(const V &value) const {
    self().at() = value;
    return self();
  }
  size_type size() const noexcept {
    return 1;
  }
  size_type get_count() const noexcept {
    return 1;
  }
  size_type max_size() const noexcept {
    return ~std::size_t(0) / sizeof(Value);
  }
  size_type byte_size() const noexcept {
    return sizeof(Value);
  }
  size_type get_size() const noexcept {
    return sizeof(Value);
  }
  bool empty() const noexcept {
    return false;
  }
  iterator begin() const noexcept {
    return &self().at();
  }
  iterator end() const noexcept {
    return begin() + 1;
  }
  const_iterator cbegin() const noexcept {
    return begin();
  }
  const_iterator cend() const noexcept {
    return end();
  }
  reverse_iterator rbegin() const noexcept {
    return reverse_iterator(end());
  }
  reverse_iterator rend() const noexcept {
    return reverse_iterator(begin());
  }
  const_reverse_iterator crbegin() const noexcept {
    return const_reverse_iterator(cend());
  }
  const_reverse_iterator crend() const noexcept {
    return const_reverse_iterator(cbegin());
  }

 private:
  HEDDLE_INLINE const Derived &self() const {
    return static_cast<const Derived &>(*this);
  }
};
// Of SYCL 1.2.1's atomic mode it stands for an atomic.
template <typename Derived, typename T>
class single_atomic {
 public:
  static constexpr int dimensions = 0;
  using value_type = T;
  using reference = atomic<T>;
  HEDDLE_INLINE operator atomic<T>() const {
    return atomic<T>(multi_ptr<T, access::address_space::global_space>(&static_cast<const Derived &>(*this).at()));
  }
  std::size_t get_count() const noexcept {
    return 1;
  }
  std::size_t get_size() const noexcept {
    return sizeof(T);
  }
};

// Of what an accessor has, and of its buffer: of one dimension the rows do not matter.
template <int D>
class shape {
 public:
  shape() = default;
  shape(const range<D> &part, const range<D> &whole, const id<D> &offset)
      : part_(part), whole_(whole), offset_(offset) {}
  range<D> get_range() const noexcept {
    return part_;
  }
  id<D> get_offset() const noexcept {
    return offset_;
  }
  const range<D> &whole_range() const {  // for the runtime only
    return whole_;
  }

 private:
  range<D> part_, whole_;
  id<D> offset_;
};
template <>
class shape<1> {
 public:
  shape() = default;
  shape(const range<1> &part, const range<1> &, const id<1> &offset) : part_(part), offset_(offset) {}
  range<1> get_range() const noexcept {
    return part_;
  }
  id<1> get_offset() const noexcept {
    return offset_;
  }
  const range<1> &whole_range() const {  // for the runtime only
    return part_;
  }

 private:
  range<1> part_;
  id<1> offset_;
};

// A part has to be inside.
template <int D>
void check_part(const range<D> &part, const range<D> &whole, const id<D> &offset) {
  for (int i = 0; i < D; i++)
    if (offset[i] > whole[i] || part[i] > whole[i] - offset[i])
      fail_outside_buffer();
}

}  // namespace detail

// ---- accessor

// In a kernel: a pointer that the kernel gets as an argument, and the buffer's size. A placeholder is told to a command
// group by handler::require.
template <typename T, int D = 1, access_mode Mode = detail::mode_of_elements<T>, target Target = target::device,
          access::placeholder Placeholder = access::placeholder::false_t>
class accessor : public detail::indexed<accessor<T, D, Mode, Target, Placeholder>, detail::element<T, Mode>, D>,
                 public detail::shape<D> {
  static_assert(D >= 1 && D <= 3, "an accessor has 0, 1, 2 or 3 dimensions");
  static_assert(Target == target::device || Target == target::constant_buffer || Target == target::host_task,
                "an accessor of a buffer has a target of buffers");
  using property_lists = const property_list &;

 public:
  static constexpr access_mode mode = Mode;
  using accessor_space = std::integral_constant<access::address_space, access::address_space::global_space>;
  using value_type = detail::element<T, Mode>;
  using reference = value_type &;
  template <access::decorated Decorated>
  using accessor_ptr = multi_ptr<value_type, access::address_space::global_space, Decorated>;

  accessor() = default;

  template <typename B, typename A, typename = detail::if_elements_of<B, T>>
  accessor(buffer<B, D, A> &b, property_lists p = {}) : accessor(nullptr, b, b.get_range(), id<D>(), p) {}
  template <typename B, typename A, access_mode M, typename = detail::if_elements_of<B, T>>
  accessor(buffer<B, D, A> &b, mode_tag_t<M>, property_lists p = {})
      : accessor(nullptr, b, b.get_range(), id<D>(), p) {}
  template <typename B, typename A, access_mode M, target U, typename = detail::if_elements_of<B, T>>
  accessor(buffer<B, D, A> &b, mode_target_tag_t<M, U>, property_lists p = {})
      : accessor(nullptr, b, b.get_range(), id<D>(), p) {}
  template <typename B, typename A, typename = detail::if_elements_of<B, T>>
  accessor(buffer<B, D, A> &b, range<D> r, property_lists p = {}) : accessor(nullptr, b, r, id<D>(), p) {}
  template <typename B, typename A, access_mode M, typename = detail::if_elements_of<B, T>>
  accessor(buffer<B, D, A> &b, range<D> r, mode_tag_t<M>, property_lists p = {})
      : accessor(nullptr, b, r, id<D>(), p) {}
  template <typename B, typename A, access_mode M, target U, typename = detail::if_elements_of<B, T>>
  accessor(buffer<B, D, A> &b, range<D> r, mode_target_tag_t<M, U>, property_lists p = {})
      : accessor(nullptr, b, r, id<D>(), p) {}
  template <typename B, typename A, typename = detail::if_elements_of<B, T>>
  accessor(buffer<B, D, A> &b, range<D> r, id<D> o, property_lists p = {}) : accessor(nullptr, b, r, o, p) {}
  template <typename B, typename A, access_mode M, typename = detail::if_elements_of<B, T>>
  accessor(buffer<B, D, A> &b, range<D> r, id<D> o, mode_tag_t<M>, property_lists p = {})
      : accessor(nullptr, b, r, o, p) {}
  template <typename B, typename A, access_mode M, target U, typename = detail::if_elements_of<B, T>>
  accessor(buffer<B, D, A> &b, range<D> r, id<D> o, mode_target_tag_t<M, U>, property_lists p = {})
      : accessor(nullptr, b, r, o, p) {}

  template <typename B, typename A, typename = detail::if_elements_of<B, T>>
  accessor(buffer<B, D, A> &b, handler &h, property_lists p = {}) : accessor(&h, b, b.get_range(), id<D>(), p) {}
  template <typename B, typename A, access_mode M, typename = detail::if_elements_of<B, T>>
  accessor(buffer<B, D, A> &b, handler &h, mode_tag_t<M>, property_lists p = {})
      : accessor(&h, b, b.get_range(), id<D>(), p) {}
  template <typename B, typename A, access_mode M, target U, typename = detail::if_elements_of<B, T>>
  accessor(buffer<B, D, A> &b, handler &h, mode_target_tag_t<M, U>, property_lists p = {})
      : accessor(&h, b, b.get_range(), id<D>(), p) {}
  template <typename B, typename A, typename = detail::if_elements_of<B, T>>
  accessor(buffer<B, D, A> &b, handler &h, range<D> r, property_lists p = {}) : accessor(&h, b, r, id<D>(), p) {}
  template <typename B, typename A, access_mode M, typename = detail::if_elements_of<B, T>>
  accessor(buffer<B, D, A> &b, handler &h, range<D> r, mode_tag_t<M>, property_lists p = {})
      : accessor(&h, b, r, id<D>(), p) {}
  template <typename B, typename A, access_mode M, target U, typename = detail::if_elements_of<B, T>>
  accessor(buffer<B, D, A> &b, handler &h, range<D> r, mode_target_tag_t<M, U>, property_lists p = {})
      : accessor(&h, b, r, id<D>(), p) {}
  template <typename B, typename A, typename = detail::if_elements_of<B, T>>
  accessor(buffer<B, D, A> &b, handler &h, range<D> r, id<D> o, property_lists p = {}) : accessor(&h, b, r, o, p) {}
  template <typename B, typename A, access_mode M, typename = detail::if_elements_of<B, T>>
  accessor(buffer<B, D, A> &b, handler &h, range<D> r, id<D> o, mode_tag_t<M>, property_lists p = {})
      : accessor(&h, b, r, o, p) {}
  template <typename B, typename A, access_mode M, target U, typename = detail::if_elements_of<B, T>>
  accessor(buffer<B, D, A> &b, handler &h, range<D> r, id<D> o, mode_target_tag_t<M, U>, property_lists p = {})
      : accessor(&h, b, r, o, p) {}
  // Of the same memory, to read from only, or as a placeholder or not.
  template <
      typename U, access_mode M, access::placeholder P,
      typename = std::enable_if_t<(M != Mode || P != Placeholder || !std::is_same_v<T, U>) &&
                                  std::is_same_v<std::remove_const_t<T>, std::remove_const_t<U>> &&
                                  (Mode == access_mode::read ? M == access_mode::read || M == access_mode::read_write
                                                             : M == Mode && std::is_same_v<T, U>)>>
  accessor(const accessor<U, D, M, Target, P> &other) : detail::shape<D>(other), cell_(other.cell()) {}

  bool is_placeholder() const noexcept {
    return detail::is_placeholder(cell_);
  }
  void swap(accessor &other) {
    std::swap(*this, other);
  }
  auto get_pointer() const noexcept {
    if constexpr (Target == target::host_task)
      return &at(0);
    else
      return multi_ptr<value_type, access::address_space::global_space>(&at(0));
  }
  template <access::decorated Decorated>
  accessor_ptr<Decorated> get_multi_ptr() const noexcept {
    return accessor_ptr<Decorated>(&at(0));
  }
  friend bool operator==(const accessor &a, const accessor &b) {
    return a.cell_ == b.cell_ && a.get_range() == b.get_range() && a.get_offset() == b.get_offset();
  }
  friend bool operator!=(const accessor &a, const accessor &b) {
    return !(a == b);
  }
  HEDDLE_INLINE reference at(std::size_t index) const {  // for the runtime only
    if constexpr (Target == target::host_task)
      return static_cast<value_type *>(detail::place_on_host(cell_))[index];
    else
      HEDDLE_ELEMENT_ON_DEVICE(return ((value_type HEDDLE_GLOBAL *)cell_)[index]);
  }
  // What a subscript gives: of SYCL 1.2.1's mode for it, an atomic. For the runtime only.
  HEDDLE_INLINE decltype(auto) chosen(std::size_t index) const {
    if constexpr (Mode == access_mode::atomic)
      return atomic<T>(multi_ptr<T, access::address_space::global_space>(&at(index)));
    else
      return (at(index));
  }
  const detail::buffer_cell *cell() const {  // for the runtime only
    return cell_;
  }

 private:
  template <typename B, typename A>
  accessor(handler *h, buffer<B, D, A> &b, const range<D> &part, const id<D> &offset, property_lists p)
      : detail::shape<D>(part, b.get_range(), offset) {
    detail::check_part(part, b.get_range(), offset);
    const bool reads = detail::needs_contents<Mode>(p);
    const std::size_t first = b.first_byte() + detail::linear(offset, b.get_range()) * sizeof(T);
    // What is not written has to be there when the rest is.
    const bool is_part = part != b.get_range() || b.is_sub_buffer();
    cell_ = h ? detail::require(*h, b.impl(), reads || is_part, detail::writes(Mode), first)
              : detail::make_placeholder(b.impl(), reads || is_part, detail::writes(Mode), first);
  }
  const detail::buffer_cell *cell_ = nullptr;
};
// Deduced: behind the buffer come a handler or none (a placeholder), a part or none, a tag or none, properties or none.
#define HEDDLE_GUIDES(holder, ...)                                                               \
  template <typename T, int D, typename A>                                                       \
  accessor(buffer<T, D, A> &__VA_ARGS__)                                                         \
      -> accessor<T, D, access_mode::read_write, target::device, access::placeholder::holder>;   \
  template <typename T, int D, typename A>                                                       \
  accessor(buffer<T, D, A> &__VA_ARGS__, const property_list &)                                  \
      -> accessor<T, D, access_mode::read_write, target::device, access::placeholder::holder>;   \
  template <typename T, int D, typename A, access_mode Mode>                                     \
  accessor(buffer<T, D, A> &__VA_ARGS__, mode_tag_t<Mode>)                                       \
      -> accessor<T, D, Mode, target::device, access::placeholder::holder>;                      \
  template <typename T, int D, typename A, access_mode Mode>                                     \
  accessor(buffer<T, D, A> &__VA_ARGS__, mode_tag_t<Mode>, const property_list &)                \
      -> accessor<T, D, Mode, target::device, access::placeholder::holder>;                      \
  template <typename T, int D, typename A, access_mode Mode, target Target>                      \
  accessor(buffer<T, D, A> &__VA_ARGS__, mode_target_tag_t<Mode, Target>)                        \
      -> accessor<T, D, Mode, Target, access::placeholder::holder>;                              \
  template <typename T, int D, typename A, access_mode Mode, target Target>                      \
  accessor(buffer<T, D, A> &__VA_ARGS__, mode_target_tag_t<Mode, Target>, const property_list &) \
      -> accessor<T, D, Mode, Target, access::placeholder::holder>;
#define HEDDLE_COMMA ,
HEDDLE_GUIDES(true_t)
HEDDLE_GUIDES(true_t, HEDDLE_COMMA range<D>)
HEDDLE_GUIDES(true_t, HEDDLE_COMMA range<D> HEDDLE_COMMA id<D>)
HEDDLE_GUIDES(false_t, HEDDLE_COMMA handler &)
HEDDLE_GUIDES(false_t, HEDDLE_COMMA handler &HEDDLE_COMMA range<D>)
HEDDLE_GUIDES(false_t, HEDDLE_COMMA handler &HEDDLE_COMMA range<D> HEDDLE_COMMA id<D>)
#undef HEDDLE_GUIDES
#undef HEDDLE_COMMA

namespace detail {

// The first element of a buffer of one dimension.
template <typename T, access_mode Mode, target Target, access::placeholder Placeholder>
class first_element : public std::conditional_t<Mode == access_mode::atomic,
                                                single_atomic<accessor<T, 0, Mode, Target, Placeholder>, T>,
                                                single<accessor<T, 0, Mode, Target, Placeholder>, element<T, Mode>>> {
  using itself = accessor<T, 0, Mode, Target, Placeholder>;
  using base =
      std::conditional_t<Mode == access_mode::atomic, single_atomic<itself, T>, single<itself, element<T, Mode>>>;

 public:
  using base::operator=;
  static constexpr access_mode mode = Mode;
  using accessor_space = std::integral_constant<access::address_space, access::address_space::global_space>;
  using pointed = element<T, Mode>;
  template <access::decorated Decorated>
  using accessor_ptr = multi_ptr<pointed, access::address_space::global_space, Decorated>;

  first_element() = default;
  template <typename B, typename A, typename = if_elements_of<B, T>>
  first_element(buffer<B, 1, A> &b, const property_list &p = {})
      : cell_(accessor<T, 1, Mode, Target, Placeholder>(b, range<1>(1), p).cell()) {}
  template <typename B, typename A, typename = if_elements_of<B, T>>
  first_element(buffer<B, 1, A> &b, handler &h, const property_list &p = {})
      : cell_(accessor<T, 1, Mode, Target, Placeholder>(b, h, range<1>(1), p).cell()) {}

  bool is_placeholder() const noexcept {
    return detail::is_placeholder(cell_);
  }
  void swap(itself &other) {
    std::swap(cell_, other.cell_);
  }
  auto get_pointer() const noexcept {
    if constexpr (Target == target::host_task)
      return &at();
    else
      return multi_ptr<pointed, access::address_space::global_space>(&at());
  }
  template <access::decorated Decorated>
  accessor_ptr<Decorated> get_multi_ptr() const noexcept {
    return accessor_ptr<Decorated>(&at());
  }
  friend bool operator==(const itself &a, const itself &b) {
    return a.cell_ == b.cell_;
  }
  friend bool operator!=(const itself &a, const itself &b) {
    return a.cell_ != b.cell_;
  }
  HEDDLE_INLINE pointed &at() const {  // for the runtime only
    if constexpr (Target == target::host_task)
      return *static_cast<pointed *>(place_on_host(cell_));
    else
      HEDDLE_ELEMENT_ON_DEVICE(return *(pointed HEDDLE_GLOBAL *)cell_);
  }
  const buffer_cell *cell() const {  // for the runtime only
    return cell_;
  }

 private:
  const buffer_cell *cell_ = nullptr;
};

}  // namespace detail

#define HEDDLE_NO_DIMENSION(of)                                            \
  template <typename T, access_mode Mode, access::placeholder Placeholder> \
  class accessor<T, 0, Mode, target::of, Placeholder>                      \
      : public detail::first_element<T, Mode, target::of, Placeholder> {   \
    using base = detail::first_element<T, Mode, target::of, Placeholder>;  \
                                                                           \
   public:                                                                 \
    using base::base;                                                      \
    using base::operator=;                                                 \
  };
HEDDLE_NO_DIMENSION(device)
HEDDLE_NO_DIMENSION(constant_buffer)
HEDDLE_NO_DIMENSION(host_task)
#undef HEDDLE_NO_DIMENSION

// ---- host_accessor

// Holds the buffer for the host: commands that need it wait until it is gone.
template <typename T, int D = 1, access_mode Mode = detail::mode_of_elements<T>>
class host_accessor : public detail::indexed<host_accessor<T, D, Mode>, detail::element<T, Mode>, D>,
                      public detail::shape<D> {
 public:
  using value_type = detail::element<T, Mode>;
  using reference = value_type &;

  host_accessor() = default;
  template <typename B, typename A, typename = detail::if_elements_of<B, T>>
  host_accessor(buffer<B, D, A> &b, const property_list &p = {}) : host_accessor(b.get_range(), id<D>(), b, p) {}
  template <typename B, typename A, access_mode M, typename = detail::if_elements_of<B, T>>
  host_accessor(buffer<B, D, A> &b, mode_tag_t<M>, const property_list &p = {})
      : host_accessor(b.get_range(), id<D>(), b, p) {}
  template <typename B, typename A, typename = detail::if_elements_of<B, T>>
  host_accessor(buffer<B, D, A> &b, range<D> r, const property_list &p = {}) : host_accessor(r, id<D>(), b, p) {}
  template <typename B, typename A, access_mode M, typename = detail::if_elements_of<B, T>>
  host_accessor(buffer<B, D, A> &b, range<D> r, mode_tag_t<M>, const property_list &p = {})
      : host_accessor(r, id<D>(), b, p) {}
  template <typename B, typename A, typename = detail::if_elements_of<B, T>>
  host_accessor(buffer<B, D, A> &b, range<D> r, id<D> o, const property_list &p = {}) : host_accessor(r, o, b, p) {}
  template <typename B, typename A, access_mode M, typename = detail::if_elements_of<B, T>>
  host_accessor(buffer<B, D, A> &b, range<D> r, id<D> o, mode_tag_t<M>, const property_list &p = {})
      : host_accessor(r, o, b, p) {}

  value_type *get_pointer() const noexcept {
    return first_;
  }
  void swap(host_accessor &other) {
    std::swap(*this, other);
  }
  friend bool operator==(const host_accessor &a, const host_accessor &b) {
    return a.open_ == b.open_;
  }
  friend bool operator!=(const host_accessor &a, const host_accessor &b) {
    return a.open_ != b.open_;
  }
  reference at(std::size_t index) const {  // for the runtime only
    return first_[index];
  }

 private:
  template <typename B, typename A>
  host_accessor(const range<D> &part, const id<D> &offset, buffer<B, D, A> &b, const property_list &p)
      : detail::shape<D>(part, b.get_range(), offset) {
    detail::check_part(part, b.get_range(), offset);
    const bool is_part = part != b.get_range() || b.is_sub_buffer();
    open_ = std::make_shared<detail::opened<Mode>>(b.impl(), detail::needs_contents<Mode>(p) || is_part);
    first_ = reinterpret_cast<value_type *>(open_->data + b.first_byte()) + detail::linear(offset, b.get_range());
  }
  std::shared_ptr<detail::opened<Mode>> open_;
  value_type *first_ = nullptr;
};
// Of the first element.
template <typename T, access_mode Mode>
class host_accessor<T, 0, Mode> : public detail::single<host_accessor<T, 0, Mode>, detail::element<T, Mode>> {
  using base = detail::single<host_accessor<T, 0, Mode>, detail::element<T, Mode>>;

 public:
  host_accessor() = default;
  template <typename B, typename A, typename = detail::if_elements_of<B, T>>
  host_accessor(buffer<B, 1, A> &b, const property_list &p = {}) : of_(b, range<1>(1), p) {}
  using base::operator=;
  detail::element<T, Mode> *get_pointer() const noexcept {
    return &at();
  }
  void swap(host_accessor &other) {
    of_.swap(other.of_);
  }
  friend bool operator==(const host_accessor &a, const host_accessor &b) {
    return a.of_ == b.of_;
  }
  friend bool operator!=(const host_accessor &a, const host_accessor &b) {
    return a.of_ != b.of_;
  }
  detail::element<T, Mode> &at() const {  // for the runtime only
    return of_[0];
  }

 private:
  host_accessor<T, 1, Mode> of_;
};
#define HEDDLE_GUIDES(...)                                                                                            \
  template <typename T, int D, typename A>                                                                            \
  host_accessor(buffer<T, D, A> &__VA_ARGS__) -> host_accessor<T, D, access_mode::read_write>;                        \
  template <typename T, int D, typename A>                                                                            \
  host_accessor(buffer<T, D, A> &__VA_ARGS__, const property_list &) -> host_accessor<T, D, access_mode::read_write>; \
  template <typename T, int D, typename A, access_mode Mode>                                                          \
  host_accessor(buffer<T, D, A> &__VA_ARGS__, mode_tag_t<Mode>) -> host_accessor<T, D, Mode>;                         \
  template <typename T, int D, typename A, access_mode Mode>                                                          \
  host_accessor(buffer<T, D, A> &__VA_ARGS__, mode_tag_t<Mode>, const property_list &) -> host_accessor<T, D, Mode>;
#define HEDDLE_COMMA ,
HEDDLE_GUIDES()
HEDDLE_GUIDES(HEDDLE_COMMA range<D>)
HEDDLE_GUIDES(HEDDLE_COMMA range<D> HEDDLE_COMMA id<D>)
#undef HEDDLE_GUIDES
#undef HEDDLE_COMMA

// SYCL 1.2.1's accessor of the host.
template <typename T, int D, access_mode Mode, access::placeholder Placeholder>
class accessor<T, D, Mode, target::host_buffer, Placeholder> : public host_accessor<T, D, Mode> {
 public:
  using host_accessor<T, D, Mode>::host_accessor;
  using host_accessor<T, D, Mode>::operator=;
  accessor(const host_accessor<T, D, Mode> &other) : host_accessor<T, D, Mode>(other) {}
};

// ---- local_accessor

// Memory of a work-group.
template <typename T, int D = 1>
class local_accessor : public detail::indexed<local_accessor<T, D>, T, D> {
 public:
  using accessor_space = std::integral_constant<access::address_space, access::address_space::local_space>;
  using value_type = T;
  using reference = T &;
  template <access::decorated Decorated>
  using accessor_ptr = multi_ptr<T, access::address_space::local_space, Decorated>;

  local_accessor() = default;
  local_accessor(const range<D> &r, handler &h, const property_list & = {})
      : cell_(detail::require_local(h, r.size() * sizeof(T))), range_(r) {}

  range<D> get_range() const noexcept {
    return range_;
  }
  multi_ptr<T, access::address_space::local_space> get_pointer() const noexcept {
    return multi_ptr<T, access::address_space::local_space>(&at(0));
  }
  template <access::decorated Decorated>
  accessor_ptr<Decorated> get_multi_ptr() const noexcept {
    return accessor_ptr<Decorated>(&at(0));
  }
  void swap(local_accessor &other) {
    std::swap(*this, other);
  }
  friend bool operator==(const local_accessor &a, const local_accessor &b) {
    return a.cell_ == b.cell_;
  }
  friend bool operator!=(const local_accessor &a, const local_accessor &b) {
    return a.cell_ != b.cell_;
  }
  const range<D> &whole_range() const {  // for the runtime only
    return range_;
  }
  const detail::local_cell *cell() const {  // for the runtime only
    return cell_;
  }
  HEDDLE_INLINE T &at(std::size_t index) const {  // for the runtime only
    HEDDLE_ELEMENT_ON_DEVICE(return ((T HEDDLE_LOCAL *)cell_)[index]);
  }

 private:
  const detail::local_cell *cell_ = nullptr;
  range<D> range_;
};
// Of one element, which it stands for.
template <typename T>
class local_accessor<T, 0> : public detail::single<local_accessor<T, 0>, T> {
 public:
  using accessor_space = std::integral_constant<access::address_space, access::address_space::local_space>;
  template <access::decorated Decorated>
  using accessor_ptr = multi_ptr<T, access::address_space::local_space, Decorated>;

  local_accessor() = default;
  explicit local_accessor(handler &h, const property_list & = {}) : cell_(detail::require_local(h, sizeof(T))) {}
  using detail::single<local_accessor<T, 0>, T>::operator=;
  multi_ptr<T, access::address_space::local_space> get_pointer() const noexcept {
    return multi_ptr<T, access::address_space::local_space>(&at());
  }
  template <access::decorated Decorated>
  accessor_ptr<Decorated> get_multi_ptr() const noexcept {
    return accessor_ptr<Decorated>(&at());
  }
  void swap(local_accessor &other) {
    std::swap(cell_, other.cell_);
  }
  friend bool operator==(const local_accessor &a, const local_accessor &b) {
    return a.cell_ == b.cell_;
  }
  friend bool operator!=(const local_accessor &a, const local_accessor &b) {
    return a.cell_ != b.cell_;
  }
  const detail::local_cell *cell() const {  // for the runtime only
    return cell_;
  }
  HEDDLE_INLINE T &at() const {  // for the runtime only
    HEDDLE_ELEMENT_ON_DEVICE(return *(T HEDDLE_LOCAL *)cell_);
  }

 private:
  const detail::local_cell *cell_ = nullptr;
};

// SYCL 1.2.1's.
template <typename T, int D, access_mode Mode, access::placeholder Placeholder>
class accessor<T, D, Mode, target::local, Placeholder> : public local_accessor<T, D> {
 public:
  using local_accessor<T, D>::local_accessor;
  using local_accessor<T, D>::operator=;
};

template <typename T, int D, access_mode Mode, target Target, access::placeholder P>
struct is_property_of<property::no_init, accessor<T, D, Mode, Target, P>> : std::true_type {};
template <typename T, int D, access_mode Mode>
struct is_property_of<property::no_init, host_accessor<T, D, Mode>> : std::true_type {};

}  // namespace sycl

#endif
