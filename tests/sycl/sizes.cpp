// SPDX-License-Identifier: Apache-2.0
// size_t, long and pointers have 64 bits on both sides: in what kernels capture, in buffers, in memory behind pointers,
// and in what kernels compute. What they compute is what the host computes.
#include <array>
#include <list>
#include <string>
#include <vector>

#include "tests/sycl/suite.hpp"

namespace {

struct node {
  int value;
  node *next;
  std::size_t position;
};

struct row {
  float *values;
  std::size_t count;
  char name[3];
  const row *other;
};

const char *const words[] = {"warp", "weft", "heddle"};

// The same function, run by the host and by a kernel.
template <typename F>
void same_on_both_sides(const char *what, sycl::queue &queue, const std::vector<std::uint64_t> &inputs, const F &f) {
  sycl::buffer<std::uint64_t> in(inputs.data(), sycl::range<1>(inputs.size()));
  sycl::buffer<std::uint64_t> out{sycl::range<1>(inputs.size())};
  queue.submit([&](sycl::handler &h) {
    const sycl::accessor from(in, h, sycl::read_only);
    const sycl::accessor to(out, h, sycl::write_only, sycl::no_init);
    h.parallel_for(inputs.size(), [=](sycl::id<1> i) { to[i] = f(from[i]); });
  });
  const sycl::host_accessor got(out, sycl::read_only);
  for (std::size_t i = 0; i < inputs.size(); i++)
    check(got[i] == f(inputs[i]), "%s of %#llx: expected %#llx, got %#llx", what,
          static_cast<unsigned long long>(inputs[i]), static_cast<unsigned long long>(f(inputs[i])),
          static_cast<unsigned long long>(got[i]));
}

const std::vector<std::uint64_t> edges = {0,           1,           2,           7,           0xFFFFFFFE, 0xFFFFFFFF,
                                          0x100000000, 0x100000001, 0x1FFFFFFFF, 0x123456789, ~0ull - 1,  ~0ull};

}  // namespace

PROMISE(sizes, are_those_of_the_host) {
  sycl::queue queue;
  sycl::buffer<std::size_t> sizes{sycl::range<1>(8)};
  queue.submit([&](sycl::handler &h) {
    const sycl::accessor to(sizes, h, sycl::write_only);
    h.single_task([=] {
      to[0] = sizeof(std::size_t);
      to[1] = sizeof(void *);
      to[2] = sizeof(long);
      to[3] = sizeof(row);
      to[4] = offsetof(row, other);
      to[5] = sizeof(node);
      to[6] = alignof(row);
      to[7] = sizeof(std::ptrdiff_t);
    });
  });
  const std::size_t expected[] = {sizeof(std::size_t),  sizeof(void *), sizeof(long), sizeof(row),
                                  offsetof(row, other), sizeof(node),   alignof(row), sizeof(std::ptrdiff_t)};
  const sycl::host_accessor got(sizes, sycl::read_only);
  for (std::size_t i = 0; i < 8; i++)
    check(got[i] == expected[i], "%zu: expected %zu, got %zu", i, expected[i], got[i]);
}

PROMISE(sizes, beyond_32_bits_are_captured) {
  sycl::queue queue;
  const std::size_t big = (std::size_t(1) << 40) + 5;
  const std::ptrdiff_t negative = -(std::ptrdiff_t(1) << 40);
  const std::array<std::size_t, 3> several = {big, 2 * big, 3 * big};
  std::size_t *out = sycl::malloc_device<std::size_t>(4, queue), got[4];
  queue.single_task([=] {
    out[0] = big;
    out[1] = static_cast<std::size_t>(negative);
    out[2] = several[2] - several[1];
    out[3] = several.size();
  });
  queue.memcpy(got, out, sizeof got).wait();
  check(got[0] == big && got[1] == static_cast<std::size_t>(negative) && got[2] == big && got[3] == 3,
        "%#zx %#zx %#zx %zu", got[0], got[1], got[2], got[3]);
  sycl::free(out, queue);
}

