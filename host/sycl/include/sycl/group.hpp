// SPDX-License-Identifier: Apache-2.0
// group, a work-group: SYCL 2020, section 4.9.1.7. SYCL counts dimensions from the slowest, OpenCL from the fastest.
#ifndef HEDDLE_SYCL_GROUP_HPP
#define HEDDLE_SYCL_GROUP_HPP

#include "detail/device_functions.hpp"
#include "multi_ptr.hpp"
#include "range.hpp"

namespace sycl {

template <int D>
class nd_item;

namespace detail {

struct kernel_maker;  // who may make items and groups: the entries of kernels

#ifdef __SYCL_DEVICE_ONLY__
// Three dimensions of the device as SYCL numbers them, T is id<D> or range<D>.
template <typename T, typename Of>
HEDDLE_INLINE T numbers_of(Of of) {
  T result;
  for (int i = 0; i < T::dimensions; i++)
    result[i] = of(static_cast<std::uint32_t>(T::dimensions - 1 - i));
  return result;
}
#define HEDDLE_NUMBERS(type, function)                \
  return detail::numbers_of<type>([](std::uint32_t i) \
                                      __attribute__((always_inline)) { return detail::device::function(i); })
#else
#define HEDDLE_NUMBERS(type, function) detail::not_on_host(__func__)
#endif

template <int D>
HEDDLE_INLINE constexpr std::size_t linear(const id<D> &at, const range<D> &size) {
  std::size_t result = at[0];
  for (int i = 1; i < D; i++)
    result = result * size[i] + at[i];
  return result;
}

}  // namespace detail

template <int D>
class h_item;
template <int D = 1>
class group;

namespace detail {

#ifdef __SYCL_DEVICE_ONLY__

// Streams of a closure give what they have (stream.hpp).
template <typename F>
void give_streams(F &closure);

// All work-items run it where the code of a hierarchical kernel's work-group calls it, too: it has the mark.
HEDDLE_INLINE void barrier_of_work_items() {
  device::work_items(0);
  device::barrier(3);
}

#endif

}  // namespace detail

// What asynchronous copies give: all work-items wait for them at once.
class device_event {
 public:
  void wait() {
    HEDDLE_ON_DEVICE(detail::barrier_of_work_items());
  }
};

template <int D>
class group {
 public:
  using id_type = id<D>;
  using range_type = range<D>;
  using linear_id_type = std::size_t;
  static constexpr int dimensions = D;
  static constexpr memory_scope fence_scope = memory_scope::work_group;

  id<D> get_group_id() const {
    HEDDLE_NUMBERS(id<D>, get_group_id);
  }
  std::size_t get_group_id(int dimension) const {
    HEDDLE_ON_DEVICE(return detail::device::get_group_id(D - 1 - dimension));
  }
  std::size_t operator[](int dimension) const {
    return get_group_id(dimension);
  }
  id<D> get_local_id() const {
    HEDDLE_NUMBERS(id<D>, get_local_id);
  }
  std::size_t get_local_id(int dimension) const {
    HEDDLE_ON_DEVICE(return detail::device::get_local_id(D - 1 - dimension));
  }
  range<D> get_local_range() const {
    HEDDLE_NUMBERS(range<D>, get_local_size);
  }
  std::size_t get_local_range(int dimension) const {
    HEDDLE_ON_DEVICE(return detail::device::get_local_size(D - 1 - dimension));
  }
  range<D> get_max_local_range() const {
    HEDDLE_NUMBERS(range<D>, get_enqueued_local_size);
  }
  range<D> get_group_range() const {
    HEDDLE_NUMBERS(range<D>, get_num_groups);
  }
  std::size_t get_group_range(int dimension) const {
    HEDDLE_ON_DEVICE(return detail::device::get_num_groups(D - 1 - dimension));
  }
  std::size_t get_local_linear_range() const {
    return get_local_range().size();
  }
  std::size_t get_group_linear_range() const {
    return get_group_range().size();
  }
  std::size_t get_group_linear_id() const {
    return detail::linear(get_group_id(), get_group_range());
  }
  std::size_t get_local_linear_id() const {
    return detail::linear(get_local_id(), get_local_range());
  }
  bool leader() const {
    return get_local_linear_id() == 0;
  }
  std::size_t get_id(int dimension) const {
    return get_group_id(dimension);
  }
  id<D> get_id() const {
    return get_group_id();
  }
  range<D> get_global_range() const {
    return get_group_range() * get_local_range();
  }
  std::size_t get_linear_id() const {
    return get_group_linear_id();
  }

