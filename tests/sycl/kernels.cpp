// SPDX-License-Identifier: Apache-2.0
// Sub-group sizes that kernels demand, what devices and kernels answer, what captures bring, and the exceptions that a
// wrong launch or a fault throws.
#include <algorithm>
#include <array>
#include <cstring>
#include <iomanip>
#include <sstream>
#include <tuple>

#include "tests/sycl/suite.hpp"
#ifndef __SYCL_DEVICE_ONLY__
#include <criterion/redirect.h>
#endif

// Of two, in both passes: what a user may have in a macro.
#define SIZE(n) [[intel::sub_group_size(n)]]

SYCL_EXTERNAL [[intel::sub_group_size(2)]] int called_by_two(int x) {
  return x + 1;
}

// In every place of a declaration, with and without an attribute.
extern SYCL_EXTERNAL int behind_extern(int);
SYCL_EXTERNAL extern int before_extern(int);
[[intel::sub_group_size(2)]] SYCL_EXTERNAL int behind_an_attribute(int);
inline SYCL_EXTERNAL int behind_inline(int x) {
  return x * 10 + 1;
}
template <typename T>
SYCL_EXTERNAL T of_a_template(T x) {
  return x * 10 + 2;
}
// As programs for DPC++ have it, where it is an attribute of GNU's form.
template <int N>
SYCL_EXTERNAL int of_instances(int x) {
  return x * 10 + N;
}
template SYCL_EXTERNAL int of_instances<8>(int);
const int *SYCL_EXTERNAL behind_a_type(const int *x) {
  return x;
}
struct with_members {
  SYCL_EXTERNAL int member(int x) const {
    return x * 10 + 3;
  }
  static SYCL_EXTERNAL int static_member(int x);
};
SYCL_EXTERNAL int with_members::static_member(int x) {
  return x * 10 + 4;
}
int behind_extern(int x) {
  return x * 10 + 5;
}
int before_extern(int x) {
  return x * 10 + 6;
}
int behind_an_attribute(int x) {
  return x * 10 + 7;
}

namespace {

// ---- sizes

struct of_four {
  std::uint32_t *out;
  [[intel::sub_group_size(4)]] void operator()(sycl::nd_item<1> item) const {
    out[item.get_global_id(0)] = static_cast<std::uint32_t>(item.get_sub_group().get_max_local_range()[0]);
  }
};

template <int Size>
void start_of(sycl::queue &queue, sycl::nd_range<1> range, std::uint32_t *out) {
  queue.parallel_for<std::integral_constant<int, Size>>(
      range, [=](sycl::nd_item<1> item) [[intel::sub_group_size(Size)]] {
        out[item.get_global_id(0)] = static_cast<std::uint32_t>(item.get_sub_group().get_max_local_range()[0]);
      });
}

class OfOne;
class OfTwo;
class OfThirtyTwo;
class Primary;
class Automatic;
class Default;

std::uint32_t lanes_of(const sycl::device &device) {
  return static_cast<std::uint32_t>(device.get_info<sycl::info::device::primary_sub_group_size>());
}

template <typename F>
void expect_size(const char *what, std::uint32_t size, const F &start) {
  sycl::queue queue;
  const auto results = results_of<std::uint32_t>(
      queue, 32, 16, [&](sycl::nd_range<1> range, std::uint32_t *out) { start(queue, range, out); });
  for (std::size_t i = 0; i < results.size(); i++)
    check(results[i] == size, "%s: sub-groups of %u, expected %u", what, results[i], size);
}

#define KERNEL(...)                                                                                         \
  [=](sycl::nd_item<1> item) __VA_ARGS__ {                                                                  \
    out[item.get_global_id(0)] = static_cast<std::uint32_t>(item.get_sub_group().get_max_local_range()[0]); \
  }

// What `action` throws.
template <typename F>
void expect_exception(sycl::errc code, const std::vector<const char *> &parts, const F &action) {
  try {
    action();
  } catch (const sycl::exception &e) {
    check(e.code() == code && e.category() == sycl::sycl_category(), "code %d of \"%s\", expected %d", e.code().value(),
          e.what(), static_cast<int>(code));
    for (const char *part : parts)
      check(std::strstr(e.what(), part), "\"%s\" has no \"%s\"", e.what(), part);
    return;
  }
  check(false, "nothing was thrown");
}

// ---- captures

struct base {
  short tag;
  std::size_t offset;
};
class derived : public base {
 public:
  explicit derived(int v) : base{3, 4}, value(v) {}
  int get() const {
    return value;
  }

