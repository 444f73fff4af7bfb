// SPDX-License-Identifier: Apache-2.0
// kernel, kernel_id and bundles of executable kernels: SYCL 2020, section 4.11, as far as queries need them; and the
// query with an input of SYCL_INTEL_sub_group.
#ifndef HEDDLE_SYCL_KERNEL_HPP
#define HEDDLE_SYCL_KERNEL_HPP

#include <algorithm>

#include "detail/kernel_name.hpp"
#include "device.hpp"
#include "kernel_handler.hpp"

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

template <bundle_state State>
class kernel_bundle;

class kernel {
 public:
  context get_context() const;
  kernel_bundle<bundle_state::executable> get_kernel_bundle() const;
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
std::shared_ptr<kernel_bundle_impl> join(const std::vector<std::shared_ptr<kernel_bundle_impl>> &,
                                         const std::vector<sycl::device> &);
// Values of specialization constants. Throws errc::invalid where the bundle has no kernels.
void specialize(kernel_bundle_impl &, std::uint64_t hash, const void *value, std::size_t bytes);
bool is_specialized(const kernel_bundle_impl &, std::uint64_t hash, void *value, std::size_t bytes);
// OpenCL's programs become what they have to be; what is there already stays (runtime/backend.cpp).
std::shared_ptr<kernel_bundle_impl> bring_to(const std::shared_ptr<kernel_bundle_impl> &, bundle_state);
}  // namespace detail

// The kernels of a bundle are in one image.
template <bundle_state State>
class device_image {
 public:
  bool has_kernel(const kernel_id &id) const noexcept {
    for (const device &d : devices_)
      if (has_kernel(id, d))
        return true;
    return false;
  }
  bool has_kernel(const kernel_id &id, const device &d) const noexcept {
    return detail::has_kernel(*impl_, id, d);
  }
  friend bool operator==(const device_image &a, const device_image &b) {
    return a.impl_ == b.impl_;
  }
  friend bool operator!=(const device_image &a, const device_image &b) {
    return a.impl_ != b.impl_;
  }
  device_image(const std::vector<device> &d, std::shared_ptr<detail::kernel_bundle_impl> i)  // for the runtime only
      : devices_(d), impl_(std::move(i)) {}

 private:
  std::vector<device> devices_;
  std::shared_ptr<detail::kernel_bundle_impl> impl_;
};

// Kernels of SYCL are executable from the start: compile, link and build are for OpenCL's programs.
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
    return image_.has_kernel(id);
  }
  bool has_kernel(const kernel_id &id, const device &d) const noexcept {
    return image_.has_kernel(id, d);
  }
  template <typename Name>
  bool has_kernel() const noexcept {
    return has_kernel(get_kernel_id<Name>());
  }
  template <typename Name>
  bool has_kernel(const device &d) const noexcept {
    return has_kernel(get_kernel_id<Name>(), d);
  }
  using device_image_iterator = const device_image<State> *;
  device_image_iterator begin() const {
    return &image_;
  }
  device_image_iterator end() const {
    return &image_ + (empty() ? 0 : 1);
  }
  // Which kernels read a constant is not known: each of a bundle may.
  bool contains_specialization_constants() const noexcept {
    return !empty();
  }
  bool native_specialization_constant() const noexcept {
    return false;  // kernels read them from memory
  }
  template <auto &Id>
  bool has_specialization_constant() const noexcept {
    return !empty();
  }
  template <auto &Id, bundle_state S = State, typename = std::enable_if_t<S == bundle_state::input>>
  void set_specialization_constant(typename std::remove_reference_t<decltype(Id)>::value_type value) {
    detail::specialize(*impl_, detail::specialization_hash<Id>, &value, sizeof value);
  }
  template <auto &Id>
  typename std::remove_reference_t<decltype(Id)>::value_type get_specialization_constant() const {
    detail::room_of<typename std::remove_reference_t<decltype(Id)>::value_type> room;
    return detail::is_specialized(*impl_, detail::specialization_hash<Id>, &room.value, sizeof room.value)
               ? room.value
               : Id.default_value();
  }
  friend bool operator==(const kernel_bundle &a, const kernel_bundle &b) {
    return a.impl_ == b.impl_;
  }
  friend bool operator!=(const kernel_bundle &a, const kernel_bundle &b) {
    return a.impl_ != b.impl_;
  }
  // For the runtime only.
  kernel_bundle(const context &c, const std::vector<device> &d, std::shared_ptr<detail::kernel_bundle_impl> i)
      : context_(c), devices_(d), impl_(std::move(i)), image_(devices_, impl_) {}
  const std::shared_ptr<detail::kernel_bundle_impl> &impl() const {
    return impl_;
  }

 private:
  context context_;
  std::vector<device> devices_;
  std::shared_ptr<detail::kernel_bundle_impl> impl_;
  device_image<State> image_;
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

