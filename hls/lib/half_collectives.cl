// SPDX-License-Identifier: Apache-2.0
// Functions of work-groups and sub-groups for half (cl_khr_fp16 with OpenCL C 3.0, sections 6.15.16 and 6.15.19, and
// the extensions of sub-groups). Values are moved as ushort. Folds are those of float, of the halves widened: a minimum
// and a maximum are exact; a sum and a product are rounded to half once, when they are done.
#include "hls/lib/device.h"

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

// clang declares a built-in function by itself only where no other of its name is declared.
#define DECLARE(type, name, ...) type __attribute__((overloadable, convergent)) name(__VA_ARGS__);

static half BUILTIN rounded(float x) {
  return (half)x;
}

// Of a float that is a half: the bias goes by a multiplication, which also makes the half subnormal, and nothing is left
// to round. Infinity keeps the exponent of all ones.
static half BUILTIN exact(float x) {
  uint bits = as_uint(x * 0x1p-112f);
  return __heddle_has_float_unit ? as_half((ushort)((bits >> 16 & 0x8000) | (bits >> 13 & 0x7FFF))) : (half)x;
}

// Sums of halves need not be widened in value: a half's bits where a float has them are the half times 2^-112, and such
// floats are added, and rounded, as the halves are, since no sum of a work-group's is out of a float's range then. Only an
// exponent of all ones is moved. Lanes that have none wait for those that have; so do those in the range of halves.
#ifdef HEDDLE_PIPELINE
#define ADDED(name, ...) rounded(name((float)value __VA_ARGS__))
#else
static float BUILTIN scaled(half x) {
  const uint bits = as_ushort(x);
  uint magnitude = bits << 17 >> 4, exponent;
  __asm__("bltu %0, %2, 1f\n"
          "lui %1, 0x70000\n"
          "or %0, %0, %1\n"
          "1:"
          : "+r"(magnitude), "=&r"(exponent)
          : "r"(0x0F800000));
  return copysign(as_float(magnitude), as_float(bits << 16));
}

static half BUILTIN rounded_scaled(float x) {
  uint bits = as_uint(x), twice, infinite;
  bits += (bits >> 13 & 1) + 0xFFF;
  __asm__("slli %1, %0, 1\n"
          "bltu %1, %3, 1f\n"
          "lui %2, 0xFF000\n"
          "bgeu %1, %2, 1f\n"
          "lui %0, 0x0F800\n"  // beyond the range
          "1:"
          : "+r"(bits), "=&r"(twice), "=&r"(infinite)
          : "r"(0x1F000000));
  return as_half((ushort)(as_uint(copysign(as_float(bits << 3), x)) >> 16));
}

#define ADDED(name, ...)                                                       \
  (__heddle_has_float_unit ? rounded_scaled(name(scaled(value) __VA_ARGS__)) \
                           : rounded(name((float)value __VA_ARGS__)))
#endif

#define SUM(name)                   \
  DECLARE(float, name, float)       \
  half BUILTIN name(half value) {   \
    return ADDED(name);             \
  }
#define SUMS(group) SUM(group##_reduce_add) SUM(group##_scan_inclusive_add) SUM(group##_scan_exclusive_add)
#define FOLD(name, narrowed)              \
  DECLARE(float, name, float)             \
  half BUILTIN name(half value) {         \
    return narrowed(name((float)value));  \
  }