 private:
  int value;
};
enum class color : unsigned char { red = 1, green = 2 };

template <typename T>
std::vector<double> sum_of(sycl::queue &queue, T x) {
  return results_of<double>(queue, 8, 8, [&](sycl::nd_range<1> range, double *out) {
    queue.parallel_for(range, [=](sycl::nd_item<1> item) { out[item.get_global_id(0)] = static_cast<double>(x) + 1; });
  });
}

template <typename T, std::size_t Size>
double last_of(sycl::queue &queue, const std::array<T, Size> &x) {
  return results_of<double>(queue, 8, 8, [&](sycl::nd_range<1> range, double *out) {
    queue.parallel_for(range,
                       [=](sycl::nd_item<1> item) { out[item.get_global_id(0)] = static_cast<double>(x[Size - 1]); });
  })[0];
}

}  // namespace

PROMISE(kernels, have_the_sub_group_size_they_demand) {
  const std::uint32_t lanes = lanes_of(sycl::device());
  expect_size("attribute behind parameters", 2, [](auto &queue, auto range, std::uint32_t *out) {
    queue.template parallel_for<OfTwo>(range, [=](sycl::nd_item<1> item) [[intel::sub_group_size(2)]] {
      out[item.get_global_id(0)] = static_cast<std::uint32_t>(
          called_by_two(static_cast<int>(item.get_sub_group().get_max_local_range()[0]) - 1));
    });
  });
  expect_size("attribute before parameters", 4, [](auto &queue, auto range, std::uint32_t *out) {
    queue.parallel_for(range, [=] [[intel::sub_group_size(4)]] (sycl::nd_item<1> item) {
      out[item.get_global_id(0)] = static_cast<std::uint32_t>(item.get_sub_group().get_max_local_range()[0]);
    });
  });
  expect_size("attribute of a function object", 4,
              [](auto &queue, auto range, std::uint32_t *out) { queue.parallel_for(range, of_four{out}); });
  expect_size("attribute from a macro", 1,
              [](auto &queue, auto range, std::uint32_t *out) { queue.parallel_for(range, KERNEL(SIZE(1))); });
  expect_size("attribute of a mutable lambda", 8, [](auto &queue, auto range, std::uint32_t *out) {
    queue.parallel_for(range, [=](sycl::nd_item<1> item) mutable [[intel::sub_group_size(8)]] {
      out[item.get_global_id(0)] = static_cast<std::uint32_t>(item.get_sub_group().get_max_local_range()[0]);
    });
  });
  expect_size("template parameter", 2,
              [](auto &queue, auto range, std::uint32_t *out) { start_of<2>(queue, range, out); });
  expect_size("template parameter", 4,
              [](auto &queue, auto range, std::uint32_t *out) { start_of<4>(queue, range, out); });
  expect_size("primary", lanes, [](auto &queue, auto range, std::uint32_t *out) {
    queue.template parallel_for<Primary>(range, KERNEL([[intel::named_sub_group_size(primary)]]));
  });
  expect_size("automatic", lanes, [](auto &queue, auto range, std::uint32_t *out) {
    queue.template parallel_for<Automatic>(range, KERNEL([[intel::named_sub_group_size(automatic)]]));
  });
  expect_size("no attribute", lanes, [](auto &queue, auto range, std::uint32_t *out) {
    queue.template parallel_for<Default>(range, KERNEL());
  });
}

