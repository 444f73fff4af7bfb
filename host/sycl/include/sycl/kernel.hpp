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
  HEDDLE_REFERENCE(kernel_id)
};

namespace detail {
kernel_id kernel_id_of(const name_hashes &, const char *spelling);
}
// Throws errc::invalid where this translation unit's part of the program has no kernel of the name.
template <typename Name>
kernel_id get_kernel_id() {
  return detail::kernel_id_of(detail::hash_name<Name>(), detail::spelling<Name>());
}

class kernel {
 public:
  context get_context() const;
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

template <bundle_state State>
class kernel_bundle {
  static_assert(State == bundle_state::executable, "kernels are executable from the start");

 public:
  context get_context() const;
  std::vector<device> get_devices() const;
  kernel get_kernel(const kernel_id &) const;
  template <typename Name>
  kernel get_kernel() const {
    return get_kernel(get_kernel_id<Name>());
  }
  // On a device: whether it has sub-groups of the size that the kernel demands.
  bool has_kernel(const kernel_id &) const noexcept;
  bool has_kernel(const kernel_id &, const device &) const noexcept;
  HEDDLE_REFERENCE(kernel_bundle)
};

template <bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context &);
template <>
kernel_bundle<bundle_state::executable> get_kernel_bundle(const context &);

bool is_compatible(const std::vector<kernel_id> &, const device &);
template <typename Name>
bool is_compatible(const device &device) {
  return is_compatible(std::vector<kernel_id>{get_kernel_id<Name>()}, device);
}

}  // namespace sycl

#endif
