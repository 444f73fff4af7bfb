// SPDX-License-Identifier: Apache-2.0
// Properties: SYCL 2020, section 4.5.4. Those that buffers, queues, accessors and reductions have.
#ifndef HEDDLE_SYCL_PROPERTY_HPP
#define HEDDLE_SYCL_PROPERTY_HPP

#include <memory>
#include <mutex>

#include "detail/defines.hpp"

namespace sycl {

class context;

namespace property {
namespace buffer {
// A buffer uses the user's memory anyway, until it has another place for its final data.
class use_host_ptr {};
class use_mutex {
 public:
  explicit use_mutex(std::mutex &mutex) : mutex_(&mutex) {}
  std::mutex *get_mutex_ptr() const {
    return mutex_;
  }

 private:
  std::mutex *mutex_;
};
class context_bound {
 public:
  explicit context_bound(const sycl::context &bound);
  sycl::context get_context() const;

 private:
  std::shared_ptr<sycl::context> bound_;
};
}  // namespace buffer
namespace image {
using buffer::use_host_ptr, buffer::use_mutex, buffer::context_bound;
}  // namespace image
namespace queue {
struct enable_profiling {};
struct in_order {};
}  // namespace queue
namespace reduction {
struct initialize_to_identity {};
}  // namespace reduction
struct no_init {};
using noinit = no_init;
}  // namespace property
inline constexpr property::no_init no_init, noinit;

// Which there are; more of them are taken than any object looks at.
template <typename T>
struct is_property : std::false_type {};
#define HEDDLE_PROPERTY(name) \
  template <>                 \
  struct is_property<property::name> : std::true_type {};
HEDDLE_PROPERTY(buffer::use_host_ptr)
HEDDLE_PROPERTY(buffer::use_mutex)
HEDDLE_PROPERTY(buffer::context_bound)
HEDDLE_PROPERTY(queue::enable_profiling)
HEDDLE_PROPERTY(queue::in_order)
HEDDLE_PROPERTY(reduction::initialize_to_identity)
HEDDLE_PROPERTY(no_init)
#undef HEDDLE_PROPERTY
template <typename T>
inline constexpr bool is_property_v = is_property<T>::value;
// Whether objects of a class may have a property: true where the class is declared.
template <typename Property, typename Object>
struct is_property_of : std::false_type {};
template <typename Property, typename Object>
inline constexpr bool is_property_of_v = is_property_of<Property, Object>::value;

namespace detail {

// Told apart by an address.
template <typename Property>
inline constexpr char property_key = 0;
struct property_node {
  const char *key;
  std::shared_ptr<const void> value;
  std::shared_ptr<const property_node> next;
};
[[noreturn]] void fail_no_property();

}  // namespace detail

class property_list {
 public:
  template <typename... Properties, typename = std::enable_if_t<(is_property_v<Properties> && ...)>>
  property_list(Properties... all) {
    (add(all), ...);
  }
  template <typename Property>
  bool has_property() const noexcept {
    return !!find(&detail::property_key<Property>);
  }
  // Throws errc::invalid where it is not there.
  template <typename Property>
  Property get_property() const {
    const void *value = find(&detail::property_key<Property>);
    if (!value)
      detail::fail_no_property();
    return *static_cast<const Property *>(value);
  }

 private:
  template <typename Property>
  void add(const Property &property) {
    first_ = std::make_shared<detail::property_node>(
        detail::property_node{&detail::property_key<Property>, std::make_shared<Property>(property), first_});
  }
  const void *find(const char *key) const noexcept {
    for (const detail::property_node *node = first_.get(); node; node = node->next.get())
      if (node->key == key)
        return node->value.get();
    return nullptr;
  }
  std::shared_ptr<const detail::property_node> first_;
};

}  // namespace sycl

#endif