PROMISE(kernels, call_external_functions_however_they_are_declared) {
  sycl::queue queue;
  int *out = sycl::malloc_shared<int>(1, queue);
  queue.single_task([=]() [[intel::sub_group_size(2)]] {
    int x = behind_inline(behind_extern(before_extern(behind_an_attribute(0))));
    x = with_members::static_member(with_members().member(of_a_template(x)));
    out[0] = *behind_a_type(&x) + of_instances<8>(0) * 1000000;
  });
  queue.wait_and_throw();
  check(*out == 15651234, "it is %d", *out);
  sycl::free(out, queue);
}

PROMISE(kernels, of_a_size_that_the_device_lacks_are_refused_when_submitted) {
  sycl::queue queue;
  std::uint32_t *out = sycl::malloc_device<std::uint32_t>(32, queue);
  expect_exception(
      sycl::errc::feature_not_supported, {"kernel 'OfThirtyTwo' (", "kernels.cpp:", "demands sub-groups of 32"},
      [&] { queue.parallel_for<OfThirtyTwo>(sycl::nd_range<1>(32, 32), KERNEL([[intel::sub_group_size(32)]])); });
  check(!sycl::is_compatible<OfThirtyTwo>(queue.get_device()), "the kernel is compatible");
  check(sycl::is_compatible<OfTwo>(queue.get_device()), "a kernel of 2 is not compatible");
  sycl::free(out, queue);
}

PROMISE(kernels, answer_the_queries_of_the_extension) {
  using ask = cl::sycl::info::kernel_device_specific;
  static_assert(std::is_enum_v<ask>);
  using cl::sycl::info::param_traits;
  static_assert(std::is_same_v<param_traits<ask, ask::max_num_sub_groups>::return_type, std::uint32_t>);
  static_assert(std::is_same_v<param_traits<ask, ask::compile_num_sub_groups>::return_type, std::uint32_t>);
  static_assert(std::is_same_v<param_traits<ask, ask::max_sub_group_size>::return_type, std::uint32_t>);
  static_assert(std::is_same_v<param_traits<ask, ask::max_sub_group_size>::input_type, sycl::range<3>>);
  static_assert(std::is_same_v<param_traits<ask, ask::compile_sub_group_size>::return_type, std::uint32_t>);
  const sycl::device device;
  const auto bundle = sycl::get_kernel_bundle<sycl::bundle_state::executable>(sycl::context(device));
  const std::uint32_t lanes = lanes_of(device);
  const auto expect = [&](const sycl::kernel &kernel, std::uint32_t compiled, std::uint32_t size) {
    const std::string name = kernel.get_info<sycl::info::kernel::function_name>();
    check(kernel.get_info<ask::compile_sub_group_size>(device) == compiled, "%s: compile_sub_group_size", name.c_str());
    check(kernel.get_info<ask::max_sub_group_size>(device, sycl::range<1>(64)) == size, "%s: max_sub_group_size",
          name.c_str());
    check(kernel.get_info<ask::max_sub_group_size>(device, sycl::range<3>(2, 4, 8)) == size, "%s: max_sub_group_size",
          name.c_str());
    check(kernel.get_info<ask::compile_num_sub_groups>(device) == 0, "%s: compile_num_sub_groups", name.c_str());
    const std::size_t items = kernel.get_info<ask::work_group_size>(device);
    check(kernel.get_info<ask::max_num_sub_groups>(device) == items / size, "%s: max_num_sub_groups", name.c_str());
  };
  expect(bundle.get_kernel<OfTwo>(), 2, 2);
  expect(bundle.get_kernel<Primary>(), lanes, lanes);
  expect(bundle.get_kernel<Automatic>(), 0, lanes);
  expect(bundle.get_kernel<Default>(), lanes, lanes);
  check(std::string(sycl::get_kernel_id<Primary>().get_name()) == "Primary", "the name of a kernel");
  expect_exception(sycl::errc::invalid, {"no kernel"}, [] { sycl::get_kernel_id<struct Nobody>(); });
}

