// SPDX-License-Identifier: Apache-2.0
// What may be asked of devices, kernels and events: SYCL 2020, section 4.6 and 4.11.13, and SYCL_INTEL_sub_group.
#ifndef HEDDLE_SYCL_INFO_HPP
#define HEDDLE_SYCL_INFO_HPP

#include <string>
#include <vector>

#include "range.hpp"

namespace sycl {

class context;
class device;
class platform;

enum class aspect {
  cpu,
  gpu,
  accelerator,
  custom,
  emulated,
  host_debuggable,
  fp16,
  fp64,
  atomic64,
  image,
  online_compiler,
  online_linker,
  queue_profiling,
  usm_device_allocations,
  usm_host_allocations,
  usm_atomic_host_allocations,
  usm_shared_allocations,
  usm_atomic_shared_allocations,
  usm_system_allocations
};

namespace info {

// Each is a type with the type of the answer.
#define HEDDLE_INFO(name, type) \
  struct name {                 \
    using return_type = type;   \
  };

enum class device_type { cpu, gpu, accelerator, custom, automatic, host, all };
enum class local_mem_type { none, local, global };
enum class event_command_status { submitted, running, complete };

namespace platform {
HEDDLE_INFO(name, std::string)
HEDDLE_INFO(vendor, std::string)
HEDDLE_INFO(version, std::string)
HEDDLE_INFO(profile, std::string)
}  // namespace platform

namespace device {
HEDDLE_INFO(device_type, info::device_type)
HEDDLE_INFO(name, std::string)
HEDDLE_INFO(vendor, std::string)
HEDDLE_INFO(vendor_id, std::uint32_t)
HEDDLE_INFO(version, std::string)
HEDDLE_INFO(driver_version, std::string)
HEDDLE_INFO(platform, sycl::platform)
HEDDLE_INFO(aspects, std::vector<aspect>)
HEDDLE_INFO(max_compute_units, std::uint32_t)
HEDDLE_INFO(max_work_item_dimensions, std::uint32_t)
HEDDLE_INFO(max_work_group_size, std::size_t)
HEDDLE_INFO(max_clock_frequency, std::uint32_t)
HEDDLE_INFO(address_bits, std::uint32_t)
HEDDLE_INFO(global_mem_size, std::uint64_t)
HEDDLE_INFO(local_mem_size, std::uint64_t)
HEDDLE_INFO(max_mem_alloc_size, std::uint64_t)
HEDDLE_INFO(max_parameter_size, std::size_t)
HEDDLE_INFO(local_mem_type, info::local_mem_type)
HEDDLE_INFO(profiling_timer_resolution, std::size_t)
// Of SYCL_INTEL_sub_group; max_num_sub_groups, …forward_progress and …sizes are SYCL 2020's too.
HEDDLE_INFO(max_num_sub_groups, std::uint32_t)
HEDDLE_INFO(sub_group_independent_forward_progress, bool)
HEDDLE_INFO(primary_sub_group_size, std::size_t)
HEDDLE_INFO(sub_group_sizes, std::vector<std::size_t>)
template <int D = 3>
struct max_work_item_sizes {
  using return_type = range<D>;
};
}  // namespace device

namespace context {
HEDDLE_INFO(platform, sycl::platform)
HEDDLE_INFO(devices, std::vector<sycl::device>)
}  // namespace context

namespace queue {
HEDDLE_INFO(context, sycl::context)
HEDDLE_INFO(device, sycl::device)
}  // namespace queue

namespace kernel {
HEDDLE_INFO(function_name, std::string)
HEDDLE_INFO(num_args, std::uint32_t)
HEDDLE_INFO(attributes, std::string)
}  // namespace kernel

// As SYCL_INTEL_sub_group has it: an enumeration, with the types of a query in param_traits. get_info<…>() of SYCL
// 2020, where these are types, is written the same.
enum class kernel_device_specific : int {
  global_work_size,
  work_group_size,
  compile_work_group_size,
  preferred_work_group_size_multiple,
  private_mem_size,
  max_num_sub_groups,
  compile_num_sub_groups,
  max_sub_group_size,
  compile_sub_group_size
};

template <typename T, T Param>
struct param_traits;
#define HEDDLE_TRAITS(name, type)                                             \
  template <>                                                                 \
  struct param_traits<kernel_device_specific, kernel_device_specific::name> { \
    using return_type = type;                                                 \
  };
HEDDLE_TRAITS(global_work_size, range<3>)
HEDDLE_TRAITS(work_group_size, std::size_t)
HEDDLE_TRAITS(compile_work_group_size, range<3>)
HEDDLE_TRAITS(preferred_work_group_size_multiple, std::size_t)
HEDDLE_TRAITS(private_mem_size, std::size_t)
HEDDLE_TRAITS(max_num_sub_groups, std::uint32_t)
HEDDLE_TRAITS(compile_num_sub_groups, std::uint32_t)
HEDDLE_TRAITS(compile_sub_group_size, std::uint32_t)
#undef HEDDLE_TRAITS
// The extension's input is a range<D>: of three dimensions here, to which those of fewer convert where it is asked.
template <>
struct param_traits<kernel_device_specific, kernel_device_specific::max_sub_group_size> {
  using return_type = std::uint32_t;
  using input_type = range<3>;
};

namespace event {
HEDDLE_INFO(command_execution_status, info::event_command_status)
}  // namespace event

namespace event_profiling {
HEDDLE_INFO(command_submit, std::uint64_t)
HEDDLE_INFO(command_start, std::uint64_t)
HEDDLE_INFO(command_end, std::uint64_t)
}  // namespace event_profiling

#undef HEDDLE_INFO

}  // namespace info
}  // namespace sycl

#endif
