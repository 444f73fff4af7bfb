// SPDX-License-Identifier: Apache-2.0
// A histogram: each work-group counts in its local memory, then adds to the whole.
#include <cstdio>
#include <sycl/sycl.hpp>
#include <vector>

#include "example.hpp"

static int run() {
  constexpr std::size_t N = 8192, bins = 16, group = 64;
  std::vector<unsigned char> values(N);
  for (std::size_t i = 0; i < N; i++)
    values[i] = static_cast<unsigned char>((i * i + 7 * i) % 251);
  std::vector<int> counts(bins, 0), expected(bins, 0);
  for (unsigned char v : values)
    expected[v * bins / 256]++;
  {
    sycl::queue q;
    sycl::buffer<unsigned char> in(values.data(), sycl::range<1>(N));
    sycl::buffer<int> out(counts.data(), sycl::range<1>(bins));
    q.submit([&](sycl::handler &h) {
      sycl::accessor from(in, h, sycl::read_only);
      sycl::accessor to(out, h, sycl::read_write);
      sycl::local_accessor<int> mine(sycl::range<1>(bins), h);
      h.parallel_for<class Histogram>(sycl::nd_range<1>(1024, group), [=](sycl::nd_item<1> item) {
        using atomic_in_group = sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::work_group>;
        using atomic_in_all = sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device>;
        const std::size_t local = item.get_local_id(0);
        if (local < bins)
          mine[local] = 0;
        sycl::group_barrier(item.get_group());
        for (std::size_t i = item.get_global_id(0); i < N; i += item.get_global_range(0))
          atomic_in_group(mine[from[i] * bins / 256])++;
        sycl::group_barrier(item.get_group());
        if (local < bins)
          atomic_in_all(to[local]) += mine[local];
      });
    });
    q.wait_and_throw();
  }
  for (std::size_t i = 0; i < bins; i++)
    std::printf("%3zu %5d%s\n", i, counts[i], counts[i] == expected[i] ? "" : "  wrong");
  return counts != expected;
}

int main(int argc, char **argv) {
  return example::run(argc, argv, "sycl-histogram", "Counts bytes in 16 bins, by atomics in local memory.", run);
}
