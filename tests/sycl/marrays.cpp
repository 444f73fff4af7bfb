// SPDX-License-Identifier: Apache-2.0
// Functions of marrays, of swizzles, and of an array and one number: SYCL 2020, sections 4.17.5 to 4.17.8.
#include <cmath>

#include "tests/sycl/suite.hpp"

namespace {

// What a kernel hands over, one number behind the other.
class results {
 public:
  explicit results(float *to) : to_(to) {}
  void put(float x) {
    to_[count_++] = x;
  }
  template <typename T, std::size_t N>
  void put(const sycl::marray<T, N> &all) {
    for (std::size_t i = 0; i < N; i++)
      put(static_cast<float>(all[i]));
  }
  template <typename T, int N>
  void put(const sycl::vec<T, N> &all) {
    for (int i = 0; i < N; i++)
      put(static_cast<float>(all[i]));
  }

 private:
  float *to_;
  int count_ = 0;
};

template <typename F>
void expect(const std::vector<float> &expected, const F &f) {
  sycl::queue queue;
  float *memory = sycl::malloc_shared<float>(expected.size(), queue);
  queue.single_task([=] {
    results r(memory);
    f(r);
  });
  queue.wait_and_throw();
  for (std::size_t i = 0; i < expected.size(); i++)
    check(std::abs(memory[i] - expected[i]) <= 1e-3f * std::fmax(1.0f, std::abs(expected[i])),
          "number %zu is %g, expected %g", i, static_cast<double>(memory[i]), static_cast<double>(expected[i]));
  sycl::free(memory, queue);
}

using float2 = sycl::marray<float, 2>;
using float3 = sycl::marray<float, 3>;
using int2 = sycl::marray<int, 2>;
using int3 = sycl::marray<int, 3>;

}  // namespace

PROMISE(marrays, take_integers_for_exponents) {
  expect({4, 16, 36, 2, 8, 18, 1, 16, 81, 1, 2, 3, 0, 2, 3}, [](results &r) {
    const float3 x{1.0f, 4.0f, 9.0f};
    r.put(sycl::ldexp(x, int3{2, 2, 2}));
    r.put(sycl::ldexp(x, 1));
    r.put(sycl::pown(x, int3{2, 2, 2}));
    r.put(sycl::rootn(x, int3{2, 2, 2}));
    r.put(sycl::ilogb(x));
  });
}

PROMISE(marrays, meet_one_number_for_all_elements) {
  expect({1, 3, 3, 3, 4, 9, 1, 2, 2, 3, 3, 3, 2, 3, 3, 1.5f, 3, 5.5f, 0, 1, 1, 0, 0.31640625f, 1, 1, 2, 2, 3},
         [](results &r) {
           const float3 x{1.0f, 4.0f, 9.0f}, y(2.0f);
           r.put(sycl::fmin(x, 3.0f));
           r.put(sycl::fmax(x, 3.0f));
           r.put(sycl::min(int3{1, 4, 9}, 2));
           r.put(sycl::max(int3{1, 2, 3}, 3));
           r.put(sycl::clamp(x, 2.0f, 3.0f));
           r.put(sycl::mix(x, y, 0.5f));
           r.put(sycl::step(2.0f, x));
           r.put(sycl::smoothstep(1.0f, 9.0f, x));
           r.put(sycl::min(sycl::vec<float, 2>(1, 4), 2));  // which converts
           r.put(sycl::clamp(sycl::vec<int, 4>(1, 4, 9, 0).xz(), 2, 3));
         });
}

PROMISE(marrays, have_second_results) {
  expect({0.5f,  0.75f,    1, -3, 0.5f,  -0.25f, 1, -2, 0.997495f, -0.778073f, 0.0707372f, -0.628174f,
          0.75f, -0.5625f, 1, 2,  -0.5f, -0.25f, 2, -2, -0.5f,     -1,         3,          2},
         [](results &r) {
           const float2 x{1.5f, -2.25f};
           float2 second;
           int2 whole;
           r.put(sycl::fract(x, &second));
           r.put(second);
           r.put(sycl::modf(x, &second));
           r.put(second);
           r.put(sycl::sincos(x, &second));
           r.put(second);
           r.put(sycl::frexp(x, &whole));
           r.put(whole);
           r.put(sycl::remquo(x, float2(1.0f), &whole));
           r.put(whole);
           sycl::vec<int, 2> quotients;
           r.put(sycl::remquo(sycl::vec<float, 2>(5.5f, 7.0f), sycl::vec<float, 2>(2.0f, 4.0f), &quotients));
           r.put(quotients);
         });
}

