// SPDX-License-Identifier: Apache-2.0
// Runs one kernel of planted.h on the first device of the first platform, with its mistake (1) or without (0), so that
// any checker of OpenCL programs can look on: `run_planted NAME 0|1`. `run_planted --list` prints all names.
// `run_planted --matrix N` multiplies two matrices of N x N floats, for times.
#include <CL/cl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/checks/planted.h"

static const char matrix[] =
    "kernel void k(global float *c, global const float *a, global const float *b, local float *ta, local float *tb, "
    "int n)"
    "{\n"
    "  int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);\n"
    "  float s = 0;\n"
    "  for (int k = 0; k < n; k += 8) {\n"
    "    ta[ly * 8 + lx] = a[y * n + k + lx];\n"
    "    tb[ly * 8 + lx] = b[(k + ly) * n + x];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (int j = 0; j < 8; j++) s += ta[ly * 8 + j] * tb[j * 8 + lx];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  }\n"
    "  c[y * n + x] = s;\n}\n";

static void check(cl_int error, const char *what) {
  if (error != CL_SUCCESS) {
    printf("run_planted: %s: %d\n", what, error);
    exit(3);
  }
}

struct session {
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
};

static struct session open_session(void) {
  struct session s;
  cl_platform_id platform;
  cl_int error;
  check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &s.device, NULL), "clGetDeviceIDs");
  s.context = clCreateContext(NULL, 1, &s.device, NULL, NULL, &error);
  check(error, "clCreateContext");
  s.queue = clCreateCommandQueueWithProperties(s.context, s.device, NULL, &error);
  check(error, "clCreateCommandQueueWithProperties");
  return s;
}

static cl_kernel build(const struct session *s, const char *source, const char *options) {
  char log[4096] = "";
  cl_int error;
  cl_program program = clCreateProgramWithSource(s->context, 1, &source, NULL, &error);
  check(error, "clCreateProgramWithSource");
  if (clBuildProgram(program, 1, &s->device, options, NULL, NULL) != CL_SUCCESS) {
    clGetProgramBuildInfo(program, s->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
    printf("run_planted: does not build: %s\n", log);
    exit(3);
  }
  cl_kernel kernel = clCreateKernel(program, "k", &error);
  check(error, "clCreateKernel");
  return kernel;
}

static cl_mem buffer(const struct session *s, size_t bytes, void *data) {
  cl_int error;
  cl_mem memory =
      clCreateBuffer(s->context, CL_MEM_READ_WRITE | (data ? CL_MEM_COPY_HOST_PTR : 0), bytes, data, &error);
  check(error, "clCreateBuffer");
  return memory;
}

static void set(cl_kernel kernel, cl_uint index, size_t bytes, const void *value) {
  check(clSetKernelArg(kernel, index, bytes, value), "clSetKernelArg");
}

static void run_planted(const struct planted *program, int is_wrong) {
  char source[4096], options[64];
  uint32_t values[ITEMS], zero[ITEMS] = {0};
  const size_t global = ITEMS, local = LOCAL;
  const cl_int n = ITEMS;
  const struct session s = open_session();
  for (uint32_t i = 0; i < ITEMS; i++)
    values[i] = i;
  snprintf(source, sizeof source, "%s%s}\n", head,
           !is_wrong && program->otherwise ? program->otherwise : program->body);
  snprintf(options, sizeof options, "-DW=%d%s", is_wrong, getenv("PLANTED_OPTIONS") ? getenv("PLANTED_OPTIONS") : "");
  cl_kernel kernel = build(&s, source, options);
  const cl_mem buffers[] = {buffer(&s, sizeof values, NULL), buffer(&s, sizeof values, values),
                            buffer(&s, sizeof values, NULL), buffer(&s, sizeof zero, zero)};
  for (cl_uint i = 0; i < 4; i++)
    set(kernel, i, sizeof(cl_mem), &buffers[i]);
  set(kernel, 4, 4 * LOCAL, NULL);
  set(kernel, 5, sizeof n, &n);
  check(clEnqueueNDRangeKernel(s.queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL), "clEnqueueNDRangeKernel");
  check(clFinish(s.queue), "clFinish");
}

static void run_matrix(cl_int n) {
  const struct session s = open_session();
  const size_t bytes = 4 * (size_t)n * (size_t)n, global[] = {(size_t)n, (size_t)n}, local[] = {8, 8};
  float *data = calloc(1, bytes);
  cl_kernel kernel = build(&s, matrix, "");
  const cl_mem buffers[] = {buffer(&s, bytes, data), buffer(&s, bytes, data), buffer(&s, bytes, data)};
  for (cl_uint i = 0; i < 3; i++)
    set(kernel, i, sizeof(cl_mem), &buffers[i]);
  set(kernel, 3, 256, NULL);
  set(kernel, 4, 256, NULL);
  set(kernel, 5, sizeof n, &n);
  check(clEnqueueNDRangeKernel(s.queue, kernel, 2, NULL, global, local, 0, NULL, NULL), "clEnqueueNDRangeKernel");
  check(clFinish(s.queue), "clFinish");
  free(data);
}

int main(int argc, char **argv) {
  const size_t count = sizeof programs / sizeof *programs;
  for (size_t i = 0; i < count && argc == 2 && strcmp(argv[1], "--list") == 0; i++)
    puts(programs[i].name);
  if (argc == 3 && strcmp(argv[1], "--matrix") == 0) {
    run_matrix(atoi(argv[2]));
    return 0;
  }
  for (size_t i = 0; i < count && argc == 3; i++)
    if (strcmp(argv[1], programs[i].name) == 0)
      run_planted(&programs[i], atoi(argv[2]));
  return 0;
}
