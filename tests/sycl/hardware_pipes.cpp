// SPDX-License-Identifier: Apache-2.0
// Pipes between kernels that are hardware: queues on the chip of a Verilated device without a programmable unit. What
// pipes do is in pipes.cpp.
#include <CL/cl.h>

#include <cstdlib>
#include <sycl/ext/intel/fpga_extensions.hpp>

#include "host/include/CL/cl_heddle.h"
#include "tests/sycl/hardware.hpp"

#ifndef __SYCL_DEVICE_ONLY__
// Before anything of OpenCL is asked.
static const int on_pipelines = setenv("HEDDLE_HARDWARE", DEVICE_OF_KERNELS ".so", 1),
                 with_budget = setenv("HEDDLE_BUDGET_CYCLES", "300000", 1);
#endif

namespace {

constexpr int packets = 500;
using raw = sycl::ext::intel::pipe<class raw_packets, int, 2>;
using scaled = sycl::ext::intel::pipe<class scaled_packets, float, 2>;

}  // namespace

// Two pipes of two packets each, between three kernels of which the last one comes first.
PROMISE(hardware_pipes, kernels_with_pipes_between_them_run_at_once) {
  sycl::queue queue;
  int *const in = sycl::malloc_shared<int>(packets, queue);
  float *const out = sycl::malloc_shared<float>(packets, queue);
  for (int i = 0; i < packets; i++)
    in[i] = i * i % 1009;
  sycl::event last = queue.single_task<class pipe_reads>([=] {
    for (int i = 0; i < packets; i++)
      out[i] = scaled::read() + 1;
  });
  queue.single_task<class pipe_between>([=] {
    for (int i = 0; i < packets; i++)
      scaled::write(static_cast<float>(raw::read()) * 0.5F);
  });
  queue.single_task<class pipe_writes>([=] {
    for (int i = 0; i < packets; i++)
      raw::write(in[i]);
  });
  queue.wait_and_throw();
  for (int i = 0; i < packets; i++)
    check(out[i] == static_cast<float>(in[i]) * 0.5F + 1, "%d: %g", i, static_cast<double>(out[i]));
  for (const char *kernel : {"pipe_reads", "pipe_between", "pipe_writes"})
    check_overlap(kernel, false);
  check(report_of("pipe_between").find("the next begins 1 cycle later") != std::string::npos, "rounds begin later: %s",
        report_of("pipe_between").c_str());
#ifndef __SYCL_DEVICE_ONLY__
  cl_ulong cycles = 0;
  check(clGetEventInfo(sycl::get_native<sycl::backend::opencl>(last)[0], CL_EVENT_CYCLES_HEDDLE, sizeof cycles, &cycles,
                       nullptr) == CL_SUCCESS,
        "an event has no cycles");
  // A store takes external memory two cycles, and the three dispatches are read first.
  check(cycles < 1000 + 2 * packets, "%llu cycles for %d packets", static_cast<unsigned long long>(cycles), packets);
#endif
  sycl::free(in, queue);
  sycl::free(out, queue);
}

// Two ways from the first kernel to the last.
PROMISE(hardware_pipes, ways_of_pipes_part_and_meet_again) {
  using whole = sycl::ext::intel::pipe<class whole_packets, int, 300>;
  using rest = sycl::ext::intel::pipe<class rest_packets, short, 4>;
  using squares = sycl::ext::intel::pipe<class square_packets, long, 4>;
  sycl::queue queue;
  long *const out = sycl::malloc_shared<long>(packets, queue);
  queue.single_task<class ways_meet>([=] {
    for (int i = 0; i < packets; i++)
      out[i] = squares::read() * 1000 + whole::read();
  });
  queue.single_task<class ways_part>([=] {
    for (int i = 0; i < packets; i++) {
      whole::write(i / 13);
      rest::write(static_cast<short>(i % 13));
    }
  });
  queue.single_task<class way_between>([=] {
    for (int i = 0; i < packets; i++) {
      const long x = rest::read();
      squares::write(x * x);
    }
  });
  queue.wait_and_throw();
  for (int i = 0; i < packets; i++)
    check(out[i] == static_cast<long>(i % 13) * (i % 13) * 1000 + i / 13, "%d: %ld", i, out[i]);
  for (const char *kernel : {"ways_part", "way_between", "ways_meet"})
    check_overlap(kernel, false);
  sycl::free(out, queue);
}

// Nobody writes the last packet: the device does not wait for ever, and what comes behind runs.
PROMISE(hardware_pipes, a_read_for_which_no_packet_comes_ends_by_the_budget) {
  using pipe = sycl::ext::intel::pipe<class short_of_packets, int, 4>;
  std::string said;
  sycl::queue queue(keep_in(said));
  int *const sum = sycl::malloc_shared<int>(1, queue);
  for (const int written : {3, 4}) {
    *sum = 0;
    queue.single_task<class writes_some>([=] {
      for (int i = 0; i < written; i++)
        pipe::write(i);
    });
    queue.single_task<class reads_four>([=] {
      for (int i = 0; i < 4; i++)
        *sum += pipe::read();
    });
    queue.wait_and_throw();
    if (written == 3)
      check(said.find("budget") != std::string::npos, "not the budget: %s", said.c_str());
  }
  check(*sum == 6, "a sum of %d", *sum);
  sycl::free(sum, queue);
}
