// SPDX-License-Identifier: Apache-2.0
// Seven small programs in the manner of vendors' samples: a histogram by local atomics, a discrete cosine transform,
// Black-Scholes, prefix sums in a work-group, a sparse matrix, Monte Carlo with a generator for each work-item, and a
// bitonic sort. Not a suite: programs.py runs it.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <random>
#include <sycl/sycl.hpp>
#include <vector>

namespace {

bool all_right = true;

void Tell(const char *name, bool right) {
  std::printf("%s: %s\n", name, right ? "right" : "WRONG");
  all_right &= right;
}

// Each work-group counts in local memory first.
void Histogram(sycl::queue &q) {
  constexpr int kBins = 32, kItems = 2048, kLocal = 64, kGroups = 4;
  std::vector<unsigned char> input(kItems);
  std::default_random_engine e(3);
  std::uniform_int_distribution<int> d(0, kBins - 1);
  std::generate(input.begin(), input.end(), [&] { return static_cast<unsigned char>(d(e)); });
  std::vector<unsigned> hist(kBins, 0), expected(kBins, 0);
  for (unsigned char x : input)
    expected[x]++;
  {
    sycl::buffer<unsigned char> in_buf(input);
    sycl::buffer<unsigned> hist_buf(hist);
    q.submit([&](sycl::handler &h) {
      sycl::accessor in(in_buf, h, sycl::read_only);
      sycl::accessor out(hist_buf, h, sycl::read_write);
      sycl::local_accessor<unsigned, 1> local_hist(sycl::range(kBins), h);
      h.parallel_for(sycl::nd_range<1>(kGroups * kLocal, kLocal), [=](sycl::nd_item<1> it) {
        const int lid = it.get_local_id(0);
        for (int b = lid; b < kBins; b += it.get_local_range(0))
          local_hist[b] = 0;
        it.barrier(sycl::access::fence_space::local_space);
        const int stride = it.get_global_range(0);
        for (int i = it.get_global_id(0); i < kItems; i += stride) {
          auto v = sycl::atomic_ref<unsigned, sycl::memory_order::relaxed, sycl::memory_scope::work_group,
                                    sycl::access::address_space::local_space>(local_hist[in[i]]);
          v.fetch_add(1);
        }
        it.barrier(sycl::access::fence_space::local_space);
        for (int b = lid; b < kBins; b += it.get_local_range(0)) {
          auto v = sycl::atomic_ref<unsigned, sycl::memory_order::relaxed, sycl::memory_scope::device,
                                    sycl::access::address_space::global_space>(out[b]);
          v += local_hist[b];
        }
      });
    });
  }
  Tell("histogram", hist == expected);
}

// Of a block of 8 x 8: T * block * transposed T, in private arrays.
struct Dct {
  static constexpr int block_dims = 8;
  float table[block_dims * block_dims];
  Dct() {
    for (int r = 0; r < block_dims; r++)
      for (int c = 0; c < block_dims; c++)
        table[r * block_dims + c] =
            r == 0 ? 1.0f / std::sqrt(8.0f) : 0.5f * std::cos((2 * c + 1) * r * 3.14159265f / 16);
  }
  void Block(const float *in, float *out, size_t pitch) const {
    float temp[block_dims * block_dims];
    for (int r = 0; r < block_dims; r++) {
      for (int c = 0; c < block_dims; c++) {
        float sum = 0;
        for (int k = 0; k < block_dims; k++)
          sum += table[r * block_dims + k] * in[k * pitch + c];
        temp[r * block_dims + c] = sum;
      }
    }
    for (int r = 0; r < block_dims; r++) {
      for (int c = 0; c < block_dims; c++) {
        float sum = 0;
        for (int k = 0; k < block_dims; k++)
          sum += temp[r * block_dims + k] * table[c * block_dims + k];
        out[r * pitch + c] = sum;
      }
    }
  }
};

void CosineTransform(sycl::queue &q) {
  constexpr size_t width = 32, height = 16;
  std::vector<float> image(width * height), got(width * height), expected(width * height);
  for (size_t i = 0; i < image.size(); i++)
    image[i] = static_cast<float>(i * 37 % 256) - 128;
  const Dct dct;
  {
    sycl::buffer<float, 1> image_buf(image.data(), image.size()), out_buf(got.data(), got.size());
    q.submit([&](sycl::handler &h) {
      auto i_acc = image_buf.get_access(h, sycl::read_only);
      auto o_acc = out_buf.get_access(h);
      h.parallel_for(sycl::range<2>(width / 8, height / 8), [=](auto idx) {
        const size_t start = idx[0] * 8 + idx[1] * 8 * width;
        dct.Block(&i_acc[start], &o_acc[start], width);
      });
    });
  }
  for (size_t y = 0; y < height; y += 8)
    for (size_t x = 0; x < width; x += 8)
      dct.Block(&image[y * width + x], &expected[y * width + x], width);
  bool right = true;
  for (size_t i = 0; i < got.size(); i++)
    right &= std::fabs(got[i] - expected[i]) < 0.01f;
  Tell("cosine transform", right);
}

template <typename T>
T Cumulative(T x) {
  return T(0.5) * sycl::erfc(-x * T(0.70710678));
}

void BlackScholes(sycl::queue &q) {
  constexpr size_t options = 128;
  constexpr float rate = 0.05f, volatility = 0.2f;
  float *price = sycl::malloc_shared<float>(options, q), *strike = sycl::malloc_shared<float>(options, q);
  float *years = sycl::malloc_shared<float>(options, q);
  sycl::float2 *result = sycl::malloc_shared<sycl::float2>(options, q);
  std::minstd_rand gen(5);
  std::uniform_real_distribution<float> p(10, 50), t(0.5f, 2);
  for (size_t i = 0; i < options; i++)
    price[i] = p(gen), strike[i] = p(gen), years[i] = t(gen);
  auto event = q.parallel_for<class BlackScholesKernel>(sycl::range{options}, [=](sycl::item<1> item) {
    const auto i = item.get_id(0);
    const float root = volatility * sycl::sqrt(years[i]);
    const float d1 = (sycl::log(price[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) / root;
    const float d2 = d1 - root, discount = strike[i] * sycl::exp(-rate * years[i]);
    const float call = price[i] * Cumulative(d1) - discount * Cumulative(d2);
    result[i] = sycl::float2{call, call + discount - price[i]};
  });
  event.wait_and_throw();
  bool right = true;
  for (size_t i = 0; i < options; i++) {
    const double root = volatility * std::sqrt(years[i]);
    const double d1 =
        (std::log(double(price[i]) / strike[i]) + (rate + 0.5 * volatility * volatility) * years[i]) / root;
    const auto n = [](double x) { return 0.5 * std::erfc(-x * 0.7071067811865476); };
    const double discount = strike[i] * std::exp(-double(rate) * years[i]),
                 call = price[i] * n(d1) - discount * n(d1 - root);
    right &= std::fabs(result[i].x() - call) < 1e-3 && std::fabs(result[i].y() - (call + discount - price[i])) < 1e-3;
  }
  Tell("Black-Scholes", right);
  sycl::free(price, q), sycl::free(strike, q), sycl::free(years, q), sycl::free(result, q);
}

// Up-sweep and down-sweep in local memory, one work-group.
void PrefixSum(sycl::queue &q) {
  constexpr size_t n = 128;
  std::vector<long> in(n), out(n), expected(n);
  for (size_t i = 0; i < n; i++)
    in[i] = static_cast<long>(i * i) << 20;
  std::exclusive_scan(in.begin(), in.end(), expected.begin(), 0L);
  {
    sycl::buffer in_buf(in), out_buf(out);
    q.submit([&](sycl::handler &h) {
      sycl::accessor x(in_buf, h, sycl::read_only);
      sycl::accessor y(out_buf, h, sycl::write_only, sycl::no_init);
      sycl::local_accessor<long> t(n, h);
      h.parallel_for(sycl::nd_range<1>(n / 2, n / 2), [=](sycl::nd_item<1> it) {
        const size_t i = it.get_local_linear_id();
        size_t offset = 1;
        t[2 * i] = x[2 * i], t[2 * i + 1] = x[2 * i + 1];
        for (size_t d = n >> 1; d > 0; d >>= 1) {
          sycl::group_barrier(it.get_group());
          if (i < d)
            t[offset * (2 * i + 2) - 1] += t[offset * (2 * i + 1) - 1];
          offset *= 2;
        }
        if (i == 0)
          t[n - 1] = 0;
        for (size_t d = 1; d < n; d *= 2) {
          offset >>= 1;
          sycl::group_barrier(it.get_group());
          if (i < d) {
            const long left = t[offset * (2 * i + 1) - 1];
            t[offset * (2 * i + 1) - 1] = t[offset * (2 * i + 2) - 1];
            t[offset * (2 * i + 2) - 1] += left;
          }
        }
        sycl::group_barrier(it.get_group());
        y[2 * i] = t[2 * i], y[2 * i + 1] = t[2 * i + 1];
      });
    });
  }
  Tell("prefix sum", out == expected);
}

struct CompressedSparseRow {
  int *columns;
  float *data;
  std::size_t *row_start;
  std::size_t rows;
};

// A sub-group for each row.
void SparseMatrix(sycl::queue &q) {
  constexpr size_t rows = 24;
  std::vector<int> columns;
  std::vector<float> data;
  std::vector<std::size_t> start{0};
  for (size_t r = 0; r < rows; r++) {
    for (size_t c = r % 3; c < rows; c += 1 + r % 4)
      columns.push_back(static_cast<int>(c)), data.push_back(static_cast<float>(r + c) / 8);
    start.push_back(columns.size());
  }
  CompressedSparseRow matrix{sycl::malloc_device<int>(columns.size(), q), sycl::malloc_device<float>(data.size(), q),
                             sycl::malloc_device<std::size_t>(start.size(), q), rows};
  float *x = sycl::malloc_shared<float>(rows, q), *y = sycl::malloc_shared<float>(rows, q);
  q.copy(columns.data(), matrix.columns, columns.size());
  q.copy(data.data(), matrix.data, data.size());
  q.copy(start.data(), matrix.row_start, start.size()).wait();
  for (size_t i = 0; i < rows; i++)
    x[i] = static_cast<float>(i % 5) - 2;
  q.parallel_for(sycl::nd_range<1>(rows * 8, 8), [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(4)]] {
     const auto group = it.get_group();
     const size_t row = group.get_group_linear_id();
     float sum = 0;
     for (size_t j = matrix.row_start[row] + it.get_local_linear_id(); j < matrix.row_start[row + 1];
          j += group.get_local_linear_range())
       sum += matrix.data[j] * x[matrix.columns[j]];
     sum = sycl::reduce_over_group(group, sum, sycl::plus<float>());
     if (group.leader())
       y[row] = sum;
   }).wait();
  bool right = true;
  for (size_t r = 0; r < rows; r++) {
    float sum = 0;
    for (size_t j = start[r]; j < start[r + 1]; j++)
      sum += data[j] * x[columns[j]];
    right &= std::fabs(sum - y[r]) < 1e-3f;
  }
  Tell("sparse matrix", right);
  sycl::free(matrix.columns, q), sycl::free(matrix.data, q), sycl::free(matrix.row_start, q);
  sycl::free(x, q), sycl::free(y, q);
}

// std::minstd_rand's rule, a generator of its own for each work-item, and a 64-bit one with a big multiplier.
class Generator {
 public:
  explicit Generator(std::uint64_t seed) : state_(seed * 6364136223846793005ull + 1442695040888963407ull) {}
  std::uint32_t Next() {
    state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
    const auto mixed = static_cast<std::uint32_t>(((state_ >> 18) ^ state_) >> 27);
    const auto by = static_cast<std::uint32_t>(state_ >> 59);
    return mixed >> by | mixed << (-by & 31);
  }

 private:
  std::uint64_t state_;
};

int InCircle(std::size_t item, std::size_t samples) {
  Generator generator(item);
  int inside = 0;
  for (std::size_t i = 0; i < samples; i++) {
    const float x = static_cast<float>(generator.Next() >> 8) * 0x1p-24f,
                y = static_cast<float>(generator.Next() >> 8) * 0x1p-24f;
    inside += x * x + y * y < 1;
  }
  return inside;
}

void MonteCarlo(sycl::queue &q) {
  constexpr std::size_t items = 64, samples = 50;
  int *inside = sycl::malloc_shared<int>(1, q);
  *inside = 0;
  q.parallel_for(sycl::range<1>(items), sycl::reduction(inside, sycl::plus<int>()), [=](sycl::id<1> i, auto &sum) {
     sum += InCircle(i, samples);
   }).wait();
  int expected = 0;
  for (std::size_t i = 0; i < items; i++)
    expected += InCircle(i, samples);
  Tell("Monte Carlo", std::abs(*inside - expected) <= 1 && expected > 2300 && expected < 2700);
  sycl::free(inside, q);
}

// One kernel for each pass; events say which comes after which.
void BitonicSort(sycl::queue &q) {
  constexpr std::uint32_t n = 128;
  std::vector<std::uint32_t> data(n), expected;
  for (std::uint32_t i = 0; i < n; i++)
    data[i] = i * 2654435761u;
  expected = data;
  std::sort(expected.begin(), expected.end());
  auto *a = sycl::malloc_device<std::uint32_t>(n, q);
  sycl::event last = q.memcpy(a, data.data(), n * sizeof *a);
  for (std::uint32_t k = 2; k <= n; k *= 2)
    for (std::uint32_t j = k / 2; j > 0; j /= 2)
      last = q.parallel_for(sycl::range<1>{n}, last, [=](sycl::id<1> id) {
        const std::uint32_t i = id, partner = i ^ j;
        if (partner > i && (a[i] > a[partner]) == ((i & k) == 0)) {
          const auto t = a[i];
          a[i] = a[partner];
          a[partner] = t;
        }
      });
  q.submit([&](sycl::handler &h) {
     h.depends_on(last);
     h.memcpy(data.data(), a, n * sizeof *a);
   }).wait();
  Tell("bitonic sort", data == expected);
  sycl::free(a, q);
}

}  // namespace

int main() {
  try {
    sycl::queue q{sycl::gpu_selector_v};
    Histogram(q);
    CosineTransform(q);
    BlackScholes(q);
    PrefixSum(q);
    SparseMatrix(q);
    MonteCarlo(q);
    BitonicSort(q);
  } catch (const sycl::exception &e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 2;
  }
  return all_right ? 0 : 1;
}
