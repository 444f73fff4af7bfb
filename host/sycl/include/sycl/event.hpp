// SPDX-License-Identifier: Apache-2.0
// event: SYCL 2020, section 4.6.6.
#ifndef HEDDLE_SYCL_EVENT_HPP
#define HEDDLE_SYCL_EVENT_HPP

#include "device.hpp"

namespace sycl {

namespace detail {
struct event_impl;
}

class event {
 public:
  event() = default;  // complete
  // Throws what went wrong with the command, unless a queue's asynchronous handler has been told.
  void wait();
  static void wait(const std::vector<event> &events);
  void wait_and_throw();
  static void wait_and_throw(const std::vector<event> &events);
  // What it waits for itself. Events that nobody has any more need not be among them.
  std::vector<event> get_wait_list();
  backend get_backend() const noexcept {
    return backend::opencl;
  }
  template <typename Param>
  typename Param::return_type get_info() const;
  template <typename Param>
  typename Param::return_type get_profiling_info() const;
  HEDDLE_REFERENCE(event)
};

}  // namespace sycl

#endif
