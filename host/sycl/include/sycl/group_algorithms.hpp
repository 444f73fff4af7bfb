// SPDX-License-Identifier: Apache-2.0
// Group functions and group algorithms: SYCL 2020, sections 4.17.3 and 4.17.4, for sub-groups and work-groups.
#ifndef HEDDLE_SYCL_GROUP_ALGORITHMS_HPP
#define HEDDLE_SYCL_GROUP_ALGORITHMS_HPP

#include <iterator>
#include <new>

#include "detail/folds.hpp"

namespace sycl {

template <typename T>
struct is_group : std::bool_constant<detail::is_group_v<T>> {};
template <typename T>
inline constexpr bool is_group_v = is_group<T>::value;

// ---- group functions

template <typename G, typename = std::enable_if_t<is_group_v<G>>>
void group_barrier(const G &, memory_scope = G::fence_scope) {
  if constexpr (detail::is_sub_group<G>::value)
    HEDDLE_ON_DEVICE(detail::device::sub_group_barrier(3));
  else
    HEDDLE_ON_DEVICE(detail::device::barrier(3));
}

template <typename G, typename T, typename = std::enable_if_t<is_group_v<G>>>
T group_broadcast(const G &, T x, typename G::linear_id_type item = 0) {
  if constexpr (detail::is_sub_group<G>::value) {
    HEDDLE_ON_DEVICE(return detail::move_words(x, [=](std::uint32_t word) __attribute__((always_inline)) {
      return detail::device::sub_group_broadcast(word, item);
    }));
  } else {
    HEDDLE_ON_DEVICE(return detail::broadcast_words(x, item));
  }
}
template <typename G, typename T, typename = std::enable_if_t<is_group_v<G>>>
T group_broadcast(const G &g, T x, typename G::id_type item) {
  return group_broadcast(
      g, x, static_cast<typename G::linear_id_type>(detail::linear(item, typename G::range_type(g.get_local_range()))));
}

template <typename T>
T shift_group_left(sub_group g, T x, sub_group::linear_id_type delta = 1) {
  return g.shuffle_down(x, delta);
}
template <typename T>
T shift_group_right(sub_group g, T x, sub_group::linear_id_type delta = 1) {
  return g.shuffle_up(x, delta);
}
template <typename T>
T permute_group_by_xor(sub_group g, T x, sub_group::linear_id_type mask) {
  return g.shuffle_xor(x, id<1>(mask));
}
template <typename T>
T select_from_group(sub_group g, T x, id<1> item) {
  return g.shuffle(x, item);
}

// ---- votes

template <typename G, typename = std::enable_if_t<is_group_v<G>>>
bool any_of_group(const G &, bool predicate) {
  if constexpr (detail::is_sub_group<G>::value)
    HEDDLE_ON_DEVICE(return detail::device::sub_group_any(predicate) != 0);
  else
    HEDDLE_ON_DEVICE(return detail::device::work_group_any(predicate) != 0);
}
template <typename G, typename = std::enable_if_t<is_group_v<G>>>
bool all_of_group(const G &, bool predicate) {
  if constexpr (detail::is_sub_group<G>::value)
    HEDDLE_ON_DEVICE(return detail::device::sub_group_all(predicate) != 0);
  else
    HEDDLE_ON_DEVICE(return detail::device::work_group_all(predicate) != 0);
}
template <typename G, typename = std::enable_if_t<is_group_v<G>>>
bool none_of_group(const G &g, bool predicate) {
  return !any_of_group(g, predicate);
}
#define HEDDLE_VOTE(name)                                                                   \
  template <typename G, typename T, typename F, typename = std::enable_if_t<is_group_v<G>>> \
  bool name(const G &g, T x, F predicate) {                                                 \
    return name(g, static_cast<bool>(predicate(x)));                                        \
  }
HEDDLE_VOTE(any_of_group)
HEDDLE_VOTE(all_of_group)
HEDDLE_VOTE(none_of_group)
#undef HEDDLE_VOTE

// ---- reductions and scans of a value of each work-item

template <typename G, typename T, typename F, typename = std::enable_if_t<is_group_v<G>>>
T reduce_over_group(const G &g, T x, F f) {
  HEDDLE_ON_DEVICE(return detail::fold_group<detail::fold::reduce>(g, x, f, x));
}
template <typename G, typename V, typename T, typename F, typename = std::enable_if_t<is_group_v<G>>>
T reduce_over_group(const G &g, V x, T init, F f) {
  return f(init, reduce_over_group(g, static_cast<T>(x), f));
}

template <typename G, typename T, typename F, typename = std::enable_if_t<is_group_v<G>>>
T inclusive_scan_over_group(const G &g, T x, F f) {
  HEDDLE_ON_DEVICE(return detail::fold_group<detail::fold::inclusive>(g, x, f, x));
}
template <typename G, typename V, typename F, typename T, typename = std::enable_if_t<is_group_v<G>>>
T inclusive_scan_over_group(const G &g, V x, F f, T init) {
  return f(init, inclusive_scan_over_group(g, static_cast<T>(x), f));
}

template <typename G, typename T, typename F, typename = std::enable_if_t<is_group_v<G>>>
T exclusive_scan_over_group(const G &g, T x, F f) {
  static_assert(has_known_identity_v<F, T>, "without an identity an exclusive scan needs an initial value");
  HEDDLE_ON_DEVICE(return detail::fold_group<detail::fold::exclusive>(g, x, f, known_identity_v<F, T>));
}
template <typename G, typename V, typename T, typename F, typename = std::enable_if_t<is_group_v<G>>>
T exclusive_scan_over_group(const G &g, V x, T init, F f) {
  if constexpr (has_known_identity_v<F, T>) {
    return f(init, exclusive_scan_over_group(g, static_cast<T>(x), f));
  } else {
    HEDDLE_ON_DEVICE(const T scan = detail::fold_group<detail::fold::exclusive>(g, static_cast<T>(x), f, init);
                     return g.get_local_linear_id() == 0 ? init : f(init, scan));
  }
}

// ---- the same of a range that the work-items share

template <typename G, typename Pointer, typename F, typename = std::enable_if_t<is_group_v<G>>>
bool joint_any_of(const G &g, Pointer first, Pointer last, F predicate) {
  bool any = false;
  for (Pointer p = first + g.get_local_linear_id(); p < last; p += g.get_local_linear_range())
    any = any || predicate(*p);
  return any_of_group(g, any);
}
template <typename G, typename Pointer, typename F, typename = std::enable_if_t<is_group_v<G>>>
bool joint_all_of(const G &g, Pointer first, Pointer last, F predicate) {
  return !joint_any_of(g, first, last, [&](const auto &x) { return !predicate(x); });
}
template <typename G, typename Pointer, typename F, typename = std::enable_if_t<is_group_v<G>>>
bool joint_none_of(const G &g, Pointer first, Pointer last, F predicate) {
  return !joint_any_of(g, first, last, predicate);
}

template <typename G, typename Pointer, typename T, typename F, typename = std::enable_if_t<is_group_v<G>>>
T joint_reduce(const G &g, Pointer first, Pointer last, T init, F f) {
  static_assert(has_known_identity_v<F, T>, "a joint reduction is of a function with an identity");
  T mine = known_identity_v<F, T>;
  for (Pointer p = first + g.get_local_linear_id(); p < last; p += g.get_local_linear_range())
    mine = f(mine, static_cast<T>(*p));
  return reduce_over_group(g, mine, init, f);
}
template <typename G, typename Pointer, typename F, typename = std::enable_if_t<is_group_v<G>>>
auto joint_reduce(const G &g, Pointer first, Pointer last, F f) {
  using T = std::remove_cv_t<typename std::iterator_traits<Pointer>::value_type>;
  return joint_reduce(g, first, last, known_identity_v<F, T>, f);
}

namespace detail {

// In steps of the group's size, each going on from the one before.
template <bool IsInclusive, typename G, typename From, typename To, typename F, typename T>
To joint_scan(const G &g, From first, From last, To result, F f, T carry) {
  static_assert(has_known_identity_v<F, T>, "a joint scan is of a function with an identity");
  const std::size_t count = static_cast<std::size_t>(last - first), step = g.get_local_linear_range();
  for (std::size_t start = 0; start < count; start += step) {
    const std::size_t i = start + g.get_local_linear_id();
    const T x = i < count ? static_cast<T>(first[i]) : known_identity_v<F, T>;
    const T scan = IsInclusive ? inclusive_scan_over_group(g, x, f) : exclusive_scan_over_group(g, x, f);
    const T total = reduce_over_group(g, x, f);
    if (i < count)
      result[i] = f(carry, scan);
    carry = f(carry, total);
  }
  return result + count;
}

}  // namespace detail

template <typename G, typename From, typename To, typename F, typename T, typename = std::enable_if_t<is_group_v<G>>>
To joint_inclusive_scan(const G &g, From first, From last, To result, F f, T init) {
  return detail::joint_scan<true>(g, first, last, result, f, init);
}
template <typename G, typename From, typename To, typename F, typename = std::enable_if_t<is_group_v<G>>>
To joint_inclusive_scan(const G &g, From first, From last, To result, F f) {
  using T = std::remove_cv_t<typename std::iterator_traits<From>::value_type>;
  return detail::joint_scan<true>(g, first, last, result, f, known_identity_v<F, T>);
}
template <typename G, typename From, typename To, typename T, typename F, typename = std::enable_if_t<is_group_v<G>>>
To joint_exclusive_scan(const G &g, From first, From last, To result, T init, F f) {
  return detail::joint_scan<false>(g, first, last, result, f, init);
}
template <typename G, typename From, typename To, typename F, typename = std::enable_if_t<is_group_v<G>>>
To joint_exclusive_scan(const G &g, From first, From last, To result, F f) {
  using T = std::remove_cv_t<typename std::iterator_traits<From>::value_type>;
  return detail::joint_scan<false>(g, first, last, result, f, known_identity_v<F, T>);
}

// ---- the extensions of oneAPI: votes as masks, and the names that group functions had

namespace ext::oneapi {

// A bit for each work-item of a sub-group.
struct sub_group_mask {
  static constexpr std::size_t max_bits = 32;

