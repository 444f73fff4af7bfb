// SPDX-License-Identifier: Apache-2.0
// Six small programs as users of SYCL 2020 write them, with pointers of all kinds. Not a suite: programs.py runs it.
#include <cmath>
#include <numeric>
#include <sycl/sycl.hpp>

bool vector_add(sycl::queue &q) {
  constexpr int n = 1000;
  float *a = sycl::malloc_shared<float>(n, q), *b = sycl::malloc_shared<float>(n, q),
        *c = sycl::malloc_shared<float>(n, q);
  for (int i = 0; i < n; i++)
    a[i] = float(i), b[i] = 0.5f;
  q.parallel_for(n, [=](auto i) { c[i] = a[i] + b[i]; }).wait();
  bool right = true;
  for (int i = 0; i < n; i++)
    right = right && c[i] == a[i] + b[i];
  sycl::free(a, q);
  sycl::free(b, q);
  sycl::free(c, q);
  return right;
}

bool matrix_multiply(sycl::queue &q) {
  constexpr int n = 32, tile = 8;
  std::vector<float> a(n * n), b(n * n), c(n * n);
  for (int i = 0; i < n * n; i++)
    a[i] = float(i % 7), b[i] = float(i % 5) - 2;
  float *da = sycl::malloc_device<float>(n * n, q), *db = sycl::malloc_device<float>(n * n, q),
        *dc = sycl::malloc_device<float>(n * n, q);
  sycl::event copied_a = q.copy(a.data(), da, n * n), copied_b = q.memcpy(db, b.data(), n * n * sizeof(float));
  sycl::event done = q.submit([&](sycl::handler &cgh) {
    cgh.depends_on({copied_a, copied_b});
    sycl::local_accessor<float, 1> ta(tile * tile, cgh), tb(tile * tile, cgh);
    cgh.parallel_for(sycl::nd_range<2>{{n, n}, {tile, tile}}, [=](sycl::nd_item<2> it) {
      const int i = it.get_global_id(0), j = it.get_global_id(1), y = it.get_local_id(0), x = it.get_local_id(1);
      float sum = 0;
      for (int t = 0; t < n / tile; t++) {
        ta[y * tile + x] = da[i * n + t * tile + x];
        tb[y * tile + x] = db[(t * tile + y) * n + j];
        it.barrier(sycl::access::fence_space::local_space);
        for (int k = 0; k < tile; k++)
          sum = sycl::fma(ta[y * tile + k], tb[k * tile + x], sum);
        it.barrier(sycl::access::fence_space::local_space);
      }
      dc[i * n + j] = sum;
    });
  });
  q.memcpy(c.data(), dc, n * n * sizeof(float), done).wait_and_throw();
  for (auto *p : {da, db, dc})
    sycl::free(p, q);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int k = 0; k < n; k++)
        sum += a[i * n + k] * b[k * n + j];
      if (sum != c[i * n + j])
        return false;
    }
  }
  return true;
}

struct mandelbrot_kernel {
  int *out;
  int width, height;
  int at(int i, int j) const {
    const float x = float(j) * 3 / width - 2, y = float(i) * 2 / height - 1;
    float re = 0, im = 0;
    int count = 0;
    while (count < 50 && re * re + im * im < 4) {
      const float next = re * re - im * im + x;
      im = 2 * re * im + y;
      re = next;
      ++count;
    }
    return count;
  }
  void operator()(sycl::item<2> item) const {
    out[item.get_linear_id()] = at(item[0], item[1]);
  }
};
bool mandelbrot(sycl::queue &q) {
  mandelbrot_kernel kernel{sycl::malloc_host<int>(16 * 24, q), 24, 16};
  q.parallel_for({16, 24}, kernel).wait();
  int wrong = 0;
  for (int i = 0; i < 16; i++)
    for (int j = 0; j < 24; j++)
      wrong += kernel.out[i * 24 + j] != kernel.at(i, j);
  const bool right = wrong <= 4 && kernel.out[8 * 24 + 16] == 50;
  sycl::free(kernel.out, q);
  return right;
}

