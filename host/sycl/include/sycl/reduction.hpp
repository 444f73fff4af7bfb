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
#include "span.hpp"

namespace sycl {

namespace detail {

// The operators of reducers: each is combine() of a function that SYCL knows.
template <typename Derived, typename T, typename F>
class combinable {
 public:
  using value_type = T;
  using binary_operation = F;
#define HEDDLE_COMBINE(op, letter)                                                          \
  template <typename G = F, typename = std::enable_if_t<function_kind<G>::value == letter>> \
  HEDDLE_INLINE const Derived &operator op(const T &x) const {                              \
    return self().combine(x);                                                               \
  }                                                                                         \
  template <typename G = F, typename = std::enable_if_t<function_kind<G>::value == letter>> \
  HEDDLE_INLINE Derived &operator op(const T &x) {                                          \
    return const_cast<Derived &>(self().combine(x));                                        \
  }
  HEDDLE_COMBINE(+=, '+')
  HEDDLE_COMBINE(*=, '*')
  HEDDLE_COMBINE(&=, '&')
  HEDDLE_COMBINE(|=, '|')
  HEDDLE_COMBINE(^=, '^')
#undef HEDDLE_COMBINE
  template <typename G = F, typename = std::enable_if_t<function_kind<G>::value == '+'>>
  HEDDLE_INLINE const Derived &operator++() const {
    return self().combine(T(1));
  }
  // There is no value of before: a reducer is not read.
  template <typename G = F, typename = std::enable_if_t<function_kind<G>::value == '+'>>
  HEDDLE_INLINE void operator++(int) const {
    self().combine(T(1));
  }

 private:
  HEDDLE_INLINE const Derived &self() const {
    return static_cast<const Derived &>(*this);
  }
};

}  // namespace detail

// What a work-item combines into. Of a span it has an element for each of the span's.
template <typename T, typename F, int Dimensions = 0, std::size_t Extent = 1>
class reducer;

template <typename T, typename F>
class reducer<T, F, 0, 1> : public detail::combinable<reducer<T, F>, T, F> {
 public:
  static constexpr int dimensions = 0;

  HEDDLE_INLINE reducer(const F &f, const T &identity) : function_(f), identity_(identity), value_(identity) {}
  reducer(const reducer &) = delete;
  reducer &operator=(const reducer &) = delete;

  HEDDLE_INLINE const reducer &combine(const T &x) const {
    value_ = function_(value_, x);
    return *this;
  }
  HEDDLE_INLINE reducer &combine(const T &x) {
    value_ = function_(value_, x);
    return *this;
  }
  T identity() const {
    return identity_;
  }
  HEDDLE_INLINE T value() const {  // for the runtime only
    return value_;
  }

 private:
  F function_;
  T identity_;
  mutable T value_;
};

namespace detail {

// An element of a span's reducer.
template <typename T, typename F>
class reducer_element : public combinable<reducer_element<T, F>, T, F> {
 public:
  static constexpr int dimensions = 0;
  HEDDLE_INLINE reducer_element(const F &f, const T &identity, T &value)
      : function_(f), identity_(identity), value_(value) {}
  HEDDLE_INLINE const reducer_element &combine(const T &x) const {
    value_ = function_(value_, x);
    return *this;
  }
  T identity() const {
    return identity_;
  }

 private:
  const F &function_;
  const T &identity_;
  T &value_;
};

// A value that may be missing, which takes the place of an identity that is not known.
template <typename T>
struct maybe {
  T value;
  bool is_there;
};
template <typename F>
struct combine_maybe {
  F function;
  template <typename T>
  HEDDLE_INLINE maybe<T> operator()(const maybe<T> &a, const maybe<T> &b) const {
    return !a.is_there ? b : b.is_there ? maybe<T>{function(a.value, b.value), true} : a;
  }
};

}  // namespace detail

// Without an identity.
template <typename T, typename F>
class reducer<T, F, 0, 0> : public detail::combinable<reducer<T, F, 0, 0>, T, F> {
 public:
  static constexpr int dimensions = 0;

  HEDDLE_INLINE reducer(const F &f, const detail::maybe<T> &nothing) : function_(f), value_(nothing) {}
  reducer(const reducer &) = delete;
  reducer &operator=(const reducer &) = delete;

  HEDDLE_INLINE const reducer &combine(const T &x) const {
    value_ = {value_.is_there ? function_(value_.value, x) : x, true};
    return *this;
  }
  HEDDLE_INLINE reducer &combine(const T &x) {
    value_ = {value_.is_there ? function_(value_.value, x) : x, true};
    return *this;
  }
  HEDDLE_INLINE const detail::maybe<T> &value() const {  // for the runtime only
    return value_;
  }

 private:
  F function_;
  mutable detail::maybe<T> value_;
};

template <typename T, typename F, std::size_t Extent>
class reducer<T, F, 1, Extent> {
 public:
  using value_type = T;
  using binary_operation = F;
  static constexpr int dimensions = 1;

