// SPDX-License-Identifier: Apache-2.0
// Group functions and algorithms of SYCL 2020, for sub-groups and work-groups, against the same in C++ on the host.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/sycl/suite.hpp"

namespace {

constexpr std::size_t local_items = 20, items = 2 * local_items;

template <typename T>
T value_of(std::size_t i) {
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(static_cast<int>(i * 5 % 17) - 8) / 2;  // sums are exact in any order
  else
    return static_cast<T>((i * 37 + i / 3) % 101);
}

// Begin of each sub-group or work-group of a work-group, and the end of the last.
std::vector<std::size_t> groups_of(bool is_sub_group) {
  const std::size_t size = sycl::device().get_info<sycl::info::device::primary_sub_group_size>();
  std::vector<std::size_t> starts;
  for (std::size_t first = 0; first < items; first += local_items)
    for (std::size_t i = 0; i < local_items; i += is_sub_group ? size : local_items)
      starts.push_back(first + i);
  starts.push_back(items);
  return starts;
}

template <typename T>
struct folded {
  T reduced, inclusive, exclusive, reduced_from, inclusive_from, exclusive_from;
};

template <bool IsSubGroup, typename Item>
auto group_of(const Item &item) {
  if constexpr (IsSubGroup)
    return item.get_sub_group();
  else
    return item.get_group();
}

template <bool IsSubGroup, typename T, typename F>
void check_folds(const char *what, F f) {
  sycl::queue queue;
  const T init = value_of<T>(7);
  const auto results = results_of<folded<T>>(queue, items, local_items, [&](sycl::nd_range<1> range, folded<T> *out) {
    queue.parallel_for(range, [=](sycl::nd_item<1> item) {
      const auto g = group_of<IsSubGroup>(item);
      const T x = value_of<T>(item.get_global_id(0));
      out[item.get_global_id(0)] = {sycl::reduce_over_group(g, x, f),
                                    sycl::inclusive_scan_over_group(g, x, f),
                                    sycl::exclusive_scan_over_group(g, x, f),
                                    sycl::reduce_over_group(g, x, init, f),
                                    sycl::inclusive_scan_over_group(g, x, f, init),
                                    sycl::exclusive_scan_over_group(g, x, init, f)};
    });
  });
  const auto starts = groups_of(IsSubGroup);
  for (std::size_t g = 0; g + 1 < starts.size(); g++) {
    T all = sycl::known_identity_v<F, T>;
    for (std::size_t i = starts[g]; i < starts[g + 1]; i++)
      all = f(all, value_of<T>(i));
    T before = sycl::known_identity_v<F, T>;
    for (std::size_t i = starts[g]; i < starts[g + 1]; i++) {
      const T upto = f(before, value_of<T>(i));
      const folded<T> &r = results[i];
      check(r.reduced == all && r.reduced_from == f(init, all), "%s: work-item %zu has another reduction", what, i);
      check(r.inclusive == upto && r.inclusive_from == f(init, upto), "%s: work-item %zu has another inclusive scan",
            what, i);
      check(r.exclusive == before && r.exclusive_from == f(init, before),
            "%s: work-item %zu has another exclusive scan", what, i);
      before = upto;
    }
  }
}

template <bool IsSubGroup>
void check_all_folds() {
  check_folds<IsSubGroup, int>("plus<int>", sycl::plus<int>());
  check_folds<IsSubGroup, int>("plus<>", sycl::plus<>());
  check_folds<IsSubGroup, std::uint64_t>("plus<uint64_t>", sycl::plus<std::uint64_t>());
  check_folds<IsSubGroup, float>("plus<float>", sycl::plus<float>());
  check_folds<IsSubGroup, short>("minimum<short>", sycl::minimum<short>());
  check_folds<IsSubGroup, unsigned>("maximum<unsigned>", sycl::maximum<unsigned>());
  check_folds<IsSubGroup, float>("maximum<float>", sycl::maximum<float>());
  check_folds<IsSubGroup, unsigned>("multiplies<unsigned>", sycl::multiplies<unsigned>());
  check_folds<IsSubGroup, unsigned char>("bit_and<unsigned char>", sycl::bit_and<unsigned char>());
  check_folds<IsSubGroup, std::int64_t>("bit_xor<int64_t>", sycl::bit_xor<std::int64_t>());
  check_folds<IsSubGroup, std::uint64_t>("bit_and<uint64_t>", sycl::bit_and<std::uint64_t>());
  check_folds<IsSubGroup, int>("bit_or<int>", sycl::bit_or<int>());
  check_folds<IsSubGroup, short>("bit_xor<short>", sycl::bit_xor<short>());
  check_folds<IsSubGroup, bool>("bit_xor<bool>", sycl::bit_xor<bool>());
  check_folds<IsSubGroup, bool>("logical_or<bool>", sycl::logical_or<bool>());
  check_folds<IsSubGroup, bool>("logical_and<bool>", sycl::logical_and<bool>());
}

struct moved {
  double broadcast_default, broadcast_linear, broadcast_id, left, right, permuted, selected;
  int any, all, none, any_predicate;
};

}  // namespace