PROMISE(kernels, devices_answer_the_queries_of_the_extension) {
  namespace ask = cl::sycl::info::device;
  static_assert(std::is_same_v<ask::max_num_sub_groups::return_type, std::uint32_t>);
  static_assert(std::is_same_v<ask::sub_group_independent_forward_progress::return_type, bool>);
  static_assert(std::is_same_v<ask::primary_sub_group_size::return_type, std::size_t>);
  static_assert(std::is_same_v<ask::sub_group_sizes::return_type, std::vector<std::size_t>>);
  const sycl::device device;
  const std::size_t primary = device.get_info<ask::primary_sub_group_size>();
  const std::vector<std::size_t> sizes = device.get_info<ask::sub_group_sizes>();
  std::size_t largest = 0;
  for (std::size_t size : sizes) {
    check(size != 0 && (size & (size - 1)) == 0, "sub-group size %zu", size);
    largest = size > largest ? size : largest;
  }
  check(largest == primary && sizes.size() == 4, "%zu sizes up to %zu, the primary is %zu", sizes.size(), largest,
        primary);
  // As many sub-groups as a work-group can have there are in one of the kernel whose sub-groups are smallest.
  const auto bundle = sycl::get_kernel_bundle<sycl::bundle_state::executable>(sycl::context(device));
  const std::uint32_t most = device.get_info<ask::max_num_sub_groups>();
  check(bundle.get_kernel<OfOne>().get_info<sycl::info::kernel_device_specific::max_num_sub_groups>(device) == most,
        "max_num_sub_groups of a kernel with sub-groups of 1 is not the device's, %u", most);
  sycl::queue queue(device);
  const auto counts = results_of<std::uint32_t>(queue, most, most, [&](sycl::nd_range<1> range, std::uint32_t *out) {
    queue.parallel_for<OfOne>(range, [=](sycl::nd_item<1> item) [[intel::sub_group_size(1)]] {
      out[item.get_global_id(0)] = static_cast<std::uint32_t>(item.get_sub_group().get_group_range()[0]);
    });
  });
  check(counts[0] == most && counts[most - 1] == most, "%u sub-groups of at most %u", counts[0], most);
  check(device.get_info<ask::sub_group_independent_forward_progress>(), "independent forward progress");
}

PROMISE(kernels, get_what_they_capture) {
  sycl::queue queue;
  const derived object(42);
  const color c = color::green;
  const int matrix[2][2] = {{1, 2}, {3, 4}};
  const std::pair<char, long long> pair{'p', 1ll << 40};
  const std::ptrdiff_t negative = -5;
  const sycl::half half = 1.5f;
  const std::array<derived, 2> array{derived(7), derived(9)};
  const std::tuple<char, double> tuple{'x', 0.25};
  const char *null = nullptr;
  const bool yes = true;
  const std::int64_t wide = -(std::int64_t(1) << 50);
  const auto got = results_of<double>(queue, 16, 16, [&](sycl::nd_range<1> range, double *out) {
    queue.parallel_for(range, [=](sycl::nd_item<1> item) {
      const double all[] = {static_cast<double>(object.get()),
                            static_cast<double>(object.tag + object.offset),
                            static_cast<double>(c),
                            static_cast<double>(matrix[1][0]),
                            static_cast<double>(pair.second),
                            static_cast<double>(negative),
                            static_cast<double>(half),
                            static_cast<double>(array[1].get()),
                            static_cast<double>(std::get<1>(tuple)),
                            static_cast<double>(!null),
                            static_cast<double>(yes),
                            static_cast<double>(wide)};
      out[item.get_global_id(0)] = item.get_global_id(0) < 12 ? all[item.get_global_id(0)] : 0;
    });
  });
  const double expected[] = {42, 7,    2, 3, static_cast<double>(1ll << 40), -5, 1.5,
                             9,  0.25, 1, 1, static_cast<double>(wide)};
  for (std::size_t i = 0; i < std::size(expected); i++)
    check(got[i] == expected[i], "capture %zu: expected %g, got %g", i, expected[i], got[i]);
}

