// SPDX-License-Identifier: Apache-2.0
// Mathematical functions in kernels, sycl::'s and those of <cmath>, and vec: against the same on the host.
#include <array>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>

#include "tests/sycl/suite.hpp"

namespace {

constexpr std::size_t items = 32, local_items = 16;

// What `f` gives on the device for each work-item.
template <typename R, typename F>
std::vector<R> on_device(const F &f) {
  sycl::queue queue;
  return results_of<R>(queue, items, local_items, [&](sycl::nd_range<1> range, R *out) {
    queue.parallel_for(
        range, [=](sycl::nd_item<1> item) { out[item.get_global_id(0)] = f(static_cast<int>(item.get_global_id(0))); });
  });
}

template <int Size>
constexpr int count_of(const char *const (&)[Size]) {
  return Size;
}

// Of several functions at once: a kernel for each would be slow to compile.
template <typename T, int Size>
struct list {
  T all[Size];
};

// Units in the last place between them, of T.
template <typename T>
double distance(T got, double expected) {
  if (got != got || expected != expected)
    return (got != got) == (expected != expected) ? 0 : 1e30;
  const T rounded = static_cast<T>(expected);
  if (got == rounded)
    return 0;
  const double size = std::fabs(expected), bits = std::is_same_v<T, double> ? 52 : std::is_same_v<T, float> ? 23 : 10;
  const double unit = std::ldexp(1.0, (size == 0 ? -126 : std::ilogb(size)) - static_cast<int>(bits));
  return std::fabs(static_cast<double>(got) - expected) / unit;
}

template <typename T, int Size, typename F>
void compare(const char *const (&names)[Size], double units, const F &f) {
  const auto got = on_device<list<T, Size>>([=](int i) { return f(i); });
  for (std::size_t i = 0; i < items; i++) {
    const auto expected = f(static_cast<int>(i));
    for (int j = 0; j < Size; j++) {
      const double away = distance<T>(got[i].all[j], static_cast<double>(expected.all[j]));
      check(away <= units, "%s of work-item %zu: %.9g, expected %.9g (%g units)", names[j], i,
            static_cast<double>(got[i].all[j]), static_cast<double>(expected.all[j]), away);
    }
  }
}

#define NAMES_OF_ONE                                                                                               \
  "acos", "acosh", "acospi", "asin", "asinh", "asinpi", "atan", "atanh", "atanpi", "cbrt", "ceil", "cos", "cosh",  \
      "cospi", "erf", "erfc", "exp", "exp2", "exp10", "expm1", "fabs", "floor", "lgamma", "log", "log2", "log10",  \
      "log1p", "logb", "rint", "round", "rsqrt", "sin", "sinh", "sinpi", "sqrt", "tan", "tanh", "tanpi", "tgamma", \
      "trunc", "degrees", "radians", "sign"
constexpr const char *one_names[] = {NAMES_OF_ONE};

// x is within 0 and 1, y beyond 1.
template <typename T>
list<T, count_of(one_names)> ones(int i) {
  const T x = static_cast<T>(i + 0.5f) / 33, y = static_cast<T>(i) / 8 + static_cast<T>(1.125f);
  using namespace sycl;
  return {{acos(x),    acosh(y),   acospi(x),        asin(x),  asinh(y), asinpi(x),    atan(y),       atanh(x),
           atanpi(y),  cbrt(y),    ceil(y),          cos(y),   cosh(x),  cospi(x),     erf(x),        erfc(x),
           exp(x),     exp2(x),    exp10(x),         expm1(x), fabs(-y), floor(-y),    lgamma(y + 3), log(y),
           log2(y),    log10(y),   log1p(x),         logb(y),  rint(y),  round(y),     rsqrt(y),      sin(y),
           sinh(x),    sinpi(x),   sqrt(y),          tan(x),   tanh(x),  tanpi(x / 3), tgamma(y),     trunc(-y),
           degrees(x), radians(y), sign(x - T(0.5f))}};
}

constexpr const char *more_names[] = {
    "atan2",     "atan2pi", "copysign", "fdim",      "fmax",  "fmin",   "fmod",  "hypot", "maxmag",     "minmag",
    "nextafter", "pow",     "powr",     "remainder", "step",  "fma",    "mad",   "mix",   "smoothstep", "ldexp",
    "pown",      "rootn",   "min",      "max",       "clamp", "select", "isnan", "isinf", "isfinite",   "signbit"};
template <typename T>
list<T, count_of(more_names)> mores(int i) {
  const T x = static_cast<T>(i + 0.5f) / 33, y = static_cast<T>(i) / 8 + static_cast<T>(1.125f), minus = -y;
  const T zero = static_cast<T>(i - i), infinity = T(1) / (zero * zero + (i % 3 == 0 ? zero : T(1)));
  using namespace sycl;
  return {{atan2(x, minus),
           atan2pi(x, y),
           copysign(x, minus),
           fdim(y, x),
           fmax(x, minus),
           fmin(x, minus),
           fmod(y, x),
           hypot(x, y),
           maxmag(x, minus),
           minmag(x, minus),
           nextafter(x, y),
           pow(x, y),
           powr(y, x),
           remainder(y, x),
           step(T(0.5f), x),
           fma(x, y, minus),
           mad(x, y, T(1)),
           mix(x, y, T(0.25f)),
           smoothstep(T(0.25f), T(0.75f), x),
           ldexp(x, i % 5),
           pown(minus, 3),
           rootn(y, 3),
           min(x, minus),
           max(x, minus),
           clamp(y, T(2), T(3)),
           select(x, y, i % 2 != 0),
           static_cast<T>(isnan(infinity - infinity)),
           static_cast<T>(isinf(infinity)),
           static_cast<T>(isfinite(infinity)),
           static_cast<T>(signbit(-zero))}};
}

constexpr const char *quick_names[] = {
    "native::cos",           "native::exp",           "native::exp2",           "native::exp10",
    "native::log",           "native::log2",          "native::log10",          "native::recip",
    "native::rsqrt",         "native::sin",           "native::sqrt",           "native::tan",
    "native::divide",        "native::powr",          "half_precision::cos",    "half_precision::exp",
    "half_precision::exp2",  "half_precision::exp10", "half_precision::log",    "half_precision::log2",
    "half_precision::log10", "half_precision::recip", "half_precision::rsqrt",  "half_precision::sin",
    "half_precision::sqrt",  "half_precision::tan",   "half_precision::divide", "half_precision::powr"};
list<float, count_of(quick_names)> quick(int i) {
  const float x = (static_cast<float>(i) + 0.5f) / 33, y = static_cast<float>(i) / 8 + 1.125f;
  namespace n = sycl::native;
  namespace h = sycl::half_precision;
  return {{n::cos(x),   n::exp(x),   n::exp2(x), n::exp10(x), n::log(y), n::log2(y),      n::log10(y),
           n::recip(y), n::rsqrt(y), n::sin(x),  n::sqrt(y),  n::tan(x), n::divide(x, y), n::powr(x, y),
           h::cos(x),   h::exp(x),   h::exp2(x), h::exp10(x), h::log(y), h::log2(y),      h::log10(y),
           h::recip(y), h::rsqrt(y), h::sin(x),  h::sqrt(y),  h::tan(x), h::divide(x, y), h::powr(x, y)}};
}

#define NAMES_OF_C                                                                                                     \
  "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "exp", "exp2",       \
      "expm1", "log", "log2", "log10", "log1p", "cbrt", "erf", "erfc", "tgamma", "lgamma", "sqrt", "floor", "ceil",    \
      "trunc", "round", "rint", "nearbyint", "fabs", "pow", "atan2", "fmod", "hypot", "remainder", "copysign", "fdim", \
      "fmin", "fmax", "nextafter", "fma", "ldexp"
constexpr const char *c_names[] = {NAMES_OF_C};
template <typename T>
list<T, count_of(c_names)> of_c(int i) {
  const T x = static_cast<T>(i + 0.5f) / 33, y = static_cast<T>(i) / 8 + static_cast<T>(1.125f);
  using namespace std;
  return {{sin(y),        cos(y),          tan(x),          asin(x),    acos(x),    atan(y),      sinh(x),
           cosh(x),       tanh(x),         asinh(y),        acosh(y),   atanh(x),   exp(x),       exp2(x),
           expm1(x),      log(y),          log2(y),         log10(y),   log1p(x),   cbrt(y),      erf(x),
           erfc(x),       tgamma(y),       lgamma(y + 3),   sqrt(y),    floor(-y),  ceil(y),      trunc(-y),
           round(y),      rint(y),         nearbyint(y),    fabs(-y),   pow(x, y),  atan2(x, -y), fmod(y, x),
           hypot(x, y),   remainder(y, x), copysign(x, -y), fdim(y, x), fmin(x, y), fmax(x, y),   nextafter(x, y),
           fma(x, y, -y), ldexp(x, i % 5)}};
}

// What OpenCL has in another form.
constexpr const char *other_names[] = {"frexp",
                                       "exponent of frexp",
                                       "modf",
                                       "whole part of modf",
                                       "lround",
                                       "llround",
                                       "lrint",
                                       "llrint",
                                       "scalbn",
                                       "scalbln",
                                       "ilogb",
                                       "logb",
                                       "remquo",
                                       "quotient of remquo",
                                       "nexttoward",
                                       "nexttoward down",
                                       "nan",
                                       "class",
                                       "isnan",
                                       "isinf",
                                       "isfinite",
                                       "isnormal",
                                       "signbit",
                                       "isgreater",
                                       "isunordered",
                                       "hypot of three",
                                       "pow of int",
                                       "abs",
                                       "sine of sincos",
                                       "cosine of sincos",
                                       "lgamma_r",
                                       "sign of lgamma_r",
                                       "powi"};
// GNU's, which many programs use.
void gnu(float x, float *all, int *sign) {
  sincosf(x, &all[0], &all[1]);
  all[2] = lgammaf_r(x / 2, sign), all[3] = __builtin_powif(x, 3);
}
void gnu(double x, double *all, int *sign) {
  sincos(x, &all[0], &all[1]);
  all[2] = lgamma_r(x / 2, sign), all[3] = __builtin_powi(x, 3);
}
template <typename T>
list<T, count_of(other_names)> others_of_c(int i) {
  using namespace std;
  constexpr T infinity = numeric_limits<T>::infinity(), least = numeric_limits<T>::denorm_min();
  const T x = i == 0    ? T(0)
              : i == 1  ? -T(0)
              : i == 2  ? least * 5
              : i == 3  ? numeric_limits<T>::max()
              : i == 4  ? infinity
              : i == 5  ? -infinity
              : i == 6  ? infinity - infinity
              : i == 7  ? T(1e10f)
              : i == 8  ? T(-3e9f)
              : i == 9  ? T(0.1f)
              : i == 10 ? T(1)
                        : static_cast<T>(i - 21) / 2;  // -5 to 5, by halves
  const T small = isfinite(x) && fabs(x) < T(1e12f) ? x : T(7), y = static_cast<T>(i % 5) + T(0.75f);
  const long exponent = i % 3 == 0 ? 1L << 40 : i % 3 == 1 ? -(1L << 40) : i - 16;
  int power = 0, quotient = 0;
  T whole = 0;
  const T mantissa = frexp(x, &power), fraction = modf(x, &whole), rest = remquo(small, y, &quotient);
  T of_gnu[4];
  int sign = 0;
  gnu(static_cast<T>(i % 4) - T(2.75f), of_gnu, &sign);
  const char name[] = {static_cast<char>('0' + i % 10), 0};
  return {{mantissa,
           isfinite(x) ? static_cast<T>(power) : T(0),
           fraction,
           whole,
           static_cast<T>(lround(small)),
           static_cast<T>(llround(small)),
           static_cast<T>(lrint(small)),
           static_cast<T>(llrint(small)),
           scalbn(small, i % 7 - 3),
           scalbln(small, exponent),
           static_cast<T>(ilogb(x)),
           logb(x),
           rest,
           static_cast<T>(quotient % 8),  // C asks for three bits
           nexttoward(x, 2.0L),
           nexttoward(x, i % 2 != 0 ? -1e30L : static_cast<long double>(x)),
           static_cast<T>(isnan(std::nan(name)) + isnan(std::nanf(name))),
           static_cast<T>(fpclassify(x)),
           static_cast<T>(isnan(x)),
           static_cast<T>(isinf(x)),
           static_cast<T>(isfinite(x)),
           static_cast<T>(isnormal(x)),
           static_cast<T>(signbit(x)),
           static_cast<T>(isgreater(x, y)),
           static_cast<T>(isunordered(x, y)),
           hypot(small, y, T(1)),
           static_cast<T>(pow(y, 3)),
           std::abs(x),
           of_gnu[0],
           of_gnu[1],
           of_gnu[2],
           static_cast<T>(sign),
           of_gnu[3]}};
}

constexpr const char *integer_names[] = {"abs",    "abs_diff", "add_sat",  "sub_sat", "hadd",   "rhadd",
                                         "clz",    "ctz",      "popcount", "mul_hi",  "mad_hi", "mad_sat",
                                         "rotate", "min",      "max",      "clamp"};
template <typename T>
list<T, count_of(integer_names)> integers(int i) {
  constexpr T most = std::numeric_limits<T>::max(), least = std::numeric_limits<T>::min();
  const T spread = static_cast<T>(static_cast<std::uint64_t>(i) * 0x9E3779B97F4A7C15u >> (i % 7));
  const T x = i == 0   ? T(0)
              : i == 1 ? most
              : i == 2 ? static_cast<T>(least + 1)
                       : spread,
          y = i % 5 == 0 ? most : static_cast<T>(x / 3 + i);
  using namespace sycl;
  return {{abs(x), abs_diff(x, y), add_sat(x, y), sub_sat(y, x), hadd(x, y), rhadd(x, y), clz(x), ctz(x), popcount(x),
           mul_hi(x, y), mad_hi(x, y, T(1)), mad_sat(x, y, T(1)), rotate(x, static_cast<T>(i % 8)), min(x, y),
           max(x, y), clamp(x, T(3), T(90))}};
}

template <typename T>
void check_integers(const char *type) {
  const auto got = on_device<list<T, count_of(integer_names)>>([](int i) { return integers<T>(i); });
  for (std::size_t i = 0; i < items; i++) {
    const auto expected = integers<T>(static_cast<int>(i));
    for (std::size_t j = 0; j < std::size(integer_names); j++) {
      check(got[i].all[j] == expected.all[j], "%s of %s, work-item %zu: %lld, expected %lld", integer_names[j], type, i,
            static_cast<long long>(got[i].all[j]), static_cast<long long>(expected.all[j]));
    }
  }
}

// What one vec can do, as a row of numbers.
template <typename T, int N>
struct vec_results {
  sycl::vec<T, N> sum, quotient, mixed, negated, stepped, stored;
  sycl::vec<std::int32_t, N> less;
  sycl::vec<double, N> wide;
  T elements[16];
};

template <typename T, int N>
vec_results<T, N> vec_of(int i) {
  sycl::vec<T, N> a(static_cast<T>(i + 1)), b;
  T memory[2 * N] = {};
  for (int k = 0; k < N; k++)
    b[k] = static_cast<T>(3 * k + i % 7 + 1);
  vec_results<T, N> r;
  r.sum = a * b + b - T(2);
  r.quotient = T(100) / b;
  r.mixed = b;
  r.mixed += a;
  r.mixed *= T(2);
  r.negated = -b;
  r.stepped = b;
  const sycl::vec<T, N> before = r.stepped++;
  --r.stepped.x();
  r.stepped.s1() += before.y();
  b.store(1, memory);
  r.stored.load(1, memory);
  r.less = (a < b).template convert<std::int32_t>() - (!(a == b)).template convert<std::int32_t>();
  r.wide = b.template convert<double>() / 2.0;
  for (int k = 0; k < 16; k++)
    r.elements[k] = k < N ? b[k] : T(0);
  r.elements[0] = b.x(), r.elements[1] = b.y();
  if constexpr (N >= 3)
    r.elements[2] = b.z();
  if constexpr (N == 4) {
    const sycl::vec<T, 4> made(b.x(), sycl::vec<T, 2>(b.g(), b.s2()), b.a());
    for (int k = 0; k < 4; k++)
      r.elements[4 + k] = made[k];
    r.elements[8] = b.w(), r.elements[9] = b.r(), r.elements[10] = b.b();
  }
  if constexpr (N == 16)
    r.elements[8] = b.s8(), r.elements[15] = b.sF();
  return r;
}

// Element k, by plain numbers.
template <typename T, int N>
void check_vec(const char *type) {
  static_assert(sizeof(sycl::vec<T, N>) == sizeof(T) * (N == 3 ? 4 : N) && sycl::vec<T, N>::size() == N);
  const auto got = on_device<vec_results<T, N>>([](int i) { return vec_of<T, N>(i); });
  for (std::size_t item = 0; item < items; item++) {
    const vec_results<T, N> &r = got[item];
    const int i = static_cast<int>(item);
    for (int k = 0; k < N; k++) {
      const T a = static_cast<T>(i + 1), b = static_cast<T>(3 * k + i % 7 + 1);
      const T stepped = static_cast<T>(b + T(1) - (k == 0 ? T(1) : T(0)) + (k == 1 ? b : T(0)));
      check(r.sum[k] == static_cast<T>(a * b + b - T(2)) && r.quotient[k] == static_cast<T>(T(100) / b) &&
                r.mixed[k] == static_cast<T>((a + b) * T(2)) && r.negated[k] == static_cast<T>(-b),
            "%s: arithmetic of element %d, work-item %d", type, k, i);
      check(r.stepped[k] == stepped && r.stored[k] == b, "%s: steps, load and store of element %d, work-item %d", type,
            k, i);
      check(r.less[k] == (a < b ? -1 : 0) + (a != b ? 1 : 0) && r.wide[k] == static_cast<double>(b) / 2,
            "%s: comparison and conversion of element %d, work-item %d: %d", type, k, i, r.less[k]);
      check(r.elements[k] == b, "%s: element %d of work-item %d", type, k, i);
    }
    for (int k = 0; N == 4 && k < 4; k++)
      check(r.elements[4 + k] == r.elements[k], "%s: made of parts, element %d", type, k);
    check(
        N != 4 || (r.elements[8] == r.elements[3] && r.elements[9] == r.elements[0] && r.elements[10] == r.elements[2]),
        "%s: elements by colour", type);
  }
}

}  // namespace

