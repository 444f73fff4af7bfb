// SPDX-License-Identifier: Apache-2.0
// Properties: SYCL 2020, section 4.5.4. Those that a queue has, and of accessors no_init.
#ifndef HEDDLE_SYCL_PROPERTY_HPP
#define HEDDLE_SYCL_PROPERTY_HPP

#include "detail/defines.hpp"

namespace sycl {

namespace property {
namespace queue {
struct enable_profiling {};
struct in_order {};
}  // namespace queue
namespace reduction {
struct initialize_to_identity {};
}  // namespace reduction
struct no_init {};
}  // namespace property
inline constexpr property::no_init no_init;

class property_list {
 public:
  template <typename... Properties>
  property_list(Properties... properties) {
    (add(properties), ...);
  }
  template <typename Property>
  bool has_property() const {
    return (bits_ & bit(Property())) != 0;
  }

 private:
  static constexpr unsigned bit(property::queue::enable_profiling) {
    return 1;
  }
  static constexpr unsigned bit(property::queue::in_order) {
    return 2;
  }
  static constexpr unsigned bit(property::no_init) {
    return 4;
  }
  static constexpr unsigned bit(property::reduction::initialize_to_identity) {
    return 8;
  }
  template <typename Property>
  void add(Property property) {
    bits_ |= bit(property);
  }
  unsigned bits_ = 0;
};

}  // namespace sycl

#endif
