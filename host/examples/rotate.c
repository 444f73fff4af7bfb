// SPDX-License-Identifier: Apache-2.0
// Turns a picture on a Heddle device by an image and a sampler (rotate.cl), checks every sample against the CPU, and
// prints where the cycles went. `make demo` runs it.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "host/examples/picture_request.h"
#include "host/examples/stages.h"
#include "host/tools/png_samples.h"

static const char usage[] =
    "usage: rotate PICTURE.png [--angle DEGREES] [--device sim|model|NUMBER] [--output FOLDER] [--progress "
    "auto|always|never]\n"
    "\n"
    "Turns the picture clockwise by DEGREES (default 20) and writes before.png and rotated.png into FOLDER (default:\n"
    "here).\n"
    "\n"
    "Exit status: 0 right, 1 the kernel failed or its picture differs from the CPU's, 2 wrong usage or no PNG\n";

enum { CHANNELS = 4, SIDE_MOST = 16384 };

static double angle_of(const char *text) {
  if (!text)
    return 20;
  char *end;
  const double angle = strtod(text, &end);
  if (end == text || *end || !(fabs(angle) <= 360))
    die(EXIT_USAGE, "the angle is a number of degrees from -360 to 360, not \"%s\"", text);
  return angle;
}

// Red, green, blue and alpha of each pixel, as the device has them.
static unsigned char *to_rgba(const struct png_samples *picture) {
  const size_t count = (size_t)picture->width * picture->height;
  const unsigned all = picture->per_pixel, colours = all >= 3 ? 3 : 1;
  unsigned char *pixels = allocate(count * CHANNELS);
  for (size_t i = 0; i < count; i++) {
    for (unsigned c = 0; c < 3; c++)
      pixels[i * CHANNELS + c] = picture->samples[i * all + (c < colours ? c : 0)];
    pixels[i * CHANNELS + 3] = all > colours ? picture->samples[i * all + colours] : 255;
  }
  return pixels;
}

// ---- The same on the CPU, in double and without a sampler

static double sample_at(const unsigned char *pixels, long width, long height, long x, long y, unsigned channel) {
  const bool inside = x >= 0 && x < width && y >= 0 && y < height;
  return inside ? pixels[(y * width + x) * CHANNELS + channel] : 0;
}

// *difference is that between the largest and the smallest of the four samples.
static double blended(const unsigned char *pixels, long width, long height, double x, double y, unsigned channel,
                      double *difference) {
  const double left = floor(x - 0.5), above = floor(y - 0.5), a = x - 0.5 - left, b = y - 0.5 - above;
  const double weights[] = {(1 - a) * (1 - b), a * (1 - b), (1 - a) * b, a * b};
  double sum = 0, least = 255, most = 0;
  for (int corner = 0; corner < 4; corner++) {
    const double sample = sample_at(pixels, width, height, (long)left + corner % 2, (long)above + corner / 2, channel);
    sum += weights[corner] * sample;
    least = fmin(least, sample);
    most = fmax(most, sample);
  }
  *difference = most - least;
  return sum;
}

// Samples that are further from what the CPU computes than rounding explains: one step of 255, and 3/256 of the
// difference between the pixels, as the device's filter has weights in 256ths (docs/decisions/images.md).
static size_t count_wrong(const unsigned char *before, const unsigned char *after, long width, long height,
                          const double turn[2]) {
  size_t wrong = 0;
  for (long y = 0; y < height; y++)
    for (long x = 0; x < width; x++) {
      const double centre_x = (double)width / 2, centre_y = (double)height / 2;
      const double px = (double)x + 0.5 - centre_x, py = (double)y + 0.5 - centre_y;
      const double from_x = turn[0] * px + turn[1] * py + centre_x, from_y = turn[0] * py - turn[1] * px + centre_y;
      for (unsigned c = 0; c < CHANNELS; c++) {
        double difference;
        const double expected = blended(before, width, height, from_x, from_y, c, &difference);
        wrong += fabs(expected - after[(y * width + x) * CHANNELS + c]) > 1 + difference * 3 / 256;
      }
    }
  return wrong;
}

