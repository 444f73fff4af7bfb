// SPDX-License-Identifier: Apache-2.0
// atomic_ref of numbers of 32 and of 64 bits and of pointers: SYCL 2020, section 4.15.3, and SYCL 1.2.1's atomic. Of 32
// bits an operation of integers is one instruction, any other a loop of load-reserved and store-conditional. Of 64
// bits, which pointers have too and for which the device has no such instructions, a lock is taken; the host has them.
#ifndef HEDDLE_SYCL_ATOMIC_REF_HPP
#define HEDDLE_SYCL_ATOMIC_REF_HPP

#include "multi_ptr.hpp"

namespace sycl {

namespace detail {

#ifdef __SYCL_DEVICE_ONLY__
// One for all that a program's kernels lock; they run one after the other. The device link knows it by its name.
extern "C" inline int HEDDLE_GLOBAL heddle_sycl_lock = 0;

// Runs `f` while no other work-item runs such. Lanes that go in step must not wait for one another: each has its turn
// to try, as tries of all at once would take longer. Who finds the lock open works and opens it again within the loop,
// so that lanes that are no more in step, of which others try while one works, do not hold that one up.
template <typename F>
HEDDLE_INLINE void alone(const F &f) {
  const std::uint32_t lane = device::get_sub_group_local_id(), lanes = device::get_max_sub_group_size();
  for (std::uint32_t turn = 0; turn < lanes; turn++) {
    int is_waiting = turn == lane;
    while (is_waiting != 0) {
      if (__atomic_exchange_n(&heddle_sycl_lock, 1, __ATOMIC_RELAXED) == 0) {
        __asm__ volatile("" ::: "memory");
        f();
        __asm__ volatile("" ::: "memory");
        __atomic_store_n(&heddle_sycl_lock, 0, __ATOMIC_RELAXED);
        is_waiting = 0;
      }
      __asm__ volatile("" : "+r"(is_waiting));  // else the compiler takes the work out of the loop
    }
    __asm__ volatile("" : "+r"(turn));  // else it sees that each lane has but one turn
  }
}
#endif

}  // namespace detail

template <typename T, memory_order Order = memory_order::relaxed, memory_scope Scope = memory_scope::device,
          access::address_space Space = access::address_space::generic_space>
class atomic_ref {
  static_assert((std::is_integral_v<T> || std::is_floating_point_v<T> || std::is_pointer_v<T>) &&
                    (sizeof(T) == 4 || sizeof(T) == 8),
                "an atomic_ref is of numbers of 32 or 64 bits, or of pointers");
#ifdef __SYCL_DEVICE_ONLY__
  static constexpr bool has_instructions = sizeof(T) == 4;
#else
  static constexpr bool has_instructions = true;
#endif

 public:
  using value_type = T;
  // A pointer moves by elements.
  using difference_type = std::conditional_t<std::is_pointer_v<T>, std::ptrdiff_t, T>;
  static constexpr std::size_t required_alignment = alignof(T);
  static constexpr bool is_always_lock_free = sizeof(T) == 4;
  static constexpr memory_order default_read_order = Order == memory_order::acq_rel ? memory_order::acquire : Order;
  static constexpr memory_order default_write_order = Order == memory_order::acq_rel ? memory_order::release : Order;
  static constexpr memory_order default_read_modify_write_order = Order;
  static constexpr memory_scope default_scope = Scope;

  explicit atomic_ref(T &object) : at_(&object) {}
  atomic_ref(const atomic_ref &) = default;
  atomic_ref &operator=(const atomic_ref &) = delete;

