// SPDX-License-Identifier: Apache-2.0
// Accessors in all their forms (SYCL 2020, 4.7.6), parts of buffers, copies and fills of accessors, host tasks, and
// memory that host and device share.
#include <algorithm>
#include <array>
#include <cstring>
#include <list>
#include <memory>
#include <numeric>
#include <thread>

#include "tests/sycl/suite.hpp"

namespace {

template <typename F>
void expect_exception(sycl::errc code, const char *words, const F &action) {
  try {
    action();
  } catch (const sycl::exception &e) {
    check(e.code() == code && std::strstr(e.what(), words), "\"%s\" (%d), expected \"%s\"", e.what(), e.code().value(),
          words);
    return;
  }
  check(false, "nothing was thrown, expected \"%s\"", words);
}

std::vector<int> counted(int count) {
  std::vector<int> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

struct node {
  std::int32_t value, next;
};

}  // namespace

PROMISE(buffers, are_used_by_placeholders) {
  sycl::queue queue;
  std::vector<int> all = counted(8);
  {
    sycl::buffer buffer(all);
    sycl::accessor in(buffer, sycl::read_only);
    sycl::accessor both(buffer);
    using read_write =
        sycl::accessor<int, 1, sycl::access_mode::read_write, sycl::target::device, sycl::access::placeholder::true_t>;
    static_assert(std::is_same_v<decltype(both), read_write>);
    check(both.is_placeholder() && both.size() == 8 && both.byte_size() == 32, "a placeholder");
    for (int i = 0; i < 2; i++) {
      queue.submit([&](sycl::handler &h) {
        h.require(both);
        h.parallel_for<class OfPlaceholder>(8, [=](sycl::item<1> i) { both[i] += 100; });
      });
    }
    // SYCL 1.2.1's spelling, and two at once.
    sycl::accessor<int, 1, sycl::access::mode::write, sycl::access::target::global_buffer,
                   sycl::access::placeholder::true_t>
        out(buffer);
    queue.submit([&](sycl::handler &h) {
      h.require(out);
      h.require(in);
      h.single_task<class OfTwoPlaceholders>([=] { out[7] = in[6]; });
    });
    expect_exception(sycl::errc::kernel_argument, "handler::require", [&] {
      queue.submit([&](sycl::handler &h) { h.single_task<class NotTold>([=] { both[0] = 1; }); });
    });
  }
  check(all[0] == 200 && all[6] == 206 && all[7] == 206, "%d %d %d", all[0], all[6], all[7]);
}

// As SYCL 2020's guides for deduction say: elements are a container's value_type, which is never const.
PROMISE(buffers, are_deduced_of_containers_and_iterators) {
  const std::vector<int> all = counted(8);
  const std::array<float, 3> fixed = {1, 2, 3};
  std::array<float, 3> written = fixed;
  std::list<short> list = {4, 5};
  const std::allocator<int> of_int;
  const std::allocator<float> of_float;
  const int *const pointer = all.data();
  {
    sycl::buffer a{all}, with_allocator(all, of_int), of_a_part(all.begin(), all.begin() + 3),
        of_pointers(pointer, pointer + 2), of_a_pointer(pointer, sycl::range(4));
    sycl::buffer of_rows(pointer, sycl::range(2, 4), of_int);
    static_assert(std::is_same_v<decltype(a), sycl::buffer<int, 1>> &&
                  std::is_same_v<decltype(of_rows), sycl::buffer<int, 2>>);
    sycl::buffer b(fixed), c(written, sycl::property_list{}), d(written, of_float);
    sycl::buffer e(list.begin(), list.end());
    static_assert(std::is_same_v<decltype(b), sycl::buffer<float, 1>> &&
                  std::is_same_v<decltype(e), sycl::buffer<short, 1>>);
    const sycl::span<const int> read(all);
    sycl::buffer f(read);
    static_assert(std::is_same_v<decltype(f), sycl::buffer<int, 1>>);
    check(a.size() == 8 && with_allocator.size() == 8 && of_a_part.size() == 3 && of_pointers.size() == 2 &&
              of_a_pointer.size() == 4 && of_rows.size() == 8 && b.size() == 3 && d.size() == 3 && e.size() == 2 &&
              f.size() == 8,
          "sizes");
    sycl::queue().submit([&](sycl::handler &h) {
      sycl::accessor from(a, h);
      sycl::accessor to(c, h, sycl::read_write);
      h.parallel_for<class Deduced>(3, [=](sycl::item<1> i) {
        from[i] += 10;
        to[i] += static_cast<float>(from[i]);
      });
    });
    sycl::host_accessor changed(a);
    check(changed[1] == 11 && changed[7] == 7, "the buffer's copy: %d %d", changed[1], changed[7]);
  }
  check(all == counted(8) && written == std::array<float, 3>{11, 13, 15},
        "only a container that is not const is written");
}

PROMISE(buffers, that_the_host_has_no_memory_for_tell_so_by_their_code) {
  expect_exception(sycl::errc::memory_allocation, "140737488355328 bytes",
                   [] { sycl::buffer<int> large(sycl::range<1>(std::size_t(1) << 45)); });
  expect_exception(sycl::errc::memory_allocation, "bytes",
                   [] { sycl::buffer<int> wide(sycl::range<1>(std::size_t(1) << 62)); });  // more than 2^64
  expect_exception(sycl::errc::memory_allocation, "bytes",
                   [] { sycl::buffer<char, 3> deep(sycl::range<3>(std::size_t(1) << 32, std::size_t(1) << 32, 4)); });
  check(sycl::buffer<int, 2>(sycl::range<2>(std::size_t(1) << 63, 0)).size() == 0, "a buffer of no elements");
}

PROMISE(buffers, have_accessors_of_a_part) {
  sycl::queue queue;
  std::vector<int> row = counted(8), square = counted(30);
  {
    sycl::buffer<int> buffer(row);
    sycl::buffer<int, 2> rows(square.data(), sycl::range<2>(5, 6));
    queue.submit([&](sycl::handler &h) {
      sycl::accessor part(buffer, h, sycl::range<1>(4), sycl::id<1>(3), sycl::write_only, sycl::no_init);
      check(part.get_offset()[0] == 3 && part.get_range()[0] == 4, "what a part says");
      h.parallel_for<class OfPart>(part.get_range(), [=](sycl::id<1> i) { part[i] = static_cast<int>(i[0]) + 50; });
    });
    queue.submit([&](sycl::handler &h) {
      sycl::accessor part(rows, h, sycl::range<2>(2, 3), sycl::id<2>(1, 2));
      h.parallel_for<class OfPartOfRows>(part.get_range(), [=](sycl::item<2> i) {
        part[i] += 100;
        part[i[0]][i[1]] += 100;
        *(part.begin() + static_cast<std::ptrdiff_t>(i.get_linear_id())) += 100;
      });
    });
    {
      const sycl::host_accessor part(rows, sycl::range<2>(2, 3), sycl::id<2>(1, 2), sycl::read_only);
      check(part[0][0] == 308 && part[1][2] == 316 && part.size() == 6, "%d %d", part[0][0], part[1][2]);
      check(std::accumulate(part.begin(), part.end(), 0) == 308 + 309 + 310 + 314 + 315 + 316, "by iterators");
    }
    expect_exception(sycl::errc::invalid, "not inside",
                     [&] { sycl::host_accessor outside(buffer, sycl::range<1>(4), sycl::id<1>(5)); });
  }
  const std::vector<int> expected = {0, 1, 2, 50, 51, 52, 53, 7};
  check(row == expected, "row: %d %d %d %d", row[2], row[3], row[6], row[7]);
  for (int i = 0; i < 30; i++) {
    const bool is_inside = i / 6 >= 1 && i / 6 < 3 && i % 6 >= 2 && i % 6 < 5;
    check(square[static_cast<std::size_t>(i)] == i + (is_inside ? 300 : 0), "rows: element %d is %d", i,
          square[static_cast<std::size_t>(i)]);
  }
}

PROMISE(buffers, keep_what_a_writer_does_not_write) {
  sycl::queue queue;
  std::vector<int> all = counted(16);
  {
    sycl::buffer buffer(all);
    queue.submit([&](sycl::handler &h) {
      sycl::accessor a(buffer, h, sycl::write_only);
      h.parallel_for<class WritesSome>(4, [=](auto i) { a[3 * i] = -1; });
    });
    const sycl::host_accessor some(buffer, sycl::write_only);
    some[1] = -2;
  }
  for (int i = 0; i < 16; i++) {
    const int expected = i < 10 && i % 3 == 0 ? -1 : i == 1 ? -2 : i;
    check(all[static_cast<std::size_t>(i)] == expected, "element %d is %d", i, all[static_cast<std::size_t>(i)]);
  }
}

// What is submitted while the host holds a buffer goes on without the program's waiting, to the end of the process.
PROMISE(buffers, of_commands_that_are_deferred_tell_their_errors) {
  std::vector<std::string> told;
  sycl::queue queue(sycl::default_selector_v, [&](sycl::exception_list list) {
    for (const std::exception_ptr &each : list) {
      try {
        std::rethrow_exception(each);
      } catch (const std::exception &e) {
        told.push_back(e.what());
      }
    }
  });
  int *out = sycl::malloc_shared<int>(64, queue);
  std::vector<int> all = counted(8);
  sycl::buffer buffer(all);
  {
    const sycl::host_accessor held(buffer);
    queue.submit([&](sycl::handler &h) {
      sycl::accessor a(buffer, h);
      h.parallel_for<class DeferredWrong>(sycl::nd_range<1>(9, 8), [=](sycl::nd_item<1>) { a[0] = 1; });
    });
    // Many behind it, of two threads.
    std::thread other([&] {
      for (int i = 0; i < 10; i++)
        queue.parallel_for<class OfAnotherThread>(32, [=](sycl::id<1> n) { out[n] = static_cast<int>(n[0]); });
    });
    for (int i = 0; i < 10; i++) {
      queue.submit([&](sycl::handler &h) {
        sycl::accessor a(buffer, h);
        h.single_task<class OfThisThread>([=] { a[1] += 1; });
      });
    }
    other.join();
    held[1] = 100;
  }
  queue.wait_and_throw();
  check(told.size() == 1 && told[0].find("not a multiple") != std::string::npos, "%zu errors", told.size());
  check(out[31] == 31, "of the other thread: %d", out[31]);
  const sycl::host_accessor after(buffer);
  check(after[1] == 110 && after[0] == 0, "%d %d", after[0], after[1]);
  sycl::free(out, queue);
}

PROMISE(buffers, of_parts_share_their_memory) {
  sycl::queue queue;
  std::vector<int> all = counted(24);
  std::mutex mutex;
  auto shared = std::make_shared<int>(3);
  {
    sycl::buffer<int, 1> whole(all, {sycl::property::buffer::use_host_ptr(), sycl::property::buffer::use_mutex(mutex)});
    check(whole.has_property<sycl::property::buffer::use_host_ptr>() &&
              whole.get_property<sycl::property::buffer::use_mutex>().get_mutex_ptr() == &mutex,
          "properties");
    sycl::buffer<int, 1> part(whole, sycl::id<1>(5), sycl::range<1>(4));
    auto rows = whole.reinterpret<int>(sycl::range<2>(4, 6));
    auto halves = whole.reinterpret<std::uint16_t, 1>();
    check(part.is_sub_buffer() && !whole.is_sub_buffer() && halves.size() == 48, "what parts say");
    queue.submit([&](sycl::handler &h) {
      sycl::accessor a(part, h);
      h.parallel_for<class OfSubBuffer>(4, [=](auto i) { a[i] = -1; });
    });
    queue.submit([&](sycl::handler &h) {
      sycl::accessor a(rows, h);
      h.single_task<class OfRows>([=] { a[3][5] = a[0][5] - 1; });
    });
    expect_exception(sycl::errc::invalid, "without gaps",
                     [&] { sycl::buffer<int, 2>(rows, sycl::id<2>(0, 0), sycl::range<2>(2, 2)); });
    sycl::buffer<int, 1> kept(shared, sycl::range<1>(1));
    queue.submit([&](sycl::handler &h) {
      sycl::accessor a(kept, h);
      h.single_task<class OfSharedPointer>([=] { a[0] *= 7; });
    });
  }
  check(all[4] == 4 && all[5] == -1 && all[8] == -1 && all[9] == 9 && all[23] == -2, "%d %d %d %d %d", all[4], all[5],
        all[8], all[9], all[23]);
  check(*shared == 21, "of a shared_ptr: %d", *shared);
}

PROMISE(buffers, are_copied_and_filled_by_accessors) {
  sycl::queue queue;
  std::vector<int> from = counted(12), to(12, 0), own(12, 1);
  sycl::buffer<int, 2> buffer(sycl::range<2>(3, 4)), other(sycl::range<2>(3, 4));
  sycl::buffer<int> users(own.data(), sycl::range<1>(12));
  queue.submit([&](sycl::handler &h) {
    sycl::accessor all(buffer, h, sycl::write_only);
    h.copy(from.data(), all);
  });
  queue.submit([&](sycl::handler &h) {
    sycl::accessor all(buffer, h);
    h.parallel_for<class OnCopied>(buffer.get_range(), [=](sycl::id<2> i) { all[i] *= 2; });
  });
  queue.submit([&](sycl::handler &h) {
    sycl::accessor a(buffer, h, sycl::read_only);
    sycl::accessor b(other, h, sycl::write_only);
    h.copy(a, b);
  });
  queue.submit([&](sycl::handler &h) {
    sycl::accessor a(other, h, sycl::range<2>(2, 2), sycl::id<2>(1, 1));
    h.fill(a, -3);
  });
  queue.submit([&](sycl::handler &h) {
    sycl::accessor a(other, h, sycl::read_only);
    h.copy(a, to.data());
  });
  queue.submit([&](sycl::handler &h) {
    sycl::accessor a(users, h);
    h.parallel_for<class OnUsers>(12, [=](auto i) { a[i] += 4; });
  });
  queue.submit([&](sycl::handler &h) {
    sycl::accessor a(users, h);
    h.update_host(a);
  });
  queue.wait_and_throw();
  for (int i = 0; i < 12; i++) {
    const bool is_filled = i / 4 >= 1 && i % 4 >= 1 && i % 4 < 3;
    check(to[static_cast<std::size_t>(i)] == (is_filled ? -3 : 2 * i), "element %d is %d", i,
          to[static_cast<std::size_t>(i)]);
    check(own[static_cast<std::size_t>(i)] == 5, "update_host: %d", own[static_cast<std::size_t>(i)]);
  }
}

PROMISE(buffers, have_pointers_that_know_their_memory) {
  sycl::queue queue;
  std::vector<int> all = counted(8);
  {
    sycl::buffer buffer(all);
    queue.submit([&](sycl::handler &h) {
      sycl::accessor a(buffer, h);
      sycl::accessor<int, 1, sycl::access::mode::read_write, sycl::access::target::local> old(sycl::range<1>(8), h);
      sycl::local_accessor<int, 0> one(h);
      h.parallel_for<class OfPointers>(sycl::nd_range<1>(8, 8), [=](sycl::nd_item<1> item) {
        const std::size_t i = item.get_local_id(0);
        sycl::multi_ptr<int, sycl::access::address_space::global_space, sycl::access::decorated::yes> decorated =
            a.get_multi_ptr<sycl::access::decorated::yes>();
        sycl::global_ptr<int> global(a);
        sycl::local_ptr<int> local = old.get_pointer();
        int *raw = a.get_pointer();
        auto cast =
            sycl::address_space_cast<sycl::access::address_space::global_space, sycl::access::decorated::no>(raw);
        static_assert(std::is_same_v<decltype(cast), sycl::raw_global_ptr<int>>);
        local[i] = global[i] + decorated.get()[i] + *(cast + i) + raw[i];
        if (i == 0)
          one = 1000;
        sycl::group_barrier(item.get_group());
        const sycl::multi_ptr<const int, sycl::access::address_space::generic_space> generic = local;
        a[i] = generic[7 - i] + one;
      });
    });
  }
  for (int i = 0; i < 8; i++)
    check(all[static_cast<std::size_t>(i)] == 1000 + 4 * (7 - i), "element %d is %d", i,
          all[static_cast<std::size_t>(i)]);
}

PROMISE(buffers, are_used_by_host_tasks) {
  std::vector<std::string> told;
  sycl::queue queue(sycl::default_selector_v, [&](sycl::exception_list list) {
    for (const std::exception_ptr &each : list) {
      try {
        std::rethrow_exception(each);
      } catch (const std::exception &e) {
        told.push_back(e.what());
      }
    }
  });
  std::vector<int> all = counted(8);
  const std::thread::id here = std::this_thread::get_id();
  std::thread::id there;
  int seen = 0;
  {
    sycl::buffer buffer(all);
    const auto add = [&](int value) {
      return queue.submit([&](sycl::handler &h) {
        sycl::accessor a(buffer, h);
        h.parallel_for<class OfHostTasks>(8, [=](auto i) { a[i] += value; });
      });
    };
    add(10);
    queue.submit([&](sycl::handler &h) {
      sycl::accessor a(buffer, h, sycl::read_write_host_task);
      int *out = &seen;
      std::thread::id *id = &there;
      h.host_task([=] {
        *out = a[7];
        a[0] = -100;
        *id = std::this_thread::get_id();
      });
    });
    sycl::event last = add(1);
    last.wait();
    check(seen == 17 && there != here, "the task saw %d", seen);
    queue.submit([&](sycl::handler &h) { h.host_task([] { throw std::runtime_error("in a host task"); }); });
    queue.wait_and_throw();
    check(told.size() == 1 && told[0] == "in a host task", "%zu errors", told.size());
  }
  check(all[0] == -99 && all[7] == 18, "%d %d", all[0], all[7]);
}

PROMISE(buffers, are_not_needed_by_memory_that_host_and_device_share) {
  sycl::queue queue;
  int *shared = sycl::malloc_shared<int>(3000, queue), *other = sycl::malloc_host<int>(16, queue);
  check(sycl::get_pointer_type(shared, queue.get_context()) == sycl::usm::alloc::shared &&
            sycl::get_pointer_type(other + 3, queue.get_context()) == sycl::usm::alloc::host,
        "kinds of pointers");
  for (int i = 0; i < 3000; i++)
    shared[i] = i;
  other[0] = 1000;
  sycl::event done = queue.parallel_for(3000, [=](sycl::id<1> i) {
    if (i % 100 == 0)
      shared[i] += other[0];
  });
  shared[1] = -1;  // another element than the kernel's
  done.wait();
  check(shared[0] == 1000 && shared[1] == -1 && shared[2900] == 3900 && shared[2999] == 2999, "%d %d %d %d", shared[0],
        shared[1], shared[2900], shared[2999]);
  // Bytes of the host and of the device in turn, in one place; and two queues, of which the other's is waited for last.
  sycl::queue second(queue.get_context(), queue.get_device());
  for (int i = 0; i < 64; i++)
    shared[i] = 0;
  sycl::event odd = queue.parallel_for(32, [=](sycl::id<1> i) { shared[2 * i + 1] = 5; });
  for (int i = 0; i < 64; i += 2)
    shared[i] = 7;
  sycl::event late = second.parallel_for(64, [=](sycl::id<1> i) { shared[100 + i] = static_cast<int>(1000 + i); });
  odd.wait();
  late.wait();
  for (int i = 0; i < 64; i++)
    check(shared[i] == (i % 2 == 1 ? 5 : 7) && shared[100 + i] == 1000 + i, "in turn: element %d is %d, %d", i,
          shared[i], shared[100 + i]);
  shared[1] = -1;
  // Several commands behind one another, fills and copies too.
  queue.single_task([=] { shared[0] = shared[1] * 5; });
  queue.single_task([=] { other[1] = shared[0] + 1; });
  queue.memcpy(other + 2, shared, sizeof *shared);
  queue.fill(other + 3, 9, 2);
  queue.memset(other + 5, 0xff, sizeof *other).wait();
  check(other[1] == -4 && other[2] == -5 && other[3] == 9 && other[4] == 9 && other[5] == -1, "%d %d %d %d %d",
        other[1], other[2], other[3], other[4], other[5]);
  std::vector<int, sycl::usm_allocator<int, sycl::usm::alloc::shared>> container(64, 2, {queue});
  int *elements = container.data();
  queue.parallel_for(64, [=](sycl::id<1> i) { elements[i] *= static_cast<int>(i[0]); }).wait();
  check(container[63] == 126, "in a container: %d", container[63]);
  // A list by numbers, as pointers in memory have other sizes.
  node *nodes = static_cast<node *>(sycl::malloc(4 * sizeof(node), queue, sycl::usm::alloc::shared));
  for (int i = 0; i < 4; i++)
    nodes[i] = {i * i, i - 1};
  queue.single_task([=] {
    int sum = 0;
    for (int i = 3; i >= 0; i = nodes[i].next)
      sum += nodes[i].value;
    nodes[0].value = sum;
  });
  queue.wait();
  check(nodes[0].value == 14, "list: %d", nodes[0].value);
  sycl::free(nodes, queue);
  sycl::free(other, queue);
  sycl::free(shared, queue);
  check(!sycl::malloc_shared<char>(std::size_t(1) << 33, queue), "8 GiB");
}

// They stand for the first element: in kernels, in local memory, of the host, as placeholders, of SYCL 1.2.1's kinds.
PROMISE(buffers, have_accessors_of_no_dimension) {
  sycl::queue queue;
  int one = 5, sum = 0, copied = 0;
  float real = 0;
  {
    sycl::buffer<int> a(&one, 1), s(&sum, 1);
    sycl::buffer<float> r(&real, 1);
    queue.submit([&](sycl::handler &h) {
      const sycl::accessor<int, 0, sycl::access_mode::read> x(a, h);
      const sycl::accessor<int, 0> y(s, h);
      const sycl::accessor<float, 0, sycl::access_mode::write> z(r, h, sycl::property::no_init{});
      const sycl::local_accessor<int, 0> l(h);
      h.parallel_for(sycl::nd_range<1>(8, 8), [=](sycl::nd_item<1> i) {
        if (i.get_local_id(0) == 3)
          l = x + 37, z = 2.5f;
        sycl::group_barrier(i.get_group());
        sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device>(y).fetch_add(l);
      });
    });
    queue.submit([&](sycl::handler &h) {
      const sycl::accessor<int, 0, sycl::access::mode::atomic, sycl::access::target::global_buffer> y(s, h);
      h.parallel_for(sycl::range<1>(4), [=](sycl::id<1>) {
        sycl::atomic<int> total = y;
        total.fetch_add(1000);
      });
    });
    {
      sycl::host_accessor<int, 0> y(s);
      check(y == 4336 && y.size() == 1 && y.get_pointer() == &*y.begin(), "of the host: %d", static_cast<int>(y));
      y = y + 10000;
    }
    check(s.get_access().is_placeholder() && s.get_access(sycl::read_only).is_placeholder(), "placeholders");
    const sycl::accessor<int, 0> y(s);
    check(y.is_placeholder() && y.byte_size() == 4 && !y.empty(), "a placeholder");
    queue.submit([&](sycl::handler &h) {
      h.require(y);
      h.single_task([=] {
        y = y + 100000;
        for (int &value : y)
          value++;
        *y.get_multi_ptr<sycl::access::decorated::no>() += 2;
      });
    });
    queue.submit([&](sycl::handler &h) {
      const sycl::accessor<int, 0, sycl::access_mode::read_write, sycl::target::host_task> z(s, h);
      h.host_task([=] { z = z + 1000000; });
    });
    queue.submit([&](sycl::handler &h) { h.copy(sycl::accessor<int, 0, sycl::access_mode::read>(s, h), &copied); });
    queue.wait_and_throw();
    const sycl::accessor<int, 0, sycl::access::mode::read, sycl::access::target::host_buffer> x(a);
    check(x == 5, "of SYCL 1.2.1's host: %d", static_cast<int>(x));
  }
  check(sum == 1114339 && copied == sum && real == 2.5f, "what is left: %d, %d, %g", sum, copied,
        static_cast<double>(real));
}

// Errors that the text has for accessors.
PROMISE(buffers, are_not_read_without_their_contents) {
  sycl::queue queue;
  sycl::buffer<int, 1> buffer(8);
  const char *no_contents = "property::no_init of an accessor that only reads";
  expect_exception(sycl::errc::invalid, no_contents,
                   [&] { sycl::host_accessor(buffer, sycl::read_only, sycl::no_init); });
  expect_exception(sycl::errc::invalid, no_contents, [&] {
    queue.submit([&](sycl::handler &h) { sycl::accessor(buffer, h, sycl::read_only, sycl::no_init); });
  });
  const char *no_groups = "has a local_accessor, but no work-groups";
  expect_exception(sycl::errc::kernel_argument, no_groups, [&] {
    queue.submit([&](sycl::handler &h) {
      sycl::local_accessor<int, 1> local(4, h);
      h.parallel_for(sycl::range<1>(8), [=](sycl::id<1> i) { local[0] = static_cast<int>(i[0]); });
    });
  });
  expect_exception(sycl::errc::kernel_argument, no_groups, [&] {
    queue.submit([&](sycl::handler &h) {
      sycl::local_accessor<int, 1> local(4, h);
      h.single_task([=] { local[0] = 1; });
    });
  });
}

// An accessor of constant elements reads, of a buffer whose elements are constant or not; others that read convert to
// it.
static int sum_of(const sycl::accessor<const int, 1> &a) {
  return a[0] + a[1];
}

PROMISE(buffers, have_accessors_of_constant_elements) {
  sycl::queue queue;
  std::vector<int> data = {3, 4}, from_shared = {0, 0};
  const std::vector<int> constant = {5, 6};
  sycl::buffer<int, 1> buffer(data.data(), 2);
  sycl::buffer<const int, 1> of_constants(constant.data(), sycl::range<1>(2));
  sycl::buffer<int, 1> result(3);
  queue.submit([&](sycl::handler &h) {
    const sycl::accessor<const int, 1> a(buffer, h);
    const sycl::accessor<const int, 1, sycl::access_mode::read> b(of_constants, h, sycl::read_only);
    const sycl::accessor<int, 1, sycl::access_mode::read_write> c(buffer, h);
    sycl::accessor to(result, h, sycl::write_only);
    static_assert(decltype(a)::mode == sycl::access_mode::read);
    h.single_task([=] { to[0] = sum_of(a), to[1] = sum_of(b), to[2] = sum_of(c); });
  });
  {
    const sycl::host_accessor<const int, 1> got(result);
    check(got[0] == 7 && got[1] == 11 && got[2] == 7, "got %d, %d and %d", got[0], got[1], got[2]);
  }
  // Copies of a queue to and from memory that is shared.
  std::shared_ptr<int> shared(from_shared.data(), [](int *) {});
  sycl::accessor read(buffer, sycl::read_only);
  sycl::accessor write(result, sycl::write_only);
  queue.copy(read, shared);
  queue.copy(shared, write);
  queue.wait();
  check(from_shared[0] == 3 && from_shared[1] == 4, "got %d and %d", from_shared[0], from_shared[1]);
}
