// SPDX-License-Identifier: Apache-2.0
// What the two passes over a source share: macros. The device pass (__SYCL_DEVICE_ONLY__) makes kernels, the host pass
// the program that starts them.
#ifndef HEDDLE_SYCL_DETAIL_DEFINES_HPP
#define HEDDLE_SYCL_DETAIL_DEFINES_HPP

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#define SYCL_LANGUAGE_VERSION 202012L
#define CL_SYCL_LANGUAGE_VERSION 121
#define SYCL_IMPLEMENTATION_HEDDLE 1
#define SYCL_FEATURE_SET_FULL 1
#define SYCL_DEVICE_COPYABLE 1     // a program may say of its types that they are
#ifndef SYCL_EXT_ONEAPI_SUB_GROUP  // heddle-sycl++ defines it ahead of every source
#define SYCL_EXT_ONEAPI_SUB_GROUP 1
#endif

#ifdef __SYCL_DEVICE_ONLY__
#define SYCL_EXTERNAL [[clang::sycl_external]]
// The body of a function of kernels. To the host it is a call that must not happen.
#define HEDDLE_ON_DEVICE(...) __VA_ARGS__
#define HEDDLE_ELEMENT_ON_DEVICE(...) __VA_ARGS__  // of an accessor: what its subscripts and pointers stand on
#define HEDDLE_GLOBAL __attribute__((opencl_global))
#define HEDDLE_LOCAL __attribute__((opencl_local))
#else
#define SYCL_EXTERNAL
#define HEDDLE_ON_DEVICE(...) ::sycl::detail::not_on_host(__func__)
#define HEDDLE_ELEMENT_ON_DEVICE(...) ::sycl::detail::element_not_on_host()
#define HEDDLE_GLOBAL
#define HEDDLE_LOCAL
#endif
#define HEDDLE_INLINE inline __attribute__((always_inline))

// One of a translation unit; heddle-sycl++ sets it, so that kernels of two units that have one name do not meet.
#ifndef HEDDLE_SYCL_UNIT
#define HEDDLE_SYCL_UNIT 0ull
#endif

#ifndef __SYCL_DEVICE_ONLY__
namespace sycl::detail {
// Throws: a function that only kernels have was called by the host.
[[noreturn]] void not_on_host(const char *function);
// Throws: the host asked for what an accessor of a command stands for.
[[noreturn]] void element_not_on_host();
}  // namespace sycl::detail
#endif

#endif
