// SPDX-License-Identifier: Apache-2.0
// OpenCL programs whose kernels have pipes between them, on a Verilated device that has these kernels as chains: pipes
// are queues on the chip, and the kernels run at once. The same on the model, where the pipes are in memory. The device
// has no programmable unit, unless HEDDLE_CHAINS_DEVICE names another one.
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/include/CL/cl_heddle.h"

enum { SOURCE_BYTES = 8192, LOG_BYTES = 4096, FIRST = 100000, COUNT = 1500, WIDTH = 52, HEIGHT = 37, LIMIT = 60 };

#define OK(call) cr_assert_eq((call), CL_SUCCESS, #call)

// A device, a program on it, and what the context was told last.
struct session {
  const char *name;
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
  cl_program program;
  char told[2048], log[LOG_BYTES];
};

static void CL_CALLBACK tell(const char *text, const void *data, size_t bytes, void *user) {
  struct session *session = user;
  (void)data;
  (void)bytes;
  snprintf(session->told, sizeof session->told, "%s", text);
}

static cl_device_id device_named(const char *name) {
  cl_platform_id platform;
  cl_device_id devices[8];
  cl_uint count;
  char text[128];
  OK(clGetPlatformIDs(1, &platform, NULL));
  OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 8, devices, &count));
  for (cl_uint i = 0; i < count; i++) {
    OK(clGetDeviceInfo(devices[i], CL_DEVICE_NAME, sizeof text, text, NULL));
    if (strncmp(text, name, strlen(name)) == 0)
      return devices[i];
  }
  cr_assert_fail("there is no %s", name);
  return NULL;
}

static cl_command_queue queue_of(const struct session *session, cl_command_queue_properties properties) {
  cl_int error;
  const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties | CL_QUEUE_PROFILING_ENABLE, 0};
  cl_command_queue queue = clCreateCommandQueueWithProperties(session->context, session->device, list, &error);
  OK(error);
  return queue;
}

static void open_source(struct session *session, const char *name, const char *path) {
  static char source[SOURCE_BYTES];
  const char *text = source;
  cl_int error;
  memset(session, 0, sizeof *session);
  FILE *file = fopen(path, "r");
  cr_assert(file, "tests run in the top folder");
  fread(source, 1, sizeof source - 1, file);
  fclose(file);
  session->name = name;
  session->device = device_named(name);
  session->context = clCreateContext(NULL, 1, &session->device, tell, session, &error);
  OK(error);
  session->queue = queue_of(session, 0);
  session->program = clCreateProgramWithSource(session->context, 1, &text, NULL, &error);
  OK(error);
  error = clBuildProgram(session->program, 1, &session->device, "-cl-std=CL3.0", NULL, NULL);
  OK(clGetProgramBuildInfo(session->program, session->device, CL_PROGRAM_BUILD_LOG, LOG_BYTES, session->log, NULL));
  cr_assert_eq(error, CL_SUCCESS, "%s", session->log);
}

static void open_session(struct session *session, const char *name) {
  open_source(session, name, "tests/pipeline/chains.cl");
}

static void set_up(void) {
  const char *other = getenv("HEDDLE_CHAINS_DEVICE");
  setenv("HEDDLE_HARDWARE", other ? other : BUILD "/tests/pipeline/chains.so", 1);
}

// A kernel alone then has its pipe in memory.
static bool has_unit(const struct session *session) {
  return strstr(session->log, "and alone on the programmable unit");
}

TestSuite(chains, .init = set_up, .timeout = 120);

static const char *const devices[] = {"Heddle sim", "Heddle model"};

// ---- pieces

static cl_kernel kernel_of(const struct session *session, const char *name) {
  cl_int error;
  cl_kernel kernel = clCreateKernel(session->program, name, &error);
  OK(error);
  return kernel;
}

static void set_memory(cl_kernel kernel, cl_uint index, cl_mem memory) {
  OK(clSetKernelArg(kernel, index, sizeof memory, memory ? &memory : NULL));
}

static void set_number(cl_kernel kernel, cl_uint index, cl_uint number) {
  OK(clSetKernelArg(kernel, index, sizeof number, &number));
}

static cl_mem pipe_with(const struct session *session, cl_uint packet_bytes, cl_uint packets,
                        const cl_pipe_properties *properties) {
  cl_int error;
  cl_mem made = clCreatePipe(session->context, 0, packet_bytes, packets, properties, &error);
  OK(error);
  return made;
}

