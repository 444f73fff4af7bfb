// SPDX-License-Identifier: Apache-2.0
// Every member of item, nd_item and group (SYCL 2020, 4.9.1.4, 4.9.1.5 and 4.9.1.7) against the ranges that the kernel
// was started with, in one to three dimensions that all differ.
#include <array>

#include "tests/sycl/suite.hpp"

namespace {

// What a work-item says, each in the order of SYCL's dimensions, dimension 0 slowest.
template <int D>
struct position {
  using numbers = std::array<std::uint32_t, D>;
  numbers global_id, global_id_of, local_id, local_id_of, group_id_of, group_range, group_range_of, global_range,
      global_range_of, local_range, local_range_of, offset;
  numbers nd_global, nd_local, nd_offset, nd_groups;
  numbers g_id, g_id_of, g_index, g_local_id, g_local_id_of, g_local_range, g_local_range_of, g_max_local_range,
      g_group_range, g_group_range_of;
  std::uint32_t global_linear, local_linear, group_linear, g_group_linear, g_local_linear, g_local_linear_range,
      g_group_linear_range, leader;
};

template <int D, typename T>
typename position<D>::numbers whole(const T &of) {
  typename position<D>::numbers result{};
  for (int i = 0; i < D; i++)
    result[i] = static_cast<std::uint32_t>(of[i]);
  return result;
}

// By the forms that take a dimension.
template <int D, typename F>
typename position<D>::numbers each(F of) {
  typename position<D>::numbers result{};
  for (int i = 0; i < D; i++)
    result[i] = static_cast<std::uint32_t>(of(i));
  return result;
}

template <int D>
position<D> position_of(const sycl::nd_item<D> &item) {
  const sycl::group<D> g = item.get_group();
  const sycl::nd_range<D> range = item.get_nd_range();
  return {whole<D>(item.get_global_id()),
          each<D>([&](int i) { return item.get_global_id(i); }),
          whole<D>(item.get_local_id()),
          each<D>([&](int i) { return item.get_local_id(i); }),
          each<D>([&](int i) { return item.get_group(i); }),
          whole<D>(item.get_group_range()),
          each<D>([&](int i) { return item.get_group_range(i); }),
          whole<D>(item.get_global_range()),
          each<D>([&](int i) { return item.get_global_range(i); }),
          whole<D>(item.get_local_range()),
          each<D>([&](int i) { return item.get_local_range(i); }),
          whole<D>(item.get_offset()),
          whole<D>(range.get_global_range()),
          whole<D>(range.get_local_range()),
          whole<D>(range.get_offset()),
          whole<D>(range.get_group_range()),
          whole<D>(g.get_group_id()),
          each<D>([&](int i) { return g.get_group_id(i); }),
          each<D>([&](int i) { return g[i]; }),
          whole<D>(g.get_local_id()),
          each<D>([&](int i) { return g.get_local_id(i); }),
          whole<D>(g.get_local_range()),
          each<D>([&](int i) { return g.get_local_range(i); }),
          whole<D>(g.get_max_local_range()),
          whole<D>(g.get_group_range()),
          each<D>([&](int i) { return g.get_group_range(i); }),
          static_cast<std::uint32_t>(item.get_global_linear_id()),
          static_cast<std::uint32_t>(item.get_local_linear_id()),
          static_cast<std::uint32_t>(item.get_group_linear_id()),
          static_cast<std::uint32_t>(g.get_group_linear_id()),
          static_cast<std::uint32_t>(g.get_local_linear_id()),
          static_cast<std::uint32_t>(g.get_local_linear_range()),
          static_cast<std::uint32_t>(g.get_group_linear_range()),
          g.leader()};
}

// The same, computed from the ranges.
template <int D>
position<D> expected_at(std::size_t linear, sycl::range<D> global, sycl::range<D> local, sycl::id<D> offset) {
  position<D> p{};
  typename position<D>::numbers at{}, in_group{}, group{}, groups{}, global_size{}, local_size{}, start{};
  std::size_t rest = linear;
  for (int i = D - 1; i >= 0; i--) {
    at[i] = static_cast<std::uint32_t>(rest % global[i]);
    rest /= global[i];
    in_group[i] = at[i] % static_cast<std::uint32_t>(local[i]);
    group[i] = at[i] / static_cast<std::uint32_t>(local[i]);
    groups[i] = static_cast<std::uint32_t>(global[i] / local[i]);
    global_size[i] = static_cast<std::uint32_t>(global[i]);
    local_size[i] = static_cast<std::uint32_t>(local[i]);
    start[i] = static_cast<std::uint32_t>(offset[i]);
  }
  std::uint32_t local_linear = 0, group_linear = 0, items = 1, all_groups = 1;
  typename position<D>::numbers with_offset{};
  for (int i = 0; i < D; i++) {
    with_offset[i] = at[i] + start[i];
    local_linear = local_linear * local_size[i] + in_group[i];
    group_linear = group_linear * groups[i] + group[i];
    items *= local_size[i];
    all_groups *= groups[i];
  }
  p.global_id = p.global_id_of = with_offset;
  p.local_id = p.local_id_of = p.g_local_id = p.g_local_id_of = in_group;
  p.group_id_of = p.g_id = p.g_id_of = p.g_index = group;
  p.group_range = p.group_range_of = p.g_group_range = p.g_group_range_of = p.nd_groups = groups;
  p.global_range = p.global_range_of = p.nd_global = global_size;
  p.local_range = p.local_range_of = p.g_local_range = p.g_local_range_of = p.g_max_local_range = p.nd_local =
      local_size;
  p.offset = p.nd_offset = start;
  p.global_linear = static_cast<std::uint32_t>(linear);
  p.local_linear = p.g_local_linear = local_linear;
  p.group_linear = p.g_group_linear = group_linear;
  p.g_local_linear_range = items;
  p.g_group_linear_range = all_groups;
  p.leader = local_linear == 0;
  return p;
}

template <int D>
void expect(const char *what, std::size_t item, const typename position<D>::numbers &expected,
            const typename position<D>::numbers &got) {
  for (int i = 0; i < D; i++) {
    check(expected[i] == got[i], "%s of work-item %zu, %d dimensions, dimension %d: expected %u, got %u", what, item, D,
          i, expected[i], got[i]);
  }
}

template <int D>
void check_positions(sycl::range<D> global, sycl::range<D> local, sycl::id<D> offset) {
  sycl::queue queue;
  const std::size_t items = global.size();
  position<D> *memory = sycl::malloc_device<position<D>>(items, queue);
  queue.memset(memory, 0x55, items * sizeof(position<D>));
  queue.parallel_for(sycl::nd_range<D>(global, local, offset),
                     [=](sycl::nd_item<D> item) { memory[item.get_global_linear_id()] = position_of(item); });
  std::vector<position<D>> results(items);
  queue.memcpy(results.data(), memory, items * sizeof(position<D>));
  queue.wait_and_throw();
  sycl::free(memory, queue);
  for (std::size_t i = 0; i < items; i++) {
    const position<D> e = expected_at(i, global, local, offset), &g = results[i];
#define EXPECT(member) expect<D>(#member, i, e.member, g.member)
    EXPECT(global_id), EXPECT(global_id_of), EXPECT(local_id), EXPECT(local_id_of), EXPECT(group_id_of);
    EXPECT(group_range), EXPECT(group_range_of), EXPECT(global_range), EXPECT(global_range_of), EXPECT(local_range);
    EXPECT(local_range_of), EXPECT(offset), EXPECT(nd_global), EXPECT(nd_local), EXPECT(nd_offset), EXPECT(nd_groups);
    EXPECT(g_id), EXPECT(g_id_of), EXPECT(g_index), EXPECT(g_local_id), EXPECT(g_local_id_of), EXPECT(g_local_range);
    EXPECT(g_local_range_of), EXPECT(g_max_local_range), EXPECT(g_group_range), EXPECT(g_group_range_of);
#undef EXPECT
    const auto same = [&](const char *what, std::uint32_t expected, std::uint32_t got) {
      check(expected == got, "%s of work-item %zu, %d dimensions: expected %u, got %u", what, i, D, expected, got);
    };
    same("nd_item::get_global_linear_id", e.global_linear, g.global_linear);
    same("nd_item::get_local_linear_id", e.local_linear, g.local_linear);
    same("nd_item::get_group_linear_id", e.group_linear, g.group_linear);
    same("group::get_group_linear_id", e.g_group_linear, g.g_group_linear);
    same("group::get_local_linear_id", e.g_local_linear, g.g_local_linear);
    same("group::get_local_linear_range", e.g_local_linear_range, g.g_local_linear_range);
    same("group::get_group_linear_range", e.g_group_linear_range, g.g_group_linear_range);
    same("group::leader", e.leader, g.leader);
  }
}

}  // namespace

