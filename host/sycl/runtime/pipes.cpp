// SPDX-License-Identifier: Apache-2.0
// Pipes between kernels. They run at once where a device has a chain of their pipelines, which OpenCL's library finds
// if nothing comes between them; elsewhere the writer runs first. A program may submit them in any order. So kernels
// with pipes are kept until all that have to do with each other have come, and go to OpenCL together.
#include <algorithm>

#include "host/sycl/runtime/impl.hpp"

namespace sycl::detail {

namespace {

// A pipe in memory has room for what a kernel writes before the next one reads any: this much at least.
constexpr cl_uint pipe_bytes = 1 << 20;

const std::vector<pipe_end> &pipes_of(const command &of) {
  return of.record()->pipes;
}

bool has_end(const std::vector<pipe_end> &pipes, const pipe_end &wanted, bool is_read) {
  return std::any_of(pipes.begin(), pipes.end(),
                     [&](const pipe_end &end) { return end.is_read == is_read && end.name == wanted.name; });
}

// Whether the kernels at the other ends of all pipes are there, unless the program has none.
bool have_all_come(const std::deque<std::shared_ptr<command>> &held) {
  const std::vector<const kernel_record *> kernels = all_kernels();
  for (const auto &each : held)
    for (const pipe_end &end : pipes_of(*each)) {
      const bool is_there = std::any_of(held.begin(), held.end(), [&](const std::shared_ptr<command> &other) {
        return has_end(pipes_of(*other), end, !end.is_read);
      });
      const bool comes = std::any_of(kernels.begin(), kernels.end(), [&](const kernel_record *kernel) {
        return has_end(kernel->pipes, end, !end.is_read);
      });
      if (!is_there && comes)
        return false;
    }
  return true;
}

// The first whose pipes no other one is yet to write; of those that go round in a circle the first.
std::deque<std::shared_ptr<command>>::iterator next_of(std::deque<std::shared_ptr<command>> &all) {
  const auto is_fed = [&](const std::shared_ptr<command> &one) {
    for (const pipe_end &end : pipes_of(*one))
      if (end.is_read && std::any_of(all.begin(), all.end(), [&](const std::shared_ptr<command> &other) {
            return other != one && has_end(pipes_of(*other), end, false);
          }))
        return false;
    return true;
  };
  const auto found = std::find_if(all.begin(), all.end(), is_fed);
  return found == all.end() ? all.begin() : found;
}

}  // namespace

bool command::has_pipes() const {
  return kind == kernel && !native && !record()->pipes.empty();
}

// Whether it comes behind a kernel that is held.
bool command::waits_for_held() const {
  if (queue.context->held.empty() || has_pipes())
    return false;
  const auto is_held = [](const std::shared_ptr<event_impl> &each) { return each->state == event_impl::held; };
  const auto is_behind = [&](const std::shared_ptr<command> &each) {
    return &each->queue == &queue && (kind == barrier || queue.properties.has_property<property::queue::in_order>());
  };
  return std::any_of(after.begin(), after.end(), is_held) ||
         std::any_of(queue.context->held.begin(), queue.context->held.end(), is_behind);
}

cl_mem context_impl::pipe_of(const pipe_end &end) {
  cl_mem &pipe = pipes[end.name];
  if (!pipe) {
    const cl_pipe_properties concurrent[] = {CL_PIPE_CONCURRENT_HEDDLE, CL_TRUE, 0};
    const cl_uint capacity = std::max({end.capacity, pipe_bytes / end.bytes, cl_uint{1}});
    cl_int error;
    pipe = clCreatePipe(id, 0, end.bytes, capacity, concurrent, &error);
    if (error != CL_SUCCESS)
      pipes.erase(end.name);
    check(error, "a pipe of " + std::to_string(capacity) + " packets of " + std::to_string(end.bytes) + " bytes",
          errc::memory_allocation);
  }
  return pipe;
}

void context_impl::hold(const std::shared_ptr<command> &newest) {
  newest->event->state = event_impl::held;
  held.push_back(newest);
  if (have_all_come(held))
    let_go(newest.get());
}

void context_impl::let_go(const command *newest) {
  std::deque<std::shared_ptr<command>> all;
  std::exception_ptr wrong;
  all.swap(held);
  const auto try_with = [&](command &one, void (command::*what)()) {
    try {
      if (one.event->state == event_impl::held)
        (one.*what)();
    } catch (...) {
      one.event->state = event_impl::done_by_host;
      if (&one == newest)
        wrong = std::current_exception();
      else
        one.queue.errors.push_back(std::current_exception());
    }
  };
  // Ahead of all: a transfer between two kernels would part them.
  for (const auto &each : all)
    try_with(*each, &command::bring_buffers);
  std::vector<std::shared_ptr<queue_impl>> queues;
  while (!all.empty()) {
    const auto at = next_of(all);
    const std::shared_ptr<command> next = *at;
    all.erase(at);
    try_with(*next, &command::enqueue);
    queues.push_back(next->queue_kept);
  }
  for (const auto &queue : queues)
    clFlush(queue->id);
  changed.notify_all();
  if (wrong)
    std::rethrow_exception(wrong);
}

void command::bring_buffers() {
  for (const buffer_cell &cell : buffers)
    cell.buffer->bring_to(queue, cell.reads, cell.first, cell.is_array);
}

}  // namespace sycl::detail
