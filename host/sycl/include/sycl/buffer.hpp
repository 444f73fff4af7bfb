// SPDX-License-Identifier: Apache-2.0
// buffer: SYCL 2020, section 4.7.2.
#ifndef HEDDLE_SYCL_BUFFER_HPP
#define HEDDLE_SYCL_BUFFER_HPP

#include "accessor.hpp"
#include "device_copyable.hpp"

namespace sycl {

namespace detail {

std::shared_ptr<buffer_impl> make_buffer(std::size_t bytes, void *host, const void *contents, const property_list &);
// Until the buffer is gone it keeps what its memory is of.
void keep(buffer_impl &, std::shared_ptr<const void>);
void set_final_data(buffer_impl &, std::function<void(const void *)> write);  // nullptr: nowhere
void set_write_back(buffer_impl &, bool);
// The last reference to a buffer waits for what uses it and writes it back.
void release_buffer(std::shared_ptr<buffer_impl> &) noexcept;
[[noreturn]] void fail_part(const char *what);

// So many elements; the largest number where it is more than one: no memory is as large.
template <int D>
std::size_t bytes_of(const range<D> &r, std::size_t bytes) {
  bool is_too_large = false;
  bool is_empty = false;
  for (int i = 0; i < D; i++) {
    is_too_large = __builtin_mul_overflow(bytes, r[i], &bytes) || is_too_large;
    is_empty = is_empty || r[i] == 0;
  }
  return is_too_large && !is_empty ? SIZE_MAX : bytes;
}

struct buffer_owner {
  std::shared_ptr<buffer_impl> impl;
  explicit buffer_owner(std::shared_ptr<buffer_impl> i) : impl(std::move(i)) {}
  buffer_owner(const buffer_owner &) = delete;
  buffer_owner &operator=(const buffer_owner &) = delete;
  ~buffer_owner() {
    release_buffer(impl);
  }
};

template <typename Container, typename T>
using if_container_of = std::enable_if_t<
    std::is_same_v<std::remove_const_t<std::remove_pointer_t<decltype(std::data(std::declval<Container &>()))>>,
                   std::remove_const_t<T>> &&
    !std::is_array_v<Container>>;
template <typename Allocator>
using if_allocator = decltype(std::declval<Allocator &>().allocate(std::size_t()));

}  // namespace detail

template <typename T, int D, typename Allocator>
class buffer {
  static_assert(is_device_copyable_v<T>, "elements of a buffer are copied to the device by their bytes");
  using plain = std::remove_const_t<T>;
  template <typename U, int E, typename A>
  friend class buffer;

 public:
  using value_type = T;
  using reference = T &;
  using const_reference = const T &;
  using allocator_type = Allocator;

