// SPDX-License-Identifier: Apache-2.0
// The OpenCL C built-in functions that kernels are made of (hls/lib), declared for the device pass. heddle-sycl++ knows
// them by the prefix of their names and takes it away, so that no function of a user is taken for one.
#ifndef HEDDLE_SYCL_DETAIL_DEVICE_FUNCTIONS_HPP
#define HEDDLE_SYCL_DETAIL_DEVICE_FUNCTIONS_HPP

#include "leaves.hpp"

#ifdef __SYCL_DEVICE_ONLY__
#define HEDDLE_BUILTIN(type, name, mangled, ...) type name(__VA_ARGS__) __asm__("__heddle_builtin" mangled);
#define HEDDLE_CONVERGENT(type, name, mangled, ...) \
  [[clang::convergent]] type name(__VA_ARGS__) __asm__("__heddle_builtin" mangled);

namespace sycl::detail::device {

HEDDLE_BUILTIN(std::uint32_t, get_global_id, "_Z13get_global_idj", std::uint32_t)
HEDDLE_BUILTIN(std::uint32_t, get_local_id, "_Z12get_local_idj", std::uint32_t)
HEDDLE_BUILTIN(std::uint32_t, get_group_id, "_Z12get_group_idj", std::uint32_t)
HEDDLE_BUILTIN(std::uint32_t, get_global_size, "_Z15get_global_sizej", std::uint32_t)
HEDDLE_BUILTIN(std::uint32_t, get_global_offset, "_Z17get_global_offsetj", std::uint32_t)
HEDDLE_BUILTIN(std::uint32_t, get_local_size, "_Z14get_local_sizej", std::uint32_t)
HEDDLE_BUILTIN(std::uint32_t, get_enqueued_local_size, "_Z23get_enqueued_local_sizej", std::uint32_t)
HEDDLE_BUILTIN(std::uint32_t, get_num_groups, "_Z14get_num_groupsj", std::uint32_t)
HEDDLE_BUILTIN(std::uint32_t, get_sub_group_size, "_Z18get_sub_group_sizev", void)
HEDDLE_BUILTIN(std::uint32_t, get_max_sub_group_size, "_Z22get_max_sub_group_sizev", void)
HEDDLE_BUILTIN(std::uint32_t, get_num_sub_groups, "_Z18get_num_sub_groupsv", void)
HEDDLE_BUILTIN(std::uint32_t, get_enqueued_num_sub_groups, "_Z27get_enqueued_num_sub_groupsv", void)
HEDDLE_BUILTIN(std::uint32_t, get_sub_group_id, "_Z16get_sub_group_idv", void)
HEDDLE_BUILTIN(std::uint32_t, get_sub_group_local_id, "_Z22get_sub_group_local_idv", void)

// Made by the device link: a variable in local memory.
char HEDDLE_LOCAL *local_memory(std::uint32_t bytes, std::uint32_t alignment) __asm__("__heddle_builtin_local_memory");

// Marks for the device link (hls/sycl/group_scope.c): where the code of a hierarchical kernel's work-group begins and
// ends, which one work-item runs; the functions of that code that all work-items run (is_users: of
// parallel_for_work_item; else of these headers); memory that each work-item has at one address.
void group_scope_begin(std::uint32_t is_leader) __asm__("__heddle_builtin_group_scope_begin");
void group_scope_end() __asm__("__heddle_builtin_group_scope_end");
void work_items(std::uint32_t is_users) __asm__("__heddle_builtin_work_items");
void *private_memory(std::uint32_t bytes, std::uint32_t alignment) __asm__("__heddle_builtin_private_memory");

// Marks for the device link (hls/sycl/pipes.c): a packet is read or written; 0, or there is none or no room. The pipe
// is the address of a variable.
int pipe_read(const char HEDDLE_GLOBAL *pipe, void *packet, std::uint32_t bytes, std::uint32_t alignment,
              std::uint32_t capacity) __asm__("__heddle_builtin_pipe_read");
int pipe_write(const char HEDDLE_GLOBAL *pipe, const void *packet, std::uint32_t bytes, std::uint32_t alignment,
               std::uint32_t capacity) __asm__("__heddle_builtin_pipe_write");

// A mark for the device link: an argument of the kernel, and the kind of image that it is.
void image_argument(image_pointer, std::uint32_t kind) __asm__("__heddle_builtin_image_argument");

HEDDLE_CONVERGENT(void, barrier, "_Z7barrierj", std::uint32_t)
HEDDLE_CONVERGENT(void, sub_group_barrier, "_Z17sub_group_barrierj", std::uint32_t)
HEDDLE_BUILTIN(void, mem_fence, "_Z9mem_fencej", std::uint32_t)

HEDDLE_CONVERGENT(std::uint32_t, sub_group_shuffle, "_Z17sub_group_shufflejj", std::uint32_t, std::uint32_t)
HEDDLE_CONVERGENT(std::uint32_t, sub_group_broadcast, "_Z19sub_group_broadcastjj", std::uint32_t, std::uint32_t)
HEDDLE_CONVERGENT(std::uint32_t, work_group_broadcast, "_Z20work_group_broadcastjj", std::uint32_t, std::uint32_t)
HEDDLE_CONVERGENT(int, sub_group_all, "_Z13sub_group_alli", int)
HEDDLE_CONVERGENT(int, sub_group_any, "_Z13sub_group_anyi", int)
HEDDLE_CONVERGENT(int, work_group_all, "_Z14work_group_alli", int)
HEDDLE_CONVERGENT(int, work_group_any, "_Z14work_group_anyi", int)

// Reduction and scans of one operation and type; `letter` is the type's in mangled names, which have the lengths of the
// functions' names, too.
#define HEDDLE_GROUP_FOLD(group, type, letter, operation, reduce_length, scan_length)                                \
  HEDDLE_CONVERGENT(type, group##_reduce_##operation, "_Z" #reduce_length #group "_reduce_" #operation letter, type) \
  HEDDLE_CONVERGENT(type, group##_scan_inclusive_##operation,                                                        \
                    "_Z" #scan_length #group "_scan_inclusive_" #operation letter, type)                             \
  HEDDLE_CONVERGENT(type, group##_scan_exclusive_##operation,                                                        \
                    "_Z" #scan_length #group "_scan_exclusive_" #operation letter, type)
#define HEDDLE_FOLD(type, letter, operation)                    \
  HEDDLE_GROUP_FOLD(sub_group, type, letter, operation, 20, 28) \
  HEDDLE_GROUP_FOLD(work_group, type, letter, operation, 21, 29)
#define HEDDLE_ARITHMETIC_FOLDS(type, letter) \
  HEDDLE_FOLD(type, letter, add) HEDDLE_FOLD(type, letter, min) HEDDLE_FOLD(type, letter, max)
#define HEDDLE_FOLDS(type, letter)      \
  HEDDLE_ARITHMETIC_FOLDS(type, letter) \
  HEDDLE_FOLD(type, letter, and)        \
  HEDDLE_FOLD(type, letter, xor)        \
  HEDDLE_GROUP_FOLD(sub_group, type, letter, or, 19, 27) HEDDLE_GROUP_FOLD(work_group, type, letter, or, 20, 28)
HEDDLE_FOLDS(int, "i")
HEDDLE_FOLDS(unsigned, "j")
HEDDLE_FOLDS(long, "l")
HEDDLE_FOLDS(unsigned long, "m")
HEDDLE_ARITHMETIC_FOLDS(float, "f")
HEDDLE_ARITHMETIC_FOLDS(_Float16, "Dh")
HEDDLE_ARITHMETIC_FOLDS(double, "d")
#undef HEDDLE_GROUP_FOLD
#undef HEDDLE_FOLD
#undef HEDDLE_ARITHMETIC_FOLDS
#undef HEDDLE_FOLDS

}  // namespace sycl::detail::device
#undef HEDDLE_BUILTIN
#undef HEDDLE_CONVERGENT
#endif

#endif
