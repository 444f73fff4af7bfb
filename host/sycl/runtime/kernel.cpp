// SPDX-License-Identifier: Apache-2.0
// What kernels answer.
#include <algorithm>
#include <cstring>

#include "host/sycl/runtime/impl.hpp"

namespace sycl {

namespace detail {

kernel_id kernel_id_of(std::uint64_t hash, const char *spelling) {
  const kernel_record *record = find_kernel(hash);
  if (!record)
    fail(errc::invalid, std::string("there is no kernel of the name in ") + spelling);
  return kernel_id(std::make_shared<kernel_id_impl>(kernel_id_impl{record}));
}

namespace {

// A text that OpenCL has of a kernel.
std::string text_of(cl_kernel kernel, cl_kernel_info what) {
  std::size_t size = 0;
  check(clGetKernelInfo(kernel, what, 0, nullptr, &size), "clGetKernelInfo");
  std::string text(size, 0);
  check(clGetKernelInfo(kernel, what, size, text.data(), nullptr), "clGetKernelInfo");
  text.resize(size != 0 ? size - 1 : 0);
  return text;
}

bool fits(const kernel_record &record, const device &d) {
  if (missing_aspect(record, d))
    return false;
  if (record.size[0] < '0' || record.size[0] > '9')
    return true;
  for (std::size_t size : d.get_info<info::device::sub_group_sizes>())
    if (std::to_string(size) == record.size)
      return true;
  return false;
}

std::size_t ask(const kernel_impl &kernel, const device &d, cl_kernel_sub_group_info what, const std::size_t *local,
                unsigned dimensions) {
  std::size_t answer = 0;
  check(clGetKernelSubGroupInfo(kernel.on(*d.impl), d.impl->id, what, dimensions * sizeof *local, local, sizeof answer,
                                &answer, nullptr),
        "clGetKernelSubGroupInfo");
  return answer;
}

template <typename T>
T ask_work_group(const kernel_impl &kernel, const device &d, cl_kernel_work_group_info what) {
  T answer{};
  check(clGetKernelWorkGroupInfo(kernel.on(*d.impl), d.impl->id, what, sizeof answer, &answer, nullptr),
        "clGetKernelWorkGroupInfo");
  return answer;
}

}  // namespace

kernel_impl::kernel_impl(cl_kernel k, std::shared_ptr<context_impl> c)
    : record(nullptr), context(std::move(c)), native(k) {
  check(clRetainKernel(native), "clRetainKernel");
}

kernel_impl::~kernel_impl() {
  if (native)
    clReleaseKernel(native);
}

cl_kernel kernel_impl::on(device_impl &d) const {
  return native ? native : context->kernel_of(*record, d);
}

std::string name_of(cl_kernel kernel) {
  return text_of(kernel, CL_KERNEL_FUNCTION_NAME);
}

std::uint32_t max_sub_group_size(const kernel_impl &kernel, const device &d, const std::size_t *local,
                                 unsigned dimensions) {
  return static_cast<std::uint32_t>(ask(kernel, d, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, local, dimensions));
}

}  // namespace detail

bool operator==(const kernel_id &a, const kernel_id &b) {
  return a.impl->record == b.impl->record;
}
bool operator!=(const kernel_id &a, const kernel_id &b) {
  return !(a == b);
}

const char *kernel_id::get_name() const noexcept {
  return impl->record->readable.c_str();
}

context kernel::get_context() const {
  return context(impl->context);
}

template <>
std::string kernel::get_info<info::kernel::function_name>() const {
  return impl->record ? impl->record->readable : detail::name_of(impl->native);
}
template <>
std::uint32_t kernel::get_info<info::kernel::num_args>() const {
  if (impl->record)
    return 0;  // as for all kernels that are lambdas or function objects
  cl_uint count = 0;
  detail::check(clGetKernelInfo(impl->native, CL_KERNEL_NUM_ARGS, sizeof count, &count, nullptr), "clGetKernelInfo");
  return count;
}
template <>
std::string kernel::get_info<info::kernel::attributes>() const {
  if (!impl->record)
    return detail::text_of(impl->native, CL_KERNEL_ATTRIBUTES);
  return impl->record->size == "primary" || impl->record->size == "automatic"
             ? "intel::named_sub_group_size(" + impl->record->size + ")"
             : (impl->record->size_is_standard ? "sycl::reqd_sub_group_size(" : "intel::sub_group_size(") +
                   impl->record->size + ")";
}

#define WORK_GROUP_INFO(type, param, cl_type, name)                                   \
  template <>                                                                         \
  type kernel::get_info<info::kernel_device_specific::param>(const device &d) const { \
    return static_cast<type>(detail::ask_work_group<cl_type>(*impl, d, name));        \
  }
WORK_GROUP_INFO(std::size_t, work_group_size, std::size_t, CL_KERNEL_WORK_GROUP_SIZE)
WORK_GROUP_INFO(std::size_t, preferred_work_group_size_multiple, std::size_t,
                CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE)
WORK_GROUP_INFO(std::size_t, private_mem_size, cl_ulong, CL_KERNEL_PRIVATE_MEM_SIZE)

template <>
std::uint32_t kernel::get_info<info::kernel_device_specific::max_num_sub_groups>(const device &d) const {
  return static_cast<std::uint32_t>(detail::ask(*impl, d, CL_KERNEL_MAX_NUM_SUB_GROUPS, nullptr, 0));
}
template <>
std::uint32_t kernel::get_info<info::kernel_device_specific::compile_num_sub_groups>(const device &d) const {
  return static_cast<std::uint32_t>(detail::ask(*impl, d, CL_KERNEL_COMPILE_NUM_SUB_GROUPS, nullptr, 0));
}
template <>
range<3> kernel::get_info<info::kernel_device_specific::compile_work_group_size>(const device &d) const {
  if (!impl->record) {
    std::size_t size[3] = {};
    detail::check(clGetKernelWorkGroupInfo(impl->native, d.impl->id, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof size,
                                           size, nullptr),
                  "clGetKernelWorkGroupInfo");
    return range<3>(size[2], size[1], size[0]);
  }
  const detail::kernel_record &record = *impl->record;
  if (record.work_group_dimensions == 0)
    return range<3>(0, 0, 0);
  return range<3>(record.work_group[2], record.work_group[1], record.work_group[0]);
}
// What the text has for kernels that are built in, or of custom devices.
template <>
range<3> kernel::get_info<info::kernel_device_specific::global_work_size>(const device &) const {
  detail::fail(errc::invalid, "global_work_size is of kernels that are built into a device; there are none");
}
template <>
std::uint32_t kernel::get_info<info::kernel_device_specific::compile_sub_group_size>(const device &d) const {
  if (!impl->record)
    return static_cast<std::uint32_t>(detail::ask(*impl, d, CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, nullptr, 0));
  const std::string &size = impl->record->size;
  return size == "automatic" ? 0
         : size == "primary" ? static_cast<std::uint32_t>(d.get_info<info::device::primary_sub_group_size>())
                             : static_cast<std::uint32_t>(std::stoul(size));
}
// Of any work-group: the sizes do not depend on it.
template <>
std::uint32_t kernel::get_info<info::kernel_device_specific::max_sub_group_size>(const device &d) const {
  const std::size_t one = 1;
  return detail::max_sub_group_size(*impl, d, &one, 1);
}

template <>
std::uint32_t kernel::get_info<info::kernel::reference_count>() const {
  return static_cast<std::uint32_t>(impl.use_count());
}
template <>
context kernel::get_info<info::kernel::context>() const {
  return get_context();
}

namespace detail {

kernel_bundle_impl::~kernel_bundle_impl() {
  for (cl_program program : natives)
    clReleaseProgram(program);
}

std::shared_ptr<kernel_bundle_impl> make_bundle(const context &c, const std::vector<device> &devices,
                                                const std::vector<kernel_id> &ids) {
  auto bundle = std::make_shared<kernel_bundle_impl>();
  bundle->context = c.impl;
  for (const device &d : devices) {
    bool is_there = false;
    for (const auto &each : c.impl->devices)
      is_there = is_there || each == d.impl;
    if (!is_there)
      fail(errc::invalid, "get_kernel_bundle: a device is not of the context");
    bundle->devices.push_back(d.impl);
  }
  if (devices.empty())
    fail(errc::invalid, "get_kernel_bundle: there are no devices");
  for (const kernel_id &id : ids)
    bundle->kernels.push_back(id.impl->record);
  return bundle;
}

// What is for the bundle's devices and has all that bundles of one context have.
std::shared_ptr<kernel_bundle_impl> join(const std::vector<std::shared_ptr<kernel_bundle_impl>> &bundles,
                                         const std::vector<device> &devices) {
  if (bundles.empty())
    fail(errc::invalid, "there are no kernel bundles");
  auto all = make_bundle(context(bundles.front()->context), devices, {});
  for (const auto &each : bundles) {
    if (each->context != all->context)
      fail(errc::invalid, "the kernel bundles are of different contexts");
    for (const kernel_record *record : each->kernels)
      if (std::count(all->kernels.begin(), all->kernels.end(), record) == 0)
        all->kernels.push_back(record);
    for (cl_program program : each->natives) {
      check(clRetainProgram(program), "clRetainProgram");
      all->natives.push_back(program);
    }
    if (!all->constants.add(each->constants))
      fail(errc::invalid, "the kernel bundles have different values for a specialization constant");
  }
  return all;
}

std::vector<kernel_id> kernel_ids_of(const kernel_bundle_impl &bundle) {
  std::vector<kernel_id> result;
  for (const kernel_record *record : bundle.kernels)
    result.push_back(kernel_id(std::make_shared<kernel_id_impl>(kernel_id_impl{record})));
  return result;
}

static bool has(const kernel_bundle_impl &bundle, const kernel_id &id) {
  for (const kernel_record *record : bundle.kernels)
    if (record == id.impl->record)
      return true;
  return false;
}

kernel kernel_of(const kernel_bundle_impl &bundle, const kernel_id &id) {
  if (!has(bundle, id))
    fail(errc::invalid, "the bundle does not have " + describe(*id.impl->record));
  return kernel(std::make_shared<kernel_impl>(id.impl->record, bundle.context));
}

bool has_kernel(const kernel_bundle_impl &bundle, const kernel_id &id, const device &d) noexcept {
  return has(bundle, id) && fits(*id.impl->record, d);
}

}  // namespace detail

kernel_bundle<bundle_state::executable> kernel::get_kernel_bundle() const {
  auto bundle = detail::make_bundle(get_context(), get_context().get_devices(), {});
  if (impl->record) {
    bundle->kernels.push_back(impl->record);
  } else {
    cl_program program = nullptr;
    detail::check(clGetKernelInfo(impl->native, CL_KERNEL_PROGRAM, sizeof program, &program, nullptr),
                  "clGetKernelInfo");
    detail::check(clRetainProgram(program), "clRetainProgram");
    bundle->natives.push_back(program);
  }
  return kernel_bundle<bundle_state::executable>(get_context(), get_context().get_devices(), bundle);
}

std::vector<kernel_id> get_kernel_ids() {
  std::vector<kernel_id> result;
  for (const detail::kernel_record *record : detail::all_kernels())
    result.push_back(kernel_id(std::make_shared<detail::kernel_id_impl>(detail::kernel_id_impl{record})));
  return result;
}

bool is_compatible(const std::vector<kernel_id> &ids, const device &d) {
  for (const kernel_id &id : ids)
    if (!detail::fits(*id.impl->record, d))
      return false;
  return true;
}

}  // namespace sycl
