// SPDX-License-Identifier: Apache-2.0
// id, range, nd_range: SYCL 2020, section 4.9.1.
#ifndef HEDDLE_SYCL_RANGE_HPP
#define HEDDLE_SYCL_RANGE_HPP

#include "detail/defines.hpp"

namespace sycl {

template <int D = 1>
class id;

namespace detail {

// What id and range share: up to three numbers.
template <int D>
class numbers {
  static_assert(D >= 1 && D <= 3, "there are 1, 2 or 3 dimensions");

 public:
  static constexpr int dimensions = D;
  constexpr std::size_t get(int dimension) const {
    return values[dimension];
  }
  constexpr std::size_t &operator[](int dimension) {
    return values[dimension];
  }
  constexpr std::size_t operator[](int dimension) const {
    return values[dimension];
  }

 protected:
  std::size_t values[D] = {};
};

// One number is a number, as the sub-group extension's own example has it.
class number : public numbers<1> {
 public:
  constexpr operator std::size_t() const {
    return values[0];
  }
};
template <int D>
using numbers_or_number = std::conditional_t<D == 1, number, numbers<D>>;

}  // namespace detail

template <int D = 1>
class range : public detail::numbers_or_number<D> {
 public:
  constexpr range() = default;
  template <int E = D, typename = std::enable_if_t<E == 1>>
  constexpr range(std::size_t a) {
    this->values[0] = a;
  }
  template <int E = D, typename = std::enable_if_t<E == 2>>
  constexpr range(std::size_t a, std::size_t b) {
    this->values[0] = a, this->values[1] = b;
  }
  template <int E = D, typename = std::enable_if_t<E == 3>>
  constexpr range(std::size_t a, std::size_t b, std::size_t c) {
    this->values[0] = a, this->values[1] = b, this->values[2] = c;
  }
  constexpr std::size_t size() const {
    std::size_t product = 1;
    for (int i = 0; i < D; i++)
      product *= this->values[i];
    return product;
  }
};
range(std::size_t) -> range<1>;
range(std::size_t, std::size_t) -> range<2>;
range(std::size_t, std::size_t, std::size_t) -> range<3>;

template <int D>
class id : public detail::numbers_or_number<D> {
 public:
  constexpr id() = default;
  template <int E = D, typename = std::enable_if_t<E == 1>>
  constexpr id(std::size_t a) {
    this->values[0] = a;
  }
  template <int E = D, typename = std::enable_if_t<E == 2>>
  constexpr id(std::size_t a, std::size_t b) {
    this->values[0] = a, this->values[1] = b;
  }
  template <int E = D, typename = std::enable_if_t<E == 3>>
  constexpr id(std::size_t a, std::size_t b, std::size_t c) {
    this->values[0] = a, this->values[1] = b, this->values[2] = c;
  }
  constexpr id(const range<D> &r) {
    for (int i = 0; i < D; i++)
      this->values[i] = r[i];
  }
};
id(std::size_t) -> id<1>;
id(std::size_t, std::size_t) -> id<2>;
id(std::size_t, std::size_t, std::size_t) -> id<3>;

namespace detail {

template <typename T>
struct is_numbers : std::false_type {};
template <int D>
struct is_numbers<id<D>> : std::true_type {};
template <int D>
struct is_numbers<range<D>> : std::true_type {};
template <typename T>
using if_numbers = std::enable_if_t<is_numbers<T>::value, T>;

}  // namespace detail

// Arithmetic by element, with another of the kind or with one number.
#define HEDDLE_OPERATOR(op)                                                                                         \
  template <typename T>                                                                                             \
  constexpr detail::if_numbers<T> operator op(const T &a, const T &b) {                                             \
    T result;                                                                                                       \
    for (int i = 0; i < T::dimensions; i++) {                                                                       \
      result[i] = a[i] op b[i];                                                                                     \
    }                                                                                                               \
    return result;                                                                                                  \
  }                                                                                                                 \
  template <typename T, typename N, typename = std::enable_if_t<std::is_integral_v<N>>>                             \
  constexpr std::enable_if_t<(detail::is_numbers<T>::value && T::dimensions > 1), T> operator op(const T &a, N b) { \
    T result;                                                                                                       \
    for (int i = 0; i < T::dimensions; i++) {                                                                       \
      result[i] = a[i] op static_cast<std::size_t>(b);                                                              \
    }                                                                                                               \
    return result;                                                                                                  \
  }                                                                                                                 \
  template <typename T>                                                                                             \
  constexpr detail::if_numbers<T> &operator op## = (T & a, const T &b) {                                            \
    return a = a op b;                                                                                              \
  }
HEDDLE_OPERATOR(+)
HEDDLE_OPERATOR(-)
HEDDLE_OPERATOR(*)
HEDDLE_OPERATOR(/)
HEDDLE_OPERATOR(%)
HEDDLE_OPERATOR(<<)
HEDDLE_OPERATOR(>>)
HEDDLE_OPERATOR(&)
HEDDLE_OPERATOR(|)
HEDDLE_OPERATOR(^)
#undef HEDDLE_OPERATOR

template <typename T, typename = detail::if_numbers<T>>
constexpr bool operator==(const T &a, const T &b) {
  for (int i = 0; i < T::dimensions; i++)
    if (a[i] != b[i])
      return false;
  return true;
}
template <typename T, typename = detail::if_numbers<T>>
constexpr bool operator!=(const T &a, const T &b) {
  return !(a == b);
}

template <int D = 1>
class nd_range {
 public:
  static constexpr int dimensions = D;
  constexpr nd_range(range<D> global, range<D> local, id<D> offset = id<D>())
      : global_(global), local_(local), offset_(offset) {}
  constexpr range<D> get_global_range() const {
    return global_;
  }
  constexpr range<D> get_local_range() const {
    return local_;
  }
  constexpr range<D> get_group_range() const {
    range<D> groups;
    for (int i = 0; i < D; i++)
      groups[i] = local_[i] != 0 ? global_[i] / local_[i] : 0;
    return groups;
  }
  constexpr id<D> get_offset() const {
    return offset_;
  }

 private:
  range<D> global_, local_;
  id<D> offset_;
};

}  // namespace sycl

#endif
