// SPDX-License-Identifier: Apache-2.0
// A whole program to copy: it needs nothing of Heddle's but the device, and runs on any other OpenCL device with
// sub-groups as well. `cc smallest.c -lOpenCL`. The sum of each sub-group of 32 numbers.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

static const char *source =
    "kernel void sums(global const int *in, global int *out) {"
    "  out[get_global_id(0)] = sub_group_reduce_add(in[get_global_id(0)]);"
    "}";

static void check(cl_int code, const char *call) {
  if (code == CL_SUCCESS)
    return;
  fprintf(stderr, "%s: error %d\n", call, code);
  exit(1);
}

int main(void) {
  enum { N = 32 };
  int in[N], out[N];
  for (int i = 0; i < N; i++)
    in[i] = i;

  cl_platform_id platform;
  cl_device_id device;
  cl_int code;
  check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
  check(code, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
  check(code, "clCreateCommandQueueWithProperties");

  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
  check(code, "clCreateProgramWithSource");
  check(clBuildProgram(program, 1, &device, "-cl-std=CL3.0", NULL, NULL), "clBuildProgram");
  cl_kernel kernel = clCreateKernel(program, "sums", &code);
  check(code, "clCreateKernel");

  cl_mem from = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof in, in, &code);
  check(code, "clCreateBuffer");
  cl_mem to = clCreateBuffer(context, CL_MEM_WRITE_ONLY, sizeof out, NULL, &code);
  check(code, "clCreateBuffer");
  check(clSetKernelArg(kernel, 0, sizeof from, &from), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, sizeof to, &to), "clSetKernelArg");
  const size_t size = N;
  check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, &size, 0, NULL, NULL), "clEnqueueNDRangeKernel");
  check(clEnqueueReadBuffer(queue, to, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL), "clEnqueueReadBuffer");
  for (int i = 0; i < N; i++)
    printf("%d%c", out[i], i < N - 1 ? ' ' : '\n');

  clReleaseMemObject(from);
  clReleaseMemObject(to);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return 0;
}
