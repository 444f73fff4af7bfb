// SPDX-License-Identifier: Apache-2.0
// Reductions and scans over a group. Sums, minima and maxima of numbers and bitwise and, or and xor of integers are one
// instruction of the device (two for 64 bits); every other function is made of shuffles in the sub-group and broadcasts
// in the work-group.
#ifndef HEDDLE_SYCL_DETAIL_FOLDS_HPP
#define HEDDLE_SYCL_DETAIL_FOLDS_HPP

#include "../functional.hpp"
#include "../group.hpp"
#include "../sub_group.hpp"
#include "words.hpp"

namespace sycl::detail {

enum class fold { reduce, inclusive, exclusive };

template <typename G>
struct is_sub_group : std::is_same<G, sub_group> {};
template <typename G>
struct is_work_group : std::false_type {};
template <int D>
struct is_work_group<group<D>> : std::true_type {};
template <typename G>
constexpr bool is_group_v = is_sub_group<std::decay_t<G>>::value || is_work_group<std::decay_t<G>>::value;

#ifdef __SYCL_DEVICE_ONLY__

// The device's type for numbers of T.
template <typename T>
struct wide {
  using type = std::conditional_t<
      std::is_integral_v<T>,
      std::conditional_t<(sizeof(T) > 4), std::conditional_t<std::is_signed_v<T>, long, unsigned long>,
                         std::conditional_t<std::is_signed_v<T>, int, unsigned>>,
      T>;
};

#define HEDDLE_FOLD(group, operation)                       \
  template <fold Mode, typename T>                          \
  HEDDLE_INLINE T group##_##operation(T x) {                \
    if constexpr (Mode == fold::reduce) {                   \
      return device::group##_reduce_##operation(x);         \
    } else if constexpr (Mode == fold::inclusive) {         \
      return device::group##_scan_inclusive_##operation(x); \
    } else {                                                \
      return device::group##_scan_exclusive_##operation(x); \
    }                                                       \
  }
HEDDLE_FOLD(sub_group, add)
HEDDLE_FOLD(sub_group, min)
HEDDLE_FOLD(sub_group, max)
HEDDLE_FOLD(sub_group, and)
HEDDLE_FOLD(sub_group, or)
HEDDLE_FOLD(sub_group, xor)
HEDDLE_FOLD(work_group, add)
HEDDLE_FOLD(work_group, min)
HEDDLE_FOLD(work_group, max)
HEDDLE_FOLD(work_group, and)
HEDDLE_FOLD(work_group, or)
HEDDLE_FOLD(work_group, xor)
#undef HEDDLE_FOLD

template <char Kind>
constexpr bool is_bitwise = Kind == '&' || Kind == '|' || Kind == '^';

// Whether the device has the function of itself.
template <char Kind, typename T>
constexpr bool has_fold =
    is_bitwise<Kind> ? std::is_integral_v<T> && !std::is_same_v<T, bool>
                     : is_number<T> && !std::is_same_v<T, bool> && (Kind == '+' || Kind == '<' || Kind == '>');

template <fold Mode, char Kind, typename G, typename T>
HEDDLE_INLINE T fold_numbers(const G &g, T x) {
  using W = typename wide<T>::type;
  const W value = static_cast<W>(x);
  W result;
  if constexpr (is_bitwise<Kind> && is_sub_group<G>::value) {
    result = Kind == '&'   ? sub_group_and<Mode>(value)
             : Kind == '|' ? sub_group_or<Mode>(value)
                           : sub_group_xor<Mode>(value);
  } else if constexpr (is_bitwise<Kind>) {
    result = Kind == '&'   ? work_group_and<Mode>(value)
             : Kind == '|' ? work_group_or<Mode>(value)
                           : work_group_xor<Mode>(value);
  } else if constexpr (is_sub_group<G>::value) {
    result = Kind == '+'   ? sub_group_add<Mode>(value)
             : Kind == '<' ? sub_group_min<Mode>(value)
                           : sub_group_max<Mode>(value);
  } else {
    result = Kind == '+'   ? work_group_add<Mode>(value)
             : Kind == '<' ? work_group_min<Mode>(value)
                           : work_group_max<Mode>(value);
  }
  if constexpr (Mode == fold::exclusive && (Kind == '<' || Kind == '>') && sizeof(T) < sizeof(W)) {
    // The first one's is the wider type's identity.
    using F = std::conditional_t<Kind == '<', minimum<T>, maximum<T>>;
    return g.get_local_linear_id() == 0 ? identity_of<F, T>() : static_cast<T>(result);
  } else {
    return static_cast<T>(result);
  }
}

// Inclusive, of any associative function: log2 of the sub-group's size rounds.
template <typename T, typename F>
HEDDLE_INLINE T scan_by_shuffles(T x, const F &f) {
  const std::uint32_t lane = device::get_sub_group_local_id(), size = device::get_max_sub_group_size();
  for (std::uint32_t distance = 1; distance < size; distance *= 2) {
    const T before = shuffle_words(x, lane - distance);
    x = lane >= distance ? f(before, x) : x;
  }
  return x;
}

// `first` is for the first item of an exclusive scan.
template <fold Mode, typename T, typename F>
HEDDLE_INLINE T fold_any(const sub_group &, T x, const F &f, T first) {
  const std::uint32_t lane = device::get_sub_group_local_id();
  const T inclusive = scan_by_shuffles(x, f);
  if constexpr (Mode == fold::inclusive) {
    return inclusive;
  } else if constexpr (Mode == fold::reduce) {
    return shuffle_words(inclusive, device::get_sub_group_size() - 1);
  } else {
    const T before = shuffle_words(inclusive, lane - 1);
    return lane == 0 ? first : before;
  }
}

template <typename T>
HEDDLE_INLINE T broadcast_words(const T &x, std::size_t item) {
  return move_words(
      x, [=](std::uint32_t word) __attribute__((always_inline)) { return device::work_group_broadcast(word, item); });
}

// The totals of the sub-groups are broadcast in turn.
template <fold Mode, int D, typename T, typename F>
HEDDLE_INLINE T fold_any(const group<D> &g, T x, const F &f, T first) {
  const std::uint32_t lane = device::get_sub_group_local_id(), mine = device::get_sub_group_id();
  const std::size_t items = g.get_local_linear_range(), size = device::get_max_sub_group_size();
  const T inclusive = scan_by_shuffles(x, f);
  const T before_me = shuffle_words(inclusive, lane - 1);
  T all = inclusive, before = first;
  for (std::uint32_t i = 0; i < device::get_num_sub_groups(); i++) {
    const std::size_t end = (i + 1) * size;
    const T total = broadcast_words(inclusive, (end < items ? end : items) - 1);
    before = i < mine ? (i == 0 ? total : f(before, total)) : before;
    all = i == 0 ? total : f(all, total);
  }
  if constexpr (Mode == fold::reduce)
    return all;
  else if constexpr (Mode == fold::inclusive)
    return mine == 0 ? inclusive : f(before, inclusive);
  else
    return lane == 0 ? before : mine == 0 ? before_me : f(before, before_me);
}

// Without knowing f's identity, `first` is what the first item of an exclusive scan gets.
template <fold Mode, typename G, typename T, typename F>
HEDDLE_INLINE T fold_group(const G &g, T x, const F &f, T first) {
  constexpr char kind = function_kind<F>::value;
  if constexpr (has_fold<kind, T>)
    return fold_numbers<Mode, kind>(g, x);
  else
    return fold_any<Mode>(g, x, f, first);
}

#endif

}  // namespace sycl::detail

#endif
