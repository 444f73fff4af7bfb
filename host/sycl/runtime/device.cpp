// SPDX-License-Identifier: Apache-2.0
// Platforms, devices, contexts and what they answer.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "host/sycl/runtime/impl.hpp"

namespace sycl {

namespace detail {

namespace {

std::string text_of_device(cl_device_id device, cl_device_info name) {
  std::size_t size = 0;
  check(clGetDeviceInfo(device, name, 0, nullptr, &size), "clGetDeviceInfo");
  std::string text(size, 0);
  check(clGetDeviceInfo(device, name, size, text.data(), nullptr), "clGetDeviceInfo");
  text.resize(std::strlen(text.c_str()));
  return text;
}

std::string text_of_platform(cl_platform_id platform, cl_platform_info name) {
  std::size_t size = 0;
  check(clGetPlatformInfo(platform, name, 0, nullptr, &size), "clGetPlatformInfo");
  std::string text(size, 0);
  check(clGetPlatformInfo(platform, name, size, text.data(), nullptr), "clGetPlatformInfo");
  text.resize(std::strlen(text.c_str()));
  return text;
}

template <typename T>
T value_of_device(cl_device_id device, cl_device_info name) {
  T value{};
  check(clGetDeviceInfo(device, name, sizeof value, &value, nullptr), "clGetDeviceInfo");
  return value;
}

std::shared_ptr<platform_impl> open_platform(cl_platform_id id) {
  auto platform = std::make_shared<platform_impl>();
  platform->id = id;
  cl_uint count = 0;
  if (clGetDeviceIDs(id, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != CL_SUCCESS)
    return platform;
  std::vector<cl_device_id> devices(count);
  check(clGetDeviceIDs(id, CL_DEVICE_TYPE_ALL, count, devices.data(), nullptr), "clGetDeviceIDs");
  for (cl_device_id device : devices) {
    auto impl = std::make_shared<device_impl>();
    impl->id = device;
    impl->of = platform;
    impl->name = text_of_device(device, CL_DEVICE_NAME);
    platform->devices.push_back(impl);
  }
  return platform;
}

// Heddle's platforms, usually one. They live as long as the process: devices are compared by address.
const std::vector<std::shared_ptr<platform_impl>> &all_platforms() {
  static const auto *const all = [] {
    auto *platforms = new std::vector<std::shared_ptr<platform_impl>>;
    cl_uint count = 0;
    if (clGetPlatformIDs(0, nullptr, &count) == CL_SUCCESS) {
      std::vector<cl_platform_id> ids(count);
      check(clGetPlatformIDs(count, ids.data(), nullptr), "clGetPlatformIDs");
      for (cl_platform_id id : ids)
        if (text_of_platform(id, CL_PLATFORM_VENDOR) == "Heddle")
          platforms->push_back(open_platform(id));
    }
    return platforms;
  }();
  return *all;
}

}  // namespace

context_impl::context_impl(std::vector<std::shared_ptr<device_impl>> d, async_handler h)
    : devices(std::move(d)), handler(std::move(h)) {
  if (devices.empty())
    fail(errc::invalid, "a context has at least one device");
  std::vector<cl_device_id> ids;
  for (const auto &device : devices)
    ids.push_back(device->id);
  cl_int error;
  id = clCreateContext(nullptr, static_cast<cl_uint>(ids.size()), ids.data(), nullptr, nullptr, &error);
  check(error, "clCreateContext");
}

context_impl::context_impl(cl_context native, std::vector<std::shared_ptr<device_impl>> d, async_handler h)
    : devices(std::move(d)), handler(std::move(h)) {
  check(clRetainContext(native), "clRetainContext");
  id = native;
}

}  // namespace detail

// ---- platform

platform::platform() : platform(device().get_platform()) {}

std::vector<platform> platform::get_platforms() {
  std::vector<platform> result;
  for (const auto &impl : detail::all_platforms())
    result.push_back(platform(impl));
  return result;
}

std::vector<device> platform::get_devices(info::device_type type) const {
  std::vector<device> result;
  for (const auto &found : impl->devices) {
    const sycl::device d(found);
    if (type == info::device_type::all || type == info::device_type::automatic ||
        (type == info::device_type::accelerator && d.is_accelerator()) ||
        (type == info::device_type::gpu && d.is_gpu()))
      result.push_back(d);
  }
  return result;
}

bool platform::has(aspect a) const {
  for (const device &d : get_devices())
    if (!d.has(a))
      return false;
  return true;
}

#define PLATFORM_TEXT(param, name)                                \
  template <>                                                     \
  std::string platform::get_info<info::platform::param>() const { \
    return detail::text_of_platform(impl->id, name);              \
  }
PLATFORM_TEXT(name, CL_PLATFORM_NAME)
PLATFORM_TEXT(vendor, CL_PLATFORM_VENDOR)
PLATFORM_TEXT(version, CL_PLATFORM_VERSION)
PLATFORM_TEXT(profile, CL_PLATFORM_PROFILE)

// ---- device

device::device() : device(choose(default_selector_v)) {}

std::vector<device> device::get_devices(info::device_type type) {
  std::vector<device> result;
  for (const platform &p : platform::get_platforms())
    for (const device &d : p.get_devices(type))
      result.push_back(d);
  return result;
}

void device::no_sub_devices() const {
  detail::fail(errc::feature_not_supported, "create_sub_devices: devices have no sub-devices");
}

// The first of those with the highest number; nullptr: the selector takes none.
static const device *best_of(const std::vector<device> &all, const detail::selector_function &selector) {
  const device *best = nullptr;
  int highest = -1;
  for (const device &candidate : all) {
    const int number = selector(candidate);
    if (number > highest) {
      highest = number;
      best = &candidate;
    }
  }
  return best;
}

device device::choose(const detail::selector_function &selector) {
  const std::vector<device> all = get_devices();
  const device *best = best_of(all, selector);
  if (!best) {
    detail::fail(errc::runtime, all.empty() ? "there is no Heddle device: does the OpenCL ICD loader find Heddle? "
                                              "(OCL_ICD_VENDORS, /etc/OpenCL/vendors)"
                                            : "no device meets the selection");
  }
  return *best;
}

device detail::choose(const context &context, const selector_function &selector) {
  const std::vector<sycl::device> all = context.get_devices();
  const sycl::device *best = best_of(all, selector);
  if (!best)
    fail(errc::runtime, "the selector takes no device of the context");
  return *best;
}

int default_selector_v(const device &d) {
  const char *wanted = std::getenv("HEDDLE_SYCL_DEVICE");
  if (!wanted || wanted[0] == 0)
    return 100;
  // "Heddle sim (8 lanes, 32 slots)"
  const std::string start = std::string("Heddle ") + wanted;
  return d.impl->name.compare(0, start.size(), start) == 0 ? 200 : -1;
}

int accelerator_selector_v(const device &d) {
  return d.is_accelerator() ? default_selector_v(d) : -1;
}

int cpu_selector_v(const device &) {
  return -1;
}

int gpu_selector_v(const device &d) {
  return d.is_gpu() ? default_selector_v(d) : -1;
}

detail::selector_function aspect_selector(const std::vector<aspect> &wanted, const std::vector<aspect> &unwanted) {
  return [=](const device &d) {
    for (aspect a : wanted)
      if (!d.has(a))
        return -1;
    for (aspect a : unwanted)
      if (d.has(a))
        return -1;
    return default_selector_v(d);
  };
}

platform device::get_platform() const {
  return platform(impl->of.lock());
}

bool device::has(aspect a) const {
  // A program of SYCL finds no devices but ours, so one that asks for a GPU takes nobody else's: unless OpenCL was told
  // what devices are, they are GPUs too.
  const auto is = [this](cl_device_type type) {
    const char *told = std::getenv("HEDDLE_DEVICE_TYPE");
    const bool is_both = !told || told[0] == 0;
    return ((detail::value_of_device<cl_device_type>(impl->id, CL_DEVICE_TYPE) | (is_both ? CL_DEVICE_TYPE_GPU : 0)) &
            type) != 0;
  };
  switch (a) {
    case aspect::accelerator:
      return is(CL_DEVICE_TYPE_ACCELERATOR);
    case aspect::gpu:
      return is(CL_DEVICE_TYPE_GPU);
    case aspect::fp16:
    case aspect::fp64:  // in software
    case aspect::queue_profiling:
    case aspect::usm_device_allocations:
    case aspect::usm_shared_allocations:
    case aspect::usm_host_allocations:
      return true;
    case aspect::image:
      return detail::value_of_device<::cl_bool>(impl->id, CL_DEVICE_IMAGE_SUPPORT) != CL_FALSE;
    case aspect::emulated:
      return impl->name.compare(0, 10, "Heddle sim") == 0 || impl->name.compare(0, 12, "Heddle model") == 0;
    default:
      return false;
  }
}

#define DEVICE_TEXT(param, name)                              \
  template <>                                                 \
  std::string device::get_info<info::device::param>() const { \
    return detail::text_of_device(impl->id, name);            \
  }
DEVICE_TEXT(name, CL_DEVICE_NAME)
DEVICE_TEXT(vendor, CL_DEVICE_VENDOR)
DEVICE_TEXT(version, CL_DEVICE_VERSION)
DEVICE_TEXT(driver_version, CL_DRIVER_VERSION)

#define DEVICE_VALUE(type, param, cl_type, name)                                \
  template <>                                                                   \
  type device::get_info<info::device::param>() const {                          \
    return static_cast<type>(detail::value_of_device<cl_type>(impl->id, name)); \
  }
DEVICE_VALUE(std::uint32_t, vendor_id, cl_uint, CL_DEVICE_VENDOR_ID)
DEVICE_VALUE(std::uint32_t, max_compute_units, cl_uint, CL_DEVICE_MAX_COMPUTE_UNITS)
DEVICE_VALUE(std::uint32_t, max_work_item_dimensions, cl_uint, CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS)
DEVICE_VALUE(std::size_t, max_work_group_size, std::size_t, CL_DEVICE_MAX_WORK_GROUP_SIZE)
DEVICE_VALUE(std::uint32_t, max_clock_frequency, cl_uint, CL_DEVICE_MAX_CLOCK_FREQUENCY)
DEVICE_VALUE(std::uint32_t, address_bits, cl_uint, CL_DEVICE_ADDRESS_BITS)
DEVICE_VALUE(std::uint64_t, global_mem_size, cl_ulong, CL_DEVICE_GLOBAL_MEM_SIZE)
DEVICE_VALUE(std::uint64_t, local_mem_size, cl_ulong, CL_DEVICE_LOCAL_MEM_SIZE)
DEVICE_VALUE(std::uint64_t, max_mem_alloc_size, cl_ulong, CL_DEVICE_MAX_MEM_ALLOC_SIZE)
DEVICE_VALUE(std::size_t, max_parameter_size, std::size_t, CL_DEVICE_MAX_PARAMETER_SIZE)
DEVICE_VALUE(std::size_t, profiling_timer_resolution, std::size_t, CL_DEVICE_PROFILING_TIMER_RESOLUTION)
DEVICE_VALUE(std::uint32_t, max_num_sub_groups, cl_uint, CL_DEVICE_MAX_NUM_SUB_GROUPS)
DEVICE_VALUE(bool, sub_group_independent_forward_progress, ::cl_bool, CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS)

template <>
info::device_type device::get_info<info::device::device_type>() const {
  return is_accelerator() ? info::device_type::accelerator : info::device_type::gpu;
}
template <>
info::local_mem_type device::get_info<info::device::local_mem_type>() const {
  return info::local_mem_type::local;
}
template <>
platform device::get_info<info::device::platform>() const {
  return get_platform();
}
template <>
device device::get_info<info::device::parent_device>() const {
  detail::fail(errc::invalid, "info::device::parent_device: the device is not part of another");
}
template <>
std::vector<aspect> device::get_info<info::device::aspects>() const {
  std::vector<aspect> result;
  for (int i = 0; i <= static_cast<int>(aspect::usm_system_allocations); i++)
    if (has(static_cast<aspect>(i)))
      result.push_back(static_cast<aspect>(i));
  return result;
}
template <>
std::vector<std::size_t> device::get_info<info::device::sub_group_sizes>() const {
  const detail::locked lock(detail::runtime_lock);
  if (impl->sub_group_sizes.empty()) {
    std::size_t size = 0;
    detail::check(clGetDeviceInfo(impl->id, CL_DEVICE_SUB_GROUP_SIZES_INTEL, 0, nullptr, &size), "clGetDeviceInfo");
    impl->sub_group_sizes.resize(size / sizeof(std::size_t));
    detail::check(
        clGetDeviceInfo(impl->id, CL_DEVICE_SUB_GROUP_SIZES_INTEL, size, impl->sub_group_sizes.data(), nullptr),
        "clGetDeviceInfo");
  }
  return impl->sub_group_sizes;
}
// What kernels get that ask for no size: all lanes of the device.
template <>
std::size_t device::get_info<info::device::primary_sub_group_size>() const {
  return detail::value_of_device<cl_uint>(impl->id, CL_DEVICE_LANES_HEDDLE);
}

// ---- rarely asked

namespace {

std::vector<std::string> words_of(const std::string &text, char between) {
  std::vector<std::string> words;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(between, at), text.size());
    if (end != at)
      words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

// SYCL's kernels have double also where OpenCL C does not offer it (HEDDLE_DOUBLE).
constexpr cl_device_fp_config of_double =
    CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_FMA | CL_FP_SOFT_FLOAT;

std::vector<info::fp_config> fp_configs(cl_device_fp_config bits) {
  const std::pair<cl_device_fp_config, info::fp_config> all[] = {
      {CL_FP_DENORM, info::fp_config::denorm},
      {CL_FP_INF_NAN, info::fp_config::inf_nan},
      {CL_FP_ROUND_TO_NEAREST, info::fp_config::round_to_nearest},
      {CL_FP_ROUND_TO_ZERO, info::fp_config::round_to_zero},
      {CL_FP_ROUND_TO_INF, info::fp_config::round_to_inf},
      {CL_FP_FMA, info::fp_config::fma},
      {CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT, info::fp_config::correctly_rounded_divide_sqrt},
      {CL_FP_SOFT_FLOAT, info::fp_config::soft_float},
  };
  std::vector<info::fp_config> result;
  for (const auto &[bit, config] : all)
    if ((bits & bit) != 0)
      result.push_back(config);
  return result;
}

const std::vector<memory_order> all_orders = {memory_order::relaxed, memory_order::acquire, memory_order::release,
                                              memory_order::acq_rel, memory_order::seq_cst};
const std::vector<memory_scope> all_scopes = {memory_scope::work_item, memory_scope::sub_group,
                                              memory_scope::work_group, memory_scope::device};

}  // namespace

DEVICE_TEXT(profile, CL_DEVICE_PROFILE)
DEVICE_TEXT(opencl_c_version, CL_DEVICE_OPENCL_C_VERSION)
DEVICE_TEXT(backend_version, CL_DEVICE_VERSION)
DEVICE_VALUE(bool, is_available, ::cl_bool, CL_DEVICE_AVAILABLE)
DEVICE_VALUE(bool, is_compiler_available, ::cl_bool, CL_DEVICE_COMPILER_AVAILABLE)
DEVICE_VALUE(bool, is_linker_available, ::cl_bool, CL_DEVICE_LINKER_AVAILABLE)
DEVICE_VALUE(bool, is_endian_little, ::cl_bool, CL_DEVICE_ENDIAN_LITTLE)
DEVICE_VALUE(bool, error_correction_support, ::cl_bool, CL_DEVICE_ERROR_CORRECTION_SUPPORT)
DEVICE_VALUE(bool, host_unified_memory, ::cl_bool, CL_DEVICE_HOST_UNIFIED_MEMORY)
DEVICE_VALUE(bool, preferred_interop_user_sync, ::cl_bool, CL_DEVICE_PREFERRED_INTEROP_USER_SYNC)
DEVICE_VALUE(std::uint32_t, mem_base_addr_align, cl_uint, CL_DEVICE_MEM_BASE_ADDR_ALIGN)
DEVICE_VALUE(std::uint32_t, global_mem_cache_line_size, cl_uint, CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE)
DEVICE_VALUE(std::uint64_t, global_mem_cache_size, cl_ulong, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE)
DEVICE_VALUE(std::uint64_t, max_constant_buffer_size, cl_ulong, CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE)
DEVICE_VALUE(std::uint32_t, max_constant_args, cl_uint, CL_DEVICE_MAX_CONSTANT_ARGS)
DEVICE_VALUE(std::uint32_t, max_samplers, cl_uint, CL_DEVICE_MAX_SAMPLERS)
DEVICE_VALUE(std::uint32_t, max_read_image_args, cl_uint, CL_DEVICE_MAX_READ_IMAGE_ARGS)
DEVICE_VALUE(std::uint32_t, max_write_image_args, cl_uint, CL_DEVICE_MAX_WRITE_IMAGE_ARGS)
DEVICE_VALUE(std::uint32_t, max_read_write_image_args, cl_uint, CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS)
DEVICE_VALUE(std::size_t, image2d_max_width, std::size_t, CL_DEVICE_IMAGE2D_MAX_WIDTH)
DEVICE_VALUE(std::size_t, image2d_max_height, std::size_t, CL_DEVICE_IMAGE2D_MAX_HEIGHT)
DEVICE_VALUE(std::size_t, image3d_max_width, std::size_t, CL_DEVICE_IMAGE3D_MAX_WIDTH)
DEVICE_VALUE(std::size_t, image3d_max_height, std::size_t, CL_DEVICE_IMAGE3D_MAX_HEIGHT)
DEVICE_VALUE(std::size_t, image3d_max_depth, std::size_t, CL_DEVICE_IMAGE3D_MAX_DEPTH)
DEVICE_VALUE(std::size_t, image_max_buffer_size, std::size_t, CL_DEVICE_IMAGE_MAX_BUFFER_SIZE)
DEVICE_VALUE(std::size_t, image_max_array_size, std::size_t, CL_DEVICE_IMAGE_MAX_ARRAY_SIZE)
DEVICE_VALUE(std::size_t, printf_buffer_size, std::size_t, CL_DEVICE_PRINTF_BUFFER_SIZE)
DEVICE_VALUE(std::uint32_t, reference_count, cl_uint, CL_DEVICE_REFERENCE_COUNT)
DEVICE_VALUE(std::uint32_t, preferred_vector_width_char, cl_uint, CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR)
DEVICE_VALUE(std::uint32_t, preferred_vector_width_short, cl_uint, CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT)
DEVICE_VALUE(std::uint32_t, preferred_vector_width_int, cl_uint, CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT)
DEVICE_VALUE(std::uint32_t, preferred_vector_width_long, cl_uint, CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG)
DEVICE_VALUE(std::uint32_t, preferred_vector_width_float, cl_uint, CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT)
DEVICE_VALUE(std::uint32_t, preferred_vector_width_double, cl_uint, CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE)
DEVICE_VALUE(std::uint32_t, preferred_vector_width_half, cl_uint, CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF)
DEVICE_VALUE(std::uint32_t, native_vector_width_char, cl_uint, CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR)
DEVICE_VALUE(std::uint32_t, native_vector_width_short, cl_uint, CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT)
DEVICE_VALUE(std::uint32_t, native_vector_width_int, cl_uint, CL_DEVICE_NATIVE_VECTOR_WIDTH_INT)
DEVICE_VALUE(std::uint32_t, native_vector_width_long, cl_uint, CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG)
DEVICE_VALUE(std::uint32_t, native_vector_width_float, cl_uint, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT)
DEVICE_VALUE(std::uint32_t, native_vector_width_double, cl_uint, CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE)
DEVICE_VALUE(std::uint32_t, native_vector_width_half, cl_uint, CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF)

// What is not asked of OpenCL, as SYCL's part of the device is what counts.
#define DEVICE_ANSWER(type, param, value)              \
  template <>                                          \
  type device::get_info<info::device::param>() const { \
    return value;                                      \
  }
DEVICE_ANSWER(std::vector<std::string>, extensions,
              words_of(detail::text_of_device(impl->id, CL_DEVICE_EXTENSIONS), ' '))
DEVICE_ANSWER(std::vector<std::string>, built_in_kernels,
              words_of(detail::text_of_device(impl->id, CL_DEVICE_BUILT_IN_KERNELS), ';'))
DEVICE_ANSWER(std::vector<kernel_id>, built_in_kernel_ids, {})
DEVICE_ANSWER(bool, image_support, has(aspect::image))
DEVICE_ANSWER(bool, queue_profiling, has(aspect::queue_profiling))
DEVICE_ANSWER(bool, usm_device_allocations, has(aspect::usm_device_allocations))
DEVICE_ANSWER(bool, usm_host_allocations, has(aspect::usm_host_allocations))
DEVICE_ANSWER(bool, usm_shared_allocations, has(aspect::usm_shared_allocations))
DEVICE_ANSWER(bool, usm_system_allocations, has(aspect::usm_system_allocations))
DEVICE_ANSWER(info::global_mem_cache_type, global_mem_cache_type,
              static_cast<info::global_mem_cache_type>(
                  detail::value_of_device<cl_device_mem_cache_type>(impl->id, CL_DEVICE_GLOBAL_MEM_CACHE_TYPE)))
DEVICE_ANSWER(std::uint32_t, partition_max_sub_devices, 0)  // SYCL's devices are not parted
DEVICE_ANSWER(std::vector<info::partition_property>, partition_properties, {})
DEVICE_ANSWER(std::vector<info::partition_affinity_domain>, partition_affinity_domains, {})
DEVICE_ANSWER(info::partition_property, partition_type_property, info::partition_property::no_partition)
DEVICE_ANSWER(info::partition_affinity_domain, partition_type_affinity_domain,
              info::partition_affinity_domain::not_applicable)
DEVICE_ANSWER(std::vector<info::execution_capability>, execution_capabilities,
              {info::execution_capability::exec_kernel})
DEVICE_ANSWER(std::vector<info::fp_config>, half_fp_config,
              fp_configs(detail::value_of_device<cl_device_fp_config>(impl->id, CL_DEVICE_HALF_FP_CONFIG)))
DEVICE_ANSWER(std::vector<info::fp_config>, single_fp_config,
              fp_configs(detail::value_of_device<cl_device_fp_config>(impl->id, CL_DEVICE_SINGLE_FP_CONFIG)))
DEVICE_ANSWER(std::vector<info::fp_config>, double_fp_config, fp_configs(of_double))
DEVICE_ANSWER(std::vector<memory_order>, atomic_memory_order_capabilities, all_orders)
DEVICE_ANSWER(std::vector<memory_order>, atomic_fence_order_capabilities, all_orders)
DEVICE_ANSWER(std::vector<memory_scope>, atomic_memory_scope_capabilities, all_scopes)
DEVICE_ANSWER(std::vector<memory_scope>, atomic_fence_scope_capabilities, all_scopes)

bool device::has_extension(const std::string &name) const {
  const std::vector<std::string> all = get_info<info::device::extensions>();
  return std::find(all.begin(), all.end(), name) != all.end();
}
template <>
std::vector<std::string> platform::get_info<info::platform::extensions>() const {
  return words_of(detail::text_of_platform(impl->id, CL_PLATFORM_EXTENSIONS), ' ');
}
bool platform::has_extension(const std::string &name) const {
  const std::vector<std::string> all = get_info<info::platform::extensions>();
  return std::find(all.begin(), all.end(), name) != all.end();
}

// ---- sizes of work-items

namespace {
template <int D>
range<D> work_item_sizes(cl_device_id id) {
  std::size_t sizes[3] = {};
  detail::check(clGetDeviceInfo(id, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof sizes, sizes, nullptr), "clGetDeviceInfo");
  range<D> result;
  for (int i = 0; i < D; i++)
    result[i] = sizes[D - 1 - i];
  return result;
}
}  // namespace
template <>
range<1> device::get_info<info::device::max_work_item_sizes<1>>() const {
  return work_item_sizes<1>(impl->id);
}
template <>
range<2> device::get_info<info::device::max_work_item_sizes<2>>() const {
  return work_item_sizes<2>(impl->id);
}
template <>
range<3> device::get_info<info::device::max_work_item_sizes<3>>() const {
  return work_item_sizes<3>(impl->id);
}

// ---- context

context::context(const device &d, async_handler handler, const property_list &)
    : context(std::vector<device>{d}, std::move(handler)) {}

context::context(const std::vector<device> &devices, async_handler handler, const property_list &) {
  std::vector<std::shared_ptr<detail::device_impl>> impls;
  for (const device &d : devices)
    impls.push_back(d.impl);
  impl = std::make_shared<detail::context_impl>(std::move(impls), std::move(handler));
}

std::vector<device> context::get_devices() const {
  std::vector<device> result;
  for (const auto &d : impl->devices)
    result.push_back(device(d));
  return result;
}

platform context::get_platform() const {
  return get_devices()[0].get_platform();
}

template <>
platform context::get_info<info::context::platform>() const {
  return get_platform();
}
template <>
std::vector<device> context::get_info<info::context::devices>() const {
  return get_devices();
}
template <>
std::vector<memory_order> context::get_info<info::context::atomic_memory_order_capabilities>() const {
  return all_orders;
}
template <>
std::vector<memory_scope> context::get_info<info::context::atomic_memory_scope_capabilities>() const {
  return all_scopes;
}
template <>
std::vector<memory_order> context::get_info<info::context::atomic_fence_order_capabilities>() const {
  return all_orders;
}
template <>
std::vector<memory_scope> context::get_info<info::context::atomic_fence_scope_capabilities>() const {
  return all_scopes;
}
template <>
std::uint32_t context::get_info<info::context::reference_count>() const {
  return static_cast<std::uint32_t>(impl.use_count());
}

}  // namespace sycl
