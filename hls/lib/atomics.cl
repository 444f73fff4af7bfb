// SPDX-License-Identifier: Apache-2.0
// Atomic functions of 32 bits: OpenCL C 1.2, section 6.12.11 (with cl_khr_*_int32_*_atomics), and OpenCL C 3.0, section
// 6.15.12. Each is one amo instruction, a compare-and-exchange a loop of lr.w and sc.w. The device keeps memory in order
// for everybody, so scopes do not matter and orders only hold the compiler.
#include "hls/lib/device.h"

#define FENCE() __asm__ volatile("" ::: "memory")
#define FENCE_UNLESS_RELAXED(order)      \
  do {                                   \
    if ((order) != memory_order_relaxed) \
      FENCE();                           \
  } while (0)

// What the compiler is told: nothing that would become a fence instruction.
#define HOW memory_order_relaxed, memory_scope_device

// An atomic expression between two fences.
#define IN_ORDER(order, T, expression) \
  FENCE_UNLESS_RELAXED(order);         \
  T in_order_result = expression;      \
  FENCE_UNLESS_RELAXED(order);         \
  return in_order_result

// ---- OpenCL C 1.x: no order, no scope, on plain integers.

#define PLAIN_2(space, T, name, operation)                                                             \
  T BUILTIN atomic_##name(volatile space T *p, T value) {                                              \
    return __opencl_atomic_##operation((volatile space atomic_##T *)p, value, HOW);                    \
  }                                                                                                    \
  T BUILTIN atom_##name(volatile space T *p, T value) {                                                \
    return __opencl_atomic_##operation((volatile space atomic_##T *)p, value, HOW);                    \
  }
#define PLAIN_1(space, T, name, operation)                                                             \
  T BUILTIN atomic_##name(volatile space T *p) {                                                       \
    return __opencl_atomic_##operation((volatile space atomic_##T *)p, (T)1, HOW);                     \
  }                                                                                                    \
  T BUILTIN atom_##name(volatile space T *p) {                                                         \
    return __opencl_atomic_##operation((volatile space atomic_##T *)p, (T)1, HOW);                     \
  }
#define PLAIN_COMPARE(space, T, name)                                                                             \
  T BUILTIN name(volatile space T *p, T expected, T value) {                                                      \
    __opencl_atomic_compare_exchange_strong((volatile space atomic_##T *)p, &expected, value, memory_order_relaxed, \
                                            HOW);                                                                 \
    return expected;                                                                                              \
  }
#define PLAIN(space, T)                                                                                     \
  PLAIN_2(space, T, add, fetch_add) PLAIN_2(space, T, sub, fetch_sub) PLAIN_2(space, T, xchg, exchange)     \
  PLAIN_1(space, T, inc, fetch_add) PLAIN_1(space, T, dec, fetch_sub)                                       \
  PLAIN_2(space, T, min, fetch_min) PLAIN_2(space, T, max, fetch_max)                                       \
  PLAIN_2(space, T, and, fetch_and) PLAIN_2(space, T, or, fetch_or) PLAIN_2(space, T, xor, fetch_xor)       \
  PLAIN_COMPARE(space, T, atomic_cmpxchg) PLAIN_COMPARE(space, T, atom_cmpxchg)
PLAIN(global, int)
PLAIN(global, uint)
PLAIN(local, int)
PLAIN(local, uint)

float BUILTIN atomic_xchg(volatile global float *p, float value) {
  return __opencl_atomic_exchange((volatile global atomic_float *)p, value, HOW);
}

float BUILTIN atomic_xchg(volatile local float *p, float value) {
  return __opencl_atomic_exchange((volatile local atomic_float *)p, value, HOW);
}

// ---- OpenCL C 2.0 and later. Three forms: sequentially consistent, with an order, with order and scope.

// T is the result, A the type named atomic_A, V the operand.
#define FETCH(space, A, V, operation)                                                                              \
  A BUILTIN atomic_##operation##_explicit(volatile space atomic_##A *p, V value, memory_order order,               \
                                          memory_scope scope) {                                                    \
    IN_ORDER(order, A, __opencl_atomic_##operation(p, value, HOW));                                                \
  }                                                                                                                \
  A BUILTIN atomic_##operation##_explicit(volatile space atomic_##A *p, V value, memory_order order) {             \
    IN_ORDER(order, A, __opencl_atomic_##operation(p, value, HOW));                                                \
  }                                                                                                                \
  A BUILTIN atomic_##operation(volatile space atomic_##A *p, V value) {                                            \
    IN_ORDER(memory_order_seq_cst, A, __opencl_atomic_##operation(p, value, HOW));                                 \
  }

#define STORE(space, A)                                                                                            \
  void BUILTIN atomic_store_explicit(volatile space atomic_##A *p, A value, memory_order order,                    \
                                     memory_scope scope) {                                                         \
    FENCE_UNLESS_RELAXED(order);                                                                                   \
    __opencl_atomic_store(p, value, HOW);                                                                          \
    FENCE_UNLESS_RELAXED(order);                                                                                   \
  }                                                                                                                \
  void BUILTIN atomic_store_explicit(volatile space atomic_##A *p, A value, memory_order order) {                  \
    atomic_store_explicit(p, value, order, memory_scope_device);                                                   \
  }                                                                                                                \
  void BUILTIN atomic_store(volatile space atomic_##A *p, A value) {                                               \
    atomic_store_explicit(p, value, memory_order_seq_cst, memory_scope_device);                                    \
  }                                                                                                                \
  void BUILTIN atomic_init(volatile space atomic_##A *p, A value) {                                                \
    __opencl_atomic_init(p, value);                                                                                \
  }

#define LOAD(space, A)                                                                                             \
  A BUILTIN atomic_load_explicit(volatile space atomic_##A *p, memory_order order, memory_scope scope) {           \
    IN_ORDER(order, A, __opencl_atomic_load(p, HOW));                                                              \
  }                                                                                                                \
  A BUILTIN atomic_load_explicit(volatile space atomic_##A *p, memory_order order) {                               \
    IN_ORDER(order, A, __opencl_atomic_load(p, HOW));                                                              \
  }                                                                                                                \
  A BUILTIN atomic_load(volatile space atomic_##A *p) {                                                            \
    IN_ORDER(memory_order_seq_cst, A, __opencl_atomic_load(p, HOW));                                               \
  }

#define COMPARE_EXCHANGE(space, A, expected_space, strength)                                                       \
  bool BUILTIN atomic_compare_exchange_##strength##_explicit(volatile space atomic_##A *p,                         \
                                                             expected_space A *expected, A value,                  \
                                                             memory_order success, memory_order failure,           \
                                                             memory_scope scope) {                                 \
    FENCE_UNLESS_RELAXED(success);                                                                                 \
    A found = *expected;                                                                                           \
    bool result = __opencl_atomic_compare_exchange_##strength(p, &found, value, memory_order_relaxed, HOW);        \
    if (!result) {                                                                                                 \
      *expected = found;                                                                                           \
    }                                                                                                              \
    FENCE_UNLESS_RELAXED(success);                                                                                 \
    return result;                                                                                                 \
  }                                                                                                                \
  bool BUILTIN atomic_compare_exchange_##strength##_explicit(volatile space atomic_##A *p,                         \
                                                             expected_space A *expected, A value,                  \
                                                             memory_order success, memory_order failure) {         \
    return atomic_compare_exchange_##strength##_explicit(p, expected, value, success, failure,                     \
                                                         memory_scope_device);                                     \
  }                                                                                                                \
  bool BUILTIN atomic_compare_exchange_##strength(volatile space atomic_##A *p, expected_space A *expected,        \
                                                  A value) {                                                       \
    return atomic_compare_exchange_##strength##_explicit(p, expected, value, memory_order_seq_cst,                 \
                                                         memory_order_seq_cst, memory_scope_device);               \
  }
