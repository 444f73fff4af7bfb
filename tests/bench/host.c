// SPDX-License-Identifier: Apache-2.0
// What the host's side of a device costs, in time of this machine: an empty kernel from its enqueueing to its
// completion, a program whose kernels are in the cache, and a small kernel that has to be compiled. Prints a line `name
// value` for each, the median of several. Run by tests/bench/bench.py for `make bench`; never tested, as it is time.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "host/tools/client.h"
#include "tests/temporary.h"

enum { MOST = 1000, KERNELS = 1000, LOADS = 100, COMPILATIONS = 15 };

static const char empty_source[] = "kernel void empty(void) {}\n";
static const char small_source[] =
    "kernel void saxpy(global const float *x, global float *y, float a) {\n"
    "  size_t i = get_global_id(0); y[i] = a * x[i] + y[i]; }\n";

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *seconds, int count) {
  qsort(seconds, (size_t)count, sizeof *seconds, compare);
  return seconds[count / 2];
}

// From clCreateProgramWithSource to the end of clCreateKernel.
static double build_seconds(struct session *session, const char *options) {
  const double start = now();
  const cl_program program = build_program(session, small_source, strlen(small_source), options, "host.c");
  cl_int error;
  const cl_kernel kernel = clCreateKernel(program, "saxpy", &error);
  const double seconds = now() - start;
  check(error, "clCreateKernel");
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  return seconds;
}

static double empty_kernel(struct session *session) {
  cl_int error;
  const cl_command_queue queue = clCreateCommandQueueWithProperties(session->context, session->device, NULL, &error);
  check(error, "clCreateCommandQueueWithProperties");
  const cl_program program = build_program(session, empty_source, strlen(empty_source), NULL, "host.c");
  const cl_kernel kernel = clCreateKernel(program, "empty", &error);
  check(error, "clCreateKernel");
  double seconds[MOST];
  const size_t one = 1;
  for (int i = 0; i < KERNELS; i++) {
    cl_event event;
    const double start = now();
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, &event), "clEnqueueNDRangeKernel");
    check(clWaitForEvents(1, &event), "clWaitForEvents");
    seconds[i] = now() - start;
    clReleaseEvent(event);
  }
  return median(seconds, KERNELS);
}

static double cached_program(struct session *session) {
  double seconds[MOST];
  build_seconds(session, NULL);  // which leaves it in the cache
  for (int i = 0; i < LOADS; i++)
    seconds[i] = build_seconds(session, NULL);
  return median(seconds, LOADS);
}

static double compiled_program(struct session *session) {
  double seconds[MOST];
  for (int i = 0; i < COMPILATIONS; i++) {
    char options[32];
    snprintf(options, sizeof options, "-DNEVER_SEEN=%d", i);
    seconds[i] = build_seconds(session, options);
  }
  return median(seconds, COMPILATIONS);
}

int main(int argc, char **argv) {
  program_name = "host";
  if (argc != 2)
    die(EXIT_USAGE, "usage: host sim|model");
  // A cache of its own, empty.
  char folder[TEMPORARY_BYTES], command[TEMPORARY_BYTES + 16];
  if (!mkdtemp(temporary_name(folder)))
    die(EXIT_USAGE, "cannot make a folder in TMPDIR");
  setenv("XDG_CACHE_HOME", folder, 1);
  unsetenv("HEDDLE_CACHE_BYTES");
  struct session session = open_session(choose_device(argv[1]));
  printf("host.%s.empty_kernel_us %.1f\n", argv[1], empty_kernel(&session) * 1e6);
  printf("host.%s.compile_ms %.1f\n", argv[1], compiled_program(&session) * 1e3);
  printf("host.%s.cached_program_ms %.3f\n", argv[1], cached_program(&session) * 1e3);
  snprintf(command, sizeof command, "rm -rf %s", folder);
  return system(command) != 0;
}
