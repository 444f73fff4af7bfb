// SPDX-License-Identifier: Apache-2.0
// sub_group: every member, in both of SYCL_INTEL_sub_group's spellings, against what the text says of linear ids.
#include <array>

#include "tests/sycl/suite.hpp"

namespace {

// A work-group of 20 work-items: with 8 lanes three sub-groups, the last of 4.
constexpr std::size_t local_items = 20, items = 3 * local_items;

struct position {
  std::uint32_t local_id, local_linear_id, linear_local_id, local_range, max_local_range, group_id, group_linear_id,
      linear_group_id, group_range, max_group_range;
};

struct shape {
  std::uint32_t size, lane, count, sub_group, lanes;
};

// Of the work-item with linear local id `local`.
shape shape_of(std::uint32_t local, std::uint32_t size) {
  const std::uint32_t sub_group = local / size, first = sub_group * size;
  const std::uint32_t lanes = first + size <= local_items ? size : static_cast<std::uint32_t>(local_items) - first;
  return {size, local - first, static_cast<std::uint32_t>((local_items + size - 1) / size), sub_group, lanes};
}

enum class colour : unsigned char {};

// Of 9 bytes, without a default constructor.
struct bytes {
  unsigned char all[9];
  bytes() = delete;
  explicit bytes(std::uint32_t i) : all{} {
    for (unsigned char &byte : all)
      byte = static_cast<unsigned char>(i++);
  }
  explicit operator std::array<unsigned char, 9>() const {
    std::array<unsigned char, 9> copy{};
    for (std::size_t i = 0; i < 9; i++)
      copy[i] = all[i];
    return copy;
  }
};

template <typename T>
struct pair_of {
  T first;
  char second[3];
  bool operator==(const pair_of &other) const {
    return first == other.first && second[0] == other.second[0] && second[2] == other.second[2];
  }
};

template <typename T>
T value_of(std::uint32_t i) {
  return static_cast<T>(static_cast<std::int64_t>(i) * 37 - 61);
}

template <typename T>
struct maker {
  static T make(std::uint32_t i) {
    return value_of<T>(i);
  }
};
template <>
struct maker<bool> {
  static bool make(std::uint32_t i) {
    return i % 3 == 0;
  }
};
template <typename T>
struct maker<pair_of<T>> {
  static pair_of<T> make(std::uint32_t i) {
    return {value_of<T>(i), {static_cast<char>(i), 0, static_cast<char>(7 * i)}};
  }
};

template <>
struct maker<bytes> {
  static bytes make(std::uint32_t i) {
    return bytes(i);
  }
};
template <>
struct maker<int *> {  // to nothing: it is not followed
  static int *make(std::uint32_t i) {
    return reinterpret_cast<int *>(static_cast<std::uintptr_t>(0x1000 + 4 * i));
  }
};

template <typename Stored, typename T>
Stored stored(const T &x) {
  if constexpr (std::is_pointer_v<T>)
    return static_cast<Stored>(reinterpret_cast<std::uintptr_t>(x));
  else
    return static_cast<Stored>(x);
}

// All four shuffles of one type. Memory has it as Stored, as pointers differ in size and some have no default
// constructor.
template <typename T, typename Stored = T>
void check_shuffles(const char *type) {
  sycl::queue queue;
  const std::uint32_t size =
      static_cast<std::uint32_t>(queue.get_device().get_info<sycl::info::device::primary_sub_group_size>());
  struct all {
    Stored shuffle, down, up, permuted;
  };
  const auto results = results_of<all>(queue, items, local_items, [&](sycl::nd_range<1> range, all *out) {
    queue.parallel_for(range, [=](sycl::nd_item<1> item) {
      const sycl::sub_group sg = item.get_sub_group();
      const T x = maker<T>::make(static_cast<std::uint32_t>(item.get_global_id(0)));
      const std::uint32_t lane = sg.get_local_linear_id();
      const T moved[] = {sg.shuffle(x, sycl::id<1>((lane + 3) % sg.get_local_range()[0])), sg.shuffle_down(x, 2),
                         sg.shuffle_up(x, 1), sg.shuffle_xor(x, sycl::id<1>(1))};
      all r{stored<Stored>(moved[0]), stored<Stored>(moved[1]), stored<Stored>(moved[2]), stored<Stored>(moved[3])};
      out[item.get_global_id(0)] = r;
    });
  });
  for (std::uint32_t i = 0; i < items; i++) {
    const shape s = shape_of(i % local_items, size);
    const std::uint32_t first = i - s.lane;
    const auto expect = [&](const char *what, const Stored &value, std::uint32_t lane) {
      // Values from outside of the sub-group are undefined.
      check(lane >= s.lanes || value == stored<Stored>(maker<T>::make(first + lane)),
            "%s of %s: work-item %u does not have that of lane %u", what, type, i, lane);
    };
    expect("shuffle", results[i].shuffle, (s.lane + 3) % s.lanes);
    expect("shuffle_down", results[i].down, s.lane + 2);
    expect("shuffle_up", results[i].up, s.lane - 1);
    expect("shuffle_xor", results[i].permuted, s.lane ^ 1);
  }
}

}  // namespace