PROMISE(maths, of_one_number_is_that_of_the_host) {
  compare<float>(one_names, 16, [](int i) { return ones<float>(i); });
}

PROMISE(maths, of_several_numbers_is_that_of_the_host) {
  compare<float>(more_names, 32, [](int i) { return mores<float>(i); });
}

PROMISE(maths, of_half_and_double_is_that_of_the_host) {
  compare<sycl::half>(more_names, 16, [](int i) { return mores<sycl::half>(i); });
  compare<double>(more_names, 32, [](int i) { return mores<double>(i); });
}

PROMISE(maths, native_and_half_precision_functions_are_near) {
  compare<float>(quick_names, 8192, [](int i) { return quick(i); });
}

PROMISE(maths, of_cmath_works_in_kernels) {
  compare<float>(c_names, 16, [](int i) { return of_c<float>(i); });
  compare<double>(c_names, 16, [](int i) { return of_c<double>(i); });
}

PROMISE(maths, of_cmath_that_opencl_has_in_another_form_works_in_kernels) {
  compare<float>(other_names, 8, [](int i) { return others_of_c<float>(i); });
  compare<double>(other_names, 8, [](int i) { return others_of_c<double>(i); });
}

// What std::complex is made of; the host's own functions are compared with.
template <typename T>
static void fill_complex(std::complex<T> *z, std::complex<T> a, std::complex<T> b) {
  using complex = std::complex<T>;
  z[0] = a * b, z[1] = a / b, z[2] = complex(std::abs(a), std::arg(a)), z[3] = std::exp(a), z[4] = std::log(b);
  z[5] = std::sqrt(a), z[6] = std::sqrt(complex(-4, 0)), z[7] = std::conj(a) + std::norm(b);
  z[8] = std::polar(T(2), T(1)), z[9] = std::pow(a, 2), z[10] = std::sqrt(complex(-3, -4)), z[11] = T(2) / a;
  z[12] = std::pow(a, T(1.5)), z[13] = a, z[13] *= b;
}

