// SPDX-License-Identifier: Apache-2.0
// Dynamic parallelism: a quicksort whose rounds the device starts by itself (enqueue_kernel), and for comparison the
// same rounds started by the host, which has to read between two of them how many segments are left.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "host/tools/client.h"

enum { COUNT_DEFAULT = 2000, COUNT_MOST = 60000, GROUP = 64, COUNTS = 3 };

struct sorter {
  struct session session;
  cl_program program;
  cl_uint count;
  size_t group;
  cl_mem data, temp, lists, counts;
  struct figures figures;
  int starts;  // of kernels, by the host
};

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static cl_kernel make_kernel(const struct sorter *this, const char *name) {
  cl_int error;
  cl_kernel kernel = clCreateKernel(this->program, name, &error);
  check(error, "clCreateKernel");
  const cl_mem buffers[] = {this->data, this->temp, this->lists, this->counts};
  for (cl_uint i = 0; i < 4; i++)
    check(clSetKernelArg(kernel, i, sizeof *buffers, &buffers[i]), "clSetKernelArg");
  check(clSetKernelArg(kernel, 4, sizeof this->count, &this->count), "clSetKernelArg");
  return kernel;
}

static void run(struct sorter *this, cl_kernel kernel, cl_uint segments) {
  const size_t global = segments * this->group;
  cl_event event;
  double passed;
  check(clEnqueueNDRangeKernel(this->session.queue, kernel, 1, NULL, &global, &this->group, 0, NULL, &event),
        "clEnqueueNDRangeKernel");
  if (wait_with_progress(event, "quicksort", PROGRESS_AUTO, &passed) != CL_SUCCESS)
    die(EXIT_KERNEL_FAILED, "a kernel failed");
  const struct figures figures = figures_of(this->session.device, event);
  add_figures(&this->figures, &figures);
  this->starts++;
  clReleaseEvent(event);
}

static void write_buffer(const struct sorter *this, cl_mem buffer, const void *data, size_t bytes) {
  check(clEnqueueWriteBuffer(this->session.queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL),
        "clEnqueueWriteBuffer");
}

static void read_buffer(const struct sorter *this, cl_mem buffer, void *data, size_t bytes) {
  check(clEnqueueReadBuffer(this->session.queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL),
        "clEnqueueReadBuffer");
}

// A round is as many work-groups as there are segments.
static void sort_by_host(struct sorter *this) {
  cl_kernel kernel = make_kernel(this, "sort_round");
  const cl_uint none = 0;
  cl_uint segments = 1;
  for (cl_uint round = 0; segments != 0; round++) {
    check(clSetKernelArg(kernel, 5, sizeof round, &round), "clSetKernelArg");
    run(this, kernel, segments);
    read_buffer(this, this->counts, &segments, sizeof segments);
    write_buffer(this, this->counts, &none, sizeof none);
  }
  clReleaseKernel(kernel);
}

static void sort_by_device(struct sorter *this) {
  cl_kernel kernel = make_kernel(this, "sort_all");
  cl_uint counts[COUNTS];
  run(this, kernel, 1);
  read_buffer(this, this->counts, counts, sizeof counts);
  if (counts[2] != 0)
    die(EXIT_KERNEL_FAILED, "a round could not be enqueued");
  clReleaseKernel(kernel);
}

static bool sort(struct sorter *this, const char *what, const cl_uint *values, const cl_uint *sorted,
                 void (*how)(struct sorter *)) {
  const cl_uint counts[COUNTS] = {0}, segment[2] = {0, this->count};
  cl_uint *got = allocate(this->count * sizeof *got);
  char text[32];
  this->figures = (struct figures){0};
  this->starts = 0;
  write_buffer(this, this->data, values, this->count * sizeof *values);
  write_buffer(this, this->lists, segment, sizeof segment);
  write_buffer(this, this->counts, counts, sizeof counts);
  const double start = seconds();
  how(this);
  const double passed = seconds() - start;
  read_buffer(this, this->data, got, this->count * sizeof *got);
  const bool right = memcmp(got, sorted, this->count * sizeof *got) == 0;
  printf("%-24s %12s cycles, %8.1f ms on this machine, %3d kernels started by the host%s\n", what,
         grouped(this->figures.cycles, text), 1e3 * passed, this->starts, right ? "" : ", NOT sorted");
  free(got);
  return right;
}

