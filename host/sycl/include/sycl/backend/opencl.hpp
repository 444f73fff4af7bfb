// SPDX-License-Identifier: Apache-2.0
// What is OpenCL's in SYCL, by the name that the text has for it (section 4.1).
#include "../sycl.hpp"
