// SPDX-License-Identifier: Apache-2.0
// Included ahead of every kernel source. clang declares the built-in functions of each OpenCL C version; sub-groups it
// declares from 2.0 on only. Heddle has them in every version, as cl_khr_subgroups. It knows the names of not all their
// extensions, so a kernel that enables one shall hear nothing of that.
#pragma clang diagnostic ignored "-Wignored-pragmas"
#if __OPENCL_C_VERSION__ < 200 && !defined(__OPENCL_CPP_VERSION__)
#define cl_khr_subgroups 1
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

#define HEDDLE_DECLARE_FOLDS(type, operation)                      \
  HEDDLE_DECLARE(type, sub_group_reduce_##operation, type)         \
  HEDDLE_DECLARE(type, sub_group_scan_inclusive_##operation, type) \
  HEDDLE_DECLARE(type, sub_group_scan_exclusive_##operation, type)
#define HEDDLE_DECLARE_TYPE(type)                             \
  HEDDLE_DECLARE_FOLDS(type, add)                             \
  HEDDLE_DECLARE_FOLDS(type, min)                             \
  HEDDLE_DECLARE_FOLDS(type, max)                             \
  HEDDLE_DECLARE(type, sub_group_broadcast, type, uint)       \
  HEDDLE_DECLARE(type##2, sub_group_broadcast, type##2, uint) \
  HEDDLE_DECLARE(type##3, sub_group_broadcast, type##3, uint) \
  HEDDLE_DECLARE(type##4, sub_group_broadcast, type##4, uint) \
  HEDDLE_DECLARE(type##8, sub_group_broadcast, type##8, uint) \
  HEDDLE_DECLARE(type##16, sub_group_broadcast, type##16, uint)
#define cl_khr_subgroup_extended_types 1
HEDDLE_DECLARE_TYPE(char)
HEDDLE_DECLARE_TYPE(uchar)
HEDDLE_DECLARE_TYPE(short)
HEDDLE_DECLARE_TYPE(ushort)
HEDDLE_DECLARE_TYPE(int)
HEDDLE_DECLARE_TYPE(uint)
HEDDLE_DECLARE_TYPE(long)
HEDDLE_DECLARE_TYPE(ulong)
HEDDLE_DECLARE_TYPE(float)
#undef HEDDLE_DECLARE_FOLDS
#undef HEDDLE_DECLARE_TYPE
#undef HEDDLE_DECLARE
#endif
