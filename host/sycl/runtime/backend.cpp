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

namespace detail {

context make_context(cl_context native, const async_handler &handler) {
  cl_uint count = 0;
  check(clGetContextInfo(native, CL_CONTEXT_NUM_DEVICES, sizeof count, &count, nullptr), "make_context", errc::invalid);
  std::vector<cl_device_id> ids(count);
  check(clGetContextInfo(native, CL_CONTEXT_DEVICES, count * sizeof ids[0], ids.data(), nullptr), "make_context",
        errc::invalid);
  std::vector<std::shared_ptr<device_impl>> devices;
  for (cl_device_id id : ids)
    devices.push_back(make_device<backend::opencl>(id).impl);
  return context(std::make_shared<context_impl>(native, std::move(devices), handler));
}

queue make_queue(cl_command_queue native, const context &c, const async_handler &handler) {
  cl_context of = nullptr;
  cl_device_id device = nullptr;
  cl_command_queue_properties properties = 0;
  check(clGetCommandQueueInfo(native, CL_QUEUE_CONTEXT, sizeof of, &of, nullptr), "make_queue", errc::invalid);
  check(clGetCommandQueueInfo(native, CL_QUEUE_DEVICE, sizeof device, &device, nullptr), "make_queue", errc::invalid);
  check(clGetCommandQueueInfo(native, CL_QUEUE_PROPERTIES, sizeof properties, &properties, nullptr), "make_queue",
        errc::invalid);
  if (of != c.impl->id)
    fail(errc::invalid, "make_queue: the queue is of another context");
  if (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)
    fail(errc::invalid, "make_queue: the queue is out of order");
  for (const auto &mine : c.impl->devices)
    if (mine->id == device)
      return queue(std::make_shared<queue_impl>(native, c.impl, mine, handler));
  fail(errc::invalid, "make_queue: the queue is of another device");
}

}  // namespace detail

}  // namespace sycl
