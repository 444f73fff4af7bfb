// SPDX-License-Identifier: Apache-2.0
// Criterion suites of SYCL programs. The device pass reads the same source, but has no use for Criterion.
#ifndef HEDDLE_TESTS_SYCL_SUITE_HPP
#define HEDDLE_TESTS_SYCL_SUITE_HPP

#include <sycl/sycl.hpp>

#ifdef __SYCL_DEVICE_ONLY__
#define PROMISE(suite, name) [[maybe_unused]] static void suite##_##name()
inline void check(bool, const char *, ...) {}
#else
#include <criterion/criterion.h>

#include <cstdarg>
#include <cstdio>

// A Criterion test. Kernels are in a function that both passes call the same.
#define PROMISE(suite, name)    \
  static void suite##_##name(); \
  Test(suite, name) {           \
    suite##_##name();           \
  }                             \
  static void suite##_##name()

// Fails the test with a message unless `is_right`.
__attribute__((format(printf, 2, 3))) inline void check(bool is_right, const char *format, ...) {
  char text[1024];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  cr_assert(is_right, "%s", text);
}
#endif

#include <string>
#include <vector>

// What a kernel leaves in memory of the device, element by element.
template <typename T, typename F>
std::vector<T> results_of(sycl::queue &queue, std::size_t global, std::size_t local, const F &start) {
  T *memory = sycl::malloc_device<T>(global, queue);
  queue.memset(memory, 0x55, global * sizeof(T));
  start(sycl::nd_range<1>(global, local), memory);
  std::vector<T> results(global);
  queue.memcpy(results.data(), memory, global * sizeof(T));
  queue.wait_and_throw();
  sycl::free(memory, queue);
  return results;
}

#endif