static cl_mem pipe_of(const struct session *session, cl_uint packet_bytes, cl_uint packets) {
  return pipe_with(session, packet_bytes, packets, NULL);
}

static cl_mem zeros(const struct session *session, size_t bytes) {
  cl_int error;
  cl_mem made = clCreateBuffer(session->context, CL_MEM_READ_WRITE, bytes, NULL, &error);
  const cl_uchar zero = 0;
  OK(error);
  OK(clEnqueueFillBuffer(session->queue, made, &zero, 1, 0, bytes, 0, NULL, NULL));
  OK(clFinish(session->queue));
  return made;
}

static void read_back(const struct session *session, cl_mem memory, void *to, size_t bytes) {
  OK(clEnqueueReadBuffer(session->queue, memory, CL_TRUE, 0, bytes, to, 0, NULL, NULL));
}

static cl_uint number_in(const struct session *session, cl_mem memory) {
  cl_uint number;
  read_back(session, memory, &number, sizeof number);
  return number;
}

static void enqueue(cl_command_queue queue, cl_kernel kernel, size_t items, cl_event *event) {
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, event));
}

static cl_int status_of(cl_event event) {
  cl_int status;
  OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  return status;
}

static cl_ulong time_of(cl_event event, cl_profiling_info what) {
  cl_ulong time;
  OK(clGetEventProfilingInfo(event, what, sizeof time, &time, NULL));
  return time;
}

// ---- sift and test

struct sift {
  cl_kernel sift, test;
  cl_mem pipe, primes, count, refused;
};

static struct sift open_sift(const struct session *session, cl_uint packets) {
  struct sift s = {.sift = kernel_of(session, "sift"),
                   .test = kernel_of(session, "test"),
                   .pipe = pipe_of(session, sizeof(cl_uint), packets),
                   .primes = zeros(session, COUNT * sizeof(cl_uint)),
                   .count = zeros(session, sizeof(cl_uint)),
                   .refused = zeros(session, sizeof(cl_uint))};
  set_number(s.sift, 0, FIRST);
  set_memory(s.sift, 1, s.pipe);
  set_memory(s.sift, 2, s.refused);
  set_memory(s.test, 0, s.pipe);
  set_memory(s.test, 1, s.primes);
  set_memory(s.test, 2, s.count);
  return s;
}

static int ascending(const void *a, const void *b) {
  const cl_uint x = *(const cl_uint *)a, y = *(const cl_uint *)b;
  return (x > y) - (x < y);
}

static bool is_prime(cl_uint n) {
  for (cl_uint divisor = 2; divisor * divisor <= n; divisor++)
    if (n % divisor == 0)
      return false;
  return true;
}

static void expect_primes(const struct session *session, const struct sift *s) {
  cl_uint found[COUNT], count = number_in(session, s->count), at = 0;
  cr_assert_leq(count, COUNT);
  read_back(session, s->primes, found, sizeof found);
  qsort(found, count, sizeof *found, ascending);
  for (cl_uint n = FIRST; n < FIRST + COUNT; n++) {
    if (!is_prime(n))
      continue;
    cr_assert(at < count && found[at] == n, "%s: %u is not there", session->name, n);
    at++;
  }
  cr_assert_eq(at, count, "%s: %u primes, not %u", session->name, count, at);
}

// Numbers that the first step leaves.
static cl_uint left(void) {
  cl_uint count = 0;
  for (cl_uint n = FIRST; n < FIRST + COUNT; n++)
    count += n % 2 && n % 3 && n % 5 && n % 7 && n % 11 && n % 13;
  return count;
}

Test(chains, two_kernels_with_a_pipe_between_them_run_at_once) {
  for (int d = 0; d < 2; d++) {
    struct session session;
    open_session(&session, devices[d]);
    const struct sift s = open_sift(&session, COUNT);
    cl_event sifted, tested;
    enqueue(session.queue, s.sift, COUNT, &sifted);
    enqueue(session.queue, s.test, 64, &tested);
    OK(clFinish(session.queue));
    cr_assert_eq(status_of(sifted), CL_COMPLETE, "%s", session.told);
    cr_assert_eq(status_of(tested), CL_COMPLETE, "%s", session.told);
    expect_primes(&session, &s);
    cr_assert_eq(number_in(&session, s.refused), 0);
    const bool at_once = time_of(tested, CL_PROFILING_COMMAND_START) < time_of(sifted, CL_PROFILING_COMMAND_END);
    cr_assert_eq(at_once, d == 0, "%s", session.name);
    // And again, with the same pipe.
    const cl_uint zero = 0;
    OK(clEnqueueFillBuffer(session.queue, s.count, &zero, sizeof zero, 0, sizeof zero, 0, NULL, NULL));
    enqueue(session.queue, s.sift, COUNT, NULL);
    enqueue(session.queue, s.test, 64, NULL);
    OK(clFinish(session.queue));
    expect_primes(&session, &s);
  }
}

