// SPDX-License-Identifier: Apache-2.0
// kernel, kernel_id and bundles of executable kernels: SYCL 2020, section 4.11, as far as queries need them; and the
// query with an input of SYCL_INTEL_sub_group.
#ifndef HEDDLE_SYCL_KERNEL_HPP
#define HEDDLE_SYCL_KERNEL_HPP

#include "detail/kernel_name.hpp"
#include "device.hpp"

namespace sycl {

namespace detail {
struct kernel_id_impl;
struct kernel_impl;
struct kernel_bundle_impl;
std::uint32_t max_sub_group_size(const kernel_impl &, const sycl::device &, const std::size_t *local,
                                 unsigned dimensions);
}  // namespace detail

enum class bundle_state { input, object, executable };

class kernel_id {
 public:
  // What the user calls it; of an unnamed lambda its file and line.
  const char *get_name() const noexcept;
  friend bool operator==(const kernel_id &, const kernel_id &);
  friend bool operator!=(const kernel_id &, const kernel_id &);
  explicit kernel_id(std::shared_ptr<detail::kernel_id_impl> i) : impl(std::move(i)) {}
  std::shared_ptr<detail::kernel_id_impl> impl;  // for the runtime only
};

class kernel;

namespace detail {
kernel kernel_of(const kernel_bundle_impl &, const kernel_id &);
bool has_kernel(const kernel_bundle_impl &, const kernel_id &, const sycl::device &) noexcept;
kernel_id kernel_id_of(std::uint64_t hash, const char *spelling);
}  // namespace detail
// Throws errc::invalid where this translation unit's part of the program has no kernel of the name.
template <typename Name>
kernel_id get_kernel_id() {
  return detail::kernel_id_of(detail::hash_name<Name>(), detail::spelling<Name>());
}

class kernel {
 public:
  context get_context() const;
  backend get_backend() const noexcept {
    return backend::opencl;
  }
  template <typename Param>
  typename Param::return_type get_info() const;
  template <info::kernel_device_specific Param>
  typename info::param_traits<info::kernel_device_specific, Param>::return_type get_info(const device &) const;
  // Of a size of work-groups: max_sub_group_size.
  template <info::kernel_device_specific Param, int D>
  typename info::param_traits<info::kernel_device_specific, Param>::return_type get_info(
      const device &device, const range<D> &work_group_size) const {
    static_assert(Param == info::kernel_device_specific::max_sub_group_size,
                  "of these only max_sub_group_size has an input");
    std::size_t local[D];
    for (int i = 0; i < D; i++)
      local[i] = work_group_size[D - 1 - i];
    return detail::max_sub_group_size(*impl, device, local, D);
  }
  HEDDLE_REFERENCE(kernel)
};

namespace detail {
std::shared_ptr<kernel_bundle_impl> make_bundle(const context &, const std::vector<sycl::device> &,
                                                const std::vector<kernel_id> &);
std::vector<kernel_id> kernel_ids_of(const kernel_bundle_impl &);
}  // namespace detail

// Kernels are executable from the start: compile, link and build change nothing.
template <bundle_state State>
class kernel_bundle {
 public:
  context get_context() const {
    return context_;
  }
  std::vector<device> get_devices() const {
    return devices_;
  }
  backend get_backend() const noexcept {
    return backend::opencl;
  }
  std::vector<kernel_id> get_kernel_ids() const {
    return detail::kernel_ids_of(*impl_);
  }
  bool empty() const noexcept {
    return get_kernel_ids().empty();
  }
  // Throws errc::invalid where the bundle has no such kernel.
  kernel get_kernel(const kernel_id &id) const {
    return detail::kernel_of(*impl_, id);
  }
  template <typename Name>
  kernel get_kernel() const {
    return get_kernel(get_kernel_id<Name>());
  }
  // On a device: whether it has sub-groups of the size that the kernel demands.
  bool has_kernel(const kernel_id &id) const noexcept {
    for (const device &d : devices_)
      if (has_kernel(id, d))
        return true;
    return false;
  }
  bool has_kernel(const kernel_id &id, const device &d) const noexcept {
    return detail::has_kernel(*impl_, id, d);
  }
  template <typename Name>
  bool has_kernel() const noexcept {
    return has_kernel(get_kernel_id<Name>());
  }
  template <typename Name>
  bool has_kernel(const device &d) const noexcept {
    return has_kernel(get_kernel_id<Name>(), d);
  }
  friend bool operator==(const kernel_bundle &a, const kernel_bundle &b) {
    return a.impl_ == b.impl_;
  }
  friend bool operator!=(const kernel_bundle &a, const kernel_bundle &b) {
    return a.impl_ != b.impl_;
  }
  // For the runtime only.
  kernel_bundle(const context &c, const std::vector<device> &d, std::shared_ptr<detail::kernel_bundle_impl> i)
      : context_(c), devices_(d), impl_(std::move(i)) {}
  const std::shared_ptr<detail::kernel_bundle_impl> &impl() const {
    return impl_;
  }