PROMISE(sub_group, positions_are_those_of_linear_local_ids) {
  sycl::queue queue;
  const std::uint32_t size =
      static_cast<std::uint32_t>(queue.get_device().get_info<sycl::info::device::primary_sub_group_size>());
  const auto results = results_of<position>(queue, items, local_items, [&](sycl::nd_range<1> range, position *out) {
    queue.parallel_for<class Positions>(range, [=](sycl::nd_item<1> item) {
      const sycl::sub_group sg = item.get_sub_group();
      const std::uint32_t group_linear = sg.get_group_linear_id();
      out[item.get_global_id(0)] = {static_cast<std::uint32_t>(sg.get_local_id()[0]),
                                    sg.get_local_linear_id(),
                                    sg.get_linear_local_id(),
                                    static_cast<std::uint32_t>(sg.get_local_range()[0]),
                                    static_cast<std::uint32_t>(sg.get_max_local_range()[0]),
                                    static_cast<std::uint32_t>(sg.get_group_id()[0]),
                                    group_linear,
                                    sg.get_linear_group_id(),
                                    static_cast<std::uint32_t>(sg.get_group_range()[0]),
                                    static_cast<std::uint32_t>(sg.get_max_group_range()[0])};
    });
  });
  for (std::uint32_t i = 0; i < items; i++) {
    const shape s = shape_of(i % local_items, size);
    const position &p = results[i];
    check(p.local_id == s.lane && p.local_linear_id == s.lane && p.linear_local_id == s.lane,
          "work-item %u: lane %u, expected %u", i, p.local_id, s.lane);
    check(p.local_range == s.lanes && p.max_local_range == s.size,
          "work-item %u: range %u of at most %u, expected %u of %u", i, p.local_range, p.max_local_range, s.lanes,
          s.size);
    check(p.group_id == s.sub_group && p.group_linear_id == s.sub_group && p.linear_group_id == s.sub_group,
          "work-item %u: sub-group %u, expected %u", i, p.group_id, s.sub_group);
    check(p.group_range == s.count && p.max_group_range == s.count,
          "work-item %u: %u sub-groups of at most %u, expected %u", i, p.group_range, p.max_group_range, s.count);
  }
}

