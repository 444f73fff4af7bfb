// SPDX-License-Identifier: Apache-2.0
// How the examples begin and end, which is not what they are there to show: --help, Heddle found in its checkout, and
// an exception, or output that is lost, as one line with exit status 1.
#ifndef HEDDLE_SYCL_EXAMPLE_HPP
#define HEDDLE_SYCL_EXAMPLE_HPP

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>

// host/tools/checkout.h, where the build of a checkout links it; an example that was copied does without.
extern "C" __attribute__((weak)) void heddle_use_checkout(void);

namespace example {

// The exit status of an example that ends with `status`: 1 if not all that it printed could be written.
inline int end(const char *name, int status) {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0)
    return status;
  std::fprintf(stderr, "%s: standard output cannot be written: %s\n", name,
               errno != 0 ? std::strerror(errno) : "a write failed");
  return status != 0 ? status : 1;
}

// Runs `body`, the whole example, and returns its exit status.
inline int run(int argc, char **argv, const char *name, const char *what, int (*body)()) {
  if (argc > 1) {
    const bool helps = std::strcmp(argv[1], "--help") == 0 || std::strcmp(argv[1], "-h") == 0;
    std::fprintf(helps ? stdout : stderr,
                 "usage: %s\n%s\nHEDDLE_SYCL_DEVICE=sim or model chooses the device. Exit status: 0 right, 1 wrong or "
                 "failed, 2 wrong usage\n",
                 name, what);
    return end(name, helps ? 0 : 2);
  }
  if (heddle_use_checkout)
    heddle_use_checkout();
  try {
    return end(name, body());
  } catch (const std::exception &failed) {
    std::fprintf(stderr, "%s: %s\n", name, failed.what());
    return 1;
  }
}

}  // namespace example

#endif