  buffer(const range<D> &r, const property_list &p = {}) : buffer(r, nullptr, nullptr, p) {}
  buffer(const range<D> &r, Allocator, const property_list &p = {}) : buffer(r, p) {}
  buffer(T *host, const range<D> &r, const property_list &p = {})
      : buffer(r, const_cast<void *>(static_cast<const void *>(host)), nullptr, p) {
    if (std::is_const_v<T>)
      set_final_data(nullptr);
  }
  buffer(T *host, const range<D> &r, Allocator, const property_list &p = {}) : buffer(host, r, p) {}
  template <typename U = T, typename = std::enable_if_t<!std::is_const_v<U>>>
  buffer(const T *host, const range<D> &r, const property_list &p = {}) : buffer(r, nullptr, host, p) {}
  template <typename U = T, typename = std::enable_if_t<!std::is_const_v<U>>>
  buffer(const T *host, const range<D> &r, Allocator, const property_list &p = {}) : buffer(host, r, p) {}
  buffer(const std::shared_ptr<T> &host, const range<D> &r, const property_list &p = {}) : buffer(host.get(), r, p) {
    detail::keep(*impl(), host);
  }
  buffer(const std::shared_ptr<T> &host, const range<D> &r, Allocator, const property_list &p = {})
      : buffer(host, r, p) {}
  buffer(const std::shared_ptr<T[]> &host, const range<D> &r, const property_list &p = {}) : buffer(host.get(), r, p) {
    detail::keep(*impl(), host);
  }
  template <typename Container, int E = D, typename = std::enable_if_t<E == 1>,
            typename = detail::if_container_of<Container, T>>
  buffer(Container &container, const property_list &p = {})
      : buffer(std::data(container), range<1>(std::size(container)), p) {}
  template <typename Container, int E = D, typename = std::enable_if_t<E == 1>,
            typename = detail::if_container_of<Container, T>>
  buffer(Container &container, Allocator, const property_list &p = {}) : buffer(container, p) {}
  template <typename Iterator, int E = D, typename = std::enable_if_t<E == 1>,
            typename = typename std::iterator_traits<Iterator>::iterator_category>
  buffer(Iterator first, Iterator last, const property_list &p = {})
      : buffer(static_cast<const plain *>(std::vector<plain>(first, last).data()),
               range<1>(static_cast<std::size_t>(std::distance(first, last))), p) {}
  template <typename Iterator, int E = D, typename = std::enable_if_t<E == 1>,
            typename = typename std::iterator_traits<Iterator>::iterator_category>
  buffer(Iterator first, Iterator last, Allocator, const property_list &p = {}) : buffer(first, last, p) {}
  // A part of another, which has to be without gaps. It shares the memory, and what uses one waits for what uses the
  // other.
  buffer(buffer &of, const id<D> &first, const range<D> &part)
      : range_(part),
        first_byte_(of.first_byte_ + detail::linear(first, of.range_) * sizeof(T)),
        is_sub_(true),
        owner_(of.owner_) {
    detail::check_part(part, of.range_, first);
    if (of.is_sub_)
      detail::fail_part("a buffer of a part of a buffer that is a part itself");
    bool is_row = true;  // behind a dimension of which it has a part, it has all of the others
    for (int i = D - 1; i >= 0; i--) {
      if (!is_row && part[i] != 1)
        detail::fail_part("a part of a buffer that is not without gaps");
      is_row = is_row && part[i] == of.range_[i];
    }
  }

  range<D> get_range() const noexcept {
    return range_;
  }
  std::size_t size() const noexcept {
    return range_.size();
  }
  std::size_t get_count() const noexcept {
    return size();
  }
  std::size_t byte_size() const noexcept {
    return size() * sizeof(T);
  }
  std::size_t get_size() const noexcept {
    return byte_size();
  }
  Allocator get_allocator() const {
    return Allocator();
  }
  bool is_sub_buffer() const noexcept {
    return is_sub_;
  }
  template <typename Property>
  bool has_property() const noexcept {
    return properties_.has_property<Property>();
  }
  template <typename Property>
  Property get_property() const {
    return properties_.get_property<Property>();
  }

  // With a handler the accessor is for a command group. Without one that with a mode is for the host, as in SYCL 1.2.1.
  template <access_mode Mode = access_mode::read_write, target Target = target::device>
  accessor<T, D, Mode, Target> get_access(handler &h) {
    return accessor<T, D, Mode, Target>(*this, h);
  }
  template <access_mode Mode, target Target = target::device>
  accessor<T, D, Mode, Target> get_access(handler &h, range<D> part, id<D> offset = {}) {
    return accessor<T, D, Mode, Target>(*this, h, part, offset);
  }
  template <access_mode Mode>
  accessor<T, D, Mode, target::host_buffer> get_access() {
    return accessor<T, D, Mode, target::host_buffer>(*this);
  }
  template <access_mode Mode>
  accessor<T, D, Mode, target::host_buffer> get_access(range<D> part, id<D> offset = {}) {
    return accessor<T, D, Mode, target::host_buffer>(*this, part, offset);
  }
  template <typename... Arguments>
  auto get_access(handler &h, Arguments... arguments) {
    return accessor(*this, h, arguments...);
  }
  template <typename... Arguments>  // a placeholder
  auto get_access(Arguments... arguments) {
    return accessor(*this, arguments...);
  }
  template <typename... Arguments>
  auto get_host_access(Arguments... arguments) {
    return host_accessor(*this, arguments...);
  }