template <typename T>
static void check_complex(const char *type, double limit) {
  sycl::queue queue;
  constexpr int count = 14;
  std::complex<T> expected[count], *z = sycl::malloc_shared<std::complex<T>>(count, queue);
  const std::complex<T> a(3, -4), b(-1, 2);
  queue.single_task([=] { fill_complex(z, a, b); });
  queue.wait_and_throw();
  fill_complex(expected, a, b);
  for (int i = 0; i < count; i++)
    check(std::abs(expected[i] - z[i]) <= limit * std::abs(expected[i]), "%s: result %d is %g + %gi, expected %g + %gi",
          type, i, static_cast<double>(z[i].real()), static_cast<double>(z[i].imag()),
          static_cast<double>(expected[i].real()), static_cast<double>(expected[i].imag()));
  sycl::free(z, queue);
}

PROMISE(maths, of_complex_numbers_is_that_of_the_host) {
  check_complex<float>("float", 1e-6);
  check_complex<double>("double", 1e-14);
}

// Each function of <complex> at points that lie around: in each quadrant, on both axes, near 1 and far out.
constexpr int complex_functions = 23, complex_points = 20;
template <typename T>
static std::complex<T> complex_function(int k, std::complex<T> z) {
  switch (k) {
    case 0:
      return std::exp(z);
    case 1:
      return std::log(z);
    case 2:
      return std::log10(z);
    case 3:
      return std::sqrt(z);
    case 4:
      return {std::abs(z), std::arg(z)};
    case 5:
      return std::pow(z, std::complex<T>(T(0.75), T(-0.5)));
    case 6:
      return std::pow(z, T(2.5));
    case 7:
      return std::pow(T(2), z);
    case 8:
      return std::polar(std::abs(z), std::arg(z));
    case 9:
      return {std::norm(z), std::imag(std::conj(z))};
    case 10:
      return std::proj(z);
    case 11:
      return std::sin(z);
    case 12:
      return std::cos(z);
    case 13:
      return std::tan(z);
    case 14:
      return std::sinh(z);
    case 15:
      return std::cosh(z);
    case 16:
      return std::tanh(z);
    case 17:
      return std::asin(z);
    case 18:
      return std::acos(z);
    case 19:
      return std::atan(z);
    case 20:
      return std::asinh(z);
    case 21:
      return std::acosh(z);
    default:
      return std::atanh(z);
  }
}