PROMISE(kernels, of_types_that_differ_only_in_size_are_told_apart) {
  sycl::queue queue;
  check(sum_of<unsigned>(queue, 3)[0] == 4, "unsigned");
  check(sum_of<int>(queue, -3)[0] == -2, "int");
  check(sum_of<std::uint64_t>(queue, std::uint64_t(1) << 40)[0] == static_cast<double>((std::uint64_t(1) << 40) + 1),
        "uint64_t");
  check(sum_of<std::int64_t>(queue, -(std::int64_t(1) << 40))[0] == static_cast<double>(1 - (std::int64_t(1) << 40)),
        "int64_t");
  check(sum_of<float>(queue, 0.5f)[0] == 1.5, "float");
  check(last_of(queue, std::array<unsigned, 3>{1, 2, 3}) == 3, "array of unsigned");
  check(last_of(queue, std::array<std::uint64_t, 3>{1, 2, 1u << 30}) == 1 << 30, "array of uint64_t");
  check(last_of(queue, std::array<int, 3>{1, 2, -3}) == -3, "array of int");
}

PROMISE(kernels, are_not_given_what_the_device_cannot_have) {
  sycl::queue queue;
  int on_host = 1;
  int *const pointer = &on_host;
  expect_exception(
      sycl::errc::kernel_argument, {"kernel 'HostPointer' (", "kernels.cpp:", "captures a pointer", "to the host's"},
      [&] { queue.parallel_for<class HostPointer>(sycl::nd_range<1>(8, 8), [=](sycl::nd_item<1>) { *pointer = 2; }); });
  int *freed = sycl::malloc_device<int>(8, queue);
  sycl::free(freed, queue);
  expect_exception(sycl::errc::kernel_argument, {"kernel 'Freed'", "has been freed"}, [&] {
    queue.parallel_for<class Freed>(sycl::nd_range<1>(8, 8), [=](sycl::nd_item<1>) { *freed = 2; });
  });
  int *out = sycl::malloc_device<int>(8, queue);
  expect_exception(sycl::errc::nd_range, {"kernel 'Remainder'", "not a multiple"}, [&] {
    queue.parallel_for<class Remainder>(sycl::nd_range<1>(9, 8), [=](sycl::nd_item<1>) { *out = 1; });
  });
  expect_exception(sycl::errc::nd_range, {"kernel 'Endless' (", "kernels.cpp:", "do not fit 32 bits"}, [&] {
    queue.parallel_for<class Endless>(sycl::range<2>(1, std::size_t{1} << 32), [=](sycl::id<2>) { *out = 1; });
  });
  expect_exception(sycl::errc::nd_range, {"kernel 'FarAway' (", "kernels.cpp:", "do not fit 32 bits"}, [&] {
    queue.submit([&](sycl::handler &h) {
      h.parallel_for<class FarAway>(sycl::range<1>(8), sycl::id<1>(0xFFFFFFFF), [=](sycl::item<1>) { *out = 1; });
    });
  });
  expect_exception(sycl::errc::invalid, {"outside of a kernel"},
                   [] { sycl::atomic_fence(sycl::memory_order::seq_cst, sycl::memory_scope::device); });
  expect_exception(sycl::errc::memory_allocation,
                   {"kernel 'Greedy'", "16777216 bytes of local memory; a work-group has"}, [&] {
                     queue.submit([&](sycl::handler &h) {
                       sycl::local_accessor<char> much(sycl::range<1>(1 << 24), h);
                       h.parallel_for<class Greedy>(sycl::nd_range<1>(8, 8), [=](sycl::nd_item<1>) { much[0] = 1; });
                     });
                   });
  sycl::buffer<int> elements(sycl::range<1>(4));
  expect_exception(sycl::errc::invalid, {"pointer of an accessor", "outside of a kernel"}, [&] {
    queue.submit([&](sycl::handler &h) {
      sycl::accessor a(elements, h);
      a[0] = 1;
    });
  });
  expect_exception(sycl::errc::invalid, {"more than the 32"}, [&] { queue.memset(out, 0, 33); });
  sycl::free(out, queue);
}