// Memory that is slow, and gives little, presses back in both kernels.
Test(chains, what_is_found_is_the_same_whatever_memory_takes) {
  struct session session;
  setenv("HEDDLE_SIM_MEMORY_LATENCY", "330", 1);
  setenv("HEDDLE_SIM_MEMORY_INTERVAL", "47", 1);
  open_session(&session, devices[0]);
  const struct sift s = open_sift(&session, COUNT);
  static const size_t readers[] = {1, 3, 37, 64};
  for (size_t i = 0; i < sizeof readers / sizeof *readers; i++) {
    const cl_uint zero = 0;
    cl_event tested;
    OK(clEnqueueFillBuffer(session.queue, s.count, &zero, sizeof zero, 0, sizeof zero, 0, NULL, NULL));
    enqueue(session.queue, s.sift, COUNT, NULL);
    enqueue(session.queue, s.test, readers[i], &tested);
    OK(clFinish(session.queue));
    cr_assert_eq(status_of(tested), CL_COMPLETE, "%s", session.told);
    expect_primes(&session, &s);
  }
}

Test(chains, a_build_says_which_kernels_are_of_a_chain) {
  struct session session;
  open_session(&session, devices[0]);
  cr_assert(strstr(session.log, "Kernel sift runs on its pipeline with the other end of its pipe"), "%s", session.log);
}

// One after the other, a pipe takes no more than it has room for, although the reader makes room meanwhile.
Test(chains, a_pipe_that_is_too_small_refuses_as_many_packets_as_in_memory) {
  enum { PACKETS = 100 };
  for (int d = 0; d < 2; d++) {
    struct session session;
    open_session(&session, devices[d]);
    struct sift s = open_sift(&session, PACKETS);
    enqueue(session.queue, s.sift, COUNT, NULL);
    enqueue(session.queue, s.test, 64, NULL);
    OK(clFinish(session.queue));
    cr_assert_eq(number_in(&session, s.refused), left() - PACKETS, "%s: %u", session.name,
                 number_in(&session, s.refused));
  }
}

// In two queues nothing says that the reader waits for the writer: then a small pipe is enough.
Test(chains, in_two_queues_packets_that_were_read_make_room) {
  struct session session;
  open_session(&session, devices[0]);
  struct sift s = open_sift(&session, 5);
  cl_command_queue other = queue_of(&session, 0);
  cl_event tested;
  enqueue(session.queue, s.sift, COUNT, NULL);
  enqueue(other, s.test, 64, &tested);
  OK(clFlush(session.queue));
  OK(clFlush(other));
  OK(clWaitForEvents(1, &tested));
  OK(clFinish(session.queue));
  cr_assert_eq(number_in(&session, s.refused), 0);
  expect_primes(&session, &s);
}

// ---- three kernels

static int at(const cl_uchar *picture, int x, int y) {
  x = x < 0 ? 0 : x >= WIDTH ? WIDTH - 1 : x;
  y = y < 0 ? 0 : y >= HEIGHT ? HEIGHT - 1 : y;
  return picture[y * WIDTH + x];
}

static int edge(const cl_uchar *picture, int x, int y) {
  int gx = 0, gy = 0;
  for (int k = -1; k <= 1; k++) {
    gx += (k == 0 ? 2 : 1) * (at(picture, x + 1, y + k) - at(picture, x - 1, y + k));
    gy += (k == 0 ? 2 : 1) * (at(picture, x + k, y + 1) - at(picture, x + k, y - 1));
  }
  const int length = abs(gx) + abs(gy);
  return length > 255 ? 255 : length > LIMIT ? length : 0;
}