PROMISE(groups, folds_of_a_sub_group) {
  check_all_folds<true>();
}

// x + y is an int of two numbers of fewer bits, also where the function object is asked.
PROMISE(groups, function_objects_without_a_type_compute_as_their_operators) {
  sycl::queue queue;
  static_assert(std::is_same_v<decltype(sycl::plus<>()(short(1), short(1))), int>);
  static_assert(std::is_same_v<decltype(sycl::multiplies<>()(2, 1.5)), double>);
  static_assert(std::is_same_v<decltype(sycl::logical_or<>()(2, 1)), bool>);
  static_assert(std::is_same_v<decltype(sycl::plus<short>()(short(1), short(1))), short>);
  const auto compute = [](int *results) {
    results[0] = sycl::plus<>()(static_cast<signed char>(100), static_cast<signed char>(100));
    results[1] = sycl::multiplies<>()(static_cast<short>(300), static_cast<short>(300));
    results[2] = sycl::bit_or<>()(static_cast<unsigned char>(0xF0), 0x100F);
    results[3] = sycl::logical_and<>()(2, 4);
    results[4] = sycl::maximum<>()(3, static_cast<short>(4));
    results[5] = static_cast<int>(4 * sycl::minimum<>()(1, 0.25));
  };
  int *on_device = sycl::malloc_shared<int>(6, queue), on_host[6];
  queue.single_task([=] { compute(on_device); }).wait_and_throw();
  compute(on_host);
  const int expected[] = {200, 90000, 0x10FF, 1, 4, 1};
  for (int i = 0; i < 6; i++)
    check(on_device[i] == expected[i] && on_host[i] == expected[i], "%d: %d on the device, %d on the host, not %d", i,
          on_device[i], on_host[i], expected[i]);
  sycl::free(on_device, queue);
}

PROMISE(groups, folds_of_a_work_group) {
  check_all_folds<false>();
}

PROMISE(groups, values_move_in_a_sub_group) {
  sycl::queue queue;
  const auto results = results_of<moved>(queue, items, local_items, [&](sycl::nd_range<1> range, moved *out) {
    queue.parallel_for(range, [=](sycl::nd_item<1> item) {
      const auto g = item.get_sub_group();
      const std::size_t i = item.get_global_id(0);
      const double x = static_cast<double>(i) + 0.25;
      const std::uint32_t last = g.get_local_linear_range() - 1;
      out[i] = {sycl::group_broadcast(g, x),
                sycl::group_broadcast(g, x, last),
                sycl::group_broadcast(g, x, sycl::id<1>(last)),
                sycl::shift_group_left(g, x),
                sycl::shift_group_right(g, x, 2),
                sycl::permute_group_by_xor(g, x, 3),
                sycl::select_from_group(g, x, sycl::id<1>(last - g.get_local_linear_id())),
                sycl::any_of_group(g, i % 7 == 0),
                sycl::all_of_group(g, i != 13),
                sycl::none_of_group(g, i == 30),
                sycl::any_of_group(g, x, [](double y) { return y > 25; })};
    });
  });
  const auto starts = groups_of(true);
  for (std::size_t g = 0; g + 1 < starts.size(); g++) {
    const std::size_t first = starts[g], end = starts[g + 1];
    bool any = false, all = true, none = true, big = false;
    for (std::size_t i = first; i < end; i++) {
      any = any || i % 7 == 0, all = all && i != 13, none = none && i != 30,
      big = big || static_cast<double>(i) + 0.25 > 25;
    }
    for (std::size_t i = first; i < end; i++) {
      const moved &r = results[i];
      const auto expect = [&](const char *what, double value, std::size_t from) {
        check(from < first || from >= end || value == static_cast<double>(from) + 0.25,
              "%s: work-item %zu has not that of %zu", what, i, from);
      };
      expect("group_broadcast", r.broadcast_default, first);
      expect("group_broadcast of a linear id", r.broadcast_linear, end - 1);
      expect("group_broadcast of an id", r.broadcast_id, end - 1);
      expect("shift_group_left", r.left, i + 1);
      expect("shift_group_right", r.right, i - 2);
      expect("permute_group_by_xor", r.permuted, first + ((i - first) ^ 3));
      expect("select_from_group", r.selected, end - 1 - (i - first));
      check(r.any == any && r.all == all && r.none == none && r.any_predicate == big, "work-item %zu has another vote",
            i);
    }
  }
}

