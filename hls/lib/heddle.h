// SPDX-License-Identifier: Apache-2.0
// Included ahead of every kernel source. clang declares the built-in functions of each OpenCL C version; sub-groups it
// declares from 2.0 on only, and those of Intel's extensions never. Heddle has them in every version. clang knows the
// names of not all extensions of sub-groups, so a kernel that enables one shall hear nothing of that.
#pragma clang diagnostic ignored "-Wignored-pragmas"
#define HEDDLE_DECLARE(type, name, ...) type __attribute__((overloadable, convergent)) name(__VA_ARGS__);
#define HEDDLE_DECLARE_FOLD(group, type, operation)              \
  HEDDLE_DECLARE(type, group##_reduce_##operation, type)         \
  HEDDLE_DECLARE(type, group##_scan_inclusive_##operation, type) \
  HEDDLE_DECLARE(type, group##_scan_exclusive_##operation, type)
#define HEDDLE_DECLARE_FOLDS(group, type) \
  HEDDLE_DECLARE_FOLD(group, type, add)   \
  HEDDLE_DECLARE_FOLD(group, type, min)   \
  HEDDLE_DECLARE_FOLD(group, type, max)

#if __OPENCL_C_VERSION__ < 200 && !defined(__OPENCL_CPP_VERSION__)
HEDDLE_DECLARE(uint, get_sub_group_size, void)
HEDDLE_DECLARE(uint, get_max_sub_group_size, void)
HEDDLE_DECLARE(uint, get_num_sub_groups, void)
HEDDLE_DECLARE(uint, get_enqueued_num_sub_groups, void)
HEDDLE_DECLARE(uint, get_sub_group_id, void)
HEDDLE_DECLARE(uint, get_sub_group_local_id, void)
HEDDLE_DECLARE(void, sub_group_barrier, cl_mem_fence_flags)
HEDDLE_DECLARE(int, sub_group_all, int)
HEDDLE_DECLARE(int, sub_group_any, int)

#define HEDDLE_DECLARE_TYPE(type)                             \
  HEDDLE_DECLARE_FOLDS(sub_group, type)                       \
  HEDDLE_DECLARE(type, sub_group_broadcast, type, uint)       \
  HEDDLE_DECLARE(type##2, sub_group_broadcast, type##2, uint) \
  HEDDLE_DECLARE(type##3, sub_group_broadcast, type##3, uint) \
  HEDDLE_DECLARE(type##4, sub_group_broadcast, type##4, uint) \
  HEDDLE_DECLARE(type##8, sub_group_broadcast, type##8, uint) \
  HEDDLE_DECLARE(type##16, sub_group_broadcast, type##16, uint)
HEDDLE_DECLARE_TYPE(char)
HEDDLE_DECLARE_TYPE(uchar)
HEDDLE_DECLARE_TYPE(short)
HEDDLE_DECLARE_TYPE(ushort)
HEDDLE_DECLARE_TYPE(int)
HEDDLE_DECLARE_TYPE(uint)
HEDDLE_DECLARE_TYPE(long)
HEDDLE_DECLARE_TYPE(ulong)
HEDDLE_DECLARE_TYPE(float)
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
HEDDLE_DECLARE_TYPE(half)
#pragma OPENCL EXTENSION cl_khr_fp16 : disable
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
HEDDLE_DECLARE_TYPE(double)
#pragma OPENCL EXTENSION cl_khr_fp64 : disable
#endif
#undef HEDDLE_DECLARE_TYPE
#endif

// cl_intel_subgroups and cl_intel_subgroups_short.
#define HEDDLE_DECLARE_SHUFFLES(type)                                  \
  HEDDLE_DECLARE(type, intel_sub_group_shuffle, type, uint)            \
  HEDDLE_DECLARE(type, intel_sub_group_shuffle_down, type, type, uint) \
  HEDDLE_DECLARE(type, intel_sub_group_shuffle_up, type, type, uint)   \
  HEDDLE_DECLARE(type, intel_sub_group_shuffle_xor, type, uint)
#define HEDDLE_DECLARE_TYPE(type)  \
  HEDDLE_DECLARE_SHUFFLES(type)    \
  HEDDLE_DECLARE_SHUFFLES(type##2) \
  HEDDLE_DECLARE_SHUFFLES(type##3) \
  HEDDLE_DECLARE_SHUFFLES(type##4) \
  HEDDLE_DECLARE_SHUFFLES(type##8) \
  HEDDLE_DECLARE_SHUFFLES(type##16)
HEDDLE_DECLARE_TYPE(int)
HEDDLE_DECLARE_TYPE(uint)
HEDDLE_DECLARE_TYPE(float)
HEDDLE_DECLARE_TYPE(short)
HEDDLE_DECLARE_TYPE(ushort)
HEDDLE_DECLARE_SHUFFLES(long)
HEDDLE_DECLARE_SHUFFLES(ulong)
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
HEDDLE_DECLARE_SHUFFLES(half)
#pragma OPENCL EXTENSION cl_khr_fp16 : disable
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
HEDDLE_DECLARE_SHUFFLES(double)
#pragma OPENCL EXTENSION cl_khr_fp64 : disable
#endif
#undef HEDDLE_DECLARE_SHUFFLES
#undef HEDDLE_DECLARE_TYPE

#if __OPENCL_C_VERSION__ >= 200 || defined(__OPENCL_CPP_VERSION__)
#define HEDDLE_DECLARE_IMAGE_BLOCK(name, type, n)                                            \
  HEDDLE_DECLARE(type##n, intel_sub_group_block_read##name##n, __read_write image2d_t, int2) \
  HEDDLE_DECLARE(void, intel_sub_group_block_write##name##n, __read_write image2d_t, int2, type##n)
#else
#define HEDDLE_DECLARE_IMAGE_BLOCK(name, type, n)
#endif
#define HEDDLE_DECLARE_BLOCK(name, type, n)                                                         \
  HEDDLE_DECLARE(type##n, intel_sub_group_block_read##name##n, const __global type *)               \
  HEDDLE_DECLARE(void, intel_sub_group_block_write##name##n, __global type *, type##n)              \
  HEDDLE_DECLARE(type##n, intel_sub_group_block_read##name##n, __read_only image2d_t, int2)         \
  HEDDLE_DECLARE(void, intel_sub_group_block_write##name##n, __write_only image2d_t, int2, type##n) \
  HEDDLE_DECLARE_IMAGE_BLOCK(name, type, n)
#define HEDDLE_DECLARE_BLOCKS(name, type) \
  HEDDLE_DECLARE_BLOCK(name, type, )      \
  HEDDLE_DECLARE_BLOCK(name, type, 2)     \
  HEDDLE_DECLARE_BLOCK(name, type, 4)     \
  HEDDLE_DECLARE_BLOCK(name, type, 8)
HEDDLE_DECLARE_BLOCKS(, uint)
HEDDLE_DECLARE_BLOCKS(_ui, uint)
HEDDLE_DECLARE_BLOCKS(_us, ushort)
HEDDLE_DECLARE_BLOCK(_us, ushort, 16)
#undef HEDDLE_DECLARE_IMAGE_BLOCK
#undef HEDDLE_DECLARE_BLOCK
#undef HEDDLE_DECLARE_BLOCKS

#define HEDDLE_DECLARE_BROADCAST(type) HEDDLE_DECLARE(type, intel_sub_group_broadcast, type, uint)
#define HEDDLE_DECLARE_TYPE(type)             \
  HEDDLE_DECLARE_FOLDS(intel_sub_group, type) \
  HEDDLE_DECLARE_BROADCAST(type)              \
  HEDDLE_DECLARE_BROADCAST(type##2)           \
  HEDDLE_DECLARE_BROADCAST(type##3)           \
  HEDDLE_DECLARE_BROADCAST(type##4)           \
  HEDDLE_DECLARE_BROADCAST(type##8)           \
  HEDDLE_DECLARE_BROADCAST(type##16)
HEDDLE_DECLARE_TYPE(short)
HEDDLE_DECLARE_TYPE(ushort)
#undef HEDDLE_DECLARE_BROADCAST
#undef HEDDLE_DECLARE_FOLD
#undef HEDDLE_DECLARE_FOLDS
#undef HEDDLE_DECLARE_TYPE

// cl_khr_extended_async_copies.
#define HEDDLE_DECLARE_BOXES(to, from)                                                                              \
  HEDDLE_DECLARE(event_t, async_work_group_copy_2D2D, to void *, size_t, const from void *, size_t, size_t, size_t, \
                 size_t, size_t, size_t, event_t)                                                                   \
  HEDDLE_DECLARE(event_t, async_work_group_copy_3D3D, to void *, size_t, const from void *, size_t, size_t, size_t, \
                 size_t, size_t, size_t, size_t, size_t, size_t, event_t)
HEDDLE_DECLARE_BOXES(__local, __global)
HEDDLE_DECLARE_BOXES(__global, __local)
#undef HEDDLE_DECLARE_BOXES

// clang's own dies of it: it makes a number an event.
#ifdef CLK_NULL_EVENT
#ifdef __opencl_c_device_enqueue
HEDDLE_DECLARE(clk_event_t, __heddle_null_event, void)
#undef CLK_NULL_EVENT
#define CLK_NULL_EVENT __heddle_null_event()
#endif
#endif

// clang's take arrays in private memory only. Constant memory is no part of the generic address space; where both fit,
// as for NULL, the generic one is meant.
#ifdef __opencl_c_device_enqueue
#define HEDDLE_G const __generic size_t *
#define HEDDLE_C __constant const size_t *
#define HEDDLE_PREFERRED __attribute__((enable_if(1, "")))
#define HEDDLE_DECLARE_RANGES(name)                                                                               \
  HEDDLE_PREFERRED HEDDLE_DECLARE(ndrange_t, name, HEDDLE_G) HEDDLE_DECLARE(ndrange_t, name, HEDDLE_C)            \
      HEDDLE_PREFERRED HEDDLE_DECLARE(ndrange_t, name, HEDDLE_G, HEDDLE_G)                                        \
          HEDDLE_DECLARE(ndrange_t, name, HEDDLE_G, HEDDLE_C) HEDDLE_DECLARE(ndrange_t, name, HEDDLE_C, HEDDLE_G) \
              HEDDLE_DECLARE(ndrange_t, name, HEDDLE_C, HEDDLE_C)                                                 \
                  HEDDLE_PREFERRED HEDDLE_DECLARE(ndrange_t, name, HEDDLE_G, HEDDLE_G, HEDDLE_G)                  \
                      HEDDLE_DECLARE(ndrange_t, name, HEDDLE_G, HEDDLE_G, HEDDLE_C)                               \
                          HEDDLE_DECLARE(ndrange_t, name, HEDDLE_G, HEDDLE_C, HEDDLE_G)                           \
                              HEDDLE_DECLARE(ndrange_t, name, HEDDLE_G, HEDDLE_C, HEDDLE_C)                       \
                                  HEDDLE_DECLARE(ndrange_t, name, HEDDLE_C, HEDDLE_G, HEDDLE_G)                   \
                                      HEDDLE_DECLARE(ndrange_t, name, HEDDLE_C, HEDDLE_G, HEDDLE_C)               \
                                          HEDDLE_DECLARE(ndrange_t, name, HEDDLE_C, HEDDLE_C, HEDDLE_G)           \
                                              HEDDLE_DECLARE(ndrange_t, name, HEDDLE_C, HEDDLE_C, HEDDLE_C)
HEDDLE_DECLARE_RANGES(ndrange_2D)
HEDDLE_DECLARE_RANGES(ndrange_3D)
#undef HEDDLE_DECLARE_RANGES
#undef HEDDLE_PREFERRED
#undef HEDDLE_G
#undef HEDDLE_C
#endif
#undef HEDDLE_DECLARE

// clang's is a constant expression of a type that has none, which LLVM does not take.
#if defined(__opencl_c_pipes) || __OPENCL_C_VERSION__ == 200  // where clang knows reserve_id_t
#undef CLK_NULL_RESERVE_ID
#define CLK_NULL_RESERVE_ID __heddle_null_reserve_id()
reserve_id_t __attribute__((const)) __heddle_null_reserve_id(void);
#endif

// Of Intel's SDK for FPGAs: a register in a wire, which pipelines have where they need one.
#define __fpga_reg(value) (value)
// The same: how a load or store is to be made. Pipelines choose by the addresses that they see.
#define __prefetching_load(pointer) (*(pointer))
#define __pipelined_load(pointer) (*(pointer))
#define __burst_coalesced_load(pointer) (*(pointer))
#define __burst_coalesced_cached_load(pointer, bytes) (*(pointer))
#define __pipelined_store(pointer, value) ((void)(*(pointer) = (value)))
#define __burst_coalesced_store(pointer, value) ((void)(*(pointer) = (value)))
