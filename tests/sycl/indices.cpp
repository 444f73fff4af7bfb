// SPDX-License-Identifier: Apache-2.0
// id, range and item as programs use them (SYCL 2020, 4.9.1): arithmetic on the host against numbers, conversions and
// subscripts in kernels, lists of numbers for ranges, offsets; and the attributes of kernels.
#include <cstring>
#include <limits>
#include <sstream>

#include "tests/sycl/suite.hpp"

namespace {

// An index type has every operator by element, with its kind and with numbers on both sides.
template <typename T>
void check_operators(const char *what) {
  const T a(6, 20), b(4, 3);
  const auto same = [&](const char *op, const T &got, std::size_t x, std::size_t y) {
    check(got[0] == x && got[1] == y, "%s %s: expected %zu %zu, got %zu %zu", what, op, x, y, got[0], got[1]);
  };
  std::size_t x = 6, y = 20, u = 4, v = 3;
  const unsigned seven = 7;
#define CHECK(op)                                                                 \
  same(#op, a op b, x op u, y op v), same(#op " number", a op 3, x op v, y op v); \
  same("number " #op, seven op b, seven op u, seven op v), same(#op " 64 bits", a op v, x op v, y op v)
  CHECK(+), CHECK(-), CHECK(*), CHECK(/), CHECK(%), CHECK(<<), CHECK(>>), CHECK(&), CHECK(|), CHECK(^);
  CHECK(<), CHECK(>), CHECK(<=), CHECK(>=), CHECK(&&), CHECK(||);
#undef CHECK
#define CHECK(op)                            \
  {                                          \
    T c = a;                                 \
    c op## = b;                              \
    same(#op "=", c, x op u, y op v);        \
    c = a;                                   \
    c op## = 3;                              \
    same(#op "= number", c, x op v, y op v); \
  }
  CHECK(+)
  CHECK(-)
  CHECK(*)
  CHECK(/)
  CHECK(%)
  CHECK(<<)
  CHECK(>>)
  CHECK(&)
  CHECK(|)
  CHECK(^)
#undef CHECK
  T c = a;
  same("prefix ++", ++c, 7, 21), same("postfix ++", c++, 7, 21), same("after", c, 8, 22);
  same("prefix --", --c, 7, 21), same("postfix --", c--, 7, 21), same("after", c, 6, 20);
  same("unary +", +a, 6, 20), same("unary -", -a, std::size_t(0) - 6, std::size_t(0) - 20);
  check(a == c && !(a != c) && a != b && !(a == b), "%s: comparisons", what);
}

class Of1024;
class OfThree;
class Of4099;
class OfCustom;
class OfAll;

// As the text has it, of template arguments too.
template <sycl::aspect... Aspects>
struct of_aspects {
  int *out;
  [[sycl::device_has(Aspects...)]] void operator()() const {
    *out += 1;
  }
};

struct counted {
  int *calls;
  bool operator()() const {
    ++*calls;
    return true;
  }
};

struct by_number {
  int *out;
  void operator()(std::size_t i) const {
    out[i] = static_cast<int>(i) + 7;
  }
};

// As the text has the places: of a function object in front and behind the name, of a lambda behind its parameters.
struct of_eight {
  [[sycl::reqd_work_group_size(8)]] void operator()(sycl::nd_item<1>) const {}
};
struct of_eight_behind {
  void operator() [[sycl::reqd_work_group_size(8)]] (sycl::nd_item<1>) const {}
};
template <std::size_t Size>
struct of_sub_groups_of {
  [[sycl::reqd_sub_group_size(Size)]] void operator()(sycl::item<1>) const {}
};
struct of_eight_last {
  void operator()(sycl::nd_item<1>) const [[sycl::reqd_work_group_size(8)]] {}
};

template <typename F>
void expect_exception(sycl::errc code, const char *part, const F &action) {
  try {
    action();
  } catch (const sycl::exception &e) {
    check(e.code() == code && std::strstr(e.what(), part), "\"%s\" (%d), expected \"%s\" (%d)", e.what(),
          e.code().value(), part, static_cast<int>(code));
    return;
  }
  check(false, "nothing was thrown, expected \"%s\"", part);
}

// What `start` leaves in 16 numbers of the device.
template <typename F>
std::vector<int> filled(sycl::queue &queue, const F &start) {
  int *memory = sycl::malloc_device<int>(16, queue);
  queue.memset(memory, 0, 16 * sizeof *memory);
  start(memory);
  std::vector<int> got(16);
  queue.memcpy(got.data(), memory, 16 * sizeof *memory).wait_and_throw();
  sycl::free(memory, queue);
  return got;
}

void expect_all(const char *what, const std::vector<int> &got, int first, int step) {
  for (int i = 0; i < 16; i++)
    check(got[static_cast<std::size_t>(i)] == first + step * i, "%s: element %d is %d", what, i,
          got[static_cast<std::size_t>(i)]);
}

}  // namespace

PROMISE(indices, have_their_operators) {
  check_operators<sycl::id<2>>("id");
  check_operators<sycl::range<2>>("range");
  const sycl::id<2> sum = sycl::id<2>(1, 2) + sycl::range<2>(3, 4);
  check(sum == sycl::id<2>(4, 6), "an id and a range");
  // Deduced: of numbers and of ranges.
  static_assert(std::is_same_v<decltype(sycl::range(1, 2)), sycl::range<2>>);
  static_assert(std::is_same_v<decltype(sycl::id(sycl::range(1, 2, 3))), sycl::id<3>>);
  static_assert(std::is_same_v<decltype(sycl::nd_range(sycl::range(8), sycl::range(4))), sycl::nd_range<1>>);
  check(sycl::nd_range<1>(8, 4) == sycl::nd_range<1>(8, 4) && sycl::nd_range<1>(8, 4) != sycl::nd_range<1>(8, 2),
        "comparisons of an nd_range");
}

PROMISE(indices, of_one_dimension_are_numbers) {
  const sycl::id<1> i = 6;
  const int n = 8, values[] = {0, 1, 2, 3, 4, 5, 60, 7}, *p = values;
  int calls = 0;
  const counted call{&calls};
  const int x = i, sum = 1 + i + 2u, twice = 2 * i, part = i % 4;
  const float half = i * 0.5f, other = 1.0f / (i - 4);
  check(x == 6 && sum == 9 && twice == 12 && part == 2 && half == 3 && other == 0.5f, "%d %d %d %d %f %f", x, sum,
        twice, part, static_cast<double>(half), static_cast<double>(other));
  check(p[i] == 60 && *(p + i) == 60, "subscript");
  check(i < n && p[i] > 0 && i % 2 == 0 && i == 6 && 6 == i && i != 5u && i >= 6 && 7 > i, "comparisons");
  check(!(i > n && call()) && calls == 0, "&& of a number looks at its right side though the left is false");
  check((i < n || call()) && calls == 0, "|| of a number looks at its right side though the left is true");
  const sycl::id<1> j = 7;
  check(i < j && !(j <= i) && i != j && i == sycl::id<1>(6), "two ids");
}

PROMISE(indices, of_items_convert_and_index) {
  sycl::queue queue;
  expect_all("auto", filled(queue, [&](int *p) { queue.parallel_for(16, [=](auto i) { p[i] = 3; }); }), 3, 0);
  // As the examples of a book on DPC++ have it.
  expect_all("auto &", filled(queue, [&](int *p) { queue.parallel_for(16, [=](auto &i) { p[i] = i; }); }), 0, 1);
  expect_all("auto & of an nd_range",
             filled(queue,
                    [&](int *p) {
                      queue.parallel_for(sycl::nd_range<1>(16, 8), [=](auto &i) {
                        p[i.get_global_id(0)] = static_cast<int>(i.get_local_range(0));
                      });
                    }),
             8, 0);
  expect_all(
      "auto & and a handler",
      filled(queue, [&](int *p) { queue.parallel_for(16, [=](auto &i, sycl::kernel_handler) { p[i] = i + 1; }); }), 1,
      1);
  expect_all("item",
             filled(queue,
                    [&](int *p) {
                      queue.parallel_for(sycl::range(16), [=](sycl::item<1> i) {
                        const int x = i;
                        const sycl::id<1> k = i;
                        p[k] = x + 2 * i - i.get_id() + 1;
                      });
                    }),
             1, 2);
  expect_all("item without offset",
             filled(queue,
                    [&](int *p) {
                      queue.parallel_for({16},
                                         [=](sycl::item<1, false> i) { p[i] = static_cast<int>(i.get_linear_id()); });
                    }),
             0, 1);
  expect_all("number", filled(queue, [&](int *p) { queue.parallel_for(16, by_number{p}); }), 7, 1);
  expect_all("list of two",
             filled(queue,
                    [&](int *p) {
                      queue.parallel_for({4, 4}, [=](sycl::id<2> i) { p[i[0] * 4 + i[1]] = static_cast<int>(i[0]); });
                    }).at(15) == 3
                 ? std::vector<int>(16, 5)
                 : std::vector<int>(16, 0),
             5, 0);
  expect_all("events, list of three",
             filled(queue,
                    [&](int *p) {
                      const sycl::event first = queue.single_task([=] { p[0] = 1; });
                      queue.parallel_for({2, 2, 4}, {first, first}, [=](sycl::item<3> i) {
                        p[i.get_linear_id()] = static_cast<int>(i[0] * 8 + i[1] * 4 + i[2]);
                      });
                    }),
             0, 1);
  // With an offset ids begin there, linear ids at 0.
  const std::vector<int> shifted = filled(queue, [&](int *p) {
    queue.submit([&](sycl::handler &h) {
      h.parallel_for(sycl::range<1>(4), sycl::id<1>(5),
                     [=](sycl::item<1> i) { p[i] = static_cast<int>(i.get_linear_id() * 10 + i.get_offset()[0]); });
    });
  });
  check(shifted[4] == 0 && shifted[5] == 5 && shifted[8] == 35 && shifted[9] == 0, "%d %d %d %d", shifted[4],
        shifted[5], shifted[8], shifted[9]);
  sycl::buffer<int, 2> buffer(sycl::range(3, 5));
  queue.submit([&](sycl::handler &h) {
    sycl::accessor all(buffer, h);
    h.parallel_for(buffer.get_range(), [=](sycl::item<2> i) { all[i] = static_cast<int>(i.get_linear_id()); });
  });
  const sycl::host_accessor got(buffer);
  check(got[2][4] == 14 && got[sycl::id<2>(1, 1)] == 6, "accessor[item]: %d", got[2][4]);
}

PROMISE(indices, halves_have_limits) {
  using limits = std::numeric_limits<sycl::half>;
  static_assert(limits::is_specialized && limits::has_infinity && limits::digits == 11);
  check(static_cast<float>(limits::max()) == 65504 && static_cast<float>(limits::lowest()) == -65504, "max and lowest");
  check(static_cast<float>(limits::min()) == 6.103515625e-05f &&
            static_cast<float>(limits::epsilon()) == 0.0009765625f &&
            static_cast<float>(limits::denorm_min()) == 5.9604644775390625e-08f,
        "min, epsilon and denorm_min");
  check(limits::infinity() > limits::max() && limits::quiet_NaN() != limits::quiet_NaN(), "infinity and NaN");
  std::stringstream text;
  text << sycl::half(1.5f) << ' ' << limits::max();
  sycl::half first = 0, second = 0;
  text >> first >> second;
  check(text.str() == "1.5 65504" && first == sycl::half(1.5f) && second == limits::max(), "as text: %s",
        text.str().c_str());
}

PROMISE(indices, of_kernels_with_attributes_are_those_they_ask_for) {
  sycl::queue queue;
  const std::vector<int> sizes = filled(queue, [&](int *p) {
    const sycl::nd_range<1> range(8, 8);
    queue.parallel_for(range, [=](sycl::nd_item<1> i) [[sycl::reqd_sub_group_size(4)]] {
      p[0] = static_cast<int>(i.get_sub_group().get_max_local_range()[0]);
    });
    queue.parallel_for(range, [=] [[intel::reqd_sub_group_size(2)]] (sycl::nd_item<1> i) {
      p[1] = static_cast<int>(i.get_sub_group().get_max_local_range()[0]);
    });
    queue.parallel_for(range, [=](sycl::nd_item<1> i) [[sycl::reqd_work_group_size(8), sycl::reqd_sub_group_size(2),
                                                        sycl::work_group_size_hint(8), sycl::vec_type_hint<float>]] {
      p[2] = static_cast<int>(i.get_sub_group().get_max_local_range()[0]);
    });
    queue.parallel_for(sycl::nd_range<2>({4, 6}, {2, 3}), [=](sycl::nd_item<2> i) [[sycl::reqd_work_group_size(2, 3)]] {
      p[3] = static_cast<int>(i.get_local_range(0) * 10 + i.get_local_range(1));
    });
    // A range's kernel gets it.
    queue.parallel_for(16, [=](sycl::id<1>) [[sycl::reqd_work_group_size(16)]] { p[4] = 1; });
    queue.parallel_for(range, of_eight());
    queue.parallel_for(range, of_eight_behind());
    queue.parallel_for(range, of_eight_last());
    // In lists of their own, among others and before specifiers.
    queue.parallel_for(range,
                       [=](sycl::nd_item<1> i) [[sycl::reqd_work_group_size(8)]] [[sycl::reqd_sub_group_size(2)]] {
                         p[5] = static_cast<int>(i.get_sub_group().get_max_local_range()[0]);
                       });
    queue.parallel_for(range,
                       [=] [[sycl::reqd_work_group_size(8)]] [[intel::reqd_sub_group_size(4)]] (sycl::nd_item<1> i) {
                         p[6] = static_cast<int>(i.get_sub_group().get_max_local_range()[0]);
                       });
    queue.parallel_for(range, [=](sycl::nd_item<1> i) [[sycl::reqd_work_group_size(8)]] [[sycl::work_group_size_hint(
                                  8)]] [[sycl::reqd_sub_group_size(2)]] mutable {
      p[7] = static_cast<int>(i.get_sub_group().get_max_local_range()[0]);
    });
  });
  check(sizes[0] == 4 && sizes[1] == 2 && sizes[2] == 2, "sub-groups of %d, %d and %d", sizes[0], sizes[1], sizes[2]);
  check(sizes[5] == 2 && sizes[6] == 4 && sizes[7] == 2, "lists: %d, %d and %d", sizes[5], sizes[6], sizes[7]);
  check(sizes[3] == 23 && sizes[4] == 1, "work-groups: %d %d", sizes[3], sizes[4]);
  const char *const words = "[[sycl::reqd_work_group_size(8)]]";
  const sycl::nd_range<1> other(8, 4);
  expect_exception(sycl::errc::nd_range, words, [&] { queue.parallel_for(other, of_eight()); });
  expect_exception(sycl::errc::nd_range, words, [&] { queue.parallel_for(other, of_eight_behind()); });
  expect_exception(sycl::errc::nd_range, words, [&] { queue.parallel_for(other, of_eight_last()); });
  expect_exception(sycl::errc::nd_range, words,
                   [&] { queue.parallel_for(other, [=](sycl::nd_item<1>) [[sycl::reqd_work_group_size(8)]] {}); });
  expect_exception(sycl::errc::nd_range, "(2, 3)", [&] {
    queue.parallel_for(sycl::nd_range<2>({6, 4}, {3, 2}),
                       [=](sycl::nd_item<2>) [[sycl::reqd_work_group_size(2, 3)]] {});
  });
  expect_exception(sycl::errc::nd_range, words, [&] {
    queue.parallel_for(sycl::nd_range<2>({8, 8}, {8, 1}), [=](sycl::nd_item<2>) [[sycl::reqd_work_group_size(8)]] {});
  });
}

// Any power of two up to 2^31 may be asked for; a device that lacks it says so where the kernel is submitted.
PROMISE(indices, of_kernels_that_no_device_can_run_leave_others_alone) {
  sycl::queue queue;
  expect_exception(sycl::errc::feature_not_supported, "demands sub-groups of 1024", [&] {
    queue.parallel_for<Of1024>(sycl::nd_range<1>(8, 8), [=](sycl::nd_item<1>) [[intel::sub_group_size(1024)]] {});
  });
  expect_exception(sycl::errc::feature_not_supported, "demands sub-groups of 2147483648", [&] {
    queue.parallel_for(sycl::nd_range<1>(8, 8), [=](sycl::nd_item<1>) [[intel::reqd_sub_group_size(1u << 31)]] {});
  });
  // SYCL's own attribute takes any number, and has its own error.
  expect_exception(sycl::errc::kernel_not_supported, "demands sub-groups of 64", [&] {
    queue.parallel_for(sycl::nd_range<1>(64, 64), [=](sycl::nd_item<1>) [[sycl::reqd_sub_group_size(64)]] {});
  });
  expect_exception(sycl::errc::kernel_not_supported, "demands sub-groups of 3,",
                   [&] { queue.parallel_for<OfThree>(6, of_sub_groups_of<3>()); });
  expect_exception(sycl::errc::kernel_not_supported, "demands sub-groups of 4099",
                   [&] { queue.parallel_for<Of4099>(8, of_sub_groups_of<4099>()); });
  check(!sycl::is_compatible<OfThree>(queue.get_device()) && !sycl::is_compatible<Of4099>(queue.get_device()),
        "kernels of 3 and 4099 are compatible");
  // A work-group that the device has no room for: of another size it is the range's mistake.
  expect_exception(sycl::errc::kernel_not_supported, "has room for", [&] {
    queue.parallel_for(sycl::nd_range<1>(2048, 2048), [=](sycl::nd_item<1>) [[sycl::reqd_work_group_size(2048)]] {});
  });
  expect_exception(sycl::errc::kernel_not_supported, "(16, 4, 2048)]], for which the device has no room", [&] {
    queue.parallel_for(sycl::nd_range<1>(8, 8), [=](sycl::nd_item<1>) [[sycl::reqd_work_group_size(16, 4, 2048)]] {});
  });
  expect_exception(sycl::errc::nd_range, "has room for",
                   [&] { queue.parallel_for(sycl::nd_range<1>(2048, 2048), [=](sycl::nd_item<1>) {}); });
  check(!sycl::is_compatible<Of1024>(queue.get_device()), "the kernel is compatible");
}

PROMISE(indices, of_kernels_that_need_aspects_are_for_devices_that_have_them) {
  using sycl::aspect;
  sycl::queue queue;
  int *out = sycl::malloc_shared<int>(1, queue);
  *out = 0;
  const auto expect_refused = [&](const char *words, const auto &start) {
    expect_exception(sycl::errc::kernel_not_supported, words, start);
  };
  expect_refused("demands aspect::custom", [&] {
    queue.single_task<OfCustom>([=]() [[sycl::device_has(sycl::aspect::fp16, sycl::aspect::custom)]] { *out = 100; });
  });
  expect_refused("demands aspect::cpu",
                 [&] { queue.parallel_for(8, [=](sycl::id<1>) [[sycl::device_has(aspect::cpu)]] { *out = 100; }); });
  expect_refused("demands aspect::usm_system_allocations",
                 [&] { queue.single_task(of_aspects<aspect::fp64, aspect::usm_system_allocations>{out}); });
  check(!sycl::is_compatible<OfCustom>(queue.get_device()), "the kernel is compatible");
  // Those that it has, none, and beside other attributes.
  queue.single_task<OfAll>(of_aspects<aspect::fp16, aspect::fp64, aspect::usm_device_allocations>{out});
  queue.single_task(of_aspects<>{out});
  queue.parallel_for(sycl::nd_range<1>(1, 1), [=](sycl::nd_item<1>) [[sycl::device_has(), sycl::reqd_sub_group_size(4),
                                                                      sycl::device_has(aspect::fp64)]] { *out += 10; });
  queue.wait_and_throw();
  check(*out == 12 && sycl::is_compatible<OfAll>(queue.get_device()), "those that the device has: %d", *out);
  sycl::free(out, queue);
}