static int by_value(const void *a, const void *b) {
  const cl_uint x = *(const cl_uint *)a, y = *(const cl_uint *)b;
  return (x > y) - (x < y);
}

static cl_mem make_buffer(const struct sorter *this, size_t bytes) {
  cl_int error;
  cl_mem buffer = clCreateBuffer(this->session.context, CL_MEM_READ_WRITE, bytes, NULL, &error);
  check(error, "clCreateBuffer");
  return buffer;
}

// The queue that kernels get from get_default_queue(). False: the device has none.
static bool make_device_queue(const struct sorter *this) {
  const cl_queue_properties properties[] = {
      CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT, 0};
  cl_int error;
  clCreateCommandQueueWithProperties(this->session.context, this->session.device, properties, &error);
  if (error == CL_INVALID_QUEUE_PROPERTIES)
    return false;
  check(error, "clCreateCommandQueueWithProperties");
  return true;
}

int main(int argc, char **argv) {
  program_name = "quicksort";
  char usage[80];
  snprintf(usage, sizeof usage, "usage: quicksort [--device sim|model|NUMBER] [--count 1 to %d]", COUNT_MOST);
  answer_help(argc, argv, usage);
  const char *device = NULL;
  char *end = "";
  long count = COUNT_DEFAULT;
  for (int i = 1; i < argc; i += 2)
    if (i + 1 < argc && strcmp(argv[i], "--device") == 0)
      device = argv[i + 1];
    else if (i + 1 < argc && strcmp(argv[i], "--count") == 0)
      count = strtol(argv[i + 1], &end, 10);
    else
      count = 0;
  if (*end || count < 1 || count > COUNT_MOST)
    die(EXIT_USAGE, "%s", usage);

  struct sorter this = {.session = open_session(choose_device(device)), .count = (cl_uint)count};
  size_t most, bytes;
  check(clGetDeviceInfo(this.session.device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof most, &most, NULL),
        "clGetDeviceInfo");
  this.group = most < GROUP ? most : GROUP;
  char *path = shared_file("quicksort.cl");
  char *source = read_file(path, &bytes);
  this.program = build_program(&this.session, source, bytes, "-cl-std=CL3.0", path);
  this.data = make_buffer(&this, this.count * sizeof(cl_uint));
  this.temp = make_buffer(&this, this.count * sizeof(cl_uint));
  this.lists = make_buffer(&this, this.count * 2 * sizeof(cl_uint2));
  this.counts = make_buffer(&this, COUNTS * sizeof(cl_uint));

  cl_uint *values = allocate(this.count * sizeof *values), *sorted = allocate(this.count * sizeof *sorted);
  uint32_t state = 1;
  for (cl_uint i = 0; i < this.count; i++)
    sorted[i] = values[i] = (state = state * 1664525 + 1013904223) >> 8;
  qsort(sorted, this.count, sizeof *sorted, by_value);

  char *name = device_text(this.session.device, CL_DEVICE_NAME);
  printf("Quicksort of %u numbers, work-groups of %zu, on %s\n", this.count, this.group, name);
  bool right = sort(&this, "rounds by the host", values, sorted, sort_by_host);
  if (make_device_queue(&this))
    right = sort(&this, "rounds by the device", values, sorted, sort_by_device) && right;
  else
    puts("this device does not enqueue kernels by itself");
  free(name);
  free(source);
  free(path);
  free(values);
  free(sorted);
  return right ? 0 : EXIT_KERNEL_FAILED;
}
