// SPDX-License-Identifier: Apache-2.0
// The loop of SYCL_INTEL_sub_group's text: the work-items of a sub-group share a range of any length.
#include <CL/sycl.hpp>
#include <cstdio>
#include <vector>

#include "example.hpp"

using namespace cl::sycl;

static int run() {
  constexpr int N = 1000;
  std::vector<int> visits(N, 0);
  {
    queue q;
    buffer<int, 1> buffer_of_visits(visits.data(), range<1>(N));
    q.submit([&](handler &h) {
      auto v_of = buffer_of_visits.get_access<access::mode::read_write>(h);
      h.parallel_for<class kernel>(nd_range<1>(8, 8), [=](nd_item<1> item) {
        intel::sub_group sg = item.get_sub_group();
        for (int v = sg.get_local_id(); v < N; v += sg.get_local_range())
          v_of[v] += 1;
      });
    });
  }
  for (int i = 0; i < N; i++) {
    if (visits[i] != 1) {
      std::printf("%d was visited %d times\n", i, visits[i]);
      return 1;
    }
  }
  std::printf("%d elements, each visited once\n", N);
  return 0;
}

int main(int argc, char **argv) {
  return example::run(argc, argv, "sycl-sub_group_loop",
                      "The loop of SYCL_INTEL_sub_group's text, over 1,000 elements.", run);
}
