// SPDX-License-Identifier: Apache-2.0
// Six small programs in the spelling of SYCL 1.2.1. Not a suite: programs.py runs it.
#include <CL/sycl.hpp>
#include <vector>

using namespace cl::sycl;
constexpr access::mode sycl_read = access::mode::read;
constexpr access::mode sycl_write = access::mode::write;
constexpr access::mode sycl_read_write = access::mode::read_write;

class vector_add_kernel;
class matrix_multiply_kernel;
class mandelbrot_kernel;
class n_body_kernel;
class histogram_kernel;
class prefix_sum_kernel;

bool vector_add(queue &q) {
  const cl_int n = 1000;
  std::vector<cl_float> a(n, 1.5f), b(n, 2.0f), c(n);
  {
    buffer<cl_float, 1> ba(a.data(), range<1>(n)), bb(b.data(), range<1>(n)), bc(c.data(), range<1>(n));
    q.submit([&](handler &cgh) {
      auto pa = ba.get_access<sycl_read>(cgh);
      auto pb = bb.get_access<sycl_read, access::target::constant_buffer>(cgh);
      auto pc = bc.get_access<access::mode::discard_write>(cgh);
      cgh.parallel_for<vector_add_kernel>(range<1>{n}, [=](id<1> wi) { pc[wi] = pa[wi] + pb[wi]; });
    });
  }
  for (float x : c)
    if (x != 3.5f)
      return false;
  return true;
}

bool matrix_multiply(queue &q) {
  const int n = 32, tile = 8;
  std::vector<int> a(n * n), b(n * n), c(n * n);
  for (int i = 0; i < n * n; i++)
    a[i] = i % 7, b[i] = i % 5 - 2;
  {
    buffer<int> ba(a.data(), range<1>(n * n)), bb(b.data(), range<1>(n * n)), bc(c.data(), range<1>(n * n));
    q.submit([&](handler &cgh) {
      auto pa = ba.get_access<sycl_read>(cgh), pb = bb.get_access<sycl_read>(cgh);
      auto pc = bc.get_access<sycl_write>(cgh);
      accessor<int, 1, sycl_read_write, access::target::local> ta(range<1>(tile * tile), cgh),
          tb(range<1>(tile * tile), cgh);
      cgh.parallel_for<matrix_multiply_kernel>(nd_range<2>{range<2>(n, n), range<2>(tile, tile)}, [=](nd_item<2> it) {
        const int i = it.get_global_id(0), j = it.get_global_id(1), y = it.get_local_id(0), x = it.get_local_id(1);
        int sum = 0;
        for (int t = 0; t < n; t += tile) {
          ta[y * tile + x] = pa[i * n + t + x];
          tb[y * tile + x] = pb[(t + y) * n + j];
          it.barrier(access::fence_space::local_space);
          for (int k = 0; k < tile; k++)
            sum += ta[y * tile + k] * tb[k * tile + x];
          it.barrier(access::fence_space::local_space);
        }
        pc[i * n + j] = sum;
      });
    });
    q.wait_and_throw();
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      int sum = 0;
      for (int k = 0; k < n; k++)
        sum += a[i * n + k] * b[k * n + j];
      if (sum != c[i * n + j])
        return false;
    }
  }
  return true;
}

bool mandelbrot(queue &q) {
  const int rows = 16, columns = 24;
  buffer<cl_uchar, 2> image(range<2>(rows, columns));
  const auto count_at = [=](size_t row, size_t column) {
    const float x = float(column) * 3 / columns - 2, y = float(row) * 2 / rows - 1;
    float re = 0, im = 0;
    cl_uchar count = 0;
    for (; count < 50 && re * re + im * im < 4; count++) {
      const float next = re * re - im * im + x;
      im = 2 * re * im + y;
      re = next;
    }
    return count;
  };
  q.submit([&](handler &cgh) {
    auto out = image.get_access<access::mode::discard_write>(cgh);
    cgh.parallel_for<mandelbrot_kernel>(image.get_range(),
                                        [=](item<2> it) { out[it] = count_at(it.get_id(0), it.get_id(1)); });
  });
  auto got = image.get_access<sycl_read>();
  int wrong = 0;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      wrong += got[i][j] != count_at(i, j);
  return wrong <= 4 && got[8][16] == 50;
}

