// SPDX-License-Identifier: Apache-2.0
// sycl::reduction over ranges and nd-ranges, by every operator, against the same on the host.
#include <array>
#include <limits>
#include <numeric>

// Programs may have such names ahead of the header.
#define N 77
#define D 3
#define T int
#include <sycl/sycl.hpp>
static_assert(N == 77 && D == 3 && sizeof(T) == 4);
#undef N
#undef D
#undef T
#include "tests/sycl/suite.hpp"

namespace {

constexpr std::size_t items = 120, local_items = 20;

template <typename T>
T value_of(std::size_t i) {
  return static_cast<T>(static_cast<int>(i * 37 % 101) - (std::is_signed_v<T> ? 50 : 0));
}

// The variable has `start` before; what all but `skip` give is combined with it.
template <typename T, typename F>
T expected_of(T start, F f, std::size_t count = items) {
  for (std::size_t i = 0; i < count; i++)
    start = f(start, value_of<T>(i));
  return start;
}

template <typename T, typename F>
void check_operator(const char *what, F f, T start) {
  sycl::queue queue;
  T *variables = sycl::malloc_device<T>(2, queue);
  queue.fill(variables, start, 2);
  queue.parallel_for(sycl::nd_range<1>(items, local_items), sycl::reduction(variables, f),
                     [=](sycl::nd_item<1> item, auto &all) { all.combine(value_of<T>(item.get_global_id(0))); });
  queue.parallel_for(sycl::range<1>(items), sycl::reduction(variables + 1, f),
                     [=](sycl::item<1> item, auto &all) { all.combine(value_of<T>(item.get_id(0))); });
  T got[2];
  queue.memcpy(got, variables, sizeof got).wait();
  const T expected = expected_of(start, f);
  check(got[0] == expected && got[1] == expected, "%s: nd_range %g, range %g, expected %g", what,
        static_cast<double>(got[0]), static_cast<double>(got[1]), static_cast<double>(expected));
  sycl::free(variables, queue);
}

}  // namespace

PROMISE(reductions, combine_with_the_variable_by_every_operator) {
  check_operator<int>("sum of int", sycl::plus<>(), 1000);
  check_operator<unsigned>("sum of unsigned", sycl::plus<unsigned>(), 5u);
  check_operator<float>("sum of float", sycl::plus<float>(), 0.5f);
  check_operator<unsigned>("product", sycl::multiplies<>(), 3u);
  check_operator<int>("minimum", sycl::minimum<>(), 1000);
  check_operator<float>("minimum of float", sycl::minimum<float>(), -50.5f);
  check_operator<unsigned>("maximum", sycl::maximum<>(), 0u);
  check_operator<float>("maximum of float", sycl::maximum<>(), -1e6f);
  check_operator<unsigned>("and", sycl::bit_and<>(), 0xFFFFFFF0u);
  check_operator<unsigned>("or", sycl::bit_or<>(), 0x100u);
  check_operator<int>("exclusive or", sycl::bit_xor<>(), 0x55);
}

// Three at once, by the reducers' operators, with buffers and ranges of two dimensions.
PROMISE(reductions, of_several_variables_share_a_kernel) {
  int sum = 7;
  unsigned product = 2;
  float least = 1e9f;
  {
    sycl::buffer<int> sum_buffer(&sum, 1);
    sycl::buffer<unsigned> product_buffer(&product, 1);
    sycl::buffer<float> least_buffer(&least, 1);
    sycl::queue queue;
    queue.submit([&](sycl::handler &h) {
      h.parallel_for<class Three>(sycl::range<2>(12, 10), sycl::reduction(sum_buffer, h, sycl::plus<>()),
                                  sycl::reduction(product_buffer, h, sycl::multiplies<>()),
                                  sycl::reduction(least_buffer, h, sycl::minimum<>()),
                                  [=](sycl::item<2> item, auto &sums, auto &products, auto &minima) {
                                    const std::size_t i = item.get_linear_id();
                                    sums += value_of<int>(i);
                                    ++sums;
                                    sums++;
                                    if (i % 40 == 0)
                                      products *= 3u;
                                    minima.combine(value_of<float>(i) + 0.25f);
                                  });
    });
  }
  const int expected = expected_of<int>(7, [](int a, int b) { return a + b + 2; });
  check(sum == expected, "sum %d, expected %d", sum, expected);
  check(product == 2 * 27, "product %u", product);
  check(least == -49.75f, "minimum %g", static_cast<double>(least));
}