 private:
  context context_;
  std::vector<device> devices_;
  std::shared_ptr<detail::kernel_bundle_impl> impl_;
};

std::vector<kernel_id> get_kernel_ids();

// Of all kernels of the program, or of some.
template <bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context &c, const std::vector<device> &devices,
                                       const std::vector<kernel_id> &ids) {
  return kernel_bundle<State>(c, devices, detail::make_bundle(c, devices, ids));
}
template <bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context &c, const std::vector<device> &devices) {
  return get_kernel_bundle<State>(c, devices, get_kernel_ids());
}
template <bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context &c, const std::vector<kernel_id> &ids) {
  return get_kernel_bundle<State>(c, c.get_devices(), ids);
}
template <bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context &c) {
  return get_kernel_bundle<State>(c, c.get_devices());
}
template <typename Name, bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context &c) {
  return get_kernel_bundle<State>(c, std::vector<kernel_id>{get_kernel_id<Name>()});
}
template <typename Name, bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context &c, const std::vector<device> &devices) {
  return get_kernel_bundle<State>(c, devices, std::vector<kernel_id>{get_kernel_id<Name>()});
}

bool is_compatible(const std::vector<kernel_id> &, const device &);
// Whether each of the kernels runs on a device of the context.
template <bundle_state State>
bool has_kernel_bundle(const context &c, const std::vector<device> &devices, const std::vector<kernel_id> &ids) {
  const auto all = get_kernel_bundle<State>(c, devices, ids);
  for (const kernel_id &id : ids)
    if (!all.has_kernel(id))
      return false;
  return true;
}
template <bundle_state State>
bool has_kernel_bundle(const context &c, const std::vector<kernel_id> &ids) {
  return has_kernel_bundle<State>(c, c.get_devices(), ids);
}
template <bundle_state State>
bool has_kernel_bundle(const context &c) {
  return has_kernel_bundle<State>(c, std::vector<kernel_id>());
}

inline kernel_bundle<bundle_state::executable> build(const kernel_bundle<bundle_state::input> &b,
                                                     const property_list & = {}) {
  return kernel_bundle<bundle_state::executable>(b.get_context(), b.get_devices(), b.impl());
}
inline kernel_bundle<bundle_state::object> compile(const kernel_bundle<bundle_state::input> &b,
                                                   const property_list & = {}) {
  return kernel_bundle<bundle_state::object>(b.get_context(), b.get_devices(), b.impl());
}
inline kernel_bundle<bundle_state::executable> link(const kernel_bundle<bundle_state::object> &b,
                                                    const property_list & = {}) {
  return kernel_bundle<bundle_state::executable>(b.get_context(), b.get_devices(), b.impl());
}

template <typename Name>
bool is_compatible(const device &device) {
  return is_compatible(std::vector<kernel_id>{get_kernel_id<Name>()}, device);
}

}  // namespace sycl

#endif