Test(chains, three_kernels_filter_a_picture_that_is_in_memory_before_and_behind_them_alone) {
  static cl_uchar picture[WIDTH * HEIGHT], result[WIDTH * HEIGHT];
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    picture[i] = (cl_uchar)(i * 2654435761u >> 27) + (i / WIDTH > 20 ? 90 : 0);
  for (int d = 0; d < 2; d++) {
    struct session session;
    cl_int error;
    open_session(&session, devices[d]);
    cl_mem from =
        clCreateBuffer(session.context, CL_MEM_COPY_HOST_PTR | CL_MEM_READ_ONLY, sizeof picture, picture, &error);
    OK(error);
    cl_mem to = zeros(&session, sizeof result), gradients = pipe_of(&session, 16, WIDTH * HEIGHT),
           values = pipe_of(&session, 8, WIDTH * HEIGHT);
    cl_kernel kernels[] = {kernel_of(&session, "gradients"), kernel_of(&session, "lengths"),
                           kernel_of(&session, "edges")};
    set_memory(kernels[0], 0, from);
    set_number(kernels[0], 1, WIDTH);
    set_number(kernels[0], 2, HEIGHT);
    set_memory(kernels[0], 3, gradients);
    set_memory(kernels[1], 0, gradients);
    set_memory(kernels[1], 1, values);
    set_memory(kernels[2], 0, values);
    set_memory(kernels[2], 1, to);
    set_number(kernels[2], 2, LIMIT);
    const size_t size[] = {WIDTH, HEIGHT};
    cl_event events[3];
    OK(clEnqueueNDRangeKernel(session.queue, kernels[0], 2, NULL, size, NULL, 0, NULL, &events[0]));
    enqueue(session.queue, kernels[1], WIDTH * HEIGHT, &events[1]);
    enqueue(session.queue, kernels[2], 32, &events[2]);
    OK(clFinish(session.queue));
    for (int k = 0; k < 3; k++)
      cr_assert_eq(status_of(events[k]), CL_COMPLETE, "%s: %d: %s", session.name, k, session.told);
    cr_assert_eq(time_of(events[2], CL_PROFILING_COMMAND_START) < time_of(events[0], CL_PROFILING_COMMAND_END), d == 0);
    read_back(&session, to, result, sizeof result);
    for (int y = 0; y < HEIGHT; y++)
      for (int x = 0; x < WIDTH; x++)
        cr_assert_eq(result[y * WIDTH + x], edge(picture, x, y), "%s: (%d, %d) is %d, not %d", session.name, x, y,
                     result[y * WIDTH + x], edge(picture, x, y));
  }
}

// ---- kernels with several pipes

static void open_forks(struct session *session, const char *name) {
  setenv("HEDDLE_HARDWARE", BUILD "/tests/pipeline/forks.so", 1);
  open_source(session, name, "tests/pipeline/forks.cl");
}

Test(chains, a_kernel_deals_to_two_others) {
  enum { ITEMS = 40, EACH = 25, ALL = ITEMS * EACH };
  cl_uint sum = 0, product = 0;
  for (cl_uint i = 0; i < ALL; i++) {
    sum += i % 2 == 0 ? i : 0;
    product ^= i % 2 == 0 ? 0 : i * i;
  }
  for (int d = 0; d < 2; d++)
    for (int first = 0; first < 2; first++) {
      struct session session;
      open_forks(&session, devices[d]);
      cl_kernel deal = kernel_of(&session, "deal"),
                readers[] = {kernel_of(&session, "of_evens"), kernel_of(&session, "of_odds")};
      cl_mem pipes[2], results[2];
      cl_event dealt, read;
      set_number(deal, 0, EACH);
      for (cl_uint i = 0; i < 2; i++) {
        pipes[i] = pipe_of(&session, sizeof(cl_uint), ALL / 2);
        results[i] = zeros(&session, sizeof(cl_uint));
        set_memory(deal, 1 + i, pipes[i]);
        set_memory(readers[i], 0, pipes[i]);
        set_memory(readers[i], 1, results[i]);
      }
      enqueue(session.queue, deal, ITEMS, &dealt);
      enqueue(session.queue, readers[first], 7, NULL);
      enqueue(session.queue, readers[1 - first], 16, &read);
      OK(clFinish(session.queue));
      cr_assert_eq(status_of(read), CL_COMPLETE, "%s", session.told);
      cr_assert_eq(time_of(read, CL_PROFILING_COMMAND_START) < time_of(dealt, CL_PROFILING_COMMAND_END), d == 0);
      cr_assert_eq(number_in(&session, results[0]), sum, "%s: %u", session.name, number_in(&session, results[0]));
      cr_assert_eq(number_in(&session, results[1]), product, "%s: %u", session.name, number_in(&session, results[1]));
    }
}

