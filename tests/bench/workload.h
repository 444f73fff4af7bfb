// SPDX-License-Identifier: Apache-2.0
// The kernels of tests/bench/kernels, each with its NDRanges, its input and what the CPU says it must give: for
// `make bench` (bench.c) and for the test that RTL, golden model and CPU agree (kernels.c). No OpenCL calls here.
#ifndef HEDDLE_TESTS_WORKLOAD_H
#define HEDDLE_TESTS_WORKLOAD_H

#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>

// X(name, full size, small size): full sizes are measured, small ones take the RTL less than a second.
#define WORKLOADS(X)         \
  X(sgemm, 128, 16)          \
  X(vecadd, 16384, 256)      \
  X(sgemv, 512, 32)          \
  X(stencil3d, 32, 8)        \
  X(arithmetic, 256, 8)      \
  X(reduction, 16384, 512)   \
  X(scan, 16384, 512)        \
  X(histogram, 16384, 1024)  \
  X(nbody, 256, 16)          \
  X(mandelbrot, 64, 16)      \
  X(bitonic_sort, 2048, 128) \
  X(spmv, 2048, 64)          \
  X(sgemm_tiled, 128, 16)
// Those that are measured as pipelines alone.
#define PIPELINE_WORKLOADS(X) \
  X(sobel, 256, 32)           \
  X(fir, 4096, 128)

enum { WORKLOAD_BUFFERS = 5, WORKLOAD_VALUES = 5 };

struct problem_buffer {
  void *data;  // input; zeros where the kernel only writes
  size_t bytes;
};

// One NDRange. The kernel takes `buffer_count` of the problem's buffers, then the values.
struct launch {
  const char *kernel;
  cl_uint dim;
  size_t global[3], local[3];  // local 0: the library chooses
  unsigned buffers[WORKLOAD_BUFFERS], buffer_count;
  cl_uint values[WORKLOAD_VALUES], value_count;  // floats as their bits
};

// A kernel at one size, ready to run.
struct problem {
  struct problem_buffer buffers[WORKLOAD_BUFFERS];
  unsigned buffer_count;
  struct launch *launches;  // in this order, each after the one before
  size_t launch_count;

  // What must come out, of buffers[result]. Floats may differ from the exact result by what OpenCL allows the
  // operations of the kernel; integers may not differ.
  unsigned result;
  size_t result_count;
  double *expected, *allowed;  // allowed NULL: the result is uint
};

struct workload {
  const char *name;  // of its file, kernels/<name>.cl
  unsigned full, small;
  // Fills in a problem of this size, all zero before, for a device that has so many work-items resident.
  void (*make)(struct problem *problem, unsigned size, unsigned resident);
};

extern const struct workload workloads[];
extern const size_t workload_count, pipeline_workload_count;  // of all; of the last that are for pipelines

const struct workload *workload_named(const char *name);  // NULL: there is none
struct problem *problem_of(const struct workload *workload, unsigned size, unsigned resident);
void problem_free(struct problem *problem);

// Compares the result with the CPU's. False: *text says where they differ first, what was expected and what came.
bool problem_is_solved(const struct problem *problem, const void *result, char text[256]);

#endif