  bool operator[](id<1> i) const {
    return (bits_ >> i[0] & 1) != 0;
  }
  bool test(id<1> i) const {
    return (*this)[i];
  }
  bool any() const {
    return bits_ != 0;
  }
  bool all() const {
    return count() == size_;
  }
  bool none() const {
    return bits_ == 0;
  }
  std::uint32_t count() const {
    return static_cast<std::uint32_t>(__builtin_popcount(bits_));
  }
  std::uint32_t size() const {
    return size_;
  }
  id<1> find_low() const {
    return bits_ != 0 ? static_cast<std::size_t>(__builtin_ctz(bits_)) : size_;
  }
  id<1> find_high() const {
    return bits_ != 0 ? static_cast<std::size_t>(31 - __builtin_clz(bits_)) : size_;
  }
  template <typename T>
  void extract_bits(T &to, id<1> from = 0) const {
    to = static_cast<T>(from[0] < 32 ? bits_ >> from[0] : 0);
  }
  template <typename T>
  void insert_bits(const T &from, id<1> at = 0) {
    const std::uint32_t width = sizeof(T) < 4 ? (1u << 8 * (sizeof(T) % 4)) - 1 : ~0u;
    bits_ = ((bits_ & ~(width << at[0])) | static_cast<std::uint32_t>(from) << at[0]) & all_bits();
  }
  void set() {
    bits_ = all_bits();
  }
  void set(id<1> i, bool value = true) {
    bits_ = (bits_ & ~(1u << i[0])) | static_cast<std::uint32_t>(value) << i[0];
  }
  void reset() {
    bits_ = 0;
  }
  void reset(id<1> i) {
    set(i, false);
  }
  void flip() {
    bits_ = ~bits_ & all_bits();
  }
  sub_group_mask operator~() const {
    sub_group_mask result = *this;
    result.flip();
    return result;
  }
#define HEDDLE_OPERATOR(op)                                                             \
  friend sub_group_mask operator op(const sub_group_mask &a, const sub_group_mask &b) { \
    sub_group_mask result = a;                                                          \
    result.bits_ = a.bits_ op b.bits_;                                                  \
    return result;                                                                      \
  }
  HEDDLE_OPERATOR(&)
  HEDDLE_OPERATOR(|)
  HEDDLE_OPERATOR(^)
#undef HEDDLE_OPERATOR
  friend bool operator==(const sub_group_mask &a, const sub_group_mask &b) {
    return a.bits_ == b.bits_;
  }
  friend bool operator!=(const sub_group_mask &a, const sub_group_mask &b) {
    return a.bits_ != b.bits_;
  }

