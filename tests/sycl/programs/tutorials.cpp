// SPDX-License-Identifier: Apache-2.0
// Seven small programs in the manner of tutorials of SYCL 2020: reductions over several variables, a stencil, gamma
// correction, a transposition by local memory, breadth-first search, a linked list and errors. Not a suite: programs.py
// runs it.
#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <numeric>
#include <random>
#include <string>
#include <sycl/sycl.hpp>
#include <vector>

using namespace sycl;

static bool all_right = true;

static void tell(const char *name, bool right) {
  std::cout << name << ": " << (right ? "right" : "WRONG") << std::endl;
  all_right &= right;
}

// Sum, minimum and maximum in one pass.
static void reductions(queue &q) {
  constexpr size_t N = 1024;
  std::vector<int> data(N);
  std::mt19937 gen(7);
  for (auto &x : data)
    x = static_cast<int>(gen() % 20001) - 10000;
  int sum = 0, lowest = 0, highest = 0;
  {
    buffer<int> values_buf{data};
    buffer<int> sum_buf{&sum, 1}, min_buf{&lowest, 1}, max_buf{&highest, 1};
    q.submit([&](handler &cgh) {
      auto values = values_buf.get_access<access_mode::read>(cgh);
      auto sum_reduction = reduction(sum_buf, cgh, plus<>());
      auto min_reduction = reduction(min_buf, cgh, minimum<>());
      auto max_reduction = reduction(max_buf, cgh, maximum<>());
      cgh.parallel_for(range<1>{N}, sum_reduction, min_reduction, max_reduction,
                       [=](id<1> idx, auto &total, auto &low, auto &high) {
                         total += values[idx];
                         low.combine(values[idx]);
                         high.combine(values[idx]);
                       });
    });
  }
  const auto [low, high] = std::minmax_element(data.begin(), data.end());
  tell("reductions", sum == std::accumulate(data.begin(), data.end(), 0) && lowest == *low && highest == *high);
}

// A five-point stencil with two buffers that change places.
static void heat(queue &q) {
  constexpr size_t width = 34, height = 18, steps = 6;
  const range<2> size{height, width};
  std::vector<float> start(size.size(), 0.0f);
  for (size_t col = 0; col < width; col++)
    start[col] = 100.0f;
  std::vector<float> expected = start, next = start;
  for (size_t step = 0; step < steps; step++) {
    for (size_t r = 1; r < height - 1; r++)
      for (size_t c = 1; c < width - 1; c++)
        next[r * width + c] = 0.25f * (expected[(r - 1) * width + c] + expected[(r + 1) * width + c] +
                                       expected[r * width + c - 1] + expected[r * width + c + 1]);
    std::swap(expected, next);
  }
  buffer<float, 2> a{start.data(), size}, b{start.data(), size};
  a.set_write_back(false);
  b.set_write_back(false);
  for (size_t step = 0; step < steps; step++) {
    q.submit([&](handler &h) {
      accessor in{a, h, read_only};
      accessor out{b, h, write_only};
      h.parallel_for(range<2>{height - 2, width - 2}, [=](item<2> it) {
        const id<2> at = it.get_id() + id<2>{1, 1};
        const size_t r = at[0], c = at[1];
        out[at] = 0.25f * (in[r - 1][c] + in[r + 1][c] + in[r][c - 1] + in[r][c + 1]);
      });
    });
    std::swap(a, b);
  }
  host_accessor got{a, read_only};
  bool right = true;
  for (size_t r = 0; r < height; r++)
    for (size_t c = 0; c < width; c++)
      right &= std::fabs(got[r][c] - expected[r * width + c]) < 1e-4f;
  tell("heat", right);
}

// Gamma correction of pixels of four channels.
static void gamma_correction(queue &q) {
  struct Pixel {
    uint8_t r, g, b, a;
  };
  constexpr size_t w = 24, h = 10;
  std::vector<Pixel> image(w * h), original;
  for (size_t i = 0; i < image.size(); i++)
    image[i] = {static_cast<uint8_t>(i), static_cast<uint8_t>(3 * i), static_cast<uint8_t>(255 - i), 255};
  original = image;
  const auto correct = [](uint8_t v) { return static_cast<uint8_t>(sycl::pow(v / 255.0f, 1 / 2.2f) * 255.0f + 0.5f); };
  {
    buffer<Pixel, 2> buf(image.data(), range<2>(h, w));
    q.submit([&](handler &cgh) {
      auto acc = buf.get_access<access::mode::read_write>(cgh);
      cgh.parallel_for<class GammaCorrection>(buf.get_range(), [=](id<2> i) {
        Pixel &p = acc[i];
        p = {correct(p.r), correct(p.g), correct(p.b), p.a};
      });
    });
  }
  bool right = true;
  for (size_t i = 0; i < image.size(); i++) {
    const auto near = [](int got, uint8_t v) {
      return std::abs(got - static_cast<int>(std::pow(v / 255.0, 1 / 2.2) * 255.0 + 0.5)) <= 1;
    };
    right &= near(image[i].r, original[i].r) && near(image[i].g, original[i].g) && near(image[i].b, original[i].b) &&
             image[i].a == 255;
  }
  tell("gamma correction", right);
}

template <typename T, size_t Tile>
class TransposeKernel {
 public:
  TransposeKernel(accessor<T, 2, access_mode::read> in, accessor<T, 2, access_mode::write> out,
                  local_accessor<T, 2> tile)
      : in_(in), out_(out), tile_(tile) {}
  void operator()(nd_item<2> it) const {
    const auto local = it.get_local_id();
    tile_[local[0]][local[1]] = in_[it.get_global_id()];
    group_barrier(it.get_group());
    const size_t row = it.get_group(1) * Tile + local[0], column = it.get_group(0) * Tile + local[1];
    out_[row][column] = tile_[local[1]][local[0]];
  }

