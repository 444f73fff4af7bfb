// SPDX-License-Identifier: Apache-2.0
// id, range, nd_range: SYCL 2020, section 4.9.1.
//
// An id or range of one dimension converts to a number, so comparisons and && and || of it with a number are the
// built-in ones: they give bool, and && and || look at their right side only where they have to.
#ifndef HEDDLE_SYCL_RANGE_HPP
#define HEDDLE_SYCL_RANGE_HPP

#include "detail/defines.hpp"

namespace sycl {

template <int D = 1>
class id;
template <int D = 1, bool WithOffset = true>
class item;

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

// One number is a number, as the sub-group extension's own example has it. The conversion is no template: only then is
// it looked at for pointer[id] and the like.
class number : public numbers<1> {
 public:
  constexpr operator std::size_t() const {
    return values[0];
  }
};
template <int D>
using numbers_or_number = std::conditional_t<D == 1, number, numbers<D>>;

// Numbers that stand beside an id or range: exact matches, so that neither a conversion of the number to an id nor one
// of the id to a number is taken into account.
template <typename T>
using if_index =
    std::enable_if_t<std::is_integral_v<T> || (std::is_enum_v<T> && std::is_convertible_v<T, std::size_t>)>;
template <typename T, int D>
using if_fraction = std::enable_if_t<D == 1 && (std::is_floating_point_v<T> || std::is_same_v<T, _Float16>), T>;
// Of one dimension both sides have to be of the type itself, of more the other may be converted to it.
template <typename A, typename B, typename T, int D>
using if_same = std::enable_if_t<D == 1 && std::is_same_v<A, T> && std::is_same_v<B, T>, int>;

}  // namespace detail

// Arithmetic by element, with another of the kind or with one number on either side. Friends are no templates, so that
// range and item convert to id.
#define HEDDLE_ELEMENTS(expression)    \
  {                                    \
    T result;                          \
    for (int i = 0; i < D; i++) {      \
      result.values[i] = (expression); \
    }                                  \
    return result;                     \
  }
#define HEDDLE_ARITHMETIC(op)                                                                               \
  friend constexpr T operator op(const T &a, const T &b)                                                    \
      HEDDLE_ELEMENTS(a.values[i] op b.values[i]) template <typename N, typename = detail::if_index<N>>     \
      friend constexpr T operator op(const T &a, const N &b) HEDDLE_ELEMENTS(                               \
          a.values[i] op static_cast<std::size_t>(b)) template <typename N, typename = detail::if_index<N>> \
      friend constexpr T operator op(const N &a, const T &b)                                                \
          HEDDLE_ELEMENTS(static_cast<std::size_t>(a) op b.values[i]) friend constexpr T &                  \
          operator op## = (T & a, const T &b) {                                                             \
    return a = a op b;                                                                                      \
  }                                                                                                         \
  template <typename N, typename = detail::if_index<N>>                                                     \
  friend constexpr T &operator op## = (T & a, const N &b) {                                                 \
    return a = a op b;                                                                                      \
  }
// Of one dimension and a fraction: the number's, as the built-in operators have it.
#define HEDDLE_FRACTION(op)                                                        \
  template <typename N>                                                            \
  friend constexpr detail::if_fraction<N, D> operator op(const T &a, const N &b) { \
    return static_cast<N>(a.values[0]) op b;                                       \
  }                                                                                \
  template <typename N>                                                            \
  friend constexpr detail::if_fraction<N, D> operator op(const N &a, const T &b) { \
    return a op static_cast<N>(b.values[0]);                                       \
  }
#define HEDDLE_RELATION(op)                                                                                           \
  template <typename A, typename B, detail::if_same<A, B, T, D> = 0>                                                  \
  friend constexpr T operator op(const A &a, const B &b)                                                              \
      HEDDLE_ELEMENTS(a.values[i] op b.values[i]) template <int E = D, typename = std::enable_if_t<(E > 1)>>          \
      friend constexpr T operator op(const T &a, const T &b) HEDDLE_ELEMENTS(                                         \
          a.values[i] op b.values[i]) template <typename N, int E = D, typename = detail::if_index<N>,                \
                                                typename = std::enable_if_t<(E > 1)>>                                 \
      friend constexpr T operator op(const T &a, const N &b) HEDDLE_ELEMENTS(a.values[i] op static_cast<std::size_t>( \
          b)) template <typename N, int E = D, typename = detail::if_index<N>, typename = std::enable_if_t<(E > 1)>>  \
      friend constexpr T operator op(const N &a, const T &b)                                                          \
          HEDDLE_ELEMENTS(static_cast<std::size_t>(a) op b.values[i])
