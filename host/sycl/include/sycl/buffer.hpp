// SPDX-License-Identifier: Apache-2.0
// buffer, accessor, host_accessor, local_accessor: SYCL 2020, sections 4.7.2 and 4.7.6.
#ifndef HEDDLE_SYCL_BUFFER_HPP
#define HEDDLE_SYCL_BUFFER_HPP

#include <iterator>

#include "detail/leaves.hpp"
#include "exception.hpp"
#include "group.hpp"
#include "property.hpp"

namespace sycl {

class handler;

enum class access_mode { read, write, read_write, discard_write, discard_read_write, atomic };
enum class target { device, host_task, constant_buffer, local, host_buffer, global_buffer = device };
namespace access {
using sycl::target;
using mode = access_mode;
enum class placeholder { false_t, true_t };
}  // namespace access

// Tags that say the mode of an accessor.
template <access_mode Mode>
struct mode_tag_t {};
inline constexpr mode_tag_t<access_mode::read> read_only;
inline constexpr mode_tag_t<access_mode::read_write> read_write;
inline constexpr mode_tag_t<access_mode::write> write_only;

namespace detail {

constexpr bool reads(access_mode mode) {
  return mode != access_mode::write && mode != access_mode::discard_write && mode != access_mode::discard_read_write;
}
constexpr bool writes(access_mode mode) {
  return mode != access_mode::read;
}

// The contents: in host memory, in that of contexts, or in both (runtime/buffer.cpp).
struct buffer_impl;
std::shared_ptr<buffer_impl> make_buffer(std::size_t bytes, void *host, const void *contents);
void set_final_data(buffer_impl &, std::function<void(const void *)> write);  // nullptr: nowhere
// The last reference to a buffer waits for what uses it and writes it back.
void release_buffer(std::shared_ptr<buffer_impl> &) noexcept;
// For the host, until close_on_host.
void *open_on_host(buffer_impl &, bool reads, bool writes);
void close_on_host(buffer_impl &, bool writes) noexcept;

// What a command needs of a buffer; the handler keeps it until the command is enqueued.
const buffer_cell *require(handler &, const std::shared_ptr<buffer_impl> &, bool reads, bool writes);
const local_cell *require_local(handler &, std::size_t bytes);

struct buffer_owner {
  std::shared_ptr<buffer_impl> impl;
  explicit buffer_owner(std::shared_ptr<buffer_impl> i) : impl(std::move(i)) {}
  buffer_owner(const buffer_owner &) = delete;
  buffer_owner &operator=(const buffer_owner &) = delete;
  ~buffer_owner() {
    release_buffer(impl);
  }
};

// What kernels may do to an element.
template <typename T, access_mode Mode>
using element = std::conditional_t<Mode == access_mode::read, const T, T>;

// buffer[i][j][k]
template <typename Accessor, int Left>
class subscript {
 public:
  HEDDLE_INLINE subscript(const Accessor &accessor, std::size_t at) : accessor_(accessor), at_(at) {}
  HEDDLE_INLINE decltype(auto) operator[](std::size_t index) const {
    const std::size_t at = at_ * accessor_.get_range()[Accessor::dimensions - Left] + index;
    if constexpr (Left == 1)
      return accessor_.at(at);
    else
      return subscript<Accessor, Left - 1>(accessor_, at);
  }

 private:
  const Accessor &accessor_;
  std::size_t at_;
};

// What all accessors share: elements by index. Derived has at(linear index) and get_range().
template <typename Derived, int D>
class indexed {
 public:
  static constexpr int dimensions = D;
  std::size_t size() const {
    return self().get_range().size();
  }
  bool empty() const {
    return size() == 0;
  }
  HEDDLE_INLINE decltype(auto) operator[](id<D> index) const {
    return self().at(linear(index, self().get_range()));
  }
  template <int E = D, typename = std::enable_if_t<(E > 1)>>
  HEDDLE_INLINE auto operator[](std::size_t index) const {
    return subscript<Derived, D - 1>(self(), index);
  }

 private:
  HEDDLE_INLINE const Derived &self() const {
    return static_cast<const Derived &>(*this);
  }
};

}  // namespace detail

template <typename T, int D = 1, access_mode Mode = access_mode::read_write>
class host_accessor;
template <typename T, int D = 1, access_mode Mode = access_mode::read_write, target Target = target::device,
          access::placeholder Placeholder = access::placeholder::false_t>
class accessor;

template <typename T>
using buffer_allocator = std::allocator<T>;

template <typename T, int D = 1, typename Allocator = buffer_allocator<std::remove_const_t<T>>>
class buffer {
  static_assert(std::is_trivially_copyable_v<T>, "elements of a buffer are copied to the device by their bytes");

 public:
  using value_type = T;

