// SPDX-License-Identifier: Apache-2.0
// OpenCL's objects behind those of SYCL.
#include "host/sycl/runtime/impl.hpp"

namespace sycl {

namespace detail {

cl_platform_id native_of(const platform &p) {
  return p.impl->id;
}

cl_device_id native_of(const device &d) {
  check(clRetainDevice(d.impl->id), "clRetainDevice");
  return d.impl->id;
}

cl_context native_of(const context &c) {
  check(clRetainContext(c.impl->id), "clRetainContext");
  return c.impl->id;
}

cl_command_queue native_of(const queue &q) {
  std::unique_lock<std::recursive_mutex> lock(runtime_lock);
  changed.wait(lock, [&] { return q.impl->deferred.empty(); });
  check(clRetainCommandQueue(q.impl->id), "clRetainCommandQueue");
  return q.impl->id;
}

std::vector<cl_event> native_of(const event &e) {
  std::unique_lock<std::recursive_mutex> lock(runtime_lock);
  if (e.impl)
    changed.wait(lock, [&] { return e.impl->state != event_impl::deferred; });
  if (!e.impl || !e.impl->id)
    return {};
  check(clRetainEvent(e.impl->id), "clRetainEvent");
  return {e.impl->id};
}

}  // namespace detail

template <>
platform make_platform<backend::opencl>(cl_platform_id id) {
  for (const platform &p : platform::get_platforms())
    if (p.impl->id == id)
      return p;
  detail::fail(errc::invalid, "make_platform: the platform is not Heddle's");
}

template <>
device make_device<backend::opencl>(cl_device_id id) {
  for (const device &d : device::get_devices())
    if (d.impl->id == id)
      return d;
  detail::fail(errc::invalid, "make_device: the device is not one of Heddle's");
}

}  // namespace sycl
