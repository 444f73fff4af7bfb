// SPDX-License-Identifier: Apache-2.0
// heddle-sycl++ --hardware: kernels of a SYCL program on pipelines of their own, on a Verilated device without a
// programmable unit, so that what runs runs on them. Results are worked out here.
#include "tests/sycl/hardware.hpp"

#include <cstring>
#include <numeric>

#ifndef __SYCL_DEVICE_ONLY__
// Before anything of OpenCL is asked.
static const int on_pipelines = setenv("HEDDLE_HARDWARE", DEVICE_OF_KERNELS ".so", 1);
#endif

namespace {

constexpr std::size_t items = 240, local_items = 48;

std::vector<int> inputs() {
  std::vector<int> in(items);
  for (std::size_t i = 0; i < items; i++)
    in[i] = static_cast<int>(i * i % 97) - 40;
  return in;
}

}  // namespace

class scan_of_sub_groups;

PROMISE(hardware, a_device_has_pipelines_alone) {
  const sycl::device device = sycl::queue().get_device();
  check(device.get_info<sycl::info::device::name>() == "Heddle sim (kernel pipelines)", "it is %s",
        device.get_info<sycl::info::device::name>().c_str());
}

PROMISE(hardware, a_scan_of_sub_groups_runs_on_its_pipeline) {
  const std::vector<int> in = inputs();
  std::vector<int> out(items), sizes(items);
  {
    sycl::queue queue;
    sycl::buffer<int> from(in), to(out), size_of(sizes);
    queue.submit([&](sycl::handler &h) {
      const sycl::accessor x(from, h, sycl::read_only);
      const sycl::accessor y(to, h, sycl::write_only);
      const sycl::accessor size(size_of, h, sycl::write_only);
      h.parallel_for<scan_of_sub_groups>(sycl::nd_range<1>(items, local_items), [=](sycl::nd_item<1> item) {
        const std::size_t i = item.get_global_id(0);
        y[i] = sycl::inclusive_scan_over_group(item.get_sub_group(), x[i], sycl::plus<>());
        size[i] = static_cast<int>(item.get_sub_group().get_local_range()[0]);
      });
    });
  }
  for (std::size_t i = 0, sum = 0; i < items; i++) {
    sum = i % 4 == 0 ? static_cast<std::size_t>(in[i]) : sum + static_cast<std::size_t>(in[i]);
    check(sizes[i] == 4, "a sub-group of %d, the pipeline has 4 lanes", sizes[i]);
    check(out[i] == static_cast<int>(sum), "%zu: %d, not %d", i, out[i], static_cast<int>(sum));
  }
}

PROMISE(hardware, a_local_accessor_is_local_memory_of_the_pipeline) {
  const std::vector<int> in = inputs();
  std::vector<int> out(items);
  const int factor = 3;
  {
    sycl::queue queue;
    sycl::buffer<int> from(in), to(out);
    queue.submit([&](sycl::handler &h) {
      const sycl::accessor x(from, h, sycl::read_only);
      const sycl::accessor y(to, h, sycl::write_only);
      const sycl::local_accessor<int> tile(local_items, h);
      h.parallel_for(sycl::nd_range<1>(items, local_items), [=](sycl::nd_item<1> item) {
        const std::size_t l = item.get_local_id(0);
        tile[l] = x[item.get_global_id(0)] * factor;
        sycl::group_barrier(item.get_group());
        y[item.get_global_id(0)] = tile[local_items - 1 - l];
      });
    });
  }
  for (std::size_t i = 0; i < items; i++) {
    const std::size_t mirrored = i / local_items * local_items + local_items - 1 - i % local_items;
    check(out[i] == factor * in[mirrored], "%zu: %d, not %d", i, out[i], factor * in[mirrored]);
  }
}

