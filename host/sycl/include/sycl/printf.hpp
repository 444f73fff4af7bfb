// SPDX-License-Identifier: Apache-2.0
// printf in kernels, as OpenCL C has it: sycl_ext_oneapi_experimental's.
#ifndef HEDDLE_SYCL_PRINTF_HPP
#define HEDDLE_SYCL_PRINTF_HPP

#include <cstdio>

#include "detail/defines.hpp"

namespace sycl {

#ifdef __SYCL_DEVICE_ONLY__
namespace detail::device {
int printf(const char *format, ...) __asm__("__heddle_builtinprintf");
}
#endif

namespace ext::oneapi::experimental {

// The format is a constant. What is printed comes when the kernel has ended.
template <typename Format, typename... Arguments>
int printf(const Format *format, Arguments... arguments) {
#ifdef __SYCL_DEVICE_ONLY__
  return detail::device::printf((const char *)format, arguments...);
#else
  return std::printf((const char *)format, arguments...);
#endif
}

}  // namespace ext::oneapi::experimental
}  // namespace sycl

#endif
