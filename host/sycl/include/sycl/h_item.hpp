// SPDX-License-Identifier: Apache-2.0
// What work-items of hierarchical kernels have: h_item and private_memory, SYCL 2020, sections 4.9.1.6 and 4.10.
#ifndef HEDDLE_SYCL_H_ITEM_HPP
#define HEDDLE_SYCL_H_ITEM_HPP

#include <new>

#include "nd_item.hpp"

namespace sycl {

namespace detail {

// An item of a work-group's range.
template <int D>
class part_item : public item_conversion<part_item<D>, D> {
 public:
  static constexpr int dimensions = D;
  part_item(id<D> at, range<D> of) : id_(at), range_(of) {}
  id<D> get_id() const {
    return id_;
  }
  std::size_t get_id(int i) const {
    return id_[i];
  }
  std::size_t operator[](int i) const {
    return id_[i];
  }
  range<D> get_range() const {
    return range_;
  }
  std::size_t get_range(int i) const {
    return range_[i];
  }
  std::size_t get_linear_id() const {
    return linear(id_, range_);
  }

 private:
  id<D> id_;
  range<D> range_;
};

#ifdef __SYCL_DEVICE_ONLY__
template <typename T>
HEDDLE_INLINE void construct_by_work_items(T *room) {
  device::work_items(0);
  new (room) T;
}
template <typename T>
HEDDLE_INLINE void destroy_by_work_items(T *room) {
  device::work_items(0);
  room->~T();
}
#endif

}  // namespace detail

// Of the work-items of hierarchical kernels. A range that is given to parallel_for_work_item is the logical one; the
// physical one is the work-group's, as the kernel was started.
template <int D>
class h_item {
 public:
  static constexpr int dimensions = D;
  item<D, false> get_global() const {
    return item<D, false>(id<D>());
  }
  detail::part_item<D> get_local() const {
    return get_logical_local();
  }
  detail::part_item<D> get_logical_local() const {
    return {local_, logical_};
  }
  detail::part_item<D> get_physical_local() const {
    return {get_physical_local_id(), get_physical_local_range()};
  }
  id<D> get_global_id() const {
    HEDDLE_NUMBERS(id<D>, get_global_id);
  }
  std::size_t get_global_id(int i) const {
    return get_global_id()[i];
  }
  range<D> get_global_range() const {
    HEDDLE_NUMBERS(range<D>, get_global_size);
  }
  std::size_t get_global_range(int i) const {
    return get_global_range()[i];
  }
  id<D> get_local_id() const {
    return local_;
  }
  std::size_t get_local_id(int i) const {
    return local_[i];
  }
  range<D> get_local_range() const {
    return logical_;
  }
  std::size_t get_local_range(int i) const {
    return logical_[i];
  }
  id<D> get_logical_local_id() const {
    return local_;
  }
  std::size_t get_logical_local_id(int i) const {
    return local_[i];
  }
  range<D> get_logical_local_range() const {
    return logical_;
  }
  std::size_t get_logical_local_range(int i) const {
    return logical_[i];
  }
  id<D> get_physical_local_id() const {
    HEDDLE_NUMBERS(id<D>, get_local_id);
  }
  std::size_t get_physical_local_id(int i) const {
    return get_physical_local_id()[i];
  }
  range<D> get_physical_local_range() const {
    HEDDLE_NUMBERS(range<D>, get_local_size);
  }
  std::size_t get_physical_local_range(int i) const {
    return get_physical_local_range()[i];
  }
  friend bool operator==(const h_item &a, const h_item &b) {
    return a.local_ == b.local_ && a.logical_ == b.logical_;
  }
  friend bool operator!=(const h_item &a, const h_item &b) {
    return !(a == b);
  }

 private:
  friend class group<D>;
  h_item(id<D> local, range<D> logical) : local_(local), logical_(logical) {}
  id<D> local_;
  range<D> logical_;
};

// Memory of each work-item of a hierarchical kernel, for all of its parallel_for_work_item. Of a range that is larger
// than the work-group, the turns of a work-item share it.
template <typename T, int D = 1>
class private_memory {
 public:
  HEDDLE_INLINE explicit private_memory(const group<D> &) {
    HEDDLE_ON_DEVICE(room_ = static_cast<T *>(detail::device::private_memory(sizeof(T), alignof(T)));
                     detail::construct_by_work_items(room_));
  }
  private_memory(const private_memory &) = delete;
  private_memory &operator=(const private_memory &) = delete;
  HEDDLE_INLINE ~private_memory() {
    if constexpr (!std::is_trivially_destructible_v<T>)
      HEDDLE_ON_DEVICE(detail::destroy_by_work_items(room_));
  }
  T &operator()(const h_item<D> &) {
    return *room_;
  }

 private:
  T *room_ = nullptr;
};

}  // namespace sycl

#endif