bool n_body(queue &q) {
  const int n = 32;
  std::vector<cl_float4> bodies(n);
  std::vector<cl_float> moved(n), expected(n);
  for (int i = 0; i < n; i++)
    bodies[i] = cl_float4(i, i % 5, 1, 1 + i % 2);
  const auto force_on = [=](const cl_float4 &me, const cl_float4 &other) {
    cl_float4 d = other - me;
    d.w() = 0;
    const float r = d.x() * d.x() + d.y() * d.y() + d.z() * d.z() + 0.1f;
    return d.x() * other.w() / (r * cl::sycl::sqrt(r));
  };
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      expected[i] += force_on(bodies[i], bodies[j]);
  {
    buffer<cl_float4, 1> in(bodies.data(), range<1>(n));
    buffer<cl_float, 1> out(moved.data(), range<1>(n));
    q.submit([&](handler &cgh) {
      auto all = in.get_access<sycl_read>(cgh);
      auto force = out.get_access<sycl_read_write>(cgh);
      cgh.parallel_for_work_group<n_body_kernel>(range<1>(4), range<1>(8), [=](group<1> g) {
        g.parallel_for_work_item([&](h_item<1> it) {
          const size_t i = it.get_global_id(0);
          float sum = 0;
          for (int j = 0; j < n; j++)
            sum += force_on(all[i], all[j]);
          force[i] = sum;
        });
      });
    });
  }
  for (int i = 0; i < n; i++)
    if (cl::sycl::fabs(moved[i] - expected[i]) > 1e-4f)
      return false;
  return true;
}

bool histogram(queue &q) {
  const int bins = 16;
  std::vector<cl_uint> data(1024), counts(bins, 0), expected(bins, 0);
  for (size_t i = 0; i < data.size(); i++)
    data[i] = cl_uint(i * i / 7), expected[data[i] % bins]++;
  {
    buffer<cl_uint, 1> in(data.begin(), data.end());
    buffer<cl_uint, 1> out(counts.data(), range<1>(bins));
    q.submit([&](handler &cgh) {
      auto all = in.get_access<sycl_read>(cgh);
      auto total = out.get_access<access::mode::atomic>(cgh);
      cgh.parallel_for<histogram_kernel>(in.get_range(), [=](id<1> i) { total[all[i] % bins].fetch_add(1); });
    });
  }
  return counts == expected;
}

bool prefix_sum(queue &q) {
  const int n = 64;
  std::vector<int> data(n), sums(n);
  for (int i = 0; i < n; i++)
    data[i] = i * 7 % 13;
  {
    buffer<int> in(data.data(), range<1>(n)), out(sums.data(), range<1>(n));
    q.submit([&](handler &cgh) {
      auto all = in.get_access<sycl_read>(cgh);
      auto result = out.get_access<sycl_write>(cgh);
      accessor<int, 1, sycl_read_write, access::target::local> totals(range<1>(64), cgh);
      cgh.parallel_for<prefix_sum_kernel>(nd_range<1>(n, n), [=](nd_item<1> it) {
        const intel::sub_group sg = it.get_sub_group();
        int x = all[it.get_global_id()];
        for (unsigned d = 1; d < sg.get_max_local_range()[0]; d *= 2) {
          const int before = sg.shuffle_up(x, d);
          if (sg.get_local_id()[0] >= d)
            x += before;
        }
        if (sg.get_local_id()[0] == sg.get_local_range()[0] - 1)
          totals[sg.get_group_id()] = x;
        it.barrier();
        for (unsigned i = 0; i < sg.get_group_id()[0]; i++)
          x += totals[i];
        result[it.get_global_id()] = x;
      });
    });
  }
  int sum = 0;
  for (int i = 0; i < n; i++)
    if (sums[i] != (sum += data[i]))
      return false;
  return true;
}

int main() {
  try {
    gpu_selector selector;
    queue q(selector, [](exception_list list) {
      for (const std::exception_ptr &e : list)
        std::rethrow_exception(e);
    });
    const auto say = [](const char *name, bool right) {
      std::cout << name << ": " << (right ? "right" : "wrong") << std::endl;
    };
    say("vector add", vector_add(q));
    say("matrix multiply", matrix_multiply(q));
    say("Mandelbrot", mandelbrot(q));
    say("N-body", n_body(q));
    say("histogram", histogram(q));
    say("prefix sum", prefix_sum(q));
  } catch (const cl::sycl::exception &e) {
    std::cerr << e.what() << std::endl;
    return 1;
  }
}