PROMISE(kernels, that_fault_tell_the_asynchronous_handler) {
  std::vector<std::string> told;
  sycl::queue queue(sycl::default_selector_v, [&](sycl::exception_list list) {
    for (const std::exception_ptr &each : list) {
      try {
        std::rethrow_exception(each);
      } catch (const sycl::exception &e) {
        check(e.code() == sycl::errc::kernel && e.has_context(), "code of \"%s\"", e.what());
        told.push_back(e.what());
      }
    }
  });
  int *out = sycl::malloc_device<int>(8, queue);
  queue.parallel_for<class Faulty>(
      sycl::nd_range<1>(8, 8), [=](sycl::nd_item<1> item) { out[item.get_global_id(0) == 5 ? 0x10000000 : 0] = 1; });
  queue.wait_and_throw();
  check(told.size() == 1, "%zu errors", told.size());
  for (const char *part : {"kernel 'Faulty' (", "kernels.cpp:", "unmapped"})
    check(told[0].find(part) != std::string::npos, "\"%s\" has no \"%s\"", told[0].c_str(), part);
  queue.wait_and_throw();
  check(told.size() == 1, "an error was told twice");
  // The next kernel runs.
  queue.parallel_for<class AfterFault>(sycl::nd_range<1>(8, 8),
                                       [=](sycl::nd_item<1> item) { out[item.get_global_id(0)] = 7; });
  int got[8];
  queue.memcpy(got, out, sizeof got).wait_and_throw();
  check(got[7] == 7, "after the fault: %d", got[7]);
  sycl::free(out, queue);
}

namespace {
constexpr int line_of_assertion = __LINE__ + 3;
template <typename T>
T less_than_six(T x) {
  assert(x < 6);
  return x;
}
}  // namespace

PROMISE(kernels, end_where_an_assertion_does_not_hold) {
  std::string told;
  sycl::queue queue(sycl::default_selector_v, [&](sycl::exception_list list) {
    for (const std::exception_ptr &each : list) {
      try {
        std::rethrow_exception(each);
      } catch (const sycl::exception &e) {
        told += e.what();
      }
    }
  });
#ifndef __SYCL_DEVICE_ONLY__
  cr_redirect_stdout();
#endif
  int *out = sycl::malloc_shared<int>(8, queue);
  queue.parallel_for<class Asserts>(6, [=](sycl::id<1> i) { out[i] = less_than_six(static_cast<int>(i)); });
  queue.wait_and_throw();
  check(told.empty() && out[5] == 5, "out[5] is %d, and an error is told: %s", out[5], told.c_str());
  queue.single_task<class AssertsToo>([=] { out[0] = less_than_six(out[5] + 1); });
  queue.wait_and_throw();
  for (const char *part : {"kernel 'AssertsToo' (", "illegal instruction, ", "kernels.cpp:", "work-item (0, 0, 0)"})
    check(told.find(part) != std::string::npos, "\"%s\" has no \"%s\"", told.c_str(), part);
#ifndef __SYCL_DEVICE_ONLY__
  std::fflush(stdout);
  const std::string expected = std::string(__FILE__) + ":" + std::to_string(line_of_assertion) +
                               ": T (anonymous namespace)::less_than_six(T) [T = int]: Assertion `x < 6' failed.\n";
  cr_assert_stdout_eq_str(expected.c_str());
#endif
  sycl::free(out, queue);
}

