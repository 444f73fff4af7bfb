// SPDX-License-Identifier: Apache-2.0
// The scan of the OpenCL text, [3 1 7 0 4 1 6 3], on a Heddle device, with what the examples have in common
// (host/tools/client.h). A program to copy is smallest.c.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/tools/client.h"

enum { N = 8 };

static void print_row(const char *what, const cl_int *values) {
  printf("%-32s [", what);
  for (int i = 0; i < N; i++)
    printf("%s%d", i ? " " : "", values[i]);
  puts("]");
}

int main(int argc, char **argv) {
  program_name = "scan";
  static const char usage[] = "usage: scan [--device sim|model|NUMBER]";
  answer_help(argc, argv, usage);
  const char *device = NULL;
  if (argc == 3 && strcmp(argv[1], "--device") == 0)
    device = argv[2];
  else if (argc != 1)
    die(EXIT_USAGE, "%s", usage);

  // What "The OpenCL C Specification" says under work_group_scan_inclusive_add and _exclusive_add.
  static const cl_int p[N] = {3, 1, 7, 0, 4, 1, 6, 3};
  static const cl_int inclusive_of_the_text[N] = {3, 4, 11, 11, 15, 16, 22, 25};
  static const cl_int exclusive_of_the_text[N] = {0, 3, 4, 11, 11, 15, 16, 22};

  struct session session = open_session(choose_device(device));
  char *path = shared_file("scan.cl");
  size_t bytes;
  char *source = read_file(path, &bytes);
  cl_program program = build_program(&session, source, bytes, "-cl-std=CL3.0", path);
  cl_int error;
  cl_kernel kernel = clCreateKernel(program, "scan", &error);
  check(error, "clCreateKernel");

  cl_mem buffers[3];
  for (cl_uint i = 0; i < 3; i++) {
    buffers[i] = clCreateBuffer(session.context, CL_MEM_READ_WRITE, sizeof p, NULL, &error);
    check(error, "clCreateBuffer");
    check(clSetKernelArg(kernel, i, sizeof buffers[i], &buffers[i]), "clSetKernelArg");
  }
  check(clEnqueueWriteBuffer(session.queue, buffers[0], CL_FALSE, 0, sizeof p, p, 0, NULL, NULL),
        "clEnqueueWriteBuffer");
  const size_t size = N;
  check(clEnqueueNDRangeKernel(session.queue, kernel, 1, NULL, &size, &size, 0, NULL, NULL), "clEnqueueNDRangeKernel");
  cl_int inclusive[N], exclusive[N];
  check(clEnqueueReadBuffer(session.queue, buffers[1], CL_TRUE, 0, sizeof p, inclusive, 0, NULL, NULL),
        "clEnqueueReadBuffer");
  check(clEnqueueReadBuffer(session.queue, buffers[2], CL_TRUE, 0, sizeof p, exclusive, 0, NULL, NULL),
        "clEnqueueReadBuffer");

  char *name = device_text(session.device, CL_DEVICE_NAME);
  printf("A work-group of %d on %s\n", N, name);
  print_row("p", p);
  print_row("work_group_scan_inclusive_add", inclusive);
  print_row("work_group_scan_exclusive_add", exclusive);
  const bool right = memcmp(inclusive, inclusive_of_the_text, sizeof p) == 0 &&
                     memcmp(exclusive, exclusive_of_the_text, sizeof p) == 0;
  puts(right ? "as the OpenCL text gives them" : "NOT as the OpenCL text gives them");
  free(name);
  free(source);
  free(path);
  return right ? 0 : EXIT_KERNEL_FAILED;
}
