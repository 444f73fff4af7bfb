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

// What asynchronous copies give: all work-items wait for them at once.
class device_event {
 public:
  void wait() {
    HEDDLE_ON_DEVICE(detail::device::barrier(3));
  }
};

template <int D>
class h_item;
template <int D = 1>
class group;

namespace detail {

#ifdef __SYCL_DEVICE_ONLY__
// The work-items of the group copy in turn.
template <typename T>
HEDDLE_INLINE device_event copy_in_group(T *to, const std::remove_const_t<T> *from, std::size_t count,
                                         std::size_t to_step, std::size_t from_step, std::size_t item,
                                         std::size_t items) {
  for (std::size_t i = item; i < count; i += items)
    to[i * to_step] = from[i * from_step];
  return device_event();
}
#endif

}  // namespace detail

// Of the work-items of hierarchical kernels (handler::parallel_for_work_group).
template <int D>
class h_item {
 public:
  static constexpr int dimensions = D;
  id<D> get_global_id() const {
    return group_ * physical_ + local_;
  }
  std::size_t get_global_id(int i) const {
    return get_global_id()[i];
  }
  range<D> get_global_range() const {
    return groups_ * physical_;
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
  range<D> get_logical_local_range() const {
    return logical_;
  }
  range<D> get_physical_local_range() const {
    return physical_;
  }
  id<D> get_physical_local_id() const {
    return local_;
  }
  std::size_t linear() const {  // for the runtime only
    return detail::linear(local_, logical_);
  }

 private:
  friend class group<D>;
  h_item(id<D> group, range<D> groups, id<D> local, range<D> logical, range<D> physical)
      : group_(group), groups_(groups), local_(local), logical_(logical), physical_(physical) {}
  id<D> group_;
  range<D> groups_;
  id<D> local_;
  range<D> logical_, physical_;
};

// Memory of each work-item of a hierarchical kernel. The first work-item, which runs all, has it for a work-group of up
// to `items_max`; a larger one stops the kernel.
template <typename T, int D = 1>
class private_memory {
  static constexpr std::size_t items_max = 256;

 public:
  explicit private_memory(const group<D> &g) : items_(g.get_local_linear_range()) {
    if (items_ > items_max)
      __builtin_trap();
  }
  private_memory(const private_memory &) = delete;
  private_memory &operator=(const private_memory &) = delete;
  T &operator()(const h_item<D> &item) {
    const std::size_t index = detail::linear(item.get_local_id(), item.get_local_range());
    // Of a range that is larger than the group, work-items take several turns.
    return values_[index < items_ ? index : index % items_];
  }

 private:
  std::size_t items_;
  T values_[items_max];
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

  // Of a hierarchical kernel: for each work-item of the group, one after the other.
  template <typename F>
  void parallel_for_work_item(const F &f) const {
    parallel_for_work_item(get_local_range(), f);
  }
  template <typename F>
  void parallel_for_work_item(range<D> logical, const F &f) const {
    for (std::size_t n = 0; n < logical.size(); n++) {
      id<D> local;
      std::size_t rest = n;
      for (int i = D - 1; i >= 0; i--) {
        local[i] = rest % logical[i];
        rest /= logical[i];
      }
      f(h_item<D>(get_group_id(), get_group_range(), local, logical, get_local_range()));
    }
  }

  // Copies by all work-items together; what is read and written is theirs after wait_for.
  template <typename To, typename From>
  device_event async_work_group_copy(To to, From from, std::size_t count) const {
    HEDDLE_ON_DEVICE(return detail::copy_in_group(detail::raw(to), detail::raw(from), count, 1, 1,
                                                  get_local_linear_id(), get_local_linear_range()));
  }
  // The stride is of the side that is in global memory.
  template <typename T, access::decorated A, typename From>
  device_event async_work_group_copy(multi_ptr<T, access::address_space::local_space, A> to, From from,
                                     std::size_t count, std::size_t stride) const {
    HEDDLE_ON_DEVICE(return detail::copy_in_group(detail::raw(to), detail::raw(from), count, 1, stride,
                                                  get_local_linear_id(), get_local_linear_range()));
  }
  template <typename T, access::decorated A, typename From>
  device_event async_work_group_copy(multi_ptr<T, access::address_space::global_space, A> to, From from,
                                     std::size_t count, std::size_t stride) const {
    HEDDLE_ON_DEVICE(return detail::copy_in_group(detail::raw(to), detail::raw(from), count, stride, 1,
                                                  get_local_linear_id(), get_local_linear_range()));
  }
  template <typename... Events>
  void wait_for(Events...) const {
    HEDDLE_ON_DEVICE(detail::device::barrier(3));
  }

 private:
  constexpr group() = default;
  friend class nd_item<D>;
  friend struct detail::kernel_maker;
};

}  // namespace sycl

#endif
