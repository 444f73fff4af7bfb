// SPDX-License-Identifier: Apache-2.0
// Sizes of work-groups: as large as the queries say, which is lanes times slots, and no larger.
#include "tests/sycl/suite.hpp"

namespace {

// A work-group that turns its part around, by local memory and a barrier.
template <int D>
void turn(sycl::queue &queue, const sycl::nd_range<D> &range, int *data) {
  queue.submit([&](sycl::handler &h) {
    const sycl::local_accessor<int, 1> row(range.get_local_range().size(), h);
    h.parallel_for(range, [=](sycl::nd_item<D> item) {
      const std::size_t at = item.get_local_linear_id(), size = item.get_local_range().size();
      const std::size_t first = item.get_group_linear_id() * size;
      row[at] = data[first + at];
      sycl::group_barrier(item.get_group());
      data[first + at] = row[size - 1 - at];
    });
  });
}

void expect_turned(const int *data, std::size_t groups, std::size_t size, const char *what) {
  for (std::size_t i = 0; i < groups * size; i++) {
    const std::size_t expected = i / size * size + size - 1 - i % size;
    check(data[i] == static_cast<int>(expected), "%s: element %zu is %d, expected %zu", what, i, data[i], expected);
  }
}

}  // namespace

// With HEDDLE_SIM_LANES=32 that is a work-group of 1,024.
PROMISE(work_groups, of_the_largest_size_run) {
  sycl::queue queue;
  const sycl::device device = queue.get_device();
  const std::size_t most = device.get_info<sycl::info::device::max_work_group_size>();
  check(most == device.get_info<sycl::info::device::max_num_sub_groups>() *
                    device.get_info<sycl::info::device::primary_sub_group_size>(),
        "the largest work-group, %zu, is not what fits", most);
  check(device.get_info<sycl::info::device::max_work_item_sizes<1>>()[0] == most &&
            device.get_info<sycl::info::device::max_work_item_sizes<3>>()[2] == most,
        "sizes of one dimension");
  int *data = sycl::malloc_shared<int>(2 * most, queue);
  const auto number = [&] {
    for (std::size_t i = 0; i < 2 * most; i++)
      data[i] = static_cast<int>(i);
  };
  number();
  turn(queue, sycl::nd_range<1>(2 * most, most), data);
  queue.wait_and_throw();
  expect_turned(data, 2, most, "one dimension");
  number();
  turn(queue, sycl::nd_range<3>({4, most / 4, 2}, {2, most / 4, 2}), data);
  queue.wait_and_throw();
  expect_turned(data, 2, most, "three dimensions");
  sycl::free(data, queue);
}

PROMISE(work_groups, that_are_too_large_are_refused_with_the_size_that_is_there) {
  sycl::queue queue;
  const std::size_t most = queue.get_device().get_info<sycl::info::device::max_work_group_size>();
  int *data = sycl::malloc_device<int>(4 * most, queue);
  const auto refused = [&](const auto &range) {
    std::string words;
    try {
      turn(queue, range, data);
      queue.wait_and_throw();
    } catch (const sycl::exception &e) {
      words = e.code() == sycl::errc::nd_range ? e.what() : "another code";
    }
    check(words.find("room for " + std::to_string(most)) != std::string::npos, "what was thrown: %s", words.c_str());
  };
  refused(sycl::nd_range<1>(2 * most, 2 * most));
  refused(sycl::nd_range<1>(most + 1, most + 1));
  refused(sycl::nd_range<2>({2, most}, {2, most}));
  refused(sycl::nd_range<3>({4, most, 1}, {4, most, 1}));
  sycl::free(data, queue);
}

// Twice as many slots as there are; a simulated device has them if it is asked to.
PROMISE(work_groups, that_are_too_large_are_told_with_the_slots_that_they_need) {
  sycl::queue queue;
  const std::size_t most = queue.get_device().get_info<sycl::info::device::max_work_group_size>();
  const std::size_t slots = 2 * queue.get_device().get_info<sycl::info::device::max_num_sub_groups>();
  int *data = sycl::malloc_device<int>(2 * most, queue);
  std::string words;
  try {
    turn(queue, sycl::nd_range<1>(2 * most, 2 * most), data);
    queue.wait_and_throw();
  } catch (const sycl::exception &e) {
    words = e.what();
  }
  check(words.find("HEDDLE_SIM_SLOTS=" + std::to_string(slots) + " ") != std::string::npos, "what was thrown: %s",
        words.c_str());
  sycl::free(data, queue);
}
