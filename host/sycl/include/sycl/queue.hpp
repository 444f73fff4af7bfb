// SPDX-License-Identifier: Apache-2.0
// queue: SYCL 2020, section 4.6.5.
#ifndef HEDDLE_SYCL_QUEUE_HPP
#define HEDDLE_SYCL_QUEUE_HPP

#include "handler.hpp"

namespace sycl {

class queue {
  using location = detail::code_location;

 public:
  explicit queue(const property_list &properties = {}) : queue(device(), async_handler(), properties) {}
  explicit queue(const async_handler &handler, const property_list &properties = {})
      : queue(device(), handler, properties) {}
  explicit queue(const device &device, const property_list &properties = {})
      : queue(device, async_handler(), properties) {}
  explicit queue(const device &, const async_handler &, const property_list & = {});
  explicit queue(const context &context, const device &device, const property_list &properties = {})
      : queue(context, device, async_handler(), properties) {}
  explicit queue(const context &, const device &, const async_handler &, const property_list & = {});
  template <typename Selector, typename = std::enable_if_t<std::is_invocable_r_v<int, Selector, const device &>>>
  explicit queue(const Selector &selector, const property_list &properties = {})
      : queue(device(selector), async_handler(), properties) {}
  template <typename Selector, typename = std::enable_if_t<std::is_invocable_r_v<int, Selector, const device &>>>
  explicit queue(const Selector &selector, const async_handler &handler, const property_list &properties = {})
      : queue(device(selector), handler, properties) {}

  context get_context() const;
  device get_device() const;
  bool is_in_order() const;
  template <typename Property>
  bool has_property() const {
    return properties().has_property<Property>();
  }
  template <typename Param>
  typename Param::return_type get_info() const;

  template <typename Group>
  event submit(Group group, location at = location::current()) {
    return run([](handler &h, void *g) { (*static_cast<Group *>(g))(h); }, &group, at);
  }
  void wait();
  void wait_and_throw();
  void throw_asynchronous();

  // Shortcuts: a command group of one command.
  template <typename Name = void, typename F>
  event single_task(const F &f, location at = location::current()) {
    return submit([&](handler &h) { h.single_task<Name>(f); }, at);
  }
  template <typename Name = void, typename F>
  event single_task(const event &after, const F &f, location at = location::current()) {
    return submit([&](handler &h) { h.depends_on(after), h.single_task<Name>(f); }, at);
  }
  template <typename Name = void, typename Range, typename F>
  event parallel_for(Range r, const F &f, location at = location::current()) {
    return submit([&](handler &h) { h.parallel_for<Name>(r, f); }, at);
  }
  template <typename Name = void, typename Range, typename F>
  event parallel_for(Range r, const event &after, const F &f, location at = location::current()) {
    return submit([&](handler &h) { h.depends_on(after), h.parallel_for<Name>(r, f); }, at);
  }
  template <typename Name = void, typename Range, typename F>
  event parallel_for(Range r, const std::vector<event> &after, const F &f, location at = location::current()) {
    return submit([&](handler &h) { h.depends_on(after), h.parallel_for<Name>(r, f); }, at);
  }
  template <typename Name = void, typename Range, typename A, typename F, typename = typename A::reducer_type>
  event parallel_for(Range r, const A &a, const F &f, location at = location::current()) {
    return submit([&](handler &h) { h.parallel_for<Name>(r, a, f); }, at);
  }
  template <typename Name = void, typename Range, typename A, typename B, typename F,
            typename = typename A::reducer_type, typename = typename B::reducer_type>
  event parallel_for(Range r, const A &a, const B &b, const F &f, location at = location::current()) {
    return submit([&](handler &h) { h.parallel_for<Name>(r, a, b, f); }, at);
  }
  event memcpy(void *to, const void *from, std::size_t bytes, const std::vector<event> &after = {},
               location at = location::current()) {
    return submit([&](handler &h) { h.depends_on(after), h.memcpy(to, from, bytes); }, at);
  }
  event memcpy(void *to, const void *from, std::size_t bytes, const event &after, location at = location::current()) {
    return memcpy(to, from, bytes, std::vector<event>{after}, at);
  }
  event memset(void *to, int value, std::size_t bytes, const std::vector<event> &after = {},
               location at = location::current()) {
    return submit([&](handler &h) { h.depends_on(after), h.memset(to, value, bytes); }, at);
  }
  template <typename T>
  event copy(const T *from, T *to, std::size_t count, const std::vector<event> &after = {},
             location at = location::current()) {
    return memcpy(to, from, count * sizeof(T), after, at);
  }
  template <typename T>
  event fill(void *to, const T &pattern, std::size_t count, const std::vector<event> &after = {},
             location at = location::current()) {
    return submit([&](handler &h) { h.depends_on(after), h.fill(to, pattern, count); }, at);
  }

  HEDDLE_REFERENCE(queue)

 private:
  const property_list &properties() const;
  event run(void (*group)(handler &, void *), void *context, location at);
};

}  // namespace sycl

#endif