// A function of the user's own, with its identity; and variables that start anew.
PROMISE(reductions, by_a_users_function_and_from_the_identity) {
  sycl::queue queue;
  int *variable = sycl::malloc_device<int>(1, queue);
  const auto larger_magnitude = [](int a, int b) { return a * a >= b * b ? a : b; };
  queue.fill(variable, 1000, 1);
  const sycl::property_list anew{sycl::property::reduction::initialize_to_identity()};
  queue.parallel_for<class Magnitude>(
      sycl::nd_range<1>(items, local_items), sycl::reduction(variable, 0, larger_magnitude, anew),
      [=](sycl::nd_item<1> item, auto &all) {
        all.combine(item.get_global_id(0) == 77 ? -60 : value_of<int>(item.get_global_id(0)));
      });
  int got = 0;
  queue.memcpy(&got, variable, sizeof got).wait();
  check(got == -60, "got %d", got);
  int total = 123;
  {
    sycl::buffer<int> buffer(&total, 1);
    queue.submit([&](sycl::handler &h) {
      h.parallel_for<class Anew>(sycl::range<1>(items), sycl::reduction(buffer, h, sycl::plus<>(), anew),
                                 [=](sycl::id<1>, auto &all) { all += 2; });
    });
  }
  check(total == 2 * static_cast<int>(items), "total %d", total);
  sycl::free(variable, queue);
}

// A number of work-items that no work-group size divides but 1.
PROMISE(reductions, over_a_range_of_a_prime_number) {
  sycl::queue queue;
  int *variable = sycl::malloc_device<int>(1, queue);
  queue.fill(variable, 0, 1);
  queue.parallel_for<class Prime>(97, sycl::reduction(variable, sycl::plus<>()),
                                  [=](sycl::item<1> item, auto &all) { all += value_of<int>(item.get_linear_id()); });
  int got = 0;
  queue.memcpy(&got, variable, sizeof got).wait();
  const int expected = expected_of<int>(0, sycl::plus<>(), 97);
  check(got == expected, "sum %d, expected %d", got, expected);
  sycl::free(variable, queue);
}

namespace {

// The least and the largest at once, with where they are.
struct extremes {
  float least, largest;
  std::int32_t at_least, at_largest;
};
struct widen {
  extremes operator()(const extremes &a, const extremes &b) const {
    extremes result = a;
    if (b.least < a.least)
      result.least = b.least, result.at_least = b.at_least;
    if (b.largest > a.largest)
      result.largest = b.largest, result.at_largest = b.at_largest;
    return result;
  }
};

}  // namespace

PROMISE(reductions, of_64_bits_and_of_a_users_type) {
  sycl::queue queue;
  std::int64_t sum = 5;
  double product = 2;
  extremes range = {1000, -1000, -1, -1};
  {
    sycl::buffer<std::int64_t> sums(&sum, 1);
    sycl::buffer<double> products(&product, 1);
    sycl::buffer<extremes> ranges(&range, 1);
    queue.submit([&](sycl::handler &h) {
      h.parallel_for<class Wide>(sycl::range<1>(items), sycl::reduction(sums, h, sycl::plus<>()),
                                 sycl::reduction(products, h, sycl::multiplies<>()),
                                 sycl::reduction(ranges, h, extremes{1e9f, -1e9f, 0, 0}, widen()),
                                 [=](sycl::id<1> i, auto &s, auto &p, auto &r) {
                                   s += std::int64_t(1) << 33;
                                   if (i % 30 == 0)
                                     p *= 4;
                                   const float x = static_cast<float>(value_of<int>(i));
                                   r.combine({x, x, static_cast<std::int32_t>(i), static_cast<std::int32_t>(i)});
                                 });
    });
  }
  check(sum == 5 + (std::int64_t(items) << 33), "sum %lld", static_cast<long long>(sum));
  check(product == 512, "product %g", product);
  extremes expected = {1000, -1000, -1, -1};
  for (std::size_t i = 0; i < items; i++) {
    const float x = static_cast<float>(value_of<int>(i));
    expected = widen()(expected, {x, x, static_cast<std::int32_t>(i), static_cast<std::int32_t>(i)});
  }
  check(range.least == expected.least && range.largest == expected.largest &&
            value_of<int>(static_cast<std::size_t>(range.at_least)) == static_cast<int>(expected.least),
        "from %g at %d to %g at %d", static_cast<double>(range.least), range.at_least,
        static_cast<double>(range.largest), range.at_largest);
}