  buffer(const range<D> &r, const property_list & = {}) : buffer(r, nullptr, nullptr) {}
  buffer(T *host, const range<D> &r, const property_list & = {})
      : buffer(r, const_cast<void *>(static_cast<const void *>(host)), nullptr) {
    if (std::is_const_v<T>)
      set_final_data(nullptr);
  }
  template <typename U = T, typename = std::enable_if_t<!std::is_const_v<U>>>
  buffer(const T *host, const range<D> &r, const property_list & = {}) : buffer(r, nullptr, host) {}
  template <typename Container, int E = D,
            typename = std::enable_if_t<E == 1 && std::is_same_v<std::remove_const_t<std::remove_pointer_t<
                                                                     decltype(std::data(std::declval<Container &>()))>>,
                                                                 std::remove_const_t<T>>>>
  buffer(Container &container, const property_list & = {})
      : buffer(std::data(container), range<1>(std::size(container))) {}
  template <typename Iterator, int E = D, typename = std::enable_if_t<E == 1>,
            typename = typename std::iterator_traits<Iterator>::iterator_category>
  buffer(Iterator first, Iterator last, const property_list & = {})
      : buffer(static_cast<const std::remove_const_t<T> *>(std::vector<std::remove_const_t<T>>(first, last).data()),
               range<1>(static_cast<std::size_t>(std::distance(first, last)))) {}

  range<D> get_range() const {
    return range_;
  }
  std::size_t size() const {
    return range_.size();
  }
  std::size_t get_count() const {
    return size();
  }
  std::size_t byte_size() const {
    return size() * sizeof(T);
  }
  std::size_t get_size() const {
    return byte_size();
  }

  template <access_mode Mode = access_mode::read_write, target Target = target::device>
  accessor<T, D, Mode, Target> get_access(handler &h) {
    return accessor<T, D, Mode, Target>(*this, h);
  }
  template <access_mode Mode>
  host_accessor<T, D, Mode> get_access() {
    return host_accessor<T, D, Mode>(*this);
  }
  template <typename... Tags>
  auto get_access(handler &h, Tags... tags) {
    return accessor(*this, h, tags...);
  }
  template <typename... Tags>
  auto get_host_access(Tags... tags) {
    return host_accessor(*this, tags...);
  }

  // A pointer, an output iterator, or nullptr for nowhere.
  template <typename Destination = std::nullptr_t>
  void set_final_data(Destination destination = nullptr) {
    if constexpr (std::is_same_v<Destination, std::nullptr_t>) {
      detail::set_final_data(*owner_->impl, nullptr);
    } else {
      const std::size_t count = size();
      detail::set_final_data(*owner_->impl, [=](const void *contents) {
        const T *from = static_cast<const T *>(contents);
        std::copy(from, from + count, destination);
      });
    }
  }
  void set_write_back(bool flag = true) {
    if (!flag)
      set_final_data(nullptr);
  }

  friend bool operator==(const buffer &a, const buffer &b) {
    return a.owner_ == b.owner_;
  }
  friend bool operator!=(const buffer &a, const buffer &b) {
    return a.owner_ != b.owner_;
  }
  const std::shared_ptr<detail::buffer_impl> &impl() const {  // for the runtime only
    return owner_->impl;
  }

 private:
  buffer(const range<D> &r, void *host, const void *contents)
      : range_(r),
        owner_(std::make_shared<detail::buffer_owner>(detail::make_buffer(r.size() * sizeof(T), host, contents))) {}
  range<D> range_;
  std::shared_ptr<detail::buffer_owner> owner_;
};
template <typename T, int D>
buffer(T *, const range<D> &) -> buffer<T, D>;
template <typename T, int D>
buffer(const T *, const range<D> &) -> buffer<T, D>;
template <typename Container>
buffer(Container &) -> buffer<std::remove_pointer_t<decltype(std::data(std::declval<Container &>()))>, 1>;

// In a kernel: a pointer that the kernel gets as an argument, and the buffer's size.
template <typename T, int D, access_mode Mode, target Target, access::placeholder>
class accessor : public detail::indexed<accessor<T, D, Mode, Target>, D> {
  static_assert(D >= 1, "an accessor has 1, 2 or 3 dimensions");

 public:
  using value_type = detail::element<T, Mode>;
  using reference = value_type &;

  template <typename Allocator>
  accessor(buffer<T, D, Allocator> &b, handler &h, const property_list &properties = {})
      : cell_(detail::require(h, b.impl(), detail::reads(Mode) && !properties.has_property<property::no_init>(),
                              detail::writes(Mode))),
        range_(b.get_range()) {}
  template <typename Allocator, access_mode Tag>
  accessor(buffer<T, D, Allocator> &b, handler &h, mode_tag_t<Tag>, const property_list &properties = {})
      : accessor(b, h, properties) {}