#define COMPARE_EXCHANGES(space, A, expected_space) \
  COMPARE_EXCHANGE(space, A, expected_space, strong) COMPARE_EXCHANGE(space, A, expected_space, weak)

#define VALUE(space, A) \
  STORE(space, A) LOAD(space, A) FETCH(space, A, A, exchange)

#define INTEGER(space, A, V)                                                                              \
  FETCH(space, A, V, fetch_add) FETCH(space, A, V, fetch_sub) FETCH(space, A, V, fetch_or)                \
  FETCH(space, A, V, fetch_xor) FETCH(space, A, V, fetch_and)
#define ORDERED_INTEGER(space, A) \
  FETCH(space, A, A, fetch_min) FETCH(space, A, A, fetch_max)

#define FLAG(space)                                                                                                \
  bool BUILTIN atomic_flag_test_and_set_explicit(volatile space atomic_flag *p, memory_order order,                \
                                                 memory_scope scope) {                                             \
    IN_ORDER(order, bool, __opencl_atomic_exchange(p, 1, HOW) != 0);                                               \
  }                                                                                                                \
  bool BUILTIN atomic_flag_test_and_set_explicit(volatile space atomic_flag *p, memory_order order) {              \
    IN_ORDER(order, bool, __opencl_atomic_exchange(p, 1, HOW) != 0);                                               \
  }                                                                                                                \
  bool BUILTIN atomic_flag_test_and_set(volatile space atomic_flag *p) {                                           \
    IN_ORDER(memory_order_seq_cst, bool, __opencl_atomic_exchange(p, 1, HOW) != 0);                                \
  }                                                                                                                \
  void BUILTIN atomic_flag_clear_explicit(volatile space atomic_flag *p, memory_order order, memory_scope scope) { \
    atomic_store_explicit(p, 0, order, scope);                                                                     \
  }                                                                                                                \
  void BUILTIN atomic_flag_clear_explicit(volatile space atomic_flag *p, memory_order order) {                     \
    atomic_store_explicit(p, 0, order);                                                                            \
  }                                                                                                                \
  void BUILTIN atomic_flag_clear(volatile space atomic_flag *p) {                                                  \
    atomic_store(p, 0);                                                                                            \
  }

// uint with an int operand is what uintptr_t takes: it counts in ptrdiff_t and masks with intptr_t.
#define IN_SPACE(space)                                                                                   \
  VALUE(space, int) VALUE(space, uint) VALUE(space, float)                                                \
  INTEGER(space, int, int) INTEGER(space, uint, uint) INTEGER(space, uint, int)                           \
  ORDERED_INTEGER(space, int) ORDERED_INTEGER(space, uint)                                                \
  FLAG(space)
IN_SPACE(global)
IN_SPACE(local)
IN_SPACE(generic)

#define COMPARE_IN_SPACES(A)                                                                                   \
  COMPARE_EXCHANGES(global, A, global) COMPARE_EXCHANGES(global, A, local) COMPARE_EXCHANGES(global, A, private) \
  COMPARE_EXCHANGES(local, A, global) COMPARE_EXCHANGES(local, A, local) COMPARE_EXCHANGES(local, A, private)  \
  COMPARE_EXCHANGES(generic, A, generic)
COMPARE_IN_SPACES(int)
COMPARE_IN_SPACES(uint)
COMPARE_IN_SPACES(float)
