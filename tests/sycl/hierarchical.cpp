// SPDX-License-Identifier: Apache-2.0
// Hierarchical kernels: SYCL 2020, section 4.9.4.2.3. A work-group's code runs once and its variables are all its
// work-items'; what it gives to parallel_for_work_item runs in all of them, and ends with a barrier.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "tests/sycl/suite.hpp"

namespace {

template <typename T>
using atomic = sycl::atomic_ref<T, sycl::memory_order::relaxed, sycl::memory_scope::device>;

// Memory that both sides see, of zeros.
template <typename T>
struct shared_numbers {
  sycl::queue &queue;
  T *const data;
  const std::size_t count;
  shared_numbers(sycl::queue &q, std::size_t n) : queue(q), data(sycl::malloc_shared<T>(n, q)), count(n) {
    std::fill(data, data + n, T());
  }
  ~shared_numbers() {
    sycl::free(data, queue);
  }
  void expect(const char *what, std::size_t i, T value) const {
    check(data[i] == value, "%s: number %zu is %g, expected %g", what, i, static_cast<double>(data[i]),
          static_cast<double>(value));
  }
};

struct pair_of_tables {
  int first[5], second[5];
};

// A function of the work-group's code. The table comes by value, as a variable of the group.
void add_table(const sycl::group<1> &g, pair_of_tables table, int *sums) {
  table.first[0] += 1000;
  g.parallel_for_work_item(sycl::range<1>(5), [&](sycl::h_item<1> i) {
    const std::size_t at = i.get_logical_local_id(0);
    sums[at] += table.first[4 - at] + table.second[at];
  });
}

int sum_of(const int *numbers, int count) {
  return std::accumulate(numbers, numbers + count, 0);
}

struct counted {
  int value = 7, copies[3] = {};
  int *destroyed = nullptr;
  ~counted() {
    if (destroyed)
      atomic<int>(*destroyed).fetch_add(value);
  }
};

}  // namespace

PROMISE(hierarchical, code_of_a_group_runs_once_and_that_of_items_in_all_of_them) {
  sycl::queue queue;
  constexpr std::size_t groups = 3, local = 20;
  shared_numbers<int> runs(queue, groups), items(queue, groups * local), lanes(queue, groups * local);
  queue.submit([&](sycl::handler &h) {
    int *const r = runs.data, *const out = items.data, *const lane = lanes.data;
    h.parallel_for_work_group(sycl::range<1>(groups), sycl::range<1>(local), [=](sycl::group<1> g) {
      atomic<int>(r[g.get_group_id(0)]).fetch_add(1);
      g.parallel_for_work_item([&](sycl::h_item<1> i) {
        atomic<int>(out[i.get_global_id(0)]).fetch_add(1);
        lane[i.get_global_id(0)] =
            static_cast<int>(sycl::ext::oneapi::this_work_item::get_sub_group().get_local_id()[0]);
      });
    });
  });
  queue.wait_and_throw();
  const auto size = static_cast<int>(sycl::device().get_info<sycl::info::device::primary_sub_group_size>());
  for (std::size_t i = 0; i < groups * local; i++) {
    runs.expect("runs of the group", i / local, 1);
    items.expect("runs of the work-item", i, 1);
    lanes.expect("its lane", i, static_cast<int>(i % local) % size);
  }
}

