// SPDX-License-Identifier: Apache-2.0
// sub_group: SYCL 2020, section 4.9.1.8, and SYCL_INTEL_sub_group, whose members it has in both of that text's
// spellings.
#ifndef HEDDLE_SYCL_SUB_GROUP_HPP
#define HEDDLE_SYCL_SUB_GROUP_HPP

#include "detail/words.hpp"
#include "memory_scope.hpp"
#include "multi_ptr.hpp"
#include "range.hpp"
#include "vec.hpp"

namespace sycl {

template <int D>
class nd_item;

struct sub_group {
  using id_type = id<1>;
  using range_type = range<1>;
  using linear_id_type = std::uint32_t;
  static constexpr std::int32_t dimensions = 1;
  static constexpr memory_scope fence_scope = memory_scope::sub_group;

  id_type get_local_id() const {
    HEDDLE_ON_DEVICE(return detail::device::get_sub_group_local_id());
  }
  linear_id_type get_local_linear_id() const {
    HEDDLE_ON_DEVICE(return detail::device::get_sub_group_local_id());
  }
  linear_id_type get_linear_local_id() const {
    return get_local_linear_id();
  }
  range_type get_local_range() const {
    HEDDLE_ON_DEVICE(return detail::device::get_sub_group_size());
  }
  linear_id_type get_local_linear_range() const {
    HEDDLE_ON_DEVICE(return detail::device::get_sub_group_size());
  }
  range_type get_max_local_range() const {
    HEDDLE_ON_DEVICE(return detail::device::get_max_sub_group_size());
  }
  id_type get_group_id() const {
    HEDDLE_ON_DEVICE(return detail::device::get_sub_group_id());
  }
  linear_id_type get_group_linear_id() const {
    HEDDLE_ON_DEVICE(return detail::device::get_sub_group_id());
  }
  linear_id_type get_linear_group_id() const {
    return get_group_linear_id();
  }
  range_type get_group_range() const {
    HEDDLE_ON_DEVICE(return detail::device::get_num_sub_groups());
  }
  linear_id_type get_group_linear_range() const {
    HEDDLE_ON_DEVICE(return detail::device::get_num_sub_groups());
  }
  range_type get_max_group_range() const {
    HEDDLE_ON_DEVICE(return detail::device::get_enqueued_num_sub_groups());
  }
  // A work-item is in but one.
  friend bool operator==(const sub_group &, const sub_group &) {
    return true;
  }
  friend bool operator!=(const sub_group &, const sub_group &) {
    return false;
  }
  bool leader() const {
    return get_local_linear_id() == 0;
  }

  void barrier() const {
    HEDDLE_ON_DEVICE(detail::device::sub_group_barrier(3));
  }

  // T is any trivially copyable type; it goes in words of 32 bits, each one instruction.
  template <typename T>
  T shuffle(T x, id<1> local_id) const {
    HEDDLE_ON_DEVICE(return detail::shuffle_words(x, static_cast<std::uint32_t>(local_id[0])));
  }
  template <typename T>
  T shuffle_down(T x, std::uint32_t delta) const {
    HEDDLE_ON_DEVICE(return detail::shuffle_words(x, get_local_linear_id() + delta));
  }
  template <typename T>
  T shuffle_up(T x, std::uint32_t delta) const {
    HEDDLE_ON_DEVICE(return detail::shuffle_words(x, get_local_linear_id() - delta));
  }
  template <typename T>
  T shuffle_xor(T x, id<1> mask) const {
    HEDDLE_ON_DEVICE(return detail::shuffle_words(x, get_local_linear_id() ^ static_cast<std::uint32_t>(mask[0])));
  }

  // Elements from `from` on, a lane's own behind those of the lanes before it: of several, each further by as many as
  // the sub-group has lanes.
  template <typename P, typename T = std::remove_cv_t<typename detail::pointed<P>::type>>
  T load(P from) const {
    return detail::raw(from)[get_local_linear_id()];
  }
  template <int N, typename P, typename T = std::remove_cv_t<typename detail::pointed<P>::type>>
  vec<T, N> load(P from) const {
    vec<T, N> result;
    HEDDLE_UNROLLED(i, N) {
      result[i] = detail::raw(from)[get_local_linear_id() + static_cast<std::uint32_t>(i) * lanes()];
    }
    return result;
  }
  template <typename P, typename T = typename detail::pointed<P>::type>
  void store(P to, const T &x) const {
    detail::raw(to)[get_local_linear_id()] = x;
  }
  template <typename P, int N, typename T = typename detail::pointed<P>::type>
  void store(P to, const vec<T, N> &x) const {
    HEDDLE_UNROLLED(i, N) {
      detail::raw(to)[get_local_linear_id() + static_cast<std::uint32_t>(i) * lanes()] = x[i];
    }
  }

 private:
  std::uint32_t lanes() const {
    HEDDLE_ON_DEVICE(return detail::device::get_max_sub_group_size());
  }
  constexpr sub_group() = default;
  template <int D>
  friend class nd_item;
};

}  // namespace sycl

#endif