PROMISE(items, of_nd_ranges_know_where_they_are) {
  check_positions<1>({24}, {8}, {0});
  check_positions<1>({20}, {4}, {7});
  check_positions<2>({6, 20}, {2, 5}, {0, 0});
  check_positions<2>({6, 20}, {2, 5}, {3, 11});
  check_positions<3>({4, 6, 20}, {2, 2, 5}, {0, 0, 0});
  check_positions<3>({4, 6, 20}, {2, 2, 5}, {5, 3, 9});
}

PROMISE(items, of_ranges_know_where_they_are) {
  struct simple {
    std::uint32_t id[3], id_of[3], index[3], range[3], range_of[3], linear;
  };
  sycl::queue queue;
  const sycl::range<3> range(3, 5, 7);
  simple *memory = sycl::malloc_device<simple>(range.size(), queue);
  queue.parallel_for(range, [=](sycl::item<3> item) {
    simple s;
    for (int i = 0; i < 3; i++) {
      s.id[i] = item.get_id()[i], s.id_of[i] = item.get_id(i), s.index[i] = item[i];
      s.range[i] = item.get_range()[i], s.range_of[i] = item.get_range(i);
    }
    s.linear = item.get_linear_id();
    memory[item.get_linear_id()] = s;
  });
  std::vector<simple> got(range.size());
  queue.memcpy(got.data(), memory, range.size() * sizeof(simple)).wait();
  sycl::free(memory, queue);
  for (std::uint32_t n = 0; n < range.size(); n++) {
    const std::uint32_t at[3] = {n / 35, n / 7 % 5, n % 7}, size[3] = {3, 5, 7};
    for (int i = 0; i < 3; i++) {
      check(got[n].id[i] == at[i] && got[n].id_of[i] == at[i] && got[n].index[i] == at[i],
            "id of item %u, dimension %d: expected %u, got %u, %u and %u", n, i, at[i], got[n].id[i], got[n].id_of[i],
            got[n].index[i]);
      check(got[n].range[i] == size[i] && got[n].range_of[i] == size[i],
            "range of item %u, dimension %d: expected %u, got %u and %u", n, i, size[i], got[n].range[i],
            got[n].range_of[i]);
    }
    check(got[n].linear == n, "linear id of item %u: got %u", n, got[n].linear);
  }
}