#define HEDDLE_INDEX_OPERATORS                                                             \
  HEDDLE_ARITHMETIC(+)                                                                     \
  HEDDLE_ARITHMETIC(-)                                                                     \
  HEDDLE_ARITHMETIC(*)                                                                     \
  HEDDLE_ARITHMETIC(/)                                                                     \
  HEDDLE_ARITHMETIC(%)                                                                     \
  HEDDLE_ARITHMETIC(<<)                                                                    \
  HEDDLE_ARITHMETIC(>>)                                                                    \
  HEDDLE_ARITHMETIC(&)                                                                     \
  HEDDLE_ARITHMETIC(|)                                                                     \
  HEDDLE_ARITHMETIC(^)                                                                     \
  HEDDLE_FRACTION(+)                                                                       \
  HEDDLE_FRACTION(-)                                                                       \
  HEDDLE_FRACTION(*)                                                                       \
  HEDDLE_FRACTION(/)                                                                       \
  HEDDLE_RELATION(<)                                                                       \
  HEDDLE_RELATION(>)                                                                       \
  HEDDLE_RELATION(<=)                                                                      \
  HEDDLE_RELATION(>=)                                                                      \
  HEDDLE_RELATION(&&)                                                                      \
  HEDDLE_RELATION(||)                                                                      \
  template <typename A, typename B, detail::if_same<A, B, T, D> = 0>                       \
  friend constexpr bool operator==(const A &a, const B &b) {                               \
    return a.values[0] == b.values[0];                                                     \
  }                                                                                        \
  template <typename A, typename B, detail::if_same<A, B, T, D> = 0>                       \
  friend constexpr bool operator!=(const A &a, const B &b) {                               \
    return a.values[0] != b.values[0];                                                     \
  }                                                                                        \
  template <int E = D, typename = std::enable_if_t<(E > 1)>>                               \
  friend constexpr bool operator==(const T &a, const T &b) {                               \
    for (int i = 0; i < D; i++)                                                            \
      if (a.values[i] != b.values[i])                                                      \
        return false;                                                                      \
    return true;                                                                           \
  }                                                                                        \
  template <int E = D, typename = std::enable_if_t<(E > 1)>>                               \
  friend constexpr bool operator!=(const T &a, const T &b) {                               \
    return !(a == b);                                                                      \
  }                                                                                        \
  friend constexpr T operator+(const T &a) {                                               \
    return a;                                                                              \
  }                                                                                        \
  friend constexpr T operator-(const T &a)                                                 \
      HEDDLE_ELEMENTS(std::size_t(0) - a.values[i]) friend constexpr T &operator++(T &a) { \
    return a += std::size_t(1);                                                            \
  }                                                                                        \
  friend constexpr T &operator--(T &a) {                                                   \
    return a -= std::size_t(1);                                                            \
  }                                                                                        \
  friend constexpr T operator++(T &a, int) {                                               \
    const T before = a;                                                                    \
    ++a;                                                                                   \
    return before;                                                                         \
  }                                                                                        \
  friend constexpr T operator--(T &a, int) {                                               \
    const T before = a;                                                                    \
    --a;                                                                                   \
    return before;                                                                         \
  }

template <int D = 1>
class range : public detail::numbers_or_number<D> {
  using T = range;

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
  HEDDLE_INDEX_OPERATORS
};
range(std::size_t) -> range<1>;
range(std::size_t, std::size_t) -> range<2>;
range(std::size_t, std::size_t, std::size_t) -> range<3>;

template <int D>
class id : public detail::numbers_or_number<D> {
  using T = id;

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
  template <bool WithOffset>
  id(const item<D, WithOffset> &of) : id(of.get_id()) {}
  HEDDLE_INDEX_OPERATORS
};
id(std::size_t) -> id<1>;
id(std::size_t, std::size_t) -> id<2>;
id(std::size_t, std::size_t, std::size_t) -> id<3>;
template <int D>
id(const range<D> &) -> id<D>;
template <int D, bool WithOffset>
id(const item<D, WithOffset> &) -> id<D>;

#undef HEDDLE_ELEMENTS
#undef HEDDLE_ARITHMETIC
#undef HEDDLE_FRACTION
#undef HEDDLE_RELATION
#undef HEDDLE_INDEX_OPERATORS

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
  friend constexpr bool operator==(const nd_range &a, const nd_range &b) {
    return a.global_ == b.global_ && a.local_ == b.local_ && a.offset_ == b.offset_;
  }
  friend constexpr bool operator!=(const nd_range &a, const nd_range &b) {
    return !(a == b);
  }

 private:
  range<D> global_, local_;
  id<D> offset_;
};

}  // namespace sycl

#endif
