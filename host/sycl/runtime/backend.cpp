// SPDX-License-Identifier: Apache-2.0
// OpenCL's objects behind those of SYCL.
#include <algorithm>

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
  q.impl->context->let_go();
  check(clRetainCommandQueue(q.impl->id), "clRetainCommandQueue");
  return q.impl->id;
}

std::vector<cl_event> native_of(const event &e) {
  std::unique_lock<std::recursive_mutex> lock(runtime_lock);
  if (e.impl) {
    changed.wait(lock, [&] { return e.impl->state != event_impl::deferred; });
    if (e.impl->state == event_impl::held)
      e.impl->context->let_go();
  }
  const std::vector<cl_event> ids = e.impl ? e.impl->ids() : std::vector<cl_event>();
  for (cl_event id : ids)
    check(clRetainEvent(id), "clRetainEvent");
  return ids;
}

cl_kernel native_of(const kernel &k) {
  cl_kernel native = k.impl->on(*k.impl->context->devices.front());
  check(clRetainKernel(native), "clRetainKernel");
  return native;
}

std::vector<cl_mem> native_of(buffer_impl &buffer) {
  buffer.wait();
  const locked lock(runtime_lock);
  std::vector<cl_mem> all;
  for (const buffer_impl::copy &each : buffer.copies) {
    check(clRetainMemObject(each.memory), "clRetainMemObject");
    all.push_back(each.memory);
  }
  return all;
}

cl_command_queue borrow(const queue &q) {
  return q.impl->id;
}
cl_device_id borrow(const device &d) {
  return d.impl->id;
}
cl_context borrow(const context &c) {
  return c.impl->id;
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

kernel make_kernel(cl_kernel native, const context &c) {
  cl_context of = nullptr;
  check(clGetKernelInfo(native, CL_KERNEL_CONTEXT, sizeof of, &of, nullptr), "make_kernel", errc::invalid);
  if (of != c.impl->id)
    fail(errc::invalid, "make_kernel: the kernel is of another context");
  return kernel(std::make_shared<kernel_impl>(native, c.impl));
}

namespace {

// How far a program of OpenCL's is for all of the devices.
bundle_state state_of(cl_program program, const std::vector<std::shared_ptr<device_impl>> &devices) {
  bundle_state state = bundle_state::executable;
  for (const auto &each : devices) {
    cl_program_binary_type type = CL_PROGRAM_BINARY_TYPE_NONE;
    check(clGetProgramBuildInfo(program, each->id, CL_PROGRAM_BINARY_TYPE, sizeof type, &type, nullptr),
          "make_kernel_bundle: a device of the context is none of the program's", errc::invalid);
    const bundle_state is = type == CL_PROGRAM_BINARY_TYPE_NONE         ? bundle_state::input
                            : type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE ? bundle_state::executable
                                                                        : bundle_state::object;
    state = is < state ? is : state;
  }
  return state;
}

// What the compiler said, behind what failed.
[[noreturn]] void fail_to_build(cl_program program, const std::vector<cl_device_id> &ids, const char *what) {
  std::string log;
  for (cl_device_id id : ids) {
    std::size_t size = 0;
    clGetProgramBuildInfo(program, id, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
    std::string text(size, 0);
    clGetProgramBuildInfo(program, id, CL_PROGRAM_BUILD_LOG, size, text.data(), nullptr);
    if (size > 1 && log.find(text.c_str()) == std::string::npos)
      log += "\n" + std::string(text.c_str());
  }
  fail(errc::build, std::string(what) + log);
}

}  // namespace

// Source is built, or compiled; the others are linked together.
std::shared_ptr<kernel_bundle_impl> bring_to(const std::shared_ptr<kernel_bundle_impl> &bundle, bundle_state state) {
  std::vector<cl_device_id> ids;
  for (const auto &each : bundle->devices)
    ids.push_back(each->id);
  const cl_uint count = static_cast<cl_uint>(ids.size());
  std::vector<cl_program> objects, executables;
  for (cl_program program : bundle->natives) {
    const bundle_state is = state_of(program, bundle->devices);
    if (is == bundle_state::input && state == bundle_state::executable) {
      if (clBuildProgram(program, count, ids.data(), "", nullptr, nullptr) != CL_SUCCESS)
        fail_to_build(program, ids, "build: the program does not compile");
    } else if (is == bundle_state::input && state == bundle_state::object) {
      if (clCompileProgram(program, count, ids.data(), "", 0, nullptr, nullptr, nullptr, nullptr) != CL_SUCCESS)
        fail_to_build(program, ids, "compile: the program does not compile");
    }
    (is == bundle_state::object && state == bundle_state::executable ? objects : executables).push_back(program);
  }
  if (!objects.empty()) {
    cl_int error;
    cl_program linked = clLinkProgram(bundle->context->id, count, ids.data(), "", static_cast<cl_uint>(objects.size()),
                                      objects.data(), nullptr, nullptr, &error);
    if (error != CL_SUCCESS && linked)
      fail_to_build(linked, ids, "link: the programs do not link");
    check(error, "link: the programs do not link", errc::build);
    for (cl_program object : objects)
      clReleaseProgram(object);
    executables.push_back(linked);
  }
  bundle->natives = executables;
  return bundle;
}

std::shared_ptr<kernel_bundle_impl> make_kernel_bundle(cl_program native, const context &c, bundle_state state) {
  cl_context of = nullptr;
  check(clGetProgramInfo(native, CL_PROGRAM_CONTEXT, sizeof of, &of, nullptr), "make_kernel_bundle", errc::invalid);
  if (of != c.impl->id)
    fail(errc::invalid, "make_kernel_bundle: the program is of another context");
  auto bundle = make_bundle(c, c.get_devices(), {});
  if (state_of(native, bundle->devices) > state)
    fail(errc::invalid, "make_kernel_bundle: the program is compiled or linked already");
  check(clRetainProgram(native), "clRetainProgram");
  bundle->natives.push_back(native);
  return bring_to(bundle, state);
}

std::vector<cl_program> native_of(const kernel_bundle_impl &bundle) {
  std::vector<cl_program> all = bundle.natives;
  for (const auto &each : bundle.devices) {
    for (const kernel_record *record : bundle.kernels) {
      if (!has_kernel(bundle, kernel_id(std::make_shared<kernel_id_impl>(kernel_id_impl{record})), device(each)))
        continue;
      cl_program program = nullptr;
      check(clGetKernelInfo(bundle.context->kernel_of(*record, *each), CL_KERNEL_PROGRAM, sizeof program, &program,
                            nullptr),
            "clGetKernelInfo");
      if (std::find(all.begin(), all.end(), program) == all.end())
        all.push_back(program);
    }
  }
  for (cl_program program : all)
    check(clRetainProgram(program), "clRetainProgram");
  return all;
}

event make_event(const std::vector<cl_event> &natives, const context &c) {
  for (cl_event each : natives) {
    cl_context of = nullptr;
    check(clGetEventInfo(each, CL_EVENT_CONTEXT, sizeof of, &of, nullptr), "make_event", errc::invalid);
    if (of != c.impl->id)
      fail(errc::invalid, "make_event: an event is of another context");
  }
  return event(std::make_shared<event_impl>(natives, c.impl));
}

}  // namespace detail

}  // namespace sycl