  HEDDLE_INLINE reducer(const F &f, const T &identity) : function_(f), identity_(identity) {
    for (T &value : values_)
      value = identity;
  }
  reducer(const reducer &) = delete;
  reducer &operator=(const reducer &) = delete;

  HEDDLE_INLINE detail::reducer_element<T, F> operator[](std::size_t i) const {
    return detail::reducer_element<T, F>(function_, identity_, values_[i]);
  }
  T identity() const {
    return identity_;
  }
  HEDDLE_INLINE T value(std::size_t i) const {  // for the runtime only
    return values_[i];
  }

 private:
  F function_;
  T identity_;
  mutable T values_[Extent];
};

namespace detail {

// A work-group's value goes to the variable.
template <typename T, typename F>
HEDDLE_INLINE void combine_with(T *at, const T &all, const F &function) {
  if constexpr (is_number<T> && sizeof(T) == 4) {
    atomic_ref<T> shared(*at);
    T before = shared.load();
    while (!shared.compare_exchange_strong(before, function(before, all))) {
    }
  } else {
    HEDDLE_ON_DEVICE(alone([&] { *at = function(*at, all); }));
  }
}

template <typename T, typename F>
constexpr bool is_combined = std::is_invocable_r_v<T, const F &, const T &, const T &>;

// What reduction() makes; Variable is a pointer or an accessor.
template <typename T, typename F, typename Variable, bool HasIdentity = true>
struct reduction_of {
  static_assert(is_device_copyable_v<T>, "a reduction is of a type that is copied by its bytes");
  static_assert(is_combined<T, F>, "a reduction's function combines two values of the variable's type to one");
  using reducer_type = reducer<T, F, 0, HasIdentity ? 1 : 0>;
  static constexpr std::size_t count = 1;
  Variable variable;
  std::conditional_t<HasIdentity, T, maybe<T>> identity;
  F function;
  bool starts_anew;  // property::reduction::initialize_to_identity

  auto place(std::size_t) const {
    if constexpr (std::is_pointer_v<Variable>)
      return static_cast<const void *>(variable);
    else
      return variable.cell();
  }

  template <typename Group>
  HEDDLE_INLINE void finish(const Group &group, const reducer_type &reducer) {
    if constexpr (HasIdentity) {
      give(group, reduce_over_group(group, reducer.value(), function));
    } else {
      const maybe<T> all = reduce_over_group(group, reducer.value(), combine_maybe<F>{function});
      if (all.is_there)
        give(group, all.value);
    }
  }

 private:
  template <typename Group>
  HEDDLE_INLINE void give(const Group &group, const T &all) {
    if (group.leader()) {
      if constexpr (std::is_pointer_v<Variable>)
        combine_with(variable, all, function);
      else
        combine_with<T>(variable.get_pointer(), all, function);
    }
  }
};
[[noreturn]] void fail_no_identity();
inline void check_has_identity(const property_list &properties) {
  if (properties.has_property<property::reduction::initialize_to_identity>())
    fail_no_identity();
}

// Of a span, whose elements are reduced one by one.
template <typename T, typename F, std::size_t Extent>
struct reduction_of_span {
  static_assert(is_device_copyable_v<T>, "a reduction is of a type that is copied by its bytes");
  using reducer_type = reducer<T, F, 1, Extent>;
  static constexpr std::size_t count = Extent;
  T *variable;
  T identity;
  F function;
  bool starts_anew;

  const void *place(std::size_t i) const {
    return variable + i;
  }

  template <typename Group>
  HEDDLE_INLINE void finish(const Group &group, const reducer_type &reducer) {
    for (std::size_t i = 0; i < Extent; i++) {
      const T all = reduce_over_group(group, reducer.value(i), function);
      if (group.leader())
        combine_with(variable + i, all, function);
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
  if constexpr (has_known_identity_v<F, T>) {
    return reduction(variable, T(known_identity_v<F, T>), function, properties);
  } else {
    detail::check_has_identity(properties);
    return detail::reduction_of<T, F, T *, false>{variable, {T(), false}, function, false};
  }
}
template <typename T, std::size_t Extent, typename F>
auto reduction(span<T, Extent> variables, const T &identity, F function, const property_list &properties = {}) {
  static_assert(Extent != dynamic_extent, "a reduction of a span needs one whose size is part of its type");
  return detail::reduction_of_span<T, F, Extent>{
      variables.data(), identity, function, properties.has_property<property::reduction::initialize_to_identity>()};
}
template <typename T, std::size_t Extent, typename F>
auto reduction(span<T, Extent> variables, F function, const property_list &properties = {}) {
  static_assert(has_known_identity_v<F, T>, "a reduction of a span needs the function's identity, which is not known");
  return reduction(variables, T(known_identity_v<F, T>), function, properties);
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
  if constexpr (has_known_identity_v<F, T>) {
    return reduction(variable, h, T(known_identity_v<F, T>), function, properties);
  } else {
    detail::check_has_identity(properties);
    return detail::reduction_of<T, F, accessor<T, 1>, false>{
        accessor<T, 1>(variable, h), {T(), false}, function, false};
  }
}

}  // namespace sycl

#endif
