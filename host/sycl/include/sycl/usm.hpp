// SPDX-License-Identifier: Apache-2.0
// Unified shared memory: SYCL 2020, section 4.8. A pointer to device memory is an address of the device in its lower
// half; the upper half belongs to that device, and to the host nothing is there: it must not read or write through it.
// Shared and host memory has the same address on both sides, and what one of them has changed is moved when a command
// starts and when the host has waited for one.
#ifndef HEDDLE_SYCL_USM_HPP
#define HEDDLE_SYCL_USM_HPP

#include "queue.hpp"

namespace sycl {

namespace usm {
enum class alloc { host, device, shared, unknown };
}  // namespace usm

// Alignments are powers of two up to a page of 4,096 bytes; 0 is any. nullptr: another alignment, or there is no room.
void *aligned_alloc_device(std::size_t alignment, std::size_t bytes, const device &, const context &,
                           const property_list & = {});
// nullptr also where addresses of the device are taken in the host. malloc_host throws
// errc::feature_not_supported in a context of several devices.
void *aligned_alloc_shared(std::size_t alignment, std::size_t bytes, const device &, const context &,
                           const property_list & = {});
void *aligned_alloc_host(std::size_t alignment, std::size_t bytes, const context &, const property_list & = {});
// No command uses the memory any more.
void free(void *pointer, const context &);

usm::alloc get_pointer_type(const void *pointer, const context &);
device get_pointer_device(const void *pointer, const context &);

inline void *aligned_alloc_device(std::size_t alignment, std::size_t bytes, const queue &q,
                                  const property_list &p = {}) {
  return aligned_alloc_device(alignment, bytes, q.get_device(), q.get_context(), p);
}
inline void *aligned_alloc_shared(std::size_t alignment, std::size_t bytes, const queue &q,
                                  const property_list &p = {}) {
  return aligned_alloc_shared(alignment, bytes, q.get_device(), q.get_context(), p);
}
inline void *aligned_alloc_host(std::size_t alignment, std::size_t bytes, const queue &q, const property_list &p = {}) {
  return aligned_alloc_host(alignment, bytes, q.get_context(), p);
}

// Of bytes and of elements, for a device and for a queue's.
#define HEDDLE_ALLOCATE(kind)                                                                                      \
  inline void *malloc_##kind(std::size_t bytes, const device &d, const context &c, const property_list &p = {}) {  \
    return aligned_alloc_##kind(8, bytes, d, c, p);                                                                \
  }                                                                                                                \
  inline void *malloc_##kind(std::size_t bytes, const queue &q, const property_list &p = {}) {                     \
    return aligned_alloc_##kind(8, bytes, q, p);                                                                   \
  }                                                                                                                \
  template <typename T>                                                                                            \
  T *aligned_alloc_##kind(std::size_t alignment, std::size_t count, const device &d, const context &c,             \
                          const property_list &p = {}) {                                                           \
    return static_cast<T *>(                                                                                       \
        aligned_alloc_##kind(alignment > alignof(T) ? alignment : alignof(T), count * sizeof(T), d, c, p));        \
  }                                                                                                                \
  template <typename T>                                                                                            \
  T *aligned_alloc_##kind(std::size_t alignment, std::size_t count, const queue &q, const property_list &p = {}) { \
    return aligned_alloc_##kind<T>(alignment, count, q.get_device(), q.get_context(), p);                          \
  }                                                                                                                \
  template <typename T>                                                                                            \
  T *malloc_##kind(std::size_t count, const device &d, const context &c, const property_list &p = {}) {            \
    return aligned_alloc_##kind<T>(alignof(T), count, d, c, p);                                                    \
  }                                                                                                                \
  template <typename T>                                                                                            \
  T *malloc_##kind(std::size_t count, const queue &q, const property_list &p = {}) {                               \
    return aligned_alloc_##kind<T>(alignof(T), count, q.get_device(), q.get_context(), p);                         \
  }
HEDDLE_ALLOCATE(device)
HEDDLE_ALLOCATE(shared)
#undef HEDDLE_ALLOCATE
inline void *malloc_host(std::size_t bytes, const context &c, const property_list &p = {}) {
  return aligned_alloc_host(8, bytes, c, p);
}
inline void *malloc_host(std::size_t bytes, const queue &q, const property_list &p = {}) {
  return aligned_alloc_host(8, bytes, q.get_context(), p);
}
template <typename T>
T *aligned_alloc_host(std::size_t alignment, std::size_t count, const context &c, const property_list &p = {}) {
  return static_cast<T *>(aligned_alloc_host(alignment > alignof(T) ? alignment : alignof(T), count * sizeof(T), c, p));
}
template <typename T>
T *aligned_alloc_host(std::size_t alignment, std::size_t count, const queue &q, const property_list &p = {}) {
  return aligned_alloc_host<T>(alignment, count, q.get_context(), p);
}
template <typename T>
T *malloc_host(std::size_t count, const context &c, const property_list &p = {}) {
  return aligned_alloc_host<T>(alignof(T), count, c, p);
}
template <typename T>
T *malloc_host(std::size_t count, const queue &q, const property_list &p = {}) {
  return aligned_alloc_host<T>(alignof(T), count, q.get_context(), p);
}