// A kernel of another object file of the device's, as it demands a size; its pipeline has 8 lanes.
PROMISE(hardware, sub_groups_are_as_large_as_a_kernel_demands) {
  sycl::queue queue;
  const std::vector<int> sums =
      results_of<int>(queue, items, local_items, [&](const sycl::nd_range<1> &range, int *memory) {
        queue.parallel_for(range, [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(8)]] {
          const std::size_t i = item.get_global_id(0);
          memory[i] = sycl::reduce_over_group(item.get_sub_group(), static_cast<int>(i), sycl::plus<>());
        });
      });
  for (std::size_t i = 0; i < items; i++) {
    const int first = static_cast<int>(i / 8 * 8);
    check(sums[i] == 8 * first + 28, "%zu: %d, not %d", i, sums[i], 8 * first + 28);
  }
}

PROMISE(hardware, work_groups_are_shared_out_among_copies_and_atomics_hold) {
  sycl::queue queue;
  unsigned *counts = sycl::malloc_device<unsigned>(16, queue);
  queue.memset(counts, 0, 16 * sizeof *counts);
  queue.parallel_for<class histogram>(sycl::nd_range<1>(items, local_items), [=](sycl::nd_item<1> item) {
    const unsigned i = static_cast<unsigned>(item.get_global_id(0));
    sycl::atomic_ref<unsigned, sycl::memory_order::relaxed, sycl::memory_scope::device> count(counts[i * i % 16]);
    count.fetch_add(1);
  });
  unsigned got[16], wanted[16] = {0};
  queue.memcpy(got, counts, sizeof got);
  queue.wait_and_throw();
  sycl::free(counts, queue);
  for (unsigned i = 0; i < items; i++)
    wanted[i * i % 16]++;
  for (unsigned i = 0; i < 16; i++)
    check(got[i] == wanted[i], "count %u is %u, not %u", i, got[i], wanted[i]);
}

// The leader's lane and the others meet at the barriers; variables of the work-group are local memory.
PROMISE(hardware, work_groups_of_hierarchical_kernels_run_on_their_pipeline) {
  sycl::queue queue;
  constexpr int groups = 5, local = 12, count = 2 * local;
  int *out = sycl::malloc_shared<int>(groups, queue);
  queue.submit([&](sycl::handler &h) {
    h.parallel_for_work_group<class hierarchical>(sycl::range<1>(groups), sycl::range<1>(local), [=](sycl::group<1> g) {
      int numbers[count];
      const int id = static_cast<int>(g.get_group_id(0));
      sycl::private_memory<int> mine(g);
      g.parallel_for_work_item([&](sycl::h_item<1> i) { mine(i) = static_cast<int>(i.get_local_id(0)) * id; });
      g.parallel_for_work_item(sycl::range<1>(count), [&](sycl::h_item<1> i) {
        numbers[i.get_local_id(0)] = static_cast<int>(i.get_local_id(0)) + mine(i);
      });
      int sum = 0;
      for (int i = 0; i < count; i++)
        sum += numbers[i];
      out[id] = sum;
    });
  });
  queue.wait_and_throw();
  for (int id = 0; id < groups; id++) {
    const int expected = count * (count - 1) / 2 + id * local * (local - 1);
    check(out[id] == expected, "group %d: %d, not %d", id, out[id], expected);
  }
  sycl::free(out, queue);
}