template <typename T>
static void check_complex_functions(const char *type, double limit) {
  using complex = std::complex<T>;
  static const double points[complex_points][2] = {{0.5, 0.25}, {-0.5, 0.75},  {-1.5, -2},   {1.25, -0.5},  {2, 0},
                                                   {-2, 0},     {0.5, 0},      {-0.5, 0},    {0, 1.5},      {0, -0.5},
                                                   {0, 0},      {1.001, 0.01}, {-0.99, 0.1}, {0.01, -1.01}, {5, 6},
                                                   {-7, 3},     {8, -0.001},   {-30, 2},     {1e-4, 1e-3},  {40, 30}};
  sycl::queue queue;
  constexpr int count = complex_functions * complex_points;
  complex *at = sycl::malloc_shared<complex>(complex_points, queue), *z = sycl::malloc_shared<complex>(count, queue);
  for (int i = 0; i < complex_points; i++)
    at[i] = complex(static_cast<T>(points[i][0]), static_cast<T>(points[i][1]));
  queue.parallel_for(count, [=](sycl::id<1> i) {
    const int n = static_cast<int>(i[0]);
    z[n] = complex_function<T>(n / complex_points, at[n % complex_points]);
  });
  queue.wait_and_throw();
  for (int i = 0; i < count; i++) {
    const complex expected = complex_function<T>(i / complex_points, at[i % complex_points]);
    const bool is_finite = std::isfinite(expected.real()) && std::isfinite(expected.imag());
    check(!is_finite || std::abs(expected - z[i]) <= limit * std::abs(expected),
          "%s: function %d of %g + %gi is %.17g + %.17gi, expected %.17g + %.17gi", type, i / complex_points,
          points[i % complex_points][0], points[i % complex_points][1], static_cast<double>(z[i].real()),
          static_cast<double>(z[i].imag()), static_cast<double>(expected.real()), static_cast<double>(expected.imag()));
  }
  sycl::free(at, queue);
  sycl::free(z, queue);
}

