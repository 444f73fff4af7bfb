// SPDX-License-Identifier: Apache-2.0
// Pipes between kernels, as Intel's extension for FPGAs describes them: a pipe is a type, packets come in the order in
// which they were written, a read waits for one, and what does not wait says whether it has done it.
#include <numeric>
#include <sycl/ext/intel/fpga_extensions.hpp>

#include "tests/sycl/suite.hpp"

namespace {

constexpr int packets = 40;

struct point {
  int x;
  double y;
  char name;
};

// Packets of one, of several words and of a few bytes; names in namespaces, of incomplete and of no named types.
namespace names {
class numbers;
}
template <int N>
struct numbered;
using numbers = sycl::ext::intel::pipe<names::numbers, int, 4>;
using points = sycl::ext::intel::pipe<class points_of_a_kernel, point, 2>;
using letters = sycl::ext::intel::pipe<numbered<1>, char, 0>;
using more_letters = sycl::ext::intel::experimental::pipe<numbered<2>, char, 8>;
static_assert(std::is_same_v<points::value_type, point> && points::min_capacity == 2);

// A function of the user's, which gets the pipe as a type.
template <typename Pipe>
void send_all(const int *from, int count) {
  for (int i = 0; i < count; i++)
    Pipe::write(static_cast<typename Pipe::value_type>(from[i]));
}

std::vector<int> inputs() {
  std::vector<int> in(packets);
  for (int i = 0; i < packets; i++)
    in[i] = i * i % 101 - 7;
  return in;
}

// Three kernels with two pipes between them, submitted in an order: 0 writes, 1 is in the middle, 2 reads.
std::vector<double> through_three_kernels(const std::vector<int> &in, std::initializer_list<int> order) {
  std::vector<double> out(packets);
  sycl::queue queue;
  sycl::buffer<int> from(in);
  sycl::buffer<double> to(out);
  for (int kernel : order) {
    queue.submit([&](sycl::handler &h) {
      if (kernel == 0) {
        const sycl::accessor x(from, h, sycl::read_only);
        h.single_task<class of_three_first>([=] { send_all<numbers>(&x[0], packets); });
      } else if (kernel == 1) {
        h.single_task<class of_three_second>([=] {
          for (int i = 0; i < packets; i++) {
            const int number = numbers::read();
            points::write({number, number * 0.25, static_cast<char>('a' + i % 26)});
          }
        });
      } else {
        const sycl::accessor y(to, h, sycl::write_only, sycl::no_init);
        h.single_task<class of_three_third>([=] {
          for (int i = 0; i < packets; i++) {
            const point p = points::read();
            y[i] = p.x + p.y + p.name * 1000;
          }
        });
      }
    });
  }
  queue.wait_and_throw();
  const sycl::host_accessor result(to, sycl::read_only);
  return {result.begin(), result.end()};
}

void check_three(std::initializer_list<int> order) {
  const std::vector<int> in = inputs();
  const std::vector<double> out = through_three_kernels(in, order);
  for (int i = 0; i < packets; i++) {
    const double wanted = in[i] + in[i] * 0.25 + ('a' + i % 26) * 1000;
    check(out[i] == wanted, "%d: %g, not %g", i, out[i], wanted);
  }
}

}  // namespace

PROMISE(pipes, packets_come_in_the_order_in_which_they_were_written) {
  check_three({0, 1, 2});
}

PROMISE(pipes, a_kernel_that_reads_may_be_submitted_before_the_one_that_writes) {
  check_three({2, 1, 0});
}

PROMISE(pipes, kernels_may_be_submitted_in_any_order) {
  check_three({1, 0, 2});
}

PROMISE(pipes, two_pipes_of_one_form_are_two) {
  sycl::queue queue;
  char *const out = sycl::malloc_shared<char>(2, queue);
  queue.single_task([=] {
    letters::write('a');
    more_letters::write('b');
  });
  queue.single_task([=] {
    out[0] = more_letters::read();
    out[1] = letters::read();
  });
  queue.wait_and_throw();
  check(out[0] == 'b' && out[1] == 'a', "%c and %c, not b and a", out[0], out[1]);
  sycl::free(out, queue);
}

PROMISE(pipes, packets_that_are_left_wait_for_a_later_kernel_and_then_there_are_none) {
  using pipe = sycl::ext::intel::pipe<class left, unsigned short, 3>;
  sycl::queue queue;
  struct results {
    bool was_written, was_there[4];
    unsigned short packet[4];
  };
  results *const out = sycl::malloc_shared<results>(1, queue);
  *out = {};
  queue.single_task<class leaves_three>([=] {
    pipe::write(1);
    pipe::write(2, out->was_written);
    pipe::write(3);
  });
  queue.wait_and_throw();
  for (int i = 0; i < 4; i++) {
    queue.single_task<class takes_one>([=] { out->packet[i] = pipe::read(out->was_there[i]); });
    queue.wait_and_throw();
    check(out->was_there[i] == (i < 3), "packet %d: %s", i, out->was_there[i] ? "there" : "not there");
    check(i == 3 || out->packet[i] == i + 1, "packet %d is %d", i, out->packet[i]);
  }
  check(out->was_written, "a packet found no room");
  sycl::free(out, queue);
}