// A list that the host has made is walked by the device, and one that the device has made by the host.
PROMISE(sizes, of_pointers_in_shared_memory_are_the_same) {
  sycl::queue queue;
  constexpr int count = 16;
  node *nodes = sycl::malloc_shared<node>(count, queue);
  int *sum = sycl::malloc_shared<int>(1, queue);
  for (int i = 0; i < count; i++)
    nodes[i] = {i * i, i + 1 < count ? &nodes[i + 1] : nullptr, 0};
  queue
      .single_task([=] {
        std::size_t position = 0;
        *sum = 0;
        for (node *at = nodes; at; at = at->next) {
          *sum += at->value;
          at->position = position++;
        }
        // The other way round.
        node *before = nullptr;
        for (node *at = nodes; at;) {
          node *const next = at->next;
          at->next = before;
          before = at;
          at = next;
        }
      })
      .wait();
  check(*sum == 1240, "sum %d", *sum);
  int expected = count - 1;
  for (const node *at = &nodes[count - 1]; at; at = at->next, expected--)
    check(at == &nodes[expected] && at->position == static_cast<std::size_t>(expected), "node %d", expected);
  check(expected == -1, "the list ends at %d", expected);
  sycl::free(nodes, queue);
  sycl::free(sum, queue);
}

// Structures with pointers in device memory, copied, passed by value and returned.
__attribute__((noinline)) row swapped(row r, row *other) {
  const row before = *other;
  *other = r;
  return before;
}

PROMISE(sizes, of_structures_with_pointers_are_the_same) {
  sycl::queue queue;
  float *values = sycl::malloc_device<float>(8, queue);
  row *rows = sycl::malloc_device<row>(4, queue);
  std::vector<row> host(4);
  for (std::size_t i = 0; i < 4; i++)
    host[i] = {values + 2 * i, 2, {'a', static_cast<char>('0' + i), 0}, i == 0 ? nullptr : rows + i - 1};
  queue.memcpy(rows, host.data(), 4 * sizeof(row));
  std::size_t *counts = sycl::malloc_device<std::size_t>(4, queue), got[4];
  queue.parallel_for(4, [=](sycl::id<1> i) {
    for (std::size_t k = 0; k < rows[i].count; k++)
      rows[i].values[k] = static_cast<float>(10 * i + k);
    row mine = rows[i];
    row twin = {nullptr, 40, "x", &mine};
    row was = swapped(mine, &twin);
    counts[i] = was.count + twin.count + (was.other == &mine ? 100 : 0) + (twin.other == rows + i - 1 ? 1000 : 0) +
                static_cast<std::size_t>(words[i % 3][i]);
  });
  float floats[8];
  queue.memcpy(floats, values, sizeof floats);
  queue.memcpy(got, counts, sizeof got).wait();
  for (std::size_t i = 0; i < 4; i++) {
    check(floats[2 * i] == static_cast<float>(10 * i) && floats[2 * i + 1] == static_cast<float>(10 * i + 1),
          "row %zu: %g %g", i, floats[2 * i], floats[2 * i + 1]);
    const std::size_t expected = 142 + (i == 0 ? 0 : 1000) + static_cast<std::size_t>(words[i % 3][i]);
    check(got[i] == expected, "row %zu: expected %zu, got %zu", i, expected, got[i]);
  }
  for (void *p : {static_cast<void *>(values), static_cast<void *>(rows), static_cast<void *>(counts)})
    sycl::free(p, queue);
}

PROMISE(sizes, of_buffers_of_size_t_and_long_are_the_same) {
  sycl::queue queue;
  std::vector<std::size_t> sizes(8, 1);
  std::vector<std::pair<long, std::size_t>> pairs(8);
  {
    sycl::buffer a(sizes);
    sycl::buffer b(pairs);
    queue.submit([&](sycl::handler &h) {
      const sycl::accessor x(a, h);
      const sycl::accessor y(b, h, sycl::write_only);
      h.parallel_for(8, [=](sycl::item<1> i) {
        x[i] += i.get_linear_id() << 33;
        y[i].first = -static_cast<long>(i.get_linear_id());
        y[i].second = i.get_range(0);
      });
    });
  }
  for (std::size_t i = 0; i < 8; i++)
    check(sizes[i] == (i << 33) + 1 && pairs[i].first == -static_cast<long>(i) && pairs[i].second == 8,
          "%zu: %#zx, %ld, %zu", i, sizes[i], pairs[i].first, pairs[i].second);
}