PROMISE(marrays, are_vectors_of_geometry) {
  expect({28, 5, 0, 0.6f, 0.8f, 0, 0, 1, 0, 0, 1, 0, 5, 5, 0.6f, 0.8f}, [](results &r) {
    const float3 x{1.0f, 4.0f, 9.0f};
    const float2 side{3.0f, 4.0f};
    r.put(sycl::dot(x, float3(2.0f)));
    r.put(sycl::length(side));
    r.put(sycl::distance(x, x));
    r.put(sycl::normalize(side));
    r.put(sycl::cross(float3{1.0f, 0.0f, 0.0f}, float3{0.0f, 1.0f, 0.0f}));
    r.put(sycl::cross(sycl::marray<float, 4>{1.0f, 0.0f, 0.0f, 5.0f}, sycl::marray<float, 4>{0.0f, 1.0f, 0.0f, 6.0f}));
    r.put(sycl::fast_length(side));
    r.put(sycl::fast_distance(side, float2(0.0f)));
    r.put(sycl::fast_normalize(side));
  });
}

// nan() has one form for each type of as many bits, however that is called.
PROMISE(marrays, and_numbers_have_nan_and_upsample) {
  expect({1, 1, 1, 1, 1, 1, 1, 1, 259, 516, 65539, 131076, 65538, -256, 259}, [](results &r) {
    const auto is_nan = [](auto x) { return sycl::isnan(x) ? 1.0f : 0.0f; };
    r.put(is_nan(sycl::nan(static_cast<unsigned short>(1))));
    r.put(is_nan(sycl::nan(5u)));
    r.put(is_nan(sycl::nan(5ul)));
    r.put(is_nan(sycl::nan(5ull)));
    r.put(sycl::isnan(sycl::nan(sycl::marray<unsigned, 2>{1, 2})));
    r.put(-sycl::isnan(sycl::nan(sycl::vec<unsigned, 2>(1, 2))));
    using bytes = sycl::marray<unsigned char, 2>;
    r.put(sycl::upsample(bytes{1, 2}, bytes{3, 4}));
    r.put(sycl::upsample(sycl::marray<short, 2>{1, 2}, sycl::marray<unsigned short, 2>{3, 4}));
    r.put(static_cast<float>(sycl::upsample(static_cast<short>(1), static_cast<unsigned short>(2))));
    r.put(static_cast<float>(sycl::upsample(static_cast<signed char>(-1), static_cast<unsigned char>(0))));
    sycl::vec<unsigned char, 4> all(1, 3, 0, 0);
    r.put(static_cast<float>(sycl::upsample(all.xy(), all.yx())[0]));
  });
}

PROMISE(marrays, and_swizzles_are_compared_and_chosen_from) {
  expect({1, 0, 1, 0, 1, 0, -1, 4, 7, 1, 0}, [](results &r) {
    r.put(sycl::any(sycl::marray<int, 2>{1, -1}));
    r.put(sycl::all(sycl::marray<int, 2>{1, -1}));
    r.put(sycl::any(sycl::marray<bool, 2>{false, true}));
    r.put(sycl::all(sycl::marray<bool, 2>{false, true}));
    sycl::vec<float, 4> x(1, 4, 7, 2);
    r.put(sycl::isnan(x.xy())[0] == 0);
    r.put(sycl::isgreater(x.xy(), x.wx()));
    r.put(sycl::select(x.xy(), x.yz(), sycl::vec<int, 2>(-1, -1)));
    r.put(sycl::all(sycl::isless(x.xy(), x.yz())));
    r.put(sycl::any(sycl::vec<int, 4>(1, 2, -3, 4).xy()));
  });
}