PROMISE(pipes, commands_between_do_not_part_them_and_those_that_wait_see_what_they_did) {
  using pipe = sycl::ext::intel::pipe<class parted, int, 1>;
  const std::vector<int> in = inputs();
  std::vector<int> result(packets);
  sycl::queue queue, another;
  int *const from = sycl::malloc_device<int>(packets, queue), *const to = sycl::malloc_device<int>(packets, queue);
  const sycl::event read = queue.single_task<class parted_reads>([=] {
    for (int i = 0; i < packets; i++)
      to[i] = pipe::read() * 2;
  });
  const sycl::event copied = another.memcpy(from, in.data(), packets * sizeof(int));
  queue.submit([&](sycl::handler &h) {
    h.depends_on(copied);
    h.single_task<class parted_writes>([=] { send_all<pipe>(from, packets); });
  });
  another.submit([&](sycl::handler &h) {
    h.depends_on(read);
    h.memcpy(result.data(), to, packets * sizeof(int));
  });
  another.wait_and_throw();
  queue.wait_and_throw();
  for (int i = 0; i < packets; i++)
    check(result[i] == in[i] * 2, "%d: %d, not %d", i, result[i], in[i] * 2);
  sycl::free(from, queue);
  sycl::free(to, queue);
}

PROMISE(pipes, a_host_task_between_them_does_not_part_them) {
  using pipe = sycl::ext::intel::pipe<class parted_by_host, int, 1>;
  sycl::queue queue;
  int *const packet = sycl::malloc_shared<int>(1, queue);
  bool has_run = false;
  queue.single_task<class before_host_reads>([=] { *packet = pipe::read(); });
  queue.submit([&](sycl::handler &h) { h.host_task([&] { has_run = true; }); });
  queue.single_task<class behind_host_writes>([] { pipe::write(9); });
  queue.wait_and_throw();
  check(has_run && *packet == 9, "the task %s, the packet is %d", has_run ? "ran" : "did not run", *packet);
  sycl::free(packet, queue);
}

PROMISE(pipes, kernels_of_a_queue_that_is_gone_have_run_when_the_other_end_comes) {
  using pipe = sycl::ext::intel::pipe<class of_gone_queue, int, 1>;
  {
    sycl::queue first;
    first.single_task<class gone_writes>([] { pipe::write(7); });
  }
  sycl::queue queue;
  int *const packet = sycl::malloc_shared<int>(1, queue);
  queue.single_task<class still_there_reads>([=] { *packet = pipe::read(); });
  queue.wait_and_throw();
  check(*packet == 7, "the packet is %d", *packet);
  sycl::free(packet, queue);
}

PROMISE(pipes, who_asks_for_a_buffer_or_an_event_lets_a_kernel_run_whose_other_end_never_comes) {
  using pipe = sycl::ext::intel::pipe<class lonely, int, 4>;
  const auto read_later = [](sycl::queue &q) {  // is in the program, and not submitted before
    int *const sum = sycl::malloc_shared<int>(1, q);
    q.single_task<class reads_later>([=] { *sum = pipe::read() + 10 * pipe::read(); });
    q.wait_and_throw();
    check(*sum == 43, "a sum of %d, not 43", *sum);
    sycl::free(sum, q);
  };
  sycl::queue queue;
  int numbers[2] = {};
  {
    sycl::buffer<int> of(numbers, 2);
    const sycl::event first = queue.submit([&](sycl::handler &h) {
      const sycl::accessor n(of, h);
      h.single_task<class writes_for_later>([=] {
        pipe::write(3);
        n[0]++;
      });
    });
    while (first.get_info<sycl::info::event::command_execution_status>() != sycl::info::event_command_status::complete)
      continue;
    queue.submit([&](sycl::handler &h) {
      const sycl::accessor n(of, h);
      h.single_task<class writes_more_for_later>([=] {
        pipe::write(4);
        n[1]++;
      });
    });
  }
  check(numbers[0] == 1 && numbers[1] == 1, "kernels ran %d and %d times", numbers[0], numbers[1]);
  read_later(queue);
}

PROMISE(pipes, work_items_of_a_range_share_the_packets_out) {
  using pipe = sycl::ext::intel::pipe<class shared_out, int, packets>;
  sycl::queue queue;
  int *const seen = sycl::malloc_shared<int>(packets, queue);
  std::fill(seen, seen + packets, 0);
  queue.parallel_for<class of_many_writes>(sycl::range<1>(packets),
                                           [=](sycl::id<1> i) { pipe::write(static_cast<int>(i)); });
  queue.parallel_for<class of_many_reads>(sycl::range<1>(packets), [=](sycl::id<1>) {
    const int packet = pipe::read();
    seen[packet] += 1;
  });
  queue.wait_and_throw();
  for (int i = 0; i < packets; i++)
    check(seen[i] == 1, "packet %d came %d times", i, seen[i]);
  sycl::free(seen, queue);
}

PROMISE(pipes, what_is_wrong_with_a_kernel_is_thrown_where_it_is_submitted) {
#ifndef __SYCL_DEVICE_ONLY__
  sycl::queue queue;
  int on_host = 0, *const pointer = &on_host;
  bool has_thrown = false;
  try {
    queue.single_task<class writes_wrong>([=] { sycl::ext::intel::pipe<class nobody_reads, int, 1>::write(*pointer); });
  } catch (const sycl::exception &e) {
    has_thrown = e.code() == sycl::errc::kernel_argument;
  }
  check(has_thrown, "a pointer to memory of the host was taken");
#else
  int *const pointer = nullptr;
  sycl::queue().single_task<class writes_wrong>(
      [=] { sycl::ext::intel::pipe<class nobody_reads, int, 1>::write(*pointer); });
#endif
}