// Both of them come before the one that reads.
Test(chains, two_streams_become_one) {
  enum { COUNT_OF_EACH = 700 };
  static cl_uint words[COUNT_OF_EACH];
  static cl_ulong wide[COUNT_OF_EACH], sums[COUNT_OF_EACH];
  for (cl_uint i = 0; i < COUNT_OF_EACH; i++) {
    words[i] = i * 2654435761u;
    wide[i] = (cl_ulong)i * 0x9E3779B97F4A7C15u;
  }
  for (int d = 0; d < 2; d++) {
    struct session session;
    cl_int error;
    cl_event first, last;
    open_forks(&session, devices[d]);
    cl_kernel upwards = kernel_of(&session, "upwards"), downwards = kernel_of(&session, "downwards"),
              both = kernel_of(&session, "both");
    cl_mem left = pipe_of(&session, sizeof(cl_uint), COUNT_OF_EACH),
           right = pipe_of(&session, sizeof(cl_ulong), COUNT_OF_EACH), out = zeros(&session, sizeof sums);
    cl_mem narrow_words = clCreateBuffer(session.context, CL_MEM_COPY_HOST_PTR, sizeof words, words, &error);
    OK(error);
    cl_mem wide_words = clCreateBuffer(session.context, CL_MEM_COPY_HOST_PTR, sizeof wide, wide, &error);
    OK(error);
    set_memory(upwards, 0, narrow_words);
    set_memory(upwards, 1, left);
    set_memory(downwards, 0, wide_words);
    set_memory(downwards, 1, right);
    set_number(both, 0, COUNT_OF_EACH);
    set_memory(both, 1, left);
    set_memory(both, 2, right);
    set_memory(both, 3, out);
    enqueue(session.queue, upwards, COUNT_OF_EACH, &first);
    enqueue(session.queue, downwards, COUNT_OF_EACH, NULL);
    enqueue(session.queue, both, 1, &last);
    OK(clFinish(session.queue));
    cr_assert_eq(status_of(last), CL_COMPLETE, "%s", session.told);
    cr_assert_eq(time_of(last, CL_PROFILING_COMMAND_START) < time_of(first, CL_PROFILING_COMMAND_END), d == 0);
    read_back(&session, out, sums, sizeof sums);
    for (cl_uint i = 0; i < COUNT_OF_EACH; i++)
      cr_assert_eq(sums[i], words[i] + wide[COUNT_OF_EACH - 1 - i], "%s: sum %u is %lx", session.name, i,
                   (unsigned long)sums[i]);
  }
}

// One after the other it would find nothing.
Test(chains, a_reader_in_front_of_its_writer_does_not_run_with_it) {
  struct session session;
  cl_event tested, sifted;
  open_session(&session, devices[0]);
  const struct sift s = open_sift(&session, COUNT);
  enqueue(session.queue, s.test, 64, &tested);
  enqueue(session.queue, s.sift, COUNT, &sifted);
  OK(clFinish(session.queue));
  const cl_int expected = has_unit(&session) ? CL_COMPLETE : CL_INVALID_OPERATION;
  cr_assert_eq(status_of(tested), expected, "%d", status_of(tested));
  cr_assert_eq(status_of(sifted), expected, "%d", status_of(sifted));
  cr_assert_eq(number_in(&session, s.count), 0);
}

// A pipe is one between two kernels: as two it would be no queue.
Test(chains, kernels_with_one_pipe_twice_are_no_chain) {
  struct session session;
  cl_event last;
  open_forks(&session, devices[0]);
  cl_kernel deal = kernel_of(&session, "deal"),
            readers[] = {kernel_of(&session, "of_evens"), kernel_of(&session, "of_odds")};
  cl_mem pipe = pipe_of(&session, sizeof(cl_uint), 64);
  set_number(deal, 0, 3);
  for (cl_uint i = 0; i < 2; i++) {
    set_memory(deal, 1 + i, pipe);
    set_memory(readers[i], 0, pipe);
    set_memory(readers[i], 1, zeros(&session, sizeof(cl_uint)));
  }
  enqueue(session.queue, deal, 10, NULL);
  enqueue(session.queue, readers[0], 7, NULL);
  enqueue(session.queue, readers[1], 7, &last);
  OK(clFinish(session.queue));
  cr_assert_eq(status_of(last), CL_INVALID_OPERATION, "%d", status_of(last));
  cr_assert(strstr(session.told, "has one end"), "%s", session.told);
}

// ---- what goes wrong