  range<D> get_range() const {
    return range_;
  }
  std::size_t byte_size() const {
    return range_.size() * sizeof(T);
  }
  value_type *get_pointer() const {
    return &at(0);
  }
  template <int E = D, typename = std::enable_if_t<E == 1>>
  operator value_type &() const {
    return at(0);
  }
  HEDDLE_INLINE reference at(std::size_t index) const {  // for the runtime only
    HEDDLE_ON_DEVICE(return ((value_type HEDDLE_GLOBAL *)cell_)[index]);
  }
  const detail::buffer_cell *cell() const {  // for the runtime only
    return cell_;
  }

 private:
  const detail::buffer_cell *cell_;
  range<D> range_;
};
namespace detail {
template <typename T, int D, access_mode Mode, target Target, access::placeholder Placeholder>
struct element_of<accessor<T, D, Mode, Target, Placeholder>> {
  using type = std::remove_const_t<T>;
};
}  // namespace detail
template <typename T, int D, typename A>
accessor(buffer<T, D, A> &, handler &) -> accessor<T, D, access_mode::read_write>;
template <typename T, int D, typename A>
accessor(buffer<T, D, A> &, handler &, const property_list &) -> accessor<T, D, access_mode::read_write>;
template <typename T, int D, typename A>
accessor(buffer<T, D, A> &, handler &, property::no_init) -> accessor<T, D, access_mode::read_write>;
template <typename T, int D, typename A, access_mode Mode>
accessor(buffer<T, D, A> &, handler &, mode_tag_t<Mode>) -> accessor<T, D, Mode>;
template <typename T, int D, typename A, access_mode Mode>
accessor(buffer<T, D, A> &, handler &, mode_tag_t<Mode>, const property_list &) -> accessor<T, D, Mode>;
template <typename T, int D, typename A, access_mode Mode>
accessor(buffer<T, D, A> &, handler &, mode_tag_t<Mode>, property::no_init) -> accessor<T, D, Mode>;

// Holds the buffer for the host. A command that needs it meanwhile is refused, as waiting for it would be for ever.
template <typename T, int D, access_mode Mode>
class host_accessor : public detail::indexed<host_accessor<T, D, Mode>, D> {
 public:
  using value_type = detail::element<T, Mode>;
  using reference = value_type &;

  template <typename Allocator>
  host_accessor(buffer<T, D, Allocator> &b, const property_list &properties = {})
      : open_(std::make_shared<opened>(b.impl(), detail::reads(Mode) && !properties.has_property<property::no_init>())),
        range_(b.get_range()) {}
  template <typename Allocator, access_mode Tag>
  host_accessor(buffer<T, D, Allocator> &b, mode_tag_t<Tag>, const property_list &properties = {})
      : host_accessor(b, properties) {}

  range<D> get_range() const {
    return range_;
  }
  std::size_t byte_size() const {
    return range_.size() * sizeof(T);
  }
  value_type *get_pointer() const {
    return open_->data;
  }
  value_type *begin() const {
    return open_->data;
  }
  value_type *end() const {
    return open_->data + range_.size();
  }
  reference at(std::size_t index) const {  // for the runtime only
    return open_->data[index];
  }

 private:
  struct opened {
    std::shared_ptr<detail::buffer_impl> impl;
    value_type *data;
    opened(const std::shared_ptr<detail::buffer_impl> &i, bool reads)
        : impl(i), data(static_cast<value_type *>(detail::open_on_host(*i, reads, detail::writes(Mode)))) {}
    opened(const opened &) = delete;
    opened &operator=(const opened &) = delete;
    ~opened() {
      detail::close_on_host(*impl, detail::writes(Mode));
    }
  };
  std::shared_ptr<opened> open_;
  range<D> range_;
};
template <typename T, int D, typename A>
host_accessor(buffer<T, D, A> &) -> host_accessor<T, D, access_mode::read_write>;
template <typename T, int D, typename A, access_mode Mode>
host_accessor(buffer<T, D, A> &, mode_tag_t<Mode>) -> host_accessor<T, D, Mode>;

// Memory of a work-group.
template <typename T, int D = 1>
class local_accessor : public detail::indexed<local_accessor<T, D>, D> {
 public:
  using value_type = T;
  using reference = T &;

  local_accessor(const range<D> &r, handler &h, const property_list & = {})
      : cell_(detail::require_local(h, r.size() * sizeof(T))), range_(r) {}

  range<D> get_range() const {
    return range_;
  }
  std::size_t byte_size() const {
    return range_.size() * sizeof(T);
  }
  T *get_pointer() const {
    return &at(0);
  }
  HEDDLE_INLINE T &at(std::size_t index) const {  // for the runtime only
    HEDDLE_ON_DEVICE(return ((T HEDDLE_LOCAL *)cell_)[index]);
  }

 private:
  const detail::local_cell *cell_;
  range<D> range_;
};

}  // namespace sycl

#endif