#define FOLDS(group, operation, narrowed)            \
  FOLD(group##_reduce_##operation, narrowed)         \
  FOLD(group##_scan_inclusive_##operation, narrowed) \
  FOLD(group##_scan_exclusive_##operation, narrowed)
#define ALL_FOLDS(group) SUMS(group) FOLDS(group, min, exact) FOLDS(group, max, exact)
ALL_FOLDS(sub_group)
ALL_FOLDS(work_group)
ALL_FOLDS(sub_group_non_uniform)
FOLDS(sub_group_non_uniform, mul, rounded)

#define CLUSTERED(operation)                                                                \
  DECLARE(float, sub_group_clustered_reduce_##operation, float, uint)                       \
  half BUILTIN sub_group_clustered_reduce_##operation(half value, uint clustersize) {       \
    return (half)sub_group_clustered_reduce_##operation((float)value, clustersize);         \
  }
CLUSTERED(mul)
CLUSTERED(min)
CLUSTERED(max)
DECLARE(float, sub_group_clustered_reduce_add, float, uint)
half BUILTIN sub_group_clustered_reduce_add(half value, uint clustersize) {
  return ADDED(sub_group_clustered_reduce_add, , clustersize);
}

DECLARE(int, sub_group_non_uniform_all_equal, float)
// As numbers: the zeros are equal, a NaN to nothing.
int BUILTIN sub_group_non_uniform_all_equal(half value) {
  return sub_group_non_uniform_all_equal((float)value);
}

#define MOVE(T, bits, name, N, n)                \
  DECLARE(bits, name, bits, N)                   \
  T BUILTIN name(T value, N n) {                 \
    return as_##T(name(as_##bits(value), n));    \
  }
#define BROADCASTS(T, bits)                                          \
  MOVE(T, bits, sub_group_broadcast, uint, index)                    \
  MOVE(T, bits, sub_group_non_uniform_broadcast, uint, index)
BROADCASTS(half, ushort)
BROADCASTS(half2, ushort2)
BROADCASTS(half3, ushort3)
BROADCASTS(half4, ushort4)
BROADCASTS(half8, ushort8)
BROADCASTS(half16, ushort16)

DECLARE(ushort, sub_group_broadcast_first, ushort)
half BUILTIN sub_group_broadcast_first(half value) {
  return as_half(sub_group_broadcast_first(as_ushort(value)));
}

#define WORK_GROUP_BROADCAST(...) as_half((ushort)work_group_broadcast((uint)as_ushort(a), __VA_ARGS__))
DECLARE(uint, work_group_broadcast, uint, size_t)
DECLARE(uint, work_group_broadcast, uint, size_t, size_t)
DECLARE(uint, work_group_broadcast, uint, size_t, size_t, size_t)
half BUILTIN work_group_broadcast(half a, size_t x) {
  return WORK_GROUP_BROADCAST(x);
}
half BUILTIN work_group_broadcast(half a, size_t x, size_t y) {
  return WORK_GROUP_BROADCAST(x, y);
}
half BUILTIN work_group_broadcast(half a, size_t x, size_t y, size_t z) {
  return WORK_GROUP_BROADCAST(x, y, z);
}

MOVE(half, ushort, sub_group_shuffle, uint, index)
MOVE(half, ushort, sub_group_shuffle_xor, uint, mask)
MOVE(half, ushort, sub_group_shuffle_up, uint, delta)
MOVE(half, ushort, sub_group_shuffle_down, uint, delta)
MOVE(half, ushort, sub_group_rotate, int, delta)
DECLARE(ushort, sub_group_clustered_rotate, ushort, int, uint)
half BUILTIN sub_group_clustered_rotate(half value, int delta, uint clustersize) {
  return as_half(sub_group_clustered_rotate(as_ushort(value), delta, clustersize));
}

// cl_intel_subgroups, which has these for a scalar.
MOVE(half, ushort, intel_sub_group_shuffle, uint, lane)
MOVE(half, ushort, intel_sub_group_shuffle_xor, uint, mask)
#define SHUFFLE_OF_TWO(name)                                 \
  DECLARE(ushort, name, ushort, ushort, uint)                \
  half BUILTIN name(half a, half b, uint delta) {            \
    return as_half(name(as_ushort(a), as_ushort(b), delta)); \
  }
SHUFFLE_OF_TWO(intel_sub_group_shuffle_up)
SHUFFLE_OF_TWO(intel_sub_group_shuffle_down)