static void expect_one_end(struct session *session, cl_kernel kernel, const char *pipe, const char *other) {
  cl_event event;
  session->told[0] = 0;
  enqueue(session->queue, kernel, 16, &event);
  OK(clFinish(session->queue));
  cr_assert_eq(status_of(event), CL_INVALID_OPERATION, "%d", status_of(event));
  cr_assert(strstr(session->told, pipe) && strstr(session->told, other), "%s", session->told);
}

Test(chains, a_pipe_with_one_end_says_which_kernel_is_missing_and_the_next_kernel_runs) {
  struct session session;
  open_session(&session, devices[0]);
  const struct sift s = open_sift(&session, COUNT);
  if (has_unit(&session))
    return;
  expect_one_end(&session, s.test, "its pipe 'numbers' has one end", "Enqueue that one right before it");
  expect_one_end(&session, s.sift, "kernel 'test' is the other", "Enqueue that one right behind it");
  enqueue(session.queue, s.sift, COUNT, NULL);
  enqueue(session.queue, s.test, 64, NULL);
  OK(clFinish(session.queue));
  expect_primes(&session, &s);
}

// Waiting in between, or another command, takes the chain apart.
Test(chains, beside_a_programmable_unit_a_kernel_alone_has_its_pipe_in_memory) {
  for (int d = 0; d < 2; d++) {
    struct session session;
    open_session(&session, devices[d]);
    const struct sift s = open_sift(&session, COUNT);
    cl_event tested;
    if (d == 0 && !has_unit(&session))
      continue;
    for (int way = 0; way < 3; way++) {
      const cl_uint zero = 0;
      OK(clEnqueueFillBuffer(session.queue, s.count, &zero, sizeof zero, 0, sizeof zero, 0, NULL, NULL));
      enqueue(session.queue, s.sift, COUNT, NULL);
      if (way == 0)
        OK(clFinish(session.queue));
      if (way == 1)
        OK(clEnqueueFillBuffer(session.queue, s.refused, &zero, sizeof zero, 0, sizeof zero, 0, NULL, NULL));
      enqueue(session.queue, s.test, 64, &tested);
      OK(clFinish(session.queue));
      cr_assert_eq(status_of(tested), CL_COMPLETE, "%s", session.told);
      expect_primes(&session, &s);
    }
  }
}

// Two pipes are none between two kernels.
Test(chains, kernels_with_different_pipes_are_no_chain) {
  struct session session;
  open_session(&session, devices[0]);
  const struct sift s = open_sift(&session, COUNT);
  cl_event sifted, tested;
  set_memory(s.test, 0, pipe_of(&session, sizeof(cl_uint), COUNT));
  enqueue(session.queue, s.sift, COUNT, &sifted);
  enqueue(session.queue, s.test, 64, &tested);
  OK(clFinish(session.queue));
  const cl_int expected = has_unit(&session) ? CL_COMPLETE : CL_INVALID_OPERATION;
  cr_assert_eq(status_of(sifted), expected);
  cr_assert_eq(status_of(tested), expected);
  cr_assert_eq(number_in(&session, s.count), 0);
}

Test(chains, a_fault_is_of_the_kernel_that_made_it) {
  struct session session;
  open_session(&session, devices[0]);
  cl_mem pipe = pipe_of(&session, sizeof(cl_uint), COUNT), sum = zeros(&session, sizeof(cl_uint));
  cl_kernel stray = kernel_of(&session, "stray"), collect = kernel_of(&session, "collect");
  cl_event wrote, collected;
  for (int i = 0; i < 2; i++) {
    const cl_uint wrong = i == 0 ? 70 : COUNT;  // the second time no work-item is wrong
    set_number(stray, 0, wrong);
    set_memory(stray, 1, pipe);
    set_memory(stray, 2, NULL);
    set_memory(collect, 0, pipe);
    set_memory(collect, 1, sum);
    set_number(collect, 2, 0);
    enqueue(session.queue, stray, 100, &wrote);
    enqueue(session.queue, collect, 8, &collected);
    OK(clFinish(session.queue));
    cr_assert_eq(status_of(wrote), i == 0 ? CL_EVENT_STATUS_FAULT_HEDDLE : CL_COMPLETE, "%d", status_of(wrote));
    cr_assert_eq(status_of(collected), i == 0 ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_COMPLETE);
    if (i == 0)
      cr_assert(strstr(session.told, "kernel 'stray': access to unmapped memory, program.cl:91, address 0x00000118"),
                "%s", session.told);
    if (i == 0) {
      const cl_uint zero = 0;
      OK(clEnqueueFillBuffer(session.queue, sum, &zero, sizeof zero, 0, sizeof zero, 0, NULL, NULL));
    }
  }
  cr_assert_eq(number_in(&session, sum), 99 * 100 / 2);
}

