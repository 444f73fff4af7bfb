// SPDX-License-Identifier: Apache-2.0
// A producer and a consumer kernel, with a pipe between them and with a buffer that goes by way of the host. The
// primes found are checked against the CPU's. On a device that has both as pipelines, the pipe is a queue on the chip
// and the kernels run at once: then both have the cycles of the whole.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/include/CL/cl_heddle.h"
#include "host/tools/client.h"

enum { FIRST = 1000000, COUNT = 4096 };

// What one form cost.
struct cost {
  struct figures sift, test;
  bool at_once;       // the two kernels ran as one, and both have its cycles
  size_t link_bytes;  // between the kernels
  size_t left;        // numbers that the first step left; 0: nobody on the host knows
};

struct example {
  struct session session;
  cl_program program;
  cl_mem primes, count;  // what the second step finds
};

static cl_mem buffer_of(const struct example *e, size_t bytes) {
  cl_int error;
  cl_mem made = clCreateBuffer(e->session.context, CL_MEM_READ_WRITE, bytes, NULL, &error);
  check(error, "clCreateBuffer");
  return made;
}

static cl_kernel kernel_of(const struct example *e, const char *name) {
  cl_int error;
  cl_kernel made = clCreateKernel(e->program, name, &error);
  check(error, "clCreateKernel");
  return made;
}

static cl_event enqueue(const struct example *e, cl_kernel kernel, size_t items) {
  cl_event event;
  check(clEnqueueNDRangeKernel(e->session.queue, kernel, 1, NULL, &items, NULL, 0, NULL, &event),
        "clEnqueueNDRangeKernel");
  return event;
}

static struct figures wait_for(const struct example *e, cl_event event, const char *what) {
  double seconds;
  if (wait_with_progress(event, what, PROGRESS_AUTO, &seconds) != CL_SUCCESS)
    die(EXIT_KERNEL_FAILED, "kernel %s failed", what);
  const struct figures figures = figures_of(e->session.device, event);
  check(clReleaseEvent(event), "clReleaseEvent");
  return figures;
}

static cl_ulong time_of(cl_event event, cl_profiling_info what) {
  cl_ulong time;
  check(clGetEventProfilingInfo(event, what, sizeof time, &time, NULL), "clGetEventProfilingInfo");
  return time;
}

static void set_results(const struct example *e, cl_kernel kernel) {
  const cl_uint zero = 0;
  check(clEnqueueFillBuffer(e->session.queue, e->count, &zero, sizeof zero, 0, sizeof zero, 0, NULL, NULL),
        "clEnqueueFillBuffer");
  check(clSetKernelArg(kernel, 1, sizeof e->primes, &e->primes), "clSetKernelArg");
  check(clSetKernelArg(kernel, 2, sizeof e->count, &e->count), "clSetKernelArg");
}

// Both kernels are enqueued at once: the host need not know how many numbers are left.
static struct cost with_pipe(const struct example *e) {
  const cl_uint first = FIRST;
  cl_int error;
  cl_mem pipe = clCreatePipe(e->session.context, 0, sizeof(cl_uint), COUNT, NULL, &error);
  check(error, "clCreatePipe");
  cl_kernel sift = kernel_of(e, "sift"), test = kernel_of(e, "test");
  check(clSetKernelArg(sift, 0, sizeof first, &first), "clSetKernelArg");
  check(clSetKernelArg(sift, 1, sizeof pipe, &pipe), "clSetKernelArg");
  check(clSetKernelArg(test, 0, sizeof pipe, &pipe), "clSetKernelArg");
  set_results(e, test);
  cl_event sifted = enqueue(e, sift, COUNT);
  // As many work-items as a device holds at once; without programmable units, those of its pipeline.
  const cl_device_id device = e->session.device;
  const size_t units = (size_t)device_figure(device, CL_DEVICE_UNITS_HEDDLE);
  cl_event tested = enqueue(e, test,
                            (size_t)device_figure(device, CL_DEVICE_LANES_HEDDLE) *
                                device_figure(device, CL_DEVICE_SLOTS_HEDDLE) * (units != 0 ? units : 1));
  check(clRetainEvent(sifted), "clRetainEvent");
  check(clRetainEvent(tested), "clRetainEvent");
  struct cost cost = {.sift = wait_for(e, sifted, "sift"), .test = wait_for(e, tested, "test")};
  cost.at_once = time_of(tested, CL_PROFILING_COMMAND_START) < time_of(sifted, CL_PROFILING_COMMAND_END);
  check(clReleaseEvent(sifted), "clReleaseEvent");
  check(clReleaseEvent(tested), "clReleaseEvent");
  check(clReleaseKernel(sift), "clReleaseKernel");
  check(clReleaseKernel(test), "clReleaseKernel");
  check(clReleaseMemObject(pipe), "clReleaseMemObject");
  return cost;
}