// Sub-groups have one dimension, whatever work-groups have: lanes follow the linear local id.
PROMISE(sub_group, positions_are_those_of_linear_local_ids_in_three_dimensions) {
  sycl::queue queue;
  const std::uint32_t size =
      static_cast<std::uint32_t>(queue.get_device().get_info<sycl::info::device::primary_sub_group_size>());
  struct place {
    std::uint32_t local, lane, lanes, sub_group;
  };
  constexpr std::size_t count = 2 * 4 * 32;
  place *out = sycl::malloc_device<place>(count, queue);
  const sycl::nd_range<3> range({2, 4, 32}, {2, 2, 16});  // the last dimension divides by the size
  queue.parallel_for<class Positions3>(range, [=](sycl::nd_item<3> item) {
    const sycl::sub_group sg = item.get_sub_group();
    out[item.get_global_linear_id()] = {static_cast<std::uint32_t>(item.get_local_linear_id()),
                                        sg.get_local_linear_id(), static_cast<std::uint32_t>(sg.get_local_range()[0]),
                                        sg.get_group_linear_id()};
  });
  std::vector<place> places(count);
  queue.memcpy(places.data(), out, count * sizeof(place)).wait();
  for (std::size_t i = 0; i < count; i++) {
    const std::uint32_t local =
        static_cast<std::uint32_t>((i / 128 % 2 * 2 + i / 32 % 2) * 16 + i % 16);  // of {2, 2, 16}
    const place &p = places[i];
    check(p.local == local && p.lane == local % size && p.lanes == size && p.sub_group == local / size,
          "work-item %zu: linear id %u, lane %u of %u in sub-group %u; expected linear id %u", i, p.local, p.lane,
          p.lanes, p.sub_group, local);
  }
  sycl::free(out, queue);
}

// Sub-groups that wait for each other in turns come to an end, as the device says.
PROMISE(sub_group, make_independent_forward_progress) {
  sycl::queue queue;
  check(queue.get_device().get_info<sycl::info::device::sub_group_independent_forward_progress>(),
        "the device's answer");
  constexpr int rounds = 6;
  int *turn = sycl::malloc_device<int>(1, queue);
  queue.fill(turn, 0, 1);
  const std::size_t size = queue.get_device().get_info<sycl::info::device::primary_sub_group_size>();
  queue.parallel_for<class Turns>(sycl::nd_range<1>(2 * size, 2 * size), [=](sycl::nd_item<1> item) {
    const sycl::sub_group sg = item.get_sub_group();
    sycl::atomic_ref<int, sycl::memory_order::acq_rel, sycl::memory_scope::work_group> shared(*turn);
    for (int round = static_cast<int>(sg.get_group_linear_id()); round < rounds; round += 2) {
      if (sg.leader()) {
        while (shared.load() != round) {
        }
        shared.store(round + 1);
      }
      sg.barrier();
    }
  });
  int last = 0;
  queue.memcpy(&last, turn, sizeof last).wait();
  check(last == rounds, "%d turns of %d", last, rounds);
  sycl::free(turn, queue);
}

PROMISE(sub_group, types_of_the_sample_header_are_there) {
  using cl::sycl::intel::sub_group;
  static_assert(std::is_same_v<sub_group, sycl::sub_group>);
  static_assert(std::is_same_v<sub_group::id_type, cl::sycl::id<1>>);
  static_assert(std::is_same_v<sub_group::range_type, cl::sycl::range<1>>);
  static_assert(std::is_same_v<sub_group::linear_id_type, std::uint32_t>);
  static_assert(sub_group::dimensions == 1 && std::is_same_v<decltype(sub_group::dimensions), const std::int32_t>);
  using cl::sycl::id;
  using cl::sycl::range;
#define RETURNS(type, call) static_assert(std::is_same_v<decltype(std::declval<const sub_group &>().call), type>)
  RETURNS(id<1>, get_local_id());
  RETURNS(std::uint32_t, get_local_linear_id());
  RETURNS(std::uint32_t, get_linear_local_id());
  RETURNS(range<1>, get_local_range());
  RETURNS(range<1>, get_max_local_range());
  RETURNS(id<1>, get_group_id());
  RETURNS(std::uint32_t, get_group_linear_id());
  RETURNS(std::uint32_t, get_linear_group_id());
  RETURNS(range<1>, get_group_range());
  RETURNS(range<1>, get_max_group_range());
  RETURNS(void, barrier());
  RETURNS(short, shuffle(short(), id<1>(0)));
  RETURNS(short, shuffle_down(short(), 1u));
  RETURNS(short, shuffle_up(short(), 1u));
  RETURNS(short, shuffle_xor(short(), id<1>(1)));
  RETURNS(float, shuffle<float>(1, 0));
  static_assert(std::is_same_v<decltype(std::declval<const cl::sycl::nd_item<3> &>().get_sub_group()), sub_group>);
#undef RETURNS
  static_assert(!std::is_default_constructible_v<sub_group> && std::is_copy_constructible_v<sub_group>);
  static_assert(SYCL_EXT_ONEAPI_SUB_GROUP == 1);
}