Test(chains, a_kernel_that_waits_for_ever_is_stopped_and_the_next_one_runs) {
  struct session session;
  setenv("HEDDLE_BUDGET_CYCLES", "100000", 1);
  open_session(&session, devices[0]);
  cl_mem pipe = pipe_of(&session, sizeof(cl_uint), COUNT), sum = zeros(&session, sizeof(cl_uint));
  cl_kernel stray = kernel_of(&session, "stray"), collect = kernel_of(&session, "collect");
  cl_event wrote, collected;
  set_number(stray, 0, COUNT);
  set_memory(stray, 1, pipe);
  set_memory(stray, 2, NULL);
  set_memory(collect, 0, pipe);
  set_memory(collect, 1, sum);
  for (cl_uint patience = 1; patience < 2; patience--) {
    set_number(collect, 2, patience);
    enqueue(session.queue, stray, 100, &wrote);
    enqueue(session.queue, collect, 8, &collected);
    OK(clFinish(session.queue));
    cr_assert_eq(status_of(wrote), patience ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_COMPLETE);
    cr_assert_eq(status_of(collected), patience ? CL_EVENT_STATUS_FAULT_HEDDLE : CL_COMPLETE, "%s", session.told);
  }
  cr_assert(strstr(session.told, "kernel 'collect': ") && strstr(session.told, "HEDDLE_BUDGET_CYCLES"), "%s",
            session.told);
  cr_assert_eq(number_in(&session, sum), 2 * 99 * 100 / 2);
}

// ---- more than the reader reads

Test(chains, packets_of_three_bytes_and_a_reader_that_leaves_some) {
  enum { WRITERS = 40, EACH = 9, READERS = 100 };
  for (int d = 0; d < 2; d++) {
    struct session session;
    open_session(&session, devices[d]);
    cl_mem pipe = pipe_of(&session, 3, WRITERS * EACH), refused = zeros(&session, sizeof(cl_uint)),
           seen = zeros(&session, WRITERS * EACH * sizeof(cl_uint)), wrong = zeros(&session, sizeof(cl_uint));
    cl_kernel many = kernel_of(&session, "many"), few = kernel_of(&session, "few");
    set_number(many, 0, EACH);
    set_memory(many, 1, pipe);
    set_memory(many, 2, refused);
    set_memory(few, 0, pipe);
    set_memory(few, 1, seen);
    set_memory(few, 2, wrong);
    enqueue(session.queue, many, WRITERS, NULL);
    enqueue(session.queue, few, READERS, NULL);
    OK(clFinish(session.queue));
    // What is left stays in the pipe, for the next one that reads it.
    if (d == 1 || has_unit(&session)) {
      cl_uint sum = 0, times[WRITERS * EACH];
      read_back(&session, seen, times, sizeof times);
      for (int i = 0; i < WRITERS * EACH; i++)
        sum += times[i];
      cr_assert_eq(sum, READERS, "%s: %u", session.name, sum);
      enqueue(session.queue, few, WRITERS * EACH, NULL);
      OK(clFinish(session.queue));
      read_back(&session, seen, times, sizeof times);
      for (int i = 0; i < WRITERS * EACH; i++)
        cr_assert_eq(times[i], 1, "%s: packet %d came %u times", session.name, i, times[i]);
      cr_assert_eq(number_in(&session, wrong), 0);
      // An empty pipe again.
      enqueue(session.queue, many, WRITERS, NULL);
      enqueue(session.queue, few, WRITERS * EACH, NULL);
      OK(clFinish(session.queue));
      read_back(&session, seen, times, sizeof times);
      for (int i = 0; i < WRITERS * EACH; i++)
        cr_assert_eq(times[i], 2, "%s: packet %d came %u times", session.name, i, times[i]);
      cr_assert_eq(number_in(&session, refused), 0);
      continue;
    }
    cl_uint times[WRITERS * EACH], sum = 0;
    read_back(&session, seen, times, sizeof times);
    for (int i = 0; i < WRITERS * EACH; i++) {
      cr_assert_leq(times[i], 1, "%s: packet %d came %u times", session.name, i, times[i]);
      sum += times[i];
    }
    cr_assert_eq(sum, READERS, "%s: %u", session.name, sum);
    cr_assert_eq(number_in(&session, refused), 0);
    cr_assert_eq(number_in(&session, wrong), 0);
  }
}

// ---- loops that wait at the pipe

