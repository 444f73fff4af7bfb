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
#include "buffer.hpp"
#include "device.hpp"
#include "event.hpp"
#include "exception.hpp"
#include "functional.hpp"
#include "group.hpp"
#include "group_algorithms.hpp"
#include "handler.hpp"
#include "kernel.hpp"
#include "maths.hpp"
#include "multi_ptr.hpp"
#include "nd_item.hpp"
#include "queue.hpp"
#include "range.hpp"
#include "reduction.hpp"
#include "sub_group.hpp"
#include "usm.hpp"
#include "vec.hpp"

// The names of SYCL 1.2.1, and of the sub-group extension.
namespace sycl::intel {
using sycl::sub_group;
}
namespace sycl::ext::oneapi {
using sycl::sub_group;
}
namespace cl {
namespace sycl = ::sycl;
}

#endif