PROMISE(kernels, are_in_bundles_by_their_names) {
  sycl::queue queue;
  const sycl::context context = queue.get_context();
  const sycl::kernel_id two = sycl::get_kernel_id<OfTwo>(), large = sycl::get_kernel_id<OfThirtyTwo>();
  const auto some = sycl::get_kernel_bundle<sycl::bundle_state::executable>(context, {two, large});
  check(some.has_kernel<OfTwo>() && !some.has_kernel<Primary>() && !some.has_kernel(large) &&
            some.get_kernel_ids().size() == 2,
        "what a bundle has");
  expect_exception(sycl::errc::invalid, {"does not have kernel 'Primary'"}, [&] { some.get_kernel<Primary>(); });
  const auto input = sycl::get_kernel_bundle<OfTwo, sycl::bundle_state::input>(context);
  const auto built = sycl::build(input);
  check(built.get_kernel(two).get_info<sycl::info::kernel::function_name>() == "OfTwo", "a bundle that was built");
  check(sycl::has_kernel_bundle<sycl::bundle_state::executable>(context, {two}) &&
            !sycl::has_kernel_bundle<sycl::bundle_state::executable>(context, {large}),
        "which bundles there are");
  const auto all = sycl::get_kernel_ids();
  check(std::find(all.begin(), all.end(), two) != all.end() && all.size() > 10, "%zu kernels", all.size());
}

namespace {

struct shape {
  int rows;
  float scale;
};
constexpr sycl::specialization_id<int> size_of_tile{3};
constexpr sycl::specialization_id<shape> the_shape{shape{2, 0.5f}};

}  // namespace

PROMISE(kernels, find_specialization_constants) {
  sycl::queue queue;
  float *out = sycl::malloc_shared<float>(8, queue);
  const auto start = [&](bool is_set) {
    queue.submit([&](sycl::handler &h) {
      if (is_set) {
        h.set_specialization_constant<the_shape>({7, 1.5f});
        h.set_specialization_constant<size_of_tile>(9);
        h.set_specialization_constant<size_of_tile>(10);
      }
      check(h.get_specialization_constant<size_of_tile>() == (is_set ? 10 : 3), "the handler's value");
      h.parallel_for<class Specialized>(8, [=](sycl::item<1> i, sycl::kernel_handler k) {
        const shape s = k.get_specialization_constant<the_shape>();
        out[i] =
            static_cast<float>(s.rows) * s.scale + static_cast<float>(k.get_specialization_constant<size_of_tile>());
      });
    });
    queue.wait_and_throw();
    return out[7];
  };
  check(start(true) == 20.5f, "values that were set");
  check(start(false) == 4, "defaults");
  sycl::free(out, queue);
}

PROMISE(kernels, find_specialization_constants_of_their_bundle) {
  sycl::queue queue;
  const auto all = sycl::get_kernel_bundle<sycl::bundle_state::input>(queue.get_context());
  auto mine = sycl::get_kernel_bundle<sycl::bundle_state::input>(queue.get_context());
  check(mine.contains_specialization_constants() && mine.has_specialization_constant<size_of_tile>() &&
            !mine.native_specialization_constant(),
        "what the bundle says of specialization constants");
  mine.set_specialization_constant<size_of_tile>(20);
  check(all.get_specialization_constant<size_of_tile>() == 3 && mine.get_specialization_constant<size_of_tile>() == 20,
        "values in bundles");
  const auto built = sycl::build(mine);
  check(built.get_specialization_constant<size_of_tile>() == 20, "the value of the bundle that was built");
  int *out = sycl::malloc_shared<int>(1, queue);
  queue.submit([&](sycl::handler &h) {
    h.use_kernel_bundle(built);
    h.single_task<class OfBundle>(
        [=](sycl::kernel_handler k) { *out = k.get_specialization_constant<size_of_tile>(); });
  });
  queue.wait_and_throw();
  check(*out == 20, "the kernel found %d", *out);
  sycl::free(out, queue);
  // What the text has as errc::invalid.
  auto other = sycl::get_kernel_bundle<sycl::bundle_state::input>(queue.get_context());
  other.set_specialization_constant<size_of_tile>(21);
  expect_exception(sycl::errc::invalid, {"different values for a specialization constant"},
                   [&] { sycl::join(std::vector{mine, other}); });
  expect_exception(sycl::errc::invalid, {"a command that uses a kernel bundle has its specialization constants"}, [&] {
    queue.submit([&](sycl::handler &h) {
      h.use_kernel_bundle(built);
      h.set_specialization_constant<size_of_tile>(1);
    });
  });
  expect_exception(sycl::errc::invalid, {"the command has specialization constants of its own already"}, [&] {
    queue.submit([&](sycl::handler &h) {
      h.set_specialization_constant<size_of_tile>(1);
      h.use_kernel_bundle(built);
    });
  });
}

