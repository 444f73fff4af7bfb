// SPDX-License-Identifier: Apache-2.0
// span: SYCL 2020, section 4.7.8, which is C++20's.
#ifndef HEDDLE_SYCL_SPAN_HPP
#define HEDDLE_SYCL_SPAN_HPP

#include <array>
#include <iterator>

#include "detail/defines.hpp"

namespace sycl {

inline constexpr std::size_t dynamic_extent = ~std::size_t(0);

template <typename T, std::size_t Extent = dynamic_extent>
class span;

namespace detail {

template <std::size_t Extent>
struct span_size {
  constexpr span_size(std::size_t) {}
  static constexpr std::size_t size() {
    return Extent;
  }
};
template <>
struct span_size<dynamic_extent> {
  constexpr span_size(std::size_t n) : count(n) {}
  constexpr std::size_t size() const {
    return count;
  }
  std::size_t count;
};

template <typename T>
struct is_span_or_array : std::is_array<T> {};
template <typename T, std::size_t Extent>
struct is_span_or_array<span<T, Extent>> : std::true_type {};
template <typename T, std::size_t Count>
struct is_span_or_array<std::array<T, Count>> : std::true_type {};

// Elements may become const, and nothing else.
template <typename From, typename To>
using if_same_elements = std::enable_if_t<std::is_convertible_v<From (*)[], To (*)[]>>;

}  // namespace detail

template <typename T, std::size_t Extent>
class span {
  template <typename U, std::size_t Other>
  friend class span;

 public:
  using element_type = T;
  using value_type = std::remove_cv_t<T>;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using pointer = T *;
  using const_pointer = const T *;
  using reference = T &;
  using const_reference = const T &;
  using iterator = T *;
  using const_iterator = const T *;
  using reverse_iterator = std::reverse_iterator<iterator>;
  using const_reverse_iterator = std::reverse_iterator<const_iterator>;
  static constexpr std::size_t extent = Extent;

  template <std::size_t E = Extent, typename = std::enable_if_t<E == dynamic_extent || E == 0>>
  constexpr span() noexcept : size_(0) {}
  constexpr span(T *first, size_type count) : data_(first), size_(count) {}
  constexpr span(T *first, T *last) : data_(first), size_(static_cast<size_type>(last - first)) {}
  template <std::size_t Count, typename = std::enable_if_t<Extent == dynamic_extent || Extent == Count>>
  constexpr span(T (&array)[Count]) noexcept : data_(array), size_(Count) {}
  template <typename U, std::size_t Count, typename = detail::if_same_elements<U, T>,
            typename = std::enable_if_t<Extent == dynamic_extent || Extent == Count>>
  constexpr span(std::array<U, Count> &array) noexcept : data_(array.data()), size_(Count) {}
  template <typename U, std::size_t Count, typename = detail::if_same_elements<const U, T>,
            typename = std::enable_if_t<Extent == dynamic_extent || Extent == Count>>
  constexpr span(const std::array<U, Count> &array) noexcept : data_(array.data()), size_(Count) {}
  // Of a container whose elements are side by side. Its size is known when the program runs.
  template <typename Container, typename = std::enable_if_t<!detail::is_span_or_array<Container>::value>,
            typename = detail::if_same_elements<std::remove_pointer_t<decltype(std::declval<Container &>().data())>, T>>
  constexpr span(Container &container) : data_(container.data()), size_(container.size()) {}
  template <
      typename Container, typename = std::enable_if_t<!detail::is_span_or_array<Container>::value>,
      typename = detail::if_same_elements<std::remove_pointer_t<decltype(std::declval<const Container &>().data())>, T>>
  constexpr span(const Container &container) : data_(container.data()), size_(container.size()) {}
  template <typename U, std::size_t Other, typename = detail::if_same_elements<U, T>,
            typename = std::enable_if_t<Extent == dynamic_extent || Other == dynamic_extent || Extent == Other>>
  constexpr span(const span<U, Other> &other) noexcept : data_(other.data()), size_(other.size()) {}

  template <std::size_t Count>
  constexpr span<T, Count> first() const {
    return span<T, Count>(data_, Count);
  }
  constexpr span<T> first(size_type count) const {
    return span<T>(data_, count);
  }
  template <std::size_t Count>
  constexpr span<T, Count> last() const {
    return span<T, Count>(data_ + (size() - Count), Count);
  }
  constexpr span<T> last(size_type count) const {
    return span<T>(data_ + (size() - count), count);
  }
  template <std::size_t Offset, std::size_t Count = dynamic_extent>
  constexpr auto subspan() const {
    constexpr std::size_t left = Extent == dynamic_extent ? dynamic_extent : Extent - Offset;
    constexpr std::size_t part = Count != dynamic_extent ? Count : left;
    return span<T, part>(data_ + Offset, Count == dynamic_extent ? size() - Offset : Count);
  }
  constexpr span<T> subspan(size_type offset, size_type count = dynamic_extent) const {
    return span<T>(data_ + offset, count == dynamic_extent ? size() - offset : count);
  }

  constexpr size_type size() const noexcept {
    return size_.size();
  }
  constexpr size_type size_bytes() const noexcept {
    return size() * sizeof(T);
  }
  constexpr bool empty() const noexcept {
    return size() == 0;
  }
  constexpr reference operator[](size_type i) const {
    return data_[i];
  }
  constexpr reference front() const {
    return data_[0];
  }
  constexpr reference back() const {
    return data_[size() - 1];
  }
  constexpr pointer data() const noexcept {
    return data_;
  }
  constexpr iterator begin() const noexcept {
    return data_;
  }
  constexpr iterator end() const noexcept {
    return data_ + size();
  }
  constexpr const_iterator cbegin() const noexcept {
    return begin();
  }
  constexpr const_iterator cend() const noexcept {
    return end();
  }
  constexpr reverse_iterator rbegin() const noexcept {
    return reverse_iterator(end());
  }
  constexpr reverse_iterator rend() const noexcept {
    return reverse_iterator(begin());
  }

 private:
  T *data_ = nullptr;
  detail::span_size<Extent> size_;
};
template <typename T, std::size_t Count>
span(T (&)[Count]) -> span<T, Count>;
template <typename T, std::size_t Count>
span(std::array<T, Count> &) -> span<T, Count>;
template <typename T, std::size_t Count>
span(const std::array<T, Count> &) -> span<const T, Count>;
template <typename T>
span(T *, std::size_t) -> span<T>;
template <typename T>
span(T *, T *) -> span<T>;
template <typename Container>
span(Container &) -> span<std::remove_pointer_t<decltype(std::declval<Container &>().data())>>;

template <typename T, std::size_t Extent>
span<const std::byte> as_bytes(span<T, Extent> s) noexcept {
  return {reinterpret_cast<const std::byte *>(s.data()), s.size_bytes()};
}
template <typename T, std::size_t Extent>
span<std::byte> as_writable_bytes(span<T, Extent> s) noexcept {
  return {reinterpret_cast<std::byte *>(s.data()), s.size_bytes()};
}

}  // namespace sycl

#endif
