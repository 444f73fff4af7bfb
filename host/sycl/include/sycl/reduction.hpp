// SPDX-License-Identifier: Apache-2.0
// Reduction variables: SYCL 2020, section 4.9.2. Work-items combine in registers, a work-group by the device's
// reduction or by shuffles, and its leader with the variable: atomically of numbers of 32 bits, of other types with a
// lock. In which order work-groups come is not fixed, so a sum of float may differ in its last bits from run to run on
// several compute units.
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

  HEDDLE_INLINE reducer(const F &f, const T &identity) : function_(f), identity_(identity), value_(identity) {}
  reducer(const reducer &) = delete;
  reducer &operator=(const reducer &) = delete;

  HEDDLE_INLINE reducer &combine(const T &x) {
    value_ = function_(value_, x);
    return *this;
  }
  T identity() const {
    return identity_;
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
  T identity_, value_;
};

namespace detail {

// What reduction() makes; Variable is a pointer or an accessor.
template <typename T, typename F, typename Variable>
struct reduction_of {
  static_assert(is_device_copyable_v<T>, "a reduction is of a type that is copied by its bytes");
  using reducer_type = reducer<T, F>;
  Variable variable;
  T identity;
  F function;
  bool starts_anew;  // property::reduction::initialize_to_identity

  auto place() const {
    if constexpr (std::is_pointer_v<Variable>)
      return static_cast<const void *>(variable);
    else
      return variable.cell();
  }

  template <typename Group>
  HEDDLE_INLINE void finish(const Group &group, const reducer_type &reducer) {
    const T all = reduce_over_group(group, reducer.value(), function);
    if (group.leader()) {
      T *at;
      if constexpr (std::is_pointer_v<Variable>)
        at = variable;
      else
        at = variable.get_pointer();
      if constexpr (is_number<T> && sizeof(T) == 4) {
        atomic_ref<T> shared(*at);
        T before = shared.load();
        while (!shared.compare_exchange_strong(before, function(before, all))) {
        }
      } else {
        HEDDLE_ON_DEVICE(alone([&] { *at = function(*at, all); }));
      }
    }
  }
};

template <typename F, typename... Reductions>
struct reduction_kernel {
  F function;
  std::tuple<Reductions...> reductions;

  template <typename Item, typename Group>
  HEDDLE_INLINE void run(const Item &item, const Group &group) {
    make_reducers(item, group, std::index_sequence_for<Reductions...>());
  }

 private:
  template <typename Item, typename Group, std::size_t... I>
  HEDDLE_INLINE void make_reducers(const Item &item, const Group &group, std::index_sequence<I...>) {
    run_with(item, group,
             typename Reductions::reducer_type(std::get<I>(reductions).function, std::get<I>(reductions).identity)...);
  }
  template <typename Item, typename Group, typename... Reducers>
  HEDDLE_INLINE void run_with(const Item &item, const Group &group, Reducers &&...reducers) {
    if constexpr (std::is_invocable_v<const F &, const Item &, Reducers &...>)
      HEDDLE_ON_DEVICE(user_kernel_with(function, item, reducers...));
    else
      HEDDLE_ON_DEVICE(user_kernel_with(function, item.get_id(), reducers...));
    std::apply([&](Reductions &...each) { (each.finish(group, reducers), ...); }, reductions);
  }
};
template <typename F, typename... Reductions>
struct is_reduction_kernel<reduction_kernel<F, Reductions...>> : std::true_type {};

#ifdef __SYCL_DEVICE_ONLY__
template <typename Kernel, typename Item, typename Group>
HEDDLE_INLINE void run_with_reducers(Kernel &kernel, const Item &item, const Group &group) {
  kernel.run(item, group);
}
#endif

}  // namespace detail

// Combines with what the variable has, or with the identity instead where the property says so.
template <typename T, typename F>
auto reduction(T *variable, const T &identity, F function, const property_list &properties = {}) {
  return detail::reduction_of<T, F, T *>{variable, identity, function,
                                         properties.has_property<property::reduction::initialize_to_identity>()};
}
template <typename T, typename F>
auto reduction(T *variable, F function, const property_list &properties = {}) {
  static_assert(has_known_identity_v<F, T>, "SYCL knows no identity of this function: reduction() needs it");
  return reduction(variable, T(known_identity_v<F, T>), function, properties);
}
template <typename T, typename Allocator, typename F>
auto reduction(buffer<T, 1, Allocator> &variable, handler &h, const T &identity, F function,
               const property_list &properties = {}) {
  return detail::reduction_of<T, F, accessor<T, 1>>{
      accessor<T, 1>(variable, h), identity, function,
      properties.has_property<property::reduction::initialize_to_identity>()};
}
template <typename T, typename Allocator, typename F>
auto reduction(buffer<T, 1, Allocator> &variable, handler &h, F function, const property_list &properties = {}) {
  static_assert(has_known_identity_v<F, T>, "SYCL knows no identity of this function: reduction() needs it");
  return reduction(variable, h, T(known_identity_v<F, T>), function, properties);
}

}  // namespace sycl

#endif
