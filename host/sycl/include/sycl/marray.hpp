// SPDX-License-Identifier: Apache-2.0
// marray, an array that computes: SYCL 2020, section 4.14.3.
#ifndef HEDDLE_SYCL_MARRAY_HPP
#define HEDDLE_SYCL_MARRAY_HPP

#include "detail/element_types.hpp"
#include "functional.hpp"

namespace sycl {

template <typename T, std::size_t N>
class marray;

namespace detail {

template <typename T>
struct marray_elements : std::integral_constant<std::size_t, 1> {};
template <typename T, std::size_t N>
struct marray_elements<marray<T, N>> : std::integral_constant<std::size_t, N> {};

}  // namespace detail

template <typename T, std::size_t N>
class marray {
 public:
  using value_type = T;
  using reference = T &;
  using const_reference = const T &;
  using iterator = T *;
  using const_iterator = const T *;

  constexpr marray() = default;
  HEDDLE_INLINE explicit constexpr marray(const T &all) {
    for (std::size_t i = 0; i < N; i++)
      data_[i] = all;
  }
  // Numbers and other marrays, with N elements together.
  template <typename A, typename B, typename... Rest,
            typename = std::enable_if_t<detail::marray_elements<A>::value + detail::marray_elements<B>::value +
                                            (0 + ... + detail::marray_elements<Rest>::value) ==
                                        N>>
  HEDDLE_INLINE constexpr marray(const A &a, const B &b, const Rest &...rest) {
    std::size_t at = 0;
    (put(at, a), put(at, b), (put(at, rest), ...));
  }
  HEDDLE_INLINE constexpr marray &operator=(const T &all) {
    return *this = marray(all);
  }

  template <std::size_t M = N, typename = std::enable_if_t<M == 1>>
  constexpr operator T() const {
    return data_[0];
  }
  static constexpr std::size_t size() noexcept {
    return N;
  }
  HEDDLE_INLINE constexpr T &operator[](std::size_t i) {
    return data_[i];
  }
  HEDDLE_INLINE constexpr const T &operator[](std::size_t i) const {
    return data_[i];
  }
  constexpr iterator begin() {
    return data_;
  }
  constexpr iterator end() {
    return data_ + N;
  }
  constexpr const_iterator begin() const {
    return data_;
  }
  constexpr const_iterator end() const {
    return data_ + N;
  }

#define HEDDLE_ELEMENTS(type, expression)        \
  {                                              \
    marray<type, N> result;                      \
    for (std::size_t i = 0; i < N; i++)          \
      result[i] = static_cast<type>(expression); \
    return result;                               \
  }
#define HEDDLE_OPERATOR(op, type)                                                              \
  HEDDLE_INLINE friend constexpr marray<type, N> operator op(const marray &a, const marray &b) \
      HEDDLE_ELEMENTS(type, a[i] op b[i]) HEDDLE_INLINE friend constexpr marray<type, N>       \
      operator op(const marray &a, const T &b) HEDDLE_ELEMENTS(type, a[i] op b)                \
          HEDDLE_INLINE friend constexpr marray<type, N>                                       \
          operator op(const T &a, const marray &b) HEDDLE_ELEMENTS(type, a op b[i])
#define HEDDLE_ARITHMETIC(op)                                                            \
  HEDDLE_OPERATOR(op, T)                                                                 \
  HEDDLE_INLINE friend constexpr marray &operator op## = (marray & a, const marray &b) { \
    return a = a op b;                                                                   \
  }                                                                                      \
  HEDDLE_INLINE friend constexpr marray &operator op## = (marray & a, const T &b) {      \
    return a = a op b;                                                                   \
  }
  HEDDLE_ARITHMETIC(+)
  HEDDLE_ARITHMETIC(-)
  HEDDLE_ARITHMETIC(*)
  HEDDLE_ARITHMETIC(/)
  HEDDLE_ARITHMETIC(%)
  HEDDLE_ARITHMETIC(&)
  HEDDLE_ARITHMETIC(|)
  HEDDLE_ARITHMETIC(^)
  HEDDLE_ARITHMETIC(<<)
  HEDDLE_ARITHMETIC(>>)
  HEDDLE_OPERATOR(==, bool)
  HEDDLE_OPERATOR(!=, bool)
  HEDDLE_OPERATOR(<, bool)
  HEDDLE_OPERATOR(>, bool)
  HEDDLE_OPERATOR(<=, bool)
  HEDDLE_OPERATOR(>=, bool)
  HEDDLE_OPERATOR(&&, bool)
  HEDDLE_OPERATOR(||, bool)
#undef HEDDLE_ARITHMETIC
#undef HEDDLE_OPERATOR
  HEDDLE_INLINE friend constexpr marray<T, N> operator+(const marray &a) HEDDLE_ELEMENTS(T, +a[i]) HEDDLE_INLINE
      friend constexpr marray<T, N> operator-(const marray &a) HEDDLE_ELEMENTS(T, -a[i]) HEDDLE_INLINE
      friend constexpr marray<T, N> operator~(const marray &a) HEDDLE_ELEMENTS(T, ~a[i]) HEDDLE_INLINE
      friend constexpr marray<bool, N> operator!(const marray &a) HEDDLE_ELEMENTS(bool, !a[i])
#undef HEDDLE_ELEMENTS
          HEDDLE_INLINE friend constexpr marray &operator++(marray &a) {
    return a += T(1);
  }
  HEDDLE_INLINE friend constexpr marray &operator--(marray &a) {
    return a -= T(1);
  }
  HEDDLE_INLINE friend constexpr marray operator++(marray &a, int) {
    const marray before = a;
    a += T(1);
    return before;
  }
  HEDDLE_INLINE friend constexpr marray operator--(marray &a, int) {
    const marray before = a;
    a -= T(1);
    return before;
  }

 private:
  HEDDLE_INLINE constexpr void put(std::size_t &at, const T &x) {
    data_[at++] = x;
  }
  template <std::size_t M>
  HEDDLE_INLINE constexpr void put(std::size_t &at, const marray<T, M> &x) {
    for (std::size_t i = 0; i < M; i++)
      data_[at++] = x[i];
  }
  T data_[N] = {};
};
template <typename T, typename... U>
marray(T, U...) -> marray<T, 1 + sizeof...(U)>;

#define HEDDLE_MARRAYS(name, type)    \
  using m##name##2 = marray<type, 2>; \
  using m##name##3 = marray<type, 3>; \
  using m##name##4 = marray<type, 4>; \
  using m##name##8 = marray<type, 8>; \
  using m##name##16 = marray<type, 16>;
HEDDLE_FOR_ELEMENT_TYPES(HEDDLE_MARRAYS)
HEDDLE_MARRAYS(bool, bool)
#undef HEDDLE_MARRAYS

}  // namespace sycl

#endif