static cl_mem new_image(struct session *session, cl_mem_flags flags, unsigned width, unsigned height, void *pixels) {
  const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
  const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = width, .image_height = height};
  cl_int error;
  cl_mem image =
      clCreateImage(session->context, flags | (pixels ? CL_MEM_COPY_HOST_PTR : 0), &format, &desc, pixels, &error);
  if (error != CL_SUCCESS)
    die(EXIT_KERNEL_FAILED, "the device has no room for an image of %u x %u: %s", width, height, error_name(error));
  return image;
}

int main(int argc, char **argv) {
  program_name = argv[0] = (char[]){"rotate"};
  const struct picture_request request = picture_request_of(argc, argv, usage, "angle");
  const double angle = angle_of(request.own);
  const struct png_samples picture = png_samples_read(request.input, 0, (size_t)1 << 31);
  const unsigned width = picture.width, height = picture.height;
  if (width > SIDE_MOST || height > SIDE_MOST)
    die(EXIT_USAGE, "%s is too large: %u x %u, images have at most %d pixels a side", request.input, width, height,
        SIDE_MOST);
  unsigned char *before = to_rgba(&picture), *after = allocate((size_t)width * height * CHANNELS);
  make_folder(request.folder);

  setenv("HEDDLE_BUDGET_CYCLES", "0", 0);  // the kernel ends, however large the picture
  struct session session = open_session(choose_device(request.device));
  char *name = device_text(session.device, CL_DEVICE_NAME);
  printf("Turning %s (%u x %u) by %g degrees on %s\n", request.input, width, height, angle, name);
  fflush(stdout);

  size_t source_bytes;
  char *source_path = shared_file("rotate.cl"), *source = read_file(source_path, &source_bytes);
  cl_program program = build_program(&session, source, source_bytes, "-cl-std=CL3.0", source_path);
  cl_int error;
  cl_kernel kernel = clCreateKernel(program, "rotate_picture", &error);
  check(error, "clCreateKernel");
  cl_mem from = new_image(&session, CL_MEM_READ_ONLY, width, height, before);
  cl_mem to = new_image(&session, CL_MEM_WRITE_ONLY, width, height, NULL);
  const double radians = angle * acos(-1) / 180;
  const cl_float2 turn = {{(float)cos(radians), (float)sin(radians)}};
  check(clSetKernelArg(kernel, 0, sizeof from, &from), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, sizeof to, &to), "clSetKernelArg");
  check(clSetKernelArg(kernel, 2, sizeof turn, &turn), "clSetKernelArg");

  print_heading(session.device);
  const size_t global[2] = {width, height}, origin[3] = {0, 0, 0}, region[3] = {width, height, 1};
  cl_event event;
  double seconds;
  check(clEnqueueNDRangeKernel(session.queue, kernel, 2, NULL, global, NULL, 0, NULL, &event),
        "clEnqueueNDRangeKernel");
  if (wait_with_progress(event, "rotate", request.progress, &seconds) != CL_SUCCESS)
    die(EXIT_KERNEL_FAILED, "the kernel did not complete");
  const struct figures figures = figures_of(session.device, event);
  print_stage("rotate", &figures, seconds);
  check(clEnqueueReadImage(session.queue, to, CL_TRUE, origin, region, 0, 0, after, 0, NULL, NULL),
        "clEnqueueReadImage");

  const struct png_samples result = {width, height, CHANNELS, after};
  char *before_path = path_in(request.folder, "before.png"), *after_path = path_in(request.folder, "rotated.png");
  png_samples_write(before_path, &picture);
  png_samples_write(after_path, &result);
  // The CPU turns by the angle that the kernel got.
  const size_t wrong = count_wrong(before, after, (long)width, (long)height, (const double[]){turn.s[0], turn.s[1]});
  if (wrong != 0)
    die(EXIT_KERNEL_FAILED, "%zu of %zu samples differ from the CPU's by more than one step", wrong,
        (size_t)width * height * CHANNELS);
  printf("All %zu samples are the CPU's, but for rounding. See %s and %s\n", (size_t)width * height * CHANNELS,
         before_path, after_path);
  return 0;
}
