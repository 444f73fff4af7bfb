// SPDX-License-Identifier: Apache-2.0
// SYCL for Heddle's devices: the part of SYCL 2020 that nd-range kernels with sub-groups need, and
// SYCL_INTEL_sub_group. Compile with heddle-sycl++.
#ifndef HEDDLE_SYCL_SYCL_HPP
#define HEDDLE_SYCL_SYCL_HPP

#if !defined(__clang__) || !(defined(SYCL_DEVICE_ONLY) || defined(__SYCL_DEVICE_ONLY__) || defined(HEDDLE_SYCL_UNIT))
#error "this header is compiled by heddle-sycl++"
#endif

// Many programs expect these here.
#include <cfloat>
#include <climits>
#include <cmath>
#include <iostream>
#include <numeric>

#include "detail/keep_macros.hpp"

// Behind the names that are put aside.
#include "accessor.hpp"
#include "atomic_ref.hpp"
#include "backend.hpp"
#include "buffer.hpp"
#include "detail/assert.hpp"
#include "detail/complex_functions.hpp"
#include "device.hpp"
#include "event.hpp"
#include "exception.hpp"
#include "functional.hpp"
#include "group.hpp"
#include "group_algorithms.hpp"
#include "handler.hpp"
#include "image.hpp"
#include "kernel.hpp"
#include "kernel_handler.hpp"
#include "maths.hpp"
#include "multi_ptr.hpp"
#include "nd_item.hpp"
#include "printf.hpp"
#include "queue.hpp"
#include "range.hpp"
#include "reduction.hpp"
#include "span.hpp"
#include "stream.hpp"
#include "sub_group.hpp"
#include "usm.hpp"
#include "vec.hpp"

// The names of SYCL 1.2.1, and of the sub-group extension.
namespace sycl::intel {
using sycl::sub_group;
}
namespace sycl::ext::oneapi {
using sycl::sub_group, sycl::memory_order, sycl::memory_scope, sycl::plus, sycl::multiplies, sycl::minimum,
    sycl::maximum, sycl::bit_and, sycl::bit_or, sycl::bit_xor, sycl::reduction;
}
namespace sycl::ONEAPI {
using namespace sycl::ext::oneapi;
}
namespace sycl {
using byte = unsigned char;
using cl_bool = bool;
using cl_char = std::int8_t;
using cl_uchar = std::uint8_t;
using cl_short = std::int16_t;
using cl_ushort = std::uint16_t;
using cl_int = std::int32_t;
using cl_uint = std::uint32_t;
using cl_long = std::int64_t;
using cl_ulong = std::uint64_t;
using cl_half = half;
using cl_float = float;
using cl_double = double;
}  // namespace sycl
namespace cl {
namespace sycl = ::sycl;
}

// What is equal has one hash: SYCL 2020, sections 4.5.2 and 4.5.3.
namespace std {
#define HEDDLE_HASH(parameters, type, address)                         \
  template <parameters>                                                \
  struct hash<type> {                                                  \
    size_t operator()(const type &x) const noexcept {                  \
      return hash<const void *>()(static_cast<const void *>(address)); \
    }                                                                  \
  };
#define HEDDLE_COMMA ,
HEDDLE_HASH(, sycl::platform, x.impl.get())
HEDDLE_HASH(, sycl::device, x.impl.get())
HEDDLE_HASH(, sycl::context, x.impl.get())
HEDDLE_HASH(, sycl::queue, x.impl.get())
HEDDLE_HASH(, sycl::event, x.impl.get())
HEDDLE_HASH(, sycl::kernel, x.impl.get())
HEDDLE_HASH(, sycl::kernel_id, x.get_name())
HEDDLE_HASH(, sycl::stream, x.cell())
HEDDLE_HASH(sycl::bundle_state State, sycl::kernel_bundle<State>, x.impl().get())
HEDDLE_HASH(typename T HEDDLE_COMMA int D HEDDLE_COMMA typename A, sycl::buffer<T HEDDLE_COMMA D HEDDLE_COMMA A>,
            x.impl().get())
HEDDLE_HASH(int D HEDDLE_COMMA typename A, sycl::image<D HEDDLE_COMMA A>, x.impl().get())
HEDDLE_HASH(int D HEDDLE_COMMA typename A, sycl::sampled_image<D HEDDLE_COMMA A>, x.impl().get())
HEDDLE_HASH(int D HEDDLE_COMMA typename A, sycl::unsampled_image<D HEDDLE_COMMA A>, x.impl().get())
HEDDLE_HASH(typename T HEDDLE_COMMA int D, sycl::local_accessor<T HEDDLE_COMMA D>, x.cell())
HEDDLE_HASH(typename T HEDDLE_COMMA int D HEDDLE_COMMA sycl::access_mode Mode,
            sycl::host_accessor<T HEDDLE_COMMA D HEDDLE_COMMA Mode>, x.get_pointer())
#undef HEDDLE_COMMA
#undef HEDDLE_HASH
template <typename T, int D, sycl::access_mode Mode, sycl::target Target, sycl::access::placeholder P>
struct hash<sycl::accessor<T, D, Mode, Target, P>> {
  size_t operator()(const sycl::accessor<T, D, Mode, Target, P> &x) const noexcept {
    if constexpr (Target == sycl::target::host_buffer)
      return hash<const void *>()(x.get_pointer());
    else
      return hash<const void *>()(x.cell());
  }
};
}  // namespace std

#include "detail/restore_macros.hpp"

#endif