// Of a kind that is chosen when the program runs; nullptr for usm::alloc::unknown.
inline void *aligned_alloc(std::size_t alignment, std::size_t bytes, const device &d, const context &c, usm::alloc kind,
                           const property_list &p = {}) {
  return kind == usm::alloc::device   ? aligned_alloc_device(alignment, bytes, d, c, p)
         : kind == usm::alloc::shared ? aligned_alloc_shared(alignment, bytes, d, c, p)
         : kind == usm::alloc::host   ? aligned_alloc_host(alignment, bytes, c, p)
                                      : nullptr;
}
inline void *aligned_alloc(std::size_t alignment, std::size_t bytes, const queue &q, usm::alloc kind,
                           const property_list &p = {}) {
  return aligned_alloc(alignment, bytes, q.get_device(), q.get_context(), kind, p);
}
template <typename T>
T *aligned_alloc(std::size_t alignment, std::size_t count, const device &d, const context &c, usm::alloc kind,
                 const property_list &p = {}) {
  return static_cast<T *>(
      aligned_alloc(alignment > alignof(T) ? alignment : alignof(T), count * sizeof(T), d, c, kind, p));
}
template <typename T>
T *aligned_alloc(std::size_t alignment, std::size_t count, const queue &q, usm::alloc kind,
                 const property_list &p = {}) {
  return aligned_alloc<T>(alignment, count, q.get_device(), q.get_context(), kind, p);
}
inline void *malloc(std::size_t bytes, const device &d, const context &c, usm::alloc kind,
                    const property_list &p = {}) {
  return aligned_alloc(8, bytes, d, c, kind, p);
}
inline void *malloc(std::size_t bytes, const queue &q, usm::alloc kind, const property_list &p = {}) {
  return aligned_alloc(8, bytes, q, kind, p);
}
template <typename T>
T *malloc(std::size_t count, const device &d, const context &c, usm::alloc kind, const property_list &p = {}) {
  return aligned_alloc<T>(alignof(T), count, d, c, kind, p);
}
template <typename T>
T *malloc(std::size_t count, const queue &q, usm::alloc kind, const property_list &p = {}) {
  return aligned_alloc<T>(alignof(T), count, q, kind, p);
}
inline void free(void *pointer, const queue &q) {
  free(pointer, q.get_context());
}

// For containers of the host: SYCL 2020, section 4.8.3.
template <typename T, usm::alloc Kind, std::size_t Alignment = 0>
class usm_allocator {
  static_assert(Kind == usm::alloc::shared || Kind == usm::alloc::host, "a container's elements are used by the host");

 public:
  using value_type = T;
  using propagate_on_container_copy_assignment = std::true_type;
  using propagate_on_container_move_assignment = std::true_type;
  using propagate_on_container_swap = std::true_type;
  template <typename U>
  struct rebind {
    using other = usm_allocator<U, Kind, Alignment>;
  };

  usm_allocator(const context &c, const device &d, const property_list & = {}) : context_(c), device_(d) {}
  usm_allocator(const queue &q, const property_list & = {}) : context_(q.get_context()), device_(q.get_device()) {}
  template <typename U>
  usm_allocator(const usm_allocator<U, Kind, Alignment> &other) noexcept
      : context_(other.context_), device_(other.device_) {}

  T *allocate(std::size_t count) {
    void *made =
        aligned_alloc(Alignment > alignof(T) ? Alignment : alignof(T), count * sizeof(T), device_, context_, Kind);
    if (!made)
      throw exception(errc::memory_allocation, "usm_allocator: there is no memory");
    return static_cast<T *>(made);
  }
  void deallocate(T *pointer, std::size_t) {
    free(pointer, context_);
  }
  template <typename U>
  friend bool operator==(const usm_allocator &a, const usm_allocator<U, Kind, Alignment> &b) {
    return a.context_ == b.context_ && a.device_ == b.device_;
  }
  template <typename U>
  friend bool operator!=(const usm_allocator &a, const usm_allocator<U, Kind, Alignment> &b) {
    return !(a == b);
  }

 private:
  template <typename U, usm::alloc K, std::size_t A>
  friend class usm_allocator;
  context context_;
  device device_;
};

}  // namespace sycl

#endif