static void expect_sums(const struct session *session, cl_uint packets, cl_command_queue sending,
                        const cl_pipe_properties *properties) {
  enum { PAIRS = 60 };
  cl_mem pipe = pipe_with(session, 16, packets, properties), sums = zeros(session, PAIRS / 2 * sizeof(cl_ulong));
  cl_kernel send = kernel_of(session, "send"), receive = kernel_of(session, "receive");
  cl_ulong found[PAIRS / 2], sum = 0;
  set_number(send, 0, PAIRS);
  set_memory(send, 1, pipe);
  set_number(receive, 0, PAIRS);
  set_memory(receive, 1, pipe);
  set_memory(receive, 2, sums);
  enqueue(sending, send, 1, NULL);
  enqueue(session->queue, receive, 1, NULL);
  OK(clFlush(sending));
  OK(clFinish(session->queue));
  read_back(session, sums, found, sizeof found);
  for (cl_ulong i = 0; i < PAIRS; i += 2) {
    sum = sum * 3 + (i * i << 20) + i + 1;
    cr_assert_eq(found[i / 2], sum, "%s, %u packets: sum %llu", session->name, packets, (unsigned long long)i / 2);
  }
}

Test(chains, loops_that_wait_for_room_and_for_packets_pass_all_on_in_order) {
  for (int d = 0; d < 2; d++) {
    struct session session;
    open_session(&session, devices[d]);
    expect_sums(&session, 60, session.queue, NULL);
    // Both are at work at once only where the pipe is on the chip, and they are in two queues or the pipe says so.
    if (d == 0 && !has_unit(&session)) {
      const cl_pipe_properties concurrent[] = {CL_PIPE_CONCURRENT_HEDDLE, CL_TRUE, 0};
      expect_sums(&session, 3, queue_of(&session, 0), NULL);
      expect_sums(&session, 1, session.queue, concurrent);
    }
  }
}

// ---- rounds that overlap

Test(chains, rounds_of_three_kernels_overlap_and_packets_keep_their_order) {
  enum { WORDS = 400, BROUGHT = WORDS - WORDS / 5 };
  cl_ulong cycles = 0;
  for (int d = 0; d < 2; d++) {
    struct session session;
    open_session(&session, devices[d]);
    cl_uint in[BROUGHT], out[WORDS], last[4] = {0}, total = 0;
    cl_mem words = pipe_of(&session, 4, WORDS), sums = pipe_of(&session, 4, WORDS), from = zeros(&session, sizeof in),
           to = zeros(&session, sizeof out);
    for (cl_uint i = 0; i < BROUGHT; i++)
      in[i] = i * 2654435761u >> 20;
    OK(clEnqueueWriteBuffer(session.queue, from, CL_TRUE, 0, sizeof in, in, 0, NULL, NULL));
    cl_kernel bring = kernel_of(&session, "bring"), pass = kernel_of(&session, "pass"),
              keep = kernel_of(&session, "keep");
    set_memory(bring, 0, from);
    set_number(bring, 1, BROUGHT);
    set_memory(bring, 2, words);
    set_number(pass, 0, WORDS);
    set_memory(pass, 1, words);
    set_memory(pass, 2, sums);
    set_number(keep, 0, WORDS);
    set_memory(keep, 1, sums);
    set_memory(keep, 2, to);
    cl_command_queue queue = queue_of(&session, CL_QUEUE_PROFILING_ENABLE);
    cl_event kept;
    enqueue(queue, bring, 1, NULL);
    enqueue(queue, pass, 1, NULL);
    enqueue(queue, keep, 1, &kept);
    OK(clFinish(queue));
    read_back(&session, to, out, sizeof out);
    for (cl_uint i = 0, next = 0; i < WORDS; i++) {
      memmove(last + 1, last, 3 * sizeof *last);
      last[0] = i % 5 != 3 ? in[next++] : 0;
      total += last[0] % 2 != 0 ? last[0] + last[1] + last[2] + last[3] : 2 * last[0];
      cr_assert_eq(out[i], total, "%s: word %u is %u, not %u", session.name, i, out[i], total);
    }
    if (d == 0 && !has_unit(&session))
      OK(clGetEventInfo(kept, CL_EVENT_CYCLES_HEDDLE, sizeof cycles, &cycles, NULL));
  }
  // 16 rounds are under way, and memory takes 60 cycles; one after the other they would take more than that each.
  cr_expect_lt(cycles, 8 * WORDS, "%llu cycles", (unsigned long long)cycles);
}
