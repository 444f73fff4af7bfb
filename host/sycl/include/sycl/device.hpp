// SPDX-License-Identifier: Apache-2.0
// platform, device, context and device selection: SYCL 2020, sections 4.6.1 to 4.6.4. Only Heddle's devices are there:
// kernels are compiled for no others.
#ifndef HEDDLE_SYCL_DEVICE_HPP
#define HEDDLE_SYCL_DEVICE_HPP

#include "exception.hpp"
#include "info.hpp"
#include "property.hpp"

namespace sycl {

namespace detail {
struct platform_impl;
struct device_impl;
struct context_impl;
}  // namespace detail

// Objects of SYCL are references to others, which know what they are. There is one backend: its descriptors are among
// those of get_info.
#define HEDDLE_REFERENCE(name)                                                  \
 public:                                                                        \
  template <typename Param>                                                     \
  typename Param::return_type get_backend_info() const {                        \
    return this->template get_info<Param>();                                    \
  }                                                                             \
  friend bool operator==(const name &a, const name &b) {                        \
    return a.impl == b.impl;                                                    \
  }                                                                             \
  friend bool operator!=(const name &a, const name &b) {                        \
    return a.impl != b.impl;                                                    \
  }                                                                             \
  explicit name(std::shared_ptr<detail::name##_impl> i) : impl(std::move(i)) {} \
  std::shared_ptr<detail::name##_impl> impl; /* for the runtime only */

enum class backend { opencl };

class platform {
 public:
  platform();
  // That of the device which the selector likes best.
  template <typename Selector, typename = std::enable_if_t<std::is_invocable_r_v<int, Selector, const device &>>>
  explicit platform(const Selector &selector);
  template <typename Param>
  typename Param::return_type get_info() const;
  std::vector<device> get_devices(info::device_type type = info::device_type::all) const;
  static std::vector<platform> get_platforms();
  bool has(aspect) const;
  bool has_extension(const std::string &name) const;
  bool is_host() const {
    return false;
  }
  backend get_backend() const noexcept {
    return backend::opencl;
  }
  HEDDLE_REFERENCE(platform)
};

// A number for each device; the highest is chosen, none that is negative. The class is SYCL 1.2.1's.
class device_selector {
 public:
  virtual ~device_selector() = default;
  virtual int operator()(const device &) const = 0;
};
namespace detail {
using selector_function = std::function<int(const sycl::device &)>;
}

class device {
 public:
  device();
  template <typename Selector, typename = std::enable_if_t<std::is_invocable_r_v<int, Selector, const device &>>>
  explicit device(const Selector &selector)
      : device(choose([&](const device &candidate) -> int { return selector(candidate); })) {}
  template <typename Param>
  typename Param::return_type get_info() const;
  platform get_platform() const;
  bool has(aspect) const;
  bool has_extension(const std::string &name) const;
  backend get_backend() const noexcept {
    return backend::opencl;
  }
  // Devices are not parted, as info::device::partition_properties says: errc::feature_not_supported.
  template <info::partition_property Property>
  std::vector<device> create_sub_devices(std::size_t) const {
    no_sub_devices();
  }
  template <info::partition_property Property>
  std::vector<device> create_sub_devices(const std::vector<std::size_t> &) const {
    no_sub_devices();
  }
  template <info::partition_property Property>
  std::vector<device> create_sub_devices(info::partition_affinity_domain) const {
    no_sub_devices();
  }
  bool is_host() const {
    return false;
  }
  bool is_cpu() const {
    return false;
  }
  bool is_gpu() const {
    return has(aspect::gpu);
  }
  bool is_accelerator() const {
    return has(aspect::accelerator);
  }
  static std::vector<device> get_devices(info::device_type type = info::device_type::all);
  HEDDLE_REFERENCE(device)

 private:
  [[noreturn]] void no_sub_devices() const;
  static device choose(const detail::selector_function &);
};

template <typename Selector, typename>
platform::platform(const Selector &selector) : platform(device(selector).get_platform()) {}

// GPUs and accelerators: every device is both, unless HEDDLE_DEVICE_TYPE says what it is. There is no CPU.
// The default prefers what HEDDLE_SYCL_DEVICE names ("sim" or "model"), otherwise the platform's first device.
int default_selector_v(const device &);
int accelerator_selector_v(const device &);
int cpu_selector_v(const device &);
int gpu_selector_v(const device &);

// SYCL 1.2.1's spelling.
#define HEDDLE_SELECTOR(name)                             \
  struct name : device_selector {                         \
    int operator()(const device &device) const override { \
      return name##_v(device);                            \
    }                                                     \
  };
HEDDLE_SELECTOR(default_selector)
HEDDLE_SELECTOR(accelerator_selector)
HEDDLE_SELECTOR(cpu_selector)
HEDDLE_SELECTOR(gpu_selector)
#undef HEDDLE_SELECTOR
detail::selector_function aspect_selector(const std::vector<aspect> &wanted, const std::vector<aspect> &unwanted = {});
template <typename... Aspects>
detail::selector_function aspect_selector(aspect first, Aspects... more) {
  return aspect_selector(std::vector<aspect>{first, more...});
}
template <aspect... Aspects>
detail::selector_function aspect_selector() {
  return aspect_selector(std::vector<aspect>{Aspects...});
}

class context {
 public:
  explicit context(const property_list & = {}) : context(device()) {}
  explicit context(const device &, async_handler = {}, const property_list & = {});
  explicit context(const std::vector<device> &, async_handler = {}, const property_list & = {});
  explicit context(const platform &p, async_handler handler = {}, const property_list &properties = {})
      : context(p.get_devices(), std::move(handler), properties) {}
  explicit context(async_handler handler, const property_list &properties = {})
      : context(device(), std::move(handler), properties) {}
  context(const device &d, const property_list &properties) : context(d, async_handler(), properties) {}
  context(const std::vector<device> &devices, const property_list &properties)
      : context(devices, async_handler(), properties) {}
  context(const platform &p, const property_list &properties) : context(p, async_handler(), properties) {}
  std::vector<device> get_devices() const;
  platform get_platform() const;
  backend get_backend() const noexcept {
    return backend::opencl;
  }
  bool is_host() const {
    return false;
  }
  template <typename Param>
  typename Param::return_type get_info() const;
  // There are none of contexts.
  template <typename Property>
  bool has_property() const noexcept {
    return false;
  }
  template <typename Property>
  Property get_property() const {
    return property_list().get_property<Property>();
  }
  HEDDLE_REFERENCE(context)
};

}  // namespace sycl

#endif
