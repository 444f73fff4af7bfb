// SPDX-License-Identifier: Apache-2.0
// Runs in the guest whose processor has a device on its bus: loads libheddle.so as an ICD loader does, and has the
// device that HEDDLE_UIO names run kernels with sub-groups. Prints a TAP report. Called by init.
#include <CL/cl.h>
#include <CL/cl_icd.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 4, TESTS = 4, WORDS_OF_1_MIB = (1 << 20) / 4 };

static const char *library, *kernels;
static unsigned number, failed;

static void report(const char *name, const char *problem) {
  printf("%s %u - uio::%s\n", problem ? "not ok" : "ok", ++number, name);
  if (problem)
    printf("  %s\n", problem);
  failed += !!problem;
}

static void stop(const char *what) {
  printf("Bail out! %s\n", what);
  exit(1);
}

static void expect(bool good, const char *what) {
  if (!good)
    stop(what);
}

static const struct _cl_icd_dispatch *cl;
static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_program program;

static const char *open_library(void) {
  void *opened = dlopen(library, RTLD_NOW);
  void *(*address_of)(const char *);
  cl_int (*platforms)(cl_uint, cl_platform_id *, cl_uint *);
  cl_platform_id platform;
  static char name[256];
  expect(opened, "dlopen");
  *(void **)&address_of = dlsym(opened, "clGetExtensionFunctionAddress");
  expect(address_of, "clGetExtensionFunctionAddress");
  *(void **)&platforms = address_of("clIcdGetPlatformIDsKHR");
  expect(platforms && platforms(1, &platform, NULL) == CL_SUCCESS, "clIcdGetPlatformIDsKHR");
  // Each object of OpenCL begins with its table of functions.
  cl = *(struct _cl_icd_dispatch **)platform;
  expect(cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_DEFAULT, 1, &device, NULL) == CL_SUCCESS, "clGetDeviceIDs");
  expect(cl->clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL) == CL_SUCCESS, "clGetDeviceInfo");
  return name;
}

static void build(void) {
  enum { MOST = 1 << 20 };
  cl_int error;
  FILE *file = fopen(kernels, "rbe");
  unsigned char *binary = malloc(MOST);
  expect(file && binary, "the kernel file");
  const size_t bytes = fread(binary, 1, MOST, file);
  fclose(file);
  context = cl->clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  expect(error == CL_SUCCESS, "clCreateContext");
  queue = cl->clCreateCommandQueueWithProperties(context, device, NULL, &error);
  expect(error == CL_SUCCESS, "clCreateCommandQueueWithProperties");
  program = cl->clCreateProgramWithBinary(context, 1, &device, &bytes, (const unsigned char *[]){binary}, NULL, &error);
  expect(error == CL_SUCCESS, "clCreateProgramWithBinary");
  expect(cl->clBuildProgram(program, 1, &device, NULL, NULL, NULL) == CL_SUCCESS, "clBuildProgram");
  free(binary);
}

static uint32_t *map(cl_mem buffer, size_t count, cl_map_flags flags) {
  cl_int error;
  uint32_t *words = cl->clEnqueueMapBuffer(queue, buffer, CL_TRUE, flags, 0, 4 * count, 0, NULL, NULL, &error);
  expect(error == CL_SUCCESS, "clEnqueueMapBuffer");
  return words;
}

// For each of `count` work-items what its sub-group's largest number is and how many are odd. What is mapped before the
// kernel has to be what is mapped behind it, so that nothing was copied elsewhere. NULL: all is right.
static const char *sub_groups(size_t count) {
  cl_mem buffers[3];
  cl_int error;
  cl_kernel kernel = cl->clCreateKernel(program, "sub_groups", &error);
  expect(error == CL_SUCCESS, "clCreateKernel");
  for (cl_uint i = 0; i < 3; i++) {
    buffers[i] = cl->clCreateBuffer(context, CL_MEM_ALLOC_HOST_PTR, 4 * count, NULL, &error);
    expect(error == CL_SUCCESS, "clCreateBuffer");
    expect(cl->clSetKernelArg(kernel, i, sizeof buffers[i], &buffers[i]) == CL_SUCCESS, "clSetKernelArg");
  }
  uint32_t *in = map(buffers[0], count, CL_MAP_WRITE);
  for (size_t i = 0; i < count; i++)
    in[i] = (uint32_t)i * 2654435761U;
  expect(cl->clEnqueueUnmapMemObject(queue, buffers[0], in, 0, NULL, NULL) == CL_SUCCESS, "clEnqueueUnmapMemObject");
  const size_t local = 2 * LANES;
  expect(cl->clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &count, &local, 0, NULL, NULL) == CL_SUCCESS,
         "clEnqueueNDRangeKernel");
  expect(cl->clFinish(queue) == CL_SUCCESS, "clFinish");
  const uint32_t *largest = map(buffers[1], count, CL_MAP_READ), *odd = map(buffers[2], count, CL_MAP_READ);
  const char *problem = map(buffers[0], count, CL_MAP_READ) == in ? NULL : "the buffer is mapped elsewhere";
  for (size_t i = 0; i < count && !problem; i++) {
    uint32_t most = 0, count_odd = 0;
    for (size_t j = i - i % LANES; j < i - i % LANES + LANES; j++) {
      most = in[j] > most ? in[j] : most;
      count_odd += in[j] & 1;
    }
    problem = largest[i] != most || odd[i] != count_odd ? "a sub-group's result is wrong" : NULL;
  }
  for (cl_uint i = 0; i < 3; i++)
    cl->clReleaseMemObject(buffers[i]);
  cl->clReleaseKernel(kernel);
  return problem;
}

static unsigned long interrupts(void) {
  char line[512];
  unsigned long count = 0;
  FILE *file = fopen("/proc/interrupts", "re");
  while (file && fgets(line, sizeof line, file)) {
    const char *colon = strstr(line, "heddle") ? strchr(line, ':') : NULL;
    count += colon ? strtoul(colon + 1, NULL, 10) : 0;
  }
  if (file)
    fclose(file);
  return count;
}

int main(int argc, char **argv) {
  expect(argc == 3, "program LIBRARY KERNELS.elf");
  library = argv[1];
  kernels = argv[2];
  setvbuf(stdout, NULL, _IOLBF, 0);
  printf("1..%d\n", TESTS);
  setenv("HEDDLE_UIO", "/dev/uio0", 1);
  // Linux maps UIO's memory as a device's, which programs on aarch64 do not get.
  setenv("HEDDLE_UIO_MEMORY", "/dev/mem", 1);
  const char *name = open_library();
  report("device_on_the_chip_is_the_default_device", strncmp(name, "Heddle board by UIO", 19) == 0 ? NULL : name);
  build();
  report("runs_sub_groups", sub_groups(64));
  const unsigned long before = interrupts();
  report("runs_sub_groups_over_1_MiB_in_place", sub_groups(WORDS_OF_1_MIB));
  report("end_is_told_by_interrupt", interrupts() > before ? NULL : "no interrupt came");
  cl->clReleaseProgram(program);
  cl->clReleaseCommandQueue(queue);
  cl->clReleaseContext(context);
  return failed != 0;
}