PROMISE(groups, joint_algorithms_cover_a_range_of_any_length) {
  constexpr int length = 53;
  sycl::queue queue;
  int *in = sycl::malloc_device<int>(length, queue), *out = sycl::malloc_device<int>(6 * length, queue);
  std::vector<int> values(length), got(6 * length);
  for (int i = 0; i < length; i++)
    values[i] = (i * 29) % 31 - 15;
  queue.memcpy(in, values.data(), length * sizeof(int));
  queue.memset(out, 0, 6 * length * sizeof(int));
  queue.parallel_for(sycl::nd_range<1>(local_items, local_items), [=](sycl::nd_item<1> item) {
    const auto g = item.get_group();
    const auto sg = item.get_sub_group();
    sycl::joint_inclusive_scan(g, in, in + length, out, sycl::plus<>());
    sycl::joint_exclusive_scan(g, in, in + length, out + length, 100, sycl::plus<>());
    int *const rest = out + 2 * length;
    const int total = sycl::joint_reduce(g, in, in + length, sycl::maximum<>());
    const int from = sycl::joint_reduce(g, in, in + length, 5, sycl::plus<>());
    const bool any = sycl::joint_any_of(g, in, in + length, [](int x) { return x == 3; });
    const bool all = sycl::joint_all_of(g, in, in + length, [](int x) { return x < 15; });
    const bool none = sycl::joint_none_of(g, in, in + length, [](int x) { return x == 77; });
    if (g.leader())
      rest[0] = total, rest[1] = from, rest[2] = any, rest[3] = all, rest[4] = none;
    if (item.get_local_id(0) < sg.get_max_local_range()[0]) {  // the first sub-group alone
      sycl::joint_inclusive_scan(sg, in, in + length, out + 4 * length, sycl::minimum<>(), 9);
      const int product = sycl::joint_reduce(sg, in, in + 5, sycl::multiplies<>());
      if (sg.leader())
        rest[5] = product;
    }
  });
  queue.memcpy(got.data(), out, 6 * length * sizeof(int)).wait();
  int sum = 0, least = 9;
  for (int i = 0; i < length; i++) {
    check(got[length + i] == 100 + sum, "exclusive scan at %d: expected %d, got %d", i, 100 + sum, got[length + i]);
    sum += values[i];
    least = std::min(least, values[i]);
    check(got[i] == sum, "inclusive scan at %d: expected %d, got %d", i, sum, got[i]);
    check(got[4 * length + i] == least, "minimum up to %d: expected %d, got %d", i, least, got[4 * length + i]);
  }
  const int *rest = got.data() + 2 * length;
  check(rest[0] == *std::max_element(values.begin(), values.end()), "maximum: %d", rest[0]);
  check(rest[1] == 5 + sum, "sum from 5: %d", rest[1]);
  check(rest[2] == 1 && rest[3] == 0 && rest[4] == 1, "votes: %d %d %d", rest[2], rest[3], rest[4]);
  check(rest[5] == values[0] * values[1] * values[2] * values[3] * values[4], "product: %d", rest[5]);
  sycl::free(in, queue);
  sycl::free(out, queue);
}