// Of each element of a span: of 32 and 64 bits, of a user's function, beside a variable, and from the identity.
PROMISE(reductions, of_the_elements_of_a_span) {
  sycl::queue queue;
  constexpr std::size_t bins = 5;
  int *counts = sycl::malloc_shared<int>(bins, queue), *all = sycl::malloc_shared<int>(1, queue);
  long *products = sycl::malloc_shared<long>(3, queue);
  float *least = sycl::malloc_shared<float>(2, queue);
  std::fill(counts, counts + bins, 100);
  std::fill(products, products + 3, -7);
  *all = 0, least[0] = 1, least[1] = -1000;
  queue.parallel_for(sycl::nd_range<1>(items, local_items),
                     sycl::reduction(sycl::span<int, bins>(counts, bins), sycl::plus<>()),
                     sycl::reduction(all, sycl::plus<>()), [=](sycl::nd_item<1> item, auto &count, auto &sum) {
                       static_assert(std::decay_t<decltype(count)>::dimensions == 1);
                       const std::size_t i = item.get_global_id(0);
                       count[i % bins] += static_cast<int>(i);
                       ++count[0];
                       count[2]++;
                       count[1].combine(2);
                       sum += 1;
                     });
  queue.parallel_for(sycl::range<1>(items),
                     sycl::reduction(
                         sycl::span<long, 3>(products, 3), 0l, [](long a, long b) { return a + b; },
                         sycl::property::reduction::initialize_to_identity()),
                     sycl::reduction(sycl::span<float, 2>(least, 2), sycl::minimum<>()),
                     [=](sycl::id<1> i, auto &sum, auto &minimum) {
                       sum[i % 3].combine(static_cast<long>(i) << 33);
                       minimum[1].combine(static_cast<float>(i));
                       minimum[0].combine(-static_cast<float>(i));
                     });
  queue.wait_and_throw();
  int expected[bins];
  long sums[3] = {};
  std::fill(expected, expected + bins, 100);
  for (std::size_t i = 0; i < items; i++)
    expected[i % bins] += static_cast<int>(i), expected[0]++, expected[2]++, expected[1] += 2,
        sums[i % 3] += static_cast<long>(i) << 33;
  for (std::size_t i = 0; i < bins; i++)
    check(counts[i] == expected[i], "count %zu: %d, expected %d", i, counts[i], expected[i]);
  for (std::size_t i = 0; i < 3; i++)
    check(products[i] == sums[i], "sum %zu: %ld, expected %ld", i, products[i], sums[i]);
  check(*all == items && least[0] == 1 - static_cast<float>(items) && least[1] == -1000, "all %d, least %g %g", *all,
        static_cast<double>(least[0]), static_cast<double>(least[1]));
  sycl::free(counts, queue);
  sycl::free(all, queue);
  sycl::free(products, queue);
  sycl::free(least, queue);
}

struct furthest {
  int distance;
  float where;
};