// The first example of the text.
PROMISE(sub_group, loop_of_the_extension_text_visits_everything_once) {
  constexpr std::size_t n = 100;
  std::vector<int> visits(n, 0);
  {
    cl::sycl::queue queue;
    cl::sycl::buffer<int, 1> buffer(visits.data(), cl::sycl::range<1>(n));
    queue.submit([&](cl::sycl::handler &h) {
      auto out = buffer.get_access<cl::sycl::access::mode::read_write>(h);
      h.parallel_for<class Loop>(cl::sycl::nd_range<1>(4, 4), [=](cl::sycl::nd_item<1> item) {
        cl::sycl::intel::sub_group sg = item.get_sub_group();
        for (int v = sg.get_local_id(); v < static_cast<int>(n); v += sg.get_local_range())
          out[v] += 1;
      });
    });
  }
  for (std::size_t i = 0; i < n; i++)
    check(visits[i] == 1, "%zu was visited %d times", i, visits[i]);
}

// A barrier orders what lanes of a sub-group write for each other.
PROMISE(sub_group, barrier_orders_memory_of_the_sub_group) {
  sycl::queue queue;
  int *out = sycl::malloc_device<int>(items, queue);
  queue.submit([&](sycl::handler &h) {
    sycl::local_accessor<int> shared(sycl::range<1>(local_items), h);
    h.parallel_for<class Barrier>(sycl::nd_range<1>(items, local_items), [=](sycl::nd_item<1> item) {
      const sycl::sub_group sg = item.get_sub_group();
      const std::size_t local = item.get_local_id(0), first = local - sg.get_local_linear_id();
      shared[local] = static_cast<int>(item.get_global_id(0));
      sg.barrier();
      out[item.get_global_id(0)] = shared[first + sg.get_local_range()[0] - 1 - sg.get_local_linear_id()];
    });
  });
  std::vector<int> results(items);
  queue.memcpy(results.data(), out, items * sizeof(int)).wait();
  const std::uint32_t size =
      static_cast<std::uint32_t>(queue.get_device().get_info<sycl::info::device::primary_sub_group_size>());
  for (std::uint32_t i = 0; i < items; i++) {
    const shape s = shape_of(i % local_items, size);
    const std::uint32_t expected = i - s.lane + s.lanes - 1 - s.lane;
    check(results[i] == static_cast<int>(expected), "work-item %u: expected %u, got %d", i, expected, results[i]);
  }
  sycl::free(out, queue);
}

PROMISE(sub_group, shuffles_of_every_arithmetic_type) {
  check_shuffles<bool>("bool");
  check_shuffles<char>("char");
  check_shuffles<signed char>("signed char");
  check_shuffles<unsigned char>("unsigned char");
  check_shuffles<short>("short");
  check_shuffles<unsigned short>("unsigned short");
  check_shuffles<int>("int");
  check_shuffles<unsigned>("unsigned");
  check_shuffles<std::int64_t>("int64_t");
  check_shuffles<std::uint64_t>("uint64_t");
  check_shuffles<long>("long");
  check_shuffles<unsigned long>("unsigned long");
  check_shuffles<long long>("long long");
  check_shuffles<unsigned long long>("unsigned long long");
  check_shuffles<wchar_t>("wchar_t");
  check_shuffles<char16_t>("char16_t");
  check_shuffles<char32_t>("char32_t");
  check_shuffles<sycl::half>("half");
  check_shuffles<float>("float");
  check_shuffles<double>("double");
}

PROMISE(sub_group, shuffles_of_structures) {
  check_shuffles<pair_of<int>>("structure of int");
  check_shuffles<pair_of<double>>("structure of double");
  check_shuffles<pair_of<short>>("structure of short");
  check_shuffles<bytes, std::array<unsigned char, 9>>("structure of bytes without a default constructor");
  check_shuffles<colour>("enumeration");
  check_shuffles<int *, std::uint32_t>("pointer");
}
