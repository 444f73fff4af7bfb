// SPDX-License-Identifier: Apache-2.0
// Runs on the other host: loads a cross-compiled libheddle.so as an ICD loader does, without one, and has a kernel file
// scan a row of numbers on the device whose name begins with DEVICE. Prints the device's name, then a line of prefix
// sums. Called by cross.py.
#include <CL/cl.h>
#include <CL/cl_icd.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 400, LOCAL = 20, DEVICES = 8 };

static void expect(bool good, const char *what) {
  if (good)
    return;
  fprintf(stderr, "program: %s failed\n", what);
  exit(1);
}

static unsigned char *read_file(const char *path, size_t *bytes) {
  enum { MOST = 1 << 20 };
  FILE *file = fopen(path, "rb");
  unsigned char *content = malloc(MOST);
  expect(file && content, path);
  *bytes = fread(content, 1, MOST, file);
  fclose(file);
  return content;
}

int main(int argc, char **argv) {
  expect(argc == 4, "program LIBRARY KERNELS.elf DEVICE");
  void *library = dlopen(argv[1], RTLD_NOW);
  expect(!!library, library ? "" : dlerror());
  // As POSIX has it for pointers to functions.
  void *(*address_of)(const char *);
  cl_int (*platforms)(cl_uint, cl_platform_id *, cl_uint *);
  *(void **)&address_of = dlsym(library, "clGetExtensionFunctionAddress");
  expect(!!address_of, "clGetExtensionFunctionAddress");
  *(void **)&platforms = address_of("clIcdGetPlatformIDsKHR");
  cl_platform_id platform;
  expect(platforms && platforms(1, &platform, NULL) == CL_SUCCESS, "clIcdGetPlatformIDsKHR");
  // Each object of OpenCL begins with its table of functions.
  const struct _cl_icd_dispatch *cl = *(struct _cl_icd_dispatch **)platform;

  cl_device_id devices[DEVICES], device = NULL;
  cl_uint count = 0;
  char name[256] = "";
  expect(cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, DEVICES, devices, &count) == CL_SUCCESS, "clGetDeviceIDs");
  for (cl_uint i = 0; i < count && i < DEVICES && !device; i++) {
    expect(cl->clGetDeviceInfo(devices[i], CL_DEVICE_NAME, sizeof name, name, NULL) == CL_SUCCESS, "clGetDeviceInfo");
    if (strncmp(name, argv[3], strlen(argv[3])) == 0)
      device = devices[i];
  }
  expect(!!device, "finding the device");
  puts(name);

  size_t bytes;
  unsigned char *binary = read_file(argv[2], &bytes);
  cl_int error;
  const cl_context context = cl->clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  expect(error == CL_SUCCESS, "clCreateContext");
  const cl_command_queue queue = cl->clCreateCommandQueueWithProperties(context, device, NULL, &error);
  expect(error == CL_SUCCESS, "clCreateCommandQueueWithProperties");
  const cl_program program =
      cl->clCreateProgramWithBinary(context, 1, &device, &bytes, (const unsigned char *[]){binary}, NULL, &error);
  expect(error == CL_SUCCESS, "clCreateProgramWithBinary");
  expect(cl->clBuildProgram(program, 1, &device, NULL, NULL, NULL) == CL_SUCCESS, "clBuildProgram");
  const cl_kernel kernel = cl->clCreateKernel(program, "scan", &error);
  expect(error == CL_SUCCESS, "clCreateKernel");

  cl_int values[N];
  for (int i = 0; i < N; i++)
    values[i] = (i * 7919) % 1009 - 500;
  cl_mem buffers[3];
  for (cl_uint i = 0; i < 3; i++) {
    buffers[i] = cl->clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof values, values, &error);
    expect(error == CL_SUCCESS, "clCreateBuffer");
    expect(cl->clSetKernelArg(kernel, i, sizeof buffers[i], &buffers[i]) == CL_SUCCESS, "clSetKernelArg");
  }
  const size_t global = N, local = LOCAL;
  expect(cl->clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL) == CL_SUCCESS,
         "clEnqueueNDRangeKernel");
  for (int i = 1; i < 3; i++) {
    expect(cl->clEnqueueReadBuffer(queue, buffers[i], CL_TRUE, 0, sizeof values, values, 0, NULL, NULL) == CL_SUCCESS,
           "clEnqueueReadBuffer");
    for (int k = 0; k < N; k++)
      printf("%d%c", values[k], k < N - 1 ? ' ' : '\n');
  }
  free(binary);
  return 0;
}
