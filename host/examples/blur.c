// SPDX-License-Identifier: Apache-2.0
// Blurs a picture on a Heddle device with an integral image (blur.cl), checks every sample against the CPU, and prints
// where the cycles went. `make demo` runs it.
#include <stdio.h>
#include <stdlib.h>

#include "host/examples/picture.h"
#include "host/examples/picture_request.h"
#include "host/examples/stages.h"

static const char usage[] =
    "usage: blur PICTURE.png [--radius R] [--device sim|model|NUMBER] [--output FOLDER] [--progress "
    "auto|always|never]\n"
    "\n"
    "Blurs the picture with a box of R pixels on each side (default 4) and writes before.png and after.png into "
    "FOLDER\n"
    "(default: here).\n"
    "\n"
    "Exit status: 0 right, 1 the kernel failed or its picture differs from the CPU's, 2 wrong usage or no PNG\n";

enum { STAGES = 3, COLUMN_WORK_GROUP = 64 };
static const char *const stage_names[STAGES] = {"scan_rows", "scan_columns", "box"};

static unsigned radius_of(const char *text) {
  if (!text)
    return 4;
  char *end;
  const unsigned long radius = strtoul(text, &end, 10);
  if (end == text || *end || *text == '-' || radius > 1000)
    die(EXIT_USAGE, "the radius is a number of pixels from 0 to 1000, not \"%s\"", text);
  return (unsigned)radius;
}

// The mean of `n` neighbours of a row or column, by running sums: another way than the device's.
static void box_sums(const unsigned *in, unsigned *out, size_t count, size_t pitch, unsigned radius) {
  unsigned long long sum = 0;
  for (size_t i = 0; i < count && i < radius; i++)
    sum += in[i * pitch];
  for (size_t i = 0; i < count; i++) {
    if (i + radius < count)
      sum += in[(i + radius) * pitch];
    out[i * pitch] = (unsigned)sum;
    if (i >= radius)
      sum -= in[(i - radius) * pitch];
  }
}

static size_t reach(size_t i, size_t count, unsigned radius) {  // how many of a row are in the box around i
  const size_t first = i > radius ? i - radius : 0, last = i + radius < count ? i + radius : count - 1;
  return last - first + 1;
}

static unsigned char *blur_on_the_cpu(const struct picture *picture, unsigned radius) {
  const size_t width = picture->width, height = picture->height, count = width * height;
  unsigned char *blurred = allocate(count * picture->planes);
  unsigned *plane = allocate(count * sizeof *plane), *rows = allocate(count * sizeof *rows);
  for (unsigned p = 0; p < picture->planes; p++) {
    for (size_t i = 0; i < count; i++)
      plane[i] = picture->samples[p * count + i];
    for (size_t y = 0; y < height; y++)
      box_sums(plane + y * width, rows + y * width, width, 1, radius);
    for (size_t x = 0; x < width; x++)
      box_sums(rows + x, plane + x, height, width, radius);
    for (size_t y = 0; y < height; y++)
      for (size_t x = 0; x < width; x++) {
        const size_t area = reach(x, width, radius) * reach(y, height, radius);
        blurred[p * count + y * width + x] = (unsigned char)((plane[y * width + x] + area / 2) / area);
      }
  }
  free(plane);
  free(rows);
  return blurred;
}

static cl_mem new_buffer(struct session *session, size_t bytes, void *data) {
  cl_int error;
  cl_mem buffer =
      clCreateBuffer(session->context, CL_MEM_READ_WRITE | (data ? CL_MEM_COPY_HOST_PTR : 0), bytes, data, &error);
  if (error != CL_SUCCESS)
    die(EXIT_KERNEL_FAILED, "the device has no room for %zu bytes: %s", bytes, error_name(error));
  return buffer;
}

static void set_arg(cl_kernel kernel, cl_uint index, size_t bytes, const void *value) {
  check(clSetKernelArg(kernel, index, bytes, value), "clSetKernelArg");
}

// Work-items of a work-group along a row: as many as the kernel may have, but no more than a row needs.
static size_t row_work_group(struct session *session, cl_kernel kernel, size_t width) {
  size_t limit = 1, size = 1;
  check(clGetKernelWorkGroupInfo(kernel, session->device, CL_KERNEL_WORK_GROUP_SIZE, sizeof limit, &limit, NULL),
        "clGetKernelWorkGroupInfo");
  while (size * 2 <= limit && size < width)
    size *= 2;
  return size;
}