// Values, arrays and objects that are declared in the work-group's code; loops and branches of it around the calls; and
// functions that it calls.
PROMISE(hierarchical, variables_of_a_group_are_those_of_all_its_items) {
  sycl::queue queue;
  constexpr int groups = 3, local = 16, length = 40;
  shared_numbers<int> sums(queue, groups * 4), out(queue, groups * length), tables(queue, groups * 5);
  queue.submit([&](sycl::handler &h) {
    int *const sum = sums.data, *const to = out.data, *const table_sums = tables.data;
    h.parallel_for_work_group(sycl::range<1>(groups), sycl::range<1>(local), [=](sycl::group<1> g) {
      const int id = static_cast<int>(g.get_group_id(0));
      int values[length], runs = 0, i = 0;
      std::array<int, 3> steps = {1, 20, 300};
      for (const int step : steps) {
        if (id == 1 && step == 20)
          continue;
        g.parallel_for_work_item(sycl::range<1>(length), [&](sycl::h_item<1> item) {
          const int at = static_cast<int>(item.get_local_id(0));
          values[at] = at + step + id;
        });
        runs++;
        while (values[i] < step + id + 2)  // what the items wrote decides
          i++;
        sum[id * 4 + 1] = sum_of(values, length);
        if (step == 300 && id == 2)
          break;
        steps[2] = 300 + runs;
        g.parallel_for_work_item([&](sycl::h_item<1> item) { values[item.get_local_id(0)] += steps[2]; });
      }
      sum[id * 4] = runs;
      sum[id * 4 + 2] = i;
      sum[id * 4 + 3] = values[0];
      g.parallel_for_work_item(sycl::range<1>(length), [=](sycl::h_item<1> item) {
        const std::size_t at = item.get_local_id(0);
        to[id * length + static_cast<int>(at)] = values[length - 1 - at];
      });
      pair_of_tables table{{1, 2, 3, 4, 5}, {10, 20, 30, 40, id}};
      add_table(g, table, table_sums + id * 5);
      table.second[4] = 50;
      add_table(g, table, table_sums + id * 5);
    });
  });
  queue.wait_and_throw();
  for (int id = 0; id < groups; id++) {
    int values[length] = {}, runs = 0, i = 0, steps[] = {1, 20, 300}, sum = 0;
    for (const int &step : steps) {
      const int now = step;
      if (id == 1 && now == 20)
        continue;
      for (int at = 0; at < length; at++)
        values[at] = at + now + id;
      runs++;
      while (values[i] < now + id + 2)
        i++;
      sum = sum_of(values, length);
      if (now == 300 && id == 2)
        break;
      steps[2] = 300 + runs;
      for (int at = 0; at < local; at++)
        values[at] += steps[2];
    }
    sums.expect("runs", id * 4, runs);
    sums.expect("sum", id * 4 + 1, sum);
    sums.expect("where the loop ended", id * 4 + 2, i);
    sums.expect("first", id * 4 + 3, values[0]);
    for (int at = 0; at < length; at++)
      out.expect("values", id * length + at, values[length - 1 - at]);
    const int first[] = {1001, 2, 3, 4, 5}, second[] = {20, 40, 60, 80, id + 50};
    for (int at = 0; at < 5; at++)
      tables.expect("tables", id * 5 + at, 2 * first[4 - at] + second[at]);
  }
}

// A logical range may be smaller or larger than the work-group, in each dimension.
PROMISE(hierarchical, ranges_may_differ_from_the_group) {
  sycl::queue queue;
  const sycl::range<3> groups(2, 1, 2), local(2, 2, 4), logical(3, 1, 9);
  shared_numbers<int> seen(queue, 4 * logical.size()), wrong(queue, 4), few(queue, 4);
  queue.submit([&](sycl::handler &h) {
    int *const to = seen.data, *const bad = wrong.data, *const two = few.data;
    h.parallel_for_work_group(groups, local, [=](sycl::group<3> g) {
      const std::size_t id = g.get_group_linear_id();
      g.parallel_for_work_item(logical, [&](sycl::h_item<3> i) {
        atomic<int>(to[id * logical.size() + i.get_local().get_linear_id()]).fetch_add(1);
        bool is_right = i.get_logical_local_range() == logical && i.get_physical_local_range() == local &&
                        i.get_local_range() == logical && i.get_global_range() == groups * local &&
                        i.get_logical_local().get_id() == i.get_logical_local_id() &&
                        i.get_global().get_id() == i.get_global_id() && i.get_local().get_range() == logical &&
                        i.get_physical_local().get_range() == local;
        for (int d = 0; d < 3; d++)
          is_right = is_right && i.get_physical_local_id(d) == i.get_logical_local_id(d) % local[d] &&
                     i.get_global_id(d) == g[d] * local[d] + i.get_physical_local_id(d);
        if (!is_right)
          atomic<int>(bad[id]).fetch_add(1);
      });
      g.parallel_for_work_item(sycl::range<3>(1, 2, 1),
                               [&](sycl::h_item<3> i) { atomic<int>(two[id]).fetch_add(1 + i.get_local_id(1)); });
    });
  });
  queue.wait_and_throw();
  for (std::size_t i = 0; i < seen.count; i++)
    seen.expect("runs of an item", i, 1);
  for (std::size_t i = 0; i < 4; i++) {
    wrong.expect("items with wrong numbers", i, 0);
    few.expect("items of a small range", i, 3);
  }
}

