// SPDX-License-Identifier: Apache-2.0
// For programs that were written for Intel's FPGAs: their selectors choose a Heddle device, and what only says how a
// circuit is to be laid out says nothing here (docs/how-to/from-intels-sdk-for-fpgas.md).
#ifndef HEDDLE_SYCL_EXT_INTEL_FPGA_EXTENSIONS_HPP
#define HEDDLE_SYCL_EXT_INTEL_FPGA_EXTENSIONS_HPP

#include <cstdint>

#include "sycl/sycl.hpp"

namespace sycl::ext::intel {

// A simulated device and a board are chosen alike: by which of them there is, or HEDDLE_SYCL_DEVICE.
inline int fpga_selector_v(const device &candidate) {
  return accelerator_selector_v(candidate);
}
inline int fpga_simulator_selector_v(const device &candidate) {
  return accelerator_selector_v(candidate);
}
inline int fpga_emulator_selector_v(const device &candidate) {
  return accelerator_selector_v(candidate);
}
using fpga_selector = accelerator_selector;
using fpga_simulator_selector = accelerator_selector;
using fpga_emulator_selector = accelerator_selector;

template <typename T>
HEDDLE_INLINE T fpga_reg(const T &value) {
  return value;
}

// Ways to reach memory; every load and store is made as the compiler finds best.
template <bool>
struct burst_coalesce {};
template <std::int32_t>
struct cache {};
template <bool>
struct prefetch {};
template <bool>
struct statically_coalesce {};

template <typename... Ways>
class lsu final {
 public:
  lsu() = delete;
  template <typename T, access::address_space Space, access::decorated Decorated>
  HEDDLE_INLINE static T load(multi_ptr<T, Space, Decorated> from) {
    return *from;
  }
  template <typename T>
  HEDDLE_INLINE static T load(const T *from) {
    return *from;
  }
  template <typename T, access::address_space Space, access::decorated Decorated>
  HEDDLE_INLINE static void store(multi_ptr<T, Space, Decorated> to, T value) {
    *to = value;
  }
  template <typename T>
  HEDDLE_INLINE static void store(T *to, T value) {
    *to = value;
  }
};

}  // namespace sycl::ext::intel

#include "../../pipe.hpp"

#endif