PROMISE(sizes, of_structures_with_bit_fields_are_the_same) {
  sycl::queue queue;
  struct packed_row {
    struct {
      int low : 3, high : 4;
    } bits;
    std::int64_t wide[2];
  };
  packed_row *rows = sycl::malloc_device<packed_row>(8, queue), row_7;
  queue.parallel_for(8, [=](sycl::id<1> i) {
    rows[i].bits.high = static_cast<int>(i[0]) - 4;
    rows[i].wide[1] = static_cast<std::int64_t>(i[0]) << 40;
  });
  queue.memcpy(&row_7, rows + 7, sizeof row_7).wait();
  check(row_7.bits.high == 3 && row_7.wide[1] == std::int64_t(7) << 40, "%d %lld", row_7.bits.high,
        static_cast<long long>(row_7.wide[1]));
  sycl::free(rows, queue);
}

// The device link makes counters and quotients of 32 bits where they fit (hls/sycl/counters.c).
PROMISE(sizes, count_loops_as_the_host_does) {
  sycl::queue queue;
  same_on_both_sides("rounds up to 9", queue, edges, [](std::uint64_t n) {
    std::uint64_t rounds = 0;
    for (std::size_t k = 0; k < n && rounds < 9; k++)
      rounds++;
    return rounds;
  });
  same_on_both_sides("rounds from the number up to 9 more", queue, edges, [](std::uint64_t n) {
    std::uint64_t rounds = 0;
    for (std::size_t k = n; k < n + 9; k++)
      rounds += k;
    return rounds;
  });
  same_on_both_sides("rounds by three, including the end", queue, edges, [](std::uint64_t n) {
    std::uint64_t rounds = 1;
    for (std::size_t k = n % 5; k <= n; k += 3) {
      if (rounds > 1000)
        break;
      rounds = rounds * 7 + k;
    }
    return rounds;
  });
  same_on_both_sides("rounds until not equal", queue, edges, [](std::uint64_t n) {
    std::uint64_t rounds = 1;
    for (std::size_t k = 0; k != n; k++) {
      if (k == 11)
        return ~k;
      rounds = rounds * 5 + k;
    }
    return rounds;
  });
  same_on_both_sides("nested rounds", queue, edges, [](std::uint64_t n) {
    std::uint64_t sum = 0;
    const std::size_t end = n % 6;
    for (std::size_t k = 0; k < end; k++) {
      for (std::size_t j = k; j < end; j += k + 1) {
        if (j % 2 != 0)
          continue;
        sum += j * end + k;
      }
    }
    return sum;
  });
  same_on_both_sides("halves", queue, edges, [](std::uint64_t n) {
    std::uint64_t sum = 0;
    for (std::size_t k = n & 0xFFFFFFFF; k > 0; k /= 2)
      sum = sum * 3 + k;
    return sum;
  });
  same_on_both_sides("rounds while counting in the test", queue, edges, [](std::uint64_t n) {
    std::size_t k = n & 0xFFFFFFFF;
    std::uint64_t sum = 0;
    while (k++ < n)
      if (++sum == 5)
        break;
    return sum + k;
  });
  same_on_both_sides("rounds beyond 32 bits", queue, edges, [](std::uint64_t n) {
    std::uint64_t sum = 0;
    for (std::size_t k = 0xFFFFFFFD; k < 0x100000004 + n % 3; k++)
      sum = sum * 3 + k;
    return sum;
  });
}

PROMISE(sizes, divide_as_the_host_does) {
  sycl::queue queue;
  for (std::uint64_t by : {1ull, 3ull, 0xFFFFFFFEull, 0xFFFFFFFFull, 0x100000000ull, 0x100000003ull, ~0ull}) {
    same_on_both_sides("what fits, divided", queue, edges, [=](std::uint64_t n) {
      const std::size_t small = n & 0xFFFFFFFF;
      return small / by * 31 + small % by;
    });
    same_on_both_sides("the number, divided", queue, edges,
                       [=](std::uint64_t n) { return n / by * 31 + n % by + (n % 1000) / (by % 7 + 1); });
  }
}
