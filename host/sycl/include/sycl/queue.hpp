// SPDX-License-Identifier: Apache-2.0
// queue: SYCL 2020, section 4.6.5.
#ifndef HEDDLE_SYCL_QUEUE_HPP
#define HEDDLE_SYCL_QUEUE_HPP

#include "handler.hpp"

namespace sycl {

namespace detail {

// A range and where the program wrote it: behind a function's list of arguments of any length no place can be asked
// for.
template <typename Range>
struct located {
  Range value;
  code_location at;
  located(const Range &r, code_location a = code_location::current()) : value(r), at(a) {}
};
template <>
struct located<range<1>> {
  range<1> value;
  code_location at;
  located(const range<1> &r, code_location a = code_location::current()) : value(r), at(a) {}
  located(std::size_t n, code_location a = code_location::current()) : value(n), at(a) {}
};
template <>
struct located<range<2>> {
  range<2> value;
  code_location at;
  located(const range<2> &r, code_location a = code_location::current()) : value(r), at(a) {}
  located(std::size_t m, std::size_t n, code_location a = code_location::current()) : value(m, n), at(a) {}
};
template <>
struct located<range<3>> {
  range<3> value;
  code_location at;
  located(const range<3> &r, code_location a = code_location::current()) : value(r), at(a) {}
  located(std::size_t l, std::size_t m, std::size_t n, code_location a = code_location::current())
      : value(l, m, n), at(a) {}
};

// The device of a context that a selector likes best.
sycl::device choose(const context &, const selector_function &);

}  // namespace detail

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
  template <typename Selector, typename = std::enable_if_t<std::is_invocable_r_v<int, Selector, const device &>>>
  explicit queue(const context &context, const Selector &selector, const property_list &properties = {})
      : queue(context, selector, async_handler(), properties) {}
  template <typename Selector, typename = std::enable_if_t<std::is_invocable_r_v<int, Selector, const device &>>>
  explicit queue(const context &context, const Selector &selector, const async_handler &handler,
                 const property_list &properties = {})
      : queue(context, detail::choose(context, [&](const device &candidate) -> int { return selector(candidate); }),
              handler, properties) {}