PROMISE(groups, atomics_count_every_work_item) {
  sycl::queue queue;
  int *bins = sycl::malloc_device<int>(4, queue);
  float *sum = sycl::malloc_device<float>(1, queue);
  queue.fill(bins, 0, 4);
  queue.fill(sum, 0.0f, 1);
  queue.parallel_for(sycl::nd_range<1>(64, 16), [=](sycl::nd_item<1> item) {
    const int i = static_cast<int>(item.get_global_id(0));
    sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device> count(bins[i % 3]);
    count++;
    sycl::atomic_ref<int, sycl::memory_order::acq_rel, sycl::memory_scope::device>(bins[3]).fetch_max(i);
    sycl::atomic_ref<float, sycl::memory_order::relaxed, sycl::memory_scope::device>(*sum).fetch_add(0.5f);
  });
  int got[4];
  float total;
  queue.memcpy(got, bins, sizeof got);
  queue.memcpy(&total, sum, sizeof total).wait();
  check(got[0] == 22 && got[1] == 21 && got[2] == 21 && got[3] == 63, "bins: %d %d %d, maximum %d", got[0], got[1],
        got[2], got[3]);
  check(total == 32.0f, "sum: %g", static_cast<double>(total));
  sycl::free(bins, queue);
  sycl::free(sum, queue);
}

// Of 64 bits, by lanes of one sub-group that contend and by several work-groups; what fetch_add gives is all different.
PROMISE(groups, atomics_of_64_bits_count_every_work_item) {
  sycl::queue queue;
  constexpr std::size_t count = 32;
  struct counters {
    std::int64_t sum, largest;
    std::uint64_t bits;
    double total;
    std::int64_t before[count];
  };
  counters *c = sycl::malloc_shared<counters>(1, queue);
  *c = {-1, -5, 0, 0.25, {}};
  queue.parallel_for(sycl::nd_range<1>(count, 16), [=](sycl::nd_item<1> item) {
    const std::int64_t i = static_cast<std::int64_t>(item.get_global_id(0)), step = std::int64_t(1) << 40;
    sycl::atomic_ref<std::int64_t, sycl::memory_order::relaxed, sycl::memory_scope::device> sum(c->sum);
    c->before[i] = sum.fetch_add(step);
    if (i % 3 != 1)  // not all lanes
      sycl::atomic_ref<std::int64_t, sycl::memory_order::acq_rel, sycl::memory_scope::device>(c->largest)
          .fetch_max(i * step);
    sycl::atomic_ref<std::uint64_t, sycl::memory_order::relaxed, sycl::memory_scope::device> bits(c->bits);
    std::uint64_t expected = bits.load();
    while (!bits.compare_exchange_strong(expected, expected | std::uint64_t(1) << 2 * i)) {
    }
    sycl::atomic_ref<double, sycl::memory_order::relaxed, sycl::memory_scope::device>(c->total) += 0.5;
  });
  queue.wait_and_throw();
  const std::int64_t step = std::int64_t(1) << 40;
  check(c->sum == 32 * step - 1 && c->largest == 30 * step, "sum %lld, maximum %lld", static_cast<long long>(c->sum),
        static_cast<long long>(c->largest));
  check(c->bits == 0x5555555555555555u && c->total == 16.25, "bits %llx, total %g",
        static_cast<unsigned long long>(c->bits), c->total);
  std::sort(c->before, c->before + count);
  for (std::size_t i = 0; i < count; i++)
    check(c->before[i] == static_cast<std::int64_t>(i) * step - 1, "value %zu that fetch_add gave is %lld", i,
          static_cast<long long>(c->before[i]));
  sycl::free(c, queue);
}

