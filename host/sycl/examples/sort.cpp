// SPDX-License-Identifier: Apache-2.0
// A larger program: radix sort, four bits a pass, of keys with their values. Each pass counts digits by work-group,
// scans the counts, and scatters: a key's place is that of its digit and work-group, and how many of the work-group's
// keys before it have the digit, which is a scan over the work-group.
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <sycl/sycl.hpp>
#include <vector>

#include "example.hpp"

namespace {

constexpr std::uint32_t bits = 4, digits = 1 << bits, group_items = 64;

struct pairs {
  std::uint32_t *keys, *values;
};

// counts[digit * groups + group]
sycl::event count(sycl::queue &q, pairs from, std::uint32_t *counts, std::uint32_t groups, std::uint32_t shift) {
  return q.parallel_for(sycl::nd_range<1>(groups * group_items, group_items), [=](sycl::nd_item<1> item) {
    const std::uint32_t digit = from.keys[item.get_global_id(0)] >> shift & (digits - 1);
    const auto group = item.get_group();
    for (std::uint32_t d = 0; d < digits; d++) {
      const std::uint32_t n = sycl::reduce_over_group(group, digit == d ? 1u : 0u, sycl::plus<>());
      if (group.leader())
        counts[d * groups + item.get_group(0)] = n;
    }
  });
}

// One work-group scans them all.
sycl::event scan(sycl::queue &q, std::uint32_t *counts, std::uint32_t length) {
  return q.parallel_for(sycl::nd_range<1>(group_items, group_items), [=](sycl::nd_item<1> item) {
    sycl::joint_exclusive_scan(item.get_group(), counts, counts + length, counts, sycl::plus<>());
  });
}

sycl::event scatter(sycl::queue &q, pairs from, pairs to, const std::uint32_t *places, std::uint32_t groups,
                    std::uint32_t shift) {
  return q.parallel_for(sycl::nd_range<1>(groups * group_items, group_items), [=](sycl::nd_item<1> item) {
    const std::size_t i = item.get_global_id(0);
    const std::uint32_t key = from.keys[i], digit = key >> shift & (digits - 1);
    std::uint32_t place = 0;
    for (std::uint32_t d = 0; d < digits; d++) {
      const std::uint32_t before =
          sycl::exclusive_scan_over_group(item.get_group(), digit == d ? 1u : 0u, sycl::plus<>());
      place = digit == d ? places[d * groups + item.get_group(0)] + before : place;
    }
    to.keys[place] = key;
    to.values[place] = from.values[i];
  });
}

}  // namespace

static int run() {
  constexpr std::uint32_t N = 1024, groups = N / group_items;
  std::vector<std::uint32_t> keys(N), values(N);
  std::iota(values.begin(), values.end(), 0);
  std::uint32_t random = 12345;
  for (std::uint32_t &key : keys) {
    random = random * 1664525 + 1013904223;
    key = random >> 16;  // 16 bits, so that some are equal
  }
  const std::vector<std::uint32_t> unsorted = keys;

  sycl::queue q;
  const auto make = [&] {
    return pairs{sycl::malloc_device<std::uint32_t>(N, q), sycl::malloc_device<std::uint32_t>(N, q)};
  };
  pairs from = make(), to = make();
  std::uint32_t *counts = sycl::malloc_device<std::uint32_t>(digits * groups, q);
  q.copy(keys.data(), from.keys, N);
  q.copy(values.data(), from.values, N);
  for (std::uint32_t shift = 0; shift < 16; shift += bits) {
    count(q, from, counts, groups, shift);
    scan(q, counts, digits * groups);
    scatter(q, from, to, counts, groups, shift);
    std::swap(from, to);
  }
  q.copy(static_cast<const std::uint32_t *>(from.keys), keys.data(), N);
  q.copy(static_cast<const std::uint32_t *>(from.values), values.data(), N);
  q.wait_and_throw();
  for (std::uint32_t *memory : {from.keys, from.values, to.keys, to.values, counts})
    sycl::free(memory, q);

  std::vector<std::uint32_t> order(N);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](auto a, auto b) { return unsorted[a] != unsorted[b] ? unsorted[a] < unsorted[b] : a < b; });
  for (std::uint32_t i = 0; i < N; i++) {
    if (values[i] != order[i] || keys[i] != unsorted[order[i]]) {
      std::printf("element %u: %u of %u, expected %u of %u\n", i, keys[i], values[i], unsorted[order[i]], order[i]);
      return 1;
    }
  }
  std::printf("%u pairs sorted, equal keys in order\n", N);
  return 0;
}

int main(int argc, char **argv) {
  return example::run(argc, argv, "sycl-sort", "Sorts keys with their values by radix, with scans over work-groups.",
                      run);
}
