// SPDX-License-Identifier: Apache-2.0
// memory_order, memory_scope and fence spaces: SYCL 2020, section 3.8.3. The device keeps memory in order for
// everybody, so orders and scopes only hold the compiler.
#ifndef HEDDLE_SYCL_MEMORY_SCOPE_HPP
#define HEDDLE_SYCL_MEMORY_SCOPE_HPP

#include "detail/device_functions.hpp"

namespace sycl {

enum class memory_order : int { relaxed, acquire, release, acq_rel, seq_cst };
inline constexpr auto memory_order_relaxed = memory_order::relaxed;
inline constexpr auto memory_order_acquire = memory_order::acquire;
inline constexpr auto memory_order_release = memory_order::release;
inline constexpr auto memory_order_acq_rel = memory_order::acq_rel;
inline constexpr auto memory_order_seq_cst = memory_order::seq_cst;

enum class memory_scope : int { work_item, sub_group, work_group, device, system };
inline constexpr auto memory_scope_work_item = memory_scope::work_item;
inline constexpr auto memory_scope_sub_group = memory_scope::sub_group;
inline constexpr auto memory_scope_work_group = memory_scope::work_group;
inline constexpr auto memory_scope_device = memory_scope::device;
inline constexpr auto memory_scope_system = memory_scope::system;

enum class access_mode { read, write, read_write, discard_write, discard_read_write, atomic };

namespace access {
enum class fence_space : char { local_space, global_space, global_and_local };
enum class address_space : int { global_space, local_space, constant_space, private_space, generic_space };
enum class decorated : int { no, yes, legacy };
}  // namespace access

inline void atomic_fence(memory_order, memory_scope) {
  HEDDLE_ON_DEVICE(__asm__ volatile("" :: : "memory"));
}

}  // namespace sycl

#endif