// A single_task is a kernel of one work-item: it has one lane, and its rounds overlap where memory allows it.
PROMISE(hardware, rounds_of_a_single_task_overlap_as_its_pointers_allow) {
  sycl::queue queue;
  constexpr int count = 300;
  int *in = sycl::malloc_shared<int>(count, queue), *out = sycl::malloc_shared<int>(count, queue);
  for (int i = 0; i < count; i++)
    in[i] = i * 7 % 31;
  int expected = 0;
  for (int i = 0; i < count; i++)
    expected += in[i];
  queue.single_task<class task_sum>([=]() {
    int sum = 0;
    for (int i = 0; i < count; i++)
      sum += in[i];
    *out = sum;
  });
  queue.wait_and_throw();
  check(*out == expected, "a sum is %d, not %d", *out, expected);
  check_overlap("task_sum", false);
  // The task's counter is captured, too: it is no pointer.
  for (int shift = 0; shift < 2; shift++) {
    queue.single_task<class task_restrict>([=]() [[intel::kernel_args_restrict]] {
      for (int i = 0; i + shift < count; i++)
        out[i] = in[i + shift] * 3;
    });
    queue.wait_and_throw();
    for (int i = 0; i + shift < count; i++)
      check(out[i] == in[i + shift] * 3, "word %d is %d, not %d", i, out[i], in[i + shift] * 3);
  }
  check_overlap("task_restrict", false);
  // The same memory: each word is what its neighbour has become.
  out[0] = 5;
  queue.single_task<class task_in_order>([from = out, to = out + 1]() {
    for (int i = 0; i + 1 < count; i++)
      to[i] = from[i] + 2;
  });
  queue.wait_and_throw();
  for (int i = 0; i < count; i++)
    check(out[i] == 5 + 2 * i, "word %d is %d, not %d", i, out[i], 5 + 2 * i);
  check_overlap("task_in_order", true);
  sycl::free(in, queue);
  sycl::free(out, queue);
}

PROMISE(hardware, rounds_of_a_single_task_overlap_as_its_accessors_allow) {
  const std::vector<int> in = inputs();
  std::vector<int> out(items);
  {
    sycl::queue queue;
    sycl::buffer<int> from(in), to(out);
    queue.submit([&](sycl::handler &h) {
      const sycl::accessor x(from, h, sycl::read_only);
      const sycl::accessor y(to, h, sycl::write_only);
      h.single_task<class task_accessors>([=]() [[intel::kernel_args_restrict]] {
        for (std::size_t i = 0; i < items; i++)
          y[i] = x[i] * 5;
      });
    });
  }
  for (std::size_t i = 0; i < items; i++)
    check(out[i] == in[i] * 5, "word %zu is %d, not %d", i, out[i], in[i] * 5);
  check_overlap("task_accessors", false);
}

// The access is in a header.
PROMISE(hardware, a_fault_has_the_line_of_the_user) {
  std::string said;
  sycl::queue queue(keep_in(said));
  constexpr int here = __LINE__;
  int *nowhere = nullptr;
  queue.parallel_for<class faulty>(sycl::nd_range<1>(items, local_items), [=](sycl::nd_item<1> item) {
    sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device> word(nowhere[item.get_global_id(0)]);
    word.fetch_add(1);
  });
  queue.wait_and_throw();
  const std::string wanted = "access to unmapped memory, tests/sycl/hardware.cpp:" + std::to_string(here + 4) + ",";
  check(said.find(wanted) != std::string::npos, "no '%s' in: %s", wanted.c_str(), said.c_str());
}

class totals_of_64_bits;

// Their lock is a variable of the program's.
PROMISE(hardware, atomic_operations_of_64_bits_are_hardware) {
  const std::vector<int> in = inputs();
  long sum = -7, most = 0;
  {
    sycl::queue queue;
    sycl::buffer<int> from(in);
    sycl::buffer<long> sums(&sum, 1), mosts(&most, 1);
    queue.submit([&](sycl::handler &h) {
      const sycl::accessor x(from, h, sycl::read_only);
      const sycl::accessor all(sums, h), largest(mosts, h);
      h.parallel_for<totals_of_64_bits>(items, [=](sycl::id<1> i) {
        const long value = static_cast<long>(x[i]) << 32;
        sycl::atomic_ref<long, sycl::memory_order::relaxed, sycl::memory_scope::device>(all[0]) += value;
        sycl::atomic_ref<long, sycl::memory_order::relaxed, sycl::memory_scope::device>(largest[0])
            .fetch_max(value + 1);
      });
    });
  }
  long expected = -7, largest = 0;
  for (const int value : in) {
    expected += static_cast<long>(value) << 32;
    largest = std::max(largest, (static_cast<long>(value) << 32) + 1);
  }
  check(sum == expected && most == largest, "%ld and %ld, not %ld and %ld", sum, most, expected, largest);
}