PROMISE(maths, of_complex_functions_is_near_that_of_the_host) {
  check_complex_functions<float>("float", 4e-6);
  check_complex_functions<double>("double", 1e-14);
}

PROMISE(maths, nan_has_the_bits_it_is_given) {
  check(sycl::bit_cast<std::uint32_t>(sycl::nan(5u)) == 0x7FC00005 &&
            sycl::bit_cast<std::uint64_t>(sycl::nan(std::uint64_t(6))) == 0x7FF8000000000006 &&
            sycl::bit_cast<std::uint16_t>(sycl::nan(std::uint16_t(7))) == 0x7E07 &&
            sycl::isnan(sycl::nan(sycl::uint2(1, 2))[1]),
        "bits of NaNs");
}

PROMISE(maths, upsample_puts_halves_together) {
  static_assert(std::is_same_v<decltype(sycl::upsample(std::int8_t(), std::uint8_t())), std::int16_t> &&
                std::is_same_v<decltype(sycl::upsample(std::uint32_t(), std::uint32_t())), std::uint64_t>);
  check(sycl::upsample(std::int8_t(-2), std::uint8_t(5)) == -507, "of bytes");
  check(sycl::upsample(std::uint16_t(0xABCD), std::uint16_t(0x1234)) == 0xABCD1234, "of half words");
  check(sycl::upsample(-1, 7u) == -4294967289l, "of words");
  check(sycl::upsample(sycl::uchar2(1, 2), sycl::uchar2(3, 4))[1] == 0x204, "of vecs");
}

PROMISE(maths, of_integers_is_exact) {
  check_integers<signed char>("signed char");
  check_integers<unsigned char>("unsigned char");
  check_integers<short>("short");
  check_integers<unsigned short>("unsigned short");
  check_integers<int>("int");
  check_integers<unsigned>("unsigned");
  check_integers<long long>("long long");
  check_integers<unsigned long>("unsigned long");
}

PROMISE(maths, vecs_have_elements_operators_load_and_store) {
  check_vec<float, 2>("float2");
  check_vec<int, 3>("int3");
  check_vec<float, 4>("float4");
  check_vec<short, 8>("short8");
  check_vec<unsigned, 16>("uint16");
  check_vec<double, 4>("double4");
  static_assert(std::is_same_v<sycl::uchar16, sycl::vec<std::uint8_t, 16>> && sizeof(sycl::float3) == 16);
  static_assert(std::is_same_v<decltype(sycl::float4() < sycl::float4()), sycl::int4> && sycl::half8::size() == 8);
}

// A vec of one element is a number where one is wanted; others are none.
namespace {
template <typename T, typename U>
struct conversions {
  sycl::vec<T, 4> from;
  sycl::vec<U, 4> to[4];
  void convert() {
    to[0] = from.template convert<U, sycl::rounding_mode::rte>();
    to[1] = from.template convert<U, sycl::rounding_mode::rtz>();
    to[2] = from.template convert<U, sycl::rounding_mode::rtp>();
    to[3] = from.template convert<U, sycl::rounding_mode::rtn>();
  }
};

// Expected: of each mode, to nearest, towards zero, up and down.
template <typename T, typename U>
void check_conversions(sycl::queue &queue, const sycl::vec<T, 4> &from, const sycl::vec<U, 4> (&expected)[4]) {
  auto *on_device = sycl::malloc_shared<conversions<T, U>>(1, queue);
  on_device->from = from;
  conversions<T, U> on_host = *on_device;
  queue.single_task([=] { on_device->convert(); }).wait_and_throw();
  on_host.convert();
  for (int mode = 0; mode < 4; mode++) {
    for (int i = 0; i < 4; i++) {
      check(on_device->to[mode][i] == expected[mode][i] && on_host.to[mode][i] == expected[mode][i],
            "%d to %d bytes, mode %d: %.9g is %.9g on the device and %.9g on the host, not %.9g",
            static_cast<int>(sizeof(T)), static_cast<int>(sizeof(U)), mode, static_cast<double>(from[i]),
            static_cast<double>(on_device->to[mode][i]), static_cast<double>(on_host.to[mode][i]),
            static_cast<double>(expected[mode][i]));
    }
  }
  sycl::free(on_device, queue);
}
}  // namespace

