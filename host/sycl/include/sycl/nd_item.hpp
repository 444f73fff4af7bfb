// SPDX-License-Identifier: Apache-2.0
// item and nd_item: SYCL 2020, sections 4.9.1.4 and 4.9.1.5, with nd_item::get_sub_group of SYCL_INTEL_sub_group.
#ifndef HEDDLE_SYCL_ND_ITEM_HPP
#define HEDDLE_SYCL_ND_ITEM_HPP

#include "group.hpp"
#include "sub_group.hpp"

namespace sycl {

// Of a range's kernel. An item of one dimension converts to its number, by no template (range.hpp).
template <int D, bool WithOffset>
class item;

namespace detail {

struct this_item;

template <typename Item, int D>
class item_conversion {};
template <typename Item>
class item_conversion<Item, 1> {
 public:
  operator std::size_t() const {
    return static_cast<const Item &>(*this).get_id(0);
  }
};

}  // namespace detail

template <int D, bool WithOffset>
class item : public detail::item_conversion<item<D, WithOffset>, D> {
 public:
  static constexpr int dimensions = D;

  id<D> get_id() const {
    HEDDLE_NUMBERS(id<D>, get_global_id);
  }
  std::size_t get_id(int dimension) const {
    HEDDLE_ON_DEVICE(return detail::device::get_global_id(D - 1 - dimension));
  }
  std::size_t operator[](int dimension) const {
    return get_id(dimension);
  }
  range<D> get_range() const {
    HEDDLE_NUMBERS(range<D>, get_global_size);
  }
  std::size_t get_range(int dimension) const {
    HEDDLE_ON_DEVICE(return detail::device::get_global_size(D - 1 - dimension));
  }
  template <bool With = WithOffset, typename = std::enable_if_t<With>>
  id<D> get_offset() const {
    return offset_;
  }
  std::size_t get_linear_id() const {
    return detail::linear(get_id() - offset_, get_range());
  }
  template <bool With = WithOffset, typename = std::enable_if_t<!With>>
  operator item<D, true>() const {
    return item<D, true>(offset_);
  }
  friend bool operator==(const item &a, const item &b) {
    return a.get_id() == b.get_id() && a.offset_ == b.offset_;
  }
  friend bool operator!=(const item &a, const item &b) {
    return !(a == b);
  }

 private:
  // Of a kernel that was started without an offset it is 0, which the compiler sees.
  explicit constexpr item(const id<D> &offset) : offset_(offset) {}
  friend struct detail::kernel_maker;
  friend class item<D, !WithOffset>;
  friend class h_item<D>;
  id<D> offset_;
};

template <int D = 1>
class nd_item {
 public:
  static constexpr int dimensions = D;

  id<D> get_global_id() const {
    HEDDLE_NUMBERS(id<D>, get_global_id);
  }
  std::size_t get_global_id(int dimension) const {
    HEDDLE_ON_DEVICE(return detail::device::get_global_id(D - 1 - dimension));
  }
  std::size_t get_global_linear_id() const {
    id<D> at = get_global_id(), offset = get_offset();
    return detail::linear(at - offset, get_global_range());
  }
  id<D> get_local_id() const {
    HEDDLE_NUMBERS(id<D>, get_local_id);
  }
  std::size_t get_local_id(int dimension) const {
    HEDDLE_ON_DEVICE(return detail::device::get_local_id(D - 1 - dimension));
  }
  std::size_t get_local_linear_id() const {
    return detail::linear(get_local_id(), get_local_range());
  }
  group<D> get_group() const {
    return group<D>();
  }
  std::size_t get_group(int dimension) const {
    HEDDLE_ON_DEVICE(return detail::device::get_group_id(D - 1 - dimension));
  }
  std::size_t get_group_linear_id() const {
    return get_group().get_group_linear_id();
  }
  range<D> get_group_range() const {
    HEDDLE_NUMBERS(range<D>, get_num_groups);
  }
  std::size_t get_group_range(int dimension) const {
    HEDDLE_ON_DEVICE(return detail::device::get_num_groups(D - 1 - dimension));
  }
  range<D> get_global_range() const {
    HEDDLE_NUMBERS(range<D>, get_global_size);
  }
  std::size_t get_global_range(int dimension) const {
    HEDDLE_ON_DEVICE(return detail::device::get_global_size(D - 1 - dimension));
  }
  range<D> get_local_range() const {
    HEDDLE_NUMBERS(range<D>, get_local_size);
  }
  std::size_t get_local_range(int dimension) const {
    HEDDLE_ON_DEVICE(return detail::device::get_local_size(D - 1 - dimension));
  }
  id<D> get_offset() const {
    HEDDLE_NUMBERS(id<D>, get_global_offset);
  }
  nd_range<D> get_nd_range() const {
    return nd_range<D>(get_global_range(), get_local_range(), get_offset());
  }
  sub_group get_sub_group() const {
    return sub_group();
  }
  void barrier(access::fence_space = access::fence_space::global_and_local) const {
    HEDDLE_ON_DEVICE(detail::device::barrier(3));
  }
  template <access_mode Mode>
  void mem_fence(access::fence_space space = access::fence_space::global_and_local) const {
    mem_fence(space);
  }
  template <typename... Arguments>
  device_event async_work_group_copy(Arguments... arguments) const {
    return get_group().async_work_group_copy(arguments...);
  }
  template <typename... Events>
  void wait_for(Events... events) const {
    get_group().wait_for(events...);
  }
  void mem_fence(access::fence_space = access::fence_space::global_and_local) const {
    HEDDLE_ON_DEVICE(detail::device::mem_fence(3));
  }
  // A work-item has but one.
  friend bool operator==(const nd_item &, const nd_item &) {
    return true;
  }
  friend bool operator!=(const nd_item &, const nd_item &) {
    return false;
  }

 private:
  constexpr nd_item() = default;
  friend struct detail::kernel_maker;
  friend struct detail::this_item;
};

namespace detail {
struct this_item {
  template <int D>
  static nd_item<D> get() {
    return nd_item<D>();
  }
};
}  // namespace detail

// sycl_ext_oneapi_free_function_queries: the item of whoever calls, and its groups. The first names are the older.
namespace ext::oneapi {
namespace experimental {
template <int D>
nd_item<D> this_nd_item() {
  return detail::this_item::get<D>();
}
template <int D>
group<D> this_group() {
  return this_nd_item<D>().get_group();
}
inline sub_group this_sub_group() {
  return this_nd_item<1>().get_sub_group();
}
}  // namespace experimental
namespace this_work_item {
template <int D>
nd_item<D> get_nd_item() {
  return experimental::this_nd_item<D>();
}
template <int D>
group<D> get_work_group() {
  return experimental::this_group<D>();
}
inline sub_group get_sub_group() {
  return experimental::this_sub_group();
}
}  // namespace this_work_item
}  // namespace ext::oneapi

}  // namespace sycl

#endif
