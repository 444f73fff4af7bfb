// SPDX-License-Identifier: Apache-2.0
// What may be asked of devices, kernels and events: SYCL 2020, section 4.6 and 4.11.13, and SYCL_INTEL_sub_group.
#ifndef HEDDLE_SYCL_INFO_HPP
#define HEDDLE_SYCL_INFO_HPP

#include <string>
#include <vector>

#include "memory_scope.hpp"
#include "range.hpp"

namespace sycl {

class context;
class device;
class kernel_id;
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
// What is known of an aspect when a program is compiled: whether some device may have it, and whether all do.
template <aspect Aspect>
struct all_devices_have
    : std::bool_constant<Aspect == aspect::fp16 || Aspect == aspect::fp64 || Aspect == aspect::queue_profiling ||
                         Aspect == aspect::usm_device_allocations || Aspect == aspect::usm_shared_allocations ||
                         Aspect == aspect::usm_host_allocations> {};
template <aspect Aspect>
struct any_device_has
    : std::bool_constant<all_devices_have<Aspect>::value || Aspect == aspect::accelerator || Aspect == aspect::gpu ||
                         Aspect == aspect::image || Aspect == aspect::emulated> {};
template <aspect Aspect>
inline constexpr bool all_devices_have_v = all_devices_have<Aspect>::value;
template <aspect Aspect>
inline constexpr bool any_device_has_v = any_device_has<Aspect>::value;

namespace info {

// Each is a type with the type of the answer.
#define HEDDLE_INFO(name, type) \
  struct name {                 \
    using return_type = type;   \
  };

enum class device_type { cpu, gpu, accelerator, custom, automatic, host, all };
enum class local_mem_type { none, local, global };
enum class global_mem_cache_type { none, read_only, read_write };
enum class fp_config {
  denorm,
  inf_nan,
  round_to_nearest,
  round_to_zero,
  round_to_inf,
  fma,
  correctly_rounded_divide_sqrt,
  soft_float
};
enum class execution_capability { exec_kernel, exec_native_kernel };
enum class partition_property { no_partition, partition_equally, partition_by_counts, partition_by_affinity_domain };
enum class partition_affinity_domain {
  not_applicable,
  numa,
  L4_cache,
  L3_cache,
  L2_cache,
  L1_cache,
  next_partitionable
};
enum class event_command_status { submitted, running, complete };

namespace platform {
HEDDLE_INFO(name, std::string)
HEDDLE_INFO(vendor, std::string)
HEDDLE_INFO(version, std::string)
HEDDLE_INFO(profile, std::string)
HEDDLE_INFO(extensions, std::vector<std::string>)
}  // namespace platform

namespace device {
HEDDLE_INFO(device_type, info::device_type)
HEDDLE_INFO(name, std::string)
HEDDLE_INFO(vendor, std::string)
HEDDLE_INFO(vendor_id, std::uint32_t)
HEDDLE_INFO(version, std::string)
HEDDLE_INFO(opencl_c_version, std::string)
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
HEDDLE_INFO(profile, std::string)
HEDDLE_INFO(extensions, std::vector<std::string>)
HEDDLE_INFO(is_available, bool)
HEDDLE_INFO(is_compiler_available, bool)
HEDDLE_INFO(is_linker_available, bool)
HEDDLE_INFO(is_endian_little, bool)
HEDDLE_INFO(image_support, bool)
HEDDLE_INFO(error_correction_support, bool)
HEDDLE_INFO(host_unified_memory, bool)
HEDDLE_INFO(queue_profiling, bool)
HEDDLE_INFO(preferred_interop_user_sync, bool)
HEDDLE_INFO(mem_base_addr_align, std::uint32_t)
HEDDLE_INFO(global_mem_cache_line_size, std::uint32_t)
HEDDLE_INFO(global_mem_cache_size, std::uint64_t)
HEDDLE_INFO(global_mem_cache_type, info::global_mem_cache_type)
HEDDLE_INFO(max_constant_buffer_size, std::uint64_t)
HEDDLE_INFO(max_constant_args, std::uint32_t)
HEDDLE_INFO(max_samplers, std::uint32_t)
HEDDLE_INFO(max_read_image_args, std::uint32_t)
HEDDLE_INFO(max_write_image_args, std::uint32_t)
HEDDLE_INFO(max_read_write_image_args, std::uint32_t)
HEDDLE_INFO(image2d_max_width, std::size_t)
HEDDLE_INFO(image2d_max_height, std::size_t)
HEDDLE_INFO(image3d_max_width, std::size_t)
HEDDLE_INFO(image3d_max_height, std::size_t)
HEDDLE_INFO(image3d_max_depth, std::size_t)
HEDDLE_INFO(image_max_buffer_size, std::size_t)
HEDDLE_INFO(image_max_array_size, std::size_t)
HEDDLE_INFO(printf_buffer_size, std::size_t)
HEDDLE_INFO(reference_count, std::uint32_t)
HEDDLE_INFO(parent_device, sycl::device)
HEDDLE_INFO(partition_max_sub_devices, std::uint32_t)
HEDDLE_INFO(partition_properties, std::vector<info::partition_property>)
HEDDLE_INFO(partition_affinity_domains, std::vector<info::partition_affinity_domain>)
HEDDLE_INFO(partition_type_property, info::partition_property)
HEDDLE_INFO(partition_type_affinity_domain, info::partition_affinity_domain)
HEDDLE_INFO(built_in_kernels, std::vector<std::string>)
HEDDLE_INFO(built_in_kernel_ids, std::vector<kernel_id>)
HEDDLE_INFO(execution_capabilities, std::vector<info::execution_capability>)
HEDDLE_INFO(half_fp_config, std::vector<info::fp_config>)
HEDDLE_INFO(single_fp_config, std::vector<info::fp_config>)
HEDDLE_INFO(double_fp_config, std::vector<info::fp_config>)
HEDDLE_INFO(atomic_memory_order_capabilities, std::vector<memory_order>)
HEDDLE_INFO(atomic_fence_order_capabilities, std::vector<memory_order>)
HEDDLE_INFO(atomic_memory_scope_capabilities, std::vector<memory_scope>)
HEDDLE_INFO(atomic_fence_scope_capabilities, std::vector<memory_scope>)
HEDDLE_INFO(usm_device_allocations, bool)
HEDDLE_INFO(usm_host_allocations, bool)
HEDDLE_INFO(usm_shared_allocations, bool)
HEDDLE_INFO(usm_system_allocations, bool)
HEDDLE_INFO(backend_version, std::string)
HEDDLE_INFO(preferred_vector_width_char, std::uint32_t)
HEDDLE_INFO(preferred_vector_width_short, std::uint32_t)
HEDDLE_INFO(preferred_vector_width_int, std::uint32_t)
HEDDLE_INFO(preferred_vector_width_long, std::uint32_t)
HEDDLE_INFO(preferred_vector_width_float, std::uint32_t)
HEDDLE_INFO(preferred_vector_width_double, std::uint32_t)
HEDDLE_INFO(preferred_vector_width_half, std::uint32_t)
HEDDLE_INFO(native_vector_width_char, std::uint32_t)
HEDDLE_INFO(native_vector_width_short, std::uint32_t)
HEDDLE_INFO(native_vector_width_int, std::uint32_t)
HEDDLE_INFO(native_vector_width_long, std::uint32_t)
HEDDLE_INFO(native_vector_width_float, std::uint32_t)
HEDDLE_INFO(native_vector_width_double, std::uint32_t)
HEDDLE_INFO(native_vector_width_half, std::uint32_t)
template <int D = 3>
struct max_work_item_sizes {
  using return_type = range<D>;
};
}  // namespace device

namespace context {
HEDDLE_INFO(reference_count, std::uint32_t)
HEDDLE_INFO(atomic_memory_order_capabilities, std::vector<memory_order>)
HEDDLE_INFO(atomic_memory_scope_capabilities, std::vector<memory_scope>)
HEDDLE_INFO(atomic_fence_order_capabilities, std::vector<memory_order>)
HEDDLE_INFO(atomic_fence_scope_capabilities, std::vector<memory_scope>)
HEDDLE_INFO(platform, sycl::platform)
HEDDLE_INFO(devices, std::vector<sycl::device>)
}  // namespace context

namespace queue {
HEDDLE_INFO(reference_count, std::uint32_t)
HEDDLE_INFO(context, sycl::context)
HEDDLE_INFO(device, sycl::device)
}  // namespace queue

namespace kernel {
HEDDLE_INFO(reference_count, std::uint32_t)
HEDDLE_INFO(context, sycl::context)
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
HEDDLE_INFO(reference_count, std::uint32_t)
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