PROMISE(maths, vecs_convert_in_each_rounding_mode) {
  sycl::queue queue;
  using sycl::float4, sycl::half4, sycl::int4;
  check_conversions<float, int>(queue, {0.5f, 1.5f, -0.5f, -2.25f},
                                {int4(0, 2, 0, -2), int4(0, 1, 0, -2), int4(1, 2, 0, -2), int4(0, 1, -1, -3)});
  constexpr float m = 16777216, top = 2147483648.0f, below = 2147483520.0f;
  check_conversions<int, float>(queue, {16777217, -16777219, 2147483647, -2147483647},
                                {float4(m, -m - 4, top, -top), float4(m, -m - 2, below, -below),
                                 float4(m + 2, -m - 2, top, -below), float4(m, -m - 4, below, -top)});
  using half = sycl::half;
  constexpr half infinity = std::numeric_limits<half>::infinity(), max = std::numeric_limits<half>::max(),
                 tiny = std::numeric_limits<half>::denorm_min();
  check_conversions<float, half>(queue, {2051, 1e-10f, 1e6f, -1e6f},
                                 {half4(2052, 0, infinity, -infinity), half4(2050, 0, max, -max),
                                  half4(2052, tiny, infinity, -max), half4(2050, 0, max, -infinity)});
  constexpr long large = 1l << 60;
  constexpr float near = static_cast<float>(large), above = 1152921642045800448.0f;
  check_conversions<long, float>(queue, {large + 1, -large - 1, large, 3},
                                 {float4(near, -near, near, 3), float4(near, -near, near, 3),
                                  float4(above, -near, near, 3), float4(near, -above, near, 3)});
  check_conversions<unsigned short, half>(queue, {65535, 2049, 1, 65504},
                                          {half4(infinity, 2048, 1, max), half4(max, 2048, 1, max),
                                           half4(infinity, 2050, 1, max), half4(max, 2048, 1, max)});
}

PROMISE(maths, vecs_of_one_element_are_numbers) {
  const sycl::vec<int, 1> v(3), w(3), zero(0);
  const double d = v;
  const bool b = v, is_zero = !static_cast<bool>(zero);
  long sum = 0;
  if (v == w)
    sum += v;
  const int array[] = {10, 20, 30, 40};
  check(d == 3 && b && is_zero && sum == 3 && array[v] == 40, "%g %d %d %ld", d, b, is_zero, sum);
  static_assert(std::is_same_v<decltype(v == w), sycl::vec<std::int32_t, 1>> &&
                std::is_same_v<decltype(v + w), sycl::vec<int, 1>>);
  // With numbers of any type the operators are those of vecs.
  const sycl::vec<float, 1> f(1.5f);
  static_assert(std::is_same_v<decltype(f * 2), sycl::vec<float, 1>> &&
                std::is_same_v<decltype(2.0 - f), sycl::vec<float, 1>> &&
                std::is_same_v<decltype(f < 2), sycl::vec<std::int32_t, 1>>);
  const float twice = f * 2, less = 2.0 - f;
  const sycl::half h = sycl::vec<sycl::half, 1>(sycl::half(0.5f));
  check(twice == 3 && less == 0.5f && f < 2 && h == sycl::half(0.5f), "%g %g", static_cast<double>(twice),
        static_cast<double>(less));
  static_assert(std::is_convertible_v<sycl::vec<double, 1>, float> && !std::is_convertible_v<sycl::vec<int, 2>, int> &&
                !std::is_convertible_v<sycl::int4, int> && !std::is_constructible_v<bool, sycl::int3>);
  static_assert(sizeof(sycl::vec<char, 1>) == 1 && std::is_trivially_copyable_v<sycl::vec<float, 1>> &&
                std::is_standard_layout_v<sycl::vec<float, 1>>);
  sycl::queue queue;
  double *out = sycl::malloc_shared<double>(1, queue);
  queue
      .single_task([=] {
        if (v == w)
          *out = f + 1.5;
      })
      .wait();
  check(*out == 3, "in a kernel: %g", *out);
  sycl::free(out, queue);
}

// Of vecs element by element, and geometry; vecs are captured, and move between work-items.
PROMISE(maths, of_vecs_is_that_of_their_elements) {
  const sycl::float4 captured(0.5f, 2.0f, 8.0f, 32.0f);
  struct row {
    sycl::float4 root, fused, clamped, moved;
    sycl::uint4 bits;
    sycl::float3 crossed, unit;
    float product;
  };
  sycl::queue queue;
  const auto got = results_of<row>(queue, items, local_items, [&](sycl::nd_range<1> range, row *out) {
    queue.parallel_for<class OfVecs>(range, [=](sycl::nd_item<1> item) {
      const float i = static_cast<float>(item.get_global_id(0));
      const sycl::float4 x = captured * i;
      const sycl::float3 a(1.0f, 2.0f, i), b(i, 0.0f, 1.0f);
      out[item.get_global_id(0)] = {sycl::sqrt(captured * captured),
                                    sycl::fma(x, captured, sycl::float4(1.0f)),
                                    sycl::clamp(x, 4.0f, 16.0f),
                                    item.get_sub_group().shuffle_xor(x, 1),
                                    sycl::popcount(x.as<sycl::uint4>()),
                                    sycl::cross(a, b),
                                    sycl::normalize(a),
                                    sycl::dot(a, b)};
    });
  });
  for (std::size_t item = 0; item < items; item++) {
    const float i = static_cast<float>(item), other = static_cast<float>(item ^ 1);
    const row &r = got[item];
    for (int k = 0; k < 4; k++) {
      const float c = captured[k], x = c * i;
      std::uint32_t bits;
      std::memcpy(&bits, &x, sizeof bits);
      check(r.root[k] == c && r.fused[k] == x * c + 1 && r.clamped[k] == std::fmin(std::fmax(x, 4.0f), 16.0f) &&
                r.moved[k] == c * other && r.bits[k] == static_cast<std::uint32_t>(__builtin_popcount(bits)),
            "element %d of work-item %zu", k, item);
    }
    check(r.crossed.x() == 2 && r.crossed.y() == i * i - 1 && r.crossed.z() == -2 * i && r.product == 2 * i,
          "work-item %zu", item);
    const float size = std::sqrt(5 + i * i);
    check(std::fabs(r.unit.z() - i / size) < 1e-6f && std::fabs(r.unit.x() - 1 / size) < 1e-6f, "unit of work-item %zu",
          item);
  }
}