PROMISE(hierarchical, private_memory_is_of_each_item) {
  sycl::queue queue;
  constexpr std::size_t groups = 2, local = 24;
  shared_numbers<int> out(queue, groups * local), destroyed(queue, groups), turns(queue, groups * local);
  queue.submit([&](sycl::handler &h) {
    int *const to = out.data, *const gone = destroyed.data, *const turn = turns.data;
    h.parallel_for_work_group(sycl::range<1>(groups), sycl::range<1>(local), [=](sycl::group<1> g) {
      for (int round = 0; round < 2; round++) {
        sycl::private_memory<counted> mine(g);
        sycl::private_memory<int> count(g);
        g.parallel_for_work_item([&](sycl::h_item<1> i) {
          mine(i).copies[2] = static_cast<int>(i.get_global_id(0)) + mine(i).value;
          mine(i).destroyed = gone + g.get_group_id(0);
          count(i) = 0;
        });
        g.parallel_for_work_item(sycl::range<1>(2 * local + 1), [&](sycl::h_item<1> i) { count(i)++; });
        g.parallel_for_work_item([&](sycl::h_item<1> i) {
          to[i.get_global_id(0)] += mine(i).copies[2];
          turn[i.get_global_id(0)] += count(i);
        });
      }
    });
  });
  queue.wait_and_throw();
  for (std::size_t i = 0; i < groups * local; i++) {
    out.expect("private memory", i, 2 * (static_cast<int>(i) + 7));
    turns.expect("turns of a work-item", i, i % local == 0 ? 6 : 4);
    destroyed.expect("values of those that were destroyed", i / local, 2 * local * 7);
  }
}

// By all work-items, though the work-group's code calls it.
PROMISE(hierarchical, code_of_a_group_copies_with_all_items) {
  sycl::queue queue;
  constexpr std::size_t groups = 2, local = 8, count = 50;
  shared_numbers<int> in(queue, groups * count), out(queue, groups * count);
  std::iota(in.data, in.data + in.count, 5);
  queue.submit([&](sycl::handler &h) {
    const sycl::global_ptr<int> from(in.data), to(out.data);
    sycl::local_accessor<int> part(sycl::range<1>(count), h);
    h.parallel_for_work_group(sycl::range<1>(groups), sycl::range<1>(local), [=](sycl::group<1> g) {
      const std::size_t first = g.get_group_id(0) * count;
      sycl::device_event here = g.async_work_group_copy(part.get_pointer(), from + first, count);
      here.wait();
      g.parallel_for_work_item(sycl::range<1>(count), [&](sycl::h_item<1> i) { part[i.get_local_id()] *= 2; });
      g.wait_for(g.async_work_group_copy(to + first, part.get_pointer(), count));
    });
  });
  queue.wait_and_throw();
  for (std::size_t i = 0; i < groups * count; i++)
    out.expect("copies", i, 2 * static_cast<int>(i + 5));
}

// Without a local range, by two dimensions, with a size that the kernel asks for; with a kernel_handler and a stream.
PROMISE(hierarchical, groups_have_a_size_that_suits_the_device) {
  sycl::queue queue;
  constexpr std::size_t groups = 6, count = 70;
  shared_numbers<int> out(queue, groups * count), sizes(queue, groups), asked(queue, 2);
  queue.submit([&](sycl::handler &h) {
    int *const to = out.data, *const size = sizes.data;
    h.parallel_for_work_group(sycl::range<2>(2, 3), [=](sycl::group<2> g, sycl::kernel_handler) {
      const std::size_t id = g.get_group_linear_id();
      size[id] = static_cast<int>(g.get_local_linear_range());
      g.parallel_for_work_item(sycl::range<2>(7, 10), [&](sycl::h_item<2> i) {
        to[id * count + i.get_local().get_linear_id()] += static_cast<int>(id);
      });
    });
  });
  queue.submit([&](sycl::handler &h) {
    int *const to = asked.data;
    h.parallel_for_work_group(sycl::range<1>(2), [=](sycl::group<1> g) [[sycl::reqd_work_group_size(6)]] {
      to[g.get_group_id(0)] = static_cast<int>(g.get_local_range(0));
    });
  });
  queue.wait_and_throw();
  for (std::size_t i = 0; i < groups * count; i++) {
    out.expect("items", i, static_cast<int>(i / count));
    check(sizes.data[i / count] > 1, "a work-group of %d work-items", sizes.data[i / count]);
  }
  for (std::size_t i = 0; i < 2; i++)
    asked.expect("the size asked for", i, 6);
}

