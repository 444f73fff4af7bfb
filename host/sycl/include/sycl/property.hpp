// SPDX-License-Identifier: Apache-2.0
// Properties: SYCL 2020, section 4.5.4. Those that queues, accessors and reductions have.
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

namespace detail {

// A bit for each property.
template <typename Property>
inline constexpr unsigned property_bit = 0;
template <>
inline constexpr unsigned property_bit<property::queue::enable_profiling> = 1;
template <>
inline constexpr unsigned property_bit<property::queue::in_order> = 2;
template <>
inline constexpr unsigned property_bit<property::no_init> = 4;
template <>
inline constexpr unsigned property_bit<property::reduction::initialize_to_identity> = 8;

}  // namespace detail

class property_list {
 public:
  template <typename... Properties, typename = std::enable_if_t<((detail::property_bit<Properties> != 0) && ...)>>
  property_list(Properties...) : bits_((detail::property_bit<Properties> | ... | 0u)) {}
  template <typename Property>
  bool has_property() const {
    return (bits_ & detail::property_bit<Property>) != 0;
  }

 private:
  unsigned bits_ = 0;
};

}  // namespace sycl

#endif