bool n_body(sycl::queue &q) {
  constexpr int n = 32;
  sycl::float4 *position = sycl::malloc_shared<sycl::float4>(n, q), *next = sycl::malloc_shared<sycl::float4>(n, q);
  for (int i = 0; i < n; i++)
    position[i] = sycl::float4(float(i), float(i % 5), 1, 1 + i % 2);  // w is the mass
  const auto moved = [](const sycl::float4 *all, int i) {
    sycl::float3 force(0), at(all[i].xyz());
    for (int j = 0; j < n; j++) {
      const sycl::float3 d = sycl::float3(all[j].xyz()) - at;
      const float r = sycl::dot(d, d) + 0.1f;
      force += d * (all[j].w() * sycl::rsqrt(r) / r);
    }
    return sycl::float4(at + force * 0.01f, all[i].w());
  };
  q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) { next[i] = moved(position, i); });
  q.wait();
  bool right = true;
  for (int i = 0; i < n; i++) {
    const sycl::float4 d = next[i] - moved(position, i);
    right = right && sycl::length(d) < 1e-4f && next[i].w() == position[i].w();
  }
  sycl::free(position, q);
  sycl::free(next, q);
  return right;
}

bool histogram(sycl::queue &q) {
  constexpr int n = 2048, bins = 16;
  sycl::usm_allocator<int, sycl::usm::alloc::shared> allocator(q);
  std::vector<int, decltype(allocator)> data(n, allocator), counts(bins, 0, allocator);
  std::vector<int> expected(bins, 0);
  for (int i = 0; i < n; i++)
    data[i] = i * i / 7, expected[data[i] % bins]++;
  const int *in = data.data();
  int *out = counts.data();
  q.submit([&](sycl::handler &h) {
     sycl::local_accessor<int> mine(bins, h);
     h.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> it) {
       const auto l = it.get_local_linear_id();
       if (l < bins)
         mine[l] = 0;
       sycl::group_barrier(it.get_group());
       sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::work_group,
                        sycl::access::address_space::local_space>(mine[in[it.get_global_linear_id()] % bins]) += 1;
       sycl::group_barrier(it.get_group());
       if (l < bins)
         sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device>(out[l]).fetch_add(mine[l]);
     });
   }).wait();
  return std::equal(expected.begin(), expected.end(), counts.begin());
}

bool prefix_sum(sycl::queue &q) {
  constexpr int n = 200;
  int *data = sycl::malloc_shared<int>(n, q), *sums = sycl::malloc_shared<int>(n, q);
  std::iota(data, data + n, 1);
  q.parallel_for(sycl::nd_range<1>(40, 40), [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(8)]] {
     // Each sub-group has its part, one lane behind the other by shuffles.
     const auto sg = it.get_sub_group();
     const int part = n / int(sg.get_group_range()[0]), first = part * int(sg.get_group_linear_id());
     int carry = 0;
     for (int i = 0; i < part; i += 8) {
       int x = data[first + i + sg.get_local_linear_id()];
       for (int d = 1; d < 8; d *= 2) {
         const int before = sycl::shift_group_right(sg, x, d);
         if (int(sg.get_local_linear_id()) >= d)
           x += before;
       }
       sums[first + i + sg.get_local_linear_id()] = x + carry;
       carry += sycl::group_broadcast(sg, x, 7);
     }
   }).wait();
  bool right = true;
  for (int i = 0; i < n; i++) {
    const int first = i / 40 * 40;
    right = right && sums[i] == (i + 1) * (i + 2) / 2 - first * (first + 1) / 2;
  }
  sycl::free(data, q);
  sycl::free(sums, q);
  return right;
}

int main() {
  sycl::queue q{sycl::gpu_selector_v, sycl::property::queue::in_order()};
  const auto say = [](const char *name, bool right) {
    std::cout << name << ": " << (right ? "right" : "wrong") << '\n';
  };
  say("vector add", vector_add(q));
  say("matrix multiply", matrix_multiply(q));
  say("Mandelbrot", mandelbrot(q));
  say("N-body", n_body(q));
  say("histogram", histogram(q));
  say("prefix sum", prefix_sum(q));
}
