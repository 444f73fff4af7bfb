// SPDX-License-Identifier: Apache-2.0
// A sum by shuffles: each sub-group adds pairs at half the distance in each round, and its first work-item adds to the
// whole.
#include <cstdio>
#include <numeric>
#include <sycl/sycl.hpp>
#include <vector>

#include "example.hpp"

static int run() {
  constexpr std::size_t N = 4096, group = 64;
  std::vector<int> numbers(N);
  std::iota(numbers.begin(), numbers.end(), -1000);
  sycl::queue q;
  int *in = sycl::malloc_device<int>(N, q), *sum = sycl::malloc_device<int>(1, q), result = 0;
  q.memcpy(in, numbers.data(), N * sizeof(int));
  q.memset(sum, 0, sizeof(int));
  q.parallel_for<class Sum>(sycl::nd_range<1>(N, group), [=](sycl::nd_item<1> item) {
    const auto sg = item.get_sub_group();
    int x = in[item.get_global_id(0)];
    for (std::uint32_t distance = sg.get_max_local_range()[0] / 2; distance > 0; distance /= 2)
      x += sg.shuffle_xor(x, sycl::id<1>(distance));
    if (sg.get_local_linear_id() == 0)
      sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device>(*sum) += x;
  });
  q.memcpy(&result, sum, sizeof result).wait_and_throw();
  sycl::free(in, q);
  sycl::free(sum, q);
  const int expected = std::accumulate(numbers.begin(), numbers.end(), 0);
  std::printf("sum %d, expected %d\n", result, expected);
  return result != expected;
}

int main(int argc, char **argv) {
  return example::run(argc, argv, "sycl-reduce", "Adds numbers by shuffles in each sub-group.", run);
}
