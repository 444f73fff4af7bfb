// SPDX-License-Identifier: Apache-2.0
// Reduction variables of nd-range kernels: SYCL 2020, section 4.9.2. Work-items combine in registers, a work-group by
// the device's reduction, and its leader with the variable, atomically: so T is a number of 32 bits. In which order
// work-groups come is not fixed, so a sum of float may differ in its last bits from run to run on several compute
// units.
#ifndef HEDDLE_SYCL_REDUCTION_HPP
#define HEDDLE_SYCL_REDUCTION_HPP

#include "atomic_ref.hpp"
#include "buffer.hpp"
#include "group_algorithms.hpp"
#include "handler.hpp"

namespace sycl {

// What a work-item combines into.
template <typename T, typename F>
class reducer {
 public:
  using value_type = T;
  using binary_operation = F;
  static constexpr int dimensions = 0;

  HEDDLE_INLINE explicit reducer(const F &f) : function_(f) {}
  reducer(const reducer &) = delete;
  reducer &operator=(const reducer &) = delete;

  HEDDLE_INLINE reducer &combine(const T &x) {
    value_ = function_(value_, x);
    return *this;
  }
  T identity() const {
    return known_identity_v<F, T>;
  }
  template <typename G = F, typename = std::enable_if_t<detail::function_kind<G>::value == '+'>>
  HEDDLE_INLINE reducer &operator+=(const T &x) {
    return combine(x);
  }
  template <typename G = F, typename = std::enable_if_t<detail::function_kind<G>::value == '+'>>
  HEDDLE_INLINE reducer &operator++() {
    return combine(T(1));
  }
  template <typename G = F, typename = std::enable_if_t<detail::function_kind<G>::value == '*'>>
  HEDDLE_INLINE reducer &operator*=(const T &x) {
    return combine(x);
  }
  template <typename G = F, typename = std::enable_if_t<detail::function_kind<G>::value == '&'>>
  HEDDLE_INLINE reducer &operator&=(const T &x) {
    return combine(x);
  }
  template <typename G = F, typename = std::enable_if_t<detail::function_kind<G>::value == '|'>>
  HEDDLE_INLINE reducer &operator|=(const T &x) {
    return combine(x);
  }
  template <typename G = F, typename = std::enable_if_t<detail::function_kind<G>::value == '^'>>
  HEDDLE_INLINE reducer &operator^=(const T &x) {
    return combine(x);
  }
  HEDDLE_INLINE T value() const {  // for the runtime only
    return value_;
  }

 private:
  F function_;
  T value_ = known_identity_v<F, T>;
};

namespace detail {

// What reduction() makes; Variable is a pointer or an accessor.
template <typename T, typename F, typename Variable>
struct reduction_of {
  static_assert(is_number<T> && sizeof(T) == 4,
                "reductions are of int, unsigned and float, as the device's atomics are");
  static_assert(has_identity<F, T>(), "a reduction is by one of SYCL's function objects, whose identity is known");
  using reducer_type = reducer<T, F>;
  Variable variable;
  F function;

  template <typename Group>
  HEDDLE_INLINE void finish(const Group &group, const reducer_type &reducer) {
    const T all = reduce_over_group(group, reducer.value(), function);
    if (group.leader()) {
      T *at;
      if constexpr (std::is_pointer_v<Variable>) {
        at = variable;
      } else {
        at = variable.get_pointer();
      }
      atomic_ref<T> shared(*at);
      T before = shared.load();
      while (!shared.compare_exchange_strong(before, function(before, all))) {
      }
    }
  }
};

template <typename F, typename A>
struct reduction_kernel<F, A> {
  F function;
  std::tuple<A> reductions;

  template <typename Item>
  HEDDLE_INLINE void run(const Item &item) {
    A &a = std::get<0>(reductions);
    typename A::reducer_type reducer(a.function);
    HEDDLE_ON_DEVICE(user_kernel_with(function, item, reducer));
    a.finish(item.get_group(), reducer);
  }
};
template <typename F, typename A, typename B>
struct reduction_kernel<F, A, B> {
  F function;
  std::tuple<A, B> reductions;

  template <typename Item>
  HEDDLE_INLINE void run(const Item &item) {
    A &a = std::get<0>(reductions);
    B &b = std::get<1>(reductions);
    typename A::reducer_type reducer_a(a.function);
    typename B::reducer_type reducer_b(b.function);
    HEDDLE_ON_DEVICE(user_kernel_with(function, item, reducer_a, reducer_b));
    a.finish(item.get_group(), reducer_a);
    b.finish(item.get_group(), reducer_b);
  }
};
template <typename F, typename... Reductions>
struct is_reduction_kernel<reduction_kernel<F, Reductions...>> : std::true_type {};

#ifdef __SYCL_DEVICE_ONLY__
template <typename Kernel, typename Item>
HEDDLE_INLINE void run_with_reducers(Kernel &kernel, const Item &item) {
  kernel.run(item);
}
#endif

}  // namespace detail

// Combines with what the variable has.
template <typename T, typename F>
auto reduction(T *variable, F function) {
  return detail::reduction_of<T, F, T *>{variable, function};
}
template <typename T, typename Allocator, typename F>
auto reduction(buffer<T, 1, Allocator> &variable, handler &h, F function) {
  return detail::reduction_of<T, F, accessor<T, 1>>{accessor<T, 1>(variable, h), function};
}

}  // namespace sycl

#endif
