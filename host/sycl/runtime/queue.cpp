// SPDX-License-Identifier: Apache-2.0
// Queues and events. OpenCL's queue is in order, which SYCL allows for those that need not be.
#include <algorithm>
#include <cstdio>

#include "host/sycl/runtime/impl.hpp"

namespace sycl {

namespace detail {

event_impl::event_impl(std::shared_ptr<queue_impl> q) : queue(std::move(q)), context(queue->context) {}

event_impl::event_impl(std::vector<cl_event> ids, std::shared_ptr<context_impl> c)
    : state(enqueued), natives(std::move(ids)), context(std::move(c)) {
  for (cl_event each : natives)
    clRetainEvent(each);
}

event_impl::~event_impl() {
  for (cl_event each : ids())
    clReleaseEvent(each);
}

std::vector<cl_event> event_impl::ids() const {
  return id ? std::vector<cl_event>{id} : natives;
}

void event_impl::wait() const {
  {
    std::unique_lock<std::recursive_mutex> lock(runtime_lock);
    changed.wait(lock, [this] { return state != deferred; });
    if (state == held)
      context->let_go();
  }
  // That it went wrong is for the queue to say.
  for (cl_event each : ids())
    clWaitForEvents(1, &each);
  if (queue)
    queue->collect();
  const locked lock(runtime_lock);
  context->pull_shared();
}

namespace {

cl_int status_of(cl_event event) {
  cl_int status = CL_COMPLETE;
  clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
  return status;
}

// What went wrong, in the device's words if it has any.
std::string fault_of(cl_event event, cl_int status) {
  std::size_t size = 0;
  if (clGetEventInfo(event, CL_EVENT_FAULT_TEXT_HEDDLE, 0, nullptr, &size) == CL_SUCCESS && size > 1) {
    std::string text(size, 0);
    clGetEventInfo(event, CL_EVENT_FAULT_TEXT_HEDDLE, size, text.data(), nullptr);
    text.resize(size - 1);
    return text;
  }
  if (status == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
    return "did not run, as one that it waits for went wrong";
  const char *name = error_name(status);
  return name ? name : "OpenCL error " + std::to_string(status);
}

}  // namespace

std::shared_ptr<context_impl> context_impl::shared_by_queues(const sycl::device &d) {
  static auto *const all = new std::map<const device_impl *, std::weak_ptr<context_impl>>;
  const locked lock(runtime_lock);
  std::weak_ptr<context_impl> &known = (*all)[d.impl.get()];
  std::shared_ptr<context_impl> context = known.lock();
  if (!context) {
    context = std::make_shared<context_impl>(std::vector<std::shared_ptr<device_impl>>{d.impl}, async_handler());
    known = context;
  }
  return context;
}

queue_impl::queue_impl(std::shared_ptr<context_impl> c, std::shared_ptr<device_impl> d, async_handler h,
                       const property_list &p)
    : context(std::move(c)), device(std::move(d)), handler(std::move(h)), properties(p) {
  const cl_queue_properties wanted[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
  cl_int error;
  id = clCreateCommandQueueWithProperties(
      context->id, device->id, p.has_property<property::queue::enable_profiling>() ? wanted : nullptr, &error);
  check(error, "clCreateCommandQueueWithProperties");
}

queue_impl::queue_impl(cl_command_queue native, std::shared_ptr<context_impl> c, std::shared_ptr<device_impl> d,
                       async_handler h)
    : context(std::move(c)), device(std::move(d)), handler(std::move(h)) {
  check(clRetainCommandQueue(native), "clRetainCommandQueue");
  id = native;
}

queue_impl::~queue_impl() {
  clFinish(id);
  collect();
  deliver();
  clReleaseCommandQueue(id);
}

void queue_impl::note(cl_event event, const std::string &what, std::function<void()> behind) {
  const locked lock(runtime_lock);
  clRetainEvent(event);
  commands.push_back({event, what, std::move(behind)});
  if (commands.size() % 64 == 0)
    collect();
}

void queue_impl::finish() {
  {
    std::unique_lock<std::recursive_mutex> lock(runtime_lock);
    changed.wait(lock, [this] { return deferred.empty(); });
    context->let_go();
  }
  check(clFinish(id), "clFinish");
  collect();
  const locked lock(runtime_lock);
  context->pull_shared();
}

void queue_impl::collect() {
  const locked lock(runtime_lock);
  while (!commands.empty()) {
    pending first = commands.front();
    const cl_int status = status_of(first.id);
    if (status > CL_COMPLETE)
      break;
    if (status < 0) {
      errors.push_back(std::make_exception_ptr(
          exception(sycl::context(context), errc::kernel, first.what + ": " + fault_of(first.id, status))));
    }
    clReleaseEvent(first.id);
    commands.pop_front();
    if (first.behind && status == CL_COMPLETE) {
      try {
        first.behind();
      } catch (...) {
        errors.push_back(std::current_exception());
      }
    }
  }
}

// To the queue's handler, else the context's, else SYCL's own: the messages, and the end of the program.
void queue_impl::deliver() {
  std::vector<std::exception_ptr> list;
  {
    const locked lock(runtime_lock);
    list.swap(errors);
  }
  if (list.empty())
    return;
  if (const async_handler &to = handler ? handler : context->handler) {
    to(exception_list(std::move(list)));
    return;
  }
  for (const std::exception_ptr &each : list) {
    try {
      std::rethrow_exception(each);
    } catch (const std::exception &e) {
      std::fprintf(stderr, "sycl: unhandled asynchronous error: %s\n", e.what());
    }
  }
  std::terminate();
}

}  // namespace detail

// ---- queue

queue::queue(const device &device, const async_handler &handler, const property_list &properties)
    : queue(context(detail::context_impl::shared_by_queues(device)), device, handler, properties) {}

queue::queue(const context &context, const device &device, const async_handler &handler,
             const property_list &properties) {
  bool is_there = false;
  for (const sycl::device &d : context.get_devices())
    is_there = is_there || d == device;
  if (!is_there)
    detail::fail(errc::invalid, "the queue's device is not of its context");
  impl = std::make_shared<detail::queue_impl>(context.impl, device.impl, handler, properties);
}

context queue::get_context() const {
  return context(impl->context);
}

device queue::get_device() const {
  return device(impl->device);
}

const property_list &queue::properties() const {
  return impl->properties;
}

bool queue::is_in_order() const {
  return impl->properties.has_property<property::queue::in_order>();
}

template <>
context queue::get_info<info::queue::context>() const {
  return get_context();
}
template <>
device queue::get_info<info::queue::device>() const {
  return get_device();
}

template <>
std::uint32_t queue::get_info<info::queue::reference_count>() const {
  return static_cast<std::uint32_t>(impl.use_count());
}
template <>
std::uint32_t event::get_info<info::event::reference_count>() const {
  return static_cast<std::uint32_t>(impl.use_count());
}

event queue::run(void (*group)(handler &, void *), void *context, location at) {
  const auto command = std::make_shared<detail::command>(impl, at);
  handler h(*command);
  group(h, context);
  return event(command->submit(command));
}

void queue::wait() {
  impl->finish();
}

void queue::wait_and_throw() {
  wait();
  impl->deliver();
}

void queue::throw_asynchronous() {
  impl->collect();
  impl->deliver();
}

// ---- event

void event::wait() {
  if (impl)
    impl->wait();
}

void event::wait(const std::vector<event> &events) {
  for (event e : events)
    e.wait();
}

std::vector<event> event::get_wait_list() {
  std::vector<event> list;
  if (!impl)
    return list;
  const detail::locked lock(detail::runtime_lock);
  for (const auto &each : impl->waited)
    if (const auto there = each.lock())
      list.push_back(event(there));
  return list;
}

void event::wait_and_throw() {
  wait();
  if (impl && impl->queue) {
    impl->queue->collect();
    impl->queue->deliver();
  }
}

void event::wait_and_throw(const std::vector<event> &events) {
  for (event e : events)
    e.wait_and_throw();
}

template <>
info::event_command_status event::get_info<info::event::command_execution_status>() const {
  const detail::locked lock(detail::runtime_lock);
  if (impl && impl->state == detail::event_impl::held)
    impl->context->let_go();
  cl_int status = impl && impl->state == detail::event_impl::deferred ? CL_QUEUED : CL_COMPLETE;
  if (impl)  // of several the one that has come least far
    for (cl_event each : impl->ids())
      status = std::max(status, detail::status_of(each));
  if (impl && status <= CL_COMPLETE)
    impl->context->pull_shared();
  return status <= CL_COMPLETE  ? info::event_command_status::complete
         : status == CL_RUNNING ? info::event_command_status::running
                                : info::event_command_status::submitted;
}

namespace {

std::uint64_t profiled(const std::shared_ptr<detail::event_impl> &impl, cl_profiling_info what) {
  if (!impl || !impl->queue || !impl->queue->properties.has_property<property::queue::enable_profiling>())
    detail::fail(errc::invalid, "the queue has not the property enable_profiling");
  impl->wait();
  if (!impl->id)
    detail::fail(errc::profiling, "a host task has no times of a device");
  cl_ulong value = 0;
  detail::check(clGetEventProfilingInfo(impl->id, what, sizeof value, &value, nullptr), "clGetEventProfilingInfo",
                errc::profiling);
  return value;
}

}  // namespace

template <>
std::uint64_t event::get_profiling_info<info::event_profiling::command_submit>() const {
  return profiled(impl, CL_PROFILING_COMMAND_SUBMIT);
}
template <>
std::uint64_t event::get_profiling_info<info::event_profiling::command_start>() const {
  return profiled(impl, CL_PROFILING_COMMAND_START);
}
template <>
std::uint64_t event::get_profiling_info<info::event_profiling::command_end>() const {
  return profiled(impl, CL_PROFILING_COMMAND_END);
}

}  // namespace sycl
