// SPDX-License-Identifier: Apache-2.0
// In the manner of samples for Intel's FPGAs: their selectors, attributes of kernels, loops and memories, registers,
// ways to load and store, and pipes. With HOST_PIPES one is written by the host, which is to be refused.
#include <cstdio>
#include <sycl/ext/intel/fpga_extensions.hpp>
#include <sycl/sycl.hpp>

#if FPGA_HARDWARE
static const auto selector = sycl::ext::intel::fpga_selector_v;
#elif FPGA_SIMULATOR
static const auto selector = sycl::ext::intel::fpga_simulator_selector_v;
#else
static const auto selector = sycl::ext::intel::fpga_emulator_selector_v;
#endif

static constexpr int N = 64;

class Add;
class Loops;
class Accesses;

static int tell(const char *name, bool right) {
  std::printf("%s: %s\n", name, right ? "right" : "wrong");
  return right ? 0 : 1;
}

static int add(sycl::queue &queue) {
  int *a = sycl::malloc_shared<int>(N, queue), *b = sycl::malloc_shared<int>(N, queue);
  int *c = sycl::malloc_shared<int>(N, queue);
  for (int i = 0; i < N; i++) {
    a[i] = i;
    b[i] = 2 * i;
  }
  queue
      .single_task<Add>([=]() [[intel::kernel_args_restrict]] {
        for (int i = 0; i < N; i++)
          c[i] = a[i] + b[i];
      })
      .wait();
  bool right = true;
  for (int i = 0; i < N; i++)
    right = right && c[i] == 3 * i;
  sycl::free(a, queue);
  sycl::free(b, queue);
  sycl::free(c, queue);
  return tell("vector add", right);
}

static int loops(sycl::queue &queue) {
  int *sum = sycl::malloc_shared<int>(1, queue);
  queue
      .single_task<Loops>([=]() [[intel::max_global_work_dim(0), intel::scheduler_target_fmax_mhz(480)]] {
        [[intel::fpga_memory("BLOCK_RAM"), intel::numbanks(2), intel::bankwidth(4)]] int kept[N];
        [[intel::fpga_register]] int s = 0;
        [[intel::initiation_interval(1)]] [[intel::ivdep]]
        for (int i = 0; i < N; i++)
          kept[i] = i;
#pragma unroll 4
        for (int i = 0; i < N; i++)
          s += sycl::ext::intel::fpga_reg(kept[i * 7 % N]);
        [[intel::loop_coalesce(2), intel::speculated_iterations(0)]]
        for (int i = 0; i < 2; i++)
          for (int j = 0; j < 3; j++)
            s += i * j;
        *sum = s;
      })
      .wait();
  const bool right = *sum == N * (N - 1) / 2 + 3;
  sycl::free(sum, queue);
  return tell("loops and memories", right);
}

static int accesses(sycl::queue &queue) {
  int in[N], out[N] = {};
  for (int i = 0; i < N; i++)
    in[i] = i + 1;
  {
    sycl::buffer from(in, sycl::range(N)), to(out, sycl::range(N));
    queue.submit([&](sycl::handler &h) {
      sycl::accessor reads(from, h, sycl::read_only);
      sycl::accessor writes(to, h, sycl::write_only, sycl::no_init);
      h.single_task<Accesses>([=] {
        using namespace sycl::ext::intel;
        using bursts = lsu<burst_coalesce<true>, statically_coalesce<false>>;
        const auto first = reads.get_multi_ptr<sycl::access::decorated::no>();
        const auto last = writes.get_multi_ptr<sycl::access::decorated::no>();
        for (int i = 0; i < N; i++)
          bursts::store(last + i, bursts::load(first + i) * 5);
      });
    });
  }
  bool right = true;
  for (int i = 0; i < N; i++)
    right = right && out[i] == 5 * (i + 1);
  return tell("loads and stores", right);
}

// A pipe through the middle, the reader first, in the manner of Intel's samples.
class SquarePipe;
using squares = sycl::ext::intel::pipe<SquarePipe, long, 8>;

static int pipes(sycl::queue &queue) {
  long sum = 0;
  {
    sycl::buffer<long> total(&sum, 1);
    queue.submit([&](sycl::handler &h) {
      sycl::accessor to(total, h, sycl::write_only, sycl::no_init);
      h.single_task<class Sum>([=]() [[intel::kernel_args_restrict]] {
        long all = 0;
        for (int i = 0; i < N; i++)
          all += squares::read();
        to[0] = all;
      });
    });
    queue.single_task<class Squares>([=] {
      for (long i = 0; i < N; i++) {
        bool is_written = false;
        do
          squares::write(i * i, is_written);
        while (!is_written);
      }
    });
  }
  return tell("pipes", sum == (N - 1L) * N * (2L * N - 1) / 6);
}

#ifdef HOST_PIPES
static void send(sycl::queue &queue) {
  squares::write(queue, 1L);
}
#endif

int main() {
  sycl::queue queue(selector, sycl::property::queue::enable_profiling{});
  sycl::queue other(sycl::ext::intel::fpga_selector{});
#ifdef HOST_PIPES
  send(other);
#endif
  return add(queue) + loops(other) + accesses(queue) + pipes(queue);
}