// Pointers: places are handed out from both ends, counted in elements, and a list is made by exchanges.
PROMISE(groups, atomics_of_pointers_hand_out_places_and_make_lists) {
  sycl::queue queue;
  constexpr std::size_t count = 32;
  struct node {
    node *next;
    std::int32_t value;
  };
  struct shared {
    double *next, *last, places[count];
    node *head, *other, nodes[count];
    std::ptrdiff_t steps[6];
  };
  shared *s = sycl::malloc_shared<shared>(1, queue);
  *s = {};
  s->next = s->places, s->last = s->places + count, s->other = s->nodes + 9;
  queue.parallel_for(sycl::nd_range<1>(count, 16), [=](sycl::nd_item<1> item) {
    const std::size_t i = item.get_global_id(0);
    using reference = sycl::atomic_ref<double *, sycl::memory_order::relaxed, sycl::memory_scope::device>;
    static_assert(std::is_same_v<reference::difference_type, std::ptrdiff_t>);
    const reference next(s->next), last(s->last);
    double *place = i % 2 == 0 ? next.fetch_add(1) : last.fetch_sub(1, sycl::memory_order::acq_rel) - 1;
    *place = static_cast<double>(i);
    const sycl::atomic_ref<node *, sycl::memory_order::acq_rel, sycl::memory_scope::device> head(s->head);
    node *mine = &s->nodes[i];
    mine->value = static_cast<std::int32_t>(i);
    mine->next = head;
    while (!head.compare_exchange_weak(mine->next, mine)) {
    }
  });
  queue.single_task([=] {
    const sycl::atomic_ref<node *, sycl::memory_order::relaxed, sycl::memory_scope::system> other(s->other);
    node *first = s->nodes;
    s->steps[0] = (other += 5) - first;
    s->steps[1] = (other -= 2) - first;
    s->steps[2] = ++other - first;
    s->steps[3] = other-- - first;
    s->steps[4] = other.exchange(first + 20) - first;
    node *expected = first + 1;
    s->steps[5] = other.compare_exchange_strong(expected, nullptr) ? -1 : expected - first;
    other = first + 23;
  });
  queue.wait_and_throw();
  std::vector<double> places(s->places, s->places + count);
  for (std::size_t i = 0; i < count; i++)
    check((i < count / 2) == (static_cast<int>(places[i]) % 2 == 0), "place %zu has %g", i, places[i]);
  std::sort(places.begin(), places.end());
  for (std::size_t i = 0; i < count; i++)
    check(places[i] == static_cast<double>(i), "value %zu is %g", i, places[i]);
  std::vector<bool> is_in(count);
  std::size_t length = 0;
  for (const node *n = s->head; n && length <= count; n = n->next, length++)
    is_in[static_cast<std::size_t>(n->value)] = true;
  check(length == count && std::count(is_in.begin(), is_in.end(), true) == count, "the list has %zu nodes", length);
  const std::ptrdiff_t expected[] = {14, 12, 13, 13, 12, 20};
  for (std::size_t i = 0; i < 6; i++)
    check(s->steps[i] == expected[i], "step %zu: %td, expected %td", i, s->steps[i], expected[i]);
  check(s->other == s->nodes + 23, "what operator= left");
  sycl::free(s, queue);
}

// The host has them too.
PROMISE(groups, atomics_work_in_the_host) {
  std::int64_t sum = 1;
  float least = 4;
  int numbers[4] = {}, *at = numbers;
  using sycl::memory_order, sycl::memory_scope;
  sycl::atomic_ref<std::int64_t, memory_order::seq_cst, memory_scope::system> big(sum);
  check(big.fetch_add(std::int64_t(1) << 40) == 1 && big.fetch_max(5) == (std::int64_t(1) << 40) + 1 && --big == sum,
        "64 bits: %lld", static_cast<long long>(sum));
  sycl::atomic_ref<float, memory_order::relaxed, memory_scope::device> real(least);
  check(real.fetch_min(2.5f) == 4 && (real -= 1) == 1.5f && least == 1.5f, "float: %g", static_cast<double>(least));
  sycl::atomic_ref<int *, memory_order::relaxed, memory_scope::device> pointer(at);
  check(pointer++ == numbers && (pointer += 2) == numbers + 3 && at == numbers + 3, "a pointer");
}