int main(int argc, char **argv) {
  program_name = argv[0] = (char[]){"blur"};
  const struct picture_request request = picture_request_of(argc, argv, usage, "radius");
  const cl_uint radius = radius_of(request.own);
  struct picture picture = read_png(request.input);
  const cl_uint width = picture.width, height = picture.height;
  const size_t samples = (size_t)width * height * picture.planes;
  make_folder(request.folder);

  // These kernels end; a large picture may take longer than a kernel is given by default.
  setenv("HEDDLE_BUDGET_CYCLES", "0", 0);
  struct session session = open_session(choose_device(request.device));
  char *name = device_text(session.device, CL_DEVICE_NAME);
  printf("Blurring %s (%u x %u, %u planes, radius %u) on %s\n", request.input, width, height, picture.planes, radius,
         name);
  fflush(stdout);

  char *source_path = shared_file("blur.cl");
  size_t source_bytes;
  char *source = read_file(source_path, &source_bytes);
  cl_program program = build_program(&session, source, source_bytes, "-cl-std=CL3.0", source_path);
  cl_kernel kernels[STAGES];
  cl_int error;
  for (int s = 0; s < STAGES; s++) {
    kernels[s] = clCreateKernel(program, stage_names[s], &error);
    check(error, "clCreateKernel");
  }
  cl_mem before = new_buffer(&session, samples, picture.samples);
  cl_mem sums = new_buffer(&session, samples * sizeof(cl_uint), NULL), after = new_buffer(&session, samples, NULL);
  const cl_mem *buffers[STAGES][2] = {{&before, &sums}, {&sums, NULL}, {&sums, &after}};
  for (int s = 0; s < STAGES; s++) {
    cl_uint index = 0;
    for (int b = 0; b < 2 && buffers[s][b]; b++)
      set_arg(kernels[s], index++, sizeof(cl_mem), buffers[s][b]);
    set_arg(kernels[s], index++, sizeof width, &width);
    set_arg(kernels[s], index++, sizeof height, &height);
    if (s == 2)
      set_arg(kernels[s], index, sizeof radius, &radius);
  }

  // Rows: a work-group each. Columns: a sub-group each; the device says how many a work-group has. Box: a pixel each.
  const size_t row_group[3] = {row_work_group(&session, kernels[0], width), 1, 1};
  const size_t column_group[3] = {row_work_group(&session, kernels[1], COLUMN_WORK_GROUP), 1, 1};
  const size_t box_group[3] = {row_work_group(&session, kernels[2], width < 64 ? width : 64), 1, 1};
  size_t columns_at_once = 1;
  check(clGetKernelSubGroupInfo(kernels[1], session.device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, sizeof column_group,
                                column_group, sizeof columns_at_once, &columns_at_once, NULL),
        "clGetKernelSubGroupInfo");
  const size_t planes = picture.planes;
  const size_t global[STAGES][3] = {
      {row_group[0], height, planes},
      {(width + columns_at_once - 1) / columns_at_once * column_group[0], 1, planes},
      {width, height, planes},
  };
  const size_t *local[STAGES] = {row_group, column_group, box_group};

  struct figures all = {0};
  double all_seconds = 0;
  print_heading(session.device);
  for (int s = 0; s < STAGES; s++) {
    cl_event event;
    check(clEnqueueNDRangeKernel(session.queue, kernels[s], 3, NULL, global[s], local[s], 0, NULL, &event),
          "clEnqueueNDRangeKernel");
    double seconds;
    if (wait_with_progress(event, stage_names[s], request.progress, &seconds) != CL_SUCCESS)
      die(EXIT_KERNEL_FAILED, "stage %s did not complete", stage_names[s]);
    const struct figures f = figures_of(session.device, event);
    print_stage(stage_names[s], &f, seconds);
    add_figures(&all, &f);
    all_seconds += seconds;
  }
  print_stage("all", &all, all_seconds);

  struct picture result = picture;
  result.samples = allocate(samples);
  check(clEnqueueReadBuffer(session.queue, after, CL_TRUE, 0, samples, result.samples, 0, NULL, NULL),
        "clEnqueueReadBuffer");
  char *before_path = path_in(request.folder, "before.png"), *after_path = path_in(request.folder, "after.png");
  write_png(before_path, &picture);
  write_png(after_path, &result);

  unsigned char *expected = blur_on_the_cpu(&picture, radius);
  size_t differ = 0;
  for (size_t i = 0; i < samples; i++)
    differ += result.samples[i] != expected[i];
  if (differ)
    die(EXIT_KERNEL_FAILED, "%zu of %zu samples differ from the CPU's", differ, samples);
  printf("All %zu samples equal the CPU's. See %s and %s\n", samples, before_path, after_path);
  return 0;
}
