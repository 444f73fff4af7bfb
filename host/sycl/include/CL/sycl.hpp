// SPDX-License-Identifier: Apache-2.0
// The header by its name of SYCL 1.2.1.
#include "../sycl/sycl.hpp"
