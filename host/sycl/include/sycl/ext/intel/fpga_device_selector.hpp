// SPDX-License-Identifier: Apache-2.0
// The selectors alone, where programs look for them.
#ifndef HEDDLE_SYCL_EXT_INTEL_FPGA_DEVICE_SELECTOR_HPP
#define HEDDLE_SYCL_EXT_INTEL_FPGA_DEVICE_SELECTOR_HPP

#include "sycl/ext/intel/fpga_extensions.hpp"

#endif