class InImage;

PROMISE(kernels, are_in_the_image_of_their_bundle) {
  sycl::queue queue;
  queue.single_task<InImage>([] {});
  const sycl::context context = queue.get_context();
  const auto all = sycl::get_kernel_bundle<sycl::bundle_state::executable>(context);
  const sycl::kernel_id id = sycl::get_kernel_id<InImage>();
  int images = 0;
  for (const sycl::device_image<sycl::bundle_state::executable> &image : all)
    images += image.has_kernel(id) && image.has_kernel(id, queue.get_device()) ? 1 : 0;
  check(images == 1, "%d images have the kernel", images);
  const auto taken = sycl::get_kernel_bundle<sycl::bundle_state::executable>(
      context, [&](const auto &image) { return image.has_kernel(id); });
  const auto none =
      sycl::get_kernel_bundle<sycl::bundle_state::executable>(context, [](const auto &) { return false; });
  check(taken.has_kernel(id) && none.empty() && none.begin() == none.end(), "images that a function takes");
}

// Each work-item's text in one piece, in any order of work-items.
PROMISE(kernels, print_by_streams_and_printf) {
  sycl::queue queue;
#ifndef __SYCL_DEVICE_ONLY__
  std::ostringstream text;
  std::streambuf *const console = std::cout.rdbuf(text.rdbuf());
#endif
  queue.submit([&](sycl::handler &h) {
    sycl::stream out(4096, 256, h);
    h.parallel_for<class Streams>(4, [=](sycl::item<1> item) {
      const int i = item;
      out << "item " << i << ": " << 1.5f * static_cast<float>(i) << ' ' << -i << ' ' << sycl::hex << 255u + i
          << sycl::dec << ' ' << true << ' ' << sycl::setprecision(3) << 2.0 / 3 << ' ' << sycl::setw(4) << i << ' '
          << sycl::float2(1, 2) << ' ' << item.get_id() << " a text that is longer than one piece of sixteen"
          << sycl::endl;
      out << "end of " << i << '\n';
    });
  });
  queue.wait_and_throw();
#ifndef __SYCL_DEVICE_ONLY__
  std::cout.rdbuf(console);
  const std::string got = text.str();
  std::size_t bytes = 0;
  for (int i = 0; i < 4; i++) {
    std::ostringstream expected;
    expected << "item " << i << ": " << 1.5f * static_cast<float>(i) << ' ' << -i << ' ' << std::hex << 255 + i
             << std::dec << " 1 " << std::setprecision(3) << 2.0 / 3 << ' ' << std::setw(4) << i << " 1, 2 {" << i
             << "} a text that is longer than one piece of sixteen\n";
    const std::string last = "end of " + std::to_string(i) + "\n";
    check(got.find(expected.str()) != std::string::npos, "%s has no %s", got.c_str(), expected.str().c_str());
    check(got.find(last) != std::string::npos, "%s has no %s", got.c_str(), last.c_str());
    bytes += expected.str().size() + last.size();
  }
  check(bytes == got.size(), "%zu characters, expected %zu", got.size(), bytes);
  cr_redirect_stdout();
#endif
  queue.single_task<class Prints>(
      [=] { sycl::ext::oneapi::experimental::printf("%d and %s, %.2f\n", 42, "text", 0.25f); });
  queue.wait_and_throw();
#ifndef __SYCL_DEVICE_ONLY__
  std::fflush(stdout);
  cr_assert_stdout_eq_str("42 and text, 0.25\n");
#endif
}