// A fence is no barrier: work-items that others do not follow call it. What is stored before it is there for whoever
// sees what is stored after it, here another sub-group of the work-group.
PROMISE(items, fence_memory_without_waiting_for_others) {
  sycl::queue queue;
  const std::size_t size = sycl::device().get_info<sycl::info::device::primary_sub_group_size>();
  const auto results = results_of<std::uint32_t>(queue, 2 * size, 2 * size, [&](sycl::nd_range<1> range, auto *out) {
    std::uint32_t *flag = sycl::malloc_device<std::uint32_t>(2, queue);
    queue.memset(flag, 0, 2 * sizeof *flag).wait();
    queue.parallel_for(range, [=](sycl::nd_item<1> item) {
      sycl::atomic_ref<std::uint32_t, sycl::memory_order::relaxed, sycl::memory_scope::work_group> ready(flag[0]);
      const std::size_t i = item.get_local_id(0);
      if (i == 0) {
        flag[1] = 1234;
        item.mem_fence();
        ready.store(1);
      }
      if (i == size) {
        while (ready.load() == 0) {
        }
        item.mem_fence(sycl::access::fence_space::global_space);
        out[size] = flag[1];
      } else {
        out[i] = static_cast<std::uint32_t>(i);
      }
    });
    queue.wait_and_throw();
    sycl::free(flag, queue);
  });
  for (std::size_t i = 0; i < 2 * size; i++) {
    const std::uint32_t expected = i == size ? 1234 : static_cast<std::uint32_t>(i);
    check(results[i] == expected, "work-item %zu: expected %u, got %u", i, expected, results[i]);
  }
}

// A barrier makes all wait: what any stored before it, all see behind it.
PROMISE(items, wait_for_each_other_at_a_barrier) {
  sycl::queue queue;
  constexpr std::size_t local = 32;
  const auto results = results_of<std::uint32_t>(queue, 2 * local, local, [&](sycl::nd_range<1> range, auto *out) {
    queue.parallel_for(range, [=](sycl::nd_item<1> item) {
      const std::size_t i = item.get_global_id(0), first = i - i % local;
      volatile std::uint32_t late = 0;
      for (std::size_t n = 0; n < (i % local) * 4; n++)
        late = late + 1;
      out[i] = static_cast<std::uint32_t>(i) + 1;
      item.barrier();
      const std::uint32_t other = out[first + (i + 13) % local];
      item.barrier(sycl::access::fence_space::global_space);
      out[i] = other;
    });
  });
  for (std::size_t i = 0; i < 2 * local; i++) {
    const auto expected = static_cast<std::uint32_t>(i - i % local + (i + 13) % local + 1);
    check(results[i] == expected, "work-item %zu: expected %u, got %u", i, expected, results[i]);
  }
}