  bool is_lock_free() const {
    return has_instructions;
  }
  void store(T value, memory_order order = default_write_order, memory_scope = Scope) const {
    ordered(order, [&] {
      if constexpr (has_instructions)
        __atomic_store(at_, &value, __ATOMIC_RELAXED);
      else
        change_alone([&](T) { return value; });
      return 0;
    });
  }
  T load(memory_order order = default_read_order, memory_scope = Scope) const {
    return ordered(order, [&] {
      if constexpr (has_instructions) {
        T value;
        __atomic_load(at_, &value, __ATOMIC_RELAXED);
        return value;
      } else {
        return change_alone([](T x) { return x; });
      }
    });
  }
  T exchange(T value, memory_order order = Order, memory_scope = Scope) const {
    return ordered(order, [&] {
      if constexpr (has_instructions) {
        T before;
        __atomic_exchange(at_, &value, &before, __ATOMIC_RELAXED);
        return before;
      } else {
        return change_alone([&](T) { return value; });
      }
    });
  }
  bool compare_exchange_strong(T &expected, T wanted, memory_order order = Order, memory_scope = Scope) const {
    return ordered(order, [&] {
      if constexpr (has_instructions) {
        return __atomic_compare_exchange(at_, &expected, &wanted, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
      } else {
        const T before = change_alone([&](T x) { return x == expected ? wanted : x; });
        const bool is_done = before == expected;
        expected = before;
        return is_done;
      }
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

#define HEDDLE_FETCH(name, expression)                                                \
  T name(difference_type y, memory_order order = Order, memory_scope = Scope) const { \
    return ordered(order, [&] {                                                       \
      if constexpr (std::is_integral_v<T> && has_instructions)                        \
        return __atomic_##name(at_, y, __ATOMIC_RELAXED);                             \
      else                                                                            \
        return change([&](T x) { return static_cast<T>(expression); });               \
    });                                                                               \
  }
  HEDDLE_FETCH(fetch_add, x + y)
  HEDDLE_FETCH(fetch_sub, x - y)
#undef HEDDLE_FETCH
#define HEDDLE_FETCH(name, expression)                                            \
  template <typename U = T, typename = std::enable_if_t<std::is_arithmetic_v<U>>> \
  T name(T y, memory_order order = Order, memory_scope = Scope) const {           \
    return ordered(order, [&] {                                                   \
      if constexpr (std::is_integral_v<T> && has_instructions)                    \
        return __atomic_##name(at_, y, __ATOMIC_RELAXED);                         \
      else                                                                        \
        return change([&](T x) { return static_cast<T>(expression); });           \
    });                                                                           \
  }
  HEDDLE_FETCH(fetch_min, y < x ? y : x)
  HEDDLE_FETCH(fetch_max, x < y ? y : x)
#undef HEDDLE_FETCH
#define HEDDLE_FETCH(name, op)                                                  \
  template <typename U = T, typename = std::enable_if_t<std::is_integral_v<U>>> \
  T name(T y, memory_order order = Order, memory_scope = Scope) const {         \
    return ordered(order, [&] {                                                 \
      if constexpr (has_instructions)                                           \
        return __atomic_##name(at_, y, __ATOMIC_RELAXED);                       \
      else                                                                      \
        return change([&](T x) { return static_cast<T>(x op y); });             \
    });                                                                         \
  }
  HEDDLE_FETCH(fetch_and, &)
  HEDDLE_FETCH(fetch_or, |)
  HEDDLE_FETCH(fetch_xor, ^)
#undef HEDDLE_FETCH

  operator T() const {
    return load();
  }
  T operator=(T value) const {
    store(value);
    return value;
  }
  T operator+=(difference_type value) const {
    return fetch_add(value) + value;
  }
  T operator-=(difference_type value) const {
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
    if constexpr (has_instructions) {
      T before;
      __atomic_load(at_, &before, __ATOMIC_RELAXED);
      T after = to(before);
      while (!__atomic_compare_exchange(at_, &before, &after, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        after = to(before);
      return before;
    } else {
      return change_alone(to);
    }
  }
  template <typename F>
  HEDDLE_INLINE T change_alone(F to) const {
#ifdef __SYCL_DEVICE_ONLY__
    T before{};
    volatile T *at = at_;
    detail::alone([&] {
      before = *at;
      *at = to(before);
    });
    return before;
#else
    return change(to);
#endif
  }
  T *at_;
};

// SYCL 1.2.1's, of what a multi_ptr is to.
template <typename T, access::address_space Space = access::address_space::global_space>
class atomic {
  using reference = atomic_ref<T, memory_order::relaxed, memory_scope::device, Space>;

 public:
  template <access::decorated Decorated>
  explicit atomic(multi_ptr<T, Space, Decorated> at) : at_(at.get_raw()) {}
  void store(T x, memory_order = memory_order::relaxed) {
    reference(*at_).store(x);
  }
  T load(memory_order = memory_order::relaxed) const {
    return reference(*at_).load();
  }
  T exchange(T x, memory_order = memory_order::relaxed) {
    return reference(*at_).exchange(x);
  }
  bool compare_exchange_strong(T &expected, T wanted, memory_order = memory_order::relaxed,
                               memory_order = memory_order::relaxed) {
    return reference(*at_).compare_exchange_strong(expected, wanted);
  }
#define HEDDLE_FETCH(name)                            \
  T name(T x, memory_order = memory_order::relaxed) { \
    return reference(*at_).name(x);                   \
  }
  HEDDLE_FETCH(fetch_add)
  HEDDLE_FETCH(fetch_sub)
  HEDDLE_FETCH(fetch_and)
  HEDDLE_FETCH(fetch_or)
  HEDDLE_FETCH(fetch_xor)
  HEDDLE_FETCH(fetch_min)
  HEDDLE_FETCH(fetch_max)
#undef HEDDLE_FETCH

 private:
  T *at_;
};
#define HEDDLE_FETCH(name)                           \
  template <typename T, access::address_space Space> \
  T atomic_##name(atomic<T, Space> object, T x) {    \
    return object.name(x);                           \
  }
HEDDLE_FETCH(exchange)
HEDDLE_FETCH(fetch_add)
HEDDLE_FETCH(fetch_sub)
HEDDLE_FETCH(fetch_and)
HEDDLE_FETCH(fetch_or)
HEDDLE_FETCH(fetch_xor)
HEDDLE_FETCH(fetch_min)
HEDDLE_FETCH(fetch_max)
#undef HEDDLE_FETCH
template <typename T, access::address_space Space>
void atomic_store(atomic<T, Space> object, T x) {
  object.store(x);
}
template <typename T, access::address_space Space>
T atomic_load(atomic<T, Space> object) {
  return object.load();
}
namespace ext::oneapi {
using sycl::atomic_ref;
}

}  // namespace sycl

#endif
