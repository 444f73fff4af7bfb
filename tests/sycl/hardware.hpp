// SPDX-License-Identifier: Apache-2.0
// What suites of kernels as hardware share. DEVICE_OF_KERNELS is the program: beside it are .hw, which heddle-sycl++
// --hardware made, and .so, a device of it.
#ifndef HEDDLE_TESTS_SYCL_HARDWARE_HPP
#define HEDDLE_TESTS_SYCL_HARDWARE_HPP

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "tests/sycl/suite.hpp"

// Of the report that heddle-sycl++ --hardware wrote: what it says of a kernel.
inline std::string report_of(const std::string &kernel) {
  std::ifstream file(DEVICE_OF_KERNELS ".hw/report.txt");
  std::string all = "\n";
  all.append(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  const std::size_t from = all.find("\nkernel " + kernel + ":");
  check(from != std::string::npos, "kernel %s is not in the report", kernel.c_str());
  return all.substr(from, all.find("\nkernel ", from + 1) - from);
}

// `may_meet`: rounds may come to the same words, and wait where they do.
inline void check_overlap(const char *kernel, bool may_meet) {
  const std::string report = report_of(kernel);
  check(report.find(": 1 lane,") != std::string::npos, "%s has several lanes: %s", kernel, report.c_str());
  check(report.find(" overlap: the next begins") != std::string::npos &&
            (report.find(", or where it meets one in front of it") != std::string::npos) == may_meet,
        "rounds of %s: %s", kernel, report.c_str());
}

// A queue's handler of errors that keeps what they say.
inline sycl::async_handler keep_in(std::string &said) {
  return [&said](const sycl::exception_list &errors) {
    for (const std::exception_ptr &error : errors) {
      try {
        std::rethrow_exception(error);
      } catch (const sycl::exception &e) {
        said += e.what();
      }
    }
  };
}

#endif