// Of the images that a function takes.
template <bundle_state State, typename Selector,
          typename = std::enable_if_t<std::is_invocable_r_v<bool, const Selector &, const device_image<State> &>>>
kernel_bundle<State> get_kernel_bundle(const context &c, const std::vector<device> &devices, const Selector &selector) {
  const kernel_bundle<State> all = get_kernel_bundle<State>(c, devices);
  for (const device_image<State> &image : all)
    if (selector(image))
      return all;
  return get_kernel_bundle<State>(c, devices, std::vector<kernel_id>());
}
template <bundle_state State, typename Selector,
          typename = std::enable_if_t<std::is_invocable_r_v<bool, const Selector &, const device_image<State> &>>>
kernel_bundle<State> get_kernel_bundle(const context &c, const Selector &selector) {
  return get_kernel_bundle<State>(c, c.get_devices(), selector);
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
bool has_kernel_bundle(const context &c, const std::vector<device> &devices) {
  return has_kernel_bundle<State>(c, devices, std::vector<kernel_id>());
}
template <bundle_state State>
bool has_kernel_bundle(const context &c) {
  return has_kernel_bundle<State>(c, c.get_devices());
}
template <typename Name, bundle_state State>
bool has_kernel_bundle(const context &c, const std::vector<device> &devices) {
  return has_kernel_bundle<State>(c, devices, std::vector<kernel_id>{get_kernel_id<Name>()});
}
template <typename Name, bundle_state State>
bool has_kernel_bundle(const context &c) {
  return has_kernel_bundle<Name, State>(c, c.get_devices());
}

// Of several bundles of one context, or for some of the devices.
template <bundle_state State>
kernel_bundle<State> join(const std::vector<kernel_bundle<State>> &bundles) {
  std::vector<std::shared_ptr<detail::kernel_bundle_impl>> impls;
  std::vector<device> devices;
  for (const auto &each : bundles) {
    impls.push_back(each.impl());
    for (const device &d : each.get_devices())
      if (std::find(devices.begin(), devices.end(), d) == devices.end())
        devices.push_back(d);
  }
  const auto all = detail::join(impls, devices);
  return kernel_bundle<State>(bundles.front().get_context(), devices, all);
}
inline kernel_bundle<bundle_state::object> compile(const kernel_bundle<bundle_state::input> &b,
                                                   const std::vector<device> &devices, const property_list & = {}) {
  return kernel_bundle<bundle_state::object>(b.get_context(), devices,
                                             detail::bring_to(detail::join({b.impl()}, devices), bundle_state::object));
}
inline kernel_bundle<bundle_state::object> compile(const kernel_bundle<bundle_state::input> &b,
                                                   const property_list &p = {}) {
  return compile(b, b.get_devices(), p);
}
inline kernel_bundle<bundle_state::executable> link(const std::vector<kernel_bundle<bundle_state::object>> &bundles,
                                                    const std::vector<device> &devices, const property_list & = {}) {
  const auto all = join(bundles);
  return kernel_bundle<bundle_state::executable>(
      all.get_context(), devices, detail::bring_to(detail::join({all.impl()}, devices), bundle_state::executable));
}
inline kernel_bundle<bundle_state::executable> link(const std::vector<kernel_bundle<bundle_state::object>> &bundles,
                                                    const property_list &p = {}) {
  return link(bundles, join(bundles).get_devices(), p);
}
inline kernel_bundle<bundle_state::executable> link(const kernel_bundle<bundle_state::object> &b,
                                                    const std::vector<device> &devices, const property_list &p = {}) {
  return link(std::vector<kernel_bundle<bundle_state::object>>{b}, devices, p);
}
inline kernel_bundle<bundle_state::executable> link(const kernel_bundle<bundle_state::object> &b,
                                                    const property_list &p = {}) {
  return link(b, b.get_devices(), p);
}
inline kernel_bundle<bundle_state::executable> build(const kernel_bundle<bundle_state::input> &b,
                                                     const std::vector<device> &devices, const property_list & = {}) {
  return kernel_bundle<bundle_state::executable>(
      b.get_context(), devices, detail::bring_to(detail::join({b.impl()}, devices), bundle_state::executable));
}
inline kernel_bundle<bundle_state::executable> build(const kernel_bundle<bundle_state::input> &b,
                                                     const property_list &p = {}) {
  return build(b, b.get_devices(), p);
}

template <typename Name>
bool is_compatible(const device &device) {
  return is_compatible(std::vector<kernel_id>{get_kernel_id<Name>()}, device);
}

}  // namespace sycl

#endif