  // Of a hierarchical kernel: for each item of the range, which is the work-group's own or any other; then a barrier.
  template <typename F>
  void parallel_for_work_item(const F &f) const {
    parallel_for_work_item(get_local_range(), f);
  }
  template <typename F>
  void parallel_for_work_item(range<D> logical, const F &f) const {
    HEDDLE_ON_DEVICE(call_by_work_items(f, logical));
  }
  void mem_fence(access::fence_space = access::fence_space::global_and_local) const {
    HEDDLE_ON_DEVICE(detail::device::mem_fence(3));
  }

  // Copies by all work-items together; what is read and written is theirs after wait_for.
  template <typename To, typename From>
  device_event async_work_group_copy(To to, From from, std::size_t count) const {
    HEDDLE_ON_DEVICE(copy_by_work_items(detail::raw(to), detail::raw(from), count, 1, 1); return device_event());
  }
  // The stride is of the side that is in global memory.
  template <typename T, access::decorated A, typename From>
  device_event async_work_group_copy(multi_ptr<T, access::address_space::local_space, A> to, From from,
                                     std::size_t count, std::size_t stride) const {
    HEDDLE_ON_DEVICE(copy_by_work_items(detail::raw(to), detail::raw(from), count, 1, stride); return device_event());
  }
  template <typename T, access::decorated A, typename From>
  device_event async_work_group_copy(multi_ptr<T, access::address_space::global_space, A> to, From from,
                                     std::size_t count, std::size_t stride) const {
    HEDDLE_ON_DEVICE(copy_by_work_items(detail::raw(to), detail::raw(from), count, stride, 1); return device_event());
  }
  template <typename... Events>
  void wait_for(Events...) const {
    HEDDLE_ON_DEVICE(detail::barrier_of_work_items());
  }
  // A work-item is in but one.
  friend bool operator==(const group &, const group &) {
    return true;
  }
  friend bool operator!=(const group &, const group &) {
    return false;
  }

 private:
  constexpr group() = default;
  friend class nd_item<D>;
  friend struct detail::kernel_maker;

#ifdef __SYCL_DEVICE_ONLY__
  // Both have the mark of functions that all work-items run.
  template <typename T>
  static HEDDLE_INLINE void copy_by_work_items(T *to, const std::remove_const_t<T> *from, std::size_t count,
                                               std::size_t to_step, std::size_t from_step) {
    detail::device::work_items(0);
    const group g;
    for (std::size_t i = g.get_local_linear_id(), items = g.get_local_linear_range(); i < count; i += items)
      to[i * to_step] = from[i * from_step];
  }
  template <typename F>
  static void call_by_work_items(const F &f, const range<D> &of) {
    detail::device::work_items(1);
    if constexpr (std::is_trivially_copyable_v<F>) {
      call_for_items(f, of);
    } else {  // it has a stream, of which each work-item needs its own
      F mine(f);
      call_for_items(static_cast<const F &>(mine), of);
      detail::give_streams(mine);
    }
  }
  // Of each dimension a work-item has every item that is as far from a multiple of the work-group's size as it is.
  template <typename F>
  static HEDDLE_INLINE void call_for_items(const F &f, const range<D> logical) {
    const id<D> first = group().get_local_id();
    id<D> at = first;
    if constexpr (D == 1) {
      for (; at[0] < logical[0]; at[0] += step_of_item(0))
        f(h_item<D>(at, logical));
    } else if constexpr (D == 2) {
      for (; at[0] < logical[0]; at[0] += step_of_item(0))
        for (at[1] = first[1]; at[1] < logical[1]; at[1] += step_of_item(1))
          f(h_item<D>(at, logical));
    } else {
      for (; at[0] < logical[0]; at[0] += step_of_item(0))
        for (at[1] = first[1]; at[1] < logical[1]; at[1] += step_of_item(1))
          for (at[2] = first[2]; at[2] < logical[2]; at[2] += step_of_item(2))
            f(h_item<D>(at, logical));
    }
  }
  static HEDDLE_INLINE std::size_t step_of_item(int dimension) {
    return group().get_local_range(dimension);
  }
#endif
};

}  // namespace sycl

#endif