  // A pointer, an output iterator, a weak_ptr, or nullptr for nowhere.
  template <typename Destination = std::nullptr_t>
  void set_final_data(Destination destination = nullptr) {
    if constexpr (std::is_same_v<Destination, std::nullptr_t>) {
      detail::set_final_data(*owner_->impl, nullptr);
    } else {
      const std::size_t count = size();
      detail::set_final_data(*owner_->impl, [=](const void *contents) {
        const T *from = static_cast<const T *>(contents);
        if constexpr (std::is_same_v<Destination, std::weak_ptr<T>>) {
          if (const auto there = destination.lock())
            std::copy(from, from + count, there.get());
        } else {
          std::copy(from, from + count, destination);
        }
      });
    }
  }
  void set_write_back(bool flag = true) {
    detail::set_write_back(*owner_->impl, flag);
  }

  // The same memory with elements of another type.
  template <typename U, int E>
  buffer<U, E> reinterpret(range<E> r) const {
    if (r.size() * sizeof(U) != byte_size())
      detail::fail_part("a buffer of another size");
    return buffer<U, E>(r, first_byte_, is_sub_, owner_);
  }
  template <typename U, int E = D, typename = std::enable_if_t<E == 1 || (E == D && sizeof(U) == sizeof(T))>>
  buffer<U, E> reinterpret() const {
    if constexpr (E == D && sizeof(U) == sizeof(T))
      return reinterpret<U, E>(range_);
    else
      return reinterpret<U, E>(range<1>(byte_size() / sizeof(U)));
  }

  friend bool operator==(const buffer &a, const buffer &b) {
    return a.owner_ == b.owner_ && a.first_byte_ == b.first_byte_ && a.range_ == b.range_;
  }
  friend bool operator!=(const buffer &a, const buffer &b) {
    return !(a == b);
  }
  const std::shared_ptr<detail::buffer_impl> &impl() const {  // for the runtime only
    return owner_->impl;
  }
  std::size_t first_byte() const {  // for the runtime only
    return first_byte_;
  }
  buffer(const range<D> &r, std::size_t first_byte, bool is_sub,
         std::shared_ptr<detail::buffer_owner> owner)  // for the runtime only
      : range_(r), first_byte_(first_byte), is_sub_(is_sub), owner_(std::move(owner)) {}

 private:
  buffer(const range<D> &r, void *host, const void *contents, const property_list &p)
      : range_(r),
        properties_(p),
        owner_(std::make_shared<detail::buffer_owner>(
            detail::make_buffer(detail::bytes_of(r, sizeof(T)), host, contents, p))) {}
  range<D> range_;
  std::size_t first_byte_ = 0;
  bool is_sub_ = false;
  property_list properties_;
  std::shared_ptr<detail::buffer_owner> owner_;
};
template <typename T, int D>
buffer(T *, const range<D> &, const property_list & = {}) -> buffer<T, D>;
template <typename T, int D>
buffer(const T *, const range<D> &, const property_list & = {}) -> buffer<T, D>;
template <typename T, int D>
buffer(const std::shared_ptr<T> &, const range<D> &, const property_list & = {}) -> buffer<std::remove_extent_t<T>, D>;
template <typename Container>
buffer(Container &, const property_list & = {}) -> buffer<typename Container::value_type, 1>;
template <typename Iterator>
buffer(Iterator, Iterator, const property_list & = {})
    -> buffer<typename std::iterator_traits<Iterator>::value_type, 1>;
template <typename T, int D, typename Allocator, typename = detail::if_allocator<Allocator>>
buffer(const T *, const range<D> &, Allocator, const property_list & = {}) -> buffer<T, D, Allocator>;
template <typename Container, typename Allocator, typename = detail::if_allocator<Allocator>>
buffer(Container &, Allocator, const property_list & = {}) -> buffer<typename Container::value_type, 1, Allocator>;
template <typename Iterator, typename Allocator, typename = detail::if_allocator<Allocator>>
buffer(Iterator, Iterator, Allocator, const property_list & = {})
    -> buffer<typename std::iterator_traits<Iterator>::value_type, 1, Allocator>;

#define HEDDLE_PROPERTY(name)              \
  template <typename T, int D, typename A> \
  struct is_property_of<property::buffer::name, buffer<T, D, A>> : std::true_type {};
HEDDLE_PROPERTY(use_host_ptr)
HEDDLE_PROPERTY(use_mutex)
HEDDLE_PROPERTY(context_bound)
#undef HEDDLE_PROPERTY

}  // namespace sycl

#endif
