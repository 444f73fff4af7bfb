// SPDX-License-Identifier: Apache-2.0
// Unified shared memory in its device form: SYCL 2020, section 4.8. A pointer is an address of the device in its lower
// half; the upper half belongs to that device, and to the host nothing is there: it must not read or write through it.
#ifndef HEDDLE_SYCL_USM_HPP
#define HEDDLE_SYCL_USM_HPP

#include "queue.hpp"

namespace sycl {

namespace usm {
enum class alloc { host, device, shared, unknown };
}  // namespace usm

void *malloc_device(std::size_t bytes, const device &, const context &);
void *aligned_alloc_device(std::size_t alignment, std::size_t bytes, const device &, const context &);
// No device has these: they throw errc::feature_not_supported.
void *malloc_host(std::size_t bytes, const context &);
void *malloc_shared(std::size_t bytes, const device &, const context &);
void free(void *pointer, const context &);

usm::alloc get_pointer_type(const void *pointer, const context &);
device get_pointer_device(const void *pointer, const context &);

inline void *malloc_device(std::size_t bytes, const queue &q) {
  return malloc_device(bytes, q.get_device(), q.get_context());
}
template <typename T>
T *malloc_device(std::size_t count, const device &d, const context &c) {
  return static_cast<T *>(aligned_alloc_device(alignof(T), count * sizeof(T), d, c));
}
template <typename T>
T *malloc_device(std::size_t count, const queue &q) {
  return malloc_device<T>(count, q.get_device(), q.get_context());
}
inline void *malloc_host(std::size_t bytes, const queue &q) {
  return malloc_host(bytes, q.get_context());
}
template <typename T>
T *malloc_host(std::size_t count, const queue &q) {
  return static_cast<T *>(malloc_host(count * sizeof(T), q.get_context()));
}
inline void *malloc_shared(std::size_t bytes, const queue &q) {
  return malloc_shared(bytes, q.get_device(), q.get_context());
}
template <typename T>
T *malloc_shared(std::size_t count, const queue &q) {
  return static_cast<T *>(malloc_shared(count * sizeof(T), q.get_device(), q.get_context()));
}
inline void free(void *pointer, const queue &q) {
  free(pointer, q.get_context());
}

}  // namespace sycl

#endif