// What all add up to is right, whatever is read in between: a tree of sums in a variable of the group.
PROMISE(hierarchical, barriers_are_between_the_calls) {
  sycl::queue queue;
  constexpr int groups = 4, count = 64;
  sycl::buffer<int> in{sycl::range<1>(groups * count)}, out{sycl::range<1>(groups)};
  {
    sycl::host_accessor values(in);
    for (int i = 0; i < groups * count; i++)
      values[i] = i * 7 % 23;
  }
  queue.submit([&](sycl::handler &h) {
    sycl::accessor from(in, h, sycl::read_only);
    sycl::accessor to(out, h, sycl::write_only);
    h.parallel_for_work_group(sycl::range<1>(groups), sycl::range<1>(count / 2), [=](sycl::group<1> g) {
      int sums[count];
      g.parallel_for_work_item(sycl::range<1>(count), [&](sycl::h_item<1> i) {
        sums[i.get_local_id(0)] = from[g.get_group_id(0) * count + i.get_local_id(0)];
      });
      for (std::size_t half = count / 2; half > 0; half /= 2)
        g.parallel_for_work_item(sycl::range<1>(half),
                                 [&](sycl::h_item<1> i) { sums[i.get_local_id(0)] += sums[i.get_local_id(0) + half]; });
      to[g.get_group_id(0)] = sums[0];
    });
  });
  sycl::host_accessor values(in, sycl::read_only), got(out, sycl::read_only);
  for (int g = 0; g < groups; g++) {
    int sum = 0;
    for (int i = 0; i < count; i++)
      sum += values[g * count + i];
    check(got[g] == sum, "sum %d is %d, expected %d", g, got[g], sum);
  }
}

// Words of a work-item stay together, whether its function has the stream itself or a copy.
PROMISE(hierarchical, code_of_groups_and_items_prints) {
#ifndef __SYCL_DEVICE_ONLY__
  std::fflush(stdout);
  std::FILE *const kept = std::tmpfile();
  const int terminal = dup(STDOUT_FILENO);
  dup2(fileno(kept), STDOUT_FILENO);
#endif
  {
    sycl::queue queue;
    queue.submit([&](sycl::handler &h) {
      sycl::stream out(4096, 256, h);
      h.parallel_for_work_group(sycl::range<1>(2), sycl::range<1>(8), [=](sycl::group<1> g) {
        out << "g" << g.get_group_id(0) << " ";
        g.parallel_for_work_item([&](sycl::h_item<1> i) { out << "r" << i.get_global_id(0) << " "; });
        g.parallel_for_work_item([=](sycl::h_item<1> i) { out << "c" << i.get_global_id(0) << " "; });
        g.parallel_for_work_item([=](sycl::h_item<1> i) { out << "e" << i.get_global_id(0) << sycl::endl; });
      });
    });
    queue.wait_and_throw();
  }
#ifndef __SYCL_DEVICE_ONLY__
  std::fflush(stdout);
  dup2(terminal, STDOUT_FILENO);
  close(terminal);
  std::string text(65536, 0);
  std::rewind(kept);
  text.resize(std::fread(text.data(), 1, text.size(), kept));
  std::fclose(kept);
  std::replace(text.begin(), text.end(), '\n', ' ');
  const auto count = [&](const std::string &word) {
    int times = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
      times += at == 0 || text[at - 1] == ' ';
    return times;
  };
  for (int i = 0; i < 16; i++)
    for (const char letter : {'r', 'c', 'e'})
      check(count(letter + std::to_string(i) + " ") == 1, "%c%d is not there once: %s", letter, i, text.c_str());
  check(count("g0 ") == 1 && count("g1 ") == 1, "the groups' words: %s", text.c_str());
#endif
}