  context get_context() const;
  device get_device() const;
  backend get_backend() const noexcept {
    return backend::opencl;
  }
  bool is_host() const {
    return false;
  }
  bool is_in_order() const;
  template <typename Property>
  bool has_property() const {
    return properties().has_property<Property>();
  }
  template <typename Property>
  Property get_property() const {
    return properties().get_property<Property>();
  }
  // The second queue is for commands that the first does not take; there are none such.
  template <typename Group>
  event submit(Group group, const queue &, location at = location::current()) {
    return submit(group, at);
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
  template <typename Name = void, typename F>
  event single_task(const std::vector<event> &after, const F &f, location at = location::current()) {
    return submit([&](handler &h) { h.depends_on(after), h.single_task<Name>(f); }, at);
  }
  // Behind the range: an event or a vector of them, as is liked; then what handler::parallel_for takes.
#define HEDDLE_PARALLEL_FOR(type)                                                                          \
  template <typename Name = void, typename... Rest>                                                        \
  event parallel_for(detail::located<type> r, const Rest &...rest) {                                       \
    return submit([&](handler &h) { h.parallel_for<Name>(r.value, rest...); }, r.at);                      \
  }                                                                                                        \
  template <typename Name = void, typename... Rest>                                                        \
  event parallel_for(detail::located<type> r, const event &after, const Rest &...rest) {                   \
    return submit([&](handler &h) { h.depends_on(after), h.parallel_for<Name>(r.value, rest...); }, r.at); \
  }                                                                                                        \
  template <typename Name = void, typename... Rest>                                                        \
  event parallel_for(detail::located<type> r, const std::vector<event> &after, const Rest &...rest) {      \
    return submit([&](handler &h) { h.depends_on(after), h.parallel_for<Name>(r.value, rest...); }, r.at); \
  }
  HEDDLE_PARALLEL_FOR(range<1>)
  HEDDLE_PARALLEL_FOR(range<2>)
  HEDDLE_PARALLEL_FOR(range<3>)
  HEDDLE_PARALLEL_FOR(nd_range<1>)
  HEDDLE_PARALLEL_FOR(nd_range<2>)
  HEDDLE_PARALLEL_FOR(nd_range<3>)
#undef HEDDLE_PARALLEL_FOR
  event memcpy(void *to, const void *from, std::size_t bytes, const std::vector<event> &after = {},
               location at = location::current()) {
    return submit([&](handler &h) { h.depends_on(after), h.memcpy(to, from, bytes); }, at);
  }
  event memcpy(void *to, const void *from, std::size_t bytes, const event &after, location at = location::current()) {
    return memcpy(to, from, bytes, std::vector<event>{after}, at);
  }
  event memset(void *to, int value, std::size_t bytes, const event &after, location at = location::current()) {
    return memset(to, value, bytes, std::vector<event>{after}, at);
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
  event copy(const T *from, T *to, std::size_t count, const event &after, location at = location::current()) {
    return memcpy(to, from, count * sizeof(T), std::vector<event>{after}, at);
  }
  template <typename T>
  event fill(void *to, const T &pattern, std::size_t count, const event &after, location at = location::current()) {
    return fill(to, pattern, count, std::vector<event>{after}, at);
  }
  template <typename T>
  event fill(void *to, const T &pattern, std::size_t count, const std::vector<event> &after = {},
             location at = location::current()) {
    return submit([&](handler &h) { h.depends_on(after), h.fill(to, pattern, count); }, at);
  }

  // Waits for events, or for all that the queue has before it.
  event ext_oneapi_submit_barrier(const std::vector<event> &after = {}, location at = location::current()) {
    return submit([&](handler &h) { h.ext_oneapi_barrier(after); }, at);
  }
  event prefetch(const void *memory, std::size_t bytes, const std::vector<event> &after = {},
                 location at = location::current()) {
    return submit([&](handler &h) { h.depends_on(after), h.prefetch(memory, bytes); }, at);
  }
  event prefetch(const void *memory, std::size_t bytes, const event &after, location at = location::current()) {
    return prefetch(memory, bytes, std::vector<event>{after}, at);
  }
  event mem_advise(const void *memory, std::size_t bytes, int advice, const std::vector<event> &after = {},
                   location at = location::current()) {
    return submit([&](handler &h) { h.depends_on(after), h.mem_advise(memory, bytes, advice); }, at);
  }
  template <typename T, int D, access_mode Mode, target Target, access::placeholder P, typename To>
  event copy(const accessor<T, D, Mode, Target, P> &from, To to, location at = location::current()) {
    return submit([&](handler &h) { require_any(h, from), require_any(h, to), h.copy(from, to); }, at);
  }
  template <typename From, typename T, int D, access_mode Mode, target Target, access::placeholder P>
  event copy(const From *from, const accessor<T, D, Mode, Target, P> &to, location at = location::current()) {
    return submit([&](handler &h) { h.require(to), h.copy(from, to); }, at);
  }
  template <typename From, typename T, int D, access_mode Mode, target Target, access::placeholder P>
  event copy(const std::shared_ptr<From> &from, const accessor<T, D, Mode, Target, P> &to,
             location at = location::current()) {
    return submit([&](handler &h) { h.require(to), h.copy(from, to); }, at);
  }
  template <typename T, int D, access_mode Mode, target Target, access::placeholder P>
  event fill(const accessor<T, D, Mode, Target, P> &to, const T &value, location at = location::current()) {
    return submit([&](handler &h) { h.require(to), h.fill(to, value); }, at);
  }
  template <typename T, int D, access_mode Mode, target Target, access::placeholder P>
  event update_host(const accessor<T, D, Mode, Target, P> &of, location at = location::current()) {
    return submit([&](handler &h) { h.require(of), h.update_host(of); }, at);
  }

  HEDDLE_REFERENCE(queue)

 private:
  template <typename T>
  static void require_any(handler &, const T &) {}
  template <typename T, int D, access_mode Mode, target Target, access::placeholder P>
  static void require_any(handler &h, const accessor<T, D, Mode, Target, P> &a) {
    h.require(a);
  }
  const property_list &properties() const;
  event run(void (*group)(handler &, void *), void *context, location at);
};

template <>
struct is_property_of<property::queue::enable_profiling, queue> : std::true_type {};
template <>
struct is_property_of<property::queue::in_order, queue> : std::true_type {};

}  // namespace sycl

#endif