// Of a type or function whose identity SYCL does not know, and is not told. Some work-items combine nothing.
PROMISE(reductions, need_no_identity) {
  sycl::queue queue;
  const auto further = [](const furthest &a, const furthest &b) { return b.distance > a.distance ? b : a; };
  furthest *most = sycl::malloc_shared<furthest>(2, queue);
  most[0] = {30, 1.0f}, most[1] = {3000, 2.0f};
  for (int i = 0; i < 2; i++) {
    queue.parallel_for(sycl::range<1>(150), sycl::reduction(most + i, further), [=](sycl::id<1> id, auto &all) {
      if (id[0] % 3 == 0)
        all.combine({static_cast<int>(id[0] * 7 % 150), static_cast<float>(id[0])});
    });
  }
  queue.wait_and_throw();
  check(most[0].distance == 147 && most[0].where == 21 && most[1].distance == 3000, "got %d at %g, and %d",
        most[0].distance, static_cast<double>(most[0].where), most[1].distance);
  sycl::free(most, queue);

  int sum = 5, none = 7;
  {
    sycl::buffer<int, 1> sums(&sum, 1), nones(&none, 1);
    queue.submit([&](sycl::handler &h) {
      auto to_sum = sycl::reduction(sums, h, [](int a, int b) { return a + b; });
      auto to_none = sycl::reduction(nones, h, [](int a, int b) { return a * b; });
      h.parallel_for(sycl::nd_range<1>(64, 16), to_sum, to_none, [=](sycl::nd_item<1> item, auto &s, auto &) {
        s.combine(static_cast<int>(item.get_global_id(0)));
      });
    });
  }
  check(sum == 5 + 2016 && none == 7, "got %d and %d", sum, none);
  try {
    int *variable = nullptr;
    (void)sycl::reduction(
        variable, [](int a, int b) { return a + b; }, sycl::property::reduction::initialize_to_identity());
    check(false, "an identity that is not known");
  } catch (const sycl::exception &e) {
    check(e.code() == sycl::errc::invalid, "an identity that is not known: %s", e.what());
  }
}

PROMISE(reductions, are_of_the_functions_of_the_library_too) {
  sycl::queue queue;
  unsigned *all = sycl::malloc_shared<unsigned>(2, queue);
  all[0] = 0, all[1] = 0;
  queue.parallel_for(sycl::range<1>(100), sycl::reduction(all, std::plus<unsigned>()),
                     sycl::reduction(all + 1, std::bit_or<>()), [=](sycl::id<1> i, auto &sum, auto &bits) {
                       sum += static_cast<unsigned>(i[0]);
                       bits |= 1u << i[0] % 20;
                     });
  queue.wait_and_throw();
  check(all[0] == 4950 && all[1] == 0xFFFFF, "got %u and %#x", all[0], all[1]);
  sycl::free(all, queue);
}

// As C++20 has it.
PROMISE(reductions, take_spans_of_arrays_and_containers) {
  int array[] = {1, 2, 3, 4, 5};
  std::vector<int> vector(array, array + 5);
  const std::array<int, 3> fixed = {7, 8, 9};
  const sycl::span whole(array);
  const sycl::span of_fixed(fixed);
  sycl::span of_vector(vector);
  const sycl::span<const int> read = of_vector;
  static_assert(whole.extent == 5 && of_fixed.extent == 3 && of_vector.extent == sycl::dynamic_extent);
  static_assert(std::is_same_v<decltype(whole.subspan<1, 2>()), sycl::span<int, 2>> &&
                std::is_same_v<decltype(whole.subspan<1>()), sycl::span<int, 4>>);
  static_assert(std::is_constructible_v<sycl::span<const int, 5>, sycl::span<int, 5>> &&
                !std::is_constructible_v<sycl::span<int>, sycl::span<const int>>);
  check(whole.size() == 5 && whole.first<2>()[1] == 2 && whole.last(2).front() == 4 && whole.subspan(1, 3).back() == 4,
        "parts of an array");
  of_vector[4] = 50;
  check(read.size_bytes() == 20 && read.back() == 50 && *read.rbegin() == 50 && !read.empty() &&
            read.data() == &vector[0],
        "of a vector");
  check(sycl::as_bytes(of_fixed).size() == 12 && std::accumulate(of_fixed.begin(), of_fixed.end(), 0) == 24,
        "of an array that is const");
}
