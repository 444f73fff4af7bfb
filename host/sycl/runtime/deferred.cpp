// SPDX-License-Identifier: Apache-2.0
// Commands that have to wait for the host: those of a buffer that a host_accessor holds, host tasks, and what comes
// behind them. A queue that has such has a thread, which hands them to OpenCL one by one; another queue has none.
#include <cstdlib>
#include <thread>

#include "host/sycl/runtime/impl.hpp"

namespace sycl::detail {

namespace {

unsigned threads;

// A program that ends does not leave commands behind: they might use what its end destroys.
void wait_for_threads() {
  std::unique_lock<std::recursive_mutex> lock(runtime_lock);
  changed.wait(lock, [] { return threads == 0; });
}

void hand_on(const std::shared_ptr<command> &first, std::unique_lock<std::recursive_mutex> &lock) {
  try {
    if (first->kind == command::host) {
      first->run_on_host(lock);
      first->event->state = event_impl::done_by_host;
    } else if (first->has_pipes()) {
      first->queue.context->hold(first);
    } else {
      first->enqueue();
    }
  } catch (...) {
    first->queue.errors.push_back(std::current_exception());
    first->event->state = event_impl::done_by_host;
  }
}

void run(std::shared_ptr<queue_impl> queue) {
  std::unique_lock<std::recursive_mutex> lock(runtime_lock);
  while (!queue->deferred.empty()) {
    const std::shared_ptr<command> first = queue->deferred.front();
    changed.wait(lock, [&] { return first->is_ready(); });
    hand_on(first, lock);
    queue->deferred.pop_front();
    changed.notify_all();
  }
  queue->has_thread = false;
  lock.unlock();
  queue.reset();  // maybe the last reference
  lock.lock();
  threads--;
  changed.notify_all();
}

}  // namespace

void queue_impl::defer(const std::shared_ptr<command> &command) {
  deferred.push_back(command);
  if (has_thread)
    return;
  static const int registered = std::atexit(wait_for_threads);
  (void)registered;
  std::thread(run, shared_from_this()).detach();
  has_thread = true;
  threads++;
}

}  // namespace sycl::detail
