// SPDX-License-Identifier: Apache-2.0
// sycl::reduction over ranges and nd-ranges, by every operator, against the same on the host.
#include <limits>

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
                                    if (i % 40 == 0)
                                      products *= 3u;
                                    minima.combine(value_of<float>(i) + 0.25f);
                                  });
    });
  }
  const int expected = expected_of<int>(7, [](int a, int b) { return a + b + 1; });
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