// The host waits for the first kernel, packs what it left, and knows only then what to enqueue.
static struct cost with_buffer(const struct example *e) {
  const cl_uint first = FIRST;
  const cl_command_queue queue = e->session.queue;
  cl_uint *numbers = allocate(COUNT * sizeof *numbers);
  cl_mem buffer = buffer_of(e, COUNT * sizeof *numbers);
  cl_kernel sift = kernel_of(e, "sift_buffer"), test = kernel_of(e, "test_buffer");
  check(clSetKernelArg(sift, 0, sizeof first, &first), "clSetKernelArg");
  check(clSetKernelArg(sift, 1, sizeof buffer, &buffer), "clSetKernelArg");
  check(clSetKernelArg(test, 0, sizeof buffer, &buffer), "clSetKernelArg");
  set_results(e, test);
  struct cost cost = {.sift = wait_for(e, enqueue(e, sift, COUNT), "sift_buffer")};
  check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, COUNT * sizeof *numbers, numbers, 0, NULL, NULL),
        "clEnqueueReadBuffer");
  for (size_t i = 0; i < COUNT; i++)
    if (numbers[i] != 0)
      numbers[cost.left++] = numbers[i];
  check(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, cost.left * sizeof *numbers, numbers, 0, NULL, NULL),
        "clEnqueueWriteBuffer");
  cost.link_bytes = (COUNT + cost.left) * sizeof *numbers;
  cost.test = wait_for(e, enqueue(e, test, cost.left), "test_buffer");
  check(clReleaseKernel(sift), "clReleaseKernel");
  check(clReleaseKernel(test), "clReleaseKernel");
  check(clReleaseMemObject(buffer), "clReleaseMemObject");
  free(numbers);
  return cost;
}

static int ascending(const void *a, const void *b) {
  const cl_uint x = *(const cl_uint *)a, y = *(const cl_uint *)b;
  return (x > y) - (x < y);
}

// Whether the second step found each prime of the range once. It finds them in any order.
static bool all_found(const struct example *e) {
  cl_uint count = 0, *found = allocate(COUNT * sizeof *found);
  check(clEnqueueReadBuffer(e->session.queue, e->count, CL_TRUE, 0, sizeof count, &count, 0, NULL, NULL),
        "clEnqueueReadBuffer");
  check(clEnqueueReadBuffer(e->session.queue, e->primes, CL_TRUE, 0, COUNT * sizeof *found, found, 0, NULL, NULL),
        "clEnqueueReadBuffer");
  if (count <= COUNT)
    qsort(found, count, sizeof *found, ascending);
  cl_uint expected = 0;
  bool right = count <= COUNT;
  for (cl_uint n = FIRST; n < FIRST + COUNT; n++) {
    cl_uint divisor = 2;
    while (divisor * divisor <= n && n % divisor != 0)
      divisor++;
    if (divisor * divisor > n) {
      right = right && expected < count && found[expected] == n;
      expected++;
    }
  }
  free(found);
  return right && expected == count;
}

static bool report(const char *what, const struct example *e, const struct cost *cost) {
  char sift[32], test[32], both[32], bytes[32];
  const bool right = all_found(e);
  printf("%-8s %12s %12s %12s %16s   %s\n", what, grouped(cost->sift.cycles, sift), grouped(cost->test.cycles, test),
         grouped(cost->at_once ? cost->test.cycles : cost->sift.cycles + cost->test.cycles, both),
         byte_words(cost->link_bytes, bytes), right ? "all primes" : "NOT the primes");
  return right;
}

int main(int argc, char **argv) {
  program_name = "sift";
  static const char usage[] = "usage: sift [--device sim|model|NUMBER]";
  answer_help(argc, argv, usage);
  const char *device = NULL;
  if (argc == 3 && strcmp(argv[1], "--device") == 0)
    device = argv[2];
  else if (argc != 1)
    die(EXIT_USAGE, "%s", usage);

  struct example e = {.session = open_session(choose_device(device))};
  cl_bool has_pipes = CL_FALSE;
  check(clGetDeviceInfo(e.session.device, CL_DEVICE_PIPE_SUPPORT, sizeof has_pipes, &has_pipes, NULL),
        "clGetDeviceInfo");
  if (!has_pipes)
    die(EXIT_NO_DEVICE, "this device has no pipes: they need atomic instructions (A)");
  char *path = shared_file("sift.cl");
  size_t bytes;
  char *source = read_file(path, &bytes);
  e.program = build_program(&e.session, source, bytes, "-cl-std=CL3.0", path);
  e.primes = buffer_of(&e, COUNT * sizeof(cl_uint));
  e.count = buffer_of(&e, sizeof(cl_uint));

  char *name = device_text(e.session.device, CL_DEVICE_NAME), memory[96];
  printf("Primes among the %d numbers from %d on %s\nmemory: %s\n\n", COUNT, FIRST, name,
         memory_words(e.session.device, memory));
  printf("%-8s %12s %12s %12s %16s\n", "between", "sift, cycles", "test, cycles", "both", "over the link");
  struct cost cost = with_pipe(&e);
  bool right = report("pipe", &e, &cost);
  cost = with_buffer(&e);
  right = report("buffer", &e, &cost) && right;
  free(name);
  free(source);
  free(path);
  return right ? 0 : EXIT_KERNEL_FAILED;
}