PROMISE(maths, of_two_or_three_arguments_takes_swizzles) {
  const auto function = [](int i) {
    const float x = static_cast<float>(i % 4);
    const sycl::float4 v(x, 2, x + 1, 4);
    const sycl::float2 w(2, 1);
    std::array<sycl::float4, 4> r;
    r[0].xy() = sycl::fmax(v.xy(), w);
    r[0].zw() = sycl::pow(v.zw(), v.yx());
    r[1].xy() = sycl::clamp(v.wz(), 0.5f, 3.5f);
    r[1].zw() = sycl::mix(v.xy(), v.zw(), 0.5f);
    r[2].xy() = sycl::min(v.yx(), w);
    r[2].zw() = sycl::fma(v.xy(), w, v.zw());
    r[3].xy() = sycl::step(1.5f, v.xz());
    r[3].z() = sycl::dot(v.xy(), w);
    r[3].w() = sycl::fmin(v.zw(), 1.5f).x() + sycl::smoothstep(0.0f, 4.0f, v.yw()).x();
    return r;
  };
  const auto got = on_device<std::array<sycl::float4, 4>>(function);
  for (int i = 0; i < static_cast<int>(got.size()); i++) {
    const float x = static_cast<float>(i % 4);
    const float expected[16] = {std::fmax(x, 2.0f),
                                2,
                                (x + 1) * (x + 1),
                                std::pow(4.0f, x),
                                3.5f,
                                std::fmin(std::fmax(x + 1, 0.5f), 3.5f),
                                x + 0.5f,
                                3,
                                2,
                                std::fmin(x, 1.0f),
                                2 * x + x + 1,
                                6,
                                x < 1.5f ? 0.0f : 1.0f,
                                x + 1 < 1.5f ? 0.0f : 1.0f,
                                2 * x + 2,
                                std::fmin(x + 1, 1.5f) + 0.5f};
    for (int k = 0; k < 16; k++)
      check(std::fabs(got[i][k / 4][k % 4] - expected[k]) <= 1e-4f * (1 + expected[k]),
            "%d, element %d: expected %g, got %g", i, k, expected[k], got[i][k / 4][k % 4]);
  }
}

PROMISE(maths, swizzles_have_what_vecs_have) {
  const auto of = [](int i) {
    const float x = static_cast<float>(i);
    sycl::float8 v(x, x + 1, x + 2, x + 3, x + 4, x + 5, x + 6, x + 7);
    sycl::int4 n(i, i + 1, i + 2, i + 3);
    v.lo().y() = 100;
    v.hi().even() *= 2.0f;
    v.odd().swizzle<3, 2>() = sycl::float2(-1, -2);
    n.xz() <<= 1;
    n.yw()++;
    n.wx() &= sycl::int2(7, 3);
    const sycl::int2 negative = -n.xy(), not_zero = !n.zw();
    float elements[2];
    v.s0() += v.swizzle<7, 6>().s1();
    v.swizzle<4, 5>().store(0, &elements[0]);
    v.swizzle<2, 3>().load(0, &elements[0]);
    static_assert(decltype(v.lo())::get_count() == 4 && decltype(v.lo())::byte_size() == 16);
    return std::make_tuple(v, n, negative, not_zero);
  };
  using result = decltype(of(0));
  sycl::queue queue;
  result *results = sycl::malloc_shared<result>(2, queue);
  queue.parallel_for(2, [=](sycl::id<1> i) { results[i] = of(static_cast<int>(i[0])); });
  queue.wait_and_throw();
  const float expected_v[] = {15, 100, 10, -2, 10, -2, 14, -1};
  const int expected_n[] = {2, 3, 6, 5};
  for (int i = 0; i < 8; i++)
    check(std::get<0>(results[1])[i] == expected_v[i], "element %d: got %g, expected %g", i,
          static_cast<double>(std::get<0>(results[1])[i]), static_cast<double>(expected_v[i]));
  for (int i = 0; i < 4; i++)
    check(std::get<1>(results[1])[i] == expected_n[i], "element %d: got %d, expected %d", i, std::get<1>(results[1])[i],
          expected_n[i]);
  check(std::get<2>(results[1])[0] == -2 && std::get<3>(results[1])[0] == 0, "unary operators");
  sycl::free(results, queue);
}

PROMISE(maths, vecs_have_swizzles) {
  struct result {
    sycl::float4 a, b, c;
    sycl::float2 d;
    sycl::int3 e;
    float f;
  };
  const auto swizzled = [](int i) {
    const float x = static_cast<float>(i);
    sycl::float4 v(x, x + 1, x + 2, x + 3), w(0);
    result r{};
    r.a = sycl::float4(v.xy() + v.wz(), v.hi());
    w.yx() = v.lo();
    w.zw() *= 2.0f;
    w.hi() += sycl::float2(7, 8);
    r.b = w;
    v.swizzle<sycl::elem::w, sycl::elem::x>() = v.swizzle<sycl::elem::x, sycl::elem::w>();
    r.c = v;
    r.d = v.odd();
    r.e = v.xyz().convert<int>();
    r.f = sycl::dot(v.xy(), v.zw()) + sycl::dot(sycl::float2(1, 1), v.xx()) + sycl::length(v.yy()) +
          sycl::floor(v.xy() + 0.5f)[0];
    return r;
  };
  const auto got = on_device<result>(swizzled);
  for (std::size_t i = 0; i < items; i++) {
    const float x = static_cast<float>(i);
    const float expected[] = {2 * x + 3, 2 * x + 3, x + 2, x + 3, x + 1, x, 7, 8, x + 3, x + 1, x + 2, x, x + 1, x};
    const result &r = got[i];
    const float all[] = {r.a[0], r.a[1], r.a[2], r.a[3], r.b[0], r.b[1], r.b[2],
                         r.b[3], r.c[0], r.c[1], r.c[2], r.c[3], r.d[0], r.d[1]};
    // v.swizzle<w, x> = v.swizzle<x, w> exchanges them.
    for (int j = 0; j < 14; j++)
      check(all[j] == expected[j], "work-item %zu, number %d: %g, expected %g", i, j, static_cast<double>(all[j]),
            static_cast<double>(expected[j]));
    // v is (x + 3, x + 1, x + 2, x).
    const float functions = (x + 3) * (x + 2) + (x + 1) * x + 2 * (x + 3) + std::sqrt(2.0f) * (x + 1) + x + 3;
    check(std::fabs(r.f - functions) <= 1e-5f * functions, "functions of swizzles: %g, expected %g",
          static_cast<double>(r.f), static_cast<double>(functions));
    check(r.e[0] == static_cast<int>(i) + 3 && r.e[2] == static_cast<int>(i) + 2, "converted: %d %d", r.e[0], r.e[2]);
  }
}

