// SPDX-License-Identifier: Apache-2.0
// group, a work-group: SYCL 2020, section 4.9.1.7. SYCL counts dimensions from the slowest, OpenCL from the fastest.
#ifndef HEDDLE_SYCL_GROUP_HPP
#define HEDDLE_SYCL_GROUP_HPP

#include "detail/device_functions.hpp"
#include "memory_scope.hpp"
#include "range.hpp"

namespace sycl {

template <int D>
class nd_item;

namespace detail {

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

template <int D = 1>
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

 private:
  constexpr group() = default;
  friend class nd_item<D>;
};

}  // namespace sycl

#endif
