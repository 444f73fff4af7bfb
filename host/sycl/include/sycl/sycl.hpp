// SPDX-License-Identifier: Apache-2.0
// SYCL for Heddle's devices: the part of SYCL 2020 that nd-range kernels with sub-groups need, and
// SYCL_INTEL_sub_group. Compile with heddle-sycl++.
#ifndef HEDDLE_SYCL_SYCL_HPP
#define HEDDLE_SYCL_SYCL_HPP

#if !defined(__clang__) || !(defined(SYCL_DEVICE_ONLY) || defined(__SYCL_DEVICE_ONLY__) || defined(HEDDLE_SYCL_UNIT))
#error "this header is compiled by heddle-sycl++"
#endif

#include <iostream>  // which many programs expect here

#include "accessor.hpp"
#include "atomic_ref.hpp"
#include "backend.hpp"
#include "buffer.hpp"
#include "device.hpp"
#include "event.hpp"
#include "exception.hpp"
#include "functional.hpp"
#include "group.hpp"
#include "group_algorithms.hpp"
#include "handler.hpp"
#include "kernel.hpp"
#include "kernel_handler.hpp"
#include "maths.hpp"
#include "multi_ptr.hpp"
#include "nd_item.hpp"
#include "printf.hpp"
#include "queue.hpp"
#include "range.hpp"
#include "reduction.hpp"
#include "stream.hpp"
#include "sub_group.hpp"
#include "unsupported.hpp"
#include "usm.hpp"
#include "vec.hpp"

// The names of SYCL 1.2.1, and of the sub-group extension.
namespace sycl::intel {
using sycl::sub_group;
}
namespace sycl::ext::oneapi {
using sycl::sub_group;
}
namespace sycl::ONEAPI {
using namespace sycl::ext::oneapi;
}
namespace sycl {
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

#endif
