// SPDX-License-Identifier: Apache-2.0
// assert in kernels: what the C library calls when a condition does not hold. It says so as the library does, and the
// kernel ends with an error.
#ifndef HEDDLE_SYCL_DETAIL_ASSERT_HPP
#define HEDDLE_SYCL_DETAIL_ASSERT_HPP

#include <cassert>

#include "../printf.hpp"

#ifdef __SYCL_DEVICE_ONLY__
extern "C" HEDDLE_INLINE void __assert_fail(const char *condition, const char *file, unsigned line,
                                            const char *function) noexcept {
  sycl::detail::device::printf("%s:%u: %s: Assertion `%s' failed.\n", file, line, function, condition);
  __builtin_trap();
}
#endif

#endif
