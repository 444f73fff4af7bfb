// SPDX-License-Identifier: Apache-2.0
// atomic_ref of 32-bit integers, float and pointers: SYCL 2020, section 4.15.3. An operation of integers is one
// instruction, any other a loop of load-reserved and store-conditional.
#ifndef HEDDLE_SYCL_ATOMIC_REF_HPP
#define HEDDLE_SYCL_ATOMIC_REF_HPP

#include "memory_scope.hpp"

namespace sycl {

template <typename T, memory_order Order = memory_order::relaxed, memory_scope Scope = memory_scope::device,
          access::address_space Space = access::address_space::generic_space>
class atomic_ref {
  static_assert(std::is_same_v<T, int> || std::is_same_v<T, unsigned> || std::is_same_v<T, float> ||
                    (std::is_integral_v<T> && sizeof(T) == 4),
                "the device has atomics of 32 bits: int, unsigned and float");

 public:
  using value_type = T;
  using difference_type = T;
  static constexpr std::size_t required_alignment = alignof(T);
  static constexpr bool is_always_lock_free = true;
  static constexpr memory_order default_read_order = Order == memory_order::acq_rel ? memory_order::acquire : Order;
  static constexpr memory_order default_write_order = Order == memory_order::acq_rel ? memory_order::release : Order;
  static constexpr memory_order default_read_modify_write_order = Order;
  static constexpr memory_scope default_scope = Scope;

  explicit atomic_ref(T &object) : at_(&object) {}
  atomic_ref(const atomic_ref &) = default;
  atomic_ref &operator=(const atomic_ref &) = delete;

  bool is_lock_free() const {
    return true;
  }
  void store(T value, memory_order order = default_write_order, memory_scope = Scope) const {
    ordered(order, [&] {
      __atomic_store(at_, &value, __ATOMIC_RELAXED);
      return 0;
    });
  }
  T load(memory_order order = default_read_order, memory_scope = Scope) const {
    return ordered(order, [&] {
      T value;
      __atomic_load(at_, &value, __ATOMIC_RELAXED);
      return value;
    });
  }
  T exchange(T value, memory_order order = Order, memory_scope = Scope) const {
    return ordered(order, [&] {
      T before;
      __atomic_exchange(at_, &value, &before, __ATOMIC_RELAXED);
      return before;
    });
  }
  bool compare_exchange_strong(T &expected, T wanted, memory_order order = Order, memory_scope = Scope) const {
    return ordered(order, [&] {
      return __atomic_compare_exchange(at_, &expected, &wanted, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    });
  }
  bool compare_exchange_strong(T &expected, T wanted, memory_order order, memory_order, memory_scope = Scope) const {
    return compare_exchange_strong(expected, wanted, order);
  }
  bool compare_exchange_weak(T &expected, T wanted, memory_order order = Order, memory_scope = Scope) const {
    return compare_exchange_strong(expected, wanted, order);
  }
  bool compare_exchange_weak(T &expected, T wanted, memory_order order, memory_order, memory_scope = Scope) const {
    return compare_exchange_strong(expected, wanted, order);
  }

#define HEDDLE_FETCH(name, expression)                                  \
  T name(T y, memory_order order = Order, memory_scope = Scope) const { \
    return ordered(order, [&] {                                         \
      if constexpr (std::is_integral_v<T>) {                            \
        return __atomic_##name(at_, y, __ATOMIC_RELAXED);               \
      } else {                                                          \
        return change([&](T x) { return static_cast<T>(expression); }); \
      }                                                                 \
    });                                                                 \
  }
  HEDDLE_FETCH(fetch_add, x + y)
  HEDDLE_FETCH(fetch_sub, x - y)
  HEDDLE_FETCH(fetch_min, y < x ? y : x)
  HEDDLE_FETCH(fetch_max, x < y ? y : x)
#undef HEDDLE_FETCH
#define HEDDLE_FETCH(name)                                                            \
  template <typename U = T, typename = std::enable_if_t<std::is_integral_v<U>>>       \
  T name(T y, memory_order order = Order, memory_scope = Scope) const {               \
    return ordered(order, [&] { return __atomic_##name(at_, y, __ATOMIC_RELAXED); }); \
  }
  HEDDLE_FETCH(fetch_and)
  HEDDLE_FETCH(fetch_or)
  HEDDLE_FETCH(fetch_xor)
#undef HEDDLE_FETCH

  operator T() const {
    return load();
  }
  T operator=(T value) const {
    store(value);
    return value;
  }
  T operator+=(T value) const {
    return fetch_add(value) + value;
  }
  T operator-=(T value) const {
    return fetch_sub(value) - value;
  }
  T operator++() const {
    return fetch_add(1) + 1;
  }
  T operator++(int) const {
    return fetch_add(1);
  }
  T operator--() const {
    return fetch_sub(1) - 1;
  }
  T operator--(int) const {
    return fetch_sub(1);
  }
  template <typename U = T, typename = std::enable_if_t<std::is_integral_v<U>>>
  T operator&=(T value) const {
    return fetch_and(value) & value;
  }
  template <typename U = T, typename = std::enable_if_t<std::is_integral_v<U>>>
  T operator|=(T value) const {
    return fetch_or(value) | value;
  }
  template <typename U = T, typename = std::enable_if_t<std::is_integral_v<U>>>
  T operator^=(T value) const {
    return fetch_xor(value) ^ value;
  }

 private:
  // The device needs no fence: its memory is in order. The compiler is held.
  template <typename F>
  static HEDDLE_INLINE auto ordered(memory_order order, F operation) {
    if (order != memory_order::relaxed)
      __asm__ volatile("" ::: "memory");
    auto result = operation();
    if (order != memory_order::relaxed)
      __asm__ volatile("" ::: "memory");
    return result;
  }
  template <typename F>
  HEDDLE_INLINE T change(F to) const {
    T before;
    __atomic_load(at_, &before, __ATOMIC_RELAXED);
    T after = to(before);
    while (!__atomic_compare_exchange(at_, &before, &after, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      after = to(before);
    return before;
  }
  T *at_;
};

}  // namespace sycl

#endif
