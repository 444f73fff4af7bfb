// SPDX-License-Identifier: Apache-2.0
// Included ahead of every kernel source. clang declares the built-in functions of each OpenCL C version; sub-groups it
// declares from 2.0 on only. Heddle has them in every version, as cl_khr_subgroups.
#if __OPENCL_C_VERSION__ < 200 && !defined(__OPENCL_CPP_VERSION__)
#define cl_khr_subgroups 1
// clang would say that it does not know the extension in these versions.
#pragma clang diagnostic ignored "-Wignored-pragmas"
#define HEDDLE_DECLARE(type, name, ...) type __attribute__((overloadable, convergent)) name(__VA_ARGS__);
HEDDLE_DECLARE(uint, get_sub_group_size, void)
HEDDLE_DECLARE(uint, get_max_sub_group_size, void)
HEDDLE_DECLARE(uint, get_num_sub_groups, void)
HEDDLE_DECLARE(uint, get_enqueued_num_sub_groups, void)
HEDDLE_DECLARE(uint, get_sub_group_id, void)
HEDDLE_DECLARE(uint, get_sub_group_local_id, void)
HEDDLE_DECLARE(void, sub_group_barrier, cl_mem_fence_flags)
HEDDLE_DECLARE(int, sub_group_all, int)
HEDDLE_DECLARE(int, sub_group_any, int)
HEDDLE_DECLARE(int, sub_group_broadcast, int, uint)
HEDDLE_DECLARE(uint, sub_group_broadcast, uint, uint)
#define HEDDLE_DECLARE_OPERATION(operation)                        \
  HEDDLE_DECLARE(int, sub_group_reduce_##operation, int)           \
  HEDDLE_DECLARE(uint, sub_group_reduce_##operation, uint)         \
  HEDDLE_DECLARE(int, sub_group_scan_inclusive_##operation, int)   \
  HEDDLE_DECLARE(uint, sub_group_scan_inclusive_##operation, uint) \
  HEDDLE_DECLARE(int, sub_group_scan_exclusive_##operation, int)   \
  HEDDLE_DECLARE(uint, sub_group_scan_exclusive_##operation, uint)
HEDDLE_DECLARE_OPERATION(add)
HEDDLE_DECLARE_OPERATION(min)
HEDDLE_DECLARE_OPERATION(max)
#undef HEDDLE_DECLARE_OPERATION
#undef HEDDLE_DECLARE
#endif