 private:
  accessor<T, 2, access_mode::read> in_;
  accessor<T, 2, access_mode::write> out_;
  local_accessor<T, 2> tile_;
};

static void transpose(queue &q) {
  constexpr size_t rows = 16, columns = 24, tile = 8;
  std::vector<size_t> numbers(rows * columns);
  std::iota(numbers.begin(), numbers.end(), size_t{1} << 33);
  std::vector<size_t> result(numbers.size());
  {
    buffer<size_t, 2> a{numbers.data(), {rows, columns}}, b{result.data(), {columns, rows}};
    q.submit([&](handler &h) {
      accessor x{a, h, read_only};
      accessor y{b, h, write_only, no_init};
      local_accessor<size_t, 2> t{{tile, tile}, h};
      h.parallel_for(nd_range<2>{{rows, columns}, {tile, tile}}, TransposeKernel<size_t, tile>{x, y, t});
    });
  }
  bool right = true;
  for (size_t r = 0; r < rows; r++)
    for (size_t c = 0; c < columns; c++)
      right &= result[c * rows + r] == numbers[r * columns + c];
  tell("transpose", right);
}

// Breadth-first search over compressed rows, one level a kernel.
static void breadth_first(queue &q) {
  constexpr int nodes = 60;
  std::vector<int> offsets{0}, edges;
  for (int i = 0; i < nodes; i++) {
    for (int to : {i * 2 + 1, i * 2 + 2, i / 3})
      if (to < nodes)
        edges.push_back(to);
    offsets.push_back(static_cast<int>(edges.size()));
  }
  int *row = malloc_shared<int>(offsets.size(), q), *column = malloc_shared<int>(edges.size(), q);
  int *level = malloc_shared<int>(nodes, q);
  bool *changed = malloc_shared<bool>(1, q);
  std::copy(offsets.begin(), offsets.end(), row);
  std::copy(edges.begin(), edges.end(), column);
  std::fill(level, level + nodes, -1);
  level[0] = 0;
  int depth = 0;
  do {
    *changed = false;
    q.parallel_for(nodes, [=](auto node) {
       if (level[node] != depth)
         return;
       for (int e = row[node]; e < row[node + 1]; e++) {
         atomic_ref<int, memory_order::relaxed, memory_scope::device> to(level[column[e]]);
         int unseen = -1;
         if (to.compare_exchange_strong(unseen, depth + 1))
           *changed = true;
       }
     }).wait();
    depth++;
  } while (*changed);
  std::vector<int> expected(nodes, -1), front{0};
  expected[0] = 0;
  while (!front.empty()) {
    std::vector<int> next;
    for (int n : front)
      for (int e = offsets[n]; e < offsets[n + 1]; e++)
        if (expected[edges[e]] < 0) {
          expected[edges[e]] = expected[n] + 1;
          next.push_back(edges[e]);
        }
    front = next;
  }
  tell("breadth-first search", std::equal(expected.begin(), expected.end(), level));
  for (void *p : {(void *)row, (void *)column, (void *)level, (void *)changed})
    free(p, q);
}

// A linked list in shared memory with an allocator of it.
static void linked_list(queue &q) {
  struct Node {
    long key;
    Node *next;
  };
  usm_allocator<Node, usm::alloc::shared> allocator(q);
  std::vector<Node, decltype(allocator)> pool(10, allocator);
  Node *head = nullptr;
  for (long i = 0; i < 10; i++) {
    pool[i] = {i * 1'000'000'007L, head};
    head = &pool[i];
  }
  auto *answer = malloc_shared<long>(2, q);
  q.single_task([=] {
     long sum = 0, length = 0;
     for (const Node *n = head; n; n = n->next) {
       sum += n->key;
       length++;
     }
     answer[0] = sum, answer[1] = length;
   }).wait();
  tell("linked list", answer[0] == 45 * 1'000'000'007L && answer[1] == 10);
  free(answer, q);
}

// What goes wrong is told, at once or by the handler.
static void errors() {
  int synchronous = 0, asynchronous = 0;
  const auto handler_of_errors = [&](exception_list list) {
    for (const std::exception_ptr &e : list) {
      try {
        std::rethrow_exception(e);
      } catch (const sycl::exception &) {
        asynchronous++;
      }
    }
  };
  queue q{default_selector_v, handler_of_errors, property::queue::in_order{}};
  try {
    buffer<int> small{range<1>{8}};
    q.submit([&](handler &h) {
      accessor a{small, h};
      h.parallel_for(nd_range<1>{10, 4}, [=](nd_item<1> i) { a[i.get_global_id()] = 1; });
    });
    q.wait_and_throw();
  } catch (const sycl::exception &e) {
    synchronous += e.code() == errc::nd_range && std::string(e.what()).size() > 0;
  }
  int *nowhere = malloc_device<int>(1, q);
  q.single_task([=] { nowhere[0x10000000] = 1; });
  q.wait_and_throw();
  free(nowhere, q);
  tell("errors", synchronous == 1 && asynchronous == 1);
}

int main() {
  queue q;
  reductions(q);
  heat(q);
  gamma_correction(q);
  transpose(q);
  breadth_first(q);
  linked_list(q);
  errors();
  return all_right ? 0 : 1;
}
