// SPDX-License-Identifier: Apache-2.0
// Six small programs as users of SYCL 2020 write them, with buffers and accessors. Not a suite: programs.py runs it.
#include <cmath>
#include <iostream>
#include <numeric>
#include <sycl/sycl.hpp>
#include <vector>

using namespace sycl;

bool vector_add(queue &q) {
  constexpr size_t n = 1000;
  std::vector<float> a(n), b(n), c(n);
  std::iota(a.begin(), a.end(), 0.0f);
  std::fill(b.begin(), b.end(), 0.5f);
  {
    buffer buf_a{a}, buf_b{b}, buf_c{c};
    q.submit([&](handler &h) {
      accessor in_a{buf_a, h, read_only};
      accessor in_b{buf_b, h, read_only};
      accessor out{buf_c, h, write_only, no_init};
      h.parallel_for(n, [=](auto i) { out[i] = in_a[i] + in_b[i]; });
    });
  }
  for (size_t i = 0; i < n; i++)
    if (c[i] != a[i] + 0.5f)
      return false;
  return true;
}

bool matrix_multiply(queue &q) {
  constexpr int n = 32, tile = 8;
  std::vector<float> a(n * n), b(n * n), c(n * n, 0.0f);
  for (int i = 0; i < n * n; i++)
    a[i] = float(i % 7), b[i] = float(i % 5) - 2;
  {
    buffer<float, 2> buf_a(a.data(), {n, n}), buf_b(b.data(), {n, n}), buf_c(c.data(), {n, n});
    q.submit([&](handler &h) {
      accessor m(buf_a, h, read_only);
      accessor k(buf_b, h, read_only);
      accessor r(buf_c, h, write_only);
      local_accessor<float, 2> tile_a({tile, tile}, h), tile_b({tile, tile}, h);
      h.parallel_for(nd_range<2>({n, n}, {tile, tile}), [=](nd_item<2> item) {
        const auto row = item.get_local_id(0), column = item.get_local_id(1);
        float sum = 0;
        for (int t = 0; t < n; t += tile) {
          tile_a[row][column] = m[item.get_global_id(0)][t + column];
          tile_b[row][column] = k[t + row][item.get_global_id(1)];
          group_barrier(item.get_group());
          for (int i = 0; i < tile; i++)
            sum += tile_a[row][i] * tile_b[i][column];
          group_barrier(item.get_group());
        }
        r[item.get_global_id()] = sum;
      });
    });
  }
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

int mandelbrot_at(float x, float y) {
  float re = 0, im = 0;
  int count = 0;
  for (; count < 50 && re * re + im * im < 4; count++) {
    const float next = re * re - im * im + x;
    im = 2 * re * im + y;
    re = next;
  }
  return count;
}
bool mandelbrot(queue &q) {
  constexpr int rows = 16, columns = 24;
  buffer<int, 2> counts(range(rows, columns));
  q.submit([&](handler &h) {
    accessor out(counts, h, write_only, no_init);
    h.parallel_for(counts.get_range(),
                   [=](id<2> i) { out[i] = mandelbrot_at(i[1] * 3.0f / columns - 2, i[0] * 2.0f / rows - 1); });
  });
  host_accessor got(counts, read_only);
  int wrong = 0;  // where the last bit of a float matters
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      wrong += got[i][j] != mandelbrot_at(j * 3.0f / columns - 2, i * 2.0f / rows - 1);
  return wrong <= 4 && got[8][16] == 50;
}

struct body {
  float3 position, velocity;
  float mass;
};
bool n_body(queue &q) {
  constexpr size_t n = 32;
  constexpr float step = 0.01f;
  std::vector<body> bodies(n);
  for (size_t i = 0; i < n; i++)
    bodies[i] = {{float(i), float(i % 5), 1}, {0, float(i % 3), 0}, 1.0f + i % 2};
  const auto pull = [](const float3 &at, const float3 &other, float mass) {
    const float3 d = other - at;
    const float r = dot(d, d) + 0.1f;
    return d * (mass / (r * std::sqrt(r)));
  };
  std::vector<float3> expected(n);
  for (size_t i = 0; i < n; i++) {
    float3 force(0);
    for (const body &other : bodies)
      force += pull(bodies[i].position, other.position, other.mass);
    expected[i] = bodies[i].position + (bodies[i].velocity + force * step) * step;
  }
  {
    buffer buf(bodies);
    buffer<float3> forces{range<1>(n)};
    q.submit([&](handler &h) {
      accessor b(buf, h, read_only);
      accessor f(forces, h, write_only);
      h.parallel_for(range(n), [=](item<1> i) {
        float3 force(0);
        for (size_t j = 0; j < n; j++)
          force += pull(b[i].position, b[j].position, b[j].mass);
        f[i] = force;
      });
    });
    q.submit([&](handler &h) {
      accessor b(buf, h);
      accessor f(forces, h, read_only);
      h.parallel_for(range(n), [=](item<1> i) {
        b[i].velocity += f[i] * step;
        b[i].position += b[i].velocity * step;
      });
    });
  }
  for (size_t i = 0; i < n; i++)
    if (distance(bodies[i].position, expected[i]) > 1e-4f)
      return false;
  return true;
}

bool histogram(queue &q) {
  constexpr int bins = 16;
  std::vector<unsigned char> data(2000);
  for (size_t i = 0; i < data.size(); i++)
    data[i] = static_cast<unsigned char>(i * i / 7);
  std::vector<int> counts(bins, 0), expected(bins, 0);
  for (unsigned char x : data)
    expected[x % bins]++;
  {
    buffer buf_data(data);
    buffer buf_counts(counts);
    q.submit([&](handler &h) {
      accessor in(buf_data, h, read_only);
      accessor out(buf_counts, h);
      h.parallel_for(buf_data.get_range(), [=](auto i) {
        atomic_ref<int, memory_order::relaxed, memory_scope::device, access::address_space::global_space> bin(
            out[in[i] % bins]);
        bin++;
      });
    });
  }
  return counts == expected;
}

bool prefix_sum(queue &q) {
  constexpr size_t n = 256, group = 64;
  std::vector<int> data(n), expected(n);
  for (size_t i = 0; i < n; i++)
    data[i] = int(i * 7 % 13);
  for (size_t g = 0; g < n; g += group)
    std::partial_sum(data.begin() + g, data.begin() + g + group, expected.begin() + g);
  {
    buffer buf(data);
    q.submit([&](handler &h) {
      accessor all(buf, h, read_write);
      local_accessor<int> totals(range(group), h);
      h.parallel_for(nd_range<1>(n, group), [=](nd_item<1> item) {
        auto sg = item.get_sub_group();
        int x = inclusive_scan_over_group(sg, all[item.get_global_id()], plus<>());
        if (sg.get_local_linear_id() + 1 == sg.get_local_linear_range())
          totals[sg.get_group_linear_id()] = x;
        group_barrier(item.get_group());
        for (uint32_t i = 0; i < sg.get_group_linear_id(); i++)
          x += totals[i];
        all[item.get_global_id()] = x;
      });
    });
  }
  return data == expected;
}

int main() {
  queue q{default_selector_v, [](exception_list list) {
            for (auto &e : list)
              std::rethrow_exception(e);
          }};
  const std::pair<const char *, bool (*)(queue &)> all[] = {
      {"vector add", vector_add}, {"matrix multiply", matrix_multiply},
      {"Mandelbrot", mandelbrot}, {"N-body", n_body},
      {"histogram", histogram},   {"prefix sum", prefix_sum}};
  for (const auto &[name, run] : all)
    std::cout << name << ": " << (run(q) ? "right" : "wrong") << std::endl;
}
