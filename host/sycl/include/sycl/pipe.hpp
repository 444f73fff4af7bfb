// SPDX-License-Identifier: Apache-2.0
// Pipes between kernels, as Intel's extension for FPGAs has them: sycl::ext::intel::pipe. A pipe is a type, and has
// packets in the order in which they were written. It is OpenCL's, which the runtime makes for each context
// (runtime/pipes.cpp); between two pipelines of a device it is a queue on the chip (docs/decisions/sycl-pipes.md).
#ifndef HEDDLE_SYCL_PIPE_HPP
#define HEDDLE_SYCL_PIPE_HPP

#include "sycl.hpp"

namespace sycl {

namespace detail {

#ifdef __SYCL_DEVICE_ONLY__
// Its address stands for the pipe.
template <typename Name, typename T, std::int32_t Capacity>
inline const char HEDDLE_GLOBAL pipe_mark = 0;
#endif

}  // namespace detail

namespace ext::intel {

// Packets of T. There is room for `Capacity` at least. Nothing is written to or read from the host.
template <typename Name, typename T, std::int32_t Capacity = 0>
class pipe {
  static_assert(is_device_copyable_v<T>, "a packet is copied by its bytes");
  static_assert(Capacity >= 0, "a pipe's capacity is a number of packets");

 public:
  using value_type = T;
  static constexpr std::int32_t min_capacity = Capacity;
  pipe() = delete;

  // Waits for a packet, for ever if nobody writes one.
  static T read() {
    bool is_there = false;
    for (;;) {
      const T packet = read(is_there);
      if (is_there)
        return packet;
    }
  }
  // Does not wait. Without a packet the result is anything.
  static T read(bool &is_there) {
#ifdef __SYCL_DEVICE_ONLY__
    sycl::detail::room_of<T> room;
    is_there = sycl::detail::device::pipe_read(&sycl::detail::pipe_mark<Name, T, Capacity>, &room.value, sizeof(T),
                                               alignof(T), Capacity) == 0;
    return room.value;
#else
    (void)is_there;
    sycl::detail::not_on_host(__func__);
#endif
  }
  // Waits for room.
  static void write(const T &packet) {
    bool is_written = false;
    while (!is_written)
      write(packet, is_written);
  }
  static void write(const T &packet, bool &is_written) {
#ifdef __SYCL_DEVICE_ONLY__
    is_written = sycl::detail::device::pipe_write(&sycl::detail::pipe_mark<Name, T, Capacity>, &packet, sizeof(T),
                                                  alignof(T), Capacity) == 0;
#else
    (void)packet, (void)is_written;
    sycl::detail::not_on_host(__func__);
#endif
  }

  // Named so that a program which uses them is told what is missing.
  template <typename... Rest>
  static T read(queue &, Rest &&...) {
    refuse<Rest...>();
  }
  template <typename... Rest>
  static void write(queue &, Rest &&...) {
    refuse<Rest...>();
  }

 private:
  template <typename... Rest>
  [[noreturn]] static void refuse() {
    static_assert(sizeof...(Rest) == static_cast<std::size_t>(-1),
                  "pipes between host and kernels are not supported; pipes between kernels are");
  }
};

}  // namespace ext::intel

// Properties say how a pipe's ports look, and nothing here.
namespace ext::intel::experimental {
template <typename Name, typename T, std::int32_t Capacity = 0, typename Properties = void>
using pipe = intel::pipe<Name, T, Capacity>;
}

}  // namespace sycl

#endif