 private:
  friend sub_group_mask group_ballot(sub_group g, bool predicate);
  std::uint32_t all_bits() const {
    return size_ < 32 ? (1u << size_) - 1 : ~0u;
  }
  std::uint32_t bits_ = 0, size_ = 0;
};
inline sub_group_mask group_ballot(sub_group g, bool predicate = true) {
  sub_group_mask mask;
  mask.size_ = g.get_local_linear_range();
  mask.bits_ = reduce_over_group(g, predicate ? 1u << g.get_local_linear_id() : 0u, bit_or<std::uint32_t>());
  return mask;
}

// Memory of a work-group: each call in the program is a variable of its own.
template <typename T, typename G>
HEDDLE_INLINE multi_ptr<T, access::address_space::local_space> group_local_memory_for_overwrite(const G &) {
  static_assert(std::is_trivially_destructible_v<T>, "nobody destroys what is in local memory");
  HEDDLE_ON_DEVICE(return multi_ptr<T, access::address_space::local_space>(
      (T HEDDLE_LOCAL *)detail::device::local_memory(sizeof(T), alignof(T))));
}
template <typename T, typename G, typename... Arguments>
HEDDLE_INLINE multi_ptr<T, access::address_space::local_space> group_local_memory(const G &g,
                                                                                  Arguments &&...arguments) {
  const auto memory = group_local_memory_for_overwrite<T>(g);
  if (g.leader())
    ::new (const_cast<void *>(static_cast<const void *>(memory.get_raw()))) T{static_cast<Arguments &&>(arguments)...};
  group_barrier(g);
  return memory;
}

using sycl::bit_and;
using sycl::bit_or;
using sycl::bit_xor;
using sycl::maximum;
using sycl::minimum;
using sycl::multiplies;
using sycl::plus;
template <typename G, typename T>
T broadcast(const G &g, T x, typename G::linear_id_type item = 0) {
  return group_broadcast(g, x, item);
}
template <typename G, typename T, typename F>
T reduce(const G &g, T x, F f) {
  return reduce_over_group(g, x, f);
}
template <typename G, typename V, typename T, typename F>
T reduce(const G &g, V x, T init, F f) {
  return reduce_over_group(g, x, init, f);
}
template <typename G, typename T, typename F>
T inclusive_scan(const G &g, T x, F f) {
  return inclusive_scan_over_group(g, x, f);
}
template <typename G, typename T, typename F>
T exclusive_scan(const G &g, T x, F f) {
  return exclusive_scan_over_group(g, x, f);
}
template <typename G, typename V, typename T, typename F>
T exclusive_scan(const G &g, V x, T init, F f) {
  return exclusive_scan_over_group(g, x, init, f);
}
template <typename G>
bool any_of(const G &g, bool predicate) {
  return any_of_group(g, predicate);
}
template <typename G>
bool all_of(const G &g, bool predicate) {
  return all_of_group(g, predicate);
}
template <typename G>
bool none_of(const G &g, bool predicate) {
  return none_of_group(g, predicate);
}
template <typename G>
bool leader(const G &g) {
  return g.leader();
}

}  // namespace ext::oneapi

}  // namespace sycl

#endif