// The extension's masks, loads and stores of sub-groups, and copies by a work-group.
PROMISE(groups, have_the_functions_of_older_programs) {
  sycl::queue queue;
  constexpr std::size_t count = 40, group = 20;
  const std::size_t size = sycl::device().get_info<sycl::info::device::primary_sub_group_size>();
  std::int32_t *in = sycl::malloc_shared<std::int32_t>(256, queue),
               *out = sycl::malloc_shared<std::int32_t>(256, queue);
  std::iota(in, in + 256, 0);
  queue.parallel_for(sycl::nd_range<1>(count, group), [=](sycl::nd_item<1> item) {
    const auto mask = sycl::ext::oneapi::group_ballot(item.get_sub_group(), item.get_local_id(0) % 2 == 0);
    out[item.get_global_id(0)] =
        static_cast<std::int32_t>(mask.count() * 100 + mask[1] * 10 + static_cast<std::uint32_t>(mask.all()));
  });
  queue.wait();
  for (std::size_t i = 0; i < count; i++) {
    const std::size_t in_group = i % group, first = in_group / size * size, lanes = std::min(size, group - first);
    check(out[i] == static_cast<std::int32_t>((lanes + 1) / 2 * 100), "mask of %zu: %d", i, out[i]);
  }
  queue.parallel_for(sycl::nd_range<1>(size, size), [=](sycl::nd_item<1> item) {
    const sycl::sub_group g = item.get_sub_group();
    const sycl::vec<std::int32_t, 2> two = g.load<2>(sycl::global_ptr<std::int32_t>(in));
    g.store(out, two * 3);
    g.store(out + 2 * size, g.load(in) + 1000);
  });
  queue.wait();
  for (std::size_t i = 0; i < 3 * size; i++) {
    const auto expected = static_cast<std::int32_t>(i < 2 * size ? 3 * i : i - 2 * size + 1000);
    check(out[i] == expected, "load and store: element %zu is %d", i, out[i]);
  }
  queue.submit([&](sycl::handler &h) {
    sycl::local_accessor<std::int32_t> local(sycl::range<1>(group), h);
    h.parallel_for(sycl::nd_range<1>(count, group), [=](sycl::nd_item<1> item) {
      const sycl::global_ptr<std::int32_t> from(in + item.get_group(0) * group * 2),
          to(out + item.get_group(0) * group);
      sycl::device_event e = item.async_work_group_copy(local.get_pointer(), from, group, std::size_t(2));
      item.wait_for(e);
      const std::int32_t other = local[group - 1 - item.get_local_id(0)];
      item.barrier();
      local[item.get_local_id(0)] = other;
      item.barrier();
      item.wait_for(item.get_group().async_work_group_copy(to, local.get_pointer(), group));
    });
  });
  queue.wait();
  for (std::size_t i = 0; i < count; i++)
    check(out[i] == static_cast<std::int32_t>(2 * (i / group * group + group - 1 - i % group)), "copies: %zu is %d", i,
          out[i]);
  sycl::free(in, queue);
  sycl::free(out, queue);
}

// Each call of the program has memory of its own.
PROMISE(groups, have_local_memory_by_call) {
  sycl::queue queue;
  constexpr std::size_t count = 32, group = 16;
  int *out = sycl::malloc_shared<int>(count, queue);
  queue.parallel_for(sycl::nd_range<1>(count, group), [=](sycl::nd_item<1> item) {
    namespace oneapi = sycl::ext::oneapi;
    auto first = oneapi::group_local_memory_for_overwrite<int[group]>(item.get_group());
    auto second = oneapi::group_local_memory_for_overwrite<int[group]>(item.get_group());
    auto one = oneapi::group_local_memory<int>(item.get_group(), 1000);
    auto numbers = oneapi::group_local_memory<int[4]>(item.get_group(), 3, 5);
    auto constant = oneapi::group_local_memory<const int>(item.get_group(), 7);
    const std::size_t i = item.get_local_id(0);
    (*first)[i] = static_cast<int>(item.get_global_id(0));
    (*second)[i] = 100 * static_cast<int>(i);
    sycl::group_barrier(item.get_group());
    out[item.get_global_id(0)] = (*first)[group - 1 - i] + (*second)[i ^ 1] + *one + (*numbers)[i % 4] + *constant;
  });
  queue.wait_and_throw();
  for (std::size_t n = 0; n < count; n++) {
    const std::size_t i = n % group;
    constexpr int numbers[] = {3, 5, 0, 0};
    const int expected = static_cast<int>(n - i + group - 1 - i + 100 * (i ^ 1) + 1007) + numbers[i % 4];
    check(out[n] == expected, "work-item %zu: %d, expected %d", n, out[n], expected);
  }
  sycl::free(out, queue);
}