PROMISE(maths, of_marrays_and_relations_is_that_of_their_elements) {
  struct result {
    sycl::marray<float, 3> sum, root;
    sycl::marray<bool, 3> less;
    sycl::int4 vec_less, vec_nan;
    sycl::float4 selected;
    bool any, all, is_less, is_normal;
    std::uint32_t bits;
  };
  const auto related = [](int i) {
    const float x = static_cast<float>(i), nan = __builtin_nanf("");
    const sycl::marray<float, 3> a{x, 4, 9}, b(16.0f);
    const sycl::float4 v(x, nan, 3, -1), w(5);
    result r{};
    r.sum = a + b * 2.0f;
    r.root = sycl::sqrt(a);
    r.less = a < b;
    r.vec_less = sycl::isless(v, w);
    r.vec_nan = sycl::isnan(v);
    r.selected = sycl::select(v, w, sycl::isless(v, w));
    r.any = sycl::any(r.vec_nan), r.all = sycl::all(r.vec_less);
    r.is_less = sycl::isless(x, 5.0f), r.is_normal = sycl::isnormal(x);
    r.bits = sycl::bitselect(0xffu, sycl::bit_cast<std::uint32_t>(1.0f), 0xffff0000u);
    return r;
  };
  const auto got = on_device<result>(related);
  for (std::size_t i = 0; i < items; i++) {
    const float x = static_cast<float>(i);
    const result &r = got[i], h = related(static_cast<int>(i));  // and on the host
    for (const result *each : {&r, &h}) {
      check(each->sum[0] == x + 32 && each->sum[2] == 41 && each->root[1] == 2 && each->root[2] == 3, "marray");
      check(each->less[0] == (x < 16) && each->less[2], "marray of bool");
      check(each->vec_less[0] == (x < 5 ? -1 : 0) && each->vec_less[1] == 0 && each->vec_less[2] == -1, "isless");
      check(each->vec_nan[1] == -1 && each->vec_nan[0] == 0, "isnan");
      check(each->selected[0] == (x < 5 ? 5 : x) && each->selected[2] == 5 && each->selected[1] != each->selected[1],
            "select");
      check(each->any && !each->all && each->is_less == (x < 5) && each->is_normal == (x != 0), "any, all");
      check(each->bits == 0x3f8000ffu, "bitselect: %x", each->bits);
    }
  }
}

PROMISE(maths, of_functions_with_two_results_gives_both) {
  struct result {
    float fraction, whole, part, integer, sine, cosine, mantissa, rest, gamma;
    int exponent, quotient, sign, logb;
    sycl::float2 vec_sine, vec_cosine;
  };
  const auto both = [](int i) {
    const float x = static_cast<float>(i) * 0.75f - 8;
    result r{};
    r.fraction = sycl::fract(x, &r.whole);
    r.part = sycl::modf(x, sycl::private_ptr<float>(&r.integer));
    r.sine = sycl::sincos(x, &r.cosine);
    r.mantissa = sycl::frexp(x, &r.exponent);
    r.rest = sycl::remquo(
        x, 1.25f,
        sycl::address_space_cast<sycl::access::address_space::private_space, sycl::access::decorated::no>(&r.quotient));
    r.gamma = sycl::lgamma_r(x + 0.1f, &r.sign);
    r.logb = sycl::ilogb(x + 100);
    r.vec_sine = sycl::sincos(sycl::float2(x, 0), &r.vec_cosine);
    return r;
  };
  const auto got = on_device<result>(both);
  for (std::size_t i = 0; i < items; i++) {
    const result &r = got[i];
    const float x = static_cast<float>(i) * 0.75f - 8;
    float integer;
    int exponent, quotient;
    const float part = std::modf(x, &integer), mantissa = std::frexp(x, &exponent),
                rest = std::remquo(x, 1.25f, &quotient);
    const auto near = [](float a, float b) { return std::fabs(a - b) <= 1e-5f * (1 + std::fabs(b)); };
    check(r.whole == std::floor(x) && r.fraction == x - std::floor(x), "fract of %g", static_cast<double>(x));
    check(r.part == part && r.integer == integer, "modf of %g", static_cast<double>(x));
    check(near(r.sine, std::sin(x)) && near(r.cosine, std::cos(x)), "sincos of %g", static_cast<double>(x));
    check(r.mantissa == mantissa && r.exponent == exponent, "frexp of %g", static_cast<double>(x));
    check(r.rest == rest && (r.quotient & 7) == (quotient & 7), "remquo of %g: %g %d", static_cast<double>(x),
          static_cast<double>(r.rest), r.quotient);
    check(near(r.gamma, std::lgamma(x + 0.1f)) && r.sign == (std::tgamma(static_cast<double>(x) + 0.1) < 0 ? -1 : 1),
          "lgamma_r of %g: %g %d", static_cast<double>(x), static_cast<double>(r.gamma), r.sign);
    check(r.logb == 6, "ilogb: %d", r.logb);
    check(near(r.vec_sine[0], std::sin(x)) && r.vec_cosine[1] == 1, "sincos of a vec");
  }
}
